//! What is said about it all.

use sabretache_engine::clause::Clause;
use sabretache_engine::ids::{Named, OfficerId, Side, UnitId};
use sabretache_engine::ruleset::{Label, Telling};

use crate::battle::{Battle, Pending, Step};
use crate::clauses::*;
use crate::event::{Event, How};
use crate::offer::Offer;
use crate::situations::counted;
use crate::telling::tell_option;
use crate::terms::{evade_word, formation_word, inches, phase, shot_word, side_name};
use crate::terrain::Kinds;
use crate::troops::Arm;

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
        Offer::Pass(unit, n) => format!("pass {} {}", id(unit), n + 1),
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
        Offer::RoutOnPurpose(unit) => format!("rout {}", id(unit)),
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
        Offer::RoutFacing => "rout facing".into(),
        Offer::RoutAway => "rout away".into(),
        Offer::Favour { unit, enemy } => format!("favour {} against {}", id(unit), id(enemy)),
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
    let pending = || match battle.pending {
        Some(Pending::Evade { target, .. }) => Some(target),
        Some(Pending::Onward { charger } | Pending::Overrun { charger }) => Some(charger),
        Some(Pending::Rout { unit, .. } | Pending::Detour { unit }) => Some(unit),
        Some(Pending::Refill { screen }) => Some(screen),
        None => None,
    };
    let their = || pending().map_or("It", name).to_owned();
    let (text, unit, clause): (String, Option<UnitId>, Clause) = match *offer {
        Offer::Roll => ("Roll for the initiative".into(), None, BB_SEQ_02),
        Offer::BeFirst => ("Move first this turn".into(), None, BB_SEQ_02),
        Offer::BeSecond => ("Move second this turn".into(), None, BB_SEQ_02),
        Offer::Advance(unit) => (format!("Advance {}", name(unit)), Some(unit), BB_MOV_01),
        Offer::Pass(unit, _) => (format!("Advance {} through friends", name(unit)), Some(unit), BB_MOV_13),
        Offer::Oblique { unit, right } => {
            (format!("Oblique {} to the {}", name(unit), hand(right)), Some(unit), BB_MOV_09)
        }
        Offer::Sidestep { unit, right } => {
            (format!("Sidestep {} to the {}", name(unit), hand(right)), Some(unit), BB_MOV_08)
        }
        Offer::Retire(unit) => (format!("Retire {}, facing kept", name(unit)), Some(unit), BB_MOV_10),
        Offer::Wheel(unit) => (format!("Wheel {}", name(unit)), Some(unit), BB_MOV_19),
        Offer::Head(unit) => (format!("Set the way of {}", name(unit)), Some(unit), BB_MOV_23),
        Offer::March(unit) => (format!("March {} on its way", name(unit)), Some(unit), BB_MOV_23),
        Offer::Push(unit) => (format!("Push {} forward with the columns behind", name(unit)), Some(unit), BB_MOV_24),
        Offer::Face(unit) => (format!("Turn {} where it stands", name(unit)), Some(unit), BB_MOV_23),
        Offer::TurnAbout(unit) => (format!("Turn {} to the rear", name(unit)), Some(unit), BB_MOV_23),
        Offer::Form(unit) => (format!("Change the formation or facing of {}", name(unit)), Some(unit), BB_MOV_04),
        Offer::Charge(unit) => {
            let targets = battle.run(unit).map(|run| run.targets).unwrap_or_default();
            let whom: Vec<&str> = targets.iter().map(|target| battle.name_of(*target)).collect();
            (format!("Charge {} with {}", whom.join(" and "), name(unit)), Some(unit), BB_CHG_01)
        }
        Offer::RoutOnPurpose(unit) => (format!("Let {} rout on purpose", name(unit)), Some(unit), BB_OPT_54),
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
        Offer::RoutFacing => (format!("{} routs and ends facing the enemy", their()), pending(), BB_MOR_37),
        Offer::RoutAway => (format!("{} routs and ends facing away", their()), pending(), BB_MOR_37),
        Offer::Favour { unit, enemy } => {
            let clause = if battle.unit(unit).inside.is_some() { BB_TWN_16 } else { BB_COM_29 };
            (format!("{} strikes harder at {}", name(unit), name(enemy)), Some(unit), clause)
        }
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
    Label { text, unit, command, clauses: vec![clause] }
}

