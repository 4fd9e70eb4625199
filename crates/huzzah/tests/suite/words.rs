#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what it did not expect")]
//! Sentences are right whatever a side is called: no verb and no article depends on its name.

use std::fs;
use std::path::Path;

use sabretache_engine::dice::Seeded;
use sabretache_engine::ids::Side;
use sabretache_engine::offer::{Choice, Input};
use sabretache_engine::resolution::Resolution;
use sabretache_engine::ruleset::Ruleset;
use sabretache_engine::scenario::{Document, Scenario};
use sabretache_engine::session::muster;
use sabretache_huzzah::Huzzah;
use sabretache_huzzah::battle::Battle;
use sabretache_huzzah::body::Body;
use sabretache_huzzah::clauses::{HZ_VIC_01, HZ_VIC_02};
use sabretache_huzzah::event::Event;
use sabretache_huzzah::phases::setup::offers::Setup;
use sabretache_huzzah::phases::threat::offers::Threats;
use sabretache_huzzah::state::{Ended, Phase, Stage};
use sabretache_huzzah::troops::Ability;
use serde_json::{Value as Json, json};

const NAMES: [(&str, &str); 4] =
    [("British", "The French"), ("The Allies", "Prussia"), ("An Army of Observation", "Austrians"), ("Côte", "q")];

fn battle(names: (&str, &str)) -> Battle {
    position(|json| {
        json["sides"][0]["name"] = format!("<{}>", names.0).into();
        json["sides"][1]["name"] = format!("<{}>", names.1).into();
    })
}

/// Two brigades a side, changed as the test likes.
fn position(change: impl FnOnce(&mut Json)) -> Battle {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../drills/huzzah/positions/two-brigades.toml");
    let mut json = Document::parse("two-brigades.toml", fs::read_to_string(&path).unwrap()).unwrap().json;
    change(&mut json);
    let scenario = Scenario::<Body>::read(&json).unwrap_or_else(|report| panic!("{report}"));
    muster::<Huzzah>(&scenario).unwrap_or_else(|report| panic!("{report}"))
}

/// A name stands by itself: first, or after a colon, and before a stop. (The test puts it in angle brackets to find it.)
fn stands_by_itself(text: &str) {
    assert!(!text.trim().is_empty() && text == text.trim(), "'{text}'");
    let mut rest = text;
    let mut before = String::new();
    while let Some(from) = rest.find('<') {
        let to = rest.find('>').unwrap();
        before.push_str(&rest[..from]);
        let after = &rest[to + 1..];
        assert!(before.is_empty() || before.ends_with(": "), "no article or preposition before a name: {text}");
        let stops = after.is_empty() || after.starts_with([':', '.', ',', ';', ')', '?']);
        assert!(stops, "no verb after a name: {text}");
        before.push_str(&rest[from..=to]);
        rest = after;
    }
}

#[test]
fn every_decision_and_verdict_is_right_for_any_name() {
    for names in NAMES {
        let mut battle = battle(names);
        let stages = [
            Stage::SetUp,
            Stage::ChooseFirst(Side::B),
            Stage::Skirmish,
            Stage::Threat,
            Stage::Window,
            Stage::Order,
            Stage::Act,
            Stage::Interrupt,
            Stage::GoOn,
            Stage::Swing,
            Stage::SecondAppointment,
            Stage::Officers,
            Stage::Pairing,
            Stage::Engage,
            Stage::OddStagger(Side::A),
            Stage::FallBack,
            Stage::Check,
            Stage::Reorganise,
            Stage::Rally,
            Stage::Formation,
            Stage::Rout,
            Stage::Reform,
        ];
        for stage in stages {
            battle.stage = stage;
            stands_by_itself(&Huzzah::decision(&battle));
            stands_by_itself(&Huzzah::tell(&battle, &Event::Now { stage }).text);
        }
        battle.stage = Stage::Over;
        for clause in [HZ_VIC_01, HZ_VIC_02] {
            for winner in [Some(Side::A), Some(Side::B), None] {
                let ended = Ended { winner, clause };
                battle.doing.ended = Some(ended);
                let verdict = Huzzah::verdict(&battle).unwrap();
                stands_by_itself(&verdict.sentence);
                let won = winner.map(|side| if side == Side::A { names.0 } else { names.1 });
                assert!(
                    won.is_none_or(|name| verdict.sentence.ends_with(&format!(": <{name}>."))),
                    "{}",
                    verdict.sentence
                );
                stands_by_itself(&Huzzah::tell(&battle, &Event::BattleEnds { ended }).text);
                stands_by_itself(&Huzzah::outcome(&battle, &[Event::BattleEnds { ended }]));
            }
        }
    }
}

