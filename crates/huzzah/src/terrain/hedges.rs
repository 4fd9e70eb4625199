//! Hedges, low and high.

use sabretache_engine::decides;

use super::{Crossing, Screen, Troop};
use crate::clauses::{HZ_HED_01, HZ_HED_02, HZ_HED_03, HZ_HED_04, HZ_HED_06};
use crate::troops::Arm;

/// Low hedges are crossed at half rate; high ones by infantry only, which ends just across.
pub(super) fn crossing(high: bool, troop: &Troop) -> Crossing {
    decides!(HZ_HED_01, HZ_HED_02, HZ_HED_03, HZ_HED_04);
    match (troop.arm, high) {
        (Arm::Artillery, _) => Crossing::Barred(HZ_HED_02),
        (Arm::Cavalry, true) => Crossing::Barred(HZ_HED_03),
        (Arm::Infantry, true) => Crossing::JustAcross,
        (Arm::Infantry | Arm::Cavalry, false) => Crossing::HalfOrder,
    }
}

/// Hedges end all zones.
pub(super) fn screen() -> Screen {
    decides!(HZ_HED_06);
    Screen::Ends(HZ_HED_06)
}
