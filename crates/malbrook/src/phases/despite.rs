//! Players who are advised and not refereed: what the rules forbid is named, and may be done all the same.
//!
//! Every check of the rules says of itself whether what it turns down is forbidden ([`Battle::forbid`]) or cannot be done at all. A choice against
//! the rules is resolved by the very same code, with what is forbidden waived.

use crate::phases::advance;
use crate::phases::charge;
use crate::phases::command;
use crate::phases::gunnery;
use crate::phases::manoeuvre;
use crate::phases::merging;
use crate::phases::messages;
use crate::phases::movement;
use crate::phases::passing;
use crate::phases::refused_flank;
use crate::phases::roads;
use crate::phases::wheel;
use sabretache_engine::clause::Clause;
use sabretache_engine::offer::{Halt, Refusal};

use crate::Offer;
use crate::battle::Battle;
use crate::phases::command::Influence;
use crate::phases::gunnery::Fire;
use crate::phases::harm::Play;
use crate::phases::manoeuvre::Bodies;
use crate::situations::ManoeuvreKind;

impl Battle {
    /// A rule is against it: refused, unless the players have waived the rules.
    pub(crate) fn forbid(&self, clause: Clause, why: impl Into<String>) -> Result<(), Refusal> {
        if self.memo.waives() { Ok(()) } else { Err(Refusal::new(clause, why)) }
    }

    /// What a check comes to once its rules are waived.
    pub(crate) fn waived<T>(&self, check: impl FnOnce() -> T) -> T {
        let before = self.memo.waives();
        self.memo.waive();
        let found = check();
        if !before {
            self.memo.enforce();
        }
        found
    }
}

/// Whether an offer that is told of as closed could be taken up.
fn may(battle: &Battle, offer: &Offer) -> Result<(), Refusal> {
    match *offer {
        Offer::Advance(unit) => advance::straight_on(battle, unit).map(drop),
        Offer::Wheel(unit) => wheel::wheel_input(battle, unit).map(drop),
        Offer::PassGap(unit) => passing::gap_input(battle, unit).map(drop),
        Offer::Road { unit, double } => roads::road_input(battle, unit, double).map(drop),
        Offer::Incline { unit, right } => wheel::incline_input(battle, unit, right).map(drop),
        Offer::Conform(unit) => advance::may_conform(battle, unit).map(drop),
        Offer::Stand(unit) => movement::may_stand(battle, unit),
        Offer::Form(unit) => manoeuvre::formation_input(battle, unit).map(drop),
        Offer::Crowd(unit) => manoeuvre::crowd_input(battle, unit).map(drop),
        Offer::Scatter(unit) => manoeuvre::may_scatter(battle, unit).map(drop),
        Offer::AboutFace(unit) => manoeuvre::may_turn_about(battle, unit).map(drop),
        Offer::Pivot(unit) => manoeuvre::pivot_input(battle, unit).map(drop),
        Offer::Push(unit) => manoeuvre::push_input(battle, unit).map(drop),
        Offer::Unlimber(unit) => manoeuvre::may_manoeuvre(battle, unit, ManoeuvreKind::Unlimber).map(drop),
        Offer::Step { unit, step } => manoeuvre::step_input(battle, unit, step).map(drop),
        Offer::Remount(unit) => manoeuvre::remounted(battle, unit).map(drop),
        Offer::Split(unit) => merging::split_input(battle, unit).map(drop),
        Offer::SplitLeaving { unit, leader } => merging::split_leaving_input(battle, unit, leader).map(drop),
        Offer::SwingBack { unit, left, bases } => refused_flank::swing_back_input(battle, unit, left, bases).map(drop),
        Offer::StepEnd { unit, left, bases } => refused_flank::step_end_input(battle, unit, left, bases).map(drop),
        Offer::SwingForward(unit) => refused_flank::may_swing_forward(battle, unit).map(drop),
        Offer::Ride { leader, double } => command::may_ride(battle, leader, double),
        Offer::Reinforce { unit, into } => merging::may_reinforce(battle, unit, into),
        Offer::Recrew(gun) => manoeuvre::may_recrew(battle, gun),
        Offer::Steady(leader) => command::may_influence(battle, leader, Influence::Steady).map(drop),
        Offer::Inspire(leader) => command::may_influence(battle, leader, Influence::Inspire).map(drop),
        Offer::Attach { leader, unit } => command::may_attach(battle, leader, unit),
        Offer::Order { by, to, order } => messages::may_order(battle, by, to, order),
        Offer::Reassign { by, from, to } => messages::may_reassign(battle, by, from, to).map(drop),
        Offer::Listen { leader, rider } => messages::may_listen(battle, leader, rider),
        Offer::RideMessenger { rider, double } => messages::may_ride_rider(battle, rider, double).map(drop),
        Offer::Charge { unit, at, outrance } => charge::may_charge(battle, unit, at, outrance).map(drop),
        Offer::CounterCharge { unit, charger } => charge::may_counter(battle, unit, charger),
        Offer::Evade(unit) => charge::may_evade(battle, unit).map(drop),
        Offer::TurnToMeet(unit) => charge::may_turn(battle, unit),
        Offer::GuardFlank { unit, left } => refused_flank::may_guard_flank(battle, unit, left).map(drop),
        Offer::Fire { gun, at } => gunnery::may_fire(battle, gun, at, Fire::Direct).map(drop),
        Offer::Shell { gun, at } => gunnery::may_fire(battle, gun, at, Fire::Indirect).map(drop),
        Offer::Scattered(unit) => manoeuvre::may_finish_scattering(battle, unit, Bodies::One).map(drop),
        Offer::GoApart(unit) => manoeuvre::may_finish_scattering(battle, unit, Bodies::Several).map(drop),
        _ => Ok(()),
    }
}

/// Of what is closed: whether a rule forbids it, or it cannot be done whatever the rules say.
pub(crate) fn sort_out(battle: &Battle, closed: &mut [(Offer, Refusal)]) {
    battle.waived(|| {
        for (offer, refusal) in closed.iter_mut() {
            refusal.impossible |= may(battle, offer).is_err();
        }
    });
}

/// Notes what a choice is against, if the rules forbid it and the players are only advised; from then on the rules are waived
/// for this choice.
pub(crate) fn waive(play: &mut Play<'_>, offer: &Offer) -> Result<(), Halt> {
    if !play.is_lenient() {
        return Ok(());
    }
    let Err(refusal) = may(play.battle(), offer) else { return Ok(()) };
    let impossible = refusal.impossible || play.battle().waived(|| may(play.battle(), offer)).is_err();
    play.refuse(Refusal { impossible, ..refusal })?;
    play.battle().memo.waive();
    Ok(())
}
