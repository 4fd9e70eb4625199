//! Bombardment: the other side's guns interrupt the orders phase (HZ-BOM-01 to HZ-BOM-26).

use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::{Halt, Input, Refusal};
use sabretache_table::{
    Angle, Convex, Face, Length, Placed, Pose, Segment, Vec2, Zone, exact_distance, first_turn_contact, meetings,
    wheeled_pose,
};
use smallvec::SmallVec;

use super::{Play, act, hedges, siege, threat, turn};
use crate::battle::Battle;
use crate::clauses::{HZ_BOM_03, HZ_BOM_05, HZ_BOM_24, HZ_MAN_06};
use crate::event::Event;
use crate::offer::Offer;
use crate::state::{Act, Bearing, Moving, Stage};
use crate::table::{Field, bearing, contact, ground, shape, sight, track, zones};
use crate::terrain::Kind;
use crate::troops::{Pieces, RangeBand};

/// A legitimate target: how far off, and at what range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// Who.
    pub unit: UnitId,
    /// The perpendicular distance from the battery's front (HZ-BOM-12).
    pub distance: f64,
    /// The range.
    pub range: RangeBand,
}

/// Whether a unit is a battery that can bombard now (HZ-BOM-03).
#[must_use]
pub fn is_able(battle: &Battle, id: UnitId) -> bool {
    let unit = battle.unit(id);
    battle.is_unlimbered(id)
        && battle.is_present(id)
        && battle.facts(id).side != battle.phasing
        && unit.bombardments > 0
        && !unit.routing
}

/// The batteries that can bombard, those in contact with the enemy apart.
fn batteries<'a>(field: &'a Field<'_>) -> impl Iterator<Item = UnitId> + 'a {
    let battle = field.battle;
    battle
        .unit_ids()
        .filter(move |&id| is_able(battle, id) && !field.enemies(id).any(|(enemy, _)| contact::touch(field, id, enemy)))
}

/// The range of a distance from a battery's front.
fn range(battle: &Battle, battery: UnitId, distance: f64) -> Option<RangeBand> {
    let ends = battle.numbers().ranges.of(battle.facts(battery).guns);
    let within = |end| distance <= battle.lay.length(end).f() + 1.0;
    if within(ends.short) {
        Some(RangeBand::Short)
    } else if within(ends.long) {
        Some(RangeBand::Long)
    } else {
        within(ends.extreme).then_some(RangeBand::Extreme)
    }
}

/// The lane of a battery out to extreme range (HZ-GEO-06: touching a flank line counts).
fn lane(battle: &Battle, battery: UnitId, placed: &Placed) -> Zone {
    let extreme = battle.lay.length(battle.numbers().ranges.of(battle.facts(battery).guns).extreme);
    let edge = shape::lengthened(placed.face(Face::Front), battle.lay.sizes.touch.f());
    Zone::from_face(edge, placed.forward(), extreme)
}

/// Whether a unit is a legitimate target for a battery where both lie in the field (HZ-BOM-04 to HZ-BOM-11).
#[must_use]
pub fn target(field: &Field<'_>, battery: UnitId, unit: UnitId) -> Option<Target> {
    target_but(field, battery, unit, &|_| false)
}

/// The same, some ground seen through (HZ-HED-08).
pub(crate) fn target_but(
    field: &Field<'_>,
    battery: UnitId,
    unit: UnitId,
    seen_through: &dyn Fn(u16) -> bool,
) -> Option<Target> {
    let battle = field.battle;
    let placed = field.get(battery)?;
    let there = field.get(unit)?;
    let distance = lane(battle, battery, placed).nearest(there)?;
    let band = range(battle, battery, distance)?;
    let order = battle.unit(unit).acted;
    let again = battle.bombarded.iter().any(|one| one.battery == battery && one.target == unit && one.order == order);
    if again || contact::is_engaged(field, unit) || zones::in_dead_ground(battle, placed, there) {
        return None;
    }
    let found = Target { unit, distance, range: band };
    (in_sight(field, battery, placed, &found, there, seen_through)).then_some(found)
}

