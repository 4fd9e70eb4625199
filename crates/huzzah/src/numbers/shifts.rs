//! The Ups and Downs of the playsheet, in its order, each under the clause it belongs to.

use serde::{Deserialize, Serialize};

/// A block of the playsheet: each line with its clause and by how much it shifts.
macro_rules! shifts {
    ($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $clause:literal = $by:literal),* $(,)? }) => {
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
    };
}

shifts!(
    /// Skirmisher superiority.
    SkirmishShifts {
        /// Down: failed the previous test.
        failed_last: "HZ-SKI-04" = 1,
        /// Up: won the last test.
        won_last: "HZ-SKI-05" = 1,
        /// Up: reinforced skirmish line.
        reinforced: "HZ-SKI-06" = 1,
    }
);

shifts!(
    /// Threat tests.
    ThreatShifts {
        /// Down: in more than one threat zone.
        zones: "HZ-THR-12" = 1,
        /// Down: threatened by a renowned unit.
        renowned: "HZ-THR-15" = 1,
        /// Down: isolated.
        isolated: "HZ-THR-16" = 1,
        /// Down: a column under artillery.
        column: "HZ-THR-17" = 1,
        /// Down: short range of artillery.
        short_range: "HZ-THR-18" = 1,
        /// Down: any staggers.
        staggers: "HZ-THR-19" = 1,
        /// Down: any kills.
        kills: "HZ-THR-20" = 1,
        /// Up: favourable position.
        favourable: "HZ-THR-21" = 1,
        /// Up: open order troops in open order in dense terrain.
        open_order: "HZ-THR-22" = 1,
        /// Up: bombarded at extreme range.
        extreme: "HZ-THR-23" = 1,
        /// Up: small unit bombarded at long or extreme range.
        small: "HZ-THR-24" = 1,
        /// Up: smoke on the threatening artillery.
        smoke: "HZ-THR-26" = 1,
        /// Up: officer attached.
        officer: "HZ-THR-27" = 1,
        /// Up: inspirational officer attached.
        inspirational: "HZ-THR-28" = 1,
        /// Up: infantry in square threatened by cavalry.
        square: "HZ-THR-29" = 2,
    }
);

shifts!(
    /// Orders.
    OrderShifts {
        /// Down: a unit ordered is in an enemy threat zone.
        threat_zone: "HZ-ORD-15" = 1,
        /// Down: each broken sub-command.
        broken: "HZ-ORD-16" = 1,
        /// Down: isolated sub-command.
        isolated: "HZ-ORD-21" = 1,
        /// Down: failed the last command check and ordered to advance.
        failed_check: "HZ-ORD-17" = 1,
        /// Down: each successive order.
        successive: "HZ-ORD-18" = 1,
        /// Down, with the option: each successive order after an advance or retire.
        after_move: "HZ-SCL-03" = 2,
        /// Down: a unit ordered is in dense terrain.
        dense: "HZ-ORD-19" = 1,
        /// Down: infantry advancing on cavalry.
        on_cavalry: "HZ-ORD-20" = 2,
        /// Down: each level of a fortress wall to be scaled.
        wall: "HZ-FTW-02" = 1,
        /// Up: all units ordered are in command.
        in_command: "HZ-ORD-22" = 1,
        /// Up: officer attached.
        attached: "HZ-ORD-23" = 1,
        /// Up: inspirational officer and the order is to advance.
        inspirational: "HZ-ORD-24" = 1,
        /// Up: each turn that reinforcements were held back.
        held_back: "HZ-REI-09" = 1,
    }
);

shifts!(
    /// Appointing officers.
    AppointShifts {
        /// Down: each appointment already ordered this turn.
        successive: "HZ-APP-08" = 1,
    }
);

shifts!(
    /// Rearming.
    RearmShifts {
        /// Up: the majority of batteries is depleted.
        majority: "HZ-REA-04" = 1,
        /// Up: all batteries are depleted.
        all: "HZ-REA-05" = 1,
    }
);

shifts!(
    /// Engagements.
    EngagementShifts {
        /// Down: more kills than the opponent.
        kills: "HZ-ENG-18" = 1,
        /// Down: more staggers than the opponent.
        staggers: "HZ-ENG-19" = 1,
        /// Down: small unit.
        small: "HZ-ENG-20" = 1,
        /// Down: engaged with a renowned opponent.
        renowned: "HZ-ENG-21" = 1,
        /// Down: not in doctrinal deployment.
        doctrine: "HZ-ENG-22" = 1,
        /// Up: favourable position.
        favourable: "HZ-ENG-23" = 1,
        /// Up: open order troops in open order in dense terrain.
        open_order: "HZ-ENG-24" = 1,
        /// Up: officer attached.
        officer: "HZ-ENG-25" = 1,
        /// Up: inspirational officer attached.
        inspirational: "HZ-ENG-26" = 1,
        /// Up: battle cavalry.
        battle_cavalry: "HZ-ENG-27" = 1,
        /// Up: pursuit cavalry fighting a disadvantaged enemy.
        pursuit: "HZ-ENG-28" = 1,
    }
);

shifts!(
    /// Command checks.
    CheckShifts {
        /// Down: each broken or routing sub-command.
        lost: "HZ-CHK-09" = 1,
        /// Down: failed the last command check.
        failed_last: "HZ-CHK-10" = 1,
        /// Down: each difference in command level.
        level: "HZ-CHK-11" = 1,
        /// Down: isolated sub-command.
        isolated: "HZ-CHK-12" = 2,
        /// Up: each sub-command in a favourable position.
        favourable: "HZ-CHK-13" = 1,
        /// Up: passed the last command check.
        passed_last: "HZ-CHK-15" = 1,
        /// Up: inspirational officer.
        inspirational: "HZ-CHK-16" = 1,
        /// Up: the officer seizes the flag.
        flag: "HZ-CHK-17" = 1,
    }
);

/// What a reorganising command is Down for its size (HZ-REO-05).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SizeShifts {
    /// Down: a division.
    pub division: i32,
    /// Down: a corps.
    pub corps: i32,
}

impl Default for SizeShifts {
    fn default() -> Self {
        Self { division: 1, corps: 3 }
    }
}

shifts!(
    /// Reorganising, apart from the size of the command.
    ReorganiseShifts {
        /// Down: each sub-command that broke or routed.
        lost: "HZ-REO-04" = 1,
        /// Up: more units retired than broke or routed.
        retired: "HZ-REO-06" = 1,
        /// Up: each turn waited.
        waited: "HZ-REO-07" = 1,
        /// Up: inspirational officer.
        inspirational: "HZ-REO-08" = 1,
    }
);

shifts!(
    /// Rallying and reforming.
    RallyShifts {
        /// Down: any kills.
        kills: "HZ-RAL-04" = 1,
        /// Down: within an enemy threat zone.
        threat_zone: "HZ-RAL-07" = 1,
        /// Down: routing.
        routing: "HZ-RAL-05" = 1,
        /// Down: blown battle cavalry.
        blown: "HZ-RAL-06" = 1,
        /// Up: in command.
        in_command: "HZ-RAL-08" = 1,
        /// Up: favourable position.
        favourable: "HZ-RAL-09" = 1,
        /// Up: officer attached.
        officer: "HZ-RAL-10" = 1,
        /// Up: inspirational officer attached.
        inspirational: "HZ-RAL-11" = 1,
    }
);
