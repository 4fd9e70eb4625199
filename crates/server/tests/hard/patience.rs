//! Runs of the laboratory end when they are told to, by those who may.

use std::time::{Duration, Instant};

use crate::common::Server;
use sabretache_server::messages::BattleMade;
use serde_json::{Value as Json, json};

async fn run(server: &Server, method: &str, battle: &BattleMade, secret: &str, body: &Json) -> (u16, Json) {
    let (path, seat) = (format!("/api/battles/{}/run", battle.id), format!("Seat {secret}"));
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let headers = [("Content-Type", "application/json"), ("Authorization", seat.as_str())];
    let (status, text) = server.http(method, &path, &headers, &body).await;
    (status, serde_json::from_str(&text).unwrap_or_default())
}

async fn until(server: &Server, battle: &BattleMade, holds: impl Fn(&Json) -> bool) -> Json {
    loop {
        let (_, now) = run(server, "GET", battle, &battle.secrets.spectator, &Json::Null).await;
        if holds(&now) {
            return now;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_ends_within_a_second_by_whoever_began_it_or_the_umpire() {
    let _alone = crate::ALONE.lock().await;
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path()).await;
    let second = server.begin(2, json!({ "a": "person", "b": "person" })).await;
    // A single battle of these would take minutes; ten thousand of them, were they let.
    let plain = include_str!("../../../../drills/malbrook/positions/plain.toml");
    let body = json!({ "scenario": plain, "seed": 1 }).to_string();
    let (status, made) = server.http("POST", "/api/battles", &[("Content-Type", "application/json")], &body).await;
    assert_eq!(status, 201, "{made}");
    let first: BattleMade = serde_json::from_str(&made).unwrap();
    let long = json!({ "moment": 1, "battles": 10_000, "players": { "a": "marshal:2000", "b": "marshal:2000" } });
    assert_eq!(run(&server, "POST", &first, &first.secrets.a, &long).await.0, 202);
    until(&server, &first, |now| now["running"] == true).await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    // Another waits for its turn behind it.
    let short = json!({ "moment": 1, "battles": 5, "players": { "a": "recruit", "b": "recruit" } });
    assert_eq!(run(&server, "POST", &second, &second.secrets.b, &short).await.0, 202);
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(until(&server, &second, |_| true).await["running"], true, "one at a time");

    for other in [&first.secrets.b, &first.secrets.spectator] {
        assert_eq!(run(&server, "DELETE", &first, other, &Json::Null).await.0, 403, "it is not theirs to end");
    }
    // What a question takes on this machine, with whatever else it does.
    let asked = Instant::now();
    until(&server, &first, |_| true).await;
    let question = asked.elapsed();
    let asked = Instant::now();
    assert_eq!(run(&server, "DELETE", &first, &first.secrets.a, &Json::Null).await.0, 204);
    let ended = until(&server, &first, |now| now["running"] == false).await;
    let took = asked.elapsed();
    println!("a run ended after {took:?}, a question took {question:?}");
    // The battles under way would have taken minutes.
    assert!(took < Duration::from_secs(1) + 20 * question, "{took:?}, a question took {question:?}");
    assert!(ended["result"]["battles"].as_u64().is_some_and(|battles| battles < 10_000), "{ended}");
    // The one that waited has its turn, and its own end.
    let done = until(&server, &second, |now| now["running"] == false).await;
    assert_eq!(done["result"]["battles"], 5, "{done}");

    assert_eq!(run(&server, "POST", &second, &second.secrets.b, &long).await.0, 202);
    assert_eq!(run(&server, "DELETE", &second, &second.secrets.umpire, &Json::Null).await.0, 204, "the umpire may");
    until(&server, &second, |now| now["running"] == false).await;
}
