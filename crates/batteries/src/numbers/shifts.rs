//! The modifiers of the book, in the order of its tables, each under the clause it belongs to.

use serde::{Deserialize, Serialize};

/// A table of modifiers: each line with its clause and by how much it shifts.
macro_rules! shifts {
    ($($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $clause:literal = $by:literal,)* })*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        pub struct $name {
            $($(#[$field_doc])* #[serde(rename = $clause)] pub $field: i32),*
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $by),* }
            }
        }
    )* };
}

shifts! {
    /// Shooting.
    ShootingShifts {
        /// Down: the shooter is shaken.
        shaken: "BB-SHO-18" = 2,
        /// Down: it is disordered or skirmishing.
        disordered: "BB-SHO-19" = 1,
        /// Up: grade A or B.
        good: "BB-SHO-20" = 1,
        /// Down: grade E or F.
        poor: "BB-SHO-21" = 1,
        /// Down: it evades.
        evading: "BB-SHO-22" = 2,
        /// Down: it has moved.
        moving: "BB-SHO-23" = 2,
        /// Down: it is in square.
        square: "BB-SHO-24" = 1,
        /// Up: steady British infantry with muskets.
        british: "BB-OPT-76" = 1,
        /// Down: Russian muskets.
        russian: "BB-OPT-86" = 1,
    }

    /// Combat.
    CombatShifts {
        /// Up: a flank or rear attack.
        flank: "BB-COM-10" = 3,
        /// Down: striking to flank or rear.
        flanked: "BB-COM-11" = 3,
        /// Up: fresh cavalry against cavalry that is not.
        fresh: "BB-COM-12" = 2,
        /// Down: shaken.
        shaken: "BB-COM-13" = 3,
        /// Up: steady cavalry against unsquared infantry.
        horse_on_foot: "BB-COM-14" = 3,
        /// Down: unsquared infantry against steady cavalry.
        foot_on_horse: "BB-COM-15" = 3,
        /// Up: a square against cavalry.
        square: "BB-COM-16" = 3,
        /// Down: cavalry against a square.
        against_square: "BB-COM-17" = 3,
        /// Up or down: each grade of difference.
        grade: "BB-COM-18" = 1,
        /// Up or down: each level of weight.
        weight: "BB-COM-19" = 1,
        /// Up: steady lancers in the first round.
        lances: "BB-COM-20" = 2,
        /// Down: up a steep slope or across an obstacle.
        uphill: "BB-COM-21" = 1,
        /// Down: disordered against steady.
        disordered: "BB-COM-22" = 2,
        /// Down: two-rank infantry that is not in cover.
        two_rank: "BB-COM-23" = 1,
        /// Down: cavalry caught stationary.
        stationary: "BB-COM-24" = 2,
        /// Up: cavalry against two-rank infantry.
        on_two_rank: "BB-OPT-62" = 1,
    }

    /// Morale.
    MoraleShifts {
        /// Up: a steady square or hard cover, against shooting.
        sheltered: "BB-MOR-13" = 1,
        /// Down: shaken.
        shaken: "BB-MOR-14" = 2,
        /// Down: foot charging home on hard cover or steady foot.
        foot_charging: "BB-MOR-17" = 2,
        /// Down: foot meeting a successful charge by steady infantry.
        met_foot: "BB-MOR-18" = 3,
        /// Down: cavalry charging home on a steady square.
        onto_square: "BB-MOR-19" = 4,
        /// Down: foot meeting a successful charge by steady cavalry.
        met_horse: "BB-MOR-20" = 4,
        /// Down: charged on flank or rear.
        flanked: "BB-MOR-21" = 2,
        /// Down: a combat is lost.
        lost_combat: "BB-MOR-22" = 3,
        /// Up: each point of charisma of the general with it.
        general: "BB-MOR-23" = 1,
        /// Down: no general has it in his radius.
        out_of_command: "BB-MOR-24" = 1,
        /// Up in column, down in line: Austrians.
        austrian: "BB-OPT-72" = 1,
        /// Up: British in line.
        british_line: "BB-OPT-75" = 1,
        /// Up: British cavalry that charges or is charged.
        british_horse: "BB-OPT-78" = 1,
        /// Up: French advancing in column.
        french: "BB-OPT-79" = 2,
        /// Up in column, down in line: later Prussians.
        prussian: "BB-OPT-84" = 1,
        /// Up: Russians that have lost a combat.
        russian: "BB-OPT-87" = 2,
        /// Up: Spaniards advancing in column.
        spanish: "BB-OPT-88" = 1,
    }

    /// The rout table.
    RoutShifts {
        /// Up: each point of charisma of the general with it.
        general: "BB-MOR-28" = 1,
        /// Down: no general has it in his radius.
        out_of_command: "BB-MOR-29" = 1,
    }

    /// The roll to resist pursuit.
    PursuitShifts {
        /// Down: grade E or F.
        poor: "BB-OPT-34" = 3,
        /// Up: each point of charisma of the general with it.
        general: "BB-OPT-35" = 1,
        /// Down: British cavalry.
        british: "BB-OPT-77" = 3,
    }
}
