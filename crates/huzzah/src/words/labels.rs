//! How labels are put together.

use sabretache_engine::clause::Clause;
use sabretache_engine::ids::{CommandId, OfficerId, UnitId};
use sabretache_engine::ruleset::Label;

use crate::battle::Battle;

/// Of nobody in particular.
pub(crate) fn plain(text: impl Into<String>, clause: Clause) -> Label {
    Label { text: text.into(), unit: None, command: None, clauses: vec![clause] }
}

/// Of a unit, and of its brigade.
pub(crate) fn of_unit(battle: &Battle, id: UnitId, text: String, clause: Clause) -> Label {
    Label { unit: Some(id), command: Some(battle.facts(id).brigade), ..plain(text, clause) }
}

/// Of a command.
pub(crate) fn of_command(id: CommandId, text: String, clause: Clause) -> Label {
    Label { command: Some(id), ..plain(text, clause) }
}

/// Of the command that an officer was given at first.
pub(crate) fn of_officer(battle: &Battle, id: OfficerId, text: String, clause: Clause) -> Label {
    of_command(battle.officer_facts(id).command, text, clause)
}

/// To the right or to the left.
pub(crate) const fn side(right: bool) -> &'static str {
    if right { "right" } else { "left" }
}
