//! Wheels and inclines.

use crate::phases::ambush;
use crate::phases::manoeuvre;
use crate::phases::movement;
use crate::phases::orders;
use crate::phases::skirmish;
use sabretache_engine::clause::Clause;
use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::{Halt, Input, Refusal, Stop, WrongValue};
use sabretache_table::{Angle, Corner, Heading, Length, Outline, Pose, Unit, wheel_angle, wheel_arc};

use crate::battle::Battle;
use crate::clauses::{MB_MAN_02, MB_MAN_14, MB_MOV_03, MB_MOV_15};
use crate::event::{Course, Event};
use crate::phases::advance::{capture_along, march, tire};
use crate::phases::harm::{Play, harm};
use crate::situations::{Cause, ManoeuvreKind};
use crate::table::lay::{Figure, HAIR};
use crate::table::path::Going;
use crate::table::room::{Nerve, Surroundings};
use crate::troops::Formation;

fn no<T>(clause: Clause, why: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::new(clause, why))
}

/// A pose after a wheel about the inner front corner.
pub(crate) fn wheeled(battle: &Battle, unit: UnitId, by: Angle) -> Pose {
    let brigade = battle.brigade(unit);
    let figure = battle.figure(unit);
    let front = &figure.bases[..figure.front.min(figure.bases.len())];
    let pivot = if by > Angle::ZERO {
        front.last().map(|base| base.corner(Corner::FrontRight))
    } else {
        front.first().map(|base| base.corner(Corner::FrontLeft))
    };
    pivot.map_or(brigade.pose, |pivot| brigade.pose.turned_about(pivot, by))
}

/// The angle itself, or the next whole degree below it if a corner would graze somebody at the angle asked for.
pub(crate) fn settled(battle: &Battle, unit: UnitId, angle: Angle, pose: impl Fn(Angle) -> Pose) -> Angle {
    if battle.stands_as_known(unit, &Figure::of(battle.brigade(unit), pose(angle))) {
        return angle;
    }
    Angle::hundredths(angle.to_hundredths() / 100 * 100)
}

/// Whether a unit may wheel, and how far at the most, in hundredths of a degree (MB-MAN-02).
fn may_wheel(battle: &Battle, unit: UnitId) -> Result<i32, Refusal> {
    decides!(MB_MAN_02);
    movement::may_go(battle, unit)?;
    let brigade = battle.brigade(unit);
    let facts = manoeuvre::facts_of(battle, unit, ManoeuvreKind::Wheel);
    if let Some(refusal) = facts.refusal().filter(|refusal| refusal.impossible || !battle.memo.waives()) {
        return Err(refusal);
    }
    if brigade.is_unformed() {
        return no(MB_MAN_02, "unformed troops face all round");
    }
    let Some((allowance, _)) = movement::allowance(battle, unit) else {
        return no(MB_MOV_03, "dice that suit it must be rolled first");
    };
    let frontage = brigade.width * i32::from(brigade.files);
    Ok(wheel_angle(frontage, allowance).to_hundredths().min(17_900))
}

/// Whether a wheel may come to a place: its orders allow it (MB-ORD-02), and at the double it is just 6 inches from enemy or
/// more (MB-MOV-15).
fn may_end_there(battle: &Battle, unit: UnitId, there: &Figure) -> bool {
    decides!(MB_MOV_15);
    let double = movement::allowance(battle, unit).is_some_and(|(_, double)| double) && !battle.memo.waives();
    let six = battle.fixed.numbers.near.length() - HAIR - Length::um(5);
    let too_near = double && battle.enemy_within(battle.brigade(unit).side, there, six);
    !too_near && orders::keeps_to(battle, unit, there).is_ok()
}

/// Whether there is room to wheel at all.
pub(crate) fn has_room_to_wheel(battle: &Battle, unit: UnitId) -> bool {
    let Ok(most) = may_wheel(battle, unit) else { return false };
    let free = |by: i32| {
        let figure = Figure::of(battle.brigade(unit), wheeled(battle, unit, Angle::hundredths(by)));
        battle.stands_as_known(unit, &figure) && !battle.too_near(unit, &figure) && may_end_there(battle, unit, &figure)
    };
    most > 0 && (free(-most.min(100)) || free(most.min(100)))
}

