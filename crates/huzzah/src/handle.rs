//! How a hand takes hold of each offer on the table.

use sabretache_engine::handle::{Group, Handle, Handling, Pivots};
use sabretache_engine::ids::{GroundId, Named, OfficerId, UnitId};
use sabretache_engine::offer::Input;
use sabretache_table::{Angle, Length, Point};

use crate::battle::Battle;
use crate::offer::Offer;
use crate::phases::{advance, entering, manoeuvre, roads};
use crate::state::{Addressee, Way};
use crate::table::swing::{self, Turn};
use crate::table::track;
use crate::troops::Order;

/// How many points show a road.
const ROAD_POINTS: i32 = 12;

/// How an offer is handled.
pub(crate) fn handling(battle: &Battle, offer: &Offer) -> Handling {
    let ground = |n: u16| Named::Ground(GroundId(n));
    match *offer {
        Offer::Begin => Handling::end("begin"),
        Offer::GoesFirst(_) => Handling::end("first"),
        Offer::Skirmish => Handling::end("skirmish"),
        Offer::Test(unit) => Handling::act("test", unit),
        Offer::Pass => Handling::end("pass"),
        Offer::Bombard { battery, target } | Offer::Through { battery, target } => {
            Handling::at("shoot", [battery], target)
        }
        Offer::Sight { battery, target, .. } => Handling::at("sight", [battery], target),
        Offer::Explode(breach) => Handling::at("explode", [] as [UnitId; 0], ground(breach)),
        Offer::Await => Handling::end("await"),
        Offer::Order { officer, to, order } => {
            let to = match to {
                Addressee::Unit(unit) => Named::Unit(unit),
                Addressee::Group(command) => Named::Command(command),
            };
            Handling::at("order", [officer], to).of(Group::Order).leading_to(ordered(order))
        }
        Offer::FreeOrder { officer, order } => {
            let to = battle.officer(officer).spoke_last.map(|to| match to {
                Addressee::Unit(unit) => Named::Unit(unit),
                Addressee::Group(command) => Named::Command(command),
            });
            let order = to
                .map_or_else(|| Handling::act("order", officer), |to| Handling::at("order", [officer], to))
                .leading_to(ordered(order));
            order.of(Group::Order)
        }
        Offer::Appoint(officer) | Offer::AppointToo(officer) => appoint(battle, officer),
        Offer::NameFirst(command) => {
            Handling::at("name_first", [battle.chief(battle.phasing)], command).of(Group::Order)
        }
        Offer::Rearm => Handling::act("rearm", battle.chief(battle.phasing)).of(Group::Order),
        Offer::EndOrders | Offer::EndOfficers | Offer::EndReorganise | Offer::Done => Handling::end("end"),
        Offer::Go { unit, way, stretch } => go(battle, unit, way, stretch),
        Offer::Road { unit, road, forth, stretch } => {
            let most = furthest(&roads::input(battle, unit, road, forth, stretch));
            let from = battle.unit(unit).pose.at;
            let at = |n: i32| {
                let part = Length::um((i64::from(most.to_um()) * i64::from(n) / i64::from(ROAD_POINTS)) as i32);
                roads::along(battle, from, road, forth, part).map(|pose| pose.at)
            };
            let track = std::iter::once(from).chain((1..=ROAD_POINTS).filter_map(at)).collect();
            Handling::act("march", unit).by(Handle::Along { unit, track, back: false })
        }
        Offer::Wheel(unit) => wheel(battle, unit, false, None),
        Offer::WheelBack(unit) => wheel(battle, unit, true, None),
        Offer::WheelThrough { unit, right, back, .. } => wheel(battle, unit, back, Some(right)),
        Offer::AboutFace(unit) => Handling::act("face_about", unit),
        Offer::Deploy { unit, formation } => {
            let into = Some(formation.to_string());
            Handling::act("form", unit).by(Handle::Formation { unit, into })
        }
        Offer::Garrison { unit, sector, .. } => Handling::at("garrison", [unit], ground(sector)),
        Offer::JoinSkirmishers(unit) => Handling::act("skirmish", unit),
        Offer::Across { unit, enemy } => Handling::at("charge", [unit], enemy),
        Offer::Recall(unit) => Handling::act("recall", unit),
        Offer::Escalade { unit, wall } => Handling::at("escalade", [unit], ground(wall)),
        Offer::ClimbOver(unit) => Handling::act("climb", unit),
        Offer::AlongWall { unit, .. } => Handling::act("along_wall", unit),
        Offer::Enter { unit, front } => {
            let (least, most) = match entering::input(battle, unit, front) {
                Input::Distance { least, most, .. } => (least, most),
                _ => (Length::ZERO, Length::ZERO),
            };
            let at = |at: Length| {
                let front = entering::front(battle, unit, front)?;
                entering::pose_on(battle, unit, &front, at).map(|pose| pose.at)
            };
            // The distance is measured from the end of the edge, so that the way begins there.
            let track: Vec<Point> =
                entering::end_of_edge(battle, unit).into_iter().chain(at(least)).chain(at(most)).collect();
            Handling::act("enter", unit).by(Handle::Along { unit, track, back: false })
        }
        Offer::GoOn => moving(battle, "go_on"),
        Offer::Halt => moving(battle, "halt"),
        Offer::NoSwing => Handling::end("pass"),
        Offer::Refuge(unit) => {
            let who = battle.doing.fleeing.first().map(|one| one.officer);
            Handling::at("refuge", who, unit)
        }
        Offer::MoveOfficer(officer) => Handling::act("ride", officer).by(Handle::Point { who: officer.into() }),
        Offer::BringOn(officer) => Handling::act("enter", officer).by(Handle::Point { who: officer.into() }),
        Offer::Attach { officer, unit } => Handling::at("attach", [officer], unit),
        Offer::Detach(officer) => Handling::act("detach", officer),
        Offer::Supersede(command) => Handling::at("supersede", [battle.chief(battle.phasing)], command),
        Offer::Relinquish(_) => Handling::act("relinquish", battle.chief(battle.phasing)),
        Offer::Pairing(_) => Handling::end("pair").of(Group::Act),
        Offer::Fight(n) => match battle.fights.get(usize::from(n)) {
            Some(fight) => match fight.defenders.first() {
                Some(&defender) => Handling::at("fight", fight.attackers.iter().copied(), defender),
                None => Handling::end("fight").of(Group::Act),
            },
            None => Handling::end("fight").of(Group::Act),
        },
        Offer::OddStagger(unit) => Handling::act("stagger", unit),
        Offer::FallBack(unit) | Offer::FallBackIn { unit, .. } => Handling::act("fall_back", unit),
        Offer::Stay(unit) => Handling::act("stay", unit),
        Offer::Check { command, by, .. } => {
            by.map_or_else(|| Handling::act("check", command), |by| Handling::act("check", by)).to(command)
        }
        Offer::Reorganise(command) => Handling::act("reorganise", command).of(Group::Order),
        Offer::Rally(unit) => Handling::act("rally", unit),
        Offer::Form(formation) => match battle.doing.forming {
            Some(unit) => Handling::act("form", unit).by(Handle::Formation { unit, into: Some(formation.to_string()) }),
            None => Handling::end("form").of(Group::Act),
        },
        Offer::Rout(unit) => Handling::act("rout", unit),
        Offer::Reform(unit) => Handling::act("reform", unit),
    }
}

