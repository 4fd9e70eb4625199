//! Any ruleset and any battle behind one face, for programs that serve them all.

use std::any::Any;
use std::marker::PhantomData;
use std::path::Path as FilePath;

use schemars::Schema;

use crate::clause::{Book, Clause};
use crate::dice::Seeded;
use crate::digest::{Compared, Digest, digest};
use crate::drill::{self, Drill, DrillResult, Example};
use crate::eyes::Eyes;
use crate::ids::{Named, Side};
use crate::interrupt::Standing;
use crate::log::{DiceSource, Enforcement, Hash, SaidView};
use crate::odds::NoOdds;
use crate::offer::{Halt, Value};
use crate::playout::{Played, play_out, random_choice};
use crate::protocol::{ClauseReply, Decision, Reply, Request};
use crate::report::report;
use crate::ruleset::Ruleset;
use crate::scenario::thorough::{Looked, look};
use crate::scenario::{Diagnostics, Document, Measure, Scenario};
use crate::session::{
    Declined, DiceWanted, NotReplayed, Order, Proved, Replayed, ResumeError, Seat, Session, Setup, Unproved, muster,
    replay, verify_with,
};
use crate::situation::SituationTest;
use crate::view::{Verdict, View};

/// A ruleset of any type.
pub trait AnyRuleset: Send + Sync {
    /// The clauses.
    fn book(&self) -> &'static Book;
    /// The version of the rules.
    fn version(&self) -> &'static str;
    /// The JSON Schema of its scenarios.
    fn schema(&self) -> Schema;
    /// The tests that can be taken from a situation alone.
    fn situations(&self) -> &'static [&'static dyn SituationTest];
    /// The clauses that say when a battle is won.
    fn victory(&self) -> &'static [Clause];
    /// Everything wrong or unusual in a scenario, each with its place in the file.
    fn check(&self, document: &Document) -> Diagnostics;
    /// The same, with as much of the table as can be laid out.
    fn sketch(&self, document: &Document) -> Sketch;
    /// Begins a battle; with it, the first line of its log.
    fn begin(&self, document: &Document, setup: Setup) -> Result<(Box<dyn AnySession>, String), Diagnostics>;
    /// Takes a battle up again from its log.
    fn resume(&self, log: &[u8]) -> Result<Box<dyn AnySession>, ResumeError>;
    /// Applies the events of a kept log and nothing else; they must lead to the battle that was kept with it.
    fn replay(&self, log: &[u8], end: Option<&serde_json::Value>) -> Result<Replayed, NotReplayed>;
    /// Proves a log; how many lines.
    fn verify(&self, log: &[u8], parent: Option<&[u8]>) -> Result<Proved, Unproved>;
    /// Runs a drill; `folder` is where its scenario files are.
    fn drill(&self, drill: &Drill, folder: &FilePath) -> DrillResult;
    /// Fights a drill on its position, to be looked at; `document` is the scenario that it starts from.
    fn example(&self, drill: &Drill, document: Document) -> Result<Example, String>;
    /// A scenario that can be fought at random again and again.
    fn playouts(&self, document: &Document) -> Result<Box<dyn Playouts>, Diagnostics>;
}

/// A scenario as far as it goes.
pub struct Sketch {
    /// Everything wrong or unusual, each with its place in the file.
    pub report: Diagnostics,
    /// The table with all that nothing is wrong with.
    pub view: Option<View>,
    /// For each piece of ground in the view its place in the file.
    pub ground: Vec<usize>,
    /// What the units of each side are worth together, by the book's own judgement.
    pub worth: [i32; 2],
}

/// A scenario fought at random again and again.
pub trait Playouts: Send + Sync {
    /// Fights it once with this seed, for so many choices at the most.
    fn play(&mut self, seed: u64, most: u64) -> Result<Played, Halt>;
    /// Fights it once with this seed and hashes all of it; `each` is told every choice and the hash so far.
    fn digest(
        &self,
        seed: u64,
        most: u64,
        compared: Compared,
        each: &mut dyn FnMut(&str, Hash),
    ) -> Result<Digest, Halt>;
}

