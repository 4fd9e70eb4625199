//! Blocked lines against dense sampling: many lines from many places, each judged by itself.

use crate::layout::{self, cases, placed, placed_block, polygons};
use geo::{BooleanOps, Centroid, Intersects};
use proptest::prelude::*;
use sabretache_table::{
    Convex, Face, Footprint, Length, Outline, Placed, Pose, Segment, Vec2, all_lines_clear, any_line_clear, clear_line,
    overlapping,
};

/// Whether a line enters a footprint grown (or shrunk) by so much, by clipping it against each edge.
fn enters(a: Vec2, b: Vec2, outline: &impl Outline, grown: f64) -> bool {
    outline.parts().any(|part| {
        let (mut lo, mut hi) = (0.0f64, 1.0f64);
        for (n, c) in part.normals.iter().zip(part.corners) {
            let (da, db) = (n.dot(a - *c) - grown, n.dot(b - *c) - grown);
            if da >= 0.0 && db >= 0.0 {
                return false;
            }
            if da > 0.0 {
                lo = lo.max(da / (da - db));
            } else if db > 0.0 {
                hi = hi.min(da / (da - db));
            }
        }
        lo < hi
    })
}

fn blocked(a: Vec2, b: Vec2, blockers: &[Placed], grown: f64) -> bool {
    blockers.iter().any(|o| enters(a, b, o, grown))
}

/// Places along a face and round a target.
fn samples(face: Segment, target: &Placed, n: usize) -> Vec<(Vec2, Vec2)> {
    let mut out = Vec::new();
    for i in 0..n {
        let p = face.a.toward(face.b, i as f64 / (n - 1) as f64);
        for part in target.parts() {
            for e in part.edges() {
                for j in 0..n {
                    out.push((p, e.a.toward(e.b, j as f64 / n as f64)));
                }
            }
        }
    }
    out
}

/// A firer, a target before it, and a thicket of blockers between: lines are clear about as often as not.
fn thicket() -> impl Strategy<Value = (Placed, Placed, Vec<Placed>)> {
    let facing = (layout::block(), 20..40i32, layout::block(), 20..40i32, prop::collection::vec(between(), 1..9));
    facing.prop_map(|(f, x, g, u, blockers)| {
        (Placed::new(&f, Pose::cm(x, 10, 0)), Placed::new(&g, Pose::cm(u, 60, 180)), blockers)
    })
}

/// Blockers shoulder to shoulder in whole centimetres, or at any place and heading.
fn between() -> impl Strategy<Value = Placed> {
    let row = (layout::block(), 10..50i32, 20..24i32).prop_map(|(f, x, y)| Placed::new(&f, Pose::cm(x, 2 * y, 0)));
    let loose =
        (layout::block(), 100_000..500_000i32, 250_000..500_000i32, layout::heading()).prop_map(|(f, x, y, h)| {
            Placed::new(&f, Pose::new(sabretache_table::Point::new(Length::um(x), Length::um(y)), h))
        });
    prop_oneof![row, loose]
}

proptest! {
    #![proptest_config(cases(3_000))]

    #[test]
    fn any_line_through_a_thicket_agrees_with_sampling((us, target, blockers) in thicket()) {
        let face = us.face(Face::Front);
        match clear_line(face, &target, &blockers) {
            Some(line) => prop_assert!(!blocked(line.a, line.b, &blockers, -0.5)),
            None => {
                for (p, q) in samples(face, &target, 25) {
                    prop_assert!(blocked(p, q, &blockers, 5.0), "{:?} {:?}", p, q);
                }
            }
        }
    }

    #[test]
    fn any_line_clear_agrees_with_sampling(
        us in placed_block(60), target in placed(60), blockers in prop::collection::vec(placed_block(60), 0..12),
    ) {
        let blockers: Vec<Placed> = blockers.into_iter().filter(|b| !overlapping(b, &us) && !overlapping(b, &target)).collect();
        let face = us.face(Face::Front);
        match clear_line(face, &target, &blockers) {
            // A witness must stand up by itself.
            Some(line) => {
                prop_assert!(!blocked(line.a, line.b, &blockers, -0.5));
                prop_assert!(face.distance(line.a) < 0.5);
                prop_assert!(sabretache_table::holds(&target, line.b));
            }
            // And where there is none, no sampled line may pass with room to spare.
            None => {
                for (p, q) in samples(face, &target, 25) {
                    prop_assert!(blocked(p, q, &blockers, 5.0), "{:?} {:?}", p, q);
                }
            }
        }
    }

    #[test]
    fn all_lines_clear_agrees_with_sampling(
        us in placed_block(60), target in placed_block(60), blockers in prop::collection::vec(placed_block(60), 1..4),
    ) {
        let blockers: Vec<Placed> = blockers.into_iter().filter(|b| !overlapping(b, &us) && !overlapping(b, &target)).collect();
        let face = us.face(Face::Front);
        if all_lines_clear(face, &target, &blockers) {
            for (p, q) in samples(face, &target, 12) {
                prop_assert!(!blocked(p, q, &blockers, -5.0));
            }
        } else {
            // Some line must be blocked: look for one through the middle of what lies between.
            let corners: Vec<Vec2> = target.part(0).corners.iter().copied().chain([face.a, face.b]).collect();
            let hull = polygons(&Convex::hull(&corners));
            let found = blockers.iter().any(|b| {
                let shared = hull.intersection(&polygons(b));
                let Some(middle) = shared.centroid() else { return false };
                (0..=400).any(|i| {
                    let p = face.a.toward(face.b, f64::from(i) / 400.0);
                    let far = p + (Vec2::new(middle.x(), middle.y()) - p) * 1e3;
                    let line = geo::Line::new(geo::Coord { x: p.x, y: p.y }, geo::Coord { x: far.x, y: far.y });
                    polygons(&target).intersects(&line)
                })
            });
            let sliver = blockers.iter().all(|b| geo::Area::unsigned_area(&hull.intersection(&polygons(b))) < 1e6);
            prop_assert!(found || sliver, "nothing in the way");
        }
    }
}

#[test]
fn a_wall_of_touching_units_has_no_chink_at_any_heading() {
    let f = Footprint::single(Length::cm(6), Length::cm(3));
    for hundredths in (0..36_000).step_by(137) {
        let base = Pose { at: Pose::cm(100, 100, 0).at, heading: sabretache_table::Heading::hundredths(hundredths) };
        let us = Placed::new(&f, base);
        let them = Placed::new(&f, base.ahead(Length::cm(40)));
        // A row of units shoulder to shoulder across the way, each placed by rounding.
        let wall: Vec<Placed> =
            (-4..=4).map(|i| Placed::new(&f, base.ahead(Length::cm(20)).sideways(Length::cm(6 * i)))).collect();
        assert!(!any_line_clear(us.face(Face::Front), &them, &wall), "{hundredths}");
        // A millimetre taken out of the row lets a line through.
        let gap: Vec<Placed> = (-4..=4)
            .map(|i| {
                let shift = if i > 0 { Length::mm(1) } else { Length::ZERO };
                Placed::new(&f, base.ahead(Length::cm(20)).sideways(Length::cm(6 * i - 3) + shift))
            })
            .collect();
        assert!(any_line_clear(us.face(Face::Front), &them, &gap), "{hundredths}");
    }
}
