//! Fights battles and writes down what is looked at of them at the start of every turn, with what came of each: from this a value is learnt
//! (`bench/learnt.py`).
//!
//! ```text
//! cargo run --profile play -p sabretache-books --features tools --example looks -- [OPTIONS] PLAYER PLAYER SCENARIOS > looks.csv
//!
//!   --battles N    of each scenario, half of them from either side (100)
//!   --seed N       the seed of the run (1)
//!   --threads N    how many battles at once (all there are)
//!   --seconds N    no battle begins after so long
//! ```
//!
//! Two lines a moment, one as each side sees it. The scenarios are of one book.

use std::error::Error;
use std::fmt::Write as _;
use std::io::{Write as _, stdout};
use std::time::{Duration, Instant};

use rayon::prelude::*;
use sabretache_engine::ids::Side;
use sabretache_engine::ruleset::Ruleset;
use sabretache_engine::scenario::{Document, Scenario};
use sabretache_engine::session::muster;
use sabretache_lab::simulate::battle_seed;
use sabretache_players::chance::score;
use sabretache_players::learnt::{Features, features, names};
use sabretache_players::{Skill, fight};

type Outcome<T> = Result<T, Box<dyn Error>>;

/// After so many choices a battle is drawn.
const LONGEST: u64 = 20_000;

struct Asked {
    battles: u64,
    seed: u64,
    seconds: u64,
    /// Whether the columns are still to be named.
    head: bool,
    players: [Skill; 2],
}

/// Fights a battle; how each turn began as either side saw it, and what came of it for side A.
fn looked<R: Ruleset>(began: &R::Battle, players: [Skill; 2], seed: u64) -> Option<(Vec<[Features; 2]>, f64)> {
    let mut battle = began.clone();
    let (mut seen, mut last) = (Vec::new(), None);
    let mut look = |battle: &R::Battle| {
        let clock = R::clock(battle);
        let now = (clock.turn, clock.phasing);
        if last != Some(now) && R::deciding(battle).is_some() {
            last = Some(now);
            seen.push(features::<R>(battle));
        }
    };
    look(&battle);
    let ended = fight::<R>(&mut battle, players, seed, LONGEST, |_, _, after, _| look(after)).ok()?;
    let verdict = R::verdict(&battle).filter(|_| ended.over);
    Some((seen, score(verdict.and_then(|verdict| verdict.winner))))
}

fn written<R: Ruleset>(document: &Document, name: &str, asked: &Asked, begun: Instant) -> Outcome<()> {
    let scenario = Scenario::<R::Body>::read(&document.json).map_err(|report| report.to_string())?;
    let began = muster::<R>(&scenario).map_err(|report| report.to_string())?;
    if asked.head {
        let names: Vec<&str> = names::<R>().collect();
        writeln!(stdout(), "scenario,battle,side,result,{}", names.join(","))?;
    }
    (0..asked.battles).into_par_iter().for_each(|n| {
        if begun.elapsed() >= Duration::from_secs(asked.seconds) {
            return;
        }
        let players = if n % 2 == 0 { asked.players } else { [asked.players[1], asked.players[0]] };
        let seed = battle_seed(asked.seed, n / 2);
        let Some((moments, of_a)) = looked::<R>(&began, players, seed) else { return };
        let mut lines = String::new();
        for moment in &moments {
            for (side, seen) in Side::BOTH.into_iter().zip(moment) {
                let result = if side == Side::A { of_a } else { 1.0 - of_a };
                let _ = write!(lines, "{name},{n},{side},{result}");
                seen.iter().for_each(|number| {
                    let _ = write!(lines, ",{number:.4}");
                });
                lines.push('\n');
            }
        }
        // Whoever does not read on has had enough.
        let _ = stdout().lock().write_all(lines.as_bytes());
    });
    Ok(())
}

fn main() -> Outcome<()> {
    let mut asked = Asked { battles: 100, seed: 1, seconds: u64::MAX, head: true, players: [Skill::Ensign; 2] };
    let mut named = Vec::new();
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut number = || -> Outcome<u64> { Ok(words.next().ok_or(format!("{word} wants a number"))?.parse()?) };
        match word.as_str() {
            "--battles" => asked.battles = number()?,
            "--seed" => asked.seed = number()?,
            "--seconds" => asked.seconds = number()?,
            "--threads" => rayon::ThreadPoolBuilder::new().num_threads(number()? as usize).build_global()?,
            other if other.starts_with('-') => return Err(format!("there is no option {other}").into()),
            _ => named.push(word),
        }
    }
    let [one, other, scenarios @ ..] = named.as_slice() else { return Err("two players and scenarios".into()) };
    asked.players = [one.parse()?, other.parse()?];
    let begun = Instant::now();
    for (n, file) in scenarios.iter().enumerate() {
        let document = Document::parse(file, std::fs::read_to_string(file)?).map_err(|report| report.to_string())?;
        let name = file.rsplit('/').next().and_then(|name| name.strip_suffix(".toml")).unwrap_or(file);
        // Every scenario has an equal part of the time that is left.
        let left = Duration::from_secs(asked.seconds).saturating_sub(begun.elapsed()).as_secs();
        let until = begun.elapsed().as_secs() + left / (scenarios.len() - n) as u64;
        let asked = Asked { seconds: until, head: n == 0, ..asked };
        match document.json.get("ruleset").and_then(serde_json::Value::as_str) {
            #[cfg(feature = "huzzah")]
            Some("huzzah") => written::<sabretache_huzzah::Huzzah>(&document, name, &asked, begun)?,
            #[cfg(feature = "batteries")]
            Some("batteries") => written::<sabretache_batteries::Batteries>(&document, name, &asked, begun)?,
            #[cfg(feature = "malbrook")]
            Some("malbrook") => written::<sabretache_malbrook::Malbrook>(&document, name, &asked, begun)?,
            other => return Err(format!("there is no ruleset {other:?} here").into()),
        }
    }
    Ok(())
}
