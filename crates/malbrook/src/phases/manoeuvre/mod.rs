//! Manoeuvres that need no dice: formations, facing, guns, dragoons.

use crate::phases::advance;
use crate::phases::ambush;
use crate::phases::command;
use crate::phases::manoeuvre::guns::has_room_to_pivot;
use crate::phases::merging;
use crate::phases::movement;
use crate::phases::options;
use crate::phases::orders;
use crate::phases::refused_flank;
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

use crate::Offer;
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

mod crowd;
mod guns;
mod named;
mod scatter;

pub(crate) use crowd::crowd;
pub(crate) use guns::{pivot, push, recrew, unlimber, unlimber_turned};
pub(crate) use named::why_not;
pub use scatter::Scattering;
pub(crate) use scatter::{gather, scatter, scatter_offers, scattered, send_base};

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
        controlled: matches!(brigade.marks.control, Charge::By(_) | Charge::Attached),
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
    let again = manoeuvre == ManoeuvreKind::ChangeFormation && brigade.marks.whole;
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
    let used = brigade.marks.half || brigade.marks.spent > Length::ZERO || brigade.marks.dice.is_some();
    if whole && used {
        battle.forbid(MB_MAN_01, "it takes a whole move, and part of it is used up")?;
    }
    if brigade.marks.spent > Length::ZERO {
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

/// How far back a brigade looks for room to form.
const BACK: Length = Length::inches(6);

/// Where a brigade would stand in another formation: its front's middle kept, shifted back if need be (MB-MAN-06).
fn formed(battle: &Battle, unit: UnitId, formation: Formation, files: u8, pose: Pose) -> Option<Brigade> {
    let mut changed = Brigade { formation, files, pose, refused: None, places: None, ..*battle.brigade(unit) };
    let figure = Figure::of(&changed, pose);
    if battle.stands_as_known(unit, &figure) {
        return Some(changed);
    }
    // Straight back to where it is just clear of what it would stand on.
    let (back, most) = (pose.heading.reversed().unit(), BACK);
    let corridor = figure.bounds().swept(back * most.f());
    let mut clear: Vec<Length> = Vec::new();
    let mut stretches = SmallVec::new();
    for one in battle.around(corridor, HAIR).filter(|one| *one != unit) {
        meetings(&figure, back, most.f(), battle.figure(one), &mut stretches);
        clear.extend(stretches.iter().map(|met| Length::ceiled(met.to)));
    }
    for lie in battle.fixed.ground.near(&corridor).filter(|lie| battle.stops(&changed, lie.feature.id.0).is_some()) {
        meetings(&figure, back, most.f(), &lie, &mut stretches);
        clear.extend(stretches.iter().map(|met| Length::ceiled(met.to)));
    }
    clear.sort_unstable();
    let near_by = clear.into_iter().filter(|by| *by <= most).flat_map(|by| [by, by + Length::um(2)]);
    let found =
        near_by.map(|by| pose.ahead(-by)).find(|to| battle.stands_as_known(unit, &Figure::of(&changed, *to)))?;
    changed.pose = found;
    Some(changed)
}

/// The brigade in a formation by its name; nothing where it cannot take it up.
pub(crate) fn in_formation(battle: &Battle, unit: UnitId, name: &str) -> Option<Brigade> {
    let brigade = battle.brigade(unit);
    let Named { formation, files, turn } = named(brigade, name)?.ok()?;
    let pose = if brigade.is_unformed() {
        centred(battle, unit, files, brigade.pose.heading)
    } else {
        brigade.pose.turned(turn)
    };
    formed(battle, unit, formation, files, pose)
}

/// The pose that keeps a brigade's middle where it is.
fn centred(battle: &Battle, unit: UnitId, files: u8, heading: Heading) -> Pose {
    let brigade = battle.brigade(unit);
    let rows = brigade.bases.div_ceil(files.max(1));
    let depth = brigade.depth * i32::from(rows);
    Pose::new(Point::rounded(battle.figure(unit).centre()), heading).ahead(depth.half())
}

/// The formations open to a brigade, as they are found.
pub(crate) fn formations(battle: &Battle, unit: UnitId) -> impl Iterator<Item = String> + '_ {
    every_name().filter(move |name| in_formation(battle, unit, name).is_some())
}

