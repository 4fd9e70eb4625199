//! Whatever brigades are called, what is said of them is right: no word after a name tells one from many.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests stop at the first thing that is not as it should be")]

use std::collections::BTreeSet;

use sabretache_engine::dice::Seeded;
use sabretache_engine::offer::Input;
use sabretache_engine::resolution::Resolution;
use sabretache_engine::ruleset::Ruleset;
use sabretache_engine::scenario::{Document, Scenario};
use sabretache_engine::session::muster;
use sabretache_malbrook::{Battle, Body, Malbrook};

use crate::plain::plain;

/// Words that may follow a name, besides what is over and done.
const NEUTRAL: [&str; 25] = [
    "", "and", "at", "to", "over", "with", "about", "in", "for", "on", "under", "towards", "along", "freely", "short",
    "forward", "base", "before", "may", "could", "went", "straight", "or", "of", "à",
];
/// What is over and done, where that does not end in "ed".
const DONE: [&str; 20] = [
    "came", "took", "lost", "fell", "rode", "ran", "stood", "left", "felt", "shot", "bore", "gave", "threw", "got",
    "began", "mounted", "struck", "held", "drew", "made",
];

/// What is wrong with a sentence, if anything is: the word after a name, or a word that stands for it.
fn wrong(sentence: &str, names: &[&str]) -> Option<String> {
    for name in names {
        for (n, after) in sentence.split(name).enumerate().skip(1) {
            let next = after.trim_start().split([' ', '.', ',', ':', ';', '?', '(']).next().unwrap_or_default();
            let told = sentence.split(name).nth(n - 1).unwrap_or_default();
            // "Let … stand" tells nothing: whoever it is, stands.
            let bid = told.trim_end().ends_with("Let") || told.contains("Let part ") || told.contains("bases of");
            let fine = NEUTRAL.contains(&next)
                || DONE.contains(&next)
                || next.ends_with("ed")
                || next.starts_with(char::is_numeric);
            if !fine && !bid {
                return Some(format!("'{next}' after {name}"));
            }
        }
        let stands_for_it = |word: &str| matches!(word, "its" | "their" | "itself" | "themselves");
        if sentence.contains(name)
            && let Some(word) = sentence.split([' ', '.', ',', ':']).find(|word| stands_for_it(word))
        {
            return Some(format!("'{word}' with {name}"));
        }
    }
    None
}

/// What is said of what may not be done, and of how far what may be done goes.
fn said_of_limits(battle: &Battle, offers: &[sabretache_malbrook::Offer], all: &mut BTreeSet<String>) {
    let mut closed = Vec::new();
    Malbrook::closed(battle, &mut closed);
    all.extend(closed.iter().map(|(_, refusal)| refusal.sentence.clone()));
    for offer in offers {
        if let Input::Distance { stops, .. } = Malbrook::input(battle, offer) {
            all.extend(stops.into_iter().map(|stop| stop.why));
        }
    }
}

/// All that is said in a random battle.
fn said(mut battle: Battle, seed: u64, all: &mut BTreeSet<String>) {
    let (mut random, mut dice) = (Seeded::new(seed), Seeded::new(seed + 50));
    let mut offers = Vec::new();
    for n in 0..1_200 {
        all.insert(Malbrook::decision(&battle));
        let view = Malbrook::view(&battle);
        all.extend(view.officers.into_iter().flat_map(|officer| officer.lines));
        Malbrook::offers(&battle, &mut offers);
        all.extend(offers.iter().map(|offer| Malbrook::label(&battle, offer).text));
        if n % 25 == 0 {
            said_of_limits(&battle, &offers, all);
        }
        let Some(choice) = sabretache_engine::playout::random_choice::<Malbrook>(&battle, &mut offers, &mut random)
        else {
            break;
        };
        let mut events = Vec::new();
        let mut play = Resolution::new(&mut battle, &mut dice).events_only(&mut events);
        Malbrook::resolve(&mut play, &choice).unwrap();
        all.insert(Malbrook::outcome(&battle, &events));
        all.extend(events.iter().map(|event| Malbrook::tell(&battle, event).text));
    }
}

const FOUR: [&str; 4] = ["The blue hussars", "Sternfels", "Les dragons du Roi", "Prinz Karl's"];

/// Those of the plain that keep their names.
const OTHERS: [&str; 5] = ["Second foot", "The gun", "The dragoons", "The hussars", "La cavalerie"];

