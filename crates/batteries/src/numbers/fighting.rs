//! Numbers of shooting, combat and morale, with the book's values.

use serde::{Deserialize, Serialize};

use super::{Inches, inches};

numbers! {
    /// Dice of small arms.
    Volley {
        /// Figures to a die.
        figures: u8 = 4,
        /// The remainder that counts as one more.
        remainder: u8 = 3,
        /// Figures to a die in two-rank line.
        two_rank_figures: u8 = 3,
        /// The remainder that counts as one more in two-rank line.
        two_rank_remainder: u8 = 2,
    }

    /// Crews.
    Crew {
        /// Gunners for both guns of a model.
        both: u8 = 3,
        /// Gunners for one.
        one: u8 = 2,
        /// Gunners to manhandle a model.
        by_hand: u8 = 2,
    }

    /// A row of the shooting table; a score of nothing is NIL.
    Row {
        /// How far it reaches.
        range: Inches = inches(0),
        /// Against troops in the open.
        normal: Option<u8> = None,
        /// Against skirmishers.
        skirmishers: Option<u8> = None,
        /// Against soft cover.
        soft: Option<u8> = None,
        /// Against hard cover.
        hard: Option<u8> = None,
    }

    /// The shooting table.
    Shooting {
        /// Muskets, close.
        musket_close: Row = Row::of(4, 7, Some(9), 9, Some(10)),
        /// Muskets, far.
        musket_far: Row = Row::of(8, 9, Some(10), 10, None),
        /// Rifles, close.
        rifle_close: Row = Row::of(8, 8, Some(8), 8, Some(9)),
        /// Rifles, far.
        rifle_far: Row = Row::of(16, 9, Some(10), 10, Some(10)),
        /// Canister of light guns.
        light_canister: Row = Row::of(10, 6, Some(9), 9, Some(10)),
        /// Canister of field guns.
        field_canister: Row = Row::of(12, 6, Some(9), 9, Some(10)),
        /// Canister of heavy guns.
        heavy_canister: Row = Row::of(16, 6, Some(9), 9, Some(10)),
        /// Ballshot of light guns.
        light_ball: Row = Row::of(24, 8, None, 8, Some(10)),
        /// Ballshot of field guns.
        field_ball: Row = Row::of(32, 8, None, 8, Some(10)),
        /// Ballshot of heavy guns.
        heavy_ball: Row = Row::of(40, 8, None, 8, Some(9)),
    }

    /// Dense columns.
    Deep {
        /// Ranks of figures.
        ranks: u16 = 3,
    }

    /// The second roll for hits on guns: the lowest total of each row.
    Counterbattery {
        /// A gunner from anything but ballshot.
        gunner: u8 = 5,
        /// A gunner from ballshot too.
        gunner_from_ball: u8 = 8,
        /// A gun and a gunner from ballshot.
        gun: u8 = 10,
        /// Added for ballshot at limbered guns.
        limbered: i32 = 2,
    }

    /// The hanging flank.
    Hanging {
        /// How many figures.
        figures: u8 = 6,
    }

    /// Dice of combat.
    Blows {
        /// Infantry or gunners to a die.
        foot: u8 = 4,
        /// Their remainder that counts as one more.
        foot_remainder: u8 = 3,
        /// Cavalry to a die.
        horse: u8 = 3,
        /// Their remainder that counts as one more.
        horse_remainder: u8 = 2,
    }

    /// What hits in combat.
    Combat {
        /// The score to reach.
        base: i32 = 6,
    }

    /// Fighting troops in cover.
    Covered {
        /// Down: soft cover.
        soft: i32 = 2,
        /// Down: hard cover.
        hard: i32 = 3,
    }

    /// A number for each grade.
    ByGrade {
        /// Grade A.
        a: i32 = 0,
        /// Grade B.
        b: i32 = 0,
        /// Grade C.
        c: i32 = 0,
        /// Grade D.
        d: i32 = 0,
        /// Grade E.
        e: i32 = 0,
        /// Grade F.
        f: i32 = 0,
    }

    /// A row of the rout table.
    RoutRow {
        /// The lowest total.
        from: i32 = 0,
        /// How far.
        distance: Inches = inches(0),
        /// Hits on a large unit.
        large: u8 = 0,
        /// Hits on a small one.
        small: u8 = 0,
    }

    /// The rout table, the worst row first.
    Rout {
        /// The fewest figures of a large unit.
        large: u16 = 17,
        /// The rows.
        rows: Vec<RoutRow> = vec![
            RoutRow { from: 1, distance: inches(18), large: 6, small: 4 },
            RoutRow { from: 3, distance: inches(12), large: 5, small: 3 },
            RoutRow { from: 5, distance: inches(8), large: 3, small: 2 },
            RoutRow { from: 8, distance: inches(6), large: 2, small: 1 },
            RoutRow { from: 10, distance: inches(4), large: 1, small: 0 },
        ],
        /// The farthest that anybody routs.
        farthest: Inches = inches(18),
    }

    /// The rout corridor.
    Corridor {
        /// How far to either side.
        half: Inches = inches(6),
        /// The gap that routers need.
        gap: Inches = inches(2),
    }
}
