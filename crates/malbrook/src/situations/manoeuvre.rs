//! What each manoeuvre costs, and who may make it.

use sabretache_engine::clause::Clause;
use sabretache_engine::decides;
use sabretache_engine::dice::{Dice, NoDice};
use sabretache_engine::offer::Refusal;
use sabretache_engine::scenario::{Diagnostics, Path};
use sabretache_engine::situation::Situation;
use sabretache_engine::test::Test;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::artillery::dps_in_words;
use super::losses::{Cause, Standing, suffer};
use crate::clauses::{
    MB_FOO_02, MB_FRM_04, MB_FRM_07, MB_MAN_03, MB_MAN_04, MB_MAN_05, MB_MAN_06, MB_MAN_07, MB_MAN_08, MB_MAN_09,
    MB_MAN_10, MB_MAN_12, MB_MAN_13, MB_MAN_14, MB_MAN_15, MB_MAN_16, MB_MAN_18, MB_MAN_19, MB_MAN_20, MB_MAN_22,
    MB_MAN_23, MB_MAN_24, MB_MOV_28, MB_TER_07, MB_UNI_09, MB_UNI_11,
};
use crate::numbers::Numbers;
use crate::troops::{Formation, Grade, Kind, Style};

/// A manoeuvre.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ManoeuvreKind {
    /// About one end of the front.
    Wheel,
    /// Some end bases swing back.
    RefuseFlank,
    /// Line, column, one rank or two.
    ChangeFormation,
    /// Two changes in one go.
    DoubleChange,
    /// From unformed to formed.
    ReForm,
    /// A gun comes off its limber.
    Unlimber,
    /// Over a stream, hedge or work.
    CrossObstacle,
    /// To face the rear.
    AboutFace,
    /// To face a flank.
    TurnToFlank,
    /// Forwards and sideways.
    Incline,
    /// An inch to the side.
    SideStep,
    /// An inch back, all or one or two bases.
    StepBack,
    /// Dragoons mount.
    Mount,
    /// Dragoons dismount.
    Dismount,
    /// Through a gap with a narrowed front.
    PassGap,
}

/// How much of a move it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Fraction {
    /// Part of the rolled distance.
    Rolled,
    /// Half a move.
    Half,
    /// A whole move.
    Whole,
}

/// What a manoeuvre depends on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Manoeuvre {
    /// Which.
    pub manoeuvre: ManoeuvreKind,
    /// By whom.
    #[serde(default)]
    pub kind: Kind,
    /// Of which style.
    #[serde(default)]
    pub style: Style,
    /// Of which grade; C for guns that have none.
    #[serde(default = "grade_c")]
    pub grade: Grade,
    /// In which formation.
    #[serde(default)]
    pub formation: Formation,
    /// Some of its bases are swung or stepped back already.
    #[serde(default)]
    #[schemars(extend("clauses" = ["MB-MAN-24"]))]
    pub refused: bool,
    /// It mixes several kinds of troops.
    #[serde(default)]
    #[schemars(extend("clauses" = ["MB-UNI-09"]))]
    pub mixed: bool,
    /// Enemy are within 6 inches.
    #[serde(default)]
    #[schemars(extend("clauses" = ["MB-MAN-03", "MB-MAN-06", "MB-MAN-12", "MB-MAN-20"]))]
    pub enemy_near: bool,
    /// It is under fire.
    #[serde(default)]
    #[schemars(extend("clauses" = ["MB-MAN-08", "MB-MAN-09", "MB-MAN-12", "MB-MAN-16"]))]
    pub under_fire: bool,
    /// A leader controls it.
    #[serde(default = "yes")]
    #[schemars(extend("clauses" = ["MB-MOV-28"]))]
    pub controlled: bool,
    /// The obstacle is harder for cavalry.
    #[serde(default)]
    #[schemars(extend("clauses" = ["MB-MAN-10"]))]
    pub anti_cavalry: bool,
    /// It routs or pursues.
    #[serde(default)]
    #[schemars(extend("clauses" = ["MB-MAN-05"]))]
    pub running: bool,
    /// How many bases step back, where only some do.
    #[serde(default)]
    #[schemars(range(max = 12), extend("clauses" = ["MB-MAN-15"]))]
    pub bases: Option<u8>,
    /// The width of the gap, in inches.
    #[serde(default)]
    #[schemars(extend("clauses" = ["MB-MAN-20"]))]
    pub gap: Option<f64>,
    /// Its frontage, in inches.
    #[serde(default)]
    #[schemars(extend("clauses" = ["MB-MAN-20"]))]
    pub frontage: Option<f64>,
    /// The DPs it has.
    #[serde(default)]
    #[schemars(range(max = 12), extend("clauses" = ["MB-MAN-22"]))]
    pub dps: u8,
}

