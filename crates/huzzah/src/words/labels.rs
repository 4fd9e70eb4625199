//! What may be done, in words.

use sabretache_engine::clause::Clause;
use sabretache_engine::ids::{CommandId, Named, OfficerId, UnitId};
use sabretache_engine::ruleset::Label;

use super::{command_name, ground_name, name, officer_name, order_clause, to_whom, unit_name};
use crate::battle::Battle;
use crate::clauses::*;
use crate::offer::Offer;
use crate::phases::{engage, entering, supersede};
use crate::state::{Addressee, Way};
use crate::troops::Order;

/// An offer in words.
#[must_use]
pub fn label(battle: &Battle, offer: &Offer) -> Label {
    let unit = |id: UnitId| unit_name(battle, id);
    let brigade = |id: UnitId| Some(battle.facts(id).brigade);
    let of_unit = |id: UnitId, text: String, clause: Clause| Label {
        text,
        unit: Some(id),
        command: brigade(id),
        clauses: vec![clause],
    };
    let of_command = |id: Option<CommandId>, text: String, clause: Clause| Label {
        text,
        unit: None,
        command: id,
        clauses: vec![clause],
    };
    let plain =
        |text: &str, clause: Clause| Label { text: text.to_owned(), unit: None, command: None, clauses: vec![clause] };
    let own = |id: OfficerId| Some(battle.officer_facts(id).command);
    match *offer {
        Offer::Begin => plain("Roll what is to be rolled, and begin", HZ_SEQ_06),
        Offer::GoesFirst(side) => plain(&format!("First to go: {}", battle.lay.side_name(side)), HZ_SEQ_01),
        Offer::Skirmish => plain("Roll for skirmisher superiority", HZ_SKI_03),
        Offer::Test(id) => {
            let foe = battle.lay.side_name(battle.facts(id).side.other());
            let mut label = of_unit(id, format!("Threat test of {} (dice: {foe})", unit(id)), HZ_THR_01);
            label.clauses.push(HZ_THR_03);
            label
        }
        Offer::Pass => plain("Hold fire", HZ_BOM_19),
        Offer::Bombard { battery, target } => {
            of_unit(battery, format!("{} bombards {}", unit(battery), unit(target)), HZ_BOM_04)
        }
        Offer::Through { battery, target } => of_unit(
            battery,
            format!("{} bombards {} through the hedge and shoots it away", unit(battery), unit(target)),
            HZ_HED_08,
        ),
        Offer::Explode(breach) => plain(&format!("Fire the mine under {}", ground_name(battle, breach)), HZ_BRE_03),
        Offer::Sight { battery, target, right, back, through, run } => {
            let side = if right { "right" } else { "left" };
            let (back, clause) = if back { (" backward", HZ_VAR_03) } else { ("", HZ_BOM_23) };
            let again = if run > 0 { ", further round," } else { "" };
            let hedge = if through { " through the hedge and shoots it away" } else { "" };
            let (guns, whom) = (unit(battery), unit(target));
            let text = format!("{guns} sights its guns{back} to the {side}{again} and bombards {whom}{hedge}");
            let mut label = of_unit(battery, text, clause);
            label.clauses.extend(through.then_some(HZ_HED_08));
            label
        }
        Offer::Await => plain("Let it come on, and be asked again further along", HZ_BOM_20),
        Offer::Order { officer, to, order } => {
            let text = format!("{} orders {} to {}", officer_name(battle, officer), to_whom(battle, to), order.word());
            let (concerned, command) = match to {
                Addressee::Unit(id) => (Some(id), brigade(id)),
                Addressee::Group(id) => (None, Some(id)),
            };
            Label { text, unit: concerned, command, clauses: vec![order_clause(order)] }
        }
        Offer::FreeOrder { officer, order } => {
            let to = battle.officer(officer).spoke_last.map_or_else(String::new, |to| to_whom(battle, to));
            let text =
                format!("Huzzah! {} orders {to} to {} without a roll", officer_name(battle, officer), order.word());
            of_command(own(officer), text, HZ_ORD_33)
        }
        Offer::Appoint(id) | Offer::AppointToo(id) => of_command(
            own(id),
            format!("Appoint a new officer to {}", battle.command_facts(battle.officer_facts(id).command).name),
            HZ_APP_01,
        ),
        Offer::NameFirst(id) => of_command(
            Some(id),
            format!("{} is to come on first of those due there", command_name(battle, id)),
            HZ_REI_10,
        ),
        Offer::Rearm => plain("Bring up ammunition for the guns", HZ_REA_03),
        Offer::EndOrders => plain("No more orders", HZ_ORD_44),
        Offer::Go { unit: id, way, stretch } => {
            let (verb, clause) = match battle.doing.acting.map(|acting| acting.order) {
                Some(Order::Retire) => ("Retire", HZ_RET_01),
                Some(Order::Manoeuvre | Order::Deploy) => ("Side-step", HZ_MAN_03),
                _ => ("Advance", HZ_ADV_02),
            };
            let side = match way {
                Way::Left => " to the left",
                Way::Right => " to the right",
                Way::Ahead | Way::Back => "",
            };
            let through = if stretch > 0 { ", through friends" } else { "" };
            of_unit(id, format!("{verb} {}{side}{through}", unit(id)), clause)
        }
        Offer::Road { unit: id, stretch, .. } => {
            let through = if stretch > 0 { ", through friends" } else { "" };
            of_unit(id, format!("{} follows the road{through}", unit(id)), HZ_ADV_22)
        }
        Offer::Wheel(id) => of_unit(id, format!("{} wheels", unit(id)), HZ_MAN_01),
        Offer::WheelBack(id) => of_unit(id, format!("{} wheels backward", unit(id)), HZ_MAN_01),
        Offer::WheelThrough { unit: id, right, back, .. } => {
            let way = if back { " backward" } else { "" };
            let side = if right { "right" } else { "left" };
            of_unit(id, format!("{} wheels{way} to the {side}, through friends", unit(id)), HZ_MAN_08)
        }
        Offer::AboutFace(id) => of_unit(id, format!("{} turns about", unit(id)), HZ_MAN_02),
        Offer::Deploy { unit: id, formation } => of_unit(id, format!("{} forms {formation}", unit(id)), HZ_DEP_01),
        Offer::Garrison { unit: id, sector, .. } => {
            let place = name(battle, Named::Ground(sabretache_engine::ids::GroundId(sector)))
                .map_or_else(String::new, |(_, name)| name);
            of_unit(id, format!("{} deploys into {place}", unit(id)), HZ_BLD_08)
        }
        Offer::JoinSkirmishers(id) => of_unit(id, format!("{} joins the skirmish line for good", unit(id)), HZ_SKI_07),
        Offer::Across { unit: id, enemy } => {
            of_unit(id, format!("{} engages {} across the obstacle", unit(id), unit(enemy)), HZ_TER_15)
        }
        Offer::Recall(id) => of_unit(id, format!("{} obeys the recall", unit(id)), HZ_BLO_09),
        Offer::Escalade { unit: id, wall } => {
            of_unit(id, format!("{} scales {}", unit(id), ground_name(battle, wall)), HZ_FTW_04)
        }
        Offer::ClimbOver(id) => of_unit(id, format!("{} climbs over the battlements", unit(id)), HZ_FTW_13),
        Offer::AlongWall { unit: id, right } => {
            let side = if right { "right" } else { "left" };
            of_unit(id, format!("{} forms march column along the wall to the {side}", unit(id)), HZ_FTW_14)
        }
        Offer::Enter { unit: id, front } => {
            let road = entering::front(battle, id, front).and_then(|front| front.road);
            let by = match road {
                Some(road) => format!(" by {}", ground_name(battle, road)),
                None if front > 0 => ", further along the edge".into(),
                None => String::new(),
            };
            of_unit(id, format!("{} comes on to the table{by}", unit(id)), HZ_REI_03)
        }
        Offer::Done => plain("Enough of this order", HZ_ORD_28),
        Offer::GoOn => plain("Go on", HZ_BOM_20),
        Offer::Halt => plain("Halt here", HZ_BOM_20),
        Offer::NoSwing => plain("Leave the guns as they stand", HZ_DEP_11),
        Offer::Refuge(id) => match battle.doing.fleeing.first().and_then(|one| one.returns) {
            None => of_unit(id, format!("He escapes to {}", unit(id)), HZ_ORD_39),
            Some(_) => of_unit(id, format!("He takes his post behind {}", unit(id)), HZ_OFF_12),
        },
        Offer::MoveOfficer(id) => of_command(own(id), format!("{} rides", officer_name(battle, id)), HZ_OFF_02),
        Offer::Attach { officer, unit: id } => {
            of_unit(id, format!("{} joins {}", officer_name(battle, officer), unit(id)), HZ_OFF_05)
        }
        Offer::Detach(id) => of_command(own(id), format!("{} leaves his unit", officer_name(battle, id)), HZ_OFF_08),
        Offer::Supersede(id) => {
            of_command(Some(id), format!("The commander in chief takes over {}", command_name(battle, id)), HZ_OFF_11)
        }
        Offer::Relinquish(side) => {
            let back = "The commander in chief gives the command back";
            match supersede::sides(battle).is_empty() {
                true => plain(back, HZ_OFF_14),
                false => plain(&format!("{back}, its officer to the {} of him", supersede::compass(side)), HZ_OFF_14),
            }
        }
        Offer::BringOn(id) => {
            of_command(own(id), format!("{} comes on to the table", officer_name(battle, id)), HZ_REI_01)
        }
        Offer::EndOfficers => plain("Officers stay where they are", HZ_OFF_01),
        Offer::Pairing(n) => {
            let way = engage::pairings(battle).into_iter().nth(usize::from(n)).unwrap_or_default();
            let names = |units: &[UnitId]| units.iter().map(|&id| unit(id)).collect::<Vec<_>>().join(" and ");
            let fights: Vec<String> = way.iter().map(|(a, d)| format!("{} against {}", names(a), names(d))).collect();
            plain(&fights.join("; "), HZ_MUL_02)
        }
        Offer::Fight(n) => {
            let text = battle.fights.get(usize::from(n)).map_or_else(String::new, |fight| {
                let list = |units: &[UnitId]| units.iter().map(|&id| unit(id)).collect::<Vec<_>>().join(" and ");
                format!("{} against {}", list(&fight.attackers), list(&fight.defenders))
            });
            plain(&text, HZ_ENG_01)
        }
        Offer::OddStagger(id) => of_unit(id, format!("{} takes the odd stagger", unit(id)), HZ_MUL_06),
        Offer::FallBack(id) => of_unit(id, format!("{} moves next", unit(id)), HZ_ENG_48),
        Offer::FallBackIn { unit: id, formation } => {
            of_unit(id, format!("{} comes out of the buildings in {formation}", unit(id)), HZ_CHK_27)
        }
        Offer::Stay(id) => of_unit(id, format!("{} stays in its strong point", unit(id)), HZ_CHK_28),
        Offer::Check { command, by, flag } => {
            let who = by.map_or_else(|| "nobody".to_owned(), |id| officer_name(battle, id).to_owned());
            let text = match (by, flag) {
                (None, _) => {
                    format!("Nobody takes the command check of {}, and it fails", command_name(battle, command))
                }
                (_, false) => format!("{who} takes the command check of {}", command_name(battle, command)),
                (_, true) => {
                    format!(
                        "{who} seizes the flag and takes the command check of {}; if it fails he is killed",
                        command_name(battle, command)
                    )
                }
            };
            of_command(Some(command), text, if flag { HZ_CHK_17 } else { HZ_CHK_20 })
        }
        Offer::Reorganise(id) => {
            of_command(Some(id), format!("{} tries to reorganise", command_name(battle, id)), HZ_REO_03)
        }
        Offer::EndReorganise => plain("No more reorganising", HZ_REO_03),
        Offer::Rally(id) => of_unit(id, format!("{} tries to rally", unit(id)), HZ_RAL_12),
        Offer::Form(formation) => plain(&format!("Form {formation}"), HZ_RAL_14),
        Offer::Rout(id) => of_unit(id, format!("{} runs next", unit(id)), HZ_ROU_07),
        Offer::Reform(id) => of_unit(id, format!("{} tries to reform", unit(id)), HZ_RAL_12),
    }
}
