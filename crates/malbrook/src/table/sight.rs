//! Who sees whom (MB-VIS).

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_table::{
    Bounds, Convex, Corner, Crossed, Length, Outline, Quad, Segment, Vec2, holds, line_clear, nearest_places,
};
use smallvec::SmallVec;

use crate::battle::Battle;
use crate::clauses::{
    MB_TER_02, MB_TER_04, MB_VIS_02, MB_VIS_03, MB_VIS_04, MB_VIS_05, MB_VIS_06, MB_VIS_07, MB_VIS_08, MB_VIS_09,
    MB_VIS_10,
};
use crate::situations::Cover;
use crate::table::lay::{Figure, HAIR, near};

impl Battle {
    /// The level of the ground at a place, with that of a fortification's defenders added.
    pub(crate) fn level(&self, place: Vec2) -> i8 {
        if !self.fixed.heights {
            return 0;
        }
        let hills = self.fixed.ground.at(place).map(|lie| self.fixed.lands[usize::from(lie.feature.id.0)]);
        hills.filter(|land| land.hill).map(|land| land.level).max().unwrap_or(0)
    }

    /// The level that a brigade stands on: its middle, one higher behind a fortification (MB-VIS-10).
    pub(crate) fn level_of(&self, unit: UnitId) -> i8 {
        decides!(MB_TER_02);
        if !self.fixed.heights {
            return 0;
        }
        let figure = self.figure(unit);
        let walled = self.fixed.ground.near(&figure.bounds().grown(Length::inches(1).f())).any(|lie| {
            let land = self.fixed.lands[usize::from(lie.feature.id.0)];
            land.cover == Cover::Fortifications && near(&lie, &figure, Length::inches(1))
        });
        self.level(figure.centre()) + i8::from(walled)
    }

    /// Whether a brigade stands on an unusually high hill.
    fn on_high_hill(&self, unit: UnitId) -> bool {
        let lands = &self.fixed.lands;
        self.fixed.heights
            && self.fixed.ground.at(self.figure(unit).centre()).any(|lie| lands[usize::from(lie.feature.id.0)].high)
    }

    /// Whether a place lies in a wood or town.
    pub(crate) fn in_screen(&self, place: Vec2) -> bool {
        let lands = &self.fixed.lands;
        self.fixed.ground.at(place).any(|lie| lands[usize::from(lie.feature.id.0)].screens)
    }

    /// Whether some base stands on the edge of a wood or town: partly inside, near the boundary (MB-VIS-05).
    pub(crate) fn on_edge(&self, figure: &Figure) -> bool {
        self.fixed.screens && figure.bases.iter().any(|base| self.base_on_edge(base))
    }

    /// Whether a base stands on the edge of a wood or town (MB-VIS-05, MB-CBT-19).
    pub(crate) fn base_on_edge(&self, base: &Quad) -> bool {
        decides!(MB_VIS_05);
        let corners = base.as_part().corners;
        self.fixed.ground.near(&Outline::bounds(base)).any(|lie| {
            let screens = self.fixed.lands[usize::from(lie.feature.id.0)].screens;
            let inside = |corner: &Vec2| holds(&lie, *corner);
            let rim = lie.patch.rim();
            let close =
                |corner: &Vec2| rim.iter().any(|edge| edge.distance(*corner) <= self.fixed.numbers.edge.length().f());
            screens && corners.iter().any(inside) && (corners.iter().any(close) || !corners.iter().all(inside))
        })
    }

    /// Whether a brigade sees another (MB-VIS-01, 02).
    pub(crate) fn sees(&self, viewer: UnitId, target: UnitId) -> bool {
        let from = self.figure(viewer);
        let brigade = self.brigade(viewer);
        let mut eyes: SmallVec<[Vec2; 16]> = SmallVec::new();
        for base in from.bases.iter().take(from.front) {
            eyes.push(base.corner(Corner::FrontLeft).toward(base.corner(Corner::FrontRight), 0.5));
            if brigade.is_unformed() {
                eyes.push(base.corner(Corner::RearLeft).toward(base.corner(Corner::RearRight), 0.5));
                eyes.push(base.corner(Corner::FrontLeft).toward(base.corner(Corner::RearLeft), 0.5));
                eyes.push(base.corner(Corner::FrontRight).toward(base.corner(Corner::RearRight), 0.5));
            }
        }
        self.seen_from(&eyes, Some(viewer), target)
    }

