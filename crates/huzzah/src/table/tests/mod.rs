//! The geometry of the clauses, on their own examples.

mod bearings;
mod by_place;
mod moves;
mod zones;

use sabretache_engine::ids::UnitId;
use sabretache_engine::scenario::{Diagnostics, Document, Scenario};

use crate::battle::Battle;
use crate::body::Body;

/// A unit for a test: id (its first letter is its side, a or b), arm and formation, the middle of its footprint, the way it faces,
/// and further lines for the file.
struct Piece(&'static str, &'static str, &'static str, f64, f64, f64, &'static str);

fn infantry(id: &'static str, formation: &'static str, x: f64, y: f64, facing: f64) -> Piece {
    Piece(id, "infantry", formation, x, y, facing, "")
}

/// A battle with these units on a table 200 cm square whose middle is the origin, all in metre15 basing.
fn battle_with(pieces: &[Piece], ground: &str, options: &str) -> Battle {
    let mut text = format!(
        r#"
ruleset = "huzzah"
title = "test"
measure = "cm"
table = {{ width = 400, depth = 400 }}
sides = [{{ id = "a", name = "A" }}, {{ id = "b", name = "B" }}]
options = {{ first = "a", basing = "metre15" {options} }}
armies = [{{ id = "a", skirmish = "average", baseline = "south" }}, {{ id = "b", skirmish = "average", baseline = "north" }}]
contingents = [{{ id = "ca", name = "CA", side = "a", bombardment_factor = 3 }}, {{ id = "cb", name = "CB", side = "b", bombardment_factor = 3 }}]
commands = [
  {{ id = "aa", name = "AA", side = "a", level = "army" }}, {{ id = "a1", name = "A1", side = "a", level = "brigade", part_of = "aa" }},
  {{ id = "bb", name = "BB", side = "b", level = "army" }}, {{ id = "b1", name = "B1", side = "b", level = "brigade", part_of = "bb" }},
]
officers = [
  {{ id = "oa", name = "OA", command = "aa", ability = "average", at = [10, 10] }}, {{ id = "oa1", name = "OA1", command = "a1", ability = "average", at = [14, 10] }},
  {{ id = "ob", name = "OB", command = "bb", ability = "average", at = [10, 390] }}, {{ id = "ob1", name = "OB1", command = "b1", ability = "average", at = [14, 390] }},
]
{ground}
"#
    );
    for Piece(id, arm, formation, x, y, facing, more) in pieces {
        let stands = if *arm == "artillery" { 2.0 } else { 4.0 };
        let depth = match (*arm, *formation) {
            ("infantry", "column" | "mob") => 3.0,
            ("infantry", "square") => 4.5,
            ("infantry", "march_column") => 6.0,
            ("infantry", _) => 1.5,
            ("cavalry", "column") => 6.0,
            ("cavalry", "march_column") => 3.0 * stands,
            ("cavalry", _) => 3.0,
            ("artillery", "march_column") => 4.0 * stands,
            _ => 4.0,
        };
        let angle = facing.to_radians();
        let (fx, fy) = (x + angle.sin() * depth / 2.0 + 200.0, y + angle.cos() * depth / 2.0 + 200.0);
        let side = &id[..1];
        text += &format!(
            "\n[[units]]\nid = \"{id}\"\nname = \"{id}\"\ncommand = \"{side}1\"\narm = \"{arm}\"\nquality = \"trained\"\nformation = \"{formation}\"\nat = [{fx}, {fy}]\nfacing = {facing}\n{more}\n"
        );
    }
    let document = Document::parse("test.toml", text).unwrap();
    let scenario = Scenario::<Body>::read(&document.json).unwrap_or_else(|report| panic!("{report}"));
    let mut report = Diagnostics::new();
    crate::muster::muster(&scenario, &mut report).unwrap_or_else(|| panic!("{report}"))
}

fn battle(pieces: &[Piece]) -> Battle {
    battle_with(pieces, "", "")
}

const FIRST: UnitId = UnitId(0);
const SECOND: UnitId = UnitId(1);
const THIRD: UnitId = UnitId(2);
