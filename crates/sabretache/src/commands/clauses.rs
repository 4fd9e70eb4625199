//! `sabretache clauses`: which clauses have a drill or a test.

use std::path::Path;

use sabretache_engine::coverage::{Coverage, named_under};
use serde_json::json;

use super::{print, print_json};
use crate::books::books;
use crate::failure::{Failure, bad};

pub(crate) fn run(root: &Path, json: bool) -> Result<(), Failure> {
    let named = named_under(root).map_err(|error| bad(format!("{}: {error}", root.display())))?;
    let all: Vec<_> = books().into_iter().map(|book| (book, Coverage::of(book, &named))).collect();
    for (book, coverage) in &all {
        if json {
            print_json(&json!({
                "ruleset": book.name,
                "tested": coverage.tested(),
                "listed": coverage.listed,
                "untested": coverage.untested,
                "unknown": coverage.unknown,
            }))?;
        } else {
            print(&format!("{} {}/{}\n", book.name, coverage.tested(), coverage.listed))?;
        }
    }
    if !json {
        for (book, coverage) in all.iter().filter(|(_, coverage)| !coverage.untested.is_empty()) {
            print(&format!("\nuntested in {}:\n", book.name))?;
            coverage.untested.iter().try_for_each(|clause| print(&format!("{clause}\n")))?;
        }
    }
    let unknown: Vec<String> =
        all.iter().flat_map(|(_, coverage)| &coverage.unknown).map(ToString::to_string).collect();
    if unknown.is_empty() {
        Ok(())
    } else {
        Err(bad(format!("drills name clauses that no book has: {}", unknown.join(", "))))
    }
}
