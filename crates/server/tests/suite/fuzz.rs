//! Fuzz target: messages over a WebSocket. Whatever one says it is answered, once; the line stays, others are served, and what is kept is a
//! log that the rules prove.
//!
//! `cargo test` runs inputs that are the same each time; `make fuzz` goes on with `bolero` for as long as it is given. The corpus are
//! the messages that a page sends, with the offers of the battle in them.

use std::sync::LazyLock;
use std::time::Duration;

use futures_util::SinkExt;
use sabretache_engine::dice::{SecretChain, Seeded};
use sabretache_server::messages::BattleMade;
use serde_json::{Value as Json, json};
use tokio::runtime::Runtime;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;

use crate::common::{COMPLAINTS, Player, Server};

#[path = "../../../books/tests/fuzz/damage.rs"]
mod damage;

use damage::{Bytes, damaged};

/// How many inputs there are in `cargo test`.
const SHORT: u64 = 120;
/// Less than one connection may say at once.
const MOST: usize = 24;
const JSON: (&str, &str) = ("Content-Type", "application/json");

/// A server with battles of several kinds.
struct Field {
    runtime: Runtime,
    server: Server,
    battles: Vec<BattleMade>,
    folder: tempfile::TempDir,
}

static FIELD: LazyLock<Field> = LazyLock::new(|| {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let (server, battles) = runtime.block_on(async {
        let complaints = folder.path().join("complaints");
        let server = Server::start_with(folder.path(), &[(COMPLAINTS, complaints.to_str().unwrap())]).await;
        let close = include_str!("../../../picket/scenarios/ford.toml").replace("at = [25, 45]", "at = [25, 30]");
        let wood = include_str!("../../../../drills/malbrook/positions/plain.toml");
        let mut battles = Vec::new();
        for (scenario, dice, enforcement) in [
            (&*close, "seeded", "advise"),
            (&*close, "typed", "referee"),
            (&*close, "agreed", "referee"),
            (&*close, "seeded", "sandbox"),
            (wood, "seeded", "advise"),
        ] {
            let body = json!({ "scenario": scenario, "dice": dice, "enforcement": enforcement }).to_string();
            let (status, made) = server.http("POST", "/api/battles", &[JSON], &body).await;
            assert_eq!(status, 201, "{made}");
            let battle: BattleMade = serde_json::from_str(&made).unwrap();
            if dice == "agreed" {
                for (side, secret) in [("A", &battle.secrets.a), ("B", &battle.secrets.b)] {
                    let link = String::from(SecretChain::new([7; 32], 4_096).commitment());
                    let headers = [JSON, ("Authorization", &*format!("Seat {secret}"))];
                    let path = format!("/api/battles/{}/commit", battle.id);
                    let body = json!({ "side": side, "link": link }).to_string();
                    assert_eq!(server.http("POST", &path, &headers, &body).await.0, 204);
                }
            }
            battles.push(battle);
        }
        (server, battles)
    });
    Field { runtime, server, battles, folder }
});

/// Messages as a page sends them, with what is offered now.
fn sent(decision: &Json) -> Vec<String> {
    let mut requests = vec![
        json!({ "type": "view" }),
        json!({ "type": "view", "moment": 1 }),
        json!({ "type": "decision", "closed": true }),
        json!({ "type": "decision", "closed": true, "of": "#1" }),
        json!({ "type": "overlays", "of": "#0" }),
        json!({ "type": "story", "from": 0 }),
        json!({ "type": "letters" }),
        json!({ "type": "report" }),
        json!({ "type": "save" }),
        json!({ "type": "log" }),
        json!({ "type": "undo", "whole": true }),
        json!({ "type": "adjust", "path": "units.r1.at", "to": [20, 20], "why": "by hand" }),
        json!({ "type": "adjustable", "of": "#1" }),
        json!({ "type": "instruct", "side": "B", "instructions": [{ "kind": "fire", "unless_within": 50_000 }], "quiet": true }),
        json!({ "type": "write", "from": "x", "to": { "side": "A" }, "text": "come" }),
        json!({ "type": "say", "say": "offer_draw" }),
        json!({ "type": "say", "say": "ask_back" }),
        json!({ "type": "say", "say": "refuse" }),
        json!({ "type": "clause", "id": "HZ-ORD-01" }),
        json!({ "type": "branch", "moment": 1, "seed": 1 }),
    ];
    for offer in decision["offers"].as_array().into_iter().flatten().take(12) {
        let key = &offer["key"];
        for kind in ["choose", "odds", "preview", "why"] {
            requests.push(json!({ "type": kind, "offer": key }));
        }
        requests.push(
            json!({ "type": "choose", "offer": key, "value": { "distance": 50_000 }, "despite": true, "whole": true }),
        );
        requests
            .push(json!({ "type": "series", "choices": [{ "offer": key, "value": "none" }], "through_dice": true }));
    }
    let seats = [Json::Null, json!("A"), json!("B"), json!("umpire"), json!("spectator")];
    let message = |(n, request)| json!({ "id": n, "as": seats[n % seats.len()], "request": request }).to_string();
    requests.into_iter().enumerate().map(message).collect()
}

