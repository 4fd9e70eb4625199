//! Scenarios and other files, by name or path.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use sabretache_engine::erased::AnyRuleset;
use sabretache_engine::scenario::Document;

use crate::books::ruleset;
use crate::failure::{Failure, bad};

include!(concat!(env!("OUT_DIR"), "/shipped.rs"));

/// The largest file that is read, so that a wrong name does not fill the memory.
const LARGEST: u64 = 256 * 1024 * 1024;

/// The bytes of a file.
pub(crate) fn read_bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    let told = |error: std::io::Error| bad(format!("{}: {error}", path.display()));
    let mut bytes = Vec::new();
    // Not by its size alone: a device or a pipe has none.
    fs::File::open(path).map_err(told)?.take(LARGEST + 1).read_to_end(&mut bytes).map_err(told)?;
    if bytes.len() as u64 > LARGEST {
        return Err(bad(format!("{}: larger than any file of this program would be", path.display())));
    }
    Ok(bytes)
}

/// The text of a file.
pub(crate) fn read_text(path: &Path) -> Result<String, Failure> {
    String::from_utf8(read_bytes(path)?).map_err(|_| bad(format!("{}: not a text file (UTF-8)", path.display())))
}

/// A document read from a text.
pub(crate) fn parse(name: &str, text: String) -> Result<Document, Failure> {
    Document::parse(name, text.clone()).map_err(|report| Failure::File { name: name.into(), text, report })
}

/// A scenario, shipped or from a file, and the ruleset it is fought under.
pub(crate) fn scenario(name: &str) -> Result<(Document, &'static dyn AnyRuleset), Failure> {
    let document = match SHIPPED.iter().find(|(shipped, _)| *shipped == name) {
        Some((shipped, text)) => parse(shipped, (*text).to_owned())?,
        None if Path::new(name).exists() => parse(name, read_text(Path::new(name))?)?,
        None => {
            let names: Vec<&str> = SHIPPED.iter().map(|(name, _)| *name).collect();
            let known = if names.is_empty() { "none".into() } else { names.join(", ") };
            return Err(bad(format!("there is no scenario or file '{name}'; scenarios: {known}")));
        }
    };
    let ruleset = ruleset_of(&document)?;
    Ok((document, ruleset))
}

/// The ruleset that a scenario names.
pub(crate) fn ruleset_of(document: &Document) -> Result<&'static dyn AnyRuleset, Failure> {
    match document.json.get("ruleset").and_then(|name| name.as_str()) {
        Some(name) => ruleset(name),
        None => Err(bad(format!("{}: `ruleset` is missing: add `ruleset = \"huzzah\"` at the top", document.name))),
    }
}

/// All files with this ending under some paths, in order.
pub(crate) fn files_under(paths: &[PathBuf], ending: &str) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in paths {
        collect(path, ending, &mut files).map_err(|error| bad(format!("{}: {error}", path.display())))?;
    }
    files.sort();
    files.dedup();
    Ok(files)
}

fn collect(path: &Path, ending: &str, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if !path.is_dir() {
        fs::metadata(path)?;
        files.push(path.to_owned());
        return Ok(());
    }
    for entry in fs::read_dir(path)? {
        let path = entry?.path();
        if path.is_dir() || path.extension().is_some_and(|extension| extension == ending) {
            collect(&path, ending, files)?;
        }
    }
    Ok(())
}

/// Where battles are kept when no other place is named.
pub(crate) fn data_folder() -> PathBuf {
    let from = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = from("XDG_DATA_HOME").or_else(|| from("HOME").map(|home| home.join(".local/share")));
    base.unwrap_or_else(|| PathBuf::from(".")).join("sabretache")
}
