//! Areas given by their corners.

use sabretache_table::{Outline, Vec2};

/// Whether an outline has a place in common with an area.
#[must_use]
pub fn area_meets(corners: &[Vec2], outline: &impl Outline) -> bool {
    let legs = || corners.iter().copied().zip(corners.iter().copied().cycle().skip(1));
    outline.parts().any(|part| {
        part.corners.iter().any(|corner| holds(corners, *corner))
            || corners.iter().any(|corner| part.holds(*corner, 0.0))
            || part.edges().any(|edge| legs().any(|(a, b)| cross((edge.a, edge.b), (a, b))))
    })
}

/// Whether an area holds a place.
fn holds(corners: &[Vec2], at: Vec2) -> bool {
    let legs = corners.iter().zip(corners.iter().cycle().skip(1));
    let passed =
        legs.filter(|(a, b)| (a.y > at.y) != (b.y > at.y) && at.x < (b.x - a.x) * (at.y - a.y) / (b.y - a.y) + a.x);
    passed.count() % 2 == 1
}

fn cross((a, b): (Vec2, Vec2), (c, d): (Vec2, Vec2)) -> bool {
    let side = |p: Vec2, q: Vec2, r: Vec2| (q - p).cross(r - p);
    (side(a, b, c) > 0.0) != (side(a, b, d) > 0.0) && (side(c, d, a) > 0.0) != (side(c, d, b) > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sabretache_table::Convex;

    #[test]
    fn an_area_is_met_from_within_from_without_and_right_across() {
        let at = |x: f64, y: f64| Vec2::new(x, y);
        let area = [at(0.0, 0.0), at(10.0, 0.0), at(10.0, 10.0), at(0.0, 10.0)];
        let stand =
            |x: f64, y: f64, w: f64, h: f64| Convex::hull(&[at(x, y), at(x + w, y), at(x + w, y + h), at(x, y + h)]);
        assert!(area_meets(&area, &stand(4.0, 4.0, 1.0, 1.0)), "within");
        assert!(area_meets(&area, &stand(-5.0, -5.0, 30.0, 30.0)), "about it");
        assert!(area_meets(&area, &stand(-5.0, 4.0, 30.0, 1.0)), "across");
        assert!(!area_meets(&area, &stand(11.0, 4.0, 3.0, 3.0)), "beside");
    }
}
