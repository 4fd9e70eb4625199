//! Sabretache for Python: what is compiled. The rest of the package is in `sabretache/`.
//!
//! | module | what it is |
//! |---|---|
//! | [`fight`] | a battle of any book, with choices but no log |
//! | [`paths`] | chance laid open, reading by reading |
//! | [`look`] | units, ground and actions as numbers |
//! | [`battle`], [`many`] | the classes `Battle` and `VecBattle` |
//! | [`laboratory`] | the class `Run`, and the shards of a run |
//! | [`documents`], [`errors`] | scenarios, and exceptions |

mod battle;
mod documents;
mod errors;
mod fight;
mod laboratory;
mod look;
mod many;
mod paths;

use pyo3::prelude::*;
use pyo3::types::PyDict;

use documents::{ruleset, to_json, to_python};
use errors::{BattleOver, Refused, SabretacheError, ScenarioError, faulty, wrong};

/// The names of the scenarios that come with the package.
#[pyfunction]
fn scenarios() -> Vec<&'static str> {
    documents::SHIPPED.iter().map(|(name, _)| *name).collect()
}

/// The text of a scenario that comes with the package.
#[pyfunction]
fn scenario(name: &str) -> PyResult<&'static str> {
    let found = documents::SHIPPED.iter().find(|(known, _)| *known == name);
    found.map(|(_, text)| *text).ok_or_else(|| ScenarioError::new_err(format!("there is no scenario '{name}'")))
}

/// All that is wrong or unusual with a scenario, a sentence each, with its place.
#[pyfunction]
fn check(scenario: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    let document = match documents::document(scenario, &[]) {
        Ok(document) => document,
        Err(error) if error.is_instance_of::<ScenarioError>(scenario.py()) => {
            return Ok(error.value(scenario.py()).to_string().lines().map(str::to_owned).collect());
        }
        Err(error) => return Err(error),
    };
    Ok(documents::ruleset_of(&document)?.check(&document).to_string().lines().map(str::to_owned).collect())
}

/// The rulesets by their short names, each with the title of its book.
#[pyfunction]
fn rulesets(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let all = PyDict::new(py);
    for ruleset in sabretache_books::rulesets() {
        all.set_item(ruleset.book().name, ruleset.book().title)?;
    }
    Ok(all)
}

/// The tests of a ruleset that can be taken from a situation alone, each with what it tells.
#[pyfunction]
fn tests<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyDict>> {
    let all = PyDict::new(py);
    for test in ruleset(name)?.situations() {
        all.set_item(test.name(), test.about())?;
    }
    Ok(all)
}

/// The exact odds of a test of a ruleset from a situation: a dictionary with `target`, `modifiers` and `outcomes`, these with their chances as
/// `fractions.Fraction`.
#[pyfunction]
#[pyo3(signature = (name, test, situation = None))]
fn odds<'py>(
    py: Python<'py>,
    name: &str,
    test: &str,
    situation: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let situations = ruleset(name)?.situations();
    let found = situations.iter().find(|one| one.name() == test);
    let found = found.ok_or_else(|| {
        let names: Vec<&str> = situations.iter().map(|one| one.name()).collect();
        wrong(format!("there is no test '{test}'; there are: {}", names.join(", ")))
    })?;
    let situation = match situation {
        Some(situation) => to_json(situation.as_any())?,
        None => serde_json::Value::Object(serde_json::Map::new()),
    };
    let odds = found.odds(&situation).map_err(|report| faulty(&report))?;
    let told = to_python(py, &odds)?;
    let fraction = py.import("fractions")?.getattr("Fraction")?;
    let outcomes = PyDict::new(py);
    for one in &odds.outcomes {
        outcomes.set_item(&one.outcome, fraction.call1((&one.p,))?)?;
    }
    told.set_item("outcomes", outcomes)?;
    Ok(told)
}

/// The number that stands for a word (an act, a formation, a phase) in arrays.
#[pyfunction]
fn word_code(word: &str) -> u16 {
    look::word_code(word)
}

#[pymodule]
fn _core(py: Python<'_>, module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<battle::Battle>()?;
    module.add_class::<many::VecBattle>()?;
    module.add_class::<laboratory::Run>()?;
    module.add("SabretacheError", py.get_type::<SabretacheError>())?;
    module.add("ScenarioError", py.get_type::<ScenarioError>())?;
    module.add("Refused", py.get_type::<Refused>())?;
    module.add("BattleOver", py.get_type::<BattleOver>())?;
    module.add("UNIT_COLUMNS", look::UNIT_COLUMNS)?;
    module.add("ACTION_COLUMNS", look::ACTION_COLUMNS)?;
    module.add("SCALARS", look::SCALARS)?;
    module.add("GROUND_LAYERS", look::LAYERS)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_function(wrap_pyfunction!(scenarios, module)?)?;
    module.add_function(wrap_pyfunction!(scenario, module)?)?;
    module.add_function(wrap_pyfunction!(check, module)?)?;
    module.add_function(wrap_pyfunction!(rulesets, module)?)?;
    module.add_function(wrap_pyfunction!(tests, module)?)?;
    module.add_function(wrap_pyfunction!(odds, module)?)?;
    module.add_function(wrap_pyfunction!(word_code, module)?)?;
    module.add_function(wrap_pyfunction!(laboratory::scenario_text, module)?)?;
    module.add_function(wrap_pyfunction!(laboratory::fight_shard, module)?)?;
    Ok(())
}