#[test]
fn every_telling_and_label_is_right_for_any_name() {
    for names in NAMES {
        let battle = battle(names);
        for side in Side::BOTH {
            let events = [
                Event::SkirmishRolled { side, ability: Ability::Poor },
                Event::GoesFirst { side },
                Event::PhaseBegins { side, phase: Phase::Rally },
                Event::Skirmished { winner: Some(side), failed: [false; 2] },
                Event::Skirmished { winner: None, failed: [false; 2] },
                Event::SkirmishersWorn { side, by: 1 },
                Event::Tested { unit: sabretache_engine::ids::UnitId(0), passed: false },
                Event::Appointing { side },
                Event::Rearming { side },
                Event::Rearmed { contingent: 0, factor: 1 },
                Event::Fought { fight: 0, winner: Some(side) },
            ];
            for event in &events {
                stands_by_itself(&Huzzah::tell(&battle, event).text);
                stands_by_itself(&Huzzah::outcome(&battle, std::slice::from_ref(event)));
            }
            stands_by_itself(&Huzzah::label(&battle, &Setup::GoesFirst(side).into()).text);
        }
        for unit in [0, 4] {
            let test = Threats::Test(sabretache_engine::ids::UnitId(unit)).into();
            stands_by_itself(&Huzzah::label(&battle, &test).text);
        }
    }
}

#[test]
fn a_whole_battle_is_told_rightly() {
    let mut battle = battle(NAMES[0]);
    for choice in 0..300u64 {
        let mut offers = Vec::new();
        Huzzah::offers(&battle, &mut offers);
        let Some(offer) = offers.get(choice as usize * 7 % offers.len().max(1)).copied() else { break };
        stands_by_itself(&Huzzah::decision(&battle));
        offers.iter().for_each(|offer| stands_by_itself(&Huzzah::label(&battle, offer).text));
        let mut values = Vec::new();
        Huzzah::proposals(&battle, &offer, &mut values);
        let Some(value) = values.into_iter().next() else { continue };
        let before = battle.clone();
        let mut dice = Seeded::new(choice);
        let mut events = Vec::new();
        let mut play = Resolution::<Huzzah>::new(&mut battle, &mut dice).events_only(&mut events);
        Huzzah::resolve(&mut play, &Choice { offer, value }).unwrap_or_else(|halt| panic!("{halt}"));
        drop(play);
        let mut then = before;
        for event in &events {
            stands_by_itself(&Huzzah::tell(&then, event).text);
            Huzzah::apply(&mut then, event);
        }
    }
    for side in Huzzah::view(&battle).score.iter().map(|line| &line.values) {
        assert!(!side.0.is_empty() && !side.1.is_empty(), "before the first test too there is something to say");
    }
}

#[test]
fn a_battalion_in_the_skirmish_line_is_away_and_no_loss() {
    let view = Huzzah::view(&position(|json| json["units"][0]["presence"] = json!("skirmishing")));
    assert_eq!(view.units[0].absent.as_deref(), Some("in the skirmish line"));
    assert!(!view.units[0].lost && !view.units[1].lost, "neither is one on the table");
    let view = Huzzah::view(&position(|json| json["units"][0]["presence"] = json!("routed_off")));
    assert!(view.units[0].lost && view.units[0].absent.as_deref() == Some("routed off"));
}

#[test]
fn a_verdict_says_whether_points_or_losses_decided() {
    let sentence = |objectives: Json| {
        let mut battle = position(|json| {
            json["objectives"] = objectives;
            json["units"][4]["presence"] = json!("shattered");
        });
        battle.stage = Stage::Over;
        battle.doing.ended = Some(Ended { winner: Some(Side::A), clause: HZ_VIC_02 });
        Huzzah::verdict(&battle).unwrap().sentence
    };
    let bridge = |points: u8, at_once: bool| {
        let goal = json!([60, 30]);
        json!([{ "id": "bridge", "name": "The bridge", "side": "fr", "hold": goal, "points": points, "at_once": at_once }])
    };
    let far = json!([{ "id": "ford", "name": "The ford", "side": "fr", "hold": [230, 90] }]);
    assert!(sentence(json!([])).contains("one side has lost less of its army"));
    assert!(sentence(far).contains("the points are level"), "nobody holds the ford");
    assert!(sentence(bridge(1, false)).contains("one side has the better of it"));
    assert!(sentence(bridge(1, true)).contains("one side has the better of it"));
}

