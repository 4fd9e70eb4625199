//! Chances fitted to battles, and held against others.
//!
//! Logistic regression by Newton's method. Large weights are held back (ridge regression), by as much as does best on battles and on
//! whole scenarios that were left out, which count alike: what tells one scenario from another is no reason to win a third. The moments of a
//! battle belong together, so that a long one tells no more than a short one.

use serde::{Deserialize, Serialize};

use super::{Bin, Calibration, Chances, Part, share_of_knots};

/// How many parts the scale of chances has in the calibration.
const BINS: usize = 10;
/// As many moments of their own as a battle counts for, however many of it were looked at.
const WORTH_OF_BATTLE: f64 = 4.0;
/// How much weights are held back is chosen among these.
const HELD_BACK: [f64; 7] = [0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0];
/// What misses by no more than this times the least is as good.
const AS_GOOD: f64 = 1.001;
/// One battle in so many is left out to choose it by.
const LEFT_OUT: u64 = 5;
/// One battle in so many is not fitted on, and judges what was fitted.
const JUDGES: u64 = 4;
/// Newton's method is there, or lost, after so many steps.
const STEPS: usize = 40;

/// How a battle stood at a moment, and what came of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Moment {
    /// The battle, by a number of its own.
    pub battle: u64,
    /// Of which scenario it is, by a number.
    pub scenario: usize,
    /// Which share of the turns was over.
    pub passed: f64,
    /// For side A, part by part.
    pub parts: Vec<f64>,
    /// 1 where A won, a half for a draw.
    pub result: f64,
}

/// Where battles came from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Source {
    /// The scenarios.
    pub scenarios: Vec<String>,
    /// Who fought them.
    pub players: Vec<String>,
}

/// The chances that fit three battles in four of these best, held against the fourth.
#[must_use]
pub fn fitted(version: u32, names: &[String], source: Source, moments: &[Moment]) -> Chances {
    let (judged, on): (Vec<&Moment>, Vec<&Moment>) =
        moments.iter().partition(|moment| moment.battle % JUDGES == JUDGES - 1);
    let missed = HELD_BACK.map(|held_back| missed(&on, names, held_back));
    let least = missed.iter().copied().fold(f64::INFINITY, f64::min);
    // No more is held back than does any good: what is as good but for a thousandth is so by chance.
    let best = HELD_BACK.into_iter().zip(missed).find(|(_, missed)| *missed <= least * AS_GOOD);
    let parts = weights(&on, names, best.map_or(1.0, |(held_back, _)| held_back));
    let calibration = held_against(&parts, &judged);
    let battles = battles(&on).len() as u64;
    Chances { version, parts, scenarios: source.scenarios, players: source.players, battles, calibration }
}

/// How far off the weights are on what they were not fitted on: on some of the battles, and on each scenario those that were fitted on the others.
fn missed(moments: &[&Moment], names: &[String], held_back: f64) -> f64 {
    let without = |is_out: &dyn Fn(&Moment) -> bool| {
        let (out, rest): (Vec<&Moment>, Vec<&Moment>) = moments.iter().partition(|moment| is_out(moment));
        (held_against(&weights(&rest, names, held_back), &out).brier, out.len() as f64)
    };
    let (of_battles, _) = without(&|moment| (moment.battle / JUDGES).is_multiple_of(LEFT_OUT));
    let scenarios: std::collections::BTreeSet<usize> = moments.iter().map(|moment| moment.scenario).collect();
    if scenarios.len() < 2 {
        return of_battles;
    }
    let each = scenarios.into_iter().map(|scenario| without(&|moment| moment.scenario == scenario));
    of_battles + each.map(|(brier, count)| brier * count).sum::<f64>() / moments.len() as f64
}

/// How well weights foretell what came of these moments.
#[must_use]
pub fn held_against(parts: &[Part], moments: &[&Moment]) -> Calibration {
    let chances = Chances {
        version: 1,
        parts: parts.to_vec(),
        scenarios: Vec::new(),
        players: Vec::new(),
        battles: 0,
        calibration: Calibration::default(),
    };
    let mut bins = vec![Bin::default(); BINS];
    let (mut brier, mut brier_of_half) = (0.0, 0.0);
    for moment in moments {
        let told = chances.at(&moment.parts, moment.passed);
        brier += (told - moment.result) * (told - moment.result);
        brier_of_half += (0.5 - moment.result) * (0.5 - moment.result);
        let bin = &mut bins[((told * BINS as f64) as usize).min(BINS - 1)];
        *bin = Bin { moments: bin.moments + 1, told: bin.told + told, came: bin.came + moment.result };
    }
    for bin in bins.iter_mut().filter(|bin| bin.moments > 0) {
        (bin.told, bin.came) = (bin.told / bin.moments as f64, bin.came / bin.moments as f64);
    }
    let count = moments.len().max(1) as f64;
    let battles = battles(moments).len() as u64;
    Calibration { battles, brier: brier / count, brier_of_half: brier_of_half / count, bins }
}

