//! Options: the length of a battle, its scale, and the choices the rules leave to the players.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::is_default;
use crate::troops::not;

/// A basing scheme (HZ-SCL-05 to HZ-SCL-09).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Basing {
    /// Square stands of 40 mm for every arm.
    #[default]
    Universal,
    /// 15 mm figures, a millimetre to the metre.
    Metre15,
    /// 15 mm figures, a millimetre to the pace.
    Pace15,
    /// 20 or 25 mm figures, a millimetre to the pace.
    Pace25,
    /// Stands an inch square.
    Inch,
}

/// How the flank zones of a unit are drawn (HZ-GEO-07, HZ-GEO-08).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FlankZone {
    /// By the prolonged diagonals.
    #[default]
    Diagonal,
    /// For formations deeper than wide, from the middle of the far flank.
    Midpoint,
}

/// What kind of game it is, for the starting distance (HZ-SCL-14).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GameKind {
    /// Both sides move.
    Encounter,
    /// One side stands.
    Assault,
}

/// Length of the battle and the choices the rules leave to the players.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// An older word for `turns` at the top of the file, which goes before it.
    #[schemars(range(min = 1, max = 200), extend("deprecated" = true))]
    pub turns: u16,
    /// The side that acts first, by id (HZ-SEQ-01).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<String>,
    /// The designated attacker, by id, who acts first where nothing else is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attacker: Option<String>,
    /// How figures are based.
    pub basing: Basing,
    /// Stands of a cavalry regiment, where the scheme leaves a choice (HZ-SCL-10).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 16))]
    pub cavalry_stands: Option<u8>,
    /// How many stands wide a column is, where the basing asks for something else (HZ-DEP-08).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 8))]
    pub column_width: Option<u8>,
    /// How long a band is, in millimetres (HZ-SCL-02).
    #[schemars(range(min = 5.0, max = 200.0))]
    pub band_mm: f64,
    /// How flank zones are drawn.
    #[serde(skip_serializing_if = "is_default")]
    pub flank_zone: FlankZone,
    /// Standard distances with smaller units: dearer follow-up orders (HZ-SCL-03).
    #[serde(skip_serializing_if = "not")]
    pub dear_orders: bool,
    /// Broken commands may reorganise (HZ-REO-01).
    #[serde(skip_serializing_if = "not")]
    pub reorganise: bool,
    /// A siege: fortress walls can be scaled (HZ-FTW-01).
    #[serde(skip_serializing_if = "not")]
    pub siege: bool,
    /// Quality is rolled high, as on the older playsheet (HZ-VAR-01).
    #[serde(skip_serializing_if = "not")]
    pub high_quality_rolls: bool,
    /// Militia A has the odds of the older playsheet (HZ-VAR-02).
    #[serde(skip_serializing_if = "not")]
    pub old_militia_a: bool,
    /// Sighting the guns may swing backward (HZ-VAR-03).
    #[serde(skip_serializing_if = "not")]
    pub sight_backward: bool,
    /// Encounter or assault, for a warning about the starting distance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<GameKind>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            turns: 12,
            first: None,
            attacker: None,
            basing: Basing::default(),
            cavalry_stands: None,
            column_width: None,
            band_mm: 50.0,
            flank_zone: FlankZone::default(),
            dear_orders: false,
            reorganise: false,
            siege: false,
            high_quality_rolls: false,
            old_militia_a: false,
            sight_backward: false,
            kind: None,
        }
    }
}
