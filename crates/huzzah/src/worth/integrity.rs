//! What a command that is falling apart is likely to cost: an army one of whose brigades has broken takes a command check turn after turn, and
//! every failure sends all of it to the rear.

use sabretache_engine::ids::{CommandId, Side};

use super::STAGGER;
use crate::battle::Battle;
use crate::situations::{CommandCheckSituation, LastCheck, TakenBy};

/// What it costs a unit to be sent back a move.
const SENT_BACK: f64 = 14.0;
/// A command that is damaged and has passed its last check takes another only if the enemy is upon it.
const IF_NEAR: f64 = 0.5;
/// Who has failed once is likely to fail again.
const AND_ON: f64 = 1.5;

/// What the command checks to come are likely to cost a side.
pub(super) fn checks_to_come(battle: &Battle, side: Side) -> f64 {
    let own = battle.command_ids().filter(|&id| battle.command_facts(id).side == side);
    own.map(|id| of_command(battle, id)).sum()
}

fn of_command(battle: &Battle, id: CommandId) -> f64 {
    let (state, lost) = (battle.command(id), battle.lost_below(id));
    if lost == 0 || (state.excused && !state.must_check) {
        return 0.0;
    }
    let stand = battle.units_of(id).filter(|&unit| battle.is_present(unit) && !battle.unit(unit).routing).count();
    let certain = state.must_check || state.passed == Some(false);
    let chance = if certain { 1.0 } else { IF_NEAR } * fails(battle, id, lost);
    let blow = SENT_BACK + f64::from(STAGGER * i32::from(lost));
    stand as f64 * blow * chance * AND_ON
}

/// The chance that a command fails its next check, but for who is in a favourable position.
fn fails(battle: &Battle, id: CommandId, lost: u8) -> f64 {
    // Without an officer it fails; whether a senior one would be near enough is not looked into.
    let Some(leader) = battle.leader(id) else { return 1.0 };
    let facts = CommandCheckSituation {
        command: battle.command_facts(id).level,
        taken_by: TakenBy::OwnOfficer,
        officer: battle.ability(leader),
        inspirational: battle.officer(leader).inspirational,
        lost,
        last_check: LastCheck::of(battle.command(id).passed),
        isolated: battle.has_isolated(id),
        ..CommandCheckSituation::default()
    };
    let numbers = battle.numbers();
    let target = facts.test(numbers).target();
    let fails = |total: &i32| !numbers.is_huzzah(*total) && !numbers.succeeds(*total, target);
    let ways: i32 = (2..=12).filter(fails).map(|total| 6 - (total - 7).abs()).sum();
    f64::from(ways) / 36.0
}
