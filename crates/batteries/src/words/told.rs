//! What a choice costs for certain, what it lays itself open to, and whether an interrupt is worth asking about.

use sabretache_engine::forecast::{Cost, Invitation};
use sabretache_engine::ids::UnitId;
use sabretache_engine::interrupt::Reaction;
use sabretache_engine::ruleset::Ruleset as _;
use sabretache_kit::Part;

use crate::Batteries;
use crate::battle::{Battle, Pending, Place};
use crate::clauses::BB_SHO_07;
use crate::event::Event;
use crate::offer::Offer;
use crate::phases::charges::offers::Charges;
use crate::words::telling;
use crate::words::terms::shot_word;

/// The price of an event, where it has one.
pub(crate) fn cost(battle: &Battle, event: &Event) -> Option<Cost> {
    match event {
        Event::Disordered { .. }
        | Event::Shaken { .. }
        | Event::Cramped { .. }
        | Event::PassedThrough { .. }
        | Event::WentThrough { .. }
        | Event::PointSpent { .. }
        | Event::Reforming { .. }
        | Event::HeldUp { .. } => {
            let told = telling::tell(battle, event);
            Some(Cost { text: told.text, clause: told.clauses.first().copied()? })
        }
        _ => None,
    }
}

/// Under whose fire a unit comes that moves or changes.
pub(crate) fn invites(before: &Battle, after: &Battle, offer: &Offer) -> Vec<Invitation> {
    let on_table = |unit: &UnitId| after.units.get(unit.index()).is_some_and(|one| one.place == Place::Table);
    let Some(unit) = offer.label(before).unit.filter(on_table) else { return Vec::new() };
    let (then, now) = (before.unit(unit), after.unit(unit));
    if then.pose == now.pose && then.formation == now.formation {
        return Vec::new();
    }
    let mut out = Vec::new();
    for enemy in after.enemies(unit) {
        if after.in_contact(enemy) || after.unit(enemy).limbered {
            continue;
        }
        let shot = after.ammunition(enemy).iter().find(|shot| after.aim(enemy, unit, **shot).is_ok());
        if let Some(shot) = shot {
            let text = format!("under the fire of {}{}", after.name_of(enemy), shot_word(*shot));
            out.push(Invitation { text, by: enemy.into(), clause: BB_SHO_07 });
        }
    }
    out
}

/// What is to be known of a charge before its target is asked: whether it can do anything but stand.
pub(crate) fn reaction(battle: &Battle) -> Option<Reaction> {
    let interrupt = Batteries::interrupt(battle)?;
    let mut offers = Vec::new();
    Batteries::offers(battle, &mut offers);
    let meaningful =
        offers.iter().any(|offer| matches!(offer, Offer::Charges(Charges::Evade { .. } | Charges::FireFirst)));
    Some(Reaction { meaningful, sameness: interrupt.sameness() })
}

/// The units that an event shoots at or charges.
pub(crate) fn touched(event: &Event) -> Vec<UnitId> {
    match event {
        Event::Fired { at, .. } => vec![*at],
        Event::Touched { contact } => vec![contact.target],
        Event::Asked { pending: Pending::Evade { target, .. } } => vec![*target],
        _ => Vec::new(),
    }
}
