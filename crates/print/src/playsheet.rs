//! A book on two pages, to lie beside the table.

use sabretache_engine::clause::{Book, Clause};
use sabretache_engine::playsheet::{Playsheet, SheetTable};
use serde_json::{Value as Json, json};

use crate::{Design, Paper};

/// The quick sheet of a book, with its turn.
#[must_use]
pub fn quick_sheet(book: &Book, sheet: &Playsheet, turn: &Json) -> Paper {
    // How figures are based and what only an option changes is read beforehand.
    let in_play = |table: &SheetTable| {
        let text = Clause::parse(&table.clause).and_then(|clause| book.find(clause));
        text.is_none_or(|text| !["setup", "option"].contains(&text.kind) && !text.id.id().contains("-SCL-"))
    };
    let mut sheet = sheet.clone();
    sheet.tables.retain(in_play);
    Paper {
        design: Design::QuickSheet,
        data: json!({ "sheet": sheet, "phases": turn["phases"], "size": 7 }),
        pictures: Vec::new(),
    }
}
