//! What each side sees with hidden movement, and who may write to whom.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests stop at the first thing that is not as it should be")]

use sabretache_engine::dice::Seeded;
use sabretache_engine::eyes::Eyes;
use sabretache_engine::ids::{Named, OfficerId, Side};
use sabretache_engine::log::{DiceSource, Enforcement};
use sabretache_engine::offer::{Choice, Input, Value};
use sabretache_engine::resolution::Resolution;
use sabretache_engine::ruleset::Ruleset;
use sabretache_engine::session::{Declined, Order, Seat, Session, Setup};
use sabretache_engine::tests_clauses;
use sabretache_engine::view::View;
use sabretache_malbrook::clauses::{MB_ORD_01, MB_UMP_03, MB_UMP_04};
use sabretache_malbrook::{Battle, Malbrook};
use sabretache_table::{Angle, Length};

use crate::plain::plain;

const WOOD: (&str, &str) =
    ("area = [[60, 20], [70, 20], [70, 28], [60, 28]]", "area = [[14, 13], [26, 13], [26, 18], [14, 18]]");
const HIDDEN: (&str, &str) = ("[table]", "[options]\nhidden = true\n\n[table]");
const LIMITED: (&str, &str) = (
    "[table]",
    "[options]\nhidden = true\nlimited = true\n\n[[players]]\nname = \"Eugene\"\nside = \"allies\"\nleaders = [\"marshal\", \
     \"wing\", \"foot\"]\n\n[[players]]\nname = \"Lottum\"\nside = \"allies\"\nleaders = [\"horse\"]\n\n[table]",
);

fn units(view: &View) -> Vec<&str> {
    view.units.iter().map(|unit| unit.key.as_str()).collect()
}

fn officers(view: &View) -> Vec<&str> {
    view.officers.iter().map(|officer| officer.key.as_str()).collect()
}

#[test]
fn a_brigade_in_a_wood_is_seen_by_its_own_side_and_the_umpire() {
    tests_clauses!(MB_UMP_03);
    let battle = plain(&[WOOD, HIDDEN, ("at = [20, 44]", "at = [20, 15.5]")]);
    assert!(units(&Malbrook::view_for(&battle, Eyes::All)).contains(&"f2"));
    assert!(units(&Malbrook::view_for(&battle, Eyes::Side(Side::B))).contains(&"f2"));
    assert!(!units(&Malbrook::view_for(&battle, Eyes::Side(Side::A))).contains(&"f2"));
    assert!(!units(&Malbrook::view_for(&battle, Eyes::Common)).contains(&"f2"));
    // Known to the enemy, it is seen by all; with the option off nothing is hidden.
    let known = plain(&[WOOD, HIDDEN, ("at = [20, 44]", "known = true\nat = [20, 15.5]")]);
    assert!(units(&Malbrook::view_for(&known, Eyes::Side(Side::A))).contains(&"f2"));
    assert!(units(&Malbrook::view_for(&known, Eyes::Common)).contains(&"f2"));
    let open = plain(&[WOOD, ("at = [20, 44]", "at = [20, 15.5]")]);
    assert!(!Malbrook::conceals(&open) && units(&Malbrook::view_for(&open, Eyes::Side(Side::A))).contains(&"f2"));
}

#[test]
fn a_gun_that_has_fired_shows_itself() {
    tests_clauses!(MB_UMP_03);
    let fired = (
        "at = [30, 44]\nfacing = 180\nmarks = { done = true }",
        "at = [20, 15.5]\nfacing = 180\nmarks = { done = true, fired_close = true }",
    );
    let silent = ("at = [30, 44]", "at = [20, 15.5]");
    let seen =
        |change| units(&Malbrook::view_for(&plain(&[WOOD, HIDDEN, change]), Eyes::Side(Side::A))).contains(&"fg");
    assert!(!seen(silent) && seen(fired));
}

