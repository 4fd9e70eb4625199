//! The way home: the shortest way round obstacles to a place or to an edge of the table.
//!
//! The shortest way bends only at corners of obstacles, grown by the room the mover needs. Obstacles are taken in only when the way found so far runs
//! into them, so a battle of hundreds of units costs no more than the few that stand in the way.

use smallvec::SmallVec;

use crate::convex::Convex;
use crate::length::Length;
use crate::outline::{Bounds, Outline, SLOP};
use crate::pose::Point;
use crate::sight::line_within;
use crate::tabletop::{Edge, Tabletop};
use crate::touch::{exact_distance, holds};
use crate::vec2::{Segment, Vec2};

/// A way round obstacles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// From the start to the end, both included.
    pub points: Vec<Point>,
    /// How long it is.
    pub length: Length,
}

/// Where a way is to end.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Goal {
    Place(Vec2),
    Line(Segment),
}

impl Goal {
    /// The place of the goal nearest to a place.
    fn nearest(self, p: Vec2) -> Vec2 {
        match self {
            Goal::Place(q) => q,
            Goal::Line(s) => p.nearest_on(s.a, s.b),
        }
    }
}

/// The grown shapes keep this much clear of the obstacle, so that rounding the points of a way does not bring it back in.
const CLEAR: f64 = 2.0 * SLOP;
/// Depths in a grown shape that are rounding noise.
const GRAZE: f64 = 1e-3;

/// The shortest way from one place to another that keeps `room` clear of every obstacle (half the width of the mover); nothing where there is none.
/// It bends only on the table; where it begins and ends is the caller's affair. Corners are rounded off squarely, so a way round a corner keeps a little more room than asked. An obstacle that already lies closer than that to
/// the start or the end is given only what room there is; one that holds the start or the end is no obstacle.
pub fn way_to<'a, O: Outline + 'a>(
    from: Point,
    to: Point,
    table: &Tabletop,
    room: Length,
    obstacles: impl IntoIterator<Item = &'a O>,
) -> Option<Way> {
    way(from.v(), Goal::Place(to.v()), table, room, obstacles)
}

/// The shortest way from a place to an edge of the table, staying on the table; see [`way_to`].
pub fn way_home<'a, O: Outline + 'a>(
    from: Point,
    table: &Tabletop,
    edge: Edge,
    room: Length,
    obstacles: impl IntoIterator<Item = &'a O>,
) -> Option<Way> {
    way(from.v(), Goal::Line(table.edge(edge)), table, room, obstacles)
}

fn way<'a, O: Outline + 'a>(
    from: Vec2,
    goal: Goal,
    table: &Tabletop,
    room: Length,
    obstacles: impl IntoIterator<Item = &'a O>,
) -> Option<Way> {
    let room = room.f().max(0.0);
    // A mitred corner lies √2 times as far out as the edges; obstacles are grown when the way first comes so near.
    let reach = (room + CLEAR) * core::f64::consts::SQRT_2 + SLOP;
    let all: Vec<(&O, Bounds)> = obstacles.into_iter().map(|o| (o, o.bounds().grown(reach))).collect();
    let mut grown: Vec<Option<SmallVec<[Obstacle; 1]>>> = Vec::new();
    grown.resize_with(all.len(), || None);
    let mut taken: Vec<(usize, usize)> = Vec::new();
    loop {
        let path = shortest(from, goal, table, &grown, &taken)?;
        let before = taken.len();
        for (i, (o, near)) in all.iter().enumerate() {
            if !path.windows(2).any(|w| Bounds::of(w).meets(near)) {
                continue;
            }
            let parts = grown[i].get_or_insert_with(|| grow(*o, from, goal, room));
            for (n, part) in parts.iter().enumerate() {
                if !taken.contains(&(i, n)) && path.windows(2).any(|w| part.blocks(w[0], w[1])) {
                    taken.push((i, n));
                }
            }
        }
        if taken.len() == before {
            let length = path.windows(2).map(|w| (w[1] - w[0]).length()).sum();
            return Some(Way {
                points: path.into_iter().map(Point::rounded).collect(),
                length: Length::rounded(length),
            });
        }
        taken.sort_unstable();
    }
}

/// An obstacle grown by the room the mover needs.
struct Obstacle {
    shape: Convex,
    bounds: Bounds,
}

impl Obstacle {
    fn blocks(&self, a: Vec2, b: Vec2) -> bool {
        Bounds::of(&[a, b]).meets(&self.bounds) && line_within(self.shape.as_part(), a, b, GRAZE).is_some()
    }
}

fn grow(o: &impl Outline, from: Vec2, goal: Goal, room: f64) -> SmallVec<[Obstacle; 1]> {
    let ends: SmallVec<[Vec2; 2]> = match goal {
        Goal::Place(q) => SmallVec::from_slice(&[from, q]),
        Goal::Line(_) => SmallVec::from_slice(&[from]),
    };
    if ends.iter().any(|p| holds(o, *p)) {
        return SmallVec::new();
    }
    let near = ends.iter().map(|p| exact_distance(o, &Convex::place(*p))).fold(f64::INFINITY, f64::min);
    // A mitred corner lies √2 times as far out as the edges.
    let room = (room + CLEAR).min((near - SLOP) / core::f64::consts::SQRT_2).max(0.0);
    let obstacle = |part| {
        let shape = Convex::grown(part, room);
        let bounds = shape.bounds();
        Obstacle { shape, bounds }
    };
    o.parts().map(obstacle).collect()
}

