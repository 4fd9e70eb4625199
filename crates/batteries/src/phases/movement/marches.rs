//! Moves carried out, with what they cost and whom they pass.

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::{Halt, Input, WrongValue};
use sabretache_engine::resolution::Resolution;
use sabretache_table::{Angle, Direction, Heading, Length, Pose, exact_distance, wheeled_pose};

use crate::Batteries;
use crate::battle::Battle;
use crate::clauses::*;
use crate::event::{Event, How};
use crate::table::NEAR;

/// Another unit moves: the move of the last one is over (BB-SEQ-03).
pub(crate) fn another(play: &mut Resolution<'_, Batteries>, unit: UnitId) {
    decides!(BB_SEQ_03);
    if let Some(last) = play.battle().moving.filter(|last| *last != unit) {
        play.happen(Event::MoveOver { unit: last });
    }
}

/// A straight move, with its price. An advance up to where the nearness of an enemy ends it is held up.
pub(crate) fn go(
    play: &mut Resolution<'_, Batteries>,
    unit: UnitId,
    direction: Direction,
    how: How,
    distance: Length,
    advance: Option<&Input>,
) -> Result<(), Halt> {
    another(play, unit);
    let battle = play.battle();
    // A way that the rules close, and that is gone all the same, costs no more than it is long.
    let factor = battle.manoeuvre(unit, direction).map_or(1, |(factor, _)| factor);
    let from = battle.unit(unit).pose;
    let way = direction.heading(from);
    let held_up = match advance {
        Some(Input::Distance { most, stops, .. }) => {
            stops.iter().any(|stop| stop.clause == BB_MOV_20) && distance + Length::um(10) >= *most
        }
        _ => false,
    };
    step(play, unit, way, factor, how, distance);
    if held_up {
        play.happen(Event::HeldUp { unit });
    }
    Ok(())
}

pub(crate) fn march(play: &mut Resolution<'_, Batteries>, unit: UnitId, way: Heading, distance: Length) {
    another(play, unit);
    step(play, unit, way, 1, How::March, distance);
}

impl Battle {
    /// Whether a unit will have advanced once it has moved like this: so far straight ahead, without a turn (BB-COM-27).
    pub(crate) fn advances(&self, unit: UnitId, to: Pose, how: How) -> bool {
        // It also gives up a change of formation that it has begun (BB-MOV-18).
        decides!(BB_COM_27, BB_MOV_18);
        let state = self.unit(unit);
        let straight = state.now.straight + state.pose.at.distance(to.at).to_um();
        matches!(how, How::Advance | How::Charge) && straight >= self.numbers().run.straight.0.to_um() - 26
    }
}

/// One straight stretch: those who are passed stand, the ground disorders.
fn step(play: &mut Resolution<'_, Batteries>, unit: UnitId, way: Heading, factor: i32, how: How, distance: Length) {
    let battle = play.battle();
    let from = battle.unit(unit).pose;
    let cost = battle.cost(unit, way, factor, distance);
    let passed = battle.passed(unit, way, distance);
    let to = if how == How::Advance { from.ahead(distance) } else { from.moved(way, distance) };
    let to = battle.off_by_a_hair(unit, to);
    crate::phases::charges::launch::note_nearing(play, unit, way.unit(), distance);
    let advanced = play.battle().advances(unit, to, how);
    play.happen(Event::Moved { unit, to, cost, how, advanced });
    for friend in passed {
        play.happen(Event::PassedThrough { unit: friend });
    }
    crate::phases::aftermath::disorder_on_the_way(play, unit, from);
    crate::phases::aftermath::man_guns(play, unit);
}

/// Skirmishers pushed forward by columns that advance as far (BB-MOV-24).
pub(crate) fn push(play: &mut Resolution<'_, Batteries>, unit: UnitId, columns: &[UnitId], distance: Length) {
    decides!(BB_MOV_24);
    another(play, unit);
    let way = play.battle().unit(unit).pose.heading;
    step(play, unit, way, 1, How::Advance, distance);
    play.happen(Event::MoveOver { unit });
    for column in columns {
        let way = play.battle().unit(*column).pose.heading;
        step(play, *column, way, 1, How::Advance, distance);
        play.happen(Event::Pushed { unit: *column });
    }
}

