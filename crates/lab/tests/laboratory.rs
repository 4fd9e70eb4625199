//! Runs on the tiny ruleset: known answers, the same results whatever the threads, interrupted, resumed and in shards.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what it did not expect")]

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use sabretache_engine::erased::{AnyRuleset as _, Erased};
use sabretache_engine::ids::Side;
use sabretache_engine::log::{DiceSource, Enforcement};
use sabretache_engine::offer::Value;
use sabretache_engine::scenario::{Document, Scenario};
use sabretache_engine::session::{Order, Seat, Session, Setup};
use sabretache_lab::{
    AnyLaboratory as _, Bench, Bounds, Field, Found, Luck, Match, Pairs, Plan, Results, Shard, Watch, compare,
    fight_both, html, ladder, simulate, text, vary,
};
use sabretache_picket::Picket;
use sabretache_players::{Agreement, Fielded, Keyed, Skill};

const VOLLEY: &str = include_str!("../scenarios/volley.toml");
const FORD: &str = include_str!("../../picket/scenarios/ford.toml");
const DRILLED: [Skill; 2] = [Skill::DrillMaster; 2];
const RAW: [Skill; 2] = [Skill::Recruit; 2];

fn field(scenario: &str, sets: &[&str]) -> Box<dyn Field> {
    let document = Document::parse("x.toml", scenario).unwrap();
    let sets: Vec<String> = sets.iter().map(|set| (*set).to_owned()).collect();
    Fielded::<Picket>::PLAYERS.field(&vary(&document, None, &sets).unwrap()).unwrap()
}

fn run(field: &dyn Field, plan: &Plan) -> Results {
    simulate(field, plan, None, Watch::NOBODY).unwrap()
}

/// A volley that hits with an even chance, at a picket that never stands.
const COIN: [&str; 3] = ["PK-VOL-02.dice=1", "PK-VOL-02.hits_on=4", "units.r1.steadiness=2"];

#[test]
fn a_coin_flip_comes_out_even() {
    let field = field(VOLLEY, &COIN);
    let results = run(&*field, &Plan::new(4_000, DRILLED, 1));
    let won = results.won(Side::B);
    assert!(won.low <= 0.5 && 0.5 <= won.high && won.half_width() < 0.016, "{won}");
    assert_eq!(results.won(Side::A).count, 0.0);
    assert!((won.count + results.drawn().count - 4_000.0).abs() < 1e-9);
}

#[test]
fn the_interval_holds_the_truth_as_often_as_it_says() {
    let field = field(VOLLEY, &COIN);
    let holds = |seed: &u64| {
        let won = run(&*field, &Plan::new(100, DRILLED, *seed)).won(Side::B);
        won.low <= 0.5 && 0.5 <= won.high
    };
    let held = (0..100).filter(holds).count();
    assert!((89..=100).contains(&held), "{held} of 100");
}

#[test]
fn one_engagement_comes_out_at_its_exact_odds() {
    let scenario = Scenario::read(&Document::parse("x.toml", VOLLEY).unwrap().json).unwrap();
    let setup = Setup { enforcement: Enforcement::Referee, dice: DiceSource::Seeded(1) };
    let (session, _) = Session::<Picket>::begin(&scenario, setup).unwrap();
    let odds = session.odds("fire", &Value::None).unwrap();
    let exact = odds.chance_that(|outcome| outcome.contains("falls back")).unwrap().value();
    assert!((0.05..0.95).contains(&exact), "{exact}");
    let won = run(&*field(VOLLEY, &[]), &Plan::new(4_000, DRILLED, 2)).won(Side::B);
    assert!(won.low <= exact && exact <= won.high, "{exact} and {won}");
}

#[test]
fn luck_is_taken_out_without_bias() {
    // Of 60 battles of the ford each; the truth is taken from a run of 20,000.
    let field = field(FORD, &[]);
    let truth = run(&*field, &Plan::new(20_000, RAW, 100)).points().value;
    let holds = |seed: &u64| {
        let plan = Plan { luck: Luck::Reckoned, ..Plan::new(60, RAW, *seed) };
        let adjusted = run(&*field, &plan).without_luck().unwrap();
        (adjusted.value - truth).abs() <= adjusted.within + 0.007
    };
    let held = (0..100).filter(holds).count();
    assert!((89..=100).contains(&held), "{held} of 100 intervals hold {truth}");
}

