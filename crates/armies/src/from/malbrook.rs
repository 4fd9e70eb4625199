//! A scenario of Malbrook in common terms: a brigade is so many battalions together.

use serde_json::{Map, Value as Json, json};

use super::{Body, File, Lead, Read, count, entries, entry, middle, nation, word};

/// Men to a base of foot, and paces to an inch.
const MEN: u64 = 550;
const INCH: f64 = 60.0;

pub(super) fn read(file: &File<'_>) -> Read {
    let json = file.json;
    let mut read = Read { attacker: word(json, "attacker").map(str::to_owned), ..Read::default() };
    let sides = entries(json, "sides");
    for side in sides {
        let mut own = Map::new();
        if let Some(army) = entries(json, "armies").iter().find(|army| word(army, "side") == word(side, "id")) {
            for key in ["edge", "style"] {
                if let Some(value) = word(army, key) {
                    own.insert(key.into(), json!(value));
                }
            }
        }
        read.armies.push(own);
    }
    for leader in entries(json, "leaders") {
        let place = file.place(leader.get("at")).or_else(|| middle(&file.places(leader.get("zone"))));
        read.leads.push(Lead {
            id: word(leader, "id").unwrap_or_default().to_owned(),
            name: word(leader, "leads").or_else(|| word(leader, "name")).unwrap_or_default().to_owned(),
            side: word(leader, "side").unwrap_or_default().to_owned(),
            above: word(leader, "above").map(str::to_owned),
            level: match word(leader, "rank") {
                Some("marshal") => "army",
                Some("lieutenant-general") => "wing",
                _ => "brigade",
            },
            leader: word(leader, "name").unwrap_or_default().to_owned(),
            ability: match word(leader, "ability") {
                Some("superior") => Some("great"),
                Some("incompetent") => Some("poor"),
                _ => None,
            },
            at: place,
            order: match leader.get("order").and_then(|order| word(order, "kind")) {
                Some("defend" | "advance-and-defend") => Some("defend"),
                _ => None,
            },
            ..Lead::default()
        });
    }
    only_one_army(&mut read);
    for unit in entries(json, "units") {
        let kind = word(unit, "kind").unwrap_or_default();
        match arm(kind) {
            Some(arm) => {
                let body = body(file, unit, arm, kind, &read);
                read.bodies.push(body);
            }
            None => drop(read.lost.insert(word(unit, "name").unwrap_or(kind).to_owned())),
        }
    }
    read.objectives = file.objectives(entries(json, "objectives"), 3.0, &mut read.lost);
    read
}

/// The book knows armies of two Marshals; a list has one army a side, and the second has a wing of it.
fn only_one_army(read: &mut Read) {
    let mut first: Vec<(String, String)> = Vec::new();
    for lead in read.leads.iter_mut().filter(|lead| lead.level == "army") {
        match first.iter().find(|(side, _)| *side == lead.side) {
            Some((_, army)) => {
                lead.level = "wing";
                lead.above.get_or_insert(army.clone());
            }
            None => {
                lead.above = None;
                first.push((lead.side.clone(), lead.id.clone()));
            }
        }
    }
}

fn arm(kind: &str) -> Option<&'static str> {
    Some(match kind {
        "foot" => "foot",
        "converged-grenadiers" => "grenadiers",
        "horse" => "horse",
        "hussars" => "light-horse",
        "dragoons" => "dragoons",
        "dismounted-dragoons" => "dismounted-dragoons",
        "light-gun" | "medium-gun" | "heavy-gun" => "guns",
        _ => return None,
    })
}

fn body(file: &File<'_>, unit: &Json, arm: &str, kind: &str, read: &Read) -> Body {
    let experience = match word(unit, "grade") {
        Some("A") => "elite",
        Some("B") => "veteran",
        Some("D") => "green",
        Some("E") => "raw",
        _ => "steady",
    };
    let mut entry = entry(unit, None, arm, experience);
    let mounted = matches!(arm, "horse" | "light-horse" | "dragoons");
    let mixed: u64 = entries(unit, "mix").iter().filter_map(|part| count(part, "bases")).sum();
    let bases = count(unit, "bases").unwrap_or(if mixed > 0 { mixed } else { 3 }).clamp(1, 12);
    if arm == "guns" {
        entry.insert("guns".into(), json!(6));
        let pounds = match kind {
            "light-gun" => 3,
            "heavy-gun" => 16,
            _ => 8,
        };
        entry.insert("pounds".into(), json!(pounds));
    } else {
        let men = if mounted { MEN * 3 / 4 } else { MEN };
        entry.insert("strength".into(), json!(bases * men));
        let battalions = if mounted { bases.div_ceil(2) } else { bases };
        if battalions > 1 {
            entry.insert("battalions".into(), json!(battalions));
        }
    }
    let under = word(unit, "under").unwrap_or_default();
    let leads = read.leads.iter().find(|lead| lead.id == under);
    let side = word(unit, "side").unwrap_or_default();
    let n = entries(file.json, "sides").iter().position(|one| word(one, "id") == Some(side)).unwrap_or(0);
    let side_name = entries(file.json, "sides").get(n).and_then(|one| word(one, "name")).unwrap_or_default();
    let words =
        [word(unit, "name").unwrap_or_default(), leads.map(|lead| lead.name.as_str()).unwrap_or_default(), side_name];
    entry.insert("nation".into(), json!(nation::named(words).unwrap_or(nation::guessed(n))));
    let column = matches!(word(unit, "formation"), Some("field-column")) || count(unit, "ranks") == Some(2);
    let formed = match word(unit, "formation") {
        Some("march-column") => Some("march"),
        _ if column => Some("column"),
        _ => None,
    };
    if let Some(formed) = formed.filter(|_| arm != "guns") {
        entry.insert("formed".into(), json!(formed));
    }
    let across = if column { bases.div_ceil(2) } else { bases } as f64;
    let wide = if arm == "guns" { 1.5 } else { across * if mounted { 1.25 } else { 1.0 } };
    let at = file.place(unit.get("at")).or_else(|| leads.and_then(|lead| lead.at));
    let facing = unit.get("facing").and_then(Json::as_f64);
    let edge = read.armies.get(n).and_then(|army| army.get("edge")).and_then(Json::as_str);
    let away = match edge {
        Some("north") => 180.0,
        Some("east") => 270.0,
        Some("west") => 90.0,
        _ => 0.0,
    };
    Body { command: under.to_owned(), at, facing: facing.unwrap_or(away), size: (wide * INCH, INCH), entry }
}
