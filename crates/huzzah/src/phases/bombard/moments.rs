//! The moments of a move at which the other side is asked whether it fires (HZ-BOM-20): where, for some battery, the mover becomes or
//! ceases to be a legitimate target or comes into another range; just before contact; and where the other side asked to be asked.
//!
//! Along a straight move the places where a unit comes out from behind another, or into or out of a lane or range, are found by geometry; along
//! a wheel or a road, and where the ground has a say, the move is looked at in small steps. Between two looks that differ, halving
//! the way finds the place to the micrometre or to the hundredth of a degree.

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::{Halt, Input, Refusal};
use sabretache_table::{Face, Length, OnTable, Outline, Placed, Vec2, Zone, meetings, nearer};
use smallvec::SmallVec;

use super::{any_target_on, batteries, close, hedges, is_able, is_again, lane, target};
use crate::battle::Battle;
use crate::clauses::HZ_BOM_20;
use crate::event::Event;
use crate::phases::{Play, act};
use crate::state::{Act, Finish, Moving, Stage};
use crate::table::{Field, shape, track};
use crate::troops::RangeBand;

/// Whether the act leads along a path on which the unit can be caught.
pub(crate) const fn has_path(act: Act) -> bool {
    matches!(act, Act::Straight { .. } | Act::Road { .. } | Act::Wheel { .. })
}

/// The next point of a move at which the other side is asked; nothing where it comes to its end first.
#[must_use]
pub fn next(battle: &Battle, moving: &Moving) -> Option<i32> {
    if !has_path(moving.act) || !battle.unit_ids().any(|id| is_able(battle, id)) {
        return None;
    }
    decides!(HZ_BOM_20);
    let mut field = Field::of(battle);
    let path = Path { battle, moving };
    let contact = path.before_contact();
    // From there on it is as good as engaged; and beyond the edge of the table nobody fires.
    let end = contact.map_or(moving.end, |contact| contact + 1).min(path.leaves());
    let mut after = moving.done;
    while after < end {
        let able: SmallVec<[UnitId; 4]> = batteries(&field).collect();
        let asked = Some(moving.ask).filter(|&at| at > after && at < end);
        let mut at = [asked, contact.filter(|&at| at > after)].into_iter().flatten().min();
        for battery in able {
            let until = at.unwrap_or(end);
            at = path.change(&mut field, battery, after, until).or(at);
        }
        after = at?;
        field.put(moving.unit, path.placed(after));
        if any_target_on(&field) {
            return Some(after);
        }
    }
    None
}

/// A move being looked at.
struct Path<'a> {
    battle: &'a Battle,
    moving: &'a Moving,
}

impl Path<'_> {
    fn placed(&self, at: i32) -> Placed {
        self.battle.placed_at(self.moving.unit, act::pose_at(self.battle, self.moving, at))
    }

    /// Where a retirement that goes off the table leaves it; its end where it does not.
    fn leaves(&self) -> i32 {
        let (mut on, mut off) = (0, self.moving.end);
        if self.moving.finish != Finish::Off {
            return off;
        }
        while off - on > 1 {
            let middle = on.midpoint(off);
            let wholly = self.battle.lay.table.on_table(&self.placed(middle)) == OnTable::Wholly;
            if wholly { on = middle } else { off = middle }
        }
        off
    }

    /// The last chance before it touches the enemy: just out of contact. Nothing where it does not come to that.
    fn before_contact(&self) -> Option<i32> {
        let (battle, unit, end) = (self.battle, self.moving.unit, self.moving.end);
        if self.moving.finish != Finish::Contact {
            return None;
        }
        let (touch, clear) = (battle.lay.sizes.touch.f(), battle.lay.sizes.clear.f());
        let field = Field::of(battle);
        let there = self.placed(end);
        let close_to = |at: i32, enemy: &Placed| nearer(&self.placed(at), enemy, clear);
        field
            .enemies_meeting(unit, there.bounds().grown(touch))
            .filter(|(_, enemy)| nearer(&there, *enemy, touch))
            .map(|(_, enemy)| {
                if close_to(0, enemy) {
                    return 0;
                }
                let (mut before, mut at) = (0, end);
                while at - before > 1 {
                    let middle = before.midpoint(at);
                    if close_to(middle, enemy) { at = middle } else { before = middle }
                }
                at
            })
            .min()
    }

    /// The first point after one, and before another, at which what the mover is to a battery changes: where it becomes a target or comes into
    /// another range, or the last point at which it still is one.
    fn change(&self, field: &mut Field<'_>, battery: UnitId, after: i32, until: i32) -> Option<i32> {
        let unit = self.moving.unit;
        if is_again(self.battle, battery, unit) {
            return None;
        }
        let looks = self.looks(field, battery, after)?;
        let mut status = |at: i32| {
            field.put(unit, self.placed(at));
            target(field, battery, unit).or_else(|| hedges::target(field, battery, unit)).map(|found| found.range)
        };
        let mut before = after;
        let mut was = status(before);
        for at in looks {
            if before >= until {
                break;
            }
            let mut now = status(at);
            while now != was {
                let first = first_other(before, at, was, &mut status);
                let then = status(first);
                // A place found within the tolerance of a range is put right on its edge.
                let found = match then {
                    Some(_) if was.is_some() && first < at && status(first + 1) == then => first + 1,
                    Some(_) => first,
                    None => first - 1,
                };
                if found > after && found < until {
                    return Some(found);
                }
                (before, was) = (first, then);
                now = status(at);
            }
            before = at;
        }
        None
    }

    /// Where to look along the rest of the way: in each part between two places at which something could change, and at its end. Nothing where
    /// the move never comes near the battery's lane.
    fn looks(&self, field: &Field<'_>, battery: UnitId, after: i32) -> Option<SmallVec<[i32; 32]>> {
        let (battle, end) = (self.battle, self.moving.end);
        let placed = field.get(battery)?;
        let mut looks: SmallVec<[i32; 32]> = SmallVec::new();
        let Act::Straight { way } = self.moving.act else {
            let step = if matches!(self.moving.act, Act::Wheel { .. }) { 100 } else { 5_000 };
            looks.extend((1..).map(|n| after + n * step).take_while(|&at| at < end));
            looks.push(end);
            let lane = lane(battle, battery, placed);
            let near = looks.iter().chain([&after]).any(|&at| lane.nearest(&self.placed(at)).is_some());
            return near.then_some(looks);
        };
        let along = track::heading(self.moving.from, way).unit();
        let start = battle.placed_at(self.moving.unit, self.moving.from);
        let mut places: SmallVec<[f64; 64]> = SmallVec::new();
        let ends = battle.numbers().ranges.of(battle.facts(battery).guns);
        let edge = shape::lengthened(placed.face(Face::Front), battle.lay.sizes.touch.f());
        let mut found = SmallVec::new();
        for range in [ends.short, ends.long, ends.extreme] {
            let zone = Zone::from_face(edge, placed.forward(), battle.lay.length(range)).outline();
            meetings(&start, along, f64::from(end), &zone, &mut found);
            places.extend(found.iter().flat_map(|meeting| [meeting.from, meeting.to]));
        }
        if places.is_empty() {
            return None;
        }
        comes_out(field, self.moving.unit, battery, &start, along, f64::from(end), &mut places);
        if !battle.lay.terrain.is_empty() {
            let step = battle.lay.sizes.band.f() / 5.0;
            places.extend((1..).map(|n| f64::from(n) * step).take_while(|&at| at < f64::from(end)));
        }
        places.retain(|&mut at| at > f64::from(after) && at < f64::from(end));
        places.extend([f64::from(after), f64::from(end)]);
        places.sort_by(f64::total_cmp);
        looks.extend(
            places.windows(2).filter(|pair| pair[1] - pair[0] > 2.0).map(|pair| pair[0].midpoint(pair[1]) as i32),
        );
        looks.push(end);
        looks.retain(|at| *at > after);
        looks.dedup();
        Some(looks)
    }
}

