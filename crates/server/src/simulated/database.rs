//! The database of a simulated day: it keeps what it is told in memory, and it is slow, fails before or after it has
//! written, or cannot be reached, as the day has it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use sabretache_engine::dice::{Commitment, Seeded};
use sabretache_engine::ids::Side;
use tokio::sync::broadcast;
use tokio::time::sleep;

use super::note;
use crate::agreed::Parley;
use crate::messages::{Players, Secrets};
use crate::store::{Instructions, Kept, PageName, Store, StoreError, Stored, Woken, now};

/// A battle with all that is kept beside it.
struct Row {
    kept: Kept,
    seats: Vec<(String, Vec<u8>)>,
    lines: Vec<String>,
    /// When the last of them was written.
    at: i64,
    instructions: BTreeMap<Side, Instructions>,
    parley: Option<Parley>,
    pages: BTreeMap<PageName, String>,
    jobs: BTreeMap<PageName, Job>,
    lease: Option<(String, i64)>,
}

#[derive(Default)]
struct Job {
    due: i64,
    until: i64,
}

/// What goes wrong at present.
#[derive(Default)]
pub(super) struct Trouble {
    /// Of a hundred requests so many fail before anything is written, and so many after it was.
    pub(super) before: u32,
    pub(super) after: u32,
    /// The processes that cannot reach the database.
    pub(super) cut: BTreeSet<&'static str>,
}

struct Tables {
    battles: BTreeMap<String, Row>,
    trouble: Trouble,
    random: Seeded,
    /// How many lines of logs each process has read.
    read: BTreeMap<&'static str, usize>,
}

/// What all processes share. It outlives each of them.
pub(super) struct Database {
    tables: Mutex<Tables>,
    woken: broadcast::Sender<Woken>,
}

impl Database {
    pub(super) fn new(seed: u64) -> Arc<Self> {
        let tables = Tables {
            battles: BTreeMap::new(),
            trouble: Trouble::default(),
            random: Seeded::for_choice(seed, 1),
            read: BTreeMap::new(),
        };
        Arc::new(Self { tables: Mutex::new(tables), woken: broadcast::channel(64).0 })
    }

    fn tables(&self) -> MutexGuard<'_, Tables> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn trouble(&self, change: impl FnOnce(&mut Trouble)) {
        change(&mut self.tables().trouble);
    }

    /// How many lines of logs a process has read.
    pub(super) fn lines_read(&self, process: &str) -> usize {
        self.tables().read.get(process).copied().unwrap_or_default()
    }

    /// Every battle and its log.
    pub(super) fn logs(&self) -> Vec<(String, Vec<String>)> {
        self.tables().battles.iter().map(|(id, row)| (id.clone(), row.lines.clone())).collect()
    }

    /// How often a text stands in the log of a battle.
    pub(super) fn times(&self, battle: &str, text: &str) -> usize {
        let tables = self.tables();
        let lines = tables.battles.get(battle).map_or(&[][..], |row| &row.lines);
        lines.iter().filter(|line| line.contains(text)).count()
    }
}

/// The way of one process to the database.
pub(super) struct Way {
    pub(super) database: Arc<Database>,
    pub(super) process: &'static str,
}

fn broken<T>() -> Stored<T> {
    Err(StoreError::Database(sqlx::Error::PoolTimedOut))
}

impl Way {
    /// The time a request takes, and whether it comes through.
    async fn ask(&self) -> Stored<()> {
        let (cut, fails, wait) = {
            let mut tables = self.database.tables();
            let cut = tables.trouble.cut.contains(self.process);
            let fails = tables.random.below(100) < tables.trouble.before;
            note(|| format!("{} asks", self.process));
            (cut, fails, u64::from(tables.random.below(20)))
        };
        sleep(Duration::from_millis(if cut { 1_500 } else { wait })).await;
        if cut || fails { broken() } else { Ok(()) }
    }

    fn read<T>(&self, id: &str, read: impl FnOnce(&Row) -> T) -> Option<T> {
        self.database.tables().battles.get(id).map(read)
    }

    /// Writes, and may say that it has not.
    async fn write<T>(&self, write: impl FnOnce(&mut Tables) -> Stored<T>) -> Stored<T> {
        self.ask().await?;
        let (written, lost) = {
            let mut tables = self.database.tables();
            let written = write(&mut tables);
            let lost = tables.random.below(100) < tables.trouble.after;
            note(|| format!("{} has written: {} {lost}", self.process, written.is_ok()));
            (written, lost)
        };
        if lost && written.is_ok() { broken() } else { written }
    }

    async fn change<T>(&self, id: &str, change: impl FnOnce(&mut Row) -> T) -> Stored<Option<T>> {
        self.write(|tables| Ok(tables.battles.get_mut(id).map(change))).await
    }
}

#[async_trait]
impl Store for Way {
    async fn create(&self, kept: &Kept, secrets: &Secrets, log: &str, parley: Option<&Parley>) -> Stored<()> {
        let row = Row {
            kept: kept.clone(),
            seats: secrets.hashes(),
            lines: log.split_inclusive('\n').map(str::to_owned).collect(),
            at: crate::time::now(),
            instructions: BTreeMap::new(),
            parley: parley.cloned(),
            pages: BTreeMap::new(),
            jobs: BTreeMap::new(),
            lease: None,
        };
        self.write(|tables| match tables.battles.contains_key(&kept.id) {
            true => Err(StoreError::Conflict),
            false => {
                tables.battles.insert(kept.id.clone(), row);
                Ok(())
            }
        })
        .await
    }

    async fn delete(&self, id: &str) -> Stored<()> {
        self.write(|tables| {
            tables.battles.remove(id);
            Ok(())
        })
        .await
    }

