//! March columns follow roads (HZ-ADV-22): the front's middle goes along the middle of the road, the column stays straight behind it.

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::{Halt, Input, Refusal};
use sabretache_table::{Convex, Face, Length, OnTable, Outline, Placed, Point, Pose, Segment, nearer, overlapping};
use smallvec::SmallVec;

use super::course::Course;
use crate::battle::Battle;
use crate::clauses::{
    HZ_ADV_01, HZ_ADV_07, HZ_ADV_11, HZ_ADV_14, HZ_ADV_15, HZ_ADV_16, HZ_ADV_17, HZ_ADV_22, HZ_ROA_01, HZ_ROA_02,
};
use crate::event::Event;
use crate::phases::officers::flight;
use crate::phases::{Play, act, advance, ground, manoeuvre};
use crate::state::{Act, Acting, Finish, Moving};
use crate::table::track::{self, Track};
use crate::table::{Field, siege, zones};
use crate::terrain::{Kind, Sunk};
use crate::troops::{Arm, Formation, Order};

/// How far apart the places are at which a column on a road is looked at; what happens between two of them is then found exactly.
const STEP: Length = Length::mm(5);

/// The roads a march column is on, and the ways it can follow them.
pub(super) fn roads(field: &Field<'_>, unit: UnitId) -> SmallVec<[(u16, bool); 2]> {
    let battle = field.battle;
    let mut out = SmallVec::new();
    decides!(HZ_ROA_02);
    if battle.unit(unit).formation != Formation::MarchColumn {
        return out;
    }
    // A wall is followed like a road (HZ-FTW-14).
    out.extend(siege::walks(field, unit));
    let pose = battle.unit(unit).pose;
    let near = battle.lay.sizes.adjacent.f();
    for (n, road) in battle.lay.terrain.iter().enumerate() {
        if !matches!(road.kind, Kind::Road { .. } | Kind::Sunken { sort: Sunk::Road, .. }) {
            continue;
        }
        for leg in road.line.windows(2) {
            let segment = Segment::new(leg[0].v(), leg[1].v());
            if segment.distance(pose.at.v()) > near {
                continue;
            }
            let along = (segment.b - segment.a).unit().dot(pose.heading.unit());
            let forth = along > 0.0;
            if along.abs() >= libm::cos(f64::from(battle.numbers().along_road).to_radians()) - 1e-9
                && !out.contains(&(n as u16, forth))
            {
                out.push((n as u16, forth));
            }
        }
    }
    out
}

/// Where a column that starts here has its front after so much of a road, and the way it faces then; nothing where the road ends before.
#[must_use]
pub fn along(battle: &Battle, from: Point, road: u16, forth: bool, distance: Length) -> Option<Pose> {
    Course::new(battle, from, road, forth)?.at(distance)
}

/// The first place after one at which something does not hold and up to another at which it does, exactly.
fn first(before: Length, at: Length, holds: impl Fn(Length) -> bool) -> Length {
    let (mut before, mut at) = (before.to_um(), at.to_um());
    while at - before > 1 {
        let middle = before.midpoint(at);
        if holds(Length::um(middle)) { at = middle } else { before = middle }
    }
    Length::um(at)
}