/// A battle of any ruleset.
pub trait AnySession: Send {
    /// The session itself, for code that knows its ruleset.
    fn as_any(&self) -> &dyn Any;
    /// Answers a request of a seat.
    fn answer(&mut self, seat: Seat, request: &Request) -> Reply;
    /// Makes a choice.
    fn choose(&mut self, seat: Seat, order: &Order) -> Result<Vec<String>, Declined>;
    /// Reads and applies what another program has added to the log.
    fn follow(&mut self, added: &[u8]) -> Result<(), ResumeError>;
    /// Who decides now.
    fn deciding(&self) -> Option<Side>;
    /// How the battle ended, once it has.
    fn verdict(&self) -> Option<Verdict>;
    /// What the book measures in.
    fn measure(&self) -> Measure;
    /// The battle as a scenario.
    fn saved(&self) -> serde_json::Value;
    /// The moment now.
    fn now(&self) -> usize;
    /// How far the rules are enforced.
    fn enforcement(&self) -> Enforcement;
    /// The log so far, as a file.
    fn log_text(&self) -> String;
    /// What is to be decided.
    fn decision(&self, closed: bool) -> Decision;
    /// What is to be decided, as a seat may know it.
    fn decision_for(&self, seat: Seat, closed: bool) -> Decision;
    /// The hash that a choice with agreed dice is known by before its dice fall.
    fn binding(&self, order: &Order) -> Hash;
    /// Whether the log holds something that a seat may not know yet.
    fn sealed(&self, seat: Seat) -> bool;
    /// Whether a seat sees everything.
    fn sees_all(&self, seat: Seat) -> bool;
    /// How many lines the log has.
    fn lines(&self) -> usize;
    /// What happened since a moment and a line of the log, as a seat may know it; with the new lines of the log.
    /// `whole` is all that is to be seen and decided now, too.
    fn told(&self, seat: Seat, since: usize, line: usize, log: &[String], whole: bool) -> Result<Reply, Declined>;
    /// What a side asks of the other and has no answer to.
    fn asked(&self) -> Option<SaidView>;
    /// All that was said between the players.
    fn said(&self) -> Vec<SaidView>;
    /// The standing instructions of a side.
    fn instructions(&self, side: Side) -> Vec<Standing>;
    /// Whether a side is asked nothing that is not meaningful and new.
    fn be_quiet(&mut self, side: Side, quiet: bool);
    /// Whether it is asked nothing of the kind.
    fn is_quiet(&self, side: Side) -> bool;
    /// A few sensible values for an offer, by its key.
    fn proposals(&self, offer: &str) -> Result<Vec<Value>, Declined>;
    /// How well the battle stands for a side, in the book's points, as computer players weigh it.
    fn worth(&self, side: Side) -> i32;
    /// A copy of the battle with its whole log, that goes its own way.
    fn fork(&self) -> Box<dyn AnySession>;
    /// Any allowed choice at random.
    fn random_order(&self, random: &mut Seeded) -> Option<Order>;
    /// Goes on from an earlier moment as a battle of its own; with it, its whole log.
    fn branch(&self, moment: usize, dice: Option<DiceSource>) -> Result<(Box<dyn AnySession>, String), Declined>;
}

/// Every unit and officer that stands on the table.
fn everybody(view: &View) -> Vec<Named> {
    let units = view.units.iter().filter(|unit| unit.pose.is_some()).map(|unit| Named::Unit(unit.id));
    let officers =
        view.officers.iter().filter(|officer| officer.at.is_some()).map(|officer| Named::Officer(officer.id));
    units.chain(officers).collect()
}

/// Makes an [`AnyRuleset`] of a [`Ruleset`].
pub struct Erased<R>(PhantomData<fn() -> R>);

impl<R> Erased<R> {
    /// The ruleset.
    pub const RULESET: Self = Self(PhantomData);
}

impl<R: Ruleset> AnyRuleset for Erased<R> {
    fn book(&self) -> &'static Book {
        R::BOOK
    }

    fn version(&self) -> &'static str {
        R::VERSION
    }

    fn schema(&self) -> Schema {
        Scenario::<R::Body>::schema()
    }

    fn situations(&self) -> &'static [&'static dyn SituationTest] {
        R::situations()
    }

    fn victory(&self) -> &'static [Clause] {
        R::victory()
    }

    fn check(&self, document: &Document) -> Diagnostics {
        let mut report = look::<R>(&document.json).report;
        document.place(&mut report);
        report
    }

    fn sketch(&self, document: &Document) -> Sketch {
        let Looked { mut report, battle, ground } = look::<R>(&document.json);
        document.place(&mut report);
        let view = battle.as_ref().map(R::view);
        let mut worth = [0; 2];
        for (battle, view) in battle.iter().zip(&view) {
            view.units.iter().for_each(|unit| worth[unit.side.index()] += R::points(battle, unit.id));
        }
        Sketch { report, view, ground, worth }
    }

    fn begin(&self, document: &Document, setup: Setup) -> Result<(Box<dyn AnySession>, String), Diagnostics> {
        let placed = |mut report: Diagnostics| {
            document.place(&mut report);
            report
        };
        let scenario = Scenario::<R::Body>::read(&document.json).map_err(placed)?;
        let (session, line) = Session::<R>::begin(&scenario, setup).map_err(placed)?;
        Ok((Box::new(session), line))
    }

    fn resume(&self, log: &[u8]) -> Result<Box<dyn AnySession>, ResumeError> {
        Ok(Box::new(Session::<R>::resume(log)?))
    }

    fn replay(&self, log: &[u8], end: Option<&serde_json::Value>) -> Result<Replayed, NotReplayed> {
        replay::<R>(log, end)
    }

    fn verify(&self, log: &[u8], parent: Option<&[u8]>) -> Result<Proved, Unproved> {
        verify_with::<R>(log, parent)
    }

    fn drill(&self, drill: &Drill, folder: &FilePath) -> DrillResult {
        drill::run::<R>(drill, folder)
    }

    fn example(&self, drill: &Drill, document: Document) -> Result<Example, String> {
        drill::fight::<R>(drill, document)
    }

    fn playouts(&self, document: &Document) -> Result<Box<dyn Playouts>, Diagnostics> {
        let scenario = Scenario::<R::Body>::read(&document.json)?;
        Ok(Box::new(Repeated::<R> { start: muster::<R>(&scenario)? }))
    }
}

