//! Players who are only advised may do what a rule forbids: every closed offer is done and noted, unless it is impossible.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on says so")]

use std::collections::BTreeMap;
use std::path::Path;

use sabretache_batteries::Batteries;
use sabretache_engine::dice::Seeded;
use sabretache_engine::log::{DiceSource, Enforcement, Entry};
use sabretache_engine::playout::random_choice;
use sabretache_engine::ruleset::Ruleset;
use sabretache_engine::scenario::{Document, Scenario};
use sabretache_engine::session::{Order, Seat, Session, Setup};
use serde_json::json;

fn scenario(name: &str, options: &[&str]) -> Scenario<<Batteries as Ruleset>::Body> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios/batteries").join(format!("{name}.toml"));
    let mut document = Document::parse(name, std::fs::read_to_string(path).unwrap()).unwrap();
    for option in options {
        document.json["options"][*option] = json!(true);
    }
    Scenario::read(&document.json).unwrap()
}

/// Fights a battle in which now and then something forbidden is done; how many breaches there were, by the first word of the offer.
fn fight(name: &str, options: &[&str], seed: u64) -> BTreeMap<String, u32> {
    let setup = Setup { enforcement: Enforcement::Advise, dice: DiceSource::Seeded(seed) };
    let (mut session, _) = Session::<Batteries>::begin(&scenario(name, options), setup).unwrap();
    let mut random = Seeded::new(seed);
    let (mut offers, mut closed) = (Vec::new(), Vec::new());
    let mut done: BTreeMap<String, u32> = BTreeMap::new();
    let mut decisions = 0;
    while let Some(mut choice) = random_choice::<Batteries>(session.battle(), &mut offers, &mut random) {
        decisions += 1;
        assert!(decisions < 20_000, "the battle does not end");
        let mut despite = None;
        // So many breaches, and then by the rules to the end.
        if done.values().sum::<u32>() < 400 && random.below(4) == 0 {
            closed.clear();
            Batteries::closed(session.battle(), &mut closed);
            closed.retain(|(_, refusal)| !refusal.impossible);
            // What has been done least often is tried first.
            let word = |offer: &_| Batteries::key(session.battle(), offer).split(' ').next().unwrap_or("").to_owned();
            closed.sort_by_key(|(offer, _)| done.get(&word(offer)).copied().unwrap_or(0));
            let few = closed.len().min(12) as u32;
            if few > 0 {
                let (offer, refusal) = closed.swap_remove(random.below(few) as usize);
                *done.entry(word(&offer)).or_default() += 1;
                let value = Batteries::input(session.battle(), &offer).any(&mut random);
                choice.value =
                    value.unwrap_or_else(|| panic!("{offer:?} is forbidden ({refusal}) and no value fits it"));
                choice.offer = offer;
                despite = Some(refusal);
            }
        }
        let key = Batteries::key(session.battle(), &choice.offer);
        let before = session.battle().clone();
        let order = Order { offer: key.clone(), value: choice.value, despite: despite.is_some(), ..Order::default() };
        session.choose(Seat::Umpire, &order).unwrap_or_else(|declined| {
            panic!("{name}, seed {seed}: '{key}' with {:?}, despite {despite:?}: {declined}", order.value)
        });
        if let Some(refusal) = despite {
            assert!(*session.battle() != before, "'{key}' despite {refusal}: nothing happened");
            let noted = match session.log().entries.last() {
                Some(Entry::Chosen(chosen)) => chosen.breaches.iter().any(|breach| breach.clause == refusal.clause),
                _ => false,
            };
            assert!(noted, "'{key}' was done despite {refusal}, and that is not noted");
        }
    }
    done
}

#[test]
fn what_is_forbidden_is_done_and_noted() {
    let mut all: BTreeMap<String, u32> = BTreeMap::new();
    let screens = ["skirmish_screens", "voluntary_rout", "national_modifiers", "command_initiative"];
    for (name, options, seed) in [
        ("the-crossroads", &[][..], 1),
        ("the-crossroads", &screens[..], 2),
        ("the-crossroads", &["elbow_room", "pursuit", "cavalry_bounce"][..], 3),
        ("smolensk-royal-bastion", &[][..], 4),
        ("smolensk-royal-bastion", &screens[..], 5),
    ] {
        for (word, count) in fight(name, options, seed) {
            *all.entry(word).or_default() += count;
        }
    }
    for word in ["advance", "charge", "form", "wheel", "retire", "shoot", "join", "enter", "launch", "sidestep", "face"]
    {
        assert!(all.contains_key(word), "nobody tried to {word} against the rules: {all:?}");
    }
}
