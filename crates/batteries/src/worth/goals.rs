//! Places that count, for computer players: who holds them, and who is on the way to them.

use sabretache_engine::ids::Side;
use sabretache_table::{Convex, Vec2, exact_distance};
use smallvec::SmallVec;

use crate::battle::Battle;
use crate::table::NEAR;
use crate::troops::Arm;
use crate::worth::approach::way;
use crate::worth::{INCH, Stand};

/// A point held, for each point that the scenario gives for it.
pub(crate) const OBJECTIVE: f64 = 70.0;
/// How many units are drawn to a place that is to be taken.
const DRAWN: usize = 4;
/// What the way to a place that is to be taken or is fought for is worth of what the place is.
const TO_TAKE: f64 = 0.4;
/// How many are drawn to one that is held, and what their way is worth of it.
const HELPERS: usize = 3;
const TO_HOLD: f64 = 0.15;
/// What it is worth of a place that is held to be nearer to it than any enemy, by so many inches.
const GUARDED: f64 = 0.15;
const GUARD: f64 = 16.0;
/// What each unit at a place that is fought for is worth of what the place is: one alone is soon gone again.
const THERE: f64 = 0.1;
const SUPPORT: f64 = 0.05;

/// A place that counts, as it stands now.
pub(crate) struct Goal {
    pub(crate) at: Vec2,
    pub(crate) radius: f64,
    /// Points of the scenario.
    worth: u32,
    /// Who would have it if the battle ended now.
    pub(crate) holder: Option<Side>,
    /// Who has troops there.
    there: [bool; 2],
}

pub(crate) type Goals = SmallVec<[Goal; 4]>;

/// The places of a scenario, as they stand now.
pub(crate) fn goals(battle: &Battle, stands: &[Stand]) -> Goals {
    let places = battle.fixed.objectives.iter().filter_map(|one| Some((one, one.place()?)));
    let all = places.map(|(one, (at, radius))| {
        let radius = radius.f();
        let there = Side::BOTH.map(|side| near(battle, stands, side, at, radius));
        let holder = match there {
            [true, true] => None,
            [true, false] => Some(Side::A),
            [false, true] => Some(Side::B),
            [false, false] => one.held_by,
        };
        Goal { at, radius, worth: one.points.max(0) as u32, holder, there }
    });
    all.collect()
}

/// Who would have won if the battle ended now: 1 the side, -1 the other, 0 nobody.
pub(crate) fn ahead(battle: &Battle, side: Side, goals: &[Goal]) -> i8 {
    let held = |side: Side| goals.iter().filter(|one| one.holder == Some(side)).map(|one| one.worth).sum::<u32>();
    match held(side).cmp(&held(side.other())) {
        std::cmp::Ordering::Greater => 1,
        std::cmp::Ordering::Less => -1,
        std::cmp::Ordering::Equal => match &battle.fixed.scenario.body.victory.defender {
            Some(defender) if *defender == battle.fixed.scenario.sides[side.index()].id => 1,
            Some(_) => -1,
            None => 0,
        },
    }
}

/// Whether a side has troops at a place, as the verdict counts them; a charge that is plotted has brought nobody there yet, and one that is made
/// only if it comes home, unless this is the last turn and nothing better is to be had.
fn near(battle: &Battle, stands: &[Stand], side: Side, at: Vec2, radius: f64) -> bool {
    let far = radius + 8.0 * INCH;
    let last = battle.turn >= battle.fixed.scenario.body.turns;
    let charges = |one: &Stand| battle.contacts.iter().any(|contact| contact.fresh && contact.charger == one.unit);
    stands.iter().filter(|one| one.side == side && one.sound && (last || !charges(one))).any(|one| {
        let off = (one.at - at).length2();
        let lies_there = || {
            let there = exact_distance(&Convex::place(at), battle.outline(one.unit)) <= radius + NEAR;
            there && !battle.launched(one.unit)
        };
        off <= radius * radius || (off <= far * far && lies_there())
    })
}

/// How near a unit must come to a place to be there for good.
pub(crate) fn near_enough(goal: &Goal) -> f64 {
    goal.radius / INCH * 0.5
}

/// Ground that counts: what is held, by how many, and how near those are who are to take the rest or to help.
pub(crate) fn objectives(battle: &Battle, side: Side, goals: &[Goal], stands: &[Stand]) -> f64 {
    let mut points = 0.0;
    for goal in goals {
        let weight = OBJECTIVE * f64::from(goal.worth);
        let sound = |side: Side| stands.iter().filter(move |one| one.side == side && one.sound);
        let held = goal.holder == Some(side);
        if held {
            points += weight;
            // Somebody stays who is there before the enemy.
            let off = |side: Side| sound(side).map(|one| (one.at - goal.at).length() / INCH).fold(60.0, f64::min);
            points += weight * GUARDED * ((off(side.other()) - off(side)) / GUARD).clamp(-1.0, 1.0);
        } else if goal.holder.is_none() {
            points += weight * 0.4;
        }
        let reach = goal.radius + INCH;
        let there = sound(side).filter(|own| (own.at - goal.at).length() <= reach).count();
        points += there.min(3) as f64 * weight * if held { SUPPORT } else { THERE };
        let coming = sound(side).filter(|own| own.arm != Arm::Guns);
        let mut off: SmallVec<[f64; 32]> = coming.map(|own| way(battle, own, goal.at, near_enough(goal))).collect();
        off.sort_by(f64::total_cmp);
        // The nearest few are to go there; nobody else is drawn along.
        let (few, share) = if held { (HELPERS, TO_HOLD) } else { (DRAWN, TO_TAKE) };
        points += off.iter().take(few).map(|off| (60.0 - off).max(0.0) / 60.0).sum::<f64>() * weight * share;
    }
    points
}

/// Places that a side has yet to take or to clear.
pub(crate) fn open(goals: &[Goal], side: Side) -> impl Iterator<Item = &Goal> {
    goals.iter().filter(move |one| one.holder != Some(side) || one.there[side.other().index()])
}
