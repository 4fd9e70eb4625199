//! Shares and differences with their intervals, and ratings.

use serde::{Deserialize, Serialize};

/// The normal quantile of a two-sided 95 % interval.
pub const Z95: f64 = 1.959_963_984_540_054;

/// A share of so many trials, with its 95 % interval after Wilson, which holds near 0 and 1 and for few trials too.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Share {
    /// How many came out so; halves for draws.
    pub count: f64,
    /// Of how many.
    pub of: u64,
    /// The share itself.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Share {
    /// The share with its 95 % interval.
    #[must_use]
    pub fn new(count: f64, of: u64) -> Self {
        Self::with_z(count, of, Z95)
    }

    /// The share with the interval of another confidence.
    #[must_use]
    pub fn with_z(count: f64, of: u64, z: f64) -> Self {
        if of == 0 {
            return Self { count, of, value: 0.5, low: 0.0, high: 1.0 };
        }
        let n = of as f64;
        let p = count / n;
        let z2 = z * z;
        let centre = (p + z2 / (2.0 * n)) / (1.0 + z2 / n);
        let half = z / (1.0 + z2 / n) * libm::sqrt(p * (1.0 - p) / n + z2 / (4.0 * n * n));
        Self { count, of, value: p, low: (centre - half).max(0.0), high: (centre + half).min(1.0) }
    }

    /// Half the width of the interval.
    #[must_use]
    pub fn half_width(&self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

impl std::fmt::Display for Share {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.1} % ({:.1} to {:.1})", 100.0 * self.value, 100.0 * self.low, 100.0 * self.high)
    }
}

/// The difference of two shares (the second less the first), with its interval after Newcombe.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// The difference.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Difference {
    /// The second share less the first, with the interval that follows from theirs.
    #[must_use]
    pub fn between(first: &Share, second: &Share) -> Self {
        let square = |x: f64| x * x;
        let value = second.value - first.value;
        let low = value - libm::sqrt(square(second.value - second.low) + square(first.high - first.value));
        let high = value + libm::sqrt(square(second.high - second.value) + square(first.value - first.low));
        Self { value, low, high }
    }

    /// Whether the interval leaves no difference out.
    #[must_use]
    pub fn excludes_none(&self) -> bool {
        self.low > 0.0 || self.high < 0.0
    }
}

/// Mean and standard deviation.
#[must_use]
pub fn mean_and_deviation(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    if values.is_empty() {
        return (0.0, 0.0);
    }
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    (mean, if values.len() < 2 { 0.0 } else { libm::sqrt(squares / (n - 1.0)) })
}

/// A mean score with the luck of the dice taken out, beside what it would be worth to fight more battles instead.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Adjusted {
    /// The mean, between 0 and 1.
    pub value: f64,
    /// So much up or down: the 95 % interval after Student.
    pub within: f64,
    /// How many times as many battles would have been as good without it.
    pub factor: f64,
}

impl Adjusted {
    /// From the score of each battle, as it was and with its luck taken out; nothing for fewer than two battles.
    #[must_use]
    pub fn of(scores: &[(f64, f64)]) -> Option<Self> {
        if scores.len() < 2 {
            return None;
        }
        let (_, raw) = mean_and_deviation(&scores.iter().map(|(raw, _)| *raw).collect::<Vec<_>>());
        let (value, deviation) = mean_and_deviation(&scores.iter().map(|(_, adjusted)| *adjusted).collect::<Vec<_>>());
        let n = scores.len() as f64;
        let within = student95(scores.len() - 1) * deviation / libm::sqrt(n);
        let factor = if deviation > 0.0 { raw * raw / (deviation * deviation) } else { 1.0 };
        Some(Self { value, within, factor })
    }
}

/// The quantile of a two-sided 95 % interval after Student, by the expansion of Cornish and Fisher, which is exact enough from four
/// degrees of freedom on; below it as tables have it.
fn student95(freedom: usize) -> f64 {
    let n = freedom as f64;
    let z = Z95;
    let (z3, z5, z7) = (z * z * z, z * z * z * z * z, z * z * z * z * z * z * z);
    match freedom {
        0 => f64::INFINITY,
        1 => 12.706,
        2 => 4.303,
        3 => 3.182,
        _ => {
            z + (z3 + z) / (4.0 * n)
                + (5.0 * z5 + 16.0 * z3 + 3.0 * z) / (96.0 * n * n)
                + (3.0 * z7 + 19.0 * z5 + 17.0 * z3 - 15.0 * z) / (384.0 * n * n * n)
        }
    }
}

/// A rating on Elo's scale with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rating {
    /// Points; the first player stands at 1000.
    pub elo: f64,
    /// So much up or down.
    pub within: f64,
}

