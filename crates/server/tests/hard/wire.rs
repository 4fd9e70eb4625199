//! Raw bytes on the wire: heads of requests, frames of WebSockets and connections that stop half way, each garbled by chance,
//! against a real server process. It may answer what it likes and close what it likes; it may not fall over, lose its temper
//! (a panic), or keep anybody else waiting. `SABRETACHE_WIRE` says how many of each; what is garbled follows from its number.

use std::time::{Duration, Instant};

use crate::common::{COMPLAINTS, Server};
use sabretache_engine::dice::Seeded;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// So long an answer to garbled bytes is read; most get one at once, some never.
const HEARD: Duration = Duration::from_millis(30);
/// Connections that stop half way, all open at once.
const HALF_OPEN: usize = 300;

fn inputs() -> u64 {
    std::env::var("SABRETACHE_WIRE").ok().and_then(|count| count.parse().ok()).unwrap_or(250)
}

/// Changes some bytes: other values, some left out, some said twice, some from nowhere.
fn garble(bytes: &mut Vec<u8>, random: &mut Seeded) {
    for _ in 0..=random.below(4) {
        if bytes.is_empty() {
            return;
        }
        let at = random.below(bytes.len() as u32) as usize;
        let length = random.below(12) as usize;
        let end = (at + length).min(bytes.len());
        match random.below(6) {
            0 => bytes[at] = random.below(256) as u8,
            1 => bytes[at] ^= 1 << random.below(8),
            2 => drop(bytes.drain(at..end)),
            3 => {
                let again = bytes[at..end].to_vec();
                bytes.splice(at..at, again);
            }
            4 => {
                let any: Vec<u8> = (0..length).map(|_| random.below(256) as u8).collect();
                bytes.splice(at..at, any);
            }
            _ => bytes.truncate(at),
        }
    }
}

/// Requests as they should be: the seeds of what is sent.
fn heads(server: &Server, id: &str, secret: &str) -> Vec<Vec<u8>> {
    let host = server.address;
    let new = json!({ "scenario": "ford", "seed": 1 }).to_string();
    let chunks = "4\r\n{\"sc\r\n0\r\n\r\n";
    let long = "x".repeat(9_000);
    [
        format!("GET /api/scenarios HTTP/1.1\r\nHost: {host}\r\nAccept-Encoding: gzip\r\n\r\n"),
        format!("GET /api/battles/{id} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Seat {secret}\r\n\r\n"),
        format!(
            "POST /api/battles HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{new}",
            new.len()
        ),
        format!(
            "POST /api/friends HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n{chunks}"
        ),
        format!("DELETE /api/battles/{id} HTTP/1.1\r\nHost: {host}\r\nX-Forwarded-For: 1.2.3.4\r\n\r\n"),
        format!("GET /{long} HTTP/1.1\r\nHost: {host}\r\n{}\r\n", "X-More: 1\r\n".repeat(80)),
        format!("POST /api/mine HTTP/1.1\r\nHost: {host}\r\nExpect: 100-continue\r\nContent-Length: 99999999999\r\n\r\n"),
        handshake(server, id, secret),
    ]
    .map(String::into_bytes)
    .to_vec()
}

fn handshake(server: &Server, id: &str, secret: &str) -> String {
    format!(
        "GET /api/battles/{id}/socket HTTP/1.1\r\nHost: {}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\
         Sec-WebSocket-Protocol: sabretache.v1, seat.{secret}\r\n\r\n",
        server.address
    )
}

/// A frame as a client sends it: masked.
fn frame(kind: u8, body: &[u8]) -> Vec<u8> {
    let mask = [0x11, 0x22, 0x33, 0x44];
    let mut all = vec![kind];
    match body.len() {
        short @ 0..=125 => all.push(0x80 | short as u8),
        length => {
            all.push(0x80 | 126);
            all.extend((length as u16).to_be_bytes());
        }
    }
    all.extend(mask);
    all.extend(body.iter().zip(mask.iter().cycle()).map(|(byte, mask)| byte ^ mask));
    all
}

