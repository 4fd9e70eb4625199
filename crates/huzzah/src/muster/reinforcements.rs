//! What a scenario may not say of those who are there and those who are still to come.

use sabretache_engine::decides;
use sabretache_engine::ids::{CommandId, OfficerId, UnitId};
use sabretache_engine::scenario::{Diagnostics, Path};
use sabretache_table::{Convex, overlapping};

use crate::battle::Battle;
use crate::body::{OfficerStatus, Presence};
use crate::clauses::{HZ_OFF_02, HZ_OFF_04, HZ_OFF_12, HZ_REI_01, HZ_REI_02};
use crate::phases::reinforce;
use crate::state::Stage;

/// Units and officers who contradict the arrival of their command, and officers on top of units.
pub(super) fn check(battle: &Battle, report: &mut Diagnostics) {
    let fresh = match battle.stage {
        Stage::SetUp | Stage::ChooseFirst(_) => true,
        Stage::Skirmish => battle.turn <= 1,
        _ => false,
    };
    for unit in battle.unit_ids() {
        check_unit(battle, unit, fresh, report);
    }
    for officer in battle.officer_ids() {
        check_officer(battle, officer, fresh, report);
    }
}

/// Whether a command reorganised, or one above it did.
fn returns(battle: &Battle, command: CommandId) -> bool {
    let mut here = Some(command);
    while let Some(id) = here {
        if battle.command(id).returning {
            return true;
        }
        here = battle.command_facts(id).above;
    }
    false
}

/// A unit is there before its command arrives, or waits for one that never does (HZ-REI-01).
fn check_unit(battle: &Battle, unit: UnitId, fresh: bool, report: &mut Diagnostics) {
    let facts = battle.facts(unit);
    let path = Path::root().key("units").item(unit.index()).key("presence");
    let entry = reinforce::entry(battle, facts.brigade);
    decides!(HZ_REI_01);
    match (battle.unit(unit).presence, entry) {
        (Presence::Awaited, None) => {
            let says = format!("\"{}\" is still to come, but its command never arrives", facts.name);
            report.against(HZ_REI_01, path, says, "give its command `arrives`");
        }
        (Presence::Present, Some(entry)) if !returns(battle, facts.brigade) && (fresh || entry.turn > battle.turn) => {
            let says = format!("\"{}\" is on the table, but its command arrives in turn {}", facts.name, entry.turn);
            report.against(HZ_REI_01, path, says, "presence = \"awaited\"");
        }
        _ => {}
    }
}

fn check_officer(battle: &Battle, officer: OfficerId, fresh: bool, report: &mut Diagnostics) {
    let (state, facts) = (battle.officer(officer), battle.officer_facts(officer));
    let path = Path::root().key("officers").item(officer.index());
    decides!(HZ_OFF_04);
    if state.with.is_some() && state.status != OfficerStatus::Present {
        let says = format!("{} is with a unit and yet not on the table", facts.name);
        report.against(HZ_OFF_04, path.clone().key("attached_to"), says, "leave out one of the two");
    }
    // An officer is relieved exactly while the commander in chief has superseded him.
    let chief = battle.officer(battle.chief(facts.side));
    let taken = chief.status == OfficerStatus::Present && chief.supersedes == Some(facts.command);
    decides!(HZ_OFF_12);
    if (state.status == OfficerStatus::Superseded) != taken
        && !matches!(state.status, OfficerStatus::Killed | OfficerStatus::Captured)
    {
        let says = if taken {
            format!("the commander in chief has superseded {}, who is not relieved", facts.name)
        } else {
            format!("{} is relieved, but nobody has superseded him", facts.name)
        };
        let help = "`supersedes` of the commander in chief and `status = \"superseded\"` go together";
        report.against(HZ_OFF_12, path.clone().key("status"), says, help);
    }
    let entry = reinforce::entry(battle, facts.command);
    decides!(HZ_REI_01);
    if let (OfficerStatus::Awaited, None) = (state.status, entry) {
        let says = format!("{} is still to come, but his command never arrives", facts.name);
        report.against(HZ_REI_01, path.clone().key("status"), says, "give his command `arrives`");
    }
    if !fresh {
        return;
    }
    if let Some(entry) = entry {
        let ride = battle.lay.length(battle.numbers().officer_move);
        decides!(HZ_REI_02);
        match state.status {
            OfficerStatus::Awaited if entry.turn <= 1 => {
                let says = format!("{} brings his troops on in the first turn, so he begins on the table", facts.name);
                report.against(HZ_REI_02, path.clone().key("status"), says, "give him a place near the entry point");
            }
            OfficerStatus::Present if entry.turn > 1 => {
                let says = format!("{} comes on in turn {}, the turn before his troops", facts.name, entry.turn - 1);
                report.against(HZ_REI_01, path.clone().key("status"), says, "status = \"awaited\"");
            }
            OfficerStatus::Present if state.at.distance(entry.at) > ride => {
                let says = format!("{} begins too far from where his troops come on", facts.name);
                report.against(HZ_REI_02, path.clone().key("at"), says, "within one move of the entry point");
            }
            _ => {}
        }
    }
    if state.status == OfficerStatus::Present && state.with.is_none() {
        let disc = Convex::disc(state.at.v(), facts.base.f());
        decides!(HZ_OFF_02);
        let under = battle.unit_ids().find(|&id| battle.is_present(id) && overlapping(&disc, &battle.placed(id)));
        if let Some(unit) = under {
            let says = format!("{} stands on top of \"{}\"", facts.name, battle.facts(unit).name);
            report.against(HZ_OFF_02, path.key("at"), says, "attach him to it, or put him beside it");
        }
    }
}
