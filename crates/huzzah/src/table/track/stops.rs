//! What enemies, their zones and friends do to a straight move: contact, brushing by, the place inside a zone.

use sabretache_engine::clause::Clause;
use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_table::{
    Convex, Direction, Heading, Length, Meeting, Outline, Placed, Segment, Shadowed, Vec2, exact_distance,
    first_contact, meetings, nearer, overlapping,
};
use smallvec::SmallVec;

use super::passage::bridged;
use super::{Purpose, hangs_over, leading, moved};
use crate::clauses::{
    HZ_ADV_06, HZ_ADV_07, HZ_ADV_08, HZ_ADV_09, HZ_ADV_10, HZ_ADV_11, HZ_ADV_12, HZ_ADV_13, HZ_ADV_14, HZ_ADV_15,
    HZ_ADV_16, HZ_FTW_10, HZ_MAN_06, HZ_RET_03, HZ_WOO_11,
};
use crate::state::{Finish, Way};
use crate::table::contact::Apart;
use crate::table::zones::Met;
use crate::table::{Field, contact, shape, siege, zones};
use crate::terrain::{Going, Kind};
use crate::troops::Arm;

/// Enemies on the way: contact where it may be made, a halt just short where it may not (HZ-ADV-11 to HZ-ADV-16).
#[expect(clippy::too_many_arguments, reason = "the limits of one move, narrowed step by step")]
pub(super) fn enemies(
    field: &Field<'_>,
    id: UnitId,
    placed: &Placed,
    along: Vec2,
    purpose: Purpose,
    limit: &mut Length,
    stop: &mut (Length, Clause),
    contact: &mut Option<(Length, Finish)>,
) {
    decides!(HZ_RET_03, HZ_MAN_06);
    decides!(HZ_ADV_12, HZ_ADV_13);
    let battle = field.battle;
    let sizes = &battle.lay.sizes;
    let path = placed.bounds().swept(along * limit.f()).grown(sizes.clear.f());
    let near: SmallVec<[(UnitId, &Placed); 8]> = field.enemies_meeting(id, path).collect();
    let artillery = battle.facts(id).arm == Arm::Artillery;
    let troop = battle.troop(id);
    for &(enemy, there) in &near {
        let at = first_contact(placed, along, limit.f() + sizes.clear.f(), there);
        let apart = contact::kept_apart(battle, &troop, placed, there);
        decides!(HZ_ADV_15);
        let may_engage = purpose == Purpose::Advance && !artillery && apart.is_none() && may_engage(field, id, enemy);
        if let Some(at) = at {
            let at = Length::floored(at);
            if may_engage {
                if at <= *limit {
                    *limit = at;
                    *contact = Some((at, Finish::Contact));
                    *stop = (at, HZ_ADV_11);
                }
            } else {
                let short = match apart {
                    // It comes up to the obstacle and is stopped there; touching through it is no contact.
                    Some(Apart { crossing: false, .. }) => continue,
                    Some(Apart { no_room: true, .. }) => Length::ZERO,
                    _ => (at - sizes.clear).max(Length::ZERO),
                };
                if short < *limit {
                    *limit = short;
                    *contact = None;
                    let clause = match purpose {
                        Purpose::Retire => HZ_RET_03,
                        Purpose::SideStep | Purpose::SideStepDeploying => HZ_MAN_06,
                        Purpose::Advance if artillery => HZ_ADV_15,
                        Purpose::Advance => apart.map_or(HZ_ADV_14, |apart| apart.clause),
                    };
                    *stop = (short, clause);
                }
            }
            continue;
        }
        // Nothing in the way, but a flank may slide along the enemy (HZ-ADV-16); only an advance may come so near (HZ-RET-03, HZ-MAN-06).
        decides!(HZ_ADV_16);
        let far = if purpose == Purpose::Advance { *limit } else { *limit + sizes.clear };
        let past = contact::first_touch(placed, along, far.f(), there, sizes.touch.f()).filter(|_| apart.is_none());
        let Some(at) = past.map(Length::floored) else { continue };
        let (end, finish, clause) = match purpose {
            Purpose::Advance => (at, Some((at, Finish::Brushed)), HZ_ADV_16),
            Purpose::Retire => ((at - sizes.clear).max(Length::ZERO), None, HZ_RET_03),
            Purpose::SideStep | Purpose::SideStepDeploying => ((at - sizes.clear).max(Length::ZERO), None, HZ_MAN_06),
        };
        if end < *limit {
            *limit = end;
            *contact = finish;
            *stop = (end, clause);
        }
    }
}

