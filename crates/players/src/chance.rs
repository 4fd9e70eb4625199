//! How likely a side is to win as a battle stands: one number for advice, luck and results with the luck taken out.
//!
//! The chance is logistic in `Ruleset::worth`, which tells more the later it is. Its two coefficients are fitted on battles of several
//! scenarios ([`fit`]), judged on others ([`Calibration`]) and frozen with a version in `chances.json`: what corrects a result must
//! be fixed before the battles that it corrects.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use sabretache_engine::dice::Enumerating;
use sabretache_engine::ids::Side;
use sabretache_engine::offer::Choice;
use sabretache_engine::resolution::Resolution;
use sabretache_engine::ruleset::Ruleset;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

/// A choice that can go in more ways than these keeps its luck: that does not depend on how it went, so nothing is skewed.
const MOST_CHAINS: usize = 2_000;
/// How many parts the scale of chances has in the calibration.
const BINS: usize = 10;

/// The chances of winning under one book.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Chances {
    /// Rises when they are fitted anew; 0 for a book that has none.
    pub version: u32,
    /// What a point of worth adds to the log odds at the start,
    pub by_worth: f64,
    /// and how much more at the end.
    pub by_time: f64,
    /// What they were fitted on.
    pub scenarios: Vec<String>,
    /// How they did on battles that they were not fitted on.
    pub calibration: Calibration,
}

/// How well chances hold.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// The battles, a moment a turn of each.
    pub battles: u64,
    /// The mean square of chance less result: 0 is perfect.
    pub brier: f64,
    /// What it would be for somebody who always says one half.
    pub brier_of_half: f64,
    /// The moments by the chance that was told.
    pub bins: Vec<Bin>,
}

/// The moments at which about the same chance was told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Bin {
    /// How many.
    pub moments: u64,
    /// The mean of what was told.
    pub told: f64,
    /// The mean of what came of it: 1 for a victory, a half for a draw.
    pub came: f64,
}

/// How a battle stood at the start of a turn, and what came of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// For side A, in the book's points.
    pub worth: f64,
    /// Which share of the turns was over.
    pub time: f64,
    /// 1 where A won, a half for a draw.
    pub result: f64,
}

impl Chances {
    /// Those of a book; for one that has none fitted, a guess that fits any scale in which an average unit is worth a hundred.
    #[must_use]
    pub fn of(book: &str) -> Self {
        static ALL: OnceLock<BTreeMap<String, Chances>> = OnceLock::new();
        let all = ALL.get_or_init(|| serde_json::from_str(include_str!("../chances.json")).unwrap_or_default());
        all.get(book).cloned().unwrap_or_else(|| Self {
            version: 0,
            by_worth: 0.005,
            by_time: 0.0,
            scenarios: Vec::new(),
            calibration: Calibration::default(),
        })
    }

    /// The chance of the side for which a battle stands at so much, after such a share of its turns.
    #[must_use]
    pub fn at(&self, worth: f64, time: f64) -> f64 {
        logistic(worth * (self.by_worth + self.by_time * time))
    }

    /// The chance of side A; a battle that is over counts as what came of it.
    #[must_use]
    pub fn of_battle<R: Ruleset>(&self, battle: &R::Battle, turns: Option<u32>) -> f64 {
        if R::deciding(battle).is_none()
            && let Some(verdict) = R::verdict(battle)
        {
            return score(verdict.winner);
        }
        self.at(standing::<R>(battle), time::<R>(battle, turns))
    }

    /// The chances that fit these moments best, held against others.
    #[must_use]
    pub fn fitted(version: u32, scenarios: Vec<String>, on: &[Moment], judged: &[Moment], battles: u64) -> Self {
        let (by_worth, by_time) = fit(on);
        let mut chances = Self { version, by_worth, by_time, scenarios, calibration: Calibration::default() };
        chances.calibration = chances.held_against(judged, battles);
        chances
    }

    fn held_against(&self, moments: &[Moment], battles: u64) -> Calibration {
        let mut bins = vec![Bin::default(); BINS];
        let (mut brier, mut brier_of_half) = (0.0, 0.0);
        for moment in moments {
            let told = self.at(moment.worth, moment.time);
            brier += (told - moment.result) * (told - moment.result);
            brier_of_half += (0.5 - moment.result) * (0.5 - moment.result);
            let bin = &mut bins[((told * BINS as f64) as usize).min(BINS - 1)];
            *bin = Bin { moments: bin.moments + 1, told: bin.told + told, came: bin.came + moment.result };
        }
        for bin in bins.iter_mut().filter(|bin| bin.moments > 0) {
            (bin.told, bin.came) = (bin.told / bin.moments as f64, bin.came / bin.moments as f64);
        }
        let count = moments.len().max(1) as f64;
        Calibration { battles, brier: brier / count, brier_of_half: brier_of_half / count, bins }
    }
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-x))
}

/// What a result counts for side A.
#[must_use]
pub fn score(winner: Option<Side>) -> f64 {
    match winner {
        Some(Side::A) => 1.0,
        Some(Side::B) => 0.0,
        None => 0.5,
    }
}

/// How a battle stands for side A. What urges a side on is left out: half the difference is the same for both, with the sign turned.
#[must_use]
pub fn standing<R: Ruleset>(battle: &R::Battle) -> f64 {
    f64::from(R::worth(battle, Side::A) - R::worth(battle, Side::B)) / 2.0
}

