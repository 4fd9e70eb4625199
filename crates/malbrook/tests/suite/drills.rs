//! Every drill of the book.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests stop at the first thing that is not as it should be")]

use std::path::Path;

use sabretache_engine::drill::run_folder;
use sabretache_malbrook::Malbrook;

#[test]
fn every_drill_passes() {
    // `DRILLS=zones cargo test …` runs those whose file or title contains the word.
    let only = std::env::var("DRILLS").ok();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../drills/malbrook");
    let result = run_folder::<Malbrook>(&folder, only.as_deref()).unwrap_or_else(|report| panic!("{report}"));
    assert!(
        result.failed.is_empty(),
        "{} passed, {} failed:\n{}",
        result.passed,
        result.failed.len(),
        result.failed.join("\n")
    );
    assert!(result.passed > 0, "no drill was run");
}
