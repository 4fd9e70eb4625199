//! Reinforcements, and reorganised commands that come back (HZ-REI-01 to HZ-REI-14).

use sabretache_engine::ids::{CommandId, OfficerId, UnitId};
use sabretache_engine::offer::{Halt, Input, Refusal, Value};
use sabretache_table::{Edge, OnTable, Point, Pose};
use smallvec::SmallVec;

use super::orders::Barred;
use super::{Play, act, officers};
use crate::battle::Battle;
use crate::body::{OfficerStatus, Presence};
use crate::clauses::*;
use crate::event::Event;
use crate::offer::Offer;
use crate::state::Acting;
use crate::table::Field;
use crate::troops::Order;

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
    if battle.unit(unit).presence != Presence::Awaited {
        return Err((HZ_REI_03, "It is not waiting to come on"));
    }
    let Some(entry) = entry(battle, battle.facts(unit).brigade) else {
        return Err((HZ_REI_03, "Its command does not arrive"));
    };
    if entry.turn > battle.turn {
        return Err((HZ_REI_01, "It is not due yet"));
    }
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
    let Some(entry) = entry(battle, battle.facts(unit).brigade) else { return false };
    battle.officer_at(officer).distance(entry.at) <= battle.radius(officer)
}

/// Commands that could have been ordered on and were not are held back another turn (HZ-REI-09, HZ-REI-12). Where the commander in chief
/// cut the phase short, or an officer's failure closed the command to orders, it was no choice of theirs.
pub(crate) fn hold_back(play: &mut Play<'_>) {
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
        };
        battle.command_ids().filter(waits).collect()
    };
    for command in held {
        play.happen(Event::HeldBack { command });
    }
}

// ------------------------------------------------------------------ coming on

/// The places at which a unit may come on, from the left of its front to the right: its front on the edge, clear of everybody. A broad
/// front is looked at every centimetre, at its ends and at the entry point itself (HZ-REI-06, HZ-REI-07).
#[must_use]
pub fn places(field: &Field<'_>, unit: UnitId, acting: &Acting) -> Vec<Pose> {
    let battle = field.battle;
    let Ok(entry) = may_enter(battle, unit) else { return Vec::new() };
    let inward = entry.edge.heading().reversed();
    // Looking in, the right hand is to the right of the heading.
    let along = inward.right().unit();
    let width = battle.facts(unit).footprints[battle.unit(unit).formation.index()].frontage().f();
    let at = battle.officer_at(acting.officer);
    let radius = battle.radius(acting.officer);
    let exact = Pose::new(entry.at, inward);
    let mut poses = vec![exact];
    if !entry.narrow && at.distance(entry.at) <= radius {
        let edge = battle.lay.table.edge(entry.edge);
        let foot = at.v().nearest_on(edge.a, edge.b);
        let off = (at.v() - foot).length();
        let half = libm::sqrt((radius.f() * radius.f() - off * off).max(0.0));
        // How far the edge runs to either hand of the foot of the perpendicular.
        let (one, other) = ((edge.a - foot).dot(along), (edge.b - foot).dot(along));
        let left = (-half).max(one.min(other)) + width / 2.0;
        let right = half.min(one.max(other)) - width / 2.0;
        if left <= right {
            let step = 10_000.0;
            let mut stops: Vec<f64> =
                (0..).map(|n| left + step * f64::from(n)).take_while(|&stop| stop < right).collect();
            stops.push(right);
            let own = (entry.at.v() - foot).dot(along);
            if own > left && own < right {
                stops.push(own);
            }
            stops.sort_by(f64::total_cmp);
            poses = stops.into_iter().map(|stop| Pose::new(Point::rounded(foot + along * stop), inward)).collect();
            poses.dedup();
        }
    }
    poses.retain(|&pose| stands_clear(field, unit, pose));
    poses
}

