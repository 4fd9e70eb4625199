//! Ways round what cannot be crossed, how far a move along them gets, and who is met on them (HZ-ROU-04, HZ-ROU-09, HZ-TER-16).

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_table::{
    Convex, Cost, Direction, Face, FeatureId, Footprint, Heading, Length, Lie, Outline, Placed, Point, Pose, Reckoning,
    Vec2, first_contact, meetings, nearer, overlapping, reaches_any,
};
use smallvec::SmallVec;

use crate::battle::Battle;
use crate::clauses::{HZ_DIT_08, HZ_ROU_05, HZ_ROU_09, HZ_TER_16};
use crate::table::shape::Shape;
use crate::table::{Field, contact, ground, shape};
use crate::terrain::{Crossing, Going, Kind, Sunk, Troop};
use crate::troops::Formation;

/// What a unit in a formation goes round: ground it cannot cross. What it stands in already may be left.
pub(super) fn obstacles<'a>(field: &'a Field<'a>, unit: UnitId, formation: Formation) -> Vec<Shape<'a>> {
    let battle = field.battle;
    let troop = battle.troop_as(unit, formation);
    let here = field.get(unit);
    let mut all: Vec<Shape<'a>> = Vec::new();
    for lie in battle.lay.ground.all() {
        let kind = battle.lay.terrain[usize::from(lie.feature.id.0)].kind;
        let barred = matches!(kind.going(&troop), Going::Barred(_))
            || matches!(kind.crossing(&troop), Some(Crossing::Barred(_)));
        let inside = here.is_some_and(|placed| overlapping(placed, &lie));
        if barred && !inside && kind != Kind::Crossing {
            all.push(Shape::Ground(lie));
        }
    }
    all
}

/// Whether an enemy of the unit stands in a piece of ground that it goes round.
pub(super) fn is_held(field: &Field<'_>, unit: UnitId, shape: &Shape<'_>) -> bool {
    let Shape::Ground(lie) = shape else { return false };
    let linear = field.battle.lay.terrain[usize::from(lie.feature.id.0)].kind.is_obstacle();
    !linear && field.enemies(unit).any(|(_, enemy)| overlapping(enemy, lie))
}

/// Half the width of a footprint's front: what it needs on either side of its middle.
pub(super) fn room(footprint: &Footprint) -> Length {
    footprint.frontage().half()
}

