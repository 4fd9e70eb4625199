//! Skirmisher superiority: the little war between the lines.

use sabretache_engine::decides;
use sabretache_engine::dice::{Dice, NoDice};
use sabretache_engine::situation::Situation;
use sabretache_engine::test::Test;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::first_player::Player;
use super::two_dice;
use crate::clauses::*;
use crate::numbers::{AbilityTable, Numbers};
use crate::troops::Ability;

/// One army in the skirmisher battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SkirmishArmy {
    /// Its skirmish rating at the start of the battle.
    #[schemars(extend("clauses" = ["HZ-SKI-01"]))]
    pub rating: Ability,
    /// By how much the enemy's Huzzah! results have lowered the rating since.
    #[schemars(extend("clauses" = ["HZ-SKI-11"]))]
    pub lowered: u8,
    /// Its own roll failed last turn.
    #[schemars(extend("clauses" = ["HZ-SKI-04"]))]
    pub failed_last: bool,
    /// It won last turn.
    #[schemars(extend("clauses" = ["HZ-SKI-05"]))]
    pub won_last: bool,
    /// Battalions it has committed to the skirmish line since the battle began.
    #[schemars(extend("clauses" = ["HZ-SKI-06", "HZ-SKI-07"]))]
    pub committed: u8,
}

impl Default for SkirmishArmy {
    fn default() -> Self {
        Self { rating: Ability::Average, lowered: 0, failed_last: false, won_last: false, committed: 0 }
    }
}

impl SkirmishArmy {
    /// Whether its skirmish line is reinforced: at least twice as many battalions as the enemy's (HZ-SKI-06).
    #[must_use]
    pub const fn is_reinforced(&self, enemy_committed: u8) -> bool {
        self.committed > 0 && self.committed as u16 >= 2 * enemy_committed as u16
    }

    /// The modified rating.
    #[must_use]
    pub fn test(&self, enemy_committed: u8, numbers: &Numbers) -> Test {
        decides!(HZ_SKI_01);
        let by = &numbers.skirmish;
        decides!(HZ_GEN_06);
        let mut test = Test::of(numbers.skirmish_rating.of(self.rating) - i32::from(self.lowered));
        test.down(by.failed_last, HZ_SKI_04).when(self.failed_last);
        test.up(by.won_last, HZ_SKI_05).when(self.won_last);
        test.up(by.reinforced, HZ_SKI_06).when(self.is_reinforced(enemy_committed));
        test
    }
}

/// What the roll for skirmisher superiority depends on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SkirmishSituation {
    /// The army of the first player, who rolls first.
    #[schemars(extend("clauses" = ["HZ-SKI-03"]))]
    pub first: SkirmishArmy,
    /// The army of the second player.
    #[schemars(extend("clauses" = ["HZ-SKI-03"]))]
    pub second: SkirmishArmy,
}

impl SkirmishSituation {
    /// The modified ratings of both armies, the first player's first.
    #[must_use]
    pub fn both(&self, numbers: &Numbers) -> [Test; 2] {
        decides!(HZ_SKI_03);
        [self.first.test(self.second.committed, numbers), self.second.test(self.first.committed, numbers)]
    }

    /// What follows from the two rolls, the first player's first.
    #[must_use]
    pub fn read(&self, numbers: &Numbers, totals: [i32; 2]) -> SkirmishOutcome {
        decides!(HZ_SKI_08, HZ_SKI_11);
        let tests = self.both(numbers);
        let result = |n: usize| SkirmishResult {
            margin: numbers.margin(totals[n], tests[n].target()),
            failed: !numbers.succeeds(totals[n], tests[n].target()),
            huzzah: numbers.is_huzzah(totals[n]),
            lowered: if numbers.is_huzzah(totals[1 - n]) { numbers.skirmish_huzzah } else { 0 },
        };
        let (first, second) = (result(0), result(1));
        // A success by any margin beats a failure, which has none.
        let winner = match first.margin.cmp(&second.margin) {
            std::cmp::Ordering::Greater => Some(Player::First),
            std::cmp::Ordering::Less => Some(Player::Second),
            std::cmp::Ordering::Equal => None,
        };
        SkirmishOutcome { winner, first, second }
    }
}

/// How one army fared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct SkirmishResult {
    /// By how much its roll succeeded.
    pub margin: Option<i32>,
    /// Its roll failed.
    pub failed: bool,
    /// Its roll was a Huzzah!.
    pub huzzah: bool,
    /// By how much the enemy's Huzzah! lowers its rating from next turn on.
    pub lowered: u8,
}

/// Who has skirmisher superiority.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct SkirmishOutcome {
    /// The winner of the turn, if there is one.
    pub winner: Option<Player>,
    /// The first player's army.
    pub first: SkirmishResult,
    /// The second player's army.
    pub second: SkirmishResult,
}

impl Situation for SkirmishSituation {
    const NAME: &'static str = "skirmish";
    const ABOUT: &'static str = "Which army's skirmishers have the upper hand this turn.";
    type Outcome = SkirmishOutcome;

    fn tests(&self) -> Vec<Test> {
        self.both(Numbers::book()).into()
    }

    fn resolve(&self, dice: &mut dyn Dice) -> Result<SkirmishOutcome, NoDice> {
        let totals = [dice.throw(&two_dice())?.total(), dice.throw(&two_dice())?.total()];
        Ok(self.read(Numbers::book(), totals))
    }

    fn outcome_name(outcome: &SkirmishOutcome) -> String {
        match outcome.winner {
            Some(Player::First) => "the first player wins".to_owned(),
            Some(Player::Second) => "the second player wins".to_owned(),
            None => "nobody wins".to_owned(),
        }
    }
}

/// The roll for an army's skirmish rating on its nation's table, before the battle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SkirmishRatingSituation {
    /// The nation's table.
    #[schemars(extend("clauses" = ["HZ-SKI-01", "HZ-GEN-09"]))]
    pub table: AbilityTable,
}

impl SkirmishRatingSituation {
    /// What a total gives; 11 and 12 are totals like any other here.
    #[must_use]
    pub fn read(&self, numbers: &Numbers, total: i32) -> SkirmishRatingOutcome {
        decides!(HZ_SKI_01, HZ_GEN_09);
        let ability = self.table.read(total);
        SkirmishRatingOutcome { ability, rating: numbers.skirmish_rating.of(ability) }
    }
}

/// An army's skirmish rating.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct SkirmishRatingOutcome {
    /// In a word.
    pub ability: Ability,
    /// As a number.
    pub rating: i32,
}

impl Situation for SkirmishRatingSituation {
    const NAME: &'static str = "skirmish_rating";
    const ABOUT: &'static str = "What skirmish rating an army has, where its nation rolls for it.";
    type Outcome = SkirmishRatingOutcome;

    fn tests(&self) -> Vec<Test> {
        Vec::new()
    }

    fn resolve(&self, dice: &mut dyn Dice) -> Result<SkirmishRatingOutcome, NoDice> {
        Ok(self.read(Numbers::book(), dice.throw(&two_dice())?.total()))
    }

    fn outcome_name(outcome: &SkirmishRatingOutcome) -> String {
        outcome.ability.to_string()
    }
}

/// The rating of an army of several contingents: that of the contingent with most infantry, of equals the better one
/// (HZ-SKI-02).
#[must_use]
pub fn contingents_rating(contingents: impl IntoIterator<Item = (Ability, u16)>) -> Option<Ability> {
    let largest = |&(ability, infantry): &(Ability, u16)| (infantry, std::cmp::Reverse(ability));
    contingents.into_iter().max_by_key(largest).map(|(ability, _)| ability)
}
