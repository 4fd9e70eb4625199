//! Battles as they are kept: their logs line by line, with the hashes of the secrets of their seats.
//!
//! Whatever the database, one thing decides: a line of a log is written under the key (battle, n), and the second that
//! comes with the same key is told of a conflict. Leases and notices are hints; nothing rests on them.

mod postgres;
mod sqlite;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use sabretache_engine::dice::Commitment;
use sabretache_engine::ids::Side;
use sabretache_engine::interrupt::Standing;
use serde::{Deserialize, Serialize};
use tokio::sync::broadcast;

use crate::agreed::Parley;
use crate::messages::{Players, Secrets};
use crate::seats::Seats;
use crate::secret;

/// What goes wrong with what is kept.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The folder cannot be made.
    #[error("the data folder cannot be made: {0}")]
    Folder(#[from] std::io::Error),
    /// There is no room left.
    #[error("the disk is full: nothing that was acknowledged is lost, and all goes on once there is room")]
    Full,
    /// The database can be read and not written.
    #[error("the database cannot be written: {0} and its folder must belong to the user that serves")]
    ReadOnly(String),
    /// A row is not what was written there.
    #[error("the database is damaged: {0}")]
    Garbled(String),
    /// Somebody else has written that line: load and judge again.
    #[error("the battle has gone on meanwhile")]
    Conflict,
    /// The database does not do as it is told.
    #[error("the database: {0}")]
    Database(sqlx::Error),
    /// The database is of a later version.
    #[error("the database was written by a later version of this program (its tables are of version {0})")]
    Later(i64),
    /// The writer is gone: the server is being stopped.
    #[error("the server is being stopped")]
    Stopped,
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        match &error {
            // SQLITE_FULL, a write that ran out of room half way, and PostgreSQL's disk_full.
            sqlx::Error::Database(cause)
                if cause.code().is_some_and(|code| ["13", "778", "53100"].contains(&&*code)) =>
            {
                Self::Full
            }
            sqlx::Error::Database(cause) if cause.is_unique_violation() => Self::Conflict,
            sqlx::Error::ColumnDecode { .. } | sqlx::Error::Decode(_) => Self::Garbled(error.to_string()),
            _ => Self::Database(error),
        }
    }
}

/// What comes back from what is kept.
pub(crate) type Stored<T> = Result<T, StoreError>;

/// A battle as it is kept.
#[derive(Clone, Debug)]
pub(crate) struct Kept {
    pub(crate) id: String,
    pub(crate) ruleset: String,
    pub(crate) title: String,
    pub(crate) players: Players,
    pub(crate) created: i64,
}

/// The standing instructions of a side as they are kept.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Instructions {
    /// What it lets pass.
    pub(crate) list: Vec<Standing>,
    /// Whether it is asked nothing that is not meaningful and new; nothing where nobody has said.
    pub(crate) quiet: Option<bool>,
}

impl Instructions {
    /// What was kept; before there was anything but the list, the list alone was.
    fn read(text: &str) -> Option<Self> {
        let list = || Some(Self { list: serde_json::from_str(text).ok()?, quiet: None });
        serde_json::from_str(text).ok().or_else(list)
    }
}

/// The log of a battle has so many lines now, and another process may have written them. It only wakes: what happened
/// is read from the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Woken {
    pub(crate) battle: String,
    pub(crate) lines: usize,
}

/// The name of a page of a battle: something small that is kept beside its log.
pub(crate) type PageName = &'static str;