    /// Whether a place on a brigade's rim is one that it looks out from: on its front, or anywhere if it faces all round.
    fn looks_from(&self, viewer: UnitId, place: Vec2) -> bool {
        let brigade = self.brigade(viewer);
        let front =
            self.figure(viewer).front_rank().iter().map(|base| {
                Convex::segment(Segment::new(base.corner(Corner::FrontLeft), base.corner(Corner::FrontRight)))
            });
        brigade.is_unformed() || front.into_iter().any(|edge| near(&edge, &Convex::place(place), Length::ZERO))
    }

    /// Whether any of some eyes see a target; the viewer's own footprint never blocks.
    pub(crate) fn seen_from(&self, eyes: &[Vec2], viewer: Option<UnitId>, target: UnitId) -> bool {
        decides!(MB_VIS_02, MB_VIS_03);
        let to = self.figure(target);
        let numbers = &self.fixed.numbers;
        let corridor = Bounds::of(eyes).join(to.bounds());
        let furthest = numbers.visibility.height.length().max(numbers.visibility.open.length()) + HAIR;
        if Bounds::of(eyes).distance2(&to.bounds()) > furthest.f() * furthest.f() {
            return false;
        }
        let mine = match viewer {
            Some(viewer) => self.level_of(viewer),
            None => eyes.first().map_or(0, |eye| self.level(*eye)),
        };
        let theirs = self.level_of(target);
        let limit = if mine > theirs { numbers.visibility.height } else { numbers.visibility.open };
        let limit = limit.length().f() + HAIR.f();
        let high = viewer.is_some_and(|viewer| self.on_high_hill(viewer));
        let edge_of_mine = viewer.is_some_and(|viewer| self.on_edge(self.figure(viewer)));
        let edge_of_theirs = self.on_edge(to);
        let hidden_edge = edge_of_theirs && !self.has_shot(target);
        let blockers = self.blockers(viewer, target, corridor, [mine, theirs], high);
        let in_the_way = |lie: sabretache_table::Lie<'_>| {
            let land = self.fixed.lands[usize::from(lie.feature.id.0)];
            land.hill || land.screens
        };
        let ground = (self.fixed.heights || self.fixed.screens) && self.fixed.ground.near(&corridor).any(in_the_way);
        let clear = |eye: Vec2, at: Vec2| {
            let length = (at - eye).length();
            if length > limit || (hidden_edge && length > numbers.sight_in_cover.length().f() + HAIR.f()) {
                return false;
            }
            line_clear(eye, at, blockers.formed.iter().copied())
                && blockers.loose.iter().all(|hull| !crosses_far(hull, eye, at, numbers.beyond_unformed.length()))
                && (!ground || self.ground_clear(eye, at, [mine, theirs], high, [edge_of_mine, edge_of_theirs]))
        };
        // Bases side by side share their corners.
        let mut marks: SmallVec<[Vec2; 40]> = SmallVec::new();
        for place in to.bases.iter().flat_map(places) {
            if !marks.iter().rev().take(5).any(|known| (*known - place).length2() < 1.0) {
                marks.push(place);
            }
        }
        if eyes.iter().any(|eye| marks.iter().any(|at| clear(*eye, *at))) {
            return true;
        }
        // In woods and towns every inch counts: the nearest place of each base, wherever along its front that is
        // (MB-VIS-05, MB-GEN-08).
        decides!(MB_VIS_05);
        let screens = |lie: sabretache_table::Lie<'_>| self.fixed.lands[usize::from(lie.feature.id.0)].screens;
        if !self.fixed.screens || !self.fixed.ground.near(&to.bounds()).any(screens) {
            return false;
        }
        let nearest = |eye: &Vec2, base: &Quad| nearest_places(&Convex::place(*eye), base).1;
        if eyes.iter().any(|eye| to.bases.iter().any(|base| clear(*eye, nearest(eye, base)))) {
            return true;
        }
        let from = viewer.map(|viewer| nearest_places(self.figure(viewer), to));
        from.is_some_and(|(eye, at)| viewer.is_some_and(|one| self.looks_from(one, eye)) && clear(eye, at))
    }

    /// Whether a brigade has shot or fought this turn, and shows itself by it.
    fn has_shot(&self, unit: UnitId) -> bool {
        let marks = &self.brigade(unit).marks;
        marks.fire.bombarded.is_some()
            || marks.fire.fired_close
            || marks.fire.gave_fire
            || marks.fought
            || self.in_combat(unit)
    }

    fn blockers(
        &self,
        viewer: Option<UnitId>,
        target: UnitId,
        corridor: Bounds,
        [mine, theirs]: [i8; 2],
        high: bool,
    ) -> Blockers<'_> {
        decides!(MB_VIS_06, MB_VIS_07, MB_VIS_08, MB_VIS_09);
        let mut found = Blockers { formed: SmallVec::new(), loose: SmallVec::new() };
        let two = self.fixed.numbers.looked_over.length();
        for unit in self.around(corridor, HAIR).filter(|unit| Some(*unit) != viewer && *unit != target) {
            let brigade = self.brigade(unit);
            let fired = brigade.marks.fire.bombarded.is_some() || brigade.marks.fire.fired_close;
            let smokes = brigade.kind.is_gun() && fired;
            if !brigade.kind.is_brigade() && !smokes {
                continue;
            }
            let figure = self.figure(unit);
            let level = self.level_of(unit);
            // From above one looks over brigades that are lower and not too near; likewise up at those who stand higher.
            let over = |end: UnitId, height: i8| level < height && !near(self.figure(end), figure, two - HAIR * 2);
            let looked_over = viewer.is_some_and(|viewer| mine > level && over(viewer, mine)) || over(target, theirs);
            if looked_over && (!smokes || high) {
                continue;
            }
            if brigade.is_unformed() {
                let corners: SmallVec<[Vec2; 48]> =
                    figure.bases.iter().flat_map(|base| base.as_part().corners.to_vec()).collect();
                found.loose.push(Convex::hull(&corners));
            } else {
                found.formed.push(figure);
            }
        }
        found
    }

    /// Whether the ground lets one see along a line (MB-VIS-04, 07, 10).
    fn ground_clear(&self, eye: Vec2, at: Vec2, levels: [i8; 2], high: bool, edges: [bool; 2]) -> bool {
        decides!(MB_VIS_04, MB_VIS_10, MB_TER_04);
        let mut crossed: Vec<Crossed> = Vec::new();
        self.fixed.ground.crossed(eye, at, &mut crossed);
        let length = Length::rounded((at - eye).length());
        let inside_most = self.fixed.numbers.sight_in_cover.length() + HAIR;
        crossed.iter().all(|one| {
            let land = self.fixed.lands[usize::from(one.feature.0)];
            if land.hill {
                return land.level <= levels[0].max(levels[1]);
            }
            if !land.screens {
                return true;
            }
            let (from_inside, to_inside) = (one.enter <= Length::um(2), one.leave >= length - Length::um(2));
            match (from_inside, to_inside) {
                (false, false) => high,
                (true, _) if edges[0] => one.leave - one.enter <= inside_most || (one.enter == one.leave),
                (_, true) if edges[1] => one.leave - one.enter <= inside_most,
                _ => length <= inside_most,
            }
        })
    }
}

struct Blockers<'a> {
    formed: SmallVec<[&'a Figure; 8]>,
    loose: SmallVec<[Convex; 2]>,
}

/// The middle and the corners of a base.
fn places(base: &Quad) -> [Vec2; 5] {
    let corner = |corner| base.corner(corner);
    [
        base.centre(),
        corner(Corner::FrontLeft),
        corner(Corner::FrontRight),
        corner(Corner::RearRight),
        corner(Corner::RearLeft),
    ]
}

/// Whether a line crosses an unformed brigade and goes on for more than a distance beyond it (MB-VIS-09).
fn crosses_far(hull: &Convex, eye: Vec2, at: Vec2, most: Length) -> bool {
    if line_clear(eye, at, [hull]) {
        return false;
    }
    // Where the line leaves the outline: the far end of it that is still clear.
    let (mut inside, mut outside) = (0.0, 1.0);
    for _ in 0..40 {
        let middle = (inside + outside) / 2.0;
        if line_clear(eye.toward(at, middle), at, [hull]) { outside = middle } else { inside = middle }
    }
    (at - eye).length() * (1.0 - outside) > most.f() + HAIR.f()
}
