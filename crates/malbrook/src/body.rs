//! What Malbrook adds to a scenario file.

use sabretache_engine::ids::{OfficerId, Side, UnitId};
use sabretache_engine::scenario::{FileAngle, FilePoint};
use sabretache_table::{Edge, Length};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::brigade::{Aim, LastMove, Marks, Refused, Status};
use crate::event::{Approach, Blow, Fight, GroupRoll, Phase};
use crate::phases::aims::AimEntry;
use crate::phases::closing::{Closing, End};
use crate::phases::fleeing::Falling;
use crate::phases::manoeuvre::Scattering;
use crate::phases::meeting::Met;
use crate::phases::messages::Dispatch;
use crate::phases::options::{Challenge, Options, PlayerEntry};
use crate::phases::passing::Passing;
use crate::situations::MoveDice;
use crate::troops::{Ability, Formation, Grade, Kind, OrderKind, Rank, Style};

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Malbrook's part of a scenario.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Body {
    /// How many turns the battle lasts; 12 when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 200))]
    pub turns: Option<u32>,
    /// The id of the attacker, who goes first in turn one; nobody in a meeting engagement.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attacker: Option<String>,
    /// What the armies have in common.
    #[schemars(length(min = 2, max = 2))]
    pub armies: Vec<ArmyEntry>,
    /// The leaders of both sides.
    #[schemars(length(min = 1, max = 200))]
    pub leaders: Vec<LeaderEntry>,
    /// The brigades, guns, wagons and civilians of both sides.
    #[schemars(length(min = 1, max = 600))]
    pub units: Vec<UnitEntry>,
    /// Positions that orders name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub positions: Vec<PositionEntry>,
    /// Places worth points.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub objectives: Vec<sabretache_engine::scenario::ObjectiveEntry>,
    /// Rules that the battle is fought with.
    #[serde(default, skip_serializing_if = "is_default")]
    pub options: Options,
    /// The players of each side, where there are several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 15))]
    pub players: Vec<PlayerEntry>,
    /// Where a battle in progress stands.
    #[serde(default)]
    pub state: State,
}

/// What the brigades of a side have in common.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ArmyEntry {
    /// The id of the side.
    pub side: String,
    /// The fighting style, where brigades do not give their own.
    pub style: Style,
    /// The army's own edge of the table.
    pub edge: Edge,
}

/// A leader.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LeaderEntry {
    /// A short name without spaces.
    pub id: String,
    /// His name.
    pub name: String,
    /// The id of his side.
    pub side: String,
    /// His rank.
    pub rank: Rank,
    /// How able he is.
    #[serde(default, skip_serializing_if = "is_default")]
    pub ability: Ability,
    /// The leader above him.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub above: Option<String>,
    /// What he leads, in words: "Dutch foot of the centre".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leads: Option<String>,
    /// His command mixes foot and cavalry, with leave.
    #[serde(default, skip_serializing_if = "is_default")]
    pub mixed_command: bool,
    /// Where he is; in the middle of his zone when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<FilePoint>,
    /// The corners of the ground on which his troops are set down.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 64))]
    pub zone: Vec<FilePoint>,
    /// Who steps into his place if he falls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub successor: Option<String>,
    /// He has stepped into it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub succeeded: bool,
    /// What he wants for himself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aim: Option<AimEntry>,
    /// Turns for which his troops have sat still.
    #[serde(default, skip_serializing_if = "is_default")]
    pub idle: u8,
    /// A challenge to his wing, and the umpire's answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub challenge: Option<Challenge>,
    /// Guns that his wing has captured.
    #[serde(default, skip_serializing_if = "is_default")]
    pub guns: u8,
    /// Bases under him at the start, where some are gone already.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started: Option<u32>,
    /// The brigade he is with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attached: Option<String>,
    /// The order of his wing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<OrderEntry>,
    /// He is wounded.
    #[serde(default, skip_serializing_if = "is_default")]
    pub wounded: bool,
    /// He is killed or taken.
    #[serde(default, skip_serializing_if = "is_default")]
    pub lost: bool,
    /// Actions used this turn.
    #[serde(default, skip_serializing_if = "is_default")]
    pub used: u8,
    /// Inspire actions taken this turn.
    #[serde(default, skip_serializing_if = "is_default")]
    pub inspires: u8,
    /// He has ridden in this movement phase.
    #[serde(default, skip_serializing_if = "is_default")]
    pub rode: bool,
}

/// The order of a wing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OrderEntry {
    /// What is ordered.
    pub kind: OrderKind,
    /// The id of the position to defend.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
}

/// A position that orders name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PositionEntry {
    /// A short name without spaces.
    pub id: String,
    /// Its corners.
    #[schemars(length(min = 3, max = 64))]
    pub area: Vec<FilePoint>,
}

/// Part of a mixed brigade.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MixEntry {
    /// What troops.
    pub kind: Kind,
    /// Of which grade.
    pub grade: Grade,
    /// How many bases.
    #[schemars(range(min = 1, max = 12))]
    pub bases: u8,
}

