//! Who goes first, where neither the scenario nor an attacker settles it.

use crate::clauses::{HZ_GEN_05, HZ_SEQ_01};
use sabretache_engine::decides;
use sabretache_engine::dice::{Dice, NoDice};
use sabretache_engine::situation::Situation;
use sabretache_engine::test::Test;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::two_dice;
use crate::numbers::Numbers;

/// One of two players, in the order in which they roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Player {
    /// The first.
    First,
    /// The second.
    Second,
}

/// The roll for who goes first; it depends on nothing but the dice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct FirstPlayerSituation {}

impl FirstPlayerSituation {
    /// What follows from the two rolls.
    #[must_use]
    pub fn read(&self, numbers: &Numbers, totals: [i32; 2]) -> FirstPlayerOutcome {
        let huzzah = totals.map(|total| numbers.is_huzzah(total));
        decides!(HZ_SEQ_01, HZ_GEN_05);
        let (first, chooses) = match huzzah {
            [true, false] => (None, Some(Player::First)),
            [false, true] => (None, Some(Player::Second)),
            _ if totals[0] > totals[1] => (Some(Player::First), None),
            _ if totals[0] < totals[1] => (Some(Player::Second), None),
            _ => (None, None),
        };
        FirstPlayerOutcome { first, chooses, again: first.is_none() && chooses.is_none() }
    }
}

/// Who goes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct FirstPlayerOutcome {
    /// The player who goes first.
    pub first: Option<Player>,
    /// The player who rolled a Huzzah! and chooses.
    pub chooses: Option<Player>,
    /// Neither: both roll again.
    pub again: bool,
}

impl Situation for FirstPlayerSituation {
    const NAME: &'static str = "first_player";
    const ABOUT: &'static str = "Which of two players goes first.";
    type Outcome = FirstPlayerOutcome;

    fn tests(&self) -> Vec<Test> {
        Vec::new()
    }

    fn resolve(&self, dice: &mut dyn Dice) -> Result<FirstPlayerOutcome, NoDice> {
        let totals = [dice.throw(&two_dice())?.total(), dice.throw(&two_dice())?.total()];
        Ok(self.read(Numbers::book(), totals))
    }

    fn outcome_name(outcome: &FirstPlayerOutcome) -> String {
        let name = match (outcome.first, outcome.chooses) {
            (Some(Player::First), _) => "the first player goes first",
            (Some(Player::Second), _) => "the second player goes first",
            (None, Some(Player::First)) => "the first player chooses",
            (None, Some(Player::Second)) => "the second player chooses",
            (None, None) => "both roll again",
        };
        name.to_owned()
    }
}
