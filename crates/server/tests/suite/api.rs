//! Seats, limits and logs, against a real server process.
use std::time::Duration;

use crate::common::{Server, choice};
use futures_util::{SinkExt, StreamExt};
use sabretache_engine::log::Hash;
use sabretache_engine::protocol::Request;
use serde_json::{Value as Json, json};
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::{Error as SocketError, Message};

const JSON: (&str, &str) = ("Content-Type", "application/json");

fn persons() -> Json {
    json!({ "a": "person", "b": "person" })
}

fn seat(secret: &str) -> String {
    format!("Seat {secret}")
}

async fn server() -> (Server, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    (Server::start(folder.path()).await, folder)
}

#[tokio::test]
async fn a_wrong_or_missing_secret_gets_403_everywhere() {
    let (server, _folder) = server().await;
    let battle = server.begin(1, persons()).await;
    let other = server.begin(2, persons()).await;
    for secret in ["", "0", &"0".repeat(40), &other.secrets.a] {
        for path in ["", "/log"] {
            let path = format!("/api/battles/{}{path}", battle.id);
            assert_eq!(server.http("GET", &path, &[("Authorization", &seat(secret))], "").await.0, 403, "{path}");
        }
        match server.join(&battle.id, &[secret]).await {
            Err(SocketError::Http(answer)) => assert_eq!(answer.status(), 403),
            Err(other) => panic!("{other}"),
            Ok(_) => panic!("a wrong secret was let in"),
        }
    }
    let path = format!("/api/battles/{}", battle.id);
    assert_eq!(server.http("GET", &path, &[("Authorization", &seat(&battle.secrets.a))], "").await.0, 200);
}

#[tokio::test]
async fn a_seat_decides_for_its_own_side_only() {
    let (server, _folder) = server().await;
    let battle = server.begin(1, persons()).await;
    let mut blue = server.join(&battle.id, &[&battle.secrets.b]).await.unwrap();
    let mut watcher = server.join(&battle.id, &[&battle.secrets.spectator]).await.unwrap();
    let mut red = server.join(&battle.id, &[&battle.secrets.a]).await.unwrap();
    assert_eq!(blue.choose("end turn").await.unwrap()["reply"]["why"], "it is for side A to decide now");
    assert_eq!(watcher.choose("end turn").await.unwrap()["reply"]["why"], "a spectator looks on and decides nothing");
    assert_eq!(red.choose("end turn").await.unwrap()["reply"]["type"], "moment");
    // A seat that the connection does not have is not had by saying so.
    let message = json!({ "id": 9, "as": "umpire", "request": { "type": "undo" } });
    red.socket.send(Message::text(message.to_string())).await.unwrap();
    let answer = loop {
        let heard = red.hear().await.unwrap();
        if heard["type"] == "answer" {
            break heard;
        }
    };
    assert_eq!(answer["reply"]["why"], "this connection has no such seat");
}

#[tokio::test]
async fn everybody_hears_of_a_choice_once_it_is_made() {
    let (server, _folder) = server().await;
    let battle = server.begin(1, persons()).await;
    let mut red = server.join(&battle.id, &[&battle.secrets.a]).await.unwrap();
    let mut blue = server.join(&battle.id, &[&battle.secrets.b]).await.unwrap();
    assert_eq!(blue.hear().await.unwrap()["type"], "hello");
    red.choose("end turn").await.unwrap();
    let news = timeout(Duration::from_secs(5), blue.hear()).await.unwrap().unwrap();
    assert_eq!((&news["type"], &news["lines"], &news["reply"]["deciding"]), (&json!("news"), &json!(2), &json!("B")));
    // A choice meant for an earlier moment comes too late.
    let late: Request = serde_json::from_value(json!({ "type": "choose", "offer": "end turn", "moment": 1 })).unwrap();
    assert_eq!(blue.ask(late).await.unwrap()["reply"]["why"], "the battle has gone on since; look again");
}

#[tokio::test]
async fn pages_of_other_sites_and_foreign_names_are_turned_away() {
    let (server, _folder) = server().await;
    let body = json!({ "scenario": "ford" }).to_string();
    let foreign = ("Origin", "http://example.org");
    assert_eq!(server.http("POST", "/api/battles", &[JSON, foreign], &body).await.0, 403);
    let own = format!("http://{}", server.address);
    assert_eq!(server.http("POST", "/api/battles", &[JSON, ("Origin", &own)], &body).await.0, 201);
    assert_eq!(server.http("GET", "/api/scenarios", &[("Host", "example.org")], "").await.0, 403);
}

