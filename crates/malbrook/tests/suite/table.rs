//! What a drill cannot say: views, markers, overlays, sentences.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests stop at the first thing that is not as it should be")]

use sabretache_engine::dice::Seeded;
use sabretache_engine::ids::{Named, OfficerId};
use sabretache_engine::offer::{Choice, Value};
use sabretache_engine::resolution::Resolution;
use sabretache_engine::ruleset::Ruleset;
use sabretache_engine::scenario::{Document, Scenario};
use sabretache_engine::session::muster;
use sabretache_engine::tests_clauses;
use sabretache_engine::view::{UnitView, View};
use sabretache_malbrook::clauses::{
    MB_FRM_06, MB_GEN_03, MB_GEN_05, MB_GEN_06, MB_MOR_02, MB_MOR_04, MB_UMP_04, MB_VIC_04, MB_VIC_05,
};
use sabretache_malbrook::situations::Cause;
use sabretache_malbrook::{Battle, Body, Event, Malbrook};
use sabretache_table::Length;

use crate::plain::plain;

fn unit<'a>(view: &'a View, key: &str) -> &'a UnitView {
    view.units.iter().find(|one| one.key == key).unwrap()
}

fn marks(view: &View, key: &str) -> Vec<(String, i32)> {
    unit(view, key).markers.iter().map(|marker| (marker.name.clone(), marker.count)).collect()
}

fn choose(battle: &mut Battle, key: &str) {
    let mut offers = Vec::new();
    Malbrook::offers(battle, &mut offers);
    let offer = offers.into_iter().find(|offer| Malbrook::key(battle, offer) == key);
    let offer = offer.unwrap_or_else(|| panic!("'{key}' is not offered"));
    let mut dice = Seeded::new(1);
    let choice = Choice { offer, value: Value::None };
    Malbrook::resolve(&mut Resolution::new(battle, &mut dice), &choice).unwrap_or_else(|halt| panic!("{halt}"));
}

#[test]
fn a_d6_read_as_an_average_die_has_its_faces() {
    tests_clauses!(MB_GEN_03);
    let read = [1, 2, 3, 4, 5, 6].map(sabretache_malbrook::situations::average_of_d6);
    assert_eq!(read, [3, 2, 3, 4, 5, 4]);
    let mut faces = read;
    faces.sort_unstable();
    assert_eq!(faces, [2, 3, 3, 4, 4, 5], "the faces of an average die");
}

#[test]
fn a_base_is_told_as_600_men_or_three_squadrons() {
    tests_clauses!(MB_GEN_05);
    let battle = plain(&[("bases = 4", "bases = 6")]);
    let view = Malbrook::view(&battle);
    assert!(unit(&view, "a1").lines[0].contains("about 3600 men"), "{:?}", unit(&view, "a1").lines);
    assert!(unit(&view, "ah").lines[0].contains("about 12 squadrons"), "{:?}", unit(&view, "ah").lines);
}

#[test]
fn all_that_must_be_shown_is_shown_and_what_lasts_a_turn_is_gone_after_it() {
    tests_clauses!(MB_GEN_06);
    let mut battle = plain(&[
        (
            "at = [10, 8]\nfacing = 0\nmarks = { done = true }",
            "at = [10, 8]\nfacing = 0\ndps = 2\nmarks = { halted = true }",
        ),
        (
            "at = [30, 8]\nfacing = 0\nmarks = { done = true }",
            "at = [30, 8]\nfacing = 0\nmarks = { bombarded = \"far\" }",
        ),
        (
            "at = [30, 44]\nfacing = 180\nmarks",
            "at = [30, 44]\nfacing = 180\nstatus = \"abandoned\"\ncrew_with = \"f2\"\nmarks",
        ),
        (
            "kind = \"dragoons\"\ngrade = \"D\"\nbases = 3\nunder = \"horse\"",
            "kind = \"dismounted-dragoons\"\ngrade = \"D\"\nbases = 3\nhorses = [50, 4]\nunder = \"horse\"",
        ),
        ("at = [15, 1]", "at = [10, 8.4]\nattached = \"a1\"\ninspires = 2"),
        (
            "phase = \"movement\"",
            "phase = \"combat\"\ndispatches = [{ id = 1, by = \"@0\", to = \"@1\", word = { orders = { kind = \"attack\" } }, rider = { x = 254000, y = 254000 }, turn = 1 }]",
        ),
    ]);
    let view = Malbrook::view(&battle);
    assert_eq!(marks(&view, "a1"), [("disorder".into(), 2), ("halt".into(), 1)]);
    assert_eq!(marks(&view, "ag"), [("fired".into(), 1)]);
    assert_eq!(marks(&view, "f2"), [("gun crew".into(), 1)]);
    let tokens: Vec<&str> = view.tokens.iter().map(|token| token.marker.name.as_str()).collect();
    assert_eq!(tokens, ["horse-holders", "messenger"]);
    let inspires =
        |view: &View| view.officers.iter().any(|one| one.markers.iter().any(|m| m.name == "inspires" && m.count == 2));
    assert!(inspires(&view));

    choose(&mut battle, "end");
    let view = Malbrook::view(&battle);
    assert_eq!(view.turn, Some(3));
    assert!(!inspires(&view), "an inspiration marker lasts a turn");
    assert_eq!(marks(&view, "ag"), [], "a firing marker lasts a turn");
    assert!(!marks(&view, "a1").iter().any(|(name, _)| name == "halt"), "a halt marker lasts a turn");
    assert!(marks(&view, "a1").iter().any(|(name, _)| name == "disorder"), "disorder stays");
    assert_eq!(marks(&view, "f2"), [("gun crew".into(), 1)], "a crew stays with its shelter");
    assert_eq!(view.tokens.len(), 2, "horses and messengers stay");

    let limbered = plain(&[(
        "kind = \"medium-gun\"\nunder = \"wing\"",
        "kind = \"medium-gun\"\nformation = \"limbered\"\nunder = \"wing\"",
    )]);
    assert_eq!(marks(&Malbrook::view(&limbered), "ag"), [("limber".into(), 1)]);
}

