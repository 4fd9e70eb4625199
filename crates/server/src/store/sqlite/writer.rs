//! The one task that writes to logs.

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{Connection, SqliteConnection};
use tokio::sync::{mpsc, oneshot};

use super::place;
use crate::store::StoreError;

/// How many appends go into one transaction at the most.
pub(super) const LARGEST_BATCH: usize = 256;

/// Lines to be added to a log, and who waits for it.
#[derive(Debug)]
pub(super) struct Append {
    pub(super) battle: String,
    /// The position of the first of the lines.
    pub(super) from: usize,
    pub(super) lines: Vec<String>,
    pub(super) done: oneshot::Sender<Result<(), StoreError>>,
}

pub(super) async fn insert_line(
    connection: &mut SqliteConnection,
    battle: &str,
    n: usize,
    text: &str,
) -> Result<(), sqlx::Error> {
    sqlx::query("INSERT INTO line (battle, n, text, at) VALUES (?, ?, ?, ?)")
        .bind(battle)
        .bind(place(n))
        .bind(text)
        .bind(crate::time::now())
        .execute(connection)
        .await?;
    Ok(())
}

/// The connection of the task that writes, and how to make another.
pub(super) struct Writer {
    pub(super) connection: Option<SqliteConnection>,
    pub(super) options: SqliteConnectOptions,
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
pub(super) async fn write(mut writer: Writer, mut waiting: mpsc::Receiver<Append>) {
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
