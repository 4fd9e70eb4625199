//! How long somebody waits for a piece of work, told to the thread that does it.
//!
//! Odds over many branches, a long search and a battle fought by computers ask now and then whether anybody still waits. What
//! they come to never depends on it: work that is cut short says so, or is thrown away.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Until when, and whether somebody has said stop. Copies share the word.
#[derive(Clone, Debug, Default)]
pub struct Patience {
    until: Option<Instant>,
    stopped: Arc<AtomicBool>,
}

impl Patience {
    /// For so long at the most.
    #[must_use]
    pub fn lasting(time: Duration) -> Self {
        Self { until: Instant::now().checked_add(time), stopped: Arc::default() }
    }

    /// Nobody waits any more.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Whether it is at its end.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.stopped.load(Ordering::Relaxed) || self.until.is_some_and(|until| Instant::now() >= until)
    }
}

thread_local! {
    static MINE: RefCell<Option<Patience>> = const { RefCell::new(None) };
}

/// Does some work with this patience on this thread.
pub fn with<T>(patience: &Patience, work: impl FnOnce() -> T) -> T {
    /// Puts back what was there, also when the work panics.
    struct Before(Option<Patience>);
    impl Drop for Before {
        fn drop(&mut self) {
            MINE.with_borrow_mut(|mine| *mine = self.0.take());
        }
    }
    let _before = Before(MINE.with_borrow_mut(|mine| mine.replace(patience.clone())));
    work()
}

/// From now on this thread works with this patience, until it is told otherwise: for the threads of a pool.
pub fn adopt(patience: Option<Patience>) {
    MINE.with_borrow_mut(|mine| *mine = patience);
}

/// The patience of this thread, to be carried to others that help it.
#[must_use]
pub fn mine() -> Option<Patience> {
    MINE.with_borrow(Clone::clone)
}

/// Whether the work of this thread is waited for no longer.
#[must_use]
pub fn is_over() -> bool {
    MINE.with_borrow(|mine| mine.as_ref().is_some_and(Patience::is_over))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::{Die, NoDice, Throw};
    use crate::odds::{MOST_BRANCHES, NoOdds, odds_of};

    #[test]
    fn odds_end_when_nobody_waits() {
        let patience = Patience::default();
        let mut branches = 0;
        let odds = with(&patience, || {
            odds_of::<i32, NoDice>(MOST_BRANCHES, |dice| {
                branches += 1;
                if branches == 10 {
                    patience.stop();
                }
                let mut total = 0;
                for _ in 0..6 {
                    total += dice.throw(&Throw::sum(1, Die::D6))?.total();
                }
                Ok(total)
            })
        });
        assert_eq!((odds.unwrap_err(), branches), (NoOdds::TooLong, 10));
        assert!(!is_over(), "it was for that work alone");
        assert!(Patience::lasting(Duration::ZERO).is_over() && !Patience::lasting(Duration::from_secs(60)).is_over());
    }
}
