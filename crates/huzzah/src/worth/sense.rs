//! What a side owes itself, which the first judgement did not see: troops that are still to come are brought on, guns are not masked by
//! friends, flanks are answered, what cannot defend itself is ridden down, and who is ahead keeps his ground.

use sabretache_engine::ids::{Side, UnitId};

use sabretache_table::Face;

use super::{CM, Drive, SLOPE, STEADIER, Seen, whole};
use crate::battle::Battle;
use crate::body::{Goal, OfficerStatus, Presence};
use crate::phases::{orders, reinforce, victory};
use crate::state::Stage;
use crate::troops::{Arm, Formation};

/// What of a unit counts while it is still to come, and what an officer is worth less then.
const AWAITED: i32 = 2;
const OFFICER_AWAITED: i32 = 15;
/// How far, in centimetres, a unit that is still to come counts as being from the enemy: further than any on the table.
const OFF_TABLE: f64 = 160.0;
/// What it is worth that a unit still to come is ordered on and waits to enter, and that it can still be ordered.
const ENTERING: f64 = 45.0;
const MAY_ENTER: f64 = 10.0;
/// A battery all of whose targets have friends before them, and how far, in centimetres, it looks for targets.
const MASKED: i32 = 14;
const GUNS_LOOK: f64 = 100.0;
/// Horse, and foot, that looks at an open flank which nobody covers; and how near they must be, in centimetres.
const HORSE_ON_FLANK: f64 = 72.0;
const FOOT_ON_FLANK: f64 = 42.0;
const HORSE_NEAR: f64 = 42.0;
const FOOT_NEAR: f64 = 26.0;
/// Horse before the front of foot that is not in square, and of foot in open order.
const HORSE_BEFORE: f64 = 10.0;
const HORSE_BEFORE_OPEN: f64 = 36.0;
/// How much more it costs where he looks at the rear.
const FROM_BEHIND: f64 = 1.4;
/// A unit on its last legs in the zone of an enemy who stands.
const LAST_LEGS: i32 = 18;
/// Over how many centimetres more it comes to nothing, so that a step aside or a change of formation is no way out of it.
const FLANK_FADES: f64 = 18.0;
/// At what share of the way to such an enemy a friend stands between.
const COVERS: f64 = 0.75;
/// What horse has before it that cannot defend itself: blown horse, limbers, march columns, mobs.
const PREY: i32 = 14;
const PREY_NEAR: f64 = 40.0;
/// Guns in action that have somebody within range stay where they are.
const GUNS_FROM: f64 = 20.0;
/// An enemy in the zone of guns.
const GUNS_THREATEN: i32 = 14;
/// A garrison of houses from which a place that counts is held.
const GARRISONED: i32 = 40;
/// A shot that a battery still has: one at the far end of its range is worth less.
const SHOT: i32 = 4;
/// Guns on their limbers with the enemy coming up, and a square with no horse about.
const LIMBERED: i32 = 16;
const NEEDLESS_SQUARE: i32 = 20;
/// Foot or horse in march column, and how near, in centimetres, the enemy is then.
const ON_THE_MARCH: i32 = 22;
const MARCH_NEAR: f64 = 110.0;
/// How far, in centimetres, a unit of a side that would win as things stand may hang back before it is brought up.
const SUPPORT: f64 = 20.0;
/// How near, in centimetres, the enemy is when guns on their limbers are late, and how far off horse counts for a square.
const LIMBERED_NEAR: f64 = 70.0;
const SQUARE_LOOKS: f64 = 80.0;
/// What a worn unit counts as having still to go, in centimetres, so that it is no gain to be worn.
const WORN_SHORT: f64 = 40.0;
/// How much of the urge to close is left to a side that would win as things stand.
const CONTENT: f64 = 0.3;

