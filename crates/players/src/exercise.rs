//! Exercises in plain tactics, as data: a position, what a good player would choose there, and what he never would.
//!
//! As test suites of chess engines have it (best move, avoid move), for a single decision. A choice is named by its offer's key, in which
//! `*` stands for anything, and where it matters by the limits of its input.

mod person;

use std::collections::BTreeMap;
use std::path::Path as FilePath;

use sabretache_engine::dice::Scripted;
use sabretache_engine::drill::position;
use sabretache_engine::offer::{Choice, Value};
use sabretache_engine::resolution::Resolution;
use sabretache_engine::ruleset::Ruleset;
use sabretache_engine::scenario::{Diagnostics, Document, Measure, Path, Scenario};
use sabretache_engine::session::muster;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::advice::with_input;
use crate::decide::decide;
use crate::fight::own_chance;
use crate::skill::Skill;

pub use person::Judgement;

/// A file of exercises.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExerciseFile {
    /// The exercises.
    pub exercise: Vec<Exercise>,
}

/// A position and what is to be thought of the choices in it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exercise {
    /// What is to be seen, as a sentence or the head of one.
    pub title: String,
    /// What it is an exercise in.
    pub theme: Theme,
    /// Why, in a line.
    pub why: String,
    /// The book.
    pub ruleset: String,
    /// Fit for somebody who plays the book for the first time.
    #[serde(default)]
    pub beginner: bool,
    /// A scenario file, relative to the exercise's own.
    #[serde(default)]
    pub scenario: Option<String>,
    /// Or the scenario itself.
    #[serde(default)]
    pub position: Option<Json>,
    /// Changes to it, by path: `"units.fr-1.staggers" = 1`.
    #[serde(default)]
    pub set: BTreeMap<String, Json>,
    /// What has been chosen up to the position, offers that need no input by their keys.
    #[serde(default)]
    pub choices: Vec<String>,
    /// The faces that fell meanwhile, in order.
    #[serde(default)]
    pub dice: Vec<u8>,
    /// What a good player would choose; anything that is not avoided, where nothing is named.
    #[serde(default)]
    pub best: Vec<Pattern>,
    /// What he never would.
    #[serde(default)]
    pub avoid: Vec<Pattern>,
}

/// What an exercise is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Theme {
    /// Flanks: one's own and the enemy's.
    Flank,
    /// Reserves, and the order of what is worn.
    Reserve,
    /// Foot against horse.
    Square,
    /// Guns: theirs and ours.
    Guns,
    /// Officers, orders and time.
    Command,
    /// Places to be taken and held.
    Objective,
    /// Troops that come on.
    Arrival,
    /// Friends in the way.
    Friends,
    /// When to close and when not.
    Fight,
}

impl Theme {
    /// In a word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Flank => "flank",
            Self::Reserve => "reserve",
            Self::Square => "square",
            Self::Guns => "guns",
            Self::Command => "command",
            Self::Objective => "objective",
            Self::Arrival => "arrival",
            Self::Friends => "friends",
            Self::Fight => "fight",
        }
    }
}

/// Choices of a kind: a key in which `*` stands for anything, or the same with limits on the input.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Pattern {
    /// Whatever the input.
    Any(String),
    /// With an input within limits.
    Within(Limits),
}

/// A key and the limits of the input, both ends included.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    /// The offer, by its key.
    pub choose: String,
    /// How far, in the scenario's measure.
    pub distance: Option<[f64; 2]>,
    /// How much to wheel, in degrees; negative to the left.
    pub wheel: Option<[f64; 2]>,
    /// Within so far of a place: x, y and how far, in the scenario's measure.
    pub near: Option<[f64; 3]>,
    /// Which formation; `*` stands for anything.
    pub formation: Option<String>,
    /// How many.
    pub number: Option<[i32; 2]>,
}

impl Pattern {
    fn limits(&self) -> Limits {
        match self {
            Self::Any(choose) => Limits { choose: choose.clone(), ..Limits::default() },
            Self::Within(limits) => limits.clone(),
        }
    }
}

impl Limits {
    fn holds(&self, key: &str, value: &Value, measure: Measure) -> bool {
        let within = |limits: Option<[f64; 2]>, number: Option<f64>| {
            limits.is_none_or(|[least, most]| number.is_some_and(|number| (least..=most).contains(&number)))
        };
        let distance = match value {
            Value::Distance(by) => Some(measure.number(*by).0),
            _ => None,
        };
        let near = |[x, y, within]: [f64; 3]| match value {
            Value::Point(at) => libm::hypot(measure.number(at.x).0 - x, measure.number(at.y).0 - y) <= within,
            _ => false,
        };
        like(&self.choose, key)
            && within(self.distance, distance)
            && within(self.wheel, value.wheel().map(|turn| turn.to_degrees()))
            && self.near.is_none_or(near)
            && self.formation.as_ref().is_none_or(|name| value.formation().is_some_and(|one| like(name, one)))
            && self.number.is_none_or(|[least, most]| matches!(value, Value::Number(n) if (least..=most).contains(n)))
    }
}

/// Whether a text is of a pattern in which `*` stands for anything.
pub(crate) fn like(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((head, rest)) => text.strip_prefix(head).is_some_and(|text| {
            rest.is_empty() || text.char_indices().any(|(n, _)| like(rest, &text[n..])) || like(rest, "")
        }),
    }
}

