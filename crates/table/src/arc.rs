//! Arcs of fire: the ground within an angle of straight ahead, from a face or from a place.

use crate::convex::{Convex, Corners, clip};
use crate::footprint::Face;
use crate::heading::Angle;
use crate::length::Length;
use crate::outline::{Outline, Part, SLOP};
use crate::placed::Placed;
use crate::touch::part_distance;
use crate::vec2::{Segment, Vec2};

/// An arc of fire: straight ahead of a face, and as far again to each side as an angle at its ends allows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arc {
    /// The face that fires, left to right looking out; a single place where both ends are the same.
    from: Segment,
    /// Straight ahead.
    out: Vec2,
    /// The angle allowed on each side.
    half: Angle,
}

/// What of a target lies in an arc.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InArc {
    /// The share of its area that does, from 0 to 1.
    pub share: f64,
    /// Whether all of it does.
    pub all: bool,
    /// The distance from the face to the nearest place of it that does; nothing where none does.
    pub range: Option<Length>,
}

impl InArc {
    /// Whether any of it lies in the arc.
    pub fn any(&self) -> bool {
        self.range.is_some()
    }
}

impl Arc {
    /// The arc of a face, with an angle allowed on each side: 0° for straight ahead only, 45° for a quarter circle at each
    /// end. Angles between 90° and 180° count as 90°; from 180° on the arc is all round.
    pub fn before(unit: &Placed, face: Face, half: Angle) -> Arc {
        Arc { from: unit.face(face), out: unit.outward(face), half: half.abs() }
    }

    /// The arc from a place looking along a unit vector.
    pub fn from_place(place: Vec2, out: Vec2, half: Angle) -> Arc {
        Arc { from: Segment::new(place, place), out, half: half.abs() }
    }

    /// The lines that bound the arc: outward normal and how far it reaches along it.
    fn lines(&self) -> [(Vec2, f64); 3] {
        let (s, c) = self.half.min(Angle::QUARTER).sin_cos();
        let right = self.out.right();
        let (to_left, to_right) = (-right * c - self.out * s, right * c - self.out * s);
        [
            (-self.out, -self.out.dot(self.from.a)),
            (to_left, to_left.dot(self.from.a)),
            (to_right, to_right.dot(self.from.b)),
        ]
    }

    fn all_round(&self) -> bool {
        self.half >= Angle::HALF
    }

    /// What of a convex part lies in the arc, its edges included.
    fn clipped(&self, part: Part<'_>) -> Corners {
        let mut left = Corners::from_slice(part.corners);
        if self.all_round() {
            return left;
        }
        for (normal, reach) in self.lines() {
            left = clip(&left, normal, reach + SLOP / 2.0);
        }
        left
    }

    /// Whether a place lies in the arc, edges included.
    pub fn holds(&self, place: Vec2) -> bool {
        self.all_round() || self.lines().iter().all(|(n, reach)| n.dot(place) <= reach + SLOP)
    }

    /// What of a target lies in the arc, and how far off it is. A target that only touches the edge of the arc is in it.
    pub fn look(&self, target: &impl Outline) -> InArc {
        let face = Convex::segment(self.from);
        let (mut area, mut whole, mut all, mut range) = (0.0, 0.0, true, f64::INFINITY);
        for part in target.parts() {
            let inside = self.clipped(part);
            whole += part.area();
            all &= part.corners.iter().all(|c| self.holds(*c));
            if inside.is_empty() {
                continue;
            }
            area += crate::outline::area(&inside).max(0.0);
            let inside = Convex::hull(&inside);
            range = range.min(part_distance(face.as_part(), inside.as_part()));
        }
        if !range.is_finite() {
            return InArc { share: 0.0, all: false, range: None };
        }
        let share = if all {
            1.0
        } else if whole > 0.0 {
            area / whole
        } else {
            0.0
        };
        InArc { share, all, range: Some(if range <= SLOP { Length::ZERO } else { Length::rounded(range) }) }
    }

    /// Whether any of a target lies in the arc and within a range of the face.
    pub fn reaches(&self, target: &impl Outline, range: Length) -> bool {
        self.look(target).range.is_some_and(|r| r.f() <= range.f() + SLOP)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::footprint::Footprint;
    use crate::pose::Pose;

    fn unit(x: i32, y: i32, degrees: i32) -> Placed {
        Placed::new(&Footprint::single(Length::cm(10), Length::cm(4)), Pose::cm(x, y, degrees))
    }

    #[test]
    fn an_arc_widens_from_the_ends_of_the_face() {
        let us = unit(50, 50, 0);
        let arc = Arc::before(&us, Face::Front, Angle::degrees(45));
        let ahead = arc.look(&unit(50, 64, 180));
        assert_eq!((ahead.all, ahead.range), (true, Some(Length::cm(14))));
        assert!(!arc.look(&unit(80, 60, 0)).any());
        assert!(arc.look(&unit(70, 64, 0)).any(), "its corner lies in the arc");
        assert!(!Arc::before(&us, Face::Front, Angle::ZERO).look(&unit(70, 64, 0)).any());
        let touched = Arc::before(&us, Face::Front, Angle::ZERO).look(&unit(60, 64, 0));
        assert_eq!((touched.any(), touched.share < 1e-4), (true, true), "its side lies on the edge of the arc");
        assert_eq!(Arc::before(&us, Face::Front, Angle::HALF).look(&unit(50, 30, 0)).range, Some(Length::cm(20)));
    }

    #[test]
    fn half_a_target_in_the_arc_is_half() {
        let us = unit(50, 50, 0);
        let half = Arc::before(&us, Face::Front, Angle::ZERO).look(&unit(55, 64, 0));
        assert!((half.share - 0.5).abs() < 1e-4);
        assert!(Arc::before(&us, Face::Front, Angle::ZERO).reaches(&unit(55, 64, 0), Length::cm(10)));
    }
}
