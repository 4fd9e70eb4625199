//! Ditches, trenches and sunken roads.

use super::{Crossing, Screen, Troop};
use crate::clauses::{HZ_DIT_02, HZ_DIT_03, HZ_DIT_05};
use crate::troops::Arm;

/// Shallow ones are crossed at full rate, deep ones by infantry at half rate; guns never cross.
pub(super) const fn crossing(deep: bool, troop: &Troop) -> Crossing {
    match (troop.arm, deep) {
        (Arm::Artillery, _) => Crossing::Barred(HZ_DIT_02),
        (Arm::Cavalry, true) => Crossing::Barred(HZ_DIT_03),
        (Arm::Infantry, true) => Crossing::HalfOrder,
        (Arm::Infantry | Arm::Cavalry, false) => Crossing::Full,
    }
}

/// Deep ones end the zones of cavalry.
pub(super) const fn screen(deep: bool, troop: &Troop) -> Screen {
    match troop.arm {
        Arm::Cavalry if deep => Screen::Ends(HZ_DIT_05),
        _ => Screen::Clear,
    }
}
