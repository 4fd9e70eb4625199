//! The pages and lists: scenarios, clauses, battles and their logs.

use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::rejection::JsonRejection;
use axum::extract::{DefaultBodyLimit, FromRequest, Path, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get, post};
use axum::{Json, Router, middleware};
use sabretache_engine::protocol::ClauseReply;
use sabretache_engine::scenario::Diagnostics;
use tower_http::compression::CompressionLayer;
use tower_http::set_header::SetResponseHeaderLayer;

use crate::guard::{self, Guard};
use crate::hall::{Hall, HallError, blocking};
use crate::messages::{
    BattleInfo, BattleMade, NewBattle, NewBranch, NewUpload, PlayerEntry, Problem, RulesetEntry, ScenarioEntry,
    ScenarioSheet, SeatName,
};
use crate::rate::Rate;
use crate::store::{Kept, StoreError};
use crate::{client, socket};

/// The largest request in bytes: a long battle's log is the largest thing there is.
const LARGEST_BODY: usize = 32 << 20;
/// New battles at once, and a second in the long run.
const NEW_BATTLES: (u32, u32) = (300, 20);

const SECURITY: [(&str, &str); 4] = [
    (
        "content-security-policy",
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; frame-ancestors 'none'; \
         base-uri 'none'; form-action 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
];

/// What every handler has.
#[derive(Clone)]
pub(crate) struct App {
    pub(crate) hall: Hall,
    new_battles: Arc<Mutex<Rate>>,
}

/// All that the server answers to.
pub(crate) fn router(hall: Hall, guarding: Guard) -> Router {
    let app = App { hall, new_battles: Arc::new(Mutex::new(Rate::new(NEW_BATTLES.0, NEW_BATTLES.1))) };
    let api = Router::new()
        .route("/rulesets", get(rulesets))
        .route("/rulesets/{name}/clauses", get(clauses))
        .route("/players", get(player_list))
        .route("/scenarios", get(scenarios))
        .route("/scenarios/{name}", get(scenario))
        .route("/battles", post(begin))
        .route("/battles/upload", post(upload))
        .route("/battles/{id}", get(battle))
        .route("/battles/{id}/log", get(log))
        .route("/battles/{id}/branch", post(branch))
        .route("/battles/{id}/socket", any(socket::upgrade))
        .fallback(async || Refused::new(StatusCode::NOT_FOUND, "there is nothing here"));
    let mut router = Router::new()
        .nest("/api", api)
        .fallback(client::page)
        .with_state(app)
        .layer(DefaultBodyLimit::max(LARGEST_BODY))
        .layer(CompressionLayer::new())
        .layer(middleware::from_fn_with_state(guarding, guard::guard));
    for (name, value) in SECURITY {
        let (name, value) = (HeaderName::from_static(name), HeaderValue::from_static(value));
        router = router.layer(SetResponseHeaderLayer::overriding(name, value));
    }
    router
}

/// A request that was not done, and why.
#[derive(Debug)]
pub(crate) struct Refused {
    status: StatusCode,
    problem: Box<Problem>,
}

impl Refused {
    pub(crate) fn new(status: StatusCode, why: impl Into<String>) -> Self {
        Self { status, problem: Box::new(Problem { why: why.into(), diagnostics: Diagnostics::new() }) }
    }

    pub(crate) fn forbidden(why: &str) -> Self {
        Self::new(StatusCode::FORBIDDEN, why)
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        (self.status, Json(self.problem)).into_response()
    }
}

impl From<HallError> for Refused {
    fn from(error: HallError) -> Self {
        match error {
            HallError::Unusable { why, diagnostics } => {
                Self { status: StatusCode::UNPROCESSABLE_ENTITY, problem: Box::new(Problem { why, diagnostics }) }
            }
            other => Self::new(StatusCode::INTERNAL_SERVER_ERROR, other.to_string()),
        }
    }
}

impl From<StoreError> for Refused {
    fn from(error: StoreError) -> Self {
        Self::from(HallError::from(error))
    }
}

impl From<JsonRejection> for Refused {
    fn from(rejection: JsonRejection) -> Self {
        Self::new(rejection.status(), rejection.body_text())
    }
}

/// A body in JSON whose faults are explained like every other.
#[derive(FromRequest)]
#[from_request(via(Json), rejection(Refused))]
struct Body<T>(T);

/// The battle of this id and the seats that the secrets sent along belong to; 403 for none.
pub(crate) async fn admit(app: &App, id: &str, secrets: &[String]) -> Result<(Kept, Vec<SeatName>), Refused> {
    let admitted = app.hall.store.admit(id, secrets).await?;
    admitted.ok_or_else(|| Refused::forbidden("there is no such seat: the link is wrong or incomplete"))
}

/// What whoever sits there may know of a battle.
pub(crate) async fn info(app: &App, kept: &Kept, seats: &[SeatName]) -> Result<BattleInfo, Refused> {
    let now = app.hall.standing(kept).await?;
    Ok(BattleInfo {
        id: kept.id.clone(),
        title: kept.title.clone(),
        ruleset: kept.ruleset.clone(),
        players: kept.players.clone(),
        seats: seats.to_vec(),
        created: kept.created,
        now,
    })
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

fn permit(app: &App) -> Result<(), Refused> {
    let mut rate = app.new_battles.lock().unwrap_or_else(PoisonError::into_inner);
    let busy = || Refused::new(StatusCode::TOO_MANY_REQUESTS, "too many new battles at once; wait a little");
    rate.take().then_some(()).ok_or_else(busy)
}

async fn begin(State(app): State<App>, Body(new): Body<NewBattle>) -> Result<(StatusCode, Json<BattleMade>), Refused> {
    permit(&app)?;
    Ok((StatusCode::CREATED, Json(app.hall.begin(new).await?)))
}

async fn upload(State(app): State<App>, Body(new): Body<NewUpload>) -> Result<(StatusCode, Json<BattleMade>), Refused> {
    permit(&app)?;
    Ok((StatusCode::CREATED, Json(app.hall.upload(new).await?)))
}

async fn battle(
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Json<BattleInfo>, Refused> {
    let (kept, seats) = admit(&app, &id, &guard::secrets(&headers)).await?;
    Ok(Json(info(&app, &kept, &seats).await?))
}

async fn log(State(app): State<App>, Path(id): Path<String>, headers: HeaderMap) -> Result<Response, Refused> {
    let (kept, _) = admit(&app, &id, &guard::secrets(&headers)).await?;
    let (text, _) = app.hall.store.log(&kept.id).await?;
    let name = format!("attachment; filename=\"{id}.jsonl\"");
    Ok(([(CONTENT_TYPE, "application/jsonl".to_owned()), (CONTENT_DISPOSITION, name)], text).into_response())
}

async fn branch(
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Body(new): Body<NewBranch>,
) -> Result<(StatusCode, Json<BattleMade>), Refused> {
    let (kept, _) = admit(&app, &id, &guard::secrets(&headers)).await?;
    permit(&app)?;
    Ok((StatusCode::CREATED, Json(app.hall.branch(&kept, new).await?)))
}
