//! Reinforcements, and reorganised commands that come back (HZ-REI-01 to HZ-REI-13).

use sabretache_engine::ids::{CommandId, OfficerId, UnitId};
use sabretache_engine::offer::{Halt, Input, Refusal, Value};
use sabretache_table::{Edge, Length, Point, Pose, overlapping};
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

/// The first order to bring a command on settles that it comes first at its point (HZ-REI-10).
pub(crate) fn choose_first(play: &mut Play<'_>, units: &[UnitId]) {
    let entries: SmallVec<[Entry; 4]> = units.iter().filter_map(|&unit| may_enter(play.battle(), unit).ok()).collect();
    for entry in entries {
        if !play.battle().command(entry.of).chosen {
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

/// Commands that could have been ordered on and were not are held back another turn (HZ-REI-09, HZ-REI-12).
pub(crate) fn hold_back(play: &mut Play<'_>) {
    let side = play.battle().phasing;
    let held: SmallVec<[CommandId; 4]> = {
        let battle = play.battle();
        let waits = |&id: &CommandId| {
            let Some(entry) = entry(battle, id).filter(|entry| entry.of == id && entry.turn <= battle.turn) else {
                return false;
            };
            let awaited = battle.units_of(id).any(|unit| battle.unit(unit).presence == Presence::Awaited);
            let ordered =
                battle.command_ids().any(|other| battle.is_within(other, id) && battle.command(other).moves > 0)
                    || battle.units_of(id).any(|unit| battle.unit(unit).moves > 0);
            battle.command_facts(id).side == side
                && awaited
                && !ordered
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

/// Where a unit's front may stand on the edge as it comes on: the first free stretch, as the place of its middle at its left end and the
/// length of the stretch (HZ-REI-06, HZ-REI-07).
#[must_use]
pub fn front(field: &Field<'_>, unit: UnitId, acting: &Acting) -> Option<(Pose, Length)> {
    let battle = field.battle;
    let entry = may_enter(battle, unit).ok()?;
    let inward = entry.edge.heading().reversed();
    // Looking in, the right hand is to the right of the heading.
    let right = inward.right();
    let width = battle.facts(unit).footprints[battle.unit(unit).formation.index()].frontage();
    let officer = acting.officer;
    let at = battle.officer_at(officer);
    let radius = battle.radius(officer);
    let exact = Pose::new(entry.at, inward);
    let (from, length) = if entry.narrow || at.distance(entry.at) > radius {
        (exact, Length::ZERO)
    } else {
        let edge = battle.lay.table.edge(entry.edge);
        let foot = at.v().nearest_on(edge.a, edge.b);
        let off = (at.v() - foot).length();
        let half = libm::sqrt((radius.f() * radius.f() - off * off).max(0.0));
        let along = right.unit();
        let (low, high) = (
            (foot - edge.a).dot(along).min((foot - edge.b).dot(along)),
            (foot - edge.a).dot(along).max((foot - edge.b).dot(along)),
        );
        // The edge runs from -high to -low of the foot along the right hand.
        let left_end = (-half).max(-high) + width.f() / 2.0;
        let right_end = half.min(-low) - width.f() / 2.0;
        if right_end < left_end {
            (exact, Length::ZERO)
        } else {
            (Pose::new(Point::rounded(foot + along * left_end), inward), Length::floored(right_end - left_end))
        }
    };
    free_stretch(field, unit, from, right, length)
}

/// The first stretch along an edge on which the unit would stand clear of everybody.
fn free_stretch(
    field: &Field<'_>,
    unit: UnitId,
    from: Pose,
    right: sabretache_table::Heading,
    length: Length,
) -> Option<(Pose, Length)> {
    let battle = field.battle;
    let formation = battle.unit(unit).formation;
    let free = |at: Length| {
        let placed = battle.placed_as(unit, formation, from.moved(right, at));
        field.all().all(|(id, other)| {
            let enemy = battle.facts(id).side != battle.facts(unit).side;
            if enemy {
                sabretache_table::exact_distance(&placed, other) > battle.lay.sizes.clear.f()
            } else {
                !overlapping(&placed, other)
            }
        })
    };
    let step = Length::cm(1);
    let mut at = Length::ZERO;
    while at <= length {
        if free(at) {
            let mut end = at;
            while end + step <= length && free(end + step) {
                end += step;
            }
            return Some((from.moved(right, at), end - at));
        }
        at += step;
    }
    None
}

/// Units that may come on with the order in hand.
pub(crate) fn offers(field: &Field<'_>, unit: UnitId, acting: &Acting, out: &mut Vec<Offer>) {
    if acting.order == Order::Advance && front(field, unit, acting).is_some() {
        out.push(Offer::Enter(unit));
    }
}

/// How far along the front.
#[must_use]
pub fn input(battle: &Battle, unit: UnitId) -> Input {
    let found = battle.doing.acting.and_then(|acting| front(&Field::of(battle), unit, &acting));
    match found {
        // Between the places that were looked at every centimetre a friend might stand in the way; so only the ends of the steps count.
        Some((_, length)) => Input::Number { least: 0, most: length.whole(Length::cm(1)) },
        None => Input::None,
    }
}

/// A unit comes on: its front on the edge, so many centimetres along; then it advances like any other.
pub(crate) fn enter(play: &mut Play<'_>, unit: UnitId, along: i32) -> Result<(), Halt> {
    let Some(acting) = play.battle().doing.acting else {
        return Err(Refusal::new(HZ_REI_03, "No order is in hand").into());
    };
    let ordered = super::orders::units_ordered(play.battle(), acting.officer, acting.to).contains(&unit);
    let found = front(&Field::of(play.battle()), unit, &acting);
    let (Some((from, length)), true) = (found, ordered && acting.order == Order::Advance) else {
        return Err(Refusal::new(HZ_REI_03, "It cannot come on").into());
    };
    if along < 0 || Length::cm(along) > length {
        return Err(Refusal::new(HZ_REI_06, "That is beyond the front it can enter on").into());
    }
    let pose = from.moved(from.heading.right(), Length::cm(along));
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
        Ok(entry) => officers::reach_from(battle, officer, entry.at),
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
    if let Err(wrong) = officers::reach_from(play.battle(), officer, entry.at).check(&Value::Point(to)) {
        return Err(Refusal::new(HZ_OFF_02, wrong.to_string()).into());
    }
    play.happen(Event::OfficerComes { officer, at: entry.at });
    play.happen(Event::OfficerMoves { officer, at: to });
    Ok(())
}
