//! Buildings and strong points.

use sabretache_engine::decides;

use super::{Going, Screen, Troop};
use crate::clauses::{HZ_BLD_02, HZ_BLD_03, HZ_BLD_04, HZ_BLD_06, HZ_STR_02, HZ_STR_03};
use crate::troops::Arm;

/// March columns go through streets at full rate and through other sectors at half; other infantry at half rate; other cavalry and guns
/// not at all. Strong points are entered only by deploying into them.
pub(super) fn going(streets: bool, strong: bool, troop: &Troop) -> Going {
    decides!(HZ_BLD_02, HZ_BLD_03);
    decides!(HZ_STR_02, HZ_STR_03, HZ_BLD_04);
    if strong {
        return match troop.arm {
            Arm::Infantry => Going::Barred(HZ_STR_03),
            Arm::Cavalry | Arm::Artillery => Going::Barred(HZ_STR_02),
        };
    }
    match (troop.arm, troop.in_march_column()) {
        (_, true) if streets => Going::Full,
        (Arm::Infantry, _) | (_, true) => Going::Half,
        (Arm::Cavalry | Arm::Artillery, false) => Going::Barred(HZ_BLD_04),
    }
}

/// Zones end at buildings; garrisons and who lines the edge are reached all the same.
pub(super) const fn screen() -> Screen {
    Screen::Ends(HZ_BLD_06)
}
