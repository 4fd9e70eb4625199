//! The shortest way to a goal, over as many bridges and fords as it takes (HZ-ROU-04, HZ-ROU-12, HZ-TER-16).

use crate::clauses::HZ_ROU_12;
use sabretache_engine::decides;
use sabretache_table::{
    Convex, FeatureId, Heading, Length, Lie, Point, Segment, Vec2, holds, nearer, overlapping, way_between,
};

use super::path::{is_free, length};
use crate::battle::Battle;
use crate::table::shape::Shape;
use crate::terrain::Kind;

/// Where a mover may go and how.
pub(super) struct Route<'a> {
    /// The battle.
    pub battle: &'a Battle,
    /// Half the width it needs.
    pub room: Length,
    /// What it goes round.
    pub obstacles: &'a [Shape<'a>],
    /// It fits on bridges and through fords like a march column (HZ-ROU-12).
    pub bridges: bool,
    /// Where the goal cannot be reached, the way to a place near it is no shorter than this.
    pub least: Length,
}

/// A place that has been reached, and the way to it.
struct Reached {
    way: Vec<Point>,
    length: Length,
    /// The shortest way to all that lies beyond it has been looked for.
    passed: bool,
}

impl Reached {
    fn by(way: Vec<Point>) -> Self {
        Self { length: length(&way), way, passed: false }
    }

    fn end(&self) -> Point {
        self.way.last().copied().unwrap_or_default()
    }
}

