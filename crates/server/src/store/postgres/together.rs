//! What is asked of the database for every choice is asked together: whoever waits when the connection is free goes along in one
//! statement. The more there is to do, the less each of it costs.
//!
//! Each kind of question has a connection of its own. A pool would ask the database twice more for every statement, whether the connection
//! still holds; here that is found out by using it.

use std::time::Duration;

use sqlx::postgres::PgConnectOptions;
use sqlx::{Connection, PgConnection, Row};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, timeout};

use super::{CHANNEL, PATIENCE, place};
use crate::store::{StoreError, Stored};

/// How much goes into one statement at the most.
const MOST: usize = 256;
/// A connection that was used so lately is not asked whether it still holds.
const JUST_USED: Duration = Duration::from_secs(30);

/// A question that can be asked together with others of its kind.
pub(super) trait Question: Send + Sync + Sized + 'static {
    /// Whether it changes nothing: then it is asked once more where the connection broke.
    const LOOKS: bool;
    /// What is told to the one who asked.
    type Told: Send + 'static;

    /// Asks all of them; an answer for each, in their order. Where one of them is at fault, none of them has done anything.
    fn ask(
        connection: &mut PgConnection,
        all: &[Self],
    ) -> impl Future<Output = Result<Vec<Self::Told>, sqlx::Error>> + Send;
}

type Waiting<Q> = (Q, oneshot::Sender<Stored<<Q as Question>::Told>>);

/// The way to the task that asks.
#[derive(Debug)]
pub(super) struct Together<Q: Question>(mpsc::Sender<Waiting<Q>>);

impl<Q: Question> Together<Q> {
    /// Starts the task. It ends when nobody can ask any more.
    pub(super) fn start(options: PgConnectOptions) -> Self {
        let (asked, waiting) = mpsc::channel(MOST);
        tokio::spawn(answer(options, waiting));
        Self(asked)
    }

    pub(super) async fn ask(&self, question: Q) -> Stored<Q::Told> {
        let (answer, answered) = oneshot::channel();
        self.0.send((question, answer)).await.map_err(|_| StoreError::Stopped)?;
        answered.await.map_err(|_| StoreError::Stopped)?
    }
}

async fn answer<Q: Question>(options: PgConnectOptions, mut waiting: mpsc::Receiver<Waiting<Q>>) {
    let mut line = Line { options, connection: None, used: Instant::now() };
    let mut batch = Vec::new();
    while waiting.recv_many(&mut batch, MOST).await > 0 {
        let (questions, answers): (Vec<Q>, Vec<_>) = batch.drain(..).unzip();
        let mut told = line.ask(&questions).await;
        if Q::LOOKS && told.as_ref().is_err_and(broke) {
            told = line.ask(&questions).await;
        }
        match told {
            // Whoever waited may have gone.
            Ok(told) => answers.into_iter().zip(told).for_each(|(answer, told)| drop(answer.send(Ok(told)))),
            // One of them is at fault, and the database says so: the others must not fail with it.
            Err(error) if !broke(&error) && questions.len() > 1 => {
                for (question, answer) in questions.iter().zip(answers) {
                    let told = line.ask(std::slice::from_ref(question)).await;
                    let told =
                        told.map_err(StoreError::from).and_then(|mut told| told.pop().ok_or(StoreError::Stopped));
                    drop(answer.send(told));
                }
            }
            // Nobody knows what has been done: nothing is repeated.
            Err(error) => {
                let why = error.to_string();
                let mut first = Some(error);
                for answer in answers {
                    let error = first.take().unwrap_or_else(|| sqlx::Error::Protocol(why.clone()));
                    drop(answer.send(Err(error.into())));
                }
            }
        }
    }
}

/// Whether the connection is of no more use: it failed without the database saying why, or the database said that it ends (class 57P) or
/// has ended (class 08).
fn broke(error: &sqlx::Error) -> bool {
    let sqlx::Error::Database(told) = error else { return true };
    told.code().is_some_and(|code| code.starts_with("57P") || code.starts_with("08"))
}

/// A connection, made anew when it is broken.
struct Line {
    options: PgConnectOptions,
    connection: Option<PgConnection>,
    used: Instant,
}

