//! Exact odds of tests whose throws are all known before the first of them falls.
//!
//! Nothing has to be run once for every chain of rolls then: what each band of each throw means is worked out beforehand,
//! and a pure function of the rules tells what comes of each way in which they fall together.

use smallvec::SmallVec;

use crate::dice::{Band, Throw};
use crate::odds::{Chance, MOST_BRANCHES};

/// What each band of a throw means to a rule, with the ways that lead to it.
#[derive(Clone, Debug)]
pub struct Meanings<B>(SmallVec<[(B, u64); 12]>);

impl<B: Copy + PartialEq> Meanings<B> {
    /// What every total of a throw means, totals next to each other that mean the same taken together. Nothing at all for
    /// sorted dice and rare throws, and then there is no tally.
    #[inline]
    pub fn of(throw: &Throw, read: impl Fn(i32) -> B) -> Self {
        let mut meanings = Self(SmallVec::new());
        let mut last: Option<(B, u64)> = None;
        Band::each(throw, |band| {
            let meaning = read(band.total);
            match &mut last {
                Some((same, ways)) if *same == meaning => *ways += band.ways,
                _ => {
                    if let Some(done) = last.replace((meaning, band.ways)) {
                        meanings.0.push(done);
                    }
                }
            }
        });
        if let Some(done) = last {
            meanings.0.push(done);
        }
        meanings
    }
}

impl<B> Meanings<B> {
    /// In how many ways the throw falls; nothing where that is not known.
    #[inline]
    fn ways(&self) -> Option<u64> {
        let ways = self.0.iter().map(|(_, ways)| ways).sum();
        (ways > 0).then_some(ways)
    }
}

/// How many ways lead to each outcome, the outcomes told apart by small numbers.
#[derive(Clone, Debug)]
pub struct Tally {
    outcomes: SmallVec<[(u16, u64); 12]>,
    of: u64,
    name: fn(u16) -> String,
}

impl Tally {
    /// Two throws that fall together, or one after the other: a throw that no rule reads changes nothing. `code` reads them: numbers below `CODES`, the same just for outcomes of the same name.
    /// Nothing where there are too many ways to count in 64 bits.
    #[inline]
    pub fn of_two<A, B, const CODES: usize>(
        first: &Meanings<A>,
        second: &Meanings<B>,
        name: fn(u16) -> String,
        code: impl Fn(&A, &B) -> u16,
    ) -> Option<Self> {
        // All sums are at most this, so they are made without looking for more.
        let of = first.ways()?.checked_mul(second.ways()?)?;
        // Ways that follow each other often lead to the same outcome: with two sums in turn neither waits for the other.
        let mut sums = [[0; 2]; CODES];
        for (one, ways) in &first.0 {
            for (n, (other, more)) in second.0.iter().enumerate() {
                let sum: &mut u64 = &mut sums[usize::from(code(one, other))][n % 2];
                *sum = sum.wrapping_add(ways.wrapping_mul(*more));
            }
        }
        Some(Self::new(sums.iter().map(|[one, other]| one + other), of, name))
    }

    /// Any number of throws that fall together; nothing, too, where that is in more than [`MOST_BRANCHES`] ways.
    pub fn of_all<B: Copy, const CODES: usize>(
        throws: &[Meanings<B>],
        name: fn(u16) -> String,
        code: impl Fn(&[B]) -> u16,
    ) -> Option<Self> {
        let branches = throws.iter().try_fold(1_usize, |all, throw| all.checked_mul(throw.0.len()))?;
        let of = throws.iter().try_fold(1_u64, |all, throw| all.checked_mul(throw.ways()?))?;
        if branches > MOST_BRANCHES {
            return None;
        }
        let mut sums = [0; CODES];
        let first = |throw: &Meanings<B>| throw.0.first().map(|(meaning, _)| *meaning);
        let mut fallen: SmallVec<[B; 8]> = throws.iter().map(first).collect::<Option<_>>()?;
        let mut taken: SmallVec<[usize; 8]> = SmallVec::from_elem(0, throws.len());
        // The ways before each throw, and after the last.
        let mut ways: SmallVec<[u64; 9]> = SmallVec::from_elem(1, throws.len() + 1);
        let mut changed = 0;
        loop {
            for n in changed..throws.len() {
                let (meaning, more) = throws[n].0[taken[n]];
                fallen[n] = meaning;
                ways[n + 1] = ways[n] * more;
            }
            sums[usize::from(code(&fallen))] += ways[throws.len()];
            // On to the next way: the last throw that has a band left takes it, all after it begin again.
            let Some(next) = (0..throws.len()).rev().find(|n| taken[*n] + 1 < throws[*n].0.len()) else { break };
            taken[next] += 1;
            taken[next + 1..].fill(0);
            changed = next;
        }
        Some(Self::new(sums.into_iter(), of, name))
    }

