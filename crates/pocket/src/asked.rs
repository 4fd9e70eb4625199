//! A question as one line of JSON, and its answer.

use sabretache_engine::clause::Book;
use sabretache_engine::scenario::Diagnostics;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::{NotTaken, Situated, Tests, ThrownDice, odds, take};

/// A question: of which book, of which test, and with which dice, if it is to be taken.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    /// The short name of the book.
    pub ruleset: String,
    /// The name of the test.
    pub test: String,
    /// The situation.
    pub situation: Json,
    /// The dice that fell so far; the odds are asked for where there are none.
    #[serde(default)]
    pub dice: Option<Vec<u8>>,
}

/// The books that can be asked, each with its tests.
pub type Shelf = [(&'static Book, Tests)];

/// Why there is no answer, as the server says it.
#[derive(Debug, Serialize)]
struct Problem {
    why: String,
    #[serde(skip_serializing_if = "Diagnostics::is_empty")]
    diagnostics: Diagnostics,
}

impl Problem {
    fn of(why: impl Into<String>) -> Self {
        Self { why: why.into(), diagnostics: Diagnostics::new() }
    }
}

/// Answers `{"answer": …}` as the server would, or `{"problem": …}`.
#[must_use]
pub fn answer(shelf: &Shelf, line: &str) -> String {
    let answered = match answered(shelf, line) {
        Ok(answer) => serde_json::json!({ "answer": answer }),
        Err(problem) => serde_json::json!({ "problem": problem }),
    };
    answered.to_string()
}

fn answered(shelf: &Shelf, line: &str) -> Result<Json, Problem> {
    let asked: Asked = serde_json::from_str(line).map_err(|error| Problem::of(error.to_string()))?;
    let book = shelf.iter().find(|(book, _)| book.name == asked.ruleset);
    let (book, tests) = book.ok_or_else(|| Problem::of("there is no such ruleset"))?;
    let test = tests.iter().find(|test| test.name() == asked.test);
    let test = test.ok_or_else(|| Problem::of("the book has no such test"))?;
    let wrong = |diagnostics| Problem { why: "the situation cannot be".to_owned(), diagnostics };
    let situation = asked.situation;
    let answer = match asked.dice {
        None => serde_json::to_value(odds(book, *test, &Situated { situation }).map_err(wrong)?),
        Some(dice) => match take(book, *test, ThrownDice { situation, dice }) {
            Ok(taken) => serde_json::to_value(taken),
            Err(NotTaken::Situation(report)) => return Err(wrong(report)),
            Err(NotTaken::Dice(why)) => return Err(Problem::of(why)),
        },
    };
    answer.map_err(|error| Problem::of(error.to_string()))
}
