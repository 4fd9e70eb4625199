//! Sighting the guns: a battery wheels to bring a target before it, and fires (HZ-BOM-23 to HZ-BOM-25, HZ-VAR-03).

use std::sync::OnceLock;

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::Input;
use sabretache_table::{Bounds, Face, Outline, Placed, Vec2, nearer};
use smallvec::SmallVec;

use super::hidden::Hidden;
use super::{Target, hedges, is_again, looked, may_fire, target, targets};
use crate::battle::Battle;
use crate::clauses::{HZ_BOM_23, HZ_BOM_24, HZ_BOM_25, HZ_VAR_03};
use crate::phases::manoeuvre;
use crate::table::swing::{self, Swing, Turn};
use crate::table::{Field, contact, shape};

/// Angles are looked at every whole degree; where a run of them begins and ends is then found to the hundredth.
const STEP: i32 = 100;

/// One way to sight the guns: the wheel, and which of the runs of angles that bring the target before them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Swung {
    /// Which way the battery wheels.
    pub turn: Turn,
    /// It fires through the hedge it stands at then (HZ-HED-08).
    pub through: bool,
    /// The first run of angles, or a later one.
    pub run: u8,
}

/// The ways a battery may wheel: forward, and backward too where the older playsheet is used.
fn turns(battle: &Battle) -> SmallVec<[Turn; 4]> {
    decides!(HZ_BOM_25);
    let mut turns = SmallVec::new();
    for back in [false, true] {
        decides!(HZ_VAR_03);
        if !back || battle.lay.options.sight_backward {
            turns.extend([false, true].map(|right| Turn { right, back }));
        }
    }
    turns
}

/// Straight ahead, and through the hedge that the guns stand at once they have wheeled (HZ-HED-08).
const BOTH_WAYS: [bool; 2] = [false, true];

/// The nearest legitimate targets straight ahead, or through the hedge.
pub(super) fn before(field: &Field<'_>, battery: UnitId, through: bool) -> SmallVec<[Target; 2]> {
    if through { hedges::targets(field, battery) } else { targets(field, battery) }
}

/// Whether a unit is a legitimate target straight ahead, or through the hedge.
fn is_target(field: &Field<'_>, battery: UnitId, unit: UnitId, through: bool) -> bool {
    if through { hedges::target(field, battery, unit).is_some() } else { target(field, battery, unit).is_some() }
}

/// A battery about to wheel one way: how far it gets, and whom it could bring before its guns on the way.
struct Wheel<'a> {
    field: &'a Field<'a>,
    battery: UnitId,
    placed: &'a Placed,
    turn: Turn,
    through: bool,
    swing: Swing,
    angles: SmallVec<[i32; 48]>,
    /// The enemies it could be made for, each with the angles between which it can be before the guns at all.
    wanted: SmallVec<[(UnitId, (i32, i32)); 8]>,
}

impl<'a> Wheel<'a> {
    /// Nothing where it has sighted its guns already, or where none of these targets is anywhere on that side.
    fn new(field: &'a Field<'a>, battery: UnitId, turn: Turn, through: bool) -> Option<Self> {
        let battle = field.battle;
        let placed = field.get(battery)?;
        let most = battle.numbers().sighting;
        decides!(HZ_BOM_23, HZ_BOM_24);
        if battle.unit(battery).sighted || (through && !hedges::are_near(battle, placed)) {
            return None;
        }
        let span = |(unit, there): (UnitId, &Placed)| {
            let span = span(battle, battery, placed, turn, there)?;
            within_swing(battle, battery, placed, there, turn.right, most).then_some((unit, span))
        };
        let mut wanted: SmallVec<[_; 8]> = field.enemies(battery).filter_map(span).collect();
        wanted.retain(|(unit, _)| !is_again(battle, battery, *unit) && !contact::is_engaged(field, *unit));
        // A unit that is straight ahead already needs no wheel.
        if !wanted.is_empty() {
            let mut ahead = targets(field, battery);
            if through {
                ahead.extend(hedges::targets(field, battery));
            }
            wanted.retain(|(unit, _)| !ahead.iter().any(|found| found.unit == *unit));
        }
        let hidden = Hidden::new(field, battery, placed, turn);
        wanted.retain(|(unit, _)| !hidden.always(*unit));
        if wanted.is_empty() {
            return None;
        }
        let swing = swing::swing(field, battery, turn, most, swing::Zones::Stop);
        let furthest = swing.stretches.last().map_or(0, |last| last.1);
        let mut angles: SmallVec<[i32; 48]> = (1..).map(|n| n * STEP).take_while(|&angle| angle <= furthest).collect();
        angles.extend(swing.stretches.iter().flat_map(|&(least, most)| [least, most]));
        angles.extend(swing.zone.map(|(at, _)| at - 1));
        angles.sort_unstable();
        angles.dedup();
        Some(Self { field, battery, placed, turn, through, swing, angles, wanted })
    }