struct Repeated<R: Ruleset> {
    start: R::Battle,
}

impl<R: Ruleset> Playouts for Repeated<R> {
    fn play(&mut self, seed: u64, most: u64) -> Result<Played, Halt> {
        play_out::<R>(&mut self.start.clone(), seed, most)
    }

    fn digest(
        &self,
        seed: u64,
        most: u64,
        compared: Compared,
        each: &mut dyn FnMut(&str, Hash),
    ) -> Result<Digest, Halt> {
        digest::<R>(&self.start, seed, most, compared, each)
    }
}

impl<R: Ruleset> AnySession for Session<R> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn answer(&mut self, seat: Seat, request: &Request) -> Reply {
        self.try_answer(seat, request).unwrap_or_else(reply_to)
    }

    fn choose(&mut self, seat: Seat, order: &Order) -> Result<Vec<String>, Declined> {
        Self::choose(self, seat, order)
    }

    fn follow(&mut self, added: &[u8]) -> Result<(), ResumeError> {
        Self::follow(self, added)
    }

    fn deciding(&self) -> Option<Side> {
        Self::deciding(self)
    }

    fn verdict(&self) -> Option<Verdict> {
        Self::verdict(self)
    }

    fn measure(&self) -> Measure {
        R::measure(self.battle())
    }

    fn saved(&self) -> serde_json::Value {
        R::save(self.battle()).to_json()
    }

    fn now(&self) -> usize {
        Self::now(self)
    }

    fn enforcement(&self) -> Enforcement {
        self.begun().enforcement
    }

    fn log_text(&self) -> String {
        self.log().to_text().unwrap_or_default()
    }

    fn decision(&self, closed: bool) -> Decision {
        self.decision_for(Seat::Umpire, closed)
    }

    fn decision_for(&self, seat: Seat, closed: bool) -> Decision {
        Self::decision_for(self, seat, closed)
    }

    fn binding(&self, order: &Order) -> Hash {
        Session::binding(self, order)
    }

    fn sealed(&self, seat: Seat) -> bool {
        Self::sealed(self, seat)
    }

    fn sees_all(&self, seat: Seat) -> bool {
        self.eyes(seat) == Eyes::All
    }

    fn lines(&self) -> usize {
        self.log().entries.len()
    }

    fn told(&self, seat: Seat, since: usize, line: usize, log: &[String], whole: bool) -> Result<Reply, Declined> {
        self.moment(seat, since, line, log.to_vec(), whole)
    }

    fn asked(&self) -> Option<SaidView> {
        Self::asked(self)
    }

    fn said(&self) -> Vec<SaidView> {
        Self::said(self, 0)
    }

    fn instructions(&self, side: Side) -> Vec<Standing> {
        Self::instructions(self, side)
    }

    fn be_quiet(&mut self, side: Side, quiet: bool) {
        Self::be_quiet(self, side, quiet);
    }

    fn is_quiet(&self, side: Side) -> bool {
        Self::is_quiet(self, side)
    }

    fn proposals(&self, offer: &str) -> Result<Vec<Value>, Declined> {
        let (offer, _, input) = self.find(offer, false)?;
        let mut values = Vec::new();
        R::proposals(self.battle(), &offer, &mut values);
        values.retain(|value| input.fits(value));
        values.dedup();
        Ok(values)
    }

    fn worth(&self, side: Side) -> i32 {
        R::worth(self.battle(), side)
    }

    fn fork(&self) -> Box<dyn AnySession> {
        Box::new(self.clone())
    }

    fn random_order(&self, random: &mut Seeded) -> Option<Order> {
        let choice = random_choice::<R>(self.battle(), &mut Vec::new(), random)?;
        Some(Order { offer: R::key(self.battle(), &choice.offer), value: choice.value, ..Order::default() })
    }

    fn branch(&self, moment: usize, dice: Option<DiceSource>) -> Result<(Box<dyn AnySession>, String), Declined> {
        let (branch, text) = Self::branch(self, moment, dice)?;
        Ok((Box::new(branch), text))
    }
}

