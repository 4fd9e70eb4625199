//! What the companion and the server say to each other.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use ts_rs::TS;

/// A test of a book that can be taken from a situation alone.
#[derive(Clone, Debug, Serialize, TS)]
pub struct BookTest {
    /// Its name.
    pub name: String,
    /// What it tells, in a sentence.
    pub about: String,
    /// The JSON Schema of its situation; each field names the clauses that it feeds.
    pub schema: Json,
}

/// The turn of a book, for a battle with real figures that is kept roughly.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct BookTurn {
    /// Whether one side goes through its phases before the other begins; otherwise both finish a phase before the next.
    #[serde(default)]
    pub by_side: bool,
    /// What units are marked with.
    pub marks: Vec<MarkWord>,
    /// The orders that a command can be under, where the book has such.
    #[serde(default)]
    pub orders: Vec<String>,
    /// What is done before the first turn.
    pub before: TurnPhase,
    /// The phases, in order.
    pub phases: Vec<TurnPhase>,
}

/// Something that a unit is marked with.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct MarkWord {
    /// Its key, the same as in a scenario where that has it.
    pub key: String,
    /// What it is called.
    pub word: String,
    /// The most there can be; 1 for what is or is not.
    pub most: u8,
    /// The arm that alone has it, where not all have: `guns` or `horse`.
    #[serde(default)]
    pub only: Option<String>,
}

/// A phase of a turn.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct TurnPhase {
    /// What the book calls it.
    pub name: String,
    /// Who acts in it.
    #[serde(default)]
    pub whose: Whose,
    /// What is to be done, in order.
    pub tasks: Vec<Task>,
}

/// Who acts in a phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Whose {
    /// Both sides together, once.
    #[default]
    Both,
    /// One side and then the other.
    Each,
}

/// Something to be done in a phase.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct Task {
    /// What.
    pub text: String,
    /// The tests that belong to it.
    pub tests: Vec<String>,
    /// The clauses behind it.
    pub clauses: Vec<String>,
}
