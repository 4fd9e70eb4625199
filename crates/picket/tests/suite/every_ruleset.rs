//! The generic suite, and the drills.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what it did not expect")]

use std::path::Path;

use sabretache_engine::drill::run_folder;
use sabretache_engine::scenario::Document;
use sabretache_engine::suite::{self, Effort};
use sabretache_picket::Picket;

fn scenario() -> Document {
    Document::parse("ford.toml", include_str!("../../scenarios/ford.toml")).unwrap()
}

#[test]
fn picket_passes_what_every_ruleset_must_pass() {
    let done = suite::run::<Picket>(&[scenario()], Effort { battles: 60, ..Effort::default() })
        .unwrap_or_else(|fault| panic!("{fault}"));
    assert_eq!(done.battles, 60);
    assert!(done.sampled > 0 && done.refusals > 0 && done.decisions > 600, "{done:?}");
}

#[test]
fn what_a_client_is_told_holds() {
    let effort = Effort { battles: 20, closely: 3, ..Effort::default() };
    let seen = suite::told::<Picket>(&[scenario()], effort).unwrap_or_else(|fault| panic!("{fault}"));
    assert!(seen.handles > 100 && seen.headlines > 20 && seen.series > 20, "{seen:?}");
}

#[test]
fn every_drill_passes() {
    // `DRILLS=zones cargo test …` runs those whose file or title contains the word.
    let only = std::env::var("DRILLS").ok();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("drills");
    let result = run_folder::<Picket>(&folder, only.as_deref()).unwrap_or_else(|report| panic!("{report}"));
    assert!(
        result.failed.is_empty(),
        "{} passed, {} failed:\n{}",
        result.passed,
        result.failed.len(),
        result.failed.join("\n")
    );
    assert!(result.passed > 0, "no drill was run");
}
