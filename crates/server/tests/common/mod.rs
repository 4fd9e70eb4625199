//! A real server process and a small client for it.
#![allow(dead_code, clippy::unwrap_used, reason = "each test file uses its part of this, and a test may fail")]

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use futures_util::{SinkExt, StreamExt};
use sabretache_engine::protocol::Request;
use sabretache_server::messages::{BattleMade, ClientMessage};
use serde_json::{Value as Json, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpSocket, TcpStream};
use tokio::process::{Child, Command};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::HeaderValue;
use tokio_tungstenite::tungstenite::{Error as SocketError, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// The example program that serves Picket; Cargo builds it before the tests of its package.
fn program() -> PathBuf {
    let mut folder = std::env::current_exe().unwrap();
    folder.pop();
    folder.pop();
    folder.join("examples").join(format!("picket{}", std::env::consts::EXE_SUFFIX))
}

/// The name in the environment of a file that takes what the process says on standard error.
pub(crate) const COMPLAINTS: &str = "SABRETACHE_COMPLAINTS";

/// A server process with its database in a folder.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: SocketAddr,
}

impl Server {
    pub(crate) async fn start(folder: &Path) -> Self {
        Self::start_with(folder, &[]).await
    }

    /// With more in its environment.
    pub(crate) async fn start_with(folder: &Path, environment: &[(&str, &str)]) -> Self {
        let mut command = Command::new(program());
        command.envs(environment.iter().copied());
        command.arg("127.0.0.1:0").arg(folder).stdout(Stdio::piped()).kill_on_drop(true);
        // A task that panics ends by itself: what it said is found there.
        if let Some((_, file)) = environment.iter().find(|(name, _)| *name == COMPLAINTS) {
            command.stderr(std::fs::File::create(file).unwrap());
        }
        let mut child = command.spawn().expect("the example is built with the tests");
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let said = lines.next_line().await.unwrap().unwrap();
        let address = said.trim_start_matches("Sabretache is at http://").trim_end_matches('/').parse().unwrap();
        Self { child, address }
    }

    /// As `kill -9` does: nothing is written any more.
    pub(crate) async fn kill(mut self) {
        self.child.kill().await.unwrap();
    }

    /// The same for one that is never dropped, since it stands in a static.
    pub(crate) fn stop(&self) {
        let process = self.child.id().unwrap().to_string();
        assert!(std::process::Command::new("kill").args(["-KILL", &process]).status().unwrap().success());
    }

    /// The memory the process holds, in kilobytes.
    pub(crate) fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id().unwrap())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap()
    }

    /// One HTTP request; the status and the body.
    pub(crate) async fn http(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> (u16, String) {
        self.http_from(0, method, path, headers, body).await
    }

    /// The same from another address of this machine: 127.0.0.1 for 0, and 200 more.
    pub(crate) async fn http_from(
        &self,
        caller: u64,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> (u16, String) {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind(SocketAddr::from(([127, 0, 0, 1 + (caller % 201) as u8], 0))).unwrap();
        let mut stream = socket.connect(self.address).await.unwrap();
        let mut head = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
        if !headers.iter().any(|(name, _)| *name == "Host") {
            head += &format!("Host: {}\r\n", self.address);
        }
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        stream.write_all(format!("{head}\r\n{body}").as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.unwrap();
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        (status, body.to_owned())
    }

    /// A battle between persons (or whoever), with the secrets of its seats.
    pub(crate) async fn begin(&self, seed: u64, players: Json) -> BattleMade {
        let body = json!({ "scenario": "ford", "seed": seed, "players": players }).to_string();
        let (status, body) = self.http("POST", "/api/battles", &[("Content-Type", "application/json")], &body).await;
        assert_eq!(status, 201, "{body}");
        serde_json::from_str(&body).unwrap()
    }

    /// Sits down at a battle.
    pub(crate) async fn join(&self, id: &str, secrets: &[&str]) -> Result<Player, SocketError> {
        let mut request = format!("ws://{}/api/battles/{id}/socket", self.address).into_client_request()?;
        let names: Vec<String> = secrets.iter().map(|secret| format!("seat.{secret}")).collect();
        let names = [vec!["sabretache.v1".to_owned()], names].concat().join(", ");
        request.headers_mut().insert("Sec-WebSocket-Protocol", HeaderValue::from_str(&names).unwrap());
        let (socket, _) = connect_async(request).await?;
        Ok(Player { socket, next: 0 })
    }
}

/// Whoever plays or watches over a WebSocket.
pub(crate) struct Player {
    pub(crate) socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    next: u32,
}

impl Player {
    /// The next message; nothing when the line is broken.
    pub(crate) async fn hear(&mut self) -> Option<Json> {
        loop {
            match self.socket.next().await? {
                Ok(Message::Text(text)) => return serde_json::from_str(&text).ok(),
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    /// Asks, and waits for the answer; nothing when the line breaks first.
    pub(crate) async fn ask(&mut self, request: Request) -> Option<Json> {
        self.next += 1;
        let id = self.next;
        let message = ClientMessage { id, speaker: None, request };
        self.socket.send(Message::text(serde_json::to_string(&message).unwrap())).await.ok()?;
        loop {
            let message = self.hear().await?;
            if message["type"] == "answer" && message["id"] == id {
                return Some(message);
            }
        }
    }

    /// Chooses without input.
    pub(crate) async fn choose(&mut self, offer: &str) -> Option<Json> {
        self.ask(choice(offer)).await
    }
}

/// The choice of an offer without input.
pub(crate) fn choice(offer: &str) -> Request {
    serde_json::from_value(json!({ "type": "choose", "offer": offer })).unwrap()
}
