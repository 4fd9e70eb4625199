//! Combats are fought; where figures, dice or hits do not come out even, their owner says where the odd one goes.

use sabretache_engine::clause::Clause;
use sabretache_engine::handle::Handling;
use sabretache_engine::ids::{Named, UnitId};
use sabretache_engine::offer::{Halt, Refusal, Value};
use sabretache_engine::resolution::Resolution;
use sabretache_engine::ruleset::Label;
use sabretache_kit::Part;

use crate::Batteries;
use crate::battle::{Battle, Pending};
use crate::clauses::*;
use crate::event::Event;
use crate::offer::Offer;
use crate::phases::{not_now, turn};
use crate::words::{about, plain};

/// Combats are fought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are units")]
pub enum Combats {
    /// Set an odd die or figure of a unit against one of several equal enemies.
    Favour { unit: UnitId, enemy: UnitId },
    /// Fight all combats.
    Fight,
    /// Let one of several equal units of a garrison bear an odd hit.
    Bear { garrison: UnitId, unit: UnitId },
}

/// Odd dice and figures first, then all combats.
pub(crate) fn offers(battle: &Battle, out: &mut Vec<Offer>) {
    match battle.open_tie() {
        Some((unit, tied)) => out.extend(tied.into_iter().map(|enemy| Offer::from(Combats::Favour { unit, enemy }))),
        None => out.push(Combats::Fight.into()),
    }
}

/// Who may bear an odd hit on a garrison.
pub(crate) fn bearers(battle: &Battle, out: &mut Vec<Offer>) {
    let Some(Pending::Toll { garrison }) = battle.pending else { return };
    out.extend(battle.tied_to_bear(garrison).into_iter().map(|unit| Offer::from(Combats::Bear { garrison, unit })));
}

/// The clause by which the owner of a unit chooses between equal enemies that it fights.
pub(crate) fn favour_clause(battle: &Battle, unit: UnitId, enemy: UnitId) -> Clause {
    match unit {
        _ if battle.unit(unit).inside.is_some() => BB_TWN_16,
        _ if battle.unit(enemy).inside.is_some() => BB_TWN_19,
        _ => BB_COM_29,
    }
}

impl Combats {
    /// Why it is closed now.
    pub(crate) fn may(self, battle: &Battle) -> Result<(), Refusal> {
        let open = match self {
            Self::Favour { unit, enemy } => {
                battle.open_tie().is_some_and(|(asked, tied)| asked == unit && tied.contains(&enemy))
            }
            Self::Fight => battle.open_tie().is_none(),
            Self::Bear { garrison, unit } => {
                let asked = matches!(battle.pending, Some(Pending::Toll { garrison: asked }) if asked == garrison);
                asked && battle.tied_to_bear(garrison).contains(&unit)
            }
        };
        if open { Ok(()) } else { Err(not_now()) }
    }
}

impl Part<Batteries> for Combats {
    fn actor(self) -> Option<Named> {
        match self {
            Self::Favour { unit, .. } => Some(unit.into()),
            Self::Fight => None,
            Self::Bear { garrison, .. } => Some(garrison.into()),
        }
    }

    fn carry_out(self, play: &mut Resolution<'_, Batteries>, _: &Value) -> Result<(), Halt> {
        match self {
            Self::Favour { unit, enemy } => {
                play.happen(Event::Favoured { unit, enemy });
                Ok(())
            }
            Self::Fight => turn::fight(play),
            Self::Bear { garrison, unit } => {
                play.happen(Event::Bears { garrison, unit });
                play.happen(Event::Settled);
                turn::losses_off(play)
            }
        }
    }

    fn key(self, battle: &Battle) -> String {
        match self {
            Self::Favour { unit, enemy } => format!("favour {} against {}", battle.id_of(unit), battle.id_of(enemy)),
            Self::Fight => "fight".into(),
            Self::Bear { unit, .. } => format!("bear {}", battle.id_of(unit)),
        }
    }

    fn label(self, battle: &Battle) -> Label {
        let name = |unit: UnitId| battle.name_of(unit);
        match self {
            Self::Favour { unit, enemy } => {
                let text = format!("{} strikes harder at {}", name(unit), name(enemy));
                about(battle, unit, &text, favour_clause(battle, unit, enemy))
            }
            Self::Fight => plain("Fight all combats", BB_SEQ_07),
            Self::Bear { unit, .. } => about(battle, unit, &format!("{} bears the odd hit", name(unit)), BB_TWN_15),
        }
    }

    fn handling(self, _: &Battle) -> Handling {
        match self {
            Self::Favour { unit, enemy } => Handling::at("favour", [unit], enemy),
            Self::Fight => Handling::end("fight"),
            Self::Bear { unit, .. } => Handling::act("bear", unit),
        }
    }
}
