//! Why: what for, what it costs if it fails, what the enemy can do about it, and why not the next best.

mod answer;

use std::collections::BTreeMap;

use sabretache_engine::dice::{Dice, Scripted, Seeded};
use sabretache_engine::forecast::Headline;
use sabretache_engine::ids::Side;
use sabretache_engine::odds::odds_of;
use sabretache_engine::offer::{Choice, Halt, Value};
use sabretache_engine::resolution::Resolution;
use sabretache_engine::ruleset::Ruleset;
use serde::{Deserialize, Serialize};

use crate::chance::Chances;
use crate::decide::{Considered, Decided, decide_by};
use crate::expect::{Eye, WON, standing};
use crate::plan::{Plan, PlanAdvice};
use crate::skill::Skill;

/// Odds are exact up to so many chains of rolls, and counted from samples beyond.
const MOST_EXACT: usize = 4_000;
/// How many samples.
const SAMPLES: u32 = 200;
/// How many alternatives are named.
const NAMED: usize = 3;
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
    /// What it is for, as a sentence.
    pub purpose: String,
    /// What it costs, for certain or if it fails, as a sentence; nothing where it costs nothing.
    pub risk: Option<String>,
    /// What the enemy can do about it that hurts, as a sentence.
    pub answer: Option<String>,
    /// Why not the next best, as a sentence; nothing where there is nothing else.
    pub rather: Option<String>,
    /// How likely the side is to win, as it stands and with this, as a sentence; nothing where the book has no chances that were held against battles.
    pub stands: Option<String>,
    /// What may come of it in headlines, the likeliest first.
    pub expects: Vec<Weighed>,
    /// The next things that were feared, two at the most: each of them hurts.
    pub fears: Vec<String>,
    /// What else was thought of, the best first, with how much worse it seemed.
    pub instead: Vec<String>,
    /// The plan that it is part of; nothing where everybody does as he sees fit.
    pub plan: Option<PlanAdvice>,
    /// All of it as a few sentences.
    pub text: String,
}

/// A headline and its chance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ts_rs::TS)]
pub struct Weighed {
    /// What it comes to.
    pub outcome: String,
    /// Between 0 and 1.
    pub probability: f64,
    /// Exactly, as a fraction; nothing where it was counted from samples.
    pub exactly: Option<String>,
    /// For whom it is good.
    pub good_for: Option<Side>,
    /// How the battle stands after it for the one who chooses, against now, in points.
    pub points: f64,
}

/// What a player would choose now, and why; nothing when nobody decides.
pub fn advise<R: Ruleset>(
    skill: Skill,
    battle: &R::Battle,
    before: &[R::Battle],
    plan: &Plan,
    random: &mut Seeded,
) -> Option<Advice> {
    let side = R::deciding(battle)?;
    let Decided { choice, considered } = decide_by::<R>(skill, battle, before, plan, random)?;
    let eye = Eye::of(side, skill.judgement());
    let label = R::label(battle, &choice.offer);
    let expects = headlines::<R>(battle, &choice, eye, random);
    let action = spoken::<R>(battle, &choice);
    let instead = instead::<R>(battle, &considered);
    let purpose = purpose::<R>(battle, &choice, side, &considered, &expects);
    let risk = risk::<R>(battle, &choice, side, &expects);
    let answer = answer::worst_answer::<R>(battle, &choice, side, random);
    let rather = rather::<R>(battle, eye, &considered, &expects, random);
    let worst = worst(side, &expects).map(|one| format!("{} ({})", one.outcome, percent(one.probability)));
    let fears = worst.into_iter().chain(answer.clone()).collect();
    let stands = stands::<R>(battle, &choice, side);
    let plan = plan.told::<R>(battle, label.unit);
    let serves = plan.as_ref().and_then(|plan| plan.serves.clone());
    let sentences = [
        Some(format!("{action}.")),
        serves,
        stands.clone(),
        Some(purpose.clone()),
        risk.clone(),
        answer.clone(),
        rather.clone(),
    ];
    Some(Advice {
        player: skill.to_string(),
        offer: R::key(battle, &choice.offer),
        value: choice.value,
        unit: label.unit.map(|unit| unit.to_string()),
        action,
        purpose,
        risk,
        answer,
        rather,
        stands,
        expects,
        fears,
        instead,
        plan,
        text: sentences.into_iter().flatten().collect::<Vec<_>>().join(" "),
    })
}

/// A choice in words, its length in the unit of the book.
pub(crate) fn spoken<R: Ruleset>(battle: &R::Battle, choice: &Choice<R::Offer>) -> String {
    let label = R::label(battle, &choice.offer).text;
    match &choice.value {
        Value::Distance(_) => match R::preview(battle, &choice.offer, &choice.value).measure {
            Some(measure) => format!("{label}, {measure}"),
            None => with_input(&label, &choice.value),
        },
        // Where to is seen on the table.
        Value::Point(_) => label,
        value => with_input(&label, value),
    }
}

