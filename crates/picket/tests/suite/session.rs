//! A battle being fought: choosing, taking back, overriding, branching, proving; each on the tiny ruleset.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what it did not expect")]

use std::collections::BTreeMap;

use sabretache_engine::dice::{Party, SecretChain};
use sabretache_engine::ids::{Side, UnitId};
use sabretache_engine::interrupt::Standing;
use sabretache_engine::log::{DiceSource, Enforcement, Entry, Hand};
use sabretache_engine::odds::Chance;
use sabretache_engine::offer::{Halt, Value};
use sabretache_engine::resolution::Happening;
use sabretache_engine::scenario::{Document, Scenario};
use sabretache_engine::session::{Declined, Order, Seat, Session, Setup, Unproved, hash_of, verify, verify_with};
use sabretache_picket::{Body, Event, Picket};
use sabretache_table::Length;
use serde_json::json;

const RED: Seat = Seat::Player(Side::A);
const BLUE: Seat = Seat::Player(Side::B);

/// The ford, with blue's right-hand picket 15 cm before red's left: an advance of 12 cm is fired at after 5.
fn scenario() -> Scenario<Body> {
    let text = include_str!("../../scenarios/ford.toml").replace("at = [25, 45]", "at = [25, 30]");
    Scenario::read(&Document::parse("ford.toml", text).unwrap().json).unwrap()
}

fn begin(enforcement: Enforcement, dice: DiceSource) -> (Session<Picket>, String) {
    Session::begin(&scenario(), Setup { enforcement, dice }).unwrap()
}

fn order(offer: &str, value: Value) -> Order {
    Order { offer: offer.into(), value, ..Order::default() }
}

fn advance(unit: &str, cm: i32) -> Order {
    order(&format!("advance {unit}"), Value::Distance(Length::cm(cm)))
}

fn plain(offer: &str) -> Order {
    order(offer, Value::None)
}

#[test]
fn only_the_side_that_decides_may_choose() {
    let (mut session, _) = begin(Enforcement::Referee, DiceSource::Seeded(1));
    assert_eq!(session.choose(BLUE, &plain("end turn")), Err(Declined::NotYours(Side::A)));
    assert_eq!(session.choose(Seat::Spectator, &plain("end turn")), Err(Declined::Spectator));
    assert_eq!(session.choose(RED, &plain("dance")), Err(Declined::NoSuchOffer("dance".into())));
    session.choose(RED, &advance("r1", 12)).unwrap();
    assert_eq!(session.choose(RED, &plain("fire")), Err(Declined::NotYours(Side::B)), "the interrupt is blue's");
}

#[test]
fn a_declined_choice_changes_nothing() {
    let (mut session, text) = begin(Enforcement::Referee, DiceSource::Seeded(1));
    let before = hash_of::<Picket>(session.battle());
    for wrong in [advance("r1", 13), advance("b1", 5), plain("advance r1"), plain("fire")] {
        session.choose(RED, &wrong).unwrap_err();
    }
    assert_eq!(hash_of::<Picket>(session.battle()), before);
    assert_eq!(session.log().to_text().unwrap(), text);
}

#[test]
fn undo_is_free_until_dice_fall_or_the_other_side_decides() {
    let (mut session, _) = begin(Enforcement::Referee, DiceSource::Seeded(1));
    assert!(matches!(session.undo(RED), Err(Declined::NoUndo(_))), "nothing has been done");
    let start = session.battle().clone();
    session.choose(RED, &advance("r2", 5)).unwrap();
    assert!(matches!(session.undo(BLUE), Err(Declined::NoUndo(_))), "it was red's choice");
    session.undo(RED).unwrap();
    assert_eq!(*session.battle(), start);

    session.choose(RED, &advance("r1", 12)).unwrap();
    session.choose(BLUE, &plain("hold fire")).unwrap();
    assert!(matches!(session.undo(RED), Err(Declined::NoUndo(_))), "blue has decided since");
    session.undo(BLUE).unwrap();
    session.choose(BLUE, &plain("fire")).unwrap();
    assert!(matches!(session.undo(BLUE), Err(Declined::NoUndo(_))), "dice have been rolled");
    session.undo(Seat::Umpire).unwrap();
    assert_eq!(session.now(), 2);
}

#[test]
fn a_choice_taken_back_and_made_again_meets_the_same_dice() {
    let (mut session, _) = begin(Enforcement::Referee, DiceSource::Seeded(7));
    session.choose(RED, &advance("r1", 12)).unwrap();
    let first = session.choose(BLUE, &plain("fire")).unwrap();
    session.undo(Seat::Umpire).unwrap();
    let again = session.choose(BLUE, &plain("fire")).unwrap();
    let without_hash = |lines: &[String]| lines[0].split("\"hash\"").next().unwrap().to_owned();
    assert_eq!(without_hash(&first), without_hash(&again));
}

