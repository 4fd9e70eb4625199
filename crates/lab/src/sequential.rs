//! A sequential test: battles are fought until it is clear which of two stated hypotheses holds, and no longer.
//!
//! What is observed is a pair of battles with the same seed: two players who change sides, or one battle under two variants. A pair gives a
//! player (or the second variant) nothing, a quarter, a half, three quarters or all of the points of two battles. Pairs are independent of one
//! another; the two battles of a pair are not, and their luck cancels out in part.
//!
//! The hypotheses are stated in **normalised Elo**: the mean of the points less one half, over the standard deviation *of a battle*, times
//! 800 / ln 10. What counts is how far the difference stands out from the luck, which is what the number of battles depends on: one bound
//! means the same for a scenario that dice decide and for one that they do not. Where two variants are fought with the same dice the deviation is that of
//! separate battles all the same: what they share makes the test shorter, not what is looked for smaller.
//!
//! The test is Wald's, generalised: the likelihood of what was observed where the difference is exactly the one hypothesis, against that where
//! it is exactly the other, each maximised over all distributions of the five results that have that difference. It ends when the logarithm of
//! their ratio leaves the interval from ln(β / (1 − α)) to ln((1 − β) / α).

use serde::{Deserialize, Serialize};

use crate::statistics::Z95;

/// A logistic point of Elo near nothing, per unit of (mean less a half) over the standard deviation of a battle.
const PER_DEVIATION: f64 = 800.0 / std::f64::consts::LN_10;
/// A result that was never seen counts as seen so often: it could still come.
const UNSEEN: f64 = 1e-3;

/// The two hypotheses, in normalised Elo, and how often each may be rejected although it holds. All of it is stated before the first battle.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bounds {
    /// The difference is no more than this,
    pub low: f64,
    /// or no less than this.
    pub high: f64,
    /// How often a difference of `low` may be taken for `high`.
    pub alpha: f64,
    /// How often a difference of `high` may be taken for `low`.
    pub beta: f64,
}

impl Bounds {
    /// Nothing, or twenty: three points in a hundred where battles fall like coins.
    pub const USUAL: Self = Self { low: 0.0, high: 20.0, alpha: 0.05, beta: 0.05 };

    /// The same with half the errors: for two tests at once, one for each way in which things can differ.
    #[must_use]
    pub const fn halved(self) -> Self {
        Self { alpha: self.alpha / 2.0, beta: self.beta / 2.0, ..self }
    }

    /// The logarithms of the ratio at which the test ends.
    #[must_use]
    pub fn ends(&self) -> [f64; 2] {
        [libm::log(self.beta / (1.0 - self.alpha)), libm::log((1.0 - self.beta) / self.alpha)]
    }
}

impl std::str::FromStr for Bounds {
    type Err = String;

    /// `0,20`, or `0,20,0.05` with how often either may be rejected although it holds.
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("'{text}' are no bounds: two differences in normalised Elo, the lower first: 0,20");
        let numbers: Vec<f64> =
            text.split(',').map(|one| one.trim().parse()).collect::<Result<_, _>>().map_err(|_| wrong())?;
        let (low, high, error) = match numbers.as_slice() {
            [low, high] => (*low, *high, 0.05),
            [low, high, error] => (*low, *high, *error),
            _ => return Err(wrong()),
        };
        let fits = low.abs() <= 1_000.0 && high.abs() <= 1_000.0 && low < high && (1e-6..0.5).contains(&error);
        if fits { Ok(Self { low, high, alpha: error, beta: error }) } else { Err(wrong()) }
    }
}

impl std::fmt::Display for Bounds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} or {} in normalised Elo", self.low, self.high)
    }
}

/// What a test has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Found {
    /// The difference is taken for the higher.
    High,
    /// The difference is taken for the lower.
    Low,
    /// More battles are needed.
    Open,
}

/// How pairs of battles came out: none of the points, a quarter, a half, three quarters, all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pairs(pub [u64; 5]);

impl Pairs {
    /// Adds a pair by the points of its two battles together, from 0 to 2.
    pub fn add(&mut self, points: f64) {
        let place = libm::round(2.0 * points).clamp(0.0, 4.0) as usize;
        self.0[place] += 1;
    }

    /// How many.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The same from the other side.
    #[must_use]
    pub fn turned(self) -> Self {
        let [a, b, c, d, e] = self.0;
        Self([e, d, c, b, a])
    }

    /// The share of the points, and its standard deviation from pair to pair.
    #[must_use]
    pub fn mean_and_deviation(&self) -> (f64, f64) {
        moments(&self.shares(0.0))
    }

