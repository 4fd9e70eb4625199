//! All chance goes through [`Dice`], in the groups in which the rules read it.
//!
//! A rule asks for a [`Throw`] (the sum of two dice; how many of five score 4 or more) and reads a [`Roll`]. Because the
//! group is asked for and not single dice, the enumerating source has 11 branches for 2D6 and n+1 for n counted dice.

mod agreed;
mod bands;
mod distribution;
mod enumerating;
mod recall;
mod scripted;
mod seeded;

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::resolution::Purpose;

pub use agreed::{AgreedDice, BrokenAgreement, Commitment, Party, Reveal, SecretChain};
pub use bands::Band;
pub use distribution::{Branch, Distribution};
pub use enumerating::Enumerating;
pub use recall::Recall;
pub use scripted::Scripted;
pub use seeded::Seeded;

/// A kind of die.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema, ts_rs::TS)]
pub enum Die {
    /// Three faces, 1 to 3.
    D3,
    /// An ordinary die, 1 to 6.
    D6,
    /// Ten faces, 1 to 10.
    D10,
    /// An average die: 2, 3, 3, 4, 4, 5.
    Average,
}

impl Die {
    /// What stands on its faces.
    #[must_use]
    pub const fn faces(self) -> &'static [u8] {
        match self {
            Self::D3 => &[1, 2, 3],
            Self::D6 => &[1, 2, 3, 4, 5, 6],
            Self::D10 => &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
            Self::Average => &[2, 3, 3, 4, 4, 5],
        }
    }

    /// What a face that was given stands for: where an ordinary die was thrown for want of an average one, a 1 reads 3 and
    /// a 6 reads 4. Nothing for a face that is on neither.
    #[must_use]
    pub fn read(self, given: u8) -> Option<u8> {
        match (self, given) {
            (Self::Average, 1) => Some(3),
            (Self::Average, 6) => Some(4),
            _ => self.faces().contains(&given).then_some(given),
        }
    }

    /// With its article: "a D6", "an average die".
    #[must_use]
    pub fn with_article(self) -> String {
        let article = if self == Self::Average { "an" } else { "a" };
        format!("{article} {self}")
    }
}

impl fmt::Display for Die {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::D3 => "D3",
            Self::D6 => "D6",
            Self::D10 => "D10",
            Self::Average => "average die",
        })
    }
}

/// The dice of one throw and how the rule reads them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Throw {
    /// All faces added up.
    Sum(SmallVec<[Die; 4]>),
    /// How many of the dice show at least this.
    Count {
        /// How many dice.
        dice: u16,
        /// Of which kind.
        die: Die,
        /// The least that counts.
        at_least: u8,
    },
    /// How many of the dice fall into each class: below the first cut, from the first cut to below the second, and so on.
    Sort {
        /// How many dice.
        dice: u16,
        /// Of which kind.
        die: Die,
        /// The lowest face of each class but the first, rising.
        cuts: SmallVec<[u8; 4]>,
    },
}

impl Throw {
    /// The sum of this many dice of one kind.
    #[must_use]
    #[inline]
    pub fn sum(dice: usize, die: Die) -> Self {
        Self::Sum(match dice {
            0..=4 => SmallVec::from_buf_and_len([die; 4], dice),
            _ => SmallVec::from_elem(die, dice),
        })
    }

    /// One die.
    #[must_use]
    #[inline]
    pub fn one(die: Die) -> Self {
        Self::sum(1, die)
    }

    /// How many of these dice show at least `at_least`.
    #[must_use]
    #[inline]
    pub fn count(dice: u16, die: Die, at_least: u8) -> Self {
        Self::Count { dice, die, at_least }
    }

    /// How many dice are thrown.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Sum(dice) => dice.len(),
            Self::Count { dice, .. } | Self::Sort { dice, .. } => usize::from(*dice),
        }
    }

    /// Whether no dice are thrown at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The kind of the `n`th die.
    #[must_use]
    pub fn die(&self, n: usize) -> Die {
        match self {
            Self::Sum(dice) => dice.get(n).copied().unwrap_or(Die::D6),
            Self::Count { die, .. } | Self::Sort { die, .. } => *die,
        }
    }

    /// Reads the faces as the rule does.
    #[must_use]
    pub fn read(&self, faces: Faces) -> Roll {
        let reading = match self {
            Self::Sum(_) => Reading::Total(faces.iter().map(|&face| i32::from(face)).sum()),
            Self::Count { at_least, .. } => {
                Reading::Total(faces.iter().filter(|&&face| face >= *at_least).count() as i32)
            }
            Self::Sort { cuts, .. } => {
                let mut classes = SmallVec::from_elem(0, cuts.len() + 1);
                for face in &faces {
                    classes[class_of(cuts, *face)] += 1;
                }
                Reading::Classes(classes)
            }
        };
        Roll { reading, faces }
    }
}

/// The class into which a face falls.
fn class_of(cuts: &[u8], face: u8) -> usize {
    cuts.iter().filter(|&&cut| face >= cut).count()
}

