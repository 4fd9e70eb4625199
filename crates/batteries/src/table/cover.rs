//! Sight and cover.

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_table::{
    Bounds, Convex, Face, FeatureId, FeatureShape, Length, Lie, Outline, Placed, Segment, Vec2, area_share,
    exact_distance, holds,
};
use smallvec::SmallVec;

use crate::battle::Battle;
use crate::clauses::*;
use crate::table::NEAR;
use crate::terrain::barriers::Barrier;
use crate::terrain::going::between;
use crate::terrain::{Kinds, Terrain};
use crate::troops::Cover;

/// Whether woods cover a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trees {
    /// As they cover anybody.
    Count,
    /// Not those who charge the unit that shoots.
    DoNotCount,
}

impl Battle {
    /// The wood that a place lies in.
    pub(crate) fn wood_at(&self, place: Vec2) -> Option<FeatureId> {
        self.fixed.ground.at(place).find(|lie| self.terrain(lie).kind == Kinds::Wood).map(|lie| lie.feature.id)
    }

    /// How far a place is from the edge of a piece of ground.
    fn to_edge_of(&self, place: Vec2, feature: FeatureId) -> f64 {
        let rim = self.fixed.ground.get(feature).map(|lie| lie.patch.rim().to_vec()).unwrap_or_default();
        rim.iter().map(|edge: &Segment| edge.distance(place)).fold(f64::INFINITY, f64::min)
    }

    /// Whether a place can be seen from another (BB-TER-04, BB-WOO-01, BB-WOO-02, BB-WOO-04).
    pub(crate) fn sees(&self, from: Vec2, to: Vec2) -> bool {
        decides!(BB_HIL_01, BB_TER_04, BB_WOO_01, BB_WOO_02, BB_WOO_04);
        let length = (to - from).length();
        if length < 1.0 || self.fixed.terrain.is_empty() {
            return true;
        }
        let near = Length::inches(1).f();
        let woods = &self.numbers().woods;
        let (low, high) = (f64::from(self.level(from)), f64::from(self.level(to)));
        let (wood_from, wood_to) = (self.wood_at(from), self.wood_at(to));
        let edge = woods.edge.0.f() + 26.0;
        if let Some(wood) = wood_from.filter(|wood| wood_to != Some(*wood))
            && self.to_edge_of(from, wood) > edge
        {
            return false;
        }
        if let Some(wood) = wood_to.filter(|wood| wood_from != Some(*wood))
            && self.to_edge_of(to, wood) > edge
            && self.to_edge_of(from, wood) > edge
        {
            return false;
        }
        let mut crossed = Vec::new();
        let blocks = |lie: &Lie<'_>| self.terrain(lie).contour() || self.terrain(lie).height > 0;
        self.fixed.ground.crossed_if(from, to, blocks, &mut crossed);
        let mut in_woods = 0.0;
        for one in &crossed {
            let terrain = &self.fixed.terrain[usize::from(one.feature.0)];
            let ends_in = [wood_from, wood_to].contains(&Some(one.feature));
            if terrain.kind == Kinds::Wood && ends_in {
                in_woods += (one.leave - one.enter).f();
                continue;
            }
            let (enter, leave) = (one.enter.f().max(near), one.leave.f().min(length - near));
            if enter >= leave {
                continue;
            }
            let top = if terrain.contour() {
                f64::from(self.fixed.ground.get(one.feature).map_or(0, |lie| lie.feature.level))
            } else {
                let middle = from.toward(to, (enter + leave) / 2.0 / length);
                f64::from(self.level(middle)) + f64::from(terrain.height)
            };
            let line = |at: f64| low + (high - low) * at / length;
            if top > line(enter).min(line(leave)) + 1e-9 {
                return false;
            }
        }
        in_woods <= woods.sight.0.f() + 26.0 && !self.wall_hides(from, to, low, high)
    }

    /// City walls hide what is behind them, but for those who man them (BB-OPT-93).
    fn wall_hides(&self, from: Vec2, to: Vec2, low: f64, high: f64) -> bool {
        decides!(BB_OPT_93);
        let near = self.numbers().wall_manned.within.0.f() + NEAR;
        let walls = self.barriers_near(Bounds::of(&[from, to])).filter(|barrier| barrier.kind == Kinds::CityWall);
        walls.into_iter().any(|wall| {
            let mans = |place: Vec2| wall.inside(place) && wall.distance(place) <= near;
            let height = f64::from(self.fixed.terrain[usize::from(wall.ground)].height);
            let hides = |(share, at): &(f64, f64)| {
                let top = f64::from(self.level(from.toward(to, *share))) + height;
                !self.broken_at(wall, *at) && top > low + (high - low) * share + 1e-9
            };
            wall.crossings(from, to).iter().any(hides) && !mans(from) && !mans(to)
        })
    }

