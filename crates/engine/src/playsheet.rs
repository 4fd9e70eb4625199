//! A book's playsheet: what modifies each of its tests, its tables, what comes of things, each line with its clause.
//!
//! It is made from what resolves a battle. Modifiers are found by asking the tests themselves about thousands of situations, tables are the
//! numbers of the book: where a number changes, so does the sheet.

mod ask;
mod tables;

use serde::Serialize;
use serde_json::Value as Json;
use ts_rs::TS;

use crate::clause::Book;
use crate::situation::SituationTest;

pub use ask::modifiers_of;

/// A book on a page or two.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct Playsheet {
    /// The title of the book.
    pub title: String,
    /// Every test with all that modifies it.
    pub tests: Vec<SheetTest>,
    /// The numbers of the book.
    pub tables: Vec<SheetTable>,
    /// What comes of things, by chapter.
    pub outcomes: Vec<SheetChapter>,
}

/// A test.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct SheetTest {
    /// Its name.
    pub name: String,
    /// What it tells.
    pub about: String,
    /// What modifies it, in the order of the book.
    pub lines: Vec<SheetModifier>,
}

/// A modifier.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct SheetModifier {
    /// By how much it shifts the test, each way that there is.
    pub shifts: Vec<i32>,
    /// The clause in a line.
    pub title: String,
    /// The clause.
    pub clause: String,
}

/// Numbers of one clause.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct SheetTable {
    /// The clause in a line.
    pub title: String,
    /// The clause.
    pub clause: String,
    /// What stands above each column; nothing above a single one.
    pub columns: Vec<String>,
    /// The rows.
    pub rows: Vec<SheetRow>,
}

/// A row of a table.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct SheetRow {
    /// What it is of; empty where the table is a single number.
    pub name: String,
    /// Its values, a column each.
    pub cells: Vec<String>,
}

/// What a chapter of the book makes happen.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct SheetChapter {
    /// Where it stands in the book.
    pub name: String,
    /// A line each.
    pub lines: Vec<SheetLine>,
}

/// A clause in a line.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct SheetLine {
    /// The line.
    pub title: String,
    /// The clause.
    pub clause: String,
}

impl Playsheet {
    /// The sheet of a book with these tests and numbers.
    #[must_use]
    pub fn of(book: &Book, tests: &[&dyn SituationTest], numbers: &Json) -> Self {
        let tests: Vec<SheetTest> = tests.iter().map(|test| of_test(book, *test)).collect();
        let shown = |clause: &str| tests.iter().flat_map(|test| &test.lines).any(|line| line.clause == clause);
        let tables = tables::tables(book, numbers, &shown);
        Self { title: book.title.to_owned(), tables, outcomes: outcomes(book), tests }
    }
}

fn of_test(book: &Book, test: &dyn SituationTest) -> SheetTest {
    let found = modifiers_of(test);
    let place = |clause| book.clauses.iter().position(|text| text.id == clause);
    let mut lines: Vec<_> = found.into_iter().map(|(clause, shifts)| (place(clause), clause, shifts)).collect();
    lines.sort_by_key(|(place, ..)| *place);
    let line =
        |(_, clause, shifts)| SheetModifier { shifts, title: book.title_of(clause), clause: clause.id().to_owned() };
    SheetTest {
        name: test.name().replace(['_', '-'], " "),
        about: test.about().to_owned(),
        lines: lines.into_iter().map(line).collect(),
    }
}

/// The outcomes of a book that belong to no option, chapter by chapter.
fn outcomes(book: &Book) -> Vec<SheetChapter> {
    let mut chapters: Vec<SheetChapter> = Vec::new();
    for text in book.clauses.iter().filter(|text| text.kind == "outcome" && text.option.is_none()) {
        let end = text.source.find([';', '(', '›']).unwrap_or(text.source.len());
        let name = text.source[..end].trim();
        let line = SheetLine { title: text.title.to_owned(), clause: text.id.id().to_owned() };
        match chapters.iter_mut().find(|chapter| chapter.name == name) {
            Some(chapter) => chapter.lines.push(line),
            None => chapters.push(SheetChapter { name: name.to_owned(), lines: vec![line] }),
        }
    }
    chapters
}
