//! What a log proves and what it does not: every alteration here is made by somebody who can work out the hashes.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what it did not expect")]

use std::collections::BTreeMap;

use sabretache_engine::dice::{Party, SecretChain};
use sabretache_engine::eyes::{Addressee, Letter};
use sabretache_engine::ids::Side;
use sabretache_engine::interrupt::Standing;
use sabretache_engine::log::{DiceSource, Enforcement, Entry, Hand, Hash, Log, Origin, Say};
use sabretache_engine::offer::Value;
use sabretache_engine::scenario::{Document, Scenario};
use sabretache_engine::session::{Declined, Order, Seat, Session, Setup, Unproved, verify};
use sabretache_picket::{Event, Picket};
use sabretache_table::Length;
use serde_json::{Value as Json, json};

const RED: Seat = Seat::Player(Side::A);
const BLUE: Seat = Seat::Player(Side::B);

fn begin(enforcement: Enforcement, dice: DiceSource) -> Session<Picket> {
    let text = include_str!("../../scenarios/ford.toml").replace("at = [25, 45]", "at = [25, 30]");
    let scenario = Scenario::read(&Document::parse("ford.toml", text).unwrap().json).unwrap();
    Session::begin(&scenario, Setup { enforcement, dice }).unwrap().0
}

fn plain(offer: &str) -> Order {
    Order { offer: offer.into(), ..Order::default() }
}

fn advance(unit: &str, cm: i32) -> Order {
    Order { value: Value::Distance(Length::cm(cm)), ..plain(&format!("advance {unit}")) }
}

/// Red advances and is fired at.
fn fired_at() -> Session<Picket> {
    let mut session = begin(Enforcement::Referee, DiceSource::Seeded(3));
    session.choose(RED, &advance("r1", 12)).unwrap();
    session.choose(BLUE, &plain("fire")).unwrap();
    session
}

/// The log written anew with a change, its hashes worked out again.
fn altered(session: &Session<Picket>, change: impl Fn(usize, &mut Entry<Event>)) -> Result<usize, Unproved> {
    let mut log = Log::new();
    for (n, entry) in session.log().entries.iter().enumerate() {
        let mut entry = entry.clone();
        change(n, &mut entry);
        log.push(entry).unwrap();
    }
    verify::<Picket>(log.to_text().unwrap().as_bytes()).map(|proved| proved.lines)
}

/// The same, change by change of what stands in the file, so that words that mean nothing can be added.
fn respelt(session: &Session<Picket>, change: impl Fn(usize, &mut Json)) -> Result<usize, Unproved> {
    let (mut text, mut before) = (String::new(), Hash::START);
    for (n, line) in session.log().to_text().unwrap().lines().enumerate() {
        let raw = line.strip_prefix("{\"entry\":").unwrap().rsplit_once(",\"hash\":").unwrap().0.to_owned();
        let (mut entry, was) =
            (serde_json::from_str::<Json>(&raw).unwrap(), serde_json::from_str::<Json>(&raw).unwrap());
        change(n, &mut entry);
        let raw = if entry == was { raw } else { entry.to_string() };
        before = Hash::of(&[&before.0, raw.as_bytes()]);
        text += &format!("{{\"entry\":{raw},\"hash\":\"{before}\"}}\n");
    }
    verify::<Picket>(text.as_bytes()).map(|proved| proved.lines)
}

fn at_line<T: std::fmt::Debug>(line: usize, unproved: Result<T, Unproved>) {
    match unproved {
        Err(Unproved::Entry { line: found, .. }) if found == line => {}
        other => panic!("line {line} was altered, and {other:?}"),
    }
}

