//! The facts of the roll for an order, read off the table (HZ-ORD-15 to HZ-ORD-24).

use sabretache_engine::decides;
use sabretache_engine::ids::{OfficerId, UnitId};
use sabretache_table::Zone;

use super::super::{reinforce, siege};
use super::{is_forced, units_ordered};
use crate::battle::Battle;
use crate::body::Presence;
use crate::clauses::*;
use crate::situations::OrderSituation;
use crate::state::Addressee;
use crate::table::{Field, command, ground, zones};
use crate::troops::{Arm, Order};

/// The facts of an order roll.
#[must_use]
pub fn situation(field: &Field<'_>, officer: OfficerId, to: Addressee, order: Order) -> OrderSituation {
    let battle = field.battle;
    let units = units_ordered(battle, officer, to);
    let mut facts = plain_facts(battle, officer, to, order);
    let garrison = |unit: UnitId| battle.unit(unit).sector.is_some();
    decides!(HZ_CMD_06, HZ_CMD_07);
    decides!(HZ_ORD_15, HZ_ORD_19);
    facts.in_threat_zone = units.iter().any(|&unit| zones::in_any_zone(field, unit));
    facts.in_dense_terrain = !battle.lay.terrain.is_empty()
        && units.iter().any(|&unit| {
            field.get(unit).is_some_and(|placed| ground::dense_for_orders(battle, placed, garrison(unit)))
        });
    facts.cavalry_ahead = order == Order::Advance && units.iter().any(|&unit| cavalry_ahead(field, unit));
    let radius = battle.radius(officer);
    decides!(HZ_CMD_08, HZ_CMD_09, HZ_CMD_10, HZ_ORD_22);
    facts.in_command = units.iter().all(|&unit| {
        let off_table = battle.unit(unit).presence == Presence::Awaited && reinforce::in_command(battle, officer, unit);
        battle.officer(officer).with == Some(unit) || off_table || command::within_radius(field, officer, unit, radius)
    });
    if order == Order::Advance {
        facts.turns_held_back = reinforce::held_back(battle, &units);
        (facts.wall_levels, facts.trench_levels) = siege::levels_to_scale(field, &units);
    }
    facts
}

/// The facts that need no measuring.
pub(super) fn plain_facts(battle: &Battle, officer: OfficerId, to: Addressee, order: Order) -> OrderSituation {
    let state = battle.officer(officer);
    decides!(HZ_ORD_16, HZ_ORD_21);
    let (moves, others, broken, isolated, own) = match to {
        Addressee::Unit(id) => {
            let unit = battle.unit(id);
            (unit.moves, unit.others, 0, battle.is_isolated(id), battle.facts(id).brigade)
        }
        Addressee::Group(id) => {
            let group = battle.command(id);
            (group.moves, group.others, battle.broken_below_for_orders(id), battle.has_isolated(id), id)
        }
    };
    let mut failed_check = false;
    let mut here = Some(own);
    while let Some(id) = here {
        decides!(HZ_CHK_32, HZ_ORD_17);
        failed_check |= battle.command(id).passed == Some(false);
        here = battle.command_facts(id).above;
    }
    OrderSituation {
        officer: battle.ability(officer),
        level: battle.command_facts(battle.officer_facts(officer).command).level,
        order,
        broken,
        isolated,
        earlier_moves: moves,
        earlier_others: others,
        dearer_moves: battle.lay.options.dear_orders,
        failed_check,
        attached: state.with.is_some(),
        inspirational: state.inspirational,
        forced: is_forced(battle, officer, to, order).is_some(),
        ..OrderSituation::default()
    }
}

/// Whether infantry that advances is near enough to enemy cavalry (HZ-ORD-20).
fn cavalry_ahead(field: &Field<'_>, unit: UnitId) -> bool {
    decides!(HZ_ORD_20);
    let battle = field.battle;
    if battle.facts(unit).arm != Arm::Infantry {
        return false;
    }
    let Some(placed) = field.get(unit) else { return false };
    let facts = battle.facts(unit);
    let depth = battle.lay.length(battle.numbers().zones.depth(facts.arm, battle.unit(unit).formation, facts.guns));
    let reach = battle.allowance(unit) + depth;
    let touch = battle.lay.sizes.touch;
    field.enemies(unit).any(|(enemy, there)| {
        if battle.facts(enemy).arm != Arm::Cavalry {
            return false;
        }
        if zones::threatens(field, enemy, unit) || zones::threatens_basic(field, unit, enemy) {
            return true;
        }
        zones::faces(battle, unit).into_iter().any(|face| {
            let raw = Zone::before(placed, face, reach).cut(field.friends(unit).map(|(_, friend)| friend));
            let screens = zones::ends_zone(field, unit, face, reach);
            let edge = crate::table::shape::lengthened(placed.face(face), touch.f());
            let wide = Zone::from_face(edge, placed.outward(face), raw.depth() + touch);
            wide.nearest(there).is_some() && wide.look(there, screens.iter()).any()
        })
    })
}
