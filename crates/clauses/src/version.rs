//! What the rules come to, in a word: it changes when a clause or a line that may decide something changes, so that a log
//! tells under which rules it was fought without anybody having to remember to say so.

use std::io;
use std::path::{Path, PathBuf};

/// What only tells or advises decides nothing: a battle is the same with other words.
const TELLING: [&str; 11] =
    ["words", "worth", "view", "telling", "labels", "advice", "proposals", "handle", "headlines", "invites", "tests"];

/// Twelve hexadecimal digits that stand for the clauses and the sources that decide.
pub(crate) fn of_rules(clauses: &str, folders: &[&str]) -> io::Result<String> {
    let mut files = Vec::new();
    for folder in folders {
        gather(Path::new(folder), &mut files)?;
    }
    files.sort();
    let mut sum = Sum::new();
    sum.add(clauses.as_bytes());
    for file in files {
        sum.add(file.to_string_lossy().as_bytes());
        sum.add(&std::fs::read(&file)?);
    }
    Ok(format!("{:012x}", sum.0 >> 16))
}

fn gather(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if TELLING.contains(&stem.as_str()) {
            continue;
        }
        if path.is_dir() {
            gather(&path, files)?;
        } else if path.extension().is_some_and(|end| end == "rs") {
            files.push(path);
        }
    }
    Ok(())
}

/// FNV-1a: nobody has a reason to forge it, logs have their own hashes, and it is the same everywhere.
struct Sum(u64);

impl Sum {
    fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes.iter().filter(|byte| **byte != b'\r') {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
        // So that what ends one file cannot begin the next.
        self.0 = (self.0 ^ 0xff).wrapping_mul(0x0100_0000_01b3);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_decides_changes_it_and_what_tells_does_not() {
        let folder = std::env::temp_dir().join(format!("sabretache-version-{}", std::process::id()));
        let write = |name: &str, text: &str| {
            let path = folder.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write("combat.rs", "2");
        write("words/mod.rs", "two");
        let of = |clauses: &str| of_rules(clauses, &[folder.to_str().unwrap()]).unwrap();
        let first = of("a");
        assert_eq!(first.len(), 12);
        write("words/mod.rs", "three");
        assert_eq!(of("a"), first);
        assert_ne!(of("b"), first);
        write("combat.rs", "3");
        assert_ne!(of("a"), first);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
