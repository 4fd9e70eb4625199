//! Flanks that are refused and straightened again.

use sabretache_engine::handle::Handling;
use sabretache_engine::ids::{Named, UnitId};
use sabretache_engine::offer::{Halt, Input, Refusal, Value};
use sabretache_engine::ruleset::Label;
use sabretache_kit::Part;

use crate::battle::Battle;
use crate::clauses::{MB_MAN_04, MB_MAN_15, MB_MAN_24};
use crate::phases::harm::Play;
use crate::phases::{movement, refused_flank};
use crate::words::{counted, labelled};
use crate::{Malbrook, Offer};

/// The ends of a line, swung or stepped back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum RefusedFlank {
    /// End bases swing back.
    SwingBack { unit: UnitId, left: bool, bases: u8 },
    /// End bases step back.
    StepEnd { unit: UnitId, left: bool, bases: u8 },
    /// A part that was swung back comes forward.
    SwingForward(UnitId),
}

impl Part<Malbrook> for RefusedFlank {
    fn actor(self) -> Option<Named> {
        match self {
            Self::SwingBack { unit, .. } | Self::StepEnd { unit, .. } | Self::SwingForward(unit) => Some(unit.into()),
        }
    }

    fn input(self, battle: &Battle) -> Result<Input, Refusal> {
        match self {
            Self::SwingBack { unit, left, bases } => refused_flank::swing_back_input(battle, unit, left, bases),
            Self::StepEnd { unit, left, bases } => refused_flank::step_end_input(battle, unit, left, bases),
            Self::SwingForward(_) => Ok(Input::None),
        }
    }

    fn carry_out(self, play: &mut Play<'_>, value: &Value) -> Result<(), Halt> {
        match self {
            Self::SwingBack { unit, left, bases } => refused_flank::swing_back(play, unit, left, bases, value.wheel()),
            Self::StepEnd { unit, left, bases } => refused_flank::step_end(play, unit, left, bases, value.distance()),
            Self::SwingForward(unit) => refused_flank::swing_forward(play, unit),
        }
    }

    fn key(self, battle: &Battle) -> String {
        let id = |unit: UnitId| battle.id_of(unit);
        let side = |right: bool| if right { "right" } else { "left" };
        match self {
            Self::SwingBack { unit, left, bases } => format!("swing back {} {bases} {}", id(unit), side(!left)),
            Self::StepEnd { unit, left, bases } => format!("step back {} {bases} {}", id(unit), side(!left)),
            Self::SwingForward(unit) => format!("swing forward {}", id(unit)),
        }
    }

    fn label(self, battle: &Battle) -> Label {
        let name = |unit: UnitId| battle.name_of(unit);
        let back = |does: &str, unit: UnitId, left: bool, bases: u8| {
            let flank = if left { "left" } else { "right" };
            format!("{does} back {} of {} on the {flank}", counted(bases.into(), "base", "bases"), name(unit))
        };
        let (text, unit, clause) = match self {
            Self::SwingBack { unit, left, bases } => (back("Swing", unit, left, bases), Some(unit), MB_MAN_04),
            Self::StepEnd { unit, left, bases } => (back("Step", unit, left, bases), Some(unit), MB_MAN_15),
            Self::SwingForward(unit) => (format!("Wheel the flank of {} forward", name(unit)), Some(unit), MB_MAN_24),
        };
        labelled(battle, text, unit, clause)
    }

    fn handling(self, _battle: &Battle) -> Handling {
        match self {
            Self::SwingBack { unit, .. } => Handling::act("swing_back", unit),
            Self::StepEnd { unit, .. } => Handling::act("step_back", unit),
            Self::SwingForward(unit) => Handling::act("swing_forward", unit),
        }
    }
}

impl RefusedFlank {
    /// Whether it could be taken up, for those that are told of as closed.
    pub(crate) fn may(self, battle: &Battle) -> Result<(), Refusal> {
        match self {
            Self::SwingBack { unit, left, bases } => {
                refused_flank::swing_back_input(battle, unit, left, bases).map(drop)
            }
            Self::StepEnd { unit, left, bases } => refused_flank::step_end_input(battle, unit, left, bases).map(drop),
            Self::SwingForward(unit) => refused_flank::may_swing_forward(battle, unit).map(drop),
        }
    }
}

/// Tells of each way to refuse a flank or straighten again, until the listener has heard enough; whether it has.
pub(crate) fn each_offer(battle: &Battle, unit: UnitId, enough: &mut dyn FnMut(Offer) -> bool) -> bool {
    let brigade = battle.brigade(unit);
    if brigade.refused.is_some() {
        return refused_flank::may_swing_forward(battle, unit).is_ok()
            && enough(RefusedFlank::SwingForward(unit).into());
    }
    if !brigade.kind.is_foot() || !refused_flank::straight_line(brigade) || movement::may_go(battle, unit).is_err() {
        return false;
    }
    for left in [true, false] {
        let swings = |bases: &u8| refused_flank::may_swing_back(battle, unit, left, *bases).is_ok();
        let steps = |bases: &u8| refused_flank::may_step_end(battle, unit, left, *bases).is_ok();
        let swung = (1..brigade.bases).filter(swings).map(|bases| RefusedFlank::SwingBack { unit, left, bases });
        let stepped = (1..=2).filter(steps).map(|bases| RefusedFlank::StepEnd { unit, left, bases });
        if swung.chain(stepped).any(|offer| enough(offer.into())) {
            return true;
        }
    }
    false
}
