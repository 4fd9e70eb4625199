//! Dice that are agreed on, and those that a person throws for a computer player.

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::routing::{get, post};
use axum::{Json, Router};
use sabretache_engine::dice::{Commitment, Reveal};
use sabretache_engine::log::Hash;

use super::{App, Body, Refused, admit};
use crate::guard;
use crate::messages::{Link, ParleyNow, SeatName, Thrown};

pub(super) fn routes() -> Router<App> {
    Router::new()
        .route("/battles/{id}/parley", get(parley))
        .route("/battles/{id}/commit", post(commit))
        .route("/battles/{id}/reveal", post(reveal))
        .route("/battles/{id}/throw", post(throw))
}

async fn parley(
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Json<ParleyNow>, Refused> {
    let (kept, seats) = admit(&app, &id, &guard::secrets(&headers)).await?;
    let found = app.hall.parley(&kept.id).await?;
    let found =
        found.ok_or_else(|| Refused::new(StatusCode::NOT_FOUND, "the dice of this battle are not agreed on"))?;
    let committed = found.commitments.map(|commitment| commitment.is_some());
    Ok(Json(ParleyNow { committed, begun: found.begun, seats: seats.held }))
}

/// A link that a seat may speak of: its own side's.
fn own_link(seats: &[SeatName], link: Link) -> Result<Link, Refused> {
    if seats.contains(&link.side.into()) { Ok(link) } else { Err(Refused::forbidden("only whoever sits there may")) }
}

async fn commit(
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Body(link): Body<Link>,
) -> Result<StatusCode, Refused> {
    let (kept, seats) = admit(&app, &id, &guard::secrets(&headers)).await?;
    let Link { side, link, .. } = own_link(&seats.held, link)?;
    let link = Commitment::try_from(link).map_err(|why| Refused::new(StatusCode::UNPROCESSABLE_ENTITY, why))?;
    app.hall.commit(&kept, side, link).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn reveal(
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Body(link): Body<Link>,
) -> Result<StatusCode, Refused> {
    let (kept, seats) = admit(&app, &id, &guard::secrets(&headers)).await?;
    let Link { side, link, choice } = own_link(&seats.held, link)?;
    let unusable = |why: String| Refused::new(StatusCode::UNPROCESSABLE_ENTITY, why);
    let link = Reveal::try_from(link).map_err(unusable)?;
    let choice = choice.ok_or_else(|| unusable("say which choice the link is revealed for".into()))?;
    app.hall.reveal(&kept, side, link, Hash::try_from(choice).map_err(unusable)?).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Whoever sits at a side, or the umpire, throws for a computer player.
async fn throw(
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Body(thrown): Body<Thrown>,
) -> Result<StatusCode, Refused> {
    let (kept, seats) = admit(&app, &id, &guard::secrets(&headers)).await?;
    if seats.held.iter().all(|seat| *seat == SeatName::Spectator) {
        return Err(Refused::forbidden("spectators throw no dice"));
    }
    app.hall.throw(&kept, thrown.faces).await?;
    Ok(StatusCode::NO_CONTENT)
}
