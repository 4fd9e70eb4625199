//! What drills cannot say.

use std::collections::BTreeSet;

use sabretache_engine::clause::Clause;
use sabretache_engine::dice::Scripted;
use sabretache_engine::drill::{Drill, read_drills};
use sabretache_engine::situation::{Situation, fields_of};
use sabretache_engine::test::Test;
use sabretache_engine::tests_clauses;
use serde_json::Value as Json;

use super::*;
use crate::clauses::*;
use crate::numbers::{Numbers, quality_at, rung};
use crate::troops::{Ability, Quality};

/// The drills of this book that need no table, each with the file it stands in.
fn drills() -> Vec<(String, Drill)> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../drills/huzzah");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|end| end == "toml"));
    files.sort();
    let mut all = Vec::new();
    for file in files {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&file).unwrap();
        let drills = read_drills(&name, &text).unwrap_or_else(|report| panic!("{name}: {report}"));
        all.extend(drills.into_iter().filter(|drill| drill.test.is_some()).map(|drill| (name.clone(), drill)));
    }
    all
}

#[test]
fn every_line_of_the_playsheet_is_drilled() {
    let mut drilled = BTreeSet::new();
    let mut note = |list: Option<&Json>| {
        for modifier in list.and_then(Json::as_array).into_iter().flatten().filter_map(Json::as_str) {
            drilled.extend(modifier.split(':').next().and_then(Clause::parse));
        }
    };
    for (_, drill) in drills() {
        note(drill.expect.get("modifiers"));
        for more in drill.expect.get("more").and_then(Json::as_array).into_iter().flatten() {
            note(more.get("modifiers"));
        }
    }
    let book = Numbers::book();
    let blocks = [
        serde_json::to_value(book.skirmish),
        serde_json::to_value(book.threat),
        serde_json::to_value(book.order),
        serde_json::to_value(book.appoint),
        serde_json::to_value(book.rearm),
        serde_json::to_value(book.engagement),
        serde_json::to_value(book.check),
        serde_json::to_value(book.reorganise),
        serde_json::to_value(book.rally),
    ];
    for block in blocks {
        for id in block.unwrap().as_object().unwrap().keys() {
            let clause = Clause::parse(id).unwrap();
            assert!(drilled.contains(&clause), "no drill has the modifier {id}, {}", BOOK.title_of(clause));
        }
    }
    assert!(drilled.contains(&HZ_REO_05) && drilled.contains(&HZ_FTW_03));
}

#[test]
fn every_field_says_what_it_is_and_which_clauses_it_feeds() {
    for test in ALL {
        for (field, (about, clauses)) in fields_of(&test.schema()) {
            assert!(!about.is_empty(), "{}.{field} says nothing", test.name());
            assert!(!clauses.is_empty(), "{}.{field} names no clause", test.name());
            for id in clauses {
                let known = BOOK.clauses.iter().any(|clause| clause.id.id() == id);
                assert!(known, "{}.{field} names {id}, which the book does not have", test.name());
            }
        }
    }
}

#[test]
fn unit_quality_shifts() {
    tests_clauses!(HZ_QUA_02, HZ_QUA_03, HZ_QUA_04);
    use Quality::*;
    let (v, e, t, g, r, u) = (Veteran, Experienced, Trained, Green, Raw, Unreliable);
    // From Down 5 to Up 5, as the playsheet prints it.
    let table = [
        [u, r, g, t, e, v, v, v, v, v, v],
        [u, u, r, g, t, e, v, v, v, v, v],
        [u, u, u, r, g, t, e, v, v, v, v],
        [u, u, u, u, r, g, t, e, v, v, v],
        [u, u, u, u, u, r, g, t, e, v, v],
        [u, u, u, u, u, u, r, g, t, e, v],
    ];
    let morale = &Numbers::book().morale;
    for (&base, row) in Quality::ALL.iter().zip(table) {
        for (shift, expected) in (-5..=5).zip(row) {
            for disadvantaged in [false, true] {
                let mut test = Test::on(morale.ladder(disadvantaged), rung(base));
                test.up(shift, HZ_QUA_02).always();
                let (reached, _) = test.rung().unwrap();
                assert_eq!(quality_at(reached), expected, "{base} shifted by {shift}");
                let number = morale.of(expected);
                let number = if disadvantaged { number.disadvantaged } else { number.full };
                assert_eq!(test.target(), number, "{base} shifted by {shift}");
            }
        }
        let mut far = Test::on(morale.ladder(false), rung(base));
        far.down(7, HZ_QUA_02).always();
        assert_eq!(far.target(), 5, "larger shifts are the same as 5");
    }
}

