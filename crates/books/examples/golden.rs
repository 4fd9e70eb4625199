//! Records golden logs: battles that every later version of the rules must replay, event for event (`tests/suite/golden.rs`).
//!
//! ```text
//! cargo run -p sabretache-books --features picket,tools --example golden -- [--anew] [--name NAME] [--seed N] [SCENARIO...]
//! ```
//!
//! For each scenario a short one, of the Drill-master's first choices, and a long one, of a random battle to its end; those
//! that are there already stay as they are. `--anew` records them again: only before anybody has fought under these rules.
//! `--name` and `--seed` add another of each.

use std::error::Error;
use std::fs;
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use sabretache_engine::dice::Seeded;
use sabretache_engine::log::{DiceSource, Enforcement};
use sabretache_engine::scenario::Document;
use sabretache_engine::session::{Seat, Setup};
use sabretache_players::Skill;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// How many choices a short log has.
const SHORT: usize = 40;
/// How many a long one has at the most, so that one battle does not fill the repository.
const LONG: usize = 500;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn main() -> Outcome<()> {
    let (mut anew, mut name, mut seed, mut scenarios) = (false, String::new(), 1815, Vec::new());
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--anew" => anew = true,
            "--name" => name = format!("-{}", words.next().ok_or("--name wants a name")?),
            "--seed" => seed = words.next().ok_or("--seed wants a number")?.parse()?,
            other if other.starts_with('-') => return Err(format!("there is no option {other}").into()),
            file => scenarios.push(PathBuf::from(file)),
        }
    }
    if scenarios.is_empty() {
        for folder in ["scenarios/batteries", "scenarios/huzzah", "scenarios/malbrook", "crates/picket/scenarios"] {
            for entry in fs::read_dir(root().join(folder))? {
                scenarios.push(entry?.path());
            }
        }
        scenarios.sort();
    }
    for path in scenarios {
        let scenario = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let document = Document::parse(&scenario, fs::read_to_string(&path)?).map_err(|report| report.to_string())?;
        for (length, most) in [("short", SHORT), ("long", LONG)] {
            let book = document.json.get("ruleset").and_then(|name| name.as_str()).unwrap_or_default();
            let file = root().join("golden").join(book).join(format!("{scenario}-{length}{name}.jsonl.gz"));
            if file.exists() && !anew {
                continue;
            }
            let Some((choices, bytes)) = record(&document, book, most, length == "short", seed)? else { continue };
            fs::create_dir_all(file.parent().ok_or("no folder")?)?;
            fs::write(&file, &bytes)?;
            writeln!(stdout(), "{book}/{scenario}-{length}{name}: {choices} choices, {} bytes", bytes.len())?;
        }
    }
    Ok(())
}

/// The log of a battle and, on a last line, the battle at its end as a scenario; compressed. Nothing where the book is not
/// built in.
fn record(document: &Document, book: &str, most: usize, drilled: bool, seed: u64) -> Outcome<Option<(usize, Vec<u8>)>> {
    let Some(ruleset) = sabretache_books::rulesets().into_iter().find(|one| one.book().name == book) else {
        return Ok(None);
    };
    let players = sabretache_books::laboratories().into_iter().find(|one| one.ruleset() == book);
    let players = players.ok_or("no players")?;
    let setup = Setup { enforcement: Enforcement::Referee, dice: DiceSource::Seeded(seed) };
    let (mut session, _) = ruleset.begin(document, setup).map_err(|report| report.to_string())?;
    let mut random = Seeded::for_choice(seed, u64::MAX);
    let mut choices = 0;
    while choices < most {
        let order = match drilled {
            true => players.order(&*session, Skill::DrillMaster, &mut random),
            false => session.random_order(&mut random),
        };
        let Some(order) = order else { break };
        session.choose(Seat::Umpire, &order)?;
        choices += 1;
    }
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(session.log_text().as_bytes())?;
    packed.write_all(session.saved().to_string().as_bytes())?;
    Ok(Some((choices, packed.finish()?)))
}
