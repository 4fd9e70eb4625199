//! How the computer players fare against each other: `cargo test --release -p sabretache-malbrook --test suite ladder -- --ignored
//! --nocapture`, with `SCENARIO=ramillies` and `BATTLES=20` as wanted; `TELL=7` tells the story of the seventh.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests stop at the first thing that is not as it should be")]

use sabretache_engine::ids::Side;
use sabretache_engine::offer::Choice;
use sabretache_engine::resolution::Happening;
use sabretache_engine::ruleset::Ruleset;
use sabretache_engine::scenario::{Document, Scenario};
use sabretache_engine::session::muster;
use sabretache_malbrook::{Battle, Body, Event, Malbrook, Offer};
use sabretache_players::Skill;
use sabretache_players::fight::fight;

fn battle_turn(battle: &Battle) -> String {
    let view = Malbrook::view(battle);
    format!("side {:?} in turn {:?}, {},", Malbrook::deciding(battle), view.turn, view.phase)
}

/// What was chosen and what came of it.
fn tell(n: u64, before: &Battle, choice: &Choice<Offer>, after: &Battle, happened: &[Happening<Event>]) {
    println!("{n} {} {:?}", Malbrook::key(before, &choice.offer), choice.value);
    for one in happened {
        if let Happening::Event(event) = one {
            println!("      {}", Malbrook::tell(after, event).text);
        }
    }
}

#[test]
#[ignore = "takes minutes"]
fn the_drill_master_beats_the_recruit() {
    let given = |name: &str, or: &str| std::env::var(name).unwrap_or_else(|_| or.to_owned());
    let path = format!("{}/../../scenarios/malbrook/{}.toml", env!("CARGO_MANIFEST_DIR"), given("SCENARIO", "meeting"));
    let document = Document::parse("scenario", std::fs::read_to_string(path).unwrap()).unwrap();
    let scenario = Scenario::<Body>::read(&document.json).unwrap();
    let battles: u64 = given("BATTLES", "10").parse().unwrap();
    let told: Option<u64> = std::env::var("TELL").ok().and_then(|n| n.parse().ok());
    let mut won = [0, 0, 0];
    for n in 0..battles {
        let ours = if n % 2 == 0 { Side::A } else { Side::B };
        let mut players = [Skill::Recruit; 2];
        players[ours.index()] = Skill::DrillMaster;
        let mut battle = muster::<Malbrook>(&scenario).unwrap();
        let mut last = std::collections::BTreeMap::<String, u32>::new();
        let mut before = battle.clone();
        let ended = fight::<Malbrook>(&mut battle, players, n / 2, 6_000, |choice_number, choice, after, happened| {
            if told == Some(n) {
                tell(choice_number, &before, choice, after, happened);
            }
            if choice_number > 5_000 {
                *last.entry(Malbrook::key(&before, &choice.offer)).or_default() += 1;
            }
            before = after.clone();
        });
        let ended = ended.unwrap();
        assert!(ended.over, "battle {n} does not end; {} does over and over: {last:?}", battle_turn(&battle));
        let verdict = Malbrook::verdict(&battle).unwrap();
        let result = verdict.winner.map_or(1, |winner| if winner == ours { 0 } else { 2 });
        won[result] += 1;
        let score: Vec<_> = Malbrook::view(&battle).score.into_iter().map(|line| line.values).collect();
        println!("{n} as {ours}: {} choices, {} {score:?}", ended.decisions, verdict.sentence);
    }
    println!("won {}, drawn {}, lost {} of {battles}", won[0], won[1], won[2]);
    assert!(won[0] * 2 > battles, "it wins more often than not");
}
