//! Advances and wheels, and where they are interrupted.

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::{Input, Refusal, Stop};
use sabretache_engine::resolution::Resolution;
use sabretache_kit::Forbids;
use sabretache_table::{
    Angle, Convex, Direction, Edge, Face, Length, Placed, Zone, sweep, sweep_outline, wheel_forward,
};

use crate::Picket;
use crate::battle::{Battle, Event};
use crate::clauses::{PK_MOV_01, PK_MOV_02, PK_MOV_03, PK_MOV_04, PK_VOL_01, PK_VOL_03};

/// Everybody on the table, laid out once for all that is asked about one decision.
type Laid = [(UnitId, Placed)];

/// What ends an advance.
enum End {
    Picket(UnitId),
    Edge,
    Spent,
}

/// One picket, and everybody else.
fn mover(laid: &Laid, unit: UnitId) -> Option<(&Placed, impl Iterator<Item = (UnitId, &Placed)>)> {
    let here = laid.iter().find(|(other, _)| *other == unit).map(|(_, placed)| placed)?;
    Some((here, laid.iter().filter(move |(other, _)| *other != unit).map(|(other, placed)| (*other, placed))))
}

/// How far a picket can advance, and what ends it.
fn room_ahead(battle: &Battle, laid: &Laid, unit: UnitId) -> (Length, End) {
    decides!(PK_MOV_01, PK_MOV_02, PK_MOV_03);
    let most = Length::mm(battle.fixed.numbers.advance.most.into());
    let Some((here, others)) = mover(laid, unit) else { return (Length::ZERO, End::Spent) };
    let met = sweep(here, Direction::Ahead, most, others);
    let to_edge = battle.fixed.table.leaves_after(here, Direction::Ahead, most).map_or(most, |(at, _)| at);
    match met.met {
        Some(other) if met.free <= to_edge => (met.free, End::Picket(other)),
        _ if to_edge < most => (to_edge, End::Edge),
        _ => (most, End::Spent),
    }
}

/// Whether there is room for the shortest advance.
pub(crate) fn can_advance(battle: &Battle, laid: &Laid, unit: UnitId) -> bool {
    room_ahead(battle, laid, unit).0 >= shortest(battle)
}

fn shortest(battle: &Battle) -> Length {
    Length::mm(battle.fixed.numbers.advance.least.into())
}

/// The input of an advance, or why there is none.
pub(crate) fn advance_input(battle: &Battle, unit: UnitId) -> Result<Input, Refusal> {
    let (most, end) = room_ahead(battle, &battle.laid(), unit);
    let (why, clause) = match end {
        End::Picket(other) => (format!("{} stands in the way", battle.fixed.entry(other).name), PK_MOV_02),
        End::Edge => ("the table ends here".into(), PK_MOV_03),
        End::Spent => ("that is as far as an advance goes".into(), PK_MOV_01),
    };
    let least = shortest(battle);
    if most < least {
        return Err(clause.rules_out(format!("there is no room to advance: {why}")));
    }
    Ok(Input::Distance { least, most, stops: vec![Stop { at: most, why, clause }] })
}

/// Whether there is room to wheel to either side.
pub(crate) fn can_wheel(battle: &Battle, laid: &Laid, unit: UnitId) -> bool {
    [-90, 90].into_iter().any(|most| furthest_wheel(battle, laid, unit, Angle::degrees(most)) != Angle::ZERO)
}

/// The input of a wheel.
pub(crate) fn wheel_input(battle: &Battle, unit: UnitId) -> Result<Input, Refusal> {
    let laid = battle.laid();
    let [most_left, most_right] = [-90, 90].map(|most| furthest_wheel(battle, &laid, unit, Angle::degrees(most)));
    if most_left == Angle::ZERO && most_right == Angle::ZERO {
        return Err(PK_MOV_04.rules_out("there is no room to wheel to either side"));
    }
    Ok(Input::Wheel { most_left, most_right })
}

/// How far a wheel gets before it meets somebody or the edge. Every smaller wheel is free too.
fn furthest_wheel(battle: &Battle, laid: &Laid, unit: UnitId, most: Angle) -> Angle {
    let Some((here, others)) = mover(laid, unit) else { return Angle::ZERO };
    decides!(PK_MOV_04);
    let free = wheel_forward(here, most, others).free;
    if far_from_edges(battle, here) {
        free
    } else {
        wheel_forward(here, free, Edge::ALL.into_iter().zip(&battle.fixed.walls)).free
    }
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
    decides!(PK_VOL_01, PK_VOL_03);
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
