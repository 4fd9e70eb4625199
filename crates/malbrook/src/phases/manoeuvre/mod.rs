//! Manoeuvres that need no dice: formations, facing, guns, dragoons.

use crate::phases::advance;
use crate::phases::ambush;
use crate::phases::command;
use crate::phases::manoeuvre::guns::has_room_to_pivot;
use crate::phases::movement;
use crate::phases::options;
use crate::phases::orders;
pub(crate) use crowd::crowd_input;
pub(crate) use guns::may_recrew;
pub(crate) use guns::pivot_input;
pub(crate) use guns::push_input;
pub(crate) use guns::unlimber_input;
use sabretache_engine::clause::Clause;
use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::{Halt, Input, Refusal, Stop, WrongValue};
use sabretache_table::{Angle, Heading, Length, Outline, Point, Pose, Unit, meetings};
pub(crate) use scatter::may_scatter;
pub(crate) use scatter::send_input;
pub(crate) use scatter::{Bodies, may_finish_scattering};
use smallvec::SmallVec;

use crate::battle::Battle;
use crate::brigade::{Brigade, Charge, Status};
use crate::clauses::{
    MB_CTL_06, MB_CTL_14, MB_FRM_01, MB_FRM_05, MB_MAN_01, MB_MAN_05, MB_MAN_06, MB_MAN_07, MB_MAN_12, MB_MAN_13,
    MB_MAN_15, MB_MAN_16, MB_MAN_17,
};
use crate::event::{Event, Phase, Set};
use crate::phases::ambush::startle;
use crate::phases::harm::{Play, harm};
use crate::situations::{Cause, Fraction, Manoeuvre, ManoeuvreKind};
use crate::table::lay::{Figure, HAIR, near};
use crate::table::path::Going;
use crate::table::room::{Nerve, Surroundings};
use crate::troops::{Formation, Kind};

mod forming;

pub(crate) use forming::{
    about_face, form, formation_input, formations, in_formation, may_form, may_turn_about, turned_about,
};

mod dragoons;

pub(crate) use dragoons::{horses_input, lead_horses, remount, remounted};

fn no<T>(clause: Clause, why: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::new(clause, why))
}

/// Which way a step goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// To the left.
    Left,
    /// To the right.
    Right,
    /// Back.
    Back,
}

impl Step {
    const fn word(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
            Self::Back => "back",
        }
    }
}

mod crowd;
mod guns;
mod named;
pub(crate) mod offers;
mod scatter;

pub(crate) use crowd::crowd;
pub(crate) use guns::{pivot, push, recrew, unlimber, unlimber_turned};
pub(crate) use named::why_not;
pub(crate) use offers::{closed, each_offer, recrew_offer};
pub use scatter::Scattering;
pub(crate) use scatter::{gather, scatter, scattered, send_base};

use named::{Named, every_name, named};

/// The facts of a manoeuvre.
pub(crate) fn facts_of(battle: &Battle, unit: UnitId, manoeuvre: ManoeuvreKind) -> Manoeuvre {
    let brigade = battle.brigade(unit);
    Manoeuvre {
        kind: brigade.kind,
        style: brigade.style,
        grade: brigade.grade(),
        formation: brigade.formation,
        mixed: brigade.mixed,
        enemy_near: battle.enemy_near(unit),
        under_fire: battle.under_fire(unit),
        controlled: matches!(brigade.marks.control.by, Charge::By(_) | Charge::Attached),
        running: matches!(brigade.status, Status::Routing | Status::Pursuing),
        refused: brigade.refused.is_some(),
        dps: brigade.dps,
        ..Manoeuvre::plain(manoeuvre)
    }
}

/// Whether a unit may make a manoeuvre on the spot, and what it costs; halted brigades may too (MB-CTL-13).
pub(crate) fn may_manoeuvre(battle: &Battle, unit: UnitId, manoeuvre: ManoeuvreKind) -> Result<Manoeuvre, Refusal> {
    decides!(MB_MAN_01);
    let brigade = battle.brigade(unit);
    let again = manoeuvre == ManoeuvreKind::ChangeFormation && brigade.marks.share.whole;
    if again {
        may_change_again(battle, unit)?
    } else {
        movement::may_move(battle, unit)?
    }
    let facts = facts_of(battle, unit, manoeuvre);
    if let Some(refusal) = facts.refusal().filter(|refusal| refusal.impossible || !battle.memo.waives()) {
        return Err(refusal);
    }
    if matches!(brigade.status, Status::Routing | Status::Pursuing) {
        battle.forbid(MB_MAN_05, "it runs")?;
    }
    if movement::must_repeat(battle, unit) {
        battle.forbid(MB_CTL_14, "it repeats its last move, as it stands")?;
    }
    if again {
        return Ok(facts);
    }
    if advance::must_conform(battle, unit) {
        battle.forbid(MB_CTL_06, "it does as its neighbour has done")?;
    }
    let fraction = facts.cost(&battle.fixed.numbers).fraction;
    let whole = fraction == Fraction::Whole;
    let used =
        brigade.marks.share.half || brigade.marks.share.spent > Length::ZERO || brigade.marks.share.dice.is_some();
    if whole && used {
        battle.forbid(MB_MAN_01, "it takes a whole move, and part of it is used up")?;
    }
    if brigade.marks.share.spent > Length::ZERO {
        battle.forbid(MB_MAN_01, "it has moved")?;
    }
    Ok(facts)
}

