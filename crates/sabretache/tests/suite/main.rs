//! The program from outside: its commands, its messages, what it prints, and every command line that the documents give.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what it did not expect")]

#[path = "../common/mod.rs"]
mod common;

mod check;
mod examples;
mod laboratory;
mod players;
mod playsheet;
mod program;
mod protocol;
mod statistics;
mod words;
