//! The way of those who run: how a body spreads into a crowd, how far it gets, and where on the way something changes.
//!
//! Enemy, ground and the edge of the table stop a body as it stands; the room that a crowd takes matters where it ends.

use crate::phases::fleeing;
use sabretache_engine::ids::UnitId;
use sabretache_table::{Heading, Length, Outline, Pose, Quad, Vec2, meetings, overlapping};
use smallvec::SmallVec;

use crate::battle::Battle;
use crate::brigade::Brigade;
use crate::table::lay::{Figure, HAIR, LOOSE};
use crate::table::nearing::spans_within;
use crate::table::path::{Going, Reach};

/// The gap between the bases of a crowd that has no room for more.
const CLOSE: Length = HAIR;
/// The gap left to friends whom those who run cannot get past (MB-MOV-09).
const BREADTH: Length = Length::inch_fraction(1, 4);

/// How far those who run get.
pub(crate) struct Flight {
    /// What stops the body as it stands.
    pub(crate) reach: Reach,
    /// The crowd it becomes, where it begins to run.
    pub(crate) crowd: Brigade,
    /// How far the crowd goes: to the furthest place on the way where it can stand; nothing where it can stand nowhere.
    pub(crate) end: Option<Length>,
}

/// How the bases of a crowd stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    /// A quarter of an inch apart.
    Loose,
    /// Hardly apart.
    Close,
}

impl Order {
    const BOTH: [Self; 2] = [Self::Loose, Self::Close];
}

/// How far back along a way some bases reach.
fn tail(bases: &[Quad], way: Vec2) -> f64 {
    let corners = bases.iter().flat_map(|base| base.as_part().corners.iter().copied().collect::<SmallVec<[Vec2; 4]>>());
    corners.map(|corner| corner.dot(way)).fold(f64::INFINITY, f64::min)
}

impl Brigade {
    /// A crowd in even rows drawn together about its front until its bases hardly stand apart.
    pub(crate) fn drawn_close(&self) -> Self {
        let figure = Figure::of(self, self.pose);
        let (front, forward) = (self.pose.at.v(), self.pose.heading.unit());
        let shrink = |size: Length| (size + CLOSE).f() / (size + LOOSE).f();
        let (across, back) = (shrink(self.width), shrink(self.depth));
        let half = self.depth.f() / 2.0;
        let nearer = |base: &Quad| {
            let off = base.centre() - front + forward * half;
            let (x, y) = (off.dot(forward.right()) * across, off.dot(forward) * back);
            sabretache_table::Point::rounded(front + forward.right() * x + forward * (y - half))
        };
        let middles: SmallVec<[_; 12]> = figure.bases.iter().map(nearer).collect();
        self.scattered(&middles)
    }

    /// The crowd that a body becomes as it runs that way: it spreads away from those it runs from, with a quarter of an inch
    /// between the bases, or hardly any where there is no room (MB-FRM-06).
    fn spread(&self, heading: Heading, order: Order) -> Self {
        if self.is_unformed() {
            return *self;
        }
        let (stood, loose) = (Figure::of(self, self.pose), self.loosened());
        let mut crowd = loose;
        if order == Order::Close {
            crowd = loose.drawn_close();
        }
        let spread = Figure::of(&crowd, crowd.pose);
        let over = Length::rounded(tail(&stood.bases, heading.unit()) - tail(&spread.bases, heading.unit()));
        Self { pose: crowd.pose.moved(heading, over.max(Length::ZERO)), ..crowd }
    }
}

impl Battle {
    /// Where a crowd comes to stand that goes so far: drawn in from the edge of the table, facing as it did.
    pub(crate) fn ran_to(&self, crowd: &Brigade, heading: Heading, by: Length) -> Pose {
        fleeing::drawn_in(self, crowd, Pose::new(crowd.pose.moved(heading, by).at, crowd.pose.heading))
    }

