//! Offers in two steps: who might act, and what that one may do.

use sabretache_engine::ids::Named;
use sabretache_engine::ruleset::Ruleset;

use super::{act, bombard, officers, orders};
use crate::Huzzah;
use crate::battle::Battle;
use crate::offer::Offer;
use crate::state::Stage;

/// Who would act by an offer: the officer, the unit or the battery; nobody in particular for what a side does or is asked.
pub(crate) fn actor(offer: &Offer) -> Option<Named> {
    match *offer {
        Offer::Order { officer, .. } | Offer::FreeOrder { officer, .. } => Some(officer.into()),
        Offer::MoveOfficer(officer) | Offer::Detach(officer) | Offer::BringOn(officer) => Some(officer.into()),
        Offer::Attach { officer, .. } => Some(officer.into()),
        Offer::Bombard { battery, .. } | Offer::Through { battery, .. } | Offer::Sight { battery, .. } => {
            Some(battery.into())
        }
        Offer::Test(unit) | Offer::Wheel(unit) | Offer::WheelBack(unit) | Offer::AboutFace(unit) => Some(unit.into()),
        Offer::JoinSkirmishers(unit) | Offer::Recall(unit) | Offer::ClimbOver(unit) => Some(unit.into()),
        Offer::Go { unit, .. } | Offer::Road { unit, .. } | Offer::WheelThrough { unit, .. } => Some(unit.into()),
        Offer::Deploy { unit, .. } | Offer::Garrison { unit, .. } | Offer::Across { unit, .. } => Some(unit.into()),
        Offer::Escalade { unit, .. } | Offer::AlongWall { unit, .. } | Offer::Enter { unit, .. } => Some(unit.into()),
        Offer::FallBack(unit) | Offer::FallBackIn { unit, .. } | Offer::Stay(unit) => Some(unit.into()),
        Offer::Rally(unit) | Offer::Rout(unit) | Offer::Reform(unit) => Some(unit.into()),
        Offer::Check { command, .. } | Offer::Reorganise(command) => Some(command.into()),
        Offer::Begin | Offer::GoesFirst(_) | Offer::Skirmish | Offer::Pass | Offer::Explode(_) | Offer::Await => None,
        Offer::Appoint(_) | Offer::AppointToo(_) | Offer::NameFirst(_) | Offer::Rearm | Offer::EndOrders => None,
        Offer::Done | Offer::GoOn | Offer::Halt | Offer::NoSwing | Offer::Refuge(_) => None,
        Offer::Supersede(_) | Offer::Relinquish(_) | Offer::EndOfficers => None,
        Offer::Pairing(_) | Offer::Fight(_) | Offer::OddStagger(_) => None,
        Offer::EndReorganise | Offer::Form(_) => None,
    }
}

/// Who might act now.
pub(crate) fn might_act(battle: &Battle, out: &mut Vec<Option<Named>>) {
    match battle.stage {
        Stage::Window | Stage::Interrupt => bombard::might_act(battle, out),
        Stage::Order => orders::might_act(battle, out),
        Stage::Act => act::might_act(battle, out),
        Stage::Officers => officers::might_act(battle, out),
        _ => {
            for actor in all(battle).iter().map(actor) {
                if !out.contains(&actor) {
                    out.push(actor);
                }
            }
        }
    }
}

/// What one of them may do.
pub(crate) fn offers_of(battle: &Battle, who: Option<Named>, out: &mut Vec<Offer>) {
    match battle.stage {
        Stage::Window | Stage::Interrupt => bombard::offers_of(battle, who, out),
        Stage::Order => orders::offers_of(battle, who, out),
        Stage::Act => act::offers_of(battle, who, out),
        Stage::Officers => officers::offers_of(battle, who, out),
        _ => out.extend(all(battle).iter().filter(|offer| actor(offer) == who).cloned()),
    }
}

/// All offers, where they are few.
fn all(battle: &Battle) -> &[Offer] {
    battle.asked.get_or(|| {
        let mut all = Vec::new();
        Huzzah::offers(battle, &mut all);
        all.into()
    })
}
