//! The same seed gives the same battles in every book, whatever the number of threads: nothing that one battle remembers may reach another.

use sabretache_engine::scenario::Document;
use sabretache_lab::{Plan, Watch, simulate, vary};
use sabretache_players::Skill;

/// Fights some battles on 1, 2 and 5 threads and compares all that is known of them.
fn same_on_any_threads(book: &str, scenario: &str, battles: u64, seed: u64) {
    let book = sabretache_books::laboratories().into_iter().find(|one| one.ruleset() == book).unwrap();
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

#[cfg(feature = "batteries")]
#[test]
fn brigades_and_batteries() {
    let scenario = include_str!("../../../../scenarios/batteries/the-crossroads.toml");
    same_on_any_threads("batteries", scenario, 30, 4);
}

#[cfg(feature = "huzzah")]
#[test]
fn huzzah() {
    let scenario = include_str!("../../../../scenarios/huzzah/teaching.toml");
    same_on_any_threads("huzzah", scenario, 12, 4);
}

#[cfg(feature = "malbrook")]
#[test]
fn malbrook() {
    let scenario = include_str!("../../../../scenarios/malbrook/meeting.toml");
    same_on_any_threads("malbrook", scenario, 12, 4);
}
