//! What a battle is about, in words that mean the same in every book. How a book counts each of them, its own clauses say.

use sabretache_table::Edge;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::{Diagnostics, FileLength, FilePoint, Path, SideEntry};

/// Something that a side is to do: exactly one of `hold`, `area`, `break`, `break_units`, `exit` and `take_guns`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ObjectiveEntry {
    /// A short name without spaces.
    pub id: String,
    /// What it is, in words.
    pub name: String,
    /// The side it is good for; either side where it is not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<String>,
    /// How many points it is worth.
    #[serde(default = "one")]
    pub points: i32,
    /// It wins the battle as soon as it is reached, and not only by points at the end.
    #[serde(default, skip_serializing_if = "is_off")]
    pub at_once: bool,
    /// A place to be held: the side has troops there that count, and the enemy has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hold: Option<FilePoint>,
    /// How near to `hold` counts, where it is not as the book has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radius: Option<FileLength>,
    /// The corners of an area to be held.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 64))]
    pub area: Vec<FilePoint>,
    /// The id of the side that has a place as the battle begins, and keeps it until the enemy has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_by: Option<String>,
    /// An older word for `held_by`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("deprecated" = true))]
    pub held: Option<String>,
    /// The id of a command of the enemy's that is to be broken: a command, a brigade, or the leader of a wing.
    #[serde(default, rename = "break", skip_serializing_if = "Option::is_none")]
    pub break_command: Option<String>,
    /// So many units of the enemy's are to be broken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub break_units: Option<u16>,
    /// So many of the side's own units are to leave the table in good order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit: Option<u16>,
    /// The edge to leave by: `north`, `east`, `south` or `west`; any edge where the book lets units go as they like.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edge: Option<EdgeWord>,
    /// So many of the enemy's guns are to be taken: batteries, or single guns where the book has them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub take_guns: Option<u16>,
}

fn one() -> i32 {
    1
}

fn is_off(yes: &bool) -> bool {
    !yes
}

/// An edge of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EdgeWord {
    /// The far edge.
    North,
    /// The right edge.
    East,
    /// The near edge.
    South,
    /// The left edge.
    West,
}

impl From<EdgeWord> for Edge {
    fn from(word: EdgeWord) -> Self {
        match word {
            EdgeWord::North => Self::North,
            EdgeWord::East => Self::East,
            EdgeWord::South => Self::South,
            EdgeWord::West => Self::West,
        }
    }
}

/// What an objective asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Asked<'a> {
    /// This place is held, or as near to it as is given.
    Hold(FilePoint, Option<FileLength>),
    /// This area is held.
    Area(&'a [FilePoint]),
    /// This command is broken.
    Break(&'a str),
    /// So many units are broken.
    BreakUnits(u16),
    /// So many units are away, by this edge where one is given.
    Exit(u16, Option<EdgeWord>),
    /// So many guns are taken.
    TakeGuns(u16),
}

impl ObjectiveEntry {
    /// What it asks for; nothing where it asks for nothing or for several things.
    #[must_use]
    pub fn asked(&self) -> Option<Asked<'_>> {
        let area = (!self.area.is_empty()).then_some(Asked::Area(&self.area));
        let all = [
            self.hold.map(|at| Asked::Hold(at, self.radius)),
            area,
            self.break_command.as_deref().map(Asked::Break),
            self.break_units.map(Asked::BreakUnits),
            self.exit.map(|count| Asked::Exit(count, self.edge)),
            self.take_guns.map(Asked::TakeGuns),
        ];
        let mut asked = all.into_iter().flatten();
        asked.next().filter(|_| asked.next().is_none())
    }

    /// The side that has it as the battle begins.
    #[must_use]
    pub fn holder(&self) -> Option<&str> {
        self.held_by.as_deref().or(self.held.as_deref())
    }

    /// Whether it is a place.
    #[must_use]
    pub fn is_place(&self) -> bool {
        self.hold.is_some() || !self.area.is_empty()
    }

    /// What is wrong with it in every book: it asks for one thing, of sides that there are.
    pub fn check(&self, at: &Path, sides: &[SideEntry], report: &mut Diagnostics) {
        let known: Vec<&str> = sides.iter().map(|side| side.id.as_str()).collect();
        for (key, id) in [("side", &self.side), ("held_by", &self.held_by), ("held", &self.held)] {
            if let Some(id) = id.as_ref().filter(|id| !known.contains(&id.as_str())) {
                let says = format!("there is no side '{id}'");
                report.error_with_help(at.clone().key(key), says, format!("one of {}", known.join(", ")));
            }
        }
        if self.asked().is_none() {
            let help = "exactly one of `hold`, `area`, `break`, `break_units`, `exit`, `take_guns`";
            report.error_with_help(at.clone(), "an objective asks for one thing", help);
        } else if !self.area.is_empty() && self.area.len() < 3 {
            report.error_with_help(at.clone().key("area"), "an area has three corners at the least", "add a corner");
        } else if self.radius.is_some() && self.hold.is_none() {
            report.error_with_help(at.clone().key("radius"), "only `hold` has a radius", "leave it out");
        } else if self.held_by.is_some() && !self.is_place() {
            report.error_with_help(at.clone(), "only a place is held by somebody", "leave out `held_by`");
        }
        if self.edge.is_some() && self.exit.is_none() {
            report.error_with_help(at.clone().key("edge"), "only `exit` has an edge", "leave it out");
        }
        if self.held.is_some() && self.held_by.is_some() {
            report.error_with_help(at.clone().key("held"), "`held` and `held_by` mean the same", "leave out `held`");
        }
    }
}

/// The turns that a file says a battle lasts, in any book: `turns`, or in older files `options.turns`.
#[must_use]
pub fn turns_of(file: &Json) -> Option<u64> {
    file["turns"].as_u64().or(file["options"]["turns"].as_u64())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn told(entry: Json) -> String {
        let entry: ObjectiveEntry = serde_json::from_value(entry).unwrap();
        let side = |id: &str| SideEntry { id: id.to_owned(), name: id.to_owned(), colour: None };
        let mut report = Diagnostics::new();
        entry.check(&Path::root(), &[side("red"), side("blue")], &mut report);
        report.to_string()
    }

    #[test]
    fn an_objective_asks_for_one_thing_of_sides_that_there_are() {
        assert_eq!(told(json!({ "id": "a", "name": "The mill", "hold": [3, 4], "radius": 2, "held_by": "red" })), "");
        assert_eq!(
            told(json!({ "id": "a", "name": "Old", "area": [[0, 0], [1, 0], [1, 1]], "points": 3, "held": "red" })),
            ""
        );
        assert!(told(json!({ "id": "a", "name": "Nothing" })).contains("asks for one thing"));
        assert!(told(json!({ "id": "a", "name": "Both", "exit": 2, "take_guns": 1 })).contains("asks for one thing"));
        assert!(told(json!({ "id": "a", "name": "Whose", "exit": 2, "side": "green" })).contains("one of red, blue"));
        assert!(told(json!({ "id": "a", "name": "Guns", "take_guns": 1, "held_by": "red" })).contains("only a place"));
    }
}
