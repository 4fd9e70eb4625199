//! What lies in a zone and is not hidden behind something else in it, looking straight out from the face.
//!
//! Seen straight out, each unit is a broken line of near edges. Between two neighbouring ends or crossings of
//! such edges their order does not change, so a few comparisons settle every place exactly.

use smallvec::SmallVec;

use crate::convex::{Convex, Corners};
use crate::length::Length;
use crate::outline::{Bounds, Outline, Part, SLOP};
use crate::vec2::Vec2;
use crate::zone::Zone;

/// A near edge in the frame of the face, from left to right.
#[derive(Clone, Copy, Debug)]
struct Edge {
    a: Vec2,
    b: Vec2,
}

impl Edge {
    fn height(&self, x: f64) -> f64 {
        self.a.y + (self.b.y - self.a.y) * ((x - self.a.x) / (self.b.x - self.a.x))
    }

    fn spans(&self, x: f64) -> bool {
        self.a.x <= x && x <= self.b.x
    }

    /// Where two edges cross.
    fn crossing(&self, other: &Edge) -> Option<f64> {
        let (from, to) = (self.a.x.max(other.a.x), self.b.x.min(other.b.x));
        if from >= to {
            return None;
        }
        let (d0, d1) = (self.height(from) - other.height(from), self.height(to) - other.height(to));
        (d0 * d1 < 0.0).then(|| from + (to - from) * (d0 / (d0 - d1)))
    }
}

type Edges = SmallVec<[Edge; 16]>;

/// What of a target lies in a zone and can be seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// The width, along the face, over which it is in the zone and not hidden.
    pub width: Length,
    /// How far out the nearest such place is; nothing where there is none.
    pub nearest: Option<Length>,
    /// Whether all of it is in the zone with nothing before it.
    pub all: bool,
}

impl Seen {
    /// Whether any of it is in the zone and not hidden.
    pub fn any(&self) -> bool {
        self.nearest.is_some()
    }
}

/// A zone without what is hidden behind enemies.
#[derive(Clone, Debug)]
pub struct Shadowed {
    /// The corners in order round it, for drawing.
    pub corners: Vec<Vec2>,
    parts: Vec<Convex>,
    bounds: Bounds,
}

impl Outline for Shadowed {
    fn bounds(&self) -> Bounds {
        self.bounds
    }
    fn part_count(&self) -> usize {
        self.parts.len()
    }
    fn part(&self, i: usize) -> Part<'_> {
        self.parts[i].as_part()
    }
}

impl Zone {
    /// What of a target lies in the zone and is not hidden, straight out, behind one of some others. The target itself must
    /// not be among them; one that is exactly level with the target hides nothing.
    pub fn look<'a, O: Outline + 'a>(&self, target: &impl Outline, others: impl IntoIterator<Item = &'a O>) -> Seen {
        let mut near = Edges::new();
        let mut all = true;
        for part in target.parts() {
            all &= part.corners.iter().all(|c| self.holds(*c));
            near_edges(&self.clipped(part), &mut near);
        }
        let mut before = Edges::new();
        if !near.is_empty() {
            for other in others {
                for part in other.parts() {
                    near_edges(&self.clipped(part), &mut before);
                }
            }
        }
        let stops = stops(&near, &before, &[]);
        let (mut width, mut nearest) = (0.0, f64::INFINITY);
        for w in stops.windows(2) {
            let middle = (w[0] + w[1]) / 2.0;
            let Some(own) = lowest(&near, middle) else { continue };
            if lowest(&before, middle).is_some_and(|other| other.height(middle) < own.height(middle) - SLOP) {
                all = false;
                continue;
            }
            width += w[1] - w[0];
            nearest = nearest.min(own.height(w[0])).min(own.height(w[1]));
        }
        if width <= SLOP {
            return Seen { width: Length::ZERO, nearest: None, all: false };
        }
        let nearest = if nearest <= SLOP { Length::ZERO } else { Length::rounded(nearest) };
        Seen { width: Length::rounded(width), nearest: Some(nearest), all }
    }

