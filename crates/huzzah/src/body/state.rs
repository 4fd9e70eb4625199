//! Where a battle stands.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::is_default;
use crate::state::{Bombarded, Doing, Fight, Gap, Stage, Threat};

/// Where the battle stands. Units, officers and commands are named by their tokens (`#3` the unit listed fourth) here.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct StateEntry {
    /// The turn, counted from 1; 0 before the first.
    #[serde(skip_serializing_if = "is_default")]
    pub turn: u16,
    /// Who goes first each turn, by the id of the side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<String>,
    /// Whose phase it is, by the id of the side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phasing: Option<String>,
    /// The phase and step.
    #[serde(skip_serializing_if = "is_default")]
    pub stage: Stage,
    /// Who won skirmisher superiority this turn (or, before the roll, last turn).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub superiority: Option<String>,
    /// The order, move or check in hand.
    #[serde(skip_serializing_if = "is_default")]
    pub doing: Doing,
    /// Bombardments of this phase (HZ-BOM-09).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bombarded: Vec<Bombarded>,
    /// Threats fixed at the start of the threat phase and not tested yet (HZ-THR-01).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub threats: Vec<Threat>,
    /// Engagements fixed at the start of the phase and not fought yet (HZ-ENG-03).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fights: Vec<Fight>,
    /// Stretches of hedge that guns have blown away (HZ-HED-08).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gaps: Vec<Gap>,
    /// Mines that have gone off, by the number of the breach in the list of ground (HZ-BRE-03).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub exploded: Vec<u16>,
}
