//! Simulated days: two servers, a database, a network and some clients in one thread, on a time of their own. A seed gives the whole
//! day: what goes wrong, how long messages take, what clients do, names and secrets. Servers are killed, the network parts them from
//! their clients, the database is slow and fails before and after it has written. After every step it is seen whether the promises of
//! `docs/server.md` hold.

mod clients;
mod database;
mod following;
mod lots;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use sabretache_engine::dice::Seeded;
use sabretache_engine::erased::{AnyRuleset as _, Erased};
use sabretache_engine::ids::Side;
use sabretache_picket::Picket;
use turmoil::Builder;

use crate::catalogue::Catalogue;
use crate::examples::Examples;
use crate::guard::Guard;
use crate::hall::Hall;
use crate::messages::BattleMade;
use crate::players::Opponents;
use crate::{friends, http, listen};
use database::{Database, Way};
pub(crate) use lots::foreseen;
use lots::{cast, note, noted};

static PICKET: Erased<Picket> = Erased::RULESET;
const FORD: &str = include_str!("../../../picket/scenarios/ford.toml");

const SERVERS: [&str; 2] = ["north", "south"];
/// So long things go wrong; then it is calm, and what was begun must come to its end.
const TROUBLED: Duration = Duration::from_secs(50);
/// A minute of a clock, the time it is forgiven, and some for the sweep.
const CALM: Duration = Duration::from_secs(90);

/// What clients were promised.
#[derive(Clone, Default)]
struct Promises(Arc<Mutex<Promised>>);

#[derive(Default)]
struct Promised {
    said: Vec<(String, String)>,
    acknowledged: Vec<(String, String)>,
    clocks: BTreeMap<String, Side>,
}

impl Promises {
    fn said(&self, battle: &str, text: &str) {
        note(|| format!("said {battle} {text}"));
        self.0.lock().unwrap().said.push((battle.to_owned(), text.to_owned()));
    }

    fn acknowledged(&self, battle: &str, text: &str) {
        note(|| format!("acknowledged {battle} {text}"));
        self.0.lock().unwrap().acknowledged.push((battle.to_owned(), text.to_owned()));
    }

    fn runs_out(&self, battle: &str, side: Side) {
        self.0.lock().unwrap().clocks.insert(battle.to_owned(), side);
    }

    /// What was acknowledged is kept; looked at from the `from`th on, which is given back.
    fn hold(&self, database: &Database, from: usize, seed: u64) -> usize {
        let promised = self.0.lock().unwrap();
        for (battle, text) in &promised.acknowledged[from..] {
            assert_eq!(database.times(battle, text), 1, "seed {seed}: '{text}' was acknowledged");
        }
        promised.acknowledged.len()
    }
}

fn hall(database: &Arc<Database>, process: &'static str) -> Hall {
    let (catalogue, _) = Catalogue::new(vec![&PICKET], vec![("ford".into(), FORD.into())], Vec::new());
    let store = Arc::new(Way { database: database.clone(), process });
    Hall::new(catalogue, store, Opponents::new(Vec::new(), Vec::new()), Examples::new(Vec::new()))
}

async fn serve(database: Arc<Database>, process: &'static str) -> turmoil::Result {
    let hall = hall(&database, process);
    tokio::spawn(friends::sweep(hall.clone()));
    tokio::spawn(hall.clone().attend());
    let router = http::router(hall, Guard { local: false }, false);
    let listener = turmoil::net::TcpListener::bind("0.0.0.0:80").await?;
    listen::listen(listener, router, listen::HEADERS, std::future::pending()).await;
    Ok(())
}

/// A battle that is there before the day begins.
fn begun(database: &Arc<Database>, dice: &str, seed: u64) -> BattleMade {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let new = match dice {
        "agreed" => serde_json::json!({ "scenario": "ford", "dice": dice }),
        _ => serde_json::json!({ "scenario": "ford", "seed": seed }),
    };
    runtime.block_on(async { hall(database, "eve").begin(serde_json::from_value(new).unwrap()).await.unwrap() })
}

/// Something goes wrong, or is put right again. Whether a server was killed.
fn trouble(sim: &mut turmoil::Sim<'_>, database: &Database, random: &mut Seeded, clients: &[&str]) -> bool {
    let server = SERVERS[random.below(2) as usize];
    let client = clients[random.below(clients.len() as u32) as usize];
    let what = random.below(9);
    match what {
        0 | 1 => sim.crash(server),
        2 | 3 => {
            sim.crash(server);
            sim.bounce(server);
        }
        4 => sim.partition(client, server),
        5 => sim.hold(client, server),
        6 => database.trouble(|trouble| trouble.cut.extend([server])),
        7 => database.trouble(|trouble| (trouble.before, trouble.after) = (20, 20)),
        _ => quiet(sim, database, clients),
    }
    what < 4
}

/// All servers run, everybody reaches everybody.
fn quiet(sim: &mut turmoil::Sim<'_>, database: &Database, clients: &[&str]) {
    for server in SERVERS {
        if !sim.is_host_running(server) {
            sim.bounce(server);
        }
        for client in clients {
            sim.release(*client, server);
            sim.repair(*client, server);
        }
    }
    database.trouble(|trouble| *trouble = database::Trouble::default());
}

