//! What a choice is worth before the dice have fallen: the mean over ways they can fall.

use sabretache_engine::dice::{Dice, Distribution, NoDice, Roll, Seeded, Throw};
use sabretache_engine::ids::Side;
use sabretache_engine::offer::Choice;
use sabretache_engine::resolution::Resolution;
use sabretache_engine::ruleset::Ruleset;

/// What a won battle is worth, far above any position.
pub const WON: f64 = 1e6;

/// How well the battle stands for a side, in the ruleset's points.
#[must_use]
pub fn standing<R: Ruleset>(battle: &R::Battle, side: Side) -> f64 {
    if R::deciding(battle).is_some() {
        return f64::from(R::worth(battle, side));
    }
    match R::verdict(battle).map(|verdict| verdict.winner) {
        Some(Some(winner)) if winner == side => WON,
        Some(Some(_)) => -WON,
        Some(None) => 0.0,
        None => f64::from(R::worth(battle, side)),
    }
}

/// Dice that fall in a few ways spread evenly over all they can do.
///
/// In `of` runs the readings of each throw are taken at `of` evenly spaced places of its distribution, and the places of
/// one throw are shuffled against those of the next (a lattice). A handful of runs then tells what a hundred random
/// ones would. `of` is 1 or a prime.
#[derive(Debug)]
pub struct Spread {
    run: u32,
    of: u32,
    thrown: u32,
    stride: u32,
    known: Vec<(Throw, Distribution)>,
}

impl Default for Spread {
    fn default() -> Self {
        Self { run: 0, of: 1, thrown: 0, stride: 1, known: Vec::new() }
    }
}

impl Spread {
    /// Begins run `run` of `of`.
    pub fn begin(&mut self, run: u32, of: u32) {
        (self.run, self.of, self.thrown, self.stride) = (run, of.max(1), 0, 1);
    }

    /// Whether any dice were thrown in this run.
    #[must_use]
    pub fn rolled(&self) -> bool {
        self.thrown > 0
    }

    /// Where in its distribution the next throw falls, between 0 and 1.
    fn place(&self) -> f64 {
        let of = f64::from(self.of);
        let slot =
            f64::from(u32::try_from(u64::from(self.run) * u64::from(self.stride) % u64::from(self.of)).unwrap_or(0));
        // The golden ratio moves the lattice on from throw to throw, so that no run is lucky throughout.
        let shift = f64::from(self.thrown) * 0.618_033_988_749_895;
        let place = (slot + 0.5) / of + if self.of > 1 { shift } else { 0.0 };
        place - place.floor()
    }

    fn next(&mut self) {
        self.thrown += 1;
        // Powers of a primitive root: as many different orders as the prime allows.
        let root = if matches!(self.of, 3 | 5 | 11 | 13) { 2 } else { 3 };
        self.stride = (self.stride * root % self.of).max(1);
    }
}

impl Dice for Spread {
    fn throw(&mut self, throw: &Throw) -> Result<Roll, NoDice> {
        let place = self.place();
        self.next();
        let known = match self.known.iter().position(|(other, _)| other == throw) {
            Some(known) => known,
            None => match Distribution::of(throw) {
                Some(distribution) => {
                    self.known.push((throw.clone(), distribution));
                    self.known.len() - 1
                }
                // More dice than can be counted: any will do.
                None => return Seeded::for_choice(u64::from(self.run), u64::from(self.thrown)).throw(throw),
            },
        };
        let distribution = &self.known[known].1;
        let wanted = place * distribution.ways as f64;
        let mut passed = 0.0;
        for branch in &distribution.branches {
            passed += branch.ways as f64;
            if wanted < passed {
                return Ok(branch.roll.clone());
            }
        }
        distribution.branches.last().map(|branch| branch.roll.clone()).ok_or(NoDice::TooMany)
    }
}

/// What a choice is expected to come to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expected {
    /// In the ruleset's points.
    pub value: f64,
    /// How far apart the best and the worst of the ways were.
    pub spread: f64,
    /// Dice have no say in it: looked at more closely it comes to the same.
    pub certain: bool,
}

/// What a choice is expected to come to for a side, over `ways` ways the dice can fall; nothing when the rules refuse it, nothing comes of it or it leads
/// back to where the battle stood `before`.
pub fn expectation<R: Ruleset>(
    battle: &R::Battle,
    before: &[R::Battle],
    choice: &Choice<R::Offer>,
    side: Side,
    ways: u32,
    dice: &mut Spread,
) -> Option<Expected> {
    let mut sum = 0.0;
    let (mut worst, mut best) = (f64::INFINITY, f64::NEG_INFINITY);
    for run in 0..ways {
        let mut trial = battle.clone();
        dice.begin(run, ways);
        R::resolve(&mut Resolution::new(&mut trial, dice), choice).ok()?;
        let rolled = dice.rolled();
        // A wheel through no angle, or there and back again: whoever thought well of it would make it for ever.
        if !rolled && (trial == *battle || before.contains(&trial)) {
            return None;
        }
        let value = standing::<R>(&trial, side);
        if !rolled {
            return Some(Expected { value, spread: 0.0, certain: true });
        }
        sum += value;
        (worst, best) = (worst.min(value), best.max(value));
    }
    Some(Expected { value: sum / f64::from(ways), spread: (best - worst).max(0.0), certain: false })
}

#[cfg(test)]
mod tests {
    use super::*;
    use sabretache_engine::dice::Die;

    #[test]
    fn a_few_spread_runs_tell_the_mean() {
        let throw = Throw::sum(2, Die::D6);
        let mut dice = Spread::default();
        for of in [7, 31] {
            let mut sums = [0; 3];
            for run in 0..of {
                dice.begin(run, of);
                for sum in &mut sums {
                    *sum += dice.throw(&throw).unwrap().total();
                }
            }
            for sum in sums {
                let mean = f64::from(sum) / f64::from(of);
                assert!((mean - 7.0).abs() < 0.45, "{of} runs: {mean}");
            }
        }
    }

    #[test]
    fn the_throws_of_a_run_are_not_bound_to_each_other() {
        // Two dice that both show 4 or more: a quarter of the ways.
        let mut dice = Spread::default();
        let mut both = 0;
        for run in 0..31 {
            dice.begin(run, 31);
            let high = |dice: &mut Spread| dice.throw(&Throw::one(Die::D6)).unwrap().total() >= 4;
            let (first, second) = (high(&mut dice), high(&mut dice));
            both += u32::from(first && second);
        }
        assert!((6..=10).contains(&both), "{both} of 31");
    }

    #[test]
    fn a_single_run_takes_the_middle() {
        let mut dice = Spread::default();
        dice.begin(0, 1);
        assert_eq!(dice.throw(&Throw::sum(2, Die::D6)).unwrap().total(), 7);
    }
}
