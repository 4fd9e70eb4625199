//! Roads: four inches more for those who keep to them.

use sabretache_engine::ids::UnitId;
use sabretache_table::{FeatureShape, Heading, Length, Segment, Vec2};

use crate::battle::{Battle, Facts, Kind, Unit};
use crate::state::NEAR;
use crate::terrain::Kinds;
use crate::troops::Formation;

impl Battle {
    /// Whether a place is on a road: within half an inch of its middle.
    pub(crate) fn on_road(&self, place: Vec2) -> bool {
        let near = Length::inch_fraction(1, 2).f() + NEAR;
        self.fixed.ground.all().filter(|lie| self.terrain(lie).kind == Kinds::Road).any(|lie| {
            match &lie.feature.shape {
                FeatureShape::Line { points, .. } => {
                    points.windows(2).any(|pair| Segment::new(pair[0].v(), pair[1].v()).distance(place) <= near)
                }
                _ => false,
            }
        })
    }

    /// Three or four figures wide, or limbered one model wide.
    fn narrow(&self, unit: &Unit, facts: &Facts) -> bool {
        match facts.kind {
            Kind::Guns { .. } => unit.limbered && !unit.away && unit.ranks(facts).files == 1,
            Kind::Foot { .. } if matches!(unit.formation, Formation::Skirmish | Formation::Square) => false,
            _ => unit.ranks(facts).first <= self.numbers().road.width,
        }
    }

    /// How far a unit that has kept to the road so far may go straight ahead on it, with the bonus (BB-ROA-01).
    pub(crate) fn road_run(&self, unit: UnitId, way: Heading) -> Option<Length> {
        let state = self.unit(unit);
        let here = state.pose.at.v();
        let kept = || self.track(unit).iter().all(|pose| self.on_road(pose.at.v())) && self.on_road(here);
        if way != state.pose.heading || state.now.changed || !self.narrow(state, self.facts(unit)) || !kept() {
            return None;
        }
        let budget = self.left_at(unit, self.allowance(unit) + self.numbers().road.bonus.0);
        let step = Length::inch_fraction(1, 8);
        let mut run = Length::ZERO;
        while run < budget {
            let next = (run + step).min(budget);
            if !self.on_road(here + way.unit() * next.f()) {
                break;
            }
            run = next;
        }
        (run > Length::ZERO).then_some(run)
    }

    /// Limbered guns may stand where they could not otherwise, on the road through it (BB-WOO-08).
    pub(crate) fn on_road_through(&self, unit: &Unit, facts: &Facts) -> bool {
        matches!(facts.kind, Kind::Guns { .. }) && unit.limbered && self.on_road(unit.pose.at.v())
    }
}
