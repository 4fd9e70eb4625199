//! How far it still is to a place, for computer players: not in inches alone, but in the time that it takes.

use sabretache_engine::ids::UnitId;
use sabretache_table::Vec2;

use crate::battle::{Battle, Unit};
use crate::phases::movement::WHOLE;
use crate::troops::{Arm, Formation};
use crate::worth::{INCH, Stand};

/// A column's move, in which the time that a way takes is told.
pub(crate) const MOVE: f64 = 8.0;
/// Nearer to the enemy than this a unit goes by what it is to fight in, farther off than that by what is fastest.
const FIGHTING: f64 = 9.0;
const MARCHING: f64 = 15.0;
/// What the way of a unit that is in reach of the enemy counts of what it counts on the march.
const IN_REACH: f64 = 0.35;
/// Moves that it costs to be turned away from where it has to go, for each radian, up to most of a right angle.
const TURNED: f64 = 1.1;
const MOST_TURNED: f64 = 1.4;

/// How long a unit needs to a place, in inches of a column's move: at its own pace or, where that is sooner, by forming column first. In reach of the
/// enemy nobody counts as the slower for being deployed, or nobody would deploy.
pub(crate) fn way(battle: &Battle, own: &Stand, to: Vec2, near_enough: f64) -> f64 {
    march(battle, own, to, near_enough, marching(own))
}

/// The same for a unit that has no time left for fighting on the way.
pub(crate) fn forced_march(battle: &Battle, own: &Stand, to: Vec2, near_enough: f64) -> f64 {
    march(battle, own, to, near_enough, 1.0)
}

fn march(battle: &Battle, own: &Stand, to: Vec2, near_enough: f64, marching: f64) -> f64 {
    let way = to - own.at;
    let inches = (way.length() / INCH - near_enough).max(0.0);
    if inches == 0.0 {
        return 0.0;
    }
    let state = battle.unit(own.unit);
    let pace = (battle.allowance(own.unit).f() / INCH).max(1.0);
    let moves = if own.arm == Arm::Foot {
        let marched = (inches / pace).min(change(battle, own.unit, state) + inches / MOVE);
        marched * marching + inches / MOVE * (1.0 - marching)
    } else {
        inches / pace
    };
    let any_way = own.arm == Arm::Foot && matches!(state.formation, Formation::Skirmish | Formation::Square);
    let off = if any_way { 0.0 } else { libm::acos(own.ahead.dot(way.unit()).clamp(-1.0, 1.0)) };
    (moves + off.min(MOST_TURNED) * TURNED * hurry(own)) * MOVE
}

/// Whether a unit marches (1) or fights (0), by how far the enemy is.
fn marching(own: &Stand) -> f64 {
    ((own.enemy - FIGHTING) / (MARCHING - FIGHTING)).clamp(0.0, 1.0)
}

/// How much it counts that a move is not wasted and leads where it should: less where there is fighting to be done.
pub(crate) fn hurry(own: &Stand) -> f64 {
    marching(own).max(IN_REACH)
}

/// The share of a move that it takes to form column.
fn change(battle: &Battle, unit: UnitId, state: &Unit) -> f64 {
    let once = match state.formation {
        Formation::Column => 0.0,
        Formation::Skirmish | Formation::Extended => 1.0,
        _ => 0.5,
    };
    if battle.clumsy(unit) { once * 2.0 } else { once }
}

/// The share of its move that a unit has spent, or cannot spend any more because a friend has passed through it.
pub(crate) fn spent(battle: &Battle, unit: UnitId) -> f64 {
    if battle.unit(unit).now.stands { 1.0 } else { (f64::from(battle.spent(unit)) / f64::from(WHOLE)).min(1.0) }
}
