//! What offers and decisions are called.

pub(crate) mod telling;
pub(crate) mod terms;
pub(crate) mod told;

use sabretache_engine::clause::Clause;
use sabretache_engine::ids::{OfficerId, UnitId};
use sabretache_engine::offer::Input;
use sabretache_engine::ruleset::Label;

use crate::battle::{Battle, Pending, Step};
use crate::clauses::*;
use crate::offer::{Offer, Stride};
use crate::situations::counted;
use crate::terrain::Kinds;
use crate::troops::Arm;
use crate::words::terms::{evade_word, inches, sentence, shot_word, side_within, within};

pub(crate) fn key(battle: &Battle, offer: &Offer) -> String {
    let body = &battle.fixed.scenario.body;
    let id = |unit: UnitId| &body.units[unit.index()].id;
    let who = |general: OfficerId| &body.generals[general.index()].id;
    let hand = |right: bool| if right { "right" } else { "left" };
    match *offer {
        Offer::Roll => "roll initiative".into(),
        Offer::BeFirst => "move first".into(),
        Offer::BeSecond => "move second".into(),
        Offer::Advance(unit) => format!("advance {}", id(unit)),
        Offer::Pass { unit, by: Stride::Ahead, nth } => format!("pass {} {}", id(unit), nth + 1),
        Offer::Pass { unit, by, nth } => format!("{} through {}", key(battle, &by.alone(unit)), nth + 1),
        Offer::Oblique { unit, right } => format!("oblique {} {}", hand(right), id(unit)),
        Offer::Sidestep { unit, right } => format!("sidestep {} {}", hand(right), id(unit)),
        Offer::Retire(unit) => format!("retire {}", id(unit)),
        Offer::Wheel(unit) => format!("wheel {}", id(unit)),
        Offer::Head(unit) => format!("head {}", id(unit)),
        Offer::March(unit) => format!("march {}", id(unit)),
        Offer::Push(unit) => format!("push {}", id(unit)),
        Offer::Face(unit) => format!("face {}", id(unit)),
        Offer::TurnAbout(unit) => format!("turn about {}", id(unit)),
        Offer::Form(unit) => format!("form {}", id(unit)),
        Offer::Charge(unit) => format!("charge {}", id(unit)),
        Offer::Launch(unit) => format!("launch {}", id(unit)),
        Offer::CallOff(unit) => format!("call off {}", id(unit)),
        Offer::RoutOnPurpose(unit) => format!("rout {}", id(unit)),
        Offer::Abandon { unit, right } => format!("abandon {} of {}", hand(right), id(unit)),
        Offer::Clear(unit) => format!("clear {}", id(unit)),
        Offer::Ride(general) => format!("ride {}", who(general)),
        Offer::Join { general, unit } => format!("join {} {}", who(general), id(unit)),
        Offer::EndMoves => "end moves".into(),
        Offer::Stand => "stand".into(),
        Offer::FireFirst => "fire first".into(),
        Offer::EvadeWay => "evade way".into(),
        Offer::Evade { way, stretch } => evade_word(way, stretch),
        Offer::Halt => "halt".into(),
        Offer::GoOn => "go on".into(),
        Offer::ChargeOn => "charge on".into(),
        Offer::Shoot { unit, at, shot } => format!("shoot {} at {}{}", id(unit), id(at), shot_word(shot)),
        Offer::Enter { unit, block } => format!("enter {} {}", id(unit), battle.ground_id(block)),
        Offer::Detach { unit, block, stands } => {
            format!("detach {stands} of {} into {}", id(unit), battle.ground_id(block))
        }
        Offer::Shift { unit, block } => format!("shift {} to {}", id(unit), battle.ground_id(block)),
        Offer::Emerge { unit, side } => format!("emerge {} by side {}", id(unit), side + 1),
        Offer::ShootFrom { unit, side, at, shot } => {
            format!("shoot {} at {} from side {}{}", id(unit), id(at), side + 1, shot_word(shot))
        }
        Offer::RoutInto(block) => format!("rout into {}", battle.ground_id(block)),
        Offer::Batter(order) => {
            let then = if order.onward { "" } else { " then back" };
            format!("batter {} at {} {}{then}", id(order.unit), battle.ground_id(order.ground), order.section + 1)
        }
        Offer::EndAiming => "end aiming".into(),
        Offer::Test(unit) => format!("test {}", id(unit)),
        Offer::RoutFacing(0) => "rout facing".into(),
        Offer::RoutFacing(n) => format!("rout facing {}", n + 1),
        Offer::RoutAway(0) => "rout away".into(),
        Offer::RoutAway(n) => format!("rout away {}", n + 1),
        Offer::Favour { unit, enemy } => format!("favour {} against {}", id(unit), id(enemy)),
        Offer::FireAtOnce(shot) => format!("fire at once{}", shot_word(shot)),
        Offer::HoldFire => "hold fire".into(),
        Offer::Bear { unit, .. } => format!("bear {}", id(unit)),
        Offer::Fight => "fight".into(),
        Offer::Pursue { unit, quarry } => format!("pursue {} {}", id(unit), id(quarry)),
        Offer::HoldBack(unit) => format!("hold back {}", id(unit)),
        Offer::GoRound => "go round".into(),
        Offer::HaltThere => "halt there".into(),
        Offer::Screen { unit, stands } => format!("screen {} {stands}", id(unit)),
        Offer::Recall(unit) => format!("recall {}", id(unit)),
        Offer::Refill => "refill".into(),
        Offer::CarryOn => "carry on".into(),
    }
}

