//! What a brigade, gun or leader is and has, as the battle keeps it: small values that are copied whole.

use crate::clauses::MB_FRM_08;
use sabretache_engine::decides;
use sabretache_engine::ids::{OfficerId, Side, UnitId};
use sabretache_table::{Corner, Heading, Length, Point, Pose, Quad, Vec2};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::numbers::Numbers;
use crate::phases::closing::End;
use crate::phases::options::Challenge;
use crate::situations::{MoveDice, may_roll};
use crate::table::crowds::Places;
use crate::troops::{Ability, Formation, Grade, Kind, OrderKind, Rank, Style};

pub use crate::marks::{Assault, Charge, LeftOff, Marks, Response};

/// A brigade, gun model, wagon or crowd of civilians.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Brigade {
    /// Which entry of the scenario it is, or is part of.
    pub(crate) entry: u16,
    /// 0 for the brigade itself, 1 and up for parts that split from it.
    pub(crate) part: u8,
    pub(crate) side: Side,
    pub(crate) kind: Kind,
    pub(crate) style: Style,
    pub(crate) grade: Option<Grade>,
    pub(crate) mixed: bool,
    /// Whether it may charge with the sword alone.
    pub(crate) outrance: bool,
    pub(crate) under: OfficerId,
    pub(crate) bases: u8,
    pub(crate) width: Length,
    pub(crate) depth: Length,
    pub(crate) formation: Formation,
    /// Bases in the front rank.
    pub(crate) files: u8,
    pub(crate) pose: Pose,
    /// An end of the line that is drawn back.
    pub(crate) refused: Option<Refused>,
    /// The end that lost a base last, once its owner has picked one (MB-MOR-04).
    pub(crate) lost_end: Option<End>,
    /// Where the bases of a crowd stand that are not in even rows.
    pub(crate) places: Option<Places>,
    pub(crate) dps: u8,
    pub(crate) status: Status,
    /// The dice of last turn (MB-MOV-24).
    pub(crate) speed: u8,
    /// Whether it moved in its last movement phase, and with what.
    pub(crate) last_move: LastMove,
    /// Its charge of last turn never reached the enemy.
    pub(crate) failed_charge: bool,
    pub(crate) aim: Option<Aim>,
    /// The enemy foot that fired into its move last turn, and let it pass now (MB-FOO-06).
    pub(crate) spared: Option<UnitId>,
    /// The enemy it goes after, while it pursues (MB-RES-25).
    pub(crate) pursues: Option<UnitId>,
    /// The enemy knows of it, where movement is hidden.
    pub(crate) known: bool,
    /// Where dismounted dragoons left their horses.
    pub(crate) horses: Option<Point>,
    pub(crate) marks: Marks,
}

/// The end of a line that is drawn back to refuse a flank (MB-MAN-04, 15, 24).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Refused {
    /// The left end; otherwise the right.
    pub left: bool,
    /// How many bases.
    pub bases: u8,
    /// Swung back by so many hundredths of a degree, about the joint.
    #[serde(default)]
    pub swung: u16,
    /// Or stepped back so far.
    #[serde(default)]
    pub stepped: Length,
}

impl Refused {
    /// The pose of the end that is drawn back, as a line of its own.
    pub(crate) fn pose_of(self, rank: &[Quad], whole: Pose) -> Pose {
        let many = usize::from(self.bases).min(rank.len());
        let part = if self.left { &rank[..many] } else { &rank[rank.len() - many..] };
        let (Some(first), Some(last)) = (part.first(), part.last()) else { return whole };
        let middle = first.corner(Corner::FrontLeft).toward(last.corner(Corner::FrontRight), 0.5);
        Pose::new(Point::rounded(middle), Heading::toward(Vec2::default(), first.forward()))
    }

