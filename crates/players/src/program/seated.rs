//! A program in a battle: it is told of it, decides, and is started again when it fails.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use sabretache_engine::erased::AnySession;
use sabretache_engine::ids::Side;
use sabretache_engine::patience::{self, Patience};
use sabretache_engine::protocol::{Reply, Request};
use sabretache_engine::session::{Order, Seat};

use super::fault::{Fault, FaultKind};
use super::running::Running;
use super::wire::{self, FromBot, Line, Proposed, ToBot};
use super::{Limits, Program};

/// So often may it choose what cannot be chosen before that is a fault.
const TRIES: u32 = 8;
/// So much may it say and ask about one decision.
const MOST_LINES: u32 = 10_000;
/// How often is looked whether anybody still waits for it.
const GLANCE: Duration = Duration::from_millis(50);

/// A program that sits at a battle.
pub struct Seated {
    program: &'static Program,
    running: Option<Running>,
    side: Side,
    faults: u32,
}

/// What it decided.
#[derive(Clone, Debug, PartialEq)]
pub struct Chosen {
    /// The choice; nothing where it gives the battle up.
    pub order: Option<Order>,
    /// The chance that it gives its own side, from 0 to 1, where it says.
    pub score: Option<f64>,
    /// What it said last, in words.
    pub text: Option<String>,
}

impl Seated {
    /// A program takes a seat; it is started with its first decision.
    #[must_use]
    pub fn new(program: &'static Program, side: Side) -> Self {
        Self { program, running: None, side, faults: 0 }
    }

    /// It chooses, and its choice is made in the session: where that must not go on, a fork of it is given. `seed` is that of its
    /// own chance, `battle_seed` that of the dice.
    ///
    /// When it fails it is started again and asked again, as often as it is forgiven; the fault that is returned is the one it
    /// has lost by. It is noted with the log of the battle.
    pub fn decide(
        &mut self,
        session: &mut dyn AnySession,
        seed: u64,
        battle_seed: Option<u64>,
    ) -> Result<Chosen, Fault> {
        loop {
            let fault = match self.try_to_decide(session, seed) {
                Ok(chosen) => return Ok(chosen),
                Err(fault) => fault,
            };
            if let Some(mut running) = self.running.take() {
                let _ = running.tell(&ToBot::Fault { why: &fault.why });
            }
            self.faults += 1;
            let lost = self.faults > self.program.limits().faults;
            if fault.kind == FaultKind::Start {
                return Err(fault);
            }
            self.program.note(&fault, lost.then(|| (battle_seed, session.log_text())));
            if lost {
                return Err(fault);
            }
        }
    }

    fn try_to_decide(&mut self, session: &mut dyn AnySession, seed: u64) -> Result<Chosen, Fault> {
        let (limits, seat) = (self.program.limits(), Seat::Player(self.side));
        let running = match &mut self.running {
            Some(running) => running,
            none => {
                let running = none.insert(self.program.start()?);
                introduce(running, session, self.side, limits.battle)?;
                running
            }
        };
        Thinking::begin(running, session, seat, seed, limits.decision)?.hear(&limits)
    }

    /// The battle is over, or left. The process waits for another.
    pub fn leave(mut self, session: &dyn AnySession) {
        if let Some(mut running) = self.running.take() {
            let verdict = session.verdict();
            let (winner, sentence) = verdict.map_or((None, String::new()), |one| (one.winner, one.sentence));
            if running.tell(&ToBot::Over { winner, sentence: &sentence }).is_ok() {
                self.program.put_back(running);
            }
        }
    }
}

/// Tells a process of a battle.
pub(super) fn introduce(
    running: &mut Running,
    session: &mut dyn AnySession,
    side: Side,
    limit: Duration,
) -> Result<(), Fault> {
    let Reply::View { view, moment } = session.answer(Seat::Player(side), &Request::View { moment: None }) else {
        return Err(Fault::new(FaultKind::Start, "the battle cannot be shown to it"));
    };
    running.tell(&ToBot::Battle { side, setting: &view.setting, moment })?;
    running.ready("`battle`", limit)
}

/// One decision.
pub(super) struct Thinking<'a> {
    running: &'a mut Running,
    session: &'a mut dyn AnySession,
    seat: Seat,
    moment: usize,
    /// Until when it may think.
    pub(super) until: Instant,
}

