//! A battle over a WebSocket.
//!
//! Each connection is a task of its own that asks the battle one thing after the other and passes news on. It waits for
//! nobody but its own client: when that one reads too slowly, its news is dropped and it is told to look again.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade, close_code};
use axum::extract::{Path, State};
use axum::response::Response;
use sabretache_engine::protocol::{Reply, Request};
use sabretache_engine::scenario::Diagnostics;
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{Instant, interval, timeout};

use crate::battle::Answer;
use crate::http::{App, Refused, admit, info};
use crate::messages::{ClientMessage, ServerMessage};
use crate::news::News;
use crate::rate::Rate;
use crate::seats::Seats;
use crate::store::Kept;
use crate::watch::Caller;

/// The name of this protocol. The secrets of the seats follow as further protocol names, since a browser can send no
/// other header with a WebSocket and a secret does not belong in an address.
const PROTOCOL: &str = "sabretache.v1";
const SECRET: &str = "seat.";
/// Nobody sits on more seats at once.
pub(crate) const MOST_SECRETS: usize = 12;
/// The largest message in bytes.
const LARGEST_MESSAGE: usize = 64 << 10;
/// Messages at once, and a second in the long run.
const MESSAGES: (u32, u32) = (120, 40);
/// So many messages may come while one is answered.
const MOST_UNHEARD: usize = 256;
/// So many messages beyond that, and the connection is closed.
const PATIENCE: u32 = 200;
/// A client that takes nothing for so long is gone.
const SEND_WITHIN: Duration = Duration::from_secs(15);
/// How often the client is asked whether it is still there, and how long it may be silent.
const PING_EVERY: Duration = Duration::from_secs(20);
const SILENT: Duration = Duration::from_secs(65);

/// Answers the handshake: 403 unless a secret of this battle comes with it.
pub(crate) async fn upgrade(
    State(app): State<App>,
    Extension(Caller(caller)): Extension<Caller>,
    Path(id): Path<String>,
    upgrade: WebSocketUpgrade,
) -> Result<Response, Refused> {
    let names = upgrade.requested_protocols().filter_map(|name| name.to_str().ok());
    let secrets: Vec<String> =
        names.filter_map(|name| name.strip_prefix(SECRET)).take(MOST_SECRETS).map(str::to_owned).collect();
    let (kept, seats) = admit(&app, &id, &secrets).await?;
    app.hall.thinkers.called(&kept.id, &caller);
    let upgrade = upgrade.protocols([PROTOCOL]).max_message_size(LARGEST_MESSAGE).max_frame_size(LARGEST_MESSAGE);
    Ok(upgrade.on_upgrade(move |socket| async move {
        let _open = app.hall.figures.opened();
        let rate = Rate::new(MESSAGES.0, MESSAGES.1);
        let connection = Connection { app, kept, seats, socket, rate, excess: 0, unheard: VecDeque::new() };
        // The client is gone or was sent away; either way there is nobody left to tell.
        let _ = connection.serve().await;
    }))
}

struct Connection {
    app: App,
    kept: Kept,
    seats: Seats,
    socket: WebSocket,
    rate: Rate,
    /// How many messages came that the rate did not allow.
    excess: u32,
    /// What came while another answer was waited for.
    unheard: VecDeque<Utf8Bytes>,
}

/// The connection is at its end.
struct Ended;

