//! How a battle stands part by part, for the chance of winning: each part for the first side against the second.
//!
//! Points are told as a share of all that is on the table, so that a brigade more counts in a large battle for what it counts there.

use sabretache_engine::ids::Side;
use sabretache_engine::ruleset::Judgement;

use super::{Army, Battle, fights, of_unit, sense, value};
use crate::brigade::Status;
use crate::phases::morale;
use crate::situations::Tally;

/// What the parts are, in the order of [`parts`].
pub(crate) const NAMES: &[&str] =
    &["strength", "to come", "order", "place", "fights", "losses", "breaking", "lead", "ahead", "ahead at night"];

/// Who leads by so many times what wins has no need of more.
const ENOUGH: f64 = 2.0;
/// From this share of the battle on it counts who would win if it ended now.
const NIGHT: f64 = 0.7;

/// What one side has of each.
#[derive(Clone, Copy, Default)]
struct Parts {
    strength: f64,
    to_come: f64,
    order: f64,
    lost: f64,
}

pub(crate) fn parts(battle: &Battle, out: &mut Vec<f64>) {
    let armies = Side::BOTH.map(|side| Army::of(battle, side));
    let [a, b] = [of(battle, &armies[0], &armies[1]), of(battle, &armies[1], &armies[0])];
    let all = (a.strength + b.strength + a.to_come + b.to_come).max(100.0);
    let share = |of: fn(&Parts) -> f64| (of(&a) - of(&b)) / all;
    let costs = fights::to_come(battle, [&armies[0], &armies[1]], Judgement::Present);
    let sense = |n: usize| {
        let (ours, theirs) = (&armies[n], &armies[1 - n]);
        sense::of(ours, theirs) - sense::fears(ours, theirs)
    };
    let place = sense(0) - sense(1);
    let lead = lead(battle);
    let ahead = if lead.abs() >= 1.0 { lead.signum() } else { 0.0 };
    let turns = f64::from(morale::turns(battle).max(1));
    let night = ((f64::from(battle.turn) / turns - NIGHT) / (1.0 - NIGHT)).clamp(0.0, 1.0);
    out.extend([
        share(|army| army.strength),
        share(|army| army.to_come),
        share(|army| army.order),
        place / all,
        (costs[1] - costs[0]) / all,
        b.lost - a.lost,
        b.lost * b.lost - a.lost * a.lost,
        lead,
        ahead,
        ahead * night,
    ]);
}

fn of(battle: &Battle, ours: &Army<'_>, theirs: &Army<'_>) -> Parts {
    let mut parts = Parts::default();
    for seen in &ours.units {
        let value = value(seen.one);
        parts.strength += value;
        parts.order += of_unit(battle, seen, ours, theirs) - value;
    }
    let expected = battle.units.iter().filter(|one| one.side == ours.side && one.status == Status::Expected);
    parts.to_come = expected.map(value).sum();
    let stands = |one: &&super::Brigade| one.kind.is_brigade() && !one.is_routing();
    let there: u32 = ours.units.iter().map(|seen| seen.one).filter(stands).map(|one| u32::from(one.bases)).sum();
    let started = battle.fixed.started[ours.side.index()].max(1);
    let share = f64::from(battle.fixed.numbers.army_break.share) / 100.0;
    parts.lost = (f64::from(started.saturating_sub(there)) / f64::from(started) / share.max(0.01)).min(1.2);
    parts
}

/// By how much the first side leads if the turn ends now, in what a victory needs.
fn lead(battle: &Battle) -> f64 {
    let tallies = Side::BOTH.map(|side| {
        let places = battle.fixed.scenario.body.objectives.iter().enumerate();
        let held = places.filter(|(n, _)| battle.holder_to_be(*n) == Some(side));
        Tally { objectives: held.map(|(_, one)| one.points).sum(), ..morale::tally(battle, side) }
    });
    let numbers = &battle.fixed.numbers;
    let lead = tallies[0].points(numbers) - tallies[1].points(numbers);
    let beaten = if lead > 0 { &tallies[1] } else { &tallies[0] };
    let needs = (f64::from(numbers.points.lead) * f64::from(beaten.started) / 100.0).max(1.0);
    (f64::from(lead) / needs).clamp(-ENOUGH, ENOUGH)
}
