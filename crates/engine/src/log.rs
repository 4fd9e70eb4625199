//! The whole battle in one file: JSON lines, each chained to the one before by its hash.
//!
//! The file is only ever added to. A line is `{"entry":…,"hash":"…"}`, where the hash is SHA-256 over the previous line's
//! hash and the bytes of the entry as they stand. A last line torn by a crash is found and cut; anything else that does
//! not fit the chain is an error that names its line.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};

use crate::dice::{Commitment, Party, Reveal};
use crate::eyes::Letter;
use crate::ids::Side;
use crate::offer::{Refusal, Value};
use crate::resolution::{self, Happening};
use crate::ruleset::Ruleset;

/// The version of the file format.
pub const FORMAT: u32 = 1;

/// How far the rules are enforced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "snake_case")]
pub enum Enforcement {
    /// Only what the rules allow.
    #[default]
    Referee,
    /// A breach is named, with its clause, and may be done all the same.
    Advise,
    /// As advise, and either side may adjust anything, as the umpire may at every level.
    Sandbox,
}

/// Where the dice of a battle come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DiceSource {
    /// From a seed.
    Seeded(u64),
    /// From real dice, typed in.
    Typed,
    /// From secrets that both sides and the host committed to.
    Agreed(BTreeMap<Party, Commitment>),
}

/// The first entry of a log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Begun {
    /// The version of the file format.
    pub sabretache: u32,
    /// The short name of the ruleset.
    pub ruleset: String,
    /// The version of its rules.
    pub version: String,
    /// The scenario, whole, with any changes of options and numbers.
    pub scenario: Json,
    /// How far the rules are enforced.
    pub enforcement: Enforcement,
    /// Where the dice come from.
    pub dice: DiceSource,
    /// The battle this one was branched from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branched_from: Option<Origin>,
}

/// Where a branch left the battle it came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Origin {
    /// The hash of the last entry that both share.
    pub hash: Hash,
    /// How many entries both share, the beginning included. Their dice are proved by the other log.
    pub shared: usize,
}

/// A choice and what came of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound(deserialize = "E: serde::de::DeserializeOwned"), deny_unknown_fields)]
pub struct Chosen<E> {
    /// Who chose.
    pub side: Side,
    /// The offer, by its key.
    pub offer: String,
    /// Its input.
    #[serde(default)]
    pub value: Value,
    /// Whether a standing instruction made the choice.
    #[serde(default, skip_serializing_if = "is_false")]
    pub standing: bool,
    /// Why nobody was asked, where a standing instruction made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// The standing instructions that ended with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lapsed: Vec<Lapse>,
    /// The rules that were broken with open eyes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub breaches: Vec<Refusal>,
    /// The secrets revealed for its dice.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub reveals: BTreeMap<Party, Reveal>,
    /// The hash of the log so far and the choice, for which the secrets were revealed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound: Option<Hash>,
    /// Whether what follows from its events is written down with them. In older entries it is not: there the rules are asked.
    #[serde(default, skip_serializing_if = "is_false")]
    pub settled: bool,
    /// The rolls and events, in order.
    pub happened: Vec<Happening<E>>,
    /// The hash of the battle afterwards.
    pub battle: Hash,
}

/// A standing instruction that has ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lapse {
    /// Whose it was.
    pub side: Side,
    /// What it was and why it ended, as a sentence.
    pub text: String,
}

impl<E> Chosen<E> {
    /// Folds one of its happenings into a battle.
    pub(crate) fn fold<R: Ruleset<Event = E>>(&self, battle: &mut R::Battle, one: &Happening<E>) {
        match one {
            Happening::Event(event) if !self.settled => resolution::fold::<R>(battle, event),
            Happening::Event(event) | Happening::Follows(event) => R::apply(battle, event),
            Happening::Roll(_) => {}
        }
    }

    /// Whether any dice were rolled.
    #[must_use]
    pub fn rolled(&self) -> bool {
        self.happened.iter().any(|one| matches!(one, Happening::Roll(_)))
    }
}

fn is_false(flag: &bool) -> bool {
    !flag
}

/// Who overrode the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "snake_case")]
pub enum Hand {
    /// The umpire.
    Umpire,
    /// A player, in a sandbox.
    Player(Side),
}

