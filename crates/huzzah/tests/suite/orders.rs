#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what it did not expect")]
//! What drills cannot say about orders, scales and moves: choices that no offer stands for, warnings, and the words.

use std::fs;
use std::path::Path;

use sabretache_engine::dice::Scripted;
use sabretache_engine::forecast::leads;
use sabretache_engine::handle::Handle;
use sabretache_engine::ids::{CommandId, OfficerId, UnitId};
use sabretache_engine::odds::Chance;
use sabretache_engine::offer::{Choice, Halt, Lead, Value};
use sabretache_engine::resolution::Resolution;
use sabretache_engine::ruleset::Ruleset as _;
use sabretache_engine::scenario::{Diagnostics, Document, Scenario, Severity};
use sabretache_engine::session::odds_of_choice;
use sabretache_engine::tests_clauses;
use sabretache_huzzah::Huzzah;
use sabretache_huzzah::battle::Battle;
use sabretache_huzzah::body::Body;
use sabretache_huzzah::clauses::*;
use sabretache_huzzah::event::Event;
use sabretache_huzzah::muster::muster;
use sabretache_huzzah::offer::Offer;
use sabretache_huzzah::phases::advance::offers::Advance;
use sabretache_huzzah::phases::manoeuvre::offers::Manoeuvre;
use sabretache_huzzah::phases::orders::offers::Orders;
use sabretache_huzzah::phases::{orders, threat};
use sabretache_huzzah::state::Addressee;
use sabretache_huzzah::table::Field;
use sabretache_huzzah::troops::Order;
use sabretache_table::Angle;

/// The text of a position of the drills.
fn text(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../drills/huzzah/positions").join(name);
    fs::read_to_string(path).unwrap()
}

/// Lays a scenario out; what is unusual about it comes along.
fn laid_out(text: String) -> (Battle, Diagnostics) {
    let document = Document::parse("test.toml", text).unwrap();
    let scenario = Scenario::<Body>::read(&document.json).unwrap_or_else(|report| panic!("{report}"));
    let mut report = Diagnostics::new();
    let battle = muster(&scenario, &mut report).unwrap_or_else(|| panic!("{report}"));
    (battle, report)
}

fn two_brigades() -> Battle {
    laid_out(text("two-brigades.toml")).0
}

/// Makes a choice; the events, or why not.
fn choose(battle: &mut Battle, offer: Offer, value: Value, faces: &[u8]) -> Result<Vec<Event>, Halt> {
    let mut dice = Scripted::new(faces);
    let mut events = Vec::new();
    let mut play = Resolution::<Huzzah>::new(battle, &mut dice).events_only(&mut events);
    Huzzah::resolve(&mut play, &Choice { offer, value })?;
    assert!(dice.left().is_empty(), "dice are left over");
    Ok(events)
}

#[test]
fn the_odds_of_an_order_have_a_chain_for_what_its_dice_mean_and_not_for_every_total() {
    let battle = two_brigades();
    let mut offers = Vec::new();
    Huzzah::offers(&battle, &mut offers);
    let order = offers
        .into_iter()
        .find(|offer| matches!(offer, Offer::Orders(Orders::Order { order: Order::Advance, .. })))
        .unwrap();
    let odds = odds_of_choice::<Huzzah>(&battle, &Choice { offer: order, value: Value::None }).unwrap();
    assert_eq!(odds.branches, 3, "a Huzzah!, obeyed, failed");
    assert_eq!(odds.total(), Some(Chance::CERTAIN));
}

