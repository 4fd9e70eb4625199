//! Points and poses: where something lies, and which way it faces, in whole numbers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::heading::{Angle, Heading};
use crate::length::Length;
use crate::vec2::Vec2;

/// A place on the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Point {
    /// How far east.
    pub x: Length,
    /// How far north.
    pub y: Length,
}

/// Where a unit lies: the middle of its front edge, and the way it faces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Pose {
    /// The middle of the front edge.
    pub at: Point,
    /// The way it faces.
    pub heading: Heading,
}

impl Point {
    /// A place from its coordinates.
    pub const fn new(x: Length, y: Length) -> Point {
        Point { x, y }
    }

    /// A place in whole centimetres.
    pub const fn cm(x: i32, y: i32) -> Point {
        Point { x: Length::cm(x), y: Length::cm(y) }
    }

    /// A place in whole inches.
    pub const fn inches(x: i32, y: i32) -> Point {
        Point { x: Length::inches(x), y: Length::inches(y) }
    }

    /// The nearest whole-micrometre place.
    pub fn rounded(v: Vec2) -> Point {
        Point { x: Length::rounded(v.x), y: Length::rounded(v.y) }
    }

    /// The place as real numbers.
    pub const fn v(self) -> Vec2 {
        Vec2::new(self.x.f(), self.y.f())
    }

    /// The distance to another place, to the nearest micrometre.
    pub fn distance(self, to: Point) -> Length {
        Length::rounded((to.v() - self.v()).length())
    }

    /// The place a distance away along a heading, rounded to the nearest micrometre.
    pub fn along(self, heading: Heading, distance: Length) -> Point {
        Point::rounded(self.v() + heading.unit() * distance.f())
    }
}

impl From<Point> for Vec2 {
    fn from(p: Point) -> Vec2 {
        p.v()
    }
}

impl Pose {
    /// A pose from its place and heading.
    pub const fn new(at: Point, heading: Heading) -> Pose {
        Pose { at, heading }
    }

    /// A pose in whole centimetres and degrees.
    pub const fn cm(x: i32, y: i32, degrees: i32) -> Pose {
        Pose { at: Point::cm(x, y), heading: Heading::degrees(degrees) }
    }

    /// Moved along its heading; backwards where negative.
    pub fn ahead(self, distance: Length) -> Pose {
        Pose { at: self.at.along(self.heading, distance), ..self }
    }

    /// Moved to its right without turning; to its left where negative.
    pub fn sideways(self, distance: Length) -> Pose {
        Pose { at: self.at.along(self.heading.right(), distance), ..self }
    }

    /// Moved any way without turning.
    pub fn moved(self, heading: Heading, distance: Length) -> Pose {
        Pose { at: self.at.along(heading, distance), ..self }
    }

    /// Turned about the middle of its front edge.
    pub fn turned(self, by: Angle) -> Pose {
        Pose { heading: self.heading + by, ..self }
    }

    /// Turned about any place, the place of the pose rounded to the nearest micrometre.
    pub fn turned_about(self, pivot: Vec2, by: Angle) -> Pose {
        Pose { at: Point::rounded(rotate(self.at.v(), pivot, by)), heading: self.heading + by }
    }

    /// A place given relative to the pose: so far to the right, so far ahead.
    pub fn local(self, right: Length, ahead: Length) -> Vec2 {
        let f = self.heading.unit();
        self.at.v() + f.right() * right.f() + f * ahead.f()
    }

    /// Where a place lies relative to the pose: how far to the right (x) and ahead (y).
    pub fn relative(self, place: Vec2) -> Vec2 {
        let f = self.heading.unit();
        let d = place - self.at.v();
        Vec2::new(d.dot(f.right()), d.dot(f))
    }
}

/// A place turned clockwise about a pivot.
pub(crate) fn rotate(p: Vec2, pivot: Vec2, by: Angle) -> Vec2 {
    let (s, c) = by.sin_cos();
    let d = p - pivot;
    pivot + Vec2::new(d.x * c + d.y * s, d.y * c - d.x * s)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn poses_move_in_wargame_directions() {
        let pose = Pose::cm(50, 50, 90);
        assert_eq!(pose.ahead(Length::cm(10)), Pose::cm(60, 50, 90));
        assert_eq!(pose.sideways(Length::cm(10)), Pose::cm(50, 40, 90));
        assert_eq!(pose.ahead(-Length::cm(10)), Pose::cm(40, 50, 90));
        assert_eq!(pose.turned_about(Point::cm(50, 60).v(), Angle::QUARTER), Pose::cm(40, 60, 180));
        assert_eq!(pose.relative(Point::cm(60, 40).v()), Vec2::new(100_000.0, 100_000.0));
    }

    #[test]
    fn a_pose_is_plain_integers_in_a_file() {
        let text = serde_json::to_string(&Pose::cm(1, 2, 90)).unwrap();
        assert_eq!(text, r#"{"at":{"x":10000,"y":20000},"heading":9000}"#);
        assert_eq!(serde_json::from_str::<Pose>(&text).unwrap(), Pose::cm(1, 2, 90));
    }
}
