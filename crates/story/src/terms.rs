//! What of a battle its view does not say: how long it is, what wins, and words for people.

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
        for objective in lists.into_iter().filter_map(Json::as_array).flatten() {
            victory.push(told(file, objective));
        }
        if file["victory"]["defender"].is_string() {
            let defender = side(file, &file["victory"]["defender"]);
            victory.push(format!("Where nobody has won at the end, it is the victory of the {defender}."));
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
        }
    }
}

fn side(file: &Json, id: &Json) -> String {
    let mut sides = file["sides"].as_array().into_iter().flatten();
    sides.find(|side| side["id"] == *id).and_then(|side| side["name"].as_str()).unwrap_or_default().to_owned()
}

/// An objective in a line.
fn told(file: &Json, one: &Json) -> String {
    let points = one["points"].as_u64().or(one["worth"].as_u64()).unwrap_or(1);
    let mut line = one["name"].as_str().unwrap_or_default().to_owned();
    let count = |key: &str| one[key].as_u64();
    if let Some(guns) = count("take_guns") {
        line += &format!(" (guns taken: {guns})");
    } else if let Some(units) = count("exit") {
        line += &format!(" (units off the table in good order: {units})");
    } else if let Some(units) = count("break_units") {
        line += &format!(" (units of the enemy broken: {units})");
    } else if let Some(command) = one["break"].as_str() {
        let lists = ["commands", "brigades", "leaders"].into_iter().filter_map(|list| file[list].as_array()).flatten();
        let found = lists.into_iter().find(|entry| entry["id"] == command);
        let name = found.and_then(|entry| entry["leads"].as_str().or(entry["name"].as_str())).unwrap_or(command);
        line += &format!(" (to be broken: {name})");
    }
    line += &format!(": {points} {}", if points == 1 { "point" } else { "points" });
    if one["side"].is_string() {
        line += &format!(" to the {}", side(file, &one["side"]));
    }
    for held in [&one["held"], &one["held_by"]].into_iter().filter(|held| held.is_string()) {
        line += &format!(", held at first by the {}", side(file, held));
    }
    if one["at_once"] == true {
        line += "; it wins the battle at once";
    }
    line + "."
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
}
