//! Reads the ground of a scenario.

use sabretache_engine::decides;
use sabretache_engine::scenario::{Diagnostics, GroundEntry, Measure, Path};
use sabretache_table::{Angle, Feature, FeatureId, FeatureKind, FeatureShape, Heading, Length, Point, Pose};

use super::{Fordable, Kind, Sector, Sunk, Terrain};
use crate::clauses::{HZ_BLD_01, HZ_DIT_01, HZ_HED_01, HZ_HIL_01, HZ_TER_01, HZ_WAL_01};

/// The kinds of ground and the further words each of them knows.
pub(crate) const KINDS: &[(&str, &[&str])] = &[
    ("open", &[]),
    ("hill", &["gentle", "steep", "single_ridge", "no_ridge"]),
    ("ridge", &[]),
    ("broken", &[]),
    ("wood", &["light", "heavy"]),
    ("river", &["sunken", "impassable", "fordable", "infantry_and_cavalry", "cavalry_only"]),
    ("stream", &["sunken", "impassable", "fordable", "infantry_and_cavalry", "cavalry_only"]),
    ("bridge", &[]),
    ("ford", &[]),
    ("hedge", &["low", "high", "cavalry_engages"]),
    ("wall", &["low", "high", "cavalry_engages"]),
    ("redoubt", &["front_left", "front_right"]),
    ("ditch", &["shallow", "deep", "cavalry_engages"]),
    ("trench", &["shallow", "deep", "cavalry_engages"]),
    ("sunken_road", &["shallow", "deep", "cavalry_engages"]),
    ("cliff", &["top_left", "top_right"]),
    ("lake", &[]),
    ("flood", &[]),
    ("marsh", &["passable", "dense"]),
    ("wolf_pits", &[]),
    ("road", &["closed_in"]),
    ("buildings", &["village", "town", "single", "strong_point"]),
    ("ruins", &[]),
    ("fortress_wall", &["inner_left", "inner_right", "trench", "deep_trench"]),
    ("breach", &["mined"]),
];

/// Kinds that are lines, and kinds that are areas; the others may be either.
pub(crate) const LINES: [&str; 7] = ["ridge", "hedge", "wall", "redoubt", "cliff", "road", "fortress_wall"];
pub(crate) const AREAS: [&str; 9] =
    ["hill", "broken", "wood", "lake", "marsh", "wolf_pits", "buildings", "ruins", "breach"];

