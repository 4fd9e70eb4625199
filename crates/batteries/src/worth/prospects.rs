//! What is under way and not yet decided, for computer players: fights to come, and shots that are ordered.

use sabretache_engine::ids::{Side, UnitId};
use sabretache_engine::ruleset::Judgement;

use crate::battle::{Battle, Contact, Kind, Order};
use crate::phases::morale::Over;
use crate::troops::{Arm, Grade};
use crate::worth::material;

/// How much a fight turns on who deals more hits, beyond the hits themselves: the loser tests.
const SWING: f64 = 30.0;
/// What a rout takes from a unit's worth: figures, order, and the ground that it has won.
const ROUT: f64 = 0.4;
/// What is gained by having charged, where the fight looks no worse than even: whoever waits is charged.
const PRESS: f64 = 12.0;
/// What a fight must promise, by the present judgement, to be sought before the enemy seeks it.
const PROMISING: f64 = 6.0;
/// A volley that is likely to make its target test.
const SHAKES: f64 = 6.0;

/// What fights to come promise a side, and what urges it to seek them.
pub(crate) fn fights(battle: &Battle, side: Side, judgement: Judgement) -> (f64, f64) {
    let (mut points, mut urge) = (0.0, 0.0);
    // A fight that promises nothing is not sought for its own sake.
    let least = if judgement.is_present() { PROMISING } else { -5.0 };
    for contact in &battle.contacts {
        let promise = fight(battle, contact, judgement);
        if battle.side(contact.charger) == side {
            points += promise;
            urge += if contact.fresh && promise > least { PRESS } else { 0.0 };
        } else {
            points -= promise;
        }
    }
    (points, urge)
}

/// What a contact promises the charger: hits to come, and the tests that follow; those who are overrun are as good as gone.
fn fight(battle: &Battle, contact: &Contact, judgement: Judgement) -> f64 {
    let (charger, target) = (contact.charger, contact.target);
    let open = battle.unit(target).inside.is_none() && battle.close_order(charger) && !battle.close_order(target);
    if open && contact.fresh && !contact.overrun && !battle.in_works(battle.outline(target)) {
        let gone = material(battle, target) * 0.7;
        if judgement == Judgement::First {
            return gone;
        }
        // Guns fire canister before they are reached.
        let shot = if contact.flank { 0.0 } else { volley(battle, target, judgement) };
        let comes = holds(battle, charger, shot);
        return comes * gone - (1.0 - comes) * material(battle, charger) * ROUT - shot * each(battle, charger);
    }
    let (dealt, suffered) = (blows(battle, charger, target), blows(battle, target, charger));
    let swing = (dealt - suffered) / (dealt + suffered + 0.5);
    let blows = dealt * each(battle, target) - suffered * each(battle, charger) + swing * SWING;
    if !contact.fresh {
        return blows;
    }
    // First the charger has to come home, then the other to stand.
    // Several who charge the same enemy share his fire.
    let chargers = battle.contacts.iter().filter(|other| other.target == target && other.fresh).count().max(1);
    let shot = if contact.flank { 0.0 } else { volley(battle, target, judgement) / chargers as f64 };
    let (comes, stands) = (holds(battle, charger, shot), holds(battle, target, 0.0));
    let routs = |unit: UnitId| material(battle, unit) * ROUT;
    let comes_to = comes * (stands * blows + (1.0 - stands) * routs(target)) - (1.0 - comes) * routs(charger);
    comes_to - shot * each(battle, charger)
}

/// The hits that a unit may score on somebody who charges its front.
fn volley(battle: &Battle, unit: UnitId, judgement: Judgement) -> f64 {
    let (state, facts) = (battle.unit(unit), battle.facts(unit));
    if state.now.fired || state.now.routed || battle.locked(unit) {
        return 0.0;
    }
    let shooting = &battle.numbers().shooting;
    let dice = match facts.kind {
        Kind::Horse { .. } => return 0.0,
        Kind::Guns { .. } if state.limbered || state.away || state.now.moved => return 0.0,
        Kind::Guns { .. } if judgement == Judgement::First => f64::from(state.guns),
        // Two dice for each gun that is served.
        Kind::Guns { .. } => 2.0 * f64::from(state.guns),
        Kind::Foot { .. } => f64::from(state.ranks(facts).first) / 4.0,
    };
    let row = if battle.arm(unit) == Arm::Guns { &shooting.field_canister } else { &shooting.musket_close };
    let mut score = i32::from(row.normal.unwrap_or(10));
    score += if state.shaken { 2 } else { 0 } + if state.disordered || battle.skirmishing(unit) { 1 } else { 0 };
    score -= if matches!(facts.grade, Grade::A | Grade::B) { 1 } else { 0 };
    dice * chance(score)
}

/// The chance that a unit passes the test that a charge asks of it now.
fn holds(battle: &Battle, unit: UnitId, hits: f64) -> f64 {
    if battle.unit(unit).now.tested {
        return 1.0;
    }
    let mut nerve = battle.nerve(unit, Over::Shock);
    nerve.hits += hits.round() as u16;
    if nerve.reason(battle.numbers()).is_none() {
        return 1.0;
    }
    f64::from((11 - nerve.test(battle.numbers()).target()).clamp(0, 10)) / 10.0
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

/// What a shot that is ordered promises: hits on the enemy, and on friends who stand in its way.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Promise {
    pub(crate) enemy: f64,
    pub(crate) friends: f64,
}

/// A friend hit counts for more than an enemy: whoever fires need not.
const OWN_MEN: f64 = 2.0;

/// What the shots that are ordered promise a side.
pub(crate) fn shots(battle: &Battle, side: Side, judgement: Judgement) -> f64 {
    let promised = battle.shots.iter().map(|order| {
        let promise = battle.promised(order, || promise(battle, order));
        let friends = if judgement.is_present() { OWN_MEN * promise.friends } else { 0.0 };
        let promise = promise.enemy - friends;
        if battle.side(order.unit) == side { promise } else { -promise }
    });
    promised.sum()
}

fn promise(battle: &Battle, order: &Order) -> Promise {
    let Some(fire) = battle.fire_of(order.unit, order.shot) else { return Promise::default() };
    let mut points = Promise::default();
    for aim in battle.aims(order) {
        let facts = battle.shot_facts(order.unit, &aim, fire);
        if facts.score(battle.numbers()).is_none() {
            continue;
        }
        let dice = aim.dice.unwrap_or_else(|| facts.dice(battle.numbers()));
        let hits = f64::from(dice) * chance(facts.test(battle.numbers()).target());
        // Most hits on guns come to nothing.
        let share = if battle.battery(aim.target) { 0.4 } else { 1.0 };
        points.enemy += hits * share * each(battle, aim.target) + if hits * share >= 1.4 { SHAKES } else { 0.0 };
        for (friend, facts) in battle.friends_in_the_way(order.unit, &aim, fire) {
            let hits =
                f64::from(facts.dice(battle.numbers()).min(dice)) * chance(facts.test(battle.numbers()).target());
            points.friends += hits * each(battle, friend) + if hits >= 1.4 { SHAKES } else { 0.0 };
        }
    }
    points
}
