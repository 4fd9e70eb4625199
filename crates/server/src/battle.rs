//! One battle in memory: a task that owns the session and answers one request after the other.
//!
//! Rules code runs on a thread of its own, so that long odds in one battle never hold up another. If it fails, the
//! session is thrown away and taken up again from the disk: what is on the disk is the battle.

mod aides;
mod choosing;
mod computers;
mod handle;
mod odds;
mod rolling;

use std::sync::Arc;
use std::time::Duration;

use sabretache_engine::erased::{AnyRuleset, AnySession};
use sabretache_engine::ids::Side;
use sabretache_engine::log::DiceSource;
use sabretache_engine::protocol::{Reply, Request};
use sabretache_engine::scenario::Diagnostics;
use sabretache_engine::session::Seat;
use tokio::sync::{broadcast, mpsc};
use tokio::time::{Instant, sleep_until};

use self::choosing::is_look;
pub(crate) use self::computers::COMPUTER;
use self::computers::{Computer, LEASE, LEASE_AGAIN, Thinking, Throwing};
use self::handle::Command;
pub(crate) use self::handle::{Answer, Gone, Handle, Openness};
use crate::agreed::{Rolling, spent};
use crate::apart::apart;
use crate::figures::Figures;
use crate::messages::{BattleNow, SeatName, ServerMessage};
use crate::news::{News, looker};
use crate::players::Opponents;
use crate::store::{Instructions, Kept, Store};
use crate::thinkers::Thinkers;

/// A battle that nobody has asked for so long is taken out of memory.
pub(crate) const IDLE: Duration = Duration::from_secs(300);

/// All that battles share.
#[derive(Clone)]
pub(crate) struct Shared {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) opponents: Opponents,
    pub(crate) thinkers: Arc<Thinkers>,
    /// Odds have threads of their own: a person waits for them.
    pub(crate) odds: Arc<Thinkers>,
    pub(crate) figures: Arc<Figures>,
    /// The name of this process among those that serve the same battles.
    pub(crate) holder: Arc<str>,
}

struct Battle {
    kept: Kept,
    ruleset: &'static dyn AnyRuleset,
    store: Arc<dyn Store>,
    opponents: Opponents,
    thinkers: Arc<Thinkers>,
    odds: Arc<Thinkers>,
    figures: Arc<Figures>,
    holder: Arc<str>,
    /// Whether the other processes know that a computer player has to decide.
    wanted: bool,
    /// When somebody last asked for something.
    asked_at: Instant,
    news: broadcast::Sender<Arc<News>>,
    /// Nothing before it is first needed, and after the rules code or the disk failed.
    session: Option<Box<dyn AnySession>>,
    /// How many lines of the log are on the disk,
    lines: usize,
    /// and the moment they lead to.
    moment: usize,
    /// Up to which line and moment those who listen know what happened; nothing before anybody was told anything.
    told: Option<(usize, usize)>,
    /// What those who listen have heard of what stands beside the log.
    heard: Option<crate::friends::Heard>,
    /// How often the computer player's choice was declined at this moment.
    tries: u64,
    /// A computer player that thinks, on a thread of its own: the battle answers meanwhile.
    thinking: Option<Thinking>,
    /// The computer player's choice for which a person throws the dice.
    throwing: Option<Throwing>,
    /// The server's secret, where the dice are agreed on,
    host: Option<[u8; 32]>,
    /// how many links of each chain are spent,
    spent: usize,
    /// and the choice that waits for its dice.
    rolling: Option<(Rolling, String)>,
    /// What is handed to aides.
    aides: aides::AidesHere,
}

impl Battle {
    fn new(kept: Kept, ruleset: &'static dyn AnyRuleset, shared: Shared, news: broadcast::Sender<Arc<News>>) -> Self {
        Self {
            kept,
            ruleset,
            store: shared.store,
            opponents: shared.opponents,
            thinkers: shared.thinkers,
            odds: shared.odds,
            figures: shared.figures,
            holder: shared.holder,
            wanted: false,
            asked_at: Instant::now(),
            news,
            session: None,
            lines: 0,
            moment: 0,
            told: None,
            heard: None,
            tries: 0,
            thinking: None,
            throwing: None,
            host: None,
            spent: 0,
            rolling: None,
            aides: aides::AidesHere::default(),
        }
    }

