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
use crate::phases::charges::contact::{self, after_overrun, onward};
use crate::phases::charges::evade;
use crate::phases::movement::LEAST;
use crate::phases::shooting::targets::Aim;
use crate::phases::shooting::{self, Moment};
use crate::troops::{Arm, Shot};

/// Shooting before evading (BB-CHG-17, BB-SHO-12).
pub(crate) fn fire_first(battle: &Battle, charger: UnitId, target: UnitId) -> Result<Aim, Refusal> {
    decides!(BB_CHG_17, BB_SHO_12);
    if battle.arm(target) != Arm::Foot {
        return Err(Refusal::new(BB_SHO_12, "only infantry shoots before it evades"));
    }
    battle.may_shoot(target)?;
    battle.aim(target, charger, None)
}

/// Who is charged and may answer, and by whom.
fn charged(battle: &Battle) -> Option<(UnitId, UnitId)> {
    match battle.pending {
        Some(Pending::Evade { charger, target, .. }) => Some((charger, target)),
        _ => None,
    }
}

/// How far a charged unit may evade on a way of its own.
pub(crate) fn evade_input(battle: &Battle, way: i16, stretch: u8) -> Result<Input, Refusal> {
    let (charger, target) = charged(battle).ok_or_else(|| Refusal::new(BB_CHG_12, "nobody is charged"))?;
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

/// How far a charger may go on whose target has gone, or has been run over.
pub(crate) fn go_on_input(battle: &Battle) -> Result<Input, Refusal> {
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

/// The charged unit stands.
pub(crate) fn stand(play: &mut Resolution<'_, Batteries>) -> Result<(), Halt> {
    let Some((charger, target)) = charged(play.battle()) else { return Ok(()) };
    evade::stand(play, charger, target)
}

/// It shoots, and may then evade.
pub(crate) fn shoot_first(play: &mut Resolution<'_, Batteries>) -> Result<(), Halt> {
    let Some((charger, target)) = charged(play.battle()) else { return Ok(()) };
    let battle = play.battle();
    let aim = fire_first(battle, charger, target).or_else(|_| battle.aim(target, charger, None))?;
    if let Some(kind) = play.battle().fire_of(target, None) {
        shooting::fire(play, target, &aim, kind, Moment::BeforeEvading)?;
        shooting::take_losses(play);
    }
    Ok(())
}

/// It would evade another way.
pub(crate) fn set_way(play: &mut Resolution<'_, Batteries>, angle: Angle) {
    let Some((charger, target)) = charged(play.battle()) else { return };
    let most = i32::from(play.battle().farthest_aside());
    let way = angle.to_hundredths().clamp(-most, most) as i16;
    play.happen(Event::Asked { pending: Pending::Evade { charger, target, way } });
}

/// It evades.
pub(crate) fn evade(play: &mut Resolution<'_, Batteries>, way: i16, distance: Length) -> Result<(), Halt> {
    let Some((charger, target)) = charged(play.battle()) else { return Ok(()) };
    evade::evade(play, charger, target, way, distance)
}

/// A charger whose target has gone, or has been run over, goes on so far or halts.
pub(crate) fn go_on(play: &mut Resolution<'_, Batteries>, length: Option<Length>) -> Result<(), Halt> {
    match play.battle().pending {
        Some(Pending::Onward { charger }) => onward(play, charger, length),
        Some(Pending::Overrun { charger }) => after_overrun(play, charger, length),
        _ => Ok(()),
    }
}

/// It goes on into the next enemy.
pub(crate) fn charge_on(play: &mut Resolution<'_, Batteries>) -> Result<(), Halt> {
    let Some(Pending::Onward { charger } | Pending::Overrun { charger }) = play.battle().pending else {
        return Ok(());
    };
    let length = play.battle().straight_run(charger)?.length;
    go_on(play, Some(length))
}

/// A unit that a charger has reached late shoots at it or lets it come.
pub(crate) fn at_once(play: &mut Resolution<'_, Batteries>, shot: Option<Option<Shot>>) -> Result<(), Halt> {
    let Some(Pending::AtOnce { unit, charger }) = play.battle().pending else { return Ok(()) };
    contact::at_once(play, unit, charger, shot)
}
