//! Plain facts that several tests depend on.

use crate::clauses::{
    HZ_BLD_09, HZ_BLD_13, HZ_BRE_08, HZ_CAS_01, HZ_CAS_02, HZ_CAS_03, HZ_CAS_04, HZ_CHK_14, HZ_ENG_35, HZ_FTW_09,
    HZ_GEN_08, HZ_GEO_15, HZ_HED_12, HZ_HIL_14, HZ_RIV_12, HZ_STR_05, HZ_TER_01, HZ_THR_33, HZ_THR_34, HZ_THR_35,
    HZ_THR_36, HZ_THR_37, HZ_THR_38, HZ_WAL_10, HZ_WOO_14,
};
use sabretache_engine::decides;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::numbers::Numbers;
use crate::troops::{Arm, Formation, Horse, Quality};

/// The ground under a unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Ground {
    /// Open ground.
    #[default]
    Open,
    /// Woods, light or heavy: dense terrain.
    Woods,
    /// Buildings, strong points and ruins: dense terrain.
    Buildings,
    /// Other dense terrain, such as a marsh that the scenario calls dense.
    OtherDense,
    /// Broken ground.
    Broken,
}

impl Ground {
    /// Whether it is dense terrain.
    #[must_use]
    pub const fn is_dense(self) -> bool {
        matches!(self, Self::Woods | Self::Buildings | Self::OtherDense)
    }
}

/// Who is attached to a unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Attached {
    /// Nobody.
    #[default]
    Nobody,
    /// An officer.
    Officer,
    /// An inspirational officer.
    Inspirational,
}

impl Attached {
    /// Whether any officer is.
    #[must_use]
    pub const fn is_officer(self) -> bool {
        !matches!(self, Self::Nobody)
    }

    /// Whether an inspirational officer is.
    #[must_use]
    pub const fn is_inspirational(self) -> bool {
        matches!(self, Self::Inspirational)
    }
}

/// Where a unit stands and what favours it there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Position {
    /// The ground the unit is in.
    #[schemars(extend("clauses" = ["HZ-GEO-24", "HZ-THR-38"]))]
    pub ground: Ground,
    /// Only part of the unit is in that ground; the rest is in the open.
    #[schemars(extend("clauses" = ["HZ-GEO-24", "HZ-TER-05"]))]
    pub partly: bool,
    /// Uphill of every enemy in the test.
    #[schemars(extend("clauses" = ["HZ-THR-33", "HZ-HIL-14"]))]
    pub uphill: bool,
    /// Defending a stream or river against every enemy in the test.
    #[schemars(extend("clauses" = ["HZ-THR-34", "HZ-RIV-12"]))]
    pub stream: bool,
    /// Behind and defending a hedge, wall or redoubt against every enemy in the test.
    #[schemars(extend("clauses" = ["HZ-THR-35", "HZ-HED-12", "HZ-WAL-10"]))]
    pub obstacle: bool,
    /// How many of its two flanks are protected.
    #[schemars(range(max = 2), extend("clauses" = ["HZ-GEO-18", "HZ-THR-36", "HZ-FOR-02"]))]
    pub protected_flanks: u8,
    /// Has support.
    #[schemars(extend("clauses" = ["HZ-THR-37", "HZ-GEO-19", "HZ-GEO-20", "HZ-GEO-21"]))]
    pub support: bool,
    /// Holds a strong point, or defends a fortress wall or breach frontally.
    #[schemars(extend("clauses" = ["HZ-STR-05", "HZ-FTW-09", "HZ-BRE-08"]))]
    pub fortified: bool,
}

impl Position {
    /// Every part of the unit is in dense terrain.
    #[must_use]
    pub const fn wholly_dense(&self) -> bool {
        self.ground.is_dense() && !self.partly
    }

    /// Some part of the unit is in dense terrain.
    #[must_use]
    pub const fn touches_dense(&self) -> bool {
        self.ground.is_dense()
    }

    /// In the open: open ground, or not wholly in anything else.
    #[must_use]
    pub const fn in_open(&self) -> bool {
        matches!(self.ground, Ground::Open) || self.partly
    }

    /// Wholly in woods or buildings.
    #[must_use]
    pub const fn in_cover(&self) -> bool {
        matches!(self.ground, Ground::Woods | Ground::Buildings) && !self.partly
    }

    /// Both flanks are protected.
    #[must_use]
    pub const fn secure_flanks(&self) -> bool {
        self.protected_flanks >= 2
    }

