//! One battle in memory: a task that owns the session and answers one request after the other.
//!
//! Rules code runs on a thread of its own, so that long odds in one battle never hold up another. If it fails, the
//! session is thrown away and taken up again from the disk: what is on the disk is the battle.

use std::sync::Arc;
use std::time::Duration;

use sabretache_engine::dice::Reveal;
use sabretache_engine::erased::{AnyRuleset, AnySession};
use sabretache_engine::ids::Side;
use sabretache_engine::log::{DiceSource, Hash, Say};
use sabretache_engine::patience::{self, Patience};
use sabretache_engine::protocol::{Reply, Request};
use sabretache_engine::scenario::Diagnostics;
use sabretache_engine::session::{Order, Seat};
use sabretache_players::fight::own_chance;
use sabretache_players::{Program, Skill, Thinker};
use tokio::sync::{broadcast, mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep_until};

use crate::agreed::{ROLLING, Rolling, spent};
use crate::figures::Figures;
use crate::messages::{BattleNow, Players, RollingNow, SeatName, ServerMessage, WantedThrow};
use crate::news::{News, looker, told};
use crate::players::{Came, Opponents, Thought, ask_program, thrown_by_hand};
use crate::secret::throw;
use crate::store::{Instructions, Kept, Store, StoreError, now};
use crate::thinkers::Thinkers;

/// How many requests may wait for a battle.
const WAITING: usize = 64;
/// How much news a connection may leave unread before it has to look at everything again.
const NEWS: usize = 64;
/// A battle that nobody has asked for so long is taken out of memory.
pub(crate) const IDLE: Duration = Duration::from_secs(300);
/// The most throws that one choice of a computer player may ask for where people throw real dice.
const MOST_THROWS: usize = 400;
/// A computer player leaves this much time between its choices, so that they can be followed.
const PAUSE: Duration = Duration::from_millis(120);
/// How often a computer player may choose what is then declined, before it is left to a person.
const TRIES: u64 = 16;

/// The longest that odds may take.
const ODDS: Duration = Duration::from_secs(5);
/// How long a process leads a battle's computer players without saying so again; it says so much more often.
const LEASE: Duration = Duration::from_secs(3);
const LEASE_AGAIN: Duration = Duration::from_millis(800);
/// How often a choice is judged again because another process wrote first.
const JUDGED: usize = 8;
/// Two computers play on for so long when nobody looks on.
const UNSEEN: Duration = Duration::from_secs(60);
/// What the computer players of a battle are waited for as.
pub(crate) const COMPUTER: &str = "computer";

/// All that battles share.
#[derive(Clone)]
pub(crate) struct Shared {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) opponents: Opponents,
    pub(crate) thinkers: Arc<Thinkers>,
    pub(crate) figures: Arc<Figures>,
    /// The name of this process among those that serve the same battles.
    pub(crate) holder: Arc<str>,
}

/// What is asked of a battle.
enum Command {
    Ask { seat: Seat, seats: Vec<SeatName>, request: Request, answer: oneshot::Sender<Answer> },
    Open { seats: Vec<SeatName>, answer: oneshot::Sender<Result<Openness, String>> },
    Standing { answer: oneshot::Sender<Result<BattleNow, String>> },
    Branch { moment: usize, seed: u64, answer: oneshot::Sender<Result<String, String>> },
    Think { answer: oneshot::Sender<Result<Option<Box<dyn Thinker>>, String>> },
    Players { players: Players },
    Reveal { side: Side, link: Reveal, bound: Hash, answer: oneshot::Sender<Result<(), String>> },
    Rolling { answer: oneshot::Sender<Option<RollingNow>> },
    Wake { lines: usize },
    End,
    Throwing { answer: oneshot::Sender<Option<WantedThrow>> },
    Throw { faces: Vec<u8>, answer: oneshot::Sender<Result<(), String>> },
}

