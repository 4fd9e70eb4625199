//! Straight moves: how far, at what cost, and what interrupts them.

use crate::phases::charge;
use crate::phases::gunnery;
use crate::phases::halting;
use crate::phases::manoeuvre;
use crate::phases::messages;
use crate::phases::movement;
use crate::phases::orders;
use crate::phases::roads;
use crate::phases::wheel;
use sabretache_engine::clause::Clause;
use sabretache_engine::decides;
use sabretache_engine::ids::{OfficerId, UnitId};
use sabretache_engine::offer::{Halt, Input, Refusal, Stop, Value, WrongValue};
use sabretache_table::{
    Angle, Bounds, Contact, Convex, Heading, Length, Outline, Point, Unit, contact, first_contact, wheel_arc,
};

use crate::battle::Battle;
use crate::brigade::{Brigade, Charge, LastMove};
use crate::clauses::{
    MB_CTL_06, MB_CTL_14, MB_FOO_01, MB_MOV_03, MB_MOV_04, MB_MOV_08, MB_MOV_10, MB_MOV_24, MB_ORD_02, MB_ORD_11,
    MB_RSK_07,
};
use crate::event::{Course, Event, GroupRoll};
use crate::phases::harm::{Play, harm};
use crate::phases::movement::throw_dice;
use crate::situations::{Cause, ManoeuvreKind, MoveRoll, Pace, Passage};
use crate::table::lay::{Figure, HAIR};
use crate::table::path::{Going, Reach};
use crate::troops::Formation;

mod captures;

pub(crate) use captures::{capture, capture_along, capture_on_way};

fn no<T>(clause: Clause, why: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::new(clause, why))
}

/// The heading of a unit's straight move.
pub(crate) fn course(battle: &Battle, unit: UnitId) -> Heading {
    let brigade = battle.brigade(unit);
    brigade.pose.heading + Angle::hundredths(brigade.marks.way.bearing)
}

/// How far a straight move leads, and what it must and may be.
pub(crate) fn straight_on(battle: &Battle, unit: UnitId) -> Result<(Input, Reach), Refusal> {
    movement::may_go(battle, unit)?;
    let Some((allowance, double)) = movement::allowance(battle, unit) else {
        let clause = if battle.group.is_some() { MB_MOV_24 } else { MB_MOV_03 };
        return no(clause, "dice that suit it must be rolled first");
    };
    if allowance == Length::ZERO {
        return no(MB_MOV_04, "nothing of its move is left");
    }
    let going = Going { presses: true, blind: true, ..Going::normal(double) };
    let reach = battle.reach(unit, course(battle, unit), allowance, going);
    if reach.distance == Length::ZERO {
        return no(reach.clause, format!("it cannot move: {}", reach.why));
    }
    let brigade = battle.brigade(unit);
    let most = reach.distance;
    // A wheel may be followed by an advance or not; guns on limbers stop where they like (MB-MAN-02, MB-MOV-19).
    decides!(MB_MOV_04);
    let free = brigade.marks.way.wheeled || brigade.kind.is_model();
    let short = battle.fixed.numbers.halt_short.length();
    let least = match () {
        () if free => Length::um(1),
        () if reach.may_halt_short => (allowance - short).max(Length::um(1)).min(most),
        () => most,
    };
    // Told beforehand to halt at a piece of ground, it may stop as soon as it reaches it (MB-MOV-05).
    let least = match halting::halting_ground(battle, unit, most) {
        Some(at) => least.min(at.max(Length::um(1))),
        None => least,
    };
    // It does not stop among friends: beyond them here, short of them by a choice of its own.
    let least = reach.among.map_or(least, |(_, last)| least.max(last)).min(most);
    let most = short_of_forbidden_fights(battle, unit, &reach, most)?;
    let least = least.min(most);
    let allowed = orders::ordered(battle, unit, course(battle, unit), least, most)?;
    let (why, clause) = if allowed < most { ("its orders forbid it", MB_ORD_02) } else { (reach.why, reach.clause) };
    let (most, least) = (allowed, least.min(allowed));
    let stop = Stop { at: most, why: why.into(), clause };
    Ok((Input::Distance { least, most, stops: vec![stop] }, reach))
}

