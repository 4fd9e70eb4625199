//! Zones and arcs against dense sampling: columns of places straight out from the face, each judged by itself.

use crate::layout::{cases, placed, placed_block};
use proptest::prelude::*;
use sabretache_table::{
    Angle, Arc, Diagonals, Face, Length, Outline, Placed, SLOP, Sector, Segment, Vec2, Zone, by_diagonals,
    exact_distance, holds, sector,
};

fn face() -> impl Strategy<Value = Face> {
    (0..4usize).prop_map(|i| Face::ALL[i])
}

/// Where a ray straight out from a place of a face first meets an outline, found edge by edge.
fn ray(from: Vec2, out: Vec2, outline: &impl Outline) -> Option<f64> {
    let mut first: Option<f64> = None;
    for part in outline.parts() {
        for e in part.edges() {
            let d = e.b - e.a;
            let cross = out.cross(d);
            if cross.abs() < 1e-9 {
                continue;
            }
            let (t, s) = ((e.a - from).cross(d) / cross, (e.a - from).cross(out) / cross);
            if (0.0..=1.0).contains(&s) && t >= -SLOP {
                first = Some(first.map_or(t, |f: f64| f.min(t)));
            }
        }
    }
    first
}

const COLUMNS: usize = 600;

/// The places along a face in the middle of each column, and the width of a column.
fn columns(face: Segment) -> (Vec<Vec2>, f64) {
    let places = (0..COLUMNS).map(|i| face.a.toward(face.b, (i as f64 + 0.5) / COLUMNS as f64)).collect();
    (places, face.length() / COLUMNS as f64)
}

proptest! {
    #![proptest_config(cases(4_000))]

    #[test]
    fn what_is_seen_in_a_zone_agrees_with_columns(
        us in placed_block(50), face in face(), target in placed(60), others in prop::collection::vec(placed(60), 0..5), depth in 5..50i32,
    ) {
        let zone = Zone::before(&us, face, Length::cm(depth));
        let depth = Length::cm(depth).f();
        // Units lie side by side on a table, not on top of each other or of the one that looks.
        prop_assume!(!sabretache_table::overlapping(&us, &target));
        let others: Vec<Placed> = others
            .into_iter()
            .filter(|o| !sabretache_table::overlapping(&us, o) && !sabretache_table::overlapping(&target, o))
            .collect();
        let (places, step) = columns(us.face(face));
        let out = us.outward(face);
        let (mut width, mut nearest) = (0.0, f64::INFINITY);
        for p in &places {
            let Some(t) = ray(*p, out, &target).filter(|t| *t <= depth + SLOP) else { continue };
            if others.iter().all(|o| ray(*p, out, o).is_none_or(|d| d >= t - SLOP)) {
                width += step;
                nearest = nearest.min(t);
            }
        }
        let seen = zone.look(&target, &others);
        // Each edge of what hides or is hidden may cost a column.
        let edges = (others.iter().map(|o| o.part_count()).sum::<usize>() + target.part_count()) as f64 * 4.0 + 2.0;
        prop_assert!((seen.width.f() - width).abs() <= edges.min(12.0) * step, "width {} sampled {}", seen.width.f(), width);
        if width > 4.0 * step {
            let got = seen.nearest.map_or(f64::INFINITY, Length::f);
            let least = zone.nearest(&target).unwrap_or(f64::INFINITY);
            prop_assert!(got <= nearest + SLOP && got >= least - 1.0, "nearest {} sampled {} least {}", got, nearest, least);
        }
        if seen.all {
            prop_assert!(target.parts().all(|p| p.corners.iter().all(|c| zone.holds(*c))));
        }
    }

    #[test]
    fn a_shadowed_zone_agrees_with_columns(us in placed_block(50), face in face(), others in prop::collection::vec(placed(60), 0..5)) {
        let depth = Length::cm(30);
        let zone = Zone::before(&us, face, depth);
        let others: Vec<Placed> = others.into_iter().filter(|o| !sabretache_table::overlapping(&us, o)).collect();
        let shadowed = zone.shadowed(&others);
        let (places, step) = columns(us.face(face));
        let out = us.outward(face);
        let area: f64 = places
            .iter()
            .map(|p| others.iter().filter_map(|o| ray(*p, out, o)).fold(depth.f(), f64::min).max(0.0) * step)
            .sum();
        let edges = others.iter().map(|o| o.part_count()).sum::<usize>() as f64 * 2.0 + 1.0;
        let got = shadowed.area();
        prop_assert!((got - area).abs() <= edges * step * depth.f() + 1e6, "area {} sampled {}", got, area);
        let drawn = shadowed.corners.windows(2).map(|w| w[0].cross(w[1])).sum::<f64>()
            + shadowed.corners[shadowed.corners.len() - 1].cross(shadowed.corners[0]);
        prop_assert!((drawn / 2.0 - got).abs() < 1e7, "drawn {} parts {}", drawn / 2.0, got);
    }

    #[test]
    fn a_zone_is_cut_at_the_nearest_sampled_friend(us in placed_block(50), face in face(), friends in prop::collection::vec(placed(60), 1..5), widen in 0..60i32) {
        let depth = Length::cm(30);
        let friends: Vec<Placed> = friends.into_iter().filter(|o| !sabretache_table::overlapping(&us, o)).collect();
        let whole = Zone::before(&us, face, depth).widened(Angle::degrees(widen));
        let cut = whole.cut(&friends);
        let (seg, out) = (us.face(face), us.outward(face));
        let mut least = depth.f();
        for f in &friends {
            for part in f.parts() {
                for e in part.edges() {
                    for i in 0..=200 {
                        let p = e.a.toward(e.b, f64::from(i) / 200.0);
                        let y = (p - seg.a).dot(out);
                        if y > SLOP && whole.outline().as_part().holds(p, -2.0 * SLOP) {
                            least = least.min(y);
                        }
                    }
                }
            }
        }
        prop_assert!(cut.depth().f() <= least + 2.0, "cut {} sampled {}", cut.depth(), least);
        // Nothing lies in the zone as cut.
        let inside = cut.outline();
        for f in &friends {
            prop_assert!(!sabretache_table::overlapping(&inside, f));
        }
        // And something lies at the cut.
        if cut.depth() < depth && cut.depth() > Length::um(20) {
            let deeper = whole.with_depth(cut.depth() + Length::um(10));
            prop_assert!(friends.iter().any(|f| exact_distance(&deeper.outline(), f) == 0.0));
        }
    }

    #[test]
    fn arcs_agree_with_a_grid_of_places(us in placed_block(50), face in face(), target in placed(60), half in 0..90i32) {
        let arc = Arc::before(&us, face, Angle::degrees(half));
        let got = arc.look(&target);
        let (seg, out) = (us.face(face), us.outward(face));
        let (mut inside, mut all, mut nearest) = (0u32, 0u32, f64::INFINITY);
        let limit = Angle::degrees(half).to_radians();
        for part in target.parts() {
            let c = part.corners;
            for i in 0..24 {
                for j in 0..24 {
                    let (u, v) = ((f64::from(i) + 0.5) / 24.0, (f64::from(j) + 0.5) / 24.0);
                    let p = c[0] + (c[1] - c[0]) * u + (c[3] - c[0]) * v;
                    all += 1;
                    // By angles: from the left end no further left, from the right end no further right.
                    let angle = |from: Vec2| { let d = p - from; d.dot(out.right()).atan2(d.dot(out)) };
                    let (l, r) = (angle(seg.a), angle(seg.b));
                    if (p - seg.a).dot(out) >= 0.0 && l >= -limit && r <= limit {
                        inside += 1;
                        nearest = nearest.min(seg.distance(p));
                    }
                }
            }
        }
        if target.part_count() == 1 {
            let share = f64::from(inside) / f64::from(all);
            prop_assert!((got.share - share).abs() < 0.09, "{} {}", got.share, share);
        }
        if inside > 0 {
            let range = got.range.map_or(f64::INFINITY, Length::f);
            prop_assert!(range <= nearest + 2.0);
        }
        if got.all { prop_assert_eq!(inside, all); }
        if !got.any() { prop_assert_eq!(inside, 0); }
    }

    #[test]
    fn sectors_agree_with_a_grid_of_places(us in placed_block(40), target in placed_block(60), at45 in any::<bool>()) {
        let diagonals = if at45 { Diagonals::At45 } else { Diagonals::ThroughCorners };
        let got = by_diagonals(&us, diagonals, &target);
        prop_assert!((got.share.iter().sum::<f64>() - 1.0).abs() < 1e-6);
        let mut counts = [0u32; 4];
        let c = target.part(0).corners.to_vec();
        for i in 0..30 {
            for j in 0..30 {
                let (u, v) = ((f64::from(i) + 0.5) / 30.0, (f64::from(j) + 0.5) / 30.0);
                let s: Sector = sector(&us, diagonals, c[0] + (c[1] - c[0]) * u + (c[3] - c[0]) * v);
                counts[s as usize] += 1;
            }
        }
        for (share, count) in got.share.iter().zip(counts) {
            prop_assert!((share - f64::from(count) / 900.0).abs() < 0.09, "{:?} {:?}", got, counts);
        }
        prop_assert!(holds(&target, target.centre()));
    }
}

