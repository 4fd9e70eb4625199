//! The battles of the process, by their names.

use std::collections::BTreeMap;

use sabretache_engine::dice::Seeded;
use sabretache_engine::erased::{AnyRuleset, AnySession};
use sabretache_engine::ids::Side;
use sabretache_engine::log::{DiceSource, ruleset_of};
use sabretache_engine::protocol::{Reply, Request};
use sabretache_engine::scenario::{Diagnostics, Document};
use sabretache_engine::session::{Order, Seat, Setup};
use sabretache_lab::vary;
use sabretache_players::Skill;

use super::messages::{AnyReply, Asked, Proposed, Told};
use crate::books::{laboratory, ruleset};
use crate::failure::Failure;
use crate::files;

/// No process holds more battles, so that a program that forgets to leave them does not fill the memory.
const MOST_BATTLES: usize = 1_000;

/// A battle on the table, and the ruleset it is fought under.
struct Battle {
    ruleset: &'static str,
    session: Box<dyn AnySession>,
}

/// All battles.
#[derive(Default)]
pub(super) struct Table {
    battles: BTreeMap<String, Battle>,
}

impl From<Reply> for AnyReply {
    fn from(reply: Reply) -> Self {
        Self::Battle(Box::new(reply))
    }
}

impl Table {
    /// The battle of a name.
    #[cfg(test)]
    pub(super) fn session(&self, name: &str) -> Option<&dyn AnySession> {
        self.battles.get(name).map(|battle| &*battle.session)
    }

    /// What is asked of a battle.
    pub(super) fn ask(&mut self, name: &str, seat: Seat, request: &Request) -> AnyReply {
        match self.battles.get_mut(name) {
            Some(battle) => battle.session.answer(seat, request).into(),
            None => no_battle(name).into(),
        }
    }

    /// The decision that comes next in a battle, as a seat may know it.
    pub(super) fn decision(&self, name: &str, seat: Seat) -> Option<sabretache_engine::protocol::Decision> {
        self.battles.get(name).map(|battle| battle.session.decision_for(seat, false))
    }

    /// What is asked of the program.
    pub(super) fn do_for(&mut self, name: &str, seat: Seat, asked: Asked) -> AnyReply {
        match asked {
            Asked::Begin { scenario, enforcement, seed, set } => {
                let dice = seed.map_or(DiceSource::Typed, DiceSource::Seeded);
                match begun(&scenario, &set, Setup { enforcement, dice }) {
                    Ok((battle, line)) => self.lay(name, battle, vec![line]),
                    Err(reply) => (*reply).into(),
                }
            }
            Asked::Resume { log } => match resumed(&log) {
                Ok(battle) => self.lay(name, battle, Vec::new()),
                Err(why) => declined(why).into(),
            },
            Asked::Hello => AnyReply::Program(Box::new(Told::hello())),
            Asked::Ready => AnyReply::Program(Box::new(Told::Ready)),
            Asked::Quit => AnyReply::Program(Box::new(Told::Quit)),
            Asked::Battles => {
                AnyReply::Program(Box::new(Told::Battles { battles: self.battles.keys().cloned().collect() }))
            }
            Asked::Leave => match self.battles.remove(name) {
                Some(_) => {
                    AnyReply::Program(Box::new(Told::Battles { battles: self.battles.keys().cloned().collect() }))
                }
                None => no_battle(name).into(),
            },
            asked => {
                let Some(battle) = self.battles.get_mut(name) else { return no_battle(name).into() };
                match asked {
                    Asked::Branch { moment, seed, to } => {
                        match battle.session.branch(moment, seed.map(DiceSource::Seeded)) {
                            Ok((session, text)) => {
                                let battle = Battle { ruleset: battle.ruleset, session };
                                let log = text.lines().map(|line| format!("{line}\n")).collect();
                                self.lay(to.as_deref().unwrap_or(name), battle, log)
                            }
                            Err(why) => declined(why.to_string()).into(),
                        }
                    }
                    Asked::Fork { to } => {
                        let fork = Battle { ruleset: battle.ruleset, session: battle.session.fork() };
                        self.lay(&to, fork, Vec::new())
                    }
                    Asked::Advise { player, seed } => advise(battle, seat, &player, seed),
                    Asked::Play { player, seed } => play(battle, seat, &player, seed),
                    Asked::Proposals { offer } => proposals(battle, seat, offer),
                    _ if !battle.session.sees_all(seat) => hidden().into(),
                    _ => {
                        let session = &battle.session;
                        let [a, b] = Side::BOTH.map(|side| session.worth(side));
                        AnyReply::Program(Box::new(Told::Worth { moment: session.now(), a, b }))
                    }
                }
            }
        }
    }

