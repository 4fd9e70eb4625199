//! A quick sheet has every modifier of every test, by as much as it shifts: whatever a drill expects stands on it.

use std::collections::BTreeMap;
use std::path::Path;

use sabretache_engine::scenario::Document;
use serde_json::Value as Json;

use crate::common::{json_lines, run};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// For each test of a book, what modifies it and by how much.
fn sheet(book: &str) -> BTreeMap<String, BTreeMap<String, Vec<i64>>> {
    let told = json_lines(&run(&["print", book, "--quick", "--json"]).out);
    let line = |line: &Json| {
        let shifts = line["shifts"].as_array().unwrap().iter().map(|shift| shift.as_i64().unwrap()).collect();
        (line["clause"].as_str().unwrap().to_owned(), shifts)
    };
    let test = |test: &Json| {
        (test["name"].as_str().unwrap().to_owned(), test["lines"].as_array().unwrap().iter().map(line).collect())
    };
    told[0]["data"]["sheet"]["tests"].as_array().unwrap().iter().map(test).collect()
}

#[test]
#[ignore = "modifiers that only a nation with arm and formation makes, such as BB-OPT-72, are not found yet"]
fn what_the_drills_expect_of_a_test_stands_on_the_sheet_of_its_book() {
    for book in ["huzzah", "batteries", "malbrook"] {
        let sheet = sheet(book);
        let mut asked = 0;
        for file in std::fs::read_dir(Path::new(ROOT).join("drills").join(book)).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_none_or(|ending| ending != "toml") {
                continue;
            }
            let document = Document::parse("drills", std::fs::read_to_string(&path).unwrap()).unwrap();
            for drill in document.json["drill"].as_array().into_iter().flatten() {
                let (Some(name), Some(all)) = (drill["test"].as_str(), drill["expect"]["modifiers"].as_array()) else {
                    continue;
                };
                let lines = &sheet[&name.replace(['_', '-'], " ")];
                for told in all.iter().filter_map(Json::as_str) {
                    let (clause, shift) = told.rsplit_once(':').unwrap();
                    let shift: i64 = shift.parse().unwrap();
                    let shifts =
                        lines.get(clause).unwrap_or_else(|| panic!("{book} {name}: {clause} is not on the sheet"));
                    let (least, most) = (shifts.iter().min().unwrap(), shifts.iter().max().unwrap());
                    // What counts for each of several may go farther than the sheet has tried.
                    let fits = shifts.contains(&shift) || shifts.len() > 2 && (shift < *least || shift > *most);
                    assert!(fits, "{book} {name}: {told}, and the sheet has {shifts:?}");
                    asked += 1;
                }
            }
        }
        assert!(asked > 50, "{book}: {asked} modifiers were looked up");
    }
}

#[test]
fn a_sheet_has_the_numbers_of_the_book() {
    let told = json_lines(&run(&["print", "batteries", "--quick", "--json"]).out);
    let table = told[0]["data"]["sheet"]["tables"]
        .as_array()
        .unwrap()
        .iter()
        .find(|table| table["clause"] == "BB-SHO-13")
        .unwrap();
    let row = table["rows"].as_array().unwrap().iter().find(|row| row["name"] == "musket close").unwrap();
    let at = table["columns"].as_array().unwrap().iter().position(|column| column == "normal").unwrap();
    assert_eq!(row["cells"][at], "7", "muskets close by hit a normal target with a 7");
}
