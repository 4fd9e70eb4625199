//! Runs a drill that needs no table.

use num_rational::Ratio;
use serde_json::{Value as Json, json};

use super::matching::{looked_at, matches};
use super::{Drill, DrillResult, Failure};
use crate::dice::Scripted;
use crate::situation::{SituationTest, TakeError, TargetAndModifiers};

/// Takes the test with the drill's dice and compares.
pub(super) fn run_situation(tests: &[&dyn SituationTest], drill: &Drill) -> DrillResult {
    let name = drill.test.as_deref().unwrap_or_default();
    let Some(test) = tests.iter().find(|test| test.name() == name) else {
        let known: Vec<&str> = tests.iter().map(|test| test.name()).collect();
        return drill.result(vec![Failure::new("test", known.join(", "), name)]);
    };
    let empty = json!({});
    let situation = drill.situation.as_ref().unwrap_or(&empty);
    let mut failures = Vec::new();
    if let Some(odds) = drill.expect.get("odds") {
        compare_odds(*test, situation, odds, &mut failures);
    }
    let only_odds = drill.expect.len() == 1 && drill.expect.contains_key("odds") && drill.dice.is_empty();
    if !only_odds {
        take(*test, situation, drill, &mut failures);
    }
    drill.result(failures)
}

fn take(test: &dyn SituationTest, situation: &Json, drill: &Drill, failures: &mut Vec<Failure>) {
    let mut dice = Scripted::new(drill.dice.clone());
    let taken = match (test.take(situation, &mut dice), drill.expect.get("invalid")) {
        (Ok(taken), None) => taken,
        (Ok(_), Some(expected)) => {
            failures.push(Failure::new("invalid", expected.clone(), "the situation was accepted"));
            return;
        }
        (Err(TakeError::Situation(report)), expected) => {
            let said = report.to_string();
            if !expected.and_then(Json::as_str).is_some_and(|text| said.contains(text)) {
                failures.push(Failure::new("situation", expected.cloned().unwrap_or_default(), said));
            }
            return;
        }
        (Err(TakeError::Dice(no_dice)), _) => {
            failures.push(Failure::new("dice", json!(drill.dice), format!("more were wanted: {no_dice}")));
            return;
        }
    };
    if !dice.left().is_empty() {
        failures.push(Failure::new("dice", json!(drill.dice), format!("not used: {:?}", dice.left())));
    }
    for (key, expected) in &drill.expect {
        let got = match key.as_str() {
            "odds" | "invalid" => continue,
            "outcome" => Json::String(taken.outcome.clone()),
            "target" => taken.tests.first().map_or(Json::Null, |test| test.target.into()),
            "modifiers" => taken.tests.first().map_or(json!([]), modifiers_of),
            "more" => taken.tests.iter().skip(1).map(target_and_modifiers).collect(),
            field => match unknown_in_outcome(&json!({ field: expected }), &taken.fields) {
                Some(why) => {
                    failures.push(Failure::new(key, expected.clone(), why));
                    continue;
                }
                None => taken.fields[field].clone(),
            },
        };
        let same = match key.as_str() {
            "modifiers" => same_modifiers(expected, &got),
            "more" => same_tests(expected, &got),
            _ => matches(expected, &got),
        };
        if !same {
            failures.push(Failure::new(key, expected.clone(), looked_at(expected, &got)));
        }
    }
}

/// The first key that the outcome does not have: it would pass for nothing, zero or false.
fn unknown_in_outcome(expected: &Json, outcome: &Json) -> Option<String> {
    match (expected, outcome) {
        (Json::Object(expected), Json::Object(outcome)) => expected.iter().find_map(|(key, value)| {
            let names = || outcome.keys().cloned().collect::<Vec<_>>().join(", ");
            match outcome.get(key) {
                Some(inner) => unknown_in_outcome(value, inner),
                None => Some(format!("there is no '{key}'; there are: {}", names())),
            }
        }),
        (Json::Array(expected), Json::Array(outcome)) => {
            expected.iter().zip(outcome).find_map(|(one, other)| unknown_in_outcome(one, other))
        }
        _ => None,
    }
}

/// Modifiers as a drill writes them: `HZ-THR-03:-1`.
fn modifiers_of(test: &TargetAndModifiers) -> Json {
    test.modifiers.iter().map(|modifier| format!("{}:{:+}", modifier.clause, modifier.shift)).collect()
}

fn target_and_modifiers(test: &TargetAndModifiers) -> Json {
    json!({ "target": test.target, "modifiers": modifiers_of(test) })
}

/// Complete lists, in any order.
pub(super) fn same_modifiers(expected: &Json, got: &Json) -> bool {
    let sorted = |list: &Json| {
        let mut texts: Vec<String> = list
            .as_array()
            .into_iter()
            .flatten()
            .map(|one| {
                // Up may be written with or without its plus.
                one.as_str().unwrap_or_default().replace('+', "")
            })
            .collect();
        texts.sort_unstable();
        texts
    };
    expected.is_array() && sorted(expected) == sorted(got)
}

fn same_tests(expected: &Json, got: &Json) -> bool {
    let (Some(expected), Some(got)) = (expected.as_array(), got.as_array()) else {
        return false;
    };
    let same = |(one, other): (&Json, &Json)| {
        one.get("target").is_none_or(|target| matches(target, &other["target"]))
            && one.get("modifiers").is_none_or(|modifiers| same_modifiers(modifiers, &other["modifiers"]))
    };
    expected.len() == got.len() && expected.iter().zip(got).all(same)
}

fn compare_odds(test: &dyn SituationTest, situation: &Json, expected: &Json, failures: &mut Vec<Failure>) {
    let odds = match test.odds(situation) {
        Ok(odds) => odds,
        Err(report) => {
            failures.push(Failure::new("odds", expected.clone(), report.to_string()));
            return;
        }
    };
    let ratio = |text: &str| {
        let (ways, of) = text.split_once('/').unwrap_or((text, "1"));
        let of: u128 = of.trim().parse().ok().filter(|of| *of > 0)?;
        Some(Ratio::new(ways.trim().parse::<u128>().ok()?, of))
    };
    for (outcome, chance) in expected.as_object().into_iter().flatten() {
        let got = odds.outcomes.iter().find(|one| one.outcome == *outcome).map_or("0/1", |one| &one.p);
        let wanted = chance.as_str().map_or_else(|| chance.to_string(), str::to_owned);
        if ratio(&wanted).is_none() || ratio(&wanted) != ratio(got) {
            failures.push(Failure::new(format!("odds of '{outcome}'"), wanted, got));
        }
    }
}
