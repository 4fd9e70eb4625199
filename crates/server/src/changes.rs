//! What can be changed in a scenario before it is fought, read off the schema of its book.

use sabretache_engine::clause::{Book, Clause};
use serde_json::Value as Json;

use crate::messages::{ChangeEntry, ChangeKind, Changes};

/// What every scenario has, whatever its book: what it is, and no option.
const NO_OPTIONS: [&str; 17] = [
    "ruleset", "title", "date", "place", "summary", "length", "sources", "notes", "rules", "measure", "table", "sides",
    "ground", "numbers", "state", "lesson", "coach",
];

/// The options of a scenario and the numbers of its book.
pub(crate) fn of(book: &Book, schema: &Json, scenario: &Json, numbers: &Json) -> Changes {
    let mut options = Vec::new();
    for (key, property) in properties(schema, schema).filter(|(key, _)| !NO_OPTIONS.contains(key)) {
        let inner = resolved(schema, property);
        if key == "options" {
            let given = scenario.get(key).unwrap_or(&Json::Null);
            let below = properties(schema, inner);
            options.extend(
                below.filter_map(|(name, one)| option(schema, one, &format!("options.{name}"), given.get(name))),
            );
        } else {
            options.extend(option(schema, property, key, scenario.get(key)));
        }
    }
    let mut leaves = Vec::new();
    name_leaves(numbers, String::new(), &mut leaves);
    let changed = scenario.get("numbers").unwrap_or(&Json::Null);
    let number = |(name, value): (String, &Json)| {
        let clause = name.split('.').next().and_then(Clause::parse).and_then(|clause| book.find(clause));
        let value = changed.get(&name).unwrap_or(value);
        let kind = if value.is_boolean() { ChangeKind::Switch } else { ChangeKind::Text };
        let note = clause.map_or(String::new(), |clause| clause.title.to_owned());
        ChangeEntry { name, note, kind, choices: Vec::new(), value: as_text(value) }
    };
    Changes { options, numbers: leaves.into_iter().map(number).collect() }
}

fn properties<'a>(schema: &'a Json, of: &'a Json) -> impl Iterator<Item = (&'a str, &'a Json)> {
    let own = of.get("properties").and_then(Json::as_object);
    // A flattened part of a type stands beside its own properties.
    let parts = of.get("allOf").and_then(Json::as_array).into_iter().flatten();
    let parts = parts.filter_map(move |part| resolved(schema, part).get("properties")?.as_object());
    own.into_iter().chain(parts).flatten().map(|(key, property)| (key.as_str(), property))
}

/// Follows a reference, and takes what may be left out for what it is when it is there.
fn resolved<'a>(schema: &'a Json, property: &'a Json) -> &'a Json {
    if let Some(target) = property.get("$ref").and_then(Json::as_str) {
        return target.strip_prefix('#').and_then(|pointer| schema.pointer(pointer)).unwrap_or(property);
    }
    let alternatives = property.get("anyOf").and_then(Json::as_array);
    let there =
        alternatives.and_then(|all| all.iter().find(|one| one.get("type").and_then(Json::as_str) != Some("null")));
    there.map_or(property, |there| resolved(schema, there))
}

fn option(schema: &Json, property: &Json, name: &str, given: Option<&Json>) -> Option<ChangeEntry> {
    // An older word is offered only where the file has it.
    if property.get("deprecated") == Some(&Json::Bool(true)) && given.is_none() {
        return None;
    }
    let inner = resolved(schema, property);
    let choices = words(inner);
    let is = |wanted: &str| match inner.get("type") {
        Some(Json::String(kind)) => kind == wanted,
        Some(Json::Array(kinds)) => kinds.iter().any(|kind| kind == wanted),
        _ => false,
    };
    let kind = if !choices.is_empty() {
        ChangeKind::Choice
    } else if is("boolean") {
        ChangeKind::Switch
    } else if is("integer") || is("number") {
        ChangeKind::Number
    } else if is("string") {
        ChangeKind::Text
    } else {
        return None;
    };
    let value = given.or_else(|| property.get("default")).or_else(|| inner.get("default"));
    let described = property.get("description").or_else(|| inner.get("description")).and_then(Json::as_str);
    Some(ChangeEntry {
        name: name.to_owned(),
        note: described.unwrap_or_default().replace('\n', " "),
        kind,
        choices,
        value: value.map_or(String::new(), as_text),
    })
}

