//! `sabretache odds`: exact odds from a situation alone.

use std::time::Instant;

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
    if let Some(seconds) = odds.measure {
        return measure(*test, &situation, seconds, odds.json);
    }
    let told = test.odds(&situation).map_err(|report| bad(format!("--situation: {report}")))?;
    if odds.json { print_json(&told) } else { print(&in_words(ruleset.book(), &told)) }
}

/// How often a second the exact chances of every outcome are worked out, the situation having been read once.
fn measure(test: &dyn SituationTest, situation: &Json, seconds: f64, json: bool) -> Result<(), Failure> {
    if !(seconds.is_finite() && seconds > 0.0 && seconds <= 86_400.0) {
        return Err(bad("--measure is more than nothing and at most a day"));
    }
    let weigh = test.weigher(situation).map_err(|report| bad(format!("--situation: {report}")))?;
    let outcomes = weigh();
    let (mut count, begun) = (0_u64, Instant::now());
    while begun.elapsed().as_secs_f64() < seconds {
        // Looking at the clock takes as long as the odds of a small test.
        (0..100).for_each(|_| _ = std::hint::black_box(weigh()));
        count += 100;
    }
    let rate = count as f64 / begun.elapsed().as_secs_f64();
    if json {
        return print_json(&json!({ "test": test.name(), "outcomes": outcomes, "count": count, "per_second": rate }));
    }
    print(&format!("{}: exact odds of {outcomes} outcomes, {rate:.0} times a second\n", test.name()))
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
