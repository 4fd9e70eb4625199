//! `sabretache print`: a scenario as a booklet for a real table.

use std::fs;
use std::path::Path;

use sabretache_story::{Terms, booklet};
use serde_json::Value as Json;

use crate::failure::{Failure, bad};
use crate::files;

pub(crate) fn run(name: &str, html: &Path) -> Result<(), Failure> {
    let (document, ruleset) = files::scenario(name)?;
    let sketch = ruleset.sketch(&document);
    if sketch.report.has_errors() {
        return Err(Failure::File { name: document.name, text: document.text, report: sketch.report });
    }
    let view = sketch.view.ok_or_else(|| bad(format!("{name}: there is no table to draw")))?;
    fs::write(html, booklet(&view, &terms(&document.json))).map_err(|error| bad(format!("{}: {error}", html.display())))
}

/// What the books say in their own keys, in one form of words.
fn terms(file: &Json) -> Terms {
    let words = |key: &str| -> Vec<String> {
        file[key].as_array().into_iter().flatten().filter_map(Json::as_str).map(str::to_owned).collect()
    };
    let named = |id: &Json| {
        let mut sides = file["sides"].as_array().into_iter().flatten();
        sides.find(|side| side["id"] == *id).and_then(|side| side["name"].as_str()).unwrap_or_default().to_owned()
    };
    let mut victory = Vec::new();
    if let Some(turns) = file["turns"].as_u64().or(file["options"]["turns"].as_u64()) {
        victory.push(format!("The battle lasts {turns} turns."));
    }
    if let Some(losses) = file["victory"]["losses"].as_u64() {
        victory.push(format!("A side that has lost {losses} % of its figures is beaten."));
    }
    let places = file["objectives"].as_array().or(file["victory"]["objectives"].as_array());
    for place in places.into_iter().flatten() {
        let points = place["points"].as_u64().or(place["worth"].as_u64()).unwrap_or(1);
        let mut line = format!(
            "{}: {points} {}",
            place["name"].as_str().unwrap_or_default(),
            if points == 1 { "point" } else { "points" }
        );
        if place["side"].is_string() {
            line += &format!(" to {}", named(&place["side"]));
        }
        for held in [&place["held"], &place["held_by"]] {
            if held.is_string() {
                line += &format!(", held at first by {}", named(held));
            }
        }
        victory.push(line + ".");
    }
    Terms { victory, notes: words("notes"), sources: words("sources") }
}
