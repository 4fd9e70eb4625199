//! Friends far apart: an invitation, words, a clock, giving up and taking back.

use std::time::Duration;

use sabretache_engine::dice::SecretChain;
use sabretache_engine::protocol::Request;
use serde_json::{Value as Json, json};
use tokio::time::{sleep, timeout};

use crate::common::{Player, Server};

pub(super) const LONG: Duration = Duration::from_secs(100);

async fn server() -> (Server, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    (Server::start(folder.path()).await, folder)
}

/// Posts something, with the secret of a seat; the status and what came back.
pub(super) async fn post(server: &Server, path: &str, secret: &str, body: Json) -> (u16, Json) {
    let seat = format!("Seat {secret}");
    let mut headers = vec![("Content-Type", "application/json")];
    if !secret.is_empty() {
        headers.push(("Authorization", seat.as_str()));
    }
    let (status, text) = server.http("POST", path, &headers, &body.to_string()).await;
    (status, serde_json::from_str(&text).unwrap_or(Json::Null))
}

/// A battle of the ford between friends, red's maker and the invitation.
pub(super) struct Friends {
    pub(super) id: String,
    pub(super) red: String,
    invitation: String,
}

pub(super) async fn make(server: &Server, clock: Json) -> Friends {
    let body = json!({ "battle": { "scenario": "ford", "seed": 1 }, "side": "A", "name": "Anna", "clock": clock });
    let (status, made) = post(server, "/api/friends", "", body).await;
    assert_eq!(status, 201, "{made}");
    let word = |name: &str| made[name].as_str().unwrap().to_owned();
    Friends { id: word("id"), red: word("secret"), invitation: word("invitation") }
}

/// The friend comes by the invitation: the secret of his seat.
pub(super) async fn sit(server: &Server, friends: &Friends, name: &str) -> String {
    let guest = json!({ "invitation": friends.invitation, "name": name });
    let (status, seated) = post(server, &format!("/api/battles/{}/sit", friends.id), "", guest).await;
    assert_eq!((status, &seated["side"]), (200, &json!("B")), "{seated}");
    seated["secret"].as_str().unwrap().to_owned()
}

pub(super) async fn beside(server: &Server, id: &str, secret: &str) -> Json {
    let seat = format!("Seat {secret}");
    let (status, text) =
        server.http("GET", &format!("/api/battles/{id}/beside"), &[("Authorization", &seat)], "").await;
    assert_eq!(status, 200, "{text}");
    serde_json::from_str(&text).unwrap()
}

async fn say(player: &mut Player, what: Json) -> Json {
    let request: Request = serde_json::from_value(json!({ "type": "say", "say": what })).unwrap();
    player.ask(request).await.unwrap()["reply"].clone()
}

/// Asks again and again until it is so, however long that takes on a busy machine.
pub(super) async fn until<T>(mut ask: impl AsyncFnMut() -> Option<T>) -> T {
    let asked = async {
        loop {
            if let Some(found) = ask().await {
                return found;
            }
            sleep(Duration::from_millis(100)).await;
        }
    };
    timeout(LONG, asked).await.expect("it came to pass")
}

