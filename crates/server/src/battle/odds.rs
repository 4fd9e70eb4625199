//! Odds, worked out apart from the battle.

use std::sync::Arc;
use std::time::Duration;

use sabretache_engine::patience::{self, Patience};
use sabretache_engine::protocol::{Reply, Request};
use tokio::sync::oneshot;

use super::{Answer, Battle, declined};
use crate::figures::Figures;
use crate::messages::SeatName;
use crate::news::looker;
use crate::thinkers::Thinkers;

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
        let asked = Asked { battle: self.kept.id.clone(), lines, answer };
        tokio::spawn(while_waited_for(Arc::clone(&self.odds), Arc::clone(&self.figures), asked, work));
    }
}

/// Odds that somebody waits for.
struct Asked {
    battle: String,
    lines: usize,
    answer: oneshot::Sender<Answer>,
}

/// Does some work when its turn has come, for five seconds at the most, and no longer than somebody waits for its answer. Turns go round by
/// caller, so that nobody waits behind all that one other asks.
async fn while_waited_for(
    turns: Arc<Thinkers>,
    figures: Arc<Figures>,
    Asked { battle, lines, mut answer }: Asked,
    work: impl FnOnce() -> Reply + Send + 'static,
) {
    let turn = tokio::select! {
        biased;
        () = answer.closed() => return figures.odds_given_up(),
        turn = turns.turn(&battle) => turn,
    };
    let patience = Patience::lasting(ODDS);
    let asked = patience.clone();
    let mut work = tokio::task::spawn_blocking(move || patience::with(&patience, work));
    let done = tokio::select! {
        biased;
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

    fn waits(battle: &str, lines: usize) -> (Asked, oneshot::Receiver<Answer>) {
        let (answer, waiting) = oneshot::channel();
        (Asked { battle: battle.to_owned(), lines, answer }, waiting)
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn odds_stop_with_the_one_who_waits_and_leave_their_turn_to_others() {
        let (turns, figures) = (Arc::new(Thinkers::new(1).beside()), Arc::new(Figures::default()));
        let (ended, heard) = std::sync::mpsc::channel();
        let (asked, waiting) = waits("one", 1);
        let first = tokio::spawn(while_waited_for(turns.clone(), figures.clone(), asked, endless(ended)));
        while turns.figures().0 == 0 {
            tokio::task::yield_now().await;
        }
        // Somebody else waits for his turn, and one who has gone before his came is passed over.
        let (gone, nobody) = waits("two", 1);
        drop(nobody);
        while_waited_for(turns.clone(), figures.clone(), gone, || unreachable!("nobody waits for it")).await;
        let (other, told) = waits("three", 7);
        tokio::spawn(while_waited_for(turns.clone(), figures.clone(), other, || declined("done".into())));
        drop(waiting);
        first.await.unwrap();
        assert!(heard.recv().unwrap() < ODDS, "it did not wait for its time to be over");
        assert_eq!(told.await.unwrap().lines, 7);
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn odds_end_after_their_time_though_somebody_waits() {
        let (turns, figures) = (Arc::new(Thinkers::new(1).beside()), Arc::new(Figures::default()));
        let (ended, heard) = std::sync::mpsc::channel();
        let (asked, waiting) = waits("one", 1);
        let begun = Instant::now();
        while_waited_for(turns, figures, asked, endless(ended)).await;
        assert!(heard.recv().is_ok() && begun.elapsed() >= ODDS);
        assert!(matches!(waiting.await.unwrap().reply, Reply::Declined { .. }));
    }

    /// A stranger with two hundred battles asks for odds in all of them; a person who asks after him is not the two hundredth.
    #[tokio::test]
    async fn odds_of_one_caller_wait_behind_his_own() {
        let thinkers = Thinkers::new(1);
        let (turns, figures) = (Arc::new(thinkers.beside()), Arc::new(Figures::default()));
        thinkers.called("mine", "me");
        let held = turns.turn("held").await;
        let (told, order) = std::sync::mpsc::channel();
        let names = (0..200).map(|n| format!("stranger's {n}")).chain(["mine".to_owned()]);
        let mut answers = Vec::new();
        for (n, name) in names.enumerate() {
            if name != "mine" {
                thinkers.called(&name, "stranger");
            }
            let (asked, waiting) = waits(&name, n);
            answers.push(waiting);
            let told = told.clone();
            let work = move || {
                let _ = told.send(name);
                declined("done".into())
            };
            tokio::spawn(while_waited_for(turns.clone(), figures.clone(), asked, work));
            while turns.figures().1 <= n {
                tokio::task::yield_now().await;
            }
        }
        drop(held);
        for answer in answers {
            answer.await.unwrap();
        }
        let order: Vec<String> = order.try_iter().collect();
        let mine = order.iter().position(|name| name == "mine").unwrap();
        assert!(mine < 3, "the {mine}th of {}", order.len());
    }
}
