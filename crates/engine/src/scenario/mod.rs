//! A scenario file: ground, armies, options, victory. It can describe any position, mid-battle included.

mod area;
mod bench;
mod diagnostics;
mod document;
pub mod fields;
mod measure;
mod numbers;
mod objective;
mod schema;
pub(crate) mod thorough;
mod unlikely;

use std::collections::BTreeMap;
use std::sync::Arc;

use sabretache_table::Unit;
use schemars::{JsonSchema, Schema};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

pub use area::area_meets;
pub use bench::{Bench, GroundShape, GroundWord, MoreOfGround, PlaceWord, Rosters};
pub use diagnostics::{Change, Diagnostic, Diagnostics, Path, Severity, Step};
pub use document::Document;
pub use measure::{FileAngle, FileLength, FilePoint, Measure};
pub use numbers::{NumberValue, with_overrides};
pub use objective::{Asked, EdgeWord, ObjectiveEntry, turns_of};
pub(crate) use schema::Shape;

/// Reads a file of another kind than a scenario, such as an army list, with the same care: everything in which it departs from
/// the schema of its type is told at once, with the words that are allowed and the nearest of them.
pub fn read_shaped<T: DeserializeOwned + JsonSchema + 'static>(document: &Document) -> Result<T, Diagnostics> {
    let mut report = Shape::for_type::<T>(|| schemars::schema_for!(T)).validate(&document.json);
    if report.is_empty() {
        match serde_json::from_value(document.json.clone()) {
            Ok(read) => return Ok(read),
            Err(error) => report.error(Path::root(), error.to_string()),
        }
    }
    document.place(&mut report);
    Err(report)
}

/// A scenario: what every book needs, and in `body` what this book adds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Scenario<B> {
    /// The book it is fought under.
    pub ruleset: String,
    /// What it is called.
    pub title: String,
    /// When it was fought, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// Where.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// What it is about, in a few sentences.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// About how long it takes to play, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<String>,
    /// Where the facts come from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<String>,
    /// What is our own judgement, and anything else worth knowing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Special rules of this battle in words, shown to both sides: what weather, ground or orders allow. What changes a number of the book
    /// stands in `numbers` as well.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<String>,
    /// How it is begun as a first battle to learn the book by; only in a scenario that is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lesson: Option<LessonEntry>,
    /// What somebody at a beginner's elbow says, and when. It changes nothing in the battle.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub coach: Vec<CoachEntry>,
    /// What the numbers of the file measure in.
    pub measure: Measure,
    /// The table.
    pub table: TableSize,
    /// The two sides, A first.
    #[schemars(length(min = 2, max = 2))]
    pub sides: Vec<SideEntry>,
    /// The ground on the table.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ground: Vec<GroundEntry>,
    /// Numbers of the book that this scenario changes: `"HZ-ZON-01.infantry.line" = "20cm"`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub numbers: BTreeMap<String, NumberValue>,
    /// What this book adds.
    #[serde(flatten)]
    pub body: B,
}

/// A scenario as a first lesson.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LessonEntry {
    /// The side that the beginner has, by its id.
    pub side: String,
    /// What is changed for the lesson, as one changes a scenario before a battle: `options.first=fr`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub set: Vec<String>,
}

/// One thing that the coach says. Of all that fit a moment the first one is said that was not said before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
pub struct CoachEntry {
    /// Only in this turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub turn: Option<u16>,
    /// Only when the phase, or the question asked, has these words in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub when: Option<String>,
    /// What it says, in a sentence or two.
    pub says: String,
    /// What it points at: units and officers, by their ids.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<String>>", optional)]
    pub points: Vec<String>,
}

/// How large the table is. The south-west corner is `[0, 0]`; x runs east, y north.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TableSize {
    /// From west to east.
    pub width: FileLength,
    /// From south to north.
    pub depth: FileLength,
}

/// One of the two sides.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SideEntry {
    /// A short name without spaces, by which the file refers to it.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its colour on the map, where units do not give their own: `#b5382f`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub colour: Option<String>,
}

