//! What starts afresh with a phase.

use sabretache_engine::decides;
use sabretache_engine::ids::Side;
use sabretache_table::Length;

use crate::battle::Battle;
use crate::clauses::HZ_SEQ_05;
use crate::state::{Doing, Phase};

/// What starts afresh with a phase (HZ-SEQ-05).
pub(super) fn phase_begins(battle: &mut Battle, side: Side, phase: Phase) {
    decides!(HZ_SEQ_05);
    battle.phasing = side;
    let fleeing = std::mem::take(&mut battle.doing.fleeing);
    battle.doing = Doing { phase: Some(phase), fleeing, ..Doing::default() };
    for unit in &mut battle.units {
        unit.forced_later = false;
    }
    match phase {
        Phase::Threat => battle.threats.clear(),
        Phase::Orders => {
            battle.threats.clear();
            battle.bombarded.clear();
            for unit in &mut battle.units {
                unit.acted = 0;
                unit.spent = false;
                unit.moves = 0;
                unit.others = 0;
                unit.closed = false;
                unit.sighted = false;
            }
            for officer in &mut battle.officers {
                officer.spoke = false;
                officer.failed = false;
                officer.spoke_to = None;
                officer.spoke_at = 0;
                officer.spoke_last = None;
                officer.free = false;
            }
            for command in &mut battle.commands {
                command.moves = 0;
                command.others = 0;
                command.silenced = false;
                command.closed = false;
                command.sent_for = false;
            }
        }
        Phase::Officers => {
            battle.bombarded.clear();
            for officer in &mut battle.officers {
                officer.moved = false;
                officer.ridden = Length::ZERO;
                officer.detached = false;
                officer.relinquished = false;
            }
        }
        Phase::Engage => battle.fights.clear(),
        Phase::Rally => {
            battle.fights.clear();
            for unit in &mut battle.units {
                unit.rolled = false;
                unit.must_move = None;
            }
            for command in &mut battle.commands {
                command.checked = false;
                command.free_pass = false;
                command.tried = false;
            }
        }
    }
}
