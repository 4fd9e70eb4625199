//! Battles in PostgreSQL, for any number of processes that serve the same ones.
//!
//! A line is written under its key (battle, n), and that alone decides who was first. `NOTIFY` only wakes the others; a
//! process whose ear was cut off catches up with every battle it holds when it hears again, and every few seconds anyway.

mod tables;
mod together;

use std::time::Duration;

use async_trait::async_trait;
use sabretache_engine::dice::Commitment;
use sabretache_engine::ids::Side;
use sqlx::postgres::{PgConnectOptions, PgListener, PgPoolOptions, PgRow};
use sqlx::{PgConnection, PgPool, Row};
use tokio::sync::broadcast;

use self::tables::prepare;
use self::together::{Added, Append, PageOf, Together};
use super::{Instructions, Kept, PageName, ParleyRow, Store, StoreError, Stored, Woken, side_of};
use crate::agreed::Parley;
use crate::messages::{Players, Secrets};

/// Connections of one process at the most.
const CONNECTIONS: u32 = 8;
/// How long a connection is waited for.
const PATIENCE: Duration = Duration::from_secs(10);
/// News that a slow listener may leave unread before it catches up with everything.
const UNREAD: usize = 16_384;
/// What the notices are called.
const CHANNEL: &str = "sabretache_line";

/// The database.
pub(crate) struct Postgres {
    pool: PgPool,
    appending: Together<Append>,
    following: Together<Added>,
    pages: Together<PageOf>,
    woken: broadcast::Sender<Woken>,
}

impl Postgres {
    /// Connects to the database at this address, and prepares its tables.
    pub(crate) async fn open(address: &str) -> Stored<Self> {
        // Waiting is no news: under load there would be a line in the log for every request.
        let pool = PgPoolOptions::new().max_connections(CONNECTIONS).acquire_timeout(PATIENCE);
        let options: PgConnectOptions = address.parse()?;
        let pool = pool.acquire_slow_threshold(PATIENCE).connect_with(options.clone()).await?;
        prepare(&pool).await?;
        let (woken, _) = broadcast::channel(UNREAD);
        tokio::spawn(listen(pool.clone(), woken.clone()));
        Ok(Self {
            pool,
            appending: Together::start(options.clone()),
            following: Together::start(options.clone()),
            pages: Together::start(options),
            woken,
        })
    }

    /// What stands beside a log is news too: the others look at the battle again.
    async fn wake_beside(&self, id: &str) -> Stored<()> {
        sqlx::query("SELECT pg_notify($1, $2)").bind(CHANNEL).bind(format!("{id} 0")).execute(&self.pool).await?;
        Ok(())
    }
}

