//! Where a line to any part of a body may pass: between what stands in the way, however narrow the gap.
//!
//! What can be seen of a body changes only at the lines past a corner of something that stands in the way, and where the body itself comes onto other
//! ground. Between two such lines nothing changes, so one line between them tells for all.

use sabretache_table::{Bounds, Convex, Outline, Placed, Vec2, line_clear};
use smallvec::SmallVec;

use crate::battle::Battle;
use crate::terrain::Kinds;

/// A line just beside a corner.
const HAIR: f64 = 1e-7;

type Places = SmallVec<[Vec2; 16]>;

impl Battle {
    /// Places of a convex body to which lines from a place may be clear: for each gap between screens the nearest that it shows, its middle and its ends.
    /// Screens are heeded here, the ground is only divided up by.
    pub(crate) fn glimpses(&self, from: Vec2, body: &[Vec2], screens: &[Placed]) -> Places {
        let mut found = Places::new();
        if body.len() < 2 {
            return found;
        }
        let middle = body.iter().fold(Vec2::default(), |sum, corner| sum + *corner) * (1.0 / body.len() as f64);
        let ahead = (middle - from).unit();
        let angle = |place: Vec2| {
            let off = place - from;
            libm::atan2(ahead.cross(off), ahead.dot(off))
        };
        let mut lines: SmallVec<[f64; 32]> = body.iter().map(|corner| angle(*corner)).collect();
        let first = lines.iter().copied().fold(f64::INFINITY, f64::min);
        let last = lines.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut places: SmallVec<[Vec2; 16]> = SmallVec::from_slice(body);
        places.push(from);
        let reach = Convex::hull(&places);
        let near = reach.bounds();
        for screen in screens.iter().filter(|screen| near.meets(&screen.bounds())) {
            lines.extend(
                screen.parts().flat_map(|part| part.corners.iter().map(|corner| angle(*corner)).collect::<Vec<_>>()),
            );
        }
        let edges = || (0..body.len()).map(|n| (body[n], body[(n + 1) % body.len()]));
        lines.extend(edges().map(|(a, b)| angle(from.nearest_on(a, b))));
        let ground = self.lines_of_ground(&near);
        for (a, b) in &ground {
            lines.extend([angle(*a), angle(*b), angle(from.nearest_on(*a, *b))]);
            lines.extend(edges().filter_map(|(c, d)| crossing(*a, *b, c, d)).map(angle));
        }
        lines.retain(|line| (first..=last).contains(line));
        lines.sort_by(f64::total_cmp);
        lines.dedup_by(|a, b| (*a - *b).abs() < HAIR);
        let way = |line: f64| ahead * libm::cos(line) - ahead.right() * libm::sin(line);
        let clear = |place: Vec2| line_clear(from, place, screens.iter());
        for pair in lines.windows(2) {
            let Some((enter, leave)) = through(body, from, way(f64::midpoint(pair[0], pair[1]))) else { continue };
            if !clear(enter) {
                continue;
            }
            found.push(enter);
            if !ground.is_empty() {
                found.push(leave);
            }
            for line in [pair[0] + HAIR, pair[1] - HAIR] {
                found.extend(through(body, from, way(line)).map(|(enter, _)| enter));
            }
        }
        found
    }

    /// The edges of all ground and lines in a box that may hide what is behind them.
    fn lines_of_ground(&self, near: &Bounds) -> SmallVec<[(Vec2, Vec2); 16]> {
        let mut edges = SmallVec::new();
        for lie in self.fixed.ground.near(near) {
            let terrain = self.terrain(&lie);
            if terrain.contour() || terrain.height > 0 || terrain.kind == Kinds::Wood {
                edges.extend(lie.patch.rim().iter().map(|edge| (edge.a, edge.b)));
            }
        }
        for barrier in self.barriers_near(*near) {
            if matches!(barrier.kind, Kinds::Hedgerow | Kinds::CityWall) {
                edges.extend(self.stretches(barrier).iter().map(|stretch| (stretch.line.a, stretch.line.b)));
            }
        }
        edges
    }
}

/// Where two segments cross.
fn crossing(a: Vec2, b: Vec2, c: Vec2, d: Vec2) -> Option<Vec2> {
    let (one, other) = (b - a, d - c);
    let cross = one.cross(other);
    let (t, s) = ((c - a).cross(other) / cross, (c - a).cross(one) / cross);
    (cross != 0.0 && (0.0..=1.0).contains(&t) && (0.0..=1.0).contains(&s)).then(|| a.toward(b, t))
}

/// Where a line from a place enters a convex body, and where it leaves it.
fn through(body: &[Vec2], from: Vec2, way: Vec2) -> Option<(Vec2, Vec2)> {
    let (mut enter, mut leave) = (f64::INFINITY, f64::NEG_INFINITY);
    for n in 0..body.len() {
        let (a, b) = (body[n], body[(n + 1) % body.len()]);
        let (side_a, side_b) = (way.cross(a - from), way.cross(b - from));
        if side_a * side_b > 0.0 || side_a == side_b {
            continue;
        }
        let at = (a.toward(b, side_a / (side_a - side_b)) - from).dot(way);
        if at >= 0.0 {
            (enter, leave) = (enter.min(at), leave.max(at));
        }
    }
    (enter <= leave).then(|| (from + way * enter, from + way * leave))
}
