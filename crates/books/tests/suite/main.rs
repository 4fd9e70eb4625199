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

// The part of the Python package that knows nothing of Python: it stands at the root, as it does there.
#[cfg(all(feature = "huzzah", feature = "batteries", feature = "malbrook"))]
#[allow(dead_code, reason = "the rest of the package uses it")]
#[path = "../../../../python/src/fight.rs"]
mod fight;
#[cfg(all(feature = "huzzah", feature = "batteries", feature = "malbrook"))]
#[allow(dead_code, reason = "the rest of the package uses it")]
#[path = "../../../../python/src/look.rs"]
mod look;
#[cfg(all(feature = "huzzah", feature = "batteries", feature = "malbrook"))]
#[allow(dead_code, reason = "the rest of the package uses it")]
#[path = "../../../../python/src/paths.rs"]
mod paths;
#[cfg(all(feature = "huzzah", feature = "batteries", feature = "malbrook"))]
mod python;
