//! Offers in two steps: who might act, and what that one may do.

use std::collections::BTreeSet;

use sabretache_engine::ids::{Named, UnitId};

use crate::Offer;
use crate::battle::Battle;
use crate::event::Phase;
use crate::phases::{charge, command, gunnery, merging, messages, movement, options, turn};

/// Who would act by an offer: the leader or the brigade that does it; nobody in particular for what a side does, and for what is
/// asked in the middle of something else.
pub(crate) fn actor(offer: &Offer) -> Option<Named> {
    let unit = match *offer {
        Offer::SetDownLeader(leader)
        | Offer::Ride { leader, .. }
        | Offer::Attach { leader, .. }
        | Offer::Steady(leader)
        | Offer::Inspire(leader)
        | Offer::Listen { leader, .. } => return Some(leader.into()),
        Offer::Order { by, .. } | Offer::Reassign { by, .. } | Offer::MoveCommand { by, .. } => return Some(by.into()),
        Offer::RollInitiative | Offer::GoFirst | Offer::GoSecond | Offer::End | Offer::HandOver(_) => return None,
        Offer::Challenge(_) | Offer::RideMessenger { .. } | Offer::Shift(_) | Offer::Fight => return None,
        Offer::GiveFire | Offer::HoldFire | Offer::HaltBehind | Offer::FallOn => return None,
        Offer::Withdraw | Offer::LetCome => return None,
        Offer::Fire { gun, .. } | Offer::Shell { gun, .. } => gun,
        Offer::Roll { of, .. } => of,
        Offer::SetDown(unit) | Offer::Face(unit) | Offer::DeployIn(unit) | Offer::Enter(unit) => unit,
        Offer::Test(unit) | Offer::NameLeader { unit, .. } | Offer::Stand(unit) | Offer::Advance(unit) => unit,
        Offer::HaltShort(unit) | Offer::Bear(unit) | Offer::Wheel(unit) | Offer::Incline { unit, .. } => unit,
        Offer::HaltAt { unit, .. } | Offer::HaltLevel(unit) | Offer::LetAhead { unit, .. } => unit,
        Offer::Road { unit, .. } | Offer::PassGap(unit) | Offer::SwingBack { unit, .. } => unit,
        Offer::StepEnd { unit, .. } | Offer::SwingForward(unit) | Offer::Merge { unit, .. } => unit,
        Offer::Split(unit) | Offer::SplitLeaving { unit, .. } | Offer::TakeGun { unit, .. } => unit,
        Offer::Conform(unit) | Offer::Repeat(unit) | Offer::GoOn(unit) | Offer::Form(unit) => unit,
        Offer::Crowd(unit) | Offer::Scatter(unit) | Offer::SendBase { unit, .. } | Offer::Scattered(unit) => unit,
        Offer::GoApart(unit) | Offer::Gather(unit) | Offer::AboutFace(unit) | Offer::Pivot(unit) => unit,
        Offer::Push(unit) | Offer::Step { unit, .. } | Offer::Unlimber(unit) => unit,
        Offer::UnlimberTurned { unit, .. } | Offer::LeadHorses(unit) | Offer::Remount(unit) => unit,
        Offer::Recrew(unit) | Offer::Reinforce { unit, .. } | Offer::LoseEnd { unit, .. } => unit,
        Offer::ShootAt { unit, .. } | Offer::ShootAtMessenger { unit, .. } | Offer::Charge { unit, .. } => unit,
        Offer::ChargeBearing { unit, .. } | Offer::ChargeAhead(unit) | Offer::GuardFlank { unit, .. } => unit,
        Offer::Receive(unit) | Offer::CounterCharge { unit, .. } | Offer::Evade(unit) => unit,
        Offer::TurnToMeet(unit) | Offer::ChargeDice { unit, .. } | Offer::Act { unit, .. } => unit,
        Offer::Pursue { unit, .. } | Offer::RideThrough { unit, .. } => unit,
    };
    Some(unit.into())
}

/// Whether what each may do is told one by one: where several players share a side, and in the middle of something else, it is not.
fn one_by_one(battle: &Battle) -> bool {
    let moves = battle.phase == Phase::Movement && !turn::interrupted(battle);
    (battle.moment().is_some() || moves) && !options::has_players(battle)
}

