//! Numbers that belong together: sizes, ranges, tables.

use serde::{Deserialize, Serialize};

use super::{Inches, inches};

numbers! {
    /// What a wing that is ordered to defend a position may do about it.
    Position {
        /// A move ends within this of it, or nearer than it began.
        around: Inches = inches(6),
        /// Enemy within this of it are attacked.
        threat: Inches = inches(12),
    }

    /// Width and depth of a base.
    Base {
        /// Width.
        width: Inches = inches(1),
        /// Depth.
        depth: Inches = inches(1),
    }

    /// Base sizes (MB-UNI-04).
    Bases {
        /// Traditional foot, dismounted dragoons, civilians, wagons.
        foot: Base = Base::default(),
        /// New style foot.
        new_foot: Base = Base { width: inches(1), depth: Inches::fraction(3, 4) },
        /// Traditional horse and mounted dragoons.
        horse: Base = Base { width: inches(1), depth: Inches::fraction(5, 4) },
        /// New style horse, hussars, new style dragoons who act as cavalry.
        new_horse: Base = Base { width: Inches::fraction(5, 4), depth: Inches::fraction(5, 4) },
        /// A light gun.
        light_gun: Base = Base::default(),
        /// A medium gun, howitzer or mortar.
        medium_gun: Base = Base { width: Inches::fraction(5, 4), depth: Inches::fraction(5, 4) },
        /// A heavy gun.
        heavy_gun: Base = Base { width: Inches::fraction(3, 2), depth: Inches::fraction(3, 2) },
        /// The radius of a leader's or messenger's base.
        leader: Inches = Inches::fraction(1, 2),
    }

    /// How many bases a brigade may have (MB-UNI-05).
    Sizes {
        /// Fewest of foot.
        foot_least: u8 = 3,
        /// Fewest of cavalry.
        cavalry_least: u8 = 2,
        /// Most.
        most: u8 = 12,
    }

    /// Command actions a turn (MB-LEA-02).
    Actions {
        /// Of a Major General.
        major_general: u8 = 1,
        /// Of a Lieutenant General.
        lieutenant_general: u8 = 2,
        /// Of a Marshal.
        marshal: u8 = 2,
    }

    /// How far a leader's control reaches (MB-CTL-01).
    Control {
        /// Of a Major or Lieutenant General.
        general: Inches = inches(4),
        /// Of a Marshal.
        marshal: Inches = inches(6),
    }

    /// The control test (MB-CTL-09).
    ControlTable {
        /// The most at which a brigade halts or goes on running.
        halt_at_most: i32 = 2,
        /// The most at which it acts as the player wishes.
        act_at_most: i32 = 4,
    }

    /// Risk to leaders (MB-RSK-02).
    Risk {
        /// An attached leader is hit at this or less.
        hit_at_most: u8 = 1,
        /// Killed at this or less.
        killed_at_most: u8 = 1,
        /// Wounded at this or less.
        wounded_at_most: u8 = 4,
    }

    /// Shots at lone leaders (MB-RSK-06).
    LoneShots {
        /// A leader with a friend this near is not alone.
        friends: Inches = inches(4),
        /// How far foot shoot at him.
        range: Inches = inches(2),
        /// What hits.
        hit_at_least: u8 = 5,
    }

    /// How far one sees (MB-VIS-03).
    Visibility {
        /// In the open.
        open: Inches = inches(36),
        /// From higher ground.
        height: Inches = inches(48),
    }

    /// Limits of disorder (MB-MOR-02).
    Disorder {
        /// However many bases, no more DPs than this.
        most: u8 = 6,
    }

    /// Re-dressing ranks: DPs removed (MB-MOR-07).
    RedressElite {
        /// Under fire or not.
        always: u8 = 1,
        /// More when not under fire.
        quiet: u8 = 1,
    }

    /// Morale events: DPs (MB-MOR-11 to 14).
    Morale {
        /// A lower grade routs or is destroyed.
        lower_breaks: u8 = 1,
        /// An equal or higher grade routs or is destroyed.
        equal_breaks: u8 = 2,
        /// Foot of an equal or higher grade retire.
        equal_foot_retires: u8 = 1,
        /// The Lieutenant General or Marshal is killed or routs.
        general_lost: u8 = 1,
    }

    /// Leaders and messengers (MB-MOV-23).
    Riding {
        /// How far they ride.
        distance: Inches = inches(6),
    }

    /// Road moves (MB-MOV-21).
    Roads {
        /// Foot and cavalry in march column, limbered guns.
        column: Inches = inches(6),
        /// Unlimbered light guns.
        light_gun: Inches = inches(4),
        /// Unlimbered medium guns.
        medium_gun: Inches = inches(2),
    }

    /// The dice that disorder in rough terrain: this or more (MB-MOV-26).
    RoughDice {
        /// Foot in field column.
        foot_column: u8 = 6,
        /// Foot in line.
        foot_line: u8 = 5,
        /// Cavalry and guns.
        other: u8 = 4,
    }

    /// Gun ranges (MB-ART-05).
    Ranges {
        /// Heavy guns, medium guns and howitzers at most.
        heavy: Inches = inches(36),
        /// Light guns at most.
        light: Inches = inches(24),
        /// Effective.
        effective: Inches = inches(8),
        /// Close.
        close: Inches = inches(2),
    }

    /// Close range results (MB-ART-17).
    CloseFire {
        /// One DP at this or more.
        one_dp: i32 = 2,
        /// Two DPs.
        two_dps: i32 = 4,
        /// A DP and a casualty.
        casualty: i32 = 6,
    }

    /// Indirect fire (MB-ART-20).
    Scatter {
        /// On target at this or more.
        on_target: u8 = 5,
    }

    /// The result table: the least difference in hits for each row (MB-RES-01).
    Results {
        /// Breakthrough; its opposite is a break.
        breakthrough: i32 = 7,
        /// Victory begins here.
        victory: i32 = 4,
        /// Success begins here; its opposite is driven back.
        success: i32 = 2,
        /// Defeat begins at minus this.
        defeat: i32 = 5,
        /// DPs of a victory or success.
        won_dps: u8 = 1,
        /// DPs where nothing is decided.
        inconclusive_dps: u8 = 1,
        /// More for those who charged with the sword alone.
        outrance_dps: u8 = 1,
        /// DPs of those driven back or defeated.
        lost_dps: u8 = 2,
        /// Bases lost where nothing is decided.
        inconclusive_losses: u8 = 1,
        /// Bases lost by those driven back.
        driven_back_losses: u8 = 1,
        /// Bases lost in a defeat.
        defeat_losses: u8 = 2,
        /// Bases lost by those who break.
        break_losses: u8 = 3,
    }

    /// The share of an army that breaks it, in hundredths (MB-VIC-03).
    Break {
        /// Hundredths of the starting bases.
        share: u8 = 50,
    }

    /// Points (MB-VIC-04).
    Points {
        /// For an enemy base lost.
        base: i32 = 1,
        /// For an enemy gun.
        gun: i32 = 3,
        /// For a Major General.
        major_general: i32 = 1,
        /// For a Lieutenant General.
        lieutenant_general: i32 = 2,
        /// For a Marshal.
        marshal: i32 = 5,
        /// The lead that wins, in hundredths of the loser's starting bases.
        lead: u8 = 10,
    }

    /// Protection from guns (MB-ART-16).
    Works {
        /// Fieldworks.
        fieldworks: i32 = 1,
        /// Fortifications.
        fortifications: i32 = 2,
    }

    /// What hits in combat: this or more (MB-CBT-24).
    Hits {
        /// As a rule.
        formed: u8 = 5,
        /// Unformed, in march column or attacking fortifications.
        unformed: u8 = 6,
    }

    /// Crews returning to their guns (MB-GUN-04).
    Recrew {
        /// No formed enemy so near.
        enemy: Inches = inches(2),
        /// From a shelter so near.
        shelter: Inches = inches(6),
    }
}
