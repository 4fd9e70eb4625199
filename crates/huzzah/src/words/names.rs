//! The ids and names of units, officers, commands and ground.

use sabretache_engine::ids::{CommandId, Named, OfficerId, UnitId};

use crate::battle::Battle;
use crate::state::Addressee;

pub(crate) fn unit_id(battle: &Battle, id: UnitId) -> &str {
    &battle.facts(id).id
}

pub(crate) fn officer_id(battle: &Battle, id: OfficerId) -> &str {
    &battle.officer_facts(id).id
}

pub(crate) fn command_id(battle: &Battle, id: CommandId) -> &str {
    &battle.command_facts(id).id
}

pub(crate) fn ground_id(battle: &Battle, n: u16) -> &str {
    &battle.lay.terrain[usize::from(n)].id
}

pub(crate) fn unit_name(battle: &Battle, id: UnitId) -> &str {
    &battle.facts(id).name
}

pub(crate) fn officer_name(battle: &Battle, id: OfficerId) -> &str {
    &battle.officer_facts(id).name
}

pub(crate) fn command_name(battle: &Battle, id: CommandId) -> &str {
    &battle.command_facts(id).name
}

pub(crate) fn ground_name(battle: &Battle, n: u16) -> &str {
    battle.lay.terrain.get(usize::from(n)).map_or("", |one| one.name.as_deref().unwrap_or_else(|| one.kind.word()))
}

/// The name of whom an order is for.
pub(crate) fn to_whom(battle: &Battle, to: Addressee) -> &str {
    match to {
        Addressee::Unit(id) => unit_name(battle, id),
        Addressee::Group(id) => command_name(battle, id),
    }
}

/// The id and name of something.
#[must_use]
pub fn name(battle: &Battle, named: Named) -> Option<(String, String)> {
    let lay = &battle.lay;
    match named {
        Named::Unit(id) => lay.units.get(id.index()).map(|one| (one.id.clone(), one.name.clone())),
        Named::Officer(id) => lay.officers.get(id.index()).map(|one| (one.id.clone(), one.name.clone())),
        Named::Command(id) => lay.commands.get(id.index()).map(|one| (one.id.clone(), one.name.clone())),
        Named::Ground(id) => lay
            .terrain
            .get(id.index())
            .map(|one| (one.id.clone(), one.name.clone().unwrap_or_else(|| one.kind.word().to_owned()))),
    }
}
