//! How far a wheel gets: enemies, friends, ground, table edges and threat zones on its way (HZ-MAN-01, HZ-MAN-06 to HZ-MAN-08).
//! Angles are whole hundredths of a degree, counted from where the unit stands.

use sabretache_engine::clause::Clause;
use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_table::{
    Angle, Bounds, Convex, Face, Outline, Passing, Placed, Pose, Segment, Vec2, exact_distance, first_turn_contact,
    nearer, wheel_crossings,
};
use smallvec::SmallVec;

use super::{Field, contact, ground, zones};
use crate::battle::Battle;
use crate::clauses::{HZ_MAN_01, HZ_MAN_07, HZ_MAN_08, HZ_TER_10};
use crate::terrain::{Crossing, Going};
use crate::troops::{Arm, Formation};

/// Which way a unit wheels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// To the right; to the left otherwise.
    pub right: bool,
    /// The far end of the front goes back instead of ahead.
    pub back: bool,
}

/// The ranges of angles, from the least to the most, in order; a friend in the way parts them.
pub type Stretches = SmallVec<[(i32, i32); 2]>;

/// What keeps a wheel from going on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bar {
    /// The unit's formation turns no further.
    Formation,
    /// An enemy.
    Enemy(UnitId),
    /// A piece of ground, by the clause that closes it.
    Ground(u16, Clause),
    /// The edge of the table.
    Edge,
    /// The end of the cover that its open order must stay in.
    Cover,
}

/// Whether threat zones stop a wheel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zones {
    /// They do.
    Stop,
    /// They do not: guns that manoeuvre with a change of formation (HZ-DEP-12).
    Ignored,
}

/// How far a wheel gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Swing {
    /// Where it may end.
    pub stretches: Stretches,
    /// The furthest that it could be turned, friends and zones apart, and why no further.
    pub bar: (i32, Bar),
    /// Where a zone is first touched, and where the wheel then ends.
    pub zone: Option<(i32, i32)>,
}

impl Swing {
    /// The furthest of the first stretch, before any friend is met.
    #[must_use]
    pub fn most(&self) -> i32 {
        self.stretches.first().filter(|first| first.0 == 0).map_or(0, |first| first.1)
    }

    /// Whether the wheel may be stated so far; standing still always may.
    #[must_use]
    pub fn allows(&self, angle: i32) -> bool {
        angle == 0 || self.stretches.iter().any(|&(least, most)| (least..=most).contains(&angle))
    }

    /// Where a wheel stated so far ends: one that touches a zone goes on to its place inside (HZ-MAN-07).
    #[must_use]
    pub fn end(&self, angle: i32) -> i32 {
        decides!(HZ_MAN_07);
        match self.zone {
            Some((at, end)) if angle >= at && angle > 0 => end,
            _ => angle,
        }
    }
}

/// The corner a wheel pivots on: forward on the side it turns to, backward on the other.
#[must_use]
pub fn pivot(placed: &Placed, turn: Turn) -> Vec2 {
    let front = placed.face(Face::Front);
    if turn.right != turn.back { front.b } else { front.a }
}

/// The pose of a unit that has wheeled so far.
#[must_use]
pub fn wheeled(placed: &Placed, turn: Turn, hundredths: i32) -> Pose {
    let angle = Angle::hundredths(if turn.right { hundredths } else { -hundredths });
    placed.pose().turned_about(pivot(placed, turn), angle)
}

/// The most a unit's formation can wheel (HZ-MAN-01).
#[must_use]
pub fn limit(battle: &Battle, unit: UnitId) -> u16 {
    decides!(HZ_MAN_01);
    let wheels = battle.numbers().wheels;
    if matches!(battle.unit(unit).formation, Formation::Column | Formation::Mass) {
        wheels.column
    } else {
        wheels.other
    }
}

