//! Movement along a path: a rigid footprint taken leg by leg until it first meets something.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::footprint::{Corner, Footprint};
use crate::heading::{Angle, Heading};
use crate::length::Length;
use crate::outline::Outline;
use crate::placed::Placed;
use crate::pose::{Point, Pose};
use crate::sweep::{Direction, sweep};
use crate::wheel::{inner_corner, wheel};

/// One leg of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Leg {
    /// Straight ahead; backwards where negative.
    Ahead(Length),
    /// To the right without turning; to the left where negative.
    Sideways(Length),
    /// Any way without turning.
    Slide(Heading, Length),
    /// Forward about a front corner: clockwise on the right one, anticlockwise on the left.
    Wheel(Angle),
    /// About a named corner.
    WheelOn(Corner, Angle),
    /// In place, about the middle of the front edge.
    Turn(Angle),
    /// In place, about the middle of the footprint.
    TurnOnCentre(Angle),
}

/// How far a path got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Followed<T> {
    /// Where the footprint ended.
    pub pose: Pose,
    /// How many legs were finished.
    pub legs: usize,
    /// How much of the leg after those was done: a distance, or an angle in hundredths of a degree, without sign.
    pub part: i32,
    /// What was met.
    pub met: Option<T>,
}

/// Moves a footprint along a path until it first meets one of some outlines; a leg that starts touching and goes in ends the
/// path where it starts.
pub fn follow<'a, T, O, I>(footprint: &Footprint, start: Pose, path: &[Leg], among: I) -> Followed<T>
where
    T: Copy + Ord,
    O: Outline + 'a,
    I: IntoIterator<Item = (T, &'a O)> + Clone,
{
    let mut pose = start;
    for (legs, leg) in path.iter().enumerate() {
        let mover = Placed::new(footprint, pose);
        let (next, part, met) = step(&mover, *leg, among.clone());
        pose = next;
        if met.is_some() {
            return Followed { pose, legs, part, met };
        }
    }
    Followed { pose, legs: path.len(), part: 0, met: None }
}

/// Does one leg: where it ends, how much of it was done, what was met.
pub fn step<'a, T, O>(mover: &Placed, leg: Leg, among: impl IntoIterator<Item = (T, &'a O)>) -> (Pose, i32, Option<T>)
where
    T: Copy + Ord,
    O: Outline + 'a,
{
    let pose = mover.pose();
    let slide = |direction: Direction, distance: Length, among| {
        let swept = sweep(mover, direction, distance, among);
        (pose.moved(direction.heading(pose), swept.free), swept.free.to_um(), swept.met)
    };
    let (pivot, angle) = match leg {
        Leg::Ahead(d) if d < Length::ZERO => return slide(Direction::Back, -d, among),
        Leg::Ahead(d) => return slide(Direction::Ahead, d, among),
        Leg::Sideways(d) if d < Length::ZERO => return slide(Direction::Left, -d, among),
        Leg::Sideways(d) => return slide(Direction::Right, d, among),
        Leg::Slide(h, d) if d < Length::ZERO => return slide(Direction::Toward(h.reversed()), -d, among),
        Leg::Slide(h, d) => return slide(Direction::Toward(h), d, among),
        Leg::Wheel(angle) => (mover.corner(inner_corner(angle)), angle),
        Leg::WheelOn(corner, angle) => (mover.corner(corner), angle),
        Leg::Turn(angle) => (pose.at.v(), angle),
        Leg::TurnOnCentre(angle) => (mover.centre(), angle),
    };
    let wheeled = wheel(mover, pivot, angle, among);
    (pose.turned_about(pivot, wheeled.free), wheeled.free.abs().to_hundredths(), wheeled.met)
}

/// The legs that take the middle of a front edge along a road: at each point a turn in place toward the next, then straight ahead.
pub fn along(start: Pose, points: &[Point]) -> Vec<Leg> {
    let mut legs = Vec::with_capacity(points.len() * 2);
    let mut pose = start;
    for point in points {
        let distance = pose.at.distance(*point);
        if distance == Length::ZERO {
            continue;
        }
        let turn = pose.heading.turn_to(Heading::toward(pose.at.v(), point.v()));
        if turn != Angle::ZERO {
            legs.push(Leg::Turn(turn));
        }
        legs.push(Leg::Ahead(distance));
        // Follow the rounded headings, so that small errors do not add up along the road.
        pose = pose.turned(turn).ahead(distance);
    }
    legs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_of_legs_ends_where_each_would() {
        let f = Footprint::single(Length::cm(10), Length::cm(4));
        let nothing: [(u8, &Placed); 0] = [];
        let path = [Leg::Ahead(Length::cm(20)), Leg::Wheel(Angle::QUARTER), Leg::Sideways(Length::cm(-5))];
        let got = follow(&f, Pose::cm(50, 20, 0), &path, nothing);
        assert_eq!((got.pose, got.legs), (Pose::cm(55, 50, 90), 3));
    }

    #[test]
    fn a_path_stops_in_the_leg_that_meets_something() {
        let f = Footprint::single(Length::cm(10), Length::cm(4));
        let wall = Placed::new(&f, Pose::cm(85, 45, 270));
        let path = [Leg::Ahead(Length::cm(20)), Leg::Wheel(Angle::QUARTER), Leg::Ahead(Length::cm(50))];
        let got = follow(&f, Pose::cm(50, 20, 0), &path, [(9, &wall)]);
        assert_eq!((got.pose, got.legs, got.met), (Pose::cm(85, 45, 90), 2, Some(9)));
        assert_eq!(got.part, 300_000);
    }

    #[test]
    fn a_road_is_followed_bend_by_bend() {
        let f = Footprint::single(Length::cm(4), Length::cm(8));
        let road = [Point::cm(50, 60), Point::cm(80, 60), Point::cm(80, 20)];
        let start = Pose::cm(50, 40, 0);
        let nothing: [(u8, &Placed); 0] = [];
        let got = follow(&f, start, &along(start, &road), nothing);
        assert_eq!(got.pose, Pose::cm(80, 20, 180));
    }
}
