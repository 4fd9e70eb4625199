//! The geometry of the clauses, on their own examples.

use sabretache_engine::ids::UnitId;
use sabretache_engine::scenario::{Diagnostics, Document, Scenario};
use sabretache_engine::tests_clauses;
use sabretache_table::Length;
use smallvec::SmallVec;

use super::{Field, bearing, contact, ground, sight, support, track, zones};
use crate::battle::Battle;
use crate::body::Body;
use crate::clauses::*;
use crate::phases::{bombard, pairing};
use crate::state::{Bearing, Finish, Way};

/// A unit for a test: id (its first letter is its side, a or b), arm and formation, the middle of its footprint, the way it faces,
/// and further lines for the file.
struct Piece(&'static str, &'static str, &'static str, f64, f64, f64, &'static str);

fn infantry(id: &'static str, formation: &'static str, x: f64, y: f64, facing: f64) -> Piece {
    Piece(id, "infantry", formation, x, y, facing, "")
}

/// A battle with these units on a table 200 cm square whose middle is the origin, all in metre15 basing.
fn battle_with(pieces: &[Piece], ground: &str, options: &str) -> Battle {
    let mut text = format!(
        r#"
ruleset = "huzzah"
title = "test"
measure = "cm"
table = {{ width = 400, depth = 400 }}
sides = [{{ id = "a", name = "A" }}, {{ id = "b", name = "B" }}]
options = {{ first = "a", basing = "metre15" {options} }}
armies = [{{ id = "a", skirmish = "average", baseline = "south" }}, {{ id = "b", skirmish = "average", baseline = "north" }}]
contingents = [{{ id = "ca", name = "CA", side = "a", bombardment_factor = 3 }}, {{ id = "cb", name = "CB", side = "b", bombardment_factor = 3 }}]
commands = [
  {{ id = "aa", name = "AA", side = "a", level = "army" }}, {{ id = "a1", name = "A1", side = "a", level = "brigade", part_of = "aa" }},
  {{ id = "bb", name = "BB", side = "b", level = "army" }}, {{ id = "b1", name = "B1", side = "b", level = "brigade", part_of = "bb" }},
]
officers = [
  {{ id = "oa", name = "OA", command = "aa", ability = "average", at = [10, 10] }}, {{ id = "oa1", name = "OA1", command = "a1", ability = "average", at = [14, 10] }},
  {{ id = "ob", name = "OB", command = "bb", ability = "average", at = [10, 390] }}, {{ id = "ob1", name = "OB1", command = "b1", ability = "average", at = [14, 390] }},
]
{ground}
"#
    );
    for Piece(id, arm, formation, x, y, facing, more) in pieces {
        let stands = if *arm == "artillery" { 2.0 } else { 4.0 };
        let depth = match (*arm, *formation) {
            ("infantry", "column" | "mob") => 3.0,
            ("infantry", "square") => 4.5,
            ("infantry", "march_column") => 6.0,
            ("infantry", _) => 1.5,
            ("cavalry", "column") => 6.0,
            ("cavalry", "march_column") => 3.0 * stands,
            ("cavalry", _) => 3.0,
            ("artillery", "march_column") => 4.0 * stands,
            _ => 4.0,
        };
        let angle = facing.to_radians();
        let (fx, fy) = (x + angle.sin() * depth / 2.0 + 200.0, y + angle.cos() * depth / 2.0 + 200.0);
        let side = &id[..1];
        text += &format!(
            "\n[[units]]\nid = \"{id}\"\nname = \"{id}\"\ncommand = \"{side}1\"\narm = \"{arm}\"\nquality = \"trained\"\nformation = \"{formation}\"\nat = [{fx}, {fy}]\nfacing = {facing}\n{more}\n"
        );
    }
    let document = Document::parse("test.toml", text).unwrap();
    let scenario = Scenario::<Body>::read(&document.json).unwrap_or_else(|report| panic!("{report}"));
    let mut report = Diagnostics::new();
    crate::muster::muster(&scenario, &mut report).unwrap_or_else(|| panic!("{report}"))
}

fn battle(pieces: &[Piece]) -> Battle {
    battle_with(pieces, "", "")
}

const FIRST: UnitId = UnitId(0);
const SECOND: UnitId = UnitId(1);
const THIRD: UnitId = UnitId(2);

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
    let supported = |pieces: &[Piece]| support::has_support(&Field::of(&battle(pieces)), FIRST, false);
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
        support::has_support(&Field::of(&battle(&pieces)), FIRST, false)
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
    assert_eq!(met.zone, Some((Length::cm(19), Length::mm(205))), "the edge at 19 cm, one stand of 1.5 cm inside");
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
    let shut = super::swing::Swing { stretches: SmallVec::new(), zone: Some((0, 2_639)) };
    assert!(shut.allows(0) && !shut.allows(1));
    assert_eq!(shut.end(0), 0, "standing still is not wheeling on into the zone");
    assert_eq!(shut.end(1), 2_639);
}
