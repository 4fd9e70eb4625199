//! What if: a scenario with a number of the rules, or a part of the file, changed.

use sabretache_engine::scenario::{Diagnostics, Document, Path};
use serde_json::{Map, Value as Json};

/// The scenario with an overlay laid over it and numbers set by name, in this order.
///
/// An overlay is a scenario file with only what differs. Tables are merged key by key; in lists whose items have an
/// `id` (units, officers, sides) each item of the overlay changes the one with the same id, or is added; any other value
/// replaces the one below it.
///
/// `sets` are `NAME=VALUE`: a number of the rules by its name (`HZ-ZON-01.infantry.line=20cm`), or a path into the
/// scenario (`units.fr-1.quality=Raw`, `turns=8`).
pub fn vary(document: &Document, overlay: Option<&Document>, sets: &[String]) -> Result<Document, Diagnostics> {
    let mut json = document.json.clone();
    if let Some(overlay) = overlay {
        merge(&mut json, &overlay.json);
    }
    let mut report = Diagnostics::new();
    for set in sets {
        match set.split_once('=') {
            Some((name, value)) => change(&mut json, name.trim(), read(value.trim()), &mut report),
            None => {
                report.error(Path::root(), format!("'{set}': write NAME=VALUE, such as HZ-ZON-01.infantry.line=20cm"))
            }
        }
    }
    report.clean()?;
    Ok(Document::of_json(document.name.clone(), json))
}

/// A value as it is typed: a number, true or false, or text.
fn read(text: &str) -> Json {
    match serde_json::from_str::<Json>(text) {
        Ok(value) => value,
        Err(_) => Json::String(text.to_owned()),
    }
}

/// Whether a name is that of a number of the rules: it begins with a clause, and clauses are in capitals.
fn is_number(name: &str) -> bool {
    let first = name.split('.').next().unwrap_or_default();
    first.contains('-') && first.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '-')
}

fn change(json: &mut Json, name: &str, value: Json, report: &mut Diagnostics) {
    let Json::Object(scenario) = json else { return };
    if is_number(name) {
        let numbers = scenario.entry("numbers").or_insert_with(|| Json::Object(Map::new()));
        if let Json::Object(numbers) = numbers {
            numbers.insert(name.to_owned(), value);
        }
        return;
    }
    // The older word for it: two words for one thing would not know which of them holds.
    let name = if name == "options.turns" && scenario.contains_key("turns") { "turns" } else { name };
    let steps: Vec<&str> = name.split('.').collect();
    if !set_at(json, &steps, value) {
        report.error(Path::root(), format!("the scenario has no place '{name}'"));
    }
}

fn set_at(here: &mut Json, steps: &[&str], value: Json) -> bool {
    let Some((step, rest)) = steps.split_first() else {
        *here = value;
        return true;
    };
    match here {
        Json::Object(map) if rest.is_empty() => {
            map.insert((*step).to_owned(), value);
            true
        }
        // A table that the file leaves out, such as `options`, may be there all the same; what may not be, the schema says.
        Json::Object(map) if !map.contains_key(*step) && rest.len() == 1 => {
            let table = Map::from_iter([(rest[0].to_owned(), value)]);
            map.insert((*step).to_owned(), Json::Object(table));
            true
        }
        Json::Object(map) => map.get_mut(*step).is_some_and(|next| set_at(next, rest, value)),
        Json::Array(items) => {
            let by_id = items.iter().position(|item| item.get("id").and_then(Json::as_str) == Some(*step));
            let found = by_id.or_else(|| step.parse().ok());
            found.and_then(|n| items.get_mut(n)).is_some_and(|next| set_at(next, rest, value))
        }
        _ => false,
    }
}

fn merge(under: &mut Json, over: &Json) {
    match (under, over) {
        (Json::Object(under), Json::Object(over)) => {
            for (key, value) in over {
                match under.get_mut(key) {
                    Some(there) => merge(there, value),
                    None => {
                        under.insert(key.clone(), value.clone());
                    }
                }
            }
        }
        (Json::Array(under), Json::Array(over)) if over.iter().all(|item| item.get("id").is_some()) => {
            for item in over {
                match under.iter_mut().find(|other| other.get("id") == item.get("id")) {
                    Some(there) => merge(there, item),
                    None => under.push(item.clone()),
                }
            }
        }
        (under, over) => *under = over.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const BASE: &str = "turns = 6\n[[units]]\nid = \"a\"\nsteadiness = 7\n[[units]]\nid = \"b\"\nsteadiness = 8\n";

    fn varied(overlay: Option<&str>, sets: &[&str]) -> Result<Json, String> {
        let parse = |text: &str| Document::parse("x.toml", text).unwrap();
        let sets: Vec<String> = sets.iter().map(|set| (*set).to_owned()).collect();
        let document = vary(&parse(BASE), overlay.map(parse).as_ref(), &sets);
        document.map(|document| document.json).map_err(|report| report.to_string())
    }

    #[test]
    fn a_name_in_capitals_is_a_number_of_the_rules() {
        let json = varied(None, &["PK-VOL-02.dice=5", "PK-VOL-01.depth=20cm"]).unwrap();
        assert_eq!(json["numbers"], json!({ "PK-VOL-02.dice": 5, "PK-VOL-01.depth": "20cm" }));
    }

    #[test]
    fn anything_else_is_a_place_in_the_scenario() {
        let json = varied(None, &["units.b.steadiness=12", "turns=9"]).unwrap();
        assert_eq!((&json["units"][1]["steadiness"], &json["turns"]), (&json!(12), &json!(9)));
        assert!(varied(None, &["units.c.steadiness=12"]).unwrap_err().contains("no place 'units.c.steadiness'"));
        assert_eq!(varied(None, &["options.pursuit=true"]).unwrap()["options"], json!({ "pursuit": true }));
        assert!(varied(None, &["turns"]).is_err());
    }

    #[test]
    fn the_older_word_for_the_turns_sets_the_turns_that_a_file_has() {
        // Both would stand in the file otherwise, and the one that was set would be the one that does not hold.
        let json = varied(None, &["options.turns=9"]).unwrap();
        assert_eq!((&json["turns"], json.get("options")), (&json!(9), None));
        let parse = |text: &str| Document::parse("x.toml", text).unwrap();
        let older = vary(&parse("options = { turns = 6 }\n"), None, &["options.turns=9".to_owned()]).unwrap();
        assert_eq!(older.json, json!({ "options": { "turns": 9 } }));
    }

    #[test]
    fn an_overlay_says_only_what_differs() {
        let json = varied(Some("[[units]]\nid = \"b\"\nsteadiness = 2\n[[units]]\nid = \"c\"\n"), &[]).unwrap();
        assert_eq!(json["units"][0], json!({ "id": "a", "steadiness": 7 }));
        assert_eq!(json["units"][1], json!({ "id": "b", "steadiness": 2 }));
        assert_eq!(json["units"][2], json!({ "id": "c" }));
    }
}
