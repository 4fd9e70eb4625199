//! Refused flanks: end bases swung or stepped back, and straightened again (MB-MAN-04, 15, 24, MB-CHG-16).

use crate::phases::ambush;
use crate::phases::charge;
use crate::phases::manoeuvre;
use crate::phases::movement;
use sabretache_engine::clause::Clause;
use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::{Halt, Input, Refusal, Stop, Value, WrongValue};
use sabretache_table::{Angle, Length, Outline, Unit, wheel_angle, wheel_arc};

use crate::battle::Battle;
use crate::brigade::{Brigade, Refused, Response};
use crate::clauses::{MB_CHG_11, MB_CHG_16, MB_MAN_04, MB_MAN_15, MB_MAN_24, MB_MOV_03};
use crate::event::Event;
use crate::phases::advance::tire;
use crate::phases::ambush::startle;
use crate::phases::harm::{Play, harm};
use crate::situations::{Cause, Manoeuvre, ManoeuvreKind};
use crate::table::lay::Figure;
use crate::table::room::{Nerve, Surroundings};
use crate::troops::Formation;

pub(crate) mod offers;

pub(crate) use offers::each_offer;

/// End bases step back by so much, or several times that.
const STEP: Length = Length::inch_fraction(1, 20);

fn no<T>(clause: Clause, why: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::new(clause, why))
}

/// A line one rank deep that is not bent yet.
fn straight_line(brigade: &Brigade) -> bool {
    brigade.formation == Formation::Line && brigade.files == brigade.bases && brigade.refused.is_none()
}

fn bent(battle: &Battle, unit: UnitId, refused: Refused) -> Figure {
    let brigade = Brigade { refused: Some(refused), ..*battle.brigade(unit) };
    Figure::of(&brigade, brigade.pose)
}

/// Whether foot in line may swing some end bases back, and by how much at the most (MB-MAN-04).
pub(crate) fn may_swing_back(battle: &Battle, unit: UnitId, left: bool, bases: u8) -> Result<i32, Refusal> {
    movement::may_go(battle, unit)?;
    let brigade = battle.brigade(unit);
    if let Some(refusal) = manoeuvre::facts_of(battle, unit, ManoeuvreKind::RefuseFlank)
        .refusal()
        .filter(|refusal| refusal.impossible || !battle.memo.waives())
    {
        return Err(refusal);
    }
    if !straight_line(brigade) || bases == 0 || bases >= brigade.bases {
        return no(MB_MAN_04, "some end bases of a line one rank deep are swung back, not all");
    }
    let Some((allowance, _)) = movement::allowance(battle, unit) else {
        return no(MB_MOV_03, "dice must be rolled first");
    };
    let most = wheel_angle(brigade.width * i32::from(bases), allowance.half())
        .to_hundredths()
        .min(battle.fixed.numbers.swung_back);
    let least = Refused { left, bases, swung: most.min(100) as u16, stepped: Length::ZERO };
    if most == 0 || !battle.stands_as_known(unit, &bent(battle, unit, least)) {
        return no(MB_MAN_04, "there is no room to swing back, or too little of the move is left");
    }
    Ok(most)
}

pub(crate) fn swing_back_input(battle: &Battle, unit: UnitId, left: bool, bases: u8) -> Result<Input, Refusal> {
    let most = may_swing_back(battle, unit, left, bases)?;
    let breadth = (battle.brigade(unit).width * i32::from(bases)).f();
    let here = Surroundings::of(battle, unit, battle.figure(unit).bounds().grown(breadth * 1.5));
    let free = |at: i32| {
        let refused = Refused { left, bases, swung: at as u16, stepped: Length::ZERO };
        here.bare() || here.free(battle, unit, &bent(battle, unit, refused), Nerve::TurnsAnywhere)
    };
    let steps = (1..).map(|step| step * 100).take_while(|at| *at < most).chain([most]);
    let most = Angle::hundredths(steps.take_while(|at| free(*at)).last().unwrap_or(0));
    // A swing by nothing is none.
    let least = Angle::hundredths(1).min(most);
    let (most_left, most_right) = if left { (-most, -least) } else { (least, most) };
    Ok(Input::Wheel { most_left, most_right })
}