#[test]
fn a_log_with_undone_entries_resumes_and_verifies() {
    let (mut session, _) = begin(Enforcement::Referee, DiceSource::Seeded(3));
    session.choose(RED, &advance("r2", 5)).unwrap();
    session.undo(RED).unwrap();
    session.choose(RED, &advance("r1", 12)).unwrap();
    session.choose(BLUE, &plain("fire")).unwrap();
    session.undo(Seat::Umpire).unwrap();
    session.choose(BLUE, &plain("hold fire")).unwrap();
    let text = session.log().to_text().unwrap();
    assert_eq!(lines(text.as_bytes()), 7);
    let resumed = Session::<Picket>::resume(text.as_bytes()).unwrap();
    assert_eq!((resumed.battle(), resumed.now()), (session.battle(), 3));
}

#[test]
fn a_log_whose_events_do_not_follow_from_the_rules_is_not_proved() {
    let (mut session, _) = begin(Enforcement::Referee, DiceSource::Seeded(3));
    session.choose(RED, &advance("r1", 12)).unwrap();
    session.choose(BLUE, &plain("fire")).unwrap();
    // Somebody who can recompute the chain writes other events; the chain holds, the rules do not.
    let mut forged = sabretache_engine::log::Log::new();
    for entry in &session.log().entries {
        let mut entry = entry.clone();
        if let Entry::Chosen(chosen) = &mut entry {
            for one in &mut chosen.happened {
                if let Happening::Event(Event::Fired { hits, .. }) = one {
                    *hits = 9;
                }
            }
        }
        forged.push(entry).unwrap();
    }
    let unproved = verify::<Picket>(forged.to_text().unwrap().as_bytes()).unwrap_err();
    assert!(matches!(unproved, Unproved::Entry { line: 3, .. }), "{unproved}");
    // The same events in a battle of other rules may be what those came to.
    let unproved = verify::<Picket>(&of_other_rules(&forged)).unwrap_err();
    assert!(matches!(unproved, Unproved::OtherRules { .. }), "{unproved}");
    assert_eq!(lines(&of_other_rules(session.log())), 3, "what these rules come to as well is proved");
}

/// How many lines of a log are proved.
fn lines(log: &[u8]) -> usize {
    verify::<Picket>(log).unwrap().lines
}

/// The log of a battle that says it was fought under other rules.
fn of_other_rules(log: &sabretache_engine::log::Log<Event>) -> Vec<u8> {
    let mut other = sabretache_engine::log::Log::new();
    for entry in &log.entries {
        let mut entry = entry.clone();
        if let Entry::Begun(begun) = &mut entry {
            begun.version = "0".into();
        }
        other.push(entry).unwrap();
    }
    other.to_text().unwrap().into_bytes()
}

#[test]
fn standing_instructions_let_pass_unless_the_mover_is_close() {
    let far = Standing { kind: Some("fire".into()), unless_within: Some(Length::cm(8)), ..Standing::default() };
    let (mut session, _) = begin(Enforcement::Referee, DiceSource::Seeded(3));
    session.instruct(Side::B, vec![far.clone()]);
    let lines = session.choose(RED, &advance("r1", 12)).unwrap();
    assert_eq!(lines.len(), 2, "the instruction has answered for blue");
    assert!(lines[1].contains("\"hold fire\"") && lines[1].contains("\"standing\":true"), "{}", lines[1]);

    let (mut session, _) = begin(Enforcement::Referee, DiceSource::Seeded(3));
    session.instruct(Side::B, vec![Standing { unless_within: Some(Length::cm(10)), ..far }]);
    let lines = session.choose(RED, &advance("r1", 12)).unwrap();
    assert_eq!(lines.len(), 1, "10 cm away is close: blue is asked");
}

#[test]
fn advised_players_may_break_a_rule_with_open_eyes() {
    let despite = |order: Order| Order { despite: true, ..order };
    let (mut session, _) = begin(Enforcement::Referee, DiceSource::Seeded(3));
    session.choose(RED, &advance("r2", 5)).unwrap();
    let refused = session.choose(RED, &despite(advance("r2", 5))).unwrap_err();
    assert!(matches!(refused, Declined::Halt(Halt::Refused(_))), "under a referee nothing helps");

    let (mut session, _) = begin(Enforcement::Advise, DiceSource::Seeded(3));
    session.choose(RED, &advance("r2", 12)).unwrap();
    assert!(session.choose(RED, &advance("r2", 5)).is_err(), "not by accident");
    session.choose(RED, &despite(advance("r1", 14))).unwrap();
    let Some(Entry::Chosen(chosen)) = session.log().entries.last() else { panic!("a choice") };
    assert_eq!(chosen.breaches.len(), 1);
    assert_eq!(chosen.breaches[0].clause.id(), "PK-MOV-01");
    let text = session.log().to_text().unwrap();
    assert_eq!(lines(text.as_bytes()), 3, "a breach noted is proved like anything else");
    assert!(session.story(0).unwrap()[2].overridden);
}

