//! Contact between units (HZ-GEO-02 to HZ-GEO-05, HZ-ENG-01).

use sabretache_engine::clause::Clause;
use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_table::{
    Bounds, Convex, Face, Length, Lie, Outline, Placed, Point, Segment, Vec2, exact_distance, first_contact, nearer,
    overlapping,
};
use smallvec::SmallVec;

use super::by_place::Contact;
use super::zones::Units;
use super::{Field, shape};
use crate::battle::Battle;
use crate::clauses::{
    HZ_BLD_16, HZ_DIT_07, HZ_ENG_01, HZ_FTW_11, HZ_GEO_02, HZ_GEO_03, HZ_HED_13, HZ_TER_15, HZ_WAL_12, HZ_WAL_13,
};
use crate::terrain::{Kind, Sunk, Terrain, Troop};
use crate::troops::{Arm, Formation};

/// The faces a unit engages with, and the ways they look: a square has four.
#[must_use]
pub fn fronts(battle: &Battle, id: UnitId, placed: &Placed) -> SmallVec<[(Segment, Vec2); 4]> {
    let faces: &[Face] = match battle.unit(id).formation {
        Formation::Square => &Face::ALL,
        Formation::Garrison => &[],
        _ => &[Face::Front],
    };
    faces.iter().map(|&face| (placed.face(face), placed.outward(face))).collect()
}

/// The distance between two edges.
#[must_use]
pub fn gap(a: Segment, b: Segment) -> f64 {
    exact_distance(&Convex::segment(a), &Convex::segment(b))
}

/// The length of one edge that lies along another, within a tolerance: 0 where they only cross or meet in a corner.
#[must_use]
pub fn shared(a: Segment, b: Segment, tolerance: f64) -> f64 {
    let way = (b.b - b.a).unit();
    let across = way.right();
    let (p, q) = (a.a - b.a, a.b - b.a);
    // Both ends within the tolerance of the other's line, or the part of it that is.
    let (d0, d1) = (p.dot(across), q.dot(across));
    let (x0, x1) = (p.dot(way), q.dot(way));
    let (mut t0, mut t1) = (0.0f64, 1.0f64);
    for (from, to, limit) in [(d0, d1, tolerance), (-d0, -d1, tolerance), (x0, x1, b.length()), (-x0, -x1, 0.0)] {
        let slope = to - from;
        if slope.abs() <= 1e-12 {
            if from > limit + 1e-9 {
                return 0.0;
            }
        } else {
            let t = (limit - from) / slope;
            if slope > 0.0 { t1 = t1.min(t) } else { t0 = t0.max(t) }
        }
    }
    ((t1 - t0) * a.length()).max(0.0)
}

/// Whether a unit's front touches something: a front corner too, unless the unit lies along it with a flank or its rear and only the end of
/// its front touches thereby (HZ-GEO-03, HZ-BLD-11).
#[must_use]
pub fn front_meets(battle: &Battle, id: UnitId, placed: &Placed, other: &Placed, near: f64) -> bool {
    decides!(HZ_GEO_03);
    let fronts = fronts(battle, id, placed);
    let along = |edge: Segment| Face::ALL.iter().any(|&face| shared(edge, other.face(face), near) > near);
    let touches = |front: Segment| nearer(&Convex::segment(front), other, near);
    let beside = || [Face::Left, Face::Right, Face::Rear].iter().any(|&face| along(placed.face(face)));
    decides!(HZ_BLD_16);
    fronts.iter().any(|&(front, _)| touches(front) && (along(front) || !beside()))
}

/// Whether two units touch, and not through an obstacle (HZ-GEO-02, HZ-TER-15).
#[must_use]
pub fn touch(field: &Field<'_>, a: UnitId, b: UnitId) -> bool {
    let (Some(one), Some(other)) = (field.get(a), field.get(b)) else { return false };
    let near = field.battle.lay.sizes.touch.f();
    decides!(HZ_GEO_02, HZ_TER_15, HZ_FTW_11);
    field.is_near(one, other, near) && nearer(one, other, near) && !obstacle_between(field.battle, one, other)
}

/// A unit with the touch round it: who comes to this touches it (HZ-GEO-02).
#[must_use]
pub fn with_touch(there: &Placed, touch: f64) -> Convex {
    Convex::with_room(there.whole(), touch)
}

/// Whether a straight move brings a unit to touch another, be it only in passing, whom it did not touch when it began (HZ-GEO-02).
#[must_use]
pub fn brushes(placed: &Placed, by: Vec2, there: &Placed, touch: f64) -> bool {
    passes(placed, by, there, touch) && !nearer(placed, there, touch)
}

