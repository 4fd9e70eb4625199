//! Who sees what: a battle in which not everybody knows everything is told to each seat through its own eyes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ids::Side;
use crate::log::Hand;

/// Through whose eyes a battle is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Eyes {
    /// The umpire's, who sees everything; everybody's, where nothing is hidden or the battle is over.
    All,
    /// A side's.
    Side(Side),
    /// What both sides see: a spectator's, who might tell.
    Common,
}

impl Eyes {
    /// Whether they see all that is a side's own.
    #[must_use]
    pub fn share(self, side: Side) -> bool {
        match self {
            Self::All => true,
            Self::Side(mine) => mine == side,
            Self::Common => false,
        }
    }
}

/// To whom somebody writes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, ts_rs::TS)]
#[serde(rename_all = "snake_case")]
pub enum Addressee {
    /// The umpire.
    Umpire,
    /// Everybody of a side.
    Side(Side),
    /// One of several players of a side, by name.
    Player(String),
}

/// A letter: a line of the log that changes nothing in the battle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
pub struct Letter {
    /// Which seat it comes from.
    pub by: Hand,
    /// Which of several players of the side wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub from: Option<String>,
    /// Whom it is for.
    pub to: Addressee,
    /// What it says.
    pub text: String,
}

/// A letter as its readers get it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, ts_rs::TS)]
pub struct LetterView {
    /// The line of the log it stands in, counted from 1.
    pub line: usize,
    /// The moment at which it was written.
    pub moment: usize,
    /// The letter.
    pub letter: Letter,
}
