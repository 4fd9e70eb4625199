//! The players on the tiny ruleset: they are what they say they are, and say why.

use sabretache_engine::dice::Seeded;
use sabretache_engine::erased::{AnyRuleset as _, AnySession, Erased};
use sabretache_engine::ids::{Side, UnitId};
use sabretache_engine::log::{DiceSource, Enforcement};
use sabretache_engine::offer::{Choice, Value};
use sabretache_engine::resolution::Resolution;
use sabretache_engine::ruleset::Ruleset as _;
use sabretache_engine::scenario::{Document, Scenario};
use sabretache_engine::session::{Seat, Session, Setup, muster};
use sabretache_picket::{Battle, Offer, Picket};
use sabretache_players::fight::own_chance;
use sabretache_players::{AnyPlayers, Budget, Fielded, Skill, choose, decide, fight};
use sabretache_table::Length;

const FORD: &str = include_str!("../../../picket/scenarios/ford.toml");
/// Long enough for somebody to win.
const LONG: (&str, &str) = ("turns = 6", "turns = 40");
const MARSHAL: Skill = Skill::Marshal(Budget::Iterations(48));

fn document(text: &str) -> Document {
    Document::parse("ford.toml", text).unwrap()
}

fn battle(text: &str) -> Battle {
    muster::<Picket>(&Scenario::read(&document(text).json).unwrap()).unwrap()
}

fn session(text: &str, seed: u64) -> Box<dyn AnySession> {
    let setup = Setup { enforcement: Enforcement::Referee, dice: DiceSource::Seeded(seed) };
    Erased::<Picket>::RULESET.begin(&document(text), setup).unwrap().0
}

/// Points won by the first player over battles fought from both sides: 2 for a win, 1 for a draw.
fn points(first: Skill, second: Skill, battles: u64) -> u64 {
    let mut points = 0;
    for seed in 0..battles {
        for (side, players) in [(Side::A, [first, second]), (Side::B, [second, first])] {
            let mut battle = battle(&FORD.replace(LONG.0, LONG.1));
            fight::<Picket>(&mut battle, players, seed, 10_000, |_, _, _, _| {}).unwrap();
            points += match Picket::verdict(&battle).unwrap().winner {
                Some(winner) if winner == side => 2,
                Some(_) => 0,
                None => 1,
            };
        }
    }
    points
}

#[test]
fn a_drill_master_beats_recruits() {
    let points = points(Skill::DrillMaster, Skill::Recruit, 30);
    // Most of these battles are drawn: a Recruit soon stands before the edge of the table and stirs no more.
    assert!(points > 65, "{points} of 120");
}

#[test]
fn an_ensign_plays_the_same_battle_again() {
    let fought = || {
        let mut battle = battle(FORD);
        fight::<Picket>(&mut battle, [Skill::Ensign; 2], 7, 10_000, |_, _, _, _| {}).unwrap();
        battle
    };
    assert_eq!(fought(), fought());
}

#[test]
fn an_ensign_chooses_as_well_where_there_is_only_one_thing_to_do() {
    for seed in 0..20 {
        let mut battle = battle(FORD);
        let ended = fight::<Picket>(&mut battle, [Skill::Ensign, Skill::DrillMaster], seed, 10_000, |_, _, _, _| {});
        assert!(ended.unwrap().over, "seed {seed}");
    }
}

#[test]
fn a_drill_master_fires_at_whoever_comes_close() {
    let mut battle = battle(&FORD.replace("at = [25, 45]", "at = [25, 30]"));
    let advance = Choice { offer: Offer::Advance(UnitId(0)), value: far(12) };
    Picket::resolve(&mut Resolution::new(&mut battle, &mut Seeded::new(1)), &advance).unwrap();
    assert_eq!(Picket::deciding(&battle), Some(Side::B));
    let decided = decide::<Picket>(Skill::DrillMaster, &battle, &[], &mut Seeded::new(1)).unwrap();
    assert_eq!(decided.choice.offer, Offer::Fire);
}

fn far(cm: i32) -> Value {
    Value::Distance(Length::cm(cm))
}

