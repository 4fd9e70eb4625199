//! The first players stay as they were: what they chose in battles that were kept when the present ones took their place.

use std::path::Path;

use sabretache_engine::log::{DiceSource, Enforcement};
use sabretache_engine::scenario::Document;
use sabretache_engine::session::{Seat, Setup};
use sabretache_players::fight::own_chance;

const SEED: u64 = 3;

/// Fights a scenario between two of a kind and holds every choice against the list of those that were made. Where a rule has been mended since, so that
/// other choices are open, `WRITE_FIRST=1` writes the list anew.
fn chooses_as_ever(scenario: &str, player: &str, list: &str) {
    let list = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite").join(list);
    let kept = std::fs::read_to_string(&list).unwrap();
    let anew = std::env::var_os("WRITE_FIRST").is_some();
    let mut written = String::new();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios").join(scenario);
    let document = Document::parse(scenario, std::fs::read_to_string(file).unwrap()).unwrap();
    let book = document.json["ruleset"].as_str().unwrap();
    let ruleset = sabretache_books::rulesets().into_iter().find(|one| one.book().name == book).unwrap();
    let players = sabretache_books::laboratories().into_iter().find(|one| one.ruleset() == book).unwrap();
    let setup = Setup { enforcement: Enforcement::Referee, dice: DiceSource::Seeded(SEED) };
    let mut session = ruleset.begin(&document, setup).unwrap().0;
    for (n, line) in kept.lines().enumerate() {
        let side = session.deciding().unwrap();
        let order = players.order(&*session, player.parse().unwrap(), &mut own_chance(SEED, side, n as u64)).unwrap();
        let chosen = format!("{side} {} {}", order.offer, serde_json::to_string(&order.value).unwrap());
        assert!(anew || chosen == line, "choice {n} of {player} in {scenario}: {chosen}, and it was {line}");
        written += &format!("{chosen}\n");
        session.choose(Seat::Player(side), &order).unwrap();
    }
    if anew {
        std::fs::write(&list, written).unwrap();
    }
}

#[test]
#[cfg(feature = "huzzah")]
fn the_first_drill_master_fights_wiesenbach_as_ever() {
    chooses_as_ever("huzzah/teaching.toml", "drill-master:1", "first-teaching.txt");
}

#[test]
#[cfg(feature = "batteries")]
fn the_first_drill_master_fights_the_crossroads_as_ever() {
    chooses_as_ever("batteries/the-crossroads.toml", "drill-master:1", "first-the-crossroads.txt");
}

#[test]
#[cfg(feature = "malbrook")]
fn the_first_drill_master_fights_the_meeting_as_ever() {
    chooses_as_ever("malbrook/meeting.toml", "drill-master:1", "first-meeting.txt");
}

#[test]
#[cfg(feature = "huzzah")]
fn the_first_marshal_fights_wiesenbach_as_ever() {
    chooses_as_ever("huzzah/teaching.toml", "marshal:1:8", "first-marshal.txt");
}
