//! The books and the rulesets of this program, by their names.

pub(crate) use sabretache_books::{benches, books, laboratories, numbers, rulesets, turns};
use sabretache_engine::clause::Book;
use sabretache_engine::erased::AnyRuleset;
use sabretache_lab::AnyLaboratory;

use crate::failure::{Failure, bad};

/// The laboratory of the ruleset with this name.
pub(crate) fn laboratory(name: &str) -> Result<&'static dyn AnyLaboratory, Failure> {
    let found = laboratories().into_iter().find(|laboratory| laboratory.ruleset() == name);
    found.ok_or_else(|| bad(format!("there is no laboratory for the ruleset '{name}'")))
}

/// The ruleset with this name.
pub(crate) fn ruleset(name: &str) -> Result<&'static dyn AnyRuleset, Failure> {
    let all = rulesets();
    let found = all.iter().find(|ruleset| ruleset.book().name == name);
    found.copied().ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|ruleset| ruleset.book().name).collect();
        bad(format!("there is no ruleset '{name}'; there are: {}", names.join(", ")))
    })
}

/// The book with this name.
pub(crate) fn book(name: &str) -> Result<&'static Book, Failure> {
    books().into_iter().find(|book| book.name == name).ok_or_else(|| {
        let names: Vec<&str> = books().iter().map(|book| book.name).collect();
        bad(format!("there is no book '{name}'; there are: {}", names.join(", ")))
    })
}