/// Whether a unit that comes on there would touch nobody.
fn stands_clear(field: &Field<'_>, unit: UnitId, pose: Pose) -> bool {
    let battle = field.battle;
    let placed = battle.placed_as(unit, battle.unit(unit).formation, pose);
    field.all().all(|(id, other)| {
        let enemy = battle.facts(id).side != battle.facts(unit).side;
        let gap = if enemy { battle.lay.sizes.clear } else { battle.lay.sizes.touch };
        !sabretache_table::nearer(&placed, other, gap.f())
    })
}

/// Units that may come on with the order in hand.
pub(crate) fn offers(field: &Field<'_>, unit: UnitId, acting: &Acting, out: &mut Vec<Offer>) {
    if acting.order == Order::Advance && !places(field, unit, acting).is_empty() {
        out.push(Offer::Enter(unit));
    }
}

/// Which of the places.
#[must_use]
pub fn input(battle: &Battle, unit: UnitId) -> Input {
    let found = battle.doing.acting.map(|acting| places(&Field::of(battle), unit, &acting).len());
    match found {
        Some(count) if count > 0 => Input::Number { least: 0, most: count as i32 - 1 },
        _ => Input::None,
    }
}

/// A unit comes on: its front on the edge, at one of the places; then it advances like any other.
pub(crate) fn enter(play: &mut Play<'_>, unit: UnitId, place: i32) -> Result<(), Halt> {
    let Some(acting) = play.battle().doing.acting else {
        return Err(Refusal::new(HZ_REI_03, "No order is in hand").into());
    };
    let ordered = super::orders::units_ordered(play.battle(), acting.officer, acting.to).contains(&unit);
    let found = places(&Field::of(play.battle()), unit, &acting);
    if !ordered || acting.order != Order::Advance {
        return Err(Refusal::new(HZ_REI_03, "It cannot come on").into());
    }
    let Some(&pose) = usize::try_from(place).ok().and_then(|place| found.get(place)) else {
        return Err(Refusal::new(HZ_REI_06, "That is beyond the front it can enter on").into());
    };
    play.happen(Event::Enters { unit, pose });
    act::next_unit(play)
}

// ------------------------------------------------------------------ officers

/// Whether an officer may come on in this officer movement phase (HZ-REI-01, HZ-REI-04, HZ-REO-10).
pub fn may_bring_on(battle: &Battle, officer: OfficerId) -> Result<Entry, Barred> {
    let facts = battle.officer_facts(officer);
    if facts.side != battle.phasing || battle.officer(officer).status != OfficerStatus::Awaited {
        return Err((HZ_REI_01, "He is not waiting to come on"));
    }
    let Some(entry) = entry(battle, facts.command) else { return Err((HZ_REI_01, "His command does not arrive")) };
    if entry.turn > battle.turn + 1 {
        return Err((HZ_REI_01, "He comes the turn before his troops"));
    }
    Ok(entry)
}

/// Where he may ride to from the entry point.
#[must_use]
pub fn officer_input(battle: &Battle, officer: OfficerId) -> Input {
    match may_bring_on(battle, officer) {
        Ok(entry) => officers::reach_from(battle, officer, entry.at, officers::left(battle, officer)),
        Err(_) => Input::None,
    }
}

/// An officer comes on.
pub(crate) fn bring_on(play: &mut Play<'_>, officer: OfficerId, to: Point) -> Result<(), Halt> {
    let entry = may_bring_on(play.battle(), officer);
    let entry = match entry {
        Ok(entry) => entry,
        Err((clause, says)) => return Err(Refusal::new(clause, says).into()),
    };
    if let Err(wrong) = officer_input(play.battle(), officer).check(&Value::Point(to)) {
        return Err(Refusal::new(HZ_OFF_02, wrong.to_string()).into());
    }
    play.happen(Event::OfficerComes { officer, at: entry.at });
    play.happen(Event::OfficerMoves { officer, at: to, ride: entry.at.distance(to) });
    Ok(())
}
