//! What events do to units: where they stand, and how they leave the table.

use sabretache_engine::ids::UnitId;
use sabretache_table::Pose;

use crate::battle::{Battle, Unit};
use crate::body::Presence;
use crate::troops::Formation;

/// Changes a unit.
pub(super) fn on(battle: &mut Battle, id: UnitId, change: impl FnOnce(&mut Unit)) {
    change(&mut battle.units[id.index()]);
}

/// Puts a unit somewhere.
pub(super) fn place(battle: &mut Battle, id: UnitId, pose: Pose) {
    let unit = &mut battle.units[id.index()];
    unit.pose = pose;
    // A unit that moves has left the edge of the wall that it had scaled.
    unit.scaled = None;
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
