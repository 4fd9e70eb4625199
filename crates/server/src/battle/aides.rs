//! The aides of a battle: errands are kept beside its log, and a side's aides choose like a computer player where they have something to do.

use std::sync::Arc;

use sabretache_engine::ids::Side;
use sabretache_engine::protocol::{Reply, Request};
use sabretache_engine::session::Seat;
use sabretache_players::Drawn;
use sabretache_players::plan::Errand;
use tokio::sync::oneshot;

use super::handle::Command;
use super::{Battle, Gone, Handle};
use crate::aides::{AIDES, Aides, AidesChange, AidesNow, NewErrand, TASKS, TasksOpen};
use crate::messages::ServerMessage;
use crate::news::News;

/// What is asked of the aides of a battle.
pub(super) enum Asked {
    HandOver { new: NewErrand, answer: oneshot::Sender<Result<AidesNow, String>> },
    Open { new: NewErrand, answer: oneshot::Sender<Result<TasksOpen, String>> },
    Wish { side: Side, wish: AidesChange, answer: oneshot::Sender<Result<AidesNow, String>> },
}

/// The aides as this process knows them.
#[derive(Default)]
pub(super) struct AidesHere {
    aides: Aides,
    /// The page as it was read; nothing before it was, and the page may be none.
    page: Option<Option<String>>,
    /// So many lines the log had when they saw nothing more to be done: the rest is the person's.
    passed: Option<usize>,
    /// The side that decided when it was last looked at.
    deciding: Option<Side>,
}

impl AidesHere {
    fn act(&self, side: Side, lines: usize) -> bool {
        self.aides.act(side) && self.passed != Some(lines)
    }
}

impl Handle {
    /// A command is handed over.
    pub(crate) async fn hand_over(&self, new: NewErrand) -> Result<Result<AidesNow, String>, Gone> {
        self.send(|answer| Command::Aides(Asked::HandOver { new, answer })).await
    }

    /// What a command could be told to do where an arrow ends.
    pub(crate) async fn tasks_open(&self, new: NewErrand) -> Result<Result<TasksOpen, String>, Gone> {
        self.send(|answer| Command::Aides(Asked::Open { new, answer })).await
    }

    /// Commands are taken back, or aides that wait go on.
    pub(crate) async fn wish_of_aides(&self, side: Side, wish: AidesChange) -> Result<Result<AidesNow, String>, Gone> {
        self.send(|answer| Command::Aides(Asked::Wish { side, wish, answer })).await
    }
}

impl Battle {
    pub(super) async fn asked_of_aides(&mut self, asked: Asked) {
        // Whoever asked may have gone; that is no concern of the battle.
        match asked {
            Asked::HandOver { new, answer } => {
                let _ = answer.send(self.hand_over(new).await);
            }
            Asked::Open { new, answer } => {
                let _ = answer.send(self.tasks_open(new).await);
            }
            Asked::Wish { side, wish, answer } => {
                let changed = self.change_aides(side, |aides| {
                    aides.change(side, &wish);
                    Ok(())
                });
                let _ = answer.send(changed.await);
            }
        }
    }

    async fn hand_over(&mut self, new: NewErrand) -> Result<AidesNow, String> {
        let task = new.task.ok_or("say what it is to do")?;
        let (side, mut drawn) = (new.side, self.drawn(&new).await?);
        drawn.task = task;
        let none = "nobody of that command could do that there";
        let errand = self.errand(drawn).await?.ok_or(none)?;
        self.change_aides(side, |aides| aides.hand_over(side, errand.clone())).await
    }

    async fn tasks_open(&mut self, new: NewErrand) -> Result<TasksOpen, String> {
        let drawn = self.drawn(&new).await?;
        let mut tasks = Vec::new();
        for task in TASKS {
            if self.errand(Drawn { task, ..drawn }).await?.is_some() {
                tasks.push(task);
            }
        }
        Ok(TasksOpen { tasks })
    }

    /// The arrow of somebody who may draw one for that command.
    async fn drawn(&mut self, NewErrand { side, command, to, by, .. }: &NewErrand) -> Result<Drawn, String> {
        let (side, token) = (*side, *command);
        let own = self.work(move |session| {
            let reply = session.answer(Seat::Player(side), &Request::View { moment: None });
            let Reply::View { view, .. } = reply else { return false };
            view.commands.iter().any(|command| command.id == token && command.side == side)
        });
        if !own.await? {
            return Err("that side has no such command".into());
        }
        Ok(Drawn { command: *command, task: TASKS[0], to: *to, by: *by })
    }

