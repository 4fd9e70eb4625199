//! What drills cannot say.

use sabretache_engine::drill::{read_drills, run_situation};
use sabretache_engine::situation::fields_of;

use super::*;
use crate::clauses::BOOK;

#[test]
fn every_field_says_what_it_is_and_which_clauses_it_feeds() {
    for test in ALL {
        for (field, (about, clauses)) in fields_of(&test.schema()) {
            assert!(!about.is_empty(), "{}.{field} says nothing", test.name());
            assert!(!clauses.is_empty(), "{}.{field} names no clause", test.name());
            for id in clauses {
                let known = BOOK.clauses.iter().any(|clause| clause.id.id() == id);
                assert!(known, "{}.{field} names {id}, which the book does not have", test.name());
            }
        }
    }
}

#[test]
fn drills_that_need_no_table() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../drills/huzzah");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|end| end == "toml"));
    files.sort();
    let mut failed = Vec::new();
    for file in files {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&file).unwrap();
        let drills = read_drills(&name, &text).unwrap_or_else(|report| panic!("{name}: {report}"));
        for drill in drills.iter().filter(|drill| drill.test.is_some()) {
            let result = run_situation(ALL, drill);
            for failure in &result.failures {
                failed.push(format!(
                    "{name}: {}: {} should be {}, is {}",
                    result.title, failure.what, failure.expected, failure.got
                ));
            }
            for clause in drill.clauses.iter().filter(|clause| BOOK.find(**clause).is_none()) {
                failed.push(format!("{name}: {}: {clause} is not in the book", result.title));
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
