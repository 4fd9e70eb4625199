//! Threat zones, and who screens them.

use sabretache_engine::tests_clauses;

use super::{FIRST, Piece, SECOND, battle, battle_with, infantry};
use crate::clauses::*;
use crate::table::{Field, zones};

/// Whether the first unit threatens the second.
fn threatens(pieces: &[Piece]) -> bool {
    zones::threatens(&Field::of(&battle(pieces)), FIRST, SECOND)
}

#[test]
fn a_zone_runs_straight_ahead_between_the_flank_lines() {
    tests_clauses!(HZ_ZON_01, HZ_ZON_02, HZ_ZON_03, HZ_ZON_11, HZ_GEO_06);
    // A line's front runs from -6 to 6 at 0.75; its zone to 15.75.
    let line = || infantry("a-1", "line", 0.0, 0.0, 0.0);
    let at = |x: f64, y: f64| infantry("b-1", "column", x, y, 180.0);
    assert!(threatens(&[line(), at(0.0, 17.25)]), "its near edge at 15 cm exactly");
    assert!(!threatens(&[line(), at(0.0, 17.45)]), "at 15.2 cm");
    assert!(threatens(&[line(), at(9.0, 8.0)]), "touching the flank line");
    assert!(!threatens(&[line(), at(9.3, 8.0)]), "beside it");
    assert!(!threatens(&[line(), at(0.0, -4.0)]), "behind it");
}

#[test]
fn squares_threaten_from_all_four_faces_and_not_off_the_corners() {
    tests_clauses!(HZ_ZON_04);
    let square = || infantry("a-1", "square", 0.0, 0.0, 0.0);
    let column = |x: f64, y: f64, facing: f64| infantry("b-1", "column", x, y, facing);
    assert!(threatens(&[square(), column(0.0, 13.0, 180.0)]));
    assert!(threatens(&[square(), column(-13.0, 0.0, 90.0)]));
    assert!(threatens(&[square(), column(0.0, -13.0, 0.0)]));
    assert!(!threatens(&[square(), column(0.0, 14.0, 180.0)]), "10.25 cm off");
    assert!(!threatens(&[square(), column(8.0, 8.0, 180.0)]), "between two faces");
}

#[test]
fn a_friend_cuts_the_zone_along_the_whole_front() {
    tests_clauses!(HZ_ZON_06);
    // The friend pokes a centimetre into the left of the lane, 4 cm ahead.
    let pieces = |friend: f64| {
        [
            infantry("a-1", "line", 0.0, 0.0, 0.0),
            infantry("b-1", "column", 3.0, 8.0, 180.0),
            infantry("a-2", "column", friend, 6.25, 0.0),
        ]
    };
    assert!(!zones::threatens(&Field::of(&battle(&pieces(-8.0))), FIRST, SECOND), "the zone ends at 4 cm");
    assert!(
        zones::threatens(&Field::of(&battle(&pieces(-9.0))), FIRST, SECOND),
        "a friend that only touches the lane does not cut it"
    );
}

#[test]
fn a_zone_runs_past_an_enemy_but_not_through_him() {
    tests_clauses!(HZ_ZON_07);
    let pieces = |x: f64| {
        [
            infantry("a-1", "line", 0.0, 0.0, 0.0),
            infantry("b-2", "column", x, 13.0, 180.0),
            infantry("b-1", "column", 0.0, 7.0, 180.0),
        ]
    };
    assert!(zones::threatens(&Field::of(&battle(&pieces(5.0))), FIRST, SECOND), "its right half looks past");
    assert!(!zones::threatens(&Field::of(&battle(&pieces(0.0))), FIRST, SECOND), "it stands in the shadow");
}

#[test]
fn engaged_units_threaten_from_the_free_part_of_their_front() {
    tests_clauses!(HZ_ZON_08);
    // An enemy column against the left half of the front.
    let pieces = |x: f64| {
        [
            infantry("a-1", "line", 0.0, 0.0, 0.0),
            infantry("b-2", "column", x, 10.0, 180.0),
            infantry("b-1", "column", -3.0, 2.25, 180.0),
        ]
    };
    assert!(zones::threatens(&Field::of(&battle(&pieces(3.5))), FIRST, SECOND));
    assert!(!zones::threatens(&Field::of(&battle(&pieces(-3.0))), FIRST, SECOND));
}

