//! Where several processes serve the same battles: hearing what the others write, and taking over what one of them left.

use std::collections::BTreeMap;
use std::time::Duration;

use tokio::sync::broadcast::error::RecvError;
use tokio::time::MissedTickBehavior;

use super::Hall;
use crate::battle::{COMPUTER, Handle};

/// How often this process looks after what others may have left.
const SWEEP: Duration = Duration::from_secs(1);
/// How long something that is due is this process's own to see to.
const CLAIM: Duration = Duration::from_secs(3);

impl Hall {
    /// Hears what other processes write to the same database, and takes over what one that was killed left undone. Ends
    /// at once where there are no other processes.
    pub(crate) async fn attend(self) {
        // What is heard waits for no question of the other: it would be too much at once afterwards.
        tokio::join!(self.hear_others(), self.look_after());
    }

    async fn hear_others(&self) {
        let Some(mut woken) = self.store.woken() else { return };
        loop {
            match woken.recv().await {
                Ok(woken) if !woken.battle.is_empty() => {
                    let Some(handle) = self.opened(&woken.battle) else { continue };
                    handle.wake(woken.lines);
                    if woken.lines == 0 {
                        handle.look_beside();
                    }
                }
                // Some of it was missed: every battle looks at its log, and at what stands beside it.
                Ok(_) | Err(RecvError::Lagged(_)) => {
                    self.wake_all();
                    self.handles().iter().for_each(|(_, handle)| handle.look_beside());
                }
                Err(RecvError::Closed) => return,
            }
        }
    }

    async fn look_after(&self) {
        if self.store.woken().is_none() {
            return;
        }
        let mut sweep = tokio::time::interval(SWEEP);
        sweep.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut rounds = 0_u32;
        loop {
            sweep.tick().await;
            rounds += 1;
            if rounds.is_multiple_of(5) {
                self.look_at_all().await;
            }
            self.take_over().await;
        }
    }

    /// Every battle in memory hears how long its log is: what it was not told of is found so.
    async fn look_at_all(&self) {
        let handles: BTreeMap<String, Handle> = self.handles().into_iter().collect();
        let ids: Vec<String> = handles.keys().cloned().collect();
        // Where the database does not answer, there is another time in a few seconds.
        for (id, lines) in self.store.lengths(&ids).await.unwrap_or_default() {
            if let Some(handle) = handles.get(&id) {
                handle.passed(lines);
            }
        }
    }

    fn wake_all(&self) {
        for (_, handle) in self.handles() {
            handle.wake(0);
        }
    }

    /// Opens the battles whose computer players have to decide and that nobody leads.
    async fn take_over(&self) {
        while let Ok(Some(id)) = self.store.claim(COMPUTER, &self.holder, CLAIM).await {
            if let Ok(Some(kept)) = self.store.battle(&id).await
                && let Ok(handle) = self.open(&kept)
            {
                handle.wake(0);
            }
        }
    }
}
