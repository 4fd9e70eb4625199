//! A scenario of any book as an army list: the other way round, so that a battle that was drawn for one book can be fought under another.
//!
//! What a book has no word for (how many men a figure is, what nation wears the coat) is guessed by the same figures by which the
//! conversions go, and the list says so in its notes. The list is then corrected by hand like any other.

mod batteries;
mod ground;
mod huzzah;
mod malbrook;
mod nation;
mod rows;

use std::collections::BTreeSet;

use sabretache_engine::scenario::{Diagnostics, Path};
use serde_json::{Map, Value as Json, json};

use crate::list::Place;
use crate::text;

/// What a scenario says of its troops, in common terms; lengths in paces.
#[derive(Default)]
pub(crate) struct Read {
    leads: Vec<Lead>,
    bodies: Vec<Body>,
    /// For each side of the file what its army says: edge, road home, skirmishers, style.
    armies: Vec<Map<String, Json>>,
    attacker: Option<String>,
    breaks_at: Option<u64>,
    objectives: Vec<Json>,
    /// What could not be told.
    lost: BTreeSet<String>,
}

/// A command with the one who leads it.
#[derive(Clone, Default)]
pub(crate) struct Lead {
    id: String,
    name: String,
    side: String,
    above: Option<String>,
    level: &'static str,
    leader: String,
    ability: Option<&'static str>,
    inspiring: bool,
    at: Option<Place>,
    arrives: Option<(u64, Place)>,
    order: Option<&'static str>,
}

/// A unit.
#[derive(Clone)]
pub(crate) struct Body {
    command: String,
    at: Option<Place>,
    facing: f64,
    /// How wide and deep it is, in paces.
    size: (f64, f64),
    /// Everything else, as the list has it.
    entry: Map<String, Json>,
}

/// A scenario file, measured in paces.
pub(crate) struct File<'a> {
    json: &'a Json,
    /// Paces to the number of the file.
    paces: f64,
}

/// The army list of a scenario as a file.
pub fn from_scenario(json: &Json) -> Result<String, Diagnostics> {
    let book = word(json, "ruleset").unwrap_or_default();
    // Paces to the unit that the book itself measures in, and that unit in millimetres.
    let (paces, unit) = match book {
        "huzzah" => (10.0, 10.0),
        "batteries" => (15.0, 25.4),
        "malbrook" => (60.0, 25.4),
        _ => {
            let says = format!("no army list can be made of a scenario of '{book}'");
            return Err(Diagnostics::single(Path::root().key("ruleset"), says));
        }
    };
    let measure = match word(json, "measure") {
        Some("mm") => 1.0,
        Some("in") => 25.4,
        _ => 10.0,
    };
    let file = File { json, paces: paces * measure / unit };
    let mut read = match book {
        "huzzah" => huzzah::read(&file),
        "batteries" => batteries::read(&file),
        _ => malbrook::read(&file),
    };
    in_order(&mut read, &file);
    Ok(format!(
        "# Made from a scenario of {book} by `sabretache army --from`.\n\n{}",
        text::toml(&write(&file, book, &mut read))
    ))
}

