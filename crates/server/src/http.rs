//! The pages and lists: scenarios, clauses, battles and their logs.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::rejection::JsonRejection;
use axum::extract::{DefaultBodyLimit, FromRequest, Path, Request, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{any, get, post};
use axum::{Extension, Json, Router, middleware};
use sabretache_engine::dice::{Commitment, Reveal};
use sabretache_engine::ids::Side;
use sabretache_engine::log::Hash;
use sabretache_engine::protocol::ClauseReply;
use sabretache_engine::scenario::Diagnostics;
use sabretache_lab::Course;
use sabretache_players::Advice;
use tokio::sync::Semaphore;
use tower_http::compression::CompressionLayer;
use tower_http::set_header::SetResponseHeaderLayer;
use tower_http::timeout::RequestBodyTimeoutLayer;

use crate::guard::{self, Guard};
use crate::hall::{Hall, HallError, blocking, dice_of};
use crate::messages::{
    AskAdvice, BattleInfo, BattleMade, Changes, DiceKind, ExampleEntry, ExampleMade, Link, NewBattle, NewBranch,
    NewExample, NewRun, NewUpload, ParleyNow, PlayerEntry, Players, Problem, RulesetEntry, RunNow, ScenarioEntry,
    ScenarioSheet, SeatName, Thrown,
};
use crate::rate::Rate;
use crate::seats::Seats;
use crate::store::{Kept, StoreError};
use crate::watch::{Caller, Watch};
use crate::{client, companion, listen, socket, watch, workshop};

/// The largest request in bytes: a scenario with all that JSON makes of it.
const LARGEST_BODY: usize = 4 << 20;
/// The largest log: a long battle's is the largest thing there is. So many are taken in at once.
const LARGEST_LOG: usize = 32 << 20;
const UPLOADS: usize = 2;
/// New battles at once, and a second in the long run: of everybody together,
const NEW_BATTLES: (u32, u32) = (600, 40);
/// and of one caller.
const OWN_BATTLES: (u32, u32) = (300, 2);
/// So many callers are remembered; then those with nothing to answer for are forgotten.
const MOST_CALLERS: usize = 4_096;

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
    /// Logs that are read and proved at present: each takes memory and time.
    uploads: Arc<Semaphore>,
    /// The same for each caller.
    callers: Arc<Mutex<HashMap<String, Rate>>>,
}

