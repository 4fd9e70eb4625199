//! The offers of units that are ordered to manoeuvre, and of guns that do so with a change of formation.

use sabretache_engine::decides;
use sabretache_engine::handle::{Handle, Handling, Pivots};
use sabretache_engine::ids::{Named, UnitId};
use sabretache_engine::offer::{Halt, Input, Preview, Refusal, Value};
use sabretache_engine::ruleset::Label;
use sabretache_kit::Part;
use sabretache_table::{Angle, Face, Outline, Point};

use super::{about, may_turn_about, side_step, too_far_round};
use crate::Huzzah;
use crate::battle::Battle;
use crate::clauses::{HZ_DEP_11, HZ_MAN_01, HZ_MAN_02, HZ_MAN_04, HZ_MAN_08};
use crate::offer::Offer;
use crate::phases::Play;
use crate::phases::advance::offers::{Advance, through};
use crate::state::Way;
use crate::table::Field;
use crate::table::swing::{self, Turn};
use crate::view;
use crate::words::labels::{of_unit, plain, side};
use crate::words::names::{unit_id, unit_name};

/// How a unit turns; a side-step is a straight move ([`Advance::Go`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manoeuvre {
    /// Wheel forward; guns only ever do this.
    Wheel(UnitId),
    /// Wheel backward.
    WheelBack(UnitId),
    /// Wheel through friends, to end beyond them.
    WheelThrough {
        /// Who.
        unit: UnitId,
        /// To the right; to the left otherwise.
        right: bool,
        /// Backward.
        back: bool,
        /// Which of the stretches beyond the first.
        stretch: u8,
    },
    /// Turn about.
    AboutFace(UnitId),
    /// Leave the guns as they are.
    NoSwing,
}

/// What a unit may do on a manoeuvre order, and guns with a change of formation.
pub(crate) fn offers(field: &Field<'_>, unit: UnitId, out: &mut Vec<Offer>) {
    out.push(Manoeuvre::Wheel(unit).into());
    if may_turn_about(field, unit) {
        out.push(Manoeuvre::AboutFace(unit).into());
    }
    wheels_through(field, unit, false, out);
    decides!(HZ_MAN_04);
    if field.battle.is_unlimbered(unit) {
        return;
    }
    out.push(Manoeuvre::WheelBack(unit).into());
    wheels_through(field, unit, true, out);
    for way in [Way::Left, Way::Right] {
        if let Some(track) = side_step(field, unit, way) {
            for stretch in 0..track.stretches.len().min(255) as u8 {
                out.push(Advance::Go { unit, way, stretch }.into());
            }
        }
    }
}

/// Wheels that sweep through friends and end beyond them (HZ-MAN-08): an offer for each such stretch.
fn wheels_through(field: &Field<'_>, unit: UnitId, back: bool, out: &mut Vec<Offer>) {
    let Some(placed) = field.get(unit) else { return };
    let reach = placed.face(Face::Front).length() + placed.face(Face::Right).length();
    if field.friends_meeting(unit, placed.bounds().grown(reach)).next().is_none() {
        return;
    }
    for right in [false, true] {
        let swing = super::swing(field, unit, Turn { right, back });
        for stretch in 1..swing.stretches.len().min(255) as u8 {
            out.push(Manoeuvre::WheelThrough { unit, right, back, stretch }.into());
        }
    }
}

/// What guns may still do with a change of formation: in their new state, one manoeuvre of those open to it (HZ-DEP-11).
pub(crate) fn swing_offers(battle: &Battle, out: &mut Vec<Offer>) {
    out.push(Manoeuvre::NoSwing.into());
    if let Some(moving) = battle.doing.moving {
        offers(&Field::of(battle), moving.unit, out);
    }
}

/// What unlimbered guns may not do on a manoeuvre order.
pub(crate) fn closed(battle: &Battle, unit: UnitId, out: &mut Vec<(Offer, Refusal)>) {
    if battle.is_unlimbered(unit) {
        let forward_only = Refusal::new(HZ_MAN_04, "Unlimbered guns wheel forward only");
        out.push((Manoeuvre::WheelBack(unit).into(), forward_only));
        for way in [Way::Left, Way::Right] {
            let no_step = Refusal::new(HZ_MAN_04, "Unlimbered guns do not side-step");
            out.push((Advance::Go { unit, way, stretch: 0 }.into(), no_step));
        }
    }
}

impl Manoeuvre {
    /// Who, and whether it wheels backward.
    const fn wheel(self) -> Option<(UnitId, bool)> {
        match self {
            Self::Wheel(unit) => Some((unit, false)),
            Self::WheelBack(unit) => Some((unit, true)),
            Self::WheelThrough { unit, back, .. } => Some((unit, back)),
            Self::AboutFace(_) | Self::NoSwing => None,
        }
    }

    /// Whether it could be carried out at all, were the rules that close it left aside.
    pub(crate) fn is_possible(self, battle: &Battle) -> bool {
        let field = Field::of(battle);
        let wheels = |unit: UnitId, back: bool| {
            field.get(unit).is_some()
                && [false, true].into_iter().any(|right| super::swing(&field, unit, Turn { right, back }).most() > 0)
        };
        match self {
            Self::Wheel(unit) => wheels(unit, false),
            Self::WheelBack(unit) => wheels(unit, true),
            Self::WheelThrough { .. } | Self::AboutFace(_) | Self::NoSwing => true,
        }
    }

