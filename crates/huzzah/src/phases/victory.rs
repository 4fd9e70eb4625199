//! How a battle ends (HZ-VIC-01 to HZ-VIC-03).

use std::cmp::Ordering;

use sabretache_engine::decides;
use sabretache_engine::ids::{CommandId, Side};
use sabretache_engine::ruleset::Aim;
use sabretache_engine::scenario::area_meets;
use sabretache_table::{Convex, Vec2, nearer};

use super::Play;
use crate::battle::Battle;
use crate::body::{Goal, Presence, Spot};
use crate::clauses::{HZ_VIC_01, HZ_VIC_02, HZ_VIC_03};
use crate::event::Event;
use crate::lay::ObjectiveFacts;
use crate::state::Ended;
use crate::troops::Arm;

/// An army all of whose units are gone has lost; reinforcements still to come keep it in being (HZ-VIC-01).
#[must_use]
pub fn is_beaten(battle: &Battle, side: Side) -> bool {
    decides!(HZ_VIC_01);
    let army = battle.lay.armies[side.index()].command;
    // Commands waiting to reorganise do not save it, those that have done so and are on their way back do.
    decides!(HZ_VIC_03);
    battle.is_gone(army)
}

/// Whether a side has reached an objective that wins the battle at once.
fn wins_at_once(battle: &Battle, side: Side) -> bool {
    let mut own = battle.lay.objectives.iter().filter(|objective| objective.at_once && objective.side == side);
    own.any(|objective| is_reached(battle, side, &objective.goal))
}

/// Ends the battle if a side has reached an objective that wins it at once (HZ-VIC-02); if both have, it is drawn.
fn sudden(play: &mut Play<'_>) -> bool {
    let battle = play.battle();
    let winner = match Side::BOTH.map(|side| wins_at_once(battle, side)) {
        [false, false] => return false,
        [true, true] => None,
        [true, false] => Some(Side::A),
        [false, true] => Some(Side::B),
    };
    play.happen(Event::BattleEnds { ended: Ended { winner, clause: HZ_VIC_02 } });
    true
}

/// Ends the battle if an army is broken, or a sudden objective is reached: looked at when a phase ends.
pub(crate) fn decided(play: &mut Play<'_>) -> bool {
    let beaten = Side::BOTH.map(|side| is_beaten(play.battle(), side));
    let winner = match beaten {
        [false, false] => return sudden(play),
        [true, true] => None,
        [true, false] => Some(Side::B),
        [false, true] => Some(Side::A),
    };
    play.happen(Event::BattleEnds { ended: Ended { winner, clause: HZ_VIC_01 } });
    true
}

/// After the last turn the side that is ahead has won (HZ-VIC-02).
pub(crate) fn by_count(play: &mut Play<'_>) {
    let winner = match ahead(play.battle()) {
        Ordering::Greater => Some(Side::A),
        Ordering::Less => Some(Side::B),
        Ordering::Equal => None,
    };
    play.happen(Event::BattleEnds { ended: Ended { winner, clause: HZ_VIC_02 } });
}

/// Who would win if the battle ended now, greater for the first side: by points for objectives, and where there are none or points are level by
/// the share of broken units.
#[must_use]
pub fn ahead(battle: &Battle) -> Ordering {
    let [a, b] = score(battle);
    a.cmp(&b).then_with(|| by_losses(battle))
}

/// What the scenario asks for, and whether it is reached.
pub(crate) fn aims(battle: &Battle) -> Vec<Aim> {
    let reached = |objective: &ObjectiveFacts| is_reached(battle, objective.side, &objective.goal);
    let aim = |objective: &ObjectiveFacts| Aim {
        name: objective.name.clone(),
        reached_by: reached(objective).then_some(objective.side),
    };
    battle.lay.objectives.iter().map(aim).collect()
}

/// The points of each side for objectives reached.
#[must_use]
pub fn score(battle: &Battle) -> [u32; 2] {
    let mut points = [0; 2];
    for objective in &battle.lay.objectives {
        if is_reached(battle, objective.side, &objective.goal) {
            points[objective.side.index()] += u32::from(objective.points);
        }
    }
    points
}

/// Whether it is only by his smaller losses that the winner of a battle has won it.
#[must_use]
pub fn is_by_losses(battle: &Battle, winner: Side) -> bool {
    let [a, b] = score(battle);
    a == b && !wins_at_once(battle, winner)
}

/// Whose share of broken units is the smaller, compared crosswise so that nothing is lost to rounding.
fn by_losses(battle: &Battle) -> Ordering {
    let lost = Side::BOTH.map(|side| u32::from(battle.broken_units(battle.lay.armies[side.index()].command)));
    let had = Side::BOTH.map(|side| u32::from(battle.lay.armies[side.index()].strength).max(1));
    (lost[1] * had[0]).cmp(&(lost[0] * had[1]))
}

/// Whether an objective is reached now.
#[must_use]
pub fn is_reached(battle: &Battle, side: Side, goal: &Goal) -> bool {
    match goal {
        Goal::Hold(spot) => is_held(battle, side, spot),
        Goal::Break(id) => {
            let command = battle.lay.commands.iter().position(|command| command.id == *id);
            command.is_some_and(|n| battle.is_broken(CommandId(n as u16)))
        }
        Goal::Exit(count) => {
            let army = battle.lay.armies[side.index()].command;
            let gone = battle.units_of(army).filter(|&id| battle.unit(id).presence == Presence::RetiredOff).count();
            gone >= usize::from(*count)
        }
        Goal::BreakUnits(count) => battle.broken_units(battle.lay.armies[side.other().index()].command) >= *count,
        Goal::TakeGuns(count) => guns_taken(battle, side) >= usize::from(*count),
    }
}

/// How many batteries of the enemy's are broken.
pub(crate) fn guns_taken(battle: &Battle, side: Side) -> usize {
    let army = battle.lay.armies[side.other().index()].command;
    let guns = battle.units_of(army).filter(|&id| battle.facts(id).arm == Arm::Artillery);
    guns.filter(|&id| battle.unit(id).presence.is_broken()).count()
}

/// Whether a side has a steady unit at a place and the enemy has none; while nobody is there it is whose it was at first.
fn is_held(battle: &Battle, side: Side, spot: &Spot) -> bool {
    let measure = battle.lay.scenario.measure;
    let here = Convex::place(measure.point(spot.middle).v());
    // Half a micrometre is lost where a distance is exact.
    let within = match spot.radius {
        Some(radius) => measure.length(radius),
        None => battle.lay.length(battle.numbers().held_within),
    }
    .f() + 1.0;
    let corners: Vec<Vec2> = spot.area.iter().map(|corner| measure.point(*corner).v()).collect();
    let near = |side: Side, steady: bool| {
        let mut own = battle.present(side).filter(|&id| !steady || !battle.unit(id).routing);
        own.any(|id| {
            let placed = battle.laid.get(id);
            placed.is_some_and(|placed| {
                if corners.is_empty() { nearer(&here, placed, within) } else { area_meets(&corners, placed) }
            })
        })
    };
    !near(side.other(), false) && (near(side, true) || spot.held_by == Some(side))
}
