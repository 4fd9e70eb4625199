//! Who may speak, and to whom (HZ-ORD-04 to HZ-ORD-14, HZ-ORD-32, HZ-ORD-41).

use sabretache_engine::decides;
use sabretache_engine::ids::{CommandId, OfficerId, UnitId};
use smallvec::SmallVec;

use super::super::reinforce;
use super::Barred;
use crate::battle::Battle;
use crate::body::{OfficerStatus, SpokeTo};
use crate::clauses::*;
use crate::state::Addressee;
use crate::troops::Level;

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