    /// Why a value outside its limits is refused.
    pub(crate) fn why_not(self, battle: &Battle, value: &Value) -> Option<Refusal> {
        let (unit, back) = match self {
            Self::Wheel(unit) => (unit, false),
            Self::WheelBack(unit) => (unit, true),
            Self::WheelThrough { .. } | Self::AboutFace(_) | Self::NoSwing => return None,
        };
        let angle = value.wheel()?;
        let turn = Turn { right: angle >= Angle::ZERO, back };
        Some(too_far_round(battle, unit, turn, angle.abs().to_hundredths()))
    }

    /// Where the unit would stand.
    pub(crate) fn preview(self, battle: &Battle, value: &Value) -> Preview {
        if let Self::AboutFace(unit) = self {
            return view::standing(battle, unit, Some(about(&battle.placed(unit))));
        }
        let (Some((unit, back)), Some(angle)) = (self.wheel(), value.wheel()) else { return Preview::default() };
        let turn = Turn { right: angle >= Angle::ZERO, back };
        let end = super::swing(&Field::of(battle), unit, turn).end(angle.abs().to_hundredths());
        let pose = swing::wheeled(&battle.placed(unit), turn, end);
        let measure = Some(Angle::hundredths(end).to_string());
        Preview { measure, ..view::standing(battle, unit, Some(pose)) }
    }
}

impl Part<Huzzah> for Manoeuvre {
    fn actor(self) -> Option<Named> {
        match self {
            Self::Wheel(unit) | Self::WheelBack(unit) | Self::AboutFace(unit) => Some(unit.into()),
            Self::WheelThrough { unit, .. } => Some(unit.into()),
            Self::NoSwing => None,
        }
    }

    fn input(self, battle: &Battle) -> Result<Input, Refusal> {
        Ok(match self {
            Self::Wheel(unit) => super::input(battle, unit, false),
            Self::WheelBack(unit) => super::input(battle, unit, true),
            Self::WheelThrough { unit, right, back, stretch } => {
                super::input_through(battle, unit, Turn { right, back }, stretch)
            }
            Self::AboutFace(_) | Self::NoSwing => Input::None,
        })
    }

    fn carry_out(self, play: &mut Play<'_>, value: &Value) -> Result<(), Halt> {
        let angle = value.wheel().unwrap_or_default();
        match self {
            Self::Wheel(unit) => super::wheel(play, unit, false, angle),
            Self::WheelBack(unit) => super::wheel(play, unit, true, angle),
            Self::WheelThrough { unit, back, .. } => super::wheel(play, unit, back, angle),
            Self::AboutFace(unit) => super::about_face(play, unit),
            Self::NoSwing => super::no_swing(play),
        }
    }

    fn key(self, battle: &Battle) -> String {
        let id = |unit: UnitId| unit_id(battle, unit);
        match self {
            Self::Wheel(unit) => format!("wheel {}", id(unit)),
            Self::WheelBack(unit) => format!("wheel back {}", id(unit)),
            Self::WheelThrough { unit, right, back, stretch } => {
                let back = if back { "back " } else { "" };
                format!("wheel {back}{} {}{}", id(unit), side(right), through(stretch))
            }
            Self::AboutFace(unit) => format!("about face {}", id(unit)),
            Self::NoSwing => "leave the guns".into(),
        }
    }

    fn label(self, battle: &Battle) -> Label {
        let name = |unit: UnitId| unit_name(battle, unit);
        match self {
            Self::Wheel(unit) => of_unit(battle, unit, format!("{} wheels", name(unit)), HZ_MAN_01),
            Self::WheelBack(unit) => of_unit(battle, unit, format!("{} wheels backward", name(unit)), HZ_MAN_01),
            Self::WheelThrough { unit, right, back, .. } => {
                let way = if back { " backward" } else { "" };
                let text = format!("{} wheels{way} to the {}, through friends", name(unit), side(right));
                of_unit(battle, unit, text, HZ_MAN_08)
            }
            Self::AboutFace(unit) => of_unit(battle, unit, format!("{} turns about", name(unit)), HZ_MAN_02),
            Self::NoSwing => plain("Leave the guns as they stand", HZ_DEP_11),
        }
    }

    fn handling(self, battle: &Battle) -> Handling {
        match self {
            Self::Wheel(unit) => wheel_handling(battle, unit, false, sides(battle, unit, false)),
            Self::WheelBack(unit) => wheel_handling(battle, unit, true, sides(battle, unit, true)),
            Self::WheelThrough { unit, right, back, .. } => wheel_handling(battle, unit, back, (!right, right)),
            Self::AboutFace(unit) => Handling::act("face_about", unit),
            Self::NoSwing => Handling::end("pass"),
        }
    }
}

/// Whether a unit can wheel to the left and to the right.
fn sides(battle: &Battle, unit: UnitId, back: bool) -> (bool, bool) {
    match super::input(battle, unit, back) {
        Input::Wheel { most_left, most_right } => (most_left < Angle::ZERO, most_right > Angle::ZERO),
        _ => (false, false),
    }
}

/// A wheel about the corners to which it may turn.
fn wheel_handling(battle: &Battle, unit: UnitId, back: bool, (left, right): (bool, bool)) -> Handling {
    let placed = battle.placed(unit);
    let about = |right: bool| Point::rounded(swing::pivot(&placed, Turn { right, back }));
    let pivots = Pivots { left: left.then(|| about(false)), right: right.then(|| about(true)) };
    let act = if back { "wheel_back" } else { "wheel" };
    Handling::act(act, unit).by(Handle::Wheel { unit, pivots })
}