#[tokio::test]
async fn what_cannot_be_fought_is_explained() {
    let (server, _folder) = server().await;
    let ask = async |body: Json| server.http("POST", "/api/battles", &[JSON], &body.to_string()).await;
    let (status, answer) = ask(json!({ "scenario": "nowhere" })).await;
    assert!(status == 422 && answer.contains("there is no scenario 'nowhere'"), "{answer}");
    let (status, answer) = ask(json!({ "scenario": "ruleset = \"picket\"\ntitle = 3\n" })).await;
    assert!(status == 422 && answer.contains("title"), "{answer}");
    let (status, answer) = ask(json!({ "scenario": "ford", "players": { "a": "napoleon", "b": "person" } })).await;
    assert!(status == 422 && answer.contains("no player called 'napoleon'"), "{answer}");
    let (status, _) =
        ask(json!({ "scenario": "ford", "dice": "agreed", "players": { "a": "recruit", "b": "person" } })).await;
    assert_eq!(status, 422);
    let (status, answer) = ask(json!({ "scenery": "ford" })).await;
    assert!(status == 422 && answer.contains("why"), "{answer}");
}

#[tokio::test]
async fn a_log_is_proved_on_the_way_in_and_a_branch_goes_its_own_way() {
    let (server, _folder) = server().await;
    let battle = server.begin(1, persons()).await;
    let mut umpire = server.join(&battle.id, &[&battle.secrets.umpire]).await.unwrap();
    for _ in 0..3 {
        umpire.choose("end turn").await.unwrap();
    }
    let secret = seat(&battle.secrets.spectator);
    let path = format!("/api/battles/{}", battle.id);
    let (_, log) = server.http("GET", &format!("{path}/log"), &[("Authorization", &secret)], "").await;
    let upload = async |log: String| {
        server.http("POST", "/api/battles/upload", &[JSON], &json!({ "log": log }).to_string()).await
    };
    let (status, answer) = upload(log.clone()).await;
    assert!(status == 201 && answer.contains("\"proved\":4"), "{answer}");
    let (status, answer) = upload(log.replacen("end turn", "end tern", 1)).await;
    assert!(status == 422 && answer.contains("line 2"), "{answer}");
    assert_eq!(upload("no log".into()).await.0, 422);

    let body = json!({ "moment": 2 }).to_string();
    let (status, answer) =
        server.http("POST", &format!("{path}/branch"), &[JSON, ("Authorization", &secret)], &body).await;
    let made: Json = serde_json::from_str(&answer).unwrap();
    assert_eq!(status, 201, "{answer}");
    let (id, secret) = (made["id"].as_str().unwrap(), made["secrets"]["a"].as_str().unwrap());
    let (_, answer) = server.http("GET", &format!("/api/battles/{id}"), &[("Authorization", &seat(secret))], "").await;
    assert!(answer.contains("\"moment\":2") && answer.contains("\"deciding\":\"B\""), "{answer}");
}

#[tokio::test]
async fn two_recruits_fight_a_battle_to_its_end_and_its_log_is_proved() {
    let (server, _folder) = server().await;
    let battle = server.begin(5, json!({ "a": "recruit", "b": "recruit" })).await;
    let mut watcher = server.join(&battle.id, &[&battle.secrets.spectator]).await.unwrap();
    let verdict = timeout(Duration::from_secs(60), async {
        loop {
            let heard = watcher.hear().await.unwrap();
            if !heard["reply"]["verdict"].is_null() {
                return heard["reply"]["verdict"]["sentence"].clone();
            }
        }
    });
    assert!(verdict.await.unwrap().is_string());
    let log = watcher.ask(Request::Log).await.unwrap()["reply"]["text"].as_str().unwrap().to_owned();
    let (status, answer) =
        server.http("POST", "/api/battles/upload", &[JSON], &json!({ "log": log }).to_string()).await;
    assert_eq!(status, 201, "{answer}");
}

#[tokio::test]
async fn what_is_no_message_is_answered_and_what_is_too_large_ends_the_line() {
    let (server, _folder) = server().await;
    let battle = server.begin(1, persons()).await;
    let mut red = server.join(&battle.id, &[&battle.secrets.a]).await.unwrap();
    red.hear().await.unwrap();
    for text in ["{}", "not json", "{\"id\":3,\"request\":{\"type\":\"dance\"}}", "[]"] {
        red.socket.send(Message::text(text)).await.unwrap();
        assert_eq!(red.hear().await.unwrap()["reply"]["type"], "declined", "{text}");
    }
    let _ = red.socket.send(Message::text("x".repeat(100_000))).await;
    assert!(red.hear().await.is_none(), "the line is closed");
    // Nobody else is any the worse.
    let mut again = server.join(&battle.id, &[&battle.secrets.a]).await.unwrap();
    assert_eq!(again.choose("end turn").await.unwrap()["reply"]["type"], "moment");
}

