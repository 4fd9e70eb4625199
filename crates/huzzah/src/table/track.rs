//! How far a straight move gets: terrain, obstacles, table edges, friends, enemies and threat zones on its way
//! (HZ-ADV-01 to HZ-ADV-26, HZ-RET-01 to HZ-RET-11, HZ-MAN-03).

use sabretache_engine::clause::Clause;
use sabretache_engine::ids::UnitId;
use sabretache_table::{
    Convex, Cost, Direction, Face, Footprint, Heading, Length, Lie, Outline, Placed, Pose, Reckoning, Segment,
    Shadowed, Vec2, exact_distance, first_contact, meetings, nearer,
};
use smallvec::SmallVec;

use super::contact::Apart;
use super::{Field, contact, ground, shape, siege, zones};
use crate::battle::Battle;
use crate::clauses::{
    HZ_ADV_01, HZ_ADV_03, HZ_ADV_06, HZ_ADV_11, HZ_ADV_14, HZ_ADV_15, HZ_ADV_16, HZ_DEP_17, HZ_MAN_06, HZ_QUA_12,
    HZ_RET_03, HZ_TER_09, HZ_TER_10,
};
use crate::state::{Finish, Way};
use crate::terrain::{Crossing, Going, Kind, Troop};
use crate::troops::{Arm, Formation};

/// What a straight move is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// An advance, which alone can make contact.
    Advance,
    /// A retirement, which may leave the table.
    Retire,
    /// A side-step.
    SideStep,
    /// A side-step of guns that limber, which zones do not stop (HZ-DEP-11, HZ-DEP-12).
    SideStepDeploying,
}

/// How far a straight move gets.
#[derive(Clone, Debug)]
pub struct Track {
    /// Where it may end: stretches from the least to the most, in order; a friend in the way parts them.
    pub stretches: SmallVec<[(Length, Length); 2]>,
    /// Where it first touches an enemy zone, and where it is placed then.
    pub zone: Option<(Length, Length)>,
    /// Where it meets an enemy, and how that ends.
    pub contact: Option<(Length, Finish)>,
    /// Where it comes to its furthest, and why.
    pub stop: (Length, Clause),
    /// From where on it leaves the table.
    pub off: Option<Length>,
}

impl Track {
    /// Where a move of this length ends, and how.
    #[must_use]
    pub fn end(&self, distance: Length) -> (Length, Finish) {
        if let Some((at, placed)) = self.zone
            && distance >= at
        {
            return (placed, Finish::There);
        }
        if let Some((at, finish)) = self.contact
            && distance >= at
        {
            return (if finish == Finish::Brushed { self.stop.0.min(at) } else { at }, finish);
        }
        let finish = if self.off.is_some_and(|off| distance > off) { Finish::Off } else { Finish::There };
        (distance, finish)
    }
}

/// The heading of a move for a unit that faces so.
#[must_use]
pub fn heading(pose: Pose, way: Way) -> Heading {
    match way {
        Way::Ahead => pose.heading,
        Way::Back => pose.heading.reversed(),
        Way::Left => pose.heading.left(),
        Way::Right => pose.heading.right(),
    }
}

/// The face that leads.
#[must_use]
pub const fn leading(way: Way) -> Face {
    match way {
        Way::Ahead => Face::Front,
        Way::Back => Face::Rear,
        Way::Left => Face::Left,
        Way::Right => Face::Right,
    }
}

/// The least that counts as moving (HZ-ORD-29).
#[must_use]
pub fn least(battle: &Battle) -> Length {
    battle.lay.sizes.touch + Length::um(1)
}

/// A strip along a face, thin enough to be its edge and thick enough to meet things.
fn edge_strip(placed: &Placed, face: Face) -> Placed {
    let edge = placed.face(face);
    let out = placed.outward(face);
    let middle = sabretache_table::Point::rounded(edge.middle());
    let heading = Heading::toward(Vec2::new(0.0, 0.0), out);
    Placed::new(&Footprint::single(Length::rounded(edge.length()), Length::um(8)), Pose::new(middle, heading))
}

