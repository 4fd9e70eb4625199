//! How a battle stands, for computer players: in points of which a trained battalion is worth about a hundred.
//!
//! Everything is a glance, not a measurement: zones are taken as plain rectangles, contact as a zone of no depth. A look at a
//! battle of thirty units costs some microseconds.

use sabretache_engine::ids::{CommandId, Side, UnitId};
use sabretache_table::{Face, Placed, Vec2};

use crate::battle::Battle;
use crate::body::{Goal, OfficerStatus, Presence};
use crate::phases::victory;
use crate::table::zones;
use crate::troops::{Arm, Formation};

/// Micrometres in a centimetre.
const CM: f64 = 10_000.0;

/// One stagger: it wears off.
const STAGGER: i32 = 7;
/// One kill: it does not.
const KILL: i32 = 9;
/// A unit that runs.
const ROUTING: i32 = 45;
/// Blown horses.
const BLOWN: i32 = 12;
/// An order it did not want.
const FORCED: i32 = 8;
/// A mob, or a march column with the enemy at hand.
const UNREADY: i32 = 16;
/// Out of reach of its officer.
const ALONE: i32 = 5;
/// An enemy in the zone of one of ours, straight ahead of him; guns count more, a flank twice.
const THREAT: i32 = 7;
/// One point of steadiness more than the enemy one is in contact with.
const EDGE: i32 = 9;
/// Contact in flank or rear.
const FLANKED: i32 = 30;
/// An officer lost.
const OFFICER: i32 = 30;
/// What all objectives together are worth.
const OBJECTIVES: i32 = 600;
/// A battery with something before its guns.
const UNDER_FIRE: i32 = 8;

pub(crate) fn worth(battle: &Battle, side: Side) -> i32 {
    let units: Vec<Seen> = battle.unit_ids().filter_map(|id| Seen::of(battle, id)).collect();
    of(battle, side, &units) - of(battle, side.other(), &units)
}

/// A unit on the table, as far as a glance goes.
struct Seen<'a> {
    id: UnitId,
    side: Side,
    arm: Arm,
    formation: Formation,
    placed: &'a Placed,
    middle: Vec2,
    /// How well it would stand in a fight.
    steadiness: i32,
    /// How deep its zone is.
    zone: f64,
    routing: bool,
}

impl<'a> Seen<'a> {
    fn of(battle: &'a Battle, id: UnitId) -> Option<Self> {
        let placed = battle.laid.get(id)?;
        let (unit, facts) = (battle.unit(id), battle.facts(id));
        let zone = if !zones::has_zone(battle, id) {
            0.0
        } else if unit.formation == Formation::Garrison {
            battle.lay.length(battle.numbers().garrison_zone).f()
        } else {
            battle.lay.length(battle.numbers().zones.depth(facts.arm, unit.formation, facts.guns)).f()
        };
        let order = match (facts.arm, unit.formation) {
            (Arm::Artillery, _) => -3,
            (_, Formation::MarchColumn | Formation::Mob) => -3,
            (Arm::Infantry, Formation::OpenOrder) => -2,
            (_, Formation::Garrison) => 2,
            _ => 0,
        };
        let limit = battle.condition(id).limit(battle.numbers());
        let steadiness = limit - i32::from(unit.staggers) - i32::from(unit.kills) / 2 + order;
        Some(Self {
            id,
            side: facts.side,
            arm: facts.arm,
            formation: unit.formation,
            placed,
            middle: placed.centre(),
            steadiness,
            zone,
            routing: unit.routing,
        })
    }

    /// How far before one of its fronts another lies, if it lies before one at all.
    fn ahead(&self, other: &Seen<'_>) -> Option<f64> {
        let faces: &[Face] = match self.formation {
            Formation::Square | Formation::Garrison => &Face::ALL,
            _ => &[Face::Front],
        };
        faces.iter().filter_map(|&face| before(self.placed, face, other.placed)).min_by(f64::total_cmp)
    }

    /// How it would do against another beyond what the quality tells: horse and foot.
    fn against(&self, other: &Seen<'_>) -> i32 {
        match (self.arm, other.arm, other.formation) {
            (Arm::Cavalry, Arm::Infantry, Formation::Square) => -5,
            (Arm::Cavalry, Arm::Infantry, Formation::Garrison) => -6,
            (Arm::Cavalry, Arm::Infantry, Formation::OpenOrder) => 4,
            (Arm::Cavalry, Arm::Infantry, _) => 1,
            (Arm::Infantry, Arm::Cavalry, _) if self.formation != Formation::Square => -1,
            _ => 0,
        }
    }
}

