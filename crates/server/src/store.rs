//! Battles on disk: their logs line by line in SQLite, with the hashes of the secrets of their seats.
//!
//! One task writes. It takes everything that waits into one transaction, so that two hundred battles cost one sync of
//! the disk and not two hundred; whoever waits is told only after that sync.

use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use sabretache_engine::dice::Commitment;
use sabretache_engine::ids::Side;
use sabretache_engine::interrupt::Standing;
use serde::{Deserialize, Serialize};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{Connection, Row, SqliteConnection, SqlitePool};
use tokio::sync::{mpsc, oneshot};

use crate::agreed::Parley;
use crate::messages::{Players, Secrets};
use crate::seats::Seats;
use crate::secret;

/// How many appends go into one transaction at the most.
const LARGEST_BATCH: usize = 256;

/// The version of the tables below.
const TABLES_VERSION: i64 = 2;

const TABLES: [&str; 4] = [
    "CREATE TABLE battle (id TEXT PRIMARY KEY, ruleset TEXT NOT NULL, title TEXT NOT NULL, player_a TEXT NOT NULL, \
     player_b TEXT NOT NULL, created INTEGER NOT NULL) STRICT",
    "CREATE TABLE line (battle TEXT NOT NULL REFERENCES battle, n INTEGER NOT NULL, text TEXT NOT NULL, \
     PRIMARY KEY (battle, n)) STRICT, WITHOUT ROWID",
    "CREATE TABLE seat (battle TEXT NOT NULL REFERENCES battle, seat TEXT NOT NULL, hash BLOB NOT NULL, \
     PRIMARY KEY (battle, seat)) STRICT, WITHOUT ROWID",
    "CREATE TABLE instructions (battle TEXT NOT NULL REFERENCES battle, side TEXT NOT NULL, list TEXT NOT NULL, \
     PRIMARY KEY (battle, side)) STRICT, WITHOUT ROWID",
];

/// What version 2 added: battles whose dice are agreed on before they begin.
const PARLEY: &str = "CREATE TABLE parley (battle TEXT PRIMARY KEY REFERENCES battle, scenario TEXT NOT NULL, \
     enforcement TEXT NOT NULL, host BLOB NOT NULL, a TEXT, b TEXT) STRICT";

/// What goes wrong with the disk.
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
            // SQLITE_FULL, and a write that ran out of room half way.
            sqlx::Error::Database(cause) if cause.code().is_some_and(|code| code == "13" || code == "778") => {
                Self::Full
            }
            sqlx::Error::ColumnDecode { .. } | sqlx::Error::Decode(_) => Self::Garbled(error.to_string()),
            _ => Self::Database(error),
        }
    }
}

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

/// The database.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    pool: SqlitePool,
    writer: mpsc::Sender<Append>,
}

/// Lines to be added to a log, and who waits for it.
#[derive(Debug)]
struct Append {
    battle: String,
    /// The position of the first of the lines.
    from: usize,
    lines: Vec<String>,
    done: oneshot::Sender<Result<(), StoreError>>,
}

impl Store {
    /// Opens the database in this folder, and makes both if they are not there.
    pub(crate) async fn open(folder: &Path) -> Result<Self, StoreError> {
        std::fs::create_dir_all(folder)?;
        let file = folder.join("battles.sqlite");
        keep_private(&file)?;
        let options = SqliteConnectOptions::new()
            .filename(&file)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(Duration::from_secs(10));
        Self::open_with(options).await
    }

    async fn open_with(options: SqliteConnectOptions) -> Result<Self, StoreError> {
        let pool = SqlitePoolOptions::new().max_connections(4).connect_with(options.clone()).await?;
        prepare(&pool).await.map_err(|error| match error {
            StoreError::Database(sqlx::Error::Database(cause)) if cause.message().contains("readonly") => {
                StoreError::ReadOnly(options.get_filename().display().to_string())
            }
            other => other,
        })?;
        let (writer, waiting) = mpsc::channel(LARGEST_BATCH);
        tokio::spawn(write(
            Writer { connection: Some(SqliteConnection::connect_with(&options).await?), options },
            waiting,
        ));
        Ok(Self { pool, writer })
    }

