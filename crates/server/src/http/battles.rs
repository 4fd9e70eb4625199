//! Battles: begun, taken over, looked at, gone on from, deleted.

use std::sync::Arc;

use axum::extract::{DefaultBodyLimit, FromRequest, Path, Request, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Extension, Json, Router};
use sabretache_engine::log::Log;
use sabretache_story::Terms;

use super::{App, Body, Refused, admit, info, open_to, permit};
use crate::messages::{BattleInfo, BattleMade, NewBattle, NewBranch, NewUpload, Players, SeatName, Stakes};
use crate::watch::Caller;
use crate::{guard, listen};

/// The largest log: a long battle's is the largest thing there is.
const LARGEST_LOG: usize = 32 << 20;

pub(super) fn routes() -> Router<App> {
    Router::new()
        .route("/battles", post(begin))
        .route("/battles/upload", post(upload).layer(DefaultBodyLimit::max(LARGEST_LOG)))
        .route("/battles/{id}", get(battle).delete(delete))
        .route("/battles/{id}/log", get(log))
        .route("/battles/{id}/stakes", get(stakes))
        .route("/battles/{id}/branch", post(branch))
        .route("/battles/{id}/players", post(change_players))
}

async fn begin(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Body(new): Body<NewBattle>,
) -> Result<(StatusCode, Json<BattleMade>), Refused> {
    permit(&app, &caller)?;
    let made = app.hall.begin(new).await?;
    app.hall.thinkers.called(&made.id, &caller.0);
    Ok((StatusCode::CREATED, Json(made)))
}

/// Takes a log over. It is read only when its turn has come, and proved on threads that callers take in turn.
async fn upload(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    request: Request,
) -> Result<(StatusCode, Json<BattleMade>), Refused> {
    permit(&app, &caller)?;
    let busy = || Refused::new(StatusCode::SERVICE_UNAVAILABLE, "many logs are being proved; try again in a while");
    let turn = tokio::time::timeout(listen::BODY, Arc::clone(&app.uploads).acquire_owned()).await;
    let _turn = turn.ok().and_then(Result::ok).ok_or_else(busy)?;
    let Body(new) = Body::<NewUpload>::from_request(request, &()).await?;
    let made = app.hall.upload(new).await?;
    app.hall.thinkers.called(&made.id, &caller.0);
    Ok((StatusCode::CREATED, Json(made)))
}

/// Whoever made a battle has the umpire's secret, or those of both sides: he may have it forgotten.
async fn delete(State(app): State<App>, Path(id): Path<String>, headers: HeaderMap) -> Result<StatusCode, Refused> {
    let (kept, seats) = admit(&app, &id, &guard::secrets(&headers)).await?;
    let whole = seats.whole();
    let both = whole.contains(&SeatName::A) && whole.contains(&SeatName::B);
    let one = whole.contains(&SeatName::A) || whole.contains(&SeatName::B);
    // A battle to which a friend was asked is its maker's until the friend has come.
    let umpires = whole.contains(&SeatName::Umpire)
        || both
        || (one && crate::friends::is_lonely(&*app.hall.store, &kept.id).await?);
    if !umpires {
        return Err(Refused::forbidden("only whoever made the battle, or its umpire, may delete it"));
    }
    app.hall.delete(&kept).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn battle(
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Json<BattleInfo>, Refused> {
    let (kept, seats) = admit(&app, &id, &guard::secrets(&headers)).await?;
    Ok(Json(info(&app, &kept, &seats).await?))
}

/// What a battle is fought for: that both sides know, whatever else is hidden from them.
async fn stakes(State(app): State<App>, Path(id): Path<String>, headers: HeaderMap) -> Result<Json<Stakes>, Refused> {
    let (kept, _) = admit(&app, &id, &guard::secrets(&headers)).await?;
    let lines = app.hall.store.lines(&kept.id, 0).await?;
    let unread = |why: String| Refused::new(StatusCode::UNPROCESSABLE_ENTITY, why);
    let first = lines.first().map(String::as_bytes).unwrap_or_default();
    let log = Log::<serde_json::Value>::read(first).map_err(|error| unread(error.to_string()))?;
    let begun = log.begun().ok_or_else(|| unread("the battle has no beginning".to_owned()))?;
    let Terms { turns, victory, rules, .. } = Terms::of(&begun.scenario);
    let clauses = app.hall.catalogue.ruleset(&begun.ruleset).map(|book| book.victory().to_vec()).unwrap_or_default();
    Ok(Json(Stakes { turns: turns.and_then(|turns| turns.try_into().ok()), victory, rules, clauses }))
}

/// The log of a battle as far as those who hold these secrets may read it.
pub(crate) async fn whole_log(app: &App, id: &str, secrets: &[String]) -> Result<String, Refused> {
    let (kept, seats) = admit(app, id, secrets).await?;
    open_to(app, &kept, &seats.held, true).await?;
    let (mut text, _) = app.hall.store.log(&kept.id).await?;
    if !seats.named.is_empty() && app.hall.standing(&kept).await?.verdict.is_none() {
        text = seats.own_letters(&text);
    }
    Ok(text)
}

async fn log(State(app): State<App>, Path(id): Path<String>, headers: HeaderMap) -> Result<Response, Refused> {
    let text = whole_log(&app, &id, &guard::secrets(&headers)).await?;
    let name = format!("attachment; filename=\"{id}.jsonl\"");
    Ok(([(CONTENT_TYPE, "application/jsonl".to_owned()), (CONTENT_DISPOSITION, name)], text).into_response())
}

async fn branch(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Body(new): Body<NewBranch>,
) -> Result<(StatusCode, Json<BattleMade>), Refused> {
    let (kept, seats) = admit(&app, &id, &guard::secrets(&headers)).await?;
    open_to(&app, &kept, &seats.held, false).await?;
    permit(&app, &caller)?;
    let made = app.hall.branch(&kept, new).await?;
    app.hall.thinkers.called(&made.id, &caller.0);
    Ok((StatusCode::CREATED, Json(made)))
}

async fn change_players(
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Body(players): Body<Players>,
) -> Result<StatusCode, Refused> {
    let (kept, seats) = admit(&app, &id, &guard::secrets(&headers)).await?;
    app.hall.change_players(&kept, &seats.whole(), players).await?;
    Ok(StatusCode::NO_CONTENT)
}
