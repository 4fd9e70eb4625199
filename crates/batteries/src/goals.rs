//! Places that count, for computer players: who holds them, and who is on the way to them.

use sabretache_engine::ids::Side;
use sabretache_table::{Convex, Vec2, exact_distance};
use smallvec::SmallVec;

use crate::battle::Battle;
use crate::body::Objective;
use crate::state::NEAR;
use crate::troops::Arm;
use crate::worth::{INCH, Stand};

/// A point held, for each point that the scenario gives for it.
const OBJECTIVE: f64 = 70.0;
/// How many units are drawn to a place that is to be taken.
const DRAWN: usize = 4;
/// What the way to a place that is held, and to one that is to be taken or is fought for, is worth of what the place is.
const TO_HOLD: f64 = 0.15;
const TO_TAKE: f64 = 0.4;
/// What each unit at a place that is fought for is worth of what the place is: one alone is soon gone again.
const THERE: f64 = 0.1;

/// Who would have won if the battle ended now: 1 the side, -1 the other, 0 nobody.
pub(crate) fn ahead(battle: &Battle, side: Side, stands: &[Stand]) -> i8 {
    let victory = &battle.fixed.scenario.body.victory;
    let id = |side: Side| &battle.fixed.scenario.sides[side.index()].id;
    let held = |side: Side| -> u32 {
        let own = victory.objectives.iter().filter(|one| holds(battle, side, one, stands));
        own.map(|one| u32::from(one.worth)).sum()
    };
    match held(side).cmp(&held(side.other())) {
        std::cmp::Ordering::Greater => 1,
        std::cmp::Ordering::Less => -1,
        std::cmp::Ordering::Equal => match &victory.defender {
            Some(defender) if defender == id(side) => 1,
            Some(_) => -1,
            None => 0,
        },
    }
}

/// Whether a side holds a place: its troops are there and no enemy is, or nobody is there and it was its own.
fn holds(battle: &Battle, side: Side, one: &Objective, stands: &[Stand]) -> bool {
    let measure = battle.fixed.scenario.measure;
    let (at, radius) = (measure.point(one.at).v(), measure.length(one.radius).f());
    match (near(battle, stands, side, at, radius), near(battle, stands, side.other(), at, radius)) {
        (true, false) => true,
        (false, false) => one.held_by.as_ref() == Some(&battle.fixed.scenario.sides[side.index()].id),
        _ => false,
    }
}

/// Places that count and that the side does not hold now.
pub(crate) fn goals(battle: &Battle, side: Side, stands: &[Stand]) -> Vec<Vec2> {
    let measure = battle.fixed.scenario.measure;
    let objectives = &battle.fixed.scenario.body.victory.objectives;
    let open = objectives.iter().filter(|one| {
        let (at, radius) = (measure.point(one.at).v(), measure.length(one.radius).f());
        !near(battle, stands, side, at, radius) || near(battle, stands, side.other(), at, radius)
    });
    open.map(|one| measure.point(one.at).v()).collect()
}

/// Whether a side has troops at a place, as the verdict counts them; a charge that is plotted has brought nobody there yet.
fn near(battle: &Battle, stands: &[Stand], side: Side, at: Vec2, radius: f64) -> bool {
    let far = radius + 8.0 * INCH;
    stands.iter().filter(|one| one.side == side && one.sound).any(|one| {
        let off = (one.at - at).length2();
        let lies_there = || {
            let there = exact_distance(&Convex::place(at), battle.outline(one.unit)) <= radius + NEAR;
            there && !battle.launched(one.unit)
        };
        off <= radius * radius || (off <= far * far && lies_there())
    })
}

/// Ground that counts: what is held, and how near the few are who are to take the rest.
pub(crate) fn objectives(battle: &Battle, side: Side, stands: &[Stand]) -> f64 {
    let measure = battle.fixed.scenario.measure;
    let mut points = 0.0;
    for one in &battle.fixed.scenario.body.victory.objectives {
        let at = measure.point(one.at).v();
        let weight = OBJECTIVE * f64::from(one.worth);
        let held = holds(battle, side, one, stands);
        if held {
            points += weight;
        } else if !holds(battle, side.other(), one, stands) {
            points += weight * 0.4;
        }
        if !held {
            let reach = measure.length(one.radius).f() + INCH;
            let there = stands.iter().filter(|own| own.side == side && own.sound && (own.at - at).length() <= reach);
            points += there.count().min(3) as f64 * weight * THERE;
        }
        let sound = stands.iter().filter(|own| own.side == side && own.sound && own.arm != Arm::Guns);
        let mut off: SmallVec<[f64; 32]> = sound.map(|own| (own.at - at).length() / INCH).collect();
        off.sort_by(f64::total_cmp);
        // The nearest few are to go there, one of them to stay; nobody else is drawn along.
        let drawn = off.iter().take(if held { 1 } else { DRAWN });
        points +=
            drawn.map(|off| (60.0 - off).max(0.0) / 60.0).sum::<f64>() * weight * if held { TO_HOLD } else { TO_TAKE };
    }
    points
}