    /// Keeps a new battle with all of its log.
    pub(crate) async fn create(&self, kept: &Kept, secrets: &Secrets, log: &str) -> Result<(), StoreError> {
        let mut connection = self.pool.acquire().await?;
        let created = insert_battle(&mut connection, kept, secrets, log).await;
        if created.is_err() {
            // A connection whose transaction failed is not used again: what it thinks is under way may not be.
            drop(connection.detach());
        }
        Ok(created?)
    }

    /// A battle, and the seats that these secrets belong to.
    pub(crate) async fn admit(&self, id: &str, secrets: &[String]) -> Result<Option<(Kept, Seats)>, StoreError> {
        let rows = sqlx::query("SELECT seat, hash FROM seat WHERE battle = ?").bind(id).fetch_all(&self.pool).await?;
        let hashes: Vec<Vec<u8>> = secrets.iter().map(|secret| secret::hash(secret)).collect();
        let mut held = Vec::new();
        for row in &rows {
            if hashes.contains(&row.try_get::<Vec<u8>, _>("hash")?) {
                held.push(row.try_get::<&str, _>("seat")?);
            }
        }
        let seats = Seats::of(held.into_iter());
        if seats.held.is_empty() {
            return Ok(None);
        }
        Ok(self.battle(id).await?.map(|kept| (kept, seats)))
    }

    /// What is kept of a battle beside its log.
    pub(crate) async fn battle(&self, id: &str) -> Result<Option<Kept>, StoreError> {
        let row = sqlx::query("SELECT ruleset, title, player_a, player_b, created FROM battle WHERE id = ?")
            .bind(id)
            .fetch_optional(&self.pool)
            .await?;
        let Some(row) = row else { return Ok(None) };
        Ok(Some(Kept {
            id: id.to_owned(),
            ruleset: row.try_get("ruleset")?,
            title: row.try_get("title")?,
            players: Players { a: row.try_get("player_a")?, b: row.try_get("player_b")? },
            created: row.try_get("created")?,
        }))
    }

