//! What is random on a simulated day, and what is noted of it. There is one thread, so both are that thread's own.

use std::cell::RefCell;

use sabretache_engine::dice::Seeded;

thread_local! {
    static LOTS: RefCell<Option<Seeded>> = const { RefCell::new(None) };
    static NOTES: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// From now on secrets and names follow from a seed, and nothing is noted yet.
pub(super) fn cast(seed: u64) {
    LOTS.replace(Some(Seeded::for_choice(seed, 9)));
    NOTES.take();
}

/// Fills bytes by the seed of the day; not where there is no day.
pub(crate) fn foreseen(bytes: &mut [u8]) -> bool {
    LOTS.with_borrow_mut(|lots| match lots {
        Some(random) => {
            bytes.iter_mut().for_each(|byte| *byte = random.below(256) as u8);
            true
        }
        None => false,
    })
}

/// Notes something that happened, with the time of the day.
pub(super) fn note(what: impl FnOnce() -> String) {
    if let Some(at) = turmoil::sim_elapsed() {
        NOTES.with_borrow_mut(|notes| notes.push(format!("{at:?} {}", what())));
    }
}

/// All that was noted.
pub(super) fn noted() -> Vec<String> {
    NOTES.take()
}
