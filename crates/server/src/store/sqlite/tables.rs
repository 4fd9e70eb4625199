//! The tables of the database, and how an older one is brought up to them.

use std::path::Path;

use sqlx::{Row, SqlitePool};

use crate::store::{StoreError, Stored};

/// The version of the tables below.
const TABLES_VERSION: i64 = 4;

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

/// What version 4 added: when each line was written, for clocks. It is no part of the log.
const TIMES: &str = "ALTER TABLE line ADD COLUMN at INTEGER NOT NULL DEFAULT 0";

/// The tables that hang on a battle.
pub(super) const PARTS: [&str; 6] = ["line", "seat", "instructions", "parley", "page", "job"];

/// The database is its owner's alone: logs of hidden movement and the hashes of secrets stand in it. SQLite gives its
/// further files the same rights.
pub(super) fn keep_private(file: &Path) -> std::io::Result<()> {
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

pub(super) async fn prepare(pool: &SqlitePool) -> Stored<()> {
    let mut work = pool.begin_with("BEGIN IMMEDIATE").await?;
    let version: i64 = sqlx::query("PRAGMA user_version").fetch_one(&mut *work).await?.get(0);
    if version > TABLES_VERSION {
        return Err(StoreError::Later(version));
    }
    let steps: [&[&str]; 4] = [&TABLES, &[PARLEY], &PAGES, &[TIMES]];
    for table in steps.iter().skip(usize::try_from(version).unwrap_or_default()).copied().flatten() {
        sqlx::query(*table).execute(&mut *work).await?;
    }
    sqlx::query("PRAGMA user_version = 4").execute(&mut *work).await?;
    Ok(work.commit().await?)
}