    async fn run(mut self, mut waiting: mpsc::Receiver<Command>, idle: Duration) {
        let mut computer_at = self.computer_due().await;
        let mut idle_at = Instant::now() + idle;
        loop {
            let mut thinking = self.thinking.take();
            let computer = async {
                match (&mut thinking, computer_at) {
                    (Some(thinking), _) => match tokio::time::timeout(LEASE_AGAIN, thinking).await {
                        Ok(decided) => Computer::Decided(decided.ok()),
                        Err(_) => Computer::Thinks,
                    },
                    (None, Some(at)) => {
                        sleep_until(at).await;
                        Computer::Due
                    }
                    (None, None) => std::future::pending().await,
                }
            };
            tokio::select! {
                biased;
                command = waiting.recv() => {
                    let command = match command {
                        None | Some(Command::End) => return,
                        Some(command) => command,
                    };
                    self.thinking = thinking;
                    // What this process says to itself keeps no battle in memory.
                    let asked = !matches!(command, Command::Wake { .. } | Command::Passed { .. } | Command::Beside);
                    if asked {
                        self.asked_at = Instant::now();
                    }
                    self.obey(command).await;
                    if asked {
                        idle_at = Instant::now() + idle;
                    }
                    if computer_at.is_none() {
                        computer_at = self.computer_due().await;
                    }
                }
                computer = computer => match computer {
                    Computer::Due => {
                        self.thinking = self.computer_thinks().await;
                        if self.thinking.is_none() {
                            // Another process leads this battle, or nothing is to be decided any more: looked at again later.
                            computer_at = self.computer_due().await.map(|_| Instant::now() + LEASE_AGAIN);
                        }
                    }
                    Computer::Thinks => {
                        self.thinking = thinking;
                        // Whether it still has the lease or not, what it comes to is judged by the log.
                        let _ = self.store.hold(&self.kept.id, &self.holder, LEASE).await;
                    }
                    Computer::Decided(decided) => {
                        self.computer_chooses(decided).await;
                        computer_at = self.computer_due().await;
                    }
                },
                () = sleep_until(idle_at) => {
                    self.thinking = thinking;
                    if self.news.receiver_count() == 0 && computer_at.is_none() {
                        return;
                    }
                    idle_at = Instant::now() + idle;
                }
            }
            self.tell_missed().await;
        }
    }

    async fn obey(&mut self, command: Command) {
        // Whoever asked may have gone; that is no concern of the battle.
        match command {
            Command::Ask { seats, request: request @ Request::Odds { .. }, answer, .. } => {
                self.odds(seats, request, answer).await;
            }
            Command::Ask { seat, seats, request, answer } => {
                let waits = aides::makes_wait(&request);
                let reply = match is_look(&request) {
                    true => self.look(&seats, request).await,
                    false => self.ask(seat, request).await,
                };
                if let (Reply::Moment { .. }, Some(waits)) = (&reply, waits) {
                    self.aides_after(seat, waits).await;
                }
                let _ = answer.send(Answer { lines: self.lines, reply });
            }
            Command::Open { seats, answer } => {
                let open = self.work(move |session| {
                    let any = |holds: &dyn Fn(Seat) -> bool| seats.iter().any(|seat| holds((*seat).into()));
                    Openness { table: any(&|seat| session.sees_all(seat)), log: any(&|seat| !session.sealed(seat)) }
                });
                let _ = answer.send(open.await);
            }
            Command::Standing { answer } => {
                let standing =
                    self.work(|session| (session.now(), session.deciding(), session.verdict(), session.enforcement()));
                let standing = standing.await;
                let _ = self.load_rolling().await;
                let _ = answer.send(standing.map(|(moment, deciding, verdict, enforcement)| BattleNow {
                    lines: self.lines,
                    moment,
                    deciding,
                    owing: self.rolling.as_ref().and_then(|(rolling, _)| rolling.owing()),
                    verdict,
                    enforcement,
                }));
            }
            Command::Branch { moment, seed, answer } => {
                let branch = self.work(move |session| {
                    let branch = session.branch(moment, Some(DiceSource::Seeded(seed)));
                    branch.map(|(_, log)| log).map_err(|declined| declined.to_string())
                });
                let _ = answer.send(branch.await.and_then(|log| log));
            }
            Command::Think { answer } => {
                let laboratory = self.opponents.laboratory(&self.kept.ruleset);
                let thinker = self.work(move |session| laboratory?.thinker(session)).await;
                let _ = answer.send(thinker);
            }
            Command::Reveal { side, link, bound, answer } => {
                let _ = answer.send(self.reveal(side, link, bound).await);
            }
            Command::Rolling { answer } => {
                let _ = self.load_rolling().await;
                let _ = answer.send(self.rolling_now());
            }
            Command::Aides(asked) => self.asked_of_aides(asked).await,
            Command::Wake { lines } => self.wake(lines).await,
            // A notice was lost: whatever else it was about is looked at, too.
            Command::Passed { lines } if lines > self.lines => self.wake(0).await,
            // Where dice are agreed on, a choice may wait beside the log.
            Command::Passed { lines } if self.host.is_some() => self.wake(lines).await,
            Command::Passed { .. } => {}
            Command::Beside => self.look_beside().await,
            Command::End => {}
            Command::Throwing { answer } => {
                let _ = answer.send(self.throwing.as_ref().map(|throwing| throwing.wanted.clone()));
            }
            Command::Throw { faces, answer } => {
                let _ = answer.send(self.throw(faces).await);
            }
            Command::Players { players } => self.played_by(players),
        }
    }

