//! What is done without dice: formations, facing, guns, dragoons.

use sabretache_engine::decides;
use sabretache_engine::handle::{Handle, Handling};
use sabretache_engine::ids::{Named, UnitId};
use sabretache_engine::offer::{Halt, Input, Refusal, Value};
use sabretache_engine::ruleset::Label;
use sabretache_kit::Part;

use crate::battle::Battle;
use crate::clauses::{
    MB_FRM_05, MB_GUN_04, MB_GUN_05, MB_MAN_06, MB_MAN_08, MB_MAN_12, MB_MAN_15, MB_MAN_16, MB_MAN_17, MB_MOV_17,
    MB_MOV_29,
};
use crate::phases::despite::shut;
use crate::phases::handles::{about_centre, ahead, slide};
use crate::phases::harm::Play;
use crate::phases::manoeuvre::Step;
use crate::phases::merging::offers::Merging;
use crate::phases::refused_flank::offers::RefusedFlank;
use crate::phases::{manoeuvre, merging, movement, refused_flank};
use crate::situations::ManoeuvreKind;
use crate::troops::Kind;
use crate::words::labelled;
use crate::{Malbrook, Offer};

/// Manoeuvres on the spot, of troops and of guns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Manoeuvres {
    /// A brigade takes up a formation.
    Form(UnitId),
    /// Unformed troops draw together or spread out.
    Crowd(UnitId),
    /// The bases of unformed troops move one by one.
    Scatter(UnitId),
    /// Unformed troops turn as they like.
    Face(UnitId),
    /// A brigade turns about.
    AboutFace(UnitId),
    /// Foot step aside or back.
    Step { unit: UnitId, step: Step },
    /// Dragoons dismount or mount again.
    Remount(UnitId),
    /// The horses of dragoons who have just dismounted are led away.
    LeadHorses(UnitId),
    /// A gun pivots.
    Pivot(UnitId),
    /// A gun is pushed.
    Push(UnitId),
    /// A gun comes off its limber.
    Unlimber(UnitId),
    /// A gun comes off its limber facing another way: about its front, or its rear.
    UnlimberTurned { unit: UnitId, back: bool },
    /// A crew returns to its gun.
    Recrew(UnitId),
}

impl Part<Malbrook> for Manoeuvres {
    fn actor(self) -> Option<Named> {
        match self {
            Self::Form(unit)
            | Self::Crowd(unit)
            | Self::Scatter(unit)
            | Self::AboutFace(unit)
            | Self::Pivot(unit)
            | Self::Push(unit)
            | Self::Step { unit, .. }
            | Self::Unlimber(unit)
            | Self::UnlimberTurned { unit, .. }
            | Self::LeadHorses(unit)
            | Self::Remount(unit)
            | Self::Face(unit)
            | Self::Recrew(unit) => Some(unit.into()),
        }
    }

    fn input(self, battle: &Battle) -> Result<Input, Refusal> {
        match self {
            Self::Form(unit) => manoeuvre::formation_input(battle, unit),
            Self::Crowd(unit) => manoeuvre::crowd_input(battle, unit),
            Self::Face(unit) => manoeuvre::face_input(battle, unit),
            Self::Step { unit, step } => manoeuvre::step_input(battle, unit, step),
            Self::LeadHorses(unit) => manoeuvre::horses_input(battle, unit),
            Self::Pivot(unit) => manoeuvre::pivot_input(battle, unit),
            Self::Push(unit) => manoeuvre::push_input(battle, unit),
            Self::UnlimberTurned { unit, back } => manoeuvre::unlimber_input(battle, unit, back),
            Self::Scatter(_) | Self::AboutFace(_) | Self::Remount(_) | Self::Unlimber(_) | Self::Recrew(_) => {
                Ok(Input::None)
            }
        }
    }

    fn carry_out(self, play: &mut Play<'_>, value: &Value) -> Result<(), Halt> {
        match self {
            Self::Form(unit) => manoeuvre::form(play, unit, value.formation()),
            Self::Crowd(unit) => manoeuvre::crowd(play, unit, value.formation()),
            Self::Scatter(unit) => manoeuvre::scatter(play, unit),
            Self::Face(unit) => manoeuvre::face(play, unit, value.wheel()),
            Self::AboutFace(unit) => manoeuvre::about_face(play, unit),
            Self::Step { unit, step } => manoeuvre::step(play, unit, step, value.distance()),
            Self::Remount(unit) => manoeuvre::remount(play, unit),
            Self::LeadHorses(unit) => manoeuvre::lead_horses(play, unit, value.point()),
            Self::Pivot(unit) => manoeuvre::pivot(play, unit, value.wheel()),
            Self::Push(unit) => manoeuvre::push(play, unit, value.distance()),
            Self::Unlimber(unit) => manoeuvre::unlimber(play, unit),
            Self::UnlimberTurned { unit, back } => manoeuvre::unlimber_turned(play, unit, back, value.wheel()),
            Self::Recrew(unit) => manoeuvre::recrew(play, unit),
        }
    }

