//! What an order to shoot may come to, before the phase has come to its end.

use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::{Choice, Halt};
use sabretache_engine::resolution::{Purpose, Resolution, Wanted};

use super::{Moment, fire, take_losses};
use crate::Batteries;
use crate::battle::{Battle, Step};
use crate::event::Event;
use crate::offer::Offer;
use crate::phases::morale::Over;
use crate::phases::resolve;
use crate::phases::shooting::offers::Aiming;
use crate::situations::Morale;

/// An order to shoot is written down now and carried out with all the others. For the odds it is carried out at once and alone: its
/// dice, its losses, and the test of those that it hits hard. What the others do to the same target comes on top.
pub(crate) fn foresee(play: &mut Resolution<'_, Batteries>, choice: &Choice<Offer>) -> Result<(), Halt> {
    resolve(play, choice)?;
    let Offer::Aiming(Aiming::Shoot { .. } | Aiming::ShootFrom { .. }) = choice.offer else { return Ok(()) };
    let Some(order) = play.battle().shots.last().cloned() else { return Ok(()) };
    let Some(kind) = play.battle().fire_of(order.unit, order.shot) else { return Ok(()) };
    for aim in play.battle().aims(&order) {
        fire(play, order.unit, &aim, kind, Moment::Phase)?;
    }
    take_losses(play);
    play.happen(Event::Began { step: Step::HitTests });
    let enemy = play.battle().side(order.at);
    for unit in play.battle().due(enemy) {
        holds(play, unit)?;
    }
    Ok(())
}

/// The test alone, without the rout that may follow it.
fn holds(play: &mut Resolution<'_, Batteries>, unit: UnitId) -> Result<(), Halt> {
    let battle = play.battle();
    let (morale, numbers) = (battle.nerve(unit, Over::Shock), battle.numbers().clone());
    let Some(why) = morale.reason(&numbers) else { return Ok(()) };
    let test = morale.test(&numbers);
    let purpose = Purpose { what: "morale", of: Some(unit.into()), side: battle.side(unit) };
    let read = |_: &Battle, total| morale.read(total, &numbers).passes;
    let passed = play.roll_for(purpose, &test, &Morale::throw(), Wanted::AtLeast(test.target()), read)?;
    play.happen(Event::Tested { unit, passed, why });
    Ok(())
}
