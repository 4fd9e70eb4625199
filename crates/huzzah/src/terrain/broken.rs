//! Broken ground.

use super::{Going, Screen, Troop};
use crate::clauses::{HZ_BRK_01, HZ_BRK_05};
use crate::troops::{Arm, Formation};

/// Only infantry in open order goes over broken ground, at half rate.
pub(super) const fn going(troop: &Troop) -> Going {
    match (troop.arm, troop.formation) {
        (Arm::Infantry, Formation::OpenOrder) => Going::Half,
        _ => Going::Barred(HZ_BRK_01),
    }
}

/// It ends the zones of cavalry only.
pub(super) const fn screen(troop: &Troop) -> Screen {
    match troop.arm {
        Arm::Cavalry => Screen::Ends(HZ_BRK_05),
        Arm::Infantry | Arm::Artillery => Screen::Clear,
    }
}