/// How far a unit gets one way with so much movement.
#[must_use]
pub fn straight(field: &Field<'_>, id: UnitId, way: Way, budget: Length, purpose: Purpose) -> Option<Track> {
    let battle = field.battle;
    let placed = field.get(id)?;
    let heading = heading(placed.pose(), way);
    let along = heading.unit();
    let Passage { limit: going, mut stop, exact } = terrain(field, id, placed, way, heading, budget, false);
    let mut limit = going;
    let mut off = None;
    let edge = battle.lay.table.leaves_after(placed, Direction::Toward(heading), limit);
    if let Some((at, _)) = edge {
        if purpose == Purpose::Retire {
            off = Some(at);
        } else {
            // A unit that has just come on hangs over the edge with all but its front; the front stays on the table.
            let at = if hangs_over(battle, placed) { front_leaves(battle, placed, along, limit) } else { at };
            if at < limit {
                limit = at;
                stop = (at, HZ_QUA_12);
            }
        }
    }
    let mut contact = None;
    enemies(field, id, placed, along, way, purpose, &mut limit, &mut stop, &mut contact);
    if let Some(across) = exact {
        return Some(over_high_obstacle(field, id, placed, along, across, limit, stop));
    }
    let zone = if purpose == Purpose::SideStepDeploying {
        None
    } else {
        zone_stop(field, id, placed, along, way, limit, contact)
    };
    let most = match (zone, contact) {
        (Some((_, end)), _) => {
            stop = (end, HZ_ADV_06);
            end
        }
        (None, Some((at, _))) => at,
        (None, None) => limit,
    };
    let contact = if zone.is_some() { None } else { contact };
    let mut track =
        Track { stretches: SmallVec::new(), zone, contact, stop: (stop.0.min(most.max(stop.0)), stop.1), off };
    track.stop.0 = track.stop.0.min(most.max(Length::ZERO)).max(Length::ZERO);
    if let Some((at, Finish::Brushed)) = contact {
        track.stop = (put_back(field, id, placed, along, at), HZ_ADV_16);
    }
    track.stretches = legal(field, id, placed, along, most, zone);
    Some(track)
}

/// Over a high hedge or wall: the order puts the unit just across it, and nowhere else (HZ-HED-05, HZ-WAL-05).
fn over_high_obstacle(
    field: &Field<'_>,
    id: UnitId,
    placed: &Placed,
    along: Vec2,
    across: Length,
    limit: Length,
    stop: (Length, Clause),
) -> Track {
    let there = moved(placed, along, across);
    let free = limit >= across && field.friends(id).all(|(_, friend)| !sabretache_table::overlapping(&there, friend));
    let mut stretches = SmallVec::new();
    if free {
        stretches.push((across, across));
    }
    let stop = if free { (across, HZ_TER_10) } else { (Length::ZERO, stop.1) };
    Track { stretches, zone: None, contact: None, stop, off: None }
}

/// Where it may stop without lying on a friend.
fn legal(
    field: &Field<'_>,
    id: UnitId,
    placed: &Placed,
    along: Vec2,
    most: Length,
    zone: Option<(Length, Length)>,
) -> SmallVec<[(Length, Length); 2]> {
    let least = least(field.battle);
    let mut closed: SmallVec<[(Length, Length); 4]> = SmallVec::new();
    let path = placed.bounds().swept(along * (most.f() + 10.0));
    let mut found = SmallVec::new();
    for (_, friend) in field.friends(id).filter(|(_, friend)| path.meets(&friend.bounds())) {
        found.clear();
        meetings(placed, along, most.f() + 10.0, friend, &mut found);
        for meeting in &found {
            let from = Length::floored(meeting.from.max(-1.0));
            let to = Length::ceiled(meeting.to);
            if to > Length::ZERO {
                closed.push((from, to));
            }
        }
    }
    stretches(&mut closed, least, most, zone)
}

/// Where a move may end: from the least to the most, or to where a zone stops it, and not on ground that is closed (between, not at, the ends
/// of those stretches).
#[must_use]
pub fn stretches(
    closed: &mut [(Length, Length)],
    least: Length,
    most: Length,
    zone: Option<(Length, Length)>,
) -> SmallVec<[(Length, Length); 2]> {
    closed.sort_unstable();
    let shut = |at: Length| closed.iter().any(|&(from, to)| at > from && at < to);
    let (reach, end) = match zone {
        Some((at, end)) if !shut(end) => (at, Some(end)),
        // Whoever touches the zone goes on to a place that a friend holds: stop before.
        Some((at, _)) => (at - Length::um(1), None),
        None => (most, None),
    };
    let mut out: SmallVec<[(Length, Length); 2]> = SmallVec::new();
    let mut from = least;
    for &(shut_from, shut_to) in closed.iter() {
        if shut_from >= from && from <= reach {
            out.push((from, shut_from.min(reach)));
        }
        from = from.max(shut_to);
    }
    if from <= reach {
        out.push((from, reach));
    }
    if let Some(end) = end {
        match out.last_mut() {
            Some(last) if last.1 == reach => last.1 = end,
            _ => out.push((end, end)),
        }
    }
    out.retain(|(from, to)| from <= to);
    out
}

