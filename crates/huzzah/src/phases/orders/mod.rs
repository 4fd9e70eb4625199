//! Orders: what may be ordered (HZ-ORD-01 to HZ-ORD-46). Who may speak to whom is in [`addressing`], the facts of
//! the roll are in [`facts`]; giving orders is in [`issuing`], and what the commander in chief alone can order in [`appointing`] and
//! [`rearming`].

mod addressing;
mod appointing;
mod facts;
mod issuing;
pub mod offers;
mod rearming;

use sabretache_engine::clause::Clause;
use sabretache_engine::decides;
use sabretache_engine::ids::{OfficerId, UnitId};
use sabretache_table::Length;

pub use addressing::{may_address, may_speak, units_ordered, why_not_ordered};
pub(crate) use appointing::{appoint, appoint_too};
pub use appointing::{may_appoint, may_appoint_at_all};
use facts::plain_facts;
pub use facts::situation;
pub(crate) use issuing::{done, end, finish, issue, issue_free, lapse_forced, resume};
pub(crate) use rearming::rearm;
pub use rearming::{may_rearm, rearming};

use super::{reinforce, siege};
use crate::battle::Battle;
use crate::body::{OfficerStatus, Presence};
use crate::clauses::*;
use crate::state::Addressee;
use crate::table::{Field, contact};
use crate::troops::{Arm, Forced, Formation, Level, Order};

/// Why something is not allowed.
pub type Barred = (Clause, &'static str);

const ORDERS: [Order; 4] = [Order::Advance, Order::Retire, Order::Manoeuvre, Order::Deploy];

/// The orders that are given to troops: those four, and the recall of blown cavalry.
fn to_troops() -> impl Iterator<Item = Order> {
    ORDERS.into_iter().chain([Order::Recall])
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
        Order::Manoeuvre if state.formation == Formation::Garrison => {
            Err((HZ_BLD_17, "A garrison leaves by deploying"))
        }
        Order::Manoeuvre if state.formation == Formation::Square => Err((HZ_MAN_05, "A square cannot manoeuvre")),
        _ => Ok(()),
    }
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

/// Whether no officer of the phasing side can issue an order any more (HZ-ORD-44).
#[must_use]
pub fn exhausted(battle: &Battle) -> bool {
    let field = Field::of(battle);
    let may_order = |officer: OfficerId| {
        let mut any = false;
        if may_speak(battle, officer).is_ok() {
            addressees(battle, officer, |to| {
                // Most of the time the first look settles it.
                any = any || to_troops().any(|order| may_order(&field, officer, to, order).is_ok());
            });
        }
        any || to_troops().any(|order| may_order_free(&field, officer, order).is_ok())
    };
    let mut chiefs = Vec::new();
    !battle.officer_ids().any(may_order) && {
        offers::chief_offers(&field, &mut chiefs);
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