    /// The nearest legitimate targets where the wheel ends here; none where it may not.
    fn found(&self, swung: &mut Field<'_>, angle: i32) -> SmallVec<[Target; 2]> {
        if self.put(swung, angle) { before(swung, self.battery, self.through) } else { SmallVec::new() }
    }

    /// Puts the battery where the wheel ends, if it may end there.
    fn put(&self, swung: &mut Field<'_>, angle: i32) -> bool {
        // Between the edge of a zone and the place inside nobody stops (HZ-MAN-07).
        if angle < 1 || !self.swing.allows(angle) || self.swing.end(angle) != angle {
            return false;
        }
        let at = self.field.battle.placed_at(self.battery, swing::wheeled(self.placed, self.turn, angle));
        swung.put(self.battery, at);
        true
    }

    /// Whether any wheel brings a target before guns that have none: which of several would be nearest does not matter.
    fn is_any(&self, swung: &mut Field<'_>) -> bool {
        self.angles.iter().any(|&angle| {
            let mut close = self.wanted.iter().filter(|(_, (from, to))| *from <= angle && angle <= *to).peekable();
            close.peek().is_some()
                && self.put(swung, angle)
                && close.any(|(unit, _)| is_target(swung, self.battery, *unit, self.through))
        })
    }

    /// The runs of angles that bring each target before the guns, as far as whole degrees tell.
    fn runs(&self, swung: &mut Field<'_>) -> SmallVec<[(UnitId, Runs); 4]> {
        let seen: SmallVec<[(i32, SmallVec<[Target; 2]>); 48]> = self
            .angles
            .iter()
            .map(|&angle| {
                let close = self.wanted.iter().any(|(_, (from, to))| *from <= angle && angle <= *to);
                (angle, if close { self.found(swung, angle) } else { SmallVec::new() })
            })
            .collect();
        let mut out = SmallVec::new();
        for &(unit, _) in &self.wanted {
            let mut runs = Runs::new();
            let mut before = 0;
            let mut open = false;
            for (angle, found) in &seen {
                let legal = is_for(found, unit);
                match runs.last_mut().filter(|_| open) {
                    Some(run) if legal => run.last = *angle,
                    Some(run) => run.after = Some(*angle),
                    None if legal => {
                        runs.push(Run { before, first: *angle, last: *angle, after: None, exactly: OnceLock::new() });
                    }
                    None => {}
                }
                (before, open) = (*angle, legal);
            }
            if !runs.is_empty() {
                out.push((unit, runs));
            }
        }
        out
    }

    /// Where a run begins and ends, to the hundredth of a degree.
    fn exactly(&self, unit: UnitId, run: &Run) -> (i32, i32) {
        let mut swung = Field::like(self.field);
        // The change lies between two angles: the last before it and the first after it.
        let mut change = |mut before: i32, mut after: i32, legal_after: bool| {
            while after - before > 1 {
                let middle = before.midpoint(after);
                let legal = is_for(&self.found(&mut swung, middle), unit);
                if legal == legal_after { after = middle } else { before = middle }
            }
            (before, after)
        };
        let from = change(run.before, run.first, true).1;
        (from, run.after.map_or(run.last, |after| change(run.last, after, false).0))
    }
}

