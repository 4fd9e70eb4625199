//! `sabretache report`: the report of a run, or of all its shards together.

use sabretache_lab::{Results, html, text};

use super::laboratory::told;
use super::simulate::summed_up;
use super::{print, print_json};
use crate::cli::ReportArgs;
use crate::failure::{Failure, bad};

pub(crate) fn run(asked: &ReportArgs) -> Result<(), Failure> {
    let results = Results::read(&asked.folders).map_err(told)?;
    if let Some(out) = &asked.out {
        let failed = |error: std::io::Error| bad(format!("{}: {error}", out.display()));
        let page = out.extension().is_some_and(|ending| ending == "html" || ending == "htm");
        if page && !out.is_dir() {
            std::fs::write(out, html(&results)).map_err(failed)?;
        } else {
            std::fs::create_dir_all(out).map_err(failed)?;
            results.write(out).map_err(told)?;
        }
    }
    if asked.json { print_json(&summed_up(&results, false)) } else { print(&text(&results)) }
}
