//! The numbers of the book, each under the clause it belongs to.
//!
//! A scenario or a laboratory run changes any of them by name, such as `MB-CTL-01.marshal = "8in"` or `MB-CBT-06 = 3`.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

pub use sabretache_kit::Inches;

macro_rules! numbers {
    ($($(#[$meta:meta])* $name:ident { $($(#[$fm:meta])* $field:ident: $ty:ty = $value:expr,)* })*) => { $(
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct $name { $($(#[$fm])* pub $field: $ty,)* }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $value,)* }
            }
        }
    )* };
}

mod tables;

pub use tables::*;

/// Whole inches.
const fn inches(n: i32) -> Inches {
    Inches::whole(n)
}

numbers! {
    /// Every number of the book.
    Numbers {
        /// Half an inch between brigades of a command is contact still.
        #[serde(rename = "MB-GEN-10")]
        contact_gap: Inches = Inches::fraction(1, 2),
        /// By how much a rear line may face another way than the one before it, in hundredths of a degree.
        #[serde(rename = "MB-GEN-11")]
        rear_facing: i32 = 4_500,
        /// Base sizes.
        #[serde(rename = "MB-UNI-04")]
        bases: Bases = Bases::default(),
        /// Brigade sizes.
        #[serde(rename = "MB-UNI-05")]
        sizes: Sizes = Sizes::default(),
        /// Command actions.
        #[serde(rename = "MB-LEA-02")]
        actions: Actions = Actions::default(),
        /// How far from its position a wing that defends goes, and attacks.
        #[serde(rename = "MB-ORD-02")]
        position: Position = Position::default(),
        /// Control radius.
        #[serde(rename = "MB-CTL-01")]
        control: Control = Control::default(),
        /// By how much brigades of one line may face different ways, in hundredths of a degree.
        #[serde(rename = "MB-CTL-06")]
        line_facing: i32 = 2_250,
        /// How near a rear line must be to conform.
        #[serde(rename = "MB-CTL-07")]
        rear_line: Inches = inches(4),
        /// The control test.
        #[serde(rename = "MB-CTL-09")]
        control_table: ControlTable = ControlTable::default(),
        /// Risk to leaders.
        #[serde(rename = "MB-RSK-02")]
        risk: Risk = Risk::default(),
        /// Shots at lone leaders.
        #[serde(rename = "MB-RSK-06")]
        lone_shots: LoneShots = LoneShots::default(),
        /// How far one sees.
        #[serde(rename = "MB-VIS-03")]
        visibility: Visibility = Visibility::default(),
        /// How far one sees in woods and towns.
        #[serde(rename = "MB-VIS-04")]
        sight_in_cover: Inches = inches(2),
        /// How near the boundary of a wood or town its edge is.
        #[serde(rename = "MB-VIS-05")]
        edge: Inches = Inches::fraction(1, 2),
        /// From above one looks over brigades no nearer than this.
        #[serde(rename = "MB-VIS-06")]
        looked_over: Inches = inches(2),
        /// How far one sees beyond unformed troops.
        #[serde(rename = "MB-VIS-09")]
        beyond_unformed: Inches = inches(2),
        /// Limits of disorder.
        #[serde(rename = "MB-MOR-02")]
        disorder: Disorder = Disorder::default(),
        /// Movement gives no DPs beyond this.
        #[serde(rename = "MB-MOR-03")]
        move_limit: u8 = 3,
        /// Re-dressing by A and B.
        #[serde(rename = "MB-MOR-07")]
        redress_elite: RedressElite = RedressElite::default(),
        /// Re-dressing by C and D.
        #[serde(rename = "MB-MOR-08")]
        redress_line: u8 = 1,
        /// Re-dressing by E.
        #[serde(rename = "MB-MOR-09")]
        redress_militia: u8 = 1,
        /// Morale events.
        #[serde(rename = "MB-MOR-12")]
        morale: Morale = Morale::default(),
        /// How far morale events are felt.
        #[serde(rename = "MB-MOR-15")]
        morale_reach: Inches = inches(6),
        /// How many DPs a gun holds.
        #[serde(rename = "MB-MOR-18")]
        gun_limit: u8 = 3,
        /// Turns, where the scenario does not say.
        #[serde(rename = "MB-SEQ-09")]
        turns: u32 = 12,
        /// How far unformed bases may stand apart.
        #[serde(rename = "MB-FRM-06")]
        loose_gap: Inches = inches(1),
        /// Cavalry halt so far from enemy.
        #[serde(rename = "MB-MOV-06")]
        cavalry_halt: Inches = inches(2),
        /// How far short a brigade may halt.
        #[serde(rename = "MB-MOV-08")]
        halt_short: Inches = inches(2),
        /// How far off straight ahead, in hundredths of a degree.
        #[serde(rename = "MB-MOV-10")]
        off_centre: i32 = 2_250,
        /// More for each die of an inspired brigade.
        #[serde(rename = "MB-MOV-12")]
        inspired: Inches = Inches::fraction(1, 2),
        /// The distance from enemy that doubles moves.
        #[serde(rename = "MB-MOV-14")]
        near: Inches = inches(6),
        /// How far a medium gun is pushed.
        #[serde(rename = "MB-MOV-17")]
        medium_gun: Inches = inches(1),
        /// How far guns pivot, in hundredths of a degree.
        #[serde(rename = "MB-MOV-18")]
        pivot: i32 = 4_500,
        /// Road moves.
        #[serde(rename = "MB-MOV-21")]
        roads: Roads = Roads::default(),
        /// More for each die of a first fast move.
        #[serde(rename = "MB-MOV-22")]
        fast: Inches = Inches::fraction(1, 2),
        /// Leaders and messengers.
        #[serde(rename = "MB-MOV-23")]
        riding: Riding = Riding::default(),
        /// By how many dice cavalry change speed.
        #[serde(rename = "MB-MOV-24")]
        speed_change: u8 = 2,
        /// The face that disorders in good terrain, and more.
        #[serde(rename = "MB-MOV-25")]
        good_dice: u8 = 6,
        /// The faces that disorder in rough terrain.
        #[serde(rename = "MB-MOV-26")]
        rough_dice: RoughDice = RoughDice::default(),
        /// The distance that skirmishers keep.
        #[serde(rename = "MB-MOV-30")]
        skirmish: Inches = inches(2),
        /// How far an end of a line is swung back at the most, in hundredths of a degree.
        #[serde(rename = "MB-MAN-04")]
        swung_back: i32 = 9_000,
        /// How far a side step goes.
        #[serde(rename = "MB-MAN-15")]
        side_step: Inches = inches(1),
        /// How near dragoons must be to their horses.
        #[serde(rename = "MB-MAN-17")]
        horse_holders: Inches = inches(1),
        /// The arc of fire each side of centre, in hundredths of a degree.
        #[serde(rename = "MB-ART-02")]
        arc: i32 = 4_500,
        /// Gun ranges.
        #[serde(rename = "MB-ART-05")]
        ranges: Ranges = Ranges::default(),
        /// Friends this near forbid fire.
        #[serde(rename = "MB-ART-06")]
        friends_near_target: Inches = inches(1),
        /// A heavy gun.
        #[serde(rename = "MB-ART-09")]
        heavy_gun: i32 = 1,
        /// A light gun.
        #[serde(rename = "MB-ART-10")]
        light_gun: i32 = 1,
        /// For each DP on the gun.
        #[serde(rename = "MB-ART-11")]
        gun_dp: i32 = 1,
        /// Beyond effective range.
        #[serde(rename = "MB-ART-12")]
        far: i32 = 1,
        /// A new target.
        #[serde(rename = "MB-ART-13")]
        new_target: i32 = 1,
        /// The same target at the same range.
        #[serde(rename = "MB-ART-14")]
        same_target: i32 = 1,
        /// Column, limbered or enfilade.
        #[serde(rename = "MB-ART-15")]
        column: i32 = 1,
        /// Fieldworks.
        #[serde(rename = "MB-ART-16")]
        works: Works = Works::default(),
        /// Close range results.
        #[serde(rename = "MB-ART-17")]
        close_fire: CloseFire = CloseFire::default(),
        /// A DP at this or more beyond close range.
        #[serde(rename = "MB-ART-18")]
        distant_fire: i32 = 4,
        /// Indirect fire.
        #[serde(rename = "MB-ART-20")]
        scatter: Scatter = Scatter::default(),
        /// What a shell costs those on whom it falls.
        #[serde(rename = "MB-ART-21")]
        shell: u8 = 1,
        /// What it costs to get away from a charge.
        #[serde(rename = "MB-CHG-15")]
        evade: u8 = 1,
        /// A charge from further off leaves foot time to turn.
        #[serde(rename = "MB-CHG-16")]
        charge_warning: Inches = inches(2),
        /// The distance at which foot fight.
        #[serde(rename = "MB-FOO-01")]
        musketry: Inches = inches(1),
        /// What hits in flanking musketry.
        #[serde(rename = "MB-FOO-05")]
        flanking_hit: u8 = 4,
        /// A grade.
        #[serde(rename = "MB-CBT-06")]
        grade_a: i32 = 2,
        /// B grade.
        #[serde(rename = "MB-CBT-07")]
        grade_b: i32 = 1,
        /// D grade.
        #[serde(rename = "MB-CBT-08")]
        grade_d: i32 = 1,
        /// E grade.
        #[serde(rename = "MB-CBT-09")]
        grade_e: i32 = 2,
        /// Charging or pursuing.
        #[serde(rename = "MB-CBT-10")]
        charging: i32 = 1,
        /// Charging with the sword alone.
        #[serde(rename = "MB-CBT-11")]
        outrance: i32 = 2,
        /// Cavalry pursuing.
        #[serde(rename = "MB-CBT-12")]
        cavalry_pursuing: i32 = 2,
        /// Supported.
        #[serde(rename = "MB-CBT-13")]
        supported: i32 = 1,
        /// For so many platoon-firing bases one die.
        #[serde(rename = "MB-CBT-14")]
        platoon_bases: u8 = 3,
        /// Foot that moved and are charged.
        #[serde(rename = "MB-CBT-15")]
        foot_moved: i32 = 2,
        /// Struck in flank or rear.
        #[serde(rename = "MB-CBT-16")]
        flank: i32 = 2,
        /// For each DP.
        #[serde(rename = "MB-CBT-17")]
        each_dp: i32 = 1,
        /// For each inspire action.
        #[serde(rename = "MB-CBT-18")]
        each_inspire: i32 = 1,
        /// Advantage of ground.
        #[serde(rename = "MB-CBT-19")]
        ground: i32 = 1,
        /// The opponent defends fieldworks.
        #[serde(rename = "MB-CBT-21")]
        fieldworks: i32 = 1,
        /// What hits.
        #[serde(rename = "MB-CBT-24")]
        hits: Hits = Hits::default(),
        /// The result table.
        #[serde(rename = "MB-RES-01")]
        results: Results = Results::default(),
        /// What letting a broken enemy go costs cavalry.
        #[serde(rename = "MB-RES-02")]
        let_go: u8 = 1,
        /// How far foot go to take a position.
        #[serde(rename = "MB-RES-13")]
        take_position: Inches = inches(3),
        /// Ride-throughs halt beyond this.
        #[serde(rename = "MB-RES-14")]
        ride_through_halt: Inches = inches(2),
        /// Who cannot go so far back is blocked.
        #[serde(rename = "MB-RES-19")]
        blocked: Inches = Inches::fraction(1, 2),
        /// Routers stop so far from enemy.
        #[serde(rename = "MB-RES-21")]
        rout_clear: Inches = inches(6),
        /// Bases that each move before pursuers costs routers.
        #[serde(rename = "MB-RES-22")]
        rout_losses: u8 = 1,
        /// Blocked routers give themselves up to enemy this near.
        #[serde(rename = "MB-RES-24")]
        surrender: Inches = inches(2),
        /// What tells in a free hack.
        #[serde(rename = "MB-RES-26")]
        free_hack: u8 = 4,
        /// Crews find friends within this.
        #[serde(rename = "MB-GUN-01")]
        crew_refuge: Inches = inches(2),
        /// No formed enemy within this, or crews do not return; and how far they return.
        #[serde(rename = "MB-GUN-04")]
        recrew: Recrew = Recrew::default(),
        /// Turns that an attacking wing may sit still before it is challenged.
        #[serde(rename = "MB-UMP-01")]
        idle_turns: u8 = 3,
        /// Hidden enemy show themselves at this distance.
        #[serde(rename = "MB-UMP-03")]
        hidden: Inches = inches(2),
        /// When an army breaks.
        #[serde(rename = "MB-VIC-03")]
        army_break: Break = Break::default(),
        /// Points.
        #[serde(rename = "MB-VIC-04")]
        points: Points = Points::default(),
    }
}

impl Numbers {
    /// The book's own.
    #[must_use]
    pub fn book() -> &'static Self {
        static BOOK: LazyLock<Numbers> = LazyLock::new(Numbers::default);
        &BOOK
    }
}
