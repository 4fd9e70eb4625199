//! Sweeps without turning: straight ahead, backwards, sideways or any way, until something is met.
//!
//! Along a straight sweep every edge normal gives one linear inequality in the distance moved, so the stretch on which two convex
//! parts meet is an interval in closed form; no stepping, no iteration.

use smallvec::SmallVec;

use crate::heading::Heading;
use crate::length::Length;
use crate::outline::{Outline, Part, SLOP};
use crate::placed::Placed;
use crate::pose::Pose;
use crate::vec2::Vec2;

/// Which way a sweep goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// The way the mover faces.
    Ahead,
    /// The opposite way, still facing ahead.
    Back,
    /// To its right, still facing ahead.
    Right,
    /// To its left, still facing ahead.
    Left,
    /// Any way, still facing ahead.
    Toward(Heading),
}

impl Direction {
    /// The heading of the movement for a mover at a pose.
    pub fn heading(self, pose: Pose) -> Heading {
        match self {
            Direction::Ahead => pose.heading,
            Direction::Back => pose.heading.reversed(),
            Direction::Right => pose.heading.right(),
            Direction::Left => pose.heading.left(),
            Direction::Toward(heading) => heading,
        }
    }
}

/// How far a sweep got, and what stopped it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Swept<T> {
    /// The distance moved, rounded down, so that the mover placed there touches but does not overlap.
    pub free: Length,
    /// What was met; of several met at the same distance (rounded down), the lowest.
    pub met: Option<T>,
}

/// What happens at a point of a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Passing {
    /// The mover begins inside.
    Starts,
    /// The mover comes to touch it and goes on in.
    Enters,
    /// The last of the mover has left it.
    Leaves,
}

/// One point of a sweep at which something is entered or left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Crossing<T, At = Length> {
    /// How far along: a distance, or an [`Angle`](crate::Angle) for a wheel.
    pub at: At,
    /// What.
    pub id: T,
    /// Entered or left.
    pub passing: Passing,
}

/// The stretch of a sweep on which two things meet, in micrometres, unrounded and unlimited.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Meeting {
    /// Where they begin to touch; negative or 0 where they start so.
    pub from: f64,
    /// Where they part.
    pub to: f64,
    /// Whether they overlap at the start already.
    pub deep: bool,
}

/// Distances whose difference is rounding noise along a direction all but parallel to an edge.
const PARALLEL: f64 = 1e-12;

/// The stretch on which a convex part moving along a unit vector meets another; nothing where it never gets more than
/// [`SLOP`] deep.
#[inline]
pub(crate) fn meeting(a: Part<'_>, b: Part<'_>, way: Vec2) -> Option<Meeting> {
    // `from..to` is where they touch, `deep_from..deep_to` where they are deeper than SLOP.
    let (mut from, mut to) = (f64::NEG_INFINITY, f64::INFINITY);
    let (mut deep_from, mut deep_to) = (f64::NEG_INFINITY, f64::INFINITY);
    let mut limit = |gap: f64, closing: f64| -> bool {
        // The gap at distance t is gap - t * closing.
        if closing > PARALLEL {
            from = from.max(gap / closing);
            deep_from = deep_from.max((gap + SLOP) / closing);
        } else if closing < -PARALLEL {
            to = to.min(gap / closing);
            deep_to = deep_to.min((gap + SLOP) / closing);
        } else if gap > -SLOP {
            return false;
        }
        deep_from < deep_to && deep_to > 0.0
    };
    for i in 0..a.normals.len() {
        let n = a.normals[i];
        if !limit(b.min_along(n) - a.reach(i), n.dot(way)) {
            return None;
        }
    }
    for i in 0..b.normals.len() {
        let n = b.normals[i];
        if !limit(a.min_along(n) - b.reach(i), -n.dot(way)) {
            return None;
        }
    }
    if a.normals.is_empty() && b.normals.is_empty() {
        return None;
    }
    Some(Meeting { from, to, deep: deep_from < 0.0 })
}

