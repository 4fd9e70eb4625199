//! Fortress walls and breaches as they lie: who is on top, who is below, who climbs (HZ-FTW-01 to HZ-FTW-14, HZ-BRE-01 to
//! HZ-BRE-08).
//!
//! The line of a wall is its battlements. Who stands on the inner side with its front right behind them is on top of the wall; who has
//! scaled it stands on the outer edge, front to the battlements.

use sabretache_engine::decides;
use sabretache_engine::ids::{Side, UnitId};
use sabretache_table::{Convex, Face, FeatureId, Lie, Outline, Placed, Point, Pose, Segment, Vec2, Zone, nearer};
use smallvec::SmallVec;

use super::ground::Lies;
use super::{Field, contact, shape, zones};
use crate::battle::Battle;
use crate::clauses::{
    HZ_BRE_04, HZ_BRE_05, HZ_BRE_06, HZ_BRE_08, HZ_FTW_01, HZ_FTW_05, HZ_FTW_06, HZ_FTW_07, HZ_FTW_08, HZ_FTW_09,
    HZ_FTW_11, HZ_FTW_12, HZ_FTW_14,
};
use crate::state::Threat;
use crate::terrain::{Kind, Terrain};
use crate::troops::{Arm, Formation};

/// The side that besieges: the designated attacker.
#[must_use]
pub fn besieger(battle: &Battle) -> Option<Side> {
    let attacker = battle.lay.options.attacker.as_deref()?;
    Side::BOTH.into_iter().find(|&side| battle.lay.side_id(side) == attacker)
}

fn is_wall(battle: &Battle, n: u16) -> bool {
    matches!(battle.lay.terrain.get(usize::from(n)), Some(Terrain { kind: Kind::Rampart { .. }, .. }))
}

/// Every fortress wall, by its number.
fn walls(battle: &Battle) -> impl Iterator<Item = u16> + '_ {
    (0..battle.lay.terrain.len() as u16).filter(|&n| is_wall(battle, n))
}

/// Every breach, by its number.
fn breaches(battle: &Battle) -> impl Iterator<Item = u16> + '_ {
    (0..battle.lay.terrain.len() as u16).filter(|&n| is_breach(battle, n))
}

fn is_breach(battle: &Battle, n: u16) -> bool {
    matches!(battle.lay.terrain[usize::from(n)].kind, Kind::Breach { .. })
}

fn lie(battle: &Battle, n: u16) -> Option<Lie<'_>> {
    battle.lay.ground.get(FeatureId(n))
}

/// The leg of a line nearest to a place; at a bend, the one that the place is further off to the side of.
fn nearest_leg(line: &[Point], place: Vec2) -> Option<Segment> {
    let mut best: Option<(f64, f64, Segment)> = None;
    for leg in line.windows(2) {
        let leg = Segment::new(leg[0].v(), leg[1].v());
        let distance = leg.distance(place);
        let aside = (leg.b - leg.a).unit().cross(place - leg.a).abs();
        let nearer =
            best.is_none_or(|(held, side, _)| distance < held - 1.0 || (distance < held + 1.0 && aside > side));
        if nearer {
            best = Some((distance, aside, leg));
        }
    }
    best.map(|(_, _, leg)| leg)
}

/// The way that leads inward from a wall near a place.
fn inward(battle: &Battle, wall: u16, place: Vec2) -> Option<Vec2> {
    let terrain = battle.lay.terrain.get(usize::from(wall))?;
    let Kind::Rampart { inner_left, .. } = terrain.kind else { return None };
    let leg = nearest_leg(&terrain.line, place)?;
    let right = (leg.b - leg.a).unit().right();
    Some(if inner_left { right * -1.0 } else { right })
}

/// Whether a place lies on the inner side of a wall.
#[must_use]
pub fn is_inside(battle: &Battle, wall: u16, place: Vec2) -> bool {
    let Some(terrain) = battle.lay.terrain.get(usize::from(wall)) else { return false };
    let Some(leg) = nearest_leg(&terrain.line, place) else { return false };
    inward(battle, wall, place).is_some_and(|inward| inward.dot(place - leg.a) > 0.0)
}