/// How far before a face a footprint lies; nothing where it lies beside or behind it.
fn before(placed: &Placed, face: Face, other: &Placed) -> Option<f64> {
    let edge = placed.face(face);
    let (out, along) = (placed.outward(face), (edge.b - edge.a).unit());
    let (mut near, mut far, mut left, mut right) = (f64::MAX, f64::MIN, f64::MAX, f64::MIN);
    for corner in other.whole().as_part().corners {
        let from = *corner - edge.a;
        let (x, y) = (from.dot(along), from.dot(out));
        (near, far) = (near.min(y), far.max(y));
        (left, right) = (left.min(x), right.max(x));
    }
    (far > 0.0 && right > 0.0 && left < edge.length()).then_some(near.max(0.0))
}

fn of(battle: &Battle, side: Side, units: &[Seen<'_>]) -> i32 {
    let mut points = 0;
    for id in battle.unit_ids().filter(|&id| battle.facts(id).side == side) {
        points += material(battle, id);
    }
    for unit in units.iter().filter(|unit| unit.side == side) {
        points += place(battle, unit, units);
    }
    for id in battle.officer_ids().filter(|&id| battle.officer_facts(id).side == side) {
        if matches!(battle.officer(id).status, OfficerStatus::Present | OfficerStatus::Awaited) {
            points += OFFICER;
        }
    }
    points + objectives(battle, side, units)
}

/// What a unit is worth by what is left of it.
fn material(battle: &Battle, id: UnitId) -> i32 {
    let (unit, facts) = (battle.unit(id), battle.facts(id));
    let limit = battle.condition(id).limit(battle.numbers());
    let whole = whole(battle, id, facts.arm);
    match unit.presence {
        Presence::Awaited => return whole,
        Presence::Skirmishing => return whole / 2,
        Presence::Present => {}
        _ => return 0,
    }
    let mut points = whole - STAGGER * i32::from(unit.staggers) - KILL * i32::from(unit.kills);
    // The nearer to its limit, the more the next blow costs.
    let left = limit - i32::from(unit.staggers) - i32::from(unit.kills);
    points -= match left {
        ..=1 => 20,
        2 => 12,
        3 => 6,
        _ => 0,
    };
    points -= if unit.routing { ROUTING } else { 0 };
    points -= if unit.blown { BLOWN } else { 0 };
    points -= if unit.forced.is_some() { FORCED } else { 0 };
    points -= if unit.formation == Formation::Mob { UNREADY } else { 0 };
    points.max(10)
}

/// What a unit is worth whatever its order and place: its quality and its guns, less the kills it has taken.
pub(crate) fn points(battle: &Battle, id: UnitId) -> i32 {
    let (unit, facts) = (battle.unit(id), battle.facts(id));
    if matches!(unit.presence, Presence::Present | Presence::Skirmishing) {
        (whole(battle, id, facts.arm) - KILL * i32::from(unit.kills)).max(10)
    } else {
        0
    }
}

/// What a fresh unit is worth.
fn whole(battle: &Battle, id: UnitId, arm: Arm) -> i32 {
    20 + 10 * battle.condition(id).limit(battle.numbers()) + if arm == Arm::Artillery { 20 } else { 0 }
}

/// What a unit's place is worth: whom it threatens, whom it fights, how far it still has to go.
fn place(battle: &Battle, unit: &Seen<'_>, units: &[Seen<'_>]) -> i32 {
    let mut points = 0;
    let mut nearest = f64::MAX;
    let mut horse_near = false;
    for enemy in units.iter().filter(|enemy| enemy.side != unit.side) {
        let off = (enemy.middle - unit.middle).length();
        if !enemy.routing {
            nearest = nearest.min(off);
        }
        horse_near |= enemy.arm == Arm::Cavalry && off < 45.0 * CM;
        if unit.routing || off > 130.0 * CM {
            continue;
        }
        let Some(ahead) = unit.ahead(enemy) else { continue };
        let facing = unit.placed.forward().dot(enemy.placed.forward());
        let from_side = facing > -0.6 && !matches!(enemy.formation, Formation::Square | Formation::Garrison);
        if ahead < 0.5 * CM && unit.arm != Arm::Artillery {
            points += (EDGE * (unit.steadiness + unit.against(enemy) - enemy.steadiness)).clamp(-60, 60);
            points += if from_side { FLANKED } else { 0 };
        } else if ahead <= unit.zone && (unit.arm != Arm::Cavalry || unit.against(enemy) > -3) {
            let weight = if unit.arm == Arm::Artillery { 2 * THREAT } else { THREAT };
            let edge = (unit.steadiness + unit.against(enemy) - enemy.steadiness).clamp(-4, 4);
            points += if from_side { 2 * weight } else { weight } + edge;
        } else if unit.arm == Arm::Artillery && unit.zone > 0.0 && ahead <= 3.0 * unit.zone {
            points += UNDER_FIRE;
        }
    }
    if unit.routing {
        return points;
    }
    points += readiness(unit, nearest, horse_near);
    points += cohesion(battle, unit);
    points
}

