//! Sweeps against fine stepping: the footprint moved a little at a time, and overlap judged from the corners alone.

use crate::layout::{self, footprint, heading, placed, pose, signed_distance};
use proptest::prelude::*;
use sabretache_table::{
    Angle, Corner, Direction, Footprint, Length, Outline, Passing, Placed, Pose, SLOP, Vec2, contact, crossings,
    overlapping, sweep, wheel, wheel_crossings,
};

/// What the stepping and we may disagree by, in micrometres, before it is a mistake.
const NOISE: f64 = 0.5;

fn direction() -> impl Strategy<Value = Direction> {
    prop_oneof![
        Just(Direction::Ahead),
        Just(Direction::Back),
        Just(Direction::Left),
        Just(Direction::Right),
        heading().prop_map(Direction::Toward),
    ]
}

/// The first obstacle that a mover overlaps at a place along a sweep, by the second opinion.
fn overlaps(mover: &Placed, by: Vec2, others: &[Placed], deeper: f64) -> Option<usize> {
    let box_there = mover.bounds().swept(by);
    others.iter().position(|o| box_there.meets(&o.bounds()) && signed_distance(mover, o, by) < -deeper)
}

proptest! {
    #![proptest_config(layout::cases(3_000))]

    #[test]
    fn a_straight_sweep_agrees_with_stepping(
        mover in placed(60), others in prop::collection::vec(placed(60), 1..6), direction in direction(), max in 1..50i32,
    ) {
        let others: Vec<Placed> = others.into_iter().filter(|o| !overlapping(&mover, o)).collect();
        let max = Length::cm(max);
        let swept = sweep(&mover, direction, max, others.iter().enumerate());
        let way = direction.heading(mover.pose()).unit();
        // On the free stretch nothing is overlapped, the end included.
        let mut t = 0.0;
        while t < swept.free.f() {
            prop_assert_eq!(overlaps(&mover, way * t, &others, SLOP + NOISE), None, "at {}", t);
            t += 250.0;
        }
        prop_assert_eq!(overlaps(&mover, way * swept.free.f(), &others, SLOP + NOISE), None);
        match swept.met {
            None => prop_assert_eq!(swept.free, max),
            Some(i) => {
                // There it touches, and a little further on it would overlap.
                let gap = signed_distance(&mover, &others[i], way * swept.free.f());
                prop_assert!(gap.abs() <= SLOP + NOISE, "gap {}", gap);
                let further = [3.0, 30.0, 300.0, 3e3, 3e4, 3e5];
                prop_assert!(further.iter().any(|f| signed_distance(&mover, &others[i], way * (swept.free.f() + f)) < -SLOP + NOISE));
            }
        }
    }

    #[test]
    fn a_unit_moved_by_a_sweep_touches_and_never_overlaps(
        f in footprint(), start in pose(60), others in prop::collection::vec(placed(60), 1..6), direction in direction(),
    ) {
        let mover = Placed::new(&f, start);
        let others: Vec<Placed> = others.into_iter().filter(|o| !overlapping(&mover, o)).collect();
        let swept = sweep(&mover, direction, Length::cm(40), others.iter().enumerate());
        let there = Placed::new(&f, start.moved(direction.heading(start), swept.free));
        for o in &others {
            prop_assert!(!overlapping(&there, o));
        }
        if let Some(i) = swept.met {
            prop_assert_eq!(contact(&there, &others[i]), sabretache_table::Contact::Touching);
            // Going on in the same way gets nowhere; going back is free.
            let again = sweep(&there, direction, Length::cm(5), [(i, &others[i])]);
            prop_assert!(again.free <= Length::um(40) || grazing(&there, direction, &others[i]), "{:?}", again);
            let back = Direction::Toward(direction.heading(start).reversed());
            let away = sweep(&there, back, swept.free, others.iter().enumerate().filter(|(j, _)| *j == i));
            prop_assert!(away.free >= swept.free - Length::um(2), "{:?}", away);
        }
    }

    #[test]
    fn crossings_agree_with_stepping(mover in placed(40), zone in placed(40), direction in direction()) {
        let way = direction.heading(mover.pose()).unit();
        let max = Length::cm(60);
        let mut out = Vec::new();
        crossings(&mover, way, max, [(0, &zone)], &mut out);
        let mut t = 250.0;
        while t < max.f() {
            let inside = out.iter().filter(|c| c.at.f() <= t).fold(false, |_, c| c.passing != Passing::Leaves);
            let near_event = out.iter().any(|c| (c.at.f() - t).abs() < 2_000.0);
            let d = signed_distance(&mover, &zone, way * t);
            if !near_event {
                if d < -SLOP - NOISE { prop_assert!(inside, "at {} depth {}", t, d); }
                if d > NOISE { prop_assert!(!inside, "at {} gap {}", t, d); }
            }
            t += 2_000.0;
        }
    }

    #[test]
    fn a_wheel_agrees_with_stepping(
        f in footprint(), start in pose(50), others in prop::collection::vec(placed(50), 1..5),
        corner in 0..4usize, degrees in -360..=360i32,
    ) {
        let mover = Placed::new(&f, start);
        let others: Vec<Placed> = others.into_iter().filter(|o| !overlapping(&mover, o)).collect();
        let pivot = mover.corner(Corner::ALL[corner]);
        let max = Angle::degrees(degrees);
        let wheeled = wheel(&mover, pivot, max, others.iter().enumerate());
        let at = |hundredths: i32| Placed::new(&f, start.turned_about(pivot, Angle::hundredths(hundredths)));
        let way = if degrees < 0 { -1 } else { 1 };
        let free = wheeled.free.to_hundredths();
        let mut t = 0;
        while t <= free.abs() {
            let there = at(way * t);
            prop_assert_eq!(overlaps(&there, Vec2::default(), &others, SLOP + 1.0), None, "at {}", t);
            t += 10;
        }
        prop_assert_eq!(overlaps(&at(free), Vec2::default(), &others, SLOP + 1.0), None);
        match wheeled.met {
            None => prop_assert_eq!(wheeled.free, max),
            Some(i) => {
                // A hundredth of a degree is at most this much at the far corner.
                let reach = mover.parts().flat_map(|p| p.corners).map(|c| (*c - pivot).length()).fold(0.0, f64::max);
                let step = reach * Angle::hundredths(1).to_radians();
                let gap = signed_distance(&at(free), &others[i], Vec2::default());
                prop_assert!(gap <= step + SLOP + 1.0, "gap {} step {}", gap, step);
                let further = [1, 2, 5, 20, 100, 500, 2_000];
                prop_assert!(further.iter().any(|d| signed_distance(&at(free + way * d), &others[i], Vec2::default()) < -SLOP + 1.0));
            }
        }
    }

    #[test]
    fn wheel_crossings_agree_with_stepping(f in footprint(), start in pose(40), zone in placed(40), corner in 0..4usize, degrees in -360..=360i32) {
        let mover = Placed::new(&f, start);
        let pivot = mover.corner(Corner::ALL[corner]);
        let mut out = Vec::new();
        wheel_crossings(&mover, pivot, Angle::degrees(degrees), [(0, &zone)], &mut out);
        let way = if degrees < 0 { -1 } else { 1 };
        let mut t = 13;
        while t < degrees.abs() * 100 {
            let inside = out.iter().filter(|c| c.at.abs().to_hundredths() <= t).fold(false, |_, c| c.passing != Passing::Leaves);
            let near_event = out.iter().any(|c| (c.at.abs().to_hundredths() - t).abs() < 20);
            let d = signed_distance(&Placed::new(&f, start.turned_about(pivot, Angle::hundredths(way * t))), &zone, Vec2::default());
            if !near_event {
                if d < -SLOP - 1.0 { prop_assert!(inside, "at {} depth {}", t, d); }
                if d > -SLOP + 1.0 { prop_assert!(!inside, "at {} gap {}", t, d); }
            }
            t += 40;
        }
    }
}

