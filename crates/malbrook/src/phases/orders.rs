//! The orders of a wing, and what they leave its brigades free to do.

use sabretache_engine::clause::Clause;
use sabretache_engine::decides;
use sabretache_engine::ids::{OfficerId, UnitId};
use sabretache_engine::offer::Refusal;
use sabretache_table::{Convex, Heading, Length, Segment, Vec2, exact_distance};

use crate::battle::Battle;
use crate::brigade::{Charge, Order};
use crate::clauses::{MB_ORD_02, MB_ORD_03, MB_ORD_04, MB_ORD_10};
use crate::table::lay::{Figure, HAIR};
use crate::troops::{OrderKind, Rank};

/// The order that binds a brigade, and who holds it: the first found up its chain (MB-ORD-01).
fn order_of(battle: &Battle, unit: UnitId) -> Option<(OfficerId, Order)> {
    let mut above = Some(battle.brigade(unit).under);
    while let Some(leader) = above {
        if let Some(order) = battle.leader(leader).order {
            return Some((leader, order));
        }
        above = battle.leader(leader).above;
    }
    None
}

/// The order over a brigade, whether it is held to it or not.
pub(crate) fn order_over(battle: &Battle, unit: UnitId) -> Option<Order> {
    order_of(battle, unit).map(|(_, order)| order)
}

/// The order, where a brigade is held to it: one that a leader controls, unless a senior leader is with it (MB-ORD-10).
fn binding_order(battle: &Battle, unit: UnitId) -> Option<(OfficerId, Order)> {
    decides!(MB_ORD_10);
    decides!(MB_ORD_04);
    let held = matches!(battle.brigade(unit).marks.control.by, Charge::By(_) | Charge::Attached | Charge::Conforms(_));
    let senior = battle.attached_to(unit).any(|leader| battle.leader(leader).rank > Rank::MajorGeneral);
    order_of(battle, unit)
        .filter(|(_, order)| held && !senior && order.kind != OrderKind::Attack && order.position.is_some())
}

fn position(battle: &Battle, order: Order) -> Option<Vec<Vec2>> {
    let entry = battle.fixed.scenario.body.positions.get(usize::from(order.position?))?;
    Some(entry.area.iter().map(|pair| battle.fixed.scenario.measure.point(*pair).v()).collect())
}

/// Whether the wing has come to the position it was to take and defend (MB-ORD-03).
fn arrived(battle: &Battle, leader: OfficerId, area: &[Vec2]) -> bool {
    let side = battle.leader(leader).side;
    battle.of(side).any(|unit| {
        battle.brigade(unit).is_brigade()
            && battle.in_chain(leader, unit)
            && distance_to(area, battle.figure(unit)) <= 0.0
    })
}

/// Whether a move that takes a brigade from one place to another keeps to its orders.
pub(crate) fn keeps_to(battle: &Battle, unit: UnitId, to: &Figure) -> Result<(), Refusal> {
    decides!(MB_ORD_02, MB_ORD_03);
    let Some((leader, order)) = binding_order(battle, unit) else { return Ok(()) };
    let Some(area) = position(battle, order) else { return Ok(()) };
    let (before, after) = (distance_to(&area, battle.figure(unit)), distance_to(&area, to));
    let hair = HAIR.f();
    if order.kind == OrderKind::AdvanceAndDefend && !arrived(battle, leader, &area) {
        return if after <= before + hair {
            Ok(())
        } else {
            no(MB_ORD_03, "its wing is ordered to its position, not away from it")
        };
    }
    if after <= battle.fixed.numbers.position.around.length().f() + hair || after < before {
        return Ok(());
    }
    no(MB_ORD_02, "its wing is ordered to defend its position")
}

/// Whether orders bind a brigade to a position at all.
pub(crate) fn binds(battle: &Battle, unit: UnitId) -> bool {
    binding_order(battle, unit).is_some()
}

/// How far of a straight move its orders allow: nothing shorter is against them if the least is not.
pub(crate) fn ordered(
    battle: &Battle,
    unit: UnitId,
    heading: Heading,
    least: Length,
    most: Length,
) -> Result<Length, Refusal> {
    let pose = battle.brigade(unit).pose;
    let at = |by: Length| Figure::of(battle.brigade(unit), pose.moved(heading, by));
    if keeps_to(battle, unit, &at(most)).is_ok() {
        return Ok(most);
    }
    keeps_to(battle, unit, &at(least))?;
    let (mut low, mut high) = (least, most);
    while high - low > Length::um(50) {
        let middle = low + (high - low).half();
        if keeps_to(battle, unit, &at(middle)).is_ok() { low = middle } else { high = middle }
    }
    Ok(low)
}

/// Whether its orders let a brigade attack an enemy (MB-ORD-02, 03).
pub(crate) fn may_attack(battle: &Battle, unit: UnitId, enemy: UnitId) -> Result<(), Refusal> {
    decides!(MB_ORD_02);
    decides!(MB_ORD_04);
    let Some((leader, order)) = binding_order(battle, unit) else { return Ok(()) };
    let Some(area) = position(battle, order) else { return Ok(()) };
    let reach = battle.fixed.numbers.position.threat.length().f() + HAIR.f();
    let there = battle.figure(enemy);
    if order.kind == OrderKind::AdvanceAndDefend && !arrived(battle, leader, &area) {
        let close = exact_distance(&battle.figure(unit), &there) <= reach;
        return if close { Ok(()) } else { no(MB_ORD_03, "on its way it attacks enemy within 12 inches only") };
    }
    if distance_to(&area, there) <= reach {
        return Ok(());
    }
    no(MB_ORD_02, "the enemy is more than 12 inches from the position it defends")
}

fn no<T>(clause: Clause, why: &str) -> Result<T, Refusal> {
    Err(Refusal::new(clause, why))
}

/// How far a figure is from a polygon; nothing where it reaches into it.
fn distance_to(area: &[Vec2], figure: &Figure) -> f64 {
    if figure.bases.iter().any(|base| crate::phases::morale::within(area, base.as_part().corners)) {
        return 0.0;
    }
    let edges = area.iter().enumerate().map(|(n, from)| Segment::new(*from, area[(n + 1) % area.len()]));
    edges.map(|edge| exact_distance(&Convex::segment(edge), figure)).fold(f64::INFINITY, f64::min)
}
