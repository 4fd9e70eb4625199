//! Turning in place: skirmishers, and gunners without their guns.

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::{Input, Refusal};
use sabretache_table::{Angle, OnTable, Outline, Placed, Pose, exact_distance, overlapping};
use smallvec::SmallVec;

use crate::battle::Battle;
use crate::clauses::*;
use crate::phases::movement::LEAST;
use crate::table::NEAR;

/// How finely a turn in place is looked at, in hundredths of a degree.
const STEP: i32 = 100;

impl Battle {
    /// Whether a unit turns without a facing change.
    pub(crate) fn may_turn_freely(&self, unit: UnitId) -> Result<(), Refusal> {
        self.may_march(unit)?;
        decides!(BB_MOV_06);
        if self.skirmishing(unit) || self.unit(unit).away {
            return Ok(());
        }
        Err(Refusal::new(BB_MOV_06, "it faces another way by a facing change or a wheel"))
    }

    /// Whether a unit may turn to the rear where it stands: on the same ground, but for the rounding of places. One that is wedged in between others may not
    /// even have that hair.
    pub(crate) fn may_turn_about(&self, unit: UnitId) -> Result<(), Refusal> {
        self.may_turn_freely(unit)?;
        if self.unit(unit).now.changed {
            return Err(Refusal::new(BB_MOV_05, "it has turned about this turn"));
        }
        let footprint = self.unit(unit).footprint(self.facts(unit), self.numbers());
        let there = Placed::new(&footprint, self.off_by_a_hair(unit, self.turned(unit, Angle::HALF)));
        let here = self.outline(unit);
        let upon = |other: UnitId| {
            let other = self.outline(other);
            overlapping(&there, other) && !overlapping(here, other)
        };
        if self.fixed.table.on_table(&there) != OnTable::Wholly || self.others(unit).any(upon) {
            return Err(Refusal::new(BB_MOV_23, "there is no room to turn"));
        }
        Ok(())
    }

    /// The ways that troops may set out on that go any way they like, once a turn.
    pub(crate) fn head_input(&self, unit: UnitId) -> Result<Input, Refusal> {
        self.may_march(unit)?;
        if !self.goes_any_way(unit) {
            return Err(Refusal::new(BB_MOV_23, "only skirmishers and squares go any way they like"));
        }
        if self.unit(unit).now.way.is_some() {
            return Err(Refusal::new(self.any_way_clause(unit), "its way is set: let it march"));
        }
        if self.left_at(unit, self.allowance(unit)) < LEAST {
            return Err(Refusal::new(BB_MOV_01, "it has no movement left"));
        }
        Ok(Input::Wheel { most_left: Angle::degrees(-180), most_right: Angle::degrees(180) })
    }

    /// The free facing of skirmishers and gunners without guns (BB-MOV-23).
    pub(crate) fn face_input(&self, unit: UnitId) -> Result<Input, Refusal> {
        decides!(BB_MOV_23);
        self.may_turn_freely(unit)?;
        let (left, right) = (self.furthest_turn(unit, -1, 90), self.furthest_turn(unit, 1, 90));
        if left == Angle::ZERO && right == Angle::ZERO {
            return Err(Refusal::new(BB_MOV_23, "there is no room to turn"));
        }
        Ok(Input::Wheel { most_left: left, most_right: right })
    }

    /// What turning in place costs: the way of the stand that travels farthest.
    pub(crate) fn turn_cost(&self, unit: UnitId, angle: Angle) -> sabretache_table::Length {
        let footprint = self.unit(unit).footprint(self.facts(unit), self.numbers());
        let files = self.unit(unit).ranks(self.facts(unit)).files.max(1);
        let arm = footprint.frontage().f() * (1.0 - 1.0 / f64::from(files)) / 2.0;
        sabretache_table::Length::ceiled(arm * angle.abs().to_radians())
    }

    /// The pose of a unit turned about its centre, however its stands lie about it.
    pub(crate) fn turned(&self, unit: UnitId, angle: Angle) -> Pose {
        self.unit(unit).pose.turned_about(self.centre(unit), angle)
    }