fn grade_c() -> Grade {
    Grade::C
}

fn yes() -> bool {
    true
}

/// What it costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ManoeuvreCost {
    /// How much of a move.
    pub fraction: Fraction,
    /// Half of what was rolled is lost.
    pub half_distance: bool,
    /// DPs, before any limit.
    pub price: u8,
    /// DPs it takes: none beyond three.
    pub dps: u8,
}

impl Manoeuvre {
    /// The facts of a manoeuvre that needs no more than these.
    #[must_use]
    pub fn plain(manoeuvre: ManoeuvreKind) -> Self {
        Self {
            manoeuvre,
            kind: Kind::Foot,
            style: Style::Traditional,
            grade: Grade::C,
            formation: Formation::Line,
            refused: false,
            mixed: false,
            enemy_near: false,
            under_fire: false,
            controlled: true,
            anti_cavalry: false,
            running: false,
            bases: None,
            gap: None,
            frontage: None,
            dps: 0,
        }
    }

    /// Why it may not be made, if it may not.
    #[must_use]
    pub fn refusal(&self) -> Option<Refusal> {
        decides!(
            MB_UNI_09, MB_UNI_11, MB_MAN_04, MB_MAN_05, MB_MAN_13, MB_MAN_15, MB_MAN_24, MB_MOV_28, MB_FRM_04,
            MB_FRM_07
        );
        use ManoeuvreKind as M;
        let no = |clause: Clause, why: &str| Some(Refusal::new(clause, why));
        let never = |clause: Clause, why: &str| Some(Refusal::impossible(clause, why));
        let line = self.formation == Formation::Line && self.kind.is_brigade();
        let foot_in_line = self.kind.is_foot() && self.formation == Formation::Line;
        let straightens = matches!(self.manoeuvre, M::ChangeFormation | M::CrossObstacle);
        if self.refused && !straightens {
            return never(MB_MAN_24, "its refused flank must be straightened first");
        }
        match self.manoeuvre {
            M::Wheel if self.kind.is_model() => never(MB_FRM_07, "a single model has no line to wheel"),
            M::RefuseFlank | M::Incline | M::SideStep | M::StepBack if !line => {
                let clause = match self.manoeuvre {
                    M::RefuseFlank => MB_MAN_04,
                    M::Incline => MB_MAN_14,
                    _ => MB_MAN_15,
                };
                never(clause, "only a line does so")
            }
            M::RefuseFlank if !foot_in_line => no(MB_MAN_04, "only foot in line refuse a flank"),
            M::ChangeFormation | M::DoubleChange if self.kind.never_formed() && !self.mixed => {
                never(MB_FRM_04, "such troops never form")
            }
            M::ChangeFormation | M::DoubleChange if self.kind.is_model() => {
                never(MB_FRM_07, "a single model has no formation")
            }
            M::ChangeFormation | M::DoubleChange if self.formation == Formation::Unformed => {
                never(MB_MAN_06, "unformed troops re-form instead")
            }
            M::ReForm if self.formation != Formation::Unformed => never(MB_MAN_05, "it is formed already"),
            M::ReForm if self.kind.never_formed() && !self.mixed => never(MB_MAN_05, "such troops never form"),
            M::ReForm if self.running => no(MB_MAN_05, "it must first leave off running"),
            M::Unlimber if !self.kind.is_gun() || self.formation != Formation::Limbered => {
                never(MB_MAN_08, "only a gun on its limber can unlimber")
            }
            M::Unlimber if !self.controlled => no(MB_MOV_28, "guns unlimber only under a leader's control"),
            M::TurnToFlank if self.formation != Formation::Unformed => {
                no(MB_MAN_13, "lines and columns do not turn to the flank; form column facing it")
            }
            M::Incline if !foot_in_line || self.grade < Grade::C => {
                no(MB_MAN_14, "only foot of grade A to C in line incline")
            }
            M::SideStep | M::StepBack if !foot_in_line || self.grade < Grade::D => {
                no(MB_MAN_15, "only foot of grade A to D in line step aside or back")
            }
            M::StepBack if self.bases.is_some_and(|bases| bases > 2 || bases == 0) => {
                no(MB_MAN_15, "one or two bases step back, or all of them")
            }
            M::Mount | M::Dismount if !self.kind.is_dragoons() || self.style == Style::New => {
                let dragoons = self.kind.is_dragoons();
                let why = "only traditional dragoons dismount and mount again";
                if dragoons { no(MB_UNI_11, why) } else { never(MB_UNI_11, why) }
            }
            M::Mount | M::Dismount if self.mixed => no(MB_UNI_09, "dragoons in a mixed brigade do not dismount"),
            M::Mount if self.kind != Kind::DismountedDragoons => never(MB_MAN_16, "they are mounted already"),
            M::Dismount if self.kind != Kind::Dragoons => never(MB_MAN_16, "they are on foot already"),
            M::PassGap if self.formation != Formation::Line => never(MB_MAN_20, "only a line narrows its front"),
            M::PassGap if self.gap.zip(self.frontage).is_some_and(|(gap, frontage)| gap + 0.001 < frontage / 2.0) => {
                no(MB_MAN_20, "the gap is narrower than half its front")
            }
            _ => None,
        }
    }

