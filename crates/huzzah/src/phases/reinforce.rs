//! Reinforcements, and reorganised commands that come back (HZ-REI-01 to HZ-REI-14).

use sabretache_engine::ids::{CommandId, OfficerId, UnitId};
use sabretache_engine::offer::{Halt, Input, Refusal, Value};
use sabretache_table::{Convex, Edge, Heading, Length, OnTable, Outline, Point, Pose, Vec2, meetings};
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
use crate::terrain::Kind;
use crate::troops::{Formation, Order};

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

/// A stretch of the table's edge along which the middle of a unit's front may be as it comes on, and the way it faces then. It is measured
/// along the edge from its left end, looking in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Front {
    /// From here.
    pub least: Length,
    /// To here.
    pub most: Length,
    /// Straight in, or along a road.
    pub heading: Heading,
    /// The road by which a march column comes on (HZ-REI-08).
    pub road: Option<u16>,
}

/// The edge of the table by which a unit comes on: its left end, looking in, and the ways along it and in.
struct Rim {
    left: Vec2,
    length: f64,
    along: Vec2,
    inward: Heading,
}

impl Rim {
    fn of(battle: &Battle, entry: &Entry) -> Self {
        let inward = entry.edge.heading().reversed();
        let along = inward.right().unit();
        let edge = battle.lay.table.edge(entry.edge);
        let left = if edge.a.dot(along) < edge.b.dot(along) { edge.a } else { edge.b };
        Self { left, length: edge.length(), along, inward }
    }

    fn at(&self, place: Vec2) -> f64 {
        (place - self.left).dot(self.along)
    }

    fn pose(&self, at: Length, heading: Heading) -> Pose {
        Pose::new(Point::rounded(self.left + self.along * at.f()), heading)
    }
}

/// Where a unit may come on, from left to right: its whole front within the front that the ordering officer's radius cuts out of the edge, clear of
/// everybody; or at the exact entry point (HZ-REI-06, HZ-REI-07). A march column may also come on by a road.
#[must_use]
pub fn fronts(field: &Field<'_>, unit: UnitId, acting: &Acting) -> Vec<Front> {
    let battle = field.battle;
    let Ok(entry) = may_enter(battle, unit) else { return Vec::new() };
    let rim = Rim::of(battle, &entry);
    let width = battle.facts(unit).footprints[battle.unit(unit).formation.index()].frontage().f();
    let at = battle.officer_at(acting.officer);
    let radius = battle.radius(acting.officer);
    let own = Length::rounded(rim.at(entry.at.v()));
    let mut out = Vec::new();
    if !entry.narrow && at.distance(entry.at) <= radius {
        let edge = battle.lay.table.edge(entry.edge);
        let foot = at.v().nearest_on(edge.a, edge.b);
        let off = (at.v() - foot).length();
        let half = libm::sqrt((radius.f() * radius.f() - off * off).max(0.0));
        let (left, right) = ((rim.at(foot) - half).max(0.0), (rim.at(foot) + half).min(rim.length));
        let (least, most) = (Length::ceiled(left + width / 2.0), Length::floored(right - width / 2.0));
        if least <= most {
            open_stretches(field, unit, &rim, least, most, &mut out);
            let roads = by_road(field, unit, &rim, |at| at >= least && at <= most);
            out.extend(roads);
            return out;
        }
    }
    // On a road a march column comes on along it.
    let near = battle.lay.sizes.adjacent;
    out.extend(by_road(field, unit, &rim, |at| (at - own).abs() <= near).into_iter().next());
    if out.is_empty() && stands_clear(field, unit, rim.pose(own, rim.inward)) {
        out.push(Front { least: own, most: own, heading: rim.inward, road: None });
    }
    out
}

