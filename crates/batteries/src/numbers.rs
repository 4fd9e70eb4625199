//! The numbers of the book, each under the clause it belongs to.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

/// Declares a group of numbers: plain public fields with the book's values.
macro_rules! numbers {
    ($($(#[$meta:meta])* $name:ident { $($(#[$field_meta:meta])* $field:ident: $type:ty = $value:expr,)* })*) => { $(
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        pub struct $name { $($(#[$field_meta])* pub $field: $type,)* }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $value,)* }
            }
        }
    )* };
}

mod fighting;
mod ground;
mod groups;
mod inches;
mod marching;
mod optional;
mod shifts;
mod tables;

pub use fighting::*;
pub use ground::*;
pub use groups::*;
pub use inches::Inches;
pub use marching::*;
pub use optional::*;
pub use shifts::{CombatShifts, MoraleShifts, PursuitShifts, RoutShifts, ShootingShifts};

const fn inches(whole: i32) -> Inches {
    Inches::whole(whole)
}

numbers! {
    /// Every number that a scenario may change by name.
    Numbers {
        /// What always misses and what always hits.
        #[serde(rename = "BB-GEN-04")]
        natural: Natural = Natural::default(),
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
        /// Lone generals with enemies upon them.
        #[serde(rename = "BB-LEA-10")]
        refuge: Refuge = Refuge::default(),
        /// The movement table.
        #[serde(rename = "BB-MOV-01")]
        moves: Moves = Moves::default(),
        /// A change of formation, facing or frontage.
        #[serde(rename = "BB-MOV-04")]
        change: Share = Share { percent: 50 },
        /// A change out of an extended line.
        #[serde(rename = "BB-MOV-07")]
        change_extended: Share = Share { percent: 100 },
        /// How much slower a sidestep is.
        #[serde(rename = "BB-MOV-08")]
        sidestep: Slower = Slower { times: 4 },
        /// How much slower an oblique march is.
        #[serde(rename = "BB-MOV-09")]
        oblique: Slower = Slower { times: 2 },
        /// How much slower it is to retire facing the enemy.
        #[serde(rename = "BB-MOV-10")]
        retire: Slower = Slower { times: 2 },
        /// Re-forming from skirmish order.
        #[serde(rename = "BB-MOV-12")]
        change_skirmish: Share = Share { percent: 100 },
        /// How much more manoeuvres cost clumsy troops.
        #[serde(rename = "BB-MOV-16")]
        clumsy: Slower = Slower { times: 2 },
        /// How near a mover may come to an enemy.
        #[serde(rename = "BB-MOV-20")]
        approach: Approach = Approach::default(),
        /// Skirmishers pushed forward.
        #[serde(rename = "BB-MOV-24")]
        push: Push = Push::default(),
        /// The straight end of a charge.
        #[serde(rename = "BB-CHG-02")]
        run: Run = Run::default(),
        /// How far and which way evaders run.
        #[serde(rename = "BB-CHG-13")]
        evading: Evading = Evading::default(),
        /// Too near to evade.
        #[serde(rename = "BB-CHG-18")]
        caught: Caught = Caught::default(),
        /// Dice of small arms.
        #[serde(rename = "BB-SHO-01")]
        volley: Volley = Volley::default(),
        /// Crews.
        #[serde(rename = "BB-SHO-03")]
        crew: Crew = Crew::default(),
        /// How far to either side of straight ahead a figure or model shoots.
        #[serde(rename = "BB-SHO-07")]
        arc: Degrees = Degrees { hundredths: 4_500 },
        /// How much of its move infantry may make and fire.
        #[serde(rename = "BB-SHO-09")]
        move_and_fire: Share = Share { percent: 50 },
        /// The shooting modifiers.
        #[serde(flatten)]
        shooting_shifts: ShootingShifts = ShootingShifts::default(),
        /// The shooting table.
        #[serde(rename = "BB-SHO-13")]
        shooting: Shooting = Shooting::default(),
        /// Dense targets.
        #[serde(rename = "BB-SHO-17")]
        dense: Shift = Shift { by: 2 },
        /// How deep a dense target is.
        #[serde(rename = "BB-SHO-28")]
        deep: Deep = Deep::default(),
        /// How flat a shot along a line enfilades it.
        #[serde(rename = "BB-SHO-30")]
        enfilade: Degrees = Degrees { hundredths: 2_250 },
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
        /// The combat modifiers.
        #[serde(flatten)]
        combat_shifts: CombatShifts = CombatShifts::default(),
        /// Fighting troops in cover.
        #[serde(rename = "BB-COM-25")]
        covered: Covered = Covered::default(),
        /// When a unit is shattered.
        #[serde(rename = "BB-MOR-04")]
        shattered: Losses = Losses { percent: 75 },
        /// Hits that make a unit test.
        #[serde(rename = "BB-MOR-05")]
        shaken_by: Hits = Hits { hits: 2 },
        /// The morale modifiers.
        #[serde(flatten)]
        morale_shifts: MoraleShifts = MoraleShifts::default(),
        /// Hits of this phase.
        #[serde(rename = "BB-MOR-15")]
        each_hits: EachHits = EachHits { hits: 2, by: 1 },
        /// Losses so far.
        #[serde(rename = "BB-MOR-16")]
        each_losses: EachLosses = EachLosses { percent: 25, by: 2 },
        /// Scores to pass morale.
        #[serde(rename = "BB-MOR-12")]
        morale: ByGrade = ByGrade { a: 0, b: 1, c: 2, d: 3, e: 4, f: 5 },
        /// The rout table.
        #[serde(rename = "BB-MOR-26")]
        rout: Rout = Rout::default(),
        /// The modifiers of the rout table.
        #[serde(flatten)]
        rout_shifts: RoutShifts = RoutShifts::default(),
        /// A weakened unit routs worse.
        #[serde(rename = "BB-MOR-30")]
        weakened: EachLosses = EachLosses { percent: 50, by: 2 },
        /// What a rout past the centre of its position costs a surrounded unit.
        #[serde(rename = "BB-MOR-42")]
        past_centre: Hits = Hits { hits: 2 },
        /// The rout roll by grade.
        #[serde(rename = "BB-MOR-31")]
        rout_grade: ByGrade = ByGrade { a: 3, b: 2, c: 1, d: 0, e: -1, f: -3 },
        /// The rout corridor.
        #[serde(rename = "BB-MOR-33")]
        corridor: Corridor = Corridor::default(),
        /// How woods slow troops.
        #[serde(rename = "BB-WOO-07")]
        woods_pace: WoodsPace = WoodsPace::default(),
        /// How woods slow guns that are moved by hand.
        #[serde(rename = "BB-WOO-08")]
        woods_guns: Slower = Slower { times: 2 },
        /// How high woods are.
        #[serde(rename = "BB-WOO-01")]
        woods_height: Height = Height { contours: 2 },
        /// How rough ground slows all but skirmishers.
        #[serde(rename = "BB-ROU-01")]
        rough: Slower = Slower { times: 2 },
        /// How much farther ballshot counts over rough ground.
        #[serde(rename = "BB-ROU-03")]
        rough_shot: Slower = Slower { times: 2 },
        /// How a steep slope slows infantry uphill.
        #[serde(rename = "BB-HIL-02")]
        uphill: Slower = Slower { times: 2 },
        /// How a steep slope slows all others.
        #[serde(rename = "BB-HIL-03")]
        steep: Slower = Slower { times: 2 },
        /// What each inch of an obstacle costs.
        #[serde(rename = "BB-OBS-01")]
        obstacle: Slower = Slower { times: 2 },
        /// How much farther ballshot counts over ploughed fields.
        #[serde(rename = "BB-PLO-01")]
        ploughed_shot: Slower = Slower { times: 2 },
        /// Sight in woods.
        #[serde(rename = "BB-WOO-04")]
        woods: Woods = Woods::default(),
        /// Ploughed fields.
        #[serde(rename = "BB-PLO-02")]
        ploughed: Ploughed = Ploughed::default(),
        /// Clearing hedgerows and abatis.
        #[serde(rename = "BB-HED-05")]
        clearing: Clearing = Clearing::default(),
        /// How near behind cover or an obstacle troops hold it.
        #[serde(rename = "BB-TER-06")]
        held: Reach = Reach { within: inches(1) },
        /// What a thin obstacle costs to cross.
        #[serde(rename = "BB-OBS-02")]
        thin: Reach = Reach { within: inches(2) },
        /// The widest front that crosses a bridge.
        #[serde(rename = "BB-RIV-02")]
        bridge: Front = Front::default(),
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
        /// Leaving a town block, or going over to the next.
        #[serde(rename = "BB-TWN-05")]
        leaving: Share = Share { percent: 50 },
        /// How many of a garrison shoot from one side.
        #[serde(rename = "BB-TWN-17")]
        side: Share = Share { percent: 50 },
        /// How much of the front rank of a unit that attacks a block fights an enemy outside.
        #[serde(rename = "BB-TWN-21")]
        outside: Share = Share { percent: 50 },
        /// Town blocks.
        #[serde(rename = "BB-TWN-20")]
        town: Town = Town::default(),
        /// How much of its way a target must have been in the field of fire.
        #[serde(rename = "BB-OPT-16")]
        in_passing: Share = Share { percent: 50 },
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
        /// How far a column that is held up must have come to count as advancing at full speed.
        #[serde(rename = "BB-OPT-80")]
        full_speed: Reach = Reach { within: inches(6) },
        /// The modifiers of the pursuit roll.
        #[serde(flatten)]
        pursuit_shifts: PursuitShifts = PursuitShifts::default(),
        /// What following up does to hits.
        #[serde(rename = "BB-OPT-42")]
        follow_up: Slower = Slower { times: 2 },
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
}

impl Numbers {
    /// The book's own numbers, for tests taken without a scenario.
    #[must_use]
    pub fn book() -> &'static Self {
        static BOOK: LazyLock<Numbers> = LazyLock::new(Numbers::default);
        &BOOK
    }
}
