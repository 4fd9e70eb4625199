//! What a straight line crosses: ground with lengths, levels, crests.

use smallvec::SmallVec;

use crate::ground::{FeatureId, Ground, KindId, Lie};
use crate::length::Length;
use crate::outline::{Bounds, Outline, SLOP};
use crate::sight::{line_within, thin_crossing};
use crate::vec2::Vec2;

/// A stretch of a line that lies in a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Crossed {
    /// How far along the line it begins.
    pub enter: Length,
    /// How far along the line it ends; the same as `enter` for a bare line crossed.
    pub leave: Length,
    /// What is crossed.
    pub feature: FeatureId,
}

/// Shares of a line, from 0 to 1, in order and not overlapping.
pub(crate) type Shares = SmallVec<[(f64, f64); 4]>;

/// The shares of a line that lie in an outline, its edges included. (A line may run exactly along the seam between two parts.) Where it only
/// touches a corner it is not in.
pub(crate) fn shares_within(outline: &impl Outline, a: Vec2, b: Vec2, out: &mut Shares) {
    out.clear();
    let slack = SLOP / (b - a).length().max(1.0);
    let mut bare = Shares::new();
    for part in outline.parts() {
        if part.corners.len() < 3 {
            bare.extend(thin_crossing(part, a, b).map(|t| (t, t)));
        } else {
            out.extend(line_within(part, a, b, -EDGE));
        }
    }
    join(out, slack);
    out.retain(|s| s.1 - s.0 > slack);
    out.extend(bare);
    join(out, slack);
}

/// How far outside an edge, in micrometres, is still on it: rounding noise.
const EDGE: f64 = 1e-3;

/// Sorts intervals and joins those that overlap or all but touch.
pub(crate) fn join(out: &mut Shares, slack: f64) {
    out.sort_by(|x, y| x.0.total_cmp(&y.0));
    out.dedup_by(|next, kept| {
        let joins = next.0 <= kept.1 + slack;
        if joins {
            kept.1 = kept.1.max(next.1);
        }
        joins
    });
}

impl Ground {
    /// Every stretch of ground that the line between two places crosses, in order along it.
    pub fn crossed(&self, a: Vec2, b: Vec2, out: &mut Vec<Crossed>) {
        self.crossed_if(a, b, |_| true, out);
    }

    /// [`Ground::crossed`] for some features only: the woods, the crests.
    pub fn crossed_if(&self, a: Vec2, b: Vec2, mut wanted: impl FnMut(&Lie<'_>) -> bool, out: &mut Vec<Crossed>) {
        out.clear();
        let length = (b - a).length();
        let mut shares = Shares::new();
        for lie in self.near(&Bounds::of(&[a, b])).filter(|l| wanted(l)) {
            shares_within(&lie, a, b, &mut shares);
            for &(from, to) in &shares {
                out.push(Crossed {
                    enter: Length::rounded(from * length),
                    leave: Length::rounded(to * length),
                    feature: lie.feature.id,
                });
            }
        }
        out.sort_unstable();
    }

    /// How much of the line between two places lies in features of a kind.
    pub fn length_within(&self, kind: KindId, a: Vec2, b: Vec2) -> Length {
        let mut all = Shares::new();
        let mut shares = Shares::new();
        for lie in self.near(&Bounds::of(&[a, b])).filter(|l| l.kind == kind) {
            shares_within(&lie, a, b, &mut shares);
            all.extend(shares.iter().copied());
        }
        join(&mut all, 0.0);
        Length::rounded(all.iter().map(|(from, to)| to - from).sum::<f64>() * (b - a).length())
    }

    /// The level of the ground at a place: the highest of the contours of a kind that hold it, 0 where none does.
    pub fn level(&self, contour: KindId, place: Vec2) -> i8 {
        self.at(place).filter(|l| l.kind == contour).map(|l| l.feature.level).max().unwrap_or(0)
    }

    /// The levels along the line between two places: how far along each stretch begins and ends, and its level.
    pub fn levels_along(&self, contour: KindId, a: Vec2, b: Vec2) -> Vec<(Length, Length, i8)> {
        let mut crossed = Vec::new();
        self.crossed_if(a, b, |l| l.kind == contour, &mut crossed);
        let end = Length::rounded((b - a).length());
        let mut stops: Vec<Length> =
            crossed.iter().flat_map(|c| [c.enter, c.leave]).chain([Length::ZERO, end]).collect();
        stops.sort_unstable();
        stops.dedup();
        let mut out: Vec<(Length, Length, i8)> = Vec::new();
        for w in stops.windows(2) {
            let level = crossed
                .iter()
                .filter(|c| c.enter <= w[0] && c.leave >= w[1])
                .filter_map(|c| self.get(c.feature).map(|l| l.feature.level))
                .max()
                .unwrap_or(0);
            match out.last_mut() {
                Some(last) if last.2 == level => last.1 = w[1],
                _ => out.push((w[0], w[1], level)),
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::{Feature, FeatureKind, FeatureShape};
    use crate::pose::Point;

    fn feature(id: u16, kind: &str, level: i8, shape: FeatureShape) -> Feature {
        Feature { id: FeatureId(id), kind: FeatureKind::new(kind), name: None, shape, level }
    }

    fn square(x: i32, y: i32, size: i32) -> FeatureShape {
        let outer =
            vec![Point::cm(x, y), Point::cm(x + size, y), Point::cm(x + size, y + size), Point::cm(x, y + size)];
        FeatureShape::Area { outer, holes: Vec::new() }
    }

    fn ground() -> Ground {
        let ridge = FeatureShape::Line { points: vec![Point::cm(50, 0), Point::cm(50, 100)], width: Length::ZERO };
        Ground::new(vec![
            feature(1, "contour", 1, square(20, 0, 60)),
            feature(2, "contour", 2, square(40, 0, 20)),
            feature(3, "wood", 0, square(70, 0, 20)),
            feature(4, "ridge", 0, ridge),
        ])
        .unwrap()
    }

    #[test]
    fn a_line_tells_what_it_crosses_and_for_how_long() {
        let g = ground();
        let (a, b) = (Point::cm(0, 10).v(), Point::cm(100, 10).v());
        let mut out = Vec::new();
        g.crossed(a, b, &mut out);
        let got: Vec<_> =
            out.iter().map(|c| (c.feature.0, c.enter.to_um() / 10_000, c.leave.to_um() / 10_000)).collect();
        assert_eq!(got, [(1, 20, 80), (2, 40, 60), (4, 50, 50), (3, 70, 90)]);
        assert_eq!(g.length_within(g.kind("wood").unwrap(), a, b), Length::cm(20));
    }

    #[test]
    fn contours_nest_into_levels() {
        let g = ground();
        let contour = g.kind("contour").unwrap();
        assert_eq!(g.level(contour, Point::cm(10, 10).v()), 0);
        assert_eq!(g.level(contour, Point::cm(30, 10).v()), 1);
        assert_eq!(g.level(contour, Point::cm(50, 10).v()), 2);
        let levels = g.levels_along(contour, Point::cm(0, 10).v(), Point::cm(100, 10).v());
        let got: Vec<_> = levels.iter().map(|l| (l.1.to_um() / 10_000, l.2)).collect();
        assert_eq!(got, [(20, 0), (40, 1), (60, 2), (80, 1), (100, 0)]);
    }
}
