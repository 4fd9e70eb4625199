//! Offers, events and decisions in words.

mod closed;
mod moves;

use sabretache_engine::clause::Clause;
use sabretache_engine::ids::{CommandId, Named, OfficerId, Side, UnitId};
use sabretache_engine::interrupt::Interrupt;
use sabretache_engine::ruleset::{Label, Telling};
use sabretache_engine::view::Verdict;
use sabretache_table::{Length, exact_distance};

use crate::battle::Battle;
use crate::body::{OfficerStatus, Presence};
use crate::clauses::*;
use crate::event::Event;
use crate::offer::Offer;
use crate::phases::{bombard, engage};
use crate::state::{Addressee, Stage, Way};
use crate::troops::{Forced, Order};

pub use closed::closed;

fn unit_name(battle: &Battle, id: UnitId) -> &str {
    &battle.facts(id).name
}

fn officer_name(battle: &Battle, id: OfficerId) -> &str {
    &battle.officer_facts(id).name
}

fn command_name(battle: &Battle, id: CommandId) -> &str {
    &battle.command_facts(id).name
}

fn ground_name(battle: &Battle, n: u16) -> &str {
    battle.lay.terrain.get(usize::from(n)).map_or("", |one| one.name.as_deref().unwrap_or_else(|| one.kind.word()))
}

fn to_whom(battle: &Battle, to: Addressee) -> String {
    match to {
        Addressee::Unit(id) => unit_name(battle, id).to_owned(),
        Addressee::Group(id) => command_name(battle, id).to_owned(),
    }
}

