//! Pursuit: after the enemy who gave way, into other enemy that are met, and the free hack (MB-RES-25 to 31).

use crate::phases::charge;
use crate::phases::fleeing;
use crate::phases::meeting;
use crate::phases::movement;
use crate::phases::options;
use crate::phases::splitting;
use sabretache_engine::clause::Clause;
use sabretache_engine::decides;
use sabretache_engine::dice::Throw;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::{Halt, Refusal};
use sabretache_engine::resolution::{Purpose, Wanted};
use sabretache_table::{Heading, Length, Outline, nearest_places};

use crate::battle::Battle;
use crate::brigade::{Charge, Status};
use crate::clauses::{
    MB_CBT_10, MB_MOV_20, MB_RES_18, MB_RES_20, MB_RES_22, MB_RES_25, MB_RES_26, MB_RES_27, MB_RES_28, MB_RES_29,
    MB_SEQ_02, MB_TER_11,
};
use crate::event::{Event, FastMove, Fight};
use crate::phases::advance::{capture_on_way, pay_for_way};
use crate::phases::fleeing::{fall_back, fast};
use crate::phases::harm::{Play, harm_by};
use crate::phases::meeting::Met;
use crate::phases::splitting::divide;
use crate::situations::{Cause, FreeHack, MoveRoll, Pace};
use crate::table::lay::{Figure, HAIR, near};
use crate::table::nearing::first_within;
use crate::table::path::{Going, Reach};

fn no<T>(clause: Clause, why: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::new(clause, why))
}

/// A brigade pursues: a fast move straight at the quarry, until contact (MB-RES-25 to 27).
pub(crate) fn pursue(play: &mut Play<'_>, unit: UnitId, action: FastMove) -> Result<(), Halt> {
    let Some(quarry) = fleeing::quarry(play.battle(), unit) else {
        if play.battle().brigade(unit).status == Status::Pursuing {
            play.happen(Event::Became { unit, status: Status::Retired });
        }
        return Ok(());
    };
    let (roll, distance) = fast(play, unit, Pace::Fast)?;
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
    decides!(MB_RES_25);
    let battle = play.battle();
    let crowd = battle.crowd_in_pursuit(unit);
    let from = Figure::of(&crowd, crowd.pose);
    let (a, b) = nearest_places(&from, battle.figure(quarry));
    let heading = Heading::toward(if (b - a).length() < 1.0 { from.centre() } else { a }, b);
    let foot = battle.brigade(unit).kind.is_foot();
    let going = Going { heeds_enemy: foot, ..Going::headlong() };
    let reach = battle.reach_as(unit, &crowd, &from, heading, distance, going);
    let to = battle.cleared(unit, &crowd, crowd.pose.moved(heading, reach.distance));
    if !battle.stands(unit, &Figure::of(&crowd, to)) {
        // There is no room to spread out: it halts where it is, formed.
        return Ok(());
    }
    if let Some((fresh, after)) = comes_near(battle, unit, quarry, &from, heading, &reach) {
        return turn_on(play, unit, fresh, action, roll, heading, [after, distance]);
    }
    // Fresh cavalry that it comes upon may answer (MB-RES-27).
    if let Some(target) = reach.touched.filter(|target| meeting::may_answer_meeting(battle, unit, *target)) {
        let (heading, pursuit) = (heading.to_hundredths(), Some(action));
        let met = Met { charger: unit, target, heading, roll, distance, pursuit, counters: false };
        play.happen(Event::Met { met });
        return Ok(());
    }
    go_after(play, unit, quarry, action, roll, heading, distance)
}