/// How far along a road a column gets.
#[must_use]
pub fn road_track(field: &Field<'_>, unit: UnitId, road: u16, forth: bool, acting: &Acting) -> Option<Track> {
    let battle = field.battle;
    let sizes = &battle.lay.sizes;
    let from = battle.unit(unit).pose.at;
    let course = Course::new(battle, from, road, forth)?;
    let placed_at = |distance: Length| course.at(distance).map(|pose| battle.placed_at(unit, pose));
    let (limit, mut stop) = reach(field, unit, road, &course, acting);
    let here = field.get(unit)?;
    let far = limit.f() + deepest_zone(battle);
    let near: SmallVec<[(UnitId, &Placed); 8]> = field.enemies_meeting(unit, here.bounds().grown(far)).collect();
    let gap = |distance: Length, clear: f64| {
        placed_at(distance).is_some_and(|placed| {
            near.iter().any(|(_, enemy)| field.is_near(&placed, enemy, clear) && nearer(&placed, *enemy, clear))
        })
    };
    let began: SmallVec<[UnitId; 8]> =
        near.iter().map(|(enemy, _)| *enemy).filter(|&enemy| zones::began_in(field, enemy, unit)).collect();
    let mut there = Field::of(battle);
    let mut in_new_zone = |distance: Length| {
        let Some(placed) = placed_at(distance) else { return false };
        there.put(unit, placed);
        near.iter().any(|(enemy, _)| !began.contains(enemy) && zones::threatens(&there, *enemy, unit))
    };
    let (mut zone, mut contact, mut most) = (None, None, limit);
    // Where nobody is near there is nothing to meet.
    let mut before = if near.is_empty() { limit } else { Length::ZERO };
    while before < limit {
        let at = (before + STEP).min(limit);
        let (touches, enters) = (gap(at, sizes.touch.f()), in_new_zone(at));
        let touch = touches.then(|| first(before, at, |distance| gap(distance, sizes.touch.f())));
        let entry = enters.then(|| {
            let (mut low, mut high) = (before.to_um(), at.to_um());
            while high - low > 1 {
                let middle = low.midpoint(high);
                if in_new_zone(Length::um(middle)) { high = middle } else { low = middle }
            }
            Length::um(high)
        });
        if let Some(at) = entry.filter(|entry| touch.is_none_or(|touch| *entry < touch)) {
            // A stand depth further along the road, short of any enemy (HZ-ADV-07).
            let mut end = at;
            let wanted = zone_edge(field, unit, at, &near, &began, &placed_at) + battle.facts(unit).stand_depth;
            let is_open = |end: Length, next: Length| match (course.at(end), course.at(next)) {
                (Some(from), Some(to)) => ground::on_road(battle, unit, road, from.at, to.at).is_ok(),
                _ => false,
            };
            while end < wanted {
                let next = (end + Length::mm(1)).min(wanted);
                if gap(next, sizes.clear.f()) {
                    break;
                }
                if !is_open(end, next) {
                    end = first(end, next, |further| !is_open(end, further));
                    break;
                }
                end = next;
            }
            (zone, most, stop) = (Some((at, end)), end, (end, HZ_ADV_07));
            break;
        }
        if let Some(at) = touch {
            let (end, finish, clause) = meets(field, unit, &near, at, &placed_at, &gap);
            contact = finish.map(|finish| (at, finish));
            (most, stop) = (if finish.is_some() { at } else { end }, (end, clause));
            break;
        }
        before = at;
    }
    let mut closed = on_friends(field, unit, most, &placed_at);
    let stretches = track::stretches(&mut closed, track::least(battle), most, zone);
    (!stretches.is_empty()).then_some(Track { stretches, zone, contact, stop, off: None })
}

/// Where a column that has just touched a zone comes to the zone itself, a touch further on (HZ-ADV-07).
fn zone_edge(
    field: &Field<'_>,
    unit: UnitId,
    touches: Length,
    near: &[(UnitId, &Placed)],
    began: &[UnitId],
    placed_at: &impl Fn(Length) -> Option<Placed>,
) -> Length {
    let mut met = SmallVec::new();
    for (enemy, _) in near.iter().filter(|(enemy, _)| !began.contains(enemy)) {
        zones::stopping(field, *enemy, unit, &mut met);
    }
    let inside = |distance: Length| {
        placed_at(distance).is_some_and(|placed| met.iter().any(|one| nearer(&one.zone, &placed, 0.5)))
    };
    let last = touches + field.battle.lay.sizes.touch * 4;
    if inside(last) { first(touches, last, inside) } else { touches }
}

/// No zone is deeper than this.
fn deepest_zone(battle: &Battle) -> f64 {
    battle.lay.length(battle.numbers().zones.artillery.heavy).f() + battle.lay.sizes.band.f()
}

