//! Threat zones: how deep, cut by friends, shadowed by enemies, stopped by terrain (HZ-ZON-01 to HZ-ZON-19).

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_table::{
    Bounds, Convex, Face, FeatureId, Length, Lie, Outline, Placed, Segment, Shadowed, Vec2, Zone, exact_distance,
    nearer,
};
use smallvec::SmallVec;

use super::ground::{self, Lies};
use super::shape::{self, Shape};
use super::{Field, garrison, siege};
use crate::battle::Battle;
use crate::clauses::{
    HZ_BLD_05, HZ_BLD_06, HZ_BLO_02, HZ_BRE_04, HZ_DIT_06, HZ_GEO_25, HZ_HED_07, HZ_HED_09, HZ_HED_10, HZ_HIL_06,
    HZ_HIL_08, HZ_HIL_09, HZ_HIL_10, HZ_RIV_07, HZ_SKI_09, HZ_SKI_10, HZ_TER_04, HZ_TER_12, HZ_TER_14, HZ_THR_32,
    HZ_WAL_06, HZ_WAL_07, HZ_WAL_08, HZ_WOO_06, HZ_WOO_07, HZ_WOO_08, HZ_WOO_09, HZ_WOO_10, HZ_ZON_01, HZ_ZON_02,
    HZ_ZON_03, HZ_ZON_04, HZ_ZON_05, HZ_ZON_06, HZ_ZON_07, HZ_ZON_08, HZ_ZON_09, HZ_ZON_10, HZ_ZON_11, HZ_ZON_12,
    HZ_ZON_13, HZ_ZON_14, HZ_ZON_15, HZ_ZON_16, HZ_ZON_17, HZ_ZON_18, HZ_ZON_19,
};
use crate::state::{Bearing, Threat};
use crate::terrain::{Kind, Screen};
use crate::troops::{Arm, Formation};

/// A few units.
pub type Units = SmallVec<[UnitId; 8]>;

/// The threats on one unit.
pub type Threats = SmallVec<[Threat; 4]>;

/// How deep a unit's zone is: in the open, and within the dense terrain it stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Depth {
    /// Outside dense terrain.
    outside: Length,
    /// Within the dense terrain it stands in.
    inside: Length,
    /// It stands in dense terrain, wholly or partly.
    dense: bool,
    /// The dense terrain it is wholly inside of without its front being at the edge: its zone ends there (HZ-ZON-14).
    enclosed: Option<u16>,
}

/// No zone is deeper than this, whatever the ground and whoever has superiority.
#[must_use]
pub fn deepest(battle: &Battle) -> Length {
    let numbers = battle.numbers();
    let held = numbers.strong_point_zone.max(numbers.garrison_zone).max(numbers.close_order_garrison_zone);
    let deepest = numbers.zones.deepest().max(held);
    battle.lay.length(deepest) + battle.lay.length(battle.numbers().superiority)
}

/// Whether a unit has a zone at all (HZ-ZON-09).
#[must_use]
pub fn has_zone(battle: &Battle, id: UnitId) -> bool {
    decides!(HZ_BLO_02);
    decides!(HZ_ZON_09);
    let unit = battle.unit(id);
    let facts = battle.facts(id);
    if unit.routing || unit.blown {
        return false;
    }
    match unit.formation {
        Formation::MarchColumn | Formation::Mob => false,
        Formation::Garrison => true,
        _ => battle.numbers().zones.depth(facts.arm, unit.formation, facts.guns) > crate::numbers::Distance::NONE,
    }
}

