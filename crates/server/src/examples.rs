//! The drills of a clause as worked examples: those without a table are told, the others are fought on it.

use std::path::{Component, Path, PathBuf};
use std::sync::OnceLock;

use sabretache_engine::clause::Clause;
use sabretache_engine::dice::Scripted;
use sabretache_engine::drill::{Drill, Example, read_drills};
use sabretache_engine::erased::AnyRuleset;
use sabretache_engine::scenario::Document;

use crate::messages::{ExampleEntry, ExampleTest};

/// All the drills (and exercises) that the program was built with; they are read when the first is asked for.
pub(crate) struct Examples {
    files: Vec<(&'static str, &'static str)>,
    read: OnceLock<Vec<Found>>,
}

struct Found {
    /// The file and its place in it: `drills/huzzah/fire.toml:3`.
    name: String,
    folder: PathBuf,
    drill: Drill,
}

impl Examples {
    pub(crate) fn new(files: Vec<(&'static str, &'static str)>) -> Self {
        Self { files, read: OnceLock::new() }
    }

    /// The text of a file, by its path from the folder of another.
    pub(crate) fn text(&self, folder: &Path, file: &str) -> Option<&'static str> {
        let path = plain(&folder.join(file));
        self.files.iter().find(|(name, _)| Path::new(name) == path).map(|(_, text)| *text)
    }

    /// All files, by their paths.
    pub(crate) fn files(&self) -> &[(&'static str, &'static str)] {
        &self.files
    }

    /// Files that hold no drills (the positions) are none.
    fn all(&self) -> &[Found] {
        self.read.get_or_init(|| {
            let mut all = Vec::new();
            for (path, text) in &self.files {
                let folder = Path::new(path).parent().map(Path::to_owned).unwrap_or_default();
                let drills = if text.contains("[[drill]]") { read_drills(path, text).ok() } else { None };
                for (n, drill) in drills.into_iter().flatten().enumerate() {
                    all.push(Found { name: format!("{path}:{}", n + 1), folder: folder.clone(), drill });
                }
            }
            all
        })
    }

    /// The worked examples of a clause: those on the table first.
    pub(crate) fn of(&self, ruleset: &dyn AnyRuleset, clause: &str) -> Vec<ExampleEntry> {
        let book = ruleset.book().name;
        let about =
            |found: &&Found| found.drill.ruleset == book && found.drill.clauses.iter().any(|one| one.id() == clause);
        let mut found: Vec<&Found> = self.all().iter().filter(about).collect();
        // Short ones in which something is done first, and before them those that are about this clause before any other.
        found.sort_by_key(|Found { drill, .. }| {
            let place = drill.clauses.iter().position(|one| one.id() == clause);
            (!is_on_table(drill), drill.choices.is_empty(), place, drill.choices.len())
        });
        found.into_iter().map(|found| entry(ruleset, found)).collect()
    }

    /// Fights an example of a book on the table; nothing where there is none of that name.
    pub(crate) fn fight(&self, ruleset: &dyn AnyRuleset, name: &str) -> Option<(String, Result<Example, String>)> {
        let book = ruleset.book().name;
        let found = self.all().iter().find(|found| found.name == name && found.drill.ruleset == book)?;
        let fought = self.position(found).and_then(|document| ruleset.example(&found.drill, document));
        Some((found.drill.title.clone(), fought))
    }

    fn position(&self, found: &Found) -> Result<Document, String> {
        match (&found.drill.scenario, &found.drill.position) {
            (Some(file), _) => {
                let text = self.text(&found.folder, file).ok_or_else(|| format!("there is no position '{file}'"))?;
                Document::parse(file.clone(), text).map_err(|report| report.to_string())
            }
            (None, Some(position)) => Ok(Document::of_json(found.drill.title.clone(), position.clone())),
            (None, None) => Err("this example has no table".into()),
        }
    }
}

/// A path without `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            part => plain.push(part),
        }
    }
    plain
}

fn entry(ruleset: &dyn AnyRuleset, found: &Found) -> ExampleEntry {
    let drill = &found.drill;
    ExampleEntry {
        name: found.name.clone(),
        title: drill.title.clone(),
        clauses: drill.clauses.iter().map(Clause::to_string).collect(),
        on_table: is_on_table(drill),
        test: taken(ruleset, drill),
    }
}

/// Whether it can be seen on the table: it has one, and the scenario is not refused.
fn is_on_table(drill: &Drill) -> bool {
    drill.test.is_none() && !drill.expect.contains_key("scenario_refused")
}

/// The test that an example takes without a table, with its dice.
fn taken(ruleset: &dyn AnyRuleset, drill: &Drill) -> Option<ExampleTest> {
    let name = drill.test.as_deref()?;
    let test = ruleset.situations().iter().find(|test| test.name() == name)?;
    let situation = drill.situation.clone().unwrap_or_else(|| serde_json::json!({}));
    let taken = test.take(&situation, &mut Scripted::new(drill.dice.clone())).ok()?;
    let first = taken.tests.into_iter().next();
    Some(ExampleTest {
        name: name.to_owned(),
        target: first.as_ref().map(|test| test.target),
        modifiers: first.map(|test| test.modifiers).unwrap_or_default(),
        dice: drill.dice.clone(),
        outcome: taken.outcome,
    })
}
