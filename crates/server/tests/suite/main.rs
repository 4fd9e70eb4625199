//! The server as a client sees it: requests, seats, friends, what is hidden, players, upgrades, types.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

#[path = "../common/mod.rs"]
mod common;

mod api;
mod friends;
mod fuzz;
mod hidden;
mod notices;
mod operator;
mod players;
mod types;
mod upgrade;