/// Whether a change of formation near enemy may be followed by a second, in one go with it (MB-MAN-07).
fn may_change_again(battle: &Battle, unit: UnitId) -> Result<(), Refusal> {
    let brigade = battle.brigade(unit);
    options::mine(battle, unit)?;
    if battle.phase != Phase::Movement || brigade.side != battle.active || !brigade.is_unit() || battle.pinned(unit) {
        return no(MB_MAN_07, "the second change comes in one go with the first");
    }
    Ok(())
}

/// How far foot may step aside or back (MB-MAN-15).
pub(crate) fn step_input(battle: &Battle, unit: UnitId, step: Step) -> Result<Input, Refusal> {
    let kind = if step == Step::Back { ManoeuvreKind::StepBack } else { ManoeuvreKind::SideStep };
    movement::may_go(battle, unit)?;
    may_manoeuvre(battle, unit, kind)?;
    let heading = step_heading(battle, unit, step);
    let going = Going { passes_friends: false, blind: true, ..Going::headlong() };
    let reach = battle.reach(unit, heading, battle.fixed.numbers.side_step.length(), going);
    let least = Length::inch_fraction(1, 20);
    if reach.distance < least || !reach.crossed.is_empty() {
        return no(MB_MAN_15, format!("there is no room: {}", reach.why));
    }
    let most = orders::ordered(battle, unit, heading, least, reach.distance)?;
    let stop = Stop { at: most, why: reach.why.into(), clause: MB_MAN_15 };
    Ok(Input::Distance { least, most, stops: vec![stop] })
}

fn step_heading(battle: &Battle, unit: UnitId, step: Step) -> Heading {
    let heading = battle.brigade(unit).pose.heading;
    match step {
        Step::Left => heading.left(),
        Step::Right => heading.right(),
        Step::Back => heading.reversed(),
    }
}

fn happen(play: &mut Play<'_>, unit: UnitId, facts: &Manoeuvre, changed: Brigade, spent: Length) -> Result<(), Halt> {
    let cost = facts.cost(&play.battle().fixed.numbers);
    play.happen(Event::Manoeuvred {
        unit,
        manoeuvre: facts.manoeuvre,
        to: changed.pose,
        formation: changed.formation,
        files: changed.files,
        half: cost.fraction == Fraction::Half,
        spent,
    });
    harm(play, unit, cost.price, 0, Cause::Move)?;
    // A halted brigade can do no more; neither can one whose move is used up.
    let marks = play.battle().brigade(unit).marks;
    if cost.fraction == Fraction::Whole || marks.control.halted {
        play.happen(Event::Done { unit });
    }
    Ok(())
}

/// Foot step aside or back.
pub(crate) fn step(play: &mut Play<'_>, unit: UnitId, step: Step, by: Option<Length>) -> Result<(), Halt> {
    let input = step_input(play.battle(), unit, step)?;
    let by = by.ok_or(WrongValue("how far?".into()))?;
    input.check(&sabretache_engine::offer::Value::Distance(by), Unit::Inch)?;
    let kind = if step == Step::Back { ManoeuvreKind::StepBack } else { ManoeuvreKind::SideStep };
    let facts = facts_of(play.battle(), unit, kind);
    let heading = step_heading(play.battle(), unit, step);
    let brigade = *play.battle().brigade(unit);
    let by = ambush::until_startled(play.battle(), unit, heading.unit(), by);
    let pose = play.battle().cleared(unit, &brigade, brigade.pose.moved(heading, by));
    happen(play, unit, &facts, Brigade { pose, ..brigade }, Length::ZERO)
}

/// Unformed troops face all round, and turn as they like before they re-form (MB-MAN-05, MB-FRM-05).
pub(crate) fn face_input(battle: &Battle, unit: UnitId) -> Result<Input, Refusal> {
    movement::may_move(battle, unit)?;
    let brigade = battle.brigade(unit);
    let runs = matches!(brigade.status, Status::Routing | Status::Pursuing | Status::Looting);
    decides!(MB_FRM_05);
    if !brigade.is_unformed() || runs || brigade.marks.loose.faced || !brigade.kind.is_brigade() {
        return no(MB_MAN_13, "only unformed troops in hand turn as they like");
    }
    Ok(Input::Wheel { most_left: Angle::hundredths(-17_900), most_right: Angle::HALF })
}

/// Unformed troops turn, if there is room: those who may re-form about their middle, since they re-arrange their bases
/// there, others each base on its own spot. It takes nothing of their move.
pub(crate) fn face(play: &mut Play<'_>, unit: UnitId, by: Option<Angle>) -> Result<(), Halt> {
    let input = face_input(play.battle(), unit)?;
    let by = by.ok_or(WrongValue("how much?".into()))?;
    input.check(&sabretache_engine::offer::Value::Wheel(by), Unit::Inch)?;
    let battle = play.battle();
    let brigade = *battle.brigade(unit);
    let about = battle.figure(unit).centre();
    let to = match brigade.places {
        _ if brigade.kind.never_formed() && !brigade.mixed => {
            if scatter::turn_bases(play, unit, by, None) {
                return Ok(());
            }
            brigade.pose
        }
        Some(_) if scatter::turn_bases(play, unit, by, Some(about)) => return Ok(()),
        Some(_) => brigade.pose,
        None => {
            let turned = brigade.pose.turned_about(about, by);
            let figure = Figure::of(&brigade, turned);
            let room = !startle(play, unit, &figure) && play.battle().stands(unit, &figure);
            if room { turned } else { brigade.pose }
        }
    };
    play.happen(Event::SetDown { unit, to, formation: brigade.formation, files: brigade.files, what: Set::Turned });
    Ok(())
}