/// The parts of a stretch on which a unit that comes on straight in touches nobody.
fn open_stretches(field: &Field<'_>, unit: UnitId, rim: &Rim, least: Length, most: Length, out: &mut Vec<Front>) {
    let battle = field.battle;
    let mover = battle.placed_as(unit, battle.unit(unit).formation, rim.pose(least, rim.inward));
    let mut taken: SmallVec<[(Length, Length); 4]> = SmallVec::new();
    let mut found = SmallVec::new();
    for (id, other) in field.all() {
        let enemy = battle.facts(id).side != battle.facts(unit).side;
        let gap = if enemy { battle.lay.sizes.clear } else { battle.lay.sizes.touch };
        let kept_off = Convex::grown(other.part(0), gap.f() + 3.0);
        meetings(&mover, rim.along, (most - least).f(), &kept_off, &mut found);
        taken.extend(found.iter().map(|one| (least + Length::floored(one.from), least + Length::ceiled(one.to))));
    }
    taken.sort_unstable();
    let mut from = least;
    for (begins, ends) in taken {
        if begins >= from {
            out.push(Front { least: from, most: begins, heading: rim.inward, road: None });
        }
        from = from.max(ends);
    }
    if from <= most {
        out.push(Front { least: from, most, heading: rim.inward, road: None });
    }
}

/// The places where a road leads a march column on to the table.
fn by_road(field: &Field<'_>, unit: UnitId, rim: &Rim, within: impl Fn(Length) -> bool) -> Vec<Front> {
    let battle = field.battle;
    if battle.unit(unit).formation != Formation::MarchColumn {
        return Vec::new();
    }
    let near = battle.lay.sizes.adjacent.f();
    let mut out = Vec::new();
    for (n, road) in (0..).zip(&battle.lay.terrain) {
        let line = &road.line;
        if !matches!(road.kind, Kind::Road { .. }) || line.len() < 2 {
            continue;
        }
        for (end, next) in [(line[0], line[1]), (line[line.len() - 1], line[line.len() - 2])] {
            let off = (end.v() - rim.left).dot(rim.inward.unit());
            let (at, heading) = (Length::rounded(rim.at(end.v())), Heading::toward(end.v(), next.v()));
            let leads_in = off.abs() <= near && heading.unit().dot(rim.inward.unit()) > 0.0;
            if leads_in && within(at) && stands_clear(field, unit, rim.pose(at, heading)) {
                out.push(Front { least: at, most: at, heading, road: Some(n) });
            }
        }
    }
    out
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
    if acting.order == Order::Advance {
        let fronts = fronts(field, unit, acting).len().min(255) as u8;
        out.extend((0..fronts).map(|front| Offer::Enter { unit, front }));
    }
}

/// One of the stretches of the edge on which a unit may come on with the order in hand.
#[must_use]
pub fn front(battle: &Battle, unit: UnitId, front: u8) -> Option<Front> {
    let acting = battle.doing.acting?;
    fronts(&Field::of(battle), unit, &acting).get(usize::from(front)).copied()
}

/// How far along the edge.
#[must_use]
pub fn input(battle: &Battle, unit: UnitId, front: u8) -> Input {
    match self::front(battle, unit, front) {
        Some(Front { least, most, .. }) => Input::Distance { least, most, stops: Vec::new() },
        None => Input::None,
    }
}

/// Where a unit stands that comes on there.
#[must_use]
pub fn pose_on(battle: &Battle, unit: UnitId, front: &Front, at: Length) -> Option<Pose> {
    let entry = may_enter(battle, unit).ok()?;
    Some(Rim::of(battle, &entry).pose(at, front.heading))
}

/// A unit comes on: its front on the edge; then it advances like any other.
pub(crate) fn enter(play: &mut Play<'_>, unit: UnitId, front: u8, at: Length) -> Result<(), Halt> {
    let Some(acting) = play.battle().doing.acting else {
        return Err(Refusal::new(HZ_REI_03, "No order is in hand").into());
    };
    let ordered = super::orders::units_ordered(play.battle(), acting.officer, acting.to).contains(&unit);
    if !ordered || acting.order != Order::Advance {
        return Err(Refusal::new(HZ_REI_03, "It cannot come on").into());
    }
    let found = self::front(play.battle(), unit, front).filter(|front| front.least <= at && at <= front.most);
    let Some(pose) = found.and_then(|front| pose_on(play.battle(), unit, &front, at)) else {
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
