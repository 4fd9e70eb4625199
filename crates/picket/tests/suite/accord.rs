//! What players settle between them: giving up, a draw, taking back by leave of the other side.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what it did not expect")]

use sabretache_engine::ids::Side;
use sabretache_engine::log::{DiceSource, Enforcement, Entry, Hand, Log, Said, Say};
use sabretache_engine::offer::Value;
use sabretache_engine::scenario::{Document, Scenario};
use sabretache_engine::session::{BY_ACCORD, Declined, Order, Seat, Session, Setup, hash_of, verify};
use sabretache_picket::{Event, Picket};
use sabretache_table::Length;

const RED: Seat = Seat::Player(Side::A);
const BLUE: Seat = Seat::Player(Side::B);

/// Blue's right-hand picket stands 15 cm before red's left: an advance of 12 cm may be fired at after 5.
fn begin() -> (Session<Picket>, String) {
    let text = include_str!("../../scenarios/ford.toml").replace("at = [25, 45]", "at = [25, 30]");
    let scenario = Scenario::read(&Document::parse("ford.toml", text).unwrap().json).unwrap();
    Session::begin(&scenario, Setup { enforcement: Enforcement::Referee, dice: DiceSource::Seeded(1) }).unwrap()
}

fn plain(offer: &str) -> Order {
    Order { offer: offer.into(), ..Order::default() }
}

/// Red advances and is fired at: dice have fallen, and blue has decided.
fn answered() -> Session<Picket> {
    let (mut session, _) = begin();
    let advance = Order { value: Value::Distance(Length::cm(12)), ..plain("advance r1") };
    session.choose(RED, &advance).unwrap();
    session.choose(BLUE, &plain("fire")).unwrap();
    session
}

fn proved(session: &Session<Picket>) -> usize {
    verify::<Picket>(session.log().to_text().unwrap().as_bytes()).unwrap().lines
}

#[test]
fn what_dice_have_answered_is_taken_back_if_the_other_side_agrees() {
    let mut session = answered();
    assert!(matches!(session.undo(RED), Err(Declined::NoUndo(_))));
    let start = hash_of::<Picket>(&session.battle_at(1).unwrap());
    session.say(RED, Say::AskBack).unwrap();
    assert_eq!(session.asked().map(|asked| (asked.by, asked.moment)), Some((Hand::Player(Side::A), 1)));
    assert!(session.say(RED, Say::Agree).is_err(), "nobody agrees with himself");
    assert!(session.say(Seat::Spectator, Say::Agree).is_err());
    assert_eq!(session.say(BLUE, Say::Agree).unwrap().len(), 2, "the word, and the taking back");
    assert_eq!((session.now(), hash_of::<Picket>(session.battle()), session.asked()), (1, start, None));
    assert_eq!(session.deciding(), Some(Side::A));
    assert_eq!(proved(&session), 6);
    let log = session.log().to_text().unwrap();
    let again = Session::<Picket>::resume(log.as_bytes()).unwrap();
    assert_eq!((again.now(), again.said(0).len()), (1, 2));
}

#[test]
fn what_is_refused_withdrawn_or_played_over_is_not_taken_back() {
    let mut session = answered();
    let moment = session.now();
    session.say(RED, Say::AskBack).unwrap();
    session.say(BLUE, Say::Refuse).unwrap();
    assert!(session.say(BLUE, Say::Agree).is_err(), "it was answered");
    session.say(RED, Say::AskBack).unwrap();
    assert!(session.say(BLUE, Say::Withdraw).is_err());
    session.say(RED, Say::Withdraw).unwrap();
    session.say(RED, Say::AskBack).unwrap();
    assert_eq!(session.now(), moment, "words do not count as moments");
    session.choose(RED, &plain("end turn")).unwrap();
    assert!(session.say(BLUE, Say::Agree).is_err(), "red has played on");
    assert_eq!(proved(&session), session.log().entries.len());
}

