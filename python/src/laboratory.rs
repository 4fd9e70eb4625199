//! Runs of the laboratory: whole, in shards, put together again.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use sabretache_engine::ids::Side;
use sabretache_engine::scenario::Document;
use sabretache_lab::table::Cells;
use sabretache_lab::{
    Fought, LabError, Luck, Plan, Progress, Results, Run as About, Shard, Watch, answer, html, simulate, text,
};

use crate::battle::skill_of;
use crate::documents::{document, laboratory, ruleset_of, to_python};
use crate::errors::{of_lab, wrong};
use crate::many::pool;

/// How often the interrupt key is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// A run of the laboratory with all its battles.
#[pyclass(module = "sabretache", name = "Run")]
pub(crate) struct Run {
    results: Results,
}

/// A scenario as the text by which it travels to other processes, with what is changed in it.
#[pyfunction]
#[pyo3(signature = (scenario, set = Vec::new()))]
pub(crate) fn scenario_text(scenario: &Bound<'_, PyAny>, set: Vec<String>) -> PyResult<String> {
    let document = document(scenario, &set)?;
    ruleset_of(&document)?;
    serde_json::to_string(&document.json).map_err(wrong)
}

/// Fights shard `index` of `of` of a run, as the run's part that `Run.of_parts` puts together.
#[pyfunction]
#[pyo3(signature = (scenario, battles, a, b, seed, luck, longest, until = None, index = 1, of = 1, threads = None, progress = None))]
#[allow(clippy::too_many_arguments, reason = "they are named in Python")]
pub(crate) fn fight_shard<'py>(
    py: Python<'py>,
    scenario: &str,
    battles: u64,
    a: &str,
    b: &str,
    seed: u64,
    luck: bool,
    longest: u64,
    until: Option<f64>,
    index: u64,
    of: u64,
    threads: Option<usize>,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyBytes>> {
    if battles == 0 || longest == 0 {
        return Err(wrong("a run has at least one battle, and a battle at least one choice"));
    }
    if index == 0 || index > of {
        return Err(wrong(format!("there is no shard {index} of {of}: they are counted from 1")));
    }
    if until.is_some_and(|until| !(until > 0.0 && until < 1.0)) {
        return Err(wrong("`until` is a part of one: 0.01 for one point in a hundred"));
    }
    let json = serde_json::from_str(scenario).map_err(wrong)?;
    let document = Document::of_json("scenario", json);
    let field = laboratory(ruleset_of(&document)?.book().name)?.field(&document);
    let field = field.map_err(|report| of_lab(&LabError::Scenario(report)))?;
    let plan = Plan {
        shard: Shard { index, of },
        until,
        luck: if luck { Luck::Reckoned } else { Luck::Left },
        longest,
        ..Plan::new(battles, [skill_of(a)?, skill_of(b)?], seed)
    };
    let pool = pool(threads)?;
    let stop = AtomicBool::new(false);
    let (tell, mut told) = channel::<Progress>();
    let results = std::thread::scope(|scope| {
        let (field, plan, stop, pool) = (&field, &plan, &stop, &pool);
        let fighting = scope.spawn(move || {
            let tell = std::sync::Mutex::new(tell);
            let told = |now: Progress| {
                // Nobody listens any more when the run was stopped.
                let _ = tell.lock().unwrap_or_else(|broken| broken.into_inner()).send(now);
            };
            let watch = Watch { progress: &told, stop };
            let run = || simulate(&**field, plan, None, watch);
            match pool {
                Some(pool) => pool.install(run),
                None => run(),
            }
        });
        let mut interrupted = Ok(());
        loop {
            let listening = &mut told;
            match py.detach(move || listening.recv_timeout(LOOK_EVERY)) {
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {}
                Ok(now) => {
                    let now = told.try_iter().last().unwrap_or(now);
                    if let (Some(progress), Ok(())) = (&progress, &interrupted) {
                        interrupted = progress.call1((now.done, now.of)).map(drop);
                    }
                }
            }
            if interrupted.is_ok() {
                interrupted = py.check_signals();
            }
            if interrupted.is_err() {
                stop.store(true, Ordering::Relaxed);
            }
        }
        let results = py.detach(|| fighting.join());
        interrupted?;
        results
            .map_err(|_| wrong("a battle could not be fought to its end: a fault in the rules"))?
            .map_err(|error| of_lab(&error))
    })?;
    let part = serde_json::to_vec(&(results.run, results.battles)).map_err(wrong)?;
    Ok(PyBytes::new(py, &part))
}

