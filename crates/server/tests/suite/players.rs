//! Computer players, advice, the course of a battle, runs of the laboratory and agreed dice, against a real server process.
use std::time::Duration;

use crate::common::{Server, choice};
use sabretache_engine::dice::{Reveal, SecretChain};
use sabretache_server::messages::BattleMade;
use serde_json::{Value as Json, json};

const JSON: (&str, &str) = ("Content-Type", "application/json");

async fn server() -> (Server, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    (Server::start(folder.path()).await, folder)
}

async fn ask(server: &Server, method: &str, battle: &BattleMade, path: &str, secret: &str, body: Json) -> (u16, Json) {
    let path = format!("/api/battles/{}{path}", battle.id);
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let seat = format!("Seat {secret}");
    let (status, text) = server.http(method, &path, &[JSON, ("Authorization", &seat)], &body).await;
    (status, serde_json::from_str(&text).unwrap_or(Json::String(text)))
}

/// Waits until something holds of what a battle answers.
async fn until(server: &Server, battle: &BattleMade, path: &str, holds: impl Fn(&Json) -> bool) -> Json {
    for _ in 0..1_200 {
        let (_, told) = ask(server, "GET", battle, path, &battle.secrets.spectator, Json::Null).await;
        if holds(&told) {
            return told;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{path} never came to it");
}

#[tokio::test]
async fn where_people_throw_real_dice_the_server_throws_for_a_computer_player() {
    let (server, _folder) = server().await;
    let body = json!({ "scenario": "ford", "dice": "typed", "players": { "a": "recruit", "b": "recruit" } });
    let (status, text) = server.http("POST", "/api/battles", &[JSON], &body.to_string()).await;
    assert_eq!(status, 201, "{text}");
    let battle: BattleMade = serde_json::from_str(&text).unwrap();
    let info = until(&server, &battle, "", |info| info["now"]["deciding"].is_null()).await;
    assert!(info["now"]["moment"].as_u64().unwrap() > 3);
}

#[tokio::test]
async fn a_computer_player_fights_to_the_end_and_is_let_in_and_out_by_its_own_side() {
    let (server, _folder) = server().await;
    let battle = server.begin(3, json!({ "a": "person", "b": "drill-master" })).await;
    let players = json!({ "a": "recruit", "b": "drill-master" });
    let (spectator, a) = (&battle.secrets.spectator, &battle.secrets.a);
    assert_eq!(ask(&server, "POST", &battle, "/players", spectator, players.clone()).await.0, 422);
    let other = json!({ "a": "person", "b": "recruit" });
    assert_eq!(ask(&server, "POST", &battle, "/players", a, other).await.0, 422, "B is not A's to give away");
    assert_eq!(ask(&server, "POST", &battle, "/players", a, players).await.0, 204);
    let info = until(&server, &battle, "", |info| info["now"]["deciding"].is_null()).await;
    assert_eq!(info["players"]["a"], "recruit");
    assert!(info["now"]["moment"].as_u64().unwrap() > 3);

    let (status, course) = ask(&server, "GET", &battle, "/course", spectator, Json::Null).await;
    assert_eq!(status, 200);
    let moments = course["moments"].as_array().unwrap();
    assert_eq!(moments.len() as u64, info["now"]["moment"].as_u64().unwrap());
    assert_eq!((&moments[0]["turn"], &moments[0]["units"]), (&json!(1), &json!([2, 2])));
    assert!(course["commands"].as_array().unwrap().iter().all(|one| one["units"] == 2), "{course}");
}

#[tokio::test]
async fn advice_says_what_and_why_and_holds_nobody_up() {
    let (server, _folder) = server().await;
    let battle = server.begin(1, json!({ "a": "person", "b": "person" })).await;
    let mut red = server.join(&battle.id, &[&battle.secrets.a]).await.unwrap();
    let slow = ask(&server, "POST", &battle, "/advice", &battle.secrets.a, json!({ "player": "marshal:1500ms" }));
    let quick = async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        red.choose("end turn").await.unwrap()
    };
    let ((status, advice), chosen) = tokio::join!(slow, quick);
    assert_eq!((status, &chosen["reply"]["type"]), (200, &json!("moment")));
    assert!(advice["text"].as_str().unwrap().contains("tried"), "{advice}");
    assert!(!advice["instead"].as_array().unwrap().is_empty());
    for nonsense in ["napoleon", "person", "marshal:99999s"] {
        let asked = json!({ "player": nonsense });
        assert_eq!(ask(&server, "POST", &battle, "/advice", &battle.secrets.a, asked).await.0, 422, "{nonsense}");
    }
}

#[tokio::test]
async fn options_and_numbers_are_listed_and_changed() {
    let (server, _folder) = server().await;
    let (_, changes) = server.http("GET", "/api/scenarios/ford/changes", &[], "").await;
    let changes: Json = serde_json::from_str(&changes).unwrap();
    let named = |list: &str, name: &str| {
        changes[list].as_array().unwrap().iter().find(|one| one["name"] == name).cloned().unwrap_or_default()
    };
    assert_eq!(named("options", "turns")["value"], "6");
    assert_eq!(named("numbers", "PK-VOL-02.dice")["value"], "3");
    let begin = |set: Json| json!({ "scenario": "ford", "seed": 1, "set": set }).to_string();
    let (status, told) = server.http("POST", "/api/battles", &[JSON], &begin(json!(["PK-VOL-02.dyce=5"]))).await;
    assert!(status == 422 && told.contains("PK-VOL-02.dice"), "{status} {told}");
    let (status, made) =
        server.http("POST", "/api/battles", &[JSON], &begin(json!(["PK-VOL-02.dice=5", "turns=1"]))).await;
    assert_eq!(status, 201, "{made}");
    let battle: BattleMade = serde_json::from_str(&made).unwrap();
    let (_, log) = ask(&server, "GET", &battle, "/log", &battle.secrets.a, Json::Null).await;
    assert_eq!(log["entry"]["begun"]["scenario"]["numbers"]["PK-VOL-02.dice"], 5, "{log}");
}

#[tokio::test]
async fn a_moment_is_fought_many_times_within_bounds() {
    let (server, _folder) = server().await;
    let battle = server.begin(1, json!({ "a": "person", "b": "person" })).await;
    let run = |moment: usize, battles: u64, player: &str| json!({ "moment": moment, "battles": battles, "players": { "a": player, "b": "recruit" } });
    let a = &battle.secrets.a;
    for (wrong, why) in [
        (run(1, 0, "recruit"), "between 1"),
        (run(1, 20_000, "recruit"), "between 1"),
        (run(1, 5, "marshal:2s"), "iterations"),
    ] {
        let (status, told) = ask(&server, "POST", &battle, "/run", a, wrong).await;
        assert!(status == 422 && told["why"].as_str().unwrap().contains(why), "{status} {told}");
    }
    assert_eq!(ask(&server, "GET", &battle, "/run/report", a, Json::Null).await.0, 404);
    assert_eq!(ask(&server, "POST", &battle, "/run", a, run(1, 60, "drill-master")).await.0, 202);
    let told = until(&server, &battle, "/run", |run| run["running"] == false).await;
    assert_eq!(told["result"]["battles"], 60, "{told}");
    let shares: f64 = (0..3).map(|n| told["result"]["shares"][n]["value"].as_f64().unwrap()).sum();
    assert!((shares - 1.0).abs() < 1e-9, "{told}");
    let (status, page) = ask(&server, "GET", &battle, "/run/report", a, Json::Null).await;
    assert!(status == 200 && page.as_str().unwrap().contains("How the result settled"));
    assert_eq!(ask(&server, "POST", &battle, "/run", a, run(9, 5, "recruit")).await.0, 202);
    let told = until(&server, &battle, "/run", |run| run["running"] == false).await;
    assert!(told["why"].is_string(), "there is no moment 9: {told}");
    assert_eq!(ask(&server, "POST", &battle, "/run", &"0".repeat(40), run(1, 5, "recruit")).await.0, 403);
}

#[tokio::test]
async fn standing_instructions_are_told_to_whoever_comes_back() {
    let (server, _folder) = server().await;
    let battle = server.begin(1, json!({ "a": "person", "b": "person" })).await;
    let mut blue = server.join(&battle.id, &[&battle.secrets.b]).await.unwrap();
    let request =
        json!({ "type": "instruct", "side": "B", "instructions": [{ "kind": "fire", "unless_within": 50_000 }] });
    blue.ask(serde_json::from_value(request).unwrap()).await.unwrap();
    let (_, info) = ask(&server, "GET", &battle, "", &battle.secrets.b, Json::Null).await;
    assert_eq!(info["instructions"][1][0]["kind"], "fire");
    assert_eq!(info["instructions"][0], json!([]));
}

/// A battle with agreed dice, both sides' chains, and the choices up to the one that needs dice.
async fn agreed(server: &Server) -> (BattleMade, [SecretChain; 2]) {
    let close = include_str!("../../../picket/scenarios/ford.toml").replace("at = [25, 45]", "at = [25, 30]");
    let body = json!({ "scenario": close, "dice": "agreed" }).to_string();
    let (status, made) = server.http("POST", "/api/battles", &[JSON], &body).await;
    assert_eq!(status, 201, "{made}");
    let battle: BattleMade = serde_json::from_str(&made).unwrap();
    let chains = [1, 2].map(|side| SecretChain::new([side; 32], 4_096));
    (battle, chains)
}

fn link(side: &str, link: impl Into<String>) -> Json {
    json!({ "side": side, "link": link.into() })
}

#[tokio::test]
async fn dice_are_agreed_on_and_a_forged_secret_is_found_out() {
    let (server, folder) = server().await;
    let (battle, [red, blue]) = agreed(&server).await;
    let (a, b) = (&battle.secrets.a, &battle.secrets.b);
    assert_eq!(ask(&server, "GET", &battle, "", a, Json::Null).await.0, 409, "there is no battle yet");
    assert_eq!(ask(&server, "POST", &battle, "/commit", b, link("A", red.commitment())).await.0, 403);
    assert_eq!(ask(&server, "POST", &battle, "/commit", a, link("A", "nonsense")).await.0, 422);
    assert_eq!(ask(&server, "POST", &battle, "/commit", a, link("A", red.commitment())).await.0, 204);
    assert_eq!(
        ask(&server, "POST", &battle, "/commit", a, link("A", blue.commitment())).await.0,
        422,
        "once is enough"
    );
    assert_eq!(ask(&server, "GET", &battle, "/parley", a, Json::Null).await.1["committed"], json!([true, false]));
    assert_eq!(ask(&server, "POST", &battle, "/commit", b, link("B", blue.commitment())).await.0, 204);
    let (status, info) = ask(&server, "GET", &battle, "", a, Json::Null).await;
    assert_eq!((status, &info["dice"], &info["rolling"]), (200, &json!("agreed"), &Json::Null));

    let mut player = server.join(&battle.id, &[a, b]).await.unwrap();
    let advance = json!({ "type": "choose", "offer": "advance r1", "value": { "distance": 120_000 } });
    let answer = player.ask(serde_json::from_value(advance).unwrap()).await.unwrap();
    assert_eq!(answer["reply"]["deciding"], "B", "{answer}");
    let fire = json!({ "id": 77, "as": "B", "request": { "type": "choose", "offer": "fire" } });
    futures_util::SinkExt::send(&mut player.socket, tokio_tungstenite::tungstenite::Message::text(fire.to_string()))
        .await
        .unwrap();
    loop {
        let heard = player.hear().await.unwrap();
        if heard["type"] == "answer" {
            assert_eq!(heard["reply"]["type"], "dice", "{heard}");
            break;
        }
    }
    let rolling = ask(&server, "GET", &battle, "", a, Json::Null).await.1["rolling"].clone();
    assert_eq!(rolling["n"], 1);
    let waiting = player.ask(choice("pass")).await.unwrap();
    assert!(waiting["reply"]["why"].as_str().unwrap().contains("agreed on"), "{waiting}");

    // Neither a restart nor an idle hour loses the choice that waits.
    server.kill().await;
    let server = Server::start(folder.path()).await;
    assert_eq!(ask(&server, "GET", &battle, "", a, Json::Null).await.1["rolling"], rolling);
    let own = |chain: &SecretChain, n: usize| String::from(chain.reveal(n).unwrap());
    let bound = |side: &str, link: String| json!({ "side": side, "link": link, "choice": rolling["choice"] });
    // A link is revealed for one choice alone.
    assert_eq!(ask(&server, "POST", &battle, "/reveal", a, link("A", own(&red, 1))).await.0, 422);
    let other = json!({ "side": "A", "link": own(&red, 1), "choice": "00".repeat(32) });
    let other = ask(&server, "POST", &battle, "/reveal", a, other).await;
    assert!(other.0 == 422 && other.1["why"].as_str().unwrap().contains("another choice"), "{other:?}");
    assert_eq!(ask(&server, "POST", &battle, "/reveal", a, bound("A", own(&red, 1))).await.0, 204);
    let forged = ask(&server, "POST", &battle, "/reveal", b, bound("B", String::from(Reveal([9; 32])))).await;
    assert!(forged.0 == 422 && forged.1["why"].as_str().unwrap().contains("committed to"), "{forged:?}");
    assert_eq!(ask(&server, "POST", &battle, "/reveal", a, bound("A", own(&red, 1))).await.0, 204);
    assert_eq!(ask(&server, "POST", &battle, "/reveal", b, bound("B", own(&blue, 1))).await.0, 204);
    let (_, info) = ask(&server, "GET", &battle, "", a, Json::Null).await;
    assert_eq!((&info["now"]["moment"], &info["rolling"]), (&json!(3), &Json::Null), "{info}");

    // The log is proved by whoever has it.
    let path = format!("/api/battles/{}/log", battle.id);
    let (_, log) = server.http("GET", &path, &[("Authorization", &format!("Seat {a}"))], "").await;
    assert!(log.contains("\"host\":\"") && log.contains(rolling["choice"].as_str().unwrap()), "{log}");
    let upload = json!({ "log": log }).to_string();
    let (status, told) = server.http("POST", "/api/battles/upload", &[JSON], &upload).await;
    assert_eq!(status, 201, "{told}");
}

#[tokio::test]
async fn a_computer_player_has_no_secrets() {
    let (server, _folder) = server().await;
    let body =
        json!({ "scenario": "ford", "dice": "agreed", "players": { "a": "person", "b": "recruit" } }).to_string();
    assert_eq!(server.http("POST", "/api/battles", &[JSON], &body).await.0, 422);
}
