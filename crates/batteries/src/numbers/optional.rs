//! Numbers of the optional rules, with the book's values.

use serde::{Deserialize, Serialize};

use super::{Inches, inches};

numbers! {
    /// The pursuit roll.
    Pursuit {
        /// The highest total that pursues.
        pursues: i32 = 4,
    }

    /// What a renewed pursuit costs.
    Straggling {
        /// Figures.
        figures: u16 = 1,
    }

    /// How much of a battalion may be out in its screen.
    Screen {
        /// One part in so many.
        part: u16 = 3,
    }

    /// The column of masses.
    Masse {
        /// How many figures wide it is.
        width: u16 = 4,
        /// The fewest figures that can form it.
        least: u16 = 8,
    }

    /// A general falls.
    Fall {
        /// After this many hits.
        hits: u8 = 2,
        /// on this or less.
        on: u8 = 1,
    }

    /// Command points: the lowest roll for each.
    CommandPoints {
        /// Two from this on.
        two: u8 = 4,
        /// Three from this on.
        three: u8 = 8,
        /// Four from this on.
        four: u8 = 10,
    }

    /// Carry-through.
    Carry {
        /// Small arms and canister.
        small_arms: Inches = inches(4),
        /// Ballshot of light guns.
        light: Inches = inches(6),
        /// Ballshot of field guns.
        field: Inches = inches(8),
        /// Ballshot of heavy guns.
        heavy: Inches = inches(10),
    }
}
