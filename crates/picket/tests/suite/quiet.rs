//! Interrupts that nobody is asked about, series, and what real dice are asked for with.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what it did not expect")]

use sabretache_engine::erased::AnySession;
use sabretache_engine::ids::Side;
use sabretache_engine::interrupt::{Standing, Until};
use sabretache_engine::log::{DiceSource, Enforcement};
use sabretache_engine::offer::Value;
use sabretache_engine::protocol::{Reply, Request, Step, StoppedBy};
use sabretache_engine::scenario::{Document, Scenario};
use sabretache_engine::session::{Declined, Order, Seat, Session, Setup, verify};
use sabretache_picket::Picket;
use sabretache_table::Length;
use serde_json::json;

const RED: Seat = Seat::Player(Side::A);
const BLUE: Seat = Seat::Player(Side::B);

/// Blue's right-hand picket stands 15 cm before red's left: an advance of 12 cm is fired at after 5.
fn begin(dice: DiceSource) -> Session<Picket> {
    let text = include_str!("../../scenarios/ford.toml").replace("at = [25, 45]", "at = [25, 30]");
    let scenario = Scenario::read(&Document::parse("ford.toml", text).unwrap().json).unwrap();
    Session::begin(&scenario, Setup { enforcement: Enforcement::Referee, dice }).unwrap().0
}

fn advance(unit: &str, cm: i32) -> Order {
    let value = Value::Distance(Length::cm(cm));
    Order { offer: format!("advance {unit}"), value, ..Order::default() }
}

fn plain(offer: &str) -> Order {
    Order { offer: offer.into(), ..Order::default() }
}

fn told(session: &Session<Picket>) -> String {
    let story = session.story(0).unwrap();
    story.iter().flat_map(|line| &line.parts).map(|part| part.text.clone() + "\n").collect()
}

#[test]
fn an_instruction_for_this_turn_ends_with_it_and_the_story_says_so() {
    let mut session = begin(DiceSource::Seeded(3));
    session.instruct(Side::B, vec![Standing { until: Until::Turn, ..Standing::default() }]);
    session.choose(RED, &advance("r1", 12)).unwrap();
    assert!(told(&session).contains("As instructed: let everything pass for this turn"), "{}", told(&session));
    session.choose(RED, &plain("end turn")).unwrap();
    assert_eq!(session.instructions(Side::B).len(), 1, "blue's half of the turn is still this turn");
    session.choose(BLUE, &plain("end turn")).unwrap();
    assert!(session.instructions(Side::B).is_empty());
    assert!(told(&session).contains("No longer: let everything pass for this turn; its time is over"));
    let text = session.log().to_text().unwrap();
    assert!(verify::<Picket>(text.as_bytes()).is_ok(), "what ended is in the log and changes nothing");
}

#[test]
fn whoever_is_shot_at_is_asked_again() {
    // Red holds its fire by instruction; then one of those that held it is shot at.
    let mut session = begin(DiceSource::Seeded(3));
    let holds = Standing { reactor: Some(sabretache_engine::ids::UnitId(0)), ..Standing::default() };
    session.instruct(Side::A, vec![holds.clone()]);
    session.choose(RED, &advance("r1", 12)).unwrap();
    session.choose(BLUE, &plain("fire")).unwrap();
    assert!(session.instructions(Side::A).is_empty());
    assert!(told(&session).contains("Red left has been shot at or charged"), "{}", told(&session));
    // It holds for another, who was not.
    let mut session = begin(DiceSource::Seeded(3));
    session.instruct(Side::A, vec![Standing { reactor: Some(sabretache_engine::ids::UnitId(1)), ..holds }]);
    session.choose(RED, &advance("r1", 12)).unwrap();
    session.choose(BLUE, &plain("fire")).unwrap();
    assert_eq!(session.instructions(Side::A).len(), 1);
}

#[test]
fn a_move_answered_by_an_instruction_is_taken_back_by_the_umpire_alone() {
    let mut session = begin(DiceSource::Seeded(3));
    let before = session.battle().clone();
    session.instruct(Side::B, vec![Standing::default()]);
    session.choose(RED, &advance("r1", 12)).unwrap();
    assert_eq!(session.now(), 3, "the move and the pass");
    // That nobody fired has told red something, whether a person or his instruction let it pass.
    assert!(matches!(session.undo(RED), Err(Declined::NoUndo(_))));
    session.undo(Seat::Umpire).unwrap();
    session.undo(Seat::Umpire).unwrap();
    assert_eq!((session.now(), session.battle()), (1, &before));
    let resumed = Session::<Picket>::resume(session.log().to_text().unwrap().as_bytes()).unwrap();
    assert_eq!(*resumed.battle(), before);
    session.instruct(Side::B, Vec::new());
    session.choose(RED, &advance("r1", 12)).unwrap();
    session.choose(BLUE, &plain("hold fire")).unwrap();
    assert!(matches!(session.undo(RED), Err(Declined::NoUndo(_))));
}