/// The next answer, whatever news comes before it.
async fn answer(player: &mut Player) -> Option<Json> {
    loop {
        let heard = timeout(Duration::from_secs(30), player.hear()).await.expect("it is answered")?;
        if heard["type"] == "answer" {
            return Some(heard);
        }
    }
}

fn message(bytes: &[u8]) {
    let field = &*FIELD;
    let mut bytes = Bytes::new(bytes);
    field.runtime.block_on(async {
        let battle = &field.battles[bytes.below(field.battles.len())];
        let secrets = &battle.secrets;
        let seats: [&[&str]; 4] = [
            &[&secrets.a, &secrets.b, &secrets.umpire, &secrets.spectator],
            &[&secrets.a],
            &[&secrets.b],
            &[&secrets.spectator],
        ];
        let mut player = field.server.join(&battle.id, seats[bytes.below(seats.len())]).await.unwrap();
        let decision = player.ask(serde_json::from_value(json!({ "type": "decision", "closed": true })).unwrap()).await;
        let sent = sent(&decision.unwrap()["reply"]);
        for _ in 0..MOST {
            if bytes.is_spent() {
                break;
            }
            let (one, other) = (bytes.below(sent.len()), bytes.below(sent.len()));
            let text = damaged(&sent[one], &sent[other], &mut bytes);
            let id = serde_json::from_str::<Json>(&text).ok().and_then(|json| json["id"].as_u64()).unwrap_or_default();
            player.socket.send(Message::text(text.clone())).await.unwrap();
            let answer = answer(&mut player).await.unwrap_or_else(|| panic!("the line was broken after {text}"));
            assert_eq!(answer["id"], json!(id as u32), "{text}: {answer}");
        }
        // Everybody else is served, and the battle is whole.
        assert_eq!(field.server.http("GET", "/health", &[], "").await, (200, "ok\n".into()));
        let complaints = std::fs::read_to_string(field.folder.path().join("complaints")).unwrap();
        assert!(!complaints.contains("panicked"), "{complaints}");
    });
}

/// What all of it came to is a log that is taken over elsewhere line by line: each battle, at the end.
fn proved() {
    let field = &*FIELD;
    field.runtime.block_on(async {
        for battle in &field.battles {
            let (path, seat) = (format!("/api/battles/{}/log", battle.id), format!("Seat {}", battle.secrets.umpire));
            let (status, log) = field.server.http("GET", &path, &[("Authorization", &seat)], "").await;
            assert_eq!(status, 200, "{log}");
            let body = json!({ "log": log }).to_string();
            let (status, told) = field.server.http("POST", "/api/battles/upload", &[JSON], &body).await;
            assert_eq!(status, 201, "{told}");
        }
    });
}

#[test]
fn a_damaged_message_is_answered_over_the_socket() {
    for n in 0..SHORT {
        let mut random = Seeded::for_choice(1815, n);
        let bytes: Vec<u8> = (0..40).flat_map(|_| random.bits().to_le_bytes()).collect();
        message(&bytes);
    }
    proved();
    if std::env::var_os("FUZZ").is_some() {
        bolero::check!().with_max_len(320).for_each(|bytes: &[u8]| message(bytes));
        proved();
    }
    FIELD.server.stop();
}