impl Line {
    async fn ask<Q: Question>(&mut self, questions: &[Q]) -> Result<Vec<Q::Told>, sqlx::Error> {
        let asked = timeout(PATIENCE, async {
            if let Some(connection) = &mut self.connection
                && self.used.elapsed() > JUST_USED
                && connection.ping().await.is_err()
            {
                self.connection = None;
            }
            let mut connection = match self.connection.take() {
                Some(connection) => connection,
                None => PgConnection::connect_with(&self.options).await?,
            };
            let told = Q::ask(&mut connection, questions).await;
            if !told.as_ref().is_err_and(broke) {
                (self.connection, self.used) = (Some(connection), Instant::now());
            }
            told
        });
        asked.await.unwrap_or(Err(sqlx::Error::PoolTimedOut))
    }
}

/// Lines to be added to a log.
pub(super) struct Append {
    pub(super) battle: String,
    /// The position of the first of the lines.
    pub(super) from: usize,
    pub(super) lines: Vec<String>,
}

impl Question for Append {
    const LOOKS: bool = false;
    type Told = ();

    /// The notices go out with the lines, or not at all.
    async fn ask(connection: &mut PgConnection, all: &[Self]) -> Result<Vec<()>, sqlx::Error> {
        const APPEND: &str = "WITH written AS (INSERT INTO line (battle, n, text, at) \
            SELECT *, $4 FROM unnest($1::text[], $2::bigint[], $3::text[])) \
            SELECT pg_notify($5, payload) FROM unnest($6::text[]) AS payload";
        // Always in the same order, so that two processes that write the same battles never wait for each other.
        let mut sorted: Vec<&Self> = all.iter().collect();
        sorted.sort_by(|one, other| (&one.battle, one.from).cmp(&(&other.battle, other.from)));
        let (mut battles, mut places, mut texts, mut notices) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for Self { battle, from, lines } in sorted {
            for (k, line) in lines.iter().enumerate() {
                battles.push(battle.as_str());
                places.push(place(from + k));
                texts.push(line.as_str());
            }
            notices.push(format!("{battle} {}", from + lines.len()));
        }
        sqlx::query(APPEND)
            .bind(battles)
            .bind(places)
            .bind(texts)
            .bind(crate::time::now())
            .bind(CHANNEL)
            .bind(notices)
            .execute(connection)
            .await?;
        Ok(all.iter().map(|_| ()).collect())
    }
}

/// What was added to a log from the `from`th line on.
pub(super) struct Added {
    pub(super) battle: String,
    pub(super) from: usize,
}

impl Question for Added {
    const LOOKS: bool = true;
    type Told = Vec<String>;

    async fn ask(connection: &mut PgConnection, all: &[Self]) -> Result<Vec<Vec<String>>, sqlx::Error> {
        const ADDED: &str = "SELECT asked.k, line.text FROM unnest($1::text[], $2::bigint[]) WITH ORDINALITY AS asked (battle, start, k) \
            JOIN line ON line.battle = asked.battle AND line.n >= asked.start ORDER BY asked.k, line.n";
        let battles: Vec<&str> = all.iter().map(|one| one.battle.as_str()).collect();
        let places: Vec<i64> = all.iter().map(|one| place(one.from)).collect();
        let rows = sqlx::query(ADDED).bind(battles).bind(places).fetch_all(connection).await?;
        let mut told: Vec<Vec<String>> = all.iter().map(|_| Vec::new()).collect();
        for row in rows {
            let k: i64 = row.try_get("k")?;
            let of = usize::try_from(k - 1).ok().and_then(|k| told.get_mut(k));
            of.ok_or(sqlx::Error::RowNotFound)?.push(row.try_get("text")?);
        }
        Ok(told)
    }
}

/// A page of a battle.
pub(super) struct PageOf {
    pub(super) battle: String,
    pub(super) name: &'static str,
}

impl Question for PageOf {
    const LOOKS: bool = true;
    type Told = Option<String>;

    async fn ask(connection: &mut PgConnection, all: &[Self]) -> Result<Vec<Option<String>>, sqlx::Error> {
        const PAGES: &str = "SELECT page.text FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS asked (battle, name, k) \
            LEFT JOIN page ON page.battle = asked.battle AND page.name = asked.name ORDER BY asked.k";
        let battles: Vec<&str> = all.iter().map(|one| one.battle.as_str()).collect();
        let names: Vec<&str> = all.iter().map(|one| one.name).collect();
        let rows = sqlx::query(PAGES).bind(battles).bind(names).fetch_all(connection).await?;
        rows.iter().map(|row| row.try_get("text")).collect()
    }
}
