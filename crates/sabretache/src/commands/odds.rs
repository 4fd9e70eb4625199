//! `sabretache odds`: exact odds from a situation alone.

use sabretache_engine::clause::Book;
use sabretache_engine::situation::{SituationOdds, SituationTest};
use serde_json::{Value as Json, json};

use super::{print, print_json, print_pretty};
use crate::books::ruleset;
use crate::cli::Odds;
use crate::failure::{Failure, bad};

pub(crate) fn run(odds: &Odds) -> Result<(), Failure> {
    let ruleset = ruleset(&odds.ruleset)?;
    let tests = ruleset.situations();
    if odds.list {
        return list(tests, odds.json);
    }
    let name = odds.test.as_deref().ok_or_else(|| bad("which test? `--list` names them"))?;
    let test = tests.iter().find(|test| test.name() == name).ok_or_else(|| {
        let names: Vec<&str> = tests.iter().map(|test| test.name()).collect();
        bad(format!("{} has no test '{name}'; it has: {}", ruleset.book().title, names.join(", ")))
    })?;
    if odds.schema {
        return print_pretty(&test.schema());
    }
    let situation = match &odds.situation {
        Some(text) => serde_json::from_str(text).map_err(|error| bad(format!("--situation is not JSON: {error}")))?,
        None => json!({}),
    };
    let told = test.odds(&situation).map_err(|report| bad(format!("--situation: {report}")))?;
    if odds.json { print_json(&told) } else { print(&in_words(ruleset.book(), &told)) }
}

fn list(tests: &[&dyn SituationTest], json: bool) -> Result<(), Failure> {
    if json {
        let all: Vec<Json> = tests.iter().map(|test| json!({ "test": test.name(), "about": test.about() })).collect();
        return print_json(&all);
    }
    print(&tests.iter().map(|test| format!("{:<20} {}\n", test.name(), test.about())).collect::<String>())
}

fn in_words(book: &Book, odds: &SituationOdds) -> String {
    let mut text = format!("target {}\n", odds.target);
    for modifier in &odds.modifiers {
        text += &format!("  {:+}  {} [{}]\n", modifier.shift, book.title_of(modifier.clause), modifier.clause);
    }
    if let Some(clause) = odds.capped_by {
        text += &format!("      limited: {} [{clause}]\n", book.title_of(clause));
    }
    for more in &odds.more {
        text += &format!("against target {}\n", more.target);
        for modifier in &more.modifiers {
            text += &format!("  {:+}  {} [{}]\n", modifier.shift, book.title_of(modifier.clause), modifier.clause);
        }
    }
    let mut outcomes = odds.outcomes.clone();
    outcomes.sort_by(|a, b| b.probability.total_cmp(&a.probability));
    for outcome in &outcomes {
        text += &format!("{:>7.2} %  {:<12} {}\n", outcome.probability * 100.0, outcome.p, outcome.outcome);
    }
    text
}
