#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what it did not expect")]
//! Several players share a side, each with commands of his own (HZ-GEN-12).

use std::fs;
use std::path::Path;

use sabretache_engine::ids::Side;
use sabretache_engine::log::{DiceSource, Enforcement};
use sabretache_engine::offer::Value;
use sabretache_engine::ruleset::Ruleset;
use sabretache_engine::scenario::{Document, Scenario};
use sabretache_engine::session::{Declined, Order, Seat, Session, Setup};
use sabretache_huzzah::Huzzah;
use sabretache_huzzah::clauses::HZ_GEN_12;
use sabretache_table::Length;
use serde_json::json;

#[test]
fn each_player_decides_for_his_own_commands() {
    sabretache_engine::tests_clauses!(HZ_GEN_12);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../drills/huzzah/positions/two-brigades.toml");
    let mut document = Document::parse("two-brigades.toml", fs::read_to_string(path).unwrap()).unwrap();
    document.json["players"] = json!([
        { "id": "p", "name": "Paul", "side": "fr", "commands": ["fr-b1"] },
        { "id": "q", "name": "Quentin", "side": "fr", "commands": ["fr-b2"] },
    ]);
    let scenario = Scenario::read(&document.json).unwrap();
    let setup = Setup { enforcement: Enforcement::Referee, dice: DiceSource::Typed };
    let (mut session, _) = Session::<Huzzah>::begin(&scenario, setup).unwrap();
    assert_eq!(Huzzah::players(session.battle(), Side::A), ["Paul", "Quentin"]);
    assert!(Huzzah::players(session.battle(), Side::B).is_empty());

    let order = |player: &str| Order {
        offer: "order advance fr-b2".into(),
        dice: vec![1, 3],
        player: Some(player.into()),
        ..Order::default()
    };
    let before = session.battle().clone();
    let seat = Seat::Player(Side::A);
    assert_eq!(session.choose(seat, &order("Paul")).unwrap_err(), Declined::NotYourCommand("Quentin".into()));
    assert_eq!(session.choose(seat, &order("Ney")).unwrap_err(), Declined::NoSuchPlayer("Ney".into()));
    assert_eq!(*session.battle(), before, "refused, and nothing has changed");
    session.choose(seat, &order("Quentin")).unwrap();
    // What a player decided he alone takes back; what concerns no command is for each of them.
    let ordered = session.battle().clone();
    let value = Value::Distance(Length::cm(5));
    let advance = Order { offer: "advance fr-3".into(), value, player: Some("Quentin".into()), ..Order::default() };
    session.choose(seat, &advance).unwrap();
    let advanced = session.battle().clone();
    assert_eq!(session.undo_by(seat, "Paul").unwrap_err(), Declined::NotYourCommand("Quentin".into()));
    assert_eq!(session.undo_by(seat, "Ney").unwrap_err(), Declined::NoSuchPlayer("Ney".into()));
    assert_eq!(*session.battle(), advanced, "refused, and nothing has changed");
    session.undo_by(seat, "Quentin").unwrap();
    assert_eq!(*session.battle(), ordered);
    // A player who speaks for the whole side may do anything.
    let act = Order { offer: "done".into(), ..Order::default() };
    session.choose(seat, &act).unwrap();
}

#[test]
fn what_the_other_side_has_decided_is_nobodys_to_take_back() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../drills/huzzah/positions/two-brigades.toml");
    let mut document = Document::parse("two-brigades.toml", fs::read_to_string(path).unwrap()).unwrap();
    document.json["state"]["phasing"] = json!("al");
    document.json["players"] = json!([
        { "id": "p", "name": "Paul", "side": "fr", "commands": ["fr-b1", "fr-b2"] },
        { "id": "r", "name": "Rupert", "side": "al", "commands": ["al-b1", "al-b2"] },
    ]);
    let scenario = Scenario::read(&document.json).unwrap();
    let setup = Setup { enforcement: Enforcement::Referee, dice: DiceSource::Typed };
    let (mut session, _) = Session::<Huzzah>::begin(&scenario, setup).unwrap();
    let (french, allies) = (Seat::Player(Side::A), Seat::Player(Side::B));
    let ordered = Order { offer: "order advance al-b2".into(), dice: vec![1, 3], ..Order::default() };
    session.choose(allies, &ordered).unwrap();
    let value = Value::Distance(Length::cm(5));
    session.choose(allies, &Order { offer: "advance al-3".into(), value, ..Order::default() }).unwrap();
    let since = Declined::NoUndo("the other side has decided since");
    assert_eq!(session.undo_by(french, "Paul").unwrap_err(), since);
    session.undo_by(allies, "Rupert").unwrap();
}
