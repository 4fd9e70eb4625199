//! Three processes that serve the same battles from one PostgreSQL, and are killed at random.
//!
//! `SABRETACHE_KILLS` says how many kills; `make postgres-kills` makes a hundred.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::cluster::Cluster;
use crate::common::{Player, Server, choice};
use crate::{PROCESSES, processes};
use sabretache_engine::protocol::Request;
use serde_json::{Value as Json, json};
use tokio::sync::Mutex;

const BATTLES: u64 = 4;

fn lines(hello: &Json) -> usize {
    hello["info"]["now"]["lines"].as_u64().unwrap() as usize
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_chosen_at_one_process_is_heard_at_the_others_and_a_killed_one_is_replaced() {
    let _alone = crate::ALONE.lock().await;
    let (cluster, folder) = (Cluster::start(), tempfile::tempdir().unwrap());
    let mut all = processes(&cluster, folder.path()).await;
    let battle = all[0].begin(1, json!({ "a": "person", "b": "person" })).await;
    let mut umpire = all[0].join(&battle.id, &[&battle.secrets.umpire]).await.unwrap();
    let mut watcher = all[1].join(&battle.id, &[&battle.secrets.spectator]).await.unwrap();
    assert_eq!(lines(&watcher.hear().await.unwrap()), 1);
    let answer = umpire.ask(choice("end turn")).await.unwrap();
    assert_eq!(answer["reply"]["type"], "moment", "{answer}");
    let news = watcher.hear().await.unwrap();
    assert_eq!((&news["type"], &news["lines"]), (&json!("news"), &json!(2)), "{news}");

    // Two who choose at once at two processes: one is first, the other is judged by what the first has done.
    let mut other = all[2].join(&battle.id, &[&battle.secrets.umpire]).await.unwrap();
    other.hear().await.unwrap();
    let late = |moment: u64| -> Request {
        serde_json::from_value(json!({ "type": "choose", "offer": "end turn", "moment": moment })).unwrap()
    };
    let (one, two) = tokio::join!(umpire.ask(late(2)), other.ask(late(2)));
    let kinds = [one.unwrap()["reply"]["type"].clone(), two.unwrap()["reply"]["type"].clone()];
    assert!(kinds.contains(&json!("moment")) && kinds.contains(&json!("declined")), "{kinds:?}");
    assert_eq!(cluster.ask(&format!("SELECT count(*) FROM line WHERE battle = '{}'", battle.id)).unwrap(), "3");

    // Computers play at one process; it is killed, and another goes on without being asked.
    let computers = all[0].begin(2, json!({ "a": "recruit", "b": "recruit" })).await;
    let mut watcher = all[0].join(&computers.id, &[&computers.secrets.spectator]).await.unwrap();
    for _ in 0..3 {
        watcher.hear().await.unwrap();
    }
    all.remove(0).kill().await;
    let count = || cluster.ask(&format!("SELECT count(*) FROM line WHERE battle = '{}'", computers.id)).unwrap();
    let (before, killed) = (count(), Instant::now());
    while count() == before {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    println!("a killed process was replaced after {:.1} s", killed.elapsed().as_secs_f64());
}

async fn post(server: &Server, path: &str, secret: &str, body: Json) -> Json {
    let seat = format!("Seat {secret}");
    let headers = [("Content-Type", "application/json"), ("Authorization", seat.as_str())];
    let (status, text) = server.http("POST", path, &headers, &body.to_string()).await;
    assert!((200..300).contains(&status), "{path}: {status} {text}");
    serde_json::from_str(&text).unwrap_or_default()
}

/// Hears until it is so.
async fn heard(player: &mut Player, is: impl Fn(&Json) -> bool) -> Json {
    let heard = async {
        loop {
            let said = player.hear().await.unwrap();
            if is(&said) {
                return said;
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(30), heard).await.expect("it is heard")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn words_company_players_and_instructions_reach_those_at_other_processes() {
    let _alone = crate::ALONE.lock().await;
    let (cluster, folder) = (Cluster::start(), tempfile::tempdir().unwrap());
    let all = processes(&cluster, folder.path()).await;
    let new = json!({ "battle": { "scenario": "ford", "seed": 1 }, "side": "A", "name": "Anna" });
    let made = post(&all[0], "/api/friends", "", new).await;
    let (id, red) = (made["id"].as_str().unwrap().to_owned(), made["secret"].as_str().unwrap().to_owned());
    let mut anna = all[0].join(&id, &[&red]).await.unwrap();
    anna.hear().await.unwrap();
    let guest = json!({ "invitation": made["invitation"], "name": "Ben" });
    let seated = post(&all[1], &format!("/api/battles/{id}/sit"), "", guest).await;
    let blue = seated["secret"].as_str().unwrap().to_owned();
    heard(&mut anna, |said| said["type"] == "company" && said["company"]["sitters"][1]["name"] == "Ben").await;
    let mut ben = all[1].join(&id, &[&blue]).await.unwrap();
    ben.hear().await.unwrap();
    for text in ["Good luck!", "And no quarter."] {
        post(&all[0], &format!("/api/battles/{id}/words"), &red, json!({ "seat": "A", "text": text })).await;
        let word = heard(&mut ben, |said| said["type"] == "word" && said["word"]["text"] == text).await;
        assert_eq!(word["word"]["name"], "Anna");
    }
    // An instruction given at one process holds at another, and is not forgotten when that one writes its own.
    let instruct = |side: &str| -> Request {
        let list = json!([{ "kind": "fire" }]);
        serde_json::from_value(json!({ "type": "instruct", "side": side, "instructions": list })).unwrap()
    };
    assert_eq!(ben.ask(instruct("B")).await.unwrap()["reply"]["type"], "moment");
    assert_eq!(anna.ask(instruct("A")).await.unwrap()["reply"]["type"], "moment");
    let kept =
        || cluster.ask(&format!("SELECT count(*) FROM instructions WHERE battle = '{id}' AND list LIKE '%fire%'"));
    let until = Instant::now() + Duration::from_secs(20);
    while kept().as_deref() != Some("2") {
        assert!(Instant::now() < until, "{:?} of two sides are kept", kept());
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    // Blue lets a computer play, and takes the side back at another process: nobody plays for it any more.
    let players = |b: &str| json!({ "a": "person", "b": b });
    post(&all[1], &format!("/api/battles/{id}/players"), &blue, players("recruit")).await;
    heard(&mut anna, |said| said["type"] == "players" && said["players"]["b"] == "recruit").await;
    post(&all[2], &format!("/api/battles/{id}/players"), &blue, players("person")).await;
    heard(&mut ben, |said| said["type"] == "players" && said["players"]["b"] == "person").await;
    assert_eq!(anna.ask(choice("end turn")).await.unwrap()["reply"]["deciding"], "B");
    tokio::time::sleep(Duration::from_secs(2)).await;
    let length = cluster.ask(&format!("SELECT count(*) FROM line WHERE battle = '{id}'")).unwrap();
    assert_eq!(length, "2", "it is for Ben to decide, and for nobody else");
}

/// The processes that serve, each replaced when it is killed.
type Posts = Arc<Vec<Mutex<Server>>>;

/// Sits down at any process that answers.
async fn sit_down(posts: &Posts, from: usize, id: &str, secret: &str) -> (Player, Json) {
    for n in from.. {
        let joined = posts[n % PROCESSES].lock().await.join(id, &[secret]).await;
        if let Ok(mut player) = joined
            && let Some(hello) = player.hear().await
            && hello["type"] == "hello"
        {
            return (player, hello);
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    unreachable!("the numbers have no end")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_acknowledged_is_lost_however_often_processes_are_killed() {
    let _alone = crate::ALONE.lock().await;
    let kills: u64 = std::env::var("SABRETACHE_KILLS").ok().and_then(|count| count.parse().ok()).unwrap_or(20);
    let (cluster, folder) = (Cluster::start(), tempfile::tempdir().unwrap());
    let posts: Posts = Arc::new(processes(&cluster, folder.path()).await.into_iter().map(Mutex::new).collect());
    let over = Arc::new(AtomicBool::new(false));
    let mut battles = Vec::new();
    let mut players = Vec::new();
    let acknowledgements = Arc::new(AtomicUsize::new(0));
    for n in 0..BATTLES {
        let battle = posts[0].lock().await.begin(n, json!({ "a": "person", "b": "person" })).await;
        let acknowledged = Arc::new(AtomicUsize::new(1));
        // Two of them at each battle, at processes of their own.
        for seat in 0..2 {
            let (posts, over, all) = (Arc::clone(&posts), Arc::clone(&over), Arc::clone(&acknowledgements));
            let (id, secret) = (battle.id.clone(), battle.secrets.umpire.clone());
            let acknowledged = Arc::clone(&acknowledged);
            players.push(tokio::spawn(async move {
                let mut from = n as usize + seat;
                while !over.load(Ordering::SeqCst) {
                    from += 1;
                    let before = acknowledged.load(Ordering::SeqCst);
                    let (mut player, hello) = sit_down(&posts, from, &id, &secret).await;
                    assert!(lines(&hello) >= before, "{} lines are there, {before} were acknowledged", lines(&hello));
                    while !over.load(Ordering::SeqCst) {
                        // Each turn that is ended is taken back again, so that the battle never comes to its end.
                        let undo = Request::Undo { player: None, whole: false };
                        let request = if seat == 0 { choice("end turn") } else { undo };
                        // No answer: the process was killed while it was at it.
                        let Some(answer) = player.ask(request).await else { break };
                        if answer["reply"]["type"] == "moment" {
                            acknowledged.fetch_max(answer["lines"].as_u64().unwrap() as usize, Ordering::SeqCst);
                            all.fetch_add(1, Ordering::SeqCst);
                        }
                        tokio::time::sleep(Duration::from_millis(20)).await;
                    }
                }
            }));
        }
        battles.push((battle, acknowledged));
    }
    for kill in 0..kills {
        tokio::time::sleep(Duration::from_millis(150 + (kill * 37) % 200)).await;
        // Which one is as good as random, and the same in every run.
        let mut post = posts[(kill * kill + kill / 3) as usize % PROCESSES].lock().await;
        let fresh = Server::start_with(folder.path(), &[("SABRETACHE_DATABASE", &cluster.address())]).await;
        std::mem::replace(&mut *post, fresh).kill().await;
    }
    over.store(true, Ordering::SeqCst);
    for player in players {
        player.await.unwrap();
    }
    let all = acknowledgements.load(Ordering::SeqCst);
    println!("{all} choices acknowledged over {kills} kills of {PROCESSES} processes");
    assert!(all as u64 > kills, "there was load: {all}");
    // What is kept is a log without a gap that the rules prove.
    let server = posts[0].lock().await;
    for (battle, acknowledged) in &battles {
        let seat = format!("Seat {}", battle.secrets.spectator);
        let path = format!("/api/battles/{}/log", battle.id);
        let (status, log) = server.http("GET", &path, &[("Authorization", &seat)], "").await;
        assert_eq!(status, 200);
        assert!(log.lines().count() >= acknowledged.load(Ordering::SeqCst));
        let body = json!({ "log": log }).to_string();
        let (status, answer) =
            server.http("POST", "/api/battles/upload", &[("Content-Type", "application/json")], &body).await;
        assert_eq!(status, 201, "{answer}");
    }
}
