//! What is said of a side reads right whether its name stands for one or for many.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on says so")]

use sabretache_batteries::{Batteries, Battle, Event};
use sabretache_engine::ids::Side;
use sabretache_engine::ruleset::Ruleset;
use sabretache_engine::scenario::{Diagnostics, Document, Scenario};
use serde_json::{Value as Json, json};

const NAMES: [&str; 6] = ["Blue", "The Allies", "Graham's division", "British", "les Français", "Prussia"];

fn field(name: &str, state: &Json, victory: &Json) -> Battle {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../drills/batteries/positions/field.toml");
    let mut document = Document::parse("field", std::fs::read_to_string(path).unwrap()).unwrap();
    document.json["sides"][0]["name"] = json!(name);
    document.json["sides"][1]["name"] = json!(format!("{name} of the other side"));
    document.json["state"] = state.clone();
    document.json["victory"] = victory.clone();
    Batteries::muster(&Scenario::read(&document.json).unwrap(), &mut Diagnostics::new()).unwrap()
}

/// All that is said of the first side where somebody decides or has won.
fn said(name: &str) -> Vec<String> {
    let mut said = Vec::new();
    for step in ["choice", "move_a", "move_b", "aim_a", "aim_b"] {
        let battle = field(name, &json!({ "step": step, "first": "bl" }), &json!({ "losses": 90 }));
        said.push(Batteries::decision(&battle));
        said.push(Batteries::tell(&battle, &Event::Won { side: Side::A }).text);
        said.push(Batteries::tell(&battle, &Event::Chose { first: Side::A }).text);
        said.push(Batteries::outcome(&battle, &[Event::Won { side: Side::A }]));
    }
    let place = json!([{ "name": "the hill", "at": [10, 10], "radius": 6, "worth": 2 }]);
    for victory in [json!({ "losses": 90 }), json!({ "defender": "bl" }), json!({ "objectives": place })] {
        let battle = field(name, &json!({ "step": "over", "first": "bl" }), &victory);
        said.push(Batteries::verdict(&battle).unwrap().sentence);
    }
    said
}

#[test]
fn no_verb_hangs_on_whether_a_side_is_one_or_many() {
    let agreeing =
        ["is", "are", "has", "have", "was", "were", "moves", "move", "wins", "win", "chooses", "orders", "order"];
    for name in NAMES {
        let within = name.strip_prefix("The ").map_or_else(|| name.to_owned(), |rest| format!("the {rest}"));
        let mut named = 0;
        for sentence in said(name) {
            for (at, _) in sentence.match_indices(&within).chain(sentence.match_indices(name)) {
                named += 1;
                let rest = sentence[at..].trim_start_matches(&*within).trim_start_matches(name);
                let rest = rest.trim_start_matches(" of the other side");
                let next: String = rest.trim_start().chars().take_while(|letter| letter.is_alphabetic()).collect();
                assert!(!agreeing.contains(&next.as_str()), "{sentence}");
            }
            assert!(!sentence.contains(" The "), "an article in the middle of a sentence: {sentence}");
        }
        assert!(named > 10, "{name} is named {named} times");
    }
}

#[test]
fn victory_is_told_of_the_winner() {
    let battle = field("The British", &json!({ "step": "over", "first": "bl" }), &json!({ "defender": "bl" }));
    assert_eq!(Batteries::verdict(&battle).unwrap().sentence, "Victory to the British: the ground is held to the end.");
}