/// Line of sight, with what hills, howitzers and hedges allow (HZ-BOM-06, HZ-BOM-10, HZ-BOM-11, HZ-WOO-12, HZ-BLD-07, HZ-DIF-05).
fn in_sight(
    field: &Field<'_>,
    battery: UnitId,
    placed: &Placed,
    found: &Target,
    there: &Placed,
    seen_through: &dyn Fn(u16) -> bool,
) -> bool {
    let battle = field.battle;
    let face = placed.face(Face::Front);
    let level = ground::elevation(battle, placed);
    let far = found.range != RangeBand::Short;
    let over = |friend: UnitId| {
        if !far || level == 0 || battle.facts(friend).side != battle.facts(battery).side {
            return false;
        }
        let Some(between) = field.get(friend) else { return false };
        if ground::elevation(battle, between) >= level {
            return false;
        }
        let off = (between.centre() - placed.pose().at.v()).dot(placed.forward());
        let nearest = shape::corners(between)
            .iter()
            .map(|&corner| (corner - placed.pose().at.v()).dot(placed.forward()))
            .fold(off, f64::min);
        let friend_range = range(battle, battery, nearest.max(0.0));
        let gap = battle.lay.length(battle.numbers().over_friends).f() - 1.0;
        let close_friend = friend_range == Some(RangeBand::Short) && exact_distance(between, there) >= gap;
        let high_target = friend_range != Some(found.range) && ground::elevation(battle, there) >= level;
        close_friend || high_target
    };
    if !sight::units_clear_but(field, battery, face, found.unit, over) {
        return false;
    }
    if battle.lay.terrain.is_empty() {
        return true;
    }
    let inside = hidden_inside(field, found.unit, there);
    if inside && !lobs_in(field, battery, level, found, there) {
        return false;
    }
    if sight::beyond_cliff(battle, placed, there, far) || zones::beyond_ridge(battle, placed, there) {
        return false;
    }
    sight::ground_clear_but(field, battery, placed, Face::Front, found.unit, seen_through)
}

/// Whether a unit is deep in a wood, or in buildings without being deployed there: no target for guns (HZ-WOO-07, HZ-BLD-06).
fn hidden_inside(field: &Field<'_>, unit: UnitId, there: &Placed) -> bool {
    let battle = field.battle;
    if battle.unit(unit).sector.is_some() {
        return false;
    }
    let lies = ground::Lies::under(battle, there);
    lies.in_any().iter().any(|&n| match battle.lay.terrain[usize::from(n)].kind {
        Kind::Wood { .. } => lies.wholly_in(n) && !ground::adjacent(battle, there, n),
        Kind::Buildings { .. } => lies.wholly_in(n),
        _ => false,
    })
}

/// Howitzers and rockets on higher ground reach into light woods and buildings beyond short range (HZ-WOO-12, HZ-BLD-07).
fn lobs_in(field: &Field<'_>, battery: UnitId, level: i8, found: &Target, there: &Placed) -> bool {
    let battle = field.battle;
    let facts = battle.facts(battery);
    if facts.pieces == Pieces::Cannon || found.range == RangeBand::Short {
        return false;
    }
    let lies = ground::Lies::under(battle, there);
    let reachable = lies.in_any().iter().all(|&n| {
        let terrain = &battle.lay.terrain[usize::from(n)];
        match terrain.kind {
            Kind::Wood { heavy } => !heavy && level > terrain.level,
            Kind::Buildings { .. } => level > terrain.level,
            _ => true,
        }
    });
    let near = battle.lay.length(battle.numbers().howitzers_into_woods).f();
    reachable && field.of_side(facts.side).all(|(_, friend)| exact_distance(friend, there) > near)
}

/// The nearest legitimate targets straight ahead of a battery: one, or several equally near (HZ-BOM-05).
#[must_use]
pub fn targets(field: &Field<'_>, battery: UnitId) -> SmallVec<[Target; 2]> {
    let battle = field.battle;
    let mut best: SmallVec<[Target; 2]> = SmallVec::new();
    let Some(placed) = field.get(battery) else { return best };
    let lane = lane(battle, battery, placed);
    let mut ahead: SmallVec<[(f64, UnitId); 8]> =
        field.enemies(battery).filter_map(|(id, there)| lane.nearest(there).map(|distance| (distance, id))).collect();
    ahead.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let touch = battle.lay.sizes.touch.f();
    for (distance, id) in ahead {
        if best.first().is_some_and(|held| distance > held.distance + touch) {
            break;
        }
        best.extend(target(field, battery, id));
    }
    best
}

