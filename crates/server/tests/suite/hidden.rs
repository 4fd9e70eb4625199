//! What is hidden from a side, and letters, against a real server process.
use std::time::Duration;

use crate::common::{Player, Server};
use sabretache_server::messages::BattleMade;
use serde_json::{Value as Json, json};
use tokio::time::timeout;

const JSON: (&str, &str) = ("Content-Type", "application/json");

/// A brigade of the French waits in a wood, and nobody has seen it; each side has two players.
fn wood() -> String {
    let plain = include_str!("../../../../drills/malbrook/positions/plain.toml");
    let wood = "area = [[60, 20], [70, 20], [70, 28], [60, 28]]";
    let done = "at = [20, 8]\nfacing = 0\nmarks = { done = true }";
    assert!(plain.contains(wood) && plain.contains(done));
    plain
        .replace(wood, "area = [[14, 13], [26, 13], [26, 18], [14, 18]]")
        .replace(done, "at = [20, 12]\nfacing = 0\nmarks = { control = \"free\" }")
        .replace("at = [20, 44]", "at = [20, 14.5]")
        .replace("name = \"Second\"", "name = \"Royal Italien\"")
        .replace("[table]", "[options]\nhidden = true\n\n[table]")
        + "\n[[players]]\nname = \"Marlborough\"\nside = \"allies\"\nleaders = [\"marshal\", \"foot\"]\n\
           \n[[players]]\nname = \"Cadogan\"\nside = \"allies\"\nleaders = [\"horse\"]\n"
}

async fn begin(scenario: String) -> (Server, BattleMade, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path()).await;
    let body = json!({ "scenario": scenario, "seed": 3 }).to_string();
    let (status, made) = server.http("POST", "/api/battles", &[JSON], &body).await;
    assert_eq!(status, 201, "{made}");
    (server, serde_json::from_str(&made).unwrap(), folder)
}

async fn ask(player: &mut Player, request: Json) -> Json {
    player.ask(serde_json::from_value(request).unwrap()).await.unwrap()["reply"].clone()
}

/// All that a seat can get to hear: every message is searched for the hidden brigade, by its name, id and token.
async fn everything(player: &mut Player) -> String {
    let mut heard = String::new();
    for request in [
        json!({ "type": "view" }),
        json!({ "type": "view", "moment": 1 }),
        json!({ "type": "decision", "closed": true }),
        json!({ "type": "story" }),
        json!({ "type": "report" }),
        json!({ "type": "overlays", "of": "#7" }),
        json!({ "type": "log" }),
        json!({ "type": "save" }),
    ] {
        heard += &ask(player, request).await.to_string();
    }
    heard + &news(player).await
}

/// All that a seat is told without asking.
async fn news(player: &mut Player) -> String {
    let mut heard = String::new();
    while let Ok(Some(news)) = timeout(Duration::from_millis(150), player.hear()).await {
        heard += &news.to_string();
    }
    heard
}

fn tells(heard: &str) -> bool {
    ["Royal Italien", "\"f2\"", "\"#7\"", "f2 "].iter().any(|token| heard.contains(token))
}

