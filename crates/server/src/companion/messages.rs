//! What the companion and the server say to each other.

use sabretache_engine::dice::Die;
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

/// A situation filled in by hand; what is not given has its default.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct Situated {
    /// The situation.
    pub situation: Json,
}

/// A situation and all dice that have fallen so far.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct ThrownDice {
    /// The situation.
    pub situation: Json,
    /// The faces, in the order in which they were asked for.
    pub dice: Vec<u8>,
}

/// What must be rolled, and what made it so.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct TestTarget {
    /// What must be rolled.
    pub target: i32,
    /// What made it so.
    pub modifiers: Vec<TestModifier>,
}

/// A modifier with its clause.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct TestModifier {
    /// The clause.
    pub clause: String,
    /// Its title.
    pub title: String,
    /// Up or down by how much.
    pub shift: i32,
}

/// The exact odds of a test.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct TestOdds {
    /// The tests that are rolled, the one that matters first.
    pub tests: Vec<TestTarget>,
    /// The clause that capped the first target, if one did.
    pub capped_by: Option<String>,
    /// Every outcome; they add up to one.
    pub outcomes: Vec<TestOutcome>,
}

/// An outcome and its chance.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct TestOutcome {
    /// What comes out.
    pub outcome: String,
    /// The chance as a fraction.
    pub p: String,
    /// The chance as a decimal fraction.
    pub probability: f64,
}

/// How far a test got with the dice that have fallen.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum TestTaken {
    /// More dice are wanted.
    Throw(ThrowWanted),
    /// It is over.
    Done {
        /// The tests that were rolled.
        tests: Vec<TestTarget>,
        /// What comes out, in a few words.
        outcome: String,
        /// All of it, part by part.
        fields: Json,
    },
}

/// The dice of the next throw.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct ThrowWanted {
    /// In words.
    pub throw: String,
    /// Each die.
    pub dice: Vec<Die>,
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
