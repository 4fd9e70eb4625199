//! Ways for a mover of some width, exactly: a gap as wide as the mover is too narrow for it, one a hair wider is not.
//!
//! The way is looked for twice. First round obstacles that are grown squarely, which is quick and keeps a little more room at
//! corners than is needed. Where that leaves no way, round obstacles that are grown evenly on all sides, by true distances.

use std::cell::OnceCell;

use smallvec::SmallVec;

use crate::convex::Convex;
use crate::home::Way;
use crate::length::Length;
use crate::outline::{Bounds, Outline, Part, SLOP};
use crate::pose::Point;
use crate::sight::line_within;
use crate::tabletop::Tabletop;
use crate::touch::{exact_distance, holds, nearest_places};
use crate::vec2::{Segment, Vec2};

/// The corners of a way keep this much further off than they must, so that rounding them does not bring it too near.
const CLEAR: f64 = 2.0 * SLOP;
/// Less than this is rounding noise.
const GRAZE: f64 = 1e-3;

/// The shortest way from one place to another on which a disc of this radius touches no obstacle, staying on the table; nothing where
/// there is none. What it is too near to at the start it may leave but not come nearer to, and the other way round at the end; an
/// obstacle that holds the start or the end is none.
pub fn way_between<'a, O: Outline + 'a>(
    from: Point,
    to: Point,
    room: Length,
    table: &Tabletop,
    obstacles: impl IntoIterator<Item = &'a O>,
) -> Option<Way> {
    let (start, goal, room) = (from.v(), to.v(), room.f().max(0.0));
    let mut all: Vec<Obstacle> = Vec::new();
    for outline in obstacles {
        if !holds(outline, start) && !holds(outline, goal) {
            all.extend(outline.parts().map(|part| Obstacle::of(part, start, goal, room)));
        }
    }
    let search = Search { start, goal, room, table };
    search.way(&all, Growth::Square).or_else(|| search.way(&all, Growth::Even))
}

/// Whether a disc of this radius can come to any of some places as [`way_between`] leads to one: the way round all that bars it is
/// worked out once for all of them. None of the places is too near to an obstacle.
pub fn reaches_any<'a, O: Outline + 'a>(
    from: Point,
    places: &[Point],
    room: Length,
    table: &Tabletop,
    obstacles: impl IntoIterator<Item = &'a O>,
) -> bool {
    let (start, room) = (from.v(), room.f().max(0.0));
    let mut all: Vec<Obstacle> = Vec::new();
    for outline in obstacles {
        if !holds(outline, start) {
            all.extend(outline.parts().map(|part| Obstacle::of(part, start, start, room)));
        }
    }
    let search = Search { start, goal: start, room, table };
    [Growth::Square, Growth::Even].into_iter().any(|growth| search.reaches(&all, places, growth))
}

/// How obstacles are grown by the room that the mover needs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Growth {
    /// Corners are square.
    Square,
    /// Corners are round.
    Even,
}

/// One part of an obstacle.
struct Obstacle {
    shape: Convex,
    square: Convex,
    /// A box that everything meets that comes too near.
    near: Bounds,
    /// Straight away from it at the start and at the end, and how far off they are.
    away: [(Vec2, f64); 2],
}

impl Obstacle {
    fn of(part: Part<'_>, start: Vec2, goal: Vec2, room: f64) -> Self {
        let shape = Convex::hull(part.corners);
        let square = Convex::grown(part, room + CLEAR);
        let near = square.bounds().grown(SLOP);
        let away = [start, goal].map(|place| {
            let (_, nearest) = nearest_places(&Convex::place(place), &shape);
            ((place - nearest).unit(), (place - nearest).length())
        });
        Self { shape, square, near, away }
    }

    /// Whether the start (0) or the end (1) is too near to it.
    fn holds_end(&self, end: usize, place: Vec2, room: f64, growth: Growth) -> bool {
        match growth {
            Growth::Square => self.square.as_part().holds(place, -GRAZE),
            Growth::Even => self.away[end].1 <= room + 1.0,
        }
    }

