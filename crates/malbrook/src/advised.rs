//! Players who are advised and not refereed: what the rules forbid is named, and may be done all the same.
//!
//! Every check of the rules says of itself whether what it turns down is forbidden ([`Battle::forbid`]) or cannot be done at all. A choice against
//! the rules is resolved by the very same code, with what is forbidden waived.

use sabretache_engine::clause::Clause;
use sabretache_engine::offer::{Halt, Refusal};

use crate::Offer;
use crate::battle::Battle;
use crate::harm::Play;
use crate::situations::ManoeuvreKind;

impl Battle {
    /// A rule is against it: refused, unless the players have waived the rules.
    pub(crate) fn forbid(&self, clause: Clause, why: impl Into<String>) -> Result<(), Refusal> {
        if self.memo.waives() { Ok(()) } else { Err(Refusal::new(clause, why)) }
    }

    /// What a check comes to once its rules are waived.
    pub(crate) fn waived<T>(&self, check: impl FnOnce() -> T) -> T {
        let before = self.memo.waives();
        self.memo.waive(true);
        let found = check();
        self.memo.waive(before);
        found
    }

    /// Whether an offer that is told of as closed could be taken up.
    fn may(&self, offer: &Offer) -> Result<(), Refusal> {
        match *offer {
            Offer::Advance(unit) => self.advance(unit).map(drop),
            Offer::Wheel(unit) => self.wheel(unit).map(drop),
            Offer::PassGap(unit) => self.gap_input(unit).map(drop),
            Offer::Road { unit, double } => self.road_input(unit, double).map(drop),
            Offer::Incline { unit, right } => self.incline(unit, right).map(drop),
            Offer::Conform(unit) => self.may_conform(unit).map(drop),
            Offer::Stand(unit) => self.may_stand(unit),
            Offer::Form(unit) => self.formation_input(unit).map(drop),
            Offer::Crowd(unit) => self.crowd_input(unit).map(drop),
            Offer::Scatter(unit) => self.may_scatter(unit).map(drop),
            Offer::AboutFace(unit) => self.about(unit).map(drop),
            Offer::Pivot(unit) => self.pivot_input(unit).map(drop),
            Offer::Push(unit) => self.push_input(unit).map(drop),
            Offer::Unlimber(unit) => self.may_manoeuvre(unit, ManoeuvreKind::Unlimber).map(drop),
            Offer::Step { unit, step } => self.step_input(unit, step).map(drop),
            Offer::Remount(unit) => self.remounted(unit).map(drop),
            Offer::Split(unit) => self.split_input(unit).map(drop),
            Offer::SwingBack { unit, left, bases } => self.swing_back_input(unit, left, bases).map(drop),
            Offer::StepEnd { unit, left, bases } => self.step_end_input(unit, left, bases).map(drop),
            Offer::SwingForward(unit) => self.may_swing_forward(unit).map(drop),
            Offer::Ride { leader, double } => self.may_ride(leader, double),
            Offer::Reinforce { unit, into } => self.may_reinforce(unit, into),
            Offer::Recrew(gun) => self.may_recrew(gun),
            Offer::Steady(leader) => self.may_influence(leader, true).map(drop),
            Offer::Inspire(leader) => self.may_influence(leader, false).map(drop),
            Offer::Attach { leader, unit } => self.may_attach(leader, unit),
            Offer::Order { by, to, order } => self.may_order(by, to, order),
            Offer::Reassign { by, from, to } => self.may_reassign(by, from, to).map(drop),
            Offer::Listen { leader, rider } => self.may_listen(leader, rider),
            Offer::RideMessenger { rider, double } => self.may_ride_rider(rider, double).map(drop),
            Offer::Charge { unit, at, outrance } => self.may_charge(unit, at, outrance).map(drop),
            Offer::CounterCharge { unit, charger } => self.may_counter(unit, charger),
            Offer::Evade(unit) => self.may_evade(unit).map(drop),
            Offer::TurnToMeet(unit) => self.may_turn(unit),
            Offer::GuardFlank { unit, left } => self.may_guard_flank(unit, left).map(drop),
            Offer::Fire { gun, at } => self.may_fire(gun, at, false).map(drop),
            Offer::Shell { gun, at } => self.may_fire(gun, at, true).map(drop),
            Offer::Scattered(unit) => self.may_finish_scattering(unit, false).map(drop),
            Offer::GoApart(unit) => self.may_finish_scattering(unit, true).map(drop),
            _ => Ok(()),
        }
    }

    /// Of what is closed: whether a rule forbids it, or it cannot be done whatever the rules say.
    pub(crate) fn sort_out(&self, closed: &mut [(Offer, Refusal)]) {
        self.waived(|| {
            for (offer, refusal) in closed.iter_mut() {
                refusal.impossible |= self.may(offer).is_err();
            }
        });
    }
}

/// Notes what a choice is against, if the rules forbid it and the players are only advised; from then on the rules are waived
/// for this choice.
pub(crate) fn waive(play: &mut Play<'_>, offer: &Offer) -> Result<(), Halt> {
    if !play.is_lenient() {
        return Ok(());
    }
    let Err(refusal) = play.battle().may(offer) else { return Ok(()) };
    let impossible = refusal.impossible || play.battle().waived(|| play.battle().may(offer)).is_err();
    play.refuse(Refusal { impossible, ..refusal })?;
    play.battle().memo.waive(true);
    Ok(())
}
