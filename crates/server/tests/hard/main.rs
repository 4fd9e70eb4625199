//! The server in hard times: kills, many battles, strangers who ask for much, several processes, garbled bytes. One of them after the other,
//! since each takes the whole machine.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

#[path = "../common/mod.rs"]
mod common;

mod cluster;
mod crash;
mod load;
mod patience;
mod postgres;
mod wire;

use std::path::Path;

/// How many processes serve the battles of a cluster.
const PROCESSES: usize = 3;

/// Processes that serve what is in a cluster.
async fn processes(cluster: &cluster::Cluster, folder: &Path) -> Vec<common::Server> {
    let mut all = Vec::new();
    for _ in 0..PROCESSES {
        all.push(common::Server::start_with(folder, &[("SABRETACHE_DATABASE", &cluster.address())]).await);
    }
    all
}

/// The one whose turn it is.
static ALONE: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());
