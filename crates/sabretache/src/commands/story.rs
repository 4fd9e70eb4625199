//! `sabretache story`: a battle told afterwards, as a page and as a film.

use std::fs;
use std::path::Path;

use sabretache_engine::erased::AnySession;
use sabretache_engine::protocol::{Reply, Request};
use sabretache_engine::session::Seat;
use sabretache_engine::view::View;
use sabretache_story::{Account, Frame, film, page, tell};

use super::print;
use super::replay::resume;
use crate::failure::{Failure, bad};

/// So many frames a film has at the most.
const FRAMES: usize = 60;
/// So many turning points have a map.
const TURNING: usize = 2;

pub(crate) fn run(log: &Path, html: Option<&Path>, out: Option<&Path>) -> Result<(), Failure> {
    let mut session = resume(log)?;
    let last = session.now();
    let story = match session.answer(Seat::Spectator, &Request::Story { from: 0 }) {
        Reply::Story { lines } => lines,
        other => return Err(unexpected(&other)),
    };
    let (first, end) = (view(&mut *session, 1)?, view(&mut *session, last)?);
    let account = tell(&story, &first, &end, session.verdict());
    let mut moments: Vec<(usize, String)> = story
        .iter()
        .map(|line| {
            (
                line.moment,
                format!("{}{}", line.turn.map_or(String::new(), |turn| format!("Turn {turn} · ")), line.phase),
            )
        })
        .collect();
    let step = moments.len().div_ceil(FRAMES).max(1);
    let final_moment = moments.last().cloned();
    moments = moments.into_iter().step_by(step).chain(final_moment).collect();
    let mut frames = Vec::new();
    for (moment, caption) in moments {
        frames.push(Frame { view: view(&mut *session, moment)?, caption });
    }
    let film = film(&frames);
    if let Some(path) = out {
        write(path, &film)?;
    }
    let (turning, maps) = pictures(&mut *session, &account, first, end)?;
    match html {
        Some(path) => write(path, &page(&account, &maps, &turning, &film)),
        None => print(&told(&account)),
    }
}

/// A map, and what it shows.
type Picture = (View, String);

/// The turns with a map, and the maps: the table first, at the end of the turns in which most happened, and last.
fn pictures(
    session: &mut dyn AnySession,
    account: &Account,
    first: View,
    end: View,
) -> Result<(Vec<u32>, Vec<Picture>), Failure> {
    let mut weighty: Vec<_> = account.passages.iter().filter(|passage| !passage.sentences.is_empty()).collect();
    weighty.sort_by_key(|passage| std::cmp::Reverse(passage.weight));
    weighty.truncate(TURNING);
    weighty.sort_by_key(|passage| passage.turn);
    let mut maps = vec![(first, "Before the first shot".to_owned())];
    for passage in &weighty {
        maps.push((view(session, passage.moment)?, format!("At the end of turn {}", passage.turn)));
    }
    maps.push((end, "At the end".to_owned()));
    Ok((weighty.iter().map(|passage| passage.turn).collect(), maps))
}

fn view(session: &mut dyn AnySession, moment: usize) -> Result<View, Failure> {
    match session.answer(Seat::Spectator, &Request::View { moment: Some(moment) }) {
        Reply::View { view, .. } => Ok(*view),
        other => Err(unexpected(&other)),
    }
}

fn unexpected(reply: &Reply) -> Failure {
    match reply {
        Reply::Declined { why, .. } => bad(why),
        other => bad(format!("unexpected answer {other:?}")),
    }
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    fs::write(path, text).map_err(|error| bad(format!("{}: {error}", path.display())))
}

/// The prose alone, for the terminal.
fn told(account: &Account) -> String {
    let mut text = String::new();
    for passage in account.passages.iter().filter(|passage| !passage.sentences.is_empty()) {
        text += &format!("Turn {}. {}\n\n", passage.turn, passage.sentences.join(" "));
    }
    if let Some(verdict) = &account.verdict {
        text += &format!("{}\n", verdict.sentence);
    }
    text
}
