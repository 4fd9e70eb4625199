//! Rays from a front, each until something stops it: what fire reaches past those who stand in its way.

use crate::{Outline, Segment, Vec2};

/// Rays from along an edge, the outer ones turned outwards by up to `spread` (a tangent), as far as a line so far before the
/// edge. Without a spread they are parallel.
#[must_use]
pub fn rays(edge: Segment, ahead: Vec2, far: f64, spread: f64, count: usize) -> Vec<Segment> {
    let along = (edge.b - edge.a).unit();
    let last = count.max(2) - 1;
    let ray = |n: usize| {
        let share = n as f64 / last as f64;
        let from = edge.a.toward(edge.b, share);
        Segment::new(from, from + ahead * far + along * (far * spread * (2.0 * share - 1.0)))
    };
    (0..=last).map(ray).collect()
}

/// The outline of what rays reach, each until it meets one of these.
#[must_use]
pub fn fan<O: Outline>(rays: &[Segment], stopped_by: &[O]) -> Vec<Vec2> {
    let ends = rays.iter().map(|ray| {
        let met = stopped_by.iter().flat_map(Outline::parts).filter_map(|part| entered(part.corners, ray));
        ray.a.toward(ray.b, met.fold(1.0, f64::min))
    });
    let mut ring: Vec<Vec2> = rays.iter().map(|ray| ray.a).collect();
    ring.dedup();
    ring.extend(ends.collect::<Vec<_>>().into_iter().rev());
    ring
}

/// Where a ray enters a convex part, as a share of its length.
fn entered(corners: &[Vec2], ray: &Segment) -> Option<f64> {
    let (mut from, mut to) = (0.0f64, 1.0f64);
    for (i, &p) in corners.iter().enumerate() {
        let q = corners[(i + 1) % corners.len()];
        let out = (q - p).right();
        let (over, closing) = (out.dot(ray.a - p), out.dot(ray.b - ray.a));
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
    Some(from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Convex;

    fn block(west: f64, east: f64, south: f64, north: f64) -> Convex {
        Convex::hull(&[Vec2::new(west, south), Vec2::new(east, south), Vec2::new(east, north), Vec2::new(west, north)])
    }

    #[test]
    fn a_ray_ends_where_it_meets_somebody_and_its_neighbours_go_on() {
        let edge = Segment::new(Vec2::new(-2.0, 0.0), Vec2::new(2.0, 0.0));
        let lane = rays(edge, Vec2::new(0.0, 1.0), 10.0, 0.0, 5);
        let ring = fan(&lane, &[block(-0.5, 0.5, 4.0, 5.0)]);
        let ends: Vec<f64> = ring[5..].iter().map(|end| end.y).collect();
        assert_eq!(ends, [10.0, 10.0, 4.0, 10.0, 10.0]);
        // What stands behind the front or beyond the end stops nothing.
        let clear = fan(&lane, &[block(-2.0, 2.0, -3.0, -1.0), block(-2.0, 2.0, 11.0, 12.0)]);
        assert!(clear[5..].iter().all(|end| end.y == 10.0));
    }

    #[test]
    fn rays_spread_outwards() {
        let edge = Segment::new(Vec2::new(-1.0, 0.0), Vec2::new(1.0, 0.0));
        let wedge = rays(edge, Vec2::new(0.0, 1.0), 10.0, 1.0, 3);
        assert_eq!(wedge.iter().map(|ray| ray.b.x).collect::<Vec<_>>(), [-11.0, 0.0, 11.0]);
        assert!(wedge.iter().all(|ray| ray.b.y == 10.0));
    }
}
