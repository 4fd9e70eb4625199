//! `sabretache bench`: how fast it is.

use sabretache_lab::{Bench, LabError, Measured};
use serde_json::{Value as Json, json};

use super::{print, print_json};
use crate::books::{laboratories, laboratory, ruleset};
use crate::cli::BenchArgs;
use crate::failure::{Failure, bad};
use crate::files::{SHIPPED, scenario};

pub(crate) fn run(asked: &BenchArgs) -> Result<(), Failure> {
    if !(asked.seconds.is_finite() && asked.seconds > 0.0 && asked.seconds <= 86_400.0) {
        return Err(bad("--seconds is more than nothing and at most a day"));
    }
    let mut kinds: Vec<Bench> = asked.what.iter().map(|kind| Bench::from(*kind)).collect();
    if kinds.is_empty() {
        kinds = Bench::ALL.to_vec();
    }
    for (n, name) in scenarios(asked)?.iter().enumerate() {
        if !asked.json {
            let (document, of) = scenario(name)?;
            let title = document.json.get("title").and_then(Json::as_str).unwrap_or(name).to_owned();
            let gap = if n > 0 { "\n" } else { "" };
            print(&format!("{gap}{title} ({}), one thread\n", of.book().title))?;
        }
        for kind in &kinds {
            measure(name, *kind, asked)?;
        }
    }
    Ok(())
}

/// The scenarios to measure on: the one named, or the largest of the ruleset, or of each.
fn scenarios(asked: &BenchArgs) -> Result<Vec<String>, Failure> {
    if let Some(name) = &asked.scenario {
        let (_, of) = scenario(name)?;
        if asked.ruleset.as_ref().is_some_and(|ruleset| ruleset != of.book().name) {
            return Err(bad(format!("'{name}' is fought under {}", of.book().title)));
        }
        return Ok(vec![name.clone()]);
    }
    match &asked.ruleset {
        Some(name) => {
            let title = ruleset(name)?.book().title;
            let found = largest(name).ok_or_else(|| bad(format!("no scenario of {title} comes with the program")))?;
            Ok(vec![found])
        }
        None => Ok(laboratories().iter().filter_map(|one| largest(one.ruleset())).collect()),
    }
}

fn measure(name: &str, kind: Bench, asked: &BenchArgs) -> Result<(), Failure> {
    let (document, of) = scenario(name)?;
    let book = of.book().name;
    let measured = laboratory(book)?.measure(&document, kind, asked.seconds);
    let measured = measured.map_err(|error| match error {
        LabError::Scenario(mut report) => {
            document.place(&mut report);
            Failure::File { name: name.to_owned(), text: document.text.clone(), report }
        }
        other => bad(format!("{name}, {}: {other}", kind.name())),
    })?;
    if !asked.json {
        return print(&format!("  {measured}\n"));
    }
    print_json(&as_json(&measured, book, name))
}

fn as_json(measured: &Measured, ruleset: &str, scenario: &str) -> Json {
    let mut told = json!({
        "bench": measured.bench,
        "ruleset": ruleset,
        "scenario": scenario,
        "unit": measured.unit,
        "count": measured.count,
        "seconds": measured.seconds,
        "per_second": measured.per_second,
        "battles_per_second": measured.battles_per_second,
    });
    if let (Bench::Playouts | Bench::Steps | Bench::Drilled, Some(map)) = (measured.bench, told.as_object_mut()) {
        map.insert("decisions".into(), measured.count.into());
        map.insert("decisions_per_second".into(), measured.per_second.into());
    }
    told
}

/// The shipped scenario of a ruleset with the most units.
fn largest(ruleset: &str) -> Option<String> {
    let units = |name: &str| {
        let (document, of) = scenario(name).ok()?;
        let units = document.json.get("units").and_then(Json::as_array).map_or(0, Vec::len);
        (of.book().name == ruleset).then_some(units)
    };
    let mine = SHIPPED.iter().filter_map(|(name, _)| Some((units(name)?, *name)));
    mine.max_by_key(|(units, _)| *units).map(|(_, name)| name.to_owned())
}
