//! What the commands of the laboratory have in common: what is fought, who looks on, on how many threads.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use indicatif::{ProgressBar, ProgressStyle};
use sabretache_engine::log::ruleset_of;
use sabretache_engine::scenario::{Diagnostics, Document};
use sabretache_lab::{AnyLaboratory, Field, LabError, Progress, vary};
use sabretache_players::program::{failed, failures};

use crate::books::laboratory;
use crate::cli::Changed;
use crate::failure::{Failure, bad};
use crate::files::{parse, read_bytes, read_text, scenario};

/// What is to be fought: a scenario, or a moment of a logged battle, with what is changed in it.
pub(crate) fn field(what: &str, changed: &Changed) -> Result<Box<dyn Field>, Failure> {
    set_up(what, changed).map(|(field, _, _)| field)
}

/// The same as a document, with the laboratory of its book.
pub(crate) fn varied(what: &str, changed: &Changed) -> Result<(&'static dyn AnyLaboratory, Document), Failure> {
    set_up(what, changed).map(|(_, laboratory, document)| (laboratory, document))
}

type SetUp = (Box<dyn Field>, &'static dyn AnyLaboratory, Document);

fn set_up(what: &str, changed: &Changed) -> Result<SetUp, Failure> {
    let (document, laboratory) = subject(what)?;
    let overlay = match &changed.overlay {
        Some(path) => Some(parse(&path.display().to_string(), read_text(path)?)?),
        None => None,
    };
    let untouched = overlay.is_none() && changed.set.is_empty();
    let wrong = |mut report: Diagnostics| {
        // Places in the file mean something only while the scenario is the file's.
        let text = if untouched { document.text.clone() } else { String::new() };
        if untouched {
            document.place(&mut report);
        }
        Failure::File { name: what.to_owned(), text, report }
    };
    if untouched {
        return Ok((laboratory.field(&document).map_err(wrong)?, laboratory, document.clone()));
    }
    let varied = vary(&document, overlay.as_ref(), &changed.set).map_err(wrong)?;
    Ok((laboratory.field(&varied).map_err(wrong)?, laboratory, varied))
}

fn subject(what: &str) -> Result<(Document, &'static dyn AnyLaboratory), Failure> {
    let (path, moment) = at_moment(what);
    match as_log(Path::new(path))? {
        Some(log) => {
            let told = |error: &dyn std::fmt::Display| bad(format!("{path}: {error}"));
            let laboratory = laboratory(&ruleset_of(&log).map_err(|error| told(&error))?)?;
            let field = laboratory.field_of_log(&log, moment).map_err(|error| told(&error))?;
            Ok((Document::of_json(what, field.scenario()), laboratory))
        }
        None => {
            let (document, ruleset) = scenario(what)?;
            Ok((document, laboratory(ruleset.book().name)?))
        }
    }
}

/// `LOG@40` taken apart; a file whose own name has an `@` stays whole.
fn at_moment(what: &str) -> (&str, Option<usize>) {
    match what.rsplit_once('@') {
        Some((path, moment)) if !Path::new(what).exists() => match moment.parse() {
            Ok(moment) => (path, Some(moment)),
            Err(_) => (what, None),
        },
        _ => (what, None),
    }
}

/// The bytes of a log: a file that begins as JSON, which no scenario does.
fn as_log(path: &Path) -> Result<Option<Vec<u8>>, Failure> {
    if !path.is_file() {
        return Ok(None);
    }
    let bytes = read_bytes(path)?;
    let log = bytes.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{')
        || path.extension().is_some_and(|ending| ending == "jsonl");
    Ok(log.then_some(bytes))
}

/// Set by the interrupt key: the battles under way are fought to their end, and what was done is told.
static STOP: AtomicBool = AtomicBool::new(false);

/// Lets the interrupt key stop what follows in good order; pressed again, it ends the program at once.
pub(crate) fn interruptible() -> Result<&'static AtomicBool, Failure> {
    let set = ctrlc::set_handler(|| {
        if STOP.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
    set.map_err(|error| bad(format!("the interrupt key cannot be caught: {error}")))?;
    Ok(&STOP)
}

/// A bar with rate and time left, on standard error; nothing where that is no terminal.
pub(crate) struct Bar(ProgressBar);

impl Bar {
    pub(crate) fn new() -> Self {
        let bar = ProgressBar::new(1);
        if let Ok(style) = ProgressStyle::with_template("{bar:30.blue/white} {msg}") {
            bar.set_style(style.progress_chars("━╸─"));
        }
        Self(bar)
    }

    /// How far it has come.
    pub(crate) fn tell(&self, now: Progress) {
        self.0.set_length(now.of);
        self.0.set_position(now.done);
        let stopping = if STOP.load(Ordering::Relaxed) { ", stopping after those under way" } else { "" };
        self.0.set_message(format!("{now}{stopping}"));
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        self.0.finish_and_clear();
    }
}

/// Does something on so many threads, or on as many as there are cores.
pub(crate) fn on_threads<T: Send>(threads: Option<u16>, work: impl FnOnce() -> T + Send) -> Result<T, Failure> {
    let Some(threads) = threads else { return Ok(work()) };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(usize::from(threads)).build();
    let pool = pool.map_err(|error| bad(format!("{threads} threads are not to be had: {error}")))?;
    Ok(pool.install(work))
}

/// Says on standard error which programs failed how often. Into a folder go the logs of battles that were lost by it, for
/// whoever wrote the program.
pub(crate) fn tell_failures(folder: Option<&Path>) -> Result<(), Failure> {
    use std::io::Write as _;
    let mut text = failures();
    for (failed, folder) in failed().into_iter().zip(std::iter::repeat(folder.map(|one| one.join("faults")))) {
        let (Some(folder), Some(seed)) = (folder, failed.seed) else { continue };
        let path = folder.join(format!("{seed}.jsonl"));
        let written = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&path, &failed.log));
        written.map_err(|error| bad(format!("{}: {error}", path.display())))?;
        text += &format!("  {}: {}\n", path.display(), failed.fault);
    }
    // Nobody who has closed standard error wants to know.
    let _ = std::io::stderr().write_all(text.as_bytes());
    Ok(())
}

/// A fault of the laboratory as the program tells it.
pub(crate) fn told(error: LabError) -> Failure {
    bad(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_taken_off_the_name_of_a_log() {
        assert_eq!(at_moment("battle.jsonl@40"), ("battle.jsonl", Some(40)));
        assert_eq!(at_moment("battle.jsonl"), ("battle.jsonl", None));
        assert_eq!(at_moment("me@home.toml"), ("me@home.toml", None));
    }
}
