//! A battle as a scenario, so that mustering it again gives the same battle.

use sabretache_engine::ids::{Side, UnitId};
use sabretache_engine::scenario::{FileAngle, Scenario};

use crate::battle::Battle;
use crate::body::{Body, StateEntry};
use crate::troops::{Arm, Formation};

/// The battle as a scenario.
#[must_use]
pub fn save(battle: &Battle) -> Scenario<Body> {
    let lay = &battle.lay;
    let mut scenario = lay.scenario.clone();
    let measure = scenario.measure;
    let side_id = |side: Side| lay.side_id(side).to_owned();
    let unit_id = |id: UnitId| lay.units[id.index()].id.clone();
    let body = &mut scenario.body;
    for (entry, state) in body.units.iter_mut().zip(&battle.units) {
        entry.formation = state.formation;
        entry.quality = state.quality;
        entry.presence = state.presence;
        entry.at = Some(measure.pair(state.pose.at));
        entry.facing = Some(FileAngle::from(state.pose.heading));
        entry.sector = state.sector.and_then(|n| lay.terrain.get(usize::from(n))).map(|terrain| terrain.id.clone());
        entry.sides = (0..4).filter(|side| state.sides & (1 << side) != 0).collect();
        entry.staggers = state.staggers;
        entry.kills = state.kills;
        entry.routing = state.routing;
        entry.blown = state.blown;
        entry.forced = state.forced;
        entry.smoke = state.smoke;
        entry.bombardments = (entry.arm == Arm::Artillery).then_some(state.bombardments);
        entry.acted = state.acted;
        entry.spent = state.spent;
        entry.fell_back = state.fell_back;
        entry.ordered_moves = state.moves;
        entry.ordered_others = state.others;
        entry.closed = state.closed;
        entry.sighted = state.sighted;
        entry.forced_later = state.forced_later;
        entry.rolled = state.rolled;
        entry.must_move = state.must_move;
        entry.engages_across = state.across.map(unit_id);
        entry.scaled = state.scaled;
        if entry.formation == Formation::Garrison {
            entry.at = None;
        }
    }
    for (entry, state) in body.officers.iter_mut().zip(&battle.officers) {
        entry.ability = state.ability;
        entry.inspirational = state.inspirational;
        entry.at = Some(measure.pair(state.at));
        entry.attached_to = state.with.map(unit_id);
        entry.status = state.status;
        entry.lost = state.lost;
        entry.supersedes = state.supersedes.map(|id| lay.commands[id.index()].id.clone());
        entry.superseded_in = state.superseded_in;
        entry.orders_from = state.orders_from;
        entry.spoke = state.spoke;
        entry.failed = state.failed;
        entry.spoke_to = state.spoke_to;
        entry.spoke_at = state.spoke_at;
        entry.spoke_last = state.spoke_last;
        entry.free_order = state.free;
        entry.moved = state.moved;
        entry.ridden = measure.number(state.ridden);
        entry.detached = state.detached;
        entry.relinquished = state.relinquished;
    }
    for (entry, state) in body.commands.iter_mut().zip(&battle.commands) {
        entry.passed_last_check = state.passed;
        entry.checked_turn = state.checked_turn;
        entry.must_check = state.must_check;
        entry.excused = state.excused;
        entry.checked = state.checked;
        entry.free_pass = state.free_pass;
        entry.ordered_moves = state.moves;
        entry.ordered_others = state.others;
        entry.silenced = state.silenced;
        entry.closed = state.closed;
        entry.left = state.left;
        entry.attempts = state.attempts;
        entry.tried = state.tried;
        entry.returning = state.returning;
        entry.delayed = state.delayed;
        entry.chosen = state.chosen;
        entry.sent_for = state.sent_for;
    }
    for entry in &mut body.armies {
        let Some(n) = lay.scenario.sides.iter().position(|side| side.id == entry.id) else { continue };
        let state = &battle.armies[n.min(1)];
        entry.skirmish = state.skirmish;
        entry.worn = state.worn;
        entry.failed_skirmish = state.failed;
        entry.committed = state.committed;
        entry.appointments = state.appointments;
        entry.rearms = state.rearms;
    }
    for (entry, factor) in body.contingents.iter_mut().zip(&battle.factors) {
        entry.bombardment_now = (*factor != entry.bombardment_factor).then_some(*factor);
    }
    body.state = StateEntry {
        turn: battle.turn,
        first: battle.first.map(side_id),
        phasing: Some(side_id(battle.phasing)),
        stage: battle.stage,
        superiority: battle.superiority.map(side_id),
        doing: battle.doing.clone(),
        bombarded: battle.bombarded.clone(),
        threats: battle.threats.clone(),
        fights: battle.fights.clone(),
        gaps: battle.gaps.clone(),
        exploded: battle.exploded.clone(),
    };
    scenario
}
