//! What units and officers are, in the words of the book: arms, formations, qualities, grades, guns, levels of command.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Derives what every small word of the book has.
macro_rules! word {
    ($(#[$doc:meta])* $name:ident { $($(#[$case_doc:meta])* $case:ident = $text:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum $name { $($(#[$case_doc])* $case),* }

        impl $name {
            /// Every case, in the order of the book.
            pub const ALL: &'static [Self] = &[$(Self::$case),*];

            /// The word as a wargamer would write it.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self { $(Self::$case => $text),* }
            }

            /// Its place in [`Self::ALL`].
            #[must_use]
            pub const fn index(self) -> usize {
                self as usize
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.word())
            }
        }
    };
}

word!(
    /// The arm a unit belongs to.
    Arm {
        /// A battalion of foot.
        Infantry = "infantry",
        /// A regiment of horse.
        Cavalry = "cavalry",
        /// A battery.
        Artillery = "artillery",
    }
);

word!(
    /// How a unit is drawn up (HZ-DEP-01).
    Formation {
        /// All stands abreast, in close order; unlimbered guns are in line.
        Line = "line",
        /// A dense assault column.
        Column = "column",
        /// Dispersed, with the frontage of a line.
        OpenOrder = "open order",
        /// Thin and long; limbered guns are in march column.
        MarchColumn = "march column",
        /// Four faces and no flanks; infantry only.
        Square = "square",
        /// A national square-like column that a scenario may allow.
        Mass = "mass",
        /// Routing, or cavalry out of control; never chosen.
        Mob = "mob",
        /// Posted round the faces of a building sector or strong point.
        Garrison = "garrison",
    }
);

impl Formation {
    /// Close order: line, column, march column, square, mass. A mob is in neither order; a garrison depends on the
    /// unit's abilities.
    #[must_use]
    pub const fn is_close_order(self) -> bool {
        matches!(self, Self::Line | Self::Column | Self::MarchColumn | Self::Square | Self::Mass)
    }

    /// Square, or the mass that stands in for it.
    #[must_use]
    pub const fn is_square_like(self) -> bool {
        matches!(self, Self::Square | Self::Mass)
    }
}

word!(
    /// How well a unit responds, best first (HZ-QUA-01).
    Quality {
        /// Veterans.
        Veteran = "Veteran",
        /// Experienced.
        Experienced = "Experienced",
        /// Trained.
        Trained = "Trained",
        /// Green.
        Green = "Green",
        /// Raw.
        Raw = "Raw",
        /// Unreliable.
        Unreliable = "Unreliable",
    }
);

word!(
    /// The grade of a unit in the army lists (HZ-QUA-07).
    Grade {
        /// Guards, grenadiers and their like.
        Elites = "Elites",
        /// The line.
        Regulars = "Regulars",
        /// Levies.
        Militia = "Militia",
    }
);

word!(
    /// The class within a grade, best first (HZ-QUA-07).
    Class {
        /// A class.
        A = "A",
        /// B class.
        B = "B",
        /// C class.
        C = "C",
        /// D class.
        D = "D",
    }
);

word!(
    /// Weight of guns.
    Guns {
        /// Light guns.
        Light = "light",
        /// Medium guns.
        Medium = "medium",
        /// Heavy guns.
        Heavy = "heavy",
    }
);

word!(
    /// How the guns are drawn and the crew travels.
    Draught {
        /// Foot artillery.
        Foot = "foot",
        /// Horse artillery.
        Horse = "horse",
    }
);

word!(
    /// What kind of pieces a battery has beyond guns.
    Pieces {
        /// Guns only.
        Cannon = "guns",
        /// A howitzer battery.
        Howitzers = "howitzers",
        /// A rocket battery.
        Rockets = "rockets",
    }
);

