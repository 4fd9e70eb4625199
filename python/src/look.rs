//! What a battle looks like to a machine: units, ground and actions as numbers.

use sabretache_engine::eyes::Eyes;
use sabretache_engine::ids::{Named, Side};
use sabretache_engine::offer::Value;
use sabretache_engine::session::Seat;
use sabretache_engine::view::{GroundView, Setting, Symbol, View};
use sabretache_table::Point;

use crate::fight::{Fight, Said};

const ARMS: [Symbol; 11] = [
    Symbol::Foot,
    Symbol::LightFoot,
    Symbol::Horse,
    Symbol::LightHorse,
    Symbol::HeavyHorse,
    Symbol::Dragoons,
    Symbol::Guns,
    Symbol::HorseGuns,
    Symbol::HeavyGuns,
    Symbol::Howitzers,
    Symbol::Train,
];

/// The columns of the table of units.
pub(crate) const UNIT_COLUMNS: [&str; 32] = [
    "on_table",
    "own",
    "x",
    "y",
    "facing_x",
    "facing_y",
    "front",
    "depth",
    "pace",
    "points",
    "ready",
    "command",
    "formation",
    "foot",
    "light_foot",
    "horse",
    "light_horse",
    "heavy_horse",
    "dragoons",
    "guns",
    "horse_guns",
    "heavy_guns",
    "howitzers",
    "train",
    "yellow_diamond",
    "red_square",
    "grey_puff",
    "green_ring",
    "blue_flag",
    "stone",
    "white_disc",
    "black_chevron",
];
const FIRST_ARM: usize = 13;
const FIRST_MARKER: usize = FIRST_ARM + ARMS.len();

/// The columns of the table of actions.
pub(crate) const ACTION_COLUMNS: [&str; 9] =
    ["offer", "act", "group", "unit", "target", "kind", "first", "second", "count"];

/// The numbers that stand for the moment as a whole.
pub(crate) const SCALARS: [&str; 5] = ["turn", "own_phase", "own_decision", "interrupt", "phase"];

/// The layers of the raster of the ground.
pub(crate) const LAYERS: [&str; 24] = [
    "hill",
    "steep_hill",
    "ridge",
    "wood",
    "light_wood",
    "rough",
    "marsh",
    "field",
    "river",
    "water",
    "road",
    "bridge",
    "ford",
    "hedge",
    "wall",
    "works",
    "ditch",
    "sunken_road",
    "abatis",
    "buildings",
    "rampart",
    "breach",
    "other",
    "level",
];

/// A number for a word, the same in every version: 12 bits of its FNV-1a hash.
pub(crate) fn word_code(word: &str) -> u16 {
    let hash = word.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    ((hash ^ (hash >> 12) ^ (hash >> 24)) & 0xfff) as u16
}

fn sign(side: Side, viewer: Option<Side>) -> f32 {
    if side == viewer.unwrap_or(Side::A) { 1.0 } else { -1.0 }
}

/// Lengths are told in parts of the longer side of the table.
fn scale(setting: &Setting) -> f64 {
    setting.width.f().max(setting.depth.f()).max(1.0)
}

/// Fills the table of units, a row each, as a side sees them; and the numbers of the moment.
pub(crate) fn look(fight: &dyn Fight, viewer: Option<Side>, units: &mut [f32], scalars: &mut [f32]) {
    let view = fight.view(fight.eyes(viewer.map_or(Seat::Umpire, Seat::Player)));
    units.fill(0.0);
    let width = UNIT_COLUMNS.len();
    let scale = scale(&view.setting);
    for unit in &view.units {
        let Some(row) = units.get_mut(unit.id.index() * width..(unit.id.index() + 1) * width) else { continue };
        row[1] = sign(unit.side, viewer);
        row[9] = fight.points(unit.id) as f32;
        row[11] = unit.command.map_or(0.0, |command| f32::from(command.0) + 1.0);
        if let Some(arm) = ARMS.iter().position(|arm| *arm == unit.symbol) {
            row[FIRST_ARM + arm] = 1.0;
        }
        for marker in &unit.markers {
            row[FIRST_MARKER + marker.style as usize] += marker.count as f32;
        }
        let Some(pose) = unit.pose else { continue };
        row[0] = 1.0;
        let (sin, cos) = pose.heading.to_degrees().to_radians().sin_cos();
        (row[4], row[5]) = (sin as f32, cos as f32);
        row[12] = f32::from(word_code(&unit.formation));
        let corners: Vec<(f64, f64)> =
            unit.stands.iter().flatten().map(|corner| (corner.x.f() / scale, corner.y.f() / scale)).collect();
        if corners.is_empty() {
            (row[2], row[3]) = ((pose.at.x.f() / scale) as f32, (pose.at.y.f() / scale) as f32);
            continue;
        }
        let count = corners.len() as f64;
        let middle =
            corners.iter().fold((0.0, 0.0), |sum, corner| (sum.0 + corner.0 / count, sum.1 + corner.1 / count));
        (row[2], row[3]) = (middle.0 as f32, middle.1 as f32);
        let spread = |along: &dyn Fn(&(f64, f64)) -> f64| {
            let lengths = corners.iter().map(along);
            lengths.clone().fold(f64::MIN, f64::max) - lengths.fold(f64::MAX, f64::min)
        };
        row[6] = spread(&|corner| corner.0 * cos - corner.1 * sin) as f32;
        row[7] = spread(&|corner| corner.0 * sin + corner.1 * cos) as f32;
    }
    for stance in fight.stances() {
        let Some(row) = units.get_mut(stance.unit.index() * width..(stance.unit.index() + 1) * width) else { continue };
        // A unit that is not seen has no place in the view.
        if row[0] > 0.0 {
            row[8] = (stance.pace / scale) as f32;
            row[10] = f32::from(u8::from(stance.ready));
        }
    }
    moment(fight, &view, viewer, scalars);
}