/// The first fresh enemy whom cavalry in pursuit come within 2 inches of, to their front, before their way ends, and
/// after how far. Whom they touch straight ahead anyway, and whom they have fought, they need not turn on (MB-RES-27).
fn comes_near(
    battle: &Battle,
    unit: UnitId,
    quarry: UnitId,
    from: &Figure,
    heading: Heading,
    reach: &Reach,
) -> Option<(UnitId, Length)> {
    decides!(MB_RES_27);
    let brigade = battle.brigade(unit);
    if !brigade.kind.is_cavalry() {
        return None;
    }
    let fought = |enemy: UnitId| {
        let of = |fight: &Fight| fight.a.iter().chain(&fight.b).map(|one| one.unit).collect::<Vec<_>>();
        battle.fights.iter().map(of).any(|all| all.contains(&unit) && all.contains(&enemy))
    };
    let (way, near_by) = (heading.unit(), battle.fixed.numbers.cavalry_halt.length());
    let met = |enemy: UnitId| {
        let one = battle.brigade(enemy);
        let fresh = one.is_brigade() && !one.runs();
        if !fresh
            || enemy == quarry
            || Some(enemy) == reach.touched
            || !options::is_known(battle, enemy)
            || fought(enemy)
        {
            return None;
        }
        let at = first_within(from, way, reach.distance.f(), battle.figure(enemy), near_by.f())?;
        let (own, theirs) = nearest_places(&from.moved(way * at), battle.figure(enemy));
        ((theirs - own).dot(way) > HAIR.f()).then(|| (Length::floored(at), enemy))
    };
    let corridor = from.bounds().swept(way * reach.distance.f());
    let first = battle.enemies_around(brigade.side, corridor, near_by).filter_map(met).min();
    first.map(|(at, enemy)| (enemy, at))
}

/// Cavalry in pursuit turn on fresh enemy near their way and charge them with what is left of their move (MB-RES-27).
fn turn_on(
    play: &mut Play<'_>,
    unit: UnitId,
    fresh: UnitId,
    action: FastMove,
    roll: MoveRoll,
    heading: Heading,
    [after, distance]: [Length; 2],
) -> Result<(), Halt> {
    let crowd = play.battle().crowd_in_pursuit(unit);
    let to = play.battle().cleared(unit, &crowd, crowd.pose.moved(heading, after));
    if !play.battle().stands(unit, &Figure::of(&crowd, to)) {
        let quarry = fleeing::quarry(play.battle(), unit).unwrap_or(fresh);
        return go_after(play, unit, quarry, action, roll, heading, distance);
    }
    let going = Going::headlong();
    let from = Figure::of(&crowd, crowd.pose);
    let way = play.battle().reach_as(unit, &crowd, &from, heading, after, going);
    let places = fleeing::new_places(play.battle(), unit, &crowd, to);
    play.happen(Event::Fell { unit, to, action, roll, places });
    pay_for_way(play, unit, &way)?;
    if !play.battle().brigade(unit).is_unit() {
        return Ok(());
    }
    capture_on_way(play, unit, &from, heading, after);
    let battle = play.battle();
    let (own, theirs) = nearest_places(battle.figure(unit), battle.figure(fresh));
    let heading = Heading::toward(own, theirs);
    let left = distance - after;
    if meeting::may_answer_meeting(battle, unit, fresh) {
        let (heading, pursuit) = (heading.to_hundredths(), Some(FastMove::PursueOn));
        let met = Met { charger: unit, target: fresh, heading, roll, distance: left, pursuit, counters: false };
        play.happen(Event::Met { met });
        return Ok(());
    }
    go_after(play, unit, fresh, FastMove::PursueOn, roll, heading, left)
}