/// Where a unit that brushed an enemy is put back to: a stand depth away from everybody along its path, or where it began (HZ-ADV-16).
pub(super) fn put_back(field: &Field<'_>, id: UnitId, placed: &Placed, along: Vec2, at: Length) -> Length {
    let depth = field.facts(id).stand_depth.f();
    let path = placed.bounds().swept(along * at.f()).grown(depth);
    let mut near: SmallVec<[Meeting; 4]> = SmallVec::new();
    let mut found = SmallVec::new();
    for (_, enemy) in field.enemies_meeting(id, path) {
        meetings(placed, along, at.f(), &contact::with_touch(enemy, depth), &mut found);
        near.append(&mut found);
    }
    let mut here = at.f();
    while let Some(within) = near.iter().find(|one| one.from < here && here < one.to) {
        here = within.from;
    }
    Length::floored(here.max(0.0))
}

/// Whether an enemy may be engaged on this order: in the unit's own zone, or within one band, as it starts to act
/// (HZ-ADV-14).
#[must_use]
pub fn may_engage(field: &Field<'_>, id: UnitId, enemy: UnitId) -> bool {
    let battle = field.battle;
    let (Some(placed), Some(there)) = (field.get(id), field.get(enemy)) else { return false };
    decides!(HZ_ADV_14, HZ_WOO_11);
    let close = battle.lay.length(battle.numbers().engage_within).f() + 1.0;
    nearer(placed, there, close) || zones::threatens(field, id, enemy)
}

/// Where the unit first touches an enemy zone that it was not in, and where it is placed then (HZ-ADV-06 to HZ-ADV-10).
pub(crate) fn zone_stop(
    field: &Field<'_>,
    id: UnitId,
    placed: &Placed,
    along: Vec2,
    way: Way,
    limit: Length,
    contact: Option<(Length, Finish)>,
) -> Option<(Length, Length)> {
    decides!(HZ_ADV_06, HZ_ADV_07, HZ_ADV_08, HZ_ADV_09, HZ_ADV_10);
    let battle = field.battle;
    let deepest = battle.lay.length(battle.numbers().zones.artillery.heavy).f() + battle.lay.sizes.band.f();
    let path = placed.bounds().swept(along * limit.f());
    let mut first: Option<(Length, Met, bool)> = None;
    let mut shapes: SmallVec<[Met; 4]> = SmallVec::new();
    for (enemy, there) in field.enemies_meeting(id, path.grown(deepest)) {
        if path.distance2(&there.bounds()) > deepest * deepest
            || !zones::has_zone(battle, enemy)
            || zones::began_in(field, enemy, id)
        {
            continue;
        }
        shapes.clear();
        zones::stopping(field, enemy, id, &mut shapes);
        for shape in shapes.drain(..) {
            let Some(at) = first_contact(placed, along, limit.f(), &shape.touched) else { continue };
            let touched = Length::floored(at);
            let Some(at) = comes_in_reach(field, enemy, id, placed, along, touched, limit) else { continue };
            if first.as_ref().is_none_or(|(held, ..)| at < *held) {
                first = Some((at, shape, at > touched));
            }
        }
    }
    let (at, met, uncovered) = first?;
    // It is stopped where it touches the zone, and placed by the zone itself, unless it only grazes it.
    let stand = field.facts(id).stand_width + field.facts(id).stand_depth;
    let met_edge = || first_contact(placed, along, (at + stand).f(), &met.zone).map(Length::floored);
    let edge = if uncovered { None } else { met_edge() };
    // A zone reached together with, or after, the enemy himself does not matter.
    if contact.is_some_and(|(meets, _)| meets <= edge.unwrap_or(at)) {
        return None;
    }
    let comes_on = at <= Length::ZERO && battle.doing.came_on.contains(&id);
    let wanted = if uncovered || comes_on {
        // Where dead ground or water ends, or the table begins, there is no edge of the zone to come in over obliquely.
        at + field.facts(id).stand_depth
    } else {
        let (from, zone) = edge.map_or((at, &met.touched), |edge| (edge, &met.zone));
        from + depth_inside(field, id, placed, along, way, from, zone)
    };
    // Where something keeps it from going in it still comes up to the zone itself.
    let edge = edge.unwrap_or(at).min(limit).max(at);
    Some((at, wanted.min(free_until(field, id, placed, along, edge, wanted)).max(edge)))
}

