//! Whether two variants differ.
//!
//! Both are fought with the same seeds. Where they are fought here, dice are keyed by test and unit, so that the two battles of a pair stay in
//! step after the first thing that differs, and the luck that they share cancels out. What is tested is the difference within pairs.

use std::collections::BTreeMap;

use sabretache_players::Keyed;
use serde::{Deserialize, Serialize};

use crate::field::Field;
use crate::record::Fought;
use crate::results::{LabError, Results};
use crate::sequential::{Bounds, Found, Pairs};
use crate::simulate::{Plan, Watch, simulate_from};
use crate::statistics::{Difference, Share, mean_and_deviation};

/// So many battles of each variant are fought between two looks.
const STEP: u64 = 64;
/// Battles that always end the same way are taken to vary by this: their like could end otherwise.
const LEAST_DEVIATION: f64 = 0.05;

/// How two variants compare, by A's share of the points (a draw counts half).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// A's share under the first.
    pub first: Share,
    /// A's share under the second.
    pub second: Share,
    /// The second less the first, with its 95 % interval: within pairs where the seeds were the same, and otherwise as of two separate runs.
    pub difference: Difference,
    /// How pairs with the same seed came out for A under the second; nothing where the runs have none in common.
    pub pairs: Option<Pairs>,
    /// How many times as many battles would tell as much if the luck of the two were not the same.
    pub in_step: Option<f64>,
    /// The bounds of the test, where the variants were fought for it,
    pub bounds: Option<Bounds>,
    /// and what it came to: `high` they differ, `low` not as much as the higher bound, `open` not decided.
    pub found: Option<Found>,
    /// Whether they differ, as far as these battles can tell.
    pub differ: bool,
    /// How many battles it took, both variants together.
    pub battles: u64,
    /// All of it as a sentence.
    pub sentence: String,
}

/// Compares two runs. Battles with the same number and seed are pairs.
#[must_use]
pub fn compare(first: &Results, second: &Results) -> Comparison {
    told(first, second, None)
}

fn told(first: &Results, second: &Results, bounds: Option<Bounds>) -> Comparison {
    let (a, b) = (first.points(), second.points());
    let pairs = pairs(&first.battles, &second.battles).filter(|pairs| pairs.count() == a.of && a.of == b.of);
    let difference = pairs.as_ref().map_or_else(|| Difference::between(&a, &b), in_pairs);
    let in_step = pairs.as_ref().and_then(|pairs| gained(&first.battles, &second.battles, pairs));
    let deviation = libm::sqrt((variance(&first.battles) + variance(&second.battles)) / 2.0).max(LEAST_DEVIATION);
    let found = bounds.zip(pairs).map(|(bounds, pairs)| both_ways(&pairs, &bounds, deviation));
    let differ = found.map_or_else(|| difference.excludes_none(), |found| found == Found::High);
    let winner = first.run.setting.sides.first().map_or("A".into(), |side| side.name.clone());
    let battles = a.of + b.of;
    let mut sentence = sentence(&winner, &difference, found.unwrap_or(Found::Open), differ, bounds.is_some());
    sentence += &format!(" After {battles} battles");
    if let Some(gain) = in_step.filter(|gain| *gain >= 1.05) {
        sentence += &format!(", in pairs with the same dice: as if {gain:.1} times as many had been fought");
    }
    sentence += ".";
    Comparison { first: a, second: b, difference, pairs, in_step, bounds, found, differ, battles, sentence }
}

fn sentence(winner: &str, difference: &Difference, found: Found, differ: bool, tested: bool) -> String {
    let points = |share: f64| 100.0 * share;
    let interval = format!("95 % interval {:+.1} to {:+.1}", points(difference.low), points(difference.high));
    let widest = points(difference.high.max(-difference.low));
    if differ {
        let (way, by) = if difference.value > 0.0 { ("more", difference.value) } else { ("fewer", -difference.value) };
        format!("They differ: {winner} takes {:.1} points in 100 {way} under the second ({interval}).", points(by))
    } else if found == Found::Low {
        format!(
            "No difference worth looking for: {:+.1} points in 100 for {winner} under the second ({interval}).",
            points(difference.value)
        )
    } else {
        let what = if tested { "Not decided" } else { "No difference shows" };
        format!(
            "{what}: {:+.1} points in 100 for {winner} under the second ({interval}); more than {widest:.1} is unlikely.",
            points(difference.value)
        )
    }
}

