//! What travels between browser and server beside the engine's own messages. TypeScript types are made from these.

use sabretache_engine::clause::Book;
use sabretache_engine::ids::Side;
use sabretache_engine::interrupt::Standing;
use sabretache_engine::log::Enforcement;
use sabretache_engine::offer::Refusal;
use sabretache_engine::protocol::{Reply, Request};
use sabretache_engine::resolution::ModifierRecord;
use sabretache_engine::scenario::{CoachEntry, Diagnostics};
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
    /// How it is begun as a first lesson, where it is one.
    pub lesson: Option<Lesson>,
    /// What the coach says in it, and when.
    pub coach: Vec<CoachEntry>,
}

/// How a scenario is begun as a first lesson.
#[derive(Clone, Debug, Serialize, TS)]
pub struct Lesson {
    /// The side that the beginner has.
    pub side: Side,
    /// What is changed for it.
    pub set: Vec<String>,
}

/// A scenario with its table laid out.
#[derive(Clone, Debug, Serialize, TS)]
pub struct ScenarioSheet {
    /// What it is.
    pub entry: ScenarioEntry,
    /// The table at the beginning.
    pub view: View,
}

/// A drill of a clause as a worked example.
#[derive(Clone, Debug, Serialize, TS)]
pub struct ExampleEntry {
    /// What it is asked for by.
    pub name: String,
    /// What it shows, as a sentence.
    pub title: String,
    /// The clauses it is for.
    pub clauses: Vec<String>,
    /// Whether it can be seen on the table.
    pub on_table: bool,
    /// The test that it takes, where it needs no table.
    pub test: Option<ExampleTest>,
}

/// A test taken with given dice.
#[derive(Clone, Debug, Serialize, TS)]
pub struct ExampleTest {
    /// The name of the test.
    pub name: String,
    /// What had to be rolled.
    pub target: Option<i32>,
    /// What made it so.
    pub modifiers: Vec<ModifierRecord>,
    /// What fell.
    pub dice: Vec<u8>,
    /// What came of it.
    pub outcome: String,
}

/// Which example to fight on the table.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct NewExample {
    /// The short name of the ruleset.
    pub ruleset: String,
    /// The example.
    pub name: String,
}

/// An example that was fought on the table.
#[derive(Clone, Debug, Serialize, TS)]
pub struct ExampleMade {
    /// The battle.
    pub battle: BattleMade,
    /// What it shows.
    pub title: String,
    /// Why the last choice may not be made, where that is what it shows.
    pub refused: Option<Refusal>,
}

/// What can be changed in a scenario before it is fought.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct Changes {
    /// The options of the scenario and of its book.
    pub options: Vec<ChangeEntry>,
    /// The numbers of the book.
    pub numbers: Vec<ChangeEntry>,
}

/// One thing that can be changed.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct ChangeEntry {
    /// By what name: `options.turns`, `HZ-ZON-01.infantry.line`.
    pub name: String,
    /// What it is, in words.
    pub note: String,
    /// What kind of value it takes.
    pub kind: ChangeKind,
    /// The values it may have, where they can be counted.
    pub choices: Vec<String>,
    /// What it is now, as text; empty where nothing is said.
    pub value: String,
}

/// What kind of value is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    /// On or off.
    Switch,
    /// A number.
    Number,
    /// One of several words.
    Choice,
    /// Anything else.
    Text,
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

/// One of several players of a side.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS)]
pub struct PlayerSeat {
    /// His side.
    pub side: Side,
    /// His name in the scenario.
    pub name: String,
}

impl PlayerSeat {
    /// As it is kept in the database.
    #[must_use]
    pub fn word(&self) -> String {
        format!("{}:{}", self.side, self.name)
    }

    /// The player kept under this word.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        let (side, name) = word.split_once(':')?;
        let side = Side::BOTH.into_iter().find(|one| one.to_string() == side)?;
        Some(Self { side, name: name.to_owned() })
    }
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

impl From<Side> for SeatName {
    fn from(side: Side) -> Self {
        match side {
            Side::A => Self::A,
            Side::B => Self::B,
        }
    }
}

impl From<Seat> for SeatName {
    fn from(seat: Seat) -> Self {
        match seat {
            Seat::Player(side) => side.into(),
            Seat::Umpire => Self::Umpire,
            Seat::Spectator => Self::Spectator,
        }
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
    /// The standing instructions of side A and of side B.
    pub instructions: [Vec<Standing>; 2],
    /// Whether side A and side B are asked nothing that is not meaningful and new.
    pub quiet: [bool; 2],
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
        info: Box<BattleInfo>,
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
    /// A choice waits for its agreed dice: each side reveals its link.
    Reveal {
        /// Which choice it is.
        rolling: RollingNow,
    },
    /// A computer player has chosen, and a person throws its dice.
    Throw {
        /// What is to be thrown; nothing once it is done or no longer wanted.
        wanted: Option<WantedThrow>,
    },
    /// Somebody else plays a side from now on.
    Players {
        /// Who plays.
        players: Players,
    },
    /// Somebody came or went, the clock goes another way, it is for the other side to decide.
    Company {
        /// The company.
        company: Box<crate::friends::messages::CompanyNow>,
    },
    /// Something was said beside the battle.
    Word {
        /// What.
        word: crate::friends::messages::Word,
    },
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

/// Asks what a computer player would do now.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct AskAdvice {
    /// Which player: `drill-master`, `marshal:2s`.
    pub player: String,
}

/// Asks for a moment of a battle to be fought many times.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct NewRun {
    /// From which moment.
    pub moment: usize,
    /// How many battles.
    #[ts(type = "number")]
    pub battles: u64,
    /// Which computer players.
    pub players: Players,
}

/// A run of the laboratory: how far it is, and what came of it so far.
#[derive(Clone, Debug, Serialize, TS)]
pub struct RunNow {
    /// What was asked for.
    pub asked: NewRun,
    /// Battles fought.
    #[ts(type = "number")]
    pub done: u64,
    /// Battles a second.
    pub rate: f64,
    /// How many seconds it will take still.
    pub left: Option<f64>,
    /// Whether it goes on.
    pub running: bool,
    /// What came of it, once it is over.
    pub result: Option<RunResult>,
    /// Why nothing came of it.
    pub why: Option<String>,
}

/// What came of a run.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct RunResult {
    /// How many battles it stands on.
    #[ts(type = "number")]
    pub battles: u64,
    /// The share that A won, that B won, and that nobody won.
    pub shares: [RunShare; 3],
    /// All of it in a page of text.
    pub summary: String,
}

/// A share with its 95 % interval, between 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, TS)]
pub struct RunShare {
    /// The share.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
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