/// Whether a straight move takes a unit to within a touch of another, wherever it began.
#[must_use]
pub fn passes(placed: &Placed, by: Vec2, there: &Placed, touch: f64) -> bool {
    // Most are nowhere near.
    placed.bounds().swept(by).grown(touch).meets(&there.bounds()) && nearer(&shape::drawn_out(placed, by), there, touch)
}

/// How far a unit goes straight before it would touch another, running into him or brushing past him with a flank; nothing where it never
/// does, or leaves him whom it touches already.
#[must_use]
pub fn first_touch(placed: &Placed, along: Vec2, most: f64, there: &Placed, touch: f64) -> Option<f64> {
    first_contact(placed, along, most, there).or_else(|| {
        let past = brushes(placed, along * most, there, touch);
        past.then(|| first_contact(placed, along, most, &with_touch(there, touch))).flatten()
    })
}

/// Whether two enemies are engaged: the front of one touches the other, with no obstacle between them, or one has engaged
/// the other across an obstacle (HZ-ENG-01, HZ-TER-15).
#[must_use]
pub fn engaged(field: &Field<'_>, a: UnitId, b: UnitId) -> bool {
    decides!(HZ_ENG_01);
    let battle = field.battle;
    if battle.unit(a).across == Some(b) || battle.unit(b).across == Some(a) {
        return field.get(a).is_some() && field.get(b).is_some();
    }
    // What touches through an obstacle does not touch.
    if !touch(field, a, b) {
        return false;
    }
    let (Some(one), Some(other)) = (field.get(a), field.get(b)) else { return false };
    let near = battle.lay.sizes.touch.f();
    front_meets(battle, a, one, other, near) || front_meets(battle, b, other, one, near)
}

/// The obstacles that lie between two units (HZ-TER-15).
fn between<'a>(battle: &'a Battle, a: &'a Placed, b: &'a Placed) -> impl Iterator<Item = Lie<'a>> + 'a {
    let bounds = Bounds::of(&[a.centre(), b.centre()]);
    let near = (!battle.lay.terrain.is_empty()).then(|| battle.lay.ground.near(&bounds));
    near.into_iter().flatten().filter(move |lie| {
        battle.lay.terrain[usize::from(lie.feature.id.0)].kind.is_obstacle() && is_between(lie, a, b)
    })
}

/// Whether an obstacle, wall or water lies between two units (HZ-TER-15).
fn obstacle_between(battle: &Battle, a: &Placed, b: &Placed) -> bool {
    between(battle, a, b).next().is_some()
}

/// Whether a piece of ground parts two units: it lies on the line between their middles, and neither stands on it or astride it.
#[must_use]
pub fn is_between(lie: &Lie<'_>, a: &Placed, b: &Placed) -> bool {
    let (from, to) = (a.centre(), b.centre());
    let astride = |placed: &Placed| overlapping(&shape::shrink(placed, Length::mm(1)), lie);
    lie.patch.rim().iter().any(|edge| crosses(from, to, edge.a, edge.b)) && !astride(a) && !astride(b)
}

/// Why cavalry cannot start an engagement across an obstacle from a place, if it cannot (HZ-HED-13, HZ-WAL-12, HZ-WAL-13,
/// HZ-DIT-07).
#[must_use]
pub fn horse_barred(terrain: &Terrain, from: Vec2) -> Option<Clause> {
    match terrain.kind {
        Kind::Hedge { cavalry: false, .. } => Some(HZ_HED_13),
        Kind::Wall { cavalry: false, .. } => Some(HZ_WAL_12),
        Kind::Redoubt { front_left } => {
            let leg = terrain.line.windows(2).min_by(|a, b| {
                let far = |leg: &[Point]| Segment::new(leg[0].v(), leg[1].v()).distance(from);
                far(a).total_cmp(&far(b))
            });
            let in_front =
                leg.is_some_and(|leg| ((leg[1].v() - leg[0].v()).cross(from - leg[0].v()) > 0.0) == front_left);
            (!in_front).then_some(HZ_WAL_13)
        }
        Kind::Sunken { sort: Sunk::Road | Sunk::Trench, cavalry: false, .. } => Some(HZ_DIT_07),
        _ => None,
    }
}

/// How an obstacle keeps a unit from coming into contact with an enemy by moving.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Apart {
    /// By which rule.
    pub clause: Clause,
    /// The mover is at the obstacle, and would cross it now.
    pub crossing: bool,
    /// The enemy is right behind it: there is no room between.
    pub no_room: bool,
}

