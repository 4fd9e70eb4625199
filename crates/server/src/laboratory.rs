//! Runs of the laboratory that are asked for in the browser: bounded, one at a time and callers in turn, the last of each
//! battle kept.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sabretache_engine::ids::Side;
use sabretache_engine::patience::{self, Patience};
use sabretache_lab::statistics::Share;
use sabretache_lab::{AnyLaboratory, Plan, Progress, Results, Watch, html, simulate, text};
use sabretache_players::{Budget, Skill};

use crate::messages::{NewRun, RunNow, RunResult, RunShare, SeatName};
use crate::seats::Seats;
use crate::thinkers::Thinkers;

/// The most battles of one run.
const MOST_BATTLES: u64 = 10_000;
/// The longest a run may take; then it ends with what it has.
const LONGEST: Duration = Duration::from_secs(600);
/// The most iterations of a Marshal in a run: more would take days.
const MOST_ITERATIONS: u32 = 2_000;
/// Of so many battles the last run is kept in memory.
const KEPT: usize = 32;

/// The laboratory of a server.
pub(crate) struct Bench {
    runs: Mutex<HashMap<String, Arc<Run>>>,
    /// One run at a time, callers in turn.
    queue: Arc<Thinkers>,
    /// Its threads are its own, and one core is left to everybody else.
    pool: Option<rayon::ThreadPool>,
}

/// One run.
struct Run {
    asked: NewRun,
    /// Who began it.
    by: Seats,
    stop: AtomicBool,
    /// Battles under way end with it too.
    patience: Patience,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    progress: Option<Progress>,
    over: bool,
    result: Option<(RunResult, String)>,
    why: Option<String>,
}

impl Bench {
    pub(crate) fn new() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(cores.saturating_sub(1).max(1)).build();
        Self { runs: Mutex::default(), queue: Arc::new(Thinkers::patient(1)), pool: pool.ok() }
    }

    /// What is wrong with what is asked for.
    pub(crate) fn refused(&self, battle: &str, asked: &NewRun) -> Option<String> {
        if asked.battles == 0 || asked.battles > MOST_BATTLES {
            return Some(format!("a run has between 1 and {MOST_BATTLES} battles here"));
        }
        for name in [&asked.players.a, &asked.players.b] {
            match name.parse::<Skill>().map(Skill::budget) {
                Err(error) => return Some(error.to_string()),
                Ok(Some(Budget::Iterations(count))) if count <= MOST_ITERATIONS => {}
                Ok(Some(_)) => {
                    return Some(format!(
                        "in a run a Marshal has iterations, {MOST_ITERATIONS} at the most: marshal:100"
                    ));
                }
                Ok(None) => {}
            }
        }
        let runs = self.runs.lock().unwrap_or_else(PoisonError::into_inner);
        let busy = runs.get(battle).is_some_and(|run| !run.state().over);
        busy.then(|| "a run of this battle is under way already".into())
    }

    /// Begins a run of a battle's log; nobody waits for it.
    pub(crate) fn begin(
        self: &Arc<Self>,
        battle: &str,
        asked: NewRun,
        (by, caller): (Seats, &str),
        laboratory: &'static dyn AnyLaboratory,
        log: String,
        seed: u64,
    ) {
        let (stop, patience) = (AtomicBool::new(false), Patience::default());
        let run = Arc::new(Run { asked, by, stop, patience, state: Mutex::default() });
        self.queue.called(battle, caller);
        let battle_id = battle.to_owned();
        {
            let mut runs = self.runs.lock().unwrap_or_else(PoisonError::into_inner);
            if runs.len() >= KEPT {
                let over = runs.iter().find(|(_, run)| run.state().over).map(|(id, _)| id.clone());
                over.map(|id| runs.remove(&id));
            }
            runs.insert(battle.to_owned(), Arc::clone(&run));
        }
        let bench = Arc::clone(self);
        tokio::spawn(async move {
            let turn = bench.queue.turn(&battle_id).await;
            let timer = tokio::spawn(end_after(Arc::clone(&run)));
            let (fought, threads) = (Arc::clone(&run), Arc::clone(&bench));
            let done = tokio::task::spawn_blocking(move || match &threads.pool {
                Some(pool) => {
                    pool.broadcast(|_| patience::adopt(Some(fought.patience.clone())));
                    pool.install(|| fought.fight(laboratory, &log, seed))
                }
                None => fought.fight(laboratory, &log, seed),
            });
            let done = done.await;
            drop(turn);
            bench.queue.left(&battle_id);
            timer.abort();
            let mut state = run.state.lock().unwrap_or_else(PoisonError::into_inner);
            state.over = true;
            match done {
                Ok(Ok(results)) => state.result = Some((summed_up(&results), html(&results))),
                Ok(Err(why)) => state.why = Some(why),
                Err(_) => state.why = Some("the rules code failed at this".into()),
            }
        });
    }

    /// How far the run of a battle is.
    pub(crate) fn now(&self, battle: &str) -> Option<RunNow> {
        let runs = self.runs.lock().unwrap_or_else(PoisonError::into_inner);
        runs.get(battle).map(|run| run.now())
    }

    /// Ends the run of a battle with what it has; whether these seats may.
    pub(crate) fn stop(&self, battle: &str, seats: &Seats) -> bool {
        let runs = self.runs.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(run) = runs.get(battle) else { return true };
        let own =
            run.by == *seats || (seats.named.is_empty() && run.by.held.iter().any(|seat| seats.held.contains(seat)));
        let may = own || seats.held.contains(&SeatName::Umpire);
        if may {
            run.end();
        }
        may
    }

    /// The battle is deleted, and its run with it.
    pub(crate) fn forget(&self, battle: &str) {
        if let Some(run) = self.runs.lock().unwrap_or_else(PoisonError::into_inner).remove(battle) {
            run.end();
        }
    }

    /// How many runs wait for their turn.
    pub(crate) fn waiting(&self) -> usize {
        self.queue.figures().1
    }

    /// The report of a run that is over.
    pub(crate) fn report(&self, battle: &str) -> Option<String> {
        let runs = self.runs.lock().unwrap_or_else(PoisonError::into_inner);
        runs.get(battle)?.state().result.as_ref().map(|(_, page)| page.clone())
    }
}

