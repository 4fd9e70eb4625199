//! Reinforcements, and reorganised commands that come back (HZ-REI-01 to HZ-REI-14).

use sabretache_engine::decides;
use sabretache_engine::ids::{CommandId, OfficerId, UnitId};
use sabretache_engine::offer::{Halt, Input, Refusal, Value};
use sabretache_table::{Edge, OnTable, Point};
use smallvec::SmallVec;

use super::orders::Barred;
use super::{Play, officers};
use crate::battle::Battle;
use crate::body::{OfficerStatus, Presence};
use crate::clauses::*;
use crate::event::Event;
use crate::table::Field;

/// Where and from when a command comes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The command that arrives, of which others may be part.
    pub of: CommandId,
    /// The turn from which it can be ordered on.
    pub turn: u16,
    /// The entry point.
    pub at: Point,
    /// The edge it lies on.
    pub edge: Edge,
    /// Only the exact point may be used.
    pub narrow: bool,
}

/// Where a command, or the one above it that arrives, comes on.
#[must_use]
pub fn entry(battle: &Battle, command: CommandId) -> Option<Entry> {
    let mut here = Some(command);
    while let Some(id) = here {
        let facts = battle.command_facts(id);
        decides!(HZ_REI_13);
        if battle.command(id).returning {
            let at = facts.communication;
            return Some(Entry { of: id, turn: 0, at, edge: edge_of(battle, at), narrow: false });
        }
        if let Some(arrives) = facts.arrives {
            return Some(Entry {
                of: id,
                turn: arrives.turn,
                at: arrives.at,
                edge: arrives.edge,
                narrow: arrives.narrow,
            });
        }
        here = facts.above;
    }
    None
}

/// The edge that a point of the rim of the table lies on.
fn edge_of(battle: &Battle, at: Point) -> Edge {
    let table = &battle.lay.table;
    let room = [
        (Edge::North, (table.depth - at.y).abs()),
        (Edge::East, (table.width - at.x).abs()),
        (Edge::South, at.y.abs()),
        (Edge::West, at.x.abs()),
    ];
    room.into_iter().min_by_key(|(_, distance)| *distance).map_or(Edge::South, |(edge, _)| edge)
}

/// Whether a unit that is still off the table can be ordered on now (HZ-REI-03, HZ-REI-11).
pub fn may_enter(battle: &Battle, unit: UnitId) -> Result<Entry, Barred> {
    decides!(HZ_REI_03);
    if battle.unit(unit).presence != Presence::Awaited {
        return Err((HZ_REI_03, "It is not waiting to come on"));
    }
    let Some(entry) = entry(battle, battle.facts(unit).brigade) else {
        return Err((HZ_REI_03, "Its command does not arrive"));
    };
    decides!(HZ_REI_01);
    if entry.turn > battle.turn {
        return Err((HZ_REI_01, "It is not due yet"));
    }
    decides!(HZ_REI_11);
    if is_blocked(battle, &entry) {
        return Err((HZ_REI_11, "Another command is to come on there first"));
    }
    Ok(entry)
}

/// Whether a command all of which is still off the table can be ordered on now, and if not why.
pub fn may_come_on(battle: &Battle, command: CommandId) -> Result<(), Barred> {
    let waits = |&unit: &UnitId| battle.unit(unit).presence == Presence::Awaited;
    battle.units_of(command).find(waits).map_or(Ok(()), |unit| may_enter(battle, unit).map(|_| ()))
}

/// Whether a unit has come on and its rear has not cleared the edge yet (HZ-REI-08).
#[must_use]
pub fn hangs_over_edge(field: &Field<'_>, unit: UnitId) -> bool {
    decides!(HZ_REI_08);
    let table = &field.battle.lay.table;
    field.get(unit).is_some_and(|placed| table.on_table(placed) != OnTable::Wholly)
}

/// Whether another command that was chosen first at the point is not on yet (HZ-REI-10, HZ-REI-11).
fn is_blocked(battle: &Battle, entry: &Entry) -> bool {
    battle.command_ids().any(|id| {
        id != entry.of
            && battle.command(id).chosen
            && battle.command_facts(id).side == battle.command_facts(entry.of).side
            && self::entry(battle, id).is_some_and(|other| other.of == id && other.at == entry.at)
            && battle.units_of(id).any(|unit| battle.unit(unit).presence == Presence::Awaited)
    })
}

/// Whether a command is one of several that are due at one point, none of which has been named as the first there (HZ-REI-10).
fn is_unnamed(battle: &Battle, command: CommandId) -> bool {
    let side = battle.command_facts(command).side;
    let due = |id: CommandId| {
        let entry = entry(battle, id).filter(|entry| entry.of == id && entry.turn <= battle.turn)?;
        let awaited = battle.units_of(id).any(|unit| battle.unit(unit).presence == Presence::Awaited);
        (awaited && battle.command_facts(id).side == side).then_some(entry.at)
    };
    decides!(HZ_REI_10);
    let Some(at) = due(command) else { return false };
    let there: SmallVec<[CommandId; 4]> = battle.command_ids().filter(|&id| due(id) == Some(at)).collect();
    there.len() > 1 && there.iter().all(|&id| !battle.command(id).chosen)
}

/// The commands of which one is to be named as the first to come on (HZ-REI-10).
pub(crate) fn unnamed(battle: &Battle) -> impl Iterator<Item = CommandId> + '_ {
    battle.command_ids().filter(|&id| battle.command_facts(id).side == battle.phasing && is_unnamed(battle, id))
}