#[test]
fn what_is_said_of_a_brigade_is_right_whatever_it_is_called() {
    let mut all = BTreeSet::new();
    // Everybody near each other, so that there is much to tell.
    let renamed = |names: [&str; 4]| {
        let to = names.map(|name| format!("name = \"{name}\""));
        plain(&[
            ("name = \"First foot\"", &to[0]),
            ("name = \"The horse\"", &to[1]),
            ("name = \"Premier\"", &to[2]),
            ("name = \"Les hussards\"", &to[3]),
            ("at = [10, 8]\nfacing = 0", "at = [10, 30]\nfacing = 0"),
            ("at = [40, 8]\nfacing = 0", "at = [40, 30]\nfacing = 0"),
            ("at = [10, 44]\nfacing = 180", "at = [10, 34]\nfacing = 180"),
            ("at = [58, 44]\nfacing = 180", "at = [42, 36]\nfacing = 180"),
        ])
    };
    for seed in 0..4 {
        let mut names = FOUR;
        names.rotate_left(seed as usize);
        said(renamed(names), seed, &mut all);
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios/malbrook/meeting.toml");
    let document = Document::parse("meeting.toml", std::fs::read_to_string(path).unwrap()).unwrap();
    let meeting = Scenario::<Body>::read(&document.json).unwrap();
    let names: Vec<String> = meeting.body.units.iter().map(|unit| unit.name.clone()).collect();
    for seed in 0..3 {
        said(muster::<Malbrook>(&meeting).unwrap(), seed, &mut all);
    }
    let mut known: Vec<&str> = names.iter().map(String::as_str).chain(FOUR).chain(OTHERS).collect();
    known.sort_by_key(|name| std::cmp::Reverse(name.len()));
    let faults: Vec<String> =
        all.iter().filter_map(|text| wrong(text, &known).map(|why| format!("{why}: {text}"))).collect();
    assert!(faults.is_empty(), "{} of {}:\n{}", faults.len(), all.len(), faults.join("\n"));
    let named = all.iter().filter(|text| known.iter().any(|name| text.contains(name))).count();
    assert!(named > 400, "only {named} sentences name a brigade");
}

/// A one with the word for several: "1 actions".
fn miscounted(text: &str) -> bool {
    let words: Vec<&str> = text.split(|mark: char| !mark.is_alphanumeric() && mark != '.').collect();
    words.windows(2).any(|pair| pair[0] == "1" && pair[1].ends_with('s') && pair[1] != "is")
}

#[test]
fn one_of_a_thing_is_said_as_one() {
    let mut all = BTreeSet::new();
    for seed in 0..2 {
        said(plain(&[]), seed, &mut all);
    }
    let faults: Vec<&String> = all.iter().filter(|text| miscounted(text)).collect();
    assert!(faults.is_empty(), "{faults:#?}");
    assert!(all.iter().any(|text| text.ends_with(", 1 action left")), "leaders of one action are told of");
    assert!(miscounted("General, 1 actions left") && !miscounted("1 DP, 2 bases") && !miscounted("11 points"));
}

/// What no sentence of this book says: centimetres, sides by their letters, "a average", a name's "The" in its middle, a clause.
fn out_of_place(text: &str) -> bool {
    let centimetres = text.split(|c: char| !c.is_alphanumeric() && c != '.').any(|word| {
        word.trim_end_matches('.')
            .strip_suffix("cm")
            .is_some_and(|number| !number.is_empty() && number.starts_with(char::is_numeric))
    });
    let letters = text.contains("Side A") || text.contains("Side B");
    let article = text.contains(" a average") || text.starts_with("a average");
    let capital = text.match_indices(" The ").any(|(at, _)| !text[..at].ends_with(['.', '?', '!']));
    centimetres || letters || article || capital || text.contains("[MB-")
}

#[test]
fn sentences_speak_inches_and_name_everybody_as_one_does_in_a_sentence() {
    let mut all = BTreeSet::new();
    for seed in 0..2 {
        said(plain(&[]), seed, &mut all);
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios/malbrook/meeting.toml");
    let document = Document::parse("meeting.toml", std::fs::read_to_string(path).unwrap()).unwrap();
    said(muster::<Malbrook>(&Scenario::<Body>::read(&document.json).unwrap()).unwrap(), 7, &mut all);
    let faults: Vec<&String> = all.iter().filter(|text| out_of_place(text)).collect();
    assert!(faults.is_empty(), "{} of {}: {faults:#?}", faults.len(), all.len());
    assert!(out_of_place("It gets 10.16cm.") && out_of_place("Side A moves") && out_of_place("Turn The gun"));
    assert!(!out_of_place("The gun is lost. The horse rides 3 1/2 in.") && out_of_place("7 is not on a average die"));
}

#[test]
fn the_test_itself_sees_what_is_wrong() {
    let wrong = |text: &str| wrong(text, &FOUR).is_some();
    assert!(wrong("The blue hussars moves 3 inches.") && wrong("Sternfels are under fire."));
    assert!(wrong("Sternfels re-dressed its ranks.") && !wrong("Sternfels re-dressed ranks: 1 DP less."));
    assert!(!wrong("Let Sternfels stand") && !wrong("Charge Sternfels with The blue hussars"));
}
