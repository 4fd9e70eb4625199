//! Unit quality, rolled from grade and class before the battle.

use crate::clauses::{HZ_GEN_05, HZ_QUA_08, HZ_VAR_01, HZ_VAR_02};
use sabretache_engine::decides;
use sabretache_engine::dice::{Dice, NoDice};
use sabretache_engine::situation::Situation;
use sabretache_engine::test::Test;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::two_dice;
use crate::numbers::{Numbers, QualityRow};
use crate::troops::{Class, Grade, Quality};

/// What the quality roll of a unit depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct MusterSituation {
    /// The unit's grade.
    #[schemars(extend("clauses" = ["HZ-QUA-07", "HZ-QUA-08"]))]
    pub grade: Grade,
    /// The unit's class.
    #[schemars(extend("clauses" = ["HZ-QUA-07", "HZ-QUA-08"]))]
    pub class: Class,
    /// The option of the earlier playsheet: high totals give better troops.
    #[schemars(extend("clauses" = ["HZ-VAR-01"]))]
    pub high_is_good: bool,
    /// The option of the earlier playsheet's chances for Militia A.
    #[schemars(extend("clauses" = ["HZ-VAR-02"]))]
    pub earlier_militia_a: bool,
}

impl Default for MusterSituation {
    fn default() -> Self {
        Self { grade: Grade::Regulars, class: Class::B, high_is_good: false, earlier_militia_a: false }
    }
}

impl MusterSituation {
    /// The row of the table that is rolled on.
    #[must_use]
    pub fn row<'a>(&self, numbers: &'a Numbers) -> &'a QualityRow {
        decides!(HZ_VAR_02);
        let earlier = self.earlier_militia_a && (self.grade, self.class) == (Grade::Militia, Class::A);
        decides!(HZ_VAR_01);
        match (self.high_is_good, earlier) {
            (false, false) => {
                decides!(HZ_QUA_08);
                numbers.quality.row(self.grade, self.class)
            }
            (true, false) => numbers.quality_high.row(self.grade, self.class),
            (false, true) => &numbers.earlier_militia_a.low_is_good,
            (true, true) => &numbers.earlier_militia_a.high_is_good,
        }
    }

    /// What a total gives; 11 and 12 are totals like any other here.
    #[must_use]
    pub fn read(&self, numbers: &Numbers, total: i32) -> MusterOutcome {
        decides!(HZ_GEN_05);
        MusterOutcome { quality: self.row(numbers).read(total) }
    }
}

/// The quality of a unit for this battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct MusterOutcome {
    /// Its quality.
    pub quality: Quality,
}

impl Situation for MusterSituation {
    const NAME: &'static str = "muster";
    const ABOUT: &'static str = "What quality a unit of a grade and class turns out to have.";
    type Outcome = MusterOutcome;

    fn tests(&self) -> Vec<Test> {
        Vec::new()
    }

    fn resolve(&self, dice: &mut dyn Dice) -> Result<MusterOutcome, NoDice> {
        Ok(self.read(Numbers::book(), dice.throw(&two_dice())?.total()))
    }

    fn outcome_name(outcome: &MusterOutcome) -> String {
        outcome.quality.to_string()
    }
}
