//! Hills: gentle and steep slopes, ridges, dead ground.

use sabretache_engine::clause::Clause;
use sabretache_engine::decides;

use super::{Going, Screen, Troop};
use crate::clauses::{HZ_ADV_26, HZ_HIL_02, HZ_HIL_03, HZ_HIL_06, HZ_HIL_07};
use crate::troops::{Arm, Formation};

/// Gentle slopes halve the movement of all but Skirmish infantry in open order; steep slopes that of everybody.
pub(super) fn going(steep: bool, troop: &Troop) -> Going {
    decides!(HZ_HIL_02, HZ_HIL_03, HZ_ADV_26);
    let skirmishers = matches!(troop.arm, Arm::Infantry)
        && troop.abilities.skirmish
        && matches!(troop.formation, Formation::OpenOrder);
    if skirmishers && !steep { Going::Full } else { Going::Half }
}

/// The clause that slows troops on a slope.
#[must_use]
pub const fn slope_clause(steep: bool) -> Clause {
    if steep { HZ_HIL_03 } else { HZ_HIL_02 }
}

/// Ridges end the zones of cavalry and artillery; skirmishers of infantry work across them.
pub(super) fn screen(troop: &Troop) -> Screen {
    decides!(HZ_HIL_06);
    decides!(HZ_HIL_07);
    match troop.arm {
        Arm::Infantry => Screen::Clear,
        Arm::Cavalry | Arm::Artillery => Screen::Ends(HZ_HIL_06),
    }
}
