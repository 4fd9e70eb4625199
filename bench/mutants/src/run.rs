//! Builds the book's tests once, and runs them once a mutant.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::rewrite::Site;

/// How much longer than the sound program a broken one may take before it counts as one that hangs.
const PATIENCE: u32 = 10;

pub fn all(book: &str, copy: &Path, target: &Path, sites: &[&Site], only: &[usize], drills_only: bool) -> io::Result<()> {
    let programs = build(book, copy, target)?;
    let begun = Instant::now();
    let files = drill_files(book, copy, &programs, sites.len())?;
    let drills = begun.elapsed();
    if !drills_only && !passes(&Run { programs: &programs, copy, mutant: None, what: What::Tests }, Duration::from_secs(3600))? {
        return Err(io::Error::other("the tests fail with nothing broken"));
    }
    let tests = begun.elapsed() - drills;
    println!("with nothing broken the drills take {:.0} s, all tests {:.0} s", drills.as_secs_f64(), tests.as_secs_f64());
    let (mut caught, mut survivors) = (0, Vec::new());
    for (mutant, site) in sites.iter().enumerate().filter(|(n, _)| only.is_empty() || only.contains(n)) {
        let patience = |whole: Duration| whole * PATIENCE + Duration::from_secs(20);
        let run = |what| Run { programs: &programs, copy, mutant: Some(mutant), what };
        let mut by = "nobody";
        // Drills that never come to the condition cannot notice that it is broken.
        for file in files.iter().filter(|file| file.reached[mutant]) {
            if !passes(&run(What::Drills(file.name.as_deref())), patience(file.takes))? {
                by = "drills";
                break;
            }
        }
        if by == "nobody" && !drills_only && !passes(&run(What::Tests), patience(tests))? {
            by = "tests";
        }
        let unreached = if files.iter().any(|file| file.reached[mutant]) { "" } else { " (reached by no drill)" };
        println!("{mutant:>3} {by:<7} {}:{} {}{unreached}", site.file, site.line, site.change);
        io::stdout().flush()?;
        if by == "nobody" {
            survivors.push((mutant, *site));
        } else {
            caught += 1;
        }
    }
    println!("\n{caught} of {} caught; survivors:", caught + survivors.len());
    survivors.iter().for_each(|(n, site)| println!("{n:>3} {}:{} {}", site.file, site.line, site.change));
    Ok(())
}

/// Drills that are run together: those of one file, or all where the book's test cannot tell them apart.
struct DrillFile {
    name: Option<String>,
    takes: Duration,
    /// Of each mutant, whether its condition is reached.
    reached: Vec<bool>,
}

/// The book's drills, the quickest first, with the conditions that each file reaches.
fn drill_files(book: &str, copy: &Path, programs: &[PathBuf], mutants: usize) -> io::Result<Vec<DrillFile>> {
    let test = std::fs::read_to_string(copy.join("crates").join(book).join("tests/suite/drills.rs")).unwrap_or_default();
    let mut names = vec![None];
    if test.contains("\"DRILLS\"") {
        let entries = std::fs::read_dir(copy.join("drills").join(book))?;
        let all = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        names = all.filter(|name| name.ends_with(".toml")).map(Some).collect();
        names.sort();
    }
    let notes = copy.join("reached.txt");
    let mut files = Vec::new();
    for name in names {
        let _ = std::fs::remove_file(&notes);
        let begun = Instant::now();
        let run = Run { programs, copy, mutant: None, what: What::Reached(name.as_deref(), &notes) };
        if !passes(&run, Duration::from_secs(3600))? {
            return Err(io::Error::other(format!("the drills fail with nothing broken: {name:?}")));
        }
        let noted = std::fs::read_to_string(&notes).unwrap_or_default();
        let noted: Vec<usize> = noted.lines().filter_map(|line| line.parse().ok()).collect();
        let reached = (0..mutants).map(|mutant| noted.contains(&mutant)).collect();
        files.push(DrillFile { name, takes: begun.elapsed(), reached });
    }
    files.sort_by_key(|file| file.takes);
    Ok(files)
}

/// The test programs of the book's crate.
pub fn build(book: &str, copy: &Path, target: &Path) -> io::Result<Vec<PathBuf>> {
    let package = format!("sabretache-{book}");
    let output = Command::new("cargo")
        .args(["test", "--package", &package, "--no-run", "--message-format=json", "--quiet"])
        .current_dir(copy)
        .env("CARGO_TARGET_DIR", target)
        .stderr(Stdio::inherit())
        .output()?;
    if !output.status.success() {
        return Err(io::Error::other("the mutants cannot be built"));
    }
    let lines = output.stdout.split(|byte| *byte == b'\n');
    let messages = lines.filter_map(|line| serde_json::from_slice::<serde_json::Value>(line).ok());
    let ours = messages.filter(|message| message["profile"]["test"] == true && message["manifest_path"].as_str().is_some_and(|path| path.contains(&format!("crates/{book}/"))));
    let programs: Vec<PathBuf> = ours.filter_map(|message| message["executable"].as_str().map(PathBuf::from)).collect();
    if programs.is_empty() { Err(io::Error::other("the crate has no tests")) } else { Ok(programs) }
}

/// What is run of the book's tests.
enum What<'a> {
    /// All of them.
    Tests,
    /// The drills of one file, or all.
    Drills(Option<&'a str>),
    /// The same, noting which conditions are reached.
    Reached(Option<&'a str>, &'a Path),
}

/// One run of the programs.
struct Run<'a> {
    programs: &'a [PathBuf],
    copy: &'a Path,
    mutant: Option<usize>,
    what: What<'a>,
}

/// Whether every program passes; the first that does not, or that takes too long, settles it.
fn passes(run: &Run<'_>, patience: Duration) -> io::Result<bool> {
    let begun = Instant::now();
    for program in run.programs {
        let mut command = Command::new(program);
        command.current_dir(run.copy).stdout(Stdio::null()).stderr(Stdio::null());
        command.env("PROPTEST_RNG_SEED", "1815").env_remove("MUTANT").env_remove("DRILLS").env_remove("REACHED");
        if let Some(mutant) = run.mutant {
            command.env("MUTANT", mutant.to_string());
        }
        if matches!(run.what, What::Tests) {
            // What computer players make of a battle is left alone, and so are the tests of it.
            command.args(["--skip", "worth", "--skip", "players", "--skip", "advice"]);
        }
        if let What::Drills(file) | What::Reached(file, _) = run.what {
            command.arg("every_drill");
            command.envs(file.map(|file| ("DRILLS", file)));
        }
        if let What::Reached(_, notes) = run.what {
            command.env("REACHED", notes);
        }
        let mut child = command.spawn()?;
        if !ends_well(&mut child, patience.saturating_sub(begun.elapsed()))? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn ends_well(child: &mut Child, patience: Duration) -> io::Result<bool> {
    let begun = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status.success());
        }
        if begun.elapsed() > patience {
            child.kill()?;
            child.wait()?;
            return Ok(false);
        }
        sleep(Duration::from_millis(50));
    }
}
