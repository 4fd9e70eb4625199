//! How many decisions a second random players make: `cargo run -p sabretache-batteries --example playout -- SCENARIO…`.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "an example that cannot go on says so")]

use std::time::Instant;

use sabretache_batteries::Batteries;
use sabretache_engine::playout::play_out;
use sabretache_engine::ruleset::Ruleset;
use sabretache_engine::scenario::{Diagnostics, Document, Scenario};

fn main() {
    for path in std::env::args().skip(1) {
        let document = Document::parse(path.clone(), std::fs::read_to_string(&path).unwrap()).unwrap();
        let scenario = Scenario::read(&document.json).unwrap();
        let battle = Batteries::muster(&scenario, &mut Diagnostics::new()).unwrap();
        let (start, mut decisions, mut battles) = (Instant::now(), 0, 0u64);
        while start.elapsed().as_secs_f64() < 4.0 {
            let mut battle = battle.clone();
            decisions += play_out::<Batteries>(&mut battle, battles, 20_000).unwrap().decisions;
            battles += 1;
        }
        let rate = decisions as f64 / start.elapsed().as_secs_f64();
        println!("{path}: {battles} battles, {decisions} decisions, {rate:.0} a second");
    }
}
