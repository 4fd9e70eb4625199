//! Secure flanks and support (HZ-GEO-18 to HZ-GEO-21), and the whole of a unit's position.

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_table::{
    Convex, Face, FeatureId, Outline, Placed, Segment, Vec2, Zone, exact_distance, nearer, overlapping,
};

use super::{Field, contact, ground, shape, siege, zones};
use crate::clauses::{
    HZ_CHK_14, HZ_DEP_16, HZ_GEO_18, HZ_GEO_19, HZ_GEO_20, HZ_GEO_21, HZ_HED_12, HZ_HIL_14, HZ_RIV_12, HZ_STR_01,
    HZ_TER_05, HZ_TER_13, HZ_THR_33, HZ_THR_34, HZ_THR_35, HZ_WAL_10, HZ_ZON_07,
};
use crate::situations::Position;
use crate::terrain::Kind;
use crate::troops::{Arm, Formation};

/// How many of a unit's two flanks are protected (HZ-GEO-18).
#[must_use]
pub fn protected_flanks(field: &Field<'_>, id: UnitId) -> u8 {
    let battle = field.battle;
    let Some(placed) = field.get(id) else { return 0 };
    if matches!(battle.unit(id).formation, Formation::Square | Formation::Mob | Formation::Garrison) {
        return 0;
    }
    [Face::Left, Face::Right].into_iter().filter(|&flank| is_protected(field, id, placed, flank)).count() as u8
}

fn is_protected(field: &Field<'_>, id: UnitId, placed: &Placed, flank: Face) -> bool {
    let battle = field.battle;
    let strip = shape::flank_strip(placed, flank, battle.lay.length(battle.numbers().flank_strip));
    let touch = battle.lay.sizes.touch.f();
    let reach = battle.lay.length(battle.numbers().flank_strip).f() + touch;
    // Beside the flank: what touches the strip only before, behind or at a corner is not on it.
    decides!(HZ_GEO_18);
    let beside = shape::beside(placed, flank, battle.lay.length(battle.numbers().flank_strip), 2.0 * touch);
    let by_friend = field.friends_meeting(id, placed.bounds().grown(reach)).any(|(other, friend)| {
        !battle.unit(other).routing && field.is_near(placed, friend, reach) && nearer(&beside, friend, touch)
    });
    if by_friend {
        return true;
    }
    // Nor is ground that the unit stands in.
    let under = ground::Lies::under(battle, placed);
    let by_ground = battle.lay.terrain.iter().enumerate().any(|(n, terrain)| {
        if !terrain.kind.secures_flank() || under.is_in(n as u16) || siege::is_before(battle, placed, n as u16) {
            return false;
        }
        let Some(lie) = battle.lay.ground.get(FeatureId(n as u16)) else { return false };
        nearer(&beside, &lie, touch) && !ground::holds_unit(battle, n as u16, field.enemies(id).map(|(_, enemy)| enemy))
    });
    if by_ground {
        return true;
    }
    let deepest = battle.lay.length(battle.numbers().zones.artillery.heavy).f() + reach;
    field.friends_meeting(id, placed.bounds().grown(deepest)).any(|(other, friend)| {
        field.is_near(placed, friend, deepest)
            && zones::outlines(field, other).iter().any(|zone| overlapping(zone, &strip))
    })
}

/// What a position is judged for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    /// A threat test, a command check or a rally.
    Threat,
    /// An engagement.
    Engagement,
}

/// Whether a unit has support: for a threat test, or for an engagement, where unlimbered guns count as a line
/// (HZ-GEO-19, HZ-DEP-16).
#[must_use]
pub fn has_support(field: &Field<'_>, id: UnitId, test: Test) -> bool {
    decides!(HZ_DEP_16);
    let battle = field.battle;
    let Some(placed) = field.get(id) else { return false };
    let formation = battle.unit(id).formation;
    let artillery = battle.facts(id).arm == Arm::Artillery;
    let able = match formation {
        Formation::Line => !artillery || test == Test::Engagement,
        Formation::Column | Formation::Mass | Formation::Square => true,
        _ => false,
    };
    if !able {
        return false;
    }
    let deepest = battle.lay.length(battle.numbers().zones.cavalry.column).f() + battle.lay.sizes.touch.f();
    field.friends_meeting(id, placed.bounds().grown(deepest)).any(|(other, friend)| {
        battle.facts(other).arm != Arm::Artillery
            && field.is_near(placed, friend, deepest)
            && supports(field, other, friend, id, placed)
    })
}

