//! `sabretache army`: the scenario of a book from an army list.

use std::path::Path;

use sabretache_armies::{BOOKS, List, SHIPPED};
use sabretache_engine::scenario::{Diagnostics, Document, Severity};

use super::print;
use crate::books::ruleset;
use crate::cli::Army;
use crate::failure::{Failure, bad};
use crate::files::{SHIPPED as SCENARIOS, parse, read_text};

pub(crate) fn run(asked: &Army) -> Result<(), Failure> {
    if asked.list {
        let line = |(name, text): &(&str, &str)| {
            let document = parse(name, (*text).to_owned())?;
            let list = read(&document)?;
            Ok::<_, Failure>(format!("{name:<16} {}, {}\n", list.title, list.date))
        };
        return print(&SHIPPED.iter().map(line).collect::<Result<String, _>>()?);
    }
    let name = asked.army.as_deref().unwrap_or_default();
    let (name, document) = find(name)?;
    if asked.write_list {
        return print(&document.text);
    }
    let list = read(&document)?;
    match &asked.book {
        Some(book) => print(&written(&list, book, &name, &document)?),
        None => check(&list, &name, &document),
    }
}

/// A list that comes with the program, a file, or a scenario that comes with the program; and what it is called in what is written from it.
fn find(name: &str) -> Result<(String, Document), Failure> {
    if let Some((shipped, text)) = SHIPPED.iter().find(|(shipped, _)| *shipped == name) {
        return Ok(((*shipped).to_owned(), parse(shipped, (*text).to_owned())?));
    }
    let found = if Path::new(name).exists() {
        parse(name, read_text(Path::new(name))?)?
    } else if let Some((_, text)) = SCENARIOS.iter().find(|(shipped, _)| *shipped == name) {
        parse(name, (*text).to_owned())?
    } else {
        let known: Vec<&str> = SHIPPED.iter().map(|(name, _)| *name).collect();
        let says = format!("there is no army list, scenario or file '{name}'; lists: {}", known.join(", "));
        return Err(bad(says));
    };
    if found.json.get("ruleset").is_none() {
        return Ok((name.to_owned(), found));
    }
    let text = sabretache_armies::from_scenario(&found.json).map_err(|report| failed(&found, report))?;
    Ok((name.to_owned(), parse(name, text)?))
}

fn read(document: &Document) -> Result<List, Failure> {
    sabretache_armies::read(document).map_err(|report| failed(document, report))
}

fn failed(document: &Document, report: Diagnostics) -> Failure {
    Failure::File { name: document.name.clone(), text: document.text.clone(), report }
}

/// The scenario, which must be one that the book can fight: what is wrong with it is mended by a correction in the list.
fn written(list: &List, book: &str, name: &str, document: &Document) -> Result<String, Failure> {
    let text = sabretache_armies::scenario(list, book, name, document).map_err(|report| failed(document, report))?;
    let scenario = parse(&format!("{name} under {book}"), text.clone())?;
    let report = ruleset(book)?.check(&scenario);
    if report.has_errors() { Err(Failure::File { name: scenario.name, text, report }) } else { Ok(text) }
}

fn check(list: &List, name: &str, document: &Document) -> Result<(), Failure> {
    for book in BOOKS {
        let text =
            sabretache_armies::scenario(list, book, name, document).map_err(|report| failed(document, report))?;
        let scenario = parse(&format!("{name} under {book}"), text)?;
        let report = ruleset(book)?.check(&scenario);
        print(&format!("{book}: {}\n", if report.is_empty() { "nothing wrong" } else { "" }))?;
        for one in report.iter() {
            let how = if one.severity == Severity::Error { "wrong" } else { "unusual" };
            let help = one.help.as_ref().map_or(String::new(), |help| format!(" ({help})"));
            print(&format!("  {how}: {}: {}{help}\n", one.path, one.message))?;
        }
    }
    print("What is wrong or unusual under a book is mended by `[[books.BOOK.corrections]]` in the list.\n")
}
