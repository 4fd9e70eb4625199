//! Contact between units (HZ-GEO-02 to HZ-GEO-05, HZ-ENG-01).

use sabretache_engine::ids::UnitId;
use sabretache_table::{Convex, Face, Placed, Segment, Vec2, exact_distance};
use smallvec::SmallVec;

use super::Field;
use crate::battle::Battle;
use crate::troops::Formation;

/// The faces a unit engages with, and the ways they look: a square has four.
#[must_use]
pub fn fronts(battle: &Battle, id: UnitId, placed: &Placed) -> SmallVec<[(Segment, Vec2); 4]> {
    let faces: &[Face] = match battle.unit(id).formation {
        Formation::Square => &Face::ALL,
        Formation::Garrison => &[],
        _ => &[Face::Front],
    };
    faces.iter().map(|&face| (placed.face(face), placed.outward(face))).collect()
}

/// The distance between two edges.
#[must_use]
pub fn gap(a: Segment, b: Segment) -> f64 {
    exact_distance(&Convex::segment(a), &Convex::segment(b))
}

/// The length of one edge that lies along another, within a tolerance: 0 where they only cross or meet in a corner.
#[must_use]
pub fn shared(a: Segment, b: Segment, tolerance: f64) -> f64 {
    let way = (b.b - b.a).unit();
    let across = way.right();
    let (p, q) = (a.a - b.a, a.b - b.a);
    // Both ends within the tolerance of the other's line, or the part of it that is.
    let (d0, d1) = (p.dot(across), q.dot(across));
    let (x0, x1) = (p.dot(way), q.dot(way));
    let (mut t0, mut t1) = (0.0f64, 1.0f64);
    for (from, to, limit) in [(d0, d1, tolerance), (-d0, -d1, tolerance), (x0, x1, b.length()), (-x0, -x1, 0.0)] {
        let slope = to - from;
        if slope.abs() <= 1e-12 {
            if from > limit + 1e-9 {
                return 0.0;
            }
        } else {
            let t = (limit - from) / slope;
            if slope > 0.0 { t1 = t1.min(t) } else { t0 = t0.max(t) }
        }
    }
    ((t1 - t0) * a.length()).max(0.0)
}

/// Whether two units touch (HZ-GEO-02).
#[must_use]
pub fn touch(field: &Field<'_>, a: UnitId, b: UnitId) -> bool {
    let (Some(one), Some(other)) = (field.get(a), field.get(b)) else { return false };
    let near = field.battle.lay.sizes.touch.f();
    field.is_near(one, other, near) && exact_distance(one, other) <= near
}

/// Whether two enemies are engaged: the front of one touches the other, with no obstacle between them, or one has engaged
/// the other across an obstacle (HZ-ENG-01, HZ-TER-15).
#[must_use]
pub fn engaged(field: &Field<'_>, a: UnitId, b: UnitId) -> bool {
    let battle = field.battle;
    if battle.unit(a).across == Some(b) || battle.unit(b).across == Some(a) {
        return field.get(a).is_some() && field.get(b).is_some();
    }
    if !touch(field, a, b) {
        return false;
    }
    let (Some(one), Some(other)) = (field.get(a), field.get(b)) else { return false };
    let near = battle.lay.sizes.touch.f();
    let meets = |from: UnitId, placed: &Placed, to: &Placed| {
        fronts(battle, from, placed).iter().any(|&(front, _)| exact_distance(&Convex::segment(front), to) <= near)
    };
    (meets(a, one, other) || meets(b, other, one)) && !obstacle_between(battle, one, other)
}

/// Whether a raised obstacle, wall or water lies between two units that touch (HZ-TER-15).
fn obstacle_between(battle: &Battle, a: &Placed, b: &Placed) -> bool {
    if battle.lay.terrain.is_empty() {
        return false;
    }
    let (from, to) = (a.centre(), b.centre());
    battle.lay.terrain.iter().any(|terrain| {
        if terrain.line.is_empty() || !terrain.kind.is_obstacle() {
            return false;
        }
        terrain.line.windows(2).any(|leg| crosses(from, to, leg[0].v(), leg[1].v()))
    })
}

/// Whether two stretches cross.
#[must_use]
pub fn crosses(a: Vec2, b: Vec2, c: Vec2, d: Vec2) -> bool {
    let (r, s) = (b - a, d - c);
    let cross = r.cross(s);
    if cross.abs() < 1e-9 {
        return false;
    }
    let (t, u) = ((c - a).cross(s) / cross, (c - a).cross(r) / cross);
    (0.0..=1.0).contains(&t) && (0.0..=1.0).contains(&u)
}

/// Whether a unit is engaged with any enemy.
#[must_use]
pub fn is_engaged(field: &Field<'_>, id: UnitId) -> bool {
    field.enemies(id).any(|(enemy, _)| engaged(field, id, enemy))
}

/// The length of the contact between two engaged units; 0 for a corner.
#[must_use]
pub fn length(field: &Field<'_>, a: UnitId, b: UnitId) -> f64 {
    let (Some(one), Some(other)) = (field.get(a), field.get(b)) else { return 0.0 };
    let near = field.battle.lay.sizes.touch.f();
    let mut best = 0.0f64;
    for face in Face::ALL {
        for facing in Face::ALL {
            best = best.max(shared(one.face(face), other.face(facing), near));
        }
    }
    best
}

/// The side of a unit that an enemy touches: the face whose edge is nearest, the front first of equals.
#[must_use]
pub fn touched_face(placed: &Placed, enemy: &Placed, tolerance: f64) -> Face {
    let mut best = (Face::Front, f64::INFINITY, 0.0);
    for face in Face::ALL {
        let edge = placed.face(face);
        let distance = exact_distance(&Convex::segment(edge), enemy);
        let along = Face::ALL.iter().map(|&other| shared(edge, enemy.face(other), tolerance)).fold(0.0, f64::max);
        let nearer = distance < best.1 - tolerance || (distance <= best.1 + tolerance && along > best.2 + tolerance);
        if nearer {
            best = (face, distance, along);
        }
    }
    best.0
}
