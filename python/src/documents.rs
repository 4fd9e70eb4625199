//! Scenarios: shipped, from files, from text, from a dictionary.

use std::path::{Path, PathBuf};

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use sabretache_engine::erased::AnyRuleset;
use sabretache_engine::scenario::Document;
use sabretache_lab::{AnyLaboratory, vary};
use serde_json::Value as Json;

use crate::errors::{ScenarioError, faulty, wrong};

include!(concat!(env!("OUT_DIR"), "/shipped.rs"));

/// The largest file that is read, so that a wrong name does not fill the memory.
const LARGEST: u64 = 64 * 1024 * 1024;

/// A Python object as JSON.
pub(crate) fn to_json(object: &Bound<'_, PyAny>) -> PyResult<Json> {
    let text: String = object.py().import("json")?.call_method1("dumps", (object,))?.extract()?;
    serde_json::from_str(&text).map_err(wrong)
}

/// Something serialisable as a Python object.
pub(crate) fn to_python<'py>(py: Python<'py>, value: &impl serde::Serialize) -> PyResult<Bound<'py, PyAny>> {
    let text = serde_json::to_string(value).map_err(wrong)?;
    py.import("json")?.call_method1("loads", (text,))
}

/// The scenario that an argument stands for: the name of a shipped one, a path, TOML, or a dictionary; with what is changed in it.
pub(crate) fn document(scenario: &Bound<'_, PyAny>, set: &[String]) -> PyResult<Document> {
    let document = if let Ok(text) = scenario.cast::<PyString>() {
        named(text.to_str()?)?
    } else if scenario.is_instance_of::<PyDict>() {
        Document::of_json("scenario", to_json(scenario)?)
    } else if let Ok(path) = scenario.extract::<PathBuf>() {
        of_file(&path)?
    } else {
        return Err(PyTypeError::new_err("a scenario is a name, a path, TOML or a dictionary"));
    };
    if set.is_empty() { Ok(document) } else { vary(&document, None, set).map_err(|report| faulty(&report)) }
}

fn named(text: &str) -> PyResult<Document> {
    if let Some((name, text)) = SHIPPED.iter().find(|(name, _)| *name == text) {
        return parsed(name, text);
    }
    // No path has a line break in it, and no scenario is one line.
    if text.contains('\n') {
        return parsed("scenario", text);
    }
    if Path::new(text).is_file() {
        return of_file(Path::new(text));
    }
    let names: Vec<&str> = SHIPPED.iter().map(|(name, _)| *name).collect();
    Err(ScenarioError::new_err(format!("there is no scenario or file '{text}'; scenarios: {}", names.join(", "))))
}

fn of_file(path: &Path) -> PyResult<Document> {
    let told = |why: &dyn std::fmt::Display| ScenarioError::new_err(format!("{}: {why}", path.display()));
    let size = std::fs::metadata(path).map_err(|error| told(&error))?.len();
    if size > LARGEST {
        return Err(told(&"larger than any scenario would be"));
    }
    let text = std::fs::read_to_string(path).map_err(|error| told(&error))?;
    parsed(&path.display().to_string(), &text)
}

fn parsed(name: &str, text: &str) -> PyResult<Document> {
    Document::parse(name, text).map_err(|report| faulty(&report))
}

/// The ruleset that a scenario names.
pub(crate) fn ruleset_of(document: &Document) -> PyResult<&'static dyn AnyRuleset> {
    match document.json.get("ruleset").and_then(Json::as_str) {
        Some(name) => ruleset(name),
        None => Err(ScenarioError::new_err("`ruleset` is missing: add `ruleset = \"huzzah\"` at the top")),
    }
}

/// The ruleset of this name.
pub(crate) fn ruleset(name: &str) -> PyResult<&'static dyn AnyRuleset> {
    let all = sabretache_books::rulesets();
    let found = all.iter().find(|ruleset| ruleset.book().name == name).copied();
    found.ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|ruleset| ruleset.book().name).collect();
        ScenarioError::new_err(format!("there is no ruleset '{name}'; there are: {}", names.join(", ")))
    })
}

/// The laboratory of the ruleset of this name.
pub(crate) fn laboratory(name: &str) -> PyResult<&'static dyn AnyLaboratory> {
    let found = sabretache_books::laboratories().into_iter().find(|one| one.ruleset() == name);
    found.ok_or_else(|| wrong(format!("there is no laboratory for the ruleset '{name}'")))
}
