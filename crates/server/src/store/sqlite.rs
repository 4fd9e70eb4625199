//! Battles in SQLite, in the process that serves them.
//!
//! One task writes to logs. It takes everything that waits into one transaction, so that two hundred battles cost one sync
//! of the disk and not two hundred; whoever waits is told only after that sync.

use std::path::Path;
use std::time::Duration;

use async_trait::async_trait;
use sabretache_engine::dice::Commitment;
use sabretache_engine::ids::Side;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{Connection, Row, SqliteConnection, SqlitePool};
use tokio::sync::{broadcast, mpsc, oneshot};

use super::{Instructions, Kept, PageName, ParleyRow, Store, StoreError, Stored, Woken, now, side_of};
use crate::agreed::Parley;
use crate::messages::{Players, Secrets};

/// How many appends go into one transaction at the most.
const LARGEST_BATCH: usize = 256;

/// The version of the tables below.
const TABLES_VERSION: i64 = 3;

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

/// What version 3 added: pages beside a log, and what has to be done about a battle.
const PAGES: [&str; 2] = [
    "CREATE TABLE page (battle TEXT NOT NULL REFERENCES battle, name TEXT NOT NULL, text TEXT NOT NULL, \
     PRIMARY KEY (battle, name)) STRICT, WITHOUT ROWID",
    "CREATE TABLE job (battle TEXT NOT NULL REFERENCES battle, kind TEXT NOT NULL, due INTEGER NOT NULL, \
     holder TEXT, until INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (battle, kind)) STRICT, WITHOUT ROWID",
];

/// The tables that hang on a battle.
const PARTS: [&str; 6] = ["line", "seat", "instructions", "parley", "page", "job"];

