//! Roads: four inches more for those who keep to them.

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_table::{Angle, FeatureShape, Heading, Length, Segment, Vec2};

use crate::battle::{Battle, Facts, Kind, Unit};
use crate::clauses::*;
use crate::table::NEAR;
use crate::terrain::Kinds;
use crate::troops::Formation;

impl Battle {
    /// Whether a place is on a road: within half an inch of its middle (BB-ROA-01).
    pub(crate) fn on_road(&self, place: Vec2) -> bool {
        let near = self.numbers().road.beside.0.f() + NEAR;
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

    /// Whether a unit has kept to the road in all that it has done this turn (BB-ROA-01).
    pub(crate) fn kept_to_road(&self, unit: UnitId) -> bool {
        decides!(BB_ROA_01);
        let state = self.unit(unit);
        // Charges have no bonus.
        !self.fixed.terrain.is_empty()
            && !self.launched(unit)
            && !state.now.changed
            && !state.now.manoeuvred
            && self.narrow(state, self.facts(unit))
            && self.on_road(state.pose.at.v())
            && self.along_track(unit).iter().all(|pose| self.on_road(pose.at.v()))
    }

    /// What a unit that has kept to the road may still spend on it (BB-ROA-01).
    pub(crate) fn road_budget(&self, unit: UnitId) -> Option<Length> {
        decides!(BB_ROA_01);
        let rate = self.allowance(unit) + self.numbers().road.bonus.0;
        self.kept_to_road(unit).then(|| self.left_at(unit, rate))
    }

    /// How far a unit that has kept to the road so far may go straight ahead on it, with the bonus (BB-ROA-01).
    pub(crate) fn road_run(&self, unit: UnitId, way: Heading) -> Option<Length> {
        decides!(BB_ROA_01);
        let state = self.unit(unit);
        let here = state.pose.at.v();
        if way != state.pose.heading {
            return None;
        }
        let budget = self.road_budget(unit)?;
        let step = Length::inch_fraction(1, 8);
        let mut run = Length::ZERO;
        let on = |run: Length| self.on_road(here + way.unit() * run.f());
        while run < budget {
            let mut next = (run + step).min(budget);
            if !on(next) {
                // It leaves the road between the two: there, and no sooner. The hair that is forgiven is not made use of.
                while next - run > Length::um(1) {
                    let middle = Length::um(i32::midpoint(run.to_um(), next.to_um()));
                    *(if on(middle + Length::floored(NEAR)) { &mut run } else { &mut next }) = middle;
                }
                break;
            }
            run = next;
        }
        (run > Length::ZERO).then_some(run)
    }

    /// Where a unit that follows a road comes to the next bend of it: how far ahead, and how much it has to wheel there so that the
    /// middle of its front is on the road again.
    pub(crate) fn next_bend(&self, unit: UnitId) -> Option<(Length, Angle)> {
        if !self.kept_to_road(unit) {
            return None;
        }
        let pose = self.unit(unit).pose;
        let (here, ahead) = (pose.at.v(), pose.heading.unit());
        let half = self.unit(unit).footprint(self.facts(unit), self.numbers()).frontage().f() / 2.0;
        let mut best: Option<(Length, Angle)> = None;
        for lie in self.fixed.ground.all().filter(|lie| self.terrain(lie).kind == Kinds::Road) {
            let FeatureShape::Line { points, .. } = &lie.feature.shape else { continue };
            let bends =
                points.windows(3).flat_map(|three| [[three[0], three[1], three[2]], [three[2], three[1], three[0]]]);
            for [from, bend, to] in bends {
                let (in_, out) = (bend.v() - from.v(), to.v() - bend.v());
                let to_bend = bend.v() - here;
                // On this stretch, and along it.
                let along =
                    in_.unit().dot(ahead) > 0.999 && to_bend.cross(ahead).abs() < Length::inch_fraction(1, 2).f();
                let turn = Heading::toward(from.v(), bend.v()).turn_to(Heading::toward(bend.v(), to.v()));
                let short = half * half_tangent(turn);
                let at = to_bend.dot(ahead) - short;
                if along && at > 0.0 && out.length() > short && best.is_none_or(|held| at < held.0.f()) {
                    best = Some((Length::floored(at), turn));
                }
            }
        }
        best
    }

    /// Limbered guns may stand where they could not otherwise, on the road through it (BB-WOO-08).
    pub(crate) fn on_road_through(&self, unit: &Unit, facts: &Facts) -> bool {
        decides!(BB_WOO_08);
        matches!(facts.kind, Kind::Guns { .. }) && unit.limbered && self.on_road(unit.pose.at.v())
    }
}

/// The tangent of half an angle, from the sine and cosine that the table keeps the same on every machine.
fn half_tangent(turn: Angle) -> f64 {
    let way = (Heading::NORTH + turn.abs()).unit();
    way.x / (1.0 + way.y).max(1e-9)
}