#[tokio::test]
async fn whoever_shouts_is_slowed_down_and_then_sent_away() {
    let (server, _folder) = server().await;
    let battle = server.begin(1, persons()).await;
    let mut red = server.join(&battle.id, &[&battle.secrets.a]).await.unwrap();
    let shout = |id: u32| Message::text(json!({ "id": id, "request": { "type": "report" } }).to_string());
    assert_eq!(red.hear().await.unwrap()["type"], "hello");
    for id in 0..250 {
        red.socket.feed(shout(id)).await.unwrap();
    }
    red.socket.flush().await.unwrap();
    let mut slowed = 0;
    for _ in 0..250 {
        let answer = red.hear().await.unwrap();
        slowed += usize::from(answer["reply"]["why"].as_str().is_some_and(|why| why.contains("slow down")));
    }
    assert!(slowed > 20, "slowed {slowed} times");

    let (mut mouth, mut ear) = red.socket.split();
    tokio::spawn(async move {
        for id in 0..2_000 {
            if mouth.send(shout(id)).await.is_err() {
                return;
            }
        }
    });
    let mut heard = 0;
    while let Some(Ok(_)) = timeout(Duration::from_secs(20), ear.next()).await.unwrap() {
        heard += 1;
    }
    assert!(heard < 1_000, "the line was broken, but only after {heard} answers");
}

#[tokio::test]
async fn a_client_that_reads_nothing_holds_up_nobody() {
    let (server, _folder) = server().await;
    let battle = server.begin(1, persons()).await;
    // Three that never read a word.
    let mut deaf = Vec::new();
    for _ in 0..3 {
        deaf.push(server.join(&battle.id, &[&battle.secrets.spectator]).await.unwrap());
    }
    let mut umpire = server.join(&battle.id, &[&battle.secrets.umpire]).await.unwrap();
    for n in 0..60 {
        let request = if n % 2 == 0 { choice("end turn") } else { Request::Undo { player: None, whole: false } };
        let answer = timeout(Duration::from_secs(5), umpire.ask(request)).await.expect("held up").unwrap();
        assert_eq!(answer["reply"]["type"], "moment");
    }
    // Once they read again they find out where things stand.
    let mut last = Json::Null;
    while let Ok(Some(heard)) = timeout(Duration::from_millis(500), deaf[0].hear()).await {
        last = heard;
    }
    let lines = if last["type"] == "hello" { &last["info"]["now"]["lines"] } else { &last["lines"] };
    assert_eq!(*lines, 61);
}

#[tokio::test]
async fn the_lists_are_there() {
    let (server, _folder) = server().await;
    for (path, part) in [
        ("/api/rulesets", "\"name\":\"picket\""),
        ("/api/rulesets/picket/clauses", "PK-MOV-01"),
        ("/api/players", "recruit"),
        ("/api/scenarios", "The ford"),
        ("/api/scenarios/ford", "\"units\""),
    ] {
        let (status, body) = server.http("GET", path, &[], "").await;
        assert!(status == 200 && body.contains(part), "{path}: {body}");
    }
    for path in ["/api/nothing", "/api/scenarios/none", "/api/rulesets/none/clauses", "/assets/none.js"] {
        assert_eq!(server.http("GET", path, &[], "").await.0, 404, "{path}");
    }
}

