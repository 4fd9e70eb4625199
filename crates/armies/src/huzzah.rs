//! A list as a scenario of Huzzah!: battalions of four stands, a pace to the millimetre.

use std::collections::BTreeSet;

use serde_json::{Map, Value as Json, json};

use crate::front;
use crate::ground;
use crate::lay::{Footprint, Frame, coat, formed, nation, part_name, side};
use crate::list::{Ability, Arm, Command, Edge, Experience, Formed, Level, List, Nation, Unit};

/// Paces to the centimetre, by the book.
const PACES: f64 = 10.0;
/// Fewer men than this are a small unit.
const SMALL: u32 = 350;

/// The scenario.
pub(crate) fn write(list: &List) -> Json {
    let frame = Frame::new(list, "huzzah", PACES, 10.0);
    let mut file = front(list, "huzzah", "cm", &frame);
    let turns = list.books.get("huzzah").and_then(|own| own.turns).unwrap_or(list.turns);
    file.insert("turns".into(), json!(turns));
    file.insert("options".into(), json!({ "first": list.attacker, "attacker": list.attacker, "cavalry_stands": 4 }));
    file.insert("armies".into(), list.sides.iter().map(|side| army(list, side, &frame)).collect());
    file.insert("contingents".into(), contingents(list));
    file.insert("commands".into(), list.commands.iter().map(|one| command(list, one, &frame)).collect());
    let (mut officers, mut units) = (Vec::new(), Vec::new());
    for command in &list.commands {
        let (placed, behind) = frame.lay(list, command, &footprint, true);
        let mut officer = Map::new();
        officer.insert("id".into(), json!(format!("gen-{}", command.id)));
        officer.insert("name".into(), json!(command.leader));
        officer.insert("command".into(), json!(command.id));
        officer.insert("ability".into(), json!(ability(command.ability)));
        if command.inspiring {
            officer.insert("inspirational".into(), json!(true));
        }
        match command.arrives {
            Some(_) => officer.insert("status".into(), json!("awaited")),
            None => officer.insert("at".into(), json!(behind)),
        };
        officers.push(Json::Object(officer));
        for one in placed {
            let (id, name) = part_name(one.unit, one.part);
            units.push(unit(list, command, one.unit, (id, name), one.at, one.facing));
        }
    }
    file.insert("officers".into(), Json::Array(officers));
    file.insert("units".into(), Json::Array(units));
    file.insert("objectives".into(), objectives(list, &frame));
    file.insert("ground".into(), ground::write(list, &frame, ground::huzzah));
    Json::Object(file)
}

fn footprint(unit: &Unit, formed: Formed) -> Footprint {
    let stands = f64::from(stands(unit));
    match (unit.arm, formed) {
        (Arm::Guns | Arm::HorseGuns, Formed::March) => (4.0, 8.0),
        (Arm::Guns | Arm::HorseGuns, _) => (8.0, 4.0),
        (_, Formed::March) => (4.0, 4.0 * stands),
        (_, Formed::Column) => (8.0, 4.0 * (stands / 2.0).ceil()),
        (_, Formed::Line) => (4.0 * stands, 4.0),
        (_, Formed::Skirmish) => (8.0 * stands - 4.0, 4.0),
    }
}

fn stands(unit: &Unit) -> u8 {
    let each = unit.strength / u32::from(unit.battalions.max(1));
    let horse = matches!(unit.arm, Arm::LightHorse | Arm::Horse | Arm::HeavyHorse | Arm::Dragoons);
    if each < SMALL && !horse { 2 } else { 4 }
}

fn army(list: &List, side: &crate::list::Side, frame: &Frame) -> Json {
    let (width, depth) = (list.field.width, list.field.depth);
    let middle = match side.edge {
        Edge::North => [width / 2.0, depth],
        Edge::South => [width / 2.0, 0.0],
        Edge::East => [width, depth / 2.0],
        Edge::West => [0.0, depth / 2.0],
    };
    let home = frame.place(side.road_home.unwrap_or(middle));
    json!({ "id": side.id, "skirmish": ability(side.skirmishers), "baseline": edge(side.edge), "communication": home })
}

