//! What is said in words: of decisions, of events and what they come to; and the labels of offers put together.

pub(crate) mod outcome;
pub(crate) mod telling;
pub(crate) mod terms;
pub(crate) mod told;

use sabretache_engine::clause::Clause;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::Input;
use sabretache_engine::ruleset::Label;
use sabretache_kit::in_a_sentence;

use crate::battle::{Battle, Pending, Step};
use crate::words::terms::{inches, sentence, side_within};

/// A label about a unit.
pub(crate) fn about(battle: &Battle, unit: UnitId, text: &str, clause: Clause) -> Label {
    let command = Some(battle.facts(unit).brigade);
    Label { text: sentence(text), unit: Some(unit), command, clauses: vec![clause] }
}

/// A label about no unit.
pub(crate) fn plain(text: &str, clause: Clause) -> Label {
    Label { text: sentence(text), unit: None, command: None, clauses: vec![clause] }
}

/// A label about the unit of which something is asked in the middle of something else.
pub(crate) fn asked(battle: &Battle, clause: Clause, text: impl FnOnce(&str) -> String) -> Label {
    match battle.asked_of() {
        Some(unit) => about(battle, unit, &text(battle.name_of(unit)), clause),
        None => plain(&text("It"), clause),
    }
}

/// A side to which a unit goes.
pub(crate) fn sideways(right: bool) -> &'static str {
    if right { "right" } else { "left" }
}

/// An input whose reasons read well.
pub(crate) fn tidy(mut input: Input) -> Input {
    if let Input::Distance { stops, .. } = &mut input {
        for stop in stops {
            stop.why = in_a_sentence(&stop.why);
        }
    }
    input
}

pub(crate) fn decision(battle: &Battle) -> String {
    sentence(&to_decide(battle))
}

fn to_decide(battle: &Battle) -> String {
    let name = |unit: UnitId| battle.name_of(unit);
    match battle.pending {
        Some(Pending::Evade { charger, target, .. }) => {
            format!("{} is charged by {}: stand or evade?", name(target), name(charger))
        }
        Some(Pending::Onward { charger }) => format!("The target of {} has gone: halt or go on?", name(charger)),
        Some(Pending::Overrun { charger }) => format!("{} has run over its target: halt or go on?", name(charger)),
        Some(Pending::Rout { unit, least, .. }) => {
            format!("{} routs {} or more: how far, and facing which way?", name(unit), inches(least))
        }
        Some(Pending::Detour { unit }) => format!("{} cannot pass: round it and on, or halt?", name(unit)),
        Some(Pending::AtOnce { unit, charger }) => {
            format!("{} comes on upon {}: shoot at once?", name(charger), name(unit))
        }
        Some(Pending::Aim { unit }) => format!("{} has equal targets: which of them first?", name(unit)),
        Some(Pending::Toll { .. }) => "Equal units of a garrison are hit: which bears the odd hit?".into(),
        Some(Pending::Refill { screen }) => format!("{} was hit: how many more go out?", name(screen)),
        None => {
            let turn = battle.turn;
            if let Some(launch) = &battle.launch {
                return format!("Turn {turn}: {} sets out to charge: which way?", name(launch.unit));
            }
            match battle.step {
                Step::Initiative => format!("Turn {turn}: roll for the initiative."),
                Step::Choice => {
                    let side = side_within(battle, battle.first);
                    format!("Turn {turn}: the initiative is with {side}. First or second?")
                }
                Step::MoveA | Step::MoveB => {
                    format!("Turn {turn}: it is for {} to move.", side_within(battle, battle.phasing()))
                }
                Step::AimA | Step::AimB => {
                    format!("Turn {turn}: it is for {} to give orders to fire.", side_within(battle, battle.phasing()))
                }
                Step::Combat => format!("Turn {turn}: combats are fought."),
                Step::Over => "The battle is over.".into(),
                Step::Pursuits => match battle.to_pursue() {
                    Some(unit) => format!("Turn {turn}: does {} pursue?", name(unit)),
                    None => format!("Turn {turn}: nobody pursues."),
                },
                _ => format!("Turn {turn}: whose morale is tested first?"),
            }
        }
    }
}
