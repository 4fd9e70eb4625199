//! Officer movement: riding, attaching and detaching (HZ-OFF-01 to HZ-OFF-10). What only the commander in chief does is in
//! [`supersede`], and officers who are run into flee in `flight`.

pub(crate) mod flight;
pub mod offers;
pub mod supersede;

use sabretache_engine::decides;
use sabretache_engine::ids::{OfficerId, UnitId};
use sabretache_engine::offer::{Area, Halt, Input, Refusal, Value};
use sabretache_table::{
    Bounds, Convex, Heading, Length, Outline, Placed, Point, Vec2, exact_distance, holds, nearer, way_to,
};

use offers::Officers;

use super::orders::Barred;
use super::{Play, harm, reinforce, turn};
use crate::battle::Battle;
use crate::clauses::*;
use crate::event::Event;
use crate::table::{Field, shape};

/// Whether no officer of the phasing side could do anything.
#[must_use]
pub fn nothing_to_do(battle: &Battle) -> bool {
    let acts = |id: OfficerId| battle.officer_facts(id).side == battle.phasing && battle.is_there(id);
    !battle.officer_ids().any(|id| acts(id) || reinforce::may_bring_on(battle, id).is_ok())
}

// ------------------------------------------------------------------ riding

/// How much of his move an officer has left.
#[must_use]
pub fn left(battle: &Battle, officer: OfficerId) -> Length {
    let state = battle.officer(officer);
    let whole = battle.lay.length(battle.numbers().officer_move);
    if state.moved { Length::ZERO } else { (whole - state.ridden).max(Length::ZERO) }
}

/// How far an officer rides: what is left of his move. One who rides against the rules has a whole move.
fn move_of(battle: &Battle, officer: OfficerId) -> Length {
    match may_ride(battle, officer) {
        Ok(()) => left(battle, officer),
        Err(_) => battle.lay.length(battle.numbers().officer_move),
    }
}

/// Whether an officer may ride, or ride on (HZ-OFF-01, HZ-OFF-04): a ride may be made of several straight stretches, so that he gets
/// round the enemy (HZ-OFF-03).
fn may_ride(battle: &Battle, officer: OfficerId) -> Result<(), Barred> {
    decides!(HZ_OFF_03);
    decides!(HZ_OFF_01);
    if battle.officer_facts(officer).side != battle.phasing || !battle.is_there(officer) {
        return Err((HZ_OFF_01, "He is not on the table, or not of the phasing side"));
    }
    decides!(HZ_OFF_04);
    if battle.officer(officer).with.is_some() {
        return Err((HZ_OFF_04, "An attached officer moves with his unit"));
    }
    decides!(HZ_OFF_02);
    if left(battle, officer) < least_stretch(battle, officer) {
        return Err((HZ_OFF_02, "He has made his move"));
    }
    Ok(())
}

/// The shortest stretch worth riding: anything at first, a little more when he rides on.
fn least_stretch(battle: &Battle, officer: OfficerId) -> Length {
    if battle.officer(officer).ridden > Length::ZERO { battle.lay.sizes.adjacent } else { battle.lay.sizes.touch }
}

/// What an officer must keep clear of an enemy unit: his base, and not a touch (HZ-OFF-03).
fn berth(battle: &Battle, officer: OfficerId) -> Length {
    battle.officer_facts(officer).base + battle.lay.sizes.touch
}

/// Where an officer may ride in a straight stretch: clear of the enemy and not to end on top of a friend (HZ-OFF-02, HZ-OFF-03).
#[must_use]
pub fn reach(battle: &Battle, officer: OfficerId) -> Input {
    let least = least_stretch(battle, officer) - Length::um(1);
    let at = battle.officer_at(officer);
    match reach_from(battle, officer, at, move_of(battle, officer)) {
        Input::Point { within, mut except } => {
            except.push(Area::Circle { centre: at, radius: least });
            Input::Point { within, except }
        }
        other => other,
    }
}

/// The same from another place and with another allowance: where he comes on.
#[must_use]
pub fn reach_from(battle: &Battle, officer: OfficerId, at: Point, radius: Length) -> Input {
    let field = Field::of(battle);
    let facts = battle.officer_facts(officer);
    let mut except = beyond_table(battle);
    let gap = berth(battle, officer).f() + 2.0;
    let touch = facts.base.f() + battle.lay.sizes.touch.f() + 2.0;
    // A unit beyond his reach is not in his way; a rounded corner reaches out a fiftieth further than an edge.
    let furthest = radius.f() + 1.02 * gap.max(touch) + 2.0;
    let here = Bounds::of(&[at.v()]);
    for (id, placed) in field
        .meeting(here.grown(furthest))
        .filter(|(_, placed)| here.distance2(&placed.bounds()) <= furthest * furthest)
    {
        let enemy = battle.facts(id).side != facts.side;
        let grown = Convex::with_room(placed.whole(), if enemy { gap } else { touch });
        if !enemy {
            // To end touching a friend he must attach to him.
            except.push(area(grown.corners()));
            continue;
        }
        if holds(&grown, at.v()) {
            // Already beside the enemy: he may ride off, but not end there, nor go through him.
            except.push(area(grown.corners()));
            except.push(area(shadow(&Convex::hull(&shape::corners(placed)), at, radius).corners()));
            continue;
        }
        // What lies behind an enemy cannot be reached in one stretch.
        except.push(area(shadow(&grown, at, radius).corners()));
    }
    Input::Point { within: vec![Area::Circle { centre: at, radius }], except }
}

