//! What can be fought: rulesets and scenarios.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use sabretache_engine::erased::{AnyRuleset, AnySession};
use sabretache_engine::ids::Side;
use sabretache_engine::log::{DiceSource, Enforcement};
use sabretache_engine::protocol::{Reply, Request};
use sabretache_engine::scenario::{Bench, Diagnostics, Document, LessonEntry, Path};
use sabretache_engine::session::{Seat, Setup};
use serde_json::Value as Json;

use crate::changes;
use crate::companion::BookTurn;
use crate::messages::{Changes, Lesson, ScenarioEntry, ScenarioSheet};

/// The rulesets and scenarios of a server.
pub(crate) struct Catalogue {
    pub(crate) rulesets: Vec<&'static dyn AnyRuleset>,
    /// In the order in which they were given.
    pub(crate) scenarios: Vec<ScenarioEntry>,
    documents: BTreeMap<String, Document>,
    numbers: BTreeMap<&'static str, Json>,
    benches: BTreeMap<&'static str, Bench>,
    /// The turns of the books, by their short names.
    pub(crate) turns: BTreeMap<String, BookTurn>,
    /// The folder of scenarios of one's own.
    own: Option<PathBuf>,
    /// The names of those that come with the program.
    shipped: BTreeSet<String>,
}

/// The largest file of one's own that is read, in bytes.
const LARGEST_OWN: u64 = 8 << 20;

impl Catalogue {
    /// The catalogue; with it, the scenarios that were left out and why.
    pub(crate) fn new(
        rulesets: Vec<&'static dyn AnyRuleset>,
        scenarios: Vec<(String, String)>,
        numbers: Vec<(&'static str, Json)>,
    ) -> (Self, Vec<String>) {
        let numbers = numbers.into_iter().collect();
        let mut catalogue = Self {
            rulesets,
            scenarios: Vec::new(),
            documents: BTreeMap::new(),
            numbers,
            benches: BTreeMap::new(),
            turns: BTreeMap::new(),
            own: None,
            shipped: BTreeSet::new(),
        };
        let left_out = catalogue.list(scenarios);
        catalogue.shipped = catalogue.documents.keys().cloned().collect();
        (catalogue, left_out)
    }

    /// With what the workshop needs, and with the scenarios of one's own that can be fought as they stand.
    pub(crate) fn with_workshop(
        mut self,
        benches: Vec<(&'static str, Bench)>,
        own: Option<PathBuf>,
        turns: Json,
    ) -> (Self, Vec<String>) {
        self.benches = benches.into_iter().collect();
        self.own = own;
        self.turns = serde_json::from_value(turns).unwrap_or_default();
        let left_out = self.list(self.own_texts());
        (self, left_out)
    }

    fn list(&mut self, scenarios: Vec<(String, String)>) -> Vec<String> {
        let mut left_out = Vec::new();
        for (name, text) in scenarios {
            match Document::parse(name.clone(), text).and_then(|document| self.checked(document)) {
                Ok(document) => {
                    self.scenarios.push(entry(&name, &document.json));
                    self.documents.insert(name, document);
                }
                Err(wrong) => left_out.push(format!("{name}: {wrong}")),
            }
        }
        left_out
    }

    /// The files of the folder of one's own as they are now, by their names; a name that is taken gets `own-` before it.
    pub(crate) fn own_texts(&self) -> Vec<(String, String)> {
        let files = self.own.iter().filter_map(|folder| std::fs::read_dir(folder).ok()).flatten().flatten();
        let mut all: Vec<(String, String)> = files
            .filter_map(|file| {
                let path = file.path();
                let small = file.metadata().is_ok_and(|about| about.is_file() && about.len() <= LARGEST_OWN);
                if !small || path.extension().is_none_or(|ending| ending != "toml") {
                    return None;
                }
                let stem = path.file_stem()?.to_str()?.to_owned();
                let name = if self.shipped.contains(&stem) { format!("own-{stem}") } else { stem };
                Some((name, std::fs::read_to_string(&path).ok()?))
            })
            .collect();
        all.sort();
        all
    }

    /// Whether a scenario is from the folder of one's own.
    pub(crate) fn is_own(&self, name: &str) -> bool {
        !self.shipped.contains(name)
    }

    /// The text of a scenario as it is now.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        let own = self.own_texts().into_iter().find(|(own, _)| own == name).map(|(_, text)| text);
        own.or_else(|| self.documents.get(name).map(|document| document.text.clone()))
    }

    /// The numbers of a book.
    pub(crate) fn numbers(&self, ruleset: &str) -> &Json {
        self.numbers.get(ruleset).unwrap_or(&Json::Null)
    }

    /// What a book gives its workshop.
    pub(crate) fn bench(&self, ruleset: &str) -> Option<&Bench> {
        self.benches.get(ruleset)
    }

    /// What the shipped scenarios of a book say.
    pub(crate) fn documents_of(&self, ruleset: &str) -> impl Iterator<Item = (&str, &Json)> {
        let of_book = self.documents.iter().filter(move |(name, document)| {
            !self.is_own(name) && document.json.get("ruleset").and_then(Json::as_str) == Some(ruleset)
        });
        of_book.map(|(name, document)| (name.as_str(), &document.json))
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
        let numbers = self.numbers(ruleset.book().name);
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