/// The depth of a unit's zone by formation and ground, without skirmisher superiority.
fn depth(field: &Field<'_>, id: UnitId, placed: &Placed) -> Depth {
    decides!(HZ_ZON_01, HZ_ZON_05, HZ_ZON_10, HZ_TER_04, HZ_WOO_06, HZ_WOO_08, HZ_BLD_05);
    let battle = field.battle;
    let numbers = battle.numbers();
    let unit = battle.unit(id);
    let facts = battle.facts(id);
    if let Some(sector) = unit.sector {
        let strong = matches!(battle.lay.terrain[usize::from(sector)].kind, Kind::Buildings { strong: true, .. });
        let depth = if strong {
            numbers.strong_point_zone
        } else if facts.abilities.opens_order() {
            numbers.garrison_zone
        } else {
            numbers.close_order_garrison_zone
        };
        let depth = battle.lay.length(depth);
        return Depth { outside: depth, inside: depth, dense: false, enclosed: None };
    }
    let full = battle.lay.length(numbers.zones.depth(facts.arm, unit.formation, facts.guns));
    let open = Depth { outside: full, inside: full, dense: false, enclosed: None };
    if battle.lay.terrain.is_empty() {
        return open;
    }
    let lies = Lies::under(battle, placed);
    let dense = lies.in_any().iter().copied().find(|&n| battle.lay.terrain[usize::from(n)].kind.is_dense());
    let Some(dense) = dense else { return open };
    let kind = battle.lay.terrain[usize::from(dense)].kind;
    let within = match (facts.arm, kind) {
        (Arm::Infantry, Kind::Buildings { .. }) => battle.lay.length(numbers.zone_in_buildings),
        (Arm::Infantry, _) => battle.lay.length(numbers.zone_in_woods),
        (Arm::Cavalry, Kind::Wood { .. }) if facts.horse.is_irregular() => battle.lay.length(numbers.zone_in_woods),
        _ => Length::ZERO,
    };
    let within = within.min(full);
    // Wholly inside and with the front at the edge of a wood it looks out over the open with its full zone, at the edge of other dense
    // terrain with the short one; half in, half out it has the least of both (HZ-WOO-06, HZ-BLD-05, HZ-TER-04).
    let whole = lies.wholly_in(dense);
    let at_edge = whole && ground::adjacent(battle, &Convex::segment(placed.face(Face::Front)), dense);
    let outside = if at_edge && kind.is_wood() { full } else { within };
    Depth { outside, inside: within, dense: true, enclosed: (whole && !at_edge).then_some(dense) }
}

/// The edges of the dense terrain that a unit is enclosed by: its zone does not reach out over them.
fn enclosure<'a>(battle: &Battle, depth: &Depth) -> impl Iterator<Item = Shape<'a>> + use<'a> {
    let lie = depth.enclosed.and_then(|n| battle.lay.ground.get(FeatureId(n)));
    let rim: SmallVec<[Shape<'a>; 8]> =
        lie.map(|lie| lie.patch.rim().iter().map(|edge| Shape::edge(*edge)).collect()).unwrap_or_default();
    rim.into_iter()
}

/// Whether superiority lengthens a unit's zone against a target (HZ-SKI-09, HZ-SKI-10).
fn lengthened(field: &Field<'_>, id: UnitId, depth: &Depth, target: UnitId, placed: &Placed) -> bool {
    decides!(HZ_WOO_09);
    decides!(HZ_SKI_09, HZ_SKI_10);
    let battle = field.battle;
    let facts = battle.facts(id);
    battle.superiority == Some(facts.side)
        && facts.arm == Arm::Infantry
        && battle.unit(id).sector.is_none()
        && !depth.dense
        && battle.facts(target).arm != Arm::Cavalry
        && !ground::wholly_dense(battle, placed, battle.unit(target).sector.is_some())
        && !field.get(id).is_some_and(|own| siege::no_superiority(battle, id, own))
}

/// The faces a unit threatens from (HZ-ZON-04, HZ-ZON-11, HZ-BLD-08, HZ-BLD-12).
#[must_use]
pub fn faces(battle: &Battle, id: UnitId) -> SmallVec<[Face; 4]> {
    decides!(HZ_ZON_04, HZ_ZON_11);
    match battle.unit(id).formation {
        Formation::Square => Face::ALL.into_iter().collect(),
        Formation::Garrison => garrison::held(battle, id).collect(),
        _ => SmallVec::from_slice(&[Face::Front]),
    }
}

