//! What lies on the table: how units stand, what they see and cover, what is near.

pub(crate) mod bearing;
pub(crate) mod cover;
pub(crate) mod glimpse;
pub(crate) mod memo;
pub(crate) mod nearing;
pub(crate) mod room;
pub(crate) mod shape;
pub(crate) mod steadiness;

/// Comparisons of distances forgive a thousandth of an inch (BB-GEN-07), in micrometres.
pub(crate) const NEAR: f64 = 25.4;
