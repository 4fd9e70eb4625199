//! Any bytes at all as scenario, drill, log or situation: an answer, never a panic.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what it did not expect")]

use proptest::prelude::*;
use sabretache_engine::drill::{read_drills, run};
use sabretache_engine::erased::{AnyRuleset as _, Erased};
use sabretache_engine::log::{DiceSource, Enforcement};
use sabretache_engine::ruleset::Ruleset as _;
use sabretache_engine::scenario::Document;
use sabretache_engine::session::{Seat, Session, Setup, verify};
use sabretache_picket::Picket;

const FORD: &str = include_str!("../../scenarios/ford.toml");
const DRILLS: &str = include_str!("../../drills/picket.toml");

/// A text with a piece of it cut out, doubled, or replaced by other characters: much nastier than plain noise.
fn damaged(text: &'static str) -> impl Strategy<Value = String> {
    let noise = prop_oneof![
        Just(String::new()),
        "[0-9.eE+-]{1,12}",
        "\\PC{0,6}",
        Just("[[units]]\n".to_owned()),
        Just("999999999999".to_owned()),
        Just("-1".to_owned()),
        Just("nan".to_owned()),
    ];
    (0..text.len(), 0..24usize, noise).prop_map(move |(at, length, noise)| {
        let edge = |mut byte: usize| {
            while !text.is_char_boundary(byte) {
                byte -= 1;
            }
            byte
        };
        let (start, end) = (edge(at), edge((at + length).min(text.len())));
        format!("{}{noise}{}", &text[..start], &text[end..])
    })
}

fn use_scenario(text: &str) {
    if let Ok(document) = Document::parse("x.toml", text) {
        let ruleset = Erased::<Picket>::RULESET;
        let report = ruleset.check(&document);
        let setup = Setup { enforcement: Enforcement::Referee, dice: DiceSource::Seeded(1) };
        let begun = ruleset.begin(&document, setup);
        assert_eq!(begun.is_ok(), !report.has_errors(), "what is checked is what is used: {report}");
        if let Ok(mut playouts) = ruleset.playouts(&document) {
            playouts.play(1, 50).unwrap();
        }
    }
}

fn use_drills(text: &str) {
    for drill in read_drills("x.toml", text).unwrap_or_default() {
        let folder = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/drills"));
        run::<Picket>(&drill, folder);
    }
}

/// A real log, to be damaged.
fn log() -> Vec<u8> {
    let scenario = sabretache_engine::scenario::Scenario::read(&Document::parse("x", FORD).unwrap().json).unwrap();
    let setup = Setup { enforcement: Enforcement::Referee, dice: DiceSource::Seeded(5) };
    let (mut session, _) = Session::<Picket>::begin(&scenario, setup).unwrap();
    let mut random = sabretache_engine::dice::Seeded::new(5);
    use sabretache_engine::erased::AnySession as _;
    for _ in 0..12 {
        let order = session.random_order(&mut random).unwrap();
        session.choose(Seat::Umpire, &order).unwrap();
    }
    session.log().to_text().unwrap().into_bytes()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn noise_is_no_scenario_and_no_drill(text in "\\PC{0,200}") {
        use_scenario(&text);
        use_drills(&text);
    }

    #[test]
    fn a_damaged_scenario_is_explained_or_fought(text in damaged(FORD)) {
        use_scenario(&text);
    }

    #[test]
    fn a_damaged_drill_is_explained_or_run(text in damaged(DRILLS)) {
        use_drills(&text);
    }

    #[test]
    fn a_damaged_log_is_explained_and_loses_nothing_before_the_damage(at in 0usize..6_000, byte in any::<u8>()) {
        let mut bytes = log();
        let at = at % bytes.len();
        let untouched = bytes[at] == byte;
        bytes[at] = byte;
        let whole_lines = bytes[..at].iter().filter(|&&b| b == b'\n').count();
        let resumed = Session::<Picket>::resume(&bytes);
        prop_assert!(untouched || resumed.is_err() || resumed.unwrap().now() >= whole_lines);
        let _ = verify::<Picket>(&bytes);
    }

    #[test]
    fn noise_is_no_log(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        prop_assert!(Session::<Picket>::resume(&bytes).is_err());
        prop_assert!(verify::<Picket>(&bytes).is_err());
    }

    #[test]
    fn any_json_is_a_situation_or_explained(steadiness in any::<i64>(), hits in any::<f64>(), key in "[a-z_]{0,10}") {
        let test = Picket::situations()[0];
        let _ = test.odds(&serde_json::json!({ "steadiness": steadiness, "hits": hits, key.clone(): key }));
        let _ = test.odds(&serde_json::json!({ "steadiness": steadiness % 13, "hits": (hits % 20.0) as i64 }));
        let _ = test.odds(&serde_json::json!([key]));
    }
}
