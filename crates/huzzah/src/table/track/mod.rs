//! How far a straight move gets: terrain, obstacles, table edges, friends, enemies and threat zones on its way
//! (HZ-ADV-01 to HZ-ADV-26, HZ-RET-01 to HZ-RET-11, HZ-MAN-03).

mod passage;
mod stops;

use sabretache_engine::clause::Clause;
use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_table::{Direction, Face, Footprint, Heading, Length, Outline, Placed, Pose, Vec2, meetings};
use smallvec::SmallVec;

use super::{Field, contact};
use crate::battle::Battle;
use crate::clauses::{
    HZ_ADV_07, HZ_ADV_16, HZ_ADV_17, HZ_ADV_19, HZ_DEP_12, HZ_HED_05, HZ_MAN_07, HZ_QUA_12, HZ_RET_05, HZ_TER_10,
    HZ_WAL_05,
};
use crate::state::{Finish, Way};
pub(crate) use passage::just_across;
use passage::{Passage, terrain};
pub use stops::may_engage;
pub(crate) use stops::zone_stop;
use stops::{enemies, put_back};

/// What a straight move is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// An advance, which alone can make contact.
    Advance,
    /// A retirement, which may leave the table.
    Retire,
    /// A side-step.
    SideStep,
    /// A side-step of guns that limber, which zones do not stop (HZ-DEP-11, HZ-DEP-12).
    SideStepDeploying,
}

/// How far a straight move gets.
#[derive(Clone, Debug)]
pub struct Track {
    /// Where it may end: stretches from the least to the most, in order; a friend in the way parts them.
    pub stretches: SmallVec<[(Length, Length); 2]>,
    /// Where it first touches an enemy zone, and where it is placed then.
    pub zone: Option<(Length, Length)>,
    /// Where it meets an enemy, and how that ends.
    pub contact: Option<(Length, Finish)>,
    /// Where it comes to its furthest, and why.
    pub stop: (Length, Clause),
    /// From where on it leaves the table.
    pub off: Option<Length>,
}

impl Track {
    /// Where a move of this length ends, and how.
    #[must_use]
    pub fn end(&self, distance: Length) -> (Length, Finish) {
        if let Some((at, placed)) = self.zone
            && distance >= at
        {
            return (placed, Finish::There);
        }
        if let Some((at, finish)) = self.contact
            && distance >= at
        {
            return (if finish == Finish::Brushed { self.stop.0.min(at) } else { at }, finish);
        }
        let finish = if self.off.is_some_and(|off| distance > off) { Finish::Off } else { Finish::There };
        (distance, finish)
    }
}

/// The heading of a move for a unit that faces so.
#[must_use]
pub fn heading(pose: Pose, way: Way) -> Heading {
    match way {
        Way::Ahead => pose.heading,
        Way::Back => pose.heading.reversed(),
        Way::Left => pose.heading.left(),
        Way::Right => pose.heading.right(),
    }
}

/// The face that leads.
#[must_use]
pub const fn leading(way: Way) -> Face {
    match way {
        Way::Ahead => Face::Front,
        Way::Back => Face::Rear,
        Way::Left => Face::Left,
        Way::Right => Face::Right,
    }
}

/// The least that counts as moving (HZ-ORD-29).
#[must_use]
pub fn least(battle: &Battle) -> Length {
    battle.lay.sizes.touch + Length::um(1)
}

/// A strip along a face, thin enough to be its edge and thick enough to meet things.
fn edge_strip(placed: &Placed, face: Face) -> Placed {
    let edge = placed.face(face);
    let out = placed.outward(face);
    let middle = sabretache_table::Point::rounded(edge.middle());
    let heading = Heading::toward(Vec2::new(0.0, 0.0), out);
    Placed::new(&Footprint::single(Length::rounded(edge.length()), Length::um(8)), Pose::new(middle, heading))
}

