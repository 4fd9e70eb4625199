//! Proving a log: the rules are run again, every choice of it, and must come to the same.

mod entries;

use self::entries::prove;
use super::{ResumeError, Session};
use crate::log::{BadLog, Entry, Log, Origin};
use crate::ruleset::Ruleset;

/// What could not be proved.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Unproved {
    /// The log cannot even be read and replayed.
    #[error(transparent)]
    Resume(#[from] ResumeError),
    /// An entry does not follow from the rules.
    #[error("line {line}: {why}")]
    Entry {
        /// The line of the log, counted from 1.
        line: usize,
        /// What does not fit.
        why: String,
    },
    /// The log given for the battle that it was branched from is not that battle's.
    #[error("the battle it was branched from: {0}")]
    Parent(String),
    /// The battle was fought under other rules than these, by which it comes to something else. Its log is whole, and
    /// replays as recorded.
    #[error(
        "it was fought under other rules (version {theirs}; these are {ours}) and replays as recorded; by these rules, {differs}"
    )]
    OtherRules {
        /// The log's version.
        theirs: String,
        /// This program's.
        ours: String,
        /// The first thing that these rules do not come to.
        differs: String,
    },
}

impl From<BadLog> for Unproved {
    fn from(bad: BadLog) -> Self {
        Self::Resume(bad.into())
    }
}

/// What was proved of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proved {
    /// How many lines, those later taken back included.
    pub lines: usize,
    /// Of how many of them the dice are another battle's, which was not at hand: the rules come to what they say, but that
    /// these dice fell is for that battle's log to prove.
    pub inherited: usize,
    /// Whether a last line was torn by a crash. It counts for nothing.
    pub torn: bool,
}

/// Runs the rules again over every entry of a log, those later taken back included.
///
/// A log of other rules may be proved by these too. If not, it is told apart from one that was altered: its chain of
/// hashes is whole, and its events lead to the battles that it says.
pub fn verify<R: Ruleset>(bytes: &[u8]) -> Result<Proved, Unproved> {
    verify_with::<R>(bytes, None)
}

/// As [`verify`]; with the log of the battle that a branch came from, its dice up to there are proved too.
pub fn verify_with<R: Ruleset>(bytes: &[u8], parent: Option<&[u8]>) -> Result<Proved, Unproved> {
    let log = Log::<R::Event>::read(bytes)?;
    let theirs = log.begun().map(|begun| begun.version.clone()).unwrap_or_default();
    let proved = prove::<R>(&log).and_then(|()| if theirs == R::VERSION { as_written(&log, bytes) } else { Ok(()) });
    match proved {
        Err(unproved @ Unproved::Entry { .. }) if theirs != R::VERSION => {
            Session::<R>::resume(bytes)?;
            return Err(Unproved::OtherRules { theirs, ours: R::VERSION.into(), differs: unproved.to_string() });
        }
        other => other?,
    }
    let origin = log.begun().and_then(|begun| begun.branched_from);
    let inherited = match (origin, parent) {
        (None, None) => 0,
        (None, Some(_)) => return Err(Unproved::Parent("the battle was not branched from another".into())),
        (Some(origin), None) => origin.shared.saturating_sub(1),
        (Some(origin), Some(parent)) => prove_origin::<R>(&log, origin, parent)?,
    };
    Ok(Proved { lines: log.entries.len(), inherited, torn: log.whole_bytes < bytes.len() })
}

/// The entries that a branch shares with its parent are the parent's, and the parent is proved. How many entries then
/// still have dice of yet another battle.
fn prove_origin<R: Ruleset>(log: &Log<R::Event>, origin: Origin, parent: &[u8]) -> Result<usize, Unproved> {
    let other = |why: &str| Unproved::Parent(why.to_owned());
    let proved = verify::<R>(parent)?;
    let mut parent = Log::<R::Event>::read(parent)?;
    let at = parent.hashes.iter().position(|hash| *hash == origin.hash);
    let at = at.ok_or_else(|| other("it has no entry with the hash at which the branch says it left"))?;
    parent.entries.truncate(at + 1);
    let shared: Vec<&Entry<R::Event>> = parent.standing().into_iter().skip(1).map(|n| &parent.entries[n]).collect();
    let ours: Vec<&Entry<R::Event>> = log.entries.iter().skip(1).take(origin.shared.saturating_sub(1)).collect();
    if shared != ours {
        return Err(other("what happened before the branch left is not what its log says"));
    }
    Ok(proved.inherited)
}

/// Every line says what the rules come to and not a word more: what reading it passed over would be proved by nothing.
fn as_written<E: serde::Serialize>(log: &Log<E>, bytes: &[u8]) -> Result<(), Unproved> {
    let lines = bytes.split(|byte| *byte == b'\n').zip(&log.entries).enumerate();
    // The scenario of the first line is kept as it came, and held against its schema.
    for (n, (line, entry)) in lines.skip(1) {
        let ours = serde_json::to_vec(entry).unwrap_or_default();
        let prefix = [b"{\"entry\":", ours.as_slice(), b",\"hash\":"].concat();
        if !line.starts_with(&prefix) {
            let why = "it is not written as this program writes it: something in it means nothing".to_owned();
            return Err(Unproved::Entry { line: n + 1, why });
        }
    }
    Ok(())
}
