//! The totals of common throws, and the ways that lead to each, without a distribution made for them.

use smallvec::{Array, SmallVec};

use super::{Die, Throw};

/// Totals that a rule does not tell apart, and how many of the equally likely ways lead to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Band {
    /// The lowest of the totals.
    pub total: i32,
    /// Ways that lead to any of them.
    pub ways: u64,
}

/// The most dice of one kind whose sums are looked up.
const SUMMED: usize = 4;
/// The most dice that are counted here: ten faces to this power fit into 64 bits.
const COUNTED: usize = 16;
/// One more than the highest sum that is looked up.
const PAST: usize = SUMMED * 10 + 1;

/// For each kind of die and number of dice: the ways to a sum below this one.
static BELOW: [[[u64; PAST + 1]; SUMMED + 1]; 4] =
    [below(Die::D3), below(Die::D6), below(Die::D10), below(Die::Average)];

const fn below(die: Die) -> [[u64; PAST + 1]; SUMMED + 1] {
    let faces = die.faces();
    let mut ways = [[0; PAST]; SUMMED + 1];
    ways[0][0] = 1;
    let mut dice = 1;
    while dice <= SUMMED {
        let mut sum = 0;
        while sum < PAST {
            let mut n = 0;
            while n < faces.len() {
                if sum >= faces[n] as usize {
                    ways[dice][sum] += ways[dice - 1][sum - faces[n] as usize];
                }
                n += 1;
            }
            sum += 1;
        }
        dice += 1;
    }
    let mut below = [[0; PAST + 1]; SUMMED + 1];
    let mut dice = 0;
    while dice <= SUMMED {
        let mut sum = 0;
        while sum < PAST {
            below[dice][sum + 1] = below[dice][sum] + ways[dice][sum];
            sum += 1;
        }
        dice += 1;
    }
    below
}

impl Band {
    /// Puts the bands of a throw at the end of a list, in rising order, and tells the number of ways in all: below the
    /// first of the rising cuts, from there to below the second, and so on; without cuts every total by itself. Nothing
    /// for throws that are too rare to be worth it and for sorted dice: those have a [`Distribution`](super::Distribution).
    #[inline]
    pub fn list<A: Array<Item = Self>>(throw: &Throw, cuts: Option<&[i32]>, list: &mut SmallVec<A>) -> Option<u64> {
        if cuts.is_some_and(|cuts| !cuts.is_sorted()) {
            return None;
        }
        match throw {
            Throw::Sum(dice) => Some(Totals::of_sum(dice)?.list(cuts, list)),
            Throw::Count { dice, die, at_least } => {
                let mut counted = [0; COUNTED + 2];
                Some(Totals::of_count((*dice).into(), *die, *at_least, &mut counted)?.list(cuts, list))
            }
            Throw::Sort { .. } => None,
        }
    }

    /// Every total of a throw by itself, in rising order, and the number of ways in all; nothing where [`Self::list`] has
    /// nothing.
    #[inline(always)]
    pub fn each(throw: &Throw, each: impl FnMut(Self)) -> Option<u64> {
        let mut counted = [0; COUNTED + 2];
        let totals = match throw {
            Throw::Sum(dice) => Totals::of_sum(dice)?,
            Throw::Count { dice, die, at_least } => Totals::of_count((*dice).into(), *die, *at_least, &mut counted)?,
            Throw::Sort { .. } => return None,
        };
        totals.each(each);
        Some(totals.all())
    }
}

/// The ways to the totals of a throw.
struct Totals<'a> {
    least: i32,
    /// The ways to less than the least total, than the next, and so on to one past the highest.
    below: &'a [u64],
}

impl<'a> Totals<'a> {
    #[inline]
    fn of_sum(dice: &[Die]) -> Option<Self> {
        let (&die, rest) = dice.split_first()?;
        if dice.len() > SUMMED || rest.iter().any(|other| *other != die) {
            return None;
        }
        let faces = die.faces();
        let [least, most] = [faces[0], faces[faces.len() - 1]].map(|face| dice.len() * usize::from(face));
        Some(Self { least: least as i32, below: &BELOW[die as usize][dice.len()][least..most + 2] })
    }

