//! Manoeuvres that need no dice: formations, facing, guns, dragoons.

use sabretache_engine::clause::Clause;
use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::{Halt, Input, Refusal, Stop, WrongValue};
use sabretache_table::{Angle, Heading, Length, Outline, Point, Pose};

use crate::Offer;
use crate::ambush::startle;
use crate::battle::Battle;
use crate::brigade::{Brigade, Charge, Status};
use crate::clauses::{
    MB_FRM_01, MB_MAN_01, MB_MAN_05, MB_MAN_06, MB_MAN_07, MB_MAN_08, MB_MAN_12, MB_MAN_13, MB_MAN_15, MB_MAN_16,
    MB_MAN_17, MB_MOV_16,
};
use crate::event::{Event, Phase};
use crate::harm::{Play, harm};
use crate::lay::{Figure, near};
use crate::path::{Going, Surroundings};
use crate::situations::{Cause, Fraction, Manoeuvre, ManoeuvreKind};
use crate::splitting::about;
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

impl Battle {
    /// The facts of a manoeuvre.
    pub(crate) fn manoeuvre(&self, unit: UnitId, manoeuvre: ManoeuvreKind) -> Manoeuvre {
        let brigade = self.brigade(unit);
        Manoeuvre {
            kind: brigade.kind,
            style: brigade.style,
            grade: brigade.grade(),
            formation: brigade.formation,
            mixed: brigade.mixed,
            enemy_near: self.enemy_near(unit),
            under_fire: self.under_fire(unit),
            controlled: matches!(brigade.marks.control, Charge::By(_) | Charge::Attached),
            running: matches!(brigade.status, Status::Routing | Status::Pursuing),
            refused: brigade.refused.is_some(),
            dps: brigade.dps,
            ..Manoeuvre::plain(manoeuvre)
        }
    }

    /// Whether a unit may make a manoeuvre on the spot, and what it costs; halted brigades may too (MB-CTL-13).
    pub(crate) fn may_manoeuvre(&self, unit: UnitId, manoeuvre: ManoeuvreKind) -> Result<Manoeuvre, Refusal> {
        decides!(MB_MAN_01);
        let brigade = self.brigade(unit);
        let again = manoeuvre == ManoeuvreKind::ChangeFormation && brigade.marks.whole;
        if again {
            self.may_change_again(unit)?
        } else {
            self.may_move(unit)?
        }
        let facts = self.manoeuvre(unit, manoeuvre);
        if let Some(refusal) = facts.refusal().filter(|refusal| refusal.impossible || !self.memo.waives()) {
            return Err(refusal);
        }
        if matches!(brigade.status, Status::Routing | Status::Pursuing) {
            self.forbid(MB_MAN_05, "it runs")?;
        }
        if again {
            return Ok(facts);
        }
        let fraction = facts.cost(&self.fixed.numbers).fraction;
        let whole = fraction == Fraction::Whole;
        let used = brigade.marks.half || brigade.marks.spent > Length::ZERO || brigade.marks.dice.is_some();
        if whole && used {
            self.forbid(MB_MAN_01, "it takes a whole move, and part of it is used up")?;
        }
        if brigade.marks.spent > Length::ZERO {
            self.forbid(MB_MAN_01, "it has moved")?;
        }
        Ok(facts)
    }

    /// Whether a change of formation near enemy may be followed by a second, in one go with it (MB-MAN-07).
    fn may_change_again(&self, unit: UnitId) -> Result<(), Refusal> {
        let brigade = self.brigade(unit);
        self.mine(unit)?;
        if self.phase != Phase::Movement || brigade.side != self.active || !brigade.is_unit() || self.pinned(unit) {
            return no(MB_MAN_07, "the second change comes in one go with the first");
        }
        Ok(())
    }

    /// Where a brigade would stand in another formation: its front's middle kept, shifted back if need be (MB-MAN-06).
    fn formed(&self, unit: UnitId, formation: Formation, files: u8, pose: Pose) -> Option<Brigade> {
        let mut changed = Brigade { formation, files, pose, refused: None, places: None, ..*self.brigade(unit) };
        for step in 0..=24 {
            changed.pose = pose.ahead(-(Length::inch_fraction(1, 4) * step));
            let figure = Figure::of(&changed, changed.pose);
            if self.stands_as_known(unit, &figure) {
                return Some(changed);
            }
        }
        None
    }

    /// The brigade in a formation by its name; nothing where it cannot take it up.
    pub(crate) fn in_formation(&self, unit: UnitId, name: &str) -> Option<Brigade> {
        let brigade = self.brigade(unit);
        let Named { formation, files, turn } = named(brigade, name)?.ok()?;
        let pose = if brigade.is_unformed() {
            self.centred(unit, files, brigade.pose.heading)
        } else {
            brigade.pose.turned(turn)
        };
        self.formed(unit, formation, files, pose)
    }

