//! Battles between friends far apart: an invitation, names without accounts, words beside the battle, a clock over days,
//! and notices to who does not look.
//!
//! All of it stands on one page beside the log of a battle, which is changed only if it still is what it was: any process
//! may do so. What bears on the battle itself (giving up, a draw, taking back, time run out) is a line of the log.

mod clock;
mod mail;
pub mod messages;
mod notices;
mod page;
mod picture;
mod push;
mod routes;

use std::sync::Arc;
use std::time::Duration;

use sabretache_engine::log::Say;
use sabretache_engine::protocol::Request;
use sabretache_engine::session::Seat;
use tokio::sync::broadcast;

use self::messages::CompanyNow;
pub use self::notices::NoticeOptions;
pub(crate) use self::notices::Notices;
use self::notices::Occasion;
use self::page::Page;
pub(crate) use self::page::Turn;
pub(crate) use self::routes::{is_lonely, routes};
use crate::hall::Hall;
use crate::messages::{BattleNow, ServerMessage};
use crate::news::News;
use crate::store::{PageName, Store, Stored};
use crate::time::now;

/// What is to be done about a battle: its clock is to be looked at, somebody is to be told.
const CLOCK: PageName = "clock";
const NOTICE: PageName = "notice";
/// How often it is looked for something to do, and how long one that does it may take.
const SWEEP: Duration = Duration::from_secs(1);
const HELD: Duration = Duration::from_secs(5);
/// How many battles are seen to in one sweep.
const AT_ONCE: usize = 100;

/// A battle has gone on, or back.
pub(crate) async fn moved(store: Arc<dyn Store>, news: broadcast::Sender<Arc<News>>, id: String, turn: Turn) {
    let at = now();
    let changed = page::change(&*store, &id, |page| page.turn(turn, at)).await;
    if let Ok(Some((page, true))) = changed {
        // Where a write fails here, the page is turned when somebody next looks at it or its clock is judged.
        let _ = schedule(&*store, &id, &page).await;
        let _ = news.send(Arc::new(News::of_all(&ServerMessage::Company { company: Box::new(page.now(now())) })));
    }
}

/// Turns a page that was left behind: the process that wrote the last line was killed before it could, or the database
/// failed. The time of that line counts, not the time at which it is found.
async fn follow(hall: &Hall, id: &str) -> Stored<()> {
    let Some(page) = page::read(&*hall.store, id).await? else { return Ok(()) };
    let (lines, at) = hall.store.last_line(id).await?;
    if lines <= page.lines {
        return Ok(());
    }
    let Some(kept) = hall.store.battle(id).await? else { return Ok(()) };
    // A battle that cannot be taken up has nobody who decides in it.
    let Ok(standing) = hall.standing(&kept).await else { return Ok(()) };
    let at = if at > 0 && standing.lines == lines { at } else { now() };
    let BattleNow { lines, moment, deciding, owing, .. } = standing;
    let turned = page::change(&*hall.store, id, |page| page.turn(Turn { lines, moment, deciding, owing }, at)).await?;
    if let Some((page, true)) = turned {
        schedule(&*hall.store, id, &page).await?;
    }
    Ok(())
}

/// What those who listen have heard of a page.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Heard {
    next_word: u64,
    company: CompanyNow,
}

/// What is new on the page of a battle since it was last heard of. The last word is told again to those who have heard of
/// none: words have numbers.
pub(crate) async fn news(store: &dyn Store, id: &str, heard: &mut Option<Heard>) -> Vec<ServerMessage> {
    let Ok(Some(page)) = page::read(store, id).await else { return Vec::new() };
    // That somebody looks again is no news.
    let mut company = page.now(0);
    company.sitters.iter_mut().for_each(|sitter| sitter.seen = 0);
    let next = Heard { next_word: page.next_word, company };
    let before = heard.replace(next.clone());
    let known = before.as_ref().map_or(page.next_word.saturating_sub(1), |before| before.next_word);
    let mut all = Vec::new();
    if before.is_none_or(|before| before.company != next.company) {
        all.push(ServerMessage::Company { company: Box::new(page.now(now())) });
    }
    let words = page.words.iter().filter(|word| word.n >= known);
    all.extend(words.map(|word| ServerMessage::Word { word: word.clone() }));
    all
}

