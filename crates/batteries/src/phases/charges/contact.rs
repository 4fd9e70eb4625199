//! A charge carried out: the run, contact, evasion, and what lies beyond.

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::Halt;
use sabretache_engine::resolution::{Purpose, Resolution, Wanted};
use sabretache_table::{Length, Outline, exact_distance};

use crate::Batteries;
use crate::battle::{Battle, Contact, Pending};
use crate::clauses::*;
use crate::event::{Event, How};
use crate::phases::charges::Run;
use crate::phases::movement::marches::another;
use crate::phases::shooting::{Moment, fire};
use crate::situations::PloughedField;
use crate::table::NEAR;
use crate::terrain::walls::AtWall;
use crate::troops::{Arm, Shot};

/// A unit charges: the move of the last one is over, and its general pays where that is the rule. Where the rules forbid it and it is done
/// all the same, it runs at the first enemy there is.
pub(crate) fn set_off(play: &mut Resolution<'_, Batteries>, unit: UnitId) -> Result<(), Halt> {
    let breaks = play.breaks_a_rule();
    let battle = play.battle();
    let despite = if breaks { battle.charge_despite(unit) } else { None };
    let run = match despite {
        Some(run) => run,
        None => battle.run(unit)?,
    };
    let payer = if breaks { battle.who_pays(unit).unwrap_or(None) } else { battle.who_pays(unit)? };
    let before = battle.launch.as_ref().and_then(|launch| launch.before);
    if let Some(before) = before.filter(|before| *before != unit) {
        play.happen(Event::MoveOver { unit: before });
    }
    another(play, unit);
    if let Some(general) = payer {
        play.happen(Event::PointSpent { general });
    }
    charge(play, unit, &run)
}

/// A unit charges straight ahead.
fn charge(play: &mut Resolution<'_, Batteries>, unit: UnitId, run: &Run) -> Result<(), Halt> {
    let foot = play.battle().arm(unit) == Arm::Foot;
    let at_horse = run.targets.iter().any(|target| play.battle().arm(*target) == Arm::Horse);
    play.happen(Event::Charges { unit });
    decides!(BB_STA_03);
    if foot && at_horse && !play.battle().unit(unit).disordered {
        play.happen(Event::Disordered { unit, by: BB_STA_03 });
    }
    run_on(play, unit, run.length, run.cost, Leg::First)?;
    if run.onto_screen {
        play.happen(Event::MoveOver { unit });
        return Ok(());
    }
    meet(play, unit)
}

/// Which part of a charge a run is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Leg {
    /// Up to the first enemy.
    First,
    /// On from there.
    Onward,
}

/// The straight run itself, over whatever ground.
fn run_on(
    play: &mut Resolution<'_, Batteries>,
    unit: UnitId,
    length: Length,
    cost: Length,
    leg: Leg,
) -> Result<(), Halt> {
    crate::phases::screens::make_way(play, unit, length);
    let battle = play.battle();
    let from = battle.unit(unit).pose;
    let to = from.ahead(length);
    // The whole of its move is the charge; it is rolled for once, when enough of it has led over such ground (BB-PLO-02).
    let enough = battle.numbers().ploughed.length.0.f() - NEAR;
    let before = battle.ploughed_so_far(unit).f();
    let after = before + battle.ploughed(from.at.v(), to.at.v()).f();
    decides!(BB_PLO_02);
    let due = after >= enough && (leg == Leg::First || before < enough);
    let advanced = battle.advances(unit, to, How::Charge);
    play.happen(Event::Moved { unit, to, cost, how: How::Charge, advanced });
    crate::phases::aftermath::disorder_on_the_way(play, unit, from);
    let battle = play.battle();
    if battle.arm(unit) == Arm::Horse && due && !battle.unit(unit).disordered {
        let (field, numbers) = (PloughedField {}, battle.numbers().clone());
        let purpose = Purpose { what: "ploughed field", of: Some(unit.into()), side: battle.side(unit) };
        let test = field.test(&numbers);
        let wanted = Wanted::AtMost(test.target() - 1);
        let read = |_: &Battle, total| field.read(total, &numbers).disordered;
        if play.roll_for(purpose, &test, &field.throw(&numbers), wanted, read)? {
            play.happen(Event::Disordered { unit, by: BB_PLO_02 });
        }
    }
    Ok(())
}