/// Levels of a wall and of the trench before it.
#[must_use]
pub fn levels(battle: &Battle, wall: u16) -> (u8, u8) {
    match battle.lay.terrain.get(usize::from(wall)).map(|terrain| terrain.kind) {
        Some(Kind::Rampart { height, trench, .. }) => (height, trench),
        _ => (0, 0),
    }
}

/// Whether a face is right at a wall and no more than 45 degrees off it.
fn faces_wall(battle: &Battle, placed: &Placed, face: Face, wall: u16, near: f64) -> bool {
    lie(battle, wall).is_some_and(|lie| {
        nearer(&Convex::segment(placed.face(face)), &lie, near) && zones::faces_obstacle(battle, &lie, placed, face)
    })
}

/// Whether troops here are on top of a wall: on its inner side, front right behind the battlements.
#[must_use]
pub fn holds(battle: &Battle, placed: &Placed, wall: u16) -> bool {
    is_wall(battle, wall)
        && faces_wall(battle, placed, Face::Front, wall, battle.lay.sizes.adjacent.f())
        && is_inside(battle, wall, placed.centre())
}

/// Whether a wall runs before a unit's front, on whichever side of it the unit stands: it does not lie on its flank then.
#[must_use]
pub fn is_before(battle: &Battle, placed: &Placed, wall: u16) -> bool {
    is_wall(battle, wall) && faces_wall(battle, placed, Face::Front, wall, battle.lay.sizes.adjacent.f())
}

/// Whether a unit is on top of a wall: it holds it, or has scaled it.
#[must_use]
pub fn is_on_top(battle: &Battle, id: UnitId, placed: &Placed, wall: u16) -> bool {
    decides!(HZ_FTW_06);
    battle.unit(id).scaled.is_some_and(|scaled| scaled.wall == wall)
        || (can_hold(battle, id) && holds(battle, placed, wall))
}

/// Formed infantry and guns hold walls; troops in march column, mobs and garrisons of buildings do not.
fn can_hold(battle: &Battle, id: UnitId) -> bool {
    let formation = battle.unit(id).formation;
    battle.facts(id).arm != Arm::Cavalry
        && !matches!(formation, Formation::MarchColumn | Formation::Mob | Formation::Garrison)
}

/// The wall a unit is on top of by holding it.
#[must_use]
pub fn held_wall(battle: &Battle, id: UnitId, placed: &Placed) -> Option<u16> {
    if !can_hold(battle, id) {
        return None;
    }
    walls(battle).find(|&wall| holds(battle, placed, wall))
}

// ------------------------------------------------------------------ breaches

/// The breach on whose slope some part of a footprint lies.
#[must_use]
pub fn slope_under(battle: &Battle, placed: &Placed) -> Option<u16> {
    breaches(battle).next()?;
    Lies::under(battle, placed).in_any().iter().copied().find(|&n| is_breach(battle, n))
}

/// Whether a besieger is on the slope of a breach (HZ-BRE-06).
#[must_use]
pub fn climbs(battle: &Battle, id: UnitId, placed: &Placed) -> bool {
    decides!(HZ_BRE_06);
    let attacks = besieger(battle).is_none_or(|side| side == battle.facts(id).side);
    attacks && slope_under(battle, placed).is_some()
}

/// Whether troops here defend the top of a breach: inside the wall, front to the slope and right at it (HZ-BRE-08).
#[must_use]
pub fn holds_breach(battle: &Battle, placed: &Placed, breach: u16) -> bool {
    decides!(HZ_BRE_08);
    let Some(wall) = battle.lay.terrain[usize::from(breach)].part_of else { return false };
    let Some(lie) = lie(battle, breach) else { return false };
    let near = battle.lay.sizes.adjacent.f();
    let Some(inward) = inward(battle, wall, placed.centre()) else { return false };
    nearer(&Convex::segment(placed.face(Face::Front)), &lie, near)
        && placed.forward().dot(inward) <= -libm::cos(f64::from(battle.numbers().faces_obstacle).to_radians()) + 1e-9
        && is_inside(battle, wall, placed.centre())
}

