//! Fights random battles of every scenario with every invariant of the suite, on all threads: each choice made in three
//! ways, every event checked, and now and then what is forbidden done all the same. What the suite of a book does, for
//! ten thousand battles.
//!
//! ```text
//! cargo run --profile play -p sabretache-books --features tools --example invariants -- [OPTIONS] [SCENARIO...]
//!
//!   --battles N     how many a book; small scenarios get more of them than great ones, each at least 1 of 100 (1000)
//!   --from N        the first seed (0)
//!   --seconds S     nothing is begun after so many seconds (no end)
//!   --scenarios DIR where the folders of the books are (the repository's)
//! ```
//!
//! A third is fought without options, a third with all of them, a third with a set drawn by lot. Each series of battles
//! is followed by one with a log and one among players who are only advised, who break rules. Prints what was fought of
//! each scenario, and each fault with what is needed to see it again; fails if there was one.

use std::collections::BTreeMap;
use std::error::Error;
use std::io::{Write, stdout};
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use sabretache_engine::dice::Seeded;
use sabretache_engine::scenario::Document;
use sabretache_engine::suite::{self, Done, Effort};
use serde_json::json;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Battles fought by one thread before it looks for more.
const SERIES: u64 = 12;

/// What a scenario of each book may switch on without saying more.
fn switches(book: &str) -> &'static [&'static str] {
    match book {
        "huzzah" => &["reorganise", "dear_orders", "high_quality_rolls", "old_militia_a", "sight_backward"],
        "batteries" => &[
            "cavalry_bounce",
            "pursuit",
            "skirmish_screens",
            "elbow_room",
            "carry_through",
            "pass_through_fire",
            "two_rank_line",
            "national_modifiers",
            "pinning",
            "danger_to_generals",
            "artillery_targeting",
            "voluntary_rout",
            "command_initiative",
            "first_rout_off_table",
        ],
        _ => &[],
    }
}

struct Asked {
    battles: u64,
    from: u64,
    seconds: Option<u64>,
    folder: PathBuf,
    only: Vec<String>,
}

fn asked() -> Outcome<Asked> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    let mut asked = Asked { battles: 1000, from: 0, seconds: None, folder, only: Vec::new() };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut next = || words.next().ok_or(format!("{word} wants a value"));
        match word.as_str() {
            "--battles" => asked.battles = next()?.parse()?,
            "--from" => asked.from = next()?.parse()?,
            "--seconds" => asked.seconds = Some(next()?.parse()?),
            "--scenarios" => asked.folder = next()?.into(),
            other if other.starts_with('-') => return Err(format!("there is no option {other}").into()),
            name => asked.only.push(name.to_owned()),
        }
    }
    Ok(asked)
}

/// Some battles of a scenario with these options.
struct Job {
    book: &'static str,
    document: Document,
    options: Vec<&'static str>,
    from: u64,
    to: u64,
}

impl Job {
    fn fight(&self) -> Result<Done, String> {
        let mut document = self.document.clone();
        // Options that a scenario cannot do without stay as they are.
        for name in switches(self.book) {
            let set = document.json.get_mut("options").and_then(|options| options.as_object_mut());
            if let Some(options) = set {
                options.remove(*name);
            }
        }
        for name in &self.options {
            document.json["options"][*name] = json!(true);
        }
        let effort = Effort {
            battles: self.to,
            from: self.from,
            closely: 1_500,
            sampled_offers: 0,
            despite: 1,
            ..Effort::default()
        };
        let fought = || match self.book {
            #[cfg(feature = "huzzah")]
            "huzzah" => suite::run::<sabretache_huzzah::Huzzah>(&[document], effort),
            #[cfg(feature = "batteries")]
            "batteries" => suite::run::<sabretache_batteries::Batteries>(&[document], effort),
            #[cfg(feature = "malbrook")]
            "malbrook" => suite::run::<sabretache_malbrook::Malbrook>(&[document], effort),
            other => Err(format!("the book {other} is not built in")),
        };
        let fault = catch_unwind(std::panic::AssertUnwindSafe(fought)).unwrap_or_else(|_| Err("it panicked".into()));
        fault.map_err(|fault| {
            format!(
                "{}/{}, seeds {} to {}, {:?}: {fault}",
                self.book, self.document.name, self.from, self.to, self.options
            )
        })
    }
}

