//! Who thinks when: computer players share a few threads, and nobody's battles crowd out another's.
//!
//! Turns go round by caller, not by battle: somebody who made five hundred battles waits behind himself. A caller who thinks
//! while another has waited for a while is asked to come to an end: a Marshal then plays the best it has found.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sabretache_engine::patience::Patience;
use tokio::sync::oneshot;

/// How long somebody waits before those who think are asked to come to an end.
const POLITE: Duration = Duration::from_secs(1);

/// The threads that computer players share.
pub(crate) struct Thinkers {
    desk: Mutex<Desk>,
    /// Who opened each battle last.
    callers: Arc<Mutex<HashMap<String, String>>>,
    polite: Duration,
}

#[derive(Default)]
struct Desk {
    threads: usize,
    busy: Vec<Busy>,
    next: u64,
    /// Whose turn comes next, and who waits on each behalf.
    round: VecDeque<String>,
    waiting: HashMap<String, VecDeque<oneshot::Sender<u64>>>,
}

struct Busy {
    id: u64,
    caller: String,
    patience: Patience,
}

impl Desk {
    /// Gives free threads to those whose turn it is.
    fn seat(&mut self) {
        while self.busy.len() < self.threads {
            let Some(caller) = self.round.pop_front() else { return };
            let Some(queue) = self.waiting.get_mut(&caller) else { continue };
            let first = queue.pop_front();
            if queue.is_empty() {
                self.waiting.remove(&caller);
            } else {
                self.round.push_back(caller.clone());
            }
            self.next += 1;
            let id = self.next;
            // Who has gone away meanwhile is passed over.
            if first.is_some_and(|first| first.send(id).is_ok()) {
                self.busy.push(Busy { id, caller, patience: Patience::default() });
            }
        }
    }

    /// Somebody has waited long: of those who think on behalf of others, one of whom the most do is asked to come to an end.
    fn hurry(&mut self, waiting: &str) {
        let count = |caller: &str| self.busy.iter().filter(|busy| busy.caller == caller).count();
        let greedy = self.busy.iter().filter(|busy| busy.caller != waiting && !busy.patience.is_over());
        if let Some(busy) = greedy.max_by_key(|busy| (count(&busy.caller), std::cmp::Reverse(busy.id))) {
            busy.patience.stop();
        }
    }
}

impl Thinkers {
    pub(crate) fn new(threads: usize) -> Self {
        let desk = Desk { threads: threads.max(1), ..Desk::default() };
        Self { desk: Mutex::new(desk), callers: Arc::default(), polite: POLITE }
    }

    /// As [`Self::new`], where nobody is asked to come to an end.
    pub(crate) fn patient(threads: usize) -> Self {
        Self { polite: Duration::from_secs(365 * 24 * 3_600), ..Self::new(threads) }
    }

    /// As many threads for the same callers to work on something else, each for as long as it takes.
    pub(crate) fn beside(&self) -> Self {
        Self { callers: Arc::clone(&self.callers), ..Self::patient(self.desk().threads) }
    }

    /// Somebody has opened a battle: its computer players think on his behalf.
    pub(crate) fn called(&self, battle: &str, caller: &str) {
        let mut callers = self.callers.lock().unwrap_or_else(PoisonError::into_inner);
        callers.insert(battle.to_owned(), caller.to_owned());
    }

    /// The battle has left memory.
    pub(crate) fn left(&self, battle: &str) {
        self.callers.lock().unwrap_or_else(PoisonError::into_inner).remove(battle);
    }

    /// Waits for a thread to think on for a battle.
    pub(crate) async fn turn(self: &Arc<Self>, battle: &str) -> Turn {
        let caller = {
            let callers = self.callers.lock().unwrap_or_else(PoisonError::into_inner);
            callers.get(battle).cloned().unwrap_or_else(|| battle.to_owned())
        };
        loop {
            let (seat, seated) = oneshot::channel();
            let mut waiting = Waiting { thinkers: Arc::clone(self), seated };
            {
                let mut desk = self.desk();
                let queue = desk.waiting.entry(caller.clone()).or_default();
                queue.push_back(seat);
                if queue.len() == 1 {
                    desk.round.push_back(caller.clone());
                }
                desk.seat();
            }
            let id = loop {
                match tokio::time::timeout(self.polite, &mut waiting.seated).await {
                    Ok(id) => break id.ok(),
                    Err(_) => self.desk().hurry(&caller),
                }
            };
            if let Some(id) = id {
                return Turn { thinkers: Arc::clone(self), id };
            }
        }
    }