#[test]
fn exact_touches_count_the_same_at_every_heading() {
    let f = sabretache_table::Footprint::block(4, 1, Length::cm(4), Length::cm(2));
    let depth = Length::cm(20);
    for hundredths in (0..36_000).step_by(11) {
        let base = sabretache_table::Pose {
            at: sabretache_table::Point::cm(100, 100),
            heading: sabretache_table::Heading::hundredths(hundredths),
        };
        let at = |right: i32, ahead: Length| Placed::new(&f, base.sideways(Length::cm(right)).ahead(ahead));
        let us = Placed::new(&f, base);
        let zone = Zone::before(&us, Face::Front, depth);
        // Alongside the zone, sharing its side: neither cuts nor is in it.
        let beside = at(16, Length::cm(10));
        assert_eq!(zone.cut([&beside]).depth(), depth, "{hundredths}");
        assert!(!zone.look(&beside, [] as [&Placed; 0]).any(), "{hundredths}");
        // With its near edge on the far edge of the zone: in it, over the whole width.
        let edge = at(0, depth + Length::cm(2));
        let seen = zone.look(&edge, [] as [&Placed; 0]);
        assert!(seen.any() && (seen.width - Length::cm(16)).abs() <= Length::um(3), "{hundredths} {seen:?}");
        // A millimetre further: out of it.
        assert!(!zone.look(&at(0, depth + Length::mm(21)), [] as [&Placed; 0]).any(), "{hundredths}");
        // Nose to nose: the zone has no depth left, and the enemy is at its face.
        let nose = at(0, Length::cm(2));
        assert_eq!(zone.cut([&nose]).depth(), Length::ZERO, "{hundredths}");
        assert_eq!(zone.look(&nose, [] as [&Placed; 0]).nearest, Some(Length::ZERO), "{hundredths}");
        // Two side by side hide one behind them wholly.
        let (left, right, behind) = (at(-8, Length::cm(8)), at(8, Length::cm(8)), at(0, Length::cm(14)));
        assert!(!zone.look(&behind, [&left, &right]).any(), "{hundredths}");
    }
}