    #[inline]
    fn of_count(dice: usize, die: Die, at_least: u8, counted: &'a mut [u64; COUNTED + 2]) -> Option<Self> {
        if dice > COUNTED {
            return None;
        }
        let faces = die.faces();
        let hits = faces.iter().filter(|face| **face >= at_least).count() as u64;
        let misses = faces.len() as u64 - hits;
        // One die after the other: so many hits so far, in so many ways; the first place stays empty.
        let below = &mut counted[..dice + 2];
        below[1] = 1;
        for thrown in 1..=dice {
            for count in (1..=thrown).rev() {
                below[count + 1] = below[count + 1] * misses + below[count] * hits;
            }
            below[1] *= misses;
        }
        for count in 1..=dice {
            below[count + 1] += below[count];
        }
        Some(Self { least: 0, below })
    }

    /// Puts the bands at the end of a list and tells the number of ways in all.
    #[inline]
    fn list<A: Array<Item = Band>>(&self, cuts: Option<&[i32]>, list: &mut SmallVec<A>) -> u64 {
        let Some(cuts) = cuts else {
            self.each(|band| list.push(band));
            return self.all();
        };
        let (mut total, past) = (self.least, self.past());
        let mut up_to = |cut: i32| {
            let ways = self.below(cut) - self.below(total);
            if ways > 0 {
                // The lowest total that can come up, as when every die scores.
                while self.below(total + 1) == self.below(total) {
                    total += 1;
                }
                list.push(Band { total, ways });
            }
            total = cut;
        };
        for cut in cuts {
            if *cut > self.least && *cut < past {
                up_to(*cut);
            }
        }
        up_to(past);
        self.all()
    }

    /// One past the highest.
    #[inline]
    fn past(&self) -> i32 {
        self.least + self.below.len() as i32 - 1
    }

    /// The ways to less than a total that the throw can have, or to less than one past them.
    #[inline]
    fn below(&self, total: i32) -> u64 {
        self.below[(total - self.least) as usize]
    }

    #[inline]
    fn all(&self) -> u64 {
        self.below.last().copied().unwrap_or(0)
    }

    #[inline(always)]
    fn each(&self, mut each: impl FnMut(Band)) {
        for (total, ends) in (self.least..).zip(self.below.windows(2)) {
            let ways = ends[1] - ends[0];
            if ways > 0 {
                each(Band { total, ways });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Distribution;
    use super::*;

    #[test]
    fn bands_are_those_of_the_distribution() {
        let dice = [Die::D3, Die::D6, Die::D10, Die::Average];
        let sums = dice.into_iter().flat_map(|die| (1..=SUMMED).map(move |n| Throw::sum(n, die)));
        let counts = dice.into_iter().flat_map(|die| {
            (0..=COUNTED as u16).flat_map(move |n| (0..=11).map(move |at_least| Throw::count(n, die, at_least)))
        });
        let all_cuts: [Option<&[i32]>; 7] = [
            None,
            Some(&[]),
            Some(&[-3, 0, 1]),
            Some(&[8]),
            Some(&[2, 3, 11]),
            Some(&[2, 5, 5, 6, 90]),
            Some(&[i32::MIN, 4, i32::MAX]),
        ];
        for throw in sums.chain(counts) {
            for cuts in all_cuts {
                let mut list: SmallVec<[Band; 12]> = SmallVec::new();
                let all = Band::list(&throw, cuts, &mut list).unwrap();
                let whole = Distribution::of(&throw).unwrap();
                let expected = cuts.map_or(whole.clone(), |cuts| whole.in_bands(cuts));
                let told: Vec<_> = list.iter().map(|band| (band.total, u128::from(band.ways))).collect();
                let wanted: Vec<_> = expected.branches.iter().map(|b| (b.roll.total(), b.ways)).collect();
                assert_eq!((told, u128::from(all)), (wanted, expected.ways), "{throw} {cuts:?}");
            }
        }
    }

    #[test]
    fn rare_throws_are_left_to_their_distribution() {
        let mut list: SmallVec<[Band; 12]> = SmallVec::new();
        let mixed = Throw::Sum(smallvec::smallvec![Die::D6, Die::D10]);
        let sorted = Throw::Sort { dice: 2, die: Die::D6, cuts: smallvec::smallvec![4] };
        for throw in [mixed, sorted, Throw::sum(0, Die::D6), Throw::sum(5, Die::D6), Throw::count(17, Die::D6, 4)] {
            assert_eq!(Band::list(&throw, None, &mut list), None, "{throw}");
        }
        assert!(list.is_empty());
    }
}
