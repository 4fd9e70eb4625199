//! What goes over the WebSocket.

use sabretache_engine::protocol::{Reply, Request};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{BattleInfo, Players, RollingNow, SeatName, WantedThrow};

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
    /// What the aides of a side are about, for whoever plays it.
    Aides {
        /// The aides.
        aides: crate::aides::AidesNow,
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
