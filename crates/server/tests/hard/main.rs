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

/// The one whose turn it is.
static ALONE: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());