#[test]
fn march_columns_mobs_and_blown_cavalry_have_no_zone() {
    tests_clauses!(HZ_ZON_09, HZ_BLO_02, HZ_DEP_05, HZ_DEP_06);
    let target = || infantry("b-1", "column", 0.0, 9.0, 180.0);
    assert!(!threatens(&[infantry("a-1", "march_column", 0.0, 0.0, 0.0), target()]));
    assert!(!threatens(&[Piece("a-1", "infantry", "mob", 0.0, 0.0, 0.0, "routing = true"), target()]));
    assert!(!threatens(&[Piece("a-1", "cavalry", "line", 0.0, 0.0, 0.0, "blown = true"), target()]));
    assert!(threatens(&[Piece("a-1", "cavalry", "line", 0.0, 0.0, 0.0, ""), target()]));
    assert!(!threatens(&[Piece("a-1", "artillery", "march_column", 0.0, 0.0, 0.0, "guns = \"light\""), target()]));
}

#[test]
fn superiority_adds_a_band_against_infantry_and_guns_but_not_cavalry() {
    tests_clauses!(HZ_SKI_09, HZ_SKI_10, HZ_ZON_12);
    let superior = |pieces: &[Piece]| {
        let mut battle = battle(pieces);
        battle.superiority = Some(sabretache_engine::ids::Side::A);
        zones::threatens(&Field::of(&battle), FIRST, SECOND)
    };
    let line = || infantry("a-1", "line", 0.0, 0.0, 0.0);
    assert!(superior(&[line(), infantry("b-1", "column", 0.0, 20.0, 180.0)]), "17.75 cm off");
    assert!(!threatens(&[line(), infantry("b-1", "column", 0.0, 20.0, 180.0)]));
    assert!(!superior(&[line(), Piece("b-1", "cavalry", "line", 0.0, 20.0, 180.0, "")]));
    assert!(
        !superior(&[infantry("a-1", "march_column", 0.0, 0.0, 0.0), infantry("b-1", "column", 0.0, 20.0, 180.0)]),
        "no zone, no bonus"
    );
}

#[test]
fn ridges_stop_cavalry_and_guns_but_not_infantry() {
    tests_clauses!(HZ_HIL_06, HZ_HIL_07, HZ_ZON_16);
    let ridge = "ground = [{ kind = \"ridge\", line = [[150, 206], [250, 206]] }]";
    let over = |piece: Piece| {
        let battle = battle_with(&[piece, infantry("b-1", "column", 0.0, 11.0, 180.0)], ridge, "");
        zones::threatens(&Field::of(&battle), FIRST, SECOND)
    };
    assert!(over(infantry("a-1", "line", 0.0, 0.0, 0.0)));
    assert!(!over(Piece("a-1", "cavalry", "line", 0.0, -2.0, 0.0, "")));
    assert!(!over(Piece("a-1", "artillery", "line", 0.0, -2.0, 0.0, "guns = \"light\"")));
}

#[test]
fn zones_end_at_woods_but_reach_who_lines_the_edge() {
    tests_clauses!(HZ_ZON_14, HZ_WOO_07, HZ_TER_17);
    let wood = "ground = [{ kind = \"wood\", area = [[150, 208], [250, 208], [250, 230], [150, 230]] }]";
    let reached = |inside: f64| {
        let battle = battle_with(
            &[infantry("a-1", "line", 0.0, 0.0, 0.0), infantry("b-1", "line", 0.0, 8.0 + inside + 0.75, 180.0)],
            wood,
            "",
        );
        zones::threatens(&Field::of(&battle), FIRST, SECOND)
    };
    assert!(reached(0.5), "half a centimetre inside it lines the edge");
    assert!(!reached(3.0));
}

#[test]
fn hedges_stop_zones_except_for_those_at_them() {
    tests_clauses!(HZ_ZON_15, HZ_HED_06, HZ_HED_07, HZ_HED_10);
    let hedge = "ground = [{ kind = \"hedge\", traits = [\"low\"], line = [[150, 206], [250, 206]] }]";
    let reached = |own: f64, enemy: f64| {
        let battle = battle_with(
            &[infantry("a-1", "line", 0.0, own, 0.0), infantry("b-1", "line", 0.0, enemy, 180.0)],
            hedge,
            "",
        );
        zones::threatens(&Field::of(&battle), FIRST, SECOND)
    };
    assert!(!reached(-3.0, 10.0), "well behind the hedge it sees nobody beyond");
    assert!(reached(-3.0, 7.0), "except him who stands right behind it");
    assert!(reached(4.75, 14.0), "at the hedge it looks over");
}
