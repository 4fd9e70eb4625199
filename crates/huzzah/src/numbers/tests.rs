//! The tables of the book against the numbers.

use std::collections::BTreeMap;

use sabretache_engine::clause::Clause;
use sabretache_engine::scenario::{Diagnostics, NumberValue, with_overrides};
use sabretache_engine::tests_clauses;
use sabretache_table::Length;

use super::*;
use crate::clauses::*;
use crate::troops::{Ability, Arm, Draught, Formation, Guns, Level, Quality, RangeBand};

fn book() -> &'static Numbers {
    Numbers::book()
}

#[test]
fn every_number_is_filed_under_a_clause_of_the_book() {
    let tree = serde_json::to_value(book()).unwrap();
    for key in tree.as_object().unwrap().keys() {
        let clause = Clause::parse(key).unwrap();
        assert!(BOOK.find(clause).is_some(), "{key} is no clause");
    }
    assert_eq!(serde_json::from_value::<Numbers>(tree).unwrap(), *book());
}

#[test]
fn a_scenario_changes_numbers_by_name() {
    let mut report = Diagnostics::new();
    let overrides = BTreeMap::from([
        ("HZ-ZON-01.infantry.line".to_owned(), NumberValue::Text("20cm".into())),
        ("HZ-THR-12".to_owned(), NumberValue::Whole(2)),
        ("HZ-QUA-01.raw.disadvantaged".to_owned(), NumberValue::Whole(2)),
        ("HZ-OFF-02".to_owned(), NumberValue::Text("10 bands".into())),
    ]);
    let changed = with_overrides(book(), &overrides, &mut report).unwrap();
    assert!(!report.has_errors(), "{report}");
    assert_eq!(changed.zones.infantry.line, Distance::cm(20));
    assert_eq!(changed.threat.zones, 2);
    assert_eq!(changed.officer_move, Distance::cm(50));
    assert_eq!(changed.morale.ladder(true).rungs[rung(Quality::Raw)].value, 2);
    assert_eq!(changed.morale.ladder(false).rungs[rung(Quality::Raw)].value, 6);
    assert!(std::ptr::eq(changed.morale.ladder(true), changed.morale.ladder(true)), "made once");
}

#[test]
fn morale_ratings() {
    tests_clauses!(HZ_QUA_01);
    let numbers = [(10, 6), (9, 5), (8, 4), (7, 4), (6, 4), (5, 3)];
    for (&quality, expected) in Quality::ALL.iter().zip(numbers) {
        let morale = book().morale.of(quality);
        assert_eq!((morale.full, morale.disadvantaged), expected, "{quality}");
    }
}

#[test]
fn eleven_and_twelve_fail_and_low_succeeds() {
    tests_clauses!(HZ_GEN_03, HZ_GEN_05);
    assert!(book().succeeds(7, 7));
    assert!(!book().succeeds(8, 7));
    assert!(book().succeeds(10, 12));
    assert!(!book().succeeds(11, 12));
    assert!(!book().succeeds(12, 12));
}

#[test]
fn command_radii() {
    tests_clauses!(HZ_CMD_02, HZ_OFF_18);
    let radius = |level, ability| book().command_radius.of(level, ability);
    assert_eq!(radius(Level::Brigade, Ability::Abysmal), Distance::cm(10));
    assert_eq!(radius(Level::Brigade, Ability::Poor), Distance::cm(20));
    assert_eq!(radius(Level::Army, Ability::Excellent), Distance::cm(140));
    assert_eq!(radius(Level::Division, Ability::Skilful), Distance::cm(50));
    assert_eq!(radius(Level::Division, Ability::Excellent), Distance::cm(60), "an Excellent CinC superseding");
    assert_eq!(radius(Level::Corps, Ability::Average), Distance::cm(80));
}

#[test]
fn officer_ratings() {
    tests_clauses!(HZ_CMD_03, HZ_VAR_23);
    let ratings: Vec<i32> = Ability::ALL.iter().map(|&ability| book().command_rating.of(ability)).collect();
    assert_eq!(ratings, [10, 9, 8, 7, 6]);
}

#[test]
fn depths_of_threat_zones() {
    tests_clauses!(HZ_ZON_01);
    use Formation::*;
    let depth = |arm, formation| book().zones.depth(arm, formation, Guns::Medium).standard();
    let infantry = [(Line, 15), (Column, 15), (OpenOrder, 15), (MarchColumn, 0), (Square, 10), (Mob, 0)];
    for (formation, cm) in infantry {
        assert_eq!(depth(Arm::Infantry, formation), Length::cm(cm), "infantry in {formation}");
    }
    let cavalry = [(Line, 25), (Column, 30), (OpenOrder, 25), (MarchColumn, 0), (Square, 0), (Mob, 0)];
    for (formation, cm) in cavalry {
        assert_eq!(depth(Arm::Cavalry, formation), Length::cm(cm), "cavalry in {formation}");
    }
    for (guns, cm) in [(Guns::Light, 30), (Guns::Medium, 35), (Guns::Heavy, 40)] {
        assert_eq!(book().zones.depth(Arm::Artillery, Line, guns), Distance::cm(cm), "{guns} guns");
        assert_eq!(book().zones.depth(Arm::Artillery, MarchColumn, guns), Distance::NONE, "limbered");
    }
}

