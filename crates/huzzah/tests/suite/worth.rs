#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what it did not expect")]
//! What computer players think of a position.

use std::fs;
use std::path::Path;

use sabretache_engine::ids::Side;
use sabretache_engine::ruleset::Ruleset;
use sabretache_engine::scenario::{Document, Scenario};
use sabretache_engine::session::muster;
use sabretache_huzzah::Huzzah;
use sabretache_huzzah::body::Body;
use serde_json::json;

/// How the French stand where some of their units are gone, and their chief perhaps.
fn french(gone: &[usize], chief_killed: bool) -> i32 {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../drills/huzzah/positions/two-brigades.toml");
    let mut document = Document::parse("two-brigades.toml", fs::read_to_string(path).unwrap()).unwrap();
    for unit in gone {
        document.json["units"][*unit]["presence"] = json!("shattered");
    }
    if chief_killed {
        let officers = document.json["officers"].as_array_mut().unwrap();
        let chief = officers.iter_mut().find(|officer| officer["command"] == "fr-army").unwrap();
        chief["status"] = json!("killed");
    }
    let scenario = Scenario::<Body>::read(&document.json).unwrap_or_else(|report| panic!("{report}"));
    Huzzah::worth(&muster::<Huzzah>(&scenario).unwrap_or_else(|report| panic!("{report}")), Side::A)
}

#[test]
fn a_chief_is_worth_more_to_an_army_with_a_broken_brigade() {
    let (whole, damaged, broken) = (&[][..], &[1, 3][..], &[2, 3][..]);
    let chief = |gone: &[usize]| french(gone, false) - french(gone, true);
    assert!(chief(whole) > 0);
    assert_eq!(chief(damaged), chief(whole), "a unit lost in each brigade is no matter for the army");
    assert!(chief(broken) > chief(whole), "without him it fails every check, even one of two units");
}
