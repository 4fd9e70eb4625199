//! `sabretache print`: a scenario as a booklet for a real table, or a book as a quick sheet.

use std::fs;
use std::path::Path;

use sabretache_engine::playsheet::Playsheet;
use sabretache_print::{Marks, Paper, pdf, quick_sheet};
use sabretache_story::{Terms, booklet};

use super::print_json;
use crate::books::{numbers, ruleset, turns};
use crate::failure::{Failure, bad};
use crate::files;

/// A scenario, as a page for a browser and as a PDF.
pub(crate) fn run(name: &str, html: Option<&Path>, to: Option<&Path>, json: bool) -> Result<(), Failure> {
    let (document, ruleset) = files::scenario(name)?;
    let sketch = ruleset.sketch(&document);
    if sketch.report.has_errors() {
        return Err(Failure::File { name: document.name, text: document.text, report: sketch.report });
    }
    let view = sketch.view.ok_or_else(|| bad(format!("{name}: there is no table to draw")))?;
    let terms = Terms::of(&document.json);
    if let Some(path) = html {
        write(path, booklet(&view, &terms).as_bytes())?;
    }
    let book = ruleset.book();
    let paper = sabretache_print::booklet(&view, &terms, book.title, &Marks::of(&turns()[book.name]));
    if html.is_some() && to.is_none() && !json { Ok(()) } else { handed_out(&paper, to, json) }
}

/// A book on two pages.
pub(crate) fn quick(name: &str, to: Option<&Path>, json: bool) -> Result<(), Failure> {
    let ruleset = ruleset(name)?;
    let book = ruleset.book();
    let numbers =
        numbers().into_iter().find(|(of, _)| *of == book.name).map(|(_, numbers)| numbers).unwrap_or_default();
    let sheet = Playsheet::of(book, ruleset.situations(), &numbers);
    handed_out(&quick_sheet(book, &sheet, &turns()[book.name]), to, json)
}

/// A paper as PDF, as JSON, or both.
fn handed_out(paper: &Paper, to: Option<&Path>, json: bool) -> Result<(), Failure> {
    if let Some(path) = to {
        set(paper, path)?;
    }
    match (json, to) {
        (true, _) => print_json(paper),
        (false, Some(_)) => Ok(()),
        (false, None) => Err(bad("say what it is to be: --pdf FILE, --html FILE or --json")),
    }
}

/// Sets a paper and writes it.
pub(crate) fn set(paper: &Paper, to: &Path) -> Result<(), Failure> {
    write(to, &pdf(paper).map_err(|error| bad(error.to_string()))?)
}

pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    fs::write(path, bytes).map_err(|error| bad(format!("{}: {error}", path.display())))
}
