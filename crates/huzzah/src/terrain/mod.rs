//! The ground: what each kind of terrain is, how it slows and bars troops, what it hides and shelters. One file for each
//! section of the book; here is what they have in common.

pub mod broken;
pub mod buildings;
pub mod difficult;
pub mod ditches;
pub mod fortress;
pub mod hedges;
pub mod hills;
pub mod read;
pub mod roads;
pub mod walls;
pub mod water;
pub mod woods;

use sabretache_engine::clause::Clause;
use sabretache_table::{Feature, Length, Point};

use crate::troops::{Abilities, Arm, Formation, Horse};

/// What a piece of ground is (HZ-TER-01).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Fields, pasture, crops: no effect.
    Open,
    /// One contour of a hill; the level is that of the ground inside.
    Hill {
        /// A hill of two contours.
        steep: bool,
        /// The lowest contour, the edge of the hill.
        outer: bool,
    },
    /// The crest of a hill.
    Ridge,
    /// Rocky, irregular ground.
    Broken,
    /// Woodland.
    Wood {
        /// Close trees or undergrowth.
        heavy: bool,
    },
    /// A river or stream.
    Water {
        /// Between banks.
        sunken: bool,
        /// Who can ford it.
        ford: Fordable,
    },
    /// A bridge or a designated ford.
    Crossing,
    /// A hedge.
    Hedge {
        /// Too high for horses.
        high: bool,
        /// Cavalry may engage across it all the same.
        cavalry: bool,
    },
    /// A wall.
    Wall {
        /// Too high for horses.
        high: bool,
        /// Cavalry may engage across it all the same.
        cavalry: bool,
    },
    /// A redoubt; its front is to the left of its line, or to the right.
    Redoubt {
        /// The front is to the left.
        front_left: bool,
    },
    /// A ditch, trench or sunken road.
    Sunken {
        /// Which.
        sort: Sunk,
        /// Deep, or shallow.
        deep: bool,
        /// Cavalry may engage across it all the same.
        cavalry: bool,
    },
    /// A cliff face; its top is to the left of its line, or to the right.
    Cliff {
        /// The top is to the left.
        top_left: bool,
    },
    /// A lake or a river in flood.
    Lake,
    /// A marsh.
    Marsh {
        /// Infantry can cross it.
        passable: bool,
        /// It is dense terrain for every purpose.
        dense: bool,
    },
    /// Wolf pits.
    WolfPits,
    /// A road.
    Road {
        /// It opens the woods it runs through to march columns.
        open: bool,
    },
    /// A sector of buildings or ruins.
    Buildings {
        /// A village or town, with streets.
        streets: bool,
        /// A strong point.
        strong: bool,
    },
    /// A fortress wall: its height and the depth of the trench before it, in levels.
    Rampart {
        /// Levels of the wall.
        height: u8,
        /// Levels of the trench.
        trench: u8,
        /// The inner side is to the left of its line.
        inner_left: bool,
    },
    /// The slope of rubble in a fortress wall.
    Breach {
        /// A mine lies under it.
        mined: bool,
    },
}

/// Who can ford a river.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fordable {
    /// Nobody.
    Nobody,
    /// All troops.
    All,
    /// Infantry and cavalry.
    FootAndHorse,
    /// Cavalry only.
    Horse,
}

/// Sorts of sunken obstacle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sunk {
    /// A ditch.
    Ditch,
    /// A trench.
    Trench,
    /// A sunken road.
    Road,
}

/// One piece of ground.
#[derive(Clone, Debug, PartialEq)]
pub struct Terrain {
    /// What it is.
    pub kind: Kind,
    /// How high the ground is: inside a contour, or under the feature.
    pub level: i8,
    /// The larger thing it is part of, by its number.
    pub part_of: Option<u16>,
    /// Its id in the scenario.
    pub id: String,
    /// Its name.
    pub name: Option<String>,
    /// For a square sector of buildings, the middle of its front face, the way it faces and its two sides.
    pub sector: Option<Sector>,
    /// The points of a line; empty for an area.
    pub line: Vec<Point>,
}

impl Terrain {
    /// Its name at the head of a sentence, or what it is.
    #[must_use]
    pub fn told(&self) -> String {
        self.name.clone().unwrap_or_else(|| format!("The {}", self.kind.word()))
    }
}