/// The database.
#[derive(Clone, Debug)]
pub(crate) struct Sqlite {
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

impl Sqlite {
    /// Opens the database in this folder, and makes both if they are not there.
    pub(crate) async fn open(folder: &Path) -> Stored<Self> {
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

    async fn open_with(options: SqliteConnectOptions) -> Stored<Self> {
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
}

#[async_trait]
impl Store for Sqlite {
    async fn create(&self, kept: &Kept, secrets: &Secrets, log: &str, parley: Option<&Parley>) -> Stored<()> {
        let mut connection = self.pool.acquire().await?;
        let created = insert_battle(&mut connection, kept, secrets, log, parley).await;
        if created.is_err() {
            // A connection whose transaction failed is not used again: what it thinks is under way may not be.
            drop(connection.detach());
        }
        Ok(created?)
    }

    async fn delete(&self, id: &str) -> Stored<()> {
        let mut connection = self.pool.acquire().await?;
        let deleted = delete_battle(&mut connection, id).await;
        if deleted.is_err() {
            drop(connection.detach());
        }
        Ok(deleted?)
    }

    async fn seats(&self, id: &str) -> Stored<Vec<(String, Vec<u8>)>> {
        let rows = sqlx::query("SELECT seat, hash FROM seat WHERE battle = ?").bind(id).fetch_all(&self.pool).await?;
        rows.iter().map(|row| Ok((row.try_get("seat")?, row.try_get("hash")?))).collect()
    }

    async fn battle(&self, id: &str) -> Stored<Option<Kept>> {
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

    async fn count(&self) -> Stored<u64> {
        let count: i64 = sqlx::query("SELECT count(*) FROM battle").fetch_one(&self.pool).await?.try_get(0)?;
        Ok(u64::try_from(count).unwrap_or_default())
    }

    async fn change_players(&self, id: &str, players: &Players) -> Stored<()> {
        sqlx::query("UPDATE battle SET player_a = ?, player_b = ? WHERE id = ?")
            .bind(&players.a)
            .bind(&players.b)
            .bind(id)
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    async fn beginning(&self, id: &str) -> Stored<Option<String>> {
        let row =
            sqlx::query("SELECT text FROM line WHERE battle = ? AND n = 0").bind(id).fetch_optional(&self.pool).await?;
        Ok(row.map(|row| row.try_get("text")).transpose()?)
    }

    async fn lines(&self, id: &str, from: usize) -> Stored<Vec<String>> {
        let rows = sqlx::query("SELECT text FROM line WHERE battle = ? AND n >= ? ORDER BY n")
            .bind(id)
            .bind(place(from))
            .fetch_all(&self.pool)
            .await?;
        rows.iter().map(|row| Ok(row.try_get("text")?)).collect()
    }

    async fn length(&self, id: &str) -> Stored<usize> {
        let row = sqlx::query("SELECT count(*) FROM line WHERE battle = ?").bind(id).fetch_one(&self.pool).await?;
        Ok(usize::try_from(row.try_get::<i64, _>(0)?).unwrap_or_default())
    }

    async fn append(&self, id: &str, from: usize, lines: Vec<String>) -> Stored<()> {
        let (done, written) = oneshot::channel();
        let append = Append { battle: id.to_owned(), from, lines, done };
        self.writer.send(append).await.map_err(|_| StoreError::Stopped)?;
        written.await.map_err(|_| StoreError::Stopped)?
    }

    async fn instruct(&self, id: &str, side: Side, given: &Instructions) -> Stored<()> {
        sqlx::query("INSERT OR REPLACE INTO instructions (battle, side, list) VALUES (?, ?, ?)")
            .bind(id)
            .bind(side.to_string())
            .bind(serde_json::to_string(given).unwrap_or_default())
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    async fn instructions(&self, id: &str) -> Stored<Vec<(Side, Instructions)>> {
        let rows =
            sqlx::query("SELECT side, list FROM instructions WHERE battle = ?").bind(id).fetch_all(&self.pool).await?;
        let mut all = Vec::new();
        for row in &rows {
            let (name, list): (&str, &str) = (row.try_get("side")?, row.try_get("list")?);
            let garbled = || StoreError::Garbled(format!("standing instructions of '{name}'"));
            all.push((side_of(name).ok_or_else(garbled)?, Instructions::read(list).ok_or_else(garbled)?));
        }
        Ok(all)
    }

    async fn parley(&self, id: &str) -> Stored<Option<Parley>> {
        let row = sqlx::query(
            "SELECT scenario, enforcement, host, a, b, EXISTS (SELECT 1 FROM line WHERE battle = parley.battle) AS begun \
             FROM parley WHERE battle = ?",
        );
        let Some(row) = row.bind(id).fetch_optional(&self.pool).await? else { return Ok(None) };
        let row = ParleyRow {
            scenario: row.try_get("scenario")?,
            enforcement: row.try_get("enforcement")?,
            host: row.try_get("host")?,
            a: row.try_get("a")?,
            b: row.try_get("b")?,
            begun: row.try_get::<i64, _>("begun")? != 0,
        };
        row.read().map(Some)
    }

    async fn commit(&self, id: &str, side: Side, commitment: Commitment) -> Stored<bool> {
        let update = match side {
            Side::A => "UPDATE parley SET a = ? WHERE battle = ? AND a IS NULL",
            Side::B => "UPDATE parley SET b = ? WHERE battle = ? AND b IS NULL",
        };
        let done = sqlx::query(update).bind(String::from(commitment)).bind(id).execute(&self.pool).await?;
        Ok(done.rows_affected() == 1)
    }

    async fn page(&self, id: &str, name: PageName) -> Stored<Option<String>> {
        let row = sqlx::query("SELECT text FROM page WHERE battle = ? AND name = ?")
            .bind(id)
            .bind(name)
            .fetch_optional(&self.pool)
            .await?;
        Ok(row.map(|row| row.try_get("text")).transpose()?)
    }

    async fn turn_page(&self, id: &str, name: PageName, was: Option<&str>, text: Option<&str>) -> Stored<bool> {
        let done = match (was, text) {
            (None, None) => return Ok(self.page(id, name).await?.is_none()),
            (None, Some(text)) => {
                sqlx::query("INSERT INTO page (battle, name, text) VALUES (?, ?, ?) ON CONFLICT DO NOTHING")
                    .bind(id)
                    .bind(name)
                    .bind(text)
                    .execute(&self.pool)
                    .await?
            }
            (Some(was), Some(text)) => {
                sqlx::query("UPDATE page SET text = ? WHERE battle = ? AND name = ? AND text = ?")
                    .bind(text)
                    .bind(id)
                    .bind(name)
                    .bind(was)
                    .execute(&self.pool)
                    .await?
            }
            (Some(was), None) => {
                sqlx::query("DELETE FROM page WHERE battle = ? AND name = ? AND text = ?")
                    .bind(id)
                    .bind(name)
                    .bind(was)
                    .execute(&self.pool)
                    .await?
            }
        };
        Ok(done.rows_affected() == 1)
    }

    async fn want(&self, id: &str, kind: PageName, due: i64) -> Stored<()> {
        sqlx::query(
            "INSERT INTO job (battle, kind, due) VALUES (?, ?, ?) \
             ON CONFLICT (battle, kind) DO UPDATE SET due = excluded.due",
        )
        .bind(id)
        .bind(kind)
        .bind(due)
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    async fn unwant(&self, id: &str, kind: PageName) -> Stored<()> {
        sqlx::query("DELETE FROM job WHERE battle = ? AND kind = ?").bind(id).bind(kind).execute(&self.pool).await?;
        Ok(())
    }

    async fn claim(&self, kind: PageName, holder: &str, lasting: Duration) -> Stored<Option<String>> {
        let row = sqlx::query(
            "UPDATE job SET holder = ?1, until = ?2 + ?3 WHERE kind = ?4 AND battle = (SELECT battle FROM job \
             WHERE kind = ?4 AND due <= ?2 AND until <= ?2 ORDER BY due LIMIT 1) RETURNING battle",
        )
        .bind(holder)
        .bind(now())
        .bind(seconds(lasting))
        .bind(kind)
        .fetch_optional(&self.pool)
        .await?;
        Ok(row.map(|row| row.try_get("battle")).transpose()?)
    }

    /// There is one process alone: it holds every battle.
    async fn hold(&self, _: &str, _: &str, _: Duration) -> Stored<bool> {
        Ok(true)
    }

    fn woken(&self) -> Option<broadcast::Receiver<Woken>> {
        None
    }
}

/// A place in a log, as a row has it.
fn place(n: usize) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

fn seconds(lasting: Duration) -> i64 {
    i64::try_from(lasting.as_secs()).unwrap_or(i64::MAX).max(1)
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

async fn prepare(pool: &SqlitePool) -> Stored<()> {
    let mut work = pool.begin_with("BEGIN IMMEDIATE").await?;
    let version: i64 = sqlx::query("PRAGMA user_version").fetch_one(&mut *work).await?.get(0);
    if version > TABLES_VERSION {
        return Err(StoreError::Later(version));
    }
    let steps: [&[&str]; 3] = [&TABLES, &[PARLEY], &PAGES];
    for table in steps.iter().skip(usize::try_from(version).unwrap_or_default()).copied().flatten() {
        sqlx::query(*table).execute(&mut *work).await?;
    }
    sqlx::query("PRAGMA user_version = 3").execute(&mut *work).await?;
    Ok(work.commit().await?)
}

async fn insert_battle(
    connection: &mut SqliteConnection,
    kept: &Kept,
    secrets: &Secrets,
    log: &str,
    parley: Option<&Parley>,
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
    if let Some(parley) = parley {
        sqlx::query("INSERT INTO parley (battle, scenario, enforcement, host) VALUES (?, ?, ?, ?)")
            .bind(&kept.id)
            .bind(&parley.scenario)
            .bind(serde_json::to_string(&parley.enforcement).unwrap_or_default())
            .bind(parley.host.to_vec())
            .execute(&mut *work)
            .await?;
    }
    work.commit().await
}

async fn delete_battle(connection: &mut SqliteConnection, id: &str) -> Result<(), sqlx::Error> {
    let mut work = connection.begin_with("BEGIN IMMEDIATE").await?;
    for part in PARTS {
        sqlx::query(sqlx::AssertSqlSafe(format!("DELETE FROM {part} WHERE battle = ?")))
            .bind(id)
            .execute(&mut *work)
            .await?;
    }
    sqlx::query("DELETE FROM battle WHERE id = ?").bind(id).execute(&mut *work).await?;
    work.commit().await
}

async fn insert_line(connection: &mut SqliteConnection, battle: &str, n: usize, text: &str) -> Result<(), sqlx::Error> {
    sqlx::query("INSERT INTO line (battle, n, text) VALUES (?, ?, ?)")
        .bind(battle)
        .bind(place(n))
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
    use crate::secret;

    fn kept(id: &str) -> Kept {
        let players = Players::default();
        Kept { id: id.into(), ruleset: "picket".into(), title: "The ford".into(), players, created: now() }
    }

    #[tokio::test]
    async fn what_was_appended_is_there_after_opening_again() {
        let folder = tempfile::tempdir().unwrap();
        let store = Sqlite::open(folder.path()).await.unwrap();
        store.create(&kept("b"), &Secrets::fresh(Vec::new()).unwrap(), "one\n", None).await.unwrap();
        store.append("b", 1, vec!["two\n".into(), "three\n".into()]).await.unwrap();
        drop(store);
        let store = Sqlite::open(folder.path()).await.unwrap();
        assert_eq!(store.log("b").await.unwrap(), ("one\ntwo\nthree\n".into(), 3));
    }

    #[tokio::test]
    async fn a_line_is_never_written_over_and_others_in_the_batch_do_not_suffer() {
        let folder = tempfile::tempdir().unwrap();
        let store = Sqlite::open(folder.path()).await.unwrap();
        for id in ["b", "c"] {
            store.create(&kept(id), &Secrets::fresh(Vec::new()).unwrap(), "one\n", None).await.unwrap();
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
        let store = Sqlite::open_with(small).await.unwrap();
        for id in ["b", "c"] {
            store.create(&kept(id), &Secrets::fresh(Vec::new()).unwrap(), "one\n", None).await.unwrap();
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
        let new = store.create(&kept("d"), &Secrets::fresh(Vec::new()).unwrap(), &line(), None).await;
        assert!(matches!(new, Err(StoreError::Full)), "{new:?}");
        // What was acknowledged is there, and small things go on as long as they fit.
        assert_eq!(store.log("b").await.unwrap().1, 1 + written);
        let mut other = SqliteConnection::connect_with(&options).await.unwrap();
        sqlx::query("DELETE FROM line WHERE battle = 'b' AND n > 1").execute(&mut other).await.unwrap();
        store.append("c", 1, vec![line()]).await.unwrap();
        store.create(&kept("d"), &Secrets::fresh(Vec::new()).unwrap(), "one\n", None).await.unwrap();
        assert_eq!(store.log("c").await.unwrap().1, 2);
    }

    #[tokio::test]
    async fn garbled_rows_are_told_and_nothing_falls_over() {
        let folder = tempfile::tempdir().unwrap();
        let store = Sqlite::open(folder.path()).await.unwrap();
        store.create(&kept("b"), &Secrets::fresh(Vec::new()).unwrap(), "one\n", None).await.unwrap();
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
        let store = Sqlite::open(folder.path()).await.unwrap();
        store.create(&kept("b"), &Secrets::fresh(Vec::new()).unwrap(), "one\n", None).await.unwrap();
        for entry in std::fs::read_dir(folder.path()).unwrap() {
            let entry = entry.unwrap();
            let rights = entry.metadata().unwrap().permissions().mode() & 0o777;
            assert_eq!(rights, 0o600, "{:?}", entry.file_name());
        }
    }

    #[tokio::test]
    async fn only_the_right_secret_admits() {
        let folder = tempfile::tempdir().unwrap();
        let store = Sqlite::open(folder.path()).await.unwrap();
        let secrets = Secrets::fresh(Vec::new()).unwrap();
        store.create(&kept("b"), &secrets, "one\n", None).await.unwrap();
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
