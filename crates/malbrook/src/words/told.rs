//! What a choice costs for certain, what it lays itself open to, and whether an interrupt is worth asking about.

use crate::phases::gunnery;
use sabretache_engine::forecast::{Cost, Invitation};
use sabretache_engine::ids::UnitId;
use sabretache_engine::interrupt::Reaction;
use sabretache_engine::ruleset::Ruleset as _;

use crate::Malbrook;
use crate::battle::Battle;
use crate::clauses::{MB_ART_08, MB_GEN_09};
use crate::event::Event;
use crate::offer::Offer;
use crate::words;

/// The price of an event, where it has one.
pub(crate) fn cost(battle: &Battle, event: &Event) -> Option<Cost> {
    let priced = match event {
        Event::Suffered { unit, .. } => unit.index() < battle.units.len(),
        Event::PassedThrough { .. } | Event::HorsesLost { .. } | Event::RiderLost { .. } => true,
        _ => false,
    };
    let told = priced.then(|| words::tell(battle, event))?;
    Some(Cost { text: told.text, clause: told.clauses.first().copied()? })
}

/// Under whose guns a brigade comes that moves or changes, and whose front it comes before.
pub(crate) fn invites(before: &Battle, after: &Battle, offer: &Offer) -> Vec<Invitation> {
    let there = |unit: &UnitId| after.units.get(unit.index()).is_some_and(|one| !one.status.is_gone());
    let Some(unit) = words::unit_of(before, offer).filter(there) else { return Vec::new() };
    let (then, now) = (before.brigade(unit), after.brigade(unit));
    if then.pose == now.pose && then.formation == now.formation {
        return Vec::new();
    }
    let mut out = Vec::new();
    for enemy in after.enemies(now.side).filter(|enemy| !after.brigade(*enemy).status.is_gone()) {
        let name = after.name_of(enemy);
        if after.brigade(enemy).kind.is_gun() {
            if gunnery::may_fire(after, enemy, unit, gunnery::Fire::Direct).is_ok() {
                out.push(Invitation { text: format!("under the guns of {name}"), by: enemy.into(), clause: MB_ART_08 });
            }
        } else if after.faces(enemy, unit, after.fixed.numbers.musketry.length()) {
            out.push(Invitation { text: format!("before the front of {name}"), by: enemy.into(), clause: MB_GEN_09 });
        }
    }
    out
}

/// What is to be known of an interrupt before anybody is asked: whether there is more to do than to let it pass.
pub(crate) fn reaction(battle: &Battle) -> Option<Reaction> {
    let interrupt = Malbrook::interrupt(battle)?;
    let mut offers = Vec::new();
    Malbrook::offers(battle, &mut offers);
    let meaningful = offers.iter().any(|offer| *offer != interrupt.pass);
    Some(Reaction { meaningful, sameness: interrupt.sameness() })
}

/// The brigades that an event shoots at or charges.
pub(crate) fn touched(event: &Event) -> Vec<UnitId> {
    match event {
        Event::Fired { at, .. } | Event::ShellFell { at, .. } | Event::Volley { at, .. } => vec![*at],
        Event::Declared { at, .. } => vec![*at],
        _ => Vec::new(),
    }
}
