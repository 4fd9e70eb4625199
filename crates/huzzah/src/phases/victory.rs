//! How a battle ends (HZ-VIC-01 to HZ-VIC-03).

use sabretache_engine::ids::{CommandId, Side};
use sabretache_table::{Convex, nearer};

use super::Play;
use crate::battle::Battle;
use crate::body::{Goal, Presence};
use crate::clauses::{HZ_VIC_01, HZ_VIC_02};
use crate::event::Event;
use crate::state::Ended;

/// An army all of whose units are gone has lost; reinforcements still to come keep it in being (HZ-VIC-01).
#[must_use]
pub fn is_beaten(battle: &Battle, side: Side) -> bool {
    let army = battle.lay.armies[side.index()].command;
    // Commands waiting to reorganise do not save it, those that have done so and are on their way back do.
    battle.is_gone(army)
}

/// Ends the battle if a side has reached an objective that wins it at once (HZ-VIC-02); if both have, it is drawn.
fn sudden(play: &mut Play<'_>) -> bool {
    let battle = play.battle();
    let won = |side: Side| {
        let mut own = battle.lay.objectives.iter().filter(|objective| objective.at_once && objective.side == side);
        own.any(|objective| is_reached(battle, side, &objective.goal))
    };
    let winner = match Side::BOTH.map(won) {
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

/// After the last turn: by objectives where there are any, otherwise by the share of broken units (HZ-VIC-02).
pub(crate) fn by_count(play: &mut Play<'_>) {
    let battle = play.battle();
    let [a, b] = score(battle);
    let winner = match a.cmp(&b) {
        std::cmp::Ordering::Greater => Some(Side::A),
        std::cmp::Ordering::Less => Some(Side::B),
        std::cmp::Ordering::Equal => None,
    };
    play.happen(Event::BattleEnds { ended: Ended { winner, clause: HZ_VIC_02 } });
}

/// What each side has won: points for objectives, or the enemy's broken units weighed against his strength.
#[must_use]
pub fn score(battle: &Battle) -> [u32; 2] {
    if !battle.lay.objectives.is_empty() {
        let mut points = [0; 2];
        for objective in &battle.lay.objectives {
            if is_reached(battle, objective.side, &objective.goal) {
                points[objective.side.index()] += u32::from(objective.points);
            }
        }
        return points;
    }
    // The share of the enemy's units that is broken, compared crosswise so that nothing is lost to rounding.
    let lost = Side::BOTH.map(|side| u32::from(battle.broken_units(battle.lay.armies[side.index()].command)));
    let had = Side::BOTH.map(|side| u32::from(battle.lay.armies[side.index()].strength).max(1));
    [lost[1] * had[0], lost[0] * had[1]]
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
