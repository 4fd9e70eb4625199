//! Which part of a footprint lies in which ground.

use smallvec::SmallVec;

use crate::convex::shared_area;
use crate::ground::{FeatureId, Ground, Lie};
use crate::outline::{Outline, SLOP};
use crate::touch::{Contact, contact};

/// How much of an outline lies in a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Share {
    /// The feature.
    pub feature: FeatureId,
    /// The share of the area, in ten-thousandths, rounded to the nearest; 10,000 is all of it. A bare line that is crossed has 0.
    pub share: u16,
}

/// All of an outline, in the units of [`Share`].
pub const WHOLE: u16 = 10_000;

/// The shares of an outline, in the order of the features' numbers.
pub type Shares = SmallVec<[Share; 8]>;

/// The share of the area of one outline that lies in another, from 0 to 1.
pub fn area_share(of: &impl Outline, within: &impl Outline) -> f64 {
    let (mut area, mut whole) = (0.0, 0.0);
    let bounds = within.bounds();
    for a in of.parts() {
        whole += a.area();
        if !a.bounds().meets(&bounds) {
            continue;
        }
        for b in within.parts() {
            if b.corners.len() > 2 {
                area += shared_area(a, b);
            }
        }
    }
    if whole > 0.0 { (area / whole).min(1.0) } else { 0.0 }
}

/// The area of a footprint's rim that the tolerance amounts to, as a share: less than this inside is no share.
fn touch_only(of: &impl Outline, lie: &Lie<'_>) -> bool {
    contact(of, lie) != Contact::Overlapping
}

impl Ground {
    /// Which features an outline lies in, and how much of it in each. Features that it only touches are left out.
    pub fn shares(&self, of: &impl Outline) -> Shares {
        self.near(&of.bounds().grown(SLOP))
            .filter(|lie| !touch_only(of, lie))
            .map(|lie| Share {
                feature: lie.feature.id,
                share: libm::round(area_share(of, &lie) * f64::from(WHOLE)) as u16,
            })
            .collect()
    }

    /// Whether the whole of an outline lies in one feature.
    pub fn wholly_in(&self, of: &impl Outline, feature: FeatureId) -> bool {
        self.get(feature).is_some_and(|lie| area_share(of, &lie) >= 1.0 - 1e-5)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::footprint::Footprint;
    use crate::ground::{Feature, FeatureKind, FeatureShape};
    use crate::length::Length;
    use crate::placed::Placed;
    use crate::pose::{Point, Pose};

    #[test]
    fn a_unit_lies_partly_in_a_wood_and_on_a_hedge() {
        let outer = vec![Point::cm(0, 0), Point::cm(50, 0), Point::cm(50, 50), Point::cm(0, 50)];
        let wood = FeatureShape::Area { outer, holes: Vec::new() };
        let hedge = FeatureShape::Line { points: vec![Point::cm(0, 48), Point::cm(90, 48)], width: Length::cm(1) };
        let far = FeatureShape::Spot { at: Point::cm(90, 90), radius: Length::cm(5) };
        let make =
            |id, kind, shape| Feature { id: FeatureId(id), kind: FeatureKind::new(kind), name: None, shape, level: 0 };
        let ground = Ground::new(vec![make(1, "wood", wood), make(2, "hedge", hedge), make(3, "spot", far)]).unwrap();
        let unit = Placed::new(&Footprint::single(Length::cm(10), Length::cm(4)), Pose::cm(52, 50, 0));
        let got: Vec<_> = ground.shares(&unit).iter().map(|s| (s.feature.0, s.share)).collect();
        assert_eq!(got, [(1, 3_000), (2, 2_500)]);
        let inside = Placed::new(&Footprint::single(Length::cm(10), Length::cm(4)), Pose::cm(25, 25, 30));
        assert!(ground.wholly_in(&inside, FeatureId(1)) && !ground.wholly_in(&unit, FeatureId(1)));
        let beside = Placed::new(&Footprint::single(Length::cm(10), Length::cm(4)), Pose::cm(55, 40, 0));
        assert!(ground.shares(&beside).is_empty(), "touching is not being in");
    }
}
