//! Before the first turn: what is still to be rolled (HZ-SEQ-06).

use crate::battle::Battle;

/// Whether anything is still to be rolled before the battle begins.
#[must_use]
pub fn needed(battle: &Battle) -> bool {
    battle.units.iter().any(|unit| unit.quality.is_none())
        || battle.officers.iter().any(|officer| officer.ability.is_none())
        || battle.armies.iter().any(|army| army.skirmish.is_none())
        || battle.first.is_none()
}