fn supports(field: &Field<'_>, other: UnitId, friend: &Placed, id: UnitId, placed: &Placed) -> bool {
    decides!(HZ_GEO_21);
    let square = field.battle.unit(id).formation == Formation::Square;
    let covered: &[Face] = if square { &Face::ALL } else { &[Face::Rear] };
    zones::faces(field.battle, other).into_iter().any(|face| {
        let Some(zone) = zones::supporting_zone(field, other, face, id) else { return false };
        // From behind: a zone that comes at the side from within would have to pass through the unit, which cuts it (HZ-ZON-06).
        decides!(HZ_GEO_19, HZ_ZON_07);
        let behind = |side: Face| placed.outward(side).dot(friend.outward(face)) < -1e-9;
        covered.iter().any(|&side| behind(side) && covers(field, other, friend, face, &zone, placed.face(side)))
            || (!square && behind(Face::Rear) && is_masked(field, other, friend, face, &zone, placed))
    })
}

/// The whole of an edge lies in the zone (HZ-GEO-19).
fn covers(field: &Field<'_>, other: UnitId, friend: &Placed, face: Face, zone: &Zone, edge: Segment) -> bool {
    let touch = field.battle.lay.sizes.touch;
    let wide =
        Zone::from_face(shape::lengthened(friend.face(face), touch.f()), friend.outward(face), zone.depth() + touch);
    decides!(HZ_GEO_19);
    if !wide.holds(edge.a) || !wide.holds(edge.b) {
        return false;
    }
    decides!(HZ_ZON_07);
    let between = zones::between(field, other, face, &wide);
    between.is_empty() || wide.look(&Convex::segment(edge), between.iter()).all
}

/// Every line forward from the friend's face strikes the unit's rear within its zone (HZ-GEO-20).
fn is_masked(field: &Field<'_>, other: UnitId, friend: &Placed, face: Face, zone: &Zone, placed: &Placed) -> bool {
    decides!(HZ_GEO_20);
    let touch = field.battle.lay.sizes.touch.f();
    let (front, out) = (friend.face(face), friend.outward(face));
    let rear = placed.face(Face::Rear);
    let along = (front.b - front.a).unit();
    let at = |place: Vec2| Vec2::new((place - front.a).dot(along), (place - front.a).dot(out));
    let (a, b) = (at(rear.a), at(rear.b));
    let (low, high) = if a.x <= b.x { (a, b) } else { (b, a) };
    if low.x > touch || high.x < front.length() - touch {
        return false;
    }
    let span = (high.x - low.x).max(1e-9);
    let out_at = |x: f64| low.y + (high.y - low.y) * ((x - low.x) / span).clamp(0.0, 1.0);
    let struck = [0.0, front.length()].into_iter().all(|x| {
        let depth = out_at(x);
        depth >= -touch && depth <= zone.depth().f() + touch
    });
    // Enemies and ground on the way end the zone there before it comes to the unit (HZ-ZON-07).
    let reach = zone.with_depth(zone.depth() + field.battle.lay.sizes.touch);
    let between = zones::between(field, other, face, &reach);
    struck
        && (between.is_empty()
            || reach.look(&Convex::segment(rear), between.iter()).width.f() >= front.length() - 4.0 * touch)
}