#[test]
fn movement_distances() {
    tests_clauses!(HZ_ADV_01);
    use Formation::*;
    let moves = |arm, guns, draught, formation| book().moves.allowance(arm, formation, guns, draught);
    let foot = |formation| moves(Arm::Infantry, Guns::Light, Draught::Foot, formation);
    for (formation, cm) in [(Line, 15), (Column, 20), (OpenOrder, 20), (MarchColumn, 20), (Square, 5), (Mob, 20)] {
        assert_eq!(foot(formation), Distance::cm(cm), "infantry in {formation}");
    }
    let horse = |formation| moves(Arm::Cavalry, Guns::Light, Draught::Foot, formation);
    for (formation, cm) in [(Line, 25), (Column, 30), (OpenOrder, 30), (MarchColumn, 30), (Square, 0), (Mob, 30)] {
        assert_eq!(horse(formation), Distance::cm(cm), "cavalry in {formation}");
    }
    let guns = [
        (Guns::Heavy, Draught::Foot, 0, 15),
        (Guns::Medium, Draught::Foot, 5, 20),
        (Guns::Light, Draught::Foot, 5, 20),
        (Guns::Heavy, Draught::Horse, 5, 30),
        (Guns::Light, Draught::Horse, 5, 30),
    ];
    for (weight, draught, unlimbered, limbered) in guns {
        assert_eq!(moves(Arm::Artillery, weight, draught, Line), Distance::cm(unlimbered), "{weight} {draught}");
        assert_eq!(moves(Arm::Artillery, weight, draught, MarchColumn), Distance::cm(limbered), "{weight} {draught}");
    }
    assert_eq!(book().officer_move, Distance::cm(60));
}

#[test]
fn bombardment_ranges() {
    tests_clauses!(HZ_BOM_12);
    let band = |guns, mm| book().ranges.band(guns, Distance::mm(mm));
    assert_eq!(band(Guns::Light, 300), Some(RangeBand::Short), "on the boundary the closer range");
    assert_eq!(band(Guns::Light, 301), Some(RangeBand::Long));
    assert_eq!(band(Guns::Light, 900), Some(RangeBand::Extreme));
    assert_eq!(band(Guns::Light, 901), None);
    assert_eq!(band(Guns::Medium, 700), Some(RangeBand::Long));
    assert_eq!(band(Guns::Medium, 702), Some(RangeBand::Extreme));
    assert_eq!(band(Guns::Medium, 1_052), None);
    assert_eq!(band(Guns::Heavy, 400), Some(RangeBand::Short));
    assert_eq!(band(Guns::Heavy, 800), Some(RangeBand::Long));
    assert_eq!(band(Guns::Heavy, 1_200), Some(RangeBand::Extreme));
    let bounce: Vec<Distance> = Guns::ALL.iter().map(|&guns| book().bounce_through.of(guns)).collect();
    assert_eq!(bounce, [Distance::cm(10), Distance::cm(15), Distance::cm(20)]);
}

#[test]
fn basing_schemes() {
    tests_clauses!(HZ_SCL_05, HZ_SCL_06, HZ_SCL_07, HZ_SCL_08, HZ_SCL_09, HZ_SCL_11);
    // Frontage in line and depth of a stand, in millimetres: infantry, cavalry, artillery.
    let expected = [
        (&book().universal, [(160, 40), (240, 40), (80, 40)]),
        (&book().metre15, [(120, 15), (120, 30), (60, 40)]),
        (&book().pace15, [(180, 15), (180, 30), (90, 40)]),
        (&book().pace25, [(160, 40), (160, 40), (120, 60)]),
        (&book().inch, [(150, 25), (200, 25), (100, 25)]),
    ];
    for (scheme, arms) in expected {
        for (&arm, (frontage, depth)) in Arm::ALL.iter().zip(arms) {
            let stands = scheme.of(arm);
            let mm = |length: Length| length.to_um() / 1_000;
            assert_eq!(mm(stands.width.standard()) * i32::from(stands.count), frontage, "{arm}");
            assert_eq!(mm(stands.depth.standard()), depth, "{arm}");
        }
    }
    assert_eq!(book().pace15.artillery_eight_guns, 4);
    assert_eq!([book().metre15.cavalry_full, book().pace15.cavalry_full, book().inch.cavalry_full], [6, 8, 12]);
}

#[test]
fn small_units() {
    tests_clauses!(HZ_THR_25);
    assert!(book().universal.is_small(2), "two stands where battalions have four");
    assert!(!book().universal.is_small(3));
    assert!(book().pace15.is_small(3), "three stands where battalions have six");
    assert!(!book().pace15.is_small(4));
}
