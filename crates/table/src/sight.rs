//! Straight lines: whether any or all of those from a face to a target are clear.
//!
//! *All* lines between two convex shapes fill their convex hull, so all are clear when nothing reaches into it. *Any* line that is clear can be
//! shifted until it leans on two corners (of the face, the target or what stands between), so it is enough to
//! try the lines through pairs of corners. Nothing is sampled.

use smallvec::SmallVec;

use crate::convex::{Convex, Corners};
use crate::outline::{Bounds, Outline, Part, SLOP};
use crate::touch::{gap, parted};
use crate::vec2::{Segment, Vec2};

/// Depths in a grown blocker that are rounding noise.
const GRAZE: f64 = 1e-3;

/// Whether the straight line between two places is clear of some blockers. One that only grazes a corner or runs along an edge is clear, but one
/// that runs along the seam between two blockers that touch is not.
pub fn line_clear<'a, O: Outline + 'a>(a: Vec2, b: Vec2, blockers: impl IntoIterator<Item = &'a O>) -> bool {
    let bounds = Bounds::of(&[a, b]).grown(SLOP);
    let shortest = SLOP / (b - a).length().max(1.0);
    // The stretches that graze something on the left, and on the right.
    let mut grazed: [SmallVec<[(f64, f64); 4]>; 2] = Default::default();
    for blocker in blockers {
        if !bounds.meets(&blocker.bounds()) {
            continue;
        }
        for part in blocker.parts() {
            if line_enters(part, a, b, SLOP) {
                return false;
            }
            let Some((from, to)) = line_within(part, a, b, -SLOP) else { continue };
            let middle = part.corners.iter().fold(Vec2::default(), |s, c| s + (*c - a));
            let side = usize::from((b - a).cross(middle) > 0.0);
            let met = |other: &(f64, f64)| to.min(other.1) - from.max(other.0) > shortest;
            if part.corners.len() > 2 && grazed[1 - side].iter().any(met) {
                return false;
            }
            grazed[side].push((from, to));
        }
    }
    true
}

/// Whether a line goes more than a depth into a convex part.
fn line_enters(part: Part<'_>, a: Vec2, b: Vec2, depth: f64) -> bool {
    if part.corners.len() < 3 {
        return thin_crossing(part, a, b).is_some_and(|t| t > 0.0 && t < 1.0);
    }
    line_within(part, a, b, depth).is_some()
}

/// The stretch of a line, as shares of its length, that lies more than a depth inside a convex part.
pub(crate) fn line_within(part: Part<'_>, a: Vec2, b: Vec2, depth: f64) -> Option<(f64, f64)> {
    let d = b - a;
    let (mut from, mut to) = (0.0f64, 1.0f64);
    for i in 0..part.normals.len() {
        let n = part.normals[i];
        let (over, closing) = (n.dot(a) - part.reach(i) + depth, n.dot(d));
        if closing < 0.0 {
            from = from.max(-over / closing);
        } else if closing > 0.0 {
            to = to.min(-over / closing);
        } else if over >= 0.0 {
            return None;
        }
        if from >= to {
            return None;
        }
    }
    Some((from, to))
}

/// Where a line crosses a part as thin as a segment, as a share of its length.
pub(crate) fn thin_crossing(part: Part<'_>, a: Vec2, b: Vec2) -> Option<f64> {
    let [p, q] = part.corners else { return None };
    let (d, e) = (b - a, *q - *p);
    let cross = d.cross(e);
    if cross == 0.0 {
        return None;
    }
    let (t, s) = ((*p - a).cross(e) / cross, (*p - a).cross(d) / cross);
    ((0.0..=1.0).contains(&t) && (-1e-9..=1.0 + 1e-9).contains(&s)).then_some(t)
}

