//! What `bench/peers.py` sets beside other libraries: one thread, a few seconds, JSON on standard output.
//!
//! `cargo run --release --package sabretache-lab --example peers -- 2` measures each thing for two seconds; with a name after it (`engagement`,
//! `playouts`, …) only that one, so that whoever runs it can count processor time.

use std::time::Instant;

use sabretache_engine::odds::{Chance, odds_of};
use sabretache_engine::offer::{Choice, Halt};
use sabretache_engine::resolution::Resolution;
use sabretache_engine::ruleset::Ruleset as _;
use sabretache_engine::scenario::{Document, Scenario};
use sabretache_engine::session::muster;
use sabretache_lab::{AnyLaboratory as _, Bench};
use sabretache_picket::{Offer, Picket};
use sabretache_players::Fielded;

const VOLLEY: &str = include_str!("../scenarios/volley.toml");
const FORD: &str = include_str!("../../picket/scenarios/ford.toml");

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let seconds: f64 = std::env::args().nth(1).map_or(Ok(2.0), |text| text.parse())?;
    let wanted = std::env::args().nth(2);
    let asked = |name: &str| wanted.as_deref().is_none_or(|wanted| wanted == name);
    let mut report = serde_json::Map::new();
    if asked("engagement") {
        let (count, rate) = engagement(seconds)?;
        report.insert("engagement".into(), serde_json::json!({ "count": count, "per_second": rate }));
    }
    let ford = Document::parse("ford.toml", FORD)?;
    for bench in Bench::ALL.into_iter().filter(|bench| asked(bench.name())) {
        let measured = Fielded::<Picket>::PLAYERS.measure(&ford, bench, seconds)?;
        report.insert(bench.name().into(), serde_json::to_value(measured)?);
    }
    let text = serde_json::to_string_pretty(&report)?;
    #[expect(clippy::print_stdout, reason = "this is a program")]
    {
        println!("{text}");
    }
    Ok(())
}

/// A volley, the steadiness test it calls for, and who is left: how often exact odds were worked out through the rules
/// themselves, and how often a second.
fn engagement(seconds: f64) -> Result<(u32, f64), Box<dyn std::error::Error>> {
    let scenario = Scenario::read(&Document::parse("volley.toml", VOLLEY)?.json)?;
    let battle = muster::<Picket>(&scenario)?;
    let choice = Choice::plain(Offer::Fire);
    let mut trial = battle.clone();
    let (mut count, begun) = (0u32, Instant::now());
    while begun.elapsed().as_secs_f64() < seconds {
        let odds = odds_of(1_000, |dice| -> Result<bool, Halt> {
            trial.clone_from(&battle);
            Picket::resolve(&mut Resolution::new(&mut trial, dice), &choice)?;
            Ok(Picket::deciding(&trial).is_none())
        });
        let odds = std::hint::black_box(odds).map_err(|error| error.to_string())?;
        if odds.total() != Some(Chance::CERTAIN) {
            return Err("the odds do not add up to one".into());
        }
        count += 1;
    }
    Ok((count, f64::from(count) / begun.elapsed().as_secs_f64()))
}
