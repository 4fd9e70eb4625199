//! Fortress walls and breaches.

use sabretache_engine::decides;

use super::{Crossing, Going, Screen, Troop};
use crate::clauses::{HZ_BRE_01, HZ_FTW_01};
use crate::troops::{Arm, Formation};

/// Nobody crosses a fortress wall by moving; in a siege it is scaled (HZ-FTW-02).
pub(super) const fn crossing() -> Crossing {
    Crossing::Barred(HZ_FTW_01)
}

/// Breaches are for infantry in line or open order, at half rate.
pub(super) fn breach_going(troop: &Troop) -> Going {
    decides!(HZ_BRE_01);
    match (troop.arm, troop.formation) {
        (Arm::Infantry, Formation::Line | Formation::OpenOrder) => Going::Half,
        _ => Going::Barred(HZ_BRE_01),
    }
}

/// A fortress wall ends the zones of those who are not on top of it.
pub(super) const fn screen() -> Screen {
    Screen::Ends(HZ_FTW_01)
}
