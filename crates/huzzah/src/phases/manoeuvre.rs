//! Manoeuvre: wheel, about face, side-step (HZ-MAN-01 to HZ-MAN-08).

use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::{Halt, Input, Refusal};
use sabretache_table::{
    Angle, Convex, Face, Outline, Placed, Pose, Shadowed, Vec2, exact_distance, first_turn_contact,
};
use smallvec::SmallVec;

use super::{Play, act, advance, threat};
use crate::battle::Battle;
use crate::clauses::{HZ_DEP_11, HZ_MAN_01, HZ_MAN_02};
use crate::event::Event;
use crate::offer::Offer;
use crate::state::{Act, Finish, Moving, Way};
use crate::table::{Field, ground, shape, zones};
use crate::troops::{Arm, Formation, Order};

/// How far a wheel gets: the most, and where a zone stops it (first touched, and where it is placed then).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Swing {
    /// The furthest, in hundredths of a degree.
    pub most: i32,
    /// Where a zone is first touched, and where the wheel then ends.
    pub zone: Option<(i32, i32)>,
}

/// What a unit may do on a manoeuvre order.
pub(crate) fn offers(field: &Field<'_>, unit: UnitId, out: &mut Vec<Offer>) {
    let battle = field.battle;
    out.push(Offer::Wheel(unit));
    out.push(Offer::AboutFace(unit));
    if battle.is_unlimbered(unit) {
        return;
    }
    out.push(Offer::WheelBack(unit));
    let Some(acting) = battle.doing.acting else { return };
    for way in [Way::Left, Way::Right] {
        advance::push_stretches(field, unit, way, &acting, out);
    }
}

/// The corner a wheel pivots on: forward on the side it turns to, backward on the other.
fn pivot(placed: &Placed, right: bool, back: bool) -> Vec2 {
    let front = placed.face(Face::Front);
    if right != back { front.b } else { front.a }
}

/// The limits of a wheel to one side (HZ-MAN-01, HZ-MAN-06 to HZ-MAN-08).
#[must_use]
pub fn swing(field: &Field<'_>, unit: UnitId, right: bool, back: bool, zones_stop: bool) -> Swing {
    let battle = field.battle;
    let Some(placed) = field.get(unit) else { return Swing { most: 0, zone: None } };
    let wheels = battle.numbers().wheels;
    let degrees = if matches!(battle.unit(unit).formation, Formation::Column | Formation::Mass) {
        wheels.column
    } else {
        wheels.other
    };
    let pivot = pivot(placed, right, back);
    let mut free = f64::from(degrees).to_radians();
    let reach = placed.face(Face::Front).length() + placed.face(Face::Right).length();
    let clear = battle.lay.sizes.clear.f();
    for (id, other) in field.all() {
        if id == unit || !field.is_near(placed, other, reach + clear) {
            continue;
        }
        let enemy = battle.facts(id).side != battle.facts(unit).side;
        let met = if enemy {
            let kept_off = Convex::grown(other.part(0), clear);
            first_turn_contact(placed, pivot, right, free, &kept_off)
        } else {
            first_turn_contact(placed, pivot, right, free, other)
        };
        free = free.min(met.unwrap_or(free));
    }
    for angle in act::ground_in_turn(battle, unit, placed, pivot, right, free) {
        free = free.min(angle);
    }
    let most = Angle::floored_radians(free).to_hundredths().max(0);
    let most = under_cover(battle, unit, placed, pivot, right, most);
    let zone = if zones_stop { zone_in_turn(field, unit, placed, pivot, right, most) } else { None };
    Swing { most, zone: zone.map(|(at, end)| (at, end.min(most))) }
}

/// How far open order without the Skirmish ability wheels before any part of it is in the open (HZ-DEP-17): whole degrees are looked at.
fn under_cover(battle: &Battle, unit: UnitId, placed: &Placed, pivot: Vec2, right: bool, most: i32) -> i32 {
    let facts = battle.facts(unit);
    if battle.unit(unit).formation != Formation::OpenOrder || facts.arm != Arm::Infantry || facts.abilities.skirmish {
        return most;
    }
    let mut angle = 0;
    while angle < most {
        let next = (angle + 100).min(most);
        if ground::touches_open_ground(battle, &turned(battle, unit, placed, pivot, right, next)) {
            return angle;
        }
        angle = next;
    }
    most
}

