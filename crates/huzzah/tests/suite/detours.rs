#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what it did not expect")]
//! Units that must retire go round ground they cannot cross (HZ-TER-16).

use std::fs;
use std::path::Path;

use sabretache_engine::dice::Scripted;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::{Choice, Value};
use sabretache_engine::resolution::Resolution;
use sabretache_engine::ruleset::Ruleset;
use sabretache_engine::scenario::{Document, Scenario};
use sabretache_engine::session::muster;
use sabretache_engine::tests_clauses;
use sabretache_huzzah::Huzzah;
use sabretache_huzzah::battle::Battle;
use sabretache_huzzah::body::Body;
use sabretache_huzzah::clauses::HZ_TER_16;
use sabretache_table::{FeatureId, Heading, Length, exact_distance, overlapping};
use serde_json::{Value as Json, json};

const FRENCH: UnitId = UnitId(0);

/// A French column, 6 by 3 cm, that has attacked an Allied line at y = 60 and is beaten back in a tie, with this ground behind it.
fn beaten_back(ground: Json, formation: &str) -> Battle {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../drills/huzzah/positions/two-brigades.toml");
    let mut json = Document::parse("two-brigades.toml", fs::read_to_string(&path).unwrap()).unwrap().json;
    json["ground"] = ground;
    json["units"][0]["at"] = json!([60, 60]);
    json["units"][0]["formation"] = json!(formation);
    json["units"][4]["at"] = json!([60, 60]);
    let scenario = Scenario::<Body>::read(&json).unwrap_or_else(|report| panic!("{report}"));
    let mut battle = muster::<Huzzah>(&scenario).unwrap_or_else(|report| panic!("{report}"));
    let mut dice = Scripted::new(vec![6, 5, 6, 5]);
    for key in ["end orders", "end officers", "fight fr-1 al-1"] {
        let mut offers = Vec::new();
        Huzzah::offers(&battle, &mut offers);
        let offer = offers.into_iter().find(|offer| Huzzah::key(&battle, offer) == key).unwrap();
        let choice = Choice { offer, value: Value::None };
        let mut play = Resolution::<Huzzah>::new(&mut battle, &mut dice);
        Huzzah::resolve(&mut play, &choice).unwrap_or_else(|halt| panic!("{halt}"));
    }
    battle
}

fn lake(x0: f64, y0: f64, x1: f64, y1: f64) -> Json {
    json!([{ "kind": "lake", "area": [[x0, y1], [x1, y1], [x1, y0], [x0, y0]] }])
}

#[test]
fn straight_back_where_nothing_bars_the_way() {
    tests_clauses!(HZ_TER_16);
    let battle = beaten_back(lake(100.0, 40.0, 120.0, 50.0), "column");
    let pose = battle.unit(FRENCH).pose;
    assert_eq!((pose.at.x, pose.at.y, pose.heading), (Length::cm(60), Length::cm(40), Heading::NORTH));
}

#[test]
fn round_a_lake_by_the_shorter_side_keeping_its_facing() {
    tests_clauses!(HZ_TER_16);
    // The lake lies 7 cm behind the column, 2 cm of it to the west of the middle and 20 to the east.
    let battle = beaten_back(lake(58.0, 45.0, 80.0, 50.0), "column");
    let pose = battle.unit(FRENCH).pose;
    let placed = battle.placed(FRENCH);
    let lake = battle.lay.ground.get(FeatureId(0)).unwrap();
    assert_eq!(pose.heading, Heading::NORTH, "it keeps its facing");
    assert!(pose.at.x < Length::cm(58), "round the western end, not the eastern: {pose:?}");
    assert!(pose.at.y < Length::cm(47), "it gets past the near shore: {pose:?}");
    assert!(!overlapping(&placed, &lake) && exact_distance(&placed, &lake) >= 0.0, "never into the water");
    // A move of 20 cm with a bend in it is less than 20 cm as the crow flies, and much more than the 7 to the shore.
    let flown = pose.at.distance(sabretache_table::Point::cm(60, 60));
    assert!(flown < Length::cm(20) && flown > Length::cm(15), "{flown}");
}

#[test]
fn with_no_way_round_it_stops_at_the_shore() {
    tests_clauses!(HZ_TER_16);
    let battle = beaten_back(lake(0.0, 45.0, 240.0, 50.0), "column");
    let pose = battle.unit(FRENCH).pose;
    assert_eq!((pose.at.x, pose.at.y), (Length::cm(60), Length::cm(53)), "its rear is at 50");
}

#[test]
fn a_fordable_stream_is_no_reason_to_go_round() {
    tests_clauses!(HZ_TER_16);
    let stream = json!([{ "kind": "stream", "line": [[50, 48], [70, 48]], "width": 2 }]);
    let battle = beaten_back(stream, "column");
    let pose = battle.unit(FRENCH).pose;
    assert_eq!((pose.at.x, pose.at.y), (Length::cm(60), Length::cm(52)), "its rear is at the bank, at 49");
}

#[test]
fn open_order_need_not_stay_under_cover_when_it_is_beaten_back() {
    tests_clauses!(HZ_TER_16);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../drills/huzzah/positions/two-brigades.toml");
    let mut json = Document::parse("two-brigades.toml", fs::read_to_string(&path).unwrap()).unwrap().json;
    json["ground"] = json!([{ "kind": "wood", "traits": ["light"], "area": [[40, 65], [80, 65], [80, 50], [40, 50]] }]);
    json["units"][0]["at"] = json!([60, 60]);
    json["units"][0]["formation"] = json!("open_order");
    json["units"][0]["abilities"] = json!({ "open_order": true });
    json["units"][0]["must_move"] = json!({ "retire": 18_000 });
    json["units"][1]["must_move"] = json!({ "retire": 18_000 });
    json["state"]["stage"] = json!("fall_back");
    json["state"]["doing"] = json!({ "phase": "engage" });
    let scenario = Scenario::<Body>::read(&json).unwrap_or_else(|report| panic!("{report}"));
    let mut battle = muster::<Huzzah>(&scenario).unwrap_or_else(|report| panic!("{report}"));
    let mut offers = Vec::new();
    Huzzah::offers(&battle, &mut offers);
    let offer = offers.into_iter().find(|offer| Huzzah::key(&battle, offer) == "fall back fr-1").unwrap();
    let mut dice = Scripted::new(Vec::new());
    let mut play = Resolution::<Huzzah>::new(&mut battle, &mut dice);
    Huzzah::resolve(&mut play, &Choice { offer, value: Value::None }).unwrap_or_else(|halt| panic!("{halt}"));
    assert_eq!(battle.unit(FRENCH).pose.at.y, Length::cm(40), "20 cm back, out of the wood into the open");
}
