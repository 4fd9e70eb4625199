//! Battles in SQLite, in the process that serves them.
//!
//! One task writes to logs. It takes everything that waits into one transaction, so that two hundred battles cost one sync
//! of the disk and not two hundred; whoever waits is told only after that sync.

mod tables;
mod writer;

use std::path::Path;
use std::time::Duration;

use async_trait::async_trait;
use sabretache_engine::dice::Commitment;
use sabretache_engine::ids::Side;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{Connection, Row, SqliteConnection, SqlitePool};
use tokio::sync::{broadcast, mpsc, oneshot};

use self::tables::{PARTS, keep_private, prepare};
use self::writer::{Append, LARGEST_BATCH, Writer, insert_line, write};
use super::{Instructions, Kept, PageName, ParleyRow, Store, StoreError, Stored, Woken, now, side_of};
use crate::agreed::Parley;
use crate::messages::{Players, Secrets};

/// The database.
#[derive(Clone, Debug)]
pub(crate) struct Sqlite {
    pool: SqlitePool,
    writer: mpsc::Sender<Append>,
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

    async fn last_line(&self, id: &str) -> Stored<(usize, i64)> {
        let row = sqlx::query("SELECT n, at FROM line WHERE battle = ? ORDER BY n DESC LIMIT 1").bind(id);
        let Some(row) = row.fetch_optional(&self.pool).await? else { return Ok((0, 0)) };
        Ok((usize::try_from(row.try_get::<i64, _>("n")? + 1).unwrap_or_default(), row.try_get("at")?))
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

#[cfg(test)]
mod tests;
