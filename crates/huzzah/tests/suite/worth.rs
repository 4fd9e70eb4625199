#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what it did not expect")]
//! What computer players think of a position.

use std::fs;
use std::path::Path;

use sabretache_engine::ids::Side;
use sabretache_engine::ruleset::{Judgement, Ruleset};
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

/// How the field of the exercises stands for the French by a judgement, with some facts of units changed.
fn field(by: Judgement, changes: &[(&str, &str, serde_json::Value)]) -> i32 {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../exercises/huzzah/positions/field.toml");
    let mut document = Document::parse("field.toml", fs::read_to_string(path).unwrap()).unwrap();
    for (unit, key, value) in changes {
        let units = document.json["units"].as_array_mut().unwrap();
        units.iter_mut().find(|one| one["id"] == *unit).unwrap()[*key] = value.clone();
    }
    let scenario = Scenario::<Body>::read(&document.json).unwrap_or_else(|report| panic!("{report}"));
    let battle = muster::<Huzzah>(&scenario).unwrap_or_else(|report| panic!("{report}"));
    Huzzah::worth_by(&battle, Side::A, by)
}

#[test]
fn the_present_judgement_sees_friends_before_the_guns_and_the_first_does_not() {
    // The allied guns stand aside: behind their own battalion they would be masked as well, as soon as somebody stands before them.
    let stands = |by, at| {
        field(by, &[("al-1", "at", json!([100, 100])), ("al-guns", "at", json!([180, 150])), ("fr-2", "at", at)])
    };
    let present = |at| stands(Judgement::Present, at);
    let (before, beside) = (present(json!([100, 45])), present(json!([70, 45])));
    assert!(before < beside, "{before} {beside}");
    let first = |at| stands(Judgement::First, at);
    assert!(first(json!([100, 45])) >= first(json!([70, 45])), "it is nearer to the enemy there, and that was all");
}

#[test]
fn a_square_is_worth_something_with_horse_on_the_flank() {
    let horse =
        [("al-horse", "at", json!([98, 66])), ("al-horse", "facing", json!(270)), ("fr-1", "at", json!([60, 60]))];
    let formed = |name: &str| {
        let mut changes = horse.to_vec();
        changes.push(("fr-1", "formation", json!(name)));
        field(Judgement::Present, &changes)
    };
    let (square, line) = (formed("square"), formed("line"));
    assert!(square > line, "{square} {line}");
}

#[test]
fn guns_and_friends_behind_the_horse_cover_no_flank() {
    let horse =
        [("al-horse", "at", json!([98, 66])), ("al-horse", "facing", json!(270)), ("fr-1", "at", json!([60, 60]))];
    let with = |unit: &'static str, at: serde_json::Value, facing: i32| {
        let gain = |formation: &str| {
            let mut changes = horse.to_vec();
            changes.extend([(unit, "at", at.clone()), (unit, "facing", json!(facing))]);
            changes.push(("fr-1", "formation", json!(formation)));
            field(Judgement::Present, &changes)
        };
        gain("square") - gain("line")
    };
    let alone = with("fr-2", json!([80, 20]), 0);
    assert!(alone > 40, "a square is worth much: {alone}");
    assert_eq!(with("fr-guns", json!([74, 64]), 90), alone, "guns between them");
    assert_eq!(with("fr-2", json!([130, 66]), 270), alone, "a battalion that the horse has behind it");
    assert!(with("fr-2", json!([74, 64]), 90) < alone, "a battalion between them");
}

#[test]
fn a_square_before_horse_stays_a_square() {
    let formed = |name: &str| {
        let at = [("al-horse", "at", json!([60, 94])), ("fr-1", "at", json!([60, 60]))];
        let formed = [("fr-1", "formation", json!(name))];
        field(Judgement::Present, &[&at[..], &formed[..]].concat())
    };
    assert!(formed("square") > formed("line"), "{} {}", formed("square"), formed("line"));
}
