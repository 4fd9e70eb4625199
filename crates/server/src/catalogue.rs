//! What can be fought: rulesets and scenarios.

use std::collections::BTreeMap;

use sabretache_engine::erased::{AnyRuleset, AnySession};
use sabretache_engine::ids::Side;
use sabretache_engine::log::{DiceSource, Enforcement};
use sabretache_engine::protocol::{Reply, Request};
use sabretache_engine::scenario::{Diagnostics, Document, LessonEntry, Path};
use sabretache_engine::session::{Seat, Setup};
use serde_json::Value as Json;

use crate::changes;
use crate::messages::{Changes, Lesson, ScenarioEntry, ScenarioSheet};

/// The rulesets and scenarios of a server.
pub(crate) struct Catalogue {
    pub(crate) rulesets: Vec<&'static dyn AnyRuleset>,
    /// In the order in which they were given.
    pub(crate) scenarios: Vec<ScenarioEntry>,
    documents: BTreeMap<String, Document>,
    numbers: BTreeMap<&'static str, Json>,
}

impl Catalogue {
    /// The catalogue; with it, the scenarios that were left out and why.
    pub(crate) fn new(
        rulesets: Vec<&'static dyn AnyRuleset>,
        scenarios: Vec<(String, String)>,
        numbers: Vec<(&'static str, Json)>,
    ) -> (Self, Vec<String>) {
        let numbers = numbers.into_iter().collect();
        let mut catalogue = Self { rulesets, scenarios: Vec::new(), documents: BTreeMap::new(), numbers };
        let mut left_out = Vec::new();
        for (name, text) in scenarios {
            match Document::parse(name.clone(), text).and_then(|document| catalogue.checked(document)) {
                Ok(document) => {
                    catalogue.scenarios.push(entry(&name, &document.json));
                    catalogue.documents.insert(name, document);
                }
                Err(wrong) => left_out.push(format!("{name}: {wrong}")),
            }
        }
        (catalogue, left_out)
    }

    fn checked(&self, document: Document) -> Result<Document, Diagnostics> {
        let name = word(&document.json, "ruleset").unwrap_or_default();
        let ruleset = self.ruleset(&name).ok_or_else(|| no_ruleset(&name))?;
        ruleset.check(&document).clean()?;
        Ok(document)
    }

    /// The ruleset of this name.
    pub(crate) fn ruleset(&self, name: &str) -> Option<&'static dyn AnyRuleset> {
        self.rulesets.iter().copied().find(|ruleset| ruleset.book().name == name)
    }

    /// A scenario of the list by its name, or one sent as TOML.
    pub(crate) fn document(&self, scenario: &str) -> Result<Document, Diagnostics> {
        match self.documents.get(scenario) {
            Some(document) => Ok(document.clone()),
            None if scenario.contains('\n') => Document::parse("scenario", scenario),
            None => Err(Diagnostics::single(Path::root(), format!("there is no scenario '{scenario}'"))),
        }
    }

    /// What can be changed in a scenario before it is fought: its options, and the numbers of its book.
    pub(crate) fn changes(&self, name: &str) -> Option<Changes> {
        let document = self.documents.get(name)?;
        let ruleset = self.ruleset(&word(&document.json, "ruleset")?)?;
        let numbers = self.numbers.get(ruleset.book().name).unwrap_or(&Json::Null);
        Some(changes::of(ruleset.book(), ruleset.schema().as_value(), &document.json, numbers))
    }

    /// Begins a battle: its session, the short name of its ruleset, its title and its log.
    pub(crate) fn begin(&self, document: &Document, setup: Setup) -> Result<Beginning, Diagnostics> {
        let name = word(&document.json, "ruleset").unwrap_or_default();
        let ruleset = self.ruleset(&name).ok_or_else(|| no_ruleset(&name))?;
        let (session, log) = ruleset.begin(document, setup)?;
        Ok(Beginning { session, ruleset: name, title: word(&document.json, "title").unwrap_or_default(), log })
    }

    /// A scenario with its table laid out.
    pub(crate) fn sheet(&self, name: &str) -> Option<ScenarioSheet> {
        let document = self.documents.get(name)?;
        let setup = Setup { enforcement: Enforcement::Referee, dice: DiceSource::Typed };
        let mut beginning = self.begin(document, setup).ok()?;
        match beginning.session.answer(Seat::Spectator, &Request::View { moment: None }) {
            Reply::View { view, .. } => Some(ScenarioSheet { entry: entry(name, &document.json), view: *view }),
            _ => None,
        }
    }
}

/// A battle that begins.
pub(crate) struct Beginning {
    pub(crate) session: Box<dyn AnySession>,
    pub(crate) ruleset: String,
    pub(crate) title: String,
    pub(crate) log: String,
}

fn no_ruleset(name: &str) -> Diagnostics {
    Diagnostics::single(Path::root().key("ruleset"), format!("there is no ruleset '{name}' here"))
}

fn word(json: &Json, key: &str) -> Option<String> {
    json.get(key)?.as_str().map(str::to_owned)
}

fn entry(name: &str, json: &Json) -> ScenarioEntry {
    ScenarioEntry {
        name: name.to_owned(),
        ruleset: word(json, "ruleset").unwrap_or_default(),
        title: word(json, "title").unwrap_or_else(|| name.to_owned()),
        date: word(json, "date"),
        place: word(json, "place"),
        summary: word(json, "summary"),
        length: word(json, "length"),
        lesson: lesson(json),
        coach: json.get("coach").and_then(|coach| serde_json::from_value(coach.clone()).ok()).unwrap_or_default(),
    }
}

fn lesson(json: &Json) -> Option<Lesson> {
    let LessonEntry { side, set } = serde_json::from_value(json.get("lesson")?.clone()).ok()?;
    let sides = json.get("sides")?.as_array()?;
    let place = sides.iter().position(|one| one.get("id").and_then(Json::as_str) == Some(&side))?;
    Some(Lesson { side: if place == 0 { Side::A } else { Side::B }, set })
}
