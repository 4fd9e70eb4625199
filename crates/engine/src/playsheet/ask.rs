//! Which modifiers a test has: it is asked about situations made up from its schema, the same ones every time.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value as Json};

use crate::clause::Clause;
use crate::situation::SituationTest;

/// So many situations are made up for a test.
const SITUATIONS: usize = 12_000;
/// Numbers worth trying, beside the ends of what is allowed.
const TRIED: [f64; 14] = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 12.0, 16.0, 24.0, 40.0, 75.0];

/// Every clause that modifies a test, with all the shifts it was seen to make.
#[must_use]
pub fn modifiers_of(test: &dyn SituationTest) -> Vec<(Clause, Vec<i32>)> {
    let schema = test.schema().to_value();
    let mut chance = Chance::of(test.name());
    let mut seen: BTreeMap<Clause, BTreeSet<i32>> = BTreeMap::new();
    for n in 0..SITUATIONS {
        // Few facts at a time show what each does alone; many show what only several make together.
        let given = [15, 40, 70][n % 3];
        let situation = Maker { schema: &schema, given, chance: &mut chance }.make(&schema, 0);
        for told in test.reckon(&situation).into_iter().flatten() {
            for modifier in told.modifiers {
                seen.entry(modifier.clause).or_default().insert(modifier.shift);
            }
        }
    }
    seen.into_iter()
        .map(|(clause, shifts)| (clause, shifts.into_iter().filter(|shift| *shift != 0).collect()))
        .collect()
}

/// Numbers that look like chance and are the same every time.
struct Chance(u64);

impl Chance {
    fn of(name: &str) -> Self {
        Self(
            name.bytes()
                .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
                | 1,
        )
    }

    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit.max(1)
    }

    fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }
}

/// Makes values of the shape that a schema asks for.
struct Maker<'a> {
    schema: &'a Json,
    /// How often what may be left out is given, of a hundred times.
    given: usize,
    chance: &'a mut Chance,
}

impl Maker<'_> {
    fn make(&mut self, part: &Json, deep: usize) -> Json {
        if deep > 12 {
            return Json::Null;
        }
        if let Some(target) = part.get("$ref").and_then(Json::as_str) {
            let found = target.strip_prefix('#').and_then(|pointer| self.schema.pointer(pointer));
            return found.map_or(Json::Null, |found| self.make(found, deep + 1));
        }
        if let Some(word) = part.get("const") {
            return word.clone();
        }
        for several in ["enum", "oneOf", "anyOf"] {
            if let Some(all) = part.get(several).and_then(Json::as_array).filter(|all| !all.is_empty()) {
                let one = &all[self.chance.below(all.len())];
                let made = if several == "enum" { one.clone() } else { self.make(one, deep + 1) };
                // What several forms have in common stands beside them.
                return match (made, part.get("properties")) {
                    (Json::Object(mut own), Some(_)) => {
                        own.extend(self.object(part, deep));
                        Json::Object(own)
                    }
                    (made, _) => made,
                };
            }
        }
        let kind = match part.get("type") {
            Some(Json::Array(kinds)) if !kinds.is_empty() => kinds[self.chance.below(kinds.len())].as_str(),
            Some(kind) => kind.as_str(),
            None => None,
        };
        match kind {
            Some("boolean") => Json::Bool(self.chance.percent(50)),
            Some("integer") => (self.number(part) as i64).into(),
            Some("number") => (self.number(part) + if self.chance.percent(25) { 0.5 } else { 0.0 }).into(),
            Some("string") => "x".into(),
            Some("array") => self.list(part, deep),
            Some("object") => Json::Object(self.object(part, deep)),
            _ => Json::Null,
        }
    }

    fn number(&mut self, part: &Json) -> f64 {
        let end = |key: &str| part.get(key).and_then(Json::as_f64);
        let (least, most) = (end("minimum").unwrap_or(-6.0), end("maximum").unwrap_or(75.0));
        let tried = match self.chance.below(20) {
            0 => least,
            // The end of a byte says nothing of the game.
            1 if most < 200.0 => most,
            n if least < 0.0 && n % 3 == 0 => -TRIED[self.chance.below(7)],
            n if n < 15 => TRIED[self.chance.below(5)],
            _ => TRIED[self.chance.below(TRIED.len())],
        };
        tried.clamp(least, most)
    }

    fn list(&mut self, part: &Json, deep: usize) -> Json {
        let count =
            |key: &str, otherwise: usize| part.get(key).and_then(Json::as_u64).map_or(otherwise, |n| n as usize);
        let (least, most) = (count("minItems", 0), count("maxItems", 3).min(3));
        let length = least + self.chance.below(most.saturating_sub(least) + 1);
        if let Some(each) = part.get("prefixItems").and_then(Json::as_array) {
            return each.iter().map(|item| self.make(item, deep + 1)).collect();
        }
        let Some(item) = part.get("items") else { return Json::Array(Vec::new()) };
        (0..length).map(|_| self.make(item, deep + 1)).collect()
    }

    fn object(&mut self, part: &Json, deep: usize) -> Map<String, Json> {
        let needed: Vec<&str> =
            part.get("required").and_then(Json::as_array).into_iter().flatten().filter_map(Json::as_str).collect();
        let mut made = Map::new();
        for (key, field) in part.get("properties").and_then(Json::as_object).into_iter().flatten() {
            if needed.contains(&key.as_str()) || self.chance.percent(self.given) {
                made.insert(key.clone(), self.make(field, deep + 1));
            }
        }
        made
    }
}
