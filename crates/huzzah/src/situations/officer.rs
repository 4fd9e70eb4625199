//! Officer quality, rolled before the battle or when an officer is appointed.

use crate::clauses::{HZ_APP_05, HZ_CMD_04, HZ_GEN_09};
use sabretache_engine::decides;
use sabretache_engine::dice::{Dice, NoDice};
use sabretache_engine::situation::Situation;
use sabretache_engine::test::Test;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::two_dice;
use crate::numbers::{AbilityTable, Numbers};
use crate::troops::Ability;

/// What the quality roll of an officer depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct OfficerSituation {
    /// The nation's table, if the scenario gives one.
    #[schemars(extend("clauses" = ["HZ-APP-05", "HZ-GEN-09"]))]
    pub table: Option<AbilityTable>,
    /// Added to the total of the dice, which stays within 2 and 12.
    #[schemars(extend("clauses" = ["HZ-APP-05"]))]
    pub modifier: i8,
    /// The best officers the nation can have.
    #[schemars(extend("clauses" = ["HZ-APP-05", "HZ-CMD-04"]))]
    pub best: Ability,
    /// He is the commander in chief, rolled before the battle.
    #[schemars(extend("clauses" = ["HZ-CMD-04"]))]
    pub cinc: bool,
}

impl Default for OfficerSituation {
    fn default() -> Self {
        Self { table: None, modifier: 0, best: Ability::Excellent, cinc: false }
    }
}

impl OfficerSituation {
    /// What a total gives.
    #[must_use]
    pub fn read(&self, numbers: &Numbers, total: i32) -> OfficerOutcome {
        let total = (total + i32::from(self.modifier)).clamp(2, 12);
        decides!(HZ_APP_05, HZ_GEN_09);
        let rolled = self.table.unwrap_or(numbers.officer_table).read(total);
        decides!(HZ_CMD_04);
        let steps = if self.cinc { usize::from(numbers.cinc_steps) } else { 0 };
        let raised = Ability::ALL[rolled.index().saturating_sub(steps)];
        // The words run from the best down, so that the later of two is the lesser.
        let ability = raised.max(self.best);
        OfficerOutcome { ability, rating: numbers.command_rating.of(ability) }
    }
}

/// How good an officer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct OfficerOutcome {
    /// His quality.
    pub ability: Ability,
    /// His command rating.
    pub rating: i32,
}

impl Situation for OfficerSituation {
    const NAME: &'static str = "officer";
    const ABOUT: &'static str = "How good an officer turns out to be.";
    type Outcome = OfficerOutcome;

    fn tests(&self) -> Vec<Test> {
        Vec::new()
    }

    fn resolve(&self, dice: &mut dyn Dice) -> Result<OfficerOutcome, NoDice> {
        Ok(self.read(Numbers::book(), dice.throw(&two_dice())?.total()))
    }

    fn outcome_name(outcome: &OfficerOutcome) -> String {
        outcome.ability.to_string()
    }
}
