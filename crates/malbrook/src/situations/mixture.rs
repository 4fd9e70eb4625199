//! Brigades of several kinds or grades, and merged ones.

use sabretache_engine::decides;
use sabretache_engine::dice::{Dice, NoDice};
use sabretache_engine::scenario::{Diagnostics, Path};
use sabretache_engine::situation::Situation;
use sabretache_engine::test::Test;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::artillery::dps_in_words;
use crate::clauses::{MB_FOO_07, MB_MOV_31, MB_UNI_05};
use crate::numbers::Numbers;
use crate::troops::{Grade, grade_of_mixture};
use crate::words::counted;

/// A brigade that goes into another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Component {
    /// Its bases.
    #[schemars(range(min = 1, max = 12))]
    pub bases: u8,
    /// Their grade.
    pub grade: Grade,
    /// Its DPs.
    #[serde(default)]
    #[schemars(range(max = 12))]
    pub dps: u8,
}

/// What is put together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Mixture {
    /// The parts.
    #[schemars(length(min = 1, max = 12), extend("clauses" = ["MB-UNI-08", "MB-MOV-31"]))]
    pub parts: Vec<Component>,
}

/// What comes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Merged {
    /// Bases.
    pub bases: u8,
    /// The grade.
    pub grade: Grade,
    /// DPs: those of the part that has most.
    pub dps: u8,
}

impl Situation for Mixture {
    const NAME: &'static str = "merge";
    const ABOUT: &'static str = "The brigade that several parts make together.";
    type Outcome = Merged;

    fn tests(&self) -> Vec<Test> {
        Vec::new()
    }

    fn resolve(&self, _: &mut dyn Dice) -> Result<Merged, NoDice> {
        decides!(MB_MOV_31, MB_FOO_07);
        Ok(Merged {
            bases: self.parts.iter().map(|part| part.bases).sum(),
            grade: grade_of_mixture(self.parts.iter().map(|part| (part.grade, part.bases))).unwrap_or(Grade::C),
            dps: self.parts.iter().map(|part| part.dps).max().unwrap_or(0),
        })
    }

    fn outcome_name(outcome: &Merged) -> String {
        let bases = counted(outcome.bases.into(), "base", "bases");
        format!("{bases} of grade {:?}, {}", outcome.grade, dps_in_words(outcome.dps))
    }

    fn check(&self, report: &mut Diagnostics) {
        let most = u32::from(Numbers::book().sizes.most);
        if self.parts.iter().map(|part| u32::from(part.bases)).sum::<u32>() > most {
            report.against(MB_UNI_05, Path::root().key("parts"), "a brigade has 12 bases at the most", "merge fewer");
        }
    }
}
