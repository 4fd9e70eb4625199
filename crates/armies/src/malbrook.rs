//! A list as a scenario of Malbrook: brigades, a base to a battalion or to three squadrons.

use serde_json::{Map, Value as Json, json};

use crate::front;
use crate::ground;
use crate::huzzah::edge;
use crate::lay::{Footprint, Frame, Placed, coat, side};
use crate::list::{Ability, Arm, Command, Experience, Formed, GroundKind, Level, List, Order, Style, Unit};

/// Paces to the inch, by the book.
const PACES: f64 = 60.0;
/// Men to a base of foot: a battalion.
const MEN: u32 = 550;

/// The scenario.
pub(crate) fn write(list: &List) -> Json {
    let list = &brigaded(list);
    let frame = Frame::new(list, "malbrook", PACES, 100.0);
    let mut file = front(list, "malbrook", "in", &frame);
    file.insert("turns".into(), json!(list.books.get("malbrook").and_then(|own| own.turns).unwrap_or(list.turns)));
    file.insert("attacker".into(), json!(list.attacker));
    let army = |side: &crate::list::Side| {
        let style = if side.style == Style::New { "new" } else { "traditional" };
        json!({ "side": side.id, "style": style, "edge": edge(side.edge) })
    };
    file.insert("armies".into(), list.sides.iter().map(army).collect());
    let men = list.books.get("malbrook").and_then(|own| own.men).unwrap_or(MEN);
    let (mut leaders, mut units, mut positions) = (Vec::new(), Vec::new(), Vec::new());
    for command in &list.commands {
        let (placed, behind) = frame.lay(list, command, &|unit, formed| footprint(unit, formed, men), false);
        let mut leader = leader(list, command);
        if command.level == Level::Wing {
            leader.insert("order".into(), order(command, &wing_places(list, command, &frame), &mut positions));
        }
        leader.insert("at".into(), json!(behind));
        leaders.push(Json::Object(leader));
        units.extend(placed.iter().map(|one| unit(list, command, one, men)));
    }
    if !positions.is_empty() {
        file.insert("positions".into(), Json::Array(positions));
    }
    file.insert("objectives".into(), objectives(list, &frame));
    file.insert("leaders".into(), Json::Array(leaders));
    file.insert("units".into(), Json::Array(units));
    let mut ground = ground::write(list, &frame, ground::malbrook);
    if let Json::Array(all) = &mut ground {
        all.extend(crossings(list, &frame));
        // A line has no width in this book.
        for piece in all.iter_mut().filter_map(Json::as_object_mut) {
            piece.shift_remove("width");
        }
    }
    file.insert("ground".into(), ground);
    Json::Object(file)
}

/// The list with the single battalions of a command gathered to brigades: those of one arm, in one row.
fn brigaded(list: &List) -> List {
    let mut list = list.clone();
    let mut units: Vec<Unit> = Vec::new();
    for unit in std::mem::take(&mut list.units) {
        let alike = |other: &&mut Unit| {
            let near =
                other.command == unit.command && other.row == unit.row && other.at.is_none() && unit.at.is_none();
            near && kind(other) == kind(&unit) && other.battalions + unit.battalions <= 6 && unit.guns == 0
        };
        match units.iter_mut().rev().find(alike).filter(|other| other.battalions == 1 || unit.battalions == 1) {
            Some(brigade) => {
                brigade.experience = brigade.experience.max(unit.experience);
                brigade.strength += unit.strength;
                brigade.battalions += unit.battalions;
                brigade.name = list
                    .commands
                    .iter()
                    .find(|command| command.id == unit.command)
                    .map_or_else(|| brigade.name.clone(), |command| command.name.clone());
            }
            None => units.push(unit),
        }
    }
    list.units = units;
    list
}

fn kind(unit: &Unit) -> &'static str {
    match unit.arm {
        Arm::Foot | Arm::LightFoot => "foot",
        Arm::Grenadiers => "converged-grenadiers",
        Arm::Horse | Arm::HeavyHorse => "horse",
        Arm::LightHorse => "hussars",
        Arm::Dragoons => "dragoons",
        Arm::DismountedDragoons => "dismounted-dragoons",
        Arm::Guns | Arm::HorseGuns => match unit.pounds {
            0..=4 => "light-gun",
            5..=11 => "medium-gun",
            _ => "heavy-gun",
        },
    }
}

fn mounted(unit: &Unit) -> bool {
    matches!(unit.arm, Arm::Horse | Arm::HeavyHorse | Arm::LightHorse | Arm::Dragoons)
}

/// Whether it stands in two ranks. Columns of horse are drawn up in line: a few squadrons in two ranks would be deeper than they are wide (MB-FRM-01).
fn in_two_ranks(unit: &Unit, formed: Formed) -> bool {
    formed != Formed::Line && !mounted(unit)
}

/// Three squadrons have about three men for every four of a battalion.
fn bases(unit: &Unit, men: u32) -> u32 {
    let horse = mounted(unit);
    let men = (if horse { men * 3 / 4 } else { men }).max(1);
    // The book has no brigade of foot under three bases, and none of cavalry under two.
    ((unit.strength + men / 2) / men).clamp(if horse { 2 } else { 3 }, 6)
}

fn footprint(unit: &Unit, formed: Formed, men: u32) -> Footprint {
    let bases = bases(unit, men);
    let across = f64::from(if in_two_ranks(unit, formed) { bases.div_ceil(2) } else { bases });
    match unit.arm {
        Arm::Guns | Arm::HorseGuns => (1.5, 1.5),
        Arm::Horse | Arm::HeavyHorse | Arm::LightHorse | Arm::Dragoons => (1.25 * across, 1.25),
        _ => (across, 1.0),
    }
}