/// What comes of meeting an enemy on the road: contact with the front, a halt short of him where that is not allowed, or a brush with the flank
/// (HZ-ADV-11, HZ-ADV-14 to HZ-ADV-16). Where it then ends, how, and by what clause.
fn meets(
    field: &Field<'_>,
    unit: UnitId,
    near: &[(UnitId, &Placed)],
    at: Length,
    placed_at: &impl Fn(Length) -> Option<Placed>,
    gap: &impl Fn(Length, f64) -> bool,
) -> (Length, Option<Finish>, sabretache_engine::clause::Clause) {
    decides!(HZ_ADV_14, HZ_ADV_15, HZ_ADV_16);
    let battle = field.battle;
    let sizes = &battle.lay.sizes;
    let Some(placed) = placed_at(at) else { return (Length::ZERO, None, HZ_ADV_22) };
    let touched: SmallVec<[(UnitId, &Placed); 2]> =
        near.iter().filter(|(_, enemy)| nearer(&placed, *enemy, sizes.touch.f())).copied().collect();
    let front = Convex::segment(placed.face(Face::Front));
    // A corner that merely slides along the enemy is flank contact: going on would not run into him.
    let next = placed_at(at + STEP);
    let frontal = touched.iter().any(|(_, enemy)| {
        nearer(&front, *enemy, sizes.touch.f()) && next.as_ref().is_none_or(|next| overlapping(next, *enemy))
    });
    let back_to = |clear: f64| {
        let mut end = at;
        while end > Length::ZERO && gap(end, clear) {
            end = (end - Length::mm(1)).max(Length::ZERO);
        }
        end
    };
    if !frontal {
        let end = back_to(field.facts(unit).stand_depth.f());
        return (end, Some(Finish::Brushed), HZ_ADV_16);
    }
    let artillery = battle.facts(unit).arm == Arm::Artillery;
    if !artillery && touched.iter().all(|(enemy, _)| track::may_engage(field, unit, *enemy)) {
        return (at, Some(Finish::Contact), HZ_ADV_11);
    }
    (back_to(sizes.clear.f()), None, if artillery { HZ_ADV_15 } else { HZ_ADV_14 })
}

/// How far its movement and the table let a column go along a road: each step is paid for by the ground under the front.
fn reach(
    field: &Field<'_>,
    unit: UnitId,
    road: u16,
    course: &Course,
    acting: &Acting,
) -> (Length, (Length, sabretache_engine::clause::Clause)) {
    let battle = field.battle;
    let budget = advance::budget(field, unit, acting);
    let from = battle.unit(unit).pose.at;
    let front_at = |distance: Length| {
        if distance == Length::ZERO { Some(from) } else { course.at(distance).map(|pose| pose.at) }
    };
    let paid = |begin: Length, end: Length| match (front_at(begin), front_at(end)) {
        (Some(begin), Some(end)) => ground::on_road(battle, unit, road, begin, end),
        _ => Ok(1),
    };
    let table = &battle.lay.table;
    let off = |distance: Length| {
        course.at(distance).is_none_or(|pose| {
            // Only a column whose front is at the very edge can lie beyond it.
            let (at, close) = (pose.at, Length::mm(1));
            let well_inside = at.x > close && at.y > close && at.x < table.width - close && at.y < table.depth - close;
            !well_inside && (!table.holds(at) || table.on_table(&battle.placed_at(unit, pose)) == OnTable::Off)
        })
    };
    decides!(HZ_ROA_01);
    let (mut most, mut spent) = (Length::ZERO, Length::ZERO);
    while spent < budget {
        let cost = match paid(most, most + STEP) {
            Ok(cost) => cost,
            // Up to what the ground bars, as far as the movement lasts.
            Err(clause) => {
                let barred = first(most, most + STEP, |distance| paid(most, distance).is_err());
                let cost = paid(most, barred - Length::um(1)).unwrap_or(1);
                let left = budget - spent;
                let end = barred.min(most + left / cost);
                return if off(end) { (most, (most, HZ_ADV_22)) } else { (end, (end, clause)) };
            }
        };
        let left = budget - spent;
        let step = STEP.min(left / cost);
        if step <= Length::ZERO {
            break;
        }
        if off(most + step) {
            let end = first(most, most + step, off) - Length::um(1);
            return (end, (end, HZ_ADV_22));
        }
        most += step;
        spent += step * cost;
    }
    (most, (most, HZ_ADV_01))
}

