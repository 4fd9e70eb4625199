//! What every query is asked of: outlines made of convex parts.
//!
//! Units, woods, rivers and zones all reduce to a few convex parts with ready-made edge normals. Separating axes then
//! give touching, overlap and straight sweeps in closed form, with no iteration and no tolerance but [`SLOP`].

use crate::vec2::{Segment, Vec2};

/// The one tolerance of the table, in micrometres.
///
/// Moving a footprint rounds its place to whole micrometres (at most 0.71 µm off) and a sweep rounds its distance down (at most
/// 1 µm short). So a footprint moved up to another may end 1.71 µm short of it or 0.71 µm deep in it; both count as
/// touching and neither as overlapping:
///
/// - **touching**: no more than `SLOP` apart and no more than `SLOP` deep;
/// - **overlapping**: more than `SLOP` deep;
/// - a sweep that starts touching and moves away, or slides along, is free; one that moves in stops at 0.
pub const SLOP: f64 = 2.0;

/// An upright box: the early way out of most queries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The south-west corner.
    pub min: Vec2,
    /// The north-east corner.
    pub max: Vec2,
}

impl Bounds {
    /// The box that holds nothing.
    pub const EMPTY: Bounds =
        Bounds { min: Vec2::new(f64::INFINITY, f64::INFINITY), max: Vec2::new(f64::NEG_INFINITY, f64::NEG_INFINITY) };

    /// The smallest box round some places.
    pub fn of(places: &[Vec2]) -> Bounds {
        places.iter().fold(Bounds::EMPTY, |b, p| b.with(*p))
    }

    /// The box with a place taken in.
    #[inline]
    pub fn with(self, p: Vec2) -> Bounds {
        Bounds {
            min: Vec2::new(self.min.x.min(p.x), self.min.y.min(p.y)),
            max: Vec2::new(self.max.x.max(p.x), self.max.y.max(p.y)),
        }
    }

    /// The box round both.
    #[inline]
    pub fn join(self, other: Bounds) -> Bounds {
        self.with(other.min).with(other.max)
    }

    /// The box grown on every side.
    #[inline]
    pub fn grown(self, by: f64) -> Bounds {
        let d = Vec2::new(by, by);
        Bounds { min: self.min - d, max: self.max + d }
    }

    /// The box round all the places that it passes when moved.
    #[inline]
    pub fn swept(self, by: Vec2) -> Bounds {
        self.join(Bounds { min: self.min + by, max: self.max + by })
    }

    /// Whether two boxes share a place.
    #[inline]
    pub fn meets(&self, other: &Bounds) -> bool {
        self.min.x <= other.max.x && other.min.x <= self.max.x && self.min.y <= other.max.y && other.min.y <= self.max.y
    }

    /// Whether a place lies in the box.
    #[inline]
    pub fn holds(&self, p: Vec2) -> bool {
        self.min.x <= p.x && p.x <= self.max.x && self.min.y <= p.y && p.y <= self.max.y
    }

    /// The distance between two boxes, squared; 0 where they meet.
    #[inline]
    pub fn distance2(&self, other: &Bounds) -> f64 {
        let dx = (other.min.x - self.max.x).max(self.min.x - other.max.x).max(0.0);
        let dy = (other.min.y - self.max.y).max(self.min.y - other.max.y).max(0.0);
        dx * dx + dy * dy
    }

    /// The middle of the box.
    pub fn middle(&self) -> Vec2 {
        self.min.toward(self.max, 0.5)
    }
}

/// A convex part of an outline: its corners anticlockwise, and the outward unit normals of its edges.
///
/// Normal `i` belongs to the edge from corner `i` to the next. A part may be as thin as a segment (two corners, four normals: both sides and
/// both ends) or a single place (one corner, no normals).
#[derive(Clone, Copy, Debug)]
pub struct Part<'a> {
    /// The corners, anticlockwise.
    pub corners: &'a [Vec2],
    /// The outward unit normals.
    pub normals: &'a [Vec2],
}

impl Part<'_> {
    /// How far the part reaches along its own normal `i`.
    #[inline]
    pub(crate) fn reach(&self, i: usize) -> f64 {
        let n = self.normals[i];
        if i < self.corners.len() { n.dot(self.corners[i]) } else { self.max_along(n) }
    }

    /// How far the part reaches along a direction.
    #[inline]
    pub(crate) fn max_along(&self, n: Vec2) -> f64 {
        self.corners.iter().map(|p| n.dot(*p)).fold(f64::NEG_INFINITY, f64::max)
    }

    /// Where the part begins along a direction.
    #[inline]
    pub(crate) fn min_along(&self, n: Vec2) -> f64 {
        let mut least = f64::INFINITY;
        for p in self.corners {
            let d = n.dot(*p);
            if d < least {
                least = d;
            }
        }
        least
    }

    /// The edges, each from a corner to the next.
    pub fn edges(&self) -> impl Iterator<Item = Segment> + '_ {
        let n = self.corners.len();
        (0..n).map(move |i| Segment::new(self.corners[i], self.corners[(i + 1) % n]))
    }

    /// Whether a place lies in the part or on its edge, within a tolerance (negative: properly inside).
    pub fn holds(&self, p: Vec2, tolerance: f64) -> bool {
        if self.normals.is_empty() {
            return self.corners.first().is_some_and(|c| (p - *c).length() <= tolerance.max(0.0));
        }
        (0..self.normals.len()).all(|i| self.normals[i].dot(p) - self.reach(i) <= tolerance)
    }

    /// The area.
    pub fn area(&self) -> f64 {
        area(self.corners)
    }

    /// The upright box round the part.
    pub fn bounds(&self) -> Bounds {
        Bounds::of(self.corners)
    }
}

/// Anything with an outline: a placed footprint, a stretch of ground, a zone.
pub trait Outline {
    /// The upright box round the whole.
    fn bounds(&self) -> Bounds;
    /// How many convex parts it has.
    fn part_count(&self) -> usize;
    /// One of its convex parts.
    fn part(&self, i: usize) -> Part<'_>;

    /// The convex parts, in order.
    fn parts(&self) -> impl Iterator<Item = Part<'_>>
    where
        Self: Sized,
    {
        (0..self.part_count()).map(|i| self.part(i))
    }

    /// The area; parts are taken not to overlap.
    fn area(&self) -> f64
    where
        Self: Sized,
    {
        self.parts().map(|p| p.area()).sum()
    }
}

impl<T: Outline> Outline for &T {
    fn bounds(&self) -> Bounds {
        (*self).bounds()
    }
    fn part_count(&self) -> usize {
        (*self).part_count()
    }
    fn part(&self, i: usize) -> Part<'_> {
        (*self).part(i)
    }
}

/// Twice the signed area is the sum of the cross products round the corners; this is the plain area, anticlockwise positive.
pub(crate) fn area(corners: &[Vec2]) -> f64 {
    let Some(&o) = corners.first() else { return 0.0 };
    corners.windows(2).map(|w| (w[0] - o).cross(w[1] - o)).sum::<f64>() / 2.0
}
