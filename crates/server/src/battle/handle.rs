//! The way to a battle in memory: what may be asked of it, and the task that answers.

use std::sync::Arc;
use std::time::Duration;

use sabretache_engine::dice::Reveal;
use sabretache_engine::erased::AnyRuleset;
use sabretache_engine::ids::Side;
use sabretache_engine::log::Hash;
use sabretache_engine::protocol::{Reply, Request};
use sabretache_engine::session::Seat;
use sabretache_players::Thinker;
use tokio::sync::{broadcast, mpsc, oneshot};

use super::{Battle, Shared};
use crate::messages::{BattleNow, Players, RollingNow, SeatName, WantedThrow};
use crate::news::News;
use crate::store::Kept;

/// How many requests may wait for a battle.
const WAITING: usize = 64;
/// How much news a connection may leave unread before it has to look at everything again.
const NEWS: usize = 64;

/// What is asked of a battle.
pub(super) enum Command {
    Ask { seat: Seat, seats: Vec<SeatName>, request: Request, answer: oneshot::Sender<Answer> },
    Open { seats: Vec<SeatName>, answer: oneshot::Sender<Result<Openness, String>> },
    Standing { answer: oneshot::Sender<Result<BattleNow, String>> },
    Branch { moment: usize, seed: u64, answer: oneshot::Sender<Result<String, String>> },
    Think { answer: oneshot::Sender<Result<Option<Box<dyn Thinker>>, String>> },
    Players { players: Players },
    Reveal { side: Side, link: Reveal, bound: Hash, answer: oneshot::Sender<Result<(), String>> },
    Rolling { answer: oneshot::Sender<Option<RollingNow>> },
    Wake { lines: usize },
    Passed { lines: usize },
    Beside,
    End,
    Throwing { answer: oneshot::Sender<Option<WantedThrow>> },
    Throw { faces: Vec<u8>, answer: oneshot::Sender<Result<(), String>> },
    Aides(super::aides::Asked),
}

/// How much of a battle some seats may know.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Openness {
    /// Nothing on the table is hidden from them.
    pub(crate) table: bool,
    /// Nothing in the log is.
    pub(crate) log: bool,
}

/// The answer to a request.
pub(crate) struct Answer {
    pub(crate) lines: usize,
    pub(crate) reply: Reply,
}

/// The way to a battle in memory.
#[derive(Clone)]
pub(crate) struct Handle {
    commands: mpsc::Sender<Command>,
    news: broadcast::Sender<Arc<News>>,
}

/// The battle left memory before it answered: open it again.
#[derive(Debug)]
pub(crate) struct Gone;

impl Handle {
    /// Starts the task. It leaves memory when nobody has asked for it in `idle`; `gone` is called then.
    pub(crate) fn start(
        kept: Kept,
        ruleset: &'static dyn AnyRuleset,
        shared: Shared,
        idle: Duration,
        gone: impl FnOnce() + Send + 'static,
    ) -> Self {
        let (commands, waiting) = mpsc::channel(WAITING);
        let (news, _) = broadcast::channel(NEWS);
        let battle = Battle::new(kept, ruleset, shared, news.clone());
        tokio::spawn(async move {
            battle.run(waiting, idle).await;
            gone();
        });
        Self { commands, news }
    }

    /// Whether the task has ended.
    pub(crate) fn is_gone(&self) -> bool {
        self.commands.is_closed()
    }

    /// All that happens from now on, as messages ready to be sent.
    pub(crate) fn listen(&self) -> broadcast::Receiver<Arc<News>> {
        self.news.subscribe()
    }

    /// Asks something from a seat, over a line that has these seats.
    pub(crate) async fn ask(&self, seat: Seat, seats: Vec<SeatName>, request: Request) -> Result<Answer, Gone> {
        self.send(|answer| Command::Ask { seat, seats, request, answer }).await
    }

    /// How much these seats may know.
    pub(crate) async fn openness(&self, seats: Vec<SeatName>) -> Result<Result<Openness, String>, Gone> {
        self.send(|answer| Command::Open { seats, answer }).await
    }

    /// Where the battle stands.
    pub(crate) async fn standing(&self) -> Result<Result<BattleNow, String>, Gone> {
        self.send(|answer| Command::Standing { answer }).await
    }

    /// The log of a battle that goes on from an earlier moment.
    pub(crate) async fn branch(&self, moment: usize, seed: u64) -> Result<Result<String, String>, Gone> {
        self.send(|answer| Command::Branch { moment, seed, answer }).await
    }

    /// The battle as it stands, to be thought about elsewhere; nothing where its ruleset has no computer players.
    pub(crate) async fn think(&self) -> Result<Result<Option<Box<dyn Thinker>>, String>, Gone> {
        self.send(|answer| Command::Think { answer }).await
    }

    /// A side reveals its link for the choice that waits for its dice.
    pub(crate) async fn reveal(&self, side: Side, link: Reveal, bound: Hash) -> Result<Result<(), String>, Gone> {
        self.send(|answer| Command::Reveal { side, link, bound, answer }).await
    }

    /// Another process may have written to the log, which has so many lines now; none for an unknown number.
    pub(crate) fn wake(&self, lines: usize) {
        // A battle with a full queue looks at its log soon anyway.
        let _ = self.commands.try_send(Command::Wake { lines });
    }

    /// Somebody who looks at all battles has found so many lines.
    pub(crate) fn passed(&self, lines: usize) {
        let _ = self.commands.try_send(Command::Passed { lines });
    }

    /// What stands beside the log may have changed: words, the company, who plays, standing instructions.
    pub(crate) fn look_beside(&self) {
        let _ = self.commands.try_send(Command::Beside);
    }

    /// The battle is deleted: it leaves memory at once.
    pub(crate) async fn end(&self) {
        let _ = self.commands.send(Command::End).await;
    }

    /// The choice with agreed dice that waits for them.
    pub(crate) async fn rolling(&self) -> Result<Option<RollingNow>, Gone> {
        self.send(|answer| Command::Rolling { answer }).await
    }

    /// Somebody else plays from now on.
    pub(crate) async fn players(&self, players: Players) {
        // A battle that has left memory finds it on the disk.
        let _ = self.commands.send(Command::Players { players }).await;
    }

    /// The dice that a person has to throw for a computer player.
    pub(crate) async fn throwing(&self) -> Result<Option<WantedThrow>, Gone> {
        self.send(|answer| Command::Throwing { answer }).await
    }

    /// A person has thrown for a computer player.
    pub(crate) async fn throw(&self, faces: Vec<u8>) -> Result<Result<(), String>, Gone> {
        self.send(|answer| Command::Throw { faces, answer }).await
    }

    pub(super) async fn send<T>(&self, command: impl FnOnce(oneshot::Sender<T>) -> Command) -> Result<T, Gone> {
        let (answer, answered) = oneshot::channel();
        self.commands.send(command(answer)).await.map_err(|_| Gone)?;
        answered.await.map_err(|_| Gone)
    }
}