    /// A hedgerow hides troops close behind it from all who are not close before it, unless they have fired (BB-HED-01).
    pub(crate) fn hedgerow_hides(&self, seer: &Placed, target: &Placed, from: Vec2, to: Vec2, fired: bool) -> bool {
        decides!(BB_HED_01);
        let numbers = &self.numbers().hedgerow;
        self.hedgerows_between(from, to).any(|hedgerow| {
            !fired
                && self.gap_to_standing(hedgerow, target) <= numbers.hides.0.f() + NEAR
                && self.gap_to_standing(hedgerow, seer) > numbers.near.0.f() + NEAR
        })
    }

    /// Standing hedgerows that a line crosses.
    fn hedgerows_between(&self, from: Vec2, to: Vec2) -> impl Iterator<Item = &Barrier> {
        let hedgerows = self.barriers_near(Bounds::of(&[from, to])).filter(|one| one.kind == Kinds::Hedgerow);
        hedgerows.filter(move |one| one.crossings(from, to).iter().any(|(_, at)| !self.broken_at(one, *at)))
    }

    /// Fire passes a hedgerow only from those who touch it, or at those who have fired through it (BB-HED-03).
    pub(crate) fn hedgerow_stops_fire(&self, shooter: UnitId, target: UnitId, from: Vec2, to: Vec2) -> bool {
        decides!(BB_HED_03);
        let touch = self.numbers().at_hand.within.0.f() + NEAR;
        self.hedgerows_between(from, to).any(|hedgerow| {
            let at_it = |unit: UnitId| {
                let front = Convex::segment(self.outline(unit).face(Face::Front));
                self.gap_to_standing(hedgerow, &front) <= touch
            };
            !(at_it(shooter) || self.unit(target).spotted && at_it(target))
        })
    }

    /// Whether troops have given themselves away by firing: from a wood, or through a hedgerow (BB-WOO-03, BB-HED-03).
    pub(crate) fn gives_itself_away(&self, unit: UnitId) -> bool {
        decides!(BB_WOO_03, BB_HED_03);
        let placed = self.outline(unit);
        let touch = self.numbers().at_hand.within.0.f() + NEAR;
        let front = Convex::segment(placed.face(Face::Front));
        let at_hedgerow =
            |barrier: &Barrier| barrier.kind == Kinds::Hedgerow && self.gap_to_standing(barrier, &front) <= touch;
        self.concealed(placed) || self.barriers_near(placed.bounds().grown(touch)).any(at_hedgerow)
    }

    /// Whether all of a unit is in woods and so unseen from afar until it fires (BB-WOO-03).
    pub(crate) fn concealed(&self, placed: &Placed) -> bool {
        decides!(BB_WOO_03);
        let woods = self.under(placed).filter(|(_, terrain)| terrain.kind == Kinds::Wood);
        woods.map(|(lie, _)| area_share(placed, &lie)).sum::<f64>() > 0.999
    }

    /// The cover against shooting of some places of a front rank, shot at along a line (BB-TER-03).
    pub(crate) fn cover_from_fire(&self, posts: &[Vec2], from: Vec2, to: Vec2) -> Cover {
        self.cover_among(posts, from, to, Trees::Count)
    }

