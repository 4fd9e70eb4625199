//! A thousand units on one spot: any two of them stand in each other's way, and nothing about them may cost time or room by the pair.

use std::time::Instant;

use sabretache_engine::scenario::{Diagnostics, Document};
use serde_json::{Value as Json, json};

/// The first list of units in a scenario.
fn units(json: &mut Json) -> Option<&mut Vec<Json>> {
    if json.get("units").is_some_and(Json::is_array) {
        return json.get_mut("units")?.as_array_mut();
    }
    match json {
        Json::Object(map) => map.values_mut().find_map(units),
        Json::Array(items) => items.iter_mut().find_map(units),
        _ => None,
    }
}

/// The scenario with so many more units, all where its first one stands.
fn crowded(scenario: &str, count: usize) -> Document {
    let mut json = Document::parse("scenario.toml", scenario).unwrap().json;
    let units = units(&mut json).unwrap();
    let first = units[0].clone();
    for n in 0..count {
        let mut unit = first.clone();
        (unit["id"], unit["name"]) = (json!(format!("more-{n}")), json!(format!("More {n}")));
        units.push(unit);
    }
    Document::of_json("crowded", json)
}

/// Before findings were bounded it took 45 seconds and 84 MB. Some books take no more than `most` units at all, and say so in a word.
fn is_cheap(book: &str, scenario: &str, most: usize) {
    let ruleset = sabretache_books::rulesets().into_iter().find(|one| one.book().name == book).unwrap();
    let checked = |count| {
        let document = crowded(scenario, count);
        let begun = Instant::now();
        let report = ruleset.check(&document);
        let sketch = ruleset.sketch(&document);
        (report, serde_json::to_string(&sketch.report).unwrap().len(), begun.elapsed())
    };
    let (_, _, few) = checked(100);
    let (report, bytes, took) = checked(most);
    assert_eq!(report.len(), Diagnostics::MOST + 1, "some are told, and how many more there are");
    assert!(bytes < 200_000, "{bytes} bytes");
    // Ten times as many units make a hundred times as many pairs; and a second is there for what the machine does besides.
    assert!(took < few * 100 + std::time::Duration::from_secs(1), "{took:?}, a hundred of them {few:?}");
    assert!(took.as_secs() < 20, "{took:?}");
    if most < 1_000 {
        let (refused, bytes, _) = checked(1_000);
        assert_eq!(refused.len(), 1, "{refused}");
        assert!(bytes < 1_000, "{bytes} bytes");
    }
    println!("{book}: {most} units on one spot looked at in {took:?}, {bytes} bytes of findings");
}

#[cfg(feature = "huzzah")]
#[test]
fn huzzah() {
    is_cheap("huzzah", include_str!("../../../../scenarios/huzzah/teaching.toml"), 1_000);
}

#[cfg(feature = "batteries")]
#[test]
fn brigades_and_batteries() {
    is_cheap("batteries", include_str!("../../../../scenarios/batteries/the-crossroads.toml"), 550);
}

#[cfg(feature = "malbrook")]
#[test]
fn malbrook() {
    is_cheap("malbrook", include_str!("../../../../scenarios/malbrook/meeting.toml"), 550);
}