/// Where a unit that touches a zone is first where it can be threatened: out of the dead ground of a battery, and no longer wholly down in a
/// sunken river or obstacle; nowhere on this move, perhaps (HZ-ZON-17, HZ-HIL-08, HZ-RIV-07, HZ-DIT-06).
fn comes_in_reach(
    field: &Field<'_>,
    enemy: UnitId,
    id: UnitId,
    placed: &Placed,
    along: Vec2,
    at: Length,
    limit: Length,
) -> Option<Length> {
    let battle = field.battle;
    let threat = field.get(enemy)?;
    let guns = battle.facts(enemy).arm == Arm::Artillery;
    let is_hidden = |um: i32| {
        let there = moved(placed, along, Length::um(um));
        (guns && zones::in_dead_ground(battle, threat, &there)) || zones::sunk_from(battle, threat, &there, id)
    };
    if !is_hidden(at.to_um()) {
        return Some(at);
    }
    // It comes out where it comes on to a hill, or where it leaves a strip or the water before that.
    let hills = battle.lay.ground.near(&placed.bounds().swept(along * limit.f()));
    let met = hills.filter_map(|lie| {
        let is_hill = matches!(battle.lay.terrain[usize::from(lie.feature.id.0)].kind, Kind::Hill { .. });
        is_hill.then(|| first_contact(placed, along, limit.f(), &lie)).flatten()
    });
    let mut ends: SmallVec<[i32; 4]> = met.map(|met| Length::ceiled(met).to_um() + HILL_BEGINS).collect();
    ends.push(limit.to_um());
    let mut out = ends.into_iter().filter(|&um| um > at.to_um() && !is_hidden(um)).min()?;
    let mut dead = at.to_um();
    while out - dead > 1 {
        let middle = dead.midpoint(out);
        if is_hidden(middle) { dead = middle } else { out = middle }
    }
    Some(Length::um(out))
}

/// So far over the edge of a hill a unit is on it, in micrometres.
const HILL_BEGINS: i32 = 10;

/// How far beyond the edge of a zone the unit goes: a stand depth, or obliquely until the stand that touched first has its leading edge
/// inside (HZ-ADV-07, HZ-ADV-08).
pub(super) fn depth_inside(
    field: &Field<'_>,
    id: UnitId,
    placed: &Placed,
    along: Vec2,
    way: Way,
    at: Length,
    zone: &Shadowed,
) -> Length {
    let facts = field.facts(id);
    let there = moved(placed, along, at);
    let edge = there.face(leading(way));
    let stand = first_stand(edge, facts.stand_width.f(), zone);
    let boundary = nearest_boundary(stand, zone);
    let parallel = boundary.is_none_or(|boundary| {
        let (a, b) = ((edge.b - edge.a).unit(), (boundary.b - boundary.a).unit());
        a.cross(b).abs() <= libm::sin(1.0f64.to_radians())
    });
    if parallel {
        // A unit that closes the gap on a wall stops a stand's width inside (HZ-FTW-10).
        decides!(HZ_FTW_10);
        let along_wall = matches!(way, Way::Left | Way::Right) && siege::held_wall(field.battle, id, placed).is_some();
        return if along_wall { facts.stand_width } else { facts.stand_depth };
    }
    let most = facts.stand_width + facts.stand_depth;
    let is_inside = |further: i32| {
        let by = along * f64::from(further);
        let inside = |place: Vec2| zone.parts().any(|part| part.holds(place, 2.0));
        inside(stand.a + by) && inside(stand.b + by)
    };
    let (mut before, mut after) = (0, 0);
    while !is_inside(after) {
        before = after;
        after += 500;
        if before > most.to_um() {
            return facts.stand_depth;
        }
    }
    // Between two looks half a millimetre apart, to the micrometre.
    while after - before > 1 {
        let middle = before.midpoint(after);
        if is_inside(middle) { after = middle } else { before = middle }
    }
    Length::um(after)
}