#[test]
fn the_bases_of_an_unformed_brigade_stand_apart_but_not_by_more_than_an_inch() {
    tests_clauses!(MB_FRM_06);
    let battle =
        plain(&[("kind = \"hussars\"\ngrade = \"D\"\nbases = 2", "kind = \"hussars\"\ngrade = \"D\"\nbases = 5")]);
    let view = Malbrook::view(&battle);
    let hussars = &unit(&view, "au").stands;
    assert_eq!(hussars.len(), 5);
    let mut edges: Vec<(Length, Length)> = hussars
        .iter()
        .map(|base| (base.iter().map(|at| at.x).min().unwrap(), base.iter().map(|at| at.x).max().unwrap()))
        .collect();
    edges.sort_unstable();
    for pair in edges.windows(2) {
        let gap = pair[1].0 - pair[0].1;
        assert!(gap > Length::ZERO && gap <= Length::inches(1), "{gap}");
    }
    let foot = &unit(&view, "a1").stands;
    assert_eq!(foot[0].iter().map(|at| at.x).max(), foot[1].iter().map(|at| at.x).min(), "formed bases touch");
}

#[test]
fn a_wings_player_is_shown_what_his_own_wing_sees() {
    tests_clauses!(MB_UMP_04);
    // A wood between the foot and the French horse, who stand before the allied horse.
    let changes = [
        ("turns = 12", "turns = 12\noptions = { hidden = true, limited = true }"),
        ("area = [[60, 20], [70, 20], [70, 28], [60, 28]]", "area = [[24, 2], [30, 2], [30, 47], [24, 47]]"),
        ("at = [30, 8]", "at = [36, 8]"),
        ("at = [30, 44]", "at = [36, 44]"),
        ("at = [10, 44]", "at = [62, 46]"),
        ("at = [20, 44]", "at = [68, 46]"),
        ("at = [40, 44]", "at = [40, 30]"),
    ];
    let battle = plain(&changes);
    let sees = |leader: u16| -> Vec<String> {
        let overlays = Malbrook::overlays(&battle, Named::Officer(OfficerId(leader)));
        overlays.into_iter().filter(|one| one.clause == MB_UMP_04).map(|one| one.label).collect()
    };
    assert!(sees(3).contains(&"his wing sees La cavalerie".to_owned()), "the horse see them: {:?}", sees(3));
    assert!(!sees(2).contains(&"his wing sees La cavalerie".to_owned()), "the foot do not: {:?}", sees(2));
    let told = plain(&[("turns = 12", "turns = 12")]);
    assert_eq!(Malbrook::overlays(&told, Named::Officer(OfficerId(3))).len(), 1, "without the option: control alone");
}

