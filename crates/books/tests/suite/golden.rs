//! Old battles survive: every golden log replays with the rules cut off, and comes to the battle it came to when it was
//! recorded. `make golden` adds a log for each scenario that has none yet.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use flate2::read::GzDecoder;

fn replay_all(book: &str) {
    let ruleset = sabretache_books::rulesets().into_iter().find(|one| one.book().name == book).unwrap();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden").join(book);
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut decided = BTreeSet::new();
    for file in &files {
        let mut text = String::new();
        GzDecoder::new(File::open(file).unwrap()).read_to_string(&mut text).unwrap();
        let (log, end) = text.rsplit_once('\n').unwrap();
        let end = serde_json::from_str(end).unwrap();
        let log = format!("{log}\n");
        let replayed = ruleset.replay(log.as_bytes(), Some(&end));
        let replayed = replayed.unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        assert!(replayed.lines > 1, "{}: nothing happens in it", file.display());
        decided.extend(replayed.decided);
    }
    assert!(decided.is_empty(), "`apply` decides {decided:?}");
    let scenarios = match book {
        "picket" => "../picket/scenarios".to_owned(),
        _ => format!("../../scenarios/{book}"),
    };
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(scenarios)).unwrap() {
        let scenario = entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned();
        // The oldest, and those since events carry all that follows from them.
        for length in ["short", "long", "short-settled", "long-settled"] {
            let name = format!("{scenario}-{length}.jsonl.gz");
            assert!(files.iter().any(|file| file.ends_with(&name)), "{scenario} has no {length} log: `make golden`");
        }
    }
}

#[cfg(feature = "huzzah")]
#[test]
fn old_battles_of_huzzah_replay() {
    replay_all("huzzah");
}

#[cfg(feature = "batteries")]
#[test]
fn old_battles_of_brigades_and_batteries_replay() {
    replay_all("batteries");
}

#[cfg(feature = "malbrook")]
#[test]
fn old_battles_of_malbrook_replay() {
    replay_all("malbrook");
}

#[cfg(feature = "picket")]
#[test]
fn old_battles_of_the_tiny_ruleset_replay() {
    replay_all("picket");
}