fn leader(list: &List, command: &Command) -> Map<String, Json> {
    let mut leader = Map::new();
    leader.insert("id".into(), json!(format!("gen-{}", command.id)));
    leader.insert("name".into(), json!(command.leader));
    leader.insert("side".into(), json!(side(list, command)));
    let rank = match command.level {
        Level::Army => "marshal",
        Level::Wing => "lieutenant-general",
        Level::Brigade => "major-general",
    };
    leader.insert("rank".into(), json!(rank));
    if let Some(above) = &command.part_of {
        leader.insert("above".into(), json!(format!("gen-{above}")));
    }
    leader.insert("leads".into(), json!(command.name));
    match command.ability {
        Ability::Great => drop(leader.insert("ability".into(), json!("superior"))),
        Ability::Poor => drop(leader.insert("ability".into(), json!("incompetent"))),
        Ability::Able | Ability::Ordinary => {}
    }
    let arms = |mounted: bool| {
        list.units.iter().any(|unit| {
            let horse = matches!(unit.arm, Arm::Horse | Arm::HeavyHorse | Arm::LightHorse);
            let foot = matches!(unit.arm, Arm::Foot | Arm::LightFoot | Arm::Grenadiers);
            unit.command == command.id && if mounted { horse } else { foot }
        })
    };
    if arms(true) && arms(false) {
        leader.insert("mixed_command".into(), json!(true));
    }
    leader
}

/// Where the commands of a wing stand.
fn wing_places(list: &List, wing: &Command, frame: &Frame) -> Vec<[f64; 2]> {
    let part = |command: &&Command| command.part_of.as_ref() == Some(&wing.id);
    list.commands.iter().filter(part).filter_map(|command| command.at).map(|at| frame.place(at)).collect()
}

/// A wing that defends does so where it stands.
fn order(command: &Command, corners: &[[f64; 2]], positions: &mut Vec<Json>) -> Json {
    if command.order == Order::Attack {
        return json!({ "kind": "attack" });
    }
    const ABOUT: f64 = 8.0;
    let all = |n: usize| corners.iter().map(move |corner| corner[n]);
    let (west, east) = (all(0).fold(f64::INFINITY, f64::min) - ABOUT, all(0).fold(0.0, f64::max) + ABOUT);
    let (south, north) = (all(1).fold(f64::INFINITY, f64::min) - ABOUT, all(1).fold(0.0, f64::max) + ABOUT);
    let (west, south) = (west.max(0.0), south.max(0.0));
    let id = format!("{}-position", command.id);
    positions.push(json!({ "id": id, "area": [[west, south], [east, south], [east, north], [west, north]] }));
    json!({ "kind": "defend", "position": id })
}

fn unit(list: &List, command: &Command, placed: &Placed<'_>, men: u32) -> Json {
    let unit = placed.unit;
    let mut entry = Map::new();
    entry.insert("id".into(), json!(unit.id));
    entry.insert("name".into(), json!(unit.name));
    entry.insert("side".into(), json!(side(list, command)));
    entry.insert("kind".into(), json!(kind(unit)));
    if unit.guns == 0 {
        entry.insert("grade".into(), json!(grade(unit.experience)));
        entry.insert("bases".into(), json!(bases(unit, men)));
    }
    entry.insert("under".into(), json!(format!("gen-{}", command.id)));
    entry.insert("at".into(), json!(placed.at));
    entry.insert("facing".into(), json!(placed.facing));
    if let Some(arrives) = command.arrives {
        entry.insert("arrives".into(), json!(arrives.turn));
    }
    let formed = unit.formed.unwrap_or(command.formed);
    if unit.guns == 0 && formed == Formed::March {
        entry.insert("formation".into(), json!("march-column"));
    } else if unit.guns == 0 && formed == Formed::Column && in_two_ranks(unit, formed) {
        entry.insert("ranks".into(), json!(2));
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
        Experience::Steady | Experience::Trained => "C",
        Experience::Green => "D",
        Experience::Raw => "E",
    }
}

/// A square about the place.
fn objectives(list: &List, frame: &Frame) -> Json {
    let one = |place: &crate::list::Objective| {
        let ([x, y], r) = (place.at, place.radius);
        let area = frame.places(&[[x - r, y - r], [x + r, y - r], [x + r, y + r], [x - r, y + r]]);
        let mut entry = Map::new();
        entry.insert("id".into(), json!(place.id));
        entry.insert("name".into(), json!(place.name));
        entry.insert("area".into(), json!(area));
        entry.insert("points".into(), json!(place.points * 3));
        if let Some(side) = &place.held_by {
            entry.insert("held_by".into(), json!(side));
        }
        Json::Object(entry)
    };
    list.objectives.iter().map(one).collect()
}

/// Bridges and fords are lines in this book: from the middle of one short side to that of the other.
fn crossings(list: &List, frame: &Frame) -> Vec<Json> {
    let middle = |a: [f64; 2], b: [f64; 2]| [(a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0];
    let far = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).hypot(a[1] - b[1]);
    let over = |piece: &crate::list::Ground| {
        let crossing = matches!(piece.kind, GroundKind::Bridge | GroundKind::Ford) && piece.area.len() == 4;
        let [a, b, c, d] = crossing.then(|| [piece.area[0], piece.area[1], piece.area[2], piece.area[3]])?;
        let line = if far(a, b) < far(b, c) { [middle(a, b), middle(c, d)] } else { [middle(b, c), middle(d, a)] };
        Some(json!({ "kind": "bridge", "id": piece.id, "name": piece.name, "line": frame.places(&line) }))
    };
    list.ground.iter().filter_map(over).collect()
}