/// The id and name of something.
#[must_use]
pub fn name(battle: &Battle, named: Named) -> Option<(String, String)> {
    let lay = &battle.lay;
    match named {
        Named::Unit(id) => lay.units.get(id.index()).map(|one| (one.id.clone(), one.name.clone())),
        Named::Officer(id) => lay.officers.get(id.index()).map(|one| (one.id.clone(), one.name.clone())),
        Named::Command(id) => lay.commands.get(id.index()).map(|one| (one.id.clone(), one.name.clone())),
        Named::Ground(id) => lay
            .terrain
            .get(id.index())
            .map(|one| (one.id.clone(), one.name.clone().unwrap_or_else(|| one.kind.word().to_owned()))),
    }
}

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
        Offer::GoesFirst(side) => plain(&format!("{} goes first", battle.lay.side_name(side)), HZ_SEQ_01),
        Offer::Skirmish => plain("Roll for skirmisher superiority", HZ_SKI_03),
        Offer::Test(id) => {
            let foe = battle.lay.side_name(battle.facts(id).side.other());
            let mut label = of_unit(id, format!("Threat test of {}, rolled by {foe}", unit(id)), HZ_THR_01);
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
        Offer::Sight { battery, target, right, back, run } => {
            let side = if right { "right" } else { "left" };
            let (back, clause) = if back { (" backward", HZ_VAR_03) } else { ("", HZ_BOM_23) };
            let again = if run > 0 { ", further round," } else { "" };
            let text =
                format!("{} sights its guns{back} to the {side}{again} and bombards {}", unit(battery), unit(target));
            of_unit(battery, text, clause)
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
        Offer::Enter(id) => of_unit(id, format!("{} comes on to the table", unit(id)), HZ_REI_03),
        Offer::Done => plain("The order has been carried out", HZ_ORD_28),
        Offer::GoOn => plain("Go on", HZ_BOM_20),
        Offer::Halt => plain("Halt here", HZ_BOM_20),
        Offer::NoSwing => plain("Leave the guns as they stand", HZ_DEP_11),
        Offer::Refuge(id) => of_unit(id, format!("He escapes to {}", unit(id)), HZ_ORD_39),
        Offer::MoveOfficer(id) => of_command(own(id), format!("{} rides", officer_name(battle, id)), HZ_OFF_02),
        Offer::Attach { officer, unit: id } => {
            of_unit(id, format!("{} joins {}", officer_name(battle, officer), unit(id)), HZ_OFF_05)
        }
        Offer::Detach(id) => of_command(own(id), format!("{} leaves his unit", officer_name(battle, id)), HZ_OFF_08),
        Offer::Supersede(id) => {
            of_command(Some(id), format!("The commander in chief takes over {}", command_name(battle, id)), HZ_OFF_11)
        }
        Offer::Relinquish => plain("The commander in chief gives the command back", HZ_OFF_14),
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
                (None, _) => format!("{} has no officer and fails its command check", command_name(battle, command)),
                (_, false) => format!("{who} takes the command check of {}", command_name(battle, command)),
                (_, true) => {
                    format!("{who} seizes the flag and takes the command check of {}", command_name(battle, command))
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

/// The clause that an order is given under.
const fn order_clause(order: Order) -> Clause {
    match order {
        Order::Advance => HZ_ADV_02,
        Order::Retire => HZ_RET_01,
        Order::Manoeuvre => HZ_MAN_01,
        Order::Deploy => HZ_DEP_01,
        Order::Appoint => HZ_APP_01,
        Order::Rearm => HZ_REA_03,
        Order::Recall => HZ_BLO_08,
    }
}

/// What is to be decided.
#[must_use]
pub fn decision(battle: &Battle) -> String {
    let us = battle.lay.side_name(battle.phasing);
    let them = battle.lay.side_name(battle.phasing.other());
    match battle.stage {
        Stage::SetUp => "Qualities are still to be rolled before the battle begins.".into(),
        Stage::ChooseFirst(side) => format!("{} rolled a Huzzah! and says who goes first.", battle.lay.side_name(side)),
        Stage::Skirmish => format!("Turn {}: the skirmishers fight for superiority.", battle.turn),
        Stage::Threat => format!("{us}: which threatened unit tests next?"),
        Stage::Window => format!("{them} may bombard before {us} goes on."),
        Stage::Order => format!("{us}: give an order, or end the phase."),
        Stage::Act => match battle.doing.acting {
            Some(acting) => format!("{} is to {}: who acts, and how?", to_whom(battle, acting.to), acting.order.word()),
            None => format!("{us}: who acts?"),
        },
        Stage::Interrupt => format!("{them} may bombard while {us} moves."),
        Stage::GoOn => format!("{us}: go on under fire, or halt here?"),
        Stage::Swing => format!("{us}: manoeuvre the guns with it?"),
        Stage::Refuge => {
            let who = battle.doing.fleeing.map_or("the officer", |id| officer_name(battle, id));
            format!("{them}: to which of the nearest units does {who} escape?")
        }
        Stage::SecondAppointment => format!("{us}: appoint a second officer and end the phase, or go on?"),
        Stage::Officers => format!("{us}: move officers."),
        Stage::Pairing => format!("{us}: who fights whom?"),
        Stage::Engage => format!("{us}: which engagement is fought next?"),
        Stage::OddStagger(side) => format!("{}: who takes the odd stagger?", battle.lay.side_name(side)),
        Stage::FallBack => "Who moves first of those that must?".into(),
        Stage::Check => format!("{us}: a command check is due."),
        Stage::Reorganise => format!("{us}: try to reorganise a broken command?"),
        Stage::Rally => format!("{us}: which routing unit tries to rally next?"),
        Stage::Formation => format!("{us}: what formation does the rallied unit take?"),
        Stage::Rout => format!("{us}: which routing unit runs first?"),
        Stage::Reform => format!("{us}: which unit tries to reform next?"),
        Stage::Over => "The battle is over.".into(),
    }
}

/// What is asked next, in a few words.
fn asks(battle: &Battle, stage: Stage) -> String {
    let who = match stage {
        Stage::Window | Stage::Interrupt | Stage::Refuge => battle.lay.side_name(battle.phasing.other()),
        Stage::ChooseFirst(side) | Stage::OddStagger(side) => battle.lay.side_name(side),
        _ => battle.lay.side_name(battle.phasing),
    };
    let what = match stage {
        Stage::SetUp => "setting up",
        Stage::ChooseFirst(_) => "who is to go first?",
        Stage::Skirmish => "the skirmishers go out",
        Stage::Threat => "threats to be faced",
        Stage::Window | Stage::Interrupt => "the guns may bombard",
        Stage::Order => "orders may be given",
        Stage::Act => "the order is to be acted on",
        Stage::GoOn => "the unit under fire may halt",
        Stage::Swing => "the guns may manoeuvre",
        Stage::Refuge => "an officer is run into",
        Stage::SecondAppointment => "a second officer may be appointed",
        Stage::Officers => "officers may move",
        Stage::Pairing => "who fights whom?",
        Stage::Engage => "engagements are to be fought",
        Stage::OddStagger(_) => "odd staggers are to be placed",
        Stage::FallBack => "units give ground",
        Stage::Check => "command checks are to be taken",
        Stage::Reorganise => "broken commands may reorganise",
        Stage::Rally => "routing units may rally",
        Stage::Formation => "a rallied unit forms up",
        Stage::Rout => "routing units run",
        Stage::Reform => "units may reform",
        Stage::Over => "the field is left",
    };
    format!("{who}: {what}")
}

fn count(number: u8, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// What happened, as a sentence.
#[must_use]
pub fn tell(battle: &Battle, event: &Event) -> Telling {
    let unit = |id: UnitId| unit_name(battle, id);
    let side = |side: Side| battle.lay.side_name(side);
    let of = |id: UnitId, text: String, clause: Clause| Telling::new(text, Some(id.into()), clause);
    let man = |id: OfficerId, text: String, clause: Clause| Telling::new(text, Some(id.into()), clause);
    let group = |id: CommandId, text: String, clause: Clause| Telling::new(text, Some(id.into()), clause);
    let plain = |text: String, clause: Clause| Telling::new(text, None, clause);
    match event {
        Event::QualityRolled { unit: id, quality } => of(*id, format!("{} is {quality}", unit(*id)), HZ_QUA_08),
        Event::OfficerRolled { officer, ability } => {
            man(*officer, format!("{} is {ability}", officer_name(battle, *officer)), HZ_CMD_04)
        }
        Event::SkirmishRolled { side: whose, ability } => {
            plain(format!("The skirmishers of {} are {ability}", side(*whose)), HZ_SKI_01)
        }
        Event::GoesFirst { side: whose } => plain(format!("{} goes first", side(*whose)), HZ_SEQ_01),
        Event::TurnBegins { turn } => plain(format!("Turn {turn}"), HZ_SEQ_02),
        Event::PhaseBegins { side: whose, phase } => plain(format!("{}: {}", side(*whose), phase.word()), HZ_SEQ_02),
        Event::Now { stage } => plain(asks(battle, *stage), HZ_SEQ_02),
        Event::BattleEnds { ended } => match ended.winner {
            Some(winner) => plain(format!("The battle is over: {} has won", side(winner)), ended.clause),
            None => plain("The battle is over, and drawn".into(), ended.clause),
        },
        Event::Skirmished { winner, .. } => match winner {
            Some(winner) => plain(format!("Skirmisher superiority: {}", side(*winner)), HZ_SKI_08),
            None => plain("Neither side has skirmisher superiority".into(), HZ_SKI_08),
        },
        Event::SkirmishersWorn { side: whose, by } => {
            plain(format!("The skirmishers of {} are worn down by {by}", side(*whose)), HZ_SKI_11)
        }
        Event::JoinsSkirmishers { unit: id } => of(*id, format!("{} joins the skirmish line", unit(*id)), HZ_SKI_07),
        Event::Threatened { threats } => plain(format!("{} threats are to be faced", threats.len()), HZ_THR_01),
        Event::Tested { unit: id, passed } => {
            let foe = side(battle.facts(*id).side.other());
            let what = if *passed { "passes" } else { "fails" };
            let mut told = of(*id, format!("{} {what} its threat test, rolled by {foe}", unit(*id)), HZ_THR_04);
            told.clauses.push(HZ_THR_03);
            told
        }
        Event::Staggered { unit: id, by, clause } => {
            of(*id, format!("{} takes {}", unit(*id), count(*by, "stagger")), *clause)
        }
        Event::Killed { unit: id, by, clause } => {
            of(*id, format!("{} takes {}", unit(*id), count(*by, "kill")), *clause)
        }
        Event::Recovered { unit: id, by } => {
            of(*id, format!("{} shakes off {}", unit(*id), count(*by, "stagger")), HZ_RAL_13)
        }
        Event::Broken { unit: id, how, clause } => {
            let how = match how {
                Presence::RoutedOff => "routs off the table",
                Presence::RetiredOff => "retires off the table",
                Presence::Destroyed | Presence::Disbanded => "is destroyed",
                _ => "is broken",
            };
            of(*id, format!("{} {how}", unit(*id)), *clause)
        }
        Event::Forced { unit: id, order, clause } => match order {
            Some(Forced::Recall) => of(*id, format!("{} must be recalled", unit(*id)), *clause),
            Some(order) => of(*id, format!("{} must {order}", unit(*id)), *clause),
            None => of(*id, format!("The forced order of {} is done with", unit(*id)), *clause),
        },
        Event::Smoke { unit: id, .. } => of(*id, format!("Smoke gathers before {}", unit(*id)), HZ_THR_30),
        Event::SmokeClears { unit: id, .. } => of(*id, format!("Smoke clears before {}", unit(*id)), HZ_SMK_01),
        Event::Blown { unit: id, blown } => {
            of(*id, format!("{} is {}", unit(*id), if *blown { "blown" } else { "no longer blown" }), HZ_BLO_01)
        }
        Event::CommandBroken { command } => {
            group(*command, format!("{} is broken", command_name(battle, *command)), HZ_QUA_13)
        }
        Event::Ordered { officer, to, order, .. } => man(
            *officer,
            format!("{} orders {} to {}", officer_name(battle, *officer), to_whom(battle, *to), order.word()),
            order_clause(*order),
        ),
        Event::Obeyed { huzzah, free, .. } => {
            let text = if *huzzah {
                "Huzzah! The order is obeyed"
            } else if *free {
                "The free order is obeyed"
            } else {
                "The order is obeyed"
            };
            plain(text.into(), if *huzzah || *free { HZ_ORD_33 } else { HZ_ORD_26 })
        }
        Event::OrderFailed { officer, command, clause } => {
            let who = officer_name(battle, *officer);
            let text = match command {
                Some(command) => format!(
                    "The order fails: {who} is silent, and {} receives no further orders",
                    command_name(battle, *command)
                ),
                None => format!("The order fails: {who} is silent"),
            };
            man(*officer, text, *clause)
        }
        Event::OrderDone { huzzah } => plain(
            if *huzzah { "The order is done, and a free one may follow".into() } else { "The order is done".into() },
            HZ_ORD_28,
        ),
        Event::OrdersOver { clause } => plain("The orders phase is over at once".into(), *clause),
        Event::OrdersEnding => plain("No more orders are given".into(), HZ_ORD_44),
        Event::Acts { moving } if moving.deploying => {
            of(moving.unit, format!("{} manoeuvres with it", unit(moving.unit)), HZ_DEP_11)
        }
        Event::Acts { moving } => of(moving.unit, format!("{} acts on the order", unit(moving.unit)), HZ_ORD_30),
        Event::Moved { unit: id, pose, done } => moves::moved(battle, *id, *pose, *done),
        Event::Formed { unit: id, formation, .. } => of(*id, format!("{} forms {formation}", unit(*id)), HZ_DEP_01),
        Event::Garrisons { unit: id, .. } => {
            of(*id, format!("{} posts itself round the buildings", unit(*id)), HZ_BLD_08)
        }
        Event::Finished { unit: id } => of(*id, format!("{} has done", unit(*id)), HZ_ORD_30),
        Event::Halted { unit: id } => of(*id, format!("{} halts under fire", unit(*id)), HZ_BOM_20),
        Event::GoesOn { unit: id } => of(*id, format!("{} goes on", unit(*id)), HZ_BOM_20),
        Event::Spent { unit: id, clause } => {
            of(*id, format!("{} acts on no further orders this phase", unit(*id)), *clause)
        }
        Event::Across { unit: id, enemy } => match enemy {
            Some(enemy) => of(*id, format!("{} engages {} across the obstacle", unit(*id), unit(*enemy)), HZ_TER_15),
            None => of(*id, format!("{} breaks off", unit(*id)), HZ_TER_15),
        },
        Event::Enters { unit: id, .. } => of(*id, format!("{} comes on to the table", unit(*id)), HZ_REI_08),
        Event::ChosenFirst { command } => {
            group(*command, format!("{} is to come on first", command_name(battle, *command)), HZ_REI_10)
        }
        Event::HeldBack { command } => {
            group(*command, format!("{} is held back", command_name(battle, *command)), HZ_REI_09)
        }
        Event::Awaits { unit: id, .. } => of(*id, format!("{} is let come on", unit(*id)), HZ_BOM_20),
        Event::Sighted { battery, pose } => {
            let turn = battle.unit(*battery).pose.heading.turn_to(pose.heading);
            let text = format!("{} sights its guns {}", unit(*battery), moves::turned(turn));
            of(*battery, text, HZ_BOM_23)
        }
        Event::Bombarded { battery, target } => {
            of(*battery, format!("{} bombards {}", unit(*battery), unit(*target)), HZ_BOM_18)
        }
        Event::Explodes { breach } => {
            plain(format!("The mine under {} goes up", ground_name(battle, *breach)), HZ_BRE_03)
        }
        Event::Scales { unit: id, wall, .. } => {
            of(*id, format!("{} is on top of {}", unit(*id), ground_name(battle, *wall)), HZ_FTW_04)
        }
        Event::HedgeGone { .. } => plain("A stretch of hedge is shot away".into(), HZ_HED_08),
        Event::OfficerMoves { officer, ride, .. } => {
            man(*officer, format!("{} rides {}", officer_name(battle, *officer), moves::told(*ride)), HZ_OFF_02)
        }
        Event::OfficerShifted { officer, .. } => {
            man(*officer, format!("{} makes room", officer_name(battle, *officer)), HZ_ORD_38)
        }
        Event::Flees { officer } => {
            man(*officer, format!("{} is run into and flees", officer_name(battle, *officer)), HZ_ORD_39)
        }
        Event::Attaches { officer, unit: id } => {
            man(*officer, format!("{} joins {}", officer_name(battle, *officer), unit(*id)), HZ_OFF_05)
        }
        Event::Detaches { officer, .. } => {
            man(*officer, format!("{} leaves his unit", officer_name(battle, *officer)), HZ_OFF_08)
        }
        Event::OfficerGone { officer, status, clause } => {
            let what = match status {
                OfficerStatus::Killed => "is killed",
                OfficerStatus::Captured => "is captured",
                OfficerStatus::Superseded => "is superseded",
                OfficerStatus::Awaited => "gathers his command again",
                _ => "leaves the field with his broken command",
            };
            man(*officer, format!("{} {what}", officer_name(battle, *officer)), *clause)
        }
        Event::OfficerComes { officer, .. } => {
            man(*officer, format!("{} takes his post", officer_name(battle, *officer)), HZ_OFF_14)
        }
        Event::Supersedes { officer, command } => man(
            *officer,
            format!("{} takes over {}", officer_name(battle, *officer), command_name(battle, *command)),
            HZ_OFF_11,
        ),
        Event::Relinquishes { officer } => {
            man(*officer, format!("{} gives the command back", officer_name(battle, *officer)), HZ_OFF_14)
        }
        Event::Appointed { officer, ability, .. } => {
            let post = command_name(battle, battle.officer_facts(*officer).command);
            man(*officer, format!("A new officer, {ability}, is appointed to {post}"), HZ_APP_05)
        }
        Event::Appointing { side: whose } => {
            plain(format!("The commander in chief of {} appoints an officer", side(*whose)), HZ_APP_01)
        }
        Event::Rearming { side: whose } => {
            plain(format!("The commander in chief of {} sends for ammunition", side(*whose)), HZ_REA_03)
        }
        Event::Rearmed { contingent, factor } => {
            let name = battle.lay.contingents.get(usize::from(*contingent)).map_or("", |one| one.name.as_str());
            plain(format!("The guns of {name} are supplied for {factor} bombardments"), HZ_REA_06)
        }
        Event::Engaged { fights } => plain(
            format!(
                "{} to be fought",
                if fights.len() == 1 {
                    "One engagement is".to_owned()
                } else {
                    format!("{} engagements are", fights.len())
                }
            ),
            HZ_ENG_01,
        ),
        Event::FightRolled { .. } => plain("The dice are cast; odd staggers are to be placed".into(), HZ_MUL_05),
        Event::OddPlaced { .. } => plain("An odd stagger is placed".into(), HZ_MUL_06),
        Event::Fought { winner, .. } => match winner {
            Some(winner) => plain(format!("{} wins the engagement", side(*winner)), HZ_ENG_32),
            None => plain("The engagement ends undecided".into(), HZ_ENG_33),
        },
        Event::Routs { unit: id, .. } => of(*id, format!("{} routs", unit(*id)), HZ_ENG_39),
        Event::MustMove { unit: id, forced } => of(
            *id,
            if forced.is_some() {
                format!("{} must give ground", unit(*id))
            } else {
                format!("{} gives ground", unit(*id))
            },
            HZ_ENG_48,
        ),
        Event::Checked { command, passed, .. } => group(
            *command,
            format!(
                "{} {} its command check",
                command_name(battle, *command),
                if *passed { "passes" } else { "fails" }
            ),
            HZ_CHK_20,
        ),
        Event::PassGranted { command } => {
            group(*command, format!("{} takes heart and passes with it", command_name(battle, *command)), HZ_CHK_31)
        }
        Event::Rolled { unit: id } => of(*id, format!("{} has tried to restore order", unit(*id)), HZ_RAL_02),
        Event::Rallied { unit: id } => of(*id, format!("{} rallies", unit(*id)), HZ_RAL_12),
        Event::Reorganising { command } => {
            group(*command, format!("{} tries to reorganise", command_name(battle, *command)), HZ_REO_09)
        }
        Event::Reorganised { command } => {
            group(*command, format!("{} reorganises", command_name(battle, *command)), HZ_REO_10)
        }
        Event::Returns { unit: id, .. } => of(*id, format!("{} is ready to return", unit(*id)), HZ_REO_11),
        Event::FellBack { unit: id } => of(*id, format!("{} falls back with its command", unit(*id)), HZ_CHK_22),
    }
}

/// What a run of events comes to, in a few words: what was lost, who broke, who won.
#[must_use]
pub fn outcome(battle: &Battle, events: &[Event]) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut push = |text: String| {
        if !parts.contains(&text) {
            parts.push(text);
        }
    };
    for event in events {
        match event {
            Event::Skirmished { winner, .. } => push(
                winner.map_or("no superiority".into(), |side| format!("superiority: {}", battle.lay.side_name(side))),
            ),
            Event::Tested { unit, passed: true } => push(format!("{} passes", unit_name(battle, *unit))),
            Event::Staggered { unit, by, .. } => {
                push(format!("{} takes {}", unit_name(battle, *unit), count(*by, "stagger")))
            }
            Event::Killed { unit, by, .. } => {
                push(format!("{} takes {}", unit_name(battle, *unit), count(*by, "kill")))
            }
            Event::Broken { unit, .. } => push(format!("{} breaks", unit_name(battle, *unit))),
            Event::Routs { unit, .. } => push(format!("{} routs", unit_name(battle, *unit))),
            Event::Rallied { unit } => push(format!("{} rallies", unit_name(battle, *unit))),
            Event::Recovered { unit, by } => {
                push(format!("{} loses {}", unit_name(battle, *unit), count(*by, "stagger")))
            }
            Event::Obeyed { huzzah: true, .. } => push("obeyed with a Huzzah!".into()),
            Event::Obeyed { .. } => push("obeyed".into()),
            Event::OrderFailed { .. } => push("the order fails".into()),
            Event::Checked { command, passed, .. } => {
                push(format!("{} {}", command_name(battle, *command), if *passed { "passes" } else { "fails" }))
            }
            Event::Fought { winner, .. } => {
                push(winner.map_or("a tie".into(), |side| format!("{} wins", battle.lay.side_name(side))))
            }
            Event::OfficerGone { officer, status: OfficerStatus::Killed, .. } => {
                push(format!("{} falls", officer_name(battle, *officer)))
            }
            Event::Rearmed { .. } => push("rearmed".into()),
            Event::Reorganised { .. } => push("reorganised".into()),
            Event::Appointed { ability, .. } => push(format!("an officer, {ability}")),
            Event::BattleEnds { ended } => push(ended.winner.map_or("the battle is drawn".into(), |side| {
                format!("{} wins the battle", battle.lay.side_name(side))
            })),
            _ => {}
        }
    }
    if parts.is_empty() { "nothing else happens".into() } else { parts.join(", ") }
}

/// How the battle ended.
#[must_use]
pub fn verdict(battle: &Battle) -> Option<Verdict> {
    let ended = battle.doing.ended.filter(|_| battle.stage == Stage::Over)?;
    let sentence = match ended.winner {
        Some(winner) if ended.clause == HZ_VIC_01 => format!(
            "The army of {} is broken; {} has won.",
            battle.lay.side_name(winner.other()),
            battle.lay.side_name(winner)
        ),
        Some(winner) => format!("After {} turns {} has the better of it.", battle.turn, battle.lay.side_name(winner)),
        None => "Neither side has the better of it.".into(),
    };
    Some(Verdict { winner: ended.winner, sentence, clause: ended.clause })
}

/// What a bombardment interrupts.
#[must_use]
pub fn interrupt(battle: &Battle) -> Option<Interrupt<Offer>> {
    if !matches!(battle.stage, Stage::Window | Stage::Interrupt) {
        return None;
    }
    let mut offers = Vec::new();
    bombard::offers(battle, &mut offers);
    let mut reactors: Vec<UnitId> = offers
        .iter()
        .filter_map(|offer| match offer {
            Offer::Bombard { battery, .. } | Offer::Through { battery, .. } | Offer::Sight { battery, .. } => {
                Some(*battery)
            }
            _ => None,
        })
        .collect();
    reactors.sort_unstable();
    reactors.dedup();
    // A mine is never fired or let pass unasked.
    if offers.iter().any(|offer| matches!(offer, Offer::Explode(_))) {
        return None;
    }
    let targets = offers.iter().filter_map(|offer| match offer {
        Offer::Bombard { target, .. } | Offer::Through { target, .. } | Offer::Sight { target, .. } => Some(*target),
        _ => None,
    });
    let mover = battle.doing.moving.map(|moving| moving.unit).or_else(|| targets.into_iter().next())?;
    let there = battle.placed(mover);
    let nearest = reactors.iter().map(|&id| exact_distance(&battle.placed(id), &there)).fold(f64::INFINITY, f64::min);
    Some(Interrupt { kind: "bombard", reactors, mover, distance: Length::rounded(nearest.min(1e9)), pass: Offer::Pass })
}