    /// The share of the points with its 95 % interval; the pairs count, not the battles.
    #[must_use]
    pub fn share(&self) -> (f64, f64) {
        let n = self.count() as f64;
        // One pair of each kind that was not seen, together worth as much as one pair, so that no interval is of no width.
        let (mean, _) = self.mean_and_deviation();
        let (_, deviation) = moments(&self.shares(0.2));
        (mean, if n > 0.0 { Z95 * deviation / libm::sqrt(n) } else { 0.5 })
    }

    /// The difference in normalised Elo with its 95 % interval; nothing where all pairs came out the same.
    #[must_use]
    pub fn normalised(&self) -> Option<(f64, f64)> {
        let (mean, deviation) = self.mean_and_deviation();
        let battles = 2.0 * self.count() as f64;
        // The deviation of a battle is that of a pair times the root of two.
        let battle = deviation * std::f64::consts::SQRT_2;
        let known = deviation > 0.0;
        known.then(|| ((mean - 0.5) / battle * PER_DEVIATION, Z95 * PER_DEVIATION / libm::sqrt(battles)))
    }

    fn shares(&self, least: f64) -> [(f64, f64); 5] {
        let counts = self.0.map(|count| (count as f64).max(least));
        let all: f64 = counts.iter().sum::<f64>().max(f64::MIN_POSITIVE);
        std::array::from_fn(|n| (n as f64 / 4.0, counts[n] / all))
    }

    /// The logarithm of the ratio of likelihoods: above nothing speaks for the higher hypothesis.
    #[must_use]
    pub fn log_ratio(&self, bounds: &Bounds) -> f64 {
        if self.count() == 0 {
            return 0.0;
        }
        let seen = self.shares(UNSEEN);
        let of_pair = |elo: f64| elo / PER_DEVIATION * std::f64::consts::SQRT_2;
        let [low, high] = [bounds.low, bounds.high].map(|elo| likeliest(&seen, of_pair(elo)));
        let ratio = (0..5).map(|n| seen[n].1 * libm::log(high[n] / low[n]));
        self.0.iter().map(|count| (*count as f64).max(UNSEEN)).sum::<f64>() * ratio.sum::<f64>()
    }

    /// The same where the deviation of a battle is known otherwise, so that the hypotheses are two means: nothing is gained by pairs that hardly
    /// differ but certainty about them.
    #[must_use]
    pub fn log_ratio_of_means(&self, bounds: &Bounds, deviation: f64) -> f64 {
        if self.count() == 0 {
            return 0.0;
        }
        let seen = self.shares(UNSEEN);
        // Short of certainty: nobody takes all of the points for sure.
        let mean = |elo: f64| (0.5 + elo / PER_DEVIATION * deviation).clamp(0.001, 0.999);
        let [low, high] = [bounds.low, bounds.high].map(|elo| {
            let slope = seen.map(|(value, _)| value - mean(elo));
            let weight = multiplier(&seen, &slope);
            slope.map(|slope| 1.0 + weight * slope)
        });
        let ratio = (0..5).map(|n| seen[n].1 * libm::log(low[n] / high[n]));
        self.0.iter().map(|count| (*count as f64).max(UNSEEN)).sum::<f64>() * ratio.sum::<f64>()
    }

    /// What the test has come to.
    #[must_use]
    pub fn found(&self, bounds: &Bounds) -> Found {
        bounds.found(self.log_ratio(bounds))
    }

    /// The same where the deviation of a battle is known otherwise.
    #[must_use]
    pub fn found_of_means(&self, bounds: &Bounds, deviation: f64) -> Found {
        bounds.found(self.log_ratio_of_means(bounds, deviation))
    }
}

impl Bounds {
    fn found(&self, ratio: f64) -> Found {
        let [low, high] = self.ends();
        if ratio >= high {
            Found::High
        } else if ratio <= low {
            Found::Low
        } else {
            Found::Open
        }
    }
}

fn moments(shares: &[(f64, f64); 5]) -> (f64, f64) {
    let mean: f64 = shares.iter().map(|(value, share)| value * share).sum();
    let variance: f64 = shares.iter().map(|(value, share)| (value - mean) * (value - mean) * share).sum();
    (mean, libm::sqrt(variance.max(0.0)))
}