/// Who might act now: all whom nobody knows to have nothing to do.
pub(crate) fn might_act(battle: &Battle, out: &mut Vec<Option<Named>>) {
    if !one_by_one(battle) {
        for actor in battle.offers().iter().map(actor) {
            if !out.contains(&actor) {
                out.push(actor);
            }
        }
        return;
    }
    let side = battle.active;
    if battle.phase == Phase::Movement {
        movers(battle, out);
    } else if battle.phase == Phase::Command {
        let able = battle.leaders_of(side).filter(|leader| command::may_act(battle, *leader).is_ok());
        out.extend(able.map(|leader| Some(leader.into())));
    } else {
        let able = |unit: &UnitId| match battle.phase {
            Phase::LoneShots => gunnery::may_shoot_at_somebody(battle, *unit).is_ok(),
            Phase::Charges => battle.brigade(*unit).is_brigade(),
            _ => gunnery::gun_ready(battle, *unit).is_ok(),
        };
        let units = battle.of(side).filter(|unit| !battle.known_idle(*unit)).filter(able);
        out.extend(units.map(|unit| Some(unit.into())));
    }
    out.push(None);
}

/// Who might do something in the movement phase: leaders who may ride, brigades and guns, and those who come up.
fn movers(battle: &Battle, out: &mut Vec<Option<Named>>) {
    let rides = battle.leaders_of(battle.active).filter(|leader| command::may_ride(battle, *leader, false).is_ok());
    out.extend(rides.map(|leader| Some(leader.into())));
    let others = battle.crews.iter().map(|(gun, _)| *gun).chain(turn::coming_up(battle));
    let units: BTreeSet<UnitId> = battle.of(battle.active).chain(others).collect();
    out.extend(units.into_iter().map(|unit| Some(unit.into())));
}

/// What one of them may do.
pub(crate) fn offers_of(battle: &Battle, who: Option<Named>, out: &mut Vec<Offer>) {
    if !one_by_one(battle) {
        out.extend(battle.offers().iter().filter(|offer| actor(offer) == who));
        return;
    }
    let side = battle.active;
    match (who, battle.phase) {
        (Some(Named::Officer(leader)), Phase::Command) if battle.leaders_of(side).any(|one| one == leader) => {
            command::offers_of(battle, leader, out);
            messages::said_by(battle, leader, out);
            let heard = battle.dispatches.iter().filter(|dispatch| dispatch.to == leader);
            heard.for_each(|dispatch| messages::listened_to(battle, dispatch, out));
        }
        (Some(Named::Officer(leader)), Phase::Movement) if battle.leaders_of(side).any(|one| one == leader) => {
            movement::rides_of(battle, leader, out);
        }
        (Some(Named::Unit(unit)), Phase::Movement) => {
            let there = battle.of(side).any(|one| one == unit);
            if there {
                movement::offers_of(battle, unit, out);
            }
            if battle.crews.iter().any(|(gun, _)| *gun == unit) {
                turn::recrew_offer(battle, unit, out);
            }
            if there {
                merging::offers_of(battle, unit, out);
            }
            out.extend(turn::coming_up(battle).filter(|one| *one == unit).map(Offer::Enter));
        }
        (Some(Named::Unit(unit)), phase) if battle.of(side).any(|one| one == unit) => match phase {
            Phase::Bombardment | Phase::CloseFire => gunnery::offers_of(battle, unit, out),
            Phase::LoneShots => gunnery::lone_offers_of(battle, unit, out),
            Phase::Charges => charge::offers_of(battle, unit, out),
            _ => {}
        },
        (None, phase) => {
            if phase == Phase::Command {
                battle.dispatches.iter().for_each(|dispatch| messages::rides_of(battle, dispatch, out));
                out.extend(options::challenges(battle).map(Offer::Challenge));
            }
            if turn::may_end(battle).is_ok() {
                out.push(Offer::End);
            }
        }
        _ => {}
    }
}

/// Whether there is anything to do but to end the half of the phase. Nobody is asked once somebody has something.
pub(crate) fn anything_to_do(battle: &Battle) -> bool {
    let idle = |offer: &Offer| matches!(offer, Offer::End | Offer::HandOver(_));
    if !one_by_one(battle) {
        return !battle.offers().iter().all(idle);
    }
    let (mut who, mut offers) = (Vec::new(), Vec::new());
    might_act(battle, &mut who);
    who.into_iter().any(|one| {
        offers.clear();
        offers_of(battle, one, &mut offers);
        !offers.iter().all(idle)
    })
}