/// The word that all three books have for an edge.
pub(crate) fn edge(edge: Edge) -> &'static str {
    match edge {
        Edge::North => "north",
        Edge::East => "east",
        Edge::South => "south",
        Edge::West => "west",
    }
}

fn ability(ability: Ability) -> &'static str {
    match ability {
        Ability::Great => "excellent",
        Ability::Able => "skilful",
        Ability::Ordinary => "average",
        Ability::Poor => "poor",
    }
}

/// One for each nation of a side, and for each colour of coat within it.
fn contingents(list: &List) -> Json {
    let mut seen = BTreeSet::new();
    let mut all = Vec::new();
    for command in &list.commands {
        for unit in list.units.iter().filter(|unit| unit.command == command.id) {
            let (nation, coat) = (nation(command, unit), coat(command, unit));
            let id = contingent(command, unit);
            if !seen.insert((side(list, command).to_owned(), id.clone())) {
                continue;
            }
            let mut entry = Map::new();
            entry.insert("id".into(), json!(id));
            entry.insert("name".into(), json!(nation.people()));
            entry.insert("side".into(), json!(side(list, command)));
            entry.insert("bombardment_factor".into(), json!(2));
            if nation.attacks_in_column() {
                entry.insert("doctrine_attack".into(), json!(["column", "line"]));
            } else {
                entry.insert("doctrine_attack".into(), json!(["line"]));
                entry.insert("doctrine_defence".into(), json!(["line"]));
            }
            entry.insert("coat".into(), json!(coat));
            all.push(Json::Object(entry));
        }
    }
    Json::Array(all)
}

/// Coats belong to contingents, so that riflemen in green are one of their own.
fn contingent(command: &Command, unit: &Unit) -> String {
    let (nation, coat): (Nation, String) = (nation(command, unit), coat(command, unit));
    if coat == nation.coat() {
        nation.id().to_owned()
    } else {
        format!("{}-{}", nation.id(), coat.trim_start_matches('#'))
    }
}

fn command(list: &List, command: &Command, frame: &Frame) -> Json {
    let level = match command.level {
        Level::Army => "army",
        Level::Wing => "division",
        Level::Brigade => "brigade",
    };
    let mut entry = Map::new();
    entry.insert("id".into(), json!(command.id));
    entry.insert("name".into(), json!(command.name));
    entry.insert("side".into(), json!(side(list, command)));
    entry.insert("level".into(), json!(level));
    if let Some(above) = &command.part_of {
        entry.insert("part_of".into(), json!(above));
    }
    if let Some(arrives) = command.arrives {
        entry.insert("arrives".into(), json!({ "turn": arrives.turn, "at": frame.place(arrives.at) }));
    }
    Json::Object(entry)
}

