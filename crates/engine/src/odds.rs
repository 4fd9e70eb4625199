//! Exact odds, gathered from the resolving code itself.

use std::fmt;

use num_rational::Ratio;
use num_traits::{CheckedAdd, ToPrimitive};
use serde::{Serialize, Serializer};
use smallvec::SmallVec;

use crate::dice::{Dice, Distribution, Enumerating, NoDice, Throw};
use crate::patience;

/// How many ends of a chain of rolls are visited before [`odds_of`] says that there are too many.
pub const MOST_BRANCHES: usize = 200_000;

/// An exact probability.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Chance(Ratio<u128>);

impl Chance {
    /// It cannot happen.
    pub const NEVER: Self = Self(Ratio::new_raw(0, 1));
    /// It must happen.
    pub const CERTAIN: Self = Self(Ratio::new_raw(1, 1));

    /// So many ways out of so many; never, when there are no ways at all.
    #[must_use]
    pub fn new(ways: u128, of: u128) -> Self {
        match (u64::try_from(ways), u64::try_from(of)) {
            _ if ways == 0 || of == 0 => Self::NEVER,
            _ if ways == of => Self::CERTAIN,
            // Small numbers, as nearly all are, are quickly reduced.
            (Ok(ways), Ok(of)) => {
                let by = num_integer::gcd(ways, of);
                Self(Ratio::new_raw((ways / by).into(), (of / by).into()))
            }
            _ => Self(Ratio::new(ways, of)),
        }
    }

    /// As a decimal fraction.
    #[must_use]
    pub fn value(self) -> f64 {
        self.0.to_f64().unwrap_or(0.0)
    }

    /// Both chances together; nothing when the sum does not fit into 128 bits.
    #[must_use]
    pub fn plus(self, other: Self) -> Option<Self> {
        self.0.checked_add(&other.0).map(Self)
    }

    /// The chance that it does not happen.
    #[must_use]
    pub fn complement(self) -> Self {
        Self(Ratio::new_raw(self.0.denom().saturating_sub(*self.0.numer()), *self.0.denom()))
    }

    /// The chance that a throw's total is one of those wanted; nothing when it cannot be enumerated.
    #[must_use]
    pub fn of(throw: &Throw, wanted: impl Fn(i32) -> bool) -> Option<Self> {
        let distribution = Distribution::of(throw)?;
        let ways = distribution.branches.iter().filter(|branch| wanted(branch.roll.total())).map(|branch| branch.ways);
        Some(Self::new(ways.sum(), distribution.ways))
    }
}

impl fmt::Display for Chance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.0.numer(), self.0.denom())
    }
}

impl fmt::Debug for Chance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Chance {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Every outcome with its chance; the chances add up to one.
#[derive(Clone, Debug)]
pub struct Odds<T> {
    /// Each outcome, in order, with the ways that lead to it. Fractions are reduced when somebody asks.
    outcomes: Vec<(T, u128)>,
    /// Of how many ways.
    of: u128,
    /// How many ends of chains were visited.
    pub branches: usize,
}

impl<T: Ord> PartialEq for Odds<T> {
    fn eq(&self, other: &Self) -> bool {
        self.outcomes.len() == other.outcomes.len() && self.iter().eq(other.iter())
    }
}

impl<T: Ord> Eq for Odds<T> {}

impl<T: Ord> Odds<T> {
    /// The outcomes and their chances, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&T, Chance)> {
        self.outcomes.iter().map(|(outcome, ways)| (outcome, Chance::new(*ways, self.of)))
    }

    /// The chance of one outcome.
    #[must_use]
    pub fn chance(&self, outcome: &T) -> Chance {
        let found = self.outcomes.binary_search_by(|(other, _)| other.cmp(outcome));
        found.map_or(Chance::NEVER, |n| Chance::new(self.outcomes[n].1, self.of))
    }

    /// The chance of any outcome for which this holds; nothing when the sum does not fit into 128 bits.
    #[must_use]
    pub fn chance_that(&self, holds: impl Fn(&T) -> bool) -> Option<Chance> {
        let mut matching = self.outcomes.iter().filter(|(outcome, _)| holds(outcome));
        let ways = matching.try_fold(0u128, |sum, (_, ways)| sum.checked_add(*ways))?;
        Some(Chance::new(ways, self.of))
    }

