//! What the ground forbids, said where it is asked: moves, garrisons and engagements that terrain closes, roads, and the way out of a
//! strong point.

use sabretache_engine::clause::Clause;
use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::Refusal;
use sabretache_table::{Convex, Face, Point, Pose, Segment, nearer};

use super::{advance, deploy, siege};
use crate::battle::Battle;
use crate::clauses::{HZ_DIT_08, HZ_ROA_03, HZ_TER_10};
use crate::offer::Offer;
use crate::state::{Acting, Way};
use crate::table::{Field, contact, garrison};
use crate::terrain::{Crossing, Going, Kind, roads};
use crate::troops::{Arm, Formation, Order};

/// What the ground closes to a unit that may act on the order in hand, and why.
pub(crate) fn closed(field: &Field<'_>, unit: UnitId, acting: &Acting, out: &mut Vec<(Offer, Refusal)>) {
    let battle = field.battle;
    if battle.lay.terrain.is_empty() || !battle.is_present(unit) {
        return;
    }
    let ways: &[Way] = match acting.order {
        Order::Manoeuvre if !battle.is_unlimbered(unit) => &[Way::Left, Way::Right],
        _ => &[],
    };
    for &way in ways {
        if let Some(track) = advance::track(field, unit, way, acting)
            && track.stretches.is_empty()
        {
            let says = format!("It cannot go that way: {}", advance::stop_words(battle, unit, track.stop.1));
            let clause = advance::stop_clause(acting, track.stop.1);
            out.push((Offer::Go { unit, way, stretch: 0 }, Refusal::new(clause, says)));
        }
    }
    siege::closed(field, unit, acting.order, out);
    match acting.order {
        Order::Advance => closed_across(field, unit, out),
        Order::Deploy => closed_sectors(field, unit, out),
        _ => {}
    }
}

/// Enemies right across an obstacle that the unit cannot engage there (HZ-TER-15, HZ-HED-13, HZ-WAL-12, HZ-DIT-07).
fn closed_across(field: &Field<'_>, unit: UnitId, out: &mut Vec<(Offer, Refusal)>) {
    let battle = field.battle;
    let Some(placed) = field.get(unit) else { return };
    let troop = battle.troop(unit);
    let near = battle.lay.sizes.adjacent.f();
    let front = Convex::segment(placed.face(Face::Front));
    for (enemy, there) in field.enemies(unit) {
        if advance::may_engage_across(field, unit, enemy) {
            continue;
        }
        let reason = battle.lay.ground.all().find_map(|lie| {
            let terrain = &battle.lay.terrain[usize::from(lie.feature.id.0)];
            let crossing = terrain.kind.crossing(&troop)?;
            let met =
                contact::is_between(&lie, placed, there) && nearer(&front, &lie, near) && nearer(there, &lie, near);
            let horse = contact::horse_barred(terrain, placed.centre()).filter(|_| troop.arm == Arm::Cavalry);
            let over = if let Crossing::Barred(clause) = crossing { Some(clause) } else { None };
            horse.or(over).filter(|_| met)
        });
        if let Some(clause) = reason {
            let says = "It cannot engage across that obstacle";
            out.push((Offer::Across { unit, enemy }, Refusal::new(clause, says)));
        }
    }
}

/// Sectors within a band that the unit cannot deploy into.
fn closed_sectors(field: &Field<'_>, unit: UnitId, out: &mut Vec<(Offer, Refusal)>) {
    let battle = field.battle;
    let Some(placed) = field.get(unit) else { return };
    for n in 0..battle.lay.terrain.len() as u16 {
        let Some(area) = garrison::sector(battle, n) else { continue };
        if !nearer(placed, &area, battle.lay.sizes.band.f()) || battle.unit(unit).sector == Some(n) {
            continue;
        }
        if let Err((clause, says)) = deploy::may_garrison(field, unit, n) {
            for &sides in deploy::garrison_sides(battle, unit, n) {
                out.push((Offer::Garrison { unit, sector: n, sides }, Refusal::new(clause, says)));
            }
        }
    }
}

/// What a stretch of road costs a march column, by the ground under the middle of its front: once or as often as slow going for each step; by which rule the ground
/// lets it go no further, where it does not (HZ-ROA-03, HZ-TER-10). A bridge or ford is part of the road, a hedge or a stream across it is not.
pub(crate) fn on_road(battle: &Battle, unit: UnitId, road: u16, from: Point, to: Point) -> Result<i32, Clause> {
    decides!(HZ_ROA_03, HZ_TER_10);
    if battle.lay.terrain.is_empty() {
        return Ok(1);
    }
    let troop = battle.troop(unit);
    let open = !matches!(battle.lay.terrain[usize::from(road)].kind, Kind::Road { open: false });
    let step = Convex::segment(Segment::new(from.v(), to.v()));
    let touch = battle.lay.sizes.touch.f();
    let kind = |n: u16| battle.lay.terrain[usize::from(n)].kind;
    let on_crossing =
        |place: Point| battle.lay.ground.at(place.v()).any(|lie| kind(lie.feature.id.0) == Kind::Crossing);
    let bridged = on_crossing(to) && (on_crossing(from) || !wet(battle, from));
    decides!(HZ_DIT_08);
    let slow = i32::from(battle.numbers().slow());
    let mut cost = 1;
    for lie in battle.lay.ground.near(&sabretache_table::Outline::bounds(&step)) {
        let n = lie.feature.id.0;
        if n == road || !nearer(&step, &lie, 0.5) {
            continue;
        }
        if let Some(crossing) = kind(n).crossing(&troop) {
            if matches!(kind(n), Kind::Water { .. }) && bridged {
                continue;
            }
            // What it stood at when the order began it crosses now.
            if !nearer(&battle.placed(unit), &lie, touch) {
                return Err(HZ_TER_10);
            }
            match crossing {
                Crossing::Barred(clause) => return Err(clause),
                Crossing::JustAcross => return Err(HZ_TER_10),
                Crossing::HalfOrder | Crossing::HalfInside => cost = slow,
                Crossing::Full => {}
            }
            continue;
        }
        let going = if open { roads::going(kind(n), &troop) } else { kind(n).going(&troop) };
        match going {
            Going::Full => {}
            Going::Half => cost = slow,
            Going::Barred(clause) => return Err(clause),
        }
    }
    Ok(cost)
}

fn wet(battle: &Battle, place: Point) -> bool {
    battle
        .lay
        .ground
        .at(place.v())
        .any(|lie| matches!(battle.lay.terrain[usize::from(lie.feature.id.0)].kind, Kind::Water { .. }))
}

/// Where a garrison that leaves a strong point can form: right before each of its faces, looking away from it (HZ-STR-03). Nothing for who
/// is in no strong point.
pub(crate) fn out_of_strong_point(battle: &Battle, unit: UnitId, formation: Formation) -> Option<Vec<Pose>> {
    let sector = battle.unit(unit).sector?;
    if !matches!(battle.lay.terrain[usize::from(sector)].kind, Kind::Buildings { strong: true, .. }) {
        return None;
    }
    let area = garrison::sector(battle, sector)?;
    let depth = battle.facts(unit).footprints[formation.index()].depth();
    let before = Face::ALL.into_iter().map(|face| {
        let out = area.outward(face);
        let heading = sabretache_table::Heading::toward(sabretache_table::Vec2::new(0.0, 0.0), out);
        Pose::new(Point::rounded(area.face(face).middle() + out * depth.f()), heading)
    });
    Some(before.collect())
}
