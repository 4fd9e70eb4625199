//! Runs a drill on a position.

use std::path::Path as FilePath;

use sabretache_table::{Angle, Length};
use serde_json::{Value as Json, json};

use super::known::{unknown_id, unknown_in_event, unknown_in_schema, unknown_key};
use super::matching::{looked_at, matches};
use super::situation::same_modifiers;
use super::{Drill, DrillInput, DrillResult, Failure, position_of};
use crate::clause::Clause;
use crate::dice::Scripted;
use crate::ids::{Named, Side, UnitId};
use crate::offer::{Choice, Halt, Input, Refusal, Value};
use crate::resolution::{Happening, Resolution, RollRecord, Wanted};
use crate::ruleset::Ruleset;
use crate::scenario::{Diagnostics, FilePoint, Measure, Scenario};
use crate::session::muster;

/// Lays out the position, makes the choices with the drill's dice, and compares.
pub(super) fn run_position<R: Ruleset>(drill: &Drill, folder: &FilePath) -> DrillResult {
    let laid_out = position_of(drill, folder).and_then(|document| {
        let scenario = Scenario::<R::Body>::read(&document.json)?;
        let battle = muster::<R>(&scenario)?;
        Ok((scenario, battle))
    });
    match (laid_out, drill.expect.get("scenario_refused")) {
        (Ok((scenario, battle)), None) => {
            let mut field = Field::<R> { drill, measure: scenario.measure, scenario, battle, failures: Vec::new() };
            field.run();
            drill.result(field.failures)
        }
        (Ok(_), Some(expected)) => {
            drill.result(vec![Failure::new("scenario_refused", expected.clone(), "the scenario was accepted")])
        }
        (Err(report), Some(expected)) if refused_for(&report, expected) => drill.result(Vec::new()),
        (Err(report), expected) => {
            drill.result(vec![Failure::new("scenario", expected.cloned().unwrap_or_default(), report.to_string())])
        }
    }
}

/// Whether the scenario was refused for this clause, or with this in the message.
fn refused_for(report: &Diagnostics, expected: &Json) -> bool {
    let expected = expected.as_str().unwrap_or_default();
    let clause = Clause::parse(expected);
    report.iter().any(|one| (clause.is_some() && one.clause == clause) || one.message.contains(expected))
}

/// What a drill expects as a list: an empty one would be held by anything.
const LISTS: [&str; 5] = ["offers", "no_offers", "events", "no_events", "rolls"];

struct Field<'a, R: Ruleset> {
    drill: &'a Drill,
    measure: Measure,
    scenario: Scenario<R::Body>,
    battle: R::Battle,
    failures: Vec<Failure>,
}

