//! What of a battle its view does not say: how long it is, what wins, and words for people.

use std::collections::BTreeMap;

use serde_json::Value as Json;

/// The terms of a battle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    /// How many turns it lasts.
    pub turns: Option<u64>,
    /// A line each: what is worth what to whom.
    pub victory: Vec<String>,
    /// Special rules in words, for both sides.
    pub rules: Vec<String>,
    /// Notes on the battle.
    pub notes: Vec<String>,
    /// Where the facts come from.
    pub sources: Vec<String>,
    /// When and where units come up that are not there at first, by their ids.
    pub arrivals: BTreeMap<String, String>,
}

impl Terms {
    /// What a scenario file says, whichever book it is for.
    #[must_use]
    pub fn of(file: &Json) -> Self {
        let words = |key: &str| -> Vec<String> {
            file[key].as_array().into_iter().flatten().filter_map(Json::as_str).map(str::to_owned).collect()
        };
        let mut victory = Vec::new();
        if let Some(losses) = file["victory"]["losses"].as_u64() {
            victory.push(format!("A side that has lost {losses} % of its figures is beaten."));
        }
        let lists = [&file["objectives"], &file["victory"]["objectives"]];
        let mut objectives: Vec<Told> = Vec::new();
        for objective in lists.into_iter().filter_map(Json::as_array).flatten() {
            let told = told(file, objective);
            // What is worth the same to the one side and to the other is told once.
            match objectives.iter_mut().find(|other| other.mirrors(&told)) {
                Some(other) => other.to = Some("either side".to_owned()),
                None => objectives.push(told),
            }
        }
        victory.extend(objectives.into_iter().map(Told::line));
        if file["victory"]["defender"].is_string() {
            let defender = side(file, &file["victory"]["defender"]);
            victory.push(format!("Where nobody has won at the end, it is the victory of {defender}."));
        }
        let mut rules = words("rules");
        for (clause, value) in file["numbers"].as_object().into_iter().flatten() {
            rules
                .push(format!("{clause} is {} here.", value.as_str().map_or_else(|| value.to_string(), str::to_owned)));
        }
        Self {
            turns: file["turns"].as_u64().or(file["options"]["turns"].as_u64()),
            victory,
            rules,
            notes: words("notes"),
            sources: words("sources"),
            arrivals: file["units"].as_array().into_iter().flatten().filter_map(|unit| arrival(file, unit)).collect(),
        }
    }
}

/// When a unit comes up, and where: it says so itself, or the command that it is under does.
fn arrival(file: &Json, unit: &Json) -> Option<(String, String)> {
    let above = [("commands", "command"), ("brigades", "brigade")].into_iter().find_map(|(list, key)| {
        let mut all = file[list].as_array().into_iter().flatten();
        all.find(|one| one["id"] == unit[key] && one["id"].is_string())
    });
    let arrives =
        if unit["arrives"].is_null() { above.map_or(&Json::Null, |one| &one["arrives"]) } else { &unit["arrives"] };
    let turn = arrives.as_u64().or(arrives["turn"].as_u64())?;
    let place = if arrives["at"].is_array() { &arrives["at"] } else { &unit["at"] };
    let id = unit["id"].as_str()?.to_owned();
    let from = edge(file, place).map(|edge| format!(", by the {edge}")).unwrap_or_default();
    Some((id, format!("turn {turn}{from}")))
}

/// The edge of the table that a place lies on or next to.
fn edge(file: &Json, at: &Json) -> Option<&'static str> {
    let (x, y) = (at[0].as_f64()?, at[1].as_f64()?);
    let (width, depth) = (file["table"]["width"].as_f64()?, file["table"]["depth"].as_f64()?);
    let edges = [("south", y), ("north", depth - y), ("west", x), ("east", width - x)];
    edges.into_iter().min_by(|a, b| a.1.total_cmp(&b.1)).map(|(edge, _)| edge)
}

/// A side within a sentence: "the French", whether the scenario has its article or not; but "Graham's division".
fn side(file: &Json, id: &Json) -> String {
    let mut sides = file["sides"].as_array().into_iter().flatten();
    let name = sides.find(|side| side["id"] == *id).and_then(|side| side["name"].as_str()).unwrap_or_default();
    let first = name.split(' ').next().unwrap_or_default();
    if first.ends_with("'s") || first.ends_with("’s") {
        return name.to_owned();
    }
    format!("the {}", name.strip_prefix("The ").or(name.strip_prefix("the ")).unwrap_or(name))
}

/// An objective: what is worth how much, to whom where it is one side's alone, and what else there is to it.
struct Told {
    what: String,
    to: Option<String>,
    more: String,
}

impl Told {
    /// Whether it is the same for another side.
    fn mirrors(&self, other: &Self) -> bool {
        self.what == other.what
            && self.more == other.more
            && self.to.is_some()
            && other.to.is_some()
            && self.to != other.to
    }

    fn line(self) -> String {
        let to = self.to.map(|side| format!(" to {side}")).unwrap_or_default();
        format!("{}{to}{}.", self.what, self.more)
    }
}

