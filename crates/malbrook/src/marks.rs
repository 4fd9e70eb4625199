//! What the turn leaves on a brigade: who decides for it, what it has done, how it attacks and answers.

use sabretache_engine::ids::{OfficerId, UnitId};
use sabretache_table::Length;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::brigade::{HaltAt, Status};
use crate::situations::{Band, MoveDice};

mod saved;

use saved::Saved;

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

/// What this turn has left on a brigade, by whose it is and how long it lasts. Scenarios have it all side by side: see `Saved`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Saved", into = "Saved")]
pub struct Marks {
    /// It changed its place in the movement phase.
    pub moved: bool,
    /// It changed its place at any time this turn.
    pub shifted: bool,
    /// It took part in a close combat.
    pub fought: bool,
    /// What its leaders and its control test have made of a brigade.
    pub control: Control,
    /// How much of its move a brigade has used up. Its dice are asked for until the turn is over: by charges, and by the speed of the next turn.
    pub share: Share,
    /// How a brigade has gone in the movement phase, and where it may halt.
    pub way: Way,
    /// What unformed troops, and dragoons on foot, have done in a move of their own or the enemy's.
    pub loose: Loose,
    /// In which ways a brigade or gun has fired.
    pub fire: Fire,
    /// How a brigade answers charges, and rides.
    pub onset: Onset,
    /// What others have done to a brigade: enemy who shot at it or saw it, friends who passed through it.
    pub suffered: Suffered,
    /// What the next turn may take over. All else is over with the turn.
    pub carried: Carried,
}

/// What its leaders and its control test have made of a brigade.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Control {
    /// Who decides what it does.
    pub by: Charge,
    /// It has taken its control test.
    pub tested: bool,
    /// A leader steadied it, or a test halted it.
    pub halted: bool,
}

/// How much of its move a brigade has used up. Its dice are asked for until the turn is over: by charges, and by the speed of the next turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// The dice of this turn's movement phase.
    pub dice: Option<MoveDice>,
    /// Distance of the roll used up already.
    pub spent: Length,
    /// It moves double.
    pub double: bool,
    /// Half of the move went on a manoeuvre.
    pub half: bool,
    /// All of the move has just gone on a change of formation, which a second may follow (MB-MAN-07).
    pub whole: bool,
    /// Its movement phase is over.
    pub done: bool,
    /// Some of it, whom the rest have joined, stood while these rode: it has no third die (MB-MOV-24).
    pub stood: bool,
}

/// How a brigade has gone in the movement phase, and where it may halt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Way {
    /// Its way led over rough ground.
    pub rough: bool,
    /// It has taken a bearing of its own.
    pub bore: bool,
    /// Off straight ahead, in hundredths of a degree.
    pub bearing: i32,
    /// It wheeled in line near enemy.
    pub wheeled: bool,
    /// By how much it wheeled, in hundredths of a degree.
    pub turned: i32,
    /// How far it inclined: to the right, or less than nothing to the left.
    pub aside: Length,
    /// How far it went straight on.
    pub ahead: Length,
    /// It marched along a road.
    pub road: bool,
    /// Where it may halt.
    pub halt_at: Option<HaltAt>,
}

/// What unformed troops, and dragoons on foot, have done in a move of their own or the enemy's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Loose {
    /// It has turned as it liked, being unformed.
    pub faced: bool,
    /// How often its bases were called back as they moved one by one.
    pub gathered: u8,
    /// How far it has fallen back before enemy who came on.
    pub withdrawn: Length,
    /// It has dismounted, and its horses may still be led away.
    pub dismounted: bool,
}

/// In which ways a brigade or gun has fired.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fire {
    /// How far it bombarded, if it did.
    pub bombarded: Option<Band>,
    /// It fired in the close artillery fire phase.
    pub fired_close: bool,
    /// It shot at a lone leader.
    pub shot_at_leader: bool,
    /// It fires into a move.
    pub gave_fire: bool,
}

/// How a brigade answers charges, and rides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Onset {
    /// How it answers a charge.
    pub response: Response,
    /// The dice of its charge.
    pub charge_dice: u8,
    /// It rode through the enemy.
    pub rode_through: bool,
}

/// What others have done to a brigade: enemy who shot at it or saw it, friends who passed through it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Suffered {
    /// Guns shot at it.
    pub shot_at: bool,
    /// Its leaders have tested: for fire, for combat, for other casualties.
    pub risked: [bool; 3],
    /// The enemy foot that fire into its move.
    pub volley: Option<UnitId>,
    /// Friends passed through it without penalty, so that it stays where it is.
    pub passed: bool,
    /// The enemy has seen it this turn.
    pub seen: bool,
}

/// What the next turn may take over. All else is over with the turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Carried {
    /// How it attacks.
    pub attack: Assault,
    /// A charge struck it in flank or rear.
    pub flanked: bool,
    /// It has left off running, and is unformed until it re-forms.
    pub left_off: LeftOff,
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
