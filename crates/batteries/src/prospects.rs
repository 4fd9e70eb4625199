//! What is under way and not yet decided, for computer players: fights to come, and shots that are ordered.

use sabretache_engine::ids::{Side, UnitId};

use crate::battle::{Battle, Contact, Order};
use crate::worth::material;

/// How much a fight turns on who deals more hits, beyond the hits themselves: the loser tests.
const SWING: f64 = 30.0;
/// What is gained by having charged, where the fight looks no worse than even: whoever waits is charged.
const PRESS: f64 = 12.0;
/// A volley that is likely to make its target test.
const SHAKES: f64 = 6.0;

/// What fights to come promise a side, and what urges it to seek them.
pub(crate) fn fights(battle: &Battle, side: Side) -> (f64, f64) {
    let (mut points, mut urge) = (0.0, 0.0);
    for contact in &battle.contacts {
        let promise = fight(battle, contact);
        if battle.side(contact.charger) == side {
            points += promise;
            urge += if contact.fresh && promise > -5.0 { PRESS } else { 0.0 };
        } else {
            points -= promise;
        }
    }
    (points, urge)
}

/// What a contact promises the charger: hits to come, and the tests that follow; those who are overrun are as good as gone.
fn fight(battle: &Battle, contact: &Contact) -> f64 {
    let (charger, target) = (contact.charger, contact.target);
    let open = battle.unit(target).inside.is_none() && battle.close_order(charger) && !battle.close_order(target);
    if open && contact.fresh && !contact.overrun && !battle.in_works(battle.outline(target)) {
        return material(battle, target) * 0.7;
    }
    let (dealt, suffered) = (blows(battle, charger, target), blows(battle, target, charger));
    let swing = (dealt - suffered) / (dealt + suffered + 0.5);
    dealt * each(battle, target) - suffered * each(battle, charger) + swing * SWING
}

/// The hits that a unit is likely to score on an enemy in the next round.
fn blows(battle: &Battle, unit: UnitId, enemy: UnitId) -> f64 {
    let blows = battle.blows(unit);
    let at = blows.iter().find(|(other, ..)| *other == enemy);
    at.map_or(0.0, |(_, blow, dice)| f64::from(*dice) * chance(blow.test(battle.numbers()).target()))
}

/// The chance that a die reaches a score: 1 never does and 10 always.
fn chance(score: i32) -> f64 {
    f64::from((11 - score).clamp(1, 9)) / 10.0
}

/// What a figure of a unit is worth.
fn each(battle: &Battle, unit: UnitId) -> f64 {
    material(battle, unit) / f64::from(battle.unit(unit).figures.max(1))
}

/// What the shots that are ordered promise a side.
pub(crate) fn shots(battle: &Battle, side: Side) -> f64 {
    let promised = battle.shots.iter().map(|order| {
        let promise = battle.promised(order, || promise(battle, order));
        if battle.side(order.unit) == side { promise } else { -promise }
    });
    promised.sum()
}

fn promise(battle: &Battle, order: &Order) -> f64 {
    let Some(fire) = battle.fire_of(order.unit, order.shot) else { return 0.0 };
    let mut points = 0.0;
    for aim in battle.aims(order) {
        let facts = battle.shot_facts(order.unit, &aim, fire);
        if facts.score(battle.numbers()).is_none() {
            continue;
        }
        let dice = aim.dice.unwrap_or_else(|| facts.dice(battle.numbers()));
        let hits = f64::from(dice) * chance(facts.test(battle.numbers()).target());
        // Most hits on guns come to nothing.
        let share = if battle.battery(aim.target) { 0.4 } else { 1.0 };
        points += hits * share * each(battle, aim.target) + if hits * share >= 1.4 { SHAKES } else { 0.0 };
    }
    points
}