    #[inline]
    fn new(sums: impl Iterator<Item = u64>, of: u64, name: fn(u16) -> String) -> Self {
        let mut outcomes = SmallVec::new();
        for (code, ways) in (0..).zip(sums) {
            if ways > 0 {
                outcomes.push((code, ways));
            }
        }
        Self { outcomes, of, name }
    }

    /// The chance of each outcome, in the order of their numbers.
    pub fn chances(&self) -> impl Iterator<Item = Chance> + '_ {
        self.outcomes.iter().map(|(_, ways)| Chance::new((*ways).into(), self.of.into()))
    }

    /// The same with the outcomes' names.
    pub fn named(&self) -> impl Iterator<Item = (String, Chance)> + '_ {
        self.outcomes.iter().map(|(code, _)| (self.name)(*code)).zip(self.chances())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::{Die, NoDice};
    use crate::odds::odds_of;

    fn two_dice() -> Throw {
        Throw::sum(2, Die::D6)
    }

    fn told(tally: &Tally) -> Vec<(String, Chance)> {
        let mut all: Vec<_> = tally.named().collect();
        all.sort();
        all
    }

    #[test]
    fn throws_that_fall_together_have_the_odds_of_their_chains() {
        // Each side by how much it is below 8; a failure is nothing.
        let read = |total: i32| (8 - total).max(0);
        let meanings = Meanings::of(&two_dice(), read);
        assert_eq!(meanings.0.as_slice(), [(6, 1), (5, 2), (4, 3), (3, 4), (2, 5), (1, 6), (0, 15)]);
        let name = |code: u16| format!("by {code}");
        let by = |own: i32, other: i32| (own - other).unsigned_abs() as u16;
        let two = Tally::of_two::<_, _, 8>(&meanings, &meanings, name, |own, other| by(*own, *other)).unwrap();
        let all = Tally::of_all::<_, 8>(&[meanings.clone(), meanings], name, |both| by(both[0], both[1])).unwrap();
        let odds = odds_of::<_, NoDice>(MOST_BRANCHES, |dice| {
            let (own, other) = (dice.throw(&two_dice())?.total(), dice.throw(&two_dice())?.total());
            Ok(name(by(read(own), read(other))))
        });
        let expected: Vec<_> = odds.unwrap().iter().map(|(name, chance)| (name.clone(), chance)).collect();
        assert_eq!(told(&two), expected);
        assert_eq!(told(&all), expected);
    }

    #[test]
    fn no_throw_at_all_has_one_end() {
        let tally = Tally::of_all::<_, 8>(&[] as &[Meanings<i32>], |code| code.to_string(), |_| 7).unwrap();
        assert_eq!(told(&tally), [("7".to_owned(), Chance::CERTAIN)]);
    }

    #[test]
    fn too_many_ways_are_left_to_others() {
        let meanings = Meanings::of(&two_dice(), |total| total);
        let of = |throws: usize| Tally::of_all::<_, 1>(&vec![meanings.clone(); throws], |_| String::new(), |_| 0);
        assert!(of(5).is_some(), "11 to the fifth: 161,051");
        assert!(of(6).is_none());
        let rare = Meanings::of(&Throw::sum(5, Die::D6), |total| total);
        assert!(Tally::of_two::<_, _, 1>(&meanings, &rare, |_| String::new(), |_, _| 0).is_none());
    }
}