/// Which share of its turns is over.
#[must_use]
pub fn time<R: Ruleset>(battle: &R::Battle, turns: Option<u32>) -> f64 {
    match (R::clock(battle).turn, turns) {
        (Some(turn), Some(turns)) if turns > 0 => (f64::from(turn.saturating_sub(1)) / f64::from(turns)).min(1.0),
        _ => 0.0,
    }
}

/// How many turns a scenario has, where it says so.
#[must_use]
pub fn turns_of(scenario: &Json) -> Option<u32> {
    let said = scenario.get("turns").or_else(|| scenario.pointer("/options/turns"))?;
    said.as_u64().and_then(|turns| u32::try_from(turns).ok())
}

/// The coefficients by worth and by worth and time that make what happened likeliest.
fn fit(moments: &[Moment]) -> (f64, f64) {
    // In hundreds of points, so that both coefficients are of the order of one.
    let rows: Vec<(f64, f64, f64)> =
        moments.iter().map(|one| (one.worth / 100.0, one.worth / 100.0 * one.time, one.result)).collect();
    let (mut a, mut b) = (0.0, 0.0);
    for _ in 0..50 {
        // A little is taken off for size, so that a handful of clear battles does not lead to certainty.
        let (mut slope_a, mut slope_b) = (-1e-3 * a, -1e-3 * b);
        let (mut aa, mut ab, mut bb) = (1e-3, 0.0, 1e-3);
        for (x, y, result) in &rows {
            let told = logistic(a * x + b * y);
            let (miss, weight) = (result - told, told * (1.0 - told));
            (slope_a, slope_b) = (slope_a + miss * x, slope_b + miss * y);
            (aa, ab, bb) = (aa + weight * x * x, ab + weight * x * y, bb + weight * y * y);
        }
        let det = aa * bb - ab * ab;
        if det <= 0.0 {
            break;
        }
        let step = ((bb * slope_a - ab * slope_b) / det, (aa * slope_b - ab * slope_a) / det);
        (a, b) = (a + step.0.clamp(-1.0, 1.0), b + step.1.clamp(-1.0, 1.0));
        if step.0.abs() + step.1.abs() < 1e-9 {
            break;
        }
    }
    (a / 100.0, b / 100.0)
}

/// How much better than its dice deserved a choice turned out for side A, in chances of winning: what stands after it, less the mean of all
/// that could have come of it. The mean of this over all dice is nothing, whatever the chances are worth. Nothing without dice, and nothing
/// where there are too many ways.
#[must_use]
pub fn luck_of<R: Ruleset>(
    chances: &Chances,
    turns: Option<u32>,
    before: &R::Battle,
    choice: &Choice<R::Offer>,
    after: &R::Battle,
) -> Option<f64> {
    let hoped = chances.hoped::<R>(before, choice, turns)?;
    Some(chances.of_battle::<R>(after, turns) - hoped)
}

impl Chances {
    /// The chance of side A as a choice is made and before its dice fall: the mean over all that can come of it. Nothing where the rules refuse it,
    /// and nothing where there are too many ways.
    #[must_use]
    pub fn hoped<R: Ruleset>(&self, before: &R::Battle, choice: &Choice<R::Offer>, turns: Option<u32>) -> Option<f64> {
        let mut dice = Enumerating::new();
        let mut mean = 0.0;
        for _ in 0..MOST_CHAINS {
            dice.rewind();
            let mut trial = before.clone();
            R::resolve(&mut Resolution::new(&mut trial, &mut dice), choice).ok()?;
            let (ways, of) = dice.weight()?;
            mean += ways as f64 / of as f64 * self.of_battle::<R>(&trial, turns);
            if !dice.next_path() {
                return Some(mean);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Battles whose truth is known: log odds of 0.01 a point at the start and 0.03 at the end.
    fn moments(count: u32) -> Vec<Moment> {
        let mut all = Vec::new();
        for n in 0..count {
            let (worth, time) = (f64::from(n % 41) * 10.0 - 200.0, f64::from(n % 11) / 10.0);
            let chance = logistic(worth * (0.01 + 0.02 * time));
            // Spread evenly: of a hundred such moments as many are won as there should be.
            let place = f64::from(n * 61 % 100) / 100.0 + 0.005;
            all.push(Moment { worth, time, result: f64::from(u8::from(place < chance)) });
        }
        all
    }

    #[test]
    fn the_fit_finds_what_the_battles_were_made_from() {
        let (by_worth, by_time) = fit(&moments(45_100));
        assert!((by_worth - 0.01).abs() < 0.001, "{by_worth}");
        assert!((by_time - 0.02).abs() < 0.003, "{by_time}");
    }

    #[test]
    fn chances_that_hold_are_seen_to_hold() {
        let chances = Chances::fitted(1, Vec::new(), &moments(45_100), &moments(45_100), 4_100);
        for bin in chances.calibration.bins.iter().filter(|bin| bin.moments > 500) {
            assert!((bin.told - bin.came).abs() < 0.03, "{bin:?}");
        }
        assert!(chances.calibration.brier < chances.calibration.brier_of_half);
        let wrong = Chances { by_worth: -chances.by_worth, by_time: 0.0, ..chances.clone() };
        assert!(wrong.held_against(&moments(45_100), 1).brier > chances.calibration.brier_of_half);
    }

    #[test]
    fn clear_battles_lead_to_no_certainty_and_none_to_one_half() {
        let clear = [Moment { worth: 100.0, time: 0.5, result: 1.0 }; 3];
        let (a, b) = fit(&clear);
        let told = logistic(100.0 * (a + b * 0.5));
        assert!(told > 0.9 && told < 1.0, "{told}");
        assert_eq!(fit(&[]), (0.0, 0.0));
    }
}
