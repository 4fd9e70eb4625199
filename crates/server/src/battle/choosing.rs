//! Requests that change a battle: what changed is on the disk before anybody hears of it.

use std::sync::Arc;

use sabretache_engine::erased::AnySession;
use sabretache_engine::ids::Side;
use sabretache_engine::log::Say;
use sabretache_engine::protocol::{Reply, Request};
use sabretache_engine::session::Seat;
use tokio::time::Instant;

use super::{Battle, declined};
use crate::agreed::spent;
use crate::friends::Turn;
use crate::messages::{Players, ServerMessage};
use crate::news::{News, told};
use crate::store::{Instructions, StoreError};

/// How often a choice is judged again because another process wrote first.
const JUDGED: usize = 8;

impl Battle {
    /// Answers a request. What changed is on the disk before anybody hears of it.
    pub(super) async fn ask(&mut self, seat: Seat, request: Request) -> Reply {
        // Whatever adds a line to the log would change what the links are revealed for.
        let changes = !is_look(&request) && !matches!(request, Request::Instruct { .. });
        if changes && let Err(why) = self.load_rolling().await {
            return declined(why);
        }
        if changes && self.rolling.is_some() {
            return match self.ends(&request).await {
                true => self.end_rolling(seat, request).await,
                false => declined("the dice of the last choice are still being agreed on".into()),
            };
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

    /// Whether a request ends the battle, whatever dice are still waited for.
    async fn ends(&mut self, request: &Request) -> bool {
        match request {
            Request::Say { say: Say::Resign | Say::OutOfTime(_) } => true,
            // Agreeing to take back would set free a choice whose links are known already.
            Request::Say { say: Say::Agree } => {
                let asked = self.work(|session| session.asked()).await;
                asked.ok().flatten().is_some_and(|asked| asked.say == Say::OfferDraw)
            }
            _ => false,
        }
    }

    /// Another process may have written to the log: what is new is read and told.
    pub(super) async fn wake(&mut self, lines: usize) {
        if self.session.is_none() && self.news.receiver_count() == 0 {
            return;
        }
        let before = self.rolling_now();
        if (lines == 0 || lines > self.lines) && self.catch_up().await {
            if self.throwing.take().is_some() {
                self.tell(&ServerMessage::Throw { wanted: None });
            }
            self.tries = 0;
        }
        // What stands beside the log is told without a number.
        if lines == 0 {
            self.look_at_aides().await;
        }
        if self.load_rolling().await.is_ok() && self.rolling_now() != before {
            self.tell_rolling();
        }
    }

    /// Something beside the log may have changed, here or by another process: what is new is told.
    pub(super) async fn look_beside(&mut self) {
        if self.session.is_none() && self.news.receiver_count() == 0 {
            return;
        }
        if self.store.woken().is_some() {
            if let Ok(Some(kept)) = self.store.battle(&self.kept.id).await
                && kept.players != self.kept.players
            {
                self.played_by(kept.players);
            }
            self.look_at_instructions().await;
        }
        for message in crate::friends::news(&*self.store, &self.kept.id, &mut self.heard).await {
            self.tell(&message);
        }
    }

    /// Standing instructions that another process was given hold here, too.
    async fn look_at_instructions(&mut self) {
        let Ok(given) = self.store.instructions(&self.kept.id).await else { return };
        if self.session.is_none() {
            return;
        }
        let instructed = self.work(move |session| {
            let ours = instructions(session);
            for (side, Instructions { list, quiet }) in given.into_iter().filter(|one| !ours.contains(one)) {
                session.answer(Seat::Umpire, &Request::Instruct { side, instructions: list, quiet, player: None });
            }
        });
        // Where the rules code fails at it, the battle is taken up anew, with them.
        let _ = instructed.await;
    }

    /// Somebody else plays from now on.
    pub(super) fn played_by(&mut self, players: Players) {
        self.kept.players = players.clone();
        self.tries = 0;
        self.throwing = None;
        self.tell(&ServerMessage::Players { players });
    }

    /// Carries a request out. Where another process has written to the log first, it is judged again by what stands there.
    pub(super) async fn carry_out(&mut self, seat: Seat, request: Request) -> Reply {
        let (begun, lines) = (Instant::now(), self.lines);
        for _ in 0..JUDGED {
            if let Some(reply) = self.carry_out_once(seat, request.clone()).await {
                if matches!(reply, Reply::Moment { .. }) && self.lines > lines {
                    self.figures.chosen(begun.elapsed());
                }
                return reply;
            }
            self.figures.judged_again();
        }
        declined("the battle goes on too fast elsewhere; try again".into())
    }

    pub(super) async fn carry_out_once(&mut self, seat: Seat, request: Request) -> Option<Reply> {
        let instructs = match &request {
            Request::Instruct { side, .. } => Some(*side),
            _ => None,
        };
        let whole = is_whole(&request);
        let answered = self.work(move |session| {
            let (since, line) = (session.now(), session.lines());
            let before = instructions(session);
            let mut reply = session.answer(seat, &request);
            let Reply::Moment { log, .. } = &mut reply else { return (reply, Vec::new(), None, Vec::new()) };
            let lines = log.clone();
            if session.sealed(seat) {
                log.iter_mut().for_each(String::clear);
            }
            let news = (!lines.is_empty()).then(|| told(session, since.min(session.now()), line, &lines, whole));
            // Those of the other side may be newer where another process was given them.
            let after = instructions(session).into_iter().zip(before);
            let after: Vec<_> = after.filter(|(after, before)| instructs == Some(after.0) || after != before).collect();
            (reply, lines, news, after)
        });
        let (reply, log, news, instructed) = match answered.await {
            Ok(answered) => answered,
            Err(why) => return Some(declined(why)),
        };
        let Reply::Moment { .. } = &reply else { return Some(reply) };
        for ((side, given), _) in instructed {
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
                // What is in memory has the choice in it already.
                self.begin_again().await;
                return None;
            }
            Err(error) => {
                self.session = None;
                return Some(declined(format!("it could not be saved, and was not done: {error}")));
            }
        }
        self.lines += count;
        if let Ok(moment) = self.work(|session| session.now()).await {
            self.moment = moment;
        }
        self.told = Some((self.lines, self.moment));
        self.tries = 0;
        if self.throwing.take().is_some() {
            // Something was taken back or set by hand meanwhile: it thinks again.
            self.tell(&ServerMessage::Throw { wanted: None });
        }
        if let Some((_, deciding)) = &news {
            tokio::spawn(self.moved(*deciding));
        }
        if let Some((replies, deciding)) = news {
            // Nobody may be listening.
            let _ = self.news.send(Arc::new(News::of_seats(self.lines, replies, deciding)));
        }
        Some(reply)
    }

    /// What another process has written is read and told; whether there was anything. Of a battle in memory only the new lines are read;
    /// where they do not fit what is known here, all of it.
    async fn catch_up(&mut self) -> bool {
        let before = self.lines;
        if self.session.is_some() {
            let Ok(new) = self.store.lines(&self.kept.id, before).await else { return false };
            if new.is_empty() {
                return false;
            }
            let (text, count) = (new.concat(), new.len());
            let revealed = spent(&text);
            let followed = self.work(move |session| session.follow(text.as_bytes()).map(|()| session.now())).await;
            if let Ok(Ok(moment)) = followed {
                (self.lines, self.moment, self.spent) = (before + count, moment, self.spent + revealed);
                match self.told {
                    Some((lines, since)) if lines == before => self.tell_of(lines, since, new).await,
                    _ => self.tell_missed().await,
                }
                return true;
            }
        }
        self.begin_again().await;
        self.lines > before
    }

    /// The battle is read whole from the disk, and told, whatever was thought to have happened instead.
    async fn begin_again(&mut self) {
        self.session = None;
        // Where the database does not answer, it is read and told when it does.
        let _ = self.work(|_| ()).await;
        self.tell_missed().await;
    }

    /// Tells of lines that came into the log without anybody here being told: another process wrote them, or the database
    /// said that it had not written what it had.
    pub(super) async fn tell_missed(&mut self) {
        let Some((lines, since)) = self.told.filter(|(lines, _)| *lines < self.lines) else { return };
        let Ok(mut new) = self.store.lines(&self.kept.id, lines).await else { return };
        new.truncate(self.lines - lines);
        self.tell_of(lines, since, new).await;
    }

    /// Tells what came after so many lines and the moment they led to.
    async fn tell_of(&mut self, lines: usize, since: usize, new: Vec<String>) {
        let (heard, upto) = (self.news.receiver_count() > 0, lines + new.len());
        let told = self.work(move |session| {
            let none = || (Vec::new(), session.deciding());
            if heard { told(session, since.min(session.now()), lines, &new, true) } else { none() }
        });
        let Ok((replies, deciding)) = told.await else { return };
        if self.lines != upto {
            // The battle was taken up anew meanwhile and has gone on: all of it is told next time.
            return;
        }
        self.told = Some((self.lines, self.moment));
        tokio::spawn(self.moved(deciding));
        if heard {
            // Nobody may be listening any more.
            let _ = self.news.send(Arc::new(News::of_seats(self.lines, replies, deciding)));
        }
    }

    /// The page beside the log is turned.
    pub(super) fn moved(&self, deciding: Option<Side>) -> impl Future<Output = ()> + Send + 'static {
        let owing = self.rolling.as_ref().and_then(|(rolling, _)| rolling.owing());
        let turn = Turn { lines: self.lines, moment: self.moment, deciding, owing };
        crate::friends::moved(self.store.clone(), self.news.clone(), self.kept.id.clone(), turn)
    }
}

/// Whether a request only looks: then a line that has several seats looks through the eyes of the one it is for.
pub(super) fn is_look(request: &Request) -> bool {
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
