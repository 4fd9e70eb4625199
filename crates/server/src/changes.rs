//! What can be changed in a scenario before it is fought, read off the schema of its book.

use sabretache_engine::clause::{Book, Clause};
use sabretache_engine::scenario::fields::{is_a, note, properties, resolved, words};
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

fn option(schema: &Json, property: &Json, name: &str, given: Option<&Json>) -> Option<ChangeEntry> {
    // An older word is offered only where the file has it.
    if property.get("deprecated") == Some(&Json::Bool(true)) && given.is_none() {
        return None;
    }
    let inner = resolved(schema, property);
    let choices: Vec<String> = words(inner).into_iter().map(str::to_owned).collect();
    let kind = if !choices.is_empty() {
        ChangeKind::Choice
    } else if is_a(inner, "boolean") {
        ChangeKind::Switch
    } else if is_a(inner, "integer") || is_a(inner, "number") {
        ChangeKind::Number
    } else if is_a(inner, "string") {
        ChangeKind::Text
    } else {
        return None;
    };
    let value = given.or_else(|| property.get("default")).or_else(|| inner.get("default"));
    Some(ChangeEntry {
        name: name.to_owned(),
        note: note(schema, property),
        kind,
        choices,
        value: value.map_or(String::new(), as_text),
    })
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
