//! What is said of pursuits, bounces and screens, and what a run of events comes to.

use sabretache_engine::ids::{Named, UnitId};
use sabretache_engine::ruleset::Telling;

use crate::battle::{Battle, Pending};
use crate::clauses::*;
use crate::event::Event;
use crate::situations::counted;
use crate::terms::{inches, side_name};

/// What pursuits, bounces and screens do.
pub(crate) fn tell_option(battle: &Battle, event: &Event) -> Telling {
    let name = |unit: UnitId| battle.name_of(unit);
    let (unit, text, clause) = match *event {
        Event::RoutsOnPurpose { unit } => (unit, format!("{} runs because it is told to.", name(unit)), BB_OPT_55),
        Event::RoutsAgain { unit } => (unit, format!("{} is beaten again and routs.", name(unit)), BB_OPT_43),
        Event::Recoiled { unit, to } => {
            let by = inches(battle.unit(unit).pose.at.distance(to.at));
            (unit, format!("{} recoils {by}.", name(unit)), BB_OPT_17)
        }
        Event::Stays { unit } => (unit, format!("{} stays where it is.", name(unit)), BB_OPT_29),
        Event::RunsWild { unit } => (unit, format!("{} cannot be held back.", name(unit)), BB_OPT_33),
        Event::Pursues { chase, .. } => {
            let text = format!("{} turns after {}, disordered.", name(chase.pursuer), name(chase.quarry));
            (chase.pursuer, text, if chase.recoiled { BB_OPT_19 } else { BB_OPT_37 })
        }
        Event::Straggled { unit, figures } => {
            (unit, format!("{} loses {} as stragglers.", name(unit), counted(figures, "figure")), BB_OPT_44)
        }
        Event::Faces { unit, .. } => (unit, format!("{} turns to face its pursuers.", name(unit)), BB_OPT_39),
        Event::Chased { unit, crash: true, .. } => {
            (unit, format!("{} runs into fresh enemies.", name(unit)), BB_OPT_40)
        }
        Event::Chased { unit, .. } => (unit, format!("{} comes on in pursuit.", name(unit)), BB_OPT_38),
        Event::ChasedOff { unit, .. } => (unit, format!("{} leaves the table in pursuit.", name(unit)), BB_OPT_46),
        Event::ChaseOver { unit } => (unit, format!("{} is where its pursuit has brought it.", name(unit)), BB_OPT_38),
        Event::Screened { unit, screen, .. } => (screen, format!("{} throws out its screen.", name(unit)), BB_OPT_63),
        Event::ScreenMoved { screen, .. } => (screen, format!("{} goes along.", name(screen)), BB_OPT_64),
        Event::Recalled { unit, .. } => (unit, format!("{} calls its screen in.", name(unit)), BB_OPT_63),
        Event::ScreenBack { unit, .. } => (unit, format!("The skirmishers of {} rejoin it.", name(unit)), BB_OPT_68),
        Event::Refilled { screen, figures } => {
            (screen, format!("{} go out to {}.", counted(figures, "figure"), name(screen)), BB_OPT_66)
        }
        _ => return Telling::new("Something happens.".to_owned(), None, BB_SEQ_01),
    };
    Telling::new(text, Some(Named::Unit(unit)), clause)
}

/// What a run of events comes to.
pub(crate) fn outcome(battle: &Battle, events: &[Event]) -> String {
    let name = |unit: UnitId| battle.name_of(unit);
    let said = events.iter().filter_map(|event| match *event {
        Event::CharismaRolled { general, charisma } => {
            Some(format!("{} +{charisma}", battle.fixed.scenario.body.generals[general.index()].name))
        }
        Event::PointsRolled { general, points } => {
            Some(format!("{} {points}", battle.fixed.scenario.body.generals[general.index()].name))
        }
        Event::InitiativeRolled { first, second } if first == second => Some("a tie".into()),
        Event::Won { side } => Some(format!("{} chooses", side_name(battle, side))),
        Event::Tested { unit, passed, .. } => {
            Some(format!("{} {}", name(unit), if passed { "holds" } else { "breaks" }))
        }
        Event::Asked { pending: Pending::Rout { unit, .. } } => Some(format!("{} routs", name(unit))),
        Event::Shattered { unit } => Some(format!("{} is shattered", name(unit))),
        Event::Disordered { unit, .. } => Some(format!("{} is disordered", name(unit))),
        Event::Battered { ground, section, hits, .. } => {
            Some(format!("{hits} on {} {}", battle.ground_id(ground), section + 1))
        }
        Event::Cleared { unit, from, .. } => Some(format!("{} clears at {from}", name(unit))),
        Event::Returned { unit, .. } => Some(format!("{} returns", name(unit))),
        Event::Pursues { chase, .. } => Some(format!("{} pursues", name(chase.pursuer))),
        Event::Stays { unit } => Some(format!("{} stays", name(unit))),
        Event::Recoiled { unit, .. } => Some(format!("{} recoils", name(unit))),
        Event::GeneralLost { general } => {
            Some(format!("{} is lost", battle.fixed.scenario.body.generals[general.index()].name))
        }
        _ => None,
    });
    let said: Vec<String> = said.collect();
    let bled = events.iter().any(|event| matches!(event, Event::Lost { .. }));
    match (said.is_empty(), bled) {
        (true, true) => "losses, and nobody breaks".into(),
        (true, false) => "nothing happens".into(),
        _ => said.join(", "),
    }
}
