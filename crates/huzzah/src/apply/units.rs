//! What events do to units: where they stand, and how they leave the table.

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_table::Pose;

use crate::battle::{Battle, Unit};
use crate::body::Presence;
use crate::clauses::{HZ_CHK_03, HZ_OFF_22, HZ_ORD_40, HZ_QUA_11};
use crate::table::shape;
use crate::troops::Formation;

/// Changes a unit.
pub(super) fn on(battle: &mut Battle, id: UnitId, change: impl FnOnce(&mut Unit)) {
    change(&mut battle.units[id.index()]);
}

/// Puts a unit somewhere; an officer who is with it goes along.
pub(super) fn place(battle: &mut Battle, id: UnitId, pose: Pose) {
    let unit = &mut battle.units[id.index()];
    unit.pose = pose;
    // A unit that moves has left the edge of the wall that it had scaled.
    unit.scaled = None;
    decides!(HZ_ORD_40, HZ_OFF_22);
    if let Some(officer) = battle.attached_to(id) {
        let at = shape::rear_of(&battle.placed(id));
        battle.officers[officer.index()].at = at;
    }
}

/// The moment staggers and kills reach its limit a unit is off the table (HZ-QUA-11).
pub(super) fn fall_at_limit(battle: &mut Battle, id: UnitId) {
    decides!(HZ_QUA_11);
    let (condition, numbers) = (battle.condition(id), battle.numbers());
    if !battle.is_present(id) || !condition.is_broken(numbers) {
        return;
    }
    let how = if condition.is_destroyed(numbers) { Presence::Destroyed } else { Presence::Shattered };
    leave(battle, id, how);
    mark_loss(battle, id);
}

/// Takes a unit off the table.
pub(super) fn leave(battle: &mut Battle, id: UnitId, how: Presence) {
    on(battle, id, |unit| {
        unit.presence = how;
        unit.sector = None;
        unit.sides = 0;
        unit.forced = None;
        unit.must_move = None;
        unit.across = None;
        unit.scaled = None;
        unit.routing = false;
        unit.blown = false;
        if unit.formation == Formation::Garrison {
            unit.formation = Formation::Column;
        }
    });
    for unit in &mut battle.units {
        if unit.across == Some(id) {
            unit.across = None;
        }
    }
    for officer in battle.officers.iter_mut().filter(|officer| officer.with == Some(id)) {
        officer.with = None;
    }
}

/// A sub-command broke or routed: the command above must check, and so on up for each that is broken or routing thereby
/// (HZ-CHK-03).
pub(super) fn mark_loss(battle: &mut Battle, id: UnitId) {
    decides!(HZ_CHK_03);
    let mut here = Some(battle.facts(id).brigade);
    while let Some(command) = here {
        let state = &mut battle.commands[command.index()];
        state.must_check = true;
        state.excused = false;
        let gone = battle.is_broken(command) || battle.is_routing(command);
        here = if gone { battle.command_facts(command).above } else { None };
    }
}
