#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what it did not expect")]
//! What is no offer is refused with the clause that forbids it, from any sender: these choices have no place among the offers, so that no
//! drill can name them.

use std::fs;
use std::path::Path;

use sabretache_engine::dice::Scripted;
use sabretache_engine::ids::{CommandId, OfficerId, UnitId};
use sabretache_engine::offer::{Choice, Halt, Value};
use sabretache_engine::resolution::Resolution;
use sabretache_engine::ruleset::Ruleset;
use sabretache_engine::scenario::{Document, Scenario};
use sabretache_engine::session::muster;
use sabretache_engine::tests_clauses;
use sabretache_huzzah::Huzzah;
use sabretache_huzzah::battle::Battle;
use sabretache_huzzah::body::Body;
use sabretache_huzzah::clauses::*;
use sabretache_huzzah::offer::Offer;
use sabretache_huzzah::phases::deploy::offers::Deploy;
use sabretache_huzzah::phases::engage::offers::Engage;
use sabretache_huzzah::phases::fallback::offers::FallBack;
use sabretache_huzzah::phases::officers::offers::Officers;
use sabretache_huzzah::phases::rally::offers::Rally;
use sabretache_huzzah::troops::Formation;
use serde_json::{Value as Json, json};

fn position(change: impl Fn(&mut Json)) -> Battle {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../drills/huzzah/positions/two-brigades.toml");
    let mut json = Document::parse("two-brigades.toml", fs::read_to_string(&path).unwrap()).unwrap().json;
    change(&mut json);
    let scenario = Scenario::<Body>::read(&json).unwrap_or_else(|report| panic!("{report}"));
    muster::<Huzzah>(&scenario).unwrap_or_else(|report| panic!("{report}"))
}

/// The clause with which a choice is refused; the battle must be as it was.
fn refused(battle: &Battle, offer: impl Into<Offer>) -> String {
    let offer = offer.into();
    let mut after = battle.clone();
    let mut dice = Scripted::new(vec![6, 6, 6, 6]);
    let mut play = Resolution::<Huzzah>::new(&mut after, &mut dice);
    let halt = Huzzah::resolve(&mut play, &Choice { offer, value: Value::None });
    let Err(Halt::Refused(refusal)) = halt else { panic!("it was not refused: {halt:?}") };
    assert!(&after == battle, "a refusal changes nothing");
    refusal.clause.to_string()
}

fn at(json: &mut Json, stage: &str, phase: &str) {
    json["state"]["stage"] = json!(stage);
    json["state"]["doing"] = json!({ "phase": phase });
}

const FIRST: UnitId = UnitId(0);
const SECOND: UnitId = UnitId(1);
const BRIGADE: CommandId = CommandId(1);
const OTHER: CommandId = CommandId(2);
const SOULT: OfficerId = OfficerId(0);
const FOY: OfficerId = OfficerId(1);

#[test]
fn checks_out_of_turn_or_by_the_wrong_officer() {
    tests_clauses!(HZ_CHK_07, HZ_CHK_19, HZ_CHK_17);
    let battle = position(|json| {
        json["commands"][1]["passed_last_check"] = json!(false);
        json["units"][1]["at"] = json!([100, 30]);
        at(json, "check", "rally");
    });
    let check = |command, by, flag| refused(&battle, Rally::Check { command, by, flag });
    assert_eq!(check(OTHER, Some(OfficerId(2)), false), "HZ-CHK-07", "its own officer, but nothing is due");
    assert_eq!(check(BRIGADE, Some(SOULT), false), "HZ-CHK-19", "he does it for nobody who is alive");
    assert_eq!(check(BRIGADE, None, false), "HZ-CHK-19", "it has an officer");
    assert_eq!(check(BRIGADE, Some(FOY), true), "HZ-CHK-17", "a battalion is out of his radius");
}

#[test]
fn rallies_reforms_and_routs_of_those_who_need_none() {
    tests_clauses!(HZ_RAL_01, HZ_ROU_07, HZ_RAL_14);
    let battle = position(|json| {
        json["units"][0]["routing"] = json!(true);
        json["units"][0]["formation"] = json!("mob");
        json["units"][0]["rolled"] = json!(true);
        at(json, "rally", "rally");
    });
    for unit in [FIRST, SECOND, UnitId(4)] {
        assert_eq!(refused(&battle, Rally::Rally(unit)), "HZ-RAL-01", "{unit:?}");
        assert_eq!(refused(&battle, Rally::Reform(unit)), "HZ-RAL-01", "{unit:?}");
        assert_eq!(refused(&battle, Rally::Rout(unit)), "HZ-ROU-07", "{unit:?}");
    }
    assert_eq!(refused(&battle, Rally::Form(Formation::Line)), "HZ-RAL-14", "nobody is forming up");
}

