//! All that is said in random battles is in the words and units of the book.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on says so")]

use std::path::Path;

use sabretache_batteries::Batteries;
use sabretache_engine::dice::Seeded;
use sabretache_engine::offer::Input;
use sabretache_engine::playout::random_choice;
use sabretache_engine::resolution::Resolution;
use sabretache_engine::ruleset::Ruleset;
use sabretache_engine::scenario::{Diagnostics, Document, Scenario};

/// What must not be said, and why.
fn fault(text: &str) -> Option<&'static str> {
    let digit_before = |at: usize| text[..at].trim_end().ends_with(|letter: char| letter.is_ascii_digit());
    let measured = |unit: &str| text.match_indices(unit).any(|(at, _)| digit_before(at));
    let glued = text.match_indices("in").any(|(at, _)| text[..at].ends_with(|letter: char| letter.is_ascii_digit()));
    match text {
        _ if measured("cm") || measured("mm") => Some("the book measures in inches"),
        _ if glued => Some("inches stand apart from their number"),
        _ if text.contains("Side A") || text.contains("Side B") => Some("sides have names"),
        _ if text.contains("a average") => Some("an average"),
        _ if text.contains(" The ") && !text.contains(". The ") => Some("an article within a sentence is small"),
        _ => None,
    }
}

fn sound(text: &str, sentence: bool) {
    if let Some(fault) = fault(text) {
        panic!("{fault}: {text}");
    }
    assert!(!sentence || !text.starts_with(|letter: char| letter.is_lowercase()), "no capital: {text}");
}

#[test]
fn the_words_and_units_of_the_book() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios/batteries");
    let mut looked_at = 0;
    for name in ["the-crossroads", "smolensk-royal-bastion", "barrosa"] {
        let text = std::fs::read_to_string(folder.join(format!("{name}.toml"))).unwrap();
        let document = Document::parse(name, text).unwrap();
        let mut battle = Batteries::muster(&Scenario::read(&document.json).unwrap(), &mut Diagnostics::new()).unwrap();
        let (mut random, mut dice) = (Seeded::new(3), Seeded::new(4));
        let (mut offers, mut closed) = (Vec::new(), Vec::new());
        for n in 0..700 {
            let Some(choice) = random_choice::<Batteries>(&battle, &mut offers, &mut random) else { break };
            sound(&Batteries::decision(&battle), true);
            if n % 20 == 0 {
                for offer in &offers {
                    sound(&Batteries::label(&battle, offer).text, true);
                    if let Input::Distance { stops, .. } = Batteries::input(&battle, offer) {
                        stops.iter().for_each(|stop| sound(&stop.why, false));
                    }
                }
                closed.clear();
                Batteries::closed(&battle, &mut closed);
                closed.iter().for_each(|(_, refusal)| sound(&refusal.sentence, false));
                looked_at += offers.len() + closed.len();
            }
            let mut events = Vec::new();
            let before = battle.clone();
            let mut play = Resolution::new(&mut battle, &mut dice).events_only(&mut events);
            Batteries::resolve(&mut play, &choice).unwrap();
            sound(&Batteries::outcome(&before, &events), false);
            let mut told = before;
            for event in &events {
                sound(&Batteries::tell(&told, event).text, true);
                Batteries::apply(&mut told, event);
            }
        }
    }
    assert!(looked_at > 1_000, "{looked_at}");
}
