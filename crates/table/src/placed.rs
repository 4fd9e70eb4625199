//! Footprints laid on the table.
//!
//! The pose is in whole micrometres; corners are computed from it as real numbers and never rounded, so every query
//! sees the same rectangle whatever was asked before. Only results (distances, angles, new poses) are rounded.

use std::sync::Arc;

use crate::convex::Convex;
use crate::footprint::{Corner, Face, Footprint, rectangle};
use crate::outline::{Bounds, Outline, Part};
use crate::patch::Patch;
use crate::pose::Pose;
use crate::vec2::{Segment, Vec2};

/// An oriented rectangle: corners anticlockwise from the front right, with the normals of the front, left, rear and right edges.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quad {
    corners: [Vec2; 4],
    normals: [Vec2; 4],
}

impl Quad {
    /// The rectangle that reaches so far left, right, ahead and back of a place.
    pub fn new(at: Vec2, forward: Vec2, left: f64, right: f64, front: f64, back: f64) -> Quad {
        let r = forward.right();
        Quad { corners: rectangle(at, forward, left, right, front, back), normals: [forward, -r, -forward, r] }
    }

    /// The way it faces.
    #[inline]
    pub fn forward(&self) -> Vec2 {
        self.normals[0]
    }

    /// A named corner.
    #[inline]
    pub fn corner(&self, corner: Corner) -> Vec2 {
        match corner {
            Corner::FrontRight => self.corners[0],
            Corner::FrontLeft => self.corners[1],
            Corner::RearLeft => self.corners[2],
            Corner::RearRight => self.corners[3],
        }
    }

    /// The middle.
    pub fn centre(&self) -> Vec2 {
        self.corners[0].toward(self.corners[2], 0.5)
    }

    /// The rectangle as a part.
    #[inline]
    pub fn as_part(&self) -> Part<'_> {
        Part { corners: &self.corners, normals: &self.normals }
    }

    /// The rectangle moved without turning.
    pub fn moved(&self, by: Vec2) -> Quad {
        Quad { corners: self.corners.map(|c| c + by), normals: self.normals }
    }
}

impl Outline for Quad {
    fn bounds(&self) -> Bounds {
        Bounds::of(&self.corners)
    }
    fn part_count(&self) -> usize {
        1
    }
    fn part(&self, _: usize) -> Part<'_> {
        self.as_part()
    }
}

/// A footprint laid at a pose.
#[derive(Clone, Debug)]
pub struct Placed {
    // Kept together as one plain value, so that cloning a unit is one copy and one look at the pointer.
    laid: Laid,
    /// What it is made of, where that is not the one rectangle.
    made_of: Option<Arc<Parts>>,
}

#[derive(Debug)]
enum Parts {
    /// Stands that do not fill the rectangle.
    Stands(Box<[Quad]>),
    /// The parts of an area that is held as a whole.
    Area(Box<[Convex]>),
}

#[derive(Clone, Copy, Debug)]
struct Laid {
    pose: Pose,
    whole: Quad,
    bounds: Bounds,
}

impl Placed {
    /// Lays a footprint at a pose.
    ///
    /// ```
    /// use sabretache_table::{Face, Footprint, Length, Placed, Pose};
    /// let battalion = Footprint::block(4, 1, Length::mm(40), Length::mm(20));
    /// let placed = Placed::new(&battalion, Pose::cm(60, 40, 90));
    /// assert_eq!(Length::rounded(placed.face(Face::Front).length()), Length::cm(16));
    /// ```
    pub fn new(footprint: &Footprint, pose: Pose) -> Placed {
        let forward = pose.heading.unit();
        let at = pose.at.v();
        let reach = footprint.reach();
        let whole = Quad::new(at, forward, reach.left.f(), reach.right.f(), reach.front.f(), reach.back.f());
        let loose = footprint.loose();
        if loose.is_empty() {
            return Placed { laid: Laid { pose, whole, bounds: Outline::bounds(&whole) }, made_of: None };
        }
        let r = forward.right();
        let stands: Box<[Quad]> = loose
            .iter()
            .map(|s| {
                let half = s.width.f() / 2.0;
                let front = at + r * s.at.at.x.f() + forward * s.at.at.y.f();
                Quad::new(front, (pose.heading + s.at.heading.as_turn()).unit(), half, half, 0.0, s.depth.f())
            })
            .collect();
        let bounds = stands.iter().fold(Bounds::EMPTY, |b, q| b.join(Outline::bounds(q)));
        Placed { laid: Laid { pose, whole, bounds }, made_of: Some(Arc::new(Parts::Stands(stands))) }
    }

    /// Whoever holds an area as a whole covers all of it; its faces and corners are those of the upright box round it.
    pub fn area(patch: &Patch, pose: Pose) -> Placed {
        let bounds = patch.bounds();
        let (wide, deep) = ((bounds.max.x - bounds.min.x) / 2.0, bounds.max.y - bounds.min.y);
        let front = Vec2::new(bounds.middle().x, bounds.max.y);
        let whole = Quad::new(front, Vec2::new(0.0, 1.0), wide, wide, 0.0, deep);
        let parts = patch.parts().map(|part| Convex::hull(part.corners)).collect();
        Placed { laid: Laid { pose, whole, bounds }, made_of: Some(Arc::new(Parts::Area(parts))) }
    }

