//! A battle being fought: the log, the battle it leads to, and what may be done next.

mod adjust;
mod adjustable;
mod letters;
mod quiet;
mod seen;
mod series;
mod story;
mod verify;

use std::collections::BTreeMap;

use serde_json::Value as Json;

pub(crate) use adjust::set as set_at;
pub use adjustable::{Adjustable, AdjustableKind};
pub use story::{StoryLine, StoryPart};
pub use verify::{Proved, Unproved, verify, verify_with};

use crate::dice::{AgreedDice, BrokenAgreement, Dice, NoDice, Party, Reveal, Scripted, Seeded, Throw};
use crate::forecast::{Forecast, Reckoning, forecast, reckoned};
use crate::ids::Side;
use crate::log::{Adjusted, BadLog, Begun, Chosen, DiceSource, Enforcement, Entry, FORMAT, Hand, Hash, Log, Origin};
use crate::odds::{MOST_BRANCHES, NoOdds, Odds, odds_of};
use crate::offer::{Choice, Halt, Refusal, Value};
use crate::resolution::{Happening, Resolution};
use crate::ruleset::Ruleset;
use crate::scenario::{Diagnostics, Path, Scenario};
use quiet::{Given, Passed};

/// Replaying starts from the nearest of the battles kept every so many entries.
const CHECKPOINT_EVERY: usize = 32;

/// How a battle is to be fought.
#[derive(Clone, Debug, PartialEq)]
pub struct Setup {
    /// How far the rules are enforced.
    pub enforcement: Enforcement,
    /// Where the dice come from.
    pub dice: DiceSource,
}

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seat {
    /// A player.
    Player(Side),
    /// The umpire, who may decide and adjust for either side.
    Umpire,
    /// A spectator, who may only look.
    Spectator,
}

/// A choice as it comes from outside.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Order {
    /// The offer, by its key.
    pub offer: String,
    /// Its input.
    pub value: Value,
    /// Real dice, typed in.
    pub dice: Vec<u8>,
    /// Secrets revealed for agreed dice.
    pub reveals: BTreeMap<Party, Reveal>,
    /// Do it although the rules forbid it, where the players are only advised.
    pub despite: bool,
    /// Which of several players of the side decides; all of them together, where nobody is named.
    pub player: Option<String>,
}