/// How far a unit can wheel with what it has left (MB-MAN-02).
pub(crate) fn wheel_input(battle: &Battle, unit: UnitId) -> Result<Input, Refusal> {
    let most = may_wheel(battle, unit)?;
    let brigade = battle.brigade(unit);
    // All that the wheel can come near: within its own breadth and depth of where it stands.
    let figure = battle.figure(unit);
    let breadth = (brigade.width * i32::from(brigade.files)).f() + (brigade.depth * i32::from(brigade.rows())).f();
    let here = Surroundings::of(battle, unit, figure.bounds().grown(breadth * 1.5));
    // A wheel is a move: it may lead away from where its orders keep it (MB-ORD-02), or at the double too near to enemy.
    let bound = orders::binds(battle, unit) || movement::allowance(battle, unit).is_some_and(|(_, double)| double);
    let furthest = |way: i32| {
        let free = |hundredths: i32| {
            let there = Figure::of(brigade, wheeled(battle, unit, Angle::hundredths(hundredths * way)));
            here.free(battle, unit, &there, Nerve::KeepsOff) && (!bound || may_end_there(battle, unit, &there))
        };
        let steps = (1..).map(|step| step * 100).take_while(|at| *at < most).chain([most]);
        steps.filter(|at| *at > 0).take_while(|at| (here.bare() && !bound) || free(*at)).last().unwrap_or(0) * way
    };
    let (left, right) = (furthest(-1), furthest(1));
    if left == 0 && right == 0 {
        return no(MB_MAN_02, "there is no room to wheel");
    }
    Ok(Input::Wheel { most_left: Angle::hundredths(left), most_right: Angle::hundredths(right) })
}

/// How far foot may incline: up to half the allowance sideways (MB-MAN-14).
pub(crate) fn incline_input(battle: &Battle, unit: UnitId, right: bool) -> Result<Input, Refusal> {
    movement::may_go(battle, unit)?;
    let (least, most) = aside(battle, unit, right)?;
    let stop = Stop { at: most, why: "half the allowance at most goes sideways".into(), clause: MB_MAN_14 };
    Ok(Input::Distance { least, most, stops: vec![stop] })
}

/// How far aside an incline may take foot whose dice are rolled, at the least and at the most.
pub(crate) fn aside(battle: &Battle, unit: UnitId, right: bool) -> Result<(Length, Length), Refusal> {
    let brigade = battle.brigade(unit);
    if let Some(refusal) = manoeuvre::facts_of(battle, unit, ManoeuvreKind::Incline)
        .refusal()
        .filter(|refusal| refusal.impossible || !battle.memo.waives())
    {
        return Err(refusal);
    }
    let Some((allowance, double)) = movement::allowance(battle, unit) else {
        return no(MB_MOV_03, "dice must be rolled first");
    };
    if brigade.marks.moved {
        battle.forbid(MB_MAN_14, "it has moved")?;
    }
    let slant = brigade.pose.heading + Angle::degrees(if right { 45 } else { -45 });
    let diagonal = Length::rounded(allowance.half().f() * core::f64::consts::SQRT_2);
    let going = Going { passes_friends: false, blind: true, ..Going::normal(double) };
    let reach = battle.reach(unit, slant, diagonal, going);
    decides!(MB_MAN_14);
    let half = allowance.half();
    let got = Length::floored(reach.distance.f() / core::f64::consts::SQRT_2);
    let most = if reach.distance >= diagonal { half } else { got.min(half) };
    if most < Length::inch_fraction(1, 20) || !reach.crossed.is_empty() {
        return no(MB_MAN_14, format!("there is no room to incline: {}", reach.why));
    }
    // The whole allowance is gone: the more of it aside, the less ahead, and where that ends its orders must allow (MB-ORD-02).
    let ends = |aside: Length| {
        let to = brigade.pose.sideways(if right { aside } else { -aside }).ahead(allowance - aside);
        orders::keeps_to(battle, unit, &Figure::of(brigade, to))
    };
    ends(most)?;
    let mut least = Length::inch_fraction(1, 20);
    if ends(least).is_err() {
        let mut kept = most;
        while kept - least > Length::um(50) {
            let middle = least + (kept - least).half();
            *(if ends(middle).is_ok() { &mut kept } else { &mut least }) = middle;
        }
        least = kept;
    }
    Ok((least, most))
}

/// A wheel.
pub(crate) fn wheel(play: &mut Play<'_>, unit: UnitId, angle: Option<Angle>) -> Result<(), Halt> {
    let input = wheel_input(play.battle(), unit)?;
    let angle = angle.ok_or(WrongValue("how much?".into()))?;
    input.check(&sabretache_engine::offer::Value::Wheel(angle), Unit::Inch)?;
    if angle == Angle::ZERO {
        // No turn at all: nothing happens, and the advance stays as bound as it was.
        return Ok(());
    }
    turn(play, unit, angle)?;
    press(play, unit)
}

/// Skirmishers fall back before a wheel as before any other move (MB-MOV-30).
pub(crate) fn press(play: &mut Play<'_>, unit: UnitId) -> Result<(), Halt> {
    let heading = play.battle().brigade(unit).pose.heading;
    if play.battle().brigade(unit).is_unit() {
        skirmish::press(play, unit, heading, Course::Arc, Length::ZERO)?;
    }
    Ok(())
}

