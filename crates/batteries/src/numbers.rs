//! The numbers of the book, each under the clause it belongs to.

mod inches;

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

pub use inches::Inches;

use crate::troops::{Calibre, Column, Fire, Formation, Grade, GunClass, Shot, Weight};

/// Declares a group of numbers: plain public fields with the book's values.
macro_rules! numbers {
    ($($(#[$meta:meta])* $name:ident { $($(#[$field_meta:meta])* $field:ident: $type:ty = $value:expr,)* })*) => { $(
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct $name { $($(#[$field_meta])* pub $field: $type,)* }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $value,)* }
            }
        }
    )* };
}

const fn inches(whole: i32) -> Inches {
    Inches::whole(whole)
}

numbers! {
    /// Every number that a scenario may change by name.
    Numbers {
        /// Frontages and depths.
        #[serde(rename = "BB-UNI-21")]
        stands: Stands = Stands::default(),
        /// Usual sizes of units.
        #[serde(rename = "BB-UNI-07")]
        sizes: Sizes = Sizes::default(),
        /// The widest column and the widest line.
        #[serde(rename = "BB-UNI-11")]
        widths: Widths = Widths::default(),
        /// The smallest unit that can form square.
        #[serde(rename = "BB-UNI-13")]
        square: Square = Square::default(),
        /// Charisma by the roll.
        #[serde(rename = "BB-LEA-03")]
        charisma: Charisma = Charisma::default(),
        /// Command radius.
        #[serde(rename = "BB-LEA-05")]
        radius: Radius = Radius::default(),
        /// The movement table.
        #[serde(rename = "BB-MOV-01")]
        moves: Moves = Moves::default(),
        /// How near a mover may come to an enemy.
        #[serde(rename = "BB-MOV-20")]
        approach: Approach = Approach::default(),
        /// Skirmishers pushed forward.
        #[serde(rename = "BB-MOV-24")]
        push: Push = Push::default(),
        /// The straight end of a charge.
        #[serde(rename = "BB-CHG-02")]
        run: Run = Run::default(),
        /// Too near to evade.
        #[serde(rename = "BB-CHG-18")]
        caught: Caught = Caught::default(),
        /// Dice of small arms.
        #[serde(rename = "BB-SHO-01")]
        volley: Volley = Volley::default(),
        /// Crews.
        #[serde(rename = "BB-SHO-03")]
        crew: Crew = Crew::default(),
        /// The shooting table.
        #[serde(rename = "BB-SHO-13")]
        shooting: Shooting = Shooting::default(),
        /// Dense targets.
        #[serde(rename = "BB-SHO-17")]
        dense: Shift = Shift { by: 2 },
        /// Hits on guns.
        #[serde(rename = "BB-SHO-25")]
        counterbattery: Counterbattery = Counterbattery::default(),
        /// The hanging flank.
        #[serde(rename = "BB-SHO-34")]
        hanging: Hanging = Hanging::default(),
        /// Dice of combat.
        #[serde(rename = "BB-COM-02")]
        blows: Blows = Blows::default(),
        /// What hits in combat.
        #[serde(rename = "BB-COM-06")]
        combat: Combat = Combat::default(),
        /// Scores to pass morale.
        #[serde(rename = "BB-MOR-12")]
        morale: ByGrade = ByGrade { a: 0, b: 1, c: 2, d: 3, e: 4, f: 5 },
        /// The rout table.
        #[serde(rename = "BB-MOR-26")]
        rout: Rout = Rout::default(),
        /// The rout roll by grade.
        #[serde(rename = "BB-MOR-31")]
        rout_grade: ByGrade = ByGrade { a: 3, b: 2, c: 1, d: 0, e: -1, f: -3 },
        /// The rout corridor.
        #[serde(rename = "BB-MOR-33")]
        corridor: Corridor = Corridor::default(),
        /// Sight in woods.
        #[serde(rename = "BB-WOO-04")]
        woods: Woods = Woods::default(),
        /// Ploughed fields.
        #[serde(rename = "BB-PLO-02")]
        ploughed: Ploughed = Ploughed::default(),
        /// Clearing hedgerows and abatis.
        #[serde(rename = "BB-HED-05")]
        clearing: Clearing = Clearing::default(),
        /// The road bonus.
        #[serde(rename = "BB-ROA-01")]
        road: Road = Road::default(),
        /// Damaging light works.
        #[serde(rename = "BB-FLD-09")]
        works: Damage = Damage { hits: 10, length: Inches::part(3, 2) },
        /// Breaching city walls.
        #[serde(rename = "BB-OPT-94")]
        walls: Damage = Damage { hits: 10, length: inches(3) },
        /// How near a target behind a hedgerow is hidden, and how near a seer must come.
        #[serde(rename = "BB-HED-01")]
        hedgerow: Hedgerow = Hedgerow::default(),
        /// How near counts as touching a hedgerow, abatis or wall.
        #[serde(rename = "BB-HED-03")]
        at_hand: Reach = Reach { within: Inches::part(1, 10) },
        /// What fieldworks cost to cross, for each rank.
        #[serde(rename = "BB-FLD-04")]
        works_cost: Reach = Reach { within: inches(1) },
        /// How far behind lower works figures are protected.
        #[serde(rename = "BB-FLD-06")]
        works_below: Reach = Reach { within: inches(4) },
        /// How deep the broken ground behind linear works is.
        #[serde(rename = "BB-FLD-07")]
        works_behind: Reach = Reach { within: inches(2) },
        /// How near behind a city wall troops man it.
        #[serde(rename = "BB-OPT-93")]
        wall_manned: Reach = Reach { within: inches(1) },
        /// Breaches.
        #[serde(rename = "BB-OPT-95")]
        breach: Breach = Breach::default(),
        /// Town blocks.
        #[serde(rename = "BB-TWN-20")]
        town: Town = Town::default(),
        /// Pinning.
        #[serde(rename = "BB-OPT-26")]
        pinning: Reach = Reach { within: inches(4) },
        /// Elbow room.
        #[serde(rename = "BB-OPT-21")]
        elbow: Reach = Reach { within: inches(2) },
        /// The recoil of bounced cavalry.
        #[serde(rename = "BB-OPT-18")]
        recoil: Reach = Reach { within: inches(4) },
        /// The gap that pursuers do not squeeze through.
        #[serde(rename = "BB-OPT-40")]
        gap: Reach = Reach { within: inches(3) },
        /// What a renewed pursuit costs cavalry.
        #[serde(rename = "BB-OPT-44")]
        straggling: Straggling = Straggling::default(),
        /// How much of a battalion may be out in its screen.
        #[serde(rename = "BB-OPT-63")]
        screen: Screen = Screen::default(),
        /// How near a screen stays to its battalion.
        #[serde(rename = "BB-OPT-64")]
        screen_near: Reach = Reach { within: inches(2) },
        /// The column of masses.
        #[serde(rename = "BB-OPT-73")]
        masse: Masse = Masse::default(),
        /// The pursuit roll.
        #[serde(rename = "BB-OPT-33")]
        pursuit: Pursuit = Pursuit::default(),
        /// Returning to the table.
        #[serde(rename = "BB-OPT-47")]
        returning: Score = Score { needs: 8 },
        /// A general falls.
        #[serde(rename = "BB-OPT-49")]
        fall: Fall = Fall::default(),
        /// Command points by the roll.
        #[serde(rename = "BB-OPT-50")]
        points: CommandPoints = CommandPoints::default(),
        /// Voluntary rout.
        #[serde(rename = "BB-OPT-54")]
        voluntary: Reach = Reach { within: inches(2) },
        /// Carry-through.
        #[serde(rename = "BB-OPT-56")]
        carry: Carry = Carry::default(),
        /// How far a target may be from the nearest one.
        #[serde(rename = "BB-OPT-89")]
        targeting: Reach = Reach { within: inches(12) },
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
    }

    /// The straight end of a charge.
    Run {
        /// How long.
        straight: Inches = inches(2),
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

    /// The road bonus.
    Road {
        /// How much.
        bonus: Inches = inches(4),
        /// The widest front, in figures.
        width: u16 = 4,
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
        /// from whoever is farther from it than this.
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

impl Row {
    const fn of(range: i32, normal: u8, skirmishers: Option<u8>, soft: u8, hard: Option<u8>) -> Self {
        Self { range: Inches::whole(range), normal: Some(normal), skirmishers, soft: Some(soft), hard }
    }

    /// The cell of a column; nothing is NIL.
    #[must_use]
    pub fn cell(&self, column: Column) -> Option<u8> {
        match column {
            Column::Normal => self.normal,
            Column::Skirmishers => self.skirmishers,
            Column::Soft => self.soft,
            Column::Hard => self.hard,
        }
    }
}

impl ByGrade {
    /// The number of a grade.
    #[must_use]
    pub fn of(&self, grade: Grade) -> i32 {
        match grade {
            Grade::A => self.a,
            Grade::B => self.b,
            Grade::C => self.c,
            Grade::D => self.d,
            Grade::E => self.e,
            Grade::F => self.f,
        }
    }
}

impl Shooting {
    /// The row of a kind of fire at a range; nothing beyond its last range.
    #[must_use]
    pub fn row(&self, fire: Fire, range: Inches) -> Option<&Row> {
        let rows: &[&Row] = match fire {
            Fire::Muskets => &[&self.musket_close, &self.musket_far],
            Fire::Rifles => &[&self.rifle_close, &self.rifle_far],
            Fire::Guns(Calibre { class, shot }) => match (class, shot) {
                (GunClass::Light, Shot::Canister) => &[&self.light_canister],
                (GunClass::Field, Shot::Canister) => &[&self.field_canister],
                (GunClass::Heavy, Shot::Canister) => &[&self.heavy_canister],
                (GunClass::Light, Shot::Ball) => &[&self.light_ball],
                (GunClass::Field, Shot::Ball) => &[&self.field_ball],
                (GunClass::Heavy, Shot::Ball) => &[&self.heavy_ball],
            },
        };
        rows.iter().copied().find(|row| range <= row.range)
    }

    /// The farthest that a kind of fire reaches.
    #[must_use]
    pub fn reach(&self, fire: Fire) -> Inches {
        match fire {
            Fire::Muskets => self.musket_far.range,
            Fire::Rifles => self.rifle_far.range,
            Fire::Guns(_) => self.row(fire, Inches::whole(0)).map_or(Inches::whole(0), |row| row.range),
        }
    }
}

impl Moves {
    /// What infantry moves in a formation.
    #[must_use]
    pub fn foot(&self, formation: Formation) -> Inches {
        match formation {
            Formation::Column | Formation::Masse => self.column,
            Formation::Line => self.line,
            Formation::Extended => self.extended,
            Formation::Skirmish => self.skirmish,
            Formation::Square => self.square,
            Formation::Bent => Inches::whole(0),
        }
    }

    /// What cavalry moves.
    #[must_use]
    pub fn horse(&self, weight: Weight, charge: bool) -> Inches {
        match (weight, charge) {
            (Weight::Light, false) => self.light,
            (Weight::Light, true) => self.light_charge,
            (_, false) => self.heavy,
            (_, true) => self.heavy_charge,
        }
    }

    /// What guns move, limbered or by hand.
    #[must_use]
    pub fn guns(&self, class: GunClass, horse: bool, limbered: bool) -> Inches {
        match (horse, class, limbered) {
            (true, _, true) => self.horse_guns,
            (true, _, false) => self.horse_guns_by_hand,
            (false, GunClass::Light, true) => self.light_guns,
            (false, GunClass::Light, false) => self.light_guns_by_hand,
            (false, GunClass::Field, true) => self.field_guns,
            (false, GunClass::Field, false) => self.field_guns_by_hand,
            (false, GunClass::Heavy, true) => self.heavy_guns,
            (false, GunClass::Heavy, false) => self.heavy_guns_by_hand,
        }
    }
}

impl Numbers {
    /// The book's own numbers, for tests taken without a scenario.
    #[must_use]
    pub fn book() -> &'static Self {
        static BOOK: LazyLock<Numbers> = LazyLock::new(Numbers::default);
        &BOOK
    }
}
