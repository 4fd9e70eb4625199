//! A battle as it stands, and what it waits for.

use sabretache_engine::clause::Clause;
use sabretache_engine::ids::Side;
use sabretache_engine::interrupt::Standing;
use sabretache_engine::log::Enforcement;
use sabretache_engine::protocol::Reply;
use sabretache_engine::view::Verdict;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{DiceKind, PlayerSeat, Players, SeatName};

/// A battle, as whoever has a seat at it may know it.
#[derive(Clone, Debug, Serialize, TS)]
pub struct BattleInfo {
    /// Its id.
    pub id: String,
    /// The title of its scenario.
    pub title: String,
    /// The short name of its ruleset.
    pub ruleset: String,
    /// Who plays.
    pub players: Players,
    /// The standing instructions of side A and of side B.
    pub instructions: [Vec<Standing>; 2],
    /// Whether side A and side B are asked nothing that is not meaningful and new.
    pub quiet: [bool; 2],
    /// What the aides of the sides that sit here are about.
    pub aides: Vec<crate::aides::AidesNow>,
    /// Where the dice come from.
    pub dice: DiceKind,
    /// The choice with agreed dice that waits for the secrets of the sides.
    pub rolling: Option<RollingNow>,
    /// The real dice that a person has to throw for a computer player.
    pub throwing: Option<WantedThrow>,
    /// The seats that the secrets sent along belong to.
    pub seats: Vec<SeatName>,
    /// Who sits there by name, where it is not the whole of a side.
    pub named: Vec<PlayerSeat>,
    /// When it began, in seconds since 1970.
    #[ts(type = "number")]
    pub created: i64,
    /// Where it stands.
    pub now: BattleNow,
}

/// Real dice that a person throws for a computer player.
#[derive(Clone, Debug, Serialize, TS)]
pub struct WantedThrow {
    /// The side of the computer player.
    pub side: Side,
    /// Which dice, and what for: the engine's `dice`.
    pub dice: Reply,
}

/// What fell when a person threw for a computer player.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct Thrown {
    /// The faces, in order.
    pub faces: Vec<u8>,
}

/// What a battle is fought for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct Stakes {
    /// How many turns it lasts, where the scenario says so.
    pub turns: Option<u32>,
    /// A line each: what is worth what to whom.
    pub victory: Vec<String>,
    /// Special rules in words, for both sides.
    pub rules: Vec<String>,
    /// The clauses of the book that say when a battle is won.
    #[ts(type = "string[]")]
    pub clauses: Vec<Clause>,
}

/// Where a battle stands.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct BattleNow {
    /// How many lines its log has: this only ever grows, whatever is taken back.
    pub lines: usize,
    /// The moment it is at.
    pub moment: usize,
    /// Who decides.
    pub deciding: Option<Side>,
    /// Whose link agreed dice wait for, where they do.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub owing: Option<Side>,
    /// How it ended, once it has.
    pub verdict: Option<Verdict>,
    /// How far the rules are enforced.
    pub enforcement: Enforcement,
}

/// A choice that waits for its agreed dice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct RollingNow {
    /// Which choice with dice it is, counted from 1.
    pub n: usize,
    /// The hash of the log so far and the choice, in hexadecimal digits: links are revealed for it and for nothing else, and
    /// it must stand in the log beside them.
    pub choice: String,
}

/// How far the sides have agreed on their dice.
#[derive(Clone, Debug, Serialize, TS)]
pub struct ParleyNow {
    /// Whether A and B have committed.
    pub committed: [bool; 2],
    /// Whether the battle lies on the table.
    pub begun: bool,
    /// The seats that the secrets sent along belong to.
    pub seats: Vec<SeatName>,
}

/// A link of a side's chain of secrets: its commitment, or what it reveals.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct Link {
    /// Whose.
    pub side: Side,
    /// 64 hexadecimal digits.
    pub link: String,
    /// The choice that a link is revealed for, by its hash; not with a commitment.
    #[serde(default)]
    pub choice: Option<String>,
}