/// The battles of some moments, each with how many it has.
fn battles(moments: &[&Moment]) -> std::collections::BTreeMap<u64, u32> {
    let mut counts = std::collections::BTreeMap::new();
    for moment in moments {
        *counts.entry(moment.battle).or_default() += 1;
    }
    counts
}

/// The weights that make what happened likeliest, held back by so much.
fn weights(moments: &[&Moment], names: &[String], held_back: f64) -> Vec<Part> {
    let width = 3 * names.len();
    let counts = battles(moments);
    let mut rows: Vec<(Vec<f64>, f64, f64)> = Vec::with_capacity(moments.len());
    for moment in moments {
        let share = share_of_knots(moment.passed);
        let row = moment.parts.iter().flat_map(|part| share.map(|share| share * part)).collect();
        rows.push((row, moment.result, WORTH_OF_BATTLE / f64::from(counts[&moment.battle].max(1))));
    }
    // What is small is measured by its own scale, so that all are held back alike.
    let count = rows.len().max(1) as f64;
    let scale: Vec<f64> = (0..names.len())
        .flat_map(|n| {
            let square: f64 = moments.iter().map(|one| one.parts[n] * one.parts[n]).sum();
            [libm::sqrt(square / count).max(1e-9); 3]
        })
        .collect();
    rows.iter_mut().for_each(|(row, ..)| row.iter_mut().zip(&scale).for_each(|(x, scale)| *x /= scale));
    let mut found = vec![0.0; width];
    for _ in 0..STEPS {
        let mut slope: Vec<f64> = found.iter().map(|weight| -held_back * weight).collect();
        let mut curve = vec![vec![0.0; width]; width];
        (0..width).for_each(|n| curve[n][n] = held_back + 1e-9);
        for (row, result, counts) in &rows {
            let told = super::logistic(row.iter().zip(&found).map(|(x, weight)| x * weight).sum());
            let (miss, bend) = (counts * (result - told), counts * told * (1.0 - told));
            for (n, x) in row.iter().enumerate().filter(|(_, x)| **x != 0.0) {
                slope[n] += miss * x;
                for (sum, y) in curve[n][..=n].iter_mut().zip(row) {
                    *sum += bend * x * y;
                }
            }
        }
        let Some(step) = solved(&mut curve, &slope) else { break };
        let longest = step.iter().map(|x| x.abs()).fold(0.0, f64::max);
        let most = if longest > 2.0 { 2.0 / longest } else { 1.0 };
        found.iter_mut().zip(&step).for_each(|(weight, step)| *weight += most * step);
        if longest < 1e-8 {
            break;
        }
    }
    let weight = |n: usize| {
        let at = |k: usize| found[3 * n + k] / scale[3 * n + k];
        // Five figures are enough for anybody, and make no file unreadable.
        [at(0), at(1), at(2)].map(|weight| libm::round(weight * 1e5) / 1e5)
    };
    names.iter().enumerate().map(|(n, name)| Part { name: name.clone(), weights: weight(n) }).collect()
}