/// One face's zone, cut off by friends (HZ-ZON-06). `but` is not counted among the friends.
fn cut_zone(field: &Field<'_>, id: UnitId, placed: &Placed, face: Face, depth: Length, but: Option<UnitId>) -> Zone {
    decides!(HZ_ZON_02, HZ_ZON_19);
    decides!(HZ_ZON_06);
    let zone = Zone::before(placed, face, depth);
    let friends = field.friends_meeting(id, zone.bounds()).filter(|(other, _)| Some(*other) != but);
    zone.cut(friends.map(|(_, friend)| friend))
}

/// The ground that ends a unit's zone wherever a line of it meets it (HZ-ZON-13 to HZ-ZON-16).
fn screens<'a>(field: &Field<'a>, id: UnitId, placed: &Placed, face: Face, reach: Length) -> SmallVec<[Lie<'a>; 8]> {
    decides!(HZ_ZON_13, HZ_ZON_14, HZ_ZON_15, HZ_ZON_16);
    let battle = field.battle;
    let mut found = SmallVec::new();
    if battle.lay.terrain.is_empty() {
        return found;
    }
    let troop = battle.troop(id);
    let front = Convex::segment(placed.face(face));
    let bounds = Zone::before(placed, face, reach).outline().bounds();
    let own = Lies::under(battle, placed);
    for lie in battle.lay.ground.near(&bounds) {
        let n = lie.feature.id.0;
        let kind = battle.lay.terrain[usize::from(n)].kind;
        let Screen::Ends(_) = kind.screen(&troop) else { continue };
        let stands_in = own.is_in(n) || battle.unit(id).sector == Some(n);
        if stands_in && !kind.is_raised() {
            continue;
        }
        let touching = nearer(&front, &lie, battle.lay.sizes.adjacent.f());
        decides!(HZ_HED_07, HZ_WAL_06, HZ_TER_12, HZ_GEO_25);
        let over_low =
            kind.is_low() && troop.arm != Arm::Cavalry && touching && angle_to(&lie, placed, face) <= 45.0 + 1e-6;
        let on_wall = matches!(kind, Kind::Rampart { .. }) && siege::is_on_top(battle, id, placed, n);
        if over_low || on_wall || (kind == Kind::Ridge && touching) {
            continue;
        }
        found.push(lie);
    }
    found
}

/// The angle between a face and the nearest leg of a line, in degrees from 0 to 90 (HZ-TER-14).
#[must_use]
pub fn angle_to(lie: &Lie<'_>, placed: &Placed, face: Face) -> f64 {
    decides!(HZ_TER_14);
    let edge = placed.face(face);
    let along = (edge.b - edge.a).unit();
    let middle = Convex::segment(edge);
    let mut best: Option<(f64, f64)> = None;
    for rim in lie.patch.rim() {
        let distance = exact_distance(&middle, &Convex::segment(*rim));
        let way = (rim.b - rim.a).unit();
        let angle = libm::acos(along.dot(way).abs().min(1.0)).to_degrees();
        if best.is_none_or(|(held, at)| distance < held - 1e-6 || (distance <= held + 1e-6 && angle < at)) {
            best = Some((distance, angle));
        }
    }
    best.map_or(90.0, |(_, angle)| angle)
}

/// Whether a unit's zone reaches a target, where both lie in the field (HZ-ZON-03).
#[must_use]
pub fn threatens(field: &Field<'_>, id: UnitId, target: UnitId) -> bool {
    decides!(HZ_ZON_03);
    reaches(field, id, target, true)
}

/// The same without skirmisher superiority, for who looks at it with basic depths.
#[must_use]
pub fn threatens_basic(field: &Field<'_>, id: UnitId, target: UnitId) -> bool {
    reaches(field, id, target, false)
}

