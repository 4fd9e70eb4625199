//! What a maker of scenarios needs to know of a book beside its schema: the kinds of ground, where its troops are listed, what can be
//! put on the map, and an empty table to begin with.

use serde::Serialize;
use serde_json::Value as Json;
use ts_rs::TS;

use crate::view::GroundStyle;

/// The tools of a book's workshop.
#[derive(Clone, Debug, Serialize, TS)]
pub struct Bench {
    /// Every kind of ground that the book knows.
    pub ground: Vec<GroundWord>,
    /// Where units, commands and officers are listed.
    pub rosters: Rosters,
    /// What else has a place on the map: objectives, arrivals, zones.
    pub places: Vec<PlaceWord>,
    /// A scenario with a table and two armies, with no more troops than the book needs.
    #[serde(skip)]
    #[ts(skip)]
    pub blank: &'static str,
}

/// A kind of ground.
#[derive(Clone, Debug, Serialize, TS)]
pub struct GroundWord {
    /// The word in a file.
    pub kind: &'static str,
    /// How it is drawn.
    pub drawn: GroundStyle,
    /// What it is given by.
    pub shape: GroundShape,
    /// Further words that mean something of it.
    pub traits: Vec<&'static str>,
    /// How wide a line of it usually is, in the measure of the book's own empty table.
    pub width: Option<f64>,
    /// How high it is unless said otherwise.
    pub level: Option<i8>,
    /// What a piece of this kind has to be told in another list of the file.
    pub more: Option<MoreOfGround>,
}

/// What a piece of ground is given by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum GroundShape {
    /// Corners, in order.
    Area,
    /// Four corners at right angles.
    Rectangle,
    /// Points of a line.
    Line,
    /// Either.
    Either,
}

/// An entry of another list that goes with a piece of ground.
#[derive(Clone, Debug, Serialize, TS)]
pub struct MoreOfGround {
    /// The list.
    pub list: &'static str,
    /// The key that names the piece of ground by its id.
    pub names: &'static str,
    /// The rest of the entry.
    #[ts(type = "Record<string, unknown>")]
    pub value: Json,
}

/// Where a book lists its troops, and by which keys they name each other.
#[derive(Clone, Copy, Debug, Serialize, TS)]
pub struct Rosters {
    /// The list of units.
    pub units: &'static str,
    /// The key by which a unit names its command.
    pub unit_command: &'static str,
    /// The key by which a unit names its side, where it does.
    pub unit_side: Option<&'static str>,
    /// The list of commands.
    pub commands: &'static str,
    /// The key by which a command names the one above it, where there are such.
    pub above: Option<&'static str>,
    /// The key of a command's name.
    pub command_name: &'static str,
    /// The list of officers; the same as that of commands where an officer is his command.
    pub officers: &'static str,
    /// The key by which an officer names his command.
    pub officer_command: Option<&'static str>,
    /// The list of nations or contingents and the key by which a unit names its own, where the book has such.
    pub contingents: Option<(&'static str, &'static str)>,
}

/// Something that has a place on the map and is neither ground nor troops.
#[derive(Clone, Debug, Serialize, TS)]
pub struct PlaceWord {
    /// What it is, in a word or two.
    pub word: &'static str,
    /// The list that it is added to: `victory.objectives`. Where it is `of` something, the list of those.
    pub list: &'static str,
    /// Whether it is a part of something that is listed there already.
    pub of: bool,
    /// The key of its place: a point, or corners.
    pub key: &'static str,
    /// Whether its place is corners and not a point.
    pub area: bool,
    /// The rest of the entry, or of what holds the key where it is inside another: `arrives`.
    #[ts(type = "Record<string, unknown>")]
    pub value: Json,
}

impl GroundWord {
    /// A kind of ground that is an area.
    #[must_use]
    pub fn area(kind: &'static str, drawn: GroundStyle) -> Self {
        Self { kind, drawn, shape: GroundShape::Area, traits: Vec::new(), width: None, level: None, more: None }
    }

    /// A kind of ground that is a line, usually so wide.
    #[must_use]
    pub fn line(kind: &'static str, drawn: GroundStyle, width: f64) -> Self {
        let width = (width > 0.0).then_some(width);
        Self { shape: GroundShape::Line, width, ..Self::area(kind, drawn) }
    }

    /// With these further words.
    #[must_use]
    pub fn with(self, traits: &[&'static str]) -> Self {
        Self { traits: traits.to_vec(), ..self }
    }

    /// Given by another shape.
    #[must_use]
    pub fn shaped(self, shape: GroundShape) -> Self {
        Self { shape, ..self }
    }
}
