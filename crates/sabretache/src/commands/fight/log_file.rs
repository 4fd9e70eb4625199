//! The file that a battle in the terminal is kept in.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use crate::failure::{Failure, bad};
use crate::files::data_folder;

/// A log that is being written, line by line.
pub(super) struct LogFile {
    path: PathBuf,
    file: File,
}

impl LogFile {
    /// A new log. It never writes over a file that is there.
    pub(super) fn create(named: Option<&Path>, scenario: &str, first: &str) -> Result<Self, Failure> {
        let path = match named {
            Some(path) => path.to_owned(),
            None => unused(&data_folder().join("battles"), scenario)?,
        };
        let told = |error: std::io::Error| match error.kind() {
            ErrorKind::AlreadyExists => bad(format!(
                "{0} is there already, and no log is written over another: give another name, or go on with it by `fight --resume {0}`",
                path.display()
            )),
            _ => bad(format!("{}: {error}", path.display())),
        };
        let file = OpenOptions::new().write(true).create_new(true).open(&path).map_err(told)?;
        let mut log = Self { path, file };
        log.write(first)?;
        Ok(log)
    }

    /// Goes on with a log, whose whole lines are `text`; a last line torn by a crash is cut.
    pub(super) fn append(path: &Path, text: &str) -> Result<Self, Failure> {
        let told = |error: std::io::Error| bad(format!("{}: {error}", path.display()));
        let file = OpenOptions::new().append(true).open(path).map_err(told)?;
        file.set_len(text.len() as u64).map_err(told)?;
        Ok(Self { path: path.to_owned(), file })
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a line and sees it to the disk.
    pub(super) fn write(&mut self, line: &str) -> Result<(), Failure> {
        let written = self.file.write_all(line.as_bytes()).and_then(|()| self.file.sync_data());
        written.map_err(|error| bad(format!("{}: {error}", self.path.display())))
    }
}

/// A file name that is not taken: `maida-1.jsonl`, `maida-2.jsonl`.
fn unused(folder: &Path, scenario: &str) -> Result<PathBuf, Failure> {
    std::fs::create_dir_all(folder).map_err(|error| bad(format!("{}: {error}", folder.display())))?;
    let stem = Path::new(scenario).file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let free = (1..10_000).map(|n| folder.join(format!("{stem}-{n}.jsonl"))).find(|path| !path.exists());
    free.ok_or_else(|| bad(format!("{} is full of battles of {stem}; name a file with --log", folder.display())))
}
