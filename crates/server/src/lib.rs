//! Battles over HTTP and WebSocket, kept in SQLite, with the browser client in the same program.
//!
//! The server knows no book: it is given rulesets and scenarios, and passes the engine's own messages on.
//! `docs/server.md` describes what it answers to.
//!
//! - [`serve`] is all that a program needs;
//! - [`messages`] is what travels, beside the engine's requests and replies;
//! - [`players`] are the computer players.

mod agreed;
pub mod aides;
mod apart;
mod battle;
mod bounds;
mod catalogue;
mod changes;
mod client;
pub mod companion;
mod examples;
pub mod exercises;
mod figures;
pub mod friends;
mod guard;
mod hall;
mod http;
mod laboratory;
mod listen;
pub mod messages;
mod news;
pub mod paper;
pub mod players;
mod rate;
mod seats;
mod secret;
#[cfg(test)]
mod simulated;
mod socket;
mod store;
mod thinkers;
mod time;
mod watch;
pub mod workshop;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use sabretache_engine::erased::AnyRuleset;
use sabretache_engine::scenario::Bench;
use sabretache_lab::AnyLaboratory;
use sabretache_players::Program;
use tokio::net::TcpListener;

use crate::catalogue::Catalogue;
use crate::examples::Examples;
use crate::guard::Guard;
use crate::hall::Hall;
use crate::players::Opponents;
pub use crate::store::StoreError;

/// Where the server listens unless told otherwise.
pub const ADDRESS: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 1815);

/// What is served, where, and where it is kept.
pub struct Options {
    /// The rulesets.
    pub rulesets: Vec<&'static dyn AnyRuleset>,
    /// Their laboratories and computer players; a ruleset without one is fought by persons alone.
    pub laboratories: Vec<&'static dyn AnyLaboratory>,
    /// The numbers of each ruleset with the book's values, by its short name, so that they can be shown and changed.
    pub numbers: Vec<(&'static str, serde_json::Value)>,
    /// What the workshop needs to know of each ruleset, by its short name; one without it has no workshop.
    pub benches: Vec<(&'static str, Bench)>,
    /// The turn of each book for a battle with real figures, by its short name.
    pub turns: serde_json::Value,
    /// A folder of scenarios of one's own.
    pub own: Option<PathBuf>,
    /// The scenarios: a short name and the TOML of each.
    pub scenarios: Vec<(String, String)>,
    /// The drills and exercises, with the positions that they start from: a path and the TOML of each.
    pub drills: Vec<(&'static str, &'static str)>,
    /// Programs that play, by the names they are offered by.
    pub players: Vec<(String, &'static Program)>,
    /// Where to listen; port 0 for any that is free.
    pub address: SocketAddr,
    /// The folder of the database.
    pub data_dir: PathBuf,
    /// The address of a PostgreSQL database that keeps the battles instead: `postgres://…`.
    pub database: Option<String>,
    /// Whether to open the browser on it.
    pub open_browser: bool,
    /// How a line is written about each request, to standard error; where nothing is said, only warnings are.
    pub log: Option<LogForm>,
    /// Whether a reverse proxy passes requests on and says for whom.
    pub behind_proxy: bool,
}

/// How lines are written about what happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogForm {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

/// Why the server does not run.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The disk.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The address is taken or not to be had.
    #[error("cannot listen on {address}: {why}")]
    Listen {
        /// Which address.
        address: SocketAddr,
        /// What the system says.
        why: std::io::Error,
    },
    /// The system gives no threads, or the listener failed.
    #[error("the server failed: {0}")]
    Failed(#[from] std::io::Error),
}

/// Serves until the process is told to stop. Says on standard output where.
pub fn serve(options: Options) -> Result<(), ServeError> {
    write_down(options.log);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(run(options))
}

/// From now on what happens is written to standard error. `SABRETACHE_LOG` says from which level on: `debug`, `warn`.
fn write_down(form: Option<LogForm>) {
    let level = if form.is_some() { tracing::Level::INFO } else { tracing::Level::WARN };
    let said = std::env::var("SABRETACHE_LOG").ok().and_then(|level| level.parse().ok());
    let lines = tracing_subscriber::fmt().with_max_level(said.unwrap_or(level)).with_writer(std::io::stderr);
    // Somebody in this process may write them already.
    let _ = match form {
        Some(LogForm::Json) => lines.json().flatten_event(true).try_init(),
        _ => lines.with_target(false).try_init(),
    };
}

async fn run(options: Options) -> Result<(), ServeError> {
    let store = store::open(&options.data_dir, options.database.as_deref()).await?;
    let opponents = Opponents::new(options.laboratories, options.players);
    let (catalogue, left_out) = Catalogue::new(options.rulesets, options.scenarios, options.numbers);
    let (catalogue, own_left_out) = catalogue.with_workshop(options.benches, options.own, options.turns);
    for why in left_out.into_iter().chain(own_left_out) {
        println!("left out: {why}");
    }
    let unheard = |why| ServeError::Listen { address: options.address, why };
    let listener = TcpListener::bind(options.address).await.map_err(unheard)?;
    let address = listener.local_addr()?;
    let guard = Guard { local: address.ip().is_loopback() && !options.behind_proxy };
    if !address.ip().is_loopback() && !options.behind_proxy {
        tracing::warn!(
            %address,
            "this address can be reached from other machines and the connection is not encrypted: see docs/operating.md"
        );
    }
    let mut hall = Hall::new(catalogue, store, opponents, Examples::new(options.drills));
    let notices = friends::NoticeOptions::from_environment();
    let notices = friends::Notices::new(&notices, &options.data_dir, &address.to_string());
    hall.notices = std::sync::Arc::new(notices.map_err(std::io::Error::other)?);
    tokio::spawn(friends::sweep(hall.clone()));
    tokio::spawn(hall.clone().attend());
    let router = http::router(hall, guard, options.behind_proxy);
    println!("Sabretache is at http://{address}/");
    if options.open_browser {
        open_browser(&format!("http://{address}/"));
    }
    listen::listen(listener, router, listen::HEADERS, told_to_stop()).await;
    Ok(())
}

/// Waits for the interrupt key. Everything acknowledged is on the disk already, so there is nothing to save.
async fn told_to_stop() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// Opens the reader's browser, where there is one.
fn open_browser(address: &str) {
    let (program, arguments): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[address])
    } else if cfg!(target_os = "windows") {
        ("cmd", &["/C", "start", "", address])
    } else {
        ("xdg-open", &[address])
    };
    let opened =
        Command::new(program).args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    if opened.is_err() {
        println!("Open that address in a browser.");
    }
}