/// Whether one or two end bases may step back while the rest stay (MB-MAN-15).
pub(crate) fn may_step_end(battle: &Battle, unit: UnitId, left: bool, bases: u8) -> Result<(), Refusal> {
    movement::may_go(battle, unit)?;
    manoeuvre::may_manoeuvre(battle, unit, ManoeuvreKind::StepBack)?;
    let brigade = battle.brigade(unit);
    let facts = Manoeuvre { bases: Some(bases), ..manoeuvre::facts_of(battle, unit, ManoeuvreKind::StepBack) };
    if let Some(refusal) = facts.refusal().filter(|refusal| refusal.impossible || !battle.memo.waives()) {
        return Err(refusal);
    }
    if !straight_line(brigade) || bases >= brigade.bases {
        return no(MB_MAN_15, "one or two end bases of a line one rank deep step back");
    }
    if !has_room_to_step_end(battle, unit, left, bases, STEP) {
        return no(MB_MAN_15, "there is no room");
    }
    Ok(())
}

fn has_room_to_step_end(battle: &Battle, unit: UnitId, left: bool, bases: u8, by: Length) -> bool {
    let most = battle.fixed.numbers.side_step.length();
    by <= most && battle.stands_as_known(unit, &bent(battle, unit, Refused { left, bases, swung: 0, stepped: by }))
}

/// How far one or two end bases may step back.
pub(crate) fn step_end_input(battle: &Battle, unit: UnitId, left: bool, bases: u8) -> Result<Input, Refusal> {
    may_step_end(battle, unit, left, bases)?;
    let steps = (2..=20).map(|step| STEP * step);
    let most = steps.take_while(|by| has_room_to_step_end(battle, unit, left, bases, *by)).last().unwrap_or(STEP);
    let stop = Stop { at: most, why: "an inch at the most".into(), clause: MB_MAN_15 };
    Ok(Input::Distance { least: STEP, most, stops: vec![stop] })
}

/// Whether a part that was swung back may wheel forward into line again, and by what arc (MB-MAN-24).
pub(crate) fn may_swing_forward(battle: &Battle, unit: UnitId) -> Result<Length, Refusal> {
    movement::may_move(battle, unit)?;
    let brigade = battle.brigade(unit);
    let Some(refused) = brigade.refused.filter(|one| one.swung > 0) else {
        return no(MB_MAN_24, "no part of it is swung back");
    };
    let Some((allowance, _)) = movement::allowance(battle, unit) else {
        return no(MB_MOV_03, "dice must be rolled first");
    };
    let arc = wheel_arc(brigade.width * i32::from(refused.bases), Angle::hundredths(refused.swung.into()));
    let straight = Brigade { refused: None, ..*brigade };
    let figure = Figure::of(&straight, straight.pose);
    if brigade.marks.control.halted
        || arc > allowance
        || !battle.stands_as_known(unit, &figure)
        || battle.too_near(unit, &figure)
    {
        return no(MB_MAN_24, "there is no room, or too little of the move is left");
    }
    Ok(arc)
}

/// Whether foot may draw back an end base to meet a charge from over 2 inches away (MB-CHG-16).
pub(crate) fn may_guard_flank(battle: &Battle, unit: UnitId, left: bool) -> Result<Refused, Refusal> {
    if !charge::must_answer(battle, unit) {
        return no(MB_CHG_11, "it has no charge to answer");
    }
    can_guard_flank(battle, unit, left, &charge::chargers(battle, unit).collect::<Vec<_>>())
}

/// The same for a brigade that is known to have those charges to answer, each still where it began.
pub(crate) fn can_guard_flank(
    battle: &Battle,
    unit: UnitId,
    left: bool,
    chargers: &[UnitId],
) -> Result<Refused, Refusal> {
    decides!(MB_CHG_16);
    let brigade = battle.brigade(unit);
    let close = charge::begins_close(battle, unit, chargers);
    let why = "foot of grade A to D in line draw back an end base, from over 2 inches";
    if !straight_line(brigade) || brigade.bases < 2 {
        return no(MB_CHG_16, why);
    }
    let able = brigade.kind.is_foot() && brigade.grade() >= crate::troops::Grade::D;
    if !able || close || battle.in_combat(unit) {
        battle.forbid(MB_CHG_16, why)?;
    }
    let drawn = [
        Refused { left, bases: 1, swung: battle.fixed.numbers.swung_back as u16, stepped: Length::ZERO },
        Refused { left, bases: 1, swung: 0, stepped: battle.fixed.numbers.side_step.length() },
    ];
    let found = drawn.into_iter().find(|one| battle.stands(unit, &bent(battle, unit, *one)));
    found.ok_or_else(|| Refusal::new(MB_CHG_16, "there is no room to draw back"))
}

