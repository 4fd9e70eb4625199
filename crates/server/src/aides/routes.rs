//! Handing commands over and taking them back, over HTTP.

use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::routing::post;
use axum::{Json, Router};
use sabretache_engine::ids::Side;

use crate::aides::{AidesNow, AidesWish, NewErrand, TasksOpen};
use crate::guard;
use crate::hall::HallError;
use crate::http::{App, Body, Refused, admit, open_to};
use crate::store::Kept;

pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/battles/{id}/aides", post(hand_over))
        .route("/battles/{id}/aides/open", post(open))
        .route("/battles/{id}/aides/wish", post(wish))
}

/// Whoever has the whole of a side, and from whom nothing on the table is hidden: an aide sees all of it.
async fn own(app: &App, id: &str, headers: &HeaderMap, side: Side) -> Result<Kept, Refused> {
    let (kept, seats) = admit(app, id, &guard::secrets(headers)).await?;
    if !seats.whole().contains(&side.into()) {
        return Err(Refused::forbidden("only whoever has the whole side hands its commands to aides"));
    }
    open_to(app, &kept, &seats.held, false).await?;
    Ok(kept)
}

async fn hand_over(
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Body(new): Body<NewErrand>,
) -> Result<Json<AidesNow>, Refused> {
    let kept = own(&app, &id, &headers, new.side).await?;
    let told = app.hall.open(&kept)?.hand_over(new).await;
    Ok(Json(told.map_err(|_| gone())?.map_err(HallError::unusable)?))
}

async fn open(
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Body(new): Body<NewErrand>,
) -> Result<Json<TasksOpen>, Refused> {
    let kept = own(&app, &id, &headers, new.side).await?;
    let told = app.hall.open(&kept)?.tasks_open(new).await;
    Ok(Json(told.map_err(|_| gone())?.map_err(HallError::unusable)?))
}

async fn wish(
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Body(AidesWish { side, wish }): Body<AidesWish>,
) -> Result<Json<AidesNow>, Refused> {
    let kept = own(&app, &id, &headers, side).await?;
    let told = app.hall.open(&kept)?.wish_of_aides(side, wish).await;
    Ok(Json(told.map_err(|_| gone())?.map_err(HallError::unusable)?))
}

fn gone() -> HallError {
    HallError::Failed("the battle does not answer".into())
}
