//! Replaying a log with the rules cut off: only `apply` runs, and what it decides by itself is found out.

use std::collections::BTreeSet;

use serde_json::Value as Json;

use super::{ResumeError, Session, folded, hash_of, muster};
use crate::clause::Clause;
use crate::log::{BadLog, Entry, Log};
use crate::mark;
use crate::ruleset::Ruleset;
use crate::scenario::Scenario;

/// The battle is compared with its recorded hash after every so many entries: saving it costs more than applying events.
const COMPARED_EVERY: usize = 8;

/// What replaying a log came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Replayed {
    /// How many lines the log has.
    pub lines: usize,
    /// The first line, counted from 1, after which the battle is not saved as it was when the log was written. A field that
    /// scenarios have gained since does that, too, so it is the battle at the end that must be the same.
    pub saved_otherwise: Option<usize>,
    /// The clauses whose deciding lines ran while events were applied. Events carry what was decided; what `apply` decides
    /// anew, a later version of the rules may decide otherwise.
    pub decided: BTreeSet<Clause>,
}

/// Why a kept log does not replay.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NotReplayed {
    /// It cannot be read or applied.
    #[error(transparent)]
    Resume(#[from] ResumeError),
    /// It leads to another battle.
    #[error("it ends in another battle than it did when it was recorded{}", .0.map_or(String::new(), |line| format!(
        ": they part at or before line {line}"
    )))]
    Elsewhere(Option<usize>),
}

impl From<BadLog> for NotReplayed {
    fn from(bad: BadLog) -> Self {
        Self::Resume(bad.into())
    }
}

/// Applies a log's events, and nothing else. Where the battle at its end was kept as a scenario, it must come to that battle.
pub fn replay<R: Ruleset>(bytes: &[u8], end: Option<&Json>) -> Result<Replayed, NotReplayed> {
    let log = Log::<R::Event>::read(bytes)?;
    let begun = log.begun().ok_or(BadLog::NoBeginning)?;
    if begun.ruleset != R::BOOK.name {
        return Err(ResumeError::OtherRuleset(begun.ruleset.clone()).into());
    }
    let mut battle = Session::<R>::from_beginning(begun).map_err(ResumeError::Scenario)?.battle;
    let mut replayed = Replayed { lines: log.entries.len(), ..Replayed::default() };
    let standing = log.standing();
    for (n, position) in standing.iter().enumerate().skip(1) {
        let entry = &log.entries[*position];
        let (after, decided) = mark::written(|| folded::<R>(battle, entry));
        battle = after.map_err(|error| ResumeError::Entry(position + 1, error.to_string()))?;
        // What is set by hand is mustered anew, and older entries leave out what follows: both ask the rules.
        if matches!(entry, Entry::Chosen(chosen) if chosen.settled) {
            replayed.decided.extend(decided.into_iter().filter(|clause| !R::WRITTEN.contains(clause)));
        }
        let recorded = match entry {
            Entry::Chosen(chosen) => Some(chosen.battle),
            Entry::Adjusted(adjusted) => Some(adjusted.battle),
            _ => None,
        };
        let compared = n.is_multiple_of(COMPARED_EVERY) || n + 1 == standing.len();
        if compared && replayed.saved_otherwise.is_none() && recorded.is_some_and(|hash| hash != hash_of::<R>(&battle))
        {
            replayed.saved_otherwise = Some(position + 1);
        }
    }
    match end {
        Some(end) => {
            let scenario = Scenario::<R::Body>::read(end).map_err(ResumeError::Scenario)?;
            let kept = muster::<R>(&scenario).map_err(ResumeError::Scenario)?;
            if kept != battle {
                return Err(NotReplayed::Elsewhere(replayed.saved_otherwise));
            }
        }
        None if replayed.saved_otherwise.is_some() => return Err(NotReplayed::Elsewhere(replayed.saved_otherwise)),
        None => {}
    }
    Ok(replayed)
}
