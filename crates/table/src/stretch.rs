//! How far a move gets over ground that costs differently.

use smallvec::SmallVec;

use crate::convex::Convex;
use crate::crossed::{Shares, join, shares_within};
use crate::footprint::Face;
use crate::ground::{FeatureId, Ground, Lie};
use crate::length::Length;
use crate::outline::Outline;
use crate::placed::Placed;
use crate::sweep::{Direction, meeting, meetings};
use crate::touch::holds;
use crate::vec2::Vec2;

/// When a mover counts as being in a piece of ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reckoning {
    /// While any part of its footprint is in it.
    FirstTouch,
    /// While any part of its front edge is in it.
    FrontEdge,
    /// While the middle of its front edge is in it.
    FrontMiddle,
    /// While the middle of its footprint is in it.
    Centre,
    /// While all of its footprint is in it.
    Whole,
}

/// A stretch of a move over the same ground.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// How far along the move it begins.
    pub from: Length,
    /// How far along it ends; the same as `from` where a bare line is crossed.
    pub to: Length,
    /// The features that the mover is in, in the order of their numbers; none in the open.
    pub features: SmallVec<[FeatureId; 4]>,
}

/// What a stretch of ground costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// Each unit of distance uses up num/den of a unit of movement: 2/1 for half speed, 1/2 for double. A denominator of 0 counts
    /// as impassable.
    Rate {
        /// Movement used…
        num: u32,
        /// …for each so much distance.
        den: u32,
    },
    /// The mover cannot go here.
    Impassable,
}

impl Cost {
    /// Open ground: distance for distance.
    pub const OPEN: Cost = Cost::Rate { num: 1, den: 1 };
}

/// How far a move got.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reached {
    /// The distance moved, rounded down.
    pub distance: Length,
    /// The movement used, rounded up to whole micrometres.
    pub spent: Length,
    /// The first stretch that was not finished: 0 for the first; as many as there are where the move was completed.
    pub stretch: usize,
    /// Whether impassable ground (rather than lack of movement) ended it.
    pub barred: bool,
}

impl Ground {
    /// The stretches of a straight move by ground, in order, from 0 to its end.
    pub fn stretches(&self, mover: &Placed, direction: Direction, max: Length, reckoning: Reckoning) -> Vec<Stretch> {
        let way = direction.heading(mover.pose()).unit();
        let mut found: Vec<(Length, Length, FeatureId)> = Vec::new();
        let mut shares = Shares::new();
        let edge = Convex::segment(mover.face(Face::Front));
        let corridor = mover.bounds().swept(way * max.f());
        for lie in self.near(&corridor) {
            match reckoning {
                Reckoning::FirstTouch => {
                    let mut m = SmallVec::new();
                    meetings(mover, way, max.f(), &lie, &mut m);
                    shares.clear();
                    shares.extend(m.iter().map(|m| (m.from.max(0.0), m.to.min(max.f()))));
                }
                Reckoning::FrontEdge => {
                    let mut m = SmallVec::new();
                    meetings(&edge, way, max.f(), &lie, &mut m);
                    shares.clear();
                    shares.extend(m.iter().map(|m| (m.from.max(0.0), m.to.min(max.f()))));
                }
                Reckoning::FrontMiddle => along_line(&lie, mover.pose().at.v(), way, max, &mut shares),
                Reckoning::Centre => along_line(&lie, mover.centre(), way, max, &mut shares),
                Reckoning::Whole => wholly(&lie, mover, way, max, &mut shares),
            }
            let id = lie.feature.id;
            found.extend(shares.iter().map(|s| (Length::rounded(s.0), Length::rounded(s.1), id)));
        }
        cut(&found, max)
    }

    /// How far a straight move gets with so much movement, when ground costs what `cost` says of the features the mover is in.
    pub fn how_far(
        &self,
        mover: &Placed,
        direction: Direction,
        max: Length,
        reckoning: Reckoning,
        budget: Length,
        cost: impl FnMut(&[FeatureId]) -> Cost,
    ) -> Reached {
        how_far(&self.stretches(mover, direction, max, reckoning), budget, cost)
    }
}

