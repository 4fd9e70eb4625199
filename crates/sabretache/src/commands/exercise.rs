//! `sabretache exercise`: how a computer player does at exercises in plain tactics.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use sabretache_lab::statistics::Share;
use sabretache_players::{Exercise, Exercised, Skill, Theme, read_exercises};
use serde::Serialize;

use super::{print, print_json};
use crate::books::laboratory;
use crate::failure::{Failure, bad};
use crate::files::{files_under, read_text};

/// How a player did at one exercise.
#[derive(Serialize)]
struct Told<'a> {
    file: &'a str,
    title: &'a str,
    theme: Theme,
    why: &'a str,
    #[serde(flatten)]
    result: Exercised,
}

pub(crate) fn run(player: Skill, paths: &[PathBuf], tries: u32, json: bool) -> Result<(), Failure> {
    let mut all: Vec<(String, PathBuf, Exercise)> = Vec::new();
    for path in files_under(paths, "toml")? {
        let text = read_text(&path)?;
        // Exercises keep their positions beside them; those are none.
        if paths.iter().all(|named| *named != path) && !text.contains("[[exercise]]") {
            continue;
        }
        let name = path.display().to_string();
        let read = read_exercises(&name, &text);
        let read = read.map_err(|report| Failure::File { name: name.clone(), text: text.clone(), report })?;
        let folder = path.parent().unwrap_or(Path::new(".")).to_owned();
        all.extend(read.into_iter().map(|one| (name.clone(), folder.clone(), one)));
    }
    let done: Vec<Result<Told<'_>, Failure>> =
        all.par_iter().map(|(file, folder, one)| tried(file, folder, one, player, tries)).collect();
    let mut themes: BTreeMap<Theme, Vec<Exercised>> = BTreeMap::new();
    for told in done {
        let told = told?;
        if json {
            print_json(&told)?;
        } else if told.result.passed < told.result.tries {
            print(&failed(&told))?;
        }
        themes.entry(told.theme).or_default().push(told.result);
    }
    if json { Ok(()) } else { print(&summary(player, &themes)) }
}

fn tried<'a>(file: &'a str, folder: &Path, one: &'a Exercise, player: Skill, tries: u32) -> Result<Told<'a>, Failure> {
    let result = laboratory(&one.ruleset)?.exercise(one, folder, player, tries);
    let result = result.map_err(|why| bad(format!("{file}: {}: {why}", one.title)))?;
    Ok(Told { file, title: &one.title, theme: one.theme, why: &one.why, result })
}

fn failed(told: &Told<'_>) -> String {
    let result = &told.result;
    let mut text = format!("{}: {} ({} of {})\n    {}\n", told.file, told.title, result.passed, result.tries, told.why);
    for (chosen, count) in &result.instead {
        text += &format!("    {count} x {chosen}\n");
    }
    text
}

/// The share passed by theme, and how often something was done that nobody should do.
fn summary(player: Skill, themes: &BTreeMap<Theme, Vec<Exercised>>) -> String {
    let line = |name: &str, done: &[&Exercised]| {
        let sum = |of: fn(&Exercised) -> u32| done.iter().map(|one| of(one)).sum::<u32>();
        let (tries, passed, avoided) = (sum(|one| one.tries), sum(|one| one.passed), sum(|one| one.avoided));
        let share = |count: u32| 100.0 * f64::from(count) / f64::from(tries.max(1));
        format!("{name:<12} {:>4} {:>7.0} % {:>9.1} %\n", done.len(), share(passed), share(avoided))
    };
    let mut text = format!("{player}\n{:<12} {:>4} {:>9} {:>11}\n", "theme", "of", "passed", "avoided");
    for (theme, done) in themes {
        text += &line(theme.word(), &done.iter().collect::<Vec<_>>());
    }
    let all: Vec<&Exercised> = themes.values().flatten().collect();
    let whole = all.iter().filter(|one| one.passed == one.tries).count();
    text += &line("all", &all);
    let within = Share::new(whole as f64, all.len() as u64);
    text + &format!(
        "{whole} of {} passed every time ({:.0} to {:.0} %)\n",
        all.len(),
        100.0 * within.low,
        100.0 * within.high
    )
}
