//! `Battle`: one battle for Python.

use std::sync::Arc;

use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods as _};
use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple, PyType};
use sabretache_engine::dice::Seeded;
use sabretache_engine::eyes::Eyes;
use sabretache_engine::ids::Side;
use sabretache_engine::log::{DiceSource, Enforcement, Log, ruleset_of as ruleset_of_log};
use sabretache_engine::odds::NoOdds;
use sabretache_engine::offer::Value;
use sabretache_engine::protocol::{Reply, Request};
use sabretache_engine::report::report;
use sabretache_engine::scenario::Document;
use sabretache_engine::session::{Order, Seat, Setup};
use sabretache_engine::view::Setting;
use sabretache_players::Skill;
use sabretache_players::fight::own_chance;
use serde_json::Value as Json;

use crate::documents::{document, laboratory, ruleset, ruleset_of, to_json, to_python};
use crate::errors::{BattleOver, declined, faulty, halted, over, wrong};
use crate::fight::{Beginning, Fight, Made, What, engage};
use crate::look::{ACTION_COLUMNS, LAYERS, SCALARS, UNIT_COLUMNS, action_row, look, raster, raster_size, scale_of};

/// The longest side of a raster, in cells.
const MOST_CELLS: usize = 1024;

/// What a battle began from, so that it can be pickled.
#[derive(Clone, serde::Serialize, serde::Deserialize)]
pub(crate) enum Origin {
    Scenario(Json),
    Log(String),
}

/// What never changes in a battle.
pub(crate) struct Frame {
    pub(crate) ruleset: &'static str,
    pub(crate) origin: Origin,
    pub(crate) setting: Setting,
    /// How many units have a row: twice as many as it begins with, for in some books units come into being in battle.
    pub(crate) rows: usize,
}

/// One battle under one of the books.
///
/// The same scenario, seed and choices are the same battle, on any machine. `scenario` is the name of a shipped scenario, a path, TOML text or a
/// dictionary; `set` changes it (``"options.turns=8"``, ``"HZ-ZON-01.infantry.line=20cm"``).
#[pyclass(module = "sabretache", name = "Battle", subclass)]
pub(crate) struct Battle {
    pub(crate) fight: Box<dyn Fight>,
    pub(crate) frame: Arc<Frame>,
}

/// A side by its letter.
pub(crate) fn side_of(text: &str) -> PyResult<Side> {
    match text {
        "A" => Ok(Side::A),
        "B" => Ok(Side::B),
        other => Err(wrong(format!("there is no side '{other}': sides are 'A' and 'B'"))),
    }
}

/// A player by its name.
pub(crate) fn skill_of(text: &str) -> PyResult<Skill> {
    text.parse().map_err(wrong)
}

/// Sets up a battle.
pub(crate) fn begin(document: &Document, seed: u64) -> PyResult<Battle> {
    let ruleset = ruleset_of(document)?;
    let setup = |seed: u64| Setup { enforcement: Enforcement::Referee, dice: DiceSource::Seeded(seed) };
    let (session, _) = ruleset.begin(document, setup(seed)).map_err(|report| faulty(&report))?;
    let (origin, document) = (Origin::Scenario(document.json.clone()), document.clone());
    let beginning: Beginning = Arc::new(move |seed| Some(ruleset.begin(&document, setup(seed)).ok()?.0));
    framed(engage(&*session, seed, beginning), ruleset.book().name, origin)
}

/// Takes a battle up from the log of a session whose dice come from this seed.
fn take_up(text: String, seed: u64) -> PyResult<Battle> {
    let ruleset = ruleset(&ruleset_of_log(text.as_bytes()).map_err(wrong)?)?;
    let session = ruleset.resume(text.as_bytes()).map_err(wrong)?;
    let origin = Origin::Log(text.clone());
    let beginning: Beginning = Arc::new(move |_| ruleset.resume(text.as_bytes()).ok());
    framed(engage(&*session, seed, beginning), ruleset.book().name, origin)
}

fn framed(fight: Option<Box<dyn Fight>>, ruleset: &'static str, origin: Origin) -> PyResult<Battle> {
    let fight = fight.ok_or_else(|| wrong(format!("the ruleset '{ruleset}' is not in this package")))?;
    let view = fight.view(Eyes::All);
    let rows = 2 * view.units.iter().map(|unit| unit.id.index() + 1).max().unwrap_or(0);
    Ok(Battle { fight, frame: Arc::new(Frame { ruleset, origin, setting: view.setting, rows }) })
}

