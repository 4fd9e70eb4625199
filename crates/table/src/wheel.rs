//! Wheels: turning a footprint round a corner, or round any place, until something is met.
//!
//! While a convex part turns, it first meets another where a corner of the one, going round on a circle, comes to an edge of the
//! other. Circles and edges cross in closed form, so the angle is exact; it is rounded down to hundredths of a degree.

use smallvec::SmallVec;

use crate::convex::{Convex, Corners};
use crate::footprint::Corner;
use crate::heading::{Angle, RADIANS};
use crate::length::Length;
use crate::outline::{Bounds, Outline, Part, SLOP};
use crate::placed::Placed;
use crate::pose::Pose;
use crate::sweep::{Crossing, Passing, Swept};
use crate::touch::gap;
use crate::vec2::Vec2;

/// How far a wheel got, and what stopped it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Wheeled<T> {
    /// The angle turned, clockwise positive, rounded toward 0 so that the mover placed there does not overlap.
    pub free: Angle,
    /// What was met; of several met at the same angle (rounded down), the lowest.
    pub met: Option<T>,
}

/// The whole turn, in radians.
const FULL: f64 = 2.0 * core::f64::consts::PI;
/// Angles closer than this are the same; far below a hundredth of a degree and far above rounding noise.
const SAME: f64 = 1e-10;

type Angles = SmallVec<[f64; 16]>;

/// The turn from one direction to another, the given way round, from 0 to a full turn.
fn turn(from: Vec2, to: Vec2, clockwise: bool) -> f64 {
    let anticlockwise = libm::atan2(from.cross(to), from.dot(to));
    let t = if clockwise { -anticlockwise } else { anticlockwise };
    if t < -SAME { t + FULL } else { t.max(0.0) }
}

/// Calls with each angle at which a place turning about the pivot comes to the segment from `p` to `q`.
fn hits(pivot: Vec2, place: Vec2, p: Vec2, q: Vec2, clockwise: bool, mut found: impl FnMut(f64)) {
    let (arm, p, q) = (place - pivot, p - pivot, q - pivot);
    let r2 = arm.length2();
    let (p2, q2) = (p.length2(), q.length2());
    // Both ends inside the circle: the edge cannot reach it.
    if r2 == 0.0 || (p2 < r2 && q2 < r2) {
        return;
    }
    let d = q - p;
    let (a, b, c) = (d.length2(), p.dot(d), p2 - r2);
    if a == 0.0 {
        return;
    }
    let disc = b * b - a * c;
    if disc < 0.0 {
        return;
    }
    let root = disc.sqrt();
    for s in [(-b - root) / a, (-b + root) / a] {
        // A hair beyond either end is forgiven, so that corner on corner is not missed by both edges.
        if (-1e-9..=1.0 + 1e-9).contains(&s) {
            found(turn(arm, p + d * s, clockwise));
        }
    }
}

/// Calls with each angle at which a corner of either part comes to an edge of the other, `a` turning.
fn part_hits(a: Part<'_>, b: Part<'_>, pivot: Vec2, clockwise: bool, mut found: impl FnMut(f64)) {
    for &c in a.corners {
        for e in b.edges() {
            hits(pivot, c, e.a, e.b, clockwise, &mut found);
        }
    }
    for &c in b.corners {
        for e in a.edges() {
            hits(pivot, c, e.a, e.b, !clockwise, &mut found);
        }
    }
}

/// A part turned about the pivot.
fn turned(part: Part<'_>, pivot: Vec2, radians: f64, clockwise: bool) -> Convex {
    let (s, c) = (libm::sin(radians), libm::cos(radians));
    let s = if clockwise { s } else { -s };
    let corners: Corners = part
        .corners
        .iter()
        .map(|p| {
            let d = *p - pivot;
            pivot + Vec2::new(d.x * c + d.y * s, d.y * c - d.x * s)
        })
        .collect();
    Convex::from_ccw(corners)
}

/// Nearest and farthest distance of a part from the pivot, squared.
fn ring(part: Part<'_>, pivot: Vec2) -> (f64, f64) {
    let far = part.corners.iter().map(|c| (*c - pivot).length2()).fold(0.0, f64::max);
    if part.holds(pivot, 0.0) {
        return (0.0, far);
    }
    let near = part.edges().map(|e| (pivot - pivot.nearest_on(e.a, e.b)).length2()).fold(f64::INFINITY, f64::min);
    (near, far)
}

