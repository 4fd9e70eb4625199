//! What must always hold.

use crate::battle::Battle;
use crate::body::{OfficerStatus, Presence};
use crate::state::Stage;
use crate::table::shape;
use crate::troops::{Arm, Formation};

/// Whether everything that must always hold does; a sentence about what does not.
pub fn check(battle: &Battle) -> Result<(), String> {
    for id in battle.unit_ids() {
        let (unit, facts) = (battle.unit(id), battle.facts(id));
        let name = &facts.id;
        if unit.presence != Presence::Present {
            if unit.routing || unit.must_move.is_some() || unit.sector.is_some() {
                return Err(format!("{name} is off the table and yet routing, moving or in a sector"));
            }
            continue;
        }
        if battle.condition(id).is_broken(battle.numbers()) {
            return Err(format!("{name} has reached its limit and is still on the table"));
        }
        if unit.routing && unit.formation != Formation::Mob && battle.stage != Stage::Formation {
            return Err(format!("{name} is routing in {}", unit.formation));
        }
        if unit.formation == Formation::Mob && !unit.routing && !unit.blown && battle.doing.forming != Some(id) {
            return Err(format!("{name} is a mob and neither routing nor out of control"));
        }
        if unit.blown && facts.arm != Arm::Cavalry {
            return Err(format!("{name} is blown and no cavalry"));
        }
        if (unit.formation == Formation::Garrison) != unit.sector.is_some() {
            return Err(format!("{name} is a garrison without a sector, or the other way round"));
        }
    }
    for id in battle.officer_ids() {
        let officer = battle.officer(id);
        if let Some(unit) = officer.with {
            if officer.status != OfficerStatus::Present || !battle.is_present(unit) {
                return Err(format!("{} is attached and one of the two is off the table", battle.officer_facts(id).id));
            }
            let others =
                battle.officer_ids().filter(|&other| other != id && battle.officer(other).with == Some(unit)).count();
            if others > 0 {
                return Err(format!("{} has two officers", battle.facts(unit).id));
            }
        }
    }
    overlaps(battle)
}

/// No unit lies on another or beyond the edge of the table, one that passes through a friend or goes off just now apart.
fn overlaps(battle: &Battle) -> Result<(), String> {
    let passing = battle.doing.moving.map(|moving| moving.unit);
    let settled = !matches!(battle.stage, Stage::FallBack | Stage::Engage)
        && battle.units.iter().all(|unit| unit.must_move.is_none());
    if !settled {
        return Ok(());
    }
    for id in battle.unit_ids().filter(|&id| battle.is_present(id) && Some(id) != passing) {
        // A unit that comes on may hang over the edge with all but its front (HZ-REI-08).
        if !battle.lay.table.holds(battle.unit(id).pose.at) {
            return Err(format!("{} stands beyond the edge of the table", battle.facts(id).id));
        }
    }
    let touch = battle.lay.sizes.touch.half();
    let present: Vec<_> = battle
        .unit_ids()
        .filter(|&id| battle.is_present(id))
        .map(|id| (id, shape::shrunk(battle, id, touch)))
        .collect();
    for (i, (one, a)) in present.iter().enumerate() {
        for (other, b) in present.iter().skip(i + 1) {
            if Some(*one) != passing && Some(*other) != passing && sabretache_table::overlapping(a, b) {
                return Err(format!("{} lies on top of {}", battle.facts(*other).id, battle.facts(*one).id));
            }
        }
    }
    Ok(())
}
