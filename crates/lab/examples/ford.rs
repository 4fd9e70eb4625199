//! A run from beginning to end: the ford fought 400 times, with its tables and its report left in a folder.
//!
//! `cargo run --package sabretache-lab --features tools --example ford -- FOLDER`

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use sabretache_engine::scenario::Document;
use sabretache_lab::{AnyLaboratory as _, Plan, Progress, Watch, simulate, text, vary};
use sabretache_picket::Picket;
use sabretache_players::{Fielded, Skill};

const FORD: &str = include_str!("../../picket/scenarios/ford.toml");

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| "run".into()));
    // Long enough, and muskets good enough, for somebody to win.
    let sets = ["turns=20", "PK-VOL-02.dice=5"].map(str::to_owned);
    let document = vary(&Document::parse("ford.toml", FORD)?, None, &sets)?;
    let field = Fielded::<Picket>::PLAYERS.field(&document)?;
    let plan = Plan::new(400, [Skill::DrillMaster, Skill::Recruit], 1815);
    let tell = |now: Progress| {
        if now.done.is_multiple_of(100) {
            say(&now.to_string());
        }
    };
    let results = simulate(&*field, &plan, Some(&folder), Watch { progress: &tell, stop: &AtomicBool::new(false) })?;
    say(&text(&results));
    Ok(())
}

#[expect(clippy::print_stdout, reason = "this is a program")]
fn say(text: &str) {
    println!("{text}");
}