#[pymethods]
impl Run {
    /// Puts the parts of a run together, in any order.
    #[staticmethod]
    fn of_parts(parts: Vec<Vec<u8>>) -> PyResult<Self> {
        let mut whole: Option<Results> = None;
        for part in parts {
            let (run, battles): (About, Vec<Fought>) =
                serde_json::from_slice(&part).map_err(|error| wrong(format!("this is no part of a run: {error}")))?;
            let run = About { shard: Shard::WHOLE, ..run };
            match &mut whole {
                None => whole = Some(Results { run, battles }),
                Some(whole) if whole.run == run => whole.battles.extend(battles),
                Some(_) => {
                    return Err(wrong("these are parts of different runs: scenario, players, seed or rules differ"));
                }
            }
        }
        let mut results = whole.ok_or_else(|| wrong("a run has at least one part"))?;
        results.battles.sort_by_key(|fought| fought.battle);
        results.battles.dedup_by_key(|fought| fought.battle);
        Ok(Self { results })
    }

    /// Reads a run, or the shards of one, from folders or Parquet files of ``sabretache simulate --out`` or `write`.
    #[staticmethod]
    fn read(paths: Vec<PathBuf>) -> PyResult<Self> {
        Ok(Self { results: Results::read(&paths).map_err(|error| of_lab(&error))? })
    }

    fn __len__(&self) -> usize {
        self.results.battles.len()
    }

    fn __repr__(&self) -> String {
        let run = &self.results.run;
        format!(
            "<Run {:?}, {} battles, {} against {}>",
            run.setting.title,
            self.results.battles.len(),
            run.players[0],
            run.players[1]
        )
    }

    /// The columns of the table of ``"battles"`` or of ``"units"``, by name.
    fn columns<'py>(&self, py: Python<'py>, table: &str) -> PyResult<Bound<'py, PyDict>> {
        let table = match table {
            "battles" => self.results.battle_table(),
            "units" => self.results.unit_table(),
            other => return Err(wrong(format!("there is no table '{other}': there are 'battles' and 'units'"))),
        };
        let all = PyDict::new(py);
        for (name, cells) in &table.columns {
            match cells {
                Cells::Whole(cells) => all.set_item(name, PyList::new(py, cells)?)?,
                Cells::Real(cells) => all.set_item(name, PyList::new(py, cells)?)?,
                Cells::Text(cells) => all.set_item(name, PyList::new(py, cells)?)?,
                Cells::Flag(cells) => all.set_item(name, PyList::new(py, cells)?)?,
            }
        }
        Ok(all)
    }

    /// The table of ``"battles"`` or of ``"units"`` as a pandas frame.
    #[pyo3(signature = (table = "battles"))]
    fn to_pandas<'py>(&self, py: Python<'py>, table: &str) -> PyResult<Bound<'py, PyAny>> {
        py.import("pandas")?.call_method1("DataFrame", (self.columns(py, table)?,))
    }

    /// The table of ``"battles"`` or of ``"units"`` as a Polars frame.
    #[pyo3(signature = (table = "battles"))]
    fn to_polars<'py>(&self, py: Python<'py>, table: &str) -> PyResult<Bound<'py, PyAny>> {
        py.import("polars")?.call_method1("DataFrame", (self.columns(py, table)?,))
    }

    /// The share of the battles that side ``"A"`` or ``"B"`` won, or that were ``"drawn"``, or A's share of the ``"points"`` (a draw counts half), with
    /// the bounds between which it lies in 95 of 100 runs.
    fn share<'py>(&self, py: Python<'py>, of: &str) -> PyResult<Bound<'py, PyAny>> {
        let share = match of {
            "A" => self.results.won(Side::A),
            "B" => self.results.won(Side::B),
            "drawn" => self.results.drawn(),
            "points" => self.results.points(),
            other => return Err(wrong(format!("there is no share of '{other}': say 'A', 'B', 'drawn' or 'points'"))),
        };
        to_python(py, &share)
    }

    /// A's share of the points with the luck of the dice taken out; ``None`` where luck was not reckoned.
    fn without_luck<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.results.without_luck().map(|adjusted| to_python(py, &adjusted)).transpose()
    }

    /// What came of it in a few sentences.
    fn answer(&self) -> String {
        answer(&self.results)
    }

    /// What came of it as a page of text.
    fn summary(&self) -> String {
        text(&self.results)
    }

    /// What came of it as one HTML page.
    fn html(&self) -> String {
        html(&self.results)
    }

    /// What the run is about: scenario, players, seed, rules.
    fn about<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.results.run)
    }

    /// Writes ``battles.parquet``, ``units.parquet``, both as CSV, the report and the summary into a folder.
    fn write(&self, py: Python<'_>, folder: PathBuf) -> PyResult<()> {
        py.detach(|| {
            std::fs::create_dir_all(&folder).map_err(|error| LabError::File { path: folder.clone(), error })?;
            self.results.write(&folder)
        })
        .map_err(|error| of_lab(&error))
    }
}
