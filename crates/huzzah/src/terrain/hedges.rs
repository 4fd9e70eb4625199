//! Hedges, low and high.

use super::{Crossing, Screen, Troop};
use crate::clauses::{HZ_HED_02, HZ_HED_03, HZ_HED_06};
use crate::troops::Arm;

/// Low hedges are crossed at half rate; high ones by infantry only, which ends just across.
pub(super) const fn crossing(high: bool, troop: &Troop) -> Crossing {
    match (troop.arm, high) {
        (Arm::Artillery, _) => Crossing::Barred(HZ_HED_02),
        (Arm::Cavalry, true) => Crossing::Barred(HZ_HED_03),
        (Arm::Infantry, true) => Crossing::JustAcross,
        (Arm::Infantry | Arm::Cavalry, false) => Crossing::HalfOrder,
    }
}

/// Hedges end all zones.
pub(super) const fn screen() -> Screen {
    Screen::Ends(HZ_HED_06)
}
