//! What the one who runs a server is told, and what nobody can do to it.

use crate::common::{COMPLAINTS, Server};
use serde_json::{Value as Json, json};

const JSON: (&str, &str) = ("Content-Type", "application/json");

#[tokio::test]
async fn a_line_is_written_about_each_request_and_no_secret_stands_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let written = folder.path().join("written");
    let server =
        Server::start_with(folder.path(), &[(COMPLAINTS, written.to_str().unwrap()), ("SABRETACHE_LOG", "info")]).await;
    let battle = server.begin(1, json!({ "a": "person", "b": "person" })).await;
    let path = format!("/api/battles/{}", battle.id);
    let seat = format!("Seat {}", battle.secrets.a);
    assert_eq!(server.http("GET", &path, &[("Authorization", &seat)], "").await.0, 200);
    assert_eq!(server.http("GET", &path, &[("Authorization", "Seat wrong")], "").await.0, 403);
    let mut red = server.join(&battle.id, &[&battle.secrets.a]).await.unwrap();
    red.choose("end turn").await.unwrap();
    server.kill().await;
    let text = std::fs::read_to_string(&written).unwrap();
    let lines: Vec<Json> =
        text.lines().map(|line| serde_json::from_str(line).expect("one JSON object a line")).collect();
    let told = |method: &str, path: &str, status: u16| {
        let of = |line: &&Json| line["method"] == method && line["path"] == path && line["status"] == status;
        lines.iter().find(of).unwrap_or_else(|| panic!("{method} {path} {status}: {text}"))
    };
    for line in [
        told("POST", "/api/battles", 201),
        told("GET", &path, 200),
        told("GET", &path, 403),
        told("GET", &format!("{path}/socket"), 101),
    ] {
        assert_eq!((&line["level"], &line["caller"]), (&json!("INFO"), &json!("127.0.0.1")), "{line}");
        assert!(line["ms"].as_f64().is_some_and(|ms| ms > 0.0), "{line}");
    }
    let secrets = &battle.secrets;
    for secret in [&secrets.a, &secrets.b, &secrets.umpire, &secrets.spectator] {
        assert!(!text.contains(secret.as_str()), "a secret was written down: {text}");
    }
}

#[tokio::test]
async fn whoever_makes_battles_without_end_has_to_wait_and_nobody_else() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path()).await;
    // What cannot be fought counts as well.
    let wrong = json!({ "scenario": "nowhere" }).to_string();
    let mut statuses = Vec::new();
    while statuses.last() != Some(&429) && statuses.len() < 1_000 {
        statuses.push(server.http("POST", "/api/battles", &[JSON], &wrong).await.0);
    }
    let made = statuses.len() - 1;
    assert!((300..500).contains(&made), "{made} were let");
    assert!(statuses[..made].iter().all(|status| *status == 422), "{statuses:?}");
    // Two a second are let again: on a slow machine that may be one of these.
    let friends = json!({ "battle": { "scenario": "ford" }, "side": "A", "name": "Anna" }).to_string();
    let mut friendly = Vec::new();
    while friendly.last() != Some(&429) && friendly.len() < 100 {
        friendly.push(server.http("POST", "/api/friends", &[JSON], &friends).await.0);
    }
    assert_eq!(friendly.last(), Some(&429), "battles with friends are counted with the others");
    assert_eq!(server.http_from(1, "POST", "/api/battles", &[JSON], &wrong).await.0, 422, "another is let");
    let good = json!({ "scenario": "ford", "seed": 1 }).to_string();
    assert_eq!(server.http_from(1, "POST", "/api/battles", &[JSON], &good).await.0, 201);
}
