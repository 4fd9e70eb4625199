//! Tests taken from a situation alone: the plain facts, with no table.

use std::collections::BTreeMap;
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::clause::Clause;
use crate::dice::{Dice, NoDice, Scripted};
use smallvec::SmallVec;

use crate::odds::{Chance, MOST_BRANCHES, NoOdds, Odds, odds_of};
use crate::resolution::ModifierRecord;
use crate::scenario::{Diagnostics, Path, Shape};
use crate::tally::Tally;
use crate::test::Test;

/// The plain facts that one test of a book depends on.
///
/// The same type is filled in from the table while a battle is fought, and by hand for odds, drills and the umpire. In
/// its JSON Schema each field says what it is (its doc comment) and which clauses it feeds
/// (`#[schemars(extend("clauses" = ["HZ-THR-03"]))]`).
pub trait Situation: Serialize + DeserializeOwned + JsonSchema + Send + Sync + 'static {
    /// The name of the test on the command line and in drills.
    const NAME: &'static str;
    /// What it tells, in a sentence.
    const ABOUT: &'static str;
    /// What comes out; its JSON fields are what a drill expects.
    type Outcome: Serialize;

    /// The tests that are rolled, with their modifiers; the first is the one that the target is given for.
    fn tests(&self) -> Vec<Test>;

    /// Rolls and reads the result.
    fn resolve(&self, dice: &mut dyn Dice) -> Result<Self::Outcome, NoDice>;

    /// Rolls and reads the result, as often as it is called; what the dice have no part in is worked out once. Odds call
    /// it for every way the dice can fall, so a test with many ways says here what it does beforehand.
    fn resolver(&self) -> impl Fn(&mut dyn Dice) -> Result<Self::Outcome, NoDice> + '_ {
        |dice: &mut dyn Dice| self.resolve(dice)
    }

    /// What the outcome is called where odds are listed.
    fn outcome_name(outcome: &Self::Outcome) -> String;

    /// A number that two outcomes share just when they have the same name, where one is at hand: it is quicker to make than
    /// the name.
    fn outcome_code(_outcome: &Self::Outcome) -> Option<u64> {
        None
    }

    /// The odds added up at once, where all throws are known before the first of them falls and a number tells outcomes
    /// apart. It reads the dice by the very code by which [`Self::resolve`] does; where it does not say, the rules are run
    /// for each chain of rolls.
    fn tally(&self) -> Option<Tally> {
        None
    }

    /// What the schema cannot say: facts that contradict each other.
    fn check(&self, _report: &mut Diagnostics) {}
}

/// A [`Situation`] of any type.
pub trait SituationTest: Sync {
    /// The name of the test.
    fn name(&self) -> &'static str;
    /// What it tells.
    fn about(&self) -> &'static str;
    /// The JSON Schema of the situation.
    fn schema(&self) -> Schema;
    /// Target, modifiers and exact odds.
    fn odds(&self, situation: &Json) -> Result<SituationOdds, Diagnostics>;
    /// Targets and modifiers alone, of a situation of the right shape; nothing where its facts contradict each other.
    fn reckon(&self, situation: &Json) -> Option<Vec<TargetAndModifiers>>;
    /// Reads a situation once and works out the exact chances of its outcomes as often as it is asked, telling how many
    /// outcomes there are: for measuring.
    fn weigher(&self, situation: &Json) -> Result<Box<dyn Fn() -> usize>, Diagnostics>;
    /// Target, modifiers and outcome with these dice.
    fn take(&self, situation: &Json, dice: &mut Scripted) -> Result<Taken, TakeError>;
}

/// Why a test could not be taken.
#[derive(Debug)]
pub enum TakeError {
    /// The situation is wrong.
    Situation(Diagnostics),
    /// The dice gave out.
    Dice(NoDice),
}

/// The odds of a test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SituationOdds {
    /// What must be rolled.
    pub target: i32,
    /// What made it so.
    pub modifiers: Vec<ModifierRecord>,
    /// The clause that capped the target, if one did.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub capped_by: Option<Clause>,
    /// Further tests rolled along with the first, such as the opponent's.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub more: Vec<TargetAndModifiers>,
    /// Every outcome with its exact chance; they add up to one.
    pub outcomes: Vec<OutcomeChance>,
}

