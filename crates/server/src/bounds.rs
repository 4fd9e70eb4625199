//! How large a scenario may be that somebody sends.

use serde_json::Value as Json;

/// The longest text of a scenario, in bytes.
const LONGEST: usize = 1 << 20;
/// The most units: whether any two of them stand in each other's way is asked of every pair.
const MOST_UNITS: usize = 400;
/// The most letters of a title.
const LONGEST_TITLE: usize = 200;

/// What is too large about the text of a scenario.
pub(crate) fn of_text(text: &str) -> Result<(), String> {
    let fits = text.len() <= LONGEST;
    fits.then_some(()).ok_or_else(|| format!("a scenario has {} kB at the most here", LONGEST >> 10))
}

/// What is too large about a scenario.
pub(crate) fn of_scenario(json: &Json) -> Result<(), String> {
    let title = json.get("title").and_then(Json::as_str).unwrap_or_default();
    if title.chars().count() > LONGEST_TITLE {
        return Err(format!("a title has {LONGEST_TITLE} letters at the most here"));
    }
    if let Some(name) = controlled(json) {
        return Err(format!(
            "a text in it has characters that steer a terminal: {:?}",
            &name.chars().take(40).collect::<String>()
        ));
    }
    let units = units(json);
    let fits = units <= MOST_UNITS;
    fits.then_some(()).ok_or_else(|| format!("it has {units} units; {MOST_UNITS} at the most are fought here"))
}

/// The first text with characters that would steer a terminal.
fn controlled(json: &Json) -> Option<&str> {
    let steers = |letter: char| letter.is_control() && !matches!(letter, '\n' | '\r' | '\t');
    match json {
        Json::String(text) => text.chars().any(steers).then_some(text),
        Json::Array(items) => items.iter().find_map(controlled),
        Json::Object(map) => map
            .iter()
            .find_map(|(key, value)| if key.chars().any(steers) { Some(key.as_str()) } else { controlled(value) }),
        _ => None,
    }
}

fn units(json: &Json) -> usize {
    match json {
        Json::Array(items) => items.iter().map(units).sum(),
        Json::Object(map) => {
            let own = map.get("units").and_then(Json::as_array).map_or(0, Vec::len);
            own + map.values().map(units).sum::<usize>()
        }
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_too_large_is_told() {
        let many = |count: usize| json!({ "sides": [{ "units": vec![json!({ "at": [1, 1] }); count] }] });
        assert_eq!(of_scenario(&many(400)), Ok(()));
        assert!(of_scenario(&many(401)).unwrap_err().contains("401 units"));
        assert_eq!(of_scenario(&json!({ "title": "x".repeat(200) })), Ok(()));
        assert!(of_scenario(&json!({ "title": "x".repeat(201) })).is_err());
        assert!(of_text(&"x".repeat(1 << 20)).is_ok() && of_text(&"x".repeat((1 << 20) + 1)).is_err());
    }

    #[test]
    fn no_name_steers_a_terminal() {
        assert!(of_scenario(&json!({ "sides": [{ "name": "Ney\u{1b}[2J" }] })).is_err());
        assert!(of_scenario(&json!({ "sides": [{ "name": "Ney\u{9b}2J" }] })).is_err());
        assert_eq!(of_scenario(&json!({ "summary": "two\nlines", "name": "Schönbrunn" })), Ok(()));
    }
}