    async fn seats(&self, id: &str) -> Stored<Vec<(String, Vec<u8>)>> {
        self.ask().await?;
        Ok(self.read(id, |row| row.seats.clone()).unwrap_or_default())
    }

    async fn battle(&self, id: &str) -> Stored<Option<Kept>> {
        self.ask().await?;
        Ok(self.read(id, |row| row.kept.clone()))
    }

    async fn count(&self) -> Stored<u64> {
        self.ask().await?;
        Ok(self.database.tables().battles.len() as u64)
    }

    async fn change_players(&self, id: &str, players: &Players) -> Stored<()> {
        self.change(id, |row| row.kept.players = players.clone()).await.map(drop)
    }

    async fn lines(&self, id: &str, from: usize) -> Stored<Vec<String>> {
        self.ask().await?;
        let lines: Vec<String> =
            self.read(id, |row| row.lines.iter().skip(from).cloned().collect()).unwrap_or_default();
        *self.database.tables().read.entry(self.process).or_default() += lines.len();
        Ok(lines)
    }

    async fn length(&self, id: &str) -> Stored<usize> {
        self.ask().await?;
        Ok(self.read(id, |row| row.lines.len()).unwrap_or_default())
    }

    async fn last_line(&self, id: &str) -> Stored<(usize, i64)> {
        self.ask().await?;
        Ok(self.read(id, |row| (row.lines.len(), row.at)).unwrap_or_default())
    }

    async fn append(&self, id: &str, from: usize, lines: Vec<String>) -> Stored<()> {
        let written = self
            .write(|tables| {
                let row = tables.battles.get_mut(id).ok_or(StoreError::Stopped)?;
                if row.lines.len() != from {
                    return Err(StoreError::Conflict);
                }
                note(|| format!("{id} {from}: {}", lines.concat()));
                row.lines.extend(lines);
                row.at = crate::time::now();
                Ok(row.lines.len())
            })
            .await?;
        // Every fifth notice is lost on its way.
        if self.database.tables().random.below(5) > 0 {
            let _ = self.database.woken.send(Woken { battle: id.to_owned(), lines: written });
        }
        Ok(())
    }

    async fn instruct(&self, id: &str, side: Side, given: &Instructions) -> Stored<()> {
        self.change(id, |row| row.instructions.insert(side, given.clone())).await.map(drop)
    }

    async fn instructions(&self, id: &str) -> Stored<Vec<(Side, Instructions)>> {
        self.ask().await?;
        let all = |row: &Row| row.instructions.iter().map(|(side, given)| (*side, given.clone())).collect();
        Ok(self.read(id, all).unwrap_or_default())
    }

    async fn parley(&self, id: &str) -> Stored<Option<Parley>> {
        self.ask().await?;
        let begun = |row: &Row| row.parley.clone().map(|parley| Parley { begun: !row.lines.is_empty(), ..parley });
        Ok(self.read(id, begun).flatten())
    }

    async fn commit(&self, id: &str, side: Side, commitment: Commitment) -> Stored<bool> {
        let commit = |row: &mut Row| {
            let place = row.parley.as_mut().map(|parley| &mut parley.commitments[side.index()]);
            place.filter(|place| place.is_none()).map(|place| *place = Some(commitment)).is_some()
        };
        Ok(self.change(id, commit).await?.unwrap_or_default())
    }

    async fn page(&self, id: &str, name: PageName) -> Stored<Option<String>> {
        self.ask().await?;
        Ok(self.read(id, |row| row.pages.get(name).cloned()).flatten())
    }

    async fn turn_page(&self, id: &str, name: PageName, was: Option<&str>, text: Option<&str>) -> Stored<bool> {
        let turn = |row: &mut Row| {
            let is = row.pages.get(name).map(String::as_str) == was;
            if is {
                match text {
                    Some(text) => drop(row.pages.insert(name, text.to_owned())),
                    None => drop(row.pages.remove(name)),
                }
            }
            is
        };
        Ok(self.change(id, turn).await?.unwrap_or_default())
    }

    async fn want(&self, id: &str, kind: PageName, due: i64) -> Stored<()> {
        self.change(id, |row| row.jobs.entry(kind).or_default().due = due).await.map(drop)
    }

    async fn unwant(&self, id: &str, kind: PageName) -> Stored<()> {
        self.change(id, |row| row.jobs.remove(kind)).await.map(drop)
    }

    async fn claim(&self, kind: PageName, _: &str, lasting: Duration) -> Stored<Option<String>> {
        let at = now();
        let until = at + i64::try_from(lasting.as_secs()).unwrap_or(i64::MAX).max(1);
        self.write(|tables| {
            let due = |row: &&mut Row| row.jobs.get(kind).is_some_and(|job| job.due <= at && job.until <= at);
            let row = tables.battles.values_mut().find(due);
            Ok(row.map(|row| {
                row.jobs.entry(kind).or_default().until = until;
                row.kept.id.clone()
            }))
        })
        .await
    }

    async fn hold(&self, id: &str, holder: &str, lasting: Duration) -> Stored<bool> {
        let at = now();
        let until = at + i64::try_from(lasting.as_secs()).unwrap_or(i64::MAX).max(1);
        let hold = |row: &mut Row| {
            let free = row.lease.as_ref().is_none_or(|(who, until)| who == holder || *until <= at);
            if free {
                row.lease = Some((holder.to_owned(), until));
            }
            free
        };
        Ok(self.change(id, hold).await?.unwrap_or_default())
    }

    fn woken(&self) -> Option<broadcast::Receiver<Woken>> {
        Some(self.database.woken.subscribe())
    }

    async fn beginning(&self, id: &str) -> Stored<Option<String>> {
        self.ask().await?;
        Ok(self.read(id, |row| row.lines.first().cloned()).flatten())
    }
}
