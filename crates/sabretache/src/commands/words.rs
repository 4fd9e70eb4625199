//! `sabretache scenario words`: every key and every word of a book's scenarios, read off its schema.

use std::collections::{BTreeSet, VecDeque};
use std::fmt::Write as _;

use sabretache_engine::scenario::fields::{resolved, words};
use sabretache_engine::scenario::{Bench, GroundShape};
use serde_json::{Map, Value as Json};

/// The words of a book as a page in Markdown.
pub(crate) fn page(title: &str, schema: &Json, bench: Option<&Bench>) -> String {
    let mut page = format!("# The words of scenarios: {title}\n\n");
    page +=
        "Made by `sabretache scenario words`; a test fails when it is out of date. A key in **bold** must be there.\n";
    let mut seen = BTreeSet::new();
    let mut next = VecDeque::from([(String::new(), schema)]);
    while let Some((path, part)) = next.pop_front() {
        section(&mut page, &path, schema, part, &mut next, &mut seen);
        if path == "ground[]"
            && let Some(bench) = bench
        {
            kinds(&mut page, bench);
        }
    }
    page
}

fn section<'a>(
    page: &mut String,
    path: &str,
    schema: &'a Json,
    part: &'a Json,
    next: &mut VecDeque<(String, &'a Json)>,
    seen: &mut BTreeSet<*const Json>,
) {
    let heading = if path.is_empty() { "The file".to_owned() } else { format!("`{path}`") };
    let _ = writeln!(page, "\n## {heading}\n\n| key | value | meaning |\n|---|---|---|");
    let needed: Vec<&str> =
        part.get("required").and_then(Json::as_array).into_iter().flatten().filter_map(Json::as_str).collect();
    for (key, given) in keys(schema, part) {
        let inner = resolved(schema, given);
        let told = described(given).or_else(|| described(inner)).unwrap_or_default();
        let told = if given.get("deprecated").is_some() { format!("*{told}*") } else { told };
        let name = if needed.contains(&key.as_str()) { format!("**`{key}`**") } else { format!("`{key}`") };
        let below = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        let _ = writeln!(page, "| {name} | {} | {told} |", value(schema, inner));
        let (below, item) = match inner.get("items") {
            Some(item) => (format!("{below}[]"), resolved(schema, item)),
            None => (below, inner),
        };
        if !keys(schema, item).is_empty() && seen.insert(std::ptr::from_ref(item)) {
            next.push_back((below, item));
        }
    }
}

/// The kinds of ground with the further words that each of them knows.
fn kinds(page: &mut String, bench: &Bench) {
    page.push_str("\n### Kinds of ground\n\n| `kind` | given by | `traits` |\n|---|---|---|\n");
    for word in &bench.ground {
        let by = match word.shape {
            GroundShape::Area => "`area`",
            GroundShape::Rectangle => "`area`, four corners at right angles",
            GroundShape::Line => "`line`",
            GroundShape::Either => "`line` or `area`",
        };
        let more = word.more.as_ref().map(|more| format!("; told more of in `{}`", more.list)).unwrap_or_default();
        let traits: Vec<String> = word.traits.iter().map(|one| format!("`{one}`")).collect();
        let _ = writeln!(page, "| `{}` | {by}{more} | {} |", word.kind, traits.join(", "));
    }
}

fn described(part: &Json) -> Option<String> {
    let text = part.get("description")?.as_str()?;
    Some(text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|"))
}

/// The keys of a table, with those of the forms that it may take.
fn keys<'a>(schema: &'a Json, part: &'a Json) -> Vec<(String, &'a Json)> {
    let own = part.get("properties").and_then(Json::as_object);
    let forms = ["oneOf", "allOf"].into_iter().filter_map(|key| part.get(key)?.as_array()).flatten();
    let forms = forms.filter_map(|form| resolved(schema, form).get("properties")?.as_object());
    let mut all: Vec<(String, &Json)> = Vec::new();
    for (key, value) in own.into_iter().chain(forms).flat_map(Map::iter) {
        if !all.iter().any(|(known, _)| known == key) {
            all.push((key.clone(), value));
        }
    }
    all
}

/// What may stand for a key, in a few words.
fn value(schema: &Json, part: &Json) -> String {
    let allowed: Vec<String> = words(part).into_iter().map(|word| format!("`{word}`")).collect();
    if !allowed.is_empty() {
        return allowed.join(", ");
    }
    let kind = match part.get("type") {
        Some(Json::Array(kinds)) => kinds.first().and_then(Json::as_str),
        Some(kind) => kind.as_str(),
        None => None,
    };
    let limit = |key: &str| part.get(key).map(ToString::to_string);
    match kind {
        Some("string") => "text".into(),
        Some(number @ ("integer" | "number")) => {
            let what = if number == "integer" { "whole number" } else { "number" };
            match (limit("minimum"), limit("maximum")) {
                (Some(least), Some(most)) => format!("{what}, {least} to {most}"),
                (Some(least), None) if least != "0" => format!("{what} from {least}"),
                _ => what.into(),
            }
        }
        Some("boolean") => "`true` or `false`".into(),
        Some("array") => {
            let item = part.get("items").map(|item| value(schema, resolved(schema, item))).unwrap_or_default();
            let pair = limit("minItems").as_deref() == Some("2") && limit("maxItems").as_deref() == Some("2");
            if pair && item == "number" { "`[x, y]`".into() } else { format!("list of: {item}") }
        }
        _ => "table".into(),
    }
}