#[test]
fn what_an_instruction_of_the_other_side_let_pass_is_not_taken_back_to_try_something_else() {
    let mut session = begin(Enforcement::Referee, DiceSource::Seeded(3));
    session.instruct(Side::B, vec![Standing::default()]);
    session.choose(RED, &advance("r1", 12)).unwrap();
    assert_eq!(session.now(), 3, "the move and the pass");
    assert_eq!(session.undo(RED), Err(Declined::NoUndo("the other side has let it pass since")));
    session.undo(Seat::Umpire).unwrap();
    session.undo(Seat::Umpire).unwrap();
    assert_eq!(altered(&session, |_, _| ()), Ok(5));
    // A log in which red took both back itself is none of ours.
    at_line(
        4,
        altered(&session, |_, entry| {
            if let Entry::Undone { keep: 2, .. } = entry {
                *entry = Entry::Undone { keep: 1, by: Hand::Player(Side::A) };
            }
        }),
    );
}

#[test]
fn nothing_stands_beside_an_entry_or_in_it_that_the_rules_do_not_come_to() {
    let session = fired_at();
    let text = session.log().to_text().unwrap();
    assert_eq!(verify::<Picket>(text.as_bytes()).unwrap().lines, 3);
    let beside = text.replacen("{\"entry\":", "{\"by\":\"Ney\",\"entry\":", 1);
    assert!(verify::<Picket>(beside.as_bytes()).is_err(), "no hash covers what stands beside the entry");
    assert_eq!(respelt(&session, |_, _| ()), Ok(3));
    at_line(
        3,
        respelt(&session, |n, entry| {
            if n == 2 {
                entry["chosen"]["happened"][0]["roll"]["note"] = json!("by the book");
            }
        }),
    );
    let mut undone = begin(Enforcement::Referee, DiceSource::Seeded(3));
    undone.choose(RED, &advance("r2", 5)).unwrap();
    undone.undo(RED).unwrap();
    at_line(
        3,
        respelt(&undone, |n, entry| {
            if n == 2 {
                entry["undone"]["because"] = json!("he asked");
            }
        }),
    );
}

#[test]
fn the_rules_that_a_choice_broke_are_those_and_no_others() {
    let mut session = begin(Enforcement::Advise, DiceSource::Seeded(3));
    session.choose(RED, &Order { despite: true, ..advance("r1", 14) }).unwrap();
    assert_eq!(altered(&session, |_, _| ()), Ok(2));
    at_line(
        2,
        altered(&session, |_, entry| {
            if let Entry::Chosen(chosen) = entry {
                chosen.breaches[0].sentence = "it is a small matter".into();
            }
        }),
    );
    let broken = match &session.log().entries[1] {
        Entry::Chosen(chosen) => chosen.breaches.clone(),
        _ => panic!("a choice"),
    };
    let mut lawful = begin(Enforcement::Advise, DiceSource::Seeded(3));
    lawful.choose(RED, &advance("r1", 12)).unwrap();
    at_line(
        2,
        altered(&lawful, |_, entry| {
            if let Entry::Chosen(chosen) = entry {
                chosen.breaches = broken.clone();
            }
        }),
    );
}

#[test]
fn a_battle_that_was_given_up_is_not_taken_back_by_a_player() {
    let mut session = begin(Enforcement::Referee, DiceSource::Seeded(3));
    session.choose(RED, &advance("r2", 5)).unwrap();
    session.say(RED, Say::Resign).unwrap();
    assert!(session.undo(RED).is_err());
    session.undo(Seat::Umpire).unwrap();
    assert_eq!(altered(&session, |_, _| ()), Ok(4));
    at_line(
        4,
        altered(&session, |_, entry| {
            if let Entry::Undone { by, .. } = entry {
                *by = Hand::Player(Side::A);
            }
        }),
    );
}

#[test]
fn what_was_set_by_hand_began_from_what_it_was() {
    let mut session = begin(Enforcement::Referee, DiceSource::Seeded(3));
    session.adjust(Seat::Umpire, "units.b2.fired", json!(true), None).unwrap();
    assert_eq!(altered(&session, |_, _| ()), Ok(2));
    at_line(
        2,
        altered(&session, |_, entry| {
            if let Entry::Adjusted(adjusted) = entry {
                adjusted.from = json!(true);
            }
        }),
    );
}

