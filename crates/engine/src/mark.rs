//! The deciding line of a clause, marked where it stands, and whether that line ran.
//!
//! Every clause of force has a line that decides it. The line says so with [`decides!`](crate::decides):
//!
//! ```
//! # use sabretache_engine::{clause::Clause, decides, mark};
//! # const TY_GAP_01: Clause = Clause::new("TY-GAP-01");
//! fn fits(gap: u32, front: u32) -> bool {
//!     decides!(TY_GAP_01);
//!     gap > front
//! }
//! let (_, ran) = mark::watched(|| fits(9, 8));
//! assert!(ran.contains(&TY_GAP_01));
//! ```
//!
//! Modifiers ([`Test::up`](crate::test::Test::up)), requirements
//! ([`Resolution::require`](crate::resolution::Resolution::require)), refusals and what is said against a scenario or situation
//! name their clause anyway and are marks by themselves. A drill fails unless the marks of its clauses ran; `sabretache rules ID` tells
//! where they stand. Nothing is noted unless somebody watches, so a mark costs a glance at one number.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::clause::Clause;

/// How many are watching, on any thread.
static WATCHERS: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// What has been decided on this thread since somebody began to watch.
    static RAN: RefCell<Option<BTreeSet<Clause>>> = const { RefCell::new(None) };
    /// Whether what is watched is an event being written down.
    static WRITING: Cell<bool> = const { Cell::new(false) };
}

/// Notes that the deciding line of a clause runs. Meant for [`decides!`](crate::decides).
#[inline]
pub fn ran(clause: Clause) {
    if WATCHERS.load(Ordering::Relaxed) > 0 {
        note(clause);
    }
}

#[cold]
fn note(clause: Clause) {
    RAN.with_borrow_mut(|ran| {
        if let Some(ran) = ran {
            ran.insert(clause);
        }
    });
}

/// Ends the watch, also when what is watched panics.
struct Watch;

impl Drop for Watch {
    fn drop(&mut self) {
        WATCHERS.fetch_sub(1, Ordering::Relaxed);
        RAN.set(None);
    }
}

/// Does something, and tells which clauses were decided on this thread meanwhile. Watches do not nest.
pub fn watched<T>(doing: impl FnOnce() -> T) -> (T, BTreeSet<Clause>) {
    WATCHERS.fetch_add(1, Ordering::Relaxed);
    RAN.set(Some(BTreeSet::new()));
    let watch = Watch;
    let done = doing();
    let ran = RAN.take().unwrap_or_default();
    drop(watch);
    (done, ran)
}

/// Writes an event down, and tells which clauses were decided meanwhile, but for what is only [remembered](remembering).
pub fn written<T>(writing: impl FnOnce() -> T) -> (T, BTreeSet<Clause>) {
    WRITING.set(true);
    let done = watched(writing);
    WRITING.set(false);
    done
}

/// Works out what a battle remembers so as not to ask for it again: that decides nothing, since it could as well be asked for later.
pub fn remembering<T>(working: impl FnOnce() -> T) -> T {
    if WATCHERS.load(Ordering::Relaxed) == 0 || !WRITING.get() {
        return working();
    }
    let ran = RAN.take();
    let done = working();
    RAN.set(ran);
    done
}

/// This line, and what follows it, decides these clauses.
#[macro_export]
macro_rules! decides {
    ($($clause:path),+ $(,)?) => {
        { $( $crate::mark::ran($clause); )+ }
    };
}

#[cfg(test)]
mod tests {
    use super::watched;
    use crate::clause::Clause;
    use crate::test::Test;

    const ONE: Clause = Clause::new("TY-ONE-01");
    const TWO: Clause = Clause::new("TY-TWO-02");

    #[test]
    fn only_what_ran_while_watched_is_told() {
        decides!(TWO);
        let ((), ran) = watched(|| decides!(ONE));
        assert_eq!(ran.into_iter().collect::<Vec<_>>(), [ONE]);
        assert!(watched(|| ()).1.is_empty());
    }

    #[test]
    fn a_modifier_is_a_mark_whether_it_applies_or_not() {
        let ((), ran) = watched(|| Test::of(7).down(1, TWO).when(false));
        assert!(ran.contains(&TWO));
    }
}
