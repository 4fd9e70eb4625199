//! What a scenario is won by.

use sabretache_engine::scenario::FilePoint;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::troops::not;

/// Something besides the enemy's ruin that the battle is about (HZ-VIC-02).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ObjectiveEntry {
    /// A short name without spaces.
    pub id: String,
    /// What it is, in words.
    pub name: String,
    /// The side it is good for.
    pub side: String,
    /// How many points it is worth.
    #[serde(default = "one")]
    pub points: u16,
    /// It wins the battle as soon as it is reached at the end of a phase, and not only by points at the end.
    #[serde(default, skip_serializing_if = "not")]
    pub at_once: bool,
    /// What has to be done.
    #[serde(flatten)]
    pub goal: Goal,
}

fn one() -> u16 {
    1
}

/// What an objective asks for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Goal {
    /// A steady unit of the side is within 10 cm of this place at the end, and no enemy is.
    Hold(FilePoint),
    /// This command of the enemy's is broken at the end.
    Break(String),
    /// So many of the enemy's units are broken at the end.
    BreakUnits(u16),
    /// So many of the side's own units have retired off the table in good order.
    Exit(u16),
}
