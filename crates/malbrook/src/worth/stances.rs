//! Where everybody stands and which places count, for players who plan.

use sabretache_engine::ids::{CommandId, Side};
use sabretache_engine::stance::{Branch, Place, Stance};
use sabretache_table::Vec2;

use super::{Army, INCH, value};
use crate::battle::Battle;

/// How far a brigade gets in a turn, in inches, as a rule.
const FOOT: f64 = 6.0;
const HORSE: f64 = 11.0;
const GUNS: f64 = 4.0;

pub(crate) fn stances(battle: &Battle, out: &mut Vec<Stance>) {
    for side in Side::BOTH {
        for seen in Army::of(battle, side).units {
            let kind = seen.one.kind;
            let (branch, pace) = match () {
                () if kind.is_gun() => (Branch::Guns, GUNS),
                () if kind.is_cavalry() => (Branch::Horse, HORSE),
                () => (Branch::Foot, FOOT),
            };
            out.push(Stance {
                unit: seen.id,
                side,
                command: CommandId(seen.one.under.0),
                branch,
                at: seen.middle,
                facing: seen.forward,
                front: f64::from(seen.one.files) * seen.one.width.f(),
                pace: pace * INCH,
                points: value(seen.one),
                ready: kind.is_brigade() && !seen.one.is_routing(),
            });
        }
    }
}

pub(crate) fn places(battle: &Battle) -> Vec<Place> {
    let objectives = battle.fixed.scenario.body.objectives.iter().enumerate();
    let places = objectives.filter(|(_, one)| one.is_place()).map(|(n, one)| {
        let corners = crate::phases::objectives::corners_of(battle, n);
        let sum = corners.iter().fold(Vec2::default(), |sum, corner| sum + *corner);
        let at = sum * (1.0 / corners.len().max(1) as f64);
        Place { at, name: one.name.clone(), counts_for: None, holder: battle.holder_to_be(n) }
    });
    places.collect()
}