/// Whether they differ either way: one test each way, with half the errors each.
fn both_ways(pairs: &Pairs, bounds: &Bounds, deviation: f64) -> Found {
    let bounds = bounds.halved();
    match [pairs, &pairs.turned()].map(|pairs| pairs.found_of_means(&bounds, deviation)) {
        [Found::High, _] | [_, Found::High] => Found::High,
        [Found::Low, Found::Low] => Found::Low,
        _ => Found::Open,
    }
}

/// The battles that both have with the same number and seed, in pairs: A's points under the second, and what A did not take under the first.
fn pairs(first: &[Fought], second: &[Fought]) -> Option<Pairs> {
    let known: BTreeMap<(u64, u64), f64> =
        first.iter().map(|fought| ((fought.battle, fought.seed), fought.score())).collect();
    let mut pairs = Pairs::default();
    for fought in second {
        if let Some(before) = known.get(&(fought.battle, fought.seed)) {
            pairs.add(fought.score() + 1.0 - before);
        }
    }
    (pairs.count() > 1).then_some(pairs)
}

fn in_pairs(pairs: &Pairs) -> Difference {
    let (share, within) = pairs.share();
    let value = 2.0 * share - 1.0;
    Difference { value, low: (value - 2.0 * within).max(-1.0), high: (value + 2.0 * within).min(1.0) }
}

fn variance(battles: &[Fought]) -> f64 {
    let scores: Vec<f64> = battles.iter().map(Fought::score).collect();
    let (_, deviation) = mean_and_deviation(&scores);
    deviation * deviation
}

/// How much less the difference varies within pairs than it would between strangers.
fn gained(first: &[Fought], second: &[Fought], pairs: &Pairs) -> Option<f64> {
    let (_, deviation) = pairs.mean_and_deviation();
    let within = 4.0 * deviation * deviation;
    (within > 0.0).then(|| (variance(first) + variance(second)) / within)
}

/// Fights both variants by the same plan, in steps, until the test between the bounds is decided, the interval of the difference is as
/// narrow as the plan's `until`, or the plan's battles are done.
pub fn fight_both(
    first: &dyn Field,
    second: &dyn Field,
    plan: &Plan,
    bounds: Bounds,
    watch: Watch<'_>,
) -> Result<(Results, Results, Comparison), LabError> {
    let mut battles = STEP.min(plan.battles);
    let mut done: [Option<Results>; 2] = [None, None];
    loop {
        for (field, done) in [first, second].into_iter().zip(&mut done) {
            let from = done.as_ref().map_or(0, |results| results.battles.len() as u64);
            let step = Plan { battles, until: None, keyed: Keyed::ByTest, ..plan.clone() };
            *done = Some(go_on(field, &step, from, done.take(), watch)?);
        }
        let [Some(a), Some(b)] = &done else { break };
        let comparison = told(a, b, Some(bounds));
        let decided = comparison.found.is_some_and(|found| found != Found::Open);
        let width = (comparison.difference.high - comparison.difference.low) / 2.0;
        let narrow = plan.until.is_some_and(|until| width <= until);
        let stopped = watch.stop.load(std::sync::atomic::Ordering::Relaxed);
        if decided || narrow || stopped || battles >= plan.battles {
            break;
        }
        battles = (battles + STEP).min(plan.battles);
    }
    match done {
        [Some(a), Some(b)] => {
            let comparison = told(&a, &b, Some(bounds));
            Ok((a, b, comparison))
        }
        _ => Err(LabError::Mismatch("nothing was fought".into())),
    }
}

/// The battles of a plan from a certain one on, added to those before.
fn go_on(
    field: &dyn Field,
    plan: &Plan,
    from: u64,
    before: Option<Results>,
    watch: Watch<'_>,
) -> Result<Results, LabError> {
    let more = simulate_from(field, plan, from, watch)?;
    Ok(match before {
        None => more,
        Some(mut before) => {
            before.run = more.run;
            before.battles.extend(more.battles);
            before
        }
    })
}