/// Declined requests as messages.
fn reply_to(declined: Declined) -> Reply {
    match declined {
        Declined::Halt(Halt::Refused(refusal)) => Reply::Refused(refusal),
        Declined::Dice(wanted) => {
            let DiceWanted { throw, reckoning, given } = *wanted;
            let dice = (0..throw.len()).map(|n| throw.die(n)).collect();
            let reckoning = reckoning.map(Box::new);
            Reply::Dice { throw: throw.to_string(), count: throw.len(), dice, reckoning, given }
        }
        Declined::Adjustment(diagnostics) => {
            Reply::Declined { why: "that would make no possible position".into(), diagnostics }
        }
        other => Reply::Declined { why: other.to_string(), diagnostics: Diagnostics::new() },
    }
}

impl<R: Ruleset> Session<R> {
    fn moment(&self, seat: Seat, since: usize, line: usize, log: Vec<String>, whole: bool) -> Result<Reply, Declined> {
        Ok(Reply::Moment {
            moment: self.now(),
            deciding: self.deciding(),
            verdict: self.verdict(),
            story: self.story_for(since, self.eyes(seat))?,
            letters: self.letters(seat, line),
            said: self.said(line),
            asked: self.asked(),
            log,
            series: None,
            whole: whole.then(|| Box::new(self.whole(seat))),
        })
    }

