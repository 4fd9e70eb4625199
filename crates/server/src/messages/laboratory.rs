//! Advice, and runs of the laboratory.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::Players;

/// Asks what a computer player would do now.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct AskAdvice {
    /// Which player: `drill-master`, `marshal:2s`.
    pub player: String,
}

/// Asks for a moment of a battle to be fought many times.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct NewRun {
    /// From which moment.
    pub moment: usize,
    /// How many battles.
    #[ts(type = "number")]
    pub battles: u64,
    /// Which computer players.
    pub players: Players,
}

/// A run of the laboratory: how far it is, and what came of it so far.
#[derive(Clone, Debug, Serialize, TS)]
pub struct RunNow {
    /// What was asked for.
    pub asked: NewRun,
    /// Battles fought.
    #[ts(type = "number")]
    pub done: u64,
    /// Battles a second.
    pub rate: f64,
    /// How many seconds it will take still.
    pub left: Option<f64>,
    /// Whether it goes on.
    pub running: bool,
    /// What came of it, once it is over.
    pub result: Option<RunResult>,
    /// Why nothing came of it.
    pub why: Option<String>,
}

/// What came of a run.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct RunResult {
    /// How many battles it stands on.
    #[ts(type = "number")]
    pub battles: u64,
    /// The share that A won, that B won, and that nobody won.
    pub shares: [RunShare; 3],
    /// All of it in a page of text.
    pub summary: String,
}

/// A share with its 95 % interval, between 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, TS)]
pub struct RunShare {
    /// The share.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}
