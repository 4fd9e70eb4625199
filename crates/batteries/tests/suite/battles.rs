//! Every scenario is fought to its end, and somebody wins a good share of the battles.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on says so")]

use std::path::{Path, PathBuf};

use sabretache_batteries::Batteries;
use sabretache_engine::playout::play_out;
use sabretache_engine::ruleset::Ruleset;
use sabretache_engine::scenario::{Diagnostics, Document, Scenario};

fn scenarios() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios/batteries");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn random_players_end_every_scenario_mostly_with_a_winner() {
    let battles = std::env::var("BATTLES").ok().and_then(|number| number.parse().ok()).unwrap_or(12);
    for path in scenarios() {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let document = Document::parse(&name, std::fs::read_to_string(&path).unwrap()).unwrap();
        let scenario = Scenario::read(&document.json).unwrap_or_else(|report| panic!("{name}: {report}"));
        let mut won = [0u64; 3];
        let mut decisions = 0;
        for seed in 0..battles {
            let mut battle = Batteries::muster(&scenario, &mut Diagnostics::new()).unwrap();
            let played =
                play_out::<Batteries>(&mut battle, seed, 20_000).unwrap_or_else(|halt| panic!("{name}: {halt}"));
            assert!(played.over, "{name}, seed {seed} does not end");
            decisions += played.decisions;
            let winner = Batteries::verdict(&battle).and_then(|verdict| verdict.winner);
            won[winner.map_or(2, |side| side.index())] += 1;
        }
        println!("{name}: {} and {} won, {} drawn, {} decisions", won[0], won[1], won[2], decisions / battles.max(1));
        assert!(won[2] * 2 <= battles, "{name}: {won:?}");
    }
}
