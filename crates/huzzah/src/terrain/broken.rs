//! Broken ground.

use sabretache_engine::decides;

use super::{Going, Screen, Troop};
use crate::clauses::{HZ_ADV_23, HZ_BRK_01, HZ_BRK_02, HZ_BRK_03, HZ_BRK_05};
use crate::troops::{Arm, Formation};

/// Only infantry in open order goes over broken ground, at half rate.
pub(super) fn going(troop: &Troop) -> Going {
    decides!(HZ_BRK_02, HZ_ADV_23);
    decides!(HZ_BRK_01);
    match (troop.arm, troop.formation) {
        (Arm::Infantry, Formation::OpenOrder) => Going::Half,
        _ => Going::Barred(HZ_BRK_01),
    }
}

/// It ends the zones of cavalry only.
pub(super) fn screen(troop: &Troop) -> Screen {
    decides!(HZ_BRK_03);
    decides!(HZ_BRK_05);
    match troop.arm {
        Arm::Cavalry => Screen::Ends(HZ_BRK_05),
        Arm::Infantry | Arm::Artillery => Screen::Clear,
    }
}
