//! All that the server answers to, and what every request goes through.

mod battles;
mod dice;
mod laboratory;
mod lists;
mod refused;
mod seated;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::routing::{any, get};
use axum::{Router, middleware};
use tokio::sync::Semaphore;
use tower_http::compression::CompressionLayer;
use tower_http::set_header::SetResponseHeaderLayer;
use tower_http::timeout::RequestBodyTimeoutLayer;

pub(crate) use self::battles::whole_log;
pub(crate) use self::refused::{Body, Refused};
pub(crate) use self::seated::{admit, info, open_to};
use crate::guard::{self, Guard};
use crate::hall::Hall;
use crate::rate::Rate;
use crate::watch::{Caller, Watch};
use crate::{client, companion, listen, socket, watch, workshop};

/// The largest request in bytes: a scenario with all that JSON makes of it.
const LARGEST_BODY: usize = 4 << 20;
/// So many logs are taken in at once.
const UPLOADS: usize = 2;
/// New battles at once, and a second in the long run: of everybody together,
const NEW_BATTLES: (u32, u32) = (600, 40);
/// and of one caller.
const OWN_BATTLES: (u32, u32) = (300, 2);
/// So many callers are remembered; then those with nothing to answer for are forgotten.
const MOST_CALLERS: usize = 4_096;

const SECURITY: [(&str, &str); 4] = [
    (
        "content-security-policy",
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; frame-ancestors 'none'; \
         base-uri 'none'; form-action 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
];

/// What every handler has.
#[derive(Clone)]
pub(crate) struct App {
    pub(crate) hall: Hall,
    new_battles: Arc<Mutex<Rate>>,
    /// Logs that are read and proved at present: each takes memory and time.
    uploads: Arc<Semaphore>,
    /// The same for each caller.
    callers: Arc<Mutex<HashMap<String, Rate>>>,
}

/// All that the server answers to.
pub(crate) fn router(hall: Hall, guarding: Guard, behind_proxy: bool) -> Router {
    let new_battles = Arc::new(Mutex::new(Rate::new(NEW_BATTLES.0, NEW_BATTLES.1)));
    let watch = Watch { figures: Arc::clone(&hall.figures), behind_proxy };
    let uploads = Arc::new(Semaphore::new(UPLOADS));
    let app = App { hall, new_battles, uploads, callers: Arc::default() };
    let api = Router::new()
        .merge(lists::routes())
        .merge(battles::routes())
        .merge(dice::routes())
        .merge(laboratory::routes())
        .route("/battles/{id}/socket", any(socket::upgrade))
        .merge(crate::aides::routes())
        .merge(companion::routes())
        .merge(crate::exercises::routes())
        .merge(crate::friends::routes())
        .merge(crate::paper::routes())
        .merge(workshop::routes())
        .fallback(async || Refused::new(StatusCode::NOT_FOUND, "there is nothing here"));
    let mut router = Router::new()
        .nest("/api", api)
        .route("/health", get(watch::health))
        .route("/metrics", get(watch::metrics))
        .fallback(client::page)
        .with_state(app)
        .layer(DefaultBodyLimit::max(LARGEST_BODY))
        .layer(RequestBodyTimeoutLayer::new(listen::BODY))
        .layer(CompressionLayer::new())
        .layer(middleware::from_fn_with_state(guarding, guard::guard));
    for (name, value) in SECURITY {
        let (name, value) = (HeaderName::from_static(name), HeaderValue::from_static(value));
        router = router.layer(SetResponseHeaderLayer::overriding(name, value));
    }
    router.layer(middleware::from_fn_with_state(watch, watch::watch))
}

/// One more battle of this caller, if that is not too many.
pub(crate) fn permit(app: &App, Caller(caller): &Caller) -> Result<(), Refused> {
    let own = {
        let mut callers = app.callers.lock().unwrap_or_else(PoisonError::into_inner);
        if callers.len() >= MOST_CALLERS {
            callers.retain(|_, rate| !rate.is_full());
        }
        callers.entry(caller.clone()).or_insert_with(|| Rate::new(OWN_BATTLES.0, OWN_BATTLES.1)).take()
    };
    if !own {
        return Err(Refused::new(StatusCode::TOO_MANY_REQUESTS, "you have made many battles; wait a little"));
    }
    let mut rate = app.new_battles.lock().unwrap_or_else(PoisonError::into_inner);
    let busy = || Refused::new(StatusCode::TOO_MANY_REQUESTS, "too many new battles at once; wait a little");
    rate.take().then_some(()).ok_or_else(busy)
}
