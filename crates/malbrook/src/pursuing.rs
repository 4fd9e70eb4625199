//! Pursuit: after the enemy who gave way, into whoever else is met, and the free hack (MB-RES-25 to 31).

use sabretache_engine::clause::Clause;
use sabretache_engine::dice::Throw;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::{Halt, Refusal};
use sabretache_engine::resolution::{Purpose, Wanted};
use sabretache_table::{Heading, Length};

use crate::advance::{capture, pay_for_way};
use crate::battle::Battle;
use crate::brigade::{Charge, Status};
use crate::clauses::{MB_MOV_20, MB_RES_18, MB_RES_22, MB_RES_29, MB_SEQ_02, MB_TER_11};
use crate::event::{BlowKind, Event, FastMove};
use crate::fleeing::{divide, fall_back, fast};
use crate::harm::{Play, harm};
use crate::lay::{Figure, near};
use crate::meeting::Met;
use crate::path::Going;
use crate::situations::{Cause, FreeHack, MoveRoll};

fn no<T>(clause: Clause, why: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::new(clause, why))
}

/// A brigade pursues: a fast move straight at the quarry, until contact (MB-RES-25 to 27).
pub(crate) fn pursue(play: &mut Play<'_>, unit: UnitId, action: FastMove) -> Result<(), Halt> {
    let Some(quarry) = play.battle().quarry(unit) else {
        if play.battle().brigade(unit).status == Status::Pursuing {
            play.happen(Event::Became { unit, status: Status::Retired });
        }
        return Ok(());
    };
    let (roll, distance) = fast(play, unit, false)?;
    chase(play, unit, quarry, action, roll, distance)
}

/// The way of a pursuit, by dice already thrown.
pub(crate) fn chase(
    play: &mut Play<'_>,
    unit: UnitId,
    quarry: UnitId,
    action: FastMove,
    roll: MoveRoll,
    distance: Length,
) -> Result<(), Halt> {
    let battle = play.battle();
    let crowd = battle.brigade(unit).loosened();
    let from = Figure::of(&crowd, crowd.pose);
    let (a, b) = sabretache_table::nearest_places(&from, battle.figure(quarry));
    let heading = Heading::toward(if (b - a).length() < 1.0 { from.centre() } else { a }, b);
    let foot = battle.brigade(unit).kind.is_foot();
    let going = Going { heeds_enemy: foot, ..Going::headlong() };
    let reach = battle.reach_as(unit, &crowd, &from, heading, distance, going);
    let to = crowd.pose.moved(heading, reach.distance);
    if !battle.stands(unit, &Figure::of(&crowd, to)) {
        // There is no room to spread out: it halts where it is, formed.
        return Ok(());
    }
    // Fresh cavalry that it comes upon may answer (MB-RES-27).
    if let Some(target) = reach.touched.filter(|target| battle.may_answer_meeting(unit, *target)) {
        let (heading, pursuit) = (heading.to_hundredths(), Some(action));
        let met = Met { charger: unit, target, heading, roll, distance, pursuit, counters: false };
        play.happen(Event::Met { met });
        return Ok(());
    }
    go_after(play, unit, quarry, action, roll, heading, distance)
}

/// The move itself: what ground stops of it halts, and the rest goes on (MB-RES-28).
pub(crate) fn go_after(
    play: &mut Play<'_>,
    unit: UnitId,
    quarry: UnitId,
    action: FastMove,
    roll: MoveRoll,
    heading: Heading,
    distance: Length,
) -> Result<(), Halt> {
    let battle = play.battle();
    let crowd = battle.brigade(unit).loosened();
    let from = Figure::of(&crowd, crowd.pose);
    let going = Going { heeds_enemy: crowd.kind.is_foot(), ..Going::headlong() };
    let reach = battle.reach_as(unit, &crowd, &from, heading, distance, going);
    let to = crowd.pose.moved(heading, reach.distance);
    if !battle.stands(unit, &Figure::of(&crowd, to)) {
        return Ok(());
    }
    let by_ground = matches!(reach.clause, MB_TER_11 | MB_MOV_20) && reach.distance < distance;
    play.happen(Event::Fell { unit, to, action, roll });
    pay_for_way(play, unit, &reach)?;
    if !play.battle().brigade(unit).is_unit() {
        return Ok(());
    }
    capture(play, unit);
    crate::options::begin_looting(play, unit);
    if play.battle().brigade(unit).status == Status::Looting {
        return Ok(());
    }
    if by_ground {
        let barred = play.battle().barred(unit, heading);
        if barred.iter().any(|one| *one) && barred.iter().any(|one| !*one) {
            let left = distance - reach.distance;
            for (part, barred) in divide(play, unit, &barred) {
                if barred {
                    play.happen(Event::Became { unit: part, status: Status::Retired });
                } else if play.battle().brigade(quarry).is_unit() {
                    go_after(play, part, quarry, FastMove::PursueOn, roll, heading, left)?;
                }
            }
            return Ok(());
        }
    }
    catch(play, unit)
}