/// Says when the page of a battle has to be looked at again.
async fn schedule(store: &dyn Store, id: &str, page: &Page) -> Stored<()> {
    // A part of a second more is nothing; a part less would be too early.
    let second = |at: i64| at.div_euclid(1_000) + 1;
    match page.clock.as_ref().and_then(|clock| clock.next(now())) {
        Some(at) => store.want(id, CLOCK, second(at)).await?,
        None => store.unwant(id, CLOCK).await?,
    }
    match page.notice_due() {
        Some((_, at)) => store.want(id, NOTICE, second(at)).await,
        None => store.unwant(id, NOTICE).await,
    }
}

/// Looks at clocks and sends notices, as long as the server runs. It may be repeated, by any number of processes.
pub(crate) async fn sweep(hall: Hall) {
    let holder = crate::secret::name().unwrap_or_default();
    let mut every = tokio::time::interval(SWEEP);
    every.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        every.tick().await;
        for kind in [CLOCK, NOTICE] {
            for _ in 0..AT_ONCE {
                let Ok(Some(id)) = hall.store.claim(kind, &holder, HELD).await else { break };
                // What fails now is due again when nobody holds it any more.
                let _ = match kind {
                    CLOCK => judge(&hall, &id).await,
                    _ => tell(&hall, &id).await,
                };
            }
        }
        hall.notices.send_digests(&hall, &holder).await;
    }
}

/// Judges the clock of a battle: whoever has no time left has lost, and whoever has little is to be told.
async fn judge(hall: &Hall, id: &str) -> Stored<()> {
    follow(hall, id).await?;
    let at = now();
    let found = page::change(&*hall.store, id, |page| {
        let clock = page.clock.as_mut()?;
        let (flagged, reminded) = (clock.flagged(at), clock.remind(at));
        if let Some(side) = reminded {
            page.sitter(side).warn = true;
        }
        flagged
    });
    let Some((page, flagged)) = found.await? else { return hall.store.unwant(id, CLOCK).await };
    if let Some(side) = flagged
        && let Some(kept) = hall.store.battle(id).await?
    {
        // Where it is over already, this is declined.
        let _ = hall.ask(&kept, Seat::Umpire, &[], Request::Say { say: Say::OutOfTime(side) }).await;
        let over = hall.standing(&kept).await.is_ok_and(|standing| standing.deciding.is_none());
        // Where it could not be written, it stays due.
        return if over { hall.store.unwant(id, CLOCK).await } else { Ok(()) };
    }
    schedule(&*hall.store, id, &page).await
}

/// Tells a side that it is to decide, unless it has just looked, or that its time runs out. The notice goes out apart:
/// nobody's clock waits for anybody's mail server.
async fn tell(hall: &Hall, id: &str) -> Stored<()> {
    follow(hall, id).await?;
    let at = now();
    let found = page::change(&*hall.store, id, |page| {
        let (side, _) = page.notice_due().filter(|(_, due)| *due <= at)?;
        Some((side, page.begin_telling(side, at)))
    });
    let Some((page, telling)) = found.await? else { return hall.store.unwant(id, NOTICE).await };
    schedule(&*hall.store, id, &page).await?;
    if let Some((side, (telling, warns))) = telling {
        let (hall, id) = (hall.clone(), id.to_owned());
        tokio::spawn(async move {
            let occasion = if warns { Occasion::TimeRunsOut } else { Occasion::YourTurn };
            let arrived = hall.notices.send(&hall, &id, side, occasion).await;
            let ended = page::change(&*hall.store, &id, |page| page.end_telling(side, telling, arrived)).await;
            if let Ok(Some((page, ()))) = ended {
                let _ = schedule(&*hall.store, &id, &page).await;
            }
        });
    }
    Ok(())
}
