//! Fights a list of matches side by side, every pairing from both sides with the same seeds, and tells who won, with intervals. For whoever
//! wants to know whether a player has become stronger, on a machine with many cores and little time.
//!
//! ```text
//! cargo run --profile play -p sabretache-books --features tools --example matches -- [OPTIONS] [SCENARIO PLAYER PLAYER BATTLES]...
//!
//!   --list FILE    matches from a file, one a line; what follows # is a remark
//!   --seed N       the seed of the run (1)
//!   --threads N    how many battles at once, a thread each (all there are)
//!   --seconds N    no battle begins after so long; whatever has begun is fought to its end
//!   --one I        only the Ith match of the list, counted from 1; may be repeated
//!   --turn N       begin with the Nth seed, so that runs can be put together (0)
//! ```
//!
//! The matches take turns, two battles of each at a time (one seed from both sides), so that a limit of time shortens all of them alike.

use std::collections::BTreeMap;
use std::error::Error;
use std::io::{Write, stdout};
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use sabretache_engine::ids::Side;
use sabretache_engine::scenario::Document;
use sabretache_lab::simulate::battle_seed;
use sabretache_lab::statistics::Share;
use sabretache_lab::{Field, Luck, Reckon};
use sabretache_players::{Agreement, Keyed, Skill};
use serde_json::Value as Json;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// After so many choices a battle is drawn.
const LONGEST: u64 = 20_000;

struct Match {
    scenario: String,
    players: [Skill; 2],
    battles: u64,
}

/// What came of a match so far: by the side that its first player had, his battles won, drawn and lost.
#[derive(Default)]
struct Came {
    by_side: [[u64; 3]; 2],
    /// Units of either player: all, and those that came and were never shot at or charged.
    units: [(u64, u64); 2],
    turns: u64,
    seconds: f64,
}

struct Asked {
    matches: Vec<Match>,
    seed: u64,
    from: u64,
    threads: usize,
    seconds: u64,
}

fn read(words: &[&str]) -> Outcome<Match> {
    let [scenario, one, other, battles] = words else {
        return Err(format!("a match is SCENARIO PLAYER PLAYER BATTLES, not '{}'", words.join(" ")).into());
    };
    Ok(Match { scenario: (*scenario).to_owned(), players: [one.parse()?, other.parse()?], battles: battles.parse()? })
}

fn asked() -> Outcome<Asked> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let mut asked = Asked { matches: Vec::new(), seed: 1, from: 0, threads, seconds: u64::MAX };
    let (mut named, mut only) = (Vec::new(), Vec::new());
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut next = || words.next().ok_or(format!("{word} wants something after it"));
        match word.as_str() {
            "--list" => {
                let text = std::fs::read_to_string(next()?)?;
                let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default());
                for line in lines.filter(|line| !line.trim().is_empty()) {
                    asked.matches.push(read(&line.split_whitespace().collect::<Vec<_>>())?);
                }
            }
            "--seed" => asked.seed = next()?.parse()?,
            "--turn" => asked.from = next()?.parse()?,
            "--threads" => asked.threads = next()?.parse::<usize>()?.max(1),
            "--seconds" => asked.seconds = next()?.parse()?,
            "--one" => only.push(next()?.parse::<usize>()?),
            other if other.starts_with('-') => return Err(format!("there is no option {other}").into()),
            _ => named.push(word),
        }
    }
    for four in named.chunks(4) {
        asked.matches.push(read(&four.iter().map(String::as_str).collect::<Vec<_>>())?);
    }
    if !only.is_empty() {
        let mut n = 0;
        asked.matches.retain(|_| {
            n += 1;
            only.contains(&n)
        });
    }
    if asked.matches.is_empty() { Err("no match is named".into()) } else { Ok(asked) }
}

/// The fields of all scenarios that are fought on.
fn fields(matches: &[Match]) -> Outcome<BTreeMap<String, Box<dyn Field>>> {
    let mut fields = BTreeMap::new();
    for file in matches.iter().map(|one| &one.scenario) {
        let document = Document::parse(file, std::fs::read_to_string(file)?).map_err(|report| report.to_string())?;
        let book = document.json.get("ruleset").and_then(Json::as_str).unwrap_or_default();
        let laboratory = sabretache_books::laboratories().into_iter().find(|one| one.ruleset() == book);
        let laboratory = laboratory.ok_or(format!("there is no ruleset '{book}' here"))?;
        fields.insert(file.clone(), laboratory.field(&document).map_err(|report| report.to_string())?);
    }
    Ok(fields)
}

