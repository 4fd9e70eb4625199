//! Whether a program plays as it should, check by check, for whoever writes it.

use std::time::Instant;

use sabretache_engine::erased::AnySession;
use sabretache_engine::ids::Side;
use sabretache_engine::session::{Order, Seat};
use serde_json::json;

use super::fault::{Fault, FaultKind};
use super::running::Running;
use super::seated::{Thinking, introduce};
use super::wire::ToBot;
use super::{Limits, Program};
use crate::contest::program_seed;
use crate::fight::own_chance;

/// The seed of the battles that are tried.
pub const SEED: u64 = 1815;

/// One thing that was tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// What is expected.
    pub expected: String,
    /// What came: a remark, or what was wrong.
    pub came: Result<String, String>,
}

/// Tries everything that is expected of a program on these battles, for so many choices of it in each, and tells each check as
/// it is done. Whether all of them held.
pub fn check(
    program: &'static Program,
    battles: &[(String, Box<dyn AnySession>)],
    most: usize,
    tell: &mut dyn FnMut(&Check),
) -> bool {
    let mut trial = Trial { program, limits: program.limits(), running: None };
    let mut good = true;
    let mut held = |expected: String, came: Result<String, Fault>| {
        let check = Check { expected, came: came.map_err(|fault| fault.to_string()) };
        good &= check.came.is_ok();
        tell(&check);
        check.came.is_ok()
    };
    let limits = trial.limits;
    let start = format!("started, it answers `hello` with `hello` and a name, within {:?}", limits.start);
    if !held(start, trial.start()) {
        return false;
    }
    held(format!("it answers `ready` with `ready`, within {:?}", limits.battle), trial.pinged());
    held("a message of a type that it does not know it passes over".into(), trial.stranger());
    for (name, battle) in battles {
        let mut played = [None, None];
        for side in Side::BOTH {
            let expected = format!(
                "{name}, as side {side}: it answers `battle` with `ready` and each `go` with a choice that may be made, within {:?}",
                limits.decision
            );
            let orders = trial.play(&mut *battle.fork(), side, most);
            played[side.index()] = orders.as_ref().ok().cloned();
            held(expected, orders.map(|orders| format!("{} choices", orders.len())));
        }
        if let Some(first) = &played[0] {
            // Not every program can: it is told, and no fault.
            let again = trial.play(&mut *battle.fork(), Side::A, most);
            let told = again.map(|again| match again == *first {
                true => "it did".into(),
                false => "it did not: it plays by the clock, or by a chance that is not the `seed` it is told".into(),
            });
            held(format!("{name}: the same battle again is gone through, with the same seed in the same way"), told);
        }
    }
    if let Some((_, battle)) = battles.first() {
        let expected = format!("told to `stop` while it thinks, it chooses within {:?}", limits.margin);
        held(expected, trial.stopped(&mut *battle.fork()));
    }
    held(format!("told to `quit`, it ends with status 0, within {:?}", limits.quit), trial.quit());
    held(format!("it ends when its input is closed, within {:?}", limits.quit), trial.hung_up());
    good
}

struct Trial {
    program: &'static Program,
    limits: Limits,
    running: Option<Running>,
}

impl Trial {
    fn start(&mut self) -> Result<String, Fault> {
        let (running, hello) = Running::start(&self.program.words, &self.limits)?;
        self.running = Some(running);
        let by = hello.author.map_or(String::new(), |author| format!(" by {author}"));
        let version = hello.version.map_or(String::new(), |version| format!(" {version}"));
        Ok(format!("{}{version}{by}", hello.name))
    }

    /// Does something with the process, and has a new one for what comes next if that goes wrong.
    fn with<T>(&mut self, work: impl FnOnce(&mut Running, &Limits) -> Result<T, Fault>) -> Result<T, Fault> {
        if self.running.is_none() {
            self.start()?;
        }
        let Some(running) = &mut self.running else {
            return Err(Fault::new(FaultKind::Start, "it is not there"));
        };
        let done = work(running, &self.limits);
        if done.is_err() {
            self.running = None;
        }
        done
    }

    fn pinged(&mut self) -> Result<String, Fault> {
        self.with(|running, limits| running.ping(limits.battle)).map(|()| String::new())
    }

    fn stranger(&mut self) -> Result<String, Fault> {
        self.with(|running, limits| {
            running.tell(&json!({ "type": "weather", "rain": true }))?;
            running.ping(limits.battle)
        })
        .map(|()| String::new())
    }

    /// Lets it play a side against somebody who does anything; what it chose.
    fn play(&mut self, session: &mut dyn AnySession, side: Side, most: usize) -> Result<Vec<Order>, Fault> {
        self.with(|running, limits| {
            introduce(running, session, side, limits.battle)?;
            let mut orders = Vec::new();
            while let Some(deciding) = session.deciding().filter(|_| orders.len() < most) {
                let mut random = own_chance(SEED, deciding, session.now() as u64 - 1);
                if deciding == side {
                    let seed = program_seed(&mut random);
                    let mut thinking = Thinking::begin(running, session, Seat::Player(side), seed, limits.decision)?;
                    match thinking.hear(limits)?.order {
                        Some(order) => orders.push(order),
                        None => break,
                    }
                } else {
                    let order = session.random_order(&mut random);
                    if order.is_none_or(|order| session.choose(Seat::Player(deciding), &order).is_err()) {
                        break;
                    }
                }
            }
            let verdict = session.verdict();
            let (winner, sentence) = verdict.map_or((None, String::new()), |one| (one.winner, one.sentence));
            running.tell(&ToBot::Over { winner, sentence: &sentence })?;
            Ok(orders)
        })
    }

    fn stopped(&mut self, session: &mut dyn AnySession) -> Result<String, Fault> {
        self.with(|running, limits| {
            let Some(side) = session.deciding() else { return Ok(String::new()) };
            introduce(running, session, side, limits.battle)?;
            let mut thinking = Thinking::begin(running, session, Seat::Player(side), SEED, limits.decision)?;
            thinking.until = Instant::now();
            thinking.hear(limits).map(|_| String::new())
        })
    }

    fn quit(&mut self) -> Result<String, Fault> {
        if self.running.is_none() {
            self.start()?;
        }
        let Some(running) = self.running.take() else { return Ok(String::new()) };
        running.tell_to_quit();
        let status = running.quit()?;
        if status.success() {
            return Ok(String::new());
        }
        Err(Fault::new(FaultKind::Crash, format!("it ended with {status}")))
    }

    fn hung_up(&mut self) -> Result<String, Fault> {
        self.start()?;
        let Some(running) = self.running.take() else { return Ok(String::new()) };
        running.hang_up().map(|status| format!("{status}"))
    }
}
