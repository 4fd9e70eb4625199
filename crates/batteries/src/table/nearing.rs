//! How far a block can go before it is too near another.

use sabretache_engine::decides;
use sabretache_table::{Outline, Part, Quad, Vec2, exact_distance};

use crate::clauses::*;
use crate::table::NEAR;

/// How far a block moving along a unit vector gets before it is nearer to an outline than it may be; nothing where it
/// never is. One that starts nearer may only move off.
pub(crate) fn too_near(mover: &Quad, way: Vec2, most: f64, other: &impl Outline, apart: f64) -> Option<f64> {
    decides!(BB_GEN_07);
    let corridor = mover.bounds().swept(way * most);
    if corridor.distance2(&other.bounds()) > apart * apart {
        return None;
    }
    let least = apart - 0.5;
    let start = exact_distance(mover, other);
    if start < least.max(apart - NEAR) {
        let step = 250.0f64.min(most);
        return (exact_distance(&mover.moved(way * step), other) < start - 0.5).then_some(0.0);
    }
    // The nearest places of two convex blocks are always a corner of one and an edge of the other, so the first moment at
    // which they are too near is the first at which some corner is too near some edge.
    let own = mover.as_part();
    let mut first = f64::INFINITY;
    for part in other.parts() {
        corners_near_edges(own.corners, part, way, least, &mut first);
        corners_near_edges(part.corners, own, -way, least, &mut first);
    }
    (first <= most).then_some(first)
}

fn corners_near_edges(corners: &[Vec2], of: Part<'_>, way: Vec2, near: f64, first: &mut f64) {
    let n = of.corners.len();
    for i in 0..n {
        let (a, b) = (of.corners[i], of.corners[(i + 1) % n]);
        for corner in corners {
            if let Some(at) = place_near_edge(*corner, way, a, b, near) {
                *first = first.min(at);
            }
        }
        if n == 2 {
            break;
        }
    }
}

/// When a place that moves along a unit vector first comes this near to a segment that it is not so near to yet.
fn place_near_edge(from: Vec2, way: Vec2, a: Vec2, b: Vec2, near: f64) -> Option<f64> {
    let mut first: Option<f64> = None;
    let mut keep = |at: f64| {
        if at >= 0.0 && first.is_none_or(|held| at < held) {
            first = Some(at);
        }
    };
    for end in [a, b] {
        let off = from - end;
        let (along, gap2) = (off.dot(way), off.length2() - near * near);
        let inside = along * along - gap2;
        if inside >= 0.0 && along < 0.0 {
            keep(-along - inside.sqrt());
        }
    }
    let edge = b - a;
    let length = edge.length();
    if length > 0.0 {
        let along = edge * (1.0 / length);
        let out = along.right();
        let (off, closing) = (out.dot(from - a), out.dot(way));
        if off * closing < 0.0 && off.abs() >= near {
            let at = (off.abs() - near) / closing.abs();
            let foot = (from + way * at - a).dot(along);
            if (0.0..=length).contains(&foot) {
                keep(at);
            }
        }
    }
    first
}
