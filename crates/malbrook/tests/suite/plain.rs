//! The plain of the drills as a battle, for the tests of the crate and those beside it alike.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests stop at the first thing that is not as it should be")]

use sabretache_engine::scenario::{Document, Scenario};
use sabretache_engine::session::muster;

use super::{Battle, Body, Malbrook};

/// The plain of the drills, with pieces of its text replaced.
pub(crate) fn plain(changes: &[(&str, &str)]) -> Battle {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../drills/malbrook/positions/plain.toml");
    let mut text = std::fs::read_to_string(path).unwrap();
    for (from, to) in changes {
        assert!(text.contains(from), "the plain has no '{from}'");
        text = text.replacen(from, to, 1);
    }
    let document = Document::parse("plain.toml", text).unwrap_or_else(|report| panic!("{report}"));
    let scenario = Scenario::<Body>::read(&document.json).unwrap_or_else(|report| panic!("{report}"));
    muster::<Malbrook>(&scenario).unwrap_or_else(|report| panic!("{report}"))
}
