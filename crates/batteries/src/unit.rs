//! Units, brigades and generals: what is fixed about them, and what changes.

use sabretache_engine::ids::{CommandId, Side, UnitId};
use sabretache_table::{Edge, Point, Pose};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::table::shape::Bend;
use crate::troops::{Arm, Formation, Grade, GunClass, Nation, Weapon, Weight};

/// What is fixed about a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Facts {
    pub(crate) side: Side,
    pub(crate) brigade: CommandId,
    pub(crate) kind: Kind,
    pub(crate) grade: Grade,
    pub(crate) start: u16,
    pub(crate) per_stand: u8,
    /// Organised in two ranks, and that rule is used.
    pub(crate) two_rank: bool,
    /// Stands with scaling ladders.
    pub(crate) ladders: u8,
    /// The part of it that may hold a town block on its own.
    pub(crate) part: Option<UnitId>,
    /// The unit that it is a part of.
    pub(crate) part_of: Option<UnitId>,
    /// Its nation, where national modifiers are used.
    pub(crate) nation: Option<Nation>,
    /// The skirmish screen that it may throw out, where screens are used.
    pub(crate) screen: Option<UnitId>,
    /// The unit whose screen it is.
    pub(crate) screen_of: Option<UnitId>,
}

/// The arm and what goes with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Foot { light: bool, weapon: Weapon },
    Horse { weight: Weight, lance: bool },
    Guns { class: GunClass, horse: bool, models: u8 },
}

impl Kind {
    pub(crate) fn arm(self) -> Arm {
        match self {
            Self::Foot { .. } => Arm::Foot,
            Self::Horse { .. } => Arm::Horse,
            Self::Guns { .. } => Arm::Guns,
        }
    }
}

/// What is fixed about a brigade.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Brigade {
    pub(crate) side: Side,
    pub(crate) baseline: Baseline,
    /// When and where it comes on, if it is not there from the start.
    pub(crate) arrives: Option<Arrival>,
}

/// When and where a brigade comes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Arrival {
    pub(crate) turn: u32,
    pub(crate) at: Point,
}

/// Where a force routs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Baseline {
    Edge(Edge),
    /// The centre of a surrounded force.
    Centre(Point),
}

/// Where a unit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// On the table.
    Table,
    /// Off the table, and may return where it left.
    Away,
    /// Shattered and removed.
    Shattered,
    /// Off the table for good.
    Fled,
    /// Surrendered.
    Surrendered,
    /// Off the table after an enemy, and may return where it left.
    Pursuing,
    /// A screen in the ranks of its battalion.
    Ranks,
    /// A part of a unit that is not detached.
    Whole,
    /// Still to come, with its brigade.
    Awaited,
    /// Off the table in good order, as the scenario asks.
    Exited,
}

/// A unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unit {
    pub(crate) pose: Pose,
    pub(crate) place: Place,
    pub(crate) formation: Formation,
    /// Stands (limbered: models) across, as last ordered.
    pub(crate) stands: u8,
    pub(crate) figures: u16,
    /// Actual guns left.
    pub(crate) guns: u8,
    pub(crate) limbered: bool,
    /// Gunners away from their guns.
    pub(crate) away: bool,
    pub(crate) shaken: bool,
    pub(crate) disordered: bool,
    /// It has fired from a wood and is known to be there.
    pub(crate) spotted: bool,
    /// It has fought a round of combat in this game.
    pub(crate) fought: bool,
    /// It is halfway through a change that takes two turns.
    pub(crate) reforming: bool,
    /// It has cleared a city wall of its defenders and may climb over.
    pub(crate) climbs: bool,
    /// The town block it holds.
    pub(crate) inside: Option<u16>,
    /// The wings of a bent line.
    pub(crate) bend: Option<Bend>,
    /// Figures it started with, less those of a part that is detached.
    pub(crate) start: u16,
    /// It has routed off the table once.
    pub(crate) fled_once: bool,
    /// Rounds fought in the combat it is in.
    pub(crate) rounds: u8,
    /// It advanced two inches straight in its most recent movement phase.
    pub(crate) advanced: bool,
    /// How often in a row it has entered pursuit.
    pub(crate) chases: u8,
    /// Figures that are out in its screen.
    pub(crate) out: u16,
    pub(crate) now: ThisTurn,
    /// Losses still to be taken off.
    pub(crate) toll: u16,
    pub(crate) gun_toll: u8,
}

