//! Touching, distance and overlap.

use crate::length::Length;
use crate::outline::{Outline, Part, SLOP};
use crate::vec2::Vec2;

/// How two outlines lie to each other; see [`SLOP`] for where one becomes the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Contact {
    /// There is a gap between them.
    Apart,
    /// They share an edge or a corner.
    Touching,
    /// They lie partly on the same ground.
    Overlapping,
}

/// The widest gap between two convex parts along any edge normal: at least 0 where they are apart (and then no more
/// than their distance), below 0 the least depth by which they overlap.
#[inline]
pub(crate) fn gap(a: Part<'_>, b: Part<'_>) -> f64 {
    let mut widest = f64::NEG_INFINITY;
    for i in 0..a.normals.len() {
        widest = widest.max(b.min_along(a.normals[i]) - a.reach(i));
    }
    for i in 0..b.normals.len() {
        widest = widest.max(a.min_along(b.normals[i]) - b.reach(i));
    }
    if widest == f64::NEG_INFINITY { (a.corners[0] - b.corners[0]).length() } else { widest }
}

/// Whether two convex parts lie at least so far apart along some edge normal; a negative distance lets them overlap so deep. The same as
/// `gap(a, b) >= least`, but it stops at the first normal that parts them.
#[inline]
pub(crate) fn parted(a: Part<'_>, b: Part<'_>, least: f64) -> bool {
    if a.normals.is_empty() && b.normals.is_empty() {
        return gap(a, b) >= least;
    }
    (0..b.normals.len()).any(|i| a.min_along(b.normals[i]) - b.reach(i) >= least)
        || (0..a.normals.len()).any(|i| b.min_along(a.normals[i]) - a.reach(i) >= least)
}

/// The squared distance between two convex parts that are apart, and the nearest place on each.
pub(crate) fn nearest_apart(a: Part<'_>, b: Part<'_>) -> (f64, Vec2, Vec2) {
    let mut best = (f64::INFINITY, Vec2::default(), Vec2::default());
    corners_to_edges(a, b, &mut best);
    best = (best.0, best.2, best.1);
    corners_to_edges(b, a, &mut best);
    best
}

/// Betters the nearest pair (a place of `to`, a corner of `from`) by the corners of one part and the edges of the other.
#[inline]
fn corners_to_edges(from: Part<'_>, to: Part<'_>, best: &mut (f64, Vec2, Vec2)) {
    let n = to.corners.len();
    for i in 0..n {
        let (a, b) = (to.corners[i], to.corners[if i + 1 == n { 0 } else { i + 1 }]);
        for &p in from.corners {
            if n > 2 {
                // Only an edge that looks at the corner can be the nearest, and no nearer than its line; a micrometre is
                // forgiven, for a corner on the line may be a rounding error behind it.
                let off = to.normals[i].dot(p - a);
                if off < -1.0 || (off > 0.0 && off * off >= best.0) {
                    continue;
                }
            }
            let q = p.nearest_on(a, b);
            let d = (p - q).length2();
            if d < best.0 {
                *best = (d, q, p);
            }
        }
    }
}

/// The distance between two convex parts; 0 where they meet.
pub(crate) fn part_distance(a: Part<'_>, b: Part<'_>) -> f64 {
    if parted(a, b, f64::MIN_POSITIVE) { nearest_apart(a, b).0.sqrt() } else { 0.0 }
}

/// How two outlines lie to each other.
pub fn contact(a: &impl Outline, b: &impl Outline) -> Contact {
    let mut found = Contact::Apart;
    let (near, all) = (a.bounds().grown(SLOP), b.bounds());
    if !near.meets(&all) {
        return found;
    }
    for p in a.parts() {
        for q in b.parts() {
            let g = gap(p, q);
            if g < -SLOP {
                return Contact::Overlapping;
            }
            // A gap along a normal may be narrower than the true distance where corner faces corner.
            if g <= 0.0 || (g <= SLOP && nearest_apart(p, q).0 <= SLOP * SLOP) {
                found = Contact::Touching;
            }
        }
    }
    found
}

/// Whether two outlines share an edge or a corner without overlapping.
pub fn touching(a: &impl Outline, b: &impl Outline) -> bool {
    contact(a, b) == Contact::Touching
}

/// Whether two outlines lie partly on the same ground.
pub fn overlapping(a: &impl Outline, b: &impl Outline) -> bool {
    let (near, all) = (a.bounds(), b.bounds());
    near.meets(&all) && a.parts().any(|p| b.parts().any(|q| !parted(p, q, -SLOP)))
}

/// How deep two outlines lie in each other: so far one of them has to go at least to be off the other. Nothing where they only touch.
pub fn overlap(a: &impl Outline, b: &impl Outline) -> Length {
    let deepest = a.parts().flat_map(|p| b.parts().map(move |q| -gap(p, q))).fold(0.0, f64::max);
    if deepest <= SLOP { Length::ZERO } else { Length::rounded(deepest) }
}

