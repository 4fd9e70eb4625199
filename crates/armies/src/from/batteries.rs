//! A scenario of Brigades and Batteries in common terms.

use serde_json::{Map, Value as Json, json};

use super::{Body, File, Lead, Read, count, entries, entry, nation, word, yes};

/// Men to a figure, and paces to an inch.
const MEN: u64 = 20;
const INCH: f64 = 15.0;

pub(super) fn read(file: &File<'_>) -> Read {
    let json = file.json;
    let mut read = Read::default();
    let sides = entries(json, "sides");
    let victory = json.get("victory").unwrap_or(&Json::Null);
    let defender = word(victory, "defender");
    read.attacker = sides
        .iter()
        .filter_map(|side| word(side, "id"))
        .find(|id| defender.is_some_and(|own| own != *id))
        .map(str::to_owned);
    read.breaks_at = count(victory, "losses");
    let brigades = entries(json, "brigades");
    for side in sides {
        let mut own = Map::new();
        let mine = brigades.iter().find(|brigade| word(brigade, "side") == word(side, "id"));
        if let Some(edge) = mine.and_then(|brigade| word(brigade, "baseline")) {
            own.insert("edge".into(), json!(edge));
        }
        read.armies.push(own);
    }
    let generals = entries(json, "generals");
    for general in generals.iter().filter(|one| yes(one, "commander_in_chief")) {
        let side = word(general, "side").unwrap_or_default();
        let name = sides
            .iter()
            .find(|one| word(one, "id") == Some(side))
            .and_then(|one| word(one, "name"))
            .unwrap_or_default();
        let army = lead(file, Some(general), &format!("{side}-army"), &format!("The army of the {name}"), side, "army");
        read.leads.push(army);
    }
    for brigade in brigades {
        let id = word(brigade, "id").unwrap_or_default();
        let general = generals.iter().find(|one| word(one, "brigade") == Some(id));
        let (name, side) = (word(brigade, "name").unwrap_or_default(), word(brigade, "side").unwrap_or_default());
        let mut lead = lead(file, general, id, name, side, "brigade");
        let arrives = brigade.get("arrives");
        lead.arrives = arrives.and_then(|one| Some((count(one, "turn")?, file.place(one.get("at"))?)));
        read.leads.push(lead);
    }
    for unit in entries(json, "units").iter().filter(|unit| unit.get("screen_of").is_none()) {
        let id = word(unit, "brigade").unwrap_or_default();
        let brigade = brigades.iter().find(|one| word(one, "id") == Some(id));
        read.bodies.push(body(file, unit, brigade, sides));
    }
    let older = victory.get("objectives").and_then(Json::as_array).cloned().unwrap_or_default();
    let places: Vec<Json> = entries(json, "objectives").iter().cloned().chain(older).collect();
    read.objectives = file.objectives(&places, 1.0, &mut read.lost);
    read
}

fn lead(file: &File<'_>, general: Option<&Json>, id: &str, name: &str, side: &str, level: &'static str) -> Lead {
    Lead {
        id: id.to_owned(),
        name: name.to_owned(),
        side: side.to_owned(),
        level,
        leader: general.and_then(|one| word(one, "name")).unwrap_or("Its senior colonel").to_owned(),
        ability: general.and_then(|one| count(one, "charisma")).map(|charisma| match charisma {
            0 => "poor",
            1 => "ordinary",
            _ => "great",
        }),
        at: general.and_then(|one| file.place(one.get("at"))),
        ..Lead::default()
    }
}

fn body(file: &File<'_>, unit: &Json, brigade: Option<&Json>, sides: &[Json]) -> Body {
    let side = brigade.and_then(|one| word(one, "side"));
    let side = sides.iter().position(|one| word(one, "id") == side).unwrap_or(0);
    let arm = match word(unit, "arm") {
        Some("guns") if yes(unit, "horse") => "horse-guns",
        Some("guns") => "guns",
        Some("horse") => match word(unit, "weight") {
            Some("cuirassier") => "heavy-horse",
            Some("heavy") => "horse",
            _ => "light-horse",
        },
        _ if yes(unit, "light") => "light-foot",
        _ => "foot",
    };
    let experience = match word(unit, "grade") {
        Some("A") => "elite",
        Some("B") => "veteran",
        Some("D") => "trained",
        Some("E") => "green",
        Some("F") => "raw",
        _ => "steady",
    };
    let mut entry = entry(unit, None, arm, experience);
    let guns = word(unit, "arm") == Some("guns");
    let horse = word(unit, "arm") == Some("horse");
    let per = count(unit, "per_stand").unwrap_or(if horse { 3 } else { 4 }).max(1);
    let figures = count(unit, "start").or_else(|| count(unit, "figures")).unwrap_or(24);
    let models = count(unit, "models").unwrap_or(3);
    let stands = figures.div_ceil(per).max(1);
    let across = count(unit, "width").unwrap_or(stands).max(1);
    if guns {
        entry.insert("guns".into(), json!(models * 2));
        let pounds = count(unit, "pounds").unwrap_or(match word(unit, "class") {
            Some("light") => 4,
            Some("heavy") => 12,
            _ => 6,
        });
        entry.insert("pounds".into(), json!(pounds));
    } else {
        entry.insert("strength".into(), json!(figures * MEN));
    }
    for (key, told) in [("rifles", word(unit, "weapon") == Some("rifle")), ("lances", yes(unit, "lance"))] {
        if told {
            entry.insert(key.into(), json!(true));
        }
    }
    let own = word(unit, "nation").or_else(|| brigade.and_then(|one| word(one, "nation"))).map(nation::of_batteries);
    let side_name = sides.get(side).and_then(|one| word(one, "name")).unwrap_or_default();
    let named = || nation::named([word(unit, "name").unwrap_or_default(), side_name]);
    entry.insert("nation".into(), json!(own.or_else(named).unwrap_or(nation::guessed(side))));
    let formed = match word(unit, "formation") {
        Some("skirmish" | "extended") => "skirmish",
        Some("line" | "bent") => "line",
        Some(_) => "column",
        None if across <= 1 => "march",
        None if across <= 2 => "column",
        None => "line",
    };
    if !guns {
        entry.insert("formed".into(), json!(formed));
    } else if yes(unit, "limbered") {
        entry.insert("formed".into(), json!("march"));
    }
    if let Some(block) = word(unit, "inside") {
        entry.insert("holds".into(), json!(block.replace(['_', ' '], "-")));
    }
    let wide = if guns { models as f64 } else { 1.5 * across as f64 * if formed == "skirmish" { 2.0 } else { 1.0 } };
    Body {
        command: word(unit, "brigade").unwrap_or_default().to_owned(),
        at: file.place(unit.get("at")),
        facing: unit.get("facing").and_then(Json::as_f64).unwrap_or_default(),
        size: (wide * INCH, INCH * 1.5),
        entry,
    }
}