/// Whether some battery has something to fire at, straight ahead or by sighting its guns.
#[must_use]
pub fn any_target(battle: &Battle) -> bool {
    if siege::any_mine(battle) {
        return true;
    }
    if !battle.unit_ids().any(|id| is_able(battle, id)) {
        return false;
    }
    let field = Field::of(battle);
    batteries(&field).any(|battery| {
        !targets(&field, battery).is_empty()
            || !hedges::targets(&field, battery).is_empty()
            || has_sight(&field, battery)
    })
}

/// Whether a battery can bombard now.
pub(crate) fn may_fire(field: &Field<'_>, battery: UnitId) -> bool {
    batteries(field).any(|id| id == battery)
}

/// All bombardments open to the other side now.
pub(crate) fn offers(battle: &Battle, out: &mut Vec<Offer>) {
    out.push(Offer::Pass);
    siege::mine_offers(battle, out);
    let field = Field::of(battle);
    for battery in batteries(&field) {
        for found in targets(&field, battery) {
            out.push(Offer::Bombard { battery, target: found.unit });
        }
        hedges::offers(&field, battery, out);
        for (target, right, _) in sightings(&field, battery) {
            out.push(Offer::Sight { battery, target, right });
        }
    }
}

// ------------------------------------------------------------------ sighting the guns

/// The whole degrees through which a battery can wheel to have a target as its nearest legitimate one: the first run of them
/// (HZ-BOM-23 to HZ-BOM-25).
#[must_use]
pub fn sighting(field: &Field<'_>, battery: UnitId, unit: UnitId, right: bool) -> Option<(i32, i32)> {
    let battle = field.battle;
    let placed = field.get(battery)?;
    let there = field.get(unit)?;
    if battle.unit(battery).sighted || target_ahead(field, battery, unit) {
        return None;
    }
    let most = i32::from(battle.numbers().sighting);
    if !within_swing(battle, battery, placed, there, right, most) {
        return None;
    }
    let free = free_swing(field, battery, placed, right, most);
    let mut run: Option<(i32, i32)> = None;
    let mut swung = Field::of(battle);
    for degrees in 1..=free {
        let pose = swung_pose(placed, right, degrees);
        let at = battle.placed_at(battery, pose);
        let in_lane = lane(battle, battery, &at).nearest(there).is_some();
        let legal = in_lane && {
            swung.put(battery, at);
            targets(&swung, battery).iter().any(|found| found.unit == unit)
        };
        match (&mut run, legal) {
            (None, true) => run = Some((degrees, degrees)),
            (Some((_, last)), true) => *last = degrees,
            (Some(_), false) => break,
            (None, false) => {}
        }
    }
    run
}

fn target_ahead(field: &Field<'_>, battery: UnitId, unit: UnitId) -> bool {
    targets(field, battery).iter().any(|found| found.unit == unit)
}

/// A quick look: is any corner of the target within range and within the angle on that side?
fn within_swing(battle: &Battle, battery: UnitId, placed: &Placed, there: &Placed, right: bool, most: i32) -> bool {
    let extreme = battle.lay.length(battle.numbers().ranges.of(battle.facts(battery).guns).extreme).f();
    if exact_distance(placed, there) > extreme {
        return false;
    }
    let (ahead, side) = (placed.forward(), placed.forward().right());
    let middle = placed.pose().at.v();
    let half = placed.face(Face::Front).length();
    shape::corners(there).iter().any(|&corner| {
        let from = corner - middle;
        let (out, across) = (from.dot(ahead), from.dot(side) * if right { 1.0 } else { -1.0 });
        let slack = half * 1.5;
        across > -slack && out > -slack && across <= out * libm::tan(f64::from(most).to_radians()) + 3.0 * slack
    })
}

