//! Woods, light and heavy.

use sabretache_engine::decides;

use super::{Going, Screen, Troop};
use crate::clauses::{HZ_ADV_24, HZ_TER_17, HZ_WOO_01, HZ_WOO_02, HZ_WOO_03, HZ_WOO_04, HZ_WOO_05, HZ_WOO_07};
use crate::troops::{Arm, Horse};

/// Woods bar guns and halve all others, except that light woods do not slow troops in open order that have the ability, nor cossacks.
pub(super) fn going(heavy: bool, troop: &Troop) -> Going {
    decides!(HZ_WOO_01, HZ_WOO_02, HZ_WOO_03, HZ_WOO_04, HZ_WOO_05, HZ_ADV_24);
    match troop.arm {
        Arm::Artillery => Going::Barred(HZ_WOO_03),
        Arm::Cavalry if !heavy && matches!(troop.horse, Horse::Cossacks | Horse::Yoruks) => Going::Full,
        _ if !heavy && troop.in_open_order() && troop.abilities.opens_order() => Going::Full,
        _ => Going::Half,
    }
}

/// A zone from outside ends at the edge of a wood; a unit that lines the edge is reached all the same.
pub(super) fn screen() -> Screen {
    decides!(HZ_TER_17);
    Screen::Ends(HZ_WOO_07)
}