/// The stretches of road on which the column would lie on a friend.
fn on_friends(
    field: &Field<'_>,
    unit: UnitId,
    most: Length,
    placed_at: &impl Fn(Length) -> Option<Placed>,
) -> SmallVec<[(Length, Length); 4]> {
    let mut closed = SmallVec::new();
    // The front comes no further from where it is than the road is long, and the column no further than its own length from its front.
    let Some(here) = field.get(unit) else { return closed };
    let bounds = here.bounds();
    let size = (bounds.max - bounds.min).length() + field.battle.lay.sizes.adjacent.f();
    if field.friends_meeting(unit, bounds.grown(most.f() + 2.0 * size)).next().is_none() {
        return closed;
    }
    let lies = |distance: Length| {
        placed_at(distance).is_some_and(|placed| {
            field.friends_meeting(unit, placed.bounds()).any(|(_, friend)| overlapping(&placed, friend))
        })
    };
    let mut entered = None;
    let mut before = Length::ZERO;
    while before < most {
        let at = (before + STEP).min(most);
        match (entered, lies(at)) {
            (None, true) => entered = Some(first(before, at, lies) - Length::um(1)),
            (Some(from), false) => {
                closed.push((from, first(before, at, |distance| !lies(distance))));
                entered = None;
            }
            _ => {}
        }
        before = at;
    }
    closed.extend(entered.map(|from| (from, most + STEP)));
    closed
}

/// How far along a road.
#[must_use]
pub fn input(battle: &Battle, unit: UnitId, road: u16, forth: bool, stretch: u8) -> Input {
    let Some(acting) = battle.doing.acting else { return Input::None };
    let Some(track) = road_track(&Field::of(battle), unit, road, forth, &acting) else { return Input::None };
    let Some(&(least, most)) = track.stretches.get(usize::from(stretch)) else { return Input::None };
    Input::Distance { least, most, stops: advance::stops(battle, unit, &acting, track.zone, track.stop) }
}

/// A column follows a road.
pub(crate) fn follow(
    play: &mut Play<'_>,
    unit: UnitId,
    road: u16,
    forth: bool,
    stretch: u8,
    distance: Length,
) -> Result<(), Halt> {
    let acting = act::require(play, unit, Order::Advance)?;
    let (on_road, track) = {
        let field = Field::of(play.battle());
        (roads(&field, unit).contains(&(road, forth)), road_track(&field, unit, road, forth, &acting))
    };
    let Some(track) = track.filter(|_| on_road) else {
        return Err(Refusal::new(HZ_ADV_22, "It is not on that road").into());
    };
    let legal = track.stretches.get(usize::from(stretch)).copied();
    let Some((least, most)) = legal.filter(|(least, most)| (*least..=*most).contains(&distance)) else {
        return Err(Refusal::new(track.stop.1, "It cannot stop there").into());
    };
    let (end, finish) = track.end(distance.clamp(least, most));
    act::begin(play, unit, Act::Road { road, forth }, end.to_um(), finish)
}

/// A column comes to its place on the road.
pub(crate) fn complete(play: &mut Play<'_>, moving: Moving) -> Result<(), Halt> {
    let unit = moving.unit;
    let pose = act::pose_at(play.battle(), &moving, moving.end);
    if pose != play.battle().unit(unit).pose {
        play.happen(Event::Moved { unit, pose, done: moving.end });
    }
    let trail = act::trail(play.battle(), &moving);
    let touched = friends_touched(play.battle(), &moving, &trail);
    advance::stagger_friends_by(play, unit, &touched, HZ_ADV_17);
    if play.battle().is_present(unit) {
        flight::run_over(play, unit, &trail);
        act::end_of_move(play, unit, moving.finish);
    }
    Ok(())
}

/// Friends that the column went through or ends touching (HZ-ADV-17); a friend that it touched at the start and has left behind does not count.
fn friends_touched(battle: &Battle, moving: &Moving, trail: &[Convex]) -> SmallVec<[UnitId; 4]> {
    decides!(HZ_ADV_17);
    let field = Field::of(battle);
    let touch = battle.lay.sizes.touch.f();
    let start = battle.placed_at(moving.unit, moving.from);
    let ends = manoeuvre::ends_touching(battle, moving.unit);
    field
        .friends(moving.unit)
        .filter(|(id, friend)| {
            let left_behind = nearer(&start, *friend, touch);
            ends.contains(id) || (!left_behind && trail.iter().any(|piece| nearer(piece, *friend, touch)))
        })
        .map(|(id, _)| id)
        .collect()
}