#[test]
fn where_dice_decide_alone_nothing_of_chance_is_left() {
    let field = field(VOLLEY, &COIN);
    let results = run(&*field, &Plan { luck: Luck::Reckoned, ..Plan::new(200, DRILLED, 1) });
    let adjusted = results.without_luck().unwrap();
    // B wins every other battle and the rest are drawn: a quarter of the points for A.
    assert!((adjusted.value - 0.25).abs() <= adjusted.within + 1e-9, "{adjusted:?}");
    assert!(adjusted.factor > 1.2, "{adjusted:?}");
    assert_eq!(run(&*field, &Plan::new(200, DRILLED, 1)).without_luck(), None, "it is reckoned only when asked for");
}

fn bytes(folder: &Path) -> Vec<Vec<u8>> {
    let names = ["battles.csv", "units.csv", "battles.parquet", "units.parquet", "report.html", "summary.txt"];
    names.iter().map(|name| fs::read(folder.join(name)).unwrap()).collect()
}

#[test]
fn the_same_seed_gives_the_same_files_on_one_thread_and_on_several() {
    let field = field(FORD, &[]);
    let folders = [1, 3].map(|threads| {
        let folder = tempfile::tempdir().unwrap();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let plan = Plan::new(80, [Skill::DrillMaster, Skill::Recruit], 9);
        pool.install(|| simulate(&*field, &plan, Some(folder.path()), Watch::NOBODY)).unwrap();
        folder
    });
    assert_eq!(bytes(folders[0].path()), bytes(folders[1].path()));
}

