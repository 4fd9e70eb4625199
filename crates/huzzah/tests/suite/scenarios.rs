#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what it did not expect")]
//! Every scenario that comes with the book can be laid out and fought as it stands.

use std::fs;
use std::path::{Path, PathBuf};

use sabretache_engine::ids::{Side, UnitId};
use sabretache_engine::scenario::{Diagnostics, Document, Scenario, Severity};
use sabretache_huzzah::battle::Battle;
use sabretache_huzzah::body::{Body, GameKind};
use sabretache_huzzah::muster::muster;
use sabretache_table::exact_distance;
use serde_json::{Value as Json, json};

/// The files of scenarios/huzzah, by name.
fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios/huzzah");
    let mut files: Vec<PathBuf> = fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .collect();
    files.sort();
    files
}

/// Reads a file and lays it out; what is wrong comes back with its lines, and warnings are printed.
fn laid_out(path: &Path) -> Result<(Scenario<Body>, Battle), String> {
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    let text = fs::read_to_string(path).map_err(|error| format!("{name}: {error}"))?;
    let document = Document::parse(name.as_str(), text).map_err(|report| format!("{name}:\n{report}"))?;
    let placed = |mut report: Diagnostics| {
        document.place(&mut report);
        format!("{name}:\n{report}")
    };
    let scenario = Scenario::<Body>::read(&document.json).map_err(placed)?;
    let mut report = Diagnostics::new();
    let battle = muster(&scenario, &mut report);
    if report.iter().any(|one| one.severity == Severity::Warning) {
        println!("{}", placed(report.clone()));
    }
    battle.map(|battle| (scenario, battle)).ok_or_else(|| placed(report))
}

#[test]
fn every_scenario_can_be_laid_out() {
    let files = files();
    assert!(!files.is_empty(), "there are no scenarios");
    let wrong: Vec<String> = files.iter().filter_map(|path| laid_out(path).err()).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn every_scenario_says_what_it_is_about() {
    let mut wrong = Vec::new();
    for path in files() {
        let Ok((scenario, _)) = laid_out(&path) else { continue };
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let mut missing = |what: &str, there: bool| {
            if !there {
                wrong.push(format!("{name}: {what}"));
            }
        };
        missing("for another book", scenario.ruleset == "huzzah");
        missing("no date", scenario.date.is_some());
        missing("no place", scenario.place.is_some());
        missing("no length", scenario.length.is_some());
        missing("no sources", !scenario.sources.is_empty());
        missing("no notes", !scenario.notes.is_empty());
        let summary = scenario.summary.as_deref().unwrap_or_default();
        let sentences = summary.matches(['.', '!', '?']).count();
        missing("a summary has four to eight sentences or so", (4..=10).contains(&sentences));
        let coats = scenario.body.contingents.iter().all(|one| one.coat.is_some());
        missing("a contingent without the colour of its coats", coats);
        let facings = scenario.body.units.iter().all(|one| one.facings.is_some());
        missing("a unit without the colour of its facings", facings);
        for side in &scenario.sides {
            let aims = scenario.body.objectives.iter().any(|one| one.side.as_ref().is_none_or(|id| *id == side.id));
            missing(&format!("nothing for {} to win by", side.name), aims);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_scenario_saved_and_read_again_is_the_same() {
    for path in files() {
        let Ok((scenario, _)) = laid_out(&path) else { continue };
        let text = scenario.to_toml().unwrap();
        let again = Document::parse("saved.toml", text).unwrap_or_else(|report| panic!("{}: {report}", path.display()));
        let again = Scenario::<Body>::read(&again.json).unwrap_or_else(|report| panic!("{}: {report}", path.display()));
        assert!(again == scenario, "{} changes when it is written and read", path.display());
    }
}

/// The least distance between two units of the two sides, in bands.
fn apart(battle: &Battle) -> f64 {
    let there: Vec<UnitId> = battle.unit_ids().filter(|&id| battle.is_present(id)).collect();
    let mut least = f64::INFINITY;
    for &one in there.iter().filter(|&&id| battle.facts(id).side == Side::A) {
        for &other in there.iter().filter(|&&id| battle.facts(id).side == Side::B) {
            least = least.min(exact_distance(&battle.placed(one), &battle.placed(other)));
        }
    }
    least / battle.lay.band.f()
}

#[test]
fn armies_start_as_far_apart_as_the_book_advises() {
    let mut wrong = Vec::new();
    for path in files() {
        let Ok((scenario, battle)) = laid_out(&path) else { continue };
        let bands = apart(&battle);
        let fits = match scenario.body.options.kind {
            Some(GameKind::Encounter) => bands <= 24.0,
            Some(GameKind::Assault) => (15.5..=16.5).contains(&bands),
            None => bands > 0.0,
        };
        if !fits {
            wrong.push(format!("{}: {bands:.1} bands apart", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn two_battles_that_differ_in_one_fixed_thing_are_not_the_same() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../drills/huzzah/positions/two-brigades.toml");
    let json = Document::parse("two-brigades.toml", fs::read_to_string(path).unwrap()).unwrap().json;
    let laid = |change: &dyn Fn(&mut Json)| {
        let mut json = json.clone();
        change(&mut json);
        let scenario = Scenario::<Body>::read(&json).unwrap_or_else(|report| panic!("{report}"));
        let mut report = Diagnostics::new();
        muster(&scenario, &mut report).unwrap_or_else(|| panic!("{report}")).lay
    };
    let as_it_is = laid(&|_| ());
    assert!(*as_it_is == *laid(&|json| json["state"]["turn"] = json!(2)), "the state is not fixed");
    let changes: [(&str, Json); 9] = [
        ("/options/turns", json!(11)),
        ("/numbers", json!({ "HZ-ZON-01.infantry.line": "20cm" })),
        ("/table/width", json!(241)),
        ("/ground", json!([{ "kind": "wood", "area": [[150, 90], [170, 90], [170, 110], [150, 110]] }])),
        ("/armies/0/baseline", json!("west")),
        ("/contingents/0/name", json!("Italian")),
        ("/commands/1/name", json!("Another brigade")),
        ("/officers/1/name", json!("Another officer")),
        ("/units/0/name", json!("Another battalion")),
    ];
    for (place, value) in changes {
        let changed = laid(&|json| match (json.pointer_mut(place), place.strip_prefix('/')) {
            (Some(held), _) => *held = value.clone(),
            (None, Some(key)) => json[key] = value.clone(),
            (None, None) => panic!("{place}"),
        });
        assert!(*as_it_is != *changed, "{place}");
    }
}