#[tokio::test]
async fn one_link_one_friend_and_the_maker_keeps_his_own_side_only() {
    let (server, _folder) = server().await;
    let friends = make(&server, Json::Null).await;
    let path = |what: &str| format!("/api/battles/{}/{what}", friends.id);
    let guest = json!({ "invitation": friends.invitation, "name": "" });
    let (status, told) = post(&server, &path("invitation"), "", guest).await;
    assert_eq!((status, &told["by"], &told["side"]), (200, &json!("Anna"), &json!("B")), "{told}");
    assert_eq!(post(&server, &path("sit"), "", json!({ "invitation": "0".repeat(40) })).await.0, 403);
    let blue = sit(&server, &friends, "Ben\u{1b}[2J").await;
    // Nobody comes by it twice, the one who wrote it included.
    assert_eq!(post(&server, &path("sit"), "", json!({ "invitation": friends.invitation })).await.0, 403);
    assert_eq!(post(&server, &path("invitation"), "", json!({ "invitation": friends.invitation })).await.0, 403);

    let company = beside(&server, &friends.id, &friends.red).await["company"].clone();
    assert_eq!((&company["waiting"], &company["deciding"]), (&json!(false), &json!("A")));
    let names = [&company["sitters"][0]["name"], &company["sitters"][1]["name"]];
    assert_eq!(names, [&json!("Anna"), &json!("Ben[2J")], "nothing reaches a terminal that garbles it");
    // Each has his own side and no other.
    let mut red = server.join(&friends.id, &[&friends.red]).await.unwrap();
    let hello = red.hear().await.unwrap();
    assert_eq!(hello["info"]["seats"], json!(["A"]));
    let mut ben = server.join(&friends.id, &[&blue]).await.unwrap();
    assert_eq!(ben.hear().await.unwrap()["info"]["seats"], json!(["B"]));
    assert_eq!(ben.choose("end turn").await.unwrap()["reply"]["type"], "declined");
    assert_eq!(red.choose("end turn").await.unwrap()["reply"]["type"], "moment");
    // Whose turn it is now stands beside the battle, and among one's own battles.
    until(async || (beside(&server, &friends.id, &blue).await["company"]["deciding"] == "B").then_some(())).await;
    let asked = json!({ "battles": [{ "id": friends.id, "secrets": [blue] }, { "id": "none", "secrets": [] }] });
    let (_, mine) = post(&server, "/api/mine", "", asked).await;
    assert_eq!((mine.as_array().unwrap().len(), &mine[0]["deciding"]), (1, &json!("B")));
}

#[tokio::test]
async fn words_are_heard_by_those_who_look_and_bounded() {
    let (server, _folder) = server().await;
    let friends = make(&server, Json::Null).await;
    let blue = sit(&server, &friends, "Ben").await;
    let path = format!("/api/battles/{}/words", friends.id);
    let mut red = server.join(&friends.id, &[&friends.red]).await.unwrap();
    assert_eq!(red.hear().await.unwrap()["type"], "hello");
    assert_eq!(post(&server, &path, &blue, json!({ "seat": "B", "text": "Good luck!" })).await.0, 204);
    let heard = until(async || red.hear().await.filter(|heard| heard["type"] == "word")).await;
    assert_eq!((&heard["word"]["name"], &heard["word"]["text"]), (&json!("Ben"), &json!("Good luck!")));
    assert_eq!(post(&server, &path, &blue, json!({ "seat": "A", "text": "I am Anna" })).await.0, 403);
    assert_eq!(post(&server, &path, &blue, json!({ "seat": "B", "text": " " })).await.0, 422);
    assert_eq!(post(&server, &path, &blue, json!({ "seat": "B", "text": "x".repeat(501) })).await.0, 422);
    assert_eq!(post(&server, &path, &"0".repeat(40), json!({ "seat": "B", "text": "hello" })).await.0, 403);
}

