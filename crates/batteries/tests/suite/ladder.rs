//! How the Drill-master fares against a Recruit: `cargo test -p sabretache-batteries --test suite ladder -- --ignored --nocapture`, with
//! `SCENARIO=barrosa` and `BATTLES=20` as wanted.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests stop at the first thing that is not as it should be")]

use sabretache_batteries::{Batteries, Body};
use sabretache_engine::ids::Side;
use sabretache_engine::ruleset::Ruleset;
use sabretache_engine::scenario::{Document, Scenario};
use sabretache_engine::session::muster;
use sabretache_players::Skill;
use sabretache_players::fight::fight;

#[test]
#[ignore = "takes minutes"]
fn the_drill_master_beats_the_recruit() {
    let given = |name: &str, or: &str| std::env::var(name).unwrap_or_else(|_| or.to_owned());
    let scenario = given("SCENARIO", "the-crossroads");
    let path = format!("{}/../../scenarios/batteries/{scenario}.toml", env!("CARGO_MANIFEST_DIR"));
    let document = Document::parse("scenario", std::fs::read_to_string(path).unwrap()).unwrap();
    let scenario = Scenario::<Body>::read(&document.json).unwrap();
    let (first, battles): (u64, u64) = (given("FIRST", "0").parse().unwrap(), given("BATTLES", "10").parse().unwrap());
    let mut won = [0, 0, 0];
    let (mut decisions, begun) = (0, std::time::Instant::now());
    for n in first..first + battles {
        let ours = if n % 2 == 0 { Side::A } else { Side::B };
        let mut players = [Skill::Recruit; 2];
        players[ours.index()] = Skill::DrillMaster;
        let mut battle = muster::<Batteries>(&scenario).unwrap();
        let mut last = std::collections::BTreeMap::<String, u32>::new();
        let mut before = battle.clone();
        let ended = fight::<Batteries>(&mut battle, players, n / 2, 8_000, |number, choice, after, _| {
            decisions += u64::from(Batteries::deciding(&before) == Some(ours));
            if number > 7_000 {
                *last.entry(Batteries::key(&before, &choice.offer)).or_default() += 1;
            }
            before = after.clone();
        });
        let ended = ended.unwrap();
        assert!(ended.over, "battle {n} does not end; over and over: {last:?}");
        let verdict = Batteries::verdict(&battle).unwrap();
        let result = verdict.winner.map_or(1, |winner| if winner == ours { 0 } else { 2 });
        won[result] += 1;
        let view = Batteries::view(&battle);
        let score: Vec<_> = view.score.into_iter().map(|line| line.values).collect();
        println!("{n} as {ours}, turn {:?}: {} choices, {} {score:?}", view.turn, ended.decisions, verdict.sentence);
    }
    let rate = decisions as f64 / begun.elapsed().as_secs_f64();
    println!(
        "won {}, drawn {}, lost {} of {battles}; {decisions} decisions, {rate:.0} a second",
        won[0], won[1], won[2]
    );
    assert!(won[0] * 2 > battles, "it wins more often than not");
}
