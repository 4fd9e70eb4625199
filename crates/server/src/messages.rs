//! What travels between browser and server beside the engine's own messages. TypeScript types are made from these.

use sabretache_engine::clause::Book;
use sabretache_engine::ids::Side;
use sabretache_engine::log::Enforcement;
use sabretache_engine::protocol::{Reply, Request};
use sabretache_engine::scenario::Diagnostics;
use sabretache_engine::session::Seat;
use sabretache_engine::view::{Verdict, View};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A ruleset that can be fought under.
#[derive(Clone, Debug, Serialize, TS)]
pub struct RulesetEntry {
    /// Its short name.
    pub name: String,
    /// The title of the book.
    pub title: String,
    /// The version of the rules.
    pub version: String,
    /// How many clauses it has.
    pub clauses: usize,
}

impl RulesetEntry {
    /// The entry of a book.
    #[must_use]
    pub fn of(book: &Book, version: &str) -> Self {
        Self { name: book.name.into(), title: book.title.into(), version: version.into(), clauses: book.clauses.len() }
    }
}

/// A kind of player.
#[derive(Clone, Debug, Serialize, TS)]
pub struct PlayerEntry {
    /// Its short name: `person`, `recruit`.
    pub name: String,
    /// What it is called.
    pub title: String,
    /// What it is like, in a sentence.
    pub note: String,
}

/// A scenario that can be fought.
#[derive(Clone, Debug, Serialize, TS)]
pub struct ScenarioEntry {
    /// Its short name.
    pub name: String,
    /// The short name of its ruleset.
    pub ruleset: String,
    /// What it is called.
    pub title: String,
    /// When it was fought.
    pub date: Option<String>,
    /// Where.
    pub place: Option<String>,
    /// What it is about.
    pub summary: Option<String>,
    /// About how long it takes.
    pub length: Option<String>,
}

/// A scenario with its table laid out.
#[derive(Clone, Debug, Serialize, TS)]
pub struct ScenarioSheet {
    /// What it is.
    pub entry: ScenarioEntry,
    /// The table at the beginning.
    pub view: View,
}

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
}

/// A seat at a battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS)]
pub enum SeatName {
    /// Side A.
    A,
    /// Side B.
    B,
    /// The umpire.
    #[serde(rename = "umpire")]
    Umpire,
    /// A spectator.
    #[serde(rename = "spectator")]
    Spectator,
}

impl SeatName {
    /// Every seat.
    pub const ALL: [Self; 4] = [Self::A, Self::B, Self::Umpire, Self::Spectator];

    /// As it is kept in the database.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::A => "A",
            Self::B => "B",
            Self::Umpire => "umpire",
            Self::Spectator => "spectator",
        }
    }

    /// The seat kept under this word.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|seat| seat.word() == word)
    }
}

impl From<SeatName> for Seat {
    fn from(name: SeatName) -> Self {
        match name {
            SeatName::A => Self::Player(Side::A),
            SeatName::B => Self::Player(Side::B),
            SeatName::Umpire => Self::Umpire,
            SeatName::Spectator => Self::Spectator,
        }
    }
}

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
    /// The seats that the secrets sent along belong to.
    pub seats: Vec<SeatName>,
    /// When it began, in seconds since 1970.
    #[ts(type = "number")]
    pub created: i64,
    /// Where it stands.
    pub now: BattleNow,
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
    /// How it ended, once it has.
    pub verdict: Option<Verdict>,
    /// How far the rules are enforced.
    pub enforcement: Enforcement,
}

/// What a browser sends over the WebSocket.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct ClientMessage {
    /// A number that comes back with the answer.
    pub id: u32,
    /// The seat that speaks, of those the connection has; the first of them when not given.
    #[serde(default, rename = "as")]
    pub speaker: Option<SeatName>,
    /// What is asked.
    pub request: Request,
}

/// What the server sends over the WebSocket.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ServerMessage {
    /// At the start, and again when the connection fell so far behind that news was dropped: look at everything again.
    Hello {
        /// The battle.
        info: BattleInfo,
    },
    /// The answer to a message.
    Answer {
        /// The number of the message.
        id: u32,
        /// How many lines the log has now.
        lines: usize,
        /// The engine's answer.
        reply: Reply,
    },
    /// Somebody chose, took back or adjusted.
    News {
        /// How many lines the log has now.
        lines: usize,
        /// The moment the battle is at now.
        reply: Reply,
    },
}

/// Why a request over HTTP was not done.
#[derive(Clone, Debug, Serialize, TS)]
pub struct Problem {
    /// As a sentence.
    pub why: String,
    /// All that is wrong with a file, where one was sent.
    #[ts(type = "{ message: string; path: string; line?: number; help?: string }[]")]
    #[serde(skip_serializing_if = "Diagnostics::is_empty")]
    pub diagnostics: Diagnostics,
}
