//! The free hack at those who are caught.

use sabretache_engine::decides;
use sabretache_engine::dice::{Dice, Die, NoDice, Throw};
use sabretache_engine::situation::Situation;
use sabretache_engine::test::Test;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::clauses::{MB_RES_26, MB_RES_31};
use crate::numbers::Numbers;

/// What a free hack depends on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FreeHack {
    /// The pursuing bases in contact.
    #[schemars(range(min = 1, max = 12), extend("clauses" = ["MB-RES-26"]))]
    pub bases: u8,
}

/// What it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Hacked {
    /// Bases lost by those caught.
    pub casualties: u8,
}

impl FreeHack {
    /// The throw.
    #[must_use]
    pub fn throw(&self, numbers: &Numbers) -> Throw {
        decides!(MB_RES_26, MB_RES_31);
        Throw::count(self.bases.into(), Die::D6, numbers.free_hack)
    }
}

impl Situation for FreeHack {
    const NAME: &'static str = "free-hack";
    const ABOUT: &'static str = "What pursuers do to routing or retiring brigades they catch.";
    type Outcome = Hacked;

    fn tests(&self) -> Vec<Test> {
        Vec::new()
    }

    fn resolve(&self, dice: &mut dyn Dice) -> Result<Hacked, NoDice> {
        Ok(Hacked { casualties: dice.throw(&self.throw(Numbers::book()))?.total() as u8 })
    }

    fn outcome_name(outcome: &Hacked) -> String {
        match outcome.casualties {
            1 => "1 casualty".into(),
            casualties => format!("{casualties} casualties"),
        }
    }
}