/// Those whom a charger touches where it stands.
fn touched(battle: &Battle, charger: UnitId) -> Vec<UnitId> {
    let here = battle.placed(charger);
    let fights = |enemy: &UnitId| battle.opponents(charger).any(|other| other == *enemy);
    battle
        .enemies(charger)
        .filter(|enemy| !fights(enemy) && battle.leads(*enemy))
        .filter(|enemy| {
            let near = here.bounds().grown(NEAR).meets(&battle.bounds(*enemy));
            (near && exact_distance(&here, battle.outline(*enemy)) <= NEAR / 2.0) || battle.meets_at_wall(&here, *enemy)
        })
        .collect()
}

/// A charger has come up to somebody: a unit that may evade is asked, the rest are in contact.
pub(crate) fn meet(play: &mut Resolution<'_, Batteries>, charger: UnitId) -> Result<(), Halt> {
    decides!(BB_CHG_04, BB_CHG_16, BB_MOV_15);
    for target in touched(play.battle(), charger) {
        // One unit defends a breach, as one assaults it.
        let battle = play.battle();
        if battle.in_contact(charger)
            && matches!(battle.at_wall(battle.outline(charger), battle.outline(target)), Some(AtWall::Breach(..)))
        {
            continue;
        }
        if play.battle().may_evade(target, charger) {
            decides!(BB_CHG_12);
            play.happen(Event::Asked { pending: Pending::Evade { charger, target, way: 0 } });
            return Ok(());
        }
        touch(play, charger, target);
    }
    decides!(BB_CHG_15);
    if !play.battle().in_contact(charger) {
        play.happen(Event::Asked { pending: Pending::Onward { charger } });
    } else {
        play.happen(Event::MoveOver { unit: charger });
    }
    Ok(())
}

/// Contact is made (BB-CHG-09, BB-STA-01).
pub(crate) fn touch(play: &mut Resolution<'_, Batteries>, charger: UnitId, target: UnitId) {
    decides!(BB_OBS_05, BB_CHG_09, BB_STA_01);
    let battle = play.battle();
    let (us, them) = (battle.placed(charger), battle.placed(target));
    let (cover, obstacle) = battle.defended(&battle.way_in(charger), &them);
    let into_obstacle = battle.defended(&[us.centre()], &them).1;
    let as_square = battle.meets_square(charger, target);
    let flank = !as_square && battle.takes_in_flank(charger, target);
    let uphill = battle.strikes_uphill(charger, target);
    let broken = battle.disordering(battle.unit(charger), battle.facts(charger), &them);
    if let Some(by) = broken.filter(|_| !battle.unit(charger).disordered) {
        play.happen(Event::Disordered { unit: charger, by });
    }
    let steady = play.battle().steady(charger) && !into_obstacle;
    play.happen(Event::Touched {
        contact: Contact {
            charger,
            target,
            flank,
            cover,
            obstacle,
            into_obstacle,
            uphill,
            fresh: true,
            steady,
            overrun: false,
            follows: false,
            pursuit: false,
            as_square,
        },
    });
}

/// A charger whose targets have gone goes on straight ahead.
pub(crate) fn onward(
    play: &mut Resolution<'_, Batteries>,
    charger: UnitId,
    length: Option<Length>,
) -> Result<(), Halt> {
    play.happen(Event::Settled);
    decides!(BB_CHG_15);
    let Some(length) = length else {
        play.happen(Event::MoveOver { unit: charger });
        return Ok(());
    };
    let way = play.battle().unit(charger).pose.heading;
    let cost = play.battle().cost(charger, way, 1, length);
    run_on(play, charger, length, cost, Leg::Onward)?;
    if touched(play.battle(), charger).is_empty() {
        play.happen(Event::MoveOver { unit: charger });
        return Ok(());
    }
    meet(play, charger)
}