word!(
    /// What a cavalry regiment is good at.
    Horse {
        /// Neither battle nor pursuit cavalry.
        Plain = "cavalry",
        /// Battle cavalry.
        Battle = "battle cavalry",
        /// Pursuit cavalry.
        Pursuit = "pursuit cavalry",
        /// Battle and pursuit cavalry at once.
        BattlePursuit = "battle and pursuit cavalry",
        /// Cossacks: always in open order or march column.
        Cossacks = "cossacks",
        /// Yoruks: as cossacks.
        Yoruks = "yoruks",
    }
);

impl Horse {
    /// Rated as battle cavalry, whatever else it is (HZ-ENG-27).
    #[must_use]
    pub const fn is_battle(self) -> bool {
        matches!(self, Self::Battle | Self::BattlePursuit)
    }

    /// Rated as pursuit cavalry, whatever else it is (HZ-ENG-28).
    #[must_use]
    pub const fn is_pursuit(self) -> bool {
        matches!(self, Self::Pursuit | Self::BattlePursuit)
    }

    /// Cossacks and yoruks fight alike.
    #[must_use]
    pub const fn is_irregular(self) -> bool {
        matches!(self, Self::Cossacks | Self::Yoruks)
    }
}

word!(
    /// The level of a command, lowest first (HZ-CMD-01).
    Level {
        /// A brigade, made up of units.
        Brigade = "brigade",
        /// A division.
        Division = "division",
        /// A corps.
        Corps = "corps",
        /// The army, led by the commander in chief.
        Army = "army",
    }
);

word!(
    /// How good an officer is, best first (HZ-CMD-03); armies' skirmish ratings use the same words (HZ-SKI-01).
    Ability {
        /// Excellent.
        Excellent = "Excellent",
        /// Skilful.
        Skilful = "Skilful",
        /// Average.
        Average = "Average",
        /// Poor.
        Poor = "Poor",
        /// Abysmal.
        Abysmal = "Abysmal",
    }
);

word!(
    /// What an order is for (HZ-ORD-01, HZ-ORD-36).
    Order {
        /// Move forwards.
        Advance = "advance",
        /// Move straight back.
        Retire = "retire",
        /// Wheel, about face or side-step.
        Manoeuvre = "manoeuvre",
        /// Change formation.
        Deploy = "deploy",
        /// The commander in chief appoints an officer.
        Appoint = "appoint",
        /// The commander in chief brings up ammunition.
        Rearm = "rearm",
        /// Recall blown cavalry that failed to rally.
        Recall = "recall",
    }
);

word!(
    /// A forced order (HZ-FOR-01, HZ-FOR-02, HZ-BLO-06).
    Forced {
        /// Deploy into line.
        FormLine = "form line",
        /// Deploy into square.
        FormSquare = "form square",
        /// Recall of blown cavalry.
        Recall = "recall",
    }
);

word!(
    /// How far off a bombarded unit is (HZ-BOM-12).
    RangeBand {
        /// Short range, canister included.
        Short = "short",
        /// Long range.
        Long = "long",
        /// Extreme range.
        Extreme = "extreme",
    }
);

/// Special abilities that a scenario gives a unit (HZ-GEN-10).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Abilities {
    /// Can reinforce the skirmish line and take open order in open ground.
    #[serde(skip_serializing_if = "not")]
    pub skirmish: bool,
    /// Can take open order in terrain other than open ground.
    #[serde(skip_serializing_if = "not")]
    pub open_order: bool,
    /// Of great renown.
    #[serde(skip_serializing_if = "not")]
    pub renown: bool,
    /// Far smaller than the usual unit of its arm.
    #[serde(skip_serializing_if = "not")]
    pub small: bool,
}

impl Abilities {
    /// Whether it may take open order anywhere at all: either ability will do (HZ-DEP-04).
    #[must_use]
    pub const fn opens_order(self) -> bool {
        self.skirmish || self.open_order
    }
}

/// For serde: leave out what is not set.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
pub(crate) const fn not(flag: &bool) -> bool {
    !*flag
}
