//! What the laboratory measures, without the server and the page: built in a fraction of the time that the program takes, and small enough to be
//! carried to another machine.
//!
//! ```text
//! cargo build --profile play -p sabretache-books --features tools --example laboratory
//! laboratory bench WHAT --scenario FILE [--seconds 4] [--json]      # as `sabretache bench`
//! laboratory advice --scenario FILE [--player drill-master] [--every 5] [--most 200]    # how long advice takes in a battle, decision by decision
//! laboratory moments --scenario FILE,FILE --out FOLDER [--battles 400] [--player drill-master]      # moments of battles, for the chances of winning
//! laboratory fit FILES [--version 1]                                                   # the chances from such files, as `sabretache chances --fit`
//! laboratory until --scenario FILE [--until 0.01] [--player ensign] [--battles 20000]  # how long it takes until A's share is known so well
//! laboratory turns --scenario FILE [--player drill-master] [--most 2000]                # how long a turn of computer against computer takes
//! ```
//!
//! A scenario is a file, or the name of one below scenarios/. `bench/chess.py` and `bench/growth.py` take this program for `sabretache` where
//! SABRETACHE names it.

use std::collections::BTreeMap;
use std::error::Error;
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::time::Instant;

use sabretache_engine::erased::AnySession;
use sabretache_engine::log::{DiceSource, Enforcement};
use sabretache_engine::protocol::{Reply, Request};
use sabretache_engine::scenario::Document;
use sabretache_engine::session::{Seat, Setup};
use sabretache_lab::moments::{Sample, chances};
use sabretache_lab::{AnyLaboratory, Bench, Luck, Plan, Watch, answer, simulate};
use sabretache_players::Skill;
use sabretache_players::fight::own_chance;
use serde_json::json;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// After so many choices a battle is counted as it stands.
const LONGEST: u64 = 100_000;

struct Asked {
    what: Vec<String>,
    options: BTreeMap<String, String>,
    json: bool,
}

impl Asked {
    fn read() -> Outcome<Self> {
        let (mut what, mut options, mut json) = (Vec::new(), BTreeMap::new(), false);
        let mut words = std::env::args().skip(1);
        while let Some(word) = words.next() {
            match word.strip_prefix("--") {
                Some("json") => json = true,
                Some(option) => {
                    options.insert(option.to_owned(), words.next().ok_or(format!("{word} wants a value"))?);
                }
                None => what.push(word),
            }
        }
        Ok(Self { what, options, json })
    }

    fn option<T: std::str::FromStr>(&self, name: &str, usual: T) -> Outcome<T> {
        match self.options.get(name) {
            Some(text) => text.parse().map_err(|_| format!("--{name} {text} is not understood").into()),
            None => Ok(usual),
        }
    }

    fn scenario(&self) -> Outcome<(String, Document, &'static dyn AnyLaboratory)> {
        self.scenario_named(self.options.get("scenario").ok_or("--scenario is missing")?)
    }

    fn scenario_named(&self, name: &str) -> Outcome<(String, Document, &'static dyn AnyLaboratory)> {
        let path = found(name).ok_or(format!("there is no scenario {name}"))?;
        let document = Document::parse(name, &std::fs::read_to_string(&path)?)?;
        let book = document.json.get("ruleset").and_then(|book| book.as_str()).unwrap_or_default();
        let laboratory = sabretache_books::laboratories().into_iter().find(|one| one.ruleset() == book);
        Ok((name.to_owned(), document, laboratory.ok_or("no such book")?))
    }
}

/// The file of a scenario: as it is named, or below scenarios/.
fn found(name: &str) -> Option<PathBuf> {
    let folders = std::fs::read_dir("scenarios").into_iter().flatten().filter_map(Result::ok);
    let below = folders.map(|folder| folder.path().join(format!("{name}.toml")));
    std::iter::once(Path::new(name).to_owned()).chain(below).find(|path| path.is_file())
}

fn main() -> Outcome<()> {
    let asked = Asked::read()?;
    match asked.what.first().map(String::as_str) {
        Some("bench") => bench(&asked),
        Some("advice") => timed(&asked, true),
        Some("turns") => timed(&asked, false),
        Some("moments") => moments(&asked),
        Some("fit") => fit(&asked),
        Some("until") => until(&asked),
        _ => Err("bench, advice, turns, moments, fit or until?".into()),
    }
}

fn bench(asked: &Asked) -> Outcome<()> {
    let (name, document, laboratory) = asked.scenario()?;
    let seconds = asked.option("seconds", 4.0)?;
    for what in &asked.what[1..] {
        let what: Bench = what.parse()?;
        let measured = laboratory.measure(&document, what, seconds)?;
        if asked.json {
            let told = json!({
                "bench": measured.bench, "ruleset": laboratory.ruleset(), "scenario": name, "unit": measured.unit, "count": measured.count,
                "seconds": measured.seconds, "per_second": measured.per_second, "battles_per_second": measured.battles_per_second,
                "decisions": measured.count,
            });
            writeln!(stdout(), "{told}")?;
        } else {
            writeln!(stdout(), "{measured}")?;
        }
    }
    Ok(())
}

