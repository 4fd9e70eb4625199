//! Where a straight move comes within a distance of somebody. Distances are round: off a corner they are measured from the
//! corner, not from the edges drawn out to meet (MB-GEN-08).

use sabretache_table::{Outline, Part, SLOP, Vec2, exact_distance};

/// How far an outline goes along a unit vector before it is within a distance of another: nothing where it never comes so
/// near, 0 where it is so near already and does not just leave.
pub(crate) fn first_within(
    mover: &impl Outline,
    way: Vec2,
    most: f64,
    other: &impl Outline,
    distance: f64,
) -> Option<f64> {
    let corridor = mover.bounds().swept(way * most).grown(distance + SLOP);
    if !corridor.meets(&other.bounds()) {
        return None;
    }
    let off = exact_distance(mover, other);
    if off < distance - SLOP {
        return Some(0.0);
    }
    let mut first = f64::INFINITY;
    for a in mover.parts() {
        for b in other.parts() {
            corners_meet(a, b, way, distance, &mut first);
            corner_meets_edge(a, b, way, distance, &mut first);
            corner_meets_edge(b, a, -way, distance, &mut first);
        }
    }
    (first <= most + 1e-3).then_some(first)
}

/// The stretches of a straight move on which an outline is within a distance of another, one for each pair of parts that
/// come so near: each grows nearer and then further off, and so is near on one stretch only.
pub(crate) fn spans_within(
    mover: &impl Outline,
    way: Vec2,
    most: f64,
    other: &impl Outline,
    distance: f64,
) -> Vec<(f64, f64)> {
    let mut spans = Vec::new();
    for a in mover.parts() {
        for b in other.parts() {
            // From so far ahead or behind that it is surely not near: how soon it is on its way to the other.
            let reach = |part: Part<'_>, about: Vec2| {
                part.corners.iter().map(|corner| (*corner - about).length()).fold(0.0, f64::max)
            };
            let (Some(first), Some(second)) = (a.corners.first(), b.corners.first()) else { continue };
            let far = (*first - *second).length() + reach(a, *first) + reach(b, *second) + distance + most + 1.0;
            let entry = |way: Vec2| {
                let mut at = f64::INFINITY;
                let from: smallvec::SmallVec<[Vec2; 8]> = a.corners.iter().map(|corner| *corner - way * far).collect();
                let moved = Part { corners: &from, normals: a.normals };
                corners_meet(moved, b, way, distance, &mut at);
                corner_meets_edge(moved, b, way, distance, &mut at);
                corner_meets_edge(b, moved, -way, distance, &mut at);
                at - far
            };
            let (from, to) = (entry(way), -entry(-way));
            if from < to && to > 0.0 && from < most {
                spans.push((from, to));
            }
        }
    }
    spans
}

/// A corner of one comes within the distance of a corner of the other.
fn corners_meet(a: Part<'_>, b: Part<'_>, way: Vec2, distance: f64, first: &mut f64) {
    for p in a.corners {
        for q in b.corners {
            let off = *p - *q;
            let (along, beyond) = (off.dot(way), off.length2() - distance * distance);
            let under = along * along - beyond;
            // A corner that only grazes the circle goes by at just that distance, and comes no nearer.
            if along < 0.0 && under > 2.0 * distance * SLOP {
                *first = first.min(entered(-along - under.sqrt()));
            }
        }
    }
}

/// A corner of one, moving so, comes within the distance of an edge of the other.
fn corner_meets_edge(a: Part<'_>, b: Part<'_>, way: Vec2, distance: f64, first: &mut f64) {
    for (n, from) in b.corners.iter().enumerate() {
        let edge = b.corners[(n + 1) % b.corners.len()] - *from;
        let (along, long) = (edge.unit(), edge.length());
        let speed = along.right().dot(way);
        if speed >= -1e-12 || long <= 0.0 {
            continue;
        }
        for p in a.corners {
            let at = (distance - along.right().dot(*p - *from)) / speed;
            let beside = (*p + way * at - *from).dot(along);
            if (0.0..=long).contains(&beside) {
                *first = first.min(entered(at));
            }
        }
    }
}