/// Something set by hand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adjusted {
    /// By whom.
    pub by: Hand,
    /// What: a path into the battle as a scenario, such as `units.fr-1.staggers`.
    pub path: String,
    /// What it was.
    pub from: Json,
    /// What it is now.
    pub to: Json,
    /// Why, in the umpire's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// The hash of the battle afterwards.
    pub battle: Hash,
}

/// What players say to each other that bears on the battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "snake_case")]
pub enum Say {
    /// Gives the battle up.
    Resign,
    /// Offers a draw.
    OfferDraw,
    /// Asks to take back its last choice and all that came after it.
    AskBack,
    /// Agrees to what the other side asks for.
    Agree,
    /// Does not.
    Refuse,
    /// No longer asks for it.
    Withdraw,
    /// A side has no time left: only the one who keeps the clock says so.
    OutOfTime(Side),
}

/// Something said, as it stands in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Said {
    /// By whom.
    pub by: Hand,
    /// What.
    pub say: Say,
    /// How many entries would still count, where it asks to take back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keep: Option<usize>,
}

/// Something that a side asks of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    /// Who asks.
    pub by: Side,
    /// For what.
    pub say: Say,
    /// How many entries would still count, where it asks to take back.
    pub keep: Option<usize>,
}

/// Something said, as everybody hears it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
pub struct SaidView {
    /// The line of the log it stands in, counted from 1.
    pub line: usize,
    /// The moment at which it was said; of a wish to take back that is open, the moment it would go back to.
    pub moment: usize,
    /// By whom.
    pub by: Hand,
    /// What.
    pub say: Say,
}

/// One entry of a log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", bound(deserialize = "E: serde::de::DeserializeOwned"))]
pub enum Entry<E> {
    /// The battle began.
    Begun(Box<Begun>),
    /// A side chose.
    Chosen(Chosen<E>),
    /// Something was set by hand.
    Adjusted(Adjusted),
    /// Somebody wrote to somebody. It changes nothing, and is never taken back.
    Written(Letter),
    /// A player gave up, asked for something or answered. It changes nothing on the table, and may end the battle.
    Said(Said),
    /// The entries after the `n`th were taken back.
    Undone {
        /// How many entries (the first one included) still count.
        keep: usize,
        /// Who took them back.
        by: Hand,
    },
}

impl<E> Entry<E> {
    /// The secrets revealed in it.
    #[must_use]
    pub fn reveals(&self) -> Option<&BTreeMap<Party, Reveal>> {
        match self {
            Self::Chosen(chosen) if !chosen.reveals.is_empty() => Some(&chosen.reveals),
            _ => None,
        }
    }
}

/// A SHA-256 hash, shown in hexadecimal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Hash(pub [u8; 32]);

impl Hash {
    /// What the first line is chained to.
    pub const START: Self = Self([0; 32]);

    /// The hash of these parts, one after the other.
    #[must_use]
    pub fn of(parts: &[&[u8]]) -> Self {
        let mut hasher = Sha256::new();
        for part in parts {
            hasher.update(part);
        }
        Self(hasher.finalize().into())
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}…", hex::encode(&self.0[..4]))
    }
}

impl From<Hash> for String {
    fn from(hash: Hash) -> Self {
        hash.to_string()
    }
}

impl TryFrom<String> for Hash {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        // One hash has one spelling: a line with other letters is not the line that was written.
        if text.bytes().any(|letter| letter.is_ascii_uppercase()) {
            return Err("not a hash: it is written in small letters".into());
        }
        let mut bytes = [0; 32];
        hex::decode_to_slice(&text, &mut bytes).map_err(|error| format!("not a hash: {error}"))?;
        Ok(Self(bytes))
    }
}

#[derive(Serialize)]
struct LineOut<'a> {
    entry: &'a RawValue,
    hash: Hash,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LineIn<'a> {
    #[serde(borrow)]
    entry: &'a RawValue,
    hash: Hash,
}

