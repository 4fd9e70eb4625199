//! Who asks for what, and why it is not done.

use std::collections::BTreeMap;

use crate::dice::{BrokenAgreement, NoDice, Party, Reveal, Throw};
use crate::forecast::Reckoning;
use crate::ids::Side;
use crate::log::{DiceSource, Enforcement};
use crate::offer::{Halt, Value};
use crate::scenario::Diagnostics;

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
    /// It is no instruction that this player may give.
    #[error("{0}")]
    NotInstructed(&'static str),
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
    /// It is nothing that can be said now.
    #[error("{0}")]
    NotSaid(&'static str),
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
    /// The odds take too long.
    #[error("it takes too long to work out the odds")]
    OddsTooLong,
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