/// A piece of ground. It has either an area or a line.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct GroundEntry {
    /// What it is; the book says which kinds there are.
    #[schemars(required)]
    pub kind: String,
    /// A short name by which the file refers to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Its name on the map.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The corners of an area, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub area: Vec<FilePoint>,
    /// Holes in the area.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub holes: Vec<Vec<FilePoint>>,
    /// The points of a line, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub line: Vec<FilePoint>,
    /// How wide the line is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub width: Option<FileLength>,
    /// How high the ground is, in levels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<i8>,
    /// Further words about it that the book gives a meaning to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub traits: Vec<String>,
    /// The larger thing it is part of: the strong point of a sector, the wall of a breach.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part_of: Option<String>,
}

impl<B: Serialize + DeserializeOwned + JsonSchema + 'static> Scenario<B> {
    /// The JSON Schema of this book's scenarios, for editors.
    #[must_use]
    pub fn schema() -> Schema {
        Self::shape().schema.clone()
    }

    pub(crate) fn shape() -> Arc<Shape> {
        Shape::for_type::<Self>(|| {
            let mut schema = schemars::schema_for!(Self);
            // Serde cannot refuse unknown keys beside a flattened body, so the schema does.
            schema.insert("additionalProperties".into(), false.into());
            schema
        })
    }

    /// Reads a scenario from its JSON form: first its shape, everything that is wrong at once, then what no schema says.
    pub fn read(json: &serde_json::Value) -> Result<Self, Diagnostics> {
        let mut report = Self::shape().validate(json);
        report.clean()?;
        let scenario: Self = serde_json::from_value(json.clone()).map_err(|error| {
            report.error(Path::root(), error.to_string());
            report.clone()
        })?;
        scenario.check(&mut report);
        report.clean()?;
        Ok(scenario)
    }

    /// The scenario as JSON.
    #[must_use]
    pub fn to_json(&self) -> serde_json::Value {
        serde_json::to_value(self).unwrap_or_default()
    }

    /// The scenario as a TOML file.
    pub fn to_toml(&self) -> Result<String, toml::ser::Error> {
        toml::to_string(self)
    }

    fn check(&self, report: &mut Diagnostics) {
        let positive = |length: FileLength| length.0 > 0.0 && length.0 <= self.measure.largest();
        let table = Path::root().key("table");
        for (key, length) in [("width", self.table.width), ("depth", self.table.depth)] {
            if !positive(length) {
                report.error(table.clone().key(key), "a table is wider and deeper than nothing, and under a kilometre");
            }
        }
        if self.sides.len() == 2 && self.sides[0].id == self.sides[1].id {
            report.error(Path::root().key("sides").item(1).key("id"), "both sides have the same id");
        }
        if let Some(lesson) = &self.lesson
            && !self.sides.iter().any(|side| side.id == lesson.side)
        {
            report.error(Path::root().key("lesson").key("side"), format!("there is no side '{}'", lesson.side));
        }
        for (n, piece) in self.ground.iter().enumerate() {
            self.check_ground(piece, Path::root().key("ground").item(n), report);
        }
    }

    fn check_ground(&self, piece: &GroundEntry, at: Path, report: &mut Diagnostics) {
        match (piece.area.len(), piece.line.len()) {
            (0, 0) => report.error(at.clone(), "a piece of ground needs an `area` or a `line`"),
            (1.., 1..) => report.error(at.clone().key("line"), "a piece of ground is an `area` or a `line`, not both"),
            (1 | 2, 0) => report.error(at.clone().key("area"), "an area has three corners or more"),
            (0, 1) => report.error(at.clone().key("line"), "a line has two points or more"),
            _ => {}
        }
        let points = [("area", &piece.area), ("line", &piece.line)];
        for (key, points) in points {
            for (n, point) in points.iter().enumerate() {
                if point.0.iter().any(|x| x.abs() > self.measure.largest()) {
                    report.error(at.clone().key(key).item(n), "a point is within a kilometre of the table's corner");
                }
            }
        }
        if piece.width.is_some_and(|width| width.0 <= 0.0 || width.0 > self.measure.largest()) {
            report.error(at.key("width"), "a width is more than nothing");
        }
    }

    /// The book's unit of the file's numbers.
    #[must_use]
    pub fn unit(&self) -> Unit {
        self.measure.unit()
    }
}
