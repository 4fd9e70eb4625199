//! What some battles allow beside the rules of the book: a floor that passes from player to player, and challenges before an umpire.

use sabretache_engine::handle::{Group, Handling};
use sabretache_engine::ids::{Named, OfficerId};
use sabretache_engine::offer::{Halt, Value};
use sabretache_engine::ruleset::Label;
use sabretache_kit::Part;

use crate::Malbrook;
use crate::battle::Battle;
use crate::clauses::{MB_UMP_01, MB_UMP_02};
use crate::phases::harm::Play;
use crate::phases::options;
use crate::words::labelled;

/// The floor, and challenges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Optional {
    /// Another player of the side has the floor.
    HandOver(u8),
    /// A wing that sits still is challenged.
    Challenge(OfficerId),
}

impl Part<Malbrook> for Optional {
    fn actor(self) -> Option<Named> {
        match self {
            Self::HandOver(_) | Self::Challenge(_) => None,
        }
    }

    fn carry_out(self, play: &mut Play<'_>, _value: &Value) -> Result<(), Halt> {
        match self {
            Self::HandOver(to) => options::hand_over(play, to),
            Self::Challenge(leader) => options::challenge(play, leader),
        }
    }

    fn key(self, battle: &Battle) -> String {
        let who = |leader: OfficerId| battle.leader_key(leader);
        match self {
            Self::HandOver(to) => format!("hand over to {}", options::player_name(battle, to)),
            Self::Challenge(leader) => format!("challenge {}", who(leader)),
        }
    }

    fn label(self, battle: &Battle) -> Label {
        let who = |leader: OfficerId| battle.leader_name(leader);
        let (text, unit, clause) = match self {
            Self::HandOver(to) => (format!("Give the floor to {}", options::player_name(battle, to)), None, MB_UMP_02),
            Self::Challenge(leader) => {
                (format!("Challenge the wing of {} for sitting still", who(leader)), None, MB_UMP_01)
            }
        };
        labelled(battle, text, unit, clause)
    }

    fn handling(self, _battle: &Battle) -> Handling {
        match self {
            Self::HandOver(_) => Handling::end("hand_over"),
            Self::Challenge(leader) => Handling::act("challenge", leader).of(Group::Order),
        }
    }
}
