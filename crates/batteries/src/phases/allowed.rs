//! Whether a choice is open now.

use sabretache_engine::offer::{Choice, Halt, Input, Refusal};
use sabretache_engine::resolution::Resolution;
use sabretache_kit::Part;
use sabretache_kit::in_a_sentence;
use sabretache_table::Unit;

use crate::Batteries;
use crate::battle::Battle;
use crate::clauses::BB_SEQ_01;
use crate::offer::Offer;
use crate::phases::formations::command_points::may_form_named;
use crate::phases::formations::offers::Formations;
use crate::phases::{input, moment, not_now};

/// A choice is open now, or is made although it is not; else it is refused.
pub(crate) fn allowed(play: &mut Resolution<'_, Batteries>, choice: &Choice<Offer>) -> Result<(), Halt> {
    match open(play.battle(), choice) {
        Ok(input) => {
            let Err(wrong) = input.check(&choice.value, Unit::Inch) else { return Ok(()) };
            // More than the rules allow, but no more than the table does.
            let battle = play.battle();
            let possible = battle.despite(&choice.offer).is_some_and(|wider| wider.fits(&choice.value));
            let clause = choice.offer.label(battle).clauses.first().copied();
            let breach = input.breach(&choice.value, Unit::Inch, clause).filter(|_| possible);
            let Some(breach) = breach else { return Err(wrong.into()) };
            play.refuse(breach).map_err(|_| Halt::Value(wrong))
        }
        Err(Halt::Refused(said)) => match play.battle().despite(&choice.offer) {
            Some(input) => {
                play.refuse(tidy(said))?;
                Ok(input.check(&choice.value, Unit::Inch)?)
            }
            None => Err(Refusal { impossible: true, ..tidy(said) }.into()),
        },
        Err(halt) => Err(halt),
    }
}

fn tidy(refusal: Refusal) -> Refusal {
    Refusal { sentence: in_a_sentence(&refusal.sentence), ..refusal }
}

/// Whether a choice is open now; the input of its offer.
fn open(battle: &Battle, choice: &Choice<Offer>) -> Result<Input, Halt> {
    let offer = choice.offer;
    if !(moment(battle).admits)(offer) {
        if battle.pending.is_some() {
            return Err(Refusal::new(BB_SEQ_01, "that is not what is to be decided now").into());
        }
        // Those who move in their own phase know best why they do not move in this one.
        input(battle, &offer)?;
        return Err(not_now().into());
    }
    may(battle, offer)?;
    // Of the many forms that a unit might take up only the one that was chosen is looked at.
    if let (Offer::Formations(Formations::Form(unit)), Some(name)) = (offer, choice.value.formation())
        && may_form_named(battle, unit, name)
    {
        return Ok(Input::Formation { of: vec![name.to_owned()] });
    }
    Ok(input(battle, &offer)?)
}

/// Why an offer of this moment is closed, where that is more than its input says.
fn may(battle: &Battle, offer: Offer) -> Result<(), Refusal> {
    match offer {
        Offer::Turn(part) => part.may(battle),
        Offer::Charges(part) => part.may(battle),
        Offer::Aiming(part) => part.may(battle),
        Offer::Tests(part) => part.may(battle),
        Offer::Routs(part) => part.may(battle),
        Offer::Combats(part) => part.may(battle),
        Offer::Pursuits(part) => part.may(battle),
        Offer::Movement(_) | Offer::Formations(_) | Offer::Towns(_) | Offer::Screens(_) | Offer::Generals(_) => Ok(()),
    }
}
