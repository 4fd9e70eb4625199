//! What troops may do to each other before long, for computer players; and what a side owes itself: guns that friends do not mask, flanks
//! that are answered, squares where there is horse about.

use sabretache_engine::ids::Side;
use sabretache_engine::ruleset::Judgement;

use sabretache_table::Vec2;

use crate::battle::{Battle, Unit};
use crate::troops::{Arm, Formation};
use crate::worth::{INCH, Stand};

/// A battery all of whose targets have friends before them, and how far it looks for them, in inches.
const MASKED: f64 = 16.0;
const GUNS_LOOK: f64 = 36.0;
/// Horse that looks at foot out of square which nobody covers, by its flank or rear and by its front; and how near it is, in inches.
const HORSE_ON_FLANK: f64 = 30.0;
const HORSE_BEFORE: f64 = 8.0;
const HORSE_NEAR: f64 = 15.0;
/// Foot that looks at an open flank, and how near.
const FOOT_ON_FLANK: f64 = 12.0;
const FOOT_NEAR: f64 = 9.0;
/// Over how many inches more it comes to nothing, so that a step away is no way out of it.
const FADES: f64 = 7.0;
/// At what share of the way to such an enemy a friend covers a unit.
const COVERS: f64 = 0.8;
/// A square with no horse about.
const NEEDLESS_SQUARE: f64 = 6.0;
/// A friend close before the front of troops in close order, who would be run into; and how close, in inches.
const CROWDED: f64 = 5.0;
const CLOSE_BEFORE: f64 = 2.2;
/// What horse has before it that cannot defend itself: limbers, guns without crews, skirmishers in the open, shaken horse; and how near.
const PREY: f64 = 12.0;
const PREY_NEAR: f64 = 16.0;

/// What one enemy may do to a unit before long: guns that bear on it, somebody on its flank.
pub(crate) fn under_threat(
    battle: &Battle,
    own: &Stand,
    state: &Unit,
    (enemy, distance): (&Stand, f64),
    judgement: Judgement,
) -> f64 {
    let inches = distance / INCH;
    let away = (own.at - enemy.at).unit();
    let bears = enemy.ahead.dot(away) > 0.707;
    let their = battle.unit(enemy.unit);
    let mut points = 0.0;
    if enemy.arm == Arm::Guns && bears && !their.limbered && !their.away {
        let canister = inches < 12.0;
        let deep =
            own.arm != Arm::Guns && (state.formation == Formation::Square || state.deep(battle.facts(own.unit)) >= 3);
        points -= if canister { 7.0 } else { 2.0 };
        points -= if deep && !canister { 2.0 } else { 0.0 };
    }
    // Somebody behind its front who faces it. A square has no flanks.
    let has_flanks = judgement == Judgement::First || !battle.in_square(own.unit);
    if has_flanks
        && bears
        && inches < if enemy.arm == Arm::Horse { 18.0 } else { 10.0 }
        && own.ahead.dot((enemy.at - own.at).unit()) < 0.1
        && !their.shaken
        && enemy.arm != Arm::Guns
    {
        points -= 10.0;
    }
    points
}

/// What a side's horse may do before long: each body of it to one enemy only, whoever has most to fear.
pub(crate) fn horse(battle: &Battle, side: Side, stands: &[Stand]) -> f64 {
    let squared = |enemy: &Stand| battle.in_square(enemy.unit);
    let feared = |own: &Stand, enemy: &Stand| {
        let to = enemy.at - own.at;
        let reached = to.length2() < (18.0 * INCH) * (18.0 * INCH) && own.ahead.dot(to.unit()) > 0.707;
        match enemy.arm {
            _ if !reached => 0.0,
            Arm::Foot if squared(enemy) => 0.0,
            Arm::Foot => 6.0,
            Arm::Guns => 8.0,
            Arm::Horse => 1.0,
        }
    };
    let able = stands.iter().filter(|own| own.side == side && own.arm == Arm::Horse && own.sound);
    let threat = |own: &Stand| {
        stands.iter().filter(|enemy| enemy.side != side).map(|enemy| feared(own, enemy)).fold(0.0, f64::max)
    };
    able.map(threat).sum()
}

/// What a side owes itself, which the first judgement did not see.
pub(crate) fn among_friends(battle: &Battle, side: Side, stands: &[Stand]) -> f64 {
    let mut points = 0.0;
    for own in stands.iter().filter(|own| own.side == side) {
        match own.arm {
            Arm::Guns => points -= masked(battle, own, stands),
            Arm::Horse => points += prey(battle, own, stands),
            Arm::Foot => {}
        }
        points -= open_flank(battle, own, stands) + crowded(battle, own, stands);
    }
    points
}

