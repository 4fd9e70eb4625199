//! Moves, ground under units, bombardment and who fights whom.

use sabretache_engine::ids::UnitId;
use sabretache_engine::tests_clauses;
use sabretache_table::Length;
use smallvec::SmallVec;

use super::{FIRST, Piece, SECOND, THIRD, battle, battle_with, infantry};
use crate::battle::Battle;
use crate::clauses::*;
use crate::phases::bombard;
use crate::phases::engage::pairing;
use crate::state::{Finish, Way};
use crate::table::{Field, ground, swing, track};

#[test]
fn an_advance_stops_a_stand_depth_into_a_zone() {
    tests_clauses!(HZ_ADV_06, HZ_ADV_07, HZ_ADV_09);
    // The zone of b-1 ends 15 cm before its front at y = 40 - 0.75: at 24.25. The column's front starts at 1.5.
    let pieces = |y: f64| [infantry("a-1", "column", 0.0, y, 0.0), infantry("b-1", "line", 0.0, 40.0, 180.0)];
    let track = |y: f64| {
        let battle = battle(&pieces(y));
        track::straight(&Field::of(&battle), FIRST, Way::Ahead, Length::cm(20), track::Purpose::Advance).unwrap()
    };
    let met = track(3.75);
    assert_eq!(
        met.zone,
        Some((Length::mm(189), Length::mm(205))),
        "touched at 18.9 cm, placed 1.5 cm inside its edge at 19"
    );
    assert_eq!(met.end(Length::cm(20)), (Length::mm(205), Finish::There));
    assert_eq!(met.end(Length::cm(18)), (Length::cm(18), Finish::There));
    assert_eq!(track(2.25).zone, None, "the edge is 20.5 cm off");
    let inside = track(24.0);
    assert_eq!(inside.zone, None, "a zone it starts in does not stop it");
    assert_eq!(inside.contact, Some((Length::mm(137) + Length::um(500), Finish::Contact)));
}

#[test]
fn contact_is_only_for_enemies_in_the_zone_or_within_a_band() {
    tests_clauses!(HZ_ADV_14, HZ_ADV_15, HZ_ADV_12);
    // A routing enemy straight ahead: it has no zone, so it stops nobody.
    let track = |gap: f64| {
        let pieces = [
            infantry("a-1", "column", 0.0, 0.0, 0.0),
            Piece("b-1", "infantry", "mob", 0.0, gap + 3.0, 0.0, "routing = true"),
        ];
        let battle = battle(&pieces);
        track::straight(&Field::of(&battle), FIRST, Way::Ahead, Length::cm(20), track::Purpose::Advance).unwrap()
    };
    assert_eq!(track(15.0).contact, Some((Length::cm(15), Finish::Contact)));
    let far = track(17.0);
    assert_eq!(far.contact, None);
    assert_eq!(far.stop, (Length::mm(165), HZ_ADV_14), "it must end half a centimetre short");
    let pieces = [
        Piece("a-1", "artillery", "march_column", 0.0, 0.0, 0.0, "guns = \"light\"\ndraught = \"horse\""),
        Piece("b-1", "infantry", "mob", 0.0, 9.5, 0.0, "routing = true"),
    ];
    let battle = battle(&pieces);
    let guns =
        track::straight(&Field::of(&battle), FIRST, Way::Ahead, Length::cm(30), track::Purpose::Advance).unwrap();
    assert_eq!(guns.stop, (Length::mm(35), HZ_ADV_15), "guns four centimetres off stop short");
}