/// The player names the command that comes on first at its point, and may then hold it back (HZ-REI-10).
pub(crate) fn name_first(play: &mut Play<'_>, command: CommandId) -> Result<(), Halt> {
    if !unnamed(play.battle()).any(|id| id == command) {
        return Err(
            Refusal::impossible(HZ_REI_10, "It shares its entry point with nobody, or the first is named").into()
        );
    }
    play.happen(Event::NamedFirst { command });
    Ok(())
}

/// Whether part of a group is not due to arrive yet, so that the group cannot be ordered as one (HZ-REI-14).
#[must_use]
pub fn still_to_come(battle: &Battle, group: CommandId) -> bool {
    battle.units_of(group).any(|unit| {
        battle.unit(unit).presence == Presence::Awaited
            && entry(battle, battle.facts(unit).brigade).is_some_and(|entry| entry.turn > battle.turn)
    })
}

/// The first order to bring a command on settles that it comes first at its point (HZ-REI-10).
pub(crate) fn choose_first(play: &mut Play<'_>, units: &[UnitId]) {
    let entries: SmallVec<[Entry; 4]> = units.iter().filter_map(|&unit| may_enter(play.battle(), unit).ok()).collect();
    for entry in entries {
        let state = play.battle().command(entry.of);
        if !state.chosen || !state.sent_for {
            play.happen(Event::ChosenFirst { command: entry.of });
        }
    }
}

/// Turns for which the units ordered on were held back (HZ-REI-09).
#[must_use]
pub fn held_back(battle: &Battle, units: &[UnitId]) -> u8 {
    decides!(HZ_REI_09);
    units
        .iter()
        .filter_map(|&unit| may_enter(battle, unit).ok())
        .map(|entry| battle.command(entry.of).delayed)
        .min()
        .unwrap_or(0)
}

/// Whether the ordering officer's radius reaches a unit's entry point (HZ-REI-05).
#[must_use]
pub fn in_command(battle: &Battle, officer: OfficerId, unit: UnitId) -> bool {
    decides!(HZ_REI_05);
    let Some(entry) = entry(battle, battle.facts(unit).brigade) else { return false };
    battle.officer_at(officer).distance(entry.at) <= battle.radius(officer)
}

/// Commands that could have been ordered on and were not are held back another turn (HZ-REI-09, HZ-REI-12). Where the commander in chief
/// cut the phase short, or an officer's failure closed the command to orders, it was no choice of theirs.
pub(crate) fn hold_back(play: &mut Play<'_>) {
    decides!(HZ_REI_12);
    let side = play.battle().phasing;
    if !play.battle().doing.ending {
        return;
    }
    let held: SmallVec<[CommandId; 4]> = {
        let battle = play.battle();
        let waits = |&id: &CommandId| {
            let Some(entry) = entry(battle, id).filter(|entry| entry.of == id && entry.turn <= battle.turn) else {
                return false;
            };
            let awaited = battle.units_of(id).any(|unit| battle.unit(unit).presence == Presence::Awaited);
            battle.command_facts(id).side == side
                && awaited
                && !battle.command(id).sent_for
                && !battle.command(id).silenced
                && battle.leader(id).is_some()
                && !is_blocked(battle, &entry)
                && !is_unnamed(battle, id)
        };
        battle.command_ids().filter(waits).collect()
    };
    for command in held {
        play.happen(Event::HeldBack { command });
    }
}

// ------------------------------------------------------------------ officers

/// Whether an officer may come on in this officer movement phase (HZ-REI-01, HZ-REI-04, HZ-REO-10).
pub fn may_bring_on(battle: &Battle, officer: OfficerId) -> Result<Entry, Barred> {
    decides!(HZ_REI_04, HZ_REO_10);
    let facts = battle.officer_facts(officer);
    decides!(HZ_REI_01);
    if facts.side != battle.phasing || battle.officer(officer).status != OfficerStatus::Awaited {
        return Err((HZ_REI_01, "He is not waiting to come on"));
    }
    let Some(entry) = entry(battle, facts.command) else { return Err((HZ_REI_01, "His command does not arrive")) };
    decides!(HZ_REI_01);
    if entry.turn > battle.turn + 1 {
        return Err((HZ_REI_01, "He comes the turn before his troops"));
    }
    Ok(entry)
}

/// Where he may ride to from the entry point.
#[must_use]
pub fn officer_input(battle: &Battle, officer: OfficerId) -> Input {
    match entry(battle, battle.officer_facts(officer).command) {
        Some(entry) => officers::reach_from(battle, officer, entry.at, officers::left(battle, officer)),
        None => Input::None,
    }
}

/// An officer comes on.
pub(crate) fn bring_on(play: &mut Play<'_>, officer: OfficerId, to: Point) -> Result<(), Halt> {
    let battle = play.battle();
    let known = entry(battle, battle.officer_facts(officer).command);
    let awaited = battle.officer(officer).status == OfficerStatus::Awaited;
    let allowed = may_bring_on(battle, officer);
    if let Err((clause, says)) = allowed {
        let impossible = known.is_none() || !awaited;
        play.refuse(Refusal { impossible, ..Refusal::new(clause, says) })?;
    }
    let Some(entry) = known else {
        return Err(Refusal::impossible(HZ_REI_01, "His command does not arrive").into());
    };
    if !officer_input(play.battle(), officer).fits(&Value::Point(to)) {
        let impossible = !officers::stands_free(play.battle(), officer, to);
        let says = "That is further from the entry point than he rides, or somebody is in the way";
        play.refuse(Refusal { impossible, ..Refusal::new(HZ_OFF_02, says) })?;
    }
    play.happen(Event::OfficerComes { officer, at: entry.at });
    play.happen(Event::OfficerMoves { officer, at: to, ride: entry.at.distance(to) });
    Ok(())
}