/// Whether a unit that has just come on still hangs over the edge.
fn hangs_over(battle: &Battle, placed: &Placed) -> bool {
    battle.lay.table.on_table(placed) != sabretache_table::OnTable::Wholly
}

/// How far it gets before the middle of its front leaves the table.
fn front_leaves(battle: &Battle, placed: &Placed, along: Vec2, limit: Length) -> Length {
    let at = placed.pose().at.v();
    let room = |from: f64, way: f64, most: f64| {
        if way > 1e-9 {
            (most - from) / way
        } else if way < -1e-9 {
            -from / way
        } else {
            f64::INFINITY
        }
    };
    let table = &battle.lay.table;
    let far = room(at.x, along.x, table.width.f()).min(room(at.y, along.y, table.depth.f()));
    Length::floored(far.clamp(0.0, limit.f()))
}

/// How far the ground lets a unit go.
struct Passage {
    /// How far.
    limit: Length,
    /// Where it gets no further, and why.
    stop: (Length, Clause),
    /// Over a high obstacle it goes just so far.
    exact: Option<Length>,
}

/// How far the ground lets it go, and what ends it. On a compulsory move open order need not stay under cover (HZ-DEP-17).
fn terrain(
    field: &Field<'_>,
    id: UnitId,
    placed: &Placed,
    way: Way,
    heading: Heading,
    budget: Length,
    compulsory: bool,
) -> Passage {
    let battle = field.battle;
    let mut stop = (budget, if budget < battle.allowance(id) { HZ_ADV_03 } else { HZ_ADV_01 });
    if battle.lay.terrain.is_empty() {
        return Passage { limit: budget, stop, exact: None };
    }
    let troop = battle.troop(id);
    let along = heading.unit();
    let touch = battle.lay.sizes.touch.f();
    let exact = high_obstacle(battle, placed, along, way, &troop);
    let mut limit = exact.unwrap_or(budget);
    let mut whole_order_half = false;
    let path = placed.bounds().swept(along * limit.f());
    let on_road = ground::on_road(battle, placed).is_some();
    for lie in battle.lay.ground.near(&path) {
        let n = lie.feature.id.0;
        let kind = battle.lay.terrain[usize::from(n)].kind;
        let touches = nearer(placed, &lie, touch);
        if let Some(crossing) = kind.crossing(&troop) {
            if bridged(battle, placed, along, limit, &troop, &lie) {
                continue;
            }
            let Some(at) = first_contact(placed, along, limit.f(), &lie) else { continue };
            if !touches {
                if Length::floored(at) < limit {
                    limit = Length::floored(at);
                    stop = (limit, HZ_TER_10);
                }
                continue;
            }
            match crossing {
                Crossing::Barred(clause) => {
                    limit = Length::ZERO;
                    stop = (limit, clause);
                }
                Crossing::HalfOrder => whole_order_half = true,
                Crossing::JustAcross | Crossing::Full | Crossing::HalfInside => {}
            }
            continue;
        }
        let Going::Barred(clause) = kind.going(&troop) else { continue };
        if (on_road && crate::terrain::roads::opens(kind, &troop)) || sabretache_table::overlapping(placed, &lie) {
            continue;
        }
        if let Some(at) = first_contact(placed, along, limit.f(), &lie)
            && Length::floored(at) < limit
        {
            limit = Length::floored(at);
            stop = (limit, if clause == HZ_TER_09 { HZ_TER_09 } else { clause });
        }
    }
    if exact.is_some() {
        // Crossing a high obstacle takes the whole order, whatever the ground beyond.
        return Passage { limit, stop, exact };
    }
    let budget = if whole_order_half { budget.half() } else { budget };
    let strip = edge_strip(placed, leading(way));
    let cost = |features: &[sabretache_table::FeatureId]| {
        let half = features.iter().any(|feature| {
            let kind = battle.lay.terrain[usize::from(feature.0)].kind;
            if on_road && crate::terrain::roads::opens(kind, &troop) {
                return false;
            }
            matches!(kind.going(&troop), Going::Half)
                || matches!((kind, kind.crossing(&troop)), (Kind::Water { .. }, Some(Crossing::HalfInside)))
        });
        Cost::Rate { num: if half { 2 } else { 1 }, den: 1 }
    };
    let reached =
        battle.lay.ground.how_far(&strip, Direction::Toward(heading), limit, Reckoning::FirstTouch, budget, cost);
    if reached.distance < limit {
        limit = reached.distance;
        stop = (limit, HZ_ADV_01);
    }
    let facts = battle.facts(id);
    let keeps_cover = facts.arm == Arm::Infantry && troop.formation == Formation::OpenOrder;
    if keeps_cover && !facts.abilities.skirmish && !compulsory {
        let covered = stays_under_cover(battle, placed, along, limit);
        if covered < limit {
            limit = covered;
            stop = (limit, HZ_DEP_17);
        }
    }
    Passage { limit, stop, exact: None }
}