#[test]
fn the_umpire_sets_anything_and_the_log_says_so() {
    let (mut session, _) = begin(Enforcement::Referee, DiceSource::Seeded(3));
    assert_eq!(session.adjust(RED, "units.b2.fired", json!(true), None), Err(Declined::NotUmpire));
    session.adjust(Seat::Umpire, "units.b2.fired", json!(true), Some("a wet flint".into())).unwrap();
    let Some(Entry::Adjusted(adjusted)) = session.log().entries.last() else { panic!("an adjustment") };
    assert_eq!((adjusted.by, &adjusted.to), (Hand::Umpire, &json!(true)));
    session.choose(RED, &advance("r1", 12)).unwrap();
    assert_eq!(session.now(), 3, "the unloaded picket was not asked");
    let impossible = session.adjust(Seat::Umpire, "units.b2.at", json!([25, 26]), None).unwrap_err();
    assert!(impossible.to_string().contains("stands on top of"), "{impossible}");
    let text = session.log().to_text().unwrap();
    assert_eq!(lines(text.as_bytes()), 3);
    assert_eq!(Session::<Picket>::resume(text.as_bytes()).unwrap().battle(), session.battle());
}

#[test]
fn in_a_sandbox_either_side_may_adjust() {
    let (mut session, _) = begin(Enforcement::Sandbox, DiceSource::Seeded(3));
    session.adjust(BLUE, "state.turn", json!(4), None).unwrap();
    let Some(Entry::Adjusted(adjusted)) = session.log().entries.last() else { panic!("an adjustment") };
    assert_eq!(adjusted.by, Hand::Player(Side::B));
}

#[test]
fn real_dice_are_asked_for_and_typed_in() {
    let (mut session, _) = begin(Enforcement::Referee, DiceSource::Typed);
    session.choose(RED, &advance("r1", 12)).unwrap();
    let wanted = session.choose(BLUE, &plain("fire")).unwrap_err();
    assert_eq!(wanted.to_string(), "throw 3D6, each 5 or more");
    let typed = |dice: &[u8]| Order { dice: dice.to_vec(), ..plain("fire") };
    let wanted = session.choose(BLUE, &typed(&[5, 1, 1])).unwrap_err();
    assert_eq!(wanted.to_string(), "throw 2D6");
    assert_eq!(session.choose(BLUE, &typed(&[5, 1, 7])).unwrap_err().to_string(), "7 is not on a D6");
    assert_eq!(session.choose(BLUE, &typed(&[5, 1, 1, 2, 2, 6])), Err(Declined::DiceLeft(1)));
    session.choose(BLUE, &typed(&[5, 1, 1, 2, 2])).unwrap();
    let text = session.log().to_text().unwrap();
    assert_eq!(lines(text.as_bytes()), 3);
}

