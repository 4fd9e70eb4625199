//! What friends and generals who give way cost a brigade.

use sabretache_engine::decides;
use sabretache_engine::dice::{Dice, NoDice};
use sabretache_engine::situation::Situation;
use sabretache_engine::test::Test;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::artillery::dps_in_words;
use crate::clauses::{MB_GUN_08, MB_MOR_05, MB_MOR_11, MB_MOR_12, MB_MOR_13, MB_MOR_14, MB_UNI_06, MB_UNI_07};
use crate::numbers::Numbers;
use crate::troops::Grade;

/// Something that befell a friend within 6 inches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Neighbour {
    /// A brigade of this grade routs.
    Routs(Grade),
    /// A brigade of this grade is destroyed.
    Destroyed(Grade),
    /// Foot of this grade retire for the first time.
    FootRetires(Grade),
    /// Cavalry of this grade retire.
    CavalryRetires(Grade),
    /// The Lieutenant General or Marshal over it is killed, captured, or swept away in a rout.
    GeneralLost,
    /// Some other leader is.
    OtherLeaderLost,
    /// A gun is lost.
    GunLost,
}

/// Who watches, and what.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MoraleEvents {
    /// The grade of the brigade that watches; C for guns that have none.
    #[schemars(extend("clauses" = ["MB-MOR-11", "MB-MOR-12", "MB-MOR-13"]))]
    pub grade: Grade,
    /// What it sees within 6 inches.
    #[schemars(extend("clauses" = ["MB-MOR-11", "MB-MOR-12", "MB-MOR-13", "MB-MOR-14"]))]
    pub sees: Vec<Neighbour>,
}

/// What it costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Cost {
    /// DPs.
    pub dps: u8,
}

/// The DPs that one thing costs a brigade of a grade, with the clause.
#[must_use]
pub fn dps_for(
    grade: Grade,
    neighbour: Neighbour,
    numbers: &Numbers,
) -> Option<(u8, sabretache_engine::clause::Clause)> {
    decides!(MB_MOR_11, MB_MOR_13);
    decides!(MB_MOR_14, MB_GUN_08, MB_MOR_05, MB_UNI_06, MB_UNI_07);
    let morale = &numbers.morale;
    match neighbour {
        Neighbour::Routs(other) | Neighbour::Destroyed(other) if other < grade => {
            Some((morale.lower_breaks, MB_MOR_11))
        }
        Neighbour::Routs(_) | Neighbour::Destroyed(_) => Some((morale.equal_breaks, MB_MOR_12)),
        Neighbour::FootRetires(other) if other >= grade => Some((morale.equal_foot_retires, MB_MOR_13)),
        Neighbour::GeneralLost => Some((morale.general_lost, MB_MOR_14)),
        Neighbour::FootRetires(_) | Neighbour::CavalryRetires(_) => None,
        Neighbour::OtherLeaderLost | Neighbour::GunLost => None,
    }
}

impl Situation for MoraleEvents {
    const NAME: &'static str = "morale";
    const ABOUT: &'static str = "What friends and generals who give way within 6 inches cost a brigade.";
    type Outcome = Cost;

    fn tests(&self) -> Vec<Test> {
        let mut test = Test::of(0);
        for neighbour in &self.sees {
            if let Some((dps, clause)) = dps_for(self.grade, *neighbour, Numbers::book()) {
                test.up(dps.into(), clause).always();
            }
        }
        vec![test]
    }

    fn resolve(&self, _: &mut dyn Dice) -> Result<Cost, NoDice> {
        let sees = self.sees.iter().filter_map(|one| dps_for(self.grade, *one, Numbers::book()));
        Ok(Cost { dps: sees.map(|(dps, _)| dps).sum() })
    }

    fn outcome_name(outcome: &Cost) -> String {
        dps_in_words(outcome.dps)
    }
}