fn write(file: &File<'_>, book: &str, read: &mut Read) -> Json {
    let json = file.json;
    let said =
        |key: &str, otherwise: &str| word(json, key).filter(|word| !word.is_empty()).unwrap_or(otherwise).to_owned();
    let strings = |key: &str| -> Vec<Json> { json.get(key).and_then(Json::as_array).cloned().unwrap_or_default() };
    let table = |key: &str| json.get("table").and_then(|table| table.get(key)).and_then(Json::as_f64).unwrap_or(100.0);
    let mut list = Map::new();
    list.insert("title".into(), json!(said("title", "A battle")));
    list.insert("date".into(), json!(said("date", "no date")));
    list.insert("place".into(), json!(said("place", "no place")));
    list.insert("summary".into(), json!(said("summary", "A battle.").split_whitespace().collect::<Vec<_>>().join(" ")));
    list.insert("sources".into(), Json::Array(strings("sources")));
    let ground = ground::read(file, book, &mut read.lost);
    let mut notes = strings("notes");
    notes.push(json!(format!("Made from a scenario of {book}: strengths, calibres and what that book does not tell are guessed by its usual figures.")));
    if !read.lost.is_empty() {
        let lost: Vec<&str> = read.lost.iter().map(String::as_str).collect();
        notes.push(json!(format!("Left out, since a list has no word for it: {}.", lost.join(", "))));
    }
    list.insert("notes".into(), Json::Array(notes));
    let turns = json.get("turns").or_else(|| json.get("options").and_then(|options| options.get("turns")));
    list.insert("turns".into(), json!(turns.and_then(Json::as_u64).unwrap_or(12)));
    let sides = entries(json, "sides");
    let first = sides.first().and_then(|side| word(side, "id")).unwrap_or("a");
    list.insert("attacker".into(), json!(read.attacker.as_deref().unwrap_or(first)));
    let field = |key: &str| rounded((table(key) * file.paces).clamp(200.0, 20_000.0));
    list.insert("field".into(), json!({ "width": field("width"), "depth": field("depth") }));
    let side = |(n, side): (usize, &Json)| {
        let mut entry = Map::new();
        let colour = word(side, "colour").unwrap_or(["#b5382f", "#2d4a8f"][n.min(1)]);
        entry.insert("id".into(), json!(word(side, "id").unwrap_or_default()));
        entry.insert("name".into(), json!(word(side, "name").unwrap_or_default()));
        entry.insert("colour".into(), json!(colour));
        entry.insert("edge".into(), json!(["south", "north"][n.min(1)]));
        entry.extend(read.armies.get(n).cloned().unwrap_or_default());
        if let Some(share) = read.breaks_at {
            entry.insert("breaks_at".into(), json!(share.clamp(5, 100)));
        }
        Json::Object(entry)
    };
    list.insert("sides".into(), sides.iter().enumerate().map(side).collect());
    list.insert("ground".into(), Json::Array(ground));
    list.insert("objectives".into(), Json::Array(std::mem::take(&mut read.objectives)));
    let (commands, units) = rows::drawn_up(read);
    list.insert("commands".into(), Json::Array(commands));
    list.insert("units".into(), Json::Array(units));
    let scales = scales(field("width"), field("depth"));
    if !scales.is_empty() {
        list.insert("books".into(), Json::Object(scales));
    }
    Json::Object(list)
}

/// A field that would take a larger table than anybody has is drawn smaller: each book with its usual scale, and the longest table that
/// is still one, in its own measure.
fn scales(width: f64, depth: f64) -> Map<String, Json> {
    const TABLES: [(&str, f64, f64); 3] =
        [("huzzah", 10.0, 300.0), ("batteries", 15.0, 110.0), ("malbrook", 60.0, 100.0)];
    let longer = width.max(depth);
    let needed = TABLES.iter().filter(|(_, usual, longest)| longer / usual > *longest);
    needed.map(|(book, _, longest)| ((*book).to_owned(), json!({ "paces": (longer / longest).ceil() }))).collect()
}

/// One army a side, with everything else below it; units in commands of the lowest level alone; a command after the one above it.
fn in_order(read: &mut Read, file: &File<'_>) {
    for side in entries(file.json, "sides") {
        let (Some(id), name) = (word(side, "id"), word(side, "name").unwrap_or_default()) else { continue };
        let found = read.leads.iter().position(|lead| lead.side == id && lead.level == "army");
        let army = match found {
            Some(n) => read.leads[n].id.clone(),
            None => {
                let lead = Lead {
                    id: format!("{id}-army"),
                    name: format!("The army of the {name}"),
                    side: id.to_owned(),
                    level: "army",
                    leader: format!("The general of the {name}"),
                    ..Lead::default()
                };
                read.leads.push(lead);
                format!("{id}-army")
            }
        };
        for lead in read.leads.iter_mut().filter(|lead| lead.side == id && lead.id != army) {
            if lead.level == "army" {
                lead.level = "wing";
            }
            lead.above.get_or_insert(army.clone());
        }
    }
    // A wing with units of its own has them in a brigade of its own.
    let mut own = Vec::new();
    for lead in read.leads.iter().filter(|lead| lead.level != "brigade") {
        let id = format!("{}-own", lead.id);
        let mut some = false;
        for body in read.bodies.iter_mut().filter(|body| body.command == lead.id) {
            body.command.clone_from(&id);
            some = true;
        }
        if some {
            let name = format!("Under {}", lead.leader);
            own.push(Lead { id, name, level: "brigade", above: Some(lead.id.clone()), order: None, ..lead.clone() });
        }
    }
    read.leads.extend(own);
    // A brigade of nobody is no part of the battle.
    let peopled: BTreeSet<&String> = read.bodies.iter().map(|body| &body.command).collect();
    let above: BTreeSet<String> = read.leads.iter().filter_map(|lead| lead.above.clone()).collect();
    read.leads.retain(|lead| lead.level != "brigade" || peopled.contains(&lead.id) || above.contains(&lead.id));
    let depth = |lead: &Lead, all: &[Lead]| {
        let mut here = lead;
        for deep in 0..all.len() {
            match here.above.as_ref().and_then(|id| all.iter().find(|one| one.id == *id)) {
                Some(above) => here = above,
                None => return deep,
            }
        }
        all.len()
    };
    let all = read.leads.clone();
    read.leads.sort_by_key(|lead| depth(lead, &all));
}