/// Passes notices on for as long as somebody may listen. After a break every listener is told to catch up.
async fn listen(pool: PgPool, woken: broadcast::Sender<Woken>) {
    loop {
        if let Ok(mut ear) = PgListener::connect_with(&pool).await
            && ear.listen(CHANNEL).await.is_ok()
        {
            // What was said while nobody heard is found in the logs: an empty name means every battle.
            let _ = woken.send(Woken { battle: String::new(), lines: 0 });
            while let Ok(Some(notice)) = ear.try_recv().await {
                if let Some((battle, lines)) = notice.payload().split_once(' ')
                    && let Ok(lines) = lines.parse()
                {
                    // Nobody may be listening.
                    let _ = woken.send(Woken { battle: battle.to_owned(), lines });
                }
            }
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}

#[async_trait]
impl Store for Postgres {
    async fn create(&self, kept: &Kept, secrets: &Secrets, log: &str, parley: Option<&Parley>) -> Stored<()> {
        let mut work = self.pool.begin().await?;
        sqlx::query(
            "INSERT INTO battle (id, ruleset, title, player_a, player_b, created) VALUES ($1, $2, $3, $4, $5, $6)",
        )
        .bind(&kept.id)
        .bind(&kept.ruleset)
        .bind(&kept.title)
        .bind(&kept.players.a)
        .bind(&kept.players.b)
        .bind(kept.created)
        .execute(&mut *work)
        .await?;
        for (seat, hash) in secrets.hashes() {
            sqlx::query("INSERT INTO seat (battle, seat, hash) VALUES ($1, $2, $3)")
                .bind(&kept.id)
                .bind(seat)
                .bind(hash)
                .execute(&mut *work)
                .await?;
        }
        let lines: Vec<&str> = log.split_inclusive('\n').collect();
        insert_lines(&mut work, &kept.id, 0, &lines).await?;
        if let Some(parley) = parley {
            sqlx::query("INSERT INTO parley (battle, scenario, enforcement, host) VALUES ($1, $2, $3, $4)")
                .bind(&kept.id)
                .bind(&parley.scenario)
                .bind(serde_json::to_string(&parley.enforcement).unwrap_or_default())
                .bind(parley.host.to_vec())
                .execute(&mut *work)
                .await?;
        }
        Ok(work.commit().await?)
    }

    async fn delete(&self, id: &str) -> Stored<()> {
        sqlx::query("DELETE FROM battle WHERE id = $1").bind(id).execute(&self.pool).await?;
        Ok(())
    }

    async fn seats(&self, id: &str) -> Stored<Vec<(String, Vec<u8>)>> {
        let rows = sqlx::query("SELECT seat, hash FROM seat WHERE battle = $1").bind(id).fetch_all(&self.pool).await?;
        rows.iter().map(|row| Ok((row.try_get("seat")?, row.try_get("hash")?))).collect()
    }

    async fn battle(&self, id: &str) -> Stored<Option<Kept>> {
        let row = sqlx::query("SELECT ruleset, title, player_a, player_b, created FROM battle WHERE id = $1")
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
        sqlx::query("UPDATE battle SET player_a = $1, player_b = $2 WHERE id = $3")
            .bind(&players.a)
            .bind(&players.b)
            .bind(id)
            .execute(&self.pool)
            .await?;
        self.wake_beside(id).await
    }

    async fn beginning(&self, id: &str) -> Stored<Option<String>> {
        let row = sqlx::query("SELECT text FROM line WHERE battle = $1 AND n = 0").bind(id);
        text(row.fetch_optional(&self.pool).await?)
    }

    async fn lines(&self, id: &str, from: usize) -> Stored<Vec<String>> {
        if from > 0 {
            return self.following.ask(Added { battle: id.to_owned(), from }).await;
        }
        // A whole log may be long: nobody who follows another waits for it.
        let rows =
            sqlx::query("SELECT text FROM line WHERE battle = $1 ORDER BY n").bind(id).fetch_all(&self.pool).await?;
        rows.iter().map(|row| Ok(row.try_get("text")?)).collect()
    }

    async fn length(&self, id: &str) -> Stored<usize> {
        Ok(self.last_line(id).await?.0)
    }

    /// In one question: it is asked of every battle in memory every few seconds.
    async fn lengths(&self, ids: &[String]) -> Stored<Vec<(String, usize)>> {
        let lengths = "SELECT id, (SELECT n + 1 FROM line WHERE battle = id ORDER BY n DESC LIMIT 1) AS length FROM unnest($1::text[]) AS id";
        let rows = sqlx::query(lengths).bind(ids).fetch_all(&self.pool).await?;
        let length = |row: &PgRow| -> Stored<(String, usize)> {
            let lines: Option<i64> = row.try_get("length")?;
            Ok((row.try_get("id")?, usize::try_from(lines.unwrap_or_default()).unwrap_or_default()))
        };
        rows.iter().map(length).collect()
    }

    async fn last_line(&self, id: &str) -> Stored<(usize, i64)> {
        let row = sqlx::query("SELECT n, at FROM line WHERE battle = $1 ORDER BY n DESC LIMIT 1").bind(id);
        let Some(row) = row.fetch_optional(&self.pool).await? else { return Ok((0, 0)) };
        Ok((usize::try_from(row.try_get::<i64, _>("n")? + 1).unwrap_or_default(), row.try_get("at")?))
    }

    async fn append(&self, id: &str, from: usize, lines: Vec<String>) -> Stored<()> {
        self.appending.ask(Append { battle: id.to_owned(), from, lines }).await
    }

    async fn instruct(&self, id: &str, side: Side, given: &Instructions) -> Stored<()> {
        sqlx::query(
            "INSERT INTO instructions (battle, side, list) VALUES ($1, $2, $3) \
             ON CONFLICT (battle, side) DO UPDATE SET list = excluded.list",
        )
        .bind(id)
        .bind(side.to_string())
        .bind(serde_json::to_string(given).unwrap_or_default())
        .execute(&self.pool)
        .await?;
        self.wake_beside(id).await
    }

    async fn instructions(&self, id: &str) -> Stored<Vec<(Side, Instructions)>> {
        let rows =
            sqlx::query("SELECT side, list FROM instructions WHERE battle = $1").bind(id).fetch_all(&self.pool).await?;
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
             FROM parley WHERE battle = $1",
        );
        let Some(row) = row.bind(id).fetch_optional(&self.pool).await? else { return Ok(None) };
        let row = ParleyRow {
            scenario: row.try_get("scenario")?,
            enforcement: row.try_get("enforcement")?,
            host: row.try_get("host")?,
            a: row.try_get("a")?,
            b: row.try_get("b")?,
            begun: row.try_get("begun")?,
        };
        row.read().map(Some)
    }

    async fn commit(&self, id: &str, side: Side, commitment: Commitment) -> Stored<bool> {
        let update = match side {
            Side::A => "UPDATE parley SET a = $1 WHERE battle = $2 AND a IS NULL",
            Side::B => "UPDATE parley SET b = $1 WHERE battle = $2 AND b IS NULL",
        };
        let done = sqlx::query(update).bind(String::from(commitment)).bind(id).execute(&self.pool).await?;
        Ok(done.rows_affected() == 1)
    }

    async fn page(&self, id: &str, name: PageName) -> Stored<Option<String>> {
        self.pages.ask(PageOf { battle: id.to_owned(), name }).await
    }

    /// The notice goes out with the page, or not at all.
    async fn turn_page(&self, id: &str, name: PageName, was: Option<&str>, text: Option<&str>) -> Stored<bool> {
        macro_rules! told {
            ($turn:literal) => {
                concat!("WITH turned AS (", $turn, " RETURNING 1) SELECT pg_notify($3, $4) FROM turned")
            };
        }
        let query = match (was, text) {
            (None, None) => return Ok(self.page(id, name).await?.is_none()),
            (None, Some(_)) => {
                told!("INSERT INTO page (battle, name, text) VALUES ($1, $2, $5) ON CONFLICT DO NOTHING")
            }
            (Some(_), Some(_)) => told!("UPDATE page SET text = $5 WHERE battle = $1 AND name = $2 AND text = $6"),
            (Some(_), None) => told!("DELETE FROM page WHERE battle = $1 AND name = $2 AND text = $5"),
        };
        let mut query = sqlx::query(query).bind(id).bind(name).bind(CHANNEL).bind(format!("{id} 0"));
        for given in [text, was].into_iter().flatten() {
            query = query.bind(given);
        }
        Ok(query.fetch_optional(&self.pool).await?.is_some())
    }

    async fn want(&self, id: &str, kind: PageName, due: i64) -> Stored<()> {
        sqlx::query(
            "INSERT INTO job (battle, kind, due) VALUES ($1, $2, $3) \
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
        sqlx::query("DELETE FROM job WHERE battle = $1 AND kind = $2").bind(id).bind(kind).execute(&self.pool).await?;
        Ok(())
    }

    async fn claim(&self, kind: PageName, holder: &str, lasting: Duration) -> Stored<Option<String>> {
        let row = sqlx::query(
            "UPDATE job SET holder = $1, until = clock_timestamp() + make_interval(secs => $2) \
             WHERE (battle, kind) = (SELECT battle, kind FROM job WHERE kind = $3 \
             AND due <= extract(epoch FROM clock_timestamp()) AND until <= clock_timestamp() \
             ORDER BY due LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING battle AS text",
        )
        .bind(holder)
        .bind(lasting.as_secs_f64())
        .bind(kind);
        text(row.fetch_optional(&self.pool).await?)
    }

    async fn hold(&self, id: &str, holder: &str, lasting: Duration) -> Stored<bool> {
        let done = sqlx::query(
            "INSERT INTO lease (battle, holder, until) VALUES ($1, $2, clock_timestamp() + make_interval(secs => $3)) \
             ON CONFLICT (battle) DO UPDATE SET holder = excluded.holder, until = excluded.until \
             WHERE lease.holder = excluded.holder OR lease.until <= clock_timestamp()",
        )
        .bind(id)
        .bind(holder)
        .bind(lasting.as_secs_f64())
        .execute(&self.pool)
        .await?;
        let held = done.rows_affected() == 1;
        if held {
            // What is due there is being seen to.
            sqlx::query(
                "UPDATE job SET holder = $2, until = clock_timestamp() + make_interval(secs => $3) \
                 WHERE battle = $1 AND kind = $4",
            )
            .bind(id)
            .bind(holder)
            .bind(lasting.as_secs_f64())
            .bind(crate::battle::COMPUTER)
            .execute(&self.pool)
            .await?;
        }
        Ok(held)
    }

    fn woken(&self) -> Option<broadcast::Receiver<Woken>> {
        Some(self.woken.subscribe())
    }
}

fn text(row: Option<PgRow>) -> Stored<Option<String>> {
    Ok(row.map(|row| row.try_get("text")).transpose()?)
}

/// A place in a log, as a row has it.
fn place(n: usize) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

fn places(from: usize, count: usize) -> Vec<i64> {
    (from..from + count).map(place).collect()
}

async fn insert_lines(work: &mut PgConnection, battle: &str, from: usize, lines: &[&str]) -> Result<(), sqlx::Error> {
    sqlx::query("INSERT INTO line (battle, n, text, at) SELECT $1, *, $4 FROM unnest($2::bigint[], $3::text[])")
        .bind(battle)
        .bind(places(from, lines.len()))
        .bind(lines.to_vec())
        .bind(crate::time::now())
        .execute(work)
        .await?;
    Ok(())
}

#[cfg(test)]
#[path = "../../tests/hard/cluster.rs"]
mod cluster;
#[cfg(test)]
mod tests;