#[tokio::test]
async fn taking_back_by_leave_a_draw_and_giving_up_survive_a_kill() {
    let (server, folder) = server().await;
    let friends = make(&server, Json::Null).await;
    let blue = sit(&server, &friends, "Ben").await;
    let mut red = server.join(&friends.id, &[&friends.red]).await.unwrap();
    let mut ben = server.join(&friends.id, &[&blue]).await.unwrap();
    red.choose("end turn").await.unwrap();
    ben.choose("end turn").await.unwrap();
    // The enemy has answered: it is asked for, refused, asked for again and agreed to.
    assert_eq!(say(&mut red, json!("ask_back")).await["asked"]["say"], "ask_back");
    assert_eq!(say(&mut ben, json!("refuse")).await["moment"], 3);
    say(&mut red, json!("ask_back")).await;
    server.kill().await;
    let server = Server::start(folder.path()).await;
    let mut red = server.join(&friends.id, &[&friends.red]).await.unwrap();
    let mut ben = server.join(&friends.id, &[&blue]).await.unwrap();
    let agreed = say(&mut ben, json!("agree")).await;
    assert_eq!((&agreed["moment"], &agreed["deciding"]), (&json!(1), &json!("A")), "{agreed}");
    assert_eq!(say(&mut red, json!({ "out_of_time": "B" })).await["type"], "declined", "a player keeps no clock");
    say(&mut red, json!("offer_draw")).await;
    let drawn = say(&mut ben, json!("agree")).await;
    assert_eq!((&drawn["verdict"]["winner"], &drawn["verdict"]["clause"]), (&Json::Null, &json!("ACCORD")), "{drawn}");
    // All of it is proved by whoever takes the log over.
    let seat = format!("Seat {blue}");
    let (_, log) =
        server.http("GET", &format!("/api/battles/{}/log", friends.id), &[("Authorization", &seat)], "").await;
    let (status, proved) = post(&server, "/api/battles/upload", "", json!({ "log": log })).await;
    assert_eq!((status, &proved["proved"]), (201, &json!(10)), "{proved}");
}

#[tokio::test]
async fn whoever_has_no_time_left_has_lost_even_if_nobody_looks_and_the_server_was_away() {
    let (server, folder) = server().await;
    let friends = make(&server, json!({ "bank": 60, "increment": 0 })).await;
    let bad = json!({ "battle": { "scenario": "ford" }, "side": "A", "clock": { "bank": 5, "increment": 0 } });
    assert_eq!(post(&server, "/api/friends", "", bad).await.0, 422);
    let clock = beside(&server, &friends.id, &friends.red).await["company"]["clock"].clone();
    assert_eq!((&clock["running"], &clock["left"]), (&Json::Null, &json!([60_000, 60_000])), "it waits for both");
    let blue = sit(&server, &friends, "").await;
    let clock = beside(&server, &friends.id, &blue).await["company"]["clock"].clone();
    assert_eq!(clock["running"], "A");
    // A pause needs both.
    let path = format!("/api/battles/{}/pause", friends.id);
    assert_eq!(post(&server, &path, &blue, json!({ "side": "A", "pause": true })).await.0, 403);
    assert_eq!(post(&server, &path, &blue, json!({ "side": "B", "pause": true })).await.0, 204);
    assert_eq!(beside(&server, &friends.id, &blue).await["company"]["clock"]["paused"], false);
    assert_eq!(post(&server, &path, &friends.red, json!({ "side": "A", "pause": true })).await.0, 204);
    assert_eq!(beside(&server, &friends.id, &blue).await["company"]["clock"]["paused"], true);
    assert_eq!(post(&server, &path, &friends.red, json!({ "side": "A", "pause": false })).await.0, 204);
    // An hour passes while the server is away: the page is put back by as much.
    server.kill().await;
    set_back(folder.path(), &friends.id, 3_600_000).await;
    let server = Server::start(folder.path()).await;
    let asked = json!({ "battles": [{ "id": friends.id, "secrets": [blue] }] });
    let verdict = until(async || {
        let (_, mine) = post(&server, "/api/mine", "", asked.clone()).await;
        Some(mine[0]["verdict"].clone()).filter(|verdict| !verdict.is_null())
    });
    let verdict = verdict.await;
    assert_eq!((&verdict["winner"], &verdict["sentence"]), (&json!("B"), &json!("Side A has no time left.")));
}

/// The running clock of a battle began so much earlier.
async fn set_back(folder: &std::path::Path, id: &str, by: i64) {
    on_the_page(folder, id, |page| {
        let since = page["clock"]["running"][1].as_i64().unwrap();
        page["clock"]["running"][1] = json!(since - by);
    })
    .await;
}

