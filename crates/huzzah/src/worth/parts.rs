//! How a battle stands part by part, for the chance of winning: each part for the first side against the second.
//!
//! Points are told as a share of all that is on the table, so that a battalion more counts in a large battle for what it counts there.

use sabretache_engine::ids::Side;
use sabretache_engine::ruleset::Judgement;

use super::{Drive, Seen, goals, integrity, material, place, points, sense, whole};
use crate::battle::Battle;
use crate::body::{OfficerStatus, Presence};
use crate::phases::victory;

/// What the parts are, in the order of [`parts`].
pub(crate) const NAMES: &[&str] = &[
    "strength",
    "to come",
    "order",
    "place",
    "sense",
    "losses",
    "checks to come",
    "officers",
    "aims",
    "ahead",
    "ahead at night",
    "points",
];

/// Half of this many points of the scenario's are much.
const POINTS: f64 = 4.0;
/// From this share of the battle on it counts who would win if it ended now.
const NIGHT: f64 = 0.75;

/// What one side has of each.
#[derive(Clone, Copy, Default)]
struct Army {
    strength: f64,
    to_come: f64,
    order: f64,
    place: f64,
    sense: f64,
    lost: f64,
    checks: f64,
    officers: f64,
    aims: f64,
    points: f64,
}

pub(crate) fn parts(battle: &Battle, out: &mut Vec<f64>) {
    let units: Vec<Seen<'_>> = battle.unit_ids().filter_map(|id| Seen::of(battle, id)).collect();
    let mut armies = Side::BOTH.map(|side| army(battle, side, &units));
    let score = victory::score(battle);
    for side in Side::BOTH {
        armies[side.index()].points = f64::from(score[side.index()]);
    }
    let [a, b] = armies;
    let all = (a.strength + b.strength + a.to_come + b.to_come).max(100.0);
    let share = |of: fn(&Army) -> f64| (of(&a) - of(&b)) / all;
    let ahead = f64::from(victory::ahead(battle) as i32);
    let turns = f64::from(battle.lay.options.turns.max(1));
    let night = ((f64::from(battle.turn) / turns - NIGHT) / (1.0 - NIGHT)).clamp(0.0, 1.0);
    out.extend([
        share(|army| army.strength),
        share(|army| army.to_come),
        share(|army| army.order),
        share(|army| army.place),
        share(|army| army.sense),
        b.lost - a.lost,
        share(|army| army.checks),
        a.officers - b.officers,
        a.aims - b.aims,
        ahead,
        ahead * night,
        (a.points - b.points) / POINTS,
    ]);
}

fn army(battle: &Battle, side: Side, units: &[Seen<'_>]) -> Army {
    let mut army = Army::default();
    let drive = Drive::of(battle, side, Judgement::Present);
    for id in battle.unit_ids().filter(|&id| battle.facts(id).side == side) {
        if battle.unit(id).presence == Presence::Awaited {
            army.to_come += f64::from(whole(battle, id, battle.facts(id).arm));
        } else {
            let left = f64::from(points(battle, id));
            army.strength += left;
            army.order += f64::from(material(battle, id)) - left;
        }
    }
    for unit in units.iter().filter(|unit| unit.side == side) {
        army.place += f64::from(place(battle, unit, units, drive).0);
    }
    army.sense = f64::from(sense::of(battle, side, units));
    let of = &battle.lay.armies[side.index()];
    army.lost = f64::from(battle.broken_units(of.command)) / f64::from(of.strength).max(1.0);
    army.checks = -integrity::checks_to_come(battle, side);
    let officers = || battle.officer_ids().filter(|&id| battle.officer_facts(id).side == side);
    let there = |id: &_| matches!(battle.officer(*id).status, OfficerStatus::Present | OfficerStatus::Awaited);
    army.officers = officers().filter(there).count() as f64 / officers().count().max(1) as f64;
    army.aims = goals::objectives(battle, side, units) / goals::OBJECTIVE / POINTS;
    army
}
