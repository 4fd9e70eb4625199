//! Line of sight: blocked if any line is blocked (HZ-GEO-16, HZ-GEO-17).

use std::cell::OnceCell;

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_table::{Bounds, Convex, Face, FeatureId, Outline, Placed, Point, Segment, all_lines_clear, nearer};

use super::ground::{self, Lies};
use super::{Field, contact, shape, siege, zones};
use crate::battle::Battle;
use crate::clauses::{
    HZ_BRK_03, HZ_BRK_04, HZ_DIF_04, HZ_GEO_16, HZ_GEO_25, HZ_HED_07, HZ_HED_09, HZ_WAL_06, HZ_WAL_07, HZ_WAL_08,
};
use crate::terrain::{Kind, Terrain};
use crate::troops::Arm;

/// Whether every line from a face to a target is clear of other units.
#[must_use]
pub fn units_clear(field: &Field<'_>, viewer: UnitId, face: Segment, target: UnitId) -> bool {
    units_clear_but(field, viewer, face, target, |_| false)
}

/// The same, some units seen over.
#[must_use]
pub fn units_clear_but(
    field: &Field<'_>,
    viewer: UnitId,
    face: Segment,
    target: UnitId,
    seen_over: impl Fn(UnitId) -> bool,
) -> bool {
    let Some(there) = field.get(target) else { return false };
    let bounds = between(face, there);
    let blockers = field.meeting(bounds).filter(|(id, _)| *id != viewer && *id != target && !seen_over(*id));
    decides!(HZ_GEO_16);
    all_lines_clear(face, there, blockers.map(|(_, placed)| placed))
}

/// Where whatever comes between a face and a target must lie.
fn between(face: Segment, target: &Placed) -> Bounds {
    Bounds::of(&[face.a, face.b]).join(target.bounds())
}

/// Whether every line from a face to a target is clear of ground that blocks sight.
#[must_use]
pub fn ground_clear(field: &Field<'_>, viewer: UnitId, placed: &Placed, face: Face, target: UnitId) -> bool {
    ground_clear_but(field, viewer, placed, face, target, &|_| false)
}

/// The same, some ground seen through.
#[must_use]
pub fn ground_clear_but(
    field: &Field<'_>,
    viewer: UnitId,
    placed: &Placed,
    face: Face,
    target: UnitId,
    seen_through: &dyn Fn(u16) -> bool,
) -> bool {
    let battle = field.battle;
    if battle.lay.terrain.is_empty() {
        return true;
    }
    let Some(there) = field.get(target) else { return false };
    // Little ground comes between: what the two stand in is worked out when some does.
    let (own, other) = (OnceCell::new(), OnceCell::new());
    let own = || own.get_or_init(|| Lies::under(battle, placed));
    let other = || other.get_or_init(|| Lies::under(battle, there));
    let levels = OnceCell::new();
    let levels = || *levels.get_or_init(|| (ground::elevation(battle, placed), ground::elevation(battle, there)));
    let bounds = between(placed.face(face), there);
    let front = Convex::segment(placed.face(face));
    for lie in battle.lay.ground.near(&bounds) {
        let n = lie.feature.id.0;
        let terrain = &battle.lay.terrain[usize::from(n)];
        decides!(HZ_GEO_16);
        if !terrain.kind.blocks_sight()
            || battle.unit(viewer).sector == Some(n)
            || battle.unit(target).sector == Some(n)
            || seen_through(n)
            || all_lines_clear(placed.face(face), there, [&lie])
        {
            continue;
        }
        let rampart = matches!(terrain.kind, Kind::Rampart { .. });
        if rampart && (siege::is_on_top(battle, viewer, placed, n) || siege::is_on_top(battle, target, there, n)) {
            continue;
        }
        // Ground that viewer or target stands in does not hide by itself.
        decides!(HZ_BRK_03);
        if !terrain.kind.is_raised() && (own().is_in(n) || other().is_in(n)) {
            continue;
        }
        let (level, target_level) = levels();
        decides!(HZ_BRK_04);
        let blocks = terrain.level > level || (terrain.level == level && target_level <= terrain.level);
        if !blocks {
            continue;
        }
        if terrain.kind == Kind::Ridge {
            let near = nearer(&front, &lie, battle.lay.sizes.adjacent.f());
            if near || !wholly_beyond(terrain, placed, there) {
                continue;
            }
        }
        // Cliffs have a rule of their own for guns; from their edge one looks over them (HZ-DIF-05).
        if matches!(terrain.kind, Kind::Cliff { .. }) && at_top_of(battle, terrain, n, placed, face) {
            continue;
        }
        if terrain.kind.is_raised() && seen_over_obstacle(field, terrain, n, viewer, placed, face, target, there) {
            continue;
        }
        return false;
    }
    true
}