/// Ratings that fit the scores best (Bradley and Terry): `scores[i][j]` are the points of `i` against `j`, a half for a
/// draw. One drawn game against every opponent is added, so that a clean sweep is not worth infinitely much.
#[must_use]
pub fn ratings(scores: &[Vec<f64>]) -> Vec<Rating> {
    let n = scores.len();
    let played = |i: usize, j: usize| {
        let games = scores[i][j] + scores[j][i];
        if i != j && games > 0.0 { (scores[i][j] + 0.5, games + 1.0) } else { (0.0, 0.0) }
    };
    let mut strength = vec![0.0_f64; n];
    let expected = |a: f64, b: f64| 1.0 / (1.0 + libm::exp(b - a));
    let mut information = vec![0.0_f64; n];
    for _ in 0..400 {
        for i in 0..n {
            let (mut slope, mut curve) = (0.0, 0.0);
            for j in 0..n {
                let (points, games) = played(i, j);
                let p = expected(strength[i], strength[j]);
                slope += points - games * p;
                curve += games * p * (1.0 - p);
            }
            information[i] = curve;
            if i > 0 && curve > 0.0 {
                strength[i] += (slope / curve).clamp(-1.0, 1.0);
            }
        }
    }
    let scale = 400.0 / std::f64::consts::LN_10;
    let rating = |i: usize| {
        let within = if i == 0 || information[i] <= 0.0 { 0.0 } else { Z95 / libm::sqrt(information[i]) };
        Rating { elo: 1_000.0 + scale * (strength[i] - strength[0]), within: scale * within }
    };
    (0..n).map(rating).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 5e-4
    }

    #[test]
    fn intervals_are_those_of_the_textbooks() {
        // Newcombe 1998, table I, method 3: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
        for (count, of, low, high) in [
            (81.0, 263, 0.2553, 0.3662),
            (15.0, 148, 0.0624, 0.1605),
            (0.0, 20, 0.0, 0.1611),
            (1.0, 29, 0.0061, 0.1718),
        ] {
            let share = Share::new(count, of);
            assert!(close(share.low, low) && close(share.high, high), "{share:?}");
        }
    }

    #[test]
    fn differences_are_those_of_the_textbooks() {
        // Newcombe 1998, table II, method 10: 56/70 - 48/80 and 9/10 - 3/10.
        for ((a, m), (b, n), low, high) in
            [((56.0, 70), (48.0, 80), 0.0524, 0.3339), ((9.0, 10), (3.0, 10), 0.1705, 0.8090)]
        {
            let difference = Difference::between(&Share::new(b, n), &Share::new(a, m));
            assert!(close(difference.low, low) && close(difference.high, high), "{difference:?}");
        }
    }

    #[test]
    fn the_quantiles_of_student_are_those_of_the_tables() {
        for (freedom, quantile) in
            [(1, 12.706), (3, 3.182), (4, 2.776), (5, 2.571), (10, 2.228), (30, 2.042), (1_000, 1.962)]
        {
            assert!((student95(freedom) - quantile).abs() < 0.02, "{freedom}: {}", student95(freedom));
        }
    }

    #[test]
    fn luck_that_is_known_is_taken_out_and_the_factor_says_how_much_that_is_worth() {
        // Even results, of which only an eighth up or down is left when luck is taken out.
        let all: Vec<(f64, f64)> =
            (0..400).map(|n| (f64::from(n % 2), 0.5 + 0.25 * f64::from(n % 4 / 2) - 0.125)).collect();
        let adjusted = Adjusted::of(&all).unwrap_or_else(|| panic!("there are battles"));
        assert!((adjusted.value - 0.5).abs() < 1e-9, "{adjusted:?}");
        assert!((adjusted.factor - 16.0).abs() < 0.1, "{adjusted:?}");
        assert!((adjusted.within - 1.966 * 0.1252 / 20.0).abs() < 1e-3, "{adjusted:?}");
        assert_eq!(Adjusted::of(&all[..1]), None);
    }

    #[test]
    fn three_wins_in_four_are_about_two_hundred_points() {
        let ratings = ratings(&[vec![0.0, 250.0], vec![750.0, 0.0]]);
        assert!((ratings[1].elo - 1_190.8).abs() < 1.5, "{ratings:?}");
        assert!(ratings[1].within > 10.0 && ratings[1].within < 40.0, "{ratings:?}");
    }

    #[test]
    fn a_clean_sweep_is_worth_much_and_not_infinitely_much() {
        let ratings = ratings(&[vec![0.0, 0.0], vec![100.0, 0.0]]);
        assert!(ratings[1].elo > 1_700.0 && ratings[1].elo < 2_200.0, "{ratings:?}");
    }
}