    /// Whether anything makes the position favourable, apart from being threatened or bombarded.
    #[must_use]
    pub fn favours(&self) -> bool {
        decides!(HZ_THR_35, HZ_THR_38, HZ_TER_01, HZ_WOO_14, HZ_HED_12, HZ_WAL_10, HZ_BLD_09, HZ_BLD_13);
        self.favours_under_howitzers() || self.obstacle || self.in_cover()
    }

    /// The same where howitzers take away hedges, walls and dense terrain (HZ-WOO-13, HZ-HED-11, HZ-WAL-09).
    #[must_use]
    pub fn favours_under_howitzers(&self) -> bool {
        decides!(HZ_THR_33, HZ_HIL_14, HZ_RIV_12, HZ_THR_34, HZ_THR_36, HZ_THR_37, HZ_STR_05, HZ_FTW_09, HZ_BRE_08);
        self.uphill || self.stream || self.secure_flanks() || self.support || self.fortified
    }

    /// Whether the position is favourable where there is no opponent to test against (HZ-CHK-14).
    #[must_use]
    pub fn favours_at_rest(&self, arm: Arm, formation: Formation, flank_or_rear: bool) -> bool {
        decides!(HZ_CHK_14, HZ_GEO_15);
        let outweighed = matches!(formation, Formation::MarchColumn | Formation::Mob)
            || (matches!(arm, Arm::Cavalry) && formation.is_close_order() && self.touches_dense())
            || (flank_or_rear && !matches!(formation, Formation::Square));
        self.favours() && !outweighed
    }
}

/// In open order, or posted round a building by virtue of the ability to be.
#[must_use]
pub(super) fn in_open_order(formation: Formation, able: bool) -> bool {
    decides!(HZ_BLD_09);
    matches!(formation, Formation::OpenOrder) || (able && matches!(formation, Formation::Garrison))
}

/// Cavalry in dense terrain that is disadvantaged there: in close order anywhere, in woods in any order unless cossacks
/// (HZ-THR-10, HZ-ENG-16).
#[must_use]
pub(super) const fn cavalry_hampered(arm: Arm, horse: Horse, formation: Formation, position: &Position) -> bool {
    let in_woods = matches!(position.ground, Ground::Woods) && !horse.is_irregular();
    matches!(arm, Arm::Cavalry) && position.touches_dense() && (formation.is_close_order() || in_woods)
}

/// What a unit has suffered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Condition {
    /// Its base quality.
    pub quality: Quality,
    /// Its staggers.
    pub staggers: u8,
    /// Its kills.
    pub kills: u8,
}

impl Condition {
    /// The full morale of its base quality, which is what it can bear (HZ-QUA-11).
    #[must_use]
    pub const fn limit(&self, numbers: &Numbers) -> i32 {
        numbers.morale.of(self.quality).full
    }

    /// The number on the white marker that shows its quality; yellow shows its staggers and red its kills (HZ-GEN-08).
    #[must_use]
    pub fn white_marker(&self, numbers: &Numbers) -> i32 {
        decides!(HZ_GEN_08);
        self.limit(numbers) - numbers.white_marker_less
    }

    /// Staggers and kills together reach the limit (HZ-QUA-11, HZ-ENG-35, HZ-CAS-03).
    #[must_use]
    pub fn is_broken(&self, numbers: &Numbers) -> bool {
        decides!(HZ_ENG_35, HZ_CAS_03);
        self.bears(numbers) <= 0
    }

    /// How many more staggers and kills break it.
    #[must_use]
    pub const fn bears(&self, numbers: &Numbers) -> i32 {
        self.limit(numbers).saturating_sub(self.staggers as i32 + self.kills as i32)
    }

    /// Kills alone reach the limit: the unit can never come back (HZ-CAS-04).
    #[must_use]
    pub fn is_destroyed(&self, numbers: &Numbers) -> bool {
        decides!(HZ_CAS_04);
        self.kills as i32 >= self.limit(numbers)
    }

    /// With further staggers and kills.
    #[must_use]
    pub const fn with(self, staggers: u8, kills: u8) -> Self {
        Self {
            quality: self.quality,
            staggers: self.staggers.saturating_add(staggers),
            kills: self.kills.saturating_add(kills),
        }
    }

    /// After the compulsory casualties of a rally phase: a kill where any stagger is left; the staggers stay
    /// (HZ-CAS-01, HZ-CAS-02).
    #[must_use]
    pub fn after_casualties(self, numbers: &Numbers) -> Self {
        decides!(HZ_CAS_01, HZ_CAS_02);
        if self.staggers > 0 { self.with(0, numbers.casualty_kills) } else { self }
    }
}
