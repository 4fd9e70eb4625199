//! Command groups, who arrives when, and the players who share a side.

use sabretache_engine::scenario::FilePoint;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::is_default;
use crate::troops::{Level, not};

/// A command group (HZ-CMD-01).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CommandEntry {
    /// A short name without spaces.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The id of its side.
    pub side: String,
    /// Its level.
    pub level: Level,
    /// The command above it; none for the army.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part_of: Option<String>,
    /// The contingent of its units, and of those of commands below it, where they do not say their own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contingent: Option<String>,
    /// A line of communication of its own (HZ-GEO-23).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub communication: Option<FilePoint>,
    /// When and where it arrives, for reinforcements (HZ-REI-01).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arrives: Option<ArrivalEntry>,
    /// How its last command check went; nothing when it never checked (HZ-CHK-10, HZ-CHK-15).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passed_last_check: Option<bool>,
    /// The turn of that check.
    #[serde(default, skip_serializing_if = "is_default")]
    pub checked_turn: u16,
    /// A sub-command has broken or routed since its last check (HZ-CHK-03).
    #[serde(default, skip_serializing_if = "not")]
    pub must_check: bool,
    /// Excused from checks until a new loss (HZ-CHK-31).
    #[serde(default, skip_serializing_if = "not")]
    pub excused: bool,
    /// Has checked in this phase already.
    #[serde(default, skip_serializing_if = "not")]
    pub checked: bool,
    /// Passes its check this phase by its superior's Huzzah! (HZ-CHK-31).
    #[serde(default, skip_serializing_if = "not")]
    pub free_pass: bool,
    /// Advance and retire orders issued to it this phase (HZ-ORD-18, HZ-SCL-03).
    #[serde(default, skip_serializing_if = "is_default")]
    pub ordered_moves: u8,
    /// Other orders issued to it this phase.
    #[serde(default, skip_serializing_if = "is_default")]
    pub ordered_others: u8,
    /// Closed to orders: an officer failed (HZ-ORD-05, HZ-ORD-07, HZ-ORD-09).
    #[serde(default, skip_serializing_if = "not")]
    pub silenced: bool,
    /// Can receive no further orders after a Huzzah! order, or because its officer turned elsewhere.
    #[serde(default, skip_serializing_if = "not")]
    pub closed: bool,
    /// The turn in which the last of it left the table; 0 while it is there (HZ-REO-07).
    #[serde(default, skip_serializing_if = "is_default")]
    pub left: u16,
    /// Attempts made at reorganising it (HZ-REO-11).
    #[serde(default, skip_serializing_if = "is_default")]
    pub attempts: u8,
    /// Tried to reorganise in this phase.
    #[serde(default, skip_serializing_if = "not")]
    pub tried: bool,
    /// Reorganised, and coming back at its line of communication (HZ-REO-10).
    #[serde(default, skip_serializing_if = "not")]
    pub returning: bool,
    /// Turns of voluntary delay so far (HZ-REI-09).
    #[serde(default, skip_serializing_if = "is_default")]
    pub delayed: u8,
    /// Chosen as the first to come on where several share an entry point (HZ-REI-10).
    #[serde(default, skip_serializing_if = "not")]
    pub chosen: bool,
    /// Ordered on to the table in this orders phase, with success or without (HZ-REI-09).
    #[serde(default, skip_serializing_if = "not")]
    pub sent_for: bool,
}

/// One of several players on a side, and what he commands (HZ-GEN-12).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlayerEntry {
    /// A short name without spaces.
    pub id: String,
    /// His name.
    pub name: String,
    /// The id of his side.
    pub side: String,
    /// The commands he gives orders to, with all below them that no other player has; the rest of the side is for whoever
    /// plays the rest.
    pub commands: Vec<String>,
}

/// When and where a command arrives (HZ-REI-01).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ArrivalEntry {
    /// The turn in which it can first be ordered on.
    pub turn: u16,
    /// The entry point, on the edge of the table.
    pub at: FilePoint,
    /// Only the exact entry point may be used.
    #[serde(default, skip_serializing_if = "not")]
    pub narrow: bool,
}