/// Whether superiority of the skirmishers has no effect on a unit's zone because of a wall or a breach (HZ-FTW-06, HZ-BRE-05).
#[must_use]
pub fn no_superiority(battle: &Battle, id: UnitId, placed: &Placed) -> bool {
    decides!(HZ_FTW_06, HZ_BRE_05);
    if !battle.lay.terrain.iter().any(|one| matches!(one.kind, Kind::Rampart { .. } | Kind::Breach { .. })) {
        return false;
    }
    walls(battle).any(|wall| is_on_top(battle, id, placed, wall))
        || slope_under(battle, placed).is_some()
        || breaches(battle).any(|breach| holds_breach(battle, placed, breach))
}

// ------------------------------------------------------------------ threats and favours

/// Whether a unit is outside a wall in the zone of infantry on top of it (HZ-FTW-08).
#[must_use]
pub fn is_below(field: &Field<'_>, unit: UnitId, threats: &[Threat]) -> bool {
    decides!(HZ_FTW_08);
    let battle = field.battle;
    let Some(placed) = field.get(unit) else { return false };
    if walls(battle).next().is_none() {
        return false;
    }
    threats.iter().any(|threat| {
        let Some(there) = field.get(threat.by) else { return false };
        battle.facts(threat.by).arm == Arm::Infantry
            && held_wall(battle, threat.by, there).is_some_and(|wall| {
                !is_inside(battle, wall, placed.centre())
                    && battle.unit(unit).scaled.is_none_or(|scaled| scaled.wall != wall)
            })
    })
}

/// Whether a unit defends a fortress wall or a breach frontally against all of these (HZ-FTW-09, HZ-BRE-08). An enemy who has won the
/// top of the wall is as high as the defender.
#[must_use]
pub fn defends(field: &Field<'_>, id: UnitId, placed: &Placed, against: &[UnitId]) -> bool {
    decides!(HZ_FTW_09);
    let battle = field.battle;
    if against.is_empty() || walls(battle).next().is_none() {
        return false;
    }
    let outside = |wall: u16, enemy: UnitId| {
        field.get(enemy).is_some_and(|there| !is_inside(battle, wall, there.centre()))
            && battle.unit(enemy).scaled.is_none_or(|scaled| !scaled.won)
    };
    let by_wall = held_wall(battle, id, placed).is_some_and(|wall| against.iter().all(|&enemy| outside(wall, enemy)));
    let by_breach = || {
        breaches(battle).any(|breach| {
            let Some(wall) = battle.lay.terrain[usize::from(breach)].part_of else { return false };
            let on_slope =
                |enemy: UnitId| field.get(enemy).is_some_and(|there| slope_under(battle, there) == Some(breach));
            holds_breach(battle, placed, breach) && against.iter().all(|&enemy| on_slope(enemy) || outside(wall, enemy))
        })
    };
    by_wall || (can_hold(battle, id) && by_breach())
}

/// Whether a unit storms: it climbs a breach, or attacks from the wall it has scaled and not yet won (HZ-FTW-05, HZ-BRE-06).
#[must_use]
pub fn storms(field: &Field<'_>, id: UnitId, attacks: bool) -> bool {
    decides!(HZ_FTW_05);
    let battle = field.battle;
    decides!(HZ_FTW_12);
    let escalades = attacks && battle.unit(id).scaled.is_some_and(|scaled| !scaled.won);
    escalades || field.get(id).is_some_and(|placed| climbs(battle, id, placed))
}