/// How far a move leads that stops short of friends it would otherwise pass through (MB-MOV-08).
pub(crate) fn short_of_friends_input(battle: &Battle, unit: UnitId) -> Result<Input, Refusal> {
    decides!(MB_MOV_08);
    let (_, reach) = straight_on(battle, unit)?;
    let allowance = movement::allowance(battle, unit).map_or(Length::ZERO, |(allowance, _)| allowance);
    let short = battle.fixed.numbers.halt_short.length();
    let Some((first, _)) = reach.among else { return no(MB_MOV_08, "there are no friends to halt before") };
    let most = (first - Length::inch_fraction(1, 4)).max(Length::ZERO);
    let least = (allowance - short).max(Length::um(1));
    if least > most {
        return no(MB_MOV_08, "that would be more than 2 inches short");
    }
    let stop = Stop { at: most, why: "friends stand beyond".into(), clause: MB_MOV_08 };
    Ok(Input::Distance { least, most, stops: vec![stop] })
}

/// Foot whose orders forbid the attack stop short of musket range (MB-ORD-02).
fn short_of_forbidden_fights(battle: &Battle, unit: UnitId, reach: &Reach, most: Length) -> Result<Length, Refusal> {
    let brigade = battle.brigade(unit);
    if reach.clause != MB_FOO_01 || !brigade.kind.is_foot() {
        return Ok(most);
    }
    let there = Figure::of(brigade, brigade.pose.moved(course(battle, unit), most));
    let zone = crate::table::lay::zone_of(brigade, &there, battle.fixed.numbers.musketry.length() + HAIR);
    let met = |enemy: &UnitId| contact(&zone, battle.figure(*enemy)) != Contact::Apart;
    let forbidden = battle
        .enemies_around(brigade.side, there.bounds(), Length::inches(2))
        .filter(met)
        .find_map(|enemy| orders::may_attack(battle, unit, enemy).err());
    match forbidden {
        Some(refusal) if most <= HAIR * 4 => Err(refusal),
        Some(_) => Ok(most - HAIR * 4),
        None => Ok(most),
    }
}

/// How far a unit may bear off straight ahead (MB-MOV-10).
pub(crate) fn bearing(battle: &Battle, unit: UnitId) -> Result<Input, Refusal> {
    decides!(MB_MOV_10);
    movement::may_go(battle, unit)?;
    let brigade = battle.brigade(unit);
    if brigade.marks.way.bore || brigade.marks.moved {
        return no(MB_MOV_10, "it has chosen its bearing");
    }
    movement::allowance(battle, unit).ok_or_else(|| Refusal::new(MB_MOV_03, "dice must be rolled first"))?;
    let free = brigade.is_unformed() || brigade.formation == Formation::Limbered;
    let most = if free { 17_999 } else { battle.fixed.numbers.off_centre };
    Ok(Input::Wheel { most_left: Angle::hundredths(-most), most_right: Angle::hundredths(most) })
}

/// A unit bears off: it moves straight on along another bearing than its front's (MB-MOV-10).
pub(crate) fn bear(play: &mut Play<'_>, unit: UnitId, by: Option<Angle>) -> Result<(), Halt> {
    let input = bearing(play.battle(), unit)?;
    let by = by.ok_or(WrongValue("how much?".into()))?;
    input.check(&Value::Wheel(by), Unit::Inch)?;
    play.happen(Event::Bears { unit, bearing: by.to_hundredths() });
    Ok(())
}

