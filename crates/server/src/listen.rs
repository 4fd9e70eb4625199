//! Connections: each has a time in which its headers must come, so that those who say nothing hold nothing up.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tower::ServiceExt;

use crate::watch::From;

/// All headers of a request must come within this time.
pub(crate) const HEADERS: Duration = Duration::from_secs(10);
/// Between two pieces of a body no more than this may pass.
pub(crate) const BODY: Duration = Duration::from_secs(20);

/// Where connections come in: the network of this machine, or a simulated one.
pub(crate) trait Listener {
    /// A connection.
    type Stream: AsyncRead + AsyncWrite + Unpin + Send + 'static;
    /// The next that comes.
    async fn accept(&self) -> io::Result<(Self::Stream, SocketAddr)>;
}

impl Listener for TcpListener {
    type Stream = TcpStream;

    async fn accept(&self) -> io::Result<(TcpStream, SocketAddr)> {
        let (stream, address) = Self::accept(self).await?;
        // A choice is a small message that somebody waits for.
        let _ = stream.set_nodelay(true);
        Ok((stream, address))
    }
}

#[cfg(test)]
impl Listener for turmoil::net::TcpListener {
    type Stream = turmoil::net::TcpStream;

    async fn accept(&self) -> io::Result<(turmoil::net::TcpStream, SocketAddr)> {
        Self::accept(self).await
    }
}

/// Serves connections until `stop` comes.
pub(crate) async fn listen(listener: impl Listener, router: Router, headers: Duration, stop: impl Future<Output = ()>) {
    let mut stop = std::pin::pin!(stop);
    loop {
        let accepted = tokio::select! {
            biased;
            () = &mut stop => return,
            accepted = listener.accept() => accepted,
        };
        let (stream, address) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                // Too many open files, most likely: others will be closed.
                tracing::warn!(%error, "a connection could not be taken");
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        let router = router.clone();
        tokio::spawn(async move {
            let answer = service_fn(move |mut request: Request<Incoming>| {
                request.extensions_mut().insert(From(address.ip()));
                let router = router.clone();
                async move {
                    match router.oneshot(request.map(axum::body::Body::new)).await {
                        Ok(response) => Ok::<_, Infallible>(response),
                        Err(never) => match never {},
                    }
                }
            });
            let mut builder = hyper::server::conn::http1::Builder::new();
            builder.timer(TokioTimer::new()).header_read_timeout(headers);
            let served = builder.serve_connection(TokioIo::new(stream), answer).with_upgrades().await;
            if let Err(error) = served {
                tracing::debug!(%error, %address, "connection");
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use axum::routing::get;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    #[tokio::test]
    async fn a_connection_that_says_nothing_is_closed_and_others_are_served() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let router = Router::new().route("/", get(async || "here"));
        tokio::spawn(listen(listener, router, Duration::from_millis(200), std::future::pending()));
        let mut slow = TcpStream::connect(address).await.unwrap();
        slow.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n").await.unwrap();
        let mut quick = TcpStream::connect(address).await.unwrap();
        quick.write_all(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").await.unwrap();
        let mut answer = String::new();
        quick.read_to_string(&mut answer).await.unwrap();
        assert!(answer.ends_with("here"), "{answer}");
        // It ends by itself: nothing more comes from us.
        let mut rest = Vec::new();
        slow.read_to_end(&mut rest).await.unwrap();
        assert!(!String::from_utf8_lossy(&rest).contains("here"));
    }
}
