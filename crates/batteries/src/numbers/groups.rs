//! The groups of numbers, with the book's values.

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

    /// Fighting troops in cover.
    Covered {
        /// Down: soft cover.
        soft: i32 = 2,
        /// Down: hard cover.
        hard: i32 = 3,
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

    /// How woods slow troops.
    WoodsPace {
        /// Infantry in close order: each inch counts as so many.
        foot: u8 = 2,
        /// Cavalry.
        horse: u8 = 4,
    }

    /// A height.
    Height {
        /// In contours.
        contours: i8 = 0,
    }

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

    /// A plain modifier.
    Shift {
        /// By how much.
        by: i32 = 0,
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

    /// A front.
    Front {
        /// How many figures wide.
        figures: u16 = 4,
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

    /// A reach.
    Reach {
        /// How far.
        within: Inches = inches(0),
    }

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

    /// A score.
    Score {
        /// What is needed.
        needs: u8 = 0,
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