/// What is wrong with a log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadLog {
    /// There is nothing in it.
    #[error("the log is empty")]
    Empty,
    /// A line before the last cannot be read.
    #[error("line {line} of the log cannot be read: {why}")]
    Unreadable {
        /// Which line, counted from 1.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
    /// A line does not fit the one before it.
    #[error(
        "line {line} of the log has been changed, or lines before it are missing: its hash does not fit the line before"
    )]
    Broken {
        /// Which line.
        line: usize,
    },
    /// The log does not start as a log does.
    #[error("the log does not begin with the beginning of a battle")]
    NoBeginning,
    /// The log was written by a later version.
    #[error("the log is of format {0}; this program reads format {FORMAT}")]
    Format(u32),
}

/// A log read from a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Log<E> {
    /// The entries, in order, the beginning first.
    pub entries: Vec<Entry<E>>,
    /// The hash of each entry.
    pub hashes: Vec<Hash>,
    /// How many bytes of the file hold whole lines; what follows was torn by a crash.
    pub whole_bytes: usize,
}

impl<E: Serialize> Log<E> {
    /// A log with nothing in it.
    #[must_use]
    pub fn new() -> Self {
        Self { entries: Vec::new(), hashes: Vec::new(), whole_bytes: 0 }
    }

    /// Adds an entry and returns its line, newline included, to be written to the file.
    pub fn push(&mut self, entry: Entry<E>) -> Result<String, serde_json::Error> {
        let raw = serde_json::value::to_raw_value(&entry)?;
        let hash = Hash::of(&[&self.last_hash().0, raw.get().as_bytes()]);
        let line = serde_json::to_string(&LineOut { entry: &raw, hash })? + "\n";
        self.entries.push(entry);
        self.hashes.push(hash);
        self.whole_bytes += line.len();
        Ok(line)
    }

    /// The hash of the last entry.
    #[must_use]
    pub fn last_hash(&self) -> Hash {
        self.hashes.last().copied().unwrap_or(Hash::START)
    }

    /// The whole log as a file.
    pub fn to_text(&self) -> Result<String, serde_json::Error>
    where
        E: Clone,
    {
        let mut again = Self::new();
        self.entries.iter().map(|entry| again.push(entry.clone())).collect()
    }
}

impl<E: Serialize> Default for Log<E> {
    fn default() -> Self {
        Self::new()
    }
}

impl<E: serde::de::DeserializeOwned> Log<E> {
    /// Reads a log. A torn last line is left out; every other fault is an error.
    pub fn read(bytes: &[u8]) -> Result<Self, BadLog> {
        let mut log = Self { entries: Vec::new(), hashes: Vec::new(), whole_bytes: 0 };
        for line in whole_lines(bytes) {
            let (entry, hash) = log.next(line)?;
            log.admit(entry, hash, line.len());
        }
        match log.entries.first() {
            None => Err(BadLog::Empty),
            Some(Entry::Begun(begun)) if begun.sabretache != FORMAT => Err(BadLog::Format(begun.sabretache)),
            Some(Entry::Begun(_)) => Ok(log),
            Some(_) => Err(BadLog::NoBeginning),
        }
    }

    /// Reads a line that was added to this log, with its end, and sees that it fits the one before it.
    pub(crate) fn next(&self, line: &[u8]) -> Result<(Entry<E>, Hash), BadLog> {
        let number = self.entries.len() + 1;
        let unreadable = |why: String| BadLog::Unreadable { line: number, why };
        let text = line.strip_suffix(b"\n").ok_or_else(|| unreadable("it is torn".into()))?;
        let text = std::str::from_utf8(text).map_err(|error| unreadable(error.to_string()))?;
        let line: LineIn<'_> = serde_json::from_str(text).map_err(|error| unreadable(error.to_string()))?;
        let before = self.hashes.last().copied().unwrap_or(Hash::START);
        if Hash::of(&[&before.0, line.entry.get().as_bytes()]) != line.hash {
            return Err(BadLog::Broken { line: number });
        }
        let entry = serde_json::from_str(line.entry.get()).map_err(|error| unreadable(error.to_string()))?;
        if let Entry::Undone { keep, .. } = entry
            && (keep == 0 || keep >= self.entries.len())
        {
            return Err(unreadable("it takes back what is not there".into()));
        }
        if number > 1 && matches!(entry, Entry::Begun(_)) {
            return Err(unreadable("a battle begins once".into()));
        }
        Ok((entry, line.hash))
    }