/// How far a unit can wheel one way.
#[must_use]
pub fn swing(field: &Field<'_>, unit: UnitId, turn: Turn, degrees: u16, zones: Zones) -> Swing {
    let battle = field.battle;
    let Some(placed) = field.get(unit) else {
        return Swing { stretches: Stretches::new(), bar: (0, Bar::Formation), zone: None };
    };
    let pivot = pivot(placed, turn);
    let (mut free, mut bar) = (f64::from(degrees).to_radians(), Bar::Formation);
    let mut meets = |angle: f64, what: Bar| {
        if angle < free {
            (free, bar) = (angle, what);
        }
        free
    };
    let reach = placed.face(Face::Front).length() + placed.face(Face::Right).length();
    let (clear, touch) = (battle.lay.sizes.clear.f(), battle.lay.sizes.touch.f());
    let mut so_far = meets(f64::INFINITY, Bar::Formation);
    for (id, enemy) in field.enemies_meeting(unit, placed.bounds().grown(reach + clear)) {
        let turns_into = |room: f64, most: f64| {
            first_turn_contact(placed, pivot, turn.right, most, &Convex::with_room(enemy.whole(), room))
        };
        // Whom it would touch it keeps off; past one whom it does not touch it turns, however near he is (HZ-MAN-06).
        let touches = !nearer(placed, enemy, touch) && turns_into(touch, so_far).is_some();
        if let Some(angle) = touches.then(|| turns_into(clear, so_far)).flatten() {
            so_far = meets(angle, Bar::Enemy(id));
        }
    }
    for (angle, what) in ground_in_turn(battle, unit, placed, pivot, turn.right, so_far) {
        meets(angle, what);
    }
    let open = Angle::floored_radians(free).to_hundredths().max(0);
    let most = stays_under_cover(battle, unit, placed, turn, open);
    if most < open {
        bar = Bar::Cover;
    }
    decides!(HZ_MAN_07);
    let zone = match zones {
        Zones::Stop => zone_in_turn(field, unit, placed, turn, most),
        Zones::Ignored => None,
    };
    let zone = zone.map(|(at, end)| (at, end.min(most)));
    decides!(HZ_MAN_08);
    let shut = shut(field, unit, placed, turn, most, reach);
    Swing { stretches: stretches(&shut, most, zone), bar: (most, bar), zone }
}

/// How far open order without the Skirmish ability wheels before any part of it is in the open (HZ-DEP-17).
fn stays_under_cover(battle: &Battle, unit: UnitId, placed: &Placed, turn: Turn, most: i32) -> i32 {
    let facts = battle.facts(unit);
    let confined =
        facts.arm == Arm::Infantry && battle.unit(unit).formation == Formation::OpenOrder && !facts.abilities.skirmish;
    if !confined {
        return most;
    }
    let is_open =
        |angle: i32| ground::touches_open_ground(battle, &battle.placed_at(unit, wheeled(placed, turn, angle)));
    let mut at = 0;
    while at < most {
        let next = (at + 100).min(most);
        if is_open(next) {
            let (mut covered, mut open) = (at, next);
            while open - covered > 1 {
                let middle = covered.midpoint(open);
                if is_open(middle) { open = middle } else { covered = middle }
            }
            return covered;
        }
        at = next;
    }
    most
}

/// The angles at which the unit would lie on a friend: open ranges.
fn shut(
    field: &Field<'_>,
    unit: UnitId,
    placed: &Placed,
    turn: Turn,
    most: i32,
    reach: f64,
) -> SmallVec<[(i32, i32); 2]> {
    let mut shut: SmallVec<[(i32, i32); 2]> = SmallVec::new();
    let limit = Angle::hundredths(if turn.right { most } else { -most });
    let mut found = Vec::new();
    for (id, friend) in field.friends_meeting(unit, placed.bounds().grown(reach)) {
        wheel_crossings(placed, pivot(placed, turn), limit, [(id, friend)], &mut found);
        let mut entered = None;
        for crossing in &found {
            let at = crossing.at.abs().to_hundredths();
            match crossing.passing {
                Passing::Starts => entered = Some(-1),
                Passing::Enters => entered = Some(at),
                Passing::Leaves => shut.extend(entered.take().map(|from| (from, at + 1))),
            }
        }
        shut.extend(entered.map(|from| (from, most + 1)));
    }
    shut.sort_unstable();
    shut
}