fn is_for(found: &[Target], unit: UnitId) -> bool {
    found.iter().any(|found| found.unit == unit)
}

/// A run of angles, in hundredths of a degree, that bring a target before the guns, as far as it has been looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Run {
    /// The last angle before it.
    before: i32,
    /// The first and the last in it.
    first: i32,
    last: i32,
    /// The first after it; nothing where it goes on to the end of the wheel.
    after: Option<i32>,
    /// Where it begins and ends to the hundredth, once somebody has asked.
    exactly: OnceLock<(i32, i32)>,
}

type Runs = SmallVec<[Run; 2]>;

/// The angles of a wheel between which a unit can be before the guns at all: seen from the pivot, the lane covers a strip as wide as the
/// battery, so the unit's corners and its distance tell when the strip can meet it. Generous, since the box round it is taken.
fn span(battle: &Battle, battery: UnitId, placed: &Placed, turn: Turn, there: &Placed) -> Option<(i32, i32)> {
    let pivot = swing::pivot(placed, turn);
    let near = battle.lay.sizes.touch.f() + 10.0;
    let width = placed.face(Face::Front).length() + near;
    let extreme = battle.lay.length(battle.numbers().ranges.of(battle.facts(battery).guns).extreme).f();
    let bounds = there.bounds();
    let distance = libm::sqrt(bounds.distance2(&Bounds::of(&[pivot])));
    if distance > extreme + width {
        return None;
    }
    let side = if turn.right { 1.0 } else { -1.0 };
    let (ahead, across) = (placed.forward(), placed.forward().right() * side);
    let bearing = |corner: Vec2| {
        let from = corner - pivot;
        libm::atan2(from.dot(across), from.dot(ahead))
    };
    let (low, high) = (bounds.min, bounds.max);
    let first = bearing(low);
    let (mut least, mut most) = (first, first);
    for corner in [Vec2::new(high.x, low.y), high, Vec2::new(low.x, high.y)] {
        // Round the back the angle goes on rather than leaping from one end of its scale to the other.
        let turned = bearing(corner);
        let turned = turned - core::f64::consts::TAU * libm::round((turned - first) / core::f64::consts::TAU);
        (least, most) = (least.min(turned), most.max(turned));
    }
    let lean = |off: f64| libm::asin((off / distance.max(1.0)).min(1.0));
    // The strip lies on the inner side of the pivot in a wheel forward, on the outer in a wheel backward.
    let (before, after) = if turn.back { (lean(width), lean(near)) } else { (lean(near), lean(width)) };
    let hundredths = |radians: f64| radians.to_degrees() * 100.0;
    let from = libm::floor(hundredths(least - before)) as i32 - 1;
    let to = libm::ceil(hundredths(most + after)) as i32 + 1;
    let holds_pivot = distance < near;
    let limit = i32::from(battle.numbers().sighting) * 100;
    if holds_pivot { Some((0, limit)) } else { (from <= limit && to >= 1).then_some((from, to)) }
}

/// What a wheel of a battery can bring before its guns.
#[derive(Clone, Debug, PartialEq)]
pub struct Sighting {
    turn: Turn,
    through: bool,
    target: UnitId,
    runs: Runs,
}

/// All sightings open to a battery as the battle stands.
fn sightings(battle: &Battle, battery: UnitId) -> &[Sighting] {
    battle.sightings.get(battery.index(), || {
        let field = Field::of(battle);
        let mut swung = Field::like(&field);
        let mut all = Vec::new();
        if !may_fire(&field, battery) {
            return (looked(battle, battery), all);
        }
        for (turn, through) in
            BOTH_WAYS.into_iter().flat_map(|way| turns(battle).into_iter().map(move |turn| (turn, way)))
        {
            let found = Wheel::new(&field, battery, turn, through).map(|wheel| wheel.runs(&mut swung));
            let found = found.into_iter().flatten();
            all.extend(found.map(|(target, runs)| Sighting { turn, through, target, runs }));
        }
        (looked(battle, battery), all)
    })
}

