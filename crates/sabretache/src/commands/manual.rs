//! Completions and manual pages.

use std::path::Path;

use clap::CommandFactory as _;
use clap_complete::Shell;

use super::print;
use crate::cli::Cli;
use crate::failure::{Failure, bad};

pub(crate) fn completions(shell: Shell) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "sabretache", &mut script);
    print(&String::from_utf8_lossy(&script))
}

pub(crate) fn pages(dir: Option<&Path>) -> Result<(), Failure> {
    match dir {
        Some(dir) => {
            let told = |error: std::io::Error| bad(format!("{}: {error}", dir.display()));
            std::fs::create_dir_all(dir).map_err(told)?;
            clap_mangen::generate_to(Cli::command(), dir).map_err(told)
        }
        None => {
            let mut page = Vec::new();
            let written = clap_mangen::Man::new(Cli::command()).render(&mut page);
            written.map_err(|error| bad(format!("the manual page cannot be written: {error}")))?;
            print(&String::from_utf8_lossy(&page))
        }
    }
}
