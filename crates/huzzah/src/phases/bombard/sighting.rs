//! Sighting the guns: a battery wheels to bring a target before it, and fires (HZ-BOM-23 to HZ-BOM-25, HZ-VAR-03).

use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::Input;
use sabretache_table::{Face, Placed, exact_distance};
use smallvec::SmallVec;

use super::{lane, targets};
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

/// What a wheel of this battery to that target needs to be judged.
struct Look<'a> {
    field: &'a Field<'a>,
    battery: UnitId,
    placed: &'a Placed,
    unit: UnitId,
    there: &'a Placed,
    turn: Turn,
    swing: Swing,
}

impl<'a> Look<'a> {
    fn new(field: &'a Field<'a>, battery: UnitId, unit: UnitId, turn: Turn) -> Option<Self> {
        let battle = field.battle;
        let (placed, there) = (field.get(battery)?, field.get(unit)?);
        let most = battle.numbers().sighting;
        if battle.unit(battery).sighted || !within_swing(battle, battery, placed, there, turn.right, most) {
            return None;
        }
        let swing = swing::swing(field, battery, turn, most, true);
        Some(Self { field, battery, placed, unit, there, turn, swing })
    }

    /// Whether the wheel may end here with the target the nearest legitimate one ahead.
    fn is_legal(&self, swung: &mut Field<'_>, angle: i32) -> bool {
        // Between the edge of a zone and the place inside nobody stops (HZ-MAN-07).
        if angle < 1 || !self.swing.allows(angle) || self.swing.end(angle) != angle {
            return false;
        }
        let battle = self.field.battle;
        let at = battle.placed_at(self.battery, swing::wheeled(self.placed, self.turn, angle));
        if lane(battle, self.battery, &at).nearest(self.there).is_none() {
            return false;
        }
        swung.put(self.battery, at);
        targets(swung, self.battery).iter().any(|found| found.unit == self.unit)
    }

    /// The angles worth looking at, in order.
    fn samples(&self) -> SmallVec<[i32; 48]> {
        let most = self.swing.stretches.last().map_or(0, |last| last.1);
        let mut angles: SmallVec<[i32; 48]> = (1..).map(|n| n * STEP).take_while(|&angle| angle <= most).collect();
        angles.extend(self.swing.stretches.iter().flat_map(|&(least, most)| [least, most]));
        if let Some((at, _)) = self.swing.zone {
            angles.push(at - 1);
        }
        angles.sort_unstable();
        angles.dedup();
        angles
    }
}

/// The runs of angles, in hundredths of a degree, through which a battery can wheel to have a target as its nearest legitimate one.
#[must_use]
pub fn runs(field: &Field<'_>, battery: UnitId, unit: UnitId, turn: Turn) -> SmallVec<[(i32, i32); 2]> {
    let mut runs: SmallVec<[(i32, i32); 2]> = SmallVec::new();
    if target_ahead(field, battery, unit) {
        return runs;
    }
    let Some(look) = Look::new(field, battery, unit, turn) else { return runs };
    let mut swung = Field::like(field);
    // The change lies between two angles: the last before it and the first after it.
    let mut change = |mut before: i32, mut after: i32, legal_after: bool| {
        while after - before > 1 {
            let middle = before.midpoint(after);
            if look.is_legal(&mut swung, middle) == legal_after { after = middle } else { before = middle }
        }
        (before, after)
    };
    let mut probe = Field::like(field);
    let (mut before, mut open) = (0, None);
    for angle in look.samples() {
        match (open, look.is_legal(&mut probe, angle)) {
            (None, true) => open = Some(change(before, angle, true).1),
            (Some(from), false) => {
                runs.push((from, change(before, angle, false).0));
                open = None;
            }
            _ => {}
        }
        before = angle;
    }
    runs.extend(open.map(|from| (from, before)));
    runs
}

fn target_ahead(field: &Field<'_>, battery: UnitId, unit: UnitId) -> bool {
    targets(field, battery).iter().any(|found| found.unit == unit)
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
    let battle = field.battle;
    if battle.unit(battery).sighted {
        return false;
    }
    let mut swung: Option<Field<'_>> = None;
    field.enemies(battery).any(|(unit, _)| {
        !target_ahead(field, battery, unit)
            && turns(battle).into_iter().any(|turn| {
                Look::new(field, battery, unit, turn).is_some_and(|look| {
                    let swung = swung.get_or_insert_with(|| Field::like(field));
                    look.samples().into_iter().any(|angle| look.is_legal(swung, angle))
                })
            })
    })
}

/// The sightings open to a battery.
pub(super) fn offers(field: &Field<'_>, battery: UnitId, out: &mut Vec<Offer>) {
    if field.battle.unit(battery).sighted {
        return;
    }
    for (unit, _) in field.enemies(battery) {
        for turn in turns(field.battle) {
            for run in 0..runs(field, battery, unit, turn).len().min(255) as u8 {
                out.push(Offer::Sight { battery, target: unit, right: turn.right, back: turn.back, run });
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