impl<R: Ruleset> Field<'_, R> {
    fn run(&mut self) {
        let mut dice = Scripted::new(self.drill.dice.clone());
        let mut chronicle = Vec::new();
        let last = self.drill.choices.len();
        for (n, choice) in self.drill.choices.iter().enumerate() {
            let input = &choice.input();
            let expected_refusal = self.drill.expect.get("refused").filter(|_| n + 1 == last);
            let made = self.choose(input, &mut dice, &mut chronicle);
            match (made, expected_refusal) {
                (Ok(()), None) => {}
                (Ok(()), Some(expected)) => {
                    self.fail("refused", expected.clone(), format!("'{}' was accepted", input.choose));
                }
                (Err(Stopped::Refused(refusal)), Some(expected)) if expected.as_str() == Some(refusal.clause.id()) => {}
                (Err(stopped), expected) => {
                    let expected = expected.cloned().unwrap_or_else(|| "accepted".into());
                    self.fail(&format!("choice {} '{}'", n + 1, input.choose), expected, stopped.to_string());
                    return;
                }
            }
        }
        if let (Some(expected), true) = (self.drill.expect.get("refused"), last == 0) {
            self.fail("refused", expected.clone(), "the drill makes no choice");
        }
        if !dice.left().is_empty() {
            self.fail("dice", json!(self.drill.dice), format!("not used: {:?}", dice.left()));
        }
        self.compare(&chronicle);
    }

    fn fail(&mut self, what: &str, expected: impl Into<Json>, got: impl Into<Json>) {
        self.failures.push(Failure::new(what, expected, got));
    }

    fn choose(
        &mut self,
        input: &DrillInput,
        dice: &mut Scripted,
        chronicle: &mut Vec<Happening<Json>>,
    ) -> Result<(), Stopped> {
        let (offer, closed) = self.find(&input.choose)?;
        if let Some(refusal) = closed.filter(|refusal| refusal.impossible || !input.despite) {
            return Err(Stopped::Refused(refusal));
        }
        let wanted = R::input(&self.battle, &offer);
        let value = value_of::<R>(&self.battle, self.measure, input, &wanted)?;
        let unit = R::measure(&self.battle).unit();
        if let Err(wrong) = wanted.check(&value, unit)
            && !input.despite
        {
            let why = R::why_not(&self.battle, &offer, &value).or_else(|| wanted.breach(&value, unit, None));
            return Err(why.map_or(Stopped::Other(wrong.0), Stopped::Refused));
        }
        let mut trial = self.battle.clone();
        let mut happened = Vec::new();
        let mut play = Resolution::<R>::new(&mut trial, dice).chronicled(&mut happened);
        if input.despite {
            play = play.lenient();
        }
        R::resolve(&mut play, &Choice { offer, value }).map_err(|halt| match halt {
            Halt::Refused(refusal) => Stopped::Refused(refusal),
            other => Stopped::Other(other.to_string()),
        })?;
        R::check(&trial).map_err(|broken| Stopped::Other(format!("what must always hold does not: {broken}")))?;
        for one in happened {
            match one {
                Happening::Roll(roll) => chronicle.push(Happening::Roll(roll)),
                Happening::Event(event) => {
                    let mut json = serde_json::to_value(&event).unwrap_or_default();
                    with_names::<R>(&trial, &mut json);
                    chronicle.push(Happening::Event(json));
                }
                // A drill speaks of what a player is told.
                Happening::Follows(_) => {}
            }
        }
        self.battle = trial;
        Ok(())
    }

    fn find(&self, key: &str) -> Result<(R::Offer, Option<Refusal>), Stopped> {
        find_offer::<R>(&self.battle, key)
    }

    fn offers(&self) -> Vec<R::Offer> {
        offers_of::<R>(&self.battle)
    }

    fn compare(&mut self, chronicle: &[Happening<Json>]) {
        let saved = R::save(&self.battle).to_json();
        for (key, expected) in &self.drill.expect {
            if expected.as_array().is_some_and(Vec::is_empty) && LISTS.contains(&key.as_str()) {
                self.fail(key, expected.clone(), "an empty list expects nothing: leave it out");
                continue;
            }
            match key.as_str() {
                "refused" | "scenario_refused" => {}
                "deciding" => {
                    let got = R::deciding(&self.battle).map_or("nobody".into(), |side| self.side_id(side));
                    self.same("deciding", expected, &Json::String(got));
                }
                "verdict" => {
                    let got = match R::verdict(&self.battle) {
                        None => "undecided".to_owned(),
                        Some(verdict) => verdict.winner.map_or("draw".into(), |side| self.side_id(side)),
                    };
                    self.same("verdict", expected, &Json::String(got));
                }
                "offers" | "no_offers" => self.compare_offers(key == "offers", expected),
                "closed" => self.compare_closed(expected),
                "inputs" => self.compare_inputs(expected),
                "events" => self.compare_events(expected, chronicle),
                "no_events" => self.compare_no_events(expected, chronicle),
                "rolls" => self.compare_rolls(expected, chronicle),
                "odds" => self.compare_odds(expected),
                part => {
                    let whole = json!({ part: expected });
                    let began = self.scenario.to_json();
                    let of_schema = || unknown_in_schema(Scenario::<R::Body>::shape().schema.as_value(), &whole);
                    match of_schema().or_else(|| unknown_id(expected, [saved.get(part), began.get(part)])) {
                        Some(why) => self.fail(part, expected.clone(), why),
                        None => self.same(part, expected, saved.get(part).unwrap_or(&Json::Null)),
                    }
                }
            }
        }
    }

    fn same(&mut self, what: &str, expected: &Json, got: &Json) {
        if !matches(expected, got) {
            self.fail(what, expected.clone(), looked_at(expected, got));
        }
    }

    fn side_id(&self, side: Side) -> String {
        self.scenario.sides.get(side.index()).map_or_else(|| side.to_string(), |entry| entry.id.clone())
    }

    fn compare_offers(&mut self, wanted: bool, expected: &Json) {
        let keys: Vec<String> = self.offers().iter().map(|offer| R::key(&self.battle, offer)).collect();
        for key in expected.as_array().into_iter().flatten().filter_map(Json::as_str) {
            if keys.iter().any(|offered| offered == key) != wanted {
                let what = if wanted { "offers" } else { "no_offers" };
                self.fail(what, key, json!(keys));
            }
        }
    }

    fn compare_closed(&mut self, expected: &Json) {
        let mut closed = Vec::new();
        R::closed(&self.battle, &mut closed);
        let told: Json = closed
            .iter()
            .map(|(offer, refusal)| (R::key(&self.battle, offer), Json::String(refusal.clause.to_string())))
            .collect::<serde_json::Map<_, _>>()
            .into();
        self.same("closed", expected, &told);
    }

    fn compare_inputs(&mut self, expected: &Json) {
        for (key, expected) in expected.as_object().into_iter().flatten() {
            match self.find(key) {
                Ok((offer, _)) => {
                    let mut input = serde_json::to_value(R::input(&self.battle, &offer)).unwrap_or_default();
                    with_names::<R>(&self.battle, &mut input);
                    if let Some(why) = unknown_key(expected, &input) {
                        self.fail(&format!("input of '{key}'"), expected.clone(), why);
                        continue;
                    }
                    self.same(&format!("input of '{key}'"), expected, &input);
                }
                Err(stopped) => self.fail(&format!("input of '{key}'"), expected.clone(), stopped.to_string()),
            }
        }
    }

    /// These events, in this order; others may stand between them.
    fn compare_events(&mut self, expected: &Json, chronicle: &[Happening<Json>]) {
        let all: Vec<&Json> = chronicle.iter().filter_map(event).collect();
        let mut left = all.iter();
        for wanted in expected.as_array().into_iter().flatten() {
            if let Some(why) = unknown_in_event::<R::Event>(wanted) {
                self.fail("events", wanted.clone(), why);
                return;
            }
            if !left.any(|event| is_event(wanted, event)) {
                self.fail("events", wanted.clone(), json!(all));
                return;
            }
        }
    }

    fn compare_no_events(&mut self, expected: &Json, chronicle: &[Happening<Json>]) {
        for unwanted in expected.as_array().into_iter().flatten() {
            if let Some(why) = unknown_in_event::<R::Event>(unwanted) {
                self.fail("no_events", unwanted.clone(), why);
            } else if let Some(event) = chronicle.iter().filter_map(event).find(|event| is_event(unwanted, event)) {
                self.fail("no_events", unwanted.clone(), event.clone());
            }
        }
    }

    /// These rolls, in this order; others may stand between them.
    fn compare_rolls(&mut self, expected: &Json, chronicle: &[Happening<Json>]) {
        let all: Vec<Json> = chronicle.iter().filter_map(|one| self.roll(one)).collect();
        let mut left = all.iter();
        let same = |wanted: &Json, got: &Json| {
            let mut rest = wanted.clone();
            let modifiers = rest.as_object_mut().and_then(|map| map.remove("modifiers"));
            modifiers.is_none_or(|modifiers| same_modifiers(&modifiers, &got["modifiers"])) && matches(&rest, got)
        };
        for wanted in expected.as_array().into_iter().flatten() {
            if let Some(why) = all.first().and_then(|roll| unknown_key(wanted, roll)) {
                self.fail("rolls", wanted.clone(), why);
                return;
            }
            if !left.any(|roll| same(wanted, roll)) {
                self.fail("rolls", wanted.clone(), json!(all));
                return;
            }
        }
    }

    fn roll(&self, one: &Happening<Json>) -> Option<Json> {
        let Happening::Roll(roll) = one else { return None };
        Some(roll_as_drilled(roll, |named| R::name(&self.battle, named).map(|(id, _)| id)))
    }

    /// Odds of offers that need no input, by their key: `"pass" = { "nothing happens" = "1/1" }`.
    fn compare_odds(&mut self, expected: &Json) {
        for (key, expected) in expected.as_object().into_iter().flatten() {
            let got = self.find(key).map_err(|stopped| stopped.to_string()).and_then(|(offer, _)| {
                let choice = Choice { offer, value: Value::None };
                crate::session::odds_of_choice::<R>(&self.battle, &choice).map_err(|error| error.to_string())
            });
            let got: Json = match got {
                Ok(odds) => odds
                    .iter()
                    .map(|(name, chance)| (name.clone(), json!(chance)))
                    .collect::<serde_json::Map<_, _>>()
                    .into(),
                Err(why) => why.into(),
            };
            self.same(&format!("odds of '{key}'"), expected, &got);
        }
    }
}

