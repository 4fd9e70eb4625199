//! Straight lines that cross.

use sabretache_table::{Segment, Vec2};

/// Where two stretches cross, their ends included; nothing where they are parallel.
#[must_use]
pub fn crossing(one: Segment, other: Segment) -> Option<Vec2> {
    let (r, s) = (one.b - one.a, other.b - other.a);
    let cross = r.cross(s);
    if cross.abs() < 1e-9 {
        return None;
    }
    let between = other.a - one.a;
    let (t, u) = (between.cross(s) / cross, between.cross(r) / cross);
    ((0.0..=1.0).contains(&t) && (0.0..=1.0).contains(&u)).then(|| one.a + r * t)
}

/// Whether two stretches cross, or touch at an end.
#[must_use]
pub fn cross(one: Segment, other: Segment) -> bool {
    crossing(one, other).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segment(ax: f64, ay: f64, bx: f64, by: f64) -> Segment {
        Segment::new(Vec2::new(ax, ay), Vec2::new(bx, by))
    }

    #[test]
    fn stretches_cross_at_a_place_or_not_at_all() {
        let flat = segment(0.0, 0.0, 10.0, 0.0);
        assert_eq!(crossing(flat, segment(4.0, -1.0, 4.0, 1.0)), Some(Vec2::new(4.0, 0.0)));
        assert!(cross(flat, segment(10.0, 0.0, 12.0, 5.0)), "they touch at an end");
        assert!(!cross(flat, segment(10.1, -1.0, 10.1, 1.0)), "the other runs past its end");
        assert!(!cross(flat, segment(0.0, 1.0, 10.0, 1.0)), "they are parallel");
    }
}
