//! Where everybody stands and which places count, for players who plan.

use sabretache_engine::stance::{Branch, Place, Stance};
use sabretache_table::Vec2;

use crate::battle::Battle;
use crate::troops::Arm;
use crate::worth::approach::MOVE;
use crate::worth::goals::goals;
use crate::worth::{INCH, Stand, stand};

/// How far horse and guns get in a move, in inches, as a rule.
const HORSE: f64 = 14.0;
const GUNS: f64 = 8.0;
/// How wide a unit is, in inches, as a rule.
const FRONT: f64 = 4.5;

pub(crate) fn stances(battle: &Battle, out: &mut Vec<Stance>) {
    for unit in battle.all().filter(|unit| !battle.is_screen(*unit)) {
        let Stand { side, at, ahead, arm, worth, sound, .. } = stand(battle, unit);
        let (branch, pace) = match arm {
            Arm::Foot => (Branch::Foot, MOVE),
            Arm::Horse => (Branch::Horse, HORSE),
            Arm::Guns => (Branch::Guns, GUNS),
        };
        let (command, middle): (_, Vec2) = (battle.facts(unit).brigade, at - ahead * INCH);
        let (front, pace) = (FRONT * INCH, pace * INCH);
        out.push(Stance {
            unit,
            side,
            command,
            branch,
            at: middle,
            facing: ahead,
            front,
            pace,
            points: worth,
            ready: sound,
        });
    }
}

pub(crate) fn places(battle: &Battle) -> Vec<Place> {
    let stands: Vec<Stand> =
        battle.all().filter(|unit| !battle.is_screen(*unit)).map(|unit| stand(battle, unit)).collect();
    let named = battle.fixed.objectives.iter().filter(|one| one.place().is_some()).map(|one| one.name.clone());
    let places = goals(battle, &stands).into_iter().zip(named);
    places.map(|(goal, name)| Place { at: goal.at, name, counts_for: None, holder: goal.holder }).collect()
}
