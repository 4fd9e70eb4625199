//! The tests of the books from situations filled in by hand: targets, modifiers with their clauses, exact odds, and what comes of
//! the dice that fell.
//!
//! The server answers a telephone beside a real table so; and a telephone without a net asks the same code, compiled to
//! WebAssembly, line by line (`src/main.rs`). Nothing is kept: each question says the whole situation and all dice so far.

mod asked;
mod messages;

use sabretache_engine::clause::Book;
use sabretache_engine::dice::{NoDice, Scripted, Throw};
use sabretache_engine::resolution::ModifierRecord;
use sabretache_engine::scenario::Diagnostics;
use sabretache_engine::situation::{SituationTest, TakeError, TargetAndModifiers};

pub use asked::{Asked, Shelf, answer};
pub use messages::{Situated, TestModifier, TestOdds, TestOutcome, TestTaken, TestTarget, ThrowWanted, ThrownDice};

/// More dice than any test of the books throws.
const MOST_DICE: usize = 1_000;

/// The tests of a book.
pub type Tests = &'static [&'static dyn SituationTest];

/// Targets, modifiers and exact odds.
pub fn odds(book: &Book, test: &dyn SituationTest, asked: &Situated) -> Result<TestOdds, Diagnostics> {
    let odds = test.odds(&asked.situation)?;
    let first = TargetAndModifiers { target: odds.target, modifiers: odds.modifiers };
    let outcomes = odds.outcomes.into_iter().map(|one| TestOutcome {
        outcome: one.outcome,
        p: one.p,
        probability: one.probability,
    });
    Ok(TestOdds {
        tests: std::iter::once(&first).chain(&odds.more).map(|test| target(book, test)).collect(),
        capped_by: odds.capped_by.map(|clause| clause.id().to_owned()),
        outcomes: outcomes.collect(),
    })
}

/// Why a test could not be taken with these dice.
#[derive(Debug)]
pub enum NotTaken {
    /// The situation cannot be.
    Situation(Diagnostics),
    /// The dice cannot have fallen so.
    Dice(String),
}

/// As far as the test gets with the dice that fell.
pub fn take(book: &Book, test: &dyn SituationTest, asked: ThrownDice) -> Result<TestTaken, NotTaken> {
    if asked.dice.len() > MOST_DICE {
        return Err(NotTaken::Dice("no test throws so many dice".to_owned()));
    }
    let mut dice = Scripted::new(asked.dice);
    match (test.take(&asked.situation, &mut dice), dice.left().len()) {
        (Ok(taken), 0) => Ok(TestTaken::Done {
            tests: taken.tests.iter().map(|test| target(book, test)).collect(),
            outcome: taken.outcome,
            fields: taken.fields,
        }),
        (Ok(_), left) => Err(NotTaken::Dice(format!("{left} more dice were given than the test throws"))),
        (Err(TakeError::Situation(report)), _) => Err(NotTaken::Situation(report)),
        (Err(TakeError::Dice(NoDice::Throw(throw))), _) => Ok(TestTaken::Throw(wanted(&throw))),
        (Err(TakeError::Dice(no_dice)), _) => Err(NotTaken::Dice(no_dice.to_string())),
    }
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
