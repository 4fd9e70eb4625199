//! Connections: each has a time in which its headers must come, so that those who say nothing hold nothing up.

use std::convert::Infallible;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpListener;
use tower::ServiceExt;

use crate::watch::From;

/// All headers of a request must come within this time.
pub(crate) const HEADERS: Duration = Duration::from_secs(10);
/// Between two pieces of a body no more than this may pass.
pub(crate) const BODY: Duration = Duration::from_secs(20);

/// Serves connections until `stop` comes.
pub(crate) async fn listen(listener: TcpListener, router: Router, headers: Duration, stop: impl Future<Output = ()>) {
    let mut stop = std::pin::pin!(stop);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stop => return,
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
        // A choice is a small message that somebody waits for.
        let _ = stream.set_nodelay(true);
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
