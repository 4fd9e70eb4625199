//! All the drills of a folder at once, on all the machine's threads: how a ruleset's own tests run them.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{fs, io, thread};

use super::{DrillResult, read_drills_for, run};
use crate::ruleset::Ruleset;

/// How the drills of a folder went.
#[derive(Clone, Debug, Default)]
pub struct FolderResult {
    /// How many came out as expected.
    pub passed: usize,
    /// The others, each told in full.
    pub failed: Vec<String>,
}

/// Runs every drill in the `.toml` files of a folder (not of the folders below it, where positions are kept).
///
/// With `only`, just the drills whose file name or title contains that text.
pub fn run_folder<R: Ruleset>(folder: &Path, only: Option<&str>) -> Result<FolderResult, String> {
    let mut drills = Vec::new();
    for path in toml_files(folder).map_err(|error| format!("{}: {error}", folder.display()))? {
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).map_err(|error| format!("{file}: {error}"))?;
        let read = read_drills_for(&file, &text, |_| Some(R::BOOK)).map_err(|report| format!("{file}: {report}"))?;
        drills.extend(read.into_iter().map(|drill| (file.clone(), drill)));
    }
    if let Some(only) = only {
        drills.retain(|(file, drill)| file.contains(only) || drill.title.contains(only));
    }
    let (next, threads) = (AtomicUsize::new(0), thread::available_parallelism().map_or(1, usize::from));
    let work = || {
        let mut told = Vec::new();
        while let Some((n, (file, drill))) = next_of(&next, &drills) {
            told.push((n, told_if_failed(file, &run::<R>(drill, folder))));
        }
        told
    };
    let mut told: Vec<(usize, Option<String>)> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers
            .into_iter()
            .flat_map(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    });
    told.sort_unstable();
    let failed: Vec<String> = told.into_iter().filter_map(|(_, failed)| failed).collect();
    Ok(FolderResult { passed: drills.len() - failed.len(), failed })
}

fn next_of<'a, T>(next: &AtomicUsize, all: &'a [T]) -> Option<(usize, &'a T)> {
    let n = next.fetch_add(1, Ordering::Relaxed);
    all.get(n).map(|one| (n, one))
}

fn told_if_failed(file: &str, result: &DrillResult) -> Option<String> {
    let lines =
        result.failures.iter().map(|one| format!("    {}: expected {}, got {}\n", one.what, one.expected, one.got));
    (!result.ok).then(|| format!("{file}: {}\n{}", result.title, lines.collect::<String>()))
}

fn toml_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<_>>()?;
    files.retain(|path| path.extension().is_some_and(|end| end == "toml"));
    files.sort();
    Ok(files)
}
