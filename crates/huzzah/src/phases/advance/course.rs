//! The course of a road from where a march column stands on it.

use sabretache_table::{Heading, Length, Point, Pose, Vec2};
use smallvec::SmallVec;

use crate::battle::Battle;
use crate::table::siege;

/// A road from where a column stands: the place on it nearest to the column's front, and the bends after it.
pub(super) struct Course {
    start: Vec2,
    legs: SmallVec<[Leg; 8]>,
}

/// Where a leg of a road ends, how long it is from where the column comes onto it, and the way it leads.
struct Leg {
    end: Vec2,
    length: f64,
    heading: Heading,
}

impl Course {
    pub(super) fn new(battle: &Battle, from: Point, road: u16, forth: bool) -> Option<Self> {
        // On a wall, beside its battlements (HZ-FTW-14).
        let mut points: SmallVec<[Point; 8]> = match siege::walk_line(battle, from, road) {
            Some(line) => line,
            None => SmallVec::from_slice(&battle.lay.terrain.get(usize::from(road))?.line),
        };
        if !forth {
            points.reverse();
        }
        let from = from.v();
        let (first, start) = points
            .windows(2)
            .enumerate()
            .map(|(n, leg)| (n, from.nearest_on(leg[0].v(), leg[1].v())))
            .min_by(|a, b| (a.1 - from).length().total_cmp(&(b.1 - from).length()))?;
        let mut here = start;
        let leg = |pair: &[Point]| {
            let (end, way) = (pair[1].v(), (pair[1].v() - pair[0].v()).unit());
            let length = (end - here).length();
            here = end;
            Leg { end, length, heading: Heading::toward(Vec2::new(0.0, 0.0), way) }
        };
        let legs = points[first..].windows(2).map(leg).collect();
        Some(Self { start, legs })
    }

    /// Where the front is after so much of it, and the way it faces; nothing where the road ends before.
    pub(super) fn at(&self, distance: Length) -> Option<Pose> {
        let mut left = distance.f();
        let mut here = self.start;
        for leg in &self.legs {
            if leg.length >= left {
                let at = here.toward(leg.end, left / leg.length.max(1e-9));
                return Some(Pose::new(Point::rounded(at), leg.heading));
            }
            left -= leg.length;
            here = leg.end;
        }
        None
    }
}
