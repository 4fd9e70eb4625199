//! What an umpire may set, read off the schema of a scenario, so that a client needs to know no fields.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value as Json;

use crate::ids::Named;
use crate::ruleset::Ruleset;
use crate::scenario::Scenario;
use crate::scenario::fields::{is_a, note, properties, resolved, words};

/// One thing that may be set on a unit, an officer or a command, or on where the battle stands.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema, ts_rs::TS)]
pub struct Adjustable {
    /// Its path, as an adjustment names it: `units.fr-1.staggers`.
    pub path: String,
    /// What it is called.
    pub label: String,
    /// What it is, in a sentence.
    pub note: String,
    /// How it is set.
    pub kind: AdjustableKind,
    /// The words to choose from, for a choice.
    pub of: Vec<String>,
    /// What it is now; null where nothing is said.
    #[ts(type = "unknown")]
    pub now: Json,
    /// The value that takes it off the table for good, where one does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "unknown")]
    pub removes: Option<Json>,
}

/// How something is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema, ts_rs::TS)]
#[serde(rename_all = "snake_case")]
pub enum AdjustableKind {
    /// By pointing at the table: `[x, y]` in the measure of the setting.
    Place,
    /// By turning: degrees clockwise from north.
    Heading,
    /// By choosing a word.
    Choice,
    /// By giving a number.
    Number,
    /// On or off.
    Flag,
}

/// What says who somebody is, and is not for an umpire to set in the middle of a battle.
const FIXED: [&str; 3] = ["id", "name", "side"];

/// The words by which scenarios say that somebody is gone for good, the first that a field knows being the plainest.
const GONE: [&str; 4] = ["destroyed", "shattered", "removed", "lost"];

impl Adjustable {
    /// All that a scenario can say of something, as far as it can be pointed at, chosen, counted or switched.
    #[must_use]
    pub fn of<R: Ruleset>(battle: &R::Battle, of: Option<Named>) -> Vec<Self> {
        let Some(of) = of else { return Self::of_the_battle::<R>(battle) };
        let Some((id, _)) = R::name(battle, of) else { return Vec::new() };
        let lists: &[&str] = match of {
            Named::Unit(_) => &["units"],
            Named::Officer(_) => &["officers", "generals", "leaders"],
            Named::Command(_) => &["commands", "brigades"],
            Named::Ground(_) => &[],
        };
        let saved = R::save(battle).to_json();
        let schema = Scenario::<R::Body>::schema();
        let schema = schema.as_value();
        for list in lists {
            let items = saved.get(list).and_then(Json::as_array).into_iter().flatten();
            let item = items.into_iter().find(|item| item.get("id").and_then(Json::as_str) == Some(&id));
            let described = property(schema, schema, list).and_then(|list| resolved(schema, list).get("items"));
            if let (Some(item), Some(described)) = (item, described) {
                let described = resolved(schema, described);
                let one = |(name, field): (&str, &Json)| {
                    let now = item.get(name).cloned().unwrap_or(Json::Null);
                    field_of(schema, field, format!("{list}.{id}.{name}"), name, now)
                };
                return properties(schema, described).filter_map(one).collect();
            }
        }
        Vec::new()
    }

    /// Where the battle stands: the turn, the phase, and whose it is. So an umpire gives somebody the decision.
    fn of_the_battle<R: Ruleset>(battle: &R::Battle) -> Vec<Self> {
        let saved = R::save(battle).to_json();
        let schema = Scenario::<R::Body>::schema();
        let schema = schema.as_value();
        let Some(described) = property(schema, schema, "state").map(|state| resolved(schema, state)) else {
            return Vec::new();
        };
        let sides = saved.get("sides").and_then(Json::as_array).into_iter().flatten();
        let sides: Vec<String> =
            sides.filter_map(|side| side.get("id").and_then(Json::as_str)).map(str::to_owned).collect();
        let one = |(name, field): (&str, &Json)| {
            let now = saved.get("state").and_then(|state| state.get(name)).cloned().unwrap_or(Json::Null);
            let path = format!("state.{name}");
            field_of(schema, field, path.clone(), name, now.clone()).or_else(|| {
                let (label, note) = (name.replace('_', " "), note(schema, field));
                let whose = note.to_lowercase().contains(OF_SIDE);
                let kind = AdjustableKind::Choice;
                whose.then(|| Self { path, label, note, kind, of: sides.clone(), now, removes: None })
            })
        };
        properties(schema, described).filter_map(one).collect()
    }
}

/// How a scenario's words say that a side is named by its id.
const OF_SIDE: &str = "the id of the side";

fn field_of(schema: &Json, field: &Json, path: String, name: &str, now: Json) -> Option<Adjustable> {
    if FIXED.contains(&name) {
        return None;
    }
    let inner = resolved(schema, field);
    let of: Vec<String> = words(inner).into_iter().map(str::to_owned).collect();
    let kind = if refers(field, "FilePoint") {
        AdjustableKind::Place
    } else if refers(field, "FileAngle") {
        AdjustableKind::Heading
    } else if !of.is_empty() {
        AdjustableKind::Choice
    } else if is_a(inner, "boolean") {
        AdjustableKind::Flag
    } else if is_a(inner, "integer") || is_a(inner, "number") {
        AdjustableKind::Number
    } else {
        return None;
    };
    let gone = GONE.iter().find(|gone| match kind {
        AdjustableKind::Choice => of.iter().any(|word| word == *gone),
        AdjustableKind::Flag => name == **gone,
        _ => false,
    });
    let removes = gone.map(|gone| if kind == AdjustableKind::Flag { Json::Bool(true) } else { (*gone).into() });
    let note = note(schema, field);
    Some(Adjustable { path, label: name.replace('_', " "), note, kind, of, now, removes })
}

/// Whether a field is of a type, or may be.
fn refers(field: &Json, to: &str) -> bool {
    let is = |one: &Json| {
        let target = one.get("$ref").and_then(Json::as_str);
        target.is_some_and(|target| target.rsplit('/').next() == Some(to))
    };
    is(field) || field.get("anyOf").and_then(Json::as_array).into_iter().flatten().any(is)
}

fn property<'a>(schema: &'a Json, of: &'a Json, name: &str) -> Option<&'a Json> {
    properties(schema, of).find(|(key, _)| *key == name).map(|(_, property)| property)
}
