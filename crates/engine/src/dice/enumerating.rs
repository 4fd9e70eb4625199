//! Dice that come up in every way there is, one after the other.

use std::sync::Arc;

use smallvec::SmallVec;

use super::{Dice, Distribution, NoDice, Reading, Recall, Roll, Throw};

/// Walks depth first through every chain of readings that a piece of rules code asks for.
///
/// The code is run again for each leaf: its throws follow the current path, and [`Enumerating::next_path`] moves on to
/// the next one. That way the very code that resolves a choice also tells its odds. What the code works out between two
/// throws it may keep ([`Dice::recall`]) for the next time the same throws have come up.
#[derive(Debug, Default)]
pub struct Enumerating {
    path: Vec<Fork>,
    depth: usize,
    /// The same few throws come up again and again along the paths.
    known: SmallVec<[Known; 4]>,
    /// What was worked out after so many throws of the current path.
    recalls: Vec<Recall>,
}

#[derive(Debug)]
struct Known {
    throw: Throw,
    cuts: Option<SmallVec<[i32; 12]>>,
    distribution: Arc<Distribution>,
}

#[derive(Debug)]
struct Fork {
    distribution: Arc<Distribution>,
    taken: usize,
    /// The ways along the path before this throw, and of how many.
    before: Option<(u128, u128)>,
}

impl Fork {
    /// The ways up to and with this throw, and of how many; nothing when they do not fit into 128 bits.
    fn weight(&self) -> Option<(u128, u128)> {
        let (ways, of) = self.before?;
        let here = self.distribution.branches.get(self.taken)?.ways;
        Some((ways.checked_mul(here)?, of.checked_mul(self.distribution.ways)?))
    }
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
        self.recalls.iter_mut().for_each(Recall::rewind);
    }

    /// The ways along the path just walked, and of how many; nothing when they do not fit into 128 bits.
    #[must_use]
    pub fn weight(&self) -> Option<(u128, u128)> {
        match self.depth.checked_sub(1) {
            Some(last) => self.path.get(last)?.weight(),
            None => Some((1, 1)),
        }
    }

    fn distribution(&mut self, throw: &Throw, cuts: Option<&[i32]>) -> Option<Arc<Distribution>> {
        let same = |known: &&Known| known.cuts.as_deref() == cuts && known.throw == *throw;
        if let Some(known) = self.known.iter().find(same) {
            return Some(Arc::clone(&known.distribution));
        }
        let whole = Distribution::of(throw)?;
        let distribution = Arc::new(match cuts {
            Some(cuts) => whole.in_bands(cuts),
            None => whole,
        });
        let cuts = cuts.map(SmallVec::from_slice);
        self.known.push(Known { throw: throw.clone(), cuts, distribution: Arc::clone(&distribution) });
        Some(distribution)
    }

    /// Moves to the next path; `false` when every path has been walked.
    pub fn next_path(&mut self) -> bool {
        self.path.truncate(self.depth);
        self.depth = 0;
        while let Some(fork) = self.path.last_mut() {
            fork.taken += 1;
            if fork.taken < fork.distribution.branches.len() {
                // What was worked out after this throw was so for its last reading only.
                self.recalls.truncate(self.path.len());
                return true;
            }
            self.path.pop();
        }
        false
    }

    fn fall(&mut self, throw: &Throw, cuts: Option<&[i32]>) -> Result<Roll, NoDice> {
        // Along a path already walked the throws are the same: the rules are a function of their dice.
        if self.depth == self.path.len() {
            let distribution = self.distribution(throw, cuts).ok_or(NoDice::TooMany)?;
            let before = self.weight();
            self.path.push(Fork { distribution, taken: 0, before });
        }
        let fork = &self.path[self.depth];
        self.depth += 1;
        let roll = &fork.distribution.branches[fork.taken].roll;
        Ok(match roll.reading {
            Reading::Total(total) => Roll { reading: Reading::Total(total), faces: SmallVec::new() },
            Reading::Classes(_) => roll.clone(),
        })
    }
}

impl Dice for Enumerating {
    fn throw(&mut self, throw: &Throw) -> Result<Roll, NoDice> {
        self.fall(throw, None)
    }

    fn throw_in(&mut self, throw: &Throw, cuts: &[i32]) -> Result<Roll, NoDice> {
        self.fall(throw, Some(cuts))
    }

    fn recall(&mut self) -> Option<&mut Recall> {
        while self.recalls.len() <= self.depth {
            self.recalls.push(Recall::default());
        }
        self.recalls.get_mut(self.depth)
    }
}
