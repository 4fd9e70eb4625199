//! Fights random battles and prints a digest of each scenario: two builds with the same digests play the same game, choice
//! for choice and event for event. For whoever rearranges a book.
//!
//! ```text
//! cargo run -p sabretache-books --no-default-features --features malbrook,tools --example digest -- [OPTIONS] [SCENARIO...]
//!
//!   --battles N     how many battles a scenario (200)
//!   --most N        how many choices a battle at the most (3000)
//!   --from N        the first seed (0)
//!   --each          a line a battle, too
//!   --battles-only  leave the events' form out and compare the battle after each choice: an event may change its form
//!   --trace         a line a choice, with the hash so far: `diff` of two traces finds the first choice that differs
//! ```
//!
//! A scenario is a file; all under scenarios/ of the books built in, where none is named.

use std::error::Error;
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};

use sabretache_engine::digest::{Compared, Digest};
use sabretache_engine::log::Hash;
use sabretache_engine::scenario::Document;

type Outcome<T> = Result<T, Box<dyn Error>>;

struct Asked {
    battles: u64,
    most: u64,
    from: u64,
    each: bool,
    trace: bool,
    compared: Compared,
    scenarios: Vec<PathBuf>,
}

fn asked() -> Outcome<Asked> {
    let mut asked = Asked {
        battles: 200,
        most: 3000,
        from: 0,
        each: false,
        trace: false,
        compared: Compared::Events,
        scenarios: Vec::new(),
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut number = || -> Outcome<u64> { Ok(words.next().ok_or(format!("{word} wants a number"))?.parse()?) };
        match word.as_str() {
            "--battles" => asked.battles = number()?,
            "--most" => asked.most = number()?,
            "--from" => asked.from = number()?,
            "--each" => asked.each = true,
            "--trace" => asked.trace = true,
            "--battles-only" => asked.compared = Compared::Battles,
            other if other.starts_with('-') => return Err(format!("there is no option {other}").into()),
            file => asked.scenarios.push(file.into()),
        }
    }
    if asked.scenarios.is_empty() {
        asked.scenarios = shipped()?;
    }
    Ok(asked)
}

/// The scenarios of the books that are built in.
fn shipped() -> Outcome<Vec<PathBuf>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    let mut found = Vec::new();
    for ruleset in sabretache_books::rulesets() {
        let book = folder.join(ruleset.book().name);
        if book.is_dir() {
            for entry in std::fs::read_dir(book)? {
                found.push(entry?.path());
            }
        }
    }
    found.sort();
    Ok(found)
}

fn main() -> Outcome<()> {
    let asked = asked()?;
    for path in &asked.scenarios {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let document = Document::parse(&name, std::fs::read_to_string(path)?).map_err(|report| report.to_string())?;
        let of = document.json.get("ruleset").and_then(|name| name.as_str()).unwrap_or_default();
        let rulesets = sabretache_books::rulesets();
        let ruleset = rulesets.iter().find(|one| one.book().name == of);
        let ruleset = ruleset.ok_or(format!("{name}: the book '{of}' is not built in"))?;
        let battles = ruleset.playouts(&document).map_err(|report| report.to_string())?;
        let (mut decisions, mut ended, mut hashes) = (0, 0, Vec::new());
        for seed in asked.from..asked.from + asked.battles {
            let mut trace = |choice: &str, hash: Hash| {
                if asked.trace {
                    let _ = writeln!(stdout(), "{name} {seed} {hash:?} {choice}");
                }
            };
            let made = battles.digest(seed, asked.most, asked.compared, &mut trace);
            let Digest { hash, decisions: made, over } = made.map_err(|halt| format!("{name}, seed {seed}: {halt}"))?;
            if asked.each {
                writeln!(stdout(), "{name} {seed} {made} {hash}")?;
            }
            decisions += made;
            ended += u64::from(over);
            hashes.push(hash);
        }
        let parts: Vec<&[u8]> = hashes.iter().map(|hash| &hash.0[..]).collect();
        let all = Hash::of(&parts);
        writeln!(stdout(), "{name}: {} battles, {ended} to the end, {decisions} choices, {all}", asked.battles)?;
    }
    Ok(())
}
