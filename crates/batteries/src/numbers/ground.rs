//! Numbers of the ground, with the book's values.

use serde::{Deserialize, Serialize};

use super::{Inches, inches};

numbers! {
    /// How woods slow troops.
    WoodsPace {
        /// Infantry in close order: each inch counts as so many.
        foot: u8 = 2,
        /// Cavalry.
        horse: u8 = 4,
    }

    /// Woods.
    Woods {
        /// How far one sees inside.
        sight: Inches = inches(4),
        /// How near the edge one sees in or out.
        edge: Inches = inches(1),
        /// From how far off troops on the edge are seen.
        concealed: Inches = inches(4),
    }

    /// Ploughed fields.
    Ploughed {
        /// How much of them a charge must cross.
        length: Inches = inches(1),
        /// Disordered from this on.
        needs: u8 = 8,
    }

    /// Clearing hedgerows and abatis.
    Clearing {
        /// Cleared from this on.
        needs: u8 = 8,
    }

    /// The road bonus.
    Road {
        /// How much.
        bonus: Inches = inches(4),
        /// The widest front, in figures.
        width: u16 = 4,
        /// How far from the road's middle is still on it.
        beside: Inches = Inches::part(1, 2),
    }

    /// Damage to works.
    Damage {
        /// How many hits.
        hits: u8 = 0,
        /// destroy how much.
        length: Inches = inches(0),
    }

    /// Hedgerows and sight.
    Hedgerow {
        /// Targets this near behind it are hidden
        hides: Inches = inches(4),
        /// from units farther from it than this.
        near: Inches = inches(1),
    }

    /// Breaches in city walls.
    Breach {
        /// What they cost to cross.
        cost: Inches = inches(4),
        /// How many stands of either side fight in one.
        stands: u8 = 4,
    }

    /// Town blocks.
    Town {
        /// Attackers of one side of a block that count, in tenths of its capacity.
        attackers: u16 = 15,
        /// How near another block is adjacent.
        adjacent: Inches = inches(2),
    }
}