/// Where a wheel first touches an enemy zone it was not in, and where it ends then (HZ-MAN-07).
fn zone_in_turn(
    field: &Field<'_>,
    unit: UnitId,
    placed: &Placed,
    pivot: Vec2,
    right: bool,
    most: i32,
) -> Option<(i32, i32)> {
    let battle = field.battle;
    let mut first: Option<(i32, Shadowed)> = None;
    let mut shapes: SmallVec<[Shadowed; 4]> = SmallVec::new();
    let limit = Angle::hundredths(most).to_radians();
    for (enemy, _) in field.enemies(unit) {
        if !zones::has_zone(battle, enemy) || zones::threatens(field, enemy, unit) {
            continue;
        }
        shapes.clear();
        zones::stopping(field, enemy, unit, &mut shapes);
        for shape in shapes.drain(..) {
            let Some(angle) = first_turn_contact(placed, pivot, right, limit, &shape) else { continue };
            let at = Angle::floored_radians(angle).to_hundredths();
            if first.as_ref().is_none_or(|(held, _)| at < *held) {
                first = Some((at, shape));
            }
        }
    }
    let (at, zone) = first?;
    // On until the front edge of the stand that crossed first is inside, or as far as it goes.
    let width = battle.facts(unit).stand_width.f();
    let turned = |hundredths: i32| turned(battle, unit, placed, pivot, right, hundredths);
    let edge = turned(at).face(Face::Front);
    let stands = libm::round(edge.length() / width.max(1.0)).max(1.0) as usize;
    let share = |n: usize| (n as f64 / stands as f64, (n + 1) as f64 / stands as f64);
    let nearest = (0..stands).min_by(|&a, &b| {
        let far = |n: usize| {
            let (from, to) = share(n);
            exact_distance(
                &Convex::segment(sabretache_table::Segment::new(
                    edge.a.toward(edge.b, from),
                    edge.a.toward(edge.b, to),
                )),
                &zone,
            )
        };
        far(a).total_cmp(&far(b))
    })?;
    let (from, to) = share(nearest);
    let mut angle = at;
    while angle < most {
        let front = turned(angle).face(Face::Front);
        let inside = |place: Vec2| zone.parts().any(|part| part.holds(place, 1_000.0));
        if inside(front.a.toward(front.b, from)) && inside(front.a.toward(front.b, to)) {
            break;
        }
        angle += 50;
    }
    Some((at, angle.min(most)))
}

fn turned(battle: &Battle, unit: UnitId, placed: &Placed, pivot: Vec2, right: bool, hundredths: i32) -> Placed {
    battle.placed_at(unit, turned_pose(placed.pose(), pivot, right, hundredths))
}

fn turned_pose(pose: Pose, pivot: Vec2, right: bool, hundredths: i32) -> Pose {
    pose.turned_about(pivot, Angle::hundredths(if right { hundredths } else { -hundredths }))
}

/// How much a unit can wheel to either side.
#[must_use]
pub fn input(battle: &Battle, unit: UnitId, back: bool, zones_stop: bool) -> Input {
    let field = Field::of(battle);
    let most = |right: bool| {
        let swing = swing(&field, unit, right, back, zones_stop);
        swing.zone.map_or(swing.most, |(_, end)| end)
    };
    Input::Wheel { most_left: Angle::hundredths(-most(false)), most_right: Angle::hundredths(most(true)) }
}

/// A unit wheels.
pub(crate) fn wheel(play: &mut Play<'_>, unit: UnitId, back: bool, angle: Angle) -> Result<(), Halt> {
    act::require(play, unit, Order::Manoeuvre)?;
    let right = angle >= Angle::ZERO;
    let swing = swing(&Field::of(play.battle()), unit, right, back, true);
    let wanted = angle.abs().to_hundredths();
    let most = swing.zone.map_or(swing.most, |(_, end)| end);
    let unlimbered = play.battle().is_unlimbered(unit);
    play.require(wanted <= most && !(back && unlimbered), HZ_MAN_01, || "It cannot wheel so far".into())?;
    let end = match swing.zone {
        Some((at, end)) if wanted >= at => end,
        _ => wanted,
    };
    act::begin(play, unit, Act::Wheel { right, back }, end, Finish::There)
}