/// Whether a mover runs along a side of what it touches so flatly that it takes long to get in.
fn grazing(mover: &Placed, direction: Direction, other: &Placed) -> bool {
    let way = direction.heading(mover.pose()).unit();
    let flat = |p: &Placed| p.parts().any(|part| part.normals.iter().any(|n| n.dot(way).abs() < 0.2));
    flat(mover) || flat(other)
}

#[test]
fn sliding_along_a_wall_is_free_at_every_heading() {
    let f = Footprint::single(Length::cm(10), Length::cm(4));
    for hundredths in (0..36_000).step_by(7) {
        let wall = Pose { at: Pose::cm(50, 50, 0).at, heading: sabretache_table::Heading::hundredths(hundredths) };
        // Placed nose to tail by moving the pose, which rounds: the touch is off by up to a micrometre.
        let before = wall.ahead(Length::cm(4));
        let (wall, mover) = (Placed::new(&f, wall), Placed::new(&f, before));
        for direction in [Direction::Left, Direction::Right, Direction::Ahead] {
            assert_eq!(sweep(&mover, direction, Length::cm(30), [(1, &wall)]).met, None, "{hundredths} {direction:?}");
        }
        let back = sweep(&mover, Direction::Back, Length::cm(30), [(1, &wall)]);
        assert!(back.met == Some(1) && back.free <= Length::um(2), "{hundredths} {back:?}");
    }
}
