//! Dice that come up in every way there is, one after the other.

use smallvec::SmallVec;

use super::{Band, Dice, Distribution, NoDice, Reading, Recall, Roll, Throw};

/// Walks depth first through every chain of readings that a piece of rules code asks for.
///
/// The code is run again for each leaf: its throws follow the current path, and [`Enumerating::next_path`] moves on to
/// the next one. That way the very code that resolves a choice also tells its odds. What the code works out between two
/// throws it may keep ([`Dice::recall`]) for the next time the same throws have come up.
#[derive(Debug, Default)]
pub struct Enumerating {
    path: SmallVec<[Fork; 6]>,
    depth: usize,
    /// The totals of all common throws of the path, one throw after the other.
    bands: SmallVec<[Band; 32]>,
    /// The same few rare throws come up again and again along the paths.
    known: Vec<Known>,
    /// What was worked out after so many throws of the current path.
    recalls: SmallVec<[Recall; 2]>,
}

#[derive(Debug)]
struct Known {
    throw: Throw,
    cuts: Option<SmallVec<[i32; 12]>>,
    distribution: Distribution,
}

/// A throw of the path.
#[derive(Clone, Copy, Debug)]
struct Fork {
    readings: Readings,
    /// Which reading comes up on this path, of all that can.
    taken: usize,
    end: usize,
    /// The ways along the path before this throw.
    before: u128,
    /// Of how many ways the path is one up to and with this throw.
    of: u128,
}

/// Where the readings of a throw are, and what `taken` and `end` of it number.
#[derive(Clone, Copy, Debug)]
enum Readings {
    /// Places among the bands: here they begin.
    Common(usize),
    /// Branches of a known distribution: this one.
    Rare(usize),
}

impl Enumerating {
    /// At the first path.
    #[must_use]
    #[inline]
    pub fn new() -> Self {
        Self::default()
    }

    /// Starts the next run along the current path.
    #[inline]
    pub fn rewind(&mut self) {
        self.depth = 0;
        self.recalls.iter_mut().for_each(Recall::rewind);
    }

    /// The ways along the path just walked, and of how many; nothing when they do not fit into 128 bits.
    #[must_use]
    #[inline]
    pub fn weight(&self) -> Option<(u128, u128)> {
        let Some(last) = self.depth.checked_sub(1) else { return Some((1, 1)) };
        let fork = self.path.get(last)?;
        let here = match fork.readings {
            Readings::Common(_) => self.bands.get(fork.taken)?.ways.into(),
            Readings::Rare(known) => self.known.get(known)?.distribution.branches.get(fork.taken)?.ways,
        };
        Some((times(fork.before, here)?, fork.of))
    }

    /// Comes to a throw for the first time on this path.
    #[inline]
    fn fork(&mut self, throw: &Throw, cuts: Option<&[i32]>) -> Option<()> {
        let (before, so_far) = self.weight()?;
        let from = self.bands.len();
        let fork = match Band::list(throw, cuts, &mut self.bands) {
            Some(ways) => {
                let readings = Readings::Common(from);
                Fork { readings, taken: from, end: self.bands.len(), before, of: times(so_far, ways.into())? }
            }
            None => {
                let known = self.distribution(throw, cuts)?;
                let Distribution { branches, ways } = &self.known.get(known)?.distribution;
                let readings = Readings::Rare(known);
                Fork { readings, taken: 0, end: branches.len(), before, of: times(so_far, *ways)? }
            }
        };
        self.path.push(fork);
        Some(())
    }

    /// The place of a distribution among those known.
    fn distribution(&mut self, throw: &Throw, cuts: Option<&[i32]>) -> Option<usize> {
        let same = |known: &Known| known.cuts.as_deref() == cuts && known.throw == *throw;
        if let Some(place) = self.known.iter().position(same) {
            return Some(place);
        }
        let whole = Distribution::of(throw)?;
        let distribution = match cuts {
            Some(cuts) => whole.in_bands(cuts),
            None => whole,
        };
        self.known.push(Known { throw: throw.clone(), cuts: cuts.map(SmallVec::from_slice), distribution });
        Some(self.known.len() - 1)
    }

    /// Moves to the next path; `false` when every path has been walked.
    #[inline]
    pub fn next_path(&mut self) -> bool {
        self.path.truncate(self.depth);
        self.depth = 0;
        while let Some(fork) = self.path.last_mut() {
            fork.taken += 1;
            if fork.taken < fork.end {
                // What was worked out after this throw was so for its last reading only.
                self.recalls.truncate(self.path.len());
                return true;
            }
            if let Readings::Common(from) = fork.readings {
                self.bands.truncate(from);
            }
            self.path.pop();
        }
        false
    }

    /// Lets the dice fall as they do on this path.
    #[inline]
    fn fall(&mut self, throw: &Throw, cuts: Option<&[i32]>) -> Option<(Readings, usize)> {
        // Along a path already walked the throws are the same: the rules are a function of their dice.
        if self.depth == self.path.len() {
            self.fork(throw, cuts)?;
        }
        let fork = self.path.get(self.depth)?;
        self.depth += 1;
        Some((fork.readings, fork.taken))
    }

    fn roll(&mut self, throw: &Throw, cuts: Option<&[i32]>) -> Result<Roll, NoDice> {
        let (readings, taken) = self.fall(throw, cuts).ok_or(NoDice::TooMany)?;
        let reading = match readings {
            Readings::Common(_) => Reading::Total(self.bands[taken].total),
            Readings::Rare(known) => self.known[known].distribution.branches[taken].roll.reading.clone(),
        };
        Ok(Roll { reading, faces: SmallVec::new() })
    }
}

/// The product of two numbers of ways, if it fits. Nearly always both are small, and then no check is needed.
#[inline]
fn times(one: u128, other: u128) -> Option<u128> {
    match (u64::try_from(one), u64::try_from(other)) {
        (Ok(one), Ok(other)) => Some(u128::from(one) * u128::from(other)),
        _ => one.checked_mul(other),
    }
}

impl Dice for Enumerating {
    fn throw(&mut self, throw: &Throw) -> Result<Roll, NoDice> {
        self.roll(throw, None)
    }

    fn throw_in(&mut self, throw: &Throw, cuts: &[i32]) -> Result<Roll, NoDice> {
        self.roll(throw, Some(cuts))
    }

    fn tells_bands(&self) -> bool {
        true
    }

    fn total_in(&mut self, throw: &Throw, cuts: Option<&[i32]>) -> Result<i32, NoDice> {
        let (readings, taken) = self.fall(throw, cuts).ok_or(NoDice::TooMany)?;
        Ok(match readings {
            Readings::Common(_) => self.bands[taken].total,
            Readings::Rare(known) => self.known[known].distribution.branches[taken].roll.total(),
        })
    }

    fn recall(&mut self) -> Option<&mut Recall> {
        while self.recalls.len() <= self.depth {
            self.recalls.push(Recall::default());
        }
        self.recalls.get_mut(self.depth)
    }
}
