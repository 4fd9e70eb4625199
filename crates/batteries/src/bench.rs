//! What the workshop needs to know of the book: kinds of ground, lists of troops, an empty table.

use sabretache_engine::scenario::{Bench, GroundShape, GroundWord, MoreOfGround, PlaceWord, Rosters};
use serde_json::json;

use crate::terrain::{Kinds, NAMES};
use crate::view::drawn;

/// The tools of the book's workshop.
#[must_use]
pub fn bench() -> Bench {
    Bench {
        ground: NAMES.iter().map(|(word, kind)| ground(word, *kind)).collect(),
        rosters: Rosters {
            units: "units",
            unit_command: "brigade",
            unit_side: None,
            commands: "brigades",
            above: None,
            command_name: "name",
            officers: "generals",
            officer_command: Some("brigade"),
            contingents: None,
        },
        places: vec![
            PlaceWord {
                word: "objective",
                list: "objectives",
                of: false,
                key: "hold",
                area: false,
                value: json!({ "name": "This place", "radius": 4, "points": 1 }),
            },
            PlaceWord {
                word: "arrival",
                list: "brigades",
                of: true,
                key: "arrives.at",
                area: false,
                value: json!({ "turn": 2 }),
            },
        ],
        blank: include_str!("blank.toml"),
    }
}

fn ground(word: &'static str, kind: Kinds) -> GroundWord {
    let plain = GroundWord::area(word, drawn(kind, word));
    let shape = match kind {
        Kinds::Bridge | Kinds::Ford | Kinds::Town => GroundShape::Rectangle,
        Kinds::Wood | Kinds::Rough | Kinds::Hill | Kinds::Slope | Kinds::Ploughed => GroundShape::Area,
        Kinds::River | Kinds::LightWorks | Kinds::HeavyWorks => GroundShape::Either,
        _ => GroundShape::Line,
    };
    let width = match kind {
        Kinds::River => Some(2.0),
        Kinds::Road => Some(1.0),
        _ => None,
    };
    let value = match kind {
        Kinds::Slope => Some(json!({ "uphill": 0 })),
        Kinds::Town => Some(json!({ "capacity": 24 })),
        Kinds::LightWorks | Kinds::HeavyWorks | Kinds::CityWall => Some(json!({ "front": 0 })),
        _ => None,
    };
    let more = value.map(|value| MoreOfGround { list: "terrain", names: "ground", value });
    GroundWord { shape, width, level: (kind == Kinds::Hill).then_some(1), more, ..plain }
}
