//! Advice, the course of a battle, and runs of the laboratory.

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Html;
use axum::routing::{get, post};
use axum::{Extension, Json, Router};
use sabretache_lab::Course;
use sabretache_players::Advice;

use super::{App, Body, Refused, admit, open_to, permit};
use crate::guard;
use crate::messages::{AskAdvice, NewRun, RunNow};
use crate::watch::Caller;

pub(super) fn routes() -> Router<App> {
    Router::new()
        .route("/battles/{id}/advice", post(advice))
        .route("/battles/{id}/course", get(course))
        .route("/battles/{id}/run", get(run_now).post(run).delete(run_stop))
        .route("/battles/{id}/run/report", get(run_report))
}

async fn advice(
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Body(asked): Body<AskAdvice>,
) -> Result<Json<Advice>, Refused> {
    let (kept, seats) = admit(&app, &id, &guard::secrets(&headers)).await?;
    open_to(&app, &kept, &seats.held, false).await?;
    Ok(Json(app.hall.advise(&kept, &asked.player).await?))
}

async fn course(State(app): State<App>, Path(id): Path<String>, headers: HeaderMap) -> Result<Json<Course>, Refused> {
    let (kept, seats) = admit(&app, &id, &guard::secrets(&headers)).await?;
    open_to(&app, &kept, &seats.held, false).await?;
    Ok(Json(app.hall.course(&kept).await?))
}

async fn run(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Body(asked): Body<NewRun>,
) -> Result<StatusCode, Refused> {
    let (kept, seats) = admit(&app, &id, &guard::secrets(&headers)).await?;
    open_to(&app, &kept, &seats.held, false).await?;
    permit(&app, &caller)?;
    app.hall.run(&kept, asked, (seats, &caller.0)).await?;
    Ok(StatusCode::ACCEPTED)
}

async fn run_now(
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Json<Option<RunNow>>, Refused> {
    let (kept, seats) = admit(&app, &id, &guard::secrets(&headers)).await?;
    open_to(&app, &kept, &seats.held, false).await?;
    Ok(Json(app.hall.bench.now(&kept.id)))
}

async fn run_stop(State(app): State<App>, Path(id): Path<String>, headers: HeaderMap) -> Result<StatusCode, Refused> {
    let (kept, seats) = admit(&app, &id, &guard::secrets(&headers)).await?;
    if !app.hall.bench.stop(&kept.id, &seats) {
        return Err(Refused::forbidden("only whoever began the run, or the umpire, may end it"));
    }
    Ok(StatusCode::NO_CONTENT)
}

async fn run_report(
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Html<String>, Refused> {
    let (kept, seats) = admit(&app, &id, &guard::secrets(&headers)).await?;
    open_to(&app, &kept, &seats.held, false).await?;
    let page = app.hall.bench.report(&kept.id);
    page.map(Html).ok_or_else(|| Refused::new(StatusCode::NOT_FOUND, "there is no report yet"))
}