/// What stands beside a battle is changed while no server runs; as it was before.
pub(super) async fn on_the_page(folder: &std::path::Path, id: &str, change: impl FnOnce(&mut Json)) -> Json {
    use sqlx::Row;
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(folder.join("battles.sqlite"));
    let pool = sqlx::SqlitePool::connect_with(options).await.unwrap();
    let row =
        sqlx::query("SELECT text FROM page WHERE battle = ? AND name = 'friends'").bind(id).fetch_one(&pool).await;
    let mut page: Json = serde_json::from_str(row.unwrap().get("text")).unwrap();
    let before = page.clone();
    change(&mut page);
    sqlx::query("UPDATE page SET text = ? WHERE battle = ? AND name = 'friends'")
        .bind(page.to_string())
        .bind(id)
        .execute(&pool)
        .await
        .unwrap();
    pool.close().await;
    before
}

#[tokio::test]
async fn a_kill_between_a_decision_and_its_page_costs_the_one_who_decided_no_time() {
    let (server, folder) = server().await;
    let friends = make(&server, json!({ "bank": 3_600, "increment": 0 })).await;
    let blue = sit(&server, &friends, "Ben").await;
    server.kill().await;
    let before = on_the_page(folder.path(), &friends.id, |_| ()).await;
    let server = Server::start(folder.path()).await;
    let mut red = server.join(&friends.id, &[&friends.red]).await.unwrap();
    assert_eq!(red.choose("end turn").await.unwrap()["reply"]["deciding"], "B");
    until(async || (beside(&server, &friends.id, &blue).await["company"]["deciding"] == "B").then_some(())).await;
    server.kill().await;
    // As a process leaves it that was killed after the line was written and before the page was turned; and then two hours
    // pass in which nobody serves: the time of red, who has decided, would have run out.
    on_the_page(folder.path(), &friends.id, |page| *page = before).await;
    set_back(folder.path(), &friends.id, 1_000_000).await;
    let server = Server::start(folder.path()).await;
    let now = until(async || {
        let now = beside(&server, &friends.id, &blue).await["company"].clone();
        (now["deciding"] == "B").then_some(now)
    });
    let now = now.await;
    assert_eq!(now["clock"]["running"], "B", "{now}");
    let left = now["clock"]["left"][0].as_i64().unwrap();
    assert!((2_500_000..=2_600_000).contains(&left), "the time of red ended with its decision: {now}");
}

#[tokio::test]
async fn an_answer_that_was_lost_on_its_way_costs_nobody_his_seat() {
    let (server, _folder) = server().await;
    let friends = make(&server, Json::Null).await;
    let path = format!("/api/battles/{}/sit", friends.id);
    let claim = |word: &str| json!({ "invitation": friends.invitation, "name": "Ben", "claim": word.repeat(20) });
    let (status, first) = post(&server, &path, "", claim("be")).await;
    assert_eq!(status, 200, "{first}");
    // He never heard of it, and asks again; the maker, who has the invitation too, has no such word.
    assert_eq!(post(&server, &path, "", claim("be")).await, (200, first.clone()));
    assert_eq!(post(&server, &path, "", claim("an")).await.0, 403);
    assert_eq!(post(&server, &path, "", json!({ "invitation": friends.invitation })).await.0, 403);
    assert_eq!(
        post(&server, &path, "", json!({ "invitation": "0".repeat(40), "claim": "be".repeat(20) })).await.0,
        403
    );
    // Once he looks, he has it, and nothing is kept for him any more.
    let secret = first["secret"].as_str().unwrap();
    let look = format!("/api/battles/{}/here", friends.id);
    assert_eq!(post(&server, &look, secret, json!({ "name": "Ben" })).await.0, 200);
    assert_eq!(post(&server, &path, "", claim("be")).await.0, 403);
}

