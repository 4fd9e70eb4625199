#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what it did not expect")]
//! What a battle remembers is what would be worked out afresh.

use std::fs;
use std::path::Path;

use sabretache_engine::dice::Seeded;
use sabretache_engine::offer::{Choice, Value};
use sabretache_engine::playout::random_choice;
use sabretache_engine::resolution::Resolution;
use sabretache_engine::ruleset::Ruleset;
use sabretache_engine::scenario::{Diagnostics, Document, Scenario};
use sabretache_engine::tests_clauses;
use sabretache_malbrook::clauses::{MB_ART_04, MB_GUN_01, MB_GUN_09, MB_VIS_07};
use sabretache_malbrook::{Battle, Malbrook};

#[test]
fn the_smoke_of_one_gun_closes_the_shots_of_another() {
    tests_clauses!(MB_VIS_07, MB_ART_04);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../drills/malbrook/positions/foot-and-guns.toml");
    let text = fs::read_to_string(&path).unwrap();
    // The light gun stands three inches before the heavy one, and both see the column.
    let moved = text.replacen("at = [27, 12]", "at = [25, 15]", 1);
    assert_ne!(moved, text);
    let document = Document::parse("position.toml", moved).unwrap();
    let mut battle = Malbrook::muster(&Scenario::read(&document.json).unwrap(), &mut Diagnostics::new()).unwrap();
    let keys = |battle: &Battle| {
        let mut offers = Vec::new();
        Malbrook::offers(battle, &mut offers);
        let keys = offers.iter().map(|offer| Malbrook::key(battle, offer)).collect::<Vec<_>>();
        (offers, keys)
    };
    let (offers, named) = keys(&battle);
    assert!(named.iter().any(|key| key == "fire ag at f2"), "{named:?}");
    let light = named.iter().position(|key| key == "fire al at f2").unwrap();
    let choice = Choice { offer: offers[light], value: Value::None };
    Malbrook::resolve(&mut Resolution::new(&mut battle, &mut Seeded::new(1)), &choice).unwrap();
    let (_, named) = keys(&battle);
    assert!(!named.iter().any(|key| key == "fire ag at f2"), "{named:?}");
}

#[test]
fn a_battle_saved_and_loaded_makes_the_same_offers() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios/malbrook/meeting.toml");
    let document = Document::parse("meeting.toml", fs::read_to_string(&path).unwrap()).unwrap();
    for seed in 0..4 {
        let mut battle = Malbrook::muster(&Scenario::read(&document.json).unwrap(), &mut Diagnostics::new()).unwrap();
        let (mut random, mut dice) = (Seeded::new(seed), Seeded::new(seed + 100));
        let mut offers = Vec::new();
        for n in 0..600 {
            if n % 7 == 0 {
                let loaded = Malbrook::muster(&Malbrook::save(&battle), &mut Diagnostics::new()).unwrap();
                let (mut kept, mut afresh) = (Vec::new(), Vec::new());
                Malbrook::offers(&battle, &mut kept);
                Malbrook::offers(&loaded, &mut afresh);
                assert_eq!(kept, afresh, "decision {n} of seed {seed}");
            }
            let Some(choice) = random_choice::<Malbrook>(&battle, &mut offers, &mut random) else { break };
            Malbrook::resolve(&mut Resolution::new(&mut battle, &mut dice), &choice).unwrap();
        }
    }
}

#[test]
fn crews_that_fled_one_after_another_are_saved_and_loaded_the_same() {
    tests_clauses!(MB_GUN_01, MB_GUN_09);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../drills/malbrook/positions/plain.toml");
    let mut document = Document::parse("plain.toml", fs::read_to_string(&path).unwrap()).unwrap();
    // The crew of the ninth unit's gun has fled before; now horse ride on to the third's, with foot an inch beside it.
    let units = document.json["units"].as_array_mut().unwrap();
    units[8]["status"] = "abandoned".into();
    units[8]["crew_with"] = "f2".into();
    units[9]["at"] = serde_json::json!([30, 8]);
    units[9]["marks"] = serde_json::json!({ "attack": { "charged": { "outrance": false } } });
    units[1]["at"] = serde_json::json!([26.5, 8]);
    document.json["state"]["phase"] = "charge-moves".into();
    let mut battle = Malbrook::muster(&Scenario::read(&document.json).unwrap(), &mut Diagnostics::new()).unwrap();
    let mut offers = Vec::new();
    Malbrook::offers(&battle, &mut offers);
    let end = *offers.iter().find(|offer| Malbrook::key(&battle, offer) == "end").unwrap();
    let choice = Choice { offer: end, value: Value::None };
    Malbrook::resolve(&mut Resolution::new(&mut battle, &mut Seeded::new(1)), &choice).unwrap();
    let saved = Malbrook::save(&battle);
    assert_eq!(saved.body.units[2].crew_with.as_deref(), Some("a2"));
    let loaded = Malbrook::muster(&saved, &mut Diagnostics::new()).unwrap();
    assert!(loaded == battle, "saved and loaded, the battle is another");
}
