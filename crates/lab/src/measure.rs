//! How fast it all is: one thing, on one scenario, on one thread.

use std::hint::black_box;
use std::str::FromStr;
use std::time::Instant;

use sabretache_engine::dice::Seeded;
use sabretache_engine::odds::odds_of;
use sabretache_engine::offer::{Choice, Halt};
use sabretache_engine::playout::{play_out, play_out_in_steps, random_choice};
use sabretache_engine::resolution::Resolution;
use sabretache_engine::ruleset::Ruleset;
use sabretache_players::candidates::candidates;
use sabretache_players::judge::Care;
use sabretache_players::marshal::search;
use sabretache_players::{Budget, Skill, fight};
use serde::{Deserialize, Serialize};

use crate::results::LabError;

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bench {
    /// Random decisions, each offer equally likely.
    Playouts,
    /// Random decisions in two steps: who acts, then what he does.
    Steps,
    /// Copies of a battle.
    Clone,
    /// Exact odds of choices.
    Odds,
    /// Lists of all offers.
    Offers,
    /// Iterations of a Marshal's search.
    Search,
    /// Decisions of a Drill-master, in whole battles.
    Drilled,
}

impl Bench {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Playouts, Self::Steps, Self::Clone, Self::Odds, Self::Offers, Self::Search, Self::Drilled];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Playouts => "playouts",
            Self::Steps => "steps",
            Self::Clone => "clone",
            Self::Odds => "odds",
            Self::Offers => "offers",
            Self::Search => "search",
            Self::Drilled => "drilled",
        }
    }

    /// What is counted.
    #[must_use]
    pub const fn unit(self) -> &'static str {
        match self {
            Self::Playouts => "random decisions",
            Self::Steps => "random decisions in two steps",
            Self::Clone => "copies",
            Self::Odds => "exact odds of a choice",
            Self::Offers => "lists of offers",
            Self::Search => "iterations",
            Self::Drilled => "decisions",
        }
    }
}

impl FromStr for Bench {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|bench| bench.name() == text);
        found.ok_or_else(|| format!("'{text}' is not measured; {} are", Self::ALL.map(Self::name).join(", ")))
    }
}

/// How fast it was.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// What.
    pub bench: Bench,
    /// What was counted.
    pub unit: String,
    /// How many.
    pub count: u64,
    /// In how long.
    pub seconds: f64,
    /// How many a second.
    pub per_second: f64,
    /// Whole battles a second, where battles were fought.
    pub battles_per_second: Option<f64>,
}

impl std::fmt::Display for Measured {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:<10} {:>14.0} {} a second", self.bench.name(), self.per_second, self.unit)?;
        self.battles_per_second.map_or(Ok(()), |battles| write!(f, ", {battles:.1} battles"))
    }
}

/// A battle longer than this is counted as it stands.
const LONGEST: u64 = 100_000;
/// The iterations of one search.
const ITERATIONS: u32 = 64;

pub(crate) fn measure<R: Ruleset>(start: &R::Battle, bench: Bench, seconds: f64) -> Result<Measured, LabError> {
    let middle = middle::<R>(start)?;
    let choices = candidates::<R>(&middle, Care::DRILLED.by, Care::DRILLED.most, &mut Seeded::new(1));
    let mut offers = Vec::new();
    let stopped = |halt: Halt| LabError::Log(halt.to_string());
    let pool = one_thread()?;
    let (mut count, mut battles) = (0, 0);
    let begun = Instant::now();
    let mut round = 0;
    while begun.elapsed().as_secs_f64() < seconds || count == 0 {
        count += match bench {
            Bench::Playouts => {
                battles += 1;
                play_out::<R>(&mut start.clone(), round, LONGEST).map_err(stopped)?.decisions
            }
            Bench::Steps => {
                battles += 1;
                play_out_in_steps::<R>(&mut start.clone(), round, LONGEST).map_err(stopped)?.decisions
            }
            Bench::Clone => {
                (0..1_000).for_each(|_| drop(black_box(middle.clone())));
                1_000
            }
            Bench::Odds => {
                let choice = choices.get(round as usize % choices.len().max(1));
                choice.into_iter().for_each(|choice| weigh::<R>(&middle, choice));
                1
            }
            Bench::Offers => {
                offers.clear();
                R::offers(black_box(&middle), &mut offers);
                1
            }
            Bench::Search => {
                let budget = Budget::Iterations(ITERATIONS);
                pool.install(|| black_box(search::<R>(&middle, &[], budget, Care::DRILLED, &mut Seeded::new(round))));
                u64::from(ITERATIONS)
            }
            Bench::Drilled => {
                battles += 1;
                let players = [Skill::DrillMaster; 2];
                fight::<R>(&mut start.clone(), players, round, LONGEST, |_, _, _, _| {})?.decisions
            }
        };
        round += 1;
    }
    let seconds = begun.elapsed().as_secs_f64();
    Ok(Measured {
        bench,
        unit: bench.unit().to_owned(),
        count,
        seconds,
        per_second: count as f64 / seconds,
        battles_per_second: (battles > 0).then(|| battles as f64 / seconds),
    })
}

fn one_thread() -> Result<rayon::ThreadPool, LabError> {
    rayon::ThreadPoolBuilder::new().num_threads(1).build().map_err(|error| LabError::Mismatch(error.to_string()))
}

/// A battle in full swing: a few dozen random choices from the start, and somebody still decides.
fn middle<R: Ruleset>(start: &R::Battle) -> Result<R::Battle, LabError> {
    let mut battle = start.clone();
    let mut random = Seeded::new(1815);
    for _ in 0..40 {
        let Some(choice) = random_choice::<R>(&battle, &mut Vec::new(), &mut random) else { break };
        let mut next = battle.clone();
        let resolved = R::resolve(&mut Resolution::new(&mut next, &mut random), &choice);
        if resolved.is_err() || R::deciding(&next).is_none() {
            break;
        }
        battle = next;
    }
    Ok(battle)
}

/// Follows every way the dice of a choice can fall.
fn weigh<R: Ruleset>(battle: &R::Battle, choice: &Choice<R::Offer>) {
    let mut trial = battle.clone();
    let odds = odds_of(20_000, |dice| -> Result<(), Halt> {
        trial.clone_from(battle);
        R::resolve(&mut Resolution::new(&mut trial, dice), choice)
    });
    let _ = black_box(odds);
}
