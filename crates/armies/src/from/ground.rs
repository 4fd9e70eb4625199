//! The ground of a scenario in common terms.

use std::collections::BTreeSet;

use serde_json::{Map, Value as Json, json};

use super::{File, bounds, entries, word};
use crate::list::Place;

/// How wide a bridge is that its book draws as a line, in paces.
const BRIDGE: f64 = 60.0;

/// Each piece that a list has a word for.
pub(super) fn read(file: &File<'_>, book: &str, lost: &mut BTreeSet<String>) -> Vec<Json> {
    let mut taken = BTreeSet::new();
    let mut all = Vec::new();
    for piece in entries(file.json, "ground") {
        let kind = word(piece, "kind").unwrap_or_default();
        let traits: Vec<&str> = entries(piece, "traits").iter().filter_map(Json::as_str).collect();
        let Some(meant) = common(book, kind, &traits) else {
            if !matches!(kind, "open" | "breach") {
                lost.insert(kind.replace('_', " "));
            }
            continue;
        };
        let (mut area, line) = (file.places(piece.get("area")), file.places(piece.get("line")));
        if matches!(meant, "village" | "bridge" | "ford") {
            area = four_corners(&area, &line);
        }
        let mut entry = Map::new();
        entry.insert("id".into(), json!(fresh(word(piece, "id").unwrap_or(meant), &mut taken)));
        entry.insert("kind".into(), json!(meant));
        if let Some(name) = word(piece, "name") {
            entry.insert("name".into(), json!(name));
        }
        if area.is_empty() {
            entry.insert("line".into(), json!(line));
            if let Some(width) = piece.get("width").and_then(Json::as_f64) {
                entry.insert("width".into(), json!((width * file.paces).round()));
            }
        } else {
            entry.insert("area".into(), json!(area));
        }
        if let Some(level) = piece.get("level").and_then(Json::as_i64).filter(|_| meant.contains("hill")) {
            entry.insert("level".into(), json!(level));
        }
        if meant == "works" && (traits.contains(&"front_right") || traits.contains(&"defended left")) {
            entry.insert("outside".into(), json!("right"));
        }
        all.push(Json::Object(entry));
    }
    all
}

fn common(book: &str, kind: &str, traits: &[&str]) -> Option<&'static str> {
    let steep = traits.iter().any(|word| word.contains("steep"));
    let open = traits.contains(&"light") || traits.contains(&"open");
    Some(match kind {
        "hill" if steep => "steep-hill",
        "hill" => "hill",
        "steep_slope" => "steep-hill",
        "wood" if open => "open-wood",
        "wood" => "wood",
        "broken" | "rough" | "camp" => "rough",
        "ploughed_field" => "fields",
        "marsh" | "swamp" | "wolf_pits" => "marsh",
        "lake" | "water" => "lake",
        "stream" => "stream",
        "river" | "flood" => "river",
        "bridge" => "bridge",
        "ford" => "ford",
        "road" => "road",
        "buildings" | "ruins" | "town_block" | "town" => "village",
        "hedge" | "hedgerow" => "hedge",
        "wall" | "fortress_wall" | "city_wall" | "obstacle" => "wall",
        "ditch" | "trench" => "ditch",
        "sunken_road" if book == "huzzah" => "ditch",
        "redoubt" | "light_works" | "heavy_works" | "fieldworks" | "fortifications" => "works",
        _ => return None,
    })
}

/// Four corners at right angles: those that are there, the box about more of them, or a strip along a line.
fn four_corners(area: &[Place], line: &[Place]) -> Vec<Place> {
    if area.len() == 4 {
        return area.to_vec();
    }
    if let Some((least, most)) = bounds(area) {
        return vec![[least[0], most[1]], most, [most[0], least[1]], least];
    }
    let (Some(a), Some(b)) = (line.first(), line.last()) else { return Vec::new() };
    let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
    let long = dx.hypot(dy).max(1.0);
    let (x, y) = (-dy / long * BRIDGE / 2.0, dx / long * BRIDGE / 2.0);
    vec![[a[0] + x, a[1] + y], [b[0] + x, b[1] + y], [b[0] - x, b[1] - y], [a[0] - x, a[1] - y]]
}

fn fresh(from: &str, taken: &mut BTreeSet<String>) -> String {
    let mut id = from.replace(['_', ' '], "-");
    let mut n = 2;
    while !taken.insert(id.clone()) {
        id = format!("{}-{n}", from.replace(['_', ' '], "-"));
        n += 1;
    }
    id
}