/// What a computer player came to: the moment it thought about, and its choice.
type Thinking = JoinHandle<(usize, Came)>;

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
        let battle = Battle {
            kept,
            ruleset,
            store: shared.store,
            opponents: shared.opponents,
            thinkers: shared.thinkers,
            figures: shared.figures,
            holder: shared.holder,
            wanted: false,
            asked_at: Instant::now(),
            news: news.clone(),
            session: None,
            lines: 0,
            moment: 0,
            tries: 0,
            thinking: None,
            throwing: None,
            host: None,
            spent: 0,
            rolling: None,
        };
        tokio::spawn(async move {
            battle.run(waiting, idle).await;
            gone();
        });
        Self { commands, news }
    }

    /// Tells everybody who listens.
    pub(crate) fn tell(&self, message: &ServerMessage) {
        // Nobody may be listening.
        let _ = self.news.send(Arc::new(News::of_all(message)));
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

    async fn send<T>(&self, command: impl FnOnce(oneshot::Sender<T>) -> Command) -> Result<T, Gone> {
        let (answer, answered) = oneshot::channel();
        self.commands.send(command(answer)).await.map_err(|_| Gone)?;
        answered.await.map_err(|_| Gone)
    }
}

struct Battle {
    kept: Kept,
    ruleset: &'static dyn AnyRuleset,
    store: Arc<dyn Store>,
    opponents: Opponents,
    thinkers: Arc<Thinkers>,
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
}