/// Fatigue and disorder of the dice, once for each move (MB-MOV-25, 26).
pub(crate) fn tire(play: &mut Play<'_>, unit: UnitId, roll: MoveRoll, rough: bool, first: bool) -> Result<(), Halt> {
    let battle = play.battle();
    let brigade = battle.brigade(unit);
    let (kind, formation, was_rough) = (brigade.kind, brigade.formation, brigade.marks.way.rough);
    let numbers = battle.fixed.numbers.clone();
    let dps = |rough: bool| roll.disorder(kind, formation, rough, Pace::Normal, &numbers);
    let owed = match (first, rough, was_rough) {
        (true, rough, _) => dps(rough),
        (false, true, false) => dps(true).saturating_sub(dps(false)),
        _ => 0,
    };
    if rough && !was_rough {
        play.happen(Event::Rough { unit });
    }
    harm(play, unit, owed, 0, Cause::Move)
}

/// Pays for obstacles crossed and friends passed through (MB-MAN-09, 10, 18, 19).
pub(crate) fn pay_for_way(play: &mut Play<'_>, unit: UnitId, reach: &Reach) -> Result<(), Halt> {
    for (_, ground) in reach.crossed.iter().filter(|(at, _)| *at < reach.distance) {
        let battle = play.battle();
        let mut facts = manoeuvre::facts_of(battle, unit, ManoeuvreKind::CrossObstacle);
        facts.anti_cavalry = battle.fixed.lands[usize::from(*ground)].anti_cavalry;
        let price = facts.cost(&battle.fixed.numbers).price;
        harm(play, unit, price, 0, Cause::Move)?;
    }
    for friend in &reach.passed {
        let battle = play.battle();
        let (mover, passed) = (*battle.brigade(unit), *battle.brigade(*friend));
        let fired = passed.marks.fire.bombarded.is_some()
            || passed.marks.fire.fired_close
            || passed.marks.fire.gave_fire
            || passed.marks.fought;
        let passage = Passage {
            mover_formed: mover.is_formed(),
            passed_formed: passed.is_formed(),
            passed_guns: passed.kind.is_model(),
            routing: mover.is_routing() || passed.is_routing(),
            passed_moved: passed.marks.shifted || charge::is_bound_to_ride(battle, *friend),
            passed_fired: fired,
        };
        let cost = passage.cost();
        let stood = cost.mover == 0 && cost.passed == 0 && !passage.passed_guns && !passage.passed_moved;
        let moves = play.battle().phase == crate::event::Phase::Movement;
        if stood && moves && !passed.marks.suffered.passed {
            play.happen(Event::PassedThrough { unit: *friend });
        }
        harm(play, unit, cost.mover, 0, Cause::Move)?;
        harm(play, *friend, cost.passed, 0, Cause::Move)?;
    }
    Ok(())
}

/// A straight move.
pub(crate) fn advance(play: &mut Play<'_>, unit: UnitId, distance: Option<Length>) -> Result<(), Halt> {
    let (input, reach) = straight_on(play.battle(), unit)?;
    let distance = distance.ok_or(WrongValue("how far?".into()))?;
    if let Input::Distance { least, most, .. } = input {
        play.require(distance >= least, MB_MOV_04, || {
            format!("it must move {} at least", crate::words::inches(least))
        })?;
        play.require(distance <= most, reach.clause, || reach.why.into())?;
    }
    let heading = course(play.battle(), unit);
    march(play, unit, heading, distance)
}

/// A straight move that stops short of friends.
pub(crate) fn halt_short(play: &mut Play<'_>, unit: UnitId, distance: Option<Length>) -> Result<(), Halt> {
    let input = short_of_friends_input(play.battle(), unit)?;
    let distance = distance.ok_or(WrongValue("how far?".into()))?;
    input.check(&Value::Distance(distance), Unit::Inch)?;
    let heading = course(play.battle(), unit);
    march(play, unit, heading, distance)
}

