//! A list as a scenario of Brigades and Batteries: twenty men to a figure, two guns to a model.

use serde_json::{Map, Value as Json, json};

use crate::front;
use crate::ground;
use crate::huzzah::edge;
use crate::lay::{Footprint, Frame, Placed, coat, formed, nation, part_name, side};
use crate::list::{Ability, Arm, Command, Experience, Formed, GroundKind, Hand, Level, List, Objective, Unit};

/// Paces to the inch, by the book.
const PACES: f64 = 15.0;
/// Men to a figure.
const MEN: u32 = 20;

/// The scenario.
pub(crate) fn write(list: &List) -> Json {
    let frame = Frame::new(list, "batteries", PACES, 20.0);
    let mut file = front(list, "batteries", "in", &frame);
    file.insert("turns".into(), json!(list.books.get("batteries").and_then(|own| own.turns).unwrap_or(list.turns)));
    file.insert("options".into(), json!({ "national_modifiers": true, "skirmish_screens": true, "pursuit": true }));
    file.insert("victory".into(), victory(list));
    file.insert("objectives".into(), list.objectives.iter().map(|place| objective(place, &frame)).collect());
    let men = list.books.get("batteries").and_then(|own| own.men).unwrap_or(MEN).max(1);
    let (mut brigades, mut generals, mut units) = (Vec::new(), Vec::new(), Vec::new());
    for command in &list.commands {
        let (placed, behind) = frame.lay(list, command, &|unit, formed| footprint(unit, formed, men), true);
        let mut general = Map::new();
        general.insert("id".into(), json!(format!("gen-{}", command.id)));
        general.insert("name".into(), json!(command.leader));
        general.insert("side".into(), json!(side(list, command)));
        match command.level {
            Level::Army => drop(general.insert("commander_in_chief".into(), json!(true))),
            // The book knows brigadiers and one commander-in-chief, and nobody between them.
            Level::Wing => continue,
            Level::Brigade => {
                general.insert("brigade".into(), json!(command.id));
                brigades.push(brigade(list, command, &frame));
            }
        }
        general.insert("charisma".into(), json!(charisma(command)));
        general.insert("at".into(), json!(behind));
        generals.push(Json::Object(general));
        for one in placed {
            units.push(unit(command, &one, men));
        }
    }
    file.insert("brigades".into(), Json::Array(brigades));
    file.insert("generals".into(), Json::Array(generals));
    file.insert("units".into(), Json::Array(units));
    file.insert("ground".into(), ground::write(list, &frame, ground::batteries));
    let terrain = terrain(list);
    if !terrain.is_empty() {
        file.insert("terrain".into(), Json::Array(terrain));
    }
    Json::Object(file)
}

fn brigade(list: &List, command: &Command, frame: &Frame) -> Json {
    let mine = side(list, command);
    let baseline = list.sides.iter().find(|one| one.id == mine).map(|one| edge(one.edge));
    let mut entry = json!({ "id": command.id, "name": command.name, "side": mine, "baseline": baseline });
    if let Some(arrives) = command.arrives {
        entry["arrives"] = json!({ "turn": arrives.turn, "at": frame.place(arrives.at) });
    }
    entry
}

fn charisma(command: &Command) -> u8 {
    let own = match command.ability {
        Ability::Great => 2,
        Ability::Able | Ability::Ordinary => 1,
        Ability::Poor => 0,
    };
    (own + u8::from(command.inspiring)).min(2)
}

fn is_horse(unit: &Unit) -> bool {
    matches!(unit.arm, Arm::LightHorse | Arm::Horse | Arm::HeavyHorse | Arm::Dragoons)
}

/// Whole stands: of four on foot, of three on horseback.
fn figures(unit: &Unit, each: u32) -> u32 {
    let men = unit.strength / u32::from(unit.battalions.max(1));
    let stand = if is_horse(unit) { 3 } else { 4 };
    let (least, most) = if is_horse(unit) { (12, 24) } else { (16, 36) };
    let stands = (men + each * stand / 2) / (each * stand);
    (stands * stand).clamp(least, most)
}

fn models(unit: &Unit) -> u8 {
    unit.guns.div_ceil(2).clamp(1, 6)
}

/// Stands across.
fn across(unit: &Unit, formed: Formed, men: u32) -> u32 {
    let stands = figures(unit, men) / if is_horse(unit) { 3 } else { 4 };
    match formed {
        Formed::Line if is_horse(unit) => stands.min(4),
        Formed::Line => stands.min(6),
        Formed::Skirmish if !is_horse(unit) => stands.min(3),
        Formed::March => 1,
        Formed::Column | Formed::Skirmish => 2,
    }
}

