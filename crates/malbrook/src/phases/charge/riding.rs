//! Charges ridden: the dice, where they end, whom they strike.

use super::*;
use crate::clauses::{
    MB_CBT_16, MB_CHG_06, MB_CHG_07, MB_CHG_08, MB_CHG_12, MB_CHG_14, MB_FRM_05, MB_GEN_13, MB_MOV_09, MB_MOV_24,
};
use crate::phases::meeting;
use crate::table::path::Reach;
use sabretache_engine::decides;
use sabretache_table::Pose;

/// Whether a charger stood behind a target's flank, and touches its side or rear (MB-GEN-13): behind the line on which
/// that one stood then, if it has ridden since.
pub(crate) fn strikes_flank(
    battle: &Battle,
    started: &Figure,
    charger: UnitId,
    at: UnitId,
    stood: Option<Pose>,
) -> bool {
    decides!(MB_GEN_13, MB_FRM_05);
    decides!(MB_CBT_16);
    let target = battle.brigade(at);
    if target.is_unformed() {
        return false;
    }
    let forward = target.pose.heading.unit();
    let line = forward.dot(stood.unwrap_or(target.pose).at.v());
    let behind = started.bases.iter().take(started.front).any(|base| {
        let front = base.corner(Corner::FrontLeft).toward(base.corner(Corner::FrontRight), 0.5);
        forward.dot(front) < line - 2.0
    });
    let figure = battle.figure(at);
    let front = &figure.bases[..figure.front.min(figure.bases.len())];
    let (Some(first), Some(last)) = (front.first(), front.last()) else { return false };
    let (left, right) = (first.corner(Corner::FrontLeft), last.corner(Corner::FrontRight));
    let edge = Convex::segment(Segment::new(left.toward(right, 0.02), left.toward(right, 0.98)));
    // An end that is drawn back has no flank on its side.
    let right = target.pose.heading.unit().right();
    let from_left = (battle.figure(charger).centre() - figure.centre()).dot(right) < 0.0;
    let guarded = target.refused.is_some_and(|refused| refused.left == from_left);
    behind && !guarded && !near(battle.figure(charger), &edge, Length::ZERO)
}

/// A charger, or the brigade that rides to meet it, names its dice; when both have, they ride.
pub(crate) fn name_dice(play: &mut Play<'_>, unit: UnitId, dice: MoveDice) -> Result<(), Halt> {
    let battle = play.battle();
    let open = battle.phase == Phase::ChargeMoves && names_dice(battle) == Some(unit);
    let suits = charge_dice(battle, unit).contains(&dice);
    play.require(open, MB_CHG_06, || "it is not its turn to name dice".into())?;
    play.require(suits, MB_MOV_24, || "cavalry change their speed by two dice at most".into())?;
    let Some(charger) = next_charge(play.battle()) else { return Ok(()) };
    let meets = rides_against(play.battle(), charger);
    if unit == charger && meets.is_some() {
        let roll = GroupRoll { of: unit, average: dice.average, d6: dice.d6, faces: [0; 3], double: false };
        play.happen(Event::MoveRolled { roll });
        return Ok(());
    }
    match (play.battle().group, meets) {
        (Some(named), Some(other)) => {
            let theirs = MoveDice::new(named.average, named.d6);
            play.happen(Event::GroupDone);
            let ours = throw_dice(play, charger, theirs)?;
            let their_roll = throw_dice(play, other, dice)?;
            ride_both(play, charger, ours, other, their_roll)
        }
        _ => ride(play, charger, dice),
    }
}

pub(crate) fn distance_of(play: &Play<'_>, unit: UnitId, roll: &MoveRoll) -> Length {
    roll.distance(Pace::Normal, play.battle().inspires(unit) > 0, false, &play.battle().fixed.numbers)
}

fn course(battle: &Battle, unit: UnitId) -> Heading {
    let brigade = battle.brigade(unit);
    match brigade.marks.carried.attack {
        Assault::Declared { bearing, .. } => brigade.pose.heading + Angle::hundredths(bearing),
        _ => brigade.pose.heading,
    }
}

