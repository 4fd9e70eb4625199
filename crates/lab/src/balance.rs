//! What would make a scenario fairer: changes that its designer allows, each fought and told with its figure.

use std::fmt::Write as _;
use std::str::FromStr;

use sabretache_engine::ids::Side;
use sabretache_engine::scenario::Document;
use serde::Serialize;
use serde_json::Value as Json;

use crate::field::AnyLaboratory;
use crate::record::Rostered;
use crate::results::{LabError, Results};
use crate::simulate::{Plan, Watch, simulate};
use crate::summary::side_name;

/// What may be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// One or two turns more or fewer.
    Turns,
    /// One unit fewer of the side that is favoured: the last of each of its commands.
    Units,
    /// A point more or fewer for what the scenario asks for.
    Points,
    /// One unit of the side that is favoured a step worse: the last of each of its commands.
    Quality,
    /// Whoever is still to come a turn earlier or later.
    Arrivals,
}

/// Nothing of that name may be changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not one of turns, units, points, quality, arrivals")]
pub struct NoChange(String);

impl FromStr for Change {
    type Err = NoChange;

    fn from_str(text: &str) -> Result<Self, NoChange> {
        match text {
            "turns" => Ok(Self::Turns),
            "units" => Ok(Self::Units),
            "points" => Ok(Self::Points),
            "quality" => Ok(Self::Quality),
            "arrivals" => Ok(Self::Arrivals),
            _ => Err(NoChange(text.to_owned())),
        }
    }
}

/// What nothing was changed in.
const AS_IT_IS: &str = "as it is";

/// A change and what came of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tried {
    /// In words.
    pub what: String,
    /// A's share of the points, between 0 and 1.
    pub share: f64,
    /// So much up or down.
    pub within: f64,
}

/// Tries every allowed change by the plan; the fairest first, the scenario as it is among them.
pub fn balance(
    laboratory: &dyn AnyLaboratory,
    document: &Document,
    plan: &Plan,
    allowed: &[Change],
    watch: Watch<'_>,
) -> Result<Vec<Tried>, LabError> {
    let as_it_is = tried(laboratory, document, plan, AS_IT_IS, watch)?;
    let favoured = if as_it_is.1.share > 0.5 { Side::A } else { Side::B };
    let mut all = vec![as_it_is.1];
    for (what, json) in changes(&document.json, &as_it_is.0, favoured, allowed) {
        if watch.stop.load(std::sync::atomic::Ordering::Relaxed) {
            break;
        }
        let changed = Document::of_json(document.name.clone(), json);
        match tried(laboratory, &changed, plan, &what, watch) {
            Ok((_, tried)) => all.push(tried),
            // A change that the book does not allow is none.
            Err(LabError::Scenario(_)) => {}
            Err(error) => return Err(error),
        }
    }
    all.sort_by(|a, b| (a.share - 0.5).abs().total_cmp(&(b.share - 0.5).abs()));
    Ok(all)
}

fn tried(
    laboratory: &dyn AnyLaboratory,
    document: &Document,
    plan: &Plan,
    what: &str,
    watch: Watch<'_>,
) -> Result<(Results, Tried), LabError> {
    let field = laboratory.field(document).map_err(LabError::Scenario)?;
    let results = simulate(&*field, plan, None, watch)?;
    let points = results.points();
    let raw = (points.value, points.half_width());
    let (share, within) = match results.without_luck() {
        Some(adjusted) if adjusted.within < raw.1 => (adjusted.value, adjusted.within),
        _ => raw,
    };
    Ok((results, Tried { what: what.to_owned(), share, within }))
}

/// The changed scenarios, in words and whole.
fn changes(json: &Json, results: &Results, favoured: Side, allowed: &[Change]) -> Vec<(String, Json)> {
    let mut all = Vec::new();
    for change in allowed {
        match change {
            Change::Turns => turns(json, &mut all),
            Change::Units => units(json, results, favoured, &mut all),
            Change::Points => points(json, &mut all),
            Change::Quality => quality(json, results, favoured, &mut all),
            Change::Arrivals => arrivals(json, &mut all),
        }
    }
    all
}

