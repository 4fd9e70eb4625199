//! Convex polygons of any few corners: zones, hulls, clipped pieces, inflated obstacles.

use std::cmp::Ordering;

use smallvec::SmallVec;

use crate::outline::{Bounds, Outline, Part, area};
use crate::placed::Quad;
use crate::vec2::{Segment, Vec2};

/// A few places without an allocation.
pub type Corners = SmallVec<[Vec2; 8]>;

/// A convex polygon, segment or single place.
#[derive(Clone, Debug, Default)]
pub struct Convex {
    corners: Corners,
    normals: Corners,
}

impl Convex {
    /// The convex hull of some places.
    pub fn hull(places: &[Vec2]) -> Convex {
        Convex::from_ccw(hull(places))
    }

    /// A polygon from corners already convex and anticlockwise.
    pub(crate) fn from_ccw(corners: Corners) -> Convex {
        let n = corners.len();
        let mut normals = Corners::new();
        if n == 2 {
            let d = (corners[1] - corners[0]).unit();
            normals.extend([d.right(), -d.right(), d, -d]);
        } else if n > 2 {
            normals.extend((0..n).map(|i| (corners[(i + 1) % n] - corners[i]).unit().right()));
        }
        Convex { corners, normals }
    }

    /// The segment as a thin polygon.
    pub fn segment(s: Segment) -> Convex {
        if s.a == s.b { Convex::place(s.a) } else { Convex::from_ccw(Corners::from_slice(&[s.a, s.b])) }
    }

    /// A single place.
    pub fn place(p: Vec2) -> Convex {
        Convex::from_ccw(Corners::from_slice(&[p]))
    }

    /// A disc, drawn as a regular polygon of 16 corners that holds it.
    pub fn disc(middle: Vec2, radius: f64) -> Convex {
        let mut corners = Corners::new();
        let out = radius / libm::cos(core::f64::consts::PI / 16.0);
        for i in 0..16 {
            let a = core::f64::consts::PI * (f64::from(i) + 0.5) / 8.0;
            corners.push(middle + Vec2::new(libm::cos(a), libm::sin(a)) * out);
        }
        Convex::from_ccw(corners)
    }

    /// A rectangle with room round it: its edges pushed out exactly so far, its corners rounded off in sixteenths of a circle.
    pub fn with_room(rectangle: &Quad, room: f64) -> Convex {
        let part = rectangle.as_part();
        let out = room / libm::cos(core::f64::consts::PI / 16.0);
        let (near, far) = (core::f64::consts::PI / 16.0, 3.0 * core::f64::consts::PI / 16.0);
        let (a, b) = ((libm::sin(near) * out, libm::cos(near) * out), (libm::sin(far) * out, libm::cos(far) * out));
        let mut corners = Corners::new();
        for (i, &corner) in part.corners.iter().enumerate() {
            let (before, after) = (part.normals[(i + 3) % 4], part.normals[i]);
            let ways = [(a.1, a.0), (b.1, b.0), (b.0, b.1), (a.0, a.1)];
            corners.extend(ways.map(|(along, across)| corner + before * along + after * across));
        }
        Convex::from_ccw(corners)
    }

    /// The corners, anticlockwise.
    pub fn corners(&self) -> &[Vec2] {
        &self.corners
    }

    /// Nothing left of it.
    pub fn is_empty(&self) -> bool {
        self.corners.is_empty()
    }

    /// The polygon as a part.
    pub fn as_part(&self) -> Part<'_> {
        Part { corners: &self.corners, normals: &self.normals }
    }

    /// The polygon with every edge moved outward, corners mitred. Sharp corners are bevelled so that none lies further
    /// than twice the distance from where it was.
    pub fn grown(part: Part<'_>, by: f64) -> Convex {
        let (c, n) = (part.corners, part.normals);
        let mut out = Corners::new();
        match c.len() {
            0 => {}
            1 => {
                let r = by;
                for d in [Vec2::new(r, r), Vec2::new(-r, r), Vec2::new(-r, -r), Vec2::new(r, -r)] {
                    out.push(c[0] + d);
                }
            }
            2 => {
                let (side, along) = (n[0] * by, n[2] * by);
                out.extend([c[0] + side - along, c[1] + side + along, c[1] - side + along, c[0] - side - along]);
            }
            len => {
                for i in 0..len {
                    let (before, after) = (n[(i + len - 1) % len], n[i]);
                    let sum = before + after;
                    let cos2 = sum.length2() / 4.0;
                    if cos2 >= 0.25 {
                        out.push(c[i] + sum * (by / (2.0 * cos2)));
                    } else {
                        // Cut the spike square: two corners at an equal slant on either side.
                        let mid = sum.unit();
                        for normal in [before, after] {
                            let s = normal + mid;
                            out.push(c[i] + s * (2.0 * by / s.length2()));
                        }
                    }
                }
            }
        }
        Convex::from_ccw(out)
    }
}