/// Which way cavalry ride to meet those who come on a course: as they charge, if they do; straight forward; and where
/// they face all round, at them (MB-CHG-12, MB-FRM-05).
pub(crate) fn course_to_meet(battle: &Battle, unit: UnitId, theirs: Heading) -> Heading {
    decides!(MB_CHG_12);
    let brigade = battle.brigade(unit);
    let charges = matches!(brigade.marks.carried.attack, Assault::Declared { .. });
    if brigade.is_unformed() && !charges { theirs.reversed() } else { course(battle, unit) }
}

/// How much of their moves two bodies have gone when they meet, each on its own way; nothing where they do not (MB-CHG-14).
pub(crate) fn meet_after(ours: &Figure, our_way: Vec2, theirs: &Figure, their_way: Vec2) -> Option<f64> {
    decides!(MB_CHG_14);
    let nearing = our_way - their_way;
    let far = nearing.length();
    if far < 1.0 {
        return None;
    }
    // Just reaching each other is meeting, a hair's breadth forgiven (MB-GEN-08).
    first_contact(ours, nearing.unit(), far + HAIR.f(), theirs).map(|at| (at / far).min(1.0))
}

/// How far a charge gets whom only the one it rides to meet may stop: what a hedge on its way takes of the dice is gone.
fn way_to_go(battle: &Battle, unit: UnitId, course: Heading, rolled: Length, meets: UnitId) -> Length {
    decides!(MB_CHG_08);
    let reach = battle.reach(unit, course, rolled, Going::headlong());
    if reach.touched == Some(meets) { rolled - reach.half * reach.crossed.len() as i32 } else { reach.distance }
}

/// A charge up to where it is met, or less far: it does not end among friends (MB-MOV-09).
fn up_to(battle: &Battle, unit: UnitId, course: Heading, rolled: Length, far: Length) -> Reach {
    battle.reach(unit, course, rolled, Going { up_to: Some(far), ..Going::headlong() })
}

/// Where a charge that goes so far ends.
pub(crate) fn ridden(battle: &Battle, unit: UnitId, heading: Heading, by: Length) -> Pose {
    let brigade = battle.brigade(unit);
    battle.cleared(unit, brigade, brigade.pose.moved(heading, by))
}

/// A charge at those who stand. Fresh enemy that it comes upon first may answer (MB-CHG-08).
fn ride(play: &mut Play<'_>, unit: UnitId, dice: MoveDice) -> Result<(), Halt> {
    decides!(MB_CHG_08);
    let roll = throw_dice(play, unit, dice)?;
    let distance = distance_of(play, unit, &roll);
    let battle = play.battle();
    let heading = course(battle, unit);
    let reach = battle.reach(unit, heading, distance, Going::headlong());
    let aimed_at = match battle.brigade(unit).marks.carried.attack {
        Assault::Declared { at, .. } => Some(at),
        _ => None,
    };
    let other = reach.touched.filter(|touched| Some(*touched) != aimed_at);
    let answers =
        |at: &UnitId| meeting::may_answer_meeting(battle, unit, *at) || meeting::may_turn_in_time(battle, unit, *at);
    if let Some(target) = other.filter(answers) {
        let heading = heading.to_hundredths();
        let met = Met { charger: unit, target, heading, roll, distance, pursuit: None, counters: false };
        play.happen(Event::Met { met });
        return Ok(());
    }
    finish_ride(play, unit, roll, distance, heading)
}

/// A charge is ridden as its dice have it.
pub(crate) fn finish_ride(
    play: &mut Play<'_>,
    unit: UnitId,
    roll: MoveRoll,
    distance: Length,
    heading: Heading,
) -> Result<(), Halt> {
    decides!(MB_CHG_07);
    let started = play.battle().figure(unit).clone();
    let reach = play.battle().reach(unit, heading, distance, Going::headlong());
    let to = ridden(play.battle(), unit, heading, reach.distance);
    let touched = reach.touched;
    play.happen(Event::Charged { unit, to, roll, touched: touched.is_some() });
    arrive(play, unit, &started, touched, roll, &reach, None)
}

