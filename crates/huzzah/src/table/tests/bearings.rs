//! Flanks and rear, sight, support, contact.

use sabretache_engine::tests_clauses;

use super::{FIRST, Piece, SECOND, battle, battle_with, infantry};
use crate::clauses::*;
use crate::state::Bearing;
use crate::table::{Field, bearing, contact, sight, support};

/// From where the second unit threatens the first.
fn bearing_of(pieces: &[Piece]) -> Bearing {
    bearing::of_threat(&Field::of(&battle(pieces)), SECOND, FIRST, None)
}

#[test]
fn a_flank_threat_needs_all_four_conditions() {
    tests_clauses!(HZ_GEO_07, HZ_GEO_09, HZ_GEO_10, HZ_GEO_12);
    let line = || infantry("a-1", "line", 0.0, 0.0, 0.0);
    // Facing 270, its front from (10, -6) to (10, 6).
    assert_eq!(bearing_of(&[line(), infantry("b-1", "line", 10.75, 0.0, 270.0)]), Bearing::Flank);
    // Beside the flank, but facing along it.
    assert_eq!(bearing_of(&[line(), infantry("b-1", "line", 13.0, 0.0, 180.0)]), Bearing::Front);
    // Straight ahead.
    assert_eq!(bearing_of(&[line(), infantry("b-1", "line", 0.0, 10.0, 180.0)]), Bearing::Front);
}

#[test]
fn more_of_the_zone_must_fall_on_the_flank_than_on_the_front() {
    tests_clauses!(HZ_GEO_11, HZ_GEN_02);
    // A line facing 225, its front centred on the line through U's right front corner, so far out along it. U is a column of twelve stands,
    // 9 cm wide and 6 deep, so that the line lies partly in its flank zone.
    let from_corner = |out: f64, shift: f64| {
        let d = std::f64::consts::FRAC_1_SQRT_2;
        // Its facing is (-d, -d); its left, seen from it, lies towards (d, -d), which is U's flank side.
        let (x, y) = (4.5 + d * (out + 0.75) + d * shift, 3.0 + d * (out + 0.75) - d * shift);
        let column = Piece("a-1", "infantry", "column", 0.0, 1.5, 0.0, "stands = 12");
        bearing_of(&[column, infantry("b-1", "line", x, y, 225.0)])
    };
    assert_eq!(from_corner(8.0, 0.0), Bearing::Front, "six against six is not more");
    assert_eq!(from_corner(8.0, 1.0), Bearing::Flank, "seven against five");
    assert_eq!(from_corner(11.0, 0.0), Bearing::Flank, "six against four: the zone ends before the rest of the front");
}

#[test]
fn deep_formations_may_have_narrower_flank_zones() {
    tests_clauses!(HZ_GEO_08);
    // A march column 3 cm wide and 6 deep; a column comes in at 190 degrees, its nearest corner at (6.67, 8.98). By the diagonals its flank
    // zone is |y| < 2x, from the middle of the far flank |y| < x + 1.5.
    let pieces = [infantry("a-1", "march_column", 0.0, 0.0, 0.0), infantry("b-1", "column", 3.97, 10.98, 190.0)];
    assert_eq!(bearing_of(&pieces), Bearing::Flank);
    let scaled = battle_with(&pieces, "", ", flank_zone = \"midpoint\"");
    assert_eq!(bearing::of_threat(&Field::of(&scaled), SECOND, FIRST, None), Bearing::Front);
    // A formation wider than deep keeps its diagonals.
    let pieces = [infantry("a-1", "line", 0.0, 0.0, 0.0), infantry("b-1", "line", 10.75, 0.0, 270.0)];
    let scaled = battle_with(&pieces, "", ", flank_zone = \"midpoint\"");
    assert_eq!(bearing::of_threat(&Field::of(&scaled), SECOND, FIRST, None), Bearing::Flank);
}

