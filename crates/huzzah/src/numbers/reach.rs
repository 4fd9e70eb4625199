//! How far things reach: moves, threat zones, guns, command.

use sabretache_engine::decides;
use serde::{Deserialize, Serialize};

use super::distance::Distance;
use crate::clauses::HZ_ADV_03;
use crate::troops::{Ability, Arm, Draught, Formation, Guns, Level, RangeBand};

/// A group of distances with the book's values.
macro_rules! distances {
    ($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident = $cm:expr),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct $name { $($(#[$field_doc])* pub $field: Distance),* }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: Distance::cm($cm)),* }
            }
        }
    };
}

distances!(
    /// How deep infantry threatens, or how far it moves, by formation.
    InfantryZones {
        /// In line.
        line = 15,
        /// In column.
        column = 15,
        /// In open order.
        open_order = 15,
        /// From each face of a square.
        square = 10,
        /// In mass.
        mass = 15,
    }
);

distances!(
    /// How deep cavalry threatens.
    CavalryZones {
        /// In line.
        line = 25,
        /// In column.
        column = 30,
        /// In open order.
        open_order = 25,
    }
);

distances!(
    /// How deep unlimbered guns threaten without bombarding.
    ArtilleryZones {
        /// Light guns.
        light = 30,
        /// Medium guns.
        medium = 35,
        /// Heavy guns.
        heavy = 40,
    }
);

/// Depth of threat zones (HZ-ZON-01).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ZoneDepths {
    /// Infantry.
    pub infantry: InfantryZones,
    /// Cavalry.
    pub cavalry: CavalryZones,
    /// Unlimbered artillery.
    pub artillery: ArtilleryZones,
}

impl ZoneDepths {
    /// The deepest of all.
    #[must_use]
    pub fn deepest(&self) -> Distance {
        let (foot, horse, guns) = (&self.infantry, &self.cavalry, &self.artillery);
        [foot.line, foot.column, foot.open_order, foot.square, foot.mass]
            .into_iter()
            .chain([horse.line, horse.column, horse.open_order, guns.light, guns.medium, guns.heavy])
            .max()
            .unwrap_or(Distance::NONE)
    }

    /// The depth for an arm in a formation on open ground; none where it has no zone. Garrisons have the depths of
    /// their buildings instead.
    #[must_use]
    pub const fn depth(&self, arm: Arm, formation: Formation, guns: Guns) -> Distance {
        match (arm, formation) {
            (Arm::Infantry, Formation::Line) => self.infantry.line,
            (Arm::Infantry, Formation::Column) => self.infantry.column,
            (Arm::Infantry, Formation::OpenOrder) => self.infantry.open_order,
            (Arm::Infantry, Formation::Square) => self.infantry.square,
            (Arm::Infantry, Formation::Mass) => self.infantry.mass,
            (Arm::Cavalry, Formation::Line) => self.cavalry.line,
            (Arm::Cavalry, Formation::Column) => self.cavalry.column,
            (Arm::Cavalry, Formation::OpenOrder) => self.cavalry.open_order,
            (Arm::Artillery, Formation::Line) => match guns {
                Guns::Light => self.artillery.light,
                Guns::Medium => self.artillery.medium,
                Guns::Heavy => self.artillery.heavy,
            },
            _ => Distance::NONE,
        }
    }
}

distances!(
    /// How far infantry moves on an order.
    InfantryMoves {
        /// In line.
        line = 15,
        /// In column.
        column = 20,
        /// In open order.
        open_order = 20,
        /// In march column, and as a mob.
        march_column = 20,
        /// In square, towards any face.
        square = 5,
        /// In mass.
        mass = 20,
    }
);

distances!(
    /// How far cavalry moves on an order.
    CavalryMoves {
        /// In line.
        line = 25,
        /// In column.
        column = 30,
        /// In open order.
        open_order = 30,
        /// In march column, and as a mob.
        march_column = 30,
    }
);

distances!(
    /// How far heavy foot guns move on an order.
    HeavyFootMoves {
        /// Unlimbered: not at all.
        unlimbered = 0,
        /// Limbered.
        limbered = 15,
    }
);

distances!(
    /// How far light and medium foot guns move on an order.
    FootMoves {
        /// Unlimbered, by prolonge.
        unlimbered = 5,
        /// Limbered.
        limbered = 20,
    }
);

distances!(
    /// How far horse guns move on an order.
    HorseMoves {
        /// Unlimbered, by prolonge.
        unlimbered = 5,
        /// Limbered.
        limbered = 30,
    }
);

/// Movement distances (HZ-ADV-01).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Moves {
    /// Infantry.
    pub infantry: InfantryMoves,
    /// Cavalry.
    pub cavalry: CavalryMoves,
    /// Heavy guns drawn by foot teams.
    pub heavy_foot_guns: HeavyFootMoves,
    /// Light and medium guns drawn by foot teams.
    pub foot_guns: FootMoves,
    /// Guns of any weight drawn by horse teams.
    pub horse_guns: HorseMoves,
}

