//! How many dice cavalry may roll.

use sabretache_engine::decides;
use sabretache_engine::dice::{Dice, NoDice};
use sabretache_engine::situation::Situation;
use sabretache_engine::test::Test;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::clauses::MB_MOV_24;
use crate::numbers::Numbers;

/// What the speed of cavalry depends on (MB-MOV-24).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Speed {
    /// The dice of its last turn; a road move counts as 2.
    #[schemars(range(max = 3), extend("clauses" = ["MB-MOV-24"]))]
    pub last_turn: u8,
    /// The dice of this turn's movement phase, when a charge is asked about.
    #[schemars(range(max = 3), extend("clauses" = ["MB-MOV-24"]))]
    pub moved: Option<u8>,
    /// It is halted by a test, steadied, re-forming, blocked or in close combat.
    pub excused: bool,
}

/// How many dice it may roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Dices {
    /// At least.
    pub least: u8,
    /// At most.
    pub most: u8,
}

/// Fewest and most dice: within 2 of last turn's, and in a charge of this turn's move too.
#[must_use]
pub fn may_roll(last_turn: u8, moved: Option<u8>, numbers: &Numbers) -> (u8, u8) {
    decides!(MB_MOV_24);
    let change = numbers.speed_change;
    let slowest = last_turn.max(moved.unwrap_or(0)).saturating_sub(change);
    let fastest = last_turn.min(moved.unwrap_or(u8::MAX)).saturating_add(change);
    // A charge is at least one die.
    (slowest.max(u8::from(moved.is_some())), fastest.min(3))
}

impl Situation for Speed {
    const NAME: &'static str = "speed";
    const ABOUT: &'static str = "How many dice cavalry may roll for a move, or for a charge after it.";
    type Outcome = Dices;

    fn tests(&self) -> Vec<Test> {
        Vec::new()
    }

    fn resolve(&self, _: &mut dyn Dice) -> Result<Dices, NoDice> {
        let (least, most) = may_roll(self.last_turn, self.moved, Numbers::book());
        Ok(Dices { least: if self.excused { 0 } else { least }, most })
    }

    fn outcome_name(outcome: &Dices) -> String {
        format!("{} to {} dice", outcome.least, outcome.most)
    }
}
