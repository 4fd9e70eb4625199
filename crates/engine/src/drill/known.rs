//! Whether what a drill expects can be there at all: a misspelt key would otherwise pass for nothing, zero or false.

use std::cell::Cell;

use serde::de::{
    self, DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor,
};
use serde_json::Value as Json;

/// The first key of an expected event that no event of the book has, with what there is in its place.
pub(super) fn unknown_in_event<E: DeserializeOwned>(expected: &Json) -> Option<String> {
    match expected {
        // A misspelt name is not among the variants, which is what an empty path tells.
        Json::String(name) => names_at::<E>(&[]).and_then(|names| missing(name, names)),
        _ => unknown_below::<E>(expected, &mut Vec::new()),
    }
}

fn unknown_below<E: DeserializeOwned>(expected: &Json, path: &mut Vec<String>) -> Option<String> {
    match expected {
        Json::Object(map) => {
            let steps: Vec<&str> = path.iter().map(String::as_str).collect();
            let names = names_at::<E>(&steps);
            map.iter().find_map(|(key, value)| {
                if let Some(why) = names.and_then(|names| missing(key, names)) {
                    return Some(why);
                }
                path.push(key.clone());
                let found = unknown_below::<E>(value, path);
                path.pop();
                found
            })
        }
        Json::Array(items) => items.iter().find_map(|item| unknown_below::<E>(item, path)),
        _ => None,
    }
}

fn missing(key: &str, names: &[&str]) -> Option<String> {
    (!names.contains(&key)).then(|| format!("there is no '{key}'; there are: {}", names.join(", ")))
}

/// The first key that what came out does not have, with those that it has.
pub(super) fn unknown_key(expected: &Json, got: &Json) -> Option<String> {
    let (expected, got) = (expected.as_object()?, got.as_object()?);
    let names: Vec<&str> = got.keys().map(String::as_str).collect();
    expected.keys().find_map(|key| missing(key, &names))
}

/// The first id of a table of things by their ids that neither the battle has nor the position had.
pub(super) fn unknown_id(expected: &Json, lists: [Option<&Json>; 2]) -> Option<String> {
    let items: Vec<&Json> = lists.into_iter().flatten().filter_map(Json::as_array).flatten().collect();
    let names: Vec<&str> = items.iter().filter_map(|item| item.get("id")?.as_str()).collect();
    let is_list = expected.is_object() && !names.is_empty();
    expected.as_object().filter(|_| is_list)?.keys().find_map(|id| missing(id, &names))
}

/// The names that a value of this type can have at a path: the variants of an enum, the fields of a struct. Nothing where
/// anything may stand. Serde tells a deserializer which names a type knows; this one listens and reads nothing.
fn names_at<T: DeserializeOwned>(path: &[&str]) -> Option<&'static [&'static str]> {
    let names = Cell::new(None);
    // It always ends in an error: once it is where the path leads it has heard enough.
    let _ = T::deserialize(Probe { path, names: &names });
    names.get()
}

#[derive(Clone, Copy)]
struct Probe<'a> {
    path: &'a [&'a str],
    names: &'a Cell<Option<&'static [&'static str]>>,
}

/// The probe has heard enough, or can go no further.
#[derive(Debug)]
struct Heard;

impl std::fmt::Display for Heard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("heard")
    }
}

impl std::error::Error for Heard {}

impl de::Error for Heard {
    fn custom<T: std::fmt::Display>(_: T) -> Self {
        Self
    }
}

impl<'a> Probe<'a> {
    /// One step down the path, or the names that are known here if it ends here.
    fn step(self, names: &'static [&'static str]) -> Result<(&'a str, Self), Heard> {
        match self.path {
            [] => {
                self.names.set(Some(names));
                Err(Heard)
            }
            [first, rest @ ..] => Ok((first, Self { path: rest, ..self })),
        }
    }
}

impl<'de> Deserializer<'de> for Probe<'_> {
    type Error = Heard;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Heard> {
        Err(Heard)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Heard> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Heard> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Heard> {
        visitor.visit_seq(Once(self))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Heard> {
        let (key, below) = self.step(fields)?;
        visitor.visit_map(Entry(Some(key), below))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Heard> {
        let (key, below) = self.step(variants)?;
        visitor.visit_enum(Variant(key, below))
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct tuple
        tuple_struct map identifier ignored_any
    }
}

/// A list of which only the first item is looked at.
struct Once<'a>(Probe<'a>);

impl<'de> SeqAccess<'de> for Once<'_> {
    type Error = Heard;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Heard> {
        seed.deserialize(self.0).map(Some)
    }
}

/// A struct of which only one field is looked at.
struct Entry<'a>(Option<&'a str>, Probe<'a>);

impl<'de> MapAccess<'de> for Entry<'_> {
    type Error = Heard;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Heard> {
        let key = self.0.take().ok_or(Heard)?;
        seed.deserialize(de::value::StrDeserializer::new(key)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Heard> {
        seed.deserialize(self.1)
    }
}

struct Variant<'a>(&'a str, Probe<'a>);

impl<'de, 'a> EnumAccess<'de> for Variant<'a> {
    type Error = Heard;
    type Variant = Probe<'a>;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Probe<'a>), Heard> {
        Ok((seed.deserialize(de::value::StrDeserializer::new(self.0))?, self.1))
    }
}

impl<'de> VariantAccess<'de> for Probe<'_> {
    type Error = Heard;

    fn unit_variant(self) -> Result<(), Heard> {
        self.step(&[]).and(Err(Heard))
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Heard> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, Heard> {
        Err(Heard)
    }

    fn struct_variant<V: Visitor<'de>>(self, fields: &'static [&'static str], visitor: V) -> Result<V::Value, Heard> {
        self.deserialize_struct("", fields, visitor)
    }
}