    /// Whether a place lies too near to it for a mover who is not too near at either end: no way turns there.
    fn bars(&self, place: Vec2, search: &Search<'_>, growth: Growth) -> bool {
        let ends = [(0, search.start), (1, search.goal)];
        self.near.holds(place)
            && !ends.into_iter().any(|(end, at)| self.holds_end(end, at, search.room, growth))
            && match growth {
                Growth::Square => self.square.as_part().holds(place, -GRAZE),
                Growth::Even => exact_distance(&Convex::place(place), &self.shape) <= search.room + 1.0,
            }
    }
}

/// The straight way from one place to another. As a shape it is wanted only where it comes near to something.
struct Leg {
    a: Vec2,
    b: Vec2,
    bounds: Bounds,
    body: OnceCell<Convex>,
}

impl Leg {
    fn new(a: Vec2, b: Vec2) -> Self {
        Self { a, b, bounds: Bounds::of(&[a, b]), body: OnceCell::new() }
    }

    fn body(&self) -> &Convex {
        self.body.get_or_init(|| Convex::segment(Segment::new(self.a, self.b)))
    }
}

struct Search<'a> {
    start: Vec2,
    goal: Vec2,
    room: f64,
    table: &'a Tabletop,
}

impl Search<'_> {
    fn way(&self, all: &[Obstacle], growth: Growth) -> Option<Way> {
        let mut taken: Vec<usize> = Vec::new();
        loop {
            let path = self.shortest(all, &taken, growth)?;
            let before = taken.len();
            for (n, obstacle) in all.iter().enumerate() {
                if !taken.contains(&n)
                    && path.windows(2).any(|leg| self.blocks(obstacle, &Leg::new(leg[0], leg[1]), growth))
                {
                    taken.push(n);
                }
            }
            if taken.len() == before {
                let length = path.windows(2).map(|leg| (leg[1] - leg[0]).length()).sum();
                let points = path.into_iter().map(Point::rounded).collect();
                return Some(Way { points, length: Length::rounded(length) });
            }
            taken.sort_unstable();
        }
    }

    /// Whether an obstacle is in the way from one place to another. Straight ahead a distance to a convex shape never falls again once
    /// it rises: who begins by moving away never comes too near.
    fn blocks(&self, obstacle: &Obstacle, leg: &Leg, growth: Growth) -> bool {
        if !leg.bounds.meets(&obstacle.near) {
            return false;
        }
        let (a, b) = (leg.a, leg.b);
        let leaves = |end: usize, place: Vec2, other: Vec2| {
            obstacle
                .holds_end(end, place, self.room, growth)
                .then(|| (other - place).dot(obstacle.away[end].0) >= -GRAZE * (other - place).length())
        };
        for (end, place, other) in [(0, self.start, b), (1, self.goal, a)] {
            let here = if end == 0 { a } else { b };
            if here == place
                && let Some(leaves) = leaves(end, place, other)
            {
                return !leaves;
            }
        }
        match growth {
            Growth::Square => line_within(obstacle.square.as_part(), a, b, GRAZE).is_some(),
            Growth::Even => exact_distance(leg.body(), &obstacle.shape) <= self.room + 1.0,
        }
    }

    /// Where a way may turn.
    fn turns(&self, all: &[Obstacle], taken: &[usize], growth: Growth) -> Vec<Vec2> {
        let mut turns: Vec<Vec2> = vec![self.start];
        for &n in taken {
            match growth {
                Growth::Square => turns.extend(all[n].square.corners()),
                Growth::Even => round(all[n].shape.as_part(), self.room + CLEAR, &mut turns),
            }
        }
        if growth == Growth::Even {
            self.gaps(all, taken, &mut turns);
        }
        turns.retain(|&place| {
            place == self.start
                || self.table.holds(Point::rounded(place)) && !taken.iter().any(|&n| all[n].bars(place, self, growth))
        });
        turns
    }

    /// The middles of narrow gaps, and places before and behind them: no corner of what is grown lies in them.
    fn gaps(&self, all: &[Obstacle], taken: &[usize], turns: &mut Vec<Vec2>) {
        for (i, &n) in taken.iter().enumerate() {
            for &m in &taken[i + 1..] {
                let (a, b) = nearest_places(&all[n].shape, &all[m].shape);
                let wide = (b - a).length();
                if wide > 2.0 * self.room && wide < 4.0 * self.room {
                    let (middle, through) = (a.toward(b, 0.5), (b - a).unit().right());
                    let out = 2.0 * self.room;
                    turns.extend([middle, middle + through * out, middle - through * out]);
                }
            }
        }
    }

    /// Whether any of the places can be come to, turning wherever one may.
    fn reaches(&self, all: &[Obstacle], places: &[Point], growth: Growth) -> bool {
        let every: Vec<usize> = (0..all.len()).collect();
        let mut left = self.turns(all, &every, growth);
        let mut reached = vec![left.remove(0)];
        while let Some(here) = reached.pop() {
            let clear = |there: Vec2| {
                let leg = Leg::new(here, there);
                !all.iter().any(|obstacle| self.blocks(obstacle, &leg, growth))
            };
            if places.iter().any(|place| clear(place.v())) {
                return true;
            }
            let (found, rest): (Vec<Vec2>, Vec<Vec2>) = left.into_iter().partition(|&turn| clear(turn));
            reached.extend(found);
            left = rest;
        }
        false
    }

    /// The shortest way round the obstacles taken in so far. Ties go to the turn found first.
    fn shortest(&self, all: &[Obstacle], taken: &[usize], growth: Growth) -> Option<Vec<Vec2>> {
        let clear = |a: Vec2, b: Vec2| {
            let leg = Leg::new(a, b);
            taken.iter().all(|&n| !self.blocks(&all[n], &leg, growth))
        };
        if clear(self.start, self.goal) {
            return Some(vec![self.start, self.goal]);
        }
        let mut places = self.turns(all, taken, growth);
        places.push(self.goal);
        let last = places.len() - 1;
        let mut cost = vec![f64::INFINITY; places.len()];
        let mut back = vec![0; places.len()];
        let mut done = vec![false; places.len()];
        cost[0] = 0.0;
        loop {
            let mut best: Option<(f64, usize)> = None;
            for n in (0..=last).filter(|&n| !done[n] && cost[n].is_finite()) {
                let whole = cost[n] + (self.goal - places[n]).length();
                if best.is_none_or(|(held, _)| whole < held) {
                    best = Some((whole, n));
                }
            }
            let (_, at) = best?;
            done[at] = true;
            if at == last {
                break;
            }
            for n in (1..=last).filter(|&n| !done[n]).collect::<SmallVec<[usize; 64]>>() {
                let length = cost[at] + (places[n] - places[at]).length();
                if length < cost[n] - 1e-6 && clear(places[at], places[n]) {
                    cost[n] = length;
                    back[n] = at;
                }
            }
        }
        let mut path = vec![self.goal];
        let mut at = last;
        while at != 0 {
            at = back[at];
            path.push(places[at]);
        }
        path.reverse();
        Some(path)
    }
}