/// A brigade, gun, wagon or crowd.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UnitEntry {
    /// A short name without spaces.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The id of its side.
    pub side: String,
    /// What troops.
    pub kind: Kind,
    /// Their style; the army's when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub style: Option<Style>,
    /// Their grade; guns, wagons and civilians need none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grade: Option<Grade>,
    /// The parts of a mixed brigade; they give its bases and grade.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mix: Vec<MixEntry>,
    /// New style dragoons who act as cavalry only.
    #[serde(default, skip_serializing_if = "is_default")]
    pub acts_as_cavalry: bool,
    /// How many bases.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 100))]
    pub bases: Option<u8>,
    /// The id of the leader it is under.
    pub under: String,
    /// Where the middle of its front is; somewhere in its leader's zone when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<FilePoint>,
    /// Which way it faces, in degrees clockwise from north; away from its own edge when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub facing: Option<FileAngle>,
    /// The turn in which it comes up, at the place given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 200))]
    pub arrives: Option<u32>,
    /// The enemy knows of it, where movement is hidden.
    #[serde(default, skip_serializing_if = "is_default")]
    pub known: bool,
    /// How it stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub formation: Option<Formation>,
    /// How many ranks deep a line is; 1 when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 2))]
    pub ranks: Option<u8>,
    /// Bases in the front rank, where the ranks are not as even as can be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 12))]
    pub files: Option<u8>,
    /// An end of its line that is drawn back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<Refused>,
    /// Where the middle of each base of an unformed brigade is; in even rows when not given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 12))]
    pub places: Vec<FilePoint>,
    /// The colour of its coats, as `#rrggbb`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coat: Option<String>,
    /// The colour of its facings, as `#rrggbb`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub facings: Option<String>,
    /// It mixes kinds of troops, where merging made it so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mixed: Option<bool>,
    /// Whether it may charge with the sword alone, where merging changed that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outrance: Option<bool>,
    /// Width and depth of its bases in micrometres, where they are not those of its kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<[Length; 2]>,
    /// Disorder points.
    #[serde(default, skip_serializing_if = "is_default")]
    #[schemars(range(max = 20))]
    pub dps: u8,
    /// What state it is in.
    #[serde(default, skip_serializing_if = "is_default")]
    pub status: Status,
    /// The dice of last turn.
    #[serde(default, skip_serializing_if = "is_default")]
    #[schemars(range(max = 3))]
    pub speed: u8,
    /// The dice with which it moved in its last movement phase, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_move: Option<MoveDice>,
    /// Its last move was along a road.
    #[serde(default, skip_serializing_if = "is_default")]
    pub last_road: bool,
    /// It retired in its last turn.
    #[serde(default, skip_serializing_if = "is_default")]
    pub last_retired: bool,
    /// The id of the enemy foot that fired into its move last turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spared: Option<String>,
    /// The id of the enemy it pursues.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pursues: Option<String>,
    /// The end of the line that lost a base last, once its owner has picked one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lost_end: Option<End>,
    /// Its charge of last turn never reached the enemy.
    #[serde(default, skip_serializing_if = "is_default")]
    pub failed_charge: bool,
    /// The last shot of a gun.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aim: Option<Aim>,
    /// Where dismounted dragoons left their horses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub horses: Option<FilePoint>,
    /// The id of the brigade with which the crew of an abandoned gun shelters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crew_with: Option<String>,
    /// The brigade of which this is a part that split off, and which part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub split_from: Option<SplitEntry>,
    /// What this turn has left on it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub marks: Marks,
}

/// A part that split off.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SplitEntry {
    /// The id of the brigade.
    pub of: String,
    /// The number of the part, from 1.
    #[schemars(range(min = 1, max = 200))]
    pub part: u8,
}

/// Where a battle in progress stands.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct State {
    /// The turn, counted from 1; 0 for a battle not yet begun.
    pub turn: u32,
    /// The phase.
    pub phase: Phase,
    /// The id of the side whose half of the phase it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub active: Option<String>,
    /// The id of the side that goes first this turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<String>,
    /// Who may choose to go first or second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chooser: Option<Side>,
    /// A control die that may still be shifted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub die: Option<(UnitId, i32)>,
    /// The roll in use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<GroupRoll>,
    /// A move that a skirmisher may fall back from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approach: Option<Approach>,
    /// A move that enemy foot may fire into.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passing: Option<Passing>,
    /// A retirement that may be cut short.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub falling: Option<Falling>,
    /// A charge or pursuit that has come upon somebody else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub met: Option<Met>,
    /// Lines that have lost a base, and whose owners have yet to pick the end.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub closing: Vec<Closing>,
    /// A brigade whose bases move one by one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scattering: Option<Scattering>,
    /// A brigade that moves before others further right.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ahead: Option<UnitId>,
    /// The combats of this phase.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fights: Vec<Fight>,
    /// What friends have yet to feel, or have felt.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub blows: Vec<Blow>,
    /// Which wing took which objective, by their numbers, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub taken: Vec<(u16, OfficerId)>,
    /// Woods and towns that each side has looked into, by their numbers.
    #[serde(skip_serializing_if = "is_default")]
    pub searched: [Vec<u16>; 2],
    /// Which of several players has the floor.
    #[serde(skip_serializing_if = "is_default")]
    pub floor: u8,
    /// Which of them are done with the phase, as bits.
    #[serde(skip_serializing_if = "is_default")]
    pub finished: u16,
    /// Messages under way.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dispatches: Vec<Dispatch>,
    /// Bases of each side at the start, where some are gone already.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started: Option<[u32; 2]>,
    /// Guns of each side at the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guns_started: Option<[u32; 2]>,
}

impl UnitEntry {
    /// The last move as the battle keeps it.
    pub(crate) fn last(&self) -> LastMove {
        let dice = self.last_move.map_or(LastMove::None, LastMove::Dice);
        match (self.last_road, self.last_retired) {
            (true, _) => LastMove::Road,
            (false, true) => LastMove::Retired,
            (false, false) => dice,
        }
    }
}