impl Connection {
    async fn serve(mut self) -> Result<(), Ended> {
        let mut news = self.listen()?;
        self.hello().await?;
        let mut ping = interval(PING_EVERY);
        let mut heard = Instant::now();
        loop {
            while let Some(text) = self.unheard.pop_front() {
                self.hear(&text).await?;
            }
            tokio::select! {
                // What comes in is bounded by its rate, so that news and pings have their turn.
                biased;
                message = self.socket.recv() => {
                    heard = Instant::now();
                    match message {
                        Some(Ok(Message::Text(text))) => self.hear(&text).await?,
                        Some(Ok(Message::Binary(_))) => {
                            return self.close(close_code::UNSUPPORTED, "text only").await;
                        }
                        Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                        Some(Ok(Message::Close(_)) | Err(_)) | None => return Err(Ended),
                    }
                }
                one = news.recv() => match one {
                    Ok(news) => {
                        let text = Utf8Bytes::from(news.text(&self.seats).into_owned());
                        // Some of it is for others alone.
                        if !text.is_empty() {
                            self.send(Message::Text(text)).await?;
                        }
                    }
                    Err(RecvError::Lagged(_)) => {
                        news = news.resubscribe();
                        self.hello().await?;
                    }
                    Err(RecvError::Closed) => {
                        news = self.listen()?;
                        self.hello().await?;
                    }
                },
                _ = ping.tick() => {
                    if heard.elapsed() > SILENT {
                        return Err(Ended);
                    }
                    self.send(Message::Ping(axum::body::Bytes::new())).await?;
                }
            }
        }
    }

    fn listen(&self) -> Result<broadcast::Receiver<Arc<News>>, Ended> {
        self.app.hall.open(&self.kept).map(|handle| handle.listen()).map_err(|_| Ended)
    }

    async fn hello(&mut self) -> Result<(), Ended> {
        match info(&self.app, &self.kept, &self.seats).await {
            Ok(info) => self.say(&ServerMessage::Hello { info: Box::new(info) }).await,
            Err(_) => self.close(close_code::ERROR, "the battle cannot be taken up").await,
        }
    }

    async fn hear(&mut self, text: &str) -> Result<(), Ended> {
        let permitted = self.rate.take();
        if !permitted {
            self.excess += 1;
            if self.excess > PATIENCE {
                return self.close(close_code::POLICY, "too many messages").await;
            }
        }
        let message: ClientMessage = match serde_json::from_str(text) {
            Ok(message) => message,
            Err(error) => {
                // Whatever it was, it may have had a number to answer to.
                let id = serde_json::from_str::<serde_json::Value>(text).ok();
                let id = id.and_then(|json| json.get("id")?.as_u64()).unwrap_or_default();
                let reply = declined(format!("that is no message: {error}"));
                return self.say(&ServerMessage::Answer { id: id as u32, lines: 0, reply }).await;
            }
        };
        let (lines, reply) = match permitted {
            true => self.answer(&message).await?,
            false => (0, declined("too many messages at once; slow down".into())),
        };
        self.say(&ServerMessage::Answer { id: message.id, lines, reply }).await
    }

    async fn answer(&mut self, message: &ClientMessage) -> Result<(usize, Reply), Ended> {
        let held = &self.seats.held;
        let seat = message.speaker.or_else(|| held.first().copied()).filter(|seat| held.contains(seat));
        let Some(seat) = seat else {
            return Ok((0, declined("this connection has no such seat".into())));
        };
        let request = match self.seats.signed(seat, message.request.clone()) {
            Ok(request) => request,
            Err(why) => return Ok((0, declined(why))),
        };
        let log = matches!(request, Request::Log);
        let (hall, kept, held) = (self.app.hall.clone(), self.kept.clone(), held.clone());
        let answered = self.wait_for(async move { hall.ask(&kept, seat.into(), &held, request).await }).await?;
        Ok(match answered {
            Ok(Answer { lines, reply: Reply::Text { text } }) if log && !self.seats.named.is_empty() => {
                (lines, Reply::Text { text: self.seats.own_letters(&text) })
            }
            Ok(answer) => (answer.lines, self.seats.opened(seat, answer.reply)),
            Err(error) => (0, declined(error.to_string())),
        })
    }

    /// Waits for an answer for as long as the client is there; what it says meanwhile is heard afterwards.
    async fn wait_for<T>(&mut self, answer: impl Future<Output = T>) -> Result<T, Ended> {
        let mut answer = std::pin::pin!(answer);
        loop {
            tokio::select! {
                biased;
                answer = &mut answer => return Ok(answer),
                message = self.socket.recv() => match message {
                    Some(Ok(Message::Text(text))) if self.unheard.len() < MOST_UNHEARD => self.unheard.push_back(text),
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                    Some(Ok(_)) => return self.close(close_code::POLICY, "too many messages").await.and(Err(Ended)),
                    Some(Err(_)) | None => return Err(Ended),
                },
            }
        }
    }