#[test]
fn half_rate_ground_costs_double_from_its_edge_on() {
    tests_clauses!(HZ_TER_02, HZ_TER_03, HZ_WOO_02, HZ_ADV_24, HZ_WOO_03);
    let orchard = "ground = [{ kind = \"wood\", traits = [\"light\"], area = [[180, 211.5], [220, 211.5], [220, 250], [180, 250]] }]";
    let most = |piece: Piece, budget: i32| {
        let battle = battle_with(&[piece], orchard, "");
        let track =
            track::straight(&Field::of(&battle), FIRST, Way::Ahead, Length::cm(budget), track::Purpose::Advance)
                .unwrap();
        track.stretches.last().unwrap().1
    };
    assert_eq!(most(infantry("a-1", "column", 0.0, 0.0, 0.0), 20), Length::cm(15), "10 in the open, then half of 10");
    assert_eq!(
        most(Piece("a-1", "infantry", "open_order", 0.0, 0.75, 0.0, "abilities = { skirmish = true }"), 20),
        Length::cm(20)
    );
    let guns = Piece("a-1", "artillery", "march_column", 0.0, -2.5, 0.0, "guns = \"light\"");
    assert_eq!(most(guns, 20), Length::cm(10), "woods are closed to guns");
}

#[test]
fn obstacles_stop_everybody_and_are_crossed_on_the_next_order() {
    tests_clauses!(HZ_TER_10, HZ_TER_11, HZ_WAL_04, HZ_WAL_02, HZ_HED_04);
    let wall = "ground = [{ kind = \"wall\", traits = [\"low\"], line = [[150, 206.75], [250, 206.75]] }]";
    let most = |piece: Piece, budget: i32| {
        let battle = battle_with(&[piece], wall, "");
        let track =
            track::straight(&Field::of(&battle), FIRST, Way::Ahead, Length::cm(budget), track::Purpose::Advance)
                .unwrap();
        track.stretches.last().map(|stretch| stretch.1)
    };
    assert_eq!(most(infantry("a-1", "line", 0.0, 0.0, 0.0), 15), Some(Length::cm(6)));
    assert_eq!(
        most(infantry("a-1", "line", 0.0, 6.0, 0.0), 15),
        Some(Length::mm(75)),
        "the whole crossing order at half rate"
    );
    assert_eq!(
        most(Piece("a-1", "artillery", "march_column", 0.0, 2.75, 0.0, "guns = \"light\""), 20),
        None,
        "guns cannot cross"
    );
}

#[test]
fn a_battery_bombards_the_nearest_target_straight_ahead() {
    tests_clauses!(HZ_BOM_04, HZ_BOM_05, HZ_BOM_12);
    let guns = || Piece("b-9", "artillery", "line", 0.0, -2.0, 0.0, "guns = \"medium\"");
    let range = |y: f64| {
        let battle = battle(&[guns(), infantry("a-1", "column", 0.0, y + 1.5, 180.0)]);
        bombard::targets(&Field::of(&battle), FIRST).first().map(|target| target.range)
    };
    use crate::troops::RangeBand::{Extreme, Long, Short};
    assert_eq!(range(35.0), Some(Short));
    assert_eq!(range(35.2), Some(Long));
    assert_eq!(range(70.0), Some(Long));
    assert_eq!(range(70.2), Some(Extreme));
    assert_eq!(range(105.2), None);
    let battle =
        battle(&[guns(), infantry("a-1", "column", 0.0, 51.5, 180.0), infantry("a-2", "column", 1.0, 31.5, 180.0)]);
    let targets = bombard::targets(&Field::of(&battle), FIRST);
    assert_eq!(targets.iter().map(|target| target.unit).collect::<Vec<_>>(), [THIRD]);
}

#[test]
fn shot_bounces_on_behind_the_face_it_struck() {
    tests_clauses!(HZ_BOM_15, HZ_BOM_16);
    // Light guns bounce 10 cm from the face that was struck; the column is 3 cm deep.
    let hit = |gap: f64| {
        let pieces = [
            Piece("b-9", "artillery", "line", 0.0, -2.0, 0.0, "guns = \"light\""),
            infantry("a-1", "column", 0.0, 41.5, 180.0),
            infantry("a-2", "line", 0.0, 43.0 + gap + 0.75, 180.0),
        ];
        bombard::bounce_through(&Field::of(&battle(&pieces)), FIRST, SECOND).len()
    };
    assert_eq!(hit(6.9), 1, "9.9 cm behind the face");
    assert_eq!(hit(7.1), 0, "10.1 cm behind the face");
}