/// What a computer player chooses, and does: a choice that the rules refuse is followed by random ones, as in the laboratory.
pub(crate) fn let_play(fight: &mut dyn Fight, ruleset: &str, skill: Skill, own: Option<u64>) -> PyResult<bool> {
    let Some(side) = fight.deciding() else { return Ok(false) };
    let mut random = match own {
        Some(own) => Seeded::for_choice(own, fight.made()),
        None => own_chance(fight.seed(), side, fight.made()),
    };
    let told = |halt: sabretache_engine::offer::Halt| Python::attach(|py| halted(py, &halt));
    if skill == Skill::Recruit {
        return fight.stumble(Some(&mut random)).map_err(told);
    }
    let players = laboratory(ruleset)?;
    let mut order: Option<Order> = None;
    let followed = fight.with_session(&mut |session| order = players.order(session, skill, &mut random));
    followed.map_err(|error| Python::attach(|py| declined(py, &error)))?;
    let chosen = order.map(|Order { offer, value, .. }| fight.choose(&What::Offer(offer, value)));
    if matches!(chosen, Some(Ok(()))) { Ok(true) } else { fight.stumble(Some(&mut random)).map_err(told) }
}

impl Battle {
    fn what(&self, action: &Bound<'_, PyAny>, value: Option<&Bound<'_, PyAny>>) -> PyResult<What> {
        if self.fight.deciding().is_none() {
            return Err(over());
        }
        if let Ok(key) = action.extract::<String>() {
            let value = match value {
                None => Value::None,
                Some(value) => serde_json::from_value(to_json(value)?)
                    .map_err(|error| wrong(format!("this is no value of a choice: {error}")))?,
            };
            return Ok(What::Offer(key, value));
        }
        if value.is_some() {
            return Err(PyTypeError::new_err(
                "a value goes with the key of an offer, not with the number of an action",
            ));
        }
        let number: i64 =
            action.extract().map_err(|_| PyTypeError::new_err("an action is a number or the key of an offer"))?;
        match usize::try_from(number) {
            Ok(number) if number < self.fight.count() => Ok(What::Action(number)),
            _ => Err(PyIndexError::new_err(format!("there is no action {number}: there are {}", self.fight.count()))),
        }
    }

    /// Answers a request of the protocol.
    fn ask<'py>(&self, py: Python<'py>, seat: Seat, request: &Request) -> PyResult<Bound<'py, PyAny>> {
        let mut reply = None;
        let done = py.detach(|| self.fight.with_session(&mut |session| reply = Some(session.answer(seat, request))));
        done.map_err(|error| declined(py, &error))?;
        match reply {
            Some(Reply::Declined { why, .. }) => Err(wrong(why)),
            Some(Reply::Text { text }) => Ok(text.into_pyobject(py)?.into_any()),
            Some(reply) => to_python(py, &reply),
            None => Err(wrong("there is no answer")),
        }
    }

    fn viewer(side: Option<&str>) -> PyResult<Option<Side>> {
        side.map(side_of).transpose()
    }
}

fn seat_of(seat: Option<&str>) -> PyResult<Seat> {
    match seat {
        None | Some("umpire") => Ok(Seat::Umpire),
        Some("spectator") => Ok(Seat::Spectator),
        Some(side) => Ok(Seat::Player(side_of(side)?)),
    }
}

#[pymethods]
impl Battle {
    #[new]
    #[pyo3(signature = (scenario, seed = 0, set = Vec::new()))]
    fn new(scenario: &Bound<'_, PyAny>, seed: u64, set: Vec<String>) -> PyResult<Self> {
        begin(&document(scenario, &set)?, seed)
    }

    /// Begins a battle: the same as ``Battle(scenario, seed, set)``.
    #[staticmethod]
    #[pyo3(signature = (scenario, seed = 0, set = Vec::new()))]
    fn begin(scenario: &Bound<'_, PyAny>, seed: u64, set: Vec<String>) -> PyResult<Self> {
        begin(&document(scenario, &set)?, seed)
    }