/// The move itself: what ground or fresh enemy stop of it halts, and the rest goes on (MB-RES-28).
pub(crate) fn go_after(
    play: &mut Play<'_>,
    unit: UnitId,
    quarry: UnitId,
    action: FastMove,
    roll: MoveRoll,
    heading: Heading,
    distance: Length,
) -> Result<(), Halt> {
    decides!(MB_RES_28);
    let battle = play.battle();
    let crowd = battle.crowd_in_pursuit(unit);
    let from = Figure::of(&crowd, crowd.pose);
    let going = Going { heeds_enemy: crowd.kind.is_foot(), ..Going::headlong() };
    let reach = battle.reach_as(unit, &crowd, &from, heading, distance, going);
    let to = battle.cleared(unit, &crowd, crowd.pose.moved(heading, reach.distance));
    if !battle.stands(unit, &Figure::of(&crowd, to)) {
        return Ok(());
    }
    let fresh = reach.touched.is_some_and(|enemy| enemy != quarry && !battle.brigade(enemy).runs());
    let stopped = (matches!(reach.clause, MB_TER_11 | MB_MOV_20) || fresh) && reach.distance < distance;
    let places = fleeing::new_places(battle, unit, &crowd, to);
    play.happen(Event::Fell { unit, to, action, roll, places });
    pay_for_way(play, unit, &reach)?;
    if !play.battle().brigade(unit).is_unit() {
        return Ok(());
    }
    capture_on_way(play, unit, &from, heading, reach.distance);
    options::begin_looting(play, unit);
    if play.battle().brigade(unit).status == Status::Looting {
        return Ok(());
    }
    if stopped {
        let barred = splitting::barred(play.battle(), unit, heading);
        if barred.iter().any(|one| *one) && barred.iter().any(|one| !*one) {
            let left = distance - reach.distance;
            for (part, barred) in divide(play, unit, &barred) {
                if barred && fresh {
                    // Those who ran into fresh enemy fight them (MB-RES-27).
                    catch(play, part, &from)?;
                } else if barred {
                    play.happen(Event::Became { unit: part, status: Status::Retired });
                } else if play.battle().brigade(quarry).is_unit() {
                    go_after(play, part, quarry, FastMove::PursueOn, roll, heading, left)?;
                }
            }
            return Ok(());
        }
    }
    catch(play, unit, &from)
}

/// Pursuers hack at those they caught, and charge other enemy they meet (MB-RES-20, 26, 27).
pub(crate) fn catch(play: &mut Play<'_>, unit: UnitId, began: &Figure) -> Result<(), Halt> {
    let battle = play.battle();
    let side = battle.brigade(unit).side;
    let reach = if battle.brigade(unit).kind.is_foot() { battle.fixed.numbers.musketry.length() } else { Length::ZERO };
    let met: Vec<UnitId> =
        battle.enemies(side).filter(|enemy| near(battle.figure(unit), &battle.figure(*enemy), reach)).collect();
    let mut fresh = false;
    for enemy in met {
        let battle = play.battle();
        if battle.brigade(enemy).runs() && battle.brigade(enemy).is_brigade() {
            hack(play, unit, enemy)?;
        } else {
            fresh = true;
            // To come upon a flank or rear in pursuit is to charge it (MB-CBT-16).
            if battle.brigade(unit).kind.is_cavalry() && charge::strikes_flank(battle, began, unit, enemy, None) {
                play.happen(Event::Flanked { unit: enemy });
            }
        }
    }
    decides!(MB_CBT_10);
    if fresh && play.battle().brigade(unit).is_unit() {
        play.happen(Event::PursuedInto { unit });
    }
    Ok(())
}

/// The free hack (MB-RES-26); those caught retiring are routed (MB-RES-20).
pub(crate) fn hack(play: &mut Play<'_>, unit: UnitId, at: UnitId) -> Result<(), Halt> {
    decides!(MB_RES_20, MB_RES_26);
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
    harm_by(play, at, 0, casualties, Cause::Morale, Some(unit))?;
    if was_retiring && play.battle().brigade(at).is_unit() {
        play.happen(Event::Became { unit: at, status: Status::Routing });
        for blow in play.battle().rout_of(at) {
            play.happen(Event::Noted { blow });
        }
    }
    Ok(())
}