    /// The pose that keeps a brigade's middle where it is.
    fn centred(&self, unit: UnitId, files: u8, heading: Heading) -> Pose {
        let brigade = self.brigade(unit);
        let rows = brigade.bases.div_ceil(files.max(1));
        let depth = brigade.depth * i32::from(rows);
        Pose::new(Point::rounded(self.figure(unit).centre()), heading).ahead(depth.half())
    }

    /// The formations open to a brigade, as they are found.
    pub(crate) fn formations(&self, unit: UnitId) -> impl Iterator<Item = String> + '_ {
        every_name().filter(move |name| self.in_formation(unit, name).is_some())
    }

    /// Whether a brigade may change its formation, or re-form.
    pub(crate) fn may_form(&self, unit: UnitId) -> Result<(), Refusal> {
        let unformed = self.brigade(unit).is_unformed();
        self.may_manoeuvre(unit, if unformed { ManoeuvreKind::ReForm } else { ManoeuvreKind::ChangeFormation })?;
        if self.formations(unit).next().is_none() {
            let clause = if unformed { MB_MAN_05 } else { MB_MAN_06 };
            return no(clause, "there is no room for another formation");
        }
        Ok(())
    }

    pub(crate) fn formation_input(&self, unit: UnitId) -> Result<Input, Refusal> {
        self.may_form(unit)?;
        Ok(Input::Formation { of: self.formations(unit).collect() })
    }

    /// The brigade turned about: its footprint stays (MB-MAN-12).
    pub(crate) fn about(&self, unit: UnitId) -> Result<Pose, Refusal> {
        let brigade = self.brigade(unit);
        self.may_manoeuvre(unit, ManoeuvreKind::AboutFace)?;
        if brigade.is_unformed() {
            return no(MB_MAN_12, "unformed troops face all round");
        }
        let pose = self.turned_about(unit);
        if !self.stands(unit, &Figure::of(brigade, pose)) {
            return no(MB_MAN_12, "there is no room to turn about");
        }
        Ok(pose)
    }

    /// The pose of a brigade facing the other way on the same ground.
    pub(crate) fn turned_about(&self, unit: UnitId) -> Pose {
        let brigade = self.brigade(unit);
        let depth = brigade.depth * i32::from(brigade.rows());
        let back = brigade.pose.ahead(-depth);
        Pose::new(back.at, brigade.pose.heading.reversed())
    }

    /// How far foot may step aside or back (MB-MAN-15).
    pub(crate) fn step_input(&self, unit: UnitId, step: Step) -> Result<Input, Refusal> {
        let kind = if step == Step::Back { ManoeuvreKind::StepBack } else { ManoeuvreKind::SideStep };
        self.may_go(unit)?;
        self.may_manoeuvre(unit, kind)?;
        let heading = self.step_heading(unit, step);
        let going = Going { passes_friends: false, blind: true, ..Going::headlong() };
        let reach = self.reach(unit, heading, self.fixed.numbers.side_step.length(), going);
        let least = Length::inch_fraction(1, 20);
        if reach.distance < least || !reach.crossed.is_empty() {
            return no(MB_MAN_15, format!("there is no room: {}", reach.why));
        }
        let stop = Stop { at: reach.distance, why: reach.why.into(), clause: MB_MAN_15 };
        Ok(Input::Distance { least, most: reach.distance, stops: vec![stop] })
    }

    fn step_heading(&self, unit: UnitId, step: Step) -> Heading {
        let heading = self.brigade(unit).pose.heading;
        match step {
            Step::Left => heading.left(),
            Step::Right => heading.right(),
            Step::Back => heading.reversed(),
        }
    }

    /// The dragoons on foot, or in the saddle again (MB-MAN-16, 17).
    pub(crate) fn remounted(&self, unit: UnitId) -> Result<Brigade, Refusal> {
        let brigade = self.brigade(unit);
        let mounts = brigade.kind == Kind::DismountedDragoons;
        self.may_manoeuvre(unit, if mounts { ManoeuvreKind::Mount } else { ManoeuvreKind::Dismount })?;
        if brigade.marks.half {
            self.forbid(MB_MAN_01, "half of its move is used up already")?;
        }
        if mounts {
            let reach = self.fixed.numbers.horse_holders.length();
            let there = brigade
                .horses
                .is_some_and(|at| near(&sabretache_table::Convex::place(at.v()), &self.figure(unit), reach));
            if !there {
                self.forbid(MB_MAN_17, "their horses are not within an inch")?;
            }
        }
        let bases = &self.fixed.numbers.bases;
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
        let fits = |one: &Brigade| self.stands(unit, &Figure::of(one, one.pose));
        // On the spot: where its front is, or about its middle, or a little back or aside where a neighbour stands.
        let middle = Pose::new(Point::rounded(self.figure(unit).centre()), brigade.pose.heading);
        let centred = middle.ahead((changed.depth * i32::from(changed.rows())).half());
        let near = [changed.pose, centred].into_iter().flat_map(|pose| {
            let by = |n: i32| Length::inch_fraction(1, 8) * n;
            (0..=16).flat_map(move |n| [pose.ahead(-by(n)), pose.sideways(by(n)), pose.sideways(-by(n))])
        });
        let at = |pose: Pose| Some(Brigade { pose, ..changed }).filter(|one| fits(one));
        // Who gets off among neighbours stands closer.
        let close = || (!mounts).then(|| changed.drawn_close()).filter(|one| fits(one));
        let found = at(changed.pose).or_else(close).or_else(|| near.into_iter().find_map(at));
        found.ok_or_else(|| Refusal::new(MB_MAN_16, "there is no room"))
    }
}