/// Pursuers hack at those they caught, and charge whoever else they meet (MB-RES-20, 26, 27).
pub(crate) fn catch(play: &mut Play<'_>, unit: UnitId) -> Result<(), Halt> {
    let battle = play.battle();
    let side = battle.brigade(unit).side;
    let reach = if battle.brigade(unit).kind.is_foot() { battle.fixed.numbers.musketry.length() } else { Length::ZERO };
    let met: Vec<UnitId> =
        battle.enemies(side).filter(|enemy| near(battle.figure(unit), &battle.figure(*enemy), reach)).collect();
    let mut fresh = false;
    for enemy in met {
        let brigade = play.battle().brigade(enemy);
        if matches!(brigade.status, Status::Routing | Status::Retired) && brigade.is_brigade() {
            hack(play, unit, enemy)?;
        } else {
            fresh = true;
        }
    }
    if fresh && play.battle().brigade(unit).is_unit() {
        play.happen(Event::PursuedInto { unit });
    }
    Ok(())
}

/// The free hack (MB-RES-26); those caught retiring are routed (MB-RES-20).
pub(crate) fn hack(play: &mut Play<'_>, unit: UnitId, at: UnitId) -> Result<(), Halt> {
    let battle = play.battle();
    let side = battle.brigade(unit).side;
    let reach = if battle.brigade(unit).kind.is_foot() { battle.fixed.numbers.musketry.length() } else { Length::ZERO };
    let caught = battle.figure(at);
    let touching = battle.figure(unit).bases.iter().filter(|base| near(*base, &caught, reach)).count() as u8;
    if touching == 0 {
        return Ok(());
    }
    let throw: Throw = FreeHack { bases: touching }.throw(&battle.fixed.numbers);
    let purpose = Purpose { what: "free hack", of: Some(unit.into()), side };
    let casualties = play.throw(purpose, &throw, Wanted::High)?.total() as u8;
    play.happen(Event::Hacked { unit, at, casualties });
    let was_retiring = play.battle().brigade(at).status == Status::Retired;
    harm(play, at, 0, casualties, Cause::Morale)?;
    if was_retiring && play.battle().brigade(at).is_unit() {
        play.happen(Event::Became { unit: at, status: Status::Routing });
        let blow = play.battle().blow(at, BlowKind::Routs, None);
        play.happen(Event::Noted { blow });
    }
    Ok(())
}

/// Whether a brigade that runs goes on now: routers nobody pursues, pursuers, and those who retire further.
pub(crate) fn may_go_on(battle: &Battle, unit: UnitId) -> Result<(), Refusal> {
    let brigade = battle.brigade(unit);
    if battle.phase != crate::event::Phase::Movement || brigade.side != battle.active || brigade.marks.done {
        return no(MB_SEQ_02, "it is not its half of the movement phase");
    }
    if battle.acting() != Some(battle.group_of(unit)) || battle.group.is_some() {
        return no(MB_SEQ_02, "others move first");
    }
    match brigade.status {
        Status::Routing if battle.is_pursued(unit) => no(MB_RES_22, "it runs when its pursuers move"),
        Status::Routing => Ok(()),
        Status::Pursuing if brigade.marks.control == Charge::GoesOn && !battle.pinned(unit) => Ok(()),
        Status::Pursuing => no(MB_RES_29, "it has left off, or is in combat"),
        Status::Retired if !battle.pinned(unit) && !brigade.marks.halted => Ok(()),
        _ => no(MB_RES_18, "it is not running"),
    }
}

/// A brigade runs on.
pub(crate) fn go_on(play: &mut Play<'_>, unit: UnitId) -> Result<(), Halt> {
    may_go_on(play.battle(), unit)?;
    match play.battle().brigade(unit).status {
        Status::Routing => {
            let figure = play.battle().figure(unit);
            if !play.battle().rout_ends(unit, figure) {
                fall_back(play, unit, FastMove::RoutOn, None)?;
            }
        }
        Status::Pursuing => {
            // The routers move just before their pursuers, and lose a base for it (MB-RES-22).
            if let Some(quarry) =
                play.battle().quarry(unit).filter(|quarry| play.battle().brigade(*quarry).is_routing())
            {
                harm(play, quarry, 0, 1, Cause::Morale)?;
                if play.battle().brigade(quarry).is_unit() {
                    fall_back(play, quarry, FastMove::RoutOn, None)?;
                }
            }
            pursue(play, unit, FastMove::PursueOn)?;
        }
        _ => fall_back(play, unit, FastMove::RetireOn, None)?,
    }
    if play.battle().brigade(unit).is_unit() {
        play.happen(Event::Done { unit });
    }
    Ok(())
}
