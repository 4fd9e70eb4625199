//! `sabretache clauses`: which clauses have a drill or a test, and a line that decides them.

use std::path::Path;

use sabretache_engine::clause::Clause;
use sabretache_engine::coverage::{Coverage, proofs_under};
use serde_json::json;

use super::{print, print_json};
use crate::books::books;
use crate::failure::{Failure, bad};

pub(crate) fn run(root: &Path, json: bool) -> Result<(), Failure> {
    let proofs = proofs_under(root).map_err(|error| bad(format!("{}: {error}", root.display())))?;
    let all: Vec<_> = books().into_iter().map(|book| (book, Coverage::of(book, &proofs))).collect();
    for (book, coverage) in &all {
        if json {
            print_json(&json!({
                "ruleset": book.name,
                "tested": coverage.tested(),
                "listed": coverage.listed,
                "untested": coverage.untested,
                "unmarked": coverage.unmarked,
                "unknown": coverage.unknown,
            }))?;
        } else {
            let (tested, listed, marked) =
                (coverage.tested(), coverage.listed, coverage.listed - coverage.unmarked.len());
            print(&format!("{} {tested}/{listed} tested, {marked}/{listed} decided\n", book.name))?;
        }
    }
    if !json {
        for (book, coverage) in &all {
            list("untested", book.name, &coverage.untested)?;
            list("decided nowhere", book.name, &coverage.unmarked)?;
        }
    }
    let unknown: Vec<String> =
        all.iter().flat_map(|(_, coverage)| &coverage.unknown).map(ToString::to_string).collect();
    if !unknown.is_empty() {
        return Err(bad(format!("drills name clauses that no book has: {}", unknown.join(", "))));
    }
    if all.iter().all(|(_, coverage)| coverage.whole()) { Ok(()) } else { Err(Failure::No) }
}

fn list(what: &str, book: &str, clauses: &[Clause]) -> Result<(), Failure> {
    if clauses.is_empty() {
        return Ok(());
    }
    print(&format!("\n{what} in {book}:\n"))?;
    clauses.iter().try_for_each(|clause| print(&format!("{clause}\n")))
}