#[test]
fn a_mixed_army_skirmishes_as_its_largest_infantry_does() {
    tests_clauses!(HZ_SKI_02);
    use Ability::{Poor, Skilful};
    assert_eq!(contingents_rating([(Skilful, 5), (Poor, 7)]), Some(Poor));
    assert_eq!(contingents_rating([(Skilful, 7), (Poor, 5)]), Some(Skilful));
    assert_eq!(contingents_rating([(Poor, 6), (Skilful, 6)]), Some(Skilful), "of equals the better");
    assert_eq!(contingents_rating([]), None);
}

#[test]
fn when_a_command_check_is_due() {
    tests_clauses!(HZ_CHK_03, HZ_CHK_04, HZ_CHK_05, HZ_CHK_07, HZ_CHK_31);
    let due = |due: CheckDue| due.is_due();
    let nothing = CheckDue::default();
    assert!(!due(nothing));
    assert!(due(CheckDue { new_loss: true, damaged: true, ..nothing }));
    assert!(due(CheckDue { failed_last_turn: true, ..nothing }), "even if nothing new happened to it");
    assert!(!due(CheckDue { damaged: true, ..nothing }), "an old loss outside all zones");
    assert!(!due(CheckDue { in_threat_zone: true, ..nothing }), "threatened but whole");
    let threatened = CheckDue { damaged: true, in_threat_zone: true, ..nothing };
    assert!(due(threatened));
    assert!(!due(CheckDue { excused: true, ..threatened }), "a Huzzah! excuses it");
    assert!(due(CheckDue { excused: true, new_loss: true, ..threatened }), "until it loses another sub-command");
    assert!(!due(CheckDue { off_table: true, new_loss: true, ..nothing }), "a command off the table does not check");
}

#[test]
fn smoke_clears_faster_from_limbered_guns() {
    tests_clauses!(HZ_SMK_01);
    let cleared = &Numbers::book().smoke_cleared;
    assert_eq!(cleared.left(3, false), 2);
    assert_eq!(cleared.left(3, true), 1);
    assert_eq!(cleared.left(1, true), 0);
    assert_eq!(cleared.left(0, false), 0);
}

#[test]
fn compulsory_casualties_and_breaking() {
    tests_clauses!(HZ_CAS_01, HZ_CAS_02, HZ_CAS_03, HZ_CAS_04, HZ_QUA_11, HZ_ENG_35);
    let numbers = Numbers::book();
    let unit = |quality, staggers, kills| Condition { quality, staggers, kills };
    assert_eq!(unit(Quality::Veteran, 5, 1).after_casualties(numbers), unit(Quality::Veteran, 5, 2));
    assert_eq!(unit(Quality::Veteran, 0, 1).after_casualties(numbers), unit(Quality::Veteran, 0, 1));
    assert!(unit(Quality::Green, 4, 2).after_casualties(numbers).is_broken(numbers));
    assert!(!unit(Quality::Trained, 5, 2).is_broken(numbers));
    assert!(unit(Quality::Trained, 6, 2).is_broken(numbers));
    assert!(unit(Quality::Trained, 5, 3).is_broken(numbers));
    assert!(unit(Quality::Unreliable, 0, 5).is_destroyed(numbers));
    assert!(!unit(Quality::Unreliable, 1, 4).is_destroyed(numbers), "broken, but it could come back");
}

#[test]
fn white_markers_show_quality() {
    tests_clauses!(HZ_GEN_08);
    let white = |&quality: &Quality| Condition { quality, staggers: 2, kills: 3 }.white_marker(Numbers::book());
    assert_eq!(Quality::ALL.iter().map(white).collect::<Vec<_>>(), [6, 5, 4, 3, 2, 1]);
}

#[test]
fn the_owner_places_odd_staggers_only_where_there_is_a_choice() {
    tests_clauses!(HZ_MUL_05, HZ_MUL_06);
    let numbers = Numbers::book();
    let against = |attackers: usize| EngagementSituation {
        attackers: vec![Fighter::default(); attackers],
        defenders: vec![Fighter::default()],
        odd_staggers: Vec::new(),
    };
    let asked = |attackers: usize, totals: &[i32]| against(attackers).odd_staggers(numbers, totals);
    let choice = |staggers, among: &[u8]| Some(OddStaggers { side: Role::Attackers, staggers, among: among.to_vec() });
    assert_eq!(asked(1, &[8, 5]), None, "one unit takes them all");
    assert_eq!(asked(2, &[8, 8, 4]), None, "four staggers on two units");
    assert_eq!(asked(2, &[8, 8, 5]), choice(1, &[0, 1]), "three on two");
    assert_eq!(asked(2, &[9, 8, 5]), None, "the only unit with a kill takes it");
    assert_eq!(asked(2, &[9, 8, 4]), None, "nothing odd for it to take");
    assert_eq!(asked(2, &[9, 9, 5]), choice(1, &[0, 1]), "both have kills");
    assert_eq!(asked(3, &[8, 8, 8, 3]), choice(2, &[0, 1, 2]), "five on three: two odd ones");
    assert_eq!(asked(3, &[8, 9, 8, 3]), choice(1, &[0, 2]), "the second is placed on another unit");
}

