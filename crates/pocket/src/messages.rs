//! What is asked of a test, and what is answered.

use sabretache_engine::dice::Die;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use ts_rs::TS;

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
