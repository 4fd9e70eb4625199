//! Front, flank and rear (HZ-GEO-05 to HZ-GEO-15, HZ-ENG-06).

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_table::{Corners, Face, Length, Placed, Segment, Vec2};

use super::{Field, shape, sight, zones};
use crate::body::FlankZone;
use crate::clauses::{
    HZ_ENG_06, HZ_GEO_05, HZ_GEO_07, HZ_GEO_08, HZ_GEO_09, HZ_GEO_10, HZ_GEO_11, HZ_GEO_12, HZ_GEO_13, HZ_GEO_14,
    HZ_GEO_15,
};
use crate::state::Bearing;
use crate::troops::Formation;

/// A rectangle in its own frame: half its front, half its depth.
struct Frame {
    centre: Vec2,
    right: Vec2,
    ahead: Vec2,
    half_width: f64,
    half_depth: f64,
    midpoint: bool,
}

impl Frame {
    fn of(placed: &Placed, option: FlankZone) -> Self {
        let ahead = placed.forward();
        let half_width = placed.face(Face::Front).length() / 2.0;
        let half_depth = placed.face(Face::Right).length() / 2.0;
        // The option is for formations deeper than they are wide (HZ-GEO-08).
        decides!(HZ_GEO_08);
        let midpoint = option == FlankZone::Midpoint && half_depth > half_width;
        Self { centre: placed.centre(), right: ahead.right(), ahead, half_width, half_depth, midpoint }
    }

    fn local(&self, place: Vec2) -> Vec2 {
        let from = place - self.centre;
        Vec2::new(from.dot(self.right), from.dot(self.ahead))
    }

    /// The part of a polygon, in the frame, that lies in a flank zone; `right` or left.
    fn in_flank_zone(&self, polygon: &[Vec2], right: bool) -> Corners {
        let sign = if right { 1.0 } else { -1.0 };
        let (w, d) = (self.half_width, self.half_depth);
        // |y| < slope · |x| (+ rise): the two lines that bound the zone.
        let (slope, rise) = if self.midpoint { (d / (2.0 * w), d / 2.0) } else { (d / w, 0.0) };
        let upper = shape::clipped(polygon, Vec2::new(-slope * sign, 1.0), rise);
        let both = shape::clipped(&upper, Vec2::new(-slope * sign, -1.0), rise);
        let beyond = if self.midpoint { w } else { 0.0 };
        shape::clipped(&both, Vec2::new(-sign, 0.0), -beyond)
    }

    /// Whether a place lies in the rear zone (HZ-GEO-07).
    fn is_behind(&self, place: Vec2) -> bool {
        decides!(HZ_GEO_07);
        let at = self.local(place);
        if at.y >= 0.0 {
            return false;
        }
        if self.midpoint {
            let limit = self.half_depth * (at.x.abs() + self.half_width) / (2.0 * self.half_width);
            return !(at.x.abs() > self.half_width && at.y.abs() < limit);
        }
        at.y.abs() / self.half_depth >= at.x.abs() / self.half_width - 1e-12
    }

    fn locals(&self, placed: &Placed) -> Corners {
        shape::corners(placed).iter().map(|&corner| self.local(corner)).collect()
    }
}

/// Lines drawn forward from a face: where they strike an edge, measured along the face and out from it.
struct Lanes {
    origin: Vec2,
    along: Vec2,
    out: Vec2,
    width: f64,
    depth: f64,
}

impl Lanes {
    fn of(face: Segment, out: Vec2, depth: Length) -> Self {
        Self { origin: face.a, along: (face.b - face.a).unit(), out, width: face.length(), depth: depth.f() }
    }

    /// How far along the face, and how far out, a place lies.
    fn at(&self, place: Vec2) -> Vec2 {
        let from = place - self.origin;
        Vec2::new(from.dot(self.along), from.dot(self.out))
    }

    /// The width of the lanes that strike an edge within the depth.
    fn strike(&self, edge: Segment) -> f64 {
        let (a, b) = (self.at(edge.a), self.at(edge.b));
        let (low, high) = if a.x <= b.x { (a, b) } else { (b, a) };
        let span = high.x - low.x;
        if span <= 1e-9 {
            return 0.0;
        }
        // Out at a place along the face is linear between the ends; keep where it is between 0 and the depth.
        let (mut from, mut to) = (0.0f64.max(low.x), self.width.min(high.x));
        let slope = (high.y - low.y) / span;
        for (limit, sign) in [(self.depth + 2.0, 1.0), (-2.0, -1.0)] {
            // sign · (low.y + slope · (x - low.x)) <= sign · limit
            let room = sign * (limit - low.y);
            let tilt = sign * slope;
            if tilt.abs() <= 1e-15 {
                if room < 0.0 {
                    return 0.0;
                }
            } else if tilt > 0.0 {
                to = to.min(low.x + room / tilt);
            } else {
                from = from.max(low.x + room / tilt);
            }
        }
        (to - from).max(0.0)
    }
}