/// One test's target and modifiers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TargetAndModifiers {
    /// What must be rolled.
    pub target: i32,
    /// What made it so.
    pub modifiers: Vec<ModifierRecord>,
}

/// An outcome and its chance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OutcomeChance {
    /// What comes out.
    pub outcome: String,
    /// The chance as a fraction.
    pub p: String,
    /// The chance as a decimal fraction.
    pub probability: f64,
}

/// A test taken with given dice.
#[derive(Clone, Debug)]
pub struct Taken {
    /// The targets and modifiers, the first test's first.
    pub tests: Vec<TargetAndModifiers>,
    /// What the outcome is called.
    pub outcome: String,
    /// The outcome's fields.
    pub fields: Json,
}

/// Makes a [`SituationTest`] of a [`Situation`]: `&Of::<ThreatSituation>::TEST`.
pub struct Of<S>(PhantomData<fn() -> S>);

impl<S: Situation> Of<S> {
    /// The test.
    pub const TEST: Self = Self(PhantomData);

    fn read(&self, situation: &Json) -> Result<S, Diagnostics> {
        let mut report = Shape::for_type::<S>(|| self.schema()).validate(situation);
        refuse_absurd(situation, &Path::root(), &mut report);
        report.clean()?;
        let typed: S = serde_json::from_value(situation.clone()).map_err(|error| {
            report.error(Path::root(), error.to_string());
            report.clone()
        })?;
        typed.check(&mut report);
        report.clean()?;
        Ok(typed)
    }
}

/// The largest number that a situation may contain, either way: more than any table holds of anything, and far from where
/// sums overflow.
const LARGEST: f64 = 10_000.0;

fn refuse_absurd(situation: &Json, path: &Path, report: &mut Diagnostics) {
    match situation {
        Json::Number(number) if number.as_f64().is_none_or(|number| number.abs() > LARGEST) => {
            report.error(path.clone(), format!("{number} is beyond reason here: from -{LARGEST} to {LARGEST}"));
        }
        Json::Array(items) => {
            items.iter().enumerate().for_each(|(n, item)| refuse_absurd(item, &path.clone().item(n), report));
        }
        Json::Object(map) => map.iter().for_each(|(key, item)| refuse_absurd(item, &path.clone().key(key), report)),
        _ => {}
    }
}

/// The odds of a situation gathered from every chain of rolls.
struct Walked<S: Situation> {
    odds: Odds<Told>,
    /// An outcome for each code, from which its name can be made.
    seen: SmallVec<[(u64, S::Outcome); 4]>,
    /// The names of those without a code.
    names: Vec<String>,
}

/// An outcome as it is told apart from others: whether it has a code, and the code or the place of its name.
type Told = (bool, u64);

impl<S: Situation> Walked<S> {
    fn of(situation: &S) -> Result<Self, NoOdds<NoDice>> {
        let resolve = situation.resolver();
        let mut seen: SmallVec<[(u64, S::Outcome); 4]> = SmallVec::new();
        let mut names: Vec<String> = Vec::new();
        let odds = odds_of(MOST_BRANCHES, |dice| {
            let outcome = resolve(dice)?;
            if let Some(code) = S::outcome_code(&outcome) {
                if !seen.iter().any(|(other, _)| *other == code) {
                    seen.push((code, outcome));
                }
                return Ok((true, code));
            }
            let name = S::outcome_name(&outcome);
            let known = names.iter().position(|other| *other == name);
            let place = known.unwrap_or_else(|| {
                names.push(name);
                names.len() - 1
            });
            Ok((false, place as u64))
        })?;
        Ok(Self { odds, seen, names })
    }

    fn name(&self, (coded, n): Told) -> String {
        match self.seen.iter().find(|(code, _)| coded && *code == n) {
            Some((_, outcome)) => S::outcome_name(outcome),
            None => self.names.get(n as usize).cloned().unwrap_or_default(),
        }
    }
}

/// Every outcome of a situation by its name, in the order of the names.
fn named<S: Situation>(situation: &S) -> Result<Vec<OutcomeChance>, NoOdds<NoDice>> {
    let one = |(outcome, chance): (String, Chance)| OutcomeChance {
        outcome,
        p: chance.to_string(),
        probability: chance.value(),
    };
    let mut all: Vec<OutcomeChance> = match situation.tally() {
        Some(tally) => tally.named().map(one).collect(),
        None => {
            let walked = Walked::of(situation)?;
            walked.odds.iter().map(|(told, chance)| one((walked.name(*told), chance))).collect()
        }
    };
    all.sort_by(|a, b| a.outcome.cmp(&b.outcome));
    Ok(all)
}

