//! Drills: test cases as data, which a wargamer can read and write.

mod example;
mod folder;
mod known;
mod matching;
mod position;
mod situation;

use std::collections::BTreeMap;
use std::path::Path as FilePath;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::clause::{Book, Clause};
use crate::mark;
use crate::ruleset::Ruleset;
use crate::scenario::{Diagnostics, Document, Path, Shape};

pub use example::{Example, fight};
pub use folder::{FolderResult, run_folder};
use position::run_position;
use situation::run_situation;

/// A file of drills.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DrillFile {
    /// The drills.
    pub drill: Vec<Drill>,
}

/// A situation or a position, dice, choices, and what must come out.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Drill {
    /// The clauses it is for: broken, any of them makes it fail.
    pub clauses: Vec<Clause>,
    /// What it shows, as a sentence.
    pub title: String,
    /// The book.
    pub ruleset: String,
    /// For a situation: which test is taken.
    #[serde(default)]
    pub test: Option<String>,
    /// For a situation: the facts.
    #[serde(default)]
    pub situation: Option<Json>,
    /// For a position: a scenario file, relative to the drill's own.
    #[serde(default)]
    pub scenario: Option<String>,
    /// For a position: the scenario itself.
    #[serde(default)]
    pub position: Option<Json>,
    /// For a position: changes to it, by path: `"units.fr-1.staggers" = 1`.
    #[serde(default)]
    pub set: BTreeMap<String, Json>,
    /// For a position: what is chosen.
    #[serde(default)]
    pub choices: Vec<DrillChoice>,
    /// The faces that fall, in order. All of them must be used.
    #[serde(default)]
    pub dice: Vec<u8>,
    /// What must come out.
    pub expect: serde_json::Map<String, Json>,
}

/// A choice in a drill.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum DrillChoice {
    /// An offer that needs no input, by its key.
    Plain(String),
    /// An offer with its input.
    With(DrillInput),
}

/// An offer and its input.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct DrillInput {
    /// The offer, by its key.
    pub choose: String,
    /// How far: `"12cm"`, `"3 1/2in"`.
    pub distance: Option<String>,
    /// How much to wheel, in degrees; negative to the left.
    pub wheel: Option<f64>,
    /// Where to, in the scenario's measure.
    pub point: Option<[f64; 2]>,
    /// Which units, by their ids.
    pub units: Option<Vec<String>>,
    /// Which formation.
    pub formation: Option<String>,
    /// How many.
    pub number: Option<i32>,
    /// Do it although the rules forbid it.
    pub despite: bool,
}

impl DrillChoice {
    /// The offer and its input, which a plain choice has none of.
    fn input(&self) -> DrillInput {
        match self {
            Self::Plain(key) => DrillInput { choose: key.clone(), ..DrillInput::default() },
            Self::With(input) => input.clone(),
        }
    }
}

/// How a drill went.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DrillResult {
    /// What it shows.
    pub title: String,
    /// The clauses it is for.
    pub clauses: Vec<Clause>,
    /// Whether everything came out as expected.
    pub ok: bool,
    /// Where it did not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<Failure>,
}

/// One thing that did not come out as expected.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Failure {
    /// What was looked at.
    pub what: String,
    /// What was expected.
    pub expected: Json,
    /// What came out.
    pub got: Json,
}

impl Failure {
    fn new(what: impl Into<String>, expected: impl Into<Json>, got: impl Into<Json>) -> Self {
        Self { what: what.into(), expected: expected.into(), got: got.into() }
    }
}

/// Runs a drill and compares; its folder is where its scenario is looked for.
///
/// It also fails when a line that decides one of its clauses is marked and did not run: then it proves nothing about it.
pub fn run<R: Ruleset>(drill: &Drill, folder: &FilePath) -> DrillResult {
    let (mut result, ran) = mark::watched(|| match drill.test {
        Some(_) => run_situation(R::situations(), drill),
        None => run_position::<R>(drill, folder),
    });
    for clause in drill.clauses.iter().filter(|clause| !ran.contains(clause)) {
        if R::BOOK.find(*clause).is_some_and(|text| !text.decided.is_empty()) {
            let expected = format!("the line that decides {clause} runs");
            result.failures.push(Failure::new("clauses", expected, "it did not run"));
            result.ok = false;
        }
    }
    result
}

