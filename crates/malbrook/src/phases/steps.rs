//! Offers in two steps: who might act, and what that one may do.

use std::collections::BTreeSet;

use sabretache_engine::ids::{Named, UnitId};
use sabretache_kit::Part;

use crate::battle::Battle;
use crate::event::Phase;
use crate::phases::{charge, command, gunnery, manoeuvre, merging, messages, movement, options, turn};
use crate::{Offer, Optional, Turn};

/// Whether what each may do is told one by one: where several players share a side, and in the middle of something else, it is not.
fn one_by_one(battle: &Battle) -> bool {
    let moves = battle.phase == Phase::Movement && !turn::interrupted(battle);
    (battle.moment().is_some() || moves) && !options::has_players(battle)
}

/// Who might act now: all whom nobody knows to have nothing to do.
pub(crate) fn might_act(battle: &Battle, out: &mut Vec<Option<Named>>) {
    if !one_by_one(battle) {
        for actor in battle.offers().iter().map(|offer| offer.actor()) {
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
        out.extend(battle.offers().iter().filter(|offer| offer.actor() == who));
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
                manoeuvre::recrew_offer(battle, unit, out);
            }
            if there {
                merging::offers_of(battle, unit, out);
            }
            out.extend(turn::coming_up(battle).filter(|one| *one == unit).map(|unit| Offer::from(Turn::Enter(unit))));
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
                out.extend(options::challenges(battle).map(|leader| Offer::from(Optional::Challenge(leader))));
            }
            if turn::may_end(battle).is_ok() {
                out.push(Turn::End.into());
            }
        }
        _ => {}
    }
}

/// Whether there is anything to do but to end the half of the phase. Nobody is asked once somebody has something.
pub(crate) fn anything_to_do(battle: &Battle) -> bool {
    let idle = |offer: &Offer| matches!(offer, Offer::Turn(Turn::End) | Offer::Optional(Optional::HandOver(_)));
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
