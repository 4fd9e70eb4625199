//! The same seed gives the same battles in every book, whatever the number of threads: nothing that one battle remembers may reach another.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what it did not expect")]

use sabretache_engine::scenario::Document;
use sabretache_lab::{AnyLaboratory, Plan, Watch, simulate, vary};
use sabretache_players::{Fielded, Skill};

/// Fights some battles on 1, 2 and 5 threads and compares all that is known of them.
fn same_on_any_threads(book: &dyn AnyLaboratory, scenario: &str, battles: u64, seed: u64) {
    let document = Document::parse("scenario.toml", scenario).unwrap();
    let field = book.field(&vary(&document, None, &[]).unwrap()).unwrap();
    let plan = Plan::new(battles, [Skill::Recruit, Skill::DrillMaster], seed);
    let fought = [1, 2, 5].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| simulate(&*field, &plan, None, Watch::NOBODY)).unwrap()
    });
    assert_eq!(fought[0], fought[1], "one thread and two");
    assert_eq!(fought[0], fought[2], "one thread and five");
}

#[test]
fn brigades_and_batteries() {
    let scenario = include_str!("../../../scenarios/batteries/the-crossroads.toml");
    same_on_any_threads(&Fielded::<sabretache_batteries::Batteries>::PLAYERS, scenario, 30, 4);
}

#[test]
fn huzzah() {
    let scenario = include_str!("../../../scenarios/huzzah/teaching.toml");
    same_on_any_threads(&Fielded::<sabretache_huzzah::Huzzah>::PLAYERS, scenario, 12, 4);
}

#[test]
fn malbrook() {
    let scenario = include_str!("../../../scenarios/malbrook/meeting.toml");
    same_on_any_threads(&Fielded::<sabretache_malbrook::Malbrook>::PLAYERS, scenario, 12, 4);
}
