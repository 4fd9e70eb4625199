//! Zones: the ground in front of a face, to a depth.
//!
//! A zone is kept in the frame of its face: x along the face from its left end, y straight out from it. Cutting and shadowing are then
//! questions about heights above the x axis.

use crate::convex::{Convex, Corners, clip};
use crate::footprint::Face;
use crate::heading::Angle;
use crate::length::Length;
use crate::outline::{Bounds, Outline, Part, SLOP};
use crate::placed::Placed;
use crate::vec2::{Segment, Vec2};

/// The ground in front of a face, as wide as the face, to a depth; optionally widening on both sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Zone {
    /// The left end of the face, looking out.
    origin: Vec2,
    /// Along the face, to the right.
    along: Vec2,
    /// Straight out.
    out: Vec2,
    width: f64,
    depth: f64,
    /// How much wider each side is per unit of depth.
    spread: f64,
}

impl Zone {
    /// The zone in front of a face.
    ///
    /// ```
    /// use sabretache_table::{Face, Footprint, Length, Placed, Pose, Zone};
    /// let battalion = Footprint::block(4, 1, Length::mm(40), Length::mm(20));
    /// let at = |x, y, degrees| Placed::new(&battalion, Pose::cm(x, y, degrees));
    /// let (us, friend, enemy) = (at(60, 20, 0), at(50, 35, 0), at(60, 30, 180));
    /// let zone = Zone::before(&us, Face::Front, Length::cm(20)).cut([&friend]);
    /// assert_eq!(zone.depth(), Length::cm(13));
    /// assert!(zone.look(&enemy, [] as [&Placed; 0]).any());
    /// ```
    pub fn before(unit: &Placed, face: Face, depth: Length) -> Zone {
        Zone::from_face(unit.face(face), unit.outward(face), depth)
    }

    /// The zone in front of any stretch, given left to right looking out, and the way it looks.
    pub fn from_face(face: Segment, out: Vec2, depth: Length) -> Zone {
        let depth = depth.f().max(0.0);
        Zone { origin: face.a, along: out.right(), out, width: face.length(), depth, spread: 0.0 }
    }

    /// The zone widened by an angle on each side, up to 89°.
    pub fn widened(mut self, angle: Angle) -> Zone {
        let (s, c) = angle.abs().min(Angle::degrees(89)).sin_cos();
        self.spread = s / c;
        self
    }

    /// The zone with another depth.
    pub fn with_depth(mut self, depth: Length) -> Zone {
        self.depth = depth.f().max(0.0);
        self
    }

    /// How deep it is.
    pub fn depth(&self) -> Length {
        Length::rounded(self.depth)
    }

    /// How wide it is at the face.
    pub fn width(&self) -> Length {
        Length::rounded(self.width)
    }

    pub(crate) fn depth_f(&self) -> f64 {
        self.depth
    }

    /// The zone cut off, across its whole width, at the nearest place of the nearest friend in it. A friend that only touches a
    /// side does not cut.
    pub fn cut<'a, O: Outline + 'a>(mut self, friends: impl IntoIterator<Item = &'a O>) -> Zone {
        for friend in friends {
            if let Some(nearest) = self.nearest(friend) {
                self.depth = self.depth.min(nearest);
            }
        }
        self
    }

    /// How far out from the face the nearest part of an outline in the zone is, in micrometres; nothing where none is in it.
    pub fn nearest(&self, outline: &impl Outline) -> Option<f64> {
        let mut best: Option<f64> = None;
        if self.misses(&outline.bounds()) {
            return best;
        }
        for part in outline.parts() {
            let inside = self.clipped(part);
            if inside.is_empty() {
                continue;
            }
            let near = inside.iter().map(|p| p.y).fold(f64::INFINITY, f64::min);
            let near = if near <= SLOP { 0.0 } else { near };
            best = Some(best.map_or(near, |b: f64| b.min(near)));
        }
        best
    }

    /// A box that everything in the zone meets.
    pub fn bounds(&self) -> Bounds {
        let side = self.spread * self.depth;
        let corners = [(0.0, 0.0), (self.width, 0.0), (self.width + side, self.depth), (-side, self.depth)]
            .map(|(x, y)| self.world(Vec2::new(x, y)));
        Bounds::of(&corners).grown(2.0 * SLOP)
    }

    /// Whether a box lies wholly to one side of the zone, before it or beyond it.
    #[inline]
    fn misses(&self, bounds: &Bounds) -> bool {
        let middle = self.local(bounds.middle());
        let half = (bounds.max - bounds.min) * 0.5;
        let reach = |way: Vec2| half.x * way.x.abs() + half.y * way.y.abs();
        let (across, out) = (reach(self.along), reach(self.out));
        let (left, right) = self.sides();
        middle.x + across < left
            || middle.x - across > right
            || middle.y + out < -SLOP
            || middle.y - out > self.depth + SLOP
    }

