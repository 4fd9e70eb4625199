//! `sabretache ladder`: computer players against each other.

use std::path::Path;
use std::sync::atomic::Ordering;

use sabretache_lab::{Match, Watch, ladder};
use sabretache_players::Agreement;

use super::laboratory::{Bar, field, interruptible, on_threads, tell_failures, told};
use super::{print, print_json};
use crate::cli::Ladder;
use crate::failure::{Failure, bad};

/// How many battles a pair fights, when nothing else is said,
const BATTLES: u64 = 100;
/// and how many at the most, when a test decides.
const MOST: u64 = 20_000;

pub(crate) fn run(asked: &Ladder) -> Result<(), Failure> {
    let mut players = asked.players.clone();
    players.dedup();
    if players.len() < 2 {
        return Err(bad("a ladder takes two players or more: --players recruit,drill-master"));
    }
    let field = field(&asked.scenario, &asked.changed)?;
    let (stop, bar) = (interruptible()?, Bar::new());
    let watch = Watch { progress: &|now| bar.tell(now), stop };
    let matched = Match {
        battles: asked.battles.unwrap_or(if asked.bounds.is_some() { MOST } else { BATTLES }),
        bounds: asked.bounds,
        seed: asked.seed,
        longest: asked.longest,
        agreement: Agreement { one_sided: asked.adjudicate, even: asked.even },
        kept: asked.out.as_deref(),
    };
    let done = on_threads(asked.threads, || ladder(&*field, &players, matched, watch))?;
    bar.finish();
    let ladder = done.map_err(told)?;
    if asked.json {
        print_json(&ladder)?
    } else {
        print(&ladder.to_string())?
    }
    tell_failures(asked.out.as_deref().and_then(Path::parent))?;
    if stop.load(Ordering::Relaxed) { Err(Failure::Interrupted) } else { Ok(()) }
}