#[test]
fn whoever_has_what_he_wanted_is_named_first_and_the_side_wins_all_the_same() {
    tests_clauses!(MB_VIC_05);
    let aims = |a: &str, b: &str| {
        [
            ("turns = 12".to_owned(), "turns = 2\noptions = { personal = true }".to_owned()),
            ("at = [15, 1]".to_owned(), format!("at = [15, 1]\naim = {{ {a}, points = 3 }}")),
            ("at = [50, 1]".to_owned(), format!("at = [50, 1]\naim = {{ {b}, points = 2 }}")),
            ("phase = \"movement\"".to_owned(), "phase = \"combat\"".to_owned()),
        ]
    };
    let fought = |a: &str, b: &str| {
        let changes = aims(a, b);
        let changes: Vec<(&str, &str)> = changes.iter().map(|(from, to)| (from.as_str(), to.as_str())).collect();
        let mut battle = plain(&changes);
        choose(&mut battle, "end");
        Malbrook::verdict(&battle).unwrap()
    };
    // The foot lost nobody; the horse took no gun.
    let said = fought("loses_less_than = 1", "guns = 1");
    assert_eq!(said.winner, None);
    let foot = said.sentence.find("The Major General of foot has what he wanted (3 points)").unwrap();
    let horse = said.sentence.find("The Major General of horse has not what he wanted").unwrap();
    assert!(foot < horse, "{}", said.sentence);
    let turned = fought("guns = 1", "loses_less_than = 1");
    let horse = turned.sentence.find("The Major General of horse has what he wanted (2 points)").unwrap();
    let foot = turned.sentence.find("The Major General of foot has not what he wanted").unwrap();
    assert!(horse < foot, "{}", turned.sentence);
    let quiet = {
        let mut battle = plain(&[("turns = 12", "turns = 2"), ("phase = \"movement\"", "phase = \"combat\"")]);
        choose(&mut battle, "end");
        Malbrook::verdict(&battle).unwrap().sentence
    };
    assert!(!quiet.contains("wanted"), "{quiet}");
}

#[test]
fn a_victory_names_the_side_and_its_points() {
    let mut battle = plain(&[
        (
            "turns = 12",
            "turns = 2\nobjectives = [{ id = \"hill\", name = \"The hill\", area = [[30, 20], [34, 20], [34, 24]], points = 30, held = \"french\" }]",
        ),
        ("name = \"French\"", "name = \"The French\""),
        ("phase = \"movement\"", "phase = \"combat\""),
    ]);
    choose(&mut battle, "end");
    let sentence = Malbrook::verdict(&battle).unwrap().sentence;
    assert!(sentence.starts_with("Victory: The French, by 30 points to 0"), "{sentence}");
}

#[test]
fn what_a_side_loses_its_enemy_gains_and_a_step_towards_him_is_worth_something_to_whoever_makes_it() {
    use sabretache_engine::ids::Side;
    let at = |y: &str, more: &str| {
        let text = format!("at = [20, {y}]\nfacing = 0{more}");
        let battle = plain(&[("at = [20, 8]\nfacing = 0", text.as_str())]);
        (Malbrook::worth(&battle, Side::A), Malbrook::worth(&battle, Side::B))
    };
    // What urges a side on counts for its own decisions only: a step brings the enemy nearer too.
    let ((here, _), (nearer, _), (nearest, _)) = (at("8", ""), at("12", ""), at("16", ""));
    assert!(
        here < nearer && nearer < nearest,
        "a step towards the enemy is worth something: {here} {nearer} {nearest}"
    );
    let (none, one, two) = (at("8", ""), at("8", "\ndps = 1"), at("8", "\ndps = 2"));
    assert!(two.0 < one.0 && one.0 < none.0, "disorder costs: {two:?} {one:?} {none:?}");
    assert!(two.1 > one.1 && one.1 > none.1, "and the enemy gains by it: {two:?} {one:?} {none:?}");
    let routing = at("8", "\nstatus = \"routing\"\nformation = \"unformed\"");
    assert!(routing.0 < none.0 - 100 && routing.1 > none.1 + 100, "a rout costs much: {routing:?} {none:?}");
}

#[test]
fn a_move_not_yet_made_is_worth_something_and_a_place_counts_for_whoever_would_hold_it_at_the_end_of_the_turn() {
    use sabretache_engine::ids::Side;
    let worth = |changes: &[(&str, &str)]| {
        let battle = plain(changes);
        (Malbrook::worth(&battle, Side::A), Malbrook::worth(&battle, Side::B))
    };
    // Under its leader's eye and free to go; or with its move behind it.
    let near = ("at = [15, 1]", "at = [20, 5]");
    let free = "at = [20, 8]\nfacing = 0\nmarks = { control = \"free\" }";
    let moves = worth(&[near, ("at = [20, 8]\nfacing = 0\nmarks = { done = true }", free)]);
    let done = worth(&[near]);
    assert!(moves.0 > done.0, "who stands gives up what he could march: {moves:?} {done:?}");
    assert_eq!(moves.1, done.1, "that is his own affair");
    // The second foot stands in the place alone, whoever held it last.
    let place = |held: &str, x: u8| {
        let hill = format!(
            "turns = 12\nobjectives = [{{ id = \"hill\", name = \"The hill\", area = [[{x}, 6], [{}, 6], [{x}, 9]], points = 3{held} }}]",
            x + 4
        );
        worth(&[("turns = 12", hill.as_str())])
    };
    let (theirs, ours) = (place(", held = \"french\"", 18), place(", held = \"allies\"", 18));
    assert_eq!(theirs, ours, "he who is there alone has it");
    let (away, lost) = (place(", held = \"allies\"", 28), place(", held = \"french\"", 28));
    assert!(away.0 > lost.0 + 300 && away.1 < lost.1 - 300, "where nobody is, its last holder: {away:?} {lost:?}");
}

