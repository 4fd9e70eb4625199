//! How far a brigade moves, and how its order suffers by it.

use sabretache_engine::decides;
use sabretache_engine::dice::{Dice, NoDice};
use sabretache_engine::scenario::{Diagnostics, Path};
use sabretache_engine::situation::Situation;
use sabretache_engine::test::Test;
use sabretache_table::Length;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::artillery::dps_in_words;
use super::dice::MoveDice;
use super::losses::{Cause, Standing, suffer};
use crate::clauses::{
    MB_GEN_04, MB_LEA_10, MB_MAN_01, MB_MAN_11, MB_MOV_01, MB_MOV_02, MB_MOV_12, MB_MOV_13, MB_MOV_17, MB_MOV_19,
    MB_MOV_22, MB_MOV_25, MB_MOV_26, MB_TER_01, MB_TER_03,
};
use crate::numbers::Numbers;
use crate::troops::{Formation, Kind};
use crate::words::inches;

/// What kind of move it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Pace {
    /// A normal move or a charge.
    #[default]
    Normal,
    /// The first move of a rout, retirement or evade.
    FirstFast,
    /// A later one, or a pursuit.
    Fast,
}

/// What a diced move depends on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MoveSituation {
    /// Who moves.
    pub kind: Kind,
    /// In which formation.
    #[serde(default)]
    #[schemars(extend("clauses" = ["MB-MOV-25", "MB-MOV-26"]))]
    pub formation: Formation,
    /// The dice named.
    #[schemars(extend("clauses" = ["MB-MOV-01", "MB-MOV-02", "MB-MOV-16", "MB-MOV-19"]))]
    pub dice: MoveDice,
    /// Some of the way is rough.
    #[serde(default)]
    #[schemars(extend("clauses" = ["MB-MOV-26"]))]
    pub rough: bool,
    /// Its leader inspires it.
    #[serde(default)]
    #[schemars(extend("clauses" = ["MB-MOV-12"]))]
    pub inspired: bool,
    /// A double move.
    #[serde(default)]
    #[schemars(extend("clauses" = ["MB-MOV-13"]))]
    pub double: bool,
    /// Half a move: a manoeuvre took the other half.
    #[serde(default)]
    #[schemars(extend("clauses" = ["MB-MAN-01"]))]
    pub half: bool,
    /// What kind of move.
    #[serde(default)]
    #[schemars(extend("clauses" = ["MB-MOV-22"]))]
    pub pace: Pace,
    /// The DPs it has.
    #[serde(default)]
    #[schemars(range(max = 12), extend("clauses" = ["MB-MOV-27"]))]
    pub dps: u8,
}

/// The faces of a move roll: first the average dice, then the ordinary one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MoveRoll {
    /// The dice named.
    pub dice: MoveDice,
    /// Their faces; 0 for dice not thrown.
    pub faces: [u8; 3],
}

/// How far, and at what cost.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Moved {
    /// How far, in inches.
    pub inches: f64,
    /// DPs taken.
    pub dps: u8,
}

impl MoveRoll {
    /// Throws through whatever throws the dice.
    pub fn take<E>(
        dice: MoveDice,
        mut throw: impl FnMut(sabretache_engine::dice::Throw) -> Result<i32, E>,
    ) -> Result<Self, E> {
        let mut faces = [0; 3];
        for (n, one) in dice.throws().enumerate() {
            faces[n.min(2)] = throw(one)? as u8;
        }
        Ok(Self { dice, faces })
    }

    /// The pips of all dice.
    #[must_use]
    pub fn total(&self) -> i32 {
        self.faces.iter().map(|face| i32::from(*face)).sum()
    }

    /// How far that is (MB-MOV-12, 13, 22): half an inch a pip, more for each die of the inspired and the first fast move.
    #[must_use]
    pub fn distance(&self, pace: Pace, inspired: bool, double: bool, numbers: &Numbers) -> Length {
        decides!(MB_GEN_04, MB_LEA_10, MB_MOV_12, MB_MOV_13, MB_MOV_22);
        let count = i32::from(self.dice.count());
        let mut distance = Length::inch_fraction(self.total(), 2);
        if inspired {
            distance += numbers.inspired.length() * count;
        }
        if pace == Pace::FirstFast {
            distance += numbers.fast.length() * count;
        }
        if double { distance * 2 } else { distance }
    }