impl Route<'_> {
    /// The way to a goal, or to the reachable place nearest to it; nothing where there is no way at all. It stays on the table.
    pub(super) fn way(&self, from: Point, goal: Point) -> Option<Vec<Point>> {
        let mut reached = vec![Reached::by(vec![from])];
        let free = is_free(goal, self.room, self.obstacles);
        if let Some(way) = self.cross(&mut reached, Some(goal).filter(|_| free)) {
            return Some(way);
        }
        self.near(from, goal, &reached)
    }

    /// The way to the goal itself, if there is one.
    pub(super) fn whole_way(&self, from: Point, goal: Point) -> Option<Vec<Point>> {
        let mut reached = vec![Reached::by(vec![from])];
        self.cross(&mut reached, Some(goal).filter(|goal| is_free(*goal, self.room, self.obstacles)))
    }

    /// The way to the place nearest to a goal that can be reached: outward from it in rings, until a place is free.
    fn near(&self, from: Point, goal: Point, reached: &[Reached]) -> Option<Vec<Point>> {
        let whole = from.distance(goal).f();
        let step = 10_000.0;
        let mut out = step;
        while out < whole {
            for n in 0..32 {
                let spot = Point::rounded(goal.v() + Heading::hundredths(n * 1_125).unit() * out);
                if is_free(spot, self.room, self.obstacles) {
                    let found = reached.iter().filter_map(|one| self.onward(one, spot));
                    if let Some(way) = found.min_by_key(|way| length(way)).filter(|way| length(way) >= self.least) {
                        return Some(way);
                    }
                }
            }
            out += step;
        }
        None
    }

    /// The way on from a place that has been reached.
    fn onward(&self, from: &Reached, goal: Point) -> Option<Vec<Point>> {
        let on = self.dry(from.end(), goal)?;
        Some(from.way.iter().copied().chain(on.into_iter().skip(1)).collect())
    }

    /// The shortest way to a goal; and the far ends of the crossings that can be reached, each by its shortest way: always on from the
    /// nearest of those reached so far, and not beyond a goal that is nearer.
    fn cross(&self, reached: &mut Vec<Reached>, goal: Option<Point>) -> Option<Vec<Point>> {
        let mut best: Option<(Length, Vec<Point>)> = None;
        let mut crossings: Option<Vec<Vec<Point>>> = None;
        while let Some(n) = (0..reached.len()).filter(|&n| !reached[n].passed).min_by_key(|&n| reached[n].length) {
            reached[n].passed = true;
            let (here, gone) = (reached[n].end(), reached[n].length);
            if best.as_ref().is_some_and(|(known, _)| gone >= *known) {
                break;
            }
            if let Some(way) = goal.and_then(|goal| self.onward(&reached[n], goal)) {
                // Nothing is shorter than straight there.
                if way.len() == 2 {
                    return Some(way);
                }
                if best.as_ref().is_none_or(|(known, _)| length(&way) < *known) {
                    best = Some((length(&way), way));
                }
            }
            for crossing in crossings.get_or_insert_with(|| self.crossings()) {
                let (Some(&near), Some(&far)) = (crossing.first(), crossing.last()) else { continue };
                let before = reached.iter().position(|one| one.end() == far);
                let goal = best.as_ref().map_or(Length::MAX, |(known, _)| *known);
                let known = before.map_or(goal, |before| goal.min(reached[before].length));
                if gone + here.distance(near) + length(crossing) >= known {
                    continue;
                }
                let Some(to) = self.dry(here, near) else { continue };
                let way = reached[n].way.iter().chain(to.get(1..).unwrap_or_default()).chain(&crossing[1..]);
                let found = Reached::by(way.copied().collect());
                match before {
                    _ if found.length >= known => {}
                    Some(before) => reached[before] = found,
                    None => reached.push(found),
                }
            }
        }
        best.map(|(_, way)| way)
    }

    /// The shortest way that stays on the table and off all obstacles.
    fn dry(&self, from: Point, to: Point) -> Option<Vec<Point>> {
        way_between(from, to, self.room, &self.battle.lay.table, self.obstacles).map(|way| way.points)
    }

    /// Every bridge and ford that is open, each way.
    fn crossings(&self) -> Vec<Vec<Point>> {
        let lay = &self.battle.lay;
        if !self.bridges {
            return Vec::new();
        }
        decides!(HZ_ROU_12);
        let numbered = (0..).zip(&lay.terrain).filter(|(_, one)| one.kind == Kind::Crossing);
        let lines =
            numbered.flat_map(|(n, one)| if one.line.len() > 1 { vec![one.line.clone()] } else { self.over(n) });
        let open = lines.filter(|line| self.is_open(line));
        open.flat_map(|line| [line.clone(), line.into_iter().rev().collect()]).collect()
    }

    /// The ways over a bridge or ford that is drawn as an area: from the middle of one of its sides, on dry land, to that of another,
    /// through the water.
    fn over(&self, crossing: u16) -> Vec<Vec<Point>> {
        let lay = &self.battle.lay;
        let Some(area) = lay.ground.get(FeatureId(crossing)) else { return Vec::new() };
        let water = |lie: &Lie<'_>| matches!(lay.terrain[usize::from(lie.feature.id.0)].kind, Kind::Water { .. });
        let dry = |place: Vec2| !lay.ground.at(place).any(|lie| water(&lie));
        let middles: Vec<Vec2> = area.patch.rim().iter().map(|side| side.middle()).collect();
        let mut found = Vec::new();
        for (n, &a) in middles.iter().enumerate() {
            for &b in &middles[n + 1..] {
                let out = (b - a).unit() * 1_000.0;
                let line = Convex::segment(Segment::new(a, b));
                let inside = holds(&area, a.toward(b, 0.5));
                if inside
                    && dry(a - out)
                    && dry(b + out)
                    && lay.ground.all().any(|lie| water(&lie) && overlapping(&line, &lie))
                {
                    found.push(vec![Point::rounded(a), Point::rounded(b)]);
                }
            }
        }
        found
    }

    /// Whether nothing but the water itself is in the way on a bridge or in a ford: no enemy where he is kept clear of, no wall.
    fn is_open(&self, line: &[Point]) -> bool {
        let legs = line.windows(2).map(|leg| Convex::segment(Segment::new(leg[0].v(), leg[1].v())));
        legs.into_iter().all(|leg| {
            self.obstacles.iter().all(|shape| match shape {
                Shape::Unit(_) | Shape::Edge(..) => !nearer(&leg, shape, self.room.f()),
                Shape::Ground(lie) => {
                    let kind = self.battle.lay.terrain[usize::from(lie.feature.id.0)].kind;
                    matches!(kind, Kind::Water { .. }) || !overlapping(&leg, shape)
                }
            })
        })
    }
}
