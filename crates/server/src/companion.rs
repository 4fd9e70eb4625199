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
use sabretache_engine::dice::{NoDice, Scripted, Throw};
use sabretache_engine::resolution::ModifierRecord;
use sabretache_engine::scenario::Diagnostics;
use sabretache_engine::situation::{SituationTest, TakeError, TargetAndModifiers};

use crate::hall::blocking;
use crate::http::{App, Body, Refused};
use crate::messages::Problem;

pub use messages::{
    BookTest, BookTurn, MarkWord, Situated, Task, TestModifier, TestOdds, TestOutcome, TestTaken, TestTarget,
    ThrowWanted, ThrownDice, TurnPhase, Whose,
};

/// More dice than any test of the books throws.
const MOST_DICE: usize = 1_000;

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
    let odds = blocking(move || test.odds(&asked.situation)).await?.map_err(wrong)?;
    let first = TargetAndModifiers { target: odds.target, modifiers: odds.modifiers };
    let outcomes = odds.outcomes.into_iter().map(|one| TestOutcome {
        outcome: one.outcome,
        p: one.p,
        probability: one.probability,
    });
    Ok(Json(TestOdds {
        tests: std::iter::once(&first).chain(&odds.more).map(|test| target(book, test)).collect(),
        capped_by: odds.capped_by.map(|clause| clause.id().to_owned()),
        outcomes: outcomes.collect(),
    }))
}

async fn take(
    State(app): State<App>,
    Path((name, test)): Path<(String, String)>,
    Body(asked): Body<ThrownDice>,
) -> Result<Json<TestTaken>, Refused> {
    let (book, test) = find(&app, &name, &test)?;
    if asked.dice.len() > MOST_DICE {
        return Err(Refused::new(StatusCode::UNPROCESSABLE_ENTITY, "no test throws so many dice"));
    }
    let taken = blocking(move || {
        let mut dice = Scripted::new(asked.dice);
        let taken = test.take(&asked.situation, &mut dice);
        (taken, dice.left().len())
    });
    match taken.await? {
        (Ok(taken), 0) => Ok(Json(TestTaken::Done {
            tests: taken.tests.iter().map(|test| target(book, test)).collect(),
            outcome: taken.outcome,
            fields: taken.fields,
        })),
        (Ok(_), left) => {
            let why = format!("{left} more dice were given than the test throws");
            Err(Refused::new(StatusCode::UNPROCESSABLE_ENTITY, why))
        }
        (Err(TakeError::Situation(report)), _) => Err(wrong(report)),
        (Err(TakeError::Dice(NoDice::Throw(throw))), _) => Ok(Json(TestTaken::Throw(wanted(&throw)))),
        (Err(TakeError::Dice(no_dice)), _) => Err(Refused::new(StatusCode::UNPROCESSABLE_ENTITY, no_dice.to_string())),
    }
}

type Tests = &'static [&'static dyn SituationTest];

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

fn target(book: &Book, test: &TargetAndModifiers) -> TestTarget {
    let modifier = |one: &ModifierRecord| TestModifier {
        clause: one.clause.id().to_owned(),
        title: book.title_of(one.clause),
        shift: one.shift,
    };
    TestTarget { target: test.target, modifiers: test.modifiers.iter().map(modifier).collect() }
}

fn wanted(throw: &Throw) -> ThrowWanted {
    ThrowWanted { throw: throw.to_string(), dice: (0..throw.len()).map(|n| throw.die(n)).collect() }
}