/// All that the server answers to.
pub(crate) fn router(hall: Hall, guarding: Guard, behind_proxy: bool) -> Router {
    let new_battles = Arc::new(Mutex::new(Rate::new(NEW_BATTLES.0, NEW_BATTLES.1)));
    let watch = Watch { figures: Arc::clone(&hall.figures), behind_proxy };
    let uploads = Arc::new(Semaphore::new(UPLOADS));
    let app = App { hall, new_battles, uploads, callers: Arc::default() };
    let api = Router::new()
        .route("/rulesets", get(rulesets))
        .route("/rulesets/{name}/clauses", get(clauses))
        .route("/rulesets/{name}/clauses/{id}/examples", get(examples))
        .route("/examples", post(example))
        .route("/players", get(player_list))
        .route("/scenarios", get(scenarios))
        .route("/scenarios/{name}", get(scenario))
        .route("/scenarios/{name}/changes", get(changes))
        .route("/battles", post(begin))
        .route("/battles/upload", post(upload).layer(DefaultBodyLimit::max(LARGEST_LOG)))
        .route("/battles/{id}", get(battle).delete(delete))
        .route("/battles/{id}/log", get(log))
        .route("/battles/{id}/branch", post(branch))
        .route("/battles/{id}/players", post(change_players))
        .route("/battles/{id}/parley", get(parley))
        .route("/battles/{id}/commit", post(commit))
        .route("/battles/{id}/reveal", post(reveal))
        .route("/battles/{id}/throw", post(throw))
        .route("/battles/{id}/advice", post(advice))
        .route("/battles/{id}/course", get(course))
        .route("/battles/{id}/run", get(run_now).post(run).delete(run_stop))
        .route("/battles/{id}/run/report", get(run_report))
        .route("/battles/{id}/socket", any(socket::upgrade))
        .merge(crate::aides::routes())
        .merge(companion::routes())
        .merge(crate::exercises::routes())
        .merge(crate::friends::routes())
        .merge(crate::paper::routes())
        .merge(workshop::routes())
        .fallback(async || Refused::new(StatusCode::NOT_FOUND, "there is nothing here"));
    let mut router = Router::new()
        .nest("/api", api)
        .route("/health", get(watch::health))
        .route("/metrics", get(watch::metrics))
        .fallback(client::page)
        .with_state(app)
        .layer(DefaultBodyLimit::max(LARGEST_BODY))
        .layer(RequestBodyTimeoutLayer::new(listen::BODY))
        .layer(CompressionLayer::new())
        .layer(middleware::from_fn_with_state(guarding, guard::guard));
    for (name, value) in SECURITY {
        let (name, value) = (HeaderName::from_static(name), HeaderValue::from_static(value));
        router = router.layer(SetResponseHeaderLayer::overriding(name, value));
    }
    router.layer(middleware::from_fn_with_state(watch, watch::watch))
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

    /// With all that is wrong with what was sent.
    pub(crate) fn with(status: StatusCode, problem: Problem) -> Self {
        Self { status, problem: Box::new(problem) }
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
pub(crate) struct Body<T>(pub(crate) T);

/// The battle of this id and the seats that the secrets sent along belong to; 403 for none.
pub(crate) async fn admit(app: &App, id: &str, secrets: &[String]) -> Result<(Kept, Seats), Refused> {
    let admitted = app.hall.store.admit(id, secrets).await?;
    admitted.ok_or_else(|| Refused::forbidden("there is no such seat: the link is wrong or incomplete"))
}

/// What whoever sits there may know of a battle.
pub(crate) async fn info(app: &App, kept: &Kept, seats: &Seats) -> Result<BattleInfo, Refused> {
    let unbegun = || Refused::new(StatusCode::CONFLICT, "the sides have not agreed on their dice yet");
    let mut beginning = app.hall.store.beginning(&kept.id).await?;
    if beginning.is_none() && app.hall.parley(&kept.id).await?.is_some_and(|parley| parley.begun) {
        beginning = app.hall.store.beginning(&kept.id).await?;
    }
    let beginning = beginning.ok_or_else(unbegun)?;
    let dice = dice_of(&beginning);
    let rolling = if dice == DiceKind::Agreed { app.hall.rolling(kept).await? } else { None };
    let throwing = if dice == DiceKind::Typed { app.hall.throwing(kept).await? } else { None };
    let now = app.hall.standing(kept).await?;
    // Who plays may have changed since the connection was made.
    let players = app.hall.store.battle(&kept.id).await?.map_or_else(|| kept.players.clone(), |kept| kept.players);
    let mut instructions = [Vec::new(), Vec::new()];
    let mut quiet = Side::BOTH.map(|side| players.of(side) == "person");
    for (side, list) in app.hall.store.instructions(&kept.id).await? {
        // What a side lets pass, and which of its units stand where, is nobody else's business.
        if seats.held.contains(&side.into()) || seats.held.contains(&SeatName::Umpire) {
            instructions[side.index()] = list.list;
        }
        quiet[side.index()] = list.quiet.unwrap_or(quiet[side.index()]);
    }
    let aides = app.hall.store.page(&kept.id, crate::aides::AIDES).await?;
    let aides = crate::aides::Aides::read(aides.as_deref()).map_err(HallError::Failed)?;
    Ok(BattleInfo {
        id: kept.id.clone(),
        title: kept.title.clone(),
        ruleset: kept.ruleset.clone(),
        players,
        instructions,
        quiet,
        aides: aides.of_seats(&seats.held),
        dice,
        rolling,
        throwing,
        seats: seats.held.clone(),
        named: seats.named.clone(),
        created: kept.created,
        now,
    })
}

/// Nothing that tells of the whole battle is for those from whom some of it is hidden; 403 for them.
pub(crate) async fn open_to(app: &App, kept: &Kept, seats: &[SeatName], log: bool) -> Result<(), Refused> {
    let open = app.hall.openness(kept, seats).await?;
    if if log { open.log } else { open.table } {
        return Ok(());
    }
    Err(Refused::forbidden("that would tell what is hidden from you: the umpire knows, and you will when it is over"))
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

/// One more battle of this caller, if that is not too many.
pub(crate) fn permit(app: &App, Caller(caller): &Caller) -> Result<(), Refused> {
    let own = {
        let mut callers = app.callers.lock().unwrap_or_else(PoisonError::into_inner);
        if callers.len() >= MOST_CALLERS {
            callers.retain(|_, rate| !rate.is_full());
        }
        callers.entry(caller.clone()).or_insert_with(|| Rate::new(OWN_BATTLES.0, OWN_BATTLES.1)).take()
    };
    if !own {
        return Err(Refused::new(StatusCode::TOO_MANY_REQUESTS, "you have made many battles; wait a little"));
    }
    let mut rate = app.new_battles.lock().unwrap_or_else(PoisonError::into_inner);
    let busy = || Refused::new(StatusCode::TOO_MANY_REQUESTS, "too many new battles at once; wait a little");
    rate.take().then_some(()).ok_or_else(busy)
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

async fn changes(State(app): State<App>, Path(name): Path<String>) -> Result<Json<Changes>, Refused> {
    let catalogue = app.hall.catalogue.clone();
    let changes = blocking(move || catalogue.changes(&name)).await?;
    changes.map(Json).ok_or_else(|| Refused::new(StatusCode::NOT_FOUND, "there is no such scenario"))
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
