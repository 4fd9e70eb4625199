//! A battle's story gathered from its session: the account, the maps, the film.

use sabretache_engine::erased::AnySession;
use sabretache_engine::protocol::{Reply, Request};
use sabretache_engine::session::Seat;
use sabretache_engine::view::View;

use crate::film::{Frame, film};
use crate::telling::{Account, tell};

/// So many frames a film has at the most.
const FRAMES: usize = 60;
/// So many turning points have a map.
const TURNING: usize = 2;

/// A battle told afterwards.
pub struct Gathered {
    /// What happened.
    pub account: Account,
    /// The table first, at the end of each turning point, and last, with what stands below each.
    pub maps: Vec<(View, String)>,
    /// The turns that have a map.
    pub turning: Vec<u32>,
    /// The whole battle as an animated picture.
    pub film: String,
}

/// Gathers all that is told of a battle, as somebody who watched it saw it.
pub fn gather(session: &mut dyn AnySession) -> Result<Gathered, String> {
    let last = session.now();
    let story = match session.answer(Seat::Spectator, &Request::Story { from: 0 }) {
        Reply::Story { lines } => lines,
        other => return Err(unexpected(&other)),
    };
    let (first, end) = (view(session, 1)?, view(session, last)?);
    let verdict = session.verdict();
    let account = tell(&story, &first, &end, verdict, &mut |moment| view(session, moment))?;
    let turn = |turn: Option<u32>| turn.map_or(String::new(), |turn| format!("Turn {turn} · "));
    let moments: Vec<(usize, String)> =
        story.iter().map(|line| (line.moment, format!("{}{}", turn(line.turn), line.phase))).collect();
    let step = moments.len().div_ceil(FRAMES).max(1);
    let final_moment = moments.last().cloned();
    let mut frames = Vec::new();
    for (moment, caption) in moments.into_iter().step_by(step).chain(final_moment) {
        frames.push(Frame { view: view(session, moment)?, caption });
    }
    let (turning, maps) = pictures(session, &account, first, end)?;
    Ok(Gathered { account, maps, turning, film: film(&frames) })
}

/// Turns, and maps with what stands under them.
type Pictures = (Vec<u32>, Vec<(View, String)>);

/// The turns with a map, and the maps: the table first, at the end of the turns in which most happened, and last.
fn pictures(session: &mut dyn AnySession, account: &Account, first: View, end: View) -> Result<Pictures, String> {
    let mut weighty: Vec<_> = account.passages.iter().filter(|passage| !passage.quiet).collect();
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

fn view(session: &mut dyn AnySession, moment: usize) -> Result<View, String> {
    match session.answer(Seat::Spectator, &Request::View { moment: Some(moment) }) {
        Reply::View { view, .. } => Ok(*view),
        other => Err(unexpected(&other)),
    }
}

fn unexpected(reply: &Reply) -> String {
    match reply {
        Reply::Declined { why, .. } => why.clone(),
        other => format!("unexpected answer {other:?}"),
    }
}