/// How far a move over some stretches gets with so much movement. The sums are done in whole numbers, so nothing is lost to
/// rounding from one stretch to the next.
pub fn how_far(stretches: &[Stretch], budget: Length, mut cost: impl FnMut(&[FeatureId]) -> Cost) -> Reached {
    let mut spent = Fraction { num: 0, den: 1 };
    let budget = i128::from(budget.to_um().max(0));
    let mut distance = Length::ZERO;
    for (i, stretch) in stretches.iter().enumerate() {
        let (num, den) = match cost(&stretch.features) {
            Cost::Rate { num, den } if den > 0 => (i128::from(num), i128::from(den)),
            _ => return Reached { distance, spent: spent.ceil(), stretch: i, barred: true },
        };
        let length = i128::from((stretch.to - stretch.from).to_um());
        let after = spent.plus(length * num, den);
        if after.num > budget * after.den {
            // The rest of the budget, at num/den per micrometre.
            let left = Fraction { num: (budget * spent.den - spent.num) * den, den: spent.den * num };
            let done = (left.num / left.den.max(1)).clamp(0, length);
            let spent = spent.plus(done * num, den).ceil();
            return Reached { distance: stretch.from + Length::um(done as i32), spent, stretch: i, barred: false };
        }
        spent = after;
        distance = stretch.to;
    }
    Reached { distance, spent: spent.ceil(), stretch: stretches.len(), barred: false }
}

/// An exact sum of costs.
#[derive(Clone, Copy)]
struct Fraction {
    num: i128,
    den: i128,
}

impl Fraction {
    fn plus(self, num: i128, den: i128) -> Fraction {
        let (n, d) = (self.num * den + num * self.den, self.den * den);
        let g = gcd(n, d).max(1);
        let (n, d) = (n / g, d / g);
        // Odd denominators piled up without end would overflow: past a billionth of a micrometre, round up.
        const FINE: i128 = 1_000_000_000;
        if d > FINE { Fraction { num: (n * FINE + d - 1) / d, den: FINE } } else { Fraction { num: n, den: d } }
    }

