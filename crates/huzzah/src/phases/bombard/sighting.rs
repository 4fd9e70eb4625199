//! Sighting the guns: a battery wheels to bring a target before it, and fires (HZ-BOM-23 to HZ-BOM-25, HZ-VAR-03).

use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::Input;
use sabretache_table::{Face, Placed, exact_distance};
use smallvec::SmallVec;

use super::{Target, lane, targets};
use crate::battle::Battle;
use crate::offer::Offer;
use crate::phases::manoeuvre;
use crate::table::swing::{self, Swing, Turn};
use crate::table::{Field, shape};

/// Angles are looked at every whole degree; where a run of them begins and ends is then found to the hundredth.
const STEP: i32 = 100;

/// One way to sight the guns: the wheel, and which of the runs of angles that bring the target before them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Swung {
    /// Which way the battery wheels.
    pub turn: Turn,
    /// The first run of angles, or a later one.
    pub run: u8,
}

/// The ways a battery may wheel: forward, and backward too where the older playsheet is used.
fn turns(battle: &Battle) -> SmallVec<[Turn; 4]> {
    let mut turns = SmallVec::new();
    for back in [false, true] {
        if !back || battle.lay.options.sight_backward {
            turns.extend([false, true].map(|right| Turn { right, back }));
        }
    }
    turns
}

/// A battery about to wheel one way: what it has ahead of it already, and how far it gets.
struct Wheel<'a> {
    field: &'a Field<'a>,
    battery: UnitId,
    placed: &'a Placed,
    ahead: SmallVec<[Target; 2]>,
    turn: Turn,
    swing: Swing,
    angles: SmallVec<[i32; 48]>,
}

impl<'a> Wheel<'a> {
    /// Nothing where it has sighted its guns already, or where none of these targets is anywhere on that side.
    fn new(field: &'a Field<'a>, battery: UnitId, turn: Turn, of: Option<UnitId>) -> Option<Self> {
        let battle = field.battle;
        let placed = field.get(battery)?;
        let most = battle.numbers().sighting;
        let wanted = |(unit, there): (UnitId, &Placed)| {
            of.is_none_or(|of| of == unit) && within_swing(battle, battery, placed, there, turn.right, most)
        };
        if battle.unit(battery).sighted || !field.enemies(battery).any(wanted) {
            return None;
        }
        let swing = swing::swing(field, battery, turn, most, true);
        let furthest = swing.stretches.last().map_or(0, |last| last.1);
        let mut angles: SmallVec<[i32; 48]> = (1..).map(|n| n * STEP).take_while(|&angle| angle <= furthest).collect();
        angles.extend(swing.stretches.iter().flat_map(|&(least, most)| [least, most]));
        angles.extend(swing.zone.map(|(at, _)| at - 1));
        angles.sort_unstable();
        angles.dedup();
        Some(Self { field, battery, placed, ahead: targets(field, battery), turn, swing, angles })
    }

    /// Whether the target is one that the wheel could be made for: not straight ahead already, and somewhere on that side.
    fn is_for(&self, unit: UnitId, there: &Placed) -> bool {
        let battle = self.field.battle;
        !self.ahead.iter().any(|found| found.unit == unit)
            && within_swing(battle, self.battery, self.placed, there, self.turn.right, battle.numbers().sighting)
    }

    /// Whether the wheel may end here with the target the nearest legitimate one ahead.
    fn is_legal(&self, swung: &mut Field<'_>, unit: UnitId, there: &Placed, angle: i32) -> bool {
        // Between the edge of a zone and the place inside nobody stops (HZ-MAN-07).
        if angle < 1 || !self.swing.allows(angle) || self.swing.end(angle) != angle {
            return false;
        }
        let battle = self.field.battle;
        let at = battle.placed_at(self.battery, swing::wheeled(self.placed, self.turn, angle));
        if lane(battle, self.battery, &at).nearest(there).is_none() {
            return false;
        }
        swung.put(self.battery, at);
        targets(swung, self.battery).iter().any(|found| found.unit == unit)
    }

    /// The runs of angles that bring a target before the guns.
    fn runs(&self, swung: &mut Field<'_>, unit: UnitId) -> SmallVec<[(i32, i32); 2]> {
        let mut runs: SmallVec<[(i32, i32); 2]> = SmallVec::new();
        let Some(there) = self.field.get(unit).filter(|there| self.is_for(unit, there)) else { return runs };
        // The change lies between two angles: the last before it and the first after it.
        let change = |swung: &mut Field<'_>, mut before: i32, mut after: i32, legal_after: bool| {
            while after - before > 1 {
                let middle = before.midpoint(after);
                if self.is_legal(swung, unit, there, middle) == legal_after { after = middle } else { before = middle }
            }
            (before, after)
        };
        let (mut before, mut open) = (0, None);
        for &angle in &self.angles {
            match (open, self.is_legal(swung, unit, there, angle)) {
                (None, true) => open = Some(change(swung, before, angle, true).1),
                (Some(from), false) => {
                    runs.push((from, change(swung, before, angle, false).0));
                    open = None;
                }
                _ => {}
            }
            before = angle;
        }
        runs.extend(open.map(|from| (from, before)));
        runs
    }
}

/// The runs of angles, in hundredths of a degree, through which a battery can wheel to have a target as its nearest legitimate one.
#[must_use]
pub fn runs(field: &Field<'_>, battery: UnitId, unit: UnitId, turn: Turn) -> SmallVec<[(i32, i32); 2]> {
    let wheel = Wheel::new(field, battery, turn, Some(unit));
    wheel.map_or_else(SmallVec::new, |wheel| wheel.runs(&mut Field::like(field), unit))
}

/// A quick look: is any corner of the target within range and within the angle on that side?
fn within_swing(battle: &Battle, battery: UnitId, placed: &Placed, there: &Placed, right: bool, most: u16) -> bool {
    let extreme = battle.lay.length(battle.numbers().ranges.of(battle.facts(battery).guns).extreme).f();
    if exact_distance(placed, there) > extreme {
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
    turns(field.battle).into_iter().any(|turn| {
        let Some(wheel) = Wheel::new(field, battery, turn, None) else { return false };
        let mut swung = Field::like(field);
        field
            .enemies(battery)
            .filter(|(unit, there)| wheel.is_for(*unit, there))
            .any(|(unit, there)| wheel.angles.iter().any(|&angle| wheel.is_legal(&mut swung, unit, there, angle)))
    })
}

/// The sightings open to a battery, target by target.
pub(super) fn offers(field: &Field<'_>, battery: UnitId, out: &mut Vec<Offer>) {
    let wheels: SmallVec<[Wheel<'_>; 4]> =
        turns(field.battle).into_iter().filter_map(|turn| Wheel::new(field, battery, turn, None)).collect();
    if wheels.is_empty() {
        return;
    }
    let mut swung = Field::like(field);
    for (unit, _) in field.enemies(battery) {
        for wheel in &wheels {
            let Turn { right, back } = wheel.turn;
            for run in 0..wheel.runs(&mut swung, unit).len().min(255) as u8 {
                out.push(Offer::Sight { battery, target: unit, right, back, run });
            }
        }
    }
}

/// Through what angle the guns may be swung.
#[must_use]
pub fn input(battle: &Battle, battery: UnitId, unit: UnitId, swung: Swung) -> Input {
    match runs(&Field::of(battle), battery, unit, swung.turn).get(usize::from(swung.run)) {
        Some(&(least, most)) => manoeuvre::angles(swung.turn.right, least, most),
        None => Input::None,
    }
}
