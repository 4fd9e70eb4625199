//! The reckoning before the roll.

use schemars::JsonSchema;
use serde::Serialize;

use crate::clause::{Book, Clause};
use crate::dice::{Die, NoDice, Roll, Seeded, Throw};
use crate::ids::Side;
use crate::offer::Choice;
use crate::resolution::{BaseRecord, Happening, Resolution, RollRecord, Wanted};
use crate::ruleset::Ruleset;

/// A roll that is to come: who throws it, for what, from what base, with which modifiers, and what is wanted.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema, ts_rs::TS)]
pub struct Reckoning {
    /// The name of the test.
    pub what: String,
    /// Who or what is tested, as a token.
    pub of: Option<String>,
    /// Who throws: whose luck it is.
    pub side: Side,
    /// The base value, and what it is called on its scale.
    pub base: Option<BaseRecord>,
    /// What applies.
    pub modifiers: Vec<ReckonedModifier>,
    /// The dice in words: `2D6`.
    pub throw: String,
    /// The kind of each die, in order.
    pub dice: Vec<Die>,
    /// What is wanted.
    pub wanted: Wanted,
    /// The exact chance of getting it, as a fraction.
    pub chance: Option<String>,
    /// The same as a decimal fraction.
    pub probability: Option<f64>,
}

/// A modifier that applies, in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema, ts_rs::TS)]
pub struct ReckonedModifier {
    /// The clause it comes from.
    #[ts(type = "string")]
    pub clause: Clause,
    /// What it is for.
    pub text: String,
    /// Up or down by how much.
    pub shift: i32,
}

impl Reckoning {
    /// What a roll is reckoned from, before it falls.
    #[must_use]
    pub fn of(book: &Book, roll: &RollRecord, dice: Vec<Die>) -> Self {
        let modifiers = roll.modifiers.iter().map(|one| ReckonedModifier {
            clause: one.clause,
            text: book.title_of(one.clause),
            shift: one.shift,
        });
        Self {
            what: roll.what.clone(),
            of: roll.of.clone(),
            side: roll.side,
            base: roll.base.clone(),
            modifiers: modifiers.collect(),
            throw: roll.throw.clone(),
            dice,
            wanted: roll.wanted,
            chance: roll.chance.clone(),
            probability: roll.probability(),
        }
    }
}

/// Dice that note of what kind they are, and fall as others do.
struct Noting<'a> {
    fall: Fall,
    kinds: &'a mut Vec<Vec<Die>>,
}

enum Fall {
    Lowest,
    Highest,
    Chance(Box<Seeded>),
}

impl crate::dice::Dice for Noting<'_> {
    fn throw(&mut self, throw: &Throw) -> Result<Roll, NoDice> {
        let kinds: Vec<Die> = (0..throw.len()).map(|n| throw.die(n)).collect();
        let roll = match &mut self.fall {
            Fall::Chance(seeded) => seeded.throw(throw),
            Fall::Lowest => Ok(throw.read(kinds.iter().filter_map(|die| die.faces().first()).copied().collect())),
            Fall::Highest => Ok(throw.read(kinds.iter().filter_map(|die| die.faces().last()).copied().collect())),
        };
        self.kinds.push(kinds);
        roll
    }
}

/// How many ways are tried beside the lowest and the highest.
const TRIED: u64 = 6;
/// No more rolls than this are reckoned beforehand.
const MOST: usize = 4;

/// The first rolls of a choice, as far as they are the same whatever falls.
#[must_use]
pub fn reckoned<R: Ruleset>(battle: &R::Battle, choice: &Choice<R::Offer>) -> Vec<Reckoning> {
    let chances = (0..TRIED).map(|n| Fall::Chance(Box::new(Seeded::new(n))));
    let mut sure: Option<Vec<Reckoning>> = None;
    for fall in [Fall::Lowest, Fall::Highest].into_iter().chain(chances) {
        let (mut trial, mut happened, mut kinds) = (battle.clone(), Vec::new(), Vec::new());
        let mut dice = Noting { fall, kinds: &mut kinds };
        let done = R::foresee(&mut Resolution::<R>::new(&mut trial, &mut dice).chronicled(&mut happened), choice);
        if done.is_err() {
            return Vec::new();
        }
        let rolls = happened.iter().filter_map(|one| match one {
            Happening::Roll(roll) => Some(roll),
            Happening::Event(_) | Happening::Follows(_) => None,
        });
        let rolls: Vec<Reckoning> =
            rolls.zip(kinds).take(MOST).map(|(roll, dice)| Reckoning::of(R::BOOK, roll, dice)).collect();
        sure = Some(match sure {
            None => rolls,
            Some(before) => before.into_iter().zip(rolls).take_while(|(a, b)| a == b).map(|(a, _)| a).collect(),
        });
    }
    sure.unwrap_or_default()
}
