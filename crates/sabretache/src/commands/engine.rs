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
    /// Answers one line. `ref` is given back as it came; `seat` says who speaks, the umpire when nobody does.
    fn answer(&mut self, line: &[u8]) -> Json {
        let mut reference = None;
        let reply = match envelope(line, &mut reference) {
            Ok((seat, request)) => self.reply(seat, &request),
            Err(why) => declined(why),
        };
        let mut reply = serde_json::to_value(&reply)
            .unwrap_or_else(|error| json!({ "type": "declined", "why": error.to_string() }));
        if let (Some(reference), Some(map)) = (reference, reply.as_object_mut()) {
            map.insert("ref".into(), reference);
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
            log,
            series: None,
            whole: None,
        };
        self.session = Some(session);
        reply
    }
}

fn document(scenario: &str) -> Result<(Document, &'static dyn sabretache_engine::erased::AnyRuleset), Failure> {
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

/// Takes a message apart into who speaks and what is asked; the `ref` is kept even when the rest is wrong.
fn envelope(line: &[u8], reference: &mut Option<Json>) -> Result<(Seat, Request), String> {
    if line.len() > LONGEST_LINE {
        return Err("the message is too long".into());
    }
    let mut message: Json = serde_json::from_slice(line).map_err(|error| format!("not JSON: {error}"))?;
    let map = message.as_object_mut().ok_or("a message is a JSON object")?;
    *reference = map.remove("ref");
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

#[cfg(all(test, feature = "picket"))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Messages that a client might send, to be damaged.
    const SENT: &[&str] = &[
        r##"{"type":"begin","scenario":"ford","seed":4,"enforcement":"sandbox"}"##,
        r##"{"type":"choose","offer":"advance r1","value":{"distance":120000},"despite":true}"##,
        r##"{"type":"choose","offer":"wheel r1","value":{"wheel":-4500},"dice":[1,2]}"##,
        r##"{"type":"adjust","path":"units.r1.at","to":[25,20],"why":"so"}"##,
        r##"{"type":"adjust","path":"state.turn","to":3}"##,
        r##"{"type":"instruct","side":"B","instructions":[{"kind":"fire","unless_within":50000}]}"##,
        r##"{"type":"overlays","of":"#0"}"##,
        r##"{"type":"preview","offer":"advance r2","value":{"distance":50000}}"##,
        r##"{"type":"odds","offer":"fire"}"##,
        r##"{"type":"branch","moment":1,"seed":1}"##,
        r##"{"type":"view","moment":1,"seat":"A"}"##,
        r##"{"type":"undo"}"##,
        r##"{"type":"save"}"##,
    ];

    fn damaged() -> impl Strategy<Value = Vec<u8>> {
        let noise = proptest::collection::vec(any::<u8>(), 0..5);
        let number = "-?[0-9]{1,20}(\\.[0-9]{1,3})?";
        (0..SENT.len(), 0..100usize, 0..8usize, noise, number, 0..3u8).prop_map(
            |(n, at, length, noise, number, way)| {
                let message = SENT[n].as_bytes();
                let (start, end) = (at.min(message.len()), (at + length).min(message.len()));
                let middle = match way {
                    0 => message[start..end].to_vec(),
                    1 => noise,
                    _ => number.into_bytes(),
                };
                [&message[..start], &middle, &message[end..]].concat()
            },
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn whatever_is_sent_is_answered(messages in proptest::collection::vec(damaged(), 1..12)) {
            let mut table = Table { session: None };
            table.answer(SENT[0].as_bytes());
            for message in messages {
                let reply = table.answer(&message);
                prop_assert!(reply["type"].is_string(), "{reply}");
            }
            let log = table.session.map(|session| session.log_text()).unwrap_or_default();
            prop_assert!(resumed(&log).is_ok(), "whatever happened, the log is whole");
        }
    }
}