/// What every database does.
#[async_trait]
pub(crate) trait Store: Send + Sync + 'static {
    /// Keeps a new battle with all of its log, and with what is to be agreed on before it begins: all of it or nothing.
    async fn create(&self, kept: &Kept, secrets: &Secrets, log: &str, parley: Option<&Parley>) -> Stored<()>;
    /// Forgets a battle altogether.
    async fn delete(&self, id: &str) -> Stored<()>;
    /// The seats of a battle with the hashes of their secrets.
    async fn seats(&self, id: &str) -> Stored<Vec<(String, Vec<u8>)>>;
    /// What is kept of a battle beside its log.
    async fn battle(&self, id: &str) -> Stored<Option<Kept>>;
    /// How many battles there are.
    async fn count(&self) -> Stored<u64>;
    /// Somebody else plays from now on.
    async fn change_players(&self, id: &str, players: &Players) -> Stored<()>;
    /// The lines of a log from the `from`th on.
    async fn lines(&self, id: &str, from: usize) -> Stored<Vec<String>>;
    /// How many lines a log has.
    async fn length(&self, id: &str) -> Stored<usize>;
    /// How many lines the logs of these battles have; of one that cannot be read, nothing.
    async fn lengths(&self, ids: &[String]) -> Stored<Vec<(String, usize)>> {
        let mut lengths = Vec::new();
        for id in ids {
            if let Ok(length) = self.length(id).await {
                lengths.push((id.clone(), length));
            }
        }
        Ok(lengths)
    }
    /// The same of one, and when the last of its lines was written, in milliseconds since 1970; 0 where that is not known.
    async fn last_line(&self, id: &str) -> Stored<(usize, i64)>;
    /// Adds lines to a log, the first of them as the `from`th; returns once they are on the disk.
    async fn append(&self, id: &str, from: usize, lines: Vec<String>) -> Stored<()>;
    /// Keeps the standing instructions of a side, in place of those before.
    async fn instruct(&self, id: &str, side: Side, given: &Instructions) -> Stored<()>;
    /// The standing instructions of both sides.
    async fn instructions(&self, id: &str) -> Stored<Vec<(Side, Instructions)>>;
    /// What is agreed on so far; nothing for a battle with other dice.
    async fn parley(&self, id: &str) -> Stored<Option<Parley>>;
    /// A side commits to its dice. Whether it had not before.
    async fn commit(&self, id: &str, side: Side, commitment: Commitment) -> Stored<bool>;
    /// A page of a battle.
    async fn page(&self, id: &str, name: PageName) -> Stored<Option<String>>;
    /// Keeps a page (or, for nothing, takes it away) if it still is what it was. Whether it was.
    async fn turn_page(&self, id: &str, name: PageName, was: Option<&str>, text: Option<&str>) -> Stored<bool>;
    /// Something has to be done about a battle, now or at a time (seconds since 1970), in place of what was due before.
    async fn want(&self, id: &str, kind: PageName, due: i64) -> Stored<()>;
    /// It is done, or no longer wanted.
    async fn unwant(&self, id: &str, kind: PageName) -> Stored<()>;
    /// Takes something that is due and that nobody holds, for a while: the battle it is about.
    async fn claim(&self, kind: PageName, holder: &str, lasting: Duration) -> Stored<Option<String>>;
    /// Holds the lease of a battle, or goes on holding it: whether `holder` has it. A hint, never what safety rests on.
    async fn hold(&self, id: &str, holder: &str, lasting: Duration) -> Stored<bool>;
    /// What other processes write; nothing where there are none.
    fn woken(&self) -> Option<broadcast::Receiver<Woken>>;

    /// A battle, and the seats that these secrets belong to.
    async fn admit(&self, id: &str, secrets: &[String]) -> Stored<Option<(Kept, Seats)>> {
        let all = self.seats(id).await?;
        let hashes: Vec<Vec<u8>> = secrets.iter().map(|secret| secret::hash(secret)).collect();
        let held = all.iter().filter(|(_, hash)| hashes.contains(hash)).map(|(seat, _)| seat.as_str());
        let seats = Seats::of(held);
        if seats.held.is_empty() {
            return Ok(None);
        }
        Ok(self.battle(id).await?.map(|kept| (kept, seats)))
    }

    /// The first line of a log, which says how the battle began.
    async fn beginning(&self, id: &str) -> Stored<Option<String>>;

    /// The log of a battle and how many lines it has.
    async fn log(&self, id: &str) -> Stored<(String, usize)> {
        let lines = self.lines(id, 0).await?;
        Ok((lines.concat(), lines.len()))
    }
}

/// Opens what is kept: in this folder, or in PostgreSQL where its address is given.
pub(crate) async fn open(folder: &Path, database: Option<&str>) -> Stored<Arc<dyn Store>> {
    Ok(match database {
        Some(address) => Arc::new(postgres::Postgres::open(address).await?),
        None => Arc::new(sqlite::Sqlite::open(folder).await?),
    })
}

/// Seconds since 1970.
pub(crate) fn now() -> i64 {
    crate::time::now().div_euclid(1_000)
}

fn side_of(word: &str) -> Option<Side> {
    Side::BOTH.into_iter().find(|side| side.to_string() == word)
}

/// What is kept of a parley, as it stands in a row.
struct ParleyRow {
    scenario: String,
    enforcement: String,
    host: Vec<u8>,
    a: Option<String>,
    b: Option<String>,
    begun: bool,
}

impl ParleyRow {
    fn read(self) -> Stored<Parley> {
        let commitment = |text: Option<String>| text.map(Commitment::try_from).transpose().map_err(StoreError::Garbled);
        let enforcement = serde_json::from_str(&self.enforcement);
        Ok(Parley {
            scenario: self.scenario,
            enforcement: enforcement.map_err(|error| StoreError::Garbled(error.to_string()))?,
            host: self.host.try_into().map_err(|_| StoreError::Garbled("a secret has another length".into()))?,
            commitments: [commitment(self.a)?, commitment(self.b)?],
            begun: self.begun,
        })
    }
}
