//! `sabretache engine`: the protocol on standard input and output, one message a line.

mod messages;
mod table;

use std::io::BufRead as _;

use sabretache_engine::ids::Side;
use sabretache_engine::protocol::Request;
use sabretache_engine::session::Seat;
use serde_json::{Value as Json, json};

use super::{print_json, print_pretty};
use crate::failure::{Failure, bad};
use messages::Asked;
use table::{Table, declined};

/// A longer line is answered with an error and skipped.
const LONGEST_LINE: usize = 64 * 1024 * 1024;

pub(crate) fn run(schema: bool) -> Result<(), Failure> {
    if schema {
        return print_pretty(&messages::schema());
    }
    let mut table = Table::default();
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
        let reply = answer(&mut table, &line);
        print_json(&reply)?;
        if reply["type"] == "quit" {
            return Ok(());
        }
    }
}

/// The keys beside a request: who speaks, of which battle, and what is to come with the answer.
#[derive(Default)]
struct Envelope {
    reference: Option<Json>,
    battle: Option<String>,
    seat: Option<Seat>,
    decision: bool,
}

/// Answers one line. `ref` is given back as it came; `seat` says who speaks, the umpire when nobody does.
fn answer(table: &mut Table, line: &[u8]) -> Json {
    let mut envelope = Envelope::default();
    let asked = opened(line, &mut envelope);
    let (name, seat) = (envelope.battle.clone().unwrap_or_default(), envelope.seat.unwrap_or(Seat::Umpire));
    let reply = match asked {
        Ok(Message::Program(asked)) => table.do_for(&name, seat, asked),
        Ok(Message::Battle(request)) => table.ask(&name, seat, &request),
        Err(why) => declined(why).into(),
    };
    let mut reply =
        serde_json::to_value(&reply).unwrap_or_else(|error| json!({ "type": "declined", "why": error.to_string() }));
    let is_moment = reply["type"] == "moment";
    if let Some(map) = reply.as_object_mut() {
        if let Some(decision) = table.decision(&name, seat).filter(|_| envelope.decision && is_moment) {
            map.insert("decision".into(), json!(decision));
        }
        map.extend(envelope.battle.map(|battle| ("battle".to_owned(), battle.into())));
        map.extend(envelope.reference.map(|reference| ("ref".to_owned(), reference)));
    }
    reply
}

/// What was asked, and of whom.
enum Message {
    Program(Asked),
    Battle(Box<Request>),
}

/// Takes a message apart into the keys beside the request and the request; the keys are kept even when the rest is wrong.
fn opened(line: &[u8], envelope: &mut Envelope) -> Result<Message, String> {
    if line.len() > LONGEST_LINE {
        return Err("the message is too long".into());
    }
    let mut message: Json = serde_json::from_slice(line).map_err(|error| format!("not JSON: {error}"))?;
    let map = message.as_object_mut().ok_or("a message is a JSON object")?;
    envelope.reference = map.remove("ref");
    envelope.battle = match map.remove("battle") {
        None => None,
        Some(Json::String(name)) => Some(name),
        Some(_) => return Err("`battle` is the name of a battle".into()),
    };
    envelope.decision = match map.remove("decision") {
        None | Some(Json::Bool(false)) => false,
        Some(Json::Bool(true)) => true,
        Some(_) => return Err("`decision` is true or false".into()),
    };
    envelope.seat = match map.remove("seat").as_ref().map(|seat| seat.as_str().unwrap_or_default()) {
        None => None,
        Some("umpire") => Some(Seat::Umpire),
        Some("A") => Some(Seat::Player(Side::A)),
        Some("B") => Some(Seat::Player(Side::B)),
        Some("spectator") => Some(Seat::Spectator),
        Some(other) => return Err(format!("there is no seat '{other}'; seats are A, B, umpire and spectator")),
    };
    let wrong = |error: serde_json::Error| format!("not a request: {error}");
    let of_program = map.get("type").and_then(Json::as_str).is_some_and(|kind| Asked::TYPES.contains(&kind));
    Ok(match of_program {
        true => Message::Program(serde_json::from_value(message).map_err(wrong)?),
        false => Message::Battle(Box::new(serde_json::from_value(message).map_err(wrong)?)),
    })
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
        r##"{"type":"play","player":"recruit","decision":true}"##,
        r##"{"type":"fork","to":"other","battle":""}"##,
        r##"{"type":"proposals","offer":"advance r1"}"##,
        r##"{"type":"begin","scenario":"ford","set":["PK-MOV-01.most=90"],"battle":"second"}"##,
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
            let mut table = Table::default();
            answer(&mut table, SENT[0].as_bytes());
            for message in messages {
                let reply = answer(&mut table, &message);
                prop_assert!(reply["type"].is_string(), "{reply}");
            }
            let log = table.session("").map(|session| session.log_text()).unwrap_or_default();
            let resumed = answer(&mut table, json!({ "type": "resume", "log": log }).to_string().as_bytes());
            prop_assert_eq!(&resumed["type"], "moment", "whatever happened, the log is whole");
        }
    }
}
