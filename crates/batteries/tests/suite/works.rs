//! Random players fight among houses, works and walls, with ladders and breaches, as they fight anywhere.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on says so")]

use sabretache_batteries::Batteries;
use sabretache_engine::scenario::Document;
use sabretache_engine::suite::{self, Effort};
use serde_json::json;

fn smolensk() -> Document {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios/batteries/smolensk-royal-bastion.toml");
    Document::parse("smolensk", std::fs::read_to_string(path).unwrap()).unwrap()
}

fn fought(document: Document) {
    let effort =
        Effort { battles: 4, sampled_offers: 3, samples: 1_000, closely: 160, despite: 0, ..Effort::default() };
    suite::run::<Batteries>(&[document], effort).unwrap_or_else(|fault| panic!("{fault}"));
}

#[test]
fn with_ladders_and_a_breach() {
    let mut document = smolensk();
    for unit in document.json["units"].as_array_mut().unwrap() {
        if unit["nation"] == json!("france") {
            unit["ladders"] = json!(3);
        }
    }
    document.json["state"] = json!({
        "breaks": [{ "ground": "wall-south", "from": 6, "to": 9 }, { "ground": "covered-way", "from": 3, "to": 7.5 }],
        "battered": [{ "ground": "wall-south", "section": 6, "hits": 8 }]
    });
    fought(document);
}

#[test]
fn at_close_quarters() {
    let mut document = smolensk();
    // Everybody begins within a move or two of the enemy, so that houses and works are fought for from the first turn.
    for unit in document.json["units"].as_array_mut().unwrap() {
        let near = match unit["id"].as_str().unwrap() {
            "24l-1" => json!([6.5, 11]),
            "24l-2" => json!([13.2, 11]),
            "46-1" => json!([30, 18]),
            "46-2" => json!([36, 19]),
            "72-1" => json!([51, 14]),
            "72-2" => json!([58.5, 14]),
            _ => continue,
        };
        unit["at"] = near;
        unit["ladders"] = json!(2);
    }
    fought(document);
}
