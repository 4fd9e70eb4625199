//! Battles in a session, on the tiny ruleset.

use std::time::{Duration, Instant};

use sabretache_engine::ids::Side;
use sabretache_engine::patience::{self, Patience};
use sabretache_engine::ruleset::Ruleset;
use sabretache_engine::scenario::{Document, Scenario};
use sabretache_engine::session::muster;
use sabretache_picket::Picket;
use sabretache_players::agreement::OneSided;
use sabretache_players::{Agreement, Budget, Even, Skill, Terms, contest, fight};

const FORD: &str = include_str!("../../../picket/scenarios/ford.toml");
const MARSHAL: Skill = Skill::Marshal(Budget::Iterations(48));

fn scenario() -> Scenario<<Picket as Ruleset>::Body> {
    Scenario::read(&Document::parse("ford.toml", FORD).unwrap().json).unwrap()
}

/// A battle in a session is the battle that is fought without one, choice by choice; only a program needs the session.
#[test]
fn a_contest_is_the_fight_with_the_same_seed() {
    let scenario = scenario();
    for seed in 1..6 {
        let players = [Skill::DrillMaster, if seed % 2 == 0 { Skill::Recruit } else { MARSHAL }];
        let mut battle = muster::<Picket>(&scenario).unwrap();
        let mut fought = Vec::new();
        let ended = fight::<Picket>(&mut battle, players, seed, 400, |n, choice, after, _| {
            fought.push((n, format!("{choice:?}"), after.clone()));
        });
        let mut contested = Vec::new();
        let terms = Terms { players, seed, most: 400, agreement: Agreement::NONE, chance_of_a: &|_| 0.5 };
        let contest = contest::<Picket>(&scenario, &terms, |n, choice, after, _| {
            contested.push((n, format!("{choice:?}"), after.clone()));
        });
        let contest = contest.unwrap();
        assert_eq!(contest.ended, ended.unwrap());
        assert!(contested == fought, "seed {seed}");
        assert_eq!((contest.verdict, contest.cut_short), (Picket::verdict(&battle), None));
    }
}

#[test]
fn a_battle_that_both_think_decided_is_given_up() {
    let scenario = scenario();
    let agreement = Agreement { one_sided: Some(OneSided { chance: 0.9, decisions: 2 }), even: None };
    let terms = Terms { players: [Skill::Recruit; 2], seed: 3, most: 400, agreement, chance_of_a: &|_| 0.05 };
    let contest = contest::<Picket>(&scenario, &terms, |_, _, _, _| {}).unwrap();
    assert_eq!(contest.verdict.unwrap().winner, Some(Side::B));
    assert!(contest.cut_short.is_some_and(|why| why.contains("both players")) && contest.ended.decisions < 20);
}

#[test]
fn a_battle_that_both_think_even_is_drawn_but_not_before_its_turn() {
    let scenario = scenario();
    let fought = |chance: f64, turn: u32| {
        let agreement = Agreement { one_sided: None, even: Some(Even { within: 0.05, decisions: 3, turn }) };
        let terms = Terms { players: [Skill::Recruit; 2], seed: 3, most: 400, agreement, chance_of_a: &|_| chance };
        let mut turns = Vec::new();
        let mut before = muster::<Picket>(&scenario).unwrap();
        let contest = contest::<Picket>(&scenario, &terms, |_, _, after, _| {
            turns.push(Picket::clock(&before).turn.unwrap());
            before = after.clone();
        });
        (contest.unwrap(), turns)
    };
    let (drawn, turns) = fought(0.52, 2);
    let verdict = drawn.verdict.unwrap();
    assert_eq!((verdict.winner, verdict.sentence.as_str()), (None, "Drawn by agreement."));
    assert_eq!(drawn.cut_short.as_deref(), Some("both players thought it even"));
    // Three decisions of each, counted from the second turn on.
    let (early, late): (Vec<u32>, Vec<u32>) = turns.iter().partition(|turn| **turn < 2);
    assert!(!early.is_empty() && late.len() >= 6, "{turns:?}");
    // By the book it would not have ended there.
    let (on, all) = fought(0.6, 2);
    assert!(on.cut_short.is_none() && on.ended.over && all.len() > turns.len(), "{} and {}", all.len(), turns.len());
    let (later, _) = fought(0.52, 3);
    assert!(later.ended.decisions > drawn.ended.decisions);
}

/// Whoever asked has gone, or somebody else has waited long: a thought that would take hours comes to its end, and so does a
/// battle.
#[test]
fn a_player_comes_to_an_end_when_nobody_waits_for_it() {
    let scenario = scenario();
    let long = Skill::Marshal(Budget::Iterations(50_000_000));
    let (patience, begun) = (Patience::lasting(Duration::from_millis(300)), Instant::now());
    let ended = patience::with(&patience, || {
        let mut battle = muster::<Picket>(&scenario).unwrap();
        fight::<Picket>(&mut battle, [long; 2], 1, 400, |_, _, _, _| {}).unwrap()
    });
    assert!(!ended.over && ended.decisions < 400, "{ended:?}");
    let terms = Terms { players: [long; 2], seed: 1, most: 400, agreement: Agreement::NONE, chance_of_a: &|_| 0.5 };
    let contest = patience::with(&patience, || contest::<Picket>(&scenario, &terms, |_, _, _, _| {}).unwrap());
    assert!(!contest.ended.over && contest.verdict.is_none());
    assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", begun.elapsed());
    // Without it nothing is cut short.
    let mut battle = muster::<Picket>(&scenario).unwrap();
    assert!(fight::<Picket>(&mut battle, [Skill::Recruit; 2], 1, 400, |_, _, _, _| {}).unwrap().over);
}
