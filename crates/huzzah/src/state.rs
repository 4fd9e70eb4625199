//! Where a battle stands between two decisions: the phase and step, and the order, move, fight or check in hand.

use sabretache_engine::clause::Clause;
use sabretache_engine::ids::{CommandId, OfficerId, Side, UnitId};
use sabretache_table::{Point, Pose};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::situations::EngagementSituation;
use crate::troops::{Formation, Order};

/// The phase and step: what is to be decided now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Qualities and the like are still to be rolled (HZ-SEQ-06).
    #[default]
    SetUp,
    /// This side rolled a Huzzah! and chooses who goes first (HZ-SEQ-01).
    ChooseFirst(Side),
    /// Skirmisher superiority is to be rolled.
    Skirmish,
    /// Threatened units test, in the order their owner likes.
    Threat,
    /// The other side may bombard before an order is stated, or before the phase ends.
    Window,
    /// The phasing side gives an order or ends the phase.
    Order,
    /// An order succeeded: units act on it, one at a time.
    Act,
    /// The other side may bombard while a unit acts.
    Interrupt,
    /// The acting unit was fired at and may stop short.
    GoOn,
    /// Guns that have limbered or unlimbered may manoeuvre (HZ-DEP-11).
    Swing,
    /// An officer makes for one of several units that are equally near (HZ-ORD-39, HZ-OFF-12).
    Refuge,
    /// The commander in chief rolled a Huzzah! and may appoint a second officer (HZ-APP-07).
    SecondAppointment,
    /// Officers move, attach and detach.
    Officers,
    /// Contacts can be paired off in several ways that are equal: the phasing side chooses (HZ-MUL-02).
    Pairing,
    /// Engagements are fought, in the order the phasing side likes.
    Engage,
    /// Odd staggers of an engagement are placed by the side that takes them (HZ-MUL-06).
    OddStagger(Side),
    /// Units make the moves an engagement or a failed check forces on them, in the order their owner likes.
    FallBack,
    /// Command checks.
    Check,
    /// Broken commands may try to reorganise.
    Reorganise,
    /// Routing units try to rally.
    Rally,
    /// A router that rallied takes a formation (HZ-RAL-14).
    Formation,
    /// Those that failed run on.
    Rout,
    /// Blown and staggered units try to reform.
    Reform,
    /// The battle is over.
    Over,
}

/// The five phases of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Threat tests.
    Threat,
    /// Orders and movement.
    Orders,
    /// Move officers.
    Officers,
    /// Engage the enemy.
    Engage,
    /// Rally, reform and rout.
    Rally,
}

impl Phase {
    /// What the book calls it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Threat => "Threat tests",
            Self::Orders => "Orders and movement",
            Self::Officers => "Move officers",
            Self::Engage => "Engage the enemy",
            Self::Rally => "Rally, reform and rout",
        }
    }
}

/// What is in hand.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Doing {
    /// The phase; nothing between turns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phase: Option<Phase>,
    /// Orders issued so far this phase.
    #[serde(skip_serializing_if = "is_zero")]
    pub orders: u16,
    /// The order units are acting on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub acting: Option<Acting>,
    /// The units that have come on to the table with that order: the zones in which they do so stop them (HZ-REI-08).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub came_on: Vec<UnitId>,
    /// The unit that is acting, and how.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moving: Option<Moving>,
    /// Officers who have still to find a place among their own, in the order in which they were run into (HZ-ORD-39, HZ-OFF-12).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fleeing: Vec<Fleeing>,
    /// What their flight interrupts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub then: Option<Then>,
    /// The phase ends after this window (HZ-ORD-44).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub ending: bool,
    /// The unit that must take a formation, and where its centre is (HZ-RAL-14).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forming: Option<UnitId>,
    /// How the battle ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended: Option<Ended>,
}

/// An officer who makes for the nearest unit of his own; his owner chooses where several are equally near.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Fleeing {
    /// Who: he was run into and joins it (HZ-ORD-39).
    pub officer: OfficerId,
    /// He takes his post behind it again, since the commander in chief who had superseded him is lost, and the enemy stands where
    /// that was (HZ-OFF-12): here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub returns: Option<Point>,
}

/// What goes on when every officer has found his place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Then {
    /// The act of the unit that ran into him.
    Act,
    /// The moves that are forced on units.
    FallBack,
    /// The battery that ran into him while sighting its guns fires.
    Shoot {
        /// Which.
        battery: UnitId,
        /// At whom.
        target: UnitId,
        /// Through the hedge it stands at.
        through: bool,
        /// What its bombardment interrupts.
        stage: Stage,
    },
    /// The next decision.
    Decide(Stage),
}

fn is_zero(number: &u16) -> bool {
    *number == 0
}

fn is_nothing(number: &i32) -> bool {
    *number == 0
}

/// How the battle ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ended {
    /// Who won; nobody when it was drawn.
    pub winner: Option<Side>,
    /// The clause that says so.
    pub clause: Clause,
}

/// Whom an order is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Addressee {
    /// A single unit.
    Unit(UnitId),
    /// A command group as one.
    Group(CommandId),
}

/// An order that units act on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Acting {
    /// What was ordered.
    pub order: Order,
    /// By whom.
    pub officer: OfficerId,
    /// To whom.
    pub to: Addressee,
    /// The roll was a Huzzah!.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub huzzah: bool,
    /// It is the free order after a Huzzah!.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub free: bool,
    /// Some unit has acted on it (HZ-ORD-29).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub acted: bool,
}

/// Which way a straight move goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Way {
    /// The way it faces.
    Ahead,
    /// Straight back.
    Back,
    /// To its left.
    Left,
    /// To its right.
    Right,
}