    /// Whether skirmishers or gunners without guns can turn at all.
    pub(crate) fn may_face(&self, unit: UnitId) -> bool {
        let free = self.skirmishing(unit) || self.unit(unit).away;
        let turns = || [-1, 1].iter().any(|sign| self.furthest_turn(unit, *sign, 1) != Angle::ZERO);
        free && self.may_move(unit).is_ok() && turns()
    }

    /// How far a unit can turn about its centre, to a hundredth of a degree, before it comes to lie on somebody, off the table,
    /// on ground that bars it or too near an enemy (BB-MOV-20, BB-MOV-23).
    fn furthest_turn(&self, unit: UnitId, sign: i32, degrees: i32) -> Angle {
        decides!(BB_MOV_20, BB_MOV_23);
        let footprint = self.unit(unit).footprint(self.facts(unit), self.numbers());
        let budget = self.left_at(unit, self.allowance(unit));
        let here = self.placed(unit);
        let apart = self.numbers().approach.stand_off.0.f() - NEAR;
        let around = here.bounds().grown(footprint.frontage().f() + footprint.depth().f() + apart);
        // A unit that plots a charge may come near the one it charges (BB-MOV-21).
        let heeded =
            |other: UnitId| self.side(other) != self.side(unit) && !self.may_be_passed(other) && !self.launched(unit);
        let others: SmallVec<[(bool, &Placed); 16]> = self
            .others(unit)
            .map(|other| (heeded(other), self.outline(other)))
            .filter(|(_, other)| around.meets(&other.bounds()))
            .collect();
        let placed = |hundredths: i32| Placed::new(&footprint, self.turned(unit, Angle::hundredths(hundredths * sign)));
        // How far a corner comes in one step: nobody farther off than that is touched within it.
        let swing = (footprint.frontage().f() + footprint.depth().f()) / 2.0 * Angle::hundredths(STEP).to_radians();
        let goes = |at: i32, next: i32, gaps: &[f64]| -> Option<SmallVec<[f64; 16]>> {
            let there = placed(next);
            let paid = self.turn_cost(unit, Angle::hundredths(next)) <= budget;
            if !paid
                || self.fixed.table.on_table(&there) != OnTable::Wholly
                || self.barred(self.unit(unit), self.facts(unit), &there).is_some()
            {
                return None;
            }
            let mut now: SmallVec<[f64; 16]> = SmallVec::new();
            for ((enemy, other), gap) in others.iter().zip(gaps) {
                let near = exact_distance(&there, *other);
                let closes = *enemy && near < apart && near < *gap - 1.0;
                // Close by it may come to lie on somebody and be clear of him again before the step is done.
                // A hair is kept from a unit that was not touched before (BB-GEN-07).
                let upon = |there: &Placed, apart: bool| {
                    overlapping(there, *other) || (apart && exact_distance(there, *other) < NEAR)
                };
                let touched = |apart: bool| (at + 1..=next).any(|turn| upon(&placed(turn), apart));
                if closes || (near.min(*gap) <= swing && touched(*gap >= NEAR)) {
                    return None;
                }
                now.push(near);
            }
            Some(now)
        };
        let mut gaps: SmallVec<[f64; 16]> = others.iter().map(|(_, other)| exact_distance(&here, *other)).collect();
        let (mut at, whole) = (0, degrees * 100);
        while at < whole {
            let next = (at + STEP).min(whole);
            if let Some(now) = goes(at, next, &gaps) {
                (at, gaps) = (next, now);
                continue;
            }
            // The last part of a step is found to a hundredth of a degree.
            let mut shut = next;
            let mut open = at;
            while shut - open > 1 {
                let middle = i32::midpoint(open, shut);
                let to = if goes(at, middle, &gaps).is_some() { &mut open } else { &mut shut };
                *to = middle;
            }
            at = open;
            break;
        }
        Angle::hundredths(at * sign)
    }
}
