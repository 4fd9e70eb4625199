//! Fuzz targets: whatever a file or a message says, it is answered in words and nothing breaks.
//!
//! One harness for both ways: `cargo test` runs some hundreds of inputs that are the same each time; `make fuzz` goes on with
//! `bolero`, for as long as it is given, or under libFuzzer through `cargo bolero`. The corpora are what the repository has:
//! its scenarios, its golden logs, its drills.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what it did not expect")]

mod damage;

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use flate2::read::GzDecoder;
use sabretache_engine::dice::Seeded;
use sabretache_engine::drill::read_drills;
use sabretache_engine::erased::{AnyRuleset, AnySession};
use sabretache_engine::ids::Side;
use sabretache_engine::log::{DiceSource, Enforcement};
use sabretache_engine::protocol::Request;
use sabretache_engine::scenario::Document;
use sabretache_engine::session::{Seat, Setup};

use damage::{Bytes, damaged};

/// How many inputs each target has in `cargo test`.
const SHORT: u64 = 160;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The files of a folder and what lies below it, in order.
fn files(folder: &str, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().ends_with(ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn of_book(name: &str) -> Option<&'static dyn AnyRuleset> {
    sabretache_books::rulesets().into_iter().find(|one| one.book().name == name)
}

/// Runs a target on the inputs of every run. `make fuzz` sets `FUZZ` and goes on from there.
fn fuzzed(target: fn(&[u8])) {
    for n in 0..SHORT {
        let mut random = Seeded::for_choice(1815, n);
        let bytes: Vec<u8> = (0..12).flat_map(|_| random.bits().to_le_bytes()).collect();
        target(&bytes);
    }
}

fn is_long() -> bool {
    std::env::var_os("FUZZ").is_some()
}

macro_rules! target {
    ($name:ident, $target:path) => {
        #[test]
        fn $name() {
            fuzzed($target);
            if is_long() {
                bolero::check!().with_max_len(128).for_each(|bytes: &[u8]| $target(bytes));
            }
        }
    };
}

target!(a_damaged_scenario_is_told_what_is_wrong, scenario);
target!(a_damaged_log_is_resumed_proved_or_refused, log);
target!(a_damaged_drill_fails_and_breaks_nothing, drill);
target!(a_damaged_message_is_answered, message);

/// Every scenario of every book, and the positions of its drills.
static SCENARIOS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let shipped = files("scenarios", ".toml").into_iter().chain(files("crates/picket/scenarios", ".toml"));
    shipped.map(|path| fs::read_to_string(path).unwrap()).filter(|text| text.len() < 12_000).collect()
});

/// It is read, checked, drawn, and begun if it can be.
fn scenario(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    let (one, other) = (bytes.below(SCENARIOS.len()), bytes.below(SCENARIOS.len()));
    let text = damaged(&SCENARIOS[one], &SCENARIOS[other], &mut bytes);
    let Ok(document) = Document::parse("damaged.toml", text) else { return };
    let Some(ruleset) = document.json.get("ruleset").and_then(|name| name.as_str()).and_then(of_book) else { return };
    let report = ruleset.check(&document);
    let _ = ruleset.sketch(&document);
    let setup = Setup { enforcement: Enforcement::Referee, dice: DiceSource::Seeded(1) };
    let begun = ruleset.begin(&document, setup);
    assert_eq!(report.clone().clean().is_ok(), begun.is_ok(), "what is checked clean begins: {report}");
}

