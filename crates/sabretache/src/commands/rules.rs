//! `sabretache rules`: clauses of the books.

use std::path::Path;

use sabretache_engine::clause::{Clause, ClauseText};
use sabretache_engine::coverage::proofs_under;

use super::{print, print_json};
use crate::books::{book, books};
use crate::failure::{Failure, bad};

pub(crate) fn run(what: &[String], root: &Path, json: bool) -> Result<(), Failure> {
    let clauses = find(what)?;
    if json {
        return clauses.iter().try_for_each(print_json);
    }
    match clauses.as_slice() {
        [one] => print(&(whole(one) + &proofs(one, root)?)),
        all => {
            print(&all.iter().map(|clause| format!("{:<12} {}\n", clause.id.id(), clause.title)).collect::<String>())
        }
    }
}

fn find(what: &[String]) -> Result<Vec<&'static ClauseText>, Failure> {
    let first = what.first().map(String::as_str).unwrap_or_default();
    if let (1, Some(clause)) = (what.len(), Clause::parse(&first.to_uppercase())) {
        let found = books().into_iter().find_map(|book| book.find(clause));
        if let Some(found) = found {
            return Ok(vec![found]);
        }
        if books().iter().all(|book| book.name != first) {
            return Err(bad(format!(
                "no book has a clause '{first}'; `sabretache rules huzzah` lists those of a book"
            )));
        }
    }
    let book = book(first)?;
    let words = what[1..].join(" ");
    let found = book.search(&words);
    if found.is_empty() { Err(bad(format!("no clause of {} speaks of '{words}'", book.title))) } else { Ok(found) }
}

/// The drills and tests that prove a clause, where the project's sources are at hand.
fn proofs(clause: &ClauseText, root: &Path) -> Result<String, Failure> {
    if !root.join("rules").is_dir() || !root.join("drills").is_dir() {
        return Ok(String::new());
    }
    let proofs = proofs_under(root).map_err(|error| bad(format!("{}: {error}", root.display())))?;
    let told = proofs.get(&clause.id).into_iter().flatten();
    let lines: String = told.map(|proof| format!("  {}:{} {}\n", proof.file, proof.line, proof.title)).collect();
    Ok(if lines.is_empty() { lines } else { format!("\nProved by:\n{lines}") })
}

/// A clause with all that belongs to it.
pub(crate) fn whole(clause: &ClauseText) -> String {
    let mut text =
        format!("{}  {}\n({}, {})\n\n{}\n", clause.id, clause.title, clause.source, clause.kind, clause.text);
    if let Some(ruling) = clause.ruling {
        text += &format!("\nRuling: {ruling}\n");
    }
    text += &format!("\nExample: {}\n", clause.example);
    if !clause.needs.is_empty() {
        let needs: Vec<String> = clause.needs.iter().map(Clause::to_string).collect();
        text += &format!("\nSee also: {}\n", needs.join(", "));
    }
    if let Some(option) = clause.option {
        text += &format!("\nOptional: {option}\n");
    }
    if let Some(why) = clause.without_force {
        text += &format!("\nDecided nowhere: {why}\n");
    }
    if !clause.decided.is_empty() {
        text += "\nDecided at:\n";
        clause.decided.iter().for_each(|place| text += &format!("  {}:{}\n", place.file, place.line));
    }
    text
}