/// A sector of buildings as a unit's footprint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sector {
    /// Where its front face is and which way it looks.
    pub pose: sabretache_table::Pose,
    /// The length of its front face.
    pub width: Length,
    /// The length of its sides.
    pub depth: Length,
}

/// The troops that move or threaten, as far as the ground is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Troop {
    /// The arm.
    pub arm: Arm,
    /// The formation.
    pub formation: Formation,
    /// The abilities.
    pub abilities: Abilities,
    /// What kind of cavalry.
    pub horse: Horse,
}

impl Troop {
    /// Open order with the ability to it.
    #[must_use]
    pub const fn in_open_order(&self) -> bool {
        matches!(self.formation, Formation::OpenOrder)
    }

    /// March column, or the mob that counts as one on bridges and sunken roads (HZ-ROU-01).
    #[must_use]
    pub const fn in_march_column(&self) -> bool {
        matches!(self.formation, Formation::MarchColumn | Formation::Mob)
    }
}

/// How troops go over a piece of ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Going {
    /// At full rate.
    Full,
    /// At half rate.
    Half,
    /// Not at all.
    Barred(Clause),
}

/// How a linear obstacle that has stopped troops is crossed on a later order (HZ-TER-11).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crossing {
    /// Not at all.
    Barred(Clause),
    /// At full rate.
    Full,
    /// The whole order at half rate.
    HalfOrder,
    /// At half rate while in it.
    HalfInside,
    /// The order puts the unit just across.
    JustAcross,
}

/// What a piece of ground does to a threat zone that meets it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Screen {
    /// Nothing.
    Clear,
    /// The zone ends where it meets it.
    Ends(Clause),
}

impl Kind {
    /// Dense terrain for every purpose (HZ-TER-01).
    #[must_use]
    pub const fn is_dense(self) -> bool {
        matches!(self, Self::Wood { .. } | Self::Buildings { .. } | Self::Marsh { dense: true, .. })
    }

    /// Dense terrain for the order penalty (HZ-ORD-19): marshes count too.
    #[must_use]
    pub const fn is_dense_for_orders(self) -> bool {
        self.is_dense() || matches!(self, Self::Marsh { .. })
    }

    /// A wood.
    #[must_use]
    pub const fn is_wood(self) -> bool {
        matches!(self, Self::Wood { .. })
    }

    /// A linear obstacle that stops a unit that reaches it (HZ-TER-10).
    #[must_use]
    pub const fn is_obstacle(self) -> bool {
        matches!(
            self,
            Self::Water { .. }
                | Self::Hedge { .. }
                | Self::Wall { .. }
                | Self::Redoubt { .. }
                | Self::Sunken { .. }
                | Self::Rampart { .. }
        )
    }

    /// A raised obstacle that shelters who stands behind it.
    #[must_use]
    pub const fn is_raised(self) -> bool {
        matches!(self, Self::Hedge { .. } | Self::Wall { .. } | Self::Redoubt { .. })
    }

    /// A low raised obstacle.
    #[must_use]
    pub const fn is_low(self) -> bool {
        matches!(self, Self::Hedge { high: false, .. } | Self::Wall { high: false, .. } | Self::Redoubt { .. })
    }

    /// How troops go over it, linear obstacles apart.
    #[must_use]
    pub fn going(self, troop: &Troop) -> Going {
        match self {
            Self::Open | Self::Ridge | Self::Road { .. } => Going::Full,
            Self::Hill { steep, .. } => hills::going(steep, troop),
            Self::Broken => broken::going(troop),
            Self::Wood { heavy } => woods::going(heavy, troop),
            Self::Crossing => water::on_crossing(troop),
            Self::Cliff { .. } | Self::Lake | Self::Marsh { .. } | Self::WolfPits => difficult::going(self, troop),
            Self::Buildings { streets, strong } => buildings::going(streets, strong, troop),
            Self::Breach { .. } => fortress::breach_going(troop),
            // Obstacles stop troops and are crossed by `crossing`; once over the edge the going is that of the crossing.
            Self::Water { .. }
            | Self::Hedge { .. }
            | Self::Wall { .. }
            | Self::Redoubt { .. }
            | Self::Sunken { .. }
            | Self::Rampart { .. } => Going::Full,
        }
    }

