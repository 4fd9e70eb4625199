//! What happens in a battle, one thing at a time.

use sabretache_engine::ids::{OfficerId, Side, UnitId};
use sabretache_table::{Length, Point, Pose};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use crate::brigade::{Assault, Charge, HaltAt, LastMove, LeftOff, Order, Refused, Response, Status};
use crate::phases::closing::{Closing, End};
use crate::phases::fleeing::Falling;
use crate::phases::meeting::Met;
use crate::phases::messages::Dispatch;
use crate::phases::options::Challenge;
use crate::phases::passing::Passing;
use crate::situations::{Action, Band, Cause, ControlResult, Fate, Fighter, ManoeuvreKind, MoveRoll};
use crate::troops::{Formation, Grade, Kind};

mod carried;

pub use carried::{Approach, Blow, BlowKind, Combatant, Course, Fight, GroupRoll, Phase};
pub(crate) use carried::{Fresh, Idle, Remains, Risk, Set};
use carried::{is_zero, risk, set};

/// One thing that happened.
///
/// The last ones follow from others by the rules alone ([`follows`](crate::phases::follows)): they are written down and not told.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Event {
    /// Both sides rolled for initiative.
    InitiativeRolled { totals: [i32; 2] },
    /// The order of a turn is settled.
    GoesFirst { side: Side },
    /// A phase, or a side's half of it, begins.
    PhaseBegan { phase: Phase, side: Side },
    /// A new turn begins; marks of the last one are cleared.
    TurnBegan { turn: u32 },
    /// A unit is set down, or set another way.
    SetDown {
        unit: UnitId,
        to: Pose,
        formation: Formation,
        files: u8,
        #[serde(deserialize_with = "set")]
        what: Set,
    },
    /// Both armies are set down.
    Deployed,
    /// Reinforcements come up.
    Entered { unit: UnitId },
    /// The floor passes to another player of the side.
    Floor { player: u8, finished: u16 },
    /// A wing that sits still is challenged.
    Challenged { leader: OfficerId },
    /// The enemy sees a unit.
    Seen { unit: UnitId },
    /// The enemy has lost sight of a unit.
    Hidden { unit: UnitId },
    /// A side has looked into a wood or town.
    Searched { side: Side, ground: u16 },
    /// Somebody steps into the place of a leader who fell.
    Succeeded { leader: OfficerId, at: Point },
    /// A wing has captured a gun.
    GunsTaken { leader: OfficerId },
    /// The battle ends.
    Ended,

    /// A gun fires.
    Fired { unit: UnitId, at: UnitId, range: Length, band: Band },
    /// A shell falls.
    ShellFell { unit: UnitId, at: UnitId, range: Length, place: Point, on_target: bool },
    /// A brigade is under fire.
    UnderFire { unit: UnitId },
    /// A brigade takes DPs or loses bases; by whom, if somebody in particular did it.
    Suffered {
        unit: UnitId,
        dps: u8,
        casualties: u8,
        cause: Cause,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<UnitId>,
        /// How many of the casualties were DPs beyond its limit (MB-MOR-02).
        #[serde(default, skip_serializing_if = "is_zero")]
        converted: u8,
    },
    /// A brigade is no more, or changes its state.
    Became { unit: UnitId, status: Status },
    /// A crew runs to a brigade, or comes back.
    CrewFled { unit: UnitId, to: Option<UnitId> },
    /// A crew serves its gun again.
    Recrewed { unit: UnitId },
    /// Friends will feel it.
    Noted { blow: Blow },

    /// A leader rides.
    Rode { leader: OfficerId, to: Point, action: bool },
    /// A leader joins a brigade.
    Attached { leader: OfficerId, unit: UnitId },
    /// A leader leaves his brigade.
    Detached { leader: OfficerId },
    /// A leader steadies his brigade.
    Steadied { leader: OfficerId, unit: UnitId },
    /// A leader inspires his brigade.
    Inspired { leader: OfficerId, unit: UnitId },
    /// A leader is hit, or shot at and not hit.
    LeaderRisked { leader: OfficerId, fate: Fate },
    /// The leaders with a brigade test for what befell it.
    Risked {
        unit: UnitId,
        #[serde(deserialize_with = "risk")]
        which: Risk,
    },
    /// The Marshal of an army without wings changes its orders.
    Ordered { leader: OfficerId, order: Order },
    /// A leader says something to another, or sends a messenger.
    Dispatched { dispatch: Dispatch },
    /// A messenger rides.
    RiderMoved { rider: u16, to: Point, arrived: bool },
    /// A leader listens to what he is told.
    Heard { rider: u16 },
    /// A messenger is gone, and his message with him.
    RiderLost { rider: u16 },
    /// A brigade changes its superior.
    Reassigned { unit: UnitId, to: OfficerId },
    /// A command changes its wing.
    CommandMoved { leader: OfficerId, to: OfficerId },
    /// A leader gets out of the way of enemy horse.
    Displaced { leader: OfficerId, to: Point },
    /// A leader stays with the other part of a brigade that has split.
    StayedWith { leader: OfficerId, unit: UnitId, to: Point },
    /// Horses are led away.
    HorsesLed { unit: UnitId, to: Point },
    /// Horses are lost to the enemy.
    HorsesLost { unit: UnitId },
    /// A leader is taken.
    LeaderTaken { leader: OfficerId },

    /// Who decides what a brigade does.
    Control { unit: UnitId, control: Charge },
    /// A control test is rolled.
    ControlRolled { unit: UnitId, die: i32 },
    /// What comes of it.
    ControlTested { unit: UnitId, total: i32, result: ControlResult },

    /// A group rolls its move dice.
    MoveRolled { roll: GroupRoll },
    /// A brigade moves.
    Moved { unit: UnitId, to: Pose, spent: Length, double: bool },
    /// Unformed troops draw together or spread out.
    Crowded { unit: UnitId, files: u8, to: Pose, spent: Length, double: bool },
    /// The bases of an unformed brigade begin to move one by one.
    Scatters { unit: UnitId },
    /// One of them has been told where to go.
    BaseSent { base: u8, to: Point },
    /// They are called back to where they stood.
    Gathered { unit: UnitId },
    /// They have gone where they were told, or as far as they could.
    Scattered { unit: UnitId, places: Vec<Point>, double: bool },
    /// The bases of a crowd move apart and are brigades of their own: by number which they are, and from which part on.
    WentApart { unit: UnitId, part: u8, bodies: Vec<Vec<u8>>, places: Vec<Point>, double: bool },
    /// Bases of an unformed brigade turn, each on its own spot.
    BasesTurned { unit: UnitId, to: Pose, places: Vec<Point> },
    /// Bases of an unformed brigade, by their numbers, become a brigade of their own where they stand.
    CameApart { unit: UnitId, part: u8, stays: Vec<u8> },
    /// A brigade's way leads over rough ground.
    Rough { unit: UnitId },
    /// A brigade takes aim off straight ahead.
    Bears { unit: UnitId, bearing: i32 },
    /// A brigade manoeuvres.
    Manoeuvred {
        unit: UnitId,
        manoeuvre: ManoeuvreKind,
        to: Pose,
        formation: Formation,
        files: u8,
        half: bool,
        spent: Length,
    },
    /// Dragoons mount or dismount; where they stand then, and the bases of a crowd that has no room to spread out evenly.
    Changed {
        unit: UnitId,
        kind: Kind,
        horses: Option<Point>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<Pose>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        places: Vec<Point>,
    },
    /// A flank is refused, or straightened again.
    Bent { unit: UnitId, refused: Option<Refused>, spent: Length, moved: bool },
    /// A unit marches along a road.
    Marched { unit: UnitId, to: Pose, spent: Length, double: bool },
    /// A brigade is told where it may halt.
    Aimed { unit: UnitId, at: HaltAt },
    /// A friend further left goes first, being in the way.
    LetAhead { unit: UnitId },
    /// Friends passed through a brigade, which must then stand.
    PassedThrough { unit: UnitId },
    /// A move leads across the front of enemy foot.
    Passes { passing: Passing },
    /// They have fired or let it pass.
    PassesOver,
    /// Foot fire into a move.
    Volley { unit: UnitId, at: UnitId },
    /// A brigade takes over a gun.
    GunTaken { unit: UnitId, gun: UnitId },
    /// A line that lost a base closed up: the end that lost it, and where it stands now.
    ClosedUp { unit: UnitId, end: End, to: Pose },
    /// Those who retire may halt behind friends or cover.
    Sheltered { falling: Falling },
    /// They have halted or gone on.
    ShelterOver,
    /// A charge or pursuit comes upon somebody else.
    Met { met: Met },
    /// He has answered.
    MetOver,
    /// A brigade has finished its movement phase.
    Done { unit: UnitId },
    /// A skirmisher may fall back before a mover.
    Approached { approach: Approach },
    /// The move that was interrupted goes on or is over.
    ApproachOver,
    /// A skirmisher falls back.
    Withdrew { unit: UnitId, to: Pose },
    /// Foot shot at a lone leader.
    ShotAtLeader { unit: UnitId },
    /// A group has finished.
    GroupDone,

    /// A charge is declared.
    Declared { unit: UnitId, at: UnitId, outrance: bool, bearing: i32 },
    /// A charged brigade answers.
    Responded { unit: UnitId, response: Response },
    /// A brigade rides a charge or counter-charge.
    Charged { unit: UnitId, to: Pose, roll: MoveRoll, touched: bool },
    /// It rode by a fast move: evade, retire, rout, pursue, ride through; and where the bases of a crowd stand that has no room
    /// to spread out evenly.
    Fell {
        unit: UnitId,
        to: Pose,
        action: FastMove,
        roll: MoveRoll,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        places: Vec<Point>,
    },
    /// The way back of a brigade is barred: it stays where it is (MB-RES-19, MB-RES-24).
    Barred { unit: UnitId },
    /// A charge struck a brigade in flank or rear.
    Flanked { unit: UnitId },
    /// The combats of the phase.
    Engaged { fights: Vec<Fight> },
    /// A combat is rolled.
    Fought { fight: usize, hits: [u8; 2] },
    /// A brigade takes its action after combat.
    Acted {
        fight: usize,
        unit: UnitId,
        action: Action,
        /// Whom it pursues.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        after: Option<UnitId>,
    },
    /// Pursuers hack at those they caught.
    Hacked { unit: UnitId, at: UnitId, casualties: u8 },
    /// Pursuers run into fresh enemy.
    PursuedInto { unit: UnitId },
    /// A part of a brigade stays behind as a brigade of its own.
    Split { unit: UnitId, part: u8, bases: u8, files: u8, to: Pose, stays: u8, stays_files: u8, stays_at: Pose },
    /// A brigade becomes part of another.
    MergedInto {
        unit: UnitId,
        into: UnitId,
        files: u8,
        to: Pose,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        places: Vec<Point>,
    },
    /// A brigade feels what befell friends.
    Felt { blow: usize, unit: UnitId },
    /// A brigade re-dresses its ranks.
    Redressed { unit: UnitId, removed: u8 },
    /// An objective changes hands.
    Held { objective: u16, by: Side, wing: Option<OfficerId> },

    // ------------------------------------------------------------ what follows by itself
    /// A leader goes along with the brigade that he is with.
    LedAlong { leader: OfficerId, to: Point },
    /// What is left of a brigade that has lost bases.
    Left { unit: UnitId, remains: Box<Remains> },
    /// The end of a line that lost a base last.
    EndLost { unit: UnitId, end: End },
    /// What brigades and wings, each in its place, take over into a new turn, and which blows are still felt.
    Refreshed { units: Vec<Fresh>, idle: Vec<Idle>, blows: Vec<usize> },
    /// A brigade has left its place in a combat.
    GaveWay { fight: usize, unit: UnitId },
    /// How far a brigade has inclined, for those who copy it.
    Inclined { unit: UnitId, by: Length },
    /// Crews that sheltered with a brigade are with a part of it.
    CrewsGo { from: UnitId, to: UnitId },
    /// Two brigades have become one: its grade, whether it has made its move, and from whom it takes over what the turn has
    /// left on him.
    Mixed {
        unit: UnitId,
        grade: Option<Grade>,
        done: bool,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<UnitId>,
        /// One of them stood while the other rode.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        stood: bool,
    },
    /// How large the bases are of troops who mounted or dismounted.
    Based { unit: UnitId, width: Length, depth: Length },
}

/// A move by the greatest number of dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FastMove {
    /// Away from a charge.
    Evade,
    /// Back.
    Retire,
    /// Back again.
    RetireOn,
    /// Running.
    Rout,
    /// Running on.
    RoutOn,
    /// After the enemy.
    Pursue,
    /// After him still.
    PursueOn,
    /// Through the enemy.
    RideThrough,
    /// Into the enemy's place.
    TakePosition,
}
