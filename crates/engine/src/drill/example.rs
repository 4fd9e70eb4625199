//! A drill as a worked example: its position fought as a battle, choice by choice, for everybody to look at.

use super::position::{find_offer, value_of};
use super::{Drill, changed};
use crate::clause::Clause;
use crate::log::{DiceSource, Enforcement};
use crate::offer::{Halt, Refusal};
use crate::ruleset::Ruleset;
use crate::scenario::{Document, Scenario};
use crate::session::{Declined, Order, Seat, Session, Setup};

/// What a drill shows on the table.
#[derive(Clone, Debug, PartialEq)]
pub struct Example {
    /// The log of the battle, from the position to the last choice.
    pub log: String,
    /// Why the last choice may not be made, where that is what it shows.
    pub refused: Option<Refusal>,
}

/// Fights a drill on its position, with its dice; `document` is the scenario that it starts from.
pub fn fight<R: Ruleset>(drill: &Drill, document: Document) -> Result<Example, String> {
    let document = changed(document, &drill.set).map_err(|report| report.to_string())?;
    let scenario = Scenario::<R::Body>::read(&document.json).map_err(|report| report.to_string())?;
    let measure = scenario.measure;
    let despite = drill.choices.iter().any(|choice| choice.input().despite);
    let enforcement = if despite { Enforcement::Advise } else { Enforcement::Referee };
    let setup = Setup { enforcement, dice: DiceSource::Typed };
    let (mut session, _) = Session::<R>::begin(&scenario, setup).map_err(|report| report.to_string())?;
    let mut dice = drill.dice.iter().copied();
    for choice in &drill.choices {
        let input = choice.input();
        let (offer, _) = find_offer::<R>(session.battle(), &input.choose).map_err(|stopped| stopped.to_string())?;
        let wanted = R::input(session.battle(), &offer);
        let value = value_of::<R>(session.battle(), measure, &input, &wanted).map_err(|stopped| stopped.to_string())?;
        let mut order = Order { offer: input.choose, value, despite: input.despite, ..Order::default() };
        loop {
            match session.choose(Seat::Umpire, &order) {
                Ok(_) => break,
                Err(Declined::Dice(wanted)) => {
                    let before = order.dice.len();
                    order.dice.extend(dice.by_ref().take(wanted.throw.len()));
                    if order.dice.len() == before {
                        return Err(format!("the dice of the drill give out: {} is to be thrown", wanted.throw));
                    }
                }
                Err(Declined::Halt(Halt::Refused(refusal))) => {
                    return Ok(Example { log: text_of(&session), refused: Some(refusal) });
                }
                // A value beyond its limit: the drill names the clause behind the limit.
                Err(Declined::Halt(Halt::Value(wrong))) if drill.expect.contains_key("refused") => {
                    let clause = drill.expect["refused"].as_str().and_then(Clause::parse);
                    let refused = clause.map(|clause| Refusal::new(clause, wrong.0));
                    return Ok(Example { log: text_of(&session), refused });
                }
                Err(other) => return Err(other.to_string()),
            }
        }
    }
    Ok(Example { log: text_of(&session), refused: None })
}

fn text_of<R: Ruleset>(session: &Session<R>) -> String {
    session.log().to_text().unwrap_or_default()
}
