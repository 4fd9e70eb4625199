//! A battle being fought: the log, the battle it leads to, and what may be done next.

mod accord;
mod adjust;
mod adjustable;
mod back;
mod choosing;
mod declined;
mod follow;
mod letters;
mod present;
mod quiet;
mod replay;
mod seen;
mod series;
mod story;
mod verify;

use std::sync::OnceLock;

use accord::Accord;
pub use accord::BY_ACCORD;
pub(crate) use adjust::set as set_at;
pub use adjustable::{Adjustable, AdjustableKind};
pub(crate) use choosing::make;
pub use choosing::odds_of_choice;
pub use declined::{Declined, DiceWanted, Order, Seat, Setup};
pub use replay::{NotReplayed, Replayed, replay};
pub use story::{StoryLine, StoryPart};
pub use verify::{Proved, Unproved, verify, verify_with};

use crate::dice::AgreedDice;
use crate::log::{BadLog, Begun, DiceSource, Entry, FORMAT, Hash, Log};
use crate::ruleset::Ruleset;
use crate::scenario::{Diagnostics, Path, Scenario};
use present::Present;
use quiet::{Given, Passed};

/// Replaying starts from the nearest of the battles kept every so many entries.
const CHECKPOINT_EVERY: usize = 32;

/// A battle being fought.
#[derive(Debug)]
pub struct Session<R: Ruleset> {
    log: Log<R::Event>,
    /// The entries that count, by position in the log.
    standing: Vec<usize>,
    battle: R::Battle,
    /// What has been worked out about the present decision.
    present: OnceLock<Present<R>>,
    /// The battle after so many standing entries.
    checkpoints: Vec<(usize, R::Battle)>,
    agreed: Option<AgreedDice>,
    instructions: [Vec<Given>; 2],
    /// Whether a side is asked nothing that is not meaningful and new.
    quiet: [bool; 2],
    /// What was let pass by those who are asked quietly.
    passed: Vec<Passed>,
    /// What the players have settled between them.
    accord: Accord,
}

impl<R: Ruleset> Clone for Session<R> {
    fn clone(&self) -> Self {
        Self {
            log: self.log.clone(),
            standing: self.standing.clone(),
            battle: self.battle.clone(),
            present: self.present.clone(),
            checkpoints: self.checkpoints.clone(),
            agreed: self.agreed.clone(),
            instructions: self.instructions.clone(),
            quiet: self.quiet,
            passed: self.passed.clone(),
            accord: self.accord.clone(),
        }
    }
}

impl<R: Ruleset> Session<R> {
    /// Begins a battle. The first line of its log is returned with it.
    pub fn begin(scenario: &Scenario<R::Body>, setup: Setup) -> Result<(Self, String), Diagnostics> {
        let begun = Begun {
            sabretache: FORMAT,
            ruleset: R::BOOK.name.into(),
            version: R::VERSION.into(),
            scenario: scenario.to_json(),
            enforcement: setup.enforcement,
            dice: setup.dice,
            branched_from: None,
        };
        // It was validated when it was read.
        let session = Self::laid_out(&begun, scenario)?;
        session.with_beginning(begun)
    }

    fn begin_with(begun: Begun) -> Result<(Self, String), Diagnostics> {
        Self::from_beginning(&begun)?.with_beginning(begun)
    }

    fn with_beginning(self, begun: Begun) -> Result<(Self, String), Diagnostics> {
        let mut session = self;
        let unwritten = |error: serde_json::Error| Diagnostics::single(Path::root(), error.to_string());
        let line = session.log.push(Entry::Begun(Box::new(begun))).map_err(unwritten)?;
        session.standing.push(0);
        Ok((session, line))
    }

    fn from_beginning(begun: &Begun) -> Result<Self, Diagnostics> {
        Self::laid_out(begun, &Scenario::<R::Body>::read(&begun.scenario)?)
    }

    fn laid_out(begun: &Begun, scenario: &Scenario<R::Body>) -> Result<Self, Diagnostics> {
        let battle = muster::<R>(scenario)?;
        let agreed = match &begun.dice {
            DiceSource::Agreed(commitments) => Some(
                AgreedDice::new(commitments).map_err(|error| Diagnostics::single(Path::root(), error.to_string()))?,
            ),
            _ => None,
        };
        Ok(Self {
            log: Log::new(),
            standing: Vec::new(),
            checkpoints: vec![(1, battle.clone())],
            battle,
            present: OnceLock::new(),
            agreed,
            instructions: [Vec::new(), Vec::new()],
            quiet: [false; 2],
            passed: Vec::new(),
            accord: Accord::default(),
        })
    }

    /// Takes a battle up again where its log leaves it. Only events are applied: no dice, no rules.
    pub fn resume(bytes: &[u8]) -> Result<Self, ResumeError> {
        let log = Log::<R::Event>::read(bytes)?;
        Self::of_log(log)
    }

    fn of_log(log: Log<R::Event>) -> Result<Self, ResumeError> {
        let begun = log.begun().ok_or(BadLog::NoBeginning)?;
        if begun.ruleset != R::BOOK.name {
            return Err(ResumeError::OtherRuleset(begun.ruleset.clone()));
        }
        let mut session = Self::from_beginning(begun).map_err(ResumeError::Scenario)?;
        session.standing = log.standing();
        for (position, entry) in log.entries.iter().enumerate() {
            session.accord.follow(position, entry);
        }
        session.log = log;
        let reveals: Vec<_> = session.log.entries.iter().filter_map(Entry::reveals).cloned().collect();
        if let Some(agreed) = &mut session.agreed {
            for reveals in reveals {
                agreed.pass(&reveals).map_err(|error| ResumeError::Entry(0, error.to_string()))?;
            }
        }
        for n in 1..session.standing.len() {
            let position = session.standing[n];
            let entry = session.log.entries[position].clone();
            session.fold(&entry).map_err(|error| ResumeError::Entry(position + 1, error.to_string()))?;
            session.keep_checkpoint(n + 1);
        }
        Ok(session)
    }

