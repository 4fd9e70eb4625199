//! How likely a side is to win, learnt from battles that players fought against each other.
//!
//! What is looked at of a battle ([`features`]) goes through a few hundred small decision trees that were grown outside (`bench/learnt.py`), on
//! battles that `looks` (an example of `crates/books`) wrote down, and kept as a file for each book. Here they are only read: comparisons of
//! plain numbers and a sum, the same on every machine.

mod features;

use std::collections::BTreeMap;
use std::sync::OnceLock;

use sabretache_engine::ids::Side;
use sabretache_engine::ruleset::Ruleset;
use serde::Deserialize;

pub use features::{COUNT, Features, features, names};

use crate::chance::score;
use crate::expect::{Eye, WON, standing};

/// How a battle stands: in points, and as a chance of winning in thousandths where one was learnt (else the same points).
pub(crate) type Told = [f64; 2];

/// How much a chance that was learnt counts against points in what a search comes to, from 0 to 1.
pub(crate) const BY_CHANCE: f64 = 0.5;

/// How well a battle stands by both.
pub(crate) fn told<R: Ruleset>(battle: &R::Battle, eye: Eye<'_>, learnt: Option<&Learnt>) -> Told {
    let points = standing::<R>(battle, eye);
    match learnt {
        Some(learnt) if points.abs() < WON / 2.0 => [points, 1_000.0 * learnt.chance::<R>(battle, eye.side)],
        _ => [points; 2],
    }
}

/// The trees of a book.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Learnt {
    /// The columns that the trees were grown on: they must be those that the book has now ([`names`]).
    pub features: Vec<String>,
    /// Log odds before any tree has spoken.
    pub base: f64,
    /// The trees.
    pub trees: Vec<Tree>,
    /// How they did on battles that they were not grown on, and on which.
    #[serde(default)]
    pub calibration: serde_json::Value,
}

/// A tree of questions: which number, whether it is no more than this, and where to go then. A leaf asks nothing.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Tree {
    /// Which number each node looks at; a leaf -1.
    pub feature: Vec<i16>,
    /// The limit of each node, and of a leaf what it adds to the log odds.
    pub value: Vec<f64>,
    /// Where to go from each node when the number is no more than the limit,
    pub left: Vec<u16>,
    /// and where when it is.
    pub right: Vec<u16>,
}

impl Tree {
    fn read(&self, features: &Features) -> f64 {
        let mut node = 0;
        // Children stand behind their node, so this comes to an end.
        loop {
            let (Some(feature), Some(value)) = (self.feature.get(node), self.value.get(node)) else { return 0.0 };
            let Some(number) = usize::try_from(*feature).ok().and_then(|feature| features.get(feature)) else {
                return *value;
            };
            let next = if number <= value { &self.left } else { &self.right };
            match next.get(node).map(|next| usize::from(*next)) {
                Some(next) if next > node => node = next,
                _ => return 0.0,
            }
        }
    }
}

impl Learnt {
    /// What was learnt of a book; nothing where nothing was, or where it was of other columns than there are now.
    #[must_use]
    pub fn of<R: Ruleset>() -> Option<&'static Self> {
        Self::named(R::BOOK.name).filter(|one| one.features.iter().map(String::as_str).eq(names::<R>()))
    }

    fn named(book: &str) -> Option<&'static Self> {
        static ALL: OnceLock<BTreeMap<&'static str, Learnt>> = OnceLock::new();
        let read = |text: &str| serde_json::from_str::<Learnt>(text).ok().filter(|one| !one.trees.is_empty());
        let all = ALL.get_or_init(|| {
            let files = [
                ("huzzah", include_str!("../../learnt/huzzah.json")),
                ("batteries", include_str!("../../learnt/batteries.json")),
                ("malbrook", include_str!("../../learnt/malbrook.json")),
            ];
            files.into_iter().filter_map(|(book, text)| Some((book, read(text)?))).collect()
        });
        all.get(book)
    }

    /// Log odds of the side whose features these are.
    #[must_use]
    pub fn log_odds(&self, features: &Features) -> f64 {
        self.base + self.trees.iter().map(|tree| tree.read(features)).sum::<f64>()
    }

    /// The chance of a side, from 0 to 1: what both sides' views of the battle come to together, so that the chances of both add up to one.
    #[must_use]
    pub fn chance<R: Ruleset>(&self, battle: &R::Battle, side: Side) -> f64 {
        if R::deciding(battle).is_none()
            && let Some(verdict) = R::verdict(battle)
        {
            let of_a = score(verdict.winner);
            return if side == Side::A { of_a } else { 1.0 - of_a };
        }
        let [a, b] = features::<R>(battle).map(|seen| self.log_odds(&seen));
        let ahead = if side == Side::A { a - b } else { b - a };
        1.0 / (1.0 + libm::exp(-ahead / 2.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree() -> Tree {
        // Worth of no more than 1: -2; more, and before half-time: 0.5; after it: 3.
        Tree {
            feature: vec![0, -1, 1, -1, -1],
            value: vec![1.0, -2.0, 0.5, 0.5, 3.0],
            left: vec![1, 0, 3, 0, 0],
            right: vec![2, 0, 4, 0, 0],
        }
    }

    fn seen(worth: f64, time: f64) -> Features {
        let mut features = Features::from_elem(0.0, 48);
        (features[0], features[1]) = (worth, time);
        // Whoever is the better off has the better half of the troops that stand.
        features[3] = 0.5 + worth / 20.0;
        features
    }

    #[test]
    fn a_tree_is_read_from_question_to_question() {
        assert_eq!(tree().read(&seen(1.0, 0.9)), -2.0);
        assert_eq!(tree().read(&seen(1.1, 0.5)), 0.5);
        assert_eq!(tree().read(&seen(1.1, 0.6)), 3.0);
        let two = Learnt { base: 0.25, trees: vec![tree(), tree()], ..Learnt::default() };
        assert_eq!(two.log_odds(&seen(2.0, 1.0)), 6.25);
    }

    #[test]
    fn a_tree_that_leads_in_circles_comes_to_an_end() {
        let round = Tree { feature: vec![0, 0], value: vec![0.0, 0.0], left: vec![1, 0], right: vec![1, 1] };
        assert_eq!(round.read(&seen(0.0, 0.0)), 0.0);
        assert_eq!(Tree::default().read(&seen(0.0, 0.0)), 0.0);
    }

    #[test]
    fn every_book_has_trees_that_can_be_read() {
        for book in ["huzzah", "batteries", "malbrook"] {
            let learnt = Learnt::named(book).unwrap_or_else(|| panic!("{book}: no trees, or other columns"));
            assert!(!learnt.trees.is_empty(), "{book}");
            let (well, badly) = (learnt.log_odds(&seen(6.0, 0.5)), learnt.log_odds(&seen(-6.0, 0.5)));
            assert!(well > badly, "{book}: {well} for six units more, {badly} for six fewer");
        }
    }
}
