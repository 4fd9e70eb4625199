//! A scenario as a TOML file that a person would write: the plain keys first, then a line for each entry of a list.

use std::fmt::Write as _;

use serde_json::{Map, Value as Json};

/// The file.
pub(crate) fn toml(json: &Json) -> String {
    let mut text = String::new();
    let Json::Object(file) = json else { return text };
    for (key, value) in file.iter().filter(|(_, value)| !is_entries(value)) {
        match value {
            Json::Array(items) if items.iter().all(Json::is_string) && items.len() > 1 => {
                let _ = writeln!(text, "{key} = [");
                for item in items {
                    let _ = writeln!(text, "    {},", inline(item));
                }
                text.push_str("]\n");
            }
            _ => {
                let _ = writeln!(text, "{key} = {}", inline(value));
            }
        }
    }
    for (key, value) in file.iter().filter(|(_, value)| is_entries(value)) {
        let _ = writeln!(text, "\n{key} = [");
        for item in value.as_array().into_iter().flatten() {
            let _ = writeln!(text, "    {},", inline(item));
        }
        text.push_str("]\n");
    }
    text
}

fn is_entries(value: &Json) -> bool {
    value.as_array().is_some_and(|items| items.first().is_some_and(Json::is_object))
}

fn inline(value: &Json) -> String {
    match value {
        Json::String(text) => quoted(text),
        Json::Array(items) => format!("[{}]", items.iter().map(inline).collect::<Vec<_>>().join(", ")),
        Json::Object(map) => table(map),
        other => number(other),
    }
}

fn table(map: &Map<String, Json>) -> String {
    let pairs: Vec<String> = map
        .iter()
        .filter(|(_, value)| !value.is_null())
        .map(|(key, value)| format!("{key} = {}", inline(value)))
        .collect();
    if pairs.is_empty() { "{}".into() } else { format!("{{ {} }}", pairs.join(", ")) }
}

/// Whole numbers are written without a point.
fn number(value: &Json) -> String {
    match value.as_f64() {
        Some(x) if x.fract() == 0.0 && x.abs() < 1e12 => format!("{x:.0}"),
        _ => value.to_string(),
    }
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            other => quoted.push(other),
        }
    }
    quoted + "\""
}