/// How far it is just across the high obstacle that a unit stands at, if it stands at one.
fn high_obstacle(battle: &Battle, placed: &Placed, along: Vec2, way: Way, troop: &Troop) -> Option<Length> {
    let touch = battle.lay.sizes.touch.f();
    let near = placed.bounds().grown(touch);
    battle
        .lay
        .ground
        .near(&near)
        .filter(|lie| {
            let kind = battle.lay.terrain[usize::from(lie.feature.id.0)].kind;
            kind.crossing(troop) == Some(Crossing::JustAcross)
                && nearer(placed, lie, touch)
                && first_contact(placed, along, battle.lay.sizes.adjacent.f(), lie).is_some()
        })
        .map(|lie| just_across(placed, along, way, &lie, battle.lay.sizes.clear))
        .max()
}

/// How far open order without the Skirmish ability gets before any part of it is in the open (HZ-DEP-17).
fn stays_under_cover(battle: &Battle, placed: &Placed, along: Vec2, limit: Length) -> Length {
    let step = Length::mm(5);
    let is_open = |at: Length| ground::touches_open_ground(battle, &moved(placed, along, at));
    let mut at = Length::ZERO;
    while at < limit {
        let next = (at + step).min(limit);
        if is_open(next) {
            let (mut covered, mut open) = (at.to_um(), next.to_um());
            while open - covered > 1 {
                let middle = covered.midpoint(open);
                if is_open(Length::um(middle)) { open = middle } else { covered = middle }
            }
            // A touch of open ground is not being in it, nor is it worth setting out for.
            return (Length::um(covered) - battle.lay.sizes.touch).max(Length::ZERO);
        }
        at = next;
    }
    limit
}

/// Whether a march column goes over a bridge or ford wherever the line of its middle lies in the water (HZ-RIV-03, HZ-RIV-09).
fn bridged(battle: &Battle, placed: &Placed, along: Vec2, limit: Length, troop: &Troop, water: &Lie<'_>) -> bool {
    if !troop.in_march_column()
        || !matches!(battle.lay.terrain[usize::from(water.feature.id.0)].kind, Kind::Water { .. })
    {
        return false;
    }
    // From the tail of the column to where its head gets.
    let tail = placed.centre() - along * (placed.face(Face::Right).length() / 2.0);
    let way = limit.f() + placed.face(Face::Right).length();
    let on_crossing = |place: Vec2| {
        battle.lay.ground.at(place).any(|lie| battle.lay.terrain[usize::from(lie.feature.id.0)].kind == Kind::Crossing)
    };
    let steps = libm::ceil(way / 2_500.0).max(1.0) as usize;
    let mut wet = false;
    for n in 0..=steps {
        let place = tail + along * (way * n as f64 / steps as f64);
        if sabretache_table::holds(water, place) {
            wet = true;
            if !on_crossing(place) {
                return false;
            }
        }
    }
    wet
}

