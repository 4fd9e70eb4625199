//! Officers.

use sabretache_engine::scenario::{FileLength, FilePoint};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::is_default;
use crate::state::Addressee;
use crate::troops::{Ability, not};

/// Where an officer is, if not with his command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OfficerStatus {
    /// On the table.
    #[default]
    Present,
    /// Still to come on (HZ-REI-01).
    Awaited,
    /// Relieved by the commander in chief (HZ-OFF-12).
    Superseded,
    /// Off the table with his broken command (HZ-OFF-24).
    Removed,
    /// Killed.
    Killed,
    /// Captured.
    Captured,
}

/// An officer (HZ-GEN-11).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OfficerEntry {
    /// A short name without spaces.
    pub id: String,
    /// His name.
    pub name: String,
    /// The command he leads.
    pub command: String,
    /// How good he is; rolled before the battle where left out (HZ-CMD-04).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ability: Option<Ability>,
    /// Added to the roll for his successor, or for himself (HZ-APP-05).
    #[serde(default, skip_serializing_if = "is_default")]
    pub roll_modifier: i8,
    /// Whether he is inspirational.
    #[serde(default, skip_serializing_if = "not")]
    pub inspirational: bool,
    /// Where he stands; not needed when he is attached or off the table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<FilePoint>,
    /// The unit he is attached to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attached_to: Option<String>,
    /// The radius of his base (HZ-GEN-11).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<FileLength>,
    /// Where he is, if not on the table.
    #[serde(default, skip_serializing_if = "is_default")]
    pub status: OfficerStatus,
    /// The turn in which the post fell vacant (HZ-APP-01).
    #[serde(default, skip_serializing_if = "is_default")]
    pub lost: u16,
    /// The command whose officer he has superseded; the commander in chief only (HZ-OFF-11).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub supersedes: Option<String>,
    /// The turn in which he did so (HZ-OFF-14).
    #[serde(default, skip_serializing_if = "is_default")]
    pub superseded_in: u16,
    /// The first turn in which he can give orders (HZ-APP-06).
    #[serde(default, skip_serializing_if = "is_default")]
    pub orders_from: u16,
    /// Has given orders this phase (HZ-ORD-11).
    #[serde(default, skip_serializing_if = "not")]
    pub spoke: bool,
    /// Has failed an order this phase (HZ-ORD-10).
    #[serde(default, skip_serializing_if = "not")]
    pub failed: bool,
    /// The level at which he has given orders this phase (HZ-ORD-13).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spoke_to: Option<SpokeTo>,
    /// The number of the last order he gave this phase, counted over the side; 0 for none (HZ-ORD-11, HZ-GEN-12).
    #[serde(default, skip_serializing_if = "is_default")]
    pub spoke_at: u16,
    /// The unit or command he spoke to last this phase (HZ-ORD-12).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spoke_last: Option<Addressee>,
    /// After a Huzzah! he may order the same addressee once more without a roll (HZ-ORD-33).
    #[serde(default, skip_serializing_if = "not")]
    pub free_order: bool,
    /// Has done moving in this officer movement phase (HZ-OFF-01).
    #[serde(default, skip_serializing_if = "not")]
    pub moved: bool,
    /// How far he has ridden in this officer movement phase (HZ-OFF-02).
    #[serde(default, skip_serializing_if = "is_default")]
    pub ridden: FileLength,
    /// Has detached from a unit in this phase (HZ-OFF-09).
    #[serde(default, skip_serializing_if = "not")]
    pub detached: bool,
    /// Has relinquished a command in this phase (HZ-OFF-15).
    #[serde(default, skip_serializing_if = "not")]
    pub relinquished: bool,
}

/// The level an officer has given orders at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SpokeTo {
    /// Single units.
    Units,
    /// Brigades.
    Brigades,
    /// Divisions.
    Divisions,
    /// A corps.
    Corps,
}