/// Tells of each manoeuvre a unit may make on the spot, until the listener has heard enough; whether it has.
pub(crate) fn each_offer(battle: &Battle, unit: UnitId, enough: &mut dyn FnMut(Offer) -> bool) -> bool {
    if battle.may_move(unit).is_err() {
        return false;
    }
    let mut say = |open: bool, offer: Offer| open && enough(offer);
    let step = |step: Step| (battle.step_input(unit, step).is_ok(), Offer::Step { unit, step });
    if battle.brigade(unit).kind.is_model() {
        return say(battle.has_room_to_pivot(unit), Offer::Pivot(unit))
            || say(battle.push_input(unit).is_ok(), Offer::Push(unit))
            || say(battle.may_manoeuvre(unit, ManoeuvreKind::Unlimber).is_ok(), Offer::Unlimber(unit))
            || [false, true]
                .into_iter()
                .any(|back| say(battle.unlimber_input(unit, back).is_ok(), Offer::UnlimberTurned { unit, back }));
    }
    say(battle.may_form(unit).is_ok(), Offer::Form(unit))
        || say(battle.crowd_input(unit).is_ok(), Offer::Crowd(unit))
        || say(battle.may_scatter(unit).is_ok(), Offer::Scatter(unit))
        || say(battle.about(unit).is_ok(), Offer::AboutFace(unit))
        || [Step::Left, Step::Right, Step::Back].into_iter().map(step).any(|(open, offer)| say(open, offer))
        || say(battle.remounted(unit).is_ok(), Offer::Remount(unit))
        || say(battle.horses_input(unit).is_ok(), Offer::LeadHorses(unit))
        || say(battle.face_input(unit).is_ok(), Offer::Face(unit))
        || crate::refusing::each_offer(battle, unit, enough)
        || crate::merging::each_offer(battle, unit, enough)
}