/// Where a unit stands and what favours it against these enemies (HZ-THR-21, HZ-ENG-23, HZ-CHK-14).
#[must_use]
pub fn position(field: &Field<'_>, id: UnitId, against: &[UnitId], test: Test) -> Position {
    decides!(HZ_TER_05);
    decides!(HZ_CHK_14);
    let battle = field.battle;
    let Some(placed) = field.get(id) else { return Position::default() };
    let unit = battle.unit(id);
    let (ground_here, partly) = ground::stands_in(battle, placed, unit.sector.is_some());
    let mut position = Position {
        ground: ground_here,
        partly,
        protected_flanks: protected_flanks(field, id),
        support: has_support(field, id, test),
        ..Position::default()
    };
    if battle.lay.terrain.is_empty() {
        return position;
    }
    decides!(HZ_STR_01);
    position.fortified = unit
        .sector
        .is_some_and(|n| matches!(battle.lay.terrain[usize::from(n)].kind, Kind::Buildings { strong: true, .. }));
    // In an engagement the phasing side attacks, and defends no obstacle (HZ-ENG-02).
    let defends_here = !(test == Test::Engagement && battle.facts(id).side == battle.phasing);
    position.fortified |= defends_here && siege::defends(field, id, placed, against);
    if !against.is_empty() {
        decides!(HZ_THR_33, HZ_HIL_14);
        let level = ground::elevation(battle, placed);
        position.uphill =
            against.iter().all(|&enemy| field.get(enemy).is_some_and(|there| level > ground::elevation(battle, there)));
        position.stream = defends_here && defends(field, placed, against, Defended::Stream);
        position.obstacle = defends_here && defends(field, placed, against, Defended::Raised);
    }
    position
}

/// What a unit may defend from behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Defended {
    /// A stream that its front is near to.
    Stream,
    /// A hedge, wall or redoubt: right at its front, and before the whole of it.
    Raised,
}

/// Whether one obstacle that the unit is close behind and faces lies between it and each of these enemies (HZ-THR-34,
/// HZ-THR-35, HZ-TER-13).
fn defends(field: &Field<'_>, placed: &Placed, against: &[UnitId], what: Defended) -> bool {
    decides!(HZ_THR_34, HZ_THR_35, HZ_TER_13, HZ_RIV_12, HZ_HED_12, HZ_WAL_10);
    let battle = field.battle;
    let touch = battle.lay.sizes.touch.f();
    let front = Convex::segment(placed.face(Face::Front));
    let near = match what {
        Defended::Stream => battle.lay.length(battle.numbers().stream).f(),
        Defended::Raised => battle.lay.sizes.adjacent.f(),
    };
    battle.lay.ground.all().any(|lie| {
        let n = usize::from(lie.feature.id.0);
        let terrain = &battle.lay.terrain[n];
        let wanted = match what {
            Defended::Stream => matches!(terrain.kind, Kind::Water { .. }),
            Defended::Raised => terrain.kind.is_raised(),
        };
        if !wanted || !nearer(&front, &lie, near) {
            return false;
        }
        let within = battle.lay.length(battle.numbers().covered_within);
        let ahead = Zone::before(placed, Face::Front, within);
        if ahead.nearest(&lie).is_none() {
            return false;
        }
        if what == Defended::Raised
            && (!zones::faces_obstacle(battle, &lie, placed, Face::Front) || !spans_front(placed, &lie, within.f()))
        {
            return false;
        }
        if let Kind::Redoubt { front_left } = terrain.kind
            && !is_inside(terrain.line.as_slice(), placed.centre(), front_left)
        {
            return false;
        }
        against.iter().all(|&enemy| {
            let Some(there) = field.get(enemy) else { return false };
            if what == Defended::Stream && overlapping(there, &lie) {
                return true;
            }
            // From within the one to within the other: both may stand right at it.
            let at = there.face(Face::Front).middle();
            let from = at - there.forward() * touch;
            let to = nearest_to(placed, at);
            let to = to + (placed.centre() - to).unit() * touch;
            lie.patch.rim().iter().any(|edge| contact::crosses(from, to, edge.a, edge.b))
                || terrain.line.windows(2).any(|leg| contact::crosses(from, to, leg[0].v(), leg[1].v()))
        })
    })
}

