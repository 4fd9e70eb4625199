//! Builds the book's tests once, and runs them once a mutant.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::rewrite::Site;

/// How much longer than the sound program a broken one may take before it counts as one that hangs.
const PATIENCE: u32 = 10;

pub fn all(book: &str, copy: &Path, target: &Path, sites: &[&Site], only: &[usize]) -> io::Result<()> {
    let programs = build(book, copy, target)?;
    let begun = Instant::now();
    if !passes(&programs, copy, None, true, Duration::from_secs(3600))? {
        return Err(io::Error::other("the drills fail with nothing broken"));
    }
    let drills = begun.elapsed();
    if !passes(&programs, copy, None, false, Duration::from_secs(3600))? {
        return Err(io::Error::other("the tests fail with nothing broken"));
    }
    let tests = begun.elapsed() - drills;
    println!("with nothing broken the drills take {:.0} s, all tests {:.0} s", drills.as_secs_f64(), tests.as_secs_f64());
    let (mut caught, mut survivors) = (0, Vec::new());
    for (mutant, site) in sites.iter().enumerate().filter(|(n, _)| only.is_empty() || only.contains(n)) {
        let patience = |whole: Duration| whole * PATIENCE + Duration::from_secs(20);
        let by = if !passes(&programs, copy, Some(mutant), true, patience(drills))? {
            "drills"
        } else if !passes(&programs, copy, Some(mutant), false, patience(tests))? {
            "tests"
        } else {
            "nobody"
        };
        println!("{mutant:>3} {by:<7} {}:{} {}", site.file, site.line, site.change);
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

/// The test programs of the book's crate.
fn build(book: &str, copy: &Path, target: &Path) -> io::Result<Vec<PathBuf>> {
    let package = format!("sabretache-{book}");
    let output = Command::new("cargo")
        .args(["test", "--package", &package, "--no-run", "--message-format=json", "--quiet"])
        .current_dir(copy)
        .env("CARGO_TARGET_DIR", target)
        .env("RUSTFLAGS", "--cap-lints warn")
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

/// Whether every program passes; the first that does not, or that takes too long, settles it.
fn passes(programs: &[PathBuf], copy: &Path, mutant: Option<usize>, drills: bool, patience: Duration) -> io::Result<bool> {
    let begun = Instant::now();
    for program in programs {
        let mut command = Command::new(program);
        command.current_dir(copy).stdout(Stdio::null()).stderr(Stdio::null());
        command.env("PROPTEST_RNG_SEED", "1815").env_remove("MUTANT");
        if let Some(mutant) = mutant {
            command.env("MUTANT", mutant.to_string());
        }
        if drills {
            command.arg("every_drill");
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
