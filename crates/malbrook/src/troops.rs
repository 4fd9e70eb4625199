//! Who fights: kinds of troops, fighting styles, grades, formations and the ranks of leaders.

use crate::clauses::MB_UNI_08;
use sabretache_engine::decides;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

macro_rules! words {
    ($($(#[$meta:meta])* $vis:vis enum $name:ident { $($body:tt)* })*) => { $(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "kebab-case")]
        $vis enum $name { $($body)* }
    )* };
}

words! {
    /// What kind of troops a brigade or model is.
    #[derive(Default)]
    pub enum Kind {
        /// Infantry: they fight on foot only.
        #[default]
        Foot,
        /// Grenadier companies drawn together: infantry.
        ConvergedGrenadiers,
        /// Regular troops on horseback.
        Horse,
        /// Dragoons in the saddle.
        Dragoons,
        /// Dragoons who fight on foot.
        DismountedDragoons,
        /// Irregular light cavalry.
        Hussars,
        /// Three- and four-pounders.
        LightGun,
        /// Six- to ten-pounders.
        MediumGun,
        /// Twelve-pounders and up.
        HeavyGun,
        /// A howitzer, which fires direct or over others.
        Howitzer,
        /// A mortar, which fires over others only.
        Mortar,
        /// Wagons.
        Wagon,
        /// Civilians.
        Civilians,
    }

    /// The fighting style of an army.
    #[derive(Default)]
    pub enum Style {
        /// Deep formations; foot fire by rank, horse at the trot with pistols.
        #[default]
        Traditional,
        /// Shallow formations; foot fire by platoon, horse charge with the sword.
        New,
    }

    /// How a brigade stands.
    #[derive(Default)]
    pub enum Formation {
        /// Side by side, one or two ranks deep.
        #[default]
        Line,
        /// Two bases wide and two or more deep.
        FieldColumn,
        /// One base wide.
        MarchColumn,
        /// Without order, facing all round.
        Unformed,
        /// A gun on its limber, or a wagon.
        Limbered,
        /// A gun in action.
        Unlimbered,
    }

    /// The rank of a leader.
    pub enum Rank {
        /// Leads a command.
        MajorGeneral,
        /// Leads a wing.
        LieutenantGeneral,
        /// Leads an army.
        Marshal,
    }

    /// How able a leader is.
    #[derive(Default)]
    pub enum Ability {
        /// One action fewer.
        Incompetent,
        /// As most are.
        #[default]
        Normal,
        /// One action more; as Marshal, exceptional.
        Superior,
    }

    /// The order of a wing.
    pub enum OrderKind {
        /// Defend the current position.
        Defend,
        /// Advance to a position and defend it.
        AdvanceAndDefend,
        /// Advance and attack the enemy.
        Attack,
    }
}

/// How good a brigade is; A is best. Better grades are greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub enum Grade {
    /// Militia and the demoralised.
    E,
    /// Second-rate line, most dragoons and hussars.
    D,
    /// Most good line.
    C,
    /// Elite or seasoned troops.
    B,
    /// Guards and picked men.
    A,
}

impl Grade {
    /// From worst to best.
    pub const ALL: [Self; 5] = [Self::E, Self::D, Self::C, Self::B, Self::A];

    /// 0 for E up to 4 for A.
    #[must_use]
    pub const fn value(self) -> i32 {
        self as i32
    }

    /// The grade of a value.
    #[must_use]
    pub fn of_value(value: i32) -> Self {
        Self::ALL[value.clamp(0, 4) as usize]
    }

    /// A or B: they keep their choice after a victory.
    #[must_use]
    pub fn is_elite(self) -> bool {
        self >= Self::B
    }
}

