//! `sabretache drill`: test cases as data.

use std::path::{Path, PathBuf};

use sabretache_engine::drill::{DrillResult, read_drills_for};

use super::{print, print_json};
use crate::books::{book, ruleset};
use crate::failure::Failure;
use crate::files::{files_under, read_text};

pub(crate) fn run(paths: &[PathBuf], json: bool) -> Result<(), Failure> {
    let (mut passed, mut failed) = (0, 0);
    for path in files_under(paths, "toml")? {
        let text = read_text(&path)?;
        // Position drills keep their scenarios beside them; those are no drills.
        if paths.iter().all(|named| *named != path) && !text.contains("[[drill]]") {
            continue;
        }
        let name = path.display().to_string();
        let drills = read_drills_for(&name, &text, |ruleset| book(ruleset).ok()).map_err(|report| Failure::File {
            name: name.clone(),
            text: text.clone(),
            report,
        })?;
        let folder = path.parent().unwrap_or(Path::new("."));
        for drill in &drills {
            let result = ruleset(&drill.ruleset)?.drill(drill, folder);
            if result.ok {
                passed += 1
            } else {
                failed += 1
            }
            if json {
                print_json(&result)?;
            } else if !result.ok {
                print(&told(&name, &result))?;
            }
        }
    }
    if !json {
        print(&format!("{passed} passed, {failed} failed\n"))?;
    }
    if failed > 0 { Err(Failure::No) } else { Ok(()) }
}

fn told(file: &str, result: &DrillResult) -> String {
    let clauses: Vec<String> = result.clauses.iter().map(ToString::to_string).collect();
    let mut text = format!("{file}: {} [{}]\n", result.title, clauses.join(", "));
    for failure in &result.failures {
        text +=
            &format!("    {}\n        expected {}\n        got      {}\n", failure.what, failure.expected, failure.got);
    }
    text
}
