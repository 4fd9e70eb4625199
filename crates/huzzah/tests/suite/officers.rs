#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what it did not expect")]
//! Where officers may ride, and whose dice a threat test is: what a drill cannot say.

use std::fs;
use std::path::Path;

use sabretache_engine::dice::Scripted;
use sabretache_engine::ids::OfficerId;
use sabretache_engine::offer::{Choice, Value};
use sabretache_engine::resolution::Resolution;
use sabretache_engine::ruleset::Ruleset;
use sabretache_engine::scenario::{Diagnostics, Document, FileAngle, FilePoint, Scenario};
use sabretache_huzzah::Huzzah;
use sabretache_huzzah::battle::Battle;
use sabretache_huzzah::body::Body;
use sabretache_huzzah::clauses::{HZ_OFF_02, HZ_OFF_03, HZ_OFF_05, HZ_THR_03};
use sabretache_huzzah::phases::officers::offers::Officers;
use sabretache_huzzah::phases::skirmish::offers::Skirmish;
use sabretache_huzzah::state::{Doing, Phase, Stage};
use sabretache_table::{Length, Point};

/// Two brigades a side, changed as the test likes.
fn battle(change: impl FnOnce(&mut Body)) -> Battle {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../drills/huzzah/positions/two-brigades.toml");
    let document = Document::parse("two-brigades.toml", fs::read_to_string(&path).unwrap()).unwrap();
    let mut scenario = Scenario::<Body>::read(&document.json).unwrap_or_else(|report| panic!("{report}"));
    scenario.body.state.stage = Stage::Officers;
    scenario.body.state.doing = Doing { phase: Some(Phase::Officers), ..Doing::default() };
    change(&mut scenario.body);
    let mut report = Diagnostics::new();
    Huzzah::muster(&scenario, &mut report).unwrap_or_else(|| panic!("{report}"))
}

fn unit_at(body: &mut Body, id: &str, at: [f64; 2], facing: f64) {
    let unit = body.units.iter_mut().find(|unit| unit.id == id).unwrap();
    unit.at = Some(FilePoint(at));
    unit.facing = Some(FileAngle(facing));
}

fn officer_at(body: &mut Body, id: &str, at: [f64; 2]) {
    body.officers.iter_mut().find(|officer| officer.id == id).unwrap().at = Some(FilePoint(at));
}

fn officer(battle: &Battle, id: &str) -> OfficerId {
    battle.officer_ids().find(|&officer| battle.officer_facts(officer).id == id).unwrap()
}

fn point(x: f64, y: f64) -> Value {
    Value::Point(Point::new(Length::rounded(x * 10_000.0), Length::rounded(y * 10_000.0)))
}

fn rides(battle: &Battle, id: &str, x: f64, y: f64) -> bool {
    Huzzah::input(battle, &Officers::Ride(officer(battle, id)).into()).fits(&point(x, y))
}

fn ride(battle: &mut Battle, id: &str, x: f64, y: f64) -> Result<(), String> {
    let offer = Officers::Ride(officer(battle, id)).into();
    let mut dice = Scripted::new(Vec::new());
    let choice = Choice { offer, value: point(x, y) };
    Huzzah::resolve(&mut Resolution::new(battle, &mut dice), &choice).map_err(|halt| halt.to_string())
}

fn offers(battle: &Battle) -> Vec<String> {
    let mut offers = Vec::new();
    Huzzah::offers(battle, &mut offers);
    offers.iter().map(|offer| Huzzah::key(battle, offer)).collect()
}

#[test]
fn an_officer_rides_sixty_centimetres_and_no_further() {
    sabretache_engine::tests_clauses!(HZ_OFF_02);
    let battle = battle(|body| officer_at(body, "reille", [200.0, 40.0]));
    assert!(rides(&battle, "reille", 200.0, 100.0));
    assert!(rides(&battle, "reille", 236.0, 88.0), "36 and 48 make 60");
    assert!(!rides(&battle, "reille", 200.0, 100.5));
    assert!(!rides(&battle, "reille", 200.0, 29.0), "not on top of a friend");
    assert!(!rides(&battle, "reille", 241.0, 40.0), "not off the table");
}

