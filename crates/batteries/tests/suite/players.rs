//! What computer players are told: how a battle stands, and what is worth trying.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on says so")]

use std::path::{Path, PathBuf};

use sabretache_batteries::{Batteries, Battle, Generals, Movement, Offer};
use sabretache_engine::dice::Seeded;
use sabretache_engine::ids::{Side, UnitId};
use sabretache_engine::offer::{Input, Value};
use sabretache_engine::playout::random_choice;
use sabretache_engine::resolution::Resolution;
use sabretache_engine::ruleset::{Judgement, Ruleset};
use sabretache_engine::scenario::{Diagnostics, Document, Scenario};
use sabretache_table::{Angle, Length};
use serde_json::{Value as Json, json};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name).join("batteries")
}

fn document(path: &Path) -> Document {
    Document::parse("scenario.toml", std::fs::read_to_string(path).unwrap()).unwrap()
}

fn mustered(document: &Document) -> Battle {
    let mut report = Diagnostics::new();
    Batteries::muster(&Scenario::read(&document.json).unwrap(), &mut report).unwrap_or_else(|| panic!("{report}"))
}

/// The open field with some facts of units changed.
fn field(changes: &[(usize, &str, Json)]) -> Battle {
    let mut field = document(&folder("drills").join("positions/field.toml"));
    for (unit, key, value) in changes {
        field.json["units"][*unit][*key] = value.clone();
    }
    mustered(&field)
}

/// What the field is worth to Blue, who holds the first five units, with some facts changed.
fn blue(changes: &[(usize, &str, Json)]) -> i32 {
    Batteries::worth(&field(changes), Side::A)
}

const LINE: usize = 0;
const COLUMN: usize = 1;
const HORSE: usize = 3;
const RED_GUNS: usize = 9;

#[test]
fn what_a_battle_is_worth_to_one_side_it_costs_the_other_and_proposals_are_allowed() {
    let mut tried = 0;
    for entry in std::fs::read_dir(folder("scenarios")).unwrap() {
        let mut battle = mustered(&document(&entry.unwrap().path()));
        let units = Batteries::view(&battle).units.len() as i32;
        let (mut random, mut dice) = (Seeded::new(7), Seeded::new(8));
        let (mut offers, mut values) = (Vec::new(), Vec::new());
        for n in 0..120 {
            // But for what urges each of them on in its own decisions.
            let urges = Batteries::worth(&battle, Side::A) + Batteries::worth(&battle, Side::B);
            assert!(urges.abs() <= 32 * units, "{urges}");
            if n % 10 == 0 {
                offers.clear();
                Batteries::offers(&battle, &mut offers);
                for offer in offers.drain(..) {
                    let input = Batteries::input(&battle, &offer);
                    values.clear();
                    Batteries::proposals(&battle, &offer, &mut values);
                    // Less than an inch or three degrees is not worth making, less than a degree by nobody.
                    let (idle, never) = match input {
                        Input::Distance { most, .. } => (most < Length::inches(1), false),
                        Input::Wheel { most_left, most_right } => {
                            let most = most_left.abs().max(most_right.abs());
                            (most < Angle::degrees(3), most < Angle::degrees(1))
                        }
                        _ => (false, false),
                    };
                    assert!(idle || !values.is_empty(), "nothing for {offer:?} within {input:?}");
                    assert!(!never || values.is_empty(), "{offer:?} within {input:?}: {values:?}");
                    assert!(
                        values.len() <= 12 || matches!(offer, Offer::Generals(Generals::Ride(_))),
                        "{offer:?}: {values:?}"
                    );
                    for value in &values {
                        assert!(input.fits(value), "{offer:?} does not allow {value:?}");
                        tried += 1;
                    }
                }
            }
            let Some(choice) = random_choice::<Batteries>(&battle, &mut offers, &mut random) else { break };
            Batteries::resolve(&mut Resolution::new(&mut battle, &mut dice), &choice).unwrap();
        }
    }
    assert!(tried > 1_000, "{tried} values were tried");
}

#[test]
fn losses_and_disorder_cost() {
    let whole = blue(&[]);
    assert!(blue(&[(LINE, "figures", json!(20))]) < whole);
    let (shaken, disordered) = (blue(&[(LINE, "shaken", json!(true))]), blue(&[(LINE, "disordered", json!(true))]));
    assert!(shaken < disordered && disordered < whole, "{shaken} {disordered} {whole}");
    assert!(blue(&[(HORSE, "place", json!("shattered"))]) < blue(&[(HORSE, "place", json!("pursuing"))]));
}

#[test]
fn every_step_toward_the_enemy_gains_a_little() {
    let steps: Vec<i32> = (0..6).map(|n| blue(&[(COLUMN, "at", json!([20, 10 + 4 * n]))])).collect();
    assert!(steps.windows(2).all(|pair| pair[0] < pair[1]), "{steps:?}");
}

