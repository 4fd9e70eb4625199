//! The tests of this crate in one program: building and linking one costs more than most of them take.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what it did not expect")]

#[cfg(feature = "huzzah")]
mod aide;
#[cfg(all(feature = "huzzah", feature = "batteries", feature = "malbrook"))]
mod chances;
mod crowd;
mod first;
mod golden;
mod learnt;
mod threads;