/// The wheel itself, its cost in order included.
pub(crate) fn turn(play: &mut Play<'_>, unit: UnitId, angle: Angle) -> Result<(), Halt> {
    let battle = play.battle();
    let brigade = *battle.brigade(unit);
    let angle = settled(battle, unit, angle, |by| wheeled(battle, unit, by));
    let way = if angle < Angle::ZERO { -1 } else { 1 };
    let stages = (1..=angle.abs().to_hundredths() / 100).map(|degrees| Angle::degrees(degrees * way));
    let angle = ambush::halted(battle, unit, stages, |by| Figure::of(&brigade, wheeled(battle, unit, by)), angle);
    let to = wheeled(battle, unit, angle);
    let spent = wheel_arc(brigade.width * i32::from(brigade.files), angle);
    // Enemy and ground anywhere on its way round count, not only where it ends (MB-MAN-03, MB-MOV-26).
    let round =
        (0..=angle.abs().to_hundredths() / 100).map(|degrees| wheeled(battle, unit, Angle::degrees(degrees * way)));
    let way_round: Vec<Figure> = round.chain([to]).map(|pose| Figure::of(&brigade, pose)).collect();
    let six = battle.fixed.numbers.near.length();
    let near = way_round.iter().any(|there| battle.enemy_within(brigade.side, there, six));
    let price = u8::from(brigade.formation == Formation::Line && near && !brigade.marks.way.wheeled);
    let first = brigade.marks.share.dice.is_none();
    let rough = way_round.iter().any(|there| battle.is_rough(there, to.heading.unit(), Length::ZERO));
    let roll = movement::rolled(battle);
    play.happen(Event::Manoeuvred {
        unit,
        manoeuvre: ManoeuvreKind::Wheel,
        to,
        formation: brigade.formation,
        files: brigade.files,
        half: false,
        spent,
    });
    if let Some(roll) = roll {
        tire(play, unit, roll, rough, first)?;
    }
    harm(play, unit, price, 0, Cause::Move)?;
    capture_along(play, unit, &way_round);
    Ok(())
}

/// An incline: as much forwards as sideways, and the rest straight ahead.
pub(crate) fn incline(play: &mut Play<'_>, unit: UnitId, right: bool, by: Option<Length>) -> Result<(), Halt> {
    let input = incline_input(play.battle(), unit, right)?;
    let by = by.ok_or(WrongValue("how far sideways?".into()))?;
    input.check(&sabretache_engine::offer::Value::Distance(by), Unit::Inch)?;
    slant(play, unit, right, by, None)
}

/// The incline itself, and what is left of the move straight ahead: all of it, or as much as the neighbour who is copied
/// has gone.
pub(crate) fn slant(
    play: &mut Play<'_>,
    unit: UnitId,
    right: bool,
    by: Length,
    ahead: Option<Length>,
) -> Result<(), Halt> {
    let battle = play.battle();
    let brigade = *battle.brigade(unit);
    let (allowance, double) = movement::allowance(battle, unit).unwrap_or_default();
    let slant = brigade.pose.heading + Angle::degrees(if right { 45 } else { -45 });
    let root = core::f64::consts::SQRT_2;
    let free = ambush::until_startled(battle, unit, slant.unit(), Length::ceiled(by.f() * root));
    let by = by.min(Length::floored(free.f() / root));
    let aside = brigade.pose.sideways(if right { by } else { -by }).ahead(by);
    let aside = battle.cleared(unit, &brigade, aside);
    let (first, roll) = (brigade.marks.share.dice.is_none(), movement::rolled(battle));
    let rough = battle.is_rough(battle.figure(unit), slant.unit(), Length::ceiled(by.f() * root));
    play.happen(Event::Manoeuvred {
        unit,
        manoeuvre: ManoeuvreKind::Incline,
        to: aside,
        formation: brigade.formation,
        files: brigade.files,
        half: false,
        spent: by * 2,
    });
    let over = (aside.at.v() - brigade.pose.at.v()).dot(brigade.pose.heading.unit().right());
    play.happen(Event::Inclined { unit, by: Length::rounded(over) });
    if let Some(roll) = roll {
        tire(play, unit, roll, rough, first)?;
    }
    let left = (allowance - by * 2).min(ahead.unwrap_or(allowance)).max(Length::ZERO);
    let going = Going { presses: true, ..Going::normal(double) };
    let reach = play.battle().reach(unit, brigade.pose.heading, left, going);
    if left > Length::ZERO && reach.distance > Length::ZERO && play.battle().brigade(unit).is_unit() {
        return march(play, unit, brigade.pose.heading, reach.distance);
    }
    finish(play, unit, brigade.pose.heading)
}

/// A move is over, unless skirmishers are asked whether they fall back before its end.
pub(crate) fn finish(play: &mut Play<'_>, unit: UnitId, heading: Heading) -> Result<(), Halt> {
    if play.battle().brigade(unit).is_unit() {
        skirmish::press(play, unit, heading, Course::Straight, Length::ZERO)?;
    }
    if play.battle().approach().is_none() && play.battle().brigade(unit).is_unit() {
        play.happen(Event::Done { unit });
    }
    Ok(())
}