/// Moves a unit along a heading, unless enemy foot across whose front that leads must first be asked (MB-FOO-04).
pub(crate) fn march(play: &mut Play<'_>, unit: UnitId, heading: Heading, wanted: Length) -> Result<(), Halt> {
    if crate::phases::passing::ask(play, unit, heading, wanted, Vec::new()) {
        return Ok(());
    }
    go(play, unit, heading, wanted)
}

/// Moves a unit along a heading until it is done or a skirmisher may fall back before it.
pub(crate) fn go(play: &mut Play<'_>, unit: UnitId, heading: Heading, wanted: Length) -> Result<(), Halt> {
    let battle = play.battle();
    let (allowance, double) = movement::allowance(battle, unit).unwrap_or((wanted, false));
    let reach = battle.reach(unit, heading, allowance.max(wanted), Going::normal(double));
    let distance = wanted.min(reach.distance);
    let brigade = battle.brigade(unit);
    let (first, roll) = (brigade.marks.share.dice.is_none(), movement::rolled(battle));
    let crossed = reach.crossed.iter().filter(|(at, _)| *at < distance).count() as i32;
    let to = battle.cleared(unit, brigade, brigade.pose.moved(heading, distance));
    let way = battle.cut_short(unit, heading, reach, distance);
    let began = battle.figure(unit).clone();
    if distance > Length::ZERO {
        play.happen(Event::Moved { unit, to, spent: distance + way.half * crossed, double });
        if let Some(roll) = roll {
            tire(play, unit, roll, way.rough, first)?;
        }
        pay_for_way(play, unit, &way)?;
        capture_on_way(play, unit, &began, heading, distance);
    }
    if !play.battle().brigade(unit).is_unit() {
        return Ok(());
    }
    crate::phases::options::begin_looting(play, unit);
    let left = wanted - distance;
    if crate::phases::skirmish::press(play, unit, heading, Course::Straight, left)? && left > Length::ZERO {
        return go(play, unit, heading, left);
    }
    if play.battle().approach().is_none() {
        play.happen(Event::Done { unit });
    }
    Ok(())
}

/// A brigade repeats its last move (MB-CTL-14).
pub(crate) fn repeat(play: &mut Play<'_>, unit: UnitId) -> Result<(), Halt> {
    movement::may_move(play.battle(), unit)?;
    if roads::repeats_road(play.battle(), unit).is_some() {
        return roads::repeat(play, unit);
    }
    let Some(dice) = movement::repeat_dice(play.battle(), unit) else {
        return Err(Refusal::new(MB_CTL_14, "it repeats nothing").into());
    };
    let roll = throw_dice(play, unit, dice)?;
    let double = movement::may_double(play.battle(), unit);
    let group = GroupRoll { of: unit, average: dice.average, d6: dice.d6, faces: roll.faces, double };
    play.happen(Event::MoveRolled { roll: group });
    let battle = play.battle();
    let distance = roll.distance(Pace::Normal, battle.inspires(unit) > 0, double, &battle.fixed.numbers);
    let heading = battle.brigade(unit).pose.heading;
    // Skirmishers fall back before it (MB-MOV-30).
    let reach = battle.reach(unit, heading, distance, Going { presses: true, ..Going::normal(double) });
    if reach.distance > Length::ZERO {
        march(play, unit, heading, reach.distance)?;
    }
    if !play.battle().brigade(unit).marks.share.done && play.battle().approach().is_none() {
        play.happen(Event::Done { unit });
    }
    Ok(())
}

/// The move that a brigade copies.
pub(crate) enum Copied {
    /// A wheel, if any, and so far ahead.
    Ahead(Angle, Length),
    /// An incline, to the right or to the left, and so far ahead at the most.
    Aside { right: bool, by: Length, ahead: Length },
}