/// What it costs foot or horse to stand close behind a friend: it cannot go on, and is carried along if he runs.
fn crowded(battle: &Battle, own: &Stand, stands: &[Stand]) -> f64 {
    let state = battle.unit(own.unit);
    if own.arm == Arm::Guns || state.inside.is_some() || battle.skirmishing(own.unit) || battle.in_contact(own.unit) {
        return 0.0;
    }
    let close = |friend: &Stand| {
        if friend.side != own.side || friend.unit == own.unit || battle.skirmishing(friend.unit) {
            return false;
        }
        let bounds = battle.bounds(friend.unit);
        let nearest = Vec2::new(own.at.x.clamp(bounds.min.x, bounds.max.x), own.at.y.clamp(bounds.min.y, bounds.max.y));
        let off = nearest - own.at;
        let along = off.dot(own.ahead);
        let aside = (off - own.ahead * along).length();
        along > -INCH / 2.0 && along < CLOSE_BEFORE * INCH && aside < INCH / 2.0
    };
    if stands.iter().any(close) { CROWDED } else { 0.0 }
}

/// What it costs that a battery bears on enemies and has friends before every one of them.
fn masked(battle: &Battle, guns: &Stand, stands: &[Stand]) -> f64 {
    if battle.unit(guns.unit).limbered {
        return 0.0;
    }
    let width = |unit| {
        let bounds = battle.bounds(unit);
        (bounds.max - bounds.min).length()
    };
    let mut any = false;
    for enemy in stands.iter().filter(|enemy| enemy.side != guns.side) {
        let to = enemy.at - guns.at;
        if to.length() > GUNS_LOOK * INCH || guns.ahead.dot(to.unit()) < 0.72 {
            continue;
        }
        let between = |friend: &Stand| {
            let off = friend.at - guns.at;
            let along = off.dot(to.unit());
            let aside = (off - to.unit() * along).length();
            friend.side == guns.side
                && friend.unit != guns.unit
                && along > INCH
                && along < to.length()
                && aside < 0.35 * width(friend.unit)
        };
        if !stands.iter().any(between) {
            return 0.0;
        }
        any = true;
    }
    if any { MASKED } else { 0.0 }
}

/// What it costs a unit that enemies look at its flank or its rear, or horse at foot out of square, and no friend stands nearer who looks
/// at them; and a square that is formed against nobody.
fn open_flank(battle: &Battle, own: &Stand, stands: &[Stand]) -> f64 {
    let (squared, mut horse_about, mut worst) = (battle.in_square(own.unit), false, 0.0_f64);
    let bounds = battle.bounds(own.unit);
    for enemy in stands.iter().filter(|enemy| enemy.side != own.side && enemy.sound && enemy.arm != Arm::Guns) {
        let to = enemy.at - own.at;
        let way = to.unit();
        let nearest =
            Vec2::new(enemy.at.x.clamp(bounds.min.x, bounds.max.x), enemy.at.y.clamp(bounds.min.y, bounds.max.y));
        let inches = (enemy.at - nearest).length() / INCH;
        horse_about |= enemy.arm == Arm::Horse && inches < 24.0;
        let near = if enemy.arm == Arm::Horse { HORSE_NEAR } else { FOOT_NEAR };
        let fades = ((near + FADES - inches) / FADES).clamp(0.0, 1.0);
        if squared || fades == 0.0 || enemy.ahead.dot(way) > -0.6 {
            continue;
        }
        let aside = own.ahead.dot(way) < 0.35;
        let cost = match (enemy.arm, own.arm) {
            (Arm::Horse, Arm::Foot) if aside => HORSE_ON_FLANK,
            (Arm::Horse, Arm::Foot) => HORSE_BEFORE,
            _ if aside => FOOT_ON_FLANK,
            _ => 0.0,
        } * fades;
        if cost > worst && !is_covered(own, enemy, stands) {
            worst = cost;
        }
    }
    if squared && !horse_about { NEEDLESS_SQUARE } else { worst }
}

/// Whether a friend stands well nearer to an enemy than a unit does, before his front, and faces him.
fn is_covered(own: &Stand, enemy: &Stand, stands: &[Stand]) -> bool {
    let off = COVERS * (enemy.at - own.at).length();
    stands.iter().any(|friend| {
        let to = enemy.at - friend.at;
        let way = to.unit();
        let nearer = friend.side == own.side && friend.unit != own.unit && to.length() < off;
        let faces = friend.ahead.dot(way) > 0.5 && enemy.ahead.dot(way) < -0.4;
        nearer && friend.sound && friend.arm != Arm::Guns && faces
    })
}

/// What horse has before it that cannot defend itself.
fn prey(battle: &Battle, horse: &Stand, stands: &[Stand]) -> f64 {
    if !horse.sound {
        return 0.0;
    }
    let helpless = |enemy: &Stand| {
        let state = battle.unit(enemy.unit);
        match enemy.arm {
            Arm::Guns => state.limbered || state.away,
            Arm::Horse => state.shaken,
            Arm::Foot => battle.skirmishing(enemy.unit) && state.inside.is_none(),
        }
    };
    let before = |enemy: &Stand| {
        let to = enemy.at - horse.at;
        to.length() < PREY_NEAR * INCH && horse.ahead.dot(to.unit()) > 0.8
    };
    let any = stands.iter().any(|enemy| enemy.side != horse.side && helpless(enemy) && before(enemy));
    if any { PREY } else { 0.0 }
}