pub(crate) fn decision(battle: &Battle) -> String {
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
        Some(Pending::Refill { screen }) => format!("{} was hit: how many more go out?", name(screen)),
        None => {
            let turn = battle.turn;
            match battle.step {
                Step::Initiative => format!("Turn {turn}: roll for the initiative."),
                Step::Choice => {
                    format!("Turn {turn}: {} has the initiative and chooses.", side_name(battle, battle.first))
                }
                Step::MoveA | Step::MoveB => format!("Turn {turn}: {} moves.", side_name(battle, battle.phasing())),
                Step::AimA | Step::AimB => {
                    format!("Turn {turn}: {} orders its fire.", side_name(battle, battle.phasing()))
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

pub(crate) fn tell(battle: &Battle, event: &Event) -> Telling {
    let name = |unit: UnitId| battle.name_of(unit);
    let who = |general: OfficerId| &battle.fixed.scenario.body.generals[general.index()].name;
    let about = |unit: UnitId, text: String, clause: Clause| Telling::new(text, Some(Named::Unit(unit)), clause);
    let leads =
        |general: OfficerId, text: String, clause: Clause| Telling::new(text, Some(Named::Officer(general)), clause);
    match *event {
        Event::CharismaRolled { general, charisma } => {
            leads(general, format!("{} has charisma +{charisma}.", who(general)), BB_LEA_03)
        }
        Event::PointsRolled { general, points } => {
            leads(general, format!("{} has {}.", who(general), counted(points, "command point")), BB_OPT_50)
        }
        Event::InitiativeRolled { first, second } => {
            let (a, b) = (side_name(battle, Side::A), side_name(battle, Side::B));
            Telling::new(format!("Initiative: {a} {first}, {b} {second}."), None, BB_SEQ_02)
        }
        Event::Won { side } => {
            Telling::new(format!("{} has the initiative.", side_name(battle, side)), None, BB_SEQ_02)
        }
        Event::Chose { first } => Telling::new(format!("{} moves first.", side_name(battle, first)), None, BB_SEQ_02),
        Event::Began { step } => Telling::new(format!("{}.", phase(step)), None, BB_SEQ_01),
        Event::Moved { unit, to, how, .. } => {
            let by = inches(battle.unit(unit).pose.at.distance(to.at));
            let (does, clause) = match how {
                How::Advance => (format!("advances {by}"), BB_MOV_01),
                How::Wheel => ("wheels".to_owned(), BB_MOV_19),
                How::Sidestep => (format!("sidesteps {by}"), BB_MOV_08),
                How::Oblique => (format!("obliques {by}"), BB_MOV_09),
                How::Retire => (format!("retires {by}"), BB_MOV_10),
                How::March => (format!("moves {by}"), BB_MOV_23),
                How::Charge => (format!("runs {by}"), BB_CHG_01),
            };
            about(unit, format!("{} {does}.", name(unit)), clause)
        }
        Event::HeldUp { unit } => {
            about(unit, format!("{} is held up by the nearness of the enemy.", name(unit)), BB_MOV_20)
        }
        Event::Headed { unit, way } => about(unit, format!("{} sets out toward {way}.", name(unit)), BB_MOV_23),
        Event::Faced { unit, .. } => about(unit, format!("{} turns.", name(unit)), BB_MOV_23),
        Event::Formed { unit, formation, limbered, .. } => {
            let guns = battle.battery(unit);
            let text = match (guns, limbered) {
                (true, true) if !battle.limbered(unit) => format!("{} limbers.", name(unit)),
                (true, false) if battle.limbered(unit) => format!("{} unlimbers.", name(unit)),
                (false, _) if formation != battle.unit(unit).formation => {
                    format!("{} forms {}.", name(unit), formation_word(formation))
                }
                _ => format!("{} changes its front.", name(unit)),
            };
            about(unit, text, if guns { BB_GUN_01 } else { BB_MOV_04 })
        }
        Event::Pushed { unit } => about(unit, format!("{} has pushed the skirmishers forward.", name(unit)), BB_MOV_24),
        Event::Reforming { unit } => about(unit, format!("{} begins to reform.", name(unit)), BB_MOV_18),
        Event::PassedThrough { unit } => {
            about(unit, format!("{} lets friends through and stands.", name(unit)), BB_MOV_13)
        }
        Event::MoveOver { unit } => about(unit, format!("{} has made its move.", name(unit)), BB_SEQ_03),
        Event::Rode { general, .. } => leads(general, format!("{} rides.", who(general)), BB_LEA_09),
        Event::Joined { general, unit } => {
            leads(general, format!("{} is with {}.", who(general), name(unit)), BB_LEA_08)
        }
        Event::PointSpent { general } => leads(general, format!("{} spends a command point.", who(general)), BB_OPT_51),
        Event::GeneralLost { general } => leads(general, format!("{} is out of the battle.", who(general)), BB_LEA_10),
        Event::Charges { unit } => about(unit, format!("{} charges!", name(unit)), BB_CHG_01),
        Event::Disordered { unit, by } => about(unit, format!("{} is disordered.", name(unit)), by),
        Event::Shaken { unit, by } => about(unit, format!("{} is shaken.", name(unit)), by),
        Event::Cramped { unit } => about(unit, format!("{} has no elbow room.", name(unit)), BB_OPT_23),
        Event::Touched { contact } => {
            let how = if contact.flank { " in flank or rear" } else { "" };
            let text = format!("{} is upon {}{how}.", name(contact.charger), name(contact.target));
            about(contact.charger, text, if contact.flank { BB_COM_30 } else { BB_CHG_09 })
        }
        Event::Favoured { unit, enemy } => {
            let clause = if battle.unit(unit).inside.is_some() { BB_TWN_16 } else { BB_COM_29 };
            about(unit, format!("{} sets its odd die or figure against {}.", name(unit), name(enemy)), clause)
        }
        Event::Stood { unit } => about(unit, format!("{} stands.", name(unit)), BB_CHG_12),
        Event::Evaded { unit, to } => {
            let by = inches(battle.unit(unit).pose.at.distance(to.at));
            let guns = if battle.battery(unit) && !battle.limbered(unit) { " and leaves its guns" } else { "" };
            about(unit, format!("{} evades {by}{guns}.", name(unit)), BB_CHG_13)
        }
        Event::Asked { pending } => match pending {
            Pending::Evade { target, way: 0, .. } => about(target, format!("{} may evade.", name(target)), BB_CHG_11),
            Pending::Evade { target, way, .. } => {
                about(target, format!("{} would {}.", name(target), evade_word(way, 0)), BB_CHG_13)
            }
            Pending::Onward { charger } => about(charger, format!("{} may go on.", name(charger)), BB_CHG_15),
            Pending::Overrun { charger } => about(charger, format!("{} may go on.", name(charger)), BB_CHG_24),
            Pending::Rout { unit, least, .. } => {
                about(unit, format!("{} routs, {} at the least.", name(unit), inches(least)), BB_MOR_25)
            }
            Pending::Detour { unit } => about(unit, format!("{} must go round or halt.", name(unit)), BB_OPT_45),
            Pending::Refill { screen } => about(screen, format!("{} may be filled up.", name(screen)), BB_OPT_66),
        },
        Event::Settled => Telling::new("It is decided.", None, BB_CHG_12),
        Event::Ordered { order } => {
            about(order.unit, format!("{} takes aim at {}.", name(order.unit), name(order.at)), BB_SHO_06)
        }
        Event::BatterOrdered { order } => {
            let text = format!("{} takes aim at {}.", name(order.unit), battle.ground_name(order.ground));
            about(order.unit, text, BB_FLD_09)
        }
        Event::Battered { unit, ground, section, hits, .. } => {
            let wall = battle.barrier_of(ground).is_some_and(|barrier| barrier.kind == Kinds::CityWall);
            let mut after = battle.clone();
            after.apply(event);
            let down = if after.breaks.len() > battle.breaks.len() { ", which comes down" } else { "" };
            let what = format!("section {} of {}", section + 1, battle.ground_name(ground));
            let text = format!("{} batters {what}: {}{down}.", name(unit), counted(hits, "hit"));
            about(unit, text, if wall { BB_OPT_94 } else { BB_FLD_09 })
        }
        Event::Cleared { unit, ground, from, to } => {
            let abatis = battle.barrier_of(ground).is_some_and(|barrier| barrier.kind == Kinds::Abatis);
            let text = format!("{} clears {} of {}.", name(unit), inches(to - from), battle.ground_name(ground));
            about(unit, text, if abatis { BB_ABA_02 } else { BB_HED_05 })
        }
        Event::Entered { unit, block } => {
            about(unit, format!("{} goes into {}.", name(unit), battle.ground_name(block)), BB_TWN_04)
        }
        Event::Detached { unit, block, figures, .. } => {
            let what = counted(figures, "figure");
            about(unit, format!("{} leaves {what} in {}.", name(unit), battle.ground_name(block)), BB_TWN_10)
        }
        Event::Rejoined { unit, part } => {
            about(unit, format!("{} is joined by {}.", name(unit), name(part)), BB_TWN_10)
        }
        Event::Shifted { unit, block } => {
            about(unit, format!("{} goes over to {}.", name(unit), battle.ground_name(block)), BB_TWN_05)
        }
        Event::Emerged { unit, formation, .. } => {
            let text = format!("{} comes out in {}, disordered.", name(unit), formation_word(formation));
            about(unit, text, BB_TWN_09)
        }
        Event::Breaks { unit } => about(unit, format!("{} breaks with its garrison.", name(unit)), BB_TWN_15),
        Event::RoutedInto { unit, block } => {
            about(unit, format!("{} routs into {}, shaken.", name(unit), battle.ground_name(block)), BB_TWN_22)
        }
        Event::Bends { unit, .. } => about(unit, format!("{} bends its line.", name(unit)), BB_UNI_18),
        Event::Scaled { unit } => {
            about(unit, format!("{} has won the wall and may climb over.", name(unit)), BB_OPT_98)
        }
        Event::Spotted { unit } => about(unit, format!("{} has given itself away.", name(unit)), BB_WOO_03),
        Event::Fired { unit, at, dice, hits } => {
            let friend = if battle.side(unit) == battle.side(at) { ", a friend in the way" } else { "" };
            let text = format!(
                "{} shoots at {}{friend}: {} of {}.",
                name(unit),
                name(at),
                counted(hits, "hit"),
                counted(dice, "die").replace("dies", "dice")
            );
            about(unit, text, if friend.is_empty() { BB_SHO_06 } else { BB_SHO_39 })
        }
        Event::GunsHit { unit, gunners, guns } => {
            let text = match (gunners, guns) {
                (0, _) => format!("{} comes to no harm.", name(unit)),
                (_, 0) => format!("{} has {} hit.", name(unit), counted(gunners, "gunner")),
                _ => format!("{} has {} and {} hit.", name(unit), counted(gunners, "gunner"), counted(guns, "gun")),
            };
            about(unit, text, BB_SHO_25)
        }
        Event::Lost { unit, figures, guns } => {
            let guns = if guns > 0 { format!(" and {}", counted(guns, "gun")) } else { String::new() };
            about(unit, format!("{} loses {}{guns}.", name(unit), counted(figures, "figure")), BB_GEN_08)
        }
        Event::Tested { unit, passed, why } => {
            about(unit, format!("{} {}.", name(unit), if passed { "holds" } else { "breaks" }), why)
        }
        Event::RoutHits { unit, hits } => {
            about(unit, format!("{} loses {} in the rout.", name(unit), counted(hits, "figure")), BB_MOR_26)
        }
        Event::Routed { unit, to, .. } => {
            let by = inches(battle.unit(unit).pose.at.distance(to.at));
            about(unit, format!("{} routs {by} and is shaken.", name(unit)), BB_MOR_32)
        }
        Event::LeftTable { unit, returns } => {
            let clause = if returns { BB_OPT_92 } else { BB_MOR_39 };
            about(unit, format!("{} routs off the table.", name(unit)), clause)
        }
        Event::Shattered { unit } => about(unit, format!("{} is shattered.", name(unit)), BB_MOR_04),
        Event::Surrendered { unit } => about(unit, format!("{} surrenders.", name(unit)), BB_MOR_43),
        Event::Returned { unit, .. } => about(unit, format!("{} comes back to the table.", name(unit)), BB_OPT_47),
        Event::Overran { unit, over, figures, models, .. } => {
            let guns = if models > 0 { format!(" and {}", counted(models, "gun model")) } else { String::new() };
            let text = format!("{} runs over {}{guns} of {}.", name(unit), counted(figures, "figure"), name(over));
            about(unit, text, BB_CHG_23)
        }
        Event::Parted { charger, target } => {
            about(charger, format!("{} and {} are no longer in contact.", name(charger), name(target)), BB_COM_01)
        }
        Event::Struck { unit, at, dice, hits } => {
            let text = format!(
                "{} strikes at {}: {} of {}.",
                name(unit),
                name(at),
                counted(hits, "hit"),
                counted(dice, "die").replace("dies", "dice")
            );
            about(unit, text, BB_COM_06)
        }
        Event::Fought { unit, lost, .. } => {
            let clause = if lost { BB_COM_41 } else { BB_STA_02 };
            about(unit, format!("{} has fought a round{}.", name(unit), if lost { " and lost it" } else { "" }), clause)
        }
        Event::Recovered { unit, shaken, disordered } => {
            let what = match (shaken, disordered) {
                (true, true) => "its order and its nerve",
                (true, false) => "its nerve",
                _ => "its order",
            };
            about(unit, format!("{} recovers {what}.", name(unit)), BB_STA_12)
        }
        Event::Manned { unit } => about(unit, format!("{} is back at its guns.", name(unit)), BB_GUN_11),
        Event::Captured { unit } => about(unit, format!("The guns of {} are taken.", name(unit)), BB_GUN_11),
        Event::TurnOver { turn } => Telling::new(format!("Turn {turn} begins."), None, BB_SEQ_08),
        _ => tell_option(battle, event),
    }
}
