#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what it did not expect")]
//! Movement over changing ground adds up to the micrometre (HZ-TER-02, HZ-TER-03): the drills compare more generously.

use std::fs;
use std::path::Path;

use sabretache_engine::dice::Scripted;
use sabretache_engine::offer::{Choice, Input, Value};
use sabretache_engine::resolution::Resolution;
use sabretache_engine::ruleset::Ruleset;
use sabretache_engine::scenario::{Document, Scenario};
use sabretache_engine::session::muster;
use sabretache_engine::tests_clauses;
use sabretache_huzzah::Huzzah;
use sabretache_huzzah::body::Body;
use sabretache_huzzah::clauses::{HZ_ROU_09, HZ_TER_02, HZ_TER_03};
use sabretache_table::Length;
use serde_json::{Value as Json, json};

fn position(change: impl FnOnce(&mut Json)) -> sabretache_huzzah::battle::Battle {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../drills/huzzah/positions/two-brigades.toml");
    let mut json = Document::parse("two-brigades.toml", fs::read_to_string(&path).unwrap()).unwrap().json;
    change(&mut json);
    let scenario = Scenario::<Body>::read(&json).unwrap_or_else(|report| panic!("{report}"));
    muster::<Huzzah>(&scenario).unwrap_or_else(|report| panic!("{report}"))
}

fn choose(battle: &mut sabretache_huzzah::battle::Battle, key: &str, dice: &[u8]) {
    let mut offers = Vec::new();
    Huzzah::offers(battle, &mut offers);
    let offer = offers.into_iter().find(|offer| Huzzah::key(battle, offer) == key).unwrap();
    let mut dice = Scripted::new(dice.to_vec());
    let mut play = Resolution::<Huzzah>::new(battle, &mut dice);
    Huzzah::resolve(&mut play, &Choice { offer, value: Value::None }).unwrap_or_else(|halt| panic!("{halt}"));
}

/// How far the column, its front at y = 30 and its move 20 cm, can advance over this ground.
fn most(ground: Json) -> Length {
    let mut battle = position(|json| json["ground"] = ground);
    choose(&mut battle, "order advance fr-1", &[4, 4]);
    let mut offers = Vec::new();
    Huzzah::offers(&battle, &mut offers);
    let offer = offers.into_iter().find(|offer| Huzzah::key(&battle, offer) == "advance fr-1").unwrap();
    match Huzzah::input(&battle, &offer) {
        Input::Distance { most, .. } => most,
        other => panic!("{other:?}"),
    }
}

fn orchard(from: f64, to: f64) -> Json {
    json!({ "kind": "wood", "traits": ["light"], "area": [[40, to], [80, to], [80, from], [40, from]] })
}

#[test]
fn half_a_move_through_an_orchard_and_the_rest_beyond_add_up_exactly() {
    tests_clauses!(HZ_TER_02, HZ_TER_03);
    assert_eq!(most(json!([orchard(10.0, 35.0)])), Length::cm(15), "5 cm cost 10, and 10 are left");
    assert_eq!(most(json!([orchard(33.0, 37.0)])), Length::cm(16), "3 in the open, 4 that cost 8, and 9 are left");
    let two = json!([orchard(32.0, 34.0), orchard(36.0, 39.0)]);
    assert_eq!(most(two), Length::cm(15), "2, 2 that cost 4, 2, 3 that cost 6, and 6 are left");
    // 3 in the open, 8.5 that cost 17: all is used up right at the edge; a micrometre less of wood leaves two for the open.
    assert_eq!(most(json!([orchard(33.0, 41.5)])), Length::um(115_000));
    assert_eq!(most(json!([orchard(33.0, 41.4999)])), Length::um(115_001));
    assert_eq!(most(json!([orchard(33.0, 41.4998)])), Length::um(115_002));
}

#[test]
fn a_line_across_the_corner_of_a_wood_pays_for_just_that() {
    tests_clauses!(HZ_TER_02, HZ_TER_03);
    // Half-rate from the first to the last of its front edge: the wood's corner reaches 1 cm into its path, from 31 to 35.
    let corner = json!([{ "kind": "wood", "traits": ["light"], "area": [[40, 35], [58, 35], [58, 31], [40, 31]] }]);
    assert_eq!(most(corner), Length::cm(16), "1 in the open, 4 that cost 8, and 11 are left");
}

#[test]
fn a_mob_that_runs_through_a_wood_and_out_of_it_pays_exactly() {
    tests_clauses!(HZ_TER_02, HZ_ROU_09);
    let mut battle = position(|json| {
        json["ground"] =
            json!([{ "kind": "wood", "traits": ["light"], "area": [[100, 75], [140, 75], [140, 71], [100, 71]] }]);
        json["units"][0]["at"] = json!([120, 77]);
        json["units"][0]["facing"] = json!(180);
        json["units"][0]["formation"] = json!("mob");
        json["units"][0]["routing"] = json!(true);
        json["state"]["stage"] = json!("rally");
        json["state"]["doing"] = json!({ "phase": "rally" });
    });
    choose(&mut battle, "rally fr-1", &[6, 6]);
    // 2 in the open, 4 that cost 8, and 10 are left: 16 in all.
    assert_eq!(battle.units[0].pose.at.y, Length::cm(61));
}
