//! The battles in memory, and the ways to them.

mod attend;
mod making;
mod parley;
mod playing;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sabretache_engine::protocol::Request;
use sabretache_engine::scenario::Diagnostics;
use sabretache_engine::session::Seat;

pub(crate) use self::making::dice_of;
use crate::apart::apart;
use crate::battle::{Answer, Gone, Handle, IDLE, Openness, Shared};
use crate::catalogue::Catalogue;
use crate::examples::Examples;
use crate::figures::Figures;
use crate::laboratory::Bench;
use crate::messages::{BattleNow, SeatName};
use crate::players::Opponents;
use crate::secret;
use crate::store::{Kept, Store, StoreError};
use crate::thinkers::Thinkers;

/// How many computer players think at once.
fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// Why a battle was not made or not found.
#[derive(Debug, thiserror::Error)]
pub(crate) enum HallError {
    /// What was sent cannot be used.
    #[error("{why}")]
    Unusable { why: String, diagnostics: Diagnostics },
    /// The disk.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// No random numbers are to be had.
    #[error("no random numbers: {0}")]
    Random(#[from] getrandom::Error),
    /// Anything else that should not happen.
    #[error("{0}")]
    Failed(String),
}

impl HallError {
    pub(crate) fn unusable(why: impl Into<String>) -> Self {
        Self::Unusable { why: why.into(), diagnostics: Diagnostics::new() }
    }

    fn wrong(why: &str, diagnostics: Diagnostics) -> Self {
        Self::Unusable { why: why.into(), diagnostics }
    }
}

/// All the battles of a server.
#[derive(Clone)]
pub(crate) struct Hall {
    pub(crate) catalogue: Arc<Catalogue>,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) opponents: Opponents,
    pub(crate) bench: Arc<Bench>,
    pub(crate) examples: Arc<Examples>,
    pub(crate) exercises: Arc<crate::exercises::Exercises>,
    /// The threads that computer players share.
    pub(crate) thinkers: Arc<Thinkers>,
    /// Those that odds are worked out on.
    pub(crate) odds: Arc<Thinkers>,
    pub(crate) figures: Arc<Figures>,
    /// The ways to those who do not look.
    pub(crate) notices: Arc<crate::friends::Notices>,
    /// The name of this process among those that serve the same battles.
    holder: Arc<str>,
    open: Arc<Mutex<BTreeMap<String, Handle>>>,
    /// How long a battle stays in memory when nobody asks for it.
    idle: Duration,
}

impl Hall {
    pub(crate) fn new(catalogue: Catalogue, store: Arc<dyn Store>, opponents: Opponents, examples: Examples) -> Self {
        let thinkers = Arc::new(Thinkers::new(threads()));
        Self {
            catalogue: Arc::new(catalogue),
            store,
            opponents,
            bench: Arc::new(Bench::new()),
            examples: Arc::new(examples),
            exercises: Arc::default(),
            odds: Arc::new(thinkers.beside()),
            thinkers,
            figures: Arc::default(),
            notices: Arc::new(crate::friends::Notices::silent()),
            holder: secret::name().unwrap_or_default().into(),
            open: Arc::default(),
            idle: IDLE,
        }
    }

    /// The battle in memory; it is brought there if it is not.
    pub(crate) fn open(&self, kept: &Kept) -> Result<Handle, HallError> {
        let ruleset = self.catalogue.ruleset(&kept.ruleset);
        let ruleset =
            ruleset.ok_or_else(|| HallError::unusable(format!("there is no ruleset '{}' here", kept.ruleset)))?;
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(handle) = open.get(&kept.id).filter(|handle| !handle.is_gone()) {
            return Ok(handle.clone());
        }
        let (battles, id, thinkers) = (Arc::downgrade(&self.open), kept.id.clone(), Arc::clone(&self.thinkers));
        let gone = move || {
            thinkers.left(&id);
            let Some(battles) = battles.upgrade() else { return };
            let mut battles = battles.lock().unwrap_or_else(PoisonError::into_inner);
            // It may have been opened again in the meantime.
            if battles.get(&id).is_some_and(Handle::is_gone) {
                battles.remove(&id);
            }
        };
        let shared = Shared {
            store: self.store.clone(),
            opponents: self.opponents.clone(),
            thinkers: Arc::clone(&self.thinkers),
            odds: Arc::clone(&self.odds),
            figures: Arc::clone(&self.figures),
            holder: Arc::clone(&self.holder),
        };
        let handle = Handle::start(kept.clone(), ruleset, shared, self.idle, gone);
        open.insert(kept.id.clone(), handle.clone());
        Ok(handle)
    }