    /// All chances together: exactly one, unless something is badly wrong.
    #[must_use]
    pub fn total(&self) -> Option<Chance> {
        self.chance_that(|_| true)
    }
}

/// Why there are no odds.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoOdds<E> {
    /// The chain of rolls is too long to follow to all its ends.
    #[error("too many ways it can go: more than {most} chains of rolls")]
    TooMany {
        /// The bound that was passed.
        most: usize,
    },
    /// It takes longer than anybody waits.
    #[error("it takes too long to work out")]
    TooLong,
    /// The rules code itself gave up, whatever the dice.
    #[error(transparent)]
    Stopped(E),
}

/// Runs `resolve` once for every way the dice can fall and gathers what comes out.
///
/// `resolve` must be a function of its dice alone: the same rolls, the same outcome.
pub fn odds_of<T: Ord, E: From<NoDice> + IsNoDice>(
    most: usize,
    mut resolve: impl FnMut(&mut dyn Dice) -> Result<T, E>,
) -> Result<Odds<T>, NoOdds<E>> {
    let mut dice = Enumerating::new();
    let mut branches = 0;
    let mut gathered: Gathered<T> = SmallVec::new();
    let too_many = || NoOdds::TooMany { most };
    loop {
        if branches == most {
            return Err(too_many());
        }
        if patience::is_over() {
            return Err(NoOdds::TooLong);
        }
        dice.rewind();
        let outcome = match resolve(&mut dice) {
            Ok(outcome) => outcome,
            Err(error) if error.is_no_dice() => return Err(too_many()),
            Err(error) => return Err(NoOdds::Stopped(error)),
        };
        let (ways, of) = dice.weight().ok_or_else(too_many)?;
        branches += 1;
        match gathered.binary_search_by(|(other, out_of, _)| other.cmp(&outcome).then(out_of.cmp(&of))) {
            Ok(found) => gathered[found].2 = gathered[found].2.checked_add(ways).ok_or_else(too_many)?,
            Err(place) => gathered.insert(place, (outcome, of, ways)),
        }
        if !dice.next_path() {
            break;
        }
    }
    let (outcomes, of) = brought_together(&mut gathered).ok_or_else(too_many)?;
    Ok(Odds { outcomes, of, branches })
}

/// Each outcome under each denominator, in this order, with the ways that lead to it: whole numbers are added up, and
/// made fractions of once at the end.
type Gathered<T> = SmallVec<[(T, u128, u128); 8]>;

/// All outcomes under one denominator, and which.
fn brought_together<T: Ord>(gathered: &mut Gathered<T>) -> Option<(Vec<(T, u128)>, u128)> {
    let mut common: u128 = 1;
    for (_, of, _) in gathered.iter() {
        if *of != common && quotient(common, *of).is_none() {
            common = match quotient(*of, common) {
                Some(_) => *of,
                None => (common / num_integer::gcd(common, *of)).checked_mul(*of)?,
            };
        }
    }
    let mut outcomes: Vec<(T, u128)> = Vec::with_capacity(gathered.len());
    for (outcome, of, ways) in gathered.drain(..) {
        let ways = ways.checked_mul(if of == common { 1 } else { quotient(common, of)? })?;
        match outcomes.last_mut() {
            Some((last, sum)) if *last == outcome => *sum = sum.checked_add(ways)?,
            _ => outcomes.push((outcome, ways)),
        }
    }
    Some((outcomes, common))
}

/// How often one number goes into another, if it does so evenly.
fn quotient(number: u128, by: u128) -> Option<u128> {
    match (u64::try_from(number), u64::try_from(by)) {
        (Ok(number), Ok(by)) => number.is_multiple_of(by).then(|| (number / by).into()),
        _ => number.is_multiple_of(by).then(|| number / by),
    }
}

/// Whether an error only says that the dice gave out.
pub trait IsNoDice {
    /// Whether the dice gave out.
    fn is_no_dice(&self) -> bool;
}

