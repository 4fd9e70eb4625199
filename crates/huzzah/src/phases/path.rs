//! Ways round what cannot be crossed, how far a move along them gets, and who is met on them (HZ-ROU-04, HZ-ROU-09, HZ-TER-16).

use sabretache_engine::ids::UnitId;
use sabretache_table::{
    Convex, Footprint, Heading, Length, Placed, Point, Tabletop, Vec2, exact_distance, meetings, overlapping, way_to,
};
use smallvec::SmallVec;

use crate::battle::Battle;
use crate::table::shape::Shape;
use crate::table::{Field, contact, shape};
use crate::terrain::{Crossing, Going, Kind};
use crate::troops::Formation;

/// What a unit in a formation goes round: ground it cannot cross, and enemies where it keeps clear of them. What it stands in already may
/// be left.
pub(super) fn obstacles<'a>(field: &'a Field<'a>, unit: UnitId, formation: Formation, enemies: bool) -> Vec<Shape<'a>> {
    let battle = field.battle;
    let troop = battle.troop_as(unit, formation);
    let here = field.get(unit);
    let mut all: Vec<Shape<'a>> = Vec::new();
    if enemies {
        all.extend(field.enemies(unit).map(|(_, enemy)| Shape::Unit(enemy)));
    }
    for lie in battle.lay.ground.all() {
        let kind = battle.lay.terrain[usize::from(lie.feature.id.0)].kind;
        let barred = matches!(kind.going(&troop), Going::Barred(_))
            || matches!(kind.crossing(&troop), Some(Crossing::Barred(_)));
        let bridged = formation == Formation::Mob
            && matches!(kind, Kind::Water { .. })
            && battle.lay.terrain.iter().any(|one| one.kind == Kind::Crossing);
        let inside = here.is_some_and(|placed| overlapping(placed, &lie));
        if barred && !bridged && !inside && kind != Kind::Crossing {
            all.push(Shape::Ground(lie));
        }
    }
    all
}

/// Half the width of a footprint's front: what it needs on either side of its middle.
pub(super) fn room(footprint: &Footprint) -> Length {
    footprint.frontage().half()
}