    fn key(self, battle: &Battle) -> String {
        let id = |unit: UnitId| battle.id_of(unit);
        match self {
            Self::Form(unit) => format!("form {}", id(unit)),
            Self::Crowd(unit) => format!("crowd {}", id(unit)),
            Self::Scatter(unit) => format!("scatter {}", id(unit)),
            Self::Face(unit) => format!("face {}", id(unit)),
            Self::AboutFace(unit) => format!("about face {}", id(unit)),
            Self::Step { unit, step } => format!("step {} {}", id(unit), step.word()),
            Self::Remount(unit) => format!("remount {}", id(unit)),
            Self::LeadHorses(unit) => format!("lead away the horses of {}", id(unit)),
            Self::Pivot(unit) => format!("pivot {}", id(unit)),
            Self::Push(unit) => format!("push {}", id(unit)),
            Self::Unlimber(unit) => format!("unlimber {}", id(unit)),
            Self::UnlimberTurned { unit, back } => {
                format!("unlimber {} {}", id(unit), if back { "to the rear" } else { "turned" })
            }
            Self::Recrew(unit) => format!("recrew {}", id(unit)),
        }
    }

    fn label(self, battle: &Battle) -> Label {
        let name = |unit: UnitId| battle.name_of(unit);
        let (text, unit, clause) = match self {
            Self::Form(unit) => (format!("Change the formation of {}", name(unit)), Some(unit), MB_MAN_06),
            Self::Crowd(unit) => (format!("Let {} draw together or spread out", name(unit)), Some(unit), MB_MOV_29),
            Self::Scatter(unit) => (format!("Move {} base by base", name(unit)), Some(unit), MB_MOV_29),
            Self::Face(unit) => (format!("Turn {} freely", name(unit)), Some(unit), MB_FRM_05),
            Self::AboutFace(unit) => (format!("Turn {} about", name(unit)), Some(unit), MB_MAN_12),
            Self::Step { unit, step } => (format!("Let {} step {}", name(unit), step.word()), Some(unit), MB_MAN_15),
            Self::Remount(unit) => {
                let does = if battle.brigade(unit).kind == Kind::Dragoons { "Dismount" } else { "Mount" };
                (format!("{does} {}", name(unit)), Some(unit), MB_MAN_16)
            }
            Self::LeadHorses(unit) => (format!("Lead away the horses of {}", name(unit)), Some(unit), MB_MAN_17),
            Self::Pivot(unit) => (format!("Pivot {}", name(unit)), Some(unit), MB_MOV_17),
            Self::Push(unit) => (format!("Push {} forward", name(unit)), Some(unit), MB_MOV_17),
            Self::Unlimber(unit) => (format!("Unlimber {}", name(unit)), Some(unit), MB_MAN_08),
            Self::UnlimberTurned { unit, back } => {
                let way = if back { "facing to the rear" } else { "facing another way" };
                (format!("Unlimber {} {way}", name(unit)), Some(unit), MB_MAN_08)
            }
            Self::Recrew(unit) => (format!("Let the crew of {} return", name(unit)), Some(unit), MB_GUN_04),
        };
        labelled(battle, text, unit, clause)
    }

    fn handling(self, battle: &Battle) -> Handling {
        match self {
            Self::Form(unit) | Self::Crowd(unit) => {
                Handling::act("form", unit).by(Handle::Formation { unit, into: None })
            }
            Self::Scatter(unit) => Handling::act("scatter", unit),
            Self::Face(unit) => about_centre(battle, self, "face", unit),
            Self::AboutFace(unit) => Handling::act("face_about", unit),
            Self::Step { unit, step } => {
                let turn = match step {
                    Step::Left => -90,
                    Step::Right => 90,
                    Step::Back => 180,
                };
                slide(battle, "side_step", unit, turn)
            }
            Self::Remount(unit) => Handling::act("remount", unit),
            Self::LeadHorses(unit) => Handling::act("lead_horses", unit).by(Handle::Point { who: unit.into() }),
            Self::Pivot(unit) => about_centre(battle, self, "wheel", unit),
            Self::Push(unit) => ahead(battle, self, "push", unit, battle.brigade(unit).pose.heading),
            Self::Unlimber(unit) => Handling::act("unlimber", unit),
            Self::UnlimberTurned { unit, .. } => about_centre(battle, self, "unlimber", unit),
            Self::Recrew(unit) => Handling::act("recrew", unit),
        }
    }
}

