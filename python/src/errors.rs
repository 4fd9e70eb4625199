//! What goes wrong, as Python exceptions.

use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sabretache_engine::offer::Halt;
use sabretache_engine::scenario::Diagnostics;
use sabretache_engine::session::Declined;
use sabretache_lab::LabError;

create_exception!(
    sabretache,
    SabretacheError,
    PyValueError,
    "Something that was asked for cannot be done; nothing has changed."
);
create_exception!(sabretache, ScenarioError, SabretacheError, "A scenario is missing or faulty; each fault is a line.");
create_exception!(sabretache, Refused, SabretacheError, "The rules forbid it. `clause` is the id of the rule.");
create_exception!(sabretache, BattleOver, SabretacheError, "The battle is over: nobody decides any more.");

/// Something wrong in a sentence.
pub(crate) fn wrong(sentence: impl std::fmt::Display) -> PyErr {
    SabretacheError::new_err(sentence.to_string())
}

/// A faulty scenario.
pub(crate) fn faulty(report: &Diagnostics) -> PyErr {
    ScenarioError::new_err(report.to_string())
}

/// A choice that was not made.
pub(crate) fn halted(py: Python<'_>, halt: &Halt) -> PyErr {
    let Halt::Refused(refusal) = halt else { return wrong(halt) };
    let error = Refused::new_err(refusal.to_string());
    // An exception that cannot carry the clause still tells it in its words.
    let _ = error.value(py).setattr("clause", refusal.clause.to_string());
    error
}

/// A choice that a session did not make.
pub(crate) fn declined(py: Python<'_>, declined: &Declined) -> PyErr {
    match declined {
        Declined::Over => over(),
        Declined::Halt(halt) => halted(py, halt),
        other => wrong(other),
    }
}

/// Nobody decides any more.
pub(crate) fn over() -> PyErr {
    BattleOver::new_err("the battle is over")
}

/// A fault of the laboratory.
pub(crate) fn of_lab(error: &LabError) -> PyErr {
    match error {
        LabError::Scenario(report) => faulty(report),
        other => wrong(other),
    }
}
