//! The generic suite on every scenario.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on says so")]

use std::path::{Path, PathBuf};

use sabretache_batteries::Batteries;
use sabretache_batteries::clauses::{BB_GEN_01, BB_GEN_03, BB_GEN_10, BB_UNI_07};
use sabretache_engine::dice::Seeded;
use sabretache_engine::ids::{Named, OfficerId, UnitId};
use sabretache_engine::ruleset::Ruleset;
use sabretache_engine::scenario::{Diagnostics, Document, Scenario};
use sabretache_engine::suite::{self, Effort};
use serde_json::json;

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name).join("batteries")
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "toml"))
        .collect();
    files.sort();
    files
}

fn scenarios() -> Vec<Document> {
    let read = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        Document::parse(name, std::fs::read_to_string(path).unwrap()).unwrap_or_else(|report| panic!("{report}"))
    };
    files(&folder("scenarios")).iter().map(read).collect()
}

fn effort() -> Effort {
    let battles = std::env::var("BATTLES").ok().and_then(|number| number.parse().ok()).unwrap_or(3);
    Effort { battles, sampled_offers: 6, samples: 2_000, closely: 150, ..Effort::default() }
}

/// The scenario with these options and no others but those its ground needs.
fn with_options(document: &Document, names: &[&str]) -> Document {
    let mut document = document.clone();
    // A scenario whose ground is old city walls cannot do without their rules.
    let walls = document.json["options"]["city_walls"].clone();
    document.json["options"] = json!({});
    if walls == json!(true) {
        document.json["options"]["city_walls"] = walls;
    }
    for name in names {
        document.json["options"][*name] = json!(true);
    }
    document
}

/// Every option of the book that is a switch of the scenario.
const OPTIONS: [&str; 15] = [
    "cavalry_bounce",
    "pursuit",
    "skirmish_screens",
    "city_walls",
    "elbow_room",
    "carry_through",
    "pass_through_fire",
    "two_rank_line",
    "national_modifiers",
    "pinning",
    "danger_to_generals",
    "artillery_targeting",
    "voluntary_rout",
    "command_initiative",
    "first_rout_off_table",
];

#[test]
fn what_a_client_is_told_holds() {
    let few = |document: &Document| ["the-crossroads.toml", "barrosa.toml"].contains(&document.name.as_str());
    let scenarios: Vec<Document> = scenarios().into_iter().filter(few).collect();
    let effort = Effort { battles: 1, longest: 400, closely: 30, ..Effort::default() };
    let seen = suite::told::<Batteries>(&scenarios, effort).unwrap_or_else(|fault| panic!("{fault}"));
    assert!(seen.handles > 200 && seen.headlines > 8 && seen.series > 8, "{seen:?}");
    println!("{seen:?}");
}

/// The great battles once, and looked at closely now and then: a decision of theirs costs as much as a dozen of a small one.
fn effort_for(document: &Document) -> Effort {
    let great = document.json["units"].as_array().map_or(0, Vec::len) > 16;
    let asked = std::env::var_os("BATTLES").is_some();
    if great && !asked { Effort { battles: 1, closely: 200, logged: 2_000, ..effort() } } else { effort() }
}

fn passes(scenarios: &[Document]) {
    let (mut decisions, mut refusals) = (0, 0);
    for scenario in scenarios {
        let effort = effort_for(scenario);
        let done =
            suite::run::<Batteries>(std::slice::from_ref(scenario), effort).unwrap_or_else(|fault| panic!("{fault}"));
        assert_eq!(done.battles, effort.battles, "{}: {done:?}", scenario.name);
        refusals += done.refusals;
        decisions += done.decisions;
    }
    assert!(decisions > 1_000 && refusals > 0, "{decisions} decisions, {refusals} refusals");
}

#[test]
fn every_scenario_passes_what_every_ruleset_must_pass() {
    let scenarios: Vec<Document> = scenarios().iter().map(|document| with_options(document, &[])).collect();
    passes(&scenarios);
}

#[test]
fn so_it_does_with_every_option() {
    let scenarios: Vec<Document> = scenarios().iter().map(|document| with_options(document, &OPTIONS)).collect();
    passes(&scenarios);
}

#[test]
fn so_it_does_with_any_set_of_options() {
    let all = scenarios();
    for set in 0..effort().battles {
        let mut random = Seeded::new(set);
        let names: Vec<&str> = OPTIONS.into_iter().filter(|_| random.below(2) == 0).collect();
        let scenario = with_options(&all[set as usize % all.len()], &names);
        let effort = Effort { battles: 1, ..effort_for(&scenario) };
        suite::run::<Batteries>(&[scenario], effort).unwrap_or_else(|fault| panic!("{names:?}: {fault}"));
    }
}

/// How many of a hundred random battles a scenario gets: the small ones are fought often, the great ones now and then.
fn share_of(document: &Document) -> u64 {
    match document.json["units"].as_array().map_or(0, Vec::len) {
        0..=16 => 88,
        17..=20 => 6,
        _ => 3,
    }
}