/// From where an enemy threatens a unit. For a bombarding battery `lane` is its extreme range (HZ-GEO-09).
#[must_use]
pub fn of_threat(field: &Field<'_>, by: UnitId, unit: UnitId, lane: Option<Length>) -> Bearing {
    decides!(HZ_GEO_09);
    let battle = field.battle;
    let (Some(there), Some(threat)) = (field.get(unit), field.get(by)) else { return Bearing::Front };
    decides!(HZ_GEO_15);
    if matches!(battle.unit(unit).formation, Formation::Square | Formation::Garrison) {
        return Bearing::Front;
    }
    let frame = Frame::of(there, battle.lay.options.flank_zone);
    let mut behind = false;
    for face in zones::faces(battle, by) {
        let depth = lane.unwrap_or_else(|| zones::present_depth(field, by, face, unit));
        let front = threat.face(face);
        let out = threat.outward(face);
        let lanes = Lanes::of(front, out, depth);
        if threatens_flank(field, by, unit, threat, there, &frame, &lanes, face) {
            return Bearing::Flank;
        }
        let strikes_rear = there.outward(Face::Rear).dot(out) < -1e-9 && lanes.strike(there.face(Face::Rear)) > 2.0;
        behind |= frame.is_behind(front.middle()) || strikes_rear;
    }
    decides!(HZ_GEO_14);
    if behind { Bearing::Rear } else { Bearing::Front }
}

/// The four conditions of a flank threat (HZ-GEO-09).
#[expect(clippy::too_many_arguments, reason = "one rule, all of whose facts are at hand where it is asked")]
fn threatens_flank(
    field: &Field<'_>,
    by: UnitId,
    unit: UnitId,
    threat: &Placed,
    there: &Placed,
    frame: &Frame,
    lanes: &Lanes,
    face: Face,
) -> bool {
    let locals = frame.locals(threat);
    for (flank, right) in [(Face::Right, true), (Face::Left, false)] {
        // (1) within or partly within the flank zone; touching its edge is not enough.
        decides!(HZ_GEO_10);
        if shape::area(&frame.in_flank_zone(&locals, right)) <= 4.0 {
            continue;
        }
        // (3) some line drawn forward strikes the flank from outside.
        let outward = there.outward(flank);
        decides!(HZ_GEO_12);
        if outward.dot(lanes.out) >= -1e-9 || lanes.strike(there.face(flank)) <= 2.0 {
            continue;
        }
        // (2) more of the zone on or beyond the flank than on the front.
        if flank_share(lanes, there, flank) <= front_share(lanes, there) + 2.0 {
            continue;
        }
        // (4) line of sight along all of the threatening face.
        decides!(HZ_GEO_13);
        if sight::units_clear(field, by, threat.face(face), unit) && sight::ground_clear(field, by, threat, face, unit)
        {
            return true;
        }
    }
    false
}

/// The width of the lanes on the flank's side of the corner that front and flank share (HZ-GEO-11).
fn flank_share(lanes: &Lanes, there: &Placed, flank: Face) -> f64 {
    decides!(HZ_GEO_11);
    let front = there.face(Face::Front);
    let edge = there.face(flank);
    // Faces run left to right as seen from inside: the front's right end is the right flank's left end.
    let (corner, rear) = if flank == Face::Right { (front.b, edge.b) } else { (front.a, edge.a) };
    let (c, r) = (lanes.at(corner).x, lanes.at(rear).x);
    if r > c { (lanes.width - c.max(0.0)).max(0.0) } else { c.min(lanes.width).max(0.0) }
}

/// The width of the lanes that strike the front within the zone, if the front is turned towards them.
fn front_share(lanes: &Lanes, there: &Placed) -> f64 {
    if there.forward().dot(lanes.out) >= -1e-12 { 0.0 } else { lanes.strike(there.face(Face::Front)) }
}

/// Whether a unit is engaged to flank or rear by an enemy that touches it (HZ-ENG-06).
#[must_use]
pub fn engaged_to_flank(field: &Field<'_>, unit: UnitId, by: UnitId) -> bool {
    decides!(HZ_ENG_06);
    let battle = field.battle;
    let (Some(there), Some(enemy)) = (field.get(unit), field.get(by)) else { return false };
    if matches!(battle.unit(unit).formation, Formation::Square | Formation::Garrison) {
        return false;
    }
    let touch = battle.lay.sizes.touch.f();
    let fronts = super::contact::fronts(battle, by, enemy);
    // Square on along the front faces is frontal, whatever lies where (HZ-GEO-05).
    let opposite = |out: Vec2| there.forward().dot(out) <= -libm::cos(1.0f64.to_radians());
    let front = there.face(Face::Front);
    decides!(HZ_GEO_05);
    if fronts.iter().any(|&(edge, out)| opposite(out) && super::contact::shared(edge, front, touch) > touch) {
        return false;
    }
    for flank in [Face::Left, Face::Right] {
        let edge = there.face(flank);
        if fronts.iter().any(|&(front, _)| super::contact::shared(front, edge, touch) >= edge.length() - touch) {
            return true;
        }
    }
    // The enemy's front must touch a flank or the rear; front corners belong to the flanks too.
    let sides = [Face::Left, Face::Right, Face::Rear];
    let touches_side = fronts
        .iter()
        .any(|&(front, _)| sides.iter().any(|&side| super::contact::gap(front, there.face(side)) <= touch));
    if !touches_side {
        return false;
    }
    let frame = Frame::of(there, battle.lay.options.flank_zone);
    let locals = frame.locals(enemy);
    let whole = shape::area(&locals);
    let flanks = shape::area(&frame.in_flank_zone(&locals, true)) + shape::area(&frame.in_flank_zone(&locals, false));
    // What is behind the line of the middle and in neither flank zone is in the rear zone.
    let rear_half = shape::clipped(&locals, Vec2::new(0.0, 1.0), 0.0);
    let rear_flanks =
        shape::area(&frame.in_flank_zone(&rear_half, true)) + shape::area(&frame.in_flank_zone(&rear_half, false));
    let rear = (shape::area(&rear_half) - rear_flanks).max(0.0);
    let front = whole - flanks - rear;
    flanks + rear > front * (1.0 + 1e-9) + 4.0
}