/// How hard a side comes on: one that would win as things stand lets the enemy come; one that would not seeks the fight, and takes an even one
/// once half of the battle is over.
pub(super) fn drive(battle: &Battle, side: Side) -> Drive {
    let first = victory::ahead(battle) as i32;
    let ahead = if side == Side::A { first } else { -first };
    let late = 2 * u32::from(battle.turn) > u32::from(battle.lay.options.turns);
    // An order is followed to what comes of it, so that nothing is credited beforehand: or to end the phase would look like a loss, and units would
    // be ordered to and fro.
    let (slope, steadier) = match ahead {
        1.. => (SLOPE * CONTENT, STEADIER),
        _ if late => (SLOPE, 1),
        _ => (SLOPE, STEADIER),
    };
    Drive {
        slope,
        steadier,
        orderable: 0.0,
        guns_from: GUNS_FROM,
        support: SUPPORT,
        eager: 1.0,
        spent: WORN_SHORT,
        guns_threaten: GUNS_THREATEN,
    }
}

/// What a side has left undone.
pub(super) fn of(battle: &Battle, side: Side, units: &[Seen<'_>]) -> i32 {
    let mut points = 0;
    for id in awaited(battle, side) {
        points -= whole(battle, id, battle.facts(id).arm) / AWAITED;
    }
    let late = |id| battle.officer_facts(id).side == side && battle.officer(id).status == OfficerStatus::Awaited;
    points -= OFFICER_AWAITED * battle.officer_ids().filter(|&id| late(id)).count() as i32;
    for unit in units.iter().filter(|unit| unit.side == side && !unit.routing) {
        match unit.arm {
            Arm::Artillery => {
                points -= masked(unit, units) + limbered(unit, units);
                points += SHOT * i32::from(battle.unit(unit.id).bombardments.min(2));
            }
            Arm::Cavalry => points += prey(battle, unit, units),
            Arm::Infantry => {}
        }
        points -= last_legs(unit, units);
        points -= open_flank(unit, units) + needless_square(unit, units) + on_the_march(unit, units);
        if unit.formation == Formation::Garrison && holds(battle, side, unit) {
            points += GARRISONED;
        }
    }
    points
}

/// What urges a side to bring its troops on: that is weighed for its own decisions only.
pub(super) fn urge(battle: &Battle, side: Side) -> f64 {
    let acting = battle.doing.acting.filter(|_| battle.phasing == side && battle.stage == Stage::Act);
    let ordered = acting.map(|acting| orders::units_ordered(battle, acting.officer, acting.to));
    let of_unit = |id: UnitId| {
        let waits = ordered.as_ref().is_some_and(|units| units.contains(&id))
            && battle.unit(id).acted != battle.doing.orders
            && reinforce::may_enter(battle, id).is_ok();
        let command = battle.command(battle.facts(id).brigade);
        let orderable = battle.phasing == side && !command.silenced && !command.closed && !battle.doing.ending;
        let promise = if waits {
            ENTERING
        } else if orderable && reinforce::may_enter(battle, id).is_ok() {
            MAY_ENTER
        } else {
            0.0
        };
        promise - OFF_TABLE * SLOPE
    };
    awaited(battle, side).map(of_unit).sum()
}

fn awaited(battle: &Battle, side: Side) -> impl Iterator<Item = UnitId> + '_ {
    let waits = move |id: &UnitId| battle.facts(*id).side == side && battle.unit(*id).presence == Presence::Awaited;
    battle.unit_ids().filter(waits)
}

/// What it costs that a battery has targets before its guns and friends before every one of them.
fn masked(guns: &Seen<'_>, units: &[Seen<'_>]) -> i32 {
    if guns.zone <= 0.0 {
        return 0;
    }
    let mut any = false;
    for enemy in units.iter().filter(|enemy| enemy.side != guns.side && !enemy.routing) {
        if guns.ahead(enemy).is_none_or(|ahead| ahead > GUNS_LOOK * CM) {
            continue;
        }
        if !units
            .iter()
            .any(|friend| friend.side == guns.side && friend.id != guns.id && stands_between(friend, guns, enemy))
        {
            return 0;
        }
        any = true;
    }
    if any { MASKED } else { 0 }
}

