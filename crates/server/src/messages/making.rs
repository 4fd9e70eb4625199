//! Making a battle, and the secrets that come of it.

use sabretache_engine::ids::Side;
use sabretache_engine::log::Enforcement;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::PlayerSeat;

/// Who plays each side: `person`, or the name of a computer player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct Players {
    /// Side A.
    pub a: String,
    /// Side B.
    pub b: String,
}

impl Players {
    /// Who plays this side.
    #[must_use]
    pub fn of(&self, side: Side) -> &str {
        match side {
            Side::A => &self.a,
            Side::B => &self.b,
        }
    }
}

impl Default for Players {
    fn default() -> Self {
        Self { a: "person".into(), b: "person".into() }
    }
}

/// Where the dice come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum DiceKind {
    /// The program throws them.
    #[default]
    Seeded,
    /// Real ones, typed in.
    Typed,
    /// Made from secrets that both sides and the server committed to before the battle.
    Agreed,
}

/// Asks for a new battle.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct NewBattle {
    /// The name of a scenario of the list, or a scenario as TOML.
    pub scenario: String,
    /// How far the rules are enforced.
    #[serde(default)]
    pub enforcement: Enforcement,
    /// Where the dice come from.
    #[serde(default)]
    pub dice: DiceKind,
    /// The seed of the dice; any when not given.
    #[serde(default)]
    #[ts(type = "number | null")]
    pub seed: Option<u64>,
    /// Who plays.
    #[serde(default)]
    pub players: Players,
    /// What is changed in the scenario: `options.turns=8`, `HZ-ZON-01.infantry.line=20cm`.
    #[serde(default)]
    pub set: Vec<String>,
}

/// Asks for a battle of its own from an earlier moment of another.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct NewBranch {
    /// How many entries both share.
    pub moment: usize,
    /// The seed of the new dice; any when not given.
    #[serde(default)]
    #[ts(type = "number | null")]
    pub seed: Option<u64>,
    /// Who plays.
    #[serde(default)]
    pub players: Players,
}

/// Asks for the battle of a log.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct NewUpload {
    /// The log, as text.
    pub log: String,
    /// Who plays on.
    #[serde(default)]
    pub players: Players,
}

/// A battle was made. The secrets are told once, here; the server keeps only their hashes.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct BattleMade {
    /// Its id.
    pub id: String,
    /// The secret of each seat.
    pub secrets: Secrets,
    /// How many lines of a log were proved, where one was sent.
    pub proved: Option<usize>,
    /// Of how many of them the dice are those of the battle it was branched from: only that battle's log proves them.
    #[serde(default)]
    pub inherited: usize,
}

/// The secret of each seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Secrets {
    /// Side A's.
    pub a: String,
    /// Side B's.
    pub b: String,
    /// The umpire's.
    pub umpire: String,
    /// The spectators'.
    pub spectator: String,
    /// Those of the players of a side, where it has several: whoever has one of these decides for his own commands alone.
    #[serde(default)]
    pub players: Vec<PlayerSecret>,
}

/// The secret of one of several players of a side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PlayerSecret {
    /// Who.
    #[serde(flatten)]
    pub player: PlayerSeat,
    /// His secret.
    pub secret: String,
}