#[test]
fn a_gap_that_his_base_would_touch_is_too_narrow() {
    sabretache_engine::tests_clauses!(HZ_OFF_03);
    let gap = |wide: f64| {
        battle(|body| {
            officer_at(body, "reille", [200.0, 40.0]);
            unit_at(body, "al-1", [194.0 - wide / 2.0, 60.0], 180.0);
            unit_at(body, "al-2", [206.0 + wide / 2.0, 60.0], 180.0);
            unit_at(body, "al-3", [100.0, 160.0], 180.0);
        })
    };
    assert!(!rides(&gap(2.1), "reille", 200.0, 75.0), "half a millimetre on either side is a touch");
    assert!(rides(&gap(2.4), "reille", 200.0, 75.0));
}

#[test]
fn he_rides_round_the_enemy_in_stretches_that_count_together() {
    sabretache_engine::tests_clauses!(HZ_OFF_03, HZ_OFF_02);
    let mut battle = battle(|body| {
        officer_at(body, "reille", [200.0, 40.0]);
        unit_at(body, "al-1", [200.0, 50.0], 180.0);
    });
    assert!(!rides(&battle, "reille", 200.0, 60.0), "not through the enemy");
    assert!(!rides(&battle, "reille", 200.0, 48.9), "not into contact with him");
    ride(&mut battle, "reille", 209.0, 52.0).unwrap();
    assert!(rides(&battle, "reille", 200.0, 60.0), "round his flank");
    ride(&mut battle, "reille", 200.0, 60.0).unwrap();
    // 15 cm and 12.0416 cm are gone.
    let ridden = battle.officer(officer(&battle, "reille")).ridden;
    assert!((ridden.f() - 270_416.0).abs() < 10.0, "{ridden}");
    assert!(rides(&battle, "reille", 200.0, 92.9));
    assert!(!rides(&battle, "reille", 200.0, 93.0));
}

#[test]
fn he_joins_a_unit_beyond_the_enemy_if_the_way_round_is_short_enough() {
    sabretache_engine::tests_clauses!(HZ_OFF_03, HZ_OFF_05);
    let beyond = |far: f64| {
        battle(|body| {
            officer_at(body, "reille", [200.0, 40.0]);
            unit_at(body, "al-1", [200.0, 50.0], 180.0);
            unit_at(body, "fr-4", [200.0, far], 0.0);
        })
    };
    assert!(offers(&beyond(70.0)).contains(&"attach reille fr-4".to_owned()));
    // Straight it would be 59 cm to its rear; round the enemy it is more than 60.
    assert!(!offers(&beyond(104.0)).contains(&"attach reille fr-4".to_owned()));
    let clear = battle(|body| {
        officer_at(body, "reille", [200.0, 40.0]);
        unit_at(body, "fr-4", [200.0, 104.0], 0.0);
    });
    assert!(offers(&clear).contains(&"attach reille fr-4".to_owned()));
}

#[test]
fn the_opponent_rolls_a_threat_test() {
    sabretache_engine::tests_clauses!(HZ_THR_03);
    let battle = battle(|body| {
        unit_at(body, "al-1", [60.0, 40.0], 180.0);
        body.state.stage = Stage::Skirmish;
        body.state.doing = Doing::default();
    });
    let mut after = battle;
    let mut dice = Scripted::new(vec![6, 6, 6, 6]);
    let mut play = Resolution::new(&mut after, &mut dice);
    Huzzah::resolve(&mut play, &Choice { offer: Skirmish::Roll.into(), value: Value::None }).unwrap();
    let mut offers = Vec::new();
    Huzzah::offers(&after, &mut offers);
    let test = offers.iter().find(|offer| Huzzah::key(&after, offer) == "test fr-1").unwrap();
    let label = Huzzah::label(&after, test);
    assert!(label.text.contains("(dice: the Allies)"), "{}", label.text);
    assert!(label.clauses.iter().any(|clause| clause.id() == "HZ-THR-03"));
}