#[test]
fn a_run_that_was_interrupted_and_torn_comes_out_as_if_it_had_not_been() {
    let field = field(FORD, &[]);
    let plan = Plan::new(150, RAW, 4);
    let whole = tempfile::tempdir().unwrap();
    let all = simulate(&*field, &plan, Some(whole.path()), Watch::NOBODY).unwrap();

    let folder = tempfile::tempdir().unwrap();
    let stop = AtomicBool::new(false);
    let progress = |progress: sabretache_lab::Progress| stop.store(progress.done >= 20, Ordering::Relaxed);
    let watch = Watch { progress: &progress, stop: &stop };
    let some = simulate(&*field, &plan, Some(folder.path()), watch).unwrap();
    assert!(some.battles.len() >= 20 && some.battles.len() < 150, "{}", some.battles.len());
    let journal = folder.path().join("fought.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    fs::write(&journal, &text[..text.len() - 7]).unwrap();
    let resumed = simulate(&*field, &plan, Some(folder.path()), Watch::NOBODY).unwrap();
    assert_eq!(resumed, all);
    assert_eq!(bytes(folder.path()), bytes(whole.path()));

    let other = Plan { seed: 5, ..plan };
    let refused = simulate(&*field, &other, Some(folder.path()), Watch::NOBODY).unwrap_err();
    assert!(refused.to_string().contains("holds another run"), "{refused}");
}

#[test]
fn shards_make_the_same_report_as_the_whole() {
    let field = field(FORD, &[]);
    let plan = Plan { luck: Luck::Reckoned, ..Plan::new(100, RAW, 11) };
    let whole = run(&*field, &plan);
    let folders: Vec<_> = (1..=3)
        .map(|index| {
            let folder = tempfile::tempdir().unwrap();
            let plan = Plan { shard: Shard { index, of: 3 }, ..plan.clone() };
            simulate(&*field, &plan, Some(folder.path()), Watch::NOBODY).unwrap();
            folder
        })
        .collect();
    let paths: Vec<_> = folders.iter().rev().map(|folder| folder.path().to_owned()).collect();
    let merged = Results::read(&paths).unwrap();
    assert_eq!(merged, whole);
    assert_eq!(html(&merged), html(&whole));
    assert!(Results::read(&[folders[0].path().join("battles.parquet")]).is_err(), "the units are missing");
    let other = run(&*field, &Plan { seed: 12, ..plan });
    let folder = tempfile::tempdir().unwrap();
    other.write(folder.path()).unwrap();
    let mixed = Results::read(&[paths[0].clone(), folder.path().to_owned()]).unwrap_err();
    assert!(mixed.to_string().contains("another run"), "{mixed}");
}

#[test]
fn a_run_ends_when_the_interval_is_narrow_enough() {
    let plan = Plan { until: Some(0.05), ..Plan::new(100_000, DRILLED, 3) };
    let results = run(&*field(VOLLEY, &[]), &plan);
    let half = results.won(Side::A).half_width();
    assert!(half <= 0.05 && results.battles.len() < 2_000, "{} battles, ± {half}", results.battles.len());
}

#[test]
fn variants_that_differ_are_told_apart_and_equal_ones_are_not() {
    let plan = Plan::new(4_096, DRILLED, 6);
    let even = field(VOLLEY, &COIN);
    let strong = field(VOLLEY, &[COIN[0], "PK-VOL-02.hits_on=3", COIN[2]]);
    // The same scenario twice, with the same dice, is the same battle twice.
    let (a, b, same) = fight_both(&*even, &*even, &plan, Bounds::USUAL, Watch::NOBODY).unwrap();
    assert!(!same.differ && same.found == Some(Found::Low) && same.difference.value == 0.0, "{}", same.sentence);
    assert_eq!(a.battles, b.battles);
    // Seen from the other side, with the sides listed the other way round, the victories become more.
    let sides = [turned(&even.scenario()), turned(&strong.scenario())];
    let (a, b, differ) = fight_both(&*sides[0], &*sides[1], &plan, Bounds::USUAL, Watch::NOBODY).unwrap();
    assert!(differ.differ && differ.difference.low > 0.0, "{}", differ.sentence);
    assert!(differ.sentence.contains("points in 100 more"), "{}", differ.sentence);
    assert!(compare(&a, &b).differ && compare(&a, &b).difference == differ.difference);
    let (.., fewer) = fight_both(&*sides[1], &*sides[0], &plan, Bounds::USUAL, Watch::NOBODY).unwrap();
    assert!(fewer.differ && fewer.sentence.contains("points in 100 fewer"), "{}", fewer.sentence);
}

#[test]
fn variants_that_differ_in_one_thing_stay_in_step() {
    // A hit on four or more against one on three or more: whoever hits at all with the first die hits with the second. So no pair goes the other way,
    // and one in six goes one way; between strangers five in twelve would differ.
    let fields = [COIN, [COIN[0], "PK-VOL-02.hits_on=3", COIN[2]]].map(|sets| turned(&field(VOLLEY, &sets).scenario()));
    let plan = Plan { keyed: Keyed::ByTest, ..Plan::new(1_200, DRILLED, 3) };
    let compared = compare(&run(&*fields[0], &plan), &run(&*fields[1], &plan));
    let pairs = compared.pairs.unwrap();
    assert_eq!(pairs.0[0] + pairs.0[1], 0, "{pairs:?}");
    let one_way = (pairs.0[3] + pairs.0[4]) as f64 / pairs.count() as f64;
    assert!((one_way - 1.0 / 6.0).abs() < 0.035, "{pairs:?}");
    assert!(compared.in_step.unwrap() > 2.0, "{compared:?}");
}

#[test]
fn with_dice_by_test_a_battle_is_noted_as_it_went() {
    // The course is walked through a second time for losses: with the same dice.
    let field = field(FORD, &["PK-VOL-02.dice=6"]);
    let by_test = run(&*field, &Plan { keyed: Keyed::ByTest, ..Plan::new(60, RAW, 2) });
    let losses: usize = by_test.battles.iter().map(|fought| fought.losses.len()).sum();
    assert!(losses > 10, "too few are lost to tell anything: {losses}");
    for fought in &by_test.battles {
        assert!(fought.losses.iter().all(|loss| (1..=fought.turns).contains(&loss.turn)), "{fought:?}");
    }
    assert_ne!(by_test.battles, run(&*field, &Plan::new(60, RAW, 2)).battles);
}

#[test]
fn a_comparison_errs_as_seldom_as_it_says() {
    // Two variants that are one, with other seeds, so that their luck is not the same: a difference is found in one of twenty at the most.
    let even = field(VOLLEY, &COIN);
    let bounds: Bounds = "0,80".parse().unwrap();
    let found = |seed: u64| {
        let plan = Plan::new(1_500, DRILLED, seed);
        let (mut a, b) = (run(&*even, &plan), run(&*even, &Plan { seed: seed + 1_000, ..plan }));
        // As if they were pairs.
        a.battles.iter_mut().zip(&b.battles).for_each(|(one, other)| one.seed = other.seed);
        let mut pairs = Pairs::default();
        for (one, other) in a.battles.iter().zip(&b.battles) {
            pairs.add(other.score() + 1.0 - one.score());
            match pairs.found_of_means(&bounds.halved(), 0.25) {
                Found::Open => {}
                found => return found,
            }
        }
        Found::Open
    };
    let wrong = (0..60).filter(|seed| found(*seed) == Found::High).count();
    assert!(wrong <= 6, "{wrong} of 60");
}

/// The same position with the sides listed the other way round.
fn turned(scenario: &serde_json::Value) -> Box<dyn Field> {
    let mut json = scenario.clone();
    json["sides"].as_array_mut().unwrap().reverse();
    Fielded::<Picket>::PLAYERS.field(&Document::of_json("x", json)).unwrap()
}

#[test]
fn any_moment_of_a_log_can_be_fought_on_from() {
    let document = Document::parse("ford.toml", FORD).unwrap();
    let setup = Setup { enforcement: Enforcement::Referee, dice: DiceSource::Seeded(1) };
    let (mut session, _) = Erased::<Picket>::RULESET.begin(&document, setup).unwrap();
    for _ in 0..2 {
        let side = session.deciding().unwrap();
        session.choose(Seat::Player(side), &Order { offer: "end turn".into(), ..Order::default() }).unwrap();
    }
    let log = session.log_text();
    let later = Fielded::<Picket>::PLAYERS.field_of_log(log.as_bytes(), None).unwrap();
    assert_eq!(later.scenario()["state"]["turn"], 2);
    let first = Fielded::<Picket>::PLAYERS.field_of_log(log.as_bytes(), Some(1)).unwrap();
    let plan = Plan::new(10, RAW, 1);
    assert_eq!(run(&*first, &plan).battles, run(&*field(FORD, &[]), &plan).battles);
    assert!(Fielded::<Picket>::PLAYERS.field_of_log(log.as_bytes(), Some(9)).is_err());
}

#[test]
fn a_loss_is_noted_with_its_turn_and_place() {
    let results = run(&*field(VOLLEY, &COIN), &Plan::new(20, DRILLED, 1));
    for fought in &results.battles {
        let lost = fought.lost(&results.run.roster, Side::A);
        assert_eq!(lost, usize::from(fought.winner == Some(Side::B)));
        for loss in &fought.losses {
            assert_eq!((loss.unit, loss.turn, loss.at), (0, 1, [300_000, 295_000]));
        }
        assert_eq!(fought.turns, 1);
    }
}

#[test]
fn no_battle_ends_later_than_its_last_turn() {
    let results = run(&*field(FORD, &["PK-VOL-02.dice=6"]), &Plan::new(200, RAW, 2));
    assert!(results.battles.iter().all(|fought| (1..=6).contains(&fought.turns)));
    assert!(results.battles.iter().flat_map(|fought| &fought.losses).all(|loss| (1..=6).contains(&loss.turn)));
}

#[test]
fn the_report_needs_nothing_but_itself() {
    let results = run(&*field(FORD, &["PK-VOL-02.dice=6"]), &Plan::new(60, RAW, 2));
    let page = html(&results);
    for wanted in ["How the result settled", "Survival", "Where units were lost", "Luck", "PK-VOL-02.dice = 6", "<svg"]
    {
        assert!(page.contains(wanted), "{wanted}");
    }
    for outside in ["http", "<script", "<link", "src=", "url("] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert!(text(&results).contains("60 battles"), "{}", text(&results));
}

#[test]
fn a_ladder_puts_the_better_player_above() {
    let field = field(FORD, &["turns=40"]);
    let matched = Match { battles: 40, seed: 1, longest: 10_000, agreement: Agreement::NONE, bounds: None, kept: None };
    let ladder = ladder(&*field, &[Skill::Recruit, Skill::DrillMaster], matched, Watch::NOBODY).unwrap();
    assert_eq!(ladder.players[0].player, Skill::DrillMaster, "{ladder}");
    assert_eq!((ladder.pairs.len(), ladder.pairs[0].won.of), (1, 40));
    assert_eq!(ladder.pairs[0].pairs.count(), 20, "each seed from both sides is one observation");
    // Forty at once decide nothing that a test would have asked for; with bounds it stops as soon as it knows.
    let bounds = Some("0,100".parse().unwrap());
    let matched = Match { battles: 4_000, bounds, ..matched };
    let tested =
        sabretache_lab::ladder(&*field, &[Skill::Recruit, Skill::DrillMaster], matched, Watch::NOBODY).unwrap();
    assert_eq!(tested.pairs[0].found, Some(Found::High), "{tested}");
    assert!(tested.pairs[0].won.of < 400 && tested.to_string().contains("100 rather than 0"), "{tested}");
    let turned =
        sabretache_lab::ladder(&*field, &[Skill::DrillMaster, Skill::Recruit], matched, Watch::NOBODY).unwrap();
    assert_eq!(turned.pairs[0].found, Some(Found::Low), "{turned}");
}

#[test]
fn everything_can_be_measured() {
    let document = Document::parse("ford.toml", FORD).unwrap();
    for bench in Bench::ALL {
        let measured = Fielded::<Picket>::PLAYERS.measure(&document, bench, 0.001).unwrap();
        assert!(measured.count > 0 && measured.per_second > 0.0, "{measured}");
    }
}