/// Frames as they should be, and some that should not.
fn frames() -> Vec<Vec<u8>> {
    let message = json!({ "id": 1, "request": { "type": "decision", "closed": true } }).to_string();
    let odds = json!({ "id": 2, "request": { "type": "odds", "offer": "end turn" } }).to_string();
    let half = message.len() / 2;
    vec![
        frame(0x81, message.as_bytes()),
        frame(0x81, odds.as_bytes()),
        [frame(0x01, &message.as_bytes()[..half]), frame(0x80, &message.as_bytes()[half..])].concat(),
        [frame(0x01, &message.as_bytes()[..half]), frame(0x89, b"ping"), frame(0x80, &message.as_bytes()[half..])]
            .concat(),
        frame(0x82, &[0, 1, 2]),
        frame(0x81, &[0xff, 0xfe, 0xc0]),
        frame(0x89, &[7; 126]),
        frame(0xf1, b"reserved"),
        frame(0x80, b"goes on with nothing"),
        vec![0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 2, 3, 4],
        vec![0x81, 5, b'p', b'l', b'a', b'i', b'n'],
        frame(0x88, &[3, 232]),
        frame(0x88, &[3]),
        frame(0x81, &[b'['; 60_000]),
    ]
}

/// Sends bytes and hears what comes, as far as anything comes.
async fn send(server: &Server, bytes: &[u8]) -> Vec<u8> {
    let mut line = TcpStream::connect(server.address).await.unwrap();
    // The server may have closed it already.
    let _ = line.write_all(bytes).await;
    let mut heard = vec![0; 4_096];
    let n = timeout(HEARD, line.read(&mut heard)).await.ok().and_then(Result::ok).unwrap_or(0);
    heard.truncate(n);
    heard
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn garbled_bytes_are_answered_or_not_and_nobody_is_any_the_worse() {
    let _alone = crate::ALONE.lock().await;
    let folder = tempfile::tempdir().unwrap();
    let complaints = folder.path().join("complaints");
    let server = Server::start_with(folder.path(), &[(COMPLAINTS, complaints.to_str().unwrap())]).await;
    let battle = server.begin(1, json!({ "a": "person", "b": "person" })).await;
    let (id, secret) = (&battle.id, &battle.secrets.spectator);
    let mut umpire = server.join(id, &[&battle.secrets.umpire]).await.unwrap();

    let half: Vec<TcpStream> = {
        let mut all = Vec::new();
        for n in 0..HALF_OPEN {
            let mut line = TcpStream::connect(server.address).await.unwrap();
            let head = &heads(&server, id, secret)[n % 3];
            line.write_all(&head[..n * 31 % head.len()]).await.unwrap();
            all.push(line);
        }
        all
    };
    let before = server.memory();
    let (mut heads_sent, mut frames_sent, mut answered) = (0, 0, 0);
    let (heads, frames) = (heads(&server, id, secret), frames());
    let hands = handshake(&server, id, secret).into_bytes();
    for n in 0..inputs() {
        let mut random = Seeded::new(n);
        let mut bytes = heads[(n % heads.len() as u64) as usize].clone();
        garble(&mut bytes, &mut random);
        heads_sent += 1;
        answered += usize::from(!send(&server, &bytes).await.is_empty());

        let mut bytes = Vec::new();
        for _ in 0..=random.below(4) {
            let mut one = frames[random.below(frames.len() as u32) as usize].clone();
            if random.below(3) > 0 {
                garble(&mut one, &mut random);
            }
            bytes.extend(one);
            frames_sent += 1;
        }
        answered += usize::from(!send(&server, &[hands.clone(), bytes].concat()).await.is_empty());
        if n % 50 == 49 {
            // Meanwhile somebody plays, and is answered.
            let request = if n % 100 == 49 { "choose" } else { "undo" };
            let request = json!({ "type": request, "offer": "end turn" });
            let request = match request["type"].as_str() {
                Some("undo") => json!({ "type": "undo" }),
                _ => request,
            };
            let asked = Instant::now();
            let answer = umpire.ask(serde_json::from_value(request).unwrap()).await.unwrap();
            assert_eq!(answer["reply"]["type"], "moment", "{answer}");
            assert!(asked.elapsed() < Duration::from_secs(10), "held up by garbled bytes");
        }
    }
    assert_eq!(server.http("GET", "/health", &[], "").await, (200, "ok\n".into()));
    let grown = server.memory().saturating_sub(before);
    let said = std::fs::read_to_string(&complaints).unwrap_or_default();
    println!(
        "{heads_sent} heads and {frames_sent} frames garbled, {} half-open, {answered} answered, {grown} kB",
        half.len()
    );
    assert!(!said.contains("panicked"), "{said}");
    assert!(grown < 200_000, "{grown} kB");
    assert!(answered > 0, "some of it is still understood");
}