    async fn say(&mut self, message: &ServerMessage) -> Result<(), Ended> {
        let text = serde_json::to_string(message).map_err(|_| Ended)?;
        self.send(Message::Text(text.into())).await
    }

    async fn send(&mut self, message: Message) -> Result<(), Ended> {
        match timeout(SEND_WITHIN, self.socket.send(message)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) | Err(_) => Err(Ended),
        }
    }

    async fn close(&mut self, code: u16, reason: &'static str) -> Result<(), Ended> {
        let frame = CloseFrame { code, reason: Utf8Bytes::from_static(reason) };
        let _ = self.send(Message::Close(Some(frame))).await;
        Err(Ended)
    }
}

fn declined(why: String) -> Reply {
    Reply::Declined { why, diagnostics: Diagnostics::new() }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use futures_util::{SinkExt, StreamExt};
    use sabretache_engine::erased::Erased;
    use sabretache_picket::Picket;
    use serde_json::json;
    use tokio_tungstenite::tungstenite::client::IntoClientRequest;
    use tokio_tungstenite::tungstenite::http::HeaderValue;

    use crate::catalogue::Catalogue;
    use crate::examples::Examples;
    use crate::guard::Guard;
    use crate::hall::Hall;
    use crate::players::Opponents;
    use crate::{http, listen};

    static PICKET: Erased<Picket> = Erased::RULESET;
    const FORD: &str = include_str!("../../picket/scenarios/ford.toml");

    #[tokio::test]
    async fn odds_that_a_socket_asked_for_are_given_up_when_it_is_closed() {
        let folder = tempfile::tempdir().unwrap();
        let store = crate::store::open(folder.path(), None).await.unwrap();
        let (catalogue, _) = Catalogue::new(vec![&PICKET], vec![("ford".into(), FORD.into())], Vec::new());
        let hall = Hall::new(catalogue, store, Opponents::new(Vec::new(), Vec::new()), Examples::new(Vec::new()));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let router = http::router(hall.clone(), Guard { local: true }, false);
        tokio::spawn(listen::listen(listener, router, listen::HEADERS, std::future::pending()));
        // Others have every thread.
        let mut taken = Vec::new();
        while hall.odds.has_room() {
            taken.push(hall.odds.turn("another battle").await);
        }
        let new = serde_json::from_value(json!({ "scenario": "ford", "seed": 1 })).unwrap();
        let made = hall.begin(new).await.unwrap();
        let mut request = format!("ws://{address}/api/battles/{}/socket", made.id).into_client_request().unwrap();
        let names = format!("sabretache.v1, seat.{}", made.secrets.a);
        request.headers_mut().insert("Sec-WebSocket-Protocol", HeaderValue::from_str(&names).unwrap());
        let (mut socket, _) = tokio_tungstenite::connect_async(request).await.unwrap();
        let asked = json!({ "id": 1, "request": { "type": "odds", "offer": "end turn" } }).to_string();
        socket.send(tokio_tungstenite::tungstenite::Message::text(asked)).await.unwrap();
        assert!(socket.next().await.is_some(), "the greeting");
        let until = async |holds: &dyn Fn() -> bool| {
            let waiting = async {
                while !holds() {
                    tokio::time::sleep(Duration::from_millis(5)).await;
                }
            };
            tokio::time::timeout(Duration::from_secs(30), waiting).await
        };
        until(&|| hall.odds.figures().1 == 1).await.expect("they wait for a thread");
        assert_eq!(hall.figures.odds_not_waited_for(), 0);
        drop(socket);
        until(&|| hall.figures.odds_not_waited_for() == 1).await.expect("nobody waits for them any more");
        drop(taken);
    }
}
