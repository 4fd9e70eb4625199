//! A JSON Schema read field by field: for pages and documents that show what a file may say without knowing the book.

use serde_json::Value as Json;

/// Follows references, and takes what may be left out for what it is when it is there.
#[must_use]
pub fn resolved<'a>(schema: &'a Json, part: &'a Json) -> &'a Json {
    if let Some(target) = part.get("$ref").and_then(Json::as_str) {
        let found = target.strip_prefix('#').and_then(|pointer| schema.pointer(pointer));
        return found.map_or(part, |found| resolved(schema, found));
    }
    let is_there = |one: &&Json| one.get("type").and_then(Json::as_str) != Some("null");
    let there = part.get("anyOf").and_then(Json::as_array).and_then(|all| all.iter().find(is_there));
    there.map_or(part, |there| resolved(schema, there))
}

/// The fields of a table, those of the types that are flattened into it among them.
pub fn properties<'a>(schema: &'a Json, of: &'a Json) -> impl Iterator<Item = (&'a str, &'a Json)> {
    let own = of.get("properties").and_then(Json::as_object);
    let parts = of.get("allOf").and_then(Json::as_array).into_iter().flatten();
    let parts = parts.filter_map(move |part| resolved(schema, part).get("properties")?.as_object());
    own.into_iter().chain(parts).flatten().map(|(key, property)| (key.as_str(), property))
}

/// The words that an enumeration allows.
#[must_use]
pub fn words(part: &Json) -> Vec<&str> {
    let listed = part.get("enum").and_then(Json::as_array).into_iter().flatten();
    let described = part.get("oneOf").and_then(Json::as_array).into_iter().flatten();
    let constants = described.flat_map(|one| {
        let many = one.get("enum").and_then(Json::as_array).into_iter().flatten();
        one.get("const").into_iter().chain(many)
    });
    listed.chain(constants).filter_map(Json::as_str).collect()
}

/// Whether a field is of a type of JSON, alone or among others.
#[must_use]
pub fn is_a(part: &Json, wanted: &str) -> bool {
    match part.get("type") {
        Some(Json::String(kind)) => kind == wanted,
        Some(Json::Array(kinds)) => kinds.iter().any(|kind| kind == wanted),
        _ => false,
    }
}

/// What is said of a field, or else of its type, on one line.
#[must_use]
pub fn note(schema: &Json, field: &Json) -> String {
    let said = |part: &Json| part.get("description").and_then(Json::as_str).map(|text| text.replace('\n', " "));
    said(field).or_else(|| said(resolved(schema, field))).unwrap_or_default()
}