/// Whether a mover of this half width stands clear of all obstacles somewhere.
pub(super) fn is_free(spot: Point, room: Length, obstacles: &[Shape<'_>]) -> bool {
    obstacles.iter().all(|shape| !nearer(&Convex::place(spot.v()), shape, room.f()))
}

/// Whether obstacles shut a mover in: no place a full move away or further can be reached, whichever way it turns (HZ-ROU-05).
pub(super) fn is_shut_in(
    battle: &Battle,
    from: Point,
    distance: Length,
    room: Length,
    obstacles: &[Shape<'_>],
) -> bool {
    decides!(HZ_ROU_05);
    let far = [distance, distance + distance.half(), distance * 2, distance * 3];
    let round = far.into_iter().flat_map(|far| (0..32).map(move |n| from.along(Heading::hundredths(n * 1_125), far)));
    let spots: Vec<Point> = round.filter(|&spot| is_free(spot, room, obstacles)).collect();
    !reaches_any(from, &spots, room, &battle.lay.table, obstacles)
}

/// The part of a path that so much movement buys. Where the ground is paid for, half rates hold and linear obstacles stop the mover; one
/// that it stands at when it begins it may cross (HZ-ROU-09, HZ-TER-16).
pub(super) fn walk(
    battle: &Battle,
    unit: UnitId,
    formation: Formation,
    points: &[Point],
    facing: Option<Heading>,
) -> Vec<Point> {
    decides!(HZ_ROU_09, HZ_TER_16);
    let budget = battle.allowance_as(unit, formation);
    if battle.lay.terrain.is_empty() {
        return cut(points, budget);
    }
    let footprint = &battle.facts(unit).footprints[formation.index()];
    let troop = battle.troop_as(unit, formation);
    let here = battle.placed(unit);
    let mut left = budget;
    let mut halved = false;
    let mut gone = Length::ZERO;
    let pieces = at_roads(battle, footprint, &troop, points, facing, budget);
    for (way, length, mover) in legs(footprint, &pieces, facing) {
        let whole = Length::rounded(length);
        let strip = leading_edge(&mover, way);
        let lead = strip.pose().at.v();
        let eased = |lie: &Lie<'_>, from: f64, to: f64| {
            ground::eases(battle, lie.feature.id.0, &troop, lead + way * from, lead + way * to)
        };
        let mut limit = whole;
        let mut bridged = false;
        for lie in battle.lay.ground.near(&mover.bounds().swept(way * length)) {
            let kind = battle.lay.terrain[usize::from(lie.feature.id.0)].kind;
            let Some(crossing) = kind.crossing(&troop) else { continue };
            let Some(at) = first_contact(&mover, way, limit.f(), &lie) else { continue };
            if eased(&lie, at, at + ROAD_STEP) {
                continue;
            }
            if matches!(kind, Kind::Water { .. }) && over_bridge(battle, mover.centre(), way, length, &lie) {
                bridged = true;
                continue;
            }
            if !nearer(&here, &lie, battle.lay.sizes.touch.f()) {
                limit = limit.min(Length::floored(at));
                continue;
            }
            match crossing {
                Crossing::Barred(_) => limit = Length::ZERO,
                Crossing::HalfOrder if !halved => {
                    halved = true;
                    left = left / i32::from(battle.numbers().slow());
                }
                Crossing::JustAcross => limit = limit.min(just_across(&mover, way, &lie, battle.lay.sizes.clear)),
                _ => {}
            }
        }
        // Each piece is wholly on a road or wholly off it.
        let (middle, around) = (length / 2.0, (length / 2.0).min(ROAD_STEP / 2.0));
        let cost = |features: &[FeatureId]| {
            let half = features.iter().any(|feature| {
                let kind = battle.lay.terrain[usize::from(feature.0)].kind;
                let lie = battle.lay.ground.get(*feature);
                if lie.is_some_and(|lie| eased(&lie, middle - around, middle + around)) {
                    return false;
                }
                matches!(kind.going(&troop), Going::Half)
                    || (!bridged
                        && matches!((kind, kind.crossing(&troop)), (Kind::Water { .. }, Some(Crossing::HalfInside))))
            });
            Cost::Rate { num: if half { battle.numbers().slow().into() } else { 1 }, den: 1 }
        };
        let toward = Direction::Toward(strip.pose().heading);
        let reached = battle.lay.ground.how_far(&strip, toward, limit, Reckoning::FrontEdge, left, cost);
        gone += reached.distance;
        left -= reached.spent;
        if reached.distance + Length::um(2) < whole {
            break;
        }
    }
    cut(points, gone)
}

/// How finely a way is looked at for roads.
const ROAD_STEP: f64 = 5_000.0;
/// How much of the way is looked at each time.
const ROAD_PROBE: f64 = 20.0;

/// A path with points added, as far as the movement can last, where the leading edge of the mover comes on to a road that eases its way or
/// leaves it (HZ-ROA-03, HZ-DIT-08).
fn at_roads(
    battle: &Battle,
    footprint: &Footprint,
    troop: &Troop,
    points: &[Point],
    facing: Option<Heading>,
    budget: Length,
) -> Vec<Point> {
    decides!(HZ_DIT_08);
    let is_road = |kind: Kind| matches!(kind, Kind::Road { open: true } | Kind::Sunken { sort: Sunk::Road, .. });
    let mut out = vec![points.first().copied().unwrap_or_default()];
    if !battle.lay.terrain.iter().any(|one| is_road(one.kind)) {
        return points.to_vec();
    }
    let mut gone = 0.0;
    for (way, length, mover) in legs(footprint, points, facing) {
        let lead = leading_edge(&mover, way).pose().at.v();
        let eased = |at: f64| {
            let (a, b) = (lead + way * at, lead + way * (at + ROAD_PROBE));
            let under = battle.lay.ground.at(a.toward(b, 0.5)).map(|lie| lie.feature.id.0);
            under.filter(|&n| ground::eases(battle, n, troop, a, b)).collect::<SmallVec<[u16; 4]>>()
        };
        let mut at = ROAD_STEP;
        let mut was = eased(0.0);
        while at < length && gone + at < budget.f() {
            let now = eased(at);
            if now != was {
                // Where between the last look and this one, to the micrometre.
                let (mut before, mut after) = (at - ROAD_STEP, at);
                while after - before > 1.0 {
                    let middle = f64::midpoint(before, after);
                    if eased(middle) == was { before = middle } else { after = middle }
                }
                out.push(Point::rounded(mover.centre() + way * after));
            }
            was = now;
            at += ROAD_STEP;
        }
        gone += length;
        out.push(Point::rounded(mover.centre() + way * length));
    }
    out
}

/// Whether a straight way enters water on a bridge or in a ford.
fn over_bridge(battle: &Battle, from: Vec2, way: Vec2, length: f64, water: &Lie<'_>) -> bool {
    let Some(at) = first_contact(&Convex::place(from), way, length, water) else { return true };
    let place = from + way * (at + 1_000.0);
    let kind = |lie: Lie<'_>| battle.lay.terrain[usize::from(lie.feature.id.0)].kind;
    battle.lay.ground.at(place).any(|lie| kind(lie) == Kind::Crossing)
}

/// The distance that puts a mover just beyond an obstacle.
fn just_across(mover: &Placed, way: Vec2, lie: &Lie<'_>, clear: Length) -> Length {
    let mut found = SmallVec::new();
    meetings(mover, way, 1_000_000.0, lie, &mut found);
    Length::ceiled(found.iter().map(|meeting| meeting.to).fold(0.0, f64::max)) + clear
}

/// A strip along the edge of a footprint that goes first, thin enough to be that edge and thick enough to meet things.
fn leading_edge(mover: &Placed, way: Vec2) -> Placed {
    let face = Face::ALL.into_iter().fold(Face::Front, |best, face| {
        if mover.outward(face).dot(way) > mover.outward(best).dot(way) + 1e-9 { face } else { best }
    });
    let edge = mover.face(face);
    let heading = Heading::toward(Vec2::new(0.0, 0.0), way);
    Placed::new(
        &Footprint::single(Length::rounded(edge.length()), Length::um(8)),
        Pose::new(Point::rounded(edge.middle()), heading),
    )
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
    let touch = field.battle.lay.sizes.touch.f();
    let mut met: Vec<(f64, UnitId)> = Vec::new();
    let mut gone = 0.0;
    let mut found = SmallVec::new();
    // Whom it only touches where it begins it leaves behind.
    let start = legs(footprint, points, facing).next().map(|leg| leg.2);
    let beside = |there: &Placed| start.as_ref().is_some_and(|start| nearer(start, there, touch));
    for (way, length, mover) in legs(footprint, points, facing) {
        for (friend, there) in field.friends(unit) {
            if met.iter().any(|(_, id)| *id == friend) {
                continue;
            }
            found.clear();
            meetings(&mover, way, length, there, &mut found);
            let mut first = found.iter().map(|meeting| meeting.from.max(0.0)).fold(f64::INFINITY, f64::min);
            if first > length && !beside(there) && contact::passes(&mover, way * length, there, touch) {
                first = first_contact(&mover, way, length, &contact::with_touch(there, touch)).unwrap_or(length);
            }
            if first <= length {
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
