//! The computer players of a battle: when they think, what they come to, and who throws their dice.

use std::sync::Arc;
use std::time::Duration;

use sabretache_engine::erased::AnySession;
use sabretache_engine::ids::Side;
use sabretache_engine::log::Say;
use sabretache_engine::patience;
use sabretache_engine::protocol::{Reply, Request};
use sabretache_engine::session::{Order, Seat};
use sabretache_players::fight::own_chance;
use sabretache_players::{Errand, Program, Skill, Thinker};
use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::Battle;
use crate::messages::{ServerMessage, WantedThrow};
use crate::players::{Came, Thought, ask_program, thrown_by_hand};
use crate::secret::throw;
use crate::store::now;

/// The most throws that one choice of a computer player may ask for where people throw real dice.
const MOST_THROWS: usize = 400;
/// A computer player leaves this much time between its choices, so that they can be followed.
const PAUSE: Duration = Duration::from_millis(120);
/// How often a computer player may choose what is then declined, before it is left to a person.
const TRIES: u64 = 16;
/// How long a process leads a battle's computer players without saying so again; it says so much more often.
pub(super) const LEASE: Duration = Duration::from_secs(3);
pub(super) const LEASE_AGAIN: Duration = Duration::from_millis(800);
/// Two computers play on for so long when nobody looks on.
const UNSEEN: Duration = Duration::from_secs(60);
/// What the computer players of a battle are waited for as.
pub(crate) const COMPUTER: &str = "computer";

/// What a computer player came to: the moment it thought about, and its choice.
pub(super) type Thinking = JoinHandle<(usize, Came)>;

impl Battle {
    /// The side that somebody other than a person has to decide for now, and who it is.
    pub(super) async fn computer_side(&mut self) -> Option<(Side, Decider)> {
        let computers = Side::BOTH.map(|side| self.opponents.find(self.kept.players.of(side)));
        if (computers == [None, None] && !self.has_aides().await) || self.tries >= TRIES || self.throwing.is_some() {
            return None;
        }
        if computers.iter().all(Option::is_some) && self.is_unseen() {
            return None;
        }
        let deciding = self.work(|session| session.deciding()).await.ok()??;
        match computers[deciding.index()] {
            Some(skill) => Some((deciding, Decider::Player(skill))),
            None => self.aides_decide(deciding).await.then_some((deciding, Decider::Aides)),
        }
    }

    /// Nobody listens, and nobody has asked for a while.
    pub(super) fn is_unseen(&self) -> bool {
        self.news.receiver_count() == 0 && self.asked_at.elapsed() > UNSEEN
    }

    /// When a computer player is to decide. Where several processes serve the battle, they know of it: should this one be
    /// killed, another goes on.
    pub(super) async fn computer_due(&mut self) -> Option<Instant> {
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
    pub(super) async fn computer_thinks(&mut self) -> Option<Thinking> {
        let (side, decider) = self.computer_side().await?;
        // Where the database does not answer, nothing could be written either.
        if !self.store.hold(&self.kept.id, &self.holder, LEASE).await.unwrap_or(false) {
            return None;
        }
        let decider = match decider {
            // Its choice was declined: anything that the rules allow will do.
            Decider::Player(_) if self.tries > 0 => Decider::Player(Skill::Recruit),
            decider => decider,
        };
        let errands = if decider == Decider::Aides { self.errands(side).await } else { Vec::new() };
        let laboratory = self.opponents.laboratory(&self.kept.ruleset)?;
        let look = move |session: &mut dyn AnySession| {
            let mind = match decider {
                Decider::Aides => Mind::Aides(laboratory.thinker(session)?, errands),
                Decider::Player(skill) => match skill.program() {
                    Some(program) => Mind::Program(program, session.fork()),
                    None => Mind::Own(Thought { thinker: laboratory.thinker(session)?, skill }),
                },
            };
            Some((session.now(), mind))
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
                Mind::Aides(thinker, errands) => {
                    thinker.aide(&errands, &mut random).map_or(Came::Nothing, |(order, line)| Came::Aided(order, line))
                }
                Mind::Program(program, copy) => ask_program(program, side, copy, &mut random),
            };
            let came = tokio::task::spawn_blocking(move || patience::with(&patience, think)).await;
            drop(turn);
            (moment, came.unwrap_or(Came::Nothing))
        }))
    }

    /// What it came to is done, if the battle still stands where it stood and the side is still the computer's.
    pub(super) async fn computer_chooses(&mut self, decided: Option<(usize, Came)>) {
        let Some((side, decider)) = self.computer_side().await else { return };
        let now = self.work(|session| session.now()).await.ok();
        if let Some((moment, _)) = &decided
            && now != Some(*moment)
        {
            // Something was taken back or set by hand meanwhile: it thinks again.
            return;
        }
        let lines = self.lines;
        self.tries += 1;
        match decided {
            Some((moment, Came::Order(order))) => {
                let dice = order.dice.clone();
                self.computer_rolls(side, moment, order, dice).await;
            }
            Some((moment, Came::Aided(order, line))) => {
                let dice = order.dice.clone();
                self.computer_rolls(side, moment, order, dice).await;
                if self.lines > lines {
                    self.aide_tells(side, line).await;
                }
            }
            Some((_, Came::GivesUp)) => {
                self.ask(Seat::Player(side), Request::Say { say: Say::Resign }).await;
            }
            Some((_, Came::Nothing)) | None => {}
        }
        if decider == Decider::Aides && self.lines == lines {
            self.tries = 0;
            self.aides_pass(side);
        }
    }

    /// Carries a computer player's choice out. Where people throw real dice, it has none to throw: a person throws for
    /// it where that was asked for, and otherwise the server does.
    pub(super) async fn computer_rolls(&mut self, side: Side, moment: usize, order: Order, mut dice: Vec<u8>) {
        let player = self.kept.players.of(side);
        // Whoever plays a side throws for its aides as well.
        let by_hand = thrown_by_hand(player) || self.opponents.find(player).is_none();
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
    pub(super) async fn throw(&mut self, faces: Vec<u8>) -> Result<(), String> {
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

/// Who decides where no person does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decider {
    /// A computer player.
    Player(Skill),
    /// The aides of a person, for the commands that he has handed over.
    Aides,
}

/// Who thinks, and about what.
enum Mind {
    /// A player of ours.
    Own(Thought),
    /// Aides, about what was handed over.
    Aides(Box<dyn Thinker>, Vec<Errand>),
    /// A program, about a copy of the battle.
    Program(&'static Program, Box<dyn AnySession>),
}

/// A computer player's choice that waits for the dice a person throws.
pub(super) struct Throwing {
    side: Side,
    moment: usize,
    order: Order,
    /// What fell for it before.
    given: Vec<u8>,
    /// How many dice are wanted now.
    count: usize,
    pub(super) wanted: WantedThrow,
}

/// What a computer player does next.
pub(super) enum Computer {
    Due,
    Thinks,
    Decided(Option<(usize, Came)>),
}