/// What is wrong with a sentence, if anything: inches in a book of centimetres, a clause in the middle of the words, a side by its letter, an
/// article that does not fit, a name with its own article inside a sentence, noise of a division.
fn fault(text: &str) -> Option<&'static str> {
    let words: Vec<&str> = text.split(|letter: char| !letter.is_alphanumeric() && letter != '\'').collect();
    let pairs = || words.windows(2).map(|two| (two[0], two[1]));
    let vowel = |word: &str| word.starts_with(['a', 'e', 'i', 'o', 'A', 'E', 'I', 'O']);
    if text.trim() != text || text.is_empty() || text.contains("  ") {
        return Some("blanks");
    }
    if text.contains("HZ-") {
        return Some("a clause within the words");
    }
    if pairs().any(|(one, other)| one.eq_ignore_ascii_case("side") && (other == "A" || other == "B")) {
        return Some("a side by its letter");
    }
    if pairs().any(|(one, other)| (one == "a" && vowel(other)) || (one == "an" && !vowel(other))) {
        return Some("an article that does not fit");
    }
    if words.iter().any(|word| word.ends_with("in") && word[..word.len() - 2].parse::<f64>().is_ok()) {
        return Some("inches");
    }
    let long = text
        .split(|letter: char| !letter.is_ascii_digit() && letter != '.')
        .any(|number| number.split_once('.').is_some_and(|(_, part)| part.trim_end_matches('.').len() > 3));
    long.then_some("a length to the micrometre")
}

#[test]
fn all_that_is_told_in_random_battles_is_in_the_words_of_the_book() {
    for (file, seed) in [("positions/brawl.toml", 1), ("positions/reinforced.toml", 2), ("positions/storm.toml", 3)] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../drills/huzzah").join(file);
        let json = Document::parse(file, fs::read_to_string(&path).unwrap()).unwrap().json;
        let scenario = Scenario::<Body>::read(&json).unwrap_or_else(|report| panic!("{report}"));
        let mut battle = muster::<Huzzah>(&scenario).unwrap_or_else(|report| panic!("{report}"));
        let mut random = Seeded::new(seed);
        let sound = |text: &str| {
            if let Some(fault) = fault(text) {
                panic!("{file}: {fault} in '{text}'");
            }
        };
        for n in 0..400 {
            let (mut offers, mut closed) = (Vec::new(), Vec::new());
            if Huzzah::deciding(&battle).is_none() {
                break;
            }
            sound(&Huzzah::decision(&battle));
            Huzzah::offers(&battle, &mut offers);
            if n % 8 == 0 {
                for offer in &offers {
                    sound(&Huzzah::label(&battle, offer).text);
                    if let Input::Distance { stops, .. } = Huzzah::input(&battle, offer) {
                        stops.iter().for_each(|stop| sound(&stop.why));
                    }
                }
                Huzzah::closed(&battle, &mut closed);
                for (_, refusal) in &closed {
                    sound(&refusal.sentence);
                }
            }
            let offer = offers[random.below(offers.len() as u32) as usize];
            let Some(value) = Huzzah::input(&battle, &offer).any(&mut random) else { continue };
            let (mut after, mut events) = (battle.clone(), Vec::new());
            let mut play = Resolution::<Huzzah>::new(&mut after, &mut random).events_only(&mut events);
            Huzzah::resolve(&mut play, &Choice { offer, value }).unwrap_or_else(|halt| panic!("{file}: {halt}"));
            sound(&Huzzah::outcome(&battle, &events));
            for event in &events {
                let told = Huzzah::tell(&battle, event);
                sound(&told.text);
                let mut clauses = told.clauses.clone();
                clauses.dedup();
                assert_eq!(clauses, told.clauses, "a clause twice: {}", told.text);
                Huzzah::apply(&mut battle, event);
            }
        }
    }
}