impl Manoeuvres {
    /// Whether it could be taken up, for those that are told of as closed.
    pub(crate) fn may(self, battle: &Battle) -> Result<(), Refusal> {
        match self {
            Self::Form(unit) => manoeuvre::formation_input(battle, unit).map(drop),
            Self::Crowd(unit) => manoeuvre::crowd_input(battle, unit).map(drop),
            Self::Scatter(unit) => manoeuvre::may_scatter(battle, unit).map(drop),
            Self::AboutFace(unit) => manoeuvre::may_turn_about(battle, unit).map(drop),
            Self::Step { unit, step } => manoeuvre::step_input(battle, unit, step).map(drop),
            Self::Remount(unit) => manoeuvre::remounted(battle, unit).map(drop),
            Self::Pivot(unit) => manoeuvre::pivot_input(battle, unit).map(drop),
            Self::Push(unit) => manoeuvre::push_input(battle, unit).map(drop),
            Self::Unlimber(unit) => manoeuvre::may_manoeuvre(battle, unit, ManoeuvreKind::Unlimber).map(drop),
            Self::Recrew(gun) => manoeuvre::may_recrew(battle, gun),
            Self::Face(_) | Self::LeadHorses(_) | Self::UnlimberTurned { .. } => Ok(()),
        }
    }
}

/// The ways that foot may step.
const STEPS: [Step; 3] = [Step::Left, Step::Right, Step::Back];

/// Tells of each manoeuvre a unit may make on the spot, until the listener has heard enough; whether it has.
pub(crate) fn each_offer(battle: &Battle, unit: UnitId, enough: &mut dyn FnMut(Offer) -> bool) -> bool {
    if movement::may_move(battle, unit).is_err() {
        return false;
    }
    let mut say = |open: bool, offer: Manoeuvres| open && enough(offer.into());
    if battle.brigade(unit).kind.is_model() {
        let turned = |back: bool| manoeuvre::unlimber_input(battle, unit, back).is_ok();
        let unlimbers = || manoeuvre::may_manoeuvre(battle, unit, ManoeuvreKind::Unlimber).is_ok();
        return say(manoeuvre::has_room_to_pivot(battle, unit), Manoeuvres::Pivot(unit))
            || say(manoeuvre::push_input(battle, unit).is_ok(), Manoeuvres::Push(unit))
            || say(unlimbers(), Manoeuvres::Unlimber(unit))
            || [false, true].into_iter().any(|back| say(turned(back), Manoeuvres::UnlimberTurned { unit, back }));
    }
    let steps = |step: Step| manoeuvre::step_input(battle, unit, step).is_ok();
    say(manoeuvre::may_form(battle, unit).is_ok(), Manoeuvres::Form(unit))
        || say(manoeuvre::crowd_input(battle, unit).is_ok(), Manoeuvres::Crowd(unit))
        || say(manoeuvre::may_scatter(battle, unit).is_ok(), Manoeuvres::Scatter(unit))
        || say(manoeuvre::may_turn_about(battle, unit).is_ok(), Manoeuvres::AboutFace(unit))
        || STEPS.into_iter().any(|step| say(steps(step), Manoeuvres::Step { unit, step }))
        || say(manoeuvre::remounted(battle, unit).is_ok(), Manoeuvres::Remount(unit))
        || say(manoeuvre::horses_input(battle, unit).is_ok(), Manoeuvres::LeadHorses(unit))
        || say(manoeuvre::face_input(battle, unit).is_ok(), Manoeuvres::Face(unit))
        || refused_flank::each_offer(battle, unit, enough)
        || merging::each_offer(battle, unit, enough)
}

/// The crew of a gun may come back to it. A wreck has no crew that could (MB-GUN-05).
pub(crate) fn recrew_offer(battle: &Battle, gun: UnitId, out: &mut Vec<Offer>) {
    decides!(MB_GUN_05);
    if manoeuvre::may_recrew(battle, gun).is_ok() {
        out.push(Manoeuvres::Recrew(gun).into());
    }
}

pub(crate) fn closed(battle: &Battle, unit: UnitId, out: &mut Vec<(Offer, Refusal)>) {
    let brigade = battle.brigade(unit);
    shut(battle, Manoeuvres::Form(unit), out);
    shut(battle, Manoeuvres::Crowd(unit), out);
    shut(battle, Manoeuvres::Scatter(unit), out);
    shut(battle, Manoeuvres::AboutFace(unit), out);
    if brigade.kind.is_model() {
        shut(battle, Manoeuvres::Pivot(unit), out);
        shut(battle, Manoeuvres::Push(unit), out);
        shut(battle, Manoeuvres::Unlimber(unit), out);
    } else {
        for step in STEPS {
            shut(battle, Manoeuvres::Step { unit, step }, out);
        }
        shut(battle, Manoeuvres::Remount(unit), out);
        shut(battle, Merging::Split(unit), out);
        for left in [true, false] {
            let bases = 2.min(brigade.bases.saturating_sub(1)).max(1);
            let swing = refused_flank::may_swing_back(battle, unit, left, bases).err();
            out.extend(swing.map(|refusal| (RefusedFlank::SwingBack { unit, left, bases }.into(), refusal)));
            shut(battle, RefusedFlank::StepEnd { unit, left, bases }, out);
        }
        if brigade.refused.is_some() {
            shut(battle, RefusedFlank::SwingForward(unit), out);
        }
    }
}