/// A charger that has run over guns or skirmishers goes on, or halts (BB-CHG-24).
pub(crate) fn after_overrun(
    play: &mut Resolution<'_, Batteries>,
    charger: UnitId,
    length: Option<Length>,
) -> Result<(), Halt> {
    decides!(BB_CHG_24);
    play.happen(Event::Settled);
    if let Some(length) = length {
        let from = play.battle().unit(charger).pose;
        let cost = play.battle().cost(charger, from.heading, 1, length);
        run_on(play, charger, length, cost, Leg::Onward)?;
        // What it meets again of those it has run over is trodden down as well (BB-CHG-23).
        let again = crate::phases::charges::overrun::met_again(play.battle(), charger);
        for target in &again {
            crate::phases::charges::overrun::overrun(play, charger, *target, from);
        }
        for target in touched(play.battle(), charger) {
            touch(play, charger, target);
        }
        let battle = play.battle();
        let all_run_over = battle.contacts.iter().filter(|one| one.charger == charger).all(|one| one.overrun);
        if !again.is_empty() && all_run_over && crate::phases::charges::overrun::can_go_on(battle, charger) {
            play.happen(Event::Asked { pending: Pending::Overrun { charger } });
            return Ok(());
        }
    }
    late_fire(play, charger)
}

/// Each unit that a charger reaches late and that has not fired yet may shoot at it at once; then it goes on with the tests
/// (BB-CHG-24).
pub(crate) fn late_fire(play: &mut Resolution<'_, Batteries>, charger: UnitId) -> Result<(), Halt> {
    decides!(BB_CHG_24);
    let battle = play.battle();
    let late = |contact: &&Contact| contact.charger == charger && contact.fresh && !contact.overrun;
    let able = |unit: &UnitId| {
        let shots = || battle.ammunition(*unit).iter().any(|shot| battle.aim(*unit, charger, *shot).is_ok());
        !battle.unit(*unit).now.held_fire && battle.may_shoot(*unit).is_ok() && shots()
    };
    let asked = battle.contacts.iter().filter(late).map(|contact| contact.target).find(able);
    if let Some(unit) = asked {
        play.happen(Event::Asked { pending: Pending::AtOnce { unit, charger } });
        return Ok(());
    }
    if play.battle().contacts.iter().any(|contact| contact.charger == charger && !contact.overrun) {
        play.happen(Event::Began { step: crate::battle::Step::ChargeTests });
    }
    crate::phases::turn::proceed(play)
}

/// A unit shoots at a charger that has reached it late, or lets it come.
pub(crate) fn at_once(
    play: &mut Resolution<'_, Batteries>,
    unit: UnitId,
    charger: UnitId,
    shot: Option<Option<Shot>>,
) -> Result<(), Halt> {
    let battle = play.battle();
    let aimed = shot.and_then(|shot| Some((battle.aim(unit, charger, shot).ok()?, battle.fire_of(unit, shot)?)));
    play.happen(Event::Settled);
    match aimed {
        Some((aim, kind)) => {
            let hits = |play: &Resolution<'_, Batteries>| play.battle().unit(charger).now.hits;
            let before = hits(play);
            fire(play, unit, &aim, kind, Moment::Phase)?;
            crate::phases::shooting::take_losses(play);
            // His general has been in danger already if this phase had cost two before (BB-OPT-49).
            let enough = u16::from(play.battle().numbers().fall.hits);
            if before < enough && hits(play) >= enough {
                crate::phases::morale::danger_to_generals(play, charger)?;
            }
        }
        None => play.happen(Event::HoldsFire { unit }),
    }
    late_fire(play, charger)
}