pub(crate) fn closed(battle: &Battle, unit: UnitId, out: &mut Vec<(Offer, Refusal)>) {
    let mut shut = |offer: Offer, refusal: Option<Refusal>| out.extend(refusal.map(|refusal| (offer, refusal)));
    let brigade = battle.brigade(unit);
    shut(Offer::Form(unit), battle.formation_input(unit).err());
    shut(Offer::Crowd(unit), battle.crowd_input(unit).err());
    shut(Offer::Scatter(unit), battle.may_scatter(unit).err());
    shut(Offer::AboutFace(unit), battle.about(unit).err());
    if brigade.kind.is_model() {
        shut(Offer::Pivot(unit), battle.pivot_input(unit).err());
        shut(Offer::Push(unit), battle.push_input(unit).err());
        shut(Offer::Unlimber(unit), battle.may_manoeuvre(unit, ManoeuvreKind::Unlimber).err());
    } else {
        for step in [Step::Left, Step::Right, Step::Back] {
            shut(Offer::Step { unit, step }, battle.step_input(unit, step).err());
        }
        shut(Offer::Remount(unit), battle.remounted(unit).err());
        shut(Offer::Split(unit), battle.split_input(unit).err());
        for left in [true, false] {
            let bases = 2.min(brigade.bases.saturating_sub(1)).max(1);
            shut(Offer::SwingBack { unit, left, bases }, battle.may_swing_back(unit, left, bases).err());
            shut(Offer::StepEnd { unit, left, bases }, battle.step_end_input(unit, left, bases).err());
        }
        if brigade.refused.is_some() {
            shut(Offer::SwingForward(unit), battle.may_swing_forward(unit).err());
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
    play.battle().formation_input(unit)?;
    let name = name.ok_or(WrongValue("which formation?".into()))?;
    let battle = play.battle();
    let kind = if battle.brigade(unit).is_unformed() { ManoeuvreKind::ReForm } else { ManoeuvreKind::ChangeFormation };
    // A second change in the same move makes it a double one, which costs no second DP (MB-MAN-07).
    decides!(MB_MAN_07);
    let again = battle.brigade(unit).marks.half || battle.brigade(unit).marks.whole;
    let facts = battle.manoeuvre(unit, kind);
    let facts = Manoeuvre { enemy_near: facts.enemy_near && !battle.brigade(unit).marks.whole, ..facts };
    let Some(changed) = battle.in_formation(unit, name) else {
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
    let pose = play.battle().about(unit)?;
    let facts = play.battle().manoeuvre(unit, ManoeuvreKind::AboutFace);
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
    let input = play.battle().step_input(unit, step)?;
    let by = by.ok_or(WrongValue("how far?".into()))?;
    input.check(&sabretache_engine::offer::Value::Distance(by))?;
    let kind = if step == Step::Back { ManoeuvreKind::StepBack } else { ManoeuvreKind::SideStep };
    let facts = play.battle().manoeuvre(unit, kind);
    let heading = play.battle().step_heading(unit, step);
    let brigade = *play.battle().brigade(unit);
    let by = play.battle().until_startled(unit, heading.unit(), by);
    let to = brigade.pose.moved(heading, by);
    // Along a neighbour whom it touches the rounding of its place must not lay it upon him.
    let free = |pose: &Pose| play.battle().stands(unit, &Figure::of(&brigade, *pose));
    let pose = about(to.at).map(|at| Pose::new(at, to.heading)).find(free).unwrap_or(to);
    happen(play, unit, &facts, Brigade { pose, ..brigade }, Length::ZERO)
}

impl Battle {
    /// Where the horses of dragoons who have just dismounted may be led (MB-MAN-17).
    pub(crate) fn horses_input(&self, unit: UnitId) -> Result<Input, Refusal> {
        self.may_move(unit)?;
        let brigade = self.brigade(unit);
        let Some(at) = brigade.horses.filter(|_| brigade.marks.dismounted) else {
            return no(MB_MAN_17, "horses are led away once, as their riders dismount");
        };
        Ok(self.riding_input(brigade.side, at, false))
    }

    /// Unformed troops face all round, and turn as they like before they re-form (MB-MAN-05, MB-FRM-05).
    pub(crate) fn face_input(&self, unit: UnitId) -> Result<Input, Refusal> {
        self.may_move(unit)?;
        let brigade = self.brigade(unit);
        let runs = matches!(brigade.status, Status::Routing | Status::Pursuing | Status::Looting);
        if !brigade.is_unformed() || runs || brigade.marks.faced || !brigade.kind.is_brigade() {
            return no(MB_MAN_13, "only unformed troops in hand turn as they like");
        }
        Ok(Input::Wheel { most_left: Angle::hundredths(-17_900), most_right: Angle::HALF })
    }
}

/// Horses are led away.
pub(crate) fn lead_horses(play: &mut Play<'_>, unit: UnitId, to: Option<Point>) -> Result<(), Halt> {
    let input = play.battle().horses_input(unit)?;
    let to = to.ok_or(WrongValue("where to?".into()))?;
    input.check(&sabretache_engine::offer::Value::Point(to))?;
    let battle = play.battle();
    let from = battle.brigade(unit).horses.unwrap_or(to);
    let to = battle.rides(battle.brigade(unit).side, from, to, false);
    play.happen(Event::HorsesLed { unit, to });
    Ok(())
}

/// Unformed troops turn, if there is room: those who may re-form about their middle, since they re-arrange their bases
/// there, others each base on its own spot. It takes nothing of their move.
pub(crate) fn face(play: &mut Play<'_>, unit: UnitId, by: Option<Angle>) -> Result<(), Halt> {
    let input = play.battle().face_input(unit)?;
    let by = by.ok_or(WrongValue("how much?".into()))?;
    input.check(&sabretache_engine::offer::Value::Wheel(by))?;
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
    play.happen(Event::SetDown { unit, to, formation: brigade.formation, files: brigade.files, what: 3 });
    Ok(())
}

/// Dragoons dismount, or mount again.
pub(crate) fn remount(play: &mut Play<'_>, unit: UnitId) -> Result<(), Halt> {
    let changed = play.battle().remounted(unit)?;
    let price = u8::from(play.battle().under_fire(unit));
    let horses =
        (changed.kind == Kind::DismountedDragoons).then(|| Point::rounded(play.battle().figure(unit).centre()));
    let places = changed.places.map_or_else(Vec::new, |places| places.on_table(changed.pose.at).collect());
    let to = Some(changed.pose);
    play.happen(Event::Changed { unit, kind: changed.kind, horses, to, places });
    harm(play, unit, price, 0, Cause::Move)
}