/// Whether a brigade that runs goes on now: routers nobody pursues, pursuers, and those who retire further.
pub(crate) fn may_go_on(battle: &Battle, unit: UnitId) -> Result<(), Refusal> {
    decides!(MB_RES_18, MB_RES_29);
    let brigade = battle.brigade(unit);
    if battle.phase != crate::event::Phase::Movement || brigade.side != battle.active || brigade.marks.share.done {
        return no(MB_SEQ_02, "it is not its half of the movement phase");
    }
    if movement::acting(battle) != Some(movement::group_of(battle, unit)) || battle.group.is_some() {
        return no(MB_SEQ_02, "others move first");
    }
    match brigade.status {
        Status::Routing if fleeing::is_pursued(battle, unit) => no(MB_RES_22, "it runs when its pursuers move"),
        Status::Routing => {
            decides!(MB_RES_22);
            Ok(())
        }
        Status::Pursuing if brigade.marks.control.by == Charge::GoesOn && !battle.pinned(unit) => Ok(()),
        Status::Pursuing => no(MB_RES_29, "it has left off, or is in combat"),
        Status::Retired if !brigade.runs() => no(MB_RES_18, "it has left off running, and forms or stands"),
        Status::Retired if battle.pinned(unit) || brigade.marks.control.halted => {
            no(MB_RES_18, "it is halted, or in combat")
        }
        Status::Retired if goes_as_it_likes(brigade.marks.control.by) => Ok(()),
        Status::Retired => no(MB_RES_18, "out of control, it retires further only if a test lets it"),
        _ => no(MB_RES_18, "it is not running"),
    }
}

/// Whether a brigade is under control, or a test has it free or going on with what it did.
fn goes_as_it_likes(control: Charge) -> bool {
    matches!(control, Charge::By(_) | Charge::Attached | Charge::Free | Charge::Repeats | Charge::GoesOn)
}

/// A brigade runs on.
pub(crate) fn go_on(play: &mut Play<'_>, unit: UnitId) -> Result<(), Halt> {
    may_go_on(play.battle(), unit)?;
    let before = play.battle().units.len();
    match play.battle().brigade(unit).status {
        Status::Routing => {
            if !fleeing::is_out_of_reach(play.battle(), unit) {
                fall_back(play, unit, FastMove::RoutOn, None)?;
            }
        }
        Status::Pursuing => {
            // The routers move just before their pursuers, and lose a base for it (MB-RES-22).
            if let Some(quarry) = fleeing::quarry(play.battle(), unit) {
                run_before(play, quarry, unit)?;
            }
            pursue(play, unit, FastMove::PursueOn)?;
        }
        _ => fall_back(play, unit, FastMove::RetireOn, None)?,
    }
    // What split from it has had its move with it (MB-RES-28).
    let parts: Vec<UnitId> = (before..play.battle().units.len()).map(|n| UnitId(n as u16)).collect();
    let of_it = |part: &UnitId| play.battle().brigade(*part).entry == play.battle().brigade(unit).entry;
    let parts: Vec<UnitId> = parts.into_iter().filter(of_it).chain([unit]).collect();
    for unit in parts {
        if play.battle().brigade(unit).is_unit() {
            play.happen(Event::Done { unit });
        }
    }
    Ok(())
}

/// Routers run just before their pursuers, once, however many come after them, and lose a base for it. Where nothing
/// drives them on they stay, and lose nothing (MB-RES-22).
fn run_before(play: &mut Play<'_>, quarry: UnitId, pursuer: UnitId) -> Result<(), Halt> {
    decides!(MB_RES_22);
    let battle = play.battle();
    let brigade = battle.brigade(quarry);
    if !brigade.is_routing() || brigade.marks.shifted {
        return Ok(());
    }
    let stays = fleeing::is_out_of_reach(battle, quarry);
    let trapped = splitting::barred(battle, quarry, fleeing::rearward(battle, quarry)).iter().all(|one| *one);
    if !stays && !trapped {
        let lost = play.battle().fixed.numbers.rout_losses;
        harm_by(play, quarry, 0, lost, Cause::Morale, Some(pursuer))?;
    }
    if play.battle().brigade(quarry).is_unit() {
        fall_back(play, quarry, FastMove::RoutOn, None)?;
    }
    Ok(())
}