    /// What it costs.
    #[must_use]
    pub fn cost(&self, numbers: &Numbers) -> ManoeuvreCost {
        decides!(MB_MAN_03, MB_MAN_06, MB_MAN_08, MB_MAN_09, MB_MAN_10, MB_MAN_12, MB_MAN_22);
        use ManoeuvreKind as M;
        let in_line = self.formation == Formation::Line;
        let cavalry = self.kind.is_cavalry();
        let near = u8::from(self.enemy_near);
        let fire = u8::from(self.under_fire);
        match self.manoeuvre {
            M::ChangeFormation => decides!(MB_MAN_23),
            M::DoubleChange => decides!(MB_MAN_07),
            M::CrossObstacle => decides!(MB_TER_07),
            M::Mount | M::Dismount => decides!(MB_MAN_16),
            M::Incline => decides!(MB_MAN_14),
            M::PassGap => decides!(MB_MAN_20),
            _ => {}
        }
        let (fraction, price) = match self.manoeuvre {
            M::Wheel | M::RefuseFlank => (Fraction::Rolled, if in_line { near } else { 0 }),
            M::ChangeFormation => (if self.enemy_near { Fraction::Whole } else { Fraction::Half }, near),
            M::DoubleChange => (Fraction::Whole, near),
            M::ReForm | M::TurnToFlank | M::SideStep | M::StepBack => (Fraction::Whole, 0),
            M::Unlimber => (Fraction::Whole, 1 + fire),
            M::CrossObstacle if !self.formation.is_formed() => (Fraction::Half, 0),
            M::CrossObstacle => (Fraction::Half, 1 + u8::from(cavalry && self.anti_cavalry) + fire),
            M::AboutFace => (
                Fraction::Half,
                if cavalry {
                    near
                } else if self.kind.is_foot() {
                    fire
                } else {
                    0
                },
            ),
            M::Incline => (Fraction::Rolled, 0),
            M::Mount | M::Dismount => (Fraction::Half, fire),
            M::PassGap => (Fraction::Rolled, near),
        };
        let half_distance = self.manoeuvre == M::RefuseFlank || (self.manoeuvre == M::PassGap && self.kind.is_foot());
        let standing = Standing { bases: 12, dps: self.dps, model: self.kind.is_model() };
        let dps = suffer(standing, price, 0, Cause::Move, numbers).dps;
        ManoeuvreCost { fraction, half_distance, price, dps }
    }
}