/// The distance that puts the trailing edge just beyond an obstacle (HZ-HED-05, HZ-WAL-05).
pub(crate) fn just_across(placed: &Placed, along: Vec2, way: Way, lie: &Lie<'_>, clear: Length) -> Length {
    let depth = match way {
        Way::Ahead | Way::Back => placed.face(Face::Right).length(),
        Way::Left | Way::Right => placed.face(Face::Front).length(),
    };
    let mut found = SmallVec::new();
    meetings(placed, along, depth * 3.0, lie, &mut found);
    let leaves = found.iter().map(|meeting| meeting.to).fold(0.0, f64::max);
    Length::ceiled(leaves) + clear
}

/// A footprint moved along.
#[must_use]
pub fn moved(placed: &Placed, along: Vec2, by: Length) -> Placed {
    let pose = placed.pose();
    let at = sabretache_table::Point::rounded(pose.at.v() + along * by.f());
    let size = Footprint::single(
        Length::rounded(placed.face(Face::Front).length()),
        Length::rounded(placed.face(Face::Right).length()),
    );
    Placed::new(&size, Pose::new(at, pose.heading))
}

/// Enemies on the way: contact where it may be made, a halt just short where it may not (HZ-ADV-11 to HZ-ADV-16).
#[expect(clippy::too_many_arguments, reason = "the limits of one move, narrowed step by step")]
fn enemies(
    field: &Field<'_>,
    id: UnitId,
    placed: &Placed,
    along: Vec2,
    way: Way,
    purpose: Purpose,
    limit: &mut Length,
    stop: &mut (Length, Clause),
    contact: &mut Option<(Length, Finish)>,
) {
    let battle = field.battle;
    let sizes = &battle.lay.sizes;
    let path = placed.bounds().swept(along * limit.f()).grown(sizes.clear.f());
    let near: SmallVec<[(UnitId, &Placed); 8]> =
        field.enemies(id).filter(|(_, there)| path.meets(&there.bounds())).collect();
    let artillery = battle.facts(id).arm == Arm::Artillery;
    let troop = battle.troop(id);
    for &(enemy, there) in &near {
        let at = first_contact(placed, along, limit.f() + sizes.clear.f(), there);
        let apart = contact::kept_apart(battle, &troop, placed, there);
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
        // Nothing in the way, but a flank may slide along the enemy (HZ-ADV-16).
        let swept = shape::drawn_out(placed, along * limit.f());
        if way == Way::Ahead && nearer(&swept, there, sizes.touch.f()) && !nearer(placed, there, sizes.touch.f()) {
            let at = first_brush(placed, along, *limit, there, sizes.touch.f());
            if at < *limit {
                *limit = at;
                *contact = Some((at, Finish::Brushed));
                *stop = (at, HZ_ADV_16);
            }
        }
    }
}

/// Where a flank first slides against an enemy, to the nearest millimetre.
fn first_brush(placed: &Placed, along: Vec2, limit: Length, there: &Placed, touch: f64) -> Length {
    let step = Length::mm(1);
    let mut at = Length::ZERO;
    while at < limit {
        if nearer(&moved(placed, along, at), there, touch) {
            return at;
        }
        at += step;
    }
    limit
}

/// Where a unit that brushed an enemy is put back to: a stand depth away from it along its path, or where it began
/// (HZ-ADV-16).
fn put_back(field: &Field<'_>, id: UnitId, placed: &Placed, along: Vec2, at: Length) -> Length {
    let depth = field.facts(id).stand_depth.f();
    let step = Length::mm(1);
    let mut here = at;
    while here > Length::ZERO {
        let there = moved(placed, along, here);
        if field.enemies(id).all(|(_, enemy)| exact_distance(&there, enemy) >= depth) {
            return here;
        }
        here -= step;
    }
    Length::ZERO
}

/// Whether an enemy may be engaged on this order: in the unit's own zone, or within one band, as it starts to act
/// (HZ-ADV-14).
#[must_use]
pub fn may_engage(field: &Field<'_>, id: UnitId, enemy: UnitId) -> bool {
    let battle = field.battle;
    let (Some(placed), Some(there)) = (field.get(id), field.get(enemy)) else { return false };
    let close = battle.lay.length(battle.numbers().engage_within).f() + 1.0;
    nearer(placed, there, close) || zones::threatens(field, id, enemy)
}