    /// Where it lies.
    #[inline]
    pub fn pose(&self) -> Pose {
        self.laid.pose
    }

    /// The rectangle round the whole, which gives the faces and corners.
    #[inline]
    pub fn whole(&self) -> &Quad {
        &self.laid.whole
    }

    /// The way it faces, as a unit vector.
    #[inline]
    pub fn forward(&self) -> Vec2 {
        self.laid.whole.forward()
    }

    /// The middle of the whole rectangle.
    pub fn centre(&self) -> Vec2 {
        self.laid.whole.centre()
    }

    /// A named corner.
    #[inline]
    pub fn corner(&self, corner: Corner) -> Vec2 {
        self.laid.whole.corner(corner)
    }

    /// A face, from its left end to its right end as seen by somebody inside looking out.
    pub fn face(&self, face: Face) -> Segment {
        let c = |corner| self.laid.whole.corner(corner);
        match face {
            Face::Front => Segment::new(c(Corner::FrontLeft), c(Corner::FrontRight)),
            Face::Right => Segment::new(c(Corner::FrontRight), c(Corner::RearRight)),
            Face::Rear => Segment::new(c(Corner::RearRight), c(Corner::RearLeft)),
            Face::Left => Segment::new(c(Corner::RearLeft), c(Corner::FrontLeft)),
        }
    }

    /// The way a face looks, as a unit vector.
    pub fn outward(&self, face: Face) -> Vec2 {
        let f = self.forward();
        match face {
            Face::Front => f,
            Face::Right => f.right(),
            Face::Rear => -f,
            Face::Left => -f.right(),
        }
    }

    /// Whether both cover exactly the same ground.
    #[inline]
    pub fn same_place(&self, other: &Placed) -> bool {
        let alike = match (&self.made_of, &other.made_of) {
            (None, None) => true,
            (Some(a), Some(b)) => {
                let same = |n| self.part(n).corners == other.part(n).corners;
                Arc::ptr_eq(a, b) || (self.part_count() == other.part_count() && (0..self.part_count()).all(same))
            }
            _ => false,
        };
        alike && self.laid.pose == other.laid.pose && self.laid.whole == other.laid.whole
    }

    /// The stands as rectangles: the one whole where it is a solid block.
    pub fn quads(&self) -> &[Quad] {
        match self.made_of.as_deref() {
            Some(Parts::Stands(stands)) => stands,
            _ => std::slice::from_ref(&self.laid.whole),
        }
    }
}

impl Outline for Placed {
    #[inline]
    fn bounds(&self) -> Bounds {
        self.laid.bounds
    }
    #[inline]
    fn part_count(&self) -> usize {
        match self.made_of.as_deref() {
            None => 1,
            Some(Parts::Stands(stands)) => stands.len(),
            Some(Parts::Area(parts)) => parts.len(),
        }
    }
    #[inline]
    fn part(&self, i: usize) -> Part<'_> {
        match self.made_of.as_deref() {
            None => self.laid.whole.as_part(),
            Some(Parts::Stands(stands)) => stands[i].as_part(),
            Some(Parts::Area(parts)) => parts[i].as_part(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::length::Length;

    #[test]
    fn faces_and_corners_are_where_a_soldier_would_say() {
        let f = Footprint::block(2, 1, Length::cm(5), Length::cm(2));
        let p = Placed::new(&f, Pose::cm(50, 50, 90));
        assert_eq!(p.corner(Corner::FrontLeft), Vec2::new(500_000.0, 550_000.0));
        assert_eq!(p.corner(Corner::FrontRight), Vec2::new(500_000.0, 450_000.0));
        assert_eq!(p.corner(Corner::RearLeft), Vec2::new(480_000.0, 550_000.0));
        assert_eq!(p.face(Face::Right).a, p.corner(Corner::FrontRight));
        assert_eq!(p.outward(Face::Left), Vec2::new(0.0, 1.0));
        assert_eq!(p.area(), 100_000.0 * 20_000.0);
    }

    #[test]
    fn an_area_is_held_whole() {
        let corners =
            [(0, 0), (30, 0), (30, 10), (10, 10), (10, 30), (0, 30)].map(|(x, y)| crate::pose::Point::cm(x, y));
        let held = Placed::area(&Patch::area(&corners, &[]), Pose::cm(15, 30, 0));
        assert_eq!(held.area().round(), 500.0 * 1e8);
        assert_eq!(held.corner(Corner::RearRight), Vec2::new(300_000.0, 0.0));
        let outside = Placed::new(&Footprint::single(Length::cm(4), Length::cm(4)), Pose::cm(20, 24, 0));
        assert!(!crate::touch::overlapping(&held, &outside), "the notch is free");
    }

    #[test]
    fn loose_stands_turn_with_the_unit() {
        let f = Footprint::of(&Footprint::block(2, 2, Length::cm(5), Length::cm(2)).stands());
        let p = Placed::new(&f, Pose::cm(50, 50, 30));
        assert_eq!(p.part_count(), 4);
        let solid = Placed::new(&Footprint::block(2, 2, Length::cm(5), Length::cm(2)), Pose::cm(50, 50, 30));
        assert!((p.bounds().max - solid.bounds().max).length() < 1e-6);
    }
}
