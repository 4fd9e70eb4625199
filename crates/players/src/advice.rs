//! Why: which unit, which action, what it is expected to come to, and what was feared.

use std::collections::BTreeMap;

use sabretache_engine::dice::Seeded;
use sabretache_engine::ids::Side;
use sabretache_engine::odds::odds_of;
use sabretache_engine::offer::{Choice, Halt, Value};
use sabretache_engine::resolution::Resolution;
use sabretache_engine::ruleset::Ruleset;
use serde::{Deserialize, Serialize};

use crate::decide::{Considered, Decided, decide};
use crate::expect::{WON, standing};
use crate::judge::{Care, judge};
use crate::skill::Skill;

/// Odds are exact up to so many chains of rolls, and counted from samples beyond.
const MOST_EXACT: usize = 4_000;
/// How many samples.
const SAMPLES: u32 = 200;
/// How many alternatives are named.
const NAMED: usize = 3;
/// How many choices are followed until the enemy decides freely.
const UNTIL_ENEMY: u64 = 40;

/// What costs fewer points than this is not feared.
const FEARED: f64 = 5.0;

/// What a player would choose, and why.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ts_rs::TS)]
pub struct Advice {
    /// The player.
    pub player: String,
    /// The offer, by its key.
    pub offer: String,
    /// Its input.
    pub value: Value,
    /// The unit it concerns, as a token.
    pub unit: Option<String>,
    /// The action in words.
    pub action: String,
    /// What may come of it, the likeliest first.
    pub expects: Vec<Weighed>,
    /// The next things that were feared, two at the most.
    pub fears: Vec<String>,
    /// What else was thought of, the best first, with how much worse it seemed.
    pub instead: Vec<String>,
    /// All of it as a few sentences.
    pub text: String,
}

/// An outcome and its chance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ts_rs::TS)]
pub struct Weighed {
    /// What it comes to.
    pub outcome: String,
    /// Between 0 and 1.
    pub probability: f64,
    /// Exactly, as a fraction; nothing where it was counted from samples.
    pub exactly: Option<String>,
    /// How the battle stands after it for the one who chooses, against now, in points.
    pub points: f64,
}

/// What a player would choose now, and why; nothing when nobody decides.
pub fn advise<R: Ruleset>(
    skill: Skill,
    battle: &R::Battle,
    before: &[R::Battle],
    random: &mut Seeded,
) -> Option<Advice> {
    let side = R::deciding(battle)?;
    let Decided { choice, considered } = decide::<R>(skill, battle, before, random)?;
    let label = R::label(battle, &choice.offer);
    let expects = outcomes::<R>(battle, &choice, side, random);
    let fears = fears::<R>(battle, &choice, side, &expects, random);
    let action = with_input(&label.text, &choice.value);
    let instead = instead::<R>(battle, &considered);
    let text = text(skill, &action, &considered, &expects, &fears, &instead);
    Some(Advice {
        player: skill.to_string(),
        offer: R::key(battle, &choice.offer),
        value: choice.value,
        unit: label.unit.map(|unit| unit.to_string()),
        action,
        expects,
        fears,
        instead,
        text,
    })
}

fn with_input(label: &str, value: &Value) -> String {
    match value {
        Value::None | Value::Units(_) => label.to_owned(),
        Value::Distance(distance) => format!("{label}, {distance}"),
        Value::Wheel(angle) => {
            let hand = if angle.to_hundredths() < 0 { "left" } else { "right" };
            let degrees = angle.abs().to_degrees();
            let digits = usize::from(degrees < 1.0);
            format!("{label}, {degrees:.digits$}° to the {hand}")
        }
        Value::Point(at) => format!("{label}, to {}, {}", at.x, at.y),
        Value::Formation(name) => format!("{label}: {name}"),
        Value::Number(number) => format!("{label}: {number}"),
    }
}

/// What may come of a choice, the likeliest first, with where the battle stands then.
fn outcomes<R: Ruleset>(
    battle: &R::Battle,
    choice: &Choice<R::Offer>,
    side: Side,
    random: &mut Seeded,
) -> Vec<Weighed> {
    let now = standing::<R>(battle, side);
    // For each outcome: how it stands after it, summed, and how often it was seen.
    let mut seen: BTreeMap<String, (f64, u32)> = BTreeMap::new();
    let mut happened = Vec::new();
    let mut run = |dice: &mut dyn sabretache_engine::dice::Dice| -> Result<String, Halt> {
        let mut trial = battle.clone();
        happened.clear();
        R::resolve(&mut Resolution::new(&mut trial, dice).events_only(&mut happened), choice)?;
        let outcome = R::outcome(battle, &happened);
        let sum = seen.entry(outcome.clone()).or_default();
        *sum = (sum.0 + standing::<R>(&trial, side) - now, sum.1 + 1);
        Ok(outcome)
    };
    let exact = odds_of(MOST_EXACT, |dice| run(dice)).ok();
    let mut weighed: Vec<Weighed> = match exact {
        Some(odds) => odds
            .iter()
            .map(|(outcome, chance)| Weighed {
                outcome: outcome.clone(),
                probability: chance.value(),
                exactly: Some(chance.to_string()),
                points: 0.0,
            })
            .collect(),
        None => {
            let mut counts: BTreeMap<String, u32> = BTreeMap::new();
            for _ in 0..SAMPLES {
                if let Ok(outcome) = run(random) {
                    *counts.entry(outcome).or_default() += 1;
                }
            }
            let share = |count: u32| f64::from(count) / f64::from(SAMPLES);
            let one = |(outcome, count)| Weighed { outcome, probability: share(count), exactly: None, points: 0.0 };
            counts.into_iter().map(one).collect()
        }
    };
    for one in &mut weighed {
        one.points = seen.get(&one.outcome).map_or(0.0, |(sum, count)| sum / f64::from(*count));
    }
    weighed.sort_by(|a, b| b.probability.total_cmp(&a.probability));
    weighed
}

