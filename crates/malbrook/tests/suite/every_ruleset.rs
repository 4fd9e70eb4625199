//! The generic suite on every scenario.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests stop at the first thing that is not as it should be")]

use std::path::{Path, PathBuf};

use sabretache_engine::scenario::Document;
use sabretache_engine::suite::{self, Effort};
use sabretache_malbrook::Malbrook;

fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "{} holds nothing", folder.display());
    files
}

fn scenario(path: &Path) -> Document {
    let text = std::fs::read_to_string(path).unwrap();
    Document::parse(path.file_name().unwrap().to_string_lossy(), text).unwrap_or_else(|report| panic!("{report}"))
}

/// What every ruleset must pass, on one scenario: a test each, so that they run side by side.
fn passes_on(name: &str) {
    let path = files("scenarios/malbrook").into_iter().find(|path| path.file_stem().is_some_and(|stem| stem == name));
    let path = path.unwrap_or_else(|| panic!("there is no scenario {name}"));
    // The great battles once, and looked at closely now and then: that keeps the whole under a minute or two.
    let great = std::fs::metadata(&path).unwrap().len() > 9_000;
    let (battles, closely) = if great { (1, 700) } else { (3, 60) };
    let effort = Effort {
        battles,
        closely,
        sampled_offers: 3,
        samples: 1_500,
        despite: if great { 0 } else { 3 },
        logged: if great { 2_000 } else { 20_000 },
        ..Effort::default()
    };
    let done = suite::run::<Malbrook>(&[scenario(&path)], effort).unwrap_or_else(|fault| panic!("{fault}"));
    assert!(done.battles == battles && done.decisions > 100, "{done:?}");
}

/// A scenario has its test below: one without is told here.
const PASSED: [&str; 5] = ["blenheim", "malplaquet", "meeting", "ramillies", "schellenberg"];

#[test]
fn every_scenario_has_its_test() {
    let names: Vec<String> = files("scenarios/malbrook")
        .iter()
        .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    assert_eq!(names, PASSED);
}

#[test]
fn blenheim_passes_what_every_ruleset_must_pass() {
    passes_on(PASSED[0]);
}

#[test]
fn malplaquet_passes_what_every_ruleset_must_pass() {
    passes_on(PASSED[1]);
}

#[test]
fn the_meeting_passes_what_every_ruleset_must_pass() {
    passes_on(PASSED[2]);
}

#[test]
fn ramillies_passes_what_every_ruleset_must_pass() {
    passes_on(PASSED[3]);
}

#[test]
fn the_schellenberg_passes_what_every_ruleset_must_pass() {
    passes_on(PASSED[4]);
}

#[test]
fn what_a_client_is_told_holds() {
    for path in files("scenarios/malbrook") {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let (longest, closely) = match name.as_str() {
            "meeting" => (500, 25),
            "ramillies" => (60, 30),
            _ => continue,
        };
        let effort = Effort { battles: 1, longest, closely, ..Effort::default() };
        let seen = suite::told::<Malbrook>(&[scenario(&path)], effort).unwrap_or_else(|fault| panic!("{fault}"));
        assert!(seen.handles > 20 && seen.series > 0, "{name}: {seen:?}");
        println!("{name}: {seen:?}");
    }
}

/// How many of so many random battles each scenario gets. A great battle takes as long as fifty of the meeting: of 10,000
/// battles each of them gets 40, and the small scenarios share the rest. All that are asked for are fought.
fn shares(battles: u64, great: &[bool]) -> Vec<u64> {
    let small = great.iter().filter(|great| !**great).count() as u64;
    let of_great = if small == 0 { battles.div_ceil(great.len() as u64) } else { (battles / 250).max(1) };
    let left = battles.saturating_sub(of_great * (great.len() as u64 - small));
    let mut rest = left;
    let mut shares = vec![0; great.len()];
    for (share, great) in shares.iter_mut().zip(great) {
        *share = if *great { of_great } else { left.div_ceil(small).min(rest) };
        rest -= if *great { 0 } else { *share };
    }
    shares
}

/// Many battles, looked at less closely: every invariant is checked after every event, and every choice is made in three
/// ways. `BATTLES=10000` fights as many as that over all scenarios, shared out as [`shares`] says; `FROM=700` begins with
/// that seed, to go on where a run stopped; `SCENARIO=blenheim` fights all of them on that one. What was fought is printed by
/// scenario (`--nocapture`).
#[test]
fn random_battles_end_with_every_invariant_whole() {
    let asked = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let only = std::env::var("SCENARIO").ok();
    let wanted =
        |path: &PathBuf| only.as_ref().is_none_or(|name| path.file_stem().is_some_and(|stem| stem == name.as_str()));
    let paths: Vec<PathBuf> = files("scenarios/malbrook").into_iter().filter(wanted).collect();
    assert!(!paths.is_empty(), "there is no such scenario");
    let great: Vec<bool> = paths.iter().map(|path| std::fs::metadata(path).unwrap().len() > 9_000).collect();
    let battles = asked("BATTLES").unwrap_or(8);
    let from = asked("FROM").unwrap_or(0);
    let mut shared: Vec<_> = paths.iter().zip(&great).zip(shares(battles, &great)).collect();
    // The small ones first: they find most faults soonest.
    shared.sort_by_key(|((_, great), _)| **great);
    let mut fought = 0;
    for ((path, great), share) in shared {
        // Unless more are asked for, the great battles are left to the suite.
        if *great && asked("BATTLES").is_none() {
            continue;
        }
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let (mut done, mut choices) = (0, 0);
        let chunk = if *great { 10 } else { 250 };
        for start in (from..share).step_by(chunk) {
            let end = (start + chunk as u64).min(share);
            let effort = Effort {
                battles: end,
                from: start,
                closely: asked("CLOSELY").unwrap_or(1_000_000),
                sampled_offers: 0,
                logged: 0,
                ..Effort::default()
            };
            let part = suite::run::<Malbrook>(&[scenario(path)], effort).unwrap_or_else(|fault| panic!("{fault}"));
            assert_eq!(part.battles, end - start);
            (done, choices) = (done + part.battles, choices + part.decisions);
            println!("{name}: {done} battles, {choices} choices");
        }
        fought += done;
    }
    println!("{fought} battles in all");
}
