//! Random layouts for the oracle tests, and plain second opinions on what lies where.
#![allow(dead_code, unreachable_pub)]

use proptest::prelude::*;
use sabretache_table::{Footprint, Heading, Length, Outline, Part, Placed, Point, Pose, Stand, Vec2};

/// So many cases, with no files of past failures beside the tests.
pub fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// Headings: the quarters often, so that things touch exactly, otherwise any.
pub fn heading() -> impl Strategy<Value = Heading> {
    prop_oneof![
        3 => (0..4i32).prop_map(|q| Heading::degrees(q * 90)),
        1 => (0..24i32).prop_map(|q| Heading::degrees(q * 15)),
        3 => (0..36_000i32).prop_map(Heading::hundredths),
    ]
}

/// Coordinates: whole centimetres often, otherwise any micrometre.
pub fn coordinate(max_cm: i32) -> impl Strategy<Value = Length> {
    prop_oneof![3 => (0..=max_cm).prop_map(Length::cm), 2 => (0..=max_cm * 10_000).prop_map(Length::um)]
}

pub fn pose(max_cm: i32) -> impl Strategy<Value = Pose> {
    (coordinate(max_cm), coordinate(max_cm), heading()).prop_map(|(x, y, h)| Pose::new(Point::new(x, y), h))
}

/// Blocks mostly; sometimes a bent line or a hollow square of loose stands.
pub fn footprint() -> impl Strategy<Value = Footprint> {
    prop_oneof![
        6 => (1..5u16, 1..4u16, 2..5i32, 1..4i32)
            .prop_map(|(f, r, w, d)| Footprint::block(f, r, Length::cm(w), Length::cm(d))),
        1 => (10..60i32).prop_map(bent),
        1 => (4..8i32).prop_map(hollow),
    ]
}

pub fn block() -> impl Strategy<Value = Footprint> {
    (1..5u16, 1..4u16, 2..5i32, 1..4i32).prop_map(|(f, r, w, d)| Footprint::block(f, r, Length::cm(w), Length::cm(d)))
}

/// Two stands in line and two refused by an angle.
pub fn bent(degrees: i32) -> Footprint {
    let stand = |x: i32, y: i32, h: i32| Stand { at: Pose::cm(x, y, h), width: Length::cm(4), depth: Length::cm(2) };
    let right = Pose::cm(4, 0, 0).turned(sabretache_table::Angle::degrees(degrees));
    let third = right.sideways(Length::cm(2));
    let fourth = right.sideways(Length::cm(6));
    let at = |p: Pose| Stand { at: p, width: Length::cm(4), depth: Length::cm(2) };
    Footprint::of(&[stand(-2, 0, 0), stand(2, 0, 0), at(third), at(fourth)])
}

/// Four stands round an empty middle.
pub fn hollow(side: i32) -> Footprint {
    let stand =
        |x: i32, y: i32, w: i32, d: i32| Stand { at: Pose::cm(x, y, 0), width: Length::cm(w), depth: Length::cm(d) };
    let out = side + 2;
    Footprint::of(&[
        stand(0, 0, 2 * out, 1),
        stand(0, 1 - 2 * out, 2 * out, 1),
        stand(-out + 1, -1, 2, 2 * out - 2),
        stand(out - 1, -1, 2, 2 * out - 2),
    ])
}

pub fn placed(max_cm: i32) -> impl Strategy<Value = Placed> {
    (footprint(), pose(max_cm)).prop_map(|(f, p)| Placed::new(&f, p))
}

pub fn placed_block(max_cm: i32) -> impl Strategy<Value = Placed> {
    (block(), pose(max_cm)).prop_map(|(f, p)| Placed::new(&f, p))
}

/// A second opinion on how two footprints lie to each other once the first is moved, from their corners alone: below 0 the depth of the deepest
/// overlap, above 0 a gap between them (no more than their distance).
pub fn signed_distance(a: &Placed, b: &Placed, by: Vec2) -> f64 {
    let mut least = f64::INFINITY;
    for p in a.parts() {
        for q in b.parts() {
            let p: Vec<Vec2> = p.corners.iter().map(|c| *c + by).collect();
            least = least.min(widest_gap(&p, q.corners).max(widest_gap(q.corners, &p)));
        }
    }
    least
}

/// The widest gap between a convex polygon and the corners of another, seen from the sides of the first.
fn widest_gap(of: &[Vec2], to: &[Vec2]) -> f64 {
    let mut widest = f64::NEG_INFINITY;
    for i in 0..of.len() {
        let (a, b) = (of[i], of[(i + 1) % of.len()]);
        let length = ((b.x - a.x).powi(2) + (b.y - a.y).powi(2)).sqrt();
        let out = |p: &Vec2| ((p.x - a.x) * (b.y - a.y) - (p.y - a.y) * (b.x - a.x)) / length;
        widest = widest.max(to.iter().map(out).fold(f64::INFINITY, f64::min));
    }
    widest
}

/// A footprint as polygons of the geometry library.
pub fn polygons(outline: &impl Outline) -> geo::MultiPolygon<f64> {
    let polygon = |p: Part<'_>| {
        let ring: geo::LineString<f64> = p.corners.iter().map(|c| geo::Coord { x: c.x, y: c.y }).collect();
        geo::Polygon::new(ring, Vec::new())
    };
    outline.parts().map(polygon).collect()
}
