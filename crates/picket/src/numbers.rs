//! The numbers of the rules, each under its clause.

use sabretache_table::Length;
use serde::{Deserialize, Serialize};

/// Every number that a scenario may change by name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Numbers {
    /// How far an advance goes.
    #[serde(rename = "PK-MOV-01")]
    pub advance: Advance,
    /// How deep a zone is, in millimetres.
    #[serde(rename = "PK-VOL-01")]
    pub zone: Zone,
    /// A volley.
    #[serde(rename = "PK-VOL-02")]
    pub volley: Volley,
}

/// An advance, in millimetres.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Advance {
    /// At least.
    pub least: u16,
    /// At most.
    pub most: u16,
}

/// A zone, in millimetres.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Zone {
    /// How deep.
    pub depth: u16,
}

/// A volley.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Volley {
    /// How many dice.
    pub dice: u8,
    /// What hits.
    pub hits_on: u8,
}

impl Default for Numbers {
    fn default() -> Self {
        Self {
            advance: Advance { least: 10, most: 120 },
            zone: Zone { depth: 100 },
            volley: Volley { dice: 3, hits_on: 5 },
        }
    }
}

impl Numbers {
    pub(crate) fn zone_depth(&self) -> Length {
        Length::mm(self.zone.depth.into())
    }
}
