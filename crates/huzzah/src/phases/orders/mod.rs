//! Orders: who may order whom, and the facts of the roll (HZ-ORD-01 to HZ-ORD-46). Giving them is in [`issuing`]; what the commander
//! in chief alone can order is in [`appointing`] and [`rearming`].

mod appointing;
mod issuing;
mod rearming;

use sabretache_engine::clause::Clause;
use sabretache_engine::decides;
use sabretache_engine::ids::{CommandId, OfficerId, UnitId};
use sabretache_table::{Length, Zone};
use smallvec::SmallVec;

pub(crate) use appointing::{appoint, appoint_too, second_offers};
pub use appointing::{may_appoint, may_appoint_at_all};
pub(crate) use issuing::{done, end, finish, issue, issue_free, lapse_forced, resume};
pub(crate) use rearming::rearm;
pub use rearming::{may_rearm, rearming};

use super::{reinforce, siege};
use crate::battle::Battle;
use crate::body::{OfficerStatus, Presence, SpokeTo};
use crate::clauses::*;
use crate::offer::Offer;
use crate::situations::OrderSituation;
use crate::state::Addressee;
use crate::table::{Field, command, contact, ground, zones};
use crate::troops::{Arm, Forced, Formation, Level, Order};

/// Why something is not allowed.
pub type Barred = (Clause, &'static str);

const ORDERS: [Order; 4] = [Order::Advance, Order::Retire, Order::Manoeuvre, Order::Deploy];

// ------------------------------------------------------------------ who may speak, and to whom

/// Whether an officer may give any order now (HZ-ORD-10, HZ-ORD-11, HZ-ORD-14, HZ-APP-06).
pub fn may_speak(battle: &Battle, officer: OfficerId) -> Result<(), Barred> {
    let state = battle.officer(officer);
    decides!(HZ_ORD_37);
    if battle.officer_facts(officer).side != battle.phasing || state.status != OfficerStatus::Present {
        return Err((HZ_ORD_37, "He is not on the table"));
    }
    decides!(HZ_ORD_10);
    if state.failed {
        return Err((HZ_ORD_10, "He has failed an order this turn"));
    }
    decides!(HZ_ORD_11);
    if state.spoke && another_spoke_since(battle, officer) {
        return Err((HZ_ORD_11, "Another officer has given orders since"));
    }
    decides!(HZ_APP_06);
    if battle.turn < state.orders_from {
        return Err((HZ_APP_06, "He gives orders from next turn on"));
    }
    decides!(HZ_ORD_14);
    if state.with.is_none() && senior_spoke(battle, battle.acts_for(officer)) {
        return Err((HZ_ORD_14, "An officer above him has given orders"));
    }
    Ok(())
}

/// Whether another officer of the same player has given orders since this one did: allies who share a side work side by side
/// (HZ-ORD-11, HZ-GEN-12).
fn another_spoke_since(battle: &Battle, officer: OfficerId) -> bool {
    let own = battle.officer(officer).spoke_at;
    battle.officer_ids().any(|other| {
        other != officer && battle.same_player(other, officer) && {
            let state = battle.officer(other);
            state.spoke && state.spoke_at > own
        }
    })
}

/// Whether an officer above a command, not attached to a unit, has given orders to groups.
fn senior_spoke(battle: &Battle, command: CommandId) -> bool {
    let mut here = battle.command_facts(command).above;
    while let Some(above) = here {
        let spoke = battle.leader(above).is_some_and(|id| {
            let officer = battle.officer(id);
            officer.spoke && officer.spoke_to.is_some() && officer.with.is_none() && battle.acts_for(id) == above
        });
        if spoke {
            return true;
        }
        here = battle.command_facts(above).above;
    }
    false
}

/// Whether a command's own officer, or one between it and the command above, has given orders himself (HZ-ORD-14).
fn junior_spoke(battle: &Battle, command: CommandId, below: CommandId) -> bool {
    let mut here = Some(command);
    while let Some(id) = here.filter(|&id| id != below) {
        let spoke = battle.leader(id).is_some_and(|officer| {
            let state = battle.officer(officer);
            state.spoke && state.with.is_none() && battle.acts_for(officer) == id
        });
        if spoke {
            return true;
        }
        here = battle.command_facts(id).above;
    }
    false
}

/// Whether an officer may order this addressee, whatever the order (HZ-ORD-03 to HZ-ORD-14, HZ-ORD-32, HZ-ORD-37).
pub fn may_address(battle: &Battle, officer: OfficerId, to: Addressee) -> Result<(), Barred> {
    decides!(HZ_ORD_06);
    let state = battle.officer(officer);
    decides!(HZ_OFF_07);
    if let Some(with) = state.with {
        return match to {
            Addressee::Unit(unit) if unit == with => {
                if battle.unit(unit).routing {
                    Err((HZ_ORD_35, "Routing units take no orders"))
                } else {
                    closed_unit(battle, unit)
                }
            }
            _ => Err((HZ_ORD_32, "He is attached to a unit and can order only that")),
        };
    }
    let own = battle.acts_for(officer);
    let level = battle.command_facts(own).level;
    decides!(HZ_ORD_03);
    if level == Level::Army {
        return Err((HZ_ORD_03, "The commander in chief has no direct command"));
    }
    let at = match to {
        Addressee::Unit(_) => SpokeTo::Units,
        Addressee::Group(id) => match battle.command_facts(id).level {
            Level::Brigade => SpokeTo::Brigades,
            Level::Division => SpokeTo::Divisions,
            Level::Corps | Level::Army => SpokeTo::Corps,
        },
    };
    decides!(HZ_ORD_13);
    if state.spoke_to.is_some_and(|level| level != at) {
        return Err((HZ_ORD_13, "He has given orders at another level"));
    }
    match to {
        Addressee::Unit(unit) => {
            if level != Level::Brigade || battle.facts(unit).brigade != own {
                let clause = if level == Level::Corps { HZ_ORD_04 } else { HZ_ORD_06 };
                return Err((clause, "He does not order single units"));
            }
            decides!(HZ_ORD_32);
            if battle.attached_to(unit).is_some() {
                return Err((HZ_ORD_32, "An officer is attached to it and alone orders it"));
            }
            decides!(HZ_ORD_35, HZ_ROU_13);
            if battle.unit(unit).routing {
                return Err((HZ_ORD_35, "Routing units take no orders"));
            }
            decides!(HZ_ORD_09);
            if battle.command(own).silenced {
                return Err((HZ_ORD_09, "Its command receives no further orders this phase"));
            }
            closed_unit(battle, unit)
        }
        Addressee::Group(id) => {
            decides!(HZ_ORD_04);
            if !battle.is_within(id, own) {
                return Err((HZ_ORD_04, "That is not his command"));
            }
            decides!(HZ_ORD_08);
            if level == Level::Brigade && id != own {
                return Err((HZ_ORD_08, "A brigade officer orders his brigade or its units"));
            }
            decides!(HZ_ORD_09);
            if battle.command(id).silenced {
                return Err((HZ_ORD_09, "It receives no further orders this phase"));
            }
            decides!(HZ_ORD_12);
            if battle.command(id).closed {
                return Err((HZ_ORD_12, "It has had its orders"));
            }
            decides!(HZ_REI_14);
            if reinforce::still_to_come(battle, id) {
                return Err((HZ_REI_14, "Part of it is not due to arrive yet"));
            }
            decides!(HZ_ORD_14);
            if id != own && junior_spoke(battle, id, own) {
                return Err((HZ_ORD_14, "Its own officer has given orders"));
            }
            Ok(())
        }
    }
}

fn closed_unit(battle: &Battle, unit: UnitId) -> Result<(), Barred> {
    decides!(HZ_ORD_12);
    if battle.unit(unit).closed {
        return Err((HZ_ORD_12, "It has had its orders"));
    }
    if !battle.is_present(unit) {
        return match reinforce::may_enter(battle, unit) {
            Ok(_) => Ok(()),
            Err((HZ_REI_03, _)) => Err((HZ_QUA_12, "It is not on the table")),
            Err(barred) => Err(barred),
        };
    }
    Ok(())
}

/// The units that an order is for (HZ-ORD-41).
#[must_use]
pub fn units_ordered(battle: &Battle, officer: OfficerId, to: Addressee) -> SmallVec<[UnitId; 16]> {
    decides!(HZ_ORD_41, HZ_ROU_13);
    match to {
        Addressee::Unit(unit) => SmallVec::from_slice(&[unit]),
        Addressee::Group(id) => {
            let own = battle.acts_for(officer);
            battle
                .units_of(id)
                .filter(|&unit| {
                    let brigade = battle.facts(unit).brigade;
                    (battle.is_present(unit) || reinforce::may_enter(battle, unit).is_ok())
                        && !battle.unit(unit).routing
                        && battle.attached_to(unit).is_none()
                        && !battle.command(brigade).silenced
                        && (brigade == own || !junior_spoke(battle, brigade, own))
                })
                .collect()
        }
    }
}

/// Why a unit of a group is left out of an order to it (HZ-ORD-41).
#[must_use]
pub fn why_not_ordered(battle: &Battle, unit: UnitId) -> Barred {
    if battle.unit(unit).routing {
        (HZ_ORD_35, "Routing units take no orders")
    } else if battle.attached_to(unit).is_some() {
        (HZ_ORD_32, "An officer is attached to it and alone orders it")
    } else if battle.command(battle.facts(unit).brigade).silenced {
        (HZ_ORD_09, "Its command receives no further orders this phase")
    } else {
        (HZ_ORD_14, "Its own officer has given orders")
    }
}

/// Whether a unit may act on an order at all: not in contact, blown, under recall or spent (HZ-ORD-43, HZ-ORD-45, HZ-BLO-07).
pub fn may_act(field: &Field<'_>, unit: UnitId, order: Order) -> Result<(), Barred> {
    let battle = field.battle;
    let (state, facts) = (battle.unit(unit), battle.facts(unit));
    if state.presence == Presence::Awaited {
        reinforce::may_enter(battle, unit)?;
        return if order == Order::Advance {
            Ok(())
        } else {
            Err((HZ_REI_03, "Reinforcements come on with an advance order"))
        };
    }
    let recall = state.forced == Some(Forced::Recall);
    if order == Order::Recall {
        decides!(HZ_BLO_08);
        return if recall { Ok(()) } else { Err((HZ_BLO_08, "It needs no recall")) };
    }
    decides!(HZ_BLO_07);
    if recall {
        return Err((HZ_BLO_07, "Cavalry under recall obeys no other order"));
    }
    decides!(HZ_ORD_45, HZ_BLO_03, HZ_BLO_05);
    if state.blown {
        return Err((HZ_ORD_45, "Blown cavalry cannot move until it reforms"));
    }
    decides!(HZ_ADV_11);
    if state.spent {
        return Err((HZ_ADV_11, "It acts on no further orders this phase"));
    }
    decides!(HZ_ORD_43, HZ_RET_04, HZ_DEP_15);
    if contact::touches_enemy(field, unit) || contact::is_engaged(field, unit) {
        return Err((HZ_ORD_43, "It is in contact with the enemy"));
    }
    siege::bound_to_wall(battle, unit, order)?;
    let unlimbered = facts.arm == Arm::Artillery && state.formation == Formation::Line;
    decides!(HZ_ADV_01, HZ_RET_07, HZ_BLD_17, HZ_MAN_05);
    match order {
        Order::Manoeuvre | Order::Deploy if reinforce::hangs_over_edge(field, unit) => {
            Err((HZ_REI_08, "It has still to come on to the table with all it has"))
        }
        Order::Advance if battle.allowance(unit) <= Length::ZERO => {
            Err((HZ_ADV_01, "It cannot move in this formation"))
        }
        Order::Retire if unlimbered => Err((HZ_RET_07, "Unlimbered artillery cannot retire")),
        Order::Retire | Order::Advance if state.formation == Formation::Garrison => {
            Err((HZ_BLD_17, "A garrison leaves by deploying"))
        }
        Order::Manoeuvre if matches!(state.formation, Formation::Square | Formation::Garrison) => {
            Err((HZ_MAN_05, "A square cannot manoeuvre"))
        }
        _ => Ok(()),
    }
}

// ------------------------------------------------------------------ the facts of the roll

/// The facts of an order roll.
#[must_use]
pub fn situation(field: &Field<'_>, officer: OfficerId, to: Addressee, order: Order) -> OrderSituation {
    let battle = field.battle;
    let units = units_ordered(battle, officer, to);
    let mut facts = plain_facts(battle, officer, to, order);
    let garrison = |unit: UnitId| battle.unit(unit).sector.is_some();
    decides!(HZ_CMD_06, HZ_CMD_07);
    facts.in_threat_zone = units.iter().any(|&unit| zones::in_any_zone(field, unit));
    facts.in_dense_terrain = !battle.lay.terrain.is_empty()
        && units.iter().any(|&unit| {
            field.get(unit).is_some_and(|placed| ground::dense_for_orders(battle, placed, garrison(unit)))
        });
    facts.cavalry_ahead = order == Order::Advance && units.iter().any(|&unit| cavalry_ahead(field, unit));
    let radius = battle.radius(officer);
    decides!(HZ_CMD_08, HZ_CMD_09, HZ_CMD_10);
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
fn plain_facts(battle: &Battle, officer: OfficerId, to: Addressee, order: Order) -> OrderSituation {
    let state = battle.officer(officer);
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
        decides!(HZ_CHK_32);
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

/// The unit whose forced order this would be (HZ-FOR-04).
#[must_use]
pub fn is_forced(battle: &Battle, officer: OfficerId, to: Addressee, order: Order) -> Option<UnitId> {
    decides!(HZ_FOR_04);
    let Addressee::Unit(unit) = to else { return None };
    let forced = battle.forced_formation(unit).is_some();
    (order == Order::Deploy && forced && proper_officer(battle, unit) == Some(officer)).then_some(unit)
}

/// Whose business a unit's orders are first: the officer attached to it, or that of its brigade.
#[must_use]
pub fn proper_officer(battle: &Battle, unit: UnitId) -> Option<OfficerId> {
    battle.attached_to(unit).or_else(|| battle.leader(battle.facts(unit).brigade))
}

// ------------------------------------------------------------------ what may be ordered

/// Whether an order may be given, all in all.
pub fn may_order(field: &Field<'_>, officer: OfficerId, to: Addressee, order: Order) -> Result<(), Barred> {
    let battle = field.battle;
    decides!(HZ_ORD_01);
    may_speak(battle, officer)?;
    may_address(battle, officer, to)?;
    decides!(HZ_ORD_36);
    if matches!(order, Order::Appoint | Order::Rearm) {
        return Err((HZ_ORD_36, "That is for the commander in chief"));
    }
    let units = units_ordered(battle, officer, to);
    decides!(HZ_ORD_29);
    if !units.iter().any(|&unit| may_act(field, unit, order).is_ok()) {
        match (to, units.as_slice()) {
            (Addressee::Group(id), []) => reinforce::may_come_on(battle, id)?,
            // Blown cavalry alone: that keeps it from acting, whatever the order.
            (Addressee::Unit(unit), _) if battle.unit(unit).blown => may_act(field, unit, order)?,
            _ => {}
        }
        return Err((HZ_ORD_29, "No unit addressed may act on it"));
    }
    decides!(HZ_ORD_25);
    if !can_be_issued(field, officer, to, order) {
        return Err((HZ_ORD_25, "His rating is too low to issue it"));
    }
    Ok(())
}

/// Whether an officer whose order was a Huzzah! may give this one without a roll, and to whom (HZ-ORD-33).
pub fn may_order_free(field: &Field<'_>, officer: OfficerId, order: Order) -> Result<Addressee, Barred> {
    let battle = field.battle;
    let state = battle.officer(officer);
    decides!(HZ_ORD_33);
    let (true, Some(to)) = (state.free, state.spoke_last) else {
        return Err((HZ_ORD_33, "There is no free order to give"));
    };
    may_speak(battle, officer)?;
    may_address(battle, officer, to)?;
    decides!(HZ_ORD_29);
    if !units_ordered(battle, officer, to).iter().any(|&unit| may_act(field, unit, order).is_ok()) {
        return Err((HZ_ORD_29, "No unit addressed may act on it"));
    }
    Ok(to)
}

/// The rating is above 1 (HZ-ORD-25). Measuring is done only where it could matter.
fn can_be_issued(field: &Field<'_>, officer: OfficerId, to: Addressee, order: Order) -> bool {
    let numbers = field.battle.numbers();
    let mut worst = plain_facts(field.battle, officer, to, order);
    worst.in_threat_zone = true;
    worst.in_dense_terrain = true;
    worst.cavalry_ahead = true;
    (worst.wall_levels, worst.trench_levels) = siege::levels_to_scale(field, &units_ordered(field.battle, officer, to));
    worst.can_be_issued(numbers) || situation(field, officer, to, order).can_be_issued(numbers)
}

/// All orders open to the phasing side.
pub(crate) fn offers(battle: &Battle, out: &mut Vec<Offer>) {
    out.push(Offer::EndOrders);
    let field = Field::of(battle);
    for officer in battle.officer_ids() {
        for order in ORDERS {
            if may_order_free(&field, officer, order).is_ok() {
                out.push(Offer::FreeOrder { officer, order });
            }
        }
    }
    decides!(HZ_ORD_01);
    for officer in battle.officer_ids() {
        if may_speak(battle, officer).is_err() {
            continue;
        }
        addressees(battle, officer, |to| {
            if may_address(battle, officer, to).is_err() {
                return;
            }
            let units = units_ordered(battle, officer, to);
            for order in ORDERS.into_iter().chain([Order::Recall]) {
                if units.iter().any(|&unit| may_act(&field, unit, order).is_ok())
                    && can_be_issued(&field, officer, to, order)
                {
                    out.push(Offer::Order { officer, to, order });
                }
            }
        });
    }
    out.extend(reinforce::unnamed(battle).map(Offer::NameFirst));
    chief_offers(&field, out);
}

/// Whether no officer of the phasing side can issue an order any more (HZ-ORD-44).
#[must_use]
pub fn exhausted(battle: &Battle) -> bool {
    let field = Field::of(battle);
    let may_order = |officer: OfficerId| {
        let mut any = false;
        if may_speak(battle, officer).is_ok() {
            addressees(battle, officer, |to| {
                // Most of the time the first look settles it.
                any = any
                    || ORDERS
                        .into_iter()
                        .chain([Order::Recall])
                        .any(|order| may_order(&field, officer, to, order).is_ok());
            });
        }
        any || ORDERS.into_iter().any(|order| may_order_free(&field, officer, order).is_ok())
    };
    let mut chiefs = Vec::new();
    !battle.officer_ids().any(may_order) && {
        chief_offers(&field, &mut chiefs);
        chiefs.is_empty()
    }
}

/// Everyone an officer might address.
pub fn addressees(battle: &Battle, officer: OfficerId, mut each: impl FnMut(Addressee)) {
    if let Some(with) = battle.officer(officer).with {
        each(Addressee::Unit(with));
        return;
    }
    let own = battle.acts_for(officer);
    let facts = battle.command_facts(own);
    if facts.level == Level::Army {
        return;
    }
    each(Addressee::Group(own));
    if facts.level == Level::Brigade {
        facts
            .units
            .iter()
            .filter(|&&n| matches!(battle.unit(UnitId(n)).presence, Presence::Present | Presence::Awaited))
            .for_each(|&n| each(Addressee::Unit(UnitId(n))));
        return;
    }
    for id in battle.command_ids() {
        if id != own && battle.is_within(id, own) {
            each(Addressee::Group(id));
        }
    }
}

/// Appointing and rearming (HZ-ORD-36).
fn chief_offers(field: &Field<'_>, out: &mut Vec<Offer>) {
    let battle = field.battle;
    if may_command_in_chief(battle).is_err() {
        return;
    }
    for officer in battle.officer_ids() {
        if may_appoint(field, officer).is_ok() {
            out.push(Offer::Appoint(officer));
        }
    }
    if may_rearm(battle).is_ok() {
        out.push(Offer::Rearm);
    }
}

fn may_command_in_chief(battle: &Battle) -> Result<(), Barred> {
    let chief = battle.chief(battle.phasing);
    let state = battle.officer(chief);
    decides!(HZ_OFF_25);
    if matches!(state.status, OfficerStatus::Killed | OfficerStatus::Captured) {
        return Err((HZ_OFF_25, "The commander in chief is lost, and nobody takes his place"));
    }
    may_speak(battle, chief)?;
    decides!(HZ_ORD_36);
    if state.with.is_some() || state.supersedes.is_some() {
        return Err((HZ_ORD_36, "The commander in chief is attached or has superseded an officer"));
    }
    Ok(())
}