    /// Takes a battle up from its log, as it stands there. With a `seed` it goes on as a branch with dice of its own, which is needed where the
    /// log's dice were typed in or agreed.
    #[classmethod]
    #[pyo3(signature = (log, seed = None))]
    fn from_log(_class: &Bound<'_, PyType>, py: Python<'_>, log: &str, seed: Option<u64>) -> PyResult<Self> {
        let ruleset = ruleset(&ruleset_of_log(log.as_bytes()).map_err(wrong)?)?;
        let begun = Log::<Json>::read(log.as_bytes()).map_err(wrong)?;
        let dice = begun.begun().map(|begun| begun.dice.clone());
        let mut session = ruleset.resume(log.as_bytes()).map_err(wrong)?;
        let seed = match (seed, dice) {
            (None, Some(DiceSource::Seeded(seed))) => seed,
            (None, _) => return Err(wrong("the dice of this log come from no seed: name one for those to come")),
            (Some(seed), _) => {
                let branch = session.branch(session.now(), Some(DiceSource::Seeded(seed)));
                session = branch.map_err(|error| declined(py, &error))?.0;
                seed
            }
        };
        take_up(session.log_text(), seed)
    }

    #[staticmethod]
    fn _restored(origin: &str, seed: u64, made: &str) -> PyResult<Self> {
        let origin: Origin = serde_json::from_str(origin).map_err(wrong)?;
        let made: Vec<Made> = serde_json::from_str(made).map_err(wrong)?;
        let mut battle = match &origin {
            Origin::Scenario(json) => begin(&Document::of_json("scenario", json.clone()), seed)?,
            Origin::Log(text) => take_up(text.clone(), seed)?,
        };
        for Made { offer, value, path } in made {
            let what = What::Offer(offer, value);
            let done = match path {
                None => battle.fight.choose(&what),
                Some(path) => battle.fight.choose_by(&what, &path),
            };
            done.map_err(|halt| wrong(format!("the battle was pickled under other rules: {halt}")))?;
        }
        Ok(battle)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let origin = serde_json::to_string(&self.frame.origin).map_err(wrong)?;
        let made = serde_json::to_string(&self.fight.choices()).map_err(wrong)?;
        let restore = py.get_type::<Self>().getattr("_restored")?;
        let words = (origin, self.fight.seed(), made).into_pyobject(py)?;
        PyTuple::new(py, [restore, words.into_any()])
    }

    /// The battle as it began, with the dice of another seed: quicker than beginning it from the scenario.
    fn anew(&self, seed: u64) -> PyResult<Self> {
        if matches!(self.frame.origin, Origin::Log(_)) {
            return Err(wrong("a battle taken up from a log keeps its dice: give `from_log` another seed"));
        }
        Ok(Self { fight: self.fight.anew(seed), frame: self.frame.clone() })
    }

    /// A copy that goes its own way.
    fn clone(&self) -> Self {
        Self { fight: self.fight.copied(), frame: self.frame.clone() }
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.clone()
    }

    fn __repr__(&self) -> String {
        let (title, made) = (&self.frame.setting.title, self.fight.made());
        let now = match self.fight.deciding() {
            Some(side) => format!("{side} decides"),
            None => "over".into(),
        };
        format!("<Battle {title:?} ({}), seed {}, {made} choices made, {now}>", self.frame.ruleset, self.fight.seed())
    }