/// How many whole degrees a battery can swing forward without meeting anybody or ground it cannot cross.
fn free_swing(field: &Field<'_>, battery: UnitId, placed: &Placed, right: bool, most: i32) -> i32 {
    let battle = field.battle;
    let limit = f64::from(most).to_radians();
    let pivot = swing_pivot(placed, right);
    let reach = placed.face(Face::Front).length() + placed.face(Face::Right).length();
    let mut free = limit;
    for (id, other) in field.all() {
        if id != battery
            && field.is_near(placed, other, reach)
            && let Some(angle) = first_turn_contact(placed, pivot, right, free, other)
        {
            free = free.min(angle);
        }
    }
    for angle in act::ground_in_turn(battle, battery, placed, pivot, right, free) {
        free = free.min(angle);
    }
    libm::floor(free.to_degrees() + 1e-6) as i32
}

fn swing_pivot(placed: &Placed, right: bool) -> Vec2 {
    let front = placed.face(Face::Front);
    if right { front.b } else { front.a }
}

/// The pose after a forward swing through so many degrees.
fn swung_pose(placed: &Placed, right: bool, degrees: i32) -> Pose {
    wheeled_pose(placed, Angle::degrees(if right { degrees } else { -degrees }))
}

/// A way to sight the guns: the target, whether to the right, and the run of degrees.
type Sighting = (UnitId, bool, (i32, i32));

/// The sightings open to a battery.
fn sightings(field: &Field<'_>, battery: UnitId) -> SmallVec<[Sighting; 4]> {
    let mut out = SmallVec::new();
    if field.battle.unit(battery).sighted {
        return out;
    }
    for (unit, _) in field.enemies(battery) {
        for right in [false, true] {
            if let Some(run) = sighting(field, battery, unit, right) {
                out.push((unit, right, run));
            }
        }
    }
    out
}

fn has_sight(field: &Field<'_>, battery: UnitId) -> bool {
    if field.battle.unit(battery).sighted {
        return false;
    }
    field
        .enemies(battery)
        .any(|(unit, _)| [false, true].into_iter().any(|right| sighting(field, battery, unit, right).is_some()))
}

/// Through how many degrees the guns may be swung.
#[must_use]
pub fn input(battle: &Battle, battery: UnitId, unit: UnitId, right: bool) -> Input {
    match sighting(&Field::of(battle), battery, unit, right) {
        Some((least, most)) => Input::Number { least, most },
        None => Input::None,
    }
}

// ------------------------------------------------------------------ firing

/// A battery bombards straight ahead.
pub(crate) fn fire(play: &mut Play<'_>, battery: UnitId, unit: UnitId) -> Result<(), Halt> {
    let field = Field::of(play.battle());
    let able = batteries(&field).any(|id| id == battery);
    let found = targets(&field, battery).into_iter().find(|found| found.unit == unit);
    drop(field);
    play.require(able, HZ_BOM_03, || "That battery cannot bombard now".into())?;
    let Some(found) = found else {
        return Err(Refusal::new(HZ_BOM_05, "That is not the nearest legitimate target straight ahead").into());
    };
    resolve(play, battery, found)?;
    after_fire(play)
}

/// A battery sights its guns and bombards.
pub(crate) fn sight_and_fire(
    play: &mut Play<'_>,
    battery: UnitId,
    unit: UnitId,
    right: bool,
    degrees: i32,
) -> Result<(), Halt> {
    let field = Field::of(play.battle());
    let able = batteries(&field).any(|id| id == battery);
    let run = sighting(&field, battery, unit, right);
    let pose = field.get(battery).map(|placed| swung_pose(placed, right, degrees));
    drop(field);
    play.require(able && !play.battle().unit(battery).sighted, HZ_BOM_24, || {
        "A battery sights its guns once in a phase".into()
    })?;
    let legal = run.is_some_and(|(least, most)| (least..=most).contains(&degrees));
    let (true, Some(pose)) = (legal, pose) else {
        return Err(Refusal::new(HZ_MAN_06, "Wheeled so far the battery has no clear shot at that target").into());
    };
    let at = play.battle().placed_at(battery, pose);
    let swung = Field::with(play.battle(), battery, at);
    let found = targets(&swung, battery).into_iter().find(|found| found.unit == unit);
    drop(swung);
    let Some(found) = found else {
        return Err(Refusal::new(HZ_BOM_05, "That is not the nearest legitimate target then").into());
    };
    play.happen(Event::Sighted { battery, pose });
    resolve(play, battery, found)?;
    after_fire(play)
}

