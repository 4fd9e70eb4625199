//! What a choice is worth before the dice have fallen: the mean over ways they can fall.

use sabretache_engine::dice::{Band, Dice, Distribution, NoDice, Reading, Roll, Seeded, Throw};
use sabretache_engine::ids::Side;
use sabretache_engine::offer::{Choice, Value};
use sabretache_engine::resolution::Resolution;
use sabretache_engine::ruleset::{Judgement, Ruleset};
use smallvec::SmallVec;

use crate::plan::Plan;

/// What a won battle is worth, far above any position.
pub const WON: f64 = 1e6;

/// Who looks at a battle, by which judgement of the ruleset's, and with which plan in mind.
#[derive(Clone, Copy, Debug)]
pub struct Eye<'a> {
    /// For which side.
    pub side: Side,
    /// By which judgement.
    pub by: Judgement,
    /// With which plan; nothing where everybody does as he sees fit.
    pub plan: Option<&'a Plan>,
}

impl Eye<'_> {
    /// Without a plan.
    #[must_use]
    pub const fn of(side: Side, by: Judgement) -> Self {
        Self { side, by, plan: None }
    }
}

/// How well the battle stands, in the ruleset's points, and how far the plan has come.
#[must_use]
pub fn standing<R: Ruleset>(battle: &R::Battle, Eye { side, by, plan }: Eye<'_>) -> f64 {
    if R::deciding(battle).is_some() {
        let progress = plan.map_or(0.0, |plan| plan.progress::<R>(battle));
        return f64::from(R::worth_by(battle, side, by)) + progress;
    }
    match R::verdict(battle).map(|verdict| verdict.winner) {
        Some(Some(winner)) if winner == side => WON,
        Some(Some(_)) => -WON,
        Some(None) => 0.0,
        None => f64::from(R::worth_by(battle, side, by)),
    }
}

/// Dice that fall in a few ways spread evenly over all they can do.
///
/// In `of` runs the readings of each throw are taken at `of` evenly spaced places of its distribution, and the places of
/// one throw are shuffled against those of the next (a lattice). A handful of runs then tells what a hundred random
/// ones would. `of` is 1 or a prime.
///
/// What the first throw of a run can mean is kept, and a run can be asked for in which it means this or that: where it is the only throw, so
/// many runs tell all there is to know.
#[derive(Debug)]
pub struct Spread {
    run: u32,
    of: u32,
    thrown: u32,
    stride: u32,
    /// What the first throw can come to: totals that mean the same are one. Empty where they are too many to tell.
    first: SmallVec<[Band; 12]>,
    /// Which of these it came to.
    came_to: usize,
    /// Which of these it is to come to.
    wanted: Option<usize>,
    known: Vec<(Throw, Distribution)>,
}

impl Default for Spread {
    fn default() -> Self {
        let first = SmallVec::new();
        Self { run: 0, of: 1, thrown: 0, stride: 1, first, came_to: 0, wanted: None, known: Vec::new() }
    }
}

impl Spread {
    /// Begins run `run` of `of`.
    pub fn begin(&mut self, run: u32, of: u32) {
        (self.run, self.of, self.thrown, self.stride, self.wanted) = (run, of.max(1), 0, 1, None);
    }

    /// Begins a run in which the first throw comes to the `n`th of what it can mean, and all others to the middle.
    fn begin_with(&mut self, n: usize) {
        self.begin(0, 1);
        self.wanted = Some(n);
    }

