//! How a program fails.

use std::fmt;

use serde::{Deserialize, Serialize};

/// In which way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// It cannot be started at all.
    Start,
    /// It ended, or closed its output, where it should have answered.
    Crash,
    /// It runs and does not answer in time.
    Stall,
    /// It answered what is no answer.
    Rubbish,
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Start => "no start",
            Self::Crash => "crash",
            Self::Stall => "stall",
            Self::Rubbish => "rubbish",
        })
    }
}

impl FaultKind {
    /// What it did.
    #[must_use]
    pub const fn verb(self) -> &'static str {
        match self {
            Self::Start => "did not start",
            Self::Crash => "crashed",
            Self::Stall => "stalled",
            Self::Rubbish => "sent rubbish",
        }
    }
}

/// What a program did wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Fault {
    /// In which way it failed.
    pub kind: FaultKind,
    /// What was expected and what came, in words.
    pub why: String,
    /// The last that it wrote to standard error.
    pub stderr: String,
}

impl Fault {
    pub(super) fn new(kind: FaultKind, why: impl Into<String>) -> Self {
        Self { kind, why: why.into(), stderr: String::new() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "it {}: {}", self.kind.verb(), self.why)?;
        match self.stderr.trim() {
            "" => Ok(()),
            said => write!(f, "; on standard error it said: {said}"),
        }
    }
}