/// How much a battle of this scenario takes, roughly: it grows with the square of those who take part.
fn weight(document: &Document) -> u64 {
    let named = |part: &serde_json::Value| part.as_array().map_or(0, Vec::len) as u64;
    let bodies = ["units", "brigades"].iter().map(|key| named(&document.json[*key])).max().unwrap_or(1).max(1);
    bodies * bodies * bodies
}

fn jobs(asked: &Asked) -> Outcome<Vec<Job>> {
    let mut queues = Vec::new();
    for ruleset in sabretache_books::rulesets() {
        let book = ruleset.book().name;
        let mut paths: Vec<PathBuf> = match std::fs::read_dir(asked.folder.join(book)) {
            Ok(entries) => entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?,
            Err(_) => continue,
        };
        paths.retain(|path| {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            path.extension().is_some_and(|end| end == "toml") && (asked.only.is_empty() || asked.only.contains(&stem))
        });
        paths.sort();
        let mut documents = Vec::new();
        for path in paths {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let text = std::fs::read_to_string(&path)?;
            documents.push(Document::parse(name, text).map_err(|report| report.to_string())?);
        }
        let light: f64 = documents.iter().map(|document| 1.0 / weight(document) as f64).sum();
        for document in documents {
            let share = asked.battles as f64 / weight(&document) as f64 / light;
            let share = (share.ceil() as u64).max(asked.battles.div_ceil(100));
            queues.push(series(book, &document, asked.from, share));
        }
    }
    // A little of everything first: where time runs out, each scenario has had some.
    let mut jobs = Vec::new();
    while !queues.is_empty() {
        for queue in &mut queues {
            let some = queue.len().div_ceil(20).min(queue.len());
            jobs.extend(queue.drain(..some));
        }
        queues.retain(|queue| !queue.is_empty());
    }
    Ok(jobs)
}

fn series(book: &'static str, document: &Document, from: u64, share: u64) -> Vec<Job> {
    let mut series = Vec::new();
    let mut at = from;
    while at < from + share {
        let to = (at + SERIES).min(from + share);
        let mut random = Seeded::new(at);
        let options = match series.len() % 3 {
            0 => Vec::new(),
            1 => switches(book).to_vec(),
            _ => switches(book).iter().copied().filter(|_| random.below(2) == 0).collect(),
        };
        series.push(Job { book, document: document.clone(), options, from: at, to });
        at = to;
    }
    series
}

fn main() -> Outcome<()> {
    let asked = asked()?;
    let jobs = jobs(&asked)?;
    let began = Instant::now();
    let late = |limit: u64| began.elapsed() >= Duration::from_secs(limit);
    let fought: Vec<(&Job, Result<Done, String>)> = jobs
        .par_iter()
        .filter(|_| !asked.seconds.is_some_and(late))
        .map(|job| {
            let one = job.fight();
            if let Err(fault) = &one {
                let _ = writeln!(stdout(), "FAULT {fault}");
            }
            (job, one)
        })
        .collect();
    let mut table = BTreeMap::<(&str, &str), (u64, u64, u64, u64)>::new();
    for (job, one) in &fought {
        let (battles, choices, despite, faults) = table.entry((job.book, job.document.name.as_str())).or_default();
        match one {
            Ok(done) => {
                *battles += done.battles;
                *choices += done.decisions;
                *despite += done.despite;
            }
            Err(_) => *faults += 1,
        }
    }
    let mut out = stdout();
    for ((book, name), (battles, choices, despite, faults)) in &table {
        writeln!(out, "{book} {name}: {battles} battles, {choices} choices, {despite} breaches, {faults} faults")?;
    }
    for ruleset in sabretache_books::rulesets() {
        let book = ruleset.book().name;
        let sum: u64 = table.iter().filter(|((of, _), _)| *of == book).map(|(_, counts)| counts.0).sum();
        writeln!(out, "{book}: {sum} battles in all")?;
    }
    writeln!(out, "{} of {} series in {} s", fought.len(), jobs.len(), began.elapsed().as_secs())?;
    let faults = fought.iter().filter(|(_, one)| one.is_err()).count();
    if faults == 0 { Ok(()) } else { Err(format!("{faults} faults").into()) }
}
