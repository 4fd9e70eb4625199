#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what it did not expect")]
//! Every drill of the book.

use std::path::Path;

use sabretache_batteries::Batteries;
use sabretache_engine::drill::run_folder;

#[test]
fn every_drill_passes() {
    // `DRILLS=zones cargo test …` runs those whose file or title contains the word.
    let only = std::env::var("DRILLS").ok();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../drills/batteries");
    let result = run_folder::<Batteries>(&folder, only.as_deref()).unwrap_or_else(|report| panic!("{report}"));
    assert!(
        result.failed.is_empty(),
        "{} passed, {} failed:\n{}",
        result.passed,
        result.failed.len(),
        result.failed.join("\n")
    );
    assert!(result.passed > 0, "no drill was run");
}