/// What it costs that a battery is on its limbers with the enemy coming up to it.
fn limbered(guns: &Seen<'_>, units: &[Seen<'_>]) -> i32 {
    let near = |enemy: &Seen<'_>| (enemy.middle - guns.middle).length() < LIMBERED_NEAR * CM;
    let any = units.iter().any(|enemy| enemy.side != guns.side && !enemy.routing && near(enemy));
    if guns.formation != Formation::Line && any { LIMBERED } else { 0 }
}

/// What it costs foot or horse to be in march column within two or three moves of the enemy. A column that forms is longer than what it formed
/// from, and without this it would be formed for the ground that its head gains.
fn on_the_march(unit: &Seen<'_>, units: &[Seen<'_>]) -> i32 {
    let near = |enemy: &Seen<'_>| (enemy.middle - unit.middle).length() < MARCH_NEAR * CM;
    let any = || units.iter().any(|enemy| enemy.side != unit.side && !enemy.routing && near(enemy));
    let marches = unit.arm != Arm::Artillery && unit.formation == Formation::MarchColumn;
    if marches && any() { ON_THE_MARCH } else { 0 }
}

/// What it costs to stand in square with no horse about.
fn needless_square(unit: &Seen<'_>, units: &[Seen<'_>]) -> i32 {
    let near = |enemy: &Seen<'_>| (enemy.middle - unit.middle).length() < SQUARE_LOOKS * CM;
    let horse = |enemy: &Seen<'_>| enemy.side != unit.side && enemy.arm == Arm::Cavalry && !enemy.routing;
    let any = units.iter().any(|enemy| horse(enemy) && near(enemy));
    if unit.formation == Formation::Square && !any { NEEDLESS_SQUARE } else { 0 }
}

/// Whether a unit is where one of its side's places is held from.
fn holds(battle: &Battle, side: Side, unit: &Seen<'_>) -> bool {
    let within = battle.lay.length(battle.numbers().held_within).f() + unit.radius;
    battle.lay.objectives.iter().filter(|objective| objective.side == side).any(|objective| {
        let Goal::Hold(spot) = &objective.goal else { return false };
        (battle.lay.scenario.measure.point(spot.middle).v() - unit.middle).length() <= within
    })
}

/// Whether one unit stands on the line between two others.
fn stands_between(one: &Seen<'_>, from: &Seen<'_>, to: &Seen<'_>) -> bool {
    let (line, off) = (to.middle - from.middle, one.middle - from.middle);
    let length = line.length();
    if length < 1.0 {
        return false;
    }
    let along = off.dot(line) / length;
    let aside = (off - line * (along / length)).length();
    along > 0.0 && along < length && aside < 0.7 * one.radius
}