impl Moves {
    /// The full allowance of one order; none where the formation cannot move.
    #[must_use]
    pub const fn allowance(&self, arm: Arm, formation: Formation, guns: Guns, draught: Draught) -> Distance {
        match (arm, formation) {
            (Arm::Infantry, Formation::Line) => self.infantry.line,
            (Arm::Infantry, Formation::Column) => self.infantry.column,
            (Arm::Infantry, Formation::OpenOrder) => self.infantry.open_order,
            (Arm::Infantry, Formation::MarchColumn | Formation::Mob) => self.infantry.march_column,
            (Arm::Infantry, Formation::Square) => self.infantry.square,
            (Arm::Infantry, Formation::Mass) => self.infantry.mass,
            (Arm::Cavalry, Formation::Line) => self.cavalry.line,
            (Arm::Cavalry, Formation::Column) => self.cavalry.column,
            (Arm::Cavalry, Formation::OpenOrder) => self.cavalry.open_order,
            (Arm::Cavalry, Formation::MarchColumn | Formation::Mob) => self.cavalry.march_column,
            (Arm::Artillery, Formation::Line) => match (guns, draught) {
                (_, Draught::Horse) => self.horse_guns.unlimbered,
                (Guns::Heavy, Draught::Foot) => self.heavy_foot_guns.unlimbered,
                (_, Draught::Foot) => self.foot_guns.unlimbered,
            },
            (Arm::Artillery, Formation::MarchColumn | Formation::Mob) => self.limbered(guns, draught),
            _ => Distance::NONE,
        }
    }

    /// How far limbered guns move.
    #[must_use]
    pub const fn limbered(&self, guns: Guns, draught: Draught) -> Distance {
        match (guns, draught) {
            (_, Draught::Horse) => self.horse_guns.limbered,
            (Guns::Heavy, Draught::Foot) => self.heavy_foot_guns.limbered,
            (_, Draught::Foot) => self.foot_guns.limbered,
        }
    }

    /// The most that any unit of the arm can move, whatever its formation: what limits a group (HZ-ADV-03).
    #[must_use]
    pub fn arm_most(&self, arm: Arm, guns: Guns, draught: Draught) -> Distance {
        decides!(HZ_ADV_03);
        let most = |distances: &[Distance]| distances.iter().copied().max().unwrap_or_default();
        let (i, c) = (&self.infantry, &self.cavalry);
        match arm {
            Arm::Infantry => most(&[i.line, i.column, i.open_order, i.march_column, i.square]),
            Arm::Cavalry => most(&[c.line, c.column, c.open_order, c.march_column]),
            Arm::Artillery => self.limbered(guns, draught),
        }
    }
}

/// Where each range of one weight of guns ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RangeEnds {
    /// The end of short range.
    pub short: Distance,
    /// The end of long range.
    pub long: Distance,
    /// The end of extreme range.
    pub extreme: Distance,
}

/// Bombardment ranges (HZ-BOM-12).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ranges {
    /// Light guns.
    pub light: RangeEnds,
    /// Medium guns.
    pub medium: RangeEnds,
    /// Heavy guns.
    pub heavy: RangeEnds,
}

impl Default for Ranges {
    fn default() -> Self {
        let ends = |short, long, extreme| RangeEnds {
            short: Distance::cm(short),
            long: Distance::cm(long),
            extreme: Distance::cm(extreme),
        };
        Self { light: ends(30, 60, 90), medium: ends(35, 70, 105), heavy: ends(40, 80, 120) }
    }
}

impl Ranges {
    /// Where the ranges of these guns end.
    #[must_use]
    pub const fn of(&self, guns: Guns) -> RangeEnds {
        match guns {
            Guns::Light => self.light,
            Guns::Medium => self.medium,
            Guns::Heavy => self.heavy,
        }
    }

    /// The range a target at this distance is at; a distance on a boundary is at the closer range.
    #[must_use]
    pub fn band(&self, guns: Guns, distance: Distance) -> Option<RangeBand> {
        let ends = self.of(guns);
        let within = |end: Distance| distance <= end;
        match () {
            () if within(ends.short) => Some(RangeBand::Short),
            () if within(ends.long) => Some(RangeBand::Long),
            () if within(ends.extreme) => Some(RangeBand::Extreme),
            () => None,
        }
    }
}

distances!(
    /// How far shot bounces on behind a bombarded unit (HZ-BOM-16).
    BounceThrough {
        /// Light guns.
        light = 10,
        /// Medium guns.
        medium = 15,
        /// Heavy guns.
        heavy = 20,
    }
);

impl BounceThrough {
    /// The distance for these guns.
    #[must_use]
    pub const fn of(&self, guns: Guns) -> Distance {
        match guns {
            Guns::Light => self.light,
            Guns::Medium => self.medium,
            Guns::Heavy => self.heavy,
        }
    }
}

distances!(
    /// Command radius by level, and what an officer's quality adds to it (HZ-CMD-02).
    CommandRadius {
        /// The commander in chief.
        army = 120,
        /// A corps officer.
        corps = 80,
        /// A division officer.
        division = 40,
        /// A brigade officer.
        brigade = 20,
        /// Added for an Excellent officer.
        excellent = 20,
        /// Added for a Skilful officer.
        skilful = 10,
        /// Added for an Average officer.
        average = 0,
        /// Added for a Poor officer.
        poor = 0,
        /// Taken off for an Abysmal officer.
        abysmal = 10,
    }
);

impl CommandRadius {
    /// The radius of an officer who acts at this level, never less than nothing.
    #[must_use]
    pub fn of(&self, level: Level, ability: Ability) -> Distance {
        let base = match level {
            Level::Army => self.army,
            Level::Corps => self.corps,
            Level::Division => self.division,
            Level::Brigade => self.brigade,
        };
        match ability {
            Ability::Excellent => base.plus(self.excellent),
            Ability::Skilful => base.plus(self.skilful),
            Ability::Average => base.plus(self.average),
            Ability::Poor => base.plus(self.poor),
            Ability::Abysmal => base.less(self.abysmal),
        }
    }
}
