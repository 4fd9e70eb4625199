//! The battles in memory, and the ways to make new ones.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use sabretache_engine::log::{DiceSource, ruleset_of};
use sabretache_engine::protocol::Request;
use sabretache_engine::scenario::Diagnostics;
use sabretache_engine::session::{Seat, Setup};

use crate::battle::{Answer, Gone, Handle};
use crate::catalogue::Catalogue;
use crate::messages::{BattleMade, BattleNow, DiceKind, NewBattle, NewBranch, NewUpload, Players, Secrets};
use crate::players::{self, Opponents};
use crate::secret;
use crate::store::{Kept, Store, StoreError, now};

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
    fn unusable(why: impl Into<String>) -> Self {
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
    pub(crate) store: Store,
    pub(crate) opponents: Opponents,
    open: Arc<Mutex<HashMap<String, Handle>>>,
}

impl Hall {
    pub(crate) fn new(catalogue: Catalogue, store: Store, opponents: Opponents) -> Self {
        Self { catalogue: Arc::new(catalogue), store, opponents, open: Arc::default() }
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
        let (battles, id) = (Arc::downgrade(&self.open), kept.id.clone());
        let gone = move || {
            let Some(battles) = battles.upgrade() else { return };
            let mut battles = battles.lock().unwrap_or_else(PoisonError::into_inner);
            // It may have been opened again in the meantime.
            if battles.get(&id).is_some_and(Handle::is_gone) {
                battles.remove(&id);
            }
        };
        let handle = Handle::start(kept.clone(), ruleset, self.store.clone(), self.opponents.clone(), gone);
        open.insert(kept.id.clone(), handle.clone());
        Ok(handle)
    }

    /// Asks a battle something, wherever it is.
    pub(crate) async fn ask(&self, kept: &Kept, seat: Seat, request: Request) -> Result<Answer, HallError> {
        for _ in 0..3 {
            if let Ok(answer) = self.open(kept)?.ask(seat, request.clone()).await {
                return Ok(answer);
            }
        }
        Err(HallError::Failed("the battle does not answer".into()))
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

    /// Makes a new battle.
    pub(crate) async fn begin(&self, new: NewBattle) -> Result<BattleMade, HallError> {
        self.check_players(&new.players, new.dice)?;
        let seed = match new.seed {
            Some(seed) => seed,
            None => secret::seed()?,
        };
        let dice = match new.dice {
            DiceKind::Seeded => DiceSource::Seeded(seed),
            DiceKind::Typed => DiceSource::Typed,
        };
        let setup = Setup { enforcement: new.enforcement, dice };
        let catalogue = self.catalogue.clone();
        let begun = blocking(move || {
            let document = catalogue.document(&new.scenario)?;
            catalogue.begin(&document, setup)
        });
        let begun = begun.await?.map_err(|wrong| HallError::wrong("the scenario cannot be fought", wrong))?;
        self.keep(begun.ruleset, begun.title, new.players, &begun.log, None).await
    }

    /// Takes over a battle from its log, once every line of it is proved.
    pub(crate) async fn upload(&self, new: NewUpload) -> Result<BattleMade, HallError> {
        self.check_players(&new.players, DiceKind::Seeded)?;
        let name = ruleset_of(new.log.as_bytes()).map_err(|bad| HallError::unusable(bad.to_string()))?;
        let ruleset = self.catalogue.ruleset(&name);
        let ruleset = ruleset.ok_or_else(|| HallError::unusable(format!("there is no ruleset '{name}' here")))?;
        let proved = blocking(move || {
            // A torn last line counts for nothing; what is kept is what is proved.
            let whole = new.log.rfind('\n').map_or(0, |end| end + 1);
            let log = new.log[..whole].to_owned();
            ruleset.verify(log.as_bytes()).map(|lines| (lines, log)).map_err(|unproved| unproved.to_string())
        });
        let (lines, log) = proved.await?.map_err(|why| HallError::unusable(format!("the log is not proved: {why}")))?;
        let title = title_of(&log);
        self.keep(name, title, new.players, &log, Some(lines)).await
    }

    /// Makes a battle that goes on from an earlier moment of another.
    pub(crate) async fn branch(&self, kept: &Kept, new: NewBranch) -> Result<BattleMade, HallError> {
        self.check_players(&new.players, DiceKind::Seeded)?;
        let seed = match new.seed {
            Some(seed) => seed,
            None => secret::seed()?,
        };
        let branch = self.open(kept)?.branch(new.moment, seed).await;
        let log = branch.map_err(|Gone| HallError::Failed("the battle does not answer".into()))?;
        let log = log.map_err(HallError::unusable)?;
        self.keep(kept.ruleset.clone(), kept.title.clone(), new.players, &log, None).await
    }

    fn check_players(&self, players: &Players, dice: DiceKind) -> Result<(), HallError> {
        if let Some(name) = self.opponents.unknown(players) {
            return Err(HallError::unusable(format!("there is no player called '{name}'")));
        }
        let persons = [&players.a, &players.b].into_iter().all(|name| name == players::PERSON);
        if dice == DiceKind::Typed && !persons {
            return Err(HallError::unusable("a computer player cannot throw real dice: let the program throw them"));
        }
        Ok(())
    }

    async fn keep(
        &self,
        ruleset: String,
        title: String,
        players: Players,
        log: &str,
        proved: Option<usize>,
    ) -> Result<BattleMade, HallError> {
        let kept = Kept { id: secret::name()?, ruleset, title, players, created: now() };
        let secrets = Secrets::fresh()?;
        self.store.create(&kept, &secrets, log).await?;
        Ok(BattleMade { id: kept.id, secrets, proved })
    }
}

fn title_of(log: &str) -> String {
    let first: Option<serde_json::Value> = log.lines().next().and_then(|line| serde_json::from_str(line).ok());
    let title = first.as_ref().and_then(|line| line.pointer("/entry/begun/scenario/title")?.as_str());
    title.unwrap_or_default().to_owned()
}

/// Runs rules code on a thread where it may take its time.
pub(crate) async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, HallError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|_| HallError::Failed("the rules code failed at this".into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_title_stands_in_the_first_line() {
        let log = r#"{"entry":{"begun":{"scenario":{"title":"Maida"}}},"hash":"00"}"#;
        assert_eq!(title_of("no log at all"), "");
        assert_eq!(title_of(log), "Maida");
    }
}