/// The distribution on the five results under which what was seen is likeliest, of all in which the mean lies so many deviations above a half.
///
/// The constraint, mean − ½ = t × deviation, is not linear in the shares. It is replaced by its tangent at the present guess, for which the
/// likeliest shares have the form seen / (1 + x × slope); the guess moves there, until it stays. At the end tangent and constraint are one.
fn likeliest(seen: &[(f64, f64); 5], t: f64) -> [f64; 5] {
    let mut guess = [0.2; 5];
    for _ in 0..100 {
        let (mean, deviation) = moments(&std::array::from_fn(|n| (seen[n].0, guess[n])));
        // The derivative of (mean − ½ − t × deviation) by each share, so that it sums to nothing where the constraint holds.
        let slope = seen.map(|(value, _)| {
            let from = (value - mean) / deviation;
            value - 0.5 - t * deviation * (1.0 + from * from) / 2.0
        });
        let weight = multiplier(seen, &slope);
        let next: [f64; 5] = std::array::from_fn(|n| seen[n].1 / (1.0 + weight * slope[n]));
        let moved = (0..5).map(|n| (next[n] - guess[n]).abs()).fold(0.0, f64::max);
        guess = next;
        if moved < 1e-12 {
            break;
        }
    }
    guess
}

/// The x for which the shares seen / (1 + x × slope) have no slope left on average. It falls steadily in x between its poles.
fn multiplier(seen: &[(f64, f64); 5], slope: &[f64; 5]) -> f64 {
    let least = slope.iter().copied().fold(f64::INFINITY, f64::min);
    let most = slope.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if least >= 0.0 || most <= 0.0 {
        return 0.0;
    }
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    for _ in 0..200 {
        let middle = low.midpoint(high);
        let left: f64 = (0..5).map(|n| seen[n].1 * slope[n] / (1.0 + middle * slope[n])).sum();
        if left > 0.0 { low = middle } else { high = middle }
    }
    low.midpoint(high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sabretache_engine::dice::Seeded;

    #[test]
    fn ratios_are_those_that_were_published() {
        // Tests of Stockfish on fishtest, as their pull requests 4194, 5712, 6616 and 6285 tell them, and a match of fastchess: pairs, bounds, ratio.
        for (pairs, low, high, published) in [
            ([371, 10_263, 24_989, 10_642, 379], 0.0, 2.0, 2.95),
            ([47, 8_181, 25_234, 8_575, 47], 0.5, 2.5, 2.94),
            ([831, 31_795, 68_460, 32_448, 834], 0.0, 2.0, 2.93),
            ([307, 54_901, 140_959, 56_230, 281], 0.5, 2.5, 2.95),
            ([2, 1_925, 6_607, 2_176, 2], 0.0, 2.0, 2.94),
            ([289, 26_459, 62_934, 26_379, 331], -1.75, 0.25, 2.94),
            ([118, 38_575, 109_888, 38_432, 122], -1.75, 0.25, 2.95),
            ([0, 0, 2, 0, 37], 0.0, 20.0, 2.96),
        ] {
            let ratio = Pairs(pairs).log_ratio(&Bounds { low, high, ..Bounds::USUAL });
            assert!((ratio - published).abs() < 0.0101, "{pairs:?}: {ratio} and not {published}");
        }
        assert!((Bounds::USUAL.ends()[1] - 2.944).abs() < 1e-3 && (Bounds::USUAL.ends()[0] + 2.944).abs() < 1e-3);
    }

    #[test]
    fn from_the_other_side_everything_is_turned() {
        let pairs = Pairs([3, 20, 41, 28, 9]);
        let bounds = Bounds { low: -10.0, high: 30.0, ..Bounds::USUAL };
        let turned = Bounds { low: -30.0, high: 10.0, ..bounds };
        assert!((pairs.log_ratio(&bounds) + pairs.turned().log_ratio(&turned)).abs() < 1e-6);
        let ((a, within), (b, same)) = (pairs.normalised().unwrap(), pairs.turned().normalised().unwrap());
        assert!((a + b).abs() < 1e-9 && (within - same).abs() < 1e-9, "{a} {b}");
    }

    #[test]
    fn the_distribution_that_is_likeliest_has_the_difference_that_it_is_to_have() {
        let seen = Pairs([3, 20, 41, 28, 9]).shares(UNSEEN);
        for t in [-0.4, 0.0, 0.1, 0.8] {
            let likeliest = likeliest(&seen, t);
            let (mean, deviation) = moments(&std::array::from_fn(|n| (seen[n].0, likeliest[n])));
            assert!((likeliest.iter().sum::<f64>() - 1.0).abs() < 1e-9 && likeliest.iter().all(|share| *share > 0.0));
            assert!(((mean - 0.5) - t * deviation).abs() < 1e-9, "{t}: {mean} {deviation}");
        }
    }

    /// Pairs with a known distribution are drawn until the test ends, or for so long.
    fn fought(shares: [f64; 5], bounds: &Bounds, seed: u64) -> (Found, u64) {
        let mut random = Seeded::new(seed);
        let mut pairs = Pairs::default();
        for _ in 0..20_000 {
            for _ in 0..8 {
                let mut left = random.bits() as f64 / 2f64.powi(64);
                let place = shares.iter().position(|share| {
                    left -= share;
                    left < 0.0
                });
                pairs.0[place.unwrap_or(4)] += 1;
            }
            match pairs.found(bounds) {
                Found::Open => {}
                found => return (found, pairs.count()),
            }
        }
        (Found::Open, pairs.count())
    }

    #[test]
    fn it_errs_as_seldom_as_it_says() {
        // Coins: a pair has a deviation of 0.3536, so that a mean of 0.5 + t × 0.3536 lies t deviations above a half.
        let coins = |p: f64| {
            let q = 1.0 - p;
            [q * q, 0.0, 2.0 * p * q, 0.0, p * p]
        };
        let bounds = Bounds { low: 0.0, high: 60.0, ..Bounds::USUAL };
        let share_at = |elo: f64| 0.5 + elo / PER_DEVIATION * 0.5;
        let mut wrong = [0, 0];
        let mut pairs = 0;
        for seed in 0..400 {
            let (none, _) = fought(coins(0.5), &bounds, seed);
            let (some, took) = fought(coins(share_at(60.0)), &bounds, 1_000_000 + seed);
            wrong[0] += u32::from(none != Found::Low);
            wrong[1] += u32::from(some != Found::High);
            pairs += took;
        }
        // 20 of 400 are allowed on average; what is overshot at the end makes it fewer.
        assert!(wrong.iter().all(|count| *count <= 30), "{wrong:?}");
        // A test of fixed length with the same errors needs (2 × 1.645 / 0.2442)² = 181 pairs.
        assert!(pairs / 400 < 150, "{} pairs on average", pairs / 400);
    }

    #[test]
    fn between_two_means_the_ratio_is_that_of_the_normal_distribution_where_they_are_close() {
        let pairs = Pairs([400, 2_100, 5_000, 2_300, 450]);
        let (mean, deviation) = pairs.mean_and_deviation();
        let bounds = Bounds { low: 0.0, high: 10.0, ..Bounds::USUAL };
        let means = [0.5, 0.5 + 10.0 / PER_DEVIATION * 0.5];
        let normal = pairs.count() as f64 * (means[1] - means[0]) * (2.0 * mean - means[0] - means[1])
            / (2.0 * deviation * deviation);
        let ratio = pairs.log_ratio_of_means(&bounds, 0.5);
        assert!((ratio - normal).abs() < 0.02 * normal.abs(), "{ratio} and not {normal}");
        // Pairs that never differ rule a difference out, and soon.
        let same = Pairs([0, 0, 300, 0, 0]);
        assert_eq!(same.found_of_means(&Bounds::USUAL, 0.5), Found::Low);
        assert_eq!(same.turned().found_of_means(&Bounds::USUAL, 0.5), Found::Low);
    }

    #[test]
    fn bounds_are_read_as_people_write_them() {
        assert_eq!("0,20".parse(), Ok(Bounds::USUAL));
        assert_eq!("-10, 10,0.01".parse(), Ok(Bounds { low: -10.0, high: 10.0, alpha: 0.01, beta: 0.01 }));
        for wrong in ["", "20", "20,0", "0,0", "0,20,0", "0,20,0.5", "0,nan", "0,inf", "a,b"] {
            assert!(wrong.parse::<Bounds>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn pairs_know_their_share_and_nothing_is_ever_quite_certain() {
        let mut pairs = Pairs::default();
        for points in [0.0, 0.5, 1.0, 1.5, 2.0, 2.0] {
            pairs.add(points);
        }
        assert_eq!(pairs, Pairs([1, 1, 1, 1, 2]));
        assert!((pairs.share().0 - 3.5 / 6.0).abs() < 1e-9);
        let (mean, within) = Pairs([0, 0, 0, 0, 30]).share();
        assert!(mean == 1.0 && within > 0.005, "{within}");
        assert_eq!(Pairs([0, 0, 7, 0, 0]).normalised(), None);
        assert_eq!(Pairs::default().log_ratio(&Bounds::USUAL), 0.0);
    }
}
