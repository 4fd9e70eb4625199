//! The pages that list the words of scenarios are those that the program writes.

use std::path::Path;

use crate::common::run;

/// Set this to write the pages anew instead of comparing them.
const WRITE: &str = "WRITE_WORDS";

#[test]
fn the_words_of_scenarios_are_written_down() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/scenarios");
    for book in ["huzzah", "batteries", "malbrook"] {
        let ran = run(&["scenario", "words", book]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        let file = folder.join(format!("{book}.md"));
        if std::env::var_os(WRITE).is_some() {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&file, &ran.out).unwrap();
        } else {
            let kept = std::fs::read_to_string(&file).unwrap();
            assert!(kept == ran.out, "{} is out of date: run this test with {WRITE}=1", file.display());
        }
    }
}
