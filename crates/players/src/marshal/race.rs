//! Who is still in the race, told from what the tries came to.

use crate::expect::WON;
use crate::learnt::Told;

/// Nobody drops out before so many tries.
const LEAST: usize = 8;
/// By how many standard errors somebody must be behind the leader to drop out.
const SURE: f64 = 2.0;
/// Whoever could be better than the leader by no more than this is not worth finding out about.
const TRIFLE: f64 = 0.02;

/// Points as a number between -1 and 1, with 0 where the battle stands now.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Measure {
    now: f64,
    scale: f64,
}

impl Measure {
    /// A measure in which what these tries came to fills the middle of the range.
    fn new(now: f64, points: impl Iterator<Item = f64> + Clone) -> Self {
        let decided = |points: &f64| points.abs() < WON / 2.0;
        let open = points.filter(decided);
        let count = open.clone().count().max(1) as f64;
        let mean = open.clone().sum::<f64>() / count;
        let spread = libm::sqrt(open.map(|points| (points - mean) * (points - mean)).sum::<f64>() / count);
        Self { now, scale: (2.0 * spread).max(10.0) }
    }

    pub(super) fn of_points(self, points: f64) -> f64 {
        if points.abs() >= WON / 2.0 { points.signum() } else { 0.98 * libm::tanh((points - self.now) / self.scale) }
    }
}

/// A runner, and what a try of it came to in points; nothing where the rules refused it.
pub(super) type Came = (usize, Option<Told>);

/// A race between choices, known by their numbers.
pub(super) struct Race {
    running: Vec<usize>,
    /// What each came to, try by try; the `n`th try of all had the same dice.
    came_to: Vec<Vec<f64>>,
    measures: Option<[Measure; 2]>,
    by_chance: f64,
}

impl Race {
    /// Tries count by so much of the chance that was learnt, and for the rest by their points.
    pub(super) fn new(runners: usize, by_chance: f64) -> Self {
        let came_to = vec![Vec::new(); runners];
        Self { running: (0..runners).collect(), came_to, measures: None, by_chance }
    }

    /// Who is still in it.
    pub(super) fn running(&self) -> &[usize] {
        &self.running
    }

    /// The measure of points.
    pub(super) fn measure(&self) -> Measure {
        self.measures.map_or(Measure { now: 0.0, scale: 1.0 }, |[points, _]| points)
    }

    /// How often one was tried, and what it came to on average: the worst where the rules refused it.
    pub(super) fn result(&self, one: usize) -> (u32, f64) {
        let tries = &self.came_to[one];
        let mean = if tries.is_empty() { -1.0 } else { tries.iter().sum::<f64>() / tries.len() as f64 };
        (u32::try_from(tries.len()).unwrap_or(u32::MAX), mean)
    }

    /// What the tries of a heat came to, round by round. The first heat sets the measure.
    pub(super) fn finish_heat(&mut self, rounds: &[Vec<Came>], now: Told) {
        let tries = rounds.iter().flatten();
        let all = |by: usize| tries.clone().filter_map(move |(_, told)| told.map(|told| told[by]));
        let [points, chance] = *self.measures.get_or_insert_with(|| [0, 1].map(|by| Measure::new(now[by], all(by))));
        let part = self.by_chance;
        for (one, told) in tries.clone() {
            match told {
                Some(told) => {
                    let value = (1.0 - part) * points.of_points(told[0]) + part * chance.of_points(told[1]);
                    self.came_to[*one].push(value);
                }
                None => self.running.retain(|other| other != one),
            }
        }
        let mean = |one: &usize| self.result(*one).1;
        let Some(leader) = self.running.iter().copied().max_by(|a, b| mean(a).total_cmp(&mean(b)).then(b.cmp(a)))
        else {
            return;
        };
        let came_to = &self.came_to;
        self.running.retain(|one| *one == leader || may_lead(&came_to[*one], &came_to[leader]));
    }
}

/// Whether somebody could still turn out better than the leader by more than a trifle, told from the tries with the same dice.
fn may_lead(tries: &[f64], leader: &[f64]) -> bool {
    let behind = leader.iter().zip(tries).map(|(leader, one)| leader - one);
    let count = tries.len().min(leader.len());
    if count < LEAST {
        return true;
    }
    let mean = behind.clone().sum::<f64>() / count as f64;
    let variance = behind.map(|by| (by - mean) * (by - mean)).sum::<f64>() / (count as f64 - 1.0);
    SURE * libm::sqrt(variance / count as f64) - mean > TRIFLE
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(race: &mut Race, points: impl Fn(usize, usize) -> f64) {
        let running = race.running().to_vec();
        let round = |n: usize| running.iter().map(|one| (*one, Some([points(*one, n); 2]))).collect();
        race.finish_heat(&(0..4).map(round).collect::<Vec<_>>(), [0.0; 2]);
    }

    #[test]
    fn who_is_always_behind_with_the_same_dice_drops_out_and_luck_alone_drops_nobody() {
        let mut race = Race::new(3, 0.5);
        // The dice swing by 100 points; the second is always 30 behind, the third now before and now behind.
        let points = |one: usize, n: usize| {
            let dice = [100.0, -100.0, 40.0, -40.0][n];
            dice - [0.0, 30.0 + n as f64, if n.is_multiple_of(2) { 90.0 } else { -80.0 }][one]
        };
        run(&mut race, points);
        assert_eq!(race.running(), [0, 1, 2], "four tries are too few");
        run(&mut race, points);
        assert_eq!(race.running(), [0, 2]);
    }

    #[test]
    fn what_makes_no_difference_is_not_looked_into() {
        let mut race = Race::new(2, 0.5);
        let points = |one: usize, n: usize| [100.0, -100.0, 40.0, -40.0][n] - 0.1 * one as f64;
        run(&mut race, points);
        run(&mut race, points);
        assert_eq!(race.running(), [0]);
    }

    #[test]
    fn what_the_rules_refuse_runs_no_more() {
        let mut race = Race::new(2, 0.5);
        race.finish_heat(&[vec![(0, None), (1, Some([5.0; 2]))]], [0.0; 2]);
        assert_eq!(race.running(), [1]);
        assert_eq!(race.result(0), (0, -1.0));
    }

    #[test]
    fn a_won_battle_is_the_most_there_is() {
        let measure = Measure::new(50.0, [0.0, 100.0, WON].into_iter());
        assert_eq!(measure.of_points(WON), 1.0);
        assert_eq!(measure.of_points(-WON), -1.0);
        assert_eq!(measure.of_points(50.0), 0.0);
        assert!(measure.of_points(1e5) < 1.0);
        assert_eq!(measure, Measure { now: 50.0, scale: 100.0 });
    }
}
