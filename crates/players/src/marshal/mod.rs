//! The Marshal: a race between the best few choices, each fought on from again and again.
//!
//! The Drill-master's eye picks who runs. In each heat every choice still in the race is carried out with fresh dice and
//! fought on for a while by fast hands ([`fight_on`]); the dice of a heat are the same for all, so that what
//! tells is the choice and not the luck. Whoever cannot be the best any more, by much, drops out.
//!
//! ```text
//! candidates ─glance→ the best few ─heats→ fewer … ─→ one, or time is up ─→ glance and tries, each by what it tells
//! ```
//!
//! Tries are numbered and have dice of their own, so a budget in iterations gives the same choice on any number of threads.

mod fight_on;
mod race;

use std::time::Instant;

use rayon::prelude::*;
use sabretache_engine::dice::Seeded;
use sabretache_engine::offer::Choice;
use sabretache_engine::patience::{self, Patience};
use sabretache_engine::ruleset::Ruleset;

use crate::judge::{Care, Judged, judge};
use crate::learnt::{BY_CHANCE, Learnt, told};
use crate::skill::Budget;
use fight_on::fight_on;
use race::{Came, Measure, Race};

/// How many of the best at a glance are raced; the rest are too far behind to come back.
const RUNNERS: usize = 8;
/// How often each choice in the race is tried in a heat.
const HEAT: u64 = 4;

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

/// Searches within the budget what a glance with this care thinks most of; the choices, the best first.
pub fn search<R: Ruleset>(
    battle: &R::Battle,
    before: &[R::Battle],
    budget: Budget,
    care: Care<'_>,
    random: &mut Seeded,
) -> Vec<Searched<R::Offer>> {
    let begun = Instant::now();
    let Some(side) = R::deciding(battle) else { return Vec::new() };
    let mut judged = judge::<R>(battle, before, care, random);
    judged.truncate(RUNNERS);
    if care.by.is_present() {
        // No more run than the budget allows a heat for: fewer choices tried are better than a budget that is not kept.
        if let Budget::Iterations(count) = budget {
            judged.truncate((count as usize / HEAT as usize).max(2));
        }
    }
    if judged.len() < 2 {
        let alone = |one: Judged<R::Offer>| Searched { choice: one.choice, glance: one.value, visits: 0, mean: 0.0 };
        return judged.into_iter().map(alone).collect();
    }
    // The first Marshal knows nothing of what was learnt since.
    let learnt = Learnt::of::<R>().filter(|_| care.by.is_present());
    let eye = care.eye(side);
    let now = told::<R>(battle, eye, learnt);
    let seed = random.bits();
    // Others help this thread: they know how long is waited for it.
    let patience = patience::mine();
    let is_late = || {
        matches!(budget, Budget::Time(time) if begun.elapsed() >= time)
            || patience.as_ref().is_some_and(Patience::is_over)
    };
    let mut race = Race::new(judged.len(), if learnt.is_some() { BY_CHANCE } else { 0.0 });
    let mut tried = 0;
    for heat in 0.. {
        let rounds = heat * HEAT..(heat + 1) * HEAT;
        let tries: Vec<(usize, u64)> = rounds.flat_map(|n| race.running().iter().map(move |one| (*one, n))).collect();
        let points: Vec<Option<Came>> = tries
            .par_iter()
            .map(|(one, n)| {
                (!is_late()).then(|| (*one, fight_on::<R>(battle, (eye, learnt), &judged[*one].choice, seed, *n)))
            })
            .collect();
        // Where time ran out, only rounds in which everybody ran count.
        let rounds = points.chunks(race.running().len()).map_while(|round| round.iter().copied().collect());
        let rounds: Vec<Vec<Came>> = rounds.collect();
        race.finish_heat(&rounds, now);
        tried += tries.len();
        let enough = matches!(budget, Budget::Iterations(count) if tried >= count as usize);
        if enough || is_late() || race.running().len() < 2 {
            break;
        }
    }
    ranked(judged, &race)
}

/// How many tries the glance is worth. A few tries tell less than the glance does, since each of them is one throw of the dice; many tell more.
const GLANCE_TRIES: f64 = 8.0;

/// Who is thought the best comes first: those that ran to the end before the others, each by the glance and by what the tries came to.
fn ranked<O>(judged: Vec<Judged<O>>, race: &Race) -> Vec<Searched<O>> {
    let measure = race.measure();
    let one = |(n, one): (usize, Judged<O>)| {
        let (visits, mean) = race.result(n);
        Searched { choice: one.choice, glance: one.value, visits, mean }
    };
    let mut searched: Vec<Searched<O>> = judged.into_iter().enumerate().map(one).collect();
    let ahead = ahead(&searched, measure);
    let trusted = |one: &Searched<O>| {
        let (visits, glance) = (f64::from(one.visits), measure.of_points(one.glance) + ahead);
        (GLANCE_TRIES * glance + visits * one.mean) / (GLANCE_TRIES + visits)
    };
    let longest = searched.iter().map(|one| one.visits).max().unwrap_or(0);
    searched.sort_by(|a, b| {
        let ran_on = |one: &Searched<O>| one.visits == longest;
        ran_on(b).cmp(&ran_on(a)).then_with(|| trusted(b).total_cmp(&trusted(a)))
    });
    searched
}

/// How much more the tries came to than the glance, on average: they all look further ahead.
fn ahead<O>(searched: &[Searched<O>], measure: Measure) -> f64 {
    let tries: f64 = searched.iter().map(|one| f64::from(one.visits)).sum();
    let more = searched.iter().map(|one| f64::from(one.visits) * (one.mean - measure.of_points(one.glance)));
    more.sum::<f64>() / tries.max(1.0)
}
