//! What events carry: fights, blows, dice, what is left of a brigade, what it takes over into a new turn.

use super::*;

/// The phases of a turn, as they are gone through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// Armies are set down.
    Deployment,
    /// Who goes first.
    #[default]
    Initiative,
    /// Guns fire at any range.
    Bombardment,
    /// Leaders act.
    Command,
    /// Brigades out of control test.
    Control,
    /// Brigades and leaders move.
    Movement,
    /// Guns fire at close range.
    CloseFire,
    /// Foot shoot at lone leaders.
    LoneShots,
    /// Cavalry declare charges.
    Charges,
    /// The charged answer.
    Responses,
    /// Charges are ridden.
    ChargeMoves,
    /// Combats are fought.
    Combat,
    /// Ranks are re-dressed, and the blows of the turn are felt.
    Morale,
    /// It is over.
    Over,
}

/// One brigade of a combat, with what it had when combat began.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Combatant {
    /// Which brigade.
    pub unit: UnitId,
    /// What it fights with.
    pub fighter: Fighter,
    /// How far its opponent's front is.
    pub gap: Length,
    /// Bases of a single line to the left of those that fight.
    #[serde(default)]
    pub left: u8,
    /// And to the right.
    #[serde(default)]
    pub right: u8,
}

/// One combat: sides A and B.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Fight {
    /// The brigades of side A.
    #[serde(default)]
    pub a: Vec<Combatant>,
    /// The brigades of side B.
    #[serde(default)]
    pub b: Vec<Combatant>,
    /// Guns caught up in it.
    #[serde(default)]
    pub guns: Vec<UnitId>,
    /// The hits of A and B, once rolled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hits: Option<[u8; 2]>,
    /// Who has taken his action.
    #[serde(default)]
    pub acted: Vec<UnitId>,
    /// Who has retired or routed.
    #[serde(default)]
    pub gave_way: Vec<UnitId>,
}

/// A roll that brigades under one leader share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GroupRoll {
    /// The brigade that leads the group.
    pub of: UnitId,
    /// The dice named and how they fell: average dice first.
    pub average: u8,
    /// Whether a D6 was added.
    pub d6: u8,
    /// The faces.
    pub faces: [u8; 3],
    /// Those beyond 6 inches of enemy move double.
    pub double: bool,
}

/// A skirmisher who may fall back before a mover.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Approach {
    /// Who moves.
    pub mover: UnitId,
    /// Who may fall back.
    pub skirmisher: UnitId,
    /// How much of the move is left.
    pub left: Length,
    /// The heading of the move, in hundredths of a degree.
    pub heading: i32,
    /// What kind of move it is.
    #[serde(default, skip_serializing_if = "Course::is_straight")]
    pub course: Course,
}

/// What a move follows that somebody's answer interrupts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Course {
    /// A straight line.
    #[default]
    Straight,
    /// A road, at the single distance.
    Road,
    /// A road, at the double.
    DoubleRoad,
    /// An arc: a wheel, after which it may go on.
    Arc,
}

impl Course {
    pub(crate) fn is_straight(&self) -> bool {
        *self == Self::Straight
    }

    /// Along a road, single or double.
    pub(crate) fn road(double: bool) -> Self {
        if double { Self::DoubleRoad } else { Self::Road }
    }
}

/// Something that friends will feel in the morale phase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Blow {
    /// The brigade it befell.
    pub unit: UnitId,
    /// What.
    pub what: BlowKind,
    /// The general lost, where it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leader: Option<OfficerId>,
    /// Where it stood.
    pub at: Pose,
    /// With how many bases, and how many in front.
    pub bases: u8,
    /// Bases in the front rank.
    pub files: u8,
    /// In which formation.
    #[serde(default)]
    pub formation: Formation,
    /// Where its bases stood, where not in even rows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<Point>,
    /// The turn.
    pub turn: u32,
    /// Who has felt it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub felt: Vec<UnitId>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks with a reference")]
pub(super) fn is_zero(number: &u8) -> bool {
    *number == 0
}

/// What is left of a brigade that has lost bases, and how it stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Remains {
    /// Its bases.
    pub bases: u8,
    /// Those in the front rank.
    pub files: u8,
    /// Where it stands.
    pub pose: Pose,
    /// An end that is drawn back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<Refused>,
    /// The end that lost a base last, once its owner has picked one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lost_end: Option<End>,
    /// The bases of a crowd that are not in even rows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<Point>,
    /// What its owner has yet to pick.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closing: Option<Closing>,
    /// The files to the left and right of those in combat, fight by fight.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub beside: Vec<[u8; 2]>,
}

/// What a brigade takes over into a new turn.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fresh {
    /// The dice of its speed.
    pub speed: u8,
    /// What it did in its last movement phase.
    pub last_move: LastMove,
    /// The enemy foot that fired into its move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spared: Option<UnitId>,
    /// A charge that is still to be fought out.
    pub attack: Assault,
    /// It was struck in flank, and that is still to be fought out.
    pub flanked: bool,
    /// What it has left off.
    pub left_off: LeftOff,
    /// Its charge did not reach the enemy.
    pub failed_charge: bool,
}

/// How long a wing has sat still.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Idle {
    /// Turns.
    pub turns: u8,
    /// The challenge that still stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub challenge: Option<Challenge>,
}

/// What is set of a unit; by number in old logs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Set {
    /// Where it stands.
    Place,
    /// The way it faces before the battle.
    Facing,
    /// Its formation.
    Formation,
    /// The way a gun faces, in the battle.
    Turned,
}

/// For what the leaders with a brigade test; by number in old logs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Risk {
    /// Fire.
    Fire,
    /// Close combat.
    Combat,
    /// Other casualties.
    Other,
}

/// A word, or the number that stood for it in old logs.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Coded<T> {
    Word(T),
    Number(u8),
}

pub(super) fn set<'de, D: Deserializer<'de>>(from: D) -> Result<Set, D::Error> {
    Ok(match Coded::deserialize(from)? {
        Coded::Word(word) => word,
        Coded::Number(0) => Set::Place,
        Coded::Number(1) => Set::Facing,
        Coded::Number(3) => Set::Turned,
        Coded::Number(_) => Set::Formation,
    })
}

pub(super) fn risk<'de, D: Deserializer<'de>>(from: D) -> Result<Risk, D::Error> {
    Ok(match Coded::deserialize(from)? {
        Coded::Word(word) => word,
        Coded::Number(0) => Risk::Fire,
        Coded::Number(1) => Risk::Combat,
        Coded::Number(_) => Risk::Other,
    })
}

/// What befell a brigade or general.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum BlowKind {
    /// It routs.
    Routs,
    /// It is destroyed.
    Destroyed,
    /// It retires.
    Retires,
    /// A general is lost.
    GeneralLost,
}
