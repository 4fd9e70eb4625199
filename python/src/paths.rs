//! Dice that fall as they are told, reading by reading: chance laid open for programs that walk a tree of it.

use sabretache_engine::dice::{Dice, Distribution, NoDice, Reading, Roll, Throw};

/// Follows a path of readings, each the number of a branch; at its end it remembers what is thrown next.
#[derive(Debug, Default)]
pub(crate) struct Followed<'a> {
    path: &'a [u32],
    used: usize,
    next: Option<Distribution>,
}

impl<'a> Followed<'a> {
    pub(crate) fn new(path: &'a [u32]) -> Self {
        Self { path, used: 0, next: None }
    }

    /// How many readings of the path were used.
    pub(crate) fn used(&self) -> usize {
        self.used
    }

    /// What is thrown at the end of the path: each reading in words, and in how many of how many ways it comes up.
    pub(crate) fn into_forks(self) -> Option<Vec<Fork>> {
        let Distribution { branches, ways: of } = self.next?;
        let words = |reading: &Reading| match reading {
            Reading::Total(total) => total.to_string(),
            Reading::Classes(classes) => classes.iter().map(u16::to_string).collect::<Vec<_>>().join("+"),
        };
        Some(branches.iter().map(|one| Fork { words: words(&one.roll.reading), ways: one.ways, of }).collect())
    }

    fn fall(&mut self, throw: &Throw, distribution: Distribution) -> Result<Roll, NoDice> {
        let Some(taken) = self.path.get(self.used) else {
            self.next = Some(distribution);
            return Err(NoDice::Throw(throw.clone()));
        };
        let branch = distribution.branches.get(*taken as usize).ok_or(NoDice::TooMany)?;
        self.used += 1;
        Ok(branch.roll.clone())
    }
}

/// One reading of a throw.
pub(crate) struct Fork {
    pub(crate) words: String,
    pub(crate) ways: u128,
    pub(crate) of: u128,
}

impl Dice for Followed<'_> {
    fn throw(&mut self, throw: &Throw) -> Result<Roll, NoDice> {
        self.fall(throw, Distribution::of(throw).ok_or(NoDice::TooMany)?)
    }

    fn throw_in(&mut self, throw: &Throw, cuts: &[i32]) -> Result<Roll, NoDice> {
        self.fall(throw, Distribution::of(throw).ok_or(NoDice::TooMany)?.in_bands(cuts))
    }

    fn tells_bands(&self) -> bool {
        true
    }
}