#[test]
fn a_leader_is_seen_with_his_brigade_or_in_the_open() {
    tests_clauses!(MB_UMP_03);
    let eyes = Eyes::Side(Side::A);
    let in_wood = ("at = [20, 44]", "at = [20, 15.5]");
    // With the hidden brigade he is hidden; alone deep in the wood too; in the open 20 inches off he is seen.
    let with = plain(&[WOOD, HIDDEN, in_wood, ("at = [15, 47]", "at = [20, 16]\nattached = \"f2\"")]);
    assert!(!officers(&Malbrook::view_for(&with, eyes)).contains(&"pied"));
    let deep = plain(&[WOOD, HIDDEN, in_wood, ("at = [15, 47]", "at = [20, 15.9]")]);
    assert!(!officers(&Malbrook::view_for(&deep, eyes)).contains(&"pied"));
    let open = plain(&[WOOD, HIDDEN, in_wood, ("at = [15, 47]", "at = [30, 28]")]);
    assert!(officers(&Malbrook::view_for(&open, eyes)).contains(&"pied"));
    assert!(Malbrook::sees(&open, eyes, Named::Officer(OfficerId(5))));
}

#[test]
fn orders_are_for_those_who_have_them() {
    tests_clauses!(MB_UMP_03, MB_ORD_01);
    let ordered =
        ("rank = \"marshal\"\nat = [36, 47]", "rank = \"marshal\"\norder = { kind = \"attack\" }\nat = [36, 47]");
    let battle = plain(&[HIDDEN, ordered]);
    let lines = |eyes| {
        let view = Malbrook::view_for(&battle, eyes);
        view.commands.iter().filter(|one| one.side == Side::B).map(|one| one.lines.len()).sum::<usize>()
    };
    assert_eq!((lines(Eyes::All), lines(Eyes::Side(Side::B)), lines(Eyes::Side(Side::A))), (1, 1, 0));
}

#[test]
fn a_wing_s_player_does_not_see_an_enemy_whom_only_another_wing_sees() {
    tests_clauses!(MB_UMP_04);
    // A ridge of woods runs between the wings: the French brigade is known, and only the horse, Lottum's, see it.
    let between = ("area = [[60, 20], [70, 20], [70, 28], [60, 28]]", "area = [[31, 2], [35, 2], [35, 46], [31, 46]]");
    let known = ("at = [58, 44]", "known = true\nat = [45, 30]");
    let marshals = [("at = [36, 1]", "at = [20, 1]"), ("at = [34, 1]", "at = [22, 1]")];
    let eyes = Eyes::Side(Side::A);
    let with = |floor: &str| {
        let state = format!("[state]\nfloor = {floor}");
        plain(&[between, LIMITED, known, marshals[0], marshals[1], ("[state]", state.as_str())])
    };
    assert!(!units(&Malbrook::view_for(&with("0"), eyes)).contains(&"fu"), "Eugene has the floor");
    assert!(units(&Malbrook::view_for(&with("1"), eyes)).contains(&"fu"), "Lottum has the floor");
    // The umpire sees everything, and so does the side's own enemy of its own.
    assert!(units(&Malbrook::view_for(&with("0"), Eyes::All)).contains(&"fu"));
}

#[test]
fn players_who_know_little_of_each_other_write_when_their_leaders_touch_or_by_messenger() {
    tests_clauses!(MB_UMP_04);
    let apart = plain(&[LIMITED]);
    let refused = Malbrook::may_write(&apart, Side::A, "Eugene", "Lottum").unwrap_err();
    assert_eq!(refused.clause, MB_UMP_04);
    // Leaders' bases are an inch across: they touch with their middles an inch apart, and not a quarter inch further.
    let touching = plain(&[LIMITED, ("at = [50, 1]", "at = [37, 1]")]);
    assert!(Malbrook::may_write(&touching, Side::A, "Eugene", "Lottum").is_ok());
    let short = plain(&[LIMITED, ("at = [50, 1]", "at = [37.25, 1]")]);
    assert!(Malbrook::may_write(&short, Side::A, "Eugene", "Lottum").is_err());
    // Without the option they write as they please; and each side has its own players.
    let free = plain(&[(LIMITED.0, &LIMITED.1.replace("limited = true\n", ""))]);
    assert!(Malbrook::may_write(&free, Side::A, "Eugene", "Lottum").is_ok());
    assert_eq!(Malbrook::players(&free, Side::A), ["Eugene", "Lottum"]);
    assert!(Malbrook::players(&free, Side::B).is_empty());
}

