//! What a Huzzah! scenario adds to every scenario: options, armies, commands, officers, units, and the state of a battle
//! in progress. Everything a battle can contain can be written here, so that any position is a scenario.

mod armies;
mod commands;
mod objectives;
mod officers;
mod options;
mod state;
mod units;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use armies::{ArmyEntry, ContingentEntry};
pub use commands::{ArrivalEntry, CommandEntry, PlayerEntry};
pub use objectives::{Goal, Spot};
pub use officers::{OfficerEntry, OfficerStatus, SpokeTo};
pub use options::{Basing, FlankZone, GameKind, Options};
pub use state::StateEntry;
pub use units::{Presence, UnitEntry};

/// What a Huzzah! scenario adds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Body {
    /// How many turns are played (HZ-VIC-02).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 200))]
    pub turns: Option<u16>,
    /// Length of the battle and the choices the rules leave to the players.
    #[serde(default)]
    pub options: Options,
    /// The two armies, by the ids of their sides.
    #[schemars(length(min = 2, max = 2))]
    pub armies: Vec<ArmyEntry>,
    /// The nations and factions of the armies.
    pub contingents: Vec<ContingentEntry>,
    /// Every command group, the armies themselves included.
    pub commands: Vec<CommandEntry>,
    /// One officer for each command.
    pub officers: Vec<OfficerEntry>,
    /// Every unit.
    pub units: Vec<UnitEntry>,
    /// The players who share a side, where there are several (HZ-GEN-12).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub players: Vec<PlayerEntry>,
    /// What the scenario is won by, beyond breaking the enemy.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub objectives: Vec<sabretache_engine::scenario::ObjectiveEntry>,
    /// Where the battle stands; a fresh battle when left out.
    #[serde(default, skip_serializing_if = "is_default")]
    pub state: StateEntry,
}

/// For serde: leave out what is as it is by default.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
