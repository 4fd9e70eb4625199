#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what it did not expect")]
//! What a scenario is warned of and what it may do all the same.

use std::fs;
use std::path::Path;

use sabretache_engine::clause::Clause;
use sabretache_engine::scenario::{Diagnostics, Document, Scenario, Severity};
use sabretache_engine::tests_clauses;
use sabretache_huzzah::body::Body;
use sabretache_huzzah::clauses::{HZ_HIL_01, HZ_SCL_10, HZ_SCL_12, HZ_SCL_14, HZ_SCL_15};
use sabretache_huzzah::muster::muster;
use serde_json::{Value, json};

/// The position of two brigades with some of it changed: the clauses it is warned with, and where.
fn warnings(change: impl FnOnce(&mut Value)) -> Vec<(Clause, String)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../drills/huzzah/positions/threatened.toml");
    let mut json = Document::parse("threatened.toml", fs::read_to_string(&path).unwrap()).unwrap().json;
    change(&mut json);
    let scenario = Scenario::<Body>::read(&json).unwrap_or_else(|report| panic!("{report}"));
    let mut report = Diagnostics::new();
    muster(&scenario, &mut report).unwrap_or_else(|| panic!("{report}"));
    let warned = report.iter().filter(|one| one.severity == Severity::Warning);
    warned.filter_map(|one| one.clause.map(|clause| (clause, one.path.to_string()))).collect()
}

fn unit(json: &mut Value, n: usize) -> &mut Value {
    &mut json["units"][n]
}

#[test]
fn a_unit_much_wider_or_narrower_than_usual_is_remarked_on() {
    tests_clauses!(HZ_SCL_12);
    let of = |change: &dyn Fn(&mut Value)| -> Vec<String> {
        let all = warnings(|json| change(json));
        all.into_iter().filter(|(clause, _)| *clause == HZ_SCL_12).map(|(_, path)| path).collect()
    };
    assert!(of(&|_| {}).is_empty(), "four stands of 3 cm are 2.4 bands");
    assert!(of(&|json| unit(json, 0)["stands"] = json!(6)).is_empty(), "six are 3.6 bands");
    assert_eq!(of(&|json| unit(json, 0)["stands"] = json!(7)), ["units[0].stands"], "seven are 4.2 bands");
    assert_eq!(of(&|json| unit(json, 0)["stands"] = json!(3)), ["units[0].stands"], "three are 1.8 bands");
    assert!(of(&|json| unit(json, 3)["stands"] = json!(3)).is_empty(), "a battery of three stands is 1.8 bands");
    assert_eq!(of(&|json| unit(json, 3)["stands"] = json!(4)), ["units[3].stands"], "one of four is 2.4 bands");
    assert_eq!(of(&|json| unit(json, 3)["stands"] = json!(1)), ["units[3].stands"], "one of one is 0.6 bands");
    let small = |json: &mut Value| {
        unit(json, 0)["stands"] = json!(2);
        unit(json, 0)["abilities"] = json!({ "small": true });
    };
    assert!(of(&small).is_empty(), "a small unit is no battalion");
    let full = |json: &mut Value| json["options"]["cavalry_stands"] = json!(8);
    assert!(of(&full).is_empty(), "full regiments may be wider than four bands");
    assert_eq!(
        of(&|json| unit(json, 2)["stands"] = json!(8)),
        ["units[2].stands"],
        "one wider than the others may not"
    );
}

#[test]
fn a_regiment_of_another_size_than_the_rest_is_remarked_on() {
    tests_clauses!(HZ_SCL_10);
    let of = |stands: u8| {
        let all = warnings(|json| {
            json["options"]["cavalry_stands"] = json!(6);
            unit(json, 2)["stands"] = json!(stands);
        });
        all.into_iter().filter(|(clause, _)| *clause == HZ_SCL_10).map(|(_, path)| path).collect::<Vec<_>>()
    };
    assert_eq!(of(4), ["units[2].stands"]);
    assert!(of(6).is_empty());
}