/// In the right formation for what is near, and not too far from it.
fn readiness(unit: &Seen<'_>, nearest: f64, horse_near: bool) -> i32 {
    if nearest == f64::MAX {
        return 0;
    }
    let off = nearest / CM;
    // Guns are best within their longer ranges, everybody else where he can charge; worn troops hang back.
    let wanted = match unit.arm {
        Arm::Artillery => 55.0,
        Arm::Cavalry => 35.0,
        Arm::Infantry => 18.0,
    };
    let mut points = -(((off - wanted).max(0.0) * 0.35) as i32);
    if unit.steadiness <= 3 {
        points = -points / 2;
    }
    points -= match (unit.arm, unit.formation) {
        (_, Formation::MarchColumn) if off < 60.0 => UNREADY,
        (Arm::Artillery, Formation::Line) => 0,
        (Arm::Artillery, _) if off < 70.0 => UNREADY,
        (Arm::Infantry, Formation::Square) if !horse_near => 10,
        (Arm::Infantry, Formation::Line | Formation::Column) if horse_near && off < 25.0 => 4,
        _ => 0,
    };
    points
}

/// Within reach of its officer.
fn cohesion(battle: &Battle, unit: &Seen<'_>) -> i32 {
    let brigade = battle.facts(unit.id).brigade;
    match battle.leader(brigade) {
        Some(officer) => {
            let off = (battle.officer_at(officer).v() - unit.middle).length();
            if off <= battle.radius(officer).f() { 0 } else { -ALONE - ((off / CM) as i32 / 20) }
        }
        None => -2 * ALONE,
    }
}

/// Objectives reached, and how near they are to being so.
fn objectives(battle: &Battle, side: Side, units: &[Seen<'_>]) -> i32 {
    let all: i32 = battle.lay.objectives.iter().map(|objective| i32::from(objective.points)).sum();
    let mut points = 0;
    for objective in battle.lay.objectives.iter().filter(|objective| objective.side == side) {
        let weight = OBJECTIVES * i32::from(objective.points) / all.max(1);
        if victory::is_reached(battle, side, &objective.goal) {
            points += weight;
            continue;
        }
        match &objective.goal {
            Goal::Hold(pair) => {
                let place = battle.lay.scenario.measure.point(*pair).v();
                let mut off: Vec<i32> = units
                    .iter()
                    .filter(|unit| unit.side == side && !unit.routing && unit.arm != Arm::Artillery)
                    .map(|unit| ((unit.middle - place).length() / CM) as i32)
                    .collect();
                off.sort_unstable();
                // The nearest few are to go there; nobody else is drawn along.
                points += off.iter().take(4).map(|off| (120 - off).max(0) * weight / 1_600).sum::<i32>();
            }
            Goal::Break(id) => {
                let command = battle.lay.commands.iter().position(|command| command.id == *id);
                if let Some(n) = command {
                    let command = CommandId(n as u16);
                    let had = battle.units_of(command).count().max(1) as i32;
                    points += weight * i32::from(battle.broken_units(command)) / had * 2 / 3;
                }
            }
            Goal::Exit(count) => {
                let army = battle.lay.armies[side.index()].command;
                let away = battle.units_of(army).filter(|&id| battle.unit(id).presence == Presence::RetiredOff);
                points += weight * away.count() as i32 / i32::from((*count).max(1));
            }
            Goal::BreakUnits(count) => {
                let broken = battle.broken_units(battle.lay.armies[side.other().index()].command);
                points += weight * i32::from(broken) / i32::from((*count).max(1)) * 2 / 3;
            }
        }
    }
    points
}
