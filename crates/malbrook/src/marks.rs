//! What the turn leaves on a brigade: who decides for it, what it has done, how it attacks and answers.

use sabretache_engine::ids::{OfficerId, UnitId};
use sabretache_table::Length;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::brigade::{HaltAt, Status};
use crate::situations::{Band, MoveDice};

/// Who decides what a brigade does this turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Charge {
    /// Nobody yet, or nobody needs to: it stands.
    #[default]
    Unset,
    /// A leader near it.
    By(OfficerId),
    /// A leader who is with it.
    Attached,
    /// It copies a neighbour.
    Conforms(UnitId),
    /// It must test.
    Tests,
    /// It tested and acts as its player wishes.
    Free,
    /// It halts.
    Halts,
    /// It repeats its last move.
    Repeats,
    /// It goes on routing, pursuing or must charge again.
    GoesOn,
}

/// What this turn has left on a brigade.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Marks {
    /// Who decides what it does.
    pub control: Charge,
    /// It has taken its control test.
    pub tested: bool,
    /// A leader steadied it, or a test halted it.
    pub halted: bool,
    /// It changed its place in the movement phase.
    pub moved: bool,
    /// It changed its place at any time this turn.
    pub shifted: bool,
    /// It took part in a close combat.
    pub fought: bool,
    /// Guns shot at it.
    pub shot_at: bool,
    /// How far it bombarded, if it did.
    pub bombarded: Option<Band>,
    /// It fired in the close artillery fire phase.
    pub fired_close: bool,
    /// It shot at a lone leader.
    pub shot_at_leader: bool,
    /// The dice of this turn's movement phase.
    pub dice: Option<MoveDice>,
    /// Distance of the roll used up already.
    pub spent: Length,
    /// It moves double.
    pub double: bool,
    /// Its way led over rough ground.
    pub rough: bool,
    /// It has taken a bearing of its own.
    pub bore: bool,
    /// Half of the move went on a manoeuvre.
    pub half: bool,
    /// All of the move has just gone on a change of formation, which a second may follow (MB-MAN-07).
    pub whole: bool,
    /// Its movement phase is over.
    pub done: bool,
    /// Off straight ahead, in hundredths of a degree.
    pub bearing: i32,
    /// It wheeled in line near enemy.
    pub wheeled: bool,
    /// Its leaders have tested: for fire, for combat, for other casualties.
    pub risked: [bool; 3],
    /// How it attacks.
    pub attack: Assault,
    /// How it answers a charge.
    pub response: Response,
    /// A charge struck it in flank or rear.
    pub flanked: bool,
    /// The dice of its charge.
    pub charge_dice: u8,
    /// It marched along a road.
    pub road: bool,
    /// Where it may halt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub halt_at: Option<HaltAt>,
    /// By how much it wheeled, in hundredths of a degree.
    pub turned: i32,
    /// How far it inclined: to the right, or less than nothing to the left.
    #[serde(skip_serializing_if = "is_nothing")]
    pub aside: Length,
    /// How far it went straight on.
    pub ahead: Length,
    /// Friends passed through it without penalty, so that it stays where it is.
    pub passed: bool,
    /// The enemy foot that fire into its move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub volley: Option<UnitId>,
    /// It fires into a move.
    pub gave_fire: bool,
    /// It rode through the enemy.
    pub rode_through: bool,
    /// How far it has fallen back before enemy who came on.
    pub withdrawn: Length,
    /// It has turned as it liked, being unformed.
    pub faced: bool,
    /// How often its bases were called back as they moved one by one.
    pub gathered: u8,
    /// It has dismounted, and its horses may still be led away.
    pub dismounted: bool,
    /// The enemy has seen it this turn.
    pub seen: bool,
    /// Some of it, whom the rest have joined, stood while these rode: it has no third die (MB-MOV-24).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub stood: bool,
    /// It has left off running, and is unformed until it re-forms.
    #[serde(skip_serializing_if = "LeftOff::is_nothing")]
    pub left_off: LeftOff,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks with a reference")]
fn is_nothing(length: &Length) -> bool {
    *length == Length::ZERO
}

/// What a brigade that is unformed has left off: it does not run, and pursuers that come upon it meet fresh enemy (MB-RES-23).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LeftOff {
    /// Nothing: if it is unformed, it is for having retired.
    #[default]
    Nothing,
    /// It has rallied from rout.
    Rout,
    /// It has left off pursuing, or looting.
    Pursuit,
}

impl LeftOff {
    fn is_nothing(&self) -> bool {
        *self == Self::Nothing
    }

    pub(crate) fn of(status: Status) -> Self {
        match status {
            Status::Routing => Self::Rout,
            Status::Pursuing | Status::Looting => Self::Pursuit,
            _ => Self::Nothing,
        }
    }
}

/// How a brigade attacks in the combat phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Assault {
    /// It does not.
    #[default]
    None,
    /// It has declared a charge.
    Declared {
        /// At whom.
        at: UnitId,
        /// With the sword alone.
        outrance: bool,
        /// Off straight ahead, in hundredths of a degree.
        bearing: i32,
    },
    /// It has charged and touched.
    Charged {
        /// With the sword alone.
        outrance: bool,
    },
    /// It came into contact by a pursuit.
    Pursued,
    /// It charged and did not touch.
    Missed,
}

/// How a brigade that is charged answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Response {
    /// Not yet.
    #[default]
    None,
    /// It stands to receive.
    Stands,
    /// It rides to meet this enemy.
    CounterCharges(UnitId),
    /// It gets away from this enemy.
    Evades(UnitId),
}
