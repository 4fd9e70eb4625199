//! Plans played out against each other: so many turns ahead by fast hands on both sides, the enemy with plans of his own.

use std::time::Instant;

use rayon::prelude::*;
use sabretache_engine::dice::Seeded;
use sabretache_engine::ids::Side;
use sabretache_engine::patience::{self, Patience};
use sabretache_engine::resolution::Resolution;
use sabretache_engine::ruleset::{Judgement, Ruleset};

use super::Plan;
use crate::expect::{Eye, WON};
use crate::fate::Fate;
use crate::hands::{FIRST, quick};
use crate::judge::Care;
use crate::learnt::{BY_CHANCE, Learnt, Told, told};
use crate::skill::Budget;

/// How many turns are played, and how many choices at the most.
const TURNS: u32 = 2;
const LONGEST: u64 = 1_800;
/// A plan must come to so much more than the first, from -1 to 1, to be taken instead of it.
const BETTER: f64 = 0.04;
/// A plan that was tried less often than this is not taken instead of the first: one try of each tells luck.
const LEAST_ROUNDS: usize = 4;

/// The plan of a list that does best, with how often it was tried and how much better than the first of the list it did; nothing where the budget
/// does not even allow every plan a try. Each round every plan still in the race is tried once with the same luck against the same plan of the
/// enemy's; after two rounds, four, eight the worse half drops out, but for the first, by which the others are measured.
pub(super) fn race<R: Ruleset>(
    battle: &R::Battle,
    side: Side,
    (plans, answers): (&[Plan], &[Plan]),
    budget: Budget,
    seed: u64,
) -> Option<(usize, u32, f64)> {
    let begun = Instant::now();
    let patience = patience::mine();
    let late = || {
        matches!(budget, Budget::Time(time) if begun.elapsed() >= time)
            || patience.as_ref().is_some_and(Patience::is_over)
    };
    let learnt = Learnt::of::<R>();
    let by_chance = if learnt.is_some() { BY_CHANCE } else { 0.0 };
    let now = told::<R>(battle, Eye::of(side, Judgement::Present), learnt);
    let mut running: Vec<usize> = (0..plans.len()).collect();
    let mut came: Vec<Vec<Told>> = vec![Vec::new(); plans.len()];
    let mut tried = 0;
    for round in 0_u64.. {
        tried += running.len();
        if running.len() < 2 || matches!(budget, Budget::Iterations(most) if tried > most as usize) {
            break;
        }
        let answer = &answers[round as usize % answers.len()];
        let play = |plan: &usize| play_on::<R>(battle, (side, learnt), [&plans[*plan], answer], (seed, round));
        let tries: Vec<Option<Told>> = running.par_iter().map(|plan| (!late()).then(|| play(plan))).collect();
        // A round in which not everybody ran tells nothing.
        let Some(points) = tries.into_iter().collect::<Option<Vec<Told>>>() else { break };
        running.iter().zip(points).for_each(|(plan, points)| came[*plan].push(points));
        if (round + 1).is_power_of_two() && round > 0 {
            halve(&mut running, &came, usize::from(learnt.is_some()));
        }
    }
    let rounds = came.iter().map(Vec::len).max().filter(|rounds| *rounds > 0)?;
    let scales = [0, 1].map(|by| scale(&came, now[by], by));
    let squash = |told: &Told, by: usize| match told[by] {
        decided if decided.abs() >= WON / 2.0 => decided.signum(),
        open => libm::tanh((open - now[by]) / scales[by]),
    };
    let squashed = |told: &Told| (1.0 - by_chance) * squash(told, 0) + by_chance * squash(told, 1);
    let ahead = |plan: usize| {
        let pairs = came[plan].iter().zip(&came[0]);
        pairs.map(|(one, first)| squashed(one) - squashed(first)).sum::<f64>() / came[plan].len().max(1) as f64
    };
    let finalists = (1..plans.len()).filter(|plan| came[*plan].len() == rounds);
    let best = finalists.max_by(|a, b| ahead(*a).total_cmp(&ahead(*b)).then(b.cmp(a)));
    let won = best.map(|best| (best, ahead(best))).filter(|(_, by)| rounds >= LEAST_ROUNDS && *by > BETTER);
    let (best, by) = won.unwrap_or((0, 0.0));
    Some((best, rounds as u32, by))
}

/// The first stays, and of the others the better half, by points or by the chance.
fn halve(running: &mut Vec<usize>, came: &[Vec<Told>], by: usize) {
    let mean = |plan: usize| {
        came[plan].iter().map(|told| told[by].clamp(-WON, WON)).sum::<f64>() / came[plan].len().max(1) as f64
    };
    let first = running.remove(0);
    running.sort_by(|a, b| mean(*b).total_cmp(&mean(*a)).then(a.cmp(b)));
    running.truncate(running.len().div_ceil(2));
    running.sort_unstable();
    running.insert(0, first);
}

/// Twice how far the tries lie from where the battle stands, so that most of them fall into the middle of the range.
fn scale(came: &[Vec<Told>], now: f64, by: usize) -> f64 {
    let open = came.iter().flatten().map(|told| told[by]).filter(|points| points.abs() < WON / 2.0);
    let count = open.clone().count().max(1) as f64;
    let spread = libm::sqrt(open.map(|points| (points - now) * (points - now)).sum::<f64>() / count);
    (2.0 * spread).max(10.0)
}

/// Where the battle stands for a side, without any credit for plans, after some turns in which it and the enemy follow a plan each.
fn play_on<R: Ruleset>(
    battle: &R::Battle,
    (side, learnt): (Side, Option<&Learnt>),
    plans: [&Plan; 2],
    (seed, round): (u64, u64),
) -> Told {
    let mut dice = Fate::new(Seeded::for_choice(seed, round).bits());
    let mut battle = battle.clone();
    let last = R::clock(&battle).turn.unwrap_or(0) + TURNS;
    for n in 0..LONGEST {
        let Some(decides) = R::deciding(&battle) else { break };
        if R::clock(&battle).turn.unwrap_or(0) >= last {
            break;
        }
        let plan = if decides == side { plans[0] } else { plans[1] };
        let mut own = Seeded::for_choice(seed.rotate_left(32) ^ round, n);
        let eye = Care::HASTY.with(plan).eye(decides);
        let Some(next) = quick::<R>(&battle, &[], (eye, FIRST), &mut own) else { break };
        if R::resolve(&mut Resolution::new(&mut battle, &mut dice), &next).is_err() {
            break;
        }
    }
    told::<R>(&battle, Eye::of(side, Judgement::Present), learnt)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worse_half_drops_out_and_the_yardstick_stays() {
        let came = [-50.0, 10.0, 30.0, -10.0, 20.0].map(|points| vec![[points, -points]]);
        let mut running = vec![0, 1, 2, 3, 4];
        halve(&mut running, &came, 0);
        assert_eq!(running, [0, 2, 4]);
        halve(&mut running, &came, 0);
        assert_eq!(running, [0, 2]);
    }
}
