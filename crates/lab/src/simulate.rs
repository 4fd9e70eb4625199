//! The battles themselves, over all cores: safe to interrupt and to resume.
//!
//! Each battle's seed comes from the run's seed and the battle's number alone, and every battle is written down as soon
//! as it is fought. So a run can be stopped at any moment, taken up again, split over machines, and comes out the same.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rayon::prelude::*;
use sabretache_engine::dice::Seeded;
use sabretache_players::{Agreement, Keyed, Skill};

use crate::field::{Field, Luck, Reckon};
use crate::record::{Fought, Run, Shard};
use crate::results::{LabError, Results, half_width, names, write};

/// Whether the interval is narrow enough is looked at after so many battles, whatever the number of threads.
const CHUNK: u64 = 64;

/// What is to be fought.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// How many battles, all shards together; with `until`, at the most.
    pub battles: u64,
    /// The players of A and B.
    pub players: [Skill; 2],
    /// The seed of the run.
    pub seed: u64,
    /// Which part of the run.
    pub shard: Shard,
    /// Stop when A's share of the points (a draw counts half) is known to within so much, as a fraction: as it is or with the luck
    /// taken out, whichever is known better.
    pub until: Option<f64>,
    /// Whether luck is taken out of the results.
    pub luck: Luck,
    /// After so many choices a battle is counted as it stands.
    pub longest: u64,
    /// What players may end a battle by: both think it decided, or even.
    pub agreement: Agreement,
    /// How the dice of a battle follow from its seed.
    pub keyed: Keyed,
}

impl Plan {
    /// A plan with the usual bounds.
    #[must_use]
    pub fn new(battles: u64, players: [Skill; 2], seed: u64) -> Self {
        Self {
            battles,
            players,
            seed,
            shard: Shard::WHOLE,
            until: None,
            luck: Luck::Left,
            longest: 100_000,
            agreement: Agreement::NONE,
            keyed: Keyed::ByChoice,
        }
    }

    fn run(&self, field: &dyn Field) -> Run {
        Run {
            ruleset: field.ruleset().to_owned(),
            title: field.title().to_owned(),
            version: field.version().to_owned(),
            scenario: field.scenario(),
            setting: field.setting(),
            roster: field.roster(),
            aims: field.aims(),
            chances: (self.luck == Luck::Reckoned).then(|| field.chances().version),
            players: self.players,
            seed: self.seed,
            battles: self.battles,
            longest: self.longest,
            agreement: self.agreement.one_sided.map(|one_sided| (one_sided.chance, one_sided.decisions)),
            even: self.agreement.even.map(|even| (even.within, even.decisions, even.turn)),
            shard: self.shard,
        }
    }
}

/// The seed of a battle of a run.
#[must_use]
pub fn battle_seed(run: u64, battle: u64) -> u64 {
    // Seeds that people can type and programs that know only 53 bits can carry.
    Seeded::for_choice(run, battle).bits() >> 12
}

/// How far a run has come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Battles done, those of an earlier run included.
    pub done: u64,
    /// Battles in all, at the most.
    pub of: u64,
    /// Battles a second since this run began.
    pub rate: f64,
    /// How long it will take still.
    pub left: Option<Duration>,
}

impl Progress {
    pub(crate) fn new(done: u64, resumed: u64, of: u64, begun: Instant) -> Self {
        let rate = (done - resumed) as f64 / begun.elapsed().as_secs_f64().max(1e-6);
        let left = (rate > 0.0).then(|| Duration::from_secs_f64(((of - done) as f64 / rate).min(1e9)));
        Self { done, of, rate, left }
    }
}

impl std::fmt::Display for Progress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} of {} battles, {:.1} a second", self.done, self.of, self.rate)?;
        match self.left.map(|left| left.as_secs()) {
            Some(seconds) if seconds >= 60 => write!(f, ", {} min {:02} s left", seconds / 60, seconds % 60),
            Some(seconds) => write!(f, ", {seconds} s left"),
            None => Ok(()),
        }
    }
}

/// Who looks on: told of every battle, and able to stop the run.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    /// Called after every battle, on any thread.
    pub progress: &'a (dyn Fn(Progress) + Sync),
    /// Set it and the run ends as soon as the battles under way are over.
    pub stop: &'a AtomicBool,
}

impl Watch<'static> {
    /// Nobody looks on.
    pub const NOBODY: Self = Self { progress: &|_| {}, stop: &NEVER };
}

static NEVER: AtomicBool = AtomicBool::new(false);

/// Fights the battles of a plan. With a folder, each is written down as it is fought, those found there are not fought
/// again, and at the end (or when stopped) tables, report and summary of all that was done are left there.
pub fn simulate(field: &dyn Field, plan: &Plan, folder: Option<&Path>, watch: Watch<'_>) -> Result<Results, LabError> {
    let run = plan.run(field);
    let mut known = BTreeMap::new();
    let journal = match folder {
        Some(folder) => Some(Mutex::new(take_up(folder, &run, &mut known)?)),
        None => None,
    };
    let battles = fight_range(field, plan, plan.shard.range(plan.battles), known, journal, watch)?;
    let results = Results { run, battles };
    if let Some(folder) = folder {
        results.write(folder)?;
    }
    Ok(results)
}

