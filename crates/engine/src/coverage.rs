//! Which clauses of a book have a drill or a test, which have a deciding line, and where both are.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use crate::clause::{Book, Clause};
use crate::drill::read_drills;

/// What proves a clause: a drill or a test that names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The file, below the folder that was looked through.
    pub file: String,
    /// The line on which the drill begins, or the test names the clause.
    pub line: usize,
    /// What the drill or test says.
    pub title: String,
}

/// All that proves each clause.
pub type Proofs = BTreeMap<Clause, Vec<Proof>>;

/// How much of a book is tested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// How many clauses the book has.
    pub listed: usize,
    /// The clauses for which there is neither drill nor test, in the order of the book.
    pub untested: Vec<Clause>,
    /// The clauses of force that no line is marked to decide, in the order of the book.
    pub unmarked: Vec<Clause>,
    /// Clauses that drills and tests name and the book does not have.
    pub unknown: Vec<Clause>,
}

impl Coverage {
    /// What the clauses proved by drills and tests leave of a book.
    #[must_use]
    pub fn of(book: &Book, proofs: &Proofs) -> Self {
        let all = || book.clauses.iter();
        let untested = all().map(|text| text.id).filter(|id| !proofs.contains_key(id)).collect();
        let unmarked = all().filter(|text| text.decided.is_empty() && text.without_force.is_none());
        let unmarked = unmarked.map(|text| text.id).collect();
        let prefix = all().next().and_then(|text| prefix(text.id.id()).map(str::to_owned));
        let ours = |clause: &&Clause| self::prefix(clause.id()) == prefix.as_deref();
        let unknown = proofs.keys().filter(ours).filter(|clause| book.find(**clause).is_none()).copied().collect();
        Self { listed: book.clauses.len(), untested, unmarked, unknown }
    }

    /// How many clauses are tested.
    #[must_use]
    pub fn tested(&self) -> usize {
        self.listed - self.untested.len()
    }

    /// Whether every clause is tested, and every clause of force decided by a marked line.
    #[must_use]
    pub fn whole(&self) -> bool {
        self.untested.is_empty() && self.unmarked.is_empty() && self.unknown.is_empty()
    }
}

fn prefix(id: &str) -> Option<&str> {
    id.split_once('-').map(|(prefix, _)| prefix)
}

/// All that proves clauses under a folder: drills (`clauses = […]` in TOML files with drills) and Rust tests
/// (`tests_clauses!(…)`). Folders called `target` and hidden ones are left out.
pub fn proofs_under(folder: &Path) -> io::Result<Proofs> {
    let mut proofs = Proofs::new();
    visit(folder, "", &mut proofs)?;
    Ok(proofs)
}

fn visit(folder: &Path, shown: &str, proofs: &mut Proofs) -> io::Result<()> {
    let mut entries = std::fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        let file = format!("{shown}{name}");
        if entry.file_type()?.is_dir() {
            if !name.starts_with('.') && name != "target" && name != "node_modules" {
                visit(&path, &format!("{file}/"), proofs)?;
            }
        } else if name.ends_with(".toml") {
            in_drills(&std::fs::read_to_string(&path)?, &file, proofs);
        } else if name.ends_with(".rs") {
            in_rust(&std::fs::read_to_string(&path)?, &file, proofs);
        }
    }
    Ok(())
}

fn in_drills(text: &str, file: &str, proofs: &mut Proofs) {
    if !text.contains("[[drill]]") {
        return;
    }
    let lines = text.lines().enumerate().filter(|(_, line)| line.trim() == "[[drill]]").map(|(n, _)| n + 1);
    for (drill, line) in read_drills(file, text).unwrap_or_default().into_iter().zip(lines) {
        for clause in drill.clauses {
            let proof = Proof { file: file.to_owned(), line, title: drill.title.clone() };
            proofs.entry(clause).or_default().push(proof);
        }
    }
}

/// The clauses that the tests of a Rust file name; mentions in comments do not count.
fn in_rust(source: &str, file: &str, proofs: &mut Proofs) {
    let code: String =
        source.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n");
    for (at, call) in code.match_indices("tests_clauses!(") {
        let inside = code[at + call.len()..].split(')').next().unwrap_or_default();
        let constants = inside.split(',').filter_map(|path| path.trim().rsplit("::").next());
        let test = code[..at].rsplit("fn ").next().and_then(|rest| rest.split('(').next()).unwrap_or_default();
        for clause in constants.filter_map(|constant| Clause::parse(&constant.trim().replace('_', "-"))) {
            let line = code[..at].matches('\n').count() + 1;
            let proof = Proof { file: file.to_owned(), line, title: test.replace('_', " ") };
            proofs.entry(clause).or_default().push(proof);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clause::{ClauseText, Place};

    /// A book of one clause.
    fn book(decided: &'static [Place], without_force: Option<&'static str>) -> Book {
        let one = ClauseText {
            id: Clause::new("XX-ONE-01"),
            title: "",
            source: "",
            kind: "",
            text: "",
            ruling: None,
            example: "",
            needs: &[],
            option: None,
            without_force,
            decided,
        };
        Book { name: "xx", title: "", clauses: Box::leak(Box::new([one])) }
    }

    #[test]
    fn a_book_is_whole_when_each_clause_is_tested_and_decided_or_has_no_force() {
        let proof = Proof { file: String::new(), line: 1, title: String::new() };
        let tested = Proofs::from([(Clause::new("XX-ONE-01"), vec![proof.clone()])]);
        let marked = &[Place { file: "a.rs", line: 1 }];
        assert!(Coverage::of(&book(marked, None), &tested).whole());
        assert!(Coverage::of(&book(&[], Some("a word")), &tested).whole());
        assert!(!Coverage::of(&book(&[], None), &tested).whole(), "of force, and no line decides it");
        assert!(!Coverage::of(&book(marked, None), &Proofs::new()).whole(), "no drill");
        let other =
            Proofs::from([(Clause::new("XX-ONE-01"), vec![proof.clone()]), (Clause::new("XX-TWO-02"), vec![proof])]);
        assert!(!Coverage::of(&book(marked, None), &other).whole(), "a drill for a clause that is not there");
    }

    #[test]
    fn rust_tests_name_clauses_and_comments_do_not() {
        let source = "fn a_b() {\n  tests_clauses!(XX_ONE_01, clauses::XX_TWO_02,\n XX_SIX_06);\n}\n// tests_clauses!(XX_OFF_09)\n";
        let mut proofs = Proofs::new();
        in_rust(source, "t.rs", &mut proofs);
        let named: Vec<String> = proofs.keys().map(Clause::to_string).collect();
        assert_eq!(named, ["XX-ONE-01", "XX-SIX-06", "XX-TWO-02"]);
        let proof = Proof { file: "t.rs".into(), line: 2, title: "a b".into() };
        assert_eq!(proofs[&Clause::new("XX-SIX-06")], [proof]);
    }
}