/// Whether an event is the one expected: it has its name, and what it carries matches.
fn is_event(expected: &Json, event: &Json) -> bool {
    let named = |names: &serde_json::Map<String, Json>| names.keys().all(|name| event.get(name).is_some());
    expected.as_object().is_none_or(named) && matches(expected, event)
}

fn event(one: &Happening<Json>) -> Option<&Json> {
    match one {
        Happening::Event(event) => Some(event),
        Happening::Roll(_) | Happening::Follows(_) => None,
    }
}

fn roll_as_drilled(roll: &RollRecord, id: impl Fn(Named) -> Option<String>) -> Json {
    let target = match roll.wanted {
        Wanted::AtMost(target) | Wanted::AtLeast(target) => Some(target),
        _ => None,
    };
    let modifiers: Vec<String> =
        roll.modifiers.iter().map(|modifier| format!("{}:{:+}", modifier.clause, modifier.shift)).collect();
    json!({
        "what": roll.what,
        "of": roll.of.as_deref().map(|of| Named::parse(of).and_then(&id).unwrap_or_else(|| of.to_owned())),
        "side": roll.side,
        "base": roll.base.as_ref().map(|base| base.value),
        "base_clause": roll.base.as_ref().and_then(|base| base.clause),
        "throw": roll.throw,
        "target": target,
        "total": roll.total,
        "modifiers": modifiers,
    })
}

