//! Difficult terrain: cliffs, lakes, marshes, wolf pits, rivers in flood.

use sabretache_engine::decides;

use super::{Going, Kind, Screen, Troop};
use crate::clauses::{HZ_DIF_01, HZ_DIF_02, HZ_DIF_03, HZ_DIF_04};
use crate::troops::Arm;

/// Impassable, except to infantry where the ground is wolf pits or a marsh marked passable: half rate.
pub(super) fn going(kind: Kind, troop: &Troop) -> Going {
    decides!(HZ_DIF_01, HZ_DIF_02);
    match (kind, troop.arm) {
        (Kind::WolfPits | Kind::Marsh { passable: true, .. }, Arm::Infantry) => Going::Half,
        _ => Going::Barred(HZ_DIF_01),
    }
}

/// Cliffs end all zones, the rest those of cavalry.
pub(super) fn screen(kind: Kind, troop: &Troop) -> Screen {
    decides!(HZ_DIF_03);
    decides!(HZ_DIF_04);
    match (kind, troop.arm) {
        (Kind::Cliff { .. }, _) => Screen::Ends(HZ_DIF_04),
        (_, Arm::Cavalry) => Screen::Ends(HZ_DIF_03),
        _ => Screen::Clear,
    }
}
