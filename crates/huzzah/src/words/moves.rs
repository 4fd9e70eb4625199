//! Moves in words: how far, to the millimetre, and wheels in degrees.

use sabretache_engine::ids::UnitId;
use sabretache_engine::ruleset::Telling;
use sabretache_table::{Angle, Length, Pose};

use super::names::unit_name;
use crate::battle::Battle;
use crate::clauses::{HZ_ADV_05, HZ_ADV_22, HZ_MAN_01, HZ_MAN_02, HZ_MAN_03, HZ_RET_01, HZ_RET_06};
use crate::state::{Act, Way};
use crate::troops::Order;

/// A distance as one would call it across the table: to the millimetre.
#[must_use]
pub(super) fn told(length: Length) -> Length {
    Length::um((length.to_um() + 500).div_euclid(1_000) * 1_000)
}

/// An angle without needless noughts, and to which side.
#[must_use]
pub(super) fn turned(angle: Angle) -> String {
    let side = if angle < Angle::ZERO { "left" } else { "right" };
    format!("{} to the {side}", angle.abs())
}

/// A unit has come so far; the battle is as it was before.
#[must_use]
pub(super) fn moved(battle: &Battle, id: UnitId, pose: Pose, done: i32) -> Telling {
    let from = battle.unit(id).pose.at;
    let distance = told(from.distance(pose.at));
    let moving = battle.doing.moving.filter(|moving| moving.unit == id);
    let order = battle.doing.acting.map(|acting| acting.order);
    let (what, clause) = match moving.map(|moving| (moving.act, done - moving.done)) {
        Some((Act::Wheel { right, back }, by)) => {
            let way = if back { " backward" } else { "" };
            (format!("wheels{way} {}", turned(Angle::hundredths(if right { by } else { -by }))), HZ_MAN_01)
        }
        Some((Act::AboutFace, _)) => ("turns about".to_owned(), HZ_MAN_02),
        Some((Act::Road { .. }, by)) => (format!("follows the road for {}", told(Length::um(by))), HZ_ADV_22),
        Some((Act::Straight { way }, _)) => match (order, way) {
            (Some(Order::Advance), Way::Ahead) => (format!("advances {distance}"), HZ_ADV_05),
            (Some(Order::Advance), Way::Back) => (format!("advances {distance} to its rear"), HZ_ADV_05),
            (Some(Order::Advance), Way::Left) => (format!("advances {distance} to its left"), HZ_ADV_05),
            (Some(Order::Advance), Way::Right) => (format!("advances {distance} to its right"), HZ_ADV_05),
            (Some(Order::Retire), Way::Ahead) => (format!("drives off {distance}"), HZ_RET_06),
            (Some(Order::Retire), _) => (format!("retires {distance}"), HZ_RET_01),
            (_, Way::Left) => (format!("side-steps {distance} to the left"), HZ_MAN_03),
            (_, _) => (format!("side-steps {distance} to the right"), HZ_MAN_03),
        },
        _ => (format!("moves {distance}"), HZ_ADV_05),
    };
    Telling::new(format!("{} {what}", unit_name(battle, id)), Some(id.into()), clause)
}
