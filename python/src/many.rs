//! `VecBattle`: many battles of one scenario, stepped together on all cores.

use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods as _, PyReadonlyArray1};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyList;
use rayon::prelude::*;
use sabretache_engine::ids::Side;

use crate::battle::{Battle, begin, let_play, play_some, skill_of};
use crate::documents::document;
use crate::errors::{halted, wrong};
use crate::fight::What;
use crate::look::{SCALARS, UNIT_COLUMNS, look};

/// More would only fill the memory.
const MOST: usize = 1 << 20;

struct Slot {
    battle: Battle,
    /// The actions on the menu, once they were asked for.
    menu: Option<Vec<u32>>,
    /// How often it was begun again.
    round: u64,
}

/// Many battles of one scenario, stepped in parallel without Python's lock. What comes out does not depend on the number of threads.
///
/// Battle `i` has the seed ``seed + i``; begun again for the `k`-th time, ``seed + i + k * n``. Actions are numbers on a menu of `most_actions`.
#[pyclass(module = "sabretache", name = "VecBattle")]
pub(crate) struct VecBattle {
    slots: Vec<Slot>,
    seed: u64,
    most: usize,
    pool: Option<rayon::ThreadPool>,
}

impl VecBattle {
    fn each<T: Send>(
        &mut self,
        py: Python<'_>,
        work: impl Fn(usize, &mut Slot) -> PyResult<T> + Sync,
    ) -> PyResult<Vec<T>> {
        let (slots, pool, work) = (&mut self.slots, &self.pool, &work);
        py.detach(|| {
            let mut run = || slots.par_iter_mut().enumerate().map(|(n, slot)| work(n, slot)).collect();
            match pool {
                Some(pool) => pool.install(run),
                None => run(),
            }
        })
    }

    fn begun(like: &Battle, seed: u64, round: u64) -> Slot {
        let battle = Battle { fight: like.fight.anew(seed), frame: like.frame.clone() };
        Slot { menu: None, battle, round }
    }

    /// How many actions each battle has, worked out where that is not known.
    fn counts(&mut self, py: Python<'_>) -> PyResult<Vec<usize>> {
        let most = self.most;
        self.each(py, |_, Slot { battle, menu, .. }| Ok(menu.get_or_insert_with(|| battle.fight.menu(most)).len()))
    }
}

fn code(side: Option<Side>) -> i8 {
    side.map_or(-1, |side| side.index() as i8)
}

fn rewards(slot: &Slot) -> [f32; 2] {
    match slot.battle.fight.verdict().and_then(|verdict| verdict.winner) {
        Some(Side::A) => [1.0, -1.0],
        Some(Side::B) => [-1.0, 1.0],
        None => [0.0, 0.0],
    }
}

#[pymethods]
impl VecBattle {
    #[new]
    #[pyo3(signature = (n, scenario, seed = 0, set = Vec::new(), most_actions = 512, threads = None))]
    fn new(
        py: Python<'_>,
        n: usize,
        scenario: &Bound<'_, PyAny>,
        seed: u64,
        set: Vec<String>,
        most_actions: usize,
        threads: Option<usize>,
    ) -> PyResult<Self> {
        if !(1..=MOST).contains(&n) {
            return Err(wrong(format!("there can be 1 to {MOST} battles, not {n}")));
        }
        if !(1..=1 << 20).contains(&most_actions) {
            return Err(wrong("a menu has at least one action and at most a million"));
        }
        let first = begin(&document(scenario, &set)?, seed)?;
        let pool = pool(threads)?;
        let slots = py.detach(|| {
            let one = |k: usize| Self::begun(&first, seed.wrapping_add(k as u64), 0);
            (0..n).into_par_iter().map(one).collect()
        });
        Ok(Self { slots, seed, most: most_actions, pool })
    }

    fn __len__(&self) -> usize {
        self.slots.len()
    }

    /// A copy of one of the battles.
    fn __getitem__(&self, n: usize) -> PyResult<Battle> {
        let slot = self.slots.get(n).ok_or_else(|| PyIndexError::new_err(format!("there is no battle {n}")))?;
        Ok(Battle { fight: slot.battle.fight.copied(), frame: slot.battle.frame.clone() })
    }

