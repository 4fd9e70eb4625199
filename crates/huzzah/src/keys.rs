//! The short texts that stand for offers in logs, drills and messages.

use sabretache_engine::ids::{OfficerId, UnitId};

use crate::battle::Battle;
use crate::offer::Offer;
use crate::phases::{engage, entering, orders, supersede};
use crate::state::{Addressee, Way};
use crate::table::garrison::FACES;
use crate::troops::Formation;

/// The key of an offer: no other offer of the same decision has it.
#[must_use]
pub fn key(battle: &Battle, offer: &Offer) -> String {
    let unit = |id: UnitId| battle.facts(id).id.as_str();
    let officer = |id: OfficerId| battle.officer_facts(id).id.as_str();
    match *offer {
        Offer::Begin => "begin".into(),
        Offer::GoesFirst(side) => format!("first {}", battle.lay.side_id(side)),
        Offer::Skirmish => "skirmish".into(),
        Offer::Test(id) => format!("test {}", unit(id)),
        Offer::Pass => "pass".into(),
        Offer::Bombard { battery, target } => format!("bombard {} {}", unit(battery), unit(target)),
        Offer::Through { battery, target } => format!("bombard through {} {}", unit(battery), unit(target)),
        Offer::Explode(breach) => format!("explode {}", battle.lay.terrain[usize::from(breach)].id),
        Offer::Sight { battery, target, right, back, through, run } => {
            let back = if back { "back " } else { "" };
            let through = if through { "through " } else { "" };
            let side = if right { "right" } else { "left" };
            let again = if run == 0 { String::new() } else { format!(" {}", run + 1) };
            format!("sight {back}{through}{} {} {side}{again}", unit(battery), unit(target))
        }
        Offer::Await => "await".into(),
        Offer::Order { officer: by, to, order } => {
            let to_whom = addressee(battle, to);
            let own = match to {
                Addressee::Unit(id) => orders::proper_officer(battle, id) == Some(by),
                Addressee::Group(id) => battle.leader(id) == Some(by),
            };
            if own {
                format!("order {} {to_whom}", order.word())
            } else {
                format!("order {} {to_whom} by {}", order.word(), officer(by))
            }
        }
        Offer::FreeOrder { officer: by, order } => {
            // Allies on one side may each have a free order (HZ-GEN-12).
            let only = battle.officers.iter().filter(|one| one.free).count() < 2;
            let whose = if only { String::new() } else { format!(" by {}", officer(by)) };
            format!("huzzah {}{whose}", order.word())
        }
        Offer::Appoint(id) => format!("appoint {}", officer(id)),
        Offer::AppointToo(id) => format!("appoint too {}", officer(id)),
        Offer::NameFirst(id) => format!("name first {}", battle.command_facts(id).id),
        Offer::Rearm => "rearm".into(),
        Offer::EndOrders => "end orders".into(),
        Offer::Go { unit: id, way, stretch } => {
            let verb = match battle.doing.acting.map(|acting| acting.order) {
                Some(crate::troops::Order::Retire) => "retire",
                Some(crate::troops::Order::Manoeuvre | crate::troops::Order::Deploy) => "side-step",
                _ => "advance",
            };
            let square = battle.unit(id).formation == Formation::Square;
            let side = match way {
                Way::Left => " left",
                Way::Right => " right",
                Way::Back if square && verb == "advance" => " back",
                _ => "",
            };
            format!("{verb} {}{side}{}", unit(id), through(stretch))
        }
        Offer::Road { unit: id, road, forth, stretch } => {
            let name = &battle.lay.terrain[usize::from(road)].id;
            format!("road {} {name}{}{}", unit(id), if forth { "" } else { " back" }, through(stretch))
        }
        Offer::Wheel(id) => format!("wheel {}", unit(id)),
        Offer::WheelBack(id) => format!("wheel back {}", unit(id)),
        Offer::WheelThrough { unit: id, right, back, stretch } => {
            let back = if back { "back " } else { "" };
            let side = if right { "right" } else { "left" };
            format!("wheel {back}{} {side}{}", unit(id), through(stretch))
        }
        Offer::AboutFace(id) => format!("about face {}", unit(id)),
        Offer::Deploy { unit: id, formation } => format!("deploy {} {}", unit(id), formation.word()),
        Offer::Garrison { unit: id, sector, sides } => {
            let name = &battle.lay.terrain[usize::from(sector)].id;
            let lined: Vec<String> =
                (0..FACES.len()).filter(|n| sides & (1 << n) != 0).map(|n| n.to_string()).collect();
            let which = if sides == 0b1111 { String::new() } else { format!(" {}", lined.join("")) };
            format!("garrison {} {name}{which}", unit(id))
        }
        Offer::JoinSkirmishers(id) => format!("skirmish {}", unit(id)),
        Offer::Across { unit: id, enemy } => format!("across {} {}", unit(id), unit(enemy)),
        Offer::Recall(id) => format!("recall {}", unit(id)),
        Offer::Escalade { unit: id, wall } => {
            format!("escalade {} {}", unit(id), battle.lay.terrain[usize::from(wall)].id)
        }
        Offer::ClimbOver(id) => format!("climb over {}", unit(id)),
        Offer::AlongWall { unit: id, right } => {
            format!("along wall {} {}", unit(id), if right { "right" } else { "left" })
        }
        Offer::Enter { unit: id, front } => match entering::front(battle, id, front).and_then(|front| front.road) {
            Some(road) => format!("enter {} by {}", unit(id), battle.lay.terrain[usize::from(road)].id),
            None if front == 0 => format!("enter {}", unit(id)),
            None => format!("enter {} {}", unit(id), front + 1),
        },
        Offer::Done => "done".into(),
        Offer::GoOn => "go on".into(),
        Offer::Halt => "halt".into(),
        Offer::NoSwing => "leave the guns".into(),
        Offer::Refuge(id) => format!("refuge {}", unit(id)),
        Offer::MoveOfficer(id) => format!("ride {}", officer(id)),
        Offer::Attach { officer: by, unit: id } => format!("attach {} {}", officer(by), unit(id)),
        Offer::Detach(id) => format!("detach {}", officer(id)),
        Offer::Supersede(id) => format!("supersede {}", battle.command_facts(id).id),
        Offer::Relinquish(side) => match supersede::sides(battle).first() {
            Some(&first) if first != side => format!("relinquish {}", supersede::compass(side)),
            _ => "relinquish".into(),
        },
        Offer::BringOn(id) => format!("bring on {}", officer(id)),
        Offer::EndOfficers => "end officers".into(),
        Offer::Pairing(n) => {
            let way = engage::pairings(battle).into_iter().nth(usize::from(n)).unwrap_or_default();
            let ids = |units: &[UnitId]| units.iter().map(|&id| unit(id)).collect::<Vec<_>>().join(" ");
            let fights: Vec<String> = way.iter().map(|(a, d)| format!("{} on {}", ids(a), ids(d))).collect();
            format!("pair {}", fights.join(", "))
        }
        Offer::Fight(n) => {
            let fight = battle.fights.get(usize::from(n));
            fight.map_or_else(
                || format!("fight {n}"),
                |fight| {
                    let first = |units: &[UnitId]| units.first().map_or("", |&id| unit(id)).to_owned();
                    format!("fight {} {}", first(&fight.attackers), first(&fight.defenders))
                },
            )
        }
        Offer::OddStagger(id) => format!("odd stagger {}", unit(id)),
        Offer::FallBack(id) => format!("fall back {}", unit(id)),
        Offer::FallBackIn { unit: id, formation } => format!("fall back {} {}", unit(id), formation.word()),
        Offer::Stay(id) => format!("stay {}", unit(id)),
        Offer::Check { command, by, flag } => {
            let name = &battle.command_facts(command).id;
            let senior = by
                .filter(|&id| battle.leader(command) != Some(id))
                .map(|id| format!(" by {}", officer(id)))
                .unwrap_or_default();
            format!("check {name}{senior}{}", if flag { " flag" } else { "" })
        }
        Offer::Reorganise(id) => format!("reorganise {}", battle.command_facts(id).id),
        Offer::EndReorganise => "end reorganising".into(),
        Offer::Rally(id) => format!("rally {}", unit(id)),
        Offer::Form(formation) => format!("form {}", formation.word()),
        Offer::Rout(id) => format!("rout {}", unit(id)),
        Offer::Reform(id) => format!("reform {}", unit(id)),
    }
}

/// How a stretch beyond friends is told from the one before them.
fn through(stretch: u8) -> String {
    match stretch {
        0 => String::new(),
        1 => " through".into(),
        n => format!(" through {n}"),
    }
}

/// The id of whom an order is for.
#[must_use]
pub fn addressee(battle: &Battle, to: Addressee) -> &str {
    match to {
        Addressee::Unit(id) => &battle.facts(id).id,
        Addressee::Group(id) => &battle.command_facts(id).id,
    }
}
