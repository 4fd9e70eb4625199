//! What a side owes itself, which the first judgement did not see: reserves are brought up, guns are not masked by friends, an open flank
//! has somebody who covers it, and horse looks for what cannot defend itself.

use sabretache_engine::ids::Side;

use super::{Army, INCH, Seen, disorder};
use crate::battle::Battle;
use crate::brigade::{Assault, Response, Status};
use crate::phases::morale;
use crate::phases::movement::{self, Group};
use crate::troops::{Formation, Kind};

/// What it costs for each four bases that might come up and do not: more than the longest way across the table.
const HELD_OFF: f64 = 450.0;
/// A gun all of whose targets have friends before them, and how far it looks for them, in inches.
const MASKED: f64 = 30.0;
const GUN_LOOKS: f64 = 24.0;
/// An enemy who looks at an open flank that nobody covers, horse and foot; how near, in inches.
const HORSE_ON_FLANK: f64 = 30.0;
const FOOT_ON_FLANK: f64 = 12.0;
const HORSE_NEAR: f64 = 12.0;
const FOOT_NEAR: f64 = 5.0;
/// What horse has before it that cannot defend itself: limbered guns, march columns, brigades that have retired; and how near.
const PREY: f64 = 25.0;
const PREY_NEAR: f64 = 9.0;

/// How much of the DPs counts as gone that are lost at the end of the turn if nothing comes between.
const REDRESSED: f64 = 0.8;
/// An end drawn back where it is overlapped, or where it is not.
const DRAWN_BACK: f64 = 15.0;
/// Hussars whom a charge is about to reach, and how far, in inches, it may reach.
const CAUGHT: f64 = 160.0;
/// What of that counts however far off the charge begins, as long as it may reach them.
const REACHABLE: f64 = 0.4;
const REACHED: f64 = 10.0;

/// What a side has seen to.
pub(super) fn of(ours: &Army<'_>, theirs: &Army<'_>) -> f64 {
    let mut points = 0.0;
    for seen in ours.units.iter().filter(|seen| !seen.one.is_routing()) {
        if seen.one.kind.is_gun() {
            points -= masked(seen, ours, theirs);
        } else if seen.one.kind.is_brigade() {
            points += drawn_back(seen, theirs);
            points += if seen.one.kind.is_cavalry() { prey(seen, theirs) } else { 0.0 };
        }
    }
    points
}

/// What a side fears for its open flanks and its hussars: weighed for its own decisions only. What a charge brings is told by its dice. A side that
/// took the enemy's fear for a gain would declare charges that do not come home, and look at flanks that it does not charge.
pub(super) fn fears(ours: &Army<'_>, theirs: &Army<'_>) -> f64 {
    let stands = |seen: &&Seen<'_>| seen.one.kind.is_brigade() && !seen.one.is_routing();
    let of = |seen: &Seen<'_>| {
        let hussars = if seen.one.kind == Kind::Hussars { caught(seen, theirs) } else { 0.0 };
        open_flank(seen, ours, theirs) + hussars
    };
    ours.units.iter().filter(stands).map(of).sum()
}

/// What urges a side to bring its reserve up: weighed for its own decisions only.
pub(super) fn urge(battle: &Battle, side: Side) -> f64 {
    let late = battle.units.iter().filter(|one| one.side == side && one.status == Status::Expected);
    -late.map(|one| HELD_OFF * f64::from(one.bases.max(1)) / 4.0).sum::<f64>()
}

/// What a side's disorder costs that will be gone when the turn ends.
pub(super) fn redressed(battle: &Battle, ours: &Army<'_>, theirs: &Army<'_>) -> f64 {
    ours.units.iter().map(|seen| dressed(battle, seen, theirs)).sum()
}

/// What the DPs cost a brigade that it will be rid of when the turn ends (MB-MOR-06), if it stands still: one that steps aside by half an inch keeps
/// them, and so does one about to fight.
pub(super) fn dressed(battle: &Battle, seen: &Seen<'_>, theirs: &Army<'_>) -> f64 {
    let one = seen.one;
    if one.dps == 0
        || one.marks.shifted
        || one.marks.fought
        || matches!(one.marks.carried.attack, Assault::Declared { .. })
    {
        return 0.0;
    }
    let charges =
        |foe: &Seen<'_>| matches!(foe.one.marks.carried.attack, Assault::Declared { at, .. } if at == seen.id);
    // A brigade that has rolled for itself alone must move (MB-MOV-04).
    let alone = movement::group_of(battle, seen.id) == Group::Alone(seen.id);
    let must_move = alone && battle.group.is_some_and(|roll| roll.of == seen.id);
    if must_move || theirs.units.iter().any(charges) {
        return 0.0;
    }
    let removed = morale::redress(battle, seen.id).removed(&battle.fixed.numbers);
    REDRESSED * (disorder(one, one.dps) - disorder(one, one.dps - removed))
}

