//! Finds the lines of a crate that decide a clause.

use std::io;
use std::path::Path;

/// A line that decides a clause.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mark {
    /// The clause.
    pub id: String,
    /// The file, from the root of the project.
    pub file: String,
    /// The line, from one.
    pub line: usize,
    /// Whether the line says so with `decides!`, or carries the clause in a modifier or a requirement.
    pub said: bool,
}

/// What carries a clause and so marks it: the calls of the engine that note their clause whenever they are reached,
/// whether it bites or not. A refusal is none of them: it is made only where the rule has said no.
const CARRIERS: [&str; 5] = [".up(", ".down(", ".at_least(", ".at_most(", ".require("];

/// The marks in all Rust files of a crate's source folder, in the order of their names.
pub fn marks_under(folder: &Path) -> io::Result<Vec<Mark>> {
    let name = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    let name = Path::new(&name).file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut marks = Vec::new();
    visit(folder, &format!("crates/{name}/src"), &mut marks)?;
    Ok(marks)
}

fn visit(folder: &Path, shown: &str, marks: &mut Vec<Mark>) -> io::Result<()> {
    let mut entries = std::fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name().to_string_lossy().into_owned();
        let shown = format!("{shown}/{name}");
        if entry.file_type()?.is_dir() {
            visit(&entry.path(), &shown, marks)?;
        } else if name.ends_with(".rs") {
            marks.extend(marks_in(&std::fs::read_to_string(entry.path())?, &shown));
        }
    }
    Ok(())
}

/// The marks in one file.
#[must_use]
pub fn marks_in(source: &str, file: &str) -> Vec<Mark> {
    let code: String =
        source.lines().map(|line| line.split("//").next().unwrap_or_default().to_owned() + "\n").collect();
    let mut marks = Vec::new();
    for (opening, said) in CARRIERS.iter().map(|carrier| (*carrier, false)).chain([("decides!(", true)]) {
        for (at, _) in code.match_indices(opening) {
            let inside = arguments(&code[at + opening.len()..]);
            let line = code[..at].matches('\n').count() + 1;
            let of = constants(inside).into_iter();
            marks.extend(of.map(|id| Mark { id, file: file.to_owned(), line, said }));
        }
    }
    marks.sort_unstable();
    marks.dedup();
    marks
}

/// What stands between an opening bracket and the one that closes it.
fn arguments(rest: &str) -> &str {
    let mut depth = 1;
    for (at, letter) in rest.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return &rest[..at];
        }
    }
    rest
}

/// The constants of clauses (`HZ_THR_03`) in a piece of code, as ids.
fn constants(code: &str) -> Vec<String> {
    let words = code.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let is_clause = |word: &&str| {
        let parts: Vec<&str> = word.split('_').collect();
        parts.len() == 3
            && parts[..2].iter().all(|part| part.len() >= 2 && part.bytes().all(|b| b.is_ascii_uppercase()))
            && !parts[2].is_empty()
            && parts[2].bytes().all(|b| b.is_ascii_digit())
    };
    words.filter(is_clause).map(|word| word.replace('_', "-")).collect()
}

#[cfg(test)]
mod tests {
    use super::marks_in;

    fn found(source: &str) -> Vec<(String, usize, bool)> {
        marks_in(source, "f.rs").into_iter().map(|mark| (mark.id, mark.line, mark.said)).collect()
    }

    #[test]
    fn decides_modifiers_and_requirements_are_marks_and_mentions_are_not() {
        let source = "use X::HZ_THR_01;\n// decides!(HZ_THR_02)\ndecides!(HZ_THR_03, clauses::HZ_THR_04);\n\
                      test.down(1, HZ_THR_05).when(x > 1);\nplay.require(\n    ok(a),\n    HZ_THR_06,\n    why)?;\nwords(Refusal::new(HZ_THR_07));";
        assert_eq!(
            found(source),
            [
                ("HZ-THR-03".into(), 3, true),
                ("HZ-THR-04".into(), 3, true),
                ("HZ-THR-05".into(), 4, false),
                ("HZ-THR-06".into(), 5, false),
            ]
        );
    }
}