    /// Somebody else plays from now on.
    pub(crate) async fn change_players(&self, id: &str, players: &Players) -> Result<(), StoreError> {
        sqlx::query("UPDATE battle SET player_a = ?, player_b = ? WHERE id = ?")
            .bind(&players.a)
            .bind(&players.b)
            .bind(id)
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    /// The first line of a log, which says how the battle began.
    pub(crate) async fn beginning(&self, id: &str) -> Result<String, StoreError> {
        let row =
            sqlx::query("SELECT text FROM line WHERE battle = ? AND n = 0").bind(id).fetch_one(&self.pool).await?;
        Ok(row.try_get("text")?)
    }

    /// The log of a battle and how many lines it has.
    pub(crate) async fn log(&self, id: &str) -> Result<(String, usize), StoreError> {
        let rows =
            sqlx::query("SELECT text FROM line WHERE battle = ? ORDER BY n").bind(id).fetch_all(&self.pool).await?;
        let text: Result<String, sqlx::Error> = rows.iter().map(|row| row.try_get::<&str, _>("text")).collect();
        Ok((text?, rows.len()))
    }

    /// Adds lines to a log; returns once they are on the disk.
    pub(crate) async fn append(&self, battle: &str, from: usize, lines: Vec<String>) -> Result<(), StoreError> {
        let (done, written) = oneshot::channel();
        let append = Append { battle: battle.to_owned(), from, lines, done };
        self.writer.send(append).await.map_err(|_| StoreError::Stopped)?;
        written.await.map_err(|_| StoreError::Stopped)?
    }

    /// Keeps the standing instructions of a side, in place of those before.
    pub(crate) async fn instruct(&self, battle: &str, side: Side, given: &Instructions) -> Result<(), StoreError> {
        sqlx::query("INSERT OR REPLACE INTO instructions (battle, side, list) VALUES (?, ?, ?)")
            .bind(battle)
            .bind(side.to_string())
            .bind(serde_json::to_string(given).unwrap_or_default())
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    /// Keeps what is to be agreed on before a battle begins.
    pub(crate) async fn keep_parley(&self, id: &str, parley: &Parley) -> Result<(), StoreError> {
        let hex = |commitment: Option<Commitment>| commitment.map(String::from);
        sqlx::query(
            "INSERT OR REPLACE INTO parley (battle, scenario, enforcement, host, a, b) VALUES (?, ?, ?, ?, ?, ?)",
        )
        .bind(id)
        .bind(&parley.scenario)
        .bind(serde_json::to_string(&parley.enforcement).unwrap_or_default())
        .bind(parley.host.to_vec())
        .bind(hex(parley.commitments[0]))
        .bind(hex(parley.commitments[1]))
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// What is agreed on so far; nothing for a battle with other dice.
    pub(crate) async fn parley(&self, id: &str) -> Result<Option<Parley>, StoreError> {
        let row = sqlx::query(
            "SELECT scenario, enforcement, host, a, b, EXISTS (SELECT 1 FROM line WHERE battle = parley.battle) AS begun \
             FROM parley WHERE battle = ?",
        );
        let Some(row) = row.bind(id).fetch_optional(&self.pool).await? else { return Ok(None) };
        let commitment = |name: &str| {
            let text = row.try_get::<Option<String>, _>(name)?;
            text.map(Commitment::try_from).transpose().map_err(StoreError::Garbled)
        };
        let host: Vec<u8> = row.try_get("host")?;
        let enforcement = serde_json::from_str(row.try_get("enforcement")?);
        Ok(Some(Parley {
            scenario: row.try_get("scenario")?,
            enforcement: enforcement.map_err(|error| StoreError::Garbled(error.to_string()))?,
            host: host.try_into().map_err(|_| StoreError::Garbled("a secret has another length".into()))?,
            commitments: [commitment("a")?, commitment("b")?],
            begun: row.try_get::<i64, _>("begun")? != 0,
        }))
    }

    /// The standing instructions of both sides.
    pub(crate) async fn instructions(&self, battle: &str) -> Result<Vec<(Side, Instructions)>, StoreError> {
        let rows = sqlx::query("SELECT side, list FROM instructions WHERE battle = ?")
            .bind(battle)
            .fetch_all(&self.pool)
            .await?;
        let mut all = Vec::new();
        for row in &rows {
            let (name, list): (&str, &str) = (row.try_get("side")?, row.try_get("list")?);
            let side = Side::BOTH.into_iter().find(|side| side.to_string() == name);
            let garbled = || StoreError::Garbled(format!("standing instructions of '{name}'"));
            all.push((side.ok_or_else(garbled)?, Instructions::read(list).ok_or_else(garbled)?));
        }
        Ok(all)
    }
}

/// The database is its owner's alone: logs of hidden movement and the hashes of secrets stand in it. SQLite gives its
/// further files the same rights.
fn keep_private(file: &Path) -> std::io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(file) {
        // One that may only be read is told of when the database is opened.
        Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => Ok(()),
        Err(error) if error.kind() == std::io::ErrorKind::ReadOnlyFilesystem => Ok(()),
        other => other.map(drop),
    }
}

/// Seconds since 1970.
pub(crate) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}

async fn prepare(pool: &SqlitePool) -> Result<(), StoreError> {
    let mut work = pool.begin_with("BEGIN IMMEDIATE").await?;
    let version: i64 = sqlx::query("PRAGMA user_version").fetch_one(&mut *work).await?.get(0);
    match version {
        0 => {
            for table in TABLES {
                sqlx::query(table).execute(&mut *work).await?;
            }
            sqlx::query(PARLEY).execute(&mut *work).await?;
            sqlx::query("PRAGMA user_version = 2").execute(&mut *work).await?;
        }
        1 => {
            sqlx::query(PARLEY).execute(&mut *work).await?;
            sqlx::query("PRAGMA user_version = 2").execute(&mut *work).await?;
        }
        TABLES_VERSION => {}
        later => return Err(StoreError::Later(later)),
    }
    Ok(work.commit().await?)
}

async fn insert_battle(
    connection: &mut SqliteConnection,
    kept: &Kept,
    secrets: &Secrets,
    log: &str,
) -> Result<(), sqlx::Error> {
    let mut work = connection.begin_with("BEGIN IMMEDIATE").await?;
    sqlx::query("INSERT INTO battle (id, ruleset, title, player_a, player_b, created) VALUES (?, ?, ?, ?, ?, ?)")
        .bind(&kept.id)
        .bind(&kept.ruleset)
        .bind(&kept.title)
        .bind(&kept.players.a)
        .bind(&kept.players.b)
        .bind(kept.created)
        .execute(&mut *work)
        .await?;
    for (seat, hash) in secrets.hashes() {
        sqlx::query("INSERT INTO seat (battle, seat, hash) VALUES (?, ?, ?)")
            .bind(&kept.id)
            .bind(seat)
            .bind(hash)
            .execute(&mut *work)
            .await?;
    }
    for (n, line) in log.split_inclusive('\n').enumerate() {
        insert_line(&mut work, &kept.id, n, line).await?;
    }
    work.commit().await
}

async fn insert_line(connection: &mut SqliteConnection, battle: &str, n: usize, text: &str) -> Result<(), sqlx::Error> {
    sqlx::query("INSERT INTO line (battle, n, text) VALUES (?, ?, ?)")
        .bind(battle)
        .bind(i64::try_from(n).unwrap_or(i64::MAX))
        .bind(text)
        .execute(connection)
        .await?;
    Ok(())
}

/// The connection of the task that writes, and how to make another.
struct Writer {
    connection: Option<SqliteConnection>,
    options: SqliteConnectOptions,
}

impl Writer {
    /// Writes all of these or none. A connection whose transaction failed is not used again: the database may have ended
    /// the transaction on its own (a full disk), and what the connection thinks is under way is not.
    async fn write(&mut self, batch: &[Append]) -> Result<(), StoreError> {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => SqliteConnection::connect_with(&self.options).await?,
        };
        write_together(&mut connection, batch).await?;
        self.connection = Some(connection);
        Ok(())
    }
}