/// The grade of bases that serve together: the commonest, of several the best (MB-UNI-08).
#[must_use]
pub fn grade_of_mixture(parts: impl IntoIterator<Item = (Grade, u8)>) -> Option<Grade> {
    decides!(MB_UNI_08);
    let mut bases = [0u32; 5];
    for (grade, count) in parts {
        bases[grade.value() as usize] += u32::from(count);
    }
    let most = bases.iter().copied().max().filter(|most| *most > 0)?;
    Grade::ALL.into_iter().rev().find(|grade| bases[grade.value() as usize] == most)
}

impl Kind {
    /// Horse, mounted dragoons and hussars (MB-UNI-12).
    #[must_use]
    pub const fn is_cavalry(self) -> bool {
        matches!(self, Self::Horse | Self::Dragoons | Self::Hussars)
    }

    /// Infantry and dismounted dragoons (MB-UNI-12).
    #[must_use]
    pub const fn is_foot(self) -> bool {
        self.is_infantry() || matches!(self, Self::DismountedDragoons)
    }

    /// Troops that fight on foot only (MB-UNI-12).
    #[must_use]
    pub const fn is_infantry(self) -> bool {
        matches!(self, Self::Foot | Self::ConvergedGrenadiers)
    }

    /// Guns of any weight, howitzers and mortars.
    #[must_use]
    pub const fn is_gun(self) -> bool {
        matches!(self, Self::LightGun | Self::MediumGun | Self::HeavyGun | Self::Howitzer | Self::Mortar)
    }

    /// Single models without formation: guns and wagons (MB-FRM-07).
    #[must_use]
    pub const fn is_model(self) -> bool {
        self.is_gun() || matches!(self, Self::Wagon)
    }

    /// Foot and cavalry: bodies of men, not models and not civilians.
    #[must_use]
    pub const fn is_brigade(self) -> bool {
        self.is_foot() || self.is_cavalry()
    }

    /// Never in any formation (MB-FRM-04).
    #[must_use]
    pub const fn never_formed(self) -> bool {
        matches!(self, Self::Hussars | Self::DismountedDragoons | Self::Civilians)
    }

    /// Dragoons, mounted or not.
    #[must_use]
    pub const fn is_dragoons(self) -> bool {
        matches!(self, Self::Dragoons | Self::DismountedDragoons)
    }

    /// In words.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Foot => "foot",
            Self::ConvergedGrenadiers => "converged grenadiers",
            Self::Horse => "horse",
            Self::Dragoons => "dragoons",
            Self::DismountedDragoons => "dismounted dragoons",
            Self::Hussars => "hussars",
            Self::LightGun => "light gun",
            Self::MediumGun => "medium gun",
            Self::HeavyGun => "heavy gun",
            Self::Howitzer => "howitzer",
            Self::Mortar => "mortar",
            Self::Wagon => "wagons",
            Self::Civilians => "civilians",
        }
    }
}

/// Whether troops may charge with the sword alone (MB-UNI-03).
#[must_use]
pub const fn may_charge_a_loutrance(kind: Kind, style: Style, acts_as_cavalry: bool) -> bool {
    match (kind, style) {
        (Kind::Hussars, _) | (Kind::Horse, Style::New) => true,
        (Kind::Dragoons, Style::New) => acts_as_cavalry,
        _ => false,
    }
}

impl Formation {
    /// Line, field column or march column (MB-FRM-08).
    #[must_use]
    pub const fn is_formed(self) -> bool {
        matches!(self, Self::Line | Self::FieldColumn | Self::MarchColumn)
    }

    /// March or field column.
    #[must_use]
    pub const fn is_column(self) -> bool {
        matches!(self, Self::FieldColumn | Self::MarchColumn)
    }

    /// In words.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Line => "line",
            Self::FieldColumn => "field column",
            Self::MarchColumn => "march column",
            Self::Unformed => "unformed",
            Self::Limbered => "limbered",
            Self::Unlimbered => "unlimbered",
        }
    }
}

impl Rank {
    /// In words.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::MajorGeneral => "Major General",
            Self::LieutenantGeneral => "Lieutenant General",
            Self::Marshal => "Marshal",
        }
    }
}