    /// Who decides in each battle: 0 for A, 1 for B, -1 where it is over.
    fn sides<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
        PyArray1::from_vec(py, self.slots.iter().map(|slot| code(slot.battle.fight.deciding())).collect())
    }

    /// How each battle ended: 0 for A's victory, 1 for B's, -1 for none.
    fn winners<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
        let winner = |slot: &Slot| code(slot.battle.fight.verdict().and_then(|verdict| verdict.winner));
        PyArray1::from_vec(py, self.slots.iter().map(winner).collect())
    }

    /// How many choices were made in each battle.
    fn choices_made<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        PyArray1::from_vec(py, self.slots.iter().map(|slot| slot.battle.fight.made() as i64).collect())
    }

    /// Which actions each battle has now: battles × `most_actions`, 1 where there is one.
    fn masks<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i8>>> {
        let mut cells = vec![0_i8; self.slots.len() * self.most];
        for (count, row) in self.counts(py)?.into_iter().zip(cells.chunks_mut(self.most)) {
            row[..count].fill(1);
        }
        PyArray1::from_vec(py, cells).reshape([self.slots.len(), self.most])
    }

    /// What the deciding side of each battle sees: battles × units × `UNIT_COLUMNS`, and battles × `SCALARS`.
    #[allow(clippy::type_complexity, reason = "two arrays")]
    fn observe<'py>(&mut self, py: Python<'py>) -> PyResult<(Bound<'py, PyArray3<f32>>, Bound<'py, PyArray2<f32>>)> {
        let (n, rows) = (self.slots.len(), self.slots[0].battle.frame.rows);
        let seen = self.each(py, |_, slot| {
            let (mut units, mut scalars) = (vec![0.0; rows * UNIT_COLUMNS.len()], vec![0.0; SCALARS.len()]);
            let fight = &*slot.battle.fight;
            look(fight, fight.deciding(), &mut units, &mut scalars);
            Ok((units, scalars))
        })?;
        let (units, scalars): (Vec<_>, Vec<_>) = seen.into_iter().unzip();
        let units = PyArray1::from_vec(py, units.concat()).reshape([n, rows, UNIT_COLUMNS.len()])?;
        Ok((units, PyArray1::from_vec(py, scalars.concat()).reshape([n, SCALARS.len()])?))
    }

    /// Makes one choice in each battle that is not over, by its number on the menu. Gives back the rewards of A and B (1, -1 or 0 when a battle
    /// ends, 0 before) and which battles are over. A number that is not on the menu changes nothing and is an `IndexError`.
    #[allow(clippy::type_complexity, reason = "two arrays")]
    fn step<'py>(
        &mut self,
        py: Python<'py>,
        actions: PyReadonlyArray1<'py, i64>,
    ) -> PyResult<(Bound<'py, PyArray2<f32>>, Bound<'py, PyArray1<bool>>)> {
        let actions = actions.as_slice().map_err(wrong)?.to_vec();
        if actions.len() != self.slots.len() {
            return Err(wrong(format!("{} actions for {} battles", actions.len(), self.slots.len())));
        }
        for (n, (count, action)) in self.counts(py)?.into_iter().zip(&actions).enumerate() {
            let known = usize::try_from(*action).is_ok_and(|action| action < count);
            if !known && self.slots[n].battle.fight.deciding().is_some() {
                return Err(PyIndexError::new_err(format!("battle {n} has no action {action}: it has {count}")));
            }
        }
        let done = self.each(py, |n, slot| {
            if slot.battle.fight.deciding().is_none() {
                return Ok(([0.0, 0.0], true));
            }
            let menu = slot.menu.take().unwrap_or_default();
            let what = What::Action(menu.get(actions[n] as usize).map_or(usize::MAX, |action| *action as usize));
            slot.battle.fight.choose(&what).map_err(|halt| Python::attach(|py| halted(py, &halt)))?;
            Ok((rewards(slot), slot.battle.fight.deciding().is_none()))
        })?;
        let (rewards, over): (Vec<_>, Vec<_>) = done.into_iter().unzip();
        let rewards = PyArray1::from_vec(py, rewards.concat()).reshape([self.slots.len(), 2])?;
        Ok((rewards, PyArray1::from_vec(py, over)))
    }

    /// Begins those battles again that are over; which they were.
    fn reset_over<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let (seed, n) = (self.seed, self.slots.len() as u64);
        let reset = self.each(py, |k, slot| {
            let over = slot.battle.fight.deciding().is_none();
            if over {
                let round = slot.round + 1;
                let seed = seed.wrapping_add(k as u64).wrapping_add(round.wrapping_mul(n));
                *slot = Self::begun(&slot.battle, seed, round);
            }
            Ok(over)
        })?;
        Ok(PyArray1::from_vec(py, reset))
    }

    /// Lets a computer player decide once in each battle that is not over.
    fn play(&mut self, py: Python<'_>, player: &str) -> PyResult<()> {
        let skill = skill_of(player)?;
        self.each(py, |_, slot| {
            let Battle { fight, frame } = &mut slot.battle;
            let_play(&mut **fight, frame.ruleset, skill, None)?;
            slot.menu = None;
            Ok(())
        })?;
        Ok(())
    }

    /// Lets computer players fight all battles to their ends, or for `most` choices each; how many were made in each.
    #[pyo3(signature = (a = "recruit", b = "recruit", most = 100_000))]
    fn play_out<'py>(&mut self, py: Python<'py>, a: &str, b: &str, most: u64) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let players = [skill_of(a)?, skill_of(b)?];
        let made = self.each(py, |_, slot| {
            let Battle { fight, frame } = &mut slot.battle;
            let made = play_some(&mut **fight, frame.ruleset, players, most)?;
            slot.menu = None;
            Ok(made as i64)
        })?;
        Ok(PyArray1::from_vec(py, made))
    }

    /// Copies of all battles.
    fn battles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let all = (0..self.slots.len()).map(|n| Bound::new(py, self.__getitem__(n)?)).collect::<PyResult<Vec<_>>>()?;
        PyList::new(py, all)
    }
}

/// So many threads, or those that all share.
pub(crate) fn pool(threads: Option<usize>) -> PyResult<Option<rayon::ThreadPool>> {
    let Some(threads) = threads else { return Ok(None) };
    if !(1..=1024).contains(&threads) {
        return Err(wrong(format!("there can be 1 to 1024 threads, not {threads}")));
    }
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().map(Some).map_err(wrong)
}
