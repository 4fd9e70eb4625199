//! How likely a side is to win as a battle stands: one number for advice, luck and results with the luck taken out.
//!
//! The chance is logistic in the parts of how a battle stands (`Ruleset::parts`), each with a weight at the start, in the middle and at the
//! end of the battle. The weights are fitted on battles of several scenarios ([`fit`]), judged on others ([`Calibration`]) and frozen with a
//! version in `chances.json`: what corrects a result must be fixed before the battles that it corrects.

pub mod fit;

use std::collections::BTreeMap;
use std::sync::OnceLock;

use sabretache_engine::dice::Enumerating;
use sabretache_engine::ids::Side;
use sabretache_engine::offer::Choice;
use sabretache_engine::resolution::Resolution;
use sabretache_engine::ruleset::Ruleset;
use serde::{Deserialize, Serialize};

pub use fit::{Moment, fitted};

/// A choice that can go in more ways than these keeps its luck: that does not depend on how it went, so nothing is skewed.
const MOST_CHAINS: usize = 2_000;
/// What a book's first part weighs where nothing is fitted: as if an average unit were worth a hundred points of a thousand.
const GUESS: f64 = 5.0;

/// The chances of winning under one book.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Chances {
    /// Rises when they are fitted anew; 0 for a book that has none.
    pub version: u32,
    /// What each part adds to the log odds, in the order in which the book tells them; last, whose turn it is to act.
    pub parts: Vec<Part>,
    /// What they were fitted on.
    pub scenarios: Vec<String>,
    /// Who fought these battles.
    pub players: Vec<String>,
    /// How many they were.
    pub battles: u64,
    /// How they did on battles that they were not fitted on.
    pub calibration: Calibration,
}

/// What a part of how a battle stands adds to the log odds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// What the book calls it.
    pub name: String,
    /// For each whole of it, at the start, in the middle and at the end of the battle; in between in proportion.
    pub weights: [f64; 3],
}

/// How well chances hold.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// The battles, some moments of each.
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

impl Chances {
    /// Those of a book; for one that has none fitted, a guess by the first of its parts.
    #[must_use]
    pub fn of<R: Ruleset>() -> &'static Self {
        static ALL: OnceLock<BTreeMap<String, Chances>> = OnceLock::new();
        static NONE: Chances = Chances {
            version: 0,
            parts: Vec::new(),
            scenarios: Vec::new(),
            players: Vec::new(),
            battles: 0,
            calibration: Calibration { battles: 0, brier: 0.0, brier_of_half: 0.0, bins: Vec::new() },
        };
        let all = ALL.get_or_init(|| serde_json::from_str(include_str!("../../chances.json")).unwrap_or_default());
        // Chances that were fitted to other parts than the book has now tell nothing.
        all.get(R::BOOK.name)
            .filter(|chances| chances.parts.iter().map(|part| part.name.as_str()).eq(names::<R>()))
            .unwrap_or(&NONE)
    }

    /// Those of a book by its name, for reports; nothing for a book that has none.
    #[must_use]
    pub fn named(book: &str) -> Option<Self> {
        let all: BTreeMap<String, Self> = serde_json::from_str(include_str!("../../chances.json")).unwrap_or_default();
        all.get(book).cloned()
    }

    /// The chance of the side for which the parts stand so, after such a share of the turns.
    #[must_use]
    pub fn at(&self, parts: &[f64], passed: f64) -> f64 {
        if self.parts.is_empty() {
            return logistic(GUESS * parts.first().copied().unwrap_or(0.0));
        }
        let share = share_of_knots(passed);
        let weight = |part: &Part| part.weights.iter().zip(share).map(|(weight, share)| weight * share).sum::<f64>();
        logistic(self.parts.iter().zip(parts).map(|(part, value)| weight(part) * value).sum())
    }

    /// The chance of side A; a battle that is over counts as what came of it.
    #[must_use]
    pub fn of_battle<R: Ruleset>(&self, battle: &R::Battle) -> f64 {
        if R::deciding(battle).is_none()
            && let Some(verdict) = R::verdict(battle)
        {
            return score(verdict.winner);
        }
        self.at(&parts::<R>(battle), R::passed(battle))
    }

    /// The chance of side A as a choice is made and before its dice fall: the mean over all that can come of it. Nothing where the rules refuse it,
    /// and nothing where there are too many ways.
    #[must_use]
    pub fn hoped<R: Ruleset>(&self, before: &R::Battle, choice: &Choice<R::Offer>) -> Option<f64> {
        self.hoped_in::<R>(before, choice, MOST_CHAINS)
    }

    /// The same, and nothing where there are more ways than so many.
    #[must_use]
    pub fn hoped_in<R: Ruleset>(&self, before: &R::Battle, choice: &Choice<R::Offer>, most: usize) -> Option<f64> {
        let mut dice = Enumerating::new();
        let mut trial = before.clone();
        let mut mean = 0.0;
        for _ in 0..most {
            dice.rewind();
            trial.clone_from(before);
            R::resolve(&mut Resolution::new(&mut trial, &mut dice), choice).ok()?;
            let (ways, of) = dice.weight()?;
            mean += ways as f64 / of as f64 * self.of_battle::<R>(&trial);
            if !dice.next_path() {
                return Some(mean);
            }
        }
        None
    }

    /// How much better than its dice deserved a choice turned out for side A, in chances of winning: what stands after it, less the mean of all
    /// that could have come of it. The mean of this over all dice is nothing, whatever the chances are worth. Nothing without dice, and nothing
    /// where there are too many ways.
    #[must_use]
    pub fn luck_of<R: Ruleset>(&self, before: &R::Battle, choice: &Choice<R::Offer>, after: &R::Battle) -> Option<f64> {
        let hoped = self.hoped::<R>(before, choice)?;
        Some(self.of_battle::<R>(after) - hoped)
    }
}

