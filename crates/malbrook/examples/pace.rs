//! How many decisions a second random players make: `cargo run -p sabretache-malbrook --example pace [SCENARIO [BATTLES]]`.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a measurement, not a part of the program")]

use std::time::Instant;

use sabretache_engine::playout::play_out;
use sabretache_engine::scenario::{Document, Scenario};
use sabretache_engine::session::muster;
use sabretache_malbrook::{Body, Malbrook};

fn main() {
    let mut given = std::env::args().skip(1);
    let meeting = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios/malbrook/meeting.toml").to_owned();
    let path = given.next().unwrap_or(meeting);
    let battles: u64 = given.next().and_then(|text| text.parse().ok()).unwrap_or(3);
    let document = Document::parse(&path, std::fs::read_to_string(&path).unwrap()).unwrap_or_else(|r| panic!("{r}"));
    let scenario = Scenario::<Body>::read(&document.json).unwrap_or_else(|report| panic!("{report}"));
    let start = muster::<Malbrook>(&scenario).unwrap_or_else(|report| panic!("{report}"));
    let (mut decisions, mut over) = (0, 0);
    let clock = Instant::now();
    for seed in 0..battles {
        let mut battle = start.clone();
        let played = play_out::<Malbrook>(&mut battle, seed, 50_000).unwrap_or_else(|halt| panic!("{halt}"));
        decisions += played.decisions;
        over += u64::from(played.over);
    }
    let seconds = clock.elapsed().as_secs_f64();
    println!("{over} of {battles} battles over, {decisions} decisions, {:.0} a second", decisions as f64 / seconds);
}