fn reaches(field: &Field<'_>, id: UnitId, target: UnitId, superiority: bool) -> bool {
    decides!(HZ_ZON_12, HZ_WOO_10);
    let battle = field.battle;
    let (Some(placed), Some(there)) = (field.get(id), field.get(target)) else { return false };
    if !has_zone(battle, id) {
        return false;
    }
    let facts = battle.facts(id);
    let touch = battle.lay.sizes.touch;
    if !field.is_near(placed, there, deepest(battle).f() + touch.f()) {
        return false;
    }
    decides!(HZ_ZON_18);
    let depth = depth(field, id, placed);
    let bonus = superiority && lengthened(field, id, &depth, target, there);
    let outside = if bonus { depth.outside + battle.lay.length(battle.numbers().superiority) } else { depth.outside };
    let reach = if depth.dense && shares_dense(battle, placed, there) { depth.inside } else { outside };
    if reach <= Length::ZERO || !field.is_near(placed, there, reach.f() + touch.f()) {
        return false;
    }
    decides!(HZ_BRE_04);
    if facts.arm == Arm::Artillery && in_dead_ground(battle, placed, there) {
        return false;
    }
    if sunk_from(battle, placed, there, target) {
        return false;
    }
    let cavalry_into_wood = facts.arm == Arm::Cavalry && !facts.horse.is_irregular();
    if cavalry_into_wood && in_wood(battle, there) {
        return false;
    }
    faces(battle, id).into_iter().any(|face| {
        let zone = cut_zone(field, id, placed, face, reach, None);
        sees_in_zone(field, id, placed, face, &zone, &depth, target, there)
    })
}

/// A zone with the touch that counts as being in it, on either side and beyond its far edge (HZ-ZON-03). Threat tests, orders and
/// moves all ask about it here.
struct Lane {
    /// The zone, a touch wider on either side and a touch deeper.
    touched: Zone,
    left: Vec2,
    along: Vec2,
    out: Vec2,
    width: f64,
    touch: f64,
}

impl Lane {
    fn of(battle: &Battle, placed: &Placed, face: Face, zone: &Zone) -> Self {
        let (edge, out, touch) = (placed.face(face), placed.outward(face), battle.lay.sizes.touch);
        let touched = Zone::from_face(shape::lengthened(edge, touch.f()), out, zone.depth() + touch);
        Self { touched, left: edge.a, along: out.right(), out, width: edge.length(), touch: touch.f() }
    }

