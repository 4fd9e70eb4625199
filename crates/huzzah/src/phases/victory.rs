//! How a battle ends (HZ-VIC-01 to HZ-VIC-03).

use std::cmp::Ordering;

use sabretache_engine::decides;
use sabretache_engine::ids::{CommandId, Side};
use sabretache_engine::ruleset::Aim;
use sabretache_table::{Convex, nearer};

use super::Play;
use crate::battle::Battle;
use crate::body::{Goal, Presence};
use crate::clauses::{HZ_VIC_01, HZ_VIC_02, HZ_VIC_03};
use crate::event::Event;
use crate::lay::ObjectiveFacts;
use crate::state::Ended;

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
        Goal::Hold(pair) => {
            let place = battle.lay.scenario.measure.point(*pair);
            // Half a micrometre is lost where a distance is exact.
            let within = battle.lay.length(battle.numbers().held_within).f() + 1.0;
            let here = Convex::place(place.v());
            let near = |side: Side, steady: bool| {
                let mut own = battle.present(side).filter(|&id| !steady || !battle.unit(id).routing);
                own.any(|id| {
                    let placed = battle.laid.get(id);
                    placed.is_some_and(|placed| nearer(&here, placed, within))
                })
            };
            near(side, true) && !near(side.other(), false)
        }
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
    }
}