/// How far a unit gets one way with so much movement.
#[must_use]
pub fn straight(field: &Field<'_>, id: UnitId, way: Way, budget: Length, purpose: Purpose) -> Option<Track> {
    let battle = field.battle;
    let placed = field.get(id)?;
    let heading = heading(placed.pose(), way);
    let along = heading.unit();
    let Passage { limit: going, mut stop, exact } = terrain(field, id, placed, way, heading, budget, false);
    let mut limit = going;
    let mut off = None;
    let edge = battle.lay.table.leaves_after(placed, Direction::Toward(heading), limit);
    decides!(HZ_QUA_12);
    if let Some((at, _)) = edge {
        if purpose == Purpose::Retire {
            off = Some(at);
        } else {
            // A unit that has just come on hangs over the edge with all but its front; the front stays on the table.
            let at = if hangs_over(battle, placed) { front_leaves(battle, placed, along, limit) } else { at };
            if at < limit {
                limit = at;
                stop = (at, HZ_QUA_12);
            }
        }
    }
    let mut contact = None;
    enemies(field, id, placed, along, purpose, &mut limit, &mut stop, &mut contact);
    if let Some(across) = exact {
        return Some(Track { off, ..over_high_obstacle(field, id, placed, along, across, limit, stop) });
    }
    decides!(HZ_MAN_07, HZ_DEP_12);
    let zone = if purpose == Purpose::SideStepDeploying {
        None
    } else {
        zone_stop(field, id, placed, along, way, limit, contact)
    };
    let most = match (zone, contact) {
        (Some((_, end)), _) => {
            let clause = match purpose {
                Purpose::Advance => HZ_ADV_07,
                Purpose::Retire => HZ_RET_05,
                Purpose::SideStep | Purpose::SideStepDeploying => HZ_MAN_07,
            };
            stop = (end, clause);
            end
        }
        (None, Some((at, _))) => at,
        (None, None) => limit,
    };
    let contact = if zone.is_some() { None } else { contact };
    let mut track =
        Track { stretches: SmallVec::new(), zone, contact, stop: (stop.0.min(most.max(stop.0)), stop.1), off };
    track.stop.0 = track.stop.0.min(most.max(Length::ZERO)).max(Length::ZERO);
    if let Some((at, Finish::Brushed)) = contact {
        track.stop = (put_back(field, id, placed, along, at), HZ_ADV_16);
    }
    track.stretches = legal(field, id, placed, along, most, zone);
    Some(track)
}

/// Over a high hedge or wall: the order puts the unit just across it, and nowhere else (HZ-HED-05, HZ-WAL-05).
fn over_high_obstacle(
    field: &Field<'_>,
    id: UnitId,
    placed: &Placed,
    along: Vec2,
    across: Length,
    limit: Length,
    stop: (Length, Clause),
) -> Track {
    decides!(HZ_HED_05, HZ_WAL_05);
    let there = moved(placed, along, across);
    let free = limit >= across
        && field.friends_meeting(id, there.bounds()).all(|(_, friend)| !sabretache_table::overlapping(&there, friend));
    let mut stretches = SmallVec::new();
    if free {
        stretches.push((across, across));
    }
    let stop = if free { (across, HZ_TER_10) } else { (Length::ZERO, stop.1) };
    Track { stretches, zone: None, contact: None, stop, off: None }
}

/// Where it may stop without lying on a friend.
fn legal(
    field: &Field<'_>,
    id: UnitId,
    placed: &Placed,
    along: Vec2,
    most: Length,
    zone: Option<(Length, Length)>,
) -> SmallVec<[(Length, Length); 2]> {
    let least = least(field.battle);
    let mut closed: SmallVec<[(Length, Length); 4]> = SmallVec::new();
    let path = placed.bounds().swept(along * (most.f() + 10.0));
    decides!(HZ_ADV_17, HZ_ADV_19);
    let mut found = SmallVec::new();
    for (_, friend) in field.friends_meeting(id, path) {
        found.clear();
        meetings(placed, along, most.f() + 10.0, friend, &mut found);
        for meeting in &found {
            let from = Length::floored(meeting.from.max(-1.0));
            let to = Length::ceiled(meeting.to);
            if to > Length::ZERO {
                closed.push((from, to));
            }
        }
    }
    stretches(&mut closed, least, most, zone)
}

