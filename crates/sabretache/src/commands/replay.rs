//! `sabretache replay`: a logged battle in words.

use std::path::Path;

use sabretache_engine::erased::AnySession;
use sabretache_engine::log::ruleset_of;
use sabretache_engine::protocol::{Reply, Request};
use sabretache_engine::report::report;
use sabretache_engine::session::{Seat, StoryLine};

use super::{print, print_json};
use crate::books::ruleset;
use crate::failure::{Failure, bad};
use crate::files::read_bytes;

pub(crate) fn run(log: &Path, from: usize, at: Option<usize>, json: bool) -> Result<(), Failure> {
    let mut session = resume(log)?;
    let request = match at {
        Some(moment) => Request::View { moment: Some(moment) },
        None => Request::Story { from },
    };
    match session.answer(Seat::Spectator, &request) {
        Reply::Story { lines } if json => lines.iter().try_for_each(print_json),
        Reply::Story { lines } => print(&lines.iter().map(story_line).collect::<String>()),
        Reply::View { view, .. } if json => print_json(&view),
        Reply::View { view, .. } => print(&report(&view)),
        Reply::Declined { why, .. } => Err(bad(why)),
        other => Err(bad(format!("unexpected answer {other:?}"))),
    }
}

/// A battle taken up from its log.
pub(crate) fn resume(log: &Path) -> Result<Box<dyn AnySession>, Failure> {
    let bytes = read_bytes(log)?;
    let told = |error: &dyn std::fmt::Display| bad(format!("{}: {error}", log.display()));
    let name = ruleset_of(&bytes).map_err(|error| told(&error))?;
    ruleset(&name)?.resume(&bytes).map_err(|error| told(&error))
}

/// An entry of the story, its rolls and events beneath it, each with its clauses.
pub(crate) fn story_line(line: &StoryLine) -> String {
    let side = line.side.map_or(String::new(), |side| format!("{side}: "));
    let overridden = if line.overridden { " (overriding the rules)" } else { "" };
    let mut text = format!("{:>4}  {side}{}{overridden}\n", line.moment, line.text);
    for part in &line.parts {
        let clauses: Vec<String> = part.clauses.iter().map(ToString::to_string).collect();
        let clauses = if clauses.is_empty() { String::new() } else { format!(" [{}]", clauses.join(", ")) };
        text += &format!("        {}{clauses}\n", part.text);
    }
    text
}