/// A shape and all that lies behind it, seen from a place.
fn shadow(shape: &Convex, from: Point, reach: Length) -> Convex {
    let mut places: Vec<Vec2> = shape.corners().to_vec();
    places.extend(shape.corners().iter().map(|&corner| corner + (corner - from.v()).unit() * (reach.f() * 3.0)));
    Convex::hull(&places)
}

fn area(corners: &[Vec2]) -> Area {
    Area::Polygon { corners: corners.iter().map(|&corner| Point::rounded(corner)).collect() }
}

/// Everything off the table.
fn beyond_table(battle: &Battle) -> Vec<Area> {
    let (w, d) = (battle.lay.table.width, battle.lay.table.depth);
    let (one, far) = (Length::um(1), Length::cm(1_000));
    let rectangle = |x0: Length, y0: Length, x1: Length, y1: Length| Area::Polygon {
        corners: vec![Point::new(x0, y0), Point::new(x1, y0), Point::new(x1, y1), Point::new(x0, y1)],
    };
    vec![
        rectangle(-far, d + one, w + far, d + far),
        rectangle(w + one, -far, w + far, d + far),
        rectangle(-far, -far, w + far, -one),
        rectangle(-far, -far, -one, d + far),
    ]
}

/// An officer rides a stretch.
pub(crate) fn ride(play: &mut Play<'_>, officer: OfficerId, to: Point) -> Result<(), Halt> {
    if let Err((clause, says)) = may_ride(play.battle(), officer) {
        play.refuse(Refusal::new(clause, says))?;
    }
    if let Some(refusal) = out_of_reach(play.battle(), officer, to) {
        play.refuse(refusal)?;
    }
    leave_unit(play, officer);
    let ride = play.battle().officer(officer).at.distance(to);
    play.happen(Event::OfficerMoves { officer, at: to, ride });
    Ok(())
}

/// Why an officer may not ride to a place; impossible where he would stand on somebody or off the table.
pub(crate) fn out_of_reach(battle: &Battle, officer: OfficerId, to: Point) -> Option<Refusal> {
    decides!(HZ_OFF_02);
    if reach(battle, officer).fits(&Value::Point(to)) {
        return None;
    }
    let here = battle.officer_at(officer);
    let (clause, says) = if here.distance(to) > move_of(battle, officer) {
        (HZ_OFF_02, "That is further than he can ride")
    } else if here.distance(to) < least_stretch(battle, officer) {
        (HZ_OFF_02, "That is hardly a ride")
    } else if !stands_free(battle, officer, to) {
        (HZ_OFF_05, "A unit stands there, or the table ends before")
    } else {
        (HZ_OFF_03, "The enemy is in the way, or a unit too near that he does not join")
    };
    Some(Refusal { impossible: !stands_free(battle, officer, to), ..Refusal::new(clause, says) })
}

/// An officer who is with a unit leaves it first.
pub(super) fn leave_unit(play: &mut Play<'_>, officer: OfficerId) {
    if let Some(unit) = play.battle().officer(officer).with {
        let at = harm::behind(play.battle(), unit, officer);
        play.happen(Event::Detaches { officer, at });
    }
}

/// The way an officer rides from one place to another, round the enemy where he must.
pub(super) fn way_round(field: &Field<'_>, officer: OfficerId, from: Point, to: Point) -> Option<Vec<Point>> {
    let side = field.battle.officer_facts(officer).side;
    let room = berth(field.battle, officer);
    // Mostly nobody is anywhere near the straight way. A corner may be given half as much room again as an edge.
    let straight = Bounds::of(&[from.v(), to.v()]).grown(1.5 * room.f() + 100.0);
    if !field.meeting(straight).any(|(id, _)| field.facts(id).side != side) {
        return Some(vec![from, to]);
    }
    let enemies: Vec<&Placed> = field.of_side(side.other()).map(|(_, placed)| placed).collect();
    way_to(from, to, &field.battle.lay.table, room, enemies).map(|way| way.points)
}

/// How far an officer rides to come into contact with a unit; nothing where the enemy leaves no way.
fn ride_to(field: &Field<'_>, officer: OfficerId, placed: &Placed) -> Option<Length> {
    let battle = field.battle;
    let from = battle.officer(officer).at;
    let base = battle.officer_facts(officer).base;
    let (_, nearest) = sabretache_table::nearest_places(&Convex::place(from.v()), placed);
    let straight = Length::rounded((exact_distance(&Convex::place(from.v()), placed) - base.f()).max(0.0));
    let direct = way_round(field, officer, from, Point::rounded(nearest));
    if direct.as_ref().is_some_and(|points| points.len() == 2) {
        return Some(straight);
    }
    // Round the enemy he makes for the side that he reaches first.
    let mut places: Vec<Vec2> = shape::corners(placed).to_vec();
    places.extend(sabretache_table::Face::ALL.iter().map(|&face| placed.face(face).middle()));
    places.push(nearest);
    let ways = places.into_iter().filter_map(|place| way_round(field, officer, from, Point::rounded(place)));
    ways.map(|points| super::path::length(&points)).min().map(|whole| (whole - base).max(Length::ZERO))
}