    /// How troops cross it once it has stopped them; nothing for what is no obstacle.
    #[must_use]
    pub fn crossing(self, troop: &Troop) -> Option<Crossing> {
        match self {
            Self::Water { ford, .. } => Some(water::crossing(ford, troop)),
            Self::Hedge { high, .. } => Some(hedges::crossing(high, troop)),
            Self::Wall { high, .. } => Some(walls::crossing(high, troop)),
            Self::Redoubt { .. } => Some(walls::crossing(false, troop)),
            Self::Sunken { deep, .. } => Some(ditches::crossing(deep, troop)),
            Self::Rampart { .. } => Some(fortress::crossing()),
            _ => None,
        }
    }

    /// What it does to a threat zone of an arm that meets it from outside. Exceptions for those next to a low obstacle,
    /// for targets right behind one and for garrisons are made where zones are drawn.
    #[must_use]
    pub fn screen(self, troop: &Troop) -> Screen {
        match self {
            Self::Ridge => hills::screen(troop),
            Self::Broken => broken::screen(troop),
            Self::Wood { .. } => woods::screen(),
            Self::Water { .. } => water::screen(troop),
            Self::Hedge { .. } => hedges::screen(),
            Self::Wall { .. } | Self::Redoubt { .. } => walls::screen(),
            Self::Sunken { deep, .. } => ditches::screen(deep, troop),
            Self::Cliff { .. } | Self::Lake | Self::Marsh { .. } | Self::WolfPits => difficult::screen(self, troop),
            Self::Buildings { .. } => buildings::screen(),
            Self::Rampart { .. } => fortress::screen(),
            Self::Open | Self::Hill { .. } | Self::Crossing | Self::Road { .. } | Self::Breach { .. } => Screen::Clear,
        }
    }

    /// Whether it blocks lines of sight that pass through it (HZ-GEO-16).
    #[must_use]
    pub const fn blocks_sight(self) -> bool {
        matches!(
            self,
            Self::Wood { .. }
                | Self::Buildings { .. }
                | Self::Broken
                | Self::Ridge
                | Self::Cliff { .. }
                | Self::Rampart { .. }
                | Self::Hedge { .. }
                | Self::Wall { .. }
                | Self::Redoubt { .. }
        )
    }

    /// Whether it protects a flank that rests on it, enemies in it apart: dense ground, or ground impassable to close order infantry
    /// (HZ-GEO-18).
    #[must_use]
    pub fn secures_flank(self) -> bool {
        if self.is_dense() {
            return true;
        }
        let line = Troop {
            arm: Arm::Infantry,
            formation: Formation::Line,
            abilities: Abilities { skirmish: false, open_order: false, renown: false, small: false },
            horse: Horse::Plain,
        };
        match self.crossing(&line) {
            Some(crossing) => matches!(crossing, Crossing::Barred(_)),
            None => matches!(self.going(&line), Going::Barred(_)),
        }
    }

    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Open => "open ground",
            Self::Hill { steep: false, .. } => "gentle hill",
            Self::Hill { steep: true, .. } => "steep hill",
            Self::Ridge => "ridge",
            Self::Broken => "broken ground",
            Self::Wood { heavy: false } => "light wood",
            Self::Wood { heavy: true } => "heavy wood",
            Self::Water { .. } => "water",
            Self::Crossing => "bridge or ford",
            Self::Hedge { .. } => "hedge",
            Self::Wall { .. } => "wall",
            Self::Redoubt { .. } => "redoubt",
            Self::Sunken { sort: Sunk::Ditch, .. } => "ditch",
            Self::Sunken { sort: Sunk::Trench, .. } => "trench",
            Self::Sunken { sort: Sunk::Road, .. } => "sunken road",
            Self::Cliff { .. } => "cliff",
            Self::Lake => "lake",
            Self::Marsh { .. } => "marsh",
            Self::WolfPits => "wolf pits",
            Self::Road { .. } => "road",
            Self::Buildings { strong: true, .. } => "strong point",
            Self::Buildings { .. } => "buildings",
            Self::Rampart { .. } => "fortress wall",
            Self::Breach { .. } => "breach",
        }
    }
}

/// The shape of a feature as the table keeps it.
#[must_use]
pub fn is_line(feature: &Feature) -> bool {
    matches!(feature.shape, sabretache_table::FeatureShape::Line { .. })
}