/// Whether a conforming brigade may copy its neighbour now, and by what move (MB-CTL-06, 07).
pub(crate) fn may_conform(battle: &Battle, unit: UnitId) -> Result<Copied, Refusal> {
    movement::may_move(battle, unit)?;
    let brigade = battle.brigade(unit);
    let Charge::Conforms(lead) = brigade.marks.control.by else { return no(MB_CTL_06, "it conforms to nobody") };
    let lead = battle.brigade(lead);
    let inclined = lead.marks.way.aside;
    let copied = lead.marks.way.ahead > Length::ZERO || lead.marks.way.turned != 0 || inclined != Length::ZERO;
    if brigade.marks.control.halted || !lead.marks.share.done || !copied || brigade.refused.is_some() {
        return no(MB_CTL_06, "its neighbour has made no move to copy");
    }
    let Some((allowance, double)) = movement::allowance(battle, unit) else {
        return no(MB_CTL_06, "it shares no dice");
    };
    if inclined != Length::ZERO {
        let right = inclined > Length::ZERO;
        let (least, most) = wheel::aside(battle, unit, right)?;
        let by = inclined.abs().min(most);
        if by < least {
            return no(MB_CTL_06, "it cannot make the same incline");
        }
        return Ok(Copied::Aside { right, by, ahead: lead.marks.way.ahead });
    }
    // The same wheel, if it can, and then as far ahead.
    let turn = if brigade.is_unformed() { Angle::ZERO } else { Angle::hundredths(lead.marks.way.turned) };
    let turned = Brigade { pose: wheel::wheeled(battle, unit, turn), ..*brigade };
    let figure = Figure::of(&turned, turned.pose);
    let arc = wheel_arc(brigade.width * i32::from(brigade.files), turn);
    if turn != Angle::ZERO
        && (arc > allowance || !battle.stands_as_known(unit, &figure) || battle.too_near(unit, &figure))
    {
        return no(MB_CTL_06, "it cannot make the same wheel");
    }
    let course = turned.pose.heading + Angle::hundredths(lead.marks.way.bearing);
    let most = (allowance - arc).min(lead.marks.way.ahead);
    let going = Going { presses: true, blind: true, ..Going::normal(double) };
    let reach = battle.reach_as(unit, &turned, &figure, course, most, going);
    if reach.distance == Length::ZERO && turn == Angle::ZERO {
        return no(reach.clause, reach.why);
    }
    Ok(Copied::Ahead(turn, reach.distance))
}

/// Whether a brigade that might have had to repeat its last move has chosen to copy its neighbour instead, who has moved:
/// then it does that and nothing else (MB-CTL-06).
pub(crate) fn must_conform(battle: &Battle, unit: UnitId) -> bool {
    let brigade = battle.brigade(unit);
    let copies = matches!(brigade.marks.control.by, Charge::Conforms(_)) && brigade.last_move != LastMove::None;
    decides!(MB_CTL_06);
    copies && may_conform(battle, unit).is_ok()
}

/// A conforming brigade makes the same move as its neighbour.
pub(crate) fn conform(play: &mut Play<'_>, unit: UnitId) -> Result<(), Halt> {
    let (turn, distance) = match may_conform(play.battle(), unit)? {
        Copied::Ahead(turn, distance) => (turn, distance),
        Copied::Aside { right, by, ahead } => return wheel::slant(play, unit, right, by, Some(ahead)),
    };
    if turn != Angle::ZERO {
        wheel::turn(play, unit, turn)?;
    }
    if distance == Length::ZERO && play.battle().brigade(unit).is_unit() {
        wheel::press(play, unit)?;
    }
    if distance == Length::ZERO || !play.battle().brigade(unit).is_unit() {
        play.happen(Event::Done { unit });
        return Ok(());
    }
    if let Charge::Conforms(lead) = play.battle().brigade(unit).marks.control.by {
        let bearing = play.battle().brigade(lead).marks.way.bearing;
        if bearing != 0 {
            play.happen(Event::Bears { unit, bearing });
        }
    }
    let heading = course(play.battle(), unit);
    march(play, unit, heading, distance)
}
