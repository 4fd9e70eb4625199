//! The players on the tiny ruleset, in one program: each test program links all that is below it once more.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what it did not expect")]

mod contest;
mod plan;
mod players;