    /// The same, with the cover of woods or without it (BB-WOO-09).
    pub(crate) fn cover_among(&self, posts: &[Vec2], from: Vec2, to: Vec2, trees: Trees) -> Cover {
        decides!(BB_WOO_05, BB_WOO_09, BB_OBS_06, BB_TER_03);
        let half = |count: usize| count * 2 >= posts.len() && count > 0;
        let mut best = Cover::None;
        let counts = |terrain: &Terrain| trees == Trees::Count || terrain.kind != Kinds::Wood;
        let gives = |terrain: &Terrain| terrain.cover_shooting != Cover::None && !terrain.barrier() && counts(terrain);
        for lie in self.fixed.ground.all().filter(|lie| gives(self.terrain(lie))) {
            let terrain = self.terrain(&lie);
            let linear = matches!(lie.feature.shape, FeatureShape::Line { .. });
            let covered = if linear {
                let mut crossed = Vec::new();
                self.fixed.ground.crossed_if(from, to, |other| other.feature.id == lie.feature.id, &mut crossed);
                let near = self.numbers().held.within.0.f() + 26.0;
                let close = |post: &&Vec2| exact_distance(&Convex::place(**post), &lie) <= near;
                !crossed.is_empty() && half(posts.iter().filter(close).count())
            } else {
                half(posts.iter().filter(|post| holds(&lie, **post)).count())
            };
            if covered {
                best = best.max(terrain.cover_shooting);
            }
        }
        self.fixed.barriers.iter().fold(best, |best, barrier| best.max(self.cover_of_line(barrier, posts, from, to)))
    }

    /// The cover of a barrier that a line of fire crosses, at the place where it does (BB-HED-02, BB-FLD-01, BB-FLD-02, BB-FLD-05, BB-FLD-06,
    /// -10, BB-OPT-93, BB-OPT-96).
    fn cover_of_line(&self, barrier: &Barrier, posts: &[Vec2], from: Vec2, to: Vec2) -> Cover {
        decides!(BB_ABA_01, BB_HED_02, BB_FLD_01, BB_FLD_02, BB_FLD_05, BB_FLD_06, BB_FLD_10, BB_OPT_93, BB_OPT_96);
        let terrain = &self.fixed.terrain[usize::from(barrier.ground)];
        let near = |within: f64| {
            let count = posts.iter().filter(|post| barrier.distance(**post) <= within + NEAR).count();
            count > 0 && count * 2 >= posts.len()
        };
        let inch = self.numbers().held.within.0.f();
        let mut best = Cover::None;
        for (share, at) in barrier.crossings(from, to) {
            let broken = self.broken_at(barrier, at);
            let cover = match barrier.kind {
                Kinds::Hedgerow if !broken && near(inch) => terrain.cover_shooting,
                Kinds::CityWall if near(self.numbers().wall_manned.within.0.f()) => terrain.cover_shooting,
                Kinds::LightWorks | Kinds::HeavyWorks => {
                    // Defenders who fire out over their own works give nobody cover.
                    let off = barrier.distance(from);
                    let own = (barrier.inside(from) || off <= NEAR) && !barrier.inside(to) && off <= inch + NEAR;
                    let below = self.level(from) > self.level(from.toward(to, share));
                    let reached = !below || near(self.numbers().works_below.within.0.f());
                    match (own || !reached, broken) {
                        (true, _) => Cover::None,
                        (false, true) => Cover::Soft.min(terrain.cover_shooting),
                        (false, false) => terrain.cover_shooting,
                    }
                }
                _ => Cover::None,
            };
            best = best.max(cover);
        }
        best
    }

    /// Where the centre of a charger has been since its charge began, and is.
    pub(crate) fn way_in(&self, charger: UnitId) -> Vec<Vec2> {
        let footprint = self.unit(charger).footprint(self.facts(charger), self.numbers());
        let way = self.track(charger).into_iter().map(|pose| Placed::new(&footprint, pose).centre());
        way.chain([self.centre(charger)]).collect()
    }

    /// What lies across the way by which a charger comes at a unit: cover in combat, and an obstacle. It is that of the unit which held it when the
    /// charge began, so it does not matter that a charger has come across it before he strikes (BB-TER-06).
    pub(crate) fn defended(&self, way: &[Vec2], target: &Placed) -> (Cover, bool) {
        decides!(BB_TWN_13, BB_TER_06);
        let way: SmallVec<[Vec2; 8]> = way.iter().copied().chain([target.centre()]).collect();
        let (mut cover, mut obstacle) = (Cover::None, false);
        let near = self.numbers().held.within.0;
        for lie in self.fixed.ground.near(&target.bounds().grown(near.f() + 26.0)) {
            let terrain = self.terrain(&lie);
            if terrain.barrier() || (!terrain.obstacle() && terrain.cover_combat == Cover::None) {
                continue;
            }
            let linear = matches!(lie.feature.shape, FeatureShape::Line { .. }) || terrain.obstacle();
            let holder = if linear {
                sabretache_table::within(target, &lie, near) && way.windows(2).any(|leg| between(leg[0], leg[1], &lie))
            } else {
                area_share(target, &lie) >= 0.5
            };
            if holder {
                cover = cover.max(terrain.cover_combat);
                obstacle |= terrain.obstacle();
            }
        }
        for barrier in self.barriers_near(target.bounds().grown(near.f() + NEAR)) {
            let (line_cover, low) = self.defended_line(barrier, &way, target);
            (cover, obstacle) = (cover.max(line_cover), obstacle || low);
        }
        (cover, obstacle)
    }