/// End bases swing back about the joint.
pub(crate) fn swing_back(
    play: &mut Play<'_>,
    unit: UnitId,
    left: bool,
    bases: u8,
    angle: Option<Angle>,
) -> Result<(), Halt> {
    let input = swing_back_input(play.battle(), unit, left, bases)?;
    let angle = angle.ok_or(WrongValue("how much?".into()))?;
    input.check(&Value::Wheel(angle), Unit::Inch)?;
    if angle == Angle::ZERO {
        return Ok(());
    }
    let battle = play.battle();
    let swung = angle.abs().to_hundredths();
    let refused = |swung: i32| Refused { left, bases, swung: swung as u16, stepped: Length::ZERO };
    // A corner may graze somebody between two whole degrees: then the lesser one.
    let room = battle.stands_as_known(unit, &bent(battle, unit, refused(swung)));
    let swung = if room { swung } else { swung / 100 * 100 };
    let stages = (1..=swung / 100).map(|degrees| degrees * 100);
    let swung = ambush::halted(battle, unit, stages, |at| bent(battle, unit, refused(at)), swung);
    // It is done at half speed: the arc costs twice its length.
    let spent = wheel_arc(battle.brigade(unit).width * i32::from(bases), Angle::hundredths(swung)) * 2;
    bend(play, unit, Some(refused(swung)), spent)
}

/// A part that was swung back comes forward into line.
pub(crate) fn swing_forward(play: &mut Play<'_>, unit: UnitId) -> Result<(), Halt> {
    let spent = may_swing_forward(play.battle(), unit)?;
    let straight = Brigade { refused: None, ..*play.battle().brigade(unit) };
    if startle(play, unit, &Figure::of(&straight, straight.pose)) {
        play.happen(Event::Done { unit });
        return Ok(());
    }
    bend(play, unit, None, spent)
}

fn bend(play: &mut Play<'_>, unit: UnitId, refused: Option<Refused>, spent: Length) -> Result<(), Halt> {
    let battle = play.battle();
    let brigade = *battle.brigade(unit);
    let there = Figure::of(&Brigade { refused, ..brigade }, brigade.pose);
    let near = battle.enemy_near(unit) || battle.enemy_within(brigade.side, &there, battle.fixed.numbers.near.length());
    let price = u8::from(near && !brigade.marks.way.wheeled);
    let ahead = brigade.pose.heading.unit();
    let rough = [battle.figure(unit), &there].into_iter().any(|one| battle.is_rough(one, ahead, Length::ZERO));
    let (first, roll) = (brigade.marks.share.dice.is_none(), movement::rolled(battle));
    play.happen(Event::Bent { unit, refused, spent, moved: true });
    if let Some(roll) = roll {
        tire(play, unit, roll, rough, first)?;
    }
    harm(play, unit, price, 0, Cause::Move)?;
    if refused.is_some() && play.battle().brigade(unit).is_unit() {
        play.happen(Event::Done { unit });
    }
    Ok(())
}

/// One or two end bases step back.
pub(crate) fn step_end(
    play: &mut Play<'_>,
    unit: UnitId,
    left: bool,
    bases: u8,
    by: Option<Length>,
) -> Result<(), Halt> {
    let input = step_end_input(play.battle(), unit, left, bases)?;
    let by = by.ok_or(WrongValue("how far?".into()))?;
    input.check(&Value::Distance(by), Unit::Inch)?;
    let least = Length::inch_fraction(1, 20);
    let refused = |by: Length| Refused { left, bases, swung: 0, stepped: by };
    let stages = (1..=by.to_um() / least.to_um()).map(|step| least * step);
    let by = ambush::halted(play.battle(), unit, stages, |by| bent(play.battle(), unit, refused(by)), by);
    let refused = Some(refused(by));
    play.happen(Event::Bent { unit, refused, spent: Length::ZERO, moved: true });
    play.happen(Event::Done { unit });
    Ok(())
}

/// Foot draw back an end base before a charge arrives; that is not moving (MB-CBT-15).
pub(crate) fn guard_flank(play: &mut Play<'_>, unit: UnitId, left: bool) -> Result<(), Halt> {
    let refused = may_guard_flank(play.battle(), unit, left)?;
    draw_back(play, unit, refused);
    Ok(())
}

/// The end base goes back, and the brigade receives the charge so.
pub(crate) fn draw_back(play: &mut Play<'_>, unit: UnitId, refused: Refused) {
    play.happen(Event::Responded { unit, response: Response::Stands });
    play.happen(Event::Bent { unit, refused: Some(refused), spent: Length::ZERO, moved: false });
}