#[test]
fn before_an_order_is_given_it_is_told_how_far_whoever_obeys_could_go() {
    let battle = two_brigades();
    let mut offers = Vec::new();
    Huzzah::offers(&battle, &mut offers);
    let advances: Vec<Offer> = offers
        .iter()
        .filter(|offer| {
            matches!(offer, Offer::Orders(Orders::Order { order: Order::Advance, to: Addressee::Unit(_), .. }))
        })
        .copied()
        .collect();
    let mut obeyed = 0;
    for offer in advances {
        let Offer::Orders(Orders::Order { to: Addressee::Unit(unit), .. }) = offer else { continue };
        let told = leads::<Huzzah>(&battle, &Choice { offer, value: Value::None });
        // Three obeys, and is no Huzzah!: what may be done then is what was told before.
        let mut after = battle.clone();
        choose(&mut after, offer, Value::None, &[1, 2]).unwrap();
        let mut open = Vec::new();
        Huzzah::offers(&after, &mut open);
        let mut then = Vec::new();
        for one in &open {
            let handling = Huzzah::handling(&after, one);
            if handling.act == "advance" {
                let input = Huzzah::input(&after, one);
                then.push(Lead { act: handling.act.to_owned(), input, handle: handling.handle });
            }
        }
        if then.iter().any(|lead| matches!(lead.handle, Handle::Along { unit: moved, .. } if moved == unit)) {
            assert_eq!(told, then);
            obeyed += 1;
        }
    }
    assert!(obeyed > 0);
    // An order that leads to no move tells of none.
    let end = offers.iter().find(|offer| Huzzah::handling(&battle, offer).leads_to.is_none()).copied().unwrap();
    assert!(leads::<Huzzah>(&battle, &Choice::plain(end)).is_empty());
}

fn refusal(result: Result<Vec<Event>, Halt>) -> sabretache_engine::clause::Clause {
    match result {
        Err(Halt::Refused(refusal)) => refusal.clause,
        other => panic!("not refused: {other:?}"),
    }
}

const FOY: OfficerId = OfficerId(1);
const BRIGADE: Addressee = Addressee::Group(CommandId(1));

#[test]
fn appointing_and_rearming_are_no_orders_of_a_brigadier() {
    tests_clauses!(HZ_ORD_01, HZ_ORD_36);
    for order in [Order::Rearm, Order::Appoint] {
        let offer = Offer::from(Orders::Order { officer: FOY, to: BRIGADE, order });
        assert_eq!(refusal(choose(&mut two_brigades(), offer, Value::None, &[])), HZ_ORD_36);
    }
    for order in [Order::Advance, Order::Retire, Order::Manoeuvre, Order::Deploy] {
        let battle = two_brigades();
        assert_eq!(orders::may_order(&Field::of(&battle), FOY, BRIGADE, order), Ok(()), "{order}");
    }
}

#[test]
fn no_dice_fall_before_officer_addressee_and_order_are_named() {
    tests_clauses!(HZ_ORD_27);
    let battle = two_brigades();
    let mut offers = Vec::new();
    Huzzah::offers(&battle, &mut offers);
    // Every offer that rolls names all three, in its key and in its words.
    let mut named = 0;
    for offer in &offers {
        if let Offer::Orders(Orders::Order { officer, to, order }) = *offer {
            let (key, label) = (Huzzah::key(&battle, offer), Huzzah::label(&battle, offer).text);
            let whom = match to {
                Addressee::Unit(id) => battle.facts(id).name.clone(),
                Addressee::Group(id) => battle.command_facts(id).name.clone(),
            };
            assert!(key.contains(order.word()), "{key}");
            for part in [battle.officer_facts(officer).name.as_str(), &whom, order.word()] {
                assert!(label.contains(part), "{label} does not name {part}");
            }
            named += 1;
        }
    }
    assert!(named > 10);
    let keys: Vec<String> = offers.iter().map(|offer| Huzzah::key(&battle, offer)).collect();
    assert!(!keys.iter().any(|key| key == "order fr-b1"), "an order without its kind is no offer");
    // The order is stated before it is rolled for: with no dice at all it has been stated and nothing else.
    let mut battle = two_brigades();
    let mut dice = Scripted::default();
    let mut events = Vec::new();
    let mut play = Resolution::<Huzzah>::new(&mut battle, &mut dice).events_only(&mut events);
    let offer = Offer::from(Orders::Order { officer: FOY, to: BRIGADE, order: Order::Advance });
    assert!(matches!(Huzzah::resolve(&mut play, &Choice::plain(offer)), Err(Halt::Dice(_))));
    assert!(matches!(events.as_slice(), [Event::Ordered { officer: FOY, to: BRIGADE, order: Order::Advance, .. }]));
}