    /// A barrier across the way to a target: cover where it stands, an obstacle where it is broken (BB-FLD-01, BB-FLD-02, BB-FLD-10, BB-HED-06,
    /// BB-OPT-96, BB-OPT-98).
    fn defended_line(&self, barrier: &Barrier, way: &[Vec2], target: &Placed) -> (Cover, bool) {
        decides!(BB_FLD_01, BB_FLD_02, BB_FLD_10, BB_HED_06, BB_OPT_96, BB_OPT_98);
        let terrain = &self.fixed.terrain[usize::from(barrier.ground)];
        // Where it was crossed last.
        let crossed = way.windows(2).rev().find_map(|leg| barrier.crossings(leg[0], leg[1]).last().copied());
        let ground = self.fixed.ground.get(FeatureId(barrier.ground));
        let held = match ground.filter(|lie| lie.patch.area() > 0.0) {
            Some(lie) if !matches!(lie.feature.shape, FeatureShape::Line { .. }) => area_share(target, &lie) >= 0.5,
            _ => self.line_held(barrier, target),
        };
        let Some((_, at)) = crossed.filter(|_| held) else { return (Cover::None, false) };
        let works = matches!(barrier.kind, Kinds::LightWorks | Kinds::HeavyWorks);
        match (barrier.kind, self.broken_at(barrier, at)) {
            (Kinds::Hedgerow | Kinds::LightWorks, true) => (Cover::None, true),
            (Kinds::CityWall, true) => (Cover::Soft.min(terrain.cover_combat), false),
            (Kinds::Abatis | Kinds::Hedgerow, _) => (Cover::None, false),
            _ => (terrain.cover_combat, works),
        }
    }

    /// Within an inch behind a line.
    fn line_held(&self, barrier: &Barrier, target: &Placed) -> bool {
        let near = self.numbers().held.within.0.f() + NEAR;
        self.stretches(barrier).iter().any(|stretch| exact_distance(&Convex::segment(stretch.line), target) <= near)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on says so")]
mod tests {
    use sabretache_engine::ids::UnitId;
    use sabretache_engine::ruleset::Ruleset;
    use sabretache_engine::scenario::{Diagnostics, Document, Scenario};
    use serde_json::json;

    use crate::Batteries;
    use crate::clauses::BB_HED_01;

    /// Whether the blue column is hidden from the red line: so far before and behind a hedgerow, fired or not.
    fn hidden(before: f64, behind: f64, fired: bool) -> bool {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../drills/batteries/positions/field.toml");
        let mut document = Document::parse("field", std::fs::read_to_string(path).unwrap()).unwrap();
        document.json["ground"] = json!([{ "id": "row", "kind": "hedgerow", "line": [[0, 20], [40, 20]] }]);
        document.json["units"][1]["at"] = json!([20, 20.0 - behind]);
        document.json["units"][5]["at"] = json!([20, 20.0 + before]);
        let battle = Batteries::muster(&Scenario::read(&document.json).unwrap(), &mut Diagnostics::new()).unwrap();
        let (seer, target) = (battle.outline(UnitId(5)), battle.outline(UnitId(1)));
        battle.hedgerow_hides(seer, target, seer.pose().at.v(), target.pose().at.v(), fired)
    }

    #[test]
    fn a_hedgerow_hides_what_is_close_behind_it() {
        sabretache_engine::tests_clauses!(BB_HED_01);
        assert!(hidden(3.0, 3.0, false), "3 in before and 3 in behind");
        assert!(!hidden(1.0, 3.0, false), "a seer 1 in before it sees");
        assert!(hidden(1.1, 3.0, false), "one 1.1 in before it does not");
        assert!(hidden(3.0, 4.0, false), "a target 4 in behind it is hidden");
        assert!(!hidden(3.0, 4.1, false), "one 4.1 in behind it is seen");
        assert!(!hidden(3.0, 3.0, true), "a unit that has fired is seen");
    }
}
