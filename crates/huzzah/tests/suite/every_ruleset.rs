#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what it did not expect")]
//! The suite that every ruleset must pass, on every scenario of the book and on a brawl at close quarters.
//!
//! `BATTLES=100 cargo test -p sabretache-huzzah --test suite every_ruleset` fights more of them.

use std::fs;
use std::path::{Path, PathBuf};

use sabretache_engine::scenario::Document;
use sabretache_engine::suite::{Effort, run, told};
use sabretache_huzzah::Huzzah;

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)
}

fn read(path: &Path) -> Document {
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    Document::parse(name, fs::read_to_string(path).unwrap()).unwrap()
}

/// How many battles are fought, unless the environment asks for another number.
fn battles(few: u64) -> u64 {
    std::env::var("BATTLES").ok().and_then(|text| text.parse().ok()).unwrap_or(few)
}

fn fight(document: Document, effort: Effort) {
    let name = document.name.clone();
    let done = run::<Huzzah>(&[document], effort).unwrap_or_else(|fault| panic!("{fault}"));
    assert_eq!(done.battles, effort.battles);
    println!("{name}: {done:?}");
}

#[test]
fn random_players_fight_the_teaching_scenario_to_its_end() {
    let effort = Effort { battles: battles(6), samples: 2_000, sampled_offers: 6, ..Effort::default() };
    fight(read(&folder("scenarios/huzzah/teaching.toml")), effort);
}

#[test]
fn what_a_client_is_told_holds() {
    let files =
        ["scenarios/huzzah/teaching.toml", "drills/huzzah/positions/brawl.toml"].map(|name| read(&folder(name)));
    let effort = Effort { battles: battles(3), longest: 400, closely: 8, ..Effort::default() };
    let seen = told::<Huzzah>(&files, effort).unwrap_or_else(|fault| panic!("{fault}"));
    assert!(seen.handles > 200 && seen.headlines > 50 && seen.passed > 20, "{seen:?}");
    println!("{seen:?}");
}

#[test]
fn random_players_fight_it_out_at_close_quarters() {
    let effort = Effort { battles: battles(6), samples: 1_000, sampled_offers: 4, ..Effort::default() };
    fight(read(&folder("drills/huzzah/positions/brawl.toml")), effort);
}

#[test]
fn random_players_bring_up_reinforcements() {
    for name in ["reinforced.toml", "division.toml"] {
        let effort = Effort { battles: battles(4), samples: 500, sampled_offers: 3, ..Effort::default() };
        fight(read(&folder("drills/huzzah/positions").join(name)), effort);
    }
}

/// Many battles over all scenarios, looked at less closely; `BATTLES=10000` fights as many as that, and says how many of each.
#[test]
fn random_battles_end_with_every_invariant_whole() {
    let wanted: Option<u64> = std::env::var("BATTLES").ok().and_then(|text| text.parse().ok());
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder("scenarios/huzzah")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|end| end == "toml"));
    files.sort();
    let each = wanted.map_or(12, |wanted| wanted.div_ceil(files.len() as u64));
    for path in files {
        let effort = Effort { battles: each, closely: 1_000_000, sampled_offers: 0, logged: 0, ..Effort::default() };
        fight(read(&path), effort);
    }
}

/// The same with what a scenario may switch: every option on, and the game scaled down and up.
#[test]
fn random_battles_end_with_every_option() {
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder("scenarios/huzzah")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|end| end == "toml"));
    files.push(folder("drills/huzzah/positions/brawl.toml"));
    files.sort();
    for (path, band) in files.iter().flat_map(|path| [40, 50, 60].map(|band| (path, band))) {
        let mut document = read(path);
        for option in ["reorganise", "dear_orders", "high_quality_rolls", "old_militia_a", "sight_backward"] {
            document.json["options"][option] = true.into();
        }
        document.json["options"]["flank_zone"] = "midpoint".into();
        document.json["options"]["band_mm"] = band.into();
        document.name += &format!(", bands of {band} mm");
        fight(
            document,
            Effort { battles: battles(2), closely: 50, sampled_offers: 1, logged: 300, ..Effort::default() },
        );
    }
}

/// The big battles are looked at less closely: each decision of theirs costs as much as a dozen of a small one.
#[test]
fn random_players_fight_every_other_scenario_to_its_end() {
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder("scenarios/huzzah")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|end| end == "toml") && !path.ends_with("teaching.toml"));
    files.sort();
    assert!(!files.is_empty(), "there are no scenarios");
    for path in files {
        let effort = Effort {
            battles: battles(3),
            closely: 20,
            samples: 200,
            sampled_offers: 2,
            despite: 0,
            ..Effort::default()
        };
        fight(read(&path), effort);
    }
}
