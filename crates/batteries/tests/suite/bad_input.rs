//! Scenarios that contradict the book are refused with the line and the clause; unusual ones are warned about.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on says so")]

use sabretache_batteries::Batteries;
use sabretache_batteries::clauses::{BB_TWN_01, BB_TWN_07, BB_UNI_07, BB_UNI_14, BB_UNI_33};
use sabretache_engine::clause::Clause;
use sabretache_engine::ruleset::Ruleset;
use sabretache_engine::scenario::{Diagnostics, Document, Scenario};

fn field() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../drills/batteries/positions/field.toml");
    std::fs::read_to_string(path).unwrap()
}

/// The field with some lines put in after a line, in the entry of one unit.
fn with(unit: &str, lines: &str) -> String {
    let id = format!("id = \"{unit}\"");
    field().replace(&id, &format!("{id}\n{lines}"))
}

/// What is said about a file: whether it loads, and each message with its clause and the text of its line.
fn said(text: &str) -> (bool, Vec<(Option<Clause>, String, String)>) {
    let document = Document::parse("bad.toml", text).unwrap_or_else(|report| panic!("{report}"));
    let scenario = Scenario::read(&document.json).unwrap_or_else(|report| panic!("{report}"));
    let mut report = Diagnostics::new();
    let loads = Batteries::muster(&scenario, &mut report).is_some();
    document.place(&mut report);
    let lines: Vec<&str> = text.lines().collect();
    let told = report.iter().map(|one| {
        let line = one.line.and_then(|line| lines.get(line - 1).copied()).unwrap_or("nowhere");
        (one.clause, line.to_owned(), one.message.clone())
    });
    (loads, told.collect())
}

fn refused(text: &str, clause: Clause, line: &str) {
    let (loads, told) = said(text);
    assert!(!loads, "{told:?}");
    assert!(told.iter().any(|(by, at, _)| *by == Some(clause) && at.contains(line)), "{told:?}");
}

#[test]
fn cuirassiers_in_skirmish_order_are_refused() {
    sabretache_engine::tests_clauses!(BB_UNI_14);
    let text = with("b-horse", "formation = \"skirmish\"").replacen("weight = \"light\"", "weight = \"cuirassier\"", 1);
    refused(&text, BB_UNI_14, "formation = \"skirmish\"");
}

#[test]
fn a_battery_with_more_crews_than_its_models_can_have_is_refused() {
    sabretache_engine::tests_clauses!(BB_UNI_33);
    refused(&with("b-guns", "start = 13"), BB_UNI_33, "start = 13");
    assert!(said(&with("b-guns", "start = 12")).0, "four to a model are right");
}

#[test]
fn guns_in_a_full_town_block_are_refused() {
    sabretache_engine::tests_clauses!(BB_TWN_01, BB_TWN_07);
    let block = |capacity: u8| {
        format!(
            "\n[[ground]]\nid = \"houses\"\nkind = \"town_block\"\narea = [[16, 14], [24, 14], [24, 20], [16, 20]]\n\
             \n[[terrain]]\nground = \"houses\"\ncapacity = {capacity}\n"
        )
    };
    let held = with("r-col", "inside = \"houses\"")
        .replace("id = \"r-guns\"", "id = \"r-guns\"\ninside = \"houses\" # the gun\nemplaced = true");
    let one_model = |text: &str| {
        let at = text.rfind("models = 3").unwrap();
        format!("{}models = 1{}", &text[..at], &text[at + "models = 3".len()..])
    };
    refused(&(one_model(&held) + &block(24)), BB_TWN_01, "# the gun");
    assert!(said(&(one_model(&held) + &block(28))).0, "with room for its four gunners it may be there");
    refused(&(held + &block(40)), BB_TWN_07, "# the gun");
}

#[test]
fn a_battalion_of_40_figures_is_warned_about_and_loads() {
    sabretache_engine::tests_clauses!(BB_UNI_07);
    let with_size = |size: u8| {
        said(
            &with("b-line", "# the big one")
                .replacen(
                    "start = 24\nformation = \"line\"",
                    &format!("start = {size}\nformation = \"extended\"\n# {size}"),
                    1,
                )
                .replacen("width = 6", "width = 9", 1),
        )
    };
    let warned = |told: &[(Option<Clause>, String, String)]| {
        told.iter().filter(|(clause, _, message)| *clause == Some(BB_UNI_07) && message.contains("40")).count()
    };
    let (loads, told) = with_size(40);
    assert!(loads && warned(&told) == 1, "{told:?}");
    let (loads, told) = with_size(36);
    assert!(loads && warned(&told) == 0, "{told:?}");
}