/// What a unit does on an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Act {
    /// A straight move: advance, retire or side-step.
    Straight {
        /// Which way.
        way: Way,
    },
    /// Along a road (HZ-ADV-22): which one, and whether with the order of its points.
    Road {
        /// The road, by its number in the list of ground.
        road: u16,
        /// With the order of the road's points.
        forth: bool,
    },
    /// A wheel, in hundredths of a degree.
    Wheel {
        /// On the right front corner; on the left otherwise.
        right: bool,
        /// The far end of the front goes back instead of ahead.
        back: bool,
    },
    /// Turns about where it stands.
    AboutFace,
    /// Changes formation.
    Deploy {
        /// The new formation.
        formation: Formation,
        /// Where it comes to stand.
        pose: Pose,
    },
    /// Deploys into a sector of buildings.
    Garrison {
        /// The sector, by its number in the list of ground.
        sector: u16,
        /// Which sides close order infantry lines: bits 0 to 3, clockwise from the sector's front.
        sides: u8,
    },
    /// Joins the skirmish line (HZ-SKI-07).
    Skirmish,
    /// Engages an enemy across an obstacle without moving (HZ-TER-15).
    Across {
        /// The enemy.
        enemy: UnitId,
    },
    /// Obeys a recall (HZ-BLO-09).
    Recall,
    /// Scales a fortress wall (HZ-FTW-04).
    Escalade {
        /// The wall, by its number in the list of ground.
        wall: u16,
    },
    /// Steps over the battlements it has scaled (HZ-FTW-13).
    ClimbOver {
        /// Where it comes to stand.
        pose: Pose,
    },
    /// Forms a march column along the wall it stands on (HZ-FTW-14).
    AlongWall {
        /// Where it comes to stand.
        pose: Pose,
    },
}

/// A fortress wall that a unit has scaled: it stands on the outer edge of its top.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scaled {
    /// The wall, by its number in the list of ground.
    pub wall: u16,
    /// It has beaten the defender (HZ-FTW-12).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub won: bool,
}

/// A unit that is acting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Moving {
    /// Which.
    pub unit: UnitId,
    /// How.
    pub act: Act,
    /// Where it started.
    pub from: Pose,
    /// How far it has come: micrometres, or hundredths of a degree.
    #[serde(default)]
    pub done: i32,
    /// How far it goes.
    #[serde(default)]
    pub end: i32,
    /// How the move ends, unless it is cut short.
    #[serde(default)]
    pub finish: Finish,
    /// It has been fired at since it last went on, so that its owner may stop it here (HZ-BOM-20).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hit: bool,
    /// How far the other side lets it come before it wants to be asked again (HZ-BOM-20); 0 where it has not said.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub ask: i32,
    /// Guns manoeuvre with their change of formation (HZ-DEP-11).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub deploying: bool,
}

/// How a stated move ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Finish {
    /// Where its owner said.
    #[default]
    There,
    /// In contact with the enemy (HZ-ADV-11).
    Contact,
    /// It brushed an enemy with flank or rear and was put back (HZ-ADV-16).
    Brushed,
    /// Off the table (HZ-RET-11).
    Off,
}

/// A bombardment of this phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Bombarded {
    /// The battery.
    pub battery: UnitId,
    /// Its target.
    pub target: UnitId,
    /// The number of the order the target was acting on, or had last acted on; 0 for none.
    pub order: u16,
}

/// From where a unit is threatened or engaged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Bearing {
    /// In front.
    #[default]
    Front,
    /// On a flank.
    Flank,
    /// From behind.
    Rear,
}

/// A threat fixed at the start of the threat phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Threat {
    /// The unit that must test.
    pub unit: UnitId,
    /// Who threatens it.
    pub by: UnitId,
    /// From where.
    #[serde(default)]
    pub from: Bearing,
    /// The threatener is artillery with smoke on it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub smoke: bool,
    /// The unit has tested.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub tested: bool,
}

/// An engagement, with what was fixed at the start of the phase (HZ-ENG-03).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Fight {
    /// The phasing side's units, in the order of the facts.
    pub attackers: Vec<UnitId>,
    /// The other side's units, in the order of the facts.
    pub defenders: Vec<UnitId>,
    /// The facts.
    pub facts: EngagementSituation,
    /// What was rolled, while odd staggers are still to be placed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub totals: Vec<i32>,
    /// From which way each unit was touched, in hundredths of a degree: the way it goes if it has to, attackers first.
    pub ways: Vec<u16>,
}

impl Fight {
    /// Whether the lists fit each other.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        let all = self.attackers.len() + self.defenders.len();
        !self.attackers.is_empty()
            && !self.defenders.is_empty()
            && self.facts.attackers.len() == self.attackers.len()
            && self.facts.defenders.len() == self.defenders.len()
            && self.ways.len() == all
            && (self.totals.is_empty() || self.totals.len() == all)
    }
}

/// A move that a result forces on a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ForcedMove {
    /// It runs on towards its line of communication (HZ-ROU-07).
    Rout,
    /// It runs from an engagement; the way, in hundredths of a degree (HZ-ROU-02).
    FirstRout(u16),
    /// It retires from an engagement (HZ-ENG-37).
    Retire(u16),
    /// It retires because its command failed a check (HZ-CHK-22).
    CheckRetire,
    /// Cavalry out of control runs at the enemy (HZ-BLO-11).
    RunAway,
}

/// A stretch of hedge that is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Gap {
    /// The hedge, by its number in the list of ground.
    pub hedge: u16,
    /// One end.
    pub from: Point,
    /// The other.
    pub to: Point,
}