impl Battle {
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
                    if !matches!(command, Command::Wake { .. }) {
                        self.asked_at = Instant::now();
                    }
                    self.obey(command).await;
                    idle_at = Instant::now() + idle;
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
        }
    }

    async fn obey(&mut self, command: Command) {
        // Whoever asked may have gone; that is no concern of the battle.
        match command {
            Command::Ask { seats, request: request @ Request::Odds { .. }, answer, .. } => {
                self.odds(seats, request, answer).await;
            }
            Command::Ask { seat, seats, request, answer } => {
                let reply = match is_look(&request) {
                    true => self.look(&seats, request).await,
                    false => self.ask(seat, request).await,
                };
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
                let _ = answer.send(standing.map(|(moment, deciding, verdict, enforcement)| BattleNow {
                    lines: self.lines,
                    moment,
                    deciding,
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
            Command::Wake { lines } => self.wake(lines).await,
            Command::End => {}
            Command::Throwing { answer } => {
                let _ = answer.send(self.throwing.as_ref().map(|throwing| throwing.wanted.clone()));
            }
            Command::Throw { faces, answer } => {
                let _ = answer.send(self.throw(faces).await);
            }
            Command::Players { players } => {
                self.kept.players = players.clone();
                self.tries = 0;
                self.throwing = None;
                self.tell(&ServerMessage::Players { players });
            }
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

    /// Answers a request. What changed is on the disk before anybody hears of it.
    async fn ask(&mut self, seat: Seat, request: Request) -> Reply {
        // Whatever adds a line to the log would change what the links are revealed for.
        let changes = !is_look(&request) && !matches!(request, Request::Instruct { .. });
        if changes && let Err(why) = self.load_rolling().await {
            return declined(why);
        }
        if changes && self.rolling.is_some() {
            return declined("the dice of the last choice are still being agreed on".into());
        }
        let chosen = first_choice(&request);
        let reply = self.carry_out(seat, request).await;
        if let (Reply::Dice { .. }, Some(request), Some(_)) = (&reply, chosen, self.host)
            && let Err(why) = self.write_down(seat, request).await
        {
            return declined(why);
        }
        reply
    }

    /// A choice with agreed dice is written down before any link is revealed for it.
    async fn write_down(&mut self, seat: Seat, request: Request) -> Result<(), String> {
        let Request::Choose { offer, value, .. } = &request else { return Err("that is no choice".into()) };
        let order = Order { offer: offer.clone(), value: value.clone(), ..Order::default() };
        let bound = self.work(move |session| session.binding(&order)).await?;
        let rolling = Rolling::new(seat, request, self.spent + 1, bound);
        let text = rolling.text();
        let kept = self.store.turn_page(&self.kept.id, ROLLING, None, Some(&text)).await;
        if !kept.map_err(|error| format!("it could not be saved, and was not done: {error}"))? {
            return Err("the dice of the last choice are still being agreed on".into());
        }
        self.rolling = Some((rolling, text));
        self.tell_rolling();
        Ok(())
    }

    /// The choice that waits for its dice, as it is kept: another process may have written it down or gone on with it.
    async fn load_rolling(&mut self) -> Result<(), String> {
        if self.session.is_none() {
            self.work(|_| ()).await?;
        }
        if self.host.is_none() {
            return Ok(());
        }
        let page = self.store.page(&self.kept.id, ROLLING).await.map_err(|error| error.to_string())?;
        self.rolling = match page {
            Some(text) => {
                let rolling =
                    serde_json::from_str(&text).map_err(|error| format!("the database is damaged: {error}"))?;
                Some((rolling, text))
            }
            None => None,
        };
        // One that was carried out by a process that was killed before it took the page away.
        if let Some((_, text)) = self.rolling.take_if(|(rolling, _)| rolling.n <= self.spent) {
            let cleared = self.store.turn_page(&self.kept.id, ROLLING, Some(&text), None).await;
            cleared.map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    fn rolling_now(&self) -> Option<RollingNow> {
        self.rolling.as_ref().map(|(rolling, _)| RollingNow { n: rolling.n, choice: rolling.bound.to_string() })
    }

    fn tell_rolling(&self) {
        if let Some(rolling) = self.rolling_now() {
            self.tell(&ServerMessage::Reveal { rolling });
        }
    }

    /// A side reveals its link; when both have, the choice is carried out.
    async fn reveal(&mut self, side: Side, link: Reveal, bound: Hash) -> Result<(), String> {
        let rolling = loop {
            self.load_rolling().await?;
            let (mut rolling, text) = self.rolling.clone().ok_or("no dice are being agreed on")?;
            rolling.reveal(side, link, bound)?;
            if self.turn_rolling(&text, Some(&rolling)).await? {
                break rolling;
            }
        };
        let Some((seat, request)) = self.host.and_then(|host| rolling.ready(host)) else { return Ok(()) };
        match self.carry_out(seat, request).await {
            Reply::Moment { .. } => {
                self.spent = rolling.n;
                self.turn_rolling(&rolling.text(), None).await.map(drop)
            }
            Reply::Declined { why, .. } => {
                // Another process may have carried it out: then nothing waits any more.
                self.load_rolling().await?;
                let Some((mut waiting, text)) = self.rolling.clone() else { return Ok(()) };
                waiting.ask_again();
                self.turn_rolling(&text, Some(&waiting)).await?;
                Err(why)
            }
            other => {
                self.turn_rolling(&rolling.text(), None).await?;
                Err(format!("the choice cannot be carried out: {other:?}"))
            }
        }
    }

    /// Keeps how far the choice that waits is, if nobody else has meanwhile.
    async fn turn_rolling(&mut self, was: &str, rolling: Option<&Rolling>) -> Result<bool, String> {
        let text = rolling.map(Rolling::text);
        let turned = self.store.turn_page(&self.kept.id, ROLLING, Some(was), text.as_deref()).await;
        let turned = turned.map_err(|error| error.to_string())?;
        if turned {
            self.rolling = rolling.cloned().zip(text);
        }
        Ok(turned)
    }

    /// Odds are worked out on a copy, for as long as somebody waits for them: the battle answers meanwhile.
    async fn odds(&mut self, seats: Vec<SeatName>, request: Request, mut answer: oneshot::Sender<Answer>) {
        let lines = self.lines;
        let copy = self.work(|session| session.fork()).await;
        let (turns, figures) = (Arc::clone(&self.thinkers.odds), Arc::clone(&self.figures));
        tokio::spawn(async move {
            let mut copy = match copy {
                Ok(copy) => copy,
                Err(why) => return drop(answer.send(Answer { lines, reply: declined(why) })),
            };
            let turn = tokio::select! {
                turn = turns.acquire_owned() => turn,
                () = answer.closed() => return,
            };
            let patience = Patience::lasting(ODDS);
            let asked = patience.clone();
            let work = tokio::task::spawn_blocking(move || {
                let seat = looker(&seats, copy.deciding());
                patience::with(&patience, || copy.answer(seat.into(), &request))
            });
            let mut work = std::pin::pin!(work);
            let done = tokio::select! {
                done = &mut work => done,
                () = answer.closed() => {
                    asked.stop();
                    figures.odds_given_up();
                    let _ = work.await;
                    return;
                }
            };
            drop(turn);
            let failed = || declined("the rules code failed at this; the battle is as it was".into());
            let _ = answer.send(Answer { lines, reply: done.unwrap_or_else(|_| failed()) });
        });
    }

    /// Another process may have written to the log: what is new is read and told.
    async fn wake(&mut self, lines: usize) {
        if self.session.is_none() && self.news.receiver_count() == 0 {
            return;
        }
        let before = self.rolling_now();
        let known = lines != 0 && lines <= self.lines;
        let length = if known { self.lines } else { self.store.length(&self.kept.id).await.unwrap_or(self.lines) };
        if length > self.lines {
            self.catch_up().await;
            if self.throwing.take().is_some() {
                self.tell(&ServerMessage::Throw { wanted: None });
            }
            self.tries = 0;
        }
        if self.load_rolling().await.is_ok() && self.rolling_now() != before {
            self.tell_rolling();
        }
    }

    /// Carries a request out. Where another process has written to the log first, it is judged again by what stands there.
    async fn carry_out(&mut self, seat: Seat, request: Request) -> Reply {
        for _ in 0..JUDGED {
            if let Some(reply) = self.carry_out_once(seat, request.clone()).await {
                return reply;
            }
            self.figures.judged_again();
        }
        declined("the battle goes on too fast elsewhere; try again".into())
    }

    async fn carry_out_once(&mut self, seat: Seat, request: Request) -> Option<Reply> {
        let instructs = matches!(request, Request::Instruct { .. });
        let whole = is_whole(&request);
        let answered = self.work(move |session| {
            let (since, line) = (session.now(), session.lines());
            let before = instructions(session);
            let mut reply = session.answer(seat, &request);
            let Reply::Moment { log, .. } = &mut reply else { return (reply, Vec::new(), None, None) };
            let lines = log.clone();
            if session.sealed(seat) {
                log.iter_mut().for_each(String::clear);
            }
            let news = (!lines.is_empty()).then(|| told(session, since.min(session.now()), line, &lines, whole));
            let after = Some(instructions(session)).filter(|after| instructs || *after != before);
            (reply, lines, news, after)
        });
        let (reply, log, news, instructed) = match answered.await {
            Ok(answered) => answered,
            Err(why) => return Some(declined(why)),
        };
        let Reply::Moment { .. } = &reply else { return Some(reply) };
        for (side, given) in instructed.into_iter().flatten() {
            if let Err(error) = self.store.instruct(&self.kept.id, side, &given).await {
                self.session = None;
                return Some(declined(error.to_string()));
            }
        }
        if log.is_empty() {
            return Some(reply);
        }
        let count = log.len();
        match self.store.append(&self.kept.id, self.lines, log).await {
            Ok(()) => {}
            Err(StoreError::Conflict) => {
                self.catch_up().await;
                return None;
            }
            Err(error) => {
                self.session = None;
                return Some(declined(format!("it could not be saved, and was not done: {error}")));
            }
        }
        self.lines += count;
        self.figures.chosen();
        if let Ok(moment) = self.work(|session| session.now()).await {
            self.moment = moment;
        }
        self.tries = 0;
        if self.throwing.take().is_some() {
            // Something was taken back or set by hand meanwhile: it thinks again.
            self.tell(&ServerMessage::Throw { wanted: None });
        }
        if let Some((_, deciding)) = &news {
            let (store, news) = (self.store.clone(), self.news.clone());
            crate::friends::moved(store, news, self.kept.id.clone(), self.lines, *deciding);
        }
        if let Some((replies, deciding)) = news {
            // Nobody may be listening.
            let _ = self.news.send(Arc::new(News::of_seats(self.lines, replies, deciding)));
        }
        Some(reply)
    }

    /// What this process did not know of is read and told, whatever was thought to have happened instead.
    async fn catch_up(&mut self) {
        let (old, since) = (self.lines, self.moment);
        self.session = None;
        let Ok(new) = self.store.lines(&self.kept.id, old).await else { return };
        let told = self.work(move |session| told(session, since.min(session.now()), old, &new, true)).await;
        if let Ok((replies, deciding)) = told {
            // Nobody may be listening.
            let _ = self.news.send(Arc::new(News::of_seats(self.lines, replies, deciding)));
        }
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
        let done = tokio::task::spawn_blocking(move || {
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
        let resumed = tokio::task::spawn_blocking(move || {
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
        }
        resumed
    }

    /// The side that a computer player has to decide for now, and which player it is.
    async fn computer_side(&mut self) -> Option<(Side, Skill)> {
        let computers = Side::BOTH.map(|side| self.opponents.find(self.kept.players.of(side)));
        if computers == [None, None] || self.tries >= TRIES || self.throwing.is_some() {
            return None;
        }
        if computers.iter().all(Option::is_some) && self.is_unseen() {
            return None;
        }
        let deciding = self.work(|session| session.deciding()).await.ok()??;
        computers[deciding.index()].map(|skill| (deciding, skill))
    }

    /// Nobody listens, and nobody has asked for a while.
    fn is_unseen(&self) -> bool {
        self.news.receiver_count() == 0 && self.asked_at.elapsed() > UNSEEN
    }

    /// When a computer player is to decide. Where several processes serve the battle, they know of it: should this one be
    /// killed, another goes on.
    async fn computer_due(&mut self) -> Option<Instant> {
        let due = self.computer_side().await.map(|_| Instant::now() + PAUSE);
        if due.is_some() != self.wanted && self.store.woken().is_some() {
            let told = match due {
                Some(_) => self.store.want(&self.kept.id, COMPUTER, now()).await,
                None => self.store.unwant(&self.kept.id, COMPUTER).await,
            };
            if told.is_ok() {
                self.wanted = due.is_some();
            }
        }
        due
    }

    /// A computer player begins to think about the battle as it stands.
    async fn computer_thinks(&mut self) -> Option<Thinking> {
        let (side, mut skill) = self.computer_side().await?;
        // Where the database does not answer, nothing could be written either.
        if !self.store.hold(&self.kept.id, &self.holder, LEASE).await.unwrap_or(false) {
            return None;
        }
        if self.tries > 0 {
            // Its choice was declined: anything that the rules allow will do.
            skill = Skill::Recruit;
        }
        let laboratory = self.opponents.laboratory(&self.kept.ruleset)?;
        let program = skill.program();
        let look = move |session: &mut dyn AnySession| match program {
            Some(program) => Some((session.now(), Mind::Program(program, session.fork()))),
            None => Some((session.now(), Mind::Own(Thought { thinker: laboratory.thinker(session)?, skill }))),
        };
        let (moment, mind) = self.work(move |session| look(session)).await.ok()??;
        // Its own chance: from the name of the battle and the moment, never from the dice.
        let own = sha2::Digest::finalize(<sha2::Sha256 as sha2::Digest>::new_with_prefix(&self.kept.id));
        let seed = own.iter().take(8).fold(0, |seed, byte| seed << 8 | u64::from(*byte));
        let mut random = own_chance(seed, side, (self.lines as u64) * TRIES + self.tries);
        let (thinkers, id) = (Arc::clone(&self.thinkers), self.kept.id.clone());
        Some(tokio::spawn(async move {
            let turn = thinkers.turn(&id).await;
            let patience = turn.patience();
            let think = move || match mind {
                Mind::Own(thought) => thought.order(&mut random).map_or(Came::Nothing, Came::Order),
                Mind::Program(program, copy) => ask_program(program, side, copy, &mut random),
            };
            let came = tokio::task::spawn_blocking(move || patience::with(&patience, think)).await;
            drop(turn);
            (moment, came.unwrap_or(Came::Nothing))
        }))
    }

    /// What it came to is done, if the battle still stands where it stood and the side is still the computer's.
    async fn computer_chooses(&mut self, decided: Option<(usize, Came)>) {
        let Some((side, _)) = self.computer_side().await else { return };
        let now = self.work(|session| session.now()).await.ok();
        if let Some((moment, _)) = &decided
            && now != Some(*moment)
        {
            // Something was taken back or set by hand meanwhile: it thinks again.
            return;
        }
        self.tries += 1;
        match decided {
            Some((moment, Came::Order(order))) => {
                let dice = order.dice.clone();
                self.computer_rolls(side, moment, order, dice).await;
            }
            Some((_, Came::GivesUp)) => {
                self.ask(Seat::Player(side), Request::Say { say: Say::Resign }).await;
            }
            Some((_, Came::Nothing)) | None => {}
        }
    }

    /// Carries a computer player's choice out. Where people throw real dice, it has none to throw: a person throws for
    /// it where that was asked for, and otherwise the server does.
    async fn computer_rolls(&mut self, side: Side, moment: usize, order: Order, mut dice: Vec<u8>) {
        let by_hand = thrown_by_hand(self.kept.players.of(side));
        for _ in 0..MOST_THROWS {
            let request = Request::Choose {
                offer: order.offer.clone(),
                value: order.value.clone(),
                moment: Some(moment),
                dice: dice.clone(),
                reveals: order.reveals.clone(),
                despite: false,
                player: None,
                whole: true,
            };
            match self.ask(Seat::Player(side), request).await {
                Reply::Dice { throw, count, dice: kinds, reckoning, given } if by_hand => {
                    // What it is for is not told where something is hidden from whoever throws.
                    let open = self.work(move |session| session.sees_all(Seat::Player(side.other()))).await;
                    let reckoning = reckoning.filter(|_| open == Ok(true));
                    let reply = Reply::Dice { throw, count, dice: kinds, reckoning, given: given.clone() };
                    let wanted = WantedThrow { side, dice: reply };
                    self.tell(&ServerMessage::Throw { wanted: Some(wanted.clone()) });
                    self.throwing = Some(Throwing { side, moment, order, given, count, wanted });
                    return;
                }
                Reply::Dice { dice: kinds, given, .. } if self.host.is_none() => {
                    let Ok(faces) = kinds.into_iter().map(throw).collect::<Result<Vec<u8>, _>>() else { break };
                    dice = given;
                    dice.extend(faces);
                }
                _ => break,
            }
        }
    }

    /// A person has thrown for a computer player: its choice goes on with these faces.
    async fn throw(&mut self, faces: Vec<u8>) -> Result<(), String> {
        let throwing = self.throwing.as_ref().ok_or("no dice are wanted for a computer player")?;
        if faces.len() != throwing.count {
            return Err(format!("{} dice are wanted", throwing.count));
        }
        let Some(Throwing { side, moment, order, mut given, .. }) = self.throwing.take() else { return Ok(()) };
        given.extend(faces);
        self.computer_rolls(side, moment, order, given).await;
        if self.throwing.is_none() {
            self.tell(&ServerMessage::Throw { wanted: None });
        }
        Ok(())
    }
}

/// Who thinks, and about what.
enum Mind {
    /// A player of ours.
    Own(Thought),
    /// A program, about a copy of the battle.
    Program(&'static Program, Box<dyn AnySession>),
}

/// A computer player's choice that waits for the dice a person throws.
struct Throwing {
    side: Side,
    moment: usize,
    order: Order,
    /// What fell for it before.
    given: Vec<u8>,
    /// How many dice are wanted now.
    count: usize,
    wanted: WantedThrow,
}

/// Whether a request only looks: then a line that has several seats looks through the eyes of the one it is for.
fn is_look(request: &Request) -> bool {
    matches!(
        request,
        Request::View { .. }
            | Request::Decision { .. }
            | Request::Odds { .. }
            | Request::Why { .. }
            | Request::Preview { .. }
            | Request::Overlays { .. }
            | Request::Adjustable { .. }
            | Request::Story { .. }
            | Request::Letters
            | Request::Report
            | Request::Save
            | Request::Log
    )
}

/// Whether all that is to be seen and decided comes with the answer, and with the news of it.
fn is_whole(request: &Request) -> bool {
    match request {
        Request::Choose { whole, .. } | Request::Series { whole, .. } | Request::Undo { whole, .. } => *whole,
        _ => false,
    }
}

/// The choice that a request makes first: a series waits for agreed dice with its first choice alone.
fn first_choice(request: &Request) -> Option<Request> {
    match request {
        Request::Choose { .. } => Some(request.clone()),
        Request::Series { choices, moment, dice, reveals, player, whole, .. } => {
            let first = choices.first()?;
            Some(Request::Choose {
                offer: first.offer.clone(),
                value: first.value.clone(),
                moment: *moment,
                dice: dice.clone(),
                reveals: reveals.clone(),
                despite: false,
                player: player.clone(),
                whole: *whole,
            })
        }
        _ => None,
    }
}

/// The standing instructions of both sides.
fn instructions(session: &dyn AnySession) -> [(Side, Instructions); 2] {
    Side::BOTH
        .map(|side| (side, Instructions { list: session.instructions(side), quiet: Some(session.is_quiet(side)) }))
}

/// What a computer player does next.
enum Computer {
    Due,
    Thinks,
    Decided(Option<(usize, Came)>),
}

fn declined(why: String) -> Reply {
    Reply::Declined { why, diagnostics: Diagnostics::new() }
}