/// The angle, in radians up to `max`, at which a convex part turning about the pivot meets another.
fn part_contact(a: Part<'_>, b: Part<'_>, pivot: Vec2, clockwise: bool, max: f64) -> Option<f64> {
    let (ring_a, ring_b) = (ring(a, pivot), ring(b, pivot));
    if ring_a.0 > ring_b.1 || ring_b.0 > ring_a.1 {
        return None;
    }
    if gap(a, b) < -SLOP {
        return Some(0.0);
    }
    // The part shrunk by the tolerance is clear of what the part merely touches: its first hit is a real one.
    let core = Convex::grown(a, -SLOP);
    let core = if a.corners.len() > 2 && core.area() > 0.0 { core.as_part() } else { a };
    let mut deep = f64::INFINITY;
    part_hits(core, b, pivot, clockwise, |t| deep = deep.min(t));
    if deep > max + SLOP / libm::sqrt(ring_a.1.max(1.0)) + SAME {
        return None;
    }
    // The part itself touched a little earlier: go back over the stretch on which the two overlap.
    let mut events = Angles::new();
    part_hits(a, b, pivot, clockwise, |t| {
        if t < deep {
            events.push(t);
        }
    });
    events.push(0.0);
    events.sort_by(|x, y| y.total_cmp(x));
    let mut contact = deep;
    for &event in &events {
        if contact - event > SAME {
            let middle = turned(a, pivot, (event + contact) / 2.0, clockwise);
            // A pivot that rests on the other is in touch all the way round; only rounding noise is deeper than that.
            if gap(middle.as_part(), b) > -1e-3 {
                break;
            }
        }
        contact = event;
    }
    (contact <= max + SAME).then_some(contact)
}

/// The box round all the ground that an outline covers as it turns about a pivot. At each moment the corners span the outline, so the boxes
/// of the arcs of the corners are enough.
pub(crate) fn turned_box(mover: &impl Outline, pivot: Vec2, by: Angle) -> Bounds {
    // In steps of at most a quarter, an arc crosses each axis at most once, and it shows in the signs of its ends.
    let steps = (by.abs().min(Angle::FULL).to_hundredths() + 8_999) / 9_000;
    let step = Angle::hundredths(by.to_hundredths().clamp(-36_000, 36_000) / steps.max(1));
    let (s, c) = step.sin_cos();
    let mut bounds = mover.bounds();
    for part in mover.parts() {
        for corner in part.corners {
            let mut d = *corner - pivot;
            let r = d.length();
            for _ in 0..steps {
                let next = Vec2::new(d.x * c + d.y * s, d.y * c - d.x * s);
                bounds = bounds.with(pivot + next);
                if d.y * next.y < 0.0 {
                    bounds = bounds.with(pivot + Vec2::new(if d.x + next.x < 0.0 { -r } else { r }, 0.0));
                }
                if d.x * next.x < 0.0 {
                    bounds = bounds.with(pivot + Vec2::new(0.0, if d.y + next.y < 0.0 { -r } else { r }));
                }
                d = next;
            }
        }
    }
    // The step is rounded to a hundredth of a degree: allow for what the rounding loses.
    bounds.grown(SLOP + (bounds.max - bounds.min).length() * 4.0 * RADIANS)
}

/// The angle, in radians, that an outline can turn about a pivot before it meets another; 0 where it touches and turns in
/// or overlaps already.
pub fn first_turn_contact(
    mover: &impl Outline,
    pivot: Vec2,
    clockwise: bool,
    max: f64,
    other: &impl Outline,
) -> Option<f64> {
    // What lies further from the pivot than any corner of the mover is never met.
    let far = |part: Part<'_>| part.corners.iter().map(|c| (*c - pivot).length2()).fold(0.0, f64::max);
    let reach = libm::sqrt(mover.parts().map(far).fold(0.0, f64::max)) + SLOP;
    let mut first = f64::INFINITY;
    if other.bounds().distance2(&Bounds { min: pivot, max: pivot }) > reach * reach {
        return None;
    }
    for a in mover.parts() {
        for b in other.parts() {
            if let Some(t) = part_contact(a, b, pivot, clockwise, max.min(first)) {
                first = first.min(t);
            }
        }
    }
    first.is_finite().then_some(first)
}