#[test]
fn the_same_seed_plays_the_same_battle_on_one_thread_and_on_several() {
    let choices = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut made: Vec<Choice<Offer>> = Vec::new();
            let mut battle = battle(FORD);
            fight::<Picket>(&mut battle, [MARSHAL, Skill::DrillMaster], 7, 12, |_, choice, _, _| {
                made.push(choice.clone());
            })
            .unwrap();
            made
        })
    };
    assert_eq!(choices(1), choices(3));
}

#[test]
fn a_battle_of_the_laboratory_is_the_battle_of_a_session_with_the_same_seed() {
    let players = [Skill::DrillMaster, Skill::Recruit];
    let mut fought = battle(FORD);
    let ended = fight::<Picket>(&mut fought, players, 5, 10_000, |_, _, _, _| {}).unwrap();
    let mut session = session(FORD, 5);
    let mut n = 0;
    while let Some(side) = session.deciding() {
        let skill = players[side.index()];
        let order = Fielded::<Picket>::PLAYERS.order(&*session, skill, &mut own_chance(5, side, n)).unwrap();
        session.choose(Seat::Player(side), &order).unwrap();
        n += 1;
    }
    assert_eq!(n, ended.decisions);
    let session = session.as_any().downcast_ref::<Session<Picket>>().unwrap();
    assert_eq!(*session.battle(), fought);
}

#[test]
fn every_player_says_why() {
    let session = session(&FORD.replace("at = [25, 45]", "at = [25, 30]"), 1);
    for skill in [Skill::Recruit, Skill::Ensign, Skill::DrillMaster, MARSHAL] {
        let advice = Fielded::<Picket>::PLAYERS.advise(&*session, skill, &mut Seeded::new(3)).unwrap();
        assert!(!advice.action.is_empty() && advice.text.starts_with(&advice.action), "{advice:?}");
        assert!(advice.fears.len() <= 2);
        if !matches!(skill, Skill::Recruit | Skill::Ensign) {
            assert!(!advice.instead.is_empty(), "{advice:?}");
        }
        let odds: f64 = advice.expects.iter().map(|one| one.probability).sum();
        assert!((odds - 1.0).abs() < 1e-9, "{advice:?}");
    }
}

#[test]
fn nobody_advises_when_the_battle_is_over() {
    let session = session(&FORD.replace("turns = 6", "turns = 1\nstate = { turn = 2 }"), 1);
    assert!(Fielded::<Picket>::PLAYERS.advise(&*session, Skill::DrillMaster, &mut Seeded::new(3)).is_none());
}

#[test]
fn a_choice_is_the_same_whether_or_not_anybody_asks_why() {
    let mut battle = battle(FORD);
    let mut random = Seeded::new(5);
    for n in 0..30 {
        let Some(choice) = choose::<Picket>(Skill::DrillMaster, &battle, &[], &mut Seeded::new(n)) else { break };
        let decided = decide::<Picket>(Skill::DrillMaster, &battle, &[], &mut Seeded::new(n)).unwrap();
        assert_eq!(choice, decided.choice);
        Picket::resolve(&mut Resolution::new(&mut battle, &mut random), &choice).unwrap();
    }
}

#[test]
fn nobody_goes_back_to_where_the_battle_stood() {
    let start = battle(FORD);
    let first = decide::<Picket>(Skill::DrillMaster, &start, &[], &mut Seeded::new(1)).unwrap();
    let mut after = start.clone();
    let mut dice = Seeded::new(1);
    Picket::resolve(&mut Resolution::new(&mut after, &mut dice), &first.choice).unwrap();
    // Whatever leads there is not even thought of once the battle has been there.
    let again = decide::<Picket>(Skill::DrillMaster, &start, &[after.clone()], &mut Seeded::new(1)).unwrap();
    for one in &again.considered {
        let mut there = start.clone();
        Picket::resolve(&mut Resolution::new(&mut there, &mut Seeded::new(1)), &one.choice).unwrap();
        assert_ne!(there, after, "{:?}", one.choice);
    }
    assert!(first.considered.len() > again.considered.len() && !again.considered.is_empty());
}