/// The angles, in hundredths of a degree, through which a battery can wheel in one of its ways to have a target as its nearest legitimate one.
#[must_use]
pub fn run(battle: &Battle, battery: UnitId, unit: UnitId, swung: Swung) -> Option<(i32, i32)> {
    let wanted = |one: &&Sighting| one.target == unit && one.turn == swung.turn;
    let found = sightings(battle, battery).iter().filter(wanted).find(|one| one.through == swung.through)?;
    let run = found.runs.get(usize::from(swung.run))?;
    if let Some(known) = run.exactly.get() {
        return Some(*known);
    }
    let field = Field::of(battle);
    let exactly = Wheel::new(&field, battery, swung.turn, swung.through)?.exactly(unit, run);
    Some(*run.exactly.get_or_init(|| exactly))
}

/// A quick look: is any corner of the target within range and within the angle on that side?
fn within_swing(battle: &Battle, battery: UnitId, placed: &Placed, there: &Placed, right: bool, most: u16) -> bool {
    let extreme = battle.lay.length(battle.numbers().ranges.of(battle.facts(battery).guns).extreme).f();
    if !nearer(placed, there, extreme) {
        return false;
    }
    let (ahead, side) = (placed.forward(), placed.forward().right());
    let middle = placed.pose().at.v();
    let half = placed.face(Face::Front).length();
    shape::corners(there).iter().any(|&corner| {
        let from = corner - middle;
        let (out, across) = (from.dot(ahead), from.dot(side) * if right { 1.0 } else { -1.0 });
        let slack = half * 1.5;
        across > -slack && out > -slack && across <= out * libm::tan(f64::from(most).to_radians()) + 3.0 * slack
    })
}

/// Whether the battery could bring any target before it at all.
pub(super) fn is_any(field: &Field<'_>, battery: UnitId) -> bool {
    let any = |turn: Turn, through: bool| {
        Wheel::new(field, battery, turn, through).is_some_and(|wheel| wheel.is_any(&mut Field::like(field)))
    };
    BOTH_WAYS.into_iter().any(|through| turns(field.battle).into_iter().any(|turn| any(turn, through)))
}

/// The sightings open to a battery, target by target.
pub(super) fn open(battle: &Battle, battery: UnitId) -> impl Iterator<Item = (UnitId, Swung)> + '_ {
    let mut own: SmallVec<[&Sighting; 8]> = sightings(battle, battery).iter().collect();
    own.sort_by_key(|one| one.target);
    own.into_iter().flat_map(|one| {
        let runs = 0..one.runs.len().min(255) as u8;
        runs.map(|run| (one.target, Swung { turn: one.turn, through: one.through, run }))
    })
}

/// The angle nearest to one of a run at which the target is before the guns. Runs are told by whole degrees: between two of them somebody may
/// come in between for a moment, and what was offered is not refused for that.
pub(super) fn nearest_legal(battle: &Battle, battery: UnitId, unit: UnitId, swung: Swung, wanted: i32) -> Option<i32> {
    let (least, most) = run(battle, battery, unit, swung)?;
    let field = Field::of(battle);
    let wheel = Wheel::new(&field, battery, swung.turn, swung.through)?;
    let mut tried = Field::of(battle);
    let near = (0..=most - least).flat_map(|by| [wanted + by, wanted - by]);
    near.filter(|angle| (least..=most).contains(angle)).find(|&angle| is_for(&wheel.found(&mut tried, angle), unit))
}

/// Through what angle the guns may be swung.
#[must_use]
pub(super) fn input(battle: &Battle, battery: UnitId, unit: UnitId, swung: Swung) -> Input {
    let run = run(battle, battery, unit, swung);
    run.map_or(Input::None, |(least, most)| manoeuvre::angles(swung.turn.right, least, most))
}