/// The target tests, then whoever the shot bounces on to; then smoke gathers (HZ-BOM-14 to HZ-BOM-18).
pub(crate) fn resolve(play: &mut Play<'_>, battery: UnitId, found: Target) -> Result<(), Halt> {
    let unit = found.unit;
    let (facts, bounced) = {
        let field = Field::of(play.battle());
        let extreme =
            play.battle().lay.length(play.battle().numbers().ranges.of(play.battle().facts(battery).guns).extreme);
        let from = bearing::of_threat(&field, battery, unit, Some(extreme));
        let facts = threat::bombarded(&field, unit, battery, found.range, from != Bearing::Front);
        (facts, bounce_through(&field, battery, unit))
    };
    play.happen(Event::Bombarded { battery, target: unit });
    let outcome = threat::resolve(play, unit, &facts)?;
    if outcome.shakes {
        let shaken = crate::state::Threat { unit, by: battery, from: Bearing::Front, smoke: false, tested: false };
        threat::shake(play, unit, &[shaken])?;
    }
    for (victim, range, rear) in bounced {
        if !play.battle().is_present(victim) {
            continue;
        }
        let facts = threat::bombarded(&Field::of(play.battle()), victim, battery, range, rear);
        let outcome = threat::resolve(play, victim, &facts)?;
        if outcome.shakes {
            let shaken =
                crate::state::Threat { unit: victim, by: battery, from: Bearing::Front, smoke: false, tested: false };
            threat::shake(play, victim, &[shaken])?;
        }
    }
    if play.battle().is_present(battery) {
        play.happen(Event::Smoke { unit: battery, by: 1 });
    }
    Ok(())
}

/// Units on the line of fire behind the face that is struck, nearest first, each with its range and whether it is hit from behind
/// (HZ-BOM-15 to HZ-BOM-17).
#[must_use]
pub fn bounce_through(field: &Field<'_>, battery: UnitId, unit: UnitId) -> SmallVec<[(UnitId, RangeBand, bool); 2]> {
    let battle = field.battle;
    let mut hit: SmallVec<[(f64, UnitId, RangeBand, bool); 2]> = SmallVec::new();
    let (Some(placed), Some(there)) = (field.get(battery), field.get(unit)) else { return SmallVec::new() };
    let from = placed.face(Face::Front).middle();
    let centre = there.centre();
    let struck =
        Face::ALL.into_iter().map(|face| there.face(face)).find(|edge| contact::crosses(from, centre, edge.a, edge.b));
    let point = struck.map_or(there.face(Face::Front).middle(), Segment::middle);
    let way = (point - from).unit();
    let mut far = battle.lay.length(battle.numbers().bounce_through.of(battle.facts(battery).guns)).f();
    for lie in battle.lay.ground.all() {
        let kind = battle.lay.terrain[usize::from(lie.feature.id.0)].kind;
        if kind.blocks_sight()
            && kind != Kind::Broken
            && let Some(at) = ray(point, way, far, &lie)
        {
            far = far.min(at);
        }
    }
    for (id, other) in field.all() {
        if id == unit || id == battery {
            continue;
        }
        let Some(at) = ray(point, way, far, other) else { continue };
        let distance = (point + way * at - from).dot(placed.forward());
        let band = range(battle, battery, distance.max(0.0)).unwrap_or(RangeBand::Extreme);
        let behind = bearing::of_threat(field, battery, id, Some(Length::MAX)) == Bearing::Rear;
        hit.push((at, id, band, behind));
    }
    hit.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    hit.into_iter().map(|(_, id, band, rear)| (id, band, rear)).collect()
}

