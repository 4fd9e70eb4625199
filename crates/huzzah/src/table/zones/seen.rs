//! What lies in a threat zone: past enemies that shadow it, and past ground that ends it (HZ-ZON-03, HZ-ZON-07, HZ-ZON-13 to HZ-ZON-16).

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_table::{
    Convex, Face, FeatureId, Length, Lie, Outline, Placed, Segment, Vec2, Zone, exact_distance, nearer,
};
use smallvec::SmallVec;

use super::depth::Depth;

use crate::battle::Battle;
use crate::clauses::{
    HZ_BLD_06, HZ_GEO_25, HZ_HED_07, HZ_HED_09, HZ_HED_10, HZ_TER_12, HZ_TER_14, HZ_WAL_06, HZ_WAL_07, HZ_WAL_08,
    HZ_WOO_07, HZ_ZON_07, HZ_ZON_08, HZ_ZON_13, HZ_ZON_14, HZ_ZON_15, HZ_ZON_16,
};
use crate::table::ground::Lies;
use crate::table::shape::{self, Shape};
use crate::table::{Field, siege};
use crate::terrain::{Kind, Screen};
use crate::troops::{Arm, Formation};

/// The edges of the dense terrain that a unit is enclosed by: its zone does not reach out over them.
pub(super) fn enclosure<'a>(battle: &Battle, depth: &Depth) -> impl Iterator<Item = Shape<'a>> + use<'a> {
    let lie = depth.enclosed.and_then(|n| battle.lay.ground.get(FeatureId(n)));
    let rim: SmallVec<[Shape<'a>; 8]> =
        lie.map(|lie| lie.patch.rim().iter().map(|edge| Shape::edge(*edge)).collect()).unwrap_or_default();
    rim.into_iter()
}

/// The ground that ends a unit's zone wherever a line of it meets it (HZ-ZON-13 to HZ-ZON-16).
pub(super) fn screens<'a>(
    field: &Field<'a>,
    id: UnitId,
    placed: &Placed,
    face: Face,
    reach: Length,
) -> SmallVec<[Lie<'a>; 8]> {
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
            kind.is_low() && troop.arm != Arm::Cavalry && touching && faces_obstacle(battle, &lie, placed, face);
        let on_wall = matches!(kind, Kind::Rampart { .. }) && siege::is_on_top(battle, id, placed, n);
        if over_low || on_wall || (kind == Kind::Ridge && touching) {
            continue;
        }
        found.push(lie);
    }
    found
}

/// Whether a face looks at an obstacle: it is turned away from the obstacle's own line by no more than so much (HZ-TER-14).
#[must_use]
pub fn faces_obstacle(battle: &Battle, lie: &Lie<'_>, placed: &Placed, face: Face) -> bool {
    angle_to(lie, placed, face) <= f64::from(battle.numbers().faces_obstacle) + 1e-6
}

/// The angle between a face and the nearest leg of a line, in degrees from 0 to 90.
fn angle_to(lie: &Lie<'_>, placed: &Placed, face: Face) -> f64 {
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

/// A zone with the touch that counts as being in it, on either side and beyond its far edge (HZ-ZON-03). Threat tests, orders and
/// moves all ask about it here.
pub(super) struct Lane {
    /// The zone, a touch wider on either side and a touch deeper.
    pub(super) touched: Zone,
    pub(super) left: Vec2,
    pub(super) along: Vec2,
    pub(super) out: Vec2,
    pub(super) width: f64,
    pub(super) touch: f64,
}

impl Lane {
    pub(super) fn of(battle: &Battle, placed: &Placed, face: Face, zone: &Zone) -> Self {
        let (edge, out, touch) = (placed.face(face), placed.outward(face), battle.lay.sizes.touch);
        let touched = Zone::from_face(shape::lengthened(edge, touch.f()), out, zone.depth() + touch);
        Self { touched, left: edge.a, along: out.right(), out, width: edge.length(), touch: touch.f() }
    }

    /// What ends at a flank line of the zone, or a touch beyond it, shadows the touch that is added there as well (HZ-ZON-07): a
    /// bare line across it, as far out as the nearest of what lies on the flank line.
    pub(super) fn hide(&self, outline: &impl Outline, out: &mut SmallVec<[Shape<'_>; 16]>) {
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
pub(super) fn sees_in_zone(
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
        // A unit right behind an obstacle, or on top of a wall, is reached (HZ-HED-09, HZ-HED-10, HZ-WAL-07, HZ-WAL-08).
        decides!(HZ_HED_09, HZ_WAL_07, HZ_WAL_08);
        let lined = !cavalry && lines(battle, target, there, &lie);
        if !holds && !open_inside && !lined {
            lane.hide(&lie, &mut others);
            others.push(Shape::Ground(lie));
        }
    }
    // A unit that lines the edge of a wood is reached: it is looked for so much nearer (HZ-ZON-14). Cossacks reach it too, other cavalry does
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
        // A unit level with what ends a horseman's zone is behind it: at the hedge from the other side, in the water at the bank.
        let behind = placed.outward(face) * battle.lay.sizes.touch.half().f();
        let corners: SmallVec<[Vec2; 4]> = shape::corners(there).iter().map(|&corner| corner + behind).collect();
        return wide.look(&Convex::hull(&corners), others.iter()).any();
    }
    let nearer = shape::drawn_out(there, -(placed.outward(face) * back.f()));
    wide.look(&nearer, others.iter()).any()
}

/// Whether a unit has a front right at a raised obstacle, or is on top of a fortress wall (HZ-TER-12).
pub(in crate::table) fn lines(battle: &Battle, id: UnitId, placed: &Placed, lie: &Lie<'_>) -> bool {
    let n = lie.feature.id.0;
    let kind = battle.lay.terrain[usize::from(n)].kind;
    if matches!(kind, Kind::Rampart { .. }) {
        return siege::is_on_top(battle, id, placed, n);
    }
    let near = battle.lay.sizes.adjacent.f();
    let faces: &[Face] = if battle.unit(id).formation == Formation::Square { &Face::ALL } else { &[Face::Front] };
    kind.is_raised()
        && faces.iter().any(|&face| {
            nearer(&Convex::segment(placed.face(face)), lie, near) && faces_obstacle(battle, lie, placed, face)
        })
}