/// The battles of a plan from a certain one on.
pub(crate) fn simulate_from(field: &dyn Field, plan: &Plan, from: u64, watch: Watch<'_>) -> Result<Results, LabError> {
    let battles = fight_range(field, plan, from..plan.battles, BTreeMap::new(), None, watch)?;
    Ok(Results { run: plan.run(field), battles })
}

/// Fights those battles of a range that are not known yet; all of them, in order.
fn fight_range(
    field: &dyn Field,
    plan: &Plan,
    range: std::ops::Range<u64>,
    mut known: BTreeMap<u64, Fought>,
    journal: Option<Mutex<Journal>>,
    watch: Watch<'_>,
) -> Result<Vec<Fought>, LabError> {
    known.retain(|battle, _| range.contains(battle));
    let (resumed, of) = (known.len() as u64, range.end - range.start);
    let (begun, done, goal) = (Instant::now(), AtomicU64::new(resumed), AtomicU64::new(of));
    let fight_one = |battle: u64| -> Option<Result<Fought, LabError>> {
        if watch.stop.load(Ordering::Relaxed) {
            return None;
        }
        let reckon = Reckon { longest: plan.longest, luck: plan.luck, agreement: plan.agreement, keyed: plan.keyed };
        let fought = field.fight(battle, battle_seed(plan.seed, battle), plan.players, reckon);
        if let (Ok(fought), Some(journal)) = (&fought, &journal)
            && let Err(error) = journal.lock().unwrap_or_else(|broken| broken.into_inner()).append(fought)
        {
            return Some(Err(error));
        }
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        (watch.progress)(Progress::new(done, resumed, goal.load(Ordering::Relaxed).max(done), begun));
        Some(fought)
    };
    let mut battles: Vec<Fought> = Vec::new();
    let mut start = range.start;
    while start < range.end {
        let end = (start + CHUNK).min(range.end);
        let missing: Vec<u64> = (start..end).filter(|battle| !known.contains_key(battle)).collect();
        let fought: Result<Vec<Fought>, LabError> = missing.into_par_iter().filter_map(fight_one).collect();
        known.extend(fought?.into_iter().map(|fought| (fought.battle, fought)));
        battles.extend((start..end).filter_map(|battle| known.remove(&battle)));
        let width = half_width(&battles);
        let narrow = |until: f64| width <= until;
        if let Some(until) = plan.until {
            // So many will it take if it goes on as it has gone so far: what the bar counts to.
            let wanted = battles.len() as f64 * (width / until) * (width / until);
            goal.store((wanted.ceil() as u64).clamp(1, of), Ordering::Relaxed);
        }
        if watch.stop.load(Ordering::Relaxed) || plan.until.is_some_and(narrow) {
            break;
        }
        start = end;
    }
    Ok(battles)
}

/// The file to which battles are added.
struct Journal {
    file: File,
    path: std::path::PathBuf,
}

impl Journal {
    fn append(&mut self, fought: &Fought) -> Result<(), LabError> {
        let line = serde_json::to_string(fought).unwrap_or_default() + "\n";
        let written = self.file.write_all(line.as_bytes()).and_then(|()| self.file.flush());
        written.map_err(|error| LabError::File { path: self.path.clone(), error })
    }
}

/// Opens the folder of a run, new or begun; what was fought before goes into `known`.
fn take_up(folder: &Path, run: &Run, known: &mut BTreeMap<u64, Fought>) -> Result<Journal, LabError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |error| LabError::File { path, error }
    };
    fs::create_dir_all(folder).map_err(failed(folder))?;
    let (about, path) = (folder.join(names::RUN), folder.join(names::FOUGHT));
    if about.exists() {
        let text = fs::read_to_string(&about).map_err(failed(&about))?;
        // How many battles were wanted may change: more are added to those that are there.
        let same = serde_json::from_str::<Run>(&text).is_ok_and(|other| Run { battles: run.battles, ..other } == *run);
        if !same {
            let why = "holds another run: its scenario, players, seed, shard or rules differ";
            return Err(LabError::Mismatch(format!("{} {why}", folder.display())));
        }
    }
    let text = serde_json::to_string_pretty(run).unwrap_or_default();
    write(&about, (text + "\n").as_bytes())?;
    let text = if path.exists() { fs::read_to_string(&path).map_err(failed(&path))? } else { String::new() };
    let mut whole = 0;
    for line in text.split_inclusive('\n').filter(|line| line.ends_with('\n')) {
        // A line torn by a crash is the last one; whatever follows a line that cannot be read is fought again.
        let Ok(fought) = serde_json::from_str::<Fought>(line) else { break };
        whole += line.len();
        known.insert(fought.battle, fought);
    }
    let file = fs::OpenOptions::new().create(true).append(true).open(&path).map_err(failed(&path))?;
    file.set_len(whole as u64).map_err(failed(&path))?;
    Ok(Journal { file, path })
}