/// What came of a day.
struct Day {
    said: usize,
    acknowledged: usize,
    kills: usize,
}

fn day(seed: u64) -> Day {
    cast(seed);
    let mut sim = Builder::new()
        .rng_seed(seed)
        .epoch(SystemTime::UNIX_EPOCH + Duration::from_secs(2_000_000_000))
        .simulation_duration(Duration::from_secs(3_600))
        .tick_duration(Duration::from_millis(10))
        .min_message_latency(Duration::from_millis(1))
        .max_message_latency(Duration::from_millis(80))
        .build();
    let database = Database::new(seed);
    let promises = Promises::default();
    let (one, other, agreed) = (begun(&database, "", 3), begun(&database, "", 4), begun(&database, "agreed", 0));
    for server in SERVERS {
        let database = database.clone();
        sim.host(server, move || serve(database.clone(), server));
    }
    let luck = |n| Seeded::for_choice(seed, n);
    // Anna and Ben are at the same battle, each by a server of his own choosing.
    sim.client("anna", clients::umpire("Anna", one.clone(), promises.clone(), luck(2), 40));
    sim.client("ben", clients::umpire("Ben", one, promises.clone(), luck(3), 40));
    sim.client("clara", clients::umpire("Clara", other, promises.clone(), luck(4), 40));
    sim.client("dora", clients::idlers(promises.clone(), luck(5), false));
    sim.client("gustav", clients::idlers(promises.clone(), luck(8), true));
    sim.client("fritz", clients::parley(agreed.clone(), luck(6)));
    let clients = ["anna", "ben", "clara", "dora", "fritz", "gustav"];
    let mut random = luck(7);
    let (mut checked, mut kills, mut next, mut ended) = (0, 0, Duration::from_secs(1), None);
    loop {
        let all_done = sim.step().unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        checked = promises.hold(&database, checked, seed);
        let now = sim.elapsed();
        if now >= TROUBLED && ended.is_none() {
            quiet(&mut sim, &database, &clients);
            ended = Some(now);
        } else if now >= next && ended.is_none() {
            kills += usize::from(trouble(&mut sim, &database, &mut random, &clients));
            next = now + Duration::from_secs(1);
        }
        // In the calm everybody comes to his end, and the clock with them.
        if all_done && ended.is_some_and(|since| now >= since + CALM) {
            break;
        }
        assert!(now < TROUBLED + CALM * 4, "seed {seed}: somebody still waits, long after everything is well");
    }
    promises.hold(&database, 0, seed);
    let promised = promises.0.lock().unwrap();
    for (battle, text) in &promised.said {
        assert!(database.times(battle, text) <= 1, "seed {seed}: '{text}' was said once and done twice");
    }
    for (battle, side) in &promised.clocks {
        let of = |side: Side| database.times(battle, &format!("\"out_of_time\":\"{side}\""));
        assert_eq!(
            (of(*side), of(side.other())),
            (1, 0),
            "seed {seed}: the time of {side} has run out in {battle}, once"
        );
    }
    assert_eq!(database.times(&agreed.id, "\"begun\""), 1, "seed {seed}: the parley came to one battle");
    for (id, lines) in database.logs().iter().filter(|(_, lines)| !lines.is_empty()) {
        let proved = PICKET.verify(lines.concat().as_bytes(), None);
        assert!(proved.is_ok(), "seed {seed}, {id}: {:?}", proved.err());
    }
    Day { said: promised.said.len(), acknowledged: promised.acknowledged.len(), kills }
}

/// All that happened on a day, as far as the database and the clients know of it.
fn told(seed: u64) -> Vec<String> {
    day(seed);
    noted()
}

#[test]
fn a_seed_gives_the_whole_day() {
    let (one, other) = (told(7), told(7));
    let first = one.iter().zip(&other).position(|(one, other)| one != other);
    let around = first.map(|n| (n, &one[n.saturating_sub(3)..=n], &other[n.saturating_sub(3)..=n]));
    assert_eq!(around, None, "the same seed, and another day from here on");
    assert_eq!(one.len(), other.len());
    assert!(one.len() > 1_000 && one != told(8), "{}", one.len());
}

/// A number from the environment.
fn said(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|count| count.parse().ok()).unwrap_or(otherwise)
}

/// Twenty days; `SABRETACHE_DAYS=1000` for a night (`make days`), from the `SABRETACHE_FIRST_DAY` on. What came of them so far
/// is told on the way.
#[test]
fn the_promises_hold_on_every_day() {
    let (first, count) = (said("SABRETACHE_FIRST_DAY", 0), said("SABRETACHE_DAYS", 20));
    let (mut kills, mut said, mut acknowledged) = (0, 0, 0);
    for n in 1..=count {
        let day = day(first + n - 1);
        (kills, said, acknowledged) = (kills + day.kills, said + day.said, acknowledged + day.acknowledged);
        if n.is_multiple_of(20) || n == count {
            println!("{n} days, {kills} kills, {acknowledged} of {said} changes acknowledged, none lost");
        }
    }
    assert!(kills as u64 > count && said > acknowledged, "things went wrong, and not everything was acknowledged");
}