/// Whether every straight line between a face and a target is clear. Lines to a whole footprint include those to its flanks; to ask about
/// its front only, pass that face as [`Convex::segment`].
pub fn all_lines_clear<'a, O: Outline + 'a>(
    from: Segment,
    target: &impl Outline,
    blockers: impl IntoIterator<Item = &'a O>,
) -> bool {
    // Hardly anything comes between most units and most targets: the lines are drawn when something does.
    let around = Bounds::of(&[from.a, from.b]).join(target.bounds());
    let mut hulls: Option<SmallVec<[(Convex, Bounds); 1]>> = None;
    blockers.into_iter().all(|o| {
        let b = o.bounds();
        if !around.meets(&b) || target.parts().all(|part| o.parts().all(|p| beyond_an_edge(p, from, part))) {
            return true;
        }
        let hulls = hulls.get_or_insert_with(|| target.parts().map(|part| lines(from, part)).collect());
        hulls.iter().all(|(hull, bounds)| !bounds.meets(&b) || o.parts().all(|p| parted(hull.as_part(), p, -SLOP)))
    })
}

/// Whether face and target both lie beyond one edge of a blocker: then so do all lines between them, and they need not be drawn.
fn beyond_an_edge(blocker: Part<'_>, from: Segment, target: Part<'_>) -> bool {
    (0..blocker.normals.len()).any(|i| {
        let (normal, edge) = (blocker.normals[i], blocker.reach(i) - SLOP);
        normal.dot(from.a) >= edge && normal.dot(from.b) >= edge && target.min_along(normal) >= edge
    })
}

/// The ground that the lines between a face and a convex target cover.
fn lines(from: Segment, target: Part<'_>) -> (Convex, Bounds) {
    let mut places = Corners::from_slice(target.corners);
    places.extend([from.a, from.b]);
    let hull = Convex::hull(&places);
    let bounds = hull.bounds();
    (hull, bounds)
}

/// Whether any straight line between a face and a target is clear. A gap between two blockers must be wider than the tolerance
/// for a line to pass, so blockers that touch let nothing through.
pub fn any_line_clear<'a, O: Outline + 'a>(
    from: Segment,
    target: &impl Outline,
    blockers: impl IntoIterator<Item = &'a O> + Clone,
) -> bool {
    clear_line(from, target, blockers).is_some()
}

/// A clear straight line between a face and a target, if there is any: where it leaves and where it arrives.
pub fn clear_line<'a, O: Outline + 'a>(
    from: Segment,
    target: &impl Outline,
    blockers: impl IntoIterator<Item = &'a O> + Clone,
) -> Option<Segment> {
    target.parts().find_map(|part| clear_line_to(from, part, blockers.clone()))
}

fn clear_line_to<'a, O: Outline + 'a>(
    from: Segment,
    target: Part<'_>,
    blockers: impl IntoIterator<Item = &'a O>,
) -> Option<Segment> {
    let (hull, bounds) = lines(from, target);
    let mut between: SmallVec<[Convex; 8]> = SmallVec::new();
    for o in blockers {
        if !bounds.grown(SLOP).meets(&o.bounds()) {
            continue;
        }
        for p in o.parts() {
            if gap(hull.as_part(), p) < SLOP {
                between.push(Convex::grown(p, SLOP));
            }
        }
    }
    let clear = |line: &Segment| between.iter().all(|b| !line_enters(b.as_part(), line.a, line.b, GRAZE));
    // The plain lines first: from the middle and the ends to the nearest place.
    let middle = target.corners.iter().fold(Vec2::default(), |s, c| s + *c) * (1.0 / target.corners.len() as f64);
    for p in [from.middle(), from.a, from.b] {
        let line = Segment::new(p, arrival(target, p, middle));
        if clear(&line) {
            return Some(line);
        }
    }
    let mut corners: SmallVec<[Vec2; 32]> = SmallVec::from_slice(&[from.a, from.b]);
    corners.extend(target.corners.iter().copied());
    for b in &between {
        corners.extend(b.corners().iter().copied().filter(|c| hull.as_part().holds(*c, 2.0 * SLOP)));
    }
    for (i, &u) in corners.iter().enumerate() {
        for &v in &corners[i + 1..] {
            if u == v {
                continue;
            }
            let found = candidates(from, target, u, v).into_iter().flatten().find(&clear);
            if found.is_some() {
                return found;
            }
        }
    }
    None
}