/// Many battles, looked at less closely; `BATTLES=10000` fights as many as that over all scenarios: a third with no
/// option, a third with every option, a third with sets of options drawn at random.
#[test]
fn random_battles_end_with_every_invariant_whole() {
    let battles: u64 = std::env::var("BATTLES").ok().and_then(|text| text.parse().ok()).unwrap_or(12);
    let seen = Effort { closely: 1_000_000, sampled_offers: 0, despite: 0, logged: 0, ..Effort::default() };
    let fight = |scenario: Document, names: &[&str], battles: u64| {
        let done = suite::run::<Batteries>(&[scenario], Effort { battles, ..seen })
            .unwrap_or_else(|fault| panic!("{names:?}: {fault}"));
        assert_eq!(done.battles, battles);
        done.decisions
    };
    let all = scenarios();
    let whole: u64 = all.iter().map(share_of).sum();
    let mut fought = 0;
    for document in &all {
        // Unless more are asked for, the great battles are left to the suite.
        let third = (battles * share_of(document)).div_ceil(3 * whole);
        if std::env::var("BATTLES").is_err() && share_of(document) < 50 {
            continue;
        }
        let mut decisions = fight(with_options(document, &[]), &[], third);
        decisions += fight(with_options(document, &OPTIONS), &OPTIONS, third);
        let mut left = third;
        let mut random = Seeded::new(third);
        while left > 0 {
            let names: Vec<&str> = OPTIONS.into_iter().filter(|_| random.below(2) == 0).collect();
            let some = left.min(30);
            decisions += fight(with_options(document, &names), &names, some);
            left -= some;
        }
        fought += 3 * third;
        println!("{}: {} battles, {decisions} decisions", document.name, 3 * third);
    }
    assert!(fought > 0);
    println!("{fought} battles in all");
}

#[test]
fn every_scenario_is_free_of_warnings() {
    for document in scenarios() {
        let scenario = Scenario::read(&document.json).unwrap_or_else(|report| panic!("{}: {report}", document.name));
        let mut report = Diagnostics::new();
        assert!(Batteries::muster(&scenario, &mut report).is_some(), "{}: {report}", document.name);
        assert!(report.is_empty(), "{}: {report}", document.name);
    }
}

fn field() -> Document {
    let path = folder("drills").join("positions/field.toml");
    Document::parse("field.toml", std::fs::read_to_string(path).unwrap()).unwrap()
}

/// What is said about a scenario, errors and warnings alike.
fn said_of(document: &Document) -> Vec<String> {
    let scenario = Scenario::read(&document.json).unwrap_or_else(|report| panic!("{report}"));
    let mut report = Diagnostics::new();
    assert!(Batteries::muster(&scenario, &mut report).is_some(), "{report}");
    report
        .iter()
        .map(|one| {
            format!(
                "{} {}",
                one.path,
                one.clause.map_or("", |clause| if clause == BB_UNI_07 {
                    "size"
                } else if clause == BB_GEN_10 {
                    "brigades"
                } else {
                    "other"
                })
            )
        })
        .collect()
}

#[test]
fn unusual_sizes_are_warned_about_and_load() {
    sabretache_engine::tests_clauses!(BB_UNI_07);
    let mut document = field();
    // The two bodies of skirmishers are below the usual size and are warned about anyway.
    assert_eq!(said_of(&document), ["units[2] size", "units[7] size"]);
    document.json["units"][0]["start"] = json!(36);
    document.json["units"][0]["width"] = json!(6);
    assert_eq!(said_of(&document).len(), 2, "36 figures are usual");
    document.json["units"][0]["start"] = json!(40);
    assert_eq!(said_of(&document), ["units[0] size", "units[2] size", "units[7] size"]);
    document.json["units"][4]["models"] = json!(1);
    assert_eq!(said_of(&document).len(), 4, "a battery of one model");
}

#[test]
fn seven_brigades_on_a_side_are_warned_about_and_load() {
    sabretache_engine::tests_clauses!(BB_GEN_10);
    let mut document = field();
    let with = |document: &mut Document, number: usize| {
        let one = document.json["brigades"][0].clone();
        let red = document.json["brigades"][1].clone();
        let mut brigades: Vec<_> = (0..number)
            .map(|n| {
                let mut brigade = one.clone();
                if n > 0 {
                    brigade["id"] = json!(format!("more-{n}"));
                }
                brigade
            })
            .collect();
        brigades.push(red);
        document.json["brigades"] = json!(brigades);
    };
    let mut six = document.clone();
    with(&mut six, 6);
    assert!(!said_of(&six).contains(&"brigades brigades".to_owned()));
    with(&mut document, 7);
    assert!(said_of(&document).contains(&"brigades brigades".to_owned()));
}

#[test]
fn a_roster_shows_men_and_both_sides_may_measure() {
    sabretache_engine::tests_clauses!(BB_GEN_01, BB_GEN_03);
    let scenario = Scenario::read(&field().json).unwrap();
    let battle = Batteries::muster(&scenario, &mut Diagnostics::new()).unwrap();
    let view = Batteries::view(&battle);
    let line = |id: &str| view.units.iter().find(|unit| unit.key == id).unwrap().lines[0].clone();
    assert_eq!(line("b-line"), "grade C, 24 of 24 figures, 480 men");
    assert_eq!(line("b-guns"), "grade C, 12 of 12 figures, 60 men");
    // It is Blue's phase; arcs and radii of both sides are shown all the same.
    for unit in [UnitId(0), UnitId(5)] {
        assert_eq!(Batteries::overlays(&battle, Named::Unit(unit)).len(), 1);
    }
    for general in [OfficerId(0), OfficerId(1)] {
        assert_eq!(Batteries::overlays(&battle, Named::Officer(general)).len(), 1);
    }
}
