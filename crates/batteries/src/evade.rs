//! Evading a charge.

use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::{Halt, Refusal};
use sabretache_engine::resolution::Resolution;
use sabretache_table::{
    Angle, Heading, Length, OnTable, Outline, Placed, Pose, Vec2, contact, exact_distance, overlapping,
};

use crate::Batteries;
use crate::battle::Battle;
use crate::charge::{meet, touch};
use crate::clauses::*;
use crate::event::Event;
use crate::ground::pieces;
use crate::state::NEAR;
use crate::troops::Arm;

/// Evaders choose their way in steps of 15 degrees from the line of the charge.
pub(crate) const EVADES: [i32; 7] = [0, -15, 15, -30, 30, -45, 45];

impl Battle {
    /// Whether a unit may evade a charge (BB-CHG-11, -18 to -21, BB-MOR-38).
    pub(crate) fn may_evade(&self, unit: UnitId, charger: UnitId) -> bool {
        let state = self.unit(unit);
        let able = self.skirmishing(unit)
            || state.away
            || (self.battery(unit) && !state.limbered)
            || matches!(self.facts(unit).kind, crate::battle::Kind::Guns { horse: true, .. });
        able && !self.is_screen(unit)
            && state.inside.is_none()
            && !state.now.evaded
            && !state.now.routed
            && !self.in_contact(unit)
            && !self.caught(unit, charger)
            && EVADES.iter().any(|way| self.evade_reach(unit, charger, *way).is_some())
    }

    /// The charge began, or was first seen, too near (BB-CHG-18, -19).
    fn caught(&self, unit: UnitId, charger: UnitId) -> bool {
        let numbers = &self.numbers().caught;
        let near = if self.arm(charger) == Arm::Horse { numbers.horse } else { numbers.foot };
        let them = self.placed(unit);
        let footprint = self.unit(charger).footprint(self.facts(charger), self.numbers());
        let posts = crate::shape::posts(self.unit(unit), self.facts(unit), self.numbers());
        let seen = |placed: &Placed| {
            self.fixed.terrain.is_empty()
                || placed.parts().any(|part| {
                    let seen = |corner: &Vec2, from: Vec2| {
                        self.sees(from, *corner) && !self.hedgerow_hides(&them, placed, from, *corner, false)
                    };
                    part.corners.iter().any(|corner| posts.iter().any(|post| seen(corner, post.at)))
                })
        };
        for pose in self.along_track(charger) {
            let placed = Placed::new(&footprint, pose);
            if seen(&placed) {
                return exact_distance(&placed, &them) <= near.0.f() + NEAR;
            }
        }
        true
    }

    /// The evade move of a unit: infantry and gunners 10 in, limbered horse guns their own (BB-CHG-13).
    fn evade_move(&self, unit: UnitId) -> Length {
        if self.limbered(unit) { self.allowance(unit) } else { self.numbers().moves.evade.0 }
    }

    /// How a unit would look after it has evaded: gunners leave their guns.
    fn evading(&self, unit: UnitId) -> crate::battle::Unit {
        let mut state = *self.unit(unit);
        state.away |= self.battery(unit) && !state.limbered;
        state
    }

    /// Where an evade of a length along a direction ends, if it may end there (BB-CHG-13, -14, -21).
    pub(crate) fn evade_end(&self, unit: UnitId, charger: UnitId, degrees: i32, length: Length) -> Option<Pose> {
        let line = self.unit(charger).pose.heading;
        let state = self.evading(unit);
        let footprint = state.footprint(self.facts(unit), self.numbers());
        let way = line + Angle::degrees(degrees);
        let centre = self.centre(unit) + way.unit() * length.f();
        let pose = crate::shape::about_centre(centre, line, &footprint);
        let there = Placed::new(&footprint, pose);
        let apart = self.numbers().approach.stand_off.0.f() - NEAR;
        let around = there.bounds().grown(apart);
        let clear = self.all().filter(|other| *other != unit).all(|other| {
            let placed = self.outline(other);
            if !around.meets(&placed.bounds()) {
                return true;
            }
            let near =
                self.side(other) != self.side(unit) && other != charger && exact_distance(&there, placed) < apart;
            !near
                && !overlapping(&there, placed)
                && (other != charger || contact(&there, placed) == sabretache_table::Contact::Apart)
        });
        let dry = self.barred(&state, self.facts(unit), &there).is_none();
        (clear && dry && self.fixed.table.on_table(&there) == OnTable::Wholly).then_some(pose)
    }

