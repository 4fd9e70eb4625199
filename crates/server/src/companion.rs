//! The companion beside a real table: the tests of a book from situations filled in by hand.
//!
//! Nothing is kept: each request says the whole situation and all dice that have fallen so far.

mod messages;
pub mod table;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Json, Router};
use sabretache_engine::clause::Book;
use sabretache_engine::scenario::Diagnostics;
use sabretache_engine::situation::SituationTest;
use sabretache_pocket::{NotTaken, Situated, TestOdds, TestTaken, Tests, ThrownDice};

use crate::hall::blocking;
use crate::http::{App, Body, Refused};
use crate::messages::Problem;

pub use messages::{BookTest, BookTurn, MarkWord, Task, TurnPhase, Whose};

pub(crate) fn routes() -> Router<App> {
    Router::new()
        .merge(table::routes())
        .route("/rulesets/{name}/turn", get(turn))
        .route("/rulesets/{name}/tests", get(tests))
        .route("/rulesets/{name}/tests/{test}/odds", post(odds))
        .route("/rulesets/{name}/tests/{test}/take", post(take))
}

async fn tests(State(app): State<App>, Path(name): Path<String>) -> Result<Json<Vec<BookTest>>, Refused> {
    let (_, all) = book(&app, &name)?;
    let entry = |test: &&dyn SituationTest| BookTest {
        name: test.name().to_owned(),
        about: test.about().to_owned(),
        schema: test.schema().to_value(),
    };
    Ok(Json(all.iter().map(entry).collect()))
}

async fn turn(State(app): State<App>, Path(name): Path<String>) -> Result<Json<BookTurn>, Refused> {
    let found = app.hall.catalogue.turns.get(&name).cloned();
    found.map(Json).ok_or_else(|| Refused::new(StatusCode::NOT_FOUND, "nothing is known of the turn of that book"))
}

async fn odds(
    State(app): State<App>,
    Path((name, test)): Path<(String, String)>,
    Body(asked): Body<Situated>,
) -> Result<Json<TestOdds>, Refused> {
    let (book, test) = find(&app, &name, &test)?;
    let odds = blocking(move || sabretache_pocket::odds(book, test, &asked)).await?;
    Ok(Json(odds.map_err(wrong)?))
}

async fn take(
    State(app): State<App>,
    Path((name, test)): Path<(String, String)>,
    Body(asked): Body<ThrownDice>,
) -> Result<Json<TestTaken>, Refused> {
    let (book, test) = find(&app, &name, &test)?;
    match blocking(move || sabretache_pocket::take(book, test, asked)).await? {
        Ok(taken) => Ok(Json(taken)),
        Err(NotTaken::Situation(report)) => Err(wrong(report)),
        Err(NotTaken::Dice(why)) => Err(Refused::new(StatusCode::UNPROCESSABLE_ENTITY, why)),
    }
}

fn book(app: &App, name: &str) -> Result<(&'static Book, Tests), Refused> {
    let ruleset = app.hall.catalogue.ruleset(name);
    let ruleset = ruleset.ok_or_else(|| Refused::new(StatusCode::NOT_FOUND, "there is no such ruleset"))?;
    Ok((ruleset.book(), ruleset.situations()))
}

fn find(app: &App, name: &str, test: &str) -> Result<(&'static Book, &'static dyn SituationTest), Refused> {
    let (book, tests) = book(app, name)?;
    let found = tests.iter().find(|one| one.name() == test);
    let found = found.ok_or_else(|| Refused::new(StatusCode::NOT_FOUND, "the book has no such test"))?;
    Ok((book, *found))
}

fn wrong(diagnostics: Diagnostics) -> Refused {
    let problem = Problem { why: "the situation cannot be".to_owned(), diagnostics };
    Refused::with(StatusCode::UNPROCESSABLE_ENTITY, problem)
}