    /// Lays the end bases of a rank where they are.
    pub(crate) fn lay(self, rank: &mut [Quad], width: f64) {
        let many = usize::from(self.bases).min(rank.len());
        let first = if self.left { 0 } else { rank.len() - many };
        let turn = if self.left { -i32::from(self.swung) } else { i32::from(self.swung) };
        // The hinge is the rear corner of the joint, so that the two parts do not overlap.
        let joint = if self.left { rank.get(many) } else { first.checked_sub(1).and_then(|last| rank.get(last)) };
        let corner = if self.left { Corner::RearLeft } else { Corner::RearRight };
        let Some(hinge) = joint.map(|base| base.corner(corner)) else { return };
        for base in &mut rank[first..first + many] {
            let back = base.forward() * self.stepped.f();
            let (left, right) = (base.corner(Corner::FrontLeft), base.corner(Corner::FrontRight));
            let depth = (left - base.corner(Corner::RearLeft)).length();
            let front =
                Pose::new(Point::rounded(left.toward(right, 0.5)), Heading::toward(Vec2::default(), base.forward()));
            let (cos, sin) = {
                let way = Heading::hundredths(turn).unit();
                (way.y, way.x)
            };
            // A turn to the right by an angle: x' = x cos + y sin, y' = y cos - x sin.
            let spun = |v: Vec2| Vec2::new(v.x * cos + v.y * sin, v.y * cos - v.x * sin);
            let at = hinge + spun(front.at.v() - hinge) - back;
            *base = Quad::new(at, spun(base.forward()), width / 2.0, width / 2.0, 0.0, depth);
        }
    }
}

/// What state a brigade is in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// In hand.
    #[default]
    Steady,
    /// It retired and has not re-formed.
    Retired,
    /// It runs.
    Routing,
    /// It goes after an enemy.
    Pursuing,
    /// It loots a camp.
    Looting,
    /// It has yet to come up.
    Expected,
    /// A gun whose crew shelters elsewhere, or is gone.
    Abandoned,
    /// A gun taken by the enemy: a wreck.
    Captured,
    /// No base is left.
    Destroyed,
    /// It gave itself up.
    Surrendered,
    /// It left the table by its own edge.
    Left,
    /// It became part of another brigade.
    Merged,
}

impl Status {
    /// Whether it is no unit any more.
    pub(crate) fn is_gone(self) -> bool {
        matches!(self, Self::Destroyed | Self::Surrendered | Self::Left | Self::Merged | Self::Expected)
    }
}

/// What a brigade did in its last movement phase, for repeating it (MB-CTL-14).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LastMove {
    /// It stood, or manoeuvred only.
    #[default]
    None,
    /// It moved by these dice.
    Dice(MoveDice),
    /// It marched along a road.
    Road,
    /// It retired, after a combat or further.
    Retired,
}

/// Where a brigade may halt, said before the dice are rolled (MB-MOV-05).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum HaltAt {
    /// At a piece of ground, by its number.
    Ground(u16),
    /// Level with this brigade.
    Level(UnitId),
}

/// A gun's last shot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Aim {
    /// At whom, as a token.
    pub at: UnitId,
    /// How far off that was, in micrometres.
    pub range: Length,
    /// In which turn.
    pub turn: u32,
    /// Over the heads of others.
    #[serde(default)]
    pub indirect: bool,
}

/// A leader.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Leader {
    pub(crate) side: Side,
    pub(crate) rank: Rank,
    pub(crate) ability: Ability,
    pub(crate) above: Option<OfficerId>,
    pub(crate) at: Point,
    pub(crate) attached: Option<UnitId>,
    pub(crate) wounded: bool,
    pub(crate) lost: bool,
    /// Actions used this turn.
    pub(crate) used: u8,
    /// Inspire actions taken this turn.
    pub(crate) inspires: u8,
    /// He has ridden in the movement phase.
    pub(crate) rode: bool,
    pub(crate) order: Option<Order>,
    /// Somebody else has stepped into his place.
    pub(crate) succeeded: bool,
    /// Turns for which his troops have sat still.
    pub(crate) idle: u8,
    pub(crate) challenge: Option<Challenge>,
    /// Guns that his wing has captured.
    pub(crate) guns: u8,
    /// Bases of foot and cavalry under him at the start.
    pub(crate) started: u32,
}

/// The order of a wing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Order {
    /// What is ordered.
    pub kind: OrderKind,
    /// The position to defend, as an index into the scenario's positions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<u16>,
}

impl Brigade {
    /// A straight line: part of it can stay behind when the rest goes (MB-RES-11).
    pub(crate) fn splits(&self) -> bool {
        self.formation == Formation::Line && self.refused.is_none() && self.part < 200
    }

