//! Breaks conditions of a book at random and sees whether its drills and tests notice; see the README.

mod rewrite;
mod run;

use std::path::{Path, PathBuf};
use std::{env, fs, io, process};

use rewrite::Site;

struct Args {
    book: String,
    count: usize,
    seed: u64,
    only: Vec<usize>,
    /// Whether the drills are run and nothing else.
    drills_only: bool,
    /// Whether the sample is told and nothing run.
    list: bool,
    /// Whether the programs are built and nothing run, for another machine to run them.
    build: bool,
}

fn main() {
    let args = read_args().unwrap_or_else(|why| {
        eprintln!("{why}\nusage: mutants BOOK [--count 100] [--seed 1815] [--only 17,23] [--drills-only] [--list] [--build]");
        process::exit(2);
    });
    if let Err(error) = mutate(&args) {
        eprintln!("{error}");
        process::exit(1);
    }
}

fn read_args() -> Result<Args, String> {
    let mut given = env::args().skip(1);
    let mut args = Args { book: String::new(), count: 100, seed: 1815, only: Vec::new(), drills_only: false, list: false, build: false };
    while let Some(word) = given.next() {
        let mut value = |name: &str| given.next().ok_or_else(|| format!("{name} wants a value"));
        match word.as_str() {
            "--count" => args.count = value("--count")?.parse().map_err(|_| "--count wants a number".to_owned())?,
            "--seed" => args.seed = value("--seed")?.parse().map_err(|_| "--seed wants a number".to_owned())?,
            "--only" => {
                let list = value("--only")?;
                let numbers = list.split(',').map(|n| n.parse().map_err(|_| format!("'{n}' is no number")));
                args.only = numbers.collect::<Result<_, _>>()?;
            }
            "--drills-only" => args.drills_only = true,
            "--list" => args.list = true,
            "--build" => args.build = true,
            book if args.book.is_empty() && !book.starts_with('-') => args.book = book.to_owned(),
            other => return Err(format!("'{other}' is not understood")),
        }
    }
    if args.book.is_empty() { Err("which book?".into()) } else { Ok(args) }
}

fn mutate(args: &Args) -> io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize()?;
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let copy = target.join("mutants").join(&args.book);
    let source = root.join("crates").join(&args.book).join("src");
    if !source.is_dir() {
        return Err(io::Error::other(format!("there is no crate {}", source.display())));
    }
    mirror(&root, &copy)?;

    let mut files = Vec::new();
    rust_files(&source, &mut files)?;
    files.retain(|file| !is_left_alone(file.strip_prefix(&source).unwrap_or(file)));
    files.sort();
    let sites: Vec<Site> = files.iter().flat_map(|file| rewrite::sites_in(file, &root)).collect();
    let chosen = sample(&sites, args.count, args.seed);
    println!("{} conditions in {} files, {} of them broken, seed {}", sites.len(), files.len(), chosen.len(), args.seed);
    if args.list {
        chosen.iter().enumerate().for_each(|(n, site)| println!("{n:>3} {}:{} {}", site.file, site.line, site.change));
        return Ok(());
    }
    for file in &files {
        let shown = shown(file, &root);
        let here: Vec<(usize, &Site)> = chosen.iter().enumerate().filter(|(_, site)| site.file == shown).map(|(n, site)| (n, *site)).collect();
        if !here.is_empty() {
            fs::write(copy.join(&shown), rewrite::with_switches(file, &here)?)?;
        }
    }
    let library = copy.join("crates").join(&args.book).join("src/lib.rs");
    fs::write(&library, fs::read_to_string(&library)? + rewrite::SWITCH)?;
    if args.build {
        chosen.iter().enumerate().for_each(|(n, site)| println!("{n:>3} {}:{} {}", site.file, site.line, site.change));
        run::build(&args.book, &copy, &target)?.iter().for_each(|program| println!("built {}", program.display()));
        return Ok(());
    }
    run::all(&args.book, &copy, &target, &chosen, &args.only, args.drills_only)
}

/// What only computer players, views, words and files need.
fn is_left_alone(path: &Path) -> bool {
    let left = ["worth", "words", "view", "telling", "labels", "label", "advice", "proposals", "players", "numbers", "clauses", "memo", "handle", "headlines", "tests", "save", "keys"];
    path.components().any(|part| {
        let name = part.as_os_str().to_string_lossy();
        left.contains(&name.trim_end_matches(".rs"))
    })
}

/// So many of the sites, the same for the same seed and sources.
fn sample(sites: &[Site], count: usize, seed: u64) -> Vec<&Site> {
    let mut left: Vec<&Site> = sites.iter().collect();
    let mut state = seed;
    let mut chosen = Vec::new();
    while chosen.len() < count && !left.is_empty() {
        // SplitMix64: a few lines, and the same everywhere.
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        chosen.push(left.swap_remove(((mixed ^ (mixed >> 31)) % left.len() as u64) as usize));
    }
    chosen
}

/// A file as it is told, from the root of the project.
fn shown(file: &Path, root: &Path) -> String {
    file.strip_prefix(root).unwrap_or(file).to_string_lossy().into_owned()
}

fn rust_files(folder: &Path, out: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            rust_files(&path, out)?;
        } else if path.extension().is_some_and(|end| end == "rs") {
            out.push(path);
        }
    }
    Ok(())
}

/// The sources as they are, without what is built from them. A file that has not changed is not touched, so that little is
/// built again.
fn mirror(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(to)? {
        let entry = entry?;
        if entry.file_type()?.is_file() && !from.join(entry.file_name()).exists() {
            fs::remove_file(entry.path())?;
        }
    }
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with('.') || ["target", "node_modules", "docs", "bench"].contains(&name.as_str()) {
            continue;
        }
        let target = to.join(&name);
        if entry.file_type()?.is_dir() {
            mirror(&entry.path(), &target)?;
        } else if fs::read(&target).ok() != Some(fs::read(entry.path())?) {
            fs::copy(entry.path(), &target)?;
        }
    }
    Ok(())
}
