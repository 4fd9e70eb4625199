//! Launching a charge: the whole way is plotted first, at the charge's own rate, and ends in contact or is not gone at all.

use sabretache_engine::decides;
use sabretache_engine::ids::{OfficerId, UnitId};
use sabretache_engine::offer::Refusal;
use sabretache_engine::resolution::Resolution;
use sabretache_kit::Part;
use sabretache_table::{Angle, Bounds, Length, Outline, Placed, Pose, Vec2, exact_distance, wheeled_pose};

use crate::Batteries;
use crate::battle::{Battle, Kind, Unit};
use crate::clauses::*;
use crate::event::Event;
use crate::offer::Offer;
use crate::phases::charges::offers::Charges;
use crate::phases::formations::offers::Formations;
use crate::phases::movement::WHOLE;
use crate::phases::movement::wheeling::WHEEL_STEP;
use crate::table::NEAR;
use crate::table::nearing::too_near;
use crate::troops::Pace;

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
        decides!(BB_CHG_03);
        let now = &self.unit(unit).now;
        if now.moved { now.set_out_steady } else { self.steady(unit) }
    }

    /// Why a unit may not launch a charge. A square or a bent line may, if it can still change on the way (BB-CHG-06, BB-UNI-19).
    pub(crate) fn may_launch(&self, unit: UnitId) -> Result<(), Refusal> {
        decides!(BB_CHG_06, BB_UNI_19);
        self.may_charge_in_some_form(unit)?;
        if let Err(refusal) = self.may_charge(unit) {
            self.may_change(unit).map_err(|_| refusal)?;
        }
        if self.unit(unit).now.called_off {
            return Err(Refusal::new(BB_CHG_09, "its charge was called off: it plots no other this turn"));
        }
        if !self.reaches_somebody(unit) {
            return Err(Refusal::new(BB_CHG_01, "no enemy is within its reach"));
        }
        self.who_pays(unit).map(|_| ())
    }

    /// Whether any enemy could be struck with the movement there is, as it is or after a change of formation, frontage or facing.
    fn reaches_somebody(&self, unit: UnitId) -> bool {
        let within = |from: Bounds, left: f64| {
            let reach = left + NEAR;
            self.enemies(unit).any(|enemy| from.distance2(&self.bounds(enemy)) <= reach * reach)
        };
        // The stand that travels farthest pays for a turn of skirmishers; its outer end comes half a stand farther.
        let stand = if self.skirmishing(unit) { self.half_stand(unit) } else { 0.0 };
        if within(self.bounds(unit), self.left_at(unit, self.charge_allowance(unit)).f() + stand) {
            return true;
        }
        if self.may_change(unit).is_err() {
            return false;
        }
        self.shapes(unit).iter().filter(|shape| shape.bend.is_none()).any(|shape| {
            let share = self.spent(unit) + self.change_share(unit, shape);
            let (state, pose) = self.as_shape(unit, shape);
            let rate = match self.facts(unit).kind {
                Kind::Foot { .. } => self.numbers().moves.foot(state.formation_now(self.facts(unit), self.numbers())).0,
                _ => self.charge_allowance(unit),
            };
            let left = rate.f() * f64::from(WHOLE.saturating_sub(share)) / f64::from(WHOLE);
            let there = Placed::new(&state.footprint(self.facts(unit), self.numbers()), pose);
            left > 0.0 && within(there.bounds(), left)
        })
    }

    fn half_stand(&self, unit: UnitId) -> f64 {
        let footprint = self.unit(unit).footprint(self.facts(unit), self.numbers());
        footprint.frontage().f() / f64::from(self.unit(unit).ranks(self.facts(unit)).files.max(1)) / 2.0
    }

    /// While a charge is plotted nothing is done but what belongs to it (BB-CHG-09, BB-SEQ-03).
    pub(crate) fn keeps_to_launch(&self, offer: &Offer) -> Result<(), Refusal> {
        decides!(BB_CHG_09, BB_SEQ_03);
        let Some(launch) = &self.launch else {
            return match offer {
                Offer::Charges(Charges::CallOff(_)) => Err(Refusal::new(BB_CHG_09, "it has not launched a charge")),
                _ => Ok(()),
            };
        };
        let its_own = match *offer {
            Offer::Movement(part) => part.plots_charges() && part.actor() == Some(launch.unit.into()),
            Offer::Formations(Formations::Form(unit)) => unit == launch.unit,
            Offer::Charges(Charges::Charge(unit) | Charges::CallOff(unit)) => unit == launch.unit,
            _ => false,
        };
        let why = || format!("{} is launching a charge: let it charge, or call it off", self.name_of(launch.unit));
        if its_own { Ok(()) } else { Err(Refusal::new(BB_CHG_09, why())) }
    }

    /// Nobody whom a charge does not strike may have been passed nearer than two inches (BB-MOV-20, BB-MOV-21).
    pub(crate) fn passed_too_near(&self, unit: UnitId, targets: &[UnitId]) -> Result<(), Refusal> {
        decides!(BB_MOV_20, BB_MOV_21);
        let near = self.launch.as_ref().filter(|launch| launch.unit == unit).map_or(&[][..], |launch| &launch.near);
        // A screen is back in the ranks of a unit that is charged (BB-OPT-68).
        let struck = |enemy: UnitId| targets.contains(&self.facts(enemy).screen_of.unwrap_or(enemy));
        match near.iter().find(|enemy| !targets.contains(enemy) && !struck(**enemy)) {
            Some(enemy) => {
                let name = self.name_of(*enemy);
                Err(Refusal::new(BB_MOV_20, format!("it has come within 2 in of {name}, whom it would not charge")))
            }
            None => Ok(()),
        }
    }

    /// The allowance of cavalry: that of its charge while it plots one (BB-CHG-03).
    pub(crate) fn horse_allowance(&self, unit: UnitId, pace: Pace) -> Option<Length> {
        decides!(BB_CHG_03);
        let Kind::Horse { weight, .. } = self.facts(unit).kind else { return None };
        let longer = (pace == Pace::Charge || self.launched(unit)) && self.sets_out_steady(unit);
        Some(self.numbers().moves.horse(weight, if longer { Pace::Charge } else { Pace::March }).0)
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

    /// Enemies to whom a wheel or a turn comes too near, by where it has brought the unit at each angle.
    fn neared_in_turning(&self, unit: UnitId, angle: Angle, at: impl Fn(Angle) -> Pose) -> Vec<UnitId> {
        let (placed, apart) = (self.outline(unit), self.numbers().approach.stand_off.0.f() - NEAR);
        let footprint = self.unit(unit).footprint(self.facts(unit), self.numbers());
        let (whole, sign) = (angle.abs().to_hundredths(), angle.to_hundredths().signum());
        let closes_on = |enemy: &UnitId| {
            let them = self.outline(*enemy);
            let mut gap = exact_distance(placed, them);
            (1..=(whole + WHEEL_STEP - 1) / WHEEL_STEP).any(|step| {
                let turn = Angle::hundredths((step * WHEEL_STEP).min(whole) * sign);
                let now = exact_distance(&Placed::new(&footprint, at(turn)), them);
                let closing = now < apart && now < gap - 1.0;
                gap = now;
                closing
            })
        };
        self.enemies(unit).filter(|enemy| self.not_yet_near(*enemy)).filter(closes_on).collect()
    }

    /// Enemies to whom a change of formation, frontage or facing comes too near.
    fn neared_by_change(&self, unit: UnitId, there: &Placed) -> Vec<UnitId> {
        let apart = self.numbers().approach.stand_off.0.f() - NEAR;
        let closer = |enemy: &UnitId| self.not_yet_near(*enemy) && self.closes(unit, there, *enemy, apart);
        self.enemies(unit).filter(closer).collect()
    }

    /// Whether a unit that comes to lie somewhere is nearer to an enemy than it may be, and than it was (BB-MOV-20).
    pub(crate) fn closes(&self, unit: UnitId, there: &Placed, enemy: UnitId, apart: f64) -> bool {
        decides!(BB_MOV_20);
        let (them, near) = (self.outline(enemy), exact_distance(there, self.outline(enemy)));
        near < apart && near < exact_distance(self.outline(unit), them) - 1.0
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
        let placed = play.battle().placed(unit);
        for enemy in play.battle().neared_in_turning(unit, angle, |turn| wheeled_pose(&placed, turn)) {
            play.happen(Event::Nears { unit, enemy });
        }
    }
}

/// Skirmishers that turn as they plot a charge: likewise.
pub(crate) fn note_nearing_in_turn(play: &mut Resolution<'_, Batteries>, unit: UnitId, angle: Angle) {
    if play.battle().launched(unit) {
        let battle = play.battle();
        for enemy in battle.neared_in_turning(unit, angle, |turn| battle.turned(unit, turn)) {
            play.happen(Event::Nears { unit, enemy });
        }
    }
}

/// A change of formation, frontage or facing in a plotted charge: likewise.
pub(crate) fn note_nearing_by_change(play: &mut Resolution<'_, Batteries>, unit: UnitId, there: &Placed) {
    if play.battle().launched(unit) {
        for enemy in play.battle().neared_by_change(unit, there) {
            play.happen(Event::Nears { unit, enemy });
        }
    }
}
