//! Two hundred battles at once: how soon the other seat hears of a choice, and what a battle costs in memory.
//!
//! The times it prints stand in `docs/performance.md`; it asserts none, since they are the machine's as much as ours.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod common;

use std::time::{Duration, Instant};

use common::{Server, choice};
use sabretache_engine::protocol::Request;
use serde_json::json;
use tokio::time::timeout;

const BATTLES: u64 = 200;
const CHOICES: u64 = 8;
/// How long each battle waits between two choices.
const BETWEEN: Duration = Duration::from_millis(400);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_hundred_battles_are_served_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path()).await;
    let before = server.memory();
    let mut battles = Vec::new();
    for seed in 0..BATTLES {
        let battle = server.begin(seed, json!({ "a": "person", "b": "person" })).await;
        let umpire = server.join(&battle.id, &[&battle.secrets.umpire]).await.unwrap();
        let watcher = server.join(&battle.id, &[&battle.secrets.spectator]).await.unwrap();
        battles.push((seed, umpire, watcher));
    }
    let mut tasks = Vec::new();
    for (seed, mut umpire, mut watcher) in battles {
        tasks.push(tokio::spawn(async move {
            assert_eq!(watcher.hear().await.unwrap()["type"], "hello");
            // The battles do not all choose in the same instant.
            tokio::time::sleep(BETWEEN * seed as u32 / BATTLES as u32).await;
            let mut waits = Vec::new();
            for n in 0..CHOICES {
                let request =
                    if n % 2 == 0 { choice("end turn") } else { Request::Undo { player: None, whole: false } };
                let start = Instant::now();
                let (answer, news) =
                    tokio::join!(umpire.ask(request), timeout(Duration::from_secs(20), watcher.hear()));
                assert_eq!(answer.unwrap()["reply"]["type"], "moment");
                assert_eq!(news.unwrap().unwrap()["lines"], n + 2);
                waits.push(start.elapsed());
                tokio::time::sleep(BETWEEN).await;
            }
            (waits, umpire, watcher)
        }));
    }
    let mut waits = Vec::new();
    let mut lines = Vec::new();
    for task in tasks {
        let (some, umpire, watcher) = task.await.unwrap();
        waits.extend(some);
        lines.push((umpire, watcher));
    }
    waits.sort();
    let at = |part: f64| waits[((waits.len() - 1) as f64 * part) as usize];
    let memory = server.memory().saturating_sub(before) / BATTLES;
    println!(
        "{} choices in {BATTLES} battles: median {:?}, 99th percentile {:?}, longest {:?}; {memory} kB a battle with two connections",
        waits.len(),
        at(0.5),
        at(0.99),
        at(1.0)
    );
    assert_eq!(waits.len() as u64, BATTLES * CHOICES, "every choice was answered and heard of");
    assert!(memory < 1_024, "{memory} kB");
    server.kill().await;
}