/// The stand of a leading edge that touched a zone first.
pub(super) fn first_stand(edge: Segment, width: f64, zone: &Shadowed) -> Segment {
    let stands = libm::round(edge.length() / width.max(1.0)).max(1.0) as usize;
    let mut best: Option<(f64, Segment)> = None;
    for n in 0..stands {
        let (from, to) = (n as f64 / stands as f64, (n + 1) as f64 / stands as f64);
        let stand = Segment::new(edge.a.toward(edge.b, from), edge.a.toward(edge.b, to));
        let distance = exact_distance(&Convex::segment(stand), zone);
        if best.is_none_or(|(held, _)| distance < held - 1.0) {
            best = Some((distance, stand));
        }
    }
    best.map_or(edge, |(_, stand)| stand)
}

/// The edge of a zone nearest to a stand's leading edge.
pub(super) fn nearest_boundary(stand: Segment, zone: &Shadowed) -> Option<Segment> {
    let corners = &zone.corners;
    let mut best: Option<(f64, f64, Segment)> = None;
    for (n, &from) in corners.iter().enumerate() {
        let edge = Segment::new(from, corners[(n + 1) % corners.len()]);
        if edge.length() < 10.0 {
            continue;
        }
        let distance = contact::gap(stand, edge);
        let slant = (stand.b - stand.a).unit().cross((edge.b - edge.a).unit()).abs();
        let nearer =
            best.is_none_or(|(held, tilt, _)| distance < held - 100.0 || (distance < held + 100.0 && slant < tilt));
        if nearer {
            best = Some((distance, slant, edge));
        }
    }
    best.map(|(_, _, edge)| edge)
}

/// The last bit into a zone never makes contact, crosses an obstacle, enters impassable ground or leaves the table (HZ-ADV-07).
pub(super) fn free_until(
    field: &Field<'_>,
    id: UnitId,
    placed: &Placed,
    along: Vec2,
    from: Length,
    to: Length,
) -> Length {
    let battle = field.battle;
    let clear = battle.lay.sizes.clear;
    let mut free = to;
    let swept = placed.bounds().swept(along * (to.f() + clear.f())).grown(clear.f());
    for (_, enemy) in field.enemies_meeting(id, swept) {
        if let Some(at) = contact::first_touch(placed, along, to.f() + clear.f(), enemy, battle.lay.sizes.touch.f()) {
            free = free.min((Length::floored(at) - clear).max(from));
        }
    }
    let heading = Heading::toward(Vec2::new(0.0, 0.0), along);
    if let Some((at, _)) = battle.lay.table.leaves_after(placed, Direction::Toward(heading), to)
        && !hangs_over(battle, placed)
    {
        free = free.min(at.max(from));
    }
    if battle.lay.terrain.is_empty() {
        return free;
    }
    let troop = battle.troop(id);
    let path = placed.bounds().swept(along * to.f());
    for lie in battle.lay.ground.near(&path) {
        let kind = battle.lay.terrain[usize::from(lie.feature.id.0)].kind;
        let touch = battle.lay.sizes.touch;
        let touches = nearer(placed, &lie, touch.f());
        // What it stands at it may be crossing; ground that is closed to it it does not enter, however close it stands.
        let crossing = kind.crossing(&troop).is_some();
        let crosses = crossing && !touches;
        let inner = overlapping(placed, &lie).then(|| shape::shrink(placed, touch));
        let lies_in = inner.as_ref().is_some_and(|inner| overlapping(inner, &lie));
        let closed = !crossing && matches!(kind.going(&troop), Going::Barred(_)) && !lies_in;
        // A march column goes on over a bridge or ford.
        if (crosses || closed)
            && !bridged(battle, placed, along, to, &troop, &lie)
            && let Some(at) = first_contact(inner.as_ref().unwrap_or(placed), along, to.f(), &lie)
        {
            free = free.min(Length::floored(at).max(from));
        }
    }
    free
}