#[test]
fn changed_numbers_change_the_test() {
    let mut numbers = Numbers::book().clone();
    numbers.threat.zones = 2;
    numbers.morale.raw.full = 7;
    let situation = ThreatSituation { by_lines: 2, ..ThreatSituation::default() };
    assert_eq!(situation.test(Numbers::book()).target(), 7, "Trained, Down 1: Green");
    assert_eq!(situation.test(&numbers).target(), 7, "Trained, Down 2: Raw, who are now worth 7");
    assert_eq!(situation.test(&numbers).net(), -2);
    assert_eq!(situation.read(&numbers, 9).staggers, 2);
}

#[test]
fn reading_a_total_is_the_same_as_rolling_it() {
    let situation = ThreatSituation { by_lines: 1, by_guns: 1, kills: 2, ..ThreatSituation::default() };
    for (a, b) in (1..=6).flat_map(|a| (1..=6).map(move |b| (a, b))) {
        let rolled = situation.resolve(&mut Scripted::new(vec![a, b])).unwrap();
        assert_eq!(rolled, situation.read(Numbers::book(), i32::from(a + b)));
    }
}

/// Odds take totals together that tell nothing else, and outcomes by a number before they are named: that must change nothing.
#[test]
fn the_odds_of_an_engagement_are_those_of_all_its_rolls() {
    let numbers = Numbers::book();
    let fighter =
        |quality: Quality, staggers: u8, kills: u8| Fighter { quality, staggers, kills, ..Fighter::default() };
    let squared = Fighter { formation: crate::troops::Formation::Square, ..fighter(Quality::Raw, 1, 0) };
    let horse = Fighter { arm: crate::troops::Arm::Cavalry, ..fighter(Quality::Veteran, 0, 2) };
    let cases = [
        (vec![fighter(Quality::Trained, 0, 0)], vec![fighter(Quality::Trained, 0, 0)]),
        (vec![fighter(Quality::Veteran, 3, 4)], vec![fighter(Quality::Raw, 2, 1)]),
        (vec![horse], vec![squared]),
        (vec![horse, fighter(Quality::Raw, 4, 0)], vec![fighter(Quality::Veteran, 1, 3)]),
    ];
    let ways = |total: i32| 6 - (total - 7).abs();
    for (attackers, defenders) in cases {
        let situation = EngagementSituation { attackers, defenders, odd_staggers: Vec::new() };
        let dice = situation.fighters().count();
        let mut expected: std::collections::BTreeMap<String, i32> = std::collections::BTreeMap::new();
        for n in 0..11_i32.pow(dice as u32) {
            let totals: Vec<i32> = (0..dice as u32).map(|k| n / 11_i32.pow(k) % 11 + 2).collect();
            let name = situation.read(numbers, &totals, &[]).name();
            *expected.entry(name).or_default() += totals.iter().map(|total| ways(*total)).product::<i32>();
        }
        let of = u128::from(36_u64.pow(dice as u32));
        let expected: Vec<(String, String)> = expected
            .into_iter()
            .map(|(name, ways)| (name, sabretache_engine::odds::Chance::new(ways as u128, of).to_string()))
            .collect();
        let test = Of::<EngagementSituation>::TEST;
        let told = test.odds(&serde_json::to_value(&situation).unwrap()).unwrap();
        let told: Vec<(String, String)> = told.outcomes.into_iter().map(|one| (one.outcome, one.p)).collect();
        assert_eq!(told, expected);
    }
}

#[test]
fn a_unit_has_two_flanks_and_a_rating_is_rolled_on_a_table() {
    tests_clauses!(HZ_GEO_18, HZ_SKI_01);
    let refused = |name: &str, situation: serde_json::Value| {
        let test = ALL.iter().find(|test| test.name() == name);
        test.is_some_and(|test| test.odds(&situation).is_err())
    };
    let flanks = |n: u8| serde_json::json!({ "by_lines": 1, "position": { "protected_flanks": n } });
    assert!(refused("threat", flanks(3)));
    assert!(!refused("threat", flanks(2)));
    assert!(refused("skirmish_rating", serde_json::json!({})));
}
