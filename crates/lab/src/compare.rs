//! Whether two variants differ.

use sabretache_engine::ids::Side;
use serde::{Deserialize, Serialize};

use crate::field::Field;
use crate::results::{LabError, Results};
use crate::simulate::{Plan, Watch, simulate_from};
use crate::statistics::{Difference, Share};

/// A run may be looked at again and again on the way only if each look asks for more than the last one does: with this
/// quantile (99.9 %) the looks together hardly add to the risk of the 95 % interval at the end.
const EARLY_Z: f64 = 3.290_526_731_491_926;
/// So many battles of each variant are fought between two looks.
const STEP: u64 = 256;

/// How two variants compare, by the share of battles that A wins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// A's share under the first.
    pub first: Share,
    /// A's share under the second.
    pub second: Share,
    /// The second less the first, with its 95 % interval.
    pub difference: Difference,
    /// Whether they differ, as far as these battles can tell.
    pub differ: bool,
    /// How many battles it took, both variants together.
    pub battles: u64,
    /// All of it as a sentence.
    pub sentence: String,
}

/// Compares two runs.
#[must_use]
pub fn compare(first: &Results, second: &Results) -> Comparison {
    let name = |results: &Results| results.run.setting.sides.first().map_or("A".into(), |side| side.name.clone());
    of_shares(first.won(Side::A), second.won(Side::A), &name(first))
}

fn of_shares(first: Share, second: Share, winner: &str) -> Comparison {
    let difference = Difference::between(&first, &second);
    let battles = first.of + second.of;
    let points = |share: f64| 100.0 * share;
    let interval = format!("95 % interval {:+.1} to {:+.1}", points(difference.low), points(difference.high));
    let differ = difference.excludes_none();
    let sentence = if differ {
        let (way, by) = if difference.value > 0.0 { ("more", difference.value) } else { ("less", -difference.value) };
        format!(
            "They differ: {winner} won {:.1} points {way} often under the second ({interval}), after {battles} battles.",
            points(by)
        )
    } else {
        let widest = difference.high.max(-difference.low);
        format!(
            "No difference shows after {battles} battles: {:+.1} points for {winner} ({interval}); one of more than {:.1} points is unlikely.",
            points(difference.value),
            points(widest)
        )
    };
    Comparison { first, second, difference, differ, battles, sentence }
}

/// Fights both variants by the same plan, in steps, until they are seen to differ, the interval of the difference is as
/// narrow as the plan's `until`, or the plan's battles are done.
pub fn fight_both(
    first: &dyn Field,
    second: &dyn Field,
    plan: &Plan,
    watch: Watch<'_>,
) -> Result<(Results, Results, Comparison), LabError> {
    let mut battles = STEP.min(plan.battles);
    let mut done: [Option<Results>; 2] = [None, None];
    loop {
        for (field, done) in [first, second].into_iter().zip(&mut done) {
            let from = done.as_ref().map_or(0, |results| results.battles.len() as u64);
            let step = Plan { battles, until: None, ..plan.clone() };
            *done = Some(go_on(field, &step, from, done.take(), watch)?);
        }
        let [Some(a), Some(b)] = &done else { break };
        let share = |results: &Results| {
            let won = results.won(Side::A);
            Share::with_z(won.count, won.of, EARLY_Z)
        };
        let clear = Difference::between(&share(a), &share(b)).excludes_none();
        let comparison = compare(a, b);
        let width = (comparison.difference.high - comparison.difference.low) / 2.0;
        let narrow = plan.until.is_some_and(|until| width <= until);
        let stopped = watch.stop.load(std::sync::atomic::Ordering::Relaxed);
        if clear || narrow || stopped || battles >= plan.battles {
            break;
        }
        battles = (battles + STEP).min(plan.battles);
    }
    match done {
        [Some(a), Some(b)] => {
            let comparison = compare(&a, &b);
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
