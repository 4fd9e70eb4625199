//! A person hands one brigade of an army to an aide and keeps the rest.

use std::fs;
use std::path::Path;

use sabretache_engine::dice::Seeded;
use sabretache_engine::erased::{AnyRuleset as _, AnySession, Erased};
use sabretache_engine::ids::CommandId;
use sabretache_engine::log::{DiceSource, Enforcement};
use sabretache_engine::ruleset::Ruleset as _;
use sabretache_engine::scenario::Document;
use sabretache_engine::session::{Order, Seat, Session, Setup};
use sabretache_engine::stance::{Branch, Stance};
use sabretache_huzzah::Huzzah;
use sabretache_players::plan::Kind;
use sabretache_players::{AnyPlayers, Drawn, Errand, Fielded, Skill};
use sabretache_table::{Point, Vec2};

const PLAYERS: Fielded<Huzzah> = Fielded::PLAYERS;

fn maida() -> Box<dyn AnySession> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios/huzzah/maida.toml");
    let document = Document::parse("maida.toml", fs::read_to_string(file).unwrap()).unwrap();
    let setup = Setup { enforcement: Enforcement::Referee, dice: DiceSource::Seeded(1806) };
    Erased::<Huzzah>::RULESET.begin(&document, setup).unwrap().0
}

fn stances(session: &dyn AnySession) -> Vec<Stance> {
    let mut stances = Vec::new();
    Huzzah::stances(session.as_any().downcast_ref::<Session<Huzzah>>().unwrap().battle(), &mut stances);
    stances
}

/// The command that an order concerns.
fn concerns(session: &dyn AnySession, order: &Order) -> Option<CommandId> {
    let session = session.as_any().downcast_ref::<Session<Huzzah>>().unwrap();
    let mut offers = Vec::new();
    Huzzah::offers(session.battle(), &mut offers);
    let offer = offers.iter().find(|offer| Huzzah::key(session.battle(), offer) == order.offer).unwrap();
    Huzzah::label(session.battle(), offer).command
}

/// An arrow for a brigade of foot of the side that goes first, to the nearest foot of the enemy.
fn attack(session: &dyn AnySession) -> Drawn {
    let side = session.deciding().unwrap();
    let all = stances(session);
    let one = all.iter().find(|one| one.side == side && one.branch == Branch::Foot).unwrap();
    let near = |to: &&Stance| ((to.at - one.at).length()) as i64;
    let enemy = all.iter().filter(|other| other.side != side && other.branch == Branch::Foot).min_by_key(near).unwrap();
    Drawn { command: one.command, task: Kind::Attack, to: Point::rounded(enemy.at), by: None }
}

#[test]
fn an_aide_moves_its_own_brigade_and_leaves_the_rest_to_the_person() {
    let mut session = maida();
    let side = session.deciding().unwrap();
    let arrow = attack(&*session);
    let errand = PLAYERS.errand(&*session, arrow).unwrap();
    let (mut aided, mut own) = (0, 0);
    for n in 0..200 {
        let Some(decides) = session.deciding() else { break };
        if aided > 4 {
            break;
        }
        let errands = if decides == side { std::slice::from_ref(&errand) } else { &[] };
        let order = match PLAYERS.aide(&*session, errands, &mut Seeded::new(n)) {
            Some((order, line)) => {
                aided += 1;
                let whose = concerns(&*session, &order);
                assert!(whose.is_none_or(|command| command == arrow.command), "{line}");
                order
            }
            None => {
                own += u32::from(decides == side);
                PLAYERS.order(&*session, Skill::Recruit, &mut Seeded::new(n)).unwrap()
            }
        };
        session.choose(Seat::Player(decides), &order).unwrap();
    }
    assert!(aided > 0 && own > 0, "{aided} choices of the aide's, {own} of the person's");
}

#[test]
fn a_brigade_that_is_told_to_attack_comes_on_and_one_that_is_told_to_hold_stays() {
    let comes_on = |task: Kind| {
        let mut session = maida();
        let side = session.deciding().unwrap();
        let arrow = attack(&*session);
        let of = |session: &dyn AnySession| {
            let own: Vec<Stance> = stances(session).into_iter().filter(|one| one.command == arrow.command).collect();
            own.iter().fold(Vec2::default(), |sum, one| sum + one.at) * (1.0 / own.len() as f64)
        };
        let began = of(&*session);
        let to = if task == Kind::Attack { arrow.to } else { Point::rounded(began) };
        let errand = PLAYERS.errand(&*session, Drawn { task, to, ..arrow }).unwrap();
        let turn = |session: &dyn AnySession| {
            Huzzah::clock(session.as_any().downcast_ref::<Session<Huzzah>>().unwrap().battle()).turn
        };
        let mut n = 0;
        while turn(&*session) < Some(4) && n < 600 {
            let decides = session.deciding().unwrap();
            n += 1;
            let errands = if decides == side { std::slice::from_ref(&errand) } else { &[] };
            // Nobody else stirs.
            let order = PLAYERS.aide(&*session, errands, &mut Seeded::new(n)).map(|one| one.0).unwrap_or_else(|| {
                let rests = ["end orders", "end officers", "pass", "done", "end moves"];
                let decision = session.decision(false);
                let keys: Vec<&str> = decision.offers.iter().map(|offer| offer.key.as_str()).collect();
                match rests.iter().find(|rest| keys.contains(rest)) {
                    Some(rest) => Order { offer: (*rest).to_owned(), ..Order::default() },
                    None => PLAYERS.order(&*session, Skill::Recruit, &mut Seeded::new(n)).unwrap(),
                }
            });
            session.choose(Seat::Player(decides), &order).unwrap();
        }
        (arrow.to.v() - began).length() - (arrow.to.v() - of(&*session)).length()
    };
    let (attacks, holds) = (comes_on(Kind::Attack), comes_on(Kind::Hold));
    assert!(attacks > holds + 10_000.0, "{attacks} and {holds} micrometres");
}

#[test]
fn what_is_not_handed_over_is_the_persons() {
    assert!(PLAYERS.aide(&*maida(), &[], &mut Seeded::new(1)).is_none());
}

#[test]
fn an_arrow_that_points_at_nobody_is_no_attack() {
    let session = maida();
    let arrow = Drawn { to: Point::rounded(Vec2::new(-9e7, -9e7)), ..attack(&*session) };
    assert!(PLAYERS.errand(&*session, arrow).is_none());
    assert!(PLAYERS.errand(&*session, Drawn { task: Kind::Withdraw, ..arrow }).is_some());
}

#[test]
fn an_errand_is_kept_as_json() {
    let session = maida();
    let errand = PLAYERS.errand(&*session, attack(&*session)).unwrap();
    let text = serde_json::to_string(&errand).unwrap();
    assert_eq!(serde_json::from_str::<Errand>(&text).unwrap(), errand);
}
