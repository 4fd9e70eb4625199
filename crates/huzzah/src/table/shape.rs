//! Outlines that rules ask about: shrunken footprints, strips beside a flank, parts of a polygon on one side of a line.

use sabretache_engine::ids::UnitId;
use sabretache_table::{
    Bounds, Convex, Corners, Face, Footprint, Length, Lie, Outline, Part, Placed, Point, Pose, Segment, Vec2,
};

use crate::battle::Battle;

/// A unit's footprint, smaller on every side: for overlaps that are more than a touch.
#[must_use]
pub fn shrunk(battle: &Battle, id: UnitId, by: Length) -> Placed {
    shrink(&battle.placed(id), by)
}

/// A placed rectangle, smaller on every side.
#[must_use]
pub fn shrink(placed: &Placed, by: Length) -> Placed {
    let front = placed.face(Face::Front).length();
    let side = placed.face(Face::Right).length();
    let smaller = |full: f64| Length::rounded((full - 2.0 * by.f()).max(10.0));
    let pose = placed.pose().ahead(-by);
    Placed::new(&Footprint::single(smaller(front), smaller(side)), pose)
}

/// The middle of the rear edge.
#[must_use]
pub fn rear_of(placed: &Placed) -> Point {
    Point::rounded(placed.face(Face::Rear).middle())
}

/// The middle of a footprint.
#[must_use]
pub fn centre_of(placed: &Placed) -> Vec2 {
    placed.centre()
}

/// The pose at which a footprint of this depth has its middle at a place.
#[must_use]
pub fn pose_about(centre: Vec2, heading: sabretache_table::Heading, depth: Length) -> Pose {
    Pose::new(Point::rounded(centre + heading.unit() * (depth.f() / 2.0)), heading)
}

/// The strip beside a flank, as deep as the unit and so wide (HZ-GEO-18).
#[must_use]
pub fn flank_strip(placed: &Placed, face: Face, width: Length) -> Convex {
    let edge = placed.face(face);
    let out = placed.outward(face) * width.f();
    Convex::hull(&[edge.a, edge.b, edge.a + out, edge.b + out])
}

/// The same strip, so much shorter at both ends: what lies in it, or on its far side, is beside the flank and not only at a corner.
#[must_use]
pub fn beside(placed: &Placed, face: Face, width: Length, less: f64) -> Convex {
    let edge = lengthened(placed.face(face), -less);
    let out = placed.outward(face) * width.f();
    Convex::hull(&[edge.a, edge.b, edge.a + out, edge.b + out])
}

/// An outline drawn out by a distance along a direction.
#[must_use]
pub fn drawn_out(placed: &Placed, by: Vec2) -> Convex {
    let mut places: Vec<Vec2> = Vec::with_capacity(8);
    for part in placed.parts() {
        for &corner in part.corners {
            places.push(corner);
            places.push(corner + by);
        }
    }
    Convex::hull(&places)
}

/// The corners of a placed rectangle, anticlockwise.
#[must_use]
pub fn corners(placed: &Placed) -> Corners {
    placed.whole().as_part().corners.iter().copied().collect()
}

/// What is left of a convex polygon where `normal · p <= reach`.
#[must_use]
pub fn clipped(polygon: &[Vec2], normal: Vec2, reach: f64) -> Corners {
    let mut out = Corners::new();
    for (n, &from) in polygon.iter().enumerate() {
        let to = polygon[(n + 1) % polygon.len()];
        let (a, b) = (normal.dot(from) - reach, normal.dot(to) - reach);
        if a <= 0.0 {
            out.push(from);
        }
        if (a < 0.0 && b > 0.0) || (a > 0.0 && b < 0.0) {
            out.push(from.toward(to, a / (a - b)));
        }
    }
    out
}

/// What of a footprint lies straight ahead of a face, between the lines of its flanks.
#[must_use]
pub fn in_lane(placed: &Placed, face: Face, target: &Placed) -> Corners {
    let (edge, out) = (placed.face(face), placed.outward(face));
    let right = out.right();
    let inside = clipped(&corners(target), right, right.dot(edge.b));
    let inside = clipped(&inside, right * -1.0, -right.dot(edge.a));
    clipped(&inside, out * -1.0, -out.dot(edge.a))
}

/// The area of a polygon.
#[must_use]
pub fn area(polygon: &[Vec2]) -> f64 {
    let mut twice = 0.0;
    for (n, &from) in polygon.iter().enumerate() {
        twice += from.cross(polygon[(n + 1) % polygon.len()]);
    }
    twice.abs() / 2.0
}

/// A unit or a piece of ground, where either will do.
#[derive(Clone, Copy)]
pub enum Shape<'a> {
    /// A unit.
    Unit(&'a Placed),
    /// Ground.
    Ground(Lie<'a>),
    /// A bare line: its ends, and the ways that lead off it.
    Edge([Vec2; 2], [Vec2; 4]),
}

impl Shape<'_> {
    /// A bare line.
    #[must_use]
    pub fn edge(edge: Segment) -> Self {
        let along = (edge.b - edge.a).unit();
        Self::Edge([edge.a, edge.b], [along.right(), along.right() * -1.0, along, along * -1.0])
    }
}

impl Outline for Shape<'_> {
    fn bounds(&self) -> Bounds {
        match self {
            Self::Unit(placed) => placed.bounds(),
            Self::Ground(lie) => lie.bounds(),
            Self::Edge(ends, _) => Bounds::of(ends),
        }
    }

    fn part_count(&self) -> usize {
        match self {
            Self::Unit(placed) => placed.part_count(),
            Self::Ground(lie) => lie.part_count(),
            Self::Edge(..) => 1,
        }
    }

    fn part(&self, i: usize) -> Part<'_> {
        match self {
            Self::Unit(placed) => placed.part(i),
            Self::Ground(lie) => lie.part(i),
            Self::Edge(ends, normals) => Part { corners: ends, normals },
        }
    }
}

/// A segment a little longer at both ends.
#[must_use]
pub fn lengthened(segment: Segment, by: f64) -> Segment {
    let way = (segment.b - segment.a).unit();
    Segment::new(segment.a - way * by, segment.b + way * by)
}