impl fmt::Display for Throw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sum(dice) => {
                for (n, run) in dice.chunk_by(|a, b| a == b).enumerate() {
                    let plus = if n > 0 { " + " } else { "" };
                    match (run.len(), run[0]) {
                        (1, die) => write!(f, "{plus}{die}")?,
                        (count, Die::Average) => write!(f, "{plus}{count} average dice")?,
                        (count, die) => write!(f, "{plus}{count}{die}")?,
                    }
                }
                Ok(())
            }
            Self::Count { dice, die, at_least } => write!(f, "{dice}{die}, each {at_least} or more"),
            Self::Sort { dice, die, .. } => write!(f, "{dice}{die}"),
        }
    }
}

/// The faces of a throw, in order.
pub type Faces = SmallVec<[u8; 8]>;

/// What a throw came to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reading {
    /// A sum or a count.
    Total(i32),
    /// How many dice fell into each class.
    Classes(SmallVec<[u16; 4]>),
}

/// A throw's result. The enumerating source knows no single faces, so a rule may only use the reading.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Roll {
    /// As the rule reads it.
    pub reading: Reading,
    /// The faces, where there are any to see.
    pub faces: Faces,
}

impl Roll {
    /// The sum or count; for a sorted throw, how many dice fell outside the lowest class.
    #[must_use]
    #[inline]
    pub fn total(&self) -> i32 {
        match &self.reading {
            Reading::Total(total) => *total,
            Reading::Classes(classes) => classes.iter().skip(1).map(|&n| i32::from(n)).sum(),
        }
    }

    /// How many dice fell into the `n`th class of a sorted throw.
    #[must_use]
    pub fn class(&self, n: usize) -> u16 {
        match &self.reading {
            Reading::Total(_) => 0,
            Reading::Classes(classes) => classes.get(n).copied().unwrap_or(0),
        }
    }
}

/// Dice were asked for and none were there: real dice still to be typed in, a script at its end, odds too long to
/// enumerate. Nothing has happened; the same choice can be resolved again with more dice.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoDice {
    /// Real dice must be thrown.
    #[error("throw {0}")]
    Throw(Throw),
    /// A face was given that the die does not have.
    #[error("{face} is not on {}", .die.with_article())]
    NoSuchFace {
        /// What was given.
        face: u8,
        /// The die it was given for.
        die: Die,
    },
    /// The enumerating source gave up: there are more outcomes than it was allowed to visit.
    #[error("too many outcomes to enumerate")]
    TooMany,
}

/// A source of chance.
pub trait Dice {
    /// Says what the next dice are thrown for, to dice to which it makes a difference.
    fn about(&mut self, _purpose: &Purpose) {}

    /// Throws the dice and reads them.
    fn throw(&mut self, throw: &Throw) -> Result<Roll, NoDice>;

    /// Throws the dice for a rule that reads no more of the total than the band it lies in: below the first of the rising
    /// cuts, from there to below the second, and so on. Dice that fall in every way there is then fall once for each
    /// band, with the lowest total in it; all others fall as ever.
    fn throw_in(&mut self, throw: &Throw, _cuts: &[i32]) -> Result<Roll, NoDice> {
        self.throw(throw)
    }

    /// The same where no more is wanted than the total, with no record of the dice: quicker where odds are worked out.
    fn total_in(&mut self, throw: &Throw, cuts: Option<&[i32]>) -> Result<i32, NoDice> {
        Ok(match cuts {
            Some(cuts) => self.throw_in(throw, cuts)?.total(),
            None => self.throw(throw)?.total(),
        })
    }

    /// Whether it makes a difference to them which totals mean the same.
    fn tells_bands(&self) -> bool {
        false
    }

    /// What was worked out before on the way here, for dice with which the same way is walked again and again.
    fn recall(&mut self) -> Option<&mut Recall> {
        None
    }
}

impl<D: Dice + ?Sized> Dice for &mut D {
    fn about(&mut self, purpose: &Purpose) {
        (**self).about(purpose);
    }

    fn throw(&mut self, throw: &Throw) -> Result<Roll, NoDice> {
        (**self).throw(throw)
    }

    fn throw_in(&mut self, throw: &Throw, cuts: &[i32]) -> Result<Roll, NoDice> {
        (**self).throw_in(throw, cuts)
    }

    fn tells_bands(&self) -> bool {
        (**self).tells_bands()
    }

    fn total_in(&mut self, throw: &Throw, cuts: Option<&[i32]>) -> Result<i32, NoDice> {
        (**self).total_in(throw, cuts)
    }

    fn recall(&mut self) -> Option<&mut Recall> {
        (**self).recall()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smallvec::smallvec;

    #[test]
    fn throws_are_read_in_groups() {
        assert_eq!(Throw::sum(2, Die::D6).read(smallvec![3, 4]).total(), 7);
        assert_eq!(Throw::count(4, Die::D6, 5).read(smallvec![5, 4, 6, 1]).total(), 2);
        let sort = Throw::Sort { dice: 4, die: Die::D6, cuts: smallvec![4, 6] };
        let roll = sort.read(smallvec![3, 4, 6, 6]);
        assert_eq!((roll.class(0), roll.class(1), roll.class(2), roll.total()), (1, 1, 2, 3));
    }

    #[test]
    fn throws_are_named_as_players_name_them() {
        assert_eq!(Throw::sum(2, Die::D6).to_string(), "2D6");
        assert_eq!(Throw::Sum(smallvec![Die::Average, Die::Average, Die::D6]).to_string(), "2 average dice + D6");
        assert_eq!(Throw::count(5, Die::D10, 8).to_string(), "5D10, each 8 or more");
    }
}