    /// Applies one entry to the battle.
    fn fold(&mut self, entry: &Entry<R::Event>) -> Result<(), Declined> {
        self.stand(folded::<R>(self.battle.clone(), entry)?);
        Ok(())
    }

    fn keep_checkpoint(&mut self, count: usize) {
        if count.is_multiple_of(CHECKPOINT_EVERY) {
            self.checkpoints.push((count, self.battle.clone()));
        }
    }

    /// The battle as it stands.
    #[must_use]
    pub fn battle(&self) -> &R::Battle {
        &self.battle
    }

    /// The log.
    #[must_use]
    pub fn log(&self) -> &Log<R::Event> {
        &self.log
    }

    /// How the battle began.
    #[must_use]
    pub fn begun(&self) -> &Begun {
        match &self.log.entries[0] {
            Entry::Begun(begun) => begun,
            _ => unreachable!("every log begins with a beginning"),
        }
    }

    /// How many entries count, the beginning included: the number of the moment now.
    #[must_use]
    pub fn now(&self) -> usize {
        self.standing.len()
    }

    /// The battle after so many entries.
    pub fn battle_at(&self, moment: usize) -> Result<R::Battle, Declined> {
        if moment == 0 || moment > self.now() {
            return Err(Declined::NoEntry(moment));
        }
        let nearest = self.checkpoints.iter().rev().find(|(count, _)| *count <= moment);
        let (count, battle) = nearest.unwrap_or(&self.checkpoints[0]);
        let mut battle = battle.clone();
        for position in &self.standing[*count..moment] {
            battle = folded::<R>(battle, &self.log.entries[*position])?;
        }
        Ok(battle)
    }

    /// The battle before each of the latest choices, as far back as no dice were thrown, and no further than so many: to come back to one of
    /// these would be to go in circles.
    #[must_use]
    pub fn since_dice(&self, most: usize) -> Vec<R::Battle> {
        let still = |position: &&usize| match &self.log.entries[**position] {
            Entry::Chosen(chosen) => !chosen.rolled(),
            _ => false,
        };
        let count = self.standing.iter().rev().take(most).take_while(still).count();
        (self.now() - count..self.now()).filter_map(|moment| self.battle_at(moment).ok()).collect()
    }

    /// The seed stream of the next choice: how many choices count so far, so that a choice taken back and made again
    /// meets the same dice.
    fn choices(&self) -> u64 {
        let chosen = |position: &&usize| matches!(self.log.entries[**position], Entry::Chosen(_));
        self.standing.iter().filter(chosen).count() as u64
    }

    fn write(&mut self, entry: Entry<R::Event>) -> Result<String, Declined> {
        let counts = !matches!(entry, Entry::Undone { .. } | Entry::Written(_) | Entry::Said(_));
        self.accord.follow(self.log.entries.len(), &entry);
        let line = self.log.push(entry).map_err(|error| Declined::Unwritten(error.to_string()))?;
        if counts {
            self.standing.push(self.log.entries.len() - 1);
        }
        Ok(line)
    }
}

/// Why a log cannot be taken up again.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ResumeError {
    /// The log itself is faulty.
    #[error(transparent)]
    Log(#[from] BadLog),
    /// The scenario in it is faulty.
    #[error("the scenario in the log cannot be laid out:\n{0}")]
    Scenario(Diagnostics),
    /// It belongs to another ruleset.
    #[error("the battle was fought under '{0}'")]
    OtherRuleset(String),
    /// An entry cannot be applied.
    #[error("line {0} of the log cannot be applied: {1}")]
    Entry(usize, String),
}

/// Lays out a scenario; all that is wrong with it at once.
pub fn muster<R: Ruleset>(scenario: &Scenario<R::Body>) -> Result<R::Battle, Diagnostics> {
    let mut report = Diagnostics::new();
    let battle = R::muster(scenario, &mut report);
    report.clean()?;
    let battle = battle.ok_or_else(|| Diagnostics::single(Path::root(), "the scenario cannot be laid out"))?;
    R::check(&battle).map_err(|broken| Diagnostics::single(Path::root(), broken))?;
    Ok(battle)
}

/// The fingerprint of a battle: the hash of what it is saved as. Every choice is noted with it, so it is written out as it
/// goes and not gathered first.
#[must_use]
pub fn hash_of<R: Ruleset>(battle: &R::Battle) -> Hash {
    Hash::of(&[&serde_json::to_vec(&R::save(battle)).unwrap_or_else(|_| b"null".to_vec())])
}

/// The battle after one more entry.
fn folded<R: Ruleset>(mut battle: R::Battle, entry: &Entry<R::Event>) -> Result<R::Battle, Declined> {
    match entry {
        Entry::Chosen(chosen) => {
            chosen.happened.iter().for_each(|one| chosen.fold::<R>(&mut battle, one));
            Ok(battle)
        }
        Entry::Adjusted(adjusted) => {
            let (battle, _) =
                adjust::adjusted::<R>(&battle, &adjusted.path, &adjusted.to).map_err(Declined::Adjustment)?;
            Ok(battle)
        }
        Entry::Begun(_) | Entry::Undone { .. } | Entry::Written(_) | Entry::Said(_) => Ok(battle),
    }
}