/// Turns a footprint about a place, up to an angle (clockwise where positive), until it first meets one of some outlines.
/// Turns of more than a full circle stop at one.
pub fn wheel<'a, T, O>(
    mover: &Placed,
    pivot: Vec2,
    max: Angle,
    among: impl IntoIterator<Item = (T, &'a O)>,
) -> Wheeled<T>
where
    T: Copy + Ord,
    O: Outline + 'a,
{
    let clockwise = max >= Angle::ZERO;
    let limit = max.abs().min(Angle::FULL);
    let reach = turned_box(mover, pivot, max);
    let mut best: Option<(Angle, T)> = None;
    for (id, other) in among {
        if !reach.meets(&other.bounds()) {
            continue;
        }
        let within =
            best.as_ref().map_or(limit.to_radians(), |(t, _)| t.to_radians() + RADIANS).min(limit.to_radians());
        if let Some(t) = first_turn_contact(mover, pivot, clockwise, within, other) {
            let found = (Angle::floored_radians(t).min(limit), id);
            if best.as_ref().is_none_or(|held| found < *held) {
                best = Some(found);
            }
        }
    }
    let signed = |t: Angle| if clockwise { t } else { -t };
    match best {
        Some((t, id)) => Wheeled { free: signed(t), met: Some(id) },
        None => Wheeled { free: signed(limit), met: None },
    }
}

/// Every angle of a wheel at which the mover enters or leaves one of some outlines, in order (then by id, leaving last); the
/// angles have the sign of the wheel.
pub fn wheel_crossings<'a, T, O>(
    mover: &Placed,
    pivot: Vec2,
    max: Angle,
    among: impl IntoIterator<Item = (T, &'a O)>,
    out: &mut Vec<Crossing<T, Angle>>,
) where
    T: Copy + Ord,
    O: Outline + 'a,
{
    out.clear();
    let clockwise = max >= Angle::ZERO;
    let limit = max.abs().min(Angle::FULL).to_radians();
    let reach = turned_box(mover, pivot, max);
    // Being in is being in deeper than the tolerance, as for a straight sweep.
    let cores: SmallVec<[Convex; 1]> = mover.parts().map(|p| Convex::grown(p, -SLOP)).collect();
    for (id, other) in among {
        if !reach.meets(&other.bounds()) {
            continue;
        }
        let mut events = Angles::from_slice(&[0.0, limit]);
        for a in &cores {
            for b in other.parts() {
                part_hits(a.as_part(), b, pivot, clockwise, |t| events.extend((t < limit).then_some(t)));
            }
        }
        events.sort_by(f64::total_cmp);
        let mut was_in = false;
        for (i, w) in events.windows(2).enumerate() {
            if w[1] - w[0] <= SAME {
                continue;
            }
            let middle = (w[0] + w[1]) / 2.0;
            let is_in = cores.iter().any(|a| {
                let there = turned(a.as_part(), pivot, middle, clockwise);
                other.parts().any(|b| gap(there.as_part(), b) < 0.0)
            });
            if is_in != was_in {
                let passing = match (is_in, i) {
                    (true, 0) if cores.iter().any(|a| other.parts().any(|b| gap(a.as_part(), b) < 0.0)) => {
                        Passing::Starts
                    }
                    (true, _) => Passing::Enters,
                    (false, _) => Passing::Leaves,
                };
                let at = Angle::floored_radians(w[0]);
                out.push(Crossing { at: if clockwise { at } else { -at }, id, passing });
            }
            was_in = is_in;
        }
    }
    out.sort_by_key(|c| (c.at.abs(), c.id, c.passing));
}

/// Wheels a footprint forward about one of its front corners: a clockwise wheel pivots on the front right, an anticlockwise one on
/// the front left, so that the far end swings ahead.
pub fn wheel_forward<'a, T, O>(mover: &Placed, max: Angle, among: impl IntoIterator<Item = (T, &'a O)>) -> Wheeled<T>
where
    T: Copy + Ord,
    O: Outline + 'a,
{
    wheel(mover, mover.corner(inner_corner(max)), max, among)
}

/// The front corner that a forward wheel pivots on.
pub fn inner_corner(angle: Angle) -> Corner {
    if angle >= Angle::ZERO { Corner::FrontRight } else { Corner::FrontLeft }
}

/// The pose after wheeling forward about a front corner.
pub fn wheeled_pose(mover: &Placed, angle: Angle) -> Pose {
    mover.pose().turned_about(mover.corner(inner_corner(angle)), angle)
}

/// How far the outer corner travels when a front so wide wheels through an angle: the length of the arc, rounded up, so that a
/// wheel never costs less than it measures.
pub fn wheel_arc(frontage: Length, angle: Angle) -> Length {
    Length::ceiled(frontage.f() * angle.abs().to_radians())
}