/// Solves a symmetric system of which the lower half is given, after Cholesky; nothing where it has no solution of its own.
fn solved(lower: &mut [Vec<f64>], right: &[f64]) -> Option<Vec<f64>> {
    let width = right.len();
    for i in 0..width {
        for j in 0..=i {
            let sum: f64 = (0..j).map(|k| lower[i][k] * lower[j][k]).sum();
            let rest = lower[i][j] - sum;
            if i == j {
                if rest <= 0.0 {
                    return None;
                }
                lower[i][i] = libm::sqrt(rest);
            } else {
                lower[i][j] = rest / lower[j][j];
            }
        }
    }
    let mut found = right.to_vec();
    for i in 0..width {
        let sum: f64 = (0..i).map(|k| lower[i][k] * found[k]).sum();
        found[i] = (found[i] - sum) / lower[i][i];
    }
    for i in (0..width).rev() {
        let sum: f64 = (i + 1..width).map(|k| lower[k][i] * found[k]).sum();
        found[i] = (found[i] - sum) / lower[i][i];
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::super::logistic;
    use super::*;

    fn names() -> Vec<String> {
        ["strength", "places"].map(str::to_owned).to_vec()
    }

    /// Battles whose truth is known: strength counts less and less, places more and more.
    fn moments(count: u64) -> Vec<Moment> {
        let truth =
            |strength: f64, places: f64, passed: f64| logistic(strength * (4.0 - 2.0 * passed) + places * 3.0 * passed);
        let all = (0..count).map(|n| {
            let strength = (n % 41) as f64 / 20.0 - 1.0;
            let places = (n / 41 % 5) as f64 / 2.0 - 1.0;
            let passed = (n % 11) as f64 / 10.0;
            // Spread evenly: of a hundred such moments as many are won as there should be.
            let place = (n * 61 % 100) as f64 / 100.0 + 0.005;
            let result = f64::from(u8::from(place < truth(strength, places, passed)));
            Moment { battle: n, scenario: 0, passed, parts: vec![strength, places], result }
        });
        all.collect()
    }

    #[test]
    fn the_fit_finds_what_the_battles_were_made_from() {
        let chances = fitted(1, &names(), Source::default(), &moments(90_200));
        for (part, wanted) in chances.parts.iter().zip([[4.0, 3.0, 2.0], [0.0, 1.5, 3.0]]) {
            for (weight, wanted) in part.weights.iter().zip(wanted) {
                assert!((weight - wanted).abs() < 0.2, "{part:?}");
            }
        }
    }

    #[test]
    fn chances_that_hold_are_seen_to_hold_on_battles_that_they_were_not_fitted_on() {
        let chances = fitted(1, &names(), Source::default(), &moments(90_200));
        assert_eq!((chances.battles, chances.calibration.battles), (67_650, 22_550));
        for bin in chances.calibration.bins.iter().filter(|bin| bin.moments > 500) {
            assert!((bin.told - bin.came).abs() < 0.03, "{bin:?}");
        }
        assert!(chances.calibration.brier < 0.8 * chances.calibration.brier_of_half, "{:?}", chances.calibration);
        let mut wrong = chances.parts.clone();
        wrong.iter_mut().for_each(|part| part.weights = part.weights.map(|weight| -weight));
        let all = moments(9_020);
        assert!(held_against(&wrong, &all.iter().collect::<Vec<_>>()).brier > chances.calibration.brier_of_half);
    }

    /// In two of three scenarios the stronger side wins nine times in ten, and in the third it loses as often: strength tells battles of known
    /// scenarios well, and those of a scenario that was left out the wrong way.
    #[test]
    fn what_only_tells_scenarios_apart_is_held_back() {
        let moment = |n: u64| {
            let scenario = (n % 3) as usize;
            let (strength, share) = [(1.0, 0.9), (-1.0, 0.1), (0.5, 0.1)][scenario];
            let place = (n / 3 * 61 % 100) as f64 / 100.0 + 0.005;
            let result = f64::from(u8::from(place < share));
            Moment { battle: n, scenario, passed: 0.5, parts: vec![strength, 0.0], result }
        };
        let apart: Vec<Moment> = (0..1_200).map(moment).collect();
        let together: Vec<Moment> = apart.iter().map(|one| Moment { scenario: 0, ..one.clone() }).collect();
        let of = |moments: &[Moment]| {
            let moments: Vec<&Moment> = moments.iter().collect();
            [0.3, 300.0].map(|held_back| missed(&moments, &names(), held_back))
        };
        let [freely, held_back] = of(&together);
        assert!(freely < held_back, "{freely} {held_back}");
        let [freely, held_back] = of(&apart);
        assert!(freely > held_back, "{freely} {held_back}");
    }

    #[test]
    fn a_long_battle_tells_no_more_than_a_short_one() {
        // Two battles that say the opposite, one of them looked at a hundred times.
        let moment = |battle, result| Moment { battle, scenario: 0, passed: 0.0, parts: vec![1.0, 0.0], result };
        let mut all = vec![moment(0, 1.0)];
        all.extend((0..100).map(|_| moment(1, 0.0)));
        let found = weights(&all.iter().collect::<Vec<_>>(), &names(), 0.3);
        assert!(found[0].weights[0].abs() < 0.05, "{found:?}");
    }

    #[test]
    fn clear_battles_lead_to_no_certainty_and_none_to_one_half() {
        let clear: Vec<Moment> = (0..12)
            .map(|battle| Moment { battle, scenario: 0, passed: 0.5, parts: vec![1.0, 0.0], result: 1.0 })
            .collect();
        let chances = fitted(1, &names(), Source::default(), &clear);
        let told = chances.at(&[1.0, 0.0], 0.5);
        assert!(told > 0.6 && told < 1.0, "{told}");
        let none = fitted(1, &names(), Source::default(), &[]);
        assert!((none.at(&[1.0, 1.0], 0.5) - 0.5).abs() < 1e-9);
    }
}