#[test]
fn a_unit_is_a_rectangle_with_a_front_two_flanks_and_a_rear() {
    tests_clauses!(HZ_GEO_01);
    use sabretache_table::Face;
    let battle = battle(&[infantry("a-1", "line", 0.0, 0.0, 0.0), infantry("b-1", "square", 50.0, 0.0, 90.0)]);
    let line = battle.placed(FIRST);
    let cm = |um: f64| (um / 100.0).round() / 100.0 - 200.0;
    let front = line.face(Face::Front);
    assert_eq!([cm(front.a.x), cm(front.a.y), cm(front.b.x), cm(front.b.y)], [-6.0, 0.75, 6.0, 0.75]);
    let rear = line.face(Face::Rear);
    assert_eq!([cm(rear.a.y), cm(rear.b.y)], [-0.75, -0.75]);
    for (flank, x) in [(Face::Left, -6.0), (Face::Right, 6.0)] {
        assert_eq!([cm(line.face(flank).a.x), cm(line.face(flank).b.x)], [x, x]);
    }
    assert_eq!(contact::fronts(&battle, FIRST, &line).len(), 1);
    assert_eq!(contact::fronts(&battle, SECOND, &battle.placed(SECOND)).len(), 4, "a square has four fronts");
    // Incomplete rear ranks are treated as filled: five stands in column are as deep as six.
    let five = Piece("a-1", "infantry", "column", 0.0, 0.0, 0.0, "stands = 5");
    let battle = battle_with(&[five, infantry("b-1", "line", 0.0, 60.0, 180.0)], "", "");
    assert_eq!(battle.placed(FIRST).face(Face::Right).length().round(), 45_000.0);
}

#[test]
fn a_masked_flank_threat_is_frontal() {
    tests_clauses!(HZ_GEO_13);
    let masked = [
        infantry("a-1", "line", 0.0, 0.0, 0.0),
        infantry("b-1", "line", 14.75, 0.0, 270.0),
        infantry("a-2", "column", 9.5, 5.5, 0.0),
    ];
    assert_eq!(bearing_of(&masked), Bearing::Front);
    assert_eq!(bearing_of(&masked[..2]), Bearing::Flank);
}

#[test]
fn a_threat_from_behind_is_a_rear_threat() {
    tests_clauses!(HZ_GEO_14);
    assert_eq!(
        bearing_of(&[infantry("a-1", "line", 0.0, 0.0, 0.0), infantry("b-1", "line", 0.0, -9.5, 0.0)]),
        Bearing::Rear
    );
}

#[test]
fn squares_have_no_flank_or_rear() {
    tests_clauses!(HZ_GEO_15);
    assert_eq!(
        bearing_of(&[infantry("a-1", "square", 0.0, 0.0, 0.0), infantry("b-1", "line", 0.0, -9.5, 0.0)]),
        Bearing::Front
    );
    assert_eq!(
        bearing_of(&[infantry("a-1", "square", 0.0, 0.0, 0.0), infantry("b-1", "line", 9.0, 0.0, 270.0)]),
        Bearing::Front
    );
}

#[test]
fn one_blocked_line_blocks_sight() {
    tests_clauses!(HZ_GEO_16, HZ_BOM_06);
    // A battery with its front at the origin, 6 cm wide; the target line 40 cm ahead.
    let clear = |friend_x: f64| {
        let pieces = [
            Piece("a-1", "artillery", "line", 0.0, -2.0, 0.0, "guns = \"medium\""),
            infantry("b-1", "line", 0.0, 40.75, 180.0),
            infantry("a-2", "column", friend_x, 21.5, 0.0),
        ];
        let battle = battle(&pieces);
        let field = Field::of(&battle);
        sight::units_clear(&field, FIRST, field.get(FIRST).unwrap().face(sabretache_table::Face::Front), SECOND)
    };
    assert!(!clear(7.4), "its corner at 4.4 lies in the lines to the target's end");
    assert!(clear(7.9), "from 4.9 on it is clear");
}

#[test]
fn both_flanks_must_be_protected() {
    tests_clauses!(HZ_GEO_18, HZ_THR_36);
    let flanks = |pieces: &[Piece]| support::protected_flanks(&Field::of(&battle(pieces)), FIRST);
    let line = || infantry("a-1", "line", 0.0, 0.0, 0.0);
    assert_eq!(flanks(&[line()]), 0);
    assert_eq!(flanks(&[line(), infantry("a-2", "line", 16.0, 0.0, 0.0)]), 1, "a friend 4 cm off");
    assert_eq!(flanks(&[line(), infantry("a-2", "line", 16.0, 0.0, 0.0), infantry("a-3", "line", -16.0, 0.0, 0.0)]), 2);
    assert_eq!(flanks(&[line(), infantry("a-2", "line", 23.0, 0.0, 0.0)]), 0, "11 cm off");
    assert_eq!(
        flanks(&[line(), Piece("a-2", "infantry", "mob", 14.0, 0.0, 0.0, "routing = true")]),
        0,
        "routers protect nobody"
    );
    // A friend in echelon whose lane the unit's own rear corner enters projects nothing past it; further out its zone covers the strip.
    assert_eq!(flanks(&[line(), infantry("a-2", "line", 11.0, -10.0, 0.0)]), 0);
    assert_eq!(flanks(&[line(), infantry("a-2", "line", 12.2, -10.0, 0.0)]), 1);
}

