//! Rays from a front, each until something stops it: what fire reaches past those who stand in its way.

use crate::{Outline, Segment, Vec2};

/// Rays of one length from along an edge: `count` of them straight ahead, and, where there is a spread, as many about either end,
/// turned outwards by up to that angle (in radians).
#[must_use]
pub fn rays(edge: Segment, ahead: Vec2, far: f64, spread: f64, count: usize) -> Vec<Segment> {
    let right = ahead.right();
    let out = if (edge.b - edge.a).dot(right) < 0.0 { -right } else { right };
    let ray =
        |from: Vec2, turn: f64| Segment::new(from, from + (ahead * libm::cos(turn) + out * libm::sin(turn)) * far);
    let last = count.max(2) - 1;
    let share = |n: usize| n as f64 / last as f64;
    let straight = (0..=last).map(|n| ray(edge.a.toward(edge.b, share(n)), 0.0));
    if spread == 0.0 {
        return straight.collect();
    }
    let before = (0..last).map(|n| ray(edge.a, spread * (share(n) - 1.0)));
    let after = (1..=last).map(|n| ray(edge.b, spread * share(n)));
    before.chain(straight).chain(after).collect()
}

/// Places on a circle, so many that the ring through them is nowhere more than a 6,000th of the radius inside it.
#[must_use]
pub fn circle(middle: Vec2, radius: f64) -> Vec<Vec2> {
    let turn = |n: u32| core::f64::consts::TAU * f64::from(n) / 180.0;
    (0..180).map(|n| middle + Vec2::new(libm::cos(turn(n)), libm::sin(turn(n))) * radius).collect()
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
    fn rays_spread_outwards_and_none_is_longer_than_the_others() {
        let edge = Segment::new(Vec2::new(-1.0, 0.0), Vec2::new(1.0, 0.0));
        let spread = core::f64::consts::FRAC_PI_4;
        let arc = rays(edge, Vec2::new(0.0, 1.0), 10.0, spread, 33);
        assert!(arc.iter().all(|ray| ((ray.b - ray.a).length() - 10.0).abs() < 1e-9));
        let half = 10.0 * libm::sqrt(0.5);
        let (first, last) = (arc[0].b, arc[arc.len() - 1].b);
        assert!((first - Vec2::new(-1.0 - half, half)).length() < 1e-9);
        assert!((last - Vec2::new(1.0 + half, half)).length() < 1e-9);
        // A quarter of a circle, and a rectangle as wide as the edge between its halves.
        let ring = fan::<Convex>(&arc, &[]);
        let area: f64 = (0..ring.len()).map(|n| ring[n].cross(ring[(n + 1) % ring.len()])).sum::<f64>() / 2.0;
        let true_area = core::f64::consts::PI * 100.0 / 4.0 + 2.0 * 10.0;
        assert!((area.abs() / true_area - 1.0).abs() < 1e-3, "{area} of {true_area}");
    }

    #[test]
    fn a_ring_on_a_circle_lies_within_it() {
        let ring = circle(Vec2::new(3.0, -2.0), 6_000.0);
        for (n, place) in ring.iter().enumerate() {
            let next = ring[(n + 1) % ring.len()];
            assert!(((*place - Vec2::new(3.0, -2.0)).length() - 6_000.0).abs() < 1e-6);
            assert!((place.toward(next, 0.5) - Vec2::new(3.0, -2.0)).length() > 5_999.0);
        }
    }
}