impl Situation for Manoeuvre {
    const NAME: &'static str = "manoeuvre";
    const ABOUT: &'static str = "What a manoeuvre costs in move and order, and who may make it.";
    type Outcome = ManoeuvreCost;

    fn tests(&self) -> Vec<Test> {
        Vec::new()
    }

    fn resolve(&self, _: &mut dyn Dice) -> Result<ManoeuvreCost, NoDice> {
        Ok(self.cost(Numbers::book()))
    }

    fn outcome_name(outcome: &ManoeuvreCost) -> String {
        let part = match outcome.fraction {
            Fraction::Rolled => "part of the roll",
            Fraction::Half => "half a move",
            Fraction::Whole => "a whole move",
        };
        format!("{part}, {}", dps_in_words(outcome.dps))
    }

    fn check(&self, report: &mut Diagnostics) {
        if let Some(refusal) = self.refusal() {
            let at = Path::root().key("manoeuvre");
            report.against(refusal.clause, at, format!("{} [{}]", refusal.sentence, refusal.clause), "see the clause");
        }
    }
}

/// Who passes through whom (MB-MAN-18, 19).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Passage {
    /// The mover is formed.
    #[schemars(extend("clauses" = ["MB-MAN-19"]))]
    pub mover_formed: bool,
    /// Those passed are formed.
    #[schemars(extend("clauses" = ["MB-MAN-19"]))]
    pub passed_formed: bool,
    /// Those passed are guns.
    #[schemars(extend("clauses" = ["MB-MAN-18", "MB-MAN-19"]))]
    pub passed_guns: bool,
    /// One of them routs.
    #[schemars(extend("clauses" = ["MB-MAN-18"]))]
    pub routing: bool,
    /// Those passed have moved this turn.
    #[schemars(extend("clauses" = ["MB-MAN-18"]))]
    pub passed_moved: bool,
    /// Those passed have fired or fought this turn.
    #[schemars(extend("clauses" = ["MB-MAN-18"]))]
    pub passed_fired: bool,
}

/// What it costs either.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct PassageCost {
    /// DPs for the mover.
    pub mover: u8,
    /// DPs for those passed.
    pub passed: u8,
}

impl Passage {
    /// What it costs either.
    #[must_use]
    pub fn cost(self) -> PassageCost {
        decides!(MB_MAN_18, MB_MAN_19);
        decides!(MB_FOO_02);
        let stationary = !self.passed_moved || self.passed_guns;
        if !self.routing && stationary && !self.passed_fired {
            return PassageCost { mover: 0, passed: 0 };
        }
        PassageCost { mover: u8::from(self.mover_formed), passed: u8::from(self.passed_formed && !self.passed_guns) }
    }
}

impl Situation for Passage {
    const NAME: &'static str = "passage";
    const ABOUT: &'static str = "What passing through friends costs either.";
    type Outcome = PassageCost;

    fn tests(&self) -> Vec<Test> {
        Vec::new()
    }

    fn resolve(&self, _: &mut dyn Dice) -> Result<PassageCost, NoDice> {
        Ok(self.cost())
    }

    fn outcome_name(outcome: &PassageCost) -> String {
        format!("{} for the mover, {} for those passed", outcome.mover, outcome.passed)
    }
}