fn unit(list: &List, command: &Command, unit: &Unit, (id, name): (String, String), at: [f64; 2], facing: f64) -> Json {
    let mut entry = Map::new();
    entry.insert("id".into(), json!(id));
    entry.insert("name".into(), json!(name));
    entry.insert("command".into(), json!(command.id));
    entry.insert("contingent".into(), json!(contingent(command, unit)));
    let light = matches!(unit.arm, Arm::LightFoot);
    let arm = match unit.arm {
        Arm::Foot | Arm::LightFoot | Arm::Grenadiers | Arm::DismountedDragoons => "infantry",
        Arm::LightHorse | Arm::Horse | Arm::HeavyHorse | Arm::Dragoons => "cavalry",
        Arm::Guns | Arm::HorseGuns => "artillery",
    };
    entry.insert("arm".into(), json!(arm));
    if arm == "infantry" && stands(unit) != 4 {
        entry.insert("stands".into(), json!(stands(unit)));
    }
    match unit.arm {
        Arm::HeavyHorse => drop(entry.insert("horse".into(), json!("battle"))),
        Arm::LightHorse | Arm::Horse | Arm::Dragoons => drop(entry.insert("horse".into(), json!("plain"))),
        Arm::Guns | Arm::HorseGuns => {
            let weight = match unit.pounds {
                0..=4 => "light",
                5..=9 => "medium",
                _ => "heavy",
            };
            entry.insert("guns".into(), json!(weight));
            entry.insert("gun_count".into(), json!(unit.guns));
            entry.insert("draught".into(), json!(if unit.arm == Arm::HorseGuns { "horse" } else { "foot" }));
        }
        _ => {}
    }
    entry.insert("quality".into(), json!(quality(unit.experience)));
    let mut abilities = Map::new();
    if light {
        abilities.insert("skirmish".into(), json!(true));
        abilities.insert("open_order".into(), json!(true));
    }
    if unit.renowned {
        abilities.insert("renown".into(), json!(true));
    }
    if (arm == "infantry" && stands(unit) < 4) || (arm == "artillery" && unit.guns < 4) {
        abilities.insert("small".into(), json!(true));
    }
    if !abilities.is_empty() {
        entry.insert("abilities".into(), Json::Object(abilities));
    }
    let formation = match (arm, formed(command, unit)) {
        (_, Formed::March) => "march_column",
        ("artillery", _) | (_, Formed::Line) => "line",
        ("infantry", Formed::Skirmish) => "open_order",
        (_, Formed::Column | Formed::Skirmish) => "column",
    };
    if command.arrives.is_some() {
        entry.insert("formation".into(), json!("march_column"));
        entry.insert("presence".into(), json!("awaited"));
    } else if let Some(village) = &unit.holds {
        entry.insert("formation".into(), json!("garrison"));
        entry.insert("sector".into(), json!(village));
        entry.insert("facing".into(), json!(facing));
    } else {
        entry.insert("formation".into(), json!(formation));
        entry.insert("at".into(), json!(at));
        entry.insert("facing".into(), json!(facing));
    }
    let side_colour = list.sides.iter().find(|one| one.id == side(list, command)).map(|one| one.colour.clone());
    if let Some(facings) = unit.facings.clone().or(side_colour) {
        entry.insert("facings".into(), json!(facings));
    }
    Json::Object(entry)
}

fn quality(experience: Experience) -> &'static str {
    match experience {
        Experience::Elite => "veteran",
        Experience::Veteran => "experienced",
        Experience::Steady | Experience::Trained => "trained",
        Experience::Green => "green",
        Experience::Raw => "raw",
    }
}

/// A place is worth its points to either side; so is breaking the enemy, half way and to the point where he is beaten.
fn objectives(list: &List, frame: &Frame) -> Json {
    let mut all = Vec::new();
    for side in &list.sides {
        for place in &list.objectives {
            all.push(json!({
                "id": format!("{}-{}", side.id, place.id), "name": place.name, "side": side.id, "points": place.points,
                "hold": frame.place(place.at),
            }));
        }
        let Some(enemy) = list.sides.iter().find(|other| other.id != side.id) else { continue };
        let theirs = |unit: &&Unit| {
            list.commands.iter().any(|one| one.id == unit.command && crate::lay::side(list, one) == enemy.id)
        };
        let count: u32 = list.units.iter().filter(theirs).map(|unit| u32::from(unit.battalions)).sum();
        let beaten = (count * u32::from(enemy.breaks_at)).div_ceil(100).max(2);
        for (id, units, points) in [("losses", beaten.div_ceil(2), 2), ("ruin", beaten, 4)] {
            all.push(json!({
                "id": format!("{}-{id}", side.id), "name": format!("{units} units of the {} broken", enemy.name),
                "side": side.id, "points": points, "break_units": units,
            }));
        }
    }
    Json::Array(all)
}