    /// The bases of the last rank, where it is shorter than the others: they stand behind the middle.
    pub(crate) fn short_rank(&self) -> u8 {
        self.bases % self.files.max(1)
    }

    /// The file that a base stands in; of a short last rank, the left one of two it stands behind.
    pub(crate) fn file_of(&self, base: usize) -> usize {
        let files = usize::from(self.files.max(1));
        let full = usize::from(self.bases) / files * files;
        let short = usize::from(self.short_rank());
        if base < full { base % files } else { (files - short) / 2 + base - full }
    }

    /// How many bases stand in so many files on a flank, with those of a short last rank that are wholly or mostly behind
    /// them: one that is behind both parts alike goes with the other.
    pub(crate) fn bases_in(&self, flank: u8) -> u8 {
        let full = self.bases / self.files.max(1) * flank;
        let short = i32::from(self.short_rank());
        // In half files from the flank: the middle of the n-th base of the short rank.
        let middle = |n: &i32| i32::from(self.files) - short + 2 * n + 1;
        full + (0..short).filter(|n| middle(n) < 2 * i32::from(flank)).count() as u8
    }

    /// The brigade as a crowd, as which it runs.
    pub(crate) fn loosened(&self) -> Self {
        Self { formation: Formation::Unformed, refused: None, ..*self }
    }

    /// On the table as a unit: neither gone nor an abandoned gun.
    pub(crate) fn is_unit(&self) -> bool {
        !self.status.is_gone() && !matches!(self.status, Status::Abandoned | Status::Captured)
    }

    /// Foot or cavalry on the table.
    pub(crate) fn is_brigade(&self) -> bool {
        self.kind.is_brigade() && self.is_unit()
    }

    /// In line or column (MB-FRM-08).
    pub(crate) fn is_formed(&self) -> bool {
        decides!(MB_FRM_08);
        self.kind.is_brigade() && self.formation.is_formed()
    }

    pub(crate) fn is_unformed(&self) -> bool {
        self.formation == Formation::Unformed
    }

    /// The grade, C where there is none (MB-UNI-06).
    pub(crate) fn grade(&self) -> Grade {
        self.grade.unwrap_or(Grade::C)
    }

    pub(crate) fn is_routing(&self) -> bool {
        self.status == Status::Routing
    }

    /// It routs or retires: pursuers who catch it hack at it (MB-RES-20, MB-RES-26).
    pub(crate) fn runs(&self) -> bool {
        self.is_routing() || (self.status == Status::Retired && self.marks.carried.left_off == LeftOff::Nothing)
    }

    /// It has rallied this turn, before its pursuers moved (MB-RES-23).
    pub(crate) fn has_just_rallied(&self) -> bool {
        self.status == Status::Retired && self.marks.carried.left_off == LeftOff::Rout && self.marks.control.tested
    }

    /// Whether it has changed its place in the movement phase, be it by running on or pursuing further (MB-CBT-15): foot
    /// change it in no other before the combats.
    pub(crate) fn has_moved(&self) -> bool {
        self.marks.moved || (self.kind.is_foot() && self.marks.shifted)
    }

    /// Fewest and most dice it may roll, for a move or for a charge after one of so many dice (MB-MOV-24).
    pub(crate) fn may_roll(&self, moved: Option<u8>, numbers: &Numbers) -> (u8, u8) {
        let (least, most) = may_roll(self.speed, moved, numbers);
        (least, if self.marks.share.stood { most.min(numbers.speed_change) } else { most })
    }

    /// Rows of bases from front to rear.
    pub(crate) fn rows(&self) -> u8 {
        self.bases.div_ceil(self.files.max(1)).max(1)
    }

    /// Bases in the second rank.
    pub(crate) fn second_rank(&self) -> u8 {
        self.bases.saturating_sub(self.files).min(self.files)
    }

    /// Hussars and dismounted dragoons of one kind keep their distance (MB-MOV-30).
    pub(crate) fn skirmishes(&self) -> bool {
        matches!(self.kind, Kind::Hussars | Kind::DismountedDragoons) && !self.mixed && self.is_unformed()
    }
}