impl From<&Test> for TargetAndModifiers {
    fn from(test: &Test) -> Self {
        let modifiers = test.modifiers().iter().map(|m| ModifierRecord { clause: m.clause, shift: m.shift }).collect();
        Self { target: test.target(), modifiers }
    }
}

impl<S: Situation> SituationTest for Of<S> {
    fn name(&self) -> &'static str {
        S::NAME
    }

    fn about(&self) -> &'static str {
        S::ABOUT
    }

    fn schema(&self) -> Schema {
        schemars::schema_for!(S)
    }

    fn odds(&self, situation: &Json) -> Result<SituationOdds, Diagnostics> {
        let situation = self.read(situation)?;
        let too_long = |error: NoOdds<NoDice>| Diagnostics::single(Path::root(), error.to_string());
        let outcomes = named(&situation).map_err(too_long)?;
        let tests = situation.tests();
        let mut told: Vec<TargetAndModifiers> = tests.iter().map(TargetAndModifiers::from).collect();
        let more = if told.is_empty() { Vec::new() } else { told.split_off(1) };
        let first = told.pop().unwrap_or(TargetAndModifiers { target: 0, modifiers: Vec::new() });
        Ok(SituationOdds {
            target: first.target,
            modifiers: first.modifiers,
            capped_by: tests.first().and_then(Test::capped_by),
            more,
            outcomes,
        })
    }

    fn reckon(&self, situation: &Json) -> Option<Vec<TargetAndModifiers>> {
        let typed: S = serde_json::from_value(situation.clone()).ok()?;
        let mut report = Diagnostics::new();
        typed.check(&mut report);
        report.clean().ok()?;
        Some(typed.tests().iter().map(TargetAndModifiers::from).collect())
    }

    fn weigher(&self, situation: &Json) -> Result<Box<dyn Fn() -> usize>, Diagnostics> {
        let situation = self.read(situation)?;
        Ok(Box::new(move || match &situation.tally() {
            Some(tally) => tally.chances().map(std::hint::black_box).count(),
            None => Walked::of(&situation).map_or(0, |walked| walked.odds.iter().map(std::hint::black_box).count()),
        }))
    }

    fn take(&self, situation: &Json, dice: &mut Scripted) -> Result<Taken, TakeError> {
        let situation = self.read(situation).map_err(TakeError::Situation)?;
        let outcome = situation.resolve(dice).map_err(TakeError::Dice)?;
        Ok(Taken {
            tests: situation.tests().iter().map(TargetAndModifiers::from).collect(),
            outcome: S::outcome_name(&outcome),
            fields: serde_json::to_value(&outcome).unwrap_or(Json::Null),
        })
    }
}

/// For each field of a situation's schema, what it is and which clauses it feeds.
#[must_use]
pub fn fields_of(schema: &Schema) -> BTreeMap<String, (String, Vec<String>)> {
    let text = |value: Option<&Json>| value.and_then(Json::as_str).unwrap_or_default().to_owned();
    let properties = schema.get("properties").and_then(Json::as_object);
    let fields = properties.into_iter().flatten().map(|(name, field)| {
        let clauses = field.get("clauses").and_then(Json::as_array);
        let clauses = clauses.into_iter().flatten().filter_map(Json::as_str).map(str::to_owned).collect();
        (name.clone(), (text(field.get("description")), clauses))
    });
    fields.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_beyond_reason_are_refused_with_the_range_wherever_they_stand() {
        let refused = |situation: Json| {
            let mut report = Diagnostics::new();
            refuse_absurd(&situation, &Path::root(), &mut report);
            report.to_string()
        };
        assert_eq!(refused(json!({ "started": 10_000, "lost": -10_000, "range": [9.5] })), "");
        for absurd in [json!({ "started": 10_001 }), json!({ "ours": { "guns": [0, -2_000_000_000] } })] {
            assert!(refused(absurd.clone()).contains("from -10000 to 10000"), "{absurd}");
        }
    }
}
