//! Many battles at once: how soon the other seat hears of a choice, and what a battle costs in memory.
//!
//! Two hundred, with SQLite; `SABRETACHE_LOAD` says how many, `SABRETACHE_IDLE` how many connections look on and say nothing, and with
//! `SABRETACHE_LOAD_DATABASE=postgres` three processes serve them from one PostgreSQL, the two seats of a battle at different ones (`make
//! load`). The times it prints stand in `docs/server.md`; it asserts none, since they are the machine's as much as ours.

use std::time::{Duration, Instant};

use crate::cluster::Cluster;
use crate::common::{Player, Server, choice};
use crate::processes;
use sabretache_engine::protocol::Request;
use sabretache_server::messages::BattleMade;
use serde_json::json;
use tokio::time::timeout;

const CHOICES: u64 = 8;

fn asked(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|count| count.parse().ok()).unwrap_or(otherwise)
}

/// A battle, begun from one of many addresses: a caller makes only so many, and all together only so many a second.
async fn begin(server: &Server, seed: u64) -> BattleMade {
    let body = json!({ "scenario": "ford", "seed": seed, "players": { "a": "person", "b": "person" } }).to_string();
    loop {
        let headers = [("Content-Type", "application/json")];
        let (status, text) = server.http_from(seed, "POST", "/api/battles", &headers, &body).await;
        match status {
            201 => return serde_json::from_str(&text).unwrap(),
            429 => tokio::time::sleep(Duration::from_millis(100)).await,
            other => panic!("{other}: {text}"),
        }
    }
}

/// Chooses and takes back in turn; how long it took each time until the other seat had heard.
async fn fight(mut umpire: Player, mut watcher: Player, between: Duration, after: Duration) -> Vec<Duration> {
    assert_eq!(watcher.hear().await.unwrap()["type"], "hello");
    tokio::time::sleep(after).await;
    let mut waits = Vec::new();
    for n in 0..CHOICES {
        let request = if n % 2 == 0 { choice("end turn") } else { Request::Undo { player: None, whole: false } };
        let start = Instant::now();
        let (answer, news) = tokio::join!(umpire.ask(request), timeout(Duration::from_secs(20), watcher.hear()));
        assert_eq!(answer.unwrap()["reply"]["type"], "moment");
        assert_eq!(news.unwrap().unwrap()["lines"], n + 2);
        waits.push(start.elapsed());
        tokio::time::sleep(between).await;
    }
    waits
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_battles_are_served_at_once() {
    let _alone = crate::ALONE.lock().await;
    let (battles, idle) = (asked("SABRETACHE_LOAD", 200), asked("SABRETACHE_IDLE", 0));
    let folder = tempfile::tempdir().unwrap();
    let cluster = std::env::var("SABRETACHE_LOAD_DATABASE").is_ok_and(|name| name == "postgres").then(Cluster::start);
    let servers = match &cluster {
        Some(cluster) => processes(cluster, folder.path()).await,
        None => vec![Server::start(folder.path()).await],
    };
    let memory = || servers.iter().map(Server::memory).sum::<u64>();
    let (before, count) = (memory(), servers.len() as u64);
    let at = |n: u64| &servers[(n % count) as usize];
    let mut begun = Vec::new();
    for seed in 0..battles {
        let battle = begin(at(seed), seed).await;
        let umpire = at(seed).join(&battle.id, &[&battle.secrets.umpire]).await.unwrap();
        let watcher = at(seed + 1).join(&battle.id, &[&battle.secrets.spectator]).await.unwrap();
        begun.push((battle, umpire, watcher));
    }
    let held = (memory() - before) / battles;
    let mut lookers = Vec::new();
    for n in 0..idle {
        let battle = &begun[(n % battles) as usize].0;
        let mut looker = at(n).join(&battle.id, &[&battle.secrets.spectator]).await.unwrap();
        lookers.push(tokio::spawn(async move { while looker.hear().await.is_some() {} }));
    }
    // Each battle waits so long between two choices that there are 500 a second, and they do not all choose in the same instant.
    let between = Duration::from_millis(2 * battles);
    let tasks: Vec<_> = begun
        .into_iter()
        .enumerate()
        .map(|(n, (_, umpire, watcher))| {
            tokio::spawn(fight(umpire, watcher, between, between * n as u32 / battles as u32))
        })
        .collect();
    let mut waits = Vec::new();
    for task in tasks {
        waits.extend(task.await.unwrap());
    }
    waits.sort();
    let share = |part: f64| waits[((waits.len() - 1) as f64 * part) as usize];
    println!(
        "{} choices in {battles} battles at {count} processes, {idle} more connections: median {:?}, 99th percentile {:?}, longest {:?}; {held} kB a battle with two connections",
        waits.len(),
        share(0.5),
        share(0.99),
        share(1.0)
    );
    assert_eq!(waits.len() as u64, battles * CHOICES, "every choice was answered and heard of");
    assert!(lookers.iter().all(|looker| !looker.is_finished()), "somebody who looked on was shut out");
    assert!(held < 1_024 * count, "{held} kB");
    for server in servers {
        server.kill().await;
    }
}
