//! How a battle stands part by part, for the chance of winning: each part for the first side against the second.
//!
//! Points are told as a share of all that is on the table, so that a battalion more counts in a large battle for what it counts there.

use sabretache_engine::ids::Side;
use sabretache_engine::ruleset::Judgement;

use super::goals::{self, Goals};
use super::prospects::{fights, shots};
use super::threats::{among_friends, horse};
use super::{ATTACKING, HOLDING, Stand, command, measure, order, position, stand};
use crate::battle::{Battle, Kind, Place, Step};
use crate::phases::victory;

/// What the parts are, in the order of [`parts`].
pub(crate) const NAMES: &[&str] = &[
    "strength",
    "away",
    "order",
    "place",
    "sense",
    "command",
    "places",
    "ahead",
    "ahead at night",
    "points",
    "losses",
    "beaten",
    "fights",
    "shots",
    "last word",
];

/// So many points of the scenario's are much.
const POINTS: f64 = 4.0;
/// From this share of the battle on it counts who would win if it ended now.
const NIGHT: f64 = 0.7;

/// What one side has of each.
#[derive(Clone, Copy, Default)]
struct Army {
    strength: f64,
    away: f64,
    order: f64,
    place: f64,
    sense: f64,
    command: f64,
    places: f64,
    points: f64,
    lost: f64,
}

pub(crate) fn parts(battle: &Battle, out: &mut Vec<f64>) {
    let mut stands: Vec<Stand> =
        battle.all().filter(|unit| !battle.is_screen(*unit)).map(|unit| stand(battle, unit)).collect();
    measure(&mut stands);
    let goals = goals::goals(battle, &stands);
    let ahead = goals::ahead(battle, Side::A, &goals);
    let [a, b] =
        Side::BOTH.map(|side| army(battle, side, &stands, &goals, if side == Side::A { ahead } else { -ahead }));
    let all = (a.strength + b.strength + a.away + b.away).max(100.0);
    let share = |of: fn(&Army) -> f64| (of(&a) - of(&b)) / all;
    let turns = battle.fixed.scenario.body.turns;
    let passed = f64::from(battle.turn) / f64::from(turns.max(1));
    let night = ((passed - NIGHT) / (1.0 - NIGHT)).clamp(0.0, 1.0);
    let moves_last = match battle.step {
        Step::Initiative | Step::Choice => 0.0,
        _ if battle.turn < turns => 0.0,
        _ if battle.first == Side::A => -1.0,
        _ => 1.0,
    };
    out.extend([
        share(|army| army.strength),
        share(|army| army.away),
        share(|army| army.order),
        share(|army| army.place),
        share(|army| army.sense),
        share(|army| army.command),
        a.places - b.places,
        f64::from(ahead),
        f64::from(ahead) * night,
        (a.points - b.points) / POINTS,
        b.lost - a.lost,
        b.lost * b.lost - a.lost * a.lost,
        fights(battle, Side::A, Judgement::Present).0 / all,
        shots(battle, Side::A, Judgement::Present) / all,
        moves_last,
    ]);
}

fn army(battle: &Battle, side: Side, stands: &[Stand], goals: &Goals, ahead: i8) -> Army {
    let mut army = Army::default();
    for (state, facts) in battle.units.iter().zip(&battle.fixed.facts).filter(|(_, facts)| facts.side == side) {
        if matches!(state.place, Place::Away | Place::Pursuing | Place::Awaited) {
            army.away += f64::from(state.figures) * if matches!(facts.kind, Kind::Horse { .. }) { 3.0 } else { 1.5 };
        }
    }
    let drive = if ahead > 0 { HOLDING } else { ATTACKING };
    for own in stands.iter().filter(|own| own.side == side) {
        let state = battle.unit(own.unit);
        army.strength += own.worth;
        army.order += own.worth * (order(battle, own.unit, state, ahead) - 1.0);
        army.place += position(battle, own, state, stands, goals, (drive, Judgement::Present));
    }
    army.sense = among_friends(battle, side, stands);
    army.command = command(battle, side, stands) + horse(battle, side, stands);
    army.places = goals::objectives(battle, side, goals, stands) / goals::OBJECTIVE / POINTS;
    army.points = f64::from(victory::points(battle, side));
    let (lost, start) = battle.losses(side);
    let limit = f64::from(battle.fixed.scenario.body.victory.losses.unwrap_or(100)) / 100.0;
    army.lost = (f64::from(lost) / (f64::from(start.max(1)) * limit.max(0.01))).min(1.2);
    army
}
