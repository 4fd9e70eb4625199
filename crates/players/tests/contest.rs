//! Battles in a session, on the tiny ruleset.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what it did not expect")]

use sabretache_engine::ids::Side;
use sabretache_engine::ruleset::Ruleset;
use sabretache_engine::scenario::{Document, Scenario};
use sabretache_engine::session::muster;
use sabretache_picket::Picket;
use sabretache_players::{Agreement, Budget, Skill, Terms, contest, fight};

const FORD: &str = include_str!("../../picket/scenarios/ford.toml");
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
        let terms = Terms { players, seed, most: 400, agreement: None, chance_of_a: &|_| 0.5 };
        let contest = contest::<Picket>(&scenario, &terms, |n, choice, after, _| {
            contested.push((n, format!("{choice:?}"), after.clone()));
        });
        let contest = contest.unwrap();
        assert_eq!(contest.ended, ended.unwrap());
        assert!(contested == fought, "seed {seed}");
        assert_eq!((contest.verdict, contest.given_up), (Picket::verdict(&battle), None));
    }
}

#[test]
fn a_battle_that_both_think_decided_is_given_up() {
    let scenario = scenario();
    let agreement = Some(Agreement { chance: 0.9, decisions: 2 });
    let terms = Terms { players: [Skill::Recruit; 2], seed: 3, most: 400, agreement, chance_of_a: &|_| 0.05 };
    let contest = contest::<Picket>(&scenario, &terms, |_, _, _, _| {}).unwrap();
    assert_eq!(contest.verdict.unwrap().winner, Some(Side::B));
    assert!(contest.given_up.is_some_and(|why| why.contains("both players")) && contest.ended.decisions < 20);
}