impl Drill {
    fn result(&self, failures: Vec<Failure>) -> DrillResult {
        DrillResult { title: self.title.clone(), clauses: self.clauses.clone(), ok: failures.is_empty(), failures }
    }
}

/// Reads a file of drills; all that is wrong with it at once.
pub fn read_drills(name: &str, text: &str) -> Result<Vec<Drill>, Diagnostics> {
    read_file(name, text).map(|(_, drills)| drills)
}

/// Reads a file of drills for books that are at hand: a clause that its drill's book does not have is wrong, too.
pub fn read_drills_for(
    name: &str,
    text: &str,
    books: impl Fn(&str) -> Option<&'static Book>,
) -> Result<Vec<Drill>, Diagnostics> {
    let (document, drills) = read_file(name, text)?;
    let mut report = Diagnostics::new();
    for (n, drill) in drills.iter().enumerate() {
        let Some(book) = books(&drill.ruleset) else { continue };
        for (m, clause) in drill.clauses.iter().enumerate().filter(|(_, clause)| book.find(**clause).is_none()) {
            let at = Path::root().key("drill").item(n).key("clauses").item(m);
            report.error(at, format!("{} has no clause {clause}", book.title));
        }
    }
    document.place(&mut report);
    report.clean().map(|()| drills)
}

fn read_file(name: &str, text: &str) -> Result<(Document, Vec<Drill>), Diagnostics> {
    let document = Document::parse(name, text)?;
    let shape = Shape::for_type::<DrillFile>(|| schemars::schema_for!(DrillFile));
    let mut report = shape.validate(&document.json);
    let placed = |mut report: Diagnostics| {
        document.place(&mut report);
        report
    };
    report.clean().map_err(placed)?;
    let file: DrillFile = serde_json::from_value(document.json.clone())
        .map_err(|error| placed(Diagnostics::single(Path::root(), error.to_string())))?;
    for (n, drill) in file.drill.iter().enumerate() {
        let at = Path::root().key("drill").item(n);
        match (&drill.test, &drill.scenario, &drill.position) {
            (Some(_), None, None) | (None, Some(_), None) | (None, None, Some(_)) => {}
            _ => report.error_with_help(
                at.clone(),
                "a drill has either a `test`, or a `scenario`, or a `position`",
                "name exactly one of them",
            ),
        }
        if drill.clauses.is_empty() {
            report.error(at.clone().key("clauses"), "a drill is for at least one clause");
        }
        if drill.expect.is_empty() {
            report.error(at.key("expect"), "a drill that expects nothing cannot fail");
        }
    }
    report.clean().map_err(placed)?;
    Ok((document, file.drill))
}

/// The scenario of a position drill: its file read, or the position itself, with the drill's changes made.
fn position_of(drill: &Drill, folder: &FilePath) -> Result<Document, Diagnostics> {
    let of = (drill.scenario.as_deref(), drill.position.as_ref());
    position(&drill.title, of, &drill.set, folder)
}

/// A position: a scenario file, looked for from a folder, or the scenario itself, with changes made to it by path.
pub fn position(
    title: &str,
    of: (Option<&str>, Option<&Json>),
    set: &BTreeMap<String, Json>,
    folder: &FilePath,
) -> Result<Document, Diagnostics> {
    let document = match of {
        (Some(file), _) => {
            let path = folder.join(file);
            let text = std::fs::read_to_string(&path)
                .map_err(|error| Diagnostics::single(Path::root(), format!("{}: {error}", path.display())))?;
            Document::parse(path.display().to_string(), text)?
        }
        (None, Some(position)) => Document::of_json(title, position.clone()),
        (None, None) => return Err(Diagnostics::single(Path::root(), "there is no position")),
    };
    changed(document, set)
}

/// A scenario with changes made to it by path.
fn changed(mut document: Document, set: &BTreeMap<String, Json>) -> Result<Document, Diagnostics> {
    for (path, value) in set {
        crate::session::set_at(&mut document.json, path, value.clone())?;
    }
    Ok(document)
}
