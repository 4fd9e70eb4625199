//! The generic suite, and the drills.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what it did not expect")]

use std::path::Path;

use sabretache_engine::drill::{read_drills, run_position, run_situation};
use sabretache_engine::ruleset::Ruleset;
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
fn every_drill_passes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("drills");
    for drill in
        read_drills("picket.toml", include_str!("../../drills/picket.toml")).unwrap_or_else(|report| panic!("{report}"))
    {
        let result = match drill.test {
            Some(_) => run_situation(Picket::situations(), &drill),
            None => run_position::<Picket>(&drill, &folder),
        };
        assert!(result.ok, "{}: {:#?}", result.title, result.failures);
    }
}
