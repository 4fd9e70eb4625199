//! What the workshop and the server say to each other.

use sabretache_engine::scenario::{Bench, Diagnostics};
use sabretache_engine::view::View;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use ts_rs::TS;

/// A scenario that can be opened.
#[derive(Clone, Debug, Serialize, TS)]
pub struct WorkFile {
    /// Its short name.
    pub name: String,
    /// Its title.
    pub title: String,
    /// The short name of its book.
    pub ruleset: String,
    /// Whether it is from the folder of one's own and not shipped.
    pub own: bool,
}

/// What a book gives its workshop.
#[derive(Clone, Debug, Serialize, TS)]
pub struct BookTools {
    /// Kinds of ground, lists of troops, places.
    pub bench: Bench,
    /// The JSON Schema of its scenarios.
    pub schema: Json,
    /// A scenario without troops to begin with.
    pub blank: String,
    /// Units to choose from, by nation and arm.
    pub templates: Vec<Template>,
}

/// A unit to choose from: as one of the shipped scenarios has it.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct Template {
    /// Whose troops: a contingent, a nation or a side.
    pub nation: String,
    /// The arm, in the book's word.
    pub arm: String,
    /// What sets it apart from others of its arm: `experienced, skirmish`.
    pub label: String,
    /// The name of a unit that is like it.
    pub like: String,
    /// The entry of a unit without id, name, command and place.
    #[ts(type = "Record<string, unknown>")]
    pub value: Json,
    /// The contingent that it needs, where the book has such; without its side.
    #[ts(type = "Record<string, unknown> | null")]
    pub contingent: Option<Json>,
}

/// A text to be looked at, after these edits.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct Looked {
    /// The scenario as TOML.
    pub text: String,
    /// What is changed first, in order.
    #[serde(default)]
    #[ts(as = "Option<Vec<Edit>>", optional)]
    pub edits: Vec<Edit>,
}

/// One change of a scenario. Paths are as diagnostics have them: `units[3].at`.
#[derive(Clone, Debug, PartialEq, Deserialize, TS)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Edit {
    /// Puts a value there, new or in place of the old one.
    Set {
        /// Where.
        path: String,
        /// What.
        to: Json,
    },
    /// Takes something away.
    Remove {
        /// What.
        path: String,
    },
    /// Adds an item at the end of a list, which is made where there is none.
    Add {
        /// The list.
        path: String,
        /// The item.
        value: Json,
    },
}

/// A scenario as it stands on the bench.
#[derive(Clone, Debug, Serialize, TS)]
pub struct Workpiece {
    /// Its text, edited.
    pub text: String,
    /// What it says; null where it is no TOML.
    #[ts(type = "Record<string, unknown> | null")]
    pub document: Json,
    /// Everything wrong or unusual.
    #[ts(
        type = "{ severity: 'error' | 'warning'; message: string; path: string; line?: number; help?: string; clause?: string; mend?: { path: string; to: unknown }[] }[]"
    )]
    pub diagnostics: Diagnostics,
    /// As much of the table as can be laid out.
    pub view: Option<View>,
    /// For each piece of ground in the view its place in the file.
    pub ground: Vec<usize>,
    /// What the units of each side are worth together, in the points of the computer players.
    #[ts(type = "[number, number]")]
    pub worth: [i32; 2],
}

/// An army list that comes with the program.
#[derive(Clone, Debug, Serialize, TS)]
pub struct ArmyFile {
    /// Its short name.
    pub name: String,
    /// What the battle is called.
    pub title: String,
    /// When it was fought.
    pub date: String,
}

/// An army list to be looked at.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct ArmyLooked {
    /// The list as TOML.
    pub text: String,
    /// What is changed first, in order.
    #[serde(default)]
    #[ts(as = "Option<Vec<Edit>>", optional)]
    pub edits: Vec<Edit>,
    /// What it is called in the scenarios that are written from it.
    pub name: String,
    /// The book under which the table is drawn.
    pub book: Option<String>,
}

/// An army list as it stands on the bench.
#[derive(Clone, Debug, Serialize, TS)]
pub struct ArmyPiece {
    /// Its text, edited.
    pub text: String,
    /// What it says; null where it is no TOML.
    #[ts(type = "Record<string, unknown> | null")]
    pub document: Json,
    /// Everything wrong with the list itself.
    #[ts(
        type = "{ severity: 'error' | 'warning'; message: string; path: string; line?: number; help?: string; clause?: string; mend?: { path: string; to: unknown }[] }[]"
    )]
    pub diagnostics: Diagnostics,
    /// The battle under each book; none while the list cannot be read.
    pub books: Vec<UnderBook>,
}

/// A list as the scenario of a book.
#[derive(Clone, Debug, Serialize, TS)]
pub struct UnderBook {
    /// The short name of the book.
    pub book: String,
    /// The scenario as TOML.
    pub text: String,
    /// What is wrong or unusual in it.
    #[ts(
        type = "{ severity: 'error' | 'warning'; message: string; path: string; line?: number; help?: string; clause?: string; mend?: { path: string; to: unknown }[] }[]"
    )]
    pub diagnostics: Diagnostics,
    /// The table, for the book that was asked for.
    pub view: Option<View>,
    /// What the units of each side are worth together, for that book.
    #[ts(type = "[number, number]")]
    pub worth: [i32; 2],
}