#[test]
fn a_note_goes_with_a_messenger_who_has_reached_one_of_the_readers_leaders() {
    tests_clauses!(MB_UMP_04);
    // From the Lieutenant General, Eugene's, to the Major General of horse, Lottum's; leaders are @0 to @3 in the file's order.
    let with = |dispatch: &str| {
        let state = format!("[state]\ndispatches = [{dispatch}]");
        plain(&[LIMITED, ("[state]", state.as_str())])
    };
    let from = |by: &str, to: &str, how: &str| {
        format!(
            "{{ id = 1, by = \"{by}\", to = \"{to}\", word = {{ orders = {{ kind = \"attack\" }} }}, turn = 1{how} }}"
        )
    };
    let rides = ", rider = { x = 508000, y = 25400 }";
    let writes =
        |dispatch: String, from: &str, to: &str| Malbrook::may_write(&with(&dispatch), Side::A, from, to).is_ok();
    // On his way he brings nothing yet; arrived, he does, and when he was heard too; so does a word said in person.
    assert!(!writes(from("@1", "@3", rides), "Eugene", "Lottum"));
    assert!(writes(from("@1", "@3", &format!("{rides}, arrived = true")), "Eugene", "Lottum"));
    assert!(writes(from("@1", "@3", &format!("{rides}, heard = true")), "Eugene", "Lottum"));
    assert!(writes(from("@1", "@3", ""), "Eugene", "Lottum"));
    // He brings no answer back, and nothing to those whose leader he did not ride to.
    assert!(!writes(from("@1", "@3", &format!("{rides}, arrived = true")), "Lottum", "Eugene"));
    assert!(!writes(from("@1", "@2", &format!("{rides}, arrived = true")), "Eugene", "Lottum"));
}

/// Every offer of the deciding side by its key, with its limits.
fn all_offers(battle: &Battle) -> Vec<(String, Input)> {
    let mut offers = Vec::new();
    Malbrook::offers(battle, &mut offers);
    offers.iter().map(|offer| (Malbrook::key(battle, offer), Malbrook::input(battle, offer))).collect()
}

fn choose(battle: &mut Battle, key: &str, value: Value, faces: u64) {
    let mut offers = Vec::new();
    Malbrook::offers(battle, &mut offers);
    let offer = offers.into_iter().find(|offer| Malbrook::key(battle, offer) == key);
    let offer = offer.unwrap_or_else(|| panic!("there is no '{key}'"));
    let choice = Choice { offer, value };
    Malbrook::resolve(&mut Resolution::new(battle, &mut Seeded::new(faces)), &choice).unwrap();
    assert_eq!(Malbrook::check(battle), Ok(()));
}

/// The foot a2 at [20, 8] with dice rolled, and a brigade of two bases at a place in a wood behind a screen of its own: hidden.
fn ambush(at: &str, mover: &[(&str, &str)]) -> Battle {
    let place = format!("known = false\nbases = 2\nunder = \"cheval\"\nat = {at}");
    let mut changes = vec![
        ("area = [[60, 20], [70, 20], [70, 28], [60, 28]]", "area = [[10, 1], [36, 1], [36, 24], [10, 24]]"),
        HIDDEN,
        ("bases = 2\nunder = \"cheval\"\nat = [58, 44]", place.as_str()),
    ];
    changes.extend(mover);
    plain(&changes)
}

fn same_offers(with: &Battle, without: &Battle, place: &str) {
    let (with, without) = (all_offers(with), all_offers(without));
    for (one, other) in with.iter().zip(&without) {
        assert_eq!(one, other, "enemy at {place}");
    }
    assert_eq!(with.len(), without.len(), "enemy at {place}");
}

const FREE: (&str, &str) =
    ("at = [20, 8]\nfacing = 0\nmarks = { done = true }", "at = [20, 8]\nfacing = 0\nmarks = { control = \"free\" }");

