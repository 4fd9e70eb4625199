//! What travels between browser and server beside the engine's own messages. TypeScript types are made from these.

mod catalogue;
mod laboratory;
mod making;
mod seats;
mod socket;
mod standing;

use sabretache_engine::scenario::Diagnostics;
use serde::Serialize;
use ts_rs::TS;

pub use self::catalogue::{
    ChangeEntry, ChangeKind, Changes, ExampleEntry, ExampleMade, ExampleTest, Lesson, NewExample, PlayerEntry,
    RulesetEntry, ScenarioEntry, ScenarioSheet,
};
pub use self::laboratory::{AskAdvice, NewRun, RunNow, RunResult, RunShare};
pub use self::making::{BattleMade, DiceKind, NewBattle, NewBranch, NewUpload, PlayerSecret, Players, Secrets};
pub use self::seats::{PlayerSeat, SeatName};
pub use self::socket::{ClientMessage, ServerMessage};
pub use self::standing::{BattleInfo, BattleNow, Link, ParleyNow, RollingNow, Stakes, Thrown, WantedThrow};

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
