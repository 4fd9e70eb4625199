//! Build step: turns a clause list such as `rules/huzzah.toml` into Rust constants.
//!
//! A ruleset's `build.rs` calls [`build`]; the crate then includes the generated file:
//!
//! ```ignore
//! // build.rs
//! fn main() {
//!     sabretache_clauses::build("../../rules/huzzah.toml", "huzzah", "Huzzah!", "1.11");
//! }
//! // src/clauses.rs
//! include!(concat!(env!("OUT_DIR"), "/clauses.rs"));
//! ```
//!
//! Each clause becomes a constant (`HZ-THR-03` is `HZ_THR_03`), so a misspelt clause does not compile, and the whole
//! list becomes a `BOOK` with titles, texts, rulings and examples.

mod marks;
mod version;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use serde::Deserialize;

pub use marks::{Mark, marks_in, marks_under};

/// Longest clause id that fits into the engine's `Clause`.
const LONGEST_ID: usize = 12;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ClauseList {
    clause: Vec<ClauseEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ClauseEntry {
    id: String,
    title: String,
    source: String,
    kind: String,
    text: String,
    ruling: Option<String>,
    example: String,
    #[serde(default)]
    needs: Vec<String>,
    option: Option<String>,
    /// Why no line decides it, where none does: it says what a word means, or tells only what other clauses decide.
    without_force: Option<String>,
}

/// Generates `$OUT_DIR/clauses.rs` from the clause list at `path`. To be called from a build script; the edition is the
/// book's own.
///
/// # Panics
/// When the list cannot be read or is wrong: a build script reports its errors by panicking.
#[expect(clippy::panic, reason = "a build script reports its errors by panicking")]
pub fn build(path: &str, name: &str, title: &str, edition: &str) {
    println!("cargo::rerun-if-changed={path}");
    let list = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    println!("cargo::rerun-if-changed=src");
    let marks = marks_under(Path::new("src")).unwrap_or_else(|error| panic!("src: {error}"));
    let mut code = generate(&list, name, title, &marks).unwrap_or_else(|error| panic!("{path}: {error}"));
    println!("cargo::rerun-if-changed=../table/src");
    let rules = version::of_rules(&list, &["src", "../table/src"]).unwrap_or_else(|error| panic!("{error}"));
    let _ = writeln!(
        code,
        "\n/// The edition of the book, and what the clauses and the code that decides them come to.\n\
         pub const VERSION: &str = \"{edition}+{rules}\";"
    );
    let out = std::env::var("OUT_DIR").unwrap_or_else(|error| panic!("OUT_DIR: {error}"));
    let file = Path::new(&out).join("clauses.rs");
    std::fs::write(&file, code).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
}

/// The Rust source for a clause list, or what is wrong with the list.
pub fn generate(list: &str, name: &str, title: &str, marks: &[Mark]) -> Result<String, String> {
    let list: ClauseList = toml::from_str(list).map_err(|error| error.to_string())?;
    let ids = checked_ids(&list)?;
    let mut code = String::from("use sabretache_engine::clause::{Book, Clause, ClauseText, Place};\n\n");
    for entry in &list.clause {
        let _ = writeln!(code, "/// {}", entry.title.replace('[', "\\[").replace(']', "\\]"));
        let _ = writeln!(code, "pub const {}: Clause = Clause::new({:?});", constant(&entry.id), entry.id);
    }
    let _ = writeln!(code, "\n/// Every clause of {title}, in the order of the book.");
    let _ = writeln!(code, "pub static BOOK: Book = Book {{ name: {name:?}, title: {title:?}, clauses: &[");
    for entry in &list.clause {
        for id in entry.needs.iter().chain(&entry.option) {
            if !ids.contains(id.as_str()) {
                return Err(format!("{} refers to {id}, which is not in the list", entry.id));
            }
        }
        let needs: Vec<String> = entry.needs.iter().map(|id| constant(id)).collect();
        let option = entry.option.as_deref().map_or("None".into(), |id| format!("Some({})", constant(id)));
        let _ = writeln!(
            code,
            "    ClauseText {{ id: {}, title: {:?}, source: {:?}, kind: {:?}, text: {:?}, ruling: {:?}, example: {:?}, needs: &[{}], option: {option}, without_force: {:?}, decided: &[{}] }},",
            constant(&entry.id),
            entry.title,
            entry.source,
            entry.kind,
            entry.text.trim(),
            entry.ruling.as_deref().map(str::trim),
            entry.example.trim(),
            needs.join(", "),
            entry.without_force.as_deref().map(str::trim),
            places(marks, &entry.id),
        );
    }
    code.push_str("] };\n");
    Ok(code)
}

/// The places that decide a clause, as Rust: those that say so with `decides!` if there are any, else the modifiers and
/// requirements that carry it.
fn places(marks: &[Mark], id: &str) -> String {
    let said = |said: bool| marks.iter().filter(move |mark| mark.id == id && mark.said == said);
    let of = if said(true).next().is_some() { said(true) } else { said(false) };
    let rust = of.map(|mark| format!("Place {{ file: {:?}, line: {} }}", mark.file, mark.line));
    rust.collect::<Vec<_>>().join(", ")
}

/// `HZ-THR-03` becomes `HZ_THR_03`.
fn constant(id: &str) -> String {
    id.replace('-', "_")
}

fn checked_ids(list: &ClauseList) -> Result<BTreeSet<&str>, String> {
    let mut ids = BTreeSet::new();
    for entry in &list.clause {
        let well_formed = entry.id.len() <= LONGEST_ID
            && entry.id.starts_with(|c: char| c.is_ascii_uppercase())
            && entry.id.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '-');
        if !well_formed {
            return Err(format!("'{}' is no clause id: capitals, digits and dashes, at most {LONGEST_ID}", entry.id));
        }
        if !ids.insert(entry.id.as_str()) {
            return Err(format!("{} is in the list twice", entry.id));
        }
    }
    Ok(ids)
}

#[cfg(test)]
mod tests {
    use super::generate;

    fn entry(id: &str, more: &str) -> String {
        format!(
            "[[clause]]\nid = \"{id}\"\ntitle = \"T\"\nsource = \"S\"\nkind = \"concept\"\ntext = \"\"\"\nWords.\n\"\"\"\nexample = \"E\"\n{more}\n"
        )
    }

    #[test]
    fn a_clause_becomes_a_constant_and_an_entry_of_the_book() {
        let code = generate(&entry("TY-ONE-01", ""), "tiny", "Tiny", &[]).unwrap();
        assert!(code.contains("pub const TY_ONE_01: Clause = Clause::new(\"TY-ONE-01\");"), "{code}");
        assert!(code.contains("text: \"Words.\""), "{code}");
    }

    #[test]
    fn a_clause_listed_twice_is_refused() {
        let list = entry("TY-ONE-01", "") + &entry("TY-ONE-01", "");
        assert_eq!(generate(&list, "tiny", "Tiny", &[]).unwrap_err(), "TY-ONE-01 is in the list twice");
    }

    #[test]
    fn a_reference_to_an_unlisted_clause_is_refused() {
        let list = entry("TY-ONE-01", "needs = [\"TY-TWO-02\"]");
        assert_eq!(
            generate(&list, "tiny", "Tiny", &[]).unwrap_err(),
            "TY-ONE-01 refers to TY-TWO-02, which is not in the list"
        );
    }

    #[test]
    fn an_id_that_is_no_rust_name_is_refused() {
        assert!(generate(&entry("ty one", ""), "tiny", "Tiny", &[]).is_err());
    }
}
