//! Where a unit would stand after a choice.

use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::{Ghost, Input, Preview, Value};
use sabretache_table::{Direction, Pose, wheeled_pose};

use super::stands;
use crate::battle::{Battle, Pending, Unit};
use crate::offer::Offer;
use crate::phases::charges::offers::Charges;
use crate::phases::formations::offers::Formations;
use crate::phases::input;
use crate::phases::movement::oblique;
use crate::phases::movement::offers::Movement;
use crate::phases::screens::offers::Screens;
use crate::words::terms::inches;

/// Where a unit would stand.
pub(crate) fn preview(battle: &Battle, offer: &Offer, value: &Value) -> Preview {
    let ghost = |unit: UnitId, state: &Unit, pose: Pose| {
        let track = vec![battle.unit(unit).pose.at, pose.at];
        Ghost { unit, pose, stands: stands(state, battle, unit, pose), track }
    };
    let straight = |unit: UnitId, way: Direction, by| {
        let pose = battle.unit(unit).pose;
        (unit, pose.moved(way.heading(pose), by))
    };
    use Movement::{Advance, Face, March, Oblique, Pass, Retire, Sidestep, Wheel};
    let moved = match (*offer, value) {
        (Offer::Movement(Pass { unit, by, .. }), Value::Distance(_)) => {
            return preview(battle, &by.alone(unit).into(), value);
        }
        (Offer::Movement(Advance(unit)), Value::Distance(by)) => Some(straight(unit, Direction::Ahead, *by)),
        (Offer::Movement(Retire(unit)), Value::Distance(by)) => Some(straight(unit, Direction::Back, *by)),
        (Offer::Movement(Sidestep { unit, right }), Value::Distance(by)) => {
            Some(straight(unit, if right { Direction::Right } else { Direction::Left }, *by))
        }
        (Offer::Movement(Oblique { unit, right }), Value::Distance(by)) => {
            Some(straight(unit, oblique(battle, unit, right), *by))
        }
        (Offer::Movement(March(unit)), Value::Distance(by)) => {
            battle.march_way(unit).ok().map(|way| straight(unit, Direction::Toward(way), *by))
        }
        (Offer::Movement(Wheel(unit)), Value::Wheel(by)) => Some((unit, wheeled_pose(&battle.placed(unit), *by))),
        (Offer::Movement(Face(unit)), Value::Wheel(by)) => Some((unit, battle.turned(unit, *by))),
        (Offer::Charges(Charges::Evade { way, .. }), Value::Distance(by)) => match battle.pending {
            Some(Pending::Evade { charger, target, .. }) => {
                Some((target, battle.evade_pose(target, charger, way, *by)))
            }
            _ => None,
        },
        (Offer::Charges(Charges::Charge(unit)), _) => {
            battle.run(unit).ok().map(|run| (unit, battle.unit(unit).pose.ahead(run.length)))
        }
        _ => None,
    };
    let stops = match input(battle, offer) {
        Ok(Input::Distance { stops, .. }) => stops,
        _ => Vec::new(),
    };
    let measure = value.distance().map(inches);
    if let (Offer::Formations(Formations::Form(unit)), Some(name)) = (*offer, value.formation())
        && let Some(shape) = battle.shape_named(unit, name)
    {
        let (state, pose) = battle.as_shape(unit, &shape);
        return Preview { ghosts: vec![ghost(unit, &state, pose)], stops, measure, ..Preview::default() };
    }
    if let (Offer::Screens(Screens::Screen { unit, stands }), Value::Distance(gap)) = (*offer, value)
        && let Some((screen, state, pose)) = battle.screen_ghost(unit, stands, *gap)
    {
        let ghost = Ghost { track: vec![battle.unit(unit).pose.at, pose.at], ..ghost(screen, &state, pose) };
        return Preview { ghosts: vec![ghost], stops, measure, ..Preview::default() };
    }
    let ghosts = moved.map(|(unit, pose)| ghost(unit, battle.unit(unit), pose)).into_iter().collect();
    Preview { ghosts, stops, measure, ..Preview::default() }
}
