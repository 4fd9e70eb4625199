//! What will come of a choice, as a player wants to know it: a few headlines, what each unit has to fear, and the
//! reckoning before the roll.

mod gather;
mod leads;
mod reckoning;

use schemars::JsonSchema;
use serde::Serialize;

pub use gather::{Forecast, forecast};
pub use leads::leads;
pub use reckoning::{ReckonedModifier, Reckoning, reckoned};

use crate::clause::Clause;
use crate::ids::{Named, Side, UnitId};

/// At most so many headlines; what is left over is gathered in the last.
pub const MOST_HEADLINES: usize = 5;

/// What a run of events comes to, in the few words that matter to a player.
///
/// Ordered by rank first, so that headlines stand in the order in which a player wants to read them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Headline {
    /// Its place: 0 for what is hoped for, then what is next to it, the worst last.
    pub rank: u8,
    /// In words.
    pub text: String,
    /// For whom it is good.
    pub good_for: Option<Side>,
}

impl Headline {
    /// A headline.
    pub fn new(rank: u8, text: impl Into<String>, good_for: Option<Side>) -> Self {
        Self { rank, text: text.into(), good_for }
    }
}

/// What a run of events did to one unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fate {
    /// The unit.
    pub unit: UnitId,
    /// It runs or breaks, and may come back.
    pub routs: bool,
    /// It is gone for good.
    pub lost: bool,
    /// What it lost, in the book's unit: figures, bases, strength points, staggers.
    pub loss: i32,
}

/// A headline and its chance.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema, ts_rs::TS)]
pub struct HeadlineOdds {
    /// What comes out.
    pub text: String,
    /// The exact chance, as a fraction.
    pub p: String,
    /// The chance as a decimal fraction.
    pub probability: f64,
    /// For whom it is good.
    pub good_for: Option<Side>,
}

/// What one unit has to fear of a choice.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema, ts_rs::TS)]
pub struct UnitOdds {
    /// The unit, as a token.
    #[ts(type = "string")]
    pub unit: UnitId,
    /// The chance that it runs or breaks.
    pub routs: f64,
    /// The chance that it is gone for good.
    pub lost: f64,
    /// What it loses in the mean.
    pub loss: f64,
    /// What that counts: `staggers`, `losses`, `disruption`.
    pub measure: String,
}

/// A price that a choice has for certain, whatever the dice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, serde::Deserialize, JsonSchema, ts_rs::TS)]
pub struct Cost {
    /// In words.
    pub text: String,
    /// The clause behind it.
    #[ts(type = "string")]
    pub clause: Clause,
}

/// What a choice lays itself open to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, serde::Deserialize, JsonSchema, ts_rs::TS)]
pub struct Invitation {
    /// In words.
    pub text: String,
    /// To whom.
    #[ts(type = "string")]
    pub by: Named,
    /// The clause behind it.
    #[ts(type = "string")]
    pub clause: Clause,
}
