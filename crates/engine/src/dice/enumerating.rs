//! Dice that come up in every way there is, one after the other.

use std::sync::Arc;

use super::{Dice, Distribution, NoDice, Roll, Throw};

/// Walks depth first through every chain of readings that a piece of rules code asks for.
///
/// The code is run again for each leaf: its throws follow the current path, and [`Enumerating::next_path`] moves on to
/// the next one. That way the very code that resolves a choice also tells its odds.
#[derive(Debug, Default)]
pub struct Enumerating {
    path: Vec<Fork>,
    depth: usize,
    /// The same few throws come up again and again along the paths.
    known: Vec<(Throw, Arc<Distribution>)>,
}

#[derive(Debug)]
struct Fork {
    throw: Throw,
    distribution: Arc<Distribution>,
    taken: usize,
}

impl Enumerating {
    /// At the first path.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Starts the next run along the current path.
    pub fn rewind(&mut self) {
        self.depth = 0;
    }

    /// The ways along the path just walked, and of how many; nothing when they do not fit into 128 bits.
    #[must_use]
    pub fn weight(&self) -> Option<(u128, u128)> {
        self.path[..self.depth].iter().try_fold((1u128, 1u128), |(ways, of), fork| {
            let here = fork.distribution.branches[fork.taken].ways;
            Some((ways.checked_mul(here)?, of.checked_mul(fork.distribution.ways)?))
        })
    }

    fn distribution(&mut self, throw: &Throw) -> Option<Arc<Distribution>> {
        if let Some((_, distribution)) = self.known.iter().find(|(other, _)| other == throw) {
            return Some(Arc::clone(distribution));
        }
        let distribution = Arc::new(Distribution::of(throw)?);
        self.known.push((throw.clone(), Arc::clone(&distribution)));
        Some(distribution)
    }

    /// Moves to the next path; `false` when every path has been walked.
    pub fn next_path(&mut self) -> bool {
        self.path.truncate(self.depth);
        self.depth = 0;
        while let Some(fork) = self.path.last_mut() {
            fork.taken += 1;
            if fork.taken < fork.distribution.branches.len() {
                return true;
            }
            self.path.pop();
        }
        false
    }
}

impl Dice for Enumerating {
    fn throw(&mut self, throw: &Throw) -> Result<Roll, NoDice> {
        if self.path.get(self.depth).is_none_or(|fork| fork.throw != *throw) {
            let distribution = self.distribution(throw).ok_or(NoDice::TooMany)?;
            self.path.truncate(self.depth);
            self.path.push(Fork { throw: throw.clone(), distribution, taken: 0 });
        }
        let fork = &self.path[self.depth];
        self.depth += 1;
        Ok(fork.distribution.branches[fork.taken].roll.clone())
    }
}