    /// The short name of the ruleset.
    #[getter]
    fn ruleset(&self) -> &'static str {
        self.frame.ruleset
    }

    /// The title of the scenario.
    #[getter]
    fn title(&self) -> &str {
        &self.frame.setting.title
    }

    /// The seed of the dice.
    #[getter]
    fn seed(&self) -> u64 {
        self.fight.seed()
    }

    /// How many choices were made.
    #[getter]
    fn choices_made(&self) -> u64 {
        self.fight.made()
    }

    /// Who decides now: ``"A"``, ``"B"``, or ``None`` when the battle is over.
    #[getter]
    fn side(&self) -> Option<String> {
        self.fight.deciding().map(|side| side.to_string())
    }

    /// Whether the battle is over.
    #[getter]
    fn over(&self) -> bool {
        self.fight.deciding().is_none()
    }

    /// Who won: ``"A"``, ``"B"``, or ``None`` for a draw or while it lasts.
    #[getter]
    fn winner(&self) -> Option<String> {
        self.fight.verdict().and_then(|verdict| verdict.winner).map(|side| side.to_string())
    }

    /// How it ended, as a dictionary with `winner`, `sentence` and `clause`; ``None`` while it lasts.
    #[getter]
    fn verdict<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.fight.verdict().map(|verdict| to_python(py, &verdict)).transpose()
    }

    /// The ids of the units by row, as they are now; a row that no unit has yet is empty. There are twice as many rows as units at the
    /// beginning, for those that come into being in battle: detachments, crowds.
    #[getter]
    fn units(&self) -> Vec<String> {
        let mut units = vec![String::new(); self.frame.rows];
        for unit in self.fight.view(Eyes::All).units {
            if let Some(row) = units.get_mut(unit.id.index()) {
                *row = unit.key;
            }
        }
        units
    }

    /// How many actions there are now.
    #[getter]
    fn action_count(&self) -> usize {
        self.fight.count()
    }

    /// All actions of this decision: pairs of an offer's key and a value. The list is finite: where an offer takes a length, an angle or a place,
    /// the book proposes a few. Any other value within the limits that `decision` tells can be chosen by key.
    fn actions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let all: Vec<(String, Value)> = (0..self.fight.count()).filter_map(|n| self.fight.action(n)).collect();
        let list = to_python(py, &all)?;
        let tuple = |pair: PyResult<Bound<'py, PyAny>>| Ok(pair?.cast_into::<PyList>()?.to_tuple());
        let pairs: Vec<Bound<'py, PyTuple>> = list.try_iter()?.map(tuple).collect::<PyResult<_>>()?;
        PyList::new(py, pairs)
    }

    /// The number of the action that is this offer with this value; ``None`` where it is not among the actions.
    #[pyo3(signature = (offer, value = None))]
    fn action_number(&self, offer: &str, value: Option<&Bound<'_, PyAny>>) -> PyResult<Option<usize>> {
        let value = match value {
            None => Value::None,
            Some(value) => serde_json::from_value(to_json(value)?).map_err(wrong)?,
        };
        Ok(self.fight.find(offer, &value))
    }

    /// An action in words.
    fn action_words(&self, action: usize) -> PyResult<String> {
        let said = self.fight.said(action);
        let said = said.ok_or_else(|| {
            PyIndexError::new_err(format!("there is no action {action}: there are {}", self.fight.count()))
        })?;
        Ok(match said.value {
            Value::None => said.label,
            value => format!("{}: {}", said.label, serde_json::to_string(&value).unwrap_or_default()),
        })
    }

    /// The numbers of the actions on a menu of `most` at the most: all of them, or every offer's first proposals where there are more.
    fn menu<'py>(&self, py: Python<'py>, most: usize) -> Bound<'py, PyArray1<i64>> {
        let menu = self.fight.menu(most.max(1));
        PyArray1::from_vec(py, menu.into_iter().map(i64::from).collect())
    }

    /// The actions of a menu as numbers, a row each; the columns are `ACTION_COLUMNS`, rows beyond the last action are zero.
    fn action_features<'py>(&self, py: Python<'py>, most: usize) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let (most, width) = (most.clamp(1, 1 << 20), ACTION_COLUMNS.len());
        let fight = &*self.fight;
        let cells = py.detach(|| {
            let scale = scale_of(fight);
            let mut cells = vec![0.0; most * width];
            for (n, row) in fight.menu(most).into_iter().zip(cells.chunks_mut(width)) {
                if let Some(said) = fight.said(n as usize) {
                    action_row(&said, scale, row);
                }
            }
            cells
        });
        PyArray1::from_vec(py, cells).reshape([most, width])
    }

    /// What is to be decided, in words and with all limits, as the protocol tells it; with `closed`, also what is not allowed and why.
    #[pyo3(signature = (closed = false, seat = None))]
    fn decision<'py>(&self, py: Python<'py>, closed: bool, seat: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
        self.ask(py, seat_of(seat)?, &Request::Decision { closed, of: None })
    }

    /// Makes a choice: the number of an action, or the key of an offer and a value.
    #[pyo3(signature = (action, value = None))]
    fn choose(&mut self, py: Python<'_>, action: &Bound<'_, PyAny>, value: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let what = self.what(action, value)?;
        let fight = &mut self.fight;
        py.detach(|| fight.choose(&what)).map_err(|halt| halted(py, &halt))
    }

    /// Takes the last `count` choices back, whatever dice fell: the same choice made again meets the same dice.
    #[pyo3(signature = (count = 1))]
    fn undo(&mut self, py: Python<'_>, count: usize) -> PyResult<()> {
        if count > self.fight.depth() {
            return Err(wrong(format!("{} choices can be taken back, not {count}", self.fight.depth())));
        }
        let fight = &mut self.fight;
        py.detach(|| fight.undo(count));
        Ok(())
    }

    /// What is thrown if `action` is chosen and its first throws read as `path` says: a list of ``(words, Fraction)``, one a reading. ``None`` when
    /// all dice have been thrown.
    #[pyo3(signature = (action, path = Vec::new()))]
    #[allow(clippy::type_complexity, reason = "a list of pairs, or none")]
    fn throws<'py>(
        &self,
        py: Python<'py>,
        action: &Bound<'py, PyAny>,
        path: Vec<u32>,
    ) -> PyResult<Option<Vec<(String, Bound<'py, PyAny>)>>> {
        let what = self.what(action, None)?;
        let fight = &self.fight;
        let forks = py.detach(|| fight.forks(&what, &path)).map_err(|halt| halted(py, &halt))?;
        let fraction = py.import("fractions")?.getattr("Fraction")?;
        let told = |forks: Vec<crate::paths::Fork>| {
            forks
                .into_iter()
                .map(|fork| Ok((fork.words, fraction.call1((fork.ways, fork.of))?)))
                .collect::<PyResult<Vec<_>>>()
        };
        forks.map(told).transpose()
    }

    /// Makes a choice whose dice read as `path` says, each the number of a reading of `throws`. A battle with such choices has no log.
    fn choose_by(&mut self, py: Python<'_>, action: &Bound<'_, PyAny>, path: Vec<u32>) -> PyResult<()> {
        let what = self.what(action, None)?;
        let fight = &mut self.fight;
        py.detach(|| fight.choose_by(&what, &path)).map_err(|halt| halted(py, &halt))
    }

    /// The exact odds of a choice up to the next decision: every outcome in words with its chance as a `fractions.Fraction`.
    #[pyo3(signature = (action, value = None))]
    fn odds<'py>(
        &self,
        py: Python<'py>,
        action: &Bound<'py, PyAny>,
        value: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let what = self.what(action, value)?;
        let fight = &self.fight;
        let odds = py.detach(|| fight.odds(&what)).map_err(|error| match error {
            NoOdds::Stopped(halt) => halted(py, &halt),
            other => wrong(other),
        })?;
        let fraction = py.import("fractions")?.getattr("Fraction")?;
        let all = PyDict::new(py);
        for (outcome, chance) in odds {
            all.set_item(outcome, fraction.call1((chance.to_string(),))?)?;
        }
        Ok(all)
    }

    /// Lets a computer player decide once: ``"recruit"``, ``"drill-master"``, ``"marshal:400"`` (tries a turn) or ``"marshal:2s"``. Without a `seed`
    /// of its own the player is the one of the laboratory: a battle fought so to the end is the laboratory's battle with the same seed.
    #[pyo3(signature = (player, seed = None))]
    fn play(&mut self, py: Python<'_>, player: &str, seed: Option<u64>) -> PyResult<()> {
        let skill = skill_of(player)?;
        let (fight, ruleset) = (&mut self.fight, self.frame.ruleset);
        match py.detach(|| let_play(&mut **fight, ruleset, skill, seed))? {
            true => Ok(()),
            false => Err(over()),
        }
    }

    /// Lets computer players fight on to the end, or for `most` choices; how many were made.
    #[pyo3(signature = (a = "recruit", b = "recruit", most = 100_000))]
    fn play_out(&mut self, py: Python<'_>, a: &str, b: &str, most: u64) -> PyResult<u64> {
        let players = [skill_of(a)?, skill_of(b)?];
        let (fight, ruleset) = (&mut self.fight, self.frame.ruleset);
        let mut made = 0;
        while made < most {
            // Now and then the interrupt key is looked at.
            let part = py.detach(|| play_some(&mut **fight, ruleset, players, (most - made).min(1_000)))?;
            py.check_signals()?;
            made += part;
            if fight.deciding().is_none() {
                break;
            }
        }
        Ok(made)
    }

    /// What a computer player would do now, and why, as a dictionary (`offer`, `value`, `text`, `expects` and more).
    #[pyo3(signature = (player = "drill-master", seed = 0))]
    fn advise<'py>(&self, py: Python<'py>, player: &str, seed: u64) -> PyResult<Bound<'py, PyAny>> {
        let (skill, players) = (skill_of(player)?, laboratory(self.frame.ruleset)?);
        if self.fight.deciding().is_none() {
            return Err(over());
        }
        let (fight, mut advice) = (&self.fight, None);
        let mut random = Seeded::for_choice(seed, fight.made());
        py.detach(|| fight.with_session(&mut |session| advice = players.advise(session, skill, &mut random)))
            .map_err(|error| declined(py, &error))?;
        match advice {
            Some(advice) => to_python(py, &advice),
            None => Err(BattleOver::new_err("nobody decides now")),
        }
    }

    /// How well the battle stands for a side, in the points by which computer players weigh it. They know everything.
    fn worth(&self, side: &str) -> PyResult<i32> {
        Ok(self.fight.worth(side_of(side)?))
    }

    /// What each unit is worth as it is, by id; nothing before it comes and once it is lost.
    fn points<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        for unit in self.fight.view(Eyes::All).units {
            all.set_item(&unit.key, self.fight.points(unit.id))?;
        }
        Ok(all)
    }

    /// The units as numbers, a row each (`units` has their ids) with the columns `UNIT_COLUMNS`, as `side` sees them: what is hidden from it is zero.
    /// Without a side everything is seen, through A's eyes.
    #[pyo3(signature = (side = None))]
    fn observe<'py>(&self, py: Python<'py>, side: Option<&str>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let (viewer, fight, rows) = (Self::viewer(side)?, &*self.fight, self.frame.rows);
        let mut units = vec![0.0; rows * UNIT_COLUMNS.len()];
        py.detach(|| look(fight, viewer, &mut units, &mut []));
        PyArray1::from_vec(py, units).reshape([rows, UNIT_COLUMNS.len()])
    }

    /// The moment as numbers, with the columns `SCALARS`.
    #[pyo3(signature = (side = None))]
    fn scalars<'py>(&self, py: Python<'py>, side: Option<&str>) -> PyResult<Bound<'py, PyArray1<f32>>> {
        let mut scalars = vec![0.0; SCALARS.len()];
        look(&*self.fight, Self::viewer(side)?, &mut [], &mut scalars);
        Ok(PyArray1::from_vec(py, scalars))
    }

    /// The ground as a raster, layers × rows × columns with the layers `GROUND_LAYERS`. The longer side of the table has `cells` cells; rows run from
    /// the south, columns from the west. It never changes in a battle.
    #[pyo3(signature = (cells = 32))]
    fn ground<'py>(&self, py: Python<'py>, cells: usize) -> PyResult<Bound<'py, PyArray3<f32>>> {
        if !(1..=MOST_CELLS).contains(&cells) {
            return Err(wrong(format!("a raster has 1 to {MOST_CELLS} cells along the longer side, not {cells}")));
        }
        let setting = &self.frame.setting;
        let (rows, columns) = raster_size(setting, cells);
        let all = py.detach(|| raster(setting, cells));
        PyArray1::from_vec(py, all).reshape([LAYERS.len(), rows, columns])
    }

    /// The table as it stands, as the protocol tells it, through the eyes of a `seat`: ``"A"``, ``"B"``, ``"spectator"`` or ``"umpire"``.
    #[pyo3(signature = (seat = None))]
    fn view<'py>(&self, py: Python<'py>, seat: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.fight.view(self.fight.eyes(seat_of(seat)?)))
    }

    /// The situation in words.
    #[pyo3(signature = (seat = None))]
    fn report(&self, seat: Option<&str>) -> PyResult<String> {
        Ok(report(&self.fight.view(self.fight.eyes(seat_of(seat)?))))
    }

    /// What happened, in words: a list of dictionaries.
    #[pyo3(signature = (since = 0))]
    fn story<'py>(&self, py: Python<'py>, since: usize) -> PyResult<Bound<'py, PyAny>> {
        self.ask(py, Seat::Umpire, &Request::Story { from: since })?.get_item("lines")
    }

    /// The battle as it stands as a scenario, in TOML: `Battle` takes it up again.
    fn save(&self) -> PyResult<String> {
        self.fight.saved().map_err(wrong)
    }

    /// The log of the battle; `from_log` and the program ``sabretache`` take it up again, and ``sabretache verify`` proves it.
    fn log<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.ask(py, Seat::Umpire, &Request::Log)
    }
}

/// Lets computer players make so many choices; how many were made.
pub(crate) fn play_some(fight: &mut dyn Fight, ruleset: &str, players: [Skill; 2], most: u64) -> PyResult<u64> {
    for n in 0..most {
        let Some(side) = fight.deciding() else { return Ok(n) };
        let_play(fight, ruleset, players[side.index()], None)?;
    }
    Ok(most)
}
