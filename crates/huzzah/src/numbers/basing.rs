//! The basing schemes: how large a stand is and how many make a unit. These are sizes of real stands and are not
//! changed by the length of a band.

use crate::clauses::HZ_THR_25;
use sabretache_engine::decides;
use serde::{Deserialize, Serialize};

use super::distance::Distance;
use crate::troops::Arm;

/// The stands of one kind of unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stands {
    /// How wide a stand is.
    pub width: Distance,
    /// How deep a stand is.
    pub depth: Distance,
    /// How many make a unit.
    pub count: u8,
}

impl Stands {
    const fn mm(width: i32, depth: i32, count: u8) -> Self {
        Self { width: Distance::mm(width), depth: Distance::mm(depth), count }
    }
}

/// A basing scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Basing {
    /// Infantry.
    pub infantry: Stands,
    /// Infantry mounted for open order for the whole game.
    pub open_order: Stands,
    /// Cavalry; where the scheme offers a compact and a full regiment, the compact one unless it is said otherwise.
    pub cavalry: Stands,
    /// The stands of a regiment at full deployment, where the scheme offers it.
    pub cavalry_full: u8,
    /// Artillery.
    pub artillery: Stands,
    /// The stands of an eight-gun battery, where the scheme tells it from a six-gun one.
    pub artillery_eight_guns: u8,
}

impl Basing {
    /// Universal tactical basing (HZ-SCL-05).
    pub const UNIVERSAL: Self = Self {
        infantry: Stands::mm(40, 40, 4),
        open_order: Stands::mm(40, 40, 4),
        cavalry: Stands::mm(40, 40, 6),
        cavalry_full: 6,
        artillery: Stands::mm(40, 40, 2),
        artillery_eight_guns: 2,
    };
    /// The original basing for 15 mm figures, a metre to the millimetre (HZ-SCL-06).
    pub const METRE_15: Self = Self {
        infantry: Stands::mm(30, 15, 4),
        open_order: Stands::mm(30, 20, 4),
        cavalry: Stands::mm(30, 30, 4),
        cavalry_full: 6,
        artillery: Stands::mm(30, 40, 2),
        artillery_eight_guns: 2,
    };
    /// The original basing for 15 mm figures, a pace to the millimetre (HZ-SCL-07).
    pub const PACE_15: Self = Self {
        infantry: Stands::mm(30, 15, 6),
        open_order: Stands::mm(30, 20, 6),
        cavalry: Stands::mm(30, 30, 6),
        cavalry_full: 8,
        artillery: Stands::mm(30, 40, 3),
        artillery_eight_guns: 4,
    };
    /// Basing for 20 and 25 mm figures (HZ-SCL-08).
    pub const PACE_25: Self = Self {
        infantry: Stands::mm(40, 40, 4),
        open_order: Stands::mm(40, 40, 4),
        cavalry: Stands::mm(40, 40, 4),
        cavalry_full: 6,
        artillery: Stands::mm(60, 60, 2),
        artillery_eight_guns: 2,
    };
    /// Stands about an inch square (HZ-SCL-09).
    pub const INCH: Self = Self {
        infantry: Stands::mm(25, 25, 6),
        open_order: Stands::mm(25, 25, 6),
        cavalry: Stands::mm(25, 25, 8),
        cavalry_full: 12,
        artillery: Stands::mm(50, 25, 2),
        artillery_eight_guns: 2,
    };

    /// The stands of an arm.
    #[must_use]
    pub const fn of(&self, arm: Arm) -> Stands {
        match arm {
            Arm::Infantry => self.infantry,
            Arm::Cavalry => self.cavalry,
            Arm::Artillery => self.artillery,
        }
    }

    /// Whether a unit of this many stands is small: no more than half a battalion (HZ-THR-25).
    #[must_use]
    pub fn is_small(&self, stands: u8) -> bool {
        decides!(HZ_THR_25);
        stands.saturating_mul(2) <= self.infantry.count
    }
}
