//! Whether what came out is what a drill expects.

use sabretache_table::Length;
use serde_json::Value as Json;

/// How far two lengths or coordinates may differ and still be the same, in the unit of the file: a drill is written with
/// four decimals at most.
const TOLERANCE: f64 = 0.000_51;

/// Whether the expected part is found in what came out.
///
/// A table is matched key by key, and keys that the drill does not mention do not matter; a key that is not there counts
/// as nothing, zero or false. A list is matched item by item. A length in quotes stands for its micrometres.
pub(super) fn matches(expected: &Json, actual: &Json) -> bool {
    match (expected, actual) {
        (Json::Object(expected), Json::Object(actual)) => {
            expected.iter().all(|(key, value)| actual.get(key).map_or(is_nothing(value), |found| matches(value, found)))
        }
        (Json::Array(expected), Json::Array(actual)) => {
            expected.len() == actual.len() && expected.iter().zip(actual).all(|(one, other)| matches(one, other))
        }
        // Lists of tables with ids may be expected by id.
        (Json::Object(expected), Json::Array(items)) => expected.iter().all(|(id, value)| {
            let named = |item: &&Json| item.get("id").and_then(Json::as_str) == Some(id);
            items.iter().find(named).map_or(is_nothing(value), |item| matches(value, item))
        }),
        (Json::Number(expected), Json::Number(actual)) => match (expected.as_f64(), actual.as_f64()) {
            (Some(expected), Some(actual)) => (expected - actual).abs() <= TOLERANCE,
            _ => expected == actual,
        },
        (Json::String(text), Json::Number(number)) => match (text.parse::<Length>(), number.as_i64()) {
            (Ok(length), Some(um)) => (i64::from(length.to_um()) - um).abs() <= 10,
            _ => false,
        },
        // An event or status without further facts may be expected by its name alone.
        (Json::String(name), Json::Object(actual)) => actual.len() == 1 && actual.contains_key(name),
        (expected, actual) => expected == actual || (is_nothing(expected) && actual.is_null()),
    }
}

fn is_nothing(value: &Json) -> bool {
    match value {
        Json::Null => true,
        Json::Bool(yes) => !yes,
        Json::Number(number) => number.as_f64() == Some(0.0),
        Json::String(text) => text.is_empty(),
        Json::Array(items) => items.is_empty(),
        // An empty table asks for something to be there, whatever is in it.
        Json::Object(map) => !map.is_empty() && map.values().all(is_nothing),
    }
}

/// What of `actual` the drill looked at, so that a failure shows no more than that.
pub(super) fn looked_at(expected: &Json, actual: &Json) -> Json {
    match (expected, actual) {
        (Json::Object(expected), Json::Object(actual)) => expected
            .iter()
            .map(|(key, value)| (key.clone(), looked_at(value, actual.get(key).unwrap_or(&Json::Null))))
            .collect::<serde_json::Map<_, _>>()
            .into(),
        (Json::Object(expected), Json::Array(items)) => expected
            .iter()
            .map(|(id, value)| {
                let item = items.iter().find(|item| item.get("id").and_then(Json::as_str) == Some(id));
                (id.clone(), looked_at(value, item.unwrap_or(&Json::Null)))
            })
            .collect::<serde_json::Map<_, _>>()
            .into(),
        _ => actual.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn unmentioned_keys_do_not_matter_and_missing_ones_are_nothing() {
        let unit = json!({ "id": "a", "staggers": 2, "at": [1.0, 2.5] });
        assert!(matches(&json!({ "staggers": 2 }), &unit));
        assert!(!matches(&json!({ "staggers": 1 }), &unit));
        assert!(matches(&json!({ "kills": 0, "blown": false }), &unit));
        assert!(!matches(&json!({ "kills": 1 }), &unit));
        assert!(matches(&json!({ "at": [1, 2.5] }), &unit));
        assert!(!matches(&json!({ "at": [1, 2.6] }), &unit));
    }

    #[test]
    fn items_are_found_by_id() {
        let units = json!([{ "id": "a", "kills": 1 }, { "id": "b" }]);
        assert!(matches(&json!({ "a": { "kills": 1 }, "b": { "kills": 0 } }), &units));
        assert!(!matches(&json!({ "b": { "kills": 1 } }), &units));
        assert!(!matches(&json!({ "c": { "kills": 1 } }), &units));
    }

    #[test]
    fn lengths_in_quotes_stand_for_micrometres() {
        assert!(matches(&json!("12cm"), &json!(120_000)));
        assert!(!matches(&json!("12cm"), &json!(120_100)));
    }
}
