//! Numbers of stands, generals, movement and charges, with the book's values.

use serde::{Deserialize, Serialize};

use super::{Inches, inches};

numbers! {
    /// Frontages and depths.
    Stands {
        /// Frontage of an infantry figure.
        foot: Inches = Inches::part(3, 8),
        /// Frontage of a figure of two-rank infantry.
        two_rank: Inches = Inches::part(1, 2),
        /// Frontage of a cavalry figure.
        horse: Inches = Inches::part(1, 2),
        /// Width of a gun model.
        gun: Inches = inches(1),
        /// Depth of an infantry stand.
        foot_depth: Inches = Inches::part(1, 2),
        /// Depth of a cavalry stand.
        horse_depth: Inches = inches(1),
        /// Depth of a gun model or limber.
        gun_depth: Inches = Inches::part(3, 2),
        /// Infantry figures on a stand.
        foot_figures: u8 = 4,
        /// Cavalry figures on a stand.
        horse_figures: u8 = 3,
        /// Gunners with a gun model.
        gunners: u8 = 4,
    }

    /// Usual sizes of units, in figures or models.
    Sizes {
        /// The smallest battalion.
        foot_least: u16 = 16,
        /// The largest battalion.
        foot_most: u16 = 36,
        /// The smallest regiment of horse.
        horse_least: u16 = 12,
        /// The largest.
        horse_most: u16 = 24,
        /// The smallest battery, in models.
        models_least: u16 = 2,
        /// The largest.
        models_most: u16 = 6,
    }

    /// Widths in figures.
    Widths {
        /// The widest column.
        column: u16 = 8,
        /// The widest line.
        line: u16 = 24,
    }

    /// Squares.
    Square {
        /// The fewest figures that can form one.
        least: u16 = 8,
    }

    /// Charisma: the lowest roll for each value.
    Charisma {
        /// +1 from this on.
        one: u8 = 4,
        /// +2 from this on.
        two: u8 = 9,
    }

    /// Command radius.
    Radius {
        /// Of a general on his own.
        alone: Inches = inches(12),
        /// Of one who is attached.
        attached: Inches = inches(6),
        /// How near he must come to a unit to be attached to it.
        attach: Inches = inches(1),
    }

    /// Lone generals.
    Refuge {
        /// An enemy this near drives him to his troops,
        near: Inches = inches(2),
        /// if they are within this.
        within: Inches = inches(12),
    }

    /// The movement table.
    Moves {
        /// Infantry in column.
        column: Inches = inches(8),
        /// Infantry in line.
        line: Inches = inches(4),
        /// Infantry in skirmish order.
        skirmish: Inches = inches(4),
        /// Infantry in extended line.
        extended: Inches = inches(3),
        /// Infantry in square.
        square: Inches = inches(2),
        /// Infantry evading.
        evade: Inches = inches(10),
        /// Heavy cavalry and cuirassiers.
        heavy: Inches = inches(10),
        /// The same, steady and launching a charge.
        heavy_charge: Inches = inches(16),
        /// Light cavalry, and generals.
        light: Inches = inches(12),
        /// Light cavalry, steady and launching a charge.
        light_charge: Inches = inches(20),
        /// Limbered light guns.
        light_guns: Inches = inches(8),
        /// Light guns by hand.
        light_guns_by_hand: Inches = inches(4),
        /// Limbered field guns.
        field_guns: Inches = inches(8),
        /// Field guns by hand.
        field_guns_by_hand: Inches = inches(2),
        /// Limbered heavy guns.
        heavy_guns: Inches = inches(6),
        /// Heavy guns by hand.
        heavy_guns_by_hand: Inches = inches(1),
        /// Limbered horse guns.
        horse_guns: Inches = inches(12),
        /// Horse guns by hand.
        horse_guns_by_hand: Inches = inches(4),
        /// How much slower early Prussian infantry is.
        prussian_drill: Inches = inches(1),
    }

    /// How near a mover may come to an enemy.
    Approach {
        /// No nearer than this.
        stand_off: Inches = inches(2),
    }

    /// Skirmishers pushed forward.
    Push {
        /// How far at the most.
        most: Inches = inches(8),
        /// How many columns are needed.
        columns: u8 = 2,
        /// The most by which they may face another way, in hundredths of a degree.
        aside: u16 = 4_500,
    }

    /// The straight end of a charge.
    Run {
        /// How long.
        straight: Inches = inches(2),
    }

    /// Evading.
    Evading {
        /// The most by which it differs from the line of the charge, either way, in hundredths of a degree.
        aside: u16 = 4_500,
        /// The least of an evade move that is made, in hundredths.
        least: u16 = 50,
    }

    /// Too near to evade.
    Caught {
        /// Infantry starting its charge within this.
        foot: Inches = inches(2),
        /// Cavalry starting its charge within this.
        horse: Inches = inches(4),
    }
}