#[tokio::test]
async fn the_companion_takes_a_test_throw_by_throw_and_gives_its_odds_first() {
    let (server, _folder) = server().await;
    let (status, list) = server.http("GET", "/api/rulesets/picket/tests", &[], "").await;
    assert_eq!(status, 200);
    let list: Json = serde_json::from_str(&list).unwrap();
    assert!(list.as_array().unwrap().iter().any(|test| test["name"] == "steadiness"), "{list}");
    let ask = async |path: &str, body: Json| {
        let path = format!("/api/rulesets/picket/tests/{path}");
        let (status, body) = server.http("POST", &path, &[JSON], &body.to_string()).await;
        (status, serde_json::from_str::<Json>(&body).unwrap())
    };
    // A steadiness of 8 with one hit is tested against 7: 21 of 36 stand.
    let situation = json!({ "steadiness": 8, "hits": 1 });
    let (status, odds) = ask("steadiness/odds", json!({ "situation": situation })).await;
    assert_eq!((status, &odds["tests"][0]["target"]), (200, &json!(7)), "{odds}");
    assert_eq!(odds["tests"][0]["modifiers"][0]["clause"], "PK-STE-02");
    assert!(odds["outcomes"].as_array().unwrap().iter().any(|one| one["p"] == "7/12"), "{odds}");
    let (_, wanted) = ask("steadiness/take", json!({ "situation": situation, "dice": [] })).await;
    assert_eq!((&wanted["type"], &wanted["dice"]), (&json!("throw"), &json!(["D6", "D6"])));
    let (_, done) = ask("steadiness/take", json!({ "situation": situation, "dice": [4, 3] })).await;
    assert_eq!((&done["type"], &done["outcome"]), (&json!("done"), &json!("stands")));
    let (_, done) = ask("steadiness/take", json!({ "situation": situation, "dice": [4, 4] })).await;
    assert_ne!(done["outcome"], "stands");
    for (path, body, status) in [
        ("steadiness/odds", json!({ "situation": { "steadiness": 80 } }), 422),
        ("steadiness/take", json!({ "situation": situation, "dice": [4, 9] }), 422),
        ("steadiness/take", json!({ "situation": situation, "dice": [4, 3, 2] }), 422),
        ("nothing/odds", json!({ "situation": {} }), 404),
    ] {
        assert_eq!(ask(path, body.clone()).await.0, status, "{path} {body}");
    }
}

#[tokio::test]
async fn a_battle_is_deleted_by_whoever_made_it_and_by_nobody_else() {
    let (server, _folder) = server().await;
    let battle = server.begin(1, persons()).await;
    let secrets = &battle.secrets;
    let path = format!("/api/battles/{}", battle.id);
    for one in [&secrets.a, &secrets.b, &secrets.spectator] {
        assert_eq!(server.http("DELETE", &path, &[("Authorization", &seat(one))], "").await.0, 403);
    }
    let mut player = server.join(&battle.id, &[&secrets.a]).await.unwrap();
    player.hear().await.unwrap();
    let both = seat(&format!("{}, {}", secrets.a, secrets.b));
    assert_eq!(server.http("DELETE", &path, &[("Authorization", &both)], "").await.0, 204);
    assert_eq!(server.http("GET", &path, &[("Authorization", &both)], "").await.0, 403, "it is gone");
    let umpired = server.begin(2, persons()).await;
    let path = format!("/api/battles/{}", umpired.id);
    assert_eq!(server.http("DELETE", &path, &[("Authorization", &seat(&umpired.secrets.umpire))], "").await.0, 204);
}

#[tokio::test]
async fn a_monitor_is_told_how_the_server_does() {
    let (server, _folder) = server().await;
    let battle = server.begin(1, persons()).await;
    let mut red = server.join(&battle.id, &[&battle.secrets.a]).await.unwrap();
    assert_eq!(red.choose("end turn").await.unwrap()["reply"]["type"], "moment");
    assert_eq!(server.http("GET", "/health", &[], "").await, (200, "ok\n".into()));
    let (status, text) = server.http("GET", "/metrics", &[], "").await;
    assert_eq!(status, 200);
    for line in
        ["sabretache_battles 1", "sabretache_battles_in_memory 1", "sabretache_sockets 1", "sabretache_choices_total 1"]
    {
        assert!(text.lines().any(|one| one == line), "{line}\n{text}");
    }
}

#[tokio::test]
async fn a_scenario_that_is_too_large_is_not_looked_at() {
    let (server, _folder) = server().await;
    let begin = async |scenario: String| {
        let body = json!({ "scenario": scenario }).to_string();
        server.http("POST", "/api/battles", &[JSON], &body).await
    };
    let (status, why) = begin(format!("# {}\n", "x".repeat(1 << 20))).await;
    assert!(status == 422 && why.contains("1024 kB"), "{why}");
    let ford = include_str!("../../../picket/scenarios/ford.toml").replace("title = \"", "title = \"\\u001b[2J");
    let (status, why) = begin(ford).await;
    assert!(status == 422 && why.contains("steer a terminal"), "{why}");
}

/// So many units, all of them on one spot.
fn crowd(units: usize) -> String {
    let (head, _) = include_str!("../../../picket/scenarios/ford.toml").split_once("[[units]]").unwrap();
    let unit = |n: usize| {
        format!(
            "[[units]]\nid = \"u{n}\"\nname = \"Unit {n}\"\nside = \"red\"\nat = [25, 15]\nfacing = 0\nsteadiness = 8\n\n"
        )
    };
    head.to_owned() + &(0..units).map(unit).collect::<String>()
}