/// How a player did at an exercise.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Exercised {
    /// How often it was tried.
    pub tries: u32,
    /// How often it chose well.
    pub passed: u32,
    /// How often it did what nobody should.
    pub avoided: u32,
    /// What it chose when it did not choose well, with how often.
    pub instead: BTreeMap<String, u32>,
}

/// The battle of an exercise at the decision that it is about, and the measure in which its file speaks; or what is wrong with it, in a sentence.
pub fn laid_out<R: Ruleset>(exercise: &Exercise, folder: &FilePath) -> Result<(R::Battle, Measure), String> {
    let of = (exercise.scenario.as_deref(), exercise.position.as_ref());
    let laid_out = position(&exercise.title, of, &exercise.set, folder).and_then(|document| {
        let scenario = Scenario::<R::Body>::read(&document.json)?;
        Ok((muster::<R>(&scenario)?, scenario.measure))
    });
    let (mut battle, measure) = laid_out.map_err(|report| report.to_string())?;
    let mut dice = Scripted::new(exercise.dice.clone());
    for key in &exercise.choices {
        let offer = offers::<R>(&battle).into_iter().find(|offer| R::key(&battle, offer) == *key);
        let offer =
            offer.ok_or_else(|| format!("'{key}' cannot be chosen; there are: {}", keys::<R>(&battle).join(" | ")))?;
        let choice = Choice { offer, value: Value::None };
        let made = R::resolve(&mut Resolution::new(&mut battle, &mut dice), &choice);
        made.map_err(|halt| format!("'{key}': {halt}"))?;
    }
    Ok((battle, measure))
}

/// Lets a player decide in the position of an exercise, each time with another chance of its own. An exercise whose position cannot be laid
/// out, or that speaks of choices which nobody has there, is told of in a sentence.
pub fn exercise<R: Ruleset>(
    exercise: &Exercise,
    folder: &FilePath,
    skill: Skill,
    tries: u32,
) -> Result<Exercised, String> {
    let (battle, measure) = laid_out::<R>(exercise, folder)?;
    let side = R::deciding(&battle).ok_or("nobody decides in this position")?;
    let keys = keys::<R>(&battle);
    for pattern in exercise.best.iter().chain(&exercise.avoid) {
        let choose = pattern.limits().choose;
        if !keys.iter().any(|key| like(&choose, key)) {
            return Err(format!("there is no choice like '{choose}'; there are: {}", keys.join(" | ")));
        }
    }
    let mut result = Exercised { tries, ..Exercised::default() };
    for n in 0..tries {
        let mut random = own_chance(u64::from(n), side, 0);
        let Some(Choice { offer, value }) = decide::<R>(skill, &battle, &[], &mut random).map(|decided| decided.choice)
        else {
            return Err("the player found nothing to choose".into());
        };
        let key = R::key(&battle, &offer);
        let among = |patterns: &[Pattern]| patterns.iter().any(|one| one.limits().holds(&key, &value, measure));
        let (avoided, best) = (among(&exercise.avoid), exercise.best.is_empty() || among(&exercise.best));
        if avoided {
            result.avoided += 1;
        }
        if best && !avoided {
            result.passed += 1;
        } else {
            *result.instead.entry(with_input(&key, &value)).or_default() += 1;
        }
    }
    Ok(result)
}

fn offers<R: Ruleset>(battle: &R::Battle) -> Vec<R::Offer> {
    let mut offers = Vec::new();
    R::offers(battle, &mut offers);
    offers
}

fn keys<R: Ruleset>(battle: &R::Battle) -> Vec<String> {
    offers::<R>(battle).iter().map(|offer| R::key(battle, offer)).collect()
}

/// Reads a file of exercises; all that is wrong with it at once.
pub fn read_exercises(name: &str, text: &str) -> Result<Vec<Exercise>, Diagnostics> {
    let document = Document::parse(name, text)?;
    let mut report = Diagnostics::new();
    let placed = |mut report: Diagnostics| {
        document.place(&mut report);
        report
    };
    let file: ExerciseFile = serde_json::from_value(document.json.clone())
        .map_err(|error| placed(Diagnostics::single(Path::root(), error.to_string())))?;
    for (n, one) in file.exercise.iter().enumerate() {
        let at = Path::root().key("exercise").item(n);
        if one.scenario.is_some() == one.position.is_some() {
            report.error(at.clone(), "an exercise has either a `scenario` or a `position`");
        }
        if one.best.is_empty() && one.avoid.is_empty() {
            report.error(at, "an exercise names what is best, or what is to be avoided, or both");
        }
    }
    report.clean().map_err(placed)?;
    Ok(file.exercise)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_anything() {
        for (pattern, text, is) in [
            ("advance fr-1", "advance fr-1", true),
            ("advance fr-1", "advance fr-10", false),
            ("advance fr-1*", "advance fr-10", true),
            ("* fr-1", "advance fr-1", true),
            ("order * fr-1*", "order advance fr-1 by ney", true),
            ("order * fr-1", "order advance fr-1 by ney", false),
            ("*", "", true),
        ] {
            assert_eq!(like(pattern, text), is, "{pattern} {text}");
        }
    }
}
