//! Disorder points and casualties, with their limits.

use crate::clauses::{
    MB_GUN_08, MB_MOR_01, MB_MOR_02, MB_MOR_03, MB_MOR_04, MB_MOR_05, MB_MOR_17, MB_MOR_18, MB_MOV_27, MB_RES_08,
};
use sabretache_engine::decides;
use sabretache_engine::dice::{Dice, NoDice};
use sabretache_engine::situation::Situation;
use sabretache_engine::test::Test;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::artillery::dps_in_words;
use crate::numbers::Numbers;
use crate::words::counted;

/// Where DPs come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// Movement and manoeuvre.
    Move,
    /// Guns and flanking musketry.
    Fire,
    /// Close combat.
    Combat,
    /// Neighbours and generals.
    Morale,
}

/// What a brigade has before it suffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// Bases left.
    pub bases: u8,
    /// DPs.
    pub dps: u8,
    /// A gun or wagon.
    pub model: bool,
}

/// What it suffers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suffered {
    /// DPs added.
    pub dps: u8,
    /// Bases lost.
    pub casualties: u8,
    /// How many of them were DPs beyond its limit.
    pub converted: u8,
}

/// DPs first, one at a time, those over the limit as casualties; then the casualties themselves (MB-MOR-02, 03, 17, 18).
#[must_use]
pub fn suffer(standing: Standing, dps: u8, casualties: u8, cause: Cause, numbers: &Numbers) -> Suffered {
    decides!(MB_MOR_01, MB_MOR_02, MB_MOR_03, MB_MOR_17, MB_MOR_18, MB_MOV_27);
    let mut suffered = Suffered::default();
    for _ in 0..dps {
        let bases = standing.bases.saturating_sub(suffered.casualties);
        if bases == 0 {
            break;
        }
        let held = standing.dps + suffered.dps;
        if cause == Cause::Move {
            suffered.dps += u8::from(held < numbers.move_limit);
            continue;
        }
        decides!(MB_GUN_08);
        let limit = if standing.model { numbers.gun_limit } else { bases.min(numbers.disorder.most) };
        if held < limit {
            suffered.dps += 1;
        } else {
            suffered.casualties += 1;
        }
    }
    decides!(MB_GUN_08);
    suffered.converted = suffered.casualties;
    suffered.casualties = (suffered.casualties + casualties).min(standing.bases);
    suffered
}

/// What a brigade has and what befalls it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Losses {
    /// Bases left.
    #[schemars(range(min = 1, max = 12), extend("clauses" = ["MB-MOR-02"]))]
    pub bases: u8,
    /// DPs it has.
    #[serde(default)]
    #[schemars(range(max = 12))]
    pub dps: u8,
    /// It is a gun or wagon.
    #[serde(default)]
    #[schemars(extend("clauses" = ["MB-MOR-18"]))]
    pub model: bool,
    /// DPs that befall it.
    #[serde(default)]
    #[schemars(range(max = 12))]
    pub takes: u8,
    /// Casualties that befall it.
    #[serde(default)]
    #[schemars(range(max = 12))]
    pub casualties: u8,
    /// From what.
    #[schemars(extend("clauses" = ["MB-MOR-01", "MB-MOR-03"]))]
    pub cause: Cause,
}

/// What it has afterwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct After {
    /// Bases left.
    pub bases: u8,
    /// DPs.
    pub dps: u8,
    /// None are left.
    pub destroyed: bool,
}

impl Situation for Losses {
    const NAME: &'static str = "losses";
    const ABOUT: &'static str = "What DPs and casualties leave of a brigade.";
    type Outcome = After;

    fn tests(&self) -> Vec<Test> {
        Vec::new()
    }

    fn resolve(&self, _: &mut dyn Dice) -> Result<After, NoDice> {
        let standing = Standing { bases: self.bases, dps: self.dps, model: self.model };
        let suffered = suffer(standing, self.takes, self.casualties, self.cause, Numbers::book());
        decides!(MB_MOR_04, MB_MOR_05, MB_RES_08);
        let bases = self.bases.saturating_sub(suffered.casualties);
        Ok(After { bases, dps: self.dps + suffered.dps, destroyed: bases == 0 })
    }

    fn outcome_name(outcome: &After) -> String {
        format!("{}, {}", counted(outcome.bases.into(), "base", "bases"), dps_in_words(outcome.dps))
    }
}
