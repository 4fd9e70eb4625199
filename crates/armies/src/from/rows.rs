//! Commands drawn up: their units in rows where they stand in rows, and each on its own place where they do not.

use serde_json::{Map, Value as Json, json};

use super::{Body, Lead, Read, apart, rounded};
use crate::list::Place;

/// Fronts within so many paces of one another are a row.
const ROW: f64 = 45.0;
/// A unit that its row would put further off than this keeps a place of its own.
const ASTRAY: f64 = 140.0;
/// One that looks so many degrees another way as well.
const TURNED: f64 = 20.0;
/// Between two units of a row, as lists are laid out.
const GAP: f64 = 10.0;

/// The commands and the units of a list.
pub(super) fn drawn_up(read: &Read) -> (Vec<Json>, Vec<Json>) {
    let mut commands = Vec::new();
    let mut units = Vec::new();
    for lead in &read.leads {
        let bodies: Vec<&Body> = read.bodies.iter().filter(|body| body.command == lead.id).collect();
        let (facing, mut places) = (facing_of(&bodies), Vec::new());
        let mut at = lead.at;
        if lead.arrives.is_none() && !bodies.is_empty() {
            let (front, rows) = rows_of(&bodies, facing);
            at = Some(front);
            places = rows;
        }
        commands.push(Json::Object(command(lead, at.or_else(|| below(read, lead)), facing, bodies.is_empty())));
        for (n, body) in bodies.iter().enumerate() {
            let mut entry = body.entry.clone();
            entry.insert("command".into(), json!(lead.id));
            match places.get(n) {
                Some(Stands::Row(row)) if *row > 1 => drop(entry.insert("row".into(), json!(row))),
                Some(Stands::Alone) => {
                    if let Some(at) = body.at {
                        entry.insert("at".into(), json!(at));
                        entry.insert("facing".into(), json!(body.facing));
                    }
                }
                _ => {}
            }
            units.push((lead.id.clone(), place_in_row(body, facing), Json::Object(entry)));
        }
    }
    // In a row units stand in the order of the file, from the left.
    let order: Vec<&String> = read.leads.iter().map(|lead| &lead.id).collect();
    let rank = |id: &String| order.iter().position(|one| *one == id);
    units.sort_by(|a, b| rank(&a.0).cmp(&rank(&b.0)).then(a.1.total_cmp(&b.1)));
    (commands, units.into_iter().map(|(_, _, unit)| unit).collect())
}

enum Stands {
    Row(u8),
    Alone,
}

fn command(lead: &Lead, at: Option<Place>, facing: f64, empty: bool) -> Map<String, Json> {
    let mut entry = Map::new();
    entry.insert("id".into(), json!(lead.id));
    entry.insert("name".into(), json!(lead.name));
    match &lead.above {
        Some(above) => entry.insert("part_of".into(), json!(above)),
        None => entry.insert("side".into(), json!(lead.side)),
    };
    if lead.level != "brigade" {
        entry.insert("level".into(), json!(lead.level));
    }
    entry.insert("leader".into(), json!(lead.leader));
    if let Some(ability) = lead.ability {
        entry.insert("ability".into(), json!(ability));
    }
    if lead.inspiring {
        entry.insert("inspiring".into(), json!(true));
    }
    if let Some((turn, at)) = lead.arrives {
        entry.insert("arrives".into(), json!({ "turn": turn, "at": at }));
    } else {
        entry.insert("at".into(), json!(at.unwrap_or_default()));
    }
    if !empty {
        entry.insert("facing".into(), json!(rounded(facing)));
    }
    if let Some(order) = lead.order {
        entry.insert("order".into(), json!(order));
    }
    entry
}