fn turns(json: &Json, all: &mut Vec<(String, Json)>) {
    for path in ["/turns", "/options/turns"] {
        let Some(now) = json.pointer(path).and_then(Json::as_i64) else { continue };
        for turns in [now - 2, now - 1, now + 1, now + 2].into_iter().filter(|turns| *turns > 0) {
            let mut changed = json.clone();
            if let Some(place) = changed.pointer_mut(path) {
                *place = turns.into();
                all.push((format!("{turns} turns"), changed));
            }
        }
    }
}

/// The last unit of each command of a side.
fn last_of_each(results: &Results, side: Side) -> Vec<&Rostered> {
    let mut last: Vec<&Rostered> = Vec::new();
    for unit in results.run.roster.iter().filter(|unit| unit.side == side) {
        match last.iter_mut().find(|one| one.command == unit.command) {
            Some(one) => *one = unit,
            None => last.push(unit),
        }
    }
    last
}

/// The words of the books for how good troops are, from the worst to the best, and where scenarios say so.
const STEPS: [(&str, &[&str]); 2] =
    [("quality", &["raw", "green", "trained", "experienced", "veteran"]), ("grade", &["E", "D", "C", "B", "A"])];

fn quality(json: &Json, results: &Results, favoured: Side, all: &mut Vec<(String, Json)>) {
    let Some(units) = json.get("units").and_then(Json::as_array) else { return };
    for unit in last_of_each(results, favoured) {
        let Some(n) = units.iter().position(|one| one.get("id").and_then(Json::as_str) == Some(unit.id.as_str()))
        else {
            continue;
        };
        for (key, steps) in STEPS {
            let now = units[n].get(key).and_then(Json::as_str);
            let step = now.and_then(|now| steps.iter().position(|step| *step == now)).and_then(|n| n.checked_sub(1));
            let mut changed = json.clone();
            if let (Some(step), Some(place)) = (step, changed.pointer_mut(&format!("/units/{n}/{key}"))) {
                *place = steps[step].into();
                all.push((format!("{} {}", unit.name, steps[step]), changed));
            }
        }
    }
}

fn arrivals(json: &Json, all: &mut Vec<(String, Json)>) {
    for list in ["units", "commands", "brigades"] {
        let Some(Json::Array(entries)) = json.get(list) else { continue };
        for (n, entry) in entries.iter().enumerate() {
            let path = match entry.get("arrives") {
                Some(Json::Number(_)) => format!("/{list}/{n}/arrives"),
                Some(Json::Object(_)) => format!("/{list}/{n}/arrives/turn"),
                _ => continue,
            };
            let Some(now) = json.pointer(&path).and_then(Json::as_i64) else { continue };
            let name = entry.get("name").and_then(Json::as_str).unwrap_or("somebody");
            for turn in [now - 1, now + 1].into_iter().filter(|turn| *turn > 0) {
                let mut changed = json.clone();
                if let Some(place) = changed.pointer_mut(&path) {
                    *place = turn.into();
                    all.push((format!("{name} in turn {turn}"), changed));
                }
            }
        }
    }
}

fn units(json: &Json, results: &Results, favoured: Side, all: &mut Vec<(String, Json)>) {
    for unit in last_of_each(results, favoured) {
        let mut changed = json.clone();
        let Some(Json::Array(units)) = changed.get_mut("units") else { return };
        let before = units.len();
        units.retain(|one| one.get("id").and_then(Json::as_str) != Some(unit.id.as_str()));
        if units.len() + 1 == before {
            all.push((format!("without {}", unit.name), changed));
        }
    }
}

fn points(json: &Json, all: &mut Vec<(String, Json)>) {
    for (list, key) in [("/objectives", "points"), ("/victory/objectives", "worth"), ("/victory/objectives", "points")]
    {
        let Some(Json::Array(objectives)) = json.pointer(list) else { continue };
        for (n, objective) in objectives.iter().enumerate() {
            let Some(now) = objective.get(key).and_then(Json::as_i64) else { continue };
            let name = objective.get("name").and_then(Json::as_str).unwrap_or("an objective");
            for worth in [now - 1, now + 1].into_iter().filter(|worth| *worth > 0) {
                let mut changed = json.clone();
                if let Some(place) = changed.pointer_mut(&format!("{list}/{n}/{key}")) {
                    *place = worth.into();
                    all.push((format!("{name}: {worth} points"), changed));
                }
            }
        }
    }
}