#[test]
fn agreed_dice_need_every_party_and_can_be_checked_by_anyone() {
    let chains: BTreeMap<Party, SecretChain> =
        Party::ALL.iter().map(|party| (*party, SecretChain::new([*party as u8 + 40; 32], 8))).collect();
    let commitments = chains.iter().map(|(party, chain)| (*party, chain.commitment())).collect();
    let (mut session, _) = begin(Enforcement::Referee, DiceSource::Agreed(commitments));
    session.choose(RED, &advance("r1", 12)).unwrap();
    assert_eq!(session.choose(BLUE, &plain("fire")).unwrap_err().to_string(), "throw 3D6, each 5 or more");
    let reveals: BTreeMap<_, _> = chains.iter().map(|(party, chain)| (*party, chain.reveal(1).unwrap())).collect();
    let mut partial = reveals.clone();
    partial.remove(&Party::Host);
    let declined = session.choose(BLUE, &Order { reveals: partial, ..plain("fire") }).unwrap_err();
    assert!(matches!(declined, Declined::Agreement(_)), "{declined}");
    session.choose(BLUE, &Order { reveals, ..plain("fire") }).unwrap();
    let text = session.log().to_text().unwrap();
    assert_eq!(lines(text.as_bytes()), 3);
    // Another secret for the same roll would have given other dice; the log does not verify with it.
    let forged = text.replace(&hex(&chains[&Party::A].reveal(1).unwrap().0), &hex(&[7; 32]));
    assert!(verify::<Picket>(forged.as_bytes()).is_err());
    assert!(matches!(session.branch(2, None), Err(Declined::SecretsSpent)));
    let mut resumed = Session::<Picket>::resume(text.as_bytes()).unwrap();
    let spent: BTreeMap<_, _> = chains.iter().map(|(party, chain)| (*party, chain.reveal(1).unwrap())).collect();
    resumed.undo(Seat::Umpire).unwrap();
    let declined = resumed.choose(BLUE, &Order { reveals: spent, ..plain("fire") }).unwrap_err();
    assert!(matches!(declined, Declined::Agreement(_)), "a secret serves once, also after resuming");
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn odds_come_from_the_resolving_code() {
    let (mut session, _) = begin(Enforcement::Referee, DiceSource::Seeded(3));
    session.choose(RED, &advance("r1", 12)).unwrap();
    let odds = session.odds("fire", &Value::None).unwrap();
    // No hits: (4/6)^3. A friend 4 cm away: targets 8, 7, 6 with one, two, three hits.
    assert_eq!(odds.chance(&"no hits".to_owned()), Chance::new(64, 216));
    let stands = 96 * 26 + 48 * 21 + 8 * 15;
    assert_eq!(odds.chance(&"Red left is hit and stands".to_owned()), Chance::new(stands, 216 * 36));
    assert_eq!(odds.total(), Some(Chance::CERTAIN));
}

#[test]
fn a_branch_shares_the_past_and_goes_its_own_way() {
    let (mut session, _) = begin(Enforcement::Referee, DiceSource::Seeded(3));
    session.choose(RED, &advance("r1", 12)).unwrap();
    session.choose(BLUE, &plain("fire")).unwrap();
    let (mut branch, text) = session.branch(3, Some(DiceSource::Seeded(99))).unwrap();
    assert_eq!(branch.battle(), session.battle());
    assert_eq!(lines(text.as_bytes()), 3, "dice rolled before the branch are the other battle's");
    branch.choose(Seat::Umpire, &plain("end turn")).unwrap();
    assert_eq!((branch.now(), session.now()), (4, 3));
    assert_eq!(session.branch(4, None).unwrap_err(), Declined::NoEntry(4));
}

#[test]
fn the_story_names_dice_modifiers_and_clauses() {
    let (mut session, _) = begin(Enforcement::Referee, DiceSource::Typed);
    session.choose(RED, &advance("r1", 12)).unwrap();
    session.choose(BLUE, &Order { dice: vec![5, 5, 1, 4, 4], ..plain("fire") }).unwrap();
    let story = session.story(1).unwrap();
    let texts: Vec<&str> = story[0].parts.iter().chain(&story[1].parts).map(|part| part.text.as_str()).collect();
    let test = "Steadiness, Red left: 8, down 2 (Down 1 for each hit), up 1 (Up 1 with a friend at hand); \
                7 or less on 2D6 (58.3 %): 4 + 4 = 8, failed.";
    assert!(texts.contains(&test), "{texts:#?}");
    assert!(texts.contains(&"Red left falls back."), "{texts:#?}");
}

#[test]
fn numbers_of_the_book_are_overridden_by_name() {
    let text = include_str!("../../scenarios/ford.toml").to_owned() + "\n[numbers]\n\"PK-MOV-01.most\" = 200\n";
    let scenario = Scenario::<Body>::read(&Document::parse("ford.toml", text).unwrap().json).unwrap();
    let setup = Setup { enforcement: Enforcement::Referee, dice: DiceSource::Seeded(1) };
    let (mut session, line) = Session::<Picket>::begin(&scenario, setup).unwrap();
    assert!(line.contains("PK-MOV-01.most"), "the log says so");
    session.choose(RED, &advance("r1", 20)).unwrap();
    let moved = |entry: &Entry<Event>| match entry {
        Entry::Chosen(chosen) => chosen.happened.iter().any(|one| {
            matches!(
                one,
                Happening::Event(Event::Halted { mover: UnitId(0), .. } | Event::Moved { unit: UnitId(0), .. })
            )
        }),
        _ => false,
    };
    assert!(session.log().entries.iter().any(moved));
}

/// A log written anew, entry by entry, by somebody who can work out its hashes.
fn forged(log: &sabretache_engine::log::Log<Event>, change: impl Fn(usize, &mut Entry<Event>)) -> Vec<u8> {
    let mut forged = sabretache_engine::log::Log::new();
    for (n, entry) in log.entries.iter().enumerate() {
        let mut entry = entry.clone();
        change(n, &mut entry);
        forged.push(entry).unwrap();
    }
    forged.to_text().unwrap().into_bytes()
}

#[test]
fn what_a_player_may_not_do_is_not_proved_because_the_log_says_it() {
    let (mut session, _) = begin(Enforcement::Referee, DiceSource::Seeded(3));
    session.choose(RED, &advance("r1", 12)).unwrap();
    session.choose(BLUE, &plain("fire")).unwrap();
    session.undo(Seat::Umpire).unwrap();
    assert_eq!(lines(&forged(session.log(), |_, _| ())), 4);
    let by_player = forged(session.log(), |_, entry| {
        if let Entry::Undone { by, .. } = entry {
            *by = Hand::Player(Side::B);
        }
    });
    let unproved = verify::<Picket>(&by_player).unwrap_err();
    assert!(matches!(unproved, Unproved::Entry { line: 4, .. }), "dice had been rolled: {unproved}");

    let (mut session, _) = begin(Enforcement::Referee, DiceSource::Seeded(3));
    session.adjust(Seat::Umpire, "units.b2.fired", json!(true), None).unwrap();
    let by_player = forged(session.log(), |_, entry| {
        if let Entry::Adjusted(adjusted) = entry {
            adjusted.by = Hand::Player(Side::A);
        }
    });
    assert!(matches!(verify::<Picket>(&by_player), Err(Unproved::Entry { line: 2, .. })));

    let (mut session, _) = begin(Enforcement::Advise, DiceSource::Seeded(3));
    session.choose(RED, &Order { despite: true, ..advance("r1", 14) }).unwrap();
    let refereed = forged(session.log(), |_, entry| {
        if let Entry::Begun(begun) = entry {
            begun.enforcement = Enforcement::Referee;
        }
    });
    assert!(matches!(verify::<Picket>(&refereed), Err(Unproved::Entry { line: 2, .. })));
}

#[test]
fn a_branch_is_proved_with_the_battle_it_left_and_no_other() {
    let (mut session, _) = begin(Enforcement::Referee, DiceSource::Seeded(3));
    session.choose(RED, &advance("r1", 12)).unwrap();
    session.choose(BLUE, &plain("fire")).unwrap();
    let (_, branch) = session.branch(3, Some(DiceSource::Seeded(4))).unwrap();
    let alone = verify::<Picket>(branch.as_bytes()).unwrap();
    assert_eq!((alone.lines, alone.inherited), (3, 2));
    let parent = session.log().to_text().unwrap();
    assert_eq!(verify_with::<Picket>(branch.as_bytes(), Some(parent.as_bytes())).unwrap().inherited, 0);

    let (mut other, _) = begin(Enforcement::Referee, DiceSource::Seeded(5));
    other.choose(RED, &advance("r1", 12)).unwrap();
    let other = other.log().to_text().unwrap();
    let unproved = verify_with::<Picket>(branch.as_bytes(), Some(other.as_bytes())).unwrap_err();
    assert!(matches!(unproved, Unproved::Parent(_)), "{unproved}");
}

#[test]
fn a_torn_line_is_told_and_another_spelling_of_a_hash_is_no_log() {
    let (mut session, _) = begin(Enforcement::Referee, DiceSource::Seeded(3));
    session.choose(RED, &advance("r2", 5)).unwrap();
    let text = session.log().to_text().unwrap();
    assert!(!verify::<Picket>(text.as_bytes()).unwrap().torn);
    let torn = verify::<Picket>(&text.as_bytes()[..text.len() - 9]).unwrap();
    assert_eq!((torn.lines, torn.torn), (1, true));
    let (entry, hash) = text.trim_end().rsplit_once("\"hash\":").unwrap();
    let spelt = format!("{entry}\"hash\":{}\n", hash.to_uppercase());
    assert!(verify::<Picket>(spelt.as_bytes()).is_err());
}

#[test]
fn a_log_that_takes_back_its_beginning_is_refused_wherever_it_is_read() {
    let (mut session, _) = begin(Enforcement::Referee, DiceSource::Seeded(3));
    session.choose(RED, &advance("r2", 5)).unwrap();
    session.undo(RED).unwrap();
    for keep in [0, 2, 9] {
        let absurd = forged(session.log(), |_, entry| {
            if let Entry::Undone { keep: kept, .. } = entry {
                *kept = keep;
            }
        });
        assert!(Session::<Picket>::resume(&absurd).is_err() && verify::<Picket>(&absurd).is_err(), "keep {keep}");
    }
}
