//! The ground that nobody rides through, less the roads and bridges that lead through it (MB-LEA-04, MB-TER-10).

use sabretache_engine::decides;
use sabretache_table::{Bounds, Contact, Convex, Lie, Outline, Segment, Vec2, contact};
use smallvec::SmallVec;

use crate::battle::Battle;
use crate::clauses::MB_TER_10;

/// What is smaller than this across is rounding, in micrometres.
const GRAIN: f64 = 2.0;

/// The ground near a place that leaders and messengers do not ride through, in pieces that may overlap.
pub(crate) fn shut_to_riders(battle: &Battle, around: Bounds) -> Vec<Convex> {
    let land = |lie: &Lie<'_>| battle.fixed.lands[usize::from(lie.feature.id.0)];
    let mut shut = Vec::new();
    let mut roads = Vec::new();
    for lie in battle.fixed.ground.near(&around) {
        let land = land(&lie);
        if land.impassable || land.closed {
            shut.extend(lie.parts().map(|part| piece(part.corners)));
        } else if land.road {
            roads.extend(lie.parts().map(|part| Convex::hull(part.corners)));
        }
    }
    decides!(MB_TER_10);
    for road in &roads {
        let (apart, met): (Vec<_>, Vec<_>) =
            shut.into_iter().partition(|piece: &Convex| contact(piece, road) != Contact::Overlapping);
        shut = apart;
        for left in met.iter().flat_map(|piece| without(piece, road)) {
            // What lies within another piece says nothing new.
            if !shut.iter().any(|other| holds_all(other, &left)) {
                shut.push(left);
            }
        }
    }
    shut
}

/// A convex piece of ground; a line is a segment.
fn piece(corners: &[Vec2]) -> Convex {
    match corners {
        [from, to] => Convex::segment(Segment::new(*from, *to)),
        _ => Convex::hull(corners),
    }
}

/// What is left of a piece of ground beside a stretch of road: all of it on the outer side of each edge. The pieces overlap,
/// so that no way leads between them.
fn without(ground: &Convex, road: &Convex) -> SmallVec<[Convex; 4]> {
    let road = road.as_part();
    let beyond = |normal: &Vec2| {
        let edge = road.corners.iter().map(|corner| normal.dot(*corner)).fold(f64::NEG_INFINITY, f64::max);
        let left = cut(ground.corners(), -*normal, -edge);
        let long = Bounds::of(&left);
        let wide = left.iter().map(|corner| normal.dot(*corner) - edge).fold(0.0, f64::max);
        let some = left.len() > 1 && wide > GRAIN && (long.max - long.min).length() > GRAIN;
        some.then(|| piece(&left))
    };
    road.normals.iter().filter_map(beyond).collect()
}

/// The corners of a convex piece on the side of a line where `normal · place <= reach`.
fn cut(corners: &[Vec2], normal: Vec2, reach: f64) -> SmallVec<[Vec2; 16]> {
    let mut left: SmallVec<[Vec2; 16]> = SmallVec::new();
    let ends = if corners.len() == 2 { 1 } else { corners.len() };
    let over = |place: Vec2| normal.dot(place) - reach;
    for (n, from) in corners.iter().enumerate() {
        if over(*from) <= 0.0 {
            left.push(*from);
        }
        let to = corners[(n + 1) % corners.len()];
        if n < ends && over(*from) * over(to) < 0.0 {
            left.push(from.toward(to, over(*from) / (over(*from) - over(to))));
        }
    }
    left
}

fn holds_all(outer: &Convex, inner: &Convex) -> bool {
    inner.corners().iter().all(|corner| outer.as_part().holds(*corner, 1.0))
}