impl IsNoDice for NoDice {
    fn is_no_dice(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::Die;

    #[test]
    fn a_chain_of_rolls_is_followed_to_its_ends() {
        // Hits on 2D6 of 7 or less; then each of three dice saves on 5 or more.
        let odds = odds_of::<_, NoDice>(MOST_BRANCHES, |dice| {
            if dice.throw(&Throw::sum(2, Die::D6))?.total() > 7 {
                return Ok(0);
            }
            Ok(3 - dice.throw(&Throw::count(3, Die::D6, 5))?.total())
        })
        .unwrap();
        assert_eq!(odds.chance(&3), Chance::new(21 * 64, 36 * 216));
        assert_eq!(odds.chance(&0), Chance::new(15 * 216 + 21 * 8, 36 * 216));
        assert_eq!(odds.total(), Some(Chance::CERTAIN));
        assert_eq!(odds.branches, 6 * 4 + 5);
    }

    #[test]
    fn a_chain_too_long_is_said_to_be() {
        // 36^30 does not fit into 128 bits, and 11^30 paths would never be walked.
        let bounded = |dice: &mut dyn Dice| {
            for _ in 0..30 {
                dice.throw(&Throw::sum(2, Die::D6))?;
            }
            Ok::<(), NoDice>(())
        };
        assert_eq!(odds_of(1_000, bounded).unwrap_err(), NoOdds::TooMany { most: 1_000 });
        let short = |dice: &mut dyn Dice| dice.throw(&Throw::sum(2, Die::D6)).map(|roll| roll.total());
        assert!(odds_of::<_, NoDice>(11, short).is_ok(), "eleven branches are within a bound of eleven");
        assert!(odds_of::<_, NoDice>(10, short).is_err());
    }

    #[test]
    fn a_throw_read_in_bands_has_the_same_odds_in_fewer_branches() {
        // Passed on 8 or less; a Huzzah! on 2; one who passes saves one die on 4 or more.
        let run = |banded: bool| {
            odds_of::<_, NoDice>(MOST_BRANCHES, |dice| {
                let throw = Throw::sum(2, Die::D6);
                let total = if banded { dice.throw_in(&throw, &[3, 9])? } else { dice.throw(&throw)? }.total();
                let saves = total <= 8 && dice.throw_in(&Throw::one(Die::D6), &[4])?.total() >= 4;
                Ok((total == 2, total <= 8, saves))
            })
            .unwrap()
        };
        assert_eq!(run(true), run(false));
        assert_eq!((run(true).branches, run(false).branches), (2 + 2 + 1, 7 * 2 + 4));
        assert_eq!(run(true).chance(&(false, true, true)), Chance::new(25, 72));
    }

    #[test]
    fn what_was_worked_out_is_known_again_only_where_the_same_dice_fell() {
        let mut worked = Vec::new();
        let odds = odds_of::<_, NoDice>(MOST_BRANCHES, |dice| {
            let mut once = |dice: &mut dyn Dice, what: i32| {
                if let Some(known) = dice.recall().and_then(|recall| recall.known::<i32>()) {
                    return known;
                }
                worked.push(what);
                if let Some(recall) = dice.recall() {
                    recall.keep(what);
                }
                what
            };
            let start = once(dice, 100);
            let first = dice.throw(&Throw::one(Die::D3))?.total();
            let (tens, again) = (once(dice, 10 * first), once(dice, -first));
            let second = dice.throw(&Throw::one(Die::D3))?.total();
            Ok((start + tens + second, again, once(dice, second)))
        })
        .unwrap();
        let outcomes: Vec<_> = odds.iter().map(|(outcome, _)| *outcome).collect();
        let expected =
            [(111, -1, 1), (112, -1, 2), (113, -1, 3), (121, -2, 1), (122, -2, 2), (123, -2, 3), (131, -3, 1)];
        assert_eq!(outcomes[..7], expected);
        assert_eq!(worked, [100, 10, -1, 1, 2, 3, 20, -2, 1, 2, 3, 30, -3, 1, 2, 3]);
    }

    #[test]
    fn chances_read_as_fractions() {
        assert_eq!(Chance::new(21, 36).to_string(), "7/12");
        assert_eq!(Chance::new(1, 3).complement(), Chance::new(2, 3));
        assert_eq!(Chance::of(&Throw::sum(2, Die::D6), |sum| sum <= 7), Some(Chance::new(21, 36)));
    }
}
