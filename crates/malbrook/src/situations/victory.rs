//! When an army is broken, and who leads at the end.

use crate::clauses::{MB_VIC_03, MB_VIC_04};
use sabretache_engine::decides;
use sabretache_engine::dice::{Dice, NoDice};
use sabretache_engine::situation::Situation;
use sabretache_engine::test::Test;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::numbers::Numbers;

/// What breaks an army (MB-VIC-03).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ArmyBreak {
    /// Bases of foot and cavalry at the start.
    #[schemars(extend("clauses" = ["MB-VIC-03"]))]
    pub started: u32,
    /// Bases lost.
    pub lost: u32,
    /// Bases of brigades that rout.
    pub routing: u32,
}

/// Whether it is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Broken {
    /// Lost and routing bases that break it.
    pub needs: u32,
    /// It is.
    pub broken: bool,
}

impl ArmyBreak {
    /// Whether the army is broken, at a share in hundredths.
    #[must_use]
    pub fn read(self, share: u8) -> Broken {
        decides!(MB_VIC_03);
        let needs = (self.started * u32::from(share)).div_ceil(100).max(1);
        Broken { needs, broken: self.started > 0 && self.lost + self.routing >= needs }
    }
}

impl Situation for ArmyBreak {
    const NAME: &'static str = "army-break";
    const ABOUT: &'static str = "Whether an army gives up.";
    type Outcome = Broken;

    fn tests(&self) -> Vec<Test> {
        Vec::new()
    }

    fn resolve(&self, _: &mut dyn Dice) -> Result<Broken, NoDice> {
        Ok(self.read(Numbers::book().army_break.share))
    }

    fn outcome_name(outcome: &Broken) -> String {
        if outcome.broken { "broken" } else { "fights on" }.into()
    }
}

/// What one side has to show at the turn limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Tally {
    /// Points of objectives held.
    pub objectives: i32,
    /// Enemy bases lost.
    pub enemy_bases: i32,
    /// Enemy guns captured or destroyed.
    pub enemy_guns: i32,
    /// Enemy Major Generals killed or captured.
    pub major_generals: i32,
    /// Enemy Lieutenant Generals.
    pub lieutenant_generals: i32,
    /// Enemy Marshals.
    pub marshals: i32,
    /// The side's own starting bases.
    pub started: i32,
}

/// Points at the turn limit (MB-VIC-04).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Score {
    /// The one side.
    #[schemars(extend("clauses" = ["MB-VIC-04"]))]
    pub ours: Tally,
    /// The other.
    #[schemars(extend("clauses" = ["MB-VIC-04"]))]
    pub theirs: Tally,
}

/// Who wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Judged {
    /// Our points.
    pub ours: i32,
    /// Theirs.
    pub theirs: i32,
    /// Who wins.
    pub winner: &'static str,
}

impl Tally {
    /// The points.
    #[must_use]
    pub fn points(&self, numbers: &Numbers) -> i32 {
        let points = &numbers.points;
        self.objectives
            + self.enemy_bases * points.base
            + self.enemy_guns * points.gun
            + self.major_generals * points.major_general
            + self.lieutenant_generals * points.lieutenant_general
            + self.marshals * points.marshal
    }
}

impl Score {
    /// Who wins, and the points of both.
    #[must_use]
    pub fn read(&self, numbers: &Numbers) -> Judged {
        decides!(MB_VIC_04);
        let (ours, theirs) = (self.ours.points(numbers), self.theirs.points(numbers));
        let wins = |lead: i32, loser: &Tally| lead > 0 && lead * 100 >= i32::from(numbers.points.lead) * loser.started;
        let winner = if wins(ours - theirs, &self.theirs) {
            "ours"
        } else if wins(theirs - ours, &self.ours) {
            "theirs"
        } else {
            "draw"
        };
        Judged { ours, theirs, winner }
    }
}

impl Situation for Score {
    const NAME: &'static str = "score";
    const ABOUT: &'static str = "Who wins when the turns are over.";
    type Outcome = Judged;

    fn tests(&self) -> Vec<Test> {
        Vec::new()
    }

    fn resolve(&self, _: &mut dyn Dice) -> Result<Judged, NoDice> {
        Ok(self.read(Numbers::book()))
    }

    fn outcome_name(outcome: &Judged) -> String {
        format!("{} to {}: {}", outcome.ours, outcome.theirs, outcome.winner)
    }
}