/// The first point at which the status is no longer what it was; the two ends differ.
fn first_other(before: i32, at: i32, was: Option<RangeBand>, status: &mut impl FnMut(i32) -> Option<RangeBand>) -> i32 {
    let (mut before, mut at) = (before, at);
    while at - before > 1 {
        let middle = before.midpoint(at);
        if status(middle) == was { before = middle } else { at = middle }
    }
    at
}

/// The places at which a mover comes out from behind another unit or goes behind it: there an end of the battery's front, a corner of
/// the unit between and a corner of the mover are in one line.
fn comes_out(
    field: &Field<'_>,
    mover: UnitId,
    battery: UnitId,
    start: &Placed,
    along: Vec2,
    end: f64,
    places: &mut SmallVec<[f64; 64]>,
) {
    let Some(placed) = field.get(battery) else { return };
    let front = placed.face(Face::Front);
    let whole = shape::drawn_out(start, along * end);
    let seen = [front.a, front.b].into_iter().fold(whole.bounds(), |bounds, end| bounds.with(end));
    for (_, other) in field.meeting(seen).filter(|(id, _)| *id != mover && *id != battery) {
        for from in [front.a, front.b] {
            for corner in shape::corners(other) {
                let line = corner - from;
                let closing = line.cross(along);
                if closing.abs() < 1e-9 {
                    continue;
                }
                // start + along * s lies on the line from the front through the corner.
                places.extend(shape::corners(start).iter().map(|&own| -line.cross(own - from) / closing));
            }
        }
    }
}

// ------------------------------------------------------------------ asking to be asked

/// The least it must come on before the other side is asked again, in the measure of the move.
fn least(battle: &Battle, moving: &Moving) -> i32 {
    match moving.act {
        Act::Wheel { .. } => 100,
        _ => battle.lay.sizes.clear.to_um(),
    }
}

/// Whether the other side may name a point further along the move in hand.
pub(super) fn may_wait(battle: &Battle) -> bool {
    battle.stage == Stage::Interrupt
        && battle
            .doing
            .moving
            .is_some_and(|moving| has_path(moving.act) && moving.end - moving.done > 2 * least(battle, &moving) + 100)
}

/// How far it is let come on: a distance along its path, or whole degrees of its wheel.
#[must_use]
pub(super) fn input(battle: &Battle) -> Input {
    decides!(HZ_BOM_20);
    let Some(moving) = battle.doing.moving.filter(|_| may_wait(battle)) else { return Input::None };
    let (from, to) = (moving.done + least(battle, &moving), moving.end - 1);
    if matches!(moving.act, Act::Wheel { .. }) {
        return Input::Number { least: from.div_euclid(100) + 1, most: to.div_euclid(100) };
    }
    Input::Distance { least: Length::um(from), most: Length::um(to), stops: Vec::new() }
}

/// The other side lets the mover come on so far and wants to be asked again.
pub(crate) fn wait(play: &mut Play<'_>, distance: Option<Length>, degrees: Option<i32>) -> Result<(), Halt> {
    let Some(moving) = play.battle().doing.moving.filter(|_| may_wait(play.battle())) else {
        return Err(Refusal::new(HZ_BOM_20, "Nobody is on the move").into());
    };
    let at = distance.map(Length::to_um).or(degrees.map(|degrees| degrees.saturating_mul(100))).unwrap_or(moving.end);
    play.happen(Event::Awaits { unit: moving.unit, at });
    close(play)
}