/// Reads one piece of ground, reporting what it cannot be.
pub fn terrain(piece: &GroundEntry, n: usize, measure: Measure, report: &mut Diagnostics) -> Option<Terrain> {
    let at = Path::root().key("ground").item(n);
    decides!(HZ_TER_01);
    let Some((_, known)) = KINDS.iter().find(|(name, _)| *name == piece.kind) else {
        let names: Vec<&str> = KINDS.iter().map(|(name, _)| *name).collect();
        let help = format!("one of {}", names.join(", "));
        report.against(HZ_TER_01, at.key("kind"), format!("\"{}\" is no kind of terrain", piece.kind), help);
        return None;
    };
    for (i, word) in piece.traits.iter().enumerate() {
        decides!(HZ_WAL_01, HZ_HED_01, HZ_DIT_01);
        if !known.contains(&word.as_str()) {
            let help = if known.is_empty() { "leave it out".into() } else { format!("one of {}", known.join(", ")) };
            let says = format!("\"{word}\" means nothing of {}", piece.kind);
            report.against(HZ_TER_01, at.clone().key("traits").item(i), says, help);
        }
    }
    let has = |word: &str| piece.traits.iter().any(|trait_| trait_ == word);
    if LINES.contains(&piece.kind.as_str()) && piece.line.is_empty() {
        report.against(
            HZ_TER_01,
            at.clone().key("line"),
            format!("a {} is a line", piece.kind),
            "give its points as `line`",
        );
        return None;
    }
    if AREAS.contains(&piece.kind.as_str()) && piece.area.is_empty() {
        report.against(
            HZ_TER_01,
            at.clone().key("area"),
            format!("a {} is an area", piece.kind),
            "give its corners as `area`",
        );
        return None;
    }
    let ford = if has("impassable") {
        Fordable::Nobody
    } else if has("fordable") {
        Fordable::All
    } else if has("cavalry_only") {
        Fordable::Horse
    } else if has("infantry_and_cavalry") || piece.kind == "stream" {
        Fordable::FootAndHorse
    } else {
        Fordable::Nobody
    };
    let kind = match piece.kind.as_str() {
        "hill" => Kind::Hill { steep: has("steep") || piece.part_of.is_some(), outer: piece.part_of.is_none() },
        "ridge" => Kind::Ridge,
        "broken" => Kind::Broken,
        "wood" => Kind::Wood { heavy: has("heavy") },
        "river" | "stream" => Kind::Water { sunken: has("sunken"), ford },
        "bridge" | "ford" => Kind::Crossing,
        "hedge" => Kind::Hedge { high: has("high"), cavalry: has("cavalry_engages") },
        "wall" => Kind::Wall { high: has("high"), cavalry: has("cavalry_engages") },
        "redoubt" => Kind::Redoubt { front_left: !has("front_right") },
        "ditch" => Kind::Sunken { sort: Sunk::Ditch, deep: has("deep"), cavalry: has("cavalry_engages") },
        "trench" => Kind::Sunken { sort: Sunk::Trench, deep: has("deep"), cavalry: has("cavalry_engages") },
        "sunken_road" => Kind::Sunken { sort: Sunk::Road, deep: has("deep"), cavalry: has("cavalry_engages") },
        "cliff" => Kind::Cliff { top_left: !has("top_right") },
        "lake" | "flood" => Kind::Lake,
        "marsh" => Kind::Marsh { passable: has("passable"), dense: has("dense") },
        "wolf_pits" => Kind::WolfPits,
        "road" => Kind::Road { open: !has("closed_in") },
        "buildings" => Kind::Buildings { streets: !has("single") && !has("strong_point"), strong: has("strong_point") },
        "ruins" => Kind::Buildings { streets: false, strong: false },
        "fortress_wall" => Kind::Rampart {
            height: piece.level.unwrap_or(1).clamp(1, 9) as u8,
            trench: if has("deep_trench") { 2 } else { u8::from(has("trench")) },
            inner_left: !has("inner_right"),
        },
        "breach" => Kind::Breach { mined: has("mined") },
        _ => Kind::Open,
    };
    let level = match kind {
        Kind::Hill { outer, .. } => piece.level.unwrap_or(if outer { 1 } else { 2 }),
        Kind::Rampart { .. } => 0,
        _ => piece.level.unwrap_or(0),
    };
    if matches!(kind, Kind::Hill { .. }) && !(1..=9).contains(&level) {
        report.against(
            HZ_HIL_01,
            at.clone().key("level"),
            "a contour is of level 1 or more",
            "1 for the lowest, 2 for the next",
        );
    }
    let points: Vec<Point> = piece.area.iter().map(|&pair| measure.point(pair)).collect();
    let sector = if matches!(kind, Kind::Buildings { .. }) {
        decides!(HZ_BLD_01);
        let sector = rectangle(&points);
        if sector.is_none() {
            let help = "four corners, clockwise from the left end of its front, sides at right angles";
            report.against(HZ_BLD_01, at.key("area"), "a sector of buildings is a rectangle", help);
        }
        sector
    } else {
        None
    };
    Some(Terrain {
        kind,
        level,
        part_of: None,
        id: piece.id.clone().unwrap_or_else(|| format!("ground-{n}")),
        name: piece.name.clone(),
        sector,
        line: piece.line.iter().map(|&pair| measure.point(pair)).collect(),
    })
}

/// The rectangle that four corners make, its first side being the front; within a millimetre of right angles.
fn rectangle(corners: &[Point]) -> Option<Sector> {
    let [a, b, c, d] = corners else { return None };
    let front = b.v() - a.v();
    let turn = front.cross(c.v() - b.v());
    // Clockwise corners look outward to the left of the first side.
    let (left, right) = if turn < 0.0 { (a, b) } else { (b, a) };
    let (back_right, back_left) = if turn < 0.0 { (c, d) } else { (d, c) };
    let heading = Heading::toward(left.v(), right.v()) - Angle::QUARTER;
    let width = left.distance(*right);
    let depth = right.distance(*back_right);
    let middle = Point::rounded(left.v().toward(right.v(), 0.5));
    let pose = Pose::new(middle, heading);
    let expected = pose.local(-width.half(), -depth);
    let off = (expected - back_left.v()).length();
    (off <= 1_000.0 && width > Length::ZERO && depth > Length::ZERO).then_some(Sector { pose, width, depth })
}

/// The feature that the table keeps for a piece of ground.
pub fn feature(piece: &GroundEntry, terrain: &Terrain, n: usize, measure: Measure) -> Feature {
    let point = |pair| measure.point(pair);
    let shape = if piece.line.is_empty() {
        FeatureShape::Area {
            outer: piece.area.iter().map(|&pair| point(pair)).collect(),
            holes: piece.holes.iter().map(|hole| hole.iter().map(|&pair| point(pair)).collect()).collect(),
        }
    } else {
        FeatureShape::Line {
            points: terrain.line.clone(),
            width: piece.width.map_or(Length::ZERO, |width| measure.length(width)),
        }
    };
    Feature {
        id: FeatureId(n as u16),
        kind: FeatureKind::new(&piece.kind),
        name: piece.name.clone(),
        shape,
        level: terrain.level,
    }
}
