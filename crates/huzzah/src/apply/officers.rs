//! What events do to officers, and to who may still give orders.

use sabretache_engine::ids::{OfficerId, Side};
use sabretache_table::Length;

use crate::battle::Battle;
use crate::body::{OfficerStatus, SpokeTo};
use crate::event::Event;
use crate::state::{Addressee, Fleeing, Stage};
use crate::troops::{Level, Order};

/// Officers ride, join units and leave them, flee, fall, take over and are appointed.
pub(super) fn fold(battle: &mut Battle, event: &Event) {
    match event {
        Event::OfficerMoves { officer, at, ride } => {
            others_have_moved(battle, *officer);
            let officer = &mut battle.officers[officer.index()];
            officer.at = *at;
            officer.ridden += *ride;
        }
        Event::OfficerShifted { officer, at } | Event::GoesAlong { officer, at } => {
            battle.officers[officer.index()].at = *at;
        }
        Event::Flees { officer, returns } => {
            battle.doing.fleeing.push(Fleeing { officer: *officer, returns: *returns });
        }
        Event::SeeksRefuge { then } => {
            battle.stage = Stage::Refuge;
            battle.doing.then = Some(*then);
        }
        Event::Attaches { officer, unit } => {
            others_have_moved(battle, *officer);
            flees_no_more(battle, *officer);
            let officer = &mut battle.officers[officer.index()];
            officer.with = Some(*unit);
            officer.moved = true;
        }
        Event::Detaches { officer, at } => {
            others_have_moved(battle, *officer);
            let officer = &mut battle.officers[officer.index()];
            officer.with = None;
            officer.at = *at;
            officer.detached = true;
        }
        Event::OfficerGone { officer, status, .. } => {
            flees_no_more(battle, *officer);
            let turn = battle.turn;
            let officer = &mut battle.officers[officer.index()];
            officer.status = *status;
            officer.with = None;
            officer.supersedes = None;
            officer.lost = turn;
        }
        Event::OfficerComes { officer, at } => {
            flees_no_more(battle, *officer);
            let officer = &mut battle.officers[officer.index()];
            officer.status = OfficerStatus::Present;
            officer.at = *at;
        }
        Event::Supersedes { officer, command } => {
            let turn = battle.turn;
            let officer = &mut battle.officers[officer.index()];
            officer.supersedes = Some(*command);
            officer.superseded_in = turn;
        }
        Event::Relinquishes { officer } => {
            let officer = &mut battle.officers[officer.index()];
            officer.supersedes = None;
            officer.relinquished = true;
        }
        Event::Appointed { officer, ability, at, orders_from } => {
            let officer = &mut battle.officers[officer.index()];
            officer.status = OfficerStatus::Present;
            officer.ability = Some(*ability);
            officer.inspirational = false;
            officer.at = *at;
            officer.orders_from = *orders_from;
            officer.lost = 0;
        }
        Event::Appointing { side } => {
            let army = &mut battle.armies[side.index()];
            army.appointments = army.appointments.saturating_add(1);
            chief_speaks(battle, *side);
        }
        Event::Rearming { side } => {
            let army = &mut battle.armies[side.index()];
            army.rearms = army.rearms.saturating_add(1);
            chief_speaks(battle, *side);
        }
        Event::Rearmed { contingent, factor } => {
            battle.factors[usize::from(*contingent)] = *factor;
            for (unit, facts) in battle.units.iter_mut().zip(&battle.lay.units) {
                if facts.contingent == *contingent && facts.arm == crate::troops::Arm::Artillery {
                    unit.bombardments = *factor;
                }
            }
        }
        _ => {}
    }
}

/// An officer has found his place, or is lost.
fn flees_no_more(battle: &mut Battle, officer: OfficerId) {
    battle.doing.fleeing.retain(|one| one.officer != officer);
}

/// An order is issued: it counts for what comes after, and other doors close (HZ-ORD-11 to HZ-ORD-13, HZ-ORD-18).
pub(super) fn ordered(battle: &mut Battle, officer: OfficerId, to: Addressee, order: Order) {
    let last = battle.officer(officer).spoke_last;
    if let Some(last) = last.filter(|last| *last != to) {
        close(battle, last);
    }
    let level = match to {
        Addressee::Unit(_) => SpokeTo::Units,
        Addressee::Group(id) => match battle.command_facts(id).level {
            Level::Brigade => SpokeTo::Brigades,
            Level::Division => SpokeTo::Divisions,
            Level::Corps | Level::Army => SpokeTo::Corps,
        },
    };
    speaks(battle, officer);
    let speaker = &mut battle.officers[officer.index()];
    speaker.spoke_to = Some(level);
    speaker.spoke_last = Some(to);
    let moves = matches!(order, Order::Advance | Order::Retire);
    let (moved, others) = match to {
        Addressee::Unit(id) => {
            let unit = &mut battle.units[id.index()];
            (&mut unit.moves, &mut unit.others)
        }
        Addressee::Group(id) => {
            let command = &mut battle.commands[id.index()];
            (&mut command.moves, &mut command.others)
        }
    };
    let count = if moves { moved } else { others };
    *count = count.saturating_add(1);
}

/// Each officer is finished before the next starts (HZ-OFF-01): those who have ridden ride no further.
pub(super) fn others_have_moved(battle: &mut Battle, officer: OfficerId) {
    for (n, other) in battle.officers.iter_mut().enumerate() {
        if n != officer.index() && other.ridden > Length::ZERO {
            other.moved = true;
        }
    }
}

/// The commander in chief gives an order of his own.
pub(super) fn chief_speaks(battle: &mut Battle, side: Side) {
    speaks(battle, battle.chief(side));
}

/// An officer speaks.
pub(super) fn speaks(battle: &mut Battle, officer: OfficerId) {
    battle.doing.orders += 1;
    let speaker = &mut battle.officers[officer.index()];
    speaker.spoke = true;
    speaker.spoke_at = battle.doing.orders;
}

/// No further orders to this addressee this phase.
pub(super) fn close(battle: &mut Battle, to: Addressee) {
    match to {
        Addressee::Unit(id) => battle.units[id.index()].closed = true,
        Addressee::Group(id) => battle.commands[id.index()].closed = true,
    }
}
