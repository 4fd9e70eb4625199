//! Launching a charge: the whole way is plotted first, at the charge's own rate, and ends in contact or is not gone at all.

use sabretache_engine::ids::{OfficerId, UnitId};
use sabretache_engine::offer::Refusal;
use sabretache_engine::resolution::Resolution;
use sabretache_table::{Angle, Length, Placed, Vec2, exact_distance, wheeled_pose};

use crate::Batteries;
use crate::battle::{Battle, Kind, Unit};
use crate::clauses::*;
use crate::event::Event;
use crate::nearing::too_near;
use crate::offer::Offer;
use crate::state::NEAR;
use crate::troops::Arm;
use crate::wheeling::WHEEL_STEP;

/// A charge that is being plotted, and what its unit comes back to if it is called off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Launch {
    pub(crate) unit: UnitId,
    /// The unit as it was.
    pub(crate) was: Unit,
    /// Who was in the middle of his move then.
    pub(crate) before: Option<UnitId>,
    /// How many places the tracks had then.
    pub(crate) tracks: usize,
    /// The general who has paid for a change of frontage on the way.
    pub(crate) paid: Option<OfficerId>,
    /// Enemies to whom it has come nearer than anybody may who does not charge them.
    pub(crate) near: Vec<UnitId>,
}

impl Battle {
    /// Whether a unit is plotting a charge.
    pub(crate) fn launched(&self, unit: UnitId) -> bool {
        self.launch.as_ref().is_some_and(|launch| launch.unit == unit)
    }

    /// Whether a unit was steady when its move began, or is, if it has not moved (BB-CHG-03).
    pub(crate) fn sets_out_steady(&self, unit: UnitId) -> bool {
        let now = &self.unit(unit).now;
        if now.moved { now.set_out_steady } else { self.steady(unit) }
    }

    /// Why a unit may not launch a charge.
    pub(crate) fn may_launch(&self, unit: UnitId) -> Result<(), Refusal> {
        self.may_charge(unit)?;
        if self.unit(unit).now.called_off {
            return Err(Refusal::new(BB_CHG_09, "its charge was called off: it plots no other this turn"));
        }
        let left = self.left_at(unit, self.charge_allowance(unit)).f() + NEAR;
        let here = self.bounds(unit);
        let near = |enemy: UnitId| here.distance2(&self.bounds(enemy)) <= left * left;
        if !self.enemies(unit).any(near) {
            return Err(Refusal::new(BB_CHG_01, "no enemy is within its reach"));
        }
        self.who_pays(unit).map(|_| ())
    }

    /// While a charge is plotted nothing is done but what belongs to it (BB-CHG-09, BB-SEQ-03).
    pub(crate) fn keeps_to_launch(&self, offer: &Offer) -> Result<(), Refusal> {
        let Some(launch) = &self.launch else {
            return match offer {
                Offer::CallOff(_) => Err(Refusal::new(BB_CHG_09, "it has not launched a charge")),
                _ => Ok(()),
            };
        };
        let its_own = match *offer {
            Offer::Advance(unit) | Offer::Retire(unit) | Offer::Wheel(unit) => unit == launch.unit,
            Offer::Oblique { unit, .. } | Offer::Sidestep { unit, .. } => unit == launch.unit,
            Offer::Head(unit) | Offer::March(unit) | Offer::Face(unit) | Offer::TurnAbout(unit) => unit == launch.unit,
            // Foot that changes its formation does so before it launches: that costs it the same.
            Offer::Form(unit) => unit == launch.unit && self.arm(unit) == Arm::Horse,
            Offer::Charge(unit) | Offer::CallOff(unit) => unit == launch.unit,
            _ => false,
        };
        let why = || format!("{} is launching a charge: let it charge, or call it off", self.name_of(launch.unit));
        if its_own { Ok(()) } else { Err(Refusal::new(BB_CHG_09, why())) }
    }