/// Whether every line straight ahead from a front crosses an obstacle within so much (HZ-TER-13): both ends and the middle of each stand's
/// width are looked at.
fn spans_front(placed: &Placed, lie: &sabretache_table::Lie<'_>, within: f64) -> bool {
    let front = placed.face(Face::Front);
    let out = placed.forward() * within;
    (0..=12).all(|i| {
        let inset = 0.002 + 0.996 * f64::from(i) / 12.0;
        let from = front.a.toward(front.b, inset);
        let back = from - placed.forward() * 15_000.0;
        lie.patch.rim().iter().any(|edge| contact::crosses(back, from + out, edge.a, edge.b))
    })
}

/// Whether a place lies behind a redoubt.
fn is_inside(line: &[sabretache_table::Point], place: Vec2, front_left: bool) -> bool {
    let mut best: Option<(f64, f64)> = None;
    for leg in line.windows(2) {
        let segment = Segment::new(leg[0].v(), leg[1].v());
        let distance = segment.distance(place);
        let side = (segment.b - segment.a).cross(place - segment.a);
        if best.is_none_or(|(held, _)| distance < held) {
            best = Some((distance, side));
        }
    }
    best.is_some_and(|(_, side)| if front_left { side < 0.0 } else { side > 0.0 })
}

/// The place of a footprint that is nearest to another place.
fn nearest_to(placed: &Placed, from: Vec2) -> Vec2 {
    let (_, on) = sabretache_table::nearest_places(&Convex::place(from), placed);
    on
}

/// The enemies that a position is judged against where there is no test opponent: those in whose zones the unit lies, or the nearest
/// (HZ-CHK-14).
#[must_use]
pub fn opponents_at_rest(field: &Field<'_>, id: UnitId) -> zones::Units {
    let mut against = zones::zones_on(field, id);
    if against.is_empty() {
        against.extend(nearest(field, id));
    }
    against
}

/// The nearest enemy on the table, edge to edge.
#[must_use]
pub fn nearest(field: &Field<'_>, id: UnitId) -> Option<UnitId> {
    closest(field, id, Routing::LikeAnother)
}

/// The nearest enemy on the table; routing ones only where there is no other (HZ-CHK-23).
#[must_use]
pub fn nearest_enemy(field: &Field<'_>, id: UnitId) -> Option<UnitId> {
    closest(field, id, Routing::Last)
}

/// How routing enemies count among those that are near.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Routing {
    LikeAnother,
    Last,
}

fn closest(field: &Field<'_>, id: UnitId, routing: Routing) -> Option<UnitId> {
    let placed = field.get(id)?;
    let mut best: Option<(bool, f64, UnitId)> = None;
    for (enemy, there) in field.enemies(id) {
        let last = routing == Routing::Last && field.battle.unit(enemy).routing;
        // An enemy whose box is further off than the nearest so far is not measured.
        let apart = placed.bounds().distance2(&there.bounds());
        if best.is_some_and(|held| last >= held.0 && apart > held.1 * held.1 + 1.0) {
            continue;
        }
        let key = (last, exact_distance(placed, there), enemy);
        let closer = best.is_none_or(|held| (key.0, key.1, key.2) < (held.0, held.1, held.2));
        if closer {
            best = Some(key);
        }
    }
    best.map(|(_, _, enemy)| enemy)
}

/// Whether a unit's position is favourable where there is no test opponent (HZ-CHK-14).
#[must_use]
pub fn favourable_at_rest(field: &Field<'_>, id: UnitId) -> bool {
    let battle = field.battle;
    if battle.unit(id).routing {
        return false;
    }
    let against = opponents_at_rest(field, id);
    let position = position(field, id, &against, Test::Threat);
    let threats = zones::threats_on(field, id);
    position.favours_at_rest(battle.facts(id).arm, battle.unit(id).formation, zones::from_flank_or_rear(&threats))
}