    /// How many dice disorder (MB-MOV-25, 26).
    #[must_use]
    pub fn disorder(&self, kind: Kind, formation: Formation, rough: bool, pace: Pace, numbers: &Numbers) -> u8 {
        if rough {
            decides!(MB_MOV_26, MB_TER_01, MB_TER_03, MB_MAN_11);
        } else {
            decides!(MB_MOV_25);
        }
        let least = match (rough, formation) {
            _ if pace != Pace::Normal || formation == Formation::Unformed => return 0,
            (true, Formation::MarchColumn) if kind.is_foot() => return 0,
            (true, Formation::FieldColumn) if kind.is_foot() => numbers.rough_dice.foot_column,
            (true, _) if kind.is_foot() => numbers.rough_dice.foot_line,
            (true, _) => numbers.rough_dice.other,
            (false, Formation::MarchColumn) => return 0,
            (false, _) => numbers.good_dice,
        };
        self.faces.iter().filter(|face| **face >= least && **face > 0).count() as u8
    }
}

impl Situation for MoveSituation {
    const NAME: &'static str = "move";
    const ABOUT: &'static str = "How far a brigade moves, and the disorder it costs.";
    type Outcome = Moved;

    fn tests(&self) -> Vec<Test> {
        Vec::new()
    }

    fn resolve(&self, dice: &mut dyn Dice) -> Result<Moved, NoDice> {
        let numbers = Numbers::book();
        let roll = MoveRoll::take(self.dice, |throw| Ok(dice.throw(&throw)?.total()))?;
        let distance = roll.distance(self.pace, self.inspired, self.double, numbers);
        let disorder = roll.disorder(self.kind, self.formation, self.rough, self.pace, numbers);
        let standing = Standing { bases: 12, dps: self.dps, model: self.kind.is_model() };
        let suffered = suffer(standing, disorder, 0, Cause::Move, numbers);
        decides!(MB_MAN_01);
        let inches = distance.to_inches() / if self.half { 2.0 } else { 1.0 };
        Ok(Moved { inches, dps: suffered.dps })
    }

    fn outcome_name(outcome: &Moved) -> String {
        let distance = inches(Length::rounded(outcome.inches * Length::inches(1).f()));
        if outcome.dps == 0 { distance } else { format!("{distance}, {}", dps_in_words(outcome.dps)) }
    }

    fn check(&self, report: &mut Diagnostics) {
        let at = |key: &str| Path::root().key(key);
        decides!(MB_MOV_22, MB_MOV_13);
        if self.pace != Pace::Normal {
            if self.dice != MoveDice::most_of(self.kind) {
                report.against(MB_MOV_22, at("dice"), "a fast move uses as many dice as there can be", "name them all");
            }
            if self.double {
                report.against(MB_MOV_13, at("double"), "fast moves are not doubled", "leave it out");
            }
            return;
        }
        if !MoveDice::open_to(self.kind, self.formation, self.rough).contains(&self.dice) {
            decides!(MB_MOV_17);
            let clause = match self.kind {
                kind if kind.is_cavalry() => MB_MOV_02,
                kind if kind.is_model() => MB_MOV_19,
                _ => MB_MOV_01,
            };
            report.against(
                clause,
                at("dice"),
                format!("{} do not roll these dice", self.kind.word()),
                "see the clause",
            );
        }
    }
}

/// The faces as they are told: "4, 3 and 6".
impl MoveRoll {
    pub(crate) fn words(&self) -> String {
        let faces: SmallVec<[String; 3]> =
            self.faces[..usize::from(self.dice.count()).min(3)].iter().map(u8::to_string).collect();
        faces.join(", ")
    }
}