/// How far along a ray it first meets an outline, within a distance; a touch counts.
fn ray(from: Vec2, way: Vec2, far: f64, outline: &impl sabretache_table::Outline) -> Option<f64> {
    let line = Convex::segment(Segment::new(from, from + way * far));
    if exact_distance(&line, outline) > 2.0 {
        return None;
    }
    let mut best: Option<f64> = None;
    for part in outline.parts() {
        if part.holds(from, 2.0) {
            return Some(0.0);
        }
        for edge in part.edges() {
            let (r, s) = (way * far, edge.b - edge.a);
            let cross = r.cross(s);
            if cross.abs() > 1e-9 {
                let (t, u) = ((edge.a - from).cross(s) / cross, (edge.a - from).cross(r) / cross);
                if (-1e-6..=1.0 + 1e-6).contains(&t) && (-1e-3..=1.0 + 1e-3).contains(&u) {
                    let at = (t * far).max(0.0);
                    best = Some(best.map_or(at, |held: f64| held.min(at)));
                }
            }
        }
    }
    best
}

/// After a bombardment the window stays open while there is anything to fire at; a mover that broke is done.
pub(crate) fn after_fire(play: &mut Play<'_>) -> Result<(), Halt> {
    let battle = play.battle();
    let mover = battle.doing.moving;
    if let Some(moving) = mover
        && !battle.is_present(moving.unit)
    {
        play.happen(Event::Finished { unit: moving.unit });
        play.happen(Event::Now { stage: Stage::Interrupt });
    }
    if any_target(play.battle()) {
        return Ok(());
    }
    close(play)
}

/// The window is closed: on with what was interrupted.
pub(crate) fn close(play: &mut Play<'_>) -> Result<(), Halt> {
    match (play.battle().stage, play.battle().doing.moving) {
        (Stage::Window, _) => turn::window_closed(play),
        (_, None) => act::next_unit(play),
        (_, Some(moving)) => {
            if moving.hit && moving.done > 0 && moving.done < moving.end && act::may_halt(play.battle(), &moving) {
                play.happen(Event::Now { stage: Stage::GoOn });
                return Ok(());
            }
            act::run(play)
        }
    }
}

// ------------------------------------------------------------------ where a mover may be fired at

/// The next point of a straight move at which some battery comes to have the mover as a target, or at another range
/// (HZ-BOM-20).
#[must_use]
pub fn next_point(battle: &Battle, moving: &Moving) -> Option<i32> {
    let Act::Straight { way } = moving.act else { return None };
    if moving.end <= moving.done || !battle.unit_ids().any(|id| is_able(battle, id)) {
        return None;
    }
    let along = track::heading(moving.from, way).unit();
    let start = battle.placed_at(moving.unit, moving.from);
    let mut field = Field::of(battle);
    let able: SmallVec<[UnitId; 4]> = batteries(&field).collect();
    let mut points: SmallVec<[i32; 16]> = SmallVec::new();
    for &battery in &able {
        let Some(placed) = field.get(battery) else { continue };
        let ends = battle.numbers().ranges.of(battle.facts(battery).guns);
        let mut crosses = false;
        for end in [ends.short, ends.long, ends.extreme] {
            let edge = shape::lengthened(placed.face(Face::Front), battle.lay.sizes.touch.f());
            let zone = Zone::from_face(edge, placed.forward(), battle.lay.length(end)).outline();
            let mut found = SmallVec::new();
            meetings(&start, along, f64::from(moving.end), &zone, &mut found);
            crosses |= !found.is_empty();
            for meeting in &found {
                points.push(libm::ceil(meeting.from) as i32 + 1);
            }
        }
        if crosses {
            // Sight may open in between as the unit comes out from behind something.
            let band = battle.lay.sizes.band.to_um().max(1);
            let mut at = moving.done / band * band + band;
            while at < moving.end {
                points.push(at);
                at += band;
            }
        }
    }
    points.retain(|&mut at| at > moving.done && at < moving.end);
    points.sort_unstable();
    points.dedup();
    let status = |field: &Field<'_>| -> SmallVec<[Option<RangeBand>; 4]> {
        let seen = |battery: UnitId| {
            target(field, battery, moving.unit).or_else(|| hedges::target(field, battery, moving.unit))
        };
        able.iter().map(|&battery| seen(battery).map(|found| found.range)).collect()
    };
    let mut before = status(&field);
    for at in points {
        field.put(moving.unit, track::moved(&start, along, Length::um(at)));
        let now = status(&field);
        if now.iter().zip(&before).any(|(now, before)| now.is_some() && now != before) {
            return Some(at);
        }
        before = now;
    }
    None
}