    /// The lengths open to an evade in a direction: the longest stretch of clear end places from some half inch on.
    pub(crate) fn evade_reach(&self, unit: UnitId, charger: UnitId, degrees: i32) -> Option<(Length, Length)> {
        let full = self.evade_move(unit);
        let way = self.unit(charger).pose.heading + Angle::degrees(degrees);
        let (least, most) = self.evade_limits(unit, way, full)?;
        let step = Length::inch_fraction(1, 4);
        let mut best: Option<(Length, Length)> = None;
        let mut from = None;
        let mut at = least;
        while at <= most {
            let clear = self.evade_end(unit, charger, degrees, at).is_some();
            if clear {
                let start = *from.get_or_insert(at);
                if best.is_none_or(|(low, high)| at - start >= high - low) {
                    best = Some((start, at));
                }
            } else {
                from = None;
            }
            if at == most {
                break;
            }
            at = (at + step).min(most);
        }
        best
    }

    /// The end of an evade of this length, or of the nearest length that ends in the clear.
    fn evade_near(&self, unit: UnitId, charger: UnitId, degrees: i32, length: Length) -> Option<Pose> {
        let (least, most) = self.evade_reach(unit, charger, degrees)?;
        let end = |at: Length| self.evade_end(unit, charger, degrees, at);
        end(length)
            .or_else(|| end(least + Length::inch_fraction(1, 4) * (length - least).whole(Length::inch_fraction(1, 4))))
            .or_else(|| end(most))
    }

    /// Half and all of an evade move over the ground; nothing where the way is barred before half of it is done.
    fn evade_limits(&self, unit: UnitId, way: Heading, full: Length) -> Option<(Length, Length)> {
        if self.fixed.terrain.is_empty() {
            return Some((full.half(), full));
        }
        let placed = self.placed(unit);
        let reach = |budget: Length| {
            let mut left = budget.f();
            for piece in pieces(self, &self.evading(unit), self.facts(unit), &placed, way, budget) {
                if piece.barred.is_some() {
                    return (Length::floored(piece.from), true);
                }
                left -= piece.toll;
                let rate = f64::from(piece.factor);
                if left < (piece.to - piece.from) * rate {
                    return (Length::floored(piece.from + (left / rate).max(0.0)), false);
                }
                left -= (piece.to - piece.from) * rate;
            }
            (budget, false)
        };
        let (least, barred) = reach(full.half());
        (!barred).then(|| (least, reach(full).0))
    }
}

/// The charged unit stands, and the next one is asked.
pub(crate) fn stand(play: &mut Resolution<'_, Batteries>, charger: UnitId, target: UnitId) -> Result<(), Halt> {
    play.happen(Event::Settled);
    play.happen(Event::Stood { unit: target });
    touch(play, charger, target);
    meet(play, charger)
}

/// The charged unit evades.
pub(crate) fn evade(
    play: &mut Resolution<'_, Batteries>,
    charger: UnitId,
    target: UnitId,
    degrees: i32,
    length: Length,
) -> Result<(), Halt> {
    let Some(to) = play.battle().evade_near(target, charger, degrees, length) else {
        return Err(Refusal::new(BB_CHG_21, "there is no room to end there").into());
    };
    let from = play.battle().unit(target).pose;
    play.happen(Event::Settled);
    play.happen(Event::Evaded { unit: target, to });
    crate::phases::disorder_on_the_way(play, target, from);
    meet(play, charger)
}