#[test]
fn armies_that_start_too_far_apart_are_remarked_on() {
    tests_clauses!(HZ_SCL_14);
    // The lines stand 130 cm apart, front to front; moved, the Allies' front line is the nearest unit by far.
    let apart = |kind: &str, cm: f64| {
        let all = warnings(|json| {
            json["options"]["kind"] = json!(kind);
            unit(json, 4)["at"] = json!([60.0, 30.0 + cm]);
        });
        all.iter().any(|(clause, path)| *clause == HZ_SCL_14 && path == "options.kind")
    };
    assert!(!apart("encounter", 118.0));
    assert!(!apart("encounter", 120.0), "24 bands exactly");
    assert!(apart("encounter", 120.2));
    assert!(apart("encounter", 125.0));
    assert!(!apart("assault", 80.0));
    assert!(!apart("assault", 82.5) && !apart("assault", 77.5), "half a band more or less");
    assert!(apart("assault", 82.7) && apart("assault", 77.3));
    let none = warnings(|json| unit(json, 4)["at"] = json!([60.0, 155.0]));
    assert!(none.iter().all(|(clause, _)| *clause != HZ_SCL_14), "neither kind of game, no advice");
    let later = warnings(|json| {
        json["options"]["kind"] = json!("assault");
        json["state"] = json!({ "turn": 3, "first": "fr", "stage": "skirmish" });
    });
    assert!(later.iter().all(|(clause, _)| *clause != HZ_SCL_14), "a battle in progress has started long ago");
}

#[test]
fn a_game_too_large_for_an_evening_is_remarked_on() {
    tests_clauses!(HZ_SCL_15);
    // The French have four units; more of them come up in march column along the western edge.
    let with = |more: usize, brigades: usize| {
        let all = warnings(|json| {
            let model = unit(json, 0).clone();
            for n in 0..more {
                let mut one = model.clone();
                one["id"] = json!(format!("more-{n}"));
                one["formation"] = json!("march_column");
                one["at"] = json!([6 + 8 * (n % 4), 20 + 10 * (n / 4)]);
                json["units"].as_array_mut().unwrap().push(one);
            }
            for n in 2..brigades {
                let id = format!("extra-{n}");
                json["commands"]
                    .as_array_mut()
                    .unwrap()
                    .push(json!({ "id": id, "name": id, "side": "fr", "level": "brigade", "part_of": "fr-army" }));
                json["officers"].as_array_mut().unwrap().push(
                    json!({ "id": format!("o-{id}"), "name": id, "command": id, "ability": "average", "at": [120 + n, 20] }),
                );
            }
        });
        all.iter().any(|(clause, path)| *clause == HZ_SCL_15 && path == "sides[0]")
    };
    assert!(!with(0, 2) && !with(12, 4), "16 units in four brigades");
    assert!(with(13, 4), "17 units");
    assert!(with(0, 5), "five brigades");
}

#[test]
fn a_steep_hill_of_one_contour_is_remarked_on() {
    tests_clauses!(HZ_HIL_01);
    let hill = |traits: &[&str], second: bool| {
        let all = warnings(|json| {
            let mut ground = vec![json!({
                "kind": "hill", "id": "hill", "traits": traits, "area": [[100, 60], [160, 60], [160, 100], [100, 100]]
            })];
            if second {
                ground.push(
                    json!({ "kind": "hill", "part_of": "hill", "area": [[110, 70], [150, 70], [150, 90], [110, 90]] }),
                );
            }
            json["ground"] = json!(ground);
        });
        all.iter().any(|(clause, path)| *clause == HZ_HIL_01 && path == "ground[0].traits")
    };
    assert!(hill(&["steep"], false));
    assert!(!hill(&["steep"], true) && !hill(&["gentle"], false) && !hill(&[], true));
}