/// What a unit has done and suffered this turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ThisTurn {
    /// It was shaken when the turn began.
    pub was_shaken: bool,
    /// It was disordered when the turn began.
    pub was_disordered: bool,
    /// It has begun to move.
    pub moved: bool,
    /// It was steady when it began to move.
    pub set_out_steady: bool,
    /// How it stood when it began to move, if it has changed that since.
    pub set_out: Option<SetOut>,
    /// Its move is over.
    pub done: bool,
    /// It has advanced in a joint order and may go on with its move.
    pub joint: bool,
    /// A friend has passed through it, so it stands.
    pub stands: bool,
    /// It has changed formation, facing or frontage.
    pub changed: bool,
    /// It has gone through friends.
    pub passed: bool,
    /// A charge that it had plotted was called off.
    pub called_off: bool,
    /// It has done something else than go straight ahead.
    pub turned: bool,
    /// It has done something else than go ahead and wheel.
    pub manoeuvred: bool,
    /// Only the enemy's nearness has stopped it.
    pub held_up: bool,
    /// It has charged.
    pub charging: bool,
    /// An enemy has charged it.
    pub charged: bool,
    /// It was charged in flank or rear by somebody who came home.
    pub flanked: bool,
    /// It works at a hedgerow or abatis.
    pub works: bool,
    /// It has fired.
    pub fired: bool,
    /// It has let a charger come that reached it late, and not shot.
    pub held_fire: bool,
    /// It has evaded.
    pub evaded: bool,
    /// It has routed.
    pub routed: bool,
    /// It has taken its morale test of the shooting phase.
    pub tested: bool,
    /// It has fought a round.
    pub fought: bool,
    /// It has lost a round and has yet to test.
    pub lost: bool,
    /// The garrison it belongs to has failed its test, and it has yet to rout.
    pub breaking: bool,
    /// It manoeuvred without elbow room, and is unsteady for the rest of the turn.
    pub cramped: bool,
    /// It came back to the table this turn.
    pub returned: bool,
    /// It inflicted more than it suffered in its round of combat.
    pub won: bool,
    /// It routed from those it fought: on a panic test, or after losing a round.
    pub beaten: bool,
    /// It routed of its own will.
    pub of_own_will: bool,
    /// It recoiled from a cavalry fight.
    pub recoiled: bool,
    /// Where its centre was when it routed or recoiled.
    pub fell_back_from: Option<Point>,
    /// It does not pursue.
    pub stays: bool,
    /// It could not be held back from pursuit.
    pub runs_wild: bool,
    /// It moved in pursuit when the turn opened.
    pub pursued: bool,
    /// It has sent out or called in its screen.
    pub screened: bool,
    /// Hits suffered in this phase.
    pub hits: u16,
    /// Movement used at its present rate, in micrometres.
    pub run: i32,
    /// Movement used at earlier rates and by manoeuvres, in millionths of a move.
    pub share: u32,
    /// How far it has gone straight ahead without a turn, in micrometres.
    pub straight: i32,
    /// The way it marches, where it may go any way, in hundredths of a degree.
    pub way: Option<u16>,
}

/// How a unit stood before it changed formation, or came out of a town block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SetOut {
    /// Its formation.
    pub formation: Formation,
    /// How many stands wide.
    pub stands: u8,
    /// The block that it was in.
    pub inside: Option<u16>,
}

/// A general.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct General {
    pub(crate) side: Side,
    pub(crate) brigade: Option<CommandId>,
    pub(crate) cinc: bool,
    pub(crate) charisma: Option<u8>,
    pub(crate) at: Point,
    pub(crate) with: Option<UnitId>,
    pub(crate) lost: bool,
    /// He is still to come.
    pub(crate) awaited: bool,
    /// He has ridden this turn.
    pub(crate) rode: bool,
    pub(crate) points: u8,
}

impl General {
    /// He is on the table.
    pub(crate) fn there(&self) -> bool {
        !self.lost && !self.awaited
    }
}