#[test]
fn clumps_split_into_pairs_by_the_longest_contact() {
    tests_clauses!(HZ_MUL_01, HZ_MUL_02, HZ_MUL_03);
    let u = UnitId;
    let pairs = |links: &[(u16, u16, f64)]| {
        let links: Vec<_> = links.iter().map(|&(a, d, length)| (u(a), u(d), length)).collect();
        let mut fights = pairing::pair_off(&links);
        fights.iter_mut().for_each(|fight| fight.0.sort_unstable());
        fights.sort();
        fights
    };
    assert_eq!(
        pairs(&[(1, 11, 6.0), (2, 11, 2.0), (2, 12, 4.0)]),
        [(vec![u(1)], vec![u(11)]), (vec![u(2)], vec![u(12)])]
    );
    assert_eq!(
        pairs(&[(2, 11, 2.0), (1, 11, 6.0), (1, 12, 1.0)]),
        [(vec![u(1)], vec![u(12)]), (vec![u(2)], vec![u(11)])]
    );
    assert_eq!(pairs(&[(1, 11, 6.0), (2, 12, 4.0), (3, 12, 5.0)]).len(), 2);
    let with_third = pairs(&[(1, 11, 6.0), (2, 12, 6.0), (3, 12, 5.0)]);
    assert_eq!(with_third, [(vec![u(1)], vec![u(11)]), (vec![u(2), u(3)], vec![u(12)])]);
}

#[test]
fn equal_pairings_are_all_found_and_unequal_ones_are_not() {
    tests_clauses!(HZ_MUL_02, HZ_MUL_03);
    let u = UnitId;
    let ways = |links: &[(u16, u16, f64)]| {
        let links: Vec<_> = links.iter().map(|&(a, d, length)| (u(a), u(d), length)).collect();
        pairing::ways_to_pair_off(&links)
    };
    let square = [(1, 11, 3.0), (1, 12, 3.0), (2, 11, 3.0), (2, 12, 3.0)];
    assert_eq!(ways(&square).len(), 2, "two against two, all alike");
    assert_eq!(ways(&[(1, 11, 3.0), (1, 12, 3.0)]).len(), 1, "one against two is one engagement either way");
    let third = [(1, 11, 6.0), (2, 12, 6.0), (3, 11, 3.0), (3, 12, 3.0)];
    assert_eq!(ways(&third).len(), 2, "the third may join either");
    let third = [(1, 11, 6.0), (2, 12, 6.0), (3, 11, 3.0), (3, 12, 4.0)];
    assert_eq!(ways(&third).len(), 1, "or the one it touches more");
    assert_eq!(ways(&[]), [Vec::new()], "no contacts, no engagements");
}

#[test]
fn ground_under_a_unit_counts_whole_for_favours_and_in_part_for_drawbacks() {
    tests_clauses!(HZ_GEO_24, HZ_TER_05, HZ_ORD_19);
    let wood = "ground = [{ kind = \"wood\", area = [[180, 190], [200, 190], [200, 220], [180, 220]] }]";
    let half_in = battle_with(&[infantry("a-1", "line", 0.0, 0.0, 0.0)], wood, "");
    let placed = half_in.placed(FIRST);
    assert!(!ground::wholly_dense(&half_in, &placed, false));
    assert!(ground::dense_for_orders(&half_in, &placed, false));
    let inside = battle_with(&[infantry("a-1", "line", -8.0, 0.0, 0.0)], wood, "");
    assert!(ground::wholly_dense(&inside, &inside.placed(FIRST), false));
}

#[test]
fn hills_raise_a_unit_only_when_all_of_it_is_on_them() {
    tests_clauses!(HZ_GEO_24, HZ_HIL_13, HZ_HIL_01);
    let hill = "ground = [{ kind = \"hill\", area = [[190, 190], [210, 190], [210, 210], [190, 210]] }]";
    let level = |y: f64| {
        let battle = battle_with(&[infantry("a-1", "line", 0.0, y, 0.0)], hill, "");
        ground::elevation(&battle, &battle.placed(FIRST))
    };
    assert_eq!(level(0.0), 1);
    assert_eq!(level(10.0), 0, "it straddles the contour");
}