/// Puts the scenario's ids in the place of tokens.
fn with_names<R: Ruleset>(battle: &R::Battle, json: &mut Json) {
    match json {
        Json::String(text) => {
            if let Some((id, _)) = Named::parse(text).and_then(|named| R::name(battle, named)) {
                *text = id;
            }
        }
        Json::Array(items) => items.iter_mut().for_each(|item| with_names::<R>(battle, item)),
        Json::Object(map) => map.values_mut().for_each(|value| with_names::<R>(battle, value)),
        _ => {}
    }
}

/// The offer with this key, and the refusal if the rules close it.
pub(super) fn find_offer<R: Ruleset>(battle: &R::Battle, key: &str) -> Result<(R::Offer, Option<Refusal>), Stopped> {
    let offers = offers_of::<R>(battle);
    let mut closed = Vec::new();
    R::closed(battle, &mut closed);
    let open = offers.iter().find(|offer| R::key(battle, offer) == key);
    if let Some(offer) = open {
        return Ok((offer.clone(), None));
    }
    if let Some((offer, refusal)) = closed.into_iter().find(|(offer, _)| R::key(battle, offer) == key) {
        return Ok((offer, Some(refusal)));
    }
    let keys: Vec<String> = offers.iter().map(|offer| R::key(battle, offer)).collect();
    Err(Stopped::Other(format!("there is no such offer; there are: {}", keys.join(" | "))))
}

fn offers_of<R: Ruleset>(battle: &R::Battle) -> Vec<R::Offer> {
    let mut offers = Vec::new();
    if R::deciding(battle).is_some() {
        R::offers(battle, &mut offers);
    }
    offers
}

/// The value that a drill gives, as the battle takes it.
pub(super) fn value_of<R: Ruleset>(
    battle: &R::Battle,
    measure: Measure,
    given: &DrillInput,
    wanted: &Input,
) -> Result<Value, Stopped> {
    let wrong = |text: String| Stopped::Other(text);
    Ok(match given {
        DrillInput { distance: Some(text), .. } => {
            Value::Distance(text.parse::<Length>().map_err(|error| wrong(format!("'{text}': {error}")))?)
        }
        DrillInput { wheel: Some(degrees), .. } => Value::Wheel(Angle::hundredths((degrees * 100.0).round() as i32)),
        DrillInput { point: Some(pair), .. } => Value::Point(measure.point(FilePoint(*pair))),
        DrillInput { units: Some(ids), .. } => {
            let Input::Units { of, .. } = wanted else {
                return Err(wrong(format!("{} is wanted here, not units", wanted.wanted())));
            };
            let id_of = |unit: &UnitId| R::name(battle, Named::Unit(*unit)).map(|(id, _)| id);
            let mut units = Vec::new();
            for id in ids {
                let unit = of.iter().find(|unit| id_of(unit).as_ref() == Some(id));
                units.push(*unit.ok_or_else(|| wrong(format!("'{id}' is not one of those that can be picked")))?);
            }
            units.sort_unstable();
            Value::Units(units)
        }
        DrillInput { formation: Some(name), .. } => Value::Formation(name.clone()),
        DrillInput { number: Some(number), .. } => Value::Number(*number),
        _ => Value::None,
    })
}

/// Why a choice of a drill was not made.
pub(super) enum Stopped {
    Refused(Refusal),
    Other(String),
}

impl std::fmt::Display for Stopped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Refused(refusal) => write!(f, "refused: {refusal}"),
            Self::Other(text) => f.write_str(text),
        }
    }
}