/// Where a wheel may end without lying on a friend.
fn stretches(shut: &[(i32, i32)], most: i32, zone: Option<(i32, i32)>) -> Stretches {
    let is_shut = |angle: i32| shut.iter().any(|&(from, to)| angle > from && angle < to);
    let (reach, end) = match zone {
        Some((at, end)) if !is_shut(end) => (at, Some(end)),
        Some((at, _)) => (at - 1, None),
        None => (most, None),
    };
    let mut out = Stretches::new();
    let mut from = 0;
    for &(shut_from, shut_to) in shut {
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
    out
}

/// Friends that a wheel sweeps against on its way, or ends touching (HZ-MAN-08). Contact that was there at the start and is left behind does
/// not count.
#[must_use]
pub fn friends_swept(field: &Field<'_>, unit: UnitId, start: &Placed, turn: Turn, done: i32) -> SmallVec<[UnitId; 4]> {
    let battle = field.battle;
    let touch = battle.lay.sizes.touch.f();
    let pivot = pivot(start, turn);
    let end = battle.placed_at(unit, wheeled(start, turn, done));
    let most = Angle::hundredths(done).to_radians();
    field
        .friends(unit)
        .filter(|(_, friend)| {
            let beside = || {
                let touched = contact::with_touch(friend, touch);
                !nearer(start, *friend, touch) && first_turn_contact(start, pivot, turn.right, most, &touched).is_some()
            };
            nearer(&end, *friend, touch)
                || first_turn_contact(start, pivot, turn.right, most, *friend).is_some()
                || beside()
        })
        .map(|(id, _)| id)
        .collect()
}

/// Where a wheel first touches an enemy zone it was not in, and where it ends then (HZ-MAN-07).
fn zone_in_turn(field: &Field<'_>, unit: UnitId, placed: &Placed, turn: Turn, most: i32) -> Option<(i32, i32)> {
    let battle = field.battle;
    let pivot = pivot(placed, turn);
    let mut first: Option<(i32, zones::Met)> = None;
    let mut shapes: SmallVec<[zones::Met; 4]> = SmallVec::new();
    let limit = Angle::hundredths(most).to_radians();
    let reach = placed.face(Face::Front).length() + placed.face(Face::Right).length() + zones::deepest(battle).f();
    for (enemy, _) in field.enemies_meeting(unit, placed.bounds().grown(reach)) {
        if !zones::has_zone(battle, enemy) || zones::threatens(field, enemy, unit) {
            continue;
        }
        shapes.clear();
        zones::stopping(field, enemy, unit, &mut shapes);
        for shape in shapes.drain(..) {
            let Some(angle) = first_turn_contact(placed, pivot, turn.right, limit, &shape.touched) else { continue };
            let at = Angle::floored_radians(angle).to_hundredths();
            // In dead ground of a battery it turns as it likes (HZ-ZON-17).
            let guns = field.get(enemy).filter(|_| battle.facts(enemy).arm == Arm::Artillery);
            let is_dead = |hundredths: i32| {
                let there = battle.placed_at(unit, wheeled(placed, turn, hundredths));
                guns.is_some_and(|guns| zones::in_dead_ground(battle, guns, &there))
            };
            if is_dead(at) && is_dead(most) {
                continue;
            }
            if first.as_ref().is_none_or(|(held, _)| at < *held) {
                first = Some((at, shape));
            }
        }
    }
    let (at, zones::Met { zone, .. }) = first?;
    // On until the front edge of the stand that crossed first is inside, or as far as it goes.
    let width = battle.facts(unit).stand_width.f();
    let front = |hundredths: i32| battle.placed_at(unit, wheeled(placed, turn, hundredths)).face(Face::Front);
    let edge = front(at);
    let stands = libm::round(edge.length() / width.max(1.0)).max(1.0) as usize;
    let share = |n: usize| (n as f64 / stands as f64, (n + 1) as f64 / stands as f64);
    let part = |edge: Segment, n: usize| {
        let (from, to) = share(n);
        Segment::new(edge.a.toward(edge.b, from), edge.a.toward(edge.b, to))
    };
    let nearest = (0..stands).min_by(|&a, &b| {
        let far = |n: usize| exact_distance(&Convex::segment(part(edge, n)), &zone);
        far(a).total_cmp(&far(b))
    })?;
    let is_inside = |hundredths: i32| {
        let stand = part(front(hundredths), nearest);
        let inside = |place: Vec2| zone.parts().any(|part| part.holds(place, 2.0));
        inside(stand.a) && inside(stand.b)
    };
    let step = 50;
    let mut before = at;
    let mut after = at;
    while !is_inside(after) {
        before = after;
        after += step;
        if before >= most {
            return Some((at, most));
        }
    }
    // To the hundredth of a degree.
    while after - before > 1 {
        let middle = before.midpoint(after);
        if is_inside(middle) { after = middle } else { before = middle }
    }
    Some((at, after.min(most)))
}

/// The angles, in radians, at which a turning unit meets ground it cannot enter, an obstacle or an edge of the table, each with what it is.
fn ground_in_turn(
    battle: &Battle,
    id: UnitId,
    placed: &Placed,
    pivot: Vec2,
    clockwise: bool,
    most: f64,
) -> SmallVec<[(f64, Bar); 4]> {
    let mut found = SmallVec::new();
    let reach = placed.face(Face::Front).length() + placed.face(Face::Right).length() + 10.0;
    let swept = Bounds::of(&[pivot]).grown(reach);
    let (table, everything) = (&battle.lay.table, Vec2::default());
    let inside = Bounds { min: everything, max: Vec2::new(table.width.f(), table.depth.f()) };
    if !(inside.holds(swept.min) && inside.holds(swept.max)) {
        for edge in beyond_edges(battle) {
            found.extend(first_turn_contact(placed, pivot, clockwise, most, &edge).map(|angle| (angle, Bar::Edge)));
        }
    }
    if battle.lay.terrain.is_empty() {
        return found;
    }
    let troop = battle.troop(id);
    for lie in battle.lay.ground.near(&swept) {
        let n = lie.feature.id.0;
        let kind = battle.lay.terrain[usize::from(n)].kind;
        let closed = match (kind.going(&troop), kind.crossing(&troop)) {
            (Going::Barred(clause), _) | (_, Some(Crossing::Barred(clause))) => Some(clause),
            (_, Some(_)) => Some(HZ_TER_10),
            (_, None) => None,
        };
        if let Some(clause) = closed {
            let met = first_turn_contact(placed, pivot, clockwise, most, &lie);
            found.extend(met.map(|angle| (angle, Bar::Ground(n, clause))));
        }
    }
    found
}

/// The ground beyond the edges of the table, as things to run into.
fn beyond_edges(battle: &Battle) -> [Convex; 4] {
    let (w, d) = (battle.lay.table.width.f(), battle.lay.table.depth.f());
    let far = 2_000_000.0;
    let area = |x0: f64, y0: f64, x1: f64, y1: f64| {
        Convex::hull(&[Vec2::new(x0, y0), Vec2::new(x1, y0), Vec2::new(x1, y1), Vec2::new(x0, y1)])
    };
    [
        area(-far, d, w + far, d + far),
        area(w, -far, w + far, d + far),
        area(-far, -far, w + far, 0.0),
        area(-far, -far, 0.0, d + far),
    ]
}
