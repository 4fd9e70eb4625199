//! The scenarios that are written from army lists are what the lists give.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on says so")]

use std::fs;
use std::path::{Path, PathBuf};

use sabretache_engine::scenario::Document;

/// A list, a book, and the scenario that was written from them.
const SHIPPED: [(&str, &str, &str); 4] = [
    ("vimeiro", "huzzah", "huzzah/vimeiro"),
    ("vimeiro", "batteries", "batteries/vimeiro-batteries"),
    ("maida", "batteries", "batteries/maida-batteries"),
    ("schellenberg", "malbrook", "malbrook/schellenberg"),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn written(name: &str, text: &str, book: &str) -> Result<String, String> {
    let document = Document::parse(name, text).map_err(|report| report.to_string())?;
    let list = sabretache_armies::read(&document).map_err(|report| report.to_string())?;
    sabretache_armies::scenario(&list, book, name, &document).map_err(|report| report.to_string())
}

fn list(name: &str) -> String {
    fs::read_to_string(root().join("armies").join(format!("{name}.toml"))).unwrap()
}

/// With `WRITE_SCENARIOS=1` they are written anew.
#[test]
fn the_shipped_scenarios_are_what_the_lists_give() {
    for (name, book, file) in SHIPPED {
        let text = written(name, &list(name), book).unwrap_or_else(|why| panic!("{name}: {why}"));
        let path = root().join("scenarios").join(format!("{file}.toml"));
        if std::env::var_os("WRITE_SCENARIOS").is_some() {
            fs::write(&path, &text).unwrap();
        }
        let kept = fs::read_to_string(&path).unwrap_or_default();
        assert!(kept == text, "{file} is not what {name} gives: WRITE_SCENARIOS=1 writes it anew");
    }
}

#[test]
fn every_list_of_the_folder_comes_with_the_program() {
    let mut there: Vec<String> = fs::read_dir(root().join("armies"))
        .unwrap()
        .map(|file| file.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    there.sort();
    assert_eq!(there, sabretache_armies::SHIPPED.map(|(name, _)| name));
}

#[test]
fn every_list_can_be_written_for_every_book() {
    for (name, ..) in SHIPPED {
        for book in sabretache_armies::BOOKS {
            let text = written(name, &list(name), book).unwrap_or_else(|why| panic!("{name} under {book}: {why}"));
            Document::parse(name, text).unwrap_or_else(|report| panic!("{name} under {book}: {report}"));
        }
    }
}

#[test]
fn what_is_wrong_in_a_list_is_told_with_its_line_and_a_remedy() {
    let maida = list("maida");
    for (right, wrong, told) in [
        ("experience = \"green\"", "experience = \"gren\"", "did you mean \"green\"?"),
        (
            "command = \"peyri\", arm = \"foot\", strength = 940",
            "command = \"peri\", arm = \"foot\", strength = 940",
            "there is no command 'peri'",
        ),
        ("strength = 940, ", "", "give its `strength`, in men"),
        ("at = [1700, 840]", "at = [2700, 840]", "the field is 2200 by 1800 paces"),
        ("guns = 4, pounds = 6", "guns = 4", "give `guns` and `pounds`"),
    ] {
        assert!(maida.contains(right), "{right}");
        let line = maida[..maida.find(right).unwrap()].lines().count();
        let report = written("maida", &maida.replacen(right, wrong, 1), "batteries").unwrap_err();
        assert!(report.contains(told) && report.contains(&format!("line {line}: ")), "{line}: {report}");
    }
}

#[test]
fn a_correction_changes_what_the_conversion_gave_and_one_that_finds_nothing_is_an_error() {
    let correction = |of: &str| {
        format!("{}\n[[books.huzzah.corrections]]\nof = \"{of}\"\nto = \"green\"\nwhy = \"to see\"\n", list("maida"))
    };
    let text = written("maida", &correction("units.leger-1-1.quality"), "huzzah").unwrap();
    let unit = text.lines().find(|line| line.contains("id = \"leger-1-1\"")).unwrap();
    assert!(unit.contains("quality = \"green\""), "{unit}");
    assert!(text.contains("Corrected by hand for this book: to see"), "the note says so");
    let report = written("maida", &correction("units.leger-9.quality"), "huzzah").unwrap_err();
    assert!(report.contains("there is no `leger-9`"), "{report}");
}

/// Every scenario that comes with the program, by its path.
fn scenarios() -> Vec<PathBuf> {
    let books = sabretache_armies::BOOKS.map(|book| root().join("scenarios").join(book));
    let files = books.iter().flat_map(|folder| fs::read_dir(folder).unwrap()).map(|file| file.unwrap().path());
    let mut all: Vec<PathBuf> = files.collect();
    all.sort();
    all
}

#[test]
fn every_shipped_scenario_becomes_a_list_and_from_there_a_scenario_of_every_book() {
    for file in scenarios() {
        let name = file.display().to_string();
        let scenario = Document::parse(&name, fs::read_to_string(&file).unwrap()).unwrap();
        let list = sabretache_armies::from_scenario(&scenario.json).unwrap_or_else(|why| panic!("{name}: {why}"));
        for book in sabretache_armies::BOOKS {
            let text = written(&name, &list, book).unwrap_or_else(|why| panic!("{name} under {book}: {why}\n{list}"));
            Document::parse(&name, text).unwrap_or_else(|report| panic!("{name} under {book}: {report}"));
        }
    }
}

/// Vimeiro was written for Huzzah! from a list. Read back, it is that list again as far as the book tells.
#[test]
fn a_scenario_read_back_has_the_commands_places_and_ground_of_its_list() {
    let text = written("vimeiro", &list("vimeiro"), "huzzah").unwrap();
    let scenario = Document::parse("vimeiro", text).unwrap();
    let back = sabretache_armies::from_scenario(&scenario.json).unwrap();
    let read = |text: &str| sabretache_armies::read(&Document::parse("list", text).unwrap()).unwrap();
    let (before, after) = (read(&list("vimeiro")), read(&back));
    assert_eq!(after.title, before.title);
    assert_eq!((after.field.width, after.field.depth), (before.field.width, before.field.depth));
    assert_eq!(after.ground.len(), before.ground.len());
    for (one, other) in before.ground.iter().zip(&after.ground) {
        assert_eq!((&one.id, one.kind), (&other.id, other.kind));
    }
    assert_eq!(after.objectives.len(), before.objectives.len());
    for command in &before.commands {
        let found = after.commands.iter().find(|one| one.id == command.id).unwrap();
        assert_eq!((&found.leader, found.level, &found.part_of), (&command.leader, command.level, &command.part_of));
        let battalions = |list: &sabretache_armies::List| {
            let own = list.units.iter().filter(|unit| unit.command == command.id);
            own.map(|unit| u32::from(unit.battalions)).sum::<u32>()
        };
        assert_eq!(battalions(&after), battalions(&before), "{}", command.name);
        if let (Some(a), Some(b)) = (command.at, found.at)
            && battalions(&before) > 0
        {
            assert!((a[0] - b[0]).hypot(a[1] - b[1]) < 60.0, "{}: {a:?} and {b:?}", command.name);
        }
    }
    // And the same battle is fought under another book with the same troops in the same places.
    let (one, two) = (written("v", &list("vimeiro"), "batteries").unwrap(), written("v", &back, "batteries").unwrap());
    let places = |text: &str| -> Vec<(String, [f64; 2])> {
        let json = Document::parse("v", text.to_owned()).unwrap().json;
        let units = json["units"].as_array().unwrap().clone();
        // In parts of the table, since a list may have a scale of its own.
        let part = |unit: &serde_json::Value, n: usize, side: &str| {
            unit["at"][n].as_f64().unwrap() / json["table"][side].as_f64().unwrap()
        };
        units.iter().map(|unit| (unit["name"].to_string(), [part(unit, 0, "width"), part(unit, 1, "depth")])).collect()
    };
    let (one, two) = (places(&one), places(&two));
    assert_eq!(one.len(), two.len());
    for (name, at) in one {
        let (_, there) = two.iter().find(|(other, _)| *other == name).unwrap();
        assert!((at[0] - there[0]).hypot(at[1] - there[1]) < 0.06, "{name} at {at:?}, and read back at {there:?}");
    }
}
