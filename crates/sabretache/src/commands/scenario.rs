//! `sabretache scenario`: checks, describes and makes scenarios.

use std::path::PathBuf;

use serde_json::{Value as Json, json};

use super::{print, print_json, print_pretty};
use crate::books::{benches, ruleset};
use crate::cli::ScenarioCommand;
use crate::failure::{Failure, bad, tell_report};
use crate::files::{SHIPPED, parse, read_text, ruleset_of};

pub(crate) fn run(command: &ScenarioCommand) -> Result<(), Failure> {
    match command {
        ScenarioCommand::List { json } => list(*json),
        ScenarioCommand::Check { files, json } => check(files, *json),
        ScenarioCommand::Schema { ruleset: name } => print_pretty(&ruleset(name)?.schema()),
        ScenarioCommand::New { ruleset: name } => new(name),
        ScenarioCommand::Words { ruleset: name } => words(name),
    }
}

fn list(json: bool) -> Result<(), Failure> {
    for (name, text) in SHIPPED {
        let document = parse(name, (*text).to_owned())?;
        let field = |key: &str| document.json.get(key).and_then(Json::as_str).unwrap_or_default().to_owned();
        if json {
            print_json(
                &json!({ "name": name, "ruleset": field("ruleset"), "title": field("title"), "date": field("date") }),
            )?;
        } else {
            print(&format!("{name:<20} {:<10} {}\n", field("ruleset"), field("title")))?;
        }
    }
    Ok(())
}

fn check(files: &[PathBuf], json: bool) -> Result<(), Failure> {
    let mut wrong = false;
    for path in files {
        let name = path.display().to_string();
        let text = read_text(path)?;
        let document = match parse(&name, text.clone()) {
            Ok(document) => document,
            Err(Failure::File { report, .. }) if json => {
                print_json(&json!({ "file": name, "ok": false, "findings": report }))?;
                wrong = true;
                continue;
            }
            Err(failure) => return Err(failure),
        };
        let report = ruleset_of(&document)?.check(&document);
        wrong |= report.has_errors();
        if json {
            print_json(&json!({ "file": name, "ok": !report.has_errors(), "findings": report }))?;
        } else if report.is_empty() {
            print(&format!("{name}: nothing wrong\n"))?;
        } else {
            print(&tell_report(&name, &text, &report))?;
        }
    }
    if wrong { Err(bad("a scenario cannot be used as it is")) } else { Ok(()) }
}

fn words(name: &str) -> Result<(), Failure> {
    let ruleset = ruleset(name)?;
    let benches = benches();
    let bench = benches.iter().find(|(book, _)| *book == name).map(|(_, bench)| bench);
    print(&super::words::page(ruleset.book().title, ruleset.schema().as_value(), bench))
}

/// The shortest shipped scenario of the ruleset, to start from.
fn new(name: &str) -> Result<(), Failure> {
    let book = ruleset(name)?.book();
    let of_book = |text: &&str| text.contains(&format!("ruleset = \"{name}\""));
    let shortest = SHIPPED.iter().map(|(_, text)| *text).filter(of_book).min_by_key(|text| text.len());
    let text = shortest.ok_or_else(|| bad(format!("no scenario of {} comes with the program yet", book.title)))?;
    print(&format!(
        "# A scenario for {}. `sabretache scenario check FILE` says what is wrong with it;\n# docs/scenarios.md tells what may stand here.\n{text}",
        book.title
    ))
}