    /// Whether a thread is free.
    #[cfg(test)]
    pub(crate) fn has_room(&self) -> bool {
        let desk = self.desk();
        desk.busy.len() < desk.threads
    }

    /// How many think, and how many wait.
    pub(crate) fn figures(&self) -> (usize, usize) {
        let desk = self.desk();
        (desk.busy.len(), desk.waiting.values().map(VecDeque::len).sum())
    }

    fn desk(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Somebody who waits for a thread. He may go away in the very moment in which he is given one: then it is given back.
struct Waiting {
    thinkers: Arc<Thinkers>,
    seated: oneshot::Receiver<u64>,
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.seated.close();
        if let Ok(id) = self.seated.try_recv() {
            drop(Turn { thinkers: Arc::clone(&self.thinkers), id });
        }
    }
}

/// A thread to think on, until it is dropped.
pub(crate) struct Turn {
    thinkers: Arc<Thinkers>,
    id: u64,
}

impl Turn {
    /// How long it lasts.
    pub(crate) fn patience(&self) -> Patience {
        let desk = self.thinkers.desk();
        desk.busy.iter().find(|busy| busy.id == self.id).map(|busy| busy.patience.clone()).unwrap_or_default()
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut desk = self.thinkers.desk();
        desk.busy.retain(|busy| busy.id != self.id);
        desk.seat();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn somebody_with_many_battles_waits_behind_himself() {
        let thinkers = Arc::new(Thinkers::new(1));
        for n in 0..100 {
            thinkers.called(&format!("stranger's {n}"), "stranger");
        }
        thinkers.called("mine", "me");
        let first = thinkers.turn("stranger's 0").await;
        let (told, mut order) = tokio::sync::mpsc::unbounded_channel();
        let mut tasks = Vec::new();
        let names = (1..100).map(|n| format!("stranger's {n}")).chain(["mine".to_owned()]);
        for (n, name) in names.enumerate() {
            let (shared, told) = (Arc::clone(&thinkers), told.clone());
            tasks.push(tokio::spawn(async move {
                let _turn = shared.turn(&name).await;
                told.send(name).unwrap();
            }));
            // Each waits before the next comes.
            while thinkers.figures().1 <= n {
                tokio::task::yield_now().await;
            }
        }
        drop(first);
        let heard = [order.recv().await.unwrap(), order.recv().await.unwrap()];
        assert!(heard.contains(&"mine".to_owned()), "{heard:?}");
        for task in tasks {
            task.await.unwrap();
        }
        assert_eq!(thinkers.figures(), (0, 0));
    }

    /// A page that is closed while its advice or its odds wait leaves neither a thread taken nor the queue blocked.
    #[tokio::test]
    async fn a_thread_that_was_given_to_somebody_who_has_gone_is_given_on() {
        let thinkers = Arc::new(Thinkers::new(1));
        let first = thinkers.turn("first").await;
        let mut gone = Box::pin(thinkers.turn("gone"));
        let mut looks = std::task::Context::from_waker(std::task::Waker::noop());
        assert!(gone.as_mut().poll(&mut looks).is_pending());
        drop(first);
        assert_eq!(thinkers.figures(), (1, 0), "the thread is his, though he does not know it yet");
        drop(gone);
        assert_eq!(thinkers.figures(), (0, 0));
        let next = tokio::time::timeout(Duration::from_secs(5), thinkers.turn("next")).await;
        assert!(next.is_ok(), "nobody has the thread, and nobody gets it");
    }

    #[tokio::test]
    async fn a_long_thought_ends_when_somebody_else_has_waited() {
        let mut thinkers = Thinkers::new(1);
        thinkers.polite = Duration::from_millis(10);
        let thinkers = Arc::new(thinkers);
        thinkers.called("a", "stranger");
        thinkers.called("c", "stranger");
        thinkers.called("b", "me");
        let long = thinkers.turn("a").await;
        let patience = long.patience();
        // His own next battle hurries nobody.
        let own = tokio::time::timeout(Duration::from_millis(100), thinkers.turn("c")).await;
        assert!(own.is_err() && !patience.is_over());
        let waiting = tokio::spawn({
            let thinkers = Arc::clone(&thinkers);
            async move { drop(thinkers.turn("b").await) }
        });
        while !patience.is_over() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        drop(long);
        waiting.await.unwrap();
    }
}
