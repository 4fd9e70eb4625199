//! What a player thinks of every choice in the position of an exercise, and how many exercises it passes. For whoever mends a player.
//!
//! ```text
//! cargo run --profile play -p sabretache-books --features tools --example weigh -- [--player P] [--tries N] [--title WORDS] FILES
//! ```
//!
//! Without a title: the exercises that were not passed every time, and how many were. With one: the best twelve choices as they were weighed
//! in the exercises whose titles have those words.

use std::error::Error;
use std::io::{Write, stdout};
use std::path::Path;

use sabretache_engine::ruleset::Ruleset;
use sabretache_players::exercise::laid_out;
use sabretache_players::fight::own_chance;
use sabretache_players::{Exercise, Skill, decide, read_exercises};

type Outcome<T> = Result<T, Box<dyn Error>>;

/// How many choices are told.
const TOLD: usize = 16;

/// What a player thinks of the choices in an exercise.
fn weighed<R: Ruleset>(one: &Exercise, folder: &Path, skill: Skill) -> Outcome<()> {
    let (battle, _) = laid_out::<R>(one, folder)?;
    let side = R::deciding(&battle).ok_or("nobody decides")?;
    let Some(decided) = decide::<R>(skill, &battle, &[], &mut own_chance(0, side, 0)) else { return Ok(()) };
    let now = R::worth_by(&battle, side, skill.judgement());
    let mut out = stdout().lock();
    writeln!(out, "{} ({}): stands at {now}, {} considered", one.title, one.why, decided.considered.len())?;
    for other in decided.considered.iter().take(TOLD) {
        let key = R::key(&battle, &other.choice.offer);
        let searched = other.searched.map(|(tries, mean)| format!("  {mean:+.2} in {tries}")).unwrap_or_default();
        let value = serde_json::to_string(&other.choice.value)?;
        writeln!(out, "  {:+8.1}{searched}  {key} {value}", other.value - f64::from(now))?;
    }
    Ok(())
}

fn weighed_of(one: &Exercise, folder: &Path, skill: Skill) -> Outcome<()> {
    match one.ruleset.as_str() {
        #[cfg(feature = "huzzah")]
        "huzzah" => weighed::<sabretache_huzzah::Huzzah>(one, folder, skill),
        #[cfg(feature = "batteries")]
        "batteries" => weighed::<sabretache_batteries::Batteries>(one, folder, skill),
        #[cfg(feature = "malbrook")]
        "malbrook" => weighed::<sabretache_malbrook::Malbrook>(one, folder, skill),
        other => Err(format!("there is no ruleset '{other}' here").into()),
    }
}

fn main() -> Outcome<()> {
    let (mut skill, mut tries, mut title, mut files) = (Skill::DrillMaster, 4_u32, None, Vec::new());
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut next = || words.next().ok_or(format!("{word} wants something after it"));
        match word.as_str() {
            "--player" => skill = next()?.parse()?,
            "--tries" => tries = next()?.parse()?,
            "--title" => title = Some(next()?),
            _ => files.push(word),
        }
    }
    let (mut passed, mut avoided, mut of) = (0, 0, 0);
    for file in &files {
        let text = std::fs::read_to_string(file)?;
        let folder = Path::new(file).parent().unwrap_or(Path::new("."));
        for one in read_exercises(file, &text).map_err(|report| report.to_string())? {
            if let Some(title) = &title {
                if one.title.contains(title.as_str()) {
                    weighed_of(&one, folder, skill)?;
                }
                continue;
            }
            let laboratory = sabretache_books::laboratories().into_iter().find(|lab| lab.ruleset() == one.ruleset);
            let laboratory = laboratory.ok_or(format!("there is no ruleset '{}' here", one.ruleset))?;
            let done =
                laboratory.exercise(&one, folder, skill, tries).map_err(|why| format!("{}: {why}", one.title))?;
            (passed, avoided, of) = (passed + u32::from(done.passed == tries), avoided + done.avoided, of + 1);
            if done.passed < tries {
                writeln!(stdout(), "{file}: {} ({} of {tries}): {:?}", one.title, done.passed, done.instead)?;
            }
        }
    }
    if title.is_none() {
        writeln!(
            stdout(),
            "{skill}: {passed} of {of} passed every time, {avoided} of {} avoided choices made",
            of * tries
        )?;
    }
    Ok(())
}