/// Places round a convex shape, nowhere nearer to it than so far, and so close together that the straight way from each to the next is
/// not either.
fn round(part: Part<'_>, room: f64, out: &mut Vec<Vec2>) {
    let count = part.corners.len();
    for (n, &corner) in part.corners.iter().enumerate() {
        let (from, turn) = if count < 3 {
            (Vec2::new(1.0, 0.0), 2.0 * core::f64::consts::PI)
        } else {
            let (before, after) = (part.normals[(n + count - 1) % count], part.normals[n]);
            (before, libm::atan2(before.cross(after), before.dot(after)).max(0.0))
        };
        let pieces = libm::ceil(turn / (core::f64::consts::PI / 8.0)).max(1.0);
        let step = turn / pieces;
        for piece in 0..pieces as usize {
            let (s, c) = libm::sincos((piece as f64 + 0.5) * step);
            let way = Vec2::new(from.x * c - from.y * s, from.x * s + from.y * c);
            out.push(corner + way * (room / libm::cos(step / 2.0)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::footprint::Footprint;
    use crate::placed::Placed;
    use crate::pose::Pose;

    fn table() -> Tabletop {
        Tabletop::new(Length::cm(200), Length::cm(200))
    }

    fn wall(x: Length, y: i32, wide: i32, deep: i32) -> Placed {
        let at = Pose::new(Point::new(x, Length::cm(y)), crate::heading::Heading::degrees(0));
        Placed::new(&Footprint::single(Length::cm(wide), Length::cm(deep)), at)
    }

    /// Four walls round (100, 100), the one to the south with a gap of so many micrometres in its middle.
    fn ring(gap: i32) -> Vec<Placed> {
        let half = Length::um(gap).half() + Length::cm(20);
        let (west, east) = (Length::cm(100) - half, Length::cm(100) + half);
        vec![
            wall(west, 90, 40, 2),
            wall(east, 90, 40, 2),
            wall(Length::cm(100), 112, 60, 2),
            wall(Length::cm(80), 112, 2, 24),
            wall(Length::cm(120), 112, 2, 24),
        ]
    }

    #[test]
    fn a_gap_as_wide_as_the_mover_is_too_narrow_and_one_a_hair_wider_is_not() {
        let way = |gap: i32| way_between(Point::cm(100, 100), Point::cm(100, 70), Length::cm(4), &table(), &ring(gap));
        assert_eq!(way(60_000), None);
        assert_eq!(way(80_000), None);
        assert!(way(80_100).is_some());
        let goal_near = way_between(Point::cm(100, 100), Point::cm(100, 83), Length::cm(4), &table(), &ring(79_000));
        assert_eq!(goal_near, None, "a goal just beyond the gap does not widen it");
    }

    #[test]
    fn corners_that_leave_a_hair_are_passed_between() {
        // Two squares whose corners (90, 100) and (x, y) lie 8.01 cm apart on a slant of 45 degrees.
        let by = Length::um(56_640);
        let other = Placed::new(
            &Footprint::single(Length::cm(120), Length::cm(60)),
            Pose::new(
                Point::new(Length::cm(90) + by + Length::cm(60), Length::cm(100) - by),
                crate::heading::Heading::degrees(0),
            ),
        );
        let walls = [wall(Length::cm(40), 160, 100, 60), other];
        let way = way_between(Point::cm(80, 90), Point::cm(105, 105), Length::cm(4), &table(), &walls);
        assert!(way.is_some());
        assert_eq!(way_between(Point::cm(80, 90), Point::cm(105, 105), Length::um(40_100), &table(), &walls), None);
        // Obstacles grown squarely leave no way there: it is found round their true corners.
        let through = |room| reaches_any(Point::cm(80, 90), &[Point::cm(105, 105)], room, &table(), &walls);
        assert!(through(Length::cm(4)) && !through(Length::um(40_100)));
    }

    #[test]
    fn one_of_many_places_is_come_to_where_a_way_leads_to_any() {
        let round: Vec<Point> = (0..32)
            .map(|n| Point::cm(100, 100).along(crate::heading::Heading::hundredths(n * 1_125), Length::cm(60)))
            .collect();
        let any = |gap: i32| reaches_any(Point::cm(100, 100), &round, Length::cm(4), &table(), &ring(gap));
        assert!(!any(60_000) && !any(80_000));
        assert!(any(80_100) && any(400_000));
        assert!(!reaches_any(Point::cm(100, 100), &[], Length::cm(4), &table(), &ring(400_000)), "nowhere to go");
        let singly = |gap: i32| {
            round.iter().any(|&to| way_between(Point::cm(100, 100), to, Length::cm(4), &table(), &ring(gap)).is_some())
        };
        assert!([60_000, 80_000, 80_100, 90_000].into_iter().all(|gap| any(gap) == singly(gap)));
    }

    #[test]
    fn what_is_too_near_at_the_start_may_be_left_and_not_passed() {
        let front = [wall(Length::cm(100), 103, 20, 2)];
        let back = way_between(Point::cm(100, 100), Point::cm(100, 80), Length::cm(4), &table(), &front);
        assert_eq!(back.map(|way| way.points.len()), Some(2));
        let round = way_between(Point::cm(100, 100), Point::cm(100, 120), Length::cm(4), &table(), &front).unwrap();
        assert!(round.points.len() > 2 && round.length > Length::cm(30), "{round:?}");
    }
}
