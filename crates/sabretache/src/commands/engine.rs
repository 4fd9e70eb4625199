//! `sabretache engine`: the protocol on standard input and output, one message a line.

use std::io::BufRead as _;

use sabretache_engine::erased::AnySession;
use sabretache_engine::ids::Side;
use sabretache_engine::log::{DiceSource, ruleset_of};
use sabretache_engine::protocol::{Reply, Request};
use sabretache_engine::scenario::{Diagnostics, Document};
use sabretache_engine::session::{Seat, Setup};
use serde_json::{Value as Json, json};

use super::{print_json, print_pretty};
use crate::books::ruleset;
use crate::failure::{Failure, bad};
use crate::files;

/// A longer line is answered with an error and skipped.
const LONGEST_LINE: usize = 64 * 1024 * 1024;

pub(crate) fn run(schema: bool) -> Result<(), Failure> {
    if schema {
        return print_pretty(&json!({
            "request": schemars::schema_for!(Request),
            "reply": schemars::schema_for!(Reply),
        }));
    }
    let mut table = Table { session: None };
    let mut input = std::io::stdin().lock();
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = input.read_until(b'\n', &mut line).map_err(|error| bad(format!("standard input: {error}")))?;
        if read == 0 {
            return Ok(());
        }
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        print_json(&table.answer(&line))?;
    }
}

/// The battle on the table, if there is one.
struct Table {
    session: Option<Box<dyn AnySession>>,
}

impl Table {
    /// Answers one line. `id` is given back as it came; `seat` says who speaks, the umpire when nobody does.
    fn answer(&mut self, line: &[u8]) -> Json {
        let mut id = None;
        let reply = match envelope(line, &mut id) {
            Ok((seat, request)) => self.reply(seat, &request),
            Err(why) => declined(why),
        };
        let mut reply = serde_json::to_value(&reply).unwrap_or_else(|error| json!({ "type": "declined", "why": error.to_string() }));
        if let (Some(id), Some(map)) = (id, reply.as_object_mut()) {
            map.insert("id".into(), id);
        }
        reply
    }

    fn reply(&mut self, seat: Seat, request: &Request) -> Reply {
        match request {
            Request::Begin { scenario, enforcement, seed } => {
                let dice = seed.map_or(DiceSource::Typed, DiceSource::Seeded);
                self.begin(scenario, Setup { enforcement: *enforcement, dice })
            }
            Request::Resume { log } => match resumed(log) {
                Ok(session) => self.lay(session, Vec::new()),
                Err(why) => declined(why),
            },
            Request::Branch { moment, seed } => {
                let Some(session) = &self.session else { return no_battle() };
                match session.branch(*moment, seed.map(DiceSource::Seeded)) {
                    Ok((branch, text)) => self.lay(branch, text.lines().map(|line| format!("{line}\n")).collect()),
                    Err(why) => declined(why.to_string()),
                }
            }
            request => match &mut self.session {
                Some(session) => session.answer(seat, request),
                None => no_battle(),
            },
        }
    }

    fn begin(&mut self, scenario: &str, setup: Setup) -> Reply {
        let (document, ruleset) = match document(scenario) {
            Ok(found) => found,
            Err(Failure::File { report, .. }) => return wrong_scenario(report),
            Err(failure) => return declined(failure.told().trim().trim_start_matches("sabretache: ").to_owned()),
        };
        match ruleset.begin(&document, setup) {
            Ok((session, line)) => self.lay(session, vec![line]),
            Err(report) => wrong_scenario(report),
        }
    }

    /// Puts a battle on the table and says where it stands.
    fn lay(&mut self, mut session: Box<dyn AnySession>, log: Vec<String>) -> Reply {
        let story = match session.answer(Seat::Umpire, &Request::Story { from: 0 }) {
            Reply::Story { lines } => lines,
            _ => Vec::new(),
        };
        let reply = Reply::Moment {
            moment: session.now(),
            deciding: session.deciding(),
            verdict: session.verdict(),
            story,
            log,
        };
        self.session = Some(session);
        reply
    }
}

fn document(
    scenario: &str,
) -> Result<(Document, &'static dyn sabretache_engine::erased::AnyRuleset), Failure> {
    // A scenario in TOML has a line of its own for each key; a name or path has one line.
    if scenario.contains('\n') {
        let document = files::parse("scenario", scenario.to_owned())?;
        let ruleset = files::ruleset_of(&document)?;
        return Ok((document, ruleset));
    }
    files::scenario(scenario)
}

fn resumed(log: &str) -> Result<Box<dyn AnySession>, String> {
    let name = ruleset_of(log.as_bytes()).map_err(|error| error.to_string())?;
    let ruleset = ruleset(&name).map_err(|_| format!("there is no ruleset '{name}'"))?;
    ruleset.resume(log.as_bytes()).map_err(|error| error.to_string())
}

/// Takes a message apart into who speaks and what is asked; the id is kept even when the rest is wrong.
fn envelope(line: &[u8], id: &mut Option<Json>) -> Result<(Seat, Request), String> {
    if line.len() > LONGEST_LINE {
        return Err("the message is too long".into());
    }
    let mut message: Json = serde_json::from_slice(line).map_err(|error| format!("not JSON: {error}"))?;
    let map = message.as_object_mut().ok_or("a message is a JSON object")?;
    *id = map.remove("id");
    let seat = match map.remove("seat").as_ref().map(|seat| seat.as_str().unwrap_or_default()) {
        None | Some("umpire") => Seat::Umpire,
        Some("A") => Seat::Player(Side::A),
        Some("B") => Seat::Player(Side::B),
        Some("spectator") => Seat::Spectator,
        Some(other) => return Err(format!("there is no seat '{other}'; seats are A, B, umpire and spectator")),
    };
    let request = serde_json::from_value(message).map_err(|error| format!("not a request: {error}"))?;
    Ok((seat, request))
}

fn declined(why: String) -> Reply {
    Reply::Declined { why, diagnostics: Diagnostics::new() }
}

fn no_battle() -> Reply {
    declined("there is no battle yet; begin or resume one".into())
}

fn wrong_scenario(diagnostics: Diagnostics) -> Reply {
    Reply::Declined { why: "the scenario cannot be used".into(), diagnostics }
}
