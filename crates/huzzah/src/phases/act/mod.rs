//! Units act on an order, one at a time, and may be fired at on the way (HZ-ORD-28 to HZ-ORD-30, HZ-BOM-19 to HZ-BOM-21).

pub mod offers;

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::{Halt, Refusal};
use sabretache_table::{Convex, Length, Outline, Pose};
use smallvec::SmallVec;

use super::advance::{self, roads};
use super::officers::flight;
use super::{Play, bombard, deploy, harm, manoeuvre, orders, siege, threat};
use crate::battle::Battle;
use crate::clauses::{
    HZ_ADV_11, HZ_ADV_16, HZ_BLO_09, HZ_BOM_19, HZ_BOM_20, HZ_BOM_21, HZ_DEP_13, HZ_DEP_18, HZ_GEO_04, HZ_ORD_28,
    HZ_ORD_30, HZ_QUA_12, HZ_RET_11,
};
use crate::event::Event;
use crate::state::{Act, Acting, Finish, Moving, Stage, Then};
use crate::table::swing::{self, Turn};
use crate::table::{Field, contact, shape, track};
use crate::troops::Order;

/// The units that may still act on the order in hand.
#[must_use]
pub fn waiting(field: &Field<'_>, acting: &Acting) -> SmallVec<[UnitId; 16]> {
    let battle = field.battle;
    let serial = battle.doing.orders;
    let mut units = orders::units_ordered(battle, acting.officer, acting.to);
    units.retain(|unit| battle.unit(*unit).acted != serial && orders::may_act(field, *unit, acting.order).is_ok());
    units
}

/// A unit that has a forced order and can obey it on the deploy order in hand must do so (HZ-FOR-04).
#[must_use]
pub fn must_act(field: &Field<'_>, acting: &Acting) -> Option<UnitId> {
    if acting.order != Order::Deploy {
        return None;
    }
    waiting(field, acting).into_iter().find(|&unit| {
        let Some(formation) = field.battle.forced_formation(unit) else { return false };
        deploy::formations(field.battle, unit).contains(&formation)
            && deploy::placements(field, unit, formation, true).next().is_some()
    })
}

/// On to the next unit, or done where none is left that could act.
pub(crate) fn next_unit(play: &mut Play<'_>) -> Result<(), Halt> {
    let Some(acting) = play.battle().doing.acting else { return orders::done(play) };
    if acting.acted && waiting(&Field::of(play.battle()), &acting).is_empty() {
        return orders::done(play);
    }
    play.happen(Event::Now { stage: Stage::Act });
    Ok(())
}

/// Checks that the unit may act on the order in hand.
pub(crate) fn require(play: &mut Play<'_>, unit: UnitId, order: Order) -> Result<Acting, Halt> {
    let Some(acting) = play.battle().doing.acting else {
        return Err(Refusal::impossible(HZ_ORD_28, "No order is in hand").into());
    };
    let waits = waiting(&Field::of(play.battle()), &acting).contains(&unit);
    play.require(acting.order == order && waits, HZ_ORD_28, || {
        "That is not what was ordered, or not of this unit".into()
    })?;
    Ok(acting)
}

/// A unit sets about acting; the other side may fire first (HZ-BOM-19).
pub(crate) fn begin(play: &mut Play<'_>, unit: UnitId, act: Act, end: i32, finish: Finish) -> Result<(), Halt> {
    decides!(HZ_ORD_30);
    decides!(HZ_BOM_19);
    let from = play.battle().unit(unit).pose;
    play.happen(Event::Acts {
        moving: Moving { unit, act, from, done: 0, end, finish, hit: false, ask: 0, deploying: false },
    });
    // A unit that is about to change formation is fired at in its old one.
    decides!(HZ_BOM_21);
    if bombard::any_target(play.battle()) {
        play.happen(Event::Now { stage: Stage::Interrupt });
        return Ok(());
    }
    run(play)
}

/// Cavalry obeys its recall (HZ-BLO-09).
pub(crate) fn recall(play: &mut Play<'_>, unit: UnitId) -> Result<(), Halt> {
    decides!(HZ_BLO_09);
    require(play, unit, Order::Recall)?;
    begin(play, unit, Act::Recall, 0, Finish::There)
}

/// Moves the acting unit on to the next point where it may be fired at, or to its end.
pub(crate) fn run(play: &mut Play<'_>) -> Result<(), Halt> {
    let Some(moving) = play.battle().doing.moving else { return next_unit(play) };
    let fired_at = bombard::next_moment(play.battle(), &moving);
    let mined = siege::next_moment(play.battle(), &moving);
    let Some(at) = fired_at.into_iter().chain(mined).min() else { return complete(play, moving) };
    let pose = pose_at(play.battle(), &moving, at);
    play.happen(Event::Moved { unit: moving.unit, pose, done: at });
    play.happen(Event::Now { stage: Stage::Interrupt });
    Ok(())
}

/// Where a mover is after so much of its move.
#[must_use]
pub fn pose_at(battle: &Battle, moving: &Moving, done: i32) -> Pose {
    match moving.act {
        Act::Straight { way } => moving.from.moved(track::heading(moving.from, way), Length::um(done)),
        Act::Road { road, forth } => {
            roads::along(battle, moving.from.at, road, forth, Length::um(done)).unwrap_or(moving.from)
        }
        Act::Wheel { right, back } => {
            swing::wheeled(&battle.placed_at(moving.unit, moving.from), Turn { right, back }, done)
        }
        _ => moving.from,
    }
}