/// A seed from both sides.
fn pair(one: &Match, field: &dyn Field, seed: u64) -> Result<Came, String> {
    let mut came = Came::default();
    let begun = Instant::now();
    for first in 0..2 {
        let sides = if first == 0 { one.players } else { [one.players[1], one.players[0]] };
        let reckon = Reckon { longest: LONGEST, luck: Luck::Left, agreement: Agreement::NONE, keyed: Keyed::ByChoice };
        let fought = field.fight(0, seed, sides, reckon).map_err(|stuck| stuck.to_string())?;
        let result = match fought.winner {
            None => 1,
            Some(winner) if winner == Side::BOTH[first] => 0,
            Some(_) => 2,
        };
        came.by_side[first][result] += 1;
        for (n, unit) in field.roster().iter().enumerate() {
            let (all, spared) = &mut came.units[usize::from(unit.side.index() != first)];
            *all += 1;
            *spared += u64::from(fought.spared.contains(&n));
        }
        came.turns += u64::from(fought.turns);
    }
    came.seconds = begun.elapsed().as_secs_f64();
    Ok(came)
}

impl Came {
    fn add(&mut self, other: &Self) {
        for side in 0..2 {
            (0..3).for_each(|n| self.by_side[side][n] += other.by_side[side][n]);
            self.units[side].0 += other.units[side].0;
            self.units[side].1 += other.units[side].1;
        }
        self.turns += other.turns;
        self.seconds += other.seconds;
    }

    fn told(&self, one: &Match) -> String {
        let [won, drawn, lost] = [0, 1, 2].map(|n| self.by_side[0][n] + self.by_side[1][n]);
        let battles = won + drawn + lost;
        let share = |count: u64, of: u64| {
            let share = Share::new(count as f64, of);
            format!("{:.0} to {:.0} %", 100.0 * share.low, 100.0 * share.high)
        };
        let spared = |n: usize| 100.0 * self.units[n].1 as f64 / self.units[n].0.max(1) as f64;
        let each = |sum: f64| sum / battles.max(1) as f64;
        format!(
            "{} | {} against {} | {won}, {drawn}, {lost} of {battles} ({}; of the decided {}) | as A {:?}, as B {:?} | spared {:.0} %, {:.0} % | {:.1} turns, {:.1} s",
            one.scenario,
            one.players[0],
            one.players[1],
            share(won, battles),
            share(won, won + lost),
            self.by_side[0],
            self.by_side[1],
            spared(0),
            spared(1),
            each(self.turns as f64),
            each(self.seconds),
        )
    }
}

fn main() -> Outcome<()> {
    let asked = asked()?;
    let fields = fields(&asked.matches)?;
    let most = asked.matches.iter().map(|one| one.battles.div_ceil(2)).max().unwrap_or(0);
    let turns = 0..most;
    let wanted = |turn: &u64, one: usize| *turn < asked.matches[one].battles.div_ceil(2);
    let jobs: Vec<(usize, u64)> = turns.flat_map(|turn| (0..asked.matches.len()).map(move |one| (one, turn))).collect();
    let jobs: Vec<(usize, u64)> = jobs.into_iter().filter(|(one, turn)| wanted(turn, *one)).collect();
    let (next, begun) = (AtomicUsize::new(0), Instant::now());
    let came: Vec<Mutex<Came>> = asked.matches.iter().map(|_| Mutex::default()).collect();
    let fault: Mutex<Option<String>> = Mutex::new(None);
    thread::scope(|scope| {
        for _ in 0..asked.threads {
            scope.spawn(|| {
                // What a player searches, it searches on the thread of its battle.
                let Ok(alone) = rayon::ThreadPoolBuilder::new().num_threads(1).build() else { return };
                alone.install(|| {
                    while let Some((one, turn)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                        if begun.elapsed() >= Duration::from_secs(asked.seconds) {
                            break;
                        }
                        let this = &asked.matches[*one];
                        match pair(this, &*fields[&this.scenario], battle_seed(asked.seed, asked.from + turn)) {
                            Ok(pair) => {
                                let mut came = came[*one].lock().unwrap_or_else(PoisonError::into_inner);
                                came.add(&pair);
                                // Told as it stands: a run that is cut off has said something.
                                let _ = writeln!(stdout(), "so far: {}", came.told(this));
                            }
                            Err(why) => *fault.lock().unwrap_or_else(PoisonError::into_inner) = Some(why),
                        }
                    }
                });
            });
        }
    });
    let mut out = stdout().lock();
    for (one, came) in asked.matches.iter().zip(&came) {
        writeln!(out, "{}", came.lock().unwrap_or_else(PoisonError::into_inner).told(one))?;
    }
    writeln!(out, "seed {}, {} threads, {:.0} s", asked.seed, asked.threads, begun.elapsed().as_secs_f64())?;
    match fault.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(why) => Err(why.into()),
        None => Ok(()),
    }
}