#[test]
fn facing_away_costs_and_so_do_guns_before_a_column() {
    assert!(blue(&[(COLUMN, "facing", json!(180))]) < blue(&[]));
    let under_fire = [(COLUMN, "at", json!([54, 38])), (RED_GUNS, "facing", json!(180))];
    let beside_them = [(COLUMN, "at", json!([54, 38])), (RED_GUNS, "facing", json!(0))];
    assert!(blue(&under_fire) < blue(&beside_them));
}

/// What Barrosa is worth to the British, who have to come on, with some facts of the 28th changed.
fn british(changes: &[(&str, Json)]) -> i32 {
    let mut barrosa = document(&folder("scenarios").join("barrosa.toml"));
    for (key, value) in changes {
        barrosa.json["units"][4][*key] = value.clone();
    }
    assert_eq!(barrosa.json["units"][4]["id"], "28th");
    Batteries::worth(&mustered(&barrosa), Side::A)
}

#[test]
fn whoever_has_far_to_go_forms_column_and_turns_toward_where_he_is_wanted() {
    let line = british(&[]);
    let column = british(&[("formation", json!("column")), ("width", json!(2))]);
    let turned = british(&[("formation", json!("column")), ("width", json!(2)), ("facing", json!(150))]);
    assert!(line < column && column < turned, "{line} {column} {turned}");
}

#[test]
fn a_move_that_leads_nowhere_is_a_loss() {
    let spent = british(&[("now", json!({ "moved": true, "done": true, "share": 1_000_000 }))]);
    assert!(spent < british(&[]));
}

#[test]
fn whoever_is_shaken_does_better_to_stand_still() {
    let shaken = |now: Json| blue(&[(LINE, "shaken", json!(true)), (LINE, "now", now)]);
    let (stands, moves) = (json!({ "was_shaken": true }), json!({ "was_shaken": true, "moved": true, "done": true }));
    assert!(shaken(moves) < shaken(stands));
}

#[test]
fn an_advance_is_proposed_to_the_edge_of_the_enemys_fire_and_a_wheel_to_face_him() {
    // The red line stands 12 in before the blue column, which may go 8.
    let battle = field(&[(5, "at", json!([20, 22]))]);
    let mut values = Vec::new();
    Batteries::proposals(&battle, &Movement::Advance(UnitId(1)).into(), &mut values);
    assert_eq!(values[0], Value::Distance(Length::inches(8)));
    let edge = Length::inches(4) - Length::inch_fraction(1, 10);
    assert!(values.contains(&Value::Distance(edge)), "{values:?}");
    let battle = field(&[(5, "at", json!([40, 30]))]);
    values.clear();
    Batteries::proposals(&battle, &Movement::Wheel(UnitId(1)).into(), &mut values);
    assert_eq!(values[0], Value::Wheel(Angle::degrees(45)));
}

/// What an exercise's position with its guns told to fire is worth to Blue by a judgement: `friend` is where a blue column stands.
fn ordered_to_fire(by: Judgement, friend: Json) -> i32 {
    let mut document = document(&folder("exercises").join("positions/field.toml"));
    document.json["state"]["step"] = json!("aim_a");
    document.json["units"] = json!([
        { "id": "b-guns", "name": "guns", "brigade": "b", "grade": "C", "at": [30, 10], "facing": 0, "arm": "guns", "class": "field", "models": 3 },
        { "id": "b-col", "name": "column", "brigade": "b", "grade": "C", "at": friend, "facing": 0, "arm": "foot", "start": 24, "formation": "column", "width": 2 },
        { "id": "r-line", "name": "line", "brigade": "r", "grade": "C", "at": [30, 28], "facing": 180, "arm": "foot", "start": 24, "formation": "line", "width": 6 },
    ]);
    let mut battle = mustered(&document);
    let before = Batteries::worth_by(&battle, Side::A, by);
    let mut offers = Vec::new();
    Batteries::offers(&battle, &mut offers);
    let shoot = offers.into_iter().find(|offer| Batteries::key(&battle, offer).starts_with("shoot b-guns at r-line"));
    let choice = sabretache_engine::offer::Choice { offer: shoot.unwrap(), value: Value::None };
    Batteries::resolve(&mut Resolution::new(&mut battle, &mut Seeded::new(1)), &choice).unwrap();
    Batteries::worth_by(&battle, Side::A, by) - before
}

#[test]
fn to_fire_through_friends_is_a_loss_by_the_present_judgement_and_a_gain_by_the_first() {
    let (clear, masked) = (json!([44, 15]), json!([30, 15]));
    assert!(ordered_to_fire(Judgement::Present, clear) > 0);
    assert!(ordered_to_fire(Judgement::Present, masked.clone()) < 0);
    assert!(ordered_to_fire(Judgement::First, masked) > 0);
}
