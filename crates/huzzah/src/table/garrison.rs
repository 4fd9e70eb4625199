//! Sectors of buildings and those deployed in them.

use sabretache_engine::ids::UnitId;
use sabretache_table::{Face, Footprint, Placed};

use crate::battle::Battle;

/// Two neighbouring sides of a sector, as bits 0 to 3 clockwise from its front.
pub const TWO_SIDES: [u8; 4] = [0b0011, 0b0110, 0b1100, 0b1001];

/// The faces of a sector in the order of the bits.
pub const FACES: [Face; 4] = [Face::Front, Face::Right, Face::Rear, Face::Left];

/// The faces that a garrison holds.
pub fn held(battle: &Battle, id: UnitId) -> impl Iterator<Item = Face> + use<> {
    let sides = battle.unit(id).sides;
    FACES.into_iter().enumerate().filter(move |(n, _)| sides & (1 << n) != 0).map(|(_, face)| face)
}

/// A sector as a footprint on the table.
#[must_use]
pub fn sector(battle: &Battle, feature: u16) -> Option<Placed> {
    let sector = battle.lay.terrain.get(usize::from(feature))?.sector?;
    Some(Placed::new(&Footprint::single(sector.width, sector.depth), sector.pose))
}

/// Who is deployed in a sector.
#[must_use]
pub fn garrison_of(battle: &Battle, feature: u16) -> Option<UnitId> {
    battle.unit_ids().find(|&id| battle.is_present(id) && battle.unit(id).sector == Some(feature))
}