/// What it costs a unit that enemies look at its flank or its rear, or horse at foot out of square, and no friend stands nearer who looks at them.
fn open_flank(unit: &Seen<'_>, units: &[Seen<'_>]) -> i32 {
    if matches!(unit.formation, Formation::Square | Formation::Garrison) {
        return 0;
    }
    let mut worst = 0;
    for enemy in units.iter().filter(|enemy| enemy.side != unit.side && !enemy.routing && !enemy.worn) {
        let to = enemy.middle - unit.middle;
        let way = to * (1.0 / to.length().max(1.0));
        let looks = unit.placed.forward().dot(way);
        let aside = looks < 0.35;
        let (near, cost) = match (enemy.arm, unit.arm) {
            (Arm::Cavalry, Arm::Infantry) if aside => (HORSE_NEAR, HORSE_ON_FLANK),
            (Arm::Cavalry, Arm::Infantry) if unit.formation == Formation::OpenOrder => (HORSE_NEAR, HORSE_BEFORE_OPEN),
            (Arm::Cavalry, Arm::Infantry) => (HORSE_NEAR, HORSE_BEFORE),
            (Arm::Cavalry, _) if aside => (HORSE_NEAR, FOOT_ON_FLANK),
            // Horse rides out of the way of foot.
            (Arm::Infantry, Arm::Cavalry) if aside => (FOOT_NEAR, FOOT_ON_FLANK / 3.0),
            (Arm::Infantry, _) if aside => (FOOT_NEAR, FOOT_ON_FLANK),
            _ => continue,
        };
        let cost = if looks < -0.5 { FROM_BEHIND * cost } else { cost };
        let cost = (cost * ((near + FLANK_FADES - gap(unit, enemy) / CM) / FLANK_FADES).clamp(0.0, 1.0)) as i32;
        if cost <= worst || matches!(enemy.formation, Formation::MarchColumn | Formation::Mob) {
            continue;
        }
        if enemy.placed.forward().dot(way) < -0.6 && !is_covered(unit, enemy, units) {
            worst = cost;
        }
    }
    worst
}

/// What it costs a unit that will break at the next test to stay where an enemy makes it take one.
fn last_legs(unit: &Seen<'_>, units: &[Seen<'_>]) -> i32 {
    let threatens = |enemy: &Seen<'_>| {
        enemy.side != unit.side
            && !enemy.routing
            && !enemy.worn
            && enemy.arm != Arm::Artillery
            && enemy.ahead(unit).is_some_and(|ahead| ahead <= enemy.zone)
    };
    if unit.worn && units.iter().any(threatens) { LAST_LEGS } else { 0 }
}

/// How far it is from the middle of an enemy's front to the nearest corner of a unit.
fn gap(unit: &Seen<'_>, enemy: &Seen<'_>) -> f64 {
    let front = enemy.placed.face(Face::Front);
    let from = (front.a + front.b) * 0.5;
    let corners = unit.placed.whole().as_part().corners.iter().map(|corner| (*corner - from).length());
    corners.fold((unit.middle - from).length(), f64::min)
}

/// Whether a friend stands well nearer to an enemy than a unit does, before his front, and faces him: one who is as far off covers nobody, nor do guns
/// or troops that he has behind him.
fn is_covered(unit: &Seen<'_>, enemy: &Seen<'_>, units: &[Seen<'_>]) -> bool {
    let off = COVERS * (enemy.middle - unit.middle).length();
    let covers = |friend: &Seen<'_>| {
        let to = enemy.middle - friend.middle;
        let way = to.unit();
        let faces = friend.formation == Formation::Square || friend.placed.forward().dot(way) > 0.5;
        let stands = friend.arm != Arm::Artillery && !friend.routing && !friend.worn;
        let before = enemy.placed.forward().dot(way) < -0.4;
        friend.side == unit.side && friend.id != unit.id && stands && to.length() < off && faces && before
    };
    units.iter().any(covers)
}

/// What horse has before it that cannot defend itself.
fn prey(battle: &Battle, horse: &Seen<'_>, units: &[Seen<'_>]) -> i32 {
    if horse.worn || battle.unit(horse.id).blown || horse.formation == Formation::MarchColumn {
        return 0;
    }
    let helpless = |enemy: &Seen<'_>| match enemy.arm {
        Arm::Cavalry => battle.unit(enemy.id).blown || enemy.formation == Formation::MarchColumn,
        Arm::Artillery => enemy.formation != Formation::Line,
        Arm::Infantry => matches!(enemy.formation, Formation::MarchColumn | Formation::Mob | Formation::OpenOrder),
    };
    let before = |enemy: &Seen<'_>| horse.ahead(enemy).is_some_and(|ahead| ahead <= PREY_NEAR * CM);
    let any = units.iter().any(|enemy| enemy.side != horse.side && helpless(enemy) && before(enemy));
    if any { PREY } else { 0 }
}
