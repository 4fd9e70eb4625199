//! Plans on the tiny ruleset: what is thought of, that it is kept, and that it is told.

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
use sabretache_players::plan::choose::plan_of;
use sabretache_players::plan::{Field, Kind, portfolio};
use sabretache_players::script::{Follower, Script};
use sabretache_players::{AnyPlayers, Budget, Fielded, Plan, Skill, fight};
use sabretache_table::Length;

const FORD: &str = include_str!("../../../picket/scenarios/ford.toml");
const MARSHAL: Skill = Skill::Marshal(Budget::Iterations(120));

fn battle() -> Battle {
    muster::<Picket>(&Scenario::read(&Document::parse("ford.toml", FORD).unwrap().json).unwrap()).unwrap()
}

fn plan(name: &str) -> Plan {
    let field = Field::of::<Picket>(&battle(), Side::A).unwrap();
    portfolio(&field).into_iter().find(|plan| plan.name == name).unwrap()
}

fn advanced(cm: i32) -> Battle {
    let mut battle = battle();
    let advance = Choice { offer: Offer::Advance(UnitId(0)), value: Value::Distance(Length::cm(cm)) };
    Picket::resolve(&mut Resolution::new(&mut battle, &mut Seeded::new(1)), &advance).unwrap();
    battle
}

#[test]
fn no_plan_comes_first_and_no_two_are_alike() {
    let plans = portfolio(&Field::of::<Picket>(&battle(), Side::A).unwrap());
    assert!(plans[0].is_free() && plans[1..].iter().all(|plan| !plan.is_free()));
    for (n, plan) in plans.iter().enumerate() {
        assert!(plans[..n].iter().all(|other| other.tasks != plan.tasks), "{}", plan.name);
    }
}

#[test]
fn an_attack_gains_by_a_step_forward_and_a_stand_does_not() {
    let gained = |plan: &Plan| plan.progress::<Picket>(&advanced(8)) - plan.progress::<Picket>(&battle());
    let (attack, hold) = (plan("attack along the whole line"), plan("hold our ground"));
    assert_eq!(attack.tasks[0].kind, Kind::Attack);
    assert!(gained(&attack) > 0.0);
    assert!(gained(&hold) <= 0.0);
}

#[test]
fn a_marshal_of_a_session_keeps_the_plan_of_its_turn_as_one_of_the_laboratory_does() {
    let players = [MARSHAL, Skill::DrillMaster];
    let mut fought = battle();
    let most = 14;
    fight::<Picket>(&mut fought, players, 5, most, |_, _, _, _| {}).unwrap();
    let setup = Setup { enforcement: Enforcement::Referee, dice: DiceSource::Seeded(5) };
    let document = Document::parse("ford.toml", FORD).unwrap();
    let mut session: Box<dyn AnySession> = Erased::<Picket>::RULESET.begin(&document, setup).unwrap().0;
    for n in 0..most {
        let Some(side) = session.deciding() else { break };
        let skill = players[side.index()];
        let order = Fielded::<Picket>::PLAYERS.order(&*session, skill, &mut own_chance(5, side, n)).unwrap();
        session.choose(Seat::Player(side), &order).unwrap();
    }
    assert_eq!(*session.as_any().downcast_ref::<Session<Picket>>().unwrap().battle(), fought);
}

#[test]
fn the_same_battle_gives_the_same_plan_on_any_number_of_threads() {
    let made = |threads: usize, tries: u32| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        // Another budget is another player, so that nothing is remembered from the first time.
        pool.install(|| plan_of::<Picket>(Skill::Marshal(Budget::Iterations(tries)), &battle(), Side::A))
    };
    assert_eq!(made(1, 121), made(3, 122));
}

#[test]
fn a_plan_is_told_in_words_and_arrows() {
    let told = plan("attack along the whole line").told::<Picket>(&battle(), Some(UnitId(0))).unwrap();
    assert!(told.text.starts_with("Attack "), "{}", told.text);
    assert!(told.serves.unwrap().starts_with("It serves the plan: attack "));
    assert_eq!(told.arrows[0].task, "attack");
    assert!(Plan::free(Side::A).told::<Picket>(&battle(), None).is_none());
}

/// The ford after some choices of both sides: Red by a script, Blue lets it come.
fn by_script(script: &str) -> Battle {
    let script: Script = serde_json::from_str(script).unwrap();
    let mut follower = Follower::new(&script, Side::A);
    let mut battle = battle();
    for n in 0..12 {
        let Some(side) = Picket::deciding(&battle) else { break };
        let mut random = own_chance(1, side, n);
        let choice = match side {
            Side::A => follower.choose::<Picket>(&battle, &[], &mut random).unwrap(),
            Side::B if Picket::interrupt(&battle).is_some() => Choice { offer: Offer::HoldFire, value: Value::None },
            Side::B => Choice { offer: Offer::EndTurn, value: Value::None },
        };
        Picket::resolve(&mut Resolution::new(&mut battle, &mut Seeded::for_choice(1, n)), &choice).unwrap();
    }
    battle
}

#[test]
fn a_script_goes_where_it_says_and_never_does_what_it_never_does() {
    let begins = r#"{ "name": "up the left", "scenario": "ford.toml", "side": "red""#;
    let first = |battle: &Battle| {
        let mut stances = Vec::new();
        Picket::stances(battle, &mut stances);
        stances[0].at
    };
    let goes = by_script(&format!(r#"{begins}, "go": [{{ "unit": "r1", "by": [[25, 30]] }}], "zeal": 5.0 }}"#));
    assert!(first(&goes).y > first(&battle()).y, "{:?}", first(&goes));
    let stays = by_script(&format!(r#"{begins}, "never": ["advance *"] }}"#));
    assert_eq!(first(&stays), first(&battle()));
}