#[tokio::test]
async fn a_battle_to_which_nobody_has_come_is_deleted_by_its_maker_and_later_by_nobody() {
    let (server, _folder) = server().await;
    let delete = async |id: &str, secret: &str| {
        let seat = format!("Seat {secret}");
        server.http("DELETE", &format!("/api/battles/{id}"), &[("Authorization", &seat)], "").await.0
    };
    let alone = make(&server, Json::Null).await;
    assert_eq!(delete(&alone.id, &alone.red).await, 204);
    let friends = make(&server, Json::Null).await;
    let blue = sit(&server, &friends, "Ben").await;
    assert_eq!((delete(&friends.id, &friends.red).await, delete(&friends.id, &blue).await), (403, 403));
}

#[tokio::test]
async fn agreed_dice_wait_on_the_side_that_owes_its_link_and_can_be_given_up() {
    let (server, _folder) = server().await;
    let close = include_str!("../../../picket/scenarios/ford.toml").replace("at = [25, 45]", "at = [25, 30]");
    let battle = json!({ "scenario": close, "dice": "agreed" });
    let new = json!({ "battle": battle, "side": "A", "name": "Anna", "clock": { "bank": 3_600, "increment": 0 } });
    let (status, made) = post(&server, "/api/friends", "", new).await;
    assert_eq!(status, 201, "{made}");
    let word = |name: &str| made[name].as_str().unwrap().to_owned();
    let friends = Friends { id: word("id"), red: word("secret"), invitation: word("invitation") };
    let blue = sit(&server, &friends, "Ben").await;
    let path = |what: &str| format!("/api/battles/{}/{what}", friends.id);
    let chains = [1, 2].map(|side| SecretChain::new([side; 32], 4_096));
    for (side, secret, chain) in [("A", &friends.red, &chains[0]), ("B", &blue, &chains[1])] {
        let link = json!({ "side": side, "link": String::from(chain.commitment()) });
        assert_eq!(post(&server, &path("commit"), secret, link).await.0, 204);
    }
    // The battle began with the second word: it is for red to decide, and its time runs.
    let waited_for = async |side: &str| {
        until(async || {
            let now = beside(&server, &friends.id, &blue).await["company"].clone();
            (now["deciding"] == side && now["clock"]["running"] == side).then_some(())
        })
        .await;
    };
    waited_for("A").await;
    let mut red = server.join(&friends.id, &[&friends.red]).await.unwrap();
    let mut ben = server.join(&friends.id, &[&blue]).await.unwrap();
    let advance = json!({ "type": "choose", "offer": "advance r1", "value": { "distance": 120_000 } });
    assert_eq!(red.ask(serde_json::from_value(advance).unwrap()).await.unwrap()["reply"]["deciding"], "B");
    waited_for("B").await;
    assert_eq!(ben.choose("fire").await.unwrap()["reply"]["type"], "dice");
    // Blue has decided; what is waited for is red's link, and then blue's own.
    waited_for("A").await;
    let seat = format!("Seat {blue}");
    let (_, info) = server.http("GET", path("").trim_end_matches('/'), &[("Authorization", &seat)], "").await;
    let info: Json = serde_json::from_str(&info).unwrap();
    assert_eq!(info["now"]["owing"], "A", "{info}");
    let link = String::from(chains[0].reveal(1).unwrap());
    let link = json!({ "side": "A", "link": link, "choice": info["rolling"]["choice"] });
    assert_eq!(post(&server, &path("reveal"), &friends.red, link).await.0, 204);
    waited_for("B").await;
    // While a link is waited for nothing else is decided, but the battle can be given up.
    assert_eq!(red.choose("end turn").await.unwrap()["reply"]["type"], "declined");
    assert_eq!(say(&mut red, json!("ask_back")).await["type"], "declined");
    let over = say(&mut ben, json!("resign")).await;
    assert_eq!(over["verdict"]["winner"], "A", "{over}");
    let (_, log) = server.http("GET", &path("log"), &[("Authorization", &seat)], "").await;
    let (status, proved) = post(&server, "/api/battles/upload", "", json!({ "log": log })).await;
    assert_eq!((status, &proved["proved"]), (201, &json!(3)), "{proved}");
}
