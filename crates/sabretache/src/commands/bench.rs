//! `sabretache bench`: how fast it is.

use std::time::Instant;

use serde_json::json;

use super::{print, print_json};
use crate::books::ruleset;
use crate::cli::BenchCommand;
use crate::failure::{Failure, bad};
use crate::files::{SHIPPED, scenario};

/// A battle that takes longer than this is counted as it stands.
const LONGEST: u64 = 100_000;

pub(crate) fn run(command: &BenchCommand) -> Result<(), Failure> {
    let BenchCommand::Playouts { ruleset: name, scenario: given, seconds, json } = command;
    let book = ruleset(name)?.book();
    let scenario_name = match given {
        Some(name) => name.clone(),
        None => largest(name).ok_or_else(|| bad(format!("no scenario of {} comes with the program", book.title)))?,
    };
    let (document, of) = scenario(&scenario_name)?;
    if of.book().name != name {
        return Err(bad(format!("'{scenario_name}' is fought under {}", of.book().title)));
    }
    if !(seconds.is_finite() && *seconds > 0.0 && *seconds <= 86_400.0) {
        return Err(bad("--seconds is more than nothing and at most a day"));
    }
    let text = document.text.clone();
    let report = |report| Failure::File { name: scenario_name.clone(), text: text.clone(), report };
    let mut playouts = of.playouts(&document).map_err(report)?;
    let (mut decisions, mut battles) = (0u64, 0u64);
    let start = Instant::now();
    while start.elapsed().as_secs_f64() < *seconds {
        let played = playouts.play(battles, LONGEST).map_err(|halt| bad(format!("battle {battles}: {halt}")))?;
        decisions += played.decisions;
        battles += 1;
    }
    let elapsed = start.elapsed().as_secs_f64();
    let (per_second, battles_per_second) = (decisions as f64 / elapsed, battles as f64 / elapsed);
    if *json {
        return print_json(&json!({
            "decisions_per_second": per_second,
            "battles_per_second": battles_per_second,
            "ruleset": name,
            "scenario": scenario_name,
            "decisions": decisions,
            "battles": battles,
            "seconds": elapsed,
        }));
    }
    print(&format!(
        "{name}, {scenario_name}, one thread: {per_second:.0} decisions and {battles_per_second:.1} battles a second\n"
    ))
}

/// The shipped scenario of a ruleset with the most units.
fn largest(ruleset: &str) -> Option<String> {
    let of_ruleset = |text: &str| text.contains(&format!("ruleset = \"{ruleset}\""));
    let mine = SHIPPED.iter().filter(|(_, text)| of_ruleset(text));
    mine.max_by_key(|(_, text)| text.matches("[[units]]").count()).map(|(name, _)| (*name).to_owned())
}