/// A unit turns about.
pub(crate) fn about_face(play: &mut Play<'_>, unit: UnitId) -> Result<(), Halt> {
    act::require(play, unit, Order::Manoeuvre)?;
    act::begin(play, unit, Act::AboutFace, 18_000, Finish::There)
}

/// Where front and rear have changed places (HZ-MAN-02).
#[must_use]
pub fn about(placed: &Placed) -> Pose {
    Pose::new(shape::rear_of(placed), placed.pose().heading.reversed())
}

/// The turn comes to its end.
pub(crate) fn complete(play: &mut Play<'_>, moving: Moving) -> Result<(), Halt> {
    let unit = moving.unit;
    let start = play.battle().placed_at(unit, moving.from);
    let pose = match moving.act {
        Act::AboutFace => about(&start),
        Act::Wheel { right, back } => turned_pose(moving.from, pivot(&start, right, back), right, moving.end),
        _ => moving.from,
    };
    play.happen(Event::Moved { unit, pose, done: moving.end });
    let touched = ends_touching(play.battle(), unit);
    advance::stagger_friends(play, unit, &touched);
    if play.battle().is_present(unit) {
        let end = play.battle().placed(unit);
        let mut corners: Vec<Vec2> = shape::corners(&start).to_vec();
        corners.extend(shape::corners(&end));
        advance::run_over_officers(play, unit, &Convex::hull(&corners));
    }
    Ok(())
}

/// Friends that a unit touches where it stands (HZ-MAN-08, HZ-DEP-14).
pub(crate) fn ends_touching(battle: &Battle, unit: UnitId) -> SmallVec<[UnitId; 4]> {
    let field = Field::of(battle);
    let touch = battle.lay.sizes.touch.f();
    let Some(placed) = field.get(unit) else { return SmallVec::new() };
    field.friends(unit).filter(|(_, friend)| exact_distance(placed, *friend) <= touch).map(|(id, _)| id).collect()
}

// ------------------------------------------------------------------ guns that have limbered or unlimbered

/// What guns may still do with a change of formation (HZ-DEP-11).
pub(crate) fn swing_offers(battle: &Battle, out: &mut Vec<Offer>) {
    out.push(Offer::NoSwing);
    if let Some(moving) = battle.doing.moving {
        out.push(Offer::Wheel(moving.unit));
        out.push(Offer::AboutFace(moving.unit));
    }
}

/// Guns manoeuvre with their change of formation, or not; then they test if they are in a zone.
pub(crate) fn swing_guns(play: &mut Play<'_>, turn: Option<Angle>, about_face: bool) -> Result<(), Halt> {
    let Some(moving) = play.battle().doing.moving else {
        return Err(Refusal::new(HZ_DEP_11, "No guns are limbering or unlimbering").into());
    };
    let unit = moving.unit;
    let pose = {
        let field = Field::of(play.battle());
        let placed = field.get(unit).cloned();
        match (turn, placed) {
            (Some(angle), Some(placed)) => {
                let right = angle >= Angle::ZERO;
                let limit = swing(&field, unit, right, false, false);
                if angle.abs().to_hundredths() > limit.most {
                    return Err(Refusal::new(HZ_MAN_01, "It cannot wheel so far").into());
                }
                Some(turned_pose(placed.pose(), pivot(&placed, right, false), right, angle.abs().to_hundredths()))
            }
            (None, Some(placed)) if about_face => Some(about(&placed)),
            _ => None,
        }
    };
    if let Some(pose) = pose {
        play.happen(Event::Moved { unit, pose, done: 0 });
        let _ = HZ_MAN_02;
    }
    let touched = ends_touching(play.battle(), unit);
    advance::stagger_friends(play, unit, &touched);
    threat::after_deploying(play, unit)?;
    act::finished(play, unit)
}