    fn ceil(self) -> Length {
        let um = (self.num + self.den - 1) / self.den;
        Length::um(um.clamp(0, i128::from(i32::MAX)) as i32)
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The stretches, in micrometres, on which a place moving along a line is in a feature.
fn along_line(lie: &Lie<'_>, from: Vec2, way: Vec2, max: Length, out: &mut Shares) {
    shares_within(lie, from, from + way * max.f(), out);
    for s in out.iter_mut() {
        *s = (s.0 * max.f(), s.1 * max.f());
    }
}

/// The stretches, in micrometres, on which all of a mover is in a feature: where none of the feature's rim runs through it,
/// and it is inside rather than outside.
fn wholly(lie: &Lie<'_>, mover: &Placed, way: Vec2, max: Length, out: &mut Shares) {
    let mut cut = Shares::new();
    for edge in lie.patch.rim() {
        let edge = Convex::segment(*edge);
        for part in mover.parts() {
            if let Some(m) = meeting(part, edge.as_part(), way) {
                cut.push((m.from.max(0.0), m.to.min(max.f())));
            }
        }
    }
    cut.retain(|c| c.0 < c.1);
    join(&mut cut, 0.0);
    out.clear();
    let mut from = 0.0;
    for (start, end) in cut.into_iter().chain([(max.f(), max.f())]) {
        // All parts, not just the middle: the mover's stands may lie either side of a hole.
        let by = way * ((from + start) / 2.0);
        if start > from && mover.parts().all(|p| p.corners.iter().all(|c| holds(lie, *c + by))) {
            out.push((from, start));
        }
        from = end.max(from);
    }
}

/// Cuts a move into stretches at every place where it enters or leaves a feature.
fn cut(found: &[(Length, Length, FeatureId)], max: Length) -> Vec<Stretch> {
    let mut stops: Vec<Length> = found.iter().flat_map(|f| [f.0, f.1]).chain([Length::ZERO, max]).collect();
    stops.retain(|s| (Length::ZERO..=max).contains(s));
    stops.sort_unstable();
    stops.dedup();
    let mut out: Vec<Stretch> = Vec::new();
    let mut add = |from: Length, to: Length, features: SmallVec<[FeatureId; 4]>| match out.last_mut() {
        Some(last) if last.features == features && last.to == from => last.to = to,
        _ => out.push(Stretch { from, to, features }),
    };
    let within = |from: Length, to: Length, bare: bool| {
        let mut ids: SmallVec<[FeatureId; 4]> =
            found.iter().filter(|f| f.0 <= from && f.1 >= to && (f.0 < f.1 || bare)).map(|f| f.2).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    };
    for (i, &stop) in stops.iter().enumerate() {
        if found.iter().any(|f| f.0 == stop && f.1 == stop) {
            add(stop, stop, within(stop, stop, true));
        }
        if let Some(&next) = stops.get(i + 1) {
            add(stop, next, within(stop, next, false));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::footprint::Footprint;
    use crate::ground::{Feature, FeatureKind, FeatureShape};
    use crate::pose::{Point, Pose};

    fn ground() -> Ground {
        let outer = vec![Point::cm(0, 30), Point::cm(90, 30), Point::cm(90, 50), Point::cm(0, 50)];
        let wood = FeatureShape::Area { outer, holes: Vec::new() };
        let hedge = FeatureShape::Line { points: vec![Point::cm(0, 60), Point::cm(90, 60)], width: Length::ZERO };
        let make =
            |id, kind, shape| Feature { id: FeatureId(id), kind: FeatureKind::new(kind), name: None, shape, level: 0 };
        Ground::new(vec![make(1, "wood", wood), make(2, "hedge", hedge)]).unwrap()
    }

    fn mover() -> Placed {
        Placed::new(&Footprint::single(Length::cm(10), Length::cm(4)), Pose::cm(45, 20, 0))
    }

    fn cms(reckoning: Reckoning) -> Vec<(i32, i32, Vec<u16>)> {
        let cm = |l: Length| l.to_um() / 10_000;
        let got = ground().stretches(&mover(), Direction::Ahead, Length::cm(60), reckoning);
        got.iter().map(|s| (cm(s.from), cm(s.to), s.features.iter().map(|f| f.0).collect())).collect()
    }

    #[test]
    fn a_move_is_cut_into_stretches_of_ground() {
        let got = cms(Reckoning::FirstTouch);
        assert_eq!(got, [(0, 10, vec![]), (10, 34, vec![1]), (34, 40, vec![]), (40, 44, vec![2]), (44, 60, vec![])]);
        let got = cms(Reckoning::FrontMiddle);
        assert_eq!(got, [(0, 10, vec![]), (10, 30, vec![1]), (30, 40, vec![]), (40, 40, vec![2]), (40, 60, vec![])]);
        let edge = ground().stretches(&mover(), Direction::Ahead, Length::cm(60), Reckoning::FrontEdge);
        let wood: Vec<(Length, Length)> =
            edge.iter().filter(|s| s.features.contains(&FeatureId(1))).map(|s| (s.from, s.to)).collect();
        assert_eq!(wood, [(Length::cm(10), Length::cm(30))], "to the micrometre");
        assert_eq!(cms(Reckoning::Whole), [(0, 14, vec![]), (14, 30, vec![1]), (30, 60, vec![])]);
    }

    #[test]
    fn half_speed_in_the_wood_costs_double_and_the_hedge_bars() {
        let cost = |ids: &[FeatureId]| match ids {
            [] => Cost::OPEN,
            [FeatureId(1)] => Cost::Rate { num: 2, den: 1 },
            _ => Cost::Impassable,
        };
        let go =
            |budget| ground().how_far(&mover(), Direction::Ahead, Length::cm(60), Reckoning::FrontMiddle, budget, cost);
        assert_eq!(go(Length::cm(8)).distance, Length::cm(8));
        assert_eq!(go(Length::cm(20)).distance, Length::cm(15));
        assert_eq!(go(Length::um(100_001)).distance, Length::cm(10), "half a micrometre is rounded down");
        let barred = go(Length::cm(100));
        assert_eq!((barred.distance, barred.spent, barred.barred), (Length::cm(40), Length::cm(60), true));
    }

    #[test]
    fn awkward_rates_add_up_without_loss() {
        let s = |from, to| Stretch { from: Length::um(from), to: Length::um(to), features: SmallVec::new() };
        let thirds = [s(0, 1), s(1, 2), s(2, 3), s(3, 4)];
        let got = how_far(&thirds, Length::um(1), |_| Cost::Rate { num: 1, den: 3 });
        assert_eq!((got.distance, got.spent), (Length::um(3), Length::um(1)));
    }
}
