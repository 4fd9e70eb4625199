//! What happened, in words.

use sabretache_engine::clause::Clause;
use sabretache_engine::ids::{CommandId, OfficerId, Side, UnitId};
use sabretache_engine::ruleset::Telling;

use super::names::{command_name, ground_name, officer_name, to_whom, unit_name};
use super::{asks, count, moves, order_clause};
use crate::battle::Battle;
use crate::body::{OfficerStatus, Presence};
use crate::clauses::*;
use crate::event::Event;
use crate::state::Stage;
use crate::troops::Forced;

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
            plain(format!("{}: the skirmishers are {ability}", side(*whose)), HZ_SKI_01)
        }
        Event::GoesFirst { side: whose } => plain(format!("First to go: {}", side(*whose)), HZ_SEQ_01),
        Event::TurnBegins { turn } => plain(format!("Turn {turn}"), HZ_SEQ_02),
        Event::PhaseBegins { side: whose, phase } => plain(format!("{}: {}", side(*whose), phase.word()), HZ_SEQ_02),
        Event::Now { stage } => plain(asks(battle, *stage), HZ_SEQ_02),
        Event::BattleEnds { ended } => match ended.winner {
            Some(winner) => plain(format!("The battle is over. Victory: {}", side(winner)), ended.clause),
            None => plain("The battle is over, and drawn".into(), ended.clause),
        },
        Event::Skirmished { winner, .. } => match winner {
            Some(winner) => plain(format!("Skirmisher superiority: {}", side(*winner)), HZ_SKI_08),
            None => plain("Neither side has skirmisher superiority".into(), HZ_SKI_08),
        },
        Event::SkirmishersWorn { side: whose, by } => {
            plain(format!("{}: the skirmishers are worn down by {by}", side(*whose)), HZ_SKI_11)
        }
        Event::JoinsSkirmishers { unit: id } => of(*id, format!("{} joins the skirmish line", unit(*id)), HZ_SKI_07),
        Event::Threatened { threats } => plain(format!("Threats to be faced: {}", threats.len()), HZ_THR_01),
        Event::Disadvantaged { unit: id, clause } => {
            of(*id, format!("{} uses its disadvantaged rating: {}", unit(*id), disadvantage(*clause)), *clause)
        }
        Event::Shaken { unit: id, by } => {
            of(*id, format!("Huzzah! {} shakes {}, which tests at once", unit(*by), unit(*id)), HZ_THR_31)
        }
        Event::Tested { unit: id, passed } => {
            let foe = side(battle.facts(*id).side.other());
            let what = if *passed { "passes" } else { "fails" };
            let mut told = of(*id, format!("{} {what} its threat test (dice: {foe})", unit(*id)), HZ_THR_04);
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
        Event::Obeyed { officer, to, order, huzzah, free } => {
            let begins = if *huzzah { "Huzzah! " } else { "" };
            let what = if *free { "free order" } else { "order" };
            let (who, whom) = (officer_name(battle, *officer), to_whom(battle, *to));
            let text = format!("{begins}{whom} obeys the {what} of {who} to {}", order.word());
            man(*officer, text, if *huzzah || *free { HZ_ORD_33 } else { HZ_ORD_26 })
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
        Event::ChosenFirst { command } | Event::NamedFirst { command } => {
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
        Event::Off { unit: id, .. } => of(*id, format!("{} can bear no more", unit(*id)), HZ_QUA_11),
        Event::MustCheck { .. } => plain("Commands must check".into(), HZ_CHK_03),
        Event::Silenced { .. } => plain("Commands receive no further orders".into(), HZ_ORD_05),
        Event::FreeOrdersLapse { .. } => plain("A free order is given up".into(), HZ_ORD_34),
        Event::MoverHit => plain("The unit that moves is hit".into(), HZ_BRE_03),
        Event::GoesAlong { officer, .. } => {
            man(*officer, format!("{} goes along", officer_name(battle, *officer)), HZ_ORD_40)
        }
        Event::OfficerShifted { officer, .. } => {
            man(*officer, format!("{} makes room", officer_name(battle, *officer)), HZ_ORD_38)
        }
        Event::Flees { officer, returns: None } => {
            man(*officer, format!("{} is run into and flees", officer_name(battle, *officer)), HZ_ORD_39)
        }
        Event::Flees { officer, .. } => {
            man(*officer, format!("{} finds the enemy at his post", officer_name(battle, *officer)), HZ_OFF_12)
        }
        Event::SeeksRefuge { .. } => plain(asks(battle, Stage::Refuge), HZ_OFF_20),
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
            plain(format!("{}: the commander in chief appoints an officer", side(*whose)), HZ_APP_01)
        }
        Event::Rearming { side: whose } => {
            plain(format!("{}: the commander in chief sends for ammunition", side(*whose)), HZ_REA_03)
        }
        Event::Rearmed { contingent, factor } => {
            let name = battle.lay.contingents.get(usize::from(*contingent)).map_or("", |one| one.name.as_str());
            plain(format!("{name}: the guns are supplied for {}", count(*factor, "bombardment")), HZ_REA_06)
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
            Some(winner) => plain(format!("{}: the engagement is won", side(*winner)), HZ_ENG_32),
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

/// Why a unit reads its disadvantaged morale in a threat test, in a few words.
fn disadvantage(clause: Clause) -> &'static str {
    match clause {
        HZ_THR_06 => "it is threatened from flank or rear",
        HZ_THR_07 => "it is in march column",
        HZ_THR_08 => "it is routing",
        HZ_THR_09 => "open order in the open, against cavalry",
        HZ_THR_10 => "close order cavalry in dense terrain",
        HZ_THR_11 => "a square, against artillery",
        _ => "on a breach, below a wall, or over a mine",
    }
}