/// The changes after which it is nearer to even than as it is, the best few of them as a sentence; nothing where none is, as far as these battles
/// can tell.
#[must_use]
pub fn fairer(tried: &[Tried], results: &Results) -> Option<String> {
    let off = |one: &Tried| (one.share - 0.5).abs();
    let as_it_is = tried.iter().find(|one| one.what == AS_IT_IS)?;
    // Only what is nearer by more than the battles may be wrong by.
    let better = |one: &&Tried| off(as_it_is) - off(one) > libm::hypot(one.within, as_it_is.within);
    let told: Vec<String> =
        tried.iter().filter(better).take(3).map(|one| format!("{} ({:.0})", one.what, 100.0 * one.share)).collect();
    let (side, now) = (side_name(&results.run, Side::A), 100.0 * as_it_is.share);
    (!told.is_empty()).then(|| format!("Fairer: {}; as it is {side} takes {now:.0} points in 100.", told.join(", ")))
}

/// The list as text.
#[must_use]
pub fn told(tried: &[Tried], results: &Results) -> String {
    let fairer = fairer(tried, results)
        .unwrap_or_else(|| "Nothing that was tried is fairer, as far as these battles can tell.".into());
    let mut text = format!(
        "{fairer}\n\n{}'s share of the points, a draw as half; the fairest first\n",
        side_name(&results.run, Side::A)
    );
    for one in tried {
        let _ = writeln!(text, "{:>5.1} ± {:<4.1} {}", 100.0 * one.share, 100.0 * one.within, one.what);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn turns_and_points_are_changed_one_by_one() {
        let scenario = json!({ "turns": 2, "objectives": [{ "name": "The mill", "points": 1 }] });
        let mut all = Vec::new();
        turns(&scenario, &mut all);
        points(&scenario, &mut all);
        let told: Vec<&str> = all.iter().map(|(what, _)| what.as_str()).collect();
        assert_eq!(told, ["1 turns", "3 turns", "4 turns", "The mill: 2 points"]);
        assert_eq!(all[0].1["turns"], 1);
        assert_eq!(all[3].1["objectives"][0]["points"], 2);
    }

    #[test]
    fn who_is_to_come_comes_a_turn_earlier_or_later() {
        let scenario = json!({
            "units": [{ "name": "Withers", "arrives": 1 }, { "name": "There already" }],
            "commands": [{ "name": "Ross", "arrives": { "turn": 3, "at": [0, 1] } }],
        });
        let mut all = Vec::new();
        arrivals(&scenario, &mut all);
        let told: Vec<&str> = all.iter().map(|(what, _)| what.as_str()).collect();
        assert_eq!(told, ["Withers in turn 2", "Ross in turn 2", "Ross in turn 4"]);
        assert_eq!(all[1].1["commands"][0]["arrives"]["turn"], 2);
    }

    #[test]
    fn what_is_fairer_by_more_than_the_battles_may_be_wrong_is_told_in_a_sentence() {
        let tried = |what: &str, share: f64| Tried { what: what.into(), share, within: 0.02 };
        let results = crate::words::tests::results(Vec::new());
        let list = [
            tried("nine turns", 0.51),
            tried("without the guard", 0.45),
            tried("8 turns", 0.588),
            tried(AS_IT_IS, 0.61),
        ];
        let told = fairer(&list, &results).unwrap();
        assert_eq!(told, "Fairer: nine turns (51), without the guard (45); as it is Red takes 61 points in 100.");
        // Three points nearer is within what two intervals of two points allow.
        assert_eq!(fairer(&[tried("8 turns", 0.588), tried(AS_IT_IS, 0.61)], &results), None);
        assert_eq!(fairer(&[tried(AS_IT_IS, 0.5)], &results), None);
    }
}
