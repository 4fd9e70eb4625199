//! What the ground costs a march column on a road, and the way out of a strong point.

use sabretache_engine::clause::Clause;
use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_table::{Convex, Face, Point, Pose, Segment, nearer};

use crate::battle::Battle;
use crate::clauses::{HZ_DIT_08, HZ_ROA_03, HZ_TER_10};
use crate::table::garrison;
use crate::terrain::{Crossing, Going, Kind, roads};
use crate::troops::Formation;

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