/// How far an outline can move along a unit vector before it meets another: nothing where it never does, 0 where it
/// touches and moves in or overlaps already.
pub fn first_contact(mover: &impl Outline, way: Vec2, max: f64, other: &impl Outline) -> Option<f64> {
    let corridor = mover.bounds().swept(way * max);
    if !corridor.meets(&other.bounds()) {
        return None;
    }
    let mut first = f64::INFINITY;
    for a in mover.parts() {
        for b in other.parts() {
            if let Some(m) = meeting(a, b, way) {
                first = first.min(m.from.max(0.0));
            }
        }
    }
    (first <= max + 1e-3).then_some(first)
}

/// The stretches of a movement on which an outline meets another, in order, those that join made one.
pub fn meetings(mover: &impl Outline, way: Vec2, max: f64, other: &impl Outline, out: &mut SmallVec<[Meeting; 4]>) {
    out.clear();
    if !mover.bounds().swept(way * max).meets(&other.bounds()) {
        return;
    }
    for a in mover.parts() {
        for b in other.parts() {
            if let Some(m) = meeting(a, b, way)
                && m.from <= max
            {
                out.push(m);
            }
        }
    }
    out.sort_by(|a, b| a.from.total_cmp(&b.from));
    out.dedup_by(|next, kept| {
        let joins = next.from <= kept.to + SLOP;
        if joins {
            kept.to = kept.to.max(next.to);
            kept.deep |= next.deep;
        }
        joins
    });
}

/// Keeps the nearest of several contacts; at the same distance, once rounded down, the lowest id. Comparing rounded distances makes
/// the answer independent of the order in which things are looked at.
pub(crate) fn keep_first<T: Ord>(best: &mut Option<(Length, T)>, at: f64, id: T) {
    let found = (Length::floored(at), id);
    if best.as_ref().is_none_or(|held| found < *held) {
        *best = Some(found);
    }
}

/// Moves a footprint without turning it until it first meets one of some outlines. What it overlaps at the start stops it
/// at 0, so leave out what it may pass through.
///
/// ```
/// use sabretache_table::{Direction, Footprint, Length, Placed, Pose, sweep};
/// let battalion = Footprint::block(4, 1, Length::mm(40), Length::mm(20));
/// let mover = Placed::new(&battalion, Pose::cm(60, 20, 0));
/// let enemy = Placed::new(&battalion, Pose::cm(64, 50, 180));
/// let swept = sweep(&mover, Direction::Ahead, Length::cm(40), [(7, &enemy)]);
/// assert_eq!((swept.free, swept.met), (Length::cm(30), Some(7)));
/// ```
pub fn sweep<'a, T, O>(
    mover: &Placed,
    direction: Direction,
    max: Length,
    among: impl IntoIterator<Item = (T, &'a O)>,
) -> Swept<T>
where
    T: Copy + Ord,
    O: Outline + 'a,
{
    sweep_outline(mover, direction.heading(mover.pose()).unit(), max, among)
}

/// [`sweep`] for any outline along any unit vector.
pub fn sweep_outline<'a, T, O>(
    mover: &impl Outline,
    way: Vec2,
    max: Length,
    among: impl IntoIterator<Item = (T, &'a O)>,
) -> Swept<T>
where
    T: Copy + Ord,
    O: Outline + 'a,
{
    let mut best: Option<(Length, T)> = None;
    for (id, other) in among {
        let limit = best.as_ref().map_or(max.f(), |(d, _)| d.f() + 1.0).min(max.f());
        if let Some(at) = first_contact(mover, way, limit, other) {
            keep_first(&mut best, at, id);
        }
    }
    match best {
        Some((at, id)) => Swept { free: at.min(max), met: Some(id) },
        None => Swept { free: max, met: None },
    }
}

