//! The groups of numbers that several clauses share.

use serde::{Deserialize, Serialize};

use super::{Inches, inches};

numbers! {
    /// Faces of the die that count whatever is added.
    Natural {
        /// This and less always misses.
        misses: u8 = 1,
        /// This and more always hits.
        hits: u8 = 10,
    }

    /// A share of a move.
    Share {
        /// In hundredths.
        percent: u16 = 0,
    }

    /// Ground or a manoeuvre that costs more.
    Slower {
        /// Each inch counts as so many.
        times: u8 = 1,
    }

    /// An angle.
    Degrees {
        /// In hundredths of a degree.
        hundredths: u16 = 0,
    }

    /// A share of its figures that a unit has lost.
    Losses {
        /// In hundredths of those it began with.
        percent: u8 = 0,
    }

    /// A number of hits.
    Hits {
        /// How many.
        hits: u8 = 0,
    }

    /// A modifier for every so many hits.
    EachHits {
        /// How many.
        hits: u8 = 1,
        /// Down by so much.
        by: i32 = 0,
    }

    /// A modifier for losses.
    EachLosses {
        /// For so many hundredths of the figures that a unit began with.
        percent: u8 = 100,
        /// Down by so much.
        by: i32 = 0,
    }

    /// A plain modifier.
    Shift {
        /// By how much.
        by: i32 = 0,
    }

    /// A reach.
    Reach {
        /// How far.
        within: Inches = inches(0),
    }

    /// A score.
    Score {
        /// What is needed.
        needs: u8 = 0,
    }

    /// A height.
    Height {
        /// In contours.
        contours: i8 = 0,
    }

    /// A front.
    Front {
        /// How many figures wide.
        figures: u16 = 4,
    }
}
