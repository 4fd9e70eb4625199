//! What the workshop needs to know of the book: kinds of ground, lists of troops, an empty table.

use sabretache_engine::scenario::{Bench, GroundEntry, GroundShape, GroundWord, PlaceWord, Rosters};
use sabretache_engine::view::GroundStyle;
use serde_json::json;

use crate::terrain::{KINDS, Land, RISES};

/// The tools of the book's workshop.
#[must_use]
pub fn bench() -> Bench {
    Bench {
        ground: KINDS.split(", ").map(ground).collect(),
        rosters: Rosters {
            units: "units",
            unit_command: "under",
            unit_side: Some("side"),
            commands: "leaders",
            above: Some("above"),
            command_name: "leads",
            officers: "leaders",
            officer_command: None,
            contingents: None,
        },
        places: vec![
            PlaceWord {
                word: "objective",
                list: "objectives",
                of: false,
                key: "area",
                area: true,
                value: json!({ "name": "This place", "points": 6 }),
            },
            PlaceWord { word: "position", list: "positions", of: false, key: "area", area: true, value: json!({}) },
            PlaceWord { word: "deployment zone", list: "leaders", of: true, key: "zone", area: true, value: json!({}) },
        ],
        blank: include_str!("blank.toml"),
    }
}

fn ground(kind: &'static str) -> GroundWord {
    let land = Land::of(&GroundEntry { kind: kind.into(), ..GroundEntry::default() });
    let drawn = land.map_or(GroundStyle::Other, |land| land.style(kind));
    let (shape, traits): (GroundShape, Vec<&'static str>) = match kind {
        "hill" => (GroundShape::Area, [&["steep", "very steep", "high"], &RISES[..]].concat()),
        "wood" => (GroundShape::Area, vec!["open"]),
        "town" => (GroundShape::Area, vec!["fieldworks", "fortified"]),
        "stream" | "river" | "hedge" | "ditch" | "wall" | "obstacle" => {
            (GroundShape::Line, vec!["minor", "impassable", "anti-cavalry"])
        }
        "fieldworks" => (GroundShape::Line, vec!["defended left", "anti-cavalry"]),
        "fortifications" => (GroundShape::Line, vec!["defended left", "impassable", "anti-cavalry"]),
        "road" | "bridge" => (GroundShape::Line, Vec::new()),
        _ => (GroundShape::Area, Vec::new()),
    };
    let level = (kind == "hill").then_some(1);
    GroundWord { level, ..GroundWord::area(kind, drawn).shaped(shape).with(&traits) }
}