/// The words that an enumeration allows.
fn words(inner: &Json) -> Vec<String> {
    let listed = inner.get("enum").and_then(Json::as_array).into_iter().flatten();
    let described = inner.get("oneOf").and_then(Json::as_array).into_iter().flatten();
    let constants = described.flat_map(|one| {
        let many = one.get("enum").and_then(Json::as_array).into_iter().flatten();
        one.get("const").into_iter().chain(many)
    });
    listed.chain(constants).filter_map(Json::as_str).map(str::to_owned).collect()
}

fn as_text(value: &Json) -> String {
    match value {
        Json::Null => String::new(),
        Json::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn name_leaves<'a>(tree: &'a Json, prefix: String, leaves: &mut Vec<(String, &'a Json)>) {
    let dotted = |step: &str| if prefix.is_empty() { step.to_owned() } else { format!("{prefix}.{step}") };
    match tree {
        Json::Object(map) => map.iter().for_each(|(key, value)| name_leaves(value, dotted(key), leaves)),
        Json::Array(items) => {
            items.iter().enumerate().for_each(|(n, value)| name_leaves(value, dotted(&n.to_string()), leaves));
        }
        Json::Null => {}
        _ => leaves.push((prefix, tree)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sabretache_engine::erased::{AnyRuleset as _, Erased};
    use sabretache_picket::Picket;
    use serde_json::json;

    #[test]
    fn options_and_numbers_are_read_off_the_schema() {
        let ruleset = Erased::<Picket>::RULESET;
        let numbers = serde_json::to_value(sabretache_picket::numbers::Numbers::default()).unwrap();
        let scenario = json!({ "turns": 6, "numbers": { "PK-VOL-02.dice": 4 } });
        let changes = of(ruleset.book(), ruleset.schema().as_value(), &scenario, &numbers);
        let turns = changes.options.iter().find(|one| one.name == "turns").unwrap();
        assert_eq!((turns.kind, turns.value.as_str()), (ChangeKind::Number, "6"));
        assert!(changes.options.iter().all(|one| one.name != "title" && one.name != "units"), "{changes:?}");
        let dice = changes.numbers.iter().find(|one| one.name == "PK-VOL-02.dice").unwrap();
        assert_eq!(dice.value, "4");
        assert!(!dice.note.is_empty());
    }

    #[test]
    fn a_table_of_options_is_opened_and_references_are_followed() {
        let schema = json!({
            "properties": { "options": { "$ref": "#/$defs/Options" }, "units": { "type": "array" } },
            "$defs": {
                "Options": { "properties": {
                    "siege": { "description": "A siege.", "type": "boolean", "default": false },
                    "kind": { "anyOf": [{ "$ref": "#/$defs/Kind" }, { "type": "null" }] },
                    "flank": { "type": "object" },
                } },
                "Kind": { "oneOf": [{ "const": "assault" }, { "const": "encounter" }] },
            },
        });
        let book = Erased::<Picket>::RULESET.book();
        let changes = of(book, &schema, &json!({ "options": { "siege": true } }), &Json::Null);
        let told: Vec<_> =
            changes.options.iter().map(|one| (one.name.as_str(), one.kind, one.value.as_str())).collect();
        assert_eq!(told, [("options.siege", ChangeKind::Switch, "true"), ("options.kind", ChangeKind::Choice, "")]);
        assert_eq!(changes.options[1].choices, ["assault", "encounter"]);
    }
}
