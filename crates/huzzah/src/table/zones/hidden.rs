//! Ground that keeps a unit out of reach: ridges, woods, dead ground, sunken water and ditches (HZ-ZON-17, HZ-HIL-06 to HZ-HIL-10, HZ-RIV-07).

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_table::{Bounds, Convex, Face, FeatureId, Length, Lie, Outline, Placed, Zone, nearer};
use smallvec::SmallVec;

use crate::battle::Battle;
use crate::clauses::{HZ_DIT_06, HZ_HIL_06, HZ_HIL_08, HZ_HIL_09, HZ_HIL_10, HZ_RIV_07, HZ_ZON_17};
use crate::table::ground::{self, Lies};
use crate::table::shape;
use crate::table::siege;
use crate::terrain::Kind;

/// Whether every line straight ahead of a battery that meets a target first crosses the ridge of a hill the battery is not on
/// (HZ-HIL-06).
#[must_use]
pub fn beyond_ridge(battle: &Battle, battery: &Placed, target: &Placed) -> bool {
    decides!(HZ_HIL_06);
    let front = Convex::segment(battery.face(Face::Front));
    let near = battle.lay.sizes.adjacent.f();
    let mut ridges: SmallVec<[Lie<'_>; 4]> = SmallVec::new();
    for (n, terrain) in battle.lay.terrain.iter().enumerate() {
        if terrain.kind == Kind::Ridge
            && let Some(lie) = battle.lay.ground.get(FeatureId(n as u16))
            && !nearer(&front, &lie, near)
        {
            ridges.push(lie);
        }
    }
    if ridges.is_empty() {
        return false;
    }
    let edge = shape::lengthened(battery.face(Face::Front), battle.lay.sizes.touch.f());
    let lane = Zone::from_face(edge, battery.forward(), Length::cm(400));
    !lane.look(target, ridges.iter()).any()
}

/// Whether both lie in the same piece of dense terrain.
pub(super) fn shares_dense(battle: &Battle, placed: &Placed, there: &Placed) -> bool {
    let (own, other) = (Lies::under(battle, placed), Lies::under(battle, there));
    own.in_any().iter().any(|&n| battle.lay.terrain[usize::from(n)].kind.is_dense() && other.is_in(n))
}

pub(super) fn in_wood(battle: &Battle, placed: &Placed) -> bool {
    let lies = Lies::under(battle, placed);
    lies.in_any().iter().any(|&n| battle.lay.terrain[usize::from(n)].kind.is_wood() && lies.wholly_in(n))
}

/// Whether a target lies wholly in dead ground of a battery (HZ-ZON-17, HZ-HIL-08 to HZ-HIL-10).
#[must_use]
pub fn in_dead_ground(battle: &Battle, battery: &Placed, target: &Placed) -> bool {
    decides!(HZ_ZON_17, HZ_HIL_09, HZ_HIL_10);
    decides!(HZ_HIL_08);
    if battle.lay.terrain.is_empty() {
        return false;
    }
    if siege::in_dead_ground(battle, battery, target) {
        return true;
    }
    let strip = battle.lay.length(battle.numbers().dead_ground).f();
    // Only what lies straight ahead of the guns can be threatened at all.
    let ahead = shape::in_lane(battery, Face::Front, target);
    let seen = if ahead.is_empty() { shape::corners(target) } else { ahead };
    let front = Convex::segment(battery.face(Face::Front));
    battle.lay.terrain.iter().enumerate().any(|(n, terrain)| {
        if !matches!(terrain.kind, Kind::Hill { .. }) {
            return false;
        }
        let Some(lie) = battle.lay.ground.get(FeatureId(n as u16)) else { return false };
        // Few targets lie so near to a hill: that is asked first.
        lie.bounds().distance2(&Bounds::of(&seen)) <= (strip + 1.0) * (strip + 1.0)
            && seen.iter().all(|&corner| nearer(&Convex::place(corner), &lie, strip + 1.0))
            && !ground::adjacent(battle, &front, n as u16)
            && !sabretache_table::overlapping(&Convex::hull(&seen), &lie)
    })
}

/// Whether a target lies wholly in a sunken river or deep sunken obstacle whose edge the threatener is not at
/// (HZ-RIV-07, HZ-DIT-06).
#[must_use]
pub fn sunk_from(battle: &Battle, placed: &Placed, there: &Placed, target: UnitId) -> bool {
    decides!(HZ_RIV_07, HZ_DIT_06);
    if battle.lay.terrain.is_empty() || battle.unit(target).sector.is_some() {
        return false;
    }
    let lies = Lies::under(battle, there);
    lies.in_any().iter().any(|&n| {
        let sunk = matches!(
            battle.lay.terrain[usize::from(n)].kind,
            Kind::Water { sunken: true, .. } | Kind::Sunken { deep: true, .. }
        );
        sunk && lies.wholly_in(n) && !ground::adjacent(battle, &Convex::segment(placed.face(Face::Front)), n)
    })
}
