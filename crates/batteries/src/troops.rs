//! Who fights: arms, weights, grades, formations, weapons, nations.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Declares a plain enumeration that files write in lower case.
macro_rules! words {
    ($($(#[$meta:meta])* $name:ident { $($(#[$variant_meta:meta])* $variant:ident,)* })*) => { $(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum $name { $($(#[$variant_meta])* $variant,)* }
    )* };
}

words! {
    /// The three arms.
    Arm {
        /// Infantry.
        Foot,
        /// Cavalry.
        Horse,
        /// Artillery.
        Guns,
    }

    /// How heavy cavalry is.
    Weight {
        /// Hussars, chasseurs, light dragoons, lancers.
        Light,
        /// Dragoons and the like.
        Heavy,
        /// Armoured men on the biggest horses.
        Cuirassier,
    }

    /// How heavy guns are.
    GunClass {
        /// Up to 4 pounds of shot.
        Light,
        /// Up to 9 pounds.
        Field,
        /// 12 pounds and more.
        Heavy,
    }

    /// What infantry carries.
    Weapon {
        /// Muskets.
        Musket,
        /// Rifles.
        Rifle,
    }

    /// What guns fire.
    Shot {
        /// Canister.
        Canister,
        /// Ballshot.
        Ball,
    }

    /// How infantry and cavalry stand.
    Formation {
        /// Up to eight figures wide.
        Column,
        /// Nine to twenty-four figures wide.
        Line,
        /// Wider than that.
        Extended,
        /// A line bent at one or more places.
        Bent,
        /// Facing every way.
        Square,
        /// At twice the frontage.
        Skirmish,
        /// The Austrian moving square.
        Masse,
    }

    /// A column of the shooting table.
    Column {
        /// In the open and in close order, or guns.
        Normal,
        /// Skirmishers.
        Skirmishers,
        /// In soft cover.
        Soft,
        /// In hard cover.
        Hard,
    }

    /// Cover, from none to hard.
    Cover {
        /// None.
        None,
        /// Soft.
        Soft,
        /// Hard.
        Hard,
    }

    /// A nation with ways of its own.
    Nation {
        /// Austria.
        Austria,
        /// Britain.
        Britain,
        /// France.
        France,
        /// Prussia up to 1810.
        EarlyPrussia,
        /// Prussia after 1810.
        LaterPrussia,
        /// Russia.
        Russia,
        /// Spain.
        Spain,
    }
}

/// A morale grade, A the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub enum Grade {
    /// The best.
    A,
    /// Very good.
    B,
    /// Good.
    C,
    /// Average.
    D,
    /// Poor.
    E,
    /// Raw.
    F,
}

impl Grade {
    /// All of them, best first.
    pub const ALL: [Self; 6] = [Self::A, Self::B, Self::C, Self::D, Self::E, Self::F];

    /// How many grades better than another; negative when worse (BB-UNI-09).
    #[must_use]
    pub const fn above(self, other: Self) -> i32 {
        other as i32 - self as i32
    }

    /// Grade E or F.
    #[must_use]
    pub const fn poor(self) -> bool {
        matches!(self, Self::E | Self::F)
    }
}

/// A class of guns and what they fire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Calibre {
    /// How heavy.
    pub class: GunClass,
    /// With what.
    pub shot: Shot,
}

/// A kind of fire: a group of rows of the shooting table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fire {
    /// Muskets.
    Muskets,
    /// Rifles.
    Rifles,
    /// Guns.
    Guns(Calibre),
}

impl Fire {
    /// Ballshot.
    #[must_use]
    pub const fn is_ball(self) -> bool {
        matches!(self, Self::Guns(Calibre { shot: Shot::Ball, .. }))
    }
}

impl GunClass {
    /// The class of a weight of shot in pounds; between 9 and 12 it is still field (BB-UNI-04).
    #[must_use]
    pub const fn of_pounds(pounds: u8) -> Self {
        match pounds {
            0..=4 => Self::Light,
            5..=11 => Self::Field,
            _ => Self::Heavy,
        }
    }
}

/// A formation by the width of its front rank in figures (BB-UNI-10, BB-UNI-11, BB-UNI-12).
#[must_use]
pub const fn by_width(figures: u16, column: u16, line: u16) -> Formation {
    if figures <= column {
        Formation::Column
    } else if figures <= line {
        Formation::Line
    } else {
        Formation::Extended
    }
}

/// Dice for so many figures: one for each full group, and one more for a large enough remainder (BB-SHO-01, BB-COM-05).
#[must_use]
pub const fn dice_for(figures: u16, group: u8, remainder: u8) -> u16 {
    let group = if group == 0 { 1 } else { group as u16 };
    let rest = figures % group;
    figures / group + (rest >= remainder as u16 && rest != 0) as u16
}

/// What cavalry is moving for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// An ordinary move.
    March,
    /// A charge for which it set out steady.
    Charge,
}