/// Whether a brigade may change its formation, or re-form.
pub(crate) fn may_form(battle: &Battle, unit: UnitId) -> Result<(), Refusal> {
    let unformed = battle.brigade(unit).is_unformed();
    may_manoeuvre(battle, unit, if unformed { ManoeuvreKind::ReForm } else { ManoeuvreKind::ChangeFormation })?;
    if formations(battle, unit).next().is_none() {
        let clause = if unformed { MB_MAN_05 } else { MB_MAN_06 };
        return no(clause, "there is no room for another formation");
    }
    Ok(())
}

pub(crate) fn formation_input(battle: &Battle, unit: UnitId) -> Result<Input, Refusal> {
    may_form(battle, unit)?;
    Ok(Input::Formation { of: formations(battle, unit).collect() })
}

/// The brigade turned about: its footprint stays (MB-MAN-12).
pub(crate) fn may_turn_about(battle: &Battle, unit: UnitId) -> Result<Pose, Refusal> {
    let brigade = battle.brigade(unit);
    may_manoeuvre(battle, unit, ManoeuvreKind::AboutFace)?;
    if brigade.is_unformed() {
        return no(MB_MAN_12, "unformed troops face all round");
    }
    let pose = turned_about(battle, unit);
    if !battle.stands(unit, &Figure::of(brigade, pose)) {
        return no(MB_MAN_12, "there is no room to turn about");
    }
    Ok(pose)
}

