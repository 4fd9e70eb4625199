#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what it did not expect")]
//! The suite that every ruleset must pass, where there are walls, breaches, mines, strong points and hedges.

use std::fs;
use std::path::Path;

use sabretache_engine::scenario::Document;
use sabretache_engine::suite::{Effort, run};
use sabretache_huzzah::Huzzah;

fn document(folder: &str, name: &str) -> Document {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder).join(name);
    Document::parse(name, fs::read_to_string(&path).unwrap()).unwrap()
}

fn fought(document: Document) {
    let battles = std::env::var("BATTLES").ok().and_then(|text| text.parse().ok()).unwrap_or(2);
    let effort = Effort { battles, samples: 500, sampled_offers: 3, despite: 0, ..Effort::default() };
    let done = run::<Huzzah>(&[document], effort).unwrap_or_else(|fault| panic!("{fault}"));
    assert_eq!(done.battles, battles);
    println!("{done:?}");
}

#[test]
fn random_players_storm_a_breach_and_a_wall() {
    fought(document("drills/huzzah/positions", "storm.toml"));
}

#[test]
fn random_players_storm_ciudad_rodrigo() {
    fought(document("scenarios/huzzah", "ciudad-rodrigo.toml"));
}

#[test]
fn random_players_fight_for_la_haye_sainte() {
    fought(document("scenarios/huzzah", "la-haye-sainte.toml"));
}

/// What happens in random storms: the events of their logs by name.
fn happenings() -> std::collections::BTreeSet<String> {
    use sabretache_engine::dice::Seeded;
    use sabretache_engine::playout::random_choice;
    use sabretache_engine::resolution::{Happening, Resolution};
    use sabretache_engine::ruleset::Ruleset;
    use sabretache_engine::scenario::Scenario;
    let document = document("drills/huzzah/positions", "storm.toml");
    let scenario = Scenario::<sabretache_huzzah::body::Body>::read(&document.json).unwrap();
    let mut names = std::collections::BTreeSet::new();
    for seed in 0..24 {
        let mut battle = sabretache_engine::session::muster::<Huzzah>(&scenario).unwrap();
        let (mut random, mut dice) = (Seeded::for_choice(seed, u64::MAX), Seeded::new(seed));
        let mut offers = Vec::new();
        while let Some(choice) = random_choice::<Huzzah>(&battle, &mut offers, &mut random) {
            names.insert(Huzzah::key(&battle, &choice.offer).split(' ').next().unwrap_or_default().to_owned());
            let mut happened = Vec::new();
            let mut play = Resolution::<Huzzah>::new(&mut battle, &mut dice).chronicled(&mut happened);
            Huzzah::resolve(&mut play, &choice).unwrap_or_else(|halt| panic!("{halt}"));
            for one in happened {
                if let Happening::Event(event) = one {
                    let json = serde_json::to_value(&event).unwrap();
                    names.extend(json.as_object().into_iter().flat_map(|map| map.keys().cloned()));
                }
            }
        }
    }
    names
}

#[test]
fn storms_are_fought_with_ladders_and_mines() {
    let names = happenings();
    for name in ["escalade", "scales", "climb", "across", "explode", "explodes", "along", "hedge_gone"] {
        assert!(names.contains(name), "no '{name}' in 24 storms: {names:?}");
    }
}

/// A scenario of the book, laid out.
fn laid_out(name: &str) -> sabretache_huzzah::battle::Battle {
    let document = document("scenarios/huzzah", name);
    let scenario = sabretache_engine::scenario::Scenario::read(&document.json).unwrap();
    sabretache_engine::session::muster::<Huzzah>(&scenario).unwrap_or_else(|report| panic!("{report}"))
}

#[test]
fn the_garrison_of_ciudad_rodrigo_holds_its_walls_and_breaches() {
    use sabretache_huzzah::table::siege;
    use sabretache_huzzah::terrain::Kind;
    let battle = laid_out("ciudad-rodrigo.toml");
    let unit = |id: &str| battle.unit_ids().find(|&one| battle.facts(one).id == id).unwrap();
    let ground = |id: &str| battle.lay.terrain.iter().position(|one| one.id == id).unwrap() as u16;
    for id in ["guns-north", "ligne-113-1", "guns-east", "gate-guard"] {
        let placed = battle.placed(unit(id));
        assert!(siege::held_wall(&battle, unit(id), &placed).is_some(), "{id} is not on the wall");
    }
    for (id, breach) in [("leger-34-1", "great"), ("leger-34-2", "lesser")] {
        assert!(
            siege::holds_breach(&battle, &battle.placed(unit(id)), ground(breach)),
            "{id} is not at the {breach} breach"
        );
    }
    let mined = |id: &str| battle.lay.terrain[usize::from(ground(id))].kind == Kind::Breach { mined: true };
    assert!(mined("great") && !mined("lesser"), "the mine lay under the great breach");
    assert_eq!(siege::levels(&battle, ground("north-wall")), (1, 1));
    assert_eq!(siege::besieger(&battle).map(|side| battle.lay.side_id(side)), Some("al"));
}

#[test]
fn la_haye_sainte_is_a_strong_point_with_a_garrison() {
    use sabretache_huzzah::table::zones;
    use sabretache_huzzah::terrain::Kind;
    let battle = laid_out("la-haye-sainte.toml");
    let farm = battle.lay.terrain.iter().position(|one| one.id == "farm").unwrap();
    assert!(matches!(battle.lay.terrain[farm].kind, Kind::Buildings { strong: true, .. }));
    let garrison = battle.unit_ids().find(|&id| battle.unit(id).sector == Some(farm as u16)).unwrap();
    assert_eq!(zones::faces(&battle, garrison).len(), 4);
}
