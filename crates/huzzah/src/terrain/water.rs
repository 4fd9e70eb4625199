//! Rivers, streams, bridges and fords.

use sabretache_engine::decides;

use super::{Crossing, Fordable, Going, Screen, Troop};
use crate::clauses::{HZ_RIV_01, HZ_RIV_02, HZ_RIV_04, HZ_RIV_05, HZ_RIV_06, HZ_RIV_09, HZ_RIV_11};
use crate::troops::Arm;

/// Troops that can ford it do so on a later order, at half rate while in the water.
pub(super) fn crossing(ford: Fordable, troop: &Troop) -> Crossing {
    decides!(HZ_RIV_01, HZ_RIV_02, HZ_RIV_04);
    let fordable = match ford {
        Fordable::Nobody => false,
        Fordable::All => true,
        Fordable::FootAndHorse => !matches!(troop.arm, Arm::Artillery),
        Fordable::Horse => matches!(troop.arm, Arm::Cavalry),
    };
    if fordable { Crossing::HalfInside } else { Crossing::Barred(HZ_RIV_02) }
}

/// Bridges and fords are for march columns, at full rate.
pub(super) fn on_crossing(troop: &Troop) -> Going {
    decides!(HZ_RIV_09);
    if troop.in_march_column() { Going::Full } else { Going::Barred(HZ_RIV_09) }
}

/// Water ends the zones of cavalry only.
pub(super) fn screen(troop: &Troop) -> Screen {
    decides!(HZ_RIV_05, HZ_RIV_06, HZ_RIV_11);
    match troop.arm {
        Arm::Cavalry => Screen::Ends(HZ_RIV_05),
        Arm::Infantry | Arm::Artillery => Screen::Clear,
    }
}