fn told(file: &Json, one: &Json) -> Told {
    let points = one["points"].as_u64().or(one["worth"].as_u64()).unwrap_or(1);
    let name = one["name"].as_str().unwrap_or_default();
    // A name often says by itself what is to be done: "two French units broken".
    let says = |word: &str| name.to_lowercase().contains(word);
    let count = |key: &str| one[key].as_u64();
    let mut what: String = name.chars().take(1).flat_map(char::to_uppercase).chain(name.chars().skip(1)).collect();
    if let Some(guns) = count("take_guns").filter(|_| !says("taken")) {
        what += &format!(" (guns taken: {guns})");
    } else if let Some(units) = count("exit").filter(|_| !says("off the table")) {
        what += &format!(" (units off the table in good order: {units})");
    } else if let Some(units) = count("break_units").filter(|_| !says("broken")) {
        what += &format!(" (units of the enemy broken: {units})");
    } else if let Some(command) = one["break"].as_str().filter(|_| !says("broken")) {
        let lists = ["commands", "brigades", "leaders"].into_iter().filter_map(|list| file[list].as_array()).flatten();
        let found = lists.into_iter().find(|entry| entry["id"] == command);
        let name = found.and_then(|entry| entry["leads"].as_str().or(entry["name"].as_str())).unwrap_or(command);
        what += &format!(" (to be broken: {name})");
    }
    what += &format!(": {points} {}", if points == 1 { "point" } else { "points" });
    let mut more = String::new();
    for held in [&one["held"], &one["held_by"]].into_iter().filter(|held| held.is_string()) {
        more += &format!(", held at first by {}", side(file, held));
    }
    if one["at_once"] == true {
        more += "; it wins the battle at once";
    }
    Told { what, to: one["side"].is_string().then(|| side(file, &one["side"])), more }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_terms_of_every_book_are_told_in_one_form_of_words() {
        let file = json!({
            "sides": [{ "id": "br", "name": "British" }, { "id": "fr", "name": "French" }],
            "options": { "turns": 9 },
            "victory": { "losses": 40, "objectives": [{ "name": "The hill", "worth": 4, "held_by": "br" }] },
            "objectives": [{ "name": "Their guns", "points": 1, "side": "fr", "take_guns": 2 }],
            "rules": ["The river cannot be forded after turn 3."],
            "numbers": { "BB-MOV-01.column": "10in" },
        });
        let terms = Terms::of(&file);
        assert_eq!(terms.turns, Some(9));
        assert_eq!(
            terms.victory,
            [
                "A side that has lost 40 % of its figures is beaten.",
                "Their guns (guns taken: 2): 1 point to the French.",
                "The hill: 4 points, held at first by the British.",
            ]
        );
        assert_eq!(terms.rules, ["The river cannot be forded after turn 3.", "BB-MOV-01.column is 10in here."]);
    }

    #[test]
    fn what_a_name_says_by_itself_is_not_said_twice_and_what_both_sides_want_is_said_once() {
        let file = json!({
            "sides": [{ "id": "fr", "name": "The French" }, { "id": "br", "name": "Graham's division" }],
            "victory": { "defender": "br" },
            "objectives": [
                { "name": "the crossroads", "side": "fr", "points": 2 },
                { "name": "the crossroads", "side": "br", "points": 2 },
                { "name": "a British unit broken", "side": "fr", "break_units": 1 },
                { "name": "the mill", "side": "fr", "points": 4 },
                { "name": "the mill", "side": "br", "points": 2 },
                { "name": "Ruin", "side": "br", "break_units": 3, "at_once": true },
            ],
        });
        assert_eq!(
            Terms::of(&file).victory,
            [
                "The crossroads: 2 points to either side.",
                "A British unit broken: 1 point to the French.",
                "The mill: 4 points to the French.",
                "The mill: 2 points to Graham's division.",
                "Ruin (units of the enemy broken: 3): 1 point to Graham's division; it wins the battle at once.",
                "Where nobody has won at the end, it is the victory of Graham's division.",
            ]
        );
    }

    #[test]
    fn who_comes_later_is_told_with_turn_and_edge_in_every_book() {
        let table = json!({ "width": 100, "depth": 80 });
        let told = |file: Json| Terms::of(&file).arrivals.into_iter().collect::<Vec<_>>();
        let line = |id: &str, when: &str| (id.to_owned(), when.to_owned());
        let huzzah = json!({ "table": table, "commands": [{ "id": "ross", "arrives": { "turn": 3, "at": [0, 60] } }],
            "units": [{ "id": "br-20", "command": "ross" }, { "id": "br-1", "command": "cole" }] });
        assert_eq!(told(huzzah), [line("br-20", "turn 3, by the west")]);
        let batteries = json!({ "table": table, "brigades": [{ "id": "b", "arrives": { "turn": 2, "at": [50, 80] } }],
            "units": [{ "id": "u", "brigade": "b" }] });
        assert_eq!(told(batteries), [line("u", "turn 2, by the north")]);
        let malbrook = json!({ "table": table, "units": [{ "id": "w", "arrives": 5, "at": [97, 30] }] });
        assert_eq!(told(malbrook), [line("w", "turn 5, by the east")]);
    }
}