/// Where the unit first touches an enemy zone that it was not in, and where it is placed then (HZ-ADV-06 to HZ-ADV-10).
fn zone_stop(
    field: &Field<'_>,
    id: UnitId,
    placed: &Placed,
    along: Vec2,
    way: Way,
    limit: Length,
    contact: Option<(Length, Finish)>,
) -> Option<(Length, Length)> {
    let battle = field.battle;
    let deepest = battle.lay.length(battle.numbers().zones.artillery.heavy).f() + battle.lay.sizes.band.f();
    let path = placed.bounds().swept(along * limit.f());
    let mut first: Option<(Length, Shadowed)> = None;
    let mut shapes: SmallVec<[Shadowed; 4]> = SmallVec::new();
    for (enemy, there) in field.enemies(id) {
        if path.distance2(&there.bounds()) > deepest * deepest
            || !zones::has_zone(battle, enemy)
            || zones::threatens(field, enemy, id)
        {
            continue;
        }
        shapes.clear();
        zones::stopping(field, enemy, id, &mut shapes);
        for shape in shapes.drain(..) {
            let Some(at) = first_contact(placed, along, limit.f(), &shape) else { continue };
            let at = Length::floored(at);
            if first.as_ref().is_none_or(|(held, _)| at < *held) {
                first = Some((at, shape));
            }
        }
    }
    let (at, shape) = first?;
    // A zone reached together with, or after, the enemy himself does not matter.
    if contact.is_some_and(|(meets, _)| meets <= at) {
        return None;
    }
    let wanted = at + depth_inside(field, id, placed, along, way, at, &shape);
    Some((at, wanted.min(free_until(field, id, placed, along, at, wanted)).max(at)))
}

/// How far beyond the edge of a zone the unit goes: a stand depth, or obliquely until the stand that touched first has its leading edge
/// inside (HZ-ADV-07, HZ-ADV-08).
fn depth_inside(
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
        // Who closes the gap on a wall stops a stand's width inside (HZ-FTW-10).
        let along_wall = matches!(way, Way::Left | Way::Right) && siege::held_wall(field.battle, id, placed).is_some();
        // A zone is touched a little before its flank line is crossed.
        let touch = field.battle.lay.sizes.touch;
        return if along_wall { facts.stand_width + touch } else { facts.stand_depth };
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
fn first_stand(edge: Segment, width: f64, zone: &Shadowed) -> Segment {
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
fn nearest_boundary(stand: Segment, zone: &Shadowed) -> Option<Segment> {
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
fn free_until(field: &Field<'_>, id: UnitId, placed: &Placed, along: Vec2, from: Length, to: Length) -> Length {
    let battle = field.battle;
    let clear = battle.lay.sizes.clear;
    let mut free = to;
    for (_, enemy) in field.enemies(id) {
        if let Some(at) = first_contact(placed, along, to.f() + clear.f(), enemy) {
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
        let bars = kind.crossing(&troop).is_some() || matches!(kind.going(&troop), Going::Barred(_));
        let touches = nearer(placed, &lie, battle.lay.sizes.touch.f());
        if bars
            && !touches
            && let Some(at) = first_contact(placed, along, to.f(), &lie)
        {
            free = free.min(Length::floored(at).max(from));
        }
    }
    free
}

/// How far a unit that is made to retire gets along a heading: the ground is obeyed, zones are not, and it halts just short of any
/// enemy (HZ-ENG-37, HZ-CHK-25, HZ-TER-16).
#[must_use]
pub fn retreat(field: &Field<'_>, id: UnitId, heading: Heading, budget: Length) -> Length {
    let Some(placed) = field.get(id) else { return Length::ZERO };
    let way = way_of(placed.pose(), heading);
    let Passage { limit, .. } = terrain(field, id, placed, way, heading, budget, true);
    let clear = field.battle.lay.sizes.clear;
    let along = heading.unit();
    let mut free = limit;
    for (_, enemy) in field.enemies(id) {
        if let Some(at) = first_contact(placed, along, free.f() + clear.f(), enemy) {
            free = free.min((Length::floored(at) - clear).max(Length::ZERO));
        }
    }
    free
}

/// The face that leads when a unit moves along a heading.
fn way_of(pose: Pose, heading: Heading) -> Way {
    let turn = pose.heading.turn_to(heading).to_hundredths();
    match turn {
        -4_500..=4_500 => Way::Ahead,
        4_501..=13_500 => Way::Right,
        -13_500..=-4_501 => Way::Left,
        _ => Way::Back,
    }
}