/// What is done on an order, in the words of the acts.
const fn ordered(order: Order) -> &'static str {
    match order {
        Order::Advance => "advance",
        Order::Retire => "retire",
        Order::Manoeuvre => "wheel",
        Order::Deploy => "form",
        Order::Appoint => "appoint",
        Order::Rearm => "rearm",
        Order::Recall => "recall",
    }
}

fn appoint(battle: &Battle, officer: OfficerId) -> Handling {
    let facts = battle.officer_facts(officer);
    Handling::act("appoint", battle.chief(facts.side)).to(facts.command).of(Group::Order)
}

/// The furthest that a distance may be.
fn furthest(input: &Input) -> Length {
    match input {
        Input::Distance { most, .. } => *most,
        _ => Length::ZERO,
    }
}

fn moving(battle: &Battle, act: &'static str) -> Handling {
    battle.doing.moving.map_or_else(|| Handling::end(act), |moving| Handling::act(act, moving.unit))
}

fn go(battle: &Battle, unit: UnitId, way: Way, stretch: u8) -> Handling {
    let from = battle.unit(unit).pose;
    let bearing = track::heading(from, way);
    let order = battle.doing.acting.map(|acting| acting.order);
    if matches!(order, Some(Order::Manoeuvre | Order::Deploy)) {
        return Handling::act("side_step", unit).by(Handle::Slide { unit, bearing });
    }
    let most = furthest(&advance::input(battle, unit, way, stretch));
    let back = way == Way::Back;
    let act = if order == Some(Order::Retire) { "retire" } else { "advance" };
    let track = vec![from.at, from.moved(bearing, most).at];
    Handling::act(act, unit).by(Handle::Along { unit, track, back })
}

/// A wheel about the corners to which it may turn; through friends to one side alone.
fn wheel(battle: &Battle, unit: UnitId, back: bool, only: Option<bool>) -> Handling {
    let (left, right) = match (only, manoeuvre::input(battle, unit, back)) {
        (Some(right), _) => (!right, right),
        (None, Input::Wheel { most_left, most_right }) => (most_left < Angle::ZERO, most_right > Angle::ZERO),
        (None, _) => (false, false),
    };
    let placed = battle.placed(unit);
    let about = |right: bool| Point::rounded(swing::pivot(&placed, Turn { right, back }));
    let pivots = Pivots { left: left.then(|| about(false)), right: right.then(|| about(true)) };
    let act = if back { "wheel_back" } else { "wheel" };
    Handling::act(act, unit).by(Handle::Wheel { unit, pivots })
}