#[tokio::test]
async fn what_is_hidden_is_told_to_its_own_side_and_the_umpire_until_it_is_seen() {
    let (server, battle, _folder) = begin(wood()).await;
    let secrets = &battle.secrets;
    let mut allies = server.join(&battle.id, &[&secrets.a]).await.unwrap();
    let mut french = server.join(&battle.id, &[&secrets.b]).await.unwrap();
    let mut umpire = server.join(&battle.id, &[&secrets.umpire]).await.unwrap();
    let mut watcher = server.join(&battle.id, &[&secrets.spectator]).await.unwrap();
    for (player, sees) in [(&mut allies, false), (&mut french, true), (&mut umpire, true), (&mut watcher, false)] {
        assert_eq!(tells(&everything(player).await), sees, "at the beginning");
    }
    // The umpire moves the hidden brigade by hand: nobody else hears where.
    let adjust = json!({ "type": "adjust", "path": "units.f2.at", "to": [20, 14.6] });
    assert_eq!(ask(&mut umpire, adjust).await["type"], "moment");
    for (player, sees) in [(&mut allies, false), (&mut watcher, false), (&mut french, true)] {
        assert_eq!(tells(&everything(player).await), sees, "set by hand");
    }
    // What tells of the whole battle is closed to those from whom some of it is hidden.
    for (method, path, body) in [
        ("GET", "/log", Json::Null),
        ("GET", "/course", Json::Null),
        ("POST", "/branch", json!({ "moment": 1 })),
        ("POST", "/advice", json!({ "player": "recruit" })),
    ] {
        let path = format!("/api/battles/{}{path}", battle.id);
        let body = if body.is_null() { String::new() } else { body.to_string() };
        for (secret, status) in [(&secrets.a, 403), (&secrets.b, 403), (&secrets.spectator, 403)] {
            let seat = format!("Seat {secret}");
            let told = server.http(method, &path, &[JSON, ("Authorization", &seat)], &body).await;
            assert_eq!(told.0, status, "{path} {}", told.1);
        }
    }
    let seat = format!("Seat {}", secrets.umpire);
    let log = format!("/api/battles/{}/log", battle.id);
    assert_eq!(server.http("GET", &log, &[("Authorization", &seat)], "").await.0, 200);
    // The other side is told whose decision it is, and nothing of what it is about.
    let decision = ask(&mut french, json!({ "type": "decision" })).await;
    assert_eq!((&decision["side"], &decision["offers"]), (&json!("A"), &json!([])), "{decision}");
    let odds = ask(&mut french, json!({ "type": "odds", "offer": "roll a2 1a+d6" })).await;
    assert_eq!(odds["type"], "declined", "{odds}");

    // The allies walk on to it: two inches off it shows itself, and from then on everybody sees it.
    let rolled = json!({ "type": "choose", "offer": "roll a2 1a+d6", "whole": true });
    let rolled = ask(&mut allies, rolled).await;
    assert!(rolled["type"] == "moment" && !tells(&rolled.to_string()), "{rolled}");
    for part in ["view", "decision"] {
        assert!(rolled["whole"][part].is_object(), "{part}");
        let mut asked = ask(&mut allies, json!({ "type": part })).await;
        if part == "view" {
            asked = asked["view"].take();
        } else {
            asked.as_object_mut().unwrap().remove("type");
        }
        assert_eq!(rolled["whole"][part], asked, "the whole is what one gets by asking");
    }
    assert!(!tells(&everything(&mut allies).await), "rolling dice shows nobody");
    for (player, sees) in [(&mut watcher, false), (&mut french, true)] {
        // News that comes while an answer is waited for is passed over, so it is heard first.
        let news = news(player).await;
        assert!(news.contains("\"whole\""), "the news is whole, too: {news}");
        assert_eq!(tells(&(news + &everything(player).await)), sees, "rolling dice shows nobody");
    }
    let most = ask(&mut allies, json!({ "type": "decision" })).await;
    let advance = most["offers"].as_array().unwrap().iter().find(|offer| offer["key"] == "advance a2").cloned();
    let most = advance.unwrap()["input"]["most"].clone();
    let advance = json!({ "type": "choose", "offer": "advance a2", "value": { "distance": most } });
    let moved = ask(&mut allies, advance).await;
    assert!(moved["type"] == "moment" && moved["story"].to_string().contains("In sight: Royal Italien"), "{moved}");
    for player in [&mut allies, &mut watcher, &mut french, &mut umpire] {
        assert!(tells(&everything(player).await), "seen");
    }
}

#[tokio::test]
async fn both_sides_at_one_screen_see_what_the_one_that_decides_sees() {
    let (server, battle, _folder) = begin(wood()).await;
    let mut both = server.join(&battle.id, &[&battle.secrets.b, &battle.secrets.a]).await.unwrap();
    assert!(!tells(&everything(&mut both).await), "the allies decide");
    let decision = ask(&mut both, json!({ "type": "decision" })).await;
    assert!(!decision["offers"].as_array().unwrap().is_empty(), "{decision}");
}

#[tokio::test]
async fn a_letter_reaches_whom_it_is_for_and_nobody_else() {
    let (server, battle, _folder) = begin(wood()).await;
    let secrets = &battle.secrets;
    let mut allies = server.join(&battle.id, &[&secrets.a]).await.unwrap();
    let mut french = server.join(&battle.id, &[&secrets.b]).await.unwrap();
    let mut umpire = server.join(&battle.id, &[&secrets.umpire]).await.unwrap();
    let mut watcher = server.join(&battle.id, &[&secrets.spectator]).await.unwrap();
    let write = |from: Json, to: Json, text: &str| json!({ "type": "write", "from": from, "to": to, "text": text });
    let to_cadogan = json!({ "player": "Cadogan" });
    let sent = ask(&mut allies, write(json!("Marlborough"), to_cadogan.clone(), "Hold the horse back.")).await;
    assert_eq!((&sent["type"], &sent["moment"]), (&json!("moment"), &json!(1)), "it changes nothing: {sent}");
    assert_eq!(sent["letters"][0]["letter"]["text"], "Hold the horse back.");
    let sent = ask(&mut french, write(Json::Null, json!("umpire"), "Is the wood dense?")).await;
    assert_eq!(sent["type"], "moment", "{sent}");
    for (from, to) in [
        (json!("Marlborough"), json!({ "side": "B" })),
        (json!("Marlborough"), json!({ "player": "Villeroi" })),
        (json!("Villeroi"), to_cadogan.clone()),
        (Json::Null, to_cadogan),
    ] {
        let declined = ask(&mut allies, write(from, to, "Parley?")).await;
        assert_eq!(declined["type"], "declined", "{declined}");
    }
    assert_eq!(ask(&mut watcher, write(Json::Null, json!("umpire"), "Hello")).await["type"], "declined");
    assert_eq!(ask(&mut umpire, write(Json::Null, json!({ "side": "B" }), "It is.")).await["type"], "moment");
    let heard = [
        (&mut allies, [true, false, false]),
        (&mut french, [false, true, true]),
        (&mut umpire, [true, true, true]),
        (&mut watcher, [false, false, false]),
    ];
    for (player, reads) in heard {
        let letters = ask(player, json!({ "type": "letters" })).await.to_string();
        let news = everything(player).await;
        for (text, reads) in ["Hold the horse back.", "Is the wood dense?", "It is."].into_iter().zip(reads) {
            assert_eq!(letters.contains(text), reads, "{text}: {letters}");
            assert!(reads || !news.contains(text), "{text}: {news}");
        }
    }
    // It is a line of the log, and the log is proved with it.
    let seat = format!("Seat {}", secrets.umpire);
    let path = format!("/api/battles/{}/log", battle.id);
    let (_, log) = server.http("GET", &path, &[("Authorization", &seat)], "").await;
    assert_eq!(log.lines().filter(|line| line.contains("\"written\"")).count(), 3, "{log}");
    let upload = json!({ "log": log }).to_string();
    let (status, told) = server.http("POST", "/api/battles/upload", &[JSON], &upload).await;
    assert!(status == 201 && told.contains("\"proved\":4"), "{status} {told}");
}