impl Outline for Convex {
    fn bounds(&self) -> Bounds {
        Bounds::of(&self.corners)
    }
    fn part_count(&self) -> usize {
        usize::from(!self.corners.is_empty())
    }
    fn part(&self, _: usize) -> Part<'_> {
        self.as_part()
    }
}

/// Further west, or as far west and further south.
#[inline]
fn comes_before(a: Vec2, b: Vec2) -> bool {
    a.x < b.x || (a.x == b.x && a.y < b.y)
}

/// The convex hull, anticlockwise, with no three corners in line.
pub(crate) fn hull(places: &[Vec2]) -> Corners {
    let mut sorted = Corners::from_slice(places);
    // Most hulls are of a few places, which are sorted here without a call.
    if sorted.len() <= 12 {
        for n in 1..sorted.len() {
            let (place, mut at) = (sorted[n], n);
            while at > 0 && comes_before(place, sorted[at - 1]) {
                sorted[at] = sorted[at - 1];
                at -= 1;
            }
            sorted[at] = place;
        }
    } else {
        sorted.sort_unstable_by(|a, b| match (comes_before(*a, *b), comes_before(*b, *a)) {
            (true, _) => Ordering::Less,
            (_, true) => Ordering::Greater,
            _ => Ordering::Equal,
        });
    }
    sorted.dedup();
    if sorted.len() < 3 {
        return sorted;
    }
    let mut out = Corners::new();
    let turn = |out: &mut Corners, floor: usize, p: Vec2| {
        while out.len() > floor && (out[out.len() - 1] - out[out.len() - 2]).cross(p - out[out.len() - 1]) <= 0.0 {
            out.pop();
        }
        out.push(p);
    };
    for &p in &sorted {
        turn(&mut out, 1, p);
    }
    let floor = out.len();
    for &p in sorted.iter().rev().skip(1) {
        turn(&mut out, floor, p);
    }
    out.pop();
    out
}

/// What is left of a convex polygon on the inner side of a line: the places with `normal · p <= reach`.
pub(crate) fn clip(corners: &[Vec2], normal: Vec2, reach: f64) -> Corners {
    let mut out = Corners::new();
    let n = corners.len();
    for i in 0..n {
        let (a, b) = (corners[i], corners[(i + 1) % n]);
        let (da, db) = (normal.dot(a) - reach, normal.dot(b) - reach);
        if da <= 0.0 {
            out.push(a);
        }
        if (da < 0.0 && db > 0.0) || (da > 0.0 && db < 0.0) {
            out.push(a.toward(b, da / (da - db)));
        }
    }
    out
}

/// What two convex parts share.
pub(crate) fn shared(a: Part<'_>, b: Part<'_>) -> Corners {
    let mut out = Corners::from_slice(a.corners);
    for i in 0..b.normals.len() {
        if out.is_empty() {
            break;
        }
        out = clip(&out, b.normals[i], b.reach(i));
    }
    out
}

/// The area that two convex parts share.
pub(crate) fn shared_area(a: Part<'_>, b: Part<'_>) -> f64 {
    area(&shared(a, b)).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square() -> Convex {
        Convex::hull(&[Vec2::new(0.0, 0.0), Vec2::new(10.0, 0.0), Vec2::new(10.0, 10.0), Vec2::new(0.0, 10.0)])
    }

    #[test]
    fn a_hull_is_anticlockwise_and_lean() {
        let h = Convex::hull(&[
            Vec2::new(0.0, 0.0),
            Vec2::new(5.0, 0.0),
            Vec2::new(10.0, 0.0),
            Vec2::new(10.0, 10.0),
            Vec2::new(0.0, 10.0),
            Vec2::new(5.0, 5.0),
        ]);
        assert_eq!(h.corners().len(), 4);
        assert_eq!(h.area(), 100.0);
        assert!(h.as_part().holds(Vec2::new(10.0, 5.0), 0.0) && !h.as_part().holds(Vec2::new(10.1, 5.0), 0.0));
    }

    #[test]
    fn growing_a_square_mitres_its_corners() {
        assert_eq!(Convex::grown(square().as_part(), 1.0).area(), 144.0);
        let thin = Convex::segment(Segment::new(Vec2::new(0.0, 0.0), Vec2::new(8.0, 0.0)));
        assert_eq!(Convex::grown(thin.as_part(), 1.0).area(), 20.0);
    }

    #[test]
    fn shared_area_of_two_squares() {
        let other =
            Convex::hull(&[Vec2::new(5.0, 5.0), Vec2::new(15.0, 5.0), Vec2::new(15.0, 15.0), Vec2::new(5.0, 15.0)]);
        assert_eq!(shared_area(square().as_part(), other.as_part()), 25.0);
    }
}
