//! What there is: rulesets, clauses and their examples, players, scenarios.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Extension, Json, Router};
use sabretache_engine::protocol::ClauseReply;

use super::{App, Body, Refused, permit};
use crate::hall::blocking;
use crate::messages::{
    Changes, ExampleEntry, ExampleMade, NewExample, PlayerEntry, RulesetEntry, ScenarioEntry, ScenarioSheet,
};
use crate::watch::Caller;

pub(super) fn routes() -> Router<App> {
    Router::new()
        .route("/rulesets", get(rulesets))
        .route("/rulesets/{name}/clauses", get(clauses))
        .route("/rulesets/{name}/clauses/{id}/examples", get(examples))
        .route("/examples", post(example))
        .route("/players", get(player_list))
        .route("/scenarios", get(scenarios))
        .route("/scenarios/{name}", get(scenario))
        .route("/scenarios/{name}/changes", get(changes))
}

async fn rulesets(State(app): State<App>) -> Json<Vec<RulesetEntry>> {
    let all = app.hall.catalogue.rulesets.iter();
    Json(all.map(|ruleset| RulesetEntry::of(ruleset.book(), ruleset.version())).collect())
}

async fn clauses(State(app): State<App>, Path(name): Path<String>) -> Result<Json<Vec<ClauseReply>>, Refused> {
    let ruleset = app.hall.catalogue.ruleset(&name);
    let ruleset = ruleset.ok_or_else(|| Refused::new(StatusCode::NOT_FOUND, "there is no such ruleset"))?;
    Ok(Json(ruleset.book().clauses.iter().map(ClauseReply::from).collect()))
}

async fn examples(
    State(app): State<App>,
    Path((name, id)): Path<(String, String)>,
) -> Result<Json<Vec<ExampleEntry>>, Refused> {
    let ruleset = app.hall.catalogue.ruleset(&name);
    let ruleset = ruleset.ok_or_else(|| Refused::new(StatusCode::NOT_FOUND, "there is no such ruleset"))?;
    let examples = app.hall.examples.clone();
    Ok(Json(blocking(move || examples.of(ruleset, &id)).await?))
}

async fn example(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Body(new): Body<NewExample>,
) -> Result<(StatusCode, Json<ExampleMade>), Refused> {
    permit(&app, &caller)?;
    Ok((StatusCode::CREATED, Json(app.hall.example(new).await?)))
}

async fn player_list(State(app): State<App>) -> Json<Vec<PlayerEntry>> {
    Json(app.hall.opponents.entries())
}

async fn scenarios(State(app): State<App>) -> Json<Vec<ScenarioEntry>> {
    Json(app.hall.catalogue.scenarios.clone())
}

async fn scenario(State(app): State<App>, Path(name): Path<String>) -> Result<Json<ScenarioSheet>, Refused> {
    let catalogue = app.hall.catalogue.clone();
    let sheet = blocking(move || catalogue.sheet(&name)).await?;
    sheet.map(Json).ok_or_else(|| Refused::new(StatusCode::NOT_FOUND, "there is no such scenario"))
}

async fn changes(State(app): State<App>, Path(name): Path<String>) -> Result<Json<Changes>, Refused> {
    let catalogue = app.hall.catalogue.clone();
    let changes = blocking(move || catalogue.changes(&name)).await?;
    changes.map(Json).ok_or_else(|| Refused::new(StatusCode::NOT_FOUND, "there is no such scenario"))
}