/// Whether a target lies wholly in the dead ground of guns on a wall, or at the foot of a breach that they fire down (HZ-FTW-07,
/// HZ-BRE-04).
#[must_use]
pub fn in_dead_ground(battle: &Battle, battery: &Placed, target: &Placed) -> bool {
    decides!(HZ_FTW_07, HZ_BRE_04);
    if walls(battle).next().is_none() {
        return false;
    }
    let strip = battle.lay.length(battle.numbers().wall_dead_ground).f();
    let foot = battle.lay.length(battle.numbers().breach_dead_ground).f();
    let seen = shape::in_lane(battery, Face::Front, target);
    let under_wall = |wall: u16| {
        let (height, trench) = levels(battle, wall);
        let deep = strip * f64::from(height + trench) + 1.0;
        let line = &battle.lay.terrain[usize::from(wall)].line;
        holds(battle, battery, wall)
            && seen.iter().all(|&corner| {
                !is_inside(battle, wall, corner)
                    && nearest_leg(line, corner).is_some_and(|leg| leg.distance(corner) <= deep)
            })
    };
    let under_breach = |breach: u16| {
        let Some(lie) = lie(battle, breach) else { return false };
        let (from, to) = (battery.face(Face::Front).middle(), target.centre());
        let down_it = lie.patch.rim().iter().any(|edge| contact::crosses(from, to, edge.a, edge.b));
        down_it
            && !sabretache_table::overlapping(target, &lie)
            && seen.iter().all(|&corner| nearer(&Convex::place(corner), &lie, foot + 1.0))
    };
    !seen.is_empty() && (walls(battle).any(under_wall) || breaches(battle).any(under_breach))
}

// ------------------------------------------------------------------ scaling and climbing over

/// The wall at whose foot a unit stands with its front: the one it would scale.
#[must_use]
pub fn foot_of(battle: &Battle, id: UnitId, placed: &Placed) -> Option<u16> {
    if battle.unit(id).scaled.is_some() || battle.unit(id).sector.is_some() {
        return None;
    }
    decides!(HZ_FTW_01);
    walls(battle).find(|&wall| {
        faces_wall(battle, placed, Face::Front, wall, battle.lay.sizes.touch.f())
            && !is_inside(battle, wall, placed.centre())
    })
}

/// Whether an enemy lies straight ahead of a unit within a band: on the same stretch of wall.
fn opposite(battle: &Battle, placed: &Placed, there: &Placed) -> bool {
    Zone::before(placed, Face::Front, battle.lay.sizes.band).nearest(there).is_some()
}

/// Whether a unit on one edge of a wall's top can close with an enemy on the other (HZ-FTW-04, HZ-FTW-11).
#[must_use]
pub fn meets_over_battlements(field: &Field<'_>, unit: UnitId, enemy: UnitId) -> bool {
    decides!(HZ_FTW_11);
    let battle = field.battle;
    let (Some(placed), Some(there)) = (field.get(unit), field.get(enemy)) else { return false };
    if battle.facts(unit).arm != Arm::Infantry {
        return false;
    }
    let near = battle.lay.sizes.adjacent.f();
    let at_wall = |outline: &Placed, wall: u16| lie(battle, wall).is_some_and(|lie| nearer(outline, &lie, near));
    if let Some(scaled) = battle.unit(unit).scaled {
        return at_wall(there, scaled.wall)
            && is_inside(battle, scaled.wall, there.centre())
            && opposite(battle, placed, there);
    }
    battle
        .unit(enemy)
        .scaled
        .is_some_and(|scaled| holds(battle, placed, scaled.wall) && opposite(battle, placed, there))
}

/// The defender that an escalading unit comes upon: of several, the one it has most of before it.
#[must_use]
pub fn defender_of(field: &Field<'_>, unit: UnitId, wall: u16) -> Option<UnitId> {
    let battle = field.battle;
    let placed = field.get(unit)?;
    let near = battle.lay.sizes.adjacent.f();
    let lie = lie(battle, wall)?;
    let ahead = Zone::before(placed, Face::Front, battle.lay.sizes.band);
    let mut best: Option<(i64, UnitId)> = None;
    for (enemy, there) in field.enemies(unit) {
        if !nearer(there, &lie, near) || !is_inside(battle, wall, there.centre()) {
            continue;
        }
        let wide = i64::from(ahead.look(there, [] as [&Placed; 0]).width.to_um());
        if wide > 0 && best.is_none_or(|(held, _)| wide > held) {
            best = Some((wide, enemy));
        }
    }
    best.map(|(_, enemy)| enemy)
}

// ------------------------------------------------------------------ along the wall

