//! The Marshal: Monte Carlo tree search with chance nodes.
//!
//! Several trees (shards) grow side by side, each with its own random stream, and are added up at the root. Their number
//! is fixed, not that of the threads, so that a budget in iterations gives the same choice on any machine.
//!
//! ```text
//! decision ─choice→ chance ─dice→ decision ─choice→ … ─→ leaf ─short playout→ standing, squashed to -1…1
//! ```

mod playout;
mod tree;

use std::time::Instant;

use rayon::prelude::*;
use sabretache_engine::dice::Seeded;
use sabretache_engine::ids::Side;
use sabretache_engine::offer::Choice;
use sabretache_engine::ruleset::Ruleset;

use crate::expect::{WON, standing};
use crate::judge::{Care, Judged, judge};
use crate::skill::Budget;
use tree::Tree;

/// How many trees grow side by side.
const SHARDS: u64 = 4;
/// How many iterations a tree makes before the clock is looked at.
const ROUND: u32 = 8;
/// The best few candidates only are searched at the root; the rest are too far behind to come back.
const ROOT_WIDTH: usize = 24;

/// A choice that was searched.
#[derive(Clone, Debug)]
pub struct Searched<O> {
    /// The choice.
    pub choice: Choice<O>,
    /// At a glance, in points.
    pub glance: f64,
    /// How often it was tried.
    pub visits: u32,
    /// What it came to on average, from -1 (lost) to 1 (won), 0 as it stands now.
    pub mean: f64,
}

/// Points as a number between -1 and 1, with 0 where the battle stands now.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Measure {
    side: Side,
    now: f64,
    scale: f64,
}

impl Measure {
    /// A measure in which the spread of the choices at hand fills the middle of the range.
    fn of<O>(side: Side, now: f64, judged: &[Judged<O>]) -> Self {
        let steps = judged.iter().map(|one| (one.value - now).abs()).filter(|step| *step < WON / 2.0);
        Self { side, now, scale: (3.0 * steps.fold(0.0, f64::max)).max(1.0) }
    }

    pub(crate) fn of_battle<R: Ruleset>(&self, battle: &R::Battle) -> f64 {
        self.of_points(standing::<R>(battle, self.side))
    }

    fn of_points(&self, points: f64) -> f64 {
        if points.abs() >= WON / 2.0 { points.signum() } else { 0.98 * libm::tanh((points - self.now) / self.scale) }
    }
}

/// How many tries the glance is worth. A few tries tell less than the glance does, since each of them is one throw of the dice; many tell more.
const GLANCE_TRIES: f64 = 12.0;

/// What a choice is thought to come to: the glance and what the tries came to, each by what it tells. All tries look further ahead than the glance, so
/// what they came to more or less than it on average is added to it first.
fn trust<O>(searched: &[Searched<O>], measure: Measure) -> impl Fn(&Searched<O>) -> f64 + use<O> {
    let tries: f64 = searched.iter().map(|one| f64::from(one.visits)).sum();
    let ahead = searched.iter().map(|one| f64::from(one.visits) * (one.mean - measure.of_points(one.glance)));
    let ahead = ahead.sum::<f64>() / tries.max(1.0);
    move |one| {
        let (visits, glance) = (f64::from(one.visits), measure.of_points(one.glance) + ahead);
        (GLANCE_TRIES * glance + visits * one.mean) / (GLANCE_TRIES + visits)
    }
}

/// Searches within the budget; the choices, the best first.
pub fn search<R: Ruleset>(
    battle: &R::Battle,
    before: &[R::Battle],
    budget: Budget,
    random: &mut Seeded,
) -> Vec<Searched<R::Offer>> {
    let begun = Instant::now();
    let Some(side) = R::deciding(battle) else { return Vec::new() };
    let mut judged = judge::<R>(battle, before, Care::DRILLED, random);
    judged.truncate(ROOT_WIDTH);
    if judged.len() < 2 {
        let alone = |one: Judged<R::Offer>| Searched { choice: one.choice, glance: one.value, visits: 0, mean: 0.0 };
        return judged.into_iter().map(alone).collect();
    }
    let measure = Measure::of(side, standing::<R>(battle, side), &judged);
    let seed = random.bits();
    let sow = |shard| Tree::<R>::new(battle.clone(), &judged, measure, Seeded::for_choice(seed, shard));
    let mut trees: Vec<Tree<R>> = (0..SHARDS).map(sow).collect();
    match budget {
        Budget::Iterations(count) => {
            let share = |shard: usize| (count + SHARDS as u32 - 1 - shard as u32) / SHARDS as u32;
            trees.par_iter_mut().enumerate().for_each(|(shard, tree)| tree.grow(share(shard)));
        }
        Budget::Time(time) => loop {
            trees.par_iter_mut().for_each(|tree| {
                for _ in 0..ROUND {
                    if begun.elapsed() >= time {
                        return;
                    }
                    tree.grow(1);
                }
            });
            if begun.elapsed() >= time {
                break;
            }
        },
    }
    let mut searched: Vec<Searched<R::Offer>> = judged
        .into_iter()
        .enumerate()
        .map(|(n, one)| {
            let (visits, total) =
                trees.iter().map(|tree| tree.root_edge(n)).fold((0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1));
            let mean = if visits == 0 { measure.of_points(one.value) } else { total / f64::from(visits) };
            Searched { choice: one.choice, glance: one.value, visits, mean }
        })
        .collect();
    let trusted = trust(&searched, measure);
    searched.sort_by(|a, b| trusted(b).total_cmp(&trusted(a)).then(b.visits.cmp(&a.visits)));
    searched
}
