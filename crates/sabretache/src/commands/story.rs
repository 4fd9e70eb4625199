//! `sabretache story`: a battle told afterwards, as a page, as a PDF and as a film.

use std::path::Path;

use sabretache_story::{Account, gather, page};

use super::booklet::{set, write};
use super::print;
use super::replay::resume;
use crate::failure::{Failure, bad};

pub(crate) fn run(log: &Path, html: Option<&Path>, film: Option<&Path>, pdf: Option<&Path>) -> Result<(), Failure> {
    let told = gather(&mut *resume(log)?).map_err(bad)?;
    if let Some(path) = film {
        write(path, told.film.as_bytes())?;
    }
    if let Some(path) = pdf {
        set(&sabretache_print::story(&told.account, &told.maps, &told.turning), path)?;
    }
    match html {
        Some(path) => write(path, page(&told.account, &told.maps, &told.turning, &told.film).as_bytes()),
        None if pdf.is_some() => Ok(()),
        None => print(&prose(&told.account)),
    }
}

/// The prose alone, for the terminal.
fn prose(account: &Account) -> String {
    let mut text = account.armies.join(" ");
    if !text.is_empty() {
        text += "\n\n";
    }
    for passage in account.passages.iter().filter(|passage| !passage.sentences.is_empty()) {
        text += &format!("Turn {}. {}\n\n", passage.turn, passage.sentences.join(" "));
    }
    if let Some(verdict) = &account.verdict {
        text += &format!("{}\n", verdict.sentence);
    }
    text
}
