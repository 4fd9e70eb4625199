//! Roads.

use super::{Going, Kind, Troop};

/// A march column or mob on a road goes through the woods it runs through as over open ground; slopes still slow it.
#[must_use]
pub const fn opens(kind: Kind, troop: &Troop) -> bool {
    troop.in_march_column() && matches!(kind, Kind::Wood { .. })
}

/// The going on a road for troops that are wholly on it.
#[must_use]
pub fn going(under: Kind, troop: &Troop) -> Going {
    if opens(under, troop) { Going::Full } else { under.going(troop) }
}
