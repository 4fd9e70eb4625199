//! Battles over HTTP and WebSocket, kept in SQLite, with the browser client in the same program.
//!
//! The server knows no book: it is given rulesets and scenarios, and passes the engine's own messages on.
//! `docs/server.md` describes what it answers to.
//!
//! - [`serve`] is all that a program needs;
//! - [`messages`] is what travels, beside the engine's requests and replies;
//! - [`players`] are the computer players.

mod agreed;
mod battle;
mod catalogue;
mod changes;
mod client;
pub mod companion;
mod examples;
mod guard;
mod hall;
mod http;
mod laboratory;
pub mod messages;
mod news;
pub mod players;
mod rate;
mod seats;
mod secret;
mod socket;
mod store;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use sabretache_engine::erased::AnyRuleset;
use sabretache_lab::AnyLaboratory;
use tokio::net::TcpListener;

use crate::catalogue::Catalogue;
use crate::examples::Examples;
use crate::guard::Guard;
use crate::hall::Hall;
use crate::players::Opponents;
use crate::store::Store;
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
    /// The scenarios: a short name and the TOML of each.
    pub scenarios: Vec<(String, String)>,
    /// The drills, with the positions that they start from: a path and the TOML of each.
    pub drills: Vec<(&'static str, &'static str)>,
    /// Where to listen; port 0 for any that is free.
    pub address: SocketAddr,
    /// The folder of the database.
    pub data_dir: PathBuf,
    /// Whether to open the browser on it.
    pub open_browser: bool,
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
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(run(options))
}

async fn run(options: Options) -> Result<(), ServeError> {
    let store = Store::open(&options.data_dir).await?;
    let opponents = Opponents::new(options.laboratories);
    let (catalogue, left_out) = Catalogue::new(options.rulesets, options.scenarios, options.numbers);
    for why in left_out {
        println!("left out: {why}");
    }
    let unheard = |why| ServeError::Listen { address: options.address, why };
    let listener = TcpListener::bind(options.address).await.map_err(unheard)?;
    let address = listener.local_addr()?;
    let guard = Guard { local: address.ip().is_loopback() };
    let router = http::router(Hall::new(catalogue, store, opponents, Examples::new(options.drills)), guard);
    println!("Sabretache is at http://{address}/");
    if options.open_browser {
        open_browser(&format!("http://{address}/"));
    }
    axum::serve(listener, router).with_graceful_shutdown(told_to_stop()).await?;
    Ok(())
}

/// Waits for the interrupt key. Everything acknowledged is on the disk already, so there is nothing to save.
async fn told_to_stop() {
    if tokio::signal::ctrl_c().await.is_ok() {
        // Connections that stay open would hold the process up; their battles are safe.
        tokio::spawn(async {
            tokio::time::sleep(std::time::Duration::from_secs(1)).await;
            std::process::exit(0);
        });
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