/// Whether obstacles keep a unit from coming into contact with an enemy by moving: an enemy right behind one is engaged across it, and
/// cavalry does not charge over most of them (HZ-TER-15, HZ-HED-13).
#[must_use]
pub fn kept_apart(battle: &Battle, troop: &Troop, placed: &Placed, there: &Placed) -> Option<Apart> {
    let sizes = &battle.lay.sizes;
    between(battle, placed, there).find_map(|lie| {
        let terrain = &battle.lay.terrain[usize::from(lie.feature.id.0)];
        let raised = terrain.kind.is_raised() || matches!(terrain.kind, Kind::Rampart { .. });
        let no_room = raised && nearer(there, &lie, sizes.adjacent.f());
        let horse = horse_barred(terrain, placed.centre()).filter(|_| troop.arm == Arm::Cavalry);
        let clause = horse.or_else(|| no_room.then_some(HZ_TER_15))?;
        Some(Apart { clause, crossing: nearer(placed, &lie, sizes.touch.f()), no_room })
    })
}

/// Whether two stretches cross.
#[must_use]
pub fn crosses(a: Vec2, b: Vec2, c: Vec2, d: Vec2) -> bool {
    let (r, s) = (b - a, d - c);
    let cross = r.cross(s);
    if cross.abs() < 1e-9 {
        return false;
    }
    let (t, u) = ((c - a).cross(s) / cross, (c - a).cross(r) / cross);
    (0.0..=1.0).contains(&t) && (0.0..=1.0).contains(&u)
}

/// Whether a unit is engaged with any enemy.
#[must_use]
pub fn is_engaged(field: &Field<'_>, id: UnitId) -> bool {
    let battle = field.battle;
    let find = || engaged_with(field, id).next().is_some();
    // Across an obstacle they are engaged until one of them says otherwise, wherever they are.
    let across = battle.unit(id).across.is_some() || battle.laid.may_be_across(battle, id);
    if across || !field.is_as_it_stands() {
        return find();
    }
    battle.laid.contact(battle, id, Contact::Engaged, find)
}

/// The enemies that a unit is engaged with, in order.
pub fn engaged_with(field: &Field<'_>, id: UnitId) -> impl Iterator<Item = UnitId> {
    let battle = field.battle;
    // Across an obstacle they do not touch.
    let across = battle.unit(id).across.is_some() || battle.laid.may_be_across(battle, id);
    let wide = if across { field.enemies(id).map(|(enemy, _)| enemy).collect() } else { about(field, id) };
    wide.into_iter().filter(move |&enemy| engaged(field, id, enemy))
}

/// Whether a unit touches any enemy (HZ-GEO-02).
#[must_use]
pub fn touches_enemy(field: &Field<'_>, id: UnitId) -> bool {
    let find = || about(field, id).into_iter().any(|enemy| touch(field, id, enemy));
    if !field.is_as_it_stands() {
        return find();
    }
    field.battle.laid.contact(field.battle, id, Contact::Touches, find)
}

/// The enemies that a unit may touch; it touches no other.
fn about(field: &Field<'_>, id: UnitId) -> Units {
    let Some(placed) = field.get(id) else { return Units::new() };
    let near = placed.bounds().grown(field.battle.lay.sizes.touch.f());
    field.enemies_meeting(id, near).map(|(enemy, _)| enemy).collect()
}

/// The length of the contact between two engaged units; 0 for a corner.
#[must_use]
pub fn length(field: &Field<'_>, a: UnitId, b: UnitId) -> f64 {
    let (Some(one), Some(other)) = (field.get(a), field.get(b)) else { return 0.0 };
    let near = field.battle.lay.sizes.touch.f();
    let mut best = 0.0f64;
    for face in Face::ALL {
        for facing in Face::ALL {
            best = best.max(shared(one.face(face), other.face(facing), near));
        }
    }
    best
}

/// The way out for a unit that an enemy touches: away from the face whose edge is nearest, and of equals the one that he touches
/// along more of its length. A corner belongs to two faces: at a front corner the front counts, at a rear corner both (HZ-ENG-37).
#[must_use]
pub fn away_from(placed: &Placed, enemy: &Placed, tolerance: f64) -> Vec2 {
    let touched = Face::ALL.map(|face| {
        let edge = placed.face(face);
        let along = Face::ALL.iter().map(|&other| shared(edge, enemy.face(other), tolerance)).fold(0.0, f64::max);
        (face, exact_distance(&Convex::segment(edge), enemy), along)
    });
    let nearest = touched.iter().map(|one| one.1).fold(f64::INFINITY, f64::min);
    let near = || touched.iter().filter(move |one| one.1 <= nearest + tolerance);
    let longest = near().map(|one| one.2).fold(0.0, f64::max);
    let sides = || near().filter(move |one| one.2 >= longest - tolerance).map(|one| one.0);
    if sides().any(|face| face == Face::Front) {
        return Vec2::default() - placed.outward(Face::Front);
    }
    sides().fold(Vec2::default(), |sum, face| sum - placed.outward(face)).unit()
}
