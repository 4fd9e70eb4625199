//! What leads from one phase and turn to the next.

use sabretache_engine::handle::Handling;
use sabretache_engine::ids::{Named, UnitId};
use sabretache_engine::offer::{Halt, Value};
use sabretache_engine::ruleset::Label;
use sabretache_kit::Part;

use crate::battle::Battle;
use crate::clauses::{MB_SEQ_02, MB_SEQ_04, MB_SEQ_09};
use crate::phases::harm::Play;
use crate::phases::pending::offers::Answer;
use crate::phases::turn;
use crate::words::{labelled, phase_word};
use crate::{Malbrook, Offer};

/// Initiative, reinforcements, and the end of a half of a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Turn {
    /// Both sides roll.
    RollInitiative,
    /// The winner goes first.
    GoFirst,
    /// The winner goes second.
    GoSecond,
    /// A side has done enough in this phase.
    End,
    /// Reinforcements come up.
    Enter(UnitId),
}

impl Part<Malbrook> for Turn {
    fn actor(self) -> Option<Named> {
        match self {
            Self::Enter(unit) => Some(unit.into()),
            Self::RollInitiative | Self::GoFirst | Self::GoSecond | Self::End => None,
        }
    }

    fn carry_out(self, play: &mut Play<'_>, _value: &Value) -> Result<(), Halt> {
        match self {
            Self::RollInitiative => turn::roll_initiative(play),
            Self::GoFirst => turn::go_first(play),
            Self::GoSecond => turn::go_second(play),
            Self::End => turn::end(play),
            Self::Enter(unit) => turn::enter(play, unit),
        }
    }

    fn key(self, battle: &Battle) -> String {
        let id = |unit: UnitId| battle.id_of(unit);
        match self {
            Self::RollInitiative => "roll initiative".into(),
            Self::GoFirst => "go first".into(),
            Self::GoSecond => "go second".into(),
            Self::End => "end".into(),
            Self::Enter(unit) => format!("enter {}", id(unit)),
        }
    }

    fn label(self, battle: &Battle) -> Label {
        let name = |unit: UnitId| battle.name_of(unit);
        let (text, unit, clause) = match self {
            Self::RollInitiative => ("Roll for initiative".into(), None, MB_SEQ_04),
            Self::GoFirst => ("Go first this turn".into(), None, MB_SEQ_04),
            Self::GoSecond => ("Go second this turn".into(), None, MB_SEQ_04),
            Self::End => (format!("Enough of {}", phase_word(battle.phase)), None, MB_SEQ_02),
            Self::Enter(unit) => (format!("Bring up {}", name(unit)), Some(unit), MB_SEQ_09),
        };
        labelled(battle, text, unit, clause)
    }

    fn handling(self, _battle: &Battle) -> Handling {
        match self {
            Self::RollInitiative => Handling::end("roll"),
            Self::GoFirst => Handling::end("first"),
            Self::GoSecond => Handling::end("second"),
            Self::End => Handling::end("end"),
            Self::Enter(unit) => Handling::act("enter", unit),
        }
    }
}

impl Offer {
    /// Whether it leads on to the next decision by itself: nothing is left to settle after it.
    pub(crate) const fn settles_itself(self) -> bool {
        match self {
            Self::Turn(Turn::RollInitiative | Turn::GoFirst | Turn::GoSecond | Turn::End) => true,
            Self::Answer(answer) => matches!(answer, Answer::LoseEnd { .. }),
            Self::Turn(Turn::Enter(_)) => false,
            Self::Deployment(_) | Self::Gunnery(_) | Self::Command(_) | Self::Messages(_) | Self::ControlTest(_) => {
                false
            }
            Self::Movement(_) | Self::Manoeuvres(_) | Self::RefusedFlank(_) | Self::Merging(_) => false,
            Self::Charges(_) | Self::Combats(_) | Self::Optional(_) => false,
        }
    }
}
