//! Where and how units come on to the table (HZ-REI-06 to HZ-REI-08).

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::{Halt, Input, Refusal};
use sabretache_table::{Convex, Heading, Length, Outline, Point, Pose, Vec2, meetings};
use smallvec::SmallVec;

use crate::battle::Battle;
use crate::clauses::{HZ_REI_03, HZ_REI_06, HZ_REI_07};
use crate::event::Event;
use crate::phases::reinforce::{Entry, may_enter};
use crate::phases::{Play, act, orders};
use crate::state::Acting;
use crate::table::Field;
use crate::terrain::Kind;
use crate::troops::{Formation, Order};

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
    decides!(HZ_REI_06, HZ_REI_07);
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

/// The left end, looking in, of the edge by which a unit comes on.
#[must_use]
pub fn end_of_edge(battle: &Battle, unit: UnitId) -> Option<Point> {
    let entry = may_enter(battle, unit).ok()?;
    Some(Point::rounded(Rim::of(battle, &entry).left))
}

/// A unit comes on: its front on the edge; then it advances like any other.
pub(crate) fn enter(play: &mut Play<'_>, unit: UnitId, front: u8, at: Length) -> Result<(), Halt> {
    let Some(acting) = play.battle().doing.acting else {
        return Err(Refusal::new(HZ_REI_03, "No order is in hand").into());
    };
    let ordered = orders::units_ordered(play.battle(), acting.officer, acting.to).contains(&unit);
    decides!(HZ_REI_03);
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