// ------------------------------------------------------------------ attaching and detaching

/// Whether an officer may join a unit (HZ-OFF-05 to HZ-OFF-09).
pub fn may_attach(field: &Field<'_>, officer: OfficerId, unit: UnitId) -> Result<(), Barred> {
    let battle = field.battle;
    let state = battle.officer(officer);
    let Some(placed) = field.get(unit) else { return Err((HZ_OFF_05, "That unit is not on the table")) };
    decides!(HZ_OFF_04);
    if state.with.is_some() {
        return Err((HZ_OFF_04, "He is with a unit"));
    }
    decides!(HZ_OFF_09);
    if state.detached {
        return Err((HZ_OFF_09, "He has left a unit in this phase"));
    }
    decides!(HZ_OFF_16);
    if state.supersedes.is_some() && state.superseded_in == battle.turn {
        return Err((HZ_OFF_16, "He has superseded an officer in this phase"));
    }
    decides!(HZ_OFF_06);
    if !battle.is_within(battle.facts(unit).brigade, battle.acts_for(officer)) {
        return Err((HZ_OFF_06, "It is not of his command"));
    }
    decides!(HZ_OFF_07);
    if battle.attached_to(unit).is_some() {
        return Err((HZ_OFF_07, "Another officer is with it"));
    }
    // A micrometre may be lost where the unit is exactly as far as he can ride.
    let most = left(battle, officer) + Length::um(1);
    decides!(HZ_OFF_05);
    if exact_distance(&Convex::place(state.at.v()), placed) - battle.officer_facts(officer).base.f() > most.f() {
        return Err((HZ_OFF_05, "It is too far off"));
    }
    match ride_to(field, officer, placed) {
        Some(ride) if ride <= most => Ok(()),
        _ => Err((HZ_OFF_03, "The enemy is in the way")),
    }
}

/// An officer joins a unit.
pub(crate) fn attach(play: &mut Play<'_>, officer: OfficerId, unit: UnitId) -> Result<(), Halt> {
    let allowed = may_attach(&Field::of(play.battle()), officer, unit);
    if let Err((clause, says)) = allowed {
        let impossible = !Officers::Attach { officer, unit }.is_possible(play.battle());
        play.refuse(Refusal { impossible, ..Refusal::new(clause, says) })?;
    }
    leave_unit(play, officer);
    play.happen(Event::Attaches { officer, unit });
    Ok(())
}

/// Whether an officer may leave his unit: not one he has joined in this phase, nor when he has given back a command (HZ-OFF-01, HZ-OFF-16).
fn may_detach(battle: &Battle, officer: OfficerId) -> Result<(), Barred> {
    let state = battle.officer(officer);
    decides!(HZ_OFF_08);
    if battle.officer_facts(officer).side != battle.phasing || !battle.is_there(officer) || state.with.is_none() {
        return Err((HZ_OFF_08, "He is with no unit"));
    }
    decides!(HZ_OFF_01);
    if state.moved {
        return Err((HZ_OFF_01, "He has joined it in this phase"));
    }
    decides!(HZ_OFF_16);
    if state.relinquished {
        return Err((HZ_OFF_16, "He has given back a command in this phase"));
    }
    Ok(())
}

/// An officer leaves his unit and stands behind it (HZ-OFF-08).
pub(crate) fn detach(play: &mut Play<'_>, officer: OfficerId) -> Result<(), Halt> {
    if let Err((clause, says)) = may_detach(play.battle(), officer) {
        let impossible = play.battle().officer(officer).with.is_none();
        play.refuse(Refusal { impossible, ..Refusal::new(clause, says) })?;
    }
    leave_unit(play, officer);
    Ok(())
}

// ------------------------------------------------------------------ room to stand

/// Whether an officer would stand on no unit there.
pub(super) fn stands_free(battle: &Battle, officer: OfficerId, at: Point) -> bool {
    let disc = Convex::disc(at.v(), battle.officer_facts(officer).base.f());
    battle.lay.table.holds(at)
        && Field::of(battle).meeting(disc.bounds().grown(1.0)).all(|(_, placed)| !nearer(&disc, placed, 0.0))
}

/// A free spot beside a place: so far off, the first of eight ways round that is clear.
#[must_use]
pub fn free_spot_by(battle: &Battle, officer: OfficerId, place: Point, gap: Length) -> Point {
    for round in 1..=24 {
        for eighth in 0..8 {
            let heading = Heading::degrees(180 + 45 * eighth);
            let spot = place.along(heading, gap * round);
            if stands_free(battle, officer, spot) {
                return spot;
            }
        }
    }
    place
}

/// Officers have moved.
pub(crate) fn end(play: &mut Play<'_>) -> Result<(), Halt> {
    turn::begin_engage(play)
}
