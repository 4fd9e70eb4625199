//! Walls and redoubts.

use sabretache_engine::decides;

use super::{Crossing, Screen, Troop};
use crate::clauses::{HZ_WAL_01, HZ_WAL_02, HZ_WAL_03, HZ_WAL_04, HZ_WAL_06};
use crate::troops::Arm;

/// Low walls and redoubts are crossed at half rate; high walls by infantry only, which ends just across.
pub(super) fn crossing(high: bool, troop: &Troop) -> Crossing {
    decides!(HZ_WAL_01, HZ_WAL_02, HZ_WAL_03, HZ_WAL_04);
    match (troop.arm, high) {
        (Arm::Artillery, _) => Crossing::Barred(HZ_WAL_02),
        (Arm::Cavalry, true) => Crossing::Barred(HZ_WAL_03),
        (Arm::Infantry, true) => Crossing::JustAcross,
        (Arm::Infantry | Arm::Cavalry, false) => Crossing::HalfOrder,
    }
}

/// Walls and redoubts end all zones.
pub(super) const fn screen() -> Screen {
    Screen::Ends(HZ_WAL_06)
}
