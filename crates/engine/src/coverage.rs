//! Which clauses of a book have a drill or a test, and which have none.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use crate::clause::{Book, Clause};
use crate::drill::read_drills;

/// How much of a book is tested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// How many clauses the book has.
    pub listed: usize,
    /// The clauses for which there is neither drill nor test, in the order of the book.
    pub untested: Vec<Clause>,
    /// Clauses that drills and tests name and the book does not have.
    pub unknown: Vec<Clause>,
}

impl Coverage {
    /// What the clauses named by drills and tests leave of a book.
    #[must_use]
    pub fn of(book: &Book, named: &BTreeSet<Clause>) -> Self {
        let untested = book.clauses.iter().map(|text| text.id).filter(|id| !named.contains(id)).collect();
        let prefixes: BTreeSet<&str> = book.clauses.iter().filter_map(|text| prefix(text.id.id())).collect();
        let ours = |clause: &&Clause| prefix(clause.id()).is_some_and(|own| prefixes.contains(own));
        let unknown = named.iter().filter(ours).filter(|clause| book.find(**clause).is_none()).copied().collect();
        Self { listed: book.clauses.len(), untested, unknown }
    }

    /// How many clauses are tested.
    #[must_use]
    pub fn tested(&self) -> usize {
        self.listed - self.untested.len()
    }
}

fn prefix(id: &str) -> Option<&str> {
    id.split_once('-').map(|(prefix, _)| prefix)
}

/// All clauses named under a folder: by drills (`clauses = […]` in TOML files with drills) and by Rust tests
/// (`tests_clauses!(…)`). Folders called `target` and hidden ones are left out.
pub fn named_under(folder: &Path) -> io::Result<BTreeSet<Clause>> {
    let mut named = BTreeSet::new();
    visit(folder, &mut named)?;
    Ok(named)
}

fn visit(folder: &Path, named: &mut BTreeSet<Clause>) -> io::Result<()> {
    let mut entries = std::fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type()?.is_dir() {
            if !name.starts_with('.') && name != "target" && name != "node_modules" {
                visit(&path, named)?;
            }
        } else if name.ends_with(".toml") {
            if let Ok(drills) = read_drills(&name, &std::fs::read_to_string(&path)?) {
                named.extend(drills.iter().flat_map(|drill| drill.clauses.iter().copied()));
            }
        } else if name.ends_with(".rs") {
            named.extend(named_in_rust(&std::fs::read_to_string(&path)?));
        }
    }
    Ok(())
}

/// The clauses that the tests of a Rust file name; mentions in comments do not count.
fn named_in_rust(source: &str) -> Vec<Clause> {
    let code: String =
        source.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n");
    let mut named = Vec::new();
    for call in code.split("tests_clauses!(").skip(1) {
        let inside = call.split(')').next().unwrap_or_default();
        let constants = inside.split(',').filter_map(|path| path.trim().rsplit("::").next());
        named.extend(constants.filter_map(|constant| Clause::parse(&constant.trim().replace('_', "-"))));
    }
    named
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rust_tests_name_clauses_and_comments_do_not() {
        let source = "fn a() {\n  tests_clauses!(XX_ONE_01, clauses::XX_TWO_02,\n XX_SIX_06);\n}\n// tests_clauses!(XX_OFF_09)\n";
        let named: Vec<String> = named_in_rust(source).iter().map(Clause::to_string).collect();
        assert_eq!(named, ["XX-ONE-01", "XX-TWO-02", "XX-SIX-06"]);
    }
}
