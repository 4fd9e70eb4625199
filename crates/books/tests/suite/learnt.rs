//! What was learnt of each book can be read for the columns that the book has now, and tells chances.

use std::path::Path;

use sabretache_engine::ids::Side;
use sabretache_engine::ruleset::Ruleset;
use sabretache_engine::scenario::{Document, Scenario};
use sabretache_engine::session::muster;
use sabretache_players::Skill;
use sabretache_players::fight;
use sabretache_players::learnt::Learnt;

/// At the start of a battle nobody has won; somewhere on the way an Ensign is thought to be beating a Recruit, or the other way round.
fn tells_chances<R: Ruleset>(scenario: &str) {
    let learnt = Learnt::of::<R>().unwrap_or_else(|| panic!("{scenario}: the trees were grown on other columns"));
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios").join(scenario);
    let document = Document::parse(scenario, std::fs::read_to_string(file).unwrap()).unwrap();
    let mut battle = muster::<R>(&Scenario::<R::Body>::read(&document.json).unwrap()).unwrap();
    let both = |battle: &R::Battle| Side::BOTH.map(|side| learnt.chance::<R>(battle, side));
    let [a, b] = both(&battle);
    assert!((a + b - 1.0).abs() < 1e-9 && (0.1..=0.9).contains(&a), "{scenario}: {a} and {b} before a shot is fired");
    let mut farthest: f64 = 0.0;
    fight::<R>(&mut battle, [Skill::Ensign, Skill::Recruit], 22, 20_000, |_, _, after, _| {
        let [a, b] = both(after);
        assert!((a + b - 1.0).abs() < 1e-9, "{scenario}: {a} and {b}");
        // What is over needs no judgement.
        if R::deciding(after).is_some() {
            farthest = farthest.max((a - 0.5).abs());
        }
    })
    .unwrap();
    assert!(farthest > 0.3, "{scenario}: an Ensign against a Recruit was never thought to be winning, but {farthest}");
}

#[test]
#[cfg(feature = "huzzah")]
fn of_huzzah() {
    tells_chances::<sabretache_huzzah::Huzzah>("huzzah/teaching.toml");
}

#[test]
#[cfg(feature = "batteries")]
fn of_brigades_and_batteries() {
    tells_chances::<sabretache_batteries::Batteries>("batteries/the-crossroads.toml");
}

#[test]
#[cfg(feature = "malbrook")]
fn of_malbrook() {
    tells_chances::<sabretache_malbrook::Malbrook>("malbrook/meeting.toml");
}
