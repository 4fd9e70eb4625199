//! Who uses the servers on a simulated day. None of them gives up: what has no answer is asked again, elsewhere.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use sabretache_engine::dice::{SecretChain, Seeded};
use sabretache_engine::ids::Side;
use serde_json::{Value as Json, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::{sleep, timeout};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::HeaderValue;
use tokio_tungstenite::{WebSocketStream, client_async};
use turmoil::net::TcpStream;

use super::{Promises, SERVERS};
use crate::agreed::CHOICES;
use crate::messages::BattleMade;

const PORT: u16 = 80;
/// An answer that takes longer is not waited for.
const PATIENCE: Duration = Duration::from_secs(4);

fn somewhere(random: &mut Seeded) -> &'static str {
    SERVERS[random.below(SERVERS.len() as u32) as usize]
}

/// One HTTP request; nothing where no whole answer comes.
async fn http(server: &str, method: &str, path: &str, seat: &str, body: &Json) -> Option<(u16, Json)> {
    let asked = async {
        let mut stream = TcpStream::connect((server, PORT)).await.ok()?;
        let body = body.to_string();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {server}\r\nConnection: close\r\nContent-Type: application/json\r\n\
             Authorization: Seat {seat}\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        stream.write_all((head + &body).as_bytes()).await.ok()?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.ok()?;
        let answer = String::from_utf8(answer).ok()?;
        let (head, body) = answer.split_once("\r\n\r\n")?;
        let status = head.split(' ').nth(1)?.parse().ok()?;
        // The bodies are short enough to come in one chunk, or in none.
        let body = body.lines().find(|line| line.starts_with('{')).unwrap_or("null");
        Some((status, serde_json::from_str(body).ok()?))
    };
    timeout(PATIENCE, asked).await.ok().flatten()
}

async fn join(server: &str, battle: &BattleMade) -> Option<WebSocketStream<TcpStream>> {
    sit_down(server, &battle.id, &battle.secrets.umpire).await
}

async fn sit_down(server: &str, id: &str, secret: &str) -> Option<WebSocketStream<TcpStream>> {
    let stream = TcpStream::connect((server, PORT)).await.ok()?;
    let mut request = format!("ws://{server}/api/battles/{id}/socket").into_client_request().ok()?;
    let names = format!("sabretache.v1, seat.{secret}");
    request.headers_mut().insert("Sec-WebSocket-Protocol", HeaderValue::from_str(&names).ok()?);
    Some(client_async(request, stream).await.ok()?.0)
}

async fn ask(line: &mut WebSocketStream<TcpStream>, id: usize, request: Json) -> Option<Json> {
    line.send(Message::text(json!({ "id": id, "request": request }).to_string())).await.ok()?;
    loop {
        if let Message::Text(text) = line.next().await?.ok()? {
            let said: Json = serde_json::from_str(&text).ok()?;
            if said["type"] == "answer" && said["id"] == id {
                return Some(said);
            }
        }
    }
}

/// An umpire sets a unit down again and again, each time with words of his own, until so many were acknowledged.
pub(super) async fn umpire(
    name: &'static str,
    battle: BattleMade,
    promises: Promises,
    mut random: Seeded,
    goal: usize,
) -> turmoil::Result {
    let mut said = 0;
    let mut acknowledged = 0;
    while acknowledged < goal {
        let Ok(Some(mut line)) = timeout(PATIENCE, join(somewhere(&mut random), &battle)).await else {
            sleep(Duration::from_millis(200)).await;
            continue;
        };
        while acknowledged < goal {
            said += 1;
            let why = format!("{name} for the {said}. time");
            promises.said(&battle.id, &why);
            let to = json!([20 + said % 5, 20]);
            let request = json!({ "type": "adjust", "path": "units.r1.at", "to": to, "why": why });
            match timeout(PATIENCE, ask(&mut line, said, request)).await {
                Ok(Some(answer)) if answer["reply"]["type"] == "moment" => {
                    promises.acknowledged(&battle.id, &why);
                    acknowledged += 1;
                }
                Ok(Some(_)) => {}
                Ok(None) | Err(_) => break,
            }
            sleep(Duration::from_millis(u64::from(random.below(400)))).await;
        }
    }
    Ok(())
}

/// Two friends sit down with a clock of a minute; the first decides at once, or not at all, and then neither does anything. The
/// answer to him who comes may be lost: he asks again with a word of his own.
pub(super) async fn idlers(promises: Promises, mut random: Seeded, decides: bool) -> turmoil::Result {
    let battle = json!({ "scenario": "ford", "seed": 5, "players": { "a": "person", "b": "person" } });
    let new = json!({ "battle": battle, "side": "A", "name": "Dora", "clock": { "bank": 60, "increment": 0 } });
    loop {
        let server = somewhere(&mut random);
        if let Some((201, made)) = http(server, "POST", "/api/friends", "", &new).await {
            let id = made["id"].as_str().unwrap_or_default().to_owned();
            let guest = json!({ "invitation": made["invitation"], "name": "Emil", "claim": "e".repeat(40) });
            let path = format!("/api/battles/{id}/sit");
            while !matches!(http(somewhere(&mut random), "POST", &path, "", &guest).await, Some((200, _))) {
                sleep(Duration::from_millis(300)).await;
            }
            let own = made["secret"].as_str().unwrap_or_default();
            if decides {
                end_turn(&id, own, &mut random).await;
            }
            promises.runs_out(&id, if decides { Side::B } else { Side::A });
            return Ok(());
        }
        sleep(Duration::from_millis(300)).await;
    }
}

/// Ends his turn, however often he has to ask whether he has.
async fn end_turn(id: &str, secret: &str, random: &mut Seeded) {
    for n in 0.. {
        if let Ok(Some(mut line)) = timeout(PATIENCE, sit_down(somewhere(random), id, secret)).await {
            let request = json!({ "type": "choose", "offer": "end turn", "moment": 1 });
            let answer = timeout(PATIENCE, ask(&mut line, n, request)).await.ok().flatten();
            let answer = answer.map(|answer| answer["reply"].clone()).unwrap_or_default();
            if answer["type"] == "moment" || answer["why"] == "the battle has gone on since; look again" {
                return;
            }
        }
        sleep(Duration::from_millis(200)).await;
    }
}

/// Two sides commit to their dice, in whatever order and as often as it takes.
pub(super) async fn parley(battle: BattleMade, mut random: Seeded) -> turmoil::Result {
    for side in Side::BOTH {
        let secret = match side {
            Side::A => &battle.secrets.a,
            Side::B => &battle.secrets.b,
        };
        let link = String::from(SecretChain::new([side.index() as u8; 32], CHOICES).commitment());
        let body = json!({ "side": side.to_string(), "link": link });
        let path = format!("/api/battles/{}/commit", battle.id);
        loop {
            // A second commitment is refused: then the first one counts.
            match http(somewhere(&mut random), "POST", &path, secret, &body).await {
                Some((204 | 409 | 422, _)) => break,
                _ => sleep(Duration::from_millis(300)).await,
            }
        }
    }
    // Anybody who looks sees a battle, whatever became of the process that was to begin it.
    loop {
        let path = format!("/api/battles/{}/parley", battle.id);
        if let Some((200, now)) = http(somewhere(&mut random), "GET", &path, &battle.secrets.a, &json!(null)).await
            && now["begun"] == true
        {
            return Ok(());
        }
        sleep(Duration::from_millis(300)).await;
    }
}
