//! A database of an earlier version is opened, and every battle in it goes on.
use crate::common::Server;
use sabretache_server::messages::BattleMade;
use serde_json::json;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{Connection as _, Row as _, SqliteConnection};

/// The tables as version 1 made them: frozen here, whatever the program makes today.
const VERSION_1: [&str; 5] = [
    "CREATE TABLE battle (id TEXT PRIMARY KEY, ruleset TEXT NOT NULL, title TEXT NOT NULL, player_a TEXT NOT NULL, \
     player_b TEXT NOT NULL, created INTEGER NOT NULL) STRICT",
    "CREATE TABLE line (battle TEXT NOT NULL REFERENCES battle, n INTEGER NOT NULL, text TEXT NOT NULL, \
     PRIMARY KEY (battle, n)) STRICT, WITHOUT ROWID",
    "CREATE TABLE seat (battle TEXT NOT NULL REFERENCES battle, seat TEXT NOT NULL, hash BLOB NOT NULL, \
     PRIMARY KEY (battle, seat)) STRICT, WITHOUT ROWID",
    "CREATE TABLE instructions (battle TEXT NOT NULL REFERENCES battle, side TEXT NOT NULL, list TEXT NOT NULL, \
     PRIMARY KEY (battle, side)) STRICT, WITHOUT ROWID",
    "PRAGMA user_version = 1",
];

/// What version 1 kept of the battles, and nothing else.
const COPIES: [&str; 4] = [
    "INSERT INTO battle (id, ruleset, title, player_a, player_b, created) \
     SELECT id, ruleset, title, player_a, player_b, created FROM now.battle",
    "INSERT INTO line (battle, n, text) SELECT battle, n, text FROM now.line",
    "INSERT INTO seat (battle, seat, hash) SELECT battle, seat, hash FROM now.seat",
    "INSERT INTO instructions (battle, side, list) SELECT battle, side, list FROM now.instructions",
];

async fn database(folder: &std::path::Path) -> SqliteConnection {
    let options = SqliteConnectOptions::new().filename(folder.join("battles.sqlite")).create_if_missing(true);
    SqliteConnection::connect_with(&options).await.unwrap()
}

async fn version(folder: &std::path::Path) -> i64 {
    let mut file = database(folder).await;
    let version = sqlx::query("PRAGMA user_version").fetch_one(&mut file).await.unwrap().get(0);
    file.close().await.unwrap();
    version
}

#[tokio::test]
async fn every_battle_of_a_version_1_database_is_still_there_and_goes_on() {
    let (now, old) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let server = Server::start(now.path()).await;
    let mut battles = Vec::new();
    for seed in 0..3_u64 {
        let battle = server.begin(seed, json!({ "a": "person", "b": "person" })).await;
        let mut umpire = server.join(&battle.id, &[&battle.secrets.umpire]).await.unwrap();
        for _ in 0..seed {
            assert_eq!(umpire.choose("end turn").await.unwrap()["reply"]["type"], "moment");
        }
        let let_pass = json!({ "type": "instruct", "side": "B", "instructions": [{ "kind": "fire" }] });
        umpire.ask(serde_json::from_value(let_pass).unwrap()).await.unwrap();
        battles.push((battle, seed as usize + 1));
    }
    let logs = logs(&server, &battles).await;
    server.kill().await;

    let mut file = database(old.path()).await;
    for statement in VERSION_1 {
        sqlx::query(statement).execute(&mut file).await.unwrap();
    }
    let path = now.path().join("battles.sqlite");
    sqlx::query("ATTACH DATABASE ? AS now").bind(path.to_str().unwrap()).execute(&mut file).await.unwrap();
    for statement in COPIES {
        sqlx::query(statement).execute(&mut file).await.unwrap();
    }
    file.close().await.unwrap();
    assert_eq!(version(old.path()).await, 1);

    let server = Server::start(old.path()).await;
    assert_eq!(self::logs(&server, &battles).await, logs, "every line of every log");
    for (battle, lines) in &battles {
        let mut player = server.join(&battle.id, &[&battle.secrets.umpire]).await.unwrap();
        assert_eq!(player.hear().await.unwrap()["info"]["now"]["lines"], *lines);
        let answer = player.choose("end turn").await.unwrap();
        assert_eq!((&answer["reply"]["type"], &answer["lines"]), (&json!("moment"), &json!(lines + 1)), "{answer}");
        assert!(server.join(&battle.id, &["wrong"]).await.is_err(), "the seats are kept by their secrets");
    }
    // What version 2 brought can be used: a battle with agreed dice waits for its sides.
    let body = json!({ "scenario": "ford", "dice": "agreed" }).to_string();
    let (status, answer) = server.http("POST", "/api/battles", &[("Content-Type", "application/json")], &body).await;
    assert_eq!(status, 201, "{answer}");
    server.kill().await;
    assert_eq!(version(old.path()).await, 4);

    // Opened again it is as it was left: the steps from 1 to 4 are taken once.
    let server = Server::start(old.path()).await;
    let (battle, lines) = &battles[2];
    let mut player = server.join(&battle.id, &[&battle.secrets.spectator]).await.unwrap();
    assert_eq!(player.hear().await.unwrap()["info"]["now"]["lines"], lines + 1);
    server.kill().await;
}

async fn logs(server: &Server, battles: &[(BattleMade, usize)]) -> Vec<String> {
    let mut all = Vec::new();
    for (battle, _) in battles {
        let seat = format!("Seat {}", battle.secrets.spectator);
        let path = format!("/api/battles/{}/log", battle.id);
        let (status, log) = server.http("GET", &path, &[("Authorization", &seat)], "").await;
        assert_eq!(status, 200);
        all.push(log);
    }
    all
}
