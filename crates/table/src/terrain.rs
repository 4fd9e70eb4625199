//! Sweeps against the ground: the first wood, stream or wall that a mover comes to, and where it enters and leaves each.

use crate::ground::{FeatureId, Ground, Lie};
use crate::heading::Angle;
use crate::length::Length;
use crate::outline::{Outline, SLOP};
use crate::placed::Placed;
use crate::sweep::{Crossing, Direction, Swept, crossings, sweep};
use crate::touch::exact_distance;
use crate::vec2::Vec2;
use crate::wheel::{Wheeled, turned_box, wheel};

impl Ground {
    /// [`sweep`] against the features wanted.
    pub fn sweep(
        &self,
        mover: &Placed,
        direction: Direction,
        max: Length,
        wanted: impl Fn(&Lie<'_>) -> bool,
    ) -> Swept<FeatureId> {
        let way = direction.heading(mover.pose()).unit();
        let near = self.near(&mover.bounds().swept(way * max.f())).filter(wanted);
        sweep(mover, direction, max, near.map(|lie| (lie.feature.id, lie.patch)))
    }

    /// [`wheel`] against the features wanted.
    pub fn wheel(
        &self,
        mover: &Placed,
        pivot: Vec2,
        max: Angle,
        wanted: impl Fn(&Lie<'_>) -> bool,
    ) -> Wheeled<FeatureId> {
        let near = self.near(&turned_box(mover, pivot, max)).filter(wanted);
        wheel(mover, pivot, max, near.map(|lie| (lie.feature.id, lie.patch)))
    }

    /// [`crossings`] of the features wanted.
    pub fn crossings(
        &self,
        mover: &Placed,
        direction: Direction,
        max: Length,
        wanted: impl Fn(&Lie<'_>) -> bool,
        out: &mut Vec<Crossing<FeatureId>>,
    ) {
        let way = direction.heading(mover.pose()).unit();
        let near = self.near(&mover.bounds().swept(way * max.f())).filter(wanted);
        crossings(mover, way, max, near.map(|lie| (lie.feature.id, lie.patch)), out);
    }

    /// The nearest feature wanted and its distance, 0 inside it; of several equally near, the lowest number.
    pub fn nearest(&self, from: &impl Outline, wanted: impl Fn(&Lie<'_>) -> bool) -> Option<(FeatureId, Length)> {
        let start = from.bounds();
        let mut best: Option<(Length, FeatureId)> = None;
        for lie in self.all().filter(wanted) {
            let limit = best.map_or(f64::INFINITY, |(d, _)| d.f() + 1.0);
            if lie.bounds().distance2(&start) > limit * limit {
                continue;
            }
            let d = exact_distance(from, &lie);
            let found = (if d <= SLOP { Length::ZERO } else { Length::rounded(d) }, lie.feature.id);
            if best.is_none_or(|held| found < held) {
                best = Some(found);
            }
        }
        best.map(|(d, id)| (id, d))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::footprint::{Corner, Footprint};
    use crate::ground::{Feature, FeatureKind, FeatureShape};
    use crate::pose::{Point, Pose};
    use crate::sweep::Passing;

    #[test]
    fn a_mover_comes_to_the_stream_then_the_wood() {
        let stream = FeatureShape::Line { points: vec![Point::cm(0, 40), Point::cm(90, 40)], width: Length::cm(2) };
        let outer = vec![Point::cm(0, 60), Point::cm(90, 60), Point::cm(90, 80), Point::cm(0, 80)];
        let wood = FeatureShape::Area { outer, holes: Vec::new() };
        let make =
            |id, kind, shape| Feature { id: FeatureId(id), kind: FeatureKind::new(kind), name: None, shape, level: 0 };
        let ground = Ground::new(vec![make(1, "stream", stream), make(2, "wood", wood)]).unwrap();
        let mover = Placed::new(&Footprint::single(Length::cm(10), Length::cm(4)), Pose::cm(45, 20, 0));
        let go = |wanted: fn(&Lie<'_>) -> bool| ground.sweep(&mover, Direction::Ahead, Length::cm(50), wanted);
        assert_eq!(go(|_| true), Swept { free: Length::cm(19), met: Some(FeatureId(1)) });
        assert_eq!(go(|l| l.feature.id.0 == 2), Swept { free: Length::cm(40), met: Some(FeatureId(2)) });
        let mut out = Vec::new();
        ground.crossings(&mover, Direction::Ahead, Length::cm(50), |_| true, &mut out);
        let got: Vec<_> = out.iter().map(|c| (c.at.to_um() / 10_000, c.id.0, c.passing)).collect();
        assert_eq!(got, [(19, 1, Passing::Enters), (25, 1, Passing::Leaves), (40, 2, Passing::Enters)]);
        assert_eq!(ground.nearest(&mover, |l| l.feature.kind.as_str() == "wood"), Some((FeatureId(2), Length::cm(40))));
        let pivot = mover.corner(Corner::FrontRight);
        assert_eq!(ground.wheel(&mover, pivot, Angle::QUARTER, |_| true).met, None);
    }
}
