//! `kill -9` at any moment, then start again: every acknowledged choice is there, and the battle goes on where it was.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::common::Server;
use sabretache_engine::protocol::Request;
use serde_json::json;

const KILLS: u64 = 12;
const BATTLES: usize = 6;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_acknowledged_choice_is_lost_however_often_the_server_is_killed() {
    let _alone = crate::ALONE.lock().await;
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start(folder.path()).await;
    let mut battles = Vec::new();
    for seed in 0..BATTLES as u64 {
        battles.push(server.begin(seed, json!({ "a": "person", "b": "person" })).await);
    }
    let acknowledged: Vec<Arc<AtomicUsize>> = (0..BATTLES).map(|_| Arc::new(AtomicUsize::new(1))).collect();
    let mut after_kill = 0;
    for kill in 0..KILLS {
        let mut players = Vec::new();
        for (battle, acknowledged) in battles.iter().zip(&acknowledged) {
            let mut player = server.join(&battle.id, &[&battle.secrets.umpire]).await.unwrap();
            let hello = player.hear().await.unwrap();
            let lines = hello["info"]["now"]["lines"].as_u64().unwrap() as usize;
            let before = acknowledged.load(Ordering::SeqCst);
            assert!(lines >= before, "{lines} lines on the disk, {before} acknowledged, after {kill} kills");
            after_kill += lines - before;
            acknowledged.store(lines, Ordering::SeqCst);
            let acknowledged = acknowledged.clone();
            let mut moment = hello["info"]["now"]["moment"].as_u64().unwrap();
            players.push(tokio::spawn(async move {
                loop {
                    // Each turn that is ended is taken back again, so that the battle never comes to its end.
                    let request = if moment > 1 {
                        Request::Undo { player: None, whole: false }
                    } else {
                        crate::common::choice("end turn")
                    };
                    // No answer: the server was killed while it was at it.
                    let Some(answer) = player.ask(request).await else { return };
                    assert_eq!(answer["reply"]["type"], "moment", "{answer}");
                    acknowledged.store(answer["lines"].as_u64().unwrap() as usize, Ordering::SeqCst);
                    moment = answer["reply"]["moment"].as_u64().unwrap();
                    // Within what one connection may send.
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
            }));
        }
        tokio::time::sleep(Duration::from_millis(150 + (kill * 37) % 200)).await;
        server.kill().await;
        for player in players {
            player.await.unwrap();
        }
        server = Server::start(folder.path()).await;
    }
    let all: usize = acknowledged.iter().map(|count| count.load(Ordering::SeqCst)).sum();
    println!("{all} lines acknowledged over {KILLS} kills, {after_kill} more were on the disk already");
    assert!(all > BATTLES * KILLS as usize, "there was load: {all}");

    // What is on the disk is a log that the rules prove, and it can be played on.
    for battle in &battles {
        let seat = format!("Seat {}", battle.secrets.spectator);
        let (status, log) =
            server.http("GET", &format!("/api/battles/{}/log", battle.id), &[("Authorization", &seat)], "").await;
        assert_eq!(status, 200);
        let body = json!({ "log": log }).to_string();
        let (status, answer) =
            server.http("POST", "/api/battles/upload", &[("Content-Type", "application/json")], &body).await;
        assert_eq!(status, 201, "{answer}");
    }
    server.kill().await;
}
