//! Indirect fire: where a shell falls.

use sabretache_engine::decides;
use sabretache_engine::dice::{Dice, Die, NoDice, Throw};
use sabretache_engine::scenario::{Diagnostics, Path};
use sabretache_engine::situation::Situation;
use sabretache_engine::test::Test;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::clauses::{MB_ART_19, MB_ART_20};
use crate::numbers::Numbers;

/// What an indirect shot depends on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scatter {
    /// How far it is to the target, in inches.
    #[schemars(range(min = 0), extend("clauses" = ["MB-ART-19"]))]
    pub range: f64,
}

/// Where the shell falls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Landing {
    /// On the target.
    pub on_target: bool,
    /// Which way off, in degrees clockwise from the line of fire: 0 over, 180 short.
    pub direction: u16,
    /// How far off, in half inches.
    pub half_inches: u8,
}

impl Scatter {
    /// Whether a distance can be shot over.
    #[must_use]
    pub fn in_range(range: f64, numbers: &Numbers) -> bool {
        range > numbers.ranges.close.number() + 0.01 && range <= numbers.ranges.heavy.number() + 0.01
    }

    /// Throws the scatter dice through whatever throws them.
    pub fn land<E>(numbers: &Numbers, mut throw: impl FnMut(&'static str) -> Result<i32, E>) -> Result<Landing, E> {
        decides!(MB_ART_20);
        if throw("scatter")? >= i32::from(numbers.scatter.on_target) {
            return Ok(Landing { on_target: true, direction: 0, half_inches: 0 });
        }
        let sector = throw("direction of scatter")?;
        let half_inches = throw("distance of scatter")?;
        Ok(Landing { on_target: false, direction: 60 * (sector - 1) as u16, half_inches: half_inches as u8 })
    }
}

impl Situation for Scatter {
    const NAME: &'static str = "scatter";
    const ABOUT: &'static str = "Where the shell of a howitzer or mortar falls.";
    type Outcome = Landing;

    fn tests(&self) -> Vec<Test> {
        Vec::new()
    }

    fn resolve(&self, dice: &mut dyn Dice) -> Result<Landing, NoDice> {
        Self::land(Numbers::book(), |_| Ok(dice.throw(&Throw::one(Die::D6))?.total()))
    }

    fn outcome_name(outcome: &Landing) -> String {
        if outcome.on_target { "on target".into() } else { format!("{} half inches off", outcome.half_inches) }
    }

    fn check(&self, report: &mut Diagnostics) {
        decides!(MB_ART_19);
        if !Self::in_range(self.range, Numbers::book()) {
            let message = "an indirect target is more than 2 and no more than 36 inches off";
            report.against(MB_ART_19, Path::root().key("range"), message, "choose another target");
        }
    }
}
