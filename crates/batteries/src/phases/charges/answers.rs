//! What is asked while a charge is carried out: to stand or evade, to halt or go on, to shoot at a charger that came up late.

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::{Halt, Input, Refusal, Stop};
use sabretache_engine::resolution::Resolution;
use sabretache_table::{Angle, Length};

use crate::Batteries;
use crate::battle::{Battle, Pending};
use crate::clauses::*;
use crate::event::Event;
use crate::offer::Offer;
use crate::phases::charges::contact::{after_overrun, onward};
use crate::phases::charges::evade;
use crate::phases::movement::LEAST;
use crate::phases::shooting::targets::Aim;
use crate::phases::shooting::{self, Moment};
use crate::troops::Arm;

/// What a charged unit may do.
pub(crate) fn when_charged(battle: &Battle, charger: UnitId, target: UnitId, way: i16, out: &mut Vec<Offer>) {
    out.push(Offer::Stand);
    if fire_first(battle, charger, target).is_ok() {
        out.push(Offer::FireFirst);
    }
    let ways = battle.evade_ways();
    let set = Some(way).filter(|way| !ways.contains(way));
    for way in ways.into_iter().chain(set) {
        let open = battle.evade_stretches(target, charger, way).len() as u8;
        out.extend((0..open).map(|stretch| Offer::Evade { way, stretch }));
    }
    out.push(Offer::EvadeWay);
}

/// What a charger may do whose targets have gone, or were run over.
pub(crate) fn when_clear(battle: &Battle, charger: UnitId, out: &mut Vec<Offer>) {
    out.push(Offer::Halt);
    if battle.onward_reach(charger) >= LEAST {
        out.push(Offer::GoOn);
    }
    if battle.straight_run(charger).is_ok() {
        out.push(Offer::ChargeOn);
    }
}

/// What a unit may do that a charger has reached late.
pub(crate) fn when_reached_late(battle: &Battle, unit: UnitId, charger: UnitId, out: &mut Vec<Offer>) {
    let shots = battle.ammunition(unit).iter().filter(|shot| battle.aim(unit, charger, **shot).is_ok());
    out.extend(shots.map(|shot| Offer::FireAtOnce(*shot)));
    out.push(Offer::HoldFire);
}

/// Shooting before evading (BB-CHG-17, BB-SHO-12).
pub(crate) fn fire_first(battle: &Battle, charger: UnitId, target: UnitId) -> Result<Aim, Refusal> {
    decides!(BB_CHG_17, BB_SHO_12);
    if battle.arm(target) != Arm::Foot {
        return Err(Refusal::new(BB_SHO_12, "only infantry shoots before it evades"));
    }
    battle.may_shoot(target)?;
    battle.aim(target, charger, None)
}

/// What those offers need to be told.
pub(crate) fn input(battle: &Battle, offer: &Offer) -> Result<Input, Refusal> {
    match *offer {
        Offer::EvadeWay => {
            let most = Angle::hundredths(battle.farthest_aside().into());
            Ok(Input::Wheel { most_left: -most, most_right: most })
        }
        Offer::Evade { way, stretch } => {
            let Some(Pending::Evade { charger, target, .. }) = battle.pending else {
                return Err(Refusal::new(BB_CHG_12, "nobody is charged"));
            };
            let most = i32::from(battle.farthest_aside());
            if i32::from(way).abs() > most {
                let why = format!("that is more than {} degrees from the line of the charge", f64::from(most) / 100.0);
                return Err(Refusal::new(BB_CHG_13, why));
            }
            let open = battle.evade_stretches(target, charger, way).get(usize::from(stretch)).copied();
            let (least, most) = open.ok_or_else(|| Refusal::new(BB_CHG_21, "there is no room to evade that way"))?;
            let stop = Stop { at: most, why: "that is as far as it can run".into(), clause: BB_CHG_13 };
            Ok(Input::Distance { least, most, stops: vec![stop] })
        }
        Offer::GoOn => {
            let Some(Pending::Onward { charger } | Pending::Overrun { charger }) = battle.pending else {
                return Err(Refusal::new(BB_CHG_15, "nobody has a charge to go on with"));
            };
            let most = battle.onward_reach(charger);
            let stop = Stop { at: most, why: "the charge ends here".into(), clause: BB_CHG_15 };
            if most < LEAST {
                return Err(Refusal::new(BB_CHG_15, "there is no way to go on"));
            }
            Ok(Input::Distance { least: LEAST, most, stops: vec![stop] })
        }
        _ => Ok(Input::None),
    }
}

/// The charged unit stands, shoots first, or evades.
pub(crate) fn react(
    play: &mut Resolution<'_, Batteries>,
    offer: &Offer,
    distance: Length,
    angle: Angle,
) -> Result<(), Halt> {
    let Some(Pending::Evade { charger, target, .. }) = play.battle().pending else { return Ok(()) };
    match offer {
        Offer::FireFirst => {
            let battle = play.battle();
            let aim = fire_first(battle, charger, target).or_else(|_| battle.aim(target, charger, None))?;
            if let Some(kind) = play.battle().fire_of(target, None) {
                shooting::fire(play, target, &aim, kind, Moment::BeforeEvading)?;
                shooting::take_losses(play);
            }
        }
        Offer::EvadeWay => {
            let most = i32::from(play.battle().farthest_aside());
            let way = angle.to_hundredths().clamp(-most, most) as i16;
            play.happen(Event::Asked { pending: Pending::Evade { charger, target, way } });
        }
        Offer::Evade { way, .. } => evade::evade(play, charger, target, *way, distance)?,
        _ => evade::stand(play, charger, target)?,
    }
    Ok(())
}

/// A charger whose target has gone, or has been run over, goes on or halts.
pub(crate) fn go_on(play: &mut Resolution<'_, Batteries>, offer: &Offer, distance: Length) -> Result<(), Halt> {
    let (charger, overran) = match play.battle().pending {
        Some(Pending::Onward { charger }) => (charger, false),
        Some(Pending::Overrun { charger }) => (charger, true),
        _ => return Ok(()),
    };
    let length = match offer {
        Offer::Halt => None,
        Offer::ChargeOn => Some(play.battle().straight_run(charger)?.length),
        _ => Some(distance),
    };
    if overran { after_overrun(play, charger, length) } else { onward(play, charger, length) }
}
