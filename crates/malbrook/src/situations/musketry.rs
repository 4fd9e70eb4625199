//! Flanking musketry.

use sabretache_engine::decides;
use sabretache_engine::dice::{Dice, Die, NoDice, Throw};
use sabretache_engine::situation::Situation;
use sabretache_engine::test::Test;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::artillery::dps_in_words;
use crate::clauses::MB_FOO_05;
use crate::numbers::Numbers;

/// What flanking musketry depends on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FlankingMusketry {
    /// The bases within 1 inch that have the target in front.
    #[schemars(range(min = 1, max = 12), extend("clauses" = ["MB-FOO-05"]))]
    pub bases: u8,
}

/// What it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Musketry {
    /// DPs on the brigade that passed.
    pub dps: u8,
}

impl FlankingMusketry {
    /// The throw.
    #[must_use]
    pub fn throw(&self, numbers: &Numbers) -> Throw {
        decides!(MB_FOO_05);
        Throw::count(self.bases.into(), Die::D6, numbers.flanking_hit)
    }
}

impl Situation for FlankingMusketry {
    const NAME: &'static str = "flanking-musketry";
    const ABOUT: &'static str = "What foot do to a brigade that passes across their front.";
    type Outcome = Musketry;

    fn tests(&self) -> Vec<Test> {
        Vec::new()
    }

    fn resolve(&self, dice: &mut dyn Dice) -> Result<Musketry, NoDice> {
        Ok(Musketry { dps: dice.throw(&self.throw(Numbers::book()))?.total() as u8 })
    }

    fn outcome_name(outcome: &Musketry) -> String {
        dps_in_words(outcome.dps)
    }
}
