//! What is said of each event.

use sabretache_engine::clause::Clause;
use sabretache_engine::ids::{Named, OfficerId, Side, UnitId};
use sabretache_engine::ruleset::Telling;

use crate::battle::{Battle, Pending};
use crate::clauses::*;
use crate::event::{Event, How};
use crate::phases::charges::offers::evade_word;
use crate::phases::{combat, shooting};
use crate::situations::counted;
use crate::terrain::Kinds;
use crate::words::terms::{formation_word, inches, phase, sentence, side_name, side_within};

pub(crate) fn tell(battle: &Battle, event: &Event) -> Telling {
    let mut telling = told(battle, event);
    telling.text = sentence(&telling.text);
    telling
}

fn told(battle: &Battle, event: &Event) -> Telling {
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
            Telling::new(format!("The initiative goes to {}.", side_within(battle, side)), None, BB_SEQ_02)
        }
        Event::Chose { first } => {
            Telling::new(format!("The first move is made by {}.", side_within(battle, first)), None, BB_SEQ_02)
        }
        Event::Began { step } => Telling::new(format!("{}.", phase(battle, step)), None, BB_SEQ_01),
        Event::Moved { unit, to, how, .. } => {
            let by = inches(battle.unit(unit).pose.at.distance(to.at));
            let (does, clause) = match how {
                How::Advance => (format!("advances {by}"), BB_MOV_01),
                How::Wheel => ("wheels".to_owned(), BB_MOV_19),
                How::Sidestep => (format!("sidesteps {by}"), BB_MOV_08),
                How::Oblique => (format!("obliques {by}"), BB_MOV_09),
                How::Retire => (format!("retires {by}"), BB_MOV_10),
                How::March => (format!("moves {by}"), battle.any_way_clause(unit)),
                How::Charge => (format!("runs {by}"), BB_CHG_01),
            };
            about(unit, format!("{} {does}.", name(unit)), clause)
        }
        Event::HeldUp { unit } => {
            about(unit, format!("{} is held up by the nearness of the enemy.", name(unit)), BB_MOV_20)
        }
        Event::Headed { unit, way } => {
            about(unit, format!("{} sets out toward {way}.", name(unit)), battle.any_way_clause(unit))
        }
        Event::Faced { unit, .. } => about(unit, format!("{} turns.", name(unit)), battle.any_way_clause(unit)),
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
        Event::SetsOut { unit, .. } => about(unit, format!("{} sets out.", name(unit)), BB_STA_07),
        Event::Spent { unit, .. } => about(unit, format!("{} has spent part of its move.", name(unit)), BB_MOV_01),
        Event::FellBack { unit, .. } => about(unit, format!("{} falls back.", name(unit)), BB_MOR_32),
        Event::Tells { at, .. } => about(at, format!("A volley tells on {}.", name(at)), BB_SHO_01),
        Event::NotFlanked { .. } => Telling::new("No flank was struck.", None, BB_MOR_21),
        Event::Held { .. } => Telling::new("A unit locked in a fight does not advance.", None, BB_COM_27),
        Event::Refitted { unit, .. } => about(unit, format!("{} closes its line.", name(unit)), BB_UNI_28),
        Event::GoesAlong { general, .. } => leads(general, format!("{} goes along.", who(general)), BB_LEA_08),
        Event::GeneralLost { general } => leads(general, format!("{} is out of the battle.", who(general)), BB_LEA_10),
        Event::Launched { unit } => {
            let clause = if battle.charge_allowance(unit) > battle.allowance(unit) { BB_CHG_03 } else { BB_CHG_09 };
            about(unit, format!("{} sets out to charge.", name(unit)), clause)
        }
        Event::Nears { unit, enemy } => {
            about(unit, format!("{} comes close to {}.", name(unit), name(enemy)), BB_MOV_21)
        }
        Event::CalledOff { unit } => {
            about(unit, format!("{} does not charge and is where it was.", name(unit)), BB_CHG_09)
        }
        Event::WentThrough { unit } => about(unit, format!("{} goes through friends.", name(unit)), BB_MOV_14),
        Event::Charges { unit } => about(unit, format!("{} charges!", name(unit)), BB_CHG_01),
        Event::Disordered { unit, by } => about(unit, format!("{} is disordered.", name(unit)), by),
        Event::Shaken { unit, by } => about(unit, format!("{} is shaken.", name(unit)), by),
        Event::Cramped { unit } => about(unit, format!("{} has no elbow room.", name(unit)), BB_OPT_23),
        Event::Touched { contact } => {
            let how = if contact.flank { " in flank or rear" } else { "" };
            let text = format!("{} is upon {}{how}.", name(contact.charger), name(contact.target));
            about(contact.charger, text, if contact.flank { BB_COM_30 } else { BB_CHG_09 })
        }
        Event::Favoured { unit, enemy } => match favour_clause(battle, unit, enemy) {
            clause @ BB_SHO_41 => {
                about(unit, format!("{} turns the fire left over on {}.", name(unit), name(enemy)), clause)
            }
            clause @ (BB_SHO_42 | BB_COM_29) => {
                about(unit, format!("{} sets its odd die against {}.", name(unit), name(enemy)), clause)
            }
            clause => about(unit, format!("{} sets its odd figure against {}.", name(unit), name(enemy)), clause),
        },
        Event::Bears { unit, .. } => about(unit, format!("{} bears the odd hit.", name(unit)), BB_TWN_15),
        Event::Stood { unit } => about(unit, format!("{} stands.", name(unit)), BB_CHG_12),
        Event::Evaded { unit, to, leaves_guns } => {
            let by = inches(battle.unit(unit).pose.at.distance(to.at));
            let guns = if leaves_guns { " and leaves its guns" } else { "" };
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
            Pending::AtOnce { unit, .. } => about(unit, format!("{} may shoot at once.", name(unit)), BB_CHG_24),
            Pending::Aim { unit } => about(unit, format!("{} has equal targets.", name(unit)), BB_SHO_41),
            Pending::Toll { garrison } => {
                about(garrison, format!("{} and its equals share an odd hit.", name(garrison)), BB_TWN_15)
            }
            Pending::Refill { screen } => about(screen, format!("{} may be filled up.", name(screen)), BB_OPT_66),
        },
        Event::Settled => Telling::new("It is decided.", None, BB_CHG_12),
        Event::Ordered { ref order } => {
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
        Event::Abandons { unit, .. } => about(unit, format!("{} leaves a gun behind.", name(unit)), BB_GUN_08),
        Event::Works { unit } => {
            about(unit, format!("{} sets to work on what bars its way.", name(unit)), battle.work_clause(unit))
        }
        Event::Cleared { unit, ground, from, to } => {
            let abatis = battle.barrier_of(ground).is_some_and(|barrier| barrier.kind == Kinds::Abatis);
            let text = format!("{} clears {} of {}.", name(unit), inches(to - from), battle.ground_name(ground));
            about(unit, text, if abatis { BB_ABA_02 } else { BB_HED_05 })
        }
        Event::Entered { unit, block, .. } => {
            about(unit, format!("{} goes into {}.", name(unit), battle.ground_name(block)), BB_TWN_04)
        }
        Event::Detached { unit, block, figures, .. } => {
            let what = counted(figures, "figure");
            about(unit, format!("{} leaves {what} in {}.", name(unit), battle.ground_name(block)), BB_TWN_10)
        }
        Event::Rejoined { unit, part } => {
            about(unit, format!("{} is joined by {}.", name(unit), name(part)), BB_TWN_10)
        }
        Event::Shifted { unit, block, .. } => {
            about(unit, format!("{} goes over to {}.", name(unit), battle.ground_name(block)), BB_TWN_05)
        }
        Event::Emerged { unit, formation, .. } => {
            let text = format!("{} comes out in {}, disordered.", name(unit), formation_word(formation));
            about(unit, text, BB_TWN_09)
        }
        Event::Breaks { unit } => about(unit, format!("{} breaks with its garrison.", name(unit)), BB_TWN_15),
        Event::RoutedInto { unit, block, .. } => {
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
        Event::HoldsFire { unit } => about(unit, format!("{} holds its fire.", name(unit)), BB_SHO_50),
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
        Event::LeftTable { unit, returns, .. } => {
            let clause = if returns { BB_OPT_92 } else { BB_MOR_39 };
            about(unit, format!("{} routs off the table.", name(unit)), clause)
        }
        Event::Shattered { unit } => about(unit, format!("{} is shattered.", name(unit)), BB_MOR_04),
        Event::Surrendered { unit } => about(unit, format!("{} surrenders.", name(unit)), BB_MOR_43),
        Event::Returned { unit, .. } => about(unit, format!("{} comes back to the table.", name(unit)), BB_OPT_47),
        Event::Arrived { unit, .. } => about(unit, format!("{} arrives.", name(unit)), BB_GEN_13),
        Event::Exited { unit } => {
            about(unit, format!("{} marches off the table in good order.", name(unit)), BB_GEN_11)
        }
        Event::RodeUp { general, .. } => {
            leads(general, format!("{} rides up with his brigade.", who(general)), BB_GEN_13)
        }
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
        Event::TurnOver { turn, .. } => Telling::new(format!("Turn {turn} begins."), None, BB_SEQ_08),
        Event::RoutsOnPurpose { unit } => about(unit, format!("{} runs because it is told to.", name(unit)), BB_OPT_55),
        Event::RoutsAgain { unit } => about(unit, format!("{} is beaten again and routs.", name(unit)), BB_OPT_43),
        Event::Recoiled { unit, to } => {
            let by = inches(battle.unit(unit).pose.at.distance(to.at));
            about(unit, format!("{} recoils {by}.", name(unit)), BB_OPT_17)
        }
        Event::Stays { unit } => about(unit, format!("{} stays where it is.", name(unit)), BB_OPT_29),
        Event::RunsWild { unit } => about(unit, format!("{} cannot be held back.", name(unit)), BB_OPT_33),
        Event::Pursues { chase, .. } => {
            let text = format!("{} turns after {}, disordered.", name(chase.pursuer), name(chase.quarry));
            about(chase.pursuer, text, if chase.recoiled { BB_OPT_19 } else { BB_OPT_37 })
        }
        Event::Straggled { unit, figures } => {
            about(unit, format!("{} loses {} as stragglers.", name(unit), counted(figures, "figure")), BB_OPT_44)
        }
        Event::Faces { unit, .. } => about(unit, format!("{} turns to face its pursuers.", name(unit)), BB_OPT_39),
        Event::Chased { unit, crash: true, .. } => {
            about(unit, format!("{} runs into fresh enemies.", name(unit)), BB_OPT_40)
        }
        Event::Chased { unit, .. } => about(unit, format!("{} comes on in pursuit.", name(unit)), BB_OPT_38),
        Event::ChasedOff { unit, .. } => about(unit, format!("{} leaves the table in pursuit.", name(unit)), BB_OPT_46),
        Event::ChaseOver { unit } => {
            about(unit, format!("{} is where its pursuit has brought it.", name(unit)), BB_OPT_38)
        }
        Event::Screened { unit, screen, .. } => {
            about(screen, format!("{} throws out its screen.", name(unit)), BB_OPT_63)
        }
        Event::ScreenMoved { screen, .. } => about(screen, format!("{} goes along.", name(screen)), BB_OPT_64),
        Event::Recalled { unit, .. } => about(unit, format!("{} calls its screen in.", name(unit)), BB_OPT_63),
        Event::ScreenBack { unit, .. } => {
            about(unit, format!("The skirmishers of {} rejoin it.", name(unit)), BB_OPT_68)
        }
        Event::Refilled { screen, figures } => {
            about(screen, format!("{} go out to {}.", counted(figures, "figure"), name(screen)), BB_OPT_66)
        }
    }
}

/// The clause by which the owner of a unit chooses between equal enemies.
fn favour_clause(battle: &Battle, unit: UnitId, enemy: UnitId) -> Clause {
    match battle.pending {
        Some(Pending::Aim { .. }) => shooting::offers::favour_clause(battle, unit, enemy),
        _ => combat::offers::favour_clause(battle, unit, enemy),
    }
}