#[tokio::test]
async fn each_of_several_players_of_a_side_has_a_link_of_his_own() {
    let (server, battle, _folder) = begin(wood()).await;
    let named = |name: &str| {
        let found = battle.secrets.players.iter().find(|one| one.player.name == name);
        found.map(|one| one.secret.clone()).unwrap()
    };
    assert_eq!(battle.secrets.players.len(), 2, "the other side has one player");
    let mut marlborough = server.join(&battle.id, &[&named("Marlborough")]).await.unwrap();
    let mut cadogan = server.join(&battle.id, &[&named("Cadogan")]).await.unwrap();
    let hello = cadogan.hear().await.unwrap();
    assert_eq!(hello["info"]["seats"], json!(["A"]), "{hello}");
    assert_eq!(hello["info"]["named"], json!([{ "side": "A", "name": "Cadogan" }]));

    // Nobody speaks in another's name, nor lets a computer play for the whole side.
    let forged = json!({ "type": "write", "from": "Marlborough", "to": "umpire", "text": "I resign." });
    assert_eq!(ask(&mut cadogan, forged).await["type"], "declined");
    let forged = json!({ "type": "choose", "offer": "anything", "player": "Marlborough" });
    let refused = ask(&mut cadogan, forged).await;
    assert!(refused["why"].as_str().unwrap().contains("a link of his own"), "{refused}");
    let forged = json!({ "type": "undo", "player": "Marlborough" });
    let refused = ask(&mut cadogan, forged).await;
    assert!(refused["why"].as_str().unwrap().contains("a link of his own"), "{refused}");
    let seat = format!("Seat {}", named("Cadogan"));
    let players = json!({ "a": "recruit", "b": "person" }).to_string();
    let path = format!("/api/battles/{}/players", battle.id);
    let (status, _) = server.http("POST", &path, &[JSON, ("Authorization", &seat)], &players).await;
    assert_eq!(status, 422);

    // He writes under his own name without saying so, and what he writes to the umpire is for the umpire alone.
    let letter = json!({ "type": "write", "to": "umpire", "text": "Where is my horse?" });
    assert_eq!(ask(&mut cadogan, letter).await["type"], "moment");
    let own = ask(&mut cadogan, json!({ "type": "letters" })).await;
    assert_eq!(own["letters"][0]["letter"]["from"], "Cadogan", "{own}");
    assert_eq!(ask(&mut marlborough, json!({ "type": "letters" })).await["letters"], json!([]));
    while let Ok(Some(news)) = timeout(Duration::from_millis(150), marlborough.hear()).await {
        assert!(!news.to_string().contains("Where is my horse"), "{news}");
    }
}

#[tokio::test]
async fn what_a_side_lets_pass_is_told_to_nobody_else() {
    let (server, battle, _folder) = begin(wood()).await;
    let mut own = server.join(&battle.id, &[&battle.secrets.b]).await.unwrap();
    let instruction = json!({
        "kind": null, "reactor": "#7", "mover": null, "unless_within": null, "unless_touched": null, "until": "battle",
    });
    let told = ask(&mut own, json!({ "type": "instruct", "side": "B", "instructions": [instruction] })).await;
    assert_eq!(told["type"], "moment", "{told}");
    let info = async |secret: &str| -> Json {
        let seat = format!("Seat {secret}");
        let path = format!("/api/battles/{}", battle.id);
        let (_, body) = server.http("GET", &path, &[("Authorization", &seat)], "").await;
        serde_json::from_str(&body).unwrap()
    };
    assert_eq!(info(&battle.secrets.b).await["instructions"][1].as_array().unwrap().len(), 1);
    assert_eq!(info(&battle.secrets.umpire).await["instructions"][1].as_array().unwrap().len(), 1);
    for other in [&battle.secrets.a, &battle.secrets.spectator] {
        assert_eq!(info(other).await["instructions"], json!([[], []]));
    }
}