async fn end_after(run: Arc<Run>) {
    tokio::time::sleep(LONGEST).await;
    run.end();
}

impl Run {
    /// No further battle begins, and those under way end where they are.
    fn end(&self) {
        self.stop.store(true, Ordering::Relaxed);
        self.patience.stop();
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn fight(&self, laboratory: &dyn AnyLaboratory, log: &str, seed: u64) -> Result<Results, String> {
        let field = laboratory.field_of_log(log.as_bytes(), Some(self.asked.moment));
        let field = field.map_err(|error| error.to_string())?;
        let player = |name: &str| name.parse::<Skill>().map_err(|error| error.to_string());
        let players = [player(&self.asked.players.a)?, player(&self.asked.players.b)?];
        let tell = |progress: Progress| self.state().progress = Some(progress);
        let watch = Watch { progress: &tell, stop: &self.stop };
        let plan = Plan::new(self.asked.battles, players, seed);
        let mut results = simulate(&*field, &plan, None, watch).map_err(|error| error.to_string())?;
        if self.patience.is_over() {
            // Those that were cut short say nothing about the balance.
            results.battles.retain(|fought| fought.over);
        }
        Ok(results)
    }

    fn now(&self) -> RunNow {
        let state = self.state();
        RunNow {
            asked: self.asked.clone(),
            done: state.progress.map_or(0, |progress| progress.done),
            rate: state.progress.map_or(0.0, |progress| progress.rate),
            left: state.progress.and_then(|progress| progress.left).map(|left| left.as_secs_f64()),
            running: !state.over,
            result: state.result.as_ref().map(|(result, _)| result.clone()),
            why: state.why.clone(),
        }
    }
}

fn summed_up(results: &Results) -> RunResult {
    let share = |share: Share| RunShare { value: share.value, low: share.low, high: share.high };
    RunResult {
        battles: results.battles.len() as u64,
        shares: [share(results.won(Side::A)), share(results.won(Side::B)), share(results.drawn())],
        summary: text(results),
    }
}
