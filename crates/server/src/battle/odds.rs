//! Odds, worked out apart from the battle.

use std::sync::Arc;
use std::time::Duration;

use sabretache_engine::patience::{self, Patience};
use sabretache_engine::protocol::{Reply, Request};
use tokio::sync::{Semaphore, oneshot};

use super::{Answer, Battle, declined};
use crate::figures::Figures;
use crate::messages::SeatName;
use crate::news::looker;

/// The longest that odds may take.
const ODDS: Duration = Duration::from_secs(5);

impl Battle {
    /// Odds are worked out on a copy, for as long as somebody waits for them: the battle answers meanwhile.
    pub(super) async fn odds(&mut self, seats: Vec<SeatName>, request: Request, answer: oneshot::Sender<Answer>) {
        let lines = self.lines;
        let mut copy = match self.work(|session| session.fork()).await {
            Ok(copy) => copy,
            Err(why) => return drop(answer.send(Answer { lines, reply: declined(why) })),
        };
        let work = move || {
            let seat = looker(&seats, copy.deciding());
            copy.answer(seat.into(), &request)
        };
        let (turns, figures) = (Arc::clone(&self.thinkers.odds), Arc::clone(&self.figures));
        tokio::spawn(while_waited_for(turns, figures, lines, answer, work));
    }
}

/// Does some work when its turn has come, for five seconds at the most, and no longer than somebody waits for its answer.
async fn while_waited_for(
    turns: Arc<Semaphore>,
    figures: Arc<Figures>,
    lines: usize,
    mut answer: oneshot::Sender<Answer>,
    work: impl FnOnce() -> Reply + Send + 'static,
) {
    let turn = tokio::select! {
        turn = turns.acquire_owned() => turn,
        () = answer.closed() => return,
    };
    let patience = Patience::lasting(ODDS);
    let asked = patience.clone();
    let mut work = tokio::task::spawn_blocking(move || patience::with(&patience, work));
    let done = tokio::select! {
        done = &mut work => done,
        () = answer.closed() => {
            asked.stop();
            figures.odds_given_up();
            let _ = work.await;
            return;
        }
    };
    drop(turn);
    let failed = || declined("the rules code failed at this; the battle is as it was".into());
    let _ = answer.send(Answer { lines, reply: done.unwrap_or_else(|_| failed()) });
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    /// Work that ends when it is told that nobody waits, and not before; how long it took.
    fn endless(ended: std::sync::mpsc::Sender<Duration>) -> impl FnOnce() -> Reply + Send {
        move || {
            let begun = Instant::now();
            while !patience::is_over() {
                std::thread::sleep(Duration::from_millis(1));
            }
            let _ = ended.send(begun.elapsed());
            declined("too long".into())
        }
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn odds_stop_with_the_one_who_waits_and_leave_their_turn_to_others() {
        let (turns, figures) = (Arc::new(Semaphore::new(1)), Arc::new(Figures::default()));
        let (ended, heard) = std::sync::mpsc::channel();
        let (answer, waiting) = oneshot::channel();
        let first = tokio::spawn(while_waited_for(turns.clone(), figures.clone(), 1, answer, endless(ended)));
        while turns.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        // Somebody else waits for his turn, and one who has gone before his came is passed over.
        let (gone, nobody) = oneshot::channel();
        drop(nobody);
        while_waited_for(turns.clone(), figures.clone(), 1, gone, || unreachable!("nobody waits for it")).await;
        let (other, told) = oneshot::channel();
        tokio::spawn(while_waited_for(turns.clone(), figures.clone(), 7, other, || declined("done".into())));
        drop(waiting);
        first.await.unwrap();
        assert!(heard.recv().unwrap() < ODDS, "it did not wait for its time to be over");
        assert_eq!(told.await.unwrap().lines, 7);
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn odds_end_after_their_time_though_somebody_waits() {
        let (turns, figures) = (Arc::new(Semaphore::new(1)), Arc::new(Figures::default()));
        let (ended, heard) = std::sync::mpsc::channel();
        let (answer, waiting) = oneshot::channel();
        while_waited_for(turns, figures, 1, answer, endless(ended)).await;
        assert!(heard.recv().unwrap() >= ODDS && matches!(waiting.await.unwrap().reply, Reply::Declined { .. }));
    }
}