    /// The crowd as which a body pursues: with its front where it is, and close where loose bases would stand on enemy.
    pub(crate) fn crowd_in_pursuit(&self, unit: UnitId) -> Brigade {
        let brigade = self.brigade(unit);
        let [loose, close] = Order::BOTH.map(|order| brigade.spread(brigade.pose.heading.reversed(), order));
        let figure = Figure::of(&loose, loose.pose);
        let enemies = self.enemies_around(brigade.side, figure.bounds(), HAIR);
        if enemies.into_iter().any(|enemy| overlapping(&figure, self.figure(enemy))) { close } else { loose }
    }

    /// How far a body that runs gets with so much of a move (MB-RES-16, MB-RES-21).
    pub(crate) fn flight(&self, unit: UnitId, heading: Heading, distance: Length) -> Flight {
        let brigade = self.brigade(unit);
        let reach = self.reach_as(unit, brigade, self.figure(unit), heading, distance, Going::through_friends());
        let ends = |order: Order| {
            let crowd = brigade.spread(heading, order);
            (self.furthest(unit, &crowd, heading, reach.distance), crowd)
        };
        let (mut end, mut crowd) = ends(Order::Loose);
        if end < Some(reach.distance) && !brigade.is_unformed() {
            let (closer, close) = ends(Order::Close);
            if closer > end {
                (end, crowd) = (closer, close);
            }
        }
        Flight { reach, crowd, end }
    }

    /// The crowd of those who run so far that way: as loose as there is room for it there.
    pub(crate) fn crowd_of(&self, unit: UnitId, heading: Heading, by: Length) -> Brigade {
        let brigade = self.brigade(unit);
        let [loose, close] = Order::BOTH.map(|order| brigade.spread(heading, order));
        let fits = |crowd: &Brigade| self.stands(unit, &Figure::of(crowd, self.ran_to(crowd, heading, by)));
        if !fits(&loose) && fits(&close) { close } else { loose }
    }

    /// The furthest place on its way where a crowd can stand.
    fn furthest(&self, unit: UnitId, crowd: &Brigade, heading: Heading, most: Length) -> Option<Length> {
        let (figure, way) = (Figure::of(crowd, crowd.pose), heading.unit());
        let corridor = figure.bounds().swept(way * most.f());
        let mut places: SmallVec<[Length; 8]> = SmallVec::from_slice(&[most, Length::ZERO]);
        let mut stretches = SmallVec::new();
        for one in self.around(corridor, HAIR).filter(|one| *one != unit) {
            meetings(&figure, way, most.f(), self.figure(one), &mut stretches);
            let gap = if self.brigade(one).side == crowd.side { BREADTH } else { Length::ZERO };
            places.extend(stretches.iter().map(|met| Length::floored(met.from) - gap));
        }
        for lie in self.fixed.ground.near(&corridor).filter(|lie| self.stops(crowd, lie.feature.id.0).is_some()) {
            meetings(&figure, way, most.f(), &lie, &mut stretches);
            places.extend(stretches.iter().map(|met| Length::floored(met.from)));
        }
        places.retain(|by| (Length::ZERO..=most).contains(by));
        places.sort_unstable();
        let stands = |by: &Length| self.stands(unit, &Figure::of(crowd, self.ran_to(crowd, heading, *by)));
        places.into_iter().rev().find(stands)
    }