    /// Adds a line that was read, and how many bytes it had.
    pub(crate) fn admit(&mut self, entry: Entry<E>, hash: Hash, bytes: usize) {
        self.entries.push(entry);
        self.hashes.push(hash);
        self.whole_bytes += bytes;
    }

    /// How the battle began.
    #[must_use]
    pub fn begun(&self) -> Option<&Begun> {
        match self.entries.first() {
            Some(Entry::Begun(begun)) => Some(begun),
            _ => None,
        }
    }

    /// The positions of the entries that still count: those taken back are left out, and what was only written or said.
    #[must_use]
    pub fn standing(&self) -> Vec<usize> {
        let mut standing = Vec::new();
        for (n, entry) in self.entries.iter().enumerate() {
            match entry {
                Entry::Undone { keep, .. } => standing.retain(|position| position < keep),
                Entry::Written(_) | Entry::Said(_) => {}
                _ => standing.push(n),
            }
        }
        standing
    }
}

/// The lines of a file that have their ends; one that a crash has torn is left out.
pub(crate) fn whole_lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.split_inclusive(|&b| b == b'\n').filter(|line| line.ends_with(b"\n"))
}

/// The name of the ruleset that a log was fought under, read from its first line alone.
pub fn ruleset_of(bytes: &[u8]) -> Result<String, BadLog> {
    let first = bytes.split_inclusive(|&b| b == b'\n').next().unwrap_or_default();
    let log = Log::<Json>::read(first)?;
    log.begun().map(|begun| begun.ruleset.clone()).ok_or(BadLog::NoBeginning)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn begun() -> Entry<u8> {
        Entry::Begun(Box::new(Begun {
            sabretache: FORMAT,
            ruleset: "tiny".into(),
            version: "1".into(),
            scenario: Json::Null,
            enforcement: Enforcement::Referee,
            dice: DiceSource::Seeded(1),
            branched_from: None,
        }))
    }

    fn chosen(event: u8) -> Entry<u8> {
        Entry::Chosen(Chosen {
            side: Side::A,
            offer: "go".into(),
            value: Value::None,
            standing: false,
            why: None,
            lapsed: vec![],
            breaches: vec![],
            reveals: BTreeMap::new(),
            bound: None,
            settled: true,
            happened: vec![Happening::Event(event)],
            battle: Hash::START,
        })
    }

    fn text() -> String {
        let mut log = Log::new();
        [begun(), chosen(1), chosen(2)].into_iter().map(|entry| log.push(entry).unwrap()).collect()
    }

    #[test]
    fn a_log_reads_back_as_it_was_written() {
        let text = text();
        let log = Log::<u8>::read(text.as_bytes()).unwrap();
        assert_eq!(log.entries, [begun(), chosen(1), chosen(2)]);
        assert_eq!(log.to_text().unwrap(), text);
    }

    #[test]
    fn a_line_torn_at_any_byte_is_cut_and_the_rest_kept() {
        let text = text();
        let starts: Vec<usize> = text.match_indices('\n').map(|(at, _)| at + 1).collect();
        for end in starts[0]..text.len() {
            let log = Log::<u8>::read(&text.as_bytes()[..end]).unwrap();
            let whole = starts.iter().filter(|start| **start <= end).count();
            assert_eq!((log.entries.len(), log.whole_bytes), (whole, starts[whole - 1]), "cut at {end}");
        }
    }

    #[test]
    fn a_changed_byte_anywhere_is_found() {
        let text = text();
        for at in (0..text.len()).step_by(3) {
            let mut bytes = text.clone().into_bytes();
            bytes[at] ^= 1;
            let read = Log::<u8>::read(&bytes);
            assert!(read.as_ref().is_ok_and(|log| log.entries.len() < 3) || read.is_err(), "byte {at}");
        }
    }

    #[test]
    fn a_missing_line_is_found() {
        let text = text();
        let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
        lines.remove(1);
        assert_eq!(Log::<u8>::read(lines.concat().as_bytes()), Err(BadLog::Broken { line: 2 }));
    }

    #[test]
    fn what_was_taken_back_no_longer_counts() {
        let mut log = Log::new();
        for entry in [begun(), chosen(1), chosen(2), Entry::Undone { keep: 2, by: Hand::Umpire }, chosen(3)] {
            log.push(entry).unwrap();
        }
        assert_eq!(log.standing(), [0, 1, 4]);
    }
}
