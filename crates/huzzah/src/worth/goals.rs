//! What a side is fighting for: its objectives, and who has won when night falls.

use sabretache_engine::ids::{CommandId, Side};
use smallvec::SmallVec;

use super::{CM, Seen};
use crate::battle::Battle;
use crate::body::{Goal, Presence};
use crate::phases::victory;
use crate::troops::{Arm, Formation};

/// What each point of an objective is worth in the end.
pub(super) const OBJECTIVE: f64 = 160.0;
/// What of that a place is worth that only guns or a march column hold: they will not for long.
const LOOSE: f64 = 0.5;
/// How many units are drawn to a place that is to be held.
const DRAWN: usize = 3;
/// What it is worth to be ahead at nightfall; the fewer turns are left, the more of that counts.
const AHEAD: f64 = 150.0;

/// How much of the battle has passed, from 0 to 1.
fn passed(battle: &Battle) -> f64 {
    (f64::from(battle.turn) / f64::from(battle.lay.options.turns.max(1))).min(1.0)
}

/// Who would win if the battle ended now, for the one and against the other.
pub(super) fn ahead(battle: &Battle, side: Side) -> i32 {
    let first = victory::ahead(battle) as i32;
    let by = if side == Side::A { first } else { -first };
    by * (AHEAD * passed(battle) * passed(battle)) as i32
}

/// Objectives reached, and how near they are to being so. They count for more as time runs out.
pub(super) fn objectives(battle: &Battle, side: Side, units: &[Seen<'_>]) -> f64 {
    let late = 0.5 + 0.5 * passed(battle);
    let mut points = 0.0;
    for objective in battle.lay.objectives.iter().filter(|objective| objective.side == side) {
        let weight = OBJECTIVE * f64::from(objective.points);
        if victory::is_reached(battle, side, &objective.goal) {
            let firm = passed(battle) >= 1.0 || is_firm(battle, side, &objective.goal, units);
            points += weight * late * if firm { 1.0 } else { LOOSE };
            continue;
        }
        points += match &objective.goal {
            Goal::Hold(spot) => {
                let place = battle.lay.scenario.measure.point(spot.middle).v();
                let own = units.iter().filter(|unit| unit.side == side && !unit.routing && unit.arm != Arm::Artillery);
                let mut off: SmallVec<[f64; 32]> = own.map(|unit| (unit.middle - place).length() / CM).collect();
                off.sort_by(f64::total_cmp);
                // The nearest few are to go there; nobody else is drawn along.
                off.iter().take(DRAWN).map(|off| (150.0 - off).max(0.0) / 150.0).sum::<f64>() * weight * late * 0.2
            }
            Goal::Break(id) => {
                let command = battle.lay.commands.iter().position(|command| command.id == *id);
                command.map_or(0.0, |n| {
                    let command = CommandId(n as u16);
                    let needed = battle.units_of(command).count().div_ceil(2).max(1);
                    weight * progress(battle, command, usize::from(battle.broken_units(command)), needed)
                })
            }
            Goal::Exit(count) => {
                let army = battle.lay.armies[side.index()].command;
                let away = battle.units_of(army).filter(|&id| battle.unit(id).presence == Presence::RetiredOff);
                weight * away.count() as f64 / f64::from((*count).max(1))
            }
            Goal::TakeGuns(count) => {
                weight * (victory::guns_taken(battle, side) as f64 / f64::from((*count).max(1))).min(1.0)
            }
            Goal::BreakUnits(count) => {
                let army = battle.lay.armies[side.other().index()].command;
                weight * progress(battle, army, usize::from(battle.broken_units(army)), usize::from((*count).max(1)))
            }
        };
    }
    points
}

/// Whether a place that is held is held by somebody who can fight for it.
fn is_firm(battle: &Battle, side: Side, goal: &Goal, units: &[Seen<'_>]) -> bool {
    let Goal::Hold(spot) = goal else { return true };
    let place = battle.lay.scenario.measure.point(spot.middle).v();
    let within = battle.lay.length(battle.numbers().held_within).f();
    let fights = |unit: &&Seen<'_>| {
        unit.side == side
            && !unit.routing
            && unit.arm != Arm::Artillery
            && !matches!(unit.formation, Formation::MarchColumn | Formation::Mob)
    };
    units.iter().filter(fights).any(|unit| (unit.middle - place).length() <= within + unit.radius)
}

/// How far a command is on its way to so many broken units, from 0 to 0.7: those broken, and those worn the most among the rest.
fn progress(battle: &Battle, command: CommandId, broken: usize, needed: usize) -> f64 {
    let present = battle.units_of(command).filter(|&id| battle.is_present(id));
    let mut worn: SmallVec<[f64; 32]> = present
        .map(|id| {
            let (unit, limit) = (battle.unit(id), battle.condition(id).limit(battle.numbers()).max(1));
            let hurt = f64::from(unit.staggers) + f64::from(unit.kills);
            (hurt / f64::from(limit) * 0.5 + if unit.routing { 0.3 } else { 0.0 }).min(0.8)
        })
        .collect();
    worn.sort_by(|a, b| b.total_cmp(a));
    let rest = needed.saturating_sub(broken);
    (broken as f64 + worn.iter().take(rest).sum::<f64>()) / needed as f64 * 0.7
}