#[test]
fn the_scenario_states_the_size_of_the_table() {
    tests_clauses!(HZ_SCL_04);
    let (battle, report) = laid_out(text("two-brigades.toml"));
    assert_eq!(
        (battle.lay.table.width.to_string(), battle.lay.table.depth.to_string()),
        ("240cm".into(), "180cm".into())
    );
    assert!(report.is_empty(), "the standard table is nothing unusual: {report}");
    let wider = text("two-brigades.toml").replace("width = 240, depth = 180", "width = 300, depth = 200");
    assert!(laid_out(wider).1.is_empty(), "another size is as good");
    let none = text("two-brigades.toml").replace("table = { width = 240, depth = 180 }", "");
    let document = Document::parse("test.toml", none).unwrap();
    let report = Scenario::<Body>::read(&document.json).unwrap_err();
    assert!(report.to_string().contains("`table` is missing"), "{report}");
}

/// The clauses of the warnings in a report.
fn warnings(report: &Diagnostics) -> Vec<sabretache_engine::clause::Clause> {
    report.iter().filter(|one| one.severity == Severity::Warning).filter_map(|one| one.clause).collect()
}

#[test]
fn a_regiment_of_another_size_is_flagged_and_accepted() {
    tests_clauses!(HZ_SCL_10);
    let larger = text("two-brigades.toml").replace("basing = \"metre15\"", "basing = \"metre15\"\ncavalry_stands = 6");
    let (battle, report) = laid_out(larger.clone());
    assert!(report.is_empty(), "{report}");
    let dragoons = UnitId(2);
    assert_eq!(battle.facts(dragoons).stands, 6, "every regiment has the size that was picked");
    assert_eq!(battle.facts(UnitId(6)).stands, 6, "of both sides");
    let odd = larger.replacen("arm = \"cavalry\"", "arm = \"cavalry\"\nstands = 4", 1);
    let (battle, report) = laid_out(odd);
    assert_eq!(battle.facts(dragoons).stands, 4);
    assert_eq!(warnings(&report), [HZ_SCL_10]);
    assert!(report.to_string().contains("differs from the chosen size"), "{report}");
}

#[test]
fn a_game_too_large_for_one_evening_is_pointed_out_and_accepted() {
    tests_clauses!(HZ_SCL_15);
    let with = |units: usize, players: &str| {
        let mut text = text("two-brigades.toml");
        for n in 0..units - 4 {
            text += &format!(
                "\n[[units]]\nid = \"fr-x{n}\"\nname = \"X{n}\"\ncommand = \"fr-b1\"\narm = \"infantry\"\nquality = \"trained\"\nformation = \"column\"\nat = [{}, 10]\nfacing = 0\n",
                10 + n * 8
            );
        }
        laid_out(text + players).1
    };
    assert!(warnings(&with(16, "")).is_empty(), "sixteen units are what the guide allows");
    assert_eq!(warnings(&with(17, "")), [HZ_SCL_15]);
    let two = "\n[[players]]\nid = \"p\"\nname = \"P\"\nside = \"fr\"\ncommands = [\"fr-b1\"]\n";
    assert!(warnings(&with(17, two)).is_empty(), "two players share the load");
}

#[test]
fn a_shallow_table_is_told_what_band_would_suit_it() {
    tests_clauses!(HZ_SCL_02);
    // Four feet: a band of 1220 / 40 = 30.5 mm; at 5 cm heavy guns would reach right across.
    let shallow = text("two-brigades.toml").replace("depth = 180", "depth = 122").replace(", 160]", ", 100]");
    let shallow = shallow.replace(", 170]", ", 110]").replace(", 174]", ", 115]");
    let report = laid_out(shallow.clone()).1;
    assert_eq!(warnings(&report), [] as [sabretache_engine::clause::Clause; 0], "122 cm are more than 120");
    let report = laid_out(shallow.replace("depth = 122", "depth = 118")).1;
    assert_eq!(warnings(&report), [HZ_SCL_02]);
    assert!(report.to_string().contains("about 30 mm"), "{report}");
}