/// What the parts are called: those of the book, and whose turn it is to act.
pub fn names<R: Ruleset>() -> impl Iterator<Item = &'static str> {
    R::PARTS.iter().copied().chain(["to act"])
}

/// How a battle stands for side A part by part: as the book tells it, and whose turn it is to act.
#[must_use]
pub fn parts<R: Ruleset>(battle: &R::Battle) -> Vec<f64> {
    let mut parts = Vec::with_capacity(R::PARTS.len() + 1);
    R::parts(battle, &mut parts);
    parts.push(match R::clock(battle).phasing {
        Some(Side::A) => 1.0,
        Some(Side::B) => -1.0,
        None => 0.0,
    });
    parts
}

/// How much the weights at the start, in the middle and at the end count after such a share of the turns.
fn share_of_knots(passed: f64) -> [f64; 3] {
    let at = 2.0 * passed.clamp(0.0, 1.0);
    [(1.0 - at).max(0.0), 1.0 - (at - 1.0).abs(), (at - 1.0).max(0.0)]
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_pass_from_the_start_over_the_middle_to_the_end() {
        assert_eq!(share_of_knots(0.0), [1.0, 0.0, 0.0]);
        assert_eq!(share_of_knots(0.25), [0.5, 0.5, 0.0]);
        assert_eq!(share_of_knots(0.5), [0.0, 1.0, 0.0]);
        assert_eq!(share_of_knots(0.75), [0.0, 0.5, 0.5]);
        assert_eq!(share_of_knots(3.0), [0.0, 0.0, 1.0]);
    }

    #[test]
    fn the_file_of_chances_can_be_read() {
        // Whatever cannot be read is taken for no chances at all, and everybody would go by a guess.
        let all: BTreeMap<String, Chances> = serde_json::from_str(include_str!("../../chances.json")).unwrap();
        assert!(all.values().all(|one| one.version > 0 && !one.parts.is_empty()), "{:?}", all.keys());
    }

    #[test]
    fn sides_that_change_places_change_chances() {
        let part = |name: &str, weights| Part { name: name.into(), weights };
        let chances = Chances {
            version: 1,
            parts: vec![part("strength", [1.0, 2.0, 3.0]), part("places", [0.0, 0.5, 4.0])],
            scenarios: Vec::new(),
            players: Vec::new(),
            battles: 0,
            calibration: Calibration::default(),
        };
        for passed in [0.0, 0.3, 0.9] {
            let (one, other) = (chances.at(&[0.4, -0.1], passed), chances.at(&[-0.4, 0.1], passed));
            assert!((one + other - 1.0).abs() < 1e-12);
        }
        // At the end of the battle: 3 times a half and 4 times a quarter.
        assert!((chances.at(&[0.5, 0.25], 1.0) - 1.0 / (1.0 + libm::exp(-2.5))).abs() < 1e-12);
    }
}