/// Where a move may end: from the least to the most, or to where a zone stops it, and not on ground that is closed (between, not at, the ends
/// of those stretches).
#[must_use]
pub fn stretches(
    closed: &mut [(Length, Length)],
    least: Length,
    most: Length,
    zone: Option<(Length, Length)>,
) -> SmallVec<[(Length, Length); 2]> {
    closed.sort_unstable();
    let shut = |at: Length| closed.iter().any(|&(from, to)| at > from && at < to);
    let (reach, end) = match zone {
        Some((at, end)) if !shut(end) => (at, Some(end)),
        // Touching the zone would carry it on to a place that a friend holds: it stops before.
        Some((at, _)) => (at - Length::um(1), None),
        None => (most, None),
    };
    let mut out: SmallVec<[(Length, Length); 2]> = SmallVec::new();
    let mut from = least;
    for &(shut_from, shut_to) in closed.iter() {
        if shut_from >= from && from <= reach {
            out.push((from, shut_from.min(reach)));
        }
        from = from.max(shut_to);
    }
    if from <= reach {
        out.push((from, reach));
    }
    if let Some(end) = end {
        match out.last_mut() {
            Some(last) if last.1 == reach => last.1 = end,
            _ => out.push((end, end)),
        }
    }
    out.retain(|(from, to)| from <= to);
    out
}

/// Whether a unit that has just come on still hangs over the edge.
fn hangs_over(battle: &Battle, placed: &Placed) -> bool {
    battle.lay.table.on_table(placed) != sabretache_table::OnTable::Wholly
}

/// How far it gets before the middle of its front leaves the table.
fn front_leaves(battle: &Battle, placed: &Placed, along: Vec2, limit: Length) -> Length {
    let at = placed.pose().at.v();
    let room = |from: f64, way: f64, most: f64| {
        if way > 1e-9 {
            (most - from) / way
        } else if way < -1e-9 {
            -from / way
        } else {
            f64::INFINITY
        }
    };
    let table = &battle.lay.table;
    let far = room(at.x, along.x, table.width.f()).min(room(at.y, along.y, table.depth.f()));
    Length::floored(far.clamp(0.0, limit.f()))
}

/// A footprint moved along.
#[must_use]
pub fn moved(placed: &Placed, along: Vec2, by: Length) -> Placed {
    let pose = placed.pose();
    let at = sabretache_table::Point::rounded(pose.at.v() + along * by.f());
    let size = Footprint::single(
        Length::rounded(placed.face(Face::Front).length()),
        Length::rounded(placed.face(Face::Right).length()),
    );
    Placed::new(&size, Pose::new(at, pose.heading))
}

/// How far a unit that is made to retire gets along a heading: the ground is obeyed, zones are not, and it halts just short of any
/// enemy (HZ-ENG-37, HZ-CHK-25, HZ-TER-16).
#[must_use]
pub fn retreat(field: &Field<'_>, id: UnitId, heading: Heading, budget: Length) -> Length {
    let Some(placed) = field.get(id) else { return Length::ZERO };
    let way = way_of(placed.pose(), heading);
    let Passage { limit, .. } = terrain(field, id, placed, way, heading, budget, true);
    let (clear, touch) = (field.battle.lay.sizes.clear, field.battle.lay.sizes.touch.f());
    let along = heading.unit();
    let mut free = limit;
    let path = placed.bounds().swept(along * (limit.f() + clear.f())).grown(clear.f());
    for (_, enemy) in field.enemies_meeting(id, path) {
        if let Some(at) = contact::first_touch(placed, along, free.f() + clear.f(), enemy, touch) {
            free = free.min((Length::floored(at) - clear).max(Length::ZERO));
        }
    }
    free
}

/// The face that leads when a unit moves along a heading.
fn way_of(pose: Pose, heading: Heading) -> Way {
    let turn = pose.heading.turn_to(heading).to_hundredths();
    match turn {
        -4_500..=4_500 => Way::Ahead,
        4_501..=13_500 => Way::Right,
        -13_500..=-4_501 => Way::Left,
        _ => Way::Back,
    }
}