/// The distance between two outlines in micrometres, unrounded; 0 where they meet.
pub fn exact_distance(a: &impl Outline, b: &impl Outline) -> f64 {
    let mut best = f64::INFINITY;
    for p in a.parts() {
        for q in b.parts() {
            if !parted(p, q, f64::MIN_POSITIVE) {
                return 0.0;
            }
            best = best.min(nearest_apart(p, q).0);
        }
    }
    best.sqrt()
}

/// The distance between the nearest places of two outlines, to the nearest micrometre; 0 where they touch.
pub fn distance(a: &impl Outline, b: &impl Outline) -> Length {
    let d = exact_distance(a, b);
    if d <= SLOP { Length::ZERO } else { Length::rounded(d) }
}

/// Whether two outlines lie within a range of each other, the far edge of the range included.
pub fn within(a: &impl Outline, b: &impl Outline, range: Length) -> bool {
    let reach = range.f() + SLOP;
    let (near, all) = (a.bounds(), b.bounds());
    near.distance2(&all) <= reach * reach && exact_distance(a, b) <= reach
}

/// Whether two outlines lie no further apart than so many micrometres, unrounded: the same as comparing [`exact_distance`], but most that lie far
/// apart are told by the boxes round them.
pub fn nearer(a: &impl Outline, b: &impl Outline, limit: f64) -> bool {
    let (near, all) = (a.bounds(), b.bounds());
    near.distance2(&all) <= limit * limit && exact_distance(a, b) <= limit
}

/// The nearest place on each of two outlines; where they overlap, a corner or crossing they share is not looked for and
/// the middle of the first is given twice.
pub fn nearest_places(a: &impl Outline, b: &impl Outline) -> (Vec2, Vec2) {
    let middle = a.bounds().middle();
    let mut best = (f64::INFINITY, middle, middle);
    for p in a.parts() {
        for q in b.parts() {
            if gap(p, q) < 0.0 {
                return (middle, middle);
            }
            let found = nearest_apart(p, q);
            if found.0 < best.0 {
                best = found;
            }
        }
    }
    (best.1, best.2)
}

/// Whether a place lies in an outline or on its edge.
pub fn holds(outline: &impl Outline, place: Vec2) -> bool {
    outline.bounds().grown(SLOP).holds(place) && outline.parts().any(|p| p.holds(place, SLOP))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::footprint::Footprint;
    use crate::placed::Placed;
    use crate::pose::Pose;

    fn unit(x: i32, y: i32, degrees: i32) -> Placed {
        Placed::new(&Footprint::single(Length::cm(10), Length::cm(4)), Pose::cm(x, y, degrees))
    }

    #[test]
    fn the_nearest_place_on_the_first_comes_first() {
        let (here, there) = nearest_places(&unit(50, 50, 0), &unit(63, 58, 0));
        let corner = |x: f64, y: f64| Vec2 { x: x * 10_000.0, y: y * 10_000.0 };
        // A front right corner and a rear left one.
        assert_eq!((here, there), (corner(55.0, 50.0), corner(58.0, 54.0)));
        assert_eq!(nearest_places(&unit(63, 58, 0), &unit(50, 50, 0)), (there, here));
    }

    #[test]
    fn edge_to_edge_is_touching_and_not_overlapping() {
        let a = unit(50, 50, 0);
        assert_eq!(contact(&a, &unit(60, 50, 0)), Contact::Touching);
        assert_eq!(contact(&a, &unit(60, 54, 0)), Contact::Touching, "corner to corner");
        assert_eq!(contact(&a, &unit(59, 50, 0)), Contact::Overlapping);
        assert_eq!(contact(&a, &unit(61, 50, 0)), Contact::Apart);
        assert_eq!(distance(&a, &unit(63, 50, 0)), Length::cm(3));
        assert_eq!(distance(&a, &unit(63, 58, 0)), Length::cm(5));
    }

    #[test]
    fn a_corner_on_an_edge_touches_at_every_heading() {
        for degrees in 0..360 {
            let post = Placed::new(&Footprint::single(Length::cm(8), Length::cm(1)), Pose::cm(27, 5, 180));
            let tip = post.corner(crate::footprint::Corner::FrontLeft);
            let at = crate::pose::Point::rounded(tip);
            let edge = Placed::new(
                &Footprint::single(Length::cm(4), Length::cm(1)),
                Pose::new(at, crate::heading::Heading::degrees(degrees)),
            );
            assert!(exact_distance(&post, &edge) < 1e-6, "{degrees}");
        }
    }

    #[test]
    fn the_edge_of_a_range_is_in_range() {
        let a = unit(50, 50, 0);
        assert!(within(&a, &unit(80, 50, 0), Length::cm(20)));
        assert!(!within(&a, &unit(81, 50, 0), Length::cm(20)));
    }
}