/// The ground a unit has covered with what it has done of its move, as pieces: for a turn or a bend, the unit at small steps.
#[must_use]
pub fn trail(battle: &Battle, moving: &Moving) -> SmallVec<[Convex; 4]> {
    let placed = |done: i32| battle.placed_at(moving.unit, pose_at(battle, moving, done));
    let step = match moving.act {
        Act::Straight { way } => {
            let along = track::heading(moving.from, way).unit();
            let start = battle.placed_at(moving.unit, moving.from);
            return SmallVec::from_iter([shape::drawn_out(&start, along * f64::from(moving.end))]);
        }
        Act::Road { .. } => 5_000,
        Act::Wheel { .. } => 100,
        _ => return SmallVec::from_iter([Convex::hull(&shape::corners(&battle.placed(moving.unit)))]),
    };
    let mut pieces = SmallVec::new();
    let mut from = 0;
    while from < moving.end {
        let to = (from + step).min(moving.end);
        let mut corners: Vec<_> = shape::corners(&placed(from)).to_vec();
        corners.extend(shape::corners(&placed(to)));
        pieces.push(Convex::hull(&corners));
        from = to;
    }
    pieces
}

/// Whether a mover that was fired at may stop where it is (HZ-BOM-20): on no friend's ground.
#[must_use]
pub fn may_halt(battle: &Battle, moving: &Moving) -> bool {
    decides!(HZ_BOM_20);
    let field = Field::of(battle);
    let Some(placed) = field.get(moving.unit) else { return false };
    // Having touched a zone it goes on to its place inside; then it has nothing left to shorten.
    let in_new_zone = {
        let before = Field::with(battle, moving.unit, battle.placed_at(moving.unit, moving.from));
        crate::table::zones::may_threaten(&field, moving.unit).any(|(enemy, _)| {
            crate::table::zones::threatens(&field, enemy, moving.unit)
                && !crate::table::zones::threatens(&before, enemy, moving.unit)
        })
    };
    !in_new_zone
        && field
            .friends_meeting(moving.unit, placed.bounds())
            .all(|(_, friend)| !sabretache_table::overlapping(placed, friend))
}

/// The owner stops the mover where it is, or lets it go on.
pub(crate) fn go_on(play: &mut Play<'_>, halt: bool) -> Result<(), Halt> {
    let Some(moving) = play.battle().doing.moving else { return next_unit(play) };
    let unit = moving.unit;
    if halt {
        play.happen(Event::Halted { unit });
    }
    play.happen(Event::GoesOn { unit });
    run(play)
}

/// The act is carried out to its end, with all that follows from where it ends.
fn complete(play: &mut Play<'_>, moving: Moving) -> Result<(), Halt> {
    let unit = moving.unit;
    match moving.act {
        Act::Straight { .. } => advance::complete(play, moving)?,
        Act::Road { .. } => roads::complete(play, moving)?,
        Act::Wheel { .. } | Act::AboutFace => manoeuvre::complete(play, moving)?,
        Act::Deploy { .. } | Act::Garrison { .. } => deploy::complete(play, moving),
        Act::Skirmish => {
            // A stagger taken from a bombardment in between cancels it (HZ-SKI-07).
            if !moving.hit || play.battle().unit(unit).staggers == 0 {
                harm::join_skirmishers(play, unit);
            }
        }
        Act::Across { enemy } => {
            play.happen(Event::Across { unit, enemy: Some(enemy) });
            play.happen(Event::Spent { unit, clause: HZ_ADV_11 });
        }
        Act::Recall => play.happen(Event::Forced { unit, order: None, clause: HZ_BLO_09 }),
        Act::Escalade { .. } | Act::ClimbOver { .. } | Act::AlongWall { .. } => siege::complete(play, moving),
    }
    if flight::asks(play, Then::Act) {
        return Ok(());
    }
    after_act(play, moving)
}

/// What follows once the unit stands where it has come to: guns may manoeuvre, a unit that has deployed in a zone tests (HZ-DEP-11,
/// HZ-DEP-13).
pub(crate) fn after_act(play: &mut Play<'_>, moving: Moving) -> Result<(), Halt> {
    decides!(HZ_DEP_13);
    let unit = moving.unit;
    let deploys = matches!(moving.act, Act::Deploy { .. } | Act::Garrison { .. });
    if deploys && deploy::may_swing(play.battle(), unit) {
        play.happen(Event::Now { stage: Stage::Swing });
        return Ok(());
    }
    decides!(HZ_DEP_18);
    if deploys || moving.deploying || matches!(moving.act, Act::AlongWall { .. }) {
        threat::after_deploying(play, unit)?;
    }
    finished(play, unit)
}

/// The unit has done; the other side may fire once more, unless it is in contact (HZ-BOM-19).
pub(crate) fn finished(play: &mut Play<'_>, unit: UnitId) -> Result<(), Halt> {
    play.happen(Event::Finished { unit });
    let engaged = {
        let field = Field::of(play.battle());
        contact::is_engaged(&field, unit)
    };
    if !engaged && bombard::any_target(play.battle()) {
        play.happen(Event::Now { stage: Stage::Interrupt });
        return Ok(());
    }
    next_unit(play)
}

/// What follows from how a straight move ends.
pub(crate) fn end_of_move(play: &mut Play<'_>, unit: UnitId, finish: Finish) {
    decides!(HZ_RET_11);
    decides!(HZ_QUA_12);
    match finish {
        Finish::There => {}
        Finish::Contact => {
            // It stays where it touched, and faces as it did.
            decides!(HZ_GEO_04);
            play.happen(Event::Spent { unit, clause: HZ_ADV_11 });
        }
        Finish::Brushed => {
            play.happen(Event::Spent { unit, clause: HZ_ADV_16 });
            let by = play.battle().numbers().brushing_staggers;
            harm::stagger(play, unit, by, HZ_ADV_16);
        }
        Finish::Off => harm::break_unit(play, unit, crate::body::Presence::RetiredOff, HZ_RET_11),
    }
}
