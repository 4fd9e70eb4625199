//! A battle that is fought elsewhere: whoever reads only what is added to its log has the same battle.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what it did not expect")]

use std::collections::BTreeMap;

use sabretache_engine::dice::{Party, SecretChain, Seeded};
use sabretache_engine::erased::AnySession;
use sabretache_engine::ids::Side;
use sabretache_engine::interrupt::{Standing, Until};
use sabretache_engine::log::{BadLog, DiceSource, Enforcement, Say};
use sabretache_engine::offer::Value;
use sabretache_engine::scenario::{Document, Scenario};
use sabretache_engine::session::{Declined, Order, ResumeError, Seat, Session, Setup};
use sabretache_picket::Picket;
use sabretache_table::Length;
use serde_json::json;

const RED: Seat = Seat::Player(Side::A);
const BLUE: Seat = Seat::Player(Side::B);

/// Blue's right-hand picket stands 15 cm before red's left: an advance of 12 cm is fired at after 5. Once here, and once where it is followed.
fn begin(dice: DiceSource) -> [Session<Picket>; 2] {
    let text = include_str!("../../scenarios/ford.toml").replace("at = [25, 45]", "at = [25, 30]");
    let scenario = Scenario::read(&Document::parse("ford.toml", text).unwrap().json).unwrap();
    let (here, first) = Session::begin(&scenario, Setup { enforcement: Enforcement::Referee, dice }).unwrap();
    [here, Session::resume(first.as_bytes()).unwrap()]
}

fn advance(unit: &str, cm: i32) -> Order {
    let value = Value::Distance(Length::cm(cm));
    Order { offer: format!("advance {unit}"), value, ..Order::default() }
}

fn plain(offer: &str) -> Order {
    Order { offer: offer.into(), ..Order::default() }
}

/// The line that was written last.
fn last(session: &Session<Picket>) -> String {
    session.log().to_text().unwrap().lines().last().unwrap().to_owned() + "\n"
}

#[test]
fn whatever_happens_there_happens_here() {
    let [mut here, mut there] = begin(DiceSource::Seeded(7));
    let mut random = Seeded::new(1815);
    let (mut undone, mut told) = (0, 0);
    for n in 0..400 {
        let lines = match random.below(8) {
            0 => here.undo(Seat::Umpire).map(|line| vec![line]),
            1 => here.adjust(Seat::Umpire, "units.r1.at", json!([20 + n % 5, 20]), None).map(|line| vec![line]),
            2 => here.say(RED, [Say::OfferDraw, Say::AskBack][n % 2]),
            3 => here.say(BLUE, [Say::Refuse, Say::Agree, Say::Refuse][n % 3]),
            _ => match here.random_order(&mut random) {
                Some(order) => here.choose(Seat::Umpire, &order),
                None => here.undo(Seat::Umpire).map(|line| vec![line]),
            },
        };
        let Ok(lines) = lines else { continue };
        undone += usize::from(lines.concat().contains("undone"));
        told += lines.len();
        there.follow(lines.concat().as_bytes()).unwrap();
        assert_eq!(there.battle(), here.battle(), "{}", lines.concat());
        assert_eq!((there.now(), there.deciding(), there.verdict()), (here.now(), here.deciding(), here.verdict()));
        assert_eq!((there.said(0), there.asked()), (here.said(0), here.asked()));
        assert_eq!(there.log(), here.log());
        let middle = here.now().div_ceil(2);
        assert_eq!(there.battle_at(middle).unwrap(), here.battle_at(middle).unwrap());
    }
    assert!(told > 150 && undone > 20, "{told} lines, {undone} taken back");
}

#[test]
fn what_was_let_pass_there_is_not_asked_again_here() {
    let [mut here, mut there] = begin(DiceSource::Seeded(3));
    for session in [&mut here, &mut there] {
        session.be_quiet(Side::B, true);
    }
    for (seat, order) in [(RED, advance("r1", 6)), (BLUE, plain("hold fire"))] {
        there.follow(here.choose(seat, &order).unwrap().concat().as_bytes()).unwrap();
    }
    // The process that served the battle is gone; this one goes on.
    there.adjust(Seat::Umpire, "units.r1.acted", json!(null), None).unwrap();
    there.choose(RED, &advance("r1", 2)).unwrap();
    assert_eq!(there.deciding(), Some(Side::A), "nobody is asked again");
}

#[test]
fn an_instruction_that_ended_there_has_ended_here() {
    let [mut here, mut there] = begin(DiceSource::Seeded(3));
    for session in [&mut here, &mut there] {
        session.instruct(Side::B, vec![Standing { until: Until::Turn, ..Standing::default() }]);
    }
    for (seat, left) in [(RED, 1), (BLUE, 0)] {
        there.follow(here.choose(seat, &plain("end turn")).unwrap().concat().as_bytes()).unwrap();
        assert_eq!((here.instructions(Side::B).len(), there.instructions(Side::B).len()), (left, left));
    }
}

#[test]
fn a_link_that_was_revealed_there_serves_no_more_here() {
    let chains = Party::ALL.map(|party| (party, SecretChain::new([party as u8 + 40; 32], 8)));
    let commitments = chains.iter().map(|(party, chain)| (*party, chain.commitment())).collect();
    let [mut here, mut there] = begin(DiceSource::Agreed(commitments));
    let links =
        |n| -> BTreeMap<_, _> { chains.iter().map(|(party, chain)| (*party, chain.reveal(n).unwrap())).collect() };
    for (seat, order) in [(RED, advance("r1", 12)), (BLUE, Order { reveals: links(1), ..plain("fire") })] {
        there.follow(here.choose(seat, &order).unwrap().concat().as_bytes()).unwrap();
    }
    there.undo(Seat::Umpire).unwrap();
    let again = there.choose(BLUE, &Order { reveals: links(1), ..plain("fire") });
    assert!(matches!(again, Err(Declined::Agreement(_))), "{again:?}");
    there.choose(BLUE, &Order { reveals: links(2), ..plain("fire") }).unwrap();
}

#[test]
fn a_line_that_does_not_fit_is_refused_and_those_before_it_stand() {
    let [mut here, mut there] = begin(DiceSource::Seeded(3));
    let first = here.choose(RED, &advance("r2", 5)).unwrap().concat();
    here.choose(RED, &plain("end turn")).unwrap();
    let (second, before) = (last(&here), there.battle().clone());
    let broken = |line| Err(ResumeError::Log(BadLog::Broken { line }));
    assert_eq!(there.follow(second.as_bytes()), broken(2), "one is missing");
    let altered = first.replace("50000", "60000");
    assert_ne!(altered, first);
    assert_eq!(there.follow(altered.as_bytes()), broken(2));
    assert_eq!((there.battle(), there.now()), (&before, 1));
    assert_eq!(there.follow((first.clone() + &first).as_bytes()), broken(3), "the same twice");
    assert_eq!(there.now(), 2);
    // What a crash has torn is left for the next time.
    there.follow(&second.as_bytes()[..second.len() - 1]).unwrap();
    assert_eq!(there.now(), 2);
    there.follow(second.as_bytes()).unwrap();
    assert_eq!(there.log(), here.log());
}