pub(crate) fn wheel(play: &mut Resolution<'_, Batteries>, unit: UnitId, angle: Angle) {
    another(play, unit);
    crate::phases::charges::launch::note_nearing_in_wheel(play, unit, angle);
    let battle = play.battle();
    let from = battle.unit(unit).pose;
    let to = battle.off_by_a_hair(unit, wheeled_pose(&battle.placed(unit), angle));
    let cost = battle.wheel_cost(unit, angle);
    play.happen(Event::Moved { unit, to, cost, how: How::Wheel, advanced: false });
    crate::phases::aftermath::disorder_on_the_way(play, unit, from);
}

pub(crate) fn face(play: &mut Resolution<'_, Batteries>, unit: UnitId, to: Pose, cost: Length) {
    another(play, unit);
    let from = play.battle().unit(unit).pose;
    let to = play.battle().off_by_a_hair(unit, to);
    play.happen(Event::Faced { unit, to, cost });
    crate::phases::aftermath::disorder_on_the_way(play, unit, from);
}

/// A change of formation, facing or frontage, and what the nearness of the enemy does to it (BB-OPT-26).
pub(crate) fn form(play: &mut Resolution<'_, Batteries>, unit: UnitId, name: &str, breaks: bool) -> Result<(), Halt> {
    decides!(BB_OPT_26);
    let battle = play.battle();
    let shape = if breaks { battle.shape_that_fits(unit, name) } else { battle.shape_named(unit, name) };
    let shape = shape.ok_or_else(|| WrongValue(format!("it cannot form {name}")))?;
    if !breaks {
        battle.may_form(unit, &shape)?;
    }
    let facing_only = name.starts_with("face ") || name == "about face";
    let payer = if facing_only { None } else { battle.who_pays(unit).unwrap_or(None) };
    let share = battle.change_share(unit, &shape);
    let (state, to) = battle.as_shape(unit, &shape);
    let there = sabretache_table::Placed::new(&state.footprint(battle.facts(unit), battle.numbers()), to);
    let within = battle.numbers().pinning.within.0.f() + NEAR;
    let here = battle.placed(unit);
    decides!(BB_OPT_03, BB_OPT_27);
    let pinned = battle.fixed.options.pinning
        && !battle.unit(unit).shaken
        && battle.enemies(unit).any(|enemy| exact_distance(&here, &battle.placed(enemy)) <= within);
    another(play, unit);
    if let Some(general) = payer {
        play.happen(Event::PointSpent { general });
    }
    decides!(BB_MOV_18);
    if share > crate::phases::movement::WHOLE && !play.battle().unit(unit).reforming {
        play.happen(Event::Reforming { unit });
        return Ok(());
    }
    let cramped = !play.battle().has_elbow_room(unit);
    let share = share.min(crate::phases::movement::WHOLE) + play.battle().waited(unit);
    let (formation, stands, limbered) = (shape.formation, shape.stands, shape.limbered);
    crate::phases::charges::launch::note_nearing_by_change(play, unit, &there);
    if let Some(bend) = shape.bend {
        play.happen(Event::Bends { unit, bend });
    }
    play.happen(Event::Formed { unit, formation, stands, limbered, to, share });
    if pinned {
        play.happen(Event::Shaken { unit, by: BB_OPT_26 });
    }
    decides!(BB_OPT_23);
    if cramped {
        if !play.battle().unit(unit).shaken {
            play.happen(Event::Shaken { unit, by: BB_OPT_23 });
        }
        play.happen(Event::Cramped { unit });
    }
    crate::phases::aftermath::disorder_on_the_way(play, unit, to);
    Ok(())
}
