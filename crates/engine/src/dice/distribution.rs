//! How likely each reading of a throw is, exactly.

use smallvec::{SmallVec, smallvec};

use super::{Die, Reading, Roll, Throw, class_of};

/// One reading and how many of the equally likely ways lead to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The reading, with no faces.
    pub roll: Roll,
    /// Ways that lead here.
    pub ways: u128,
}

/// All readings of a throw, in rising order, and the number of equally likely ways in all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distribution {
    /// The readings.
    pub branches: SmallVec<[Branch; 12]>,
    /// The sum of all their ways.
    pub ways: u128,
}

impl Distribution {
    /// The distribution of a throw; nothing when its ways do not fit into 128 bits (about 49 ordinary dice).
    #[must_use]
    pub fn of(throw: &Throw) -> Option<Self> {
        let branches: SmallVec<[Branch; 12]> = match throw {
            Throw::Sum(dice) => sums(dice)?,
            Throw::Count { dice, die, at_least } => sorts(*dice, *die, &[*at_least])?
                .into_iter()
                .map(|(classes, ways)| Branch::new(Reading::Total(i32::from(classes[1])), ways))
                .collect(),
            Throw::Sort { dice, die, cuts } => sorts(*dice, *die, cuts)?
                .into_iter()
                .map(|(classes, ways)| Branch::new(Reading::Classes(classes), ways))
                .collect(),
        };
        let ways = branches.iter().try_fold(0u128, |sum, branch| sum.checked_add(branch.ways))?;
        Some(Self { branches, ways })
    }

    /// The same with all totals of a band taken together, under the lowest of them: for a rule that asks no more than the
    /// band. Cuts rise; classes of sorted dice are never taken together.
    #[must_use]
    pub fn in_bands(self, cuts: &[i32]) -> Self {
        let band = |branch: &Branch| match branch.roll.reading {
            Reading::Total(total) => Some(cuts.iter().filter(|cut| total >= **cut).count()),
            Reading::Classes(_) => None,
        };
        let mut branches: SmallVec<[Branch; 12]> = SmallVec::new();
        for branch in self.branches {
            match branches.last_mut() {
                Some(last) if band(last).is_some() && band(last) == band(&branch) => last.ways += branch.ways,
                _ => branches.push(branch),
            }
        }
        Self { branches, ways: self.ways }
    }
}

impl Branch {
    fn new(reading: Reading, ways: u128) -> Self {
        Self { roll: Roll { reading, faces: SmallVec::new() }, ways }
    }
}

/// Sums by adding one die after the other.
fn sums(dice: &[Die]) -> Option<SmallVec<[Branch; 12]>> {
    let mut ways: Vec<u128> = vec![1];
    for die in dice {
        let highest = usize::from(*die.faces().last()?);
        let mut next = vec![0u128; ways.len() + highest];
        for (sum, count) in ways.iter().enumerate() {
            for face in die.faces() {
                let slot = &mut next[sum + usize::from(*face)];
                *slot = slot.checked_add(*count)?;
            }
        }
        ways = next;
    }
    let reached = ways.into_iter().enumerate().filter(|(_, count)| *count > 0);
    Some(reached.map(|(sum, count)| Branch::new(Reading::Total(sum as i32), count)).collect())
}

type Classes = SmallVec<[u16; 4]>;

/// Every way to share `dice` out over the classes, with its multinomial weight, lexically by the counts reversed, so
/// that a plain count comes out in rising order.
fn sorts(dice: u16, die: Die, cuts: &[u8]) -> Option<Vec<(Classes, u128)>> {
    let mut faces: SmallVec<[u128; 4]> = smallvec![0; cuts.len() + 1];
    for face in die.faces() {
        faces[class_of(cuts, *face)] += 1;
    }
    let mut all = Vec::new();
    let mut counts: Classes = smallvec![0; faces.len()];
    share(dice, faces.len() - 1, 1, &faces, &mut counts, &mut all)?;
    Some(all)
}