/// Where it enters: now, if it is only rounding that puts it a little behind.
fn entered(at: f64) -> f64 {
    if at >= 0.0 {
        at
    } else if at >= -SLOP {
        0.0
    } else {
        f64::INFINITY
    }
}

#[cfg(test)]
mod tests {
    use sabretache_engine::tests_clauses;
    use sabretache_table::{Heading, Quad};

    use super::*;
    use crate::clauses::{MB_GEN_08, MB_MOV_15};

    const INCH: f64 = 25_400.0;

    fn square(x: f64, y: f64, degrees: i32) -> Quad {
        let half = INCH / 2.0;
        Quad::new(Vec2::new(x * INCH, y * INCH), Heading::degrees(degrees).unit(), half, half, half, half)
    }

    /// Against a search in small steps, in all directions and round all corners.
    #[test]
    fn the_first_place_within_a_distance_is_where_the_distance_is_just_that() {
        tests_clauses!(MB_MOV_15, MB_GEN_08);
        let other = square(0.0, 0.0, 0);
        let (mut met, mut missed) = (0, 0);
        for turn in (0..90).step_by(15) {
            for x in -12..=12 {
                for heading in [0, 20, 340] {
                    let (mover, way) = (square(f64::from(x), -16.0, turn), Heading::degrees(heading).unit());
                    let off = |by: f64| {
                        let moved = Vec2::new(f64::from(x) * INCH, -16.0 * INCH) + way * by;
                        exact_distance(&square(moved.x / INCH, moved.y / INCH, turn), &other)
                    };
                    let (most, reach) = (14.0 * INCH, 6.0 * INCH);
                    let nearest = (0..=1_400).map(|n| off(f64::from(n) * 0.01 * INCH)).fold(f64::INFINITY, f64::min);
                    match first_within(&mover, way, most, &other, reach) {
                        Some(at) => {
                            assert!((off(at) - reach).abs() < 1.0, "{turn} {x} {heading}: {}", off(at) / INCH);
                            assert!((0..100).all(|n| off(at * f64::from(n) / 100.0) > reach - 1.0));
                            met += 1;
                        }
                        None => {
                            assert!(nearest > reach - 3.0, "{turn} {x} {heading}: {}", nearest / INCH);
                            missed += 1;
                        }
                    }
                }
            }
        }
        assert!(met > 100 && missed > 50, "{met} met, {missed} missed");
    }

    #[test]
    fn on_the_stretch_within_a_distance_it_is_so_near_and_off_it_it_is_not() {
        tests_clauses!(MB_MOV_15, MB_GEN_08);
        let other = square(0.0, 0.0, 0);
        let mut met = 0;
        for (turn, x, heading) in [(0, 0, 0), (15, 3, 20), (30, 6, 0), (45, -7, 340), (60, 5, 200), (0, 9, 0)] {
            let (x, way, reach) = (f64::from(x), Heading::degrees(heading).unit(), 6.0 * INCH);
            let off = |by: f64| {
                let at = Vec2::new(x * INCH, -3.0 * INCH) + way * by;
                exact_distance(&square(at.x / INCH, at.y / INCH, turn), &other)
            };
            let spans = spans_within(&square(x, -3.0, turn), way, 14.0 * INCH, &other, reach);
            for by in (0..1_400).map(|n| f64::from(n) * 0.01 * INCH) {
                let on = spans.iter().any(|(from, to)| (*from..=*to).contains(&by));
                assert!(on == (off(by) <= reach) || (off(by) - reach).abs() < 2.0, "{turn} {x} {heading} at {by}");
            }
            met += spans.len();
        }
        assert_eq!(met, 4, "the fourth and the last pass by at more than the distance");
    }

    #[test]
    fn who_stands_just_so_far_off_may_go_away_and_not_come_nearer() {
        tests_clauses!(MB_MOV_15);
        let (mover, other, reach) = (square(0.0, -7.0, 0), square(0.0, 0.0, 0), 6.0 * INCH);
        let north = Heading::degrees(0).unit();
        assert_eq!(first_within(&mover, north, INCH, &other, reach), Some(0.0));
        assert_eq!(first_within(&mover, -north, INCH, &other, reach), None);
        assert_eq!(first_within(&square(0.0, -6.9, 0), -north, INCH, &other, reach), Some(0.0));
    }
}