    async fn errand(&mut self, drawn: Drawn) -> Result<Option<Errand>, String> {
        let laboratory = self.opponents.laboratory(&self.kept.ruleset);
        self.work(move |session| laboratory?.errand(session, drawn)).await
    }

    /// Reads what is kept of the aides; another process may have changed it.
    async fn load_aides(&mut self) -> Result<(), String> {
        let page = self.store.page(&self.kept.id, AIDES).await.map_err(|error| error.to_string())?;
        if self.aides.page.as_ref() == Some(&page) {
            return Ok(());
        }
        let before = std::mem::replace(&mut self.aides.aides, Aides::read(page.as_deref())?);
        let first = self.aides.page.replace(page).is_none();
        self.aides.passed = None;
        for side in Side::BOTH {
            if !first && before.now(side) != self.aides.aides.now(side) {
                self.tell_aides(side);
            }
        }
        Ok(())
    }

    /// Another process may have changed what is kept of the aides.
    pub(super) async fn look_at_aides(&mut self) {
        if let Err(why) = self.load_aides().await {
            tracing::warn!("the aides of {} cannot be read: {why}", self.kept.id);
        }
    }

    /// Changes what is kept of the aides, and tells their side.
    async fn change_aides(
        &mut self,
        side: Side,
        change: impl Fn(&mut Aides) -> Result<(), String>,
    ) -> Result<AidesNow, String> {
        loop {
            self.load_aides().await?;
            let (mut aides, was) = (self.aides.aides.clone(), self.aides.page.clone().flatten());
            change(&mut aides)?;
            let text = aides.text();
            if text == was {
                return Ok(aides.now(side));
            }
            let turned = self.store.turn_page(&self.kept.id, AIDES, was.as_deref(), text.as_deref()).await;
            if turned.map_err(|error| format!("it could not be saved, and was not done: {error}"))? {
                self.aides = AidesHere { aides, page: Some(text), passed: None, deciding: self.aides.deciding };
                self.tell_aides(side);
                return Ok(self.aides.aides.now(side));
            }
        }
    }

    fn tell_aides(&self, side: Side) {
        let working = self.aides.deciding == Some(side) && self.aides.act(side, self.lines);
        let message = ServerMessage::Aides { aides: AidesNow { working, ..self.aides.aides.now(side) } };
        // Nobody may be listening.
        let _ = self.news.send(Arc::new(News::of_side(side, &message)));
    }

    /// Whether the aides of a side decide now.
    pub(super) async fn aides_decide(&mut self, side: Side) -> bool {
        if self.aides.page.is_none() && self.load_aides().await.is_err() {
            return false;
        }
        self.aides.deciding = Some(side);
        self.aides.act(side, self.lines)
    }

    /// Whether any side may have handed something over.
    pub(super) async fn has_aides(&mut self) -> bool {
        if self.aides.page.is_none() {
            // Where the page cannot be read, it is tried again with the next choice.
            let _ = self.load_aides().await;
        }
        !self.aides.aides.is_empty()
    }

    /// What the aides of a side think about.
    pub(super) async fn errands(&mut self, side: Side) -> Vec<Errand> {
        // Where the database does not answer, what was read last holds.
        let _ = self.load_aides().await;
        self.tell_aides(side);
        self.aides.aides.errands(side).to_vec()
    }

    /// The aides see nothing more to be done, or may not do it: it is for the person to decide.
    pub(super) fn aides_pass(&mut self, side: Side) {
        self.aides.passed = Some(self.lines);
        self.tell_aides(side);
    }

    /// An aide has chosen: it is told in a line.
    pub(super) async fn aide_tells(&mut self, side: Side, line: String) {
        let moment = self.moment;
        let told = self.change_aides(side, |aides| {
            aides.tell(side, moment, line.clone());
            Ok(())
        });
        // The choice itself is done and kept; only its line is not.
        let _ = told.await;
    }

    /// A person has taken something back, and the aides wait, lest they do it again; or he has chosen, and they go on.
    pub(super) async fn aides_after(&mut self, seat: Seat, waits: bool) {
        let Seat::Player(side) = seat else { return };
        if !self.has_aides().await || self.aides.aides.errands(side).is_empty() {
            return;
        }
        let moment = self.moment;
        let kept = self.change_aides(side, |aides| {
            aides.wait(side, waits, moment);
            Ok(())
        });
        // They then do what they would have done.
        let _ = kept.await;
    }
}

/// Whether a request takes back (they wait) or chooses (they go on); nothing where it is neither.
pub(super) fn makes_wait(request: &Request) -> Option<bool> {
    match request {
        Request::Undo { .. } => Some(true),
        Request::Choose { .. } | Request::Series { .. } => Some(false),
        _ => None,
    }
}
