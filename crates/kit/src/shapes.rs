//! What a view is drawn from: outlines, ground, sides and their colours.

use sabretache_engine::ids::Side;
use sabretache_engine::scenario::{GroundEntry, Measure, Path, Scenario};
use sabretache_engine::view::{GroundView, Setting, SideView};
use sabretache_table::{FeatureId, FeatureShape, GroundError, Length, Outline, Point};

/// The corners of each part of an outline.
#[must_use]
pub fn corners(outline: &impl Outline) -> Vec<Vec<Point>> {
    outline.parts().map(|part| part.corners.iter().map(|corner| Point::rounded(*corner)).collect()).collect()
}

/// The corners of each stand of an outline as views have them: front left first, clockwise.
#[must_use]
pub fn stands(outline: &impl Outline) -> Vec<Vec<Point>> {
    let mut rings = corners(outline);
    for ring in &mut rings {
        // The table goes the other way round, from the front right; the front left comes next.
        ring.reverse();
        let count = ring.len().max(1);
        ring.rotate_right(2 % count);
    }
    rings
}

/// Where a piece of ground lies.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lies {
    /// The outline of an area, and its holes.
    pub rings: Vec<Vec<Point>>,
    /// The points of a line; a spot has one.
    pub line: Vec<Point>,
    /// How wide a line is.
    pub width: Option<Length>,
}

impl Lies {
    /// As the table has it.
    #[must_use]
    pub fn of_feature(shape: &FeatureShape) -> Self {
        match shape {
            FeatureShape::Area { outer, holes } => {
                Self { rings: std::iter::once(outer).chain(holes).cloned().collect(), ..Self::default() }
            }
            FeatureShape::Line { points, width } => {
                Self { line: points.clone(), width: Some(*width), ..Self::default() }
            }
            FeatureShape::Spot { at, .. } => Self { line: vec![*at], ..Self::default() },
        }
    }

    /// As a file has it.
    #[must_use]
    pub fn of_entry(entry: &GroundEntry, measure: Measure) -> Self {
        let points = |pairs: &[_]| pairs.iter().map(|pair| measure.point(*pair)).collect::<Vec<Point>>();
        let rings = std::iter::once(&entry.area).chain(&entry.holes).filter(|ring| !ring.is_empty());
        Self {
            rings: rings.map(|ring| points(ring)).collect(),
            line: points(&entry.line),
            width: entry.width.map(|width| measure.length(width)),
        }
    }
}

/// Which piece of a file's ground cannot be laid, and why. Books number the pieces in the order of the file, and what they make
/// of them themselves after these.
#[must_use]
pub fn not_laid(ground: &[GroundEntry], error: &GroundError) -> (Path, String) {
    let all = Path::root().key("ground");
    let place = |id: FeatureId| {
        let n = usize::from(id.0);
        ground.get(n).map(|entry| all.clone().item(n).key(if entry.line.is_empty() { "area" } else { "line" }))
    };
    match error {
        GroundError::BadArea(id, why) => match place(*id) {
            Some(at) => (at, format!("this is the outline of no area: {why}")),
            None => (all, error.to_string()),
        },
        GroundError::TooFewPoints(id) => match place(*id) {
            Some(at) => (at, "too few of its points are different".into()),
            None => (all, error.to_string()),
        },
        GroundError::SameId(_) => (all, error.to_string()),
    }
}

/// The colour of a side: its own, or one of two that tell friend from foe.
#[must_use]
pub fn colour<B>(scenario: &Scenario<B>, side: Side) -> String {
    let own = scenario.sides.get(side.index()).and_then(|entry| entry.colour.clone());
    own.unwrap_or_else(|| ["#2d4a8f", "#b5382f"][side.index()].into())
}

/// The name of a side.
#[must_use]
pub fn side_name<B>(scenario: &Scenario<B>, side: Side) -> &str {
    scenario.sides.get(side.index()).map_or("", |entry| &entry.name)
}

/// What a view says of the scenario itself, with the ground that the book draws.
#[must_use]
pub fn setting<B>(scenario: &Scenario<B>, ruleset: &str, ground: Vec<GroundView>) -> Setting {
    let side = |side: Side| SideView { side, name: side_name(scenario, side).into(), colour: colour(scenario, side) };
    Setting {
        ruleset: ruleset.into(),
        title: scenario.title.clone(),
        date: scenario.date.clone(),
        place: scenario.place.clone(),
        summary: scenario.summary.clone(),
        rules: scenario.rules.clone(),
        measure: scenario.measure,
        width: scenario.measure.length(scenario.table.width),
        depth: scenario.measure.length(scenario.table.depth),
        sides: Side::BOTH.into_iter().map(side).collect(),
        ground,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sabretache_table::{Footprint, Heading, Placed, Pose};

    #[test]
    fn a_stand_is_told_from_its_front_left_clockwise() {
        let north = Pose::new(Point::cm(10, 10), Heading::NORTH);
        let placed = Placed::new(&Footprint::single(Length::cm(6), Length::cm(2)), north);
        let told = [Point::cm(7, 10), Point::cm(13, 10), Point::cm(13, 8), Point::cm(7, 8)];
        assert_eq!(stands(&placed), [told]);
    }
}