#[test]
fn moves_that_nothing_forces() {
    tests_clauses!(HZ_ENG_48, HZ_CHK_27, HZ_CHK_28);
    let battle = position(|json| {
        json["ground"] = json!([{ "kind": "buildings", "id": "farm", "traits": ["village"],
            "area": [[54, 36], [66, 36], [66, 24], [54, 24]] }]);
        json["units"][0]["formation"] = json!("garrison");
        json["units"][0]["sector"] = json!("farm");
        json["units"][0]["sides"] = json!([0, 1]);
        json["units"][0].as_object_mut().unwrap().remove("at");
        json["units"][0].as_object_mut().unwrap().remove("facing");
        json["units"][0]["must_move"] = json!("check_retire");
        json["units"][1]["must_move"] = json!("check_retire");
        at(json, "fall_back", "rally");
    });
    assert_eq!(refused(&battle, FallBack::Go(UnitId(2))), "HZ-ENG-48", "its command has failed no check");
    assert_eq!(refused(&battle, FallBack::Go(FIRST)), "HZ-ENG-48", "a garrison says how it comes out");
    let out = |unit, formation| refused(&battle, FallBack::GoIn { unit, formation });
    assert_eq!(out(SECOND, Formation::Column), "HZ-CHK-27", "it is in no building");
    assert_eq!(out(FIRST, Formation::OpenOrder), "HZ-CHK-27", "it has no open order");
    assert_eq!(refused(&battle, FallBack::Stay(FIRST)), "HZ-CHK-28", "a village is no strong point");
    assert_eq!(refused(&battle, FallBack::Stay(SECOND)), "HZ-CHK-28");
}

#[test]
fn fights_and_officers_that_are_not_there() {
    tests_clauses!(HZ_ENG_01, HZ_MUL_02, HZ_MUL_06, HZ_ORD_39, HZ_OFF_11, HZ_OFF_14);
    let battle = position(|json| at(json, "officers", "officers"));
    assert_eq!(refused(&battle, Engage::Fight(0)), "HZ-ENG-01");
    assert_eq!(refused(&battle, Engage::Pairing(1)), "HZ-MUL-02");
    assert_eq!(refused(&battle, Engage::OddStagger(FIRST)), "HZ-MUL-06");
    assert_eq!(refused(&battle, Officers::Refuge(FIRST)), "HZ-ORD-39");
    assert_eq!(refused(&battle, Officers::Relinquish(0)), "HZ-OFF-14");
    for (command, why) in [(0, "the army is his own"), (3, "an enemy's army"), (4, "an enemy's brigade")] {
        assert_eq!(refused(&battle, Officers::Supersede(CommandId(command))), "HZ-OFF-11", "{why}");
    }
    let battle = position(|json| {
        json["units"][0]["presence"] = json!("shattered");
        json["units"][1]["presence"] = json!("shattered");
        json["officers"][1]["status"] = json!("killed");
        at(json, "officers", "officers");
    });
    assert_eq!(refused(&battle, Officers::Supersede(BRIGADE)), "HZ-OFF-11", "nothing is left of it");
}

/// A forced order that was given in this very phase is for the next one: now every formation stays open. One that is due closes all others.
#[test]
fn a_forced_order_for_the_next_phase_closes_no_formation_now() {
    tests_clauses!(HZ_FOR_04, HZ_FOR_09);
    for (later, closes) in [(false, true), (true, false)] {
        let battle = position(|json| {
            json["units"][0]["forced"] = json!("form_line");
            json["units"][0]["forced_later"] = json!(later);
            at(json, "act", "orders");
            let acting = json!({ "order": "deploy", "officer": FOY, "to": { "group": BRIGADE } });
            json["state"]["doing"]["acting"] = acting;
            json["state"]["doing"]["orders"] = json!(1);
        });
        let square = Offer::from(Deploy::Change { unit: FIRST, formation: Formation::Square });
        let (mut open, mut closed) = (Vec::new(), Vec::new());
        Huzzah::offers(&battle, &mut open);
        Huzzah::closed(&battle, &mut closed);
        let refusal = closed.iter().find(|(offer, _)| *offer == square).map(|(_, refusal)| refusal.clause);
        assert_eq!(refusal, closes.then_some(HZ_FOR_04), "later: {later}");
        assert_eq!(open.contains(&square), !closes, "later: {later}");
    }
}