#[test]
fn support_comes_from_straight_behind() {
    tests_clauses!(HZ_GEO_19, HZ_GEO_20, HZ_THR_37);
    let supported = |pieces: &[Piece]| support::has_support(&Field::of(&battle(pieces)), FIRST, support::Test::Threat);
    let line = || infantry("a-1", "line", 0.0, 0.0, 0.0);
    assert!(supported(&[line(), infantry("a-2", "line", 0.0, -11.5, 0.0)]), "10 cm behind");
    assert!(supported(&[line(), infantry("a-2", "line", 0.0, -16.5, 0.0)]), "15 cm behind");
    assert!(!supported(&[line(), infantry("a-2", "line", 0.0, -16.7, 0.0)]), "15.2 cm behind");
    assert!(!supported(&[line(), infantry("a-2", "line", 1.0, -11.5, 0.0)]), "shifted by a centimetre");
    assert!(supported(&[line(), infantry("a-2", "column", 0.0, -12.0, 0.0)]), "a column behind the middle of a line");
    assert!(!supported(&[line(), infantry("a-2", "column", 3.5, -12.0, 0.0)]), "half a centimetre of it sticks out");
    assert!(
        supported(&[infantry("a-1", "column", 0.0, 0.0, 0.0), infantry("a-2", "line", 0.0, -12.0, 0.0)]),
        "a line supports a column"
    );
    assert!(
        !supported(&[infantry("a-1", "march_column", 0.0, 0.0, 0.0), infantry("a-2", "line", 0.0, -14.0, 0.0)]),
        "march columns have none"
    );
}

#[test]
fn a_square_is_supported_at_any_face() {
    tests_clauses!(HZ_GEO_21);
    let supported = |gap: f64| {
        let pieces = [infantry("a-1", "square", 0.0, 0.0, 0.0), infantry("a-2", "square", 4.5 + gap, 0.0, 0.0)];
        support::has_support(&Field::of(&battle(&pieces)), FIRST, support::Test::Threat)
    };
    assert!(supported(9.0));
    assert!(!supported(11.0));
}

#[test]
fn touching_is_a_millimetre() {
    tests_clauses!(HZ_GEO_02, HZ_GEO_03, HZ_ENG_01);
    let engaged = |gap: f64| {
        let pieces = [infantry("a-1", "line", 0.0, 0.0, 0.0), infantry("b-1", "line", 0.0, 1.5 + gap, 180.0)];
        contact::engaged(&Field::of(&battle(&pieces)), FIRST, SECOND)
    };
    assert!(engaged(0.08));
    assert!(!engaged(0.2));
}

/// Whether the second unit, touching, engages the first to flank or rear.
fn flanked(pieces: &[Piece]) -> bool {
    bearing::engaged_to_flank(&Field::of(&battle(pieces)), FIRST, SECOND)
}

#[test]
fn who_is_engaged_to_the_flank() {
    tests_clauses!(HZ_ENG_06, HZ_GEO_05);
    let line = || infantry("a-1", "line", 0.0, 0.0, 0.0);
    assert!(
        flanked(&[line(), infantry("b-1", "column", -7.5, 0.0, 90.0)]),
        "a column's front on the whole left end of a line"
    );
    assert!(
        !flanked(&[infantry("a-1", "column", 0.0, 0.0, 0.0), infantry("b-1", "line", 0.0, 2.25, 180.0)]),
        "face to face with a wider line"
    );
    assert!(flanked(&[line(), infantry("b-1", "column", 0.0, -2.25, 0.0)]), "from behind");
    assert!(
        !flanked(&[infantry("a-1", "square", 0.0, 0.0, 0.0), infantry("b-1", "column", 0.0, -3.75, 0.0)]),
        "a square has no rear"
    );
}
