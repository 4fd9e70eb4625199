#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what it did not expect")]
//! Every drill of the book.

use std::fs;
use std::path::Path;

use sabretache_engine::drill::{read_drills, run_position, run_situation};
use sabretache_engine::ruleset::Ruleset;
use sabretache_huzzah::Huzzah;

#[test]
fn every_drill_passes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../drills/huzzah");
    let mut files: Vec<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "toml"))
        .collect();
    files.sort();
    let (mut passed, mut failed) = (0, Vec::new());
    for path in files {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let drills =
            read_drills(&name, &fs::read_to_string(&path).unwrap()).unwrap_or_else(|report| panic!("{name}: {report}"));
        for drill in drills {
            for clause in &drill.clauses {
                assert!(Huzzah::BOOK.find(*clause).is_some(), "{name}: {clause} is not in the book");
            }
            let result = if drill.test.is_some() {
                run_situation(Huzzah::situations(), &drill)
            } else {
                run_position::<Huzzah>(&drill, &folder)
            };
            if result.ok {
                passed += 1;
            } else {
                let told: Vec<String> = result
                    .failures
                    .iter()
                    .map(|one| format!("    {}: expected {}, got {}", one.what, one.expected, one.got))
                    .collect();
                failed.push(format!("{name}: {}\n{}", result.title, told.join("\n")));
            }
        }
    }
    assert!(failed.is_empty(), "{passed} drills passed, {} failed:\n{}", failed.len(), failed.join("\n"));
}
