//! What is written about each request, and what a proxy or a monitor asks: `/health` and `/metrics`.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Instant;

use axum::extract::{Request, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::figures::{Figures, Standing};
use crate::http::App;

/// Who sends a request, as far as it can be told: the address, or the one that a trusted proxy names.
#[derive(Clone, Debug)]
pub(crate) struct Caller(pub(crate) String);

/// The address that a connection comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct From(pub(crate) IpAddr);

/// What every request goes through.
#[derive(Clone)]
pub(crate) struct Watch {
    pub(crate) figures: Arc<Figures>,
    /// Whether a proxy on this machine is believed about whom it speaks for.
    pub(crate) behind_proxy: bool,
}

/// Counts a request and writes a line about it. No secret is ever in an address, so addresses may be written down.
pub(crate) async fn watch(State(watch): State<Watch>, mut request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let from = request.extensions().get::<From>().copied();
    let caller = caller(from, request.headers(), watch.behind_proxy);
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    request.extensions_mut().insert(Caller(caller.clone()));
    let response = next.run(request).await;
    let (status, took) = (response.status().as_u16(), begun.elapsed());
    watch.figures.answered(status, took);
    let ms = took.as_secs_f64() * 1_000.0;
    if status >= 500 {
        tracing::error!(%method, path, status, ms, caller, "request");
    } else if path.starts_with("/api/") {
        tracing::info!(%method, path, status, ms, caller, "request");
    } else {
        tracing::debug!(%method, path, status, ms, caller, "request");
    }
    response
}

/// The last address of `X-Forwarded-For` is the one that the proxy itself has seen; those before it anybody can invent.
fn caller(from: Option<From>, headers: &HeaderMap, behind_proxy: bool) -> String {
    let named = headers.get_all("x-forwarded-for").iter().next_back().and_then(|value| value.to_str().ok());
    let named = named.and_then(|list| list.rsplit(',').next()?.trim().parse::<IpAddr>().ok());
    let believed = behind_proxy && from.is_some_and(|From(address)| address.is_loopback() || is_private(address));
    let address = named.filter(|_| believed).or(from.map(|From(address)| address));
    address.map_or_else(|| "unknown".to_owned(), one_of)
}

/// Who has an address: of the newer kind everybody has 18 trillion, and all of them are one caller.
fn one_of(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V4(v4) => v4.to_string(),
        IpAddr::V6(v6) => {
            let [a, b, c, d, ..] = v6.segments();
            if v6.is_loopback() {
                v6.to_string()
            } else {
                format!("{}/64", std::net::Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
            }
        }
    }
}

fn is_private(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(v4) => v4.is_private(),
        IpAddr::V6(v6) => v6.is_unique_local(),
    }
}

/// Whether the server can do its work: its database answers.
pub(crate) async fn health(State(app): State<App>) -> Response {
    match app.hall.store.count().await {
        Ok(_) => (StatusCode::OK, "ok\n").into_response(),
        Err(error) => (StatusCode::SERVICE_UNAVAILABLE, format!("{error}\n")).into_response(),
    }
}

/// What the server counts.
pub(crate) async fn metrics(State(app): State<App>) -> Response {
    let (thinking, waiting) = app.hall.thinkers.figures();
    let standing = Standing {
        kept: app.hall.store.count().await.unwrap_or_default(),
        in_memory: app.hall.in_memory(),
        thinking,
        waiting,
        runs_waiting: app.hall.bench.waiting(),
    };
    let text = app.hall.figures.text(&standing);
    ([(CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proxy_is_believed_only_where_one_is_expected() {
        let mut headers = HeaderMap::new();
        headers.insert("x-forwarded-for", "6.6.6.6, 1.2.3.4".parse().unwrap());
        let near = Some(From("127.0.0.1".parse().unwrap()));
        let far = Some(From("9.9.9.9".parse().unwrap()));
        assert_eq!(caller(near, &headers, true), "1.2.3.4");
        assert_eq!(caller(near, &headers, false), "127.0.0.1");
        assert_eq!(caller(far, &headers, true), "9.9.9.9", "it is no proxy of ours");
        headers.insert("x-forwarded-for", "nonsense".parse().unwrap());
        assert_eq!(caller(near, &headers, true), "127.0.0.1");
        assert_eq!(caller(None, &headers, true), "unknown");
    }

    #[test]
    fn all_addresses_of_a_house_are_one_caller() {
        let of = |text: &str| one_of(text.parse().unwrap());
        assert_eq!(of("2001:db8:1:2::1"), of("2001:db8:1:2:ffff:1:2:3"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
        assert_eq!((of("::ffff:1.2.3.4"), of("::1")), ("1.2.3.4".into(), "::1".into()));
    }
}