#[test]
fn a_letter_that_could_not_be_sent_is_not_proved() {
    let mut session = begin(Enforcement::Referee, DiceSource::Seeded(3));
    session.write_letter(RED, None, Addressee::Umpire, "Is the ford deep?").unwrap();
    assert_eq!(altered(&session, |_, _| ()), Ok(2));
    let letters: [fn(&mut Letter); 4] = [
        |letter| letter.to = Addressee::Side(Side::B),
        |letter| letter.from = Some("Ney".into()),
        |letter| letter.text = "\u{1b}[2J".into(),
        |letter| letter.by = Hand::Umpire,
    ];
    for forge in letters {
        at_line(
            2,
            altered(&session, |_, entry| {
                if let Entry::Written(letter) = entry {
                    forge(letter);
                }
            }),
        );
    }
}

#[test]
fn nobody_says_that_an_instruction_made_a_choice_of_his_own() {
    let mut session = begin(Enforcement::Referee, DiceSource::Seeded(3));
    session.choose(RED, &advance("r2", 5)).unwrap();
    at_line(
        2,
        altered(&session, |_, entry| {
            if let Entry::Chosen(chosen) = entry {
                chosen.standing = true;
            }
        }),
    );
    at_line(
        2,
        altered(&session, |_, entry| {
            if let Entry::Chosen(chosen) = entry {
                chosen.why = Some("nobody was there".into());
            }
        }),
    );
}

#[test]
fn dice_are_another_battle_s_only_as_far_as_that_battle_is_shared() {
    let session = fired_at();
    let origin = |shared| {
        move |_: usize, entry: &mut Entry<Event>| {
            if let Entry::Begun(begun) = entry {
                begun.branched_from = Some(Origin { hash: Hash::START, shared });
            }
        }
    };
    assert!(altered(&session, origin(0)).is_err());
    assert!(altered(&session, origin(1_000)).is_err(), "that would let any dice pass");
    assert_eq!(altered(&session, origin(3)), Ok(3), "told as inherited");
    // Within what is shared, everything counts.
    let mut back = fired_at();
    back.undo(Seat::Umpire).unwrap();
    at_line(4, altered(&back, origin(4)));
}

#[test]
fn links_are_revealed_for_the_choice_that_stands_beside_them() {
    let chains: BTreeMap<Party, SecretChain> =
        Party::ALL.iter().map(|party| (*party, SecretChain::new([*party as u8 + 40; 32], 8))).collect();
    let commitments = chains.iter().map(|(party, chain)| (*party, chain.commitment())).collect();
    let reveals: BTreeMap<_, _> = chains.iter().map(|(party, chain)| (*party, chain.reveal(1).unwrap())).collect();
    let mut session = begin(Enforcement::Referee, DiceSource::Agreed(commitments));
    session.choose(RED, &advance("r1", 12)).unwrap();
    session.choose(BLUE, &Order { reveals: reveals.clone(), ..plain("fire") }).unwrap();
    assert_eq!(altered(&session, |_, _| ()), Ok(3));
    // The hash of the choice that the sides were told of is another, or is gone.
    for bound in [Some(Hash::of(&[b"another choice"])), None] {
        at_line(
            3,
            altered(&session, |_, entry| {
                if let Entry::Chosen(chosen) = entry
                    && chosen.bound.is_some()
                {
                    chosen.bound = bound;
                }
            }),
        );
    }
    // The move before was another: the links were revealed after a log that does not stand there any more.
    at_line(
        2,
        altered(&session, |n, entry| {
            if let (1, Entry::Chosen(chosen)) = (n, entry) {
                chosen.value = Value::Distance(Length::cm(11));
            }
        }),
    );
    // Links beside a choice that rolled nothing, and in a battle whose dice nobody agreed on.
    at_line(
        2,
        altered(&session, |n, entry| {
            if let (1, Entry::Chosen(chosen)) = (n, entry) {
                (chosen.reveals, chosen.bound) = (reveals.clone(), Some(Hash::START));
            }
        }),
    );
    at_line(
        3,
        altered(&fired_at(), |n, entry| {
            if let (2, Entry::Chosen(chosen)) = (n, entry) {
                (chosen.reveals, chosen.bound) = (reveals.clone(), Some(Hash::START));
            }
        }),
    );
}
