//! A question of one line has an answer of one line, as the server gives it.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on says so")]

use sabretache_engine::ruleset::Ruleset;
use sabretache_picket::Picket;
use sabretache_pocket::{Tests, answer};
use serde_json::{Value as Json, json};

fn asked(question: &Json) -> Json {
    let shelf: [(_, Tests); 1] = [(&sabretache_picket::clauses::BOOK, Picket::situations())];
    serde_json::from_str(&answer(&shelf, &question.to_string())).unwrap()
}

/// A steady unit that was hit once.
fn stood() -> Json {
    json!({ "steadiness": 8, "hits": 1 })
}

/// The first test of the book.
fn first() -> &'static str {
    Picket::situations()[0].name()
}

#[test]
fn odds_add_up_and_name_their_clauses() {
    let said = asked(&json!({ "ruleset": "picket", "test": first(), "situation": stood() }));
    let outcomes = said["answer"]["outcomes"].as_array().unwrap_or_else(|| panic!("{said}"));
    let sum: f64 = outcomes.iter().map(|one| one["probability"].as_f64().unwrap()).sum();
    assert!((sum - 1.0).abs() < 1e-9, "{said}");
    assert!(!said["answer"]["tests"].as_array().unwrap().is_empty());
}

#[test]
fn dice_are_asked_for_until_the_test_is_over_and_no_more_are_taken() {
    let mut dice: Vec<u8> = Vec::new();
    let question =
        |dice: &[u8]| asked(&json!({ "ruleset": "picket", "test": first(), "situation": stood(), "dice": dice }));
    for _ in 0..20 {
        let said = question(&dice);
        match said["answer"]["type"].as_str() {
            Some("throw") => dice.extend(said["answer"]["dice"].as_array().unwrap().iter().map(|_| 1)),
            Some("done") => {
                assert!(!said["answer"]["outcome"].as_str().unwrap().is_empty());
                dice.push(1);
                assert!(question(&dice)["problem"]["why"].as_str().unwrap().contains("more dice"));
                return;
            }
            _ => panic!("{said}"),
        }
    }
    panic!("it never ends");
}

#[test]
fn what_cannot_be_answered_is_a_problem_in_words() {
    for (question, why) in [
        (json!({ "ruleset": "chess", "test": "mate", "situation": {} }), "no such ruleset"),
        (json!({ "ruleset": "picket", "test": "mate", "situation": {} }), "no such test"),
        (json!({ "ruleset": "picket", "test": first(), "situation": { "nonsense": 1 } }), "the situation cannot be"),
        (json!({ "hello": 1 }), "unknown field"),
    ] {
        let said = asked(&question);
        assert!(said["problem"]["why"].as_str().is_some_and(|told| told.contains(why)), "{question}: {said}");
    }
}