/// A thousand units on one spot, of which any two stand in each other's way, once took 45 seconds and 84 MB of findings.
#[tokio::test]
async fn a_thousand_units_on_one_spot_cost_neither_time_nor_room() {
    let (server, _folder) = server().await;
    for (units, said) in [(1_000, "400 at the most"), (64, "stands on top of")] {
        for (path, body) in [
            ("/api/battles", json!({ "scenario": crowd(units) })),
            ("/api/workshop/look", json!({ "text": crowd(units), "edits": [] })),
        ] {
            let asked = std::time::Instant::now();
            let (status, answer) = server.http("POST", path, &[JSON], &body.to_string()).await;
            let told: Json = serde_json::from_str(&answer).unwrap();
            let findings = told["diagnostics"].as_array().unwrap();
            assert!(status == 422 || path.ends_with("look"), "{status} {path}");
            assert!(findings.last().unwrap().to_string().contains(said), "{path}: {:?}", findings.last());
            assert!(
                findings.len() <= 201 && answer.len() < 500_000,
                "{} findings, {} bytes",
                findings.len(),
                answer.len()
            );
            assert!(asked.elapsed().as_secs() < 10, "{path} took {:?}", asked.elapsed());
        }
    }
}

#[tokio::test]
async fn dice_that_only_another_log_proves_are_told_as_such() {
    let (server, _folder) = server().await;
    let close = include_str!("../../../picket/scenarios/ford.toml").replace("at = [25, 45]", "at = [25, 30]");
    let body = json!({ "scenario": close, "seed": 3 }).to_string();
    let (_, made) = server.http("POST", "/api/battles", &[JSON], &body).await;
    let battle: sabretache_server::messages::BattleMade = serde_json::from_str(&made).unwrap();
    let mut umpire = server.join(&battle.id, &[&battle.secrets.umpire]).await.unwrap();
    let advance = json!({ "type": "choose", "offer": "advance r1", "value": { "distance": 120_000 } });
    umpire.ask(serde_json::from_value(advance).unwrap()).await.unwrap();
    assert_eq!(umpire.choose("fire").await.unwrap()["reply"]["type"], "moment");
    let secret = seat(&battle.secrets.umpire);
    let path = format!("/api/battles/{}", battle.id);
    let body = json!({ "moment": 3 }).to_string();
    let headers = [JSON, ("Authorization", secret.as_str())];
    let (_, made) = server.http("POST", &format!("{path}/branch"), &headers, &body).await;
    let branch: Json = serde_json::from_str(&made).unwrap();
    let own = seat(branch["secrets"]["umpire"].as_str().unwrap());
    let log = format!("/api/battles/{}/log", branch["id"].as_str().unwrap());
    let (_, log) = server.http("GET", &log, &[("Authorization", &own)], "").await;
    let body = json!({ "log": log }).to_string();
    let (status, told) = server.http("POST", "/api/battles/upload", &[JSON], &body).await;
    let told: Json = serde_json::from_str(&told).unwrap();
    assert_eq!((status, &told["proved"], &told["inherited"]), (201, &json!(3), &json!(2)), "{told}");
}

#[tokio::test]
async fn what_is_sent_is_small_unless_it_is_a_log_and_a_log_has_a_scenario_of_the_usual_size() {
    let (server, _folder) = server().await;
    let large = json!({ "battles": [], "more": "x".repeat(4 << 20) }).to_string();
    assert_eq!(server.http("POST", "/api/mine", &[JSON], &large).await.0, 413);
    let battle = server.begin(1, persons()).await;
    let path = format!("/api/battles/{}/log", battle.id);
    let (_, log) = server.http("GET", &path, &[("Authorization", &seat(&battle.secrets.a))], "").await;
    // Its hash is right: what is wrong with it is its title.
    let raw = log.lines().next().unwrap().strip_prefix("{\"entry\":").unwrap().rsplit_once(",\"hash\":").unwrap().0;
    let raw = raw.replacen("\"title\":\"", "\"title\":\"\\u001b[2J", 1);
    let steered = format!("{{\"entry\":{raw},\"hash\":\"{}\"}}\n", Hash::of(&[&Hash::START.0, raw.as_bytes()]));
    let body = json!({ "log": steered }).to_string();
    let (status, why) = server.http("POST", "/api/battles/upload", &[JSON], &body).await;
    assert!(status == 422 && why.contains("steer a terminal"), "{status} {why}");
}