/// A charge and those who ride to meet it (MB-CHG-14).
pub(crate) fn ride_both(
    play: &mut Play<'_>,
    charger: UnitId,
    ours: MoveRoll,
    other: UnitId,
    their_roll: MoveRoll,
) -> Result<(), Halt> {
    let rolled = [distance_of(play, charger, &ours), distance_of(play, other, &their_roll)];
    let battle = play.battle();
    let our_course = course(battle, charger);
    let their_course = course_to_meet(battle, other, our_course);
    let (our_start, their_start) = (battle.figure(charger).clone(), battle.figure(other).clone());
    let our_pose = battle.brigade(charger).pose;
    let a = way_to_go(battle, charger, our_course, rolled[0], other);
    let b = way_to_go(battle, other, their_course, rolled[1], charger);
    let met = meet_after(&our_start, our_course.unit() * a.f(), &their_start, their_course.unit() * b.f());
    let meets = met.is_some();
    let reaches = battle.reach(charger, our_course, rolled[0], Going::headlong());
    if !meets && reaches.touched == Some(other) {
        // Those who ride out from where they stood are not found there.
        finish_ride(play, other, their_roll, rolled[1], their_course)?;
        let still_there = play.battle().brigade(charger).is_unit();
        return if still_there { finish_ride(play, charger, ours, rolled[0], our_course) } else { Ok(()) };
    }
    let share = |far: Length| met.map_or(far, |share| Length::floored(far.f() * share));
    // Friends stand where they would meet: who cannot end there halts behind them, and the other comes on.
    let halts = |unit, course, rolled, far: Length| {
        decides!(MB_MOV_09);
        meets && up_to(battle, unit, course, rolled, far).distance + HAIR + HAIR < far
    };
    let we_halt = halts(charger, our_course, rolled[0], share(a));
    let they_halt = halts(other, their_course, rolled[1], share(b));
    let meets = meets && !we_halt && !they_halt;
    let their_pose = battle.brigade(other).pose;
    let we_come_on = they_halt && !we_halt;
    let they_come_on = we_halt && !they_halt;
    let us = Rider { unit: charger, course: our_course, rolled: rolled[0], roll: ours };
    let them = Rider { unit: other, course: their_course, rolled: rolled[1], roll: their_roll };
    let (first, second);
    if we_come_on {
        second = them.ride(play, share(b), false);
        first = us.ride(play, rolled[0], false);
    } else {
        first = us.ride(play, share(a), meets);
        let far = if they_come_on { rolled[1] } else { share(b) + HAIR };
        second = them.ride(play, far, meets || first.touched.is_some());
    }
    let there = we_come_on.then_some((other, their_pose));
    arrive(play, charger, &our_start, first.touched, ours, &first, there)?;
    if play.battle().brigade(other).is_unit() {
        arrive(play, other, &their_start, second.touched, their_roll, &second, Some((charger, our_pose)))?;
    }
    Ok(())
}

/// One of two who ride at each other.
struct Rider {
    unit: UnitId,
    course: Heading,
    rolled: Length,
    roll: MoveRoll,
}

impl Rider {
    /// Rides up to so far; how far it got, and whom it touched.
    fn ride(&self, play: &mut Play<'_>, far: Length, meets: bool) -> Reach {
        let reach = up_to(play.battle(), self.unit, self.course, self.rolled, far);
        let to = ridden(play.battle(), self.unit, self.course, reach.distance);
        let touched = meets || reach.touched.is_some();
        play.happen(Event::Charged { unit: self.unit, to, roll: self.roll, touched });
        reach
    }
}

/// What a charge move costs, and whom it strikes; the one it meets may have ridden too, from where it stood.
pub(crate) fn arrive(
    play: &mut Play<'_>,
    unit: UnitId,
    started: &Figure,
    touched: Option<UnitId>,
    roll: MoveRoll,
    reach: &Reach,
    met: Option<(UnitId, Pose)>,
) -> Result<(), Halt> {
    let battle = play.battle();
    let brigade = battle.brigade(unit);
    let dps = roll.disorder(brigade.kind, brigade.formation, reach.rough, Pace::Normal, &battle.fixed.numbers);
    harm(play, unit, dps, 0, Cause::Move)?;
    pay_for_way(play, unit, reach)?;
    let heading = Heading::toward(started.centre(), play.battle().figure(unit).centre());
    capture_on_way(play, unit, started, heading, reach.distance);
    let Some(at) = touched.filter(|at| play.battle().brigade(*at).is_unit()) else { return Ok(()) };
    if play.battle().brigade(at).is_routing() {
        return hack(play, unit, at);
    }
    let stood = met.filter(|(one, _)| *one == at).map(|(_, pose)| pose);
    if strikes_flank(play.battle(), started, unit, at, stood) {
        play.happen(Event::Flanked { unit: at });
    }
    Ok(())
}
