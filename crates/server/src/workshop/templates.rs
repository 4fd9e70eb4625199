//! Units to choose from: those of the shipped scenarios, each sort once.

use sabretache_engine::scenario::Bench;
use serde_json::{Map, Value as Json};

use super::Template;
use crate::catalogue::Catalogue;

/// What belongs to one unit and not to its sort: who and where it is, and what has happened to it.
const ITS_OWN: [&str; 22] = [
    "id",
    "name",
    "at",
    "facing",
    "presence",
    "sector",
    "sides",
    "inside",
    "emplaced",
    "arrives",
    "places",
    "known",
    "refused",
    "files",
    "split_from",
    "screen_of",
    "part_of",
    "dps",
    "staggers",
    "kills",
    "ladders",
    "crew_with",
];
/// What does not make another sort.
const NO_SORT: [&str; 4] = ["coat", "facings", "formation", "width"];

/// The templates of a book.
pub(crate) fn of(catalogue: &Catalogue, ruleset: &str, bench: &Bench) -> Vec<Template> {
    let mut all: Vec<Template> = Vec::new();
    for (_, document) in catalogue.documents_of(ruleset) {
        for unit in document.get(bench.rosters.units).and_then(Json::as_array).into_iter().flatten() {
            let Some(template) = template(document, unit, bench) else { continue };
            let same = |other: &Template| {
                (&other.nation, &other.arm) == (&template.nation, &template.arm)
                    && sort_of(&other.value) == sort_of(&template.value)
            };
            if !all.iter().any(same) {
                all.push(template);
            }
        }
    }
    all.sort_by(|a, b| (&a.nation, &a.arm, &a.label).cmp(&(&b.nation, &b.arm, &b.label)));
    all
}

fn word<'a>(of: &'a Json, key: &str) -> Option<&'a str> {
    of.get(key)?.as_str()
}

fn named<'a>(document: &'a Json, list: &str, id: &str) -> Option<&'a Json> {
    document.get(list)?.as_array()?.iter().find(|item| word(item, "id") == Some(id))
}

fn template(document: &Json, unit: &Json, bench: &Bench) -> Option<Template> {
    let rosters = &bench.rosters;
    let command = named(document, rosters.commands, word(unit, rosters.unit_command)?);
    let side_id = rosters.unit_side.and_then(|key| word(unit, key)).or_else(|| word(command?, "side"))?;
    let side = word(named(document, "sides", side_id)?, "name")?;
    let contingent = rosters.contingents.and_then(|(list, key)| {
        let own = |item: &&Json| word(item, "side") == Some(side_id);
        match word(unit, key) {
            Some(id) => named(document, list, id),
            None => document.get(list)?.as_array()?.iter().find(own),
        }
    });
    let nation = contingent.and_then(|one| word(one, "name")).or_else(|| word(unit, "nation"));
    let nation = nation.or_else(|| most_of(document, side_id, bench)).unwrap_or(side);
    let left_out = |key: &str| {
        let names = [Some(rosters.unit_command), rosters.unit_side, rosters.contingents.map(|(_, key)| key)];
        ITS_OWN.contains(&key) || names.contains(&Some(key))
    };
    let value: Map<String, Json> = unit
        .as_object()?
        .iter()
        .filter(|(key, _)| !left_out(key))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    let contingent = contingent.and_then(Json::as_object).map(|one| {
        let mut one = one.clone();
        one.shift_remove("side");
        Json::Object(one)
    });
    let arm = word(unit, "arm").or_else(|| word(unit, "kind")).unwrap_or_default().to_owned();
    let value = Json::Object(value);
    let mut said = Vec::new();
    words_of(&sort_of(&value), &mut said);
    said.retain(|one| *one != arm && one != nation);
    Some(Template {
        nation: capital(&one_word_order(nation)),
        arm,
        label: said.join(", "),
        like: word(unit, "name")?.to_owned(),
        value,
        contingent,
    })
}

/// The nation of most units of a side, for those of its units that say nothing of theirs: guns, and troops of no special kind.
fn most_of<'a>(document: &'a Json, side: &str, bench: &Bench) -> Option<&'a str> {
    let rosters = &bench.rosters;
    let of_side = |unit: &&Json| {
        let command = word(unit, rosters.unit_command).and_then(|id| named(document, rosters.commands, id));
        let own = rosters.unit_side.and_then(|key| word(unit, key));
        own.or_else(|| word(command?, "side")) == Some(side)
    };
    let mut counted: Vec<(&str, usize)> = Vec::new();
    let units = document.get(rosters.units)?.as_array()?.iter().filter(of_side);
    for nation in units.filter_map(|unit| word(unit, "nation")) {
        match counted.iter_mut().find(|(one, _)| *one == nation) {
            Some((_, count)) => *count += 1,
            None => counted.push((nation, 1)),
        }
    }
    counted.into_iter().rev().max_by_key(|(_, count)| *count).map(|(nation, _)| nation)
}

/// "The French and Bavarians" and "The Bavarians and French" are one army.
fn one_word_order(name: &str) -> String {
    let mut parts: Vec<&str> = name.trim_start_matches("The ").split(" and ").collect();
    parts.sort_unstable();
    parts.join(" and ")
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().collect::<String>() + letters.as_str())
}

fn sort_of(value: &Json) -> Json {
    let keys = value.as_object().into_iter().flatten().filter(|(key, _)| !NO_SORT.contains(&key.as_str()));
    Json::Object(keys.map(|(key, value)| (key.clone(), value.clone())).collect())
}

/// What an entry says, in words: `experienced`, `24 start`, `skirmish`.
fn words_of(value: &Json, out: &mut Vec<String>) {
    for (key, value) in value.as_object().into_iter().flatten() {
        match value {
            Json::String(word) => out.push(word.clone()),
            Json::Bool(true) => out.push(key.replace('_', " ")),
            Json::Number(number) => out.push(format!("{number} {}", key.replace('_', " "))),
            Json::Object(_) => words_of(value, out),
            _ => {}
        }
    }
}