    /// The zone without the ground hidden, straight out, behind the near edges of some enemies.
    pub fn shadowed<'a, O: Outline + 'a>(&self, enemies: impl IntoIterator<Item = &'a O>) -> Shadowed {
        let mut before = Edges::new();
        for enemy in enemies {
            for part in enemy.parts() {
                near_edges(&self.clipped(part), &mut before);
            }
        }
        let (left, right) = self.sides();
        let (depth, face) = (self.depth_f(), self.width().f());
        let floor = |x: f64| {
            let outside = (-x).max(x - face).max(0.0);
            if outside > 0.0 { outside / ((right - left - face) / 2.0).max(1e-9) * depth } else { 0.0 }
        };
        let stops = stops(&before, &[], &[left, 0.0, face, right]);
        let (mut top, mut parts) = (Corners::new(), Vec::new());
        for w in stops.windows(2) {
            let (a, b) = (w[0].clamp(left, right), w[1].clamp(left, right));
            if b - a <= 1e-6 {
                continue;
            }
            let edge = lowest(&before, (a + b) / 2.0);
            let height = |x: f64| edge.map_or(depth, |e| e.height(x).min(depth)).max(floor(x));
            let (ta, tb) = (Vec2::new(a, height(a)), Vec2::new(b, height(b)));
            let base = [Vec2::new(a, floor(a)), Vec2::new(b, floor(b)), tb, ta];
            let part = Convex::hull(&base.map(|p| self.world(p)));
            if part.area() > 0.0 {
                parts.push(part);
            }
            top.extend([ta, tb]);
        }
        let mut round: Vec<Vec2> = vec![Vec2::new(0.0, 0.0), Vec2::new(face, 0.0)];
        round.extend(top.iter().rev());
        round.dedup_by(|a, b| (*a - *b).length() < 1e-3);
        let corners: Vec<Vec2> = round.into_iter().map(|p| self.world(p)).collect();
        Shadowed { bounds: Bounds::of(&corners), corners, parts }
    }
}

/// The edges of a polygon that look back at the face: anticlockwise, those that run to the right.
fn near_edges(corners: &[Vec2], out: &mut Edges) {
    let n = corners.len();
    for i in 0..n {
        let (a, b) = (corners[i], corners[(i + 1) % n]);
        if b.x > a.x + 1e-6 {
            out.push(Edge { a, b });
        }
    }
}

/// Every place along the face at which the order of the edges may change.
fn stops(near: &[Edge], before: &[Edge], also: &[f64]) -> SmallVec<[f64; 32]> {
    let mut at: SmallVec<[f64; 32]> = SmallVec::from_slice(also);
    for (i, e) in near.iter().enumerate() {
        at.extend([e.a.x, e.b.x]);
        at.extend(near[i + 1..].iter().chain(before).filter_map(|o| e.crossing(o)));
    }
    for (i, e) in before.iter().enumerate() {
        at.extend([e.a.x, e.b.x]);
        at.extend(before[i + 1..].iter().filter_map(|o| e.crossing(o)));
    }
    at.sort_by(f64::total_cmp);
    at.dedup();
    at
}

/// The nearest edge at a place along the face.
fn lowest(edges: &[Edge], x: f64) -> Option<&Edge> {
    edges.iter().filter(|e| e.spans(x)).min_by(|a, b| a.height(x).total_cmp(&b.height(x)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::footprint::{Face, Footprint};
    use crate::placed::Placed;
    use crate::pose::Pose;

    fn unit(x: i32, y: i32, degrees: i32) -> Placed {
        Placed::new(&Footprint::single(Length::cm(10), Length::cm(4)), Pose::cm(x, y, degrees))
    }

    fn zone() -> Zone {
        Zone::before(&unit(50, 50, 0), Face::Front, Length::cm(20))
    }

    const NONE: [&Placed; 0] = [];

    #[test]
    fn a_target_half_in_is_seen_for_half_its_width() {
        let seen = zone().look(&unit(55, 60, 180), NONE);
        assert_eq!((seen.width, seen.nearest, seen.all), (Length::cm(5), Some(Length::cm(10)), false));
        assert!(zone().look(&unit(50, 60, 180), NONE).all);
        assert!(!zone().look(&unit(60, 60, 180), NONE).any(), "beside the zone");
        assert!(zone().look(&unit(50, 70, 180), NONE).any(), "at the far edge");
        assert!(!zone().look(&unit(50, 71, 180), NONE).any());
    }

    #[test]
    fn an_enemy_in_front_hides_what_is_behind_it() {
        let (front, behind) = (unit(53, 56, 180), unit(50, 64, 180));
        let seen = zone().look(&behind, [&front]);
        assert_eq!((seen.width, seen.all), (Length::cm(3), false));
        assert_eq!(zone().look(&front, [&behind]).width, Length::cm(7));
        assert!(!zone().look(&behind, [&unit(50, 56, 180)]).any());
    }

    #[test]
    fn the_shadowed_zone_ends_at_the_enemys_front() {
        let shadowed = zone().shadowed([&unit(55, 56, 180)]);
        assert!((shadowed.area() - (5.0 * 20.0 + 5.0 * 6.0) * 1e8).abs() < 1e6, "{}", shadowed.area());
        assert_eq!(shadowed.corners.len(), 6);
    }
}