fn moment(fight: &dyn Fight, view: &View, viewer: Option<Side>, scalars: &mut [f32]) {
    let own = |side: Option<Side>| side.map_or(0.0, |side| sign(side, viewer));
    let numbers = [
        view.turn.unwrap_or(0) as f32,
        own(view.phasing),
        own(fight.deciding()),
        f32::from(u8::from(fight.deciding().is_some() && fight.is_interrupt())),
        f32::from(word_code(&view.phase)),
    ];
    scalars.iter_mut().zip(numbers).for_each(|(slot, number)| *slot = number);
}

/// How many rows and columns a raster has whose longer side has so many cells.
pub(crate) fn raster_size(setting: &Setting, cells: usize) -> (usize, usize) {
    let part = |length: f64| ((length / scale(setting) * cells as f64).ceil() as usize).clamp(1, cells);
    (part(setting.depth.f()), part(setting.width.f()))
}

/// The ground, a layer a kind and one for levels; rows from the south, columns from the west, each cell asked at its middle.
pub(crate) fn raster(setting: &Setting, cells: usize) -> Vec<f32> {
    let (rows, columns) = raster_size(setting, cells);
    let cell = scale(setting) / cells as f64;
    let mut all = vec![0.0; LAYERS.len() * rows * columns];
    for ground in &setting.ground {
        for row in 0..rows {
            for column in 0..columns {
                let middle = ((column as f64 + 0.5) * cell, (row as f64 + 0.5) * cell);
                if lies_in(ground, middle, cell) {
                    let at = row * columns + column;
                    all[ground.drawn as usize * rows * columns + at] = 1.0;
                    let level = &mut all[(LAYERS.len() - 1) * rows * columns + at];
                    *level = f32::max(*level, f32::from(ground.level));
                }
            }
        }
    }
    all
}

fn lies_in(ground: &GroundView, at: (f64, f64), cell: f64) -> bool {
    let of = |point: &Point| (point.x.f(), point.y.f());
    if !ground.rings.is_empty() {
        let mut inside = false;
        for ring in &ground.rings {
            for (n, from) in ring.iter().enumerate() {
                let ((ax, ay), (bx, by)) = (of(from), of(&ring[(n + 1) % ring.len()]));
                if (ay > at.1) != (by > at.1) && at.0 < ax + (at.1 - ay) / (by - ay) * (bx - ax) {
                    inside = !inside;
                }
            }
        }
        return inside;
    }
    // A line narrower than a cell is still seen.
    let reach = ground.width.map_or(0.0, |width| width.f() / 2.0).max(cell * 0.5);
    ground.line.windows(2).any(|pair| {
        let ((ax, ay), (bx, by)) = (of(&pair[0]), of(&pair[1]));
        let (dx, dy) = (bx - ax, by - ay);
        let along = (((at.0 - ax) * dx + (at.1 - ay) * dy) / (dx * dx + dy * dy).max(1.0)).clamp(0.0, 1.0);
        let (ex, ey) = (at.0 - ax - along * dx, at.1 - ay - along * dy);
        ex * ex + ey * ey <= reach * reach
    })
}

/// One row of the table of actions.
pub(crate) fn action_row(said: &Said, scale: f64, row: &mut [f32]) {
    let (kind, first, second, count) = match &said.value {
        Value::None => (0.0, 0.0, 0.0, 0.0),
        Value::Distance(length) => (1.0, (length.f() / scale) as f32, 0.0, 0.0),
        Value::Wheel(angle) => (2.0, (f64::from(angle.to_hundredths()) / 18_000.0) as f32, 0.0, 0.0),
        Value::Point(point) => (3.0, (point.x.f() / scale) as f32, (point.y.f() / scale) as f32, 0.0),
        Value::Units(units) => {
            let first = units.first().map_or(-1.0, |unit| f32::from(unit.0));
            (4.0, first, units.last().map_or(-1.0, |unit| f32::from(unit.0)), units.len() as f32)
        }
        Value::Formation(name) => (5.0, f32::from(word_code(name)), 0.0, 0.0),
        Value::Number(number) => (6.0, *number as f32, 0.0, 0.0),
    };
    let target = match said.target {
        Some(Named::Unit(unit)) => f32::from(unit.0),
        _ => -1.0,
    };
    let unit = said.unit.map_or(-1.0, |unit| f32::from(unit.0));
    let act = f32::from(word_code(said.act));
    let cells = [said.offer as f32, act, f32::from(said.group), unit, target, kind, first, second, count];
    row.iter_mut().zip(cells).for_each(|(slot, cell)| *slot = cell);
}

/// The number by which lengths of this battle are divided.
pub(crate) fn scale_of(fight: &dyn Fight) -> f64 {
    scale(&fight.view(Eyes::All).setting)
}
