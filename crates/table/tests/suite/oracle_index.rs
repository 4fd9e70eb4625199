//! The index against looking at every unit, and distances against other libraries.

use crate::layout::{cases, placed, polygons, signed_distance};
use geo::{Distance, Euclidean};
use proptest::prelude::*;
use sabretache_table::{
    Angle, Contact, Corner, Direction, Face, Index, Leg, Length, Outline, Placed, SLOP, Tabletop, Vec2, Zone, contact,
    distance, exact_distance, follow, overlapping, sweep, wheel, within,
};

#[derive(Clone, Debug)]
enum Change {
    Place(u16, Placed),
    Remove(u16),
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let change = prop_oneof![
        4 => (0..40u16, placed(170)).prop_map(|(id, p)| Change::Place(id, p)),
        1 => (0..40u16).prop_map(Change::Remove),
    ];
    prop::collection::vec(change, 1..60)
}

fn index(changes: &[Change]) -> Index {
    let mut index = Index::new(&Tabletop::new(Length::cm(150), Length::cm(150)));
    for change in changes {
        match change {
            Change::Place(id, placed) => index.place(*id, placed.clone()),
            Change::Remove(id) => index.remove(*id),
        }
    }
    index
}

proptest! {
    #![proptest_config(cases(3_000))]

    #[test]
    fn every_query_of_the_index_equals_asking_every_unit(changes in changes(), mover in placed(150), max in 1..80i32, degrees in -90..=90i32) {
        let index = index(&changes);
        let all: Vec<(u16, Placed)> = index.iter().map(|(id, p)| (id, p.clone())).collect();
        prop_assert_eq!(all.len(), index.len());
        let free = |id: u16| !overlapping(&mover, index.get(id).unwrap());
        let among = || all.iter().filter(|(id, _)| free(*id)).map(|(id, p)| (*id, p));
        for direction in [Direction::Ahead, Direction::Left, Direction::Toward(sabretache_table::Heading::degrees(33))] {
            let max = Length::cm(max);
            prop_assert_eq!(index.sweep(&mover, direction, max, free), sweep(&mover, direction, max, among()));
        }
        let pivot = mover.corner(Corner::FrontLeft);
        let angle = Angle::degrees(degrees);
        prop_assert_eq!(index.wheel(&mover, pivot, angle, free), wheel(&mover, pivot, angle, among()));

        let mut nearest: Vec<(Length, u16)> = all.iter().map(|(id, p)| (distance(&mover, p), *id)).collect();
        nearest.sort_unstable();
        prop_assert_eq!(index.nearest(&mover, |_| true), nearest.first().map(|(d, id)| (*id, *d)));
        let mut out = Vec::new();
        index.k_nearest(&mover, 5, |_| true, &mut out);
        let first: Vec<(u16, Length)> = nearest.iter().take(5).map(|(d, id)| (*id, *d)).collect();
        prop_assert_eq!(&out, &first);
        let range = Length::cm(max);
        index.within(&mover, range, |_| true, &mut out);
        let inside: Vec<u16> = nearest.iter().map(|(_, id)| *id).filter(|id| within(&mover, index.get(*id).unwrap(), range)).collect();
        prop_assert_eq!(out.iter().map(|o| o.0).collect::<Vec<_>>(), inside);

        let zone = Zone::before(&mover, Face::Front, Length::cm(max));
        let cut = zone.cut(all.iter().filter(|(id, _)| id % 2 == 0).map(|(_, p)| p));
        prop_assert_eq!(index.cut(zone, |id| id % 2 == 0).depth(), cut.depth());
        let mut seen = Vec::new();
        index.seen_in(&zone, |_| true, &mut seen);
        let brute: Vec<_> = all
            .iter()
            .map(|(id, p)| (*id, zone.look(p, all.iter().filter(|(o, _)| o != id).map(|(_, p)| p))))
            .filter(|(_, s)| s.any())
            .collect();
        prop_assert_eq!(seen, brute);

        let footprint = sabretache_table::Footprint::block(2, 1, Length::cm(4), Length::cm(2));
        let path = [Leg::Ahead(Length::cm(max)), Leg::Wheel(angle), Leg::Sideways(Length::cm(5)), Leg::TurnOnCentre(angle)];
        let start = mover.pose();
        let clear = |id: u16| !overlapping(&Placed::new(&footprint, start), index.get(id).unwrap());
        let got = index.follow(&footprint, start, &path, clear);
        let plain = follow(&footprint, start, &path, all.iter().filter(|(id, _)| clear(*id)).map(|(id, p)| (*id, p)));
        prop_assert_eq!(got, plain);
    }

    #[test]
    fn the_order_in_which_units_were_placed_does_not_show(changes in changes(), mover in placed(150)) {
        let one = index(&changes);
        let mut other = Index::with_cells(&Tabletop::new(Length::cm(150), Length::cm(150)), Length::cm(7));
        let mut all: Vec<(u16, Placed)> = one.iter().map(|(id, p)| (id, p.clone())).collect();
        all.reverse();
        all.into_iter().for_each(|(id, p)| other.place(id, p));
        let any = |_| true;
        prop_assert_eq!(one.sweep(&mover, Direction::Ahead, Length::cm(60), any), other.sweep(&mover, Direction::Ahead, Length::cm(60), any));
        prop_assert_eq!(one.nearest(&mover, any), other.nearest(&mover, any));
    }

    #[test]
    fn distance_and_contact_agree_with_other_libraries(a in placed(40), b in placed(40)) {
        let ours = exact_distance(&a, &b);
        let theirs = Euclidean.distance(&polygons(&a), &polygons(&b));
        prop_assert!((ours - theirs).abs() < 1e-3 || (ours < 1e-3 && theirs < 1e-3), "{} {}", ours, theirs);
        let signed = signed_distance(&a, &b, Vec2::default());
        match contact(&a, &b) {
            Contact::Overlapping => prop_assert!(signed < -SLOP + 0.1),
            Contact::Touching => prop_assert!(signed >= -SLOP - 0.1 && ours <= SLOP + 0.1),
            Contact::Apart => prop_assert!(ours > SLOP - 0.1),
        }
        prop_assert!(a.bounds().grown(1.0).holds(a.centre()));
    }
}
