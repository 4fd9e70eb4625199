//! Advances and wheels, and where they are interrupted.

use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::{Input, Refusal, Stop};
use sabretache_engine::resolution::Resolution;
use sabretache_table::{
    Angle, Convex, Direction, Face, Length, OnTable, Placed, Zone, sweep, sweep_outline, wheel_forward, wheeled_pose,
};

use crate::Picket;
use crate::battle::{Battle, Event};
use crate::clauses::{PK_MOV_01, PK_MOV_02, PK_MOV_03, PK_MOV_04};

/// How far a picket can advance, and what stops it.
pub(crate) fn advance(battle: &Battle, unit: UnitId) -> (Length, Stop) {
    let here = battle.placed(unit);
    let most = Length::mm(battle.fixed.numbers.advance.most.into());
    let others: Vec<(UnitId, Placed)> = battle.others(unit).map(|other| (other, battle.placed(other))).collect();
    let met = sweep(&here, Direction::Ahead, most, others.iter().map(|(other, placed)| (*other, placed)));
    let to_edge = room_to_edge(battle, &here, most);
    let stop = |at: Length, why: String, clause| (at, Stop { at, why, clause });
    match met.met {
        Some(other) if met.free <= to_edge => {
            stop(met.free, format!("{} stands in the way", battle.fixed.entry(other).name), PK_MOV_02)
        }
        _ if to_edge < most => stop(to_edge, "the table ends here".into(), PK_MOV_03),
        _ => stop(most, "that is as far as an advance goes".into(), PK_MOV_01),
    }
}

/// How far it is to the edge of the table, straight ahead: the largest whole distance at which it is still on the table.
fn room_to_edge(battle: &Battle, here: &Placed, most: Length) -> Length {
    let on_table = |distance: i32| {
        let there = Placed::new(&battle.fixed.footprint, here.pose().ahead(Length::um(distance)));
        battle.fixed.table.on_table(&there) == OnTable::Wholly
    };
    let (mut inside, mut outside) = (0, most.to_um() + 1);
    if on_table(most.to_um()) {
        return most;
    }
    while outside - inside > 1 {
        let middle = inside + (outside - inside) / 2;
        if on_table(middle) { inside = middle } else { outside = middle }
    }
    Length::um(inside)
}

/// The input of an advance, or why there is none.
pub(crate) fn advance_input(battle: &Battle, unit: UnitId) -> Result<Input, Refusal> {
    let (most, stop) = advance(battle, unit);
    let least = Length::mm(battle.fixed.numbers.advance.least.into());
    if most < least {
        return Err(Refusal::new(stop.clause, format!("there is no room to advance: {}", stop.why)));
    }
    Ok(Input::Distance { least, most, stops: vec![stop] })
}

/// The input of a wheel.
pub(crate) fn wheel_input(battle: &Battle, unit: UnitId) -> Result<Input, Refusal> {
    let most_left = furthest_wheel(battle, unit, Angle::degrees(-90));
    let most_right = furthest_wheel(battle, unit, Angle::degrees(90));
    if most_left == Angle::ZERO && most_right == Angle::ZERO {
        return Err(Refusal::new(PK_MOV_04, "there is no room to wheel to either side"));
    }
    Ok(Input::Wheel { most_left, most_right })
}

/// How far a wheel gets before it meets somebody or the edge. Every smaller wheel is free too.
fn furthest_wheel(battle: &Battle, unit: UnitId, most: Angle) -> Angle {
    let here = battle.placed(unit);
    let others: Vec<(UnitId, Placed)> = battle.others(unit).map(|other| (other, battle.placed(other))).collect();
    let free = wheel_forward(&here, most, others.iter().map(|(other, placed)| (*other, placed))).free;
    // The edge is met in small steps: a corner may swing over it and back.
    let way = if most < Angle::ZERO { -1 } else { 1 };
    let on_table = |hundredths: i32| {
        let pose = wheeled_pose(&here, Angle::hundredths(hundredths * way));
        battle.fixed.table.on_table(&Placed::new(&battle.fixed.footprint, pose)) == OnTable::Wholly
    };
    let whole = free.abs().to_hundredths();
    if far_from_edges(battle, &here) {
        return Angle::hundredths(whole * way);
    }
    let furthest = (0..=whole).step_by(25).chain([whole]).take_while(|hundredths| on_table(*hundredths)).last();
    Angle::hundredths(furthest.unwrap_or(0) * way)
}

/// Whether no wheel can bring a picket over the edge: its far corner swings no further than its front is long.
fn far_from_edges(battle: &Battle, here: &Placed) -> bool {
    let (at, table, reach) = (here.pose().at, &battle.fixed.table, Length::cm(13));
    at.x > reach && at.y > reach && at.x < table.width - reach && at.y < table.depth - reach
}

/// The zone in front of a picket.
pub(crate) fn zone(battle: &Battle, unit: UnitId) -> Convex {
    Zone::before(&battle.placed(unit), Face::Front, battle.fixed.numbers.zone_depth()).outline()
}

/// Moves a picket on until somebody may fire at it or the move is done.
pub(crate) fn go_on(play: &mut Resolution<'_, Picket>, mover: UnitId, left: Length) {
    let battle = play.battle();
    let here = battle.placed(mover);
    let side = battle.picket(mover).side;
    let asked = battle.halted.as_ref().map(|halted| halted.asked.clone()).unwrap_or_default();
    let can_fire = |unit: &UnitId| !battle.picket(*unit).fired && !asked.contains(unit);
    let zones: Vec<(UnitId, Convex)> =
        battle.of(side.other()).filter(can_fire).map(|unit| (unit, zone(battle, unit))).collect();
    let way = Direction::Ahead.heading(here.pose()).unit();
    let entered = sweep_outline(&here, way, left, zones.iter().map(|(unit, zone)| (*unit, zone)));
    if entered.free > Length::ZERO {
        let to = here.pose().ahead(entered.free);
        play.happen(Event::Moved { unit: mover, to });
    }
    match entered.met {
        Some(firer) => play.happen(Event::Halted { mover, firer, left: left - entered.free }),
        None => play.happen(Event::MoveOver),
    }
}