impl File<'_> {
    fn place(&self, value: Option<&Json>) -> Option<Place> {
        let [x, y] = value?.as_array()?.as_slice() else { return None };
        Some([rounded(x.as_f64()? * self.paces), rounded(y.as_f64()? * self.paces)])
    }

    fn places(&self, value: Option<&Json>) -> Vec<Place> {
        let all = value.and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default();
        all.iter().filter_map(|one| self.place(Some(one))).collect()
    }

    /// Places that are held, whatever word the book has for them.
    fn objectives(&self, list: &[Json], worth: f64, lost: &mut BTreeSet<String>) -> Vec<Json> {
        let mut all: Vec<Json> = Vec::new();
        let mut seen: Vec<Place> = Vec::new();
        for (n, one) in list.iter().enumerate() {
            let area = self.places(one.get("area"));
            let at = self.place(one.get("hold")).or_else(|| self.place(one.get("at"))).or_else(|| middle(&area));
            let Some(at) = at else {
                lost.insert(format!("the objective \"{}\"", word(one, "name").unwrap_or_default()));
                continue;
            };
            if seen.iter().any(|other| apart(*other, at) < 20.0) {
                continue;
            }
            seen.push(at);
            let wide = area.iter().map(|corner| apart(*corner, at)).fold(0.0, f64::max) * 0.75;
            let radius = one.get("radius").and_then(Json::as_f64).map(|radius| radius * self.paces);
            let radius = radius.unwrap_or(if wide > 0.0 { wide } else { 100.0 });
            let points = one.get("points").or_else(|| one.get("worth")).and_then(Json::as_f64).unwrap_or(1.0);
            let mut entry = Map::new();
            entry.insert("id".into(), json!(format!("place-{}", n + 1)));
            entry.insert("name".into(), json!(word(one, "name").unwrap_or("This place")));
            entry.insert("at".into(), json!(at));
            entry.insert("radius".into(), json!(rounded(radius.clamp(10.0, 1000.0))));
            entry.insert("points".into(), json!((points / worth).round().clamp(1.0, 20.0)));
            if let Some(side) = word(one, "held_by").or_else(|| word(one, "held")) {
                entry.insert("held_by".into(), json!(side));
            }
            all.push(Json::Object(entry));
        }
        all
    }
}

/// A unit's entry as far as every book tells it.
fn entry(unit: &Json, name: Option<&str>, arm: &str, experience: &str) -> Map<String, Json> {
    let mut entry = Map::new();
    entry.insert("id".into(), json!(word(unit, "id").unwrap_or_default()));
    entry.insert("name".into(), json!(name.or_else(|| word(unit, "name")).unwrap_or_default()));
    entry.insert("arm".into(), json!(arm));
    entry.insert("experience".into(), json!(experience));
    for key in ["coat", "facings"] {
        if let Some(colour) = word(unit, key) {
            entry.insert(key.into(), json!(colour));
        }
    }
    entry
}

fn word<'a>(of: &'a Json, key: &str) -> Option<&'a str> {
    of.get(key)?.as_str()
}

fn count(of: &Json, key: &str) -> Option<u64> {
    of.get(key)?.as_u64()
}

fn yes(of: &Json, key: &str) -> bool {
    of.get(key).and_then(Json::as_bool).unwrap_or(false)
}

fn entries<'a>(of: &'a Json, key: &str) -> &'a [Json] {
    of.get(key).and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default()
}

/// To the pace.
fn rounded(x: f64) -> f64 {
    x.round()
}

fn apart(a: Place, b: Place) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

/// The middle of the box about some corners.
fn middle(corners: &[Place]) -> Option<Place> {
    let (least, most) = bounds(corners)?;
    Some([rounded((least[0] + most[0]) / 2.0), rounded((least[1] + most[1]) / 2.0)])
}

fn bounds(corners: &[Place]) -> Option<(Place, Place)> {
    let first = *corners.first()?;
    Some(corners.iter().fold((first, first), |(least, most), at| {
        ([least[0].min(at[0]), least[1].min(at[1])], [most[0].max(at[0]), most[1].max(at[1])])
    }))
}