/// The angle through which a front so wide can wheel when its outer corner may travel so far, rounded down and no more than a
/// full turn; a full turn where there is no front to speak of.
pub fn wheel_angle(frontage: Length, arc: Length) -> Angle {
    if arc <= Length::ZERO {
        return Angle::ZERO;
    }
    if frontage <= Length::ZERO {
        return Angle::FULL;
    }
    Angle::floored_radians(arc.f() / frontage.f()).min(Angle::FULL)
}

impl<T> Wheeled<T> {
    /// The distance that the outer corner of a front so wide has travelled.
    pub fn arc(&self, frontage: Length) -> Length {
        wheel_arc(frontage, self.free)
    }

    /// The same answer as a distance along the arc of the outer corner.
    pub fn as_swept(self, frontage: Length) -> Swept<T> {
        Swept { free: wheel_arc(frontage, self.free), met: self.met }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::footprint::Footprint;

    fn unit(x: i32, y: i32, degrees: i32) -> Placed {
        Placed::new(&Footprint::single(Length::cm(10), Length::cm(4)), Pose::cm(x, y, degrees))
    }

    #[test]
    fn a_wheel_stops_square_against_a_wall() {
        let mover = unit(50, 50, 0);
        // A wall whose near side runs north from the pivot corner's line: the front meets it after a right angle.
        let wall = Placed::new(&Footprint::single(Length::cm(40), Length::cm(2)), Pose::cm(57, 70, 90));
        let got = wheel_forward(&mover, Angle::degrees(120), [(4, &wall)]);
        assert_eq!(got, Wheeled { free: Angle::degrees(90), met: Some(4) });
        assert_eq!(wheeled_pose(&mover, Angle::degrees(90)), Pose::cm(55, 55, 90));
    }

    #[test]
    fn a_wheel_that_starts_touching_is_free_away_and_stuck_inward() {
        let mover = unit(50, 50, 0);
        let ahead = unit(50, 54, 0);
        assert_eq!(wheel_forward(&mover, Angle::degrees(30), [(1, &ahead)]).free, Angle::ZERO);
        let pivot = mover.corner(Corner::FrontRight);
        let back = wheel(&mover, pivot, Angle::degrees(-30), [(1, &ahead)]);
        assert_eq!(back, Wheeled { free: Angle::degrees(-30), met: None });
    }

    #[test]
    fn a_wheel_on_a_corner_that_rests_on_the_other_goes_on_until_the_sides_meet() {
        for hundredths in (100..8_900).step_by(13) {
            let mover = Placed::new(&Footprint::single(Length::cm(6), Length::cm(1)), Pose::cm(25, 43, 270));
            let wall = Pose::new(Pose::cm(25, 40, 0).at, crate::heading::Heading::hundredths(hundredths));
            let wall = Placed::new(&Footprint::single(Length::cm(6), Length::cm(1)), wall);
            let got = wheel(&mover, mover.corner(Corner::FrontLeft), Angle::degrees(90), [(1, &wall)]);
            assert_eq!(got, Wheeled { free: Angle::hundredths(hundredths), met: Some(1) });
        }
    }

    #[test]
    fn a_wheel_tells_what_it_enters_and_leaves() {
        let mover = unit(50, 50, 0);
        let pivot = mover.corner(Corner::FrontRight);
        let post = Placed::new(&Footprint::single(Length::cm(1), Length::cm(1)), Pose::cm(55, 59, 0));
        let mut out = Vec::new();
        wheel_crossings(&mover, pivot, Angle::degrees(180), [(1, &post)], &mut out);
        assert_eq!(out.iter().map(|c| c.passing).collect::<Vec<_>>(), [Passing::Enters, Passing::Leaves]);
        assert!(out[0].at > Angle::degrees(60) && out[1].at < Angle::degrees(140), "{out:?}");
        wheel_crossings(&mover, pivot, Angle::degrees(-180), [(1, &mover)], &mut out);
        assert_eq!(out[0].passing, Passing::Starts);
    }

    #[test]
    fn arcs_and_angles_invert() {
        assert_eq!(wheel_angle(Length::cm(10), wheel_arc(Length::cm(10), Angle::degrees(45))), Angle::degrees(45));
        assert_eq!(wheel_arc(Length::cm(10), Angle::degrees(90)), Length::um(157_080));
    }
}