/// Writes whatever waits, until nobody can send any more.
async fn write(mut writer: Writer, mut waiting: mpsc::Receiver<Append>) {
    let mut batch = Vec::new();
    while waiting.recv_many(&mut batch, LARGEST_BATCH).await > 0 {
        let whole = writer.write(&batch).await.is_ok();
        for append in batch.drain(..) {
            // One faulty append must not fail the others with it.
            let written = if whole { Ok(()) } else { writer.write(std::slice::from_ref(&append)).await };
            // The one who waited may have gone; the lines are kept all the same.
            let _ = append.done.send(written);
        }
    }
}

async fn write_together(connection: &mut SqliteConnection, batch: &[Append]) -> Result<(), sqlx::Error> {
    let mut work = connection.begin_with("BEGIN IMMEDIATE").await?;
    for append in batch {
        for (k, line) in append.lines.iter().enumerate() {
            insert_line(&mut work, &append.battle, append.from + k, line).await?;
        }
    }
    work.commit().await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::messages::SeatName;

    fn kept(id: &str) -> Kept {
        let players = Players::default();
        Kept { id: id.into(), ruleset: "picket".into(), title: "The ford".into(), players, created: now() }
    }

    #[tokio::test]
    async fn what_was_appended_is_there_after_opening_again() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).await.unwrap();
        store.create(&kept("b"), &Secrets::fresh(Vec::new()).unwrap(), "one\n").await.unwrap();
        store.append("b", 1, vec!["two\n".into(), "three\n".into()]).await.unwrap();
        drop(store);
        let store = Store::open(folder.path()).await.unwrap();
        assert_eq!(store.log("b").await.unwrap(), ("one\ntwo\nthree\n".into(), 3));
    }

    #[tokio::test]
    async fn a_line_is_never_written_over_and_others_in_the_batch_do_not_suffer() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).await.unwrap();
        for id in ["b", "c"] {
            store.create(&kept(id), &Secrets::fresh(Vec::new()).unwrap(), "one\n").await.unwrap();
        }
        let (wrong, right) =
            tokio::join!(store.append("b", 0, vec!["other\n".into()]), store.append("c", 1, vec!["two\n".into()]));
        assert!(wrong.is_err() && right.is_ok());
        assert_eq!(store.log("b").await.unwrap().0, "one\n");
        assert_eq!(store.log("c").await.unwrap().0, "one\ntwo\n");
    }

    #[tokio::test]
    async fn a_full_disk_is_told_and_all_goes_on_when_there_is_room() {
        let folder = tempfile::tempdir().unwrap();
        let options =
            SqliteConnectOptions::new().filename(folder.path().join("battles.sqlite")).create_if_missing(true);
        let small = options.clone().journal_mode(SqliteJournalMode::Wal).pragma("max_page_count", "60");
        let store = Store::open_with(small).await.unwrap();
        for id in ["b", "c"] {
            store.create(&kept(id), &Secrets::fresh(Vec::new()).unwrap(), "one\n").await.unwrap();
        }
        let line = || format!("{}\n", "x".repeat(20_000));
        let mut written = 0;
        let full = loop {
            match store.append("b", 1 + written, vec![line()]).await {
                Ok(()) => written += 1,
                Err(error) => break error,
            }
        };
        assert!(matches!(full, StoreError::Full) && written > 2, "{full} after {written}");
        assert!(matches!(store.append("b", 1 + written, vec![line()]).await, Err(StoreError::Full)), "it stays full");
        let new = store.create(&kept("d"), &Secrets::fresh(Vec::new()).unwrap(), &line()).await;
        assert!(matches!(new, Err(StoreError::Full)), "{new:?}");
        // What was acknowledged is there, and small things go on as long as they fit.
        assert_eq!(store.log("b").await.unwrap().1, 1 + written);
        let mut other = SqliteConnection::connect_with(&options).await.unwrap();
        sqlx::query("DELETE FROM line WHERE battle = 'b' AND n > 1").execute(&mut other).await.unwrap();
        store.append("c", 1, vec![line()]).await.unwrap();
        store.create(&kept("d"), &Secrets::fresh(Vec::new()).unwrap(), "one\n").await.unwrap();
        assert_eq!(store.log("c").await.unwrap().1, 2);
    }

    #[tokio::test]
    async fn garbled_rows_are_told_and_nothing_falls_over() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).await.unwrap();
        store.create(&kept("b"), &Secrets::fresh(Vec::new()).unwrap(), "one\n").await.unwrap();
        sqlx::query("INSERT INTO instructions (battle, side, list) VALUES ('b', 'C', '[')")
            .execute(&store.pool)
            .await
            .unwrap();
        assert!(matches!(store.instructions("b").await, Err(StoreError::Garbled(_))));
        sqlx::query("INSERT INTO parley VALUES ('b', '', '\"referee\"', x'00', NULL, NULL)")
            .execute(&store.pool)
            .await
            .unwrap();
        assert!(matches!(store.parley("b").await, Err(StoreError::Garbled(_))));
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn the_database_is_its_owner_s_alone() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).await.unwrap();
        store.create(&kept("b"), &Secrets::fresh(Vec::new()).unwrap(), "one\n").await.unwrap();
        for entry in std::fs::read_dir(folder.path()).unwrap() {
            let entry = entry.unwrap();
            let rights = entry.metadata().unwrap().permissions().mode() & 0o777;
            assert_eq!(rights, 0o600, "{:?}", entry.file_name());
        }
    }

    #[tokio::test]
    async fn only_the_right_secret_admits() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).await.unwrap();
        let secrets = Secrets::fresh(Vec::new()).unwrap();
        store.create(&kept("b"), &secrets, "one\n").await.unwrap();
        let seats = |given: Vec<String>| {
            let store = store.clone();
            async move { store.admit("b", &given).await.unwrap().map(|(_, seats)| seats.held) }
        };
        assert_eq!(seats(vec![secrets.b.clone()]).await, Some(vec![SeatName::B]));
        assert_eq!(seats(vec![secrets.b.clone(), secrets.a.clone()]).await, Some(vec![SeatName::A, SeatName::B]));
        assert_eq!(seats(vec!["wrong".into()]).await, None);
        assert_eq!(seats(vec![]).await, None);
        assert_eq!(seats(vec![hex::encode(secret::hash(&secrets.a))]).await, None, "the stored hash is no secret");
    }
}