pub(crate) fn label(battle: &Battle, offer: &Offer) -> Label {
    let name = |unit: UnitId| battle.name_of(unit);
    let who = |general: OfficerId| &battle.fixed.scenario.body.generals[general.index()].name;
    let hand = |right: bool| if right { "right" } else { "left" };
    let pending = || battle.pending.map(|pending| pending.unit());
    let their = || pending().map_or("It", name).to_owned();
    let (text, unit, clause): (String, Option<UnitId>, Clause) = match *offer {
        Offer::Roll => ("Roll for the initiative".into(), None, BB_SEQ_02),
        Offer::BeFirst => ("Move first this turn".into(), None, BB_SEQ_02),
        Offer::BeSecond => ("Move second this turn".into(), None, BB_SEQ_02),
        Offer::Advance(unit) => (format!("Advance {}", name(unit)), Some(unit), BB_MOV_01),
        Offer::Pass { unit, by, .. } => {
            let alone = label(battle, &by.alone(unit)).text;
            (format!("{alone} through friends"), Some(unit), BB_MOV_13)
        }
        Offer::Oblique { unit, right } => {
            (format!("Oblique {} to the {}", name(unit), hand(right)), Some(unit), BB_MOV_09)
        }
        Offer::Sidestep { unit, right } => {
            (format!("Sidestep {} to the {}", name(unit), hand(right)), Some(unit), BB_MOV_08)
        }
        Offer::Retire(unit) => (format!("Retire {}, facing kept", name(unit)), Some(unit), BB_MOV_10),
        Offer::Wheel(unit) => (format!("Wheel {}", name(unit)), Some(unit), BB_MOV_19),
        Offer::Head(unit) => (format!("Set the way of {}", name(unit)), Some(unit), battle.any_way_clause(unit)),
        Offer::March(unit) => (format!("March {} on its way", name(unit)), Some(unit), battle.any_way_clause(unit)),
        Offer::Push(unit) => (format!("Push {} forward with the columns behind", name(unit)), Some(unit), BB_MOV_24),
        Offer::Face(unit) => (format!("Turn {} where it stands", name(unit)), Some(unit), BB_MOV_23),
        Offer::TurnAbout(unit) => (format!("Turn {} to the rear", name(unit)), Some(unit), BB_MOV_23),
        Offer::Form(unit) => (format!("Change the formation or facing of {}", name(unit)), Some(unit), BB_MOV_04),
        Offer::Charge(unit) => {
            let targets = battle.run(unit).map(|run| run.targets).unwrap_or_default();
            let whom: Vec<&str> = targets.iter().map(|target| battle.name_of(*target)).collect();
            (format!("Charge {} with {}", whom.join(" and "), name(unit)), Some(unit), BB_CHG_01)
        }
        Offer::Launch(unit) => (format!("Plot a charge with {}", name(unit)), Some(unit), BB_CHG_09),
        Offer::CallOff(unit) => (format!("Call off the charge of {}", name(unit)), Some(unit), BB_CHG_09),
        Offer::RoutOnPurpose(unit) => (format!("Let {} rout on purpose", name(unit)), Some(unit), BB_OPT_54),
        Offer::Abandon { unit, right } => {
            (format!("Leave the {}-hand gun of {} behind", hand(right), name(unit)), Some(unit), BB_GUN_08)
        }
        Offer::Clear(unit) => {
            (format!("Set {} to work on what bars its way", name(unit)), Some(unit), battle.work_clause(unit))
        }
        Offer::Ride(general) => (format!("{} rides", who(general)), None, BB_LEA_09),
        Offer::Join { general, unit } => (format!("{} joins {}", who(general), name(unit)), Some(unit), BB_LEA_08),
        Offer::EndMoves => ("End the movement phase".into(), None, BB_SEQ_03),
        Offer::Stand => (format!("{} stands the charge", their()), pending(), BB_CHG_12),
        Offer::FireFirst => (format!("{} shoots before it evades", their()), pending(), BB_CHG_17),
        Offer::EvadeWay => (format!("{}: set another way to evade", their()), pending(), BB_CHG_13),
        Offer::Evade { way, stretch } => (format!("{}: {}", their(), evade_word(way, stretch)), pending(), BB_CHG_13),
        Offer::Halt => (format!("{} halts", their()), pending(), BB_CHG_15),
        Offer::GoOn => (format!("{} goes on", their()), pending(), BB_CHG_15),
        Offer::ChargeOn => (format!("{} charges on into the next enemy", their()), pending(), BB_CHG_24),
        Offer::Shoot { unit, at, shot } => {
            (format!("{} shoots at {}{}", name(unit), name(at), shot_word(shot)), Some(unit), BB_SHO_06)
        }
        Offer::Enter { unit, block } => {
            (format!("{} goes into {}", name(unit), battle.ground_name(block)), Some(unit), BB_TWN_04)
        }
        Offer::Detach { unit, block, stands } => {
            let text = format!("{} leaves {} in {}", name(unit), counted(stands, "stand"), battle.ground_name(block));
            (text, Some(unit), BB_TWN_10)
        }
        Offer::Shift { unit, block } => {
            (format!("{} goes over to {}", name(unit), battle.ground_name(block)), Some(unit), BB_TWN_05)
        }
        Offer::Emerge { unit, side } => {
            let toward = battle.side_word(unit, side);
            (format!("{} comes out to the {toward}", name(unit)), Some(unit), BB_TWN_05)
        }
        Offer::ShootFrom { unit, side, at, shot } => {
            let toward = battle.side_word(unit, side);
            let text = format!("{} shoots at {} out of the {toward} side{}", name(unit), name(at), shot_word(shot));
            (text, Some(unit), BB_TWN_17)
        }
        Offer::RoutInto(block) => {
            (format!("{} routs into {}", their(), battle.ground_name(block)), pending(), BB_TWN_22)
        }
        Offer::Batter(order) => {
            let wall = battle.barrier_of(order.ground).is_some_and(|barrier| barrier.kind == Kinds::CityWall);
            let where_to = if order.onward { "" } else { ", what is left over at the section before" };
            let text = format!(
                "{} batters section {} of {}{where_to}",
                name(order.unit),
                order.section + 1,
                battle.ground_name(order.ground)
            );
            (text, Some(order.unit), if wall { BB_OPT_94 } else { BB_FLD_09 })
        }
        Offer::EndAiming => ("No more shots".into(), None, BB_SHO_52),
        Offer::Test(unit) => (format!("{} takes its morale test", name(unit)), Some(unit), BB_MOR_02),
        Offer::RoutFacing(n) => {
            (format!("{} routs and ends facing the enemy{}", their(), farther(n)), pending(), BB_MOR_37)
        }
        Offer::RoutAway(n) => (format!("{} routs and ends facing away{}", their(), farther(n)), pending(), BB_MOR_37),
        Offer::Favour { unit, enemy } => match favour(battle, unit, enemy) {
            clause @ BB_SHO_41 => (format!("{} shoots at {} next", name(unit), name(enemy)), Some(unit), clause),
            clause @ BB_SHO_42 => (format!("{} shoots harder at {}", name(unit), name(enemy)), Some(unit), clause),
            clause => (format!("{} strikes harder at {}", name(unit), name(enemy)), Some(unit), clause),
        },
        Offer::FireAtOnce(shot) => (format!("{} shoots at once{}", their(), shot_word(shot)), pending(), BB_CHG_24),
        Offer::HoldFire => (format!("{} holds its fire", their()), pending(), BB_SHO_50),
        Offer::Bear { unit, .. } => (format!("{} bears the odd hit", name(unit)), Some(unit), BB_TWN_15),
        Offer::Fight => ("Fight all combats".into(), None, BB_SEQ_07),
        Offer::Pursue { unit, quarry } => {
            (format!("{} goes after {}", name(unit), name(quarry)), Some(unit), BB_OPT_29)
        }
        Offer::HoldBack(unit) if battle.arm(unit) == Arm::Horse => {
            (format!("Try to hold {} back", name(unit)), Some(unit), BB_OPT_33)
        }
        Offer::HoldBack(unit) => (format!("{} stays where it is", name(unit)), Some(unit), BB_OPT_29),
        Offer::GoRound => (format!("{} goes round and on", their()), pending(), BB_OPT_45),
        Offer::HaltThere => (format!("{} halts", their()), pending(), BB_OPT_45),
        Offer::Screen { unit, stands } => {
            (format!("{} throws out a screen of {}", name(unit), counted(stands, "stand")), Some(unit), BB_OPT_63)
        }
        Offer::Recall(unit) => (format!("{} calls its screen in", name(unit)), Some(unit), BB_OPT_63),
        Offer::Refill => (format!("Fill up {}", their()), pending(), BB_OPT_66),
        Offer::CarryOn => ("Carry on".into(), None, BB_SEQ_01),
    };
    let command = unit.map(|unit| battle.facts(unit).brigade);
    Label { text: sentence(&text), unit, command, clauses: vec![clause] }
}