#[test]
fn a_draw_is_offered_and_stands_until_the_other_side_plays_on() {
    let (mut session, _) = begin();
    session.say(RED, Say::OfferDraw).unwrap();
    assert!(session.say(BLUE, Say::OfferDraw).is_err(), "one wish at a time");
    session.choose(RED, &plain("end turn")).unwrap();
    assert!(session.asked().is_some(), "who offers may play on");
    session.choose(BLUE, &plain("end turn")).unwrap();
    assert_eq!(session.asked(), None, "playing on is an answer");
    session.say(BLUE, Say::OfferDraw).unwrap();
    session.say(RED, Say::Agree).unwrap();
    let verdict = session.verdict().unwrap();
    assert_eq!((verdict.winner, verdict.clause, session.deciding()), (None, BY_ACCORD, None));
    assert_eq!(session.choose(RED, &plain("end turn")), Err(Declined::Over));
    assert_eq!(session.undo(RED), Err(Declined::Over));
    assert_eq!(proved(&session), session.log().entries.len());
}

#[test]
fn giving_up_ends_the_battle_for_good_unless_the_umpire_takes_back() {
    let (mut session, _) = begin();
    session.choose(RED, &plain("end turn")).unwrap();
    session.say(RED, Say::Resign).unwrap();
    assert_eq!(session.verdict().and_then(|verdict| verdict.winner), Some(Side::B));
    assert!(session.say(BLUE, Say::Resign).is_err(), "it is over");
    assert_eq!(proved(&session), 3);
    // A battle of its own goes on from the same moment.
    let (branch, _) = session.branch(2, None).unwrap();
    assert_eq!(branch.deciding(), Some(Side::B));
    session.undo(Seat::Umpire).unwrap();
    assert_eq!((session.verdict(), session.deciding()), (None, Some(Side::A)));
    assert_eq!(proved(&session), 4);
}

#[test]
fn only_the_keeper_of_the_clock_says_that_time_is_up() {
    let (mut session, _) = begin();
    assert!(session.say(RED, Say::OutOfTime(Side::B)).is_err());
    assert!(session.say(Seat::Umpire, Say::Resign).is_err(), "an umpire gives up for nobody");
    session.say(Seat::Umpire, Say::OutOfTime(Side::A)).unwrap();
    assert_eq!(session.verdict().and_then(|verdict| verdict.winner), Some(Side::B));
    assert!(session.say(Seat::Umpire, Say::OutOfTime(Side::A)).is_err(), "once is enough");
    assert_eq!(proved(&session), 2);
}

#[test]
fn a_log_does_not_prove_what_nobody_agreed_to() {
    let mut session = answered();
    session.say(RED, Say::AskBack).unwrap();
    session.say(BLUE, Say::Agree).unwrap();
    let altered = |change: &dyn Fn(&mut Entry<Event>)| {
        let mut log = Log::new();
        for entry in &session.log().entries {
            let mut entry = entry.clone();
            change(&mut entry);
            log.push(entry).unwrap();
        }
        verify::<Picket>(log.to_text().unwrap().as_bytes()).map(|proved| proved.lines)
    };
    assert_eq!(altered(&|_| ()).unwrap(), 6);
    let refused = altered(&|entry| {
        if let Entry::Said(Said { say: say @ Say::Agree, .. }) = entry {
            *say = Say::Refuse;
        }
    });
    assert!(refused.unwrap_err().to_string().contains("line 6"));
    let own = altered(&|entry| {
        if let Entry::Said(Said { by, say: Say::Agree, .. }) = entry {
            *by = Hand::Player(Side::A);
        }
    });
    assert!(own.unwrap_err().to_string().contains("line 5"));
    let more = altered(&|entry| {
        if let Entry::Undone { keep, .. } = entry {
            *keep = 2;
        }
    });
    assert!(more.is_err(), "another moment than the one agreed on");
}
