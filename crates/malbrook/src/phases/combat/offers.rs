//! Combats, and what brigades do after them.

use sabretache_engine::decides;
use sabretache_engine::handle::Handling;
use sabretache_engine::ids::{Named, UnitId};
use sabretache_engine::offer::{Halt, Value};
use sabretache_engine::ruleset::Label;
use sabretache_kit::Part;

use crate::battle::Battle;
use crate::clauses::{MB_CBT_05, MB_RES_14, MB_RES_25};
use crate::phases::harm::Play;
use crate::phases::{after_combat, combat, fleeing};
use crate::situations::{Action, MoveDice};
use crate::words::labelled;
use crate::{Malbrook, Offer};

/// Close combat, and the actions that result from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Combats {
    /// A combat is rolled.
    Fight,
    /// A brigade takes its action after combat.
    Act { unit: UnitId, action: Action },
    /// A brigade goes after one of several who gave way.
    Pursue { unit: UnitId, after: UnitId },
    /// Cavalry ride through.
    RideThrough { unit: UnitId, dice: MoveDice },
}

impl Part<Malbrook> for Combats {
    fn actor(self) -> Option<Named> {
        match self {
            Self::Act { unit, .. } | Self::Pursue { unit, .. } | Self::RideThrough { unit, .. } => Some(unit.into()),
            Self::Fight => None,
        }
    }

    fn carry_out(self, play: &mut Play<'_>, _value: &Value) -> Result<(), Halt> {
        match self {
            Self::Fight => combat::fight(play),
            Self::Act { unit, action } => after_combat::act(play, unit, action, None),
            Self::Pursue { unit, after } => after_combat::act(play, unit, Action::Pursue, Some(after)),
            Self::RideThrough { unit, dice } => after_combat::ride_through(play, unit, dice),
        }
    }

    fn key(self, battle: &Battle) -> String {
        let id = |unit: UnitId| battle.id_of(unit);
        match self {
            Self::Fight => "fight".into(),
            Self::Act { unit, action } => format!("{} {}", action.word(), id(unit)),
            Self::Pursue { unit, after } => format!("pursue {} after {}", id(unit), id(after)),
            Self::RideThrough { unit, dice } => format!("ride through {} {}", id(unit), dice.key()),
        }
    }

    fn label(self, battle: &Battle) -> Label {
        let name = |unit: UnitId| battle.name_of(unit);
        let (text, unit, clause) = match self {
            Self::Fight => ("Fight the next combat".into(), None, MB_CBT_05),
            Self::Act { unit, action } => (format!("{}: {}", name(unit), action.word()), Some(unit), action.clause()),
            Self::Pursue { unit, after } => (format!("{}: pursue {}", name(unit), name(after)), Some(unit), MB_RES_25),
            Self::RideThrough { unit, dice } => {
                (format!("Ride through with {}: {}", dice.words(), name(unit)), Some(unit), MB_RES_14)
            }
        };
        labelled(battle, text, unit, clause)
    }

    fn handling(self, _battle: &Battle) -> Handling {
        match self {
            Self::Fight => Handling::end("fight"),
            Self::Act { unit, action } => Handling::act(act(action), unit),
            Self::Pursue { unit, after } => Handling::act("pursue", unit).to(after),
            Self::RideThrough { unit, .. } => Handling::act("ride_through", unit),
        }
    }
}

pub(crate) fn offers(battle: &Battle, out: &mut Vec<Offer>) {
    let Some(number) = combat::current(battle) else { return };
    if battle.fights[number].hits.is_none() {
        out.push(Combats::Fight.into());
    } else {
        actions(battle, number, out);
    }
}

/// The actions open to the brigade that acts next in a combat.
fn actions(battle: &Battle, number: usize, out: &mut Vec<Offer>) {
    let fight = &battle.fights[number];
    let Some(unit) = after_combat::next(battle, fight) else { return };
    for action in after_combat::actions(battle, fight, unit) {
        decides!(MB_RES_14);
        if action == Action::RideThrough {
            out.push(Combats::RideThrough { unit, dice: MoveDice::new(2, 0) }.into());
            out.push(Combats::RideThrough { unit, dice: MoveDice::new(2, 1) }.into());
            continue;
        }
        let before_it = fleeing::gave_way_before(battle, fight, unit);
        if action == Action::Pursue && before_it.len() > 1 {
            out.extend(before_it.into_iter().map(|after| Offer::from(Combats::Pursue { unit, after })));
        } else {
            out.push(Combats::Act { unit, action }.into());
        }
    }
}

/// What a hand does to have an action taken.
const fn act(action: Action) -> &'static str {
    match action {
        Action::Remain => "stand",
        Action::TakePosition => "take_position",
        Action::RideThrough => "ride_through",
        Action::Retire => "retire",
        Action::Rout => "rout",
        Action::Pursue => "pursue",
    }
}
