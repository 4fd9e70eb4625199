//! A scenario of Huzzah! in common terms.

use serde_json::{Map, Value as Json, json};

use super::{Body, File, Lead, Read, count, entries, entry, nation, word, yes};

/// Men to a stand of foot, and to one of horse.
const FOOT: u64 = 150;
const HORSE: u64 = 110;

pub(super) fn read(file: &File<'_>) -> Read {
    let json = file.json;
    let mut read = Read::default();
    let options = json.get("options");
    read.attacker = options.and_then(|own| word(own, "attacker").or_else(|| word(own, "first"))).map(str::to_owned);
    let sides = entries(json, "sides");
    for side in sides {
        let army = entries(json, "armies").iter().find(|army| word(army, "id") == word(side, "id"));
        read.armies.push(army.map(|army| about_army(file, army)).unwrap_or_default());
    }
    for command in entries(json, "commands") {
        read.leads.push(lead(file, command));
    }
    for (n, unit) in entries(json, "units").iter().enumerate() {
        if matches!(
            word(unit, "presence"),
            Some("shattered" | "routed_off" | "retired_off" | "destroyed" | "disbanded")
        ) {
            continue;
        }
        let command = word(unit, "command").unwrap_or_default();
        let side = read.leads.iter().find(|lead| lead.id == command).map(|lead| lead.side.clone()).unwrap_or_default();
        let side = sides.iter().position(|one| word(one, "id") == Some(&side)).unwrap_or(0);
        read.bodies.push(body(file, unit, command, side, n));
    }
    let objectives = entries(json, "objectives");
    // What is to be broken every list has of itself.
    let places: Vec<Json> = objectives.iter().filter(|one| one.get("break_units").is_none()).cloned().collect();
    read.objectives = file.objectives(&places, 1.0, &mut read.lost);
    read
}

fn about_army(file: &File<'_>, army: &Json) -> Map<String, Json> {
    let mut own = Map::new();
    if let Some(edge) = word(army, "baseline") {
        own.insert("edge".into(), json!(edge));
    }
    if let Some(home) = file.place(army.get("communication")) {
        own.insert("road_home".into(), json!(home));
    }
    if let Some(ability) = word(army, "skirmish").map(ability) {
        own.insert("skirmishers".into(), json!(ability));
    }
    own
}

fn ability(word: &str) -> &'static str {
    match word {
        "excellent" => "great",
        "skilful" => "able",
        "average" => "ordinary",
        _ => "poor",
    }
}

fn lead(file: &File<'_>, command: &Json) -> Lead {
    let id = word(command, "id").unwrap_or_default();
    let officer = entries(file.json, "officers").iter().find(|one| word(one, "command") == Some(id));
    let arrives = command.get("arrives");
    Lead {
        id: id.to_owned(),
        name: word(command, "name").unwrap_or_default().to_owned(),
        side: word(command, "side").unwrap_or_default().to_owned(),
        above: word(command, "part_of").map(str::to_owned),
        level: match word(command, "level") {
            Some("army") => "army",
            Some("corps" | "division") => "wing",
            _ => "brigade",
        },
        leader: officer.and_then(|one| word(one, "name")).unwrap_or("Its colonel").to_owned(),
        ability: officer.and_then(|one| word(one, "ability")).map(ability),
        inspiring: officer.is_some_and(|one| yes(one, "inspirational")),
        at: officer.and_then(|one| file.place(one.get("at"))),
        arrives: arrives.and_then(|one| Some((count(one, "turn")?, file.place(one.get("at"))?))),
        order: None,
    }
}