/// The line through two corners, cut off at the face and where it first comes to the target. Where it runs along the face, the
/// lines from either end.
fn candidates(from: Segment, target: Part<'_>, u: Vec2, v: Vec2) -> [Option<Segment>; 2] {
    let (d, along) = (v - u, from.b - from.a);
    let cross = d.cross(along);
    let through = |p: Vec2| first_on(target, p, d).map(|q| Segment::new(p, q));
    if cross.abs() <= 1e-9 * d.length() * along.length() {
        // Parallel (or the face is a single place): only of use if the line runs through the face.
        let near = |p: Vec2| (d.unit().cross(p - u)).abs() <= GRAZE;
        return [from.a, from.b].map(|p| if near(p) { through(p) } else { None });
    }
    let s = d.cross(u - from.a) / cross;
    if !(-1e-9..=1.0 + 1e-9).contains(&s) {
        return [None, None];
    }
    [through(from.a.toward(from.b, s.clamp(0.0, 1.0))), None]
}

/// The first place of a target on the line through a place, in either direction.
fn first_on(target: Part<'_>, p: Vec2, d: Vec2) -> Option<Vec2> {
    // Lines that lean on a corner of the target pass it by a rounding error: forgive a thousandth of a micrometre.
    let d = d.unit();
    if target.corners.len() == 1 {
        let q = target.corners[0];
        return (d.cross(q - p).abs() <= GRAZE).then_some(q);
    }
    let (mut lo, mut hi) = (f64::NEG_INFINITY, f64::INFINITY);
    for i in 0..target.normals.len() {
        let n = target.normals[i];
        let (over, closing) = (n.dot(p) - target.reach(i) - GRAZE, n.dot(d));
        if closing < -1e-12 {
            lo = lo.max(-over / closing);
        } else if closing > 1e-12 {
            hi = hi.min(-over / closing);
        } else if over > 0.0 {
            return None;
        }
    }
    if lo > hi {
        return None;
    }
    let t = if lo > 0.0 {
        lo
    } else if hi < 0.0 {
        hi
    } else {
        0.0
    };
    Some(p + d * t)
}

/// Where a line from a place toward the middle of a target arrives.
fn arrival(target: Part<'_>, p: Vec2, middle: Vec2) -> Vec2 {
    first_on(target, p, middle - p).unwrap_or(middle)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::footprint::{Face, Footprint};
    use crate::length::Length;
    use crate::placed::Placed;
    use crate::pose::Pose;

    fn unit(x: i32, y: i32) -> Placed {
        Placed::new(&Footprint::single(Length::cm(10), Length::cm(4)), Pose::cm(x, y, 0))
    }

    #[test]
    fn a_wall_blocks_all_lines_and_a_gap_lets_one_through() {
        let (us, them) = (unit(50, 20), unit(50, 60));
        let face = us.face(Face::Front);
        let wall = [unit(40, 40), unit(50, 40), unit(60, 40)];
        assert!(!any_line_clear(face, &them, &wall), "shoulder to shoulder is no gap");
        let gap = [unit(35, 40), unit(46, 40), unit(60, 40)];
        assert!(any_line_clear(face, &them, &gap));
        assert!(!all_lines_clear(face, &them, &gap));
        assert!(all_lines_clear(face, &them, &[unit(80, 40)]));
        assert!(all_lines_clear(face, &Convex::segment(them.face(Face::Rear)), &[unit(60, 40)]));
    }

    #[test]
    fn a_line_may_graze_a_corner() {
        let block = unit(50, 40);
        let c = block.corner(crate::footprint::Corner::FrontRight);
        let d = Vec2::new(100_000.0, -50_000.0);
        assert!(line_clear(c - d, c + d, [&block]));
        let seam = Vec2::new(0.0, 300_000.0);
        let (one, two) = (unit(45, 40), unit(55, 40));
        let middle = one.corner(crate::footprint::Corner::FrontRight);
        assert!(line_clear(middle - seam, middle + seam, [&one]), "along an edge");
        assert!(!line_clear(middle - seam, middle + seam, [&one, &two]), "between two that touch");
        let inward = c - Vec2::new(10.0, 10.0);
        assert!(!line_clear(inward - d, inward + d, [&block]));
    }
}