#[test]
fn what_a_millimetre_stands_for_changes_nothing() {
    tests_clauses!(HZ_SCL_16);
    // The same stands under a scheme to the metre and one to the pace: four of 30 by 15 mm.
    let near = text("two-brigades.toml").replacen("at = [60, 160]", "at = [60, 42]", 1);
    let near = near.replace("arm = \"infantry\"", "arm = \"infantry\"\nstands = 4");
    let near = near.replace("arm = \"cavalry\"", "arm = \"cavalry\"\nstands = 6");
    let near = near.replace("arm = \"artillery\"", "arm = \"artillery\"\nstands = 3");
    let metre = laid_out(near.clone()).0;
    let pace = laid_out(near.replace("metre15", "pace15")).0;
    assert_eq!(threat::list(&metre), threat::list(&pace));
    assert!(!threat::list(&metre).is_empty(), "somebody is threatened");
    let offers = |battle: &Battle| {
        let mut offers = Vec::new();
        Huzzah::offers(battle, &mut offers);
        offers
    };
    assert_eq!(offers(&metre), offers(&pace));
}

#[test]
fn moves_are_told_as_one_would_call_them() {
    let line = UnitId(1);
    let told = |battle: &Battle, order: Order, offer: Offer, value: Value| {
        let mut battle = battle.clone();
        choose(&mut battle, self::order(order, line), Value::None, &[2, 2]).unwrap();
        let mut before = battle.clone();
        let events = choose(&mut battle, offer, value, &[]).unwrap();
        let mut told = Vec::new();
        for event in &events {
            told.push(Huzzah::tell(&before, event));
            Huzzah::apply(&mut before, event);
        }
        told.into_iter().map(|one| format!("{} {:?}", one.text, one.clauses)).collect::<Vec<_>>().join("\n")
    };
    let battle = two_brigades();
    let wheel = told(&battle, Order::Manoeuvre, Manoeuvre::Wheel(line).into(), Value::Wheel(Angle::hundredths(-2450)));
    assert!(wheel.contains("wheels 24.5° to the left") && wheel.contains("HZ-MAN-01"), "{wheel}");
    let about = told(&battle, Order::Manoeuvre, Manoeuvre::AboutFace(line).into(), Value::None);
    assert!(about.contains("turns about"), "{about}");
    let go = Advance::Go { unit: line, way: sabretache_huzzah::state::Way::Ahead, stretch: 0 }.into();
    let distance = Value::Distance("12.3456cm".parse().unwrap());
    let advance = told(&battle, Order::Advance, go, distance);
    assert!(advance.contains("advances 12.3cm") && advance.contains("HZ-ADV-05"), "{advance}");
}

/// An order of Foy's to a unit.
fn order(order: Order, unit: UnitId) -> Offer {
    Orders::Order { officer: FOY, to: Addressee::Unit(unit), order }.into()
}

#[test]
fn formations_have_the_size_of_their_stands() {
    tests_clauses!(HZ_DEP_08);
    use sabretache_huzzah::troops::Formation;
    // Width and depth in millimetres.
    let size = |basing: &str, unit: UnitId, formation: Formation| {
        let battle = laid_out(text("two-brigades.toml").replace("metre15", basing).replace("[80, 30]", "[90, 30]")).0;
        let footprint = &battle.facts(unit).footprints[formation.index()];
        (footprint.frontage().to_um() / 1_000, footprint.depth().to_um() / 1_000)
    };
    let (battalion, regiment, battery) = (UnitId(0), UnitId(2), UnitId(3));
    assert_eq!(size("metre15", battalion, Formation::Line), (120, 15));
    assert_eq!(size("metre15", battalion, Formation::OpenOrder), (120, 15));
    assert_eq!(size("metre15", battalion, Formation::Column), (60, 30));
    assert_eq!(size("metre15", battalion, Formation::MarchColumn), (30, 60));
    assert_eq!(size("metre15", battalion, Formation::Square), (45, 45));
    assert_eq!(size("metre15", battery, Formation::Line), (60, 40));
    assert_eq!(size("metre15", battery, Formation::MarchColumn), (30, 80));
    assert_eq!(size("universal", battalion, Formation::Square), (80, 80));
    assert_eq!(size("inch", battalion, Formation::Column), (50, 75));
    assert_eq!(size("inch", battalion, Formation::Square), (75, 75));
    assert_eq!(size("universal", regiment, Formation::Line), (240, 40));
    assert_eq!(size("universal", regiment, Formation::Column), (80, 120));
    assert_eq!(size("universal", regiment, Formation::MarchColumn), (40, 240));
}