/// Why something was not done. The battle is unchanged.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Declined {
    /// The battle is over.
    #[error("the battle is over")]
    Over,
    /// It is not for this seat to decide.
    #[error("it is for side {0} to decide now")]
    NotYours(Side),
    /// Nobody of that name plays on this side.
    #[error("nobody called '{0}' plays on this side")]
    NoSuchPlayer(String),
    /// Another player of the side commands there.
    #[error("that is for {0} to decide, whose command it is")]
    NotYourCommand(String),
    /// Spectators look on.
    #[error("a spectator looks on and decides nothing")]
    Spectator,
    /// There is no such offer.
    #[error("there is nothing called '{0}' to choose now")]
    NoSuchOffer(String),
    /// The rules forbid it, the value does not fit, or dice are wanted.
    #[error(transparent)]
    Halt(#[from] Halt),
    /// Dice are wanted that are not there yet.
    #[error("throw {}", .0.throw)]
    Dice(Box<DiceWanted>),
    /// A series of choices with nothing in it, or far too much.
    #[error("a series has between 1 and {0} choices")]
    NoSeries(usize),
    /// The revealed secrets do not fit what was committed to.
    #[error(transparent)]
    Agreement(#[from] BrokenAgreement),
    /// More dice were typed in than the choice used.
    #[error("{0} of the dice typed in were not used")]
    DiceLeft(usize),
    /// Nothing may be taken back.
    #[error("{0}")]
    NoUndo(&'static str),
    /// There is no such entry.
    #[error("the battle has no entry {0}")]
    NoEntry(usize),
    /// Two battles cannot draw on the same secrets.
    #[error("a branch of a battle with agreed dice needs dice of its own")]
    SecretsSpent,
    /// An adjustment makes no possible position.
    #[error("that would make no possible position:\n{0}")]
    Adjustment(Diagnostics),
    /// Only the umpire may do this here.
    #[error("only the umpire adjusts a battle that is not a sandbox")]
    NotUmpire,
    /// What must always hold does not: a fault in the rules code, which is not let into the log.
    #[error("this broke what must always hold, and was not done: {0}")]
    Broken(String),
    /// It would tell what not everybody may know yet.
    #[error("that would tell what is hidden from you: the umpire knows, and you will when the battle is over")]
    Sealed,
    /// A letter cannot be sent.
    #[error("{0}")]
    Unsent(&'static str),
    /// The choice was meant for a moment that has passed.
    #[error("the battle has gone on since; look again")]
    TooLate,
    /// There are too many ways it can go to tell its odds.
    #[error("it can go in more than {0} ways: too many to tell the odds")]
    NoOdds(usize),
    /// The book has no such clause.
    #[error("the book has no clause '{0}'")]
    NoSuchClause(String),
    /// Not a matter for a battle in progress.
    #[error("that begins another battle; it is not for this one to answer")]
    NotHere,
    /// The entry could not be written.
    #[error("the entry could not be written: {0}")]
    Unwritten(String),
}

/// Dice that are wanted.
#[derive(Clone, Debug, PartialEq)]
pub struct DiceWanted {
    /// Which.
    pub throw: Throw,
    /// Who throws them, and what for.
    pub reckoning: Option<Reckoning>,
    /// The faces that were there and were used.
    pub given: Vec<u8>,
}

impl From<NoDice> for Declined {
    fn from(no_dice: NoDice) -> Self {
        Self::Halt(no_dice.into())
    }
}

/// A battle being fought.
#[derive(Debug)]
pub struct Session<R: Ruleset> {
    log: Log<R::Event>,
    /// The entries that count, by position in the log.
    standing: Vec<usize>,
    battle: R::Battle,
    /// The battle after so many standing entries.
    checkpoints: Vec<(usize, R::Battle)>,
    agreed: Option<AgreedDice>,
    instructions: [Vec<Given>; 2],
    /// Whether a side is asked nothing that is not meaningful and new.
    quiet: [bool; 2],
    /// What was let pass by those who are asked quietly.
    passed: Vec<Passed>,
}

impl<R: Ruleset> Clone for Session<R> {
    fn clone(&self) -> Self {
        Self {
            log: self.log.clone(),
            standing: self.standing.clone(),
            battle: self.battle.clone(),
            checkpoints: self.checkpoints.clone(),
            agreed: self.agreed.clone(),
            instructions: self.instructions.clone(),
            quiet: self.quiet,
            passed: self.passed.clone(),
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
        Self::begin_with(begun)
    }

    fn begin_with(begun: Begun) -> Result<(Self, String), Diagnostics> {
        let mut session = Self::from_beginning(&begun)?;
        let unwritten = |error: serde_json::Error| Diagnostics::single(Path::root(), error.to_string());
        let line = session.log.push(Entry::Begun(Box::new(begun))).map_err(unwritten)?;
        session.standing.push(0);
        Ok((session, line))
    }

    fn from_beginning(begun: &Begun) -> Result<Self, Diagnostics> {
        let scenario = Scenario::<R::Body>::read(&begun.scenario)?;
        let battle = muster::<R>(&scenario)?;
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
            agreed,
            instructions: [Vec::new(), Vec::new()],
            quiet: [false; 2],
            passed: Vec::new(),
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
        session.log = log;
        let reveals: Vec<_> = session.log.entries.iter().filter_map(Entry::reveals).cloned().collect();
        if let Some(agreed) = &mut session.agreed {
            for reveals in reveals {
                agreed.pass(&reveals).map_err(|error| ResumeError::Entry(0, error.to_string()))?;
            }
        }
        session.battle = session.checkpoints[0].1.clone();
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
        self.battle = folded::<R>(self.battle.clone(), entry)?;
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

    /// Makes a choice, and after it those that standing instructions make. Returns the new lines of the log.
    ///
    /// When dice are wanted (typed, agreed) it declines, saying which, and can be called again with more of them.
    pub fn choose(&mut self, seat: Seat, order: &Order) -> Result<Vec<String>, Declined> {
        let passing = self.passing(order);
        let mut lines = vec![self.choose_one(seat, order, None)?];
        self.passed.extend(passing);
        while let Some((pass, why)) = self.standing_answer() {
            let order = Order { offer: R::key(&self.battle, &pass), ..Order::default() };
            match self.choose_one(Seat::Umpire, &order, Some(why)) {
                Ok(line) => lines.push(line),
                // It needs dice or breaks something: then the player is asked after all.
                Err(_) => break,
            }
        }
        Ok(lines)
    }

    fn choose_one(&mut self, seat: Seat, order: &Order, standing: Option<String>) -> Result<String, Declined> {
        let side = R::deciding(&self.battle).ok_or(Declined::Over)?;
        match seat {
            Seat::Spectator => return Err(Declined::Spectator),
            Seat::Player(mine) if mine != side => return Err(Declined::NotYours(side)),
            _ => {}
        }
        let lenient = order.despite && self.begun().enforcement != Enforcement::Referee;
        let (offer, mut breaches) = find::<R>(&self.battle, &order.offer, lenient)?;
        if let Some(player) = &order.player {
            is_for::<R>(&self.battle, side, player, &offer)?;
        }
        let choice = Choice { offer, value: order.value.clone() };
        let mut dice = self.dice(order)?;
        let made = make::<R>(&self.battle, &choice, lenient, dice.source());
        let Made { battle, happened, breaches: broken } = made.map_err(|declined| match declined {
            Declined::Dice(wanted) => Declined::Dice(Box::new(DiceWanted { given: dice.used(), ..*wanted })),
            other => other,
        })?;
        breaches.extend(broken);
        if dice.left() > 0 {
            return Err(Declined::DiceLeft(dice.left()));
        }

        let rolled = happened.iter().any(|one| matches!(one, Happening::Roll(_)));
        let reveals = if rolled { order.reveals.clone() } else { BTreeMap::new() };
        let lapsed = self.lapsing(&happened, &battle);
        let entry = Entry::Chosen(Chosen {
            side,
            offer: order.offer.clone(),
            value: order.value.clone(),
            standing: standing.is_some(),
            why: standing,
            lapsed,
            breaches,
            reveals,
            happened,
            battle: hash_of::<R>(&battle),
        });
        let line = self.write(entry)?;
        if let (true, ChoiceDice::Agreed(_, agreement)) = (rolled, dice) {
            self.agreed = Some(agreement);
        }
        self.battle = battle;
        self.keep_checkpoint(self.now());
        Ok(line)
    }

    fn write(&mut self, entry: Entry<R::Event>) -> Result<String, Declined> {
        let counts = !matches!(entry, Entry::Undone { .. } | Entry::Written(_));
        let line = self.log.push(entry).map_err(|error| Declined::Unwritten(error.to_string()))?;
        if counts {
            self.standing.push(self.log.entries.len() - 1);
        }
        Ok(line)
    }

    /// The offer with this key; where the rules may be broken with open eyes, also one that they close, with the breach.
    fn dice(&self, order: &Order) -> Result<ChoiceDice, Declined> {
        Ok(match &self.begun().dice {
            DiceSource::Seeded(seed) => ChoiceDice::Seeded(Seeded::for_choice(*seed, self.choices())),
            DiceSource::Typed => ChoiceDice::Typed(Scripted::new(order.dice.clone())),
            DiceSource::Agreed(_) if order.reveals.is_empty() => ChoiceDice::Typed(Scripted::default()),
            DiceSource::Agreed(commitments) => {
                let mut agreement = match &self.agreed {
                    Some(agreement) => agreement.clone(),
                    None => AgreedDice::new(commitments)?,
                };
                let seeded = agreement.open(&order.reveals, &self.bound_to(order))?;
                ChoiceDice::Agreed(seeded, agreement)
            }
        })
    }

    /// What agreed dice are bound to: the log so far and the choice itself.
    fn bound_to(&self, order: &Order) -> Vec<u8> {
        let choice = serde_json::json!([order.offer, order.value]);
        [&self.log.last_hash().0[..], choice.to_string().as_bytes()].concat()
    }

    /// The exact odds of a choice, up to the next decision, by what it comes to.
    pub fn odds(&self, offer: &str, value: &Value) -> Result<Odds<String>, NoOdds<Declined>> {
        let (offer, _) = find::<R>(&self.battle, offer, true).map_err(NoOdds::Stopped)?;
        check_value::<R>(&self.battle, &offer, value, false).map_err(NoOdds::Stopped)?;
        odds_of_choice::<R>(&self.battle, &Choice { offer, value: value.clone() }).map_err(|error| match error {
            NoOdds::TooMany { most } => NoOdds::TooMany { most },
            NoOdds::Stopped(halt) => NoOdds::Stopped(halt.into()),
        })
    }

    /// What comes of a choice, in headlines, outcomes and what each unit has to fear; and the first rolls to come.
    pub fn forecast(&self, offer: &str, value: &Value) -> Result<(Forecast, Vec<Reckoning>), NoOdds<Declined>> {
        let (offer, _) = find::<R>(&self.battle, offer, true).map_err(NoOdds::Stopped)?;
        check_value::<R>(&self.battle, &offer, value, false).map_err(NoOdds::Stopped)?;
        let choice = Choice { offer, value: value.clone() };
        let forecast = forecast::<R>(&self.battle, &choice).map_err(|error| match error {
            NoOdds::TooMany { most } => NoOdds::TooMany { most },
            NoOdds::Stopped(halt) => NoOdds::Stopped(halt.into()),
        })?;
        let reckoning = reckoned::<R>(&self.battle, &choice);
        Ok((forecast, reckoning))
    }

    /// Takes the last entry back for one of several players of a side: only what was for him to decide. Whose of the
    /// other side's players decided is nothing to him: `undo` tells him that the other side has.
    pub fn undo_by(&mut self, seat: Seat, player: &str) -> Result<String, Declined> {
        let count = self.count_taken_back(seat);
        let last = self.standing[self.now() - count];
        if let (Seat::Player(side), Entry::Chosen(chosen)) = (seat, &self.log.entries[last])
            && chosen.side == side
        {
            let before = self.battle_at(self.now() - count)?;
            is_for::<R>(&before, side, player, &find::<R>(&before, &chosen.offer, true)?.0)?;
        }
        self.undo(seat)
    }

    /// How many entries a seat would take back: the last, and with it those that standing instructions of the other side
    /// made in answer.
    fn count_taken_back(&self, seat: Seat) -> usize {
        let answers = self.standing.iter().rev().take_while(|position| match (&self.log.entries[**position], seat) {
            (Entry::Chosen(chosen), Seat::Player(side)) => chosen.side != side && chosen.standing && !chosen.rolled(),
            _ => false,
        });
        (answers.count() + 1).min(self.now())
    }

    /// Takes the last entry back, and with it what standing instructions of the other side let pass in answer. It is free
    /// until dice were rolled or the other side has decided; the umpire may always.
    pub fn undo(&mut self, seat: Seat) -> Result<String, Declined> {
        let count = self.count_taken_back(seat);
        let last = self.standing[self.now() - count];
        let hand = match (seat, &self.log.entries[last]) {
            (Seat::Spectator, _) => return Err(Declined::Spectator),
            (_, Entry::Begun(_)) => return Err(Declined::NoUndo("nothing has been done yet")),
            (Seat::Umpire, _) => Hand::Umpire,
            (Seat::Player(side), Entry::Chosen(chosen)) if chosen.side == side => {
                if chosen.rolled() {
                    return Err(Declined::NoUndo("dice have been rolled since"));
                }
                if self.has_seen_more(side, &self.battle_at(self.now() - 1)?) {
                    return Err(Declined::NoUndo("something has been seen since that was hidden before"));
                }
                Hand::Player(side)
            }
            (Seat::Player(_), Entry::Chosen(_)) => return Err(Declined::NoUndo("the other side has decided since")),
            (Seat::Player(side), _) if self.begun().enforcement == Enforcement::Sandbox => Hand::Player(side),
            _ => return Err(Declined::NoUndo("the umpire has adjusted the battle since")),
        };
        let now = self.now() - count;
        let before = self.battle_at(now)?;
        let line = self.write(Entry::Undone { keep: last, by: hand })?;
        self.standing.truncate(now);
        self.checkpoints.retain(|(count, _)| *count <= now);
        self.passed.retain(|passed| passed.moment <= now);
        self.battle = before;
        Ok(line)
    }

    /// Sets something by hand: a path into the battle as a scenario, such as `units.fr-1.staggers`.
    pub fn adjust(&mut self, seat: Seat, path: &str, to: Json, why: Option<String>) -> Result<String, Declined> {
        let by = match seat {
            Seat::Umpire => Hand::Umpire,
            Seat::Player(side) if self.begun().enforcement == Enforcement::Sandbox => Hand::Player(side),
            Seat::Player(_) => return Err(Declined::NotUmpire),
            Seat::Spectator => return Err(Declined::Spectator),
        };
        let (battle, from) = adjust::adjusted::<R>(&self.battle, path, &to).map_err(Declined::Adjustment)?;
        R::check(&battle).map_err(Declined::Broken)?;
        let hash = hash_of::<R>(&battle);
        let entry = Adjusted { by, path: path.to_owned(), from, to, why, battle: hash };
        let line = self.write(Entry::Adjusted(entry))?;
        self.battle = battle;
        self.keep_checkpoint(self.now());
        Ok(line)
    }

    /// A new battle that shares the first `moment` entries with this one, with its whole log.
    pub fn branch(&self, moment: usize, dice: Option<DiceSource>) -> Result<(Self, String), Declined> {
        if moment == 0 || moment > self.now() {
            return Err(Declined::NoEntry(moment));
        }
        let mut begun = self.begun().clone();
        begun.branched_from = Some(Origin { hash: self.log.hashes[self.standing[moment - 1]], shared: moment });
        begun.dice = match (dice, begun.dice) {
            (Some(dice), _) => dice,
            (None, DiceSource::Agreed(_)) => return Err(Declined::SecretsSpent),
            (None, dice) => dice,
        };
        let (mut branch, mut text) = Self::begin_with(begun).map_err(Declined::Adjustment)?;
        for position in &self.standing[1..moment] {
            let entry = self.log.entries[*position].clone();
            branch.fold(&entry)?;
            text += &branch.write(entry)?;
            branch.keep_checkpoint(branch.now());
        }
        Ok((branch, text))
    }
}

/// The dice of one choice.
enum ChoiceDice {
    Seeded(Seeded),
    Typed(Scripted),
    Agreed(Seeded, AgreedDice),
}

impl ChoiceDice {
    fn source(&mut self) -> &mut dyn Dice {
        match self {
            Self::Seeded(dice) | Self::Agreed(dice, _) => dice,
            Self::Typed(dice) => dice,
        }
    }

    fn left(&self) -> usize {
        if let Self::Typed(dice) = self { dice.left().len() } else { 0 }
    }

    fn used(&self) -> Vec<u8> {
        if let Self::Typed(dice) = self { dice.used().to_vec() } else { Vec::new() }
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

/// The fingerprint of a battle.
#[must_use]
pub fn hash_of<R: Ruleset>(battle: &R::Battle) -> Hash {
    Hash::of(&[R::save(battle).to_json().to_string().as_bytes()])
}

/// The exact odds of a choice on a battle, up to the next decision.
pub fn odds_of_choice<R: Ruleset>(battle: &R::Battle, choice: &Choice<R::Offer>) -> Result<Odds<String>, NoOdds<Halt>> {
    let mut happened = Vec::new();
    let mut trial = battle.clone();
    odds_of(MOST_BRANCHES, |dice| {
        happened.clear();
        trial.clone_from(battle);
        R::resolve(&mut Resolution::new(&mut trial, dice).events_only(&mut happened), choice)?;
        Ok(R::outcome(battle, &happened))
    })
}

/// The battle after one more entry.
fn folded<R: Ruleset>(mut battle: R::Battle, entry: &Entry<R::Event>) -> Result<R::Battle, Declined> {
    match entry {
        Entry::Chosen(chosen) => {
            for one in &chosen.happened {
                if let Happening::Event(event) = one {
                    R::apply(&mut battle, event);
                }
            }
            Ok(battle)
        }
        Entry::Adjusted(adjusted) => {
            let (battle, _) =
                adjust::adjusted::<R>(&battle, &adjusted.path, &adjusted.to).map_err(Declined::Adjustment)?;
            Ok(battle)
        }
        Entry::Begun(_) | Entry::Undone { .. } | Entry::Written(_) => Ok(battle),
    }
}

/// What is offered under a key; what the rules forbid, with the rule, where that is let pass.
fn find<R: Ruleset>(battle: &R::Battle, key: &str, lenient: bool) -> Result<(R::Offer, Vec<Refusal>), Declined> {
    let mut offers = Vec::new();
    R::offers(battle, &mut offers);
    if let Some(offer) = offers.into_iter().find(|offer| R::key(battle, offer) == key) {
        return Ok((offer, Vec::new()));
    }
    let mut closed = Vec::new();
    R::closed(battle, &mut closed);
    match closed.into_iter().find(|(offer, _)| R::key(battle, offer) == key) {
        Some((offer, refusal)) if lenient && !refusal.impossible => Ok((offer, vec![refusal])),
        Some((_, refusal)) => Err(Halt::Refused(refusal).into()),
        None => Err(Declined::NoSuchOffer(key.to_owned())),
    }
}

/// A choice that was made: the battle after it, what happened, and which rules it broke with open eyes.
pub(crate) struct Made<R: Ruleset> {
    pub(crate) battle: R::Battle,
    pub(crate) happened: Vec<Happening<R::Event>>,
    pub(crate) breaches: Vec<Refusal>,
}

/// Makes a choice. Leniently, what a rule forbids is done and noted; what is impossible is refused all the same.
pub(crate) fn make<R: Ruleset>(
    battle: &R::Battle,
    choice: &Choice<R::Offer>,
    lenient: bool,
    dice: &mut dyn Dice,
) -> Result<Made<R>, Declined> {
    let mut breaches: Vec<Refusal> =
        check_value::<R>(battle, &choice.offer, &choice.value, lenient)?.into_iter().collect();
    let mut after = battle.clone();
    let mut happened = Vec::new();
    let mut play = Resolution::<R>::new(&mut after, dice).chronicled(&mut happened);
    if lenient {
        play = play.lenient();
    }
    if let Err(halt) = R::resolve(&mut play, choice) {
        let wanting = play.wanting();
        let (Halt::Dice(NoDice::Throw(_)), Some((roll, throw))) = (&halt, wanting) else { return Err(halt.into()) };
        let kinds = (0..throw.len()).map(|n| throw.die(n)).collect();
        let reckoning = Some(Reckoning::of(R::BOOK, &roll, kinds));
        return Err(Declined::Dice(Box::new(DiceWanted { throw, reckoning, given: Vec::new() })));
    }
    breaches.extend(play.into_breaches());
    R::check(&after).map_err(Declined::Broken)?;
    Ok(Made { battle: after, happened, breaches })
}

/// Whether one of several players of a side may decide on an offer: what concerns no command is for each of them.
fn is_for<R: Ruleset>(battle: &R::Battle, side: Side, player: &str, offer: &R::Offer) -> Result<(), Declined> {
    if !R::players(battle, side).iter().any(|name| name == player) {
        return Err(Declined::NoSuchPlayer(player.to_owned()));
    }
    let owner = R::label(battle, offer).command.and_then(|command| R::player_of(battle, command));
    match owner {
        Some(owner) if owner != player => Err(Declined::NotYourCommand(owner)),
        _ => Ok(()),
    }
}

/// Whether the value fits the offer; a limit passed with open eyes is a breach of the clause behind the limit.
fn check_value<R: Ruleset>(
    battle: &R::Battle,
    offer: &R::Offer,
    value: &Value,
    lenient: bool,
) -> Result<Option<Refusal>, Declined> {
    let input = R::input(battle, offer);
    let Err(wrong) = input.check(value) else {
        return Ok(None);
    };
    if input.same_kind(value)
        && let Some(refusal) = R::why_not(battle, offer, value)
    {
        return if lenient && !refusal.impossible { Ok(Some(refusal)) } else { Err(Halt::Refused(refusal).into()) };
    }
    let clause = input.limit_clause().or_else(|| R::label(battle, offer).clauses.first().copied());
    match clause {
        Some(clause) if lenient && input.same_kind(value) => Ok(Some(Refusal::new(clause, wrong.0))),
        _ => Err(Halt::Value(wrong).into()),
    }
}