    /// The zone as a polygon.
    pub fn outline(&self) -> Convex {
        let side = self.spread * self.depth;
        let corners = [
            Vec2::new(0.0, 0.0),
            Vec2::new(self.width, 0.0),
            Vec2::new(self.width + side, self.depth),
            Vec2::new(-side, self.depth),
        ];
        if self.depth <= 0.0 {
            return Convex::segment(Segment::new(self.world(corners[0]), self.world(corners[1])));
        }
        if self.width <= 0.0 {
            return Convex::hull(&corners.map(|c| self.world(c)));
        }
        Convex::from_ccw(corners.iter().map(|c| self.world(*c)).collect())
    }

    /// A place in the frame of the face.
    #[inline]
    pub(crate) fn local(&self, p: Vec2) -> Vec2 {
        let d = p - self.origin;
        Vec2::new(d.dot(self.along), d.dot(self.out))
    }

    /// A place of the frame of the face on the table.
    #[inline]
    pub(crate) fn world(&self, p: Vec2) -> Vec2 {
        self.origin + self.along * p.x + self.out * p.y
    }

    /// How far to the left and right the zone reaches, in the frame of the face.
    pub(crate) fn sides(&self) -> (f64, f64) {
        let side = self.spread * self.depth;
        (-side, self.width + side)
    }

    /// Whether a place of the frame of the face lies in the zone, edges included.
    pub(crate) fn holds_local(&self, p: Vec2) -> bool {
        let side = self.spread * p.y.max(0.0) + SLOP;
        p.y >= -SLOP && p.y <= self.depth + SLOP && p.x >= -side && p.x <= self.width + side
    }

    /// Whether a place lies in the zone, edges included.
    pub fn holds(&self, place: Vec2) -> bool {
        self.holds_local(self.local(place))
    }

    /// What lies in the zone of a convex part, in the frame of the face; empty where it only touches a side. The far edge is
    /// part of the zone, and so is the face.
    pub(crate) fn clipped(&self, part: Part<'_>) -> Corners {
        let mut local: Corners = part.corners.iter().map(|c| self.local(*c)).collect();
        // Most parts are nowhere near: leave before clipping.
        let (left, right) = self.sides();
        let (mut low, mut high) =
            (Vec2::new(f64::INFINITY, f64::INFINITY), Vec2::new(f64::NEG_INFINITY, f64::NEG_INFINITY));
        for p in &local {
            low = Vec2::new(low.x.min(p.x), low.y.min(p.y));
            high = Vec2::new(high.x.max(p.x), high.y.max(p.y));
        }
        if high.x <= left + SLOP || low.x >= right - SLOP || high.y < -SLOP || low.y > self.depth + SLOP {
            return Corners::new();
        }
        if low.y < -SLOP {
            local = clip(&local, Vec2::new(0.0, -1.0), SLOP);
        }
        if high.y > self.depth + SLOP {
            local = clip(&local, Vec2::new(0.0, 1.0), self.depth + SLOP);
        }
        // Wholly between the sides, and not only along one of them.
        if low.x > SLOP && high.x < self.width - SLOP {
            return local;
        }
        let slant = libm::sqrt(1.0 + self.spread * self.spread);
        let out = self.spread / slant;
        for (normal, reach) in
            [(Vec2::new(-1.0 / slant, -out), 0.0), (Vec2::new(1.0 / slant, -out), self.width / slant)]
        {
            local = clip(&local, normal, reach);
            // What lies along a side, no deeper than the tolerance, only touches the zone.
            if local.iter().all(|p| normal.dot(*p) >= reach - SLOP) {
                return Corners::new();
            }
        }
        local
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::footprint::Footprint;
    use crate::pose::Pose;

    fn unit(x: i32, y: i32, degrees: i32) -> Placed {
        Placed::new(&Footprint::single(Length::cm(10), Length::cm(4)), Pose::cm(x, y, degrees))
    }

    #[test]
    fn a_zone_lies_before_its_face() {
        let zone = Zone::before(&unit(50, 50, 90), Face::Front, Length::cm(20));
        assert_eq!(zone.outline().area(), 200.0 * 1e8);
        let b = zone.outline().bounds();
        assert_eq!((b.min.x, b.max.x, b.min.y, b.max.y), (500_000.0, 700_000.0, 450_000.0, 550_000.0));
        let rear = Zone::before(&unit(50, 50, 90), Face::Rear, Length::cm(20)).outline().bounds();
        assert_eq!((rear.min.x, rear.max.x), (260_000.0, 460_000.0));
    }

    #[test]
    fn a_friend_cuts_the_whole_width_and_one_beside_does_not() {
        let zone = Zone::before(&unit(50, 50, 0), Face::Front, Length::cm(20));
        assert_eq!(zone.cut([&unit(58, 64, 0)]).depth(), Length::cm(10));
        assert_eq!(zone.cut([&unit(60, 64, 0)]).depth(), Length::cm(20), "shoulder to shoulder");
        assert_eq!(zone.cut([&unit(50, 54, 0)]).depth(), Length::ZERO, "nose to tail");
        let wide = zone.widened(Angle::degrees(45));
        assert_eq!(wide.cut([&unit(60, 64, 0)]).depth(), Length::cm(10));
    }
}