    /// The battle, if it is in memory: otherwise nobody here listens to it.
    pub(crate) fn opened(&self, id: &str) -> Option<Handle> {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.get(id).filter(|handle| !handle.is_gone()).cloned()
    }

    /// The handles of the battles in memory.
    fn handles(&self) -> Vec<(String, Handle)> {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.iter().map(|(id, handle)| (id.clone(), handle.clone())).collect()
    }

    /// How many battles are in memory.
    pub(crate) fn in_memory(&self) -> usize {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Forgets a battle altogether.
    pub(crate) async fn delete(&self, kept: &Kept) -> Result<(), HallError> {
        self.bench.forget(&kept.id);
        self.store.delete(&kept.id).await?;
        let handle = self.open.lock().unwrap_or_else(PoisonError::into_inner).remove(&kept.id);
        if let Some(handle) = handle {
            handle.end().await;
        }
        Ok(())
    }

    /// Asks a battle something, wherever it is.
    pub(crate) async fn ask(
        &self,
        kept: &Kept,
        seat: Seat,
        seats: &[SeatName],
        request: Request,
    ) -> Result<Answer, HallError> {
        for _ in 0..3 {
            if let Ok(answer) = self.open(kept)?.ask(seat, seats.to_vec(), request.clone()).await {
                return Ok(answer);
            }
        }
        Err(HallError::Failed("the battle does not answer".into()))
    }

    /// How much of a battle these seats may know.
    pub(crate) async fn openness(&self, kept: &Kept, seats: &[SeatName]) -> Result<Openness, HallError> {
        let told = self.open(kept)?.openness(seats.to_vec()).await;
        told.map_err(|Gone| HallError::Failed("the battle does not answer".into()))?.map_err(HallError::Failed)
    }

    /// Where a battle stands.
    pub(crate) async fn standing(&self, kept: &Kept) -> Result<BattleNow, HallError> {
        for _ in 0..3 {
            match self.open(kept)?.standing().await {
                Ok(standing) => return standing.map_err(HallError::Failed),
                Err(Gone) => continue,
            }
        }
        Err(HallError::Failed("the battle does not answer".into()))
    }
}

/// Runs rules code on a thread where it may take its time.
pub(crate) async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, HallError> {
    apart(work).await.map_err(|_| HallError::Failed("the rules code failed at this".into()))
}

#[cfg(test)]
mod tests {
    use sabretache_engine::erased::Erased;
    use sabretache_picket::Picket;

    use super::*;

    static PICKET: Erased<Picket> = Erased::RULESET;
    const FORD: &str = include_str!("../../picket/scenarios/ford.toml");

    #[tokio::test]
    async fn a_battle_that_nobody_asks_for_leaves_memory_and_comes_back_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let store = crate::store::open(folder.path(), None).await.unwrap();
        let (catalogue, _) = Catalogue::new(vec![&PICKET], vec![("ford".into(), FORD.into())], Vec::new());
        let mut hall = Hall::new(catalogue, store, Opponents::new(Vec::new(), Vec::new()), Examples::new(Vec::new()));
        hall.idle = Duration::from_millis(50);
        let new = serde_json::from_value(serde_json::json!({ "scenario": "ford", "seed": 1 })).unwrap();
        let made = hall.begin(new).await.unwrap();
        let kept = hall.store.battle(&made.id).await.unwrap().unwrap();
        let choice = serde_json::json!({ "type": "choose", "offer": "end turn" });
        let told =
            hall.ask(&kept, Seat::Umpire, &[SeatName::Umpire], serde_json::from_value(choice).unwrap()).await.unwrap();
        assert!(matches!(told.reply, sabretache_engine::protocol::Reply::Moment { .. }));
        let in_memory = || hall.open.lock().unwrap().len();
        // However long it takes on a busy machine: it must come to it, and what a process says to itself every few seconds, where there are
        // several, keeps nothing there.
        let begun = std::time::Instant::now();
        while in_memory() > 0 {
            if let Some(handle) = hall.opened(&kept.id) {
                handle.wake(0);
                handle.passed(1);
            }
            assert!(begun.elapsed() < Duration::from_secs(60), "it stays for ever");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        let standing = hall.standing(&kept).await.unwrap();
        assert_eq!((standing.lines, standing.moment), (told.lines, 2), "the turn that was ended is still ended");
        assert_eq!(in_memory(), 1);
        // Whoever listens keeps it there.
        let handle = hall.open(&kept).unwrap();
        let _listener = handle.listen();
        tokio::time::sleep(Duration::from_millis(300)).await;
        assert!(!handle.is_gone());
    }
}