#[test]
fn what_was_let_pass_is_not_asked_again_in_the_phase() {
    let passes = |quiet: bool| {
        let mut session = begin(DiceSource::Seeded(3));
        session.be_quiet(Side::B, quiet);
        // Two moves of the same picket, by the umpire's leave: the same gun, the same target.
        session.choose(RED, &advance("r1", 6)).unwrap();
        session.choose(BLUE, &plain("hold fire")).unwrap();
        session.adjust(Seat::Umpire, "units.r1.acted", json!(null), None).unwrap();
        session.choose(RED, &advance("r1", 2)).unwrap();
        (session.deciding(), session)
    };
    assert_eq!(passes(false).0, Some(Side::B), "asked each time");
    let (deciding, session) = passes(true);
    assert_eq!(deciding, Some(Side::A), "nobody is asked again");
    assert!(told(&session).contains("the same was let pass before"), "{}", told(&session));
    assert!(verify::<Picket>(session.log().to_text().unwrap().as_bytes()).is_ok());
}

#[test]
fn real_dice_are_asked_for_with_their_reckoning() {
    let mut session = begin(DiceSource::Typed);
    session.choose(RED, &advance("r1", 12)).unwrap();
    let fire = |dice: &[u8]| {
        let dice = dice.to_vec();
        serde_json::from_value::<Request>(json!({ "type": "choose", "offer": "fire", "dice": dice })).unwrap()
    };
    let Reply::Dice { count, dice, reckoning, given, .. } = session.answer(BLUE, &fire(&[])) else { panic!("dice") };
    let reckoning = reckoning.unwrap();
    assert_eq!((dice.len(), given.as_slice(), reckoning.side), (count, [].as_slice(), Side::B));
    // All hit: then the one who was hit is tested, and what was thrown before is given back.
    let hits = vec![6; count];
    let Reply::Dice { reckoning, given, .. } = session.answer(BLUE, &fire(&hits)) else { panic!("a test") };
    let reckoning = reckoning.unwrap();
    assert_eq!((given, reckoning.of.as_deref(), reckoning.side), (hits, Some("#0"), Side::A));
    assert!(reckoning.base.is_some() && reckoning.modifiers.iter().all(|one| !one.text.is_empty()), "{reckoning:?}");
    assert!(reckoning.probability.is_some_and(|p| p > 0.0 && p < 1.0), "{reckoning:?}");
}

#[test]
fn a_series_stops_where_the_other_side_is_asked() {
    let mut session = begin(DiceSource::Seeded(3));
    let step = |unit: &str, cm: i32| Step { offer: format!("advance {unit}"), value: advance(unit, cm).value };
    let steps = [step("r2", 5), step("r1", 12), Step { offer: "end turn".into(), value: Value::None }];
    let (lines, done) = session.series(RED, &steps, &Order::default(), false).unwrap();
    assert_eq!((lines.len(), done.done), (2, 2));
    assert_eq!(done.stopped.map(|stopped| stopped.by), Some(StoppedBy::Answered));
    let none = session.series(RED, &[], &Order::default(), false);
    assert!(matches!(none, Err(Declined::NoSeries(_))));
}

#[test]
fn the_umpire_is_told_what_he_may_set_and_may_set_it() {
    let mut session = begin(DiceSource::Seeded(3));
    let request = serde_json::from_value(json!({ "type": "adjustable", "of": "#0" })).unwrap();
    let Reply::Adjustable { fields } = session.answer(Seat::Umpire, &request) else { panic!("fields") };
    let kinds: Vec<String> = fields.iter().map(|one| format!("{} {:?}", one.path, one.kind)).collect();
    assert!(
        kinds.contains(&"units.r1.at Place".into()) && kinds.contains(&"units.r1.facing Heading".into()),
        "{kinds:?}"
    );
    for field in &fields {
        session
            .adjust(Seat::Umpire, &field.path, field.now.clone(), None)
            .unwrap_or_else(|declined| panic!("{}: {declined}", field.path));
    }
    // Of nobody, it is where the battle stands.
    let request = serde_json::from_value(json!({ "type": "adjustable", "of": null })).unwrap();
    let Reply::Adjustable { fields } = session.answer(Seat::Umpire, &request) else { panic!("fields") };
    assert!(fields.iter().all(|one| one.path.starts_with("state.")), "{fields:?}");
    let whose = fields.iter().find(|one| one.path == "state.phasing").unwrap();
    assert_eq!(whose.of, ["red", "blue"]);
    let deciding = session.deciding();
    session.adjust(Seat::Umpire, &whose.path, json!("blue"), Some("the watch was slow".into())).unwrap();
    assert_ne!(session.deciding(), deciding, "the decision was given to the other side");
}