/// Gives the class `class` each possible number of the dice that remain, the lower classes the rest.
fn share(
    left: u16,
    class: usize,
    weight: u128,
    faces: &[u128],
    counts: &mut Classes,
    all: &mut Vec<(Classes, u128)>,
) -> Option<()> {
    if class == 0 {
        counts[0] = left;
        let weight = weight.checked_mul(faces[0].checked_pow(u32::from(left))?)?;
        if weight > 0 {
            all.push((counts.clone(), weight));
        }
        return Some(());
    }
    for here in 0..=left {
        counts[class] = here;
        let weight = weight
            .checked_mul(choose(left, here)?)
            .and_then(|weight| weight.checked_mul(faces[class].checked_pow(u32::from(here))?))?;
        if weight > 0 {
            share(left - here, class - 1, weight, faces, counts, all)?;
        }
    }
    Some(())
}

/// In how many ways `k` of `n` dice can be picked.
fn choose(n: u16, k: u16) -> Option<u128> {
    let k = k.min(n - k);
    (0..k).try_fold(1u128, |ways, i| Some(ways.checked_mul(u128::from(n - i))? / u128::from(i + 1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn totals(throw: &Throw) -> Vec<(i32, u128)> {
        let distribution = Distribution::of(throw).unwrap();
        distribution.branches.iter().map(|branch| (branch.roll.total(), branch.ways)).collect()
    }

    #[test]
    fn two_dice_have_eleven_sums_in_thirty_six_ways() {
        let ways: Vec<u128> = totals(&Throw::sum(2, Die::D6)).into_iter().map(|(_, ways)| ways).collect();
        assert_eq!(ways, [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]);
    }

    #[test]
    fn an_average_die_has_four_values() {
        assert_eq!(totals(&Throw::one(Die::Average)), [(2, 1), (3, 2), (4, 2), (5, 1)]);
    }

    #[test]
    fn n_counted_dice_have_n_plus_one_branches() {
        assert_eq!(totals(&Throw::count(3, Die::D6, 5)), [(0, 64), (1, 96), (2, 48), (3, 8)]);
        assert_eq!(totals(&Throw::count(2, Die::D6, 7)), [(0, 36)], "no face scores 7");
        assert_eq!(totals(&Throw::count(0, Die::D6, 4)), [(0, 1)], "no dice, one way");
    }

    #[test]
    fn bands_take_totals_together_under_the_lowest() {
        let bands = |cuts: &[i32]| {
            let distribution = Distribution::of(&Throw::sum(2, Die::D6)).unwrap().in_bands(cuts);
            let told = distribution.branches.iter().map(|branch| (branch.roll.total(), branch.ways));
            (told.collect::<Vec<_>>(), distribution.ways)
        };
        assert_eq!(bands(&[8]), (vec![(2, 21), (8, 15)], 36), "7 or less, or more");
        assert_eq!(bands(&[3, 4, 11]), (vec![(2, 1), (3, 2), (4, 30), (11, 3)], 36));
        assert_eq!(bands(&[]), (vec![(2, 36)], 36));
        assert_eq!(bands(&[1, 13]), (vec![(2, 36)], 36), "cuts past either end part nothing");
    }

    #[test]
    fn sorted_dice_agree_with_throwing_every_combination() {
        let throw = Throw::Sort { dice: 3, die: Die::D6, cuts: smallvec![4, 6] };
        let distribution = Distribution::of(&throw).unwrap();
        assert_eq!(distribution.ways, 216);
        for branch in &distribution.branches {
            let mut ways = 0;
            for combination in 0..216u32 {
                let faces = (0..3).map(|n| (combination / 6u32.pow(n) % 6 + 1) as u8).collect();
                ways += u128::from(throw.read(faces).reading == branch.roll.reading);
            }
            assert_eq!(branch.ways, ways, "{branch:?}");
        }
    }

    #[test]
    fn too_many_dice_are_no_answer_rather_than_a_wrong_one() {
        assert!(Distribution::of(&Throw::count(40, Die::D6, 4)).is_some());
        assert_eq!(Distribution::of(&Throw::count(400, Die::D6, 4)), None);
    }
}
