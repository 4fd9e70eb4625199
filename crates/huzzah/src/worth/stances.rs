//! Where everybody stands and which places count, for players who plan.

use sabretache_engine::ids::Side;
use sabretache_engine::stance::{Branch, Place, Stance};

use super::{CM, Seen, whole};
use crate::battle::Battle;
use crate::body::Goal;
use crate::phases::victory;
use crate::troops::Arm;

/// How far a unit gets on an order, in centimetres, as a rule.
const FOOT: f64 = 15.0;
const HORSE: f64 = 28.0;
const GUNS: f64 = 12.0;

pub(crate) fn stances(battle: &Battle, out: &mut Vec<Stance>) {
    for seen in battle.unit_ids().filter_map(|id| Seen::of(battle, id)) {
        let (branch, pace) = match seen.arm {
            Arm::Infantry => (Branch::Foot, FOOT),
            Arm::Cavalry => (Branch::Horse, HORSE),
            Arm::Artillery => (Branch::Guns, GUNS),
        };
        out.push(Stance {
            unit: seen.id,
            side: seen.side,
            command: battle.facts(seen.id).brigade,
            branch,
            at: seen.middle,
            facing: seen.placed.forward(),
            front: 1.6 * seen.radius,
            pace: pace * CM,
            points: f64::from(whole(battle, seen.id, seen.arm)),
            ready: !seen.routing && !seen.worn,
        });
    }
}

pub(crate) fn places(battle: &Battle) -> Vec<Place> {
    let mut places: Vec<Place> = Vec::new();
    for objective in &battle.lay.objectives {
        let Goal::Hold(spot) = &objective.goal else { continue };
        let at = battle.lay.scenario.measure.point(spot.middle).v();
        let holder = Side::BOTH.into_iter().find(|side| victory::is_reached(battle, *side, &objective.goal));
        match places.iter_mut().find(|place| (place.at - at).length() < CM) {
            // The same place counts for both.
            Some(known) => known.counts_for = None,
            None => {
                places.push(Place { at, name: objective.name.clone(), counts_for: Some(objective.side), holder });
            }
        }
    }
    places
}