fn footprint(unit: &Unit, formed: Formed, men: u32) -> Footprint {
    if matches!(unit.arm, Arm::Guns | Arm::HorseGuns) {
        return match formed {
            Formed::March => (1.0, 1.5 * f64::from(models(unit))),
            _ => (f64::from(models(unit)), 1.5),
        };
    }
    let horse = is_horse(unit);
    let across = across(unit, formed, men);
    let rows = (figures(unit, men) / if horse { 3 } else { 4 }).div_ceil(across);
    let spread = if formed == Formed::Skirmish && !horse { 2.0 } else { 1.0 };
    (1.5 * spread * f64::from(across), f64::from(rows) * if horse { 1.0 } else { 0.5 })
}

fn unit(command: &Command, placed: &Placed<'_>, men: u32) -> Json {
    let (unit, (id, name)) = (placed.unit, part_name(placed.unit, placed.part));
    let guns = matches!(unit.arm, Arm::Guns | Arm::HorseGuns);
    let formed = formed(command, unit);
    let mut entry = Map::new();
    entry.insert("id".into(), json!(id));
    entry.insert("name".into(), json!(name));
    entry.insert("brigade".into(), json!(command.id));
    entry.insert(
        "arm".into(),
        json!(if guns {
            "guns"
        } else if is_horse(unit) {
            "horse"
        } else {
            "foot"
        }),
    );
    entry.insert("grade".into(), json!(grade(unit.experience)));
    match unit.arm {
        Arm::LightFoot => drop(entry.insert("light".into(), json!(true))),
        Arm::LightHorse => drop(entry.insert("weight".into(), json!("light"))),
        Arm::Horse | Arm::Dragoons | Arm::HeavyHorse => drop(entry.insert("weight".into(), json!("heavy"))),
        Arm::Guns | Arm::HorseGuns => {
            let class = match unit.pounds {
                0..=4 => "light",
                5..=9 => "field",
                _ => "heavy",
            };
            entry.insert("class".into(), json!(class));
            entry.insert("models".into(), json!(models(unit)));
            if unit.arm == Arm::HorseGuns {
                entry.insert("horse".into(), json!(true));
            }
        }
        Arm::Foot | Arm::Grenadiers | Arm::DismountedDragoons => {}
    }
    if unit.rifles {
        entry.insert("weapon".into(), json!("rifle"));
    }
    if unit.lances {
        entry.insert("lance".into(), json!(true));
    }
    if guns {
        if formed == Formed::March {
            entry.insert("limbered".into(), json!(true));
            entry.insert("width".into(), json!(1));
        }
    } else {
        entry.insert("start".into(), json!(figures(unit, men)));
        if !is_horse(unit) {
            let word = match formed {
                Formed::Line if across(unit, formed, men) > 2 => "line",
                Formed::Skirmish if unit.arm == Arm::LightFoot => "skirmish",
                _ => "column",
            };
            entry.insert("formation".into(), json!(word));
        }
        entry.insert("width".into(), json!(across(unit, formed, men)));
    }
    if let Some(word) = nation(command, unit).in_batteries().filter(|_| !guns && !is_horse(unit)) {
        entry.insert("nation".into(), json!(word));
    }
    entry.insert("at".into(), json!(placed.at));
    entry.insert("facing".into(), json!(placed.facing));
    if let Some(village) = &unit.holds {
        entry.insert("inside".into(), json!(village));
    }
    entry.insert("coat".into(), json!(coat(command, unit)));
    if let Some(facings) = &unit.facings {
        entry.insert("facings".into(), json!(facings));
    }
    Json::Object(entry)
}

fn grade(experience: Experience) -> &'static str {
    match experience {
        Experience::Elite => "A",
        Experience::Veteran => "B",
        Experience::Steady => "C",
        Experience::Trained => "D",
        Experience::Green => "E",
        Experience::Raw => "F",
    }
}

fn victory(list: &List) -> Json {
    json!({ "losses": list.sides.iter().map(|side| side.breaks_at).max().unwrap_or(40) })
}

/// A place is worth its points to whoever holds it at the end.
fn objective(place: &Objective, frame: &Frame) -> Json {
    let mut entry = Map::new();
    entry.insert("id".into(), json!(place.id));
    entry.insert("name".into(), json!(place.name));
    entry.insert("hold".into(), json!(frame.place(place.at)));
    entry.insert("radius".into(), json!(frame.length(place.radius)));
    entry.insert("points".into(), json!(place.points));
    if let Some(side) = &place.held_by {
        entry.insert("held_by".into(), json!(side));
    }
    Json::Object(entry)
}

/// What the book asks of villages and works beside their shape.
fn terrain(list: &List) -> Vec<Json> {
    let of = |piece: &crate::list::Ground| match piece.kind {
        GroundKind::Village => Some(json!({ "ground": piece.id, "capacity": 36 })),
        GroundKind::Works if piece.line.len() > 1 => {
            let (from, to) = (piece.line[0], piece.line[piece.line.len() - 1]);
            let along = (to[0] - from[0]).atan2(to[1] - from[1]).to_degrees();
            let out = along + if piece.outside == Hand::Left { -90.0 } else { 90.0 };
            Some(json!({ "ground": piece.id, "front": out.rem_euclid(360.0).round() }))
        }
        _ => None,
    };
    list.ground.iter().filter_map(of).collect()
}