    /// Puts a battle on the table and says where it stands.
    fn lay(&mut self, name: &str, mut battle: Battle, log: Vec<String>) -> AnyReply {
        if self.battles.len() >= MOST_BATTLES && !self.battles.contains_key(name) {
            return declined(format!("there are {MOST_BATTLES} battles already; leave one")).into();
        }
        let session = &mut battle.session;
        let story = match session.answer(Seat::Umpire, &Request::Story { from: 0 }) {
            Reply::Story { lines } => lines,
            _ => Vec::new(),
        };
        let letters = match session.answer(Seat::Umpire, &Request::Letters) {
            Reply::Letters { letters, .. } => letters,
            _ => Vec::new(),
        };
        let reply = Reply::Moment {
            moment: session.now(),
            deciding: session.deciding(),
            verdict: session.verdict(),
            story,
            letters,
            said: session.said(),
            asked: session.asked(),
            log,
            series: None,
            whole: None,
        };
        self.battles.insert(name.to_owned(), battle);
        reply.into()
    }
}

/// What a player would do, and why. It knows everything, so nobody hears it who does not.
fn advise(battle: &Battle, seat: Seat, player: &str, seed: u64) -> AnyReply {
    let session = &*battle.session;
    if !session.sees_all(seat) {
        return hidden().into();
    }
    let skill: Skill = match player.parse() {
        Ok(skill) => skill,
        Err(error) => return declined(format!("{error}")).into(),
    };
    let mut random = Seeded::for_choice(seed, session.now() as u64);
    let advice = laboratory(battle.ruleset).ok().and_then(|players| players.advise(session, skill, &mut random));
    match advice {
        Some(advice) => AnyReply::Program(Box::new(Told::advice(session.now(), advice))),
        None => declined("nobody decides: the battle is over".into()).into(),
    }
}

/// A player decides.
fn play(battle: &mut Battle, seat: Seat, player: &str, seed: u64) -> AnyReply {
    let skill: Skill = match player.parse() {
        Ok(skill) => skill,
        Err(error) => return declined(format!("{error}")).into(),
    };
    let session = &mut *battle.session;
    let mut random = Seeded::for_choice(seed, session.now() as u64);
    let order = laboratory(battle.ruleset).ok().and_then(|players| players.order(session, skill, &mut random));
    let Some(Order { offer, value, .. }) = order else {
        return declined("nobody decides: the battle is over".into()).into();
    };
    let request = Request::Choose {
        offer,
        value,
        moment: None,
        dice: Vec::new(),
        reveals: BTreeMap::new(),
        despite: false,
        player: None,
        whole: false,
    };
    session.answer(seat, &request).into()
}

/// Values for one offer of those that a seat may know, or for each.
fn proposals(battle: &Battle, seat: Seat, offer: Option<String>) -> AnyReply {
    let session = &battle.session;
    let mut keys: Vec<String> = session.decision_for(seat, false).offers.into_iter().map(|one| one.key).collect();
    if let Some(offer) = offer {
        if !keys.contains(&offer) {
            return declined(format!("there is nothing called '{offer}' to choose now")).into();
        }
        keys = vec![offer];
    }
    let mut offers = Vec::new();
    for offer in keys {
        match session.proposals(&offer) {
            Ok(values) => offers.push(Proposed { offer, values }),
            Err(why) => return declined(why.to_string()).into(),
        }
    }
    AnyReply::Program(Box::new(Told::Proposals { moment: session.now(), offers }))
}

fn begun(scenario: &str, set: &[String], setup: Setup) -> Result<(Battle, String), Box<Reply>> {
    let wrong = |diagnostics| Box::new(Reply::Declined { why: "the scenario cannot be used".into(), diagnostics });
    let (mut document, ruleset) = document(scenario).map_err(|failure| match failure {
        Failure::File { report, .. } => wrong(report),
        other => Box::new(declined(other.told().trim().trim_start_matches("sabretache: ").to_owned())),
    })?;
    if !set.is_empty() {
        document = vary(&document, None, set).map_err(wrong)?;
    }
    let (session, line) = ruleset.begin(&document, setup).map_err(wrong)?;
    Ok((Battle { ruleset: ruleset.book().name, session }, line))
}

fn document(scenario: &str) -> Result<(Document, &'static dyn AnyRuleset), Failure> {
    // A scenario in TOML has a line of its own for each key; a name or path has one line.
    if scenario.contains('\n') {
        let document = files::parse("scenario", scenario.to_owned())?;
        let ruleset = files::ruleset_of(&document)?;
        return Ok((document, ruleset));
    }
    files::scenario(scenario)
}

fn resumed(log: &str) -> Result<Battle, String> {
    let name = ruleset_of(log.as_bytes()).map_err(|error| error.to_string())?;
    let ruleset = ruleset(&name).map_err(|_| format!("there is no ruleset '{name}'"))?;
    let session = ruleset.resume(log.as_bytes()).map_err(|error| error.to_string())?;
    Ok(Battle { ruleset: ruleset.book().name, session })
}

/// It was not done.
pub(super) fn declined(why: String) -> Reply {
    Reply::Declined { why, diagnostics: Diagnostics::new() }
}

fn hidden() -> Reply {
    declined("that would tell what is hidden from you: the umpire knows, and you will when the battle is over".into())
}

fn no_battle(name: &str) -> Reply {
    match name {
        "" => declined("there is no battle yet; begin or resume one".into()),
        name => declined(format!("there is no battle '{name}'; begin or resume one")),
    }
}
