//! How a battle stands, for computer players.
//!
//! Only whoever advances into a zone is fired at, so the art is to come close without entering a zone, and to stand so
//! that the enemy cannot stir without entering ours.

use sabretache_engine::ids::{Side, UnitId};
use sabretache_engine::offer::{Input, Value};
use sabretache_table::{Convex, Direction, Heading, Length, sweep_outline};

use crate::battle::Battle;
use crate::moving::zone;

/// A picket that is still there.
const PICKET: i32 = 1_000;
/// One point of steadiness.
const STEADINESS: i32 = 20;
/// An enemy held in the zone of a loaded picket.
const HOLDS: i32 = 120;
/// A musket that is not loaded.
const UNLOADED: i32 = 30;

pub(crate) fn worth(battle: &Battle, side: Side) -> i32 {
    of(battle, side) - of(battle, side.other())
}

/// What a picket is worth wherever it stands.
pub(crate) fn points(battle: &Battle, unit: UnitId) -> i32 {
    if battle.picket(unit).gone { 0 } else { PICKET + STEADINESS * i32::from(battle.fixed.entry(unit).steadiness) }
}

fn of(battle: &Battle, side: Side) -> i32 {
    battle.of(side).map(|unit| of_picket(battle, unit)).sum()
}

fn of_picket(battle: &Battle, unit: UnitId) -> i32 {
    let picket = battle.picket(unit);
    let mut points = points(battle, unit);
    points -= if picket.fired { UNLOADED } else { 0 };
    let enemies = battle.of(picket.side.other()).map(|enemy| picket.pose.relative(battle.picket(enemy).pose.at.v()));
    // Where the nearest enemy is: how far (in millimetres), and how far round from straight ahead.
    let mut nearest = f64::MAX;
    let mut aside = 0.0;
    for place in enemies {
        let depth = f64::from(battle.fixed.numbers.zone.depth) * 1_000.0;
        let half_front = 30_000.0;
        if place.x.abs() <= half_front && place.y > 0.0 && place.y <= depth {
            points += HOLDS;
        }
        if place.length() < nearest {
            nearest = place.length();
            aside = 1.0 - place.y / place.length().max(1.0);
        }
    }
    if nearest < f64::MAX {
        points -= (nearest / 10_000.0) as i32 + (aside * 15.0) as i32;
    }
    points
}

/// Values worth trying besides the limits: an advance up to the edge of a zone and no further, a wheel to face the
/// nearest enemy.
pub(crate) fn proposals(battle: &Battle, unit: UnitId, input: &Input, out: &mut Vec<Value>) {
    let value = match input {
        Input::Distance { most, .. } => {
            let here = battle.placed(unit);
            let enemies = battle.of(battle.picket(unit).side.other());
            let zones: Vec<(UnitId, Convex)> = enemies.map(|enemy| (enemy, zone(battle, enemy))).collect();
            let way = Direction::Ahead.heading(here.pose()).unit();
            let entered = sweep_outline(&here, way, *most, zones.iter().map(|(enemy, zone)| (*enemy, zone)));
            Some(Value::Distance(entered.free - Length::mm(1)))
        }
        Input::Wheel { most_left, most_right } => {
            let pose = battle.picket(unit).pose;
            let enemies = battle.of(battle.picket(unit).side.other()).map(|enemy| battle.picket(enemy).pose.at);
            let nearest = enemies.min_by_key(|at| pose.at.distance(*at));
            nearest.map(|at| {
                let turn = pose.heading.turn_to(Heading::toward(pose.at.v(), at.v()));
                Value::Wheel(turn.clamp(*most_left, *most_right))
            })
        }
        _ => None,
    };
    out.extend(value.filter(|value| input.fits(value)));
}
