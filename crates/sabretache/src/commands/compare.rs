//! `sabretache compare`: whether two variants differ.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use sabretache_lab::{Comparison, Plan, Results, Watch, compare, fight_both};

use super::laboratory::{Bar, field, interruptible, on_threads, tell_failures, told};
use super::{print, print_json};
use crate::cli::{Changed, Compare};
use crate::failure::{Failure, bad};

pub(crate) fn run(asked: &Compare) -> Result<(), Failure> {
    let folders = [Some(asked.first.as_str()), asked.second.as_deref()].map(|name| name.and_then(run_folder));
    match folders {
        [Some(first), Some(second)] => {
            if asked.changed.overlay.is_some() || !asked.changed.set.is_empty() {
                return Err(bad("--set and --overlay change a scenario that is fought now, not a run that is over"));
            }
            let read = |folder: PathBuf| Results::read(&[folder]).map_err(told);
            tell(asked, &compare(&read(first)?, &read(second)?))
        }
        [None, None] => fight(asked),
        _ => Err(bad("two folders of runs can be compared, or two scenarios, but not one of each")),
    }
}

/// The folder of a run, where that is what is named.
fn run_folder(name: &str) -> Option<PathBuf> {
    let path = Path::new(name);
    (path.is_dir() || path.extension().is_some_and(|ending| ending == "parquet")).then(|| path.to_owned())
}

fn fight(asked: &Compare) -> Result<(), Failure> {
    if asked.bounds.low < 0.0 {
        return Err(bad(
            "the lower bound of a comparison is no difference, 0, or more: differences are looked for either way",
        ));
    }
    let unchanged = Changed { set: Vec::new(), overlay: None };
    let changes = asked.changed.overlay.is_some() || !asked.changed.set.is_empty();
    if asked.second.is_none() && !changes {
        return Err(bad("compare with what? name a second, or what is changed with --set or --overlay"));
    }
    let first = field(&asked.first, &unchanged)?;
    let second = field(asked.second.as_deref().unwrap_or(&asked.first), &asked.changed)?;
    let fought = &asked.fought;
    let plan = Plan {
        until: asked.until,
        longest: fought.longest,
        ..Plan::new(asked.battles, [fought.a, fought.b], fought.seed)
    };
    let (stop, bar) = (interruptible()?, Bar::new());
    let watch = Watch { progress: &|now| bar.tell(now), stop };
    let done = on_threads(fought.threads, || fight_both(&*first, &*second, &plan, asked.bounds, watch))?;
    bar.finish();
    let (_, _, comparison) = done.map_err(told)?;
    tell(asked, &comparison)?;
    tell_failures(None)?;
    if stop.load(Ordering::Relaxed) { Err(Failure::Interrupted) } else { Ok(()) }
}

fn tell(asked: &Compare, comparison: &Comparison) -> Result<(), Failure> {
    if asked.json {
        return print_json(comparison);
    }
    let (first, second) = (comparison.first, comparison.second);
    print(&format!("first   {first}\nsecond  {second}\n\n{}\n", comparison.sentence))
}
