//! What there is to fight: rulesets, players, scenarios with what can be changed in them, worked examples.

use sabretache_engine::clause::Book;
use sabretache_engine::ids::Side;
use sabretache_engine::offer::Refusal;
use sabretache_engine::resolution::ModifierRecord;
use sabretache_engine::scenario::CoachEntry;
use sabretache_engine::view::View;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::BattleMade;

/// A ruleset that can be fought under.
#[derive(Clone, Debug, Serialize, TS)]
pub struct RulesetEntry {
    /// Its short name.
    pub name: String,
    /// The title of the book.
    pub title: String,
    /// The version of the rules.
    pub version: String,
    /// How many clauses it has.
    pub clauses: usize,
}

impl RulesetEntry {
    /// The entry of a book.
    #[must_use]
    pub fn of(book: &Book, version: &str) -> Self {
        Self { name: book.name.into(), title: book.title.into(), version: version.into(), clauses: book.clauses.len() }
    }
}

/// A kind of player.
#[derive(Clone, Debug, Serialize, TS)]
pub struct PlayerEntry {
    /// Its short name: `person`, `recruit`.
    pub name: String,
    /// What it is called.
    pub title: String,
    /// What it is like, in a sentence.
    pub note: String,
}

/// A scenario that can be fought.
#[derive(Clone, Debug, Serialize, TS)]
pub struct ScenarioEntry {
    /// Its short name.
    pub name: String,
    /// The short name of its ruleset.
    pub ruleset: String,
    /// What it is called.
    pub title: String,
    /// When it was fought.
    pub date: Option<String>,
    /// Where.
    pub place: Option<String>,
    /// What it is about.
    pub summary: Option<String>,
    /// About how long it takes.
    pub length: Option<String>,
    /// How it is begun as a first lesson, where it is one.
    pub lesson: Option<Lesson>,
    /// What the coach says in it, and when.
    pub coach: Vec<CoachEntry>,
}

/// How a scenario is begun as a first lesson.
#[derive(Clone, Debug, Serialize, TS)]
pub struct Lesson {
    /// The side that the beginner has.
    pub side: Side,
    /// What is changed for it.
    pub set: Vec<String>,
}

/// A scenario with its table laid out.
#[derive(Clone, Debug, Serialize, TS)]
pub struct ScenarioSheet {
    /// What it is.
    pub entry: ScenarioEntry,
    /// The table at the beginning.
    pub view: View,
}

/// A drill of a clause as a worked example.
#[derive(Clone, Debug, Serialize, TS)]
pub struct ExampleEntry {
    /// What it is asked for by.
    pub name: String,
    /// What it shows, as a sentence.
    pub title: String,
    /// The clauses it is for.
    pub clauses: Vec<String>,
    /// Whether it can be seen on the table.
    pub on_table: bool,
    /// The test that it takes, where it needs no table.
    pub test: Option<ExampleTest>,
}

/// A test taken with given dice.
#[derive(Clone, Debug, Serialize, TS)]
pub struct ExampleTest {
    /// The name of the test.
    pub name: String,
    /// What had to be rolled.
    pub target: Option<i32>,
    /// What made it so.
    pub modifiers: Vec<ModifierRecord>,
    /// What fell.
    pub dice: Vec<u8>,
    /// What came of it.
    pub outcome: String,
}

/// Which example to fight on the table.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct NewExample {
    /// The short name of the ruleset.
    pub ruleset: String,
    /// The example.
    pub name: String,
}

/// An example that was fought on the table.
#[derive(Clone, Debug, Serialize, TS)]
pub struct ExampleMade {
    /// The battle.
    pub battle: BattleMade,
    /// What it shows.
    pub title: String,
    /// Why the last choice may not be made, where that is what it shows.
    pub refused: Option<Refusal>,
}

/// What can be changed in a scenario before it is fought.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct Changes {
    /// The options of the scenario and of its book.
    pub options: Vec<ChangeEntry>,
    /// The numbers of the book.
    pub numbers: Vec<ChangeEntry>,
}

/// One thing that can be changed.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct ChangeEntry {
    /// By what name: `options.turns`, `HZ-ZON-01.infantry.line`.
    pub name: String,
    /// What it is, in words.
    pub note: String,
    /// What kind of value it takes.
    pub kind: ChangeKind,
    /// The values it may have, where they can be counted.
    pub choices: Vec<String>,
    /// What it is now, as text; empty where nothing is said.
    pub value: String,
}

/// What kind of value is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    /// On or off.
    Switch,
    /// A number.
    Number,
    /// One of several words.
    Choice,
    /// Anything else.
    Text,
}