pub(crate) fn with_input(label: &str, value: &Value) -> String {
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

/// What may come of a choice in headlines, the likeliest first, with where the battle stands then.
fn headlines<R: Ruleset>(
    battle: &R::Battle,
    choice: &Choice<R::Offer>,
    eye: Eye<'_>,
    random: &mut Seeded,
) -> Vec<Weighed> {
    let now = standing::<R>(battle, eye);
    // For each headline: how it stands after it, summed, and how often it was seen.
    let mut seen: BTreeMap<Headline, (f64, u32)> = BTreeMap::new();
    let mut happened = Vec::new();
    let mut run = |dice: &mut dyn Dice| -> Result<Headline, Halt> {
        let mut trial = battle.clone();
        happened.clear();
        R::resolve(&mut Resolution::new(&mut trial, dice).events_only(&mut happened), choice)?;
        let headline = R::headline(battle, &happened);
        let sum = seen.entry(headline.clone()).or_default();
        *sum = (sum.0 + standing::<R>(&trial, eye) - now, sum.1 + 1);
        Ok(headline)
    };
    let exact = odds_of(MOST_EXACT, |dice| run(dice)).ok();
    let mut weighed: Vec<(Headline, f64, Option<String>)> = match exact {
        Some(odds) => {
            odds.iter().map(|(one, chance)| (one.clone(), chance.value(), Some(chance.to_string()))).collect()
        }
        None => {
            let mut counts: BTreeMap<Headline, u32> = BTreeMap::new();
            for _ in 0..SAMPLES {
                if let Ok(headline) = run(random) {
                    *counts.entry(headline).or_default() += 1;
                }
            }
            let share = |count: u32| f64::from(count) / f64::from(SAMPLES);
            counts.into_iter().map(|(one, count)| (one, share(count), None)).collect()
        }
    };
    weighed.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let told = weighed.into_iter().map(|(headline, probability, exactly)| {
        let points = seen.get(&headline).map_or(0.0, |(sum, count)| sum / f64::from(*count));
        Weighed { outcome: headline.text, probability, exactly, good_for: headline.good_for, points }
    });
    told.collect()
}

/// The worst that the dice may bring, if it hurts.
fn worst(side: Side, expects: &[Weighed]) -> Option<&Weighed> {
    let bad = |one: &&Weighed| one.points <= -FEARED && one.good_for != Some(side);
    let worst = expects.iter().filter(bad).min_by(|a, b| a.points.total_cmp(&b.points));
    worst.filter(|_| expects.len() > 1)
}

/// Advice does not wait for the chance of a choice that can go in more ways than these.
const WAYS: usize = 200;

/// The chance of winning as it stands, and once this is chosen.
fn stands<R: Ruleset>(battle: &R::Battle, choice: &Choice<R::Offer>, side: Side) -> Option<String> {
    let chances = Chances::of::<R>();
    if chances.version == 0 {
        return None;
    }
    let in_100 = |a: f64| format!("{:.0}", (100.0 * if side == Side::A { a } else { 1.0 - a }).clamp(1.0, 99.0));
    let now = in_100(chances.of_battle::<R>(battle));
    let then = chances.hoped_in::<R>(battle, choice, WAYS).map(in_100).filter(|then| *then != now);
    let then = then.map(|then| format!("; with this, {then}")).unwrap_or_default();
    Some(format!("As it stands the battle is won {now} times in 100{then}."))
}

/// What it is for: what may be hoped of the dice, what it leads to, or what is gained by it against doing nothing.
fn purpose<R: Ruleset>(
    battle: &R::Battle,
    choice: &Choice<R::Offer>,
    side: Side,
    considered: &[Considered<R::Offer>],
    expects: &[Weighed],
) -> String {
    match considered.first() {
        None => return "A Recruit takes whatever comes first to hand.".into(),
        Some(best) if best.value >= WON / 2.0 => return "It wins the battle.".into(),
        Some(_) if considered.len() == 1 => return "There is nothing else to do.".into(),
        _ => {}
    }
    let good: Vec<&Weighed> = expects.iter().filter(|one| one.good_for == Some(side)).collect();
    let chance: f64 = good.iter().map(|one| one.probability).sum();
    let handling = R::handling(battle, &choice.offer);
    let dice = expects.len() > 1;
    let tried = considered.first().and_then(|best| best.searched).filter(|(visits, _)| *visits > 0);
    let weighed = match tried {
        Some((visits, mean)) => format!("tried {visits} times, {} in a hundred against now", signed(50.0 * mean)),
        None => format!("best of {} weighed", considered.len()),
    };
    match (good.first(), handling.leads_to) {
        (Some(likeliest), Some(then)) if dice => {
            let then = then.replace('_', " ");
            format!("To {then} afterwards: {} ({}).", likeliest.outcome, percent(chance))
        }
        (Some(likeliest), None) if dice => {
            format!("In the hope that {} ({} that it goes well; {weighed}).", likeliest.outcome, percent(chance))
        }
        _ => match nothing_done::<R>(battle, considered) {
            Some(gain) if gain >= 1.0 => {
                format!("It gains ground or order ({} points on doing nothing; {weighed}).", signed(gain))
            }
            _ => format!("There is nothing better to do ({weighed})."),
        },
    }
}

/// How much better the best is than letting things be, where that was weighed too.
fn nothing_done<R: Ruleset>(battle: &R::Battle, considered: &[Considered<R::Offer>]) -> Option<f64> {
    use sabretache_engine::handle::Group;
    let best = considered.first()?;
    let idle = considered.iter().skip(1).find(|one| R::handling(battle, &one.choice.offer).group == Group::End)?;
    Some(best.value - idle.value).filter(|gain| gain.abs() < WON / 2.0)
}

/// What it costs for certain, and what if it fails.
fn risk<R: Ruleset>(battle: &R::Battle, choice: &Choice<R::Offer>, side: Side, expects: &[Weighed]) -> Option<String> {
    if let Some(worst) = worst(side, expects) {
        let points =
            if worst.points <= -WON / 2.0 { "the battle".into() } else { format!("{} points", -round(worst.points)) };
        return Some(format!("If it goes badly, {} ({}; {points} lost).", worst.outcome, percent(worst.probability)));
    }
    let (mut trial, mut events) = (battle.clone(), Vec::new());
    // What comes before any dice is certain.
    let _ =
        R::resolve(&mut Resolution::<R>::new(&mut trial, &mut Scripted::default()).events_only(&mut events), choice);
    let mut trial = battle.clone();
    let mut costs = Vec::new();
    for event in &events {
        costs.extend(R::cost(&trial, event).map(|cost| cost.text.trim_end_matches('.').to_owned()));
        R::apply(&mut trial, event);
    }
    costs.dedup();
    costs.truncate(2);
    (!costs.is_empty()).then(|| format!("It costs something for certain: {}.", costs.join("; ")))
}

/// Why not the next best.
fn rather<R: Ruleset>(
    battle: &R::Battle,
    eye: Eye<'_>,
    considered: &[Considered<R::Offer>],
    expects: &[Weighed],
    random: &mut Seeded,
) -> Option<String> {
    let (best, next) = (considered.first()?, considered.get(1)?);
    let action = spoken::<R>(battle, &next.choice);
    let chance = |expects: &[Weighed]| -> Option<f64> {
        let known = expects.len() > 1 && expects.iter().any(|one| one.good_for.is_some());
        known.then(|| expects.iter().filter(|one| one.good_for == Some(eye.side)).map(|one| one.probability).sum())
    };
    let other = headlines::<R>(battle, &next.choice, eye, random);
    let worse = match (best.searched, next.searched) {
        (Some((_, best)), Some((visits, mean))) if visits > 0 => {
            format!("{} in a hundred", signed(50.0 * (mean - best)))
        }
        _ => format!("{} points", signed(next.value - best.value)),
    };
    let why = match (chance(expects), chance(&other), worst(eye.side, &other)) {
        (Some(own), Some(its), _) if its + 0.05 < own => {
            format!("it would go well less often ({} against {}; {worse})", percent(its), percent(own))
        }
        (_, _, Some(bad)) => format!("{} would be to be feared ({}; {worse})", bad.outcome, percent(bad.probability)),
        _ if worse.starts_with("+0 ") => "it comes to much the same".to_owned(),
        _ => format!("it leaves us worse placed ({worse})"),
    };
    Some(format!("Rather than \u{201c}{action}\u{201d}: {why}."))
}

/// The next best that were thought of.
fn instead<R: Ruleset>(battle: &R::Battle, considered: &[Considered<R::Offer>]) -> Vec<String> {
    let Some(best) = considered.first() else { return Vec::new() };
    let others = considered.iter().skip(1).take(NAMED).map(|one| {
        let action = spoken::<R>(battle, &one.choice);
        match (best.searched, one.searched) {
            (Some((_, best)), Some((visits, mean))) if visits > 0 => {
                format!("{action} ({} in a hundred, tried {visits} times)", signed(50.0 * (mean - best)))
            }
            _ => format!("{action} ({} points)", signed(one.value - best.value)),
        }
    });
    others.collect()
}

fn percent(probability: f64) -> String {
    match probability * 100.0 {
        p if p > 0.0 && p < 1.0 => "under 1 %".into(),
        p => format!("{p:.0} %"),
    }
}

/// The nearest whole number; nothing is never less than nothing.
fn round(number: f64) -> f64 {
    libm::round(number) + 0.0
}

/// A whole number with its sign.
fn signed(number: f64) -> String {
    format!("{:+.0}", round(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_signed() {
        assert_eq!([-0.3, 0.2, -1.6, 2.0].map(signed), ["+0", "+0", "-2", "+2"]);
    }
}
