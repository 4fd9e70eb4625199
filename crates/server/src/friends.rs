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

use sabretache_engine::ids::Side;
use sabretache_engine::log::Say;
use sabretache_engine::protocol::Request;
use sabretache_engine::session::Seat;
use tokio::sync::broadcast;

pub use self::notices::NoticeOptions;
pub(crate) use self::notices::Notices;
use self::notices::Occasion;
use self::page::Page;
pub(crate) use self::routes::routes;
use crate::hall::Hall;
use crate::messages::ServerMessage;
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

/// A battle has gone on. It is told apart: nobody waits for it.
pub(crate) fn moved(
    store: Arc<dyn Store>,
    news: broadcast::Sender<Arc<News>>,
    id: String,
    lines: usize,
    deciding: Option<Side>,
) {
    tokio::spawn(async move {
        let at = now();
        let changed = page::change(&*store, &id, |page| page.turn(lines, deciding, at)).await;
        if let Ok(Some((page, true))) = changed {
            // A failed write here costs a notice at the most: the sweep judges by the page.
            let _ = schedule(&*store, &id, &page).await;
            let _ = news.send(Arc::new(News::of_all(&ServerMessage::Company { company: Box::new(page.now(now())) })));
        }
    });
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
    let notices = hall.notices.clone();
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
                    CLOCK => judge(&hall, &notices, &id).await,
                    _ => tell(&hall, &notices, &id).await,
                };
            }
        }
        notices.send_digests(&hall, &holder).await;
    }
}

/// Judges the clock of a battle: whoever has no time left has lost, and whoever has little is told.
async fn judge(hall: &Hall, notices: &Notices, id: &str) -> Stored<Option<Page>> {
    let at = now();
    let found = page::change(&*hall.store, id, |page| {
        let clock = page.clock.as_mut()?;
        Some((clock.flagged(at), clock.remind(at)))
    });
    let Some((page, found)) = found.await? else {
        hall.store.unwant(id, CLOCK).await?;
        return Ok(None);
    };
    let (flagged, reminded) = found.unwrap_or_default();
    if let Some(side) = flagged
        && let Some(kept) = hall.store.battle(id).await?
    {
        // Where it is over already, this is declined.
        let _ = hall.ask(&kept, Seat::Umpire, &[], Request::Say { say: Say::OutOfTime(side) }).await;
        hall.store.unwant(id, CLOCK).await?;
        return Ok(Some(page));
    }
    if let Some(side) = reminded {
        notices.send(hall, id, side, Occasion::TimeRunsOut).await;
    }
    schedule(&*hall.store, id, &page).await?;
    Ok(Some(page))
}

/// Tells a side that it is to decide, unless it has just looked.
async fn tell(hall: &Hall, notices: &Notices, id: &str) -> Stored<Option<Page>> {
    let at = now();
    let found = page::change(&*hall.store, id, |page| {
        let (side, _) = page.notice_due().filter(|(_, due)| *due <= at)?;
        page.sitter(side).told = true;
        Some(side)
    });
    let Some((page, side)) = found.await? else {
        hall.store.unwant(id, NOTICE).await?;
        return Ok(None);
    };
    if let Some(side) = side {
        notices.send(hall, id, side, Occasion::YourTurn).await;
    }
    schedule(&*hall.store, id, &page).await?;
    Ok(Some(page))
}
