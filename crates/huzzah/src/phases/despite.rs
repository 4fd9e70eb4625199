//! What could be done although a rule forbids it, where the players are only advised: there is a place, a unit and a state for it. What
//! there is none for is impossible, and refused at every level of enforcement.

use sabretache_engine::ids::{CommandId, OfficerId, UnitId};
use sabretache_table::overlapping;

use super::{advance, bombard, deploy, manoeuvre, reinforce};
use crate::battle::Battle;
use crate::body::OfficerStatus;
use crate::offer::Offer;
use crate::state::Way;
use crate::table::swing::Turn;
use crate::table::{Field, garrison};
use crate::troops::{Arm, Forced};

/// Whether a closed offer can be carried out at all.
#[must_use]
pub fn is_possible(battle: &Battle, offer: &Offer) -> bool {
    let field = Field::of(battle);
    let chief_acts = || battle.is_there(battle.chief(battle.phasing));
    match *offer {
        Offer::Go { unit, way, stretch } => goes(&field, unit, way, stretch),
        Offer::Wheel(unit) => wheels(&field, unit, false),
        Offer::WheelBack(unit) => wheels(&field, unit, true),
        Offer::Deploy { unit, formation } => {
            !battle.unit(unit).routing
                && deploy::formations(battle, unit).contains(&formation)
                && deploy::placements(&field, unit, formation, true).next().is_some()
        }
        Offer::Recall(unit) => battle.unit(unit).forced == Some(Forced::Recall),
        Offer::Garrison { unit, sector, .. } => is_empty_for(&field, unit, sector),
        Offer::JoinSkirmishers(unit) => battle.facts(unit).arm == Arm::Infantry && !battle.unit(unit).routing,
        Offer::ClimbOver(_) | Offer::Sight { .. } => false,
        Offer::Bombard { battery, target } => bombard::shot(&field, battery, target).is_some(),
        Offer::Attach { unit, .. } => battle.is_present(unit) && battle.attached_to(unit).is_none(),
        Offer::BringOn(officer) => reinforce::entry(battle, battle.officer_facts(officer).command).is_some(),
        Offer::Supersede(command) => can_take_over(battle, command),
        Offer::Appoint(officer) | Offer::AppointToo(officer) => chief_acts() && is_vacant(battle, officer),
        Offer::Rearm => chief_acts(),
        _ => true,
    }
}

fn goes(field: &Field<'_>, unit: UnitId, way: Way, stretch: u8) -> bool {
    let Some(acting) = field.battle.doing.acting else { return false };
    advance::track(field, unit, way, &acting).is_some_and(|track| track.stretches.len() > usize::from(stretch))
}

fn wheels(field: &Field<'_>, unit: UnitId, back: bool) -> bool {
    field.get(unit).is_some()
        && [false, true].into_iter().any(|right| manoeuvre::swing(field, unit, Turn { right, back }).most() > 0)
}

/// Whether infantry could be put into a sector: nobody else is in it.
pub(crate) fn is_empty_for(field: &Field<'_>, unit: UnitId, sector: u16) -> bool {
    let battle = field.battle;
    let Some(area) = garrison::sector(battle, sector) else { return false };
    let taken = |(id, other): (UnitId, &sabretache_table::Placed)| {
        id != unit && (battle.unit(id).sector == Some(sector) || overlapping(other, &area))
    };
    let state = battle.unit(unit);
    battle.facts(unit).arm == Arm::Infantry && !state.routing && state.sector != Some(sector) && !field.all().any(taken)
}

/// Whether the commander in chief and the command are there, and he is in nobody else's place.
fn can_take_over(battle: &Battle, command: CommandId) -> bool {
    let facts = battle.command_facts(command);
    let chief = battle.chief(battle.phasing);
    let there = matches!(
        battle.officer(facts.officer).status,
        OfficerStatus::Killed | OfficerStatus::Captured | OfficerStatus::Present
    );
    facts.side == battle.phasing
        && facts.above.is_some()
        && !battle.is_gone(command)
        && battle.is_there(chief)
        && battle.officer(chief).supersedes.is_none()
        && there
}

fn is_vacant(battle: &Battle, officer: OfficerId) -> bool {
    officer != battle.chief(battle.phasing)
        && matches!(battle.officer(officer).status, OfficerStatus::Killed | OfficerStatus::Captured)
        && !battle.is_gone(battle.officer_facts(officer).command)
}