/// The shortest way round the obstacles taken in so far. Ties go to the corner found first, so the answer depends only on the order of the obstacles.
fn shortest(
    from: Vec2,
    goal: Goal,
    table: &Tabletop,
    grown: &[Option<SmallVec<[Obstacle; 1]>>],
    taken: &[(usize, usize)],
) -> Option<Vec<Vec2>> {
    let obstacles: SmallVec<[&Obstacle; 8]> =
        taken.iter().filter_map(|&(i, n)| grown[i].as_ref().and_then(|parts| parts.get(n))).collect();
    let clear = |a: Vec2, b: Vec2| obstacles.iter().all(|obstacle| !obstacle.blocks(a, b));
    let direct = goal.nearest(from);
    if clear(from, direct) {
        return Some(vec![from, direct]);
    }
    let mut nodes = vec![from];
    for obstacle in &obstacles {
        let part = obstacle.shape.as_part();
        nodes.extend(part.corners.iter().filter(|c| table.holds(Point::rounded(**c))));
        // A way to an edge of the table may also end where an obstacle stands astride that edge.
        if let Goal::Line(line) = goal {
            nodes.extend(part.edges().filter_map(|e| meeting_point(e, line)));
        }
    }
    let n = nodes.len();
    let mut cost = vec![f64::INFINITY; n + 1];
    let mut back = vec![0usize; n + 1];
    let mut done = vec![false; n + 1];
    cost[0] = 0.0;
    loop {
        // The node with the least length so far plus the least it can still be; node n is the goal.
        let mut best: Option<(f64, usize)> = None;
        for i in (0..=n).filter(|&i| !done[i] && cost[i].is_finite()) {
            let rest = if i == n { 0.0 } else { (goal.nearest(nodes[i]) - nodes[i]).length() };
            if best.is_none_or(|(b, _)| cost[i] + rest < b) {
                best = Some((cost[i] + rest, i));
            }
        }
        let (_, at) = best?;
        done[at] = true;
        if at == n {
            break;
        }
        let here = nodes[at];
        for i in (0..=n).filter(|&i| !done[i]).collect::<SmallVec<[usize; 64]>>() {
            let there = if i == n { goal.nearest(here) } else { nodes[i] };
            let length = cost[at] + (there - here).length();
            if length < cost[i] - 1e-6 && clear(here, there) {
                cost[i] = length;
                back[i] = at;
            }
        }
    }
    let last = nodes[back[n]];
    let mut path = vec![goal.nearest(last)];
    let mut at = back[n];
    loop {
        path.push(nodes[at]);
        if at == 0 {
            break;
        }
        at = back[at];
    }
    path.reverse();
    Some(path)
}

/// Where two segments cross.
fn meeting_point(s: Segment, line: Segment) -> Option<Vec2> {
    let (d, e) = (s.b - s.a, line.b - line.a);
    let cross = d.cross(e);
    if cross == 0.0 {
        return None;
    }
    let (t, u) = ((line.a - s.a).cross(e) / cross, (line.a - s.a).cross(d) / cross);
    ((0.0..=1.0).contains(&t) && (0.0..=1.0).contains(&u)).then(|| line.a.toward(line.b, u))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::footprint::Footprint;
    use crate::placed::Placed;
    use crate::pose::Pose;

    fn unit(x: i32, y: i32) -> Placed {
        Placed::new(&Footprint::single(Length::cm(10), Length::cm(4)), Pose::cm(x, y, 0))
    }

    #[test]
    fn the_way_home_goes_round_what_is_in_the_way() {
        let table = Tabletop::new(Length::cm(180), Length::cm(120));
        let none: [&Placed; 0] = [];
        let straight = way_home(Point::cm(50, 50), &table, Edge::South, Length::cm(2), none).unwrap();
        assert_eq!(straight, Way { points: vec![Point::cm(50, 50), Point::cm(50, 0)], length: Length::cm(50) });
        let round = way_home(Point::cm(50, 50), &table, Edge::South, Length::cm(2), [&unit(51, 30)]).unwrap();
        assert_eq!(round.points.len(), 3.max(round.points.len()));
        assert!(round.length > Length::cm(50) && round.length < Length::cm(56), "{}", round.length);
        assert!(round.points.iter().all(|p| p.x <= Length::cm(50)), "the short way round");
    }

    #[test]
    fn walled_in_there_is_no_way() {
        let wall = |x, y, w, d| Placed::new(&Footprint::single(Length::cm(w), Length::cm(d)), Pose::cm(x, y, 0));
        let ring = [wall(50, 60, 30, 2), wall(50, 42, 30, 2), wall(36, 59, 2, 18), wall(64, 59, 2, 18)];
        let table = Tabletop::new(Length::cm(180), Length::cm(120));
        assert_eq!(way_to(Point::cm(50, 50), Point::cm(100, 50), &table, Length::ZERO, &ring), None);
        assert!(way_to(Point::cm(50, 50), Point::cm(100, 50), &table, Length::ZERO, &ring[..3]).is_some());
    }

    #[test]
    fn a_way_round_does_not_lead_over_the_edge_of_the_table() {
        let table = Tabletop::new(Length::cm(180), Length::cm(120));
        let wall = |top| Placed::new(&Footprint::single(Length::cm(2), Length::cm(top)), Pose::cm(90, top, 0));
        let way = |top| way_to(Point::cm(80, 5), Point::cm(100, 5), &table, Length::ZERO, [&wall(top)]);
        let round = way(20).unwrap();
        assert!(round.points.iter().any(|p| p.y >= Length::cm(20)), "round the end that lies on the table: {round:?}");
        assert_eq!(way(120), None, "from edge to edge there is no way");
    }

    #[test]
    fn starting_against_an_obstacle_is_no_prison() {
        let table = Tabletop::new(Length::cm(180), Length::cm(120));
        let got = way_home(
            Point::new(Length::cm(50), Length::um(300_010)),
            &table,
            Edge::South,
            Length::cm(3),
            [&unit(50, 30)],
        );
        assert!(got.is_some());
    }
}