#[test]
fn hidden_enemy_are_not_given_away_by_what_is_offered() {
    tests_clauses!(MB_UMP_03);
    for place in ["[20, 12.2]", "[25.6, 8]", "[15.5, 11]", "[20, 3.5]", "[24.5, 10.5]", "[25, 4]"] {
        for seed in 0..3 {
            let (mut with, mut without) = (ambush(place, &[FREE]), ambush("[58, 44]", &[FREE]));
            same_offers(&with, &without, place);
            for battle in [&mut with, &mut without] {
                choose(battle, "roll a2 1a", Value::None, seed);
            }
            same_offers(&with, &without, place);
        }
    }
}

#[test]
fn whatever_comes_upon_hidden_enemy_halts_two_inches_off_and_they_show_themselves() {
    tests_clauses!(MB_UMP_03);
    let tries = [
        ("[23.4, 11.6]", "wheel a2", Value::Wheel(Angle::degrees(-28)), true),
        ("[24.4, 10.5]", "incline a2 right", Value::Distance(Length::inch_fraction(9, 10)), true),
        ("[25.7, 7.6]", "step a2 right", Value::Distance(Length::inches(1)), false),
        ("[20, 3.2]", "form a2", Value::Formation("march column".into()), false),
        ("[20, 11.5]", "advance a2", Value::Distance(Length::inches(2)), true),
    ];
    for (place, key, value, rolls) in tries {
        let mut battle = ambush(place, &[FREE]);
        let mut open = ambush("[58, 44]", &[FREE]);
        for battle in [&mut battle, &mut open] {
            // A roll of 4 or 5: the same for both.
            if rolls {
                let seed = (0..99).find(|seed| {
                    let mut trial = battle.clone();
                    choose(&mut trial, "roll a2 1a", Value::None, *seed);
                    let most =
                        all_offers(&trial).into_iter().find(|(key, _)| key == "advance a2").map(|(_, input)| input);
                    matches!(most, Some(Input::Distance { most, .. }) if most == Length::inches(2))
                });
                choose(battle, "roll a2 1a", Value::None, seed.unwrap());
            }
            choose(battle, key, value.clone(), 1);
        }
        let seen =
            |battle: &Battle| Malbrook::save(battle).body.units.into_iter().find(|unit| unit.id == "fu").unwrap();
        let (here, there) = (view_of(&battle, "a2"), view_of(&open, "a2"));
        assert!(seen(&battle).known, "{key}: the enemy at {place} shows himself");
        assert_ne!(here, there, "{key}: the move is cut short");
    }
}

#[test]
fn a_move_that_has_found_hidden_enemy_is_not_taken_back() {
    tests_clauses!(MB_UMP_03);
    let allies = Seat::Player(Side::A);
    // The step to the right ends before the enemy, or he stays hidden deep in the wood.
    for (place, found) in [("[25.7, 7.6]", true), ("[32, 21]", false)] {
        let mut scenario = Malbrook::save(&ambush(place, &[FREE]));
        // Those in the open have been seen before.
        scenario.body.units.iter_mut().filter(|unit| unit.id != "fu").for_each(|unit| unit.known = true);
        let (mut session, _) = Session::<Malbrook>::begin(
            &scenario,
            Setup { enforcement: Enforcement::Referee, dice: DiceSource::Seeded(1) },
        )
        .unwrap();
        let value = Value::Distance(Length::inches(1));
        session.choose(allies, &Order { offer: "step a2 right".into(), value, ..Order::default() }).unwrap();
        match session.undo(allies) {
            Err(Declined::NoUndo(why)) if found => assert!(why.contains("seen"), "{why}"),
            other => assert!(other.is_ok() && !found, "enemy at {place}: {other:?}"),
        }
    }
}

/// Where a unit stands, in what formation.
fn view_of(battle: &Battle, id: &str) -> String {
    let unit = Malbrook::save(battle).body.units.into_iter().find(|unit| unit.id == id).unwrap();
    format!("{:?} {:?} {:?}", unit.at, unit.facing, unit.formation)
}