impl<'a> Thinking<'a> {
    /// Lets it decide.
    pub(super) fn begin(
        running: &'a mut Running,
        session: &'a mut dyn AnySession,
        seat: Seat,
        seed: u64,
        limit: Duration,
    ) -> Result<Self, Fault> {
        let moment = session.now();
        let decision = session.decision_for(seat, false);
        let proposals: Vec<Proposed> = decision
            .offers
            .iter()
            .map(|one| Proposed { offer: one.key.clone(), values: session.proposals(&one.key).unwrap_or_default() })
            .collect();
        let own =
            if let Seat::Player(side) = seat { session.sees_all(seat).then(|| session.worth(side)) } else { None };
        running.tell(&ToBot::Go {
            moment,
            decision: &decision,
            proposals: &proposals,
            worth: own,
            seed,
            limit_ms: u64::try_from(limit.as_millis()).unwrap_or(u64::MAX),
        })?;
        Ok(Self { running, session, seat, moment, until: Instant::now() + limit })
    }

    /// Hears what it says until it has chosen.
    pub(super) fn hear(&mut self, limits: &Limits) -> Result<Chosen, Fault> {
        let mut chosen = Chosen { order: None, score: None, text: None };
        let (mut tries, mut stopped, mut lines) = (0, false, 0);
        loop {
            let glance = self.until.min(Instant::now() + GLANCE);
            let Some(line) = self.running.line(glance)? else {
                if stopped && Instant::now() >= self.until {
                    let (limit, margin) = (limits.decision, limits.margin);
                    let why = format!("no choice within {limit:?} and {margin:?} after `stop`");
                    return Err(self.running.fault(FaultKind::Stall, why));
                }
                if !stopped && (Instant::now() >= self.until || patience::is_over()) {
                    stopped = true;
                    self.until = Instant::now() + limits.margin;
                    self.running.tell(&ToBot::Stop)?;
                }
                continue;
            };
            lines += 1;
            if lines > MOST_LINES {
                return Err(self.running.fault(FaultKind::Rubbish, "thousands of lines and no choice"));
            }
            let order = match wire::read(&line) {
                Err(why) => return Err(self.running.fault(FaultKind::Rubbish, why)),
                Ok(Line::Asked(request, reference)) => {
                    let left = Patience::lasting(self.until.saturating_duration_since(Instant::now()));
                    let reply = patience::with(&left, || self.session.answer(self.seat, &request));
                    self.running.tell(&wire::answer(&reply, reference))?;
                    continue;
                }
                Ok(Line::Said(FromBot::Info { text, score })) => {
                    chosen.text = text.or(chosen.text);
                    chosen.score = valid(score).or(chosen.score);
                    continue;
                }
                Ok(Line::Said(FromBot::Choose { moment, offer, value, score })) if moment == self.moment => {
                    chosen.score = valid(score).or(chosen.score);
                    Order { offer, value, ..Order::default() }
                }
                Ok(Line::Said(FromBot::Resign { moment })) if moment == self.moment => return Ok(chosen),
                Ok(Line::Said(FromBot::Choose { moment, .. } | FromBot::Resign { moment })) => {
                    let why = format!("a choice for moment {moment}, where {} is to be decided", self.moment);
                    return Err(self.running.fault(FaultKind::Rubbish, why));
                }
                Ok(Line::Said(FromBot::Hello(_) | FromBot::Ready)) => {
                    let why = format!("{} came where `go` is to be answered", wire::quoted(&line));
                    return Err(self.running.fault(FaultKind::Rubbish, why));
                }
            };
            match self.session.answer(self.seat, &choice(&order)) {
                // Dice that people throw are not its business.
                Reply::Moment { .. } | Reply::Dice { .. } => return Ok(Chosen { order: Some(order), ..chosen }),
                reply => {
                    tries += 1;
                    if tries >= TRIES {
                        let why = format!("'{}' cannot be chosen: {}", order.offer, told(&reply));
                        return Err(self.running.fault(FaultKind::Rubbish, why));
                    }
                    self.running.tell(&wire::answer(&reply, None))?;
                }
            }
        }
    }
}

/// A choice as a request.
fn choice(order: &Order) -> Request {
    Request::Choose {
        offer: order.offer.clone(),
        value: order.value.clone(),
        moment: None,
        dice: Vec::new(),
        reveals: BTreeMap::new(),
        despite: false,
        player: None,
        whole: false,
    }
}

/// A chance is from 0 to 1; anything else says nothing.
fn valid(score: Option<f64>) -> Option<f64> {
    score.filter(|score| (0.0..=1.0).contains(score))
}

/// Why something was not done.
fn told(reply: &Reply) -> String {
    match reply {
        Reply::Declined { why, .. } => why.clone(),
        Reply::Refused(refusal) => format!("{} [{}]", refusal.sentence, refusal.clause),
        _ => "it was not done".into(),
    }
}