/// Where a command without units or a place is: in the middle of those below it.
fn below(read: &Read, lead: &Lead) -> Option<Place> {
    let under = |body: &&Body| {
        let mut here = read.leads.iter().find(|one| one.id == body.command);
        for _ in 0..read.leads.len() {
            match here {
                Some(one) if one.id == lead.id => return true,
                Some(one) => here = read.leads.iter().find(|above| Some(&above.id) == one.above.as_ref()),
                None => return false,
            }
        }
        false
    };
    let places: Vec<Place> = read.bodies.iter().filter(under).filter_map(|body| body.at).collect();
    let sum = places.iter().fold([0.0, 0.0], |sum, at| [sum[0] + at[0], sum[1] + at[1]]);
    (!places.is_empty()).then(|| sum.map(|x| rounded(x / places.len() as f64)))
}

/// Which way most of them look.
fn facing_of(bodies: &[&Body]) -> f64 {
    let (sin, cos) = bodies
        .iter()
        .map(|body| body.facing.to_radians().sin_cos())
        .fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    if bodies.is_empty() { 0.0 } else { rounded(f64::atan2(sin, cos).to_degrees().rem_euclid(360.0)).rem_euclid(360.0) }
}

/// How far to the right a unit stands, seen from its command.
fn place_in_row(body: &Body, facing: f64) -> f64 {
    let (sin, cos) = facing.to_radians().sin_cos();
    body.at.map_or(0.0, |at| at[0] * cos - at[1] * sin)
}

fn ahead(at: Place, facing: f64) -> f64 {
    let (sin, cos) = facing.to_radians().sin_cos();
    at[0] * sin + at[1] * cos
}

/// The middle of the front of the first row, and where each unit stands.
fn rows_of(bodies: &[&Body], facing: f64) -> (Place, Vec<Stands>) {
    let turned = |body: &Body| ((body.facing - facing + 180.0).rem_euclid(360.0) - 180.0).abs() > TURNED;
    let mut order: Vec<(usize, f64, Place)> = bodies
        .iter()
        .enumerate()
        .filter(|(_, body)| !turned(body))
        .filter_map(|(n, body)| body.at.map(|at| (n, ahead(at, facing), at)))
        .collect();
    order.sort_by(|a, b| b.1.total_cmp(&a.1));
    let mut rows: Vec<Vec<(usize, Place)>> = Vec::new();
    let mut front = f64::INFINITY;
    for (n, forward, at) in order {
        if rows.is_empty() || front - forward > ROW {
            rows.push(Vec::new());
            front = forward;
        }
        if let Some(row) = rows.last_mut() {
            row.push((n, at));
        }
    }
    let mut stands: Vec<Stands> = bodies.iter().map(|_| Stands::Alone).collect();
    let Some(first) = rows.first() else {
        return (bodies.iter().find_map(|body| body.at).unwrap_or_default(), stands);
    };
    let (sin, cos) = facing.to_radians().sin_cos();
    let across = |at: Place| at[0] * cos - at[1] * sin;
    let middle = |row: &[(usize, Place)]| row.iter().map(|(_, at)| across(*at)).sum::<f64>() / row.len() as f64;
    let centre = middle(first);
    let depth = first.iter().map(|(_, at)| ahead(*at, facing)).sum::<f64>() / first.len() as f64;
    let spot = |right: f64, forward: f64| [right * cos + forward * sin, forward * cos - right * sin];
    for (r, row) in rows.iter().enumerate().take(6) {
        let mut row = row.clone();
        row.sort_by(|a, b| across(a.1).total_cmp(&across(b.1)));
        let whole: f64 = row.iter().map(|(n, _)| bodies[*n].size.0 + GAP).sum::<f64>() - GAP;
        let forward = row.iter().map(|(_, at)| ahead(*at, facing)).sum::<f64>() / row.len() as f64;
        let mut along = centre - whole / 2.0;
        for (n, at) in row {
            let wide = bodies[n].size.0;
            if apart(spot(along + wide / 2.0, forward), at) <= ASTRAY {
                stands[n] = Stands::Row(r as u8 + 1);
            }
            along += wide + GAP;
        }
    }
    (spot(centre, depth).map(rounded), stands)
}