    /// What ends at a flank line of the zone, or a touch beyond it, shadows the touch that is added there as well (HZ-ZON-07): a
    /// bare line across it, as far out as the nearest of what lies on the flank line.
    fn hide(&self, outline: &impl Outline, out: &mut SmallVec<[Shape<'_>; 16]>) {
        decides!(HZ_ZON_07);
        const LEAST: f64 = 2.0;
        for part in outline.parts() {
            let across = |place: Vec2| (place - self.left).dot(self.along);
            let ends = part.corners.iter().map(|&corner| across(corner));
            let (least, most) =
                ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
            let right = most >= self.width - LEAST && most <= self.width + self.touch && least < self.width;
            let left = least <= LEAST && least >= -self.touch && most > 0.0;
            for (reaches, line, way) in [(right, self.width, self.along), (left, 0.0, self.along * -1.0)] {
                if !reaches {
                    continue;
                }
                let at_line = self.left + self.along * line;
                let there = shape::clipped(part.corners, way * -1.0, LEAST - way.dot(at_line));
                let near = there.iter().map(|&place| (place - self.left).dot(self.out)).fold(f64::INFINITY, f64::min);
                let far =
                    there.iter().map(|&place| (place - self.left).dot(self.out)).fold(f64::NEG_INFINITY, f64::max);
                if far >= 0.0 {
                    let from = at_line + self.out * near.max(0.0);
                    out.push(Shape::edge(Segment::new(from - way * LEAST, from + way * (2.0 * self.touch))));
                }
            }
        }
    }
}

/// Whether a zone, shadowed by other enemies and stopped by ground, holds any of the target; touching its edges counts.
#[expect(clippy::too_many_arguments, reason = "one question, all of whose facts are at hand where it is asked")]
fn sees_in_zone(
    field: &Field<'_>,
    id: UnitId,
    placed: &Placed,
    face: Face,
    zone: &Zone,
    depth: &Depth,
    target: UnitId,
    there: &Placed,
) -> bool {
    decides!(HZ_ZON_08, HZ_HED_10);
    let battle = field.battle;
    let lane = Lane::of(battle, placed, face, zone);
    let wide = &lane.touched;
    if wide.nearest(there).is_none() {
        return false;
    }
    let screens = screens(field, id, placed, face, zone.depth());
    let mut others: SmallVec<[Shape<'_>; 16]> = SmallVec::new();
    for (other, outline) in field.enemies_meeting(id, wide.bounds()) {
        if other != target && wide.nearest(outline).is_some() {
            lane.hide(outline, &mut others);
            others.push(Shape::Unit(outline));
        }
    }
    others.extend(enclosure(battle, depth));
    if screens.is_empty() {
        return wide.look(there, others.iter()).any();
    }
    let sector = battle.unit(target).sector;
    let cavalry = battle.facts(id).arm == Arm::Cavalry;
    let targets_own = Lies::under(battle, there);
    for lie in screens {
        let n = lie.feature.id.0;
        let kind = battle.lay.terrain[usize::from(n)].kind;
        // A garrison is its sector; broken ground and water do not hide who is in them from guns and muskets.
        let holds = sector == Some(n) && !cavalry;
        let open_inside =
            targets_own.is_in(n) && !kind.is_dense() && !kind.is_raised() && !cavalry && kind != Kind::Ridge;
        // Who stands right behind an obstacle, or on top of a wall, is reached (HZ-HED-09, HZ-HED-10, HZ-WAL-07, HZ-WAL-08).
        decides!(HZ_HED_09, HZ_WAL_07, HZ_WAL_08);
        let lined = !cavalry && lines(battle, target, there, &lie);
        if !holds && !open_inside && !lined {
            lane.hide(&lie, &mut others);
            others.push(Shape::Ground(lie));
        }
    }
    // Who lines the edge of a wood is reached: he is looked for so much nearer (HZ-ZON-14). Cossacks reach him too, other cavalry does
    // not; into buildings only infantry reaches so (HZ-BLD-06).
    let in_buildings =
        targets_own.in_any().iter().any(|&n| matches!(battle.lay.terrain[usize::from(n)].kind, Kind::Buildings { .. }));
    decides!(HZ_WOO_07, HZ_BLD_06);
    let reaches_edge = match battle.facts(id).arm {
        Arm::Infantry => true,
        Arm::Artillery => !in_buildings,
        Arm::Cavalry => battle.facts(id).horse.is_irregular() && !in_buildings,
    };
    let dense = targets_own.in_any().iter().any(|&n| battle.lay.terrain[usize::from(n)].kind.is_dense());
    let back = if reaches_edge && dense { battle.lay.sizes.adjacent } else { Length::ZERO };
    if cavalry && back == Length::ZERO {
        // Who stands level with what ends a horseman's zone is behind it: at the hedge from the other side, in the water at the bank.
        let behind = placed.outward(face) * battle.lay.sizes.touch.half().f();
        let corners: SmallVec<[Vec2; 4]> = shape::corners(there).iter().map(|&corner| corner + behind).collect();
        return wide.look(&Convex::hull(&corners), others.iter()).any();
    }
    let nearer = shape::drawn_out(there, -(placed.outward(face) * back.f()));
    wide.look(&nearer, others.iter()).any()
}

/// Whether a unit has a front right at a raised obstacle, or is on top of a fortress wall (HZ-TER-12).
pub(super) fn lines(battle: &Battle, id: UnitId, placed: &Placed, lie: &Lie<'_>) -> bool {
    let n = lie.feature.id.0;
    let kind = battle.lay.terrain[usize::from(n)].kind;
    if matches!(kind, Kind::Rampart { .. }) {
        return siege::is_on_top(battle, id, placed, n);
    }
    let near = battle.lay.sizes.adjacent.f();
    let faces: &[Face] = if battle.unit(id).formation == Formation::Square { &Face::ALL } else { &[Face::Front] };
    kind.is_raised()
        && faces.iter().any(|&face| {
            nearer(&Convex::segment(placed.face(face)), lie, near) && angle_to(lie, placed, face) <= 45.0 + 1e-6
        })
}

/// Whether every line straight ahead of a battery that meets a target first crosses the ridge of a hill the battery is not on
/// (HZ-HIL-06).
#[must_use]
pub fn beyond_ridge(battle: &Battle, battery: &Placed, target: &Placed) -> bool {
    decides!(HZ_HIL_06);
    let front = Convex::segment(battery.face(Face::Front));
    let near = battle.lay.sizes.adjacent.f();
    let mut ridges: SmallVec<[Lie<'_>; 4]> = SmallVec::new();
    for (n, terrain) in battle.lay.terrain.iter().enumerate() {
        if terrain.kind == Kind::Ridge
            && let Some(lie) = battle.lay.ground.get(FeatureId(n as u16))
            && !nearer(&front, &lie, near)
        {
            ridges.push(lie);
        }
    }
    if ridges.is_empty() {
        return false;
    }
    let edge = shape::lengthened(battery.face(Face::Front), battle.lay.sizes.touch.f());
    let lane = Zone::from_face(edge, battery.forward(), Length::cm(400));
    !lane.look(target, ridges.iter()).any()
}

/// Whether both lie in the same piece of dense terrain.
fn shares_dense(battle: &Battle, placed: &Placed, there: &Placed) -> bool {
    let (own, other) = (Lies::under(battle, placed), Lies::under(battle, there));
    own.in_any().iter().any(|&n| battle.lay.terrain[usize::from(n)].kind.is_dense() && other.is_in(n))
}

fn in_wood(battle: &Battle, placed: &Placed) -> bool {
    let lies = Lies::under(battle, placed);
    lies.in_any().iter().any(|&n| battle.lay.terrain[usize::from(n)].kind.is_wood() && lies.wholly_in(n))
}

/// Whether a target lies wholly in dead ground of a battery (HZ-ZON-17, HZ-HIL-08 to HZ-HIL-10).
#[must_use]
pub fn in_dead_ground(battle: &Battle, battery: &Placed, target: &Placed) -> bool {
    decides!(HZ_ZON_17, HZ_HIL_09, HZ_HIL_10);
    decides!(HZ_HIL_08);
    if battle.lay.terrain.is_empty() {
        return false;
    }
    if siege::in_dead_ground(battle, battery, target) {
        return true;
    }
    let strip = battle.lay.length(battle.numbers().dead_ground).f();
    // Only what lies straight ahead of the guns can be threatened at all.
    let ahead = shape::in_lane(battery, Face::Front, target);
    let seen = if ahead.is_empty() { shape::corners(target) } else { ahead };
    let front = Convex::segment(battery.face(Face::Front));
    battle.lay.terrain.iter().enumerate().any(|(n, terrain)| {
        if !matches!(terrain.kind, Kind::Hill { .. }) {
            return false;
        }
        let Some(lie) = battle.lay.ground.get(FeatureId(n as u16)) else { return false };
        // Few targets lie so near to a hill: that is asked first.
        lie.bounds().distance2(&Bounds::of(&seen)) <= (strip + 1.0) * (strip + 1.0)
            && seen.iter().all(|&corner| nearer(&Convex::place(corner), &lie, strip + 1.0))
            && !ground::adjacent(battle, &front, n as u16)
            && !sabretache_table::overlapping(&Convex::hull(&seen), &lie)
    })
}

/// Whether a target lies wholly in a sunken river or deep sunken obstacle whose edge the threatener is not at
/// (HZ-RIV-07, HZ-DIT-06).
#[must_use]
pub fn sunk_from(battle: &Battle, placed: &Placed, there: &Placed, target: UnitId) -> bool {
    decides!(HZ_RIV_07, HZ_DIT_06);
    if battle.lay.terrain.is_empty() || battle.unit(target).sector.is_some() {
        return false;
    }
    let lies = Lies::under(battle, there);
    lies.in_any().iter().any(|&n| {
        let sunk = matches!(
            battle.lay.terrain[usize::from(n)].kind,
            Kind::Water { sunken: true, .. } | Kind::Sunken { deep: true, .. }
        );
        sunk && lies.wholly_in(n) && !ground::adjacent(battle, &Convex::segment(placed.face(Face::Front)), n)
    })
}

/// A zone as a moving unit meets it.
pub struct Met {
    /// With the touch that counts as being in it: what it touches first has stopped it.
    pub touched: Shadowed,
    /// The zone itself, which it is then placed inside of.
    pub zone: Shadowed,
}

/// The zones of one enemy as they bear on a moving unit: what it is stopped by when it first touches it (HZ-ADV-06).
pub fn stopping(field: &Field<'_>, id: UnitId, mover: UnitId, out: &mut SmallVec<[Met; 4]>) {
    let battle = field.battle;
    let (Some(placed), Some(there)) = (field.get(id), field.get(mover)) else { return };
    if !has_zone(battle, id) {
        return;
    }
    let depth = depth(field, id, placed);
    let bonus = lengthened(field, id, &depth, mover, there);
    let reach = if bonus { depth.outside + battle.lay.length(battle.numbers().superiority) } else { depth.outside };
    if reach <= Length::ZERO {
        return;
    }
    for face in faces(battle, id) {
        let zone = cut_zone(field, id, placed, face, reach, None);
        let lane = Lane::of(battle, placed, face, &zone);
        let screens = screens(field, id, placed, face, zone.depth());
        let mut others: SmallVec<[Shape<'_>; 16]> = SmallVec::new();
        for (other, outline) in field.enemies_meeting(id, lane.touched.bounds()) {
            if other != mover && lane.touched.nearest(outline).is_some() {
                lane.hide(outline, &mut others);
                others.push(Shape::Unit(outline));
            }
        }
        for lie in screens {
            lane.hide(&lie, &mut others);
            others.push(Shape::Ground(lie));
        }
        others.extend(enclosure(battle, &depth));
        out.push(Met { touched: lane.touched.shadowed(others.iter()), zone: zone.shadowed(others.iter()) });
    }
}

/// The present outline of a unit's zones against nobody in particular, for drawing and for the flanks of friends: basic
/// depth, shadowed and cut (HZ-GEO-18).
#[must_use]
pub fn outlines(field: &Field<'_>, id: UnitId) -> SmallVec<[Shadowed; 4]> {
    let battle = field.battle;
    let mut out = SmallVec::new();
    let Some(placed) = field.get(id) else { return out };
    if !has_zone(battle, id) {
        return out;
    }
    let depth = depth(field, id, placed);
    let reach = depth.outside;
    if reach <= Length::ZERO {
        return out;
    }
    for face in faces(battle, id) {
        let zone = cut_zone(field, id, placed, face, reach, None);
        let screens = screens(field, id, placed, face, zone.depth());
        let mut others: SmallVec<[Shape<'_>; 16]> = SmallVec::new();
        others.extend(
            field
                .enemies_meeting(id, zone.bounds())
                .filter(|(_, outline)| zone.nearest(*outline).is_some())
                .map(|(_, outline)| Shape::Unit(outline)),
        );
        others.extend(screens.into_iter().map(Shape::Ground));
        others.extend(enclosure(battle, &depth));
        out.push(zone.shadowed(others.iter()));
    }
    out
}

/// A face's zone as it supports a friend: basic depth, not cut by the friend itself (HZ-GEO-19).
#[must_use]
pub fn supporting_zone(field: &Field<'_>, id: UnitId, face: Face, supported: UnitId) -> Option<Zone> {
    let placed = field.get(id)?;
    if !has_zone(field.battle, id) {
        return None;
    }
    let reach = depth(field, id, placed).outside;
    (reach > Length::ZERO).then(|| cut_zone(field, id, placed, face, reach, Some(supported)))
}

/// What ends a supporter's zone before it comes to the unit: enemies in it, and ground (HZ-ZON-07, HZ-ZON-13 to HZ-ZON-16).
#[must_use]
pub fn between<'a>(field: &'a Field<'_>, id: UnitId, face: Face, zone: &Zone) -> SmallVec<[Shape<'a>; 8]> {
    let enemies = field.enemies_meeting(id, zone.bounds()).filter(|(_, enemy)| zone.nearest(*enemy).is_some());
    let mut found: SmallVec<[Shape<'a>; 8]> = enemies.map(|(_, enemy)| Shape::Unit(enemy)).collect();
    found.extend(ends_zone(field, id, face, zone.depth()).into_iter().map(Shape::Ground));
    found
}

/// Ground that ends a supporter's zone.
#[must_use]
pub fn ends_zone<'a>(field: &Field<'a>, id: UnitId, face: Face, reach: Length) -> SmallVec<[Lie<'a>; 8]> {
    field.get(id).map_or_else(SmallVec::new, |placed| screens(field, id, placed, face, reach))
}

/// How deep the zone of a unit's face is at present, after friends have cut it, against a target.
#[must_use]
pub fn present_depth(field: &Field<'_>, id: UnitId, face: Face, target: UnitId) -> Length {
    let (Some(placed), Some(there)) = (field.get(id), field.get(target)) else { return Length::ZERO };
    let depth = depth(field, id, placed);
    let bonus = lengthened(field, id, &depth, target, there);
    let reach =
        if bonus { depth.outside + field.battle.lay.length(field.battle.numbers().superiority) } else { depth.outside };
    cut_zone(field, id, placed, face, reach, None).depth()
}

/// Whether a unit disregards a threat in its tests: infantry in dense terrain and cavalry, cossacks in woods apart
/// (HZ-THR-32).
#[must_use]
pub fn ignores(field: &Field<'_>, target: UnitId, by: UnitId) -> bool {
    decides!(HZ_THR_32);
    let battle = field.battle;
    let (Some(there), Some(threat)) = (field.get(target), field.get(by)) else { return false };
    if battle.facts(target).arm != Arm::Infantry || battle.facts(by).arm != Arm::Cavalry {
        return false;
    }
    let garrison = battle.unit(target).sector.is_some();
    if battle.lay.terrain.is_empty() || !ground::wholly_dense(battle, there, garrison) {
        return false;
    }
    let cossacks_in_woods =
        battle.facts(by).horse.is_irregular() && !garrison && (in_wood(battle, there) || in_wood(battle, threat));
    !cossacks_in_woods
}

/// The enemies whose zones may reach a unit; no others do.
pub fn may_threaten<'a>(field: &'a Field<'_>, unit: UnitId) -> impl Iterator<Item = (UnitId, &'a Placed)> {
    let reach = deepest(field.battle).f() + field.battle.lay.sizes.touch.f();
    let near = field.get(unit).map(|placed| placed.bounds().grown(reach));
    near.into_iter().flat_map(move |near| field.enemies_meeting(unit, near))
}

/// The enemies in whose zones a unit lies, those it disregards included (HZ-ORD-15).
#[must_use]
pub fn zones_on(field: &Field<'_>, unit: UnitId) -> Units {
    may_threaten(field, unit).map(|(id, _)| id).filter(|&id| threatens(field, id, unit)).collect()
}

/// Whether a unit lies in any enemy zone.
#[must_use]
pub fn in_any_zone(field: &Field<'_>, unit: UnitId) -> bool {
    may_threaten(field, unit).any(|(id, _)| threatens(field, id, unit))
}

/// The threats on a unit: who, from where, and whether there is smoke on the guns (HZ-THR-01).
#[must_use]
pub fn threats_on(field: &Field<'_>, unit: UnitId) -> Threats {
    let battle = field.battle;
    let mut threats = Threats::new();
    decides!(HZ_ZON_19);
    for (id, _) in may_threaten(field, unit) {
        if !threatens(field, id, unit) || ignores(field, unit, id) {
            continue;
        }
        let from = super::bearing::of_threat(field, id, unit, None);
        let smoke = battle.facts(id).arm == Arm::Artillery && battle.unit(id).smoke > 0;
        threats.push(Threat { unit, by: id, from, smoke, tested: false });
    }
    threats
}

/// Whether any of the threats comes from flank or rear.
#[must_use]
pub fn from_flank_or_rear(threats: &[Threat]) -> bool {
    threats.iter().any(|threat| threat.from != Bearing::Front)
}

/// The way a face looks.
#[must_use]
pub fn out_of(placed: &Placed, face: Face) -> Vec2 {
    placed.outward(face)
}
