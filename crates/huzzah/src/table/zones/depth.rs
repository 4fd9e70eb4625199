//! How deep a threat zone is, and which faces have one (HZ-ZON-01, HZ-ZON-02, HZ-ZON-09 to HZ-ZON-12).

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_table::{Convex, Face, Length, Placed};
use smallvec::SmallVec;

use crate::battle::Battle;
use crate::clauses::{
    HZ_BLD_05, HZ_BLO_02, HZ_SKI_09, HZ_SKI_10, HZ_TER_04, HZ_WOO_06, HZ_WOO_08, HZ_WOO_09, HZ_ZON_01, HZ_ZON_04,
    HZ_ZON_05, HZ_ZON_09, HZ_ZON_10, HZ_ZON_11,
};
use crate::table::ground::{self, Lies};
use crate::table::{Field, garrison, siege};
use crate::terrain::Kind;
use crate::troops::{Arm, Formation};

/// How deep a unit's zone is: in the open, and within the dense terrain it stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Depth {
    /// Outside dense terrain.
    pub(super) outside: Length,
    /// Within the dense terrain it stands in.
    pub(super) inside: Length,
    /// It stands in dense terrain, wholly or partly.
    pub(super) dense: bool,
    /// The dense terrain it is wholly inside of without its front being at the edge: its zone ends there (HZ-ZON-14).
    pub(super) enclosed: Option<u16>,
}

/// No zone is deeper than this, whatever the ground and whichever side has superiority.
#[must_use]
pub fn deepest(battle: &Battle) -> Length {
    let numbers = battle.numbers();
    let held = numbers.strong_point_zone.max(numbers.garrison_zone).max(numbers.close_order_garrison_zone);
    let deepest = numbers.zones.deepest().max(held);
    battle.lay.length(deepest) + battle.lay.length(battle.numbers().superiority)
}

/// Whether a unit has a zone at all (HZ-ZON-09).
#[must_use]
pub fn has_zone(battle: &Battle, id: UnitId) -> bool {
    decides!(HZ_BLO_02);
    decides!(HZ_ZON_09);
    let unit = battle.unit(id);
    let facts = battle.facts(id);
    if unit.routing || unit.blown {
        return false;
    }
    match unit.formation {
        Formation::MarchColumn | Formation::Mob => false,
        Formation::Garrison => true,
        _ => battle.numbers().zones.depth(facts.arm, unit.formation, facts.guns) > crate::numbers::Distance::NONE,
    }
}

/// The depth of a unit's zone by formation and ground, without skirmisher superiority.
pub(super) fn depth(field: &Field<'_>, id: UnitId, placed: &Placed) -> Depth {
    decides!(HZ_ZON_01, HZ_ZON_05, HZ_ZON_10, HZ_TER_04, HZ_WOO_06, HZ_WOO_08, HZ_BLD_05);
    let battle = field.battle;
    let numbers = battle.numbers();
    let unit = battle.unit(id);
    let facts = battle.facts(id);
    if let Some(sector) = unit.sector {
        let strong = matches!(battle.lay.terrain[usize::from(sector)].kind, Kind::Buildings { strong: true, .. });
        let depth = if strong {
            numbers.strong_point_zone
        } else if facts.abilities.opens_order() {
            numbers.garrison_zone
        } else {
            numbers.close_order_garrison_zone
        };
        let depth = battle.lay.length(depth);
        return Depth { outside: depth, inside: depth, dense: false, enclosed: None };
    }
    let full = battle.lay.length(numbers.zones.depth(facts.arm, unit.formation, facts.guns));
    let open = Depth { outside: full, inside: full, dense: false, enclosed: None };
    if battle.lay.terrain.is_empty() {
        return open;
    }
    let lies = Lies::under(battle, placed);
    let dense = lies.in_any().iter().copied().find(|&n| battle.lay.terrain[usize::from(n)].kind.is_dense());
    let Some(dense) = dense else { return open };
    let kind = battle.lay.terrain[usize::from(dense)].kind;
    let within = match (facts.arm, kind) {
        (Arm::Infantry, Kind::Buildings { .. }) => battle.lay.length(numbers.zone_in_buildings),
        (Arm::Infantry, _) => battle.lay.length(numbers.zone_in_woods),
        (Arm::Cavalry, Kind::Wood { .. }) if facts.horse.is_irregular() => battle.lay.length(numbers.zone_in_woods),
        _ => Length::ZERO,
    };
    let within = within.min(full);
    // Wholly inside and with the front at the edge of a wood it looks out over the open with its full zone, at the edge of other dense
    // terrain with the short one; half in, half out it has the least of both (HZ-WOO-06, HZ-BLD-05, HZ-TER-04).
    let whole = lies.wholly_in(dense);
    let at_edge = whole && ground::adjacent(battle, &Convex::segment(placed.face(Face::Front)), dense);
    let outside = if at_edge && kind.is_wood() { full } else { within };
    Depth { outside, inside: within, dense: true, enclosed: (whole && !at_edge).then_some(dense) }
}

/// Whether superiority lengthens a unit's zone against a target (HZ-SKI-09, HZ-SKI-10).
pub(super) fn lengthened(field: &Field<'_>, id: UnitId, depth: &Depth, target: UnitId, placed: &Placed) -> bool {
    decides!(HZ_WOO_09);
    decides!(HZ_SKI_09, HZ_SKI_10);
    let battle = field.battle;
    let facts = battle.facts(id);
    battle.superiority == Some(facts.side)
        && facts.arm == Arm::Infantry
        && battle.unit(id).sector.is_none()
        && !depth.dense
        && battle.facts(target).arm != Arm::Cavalry
        && !ground::wholly_dense(battle, placed, battle.unit(target).sector.is_some())
        && !field.get(id).is_some_and(|own| siege::no_superiority(battle, id, own))
}

/// The faces a unit threatens from (HZ-ZON-04, HZ-ZON-11, HZ-BLD-08, HZ-BLD-12).
#[must_use]
pub fn faces(battle: &Battle, id: UnitId) -> SmallVec<[Face; 4]> {
    decides!(HZ_ZON_04, HZ_ZON_11);
    match battle.unit(id).formation {
        Formation::Square => Face::ALL.into_iter().collect(),
        Formation::Garrison => garrison::held(battle, id).collect(),
        _ => SmallVec::from_slice(&[Face::Front]),
    }
}