/// The first key of an expected part of a scenario that the schema does not know.
pub(super) fn unknown_in_schema(schema: &Json, expected: &Json) -> Option<String> {
    unknown_in(schema, &[schema], expected)
}

/// Looks the keys up in any of the alternatives; a list with ids may be expected as a table of its items.
fn unknown_in(root: &Json, alternatives: &[&Json], expected: &Json) -> Option<String> {
    let mut all = Vec::new();
    alternatives.iter().for_each(|schema| spread(root, schema, &mut all, 0));
    let items: Vec<&Json> = all.iter().filter_map(|schema| schema.get("items")).collect();
    match expected {
        Json::Array(list) => list.iter().find_map(|item| unknown_in(root, &items, item)),
        Json::Object(map) => {
            let objects: Vec<&&Json> = all.iter().filter(|schema| schema.get("properties").is_some()).collect();
            let open = all
                .iter()
                .find_map(|schema| schema.get("additionalProperties").filter(|more| **more != Json::Bool(false)));
            if objects.is_empty() && open.is_none() {
                return map.values().find_map(|item| unknown_in(root, &items, item)).filter(|_| !items.is_empty());
            }
            map.iter().find_map(|(key, value)| {
                let named: Vec<&Json> = objects.iter().filter_map(|schema| schema["properties"].get(key)).collect();
                match (named.is_empty(), open) {
                    (false, _) => unknown_in(root, &named, value),
                    (true, Some(more)) => unknown_in(root, &[more], value),
                    (true, None) => Some(format!("nothing is called '{key}' there")),
                }
            })
        }
        _ => None,
    }
}

/// A schema with its references followed and its alternatives side by side.
fn spread<'a>(root: &'a Json, schema: &'a Json, out: &mut Vec<&'a Json>, depth: usize) {
    if depth > 12 {
        return;
    }
    out.push(schema);
    let referred = schema.get("$ref").and_then(Json::as_str).and_then(|at| root.pointer(at.trim_start_matches('#')));
    let lists = ["anyOf", "oneOf", "allOf"].iter().filter_map(|key| schema.get(*key)?.as_array()).flatten();
    referred.into_iter().chain(lists).for_each(|inner| spread(root, inner, out, depth + 1));
}

#[cfg(test)]
mod tests {
    use super::*;
    use schemars::JsonSchema;
    use serde::Deserialize;
    use serde_json::json;

    #[derive(Deserialize)]
    #[serde(rename_all = "snake_case")]
    #[expect(dead_code, reason = "only its names are asked for")]
    enum Event {
        Routed { unit: String, lost: Option<Lost> },
        Bases(Vec<Lost>),
        TurnEnds,
    }

    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its names are asked for")]
    struct Lost {
        stands: u8,
        more: Option<Box<Lost>>,
    }

    fn unknown(expected: Json) -> bool {
        unknown_in_event::<Event>(&expected).is_some()
    }

    #[test]
    fn names_of_events_and_of_what_they_carry_are_known_at_every_depth() {
        assert!(!unknown(json!({ "routed": { "unit": "a", "lost": { "stands": 1, "more": { "stands": 0 } } } })));
        assert!(!unknown(json!({ "bases": [{ "stands": 2 }] })));
        assert!(!unknown(json!("turn_ends")));
        assert!(unknown(json!("turn_end")));
        assert!(unknown(json!({ "rout": { "unit": "a" } })));
        assert!(unknown(json!({ "routed": { "unti": "" } })));
        assert!(unknown(json!({ "routed": { "lost": { "stand": 0 } } })));
        assert!(unknown(json!({ "bases": [{ "stand": 0 }] })));
        assert!(unknown(json!({ "routed": { "lost": { "more": { "stand": 0 } } } })));
    }

    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is asked for")]
    struct File {
        units: Vec<Lost>,
        kept: std::collections::BTreeMap<String, Lost>,
    }

    #[test]
    fn parts_of_a_scenario_are_looked_up_in_its_schema() {
        let schema = serde_json::to_value(schemars::schema_for!(File)).unwrap();
        let unknown = |expected: Json| unknown_in_schema(&schema, &expected).is_some();
        assert!(!unknown(json!({ "units": { "fr-1": { "stands": 0, "more": { "stands": 0 } } } })));
        assert!(!unknown(json!({ "units": [{ "stands": 0 }], "kept": { "any": { "stands": 1 } } })));
        assert!(unknown(json!({ "unit": [] })));
        assert!(unknown(json!({ "units": { "fr-1": { "stand": 0 } } })));
        assert!(unknown(json!({ "units": [{ "stand": 0 }] })));
        assert!(unknown(json!({ "kept": { "any": { "stand": 0 } } })));
    }

    #[test]
    fn keys_of_rolls_and_ids_of_units_are_looked_up_in_what_there_is() {
        let roll = json!({ "what": "order", "modifiers": [], "target": null });
        assert_eq!(unknown_key(&json!({ "modifiers": [], "target": 8 }), &roll), None);
        assert!(unknown_key(&json!({ "modifers": [] }), &roll).is_some());
        let (now, began) = (json!([{ "id": "fr-1" }]), json!([{ "id": "fr-1" }, { "id": "fr-2" }]));
        let unknown = |expected: Json| unknown_id(&expected, [Some(&now), Some(&began)]).is_some();
        assert!(!unknown(json!({ "fr-1": { "staggers": 0 }, "fr-2": { "staggers": 0 } })), "one of them is gone");
        assert!(unknown(json!({ "fr-77": { "staggers": 0 } })));
        assert_eq!(unknown_id(&json!({ "turn": 0 }), [Some(&json!({})), None]), None, "no list of things with ids");
    }
}
