//! Ditches, trenches and sunken roads.

use sabretache_engine::decides;

use super::{Crossing, Screen, Troop};
use crate::clauses::{HZ_DIT_01, HZ_DIT_02, HZ_DIT_03, HZ_DIT_04, HZ_DIT_05};
use crate::troops::Arm;

/// Shallow ones are crossed at full rate, deep ones by infantry at half rate; guns never cross.
pub(super) fn crossing(deep: bool, troop: &Troop) -> Crossing {
    decides!(HZ_DIT_01, HZ_DIT_02, HZ_DIT_03, HZ_DIT_04);
    match (troop.arm, deep) {
        (Arm::Artillery, _) => Crossing::Barred(HZ_DIT_02),
        (Arm::Cavalry, true) => Crossing::Barred(HZ_DIT_03),
        (Arm::Infantry, true) => Crossing::HalfOrder,
        (Arm::Infantry | Arm::Cavalry, false) => Crossing::Full,
    }
}

/// Deep ones end the zones of cavalry.
pub(super) fn screen(deep: bool, troop: &Troop) -> Screen {
    decides!(HZ_DIT_05);
    match troop.arm {
        Arm::Cavalry if deep => Screen::Ends(HZ_DIT_05),
        _ => Screen::Clear,
    }
}