    /// Answers a request that changes nothing, as the line's seats may know it.
    async fn look(&mut self, seats: &[SeatName], request: Request) -> Reply {
        let seats = seats.to_vec();
        let looked = self.work(move |session| {
            let seat = looker(&seats, session.deciding());
            session.answer(seat.into(), &request)
        });
        looked.await.unwrap_or_else(declined)
    }

    /// Tells everybody who listens.
    fn tell(&self, message: &ServerMessage) {
        // Nobody may be listening.
        let _ = self.news.send(Arc::new(News::of_all(message)));
    }

    /// Does something with the session, on a thread where it may take its time.
    async fn work<T: Send + 'static>(
        &mut self,
        work: impl FnOnce(&mut dyn AnySession) -> T + Send + 'static,
    ) -> Result<T, String> {
        let mut session = match self.session.take() {
            Some(session) => session,
            None => self.take_up().await?,
        };
        let done = apart(move || {
            let result = work(&mut *session);
            (session, result)
        });
        match done.await {
            Ok((session, result)) => {
                self.session = Some(session);
                Ok(result)
            }
            Err(_) => Err("the rules code failed at this; the battle is as it was".into()),
        }
    }

    /// Takes the battle up from the disk.
    async fn take_up(&mut self) -> Result<Box<dyn AnySession>, String> {
        let (log, lines) = self.store.log(&self.kept.id).await.map_err(|error| error.to_string())?;
        let instructions = self.store.instructions(&self.kept.id).await.map_err(|error| error.to_string())?;
        let people = Side::BOTH.map(|side| self.opponents.find(self.kept.players.of(side)).is_none());
        let ruleset = self.ruleset;
        let spent = spent(&log);
        let resumed = apart(move || {
            let mut session = ruleset.resume(log.as_bytes()).map_err(|error| error.to_string())?;
            for side in Side::BOTH {
                session.be_quiet(side, people[side.index()]);
            }
            for (side, Instructions { list, quiet }) in instructions {
                session.answer(Seat::Umpire, &Request::Instruct { side, instructions: list, quiet, player: None });
            }
            Ok(session)
        });
        self.lines = lines;
        self.spent = spent;
        self.host =
            self.store.parley(&self.kept.id).await.map_err(|error| error.to_string())?.map(|parley| parley.host);
        let resumed =
            resumed.await.unwrap_or_else(|_| Err("the rules code failed at taking the battle up again".into()));
        if let Ok(session) = &resumed {
            self.moment = session.now();
            self.told.get_or_insert((self.lines, self.moment));
        }
        resumed
    }
}

fn declined(why: String) -> Reply {
    Reply::Declined { why, diagnostics: Diagnostics::new() }
}
