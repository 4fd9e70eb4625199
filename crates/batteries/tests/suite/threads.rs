//! The same seed gives the same battles on any number of threads: nothing that one battle remembers reaches another.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on says so")]

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use sabretache_batteries::{Batteries, Battle, Body};
use sabretache_engine::scenario::{Document, Scenario};
use sabretache_engine::session::muster;
use sabretache_players::Skill;
use sabretache_players::fight::fight;

const BATTLES: u64 = 8;

/// Battles fought from copies of one start, by so many threads.
fn fought(start: &Battle, threads: usize) -> Vec<(u64, Battle)> {
    let (next, all) = (AtomicU64::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= BATTLES {
                        return;
                    }
                    let mut battle = start.clone();
                    let players = [Skill::Recruit, Skill::DrillMaster];
                    fight::<Batteries>(&mut battle, players, 4 + seed, 260, |_, _, _, _| {}).unwrap();
                    all.lock().unwrap().push((seed, battle));
                }
            });
        }
    });
    let mut all = all.into_inner().unwrap();
    all.sort_by_key(|(seed, _)| *seed);
    all
}

#[test]
fn one_thread_two_and_five_fight_the_same_battles() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios/batteries/the-crossroads.toml");
    let document = Document::parse("scenario", std::fs::read_to_string(path).unwrap()).unwrap();
    let start = muster::<Batteries>(&Scenario::<Body>::read(&document.json).unwrap()).unwrap();
    let alone = fought(&start, 1);
    assert_eq!(alone.len() as u64, BATTLES);
    for threads in [2, 5] {
        for ((seed, one), (_, other)) in alone.iter().zip(fought(&start, threads)) {
            assert!(*one == other, "battle {seed} is another on {threads} threads");
        }
    }
}