    /// Nobody whom a charge does not strike may have been passed nearer than two inches (BB-MOV-20, -21).
    pub(crate) fn passed_too_near(&self, unit: UnitId, targets: &[UnitId]) -> Result<(), Refusal> {
        let near = self.launch.as_ref().filter(|launch| launch.unit == unit).map_or(&[][..], |launch| &launch.near);
        match near.iter().find(|enemy| !targets.contains(enemy)) {
            Some(enemy) => {
                let name = self.name_of(*enemy);
                Err(Refusal::new(BB_MOV_20, format!("it has come within 2 in of {name}, whom it would not charge")))
            }
            None => Ok(()),
        }
    }

    /// The allowance of cavalry: that of its charge while it plots one (BB-CHG-03).
    pub(crate) fn horse_allowance(&self, unit: UnitId, charging: bool) -> Option<Length> {
        let Kind::Horse { weight, .. } = self.facts(unit).kind else { return None };
        let longer = (charging || self.launched(unit)) && self.sets_out_steady(unit);
        Some(self.numbers().moves.horse(weight, longer).0)
    }

    pub(crate) fn set_out(&mut self, unit: UnitId) {
        let (was, before, tracks) = (*self.unit(unit), self.moving, self.tracks.len());
        self.launch = Some(Launch { unit, was, before, tracks, paid: None, near: Vec::new() });
        self.start_move(unit);
    }

    /// All is as it was before the charge was launched; but the unit plots no other this turn.
    pub(crate) fn call_off(&mut self) {
        let Some(launch) = self.launch.take() else { return };
        *self.change(launch.unit) = launch.was;
        self.change(launch.unit).now.called_off = true;
        self.moving = launch.before;
        self.tracks.truncate(launch.tracks);
        if let Some(general) = launch.paid {
            let points = &mut self.generals[general.index()].points;
            *points = points.saturating_add(1);
        }
        self.follow(launch.unit);
    }

    fn not_yet_near(&self, enemy: UnitId) -> bool {
        let noted = self.launch.as_ref().is_some_and(|launch| launch.near.contains(&enemy));
        !noted && !self.may_be_passed(enemy)
    }

    fn neared_ahead(&self, unit: UnitId, way: Vec2, length: Length) -> Vec<UnitId> {
        let (placed, apart) = (self.outline(unit), self.numbers().approach.stand_off.0.f());
        let near = |enemy: &UnitId| {
            self.not_yet_near(*enemy)
                && too_near(placed.whole(), way, length.f() - 1.0, self.outline(*enemy), apart).is_some()
        };
        self.enemies(unit).filter(near).collect()
    }

    fn neared_in_wheel(&self, unit: UnitId, angle: Angle) -> Vec<UnitId> {
        let (placed, apart) = (self.outline(unit), self.numbers().approach.stand_off.0.f() - NEAR);
        let footprint = self.unit(unit).footprint(self.facts(unit), self.numbers());
        let (whole, sign) = (angle.abs().to_hundredths(), angle.to_hundredths().signum());
        let closes_on = |enemy: &UnitId| {
            let them = self.outline(*enemy);
            let mut gap = exact_distance(placed, them);
            (1..=(whole + WHEEL_STEP - 1) / WHEEL_STEP).any(|step| {
                let turn = Angle::hundredths((step * WHEEL_STEP).min(whole) * sign);
                let now = exact_distance(&Placed::new(&footprint, wheeled_pose(placed, turn)), them);
                let closing = now < apart && now < gap - 1.0;
                gap = now;
                closing
            })
        };
        self.enemies(unit).filter(|enemy| self.not_yet_near(*enemy)).filter(closes_on).collect()
    }
}

/// A straight stretch of a plotted charge: whom it comes too near is noted.
pub(crate) fn note_nearing(play: &mut Resolution<'_, Batteries>, unit: UnitId, way: Vec2, length: Length) {
    if play.battle().launched(unit) {
        for enemy in play.battle().neared_ahead(unit, way, length) {
            play.happen(Event::Nears { unit, enemy });
        }
    }
}

/// A wheel of a plotted charge: likewise.
pub(crate) fn note_nearing_in_wheel(play: &mut Resolution<'_, Batteries>, unit: UnitId, angle: Angle) {
    if play.battle().launched(unit) {
        for enemy in play.battle().neared_in_wheel(unit, angle) {
            play.happen(Event::Nears { unit, enemy });
        }
    }
}
