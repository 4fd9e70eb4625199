//! The tables of PostgreSQL, and what each version of them added.

use sqlx::{PgPool, Row};

use super::place;
use crate::store::{StoreError, Stored};

/// One process at a time prepares the tables.
const PREPARING: i64 = 1815;

/// What each version of the tables added. Times are of the database's own clock: processes need not agree on theirs.
const STEPS: [&[&str]; 2] = [
    &[
        "CREATE TABLE battle (id TEXT PRIMARY KEY, ruleset TEXT NOT NULL, title TEXT NOT NULL, player_a TEXT NOT NULL, \
     player_b TEXT NOT NULL, created BIGINT NOT NULL)",
        "CREATE TABLE line (battle TEXT NOT NULL REFERENCES battle ON DELETE CASCADE, n BIGINT NOT NULL, text TEXT NOT NULL, \
     PRIMARY KEY (battle, n))",
        "CREATE TABLE seat (battle TEXT NOT NULL REFERENCES battle ON DELETE CASCADE, seat TEXT NOT NULL, \
     hash BYTEA NOT NULL, PRIMARY KEY (battle, seat))",
        "CREATE TABLE instructions (battle TEXT NOT NULL REFERENCES battle ON DELETE CASCADE, side TEXT NOT NULL, \
     list TEXT NOT NULL, PRIMARY KEY (battle, side))",
        "CREATE TABLE parley (battle TEXT PRIMARY KEY REFERENCES battle ON DELETE CASCADE, scenario TEXT NOT NULL, \
     enforcement TEXT NOT NULL, host BYTEA NOT NULL, a TEXT, b TEXT)",
        "CREATE TABLE page (battle TEXT NOT NULL REFERENCES battle ON DELETE CASCADE, name TEXT NOT NULL, \
     text TEXT NOT NULL, PRIMARY KEY (battle, name))",
        "CREATE TABLE job (battle TEXT NOT NULL REFERENCES battle ON DELETE CASCADE, kind TEXT NOT NULL, \
     due BIGINT NOT NULL, holder TEXT, until TIMESTAMPTZ NOT NULL DEFAULT '-infinity', PRIMARY KEY (battle, kind))",
        "CREATE TABLE lease (battle TEXT PRIMARY KEY REFERENCES battle ON DELETE CASCADE, holder TEXT NOT NULL, \
     until TIMESTAMPTZ NOT NULL)",
    ],
    &["ALTER TABLE line ADD COLUMN at BIGINT NOT NULL DEFAULT 0"],
];

/// Brings the tables up to this version; processes that start together do it one after the other.
pub(super) async fn prepare(pool: &PgPool) -> Stored<()> {
    let mut work = pool.begin().await?;
    sqlx::query("SELECT pg_advisory_xact_lock($1)").bind(PREPARING).execute(&mut *work).await?;
    sqlx::query("CREATE TABLE IF NOT EXISTS sabretache (version BIGINT NOT NULL)").execute(&mut *work).await?;
    let row = sqlx::query("SELECT coalesce(max(version), 0) FROM sabretache").fetch_one(&mut *work).await?;
    let version: i64 = row.try_get(0)?;
    let known = place(STEPS.len());
    if version > known {
        return Err(StoreError::Later(version));
    }
    for table in STEPS.iter().skip(usize::try_from(version).unwrap_or_default()).copied().flatten() {
        sqlx::query(*table).execute(&mut *work).await?;
    }
    if version < known {
        sqlx::query("DELETE FROM sabretache").execute(&mut *work).await?;
        sqlx::query("INSERT INTO sabretache (version) VALUES ($1)").bind(known).execute(&mut *work).await?;
    }
    Ok(work.commit().await?)
}