/// The wall on whose walk a unit stands, and the edge of it that is at the battlements: inside, right at the wall (HZ-FTW-14).
#[must_use]
pub fn walk(battle: &Battle, id: UnitId, placed: &Placed) -> Option<(u16, Face)> {
    if battle.facts(id).arm != Arm::Infantry || battle.unit(id).sector.is_some() || battle.unit(id).scaled.is_some() {
        return None;
    }
    walls(battle).find_map(|wall| {
        if !is_inside(battle, wall, placed.centre()) {
            return None;
        }
        let at = |face: &Face| faces_wall(battle, placed, *face, wall, battle.lay.sizes.adjacent.f());
        Face::ALL.iter().copied().find(at).map(|face| (wall, face))
    })
}

/// Where a unit stands that has formed a march column along the wall, facing to the right or left as seen by somebody on the wall who
/// looks outward: one stand stays at that end of where the unit stood.
#[must_use]
pub fn along_wall(battle: &Battle, id: UnitId, placed: &Placed, right: bool) -> Option<Pose> {
    if matches!(battle.unit(id).formation, Formation::MarchColumn | Formation::Mob) {
        return None;
    }
    let (_, face) = walk(battle, id, placed).filter(|(_, face)| matches!(face, Face::Front | Face::Rear))?;
    let edge = placed.face(face);
    let out = placed.outward(face);
    let half = battle.facts(id).stand_width.f() / 2.0;
    // Faces run from left to right, looking out.
    let end = if right { edge.b } else { edge.a };
    let way = if right { out.right() } else { out.right() * -1.0 };
    let heading = sabretache_table::Heading::toward(Vec2::new(0.0, 0.0), way);
    Some(Pose::new(Point::rounded(end - out * half), heading))
}

/// The line along which a march column on a wall goes: that of the wall, as far inside as the middle of its front was when it set out.
#[must_use]
pub fn walk_line(battle: &Battle, from: Point, wall: u16) -> Option<SmallVec<[Point; 8]>> {
    let terrain = battle.lay.terrain.get(usize::from(wall))?;
    let Kind::Rampart { inner_left, .. } = terrain.kind else { return None };
    let at = from.v();
    let off = nearest_leg(&terrain.line, at)?.distance(at);
    let line = &terrain.line;
    let inner = |leg: usize| {
        let right = (line[leg + 1].v() - line[leg].v()).unit().right();
        if inner_left { right * -1.0 } else { right }
    };
    let last = line.len().checked_sub(2)?;
    let points = (0..line.len()).map(|n| {
        let (before, after) = (inner(n.saturating_sub(1).min(last)), inner(n.min(last)));
        let sum = before + after;
        let square = (sum.length2() / 2.0).max(1e-9);
        Point::rounded(line[n].v() + sum * (off / square))
    });
    Some(points.collect())
}

/// The walls a march column can follow, and which way: `true` with the order of the wall's points.
#[must_use]
pub fn walks(field: &Field<'_>, unit: UnitId) -> SmallVec<[(u16, bool); 2]> {
    let battle = field.battle;
    let mut out = SmallVec::new();
    let Some(placed) = field.get(unit) else { return out };
    if battle.unit(unit).formation != Formation::MarchColumn {
        return out;
    }
    decides!(HZ_FTW_14);
    let Some((wall, face)) = walk(battle, unit, placed) else { return out };
    if !matches!(face, Face::Left | Face::Right) {
        return out;
    }
    let line = &battle.lay.terrain[usize::from(wall)].line;
    if let Some(leg) = nearest_leg(line, placed.pose().at.v()) {
        out.push((wall, (leg.b - leg.a).dot(placed.forward()) > 0.0));
    }
    out
}

/// The units on the slope of a breach, in order (HZ-BRE-03).
#[must_use]
pub fn on_slope(field: &Field<'_>, breach: u16) -> SmallVec<[UnitId; 4]> {
    let Some(lie) = lie(field.battle, breach) else { return SmallVec::new() };
    let bounds = lie.bounds();
    field
        .all()
        .filter(|(_, placed)| bounds.meets(&placed.bounds()) && Lies::under(field.battle, placed).is_in(breach))
        .map(|(id, _)| id)
        .collect()
}