/// The pose of a brigade facing the other way on the same ground.
pub(crate) fn turned_about(battle: &Battle, unit: UnitId) -> Pose {
    let brigade = battle.brigade(unit);
    let depth = brigade.depth * i32::from(brigade.rows());
    let back = brigade.pose.ahead(-depth);
    Pose::new(back.at, brigade.pose.heading.reversed())
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

/// The dragoons on foot, or in the saddle again (MB-MAN-16, 17).
pub(crate) fn remounted(battle: &Battle, unit: UnitId) -> Result<Brigade, Refusal> {
    let brigade = battle.brigade(unit);
    let mounts = brigade.kind == Kind::DismountedDragoons;
    may_manoeuvre(battle, unit, if mounts { ManoeuvreKind::Mount } else { ManoeuvreKind::Dismount })?;
    if brigade.marks.half {
        battle.forbid(MB_MAN_01, "half of its move is used up already")?;
    }
    if mounts {
        decides!(MB_MAN_17);
        let reach = battle.fixed.numbers.horse_holders.length();
        let there = brigade
            .horses
            .is_some_and(|at| near(&sabretache_table::Convex::place(at.v()), &battle.figure(unit), reach));
        if !there {
            battle.forbid(MB_MAN_17, "their horses are not within an inch")?;
        }
    }
    let bases = &battle.fixed.numbers.bases;
    let (kind, base, formation) = if mounts {
        (Kind::Dragoons, &bases.horse, Formation::Line)
    } else {
        (Kind::DismountedDragoons, &bases.foot, Formation::Unformed)
    };
    decides!(MB_MAN_16);
    let changed = Brigade {
        kind,
        width: base.width.length(),
        depth: base.depth.length(),
        formation,
        files: if mounts { brigade.bases } else { brigade.files },
        places: None,
        ..*brigade
    };
    let fits = |one: &Brigade| battle.stands(unit, &Figure::of(one, one.pose));
    // On the spot: where its front is, or about its middle, or a little back or aside where a neighbour stands.
    let middle = Pose::new(Point::rounded(battle.figure(unit).centre()), brigade.pose.heading);
    let centred = middle.ahead((changed.depth * i32::from(changed.rows())).half());
    let near = [changed.pose, centred].into_iter().flat_map(|pose| {
        let by = |n: i32| Length::inch_fraction(1, 8) * n;
        (0..=16).flat_map(move |n| [pose.ahead(-by(n)), pose.sideways(by(n)), pose.sideways(-by(n))])
    });
    let at = |pose: Pose| Some(Brigade { pose, ..changed }).filter(|one| fits(one));
    // Dragoons that dismount among neighbours stand closer.
    let close = || (!mounts).then(|| changed.drawn_close()).filter(|one| fits(one));
    let found = at(changed.pose).or_else(close).or_else(|| near.into_iter().find_map(at));
    found.ok_or_else(|| Refusal::new(MB_MAN_16, "there is no room"))
}

/// Tells of each manoeuvre a unit may make on the spot, until the listener has heard enough; whether it has.
pub(crate) fn each_offer(battle: &Battle, unit: UnitId, enough: &mut dyn FnMut(Offer) -> bool) -> bool {
    if movement::may_move(battle, unit).is_err() {
        return false;
    }
    let mut say = |open: bool, offer: Offer| open && enough(offer);
    let step = |step: Step| (step_input(battle, unit, step).is_ok(), Offer::Step { unit, step });
    if battle.brigade(unit).kind.is_model() {
        return say(has_room_to_pivot(battle, unit), Offer::Pivot(unit))
            || say(push_input(battle, unit).is_ok(), Offer::Push(unit))
            || say(may_manoeuvre(battle, unit, ManoeuvreKind::Unlimber).is_ok(), Offer::Unlimber(unit))
            || [false, true]
                .into_iter()
                .any(|back| say(unlimber_input(battle, unit, back).is_ok(), Offer::UnlimberTurned { unit, back }));
    }
    say(may_form(battle, unit).is_ok(), Offer::Form(unit))
        || say(crowd_input(battle, unit).is_ok(), Offer::Crowd(unit))
        || say(may_scatter(battle, unit).is_ok(), Offer::Scatter(unit))
        || say(may_turn_about(battle, unit).is_ok(), Offer::AboutFace(unit))
        || [Step::Left, Step::Right, Step::Back].into_iter().map(step).any(|(open, offer)| say(open, offer))
        || say(remounted(battle, unit).is_ok(), Offer::Remount(unit))
        || say(horses_input(battle, unit).is_ok(), Offer::LeadHorses(unit))
        || say(face_input(battle, unit).is_ok(), Offer::Face(unit))
        || refused_flank::each_offer(battle, unit, enough)
        || merging::each_offer(battle, unit, enough)
}

pub(crate) fn closed(battle: &Battle, unit: UnitId, out: &mut Vec<(Offer, Refusal)>) {
    let mut shut = |offer: Offer, refusal: Option<Refusal>| out.extend(refusal.map(|refusal| (offer, refusal)));
    let brigade = battle.brigade(unit);
    shut(Offer::Form(unit), formation_input(battle, unit).err());
    shut(Offer::Crowd(unit), crowd_input(battle, unit).err());
    shut(Offer::Scatter(unit), may_scatter(battle, unit).err());
    shut(Offer::AboutFace(unit), may_turn_about(battle, unit).err());
    if brigade.kind.is_model() {
        shut(Offer::Pivot(unit), pivot_input(battle, unit).err());
        shut(Offer::Push(unit), push_input(battle, unit).err());
        shut(Offer::Unlimber(unit), may_manoeuvre(battle, unit, ManoeuvreKind::Unlimber).err());
    } else {
        for step in [Step::Left, Step::Right, Step::Back] {
            shut(Offer::Step { unit, step }, step_input(battle, unit, step).err());
        }
        shut(Offer::Remount(unit), remounted(battle, unit).err());
        shut(Offer::Split(unit), merging::split_input(battle, unit).err());
        for left in [true, false] {
            let bases = 2.min(brigade.bases.saturating_sub(1)).max(1);
            shut(
                Offer::SwingBack { unit, left, bases },
                refused_flank::may_swing_back(battle, unit, left, bases).err(),
            );
            shut(Offer::StepEnd { unit, left, bases }, refused_flank::step_end_input(battle, unit, left, bases).err());
        }
        if brigade.refused.is_some() {
            shut(Offer::SwingForward(unit), refused_flank::may_swing_forward(battle, unit).err());
        }
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
    if cost.fraction == Fraction::Whole || marks.halted {
        play.happen(Event::Done { unit });
    }
    Ok(())
}

/// A brigade takes up a formation.
pub(crate) fn form(play: &mut Play<'_>, unit: UnitId, name: Option<&str>) -> Result<(), Halt> {
    formation_input(play.battle(), unit)?;
    let name = name.ok_or(WrongValue("which formation?".into()))?;
    let battle = play.battle();
    let kind = if battle.brigade(unit).is_unformed() { ManoeuvreKind::ReForm } else { ManoeuvreKind::ChangeFormation };
    // A second change in the same move makes it a double one, which costs no second DP (MB-MAN-07).
    decides!(MB_MAN_07);
    let again = battle.brigade(unit).marks.half || battle.brigade(unit).marks.whole;
    let facts = facts_of(battle, unit, kind);
    let facts = Manoeuvre { enemy_near: facts.enemy_near && !battle.brigade(unit).marks.whole, ..facts };
    let Some(changed) = in_formation(battle, unit, name) else {
        return Err(Refusal::new(MB_FRM_01, format!("it cannot form {name} here")).into());
    };
    if startle(play, unit, &Figure::of(&changed, changed.pose)) {
        play.happen(Event::Done { unit });
        return Ok(());
    }
    happen(play, unit, &facts, changed, Length::ZERO)?;
    if again && !play.battle().brigade(unit).marks.done {
        play.happen(Event::Done { unit });
    }
    Ok(())
}

/// A brigade turns about.
pub(crate) fn about_face(play: &mut Play<'_>, unit: UnitId) -> Result<(), Halt> {
    let pose = may_turn_about(play.battle(), unit)?;
    let facts = facts_of(play.battle(), unit, ManoeuvreKind::AboutFace);
    let changed = Brigade { pose, ..*play.battle().brigade(unit) };
    let again = play.battle().brigade(unit).marks.half;
    happen(play, unit, &facts, changed, Length::ZERO)?;
    if again && !play.battle().brigade(unit).marks.done {
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

/// Where the horses of dragoons who have just dismounted may be led (MB-MAN-17).
pub(crate) fn horses_input(battle: &Battle, unit: UnitId) -> Result<Input, Refusal> {
    movement::may_move(battle, unit)?;
    let brigade = battle.brigade(unit);
    let Some(at) = brigade.horses.filter(|_| brigade.marks.dismounted) else {
        return no(MB_MAN_17, "horses are led away once, as their riders dismount");
    };
    Ok(command::riding_input(battle, brigade.side, at, false))
}

/// Unformed troops face all round, and turn as they like before they re-form (MB-MAN-05, MB-FRM-05).
pub(crate) fn face_input(battle: &Battle, unit: UnitId) -> Result<Input, Refusal> {
    movement::may_move(battle, unit)?;
    let brigade = battle.brigade(unit);
    let runs = matches!(brigade.status, Status::Routing | Status::Pursuing | Status::Looting);
    decides!(MB_FRM_05);
    if !brigade.is_unformed() || runs || brigade.marks.faced || !brigade.kind.is_brigade() {
        return no(MB_MAN_13, "only unformed troops in hand turn as they like");
    }
    Ok(Input::Wheel { most_left: Angle::hundredths(-17_900), most_right: Angle::HALF })
}

/// Horses are led away.
pub(crate) fn lead_horses(play: &mut Play<'_>, unit: UnitId, to: Option<Point>) -> Result<(), Halt> {
    let input = horses_input(play.battle(), unit)?;
    let to = to.ok_or(WrongValue("where to?".into()))?;
    input.check(&sabretache_engine::offer::Value::Point(to), Unit::Inch)?;
    let battle = play.battle();
    let from = battle.brigade(unit).horses.unwrap_or(to);
    let to = command::rides(battle, battle.brigade(unit).side, from, to, false);
    play.happen(Event::HorsesLed { unit, to });
    Ok(())
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

/// Dragoons dismount, or mount again.
pub(crate) fn remount(play: &mut Play<'_>, unit: UnitId) -> Result<(), Halt> {
    let changed = remounted(play.battle(), unit)?;
    let price = u8::from(play.battle().under_fire(unit));
    let horses =
        (changed.kind == Kind::DismountedDragoons).then(|| Point::rounded(play.battle().figure(unit).centre()));
    let places = changed.places.map_or_else(Vec::new, |places| places.on_table(changed.pose.at).collect());
    let to = Some(changed.pose);
    play.happen(Event::Changed { unit, kind: changed.kind, horses, to, places });
    harm(play, unit, price, 0, Cause::Move)
}