/// What it costs that a gun bears on enemies and has friends before every one of them.
fn masked(gun: &Seen<'_>, ours: &Army<'_>, theirs: &Army<'_>) -> f64 {
    if gun.one.formation != Formation::Unlimbered {
        return 0.0;
    }
    let mut any = false;
    for foe in &theirs.units {
        let line = foe.middle - gun.middle;
        let length = line.length();
        if length > GUN_LOOKS * INCH || line.dot(gun.forward) < 0.7 * length {
            continue;
        }
        let between = |friend: &Seen<'_>| {
            let off = friend.middle - gun.middle;
            let along = off.dot(line.unit());
            let aside = (off - line.unit() * along).length();
            let wide = f64::from(friend.one.files) * friend.one.width.f();
            friend.id != gun.id && along > INCH && along < length && aside < 0.45 * wide
        };
        if !ours.units.iter().any(between) {
            return 0.0;
        }
        any = true;
    }
    if any { MASKED } else { 0.0 }
}

/// What it costs a brigade that enemies look at its flank and no friend stands nearer who has them before his front.
fn open_flank(seen: &Seen<'_>, ours: &Army<'_>, theirs: &Army<'_>) -> f64 {
    if seen.one.is_unformed() {
        return 0.0;
    }
    let mut worst = 0.0_f64;
    for foe in theirs.units.iter().filter(|foe| foe.one.kind.is_brigade() && foe.one.is_formed()) {
        let horse = foe.one.kind.is_cavalry();
        let (near, cost) = if horse { (HORSE_NEAR, HORSE_ON_FLANK) } else { (FOOT_NEAR, FOOT_ON_FLANK) };
        let gap = seen.gap(foe);
        if cost <= worst || gap > near || foe.one.is_routing() || !foe.before(seen) || seen.before(foe) {
            continue;
        }
        let covers = |friend: &Seen<'_>| {
            let stands = friend.one.kind.is_brigade() && friend.one.is_formed() && !friend.one.is_routing();
            friend.id != seen.id && stands && friend.gap(foe) < gap && friend.before(foe)
        };
        if !ours.units.iter().any(covers) {
            worst = cost;
        }
    }
    worst
}

/// What it is worth that the end of a line is drawn back before a charge that reaches past it: nothing is gained by drawing back the other.
fn drawn_back(seen: &Seen<'_>, theirs: &Army<'_>) -> f64 {
    let Some(refused) = seen.one.refused else { return 0.0 };
    let right = seen.forward.right();
    let half = f64::from(seen.one.files) * seen.one.width.f() / 2.0;
    let charges =
        |foe: &&Seen<'_>| matches!(foe.one.marks.carried.attack, Assault::Declared { at, .. } if at == seen.id);
    let past = |foe: &Seen<'_>| {
        let wide = f64::from(foe.one.files) * foe.one.width.f() / 2.0;
        let aside = (foe.middle - seen.one.pose.at.v()).dot(right) * if refused.left { -1.0 } else { 1.0 };
        aside + wide - half
    };
    match theirs.units.iter().filter(charges).map(past).reduce(f64::max) {
        None => 0.0,
        Some(most) if most > seen.one.width.f() / 2.0 => DRAWN_BACK,
        Some(_) => -DRAWN_BACK,
    }
}

/// What it costs that heavier horse is about to ride into hussars, who are there to get away from it.
fn caught(hussars: &Seen<'_>, theirs: &Army<'_>) -> f64 {
    let comes = |foe: &&Seen<'_>| {
        let declared = matches!(foe.one.marks.carried.attack, Assault::Declared { at, .. } if at == hussars.id);
        declared && foe.one.kind != Kind::Hussars && hussars.one.marks.onset.response != Response::Evades(foe.id)
    };
    let near = theirs.units.iter().filter(comes).map(|foe| match 1.0 - hussars.gap(foe) / REACHED {
        near if near > 0.0 => REACHABLE + (1.0 - REACHABLE) * near,
        _ => 0.0,
    });
    near.fold(0.0, f64::max) * CAUGHT
}

/// What horse has before it that cannot defend itself.
fn prey(horse: &Seen<'_>, theirs: &Army<'_>) -> f64 {
    if !horse.one.is_formed() {
        return 0.0;
    }
    let helpless = |foe: &Seen<'_>| {
        let one = foe.one;
        (one.kind.is_gun() && one.formation == Formation::Limbered)
            || one.formation == Formation::MarchColumn
            || one.status == Status::Retired
    };
    let any = theirs.units.iter().any(|foe| helpless(foe) && horse.gap(foe) < PREY_NEAR && horse.before(foe));
    if any { PREY } else { 0.0 }
}
