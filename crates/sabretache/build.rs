//! Lists the scenarios, drills and exercises that are built into the program.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn main() -> std::io::Result<()> {
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").map_err(std::io::Error::other)?).join("../..");
    let mut folders = vec![root.join("scenarios")];
    if std::env::var_os("CARGO_FEATURE_PICKET").is_some() {
        folders.push(root.join("crates/picket/scenarios"));
    }
    let mut files = Vec::new();
    for folder in &folders {
        println!("cargo::rerun-if-changed={}", folder.display());
        collect(folder, &mut files)?;
    }
    files.sort();
    let mut code = String::from("pub(crate) static SHIPPED: &[(&str, &str)] = &[\n");
    for file in files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let path = file.canonicalize()?;
        let _ = writeln!(code, "    ({name:?}, include_str!({:?})),", path.display().to_string());
    }
    code.push_str("];\n");
    code.push_str(&drills(&root)?);
    let out = PathBuf::from(std::env::var("OUT_DIR").map_err(std::io::Error::other)?);
    std::fs::write(out.join("shipped.rs"), code)
}

/// The drills and exercises with the positions that they start from, by their paths: the rulebook shows drills as worked examples, and
/// exercises are there to be tried.
fn drills(root: &Path) -> std::io::Result<String> {
    let root = root.canonicalize()?;
    let mut folders = vec![root.join("drills"), root.join("exercises")];
    if std::env::var_os("CARGO_FEATURE_PICKET").is_some() {
        folders.extend([root.join("crates/picket/drills"), root.join("crates/picket/scenarios")]);
    }
    let mut files = Vec::new();
    for folder in &folders {
        println!("cargo::rerun-if-changed={}", folder.display());
        collect(folder, &mut files)?;
    }
    files.sort();
    let mut code = String::from("pub(crate) static DRILLS: &[(&str, &str)] = &[\n");
    for file in files {
        let name = file.strip_prefix(&root).unwrap_or(&file).to_string_lossy().replace('\\', "/");
        let _ = writeln!(code, "    ({name:?}, include_str!({:?})),", file.display().to_string());
    }
    code.push_str("];\n");
    Ok(code)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Ok(()) };
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            println!("cargo::rerun-if-changed={}", path.display());
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "toml") {
            println!("cargo::rerun-if-changed={}", path.display());
            files.push(path);
        }
    }
    Ok(())
}