#[test]
fn what_a_unit_lies_in_is_looked_up_anew_when_a_hedge_is_shot_away() {
    tests_clauses!(HZ_HED_08);
    let hedge = "ground = [{ kind = \"hedge\", traits = [\"low\"], line = [[150, 200], [250, 200]], width = 1 }]";
    let mut battle = battle_with(&[infantry("a1", "column", 0.0, 0.0, 0.0)], hedge, "");
    let in_hedge = |battle: &Battle| ground::Lies::under(battle, &battle.placed(UnitId(0))).is_in(0);
    assert!(in_hedge(&battle), "it stands astride the hedge");
    let gap = crate::state::Gap {
        hedge: 0,
        from: sabretache_table::Point::cm(190, 200),
        to: sabretache_table::Point::cm(210, 200),
    };
    crate::apply::apply(&mut battle, &crate::event::Event::HedgeGone { gap });
    assert!(!in_hedge(&battle), "there is no hedge left there");
    assert_eq!(battle.lay.terrain.len(), 2, "what is left of it is two hedges");
}

#[test]
fn a_unit_whose_wheel_would_end_on_a_friend_may_still_stand_where_it_is() {
    tests_clauses!(HZ_ORD_29);
    // It touches a zone where it stands, and a friend has the place inside at which a wheel would end.
    let shut = swing::Swing { stretches: SmallVec::new(), bar: (4_500, swing::Bar::Formation), zone: Some((0, 2_639)) };
    assert!(shut.allows(0) && !shut.allows(1));
    assert_eq!(shut.end(0), 0, "standing still is not wheeling on into the zone");
    assert_eq!(shut.end(1), 2_639);
}

#[test]
fn a_unit_that_retires_over_a_high_hedge_and_off_the_table_is_gone() {
    tests_clauses!(HZ_HED_05, HZ_RET_11);
    // The hedge is a centimetre wide, and the line stands right before it with its back to the edge.
    let retires = |hedge: f64| {
        let line = format!(
            "ground = [{{ kind = \"hedge\", traits = [\"high\"], line = [[150, {hedge}], [250, {hedge}]], width = 1 }}]"
        );
        let battle = battle_with(&[infantry("a1", "line", 0.0, hedge + 1.25 - 200.0, 0.0)], &line, "");
        let track =
            track::straight(&Field::of(&battle), FIRST, Way::Back, Length::cm(15), track::Purpose::Retire).unwrap();
        let &[(across, same)] = track.stretches.as_slice() else { panic!("{track:?}") };
        assert_eq!(across, same, "just across and nowhere else");
        track.end(across).1
    };
    assert_eq!(retires(20.0), Finish::There);
    assert_eq!(retires(2.0), Finish::Off, "beyond the hedge there is no room for it on the table");
}

#[test]
fn who_is_over_the_edge_of_barred_ground_by_a_hair_goes_no_deeper() {
    tests_clauses!(HZ_TER_09);
    // A column, 6 cm wide, beside a lake that begins 3 cm to the right of its middle, less so much: half a touch, or more than one.
    let side_steps = |over: f64, way: Way| {
        let edge = 203.0 - over;
        let lake =
            format!("ground = [{{ kind = \"lake\", area = [[{edge}, 240], [240, 240], [240, 160], [{edge}, 160]] }}]");
        let battle = battle_with(&[infantry("a1", "column", 0.0, 0.0, 0.0)], &lake, "");
        track::straight(&Field::of(&battle), FIRST, way, Length::cm(5), track::Purpose::SideStep)
            .map_or(Length::ZERO, |track| track.stretches.last().map_or(Length::ZERO, |last| last.1))
    };
    assert!(side_steps(0.05, Way::Right) <= Length::mm(1), "a lake is for nobody");
    assert_eq!(side_steps(0.05, Way::Left), Length::cm(5), "it may get away from it");
}