    /// The places on a crowd's way at which something may change that ends it: somebody or some ground is met or left
    /// behind, an enemy is just so far off, a friend or an obstacle comes to lie between it and those it flees from. Between
    /// two of them everything stays as it is.
    pub(crate) fn turning_points(&self, unit: UnitId, crowd: &Brigade, heading: Heading, full: Length) -> Vec<Length> {
        let (figure, way) = (Figure::of(crowd, crowd.pose), heading.unit());
        let corridor = figure.bounds().swept(way * full.f());
        let clear = self.fixed.numbers.rout_clear.length();
        let mut at: Vec<f64> = Vec::new();
        let mut stretches = SmallVec::new();
        for one in self.around(corridor, HAIR).filter(|one| *one != unit) {
            meetings(&figure, way, full.f(), self.figure(one), &mut stretches);
            at.extend(stretches.iter().flat_map(|met| [met.from, met.to]));
        }
        for enemy in self.enemies_around(crowd.side, corridor, clear).filter(|enemy| self.brigade(*enemy).is_brigade())
        {
            let spans = spans_within(&figure, way, full.f(), self.figure(enemy), clear.f());
            at.extend(spans.into_iter().flat_map(|(from, to)| [from, to]));
        }
        let mut shades: Vec<f64> = Vec::new();
        let seen_from = fleeing::flees_from(self, unit).map(|enemy| self.figure(enemy).centre());
        let mut shade = |corners: &[Vec2]| {
            if let Some(from) = seen_from {
                shadow_edges(corners, from, figure.centre(), way, &mut shades);
            }
        };
        for lie in self.fixed.ground.near(&corridor.join(self.pursuers_box(unit))) {
            let land = self.fixed.lands[usize::from(lie.feature.id.0)];
            if land.obstacle || land.lined || self.stops(crowd, lie.feature.id.0).is_some() {
                meetings(&figure, way, full.f(), &lie, &mut stretches);
                at.extend(stretches.iter().flat_map(|met| [met.from, met.to]));
                lie.parts().for_each(|part| shade(part.corners));
            }
        }
        for friend in self.of(crowd.side).filter(|friend| *friend != unit && self.brigade(*friend).is_formed()) {
            self.figure(friend).parts().for_each(|part| shade(part.corners));
        }
        at.append(&mut shades);
        let inside = |by: &f64| *by > 0.0 && *by < full.f();
        let mut points: Vec<Length> = at.into_iter().filter(inside).map(Length::ceiled).collect();
        points.sort_unstable();
        points.dedup();
        points
    }

    /// A box round those whom a unit flees from.
    fn pursuers_box(&self, unit: UnitId) -> sabretache_table::Bounds {
        fleeing::flees_from(self, unit).map_or(self.figure(unit).bounds(), |enemy| self.figure(enemy).bounds())
    }

    /// The first stretch of a way, between where it begins and where it ends, on which something holds of the crowd.
    pub(crate) fn first_stretch(
        &self,
        points: &[Length],
        from: Length,
        full: Length,
        holds: impl Fn(Length) -> bool,
    ) -> Option<[Length; 2]> {
        let hair = Length::um(2);
        let inner = points.iter().copied().filter(|by| *by > from && *by < full);
        let ends: Vec<Length> = std::iter::once(from).chain(inner).chain([full]).collect();
        let whole = |pair: &[Length]| holds(pair[0] + (pair[1] - pair[0]).half());
        let first = ends.windows(2).position(|pair| pair[1] - pair[0] > hair && whole(pair))?;
        let after = ends[first..].windows(2).take_while(|pair| pair[1] - pair[0] <= hair || whole(pair)).count();
        let (least, most) = (ends[first], ends[first + after]);
        let settle = |by: Length, step: Length| {
            [by, by + step, by + step * 2].into_iter().find(|by| holds(*by)).unwrap_or(by + step * 2)
        };
        let least = settle(least, hair);
        Some([least, settle(most, -hair).max(least)])
    }
}

/// Where a place that moves from here comes to lie behind some corners, as seen from there, or no longer does.
fn shadow_edges(corners: &[Vec2], seen_from: Vec2, here: Vec2, way: Vec2, at: &mut Vec<f64>) {
    let mut line = |through: Vec2, along: Vec2| {
        let speed = way.cross(along);
        if speed.abs() > 1e-9 {
            at.push(-(here - through).cross(along) / speed);
        }
    };
    for (n, corner) in corners.iter().enumerate() {
        line(seen_from, (*corner - seen_from).unit());
        line(*corner, (corners[(n + 1) % corners.len()] - *corner).unit());
    }
}