/// Moments of battles of some scenarios, from which the chances of winning of their book are fitted: a file for each scenario and player.
fn moments(asked: &Asked) -> Outcome<()> {
    let names = asked.options.get("scenario").ok_or("--scenario is missing")?;
    let out = PathBuf::from(asked.options.get("out").ok_or("--out is missing")?);
    let (battles, seed) = (asked.option("battles", 400_u64)?, asked.option("seed", 1)?);
    let skill: Skill = asked.option("player", Skill::DrillMaster)?;
    std::fs::create_dir_all(&out)?;
    for name in names.split(',') {
        let begun = Instant::now();
        let (_, document, laboratory) = asked.scenario_named(name)?;
        let sample = Sample::fought(&*laboratory.field(&document)?, name, skill, (seed, battles, LONGEST))?;
        std::fs::write(out.join(format!("{}-{name}-{skill}.csv", sample.about.ruleset)), sample.text())?;
        let (moments, took) = (sample.moments.len(), begun.elapsed().as_secs_f64());
        writeln!(stdout(), "{name}, {skill}: {battles} battles, {moments} moments, {took:.1} s")?;
    }
    Ok(())
}

/// The chances of winning of a book from such files.
fn fit(asked: &Asked) -> Outcome<()> {
    let read = |path: &String| -> Outcome<Sample> { Ok(Sample::read(&std::fs::read_to_string(path)?)?) };
    let samples: Vec<Sample> = asked.what[1..].iter().map(read).collect::<Outcome<_>>()?;
    let (book, chances) = chances(asked.option("version", 1)?, samples)?;
    writeln!(stdout(), "{}", serde_json::to_string_pretty(&json!({ book: chances }))?)?;
    Ok(())
}

/// How long it takes until A's share of the points is known well enough, with the luck taken out and without.
fn until(asked: &Asked) -> Outcome<()> {
    let (name, document, laboratory) = asked.scenario()?;
    let field = laboratory.field(&document)?;
    let skill: Skill = asked.option("player", Skill::Ensign)?;
    for luck in [Luck::Left, Luck::Reckoned] {
        let plan = Plan {
            until: Some(asked.option("until", 0.01)?),
            luck,
            longest: LONGEST,
            ..Plan::new(asked.option("battles", 20_000)?, [skill; 2], asked.option("seed", 1)?)
        };
        let begun = Instant::now();
        let results = simulate(&*field, &plan, None, Watch::NOBODY)?;
        let (points, adjusted) = (results.points(), results.without_luck());
        let told = adjusted.map_or(String::new(), |one| {
            format!(", without luck {:.1} ± {:.2}, factor {:.2}", 100.0 * one.value, 100.0 * one.within, one.factor)
        });
        writeln!(
            stdout(),
            "{name}, {skill}, {luck:?}: {} battles in {:.1} s, {:.1} ± {:.2}{told}",
            results.battles.len(),
            begun.elapsed().as_secs_f64(),
            100.0 * points.value,
            100.0 * points.half_width()
        )?;
        writeln!(stdout(), "  {}", answer(&results))?;
    }
    Ok(())
}

/// Which turn it is.
fn turn_of(session: &mut dyn AnySession) -> Option<u32> {
    match session.answer(Seat::Umpire, &Request::View { moment: None }) {
        Reply::View { view, .. } => view.turn,
        _ => None,
    }
}

/// Two players fight in a session, as a server has them fight: how long each piece of advice takes, or each turn.
fn timed(asked: &Asked, advice: bool) -> Outcome<()> {
    let (name, document, laboratory) = asked.scenario()?;
    let skill: Skill = asked.option("player", Skill::DrillMaster)?;
    let (every, most, seed) = (asked.option("every", 5)?, asked.option("most", 1_000_u64)?, asked.option("seed", 1)?);
    let ruleset = sabretache_books::rulesets().into_iter().find(|one| one.book().name == laboratory.ruleset());
    let setup = Setup { enforcement: Enforcement::Referee, dice: DiceSource::Seeded(seed) };
    let (mut session, _) = ruleset.ok_or("no ruleset")?.begin(&document, setup)?;
    let mut took: Vec<f64> = Vec::new();
    let (mut turn, mut begun): (Option<Option<u32>>, Instant) = (None, Instant::now());
    for n in 0..most {
        let Some(side) = session.deciding() else { break };
        let mut own = own_chance(seed, side, n);
        if advice && n % every == 0 {
            let begun = Instant::now();
            laboratory.advise(&*session, skill, &mut own_chance(seed, side, n));
            took.push(begun.elapsed().as_secs_f64());
        }
        if !advice {
            let now = turn_of(&mut *session);
            if turn.is_some_and(|before| before != now) {
                took.push(begun.elapsed().as_secs_f64());
                writeln!(
                    stdout(),
                    "turn {}: {:.1} s",
                    turn.flatten().unwrap_or(0),
                    took.last().copied().unwrap_or(0.0)
                )?;
                begun = Instant::now();
            }
            turn = Some(now);
        }
        let player = if advice { Skill::DrillMaster } else { skill };
        let order = laboratory.order(&*session, player, &mut own).ok_or("nobody knows what to do")?;
        session.choose(Seat::Umpire, &order).map_err(|refused| format!("{refused:?}"))?;
    }
    took.sort_by(f64::total_cmp);
    let at = |share: f64| {
        took.get(((took.len() as f64 * share) as usize).min(took.len().saturating_sub(1))).copied().unwrap_or(0.0)
    };
    let what = if advice { "pieces of advice" } else { "turns" };
    writeln!(
        stdout(),
        "{name}, {skill}: {} {what}, median {:.3} s, 95th percentile {:.3} s, slowest {:.3} s",
        took.len(),
        at(0.5),
        at(0.95),
        at(1.0)
    )?;
    Ok(())
}