#[test]
fn any_stand_may_anchor_any_place_of_the_new_formation() {
    tests_clauses!(HZ_DEP_10);
    use sabretache_huzzah::phases::deploy;
    use sabretache_huzzah::troops::Formation;
    // The line's front is centred on (80, 30): its stands at -4.5, -1.5, 1.5 and 4.5. The third as front left of a column: x 80 to 86.
    let battle = two_brigades();
    let field = Field::of(&battle);
    let placements: Vec<_> = deploy::placements(&field, UnitId(1), Formation::Column, false).collect();
    let front =
        |x: i32, y: i32| sabretache_table::Point::new(sabretache_table::Length::mm(x), sabretache_table::Length::mm(y));
    assert!(placements.iter().any(|pose| pose.at == front(830, 300)), "{placements:?}");
    // As rear left of it: a stand depth further ahead.
    assert!(placements.iter().any(|pose| pose.at == front(830, 315)));
    assert!(!placements.iter().any(|pose| pose.at == front(840, 300)), "some stand stays where it is");
    // Four stands, two files and two ranks: offsets -6, -3, 0, 3 and 6 to the side, 0 and 1.5 ahead.
    assert_eq!(placements.len(), 10);
}

#[test]
fn the_line_of_communication_is_the_road_nearest_the_middle_of_the_baseline() {
    tests_clauses!(HZ_GEO_23);
    let with = |ground: &str| {
        let battle = laid_out(text("two-brigades.toml") + ground).0;
        battle.lay.armies[0].communication
    };
    let at = |x: i32| sabretache_table::Point::new(sabretache_table::Length::cm(x), sabretache_table::Length::ZERO);
    let road = |x: i32| format!("\n[[ground]]\nkind = \"road\"\nline = [[{x}, 0], [{x}, 60]]\nwidth = 2\n");
    assert_eq!(with(""), at(120), "the middle without a road");
    assert_eq!(with(&(road(60) + &road(150))), at(150), "60 cm off against 30");
    assert_eq!(with(&(road(90) + &road(150))), at(90), "of two equally near the one on the player's left");
    let short = "\n[[ground]]\nkind = \"road\"\nline = [[130, 10], [130, 60]]\nwidth = 2\n";
    assert_eq!(with(short), at(120), "a road that never reaches the baseline does not count");
}

#[test]
fn a_battery_of_eight_guns_has_four_stands_to_the_pace() {
    tests_clauses!(HZ_SCL_11);
    let stands = |basing: &str, more: &str| {
        let guns = text("two-brigades.toml").replace("metre15", basing).replacen(
            "guns = \"medium\"",
            &format!("guns = \"medium\"\n{more}"),
            1,
        );
        // Wider lines need more room.
        let guns = guns.replace("[80, 30]", "[90, 30]").replace("[80, 160]", "[90, 160]").replace("[220, ", "[225, ");
        let battle = laid_out(guns).0;
        let battery = battle.facts(UnitId(3));
        (battery.stands, battery.footprints[0].frontage().to_um() / 1_000)
    };
    assert_eq!(stands("pace15", "gun_count = 8"), (4, 120));
    assert_eq!(stands("pace15", "gun_count = 6"), (3, 90));
    assert_eq!(stands("pace15", ""), (3, 90));
    assert_eq!(stands("pace15", "gun_count = 8\nstands = 2"), (2, 60), "what the file says of the stands goes before");
    assert_eq!(stands("metre15", "gun_count = 8"), (2, 60), "to the metre every battery has two");
}
