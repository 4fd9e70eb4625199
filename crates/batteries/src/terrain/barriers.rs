//! Lines that bar the way and may be broken: hedgerows, abatis, fieldworks, old city walls.

use sabretache_engine::clause::Clause;
use sabretache_table::{Bounds, Convex, FeatureShape, Ground, Length, Segment, Vec2};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::battle::{Facts, Kind, Unit};
use crate::numbers::Numbers;
use crate::table::NEAR;
use crate::terrain::{Kinds, Terrain};

/// A line that bars the way. For closed works it is the rim.
#[derive(Clone, Debug)]
pub(crate) struct Barrier {
    /// The ground it belongs to.
    pub(crate) ground: u16,
    pub(crate) kind: Kinds,
    pub(crate) legs: Vec<Leg>,
    pub(crate) length: f64,
    pub(crate) half: f64,
    pub(crate) bounds: Bounds,
    /// Which side is the inner one: 1 to the right of the line as drawn, -1 to its left, 0 where both are alike.
    inner: f64,
    /// The ground behind linear works and walls that disorders.
    pub(crate) strips: Vec<Convex>,
}

/// A straight stretch, and how far along the line it begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leg {
    pub(crate) a: Vec2,
    pub(crate) b: Vec2,
    pub(crate) from: f64,
}

/// A stretch of a barrier that stands, or that is broken.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stretch {
    pub(crate) line: Segment,
    pub(crate) standing: bool,
}

/// What a barrier does to those who want to cross it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Passage {
    Free,
    Toll(f64, Clause),
    Barred(Clause),
}

/// A stretch that has been broken down, cleared, destroyed or breached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Break {
    /// Of which piece of ground.
    pub ground: u16,
    /// From how far along the line.
    pub from: Length,
    /// To how far along it.
    pub to: Length,
}

/// Hits on a section of works or wall.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Battered {
    /// Of which piece of ground.
    pub ground: u16,
    /// Which section, from the beginning of the line.
    pub section: u16,
    /// How many.
    pub hits: u16,
}

/// Finds the barriers of a table.
pub(crate) fn barriers(ground: &Ground, terrain: &[Terrain], numbers: &Numbers) -> Vec<Barrier> {
    let mut found = Vec::new();
    for lie in ground.all() {
        let kind = &terrain[usize::from(lie.feature.id.0)];
        if !kind.barrier() {
            continue;
        }
        let (mut places, width, closed): (Vec<Vec2>, Length, bool) = match &lie.feature.shape {
            FeatureShape::Line { points, width } => (points.iter().map(|point| point.v()).collect(), *width, false),
            FeatureShape::Area { outer, .. } => (outer.iter().map(|point| point.v()).collect(), Length::ZERO, true),
            FeatureShape::Spot { .. } => continue,
        };
        if closed {
            places.extend(places.first().copied());
        }
        let mut legs = Vec::new();
        let mut length = 0.0;
        for pair in places.windows(2) {
            legs.push(Leg { a: pair[0], b: pair[1], from: length });
            length += (pair[1] - pair[0]).length();
        }
        let inner = if closed {
            let twice: f64 = places.windows(2).map(|pair| pair[0].cross(pair[1])).sum();
            if twice > 0.0 { -1.0 } else { 1.0 }
        } else if let Some(front) = kind.front {
            // The side that looks toward the front over most of the line is the outer one all along.
            let outward: f64 = legs.iter().map(|leg| (leg.b - leg.a).right().dot(front.unit())).sum();
            if outward > 0.0 { -1.0 } else { 1.0 }
        } else {
            0.0
        };
        let deep = match kind.kind {
            Kinds::LightWorks | Kinds::HeavyWorks => numbers.works_behind.within.0.f(),
            // A unit exactly so far behind it still mans it.
            Kinds::CityWall => numbers.wall_manned.within.0.f() + NEAR,
            _ => 0.0,
        };
        let strip = |leg: &Leg| {
            let back = (leg.b - leg.a).unit().right() * (inner * deep);
            Convex::hull(&[leg.a, leg.b, leg.b + back, leg.a + back])
        };
        let strips = if deep > 0.0 && inner != 0.0 && !closed { legs.iter().map(strip).collect() } else { Vec::new() };
        let half = width.f() / 2.0;
        found.push(Barrier {
            ground: lie.feature.id.0,
            kind: kind.kind,
            legs,
            length,
            half,
            bounds: Bounds::of(&places).grown(half + deep + 1.0),
            inner,
            strips,
        });
    }
    found
}

impl Barrier {
    /// Both ends of a section, as distances along the line.
    pub(crate) fn section(&self, n: u16, length: f64) -> (f64, f64) {
        let from = f64::from(n) * length;
        // What is left at the end belongs to the last section.
        let to = if n + 1 >= self.sections(length) { self.length } else { from + length };
        (from, to)
    }

    /// How many sections there are.
    pub(crate) fn sections(&self, length: f64) -> u16 {
        ((self.length / length + 1e-6).floor() as u16).max(1)
    }

    /// The place so far along the line, and the outward direction there.
    pub(crate) fn place(&self, at: f64) -> (Vec2, Vec2) {
        let leg = self.legs.iter().rev().find(|leg| leg.from <= at).unwrap_or(&self.legs[0]);
        let along = (leg.b - leg.a).unit();
        (leg.a + along * (at - leg.from), along.right() * -self.inner)
    }

    /// Whether a place lies on the inner side of the line.
    pub(crate) fn inside(&self, place: Vec2) -> bool {
        let nearest = self
            .legs
            .iter()
            .min_by(|x, y| Segment::new(x.a, x.b).distance(place).total_cmp(&Segment::new(y.a, y.b).distance(place)));
        nearest.is_some_and(|leg| (place - leg.a).dot((leg.b - leg.a).right()) * self.inner > 0.0)
    }

    /// How far a place is from the line.
    pub(crate) fn distance(&self, place: Vec2) -> f64 {
        self.legs.iter().map(|leg| Segment::new(leg.a, leg.b).distance(place)).fold(f64::INFINITY, f64::min)
    }

    /// How far along the line the foot of a place is.
    pub(crate) fn along(&self, place: Vec2) -> f64 {
        let nearest = self
            .legs
            .iter()
            .min_by(|x, y| Segment::new(x.a, x.b).distance(place).total_cmp(&Segment::new(y.a, y.b).distance(place)));
        nearest.map_or(0.0, |leg| leg.from + (place.nearest_on(leg.a, leg.b) - leg.a).length())
    }

    /// Where a line of sight or march crosses the barrier, as shares of it and distances along the barrier.
    pub(crate) fn crossings(&self, from: Vec2, to: Vec2) -> SmallVec<[(f64, f64); 2]> {
        let mut found: SmallVec<[(f64, f64); 2]> = SmallVec::new();
        for leg in &self.legs {
            let (d, e) = (to - from, leg.b - leg.a);
            let cross = d.cross(e);
            if cross.abs() < 1e-9 {
                continue;
            }
            let (t, s) = ((leg.a - from).cross(e) / cross, (leg.a - from).cross(d) / cross);
            if (0.0..=1.0).contains(&t) && (0.0..=1.0).contains(&s) {
                found.push((t, leg.from + e.length() * s));
            }
        }
        found
    }
}

impl Unit {
    /// Infantry, and gunners without guns.
    pub(crate) fn on_foot(&self, facts: &Facts) -> bool {
        matches!(facts.kind, Kind::Foot { .. }) || self.away
    }
}