/// An input whose reasons read well.
pub(crate) fn tidy(mut input: Input) -> Input {
    if let Input::Distance { stops, .. } = &mut input {
        for stop in stops {
            stop.why = within(&stop.why);
        }
    }
    input
}

/// The second and later stretches on which a rout may end.
fn farther(stretch: u8) -> &'static str {
    if stretch == 0 { "" } else { ", farther back" }
}

/// The clause by which the owner of a unit chooses between equal enemies.
pub(crate) fn favour(battle: &Battle, unit: UnitId, enemy: UnitId) -> Clause {
    match battle.pending {
        Some(Pending::Aim { .. }) if battle.chargers(unit).contains(&enemy) => BB_SHO_42,
        Some(Pending::Aim { .. }) => BB_SHO_41,
        _ if battle.unit(unit).inside.is_some() => BB_TWN_16,
        _ if battle.unit(enemy).inside.is_some() => BB_TWN_19,
        _ => BB_COM_29,
    }
}

pub(crate) fn decision(battle: &Battle) -> String {
    sentence(&to_decide(battle))
}

fn to_decide(battle: &Battle) -> String {
    let name = |unit: UnitId| battle.name_of(unit);
    match battle.pending {
        Some(Pending::Evade { charger, target, .. }) => {
            format!("{} is charged by {}: stand or evade?", name(target), name(charger))
        }
        Some(Pending::Onward { charger }) => format!("The target of {} has gone: halt or go on?", name(charger)),
        Some(Pending::Overrun { charger }) => format!("{} has run over its target: halt or go on?", name(charger)),
        Some(Pending::Rout { unit, least, .. }) => {
            format!("{} routs {} or more: how far, and facing which way?", name(unit), inches(least))
        }
        Some(Pending::Detour { unit }) => format!("{} cannot pass: round it and on, or halt?", name(unit)),
        Some(Pending::AtOnce { unit, charger }) => {
            format!("{} comes on upon {}: shoot at once?", name(charger), name(unit))
        }
        Some(Pending::Aim { unit }) => format!("{} has equal targets: which of them first?", name(unit)),
        Some(Pending::Toll { .. }) => "Equal units of a garrison are hit: which bears the odd hit?".into(),
        Some(Pending::Refill { screen }) => format!("{} was hit: how many more go out?", name(screen)),
        None => {
            let turn = battle.turn;
            if let Some(launch) = &battle.launch {
                return format!("Turn {turn}: {} sets out to charge: which way?", name(launch.unit));
            }
            match battle.step {
                Step::Initiative => format!("Turn {turn}: roll for the initiative."),
                Step::Choice => {
                    let side = side_within(battle, battle.first);
                    format!("Turn {turn}: the initiative is with {side}. First or second?")
                }
                Step::MoveA | Step::MoveB => {
                    format!("Turn {turn}: it is for {} to move.", side_within(battle, battle.phasing()))
                }
                Step::AimA | Step::AimB => {
                    format!("Turn {turn}: it is for {} to give orders to fire.", side_within(battle, battle.phasing()))
                }
                Step::Combat => format!("Turn {turn}: combats are fought."),
                Step::Over => "The battle is over.".into(),
                Step::Pursuits => match battle.to_pursue() {
                    Some(unit) => format!("Turn {turn}: does {} pursue?", name(unit)),
                    None => format!("Turn {turn}: nobody pursues."),
                },
                _ => format!("Turn {turn}: whose morale is tested first?"),
            }
        }
    }
}
