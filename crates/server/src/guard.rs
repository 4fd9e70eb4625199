//! Who may talk to the server at all: the right host, the right origin, a secret.

use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, HOST, ORIGIN};
use axum::http::{HeaderMap, Method};
use axum::middleware::Next;
use axum::response::Response;

use crate::http::Refused;
use crate::socket::MOST_SECRETS;

/// What the guard goes by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guard {
    /// Whether the server listens on this machine only.
    pub(crate) local: bool,
}

/// Lets a request pass or not.
///
/// A page of another site must not drive a battle with the reader's browser, and a foreign name that points at this
/// machine must not stand in for it.
pub(crate) async fn guard(State(guard): State<Guard>, request: Request, next: Next) -> Result<Response, Refused> {
    let headers = request.headers();
    let host = header(headers, HOST.as_str()).or_else(|| request.uri().host().map(str::to_owned));
    if guard.local && !host.as_deref().is_some_and(is_local) {
        return Err(Refused::forbidden("this server answers to this machine's own name only"));
    }
    let changes = !matches!(*request.method(), Method::GET | Method::HEAD);
    let upgrade = headers.contains_key("upgrade");
    if (changes || upgrade) && !same_origin(headers, host.as_deref()) {
        return Err(Refused::forbidden("a page of another site may not do this"));
    }
    Ok(next.run(request).await)
}

fn header(headers: &HeaderMap, name: &str) -> Option<String> {
    headers.get(name)?.to_str().ok().map(str::to_owned)
}

/// Programs send no origin; browsers always do when it matters.
fn same_origin(headers: &HeaderMap, host: Option<&str>) -> bool {
    let Some(origin) = headers.get(ORIGIN) else { return true };
    let origin = origin.to_str().unwrap_or_default();
    let place = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    place.is_some() && place == host
}

fn is_local(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host,
    };
    matches!(name, "localhost" | "127.0.0.1" | "[::1]")
}

/// The secrets sent along: `Authorization: Seat <secret>, <secret>`.
pub(crate) fn secrets(headers: &HeaderMap) -> Vec<String> {
    let given = header(headers, AUTHORIZATION.as_str()).unwrap_or_default();
    let list = given.strip_prefix("Seat ").unwrap_or_default();
    list.split(',')
        .map(|secret| secret.trim().to_owned())
        .filter(|secret| !secret.is_empty())
        .take(MOST_SECRETS)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_s_own_names_are_local() {
        for host in ["localhost", "localhost:1815", "127.0.0.1:80", "[::1]:1815"] {
            assert!(is_local(host), "{host}");
        }
        for host in ["example.org", "localhost.example.org", "127.0.0.1.example.org:1815", ""] {
            assert!(!is_local(host), "{host}");
        }
    }

    #[test]
    fn the_origin_must_be_the_host_itself() {
        let mut headers = HeaderMap::new();
        assert!(same_origin(&headers, Some("localhost:1815")));
        headers.insert(ORIGIN, "http://localhost:1815".parse().unwrap());
        assert!(same_origin(&headers, Some("localhost:1815")));
        for host in [Some("localhost:1816"), Some("localhost"), None] {
            assert!(!same_origin(&headers, host), "{host:?}");
        }
        headers.insert(ORIGIN, "null".parse().unwrap());
        assert!(!same_origin(&headers, Some("null")));
    }
}