fn body(file: &File<'_>, unit: &Json, command: &str, side: usize, n: usize) -> Body {
    let contingent = contingent(file.json, unit, command, side);
    let abilities = unit.get("abilities").unwrap_or(&Json::Null);
    let name = word(unit, "name").unwrap_or_default();
    let arm = match word(unit, "arm") {
        Some("artillery") if word(unit, "draught") == Some("horse") => "horse-guns",
        Some("artillery") => "guns",
        Some("cavalry") if matches!(word(unit, "horse"), Some("battle" | "battle_pursuit")) => "heavy-horse",
        Some("cavalry") if name.to_lowercase().contains("dragoon") => "dragoons",
        Some("cavalry") => "light-horse",
        _ if yes(abilities, "skirmish") || yes(abilities, "open_order") => "light-foot",
        _ => "foot",
    };
    let experience = match word(unit, "quality") {
        Some("veteran") => "elite",
        Some("experienced") => "veteran",
        Some("green") => "green",
        Some("raw" | "unreliable") => "raw",
        _ => "steady",
    };
    let mut entry = entry(unit, None, arm, experience);
    let foot = word(unit, "arm") == Some("infantry");
    let stands = count(unit, "stands").unwrap_or(if yes(abilities, "small") && foot { 2 } else { 4 });
    match arm {
        "guns" | "horse-guns" => {
            entry.insert(
                "guns".into(),
                json!(count(unit, "gun_count").unwrap_or(if yes(abilities, "small") { 3 } else { 6 })),
            );
            let pounds = match word(unit, "guns") {
                Some("light") => 4,
                Some("heavy") => 12,
                _ => 6,
            };
            entry.insert("pounds".into(), json!(pounds));
        }
        _ => drop(entry.insert("strength".into(), json!(stands * if foot { FOOT } else { HORSE }))),
    }
    if yes(abilities, "renown") {
        entry.insert("renowned".into(), json!(true));
    }
    let words = contingent.iter().filter_map(|one| word(one, "name")).chain([name]);
    entry.insert("nation".into(), json!(nation::named(words).unwrap_or(nation::guessed(side))));
    if let Some(coat) = contingent.and_then(|one| word(one, "coat")).filter(|_| !entry.contains_key("coat")) {
        entry.insert("coat".into(), json!(coat));
    }
    let (formed, across) = match word(unit, "formation") {
        Some("line") => ("line", stands),
        Some("open_order") => ("skirmish", 2 * stands),
        Some("march_column") => ("march", 1),
        _ => ("column", 2),
    };
    if arm != "guns" && arm != "horse-guns" || formed == "march" {
        entry.insert("formed".into(), json!(formed));
    }
    if let Some(sector) = word(unit, "sector") {
        entry.insert("holds".into(), json!(sector.replace(['_', ' '], "-")));
    }
    let place = file.place(unit.get("at")).or_else(|| {
        let sector = word(unit, "sector")?;
        let ground = entries(file.json, "ground").iter().find(|piece| word(piece, "id") == Some(sector))?;
        super::middle(&file.places(ground.get("area")))
    });
    let facing = unit.get("facing").and_then(Json::as_f64).unwrap_or_default();
    if entry.get("id").and_then(Json::as_str).is_none_or(str::is_empty) {
        entry.insert("id".into(), json!(format!("unit-{}", n + 1)));
    }
    Body { command: command.to_owned(), at: place, facing, size: (40.0 * across as f64, 40.0), entry }
}

/// The contingent of a unit: its own, that of its command or of one above it, or the only one that its side has.
fn contingent<'a>(json: &'a Json, unit: &'a Json, command: &str, side: usize) -> Option<&'a Json> {
    let mut id = word(unit, "contingent");
    let mut here = Some(command);
    let commands = entries(json, "commands");
    for _ in 0..commands.len() {
        let Some(command) = here.and_then(|id| commands.iter().find(|one| word(one, "id") == Some(id))) else { break };
        id = id.or_else(|| word(command, "contingent"));
        here = word(command, "part_of");
    }
    let all = entries(json, "contingents");
    let side = entries(json, "sides").get(side).and_then(|one| word(one, "id"));
    let own = || all.iter().find(|one| word(one, "side") == side);
    id.and_then(|id| all.iter().find(|one| word(one, "id") == Some(id))).or_else(own)
}