/// The way to a goal, or to the reachable place nearest to it; nothing where there is no way at all. It stays on the table.
pub(super) fn way(
    table: &Tabletop,
    from: Point,
    goal: Point,
    room: Length,
    obstacles: &[Shape<'_>],
) -> Option<Vec<Point>> {
    let on_table = |points: &[Point]| points.iter().skip(1).rev().skip(1).all(|&point| table.holds(point));
    let there = |spot: Point| {
        let way = way_to(from, spot, room, obstacles)?;
        on_table(&way.points).then_some(way.points)
    };
    if is_free(goal, room, obstacles)
        && let Some(way) = there(goal)
    {
        return Some(way);
    }
    // Outward from the goal in rings, until a place is free and can be reached.
    let whole = from.distance(goal).f();
    let step = 10_000.0;
    let mut out = step;
    while out < whole {
        for n in 0..32 {
            let spot = Point::rounded(goal.v() + Heading::hundredths(n * 1_125).unit() * out);
            if is_free(spot, room, obstacles)
                && let Some(way) = there(spot)
            {
                return Some(way);
            }
        }
        out += step;
    }
    None
}

/// Whether a mover of this half width stands clear of all obstacles somewhere.
fn is_free(spot: Point, room: Length, obstacles: &[Shape<'_>]) -> bool {
    obstacles.iter().all(|shape| exact_distance(&Convex::place(spot.v()), shape) > room.f())
}

/// Whether obstacles shut a mover in: no place a full move away can be reached, whichever way it turns (HZ-ROU-05).
pub(super) fn is_shut_in(from: Point, distance: Length, room: Length, obstacles: &[Shape<'_>]) -> bool {
    (0..32).all(|n| {
        let spot = from.along(Heading::hundredths(n * 1_125), distance);
        !is_free(spot, room, obstacles) || way_to(from, spot, room, obstacles).is_none()
    })
}

/// The part of a path that so much movement buys; obstacles stop it where the ground is paid for (HZ-ROU-09).
pub(super) fn walk(
    battle: &Battle,
    unit: UnitId,
    formation: Formation,
    points: &[Point],
    budget: Length,
    costs: bool,
) -> Vec<Point> {
    let mut walked = vec![points.first().copied().unwrap_or_default()];
    let mut left = budget.f();
    let troop = battle.troop_as(unit, formation);
    let costs = costs && !battle.lay.terrain.is_empty();
    for pair in points.windows(2) {
        let (from, to) = (pair[0].v(), pair[1].v());
        let length = (to - from).length();
        if length < 1.0 {
            continue;
        }
        let step = if costs { 5_000.0f64.min(length) } else { length };
        let mut done = 0.0;
        while done < length && left > 0.5 {
            let next = (done + step).min(length);
            let (a, b) = (from.toward(to, done / length), from.toward(to, next / length));
            let mut rate = 1.0;
            if costs {
                let place = from.toward(to, (done + next) / 2.0 / length);
                let half = battle.lay.ground.at(place).any(|lie| {
                    let kind = battle.lay.terrain[usize::from(lie.feature.id.0)].kind;
                    matches!(kind.going(&troop), Going::Half)
                        || matches!(kind.crossing(&troop), Some(Crossing::HalfInside | Crossing::HalfOrder))
                });
                rate = if half { 2.0 } else { 1.0 };
                let stopped = done > 0.0
                    && battle.lay.terrain.iter().any(|terrain| {
                        terrain.kind.crossing(&troop).is_some()
                            && terrain.line.windows(2).any(|leg| contact::crosses(a, b, leg[0].v(), leg[1].v()))
                    });
                if stopped {
                    walked.push(Point::rounded(a));
                    return walked;
                }
            }
            let pays = (next - done) * rate;
            if pays > left {
                walked.push(Point::rounded(from.toward(to, (done + left / rate) / length)));
                return walked;
            }
            left -= pays;
            done = next;
        }
        walked.push(pair[1]);
        if left <= 0.5 {
            break;
        }
    }
    walked
}

/// How long a path is.
pub(super) fn length(points: &[Point]) -> Length {
    points.windows(2).map(|pair| pair[0].distance(pair[1])).fold(Length::ZERO, |sum, leg| sum + leg)
}

/// The first so much of a path.
pub(super) fn cut(points: &[Point], distance: Length) -> Vec<Point> {
    let mut left = distance.f();
    let mut kept = vec![points.first().copied().unwrap_or_default()];
    for pair in points.windows(2) {
        let leg = (pair[1].v() - pair[0].v()).length();
        if leg >= left {
            kept.push(Point::rounded(pair[0].v().toward(pair[1].v(), if leg > 0.0 { left / leg } else { 0.0 })));
            return kept;
        }
        left -= leg;
        kept.push(pair[1]);
    }
    kept
}

/// Friends that a footprint meets along a path, in that order. It faces the way it goes, unless it keeps a facing.
pub(super) fn friends_met(
    field: &Field<'_>,
    unit: UnitId,
    footprint: &Footprint,
    points: &[Point],
    facing: Option<Heading>,
) -> Vec<UnitId> {
    let mut met: Vec<(f64, UnitId)> = Vec::new();
    let mut gone = 0.0;
    let mut found = SmallVec::new();
    for (way, length, mover) in legs(footprint, points, facing) {
        for (friend, there) in field.friends(unit) {
            found.clear();
            meetings(&mover, way, length, there, &mut found);
            let first = found.iter().map(|meeting| meeting.from.max(0.0)).fold(f64::INFINITY, f64::min);
            if first <= length && !met.iter().any(|(_, id)| *id == friend) {
                met.push((gone + first, friend));
            }
        }
        gone += length;
    }
    met.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    met.into_iter().map(|(_, friend)| friend).collect()
}

/// The straight pieces of a path: the way, the length, and the footprint at their beginning with its middle on the path.
pub(super) fn legs<'a>(
    footprint: &'a Footprint,
    points: &'a [Point],
    facing: Option<Heading>,
) -> impl Iterator<Item = (Vec2, f64, Placed)> + 'a {
    points.windows(2).filter_map(move |pair| {
        let (from, to) = (pair[0].v(), pair[1].v());
        let length = (to - from).length();
        if length < 1.0 {
            return None;
        }
        let heading = facing.unwrap_or_else(|| Heading::toward(from, to));
        let mover = Placed::new(footprint, shape::pose_about(from, heading, footprint.depth()));
        Some(((to - from).unit(), length, mover))
    })
}
