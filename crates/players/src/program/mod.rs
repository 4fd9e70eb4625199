//! Somebody else's program as a player: `exec:COMMAND`.
//!
//! ```text
//! Program ─start─→ Running (a process, its lines) ─sit─→ Seated (in one battle) ─decide─→ a choice, or a Fault
//! ```
//!
//! The program reads messages from its standard input and writes its own to standard output, one JSON object a line
//! ([`wire`]; `docs/bots.md` for those who write one). Every wait has an end and every line a longest length. A program
//! that does not start, answer or go on as it should has a [`Fault`]; when it has had more of them in a battle than are
//! forgiven it has lost the battle, and the run goes on.

pub mod compliance;
mod fault;
mod running;
mod seated;
mod spec;
pub mod wire;

use std::collections::BTreeMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

pub use fault::{Fault, FaultKind};
use running::Running;
pub use seated::{Chosen, Seated};
pub use spec::Limits;

/// So many failed battles of a program are kept whole for its author; the rest are only counted.
const KEPT: usize = 16;

/// A program that plays, known by how it is started.
pub struct Program {
    /// As it was named: `exec:COMMAND`.
    spec: String,
    words: Vec<String>,
    limits: Limits,
    /// How it introduced itself when it was first started.
    hello: OnceLock<wire::Hello>,
    /// Processes that are in no battle now.
    idle: Mutex<Vec<Running>>,
    failures: Mutex<Failures>,
}

#[derive(Default)]
struct Failures {
    counted: BTreeMap<FaultKind, u64>,
    kept: Vec<Failed>,
}

/// A battle in which a program failed.
#[derive(Clone, Debug)]
pub struct Failed {
    /// How it failed last.
    pub fault: Fault,
    /// The seed of the battle; none at a table with typed dice.
    pub seed: Option<u64>,
    /// The log of the battle up to there.
    pub log: String,
}

/// Every program that was named in this process. Names are few, so they are kept to its end.
static ALL: Mutex<Vec<&'static Program>> = Mutex::new(Vec::new());

impl Program {
    /// The program of a name such as `exec:python3 bot.py` or `exec[decision=2s faults=0]:python3 bot.py`. Nothing is started yet.
    pub fn named(spec: &str) -> Result<&'static Self, String> {
        let mut all = lock(&ALL);
        if let Some(known) = all.iter().find(|program| program.spec == spec) {
            return Ok(known);
        }
        let (words, limits) = spec::read(spec)?;
        let program = Self {
            spec: spec.to_owned(),
            words,
            limits,
            hello: OnceLock::new(),
            idle: Mutex::default(),
            failures: Mutex::default(),
        };
        let program: &'static Self = Box::leak(Box::new(program));
        all.push(program);
        Ok(program)
    }

    /// As it was named.
    #[must_use]
    pub fn spec(&self) -> &str {
        &self.spec
    }

    /// How long it may take, and how much it is forgiven.
    #[must_use]
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// What it calls itself, once it has been started.
    #[must_use]
    pub fn title(&self) -> &str {
        self.hello.get().map_or("A program", |hello| hello.name.as_str())
    }

    /// Starts it, to see whether that can be done at all: before a run of many battles, or before a server listens.
    pub fn try_out(&self) -> Result<(), Fault> {
        let running = self.start()?;
        self.put_back(running);
        Ok(())
    }

    /// A process of it: one that is in no battle, or a new one.
    fn start(&self) -> Result<Running, Fault> {
        loop {
            // Others may take one while this one is asked.
            let idle = lock(&self.idle).pop();
            let Some(mut idle) = idle else { break };
            // One that has gone away meanwhile was not in a battle, and nobody lost anything by it.
            if idle.ping(self.limits.battle).is_ok() {
                return Ok(idle);
            }
        }
        match Running::start(&self.words, &self.limits) {
            Ok((running, hello)) => {
                let _ = self.hello.set(hello);
                Ok(running)
            }
            // It never was a player at all: no battle is lost by it, the name is wrong.
            Err(fault) if self.hello.get().is_none() => Err(Fault { kind: FaultKind::Start, ..fault }),
            Err(fault) => Err(fault),
        }
    }

    fn put_back(&self, running: Running) {
        lock(&self.idle).push(running);
    }

    /// Notes that it failed in a battle; `lost` is the battle that it lost by it.
    fn note(&self, fault: &Fault, lost: Option<(Option<u64>, String)>) {
        let mut failures = lock(&self.failures);
        *failures.counted.entry(fault.kind).or_default() += 1;
        if let Some((seed, log)) = lost
            && failures.kept.len() < KEPT
        {
            failures.kept.push(Failed { fault: fault.clone(), seed, log });
        }
    }
}

/// How often each program failed, in words; nothing where none did.
#[must_use]
pub fn failures() -> String {
    let mut text = String::new();
    for program in lock(&ALL).iter() {
        let failures = lock(&program.failures);
        let counted: Vec<String> = failures.counted.iter().map(|(kind, n)| format!("{kind} {n}")).collect();
        if counted.is_empty() {
            continue;
        }
        text += &format!("{} failed: {}\n", program.spec, counted.join(", "));
        let mut lost: Vec<&Failed> = failures.kept.iter().collect();
        lost.sort_by_key(|failed| failed.seed);
        if let Some(failed) = lost.first() {
            let seed = failed.seed.map_or(String::new(), |seed| format!(" (seed {seed})"));
            text += &format!("  one battle lost by it{seed}: {}\n", failed.fault);
        }
    }
    text
}

/// The battles that programs lost by failing, each with its log, in the order of their seeds.
#[must_use]
pub fn failed() -> Vec<Failed> {
    let mut all: Vec<Failed> = lock(&ALL).iter().flat_map(|program| lock(&program.failures).kept.clone()).collect();
    all.sort_by_key(|failed| failed.seed);
    all
}

/// Ends every program that is in no battle. Those that do not go by themselves are made to.
pub fn dismiss() {
    for program in lock(&ALL).iter() {
        let idle = std::mem::take(&mut *lock(&program.idle));
        // All are told before the first is waited for.
        idle.iter().for_each(Running::tell_to_quit);
        idle.into_iter().for_each(|running| drop(running.quit()));
    }
}

fn lock<T: ?Sized>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.spec)
    }
}

impl PartialEq for Program {
    fn eq(&self, other: &Self) -> bool {
        self.spec == other.spec
    }
}

impl Eq for Program {}

impl Hash for Program {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.spec.hash(state);
    }
}