    /// How often dice were thrown in this run.
    #[must_use]
    pub fn thrown(&self) -> u32 {
        self.thrown
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

    /// Where a common throw falls.
    fn fall(&mut self, throw: &Throw, cuts: Option<&[i32]>) -> Option<i32> {
        let mut bands: SmallVec<[Band; 12]> = SmallVec::new();
        let listed = Band::list(throw, cuts, &mut bands);
        let came_to = match (self.wanted.take(), listed) {
            (Some(wanted), _) => wanted,
            (None, Some(ways)) => {
                let mut left = self.place() * ways as f64;
                bands.iter().position(|band| {
                    left -= band.ways as f64;
                    left < 0.0
                })?
            }
            (None, None) => 0,
        };
        let total = bands.get(came_to).map(|band| band.total);
        if self.thrown == 0 {
            (self.first, self.came_to) = (bands, came_to);
        }
        if total.is_some() {
            self.next();
        }
        total
    }

    /// Where any other falls.
    fn fall_rarely(&mut self, throw: &Throw) -> Result<Roll, NoDice> {
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

    fn roll(&mut self, throw: &Throw, cuts: Option<&[i32]>) -> Result<Roll, NoDice> {
        match self.fall(throw, cuts) {
            Some(total) => Ok(Roll { reading: Reading::Total(total), faces: SmallVec::new() }),
            None => self.fall_rarely(throw),
        }
    }
}

impl Dice for Spread {
    fn throw(&mut self, throw: &Throw) -> Result<Roll, NoDice> {
        self.roll(throw, None)
    }

    fn throw_in(&mut self, throw: &Throw, cuts: &[i32]) -> Result<Roll, NoDice> {
        self.roll(throw, Some(cuts))
    }

    fn tells_bands(&self) -> bool {
        true
    }
}

/// What a choice is expected to come to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expected {
    /// In the ruleset's points.
    pub value: f64,
    /// How far apart the best and the worst of the ways were.
    pub spread: f64,
    /// Dice have no say in it, or all they can do was looked at: looked at more closely it comes to the same.
    pub certain: bool,
}

/// What a choice is expected to come to for a side, over `ways` ways the dice can fall (an odd number); nothing when the rules refuse it, nothing comes of it
/// or it leads back to where the battle stood `before`.
///
/// Where dice are thrown once and can mean no more than so many things, each of those is looked at instead, and nothing is left to chance.
pub fn expectation<R: Ruleset>(
    battle: &R::Battle,
    before: &[R::Battle],
    choice: &Choice<R::Offer>,
    eye: Eye<'_>,
    ways: u32,
    dice: &mut Spread,
) -> Option<Expected> {
    mean_of::<R>(battle, before, choice, (eye.by, ways), dice, |trial| standing::<R>(trial, eye))
}

/// The same where what stands after the dice is valued by the caller.
pub fn mean_of<R: Ruleset>(
    battle: &R::Battle,
    before: &[R::Battle],
    choice: &Choice<R::Offer>,
    (by, ways): (Judgement, u32),
    dice: &mut Spread,
    mut value_of: impl FnMut(&R::Battle) -> f64,
) -> Option<Expected> {
    let reacts = R::lets_pass(battle).is_some();
    let carried_out = |dice: &mut Spread| {
        let mut trial = battle.clone();
        R::resolve(&mut Resolution::new(&mut trial, dice), choice).ok()?;
        if by.is_present() {
            if reacts {
                have_done::<R>(&mut trial, R::deciding(battle), dice);
            }
            let_pass::<R>(&mut trial, R::deciding(battle), dice);
        }
        Some(trial)
    };
    let middle = ways / 2;
    dice.begin(middle, ways);
    let trial = carried_out(dice)?;
    // A wheel through no angle, or there and back again: whoever thought well of it would make it for ever.
    if dice.thrown() == 0 && (trial == *battle || before.contains(&trial)) {
        return None;
    }
    let mut seen = Seen::default();
    let value = value_of(&trial);
    if dice.thrown() == 0 {
        return Some(Expected { value, spread: 0.0, certain: true });
    }
    let meanings = dice.first.len();
    if ways > 1 && dice.thrown() == 1 && (1..=ways as usize).contains(&meanings) {
        let weight = |dice: &Spread| dice.first.get(dice.came_to).map_or(0.0, |band| band.ways as f64);
        seen.add(value, weight(dice));
        let mut once = true;
        let middle = dice.came_to;
        for n in (0..meanings).filter(|n| *n != middle) {
            dice.begin_with(n);
            let trial = carried_out(dice)?;
            seen.add(value_of(&trial), weight(dice));
            once &= dice.thrown() == 1;
        }
        return Some(seen.expected(once));
    }
    seen.add(value, 1.0);
    for run in (0..ways).filter(|run| *run != middle) {
        dice.begin(run, ways);
        seen.add(value_of(&carried_out(dice)?), 1.0);
    }
    Some(seen.expected(false))
}

/// How often the enemy lets pass what he may react to, at the most.
const PASSES: u32 = 3;

/// What a choice comes to is seen only once it is done: where the enemy may react before that, he lets it pass. What he could do is for the judgement to
/// fear; as long as nothing is done, all choices look alike.
pub(crate) fn let_pass<R: Ruleset>(trial: &mut R::Battle, side: Option<Side>, dice: &mut Spread) {
    for _ in 0..PASSES {
        if R::deciding(trial) == side {
            return;
        }
        let Some(offer) = R::lets_pass(trial) else { return };
        let pass = Choice { offer, value: Value::None };
        if R::resolve(&mut Resolution::new(trial, dice), &pass).is_err() {
            return;
        }
    }
}

/// A side that reacts and could react again has done: or a shot would be held against letting the enemy go on, whose doing then shows only
/// where nobody fires.
fn have_done<R: Ruleset>(trial: &mut R::Battle, side: Option<Side>, dice: &mut Spread) {
    for _ in 0..PASSES {
        if R::deciding(trial) != side {
            return;
        }
        let Some(offer) = R::lets_pass(trial) else { return };
        let pass = Choice { offer, value: Value::None };
        if R::resolve(&mut Resolution::new(trial, dice), &pass).is_err() {
            return;
        }
    }
}

/// What a choice came to in the ways that were looked at.
struct Seen {
    sum: f64,
    weight: f64,
    worst: f64,
    best: f64,
}

impl Default for Seen {
    fn default() -> Self {
        Self { sum: 0.0, weight: 0.0, worst: f64::INFINITY, best: f64::NEG_INFINITY }
    }
}

impl Seen {
    fn add(&mut self, value: f64, weight: f64) {
        self.sum += value * weight;
        self.weight += weight;
        (self.worst, self.best) = (self.worst.min(value), self.best.max(value));
    }

    fn expected(&self, certain: bool) -> Expected {
        Expected { value: self.sum / self.weight, spread: (self.best - self.worst).max(0.0), certain }
    }
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
    fn what_the_first_throw_can_mean_is_looked_at_one_by_one() {
        let throw = Throw::sum(2, Die::D6);
        let mut dice = Spread::default();
        dice.begin(0, 1);
        assert_eq!(dice.throw_in(&throw, &[3, 10]).unwrap().total(), 3, "the lowest of the middle band");
        assert_eq!(
            dice.first.iter().map(|band| (band.total, band.ways)).collect::<Vec<_>>(),
            [(2, 1), (3, 29), (10, 6)]
        );
        dice.begin_with(2);
        assert_eq!(dice.throw_in(&throw, &[3, 10]).unwrap().total(), 10);
        assert_eq!(dice.throw(&throw).unwrap().total(), 7, "the second as ever");
        assert_eq!(dice.thrown(), 2);
    }

    #[test]
    fn a_single_run_takes_the_middle() {
        let mut dice = Spread::default();
        dice.begin(0, 1);
        assert_eq!(dice.throw(&Throw::sum(2, Die::D6)).unwrap().total(), 7);
    }
}