/// The worst that the dice may bring, and the enemy's best answers: two things at the most.
fn fears<R: Ruleset>(
    battle: &R::Battle,
    choice: &Choice<R::Offer>,
    side: Side,
    expects: &[Weighed],
    random: &mut Seeded,
) -> Vec<String> {
    let mut fears = Vec::new();
    let worst = expects.iter().filter(|one| one.points <= -FEARED).min_by(|a, b| a.points.total_cmp(&b.points));
    if let (Some(worst), true) = (worst, expects.len() > 1) {
        fears.push(format!("{} ({})", worst.outcome, percent(worst.probability)));
    }
    let mut after = battle.clone();
    if R::resolve(&mut Resolution::new(&mut after, random), choice).is_ok() {
        for n in 0..UNTIL_ENEMY {
            match R::deciding(&after) {
                Some(decides) if decides == side => {}
                Some(_) => {
                    let answers = judge::<R>(&after, &[], Care::GLANCE, random);
                    let labels = answers.iter().take(2).map(|one| R::label(&after, &one.choice.offer).text);
                    fears.extend(labels.map(|label| format!("the enemy's answer: {label}")));
                    break;
                }
                None => break,
            }
            let care = if n < 8 { Care::GLANCE } else { Care { first: 1, ..Care::GLANCE } };
            let Some(own) = judge::<R>(&after, &[], care, random).into_iter().next() else { break };
            if R::resolve(&mut Resolution::new(&mut after, random), &own.choice).is_err() {
                break;
            }
        }
    }
    fears.dedup();
    fears.truncate(2);
    fears
}

/// The next best that were thought of.
fn instead<R: Ruleset>(battle: &R::Battle, considered: &[Considered<R::Offer>]) -> Vec<String> {
    let Some(best) = considered.first() else { return Vec::new() };
    let others = considered.iter().skip(1).take(NAMED).map(|one| {
        let action = with_input(&R::label(battle, &one.choice.offer).text, &one.choice.value);
        match (best.searched, one.searched) {
            (Some((_, best)), Some((visits, mean))) if visits > 0 => {
                format!("{action} ({} in a hundred, tried {visits} times)", signed(50.0 * (mean - best)))
            }
            _ => format!("{action} ({} points)", signed(one.value - best.value)),
        }
    });
    others.collect()
}

fn text<O>(
    skill: Skill,
    action: &str,
    considered: &[Considered<O>],
    expects: &[Weighed],
    fears: &[String],
    instead: &[String],
) -> String {
    let mut text = format!("{action}.");
    match (considered.first(), skill) {
        (None, _) => text += " A Recruit takes whatever comes first to hand.",
        (Some(_), _) if considered.len() == 1 => text += " There is nothing else to do.",
        (Some(best), _) => {
            if best.value >= WON / 2.0 {
                text += " It wins the battle.";
            } else if let Some((visits, mean)) = best.searched {
                text += &format!(" Tried {visits} times: {} in a hundred against now.", signed(50.0 * mean));
            } else {
                text += &format!(" The best of {} weighed.", considered.len());
            }
        }
    }
    if expects.len() > 1 {
        let named = expects.iter().take(3).map(|one| format!("{} {}", percent(one.probability), one.outcome));
        text += &format!(" Expects: {}.", named.collect::<Vec<_>>().join("; "));
    }
    if !fears.is_empty() {
        text += &format!(" Fears: {}.", fears.join("; "));
    }
    if !instead.is_empty() {
        text += &format!(" Instead: {}.", instead.join("; "));
    }
    text
}

fn percent(probability: f64) -> String {
    match probability * 100.0 {
        p if p > 0.0 && p < 1.0 => "under 1 %".into(),
        p => format!("{p:.0} %"),
    }
}

/// A whole number with its sign; nothing is never less than nothing.
fn signed(number: f64) -> String {
    format!("{:+.0}", libm::round(number) + 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_signed() {
        assert_eq!([-0.3, 0.2, -1.6, 2.0].map(signed), ["+0", "+0", "-2", "+2"]);
    }
}