/// Whether the whole of a target lies on the far side of a ridge (HZ-GEO-17).
fn wholly_beyond(ridge: &Terrain, placed: &Placed, there: &Placed) -> bool {
    let from = placed.face(Face::Front).middle();
    shape::corners(there)
        .iter()
        .all(|&corner| ridge.line.windows(2).any(|leg| contact::crosses(from, corner, leg[0].v(), leg[1].v())))
}

/// Guns and muskets next to a low obstacle look over it, and a unit right behind one is seen (HZ-HED-07, HZ-HED-09,
/// HZ-WAL-06 to HZ-WAL-08).
#[expect(clippy::too_many_arguments, reason = "one question, all of whose facts are at hand where it is asked")]
fn seen_over_obstacle(
    field: &Field<'_>,
    terrain: &Terrain,
    n: u16,
    viewer: UnitId,
    placed: &Placed,
    face: Face,
    target: UnitId,
    there: &Placed,
) -> bool {
    decides!(HZ_HED_07, HZ_HED_09, HZ_WAL_06, HZ_WAL_07, HZ_WAL_08);
    let battle = field.battle;
    if battle.facts(viewer).arm == Arm::Cavalry {
        return false;
    }
    let Some(lie) = battle.lay.ground.get(FeatureId(n)) else { return false };
    let near = battle.lay.sizes.adjacent.f();
    decides!(HZ_GEO_25);
    let over_low = terrain.kind.is_low()
        && nearer(&Convex::segment(placed.face(face)), &lie, near)
        && zones::faces_obstacle(battle, &lie, placed, face);
    over_low || zones::lines(battle, target, there, &lie)
}

/// Whether a face is right at the top edge of a cliff.
fn at_top_of(battle: &Battle, cliff: &Terrain, n: u16, placed: &Placed, face: Face) -> bool {
    let Kind::Cliff { top_left } = cliff.kind else { return false };
    let middle = placed.centre();
    let nearest = cliff.line.windows(2).min_by(|a, b| {
        let far = |leg: &[Point]| Segment::new(leg[0].v(), leg[1].v()).distance(middle);
        far(a).total_cmp(&far(b))
    });
    let on_top = nearest.is_some_and(|leg| ((leg[1].v() - leg[0].v()).cross(middle - leg[0].v()) > 0.0) == top_left);
    on_top && ground::adjacent(battle, &Convex::segment(placed.face(face)), n)
}

/// Whether a cliff keeps a battery from bombarding a target: it lies between them, and the guns are not at its top edge firing beyond short
/// range (HZ-DIF-04, HZ-DIF-05).
#[must_use]
pub fn beyond_cliff(battle: &Battle, placed: &Placed, there: &Placed, far: bool) -> bool {
    decides!(HZ_DIF_04);
    battle.lay.terrain.iter().enumerate().any(|(n, terrain)| {
        if !matches!(terrain.kind, Kind::Cliff { .. }) {
            return false;
        }
        let Some(lie) = battle.lay.ground.get(FeatureId(n as u16)) else { return false };
        let over_edge = far && at_top_of(battle, terrain, n as u16, placed, Face::Front);
        !over_edge && !all_lines_clear(placed.face(Face::Front), there, [&lie])
    })
}