#[test]
fn every_value_proposed_is_accepted() {
    for path in ["meeting", "ramillies"] {
        let path = format!("{}/../../scenarios/malbrook/{path}.toml", env!("CARGO_MANIFEST_DIR"));
        let document = Document::parse("scenario", std::fs::read_to_string(path).unwrap()).unwrap();
        let scenario = Scenario::<Body>::read(&document.json).unwrap();
        let mut battle = muster::<Malbrook>(&scenario).unwrap();
        let mut random = Seeded::new(7);
        let (mut offers, mut proposed) = (Vec::new(), 0);
        for turn in 0..400 {
            offers.clear();
            Malbrook::offers(&battle, &mut offers);
            if turn % 8 == 0 {
                for offer in &offers {
                    let mut values = Vec::new();
                    Malbrook::proposals(&battle, offer, &mut values);
                    let input = Malbrook::input(&battle, offer);
                    for value in &values {
                        assert!(input.fits(value), "{}: {value:?}", Malbrook::key(&battle, offer));
                    }
                    proposed += values.len();
                }
            }
            let Some(choice) = sabretache_engine::playout::random_choice::<Malbrook>(&battle, &mut offers, &mut random)
            else {
                break;
            };
            let mut dice = Seeded::new(turn);
            Malbrook::resolve(&mut Resolution::new(&mut battle, &mut dice), &choice).unwrap();
        }
        assert!(proposed > 100, "{proposed}");
    }
}

#[test]
fn a_crowd_that_loses_a_base_does_not_close_up_on_to_whoever_stands_between_its_bases() {
    tests_clauses!(MB_MOR_04);
    // Hussars ride as a crowd of two: bases of 1.25 inches with a quarter of an inch between, at whose front the corner
    // of an enemy column stands in the gap.
    let battle = plain(&[
        ("at = [58, 8]\nfacing = 0", "at = [40, 26]\nfacing = 0\nstatus = \"pursuing\"\nformation = \"unformed\""),
        ("at = [20, 44]\nfacing = 180", "at = [40.354, 26.254]\nfacing = 135\nformation = \"field-column\"\nfiles = 1"),
    ]);
    let hussars = unit(&Malbrook::view(&battle), "au").id;
    let mut after = battle;
    let event = Event::Suffered { unit: hussars, dps: 0, casualties: 1, cause: Cause::Combat, by: None, converted: 0 };
    Malbrook::apply(&mut after, &event);
    Malbrook::check(&after).unwrap_or_else(|broken| panic!("{broken}"));
}

#[test]
fn leaders_lost_are_worth_what_their_rank_is_to_the_other_side() {
    tests_clauses!(MB_VIC_04);
    let points = |changes: &[(&str, &str)]| {
        let score = Malbrook::view(&plain(changes)).score;
        score.into_iter().find(|line| line.name == "points").unwrap().values
    };
    let of = |ours: &str, theirs: &str| (ours.to_owned(), theirs.to_owned());
    assert_eq!(points(&[]), of("0", "0"));
    let french_general = ("at = [15, 47]", "at = [15, 47]\nlost = true");
    assert_eq!(points(&[french_general]), of("1", "0"), "a Major General of the French");
    assert_eq!(points(&[("at = [36, 47]", "at = [36, 47]\nlost = true")]), of("5", "0"), "their Marshal");
    assert_eq!(points(&[("at = [34, 1]", "at = [34, 1]\nlost = true")]), of("0", "2"), "a Lieutenant General of ours");
    assert_eq!(points(&[french_general, ("at = [50, 47]", "at = [50, 47]\nlost = true")]), of("2", "0"));
}

#[test]
fn a_dp_that_a_brigade_could_not_bear_is_told_as_the_base_it_cost() {
    tests_clauses!(MB_MOR_02);
    let battle = plain(&[]);
    let foot = unit(&Malbrook::view(&battle), "a2").id;
    let told = |casualties: u8, converted: u8| {
        let event = Event::Suffered { unit: foot, dps: 0, casualties, cause: Cause::Fire, by: None, converted };
        Malbrook::tell(&battle, &event).text
    };
    assert!(told(1, 1).contains("1 DP more than it can bear is a base lost"), "{}", told(1, 1));
    assert!(!told(1, 0).contains("bear"), "{}", told(1, 0));
}