static LOGS: LazyLock<Vec<(String, String)>> = LazyLock::new(|| {
    let read = |path: &PathBuf| {
        let mut text = String::new();
        GzDecoder::new(fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
        let book = path.parent().unwrap().file_name().unwrap().to_string_lossy().into_owned();
        // The first lines are the beginning and some choices; the last is the battle at its end.
        let lines: Vec<&str> = text.lines().take(14).collect();
        (book, lines.join("\n") + "\n")
    };
    files("golden", "-short.jsonl.gz").iter().map(read).filter(|(book, _)| of_book(book).is_some()).collect()
});

fn log(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    let (book, text) = &LOGS[bytes.below(LOGS.len())];
    let (_, other) = &LOGS[bytes.below(LOGS.len())];
    // The scenario is most of a log: the lines after it are damaged as often.
    let text = match bytes.below(3) {
        0 => damaged(text, other, &mut bytes),
        _ => {
            let (first, rest) = text.split_once('\n').unwrap();
            format!("{first}\n{}", damaged(rest, other, &mut bytes))
        }
    };
    let ruleset = of_book(book).unwrap();
    if let Ok(mut session) = ruleset.resume(text.as_bytes()) {
        session.answer(Seat::Umpire, &Request::Undo { player: None, whole: false });
        session.answer(Seat::Umpire, &Request::Story { from: 0 });
        session.answer(Seat::Umpire, &Request::Report);
    }
    let _ = ruleset.verify(text.as_bytes(), None);
    let _ = ruleset.replay(text.as_bytes(), None);
}

/// Every drill by itself, with its folder.
static DRILLS: LazyLock<Vec<(String, PathBuf)>> = LazyLock::new(|| {
    let mut drills = Vec::new();
    for path in files("drills", ".toml") {
        let text = fs::read_to_string(&path).unwrap();
        let folder = path.parent().unwrap().to_owned();
        drills.extend(text.split("[[drill]]").skip(1).map(|one| (format!("[[drill]]{one}"), folder.clone())));
    }
    drills
});

fn drill(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    let (text, folder) = &DRILLS[bytes.below(DRILLS.len())];
    let (other, _) = &DRILLS[bytes.below(DRILLS.len())];
    let Ok(drills) = read_drills("damaged.toml", &damaged(text, other, &mut bytes)) else { return };
    for drill in drills {
        let Some(ruleset) = of_book(&drill.ruleset) else { continue };
        let _ = ruleset.drill(&drill, folder);
    }
}

/// A small battle of each book, some turns old.
static BATTLES: LazyLock<Vec<(&'static dyn AnyRuleset, String)>> = LazyLock::new(|| {
    let small = ["huzzah/teaching", "batteries/the-crossroads", "malbrook/meeting"];
    let begun = small.iter().filter_map(|name| {
        let text = fs::read_to_string(root().join("scenarios").join(name).with_extension("toml")).unwrap();
        let document = Document::parse(*name, text).unwrap();
        let ruleset = of_book(name.split_once('/').unwrap().0)?;
        let setup = Setup { enforcement: Enforcement::Advise, dice: DiceSource::Seeded(1815) };
        let (mut session, _) = ruleset.begin(&document, setup).unwrap_or_else(|report| panic!("{report}"));
        let mut random = Seeded::for_choice(1815, 0);
        for _ in 0..60 {
            let Some(order) = session.random_order(&mut random) else { break };
            session.choose(Seat::Umpire, &order).unwrap();
        }
        Some((ruleset, session.log_text()))
    });
    begun.collect()
});

/// What a program or a page may send, with the offers of the battle in it.
fn sent(session: &dyn AnySession) -> Vec<String> {
    let mut sent: Vec<String> = [
        r##"{"type":"adjust","path":"state.turn","to":3}"##,
        r##"{"type":"instruct","side":"B","instructions":[{"kind":"fire","unless_within":50000}]}"##,
        r##"{"type":"overlays","of":"#0"}"##,
        r##"{"type":"branch","moment":1,"seed":1}"##,
        r##"{"type":"view","moment":1}"##,
        r##"{"type":"decision","closed":true,"of":"#1"}"##,
        r##"{"type":"series","choices":[{"offer":"end","value":"none"}],"through_dice":true}"##,
        r##"{"type":"adjustable","of":"#1"}"##,
        r##"{"type":"story","from":3}"##,
        r##"{"type":"clause","id":"HZ-ORD-01"}"##,
        r##"{"type":"write","from":"x","to":{"side":"A"},"text":"come"}"##,
        r##"{"type":"undo","whole":true}"##,
    ]
    .map(str::to_owned)
    .into();
    for offer in session.decision(true).offers.iter().take(40) {
        for value in session.proposals(&offer.key).unwrap_or_default().iter().take(2) {
            for kind in ["choose", "odds", "preview"] {
                let message = serde_json::json!({ "type": kind, "offer": offer.key, "value": value });
                sent.push(message.to_string());
            }
        }
        sent.push(serde_json::json!({ "type": "choose", "offer": offer.key, "despite": true }).to_string());
    }
    sent
}

fn message(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    let (ruleset, log) = &BATTLES[bytes.below(BATTLES.len())];
    let mut session = ruleset.resume(log.as_bytes()).unwrap();
    let sent = sent(&*session);
    while !bytes.is_spent() {
        let (one, other) = (bytes.below(sent.len()), bytes.below(sent.len()));
        let text = damaged(&sent[one], &sent[other], &mut bytes);
        let seats = [Seat::Umpire, Seat::Umpire, Seat::Player(Side::A), Seat::Player(Side::B), Seat::Spectator];
        let seat = seats[bytes.below(seats.len())];
        let Ok(request) = serde_json::from_str::<Request>(&text) else { continue };
        session.answer(seat, &request);
    }
    let log = session.log_text();
    let again = ruleset.resume(log.as_bytes());
    assert!(again.is_ok(), "whatever was said, the log is whole: {:?}", again.err());
}
