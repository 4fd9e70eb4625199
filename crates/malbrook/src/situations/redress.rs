//! Re-dressing ranks.

use crate::clauses::{MB_MOR_06, MB_MOR_07, MB_MOR_08, MB_MOR_09, MB_UNI_06};
use sabretache_engine::decides;
use sabretache_engine::dice::{Dice, NoDice};
use sabretache_engine::situation::Situation;
use sabretache_engine::test::Test;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::artillery::dps_in_words;
use crate::numbers::Numbers;
use crate::troops::Grade;

/// What re-dressing depends on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Redress {
    /// The grade; C for guns that have none.
    #[schemars(extend("clauses" = ["MB-MOR-07", "MB-MOR-08", "MB-MOR-09"]))]
    pub grade: Grade,
    /// DPs it has.
    #[schemars(range(max = 12))]
    pub dps: u8,
    /// It moved at any time this turn.
    #[serde(default)]
    #[schemars(extend("clauses" = ["MB-MOR-06"]))]
    pub moved: bool,
    /// It was in combat this turn.
    #[serde(default)]
    #[schemars(extend("clauses" = ["MB-MOR-06"]))]
    pub fought: bool,
    /// It routs, pursues or loots.
    #[serde(default)]
    #[schemars(extend("clauses" = ["MB-MOR-06"]))]
    pub running: bool,
    /// It is under fire.
    #[serde(default)]
    #[schemars(extend("clauses" = ["MB-GEN-15"]))]
    pub under_fire: bool,
    /// Enemy are within 6 inches.
    #[serde(default)]
    #[schemars(extend("clauses" = ["MB-MOR-09"]))]
    pub enemy_near: bool,
}

/// What it removes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Redressed {
    /// DPs removed.
    pub removed: u8,
    /// DPs left.
    pub left: u8,
}

impl Redress {
    /// How many DPs are removed.
    #[must_use]
    pub fn removed(&self, numbers: &Numbers) -> u8 {
        decides!(MB_MOR_06, MB_MOR_07, MB_MOR_08, MB_MOR_09);
        if self.moved || self.fought || self.running {
            return 0;
        }
        decides!(MB_UNI_06);
        let removed = match self.grade {
            Grade::A | Grade::B => {
                numbers.redress_elite.always + if self.under_fire { 0 } else { numbers.redress_elite.quiet }
            }
            _ if self.under_fire => 0,
            Grade::C | Grade::D => numbers.redress_line,
            Grade::E if self.enemy_near => 0,
            Grade::E => numbers.redress_militia,
        };
        removed.min(self.dps)
    }
}

impl Situation for Redress {
    const NAME: &'static str = "redress";
    const ABOUT: &'static str = "How many DPs a brigade removes by re-dressing its ranks.";
    type Outcome = Redressed;

    fn tests(&self) -> Vec<Test> {
        Vec::new()
    }

    fn resolve(&self, _: &mut dyn Dice) -> Result<Redressed, NoDice> {
        let removed = self.removed(Numbers::book());
        Ok(Redressed { removed, left: self.dps - removed })
    }

    fn outcome_name(outcome: &Redressed) -> String {
        format!("{} removed", dps_in_words(outcome.removed))
    }
}