/// Every point of a movement at which the mover enters or leaves one of some outlines, in order along the way
/// (then by id, leaving last).
pub fn crossings<'a, T, O>(
    mover: &impl Outline,
    way: Vec2,
    max: Length,
    among: impl IntoIterator<Item = (T, &'a O)>,
    out: &mut Vec<Crossing<T>>,
) where
    T: Copy + Ord,
    O: Outline + 'a,
{
    out.clear();
    let mut stretches = SmallVec::new();
    for (id, other) in among {
        meetings(mover, way, max.f(), other, &mut stretches);
        for m in &stretches {
            if m.deep {
                out.push(Crossing { at: Length::ZERO, id, passing: Passing::Starts });
            } else {
                out.push(Crossing { at: Length::floored(m.from.max(0.0)), id, passing: Passing::Enters });
            }
            if m.to <= max.f() {
                out.push(Crossing { at: Length::ceiled(m.to).min(max), id, passing: Passing::Leaves });
            }
        }
    }
    out.sort_by_key(|c| (c.at, c.id, c.passing));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::footprint::Footprint;

    fn unit(x: i32, y: i32, degrees: i32) -> Placed {
        Placed::new(&Footprint::single(Length::cm(10), Length::cm(4)), Pose::cm(x, y, degrees))
    }

    #[test]
    fn a_sweep_stops_at_the_first_thing_met() {
        let mover = unit(50, 20, 0);
        let (near, far) = (unit(55, 44, 0), unit(50, 64, 0));
        let swept = sweep(&mover, Direction::Ahead, Length::cm(50), [(2, &far), (1, &near)]);
        assert_eq!(swept, Swept { free: Length::cm(20), met: Some(1) });
        let swept = sweep(&mover, Direction::Back, Length::cm(50), [(2, &far), (1, &near)]);
        assert_eq!(swept, Swept { free: Length::cm(50), met: None });
        let swept = sweep(&mover, Direction::Right, Length::cm(50), [(3, &unit(70, 22, 0))]);
        assert_eq!(swept, Swept { free: Length::cm(10), met: Some(3) });
    }

    #[test]
    fn touching_at_the_start_frees_away_and_along_but_not_in() {
        let mover = unit(50, 50, 0);
        let ahead = unit(52, 54, 0);
        let go = |d| sweep(&mover, d, Length::cm(20), [(1, &ahead)]);
        assert_eq!(go(Direction::Ahead), Swept { free: Length::ZERO, met: Some(1) });
        assert_eq!(go(Direction::Back), Swept { free: Length::cm(20), met: None });
        assert_eq!(go(Direction::Left), Swept { free: Length::cm(20), met: None });
        assert_eq!(go(Direction::Toward(Heading::degrees(100))), Swept { free: Length::cm(20), met: None });
        assert_eq!(go(Direction::Toward(Heading::degrees(80))), Swept { free: Length::ZERO, met: Some(1) });
    }

    #[test]
    fn ties_go_to_the_lowest_id_whatever_the_order() {
        let mover = unit(50, 20, 0);
        let (left, right) = (unit(45, 44, 0), unit(55, 44, 0));
        for among in [[(1, &left), (2, &right)], [(2, &right), (1, &left)]] {
            assert_eq!(sweep(&mover, Direction::Ahead, Length::cm(50), among).met, Some(1));
        }
    }

    #[test]
    fn crossings_tell_where_a_thing_is_entered_and_left() {
        let mover = unit(50, 20, 0);
        let mut out = Vec::new();
        crossings(
            &mover,
            Vec2::new(0.0, 1.0),
            Length::cm(50),
            [(1, &unit(50, 44, 0)), (2, &unit(50, 21, 0))],
            &mut out,
        );
        let got: Vec<_> = out.iter().map(|c| (c.at, c.id, c.passing)).collect();
        assert_eq!(
            got,
            [
                (Length::ZERO, 2, Passing::Starts),
                (Length::cm(5), 2, Passing::Leaves),
                (Length::cm(20), 1, Passing::Enters),
                (Length::cm(28), 1, Passing::Leaves),
            ]
        );
    }
}
