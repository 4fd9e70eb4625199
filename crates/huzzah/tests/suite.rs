#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what it did not expect")]
//! The suite that every ruleset must pass, on the scenarios of the book.

use std::fs;
use std::path::Path;

use sabretache_engine::scenario::Document;
use sabretache_engine::suite::{Effort, run};
use sabretache_huzzah::Huzzah;

fn scenario(name: &str) -> Document {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios/huzzah").join(name);
    let text = fs::read_to_string(&path).unwrap();
    Document::parse(name, text).unwrap()
}

#[test]
fn random_players_fight_the_teaching_scenario_to_its_end() {
    let battles = std::env::var("BATTLES").ok().and_then(|text| text.parse().ok()).unwrap_or(6);
    let effort = Effort { battles, samples: 2_000, sampled_offers: 6, ..Effort::default() };
    let done = run::<Huzzah>(&[scenario("teaching.toml")], effort).unwrap_or_else(|fault| panic!("{fault}"));
    assert_eq!(done.battles, battles);
    println!("{done:?}");
}

#[test]
fn random_players_fight_it_out_at_close_quarters() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../drills/huzzah/positions/brawl.toml");
    let document = Document::parse("brawl.toml", fs::read_to_string(&path).unwrap()).unwrap();
    let battles = std::env::var("BATTLES").ok().and_then(|text| text.parse().ok()).unwrap_or(6);
    let effort = Effort { battles, samples: 1_000, sampled_offers: 4, ..Effort::default() };
    let done = run::<Huzzah>(&[document], effort).unwrap_or_else(|fault| panic!("{fault}"));
    assert_eq!(done.battles, battles);
    println!("{done:?}");
}
