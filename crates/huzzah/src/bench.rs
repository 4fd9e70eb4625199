//! What the workshop needs to know of the book: kinds of ground, lists of troops, an empty table.

use sabretache_engine::scenario::{
    Bench, Diagnostics, FilePoint, GroundEntry, GroundShape, GroundWord, Measure, PlaceWord, Rosters,
};
use sabretache_engine::view::GroundStyle;
use serde_json::json;

use crate::terrain::read::{AREAS, KINDS, LINES, terrain};
use crate::view::style;

/// The tools of the book's workshop.
#[must_use]
pub fn bench() -> Bench {
    Bench {
        ground: KINDS.iter().map(|(kind, traits)| word(kind, traits)).collect(),
        rosters: Rosters {
            units: "units",
            unit_command: "command",
            unit_side: None,
            commands: "commands",
            above: Some("part_of"),
            command_name: "name",
            officers: "officers",
            officer_command: Some("command"),
            contingents: Some(("contingents", "contingent")),
        },
        places: vec![
            PlaceWord {
                word: "objective",
                list: "objectives",
                of: false,
                key: "hold",
                area: false,
                value: json!({ "name": "this place", "points": 1 }),
            },
            PlaceWord {
                word: "arrival",
                list: "commands",
                of: true,
                key: "arrives.at",
                area: false,
                value: json!({ "turn": 2 }),
            },
            PlaceWord {
                word: "line of communication",
                list: "commands",
                of: true,
                key: "communication",
                area: false,
                value: json!({}),
            },
        ],
        blank: include_str!("blank.toml"),
    }
}

fn word(kind: &'static str, traits: &[&'static str]) -> GroundWord {
    let point = |x: f64, y: f64| FilePoint([x, y]);
    let piece = GroundEntry {
        kind: kind.into(),
        area: vec![point(0.0, 10.0), point(10.0, 10.0), point(10.0, 0.0), point(0.0, 0.0)],
        line: vec![point(0.0, 0.0), point(10.0, 0.0)],
        ..GroundEntry::default()
    };
    // As it is read, so that it is drawn as it will be.
    let drawn =
        terrain(&piece, 0, Measure::Cm, &mut Diagnostics::new()).map_or(GroundStyle::Other, |read| style(&read));
    let shape = match kind {
        "buildings" | "ruins" | "bridge" | "ford" => GroundShape::Rectangle,
        _ if LINES.contains(&kind) => GroundShape::Line,
        _ if AREAS.contains(&kind) => GroundShape::Area,
        _ => GroundShape::Either,
    };
    let width = match kind {
        "river" => Some(6.0),
        "stream" | "road" | "sunken_road" | "ditch" | "trench" => Some(2.0),
        _ => None,
    };
    GroundWord { shape, width, ..GroundWord::area(kind, drawn).with(traits) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_ground_is_offered_and_drawn() {
        let bench = bench();
        assert_eq!(bench.ground.len(), KINDS.len());
        assert!(bench.ground.iter().all(|word| word.drawn != GroundStyle::Other), "{:?}", bench.ground);
    }
}