    fn try_answer(&mut self, seat: Seat, request: &Request) -> Result<Reply, Declined> {
        let (since, line) = (self.now(), self.log().entries.len());
        if matches!(request, Request::Odds { .. } | Request::Why { .. } | Request::Preview { .. }) {
            self.may_ask(seat)?;
        }
        match request {
            Request::View { moment } => {
                let moment = moment.unwrap_or(since);
                let view = Box::new(R::view_for(&self.battle_at(moment)?, self.eyes(seat)));
                Ok(Reply::View { moment, view })
            }
            Request::Decision { closed, of } => Ok(Reply::Decision(self.decision_of(seat, *closed, *of))),
            Request::Odds { offer, value } => self.answer_odds(seat, offer, value),
            Request::Why { offer } => {
                let closed = self.present().closed(self.battle());
                let refusal = closed.iter().find(|(known, _)| known.key == *offer).map(|(_, refusal)| refusal.clone());
                if refusal.is_none() && !self.present().open().iter().any(|known| known.key == *offer) {
                    return Err(Declined::NoSuchOffer(offer.clone()));
                }
                Ok(Reply::Why { offer: offer.clone(), refusal })
            }
            Request::Preview { offer, value } => {
                let found = self.present().open().iter().find(|known| known.key == *offer);
                let found = found.ok_or_else(|| Declined::NoSuchOffer(offer.clone()))?;
                let mut preview = R::preview(self.battle(), &found.offer, value);
                let fits = found.input::<R>(self.battle()).fits(value);
                if fits {
                    self.complete_preview(seat, &found.offer, value, &mut preview);
                }
                Ok(Reply::Preview(preview))
            }
            Request::Overlays { of } => {
                let eyes = self.eyes(seat);
                let view = || R::view_for(self.battle(), eyes);
                let all = match of {
                    Some(of) => Named::parse(of).into_iter().collect(),
                    None => everybody(&view()),
                };
                let known = all.into_iter().filter(|named| R::name(self.battle(), *named).is_some());
                let (mut overlays, mut whose) = (Vec::new(), Vec::new());
                for named in known {
                    let found = R::overlays_for(self.battle(), named, eyes);
                    whose.extend(found.iter().map(|_| named.to_string()));
                    overlays.extend(found);
                }
                Ok(Reply::Overlays { overlays, whose })
            }
            Request::Choose { moment, .. } | Request::Series { moment, .. }
                if moment.is_some_and(|moment| moment != since) =>
            {
                Err(Declined::TooLate)
            }
            Request::Choose { offer, value, dice, reveals, despite, player, whole, .. } => {
                let order = Order {
                    offer: offer.clone(),
                    value: value.clone(),
                    dice: dice.clone(),
                    reveals: reveals.clone(),
                    despite: *despite,
                    player: player.clone(),
                };
                let lines = Self::choose(self, seat, &order)?;
                self.moment(seat, since, line, lines, *whole)
            }
            Request::Series { choices, dice, reveals, through_dice, player, whole, .. } => {
                let (dice, reveals, player) = (dice.clone(), reveals.clone(), player.clone());
                let first = Order { dice, reveals, player, ..Order::default() };
                let (lines, done) = self.series(seat, choices, &first, *through_dice)?;
                let mut reply = self.moment(seat, since, line, lines, *whole)?;
                if let Reply::Moment { series, .. } = &mut reply {
                    *series = Some(done);
                }
                Ok(reply)
            }
            Request::Adjustable { .. } if !matches!(seat, Seat::Umpire) && self.sees_less(seat) => {
                Err(Declined::Sealed)
            }
            Request::Adjustable { of } => Ok(Reply::Adjustable { fields: R::adjustable(self.battle(), *of) }),
            Request::Undo { player, whole } => {
                let undone = match player {
                    Some(player) => self.undo_by(seat, player)?,
                    None => self.undo(seat)?,
                };
                self.moment(seat, self.now(), line, vec![undone], *whole)
            }
            Request::Adjust { path, to, why } => {
                let adjusted = self.adjust(seat, path, to.clone(), why.clone())?;
                self.moment(seat, since, line, vec![adjusted], false)
            }
            Request::Instruct { side, instructions, quiet, player } => match seat {
                Seat::Spectator => Err(Declined::Spectator),
                Seat::Player(mine) if mine != *side => Err(Declined::NotYours(*side)),
                _ => {
                    match player {
                        Some(_) if quiet.is_some() => {
                            return Err(Declined::NotInstructed(
                                "what the whole side is asked is for the whole side to say",
                            ));
                        }
                        Some(player) => self.instruct_own(*side, player, instructions.clone())?,
                        None => self.instruct(*side, instructions.clone()),
                    }
                    if let Some(quiet) = quiet {
                        self.be_quiet(*side, *quiet);
                    }
                    self.moment(seat, since, line, Vec::new(), false)
                }
            },
            Request::Write { from, to, text } => {
                let written = self.write_letter(seat, from.clone(), to.clone(), text)?;
                self.moment(seat, since, line, vec![written], false)
            }
            Request::Say { say } => {
                let said = self.say(seat, *say)?;
                self.moment(seat, since.min(self.now()), line, said, false)
            }
            Request::Letters => {
                let players = match seat {
                    Seat::Player(side) => R::players(self.battle(), side),
                    Seat::Umpire => Side::BOTH.into_iter().flat_map(|side| R::players(self.battle(), side)).collect(),
                    Seat::Spectator => Vec::new(),
                };
                Ok(Reply::Letters { letters: self.letters(seat, 0), players, said: self.said(0), asked: self.asked() })
            }
            Request::Story { from } => Ok(Reply::Story { lines: self.story_for(*from, self.eyes(seat))? }),
            Request::Report => Ok(Reply::Text { text: report(&R::view_for(self.battle(), self.eyes(seat))) }),
            Request::Save if self.eyes(seat) != Eyes::All => Err(Declined::Sealed),
            Request::Log if self.sealed(seat) => Err(Declined::Sealed),
            Request::Save => match R::save(self.battle()).to_toml() {
                Ok(text) => Ok(Reply::Text { text }),
                Err(error) => Err(Declined::Unwritten(error.to_string())),
            },
            Request::Log => Ok(Reply::Text { text: self.log_text() }),
            Request::Clause { id } => {
                let found = Clause::parse(id).and_then(|clause| R::BOOK.find(clause));
                let found = found.ok_or_else(|| Declined::NoSuchClause(id.clone()))?;
                Ok(Reply::Clause(ClauseReply::from(found)))
            }
            Request::Begin { .. } | Request::Resume { .. } | Request::Branch { .. } => Err(Declined::NotHere),
        }
    }

    fn answer_odds(&self, seat: Seat, offer: &str, value: &Value) -> Result<Reply, Declined> {
        let (forecast, reckoning) = self.forecast(offer, value).map_err(|error| match error {
            NoOdds::Stopped(declined) => declined,
            NoOdds::TooMany { most } => Declined::NoOdds(most),
            NoOdds::TooLong => Declined::OddsTooLong,
        })?;
        Ok(self.told_odds(seat, offer, &forecast, reckoning))
    }
}
