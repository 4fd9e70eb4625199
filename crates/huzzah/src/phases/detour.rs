//! The way of those who must retire: straight back, or round ground they cannot cross by the shortest way, keeping their facing
//! (HZ-TER-16).

use sabretache_engine::ids::UnitId;
use sabretache_table::{
    Convex, Face, Heading, Length, Lie, OnTable, Placed, Point, Pose, first_contact, meetings, nearer, overlapping,
    way_to,
};
use smallvec::SmallVec;

use super::advance;
use crate::battle::Battle;
use crate::table::{Field, contact, track};
use crate::terrain::{Crossing, Going};

/// One straight stretch of the way.
pub(crate) type Leg = (Heading, Length);

/// The stretches of a retirement of one move from a pose.
pub(crate) fn legs(battle: &Battle, unit: UnitId, from: Pose, way: Heading) -> Vec<Leg> {
    let start = battle.placed_at(unit, from);
    let budget = battle.allowance(unit);
    let straight = track::retreat(&Field::with(battle, unit, start.clone()), unit, way, budget);
    if battle.lay.terrain.is_empty() {
        return vec![(way, straight)];
    }
    let barred = barred(battle, unit, &start);
    let reach = straight.f() + 2.0;
    let blocked = straight < budget
        && barred.iter().any(|lie| first_contact(&start, way.unit(), reach, lie).is_some_and(|at| at <= reach));
    if blocked && let Some(round) = round(battle, unit, &start, way, budget, &barred) {
        return round;
    }
    vec![(way, straight)]
}

/// Ground that the unit cannot enter or cross and does not stand in.
fn barred<'a>(battle: &'a Battle, unit: UnitId, start: &Placed) -> Vec<Lie<'a>> {
    let troop = battle.troop(unit);
    let is_barred = |lie: &Lie<'_>| {
        let kind = battle.lay.terrain[usize::from(lie.feature.id.0)].kind;
        matches!(kind.going(&troop), Going::Barred(_)) || matches!(kind.crossing(&troop), Some(Crossing::Barred(_)))
    };
    battle.lay.ground.all().filter(|lie| is_barred(lie) && !overlapping(start, lie)).collect()
}

/// Half the diagonal of a footprint: what it keeps clear of its middle whichever way it is pushed.
pub(crate) fn room(placed: &Placed) -> Length {
    let (front, side) = (placed.face(Face::Front).length(), placed.face(Face::Right).length());
    Length::ceiled(libm::sqrt(front * front + side * side) / 2.0)
}

/// The place far off for which a unit makes that goes round: beyond all that bars it, in the direction it must go.
pub(crate) fn goal(battle: &Battle, unit: UnitId, start: &Placed, way: Heading) -> Option<Point> {
    far_off(start, way, battle.allowance(unit), &barred(battle, unit, start))
}

fn far_off(start: &Placed, way: Heading, budget: Length, barred: &[Lie<'_>]) -> Option<Point> {
    let centre = Point::rounded(start.centre());
    let near = room(start).f() * 1.5;
    let clear_of = |place: Point| barred.iter().all(|lie| !nearer(&Convex::place(place.v()), lie, near));
    (0..40).map(|n| centre.along(way, budget + Length::cm(20 + 10 * n))).find(|&place| clear_of(place))
}

/// The shortest way round, as far as the move lasts: its middle makes for a place far off in the direction it must go, and keeps half its own
/// breadth clear.
fn round(
    battle: &Battle,
    unit: UnitId,
    start: &Placed,
    way: Heading,
    budget: Length,
    barred: &[Lie<'_>],
) -> Option<Vec<Leg>> {
    let centre = Point::rounded(start.centre());
    let room = room(start);
    let goal = far_off(start, way, budget, barred)?;
    let path = way_to(centre, goal, &battle.lay.table, room, barred)?;
    let mut legs: Vec<Leg> = Vec::new();
    let mut here = start.clone();
    let mut left = budget;
    for pair in path.points.windows(2) {
        let length = pair[0].distance(pair[1]);
        if length < Length::um(10) {
            continue;
        }
        let heading = Heading::toward(pair[0].v(), pair[1].v());
        let field = Field::with(battle, unit, here.clone());
        let reached = track::retreat(&field, unit, heading, left).min(length);
        legs.push((heading, reached));
        here = track::moved(&here, heading.unit(), reached);
        if reached + Length::um(2) < length {
            break;
        }
        left -= cost(&field, unit, heading, length, left);
        if left <= Length::um(10) {
            break;
        }
    }
    let moved = legs.iter().any(|&(_, length)| length >= track::least(battle));
    (moved && battle.lay.table.on_table(&here) == OnTable::Wholly).then_some(legs)
}

/// How much movement a stretch takes: its length, or up to twice that over bad going.
fn cost(field: &Field<'_>, unit: UnitId, heading: Heading, length: Length, most: Length) -> Length {
    let (mut least, mut most) = (length, most);
    let enough = |budget: Length| track::retreat(field, unit, heading, budget) + Length::um(2) >= length;
    if enough(least) {
        return least;
    }
    while most - least > Length::um(1) {
        let middle = (least + most).half();
        if enough(middle) { most = middle } else { least = middle }
    }
    most
}

/// The friends that a unit runs into on the stretches of its way but the last, a passage of lines apart.
pub(crate) fn passed(battle: &Battle, unit: UnitId, start: &Placed, legs: &[Leg]) -> SmallVec<[UnitId; 4]> {
    let field = Field::of(battle);
    let mut met: SmallVec<[UnitId; 4]> = SmallVec::new();
    let mut here = start.clone();
    let mut found = SmallVec::new();
    let touch = battle.lay.sizes.touch.f();
    for &(way, distance) in legs {
        for (friend, there) in field.friends(unit) {
            meetings(&here, way.unit(), distance.f(), there, &mut found);
            let runs_into = found.iter().any(|meeting| meeting.to > 1.0 && meeting.from < distance.f())
                || (!nearer(start, there, touch) && contact::brushes(&here, way.unit() * distance.f(), there, touch));
            if runs_into && !met.contains(&friend) && !advance::is_passage(battle, unit, friend) {
                met.push(friend);
            }
        }
        here = track::moved(&here, way.unit(), distance);
    }
    met
}
